//! Plays inside the contest's own engines: their text on standard input, orders on standard output.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Player, TURNS, View};
use rival_core::wire::Limits;

use super::map::Map;
use super::referee::orders_of;
use crate::client::Client;

/// Kept back from the contest's second: the engine's clock starts before its text is here, and it reads a line of an
/// answer every two milliseconds.
const MARGIN_US: u32 = 150_000;

/// Turns still to be played that a game past its last known turn is thought to have: more than the agent looks ahead.
const OVERTIME: u16 = 50;

/// The turns of a game from the words behind the command: `turns=<n>`, or those of the tournament server.
fn turns_of(arguments: &[String]) -> Result<u16> {
    match arguments {
        [] => Ok(TURNS),
        [word] if word.starts_with("turns=") => {
            let turns = word.trim_start_matches("turns=").parse().ok().filter(|&turns| turns > 0);
            turns.with_context(|| format!("\"{word}\" needs a number from 1 to {}", u16::MAX))
        }
        words => bail!("`rival bot planet-wars` takes turns=<n> and nothing else, not \"{}\"", words.join(" ")),
    }
}

/// Answers states until the input ends. The link is opened with the first one.
pub(super) fn run(
    open: &dyn Fn() -> Result<Client>,
    mut limits: Limits,
    arguments: &[String],
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<()> {
    let turns = turns_of(arguments)?;
    if limits.time_us > 0 {
        limits.time_us = limits.time_us.saturating_sub(MARGIN_US).max(10_000);
    }
    let mut client = None;
    let mut text = String::new();
    let mut turn: u16 = 0;
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        // What is no text cannot be a state, but the next one may be.
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        bytes.clear();
        if !line.split('#').next().unwrap_or_default().trim().eq_ignore_ascii_case("go") {
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        turn = turn.saturating_add(1);
        // Nobody tells a bot how many turns there are. A game that goes on has some left.
        let left = if turn > turns { OVERTIME } else { turns - turn + 1 };
        // A turn without an answer is lost, a bot without a `go` is thrown out.
        match answer(&mut client, open, limits, &text, left) {
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
    turns_left: u16,
) -> Result<String> {
    let map = Map::parse(text)?;
    ensure!(
        Player::BOTH.into_iter().all(|player| map.state.is_alive(player)),
        "only one player is left, there is nothing to order"
    );
    let bytes = View { turns_left, ..View::new(&map.state, Player::One, 1)? }.encode()?;
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

    fn talk(text: impl AsRef<[u8]>) -> String {
        talk_for(&[], text).unwrap()
    }

    fn talk_for(words: &[&str], text: impl AsRef<[u8]>) -> Result<String> {
        let mut output = Vec::new();
        let limits = Limits { nodes: 2_000, ..Limits::default() };
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        run(&|| Ok(Client::open(&LinkSpec::InProcess)?), limits, &words, text.as_ref(), &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn every_state_is_answered_and_closed_with_go() {
        let state = "P 0 0 1 100 5\nP 2.5e1 0.0 2 100 5\nP 4 0 0 10 5 # near\nF 2 5 1 0 25 3\n\ngo\n";
        let said = talk(state.repeat(3));
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

    const STATE: &str = "P 0 0 1 100 5\nP 25 0 2 100 5\nP 4 0 0 10 5\ngo\n";

    #[test]
    fn bytes_that_are_no_text_cost_a_turn_and_no_more() {
        let said = talk([b"P \xff\xfe 1\nF\0x\ngo\n", STATE.as_bytes()].concat());
        assert_eq!(said, format!("go\n{}", talk(STATE)));
        assert!(talk(STATE).len() > 3, "the state alone is answered");
    }

    #[test]
    fn line_ends_of_windows_and_a_comment_behind_go_are_read() {
        assert_eq!(talk(STATE.replace('\n', "\r\n")), talk(STATE));
        assert_eq!(talk(STATE.replace("go", "Go # your turn")), talk(STATE));
    }

    /// The contest's engine in Java plays a turn more than it is told, and is mostly told 1,000.
    #[test]
    fn a_game_that_goes_on_is_played_on() {
        let said = talk_for(&["turns=2"], STATE.repeat(4)).unwrap();
        let turns: Vec<&str> = said.split_terminator("go\n").collect();
        assert_eq!(turns.len(), 4, "{said}");
        assert_eq!(turns[1], "", "nothing pays on the last turn");
        assert_ne!(turns[2], "", "there was another one after all");
        assert_eq!(talk_for(&["turns=1000"], STATE).unwrap(), talk(STATE));
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        for words in [&["turns=soon"][..], &["turns=0"], &["1000"], &["turns=3", "turns=4"]] {
            assert!(talk_for(words, STATE).is_err(), "{words:?}");
        }
    }
}
