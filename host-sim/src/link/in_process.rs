//! The agent in this very program, behind the same bytes as any board.

use core::time::Duration;
use std::io;
use std::thread;
use std::time::Instant;

use rival_core::agent::{Clock, WORKSPACE_WORDS, Workspace};
use rival_core::games::GameId;
use rival_core::session::{Platform, Session};
use rival_core::wire::{Identity, MAX_REQUEST, Timing};

use super::Link;

/// How long to wait while nothing happens.
const NAP: Duration = Duration::from_millis(1);

/// An agent that works while its answer is waited for.
pub struct InProcess {
    desktop: Desktop,
    session: Box<Session>,
    workspace: Box<Workspace>,
    /// What the session has said and nobody has read.
    said: Vec<u8>,
}

struct Desktop {
    since: Instant,
    boot: u32,
}

impl Clock for Desktop {
    fn now_us(&self) -> u64 {
        self.since.elapsed().as_micros() as u64
    }
}

impl Platform for Desktop {
    fn identity(&self) -> Identity {
        Identity {
            firmware: env!("CARGO_PKG_VERSION").try_into().unwrap_or_default(),
            board: "in-process".try_into().unwrap_or_default(),
            clock_hz: 0,
            timing: Timing::Desktop,
            boot: self.boot,
            games: GameId::ALL.iter().copied().collect(),
            max_request: MAX_REQUEST as u16,
            workspace: (WORKSPACE_WORDS * 8) as u32,
            static_ram: (size_of::<Session>() + size_of::<Workspace>()) as u32,
            stack: 0,
            stack_peak: 0,
            last_fault: None,
        }
    }
}

impl Default for InProcess {
    fn default() -> Self {
        Self::new()
    }
}

impl InProcess {
    /// An idle agent.
    pub fn new() -> Self {
        Self {
            desktop: Desktop { since: Instant::now(), boot: 1 },
            session: Box::new(Session::new()),
            workspace: Box::new(Workspace::new()),
            said: Vec::new(),
        }
    }

    fn collect(&mut self) {
        self.said.extend_from_slice(self.session.output());
        self.session.clear_output();
    }
}

impl Link for InProcess {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        for &byte in bytes {
            self.session.receive(byte, &mut self.workspace, &self.desktop);
            self.collect();
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let start = Instant::now();
        if self.session.is_busy() {
            // A board works on whether it is listened to or not.
            self.session.step(&mut self.workspace, &self.desktop);
        }
        self.collect();
        while self.said.is_empty() {
            if start.elapsed() >= timeout {
                return Ok(0);
            }
            self.session.step(&mut self.workspace, &self.desktop);
            self.collect();
            if !self.session.is_busy() && self.said.is_empty() {
                // Nothing is running, so nothing will come of its own accord, unless a frame has to be given up.
                thread::sleep(timeout.min(NAP));
                return Ok(0);
            }
        }
        let length = self.said.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.said[..length]);
        self.said.drain(..length);
        if self.said.is_empty() {
            self.said = Vec::new();
        }
        Ok(length)
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// What a reset does to a board: the session begins anew, and what lies in the workspace is anything.
    fn reset(&mut self) -> io::Result<bool> {
        *self.session = Session::new();
        self.workspace.words().fill(0xDEAD_BEEF_DEAD_BEEF);
        self.said = Vec::new();
        self.desktop.boot += 1;
        self.session.announce(&self.desktop);
        Ok(true)
    }
}
