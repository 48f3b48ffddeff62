//! The host's end of the line: requests out, decisions in.
//!
//! A request has a number. When no answer comes, or a damaged one, the same request is sent again: the board answers a
//! number that it has answered before with the same bytes, so that asking twice never changes a game.
//!
//! A board that starts says so, with a number that is another one for every run of it. So a reset is noticed in the
//! middle of a search, and the request put again.

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rival_core::games::{GameId, StateError};
use rival_core::wire::frame::{Decoder, FrameError, Received, encode, frame_len, open};
use rival_core::wire::{
    Counters, ErrorCode, Identity, Limits, MAX_REPLY, MAX_REQUEST, PROTOCOL, Reply, Request, Statistics,
};
use thiserror::Error;

use crate::link::faults::FaultCount;
use crate::link::{Link, LinkSpec, OpenError};

/// How often a request is sent before it is given up. Only a line that spoils nearly everything comes to this: where one
/// byte in 3,000 is spoilt, a request of 4,400 gets through every fourth time.
const TRIES: u32 = 64;
/// Without any sign of life for this long, promised time apart, nobody is there: longer than a line may be cut.
const GIVE_UP: Duration = Duration::from_secs(10);
/// A frame in which nothing has arrived for this long is given up, as at the board's end.
const SILENCE: Duration = Duration::from_millis(300);
/// The longest single wait for bytes.
const LOOK: Duration = Duration::from_millis(200);
/// A board that is at work on something else is left alone for this long.
const BUSY: Duration = Duration::from_millis(50);
/// How often the pieces of a map are sent before it is given up.
const LOADS: u32 = 16;
/// How long a board may take to say who it is.
const HELLO: Duration = Duration::from_secs(2);
/// How long to wait for that answer before the question is put again.
const ASK_AGAIN: Duration = Duration::from_millis(250);

/// Why there is no decision.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The link could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The line broke: the port vanished, the emulator ended.
    #[error("the line is broken: {0}")]
    Broken(#[from] io::Error),
    /// Nobody answers.
    #[error("no answer from the agent: is it a Rival board, and is the speed right?")]
    Silent,
    /// The two ends speak different versions.
    #[error("the board speaks another version of the protocol (we speak {PROTOCOL}): flash this version's firmware")]
    WrongVersion,
    /// The agent refuses the request.
    #[error("the agent refuses: {0}")]
    Refused(ErrorCode),
    /// The state is too large for the line.
    #[error("the state does not fit a request")]
    TooLarge,
}

/// A decision with its statistics and what it cost on the line.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The action, in the game's own bytes.
    pub action: Vec<u8>,
    /// How it came about.
    pub statistics: Statistics,
    /// Bytes of the request's frame.
    pub request_bytes: usize,
    /// Bytes of the reply's frame.
    pub reply_bytes: usize,
    /// Real time from sending to receiving.
    pub wall: Duration,
}

impl Answer {
    /// From the first byte of the request to the last byte of the reply, in the board's microseconds. What the reply
    /// takes on a serial line is added, because no board can know it beforehand; the request's share is in the board's
    /// own figure.
    pub fn response_us(&self, baud: Option<u32>) -> u64 {
        let line = baud.map_or(0, |baud| self.reply_bytes as u64 * 10_000_000 / u64::from(baud));
        u64::from(self.statistics.answer_us) + line
    }
}

/// What the client's end of the line has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Requests sent again.
    pub retries: u32,
    /// Damaged frames received.
    pub bad_frames: u32,
    /// Times the board was found to have started again.
    pub resets: u32,
    /// Answers to requests that were answered before: what the line has doubled, and what was asked once too often.
    pub repeats: u32,
}

impl LineCount {
    /// Adds up two lines, or two conversations over one.
    pub fn add(&mut self, other: Self) {
        self.retries += other.retries;
        self.bad_frames += other.bad_frames;
        self.resets += other.resets;
        self.repeats += other.repeats;
    }
}

/// Somebody who looks on at a conversation.
pub trait Witness: Send {
    /// The agent has taken something in.
    fn loaded(&mut self, game: GameId, data: &[u8]);
    /// The agent has decided.
    fn decided(&mut self, game: GameId, state: &[u8], limits: Limits, answer: &Answer, baud: Option<u32>);
    /// The board was found to have started again.
    fn restarted(&mut self, identity: &Identity);
    /// The conversation is over.
    fn closed(&mut self, count: LineCount);
}

/// What came over the line.
#[expect(clippy::large_enum_variant, reason = "it is made and taken apart at once")]
enum Heard {
    /// A reply, and the length of its frame.
    Reply(Reply, usize),
    /// Something that cannot be used.
    Damaged,
    /// Nothing in time.
    Nothing,
}

/// What came of sending a request.
enum Outcome<T> {
    Answered(T, usize),
    /// It, or its answer, was damaged: send it again.
    Damaged,
    /// The board is at work on another request.
    Busy,
    /// The board has started again.
    Restarted,
    /// No answer in time.
    Nothing,
}

/// A number for a request, which no other has had for long: a board may remember one that another program, or another
/// part of this one, has sent. All numbers are equally long on the line, so that a request takes the same time in every
/// run.
fn new_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if NEXT.load(Ordering::Relaxed) == 0 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u32);
        let start = now.wrapping_mul(0x9E37_79B1) ^ std::process::id().rotate_left(16);
        let _ = NEXT.compare_exchange(0, start | 1, Ordering::Relaxed, Ordering::Relaxed);
    }
    NEXT.fetch_add(1, Ordering::Relaxed) | 0x8000_0000
}

/// A conversation with an agent.
pub struct Client {
    link: Box<dyn Link>,
    decoder: Box<Decoder<{ frame_len(MAX_REPLY) }>>,
    identity: Identity,
    baud: Option<u32>,
    witness: Option<Arc<Mutex<dyn Witness>>>,
    count: LineCount,
    last_byte: Instant,
    /// The last request that was answered.
    previous: u32,
    scratch: Vec<u8>,
    line: Vec<u8>,
    received: Vec<u8>,
}

impl Client {
    /// Opens a link and finds out who is there.
    pub fn open(spec: &LinkSpec) -> Result<Self, ClientError> {
        let mut client = Self::connect(spec.open()?, spec.baud())?;
        if let LinkSpec::Open(link) = spec {
            client.witness.clone_from(&link.witness);
        }
        Ok(client)
    }

    /// Finds out who is at the other end of an open link. `baud` is the speed that responses are to be counted at.
    pub fn connect(link: Box<dyn Link>, baud: Option<u32>) -> Result<Self, ClientError> {
        let mut client = Self {
            link,
            decoder: Box::new(Decoder::new()),
            identity: Identity {
                firmware: heapless::String::new(),
                board: heapless::String::new(),
                clock_hz: 0,
                timing: rival_core::wire::Timing::Desktop,
                boot: 0,
                games: heapless::Vec::new(),
                max_request: 0,
                workspace: 0,
                static_ram: 0,
                stack: 0,
                stack_peak: 0,
                last_fault: None,
            },
            baud,
            witness: None,
            count: LineCount::default(),
            last_byte: Instant::now(),
            previous: 0,
            scratch: vec![0; MAX_REQUEST],
            line: vec![0; frame_len(MAX_REQUEST)],
            received: Vec::new(),
        };
        client.hello()?;
        Ok(client)
    }

    /// Asks who is there, again and again: a board that is starting does not hear the first question.
    pub fn hello(&mut self) -> Result<&Identity, ClientError> {
        self.hello_within(HELLO.max(self.link.patience() / 2))
    }

    fn hello_within(&mut self, patience: Duration) -> Result<&Identity, ClientError> {
        let give_up = Instant::now() + patience;
        let mut tries = 0;
        loop {
            self.count.retries += u32::from(tries > 0);
            tries += 1;
            self.send(&Request::Hello)?;
            let until = (Instant::now() + ASK_AGAIN).min(give_up);
            loop {
                match self.receive(until)? {
                    Heard::Reply(Reply::Identity(identity), _) => {
                        self.meet(identity);
                        return Ok(&self.identity);
                    }
                    Heard::Reply(Reply::Error { code: ErrorCode::WrongVersion, .. }, _) => {
                        return Err(ClientError::WrongVersion);
                    }
                    Heard::Reply(Reply::Error { id: 0, .. }, _) | Heard::Damaged | Heard::Nothing => break,
                    Heard::Reply(..) => {}
                }
            }
            if Instant::now() >= give_up {
                return Err(ClientError::Silent);
            }
        }
    }

    /// Takes in who is there. Whether it is another run of the board than before.
    fn meet(&mut self, identity: Identity) -> bool {
        // Before the first answer the boot number is one that no board has.
        let another = self.identity.boot != 0 && identity.boot != self.identity.boot;
        self.identity = identity;
        if another {
            self.count.resets += 1;
            if let Some(witness) = &self.witness {
                witness.lock().unwrap_or_else(PoisonError::into_inner).restarted(&self.identity);
            } else {
                let reason = self
                    .identity
                    .last_fault
                    .as_ref()
                    .map_or_else(|| "a reset".into(), |fault| format!("{:?} at {}", fault.kind, fault.place));
                eprintln!("rival: the board has started again after {reason}; the game goes on");
            }
        }
        another
    }

    /// Who is at the other end.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The speed at which responses are counted, where there is a serial line.
    pub fn baud(&self) -> Option<u32> {
        self.baud
    }

    /// What this end of the line has seen.
    pub fn line_count(&self) -> LineCount {
        self.count
    }

    /// What was done to the line on purpose, where something was.
    pub fn faults(&self) -> Option<FaultCount> {
        self.link.faults()
    }

    /// What the board's end of the line has seen.
    pub fn counters(&mut self) -> Result<Counters, ClientError> {
        self.exchange(0, &Request::Count, HELLO, |reply| match reply {
            Reply::Counters(counters) => Some(Ok(counters)),
            _ => None,
        })
        .map(|(counters, ..)| counters)
    }

    /// Asks for a decision.
    pub fn decide(&mut self, game: GameId, state: &[u8], limits: Limits) -> Result<Answer, ClientError> {
        let id = new_id();
        let sent = Instant::now();
        let request = Request::Decide { id, limits, game, state };
        let promised = if limits.time_us > 0 {
            Duration::from_micros(limits.time_us.into())
        } else {
            // Nobody has promised anything: a slow board may search a million nodes for a minute.
            Duration::from_mins(1)
        };
        let ((action, statistics), request_bytes, reply_bytes) =
            self.exchange(id, &request, promised, |reply| match reply {
                Reply::Decision { id: answered, action, statistics } if answered == id => {
                    Some(Ok((action.to_vec(), statistics)))
                }
                _ => None,
            })?;
        let answer = Answer { action, statistics, request_bytes, reply_bytes, wall: sent.elapsed() };
        if let Some(witness) = &self.witness {
            let mut witness = witness.lock().unwrap_or_else(PoisonError::into_inner);
            witness.decided(game, state, limits, &answer, self.baud);
        }
        Ok(answer)
    }

    /// Hands over something that a game needs before its requests, such as a map.
    pub fn load(&mut self, game: GameId, data: &[u8]) -> Result<(), ClientError> {
        let id = new_id();
        self.exchange(id, &Request::Load { id, game, data }, HELLO, |reply| match reply {
            Reply::Loaded { id: loaded } if loaded == id => Some(Ok(())),
            _ => None,
        })?;
        if let Some(witness) = &self.witness {
            witness.lock().unwrap_or_else(PoisonError::into_inner).loaded(game, data);
        }
        Ok(())
    }

    /// Hands over what takes several pieces. They are worth something together only: if the board starts again on the
    /// way, they are all handed over again. A refusal may be the first sign of that.
    pub fn load_all(&mut self, game: GameId, pieces: &[Vec<u8>]) -> Result<(), ClientError> {
        let mut refused = ClientError::Silent;
        for _ in 0..LOADS {
            let boot = self.hello_within(self.give_up(HELLO))?.boot;
            let loaded = pieces.iter().try_for_each(|piece| self.load(game, piece));
            let restarted = self.hello_within(self.give_up(HELLO))?.boot != boot;
            match loaded {
                Ok(()) if !restarted => return Ok(()),
                Ok(()) => {}
                Err(error) if refusal(&error).is_none() => return Err(error),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// How long nothing at all may come.
    fn give_up(&self, promised: Duration) -> Duration {
        promised + GIVE_UP.max(self.link.patience())
    }

    /// Sends a request until its answer comes. Gives the answer with the bytes of both frames.
    fn exchange<T>(
        &mut self,
        id: u32,
        request: &Request<'_>,
        promised: Duration,
        mut wanted: impl FnMut(Reply) -> Option<Result<T, ClientError>>,
    ) -> Result<(T, usize, usize), ClientError> {
        let mut alive = Instant::now();
        let mut busy_since = None;
        let mut tries = 0;
        while tries < TRIES {
            self.count.retries += u32::from(tries > 0);
            tries += 1;
            let request_bytes = self.send(request)?;
            match self.outcome(id, promised, &mut wanted)? {
                Outcome::Answered(answer, reply_bytes) => {
                    self.previous = id;
                    return Ok((answer, request_bytes, reply_bytes));
                }
                Outcome::Damaged => {}
                Outcome::Busy => {
                    // If it is an earlier request of ours, which came late, then nobody waits for it any more. Anything
                    // else ends by itself.
                    if busy_since.get_or_insert_with(Instant::now).elapsed() > self.give_up(promised) {
                        return Err(ClientError::Refused(ErrorCode::Busy));
                    }
                    alive = Instant::now();
                    tries -= 1;
                    self.send(&Request::Stop { id: self.previous })?;
                    thread::sleep(BUSY);
                }
                Outcome::Restarted => alive = Instant::now(),
                // Is somebody there at all, and is it still the same run of the board?
                Outcome::Nothing => {
                    self.hello_within(self.give_up(promised).saturating_sub(alive.elapsed()).max(ASK_AGAIN))?;
                    alive = Instant::now();
                }
            }
        }
        Err(ClientError::Silent)
    }

    /// What comes of a request that was sent.
    fn outcome<T>(
        &mut self,
        id: u32,
        promised: Duration,
        wanted: &mut impl FnMut(Reply) -> Option<Result<T, ClientError>>,
    ) -> Result<Outcome<T>, ClientError> {
        let until = Instant::now() + self.link.ask_again(promised);
        loop {
            match self.receive(until)? {
                Heard::Nothing => return Ok(Outcome::Nothing),
                Heard::Damaged => return Ok(Outcome::Damaged),
                Heard::Reply(reply, reply_bytes) => match reply {
                    Reply::Error { code: ErrorCode::WrongVersion, .. } => return Err(ClientError::WrongVersion),
                    Reply::Error { id: refused, code } if refused == id && id != 0 => {
                        if code == ErrorCode::Busy {
                            return Ok(Outcome::Busy);
                        }
                        return Err(ClientError::Refused(code));
                    }
                    // Something arrived damaged over there; it may have been this request.
                    Reply::Error { id: 0, .. } => return Ok(Outcome::Damaged),
                    Reply::Identity(identity) => {
                        if self.meet(identity) {
                            return Ok(Outcome::Restarted);
                        }
                    }
                    other => match wanted(other) {
                        Some(answer) => return answer.map(|answer| Outcome::Answered(answer, reply_bytes)),
                        None => self.count.repeats += 1,
                    },
                },
            }
        }
    }

    fn send(&mut self, request: &Request<'_>) -> Result<usize, ClientError> {
        let frame = encode(request, &mut self.scratch, &mut self.line).ok_or(ClientError::TooLarge)?;
        self.link.write(frame)?;
        Ok(frame.len())
    }

    /// What comes next over the line, until the time is up.
    fn receive(&mut self, until: Instant) -> Result<Heard, ClientError> {
        loop {
            let mut used = 0;
            let mut heard = None;
            for &byte in &self.received {
                used += 1;
                let length = self.decoder.len() + 2;
                heard = match self.decoder.push(byte) {
                    Received::Frame(message) => match open(message) {
                        Ok(reply) => Some(Heard::Reply(reply, length)),
                        Err(_) => Some(Heard::Damaged),
                    },
                    Received::Bad(FrameError::WrongVersion(_)) => return Err(ClientError::WrongVersion),
                    Received::Bad(_) => Some(Heard::Damaged),
                    Received::Nothing | Received::Typed(_) => None,
                };
                if heard.is_some() {
                    break;
                }
            }
            self.received.drain(..used);
            if heard.is_none() && self.decoder.is_inside() && self.last_byte.elapsed() > SILENCE {
                // The end of the frame was lost.
                self.decoder.reset();
                heard = Some(Heard::Damaged);
            }
            if let Some(heard) = heard {
                self.count.bad_frames += u32::from(matches!(heard, Heard::Damaged));
                return Ok(heard);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Heard::Nothing);
            }
            let mut buffer = [0; 4096];
            let length = self.link.read(&mut buffer, left.min(LOOK))?;
            if length > 0 {
                self.last_byte = Instant::now();
            }
            self.received.extend_from_slice(&buffer[..length]);
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(witness) = &self.witness {
            witness.lock().unwrap_or_else(PoisonError::into_inner).closed(self.count);
        }
    }
}

/// Whether an error means that the state itself is at fault.
pub fn refusal(error: &ClientError) -> Option<StateError> {
    match error {
        ClientError::Refused(ErrorCode::State(reason)) => Some(*reason),
        _ => None,
    }
}
