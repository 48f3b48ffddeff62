//! A line program: other Parchis programs can be matched against it.
//!
//! | request | answer |
//! |---|---|
//! | `hello`, `new`, `hash` | `ok pl=<player to act> w=<winner or -1> h=<hash>` |
//! | `set <state as JSON>` | the same, or `illegal` |
//! | `state` | the state as JSON |
//! | `moves` | `moves <n> die:colour:id …`, in the original order |
//! | `play <die> <colour> <id>` | `ok …`, or `illegal` |
//! | `go` | `best <die> <colour> <id> ms=… nodes=… depth=…`; the action is not played |
//! | `quit` | nothing |
//!
//! Codes, hash and JSON are those of the recordings.

use core::fmt::Write as _;
use std::io::{BufRead, Write};
use std::time::Instant;

use anyhow::{Context, Result};
use rival_core::games::GameId;
use rival_core::games::parchis::{Move, State};
use rival_core::wire::Limits;

use super::record::{SKIP, StateRecord, action_of, action_record, special_code};
use crate::client::Client;

/// The game at hand, with what only reports need.
struct Board {
    state: State,
    actions: u32,
    report: [i32; 3],
}

impl Board {
    const fn new(state: State) -> Self {
        Self { state, actions: 0, report: [-1, 0, -1] }
    }

    fn ok(&self) -> String {
        let winner = self.state.winner().map_or(-1, |player| player as i32);
        format!("ok pl={} w={winner} h={:016x}", self.state.turn() as u8, self.state.hash())
    }

    fn set(&mut self, json: &str) -> Option<()> {
        let record: StateRecord = serde_json::from_str(json).ok()?;
        let state = record.state().ok()?;
        *self = Self { state, actions: record.t.saturating_sub(1), report: record.x };
        Some(())
    }

    fn play(&mut self, mv: Move) {
        let after = self.state.play(mv);
        self.report[0] = i32::from(mv.die().code());
        if mv.piece().is_some() {
            if mv.die().special().is_none() {
                self.report[1] = i32::from(mv.bounces());
            }
            self.report[2] = acquired(&self.state, &after);
        }
        self.actions += 1;
        self.state = after;
    }
}

/// The original program's report of an item picked up: the kind of the one that followed it in the list, or its own if
/// it was the last. A quirk, kept because other programs may read it.
fn acquired(before: &State, after: &State) -> i32 {
    let left: Vec<_> = after.items().collect();
    let Some((at, taken)) = before.items().enumerate().filter(|(_, item)| !left.contains(item)).last() else {
        return -1;
    };
    let next = before.items().nth(at + 1).unwrap_or(taken);
    i32::from(special_code(next.1))
}

/// Answers requests until the input ends or it is told to quit.
pub(super) fn run(
    open: &dyn Fn() -> Result<Client>,
    limits: Limits,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<()> {
    let mut board = Board::new(State::start());
    let mut client = None;
    for line in input.lines() {
        let line = line?;
        let (verb, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let answer = match verb {
            "" => continue,
            "hello" | "hash" => board.ok(),
            "new" => {
                board = Board::new(State::start());
                board.ok()
            }
            "set" => board.set(rest).map_or_else(|| "illegal".into(), |()| board.ok()),
            "state" => {
                let record = StateRecord { x: board.report, ..StateRecord::of(&board.state, board.actions) };
                serde_json::to_string(&record)?
            }
            "moves" => {
                let legal = board.state.legal();
                let mut text = format!("moves {}", legal.len());
                for mv in legal {
                    let (die, colour, id) = action_record(&board.state, mv);
                    let _ = write!(text, " {die}:{colour}:{id}");
                }
                text
            }
            "play" => match read_action(&board.state, rest) {
                Some(mv) => {
                    board.play(mv);
                    board.ok()
                }
                None => "illegal".into(),
            },
            "go" if board.state.is_over() => "illegal".into(),
            "go" => {
                let client = match &mut client {
                    Some(client) => client,
                    none => none.insert(open()?),
                };
                think(client, &board.state, limits)?
            }
            "quit" => break,
            _ => "illegal".into(),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn read_action(state: &State, text: &str) -> Option<Move> {
    let mut words = text.split_ascii_whitespace();
    let record = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    if words.next().is_some() {
        return None;
    }
    // -1 is a skip as well: some programs write it so.
    let record = if record.2 == -1 { (record.0, record.1, SKIP) } else { record };
    action_of(state, record)
}

fn think(client: &mut Client, state: &State, limits: Limits) -> Result<String> {
    let started = Instant::now();
    let answer = client.decide(GameId::Parchis, &state.encode(), limits)?;
    let mv = state.decode_move(&answer.action).context("the agent's action is illegal")?;
    let (die, colour, id) = action_record(state, mv);
    let ms = started.elapsed().as_millis();
    let (nodes, depth) = (answer.statistics.nodes, answer.statistics.depth);
    Ok(format!("best {die} {colour} {id} ms={ms} nodes={nodes} depth={depth}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkSpec;

    fn talk(text: &str) -> Vec<String> {
        let mut output = Vec::new();
        let limits = Limits { nodes: 500, ..Limits::default() };
        run(&|| Ok(Client::open(&LinkSpec::InProcess)?), limits, text.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn the_start_is_told_with_its_hash_and_moves() {
        let said = talk("hello\nmoves\nquit\nhello\n");
        assert_eq!(said.len(), 2, "nothing is answered after quit");
        assert_eq!(said[0], "ok pl=0 w=-1 h=1f9660fc1b3f4dc7");
        assert!(said[1].starts_with("moves 30 6:3:0 6:3:1 6:3:2 6:1:0"), "{}", said[1]);
    }

    #[test]
    fn actions_are_played_or_illegal() {
        let said = talk("play 6 1 2\nplay 6 1 2\nplay 3 1 2\nplay\nnonsense\nhash\n");
        assert_eq!(said[0], "ok pl=0 w=-1 h=76211eb4cbb1ff9f");
        assert_eq!(said[1..5], ["illegal", "illegal", "illegal", "illegal"]);
        assert_eq!(said[5], said[0]);
    }

    #[test]
    fn a_state_survives_its_json() {
        let said = talk("play 6 1 2\nplay 4 3 1\nplay 1 0 0\nhash\nstate\n");
        let again = talk(&format!("set {}\nstate\nset {{}}\n", said[4]));
        assert_eq!(again[0], said[3]);
        assert_eq!(again[1], said[4]);
        assert_eq!(again[2], "illegal");
    }

    /// A whole session, answer by answer.
    #[test]
    fn a_scripted_session_is_answered_line_by_line() {
        let state = r#"{"p":[[[0,21,4,0],[0,30,4,0],[0,34,4,0]],[[0,38,4,0],[0,47,4,0],[0,51,4,0]],[[0,55,4,0],[0,64,4,0],[0,68,4,0]],[[3,0,4,0],[3,0,4,0],[2,7,4,0]]],"it":[],"tr":[],"d":{"y":[[1,2],[]],"b":[[1,2,4,5,6],[]]},"pl":0,"cc":3,"bo":[0,0,0,0],"f":[0,0,0,0],"ob":-1,"t":1,"x":[-1,0,-1]}"#;
        let script = format!(
            "hello\nnew\nhash\nplay 6 1 2\nplay 6 1 2\nset {state}\nstate\nmoves\nplay 2 3 9\nplay 1 3 2\nmoves\ngo\n\
             play 1 1 0\nnew\nquit\n"
        );
        let said = talk(&script);
        let start = "ok pl=0 w=-1 h=1f9660fc1b3f4dc7";
        assert_eq!(said[..3], [start; 3]);
        assert_eq!(said[3..5], ["ok pl=0 w=-1 h=76211eb4cbb1ff9f", "illegal"]);
        assert!(said[5].starts_with("ok pl=0 w=-1 h="), "{}", said[5]);
        assert_eq!(said[6], state, "a state comes back as it was set");
        // Yellow's last piece reaches the goal with the 1 and bounces with the 2.
        assert_eq!(said[7], "moves 8 2:3:2 2:1:0 2:1:1 2:1:2 1:3:2 1:1:0 1:1:1 1:1:2");
        assert_eq!(said[8], "illegal", "there is no piece 9");
        assert!(said[9].starts_with("ok pl=1 w=0 h="), "{}", said[9]);
        assert_eq!(said[10..13], ["moves 0", "illegal", "illegal"], "the game is over");
        assert_eq!(said[13..], [start]);
    }

    /// The item that followed the taken one in the list is reported, or the taken one itself if it was the last.
    #[test]
    fn the_item_acquired_is_the_one_that_followed_it() {
        let item = |script: &str| {
            let said = talk(&format!("{script}\nstate\n"));
            let record: StateRecord = serde_json::from_str(said.last().unwrap()).unwrap();
            record.x[2]
        };
        // A star lies on 5, and the mega-mushroom of 6 follows it in the list.
        assert_eq!(item("play 1 3 0"), 107);
        assert_eq!(item("play 4 3 0"), -1);
    }

    #[test]
    fn go_answers_with_a_legal_action() {
        let said = talk("go\n");
        let words: Vec<_> = said[0].split(' ').collect();
        assert_eq!((words[0], words.len()), ("best", 7));
        let played = talk(&format!("play {} {} {}\n", words[1], words[2], words[3]));
        assert!(played[0].starts_with("ok "), "{played:?}");
        // The leaves of one position are visited together and may pass the limit.
        let nodes: u32 = words[5].trim_start_matches("nodes=").parse().unwrap();
        assert!((500..550).contains(&nodes), "{said:?}");
    }
}
