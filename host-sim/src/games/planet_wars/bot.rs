//! Plays inside the contest's own engines: their text on standard input, orders on standard output.

use std::io::{BufRead, Write};

use anyhow::Result;
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Player, View};
use rival_core::wire::Limits;

use super::map::Map;
use super::referee::orders_of;
use crate::client::Client;

/// Kept back from the contest's second: the engine's clock starts before its text is here, and it reads a line of an
/// answer every two milliseconds.
const MARGIN_US: u32 = 150_000;

/// Answers states until the input ends. The link is opened with the first one.
pub(super) fn run(
    open: &dyn Fn() -> Result<Client>,
    mut limits: Limits,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<()> {
    if limits.time_us > 0 {
        limits.time_us = limits.time_us.saturating_sub(MARGIN_US).max(10_000);
    }
    let mut client = None;
    let mut text = String::new();
    let mut turn = 0;
    for line in input.lines() {
        let line = line?;
        if !line.trim().eq_ignore_ascii_case("go") {
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        turn += 1;
        // A turn without an answer is lost, a bot without a `go` is thrown out.
        match answer(&mut client, open, limits, &text, turn) {
            Ok(orders) => output.write_all(orders.as_bytes())?,
            Err(error) => eprintln!("rival: turn {turn}: {error:#}"),
        }
        output.write_all(b"go\n")?;
        output.flush()?;
        text.clear();
    }
    Ok(())
}

fn answer(
    client: &mut Option<Client>,
    open: &dyn Fn() -> Result<Client>,
    limits: Limits,
    text: &str,
    turn: u16,
) -> Result<String> {
    let map = Map::parse(text)?;
    let bytes = View::new(&map.state, Player::One, turn)?.encode()?;
    let client = match client {
        Some(client) => client,
        none => none.insert(open()?),
    };
    let answer = client.decide(GameId::PlanetWars, &bytes, limits)?;
    let line = |order: &rival_core::games::planet_wars::Order| {
        format!("{} {} {}\n", order.source, order.destination, order.ships)
    };
    Ok(orders_of(&answer.action)?.iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkSpec;

    fn talk(text: &str) -> String {
        let mut output = Vec::new();
        let limits = Limits { nodes: 2_000, ..Limits::default() };
        run(&|| Ok(Client::open(&LinkSpec::InProcess)?), limits, text.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn every_state_is_answered_and_closed_with_go() {
        let state = "P 0 0 1 100 5\nP 2.5e1 0.0 2 100 5\nP 4 0 0 10 5 # near\nF 2 5 1 0 25 3\n\ngo\n";
        let said = talk(&state.repeat(3));
        assert_eq!(said.lines().filter(|line| *line == "go").count(), 3, "{said}");
        let first = said.lines().next().unwrap();
        assert!(first.starts_with("0 2 "), "the near planet is worth taking: {said}");
    }

    #[test]
    fn nothing_is_said_at_the_end_of_input() {
        assert_eq!(talk(""), "");
        assert_eq!(talk("P 0 0 1 100 5\n"), "", "a state that is not complete");
    }

    #[test]
    fn a_state_that_cannot_be_read_still_gets_its_go() {
        assert_eq!(talk("P 0 0 7 100 5\ngo\n"), "go\n");
    }
}
