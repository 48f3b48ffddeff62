use super::*;
use crate::agent::{Agent, Budget, Decision, Job, Workspace};
use crate::games::{GameId, StateError};
use crate::search::Progress;
use crate::wire::Ending;
use proptest::prelude::*;
use std::boxed::Box;
use std::vec::Vec;

/// A map from its inner rows.
fn map(rows: &[&str]) -> Map {
    let mut map = Map::new();
    map.begin(rows.len() as u8 + 2 * FRAME).unwrap();
    for (row, letters) in rows.iter().enumerate() {
        for (column, letter) in letters.bytes().enumerate() {
            let place = Place::new(row as u8 + FRAME, column as u8 + FRAME);
            map.learn(place, Terrain::from_letter(letter).unwrap());
        }
    }
    map
}

fn whole(map: &Map) -> Knowledge {
    let mut knowledge = Knowledge::new();
    knowledge.begin(7, map.size()).unwrap();
    for place in map.places() {
        knowledge.map.learn(place, map.get(place));
    }
    knowledge
}

/// What the player sees there.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the referee passes it")]
fn sensors(map: &Map, level: u8, life: u16, player: &Player, target: Place) -> Sensors {
    let cone = CONE.map(|(ahead, aside)| player.place.towards(player.heading, ahead, aside));
    Sensors {
        game: 7,
        level,
        size: map.size(),
        life,
        battery: player.battery,
        place: player.place,
        heading: player.heading,
        target,
        terrain: cone.map(|place| map.get(place)),
        ..Sensors::default()
    }
}

fn player(row: u8, column: u8, heading: Heading) -> Player {
    Player { place: Place::new(row + FRAME, column + FRAME), heading, battery: FULL_BATTERY, outfit: Outfit::NONE }
}

/// An agent on the desktop.
struct Seat {
    agent: Agent,
    workspace: Box<Workspace>,
}

impl Seat {
    fn new() -> Self {
        Self { agent: Agent::new(), workspace: Box::new(Workspace::new()) }
    }

    fn load(&mut self, knowledge: &Knowledge) -> usize {
        let mut row = FRAME;
        let mut pieces = 0;
        while row < knowledge.map.size() - FRAME {
            let mut piece = [0; MAX_PIECE];
            let (length, next) = knowledge.write_piece(row, &mut piece);
            self.agent.load(GameId::Belkan, &piece[..length], &mut self.workspace).unwrap();
            (row, pieces) = (next, pieces + 1);
        }
        pieces
    }

    fn decide(&mut self, sensors: &Sensors, slice: u32) -> Result<Decision, StateError> {
        self.agent.begin(GameId::Belkan, &sensors.encode(), Budget::default(), &mut self.workspace)?;
        loop {
            if let Some(decision) = self.agent.step(&mut self.workspace, slice) {
                return Ok(decision);
            }
        }
    }
}

/// Has a level planned on a known map and walks the plan. Gives the first decision, the actions and the battery spent.
fn walk(map: &Map, level: u8, mut player: Player, target: Place) -> (Decision, Vec<Action>, u16) {
    let mut seat = Seat::new();
    seat.load(&whole(map));
    let mut first = None;
    let mut actions = Vec::new();
    let mut spent = 0;
    for life in (0..LIFETIME).rev() {
        let decision = seat.decide(&sensors(map, level, life, &player, target), u32::MAX).unwrap();
        let action = Action::from_code(decision.action[0]).unwrap();
        first.get_or_insert(decision);
        if player.place == target || action == Action::Idle {
            break;
        }
        let ahead = player.place.towards(player.heading, 1, 0);
        let (event, price) = player.act(action, map.get(player.place), map.get(ahead), false);
        assert_eq!(event, Event::Done);
        player.pay(price);
        actions.push(action);
        spent += price;
    }
    assert!(player.place == target || first.as_ref().is_some_and(|first| first.action[0] == 3));
    (first.unwrap(), actions, spent)
}

#[test]
fn the_origin_is_charged_in_the_outfit_after_the_step() {
    let mut walker = player(0, 0, Heading::East);
    let (event, price) = walker.act(Action::Forward, Terrain::Water, Terrain::Bikini, false);
    assert_eq!((event, price, walker.outfit), (Event::Done, 10, Outfit::BIKINI));
    let (_, price) = walker.act(Action::Left, Terrain::Forest, Terrain::Stone, false);
    assert_eq!(price, 50);
}

#[test]
fn whoever_cannot_pay_does_nothing_and_is_empty() {
    // The check uses the outfit before the step: a bikini ahead does not help out of the water.
    let mut walker = Player { battery: 99, ..player(0, 0, Heading::East) };
    assert_eq!(walker.act(Action::Forward, Terrain::Water, Terrain::Bikini, false), (Event::Exhausted, 0));
    assert_eq!((walker.battery, walker.place), (0, player(0, 0, Heading::East).place));
    let mut idle = Player { battery: 0, ..walker };
    assert_eq!(idle.act(Action::Idle, Terrain::Water, Terrain::Stone, false), (Event::Done, 0));
}

#[test]
fn chargers_charge_those_who_stay_turn_or_enter() {
    let charger = Terrain::Charger;
    for (action, here, ahead, battery) in [
        (Action::Idle, charger, Terrain::Stone, 110),
        (Action::Left, charger, Terrain::Stone, 109),
        (Action::Forward, Terrain::Stone, charger, 109),
        (Action::Forward, charger, Terrain::Stone, 99),
        (Action::Forward, charger, Terrain::Wall, 99),
    ] {
        let mut walker = Player { battery: 100, ..player(0, 0, Heading::East) };
        let (_, price) = walker.act(action, here, ahead, false);
        walker.pay(price);
        assert_eq!(walker.battery, battery, "{action:?} on {here:?}");
    }
    let mut full = player(0, 0, Heading::East);
    let (_, price) = full.act(Action::Right, charger, Terrain::Stone, false);
    full.pay(price);
    assert_eq!(full.battery, 2999, "the charge comes first and stops at the cap");
}

#[test]
fn bumping_into_somebody_is_free_and_into_a_wall_is_not() {
    let mut walker = player(0, 0, Heading::East);
    assert_eq!(walker.act(Action::Forward, Terrain::Sand, Terrain::Wall, false), (Event::Wall, 2));
    assert_eq!(walker.act(Action::Forward, Terrain::Sand, Terrain::Wall, true), (Event::Occupied, 0));
    assert_eq!(walker.act(Action::Forward, Terrain::Sand, Terrain::Precipice, false), (Event::Fell, 2));
}

/// The source document tells actions apart by an assignment, so that a step is charged at its end. Here the way round
/// by sand is dearer at its end and cheaper in all.
#[test]
fn a_step_is_charged_where_it_starts() {
    let map = map(&["SSSSS", "BMMMS", "BSSSS", "SSSSS", "SSSSS"]);
    let (decision, _, spent) = walk(&map, 3, player(0, 0, Heading::South), Place::new(FRAME + 2, FRAME));
    // South: 1 + 50. The other way round takes 3 turns and 10 steps, each of them from stone.
    assert_eq!((decision.statistics.value, spent), (13, 13));
}

/// The source document's A* does not add the costs up, and takes whatever looks nearest.
#[test]
fn costs_add_up_along_the_path() {
    let map = map(&["STTTTTS", "SMMMMMS", "SSSSSSS", "SSSSSSS", "SSSSSSS", "SSSSSSS", "SSSSSSS"]);
    let (decision, actions, spent) = walk(&map, 3, player(0, 0, Heading::East), Place::new(FRAME, FRAME + 6));
    assert_eq!((decision.statistics.value, spent), (11, 11));
    assert_eq!(actions.len(), 6);
    let (decision, _, _) = walk(&map, 3, player(2, 0, Heading::East), Place::new(FRAME + 2, FRAME + 6));
    assert_eq!(decision.statistics.value, 6);
}

/// The source document forgets the outfit among the closed states: the cheap way back over cells seen before is lost.
#[test]
fn a_cell_is_worth_a_second_visit_in_another_outfit() {
    let map = map(&["MMMMMMM", "DSSBBBS", "MMMMMMM", "MMMMMMM", "MMMMMMM", "MMMMMMM", "MMMMMMM"]);
    let (decision, actions, spent) = walk(&map, 3, player(1, 2, Heading::East), Place::new(FRAME + 1, FRAME + 6));
    // Back for the shoes: 2 turns, 2 steps, 2 turns, 3 steps to the forest, 3 steps at 5.
    assert_eq!((decision.statistics.value, spent), (24, 24));
    assert_eq!(actions.len(), 12);
    assert_eq!(decision.statistics.ending, Ending::Proven);
    let (decision, ..) = walk(&map, 2, player(1, 2, Heading::East), Place::new(FRAME + 1, FRAME + 6));
    assert_eq!(decision.statistics.value, 4, "the fewest actions go straight on");
}

#[test]
fn whoever_starts_on_a_gift_has_to_come_back_for_it() {
    let map = map(&["MMMMMMM", "DSBBBBS", "MMMMMMM", "MMMMMMM", "MMMMMMM", "MMMMMMM", "MMMMMMM"]);
    let (decision, _, spent) = walk(&map, 3, player(1, 0, Heading::East), Place::new(FRAME + 1, FRAME + 6));
    // Off and on again: a step, 2 turns, a step, 2 turns; then 2 steps on stone and 4 in the forest, in shoes.
    assert_eq!((decision.statistics.value, spent), (28, 28));
}

#[test]
fn an_unreachable_target_is_proven_and_nobody_moves() {
    let map = map(&["SSMSS", "SSMSS", "SSMSS", "SSMSS", "SSMSS"]);
    for level in 1..=3 {
        let (decision, actions, _) = walk(&map, level, player(0, 0, Heading::East), Place::new(FRAME, FRAME + 4));
        assert_eq!((decision.statistics.ending, actions.len()), (Ending::Proven, 0), "level {level}");
    }
}

/// An open field with something of everything, for games of level 4.
fn field(seed: u32) -> Map {
    let mut map = Map::new();
    map.begin(24).unwrap();
    let mut random = seed;
    for place in map.places() {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let terrain = match random >> 24 {
            0..140 => Terrain::Stone,
            140..180 => Terrain::Sand,
            180..205 => Terrain::Forest,
            205..225 => Terrain::Water,
            225..240 => Terrain::Wall,
            240..248 => Terrain::Precipice,
            248..251 => Terrain::Bikini,
            251..253 => Terrain::Shoes,
            _ => Terrain::Charger,
        };
        map.learn(place, terrain);
    }
    map
}

/// Plays level 4 without villagers; `between` may do something to the seat before each decision.
fn explore(seed: u32, ticks: u16, slice: u32, mut between: impl FnMut(u16, &mut Seat, &Knowledge)) -> Vec<Decision> {
    let map = field(seed);
    let walkable: Vec<Place> = map.places().filter(|&place| map.get(place).is_passable()).collect();
    let mut walker = Player { place: walkable[0], ..player(0, 0, Heading::South) };
    let mut target = walkable[walkable.len() - 1];
    let mut seat = Seat::new();
    let mut told = Knowledge::new();
    let mut decisions = Vec::new();
    for life in (LIFETIME - ticks..LIFETIME).rev() {
        let sensors = sensors(&map, 4, life, &walker, target);
        between(life, &mut seat, &told);
        told.observe(&sensors).unwrap();
        let decision = seat.decide(&sensors, slice).unwrap();
        let action = Action::from_code(decision.action[0]).unwrap();
        decisions.push(decision);
        if walker.place == target {
            target = walkable[usize::from(life) * 7 % walkable.len()];
        }
        let ahead = walker.place.towards(walker.heading, 1, 0);
        let (event, price) = walker.act(action, map.get(walker.place), map.get(ahead), false);
        assert_eq!(event, Event::Done, "no fall, no bump, no empty battery");
        walker.pay(price);
    }
    decisions
}

/// Standing on a gift gives nothing, so it is no place to go to: an agent that wanted it stood there for a whole game.
#[test]
fn whoever_starts_on_a_gift_at_level_4_does_not_stay_there() {
    let row = "BBBSSSSSBBB";
    let map = map(&[row, row, row, row, "BBBSDSSSBBB", row, row, row, row, row, row]);
    let target = Place::new(FRAME + 9, FRAME + 6);
    let (mut seat, mut walker) = (Seat::new(), player(4, 4, Heading::North));
    for life in (LIFETIME - 30..LIFETIME).rev() {
        if walker.place == target {
            return;
        }
        let decision = seat.decide(&sensors(&map, 4, life, &walker, target), 1_000).unwrap();
        let action = Action::from_code(decision.action[0]).unwrap();
        let ahead = walker.place.towards(walker.heading, 1, 0);
        let (_, price) = walker.act(action, map.get(walker.place), map.get(ahead), false);
        walker.pay(price);
    }
    panic!("at {:?} after 30 ticks", walker.place);
}

/// What lets the graph keep edges to covered states from the search.
#[test]
fn the_heuristic_falls_by_no_more_than_an_action_costs() {
    use super::graph::{Errand, Goal, Ground, Metric, Prices, Unknown};
    use crate::search::astar::{Codes, Edge, Graph};
    let unknown = Unknown { plain: 2, alike: 15, closed: 24, wall: 96, expected: 2, curiosity: 50, curiosity_near: 25 };
    for seed in 0..4 {
        let mut map = field(seed);
        let walkable: Vec<Place> = map.places().filter(|&place| map.get(place).is_passable()).collect();
        if seed % 2 == 1 {
            // The same with most of it unknown.
            let (size, known) = (map.size(), map.clone());
            map.begin(size).unwrap();
            for &place in walkable.iter().step_by(9) {
                map.learn(place, known.get(place));
            }
        }
        for metric in [Metric::ACTIONS, Metric::BATTERY, Metric { tick: 6, battery: 1 }, Metric { tick: 4, battery: 2 }]
        {
            let mut prices = Prices::new();
            prices.set(metric, unknown);
            let cell = |place| map.cell(place).unwrap();
            let (start, goal) = (cell(walkable[3]), Goal::Cell(cell(walkable[walkable.len() / 2])));
            let errand = Errand::new(&map, start, 0, Outfit::NONE, goal, None);
            let ground = Ground::new(&map, &prices, &errand);
            let mut edges = 0;
            let cells = map.places().filter(|&place| map.get(place).is_passable()).map(cell);
            for state in cells.flat_map(|cell| (0..16).map(move |rest| u32::from(cell) << 4 | rest)) {
                let spot = ground.spot(ground.recall(state));
                let before = ground.heuristic(&spot);
                ground.successors(&spot, 0, &mut Codes::<2>::new(&mut []), |_: &mut Codes<'_, 2>, edge: Edge| {
                    edges += 1;
                    assert_eq!(edge.heuristic, ground.heuristic(&ground.spot(edge.to)), "state {state}");
                    assert!(before <= edge.cost + edge.heuristic, "state {state}, {metric:?}");
                });
                assert!(!ground.is_goal(&spot) || before <= u32::from(metric.tick + metric.battery) * 2);
            }
            assert!(edges > 1_000);
        }
    }
}

#[test]
fn the_size_of_the_slices_changes_no_decision() {
    let whole = explore(3, 250, u32::MAX, |_, _, _| {});
    for slice in [1, 13] {
        assert_eq!(explore(3, 250, slice, |_, _, _| {}), whole, "slices of {slice}");
    }
}

/// A board that has lost its memory refuses, is told again, and goes on.
#[test]
fn play_goes_on_after_a_reset() {
    let mut resets = 0;
    let decisions = explore(5, 400, u32::MAX, |life, seat, told| {
        if life % 50 == 0 {
            *seat = Seat::new();
            let stale = seat.decide(&sensors(&field(5), 4, life, &player(0, 0, Heading::North), Place::default()), 9);
            assert!(stale.is_err());
            seat.load(told);
            resets += 1;
        }
    });
    assert_eq!((decisions.len(), resets), (400, 8));
}

/// Whoever asks twice in a tick, or does something else than was said, gets a plan from where it is.
#[test]
fn a_plan_that_is_not_followed_is_made_anew() {
    let map = map(&["SSSSSSSS"; 8]);
    let mut walker = player(7, 0, Heading::North);
    let target = Place::new(3, 10);
    let mut seat = Seat::new();
    seat.load(&whole(&map));
    let first = seat.decide(&sensors(&map, 2, LIFETIME - 1, &walker, target), 100).unwrap();
    let again = seat.decide(&sensors(&map, 2, LIFETIME - 1, &walker, target), 100).unwrap();
    assert_eq!(first.action, again.action);
    walker.heading = Heading::West;
    let after = seat.decide(&sensors(&map, 2, LIFETIME - 2, &walker, target), 100).unwrap();
    assert_eq!(after.action[0], Action::Right as u8, "turned away, turn back");
}

#[test]
fn a_request_out_of_turn_is_refused() {
    let map = field(1);
    let place = map.places().find(|&place| map.get(place).is_passable()).unwrap();
    let walker = Player { place, ..player(0, 0, Heading::South) };
    let mut seat = Seat::new();
    assert_eq!(seat.decide(&sensors(&map, 4, 2_000, &walker, place), 99), Err(StateError::NotLoaded));
    assert_eq!(seat.decide(&sensors(&map, 3, 2_999, &walker, place), 99), Err(StateError::NotLoaded));
    assert!(seat.decide(&sensors(&map, 4, 2_999, &walker, place), 99).is_ok());
    assert!(seat.decide(&sensors(&map, 4, 2_998, &walker, place), 99).is_ok());
    assert!(seat.decide(&sensors(&map, 4, 2_998, &walker, place), 99).is_ok(), "the same again");
    assert_eq!(seat.decide(&sensors(&map, 4, 2_990, &walker, place), 99), Err(StateError::NotLoaded));
    let other = Sensors { game: 8, ..sensors(&map, 4, 2_997, &walker, place) };
    assert_eq!(seat.decide(&other, 99), Err(StateError::NotLoaded));
}

#[test]
fn the_agent_is_small() {
    let size = size_of::<BelkanAgent>();
    assert!(size <= 8 * 1024, "{size} bytes");
}

proptest! {
    #[test]
    fn sensors_survive_the_line(
        bytes in prop::collection::vec(any::<u8>(), STATE_BYTES), game: u16, life in 0..LIFETIME,
    ) {
        let _ = Sensors::decode(&bytes);
        let map = field(u32::from(game));
        let walker = player(4, 4, Heading::West);
        let told = Sensors { game, ..sensors(&map, 4, life, &walker, Place::new(9, 9)) };
        match told.validate() {
            Ok(()) => prop_assert_eq!(Sensors::decode(&told.encode()), Ok(told)),
            Err(error) => prop_assert_eq!(Sensors::decode(&told.encode()), Err(error)),
        }
    }

    /// Whatever bytes arrive, nothing panics and an accepted request is answered.
    #[test]
    fn no_bytes_break_the_agent(
        loads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4),
        changes in prop::collection::vec((0..STATE_BYTES, any::<u8>()), 0..6),
    ) {
        let map = field(2);
        let mut agent = BelkanAgent::new();
        let mut workspace = Box::new(Workspace::new());
        for load in loads {
            let _ = agent.load(&load, &mut workspace);
        }
        let mut state = sensors(&map, 4, LIFETIME - 1, &player(4, 4, Heading::West), Place::new(9, 9)).encode();
        for (at, byte) in changes {
            state[at] = byte;
        }
        if agent.begin(&state, &Budget::default(), &mut workspace).is_ok() {
            for _ in 0..2_000 {
                if agent.step(&mut workspace, 500) == Progress::Done {
                    break;
                }
            }
            let mut decision = Decision::default();
            agent.answer(&mut workspace, &mut decision);
            prop_assert!(decision.action[0] < 4);
        }
    }
}
