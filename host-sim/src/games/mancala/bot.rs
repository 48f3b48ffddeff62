//! Plays inside the original simulator, which starts a bot as its child and talks to it over standard input and output.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use rival_core::games::GameId;
use rival_core::games::mancala::{Player as Side, State};
use rival_core::wire::Limits;

use super::pit_of;
use crate::client::Client;

/// Kept back from the simulator's limit: two processes and a pipe take their time.
const MARGIN_MS: u32 = 100;

/// Requests as words, wherever the line ends fall.
struct Words<R> {
    input: R,
    line: std::collections::VecDeque<String>,
}

impl<R: BufRead> Words<R> {
    fn next(&mut self) -> Result<Option<String>> {
        while self.line.is_empty() {
            let mut text = String::new();
            if self.input.read_line(&mut text)? == 0 {
                return Ok(None);
            }
            self.line.extend(text.split_ascii_whitespace().map(ToOwned::to_owned));
        }
        Ok(self.line.pop_front())
    }

    fn number(&mut self) -> Result<u32> {
        let word = self.next()?.context("the simulator stopped in the middle of a request")?;
        word.parse().with_context(|| format!("\"{word}\" is not a number"))
    }
}

/// Answers requests until the input ends or the simulator says so. The link is opened with the first move: the simulator
/// starts every bot once only to ask its name.
pub(super) fn run(
    open: &dyn Fn() -> Result<Client>,
    mut limits: Limits,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<()> {
    let mut words = Words { input, line: std::collections::VecDeque::new() };
    let mut client = None;
    while let Some(word) = words.next()? {
        let mut end = false;
        let answer = match word.to_ascii_uppercase().as_str() {
            "PING" => "PONG".into(),
            "GETNAME" => "Rival".into(),
            "TIMEOUT" => {
                let limit = words.number()?;
                if limit > 0 && limits.time_us > 0 {
                    limits.time_us = limits.time_us.min(limit.saturating_sub(MARGIN_MS).max(10).saturating_mul(1_000));
                }
                "OK".into()
            }
            "SETPLAYER" => {
                words.number()?;
                "OK".into()
            }
            "GETMOVE" => {
                let state = read_state(&mut words)?;
                let client = match &mut client {
                    Some(client) => client,
                    none => none.insert(open()?),
                };
                let answer = client.decide(GameId::Mancala, &state.encode(), limits)?;
                pit_of(&state, &answer.action).context("the agent's action is illegal")?.to_string()
            }
            "BADNAME" | "END" => {
                end = true;
                "OK".into()
            }
            other => bail!("the simulator asks \"{other}\", which is no request of its protocol"),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
        if end {
            break;
        }
    }
    Ok(())
}

/// The opponent's moves since ours, then whose turn it is and the board. The board says everything; the moves are passed
/// over.
fn read_state<R: BufRead>(words: &mut Words<R>) -> Result<State> {
    for _ in 0..words.number()? {
        words.number()?;
    }
    let turn = match words.number()? {
        0 => Side::J1,
        1 => Side::J2,
        other => bail!("there is no player {other}"),
    };
    let mut board = [[0; 7]; 2];
    for seeds in board.iter_mut().flatten() {
        *seeds = u8::try_from(words.number()?).context("too many seeds in one place")?;
    }
    State::new(turn, board).map_err(|error| anyhow::anyhow!("the simulator sent an impossible board: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkSpec;

    fn talk(text: &str) -> Result<String> {
        let mut output = Vec::new();
        let limits = Limits { nodes: 1_000, ..Limits::default() };
        run(&|| Ok(Client::open(&LinkSpec::InProcess)?), limits, text.as_bytes(), &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn the_first_process_is_only_asked_its_name() {
        assert_eq!(talk("PING\nGETNAME\nEND\n").unwrap(), "PONG\nRival\nOK\n");
    }

    #[test]
    fn a_game_is_answered_move_by_move() {
        let said = talk(
            "PING\nTIMEOUT\n2000\nSETPLAYER\n0\nGETMOVE\n0 0 0 4 4 4 4 4 4 0 4 4 4 4 4 4\n\
             GETMOVE\n0 0 1 5 5 5 0 4 4 0 4 4 4 4 4 4\nGETMOVE\n1 5 0 2 0 5 5 0 4 5 0 4 4 4 5 4 6\nEND\n",
        );
        let said = said.unwrap();
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines.len(), 7, "{said}");
        assert!(lines[3..6].iter().all(|line| (1..=6).contains(&line.parse::<u8>().unwrap())), "{said}");
    }

    #[test]
    fn a_broken_request_is_an_error() {
        for text in ["WHAT\n", "GETMOVE\n0 0 1 2\n", "GETMOVE\n0 2 0 4 4 4 4 4 4 0 4 4 4 4 4 4\n", "TIMEOUT\nsoon\n"] {
            assert!(talk(text).is_err(), "{text}");
        }
    }
}
