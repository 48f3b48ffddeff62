//! The games typed at a serial terminal, without any program on the other side.
//!
//! A line of printable text instead of a frame opens the console. Only then does it echo: a program that speaks frames
//! never sees a character of it.

use core::fmt::{self, Write};

use heapless::{Deque, String, Vec};

use crate::agent::{Decision, Level};
use crate::games::{GameId, StateError, mancala, parchis};
use crate::wire::{Ending, Identity, Limits, Source, Statistics};

/// Longest line that can be typed.
const LINE: usize = 64;
/// Positions that `undo` can go back to. Older ones are forgotten.
const UNDO: usize = 8;
/// Longest state in its game's own bytes, for the games that can be played here.
const STATE: usize = 256;

/// A game as the console sees it: one that needs no map and whose moves can be typed.
pub trait Playable: Copy + fmt::Display {
    /// A move.
    type Move: Copy + fmt::Display;
    /// Which game it is.
    const GAME: GameId;
    /// How a move is written.
    const HOW: &'static str;
    /// What the two players are called.
    const PLAYERS: [&'static str; 2];

    /// The start of a game.
    fn start() -> Self;
    /// Who is to move, 0 or 1.
    fn to_move(&self) -> u8;
    /// The move that the words stand for, or why it cannot be made.
    fn read(&self, words: &str) -> Result<Self::Move, &'static str>;
    /// The move in the bytes of a decision.
    fn action(&self, bytes: &[u8]) -> Option<Self::Move>;
    /// The position after a move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self;
    /// `None` while the game goes on; else who won, if anybody.
    fn winner(&self) -> Option<Option<u8>>;
    /// The bytes for the agent.
    fn bytes(&self) -> Vec<u8, STATE>;
    /// What a value of the search means, in words or numbers.
    fn value(value: i32, out: &mut dyn Write) -> fmt::Result;
    /// What is proven, if the game has words for it that say more than the value. Nothing is written otherwise.
    fn proven(_guaranteed: i32, _exact: bool, _out: &mut dyn Write) -> fmt::Result {
        Ok(())
    }
}

/// Something for the agent to decide.
#[derive(Clone, Debug)]
pub struct Task {
    /// Which game.
    pub game: GameId,
    /// The state, in the game's own bytes.
    pub state: Vec<u8, STATE>,
    /// What the decision may cost.
    pub limits: Limits,
}

/// A game in progress: where it stands and how it came there.
struct Match<P> {
    now: P,
    past: Deque<P, UNDO>,
    human: u8,
}

#[expect(clippy::large_enum_variant, reason = "one game is played at a time, and there is no heap")]
enum Board {
    Mancala(Match<mancala::State>),
    Parchis(Match<parchis::State>),
}

/// Runs `$body` with `$game` bound to the game in progress.
macro_rules! with_match {
    ($board:expr, $game:ident => $body:expr) => {
        match $board {
            Board::Mancala($game) => $body,
            Board::Parchis($game) => $body,
        }
    };
}

/// The console. See the [module](self).
pub struct Console {
    open: bool,
    line: String<LINE>,
    too_long: bool,
    after_return: bool,
    board: Option<Board>,
    level: Level,
    hinting: bool,
    last: Option<Statistics>,
}

impl Default for Console {
    fn default() -> Self {
        Self::new()
    }
}

const HELP: &str = "\
help                                this text
games                               what can be played
new mancala [first|second] [1..10]  a new game: its name, your seat, my level
show                                the board
move 3   (or just 3)                your move
hint                                what I would do in your place
undo                                take your last move back
stats                               how I came to my last move
quit                                close the console
";

impl Console {
    /// A closed console.
    pub const fn new() -> Self {
        Self {
            open: false,
            line: String::new(),
            too_long: false,
            after_return: false,
            board: None,
            level: Level::STRONGEST,
            hinting: false,
            last: None,
        }
    }

    /// Closes it, because a program has begun to talk on the line. The game in progress is kept.
    pub fn close(&mut self) {
        self.open = false;
        self.drop_line();
    }

    /// Forgets what has been typed since the last line end.
    pub fn drop_line(&mut self) {
        self.line.clear();
        self.too_long = false;
    }

    /// Takes in a character. A complete line may ask for a decision.
    pub fn typed(&mut self, byte: u8, identity: &dyn Fn() -> Identity, out: &mut dyn Write) -> Option<Task> {
        let mut out = Lines(out);
        let line_feed_of_a_pair = byte == b'\n' && self.after_return;
        self.after_return = byte == b'\r';
        // What is written goes to a terminal that may be too slow or gone: there is nobody to tell.
        let asked = match byte {
            b'\r' | b'\n' if line_feed_of_a_pair => Ok(None),
            b'\r' | b'\n' => self.enter(identity, &mut out),
            0x08 | 0x7F => self.erase(&mut out).map(|()| None),
            0x03 => self.abandon(&mut out).map(|()| None),
            b'\t' => self.keep(b' ', &mut out).map(|()| None),
            _ => self.keep(byte, &mut out).map(|()| None),
        };
        asked.unwrap_or_default()
    }

    fn keep(&mut self, byte: u8, out: &mut impl Write) -> fmt::Result {
        if self.line.push(char::from(byte)).is_err() {
            self.too_long = true;
        } else if self.open {
            out.write_char(char::from(byte))?;
        }
        Ok(())
    }

    fn erase(&mut self, out: &mut impl Write) -> fmt::Result {
        if self.line.pop().is_some() && self.open {
            out.write_str("\x08 \x08")?;
        }
        Ok(())
    }

    fn abandon(&mut self, out: &mut impl Write) -> fmt::Result {
        self.drop_line();
        if self.open { out.write_str("^C\n> ") } else { Ok(()) }
    }

    fn enter(&mut self, identity: &dyn Fn() -> Identity, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let line = core::mem::take(&mut self.line);
        let too_long = core::mem::take(&mut self.too_long);
        if self.open {
            out.write_str("\n")?;
        } else {
            self.open = true;
            let identity = identity();
            writeln!(out, "\nRival {} on {}. Type help for help.", identity.firmware, identity.board)?;
        }
        if too_long {
            writeln!(out, "That line is too long: {LINE} characters are the most.")?;
            out.write_str("> ")?;
            return Ok(None);
        }
        let task = self.obey(line.trim(), out)?;
        if self.open && task.is_none() {
            out.write_str("> ")?;
        }
        Ok(task)
    }

    fn obey(&mut self, line: &str, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match verb {
            "" => {}
            "help" | "?" => out.write_str(HELP)?,
            "games" => {
                writeln!(out, "mancala   {}", <mancala::State as Playable>::HOW)?;
                writeln!(out, "parchis   {}", <parchis::State as Playable>::HOW)?;
            }
            "new" => return self.new_game(rest, out),
            "show" => self.show(out)?,
            "hint" => return self.hint(out),
            "undo" => self.undo(out)?,
            "stats" => self.statistics(out)?,
            "quit" | "exit" => {
                self.board = None;
                self.open = false;
                writeln!(out, "Goodbye.")?;
            }
            "move" => return self.human_move(rest, out),
            _ if verb.starts_with(|first: char| first.is_ascii_digit()) => return self.human_move(line, out),
            _ => writeln!(out, "I do not know \"{verb}\". Type help for what I know.")?,
        }
        Ok(None)
    }

    fn new_game(&mut self, words: &str, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let mut human = 0;
        let mut level = Level::STRONGEST;
        let mut words = words.split_ascii_whitespace();
        let name = words.next().unwrap_or("");
        for word in words {
            match (word, word.parse().ok().and_then(Level::new)) {
                ("first", _) => human = 0,
                ("second", _) => human = 1,
                (_, Some(chosen)) => level = chosen,
                _ => {
                    writeln!(out, "\"{word}\" is neither first, second nor a level from 1 to 10.")?;
                    return Ok(None);
                }
            }
        }
        self.board = Some(match name {
            "mancala" => Board::Mancala(Match::new(human)),
            "parchis" => Board::Parchis(Match::new(human)),
            _ => {
                writeln!(out, "I cannot play \"{name}\" here. Type games for what I can.")?;
                return Ok(None);
            }
        });
        self.level = level;
        self.last = None;
        self.show(out)?;
        self.think_if_mine(out)
    }

    fn show(&self, out: &mut impl Write) -> fmt::Result {
        match &self.board {
            None => writeln!(out, "There is no game. Start one with: new mancala"),
            Some(board) => with_match!(board, game => game.show(out)),
        }
    }

    fn hint(&mut self, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let task = match &self.board {
            None => {
                self.show(out)?;
                None
            }
            Some(board) => with_match!(board, game => game.task(Level::STRONGEST)),
        };
        self.hinting = task.is_some();
        Ok(task)
    }

    fn undo(&mut self, out: &mut impl Write) -> fmt::Result {
        let undone = match &mut self.board {
            None => return self.show(out),
            Some(board) => with_match!(board, game => game.undo()),
        };
        if undone { self.show(out) } else { writeln!(out, "There is nothing to take back.") }
    }

    fn human_move(&mut self, words: &str, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let moved = match &mut self.board {
            None => {
                self.show(out)?;
                return Ok(None);
            }
            Some(board) => with_match!(board, game => game.human_move(words)),
        };
        if let Err(reason) = moved {
            writeln!(out, "{reason}")?;
            return Ok(None);
        }
        self.show(out)?;
        self.think_if_mine(out)
    }

    fn think_if_mine(&mut self, out: &mut impl Write) -> Result<Option<Task>, fmt::Error> {
        let level = self.level;
        let task = match &self.board {
            Some(board) => with_match!(board, game => if game.is_humans() { None } else { game.task(level) }),
            None => None,
        };
        if task.is_some() {
            writeln!(out, "I am thinking ...")?;
        }
        Ok(task)
    }

    /// Takes in the agent's decision. It may ask for the next one, after an extra turn.
    pub fn decided(&mut self, decision: &Decision, out: &mut dyn Write) -> Option<Task> {
        let mut out = Lines(out);
        let hinting = core::mem::take(&mut self.hinting);
        let done = match &mut self.board {
            Some(board) => with_match!(board, game => game.decided(decision, hinting, &mut out)),
            None => return None,
        };
        self.last = Some(decision.statistics.clone());
        let task = match done {
            Ok(true) if !hinting => self.show(&mut out).and_then(|()| self.think_if_mine(&mut out)).unwrap_or_default(),
            _ => None,
        };
        if task.is_none() {
            let _ = out.write_str("> ");
        }
        task
    }

    /// The agent would not take the state.
    pub fn refused(&mut self, reason: StateError, out: &mut dyn Write) {
        self.hinting = false;
        let _ = write!(Lines(out), "I cannot think about this: {reason}.\n> ");
    }

    fn statistics(&self, out: &mut impl Write) -> fmt::Result {
        let Some(statistics) = &self.last else { return writeln!(out, "I have not thought yet.") };
        let Statistics { nodes, depth, search_us, table_hits, stack_peak, .. } = statistics;
        writeln!(out, "{nodes} positions, depth {depth}, {search_us} us, ended by {:?}", statistics.ending)?;
        writeln!(out, "{table_hits} answered by the table, {stack_peak} bytes of stack at most")?;
        for mark in &statistics.marks {
            writeln!(out, "{}: {} of {}", mark.table.name(), mark.used, mark.capacity)?;
        }
        Ok(())
    }
}

impl<P: Playable> Match<P> {
    fn new(human: u8) -> Self {
        Self { now: P::start(), past: Deque::new(), human }
    }

    fn is_humans(&self) -> bool {
        self.now.winner().is_none() && self.now.to_move() == self.human
    }

    fn name(player: u8) -> &'static str {
        P::PLAYERS[usize::from(player & 1)]
    }

    fn show(&self, out: &mut impl Write) -> fmt::Result {
        writeln!(out, "{}", self.now)?;
        match self.now.winner() {
            Some(None) => writeln!(out, "The game is over: a draw."),
            Some(Some(winner)) => {
                let who = if winner == self.human { "you" } else { "I" };
                writeln!(out, "The game is over: {} ({who}) won.", Self::name(winner))
            }
            None if self.is_humans() => writeln!(out, "{} (you) to move: {}", Self::name(self.human), P::HOW),
            None => writeln!(out, "{} (me) to move.", Self::name(self.now.to_move())),
        }
    }

    fn task(&self, level: Level) -> Option<Task> {
        self.now.winner().is_none().then(|| Task { game: P::GAME, state: self.now.bytes(), limits: level.limits() })
    }

    fn human_move(&mut self, words: &str) -> Result<(), &'static str> {
        if self.now.winner().is_some() {
            return Err("The game is over. Start another with: new");
        }
        let mv = self.now.read(words)?;
        if self.past.is_full() {
            self.past.pop_front();
        }
        let _ = self.past.push_back(self.now);
        self.now = self.now.after(mv);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let before = self.past.pop_back();
        if let Some(before) = before {
            self.now = before;
        }
        before.is_some()
    }

    /// Plays or shows what the agent decided; whether there was something to play.
    fn decided(&mut self, decision: &Decision, hinting: bool, out: &mut impl Write) -> Result<bool, fmt::Error> {
        let Some(mv) = self.now.action(&decision.action) else {
            writeln!(out, "I have no move.")?;
            return Ok(false);
        };
        let who = if hinting { "I would play" } else { "I play" };
        let statistics = &decision.statistics;
        match statistics.source {
            Source::Search => write!(out, "{who} {mv} (depth {}, ", statistics.depth)?,
            source => write!(out, "{who} {mv} ({}, ", source.name())?,
        }
        P::value(statistics.value, out)?;
        if let Some(guaranteed) = statistics.guaranteed {
            P::proven(guaranteed, statistics.ending == Ending::Proven, out)?;
        }
        writeln!(out, ", {} ms)", decision.statistics.search_us / 1_000)?;
        if !hinting {
            self.now = self.now.after(mv);
        }
        Ok(true)
    }
}

/// Turns line feeds into what a terminal wants.
struct Lines<'a>(&'a mut dyn Write);

impl Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.0.write_str("\r\n")?;
            }
            self.0.write_str(line)?;
        }
        Ok(())
    }
}
