//! A game written down: what it started from and what everybody did. The dice are the seed's, so that this is all it
//! takes to play it again, line by line.
//!
//! JSON Lines: the start, then one line a decision, then the log in words.

use std::collections::VecDeque;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::battletech::{Action, Phase};
use rival_core::wire::Limits;
use serde::{Deserialize, Serialize};

use super::agent::state_bytes;
use super::design::Design;
use super::files::Reader;
use super::files::map::MapFile;
use super::referee::{Game, Player, Verdict};
use crate::client::{Answer, Client};
use crate::link::LinkSpec;
use crate::recording::{Conformance, lines};

/// Decisions of a recording that are asked again on both sides of a link.
const ASKED_AGAIN: usize = 40;

/// What a game starts from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Start {
    /// Whether the manual's rules are played.
    pub book: bool,
    /// Seed of the dice.
    pub seed: u64,
    /// The map as the simulator writes it.
    pub map: String,
    /// The mechs.
    pub designs: Vec<Design>,
}

impl Start {
    /// The start of a game of these designs.
    pub fn new(book: bool, seed: u64, map: &MapFile, designs: Vec<Design>) -> Self {
        Self { book, seed, map: super::files::from_cp1252(&map.write()), designs }
    }

    /// The game at its start.
    pub fn game(&self) -> Result<Game> {
        let map = MapFile::read(Reader::new("the recorded map", &super::files::to_cp1252(&self.map)))?;
        ensure!(!self.designs.is_empty(), "a game needs mechs");
        Ok(Game::new(self.book, map, &self.designs, self.seed))
    }
}

/// Something that a player decided, allowed or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Who.
    pub who: usize,
    /// In which phase.
    pub phase: Phase,
    /// What.
    pub action: Action,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Battletech(Box<Start>),
    Decision(Box<Decision>),
    Log(String),
}

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What it started from.
    pub start: Start,
    /// What everybody did, in order.
    pub decisions: Vec<Decision>,
    /// What happened, in words.
    pub log: Vec<String>,
}

impl Recording {
    /// A game that was played from this start.
    pub fn new(start: Start, game: &Game) -> Self {
        Self { start, decisions: game.decisions.clone(), log: game.dice.log.clone() }
    }

    /// Writes it.
    pub fn write(&self, mut out: impl Write) -> Result<()> {
        let decisions = self.decisions.iter().map(|decision| Line::Decision(Box::new(decision.clone())));
        let log = self.log.iter().map(|line| Line::Log(line.clone()));
        for line in core::iter::once(Line::Battletech(Box::new(self.start.clone()))).chain(decisions).chain(log) {
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        Ok(())
    }

    /// Reads it.
    pub fn read(path: &Path) -> Result<Self> {
        let mut recording: Option<Self> = None;
        for line in lines(path)? {
            let (number, value) = line?;
            let line: Line = serde_json::from_value(value)
                .with_context(|| format!("{}, line {number}: not a line of a recorded game", path.display()))?;
            match (line, &mut recording) {
                (Line::Battletech(start), None) => {
                    recording = Some(Self { start: *start, decisions: Vec::new(), log: Vec::new() });
                }
                (Line::Decision(decision), Some(recording)) => recording.decisions.push(*decision),
                (Line::Log(line), Some(recording)) => recording.log.push(line),
                _ => bail!("{}, line {number}: a recorded game starts with its start, once", path.display()),
            }
        }
        recording.with_context(|| format!("{} is empty", path.display()))
    }

    /// Plays it again; `see` is shown every decision before it is made.
    pub fn replay(&self, mut see: impl FnMut(&Game, &Decision) -> Result<()>) -> Result<(Game, Verdict)> {
        let mut game = self.start.game()?;
        let queue = core::cell::RefCell::new((self.decisions.iter().collect::<VecDeque<_>>(), None));
        let see = core::cell::RefCell::new(&mut see);
        let act = |game: &Game, who: usize, phase: Phase| {
            let (decisions, error) = &mut *queue.borrow_mut();
            let recorded = decisions.pop_front().filter(|decision| decision.who == who && decision.phase == phase);
            let Some(decision) = recorded else {
                error.get_or_insert_with(|| {
                    anyhow::anyhow!("turn {}: {} of player {who} is not recorded", game.turn, phase.name())
                });
                return Action::nothing(phase);
            };
            if error.is_none() {
                *error = (see.borrow_mut())(game, decision).err();
            }
            decision.action.clone()
        };
        let mut seats = vec![act; game.mechs.len()];
        let mut players: Vec<&mut dyn Player> = seats.iter_mut().map(|seat| seat as &mut dyn Player).collect();
        let verdict = game.play(&mut players);
        match queue.into_inner() {
            (_, Some(error)) => Err(error),
            (left, None) if !left.is_empty() => bail!("{} decisions come after the end of the game", left.len()),
            _ => Ok((game, verdict)),
        }
    }
}

/// Shows a recorded game again and insists that it happens as it was written.
pub fn show(path: &Path, out: &mut dyn Write) -> Result<()> {
    let recording = Recording::read(path)?;
    let (game, verdict) = recording.replay(|_, _| Ok(()))?;
    for (at, line) in game.dice.log.iter().enumerate() {
        ensure!(recording.log.get(at) == Some(line), "line {} of the log was: {:?}", at + 1, recording.log.get(at));
        writeln!(out, "{line}")?;
    }
    ensure!(recording.log.len() == game.dice.log.len(), "the recorded log goes on after the end of the game");
    let (decisions, lines) = (recording.decisions.len(), game.dice.log.len());
    let verdict = game.verdict_text(verdict);
    writeln!(out, "{verdict}; {decisions} decisions and {lines} lines, all as recorded")?;
    Ok(())
}

/// Plays a recording again, compares its log, and asks the agent in some of its states on both sides of a link.
pub fn conform(path: &Path, link: &LinkSpec, limits: Limits) -> Result<Conformance> {
    let recording = Recording::read(path)?;
    let mut result = Conformance::default();
    let stride = recording.decisions.len().div_ceil(ASKED_AGAIN).max(1);
    let mut clients = [Client::open(&LinkSpec::InProcess)?, Client::open(link)?];
    let (mut at, mut asked) = (0, 0);
    let (game, _) = recording.replay(|game, decision| {
        at += 1;
        if at % stride != 0 || *link == LinkSpec::InProcess {
            return Ok(());
        }
        asked += 1;
        let (map, state) = (game.load_bytes(), state_bytes(game, decision.who, decision.phase)?);
        let mut ask = |client: usize| -> Result<(Vec<u8>, i32, u32)> {
            clients[client].load(GameId::Battletech, &map)?;
            let Answer { action, statistics, .. } = clients[client].decide(GameId::Battletech, &state, limits)?;
            Ok((action, statistics.value, statistics.nodes))
        };
        let (here, there) = (ask(0)?, ask(1)?);
        result.compare(
            format_args!("decision {at}, {} of player {}", decision.phase.name(), decision.who),
            &here,
            &there,
        );
        Ok(())
    })?;
    for (number, line) in game.dice.log.iter().enumerate() {
        result.compare(format_args!("line {} of the log", number + 1), &Some(line), &recording.log.get(number));
    }
    result.compare("lines of the log", &game.dice.log.len(), &recording.log.len());
    result.notes.push(format!("{asked} decisions asked on both sides of the line"));
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::battletech::opponents::{Charger, Random};
    use crate::games::battletech::series::Setting;

    fn recorded(book: bool) -> Recording {
        let options = [("rules".to_owned(), if book { "book" } else { "ugr" }.to_owned())];
        let setting = Setting::new(Some("forest"), &options).unwrap();
        let start = setting.start(5, 2);
        let mut game = start.game().unwrap();
        game.play(&mut [&mut Random::new(3), &mut Charger]);
        Recording::new(start, &game)
    }

    #[test]
    fn a_recording_replays_line_by_line() {
        for book in [false, true] {
            let recording = recorded(book);
            let path = std::env::temp_dir().join(format!("rival-record-{}-{book}.jsonl", std::process::id()));
            recording.write(std::fs::File::create(&path).unwrap()).unwrap();
            let mut shown = Vec::new();
            show(&path, &mut shown).unwrap();
            assert!(String::from_utf8(shown).unwrap().contains("all as recorded"));
            let result = conform(&path, &LinkSpec::InProcess, Limits::default()).unwrap();
            assert!(result.mismatches == 0 && result.steps > 50);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_changed_recording_is_found_out() {
        let mut recording = recorded(false);
        recording.decisions.remove(3);
        assert!(recording.replay(|_, _| Ok(())).is_err());
        let mut recording = recorded(false);
        recording.start.seed ^= 1;
        let changed = recording.replay(|_, _| Ok(())).map_or(true, |(game, _)| game.dice.log != recording.log);
        assert!(changed);
    }
}
