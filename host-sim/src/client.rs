//! The host's end of the line: requests out, decisions in.
//!
//! A request has a number. When no answer comes, or a damaged one, the same request is sent again: the board answers a
//! number that it has answered before with the same bytes, so that asking twice never changes a game.

use core::time::Duration;
use std::io;
use std::time::Instant;

use rival_core::games::{GameId, StateError};
use rival_core::wire::frame::{Decoder, FrameError, Received, encode, frame_len, open};
use rival_core::wire::{
    Counters, ErrorCode, Identity, Limits, MAX_REPLY, MAX_REQUEST, PROTOCOL, Reply, Request, Statistics,
};
use thiserror::Error;

use crate::link::{DEFAULT_BAUD, Link, LinkSpec, OpenError};

/// How often a request is sent before it is given up.
const TRIES: u32 = 4;
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
}

/// A conversation with an agent.
pub struct Client {
    link: Box<dyn Link>,
    decoder: Box<Decoder<{ frame_len(MAX_REPLY) }>>,
    identity: Identity,
    baud: Option<u32>,
    next_id: u32,
    count: LineCount,
    scratch: Vec<u8>,
    line: Vec<u8>,
    received: Vec<u8>,
}

impl Client {
    /// Opens a link and finds out who is there.
    pub fn open(spec: &LinkSpec) -> Result<Self, ClientError> {
        let baud = match spec {
            LinkSpec::InProcess => None,
            LinkSpec::Serial { baud, .. } => Some(*baud),
            LinkSpec::Emulator { .. } => Some(DEFAULT_BAUD),
        };
        Self::connect(spec.open()?, baud)
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
            // Another program may have left an answered request behind: begin somewhere else. All numbers are equally
            // long on the line, so that a request takes the same time in every run.
            next_id: 0x8000_0000 | (std::process::id() << 12),
            count: LineCount::default(),
            scratch: vec![0; MAX_REQUEST],
            line: vec![0; frame_len(MAX_REQUEST)],
            received: Vec::new(),
        };
        client.hello()?;
        Ok(client)
    }

    /// Asks who is there, again and again: a board that is starting does not hear the first question.
    pub fn hello(&mut self) -> Result<&Identity, ClientError> {
        let give_up = Instant::now() + HELLO.max(self.link.patience() / 2);
        loop {
            self.send(&Request::Hello)?;
            let until = (Instant::now() + ASK_AGAIN).min(give_up);
            while let Some((reply, _)) = self.receive(until)? {
                match reply {
                    Reply::Identity(identity) => {
                        self.identity = identity;
                        return Ok(&self.identity);
                    }
                    Reply::Error { code: ErrorCode::WrongVersion, .. } => return Err(ClientError::WrongVersion),
                    Reply::Error { id: 0, .. } => break,
                    _ => {}
                }
            }
            if Instant::now() >= give_up {
                return Err(ClientError::Silent);
            }
            self.count.retries += 1;
        }
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
        let id = self.new_id();
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
        Ok(Answer { action, statistics, request_bytes, reply_bytes, wall: sent.elapsed() })
    }

    /// Hands over something that a game needs before its requests, such as a map.
    pub fn load(&mut self, game: GameId, data: &[u8]) -> Result<(), ClientError> {
        let id = self.new_id();
        self.exchange(id, &Request::Load { id, game, data }, HELLO, |reply| match reply {
            Reply::Loaded { id: loaded } if loaded == id => Some(Ok(())),
            _ => None,
        })
        .map(|_| ())
    }

    fn new_id(&mut self) -> u32 {
        self.next_id = self.next_id.wrapping_add(1) | 0x8000_0000;
        self.next_id
    }

    /// Sends a request until its answer comes. Gives the answer with the bytes of both frames.
    fn exchange<T>(
        &mut self,
        id: u32,
        request: &Request<'_>,
        promised: Duration,
        mut wanted: impl FnMut(Reply) -> Option<Result<T, ClientError>>,
    ) -> Result<(T, usize, usize), ClientError> {
        let mut boot = self.identity.boot;
        for attempt in 0..TRIES {
            self.count.retries += u32::from(attempt > 0);
            let request_bytes = self.send(request)?;
            let until = Instant::now() + promised + self.link.patience();
            while let Some((reply, reply_bytes)) = self.receive(until)? {
                match reply {
                    Reply::Error { code: ErrorCode::WrongVersion, .. } => return Err(ClientError::WrongVersion),
                    Reply::Error { id: refused, code } if refused == id && id != 0 => {
                        return Err(ClientError::Refused(code));
                    }
                    // Something arrived damaged over there; it may have been this request.
                    Reply::Error { id: 0, .. } => break,
                    other => {
                        if let Some(answer) = wanted(other) {
                            return answer.map(|answer| (answer, request_bytes, reply_bytes));
                        }
                    }
                }
            }
            // Is somebody there at all, and is it still the same run of the board?
            self.hello()?;
            if self.identity.boot != boot {
                boot = self.identity.boot;
                self.count.resets += 1;
            }
        }
        Err(ClientError::Silent)
    }

    fn send(&mut self, request: &Request<'_>) -> Result<usize, ClientError> {
        let frame = encode(request, &mut self.scratch, &mut self.line).ok_or(ClientError::TooLarge)?;
        self.link.write(frame)?;
        Ok(frame.len())
    }

    /// The next whole reply and the length of its frame; `None` when the time is up.
    fn receive(&mut self, until: Instant) -> Result<Option<(Reply, usize)>, ClientError> {
        loop {
            let mut used = 0;
            let mut found = None;
            for &byte in &self.received {
                used += 1;
                let length = self.decoder.len() + 2;
                match self.decoder.push(byte) {
                    Received::Frame(message) => match open(message) {
                        Ok(reply) => {
                            found = Some((reply, length));
                            break;
                        }
                        Err(_) => self.count.bad_frames += 1,
                    },
                    Received::Bad(FrameError::WrongVersion(_)) => return Err(ClientError::WrongVersion),
                    Received::Bad(_) => self.count.bad_frames += 1,
                    Received::Nothing | Received::Typed(_) => {}
                }
            }
            self.received.drain(..used);
            if found.is_some() {
                return Ok(found);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let mut buffer = [0; 4096];
            let length = self.link.read(&mut buffer, left.min(Duration::from_millis(200)))?;
            self.received.extend_from_slice(&buffer[..length]);
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
