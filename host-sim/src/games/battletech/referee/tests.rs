//! Seeded random games with every rule in use: what must hold after every phase.

use rival_core::games::battletech::{Mech, Phase};

use super::{Game, LAST_TURN, Player};
use crate::games::battletech::designs::DESIGNS;
use crate::games::battletech::mapgen::{Landscape, generate};
use crate::games::battletech::opponents::Random;

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
    }
}

fn random_game(seed: u64) -> Game {
    let landscape = Landscape::ALL[(seed % 6) as usize];
    let designs: Vec<_> =
        (0..2 + (seed / 6) % 2).map(|at| DESIGNS[((seed + 5 * at) % 12) as usize].build().unwrap()).collect();
    let mut game = Game::new(seed & 1 == 1, generate(landscape, 12, 14, seed), &designs, seed);
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

#[test]
fn invariants_hold_in_a_thousand_random_games() {
    let mut sums = [[0_u64; 13]; 2];
    for seed in 0..1_000 {
        let game = random_game(seed);
        assert!(game.refused.is_empty(), "seed {seed}: {:?}", game.refused);
        for (sum, &count) in game.dice.sums.iter().enumerate() {
            sums[usize::from(seed & 1 == 1)][sum] += u64::from(count);
        }
    }
    for (book, sums) in sums.iter().enumerate() {
        let profile = [rival_core::games::battletech::Profile::UGR, rival_core::games::battletech::Profile::BOOK][book];
        let total: u64 = sums.iter().sum();
        for (sum, &count) in sums.iter().enumerate() {
            let expected = f64::from(profile.ways(sum as i32)) / f64::from(profile.outcomes());
            let seen = count as f64 / total as f64;
            assert!((seen - expected).abs() < 0.005, "two dice show {sum} in {seen:.4}, expected {expected:.4}");
        }
    }
}

#[test]
fn a_seed_replays_the_same_game() {
    let (one, two) = (random_game(7), random_game(7));
    assert_eq!(one.dice.log, two.dice.log);
    assert!(one.dice.log.len() > 100);
}
