//! Weights from self-play: games are played with the weights at hand, every position learns how its game ended, and a
//! logistic regression moves the weights towards predicting that.
//!
//! The evaluation is linear in its weights, so what a weight multiplies in a position is the evaluation with that
//! weight alone. No feature is written down twice.

use core::sync::atomic::Ordering;

use rival_core::games::parchis::{PLAIN, Player, State, Tables, Weights};

use super::opponents::Searcher;
use crate::duel::{INTERRUPTED, progress};
use crate::games::TuneSettings;
use crate::random::Random;

/// A position of a game, and what J1 got out of it: 1, 0 or a half.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    state: State,
    result: f32,
}

/// Random actions at the start of each game.
const OPENING: usize = 6;
/// Actions after which a game is a draw.
const LONGEST: usize = 600;
/// The value of one weight alone when its part of the evaluation is looked at: large against rounding.
const UNIT: i16 = 1_000;
/// What counts as much as a lead that wins three games in four.
const SCALE: f64 = 170.0;

/// Tunes the agent's weights and prints what came of it.
pub(super) fn run(settings: &TuneSettings) {
    let mut weights = PLAIN;
    for round in 0..settings.rounds {
        let bar = progress(settings.games as usize, false);
        let seed = settings.seed.wrapping_mul(1_000).wrapping_add(u64::from(round));
        let samples = play(&weights, settings, seed, || bar.inc(1));
        bar.finish_and_clear();
        let (before, after) = learn(&mut weights, &samples);
        println!("// round {}: {} positions, loss {before:.4} before, {after:.4} after", round + 1, samples.len());
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
    }
    let pairs = settings.games / 6;
    let points = compare((&weights, settings.nodes), (&PLAIN, settings.nodes), pairs, settings.seed ^ 0xC0DE);
    println!("// against the plain weights: {points} of {} points at {} nodes", 2 * pairs, settings.nodes);
    let TuneSettings { seed, games, nodes, rounds } = settings;
    println!("// rival tune parchis --seed {seed} --games {games} --nodes {nodes} --rounds {rounds}");
    print!("{}", source(&weights));
}

/// Plays games of the weights against themselves.
pub fn play(weights: &Weights, plan: &TuneSettings, seed: u64, mut played: impl FnMut()) -> Vec<Sample> {
    let tables = Tables::new(weights);
    let mut searcher = Searcher::new(&tables);
    let mut random = Random::new(seed);
    let mut samples = Vec::new();
    for _ in 0..plan.games {
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
        let first = samples.len();
        let mut state = State::start();
        for action in 0..LONGEST {
            // Now and then something else, so that the games differ.
            let chosen = if action < OPENING || random.below(24) == 0 {
                random.pick(&state.legal()).copied()
            } else {
                searcher.choose(&state, plan.nodes).0
            };
            let Some(mv) = chosen else { break };
            state = state.play(mv);
            if action >= OPENING && !state.is_over() && random.below(3) == 0 {
                samples.push(Sample { state, result: 0.5 });
            }
        }
        let result = match state.winner() {
            Some(Player::J1) => 1.0,
            Some(Player::J2) => 0.0,
            None => 0.5,
        };
        samples[first..].iter_mut().for_each(|sample| sample.result = result);
        played();
    }
    samples
}

/// The weights as a flat list.
fn numbers(weights: &mut Weights) -> Vec<&mut i16> {
    // The limit is not among them: the evaluation is not linear in it.
    let Weights { lead, trail, safe, hand, dice, conditions, bounce, exposed, aimed, barrier, limit: _, turn } =
        weights;
    lead.iter_mut()
        .chain(trail)
        .chain(safe)
        .chain(hand)
        .chain(dice)
        .chain(conditions.iter_mut().flatten())
        .chain([bounce])
        .chain(exposed)
        .chain(aimed)
        .chain(barrier)
        .chain(turn)
        .collect()
}

/// What each weight multiplies in a position, from J1's view.
fn features(units: &[Tables], state: &State) -> Vec<f32> {
    let sign = if state.turn() == Player::J1 { 1.0 } else { -1.0 };
    units.iter().map(|tables| sign * tables.linear(state) as f32 / f32::from(UNIT)).collect()
}

/// Moves the weights towards predicting the results. Gives the mean loss before and after.
pub fn learn(weights: &mut Weights, samples: &[Sample]) -> (f64, f64) {
    let mut zero = weights.clone();
    for number in numbers(&mut zero) {
        *number = 0;
    }
    let count = numbers(&mut zero).len();
    let units: Vec<Tables> = (0..count)
        .map(|at| {
            let mut alone = zero.clone();
            *numbers(&mut alone)[at] = UNIT;
            Tables::new(&alone)
        })
        .collect();
    let rows: Vec<(Vec<f32>, f64)> =
        samples.iter().map(|sample| (features(&units, &sample.state), f64::from(sample.result))).collect();
    let start: Vec<f64> = numbers(weights).into_iter().map(|number| f64::from(*number)).collect();
    let mut values = start.clone();
    let loss = |values: &[f64]| rows.iter().map(|(row, result)| cost(predict(row, values), *result)).sum::<f64>();
    let before = loss(&values) / rows.len().max(1) as f64;
    // Adam: large steps for weights that matter rarely, small ones for those that always do.
    let (mut mean, mut square) = (vec![0.0; count], vec![0.0; count]);
    for step in 1..=STEPS {
        let mut slope = vec![0.0; count];
        for (row, result) in &rows {
            let error = predict(row, &values) - result;
            slope.iter_mut().zip(row).for_each(|(slope, &part)| *slope += error * f64::from(part));
        }
        for at in 0..count {
            // A weak pull towards where it came from, for weights about which the games say little.
            let gradient = slope[at] / rows.len().max(1) as f64 + 2e-6 * (values[at] - start[at]);
            mean[at] = 0.9 * mean[at] + 0.1 * gradient;
            square[at] = 0.999 * square[at] + 0.001 * gradient * gradient;
            let unbiased = mean[at] / (1.0 - 0.9_f64.powi(step));
            let spread = (square[at] / (1.0 - 0.999_f64.powi(step))).sqrt();
            values[at] -= RATE * unbiased / (spread + 1e-8);
        }
    }
    let after = loss(&values) / rows.len().max(1) as f64;
    for (number, value) in numbers(weights).into_iter().zip(values) {
        *number = value.round().clamp(-1_300.0, 1_300.0) as i16;
    }
    // Bounces only ever bring a loss nearer; the few games that come so far must not say otherwise.
    weights.bounce = weights.bounce.min(0);
    (before, after)
}

const STEPS: i32 = 150;
const RATE: f64 = 0.6;

fn predict(row: &[f32], values: &[f64]) -> f64 {
    let value: f64 = row.iter().zip(values).map(|(&part, value)| f64::from(part) * value).sum();
    1.0 / (1.0 + (-value / SCALE).exp())
}

fn cost(predicted: f64, result: f64) -> f64 {
    let predicted = predicted.clamp(1e-9, 1.0 - 1e-9);
    -(result * predicted.ln() + (1.0 - result) * (1.0 - predicted).ln())
}

/// Games of one set of weights against another from random openings, each opening with both seats. Gives the points of
/// the first, out of twice the number of pairs.
pub fn compare(first: (&Weights, u32), second: (&Weights, u32), pairs: u32, seed: u64) -> f64 {
    let tables = [Tables::new(first.0), Tables::new(second.0)];
    let mut searchers = tables.each_ref().map(Searcher::new);
    let nodes = [first.1, second.1];
    let mut random = Random::new(seed);
    let mut points = 0.0;
    for _ in 0..pairs {
        let mut opening = State::start();
        for _ in 0..OPENING {
            if let Some(mv) = random.pick(&opening.legal()).copied() {
                opening = opening.play(mv);
            }
        }
        for seat in 0..2 {
            let mut state = opening;
            for _ in 0..LONGEST {
                let who = (state.turn() as usize) ^ seat;
                let Some(mv) = searchers[who].choose(&state, nodes[who]).0 else { break };
                state = state.play(mv);
            }
            points += match state.winner() {
                Some(winner) if (winner as usize) ^ seat == 0 => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
        }
    }
    points
}

/// The weights as the source file has them.
pub fn source(weights: &Weights) -> String {
    let Weights { lead, trail, safe, hand, dice, conditions, bounce, exposed, aimed, barrier, limit, turn } = weights;
    format!(
        "pub const WEIGHTS: Weights = Weights {{\n    lead: {lead:?},\n    trail: {trail:?},\n    safe: {safe:?},\n    \
         hand: {hand:?},\n    dice: {dice:?},\n    conditions: {conditions:?},\n    bounce: {bounce},\n    \
         exposed: {exposed:?},\n    aimed: {aimed:?},\n    \
         barrier: {barrier:?},\n    limit: {limit},\n    turn: {turn:?},\n}};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The evaluation is the sum of its weights times what they multiply, up to rounding.
    #[test]
    fn the_evaluation_is_linear_in_its_weights() {
        let plan = TuneSettings { seed: 1, games: 4, nodes: 60, rounds: 1 };
        let samples = play(&PLAIN, &plan, 1, || {});
        let mut weights = PLAIN;
        let values: Vec<f64> = numbers(&mut weights).into_iter().map(|number| f64::from(*number)).collect();
        let mut zero = PLAIN;
        for number in numbers(&mut zero) {
            *number = 0;
        }
        let units: Vec<Tables> = (0..values.len())
            .map(|at| {
                let mut alone = zero.clone();
                *numbers(&mut alone)[at] = UNIT;
                Tables::new(&alone)
            })
            .collect();
        let tables = Tables::new(&PLAIN);
        for sample in samples {
            let row = features(&units, &sample.state);
            let sum: f64 = row.iter().zip(&values).map(|(&part, value)| f64::from(part) * value).sum();
            let sign = if sample.state.turn() == Player::J1 { 1.0 } else { -1.0 };
            let value = sign * f64::from(tables.linear(&sample.state));
            assert!((sum - value).abs() < 14.0, "{sum} and {value} in {:?}", sample.state);
        }
    }

    #[test]
    fn a_plan_gives_the_same_weights_every_time() {
        let plan = TuneSettings { seed: 3, games: 3, nodes: 40, rounds: 1 };
        let tuned = [0, 1].map(|_| {
            let mut weights = PLAIN;
            let samples = play(&weights, &plan, plan.seed, || {});
            let (before, after) = learn(&mut weights, &samples);
            assert!(after < before);
            weights
        });
        assert_eq!(tuned[0], tuned[1]);
    }
}
