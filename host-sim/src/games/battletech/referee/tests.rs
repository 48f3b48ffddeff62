//! The referee's rules, each with a test of its name, and seeded random games with every rule in use.

use rival_core::games::battletech::action::{Aim, Shot, Step};
use rival_core::games::battletech::equipment::{Charge, WEAPONS, weapon_by_code};
use rival_core::games::battletech::map::{Object, Terrain, Tile};
use rival_core::games::battletech::mech::{Limb, Mode};
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::{Action, Facing, Hex, Location, Mech, Phase, Profile};

use super::{Dice, Game, LAST_TURN, Player, check};
use crate::games::battletech::designs::{DESIGNS, LATER_DESIGNS};
use crate::games::battletech::mapgen::{Landscape, generate};
use crate::games::battletech::opponents::Random;

/// Two of a design on 12 by 14 hexes of bare ground, the first facing the second from the south.
pub(in crate::games::battletech) fn arena(book: bool, name: &str, seed: u64) -> Game {
    let order = DESIGNS.iter().chain(&LATER_DESIGNS).find(|order| order.name == name).unwrap();
    let designs = [order.build().unwrap(), order.build().unwrap()];
    let mut map = generate(Landscape::Plain, 12, 14, 1);
    for ground in &mut map.ground {
        ground.tile = Tile::new(0, Terrain::Open, Object::None);
    }
    let mut game = Game::new(book, map, &designs, seed);
    for (mech, row) in game.mechs.iter_mut().zip([8, 6]) {
        (mech.hex, mech.facing, mech.torso) = (Hex::new(5, row), Facing::NORTH, Facing::NORTH);
    }
    game.wind = Some(Facing::NORTH);
    game
}

pub(in crate::games::battletech) fn put(game: &mut Game, hex: Hex, tile: Tile) {
    let index = game.view().index(hex);
    game.map.ground[index].factor = tile.object().full_factor();
    game.change_tile(index, |_| tile);
}

pub(in crate::games::battletech) fn tile(game: &Game, hex: Hex) -> Tile {
    game.view().tile(hex)
}

pub(in crate::games::battletech) fn said(game: &Game, words: &str) -> bool {
    game.dice.log.iter().any(|line| line.contains(words))
}

pub(in crate::games::battletech) fn woods() -> Tile {
    Tile::new(0, Terrain::Open, Object::LightWoods)
}

/// Plays a phase in which the first does this and the second nothing.
pub(in crate::games::battletech) fn act(game: &mut Game, phase: Phase, action: &Action) {
    let mut first = |_: &Game, _: usize, _: Phase| action.clone();
    let mut second = |_: &Game, _: usize, phase: Phase| Action::nothing(phase);
    game.play_phase(phase, &mut [&mut first, &mut second]);
}

pub(in crate::games::battletech) fn walk(steps: &[Step]) -> Action {
    Action::Go { run: false, masc: false, steps: steps.iter().copied().collect() }
}

#[test]
fn fire_spreads_with_the_wind() {
    // Downwind on 9, to its sides on 11, over one hex on 12, against the wind never: counted over many turns.
    let hex = Hex::new(5, 7);
    for (book, expected) in [(true, [10, 3, 3, 0, 1]), (false, [3, 0, 0, 0, 0])] {
        for wind in Facing::ALL {
            let mut caught = [0_u32; 5];
            let mut game = arena(book, "Boar", 3);
            game.wind = Some(wind);
            game.dice.keep = false;
            let next = |side: u8| hex.neighbour(wind.turned(side)).unwrap();
            let around = [next(0), next(1), next(5), next(3), next(0).neighbour(wind).unwrap()];
            let turns = 720;
            for _ in 0..turns {
                for hex in around {
                    put(&mut game, hex, woods());
                }
                put(&mut game, hex, woods().with_fire(true));
                game.spread_fires();
                around.iter().zip(&mut caught).for_each(|(&hex, n)| *n += u32::from(tile(&game, hex).fire()));
            }
            let outcomes = game.profile.outcomes();
            for (place, (&seen, ways)) in caught.iter().zip(expected).enumerate() {
                let mean = turns * ways / outcomes;
                assert!(seen.abs_diff(mean) <= mean / 3 + 8, "book {book}, {wind}, place {place}: {seen}, not {mean}");
                assert!(ways > 0 || seen == 0);
            }
        }
    }
}

#[test]
fn a_calm_keeps_fire_where_it_is() {
    let mut game = arena(true, "Boar", 3);
    game.wind = None;
    game.view().hexes().collect::<Vec<_>>().into_iter().for_each(|hex| put(&mut game, hex, woods()));
    put(&mut game, Hex::new(5, 7), woods().with_fire(true));
    (0..50).for_each(|_| game.spread_fires());
    assert_eq!(game.map.ground.iter().filter(|ground| ground.tile.fire()).count(), 1);
}

#[test]
fn smoke_hangs_over_the_three_hexes_downwind() {
    let mut game = arena(false, "Boar", 3);
    let fire = Hex::new(5, 10);
    put(&mut game, fire, woods().with_fire(true));
    game.spread_fires();
    let downwind = [0, 1, 5].map(|side| fire.neighbour(Facing::NORTH.turned(side)).unwrap());
    for hex in game.view().hexes() {
        assert_eq!(tile(&game, hex).smoke(), downwind.contains(&hex), "{hex}");
    }
    assert_eq!(tile(&game, downwind[0]).veil(), 2, "as heavy woods");
    put(&mut game, fire, woods());
    game.spread_fires();
    assert!(game.view().hexes().all(|hex| !tile(&game, hex).smoke()), "gone with the fire");
}

#[test]
fn ignition_numbers_are_the_profiles() {
    let kind = |code| &WEAPONS[usize::from(weapon_by_code(code).unwrap())];
    for (book, [flamer, energy, other]) in [(false, [5, 5, 7]), (true, [4, 7, 9])] {
        let game = arena(book, "Boar", 1);
        let need = |code, charge, object| game.ignition_need(kind(code), charge, object);
        assert_eq!(need(20, Charge::Plain, Object::LightWoods), flamer);
        assert_eq!(need(22, Charge::Plain, Object::LightWoods), energy);
        assert_eq!(need(25, Charge::Plain, Object::HeavyWoods), other);
        assert_eq!(need(32, Charge::Incendiary, Object::HeavyWoods), flamer);
        for (class, more) in [(0, 0), (1, 1), (2, 2), (3, 3)] {
            assert_eq!(need(22, Charge::Plain, Object::Building(class)), energy + more);
        }
    }
}

#[test]
fn woods_are_cleared_step_by_step() {
    let mut game = arena(true, "Walrus", 5);
    game.fires = false;
    let hex = Hex::new(5, 7);
    put(&mut game, hex, Tile::new(0, Terrain::Open, Object::HeavyWoods));
    let cannon = &WEAPONS[usize::from(weapon_by_code(27).unwrap())];
    let mut seen = vec![tile(&game, hex).object()];
    for _ in 0..40 {
        game.hit_hex(hex, cannon, Charge::Plain);
        seen.push(tile(&game, hex).object());
    }
    seen.dedup();
    assert_eq!(seen, [Object::HeavyWoods, Object::LightWoods, Object::Rubble]);
}

#[test]
fn a_building_shot_down_throws_who_stands_on_it() {
    let mut game = arena(true, "Walrus", 5);
    let hex = game.mechs[1].hex;
    put(&mut game, hex, Tile::new(2, Terrain::Open, Object::Building(0)));
    let cannon = &WEAPONS[usize::from(weapon_by_code(27).unwrap())];
    game.hit_hex(hex, cannon, Charge::Plain);
    assert!(tile(&game, hex).collapsed() && tile(&game, hex).level() == 0);
    assert!(game.mechs[1].prone);
    assert_eq!(game.mechs[1].hurt, 27, "nine points for each of the two levels, and for the ground");
}

#[test]
fn ruins_hold_clubs_by_the_strength_of_the_building() {
    for (class, ways) in [(0, 0), (1, 21), (2, 26), (3, 30)] {
        let mut game = arena(true, "Boar", 9);
        game.dice.keep = false;
        let hex = Hex::new(2, 2);
        let index = game.view().index(hex);
        for _ in 0..360 {
            put(&mut game, hex, Tile::new(1, Terrain::Open, Object::Building(class)));
            game.collapse(index);
        }
        let clubs = u32::from(game.map.ground[index].clubs).min(255);
        let expected = (ways * 10).min(255);
        assert!(clubs.abs_diff(expected) < 40, "class {class}: {clubs}, not {expected}");
    }
}

#[test]
fn a_club_is_picked_up_instead_of_shooting_and_a_tree_breaks() {
    let mut game = arena(false, "Boar", 5);
    let here = game.mechs[0].hex;
    assert!(check(&game, 0, Phase::Weapons, &Action::PickUp).is_err(), "nothing lies there");
    put(&mut game, here, woods());
    act(&mut game, Phase::Weapons, &Action::PickUp);
    assert_eq!(game.mechs[0].club, 2);
    assert!(!game.may_act(0, Phase::Physical), "not in the same turn");
    game.mechs[0].fired = 0;
    game.mechs[1].hex = here.neighbour(Facing::NORTH).unwrap();
    act(&mut game, Phase::Physical, &Action::Strike([(Blow::Club, 1)].into_iter().collect()));
    assert_eq!(game.mechs[0].club, 0, "a tree serves once");
    let index = game.view().index(here);
    put(&mut game, here, Tile::new(0, Terrain::Open, Object::None));
    game.change_clubs(index, 1);
    game.mechs[0].arms[1].0 |= Limb::END;
    assert!(check(&game, 0, Phase::Weapons, &Action::PickUp).is_err(), "it takes both hands");
    game.mechs[0].arms[1].0 = 0;
    act(&mut game, Phase::Weapons, &Action::PickUp);
    assert_eq!((game.mechs[0].club, game.map.ground[index].clubs), (1, 0));
}

#[test]
fn a_lost_limb_is_a_club() {
    let mut game = arena(false, "Boar", 5);
    let hex = game.mechs[1].hex;
    game.blow_off(1, Location::LeftArm);
    assert!(tile(&game, hex).club() && !game.mechs[1].has(Location::LeftArm));
}

#[test]
fn fire_heats_those_who_stand_in_it_and_those_who_leave_it() {
    let mut game = arena(false, "Boar", 5);
    let start = game.mechs[0].hex;
    let mut hex = start;
    for _ in 0..2 {
        put(&mut game, hex, woods().with_fire(true));
        hex = hex.neighbour(Facing::from_index(3)).unwrap();
    }
    act(&mut game, Phase::Movement, &walk(&[Step::Backward, Step::Backward]));
    assert_eq!(game.mechs[0].heating, 1 + 2 + 2, "the walk, and two burning hexes left");
    game.mechs[0].hex = start;
    (game.mechs[0].heating, game.mechs[0].sinks_on) = (0, 0);
    game.heat_phase();
    assert_eq!(game.mechs[0].heat, 5, "standing in it");
}

#[test]
fn inferno_gel_burns_for_three_turns_a_missile() {
    for (book, heat) in [(true, 6), (false, 0)] {
        let mut game = arena(book, "Weasel", 5);
        game.mechs[1].sinks_on = 0;
        game.set_alight(1, 1);
        for turn in 0..4 {
            let before = game.mechs[1].heat;
            assert_eq!(game.mechs[1].burning, turn < 3);
            game.mechs[1].shut_down = false;
            game.heat_phase();
            assert_eq!(game.mechs[1].heat - before, if turn < 3 { heat } else { 0 });
        }
        game.set_alight(1, 2);
        let hex = game.mechs[1].hex;
        put(&mut game, hex, Tile::new(-1, Terrain::Water, Object::None));
        game.heat_phase();
        assert!(!game.mechs[1].burning, "water puts it out");
    }
}

#[test]
fn inferno_missiles_burn_and_do_not_strike() {
    let mut game = arena(false, "Weasel", 11);
    let before = game.mechs[1].points_left();
    let bin = game.mechs[0].bins.iter().position(|bin| bin.load().charge == Charge::Inferno).unwrap();
    let weapon = game.mechs[0].weapons.iter().position(|weapon| weapon.kind().code == 38).unwrap();
    for _ in 0..20 {
        let shot = Shot { weapon: weapon as u8, bin: Some(bin as u8), double: false, aim: Aim::Mech(1) };
        act(&mut game, Phase::Weapons, &Action::Fire { primary: Some(1), shots: [shot].into_iter().collect() });
    }
    assert!(game.mechs[1].burning);
    assert_eq!(game.mechs[1].points_left(), before);
}

#[test]
fn ecm_within_six_hexes_disturbs_guided_missiles() {
    let mut game = arena(true, "Magpie", 5);
    assert!(game.guided(0, Charge::Artemis, 1));
    assert!(!game.guided(0, Charge::Narc, 1), "no beacon yet");
    game.beacons[0][1] = true;
    assert!(game.guided(0, Charge::Narc, 1));
    game.mechs[1].ecm = true;
    assert!(!game.guided(0, Charge::Artemis, 1) && !game.guided(0, Charge::Narc, 1));
    game.mechs[1].shut_down = true;
    assert!(game.guided(0, Charge::Artemis, 1), "a dead suite disturbs nobody");
    game.mechs[1].shut_down = false;
    (game.mechs[0].ecm, game.mechs[1].ecm) = (true, false);
    assert!(game.guided(0, Charge::Artemis, 1), "the own suite does not count");
}

#[test]
fn masc_strains_more_with_every_turn_in_a_row() {
    for (book, needs) in [(false, [3, 4, 6, 10, 10]), (true, [3, 5, 7, 11, 11])] {
        let mut game = arena(book, "Weasel", 2);
        let run = Action::Go { run: true, masc: true, steps: [Step::Left].into_iter().collect() };
        let push = |game: &mut Game| {
            game.mechs[0].masc = true;
            game.mechs[0].legs = [Limb(0); 2];
            game.mechs[0].prone = false;
            game.begin_turn();
            game.dice.log.clear();
            act(game, Phase::Movement, &run);
        };
        for need in needs {
            push(&mut game);
            assert!(said(&game, &format!("pushes its MASC: needs {need},")), "{:?}", game.dice.log);
        }
        game.begin_turn();
        push(&mut game);
        assert!(said(&game, "pushes its MASC: needs 3,"), "a turn without it and it has cooled down");
    }
}

#[test]
fn a_critical_of_twelve_blows_a_limb_off_in_the_book() {
    let mut blown = 0;
    for seed in 0..400 {
        let mut game = arena(true, "Boar", seed);
        game.roll_criticals(1, Location::RightArm, "test", false);
        let off = said(&game, "make 12");
        assert_eq!(off, !game.mechs[1].has(Location::RightArm), "seed {seed}");
        blown += usize::from(off);
        let mut game = arena(true, "Boar", seed);
        game.roll_criticals(1, Location::Head, "test", false);
        assert!(!said(&game, "make 12") || !game.mechs[1].operational, "without its head");
        let mut game = arena(true, "Boar", seed);
        game.roll_criticals(1, Location::LeftTorso, "test", false);
        let hits = game.layouts[1][Location::LeftTorso.index()].iter().filter(|slot| slot.hit).count();
        assert!(!said(&game, "make 12") || hits == 3 || said(&game, "explodes"), "seed {seed}: {hits}");
    }
    assert!((4..=20).contains(&blown), "{blown} of 400, expected 11");
}

#[test]
fn a_double_sink_goes_as_a_whole() {
    let mut game = arena(false, "Rhino", 2);
    let before = game.mechs[0].sinks_on;
    let (location, slot) = Location::BODY
        .into_iter()
        .find_map(|at| {
            let slots = &game.layouts[0][at.index()];
            slots
                .iter()
                .position(|slot| slot.part == crate::games::battletech::design::Part::Sink)
                .map(|slot| (at, slot))
        })
        .unwrap();
    game.critical(0, location, slot + 1);
    assert_eq!(game.mechs[0].sinks_on, before - 1);
    assert!(game.layouts[0][location.index()][slot..slot + 3].iter().all(|slot| slot.hit));
}

#[test]
fn a_shut_down_mech_may_keep_its_feet_but_fails_later_rolls() {
    let standing = (0..100).filter(|&seed| {
        let mut game = arena(true, "Boar", seed);
        (game.mechs[0].heat, game.mechs[0].sinks_on) = (40, 0);
        game.heat_phase();
        assert!(game.mechs[0].shut_down);
        !game.mechs[0].prone
    });
    assert!((25..60).contains(&standing.count()), "needs 8: 15 of 36");
    let mut game = arena(true, "Boar", 1);
    game.mechs[0].shut_down = true;
    assert!(game.pilot(0, 0, "test"), "without power it falls");
}

#[test]
fn a_shot_at_a_hex_needs_four_less_and_hits_next_door() {
    let game = arena(false, "Boar", 1);
    let shot = Shot { weapon: 1, bin: None, double: false, aim: Aim::Hex(Hex::new(5, 5)) };
    assert_eq!(game.hex_need(0, shot, Hex::new(5, 5)), 1, "4, still, short range, 4 less, 1 for ahead");
    assert_eq!(game.hex_need(0, shot, Hex::new(5, 7)), 2);
    assert_eq!(game.mechs[0].mode, Mode::Still);
}

/// What may only fall.
fn remains(mech: &Mech) -> Vec<u8> {
    let rounds = mech.bins.iter().map(|bin| bin.rounds);
    mech.armour.iter().chain(&mech.structure).copied().chain(rounds).collect()
}

fn check_invariants(game: &Game, before: &[Vec<u8>], seed: u64) {
    for (who, mech) in game.mechs.iter().enumerate() {
        let now = remains(mech);
        assert!(now.iter().zip(&before[who]).all(|(now, then)| now <= then), "seed {seed}: something of {who} grew");
        assert!(game.view().holds(mech.hex), "seed {seed}: {who} left the map");
        let shares = |other: &&Mech| mech.operational && other.operational && other.hex == mech.hex;
        assert_eq!(
            game.mechs.iter().filter(shares).count(),
            usize::from(mech.operational),
            "seed {seed}: one mech a hex"
        );
        let fatal = mech.structure[6] == 0 || mech.structure[7] == 0 || mech.engine_hits >= 3 || mech.wounds >= 6;
        assert!(!(fatal && mech.operational), "seed {seed}: {who} should be out of the game");
        assert!(mech.torso.turns_to(mech.facing) <= 1, "seed {seed}: a torso turns one side at most");
        assert!(mech.heat < 200 && mech.heating < 200, "seed {seed}: heat that only an overflow could make");
    }
}

/// How often the rarer rules came up, by words of the log.
const RARE: [&str; 14] = [
    "pushes its MASC",
    "jams",
    "pellets that hit",
    "a beacon sticks",
    "burns for",
    "catches fire",
    "the fire in",
    "collapses",
    "hold a club",
    "picks up a",
    "(Club)",
    "Blade)",
    "is blown off",
    "starts its reactor again",
];

fn random_game(seed: u64) -> Game {
    let landscape = Landscape::ALL[(seed % 6) as usize];
    let designs: Vec<_> = (0..2 + (seed / 6) % 2)
        .map(|at| (seed + 5 * at) as usize % 18)
        .map(|at| DESIGNS.iter().chain(&LATER_DESIGNS).nth(at).unwrap().build().unwrap())
        .collect();
    let mut game = Game::new((seed / 2) & 1 == 1, generate(landscape, 12, 14, seed), &designs, seed);
    let mut players: Vec<Random> = (0..designs.len()).map(|at| Random::new(seed ^ at as u64)).collect();
    let mut seats: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let mut before: Vec<_> = game.mechs.iter().map(remains).collect();
    'game: while game.turn < LAST_TURN {
        game.begin_turn();
        for phase in Phase::ALL {
            game.play_phase(phase, &mut seats);
            if phase == Phase::Physical {
                game.heat_phase();
            }
            check_invariants(&game, &before, seed);
            before = game.mechs.iter().map(remains).collect();
            if game.verdict().is_some() {
                break 'game;
            }
        }
    }
    game
}

/// Plays games of random legal actions; invariants after every phase, dice as stated, every rule in use.
fn random_games(games: u64) {
    let mut sums = [[0_u64; 13]; 2];
    let mut rare = [0_usize; RARE.len()];
    for seed in 0..games {
        let game = random_game(seed);
        assert!(game.refused.is_empty(), "seed {seed}: {:?}", game.refused);
        for (sum, &count) in game.dice.sums.iter().enumerate() {
            sums[usize::from(*game.profile == Profile::BOOK)][sum] += u64::from(count);
        }
        for (words, count) in RARE.iter().zip(&mut rare) {
            *count += game.dice.log.iter().filter(|line| line.contains(words)).count();
        }
    }
    for (profile, sums) in [Profile::UGR, Profile::BOOK].iter().zip(sums) {
        let total: u64 = sums.iter().sum();
        let faces = profile.faces;
        println!("figure: battletech, {total} rolls of two dice with {faces} faces in {games} random games");
        for (sum, count) in sums.into_iter().enumerate() {
            let expected = f64::from(profile.ways(sum as i32)) / f64::from(profile.outcomes());
            let seen = count as f64 / total as f64;
            // Five standard deviations.
            let slack = 5.0 * (expected * (1.0 - expected) / total as f64).sqrt();
            assert!((seen - expected).abs() <= slack, "two dice show {sum} in {seen:.4}, expected {expected:.4}");
        }
    }
    for (words, count) in RARE.iter().zip(rare) {
        println!("{count:>8} times {words:?}");
        assert!(count > 0, "no game had: {words}");
    }
}

#[test]
fn invariants_hold_in_a_thousand_random_games() {
    random_games(1_000);
}

/// An action of no particular sense.
fn nonsense(dice: &mut Dice) -> Action {
    let mut few = |below: u32| dice.below(below) as u8;
    match few(8) {
        0 => Action::Jump { to: Hex::new(few(14), few(16)), facing: Facing::from_index(few(6)) },
        1 => Action::Twist(few(5) as i8 - 2),
        2 => Action::PickUp,
        3 => Action::Strike((0..few(4)).map(|_| (Blow::ALL[usize::from(few(7))], few(4))).collect()),
        4 => {
            let eject = (0..few(3)).map(|_| few(4)).collect();
            Action::End { off: few(20), on: few(3), drop_club: few(2) == 0, eject }
        }
        5 | 6 => {
            let mut shot = || {
                let aim = if few(3) == 0 { Aim::Hex(Hex::new(few(14), few(16))) } else { Aim::Mech(few(4)) };
                let bin = (few(2) == 0).then(|| few(4));
                Shot { weapon: few(8), bin, double: few(4) == 0, aim }
            };
            let shots = [shot(), shot(), shot()];
            Action::Fire { primary: Some(few(4)), shots: shots[..usize::from(few(4))].iter().copied().collect() }
        }
        _ => {
            let mut step = || match few(7) {
                0..=2 => Step::Forward,
                3 => Step::Backward,
                4 => Step::Left,
                5 => Step::Drop,
                _ => Step::Stand(Facing::from_index(few(6))),
            };
            let steps = [step(), step(), step(), step()];
            let steps = steps[..usize::from(few(5))].iter().copied().collect();
            Action::Go { run: few(2) == 0, masc: few(4) == 0, steps }
        }
    }
}

/// Players who do not know the rules: whatever they say is done or refused with a reason, and the game goes on.
#[test]
fn nonsense_is_refused_with_a_reason() {
    let (mut done, mut refused) = (0, 0);
    for seed in 0..60_u64 {
        let mut dice = [Dice::new(seed, 6), Dice::new(!seed, 6)];
        let [one, two] = &mut dice;
        let mut first = |_: &Game, _: usize, _: Phase| nonsense(one);
        let mut second = |_: &Game, _: usize, _: Phase| nonsense(two);
        let order = DESIGNS.iter().chain(&LATER_DESIGNS).nth(seed as usize % 18).unwrap();
        let designs = [order.build().unwrap(), order.build().unwrap()];
        let map = generate(Landscape::ALL[(seed % 6) as usize], 12, 14, seed);
        let mut game = Game::new(seed % 2 == 0, map, &designs, seed);
        let mut before: Vec<_> = game.mechs.iter().map(remains).collect();
        for _ in 0..20 {
            let over = game.play_turn(&mut [&mut first, &mut second]).is_some();
            check_invariants(&game, &before, seed);
            before = game.mechs.iter().map(remains).collect();
            if over {
                break;
            }
        }
        assert!(game.refused.iter().all(|(_, reason)| reason.len() > 20), "{:?}", game.refused);
        done += game.decisions.len() - game.refused.len();
        refused += game.refused.len();
    }
    assert!(done > 300 && refused > 3_000, "{done} done, {refused} refused");
}

#[test]
fn a_seed_replays_the_same_game() {
    let (one, two) = (random_game(7), random_game(7));
    assert_eq!(one.dice.log, two.dice.log);
    assert!(one.dice.log.len() > 100);
}

/// The end of a game stands in its log in words, however it ends.
#[test]
fn the_last_line_of_the_log_says_who_won() {
    let setting = || arena(false, "Boar", 11);
    let mut idle = |_: &Game, _: usize, phase| Action::nothing(phase);
    let mut also_idle = idle;
    let mut end = |mut game: Game| {
        game.play(&mut [&mut idle, &mut also_idle]);
        game.dice.log.last().cloned().unwrap()
    };
    let name = setting().names[1].clone();
    let mut game = setting();
    game.mechs[0].operational = false;
    assert_eq!(end(game), format!("the game is over in turn 1: {name} wins"));
    let mut game = setting();
    game.mechs.iter_mut().for_each(|mech| mech.operational = false);
    assert_eq!(end(game), "the game is over in turn 1: nobody is left, a draw");
    let tie = end(setting());
    assert_eq!(
        tie,
        format!("the game is over in turn {LAST_TURN}: a draw, several have as much armour and structure left")
    );
    let mut game = setting();
    game.mechs[0].armour[0] -= 1;
    let points = game.mechs[1].points_left();
    let words = format!("{name} wins with the most armour and structure left, {points} points");
    assert_eq!(end(game), format!("the game is over in turn {LAST_TURN}: {words}"));
}
