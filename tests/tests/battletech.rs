//! `BattleTech` as a whole: the emulated board against the desktop on recorded states, and against the clock.

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::io;
use std::sync::Arc;
use std::thread;

use rival_core::wire::Limits;
use rival_sim::client::Client;
use rival_sim::games::battletech::Battletech;
use rival_sim::games::battletech::agent::AgentPlayer;
use rival_sim::games::battletech::opponents::by_name;
use rival_sim::games::battletech::referee::{Game, Verdict};
use rival_sim::games::battletech::series::Setting;
use rival_sim::games::{Table, table};
use rival_sim::link::emulator::Emulator;
use rival_sim::link::{DEFAULT_BAUD, Link, LinkSpec, OpenLink};
use rival_tests::{emulated, image, root};

/// Recorded games replay line by line, and the decisions in their states are the same on both sides of the line.
#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let Some(image) = image() else { return };
    let link = LinkSpec::Emulator { shift: 3, image: Some(image) };
    let mut asked = 0;
    for (name, nodes) in [("ugr", 100_000), ("book", 40), ("three", 400)] {
        let file = root().join(format!("tests/data/battletech/{name}.jsonl.gz"));
        let limits = Limits { nodes, ..Limits::default() };
        let result = table("battletech").unwrap().conform(&file, &[], &link, limits).unwrap();
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        asked += result.notes[0].split(' ').next().and_then(|count| count.parse::<u32>().ok()).unwrap_or(0);
    }
    println!("figure: battletech, {asked} recorded states decided alike on the desktop and the emulated board");
    assert!(asked >= 100, "only {asked}");
}

/// The worst case: 8/12/8 mechs on the largest map, complete and inside the second.
#[test]
fn movement_on_the_largest_map_is_complete_inside_the_second() {
    let Some(mut client) = emulated(3) else { return };
    for position in Battletech.positions() {
        client.load(Battletech.id(), &position.load.unwrap()).unwrap();
        let limits = Limits { time_us: 1_000_000, ..Limits::default() };
        let answer = client.decide(Battletech.id(), &position.state, limits).unwrap();
        let whole = client.decide(Battletech.id(), &position.state, Limits::default()).unwrap();
        let time = answer.response_us(client.baud());
        println!("figure: battletech, {}: {} nodes in {time} us", position.name, answer.statistics.nodes);
        assert_eq!(answer.action, whole.action, "{}", position.name);
        assert_eq!(answer.statistics.nodes, whole.statistics.nodes, "{} was cut short", position.name);
        assert!(time < 1_000_000, "{}: {time} us", position.name);
    }
}

/// A board whose reset button is pressed now and then: by turns before a request for a decision goes out, and while the
/// board thinks about one.
struct Unsteady {
    inner: Emulator,
    requests: u32,
    resets: Arc<AtomicU32>,
}

/// Requests between two presses.
const STEADY: u32 = 7;

impl Unsteady {
    fn press(&mut self) -> io::Result<()> {
        self.resets.fetch_add(1, Ordering::Relaxed);
        assert!(self.inner.reset()?, "there is a monitor");
        Ok(())
    }
}

impl Link for Unsteady {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Greetings are shorter than any request with a state, maps are longer.
        let decision = (100..900).contains(&bytes.len());
        self.requests += u32::from(decision);
        let turn = if decision { self.requests % (2 * STEADY) } else { 0 };
        if turn == STEADY {
            self.press()?;
        }
        self.inner.write(bytes)?;
        if turn == 2 * STEADY - 1 {
            thread::sleep(Duration::from_millis(10));
            self.press()?;
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.inner.read(buffer, timeout)
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }

    fn reset(&mut self) -> io::Result<bool> {
        self.inner.reset()
    }
}

/// A game of the agent behind a link, and how often it had to be given the map again.
fn played(link: &LinkSpec, book: bool) -> (Game, Verdict, u32) {
    let rules = if book { "book" } else { "ugr" };
    let mut game = Setting::new(Some("lakes"), &[("rules".into(), rules.into())]).unwrap().game(77, 4);
    let limits = Limits { nodes: 150, ..Limits::default() };
    let mut agent = AgentPlayer::new(Client::open(link).unwrap(), limits);
    let mut other = by_name("document", 1).unwrap();
    let verdict = game.play(&mut [&mut agent, other.as_mut()]);
    assert!(agent.error.is_none(), "{:?}", agent.error);
    (game, verdict, agent.reloaded)
}

/// The board is reset again and again in the middle of a game, between decisions and during them: it is told the map again,
/// and the game is the very one that a board without resets plays.
#[test]
fn a_game_goes_on_through_resets_of_the_board() {
    let Some(image) = image() else { return };
    for book in [false, true] {
        let resets = Arc::new(AtomicU32::new(0));
        let inner = Emulator::start_with_monitor(3, Some(&image)).unwrap();
        let board = Unsteady { inner, requests: 0, resets: Arc::clone(&resets) };
        let link = OpenLink::new(Box::new(board), Some(DEFAULT_BAUD));
        let (game, verdict, reloaded) = played(&LinkSpec::Open(link), book);
        let (expected, expected_verdict, _) = played(&LinkSpec::InProcess, book);
        assert!(game.decisions == expected.decisions && game.dice.log == expected.dice.log, "another game");
        assert_eq!(verdict, expected_verdict);
        let resets = resets.load(Ordering::Relaxed);
        // A reset after the last answer is not noticed any more.
        assert!(resets >= 4 && (resets - 1..=resets).contains(&reloaded), "{resets} resets, {reloaded} times the map");
        let (decisions, turns) = (game.decisions.len(), game.turn);
        println!(
            "figure: battletech, {resets} resets in a game of {turns} turns and {decisions} decisions, none differs"
        );
    }
}
