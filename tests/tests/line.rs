//! What the line may bring, on the emulated board: every kind of bad input gets a clear answer, and the next good
//! request is served.

use core::time::Duration;
use std::path::Path;
use std::time::Instant;

use rival_core::games::mancala::State;
use rival_core::games::{GameId, StateError};
use rival_core::wire::frame::{Decoder, Received, encode, frame_len, open};
use rival_core::wire::{ErrorCode, Limits, MAX_REQUEST, PROTOCOL, Reply, Request};
use rival_sim::client::{Client, ClientError, refusal};
use rival_sim::link::emulator::Emulator;
use rival_sim::link::{Link, OpenError};
use rival_tests::{checked_image, emulated, image};

/// Whoever says nothing for this long hangs. What is to be quick is measured with the board's own clock; the desktop may
/// be as busy as it likes.
const PATIENCE: Duration = Duration::from_mins(5);

struct Wire {
    link: Emulator,
    decoder: Decoder<2048>,
    received: Vec<u8>,
}

impl Wire {
    fn new() -> Option<Self> {
        Self::at(3)
    }

    fn at(shift: u8) -> Option<Self> {
        Some(Self::with(shift, &image()?))
    }

    fn with(shift: u8, image: &Path) -> Self {
        let link = Emulator::start(shift, Some(image)).unwrap();
        let mut wire = Self { link, decoder: Decoder::new(), received: Vec::new() };
        // Bytes that arrive before the board listens are lost: ask until it says something.
        while wire.received.is_empty() {
            wire.send(&framed(&Request::Hello));
            wire.listen(Duration::from_millis(250));
        }
        // It answers in turn: after this one nothing is on its way, however late it comes.
        wire.send(&framed(&Request::Count));
        while !matches!(wire.reply(), Reply::Counters(_)) {}
        wire
    }

    /// Takes in what comes, at most for so long.
    fn listen(&mut self, patience: Duration) {
        let mut buffer = [0; 512];
        let length = self.link.read(&mut buffer, patience).unwrap();
        self.received.extend_from_slice(&buffer[..length]);
    }

    fn send(&mut self, bytes: &[u8]) {
        self.link.write(bytes).unwrap();
    }

    fn reply(&mut self) -> Reply {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            while !self.received.is_empty() {
                let byte = self.received.remove(0);
                if let Received::Frame(message) = self.decoder.push(byte) {
                    return open(message).unwrap();
                }
            }
            self.listen(Duration::from_millis(200));
        }
        panic!("no reply");
    }

    fn error(&mut self) -> (u32, ErrorCode) {
        match self.reply() {
            Reply::Error { id, code } => (id, code),
            other => panic!("{other:?}"),
        }
    }

    /// Text that the console prints up to and including `until`; what follows is kept for the next time.
    fn text(&mut self, until: &str) -> String {
        let patience = Instant::now() + PATIENCE;
        loop {
            let text = String::from_utf8_lossy(&self.received).into_owned();
            if let Some(at) = text.find(until) {
                self.received.drain(..at + until.len());
                return text[..at + until.len()].to_owned();
            }
            assert!(Instant::now() < patience, "waited for {until:?}, got {text:?}");
            self.listen(Duration::from_millis(200));
        }
    }

    fn is_well(&mut self) {
        self.send(&framed(&decide(99, &State::start().encode())));
        assert!(matches!(self.reply(), Reply::Decision { id: 99, .. }));
    }
}

fn framed(request: &Request<'_>) -> Vec<u8> {
    let mut line = vec![0; frame_len(MAX_REQUEST)];
    encode(request, &mut vec![0; MAX_REQUEST], &mut line).unwrap().to_vec()
}

fn decide(id: u32, state: &[u8]) -> Request<'_> {
    Request::Decide { id, limits: Limits { nodes: 500, ..Limits::default() }, game: GameId::Mancala, state }
}

#[test]
fn garbage_is_answered_with_an_error_and_forgotten() {
    let Some(mut wire) = Wire::new() else { return };
    wire.send(&[0, 0x99, 0xC3, 0x07, 0xFE, 0]);
    assert_eq!(wire.error(), (0, ErrorCode::BadFrame));
    wire.is_well();
}

#[test]
fn a_truncated_frame_is_given_up() {
    let Some(mut wire) = Wire::new() else { return };
    let whole = framed(&decide(1, &State::start().encode()));
    wire.send(&whole[..whole.len() / 2]);
    assert_eq!(wire.error(), (0, ErrorCode::BadFrame));
    wire.is_well();
}

#[test]
fn a_wrong_check_sum_is_refused() {
    let Some(mut wire) = Wire::new() else { return };
    let mut frame = framed(&decide(1, &State::start().encode()));
    let last = frame.len() - 2;
    frame[last] ^= 1;
    wire.send(&frame);
    assert_eq!(wire.error(), (0, ErrorCode::BadFrame));
    wire.is_well();
}

#[test]
fn another_version_is_told_apart() {
    let Some(mut wire) = Wire::new() else { return };
    wire.send(&other_version());
    assert_eq!(wire.error(), (0, ErrorCode::WrongVersion));
    wire.is_well();
}

/// A sound frame of a later version of the protocol: the same bytes but for version and check sum.
fn other_version() -> Vec<u8> {
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |sum, &byte| {
            (0..8).fold(sum ^ u32::from(byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 })
        })
    }
    let inner = [PROTOCOL + 1, 7];
    let payload = [&inner[..], &crc(&inner).to_le_bytes()].concat();
    assert!(!payload.contains(&0), "no zero to stuff");
    [&[0, payload.len() as u8 + 1][..], &payload, &[0]].concat()
}

/// The same for the host: a board of another version is named as such.
#[test]
fn the_host_names_a_board_of_another_version() {
    struct Foreign;
    impl Link for Foreign {
        fn write(&mut self, _bytes: &[u8]) -> std::io::Result<()> {
            Ok(())
        }
        fn read(&mut self, buffer: &mut [u8], _timeout: Duration) -> std::io::Result<usize> {
            let frame = other_version();
            buffer[..frame.len()].copy_from_slice(&frame);
            Ok(frame.len())
        }
        fn patience(&self) -> Duration {
            Duration::ZERO
        }
    }
    assert!(matches!(Client::connect(Box::new(Foreign), None), Err(ClientError::WrongVersion)));
}

#[test]
fn an_oversized_message_is_refused() {
    let Some(mut wire) = Wire::new() else { return };
    let long: Vec<u8> = [&[0][..], &vec![0xAB; MAX_REQUEST + 500], &[0]].concat();
    wire.send(&long);
    assert_eq!(wire.error(), (0, ErrorCode::Oversized));
    wire.is_well();
}

#[test]
fn a_message_of_the_longest_kind_is_taken() {
    let Some(mut wire) = Wire::new() else { return };
    // Too long for a Mancala state, but not for the line.
    wire.send(&framed(&decide(5, &vec![7; MAX_REQUEST - 32])));
    assert_eq!(wire.error(), (5, ErrorCode::State(StateError::Malformed)));
    wire.is_well();
}

#[test]
fn illegal_states_are_refused_with_their_reason() {
    let Some(mut client) = emulated(3) else { return };
    let limits = Limits { nodes: 100, ..Limits::default() };
    let mut too_many = State::start().encode();
    too_many[2] = 9;
    let over = [1, 30, 0, 0, 0, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0];
    let cases: [(&[u8], StateError); 4] = [
        (&too_many, StateError::Inconsistent),
        (&[0; 14], StateError::Malformed),
        (&[2; 15], StateError::OutOfRange),
        (&over, StateError::GameOver),
    ];
    for (state, reason) in cases {
        let refused = client.decide(GameId::Mancala, state, limits).unwrap_err();
        assert_eq!(refusal(&refused), Some(reason));
    }
    assert!(client.decide(GameId::Mancala, &State::start().encode(), limits).is_ok());
}

#[test]
fn a_link_that_vanishes_is_an_error_and_not_a_hang() {
    let Some(image) = image() else { return };
    let emulator = Emulator::start(3, Some(&image)).unwrap();
    let process = emulator.process_id();
    let mut client = Client::connect(Box::new(emulator), None).unwrap();
    let limits = Limits { nodes: 100, ..Limits::default() };
    assert!(client.decide(GameId::Mancala, &State::start().encode(), limits).is_ok());
    let killed = std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    assert!(killed.success());
    let broken = client.decide(GameId::Mancala, &State::start().encode(), limits);
    assert!(matches!(broken, Err(ClientError::Broken(_))), "{broken:?}");
}

#[test]
fn a_missing_emulator_is_explained() {
    let image = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let missing = Emulator::start_with("qemu-system-nowhere", 3, Some(&image));
    let Err(OpenError::Tool(words)) = missing.map(|_| ()) else { panic!("started") };
    assert!(words.contains("cargo xtask setup"), "{words}");
}

#[test]
fn a_missing_port_is_explained() {
    let spec: rival_sim::link::LinkSpec = "serial:/dev/rival-is-not-here".parse().unwrap();
    let Err(ClientError::Open(error)) = Client::open(&spec).map(|_| ()) else { panic!("opened") };
    assert!(error.to_string().contains("rival ports"), "{error}");
}

/// A game typed at a terminal, on the emulated board, with mistakes.
#[test]
fn a_game_can_be_typed_at_the_board() {
    let Some(mut wire) = Wire::new() else { return };
    wire.send(b"hello\r");
    assert!(wire.text("> ").contains("I do not know \"hello\""));
    wire.send(b"new mancala second 10\r");
    let shown = wire.text("J2 (you) to move");
    assert!(shown.contains("I play 4"), "the only move that keeps the full margin: {shown}");
    let milliseconds: u32 = shown.rsplit(" ms)").nth(1).unwrap().rsplit(", ").next().unwrap().trim().parse().unwrap();
    assert!(milliseconds < 1_000, "from the book: {milliseconds} ms");
    wire.text("> ");
    wire.send(b"shox\x08w\r");
    let shown = wire.text("> ");
    assert!(shown.contains("\x08 \x08w"), "the echo of a backspace: {shown:?}");
    assert!(shown.contains("J2 (you) to move"), "{shown}");
    wire.send(b"move 9\r");
    assert!(wire.text("> ").contains("number from 1 to 6"));
    wire.send(b"hint\r");
    assert!(wire.text("> ").contains("I would play"));
    wire.send(b"stats\rquit\r");
    assert!(wire.text("Goodbye").contains("positions, depth"));
    wire.is_well();
}

/// Stop and a second request in the middle of a search are answered at once, and the search is not disturbed.
#[test]
fn stop_and_a_second_request_are_answered_during_a_search() {
    let Some(mut wire) = Wire::new() else { return };
    let start = State::start().encode();
    let limits = Limits { depth: 60, ..Limits::default() };
    // A search that nobody sees the end of, however late the rest comes.
    let long = rival_core::games::parchis::State::start().encode();
    wire.send(&framed(&Request::Decide { id: 1, limits, game: GameId::Parchis, state: &long }));
    wire.send(&framed(&decide(2, &start)));
    assert_eq!(wire.error(), (2, ErrorCode::Busy));
    wire.send(&framed(&Request::Stop { id: 1 }));
    let Reply::Decision { id: 1, statistics, .. } = wire.reply() else { panic!("no decision") };
    assert!(statistics.nodes > 0);
}

#[test]
fn the_board_reports_its_memory() {
    let Some(mut client) = emulated(3) else { return };
    let limits = Limits { nodes: 20_000, ..Limits::default() };
    let answer = client.decide(GameId::Mancala, &State::start().encode(), limits).unwrap();
    let identity = client.hello().unwrap();
    let total = identity.static_ram + answer.statistics.stack_peak;
    println!(
        "figure: emulated board: {} bytes static + {} of stack = {total} bytes of RAM",
        identity.static_ram, answer.statistics.stack_peak
    );
    assert!(answer.statistics.stack_peak > 500);
    assert!(total <= 96 * 1024, "{total}");
    let counters = client.counters().unwrap();
    assert_eq!((counters.decisions, counters.bad_frames, counters.overruns), (1, 0, 0));
}

/// A line that never rests: questions, other requests, half requests, noise and typing, as fast as the slowest board
/// takes them, while it works on a decision of a second.
#[test]
fn a_flood_does_not_make_a_decision_late() {
    for shift in [3, 5] {
        let Some(mut wire) = Wire::at(shift) else { return };
        let start = State::start().encode();
        // Mancala's start is soon decided.
        let long = rival_core::games::parchis::State::start().encode();
        let limits = Limits { time_us: 1_000_000, ..Limits::default() };
        let other = framed(&decide(2, &start));
        let flood = [
            framed(&Request::Hello),
            framed(&Request::Count),
            other.clone(),
            other[..other.len() / 2].to_vec(),
            framed(&Request::Stop { id: 77 }),
            vec![0x81, 0xFE, 0x99, 0, 0xFF],
            b"new mancala\rhint\r".to_vec(),
        ]
        .concat();
        let first = framed(&Request::Decide { id: 1, limits, game: GameId::Parchis, state: &long });
        // Enough for a flood at once, so that it does not depend on when this program has its turn; then more and more.
        let at_once = flood.repeat(10_000_usize.div_ceil(flood.len()));
        wire.send(&[first, at_once.clone()].concat());
        let (mut sent, mut heard) = (at_once.len(), Vec::new());
        let (reply_bytes, statistics) = 'decision: loop {
            wire.send(&flood);
            sent += flood.len();
            let mut buffer = [0; 4096];
            let length = wire.link.read(&mut buffer, Duration::from_millis(1)).unwrap();
            for &byte in &buffer[..length] {
                let bytes = wire.decoder.len() as u64 + 2;
                if let Received::Frame(message) = wire.decoder.push(byte) {
                    match open(message).unwrap() {
                        Reply::Decision { id: 1, statistics, .. } => break 'decision (bytes, statistics),
                        reply => heard.push(reply),
                    }
                }
            }
        };
        let response = u64::from(statistics.answer_us) + reply_bytes * 10_000_000 / 115_200;
        println!("figure: shift {shift}: {sent} bytes of flood, {} answers, decision after {response} µs", heard.len());
        assert!(heard.iter().any(|reply| matches!(reply, Reply::Identity(_))), "questions are answered");
        assert!(response < 1_000_000, "{response} µs");
        assert!(statistics.search_us > 500_000, "{statistics:?}");
    }
}

/// What follows a request on its heels meets it in its search: all of it is served within 20 ms of the board's time. The
/// board begins when it has every byte, so that the desktop has no part in it; and it is the image with every check on,
/// which is slower than the others.
#[test]
fn stop_and_a_second_request_are_answered_within_20_ms() {
    // What the board waits for, in `firmware/src/sabotage.rs`, and what it may have taken in before that.
    const GATHERED: usize = 512;
    const CHUNK: usize = 64;
    let Some(image) = checked_image() else { return };
    let mut wire = Wire::with(5, &image);
    let start = State::start().encode();
    let limits = Limits { depth: 60, ..Limits::default() };
    let long = rival_core::games::parchis::State::start().encode();
    let first = framed(&Request::Decide { id: 1, limits, game: GameId::Parchis, state: &long });
    let frames = [first, framed(&decide(2, &start)), framed(&Request::Stop { id: 1 })].concat();
    assert!(frames.len() <= GATHERED, "{} bytes", frames.len());
    // Zeros between frames are nothing.
    let zeros = vec![0; GATHERED + CHUNK - frames.len()];
    wire.send(&[b"!gather\r", &frames[..], &zeros].concat());
    assert_eq!(wire.error(), (2, ErrorCode::Busy));
    let Reply::Decision { id: 1, statistics, .. } = wire.reply() else { panic!("no decision") };
    let took = statistics.answer_us - statistics.receive_us;
    println!("figure: busy and stop answered {took} µs after the request");
    assert!(took < 20_000, "{took} µs");
    // The next one is served at once.
    wire.is_well();
}
