//! Faults of the board itself: resets at bad moments, and firmware that falls over. The host notices and goes on.

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rival_core::games::GameId;
use rival_core::games::mancala::State;
use rival_core::wire::frame::{Decoder, Received, encode, frame_len, open};
use rival_core::wire::{FaultKind, Limits, MAX_REPLY, MAX_REQUEST, Reply, Request};
use rival_sim::client::{Answer, Client};
use rival_sim::commands::info_text;
use rival_sim::games::{TABLES, table};
use rival_sim::link::emulator::Emulator;
use rival_sim::link::{DEFAULT_BAUD, Link, LinkSpec, OpenLink};
use rival_sim::recording::Conformance;
use rival_tests::{checked_image, image, root};

fn nodes(nodes: u32) -> Limits {
    Limits { nodes, ..Limits::default() }
}

/// A freshly started board whose line and reset button are within reach.
fn start(image: &Path) -> (OpenLink, Client) {
    let emulator = Emulator::start_with_monitor(3, Some(image)).unwrap();
    let link = OpenLink::new(Box::new(emulator), Some(DEFAULT_BAUD));
    let client = Client::open(&LinkSpec::Open(link.clone())).unwrap();
    (link, client)
}

fn reset(link: &OpenLink) {
    assert!(link.with(|link| link.reset()).unwrap(), "there is a monitor");
}

fn expected(limits: Limits) -> Answer {
    let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
    desktop.decide(GameId::Mancala, &State::start().encode(), limits).unwrap()
}

/// The frame of a request for the start of Mancala.
fn mancala_request(limits: Limits) -> Vec<u8> {
    let state = State::start().encode();
    let request = Request::Decide { id: 1, limits, game: GameId::Mancala, state: &state };
    let mut line = vec![0; frame_len(MAX_REQUEST)];
    encode(&request, &mut vec![0; MAX_REQUEST], &mut line).unwrap().to_vec()
}

fn same(answer: &Answer, expected: &Answer) {
    assert_eq!(answer.action, expected.action);
    assert_eq!(
        (answer.statistics.nodes, answer.statistics.value, answer.statistics.depth),
        (expected.statistics.nodes, expected.statistics.value, expected.statistics.depth)
    );
}

/// Does something to the board shortly after each of the first requests for a decision went out, and listens whether the
/// board says unasked that it has started again.
struct Interfering<F> {
    inner: Emulator,
    left: u32,
    interfere: F,
    decoder: Decoder<{ frame_len(MAX_REPLY) }>,
    /// The boot number that was heard last.
    boot: Option<u32>,
    /// Whether somebody has asked who is there since the last interference.
    asked: bool,
    announced: Arc<AtomicU32>,
}

impl<F: FnMut(&mut Emulator) + Send> Link for Interfering<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.write(bytes)?;
        // Greetings are shorter than any request with a state.
        if bytes.len() <= 24 {
            self.asked = true;
        } else if self.left > 0 {
            self.left -= 1;
            thread::sleep(Duration::from_millis(40));
            (self.interfere)(&mut self.inner);
            self.asked = false;
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let length = self.inner.read(buffer, timeout)?;
        for &byte in &buffer[..length] {
            if let Received::Frame(message) = self.decoder.push(byte)
                && let Ok(Reply::Identity(identity)) = open(message)
                && self.boot.replace(identity.boot).is_some_and(|boot| boot != identity.boot)
                && !self.asked
            {
                self.announced.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(length)
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }

    fn reset(&mut self) -> io::Result<bool> {
        self.inner.reset()
    }
}

/// A search far longer than it takes to interfere with it.
const LONG_SEARCH: u32 = 60_000;

/// A decision of a board that is interfered with so many times on the way: the right one, only later. With the number of
/// times that it said unasked that it had started again.
fn decide_in_spite(
    image: &Path,
    times: u32,
    interfere: impl FnMut(&mut Emulator) + Send + 'static,
) -> (OpenLink, Client, u32) {
    let inner = Emulator::start_with_monitor(3, Some(image)).unwrap();
    let announced = Arc::new(AtomicU32::new(0));
    let interfering = Interfering {
        inner,
        left: times,
        interfere,
        decoder: Decoder::new(),
        boot: None,
        asked: true,
        announced: Arc::clone(&announced),
    };
    let link = OpenLink::new(Box::new(interfering), Some(DEFAULT_BAUD));
    let mut client = Client::open(&LinkSpec::Open(link.clone())).unwrap();
    // Mancala's start is soon decided; this is not.
    let state = rival_core::games::parchis::State::start().encode();
    let answer = client.decide(GameId::Parchis, &state, nodes(LONG_SEARCH)).unwrap();
    let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
    same(&answer, &desktop.decide(GameId::Parchis, &state, nodes(LONG_SEARCH)).unwrap());
    (link, client, announced.load(Ordering::Relaxed))
}

/// The board is reset while it thinks, as often as `times` says.
fn reset_in_a_search(times: u32) {
    let Some(image) = image() else { return };
    let (_, client, announced) = decide_in_spite(&image, times, |emulator| assert!(emulator.reset().unwrap()));
    assert_eq!(announced, times, "the board says that it has started");
    assert_eq!(client.line_count().resets, times, "{:?}", client.line_count());
    assert_eq!(client.identity().last_fault, None, "a plain reset is no fault");
}

#[test]
fn a_reset_in_the_middle_of_a_search_is_noticed_and_the_search_begun_again() {
    reset_in_a_search(1);
}

#[test]
fn a_brown_out_that_comes_again_and_again_is_outlived() {
    reset_in_a_search(6);
}

#[test]
fn a_reset_in_the_middle_of_a_frame_costs_that_frame_only() {
    let Some(image) = image() else { return };
    let limits = nodes(500);
    let (link, mut client) = start(&image);
    let frame = mancala_request(limits);
    let (first, second) = frame.split_at(frame.len() / 2);
    link.with(|link| link.write(first)).unwrap();
    reset(&link);
    link.with(|link| link.write(second)).unwrap();
    let answer = client.decide(GameId::Mancala, &State::start().encode(), limits).unwrap();
    same(&answer, &expected(limits));
    assert_eq!(client.line_count().resets, 1);
}

/// Belkan's map is lost with the reset, and told again.
#[test]
fn a_board_that_was_reset_is_told_the_map_again() {
    let Some(image) = image() else { return };
    for game in ["belkan", "battletech"] {
        let table = table(game).unwrap();
        let position = table.positions().into_iter().find(|position| position.load.is_some());
        let Some(position) = position else { continue };
        let data = position.load.clone().unwrap();
        let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
        desktop.load_all(table.id(), core::slice::from_ref(&data)).unwrap();
        let expected = desktop.decide(table.id(), &position.state, nodes(200)).unwrap();
        let (link, mut client) = start(&image);
        client.load(table.id(), &data).unwrap();
        reset(&link);
        // What the tables do: a refusal says that the agent has forgotten.
        let refused = client.decide(table.id(), &position.state, nodes(200)).unwrap_err();
        assert_eq!(rival_sim::client::refusal(&refused), Some(rival_core::games::StateError::NotLoaded), "{game}");
        client.load(table.id(), &data).unwrap();
        let answer = client.decide(table.id(), &position.state, nodes(200)).unwrap();
        assert_eq!(answer.action, expected.action, "{game}");
        assert_eq!(client.line_count().resets, 1, "{game}");
    }
}

/// The board falls over in the middle of a search; the host reports why, and has its answer all the same.
fn fall_over(word: &str, kind: FaultKind, place: &str) {
    let Some(image) = checked_image() else { return };
    let told = format!("!{word}\r").into_bytes();
    let (link, mut client, announced) = decide_in_spite(&image, 1, move |emulator| emulator.write(&told).unwrap());
    assert_eq!(announced, 1, "the board says that it has started");
    assert_eq!(client.line_count().resets, 1);
    let fault = client.identity().last_fault.clone().expect("the board remembers why it fell over");
    assert_eq!(fault.kind, kind);
    assert!(fault.place.contains(place), "{}", fault.place);
    let told = info_text(&mut client).unwrap();
    let line = format!("last fault  {kind:?} at {}", fault.place);
    assert!(told.contains(&line), "{told}");
    println!("figure: !{word}: {line}");
    // It is told once: after a plain reset there is nothing to tell.
    reset(&link);
    while client.hello().unwrap().last_fault.is_some() {
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_hung_agent_is_reset_by_the_watchdog_and_reported() {
    fall_over("hang", FaultKind::Watchdog, "the agent's loop");
}

#[test]
fn a_panic_is_reported_with_its_line() {
    fall_over("panic", FaultKind::Panic, "firmware/src/sabotage.rs:");
}

#[test]
fn a_processor_fault_is_reported_with_its_address() {
    fall_over("fault", FaultKind::HardFault, "pc 0x08");
}

/// flip-link puts the stack's end where there is no memory: an overflow is a fault and not silent damage.
#[test]
fn a_stack_overflow_is_reported_with_the_last_call() {
    fall_over("deep", FaultKind::StackOverflow, "called from 0x08");
}

/// More bytes than the board has room for, while its loop looks elsewhere: they wait in the line, and nothing is reset.
#[test]
fn a_full_ring_does_not_hang_the_board() {
    let Some(image) = checked_image() else { return };
    let (link, mut client) = start(&image);
    let limits = nodes(300);
    for _ in 0..3 {
        link.with(|link| link.write(b"!nap\r")).unwrap();
        // No zero: one frame that is too long, and thrown away as such.
        link.with(|link| link.write(&[0xA5; 5_000])).unwrap();
        link.with(|link| link.write(&[0])).unwrap();
        let answer = client.decide(GameId::Mancala, &State::start().encode(), limits).unwrap();
        same(&answer, &expected(limits));
    }
    assert_eq!(client.line_count().resets, 0, "{:?}", client.identity().last_fault);
}

/// Stops QEMU as a desktop does that has no time for it, and lets it go on.
#[cfg(unix)]
fn stop_and_go(process: u32, pause: Duration) {
    let signal = |name: &str| {
        let done = std::process::Command::new("kill").args([name, &process.to_string()]).status().unwrap();
        assert!(done.success());
    };
    signal("-STOP");
    thread::sleep(pause);
    signal("-CONT");
}

/// An emulator that is not given its time, longer than the watchdog's patience, is late and nothing else: its clock counts
/// instructions. While it waits, while it searches, in the middle of a frame.
#[cfg(unix)]
#[test]
fn an_emulator_that_stands_still_for_seconds_is_not_reset() {
    const PAUSE: Duration = Duration::from_secs(3);
    let Some(image) = image() else { return };
    let (_, client, _) = decide_in_spite(&image, 1, |emulator| stop_and_go(emulator.process_id(), PAUSE));
    assert_eq!(client.line_count().resets, 0, "{:?}", client.identity().last_fault);

    let emulator = Emulator::start(3, Some(&image)).unwrap();
    let process = emulator.process_id();
    let link = OpenLink::new(Box::new(emulator), Some(DEFAULT_BAUD));
    let mut client = Client::open(&LinkSpec::Open(link.clone())).unwrap();
    let limits = nodes(500);
    let frame = mancala_request(limits);
    let (first, second) = frame.split_at(frame.len() / 2);
    for half in [&[][..], first] {
        link.with(|link| link.write(half)).unwrap();
        stop_and_go(process, PAUSE);
        if !half.is_empty() {
            link.with(|link| link.write(second)).unwrap();
        }
        let answer = client.decide(GameId::Mancala, &State::start().encode(), limits).unwrap();
        same(&answer, &expected(limits));
    }
    assert_eq!(client.line_count().resets, 0, "{:?}", client.identity().last_fault);
}

/// A loop that turns is never taken for one that hangs: the board thinks for twice as long as the watchdog waits, by its
/// own clock.
#[test]
fn a_board_that_thinks_for_long_is_not_reset() {
    let Some(image) = image() else { return };
    let (link, client) = start(&image);
    let boot = client.identity().boot;
    let state = rival_core::games::parchis::State::start().encode();
    let limits = Limits { time_us: 4_000_000, ..Limits::default() };
    let request = Request::Decide { id: 1, limits, game: GameId::Parchis, state: &state };
    let mut line = vec![0; frame_len(MAX_REQUEST)];
    let frame = encode(&request, &mut vec![0; MAX_REQUEST], &mut line).unwrap();
    link.with(|link| link.write(frame)).unwrap();
    let mut decoder: Decoder<{ frame_len(MAX_REPLY) }> = Decoder::new();
    let mut buffer = [0; 512];
    loop {
        let length = link.with(|link| link.read(&mut buffer, Duration::from_millis(200))).unwrap();
        for &byte in &buffer[..length] {
            let Received::Frame(message) = decoder.push(byte) else { continue };
            match open(message).unwrap() {
                Reply::Identity(identity) => {
                    assert_eq!(identity.boot, boot, "it has started again: {:?}", identity.last_fault);
                }
                Reply::Decision { id: 1, statistics, .. } => {
                    return assert!(statistics.search_us > 3_000_000, "{statistics:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Every game's positions with debug assertions and overflow checks on, on the board's 32-bit processor.
#[test]
fn the_firmware_with_every_check_on_decides_the_same() {
    let Some(image) = checked_image() else { return };
    let (_link, mut client) = start(&image);
    let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
    let mut decisions = 0;
    for table in TABLES {
        for position in table.positions() {
            for client in [&mut client, &mut desktop] {
                if let Some(data) = &position.load {
                    client.load(table.id(), data).unwrap();
                }
            }
            let there = client.decide(table.id(), &position.state, nodes(250)).unwrap();
            let here = desktop.decide(table.id(), &position.state, nodes(250)).unwrap();
            assert_eq!(there.action, here.action, "{}: {}", table.id().name(), position.name);
            decisions += 1;
        }
    }
    assert_eq!(client.line_count().resets, 0, "{:?}", client.identity().last_fault);
    println!("figure: {decisions} positions of {} games with every check on", TABLES.len());
}

/// Recordings with exact answers find out a board that does not play what it should.
#[test]
fn a_broken_firmware_fails_the_conformance() {
    let Some(image) = checked_image() else { return };
    let (link, mut client) = start(&image);
    let file = solved(40);
    let conform = || -> anyhow::Result<Conformance> {
        table("mancala").unwrap().conform(&file, &[], &LinkSpec::Open(link.clone()), nodes(3_000))
    };
    let honest = conform().unwrap();
    assert_eq!((honest.steps, honest.mismatches), (40, 0), "{:?}", honest.first);
    link.with(|link| link.write(b"!lie\r")).unwrap();
    client.hello().unwrap();
    // An action that is not even legal ends it at once.
    if let Ok(broken) = conform() {
        assert!(broken.mismatches > 0, "the lies were not noticed");
    }
    std::fs::remove_file(file).unwrap();
}

/// The first solved positions, in a file of their own.
fn solved(count: usize) -> PathBuf {
    let all = rival_sim::recording::lines(&root().join("tests/data/mancala/solved.jsonl.gz")).unwrap();
    let text: String = all.take(count).map(|line| line.unwrap().1.to_string() + "\n").collect();
    let file = std::env::temp_dir().join(format!("rival-solved-{}.jsonl", std::process::id()));
    std::fs::write(&file, text).unwrap();
    file
}
