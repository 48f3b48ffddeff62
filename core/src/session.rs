//! The board's end of the line: bytes in, bytes out.
//!
//! A [`Session`] does no input or output of its own. The firmware carries bytes between it and a serial port, the
//! desktop's in-process link between it and the program, tests between it and an array. So all links run the same code.
//!
//! ```
//! use rival_core::agent::{Clock, Workspace};
//! use rival_core::session::{Platform, Session};
//! use rival_core::wire::Identity;
//! # use rival_core::wire::Timing;
//!
//! struct Bench;
//! impl Clock for Bench {
//!     fn now_us(&self) -> u64 { 0 }
//! }
//! impl Platform for Bench {
//!     fn identity(&self) -> Identity {
//! #       Identity { firmware: "0".try_into().unwrap(), board: "bench".try_into().unwrap(), clock_hz: 1,
//! #           timing: Timing::Desktop, boot: 1, games: Default::default(), max_request: 0, workspace: 0,
//! #           static_ram: 0, stack: 0, stack_peak: 0, last_fault: None }
//! #       /*
//!         ..
//! #       */
//!     }
//! }
//!
//! let (mut session, mut workspace) = (Session::new(), Workspace::new());
//! for &byte in b"new mancala\r" {
//!     session.receive(byte, &mut workspace, &Bench);
//! }
//! assert!(core::str::from_utf8(session.output()).unwrap().contains("J1 (you)"));
//! ```

use heapless::Vec;

use crate::agent::{Agent, Budget, Clock, Decision, Workspace};
use crate::console::{Console, Task};
use crate::games::GameId;
use crate::wire::frame::{Decoder, FrameError, Received, encode, frame_len, open};
use crate::wire::{Counters, ErrorCode, Identity, Limits, MAX_REPLY, MAX_REQUEST, Reply, Request};

/// What a session may ask its surroundings.
pub trait Platform: Clock {
    /// Who we are.
    fn identity(&self) -> Identity;
    /// Most bytes of stack used since the reset, where that is known.
    fn stack_peak(&self) -> u32 {
        0
    }
    /// The processor's own count of its cycles, which wraps; `None` where it has none. It has to go on while the search
    /// runs, and may stand still in between.
    fn cycles(&self) -> Option<u32> {
        None
    }
    /// Bits a second of the line, ten of which carry a byte; `None` where a byte takes no time worth counting.
    fn baud(&self) -> Option<u32> {
        None
    }
    /// Bytes that the receiver could not keep.
    fn overruns(&self) -> u32 {
        0
    }
    /// Called when a request for a decision is complete and nothing else is being worked on. An emulated board, on which bytes take no time of their own, brings its clock
    /// into step here, so that the same request takes the same time in every run, and gives the moment that counts as
    /// the arrival of the last byte: the request's time on the line is then what its length says and not when the
    /// emulator happened to deliver it.
    fn fall_in(&self) -> Option<u64> {
        None
    }
}

/// Kept back from every deadline: one slice of search, the encoding of the reply and the way to the transmitter.
/// The largest overshoot measured at 31 million instructions a second is 1.2 ms.
const MARGIN_US: u64 = 3_000;
/// The time for a request that sets no limit at all.
const DEFAULT_TIME_US: u32 = 1_000_000;
/// A frame in which nothing has arrived for this long is given up.
const SILENCE_US: u64 = 300_000;
/// While a search runs, noise on the line is answered at most once in this time, so that answering cannot make it late.
const NOISE_US: u64 = 20_000;
/// Room for the longest frame, which is also enough for the longest page of the console.
const OUTBOX: usize = 1_536;

/// What the agent is working for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Line { id: u32, started_us: u64, received_us: u64, decoded_us: u64, cycles: Option<u32> },
    Console { started_us: u64 },
}

/// A conversation over one line. See the [module](self).
pub struct Session {
    decoder: Decoder<{ frame_len(MAX_REQUEST) }>,
    desk: Desk,
    first_byte_us: u64,
    last_byte_us: u64,
}

/// Everything but the decoder, so that a frame can be served where it lies in the decoder's buffer.
struct Desk {
    agent: Agent,
    console: Console,
    outbox: Vec<u8, OUTBOX>,
    origin: Option<Origin>,
    last: Option<(u32, Decision)>,
    counters: Counters,
    /// Until then noise is not answered.
    quiet_until_us: u64,
    /// Until then nothing is.
    busy_until_us: u64,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session in which nothing has been said. Meant for a `static`.
    pub const fn new() -> Self {
        Self {
            decoder: Decoder::new(),
            desk: Desk {
                agent: Agent::new(),
                console: Console::new(),
                outbox: Vec::new(),
                origin: None,
                last: None,
                counters: Counters { frames: 0, bad_frames: 0, decisions: 0, repeats: 0, refused: 0, overruns: 0 },
                quiet_until_us: 0,
                busy_until_us: 0,
            },
            first_byte_us: 0,
            last_byte_us: 0,
        }
    }

    /// Says who we are without being asked, so that a host which waits for an answer learns that the board has started
    /// again and has forgotten the question. Call it once, when the line is open.
    pub fn announce(&mut self, platform: &impl Platform) {
        self.desk.send(&Reply::Identity(platform.identity()));
    }

    /// Bytes for the other end. Send them, then call [`Session::clear_output`].
    pub fn output(&self) -> &[u8] {
        &self.desk.outbox
    }

    /// Forgets the bytes for the other end, once they are sent.
    pub fn clear_output(&mut self) {
        self.desk.outbox.clear();
    }

    /// Whether a search is running, so that [`Session::step`] should be called again soon.
    pub const fn is_busy(&self) -> bool {
        self.desk.agent.is_running()
    }

    /// Takes in the next byte from the line. It causes at most one reply.
    // On its own: inlined, it would take its stack from the search as well.
    #[inline(never)]
    pub fn receive(&mut self, byte: u8, workspace: &mut Workspace, platform: &impl Platform) {
        let now = platform.now_us();
        if self.decoder.is_empty() {
            self.first_byte_us = now;
        }
        self.last_byte_us = now;
        let length = self.decoder.len() as u64 + 2;
        match self.decoder.push(byte) {
            Received::Nothing => {}
            Received::Frame(message) => {
                self.desk.counters.frames += 1;
                self.desk.console.close();
                let arrival = Arrival { first_byte_us: self.first_byte_us, now_us: now, length };
                self.desk.serve(message, &arrival, workspace, platform);
            }
            Received::Bad(error) => self.desk.bad_frame(error, now, platform),
            Received::Typed(byte) => self.desk.typed(byte, workspace, platform),
        }
    }

    /// Works on the running request for one slice and gives up a frame that stopped arriving. Call it in a loop while
    /// [`Session::is_busy`], and now and then otherwise.
    #[inline(never)]
    pub fn step(&mut self, workspace: &mut Workspace, platform: &impl Platform) {
        if self.decoder.is_inside() {
            let now = platform.now_us();
            if now.saturating_sub(self.last_byte_us) > SILENCE_US {
                self.decoder.reset();
                self.desk.bad_frame(FrameError::Damaged, now, platform);
            }
        }
        let task = self.desk.work(workspace, platform);
        self.desk.run_task(task, workspace, platform);
    }
}

impl Desk {
    /// A slice of the running request. On its own, so that the decision is off the stack before the next request begins.
    #[inline(never)]
    fn work(&mut self, workspace: &mut Workspace, platform: &impl Platform) -> Option<Task> {
        let decision = self.agent.run(workspace, platform)?;
        self.decided(decision, platform)
    }

    /// Ends the running request. On its own for the same reason.
    #[inline(never)]
    fn stop(&mut self, workspace: &mut Workspace, platform: &impl Platform) -> Option<Task> {
        let decision = self.agent.stop(workspace)?;
        self.decided(decision, platform)
    }

    #[inline(never)]
    fn send(&mut self, reply: &Reply) {
        let mut scratch = [0; MAX_REPLY];
        let start = self.outbox.len();
        let room = (OUTBOX - start).min(frame_len(MAX_REPLY));
        if self.outbox.resize(start + room, 0).is_ok() {
            let sent = encode(reply, &mut scratch, &mut self.outbox[start..]).map_or(0, <[u8]>::len);
            self.outbox.truncate(start + sent);
        }
    }

    /// Says something that is not the decision being worked on. While there is one, such replies take half of the time
    /// at most, and none that would still be on its way when the decision has to be: whoever asked will ask again.
    fn aside(&mut self, reply: &Reply, platform: &impl Platform) {
        if !self.agent.is_running() {
            return self.send(reply);
        }
        let now = platform.now_us();
        if now < self.busy_until_us {
            return;
        }
        let start = self.outbox.len();
        self.send(reply);
        let done_us = now + line_us((self.outbox.len() - start) as u64, platform);
        if self.agent.deadline().is_some_and(|deadline_us| done_us > deadline_us) {
            self.outbox.truncate(start);
        } else {
            self.busy_until_us = done_us + (done_us - now);
        }
    }

    fn refuse(&mut self, id: u32, code: ErrorCode, platform: &impl Platform) {
        self.counters.refused += 1;
        self.aside(&Reply::Error { id, code }, platform);
    }

    #[cold]
    #[inline(never)]
    fn bad_frame(&mut self, error: FrameError, now_us: u64, platform: &impl Platform) {
        self.console.drop_line();
        self.counters.bad_frames += 1;
        if self.agent.is_running() && now_us < self.quiet_until_us {
            return;
        }
        self.quiet_until_us = now_us + NOISE_US;
        let code = match error {
            FrameError::Damaged => ErrorCode::BadFrame,
            FrameError::Oversized => ErrorCode::Oversized,
            FrameError::WrongVersion(_) => ErrorCode::WrongVersion,
            FrameError::Malformed => ErrorCode::Malformed,
        };
        self.aside(&Reply::Error { id: 0, code }, platform);
    }

    fn serve(&mut self, message: &[u8], arrival: &Arrival, workspace: &mut Workspace, platform: &impl Platform) {
        if matches!(self.origin, Some(Origin::Console { .. })) {
            // A program has taken over from whoever was typing.
            self.agent.stop(workspace);
            self.origin = None;
        }
        match open(message) {
            Ok(Request::Hello) => self.aside(&Reply::Identity(platform.identity()), platform),
            Ok(Request::Count) => {
                let counters = Counters { overruns: platform.overruns(), ..self.counters };
                self.aside(&Reply::Counters(counters), platform);
            }
            Ok(Request::Decide { id, limits, game, state }) => {
                let asked = Asked { id, limits, game, started_us: 0 };
                self.decide(asked, state, arrival, workspace, platform);
            }
            Ok(Request::Stop { id }) => match self.origin {
                Some(Origin::Line { id: running, .. }) if running == id => {
                    self.stop(workspace, platform);
                }
                _ => self.repeat(id, platform).unwrap_or_else(|| self.refuse(id, ErrorCode::NotRunning, platform)),
            },
            Ok(Request::Load { id, game, data }) => {
                if self.agent.is_running() {
                    return self.refuse(id, ErrorCode::Busy, platform);
                }
                match self.agent.load(game, data, workspace) {
                    Ok(()) => self.send(&Reply::Loaded { id }),
                    Err(reason) => self.refuse(id, ErrorCode::State(reason), platform),
                }
            }
            Err(error) => self.bad_frame(error, platform.now_us(), platform),
        }
    }

    /// Answers a request from memory, if it is the last one that was answered.
    fn repeat(&mut self, id: u32, platform: &impl Platform) -> Option<()> {
        let (last, decision) = self.last.as_ref()?;
        if *last != id {
            return None;
        }
        self.counters.repeats += 1;
        let Decision { action, statistics } = decision.clone();
        self.aside(&Reply::Decision { id, action, statistics }, platform);
        Some(())
    }

    fn decide(
        &mut self,
        mut asked: Asked,
        state: &[u8],
        arrival: &Arrival,
        workspace: &mut Workspace,
        platform: &impl Platform,
    ) {
        let id = asked.id;
        if let Some(Origin::Line { id: running, .. }) = self.origin {
            // The same request again is no news; another one has to wait.
            if running != id {
                self.refuse(id, ErrorCode::Busy, platform);
            }
            return;
        }
        if self.repeat(id, platform).is_some() {
            return;
        }
        asked.started_us = arrival.started_us(platform);
        let received_us = platform.now_us();
        if let Err(reason) = self.start(&asked, state, workspace, platform) {
            return self.refuse(id, ErrorCode::State(reason), platform);
        }
        (self.quiet_until_us, self.busy_until_us) = (0, 0);
        let decoded_us = platform.now_us();
        let cycles = platform.cycles();
        self.origin = Some(Origin::Line { id, started_us: asked.started_us, received_us, decoded_us, cycles });
    }

    fn start(
        &mut self,
        asked: &Asked,
        state: &[u8],
        workspace: &mut Workspace,
        platform: &impl Platform,
    ) -> Result<(), crate::games::StateError> {
        let Limits { mut time_us, nodes, depth } = asked.limits;
        if time_us == 0 && nodes == 0 && depth == 0 {
            time_us = DEFAULT_TIME_US;
        }
        let some = |limit: u32| (limit > 0).then_some(limit);
        let budget =
            Budget { deadline_us: None, nodes: some(nodes), depth: some(depth.into()).map(|depth| depth as u8) };
        self.agent.begin(asked.game, state, budget, workspace)?;
        self.agent.set_deadline(some(time_us).map(|time_us| {
            let on_the_line = line_us(self.agent.reply_bytes().into(), platform);
            (asked.started_us + u64::from(time_us)).saturating_sub(on_the_line + MARGIN_US)
        }));
        Ok(())
    }

    /// Sends a decision to whoever asked. Gives what the console wants to be thought about next.
    #[inline(never)]
    fn decided(&mut self, mut decision: Decision, platform: &impl Platform) -> Option<Task> {
        self.counters.decisions += 1;
        decision.statistics.stack_peak = platform.stack_peak();
        let (now, now_cycles) = (platform.now_us(), platform.cycles());
        match self.origin.take() {
            Some(Origin::Line { id, started_us, received_us, decoded_us, cycles }) => {
                let statistics = &mut decision.statistics;
                statistics.receive_us = (received_us - started_us) as u32;
                statistics.decode_us = (decoded_us - received_us) as u32;
                statistics.search_us = (now - decoded_us) as u32;
                statistics.search_cycles = now_cycles.zip(cycles).map(|(now, then)| now.wrapping_sub(then));
                statistics.answer_us = (now - started_us) as u32;
                self.last = None;
                let reply = Reply::Decision { id, action: decision.action, statistics: decision.statistics };
                self.send(&reply);
                if let Reply::Decision { action, statistics, .. } = reply {
                    self.last = Some((id, Decision { action, statistics }));
                }
                None
            }
            Some(Origin::Console { started_us }) => {
                decision.statistics.search_us = (now - started_us) as u32;
                decision.statistics.answer_us = decision.statistics.search_us;
                self.console.decided(&decision, &mut self.outbox)
            }
            None => None,
        }
    }

    fn typed(&mut self, byte: u8, workspace: &mut Workspace, platform: &impl Platform) {
        match self.origin {
            // A request over the line is being worked on; whoever types has to wait.
            Some(Origin::Line { .. }) => {}
            Some(Origin::Console { .. }) => {
                // Any key ends the thinking early.
                let task = self.stop(workspace, platform);
                self.run_task(task, workspace, platform);
            }
            None => {
                let task = self.console.typed(byte, &|| platform.identity(), &mut self.outbox);
                self.run_task(task, workspace, platform);
            }
        }
    }

    #[inline(never)]
    fn run_task(&mut self, task: Option<Task>, workspace: &mut Workspace, platform: &impl Platform) {
        let Some(task) = task else { return };
        let started_us = platform.now_us();
        let asked = Asked { id: 0, limits: task.limits, game: task.game, started_us };
        match self.start(&asked, &task.state, workspace, platform) {
            Ok(()) => self.origin = Some(Origin::Console { started_us }),
            Err(reason) => self.console.refused(reason, &mut self.outbox),
        }
    }
}

/// How long the line takes to carry that many bytes.
fn line_us(bytes: u64, platform: &impl Platform) -> u64 {
    platform.baud().map_or(0, |baud| bytes * 10_000_000 / u64::from(baud.max(1)))
}

/// When a frame came.
struct Arrival {
    first_byte_us: u64,
    now_us: u64,
    length: u64,
}

impl Arrival {
    /// When its first byte came. Only asked for a request that is going to be worked on, because an emulated board takes
    /// its time over it: see [`Platform::fall_in`].
    ///
    /// Where the line's speed is known the frame cannot have begun later than its length allows, even if the bytes came
    /// out of a buffer all at once.
    fn started_us(&self, platform: &impl Platform) -> u64 {
        let on_the_line = line_us(self.length, platform);
        match platform.fall_in() {
            Some(arrived_us) => arrived_us.saturating_sub(on_the_line),
            None => self.first_byte_us.min(self.now_us.saturating_sub(on_the_line)),
        }
    }
}

/// A request for a decision, its state apart.
struct Asked {
    id: u32,
    limits: Limits,
    game: GameId,
    started_us: u64,
}

#[cfg(test)]
mod tests;
