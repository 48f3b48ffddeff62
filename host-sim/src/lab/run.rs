//! Measures a suite over a link.

use core::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use rival_core::wire::{Bounded, Limits, Statistics, Timing};

use super::{FORMAT, Figures, GameRun, Peak, Reached, Run, Suite};
use crate::client::{Answer, Client};
use crate::duel::{INTERRUPTED, progress};
use crate::games::{Position, Table};
use crate::link::LinkSpec;

/// Deeper than any search of a second.
const DEEPEST: u8 = 64;

/// Measures every position of the suite once.
pub fn measure(spec: &LinkSpec, tables: &[&dyn Table], suite: Suite, limits: Limits) -> Result<Run> {
    let mut client = Client::open(spec)?;
    let identity = client.identity().clone();
    let instructions_per_us = spec.shift().map(|shift| 1_000.0 / f64::from(1_u32 << shift));
    let rate = match identity.timing {
        Timing::Emulated => Rate::Instructions(instructions_per_us.unwrap_or(0.0)),
        Timing::Hardware => Rate::Cycles(identity.clock_hz),
        Timing::Desktop => Rate::Unknown,
    };
    let positions: Vec<Vec<Position>> = tables.iter().map(|table| table.suite(suite)).collect();
    let bar = progress(positions.iter().map(Vec::len).sum(), false);
    let mut games = Vec::new();
    for (table, positions) in tables.iter().zip(positions) {
        let mut decisions = Vec::new();
        for position in &positions {
            if INTERRUPTED.load(Ordering::Relaxed) {
                bail!("interrupted: half a run is no run, nothing was written");
            }
            bar.set_message(format!("{}: {}", table.id().name(), position.name));
            let answer = ask(&mut client, *table, position, limits)?;
            let mut figures = figures(*table, position, &answer, client.baud(), rate);
            if suite == Suite::Full && table.deepens() {
                figures.depths = depths(&mut client, *table, position, limits, answer.statistics.depth)?;
            }
            decisions.push(figures);
            bar.inc(1);
        }
        games.push(GameRun { game: table.id().name().into(), decisions });
    }
    bar.finish_and_clear();
    let identity = client.hello()?.clone();
    Ok(Run {
        kind: "run".into(),
        format: FORMAT,
        made: today(),
        suite,
        board: identity.board.as_str().into(),
        firmware: identity.firmware.as_str().into(),
        link: spec.to_string(),
        timing: format!("{:?}", identity.timing),
        clock_hz: identity.clock_hz,
        instructions_per_us,
        deadline_us: limits.time_us,
        nodes_limit: limits.nodes,
        static_ram: identity.static_ram,
        stack: identity.stack,
        stack_peak: identity.stack_peak,
        workspace: identity.workspace,
        games,
    })
}

/// Asks for the decision on a position.
pub(super) fn ask(client: &mut Client, table: &dyn Table, position: &Position, limits: Limits) -> Result<Answer> {
    if let Some(data) = &position.load {
        client.load(table.id(), data)?;
    }
    Ok(client.decide(table.id(), &position.state, limits)?)
}

/// The same position again, to every depth in turn. The search deepens step by step and looks at nothing but its nodes, so
/// that a search that ends at a depth costs what the whole one had cost when it was there.
fn depths(
    client: &mut Client,
    table: &dyn Table,
    position: &Position,
    limits: Limits,
    deepest: u8,
) -> Result<Vec<Reached>> {
    let mut depths = Vec::new();
    for depth in 1..=deepest.min(DEEPEST) {
        let statistics = ask(client, table, position, Limits { depth, ..limits })?.statistics;
        if statistics.depth < depth {
            break;
        }
        depths.push(Reached { depth, nodes: statistics.nodes, search_us: statistics.search_us });
    }
    Ok(depths)
}

#[derive(Clone, Copy)]
enum Rate {
    Instructions(f64),
    /// Of a board with this clock.
    Cycles(u32),
    Unknown,
}

/// The cycles that a board's search took: as its processor counted them, or, where it cannot, by the board's timer.
pub(super) fn search_cycles(statistics: &Statistics, clock_hz: u32) -> f64 {
    statistics.search_cycles.map_or_else(|| f64::from(statistics.search_us) * f64::from(clock_hz) / 1e6, f64::from)
}

fn figures(table: &dyn Table, position: &Position, answer: &Answer, baud: Option<u32>, rate: Rate) -> Figures {
    let statistics = &answer.statistics;
    let response_us = answer.response_us(baud);
    let per_node = |rate: f64| {
        (statistics.nodes > 0).then(|| rate * f64::from(statistics.search_us) / f64::from(statistics.nodes))
    };
    // The mark is the most of all searches of a decision, and the depth their number: only of a single one is it the sum.
    let visited = statistics.marks.iter().find(|mark| mark.table == Bounded::Visited && statistics.depth == 1);
    let expanded = visited.map(|mark| mark.used).filter(|&used| used > 0);
    let per_expanded = |rate: f64| expanded.map(|used| rate * f64::from(statistics.search_us) / f64::from(used));
    let before = statistics.receive_us + statistics.decode_us + statistics.search_us;
    Figures {
        position: position.name.clone(),
        action: table.words(&position.state, answer).action,
        ending: format!("{:?}", statistics.ending),
        depth: statistics.depth,
        nodes: statistics.nodes,
        receive_us: statistics.receive_us,
        decode_us: statistics.decode_us,
        search_us: statistics.search_us,
        encode_us: statistics.answer_us.saturating_sub(before),
        send_us: (response_us - u64::from(statistics.answer_us)) as u32,
        response_us,
        request_bytes: answer.request_bytes,
        reply_bytes: answer.reply_bytes,
        nodes_per_s: f64::from(statistics.nodes) * 1e6 / f64::from(statistics.search_us.max(1)),
        instructions_per_node: if let Rate::Instructions(rate) = rate { per_node(rate) } else { None },
        instructions_per_expanded: if let Rate::Instructions(rate) = rate { per_expanded(rate) } else { None },
        cycles_per_node: match rate {
            Rate::Cycles(clock_hz) if statistics.nodes > 0 => {
                Some(search_cycles(statistics, clock_hz) / f64::from(statistics.nodes))
            }
            _ => None,
        },
        table_hits: statistics.table_hits,
        cutoffs: statistics.cutoffs,
        first_cutoffs: statistics.first_cutoffs,
        bound_met: statistics.bound_met,
        stack_peak: statistics.stack_peak,
        marks: statistics
            .marks
            .iter()
            .map(|mark| Peak { table: mark.table.name().into(), used: mark.used, capacity: mark.capacity })
            .collect(),
        depths: Vec::new(),
    }
}

/// The day, as in 2026-11-18 (by Howard Hinnant's "days to civil").
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    date((seconds / 86_400) as i64)
}

fn date(days: i64) -> String {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use rival_core::wire::Statistics;

    use super::{date, search_cycles};

    #[test]
    fn a_boards_cycles_are_those_it_counted_or_else_its_time() {
        let mut statistics = Statistics { search_us: 1_000, ..Statistics::default() };
        assert!((search_cycles(&statistics, 125_000_000) - 125_000.0).abs() < 1e-6);
        statistics.search_cycles = Some(124_999);
        assert!((search_cycles(&statistics, 125_000_000) - 124_999.0).abs() < 1e-6);
    }

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_775), "2026-11-18");
    }
}
