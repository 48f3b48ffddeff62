//! Planet Wars as a whole: the emulated board against the desktop on recorded states, and against the clock.

use rival_core::games::GameId;
use rival_core::games::planet_wars::{Force, Owner, Player, View};
use rival_core::wire::Limits;
use rival_sim::client::Client;
use rival_sim::duel::MatchSettings;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_tests::{emulated, image, shared};

/// Recordings replay, and the decisions in a hundred of their states are the same on both sides of the line.
#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let (Some(file), Some(image)) = (shared("golden/planet_wars/games.jsonl.gz"), image()) else { return };
    let link = LinkSpec::Emulator { shift: 3, image: Some(image) };
    for nodes in [1_000, 4_000] {
        let limits = Limits { nodes, ..Limits::default() };
        let result = table("planet-wars").unwrap().conform(&file, &[], &link, limits).unwrap();
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        assert!(result.steps > 3_000);
    }
}

/// Turns that the agent looks ahead.
const HORIZON: f64 = 40.0;
/// Instructions that a planet and turn may cost, at most, by column. Simulation takes no more than 60; looking for steps is
/// done once a plan, and a decision a plan weighed has its share of everything.
const MOST: [f64; 5] = [60.0, 60.0, 125.0, 65.0, 125.0];

/// What is measured, in instructions a planet and turn.
const COLUMNS: [&str; 5] = ["spare", "reach", "propose", "weigh", "plan"];

/// The costs of a state: finding out what each planet can spare, adding up who can reach whom, looking for steps, weighing
/// the first plans; and the whole decision a plan weighed, everything included from the first byte of the state on.
fn costs(board: &mut Client, state: &[u8]) -> [f64; 5] {
    let planets = u32::from(state[0]);
    let mut until = |nodes: u32| {
        let limits = Limits { nodes, time_us: 1_000_000, ..Limits::default() };
        let statistics = board.decide(GameId::PlanetWars, state, limits).unwrap().statistics;
        (f64::from(statistics.search_us) * 125.0 / HORIZON, statistics)
    };
    // The order of work: a node a planet for what it spares, one for who reaches it, one for steps; then plans.
    let marks = [1, planets, 2 * planets, 3 * planets, 27 * planets].map(&mut until);
    let cost = |to: usize| {
        let [(before, from), (after, until)] = [&marks[to - 1], &marks[to]];
        (after - before) / f64::from(until.nodes - from.nodes)
    };
    let (search, statistics) = until(0);
    let whole = search + f64::from(statistics.decode_us) * 125.0 / HORIZON;
    let whole = whole / f64::from(planets) / f64::from(statistics.cutoffs);
    [cost(1), cost(2), cost(3), cost(4), whole]
}

/// A state in which every planet is somebody's, with this many forces in flight.
fn crowded(state: &[u8], forces: usize) -> Vec<u8> {
    let mut view = View::decode(state).unwrap();
    let planets = view.planets.len();
    for (id, planet) in view.planets.iter_mut().enumerate() {
        planet.owner = if id % 2 == 0 { Owner::One } else { Owner::Two };
    }
    for number in 0..forces {
        // By destination, then by arrival; the last turns of the first planets take what is left over.
        let destination = number * planets / forces;
        let first = (destination * forces).div_ceil(planets);
        let (turn, player) = ((number - first) / 2, Player::BOTH[(number - first) % 2]);
        let force =
            Force { player, destination: destination as u8, remaining: 1 + turn as u8, ships: 1 + turn as u32 % 5 };
        view.forces.push(force).unwrap();
    }
    view.encode().unwrap().to_vec()
}

fn show(name: &str, costs: [f64; 5]) {
    let columns: Vec<String> = COLUMNS.iter().zip(costs).map(|(column, cost)| format!("{column} {cost:.1}")).collect();
    println!("figure: planet-wars, {name}: instructions a planet and turn: {}", columns.join(", "));
}

/// A planet and turn cost the same whatever the number of planets, in every part of the work and in the whole, so that the
/// cost is linear in planets times turns: on opening maps, and where every planet is owned and awaits forces.
#[test]
fn the_cost_of_a_planet_and_turn_does_not_grow_with_the_planets() {
    let Some(mut board) = emulated(3) else { return };
    let positions = table("planet-wars").unwrap().positions();
    let maps: Vec<&[u8]> = positions.iter().take(4).map(|position| position.state.as_slice()).collect();
    assert_eq!(maps.iter().map(|state| state[0]).collect::<Vec<_>>(), [10, 20, 40, 60]);
    for crowd in [false, true] {
        let rows: Vec<[f64; 5]> = maps
            .iter()
            .map(|&state| {
                let planets = state[0];
                let forces = 4 * usize::from(planets);
                let kind = if crowd { "all owned, four forces to each" } else { "opening" };
                let costs = if crowd { costs(&mut board, &crowded(state, forces)) } else { costs(&mut board, state) };
                show(&format!("{planets} planets, {kind}"), costs);
                costs
            })
            .collect();
        for column in 0..COLUMNS.len() {
            let [least, most] = [rows[0][column], rows[3][column]];
            assert!(most < 1.3 * least, "{}: {least:.1} with 10 planets, {most:.1} with 60", COLUMNS[column]);
            for row in &rows {
                assert!(row[column] <= MOST[column], "{}: {:.1}", COLUMNS[column], row[column]);
            }
        }
    }
}

/// Reading a force costs the same however many there are, and simulating them costs no more than a planet and turn may.
#[test]
fn the_cost_of_a_force_does_not_grow_with_the_forces() {
    let Some(mut board) = emulated(3) else { return };
    let positions = table("planet-wars").unwrap().positions();
    let map = positions.iter().map(|position| position.state.as_slice()).find(|state| state[0] == 60).unwrap();
    let mut reading = Vec::new();
    for forces in [0, 64, 256, 1_024] {
        let state = crowded(map, forces);
        let limits = Limits { nodes: 1, ..Limits::default() };
        let first = board.decide(GameId::PlanetWars, &state, limits).unwrap().statistics.decode_us;
        let costs = costs(&mut board, &state);
        show(&format!("60 planets, {forces} forces, read in {first} us"), costs);
        assert!(costs.iter().zip(MOST).all(|(&cost, most)| cost <= most), "{costs:?}");
        reading.push((f64::from(forces as u32), f64::from(first)));
    }
    let each = |to: usize| (reading[to].1 - reading[to - 1].1) * 125.0 / (reading[to].0 - reading[to - 1].0);
    println!("figure: planet-wars, instructions to read a force: {:.0}, {:.0}, {:.0}", each(1), each(2), each(3));
    assert!(each(3) < 1.25 * each(2), "{reading:?}");
}

/// A whole game through the emulated board: won, and nothing late.
#[test]
fn a_game_through_the_emulated_board_is_won_in_time() {
    let Some(image) = image() else { return };
    let settings = MatchSettings {
        p1: "agent".into(),
        p2: "bully".into(),
        games: 2,
        seed: 1,
        opening: 0,
        link: LinkSpec::Emulator { shift: 3, image: Some(image) },
        limits: Limits { time_us: 1_000_000, ..Limits::default() },
        map: Some("generated:7".into()),
        options: Vec::new(),
        jobs: 1,
        quiet: true,
    };
    let report = table("planet-wars").unwrap().run_match(&settings).unwrap();
    println!("figure: planet-wars, emulated board: {}", report.summary.lines().next().unwrap_or(""));
    assert_eq!(report.json["p1_times"]["late"], 0, "{}", report.summary);
    assert_eq!(report.json["points"].as_f64(), Some(2.0), "{}", report.summary);
}
