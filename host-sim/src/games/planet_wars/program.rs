//! Any program that speaks the contest's text protocol, in a seat of a match.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use rival_core::games::planet_wars::{Line, Player};

use super::referee::{Game, Said, Seat};

/// A program that is started anew for every game: it learns of a new one by nothing else.
pub struct Program {
    command: String,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// A program by its command: words without blanks in them.
    pub fn new(command: &str) -> Self {
        Self { command: command.into(), running: None }
    }

    fn start(&self) -> Result<Running> {
        let mut words = self.command.split_whitespace();
        let program = words.next().context("which program? Write bot:<program and its arguments>")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{program} has no input or no output")
        };
        Ok(Running { child, input, output: BufReader::new(output).lines() })
    }
}

impl Seat for Program {
    fn orders(&mut self, game: &Game, me: Player) -> Result<Said> {
        if game.turn == 0 {
            self.running = Some(self.start()?);
        }
        let running = self.running.as_mut().context("a game begins with its first turn")?;
        running.input.write_all((game.map.text(&game.state, me) + "go\n").as_bytes())?;
        running.input.flush()?;
        let mut orders = Vec::new();
        for line in &mut running.output {
            let line = line?;
            match Line::parse(&line) {
                Ok(Line::Go) => return Ok((orders, None)),
                Ok(Line::Order(order)) => orders.push(order),
                Err(_) => bail!("{} said {line:?}, which is no order", self.command),
            }
        }
        bail!("{} ended in turn {}", self.command, game.turn + 1)
    }
}
