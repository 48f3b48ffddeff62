use core::cell::Cell;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec as StdVec;

use super::*;
use crate::games::StateError;
use crate::games::mancala::State;
use crate::wire::{Ending, Fault, FaultKind, Timing};

/// A board whose clock is moved by hand: by a fixed amount at every look.
struct Board {
    now: Cell<u64>,
    tick: u64,
    baud: Option<u32>,
    /// Cycles a microsecond, if they are counted.
    cycles: Option<u32>,
}

impl Clock for Board {
    fn now_us(&self) -> u64 {
        self.now.set(self.now.get() + self.tick);
        self.now.get()
    }
}

impl Platform for Board {
    fn identity(&self) -> Identity {
        Identity {
            firmware: "1".try_into().unwrap(),
            board: "test".try_into().unwrap(),
            clock_hz: 1,
            timing: Timing::Desktop,
            boot: 9,
            games: GameId::ALL.iter().copied().collect(),
            max_request: MAX_REQUEST as u16,
            workspace: 0,
            static_ram: 0,
            stack: 0,
            stack_peak: 0,
            // As long as it can be: nothing else that is asked takes longer to answer.
            last_fault: Some(Fault { kind: FaultKind::Panic, place: "x".repeat(48).as_str().try_into().unwrap() }),
        }
    }

    fn baud(&self) -> Option<u32> {
        self.baud
    }

    fn cycles(&self) -> Option<u32> {
        // Not far from where the count wraps.
        self.cycles.map(|rate| (self.now.get() as u32 - 1_000_000).wrapping_mul(rate).wrapping_sub(1_000))
    }
}

struct Line {
    board: Board,
    session: Box<Session>,
    workspace: Box<Workspace>,
}

impl Line {
    fn new() -> Self {
        let board = Board { now: Cell::new(1_000_000), tick: 20, baud: None, cycles: None };
        Self { board, session: Box::new(Session::new()), workspace: Box::new(Workspace::new()) }
    }

    fn send(&mut self, bytes: &[u8]) -> StdVec<u8> {
        let mut out = StdVec::new();
        for &byte in bytes {
            self.session.receive(byte, &mut self.workspace, &self.board);
            out.extend_from_slice(self.session.output());
            self.session.clear_output();
        }
        out
    }

    /// Lets the agent work until it is done.
    fn finish(&mut self) -> StdVec<u8> {
        let mut out = StdVec::new();
        while self.session.is_busy() {
            self.session.step(&mut self.workspace, &self.board);
            out.extend_from_slice(self.session.output());
            self.session.clear_output();
        }
        out
    }

    fn ask(&mut self, request: &Request<'_>) -> StdVec<Reply> {
        let mut out = self.send(&framed(request));
        out.extend(self.finish());
        replies(&out)
    }

    fn type_in(&mut self, text: &str) -> String {
        let mut out = self.send(text.as_bytes());
        out.extend(self.finish());
        String::from_utf8(out).unwrap()
    }
}

fn framed(request: &Request<'_>) -> StdVec<u8> {
    let mut line = [0; frame_len(MAX_REQUEST)];
    encode(request, &mut [0; MAX_REQUEST], &mut line).unwrap().to_vec()
}

fn replies(bytes: &[u8]) -> StdVec<Reply> {
    let mut decoder: Decoder<2048> = Decoder::new();
    let mut found = StdVec::new();
    for &byte in bytes {
        if let Received::Frame(message) = decoder.push(byte) {
            found.push(open(message).unwrap());
        }
    }
    found
}

fn decide(id: u32, limits: Limits) -> StdVec<u8> {
    framed(&Request::Decide { id, limits, game: GameId::Mancala, state: &State::start().encode() })
}

fn nodes(nodes: u32) -> Limits {
    Limits { nodes, ..Limits::default() }
}

const BAD_FRAME: Reply = Reply::Error { id: 0, code: ErrorCode::BadFrame };

#[test]
fn a_request_is_answered_with_its_number() {
    let mut line = Line::new();
    line.send(&decide(41, nodes(1_000)));
    let [Reply::Decision { id: 41, action, statistics }] = &replies(&line.finish())[..] else { panic!() };
    assert!((1_000..1_006).contains(&statistics.nodes));
    assert_eq!(statistics.ending, Ending::Nodes);
    assert!((1..=6).contains(&action[0]));
}

#[test]
fn the_same_request_again_gets_the_same_bytes_without_thinking() {
    let mut line = Line::new();
    line.send(&decide(7, nodes(1_000)));
    let first = line.finish();
    let again = line.send(&decide(7, nodes(1_000)));
    assert_eq!(again, first);
    let [Reply::Counters(counters)] = &line.ask(&Request::Count)[..] else { panic!() };
    assert_eq!((counters.decisions, counters.repeats), (1, 1));
}

#[test]
fn a_running_request_is_not_started_twice() {
    const LATER_US: u64 = 50_000;
    let mut line = Line::new();
    assert_eq!(line.send(&decide(7, nodes(1_000))), []);
    line.board.now.set(line.board.now.get() + LATER_US);
    assert_eq!(line.send(&decide(7, nodes(1_000))), []);
    let [Reply::Decision { statistics, .. }] = &replies(&line.finish())[..] else { panic!("one answer") };
    assert!(u64::from(statistics.search_us) > LATER_US, "begun anew: {statistics:?}");
}

#[test]
fn another_request_has_to_wait_and_the_running_one_goes_on() {
    let mut line = Line::new();
    line.send(&decide(1, nodes(1_000)));
    let busy = replies(&line.send(&decide(2, nodes(5))));
    assert_eq!(busy, [Reply::Error { id: 2, code: ErrorCode::Busy }]);
    assert!(matches!(replies(&line.finish())[..], [Reply::Decision { id: 1, .. }]));
}

#[test]
fn stop_answers_at_once_with_the_best_so_far() {
    let mut line = Line::new();
    line.send(&decide(5, Limits { depth: 60, ..Limits::default() }));
    for _ in 0..50 {
        line.session.step(&mut line.workspace, &line.board);
    }
    let reply = replies(&line.send(&framed(&Request::Stop { id: 5 })));
    let [Reply::Decision { id: 5, statistics, .. }] = &reply[..] else { panic!("{reply:?}") };
    assert_eq!(statistics.ending, Ending::Stopped);
    assert!(!line.session.is_busy());
    let reply = line.ask(&Request::Stop { id: 6 });
    assert_eq!(reply, [Reply::Error { id: 6, code: ErrorCode::NotRunning }]);
}

#[test]
fn an_illegal_state_is_refused_and_the_next_request_served() {
    let mut line = Line::new();
    for (state, reason) in [
        (&[0; 15][..], StateError::Inconsistent),
        (&[0; 14][..], StateError::Malformed),
        (&[9; 15][..], StateError::OutOfRange),
        (&[0, 48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], StateError::GameOver),
    ] {
        let reply = line.ask(&Request::Decide { id: 3, limits: nodes(10), game: GameId::Mancala, state });
        assert_eq!(reply, [Reply::Error { id: 3, code: ErrorCode::State(reason) }]);
    }
    line.send(&decide(4, nodes(10)));
    assert!(matches!(replies(&line.finish())[..], [Reply::Decision { id: 4, .. }]));
}

#[test]
fn bad_frames_are_counted_and_answered() {
    let mut line = Line::new();
    let mut damaged = framed(&Request::Hello);
    damaged[2] ^= 0x10;
    assert_eq!(replies(&line.send(&damaged)), [BAD_FRAME]);
    let unknown = {
        let mut frame = [0; 32];
        encode(&99_u8, &mut [0; 16], &mut frame).unwrap().to_vec()
    };
    let malformed = Reply::Error { id: 0, code: ErrorCode::Malformed };
    assert_eq!(replies(&line.send(&unknown)), [malformed]);
    let long: StdVec<u8> = [&[0][..], &[0xAA; 6_000], &[0]].concat();
    assert_eq!(replies(&line.send(&long)), [Reply::Error { id: 0, code: ErrorCode::Oversized }]);
    let [Reply::Counters(counters)] = &line.ask(&Request::Count)[..] else { panic!() };
    assert_eq!(counters.bad_frames, 3);
}

#[test]
fn a_frame_that_stops_arriving_is_given_up() {
    let mut line = Line::new();
    let whole = framed(&Request::Hello);
    line.send(&whole[..whole.len() - 2]);
    line.session.step(&mut line.workspace, &line.board);
    assert_eq!(line.session.output(), []);
    line.board.now.set(line.board.now.get() + SILENCE_US + 1);
    line.session.step(&mut line.workspace, &line.board);
    assert_eq!(replies(line.session.output()), [BAD_FRAME]);
}

#[test]
fn noise_during_a_search_is_answered_seldom() {
    let mut line = Line::new();
    line.send(&decide(1, nodes(1_000)));
    let noise: StdVec<u8> = [0x81, 0x82, 0].repeat(1_000);
    let sent = line.board.now.get();
    let answers = replies(&line.send(&noise)).len() as u64;
    let allowed = 1 + (line.board.now.get() - sent) / NOISE_US;
    assert!((1..=allowed).contains(&answers), "{answers} answers, {allowed} allowed");
    assert!(matches!(replies(&line.finish())[..], [Reply::Decision { id: 1, .. }]));
}

#[test]
fn the_deadline_counts_from_the_first_byte_and_leaves_time_for_the_reply() {
    let mut line = Line::new();
    line.board.baud = Some(115_200);
    line.board.tick = 10;
    let request = think(1, Limits { time_us: 100_000, ..Limits::default() });
    let sent = line.board.now.get();
    line.send(&request);
    let reply = line.finish();
    let [Reply::Decision { statistics, .. }] = &replies(&reply)[..] else { panic!() };
    assert_eq!(statistics.ending, Ending::Time);
    // The fake line hands bytes over at once; a real one takes its time before and after.
    let line_us = |bytes: usize| bytes as u64 * 10_000_000 / 115_200;
    let whole = line_us(request.len()) + (line.board.now.get() - sent) + line_us(reply.len());
    assert!(u64::from(statistics.receive_us) >= line_us(request.len()), "{statistics:?}");
    assert!((80_000..100_000).contains(&whole), "{whole}: request {}, reply {}", request.len(), reply.len());
}

#[test]
fn a_board_that_counts_its_cycles_says_how_many_the_search_took() {
    for rate in [None, Some(168)] {
        let mut line = Line::new();
        line.board.cycles = rate;
        let limits = Limits { nodes: 1_000, ..Limits::default() };
        line.send(&think(1, limits));
        let [Reply::Decision { statistics, .. }] = &replies(&line.finish())[..] else { panic!() };
        assert!(statistics.search_us > 100, "{statistics:?}");
        assert_eq!(statistics.search_cycles, rate.map(|rate| rate * statistics.search_us));
    }
}

#[test]
fn a_game_can_be_typed() {
    let mut line = Line::new();
    let shown = line.type_in("new mancala first 3\r\n");
    assert!(shown.contains("J1 (you) to move"), "{shown}");
    let shown = line.type_in("4\r\n");
    assert!(shown.contains("[  4  4  0  5  5  5 ] 1"), "an extra turn: {shown}");
    let shown = line.type_in("move 7\r");
    assert!(shown.contains("number from 1 to 6"), "{shown}");
    let shown = line.type_in("move 4\r");
    assert!(shown.contains("That pit is empty"), "{shown}");
    let shown = line.type_in("hint\r");
    assert!(shown.contains("I would play"), "{shown}");
    let shown = line.type_in("undo\r");
    assert!(shown.contains("[  4  4  4  4  4  4 ] 0"), "{shown}");
    let shown = line.type_in("mov\x08ve 3\r");
    assert!(shown.contains("I play"), "backspace works: {shown}");
    let shown = line.type_in("stats\r");
    assert!(shown.contains("positions, depth"), "{shown}");
    let shown = line.type_in("sing\r");
    assert!(shown.contains("I do not know \"sing\""), "{shown}");
}

#[test]
fn whole_games_can_be_typed_from_either_seat() {
    for seat in ["first", "second"] {
        let mut line = Line::new();
        let mut shown = line.type_in(&std::format!("new mancala {seat} 2\r"));
        for _ in 0..200 {
            if shown.contains("The game is over") {
                break;
            }
            shown = String::new();
            for pit in 1..=6 {
                shown += &line.type_in(&std::format!("{pit}\r"));
            }
        }
        assert!(shown.contains("The game is over"), "{shown}");
    }
}

#[test]
fn a_program_that_speaks_frames_never_sees_an_echo() {
    let mut line = Line::new();
    let out = line.send(&framed(&Request::Hello));
    assert!(matches!(replies(&out)[..], [Reply::Identity(_)]));
    let typed = line.type_in("hel");
    assert_eq!(typed, "", "no echo before the first line is complete");
    assert!(line.type_in("p\r").contains("new mancala"));
    let out = line.send(&framed(&Request::Hello));
    assert!(matches!(replies(&out)[..], [Reply::Identity(_)]), "a frame closes the console");
    assert_eq!(line.type_in("x"), "");
}

#[test]
fn too_long_a_line_is_explained() {
    let mut line = Line::new();
    let shown = line.type_in(&"x".repeat(200));
    assert_eq!(shown, "");
    assert!(line.type_in("\r").contains("too long"));
}

/// Whatever arrives, the session neither panics nor loses the next good request.
#[test]
fn any_bytes_leave_the_line_usable() {
    use proptest::prelude::*;
    proptest!(crate::cases(64), |(noise: StdVec<u8>)| {
        let mut line = Line::new();
        line.send(&noise);
        line.finish();
        line.send(&decide(8, nodes(10)));
        let found = replies(&line.finish());
        prop_assert!(matches!(found[..], [Reply::Decision { id: 8, .. }]), "{:?}", found);
    });
}

/// A page of the largest board fits what the session can say at once: the prompt at its end is there.
#[test]
fn parchis_can_be_typed_too() {
    let mut line = Line::new();
    let shown = line.type_in("new parchis first 1\r");
    assert!(shown.contains("(you) to move"), "{shown}");
    assert!(shown.ends_with("> "), "{} bytes: {shown}", shown.len());
    assert!(shown.len() < OUTBOX, "{} bytes", shown.len());
    let shown = line.type_in("hint\r");
    assert!(shown.contains("I would play") && shown.ends_with("> "), "{shown}");
    let shown = line.type_in("move nonsense\r");
    assert!(shown.ends_with("> ") && !shown.contains("I play"), "{shown}");
}

/// A request that nothing settles before its time: Mancala's start is soon decided.
fn think(id: u32, limits: Limits) -> StdVec<u8> {
    let state = crate::games::parchis::State::start().encode();
    framed(&Request::Decide { id, limits, game: GameId::Parchis, state: &state })
}

/// A line on which every byte takes its time, both ways, while somebody abuses it: the running decision is not late.
fn abused(abuse: &[u8]) {
    abused_on(Line::new(), abuse);
}

/// The same on a line on which something was said before.
fn abused_on(mut line: Line, abuse: &[u8]) {
    const TIME_US: u32 = 200_000;
    /// What one turn of the loop takes besides what is sent.
    const SLICE_US: u64 = 900;
    line.board.baud = Some(115_200);
    line.board.tick = 3;
    let begun = line.board.now.get();
    line.send(&think(1, Limits { time_us: TIME_US, ..Limits::default() }));
    // The request's own time on the line is counted in by the session.
    let begun = begun.min(line.board.now.get());
    let mut abuse = abuse.iter().cycle();
    let (mut answers, mut slices) = (0, 0);
    loop {
        slices += 1;
        // What the firmware's loop does: a slice of search of up to a millisecond, then whatever lies in the receiver.
        line.session.step(&mut line.workspace, &line.board);
        let decided = carry(&mut line, &mut answers);
        if decided {
            break;
        }
        line.board.now.set(line.board.now.get() + SLICE_US);
        for _ in 0..64 {
            line.session.receive(*abuse.next().unwrap(), &mut line.workspace, &line.board);
            carry(&mut line, &mut answers);
        }
    }
    let took = line.board.now.get() - begun;
    assert!(took < u64::from(TIME_US), "{took} µs, {answers} other answers");
    assert!(took > u64::from(TIME_US) / 2, "{took} µs: the decision was not given its time");
    // Half of the time is the search's own; something is lost at the ends.
    assert!(slices * SLICE_US > u64::from(TIME_US) / 3, "{slices} slices, {answers} other answers");
}

/// Sends what the session says, which takes the line's time. Whether the decision was in it.
fn carry(line: &mut Line, answers: &mut u32) -> bool {
    let found = replies(line.session.output());
    let bytes = line.session.output().len() as u64;
    line.session.clear_output();
    line.board.now.set(line.board.now.get() + bytes * 10_000_000 / 115_200);
    let decided = found.iter().any(|reply| matches!(reply, Reply::Decision { id: 1, .. }));
    *answers += u32::from(bytes > 0 && !decided);
    decided
}

#[test]
fn a_flood_of_questions_does_not_make_a_decision_late() {
    abused(&framed(&Request::Hello));
    abused(&framed(&Request::Count));
}

/// An answer that would still be on the line when the decision has to be is not begun.
#[test]
fn a_question_at_the_last_moment_does_not_make_a_decision_late() {
    let question = framed(&Request::Hello);
    for before_us in (500..30_000).step_by(500) {
        let mut line = Line::new();
        line.board.baud = Some(115_200);
        line.board.tick = 3;
        line.send(&think(1, Limits { time_us: 200_000, ..Limits::default() }));
        let deadline_us = line.session.desk.agent.deadline().unwrap();
        line.board.now.set(deadline_us - before_us);
        let mut answers = 0;
        for &byte in &question {
            line.session.receive(byte, &mut line.workspace, &line.board);
            carry(&mut line, &mut answers);
        }
        let mut decided_us = 0;
        while line.session.is_busy() {
            line.session.step(&mut line.workspace, &line.board);
            decided_us = line.board.now.get();
            carry(&mut line, &mut answers);
        }
        assert!(
            decided_us < deadline_us + MARGIN_US,
            "asked {before_us} µs before: {} µs late",
            decided_us - deadline_us
        );
        assert!(answers == 1 || before_us < 20_000, "there was time to answer");
    }
}

#[test]
fn a_flood_of_other_requests_does_not_make_a_decision_late() {
    abused(&decide(2, nodes(5)));
    abused(&framed(&Request::Load { id: 3, game: GameId::Belkan, data: &[1; 200] }));
    abused(&framed(&Request::Stop { id: 77 }));
}

#[test]
fn half_requests_and_garbage_do_not_make_a_decision_late() {
    let whole = decide(2, nodes(5));
    abused(&whole[..whole.len() - 3]);
    abused(&[0x81, 0x82, 0, 0xFF]);
    abused(b"new mancala\rhint\r");
    abused(&(0..=255).collect::<StdVec<u8>>());
}

/// The answer to the request before, asked for again while the next one is being worked on, is the longest there is.
#[test]
fn a_flood_of_repeated_requests_does_not_make_a_decision_late() {
    let mut line = Line::new();
    line.send(&decide(9, nodes(500)));
    line.finish();
    let again = [framed(&Request::Stop { id: 9 }), decide(9, nodes(500)), framed(&Request::Hello)].concat();
    assert!(matches!(line.ask(&Request::Stop { id: 9 })[..], [Reply::Decision { id: 9, .. }]), "it is remembered");
    abused_on(line, &again);
}

/// In the middle of a search, with slices of a millisecond and a line of 115,200 baud.
#[test]
fn stop_and_a_new_request_are_answered_within_20_ms() {
    let mut line = Line::new();
    line.board.baud = Some(115_200);
    line.send(&think(1, Limits { depth: 60, ..Limits::default() }));
    let mut answers = 0;
    for (request, other) in [(decide(2, nodes(5)), true), (framed(&Request::Stop { id: 1 }), false)] {
        for _ in 0..40 {
            line.session.step(&mut line.workspace, &line.board);
            line.board.now.set(line.board.now.get() + 900);
        }
        let asked = line.board.now.get();
        answers = 0;
        let mut decided = false;
        for byte in request {
            line.session.receive(byte, &mut line.workspace, &line.board);
            decided |= carry(&mut line, &mut answers);
        }
        assert_eq!((decided, answers), (!other, u32::from(other)));
        let took = line.board.now.get() - asked;
        assert!(took < 20_000, "{took} µs");
    }
    assert_eq!(answers, 0);
}

#[test]
fn a_board_that_starts_says_who_it_is() {
    let mut line = Line::new();
    line.session.announce(&line.board);
    assert!(matches!(replies(line.session.output())[..], [Reply::Identity(_)]));
}

/// Whatever a line does to requests, the session answers each number once in thought, and with the same bytes.
#[test]
fn a_repeated_request_is_never_thought_about_twice() {
    use proptest::prelude::*;
    proptest!(crate::cases(32), |(copies in prop::collection::vec((0_u32..3, 0_usize..4), 1..12))| {
        let mut line = Line::new();
        let mut answered: StdVec<(u32, StdVec<u8>)> = StdVec::new();
        let mut last = None;
        for (id, again) in copies {
            for _ in 0..=again {
                let mut out = line.send(&decide(100 + id, nodes(50)));
                out.extend(line.finish());
                if last == Some(id) {
                    let before = &answered.last().unwrap().1;
                    prop_assert_eq!(&out, before);
                }
                last = Some(id);
                answered.push((id, out));
            }
        }
        let distinct = answered.iter().fold((0, None), |(count, before), (id, _)| {
            (count + u32::from(before != Some(*id)), Some(*id))
        }).0;
        let [Reply::Counters(counters)] = &line.ask(&Request::Count)[..] else { panic!() };
        prop_assert_eq!(counters.decisions, distinct);
    });
}
