//! What the agent decides, phase by phase, against settings in which the right answer is known.

use rival_core::games::battletech::action::{Aim, Step};
use rival_core::games::battletech::map::{Object, Terrain, Tile};
use rival_core::games::battletech::mech::{Limb, Mode};
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::{Action, Facing, Hex, Mech, Phase};
use rival_core::wire::Limits;

use super::agent::AgentPlayer;
use super::designs::{DESIGNS, LATER_DESIGNS};
use super::mapgen::{Landscape, generate};
use super::opponents::by_name;
use super::referee::tests::{arena, put, said};
use super::referee::{Game, Player, check};
use crate::client::Client;
use crate::link::LinkSpec;

fn agent(nodes: u32) -> AgentPlayer {
    AgentPlayer::new(Client::open(&LinkSpec::InProcess).unwrap(), Limits { nodes, ..Limits::default() })
}

fn id(id: u16) -> Hex {
    Hex::from_id(id).unwrap()
}

/// What the first mech decides, and what it thinks that is worth.
fn decide(game: &Game, phase: Phase) -> (Action, i32) {
    let mut agent = agent(1_000_000);
    let action = agent.ask(game, 0, phase).unwrap();
    check(game, 0, phase, &action).unwrap();
    (action, agent.last.unwrap().statistics.value)
}

fn shots(action: &Action) -> Vec<(u8, Aim)> {
    let Action::Fire { shots, .. } = action else { panic!("{action:?}") };
    shots.iter().map(|shot| (shot.weapon, shot.aim)).collect()
}

fn blows(game: &Game) -> Vec<Blow> {
    let (Action::Strike(blows), _) = decide(game, Phase::Physical) else { panic!("not blows") };
    blows.iter().map(|(blow, _)| *blow).collect()
}

/// A game with a third mech, of the same design as the others.
fn three(book: bool, name: &str, third: Hex) -> Game {
    let two = arena(book, name, 3);
    let order = DESIGNS.iter().chain(&LATER_DESIGNS).find(|order| order.name == name).unwrap();
    let designs = [order.build().unwrap(), order.build().unwrap(), order.build().unwrap()];
    let mut game = Game::new(book, two.map.clone(), &designs, 3);
    for (mech, like) in game.mechs.iter_mut().zip(&two.mechs) {
        (mech.hex, mech.facing, mech.torso) = (like.hex, like.facing, like.torso);
    }
    game.mechs[2].hex = third;
    game
}

fn heat_of(mech: &Mech, action: &Action) -> u8 {
    shots(action).iter().map(|(weapon, _)| mech.weapons[usize::from(*weapon)].kind().heat).sum()
}

#[test]
fn a_hot_mech_fires_less() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        let cool = decide(&game, Phase::Weapons).0;
        // Boars sink twelve; a large and three medium lasers with six missiles make twenty-one.
        let budget = |game: &Game| game.mechs[0].sinks_on + 7 - game.mechs[0].heat.min(7);
        assert!(heat_of(&game.mechs[0], &cool) > 0 && heat_of(&game.mechs[0], &cool) <= budget(&game) + 6);
        game.mechs[0].heat = 14;
        let hot = decide(&game, Phase::Weapons).0;
        assert!(heat_of(&game.mechs[0], &hot) < heat_of(&game.mechs[0], &cool));
        let ends = game.mechs[0].heat + heat_of(&game.mechs[0], &hot);
        assert!(ends - game.mechs[0].sinks_on < 14, "no risk of a shutdown for a few points: {hot:?}");
    }
}

#[test]
fn targets_are_split_where_that_pays() {
    for book in [false, true] {
        // One enemy next door, too near for the particle cannon; another far off, too far for everything else, and as
        // good as dead.
        let mut game = three(book, "Mastiff", id(602));
        (game.mechs[0].hex, game.mechs[1].hex) = (id(614), id(613));
        game.mechs[2].armour = [0; 11];
        game.mechs[2].structure = [1; 8];
        let (action, _) = decide(&game, Phase::Weapons);
        let aimed = shots(&action);
        let at =
            |who| aimed.iter().filter(|(_, aim)| *aim == Aim::Mech(who)).map(|(weapon, _)| *weapon).collect::<Vec<_>>();
        assert_eq!(at(2), [0], "the cannon: {action:?}");
        assert!(!at(1).is_empty(), "the rest: {action:?}");
        // Where all reach the weaker one, all go there.
        game.mechs[2].hex = id(611);
        game.mechs[1].hex = id(610);
        let aimed = shots(&decide(&game, Phase::Weapons).0);
        assert!(aimed.iter().all(|(_, aim)| *aim == Aim::Mech(2)), "{aimed:?}");
    }
}

#[test]
fn the_torso_turns_to_the_most_damage() {
    for book in [false, true] {
        for (col, row) in [(2, 5), (3, 9), (5, 2), (7, 4), (9, 7), (8, 10), (5, 12)] {
            for lost in 0..3 {
                let mut game = arena(book, "Mastiff", 3);
                game.mechs[1].hex = Hex::new(col, row);
                game.mechs[0].weapons[lost].works = false;
                let values: Vec<i32> = [-1, 0, 1]
                    .into_iter()
                    .map(|sides: i8| {
                        let mut game = game.clone();
                        game.mechs[0].torso = game.mechs[0].facing.turned((6 + sides) as u8 % 6);
                        decide(&game, Phase::Weapons).1
                    })
                    .collect();
                let Action::Twist(sides) = decide(&game, Phase::Reaction).0 else { panic!("no twist") };
                let chosen = values[usize::try_from(sides + 1).unwrap()];
                assert_eq!(Some(&chosen), values.iter().max(), "{values:?} at {}", game.mechs[1].hex);
            }
        }
    }
}

#[test]
fn all_blows_that_go_together_are_struck() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.mechs[0].hex = id(608);
        let struck = blows(&game);
        if book {
            assert!(
                struck == [Blow::LeftPunch, Blow::RightPunch] || struck.len() == 1 && struck[0].is_kick(),
                "{struck:?}"
            );
        } else {
            assert_eq!(struck.len(), 3, "{struck:?}");
        }
        // A fist that fired is not used, nor one without a shoulder.
        game.mechs[0].fired = 1;
        game.mechs[0].arms[1] = Limb(Limb::JOINT);
        assert!(blows(&game).iter().all(|blow| blow.is_kick()) && !blows(&game).is_empty());
    }
}

#[test]
fn a_kick_that_would_only_throw_the_kicker_is_left_alone() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.mechs[0].hex = id(608);
        game.mechs[0].arms = [Limb(Limb::JOINT); 2];
        assert_eq!(blows(&game).len(), 1, "sound legs kick");
        // Hard to hit, and hardly on its feet.
        (game.mechs[1].mode, game.mechs[1].moved) = (Mode::Jump, 10);
        (game.mechs[0].mode, game.mechs[0].gyro_hits) = (Mode::Run, 1);
        game.mechs[0].legs = [Limb(Limb::END | Limb::UPPER); 2];
        assert_eq!(blows(&game), []);
    }
}

#[test]
fn a_fallen_mech_stands_up_or_fights_on() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.mechs[0].prone = true;
        game.mechs[1].has_moved = true;
        game.mechs[1].hex = id(602);
        let stands = |game: &Game| {
            let (action, _) = decide(game, Phase::Movement);
            matches!(&action, Action::Go { steps, .. } if steps.iter().any(|step| matches!(step, Step::Stand(_))))
        };
        assert!(stands(&game), "it is easy");
        // Without an arm and with hips and gyroscope damaged it would only fall again, and shoots from where it lies.
        game.mechs[0].gyro_hits = 1;
        game.mechs[0].legs = [Limb(Limb::JOINT), Limb(Limb::UPPER | Limb::LOWER | Limb::END)];
        game.mechs[0].structure[0] = 0;
        assert!(!stands(&game), "it cannot succeed");
        game.mechs[1].hex = id(605);
        assert!(!shots(&decide(&game, Phase::Weapons).0).is_empty(), "fights on");
        game.mechs[0].gyro_hits = 2;
        decide(&game, Phase::Movement);
    }
}

#[test]
fn a_mech_without_weapons_goes_to_strike() {
    for book in [false, true] {
        let mut game = arena(book, "Boar", 3);
        game.mechs[1].hex = id(203);
        game.mechs[0].weapons.iter_mut().for_each(|weapon| weapon.works = false);
        game.mechs[1].weapons.iter_mut().for_each(|weapon| weapon.works = false);
        let (mut one, mut idle) = (agent(3_000), |_: &Game, _: usize, phase: Phase| Action::nothing(phase));
        for _ in 0..6 {
            game.play_turn(&mut [&mut one, &mut idle]);
        }
        assert!(game.refused.is_empty(), "{:?}", game.refused);
        assert!(said(&game, "Boar (0) strikes at Boar (1)"), "{:?}", game.mechs[0].hex);
    }
}

#[test]
fn the_end_of_a_turn_looks_after_sinks_rounds_and_clubs() {
    let mut game = arena(false, "Boar", 3);
    let end = |game: &Game| {
        let (Action::End { off, on, drop_club, eject }, _) = decide(game, Phase::End) else { panic!("no end") };
        (off, on, drop_club, eject.to_vec())
    };
    assert_eq!(end(&game), (0, 0, false, vec![]));
    (game.mechs[0].sinks_on, game.mechs[0].sinks_off, game.mechs[0].club) = (9, 3, 1);
    assert_eq!(end(&game), (0, 3, false, vec![]));
    // Rounds that nothing can fire any more only explode; a club needs both hands.
    let launcher = game.mechs[0].weapons.iter().position(|weapon| weapon.kind().needs_bin()).unwrap();
    game.mechs[0].weapons[launcher].works = false;
    game.mechs[0].arms[0] = Limb(Limb::END);
    assert_eq!(end(&game), (0, 3, true, vec![0]));
}

#[test]
fn a_club_is_picked_up_when_there_is_nothing_to_shoot_at() {
    let mut game = arena(false, "Boar", 3);
    let index = game.view().index(game.mechs[0].hex);
    game.map.ground[index].clubs = 1;
    put(&mut game, id(609), Tile::new(0, Terrain::Open, Object::LightWoods));
    assert_ne!(decide(&game, Phase::Weapons).0, Action::PickUp, "somebody is in sight");
    game.mechs[1].hex = id(602);
    game.mechs[1].facing = Facing::NORTH;
    for row in 603..606 {
        put(&mut game, id(row), Tile::new(5, Terrain::Open, Object::None));
    }
    assert_eq!(decide(&game, Phase::Weapons).0, Action::PickUp);
}

/// Two hundred games in each profile, some of three mechs, with every design: the referee refuses nothing.
#[test]
fn no_action_of_the_agent_is_refused_in_two_hundred_games() {
    for book in [false, true] {
        let (mut decisions, mut refusals) = (0, Vec::new());
        for seed in 0..200_u64 {
            let seats = 2 + usize::from(seed % 5 == 0);
            let design = |at: usize| (seed as usize * 7 + at * 5) % 18;
            let all = || DESIGNS.iter().chain(&LATER_DESIGNS);
            let designs: Vec<_> = (0..seats).map(|at| all().nth(design(at)).unwrap().build().unwrap()).collect();
            let landscape = Landscape::ALL[(seed % 6) as usize];
            let mut game = Game::new(book, generate(landscape, 14, 15, seed), &designs, seed);
            game.dice.keep = false;
            // Against all three opponents, and against itself.
            let mut one = agent(250);
            let mut players: Vec<Box<dyn Player>> = (1..seats)
                .map(|at| match (seed as usize + at) % 4 {
                    0 => Box::new(agent(250)) as Box<dyn Player>,
                    other => by_name(["random", "charger", "document"][other - 1], seed).unwrap(),
                })
                .collect();
            let mut seated: Vec<&mut dyn Player> = vec![&mut one];
            seated.extend(players.iter_mut().map(|player| player.as_mut() as &mut dyn Player));
            game.play(&mut seated);
            assert!(one.error.is_none(), "{:?}", one.error);
            decisions += one.times.count();
            refusals.extend(game.refused.into_iter().filter(|(who, _)| *who == 0));
        }
        println!(
            "figure: battletech, {decisions} actions of the agent in 200 games, book {book}, {} refused",
            refusals.len()
        );
        assert!(refusals.is_empty(), "{refusals:?}");
    }
}
