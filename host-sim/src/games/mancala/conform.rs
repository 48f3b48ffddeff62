//! Recordings of the original simulator, and positions with their exact values.

use std::path::Path;

use anyhow::{Context, Result};
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, SEED, State};
use rival_core::wire::{Ending, Limits};
use serde_json::Value;

use super::{from_json, pit_of};
use crate::client::Client;
use crate::duel::{Times, progress};
use crate::link::LinkSpec;
use crate::recording::{Conformance, lines};

/// What decides, for one solved position, whether a decision was right.
#[derive(Default)]
struct Decisions {
    optimal: usize,
    /// Optimal, and all, by whose turn it is.
    by_seat: [(usize, usize); 2],
    proven: usize,
    proven_optimal: usize,
    /// Decisions that guarantee something without claiming to know the exact value.
    secured: usize,
    times: Times,
}

pub(super) fn conform(file: &Path, link: &LinkSpec, limits: Limits) -> Result<Conformance> {
    let mut result = Conformance::default();
    let mut agent = None;
    let mut decisions = Decisions::default();
    let records = lines(file)?.collect::<Result<Vec<_>>>()?;
    let bar = progress(records.len(), false);
    for (number, record) in records {
        let place = format!("{}, line {number}", file.display());
        bar.inc(1);
        if record.get("move_values").is_some() {
            let client = match &mut agent {
                Some(client) => client,
                none => none.insert(Client::open(link)?),
            };
            solved(&mut result, &mut decisions, client, limits, &place, &record).with_context(|| place.clone())?;
        } else {
            transition(&mut result, &place, &record).with_context(|| place.clone())?;
        }
    }
    bar.finish_and_clear();
    if let Some(client) = agent {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        result.notes.push(format!(
            "decisions: {} of {} optimal ({:.1} %); {} proven by the search, of them {} optimal ({:.1} %); link {link}, {}",
            decisions.optimal,
            result.steps,
            share(decisions.optimal, result.steps as usize),
            decisions.proven,
            decisions.proven_optimal,
            share(decisions.proven_optimal, decisions.proven),
            client.identity().board,
        ));
        let [(first, of_first), (second, of_second)] = decisions.by_seat;
        result.notes.push(format!(
            "J1 to move: {first} of {of_first} optimal ({:.1} %); J2: {second} of {of_second} ({:.1} %); {} wins secured",
            share(first, of_first),
            share(second, of_second),
            decisions.secured,
        ));
        result.notes.push(decisions.times.summary());
    }
    Ok(result)
}

/// One move of the original program: what was legal, and what came of it.
fn transition(result: &mut Conformance, place: &str, record: &Value) -> Result<()> {
    let before = from_json(&record["before"])?;
    let after = from_json(&record["after"])?;
    let number = record["move"].as_u64().context("\"move\" has to be a number")?;
    let pit = u8::try_from(number).ok().and_then(Pit::new);
    // A pit that does not exist loses the game like an empty one.
    let ours = pit.map_or_else(|| before.forfeit(), |pit| before.play(pit));
    let mut legal = None;
    let mut recorded_legal = None;
    if let Some(pits) = record.get("legal") {
        legal = Some(before.legal().map(|pit| u64::from(pit.number())).collect::<Vec<_>>());
        recorded_legal = Some(serde_json::from_value::<Vec<u64>>(pits.clone())?);
    }
    let is_legal = record.get("legal_move").map(|_| pit.is_some_and(|pit| before.is_legal(pit)));
    let extra = record.get("extra").map(|_| ours.turn() == before.turn() && !ours.is_over());
    result.compare(
        place,
        &(ours, legal, is_legal, extra, ours.is_over()),
        &(
            after,
            recorded_legal,
            record.get("legal_move").and_then(Value::as_bool),
            record.get("extra").and_then(Value::as_bool),
            record["final"].as_bool().context("\"final\" has to be true or false")?,
        ),
    );
    Ok(())
}

/// One position with its exact value: the agent's decision must be optimal wherever the search says that it is proven.
fn solved(
    result: &mut Conformance,
    decisions: &mut Decisions,
    client: &mut Client,
    limits: Limits,
    place: &str,
    record: &Value,
) -> Result<()> {
    let state: State = from_json(record)?;
    let value = record["value"].as_i64().context("\"value\" has to be a number")? as i32;
    let best: Vec<u8> = serde_json::from_value(record["best"].clone()).context("\"best\" has to be a list of pits")?;
    let answer = client.decide(GameId::Mancala, &state.encode(), limits)?;
    decisions.times.add(&answer, client.baud(), limits);
    let pit = pit_of(&state, &answer.action).context("the agent's action is illegal")?;
    let optimal = best.contains(&pit.number());
    decisions.optimal += usize::from(optimal);
    let seat = &mut decisions.by_seat[state.turn() as usize];
    *seat = (seat.0 + usize::from(optimal), seat.1 + 1);
    let proven = answer.statistics.ending == Ending::Proven;
    decisions.proven += usize::from(proven);
    decisions.proven_optimal += usize::from(proven && optimal);
    let guaranteed = answer.statistics.guaranteed;
    decisions.secured += usize::from(!proven && guaranteed.is_some());
    let move_value = &record["move_values"];
    let exact = move_value.get(pit.number().to_string()).and_then(Value::as_i64);
    let too_much = guaranteed.zip(exact).is_some_and(|(least, exact)| i64::from(least) > exact * i64::from(SEED));
    let wrong = too_much || (proven && (!optimal || answer.statistics.value != value * SEED));
    result.step(wrong.then_some(|| {
        let said = f64::from(answer.statistics.value) / f64::from(SEED);
        let ending = answer.statistics.ending;
        format!("{place}\n  ours:     pit {pit}, margin {said} {ending:?}\n  recorded: pits {best:?}, margin {value}")
    }));
    Ok(())
}
