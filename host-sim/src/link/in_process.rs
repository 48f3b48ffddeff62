//! The agent in this very program, behind the same bytes as any board.

use core::time::Duration;
use std::io;
use std::time::Instant;

use rival_core::agent::{Clock, WORKSPACE_WORDS, Workspace};
use rival_core::games::GameId;
use rival_core::session::{Platform, Session};
use rival_core::wire::{Identity, MAX_REQUEST, Timing};

use super::Link;

/// An agent that works while its answer is waited for.
pub struct InProcess {
    desktop: Desktop,
    session: Box<Session>,
    workspace: Box<Workspace>,
}

struct Desktop {
    since: Instant,
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
            boot: 1,
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
            desktop: Desktop { since: Instant::now() },
            session: Box::new(Session::new()),
            workspace: Box::new(Workspace::new()),
        }
    }
}

impl Link for InProcess {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        for &byte in bytes {
            self.session.receive(byte, &mut self.workspace, &self.desktop);
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let start = Instant::now();
        while self.session.output().is_empty() {
            if start.elapsed() >= timeout {
                return Ok(0);
            }
            self.session.step(&mut self.workspace, &self.desktop);
            if !self.session.is_busy() && self.session.output().is_empty() {
                // Nothing is running, so nothing will come of its own accord.
                return Ok(0);
            }
        }
        // The client's buffer is larger than a session's output, so that nothing is left behind.
        let output = self.session.output();
        let length = output.len().min(buffer.len());
        buffer[..length].copy_from_slice(&output[..length]);
        self.session.clear_output();
        Ok(length)
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }
}
