//! The clauses of the rules that both profiles share, each with a test of its name.

use rival_core::games::battletech::action::{Aim, Bins, Shot, Step};
use rival_core::games::battletech::arcs::Side;
use rival_core::games::battletech::equipment::{Charge, weapon_by_code};
use rival_core::games::battletech::map::{Object, Terrain, Tile};
use rival_core::games::battletech::mech::{Limb, Mode};
use rival_core::games::battletech::physical::{self, Blow, Refusal, Table};
use rival_core::games::battletech::{Action, Facing, Hex, Location, Mech, Phase};

use super::criticals::wake_need;
use super::tests::{act, arena, put, said, walk};
use super::{Game, LAST_TURN, Player, Verdict, check};
use crate::games::battletech::design::Part;
use crate::games::battletech::designs::DESIGNS;
use crate::games::battletech::mapgen::{Landscape, generate};
use crate::games::battletech::opponents::by_name;

const SOUTH: Facing = Facing::from_index(3);

fn id(id: u16) -> Hex {
    Hex::from_id(id).unwrap()
}

fn swamp() -> Tile {
    Tile::new(0, Terrain::Swamp, Object::None)
}

fn water(level: i8) -> Tile {
    Tile::new(level, Terrain::Water, Object::None)
}

fn run(steps: &[Step]) -> Action {
    Action::Go { run: true, masc: false, steps: steps.iter().copied().collect() }
}

fn fire(weapon: u8, bin: Option<u8>) -> Action {
    let shot = Shot { weapon, bin, double: false, aim: Aim::Mech(1) };
    Action::Fire { primary: Some(1), shots: [shot].into_iter().collect() }
}

/// Rolls that a game says, and what they need.
fn needs(game: &Game, words: &str) -> Vec<i32> {
    let of = |line: &String| line.split(words).nth(1)?.split("needs ").nth(1)?.split(',').next()?.parse().ok();
    game.dice.log.iter().filter_map(of).collect()
}

/// The first place of a part, and the slot.
fn find(game: &Game, who: usize, wanted: impl Fn(Part, Location) -> bool) -> (Location, usize) {
    let slot = |at: Location| game.layouts[who][at.index()].iter().position(|slot| wanted(slot.part, at) && !slot.hit);
    Location::BODY.into_iter().find_map(|at| Some((at, slot(at)?))).unwrap()
}

/// A critical hit on the first part of this kind.
fn break_part(game: &mut Game, who: usize, wanted: impl Fn(Part, Location) -> bool) -> Location {
    let (location, slot) = find(game, who, wanted);
    game.critical(who, location, slot);
    location
}

/// The share of seeds, in hundredths, at which something happens.
fn share(of: impl Fn(u64) -> bool) -> usize {
    (0..400).filter(|&seed| of(seed)).count() / 4
}

#[test]
fn reaction_is_asked_backwards_and_shots_are_declared_before_any_falls() {
    let mut game = arena(false, "Boar", 3);
    game.order = vec![0, 1];
    let asked = core::cell::RefCell::new(Vec::new());
    let mut seat = |_: &Game, who: usize, phase: Phase| {
        asked.borrow_mut().push((phase, who));
        Action::nothing(phase)
    };
    let mut other = seat;
    game.play_phase(Phase::Movement, &mut [&mut seat, &mut other]);
    game.play_phase(Phase::Reaction, &mut [&mut seat, &mut other]);
    game.play_phase(Phase::Weapons, &mut [&mut seat, &mut other]);
    let expected = [(Phase::Movement, 0), (Phase::Movement, 1), (Phase::Reaction, 1), (Phase::Reaction, 0)];
    assert_eq!(asked.borrow()[..4], expected);
    assert_eq!(asked.borrow()[4..], [(Phase::Weapons, 0), (Phase::Weapons, 1)]);
    // Both have an exposed head; who dies first has fired already.
    let both_die = share(|seed| {
        let mut game = arena(false, "Boar", seed);
        game.mechs[1].facing = SOUTH;
        game.mechs[1].torso = SOUTH;
        for mech in &mut game.mechs {
            mech.armour = [0; 11];
            mech.structure = [1; 8];
        }
        let volley = |target: u8| {
            let shots = (0..5).filter(|&at| at != 3).map(|weapon| Shot {
                weapon,
                bin: None,
                double: false,
                aim: Aim::Mech(target),
            });
            Action::Fire { primary: Some(target), shots: shots.collect() }
        };
        let mut first = |_: &Game, _: usize, _: Phase| volley(1);
        let mut second = |_: &Game, _: usize, _: Phase| volley(0);
        game.play_phase(Phase::Weapons, &mut [&mut first, &mut second]);
        assert!(game.refused.is_empty(), "{:?}", game.refused);
        game.alive().is_empty()
    });
    assert!(both_die > 20, "{both_die} in a hundred");
}

#[test]
fn legs_and_heat_slow_a_mech() {
    let boar = arena(false, "Boar", 3).mechs[0].clone();
    let walks = |change: &dyn Fn(&mut Mech)| {
        let mut mech = boar.clone();
        change(&mut mech);
        (mech.walk_points(), mech.run_points(), mech.can_stand())
    };
    assert_eq!(walks(&|_| ()), (5, 8, true));
    assert_eq!(
        walks(&|m| m.legs[0] = Limb(Limb::JOINT | Limb::END)),
        (3, 5, true),
        "a hip halves, the rest is ignored"
    );
    assert_eq!(walks(&|m| m.legs[1] = Limb(Limb::UPPER | Limb::LOWER | Limb::END)), (2, 3, true));
    // The right leg first: five less one, then halved.
    assert_eq!(walks(&|m| m.legs = [Limb(Limb::JOINT), Limb(Limb::END)]), (2, 3, true));
    assert_eq!(walks(&|m| m.legs = [Limb(Limb::JOINT); 2]), (0, 0, false), "both hips");
    assert_eq!(walks(&|m| m.structure[2] = 0), (1, 0, true), "one leg hobbles");
    assert_eq!(walks(&|m| (m.structure[2], m.legs[1]) = (0, Limb(Limb::JOINT))), (0, 0, false));
    assert_eq!(walks(&|m| m.structure[2..4].fill(0)), (0, 0, false));
    for (heat, walk) in [(4, 5), (5, 4), (9, 4), (10, 3), (15, 2), (20, 1), (25, 0)] {
        assert_eq!(walks(&|m| m.heat = heat).0, walk, "heat {heat}");
    }
    assert_eq!(walks(&|m| (m.tsm, m.heat) = (true, 9)).0, 6, "muscles: two more at heat nine, which takes one");
    assert_eq!(walks(&|m| (m.tsm, m.heat) = (true, 10)).0, 4);
}

#[test]
fn jets_under_water_do_not_work() {
    let mut game = arena(false, "Kestrel", 3);
    let here = game.mechs[0].hex;
    game.mechs[0].leg_jets = 2;
    let mut jump = |tile| {
        put(&mut game, here, tile);
        game.mechs[0].jump_points(&game.view())
    };
    assert_eq!(jump(Tile::new(0, Terrain::Open, Object::None)), 6);
    assert_eq!((jump(water(-1)), jump(water(-2)), jump(water(-1).with_sides(1, 0))), (4, 0, 0));
    assert_eq!(jump(Tile::new(0, Terrain::Open, Object::None).with_sides(1, 0)), 4, "a river is a level of water");
    assert_eq!(jump(Tile::new(0, Terrain::Open, Object::None).with_sides(1, 1)), 6, "a bridge is not");
    game.mechs[0].prone = true;
    assert_eq!(game.mechs[0].jump_points(&game.view()), 0);
}

#[test]
fn the_mode_declared_makes_the_heat() {
    for (action, heat) in [
        (Action::Still, 0),
        (walk(&[Step::Left]), 1),
        (walk(&[]), 1),
        (run(&[Step::Left]), 2),
        (Action::Jump { to: id(610), facing: SOUTH }, 3),
        (Action::Jump { to: id(613), facing: SOUTH }, 4),
    ] {
        let mut game = arena(false, "Kestrel", 3);
        act(&mut game, Phase::Movement, &action);
        assert!(game.refused.is_empty(), "{:?}", game.refused);
        assert_eq!(game.mechs[0].heating, heat, "{action:?}");
    }
}

#[test]
fn forbidden_moves_are_refused_with_a_reason() {
    let refused = |change: &dyn Fn(&mut Game), action: &Action| {
        let mut game = arena(false, "Boar", 3);
        change(&mut game);
        check(&game, 0, Phase::Movement, action).is_err()
    };
    let nothing = |_: &mut Game| ();
    let tile = |tile: Tile| move |game: &mut Game| put(game, id(608), tile);
    let hill = |level| Tile::new(level, Terrain::Open, Object::None);
    let ahead = [Step::Forward];
    assert!(!refused(&nothing, &walk(&[Step::Backward])) && refused(&nothing, &run(&[Step::Backward])));
    assert!(!refused(&tile(hill(2)), &walk(&ahead)) && refused(&tile(hill(3)), &walk(&ahead)));
    let behind = |game: &mut Game| put(game, id(610), Tile::new(1, Terrain::Open, Object::None));
    assert!(refused(&behind, &walk(&[Step::Backward])), "no climbing backwards");
    assert!(!refused(&tile(water(-1)), &walk(&ahead)) && refused(&tile(water(-1)), &run(&ahead)));
    let river = tile(hill(0).with_sides(1, 0));
    assert!(!refused(&river, &walk(&ahead)) && refused(&river, &run(&ahead)));
    assert!(refused(&nothing, &walk(&[Step::Forward, Step::Forward])), "somebody stands there");
    assert!(refused(&nothing, &walk(&[Step::Backward; 6])), "six points of five");
    assert!(refused(&nothing, &walk(&[Step::Stand(SOUTH)])), "it stands already");
    let down = |game: &mut Game| game.mechs[0].prone = true;
    assert!(refused(&down, &walk(&ahead)) && refused(&down, &walk(&[Step::Drop])));
    assert!(!refused(&down, &walk(&[Step::Left, Step::Stand(SOUTH), Step::Forward])));
    let broken = |game: &mut Game| (game.mechs[0].prone, game.mechs[0].gyro_hits) = (true, 2);
    assert!(refused(&broken, &walk(&[Step::Stand(SOUTH)])), "not without a gyroscope");
    assert!(refused(&nothing, &Action::Jump { to: id(610), facing: SOUTH }), "no jets");
}

#[test]
fn a_minimum_move_is_one_step_alone() {
    let mut game = arena(false, "Anvil", 3);
    game.mechs[0].walk = 1;
    put(&mut game, id(608), Tile::new(1, Terrain::Open, Object::HeavyWoods));
    let check = |game: &Game, steps: &[Step]| check(game, 0, Phase::Movement, &walk(steps)).is_ok();
    assert!(check(&game, &[Step::Forward]));
    assert!(!check(&game, &[Step::Forward, Step::Left]) && !check(&game, &[Step::Left, Step::Forward]));
    game.mechs[0].prone = true;
    assert!(check(&game, &[Step::Stand(SOUTH)]), "getting up as well");
    game.mechs[0].walk = 0;
    assert!(!check(&game, &[Step::Stand(SOUTH)]), "not without any points");
}

#[test]
fn swamp_holds_whoever_does_anything_in_it() {
    for book in [false, true] {
        let muddy = |seed| {
            let mut game = arena(book, "Kestrel", seed);
            put(&mut game, id(609), swamp());
            put(&mut game, id(610), swamp());
            game
        };
        let held = share(|seed| {
            let mut game = muddy(seed);
            game.mechs[0].facing = SOUTH;
            act(&mut game, Phase::Movement, &walk(&[Step::Forward, Step::Left]));
            let mech = &game.mechs[0];
            assert!(!mech.prone, "nobody falls");
            assert!(!mech.stuck || mech.hex == id(610));
            assert!(
                !said(&game, "of the swamp: needs 5, 1 and 1 make 2, failed") || mech.facing == SOUTH || mech.stuck
            );
            mech.stuck
        });
        assert!((20..45).contains(&held), "two rolls of five: {held} in a hundred");
        let mut game = muddy(1);
        game.mechs[0].prone = true;
        act(&mut game, Phase::Movement, &walk(&[Step::Left]));
        assert!(said(&game, "free of the swamp"), "turning on the ground is doing something");
        for steps in [&[Step::Drop][..], &[Step::Stand(SOUTH)]] {
            for seed in 0..40 {
                let mut game = muddy(seed);
                game.mechs[0].prone = steps[0] != Step::Drop;
                act(&mut game, Phase::Movement, &walk(steps));
                assert!(!said(&game, "free of the swamp"), "{steps:?}");
            }
        }
        let mut game = muddy(1);
        act(&mut game, Phase::Movement, &Action::Jump { to: id(610), facing: SOUTH });
        assert!(game.mechs[0].stuck, "a jump sinks in");
        assert!(!game.may_act(0, Phase::Movement));
        for tile in [swamp().with_sides(0, 1), Tile::new(0, Terrain::Swamp, Object::Building(4))] {
            let mut game = arena(book, "Kestrel", 1);
            put(&mut game, id(610), tile);
            act(&mut game, Phase::Movement, &Action::Jump { to: id(610), facing: SOUTH });
            assert!(!game.mechs[0].stuck, "a road or a building carries it");
        }
        let freed = share(|seed| {
            let mut game = muddy(seed);
            game.mechs[0].stuck = true;
            act(&mut game, Phase::Movement, &Action::Still);
            assert!(said(&game, "pulls itself out of the swamp: needs 5"));
            !game.mechs[0].stuck
        });
        assert!((70..92).contains(&freed), "five or more: {freed} in a hundred");
    }
}

#[test]
fn piloting_rolls_have_their_modifiers() {
    let boar = arena(false, "Boar", 3).mechs[0].clone();
    let need = |change: &dyn Fn(&mut Mech)| {
        let mut mech = boar.clone();
        change(&mut mech);
        mech.piloting_need(0) - 5
    };
    assert_eq!(need(&|_| ()), 0);
    assert_eq!(need(&|m| m.gyro_hits = 1), 3);
    assert_eq!(need(&|m| m.legs = [Limb(Limb::JOINT | Limb::END), Limb(Limb::END)]), 3, "a hip hides that leg's rest");
    assert_eq!(need(&|m| m.legs[0] = Limb(Limb::UPPER | Limb::LOWER | Limb::END)), 3);
    assert_eq!(need(&|m| (m.structure[2], m.legs[0]) = (0, Limb(Limb::JOINT))), 5, "a lost leg hides its hits");
    let mut mech = boar.clone();
    (mech.structure[0], mech.arms[1]) = (0, Limb(Limb::UPPER | Limb::LOWER | Limb::END));
    assert_eq!(mech.standing_modifier(), 2 + 2, "a lost arm, and two hits on the other");
}

#[test]
fn ground_asks_for_piloting_rolls() {
    let rough = Tile::new(0, Terrain::Open, Object::Rubble);
    let river = Tile::new(0, Terrain::Open, Object::None).with_sides(1, 0);
    let road = 1 << 3 | 1;
    let (linked, start) =
        (water(-1).with_sides(0, road), Tile::new(0, Terrain::Open, Object::None).with_sides(0, road));
    let shallow = Tile::new(0, Terrain::Water, Object::None);
    let fallen = Tile::new(0, Terrain::Open, Object::Building(1)).fallen();
    for (tile, words, need) in [
        (rough, "(rubble)", Some(6)),
        (fallen, "(rubble)", Some(6)),
        (water(-1), "(water)", Some(4)),
        (water(-2), "(water)", Some(5)),
        (river, "(water)", Some(4)),
        (linked, "(water)", None),
        (shallow, "(water)", None),
    ] {
        let mut game = arena(false, "Kestrel", 3);
        put(&mut game, id(608), tile);
        if tile == linked {
            put(&mut game, id(609), start);
        }
        act(&mut game, Phase::Movement, &walk(&[Step::Forward]));
        assert!(game.refused.is_empty(), "{:?}", game.refused);
        assert_eq!(needs(&game, words), need.into_iter().collect::<Vec<_>>(), "{tile:?}");
    }
    for (tile, words, need) in [
        (rough, "(landing on rubble)", 6),
        (water(-1), "(landing in water)", 4),
        (water(-2), "(landing in water)", 5),
        (water(-3), "(landing in water)", 6),
        (river, "(landing in water)", 4),
    ] {
        let mut game = arena(false, "Kestrel", 3);
        put(&mut game, id(611), tile);
        act(&mut game, Phase::Movement, &Action::Jump { to: id(611), facing: SOUTH });
        assert_eq!(needs(&game, words), [need], "{tile:?}");
    }
}

#[test]
fn damaged_legs_ask_for_piloting_rolls() {
    let rolls = |change: &dyn Fn(&mut Mech), action: Action| {
        // A seed at which nobody falls.
        let game = (0..200).find_map(|seed| {
            let mut game = arena(false, "Kestrel", seed);
            change(&mut game.mechs[0]);
            act(&mut game, Phase::Movement, &action);
            (!game.mechs[0].prone).then_some(game)
        });
        needs(&game.unwrap(), "balance").len()
    };
    let foot = |m: &mut Mech| m.legs[0] = Limb(Limb::END);
    let hip = |m: &mut Mech| m.legs[0] = Limb(Limb::JOINT);
    let thigh = |m: &mut Mech| m.legs[0] = Limb(Limb::UPPER);
    let gyro = |m: &mut Mech| m.gyro_hits = 1;
    let steps = [Step::Right, Step::Forward, Step::Forward];
    let jump = || Action::Jump { to: id(611), facing: SOUTH };
    assert_eq!((rolls(&foot, walk(&steps)), rolls(&foot, run(&steps)), rolls(&foot, jump())), (3, 0, 0));
    assert_eq!((rolls(&hip, walk(&steps)), rolls(&hip, run(&steps)), rolls(&hip, jump())), (0, 3, 1));
    assert_eq!((rolls(&gyro, walk(&steps)), rolls(&gyro, run(&steps)), rolls(&gyro, jump())), (0, 3, 1));
    assert_eq!((rolls(&thigh, walk(&steps)), rolls(&thigh, run(&steps)), rolls(&thigh, jump())), (0, 0, 1));
}

#[test]
fn a_fall_hurts_by_weight_half_in_water_in_groups_of_five() {
    for book in [false, true] {
        for (tile, groups) in [(Tile::new(0, Terrain::Open, Object::None), vec![5, 5]), (water(-1), vec![5])] {
            let mut game = arena(book, "Anvil", 3);
            let hex = game.mechs[1].hex;
            put(&mut game, hex, tile);
            game.fall(1, 0, None);
            let points = |line: &String| line.split(" takes ").nth(1)?.split(' ').next()?.parse::<u16>().ok();
            let hits: Vec<_> = game.dice.log.iter().filter_map(points).collect();
            assert_eq!(hits, groups, "100 tons: ten points, five in water");
            assert!(game.mechs[1].prone && said(&game, "stays unhurt: needs 5"));
            assert_eq!(game.mechs[1].torso, game.mechs[1].facing);
        }
    }
}

#[test]
fn after_a_fall_the_rest_of_the_move_is_the_players() {
    let seed = (0..200).find(|&seed| {
        let mut game = arena(false, "Kestrel", seed);
        put(&mut game, id(608), water(-1));
        let mut calls = Vec::new();
        let mut first = |game: &Game, _: usize, _: Phase| {
            calls.push((game.mechs[0].spent, game.mechs[0].mode));
            if calls.len() == 1 { walk(&[Step::Forward]) } else { run(&[Step::Stand(SOUTH)]) }
        };
        let mut second = |_: &Game, _: usize, phase: Phase| Action::nothing(phase);
        game.play_phase(Phase::Movement, &mut [&mut first, &mut second]);
        let fell = calls.len() > 1;
        assert!(!fell || calls == [(0, Mode::Still), (3, Mode::Walk)], "{calls:?}");
        assert!(!fell || game.refused.iter().all(|(_, why)| why.contains("same mode")) && game.refused.len() == 1);
        fell
    });
    assert!(seed.is_some());
}

#[test]
fn a_lost_leg_or_gyroscope_throws_a_mech() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.mechs[1].armour[2] = 0;
        let points = u16::from(game.mechs[1].structure[2]);
        game.hit(1, Side::Front, Location::LeftLeg, points, false);
        assert!(game.mechs[1].prone && !game.mechs[1].has(Location::LeftLeg) && said(&game, "(a lost leg)"));
        let mut game = arena(book, "Boar", 3);
        break_part(&mut game, 1, |part, _| part == Part::Gyro);
        assert!(!game.mechs[1].prone && game.pending.len() == 1);
        game.settle_piloting();
        assert_eq!(needs(&game, "(a hit on the gyroscope)"), [8], "three more");
        game.mechs[1].prone = false;
        break_part(&mut game, 1, |part, _| part == Part::Gyro);
        assert!(game.mechs[1].prone && !game.mechs[1].can_stand());
    }
}

#[test]
fn kicks_that_hit_and_kicks_that_miss_ask_for_a_roll() {
    for book in [false, true] {
        let (mut hit, mut missed) = (0, 0);
        for seed in 0..60 {
            let mut game = arena(book, "Boar", seed);
            game.mechs[0].hex = id(608);
            act(&mut game, Phase::Physical, &Action::Strike([(Blow::LeftKick, 1)].into_iter().collect()));
            let (by, own) = (needs(&game, "(a kick)"), needs(&game, "(its own missed kick)"));
            let passed = said(&game, "(LeftKick): needs") && said(&game, "which leg");
            assert_eq!((by.len(), own.len()), if passed { (1, 0) } else { (0, 1) });
            hit += by.len();
            missed += own.len();
        }
        assert!(hit > 30 && missed > 0, "{hit} and {missed}");
    }
}

#[test]
fn explosions_stop_at_case_and_take_the_mech_without() {
    for book in [false, true] {
        for case in [0, 1] {
            let mut game = arena(book, "Boar", 3);
            game.mechs[1].case = case;
            // Fifteen rounds of six missiles of two points.
            let location = break_part(&mut game, 1, |part, _| matches!(part, Part::Bin(_)));
            assert_eq!(location, Location::LeftTorso);
            assert!(said(&game, "explodes: 180 points"));
            assert!(!game.mechs[1].has(Location::LeftTorso));
            assert_eq!(game.mechs[1].operational, case == 1);
            assert_eq!(game.mechs[1].armour[6], arena(book, "Boar", 3).mechs[1].armour[6], "armour does not help");
            if case == 1 {
                assert_eq!(game.mechs[1].wounds, 2);
                assert!(game.mechs[1].prone == said(&game, "falls"));
            }
        }
        let mut game = arena(book, "Weasel", 3);
        game.mechs[1].armour[1] = 0;
        let points = u16::from(game.mechs[1].structure[1]);
        game.hit(1, Side::Front, Location::LeftTorso, points, false);
        assert!(!game.mechs[1].operational, "an extralight engine reaches into the side torsos");
    }
}

#[test]
fn criticals_do_what_the_table_says() {
    for book in [false, true] {
        let broken = |name: &str, wanted: &dyn Fn(Part, Location) -> bool| {
            let mut game = arena(book, name, 3);
            break_part(&mut game, 1, wanted);
            game
        };
        let game = broken("Boar", &|part, _| matches!(part, Part::Weapon(_)));
        assert_eq!(game.mechs[1].weapons.iter().filter(|weapon| !weapon.works).count(), 1);
        let game = broken("Boar", &|part, _| part == Part::Sink);
        assert_eq!(game.mechs[1].sinks_on, 11);
        let game = broken("Kestrel", &|part, at| part == Part::Jet && at.is_leg());
        assert_eq!((game.mechs[1].jump, game.mechs[1].leg_jets), (5, arena(book, "Kestrel", 3).mechs[1].leg_jets - 1));
        assert!(!broken("Boar", &|part, _| part == Part::Cockpit).mechs[1].operational);
        assert!(broken("Boar", &|part, _| part == Part::LifeSupport).mechs[1].no_life_support);
        let mut game = broken("Boar", &|part, _| part == Part::Sensors);
        assert_eq!(game.mechs[1].mount_modifier(Location::Head), 2);
        break_part(&mut game, 1, |part, _| part == Part::Sensors);
        assert!(!game.mechs[1].is_armed(), "blind");
        let mut game = broken("Boar", &|part, _| part == Part::Engine);
        assert_eq!(game.mechs[1].engine_heat(), 5);
        break_part(&mut game, 1, |part, _| part == Part::Engine);
        assert_eq!(game.mechs[1].engine_heat(), 10);
        break_part(&mut game, 1, |part, _| part == Part::Engine);
        assert!(!game.mechs[1].operational);
        let arm = |bit| broken("Boar", &move |part, at| part == Part::Actuator(bit) && at == Location::LeftArm);
        let shoulder = arm(Limb::JOINT);
        assert_eq!(shoulder.mechs[1].mount_modifier(Location::LeftArm), 4);
        assert!(!physical::limb_ready(&shoulder.mechs[1], Blow::LeftPunch));
        let upper = arm(Limb::UPPER);
        assert_eq!(upper.mechs[1].mount_modifier(Location::LeftArm), 1);
        assert_eq!(physical::damage(&upper.mechs[1], Blow::LeftPunch), 2, "five halved");
        assert_eq!(upper.mechs[1].standing_modifier(), 1);
        let punch = |game: &Game| physical::need_on(game.profile, &game.mechs[1], &game.mechs[0], Blow::LeftPunch, 0);
        assert_eq!((punch(&upper), punch(&arm(Limb::END))), (4, 5), "only the hand counts for a fist");
        let leg = |bit| broken("Boar", &move |part, at| part == Part::Actuator(bit) && at == Location::LeftLeg);
        let kick = |game: &Game| {
            let base = i32::from(game.profile.kick_base);
            i32::from(physical::need_on(game.profile, &game.mechs[1], &game.mechs[0], Blow::LeftKick, 0)) - base
        };
        let hip = leg(Limb::JOINT);
        assert!(!physical::limb_ready(&hip.mechs[1], Blow::RightKick), "no kicks with a broken hip");
        let thigh = leg(Limb::UPPER);
        assert_eq!((kick(&thigh), physical::damage(&thigh.mechs[1], Blow::LeftKick)), (2, 5));
        assert_eq!((kick(&leg(Limb::END)), thigh.mechs[1].walk_points()), (1, 4));
        assert_eq!(leg(Limb::LOWER).pending.len(), 1, "a roll at the end of the phase");
        // Gauss rifles explode, their rounds do not.
        let game = broken("Rhino", &|part, at| part == Part::Weapon(0) && at == Location::RightTorso);
        assert!(game.mechs[1].hurt >= 20 && said(&game, "explodes: 20 points"));
        let game = broken("Rhino", &|part, at| matches!(part, Part::Bin(_)) && at == Location::RightTorso);
        assert_eq!((game.mechs[1].hurt, game.mechs[1].bins[0].works), (0, false));
    }
}

#[test]
fn without_a_live_slot_a_hit_through_the_armour_goes_inward() {
    for book in [false, true] {
        let (mut inward, mut stays) = (false, true);
        for seed in 0..80 {
            let emptied = || {
                let mut game = arena(book, "Boar", seed);
                game.layouts[1][0].iter_mut().for_each(|slot| slot.hit = true);
                game
            };
            let struck = |game: &Game| game.layouts[1][1].iter().any(|slot| slot.hit);
            let mut game = emptied();
            game.roll_criticals(1, Location::LeftArm, "test", true);
            inward |= struck(&game);
            let mut game = emptied();
            game.roll_criticals(1, Location::LeftArm, "test", false);
            stays &= !struck(&game);
        }
        assert!(inward && stays);
    }
}

#[test]
fn blows_depend_on_levels_arcs_and_what_fired() {
    let setting = |change: &dyn Fn(&mut Game)| {
        let mut game = arena(false, "Axeman", 3);
        game.mechs[0].hex = id(608);
        game.mechs[0].club = 1;
        change(&mut game);
        game
    };
    let may = |game: &Game, blow| physical::check(game.profile, &game.view(), &game.mechs[0], &game.mechs[1], blow);
    let all = |game: &Game| Blow::ALL.map(|blow| may(game, blow).is_ok());
    // Punches, kicks, club, blades: the axe is in the right hand.
    assert_eq!(all(&setting(&|_| ())), [true, true, true, true, true, false, true]);
    let raise = |who: usize, level| {
        move |game: &mut Game| {
            let hex = game.mechs[who].hex;
            put(game, hex, Tile::new(level, Terrain::Open, Object::None));
        }
    };
    assert_eq!(all(&setting(&raise(0, 1))), [false, false, true, true, true, false, true], "one higher: no fists");
    assert_eq!(all(&setting(&raise(1, 1))), [true, true, false, false, true, false, true], "one lower: no kicks");
    assert_eq!(all(&setting(&raise(1, 2))), [false; 7], "two levels apart");
    let down = |game: &mut Game| game.mechs[1].prone = true;
    assert_eq!(all(&setting(&down)), [false, false, true, true, false, false, false], "kicks only");
    assert_eq!(
        all(&setting(&|game| {
            down(game);
            raise(0, 1)(game);
        })),
        [false; 7]
    );
    assert_eq!(
        all(&setting(&|game| {
            down(game);
            raise(1, 1)(game);
        })),
        [true, true, false, false, true, false, true]
    );
    assert_eq!(may(&setting(&|game| game.mechs[0].prone = true), Blow::LeftKick), Err(Refusal::Unable));
    let fired = setting(&|game| game.mechs[0].fired = 1 << Location::LeftArm as u8);
    assert_eq!((may(&fired, Blow::LeftPunch), may(&fired, Blow::Club)), (Err(Refusal::Fired), Err(Refusal::Fired)));
    assert!(may(&fired, Blow::RightPunch).is_ok());
    // Torso to the right: the left fist does not reach to the left any more; feet kick ahead.
    let twisted = setting(&|game| game.mechs[0].torso = Facing::from_index(2));
    assert_eq!((may(&twisted, Blow::RightPunch), may(&twisted, Blow::LeftKick)), (Err(Refusal::Arc), Ok(())));
    assert!(may(&twisted, Blow::LeftPunch).is_ok(), "it reaches to the side");
    let far = setting(&|game| game.mechs[0].hex = id(609));
    assert_eq!(may(&far, Blow::LeftPunch), Err(Refusal::Distance));
    let table = |game: &Game, blow| physical::table(&game.view(), &game.mechs[0], &game.mechs[1], blow);
    let level = setting(&|_| ());
    assert_eq!(
        [Blow::LeftPunch, Blow::LeftKick, Blow::Club].map(|blow| table(&level, blow)),
        [Table::Punch, Table::Kick, Table::Full]
    );
    assert_eq!(table(&setting(&raise(0, 1)), Blow::LeftKick), Table::Punch);
    assert_eq!(table(&setting(&raise(1, 1)), Blow::LeftPunch), Table::Kick);
    assert_eq!(
        table(
            &setting(&|game| {
                down(game);
                raise(1, 1)(game);
            }),
            Blow::LeftPunch
        ),
        Table::Punch
    );
}

#[test]
fn blows_have_their_numbers_and_points() {
    let mut game = arena(false, "Axeman", 3);
    game.mechs[0].hex = id(608);
    let points = |game: &Game| Blow::ALL.map(|blow| physical::damage(&game.mechs[0], blow));
    assert_eq!(points(&game)[..5], [6, 6, 12, 12, 12], "60 tons");
    assert_eq!(points(&game)[6], 12, "an axe");
    game.mechs[0].heat = 9;
    assert_eq!(points(&game)[..5], [12, 12, 24, 24, 24], "hot muscles");
    let need = |game: &Game, blow| physical::need(game.profile, &game.view(), &game.mechs[0], &game.mechs[1], blow);
    game.mechs[0].heat = 0;
    assert_eq!(
        [Blow::LeftPunch, Blow::LeftKick, Blow::Club, Blow::RightBlade].map(|blow| need(&game, blow)),
        [4, 5, 4, 4]
    );
    game.mechs[0].heat = 24;
    game.mechs[1].cover = true;
    assert_eq!(need(&game, Blow::LeftPunch), 4, "neither heat nor cover");
    (game.mechs[0].mode, game.mechs[1].mode, game.mechs[1].moved) = (Mode::Jump, Mode::Run, 7);
    assert_eq!(need(&game, Blow::LeftPunch), 4 + 3 + 3);
    (game.mechs[0].mode, game.mechs[1].mode, game.mechs[1].moved) = (Mode::Still, Mode::Still, 0);
    game.mechs[1].shut_down = true;
    assert_eq!(need(&game, Blow::LeftPunch), 4, "a cold reactor makes it no easier");
    game.mechs[1].conscious = false;
    assert_eq!(need(&game, Blow::LeftPunch), 0, "a sleeping pilot does");
    (game.mechs[1].stuck, game.mechs[1].prone) = (true, true);
    assert_eq!(need(&game, Blow::LeftKick), 5 - 4 - 2 - 2);
}

#[test]
fn heat_shuts_down_and_restarts() {
    for book in [false, true] {
        let ended = |seed, heat, off| {
            let mut game = arena(book, "Sandpiper", seed);
            (game.mechs[0].heat, game.mechs[0].sinks_on, game.mechs[0].shut_down) = (heat, 0, off);
            game.heat_phase();
            game
        };
        for (heat, need) in [(14, 4), (17, 4), (18, 6), (22, 8), (26, 10), (29, 10)] {
            assert_eq!(needs(&ended(3, heat, false), "keeps its reactor running"), [need], "heat {heat}");
            assert_eq!(needs(&ended(3, heat, true), "starts its reactor again"), [need], "heat {heat}");
        }
        assert!(!ended(3, 13, false).mechs[0].shut_down && !ended(3, 13, true).mechs[0].shut_down, "cool again");
        assert!(ended(3, 30, false).mechs[0].shut_down && ended(3, 30, true).mechs[0].shut_down, "too hot");
        assert_eq!(needs(&ended(3, 30, false), "(a reactor shut down)"), [8], "three more");
        // Engine hits, movement and weapons, less the sinks; never below nought.
        let mut game = arena(book, "Sandpiper", 3);
        (game.mechs[0].heat, game.mechs[0].heating, game.mechs[0].engine_hits) = (2, 7, 1);
        game.heat_phase();
        assert_eq!(game.mechs[0].heat, 4);
        game.heat_phase();
        assert_eq!(game.mechs[0].heat, 0, "four and five of the engine, less ten");
        // Water: leg sinks at depth 1, all of them from depth 2 on, six points at most.
        for (level, cooled) in [(0, 10), (-1, 12), (-2, 16)] {
            let mut game = arena(book, "Sandpiper", 3);
            let hex = game.mechs[0].hex;
            put(&mut game, hex, water(level));
            (game.mechs[0].heat, game.mechs[0].leg_sinks) = (25, 2);
            game.heat_phase();
            assert_eq!(game.mechs[0].heat, 25 - cooled, "level {level}");
        }
    }
}

#[test]
fn heat_sets_off_the_worst_bin() {
    for book in [false, true] {
        let hot = share(|seed| {
            let mut game = arena(book, "Anvil", seed);
            (game.mechs[0].heat, game.mechs[0].sinks_on) = (19, 0);
            game.heat_phase();
            assert_eq!(needs(&game, "the ammunition of Anvil (0) stay cool"), [4]);
            let burst = said(&game, "explodes");
            // Missiles of six times two points are worse than shells of ten.
            assert!(
                !burst || !game.mechs[0].bins[2].works && game.mechs[0].bins[0].works || !game.mechs[0].operational
            );
            burst
        });
        assert!((4..20).contains(&hot), "two or three of two dice: {hot} in a hundred");
    }
}

#[test]
fn wounds_put_a_pilot_to_sleep_and_kill() {
    assert_eq!((1..=6).map(wake_need).collect::<Vec<_>>(), [Some(3), Some(5), Some(7), Some(10), Some(11), None]);
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.hit(1, Side::Front, Location::Head, 1, false);
        assert_eq!(game.mechs[1].wounds, 1);
        assert_eq!(needs(&game, "stays awake"), [3]);
        game.mechs[1].wounds = 5;
        game.wound(1, 1);
        assert!(!game.mechs[1].operational && said(&game, "the pilot is dead"));
        let mut game = arena(book, "Boar", 3);
        (game.mechs[1].conscious, game.mechs[1].wounds) = (false, 3);
        assert!(Phase::ALL.into_iter().all(|phase| !game.may_act(1, phase)));
        game.end_of_turn();
        assert_eq!(needs(&game, "wakes up"), [7]);
        let woken = share(|seed| {
            let mut game = arena(book, "Boar", seed);
            (game.mechs[1].conscious, game.mechs[1].wounds) = (false, 3);
            game.end_of_turn();
            game.mechs[1].conscious
        });
        assert!((30..68).contains(&woken), "seven or more: {woken} in a hundred");
    }
}

#[test]
fn a_building_too_weak_for_a_mech_comes_down() {
    for book in [false, true] {
        for (class, tons, falls) in [(0, 20, true), (1, 40, false), (1, 45, true), (2, 90, false), (3, 100, false)] {
            let mut game = arena(book, "Kestrel", 3);
            game.mechs[0].tons = tons;
            let roof = Tile::new(1, Terrain::Open, Object::Building(class));
            put(&mut game, id(608), roof);
            put(&mut game, id(611), roof);
            let mut landed = game.clone();
            act(&mut game, Phase::Movement, &walk(&[Step::Forward]));
            assert_eq!(game.view().tile(id(608)).collapsed(), falls, "class {class} under {tons} tons");
            assert!(!falls || said(&game, "Kestrel (0) falls"));
            act(&mut landed, Phase::Movement, &Action::Jump { to: id(611), facing: SOUTH });
            assert_eq!(landed.view().tile(id(611)).collapsed(), falls, "landing");
            assert!(!falls || landed.mechs[0].prone);
        }
    }
}

#[test]
fn ammunition_is_ejected_a_turn_later_and_bursts_when_hit_from_behind() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        let eject = Action::End { off: 0, on: 0, drop_club: false, eject: Bins::from_slice(&[0]).unwrap() };
        act(&mut game, Phase::End, &eject);
        assert!(game.mechs[0].bins[0].armed && game.mechs[0].bins[0].rounds == 15);
        assert!(check(&game, 0, Phase::Weapons, &fire(3, Some(0))).is_err(), "no shots from it");
        assert!(check(&game, 0, Phase::End, &eject).is_err(), "it is on its way");
        let mut hit = game.clone();
        hit.hit(0, Side::Rear, Location::RightRear, 1, false);
        assert!(said(&hit, "explodes"));
        game.hit(0, Side::Front, Location::LeftTorso, 1, false);
        assert!(!said(&game, "explodes"), "not from the front");
        act(&mut game, Phase::End, &Action::nothing(Phase::End));
        let bin = game.mechs[0].bins[0];
        assert_eq!((bin.armed, bin.rounds, bin.works), (false, 0, false));
    }
}

#[test]
fn sinks_are_switched_at_the_end_of_a_turn() {
    let mut game = arena(false, "Boar", 3);
    let end = |off, on| Action::End { off, on, drop_club: false, eject: Bins::new() };
    act(&mut game, Phase::End, &end(4, 0));
    assert_eq!((game.mechs[0].sinks_on, game.mechs[0].sinks_off), (8, 4));
    act(&mut game, Phase::End, &end(0, 3));
    assert_eq!((game.mechs[0].sinks_on, game.mechs[0].sinks_off), (11, 1));
    assert!(check(&game, 0, Phase::End, &end(12, 0)).is_err() && check(&game, 0, Phase::End, &end(0, 2)).is_err());
    let drop = Action::End { off: 0, on: 0, drop_club: true, eject: Bins::new() };
    assert!(check(&game, 0, Phase::End, &drop).is_err(), "no club");
}

#[test]
fn special_rounds_and_double_rate_do_what_they_say() {
    for book in [false, true] {
        // Double rate: twice the heat and the rounds; a 2 jams the cannon.
        let (mut jammed, mut both) = (0, 0);
        for seed in 0..400 {
            let mut game = arena(book, "Rook", seed);
            let shot = Shot { weapon: 0, bin: Some(0), double: true, aim: Aim::Mech(1) };
            act(&mut game, Phase::Weapons, &Action::Fire { primary: Some(1), shots: [shot].into_iter().collect() });
            assert!(game.refused.is_empty(), "{:?}", game.refused);
            assert_eq!((game.mechs[0].heating, game.mechs[0].bins[0].rounds), (2, 18));
            assert_eq!(said(&game, "jams"), !game.mechs[0].weapons[0].works);
            jammed += usize::from(said(&game, "jams"));
            both += usize::from(game.dice.log.iter().filter(|line| line.contains("takes 5")).count() == 2);
        }
        assert!(jammed > 0 && both > 40, "{jammed} and {both}");
        // Streaks that do not lock cost nothing.
        let missed = (0..200).find_map(|seed| {
            let mut game = arena(book, "Weasel", seed);
            act(&mut game, Phase::Weapons, &fire(0, Some(0)));
            said(&game, "failed").then_some(game)
        });
        let missed = missed.unwrap();
        assert_eq!((missed.mechs[0].heating, missed.mechs[0].bins[0].rounds), (0, 50));
        // One-shot launchers are empty after their shot.
        let mut game = arena(book, "Rhino", 3);
        let launcher = game.mechs[0].weapons.iter().position(|weapon| weapon.kind().code == 43).unwrap();
        act(&mut game, Phase::Weapons, &fire(launcher as u8, None));
        assert!(!game.mechs[0].weapons[launcher].works);
        // Guided missiles count two more on the table of clusters.
        let mean = |charge| -> u32 {
            (0..300)
                .map(|seed| {
                    let mut game = arena(book, "Magpie", seed);
                    let shot = Shot { weapon: 0, bin: Some(0), double: false, aim: Aim::Mech(1) };
                    game.shot_groups(0, shot, charge, 1).iter().map(|&points| u32::from(points)).sum::<u32>()
                })
                .sum::<u32>()
                / 300
        };
        assert!(mean(Charge::Artemis) > mean(Charge::Plain), "{} and {}", mean(Charge::Artemis), mean(Charge::Plain));
        // Cluster rounds aim better, at mechs and at hexes.
        let mut game = arena(book, "Rook", 3);
        let scatter = game.mechs[0].weapons.iter().position(|weapon| weapon.kind().code == 66).unwrap() as u8;
        let need = |game: &Game, bin, aim| {
            let shot = Shot { weapon: scatter, bin: Some(bin), double: false, aim };
            match aim {
                Aim::Mech(_) => game.shot_need(0, &shot, 1, None),
                Aim::Hex(hex) => game.hex_need(0, shot, hex),
            }
        };
        assert_eq!(need(&game, 1, Aim::Mech(1)) + 1, need(&game, 2, Aim::Mech(1)));
        game.mechs[0].hex = id(611);
        let ground = Aim::Hex(id(607));
        assert_eq!(need(&game, 1, ground) + 1, need(&game, 2, ground));
    }
    assert!(weapon_by_code(66).is_some());
}

#[test]
fn after_fifty_turns_the_one_with_more_left_wins() {
    let mut idle = |_: &Game, _: usize, phase: Phase| Action::nothing(phase);
    let mut also_idle = idle;
    let mut verdict = |lost: [u8; 2]| {
        let mut game = arena(false, "Boar", 3);
        for (mech, lost) in game.mechs.iter_mut().zip(lost) {
            mech.armour[0] -= lost;
        }
        game.turn = 0;
        let verdict = game.play(&mut [&mut idle, &mut also_idle]);
        assert_eq!(game.turn, LAST_TURN);
        verdict
    };
    assert_eq!(verdict([1, 0]), Verdict::Winner(1));
    assert_eq!(verdict([0, 1]), Verdict::Winner(0));
    assert_eq!(verdict([1, 1]), Verdict::Draw);
    let mut game = arena(false, "Boar", 3);
    game.mechs.iter_mut().for_each(|mech| mech.operational = false);
    assert_eq!(game.verdict(), Some(Verdict::Draw), "all at once");
}

#[test]
fn eight_mechs_finish_a_game() {
    for book in [false, true] {
        let designs: Vec<_> = (0..8).map(|at| DESIGNS[at].build().unwrap()).collect();
        let mut game = Game::new(book, generate(Landscape::Hills, 20, 20, 4), &designs, 9);
        let mut seats: Vec<_> =
            (0..8).map(|at| by_name(["charger", "random", "document"][at % 3], at as u64).unwrap()).collect();
        let mut players: Vec<&mut dyn Player> = seats.iter_mut().map(|seat| seat.as_mut() as &mut dyn Player).collect();
        let verdict = game.play(&mut players);
        assert!(game.turn <= LAST_TURN);
        assert!(matches!(verdict, Verdict::Winner(_)) || game.alive().len() != 1, "{verdict:?}");
        assert!(said(&game, "the game is over"));
        let taken = |hex| game.mechs.iter().filter(|mech| mech.operational && mech.hex == hex).count();
        assert!(game.mechs.iter().all(|mech| taken(mech.hex) <= 1));
    }
}
