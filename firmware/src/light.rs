//! The status light of a board that has one.

use embassy_time::Instant;

use crate::run::Status;

/// One light that tells three things apart: a short flash every two seconds while the board waits, steady while it
/// thinks, a quick blink after something on the line could not be used.
///
/// It has no timer of its own: the agent's loop calls [`Light::refresh`] whenever it turns, so a light that stands still
/// is a loop that stands still.
pub(crate) struct Light<F> {
    /// Turns the light on or off.
    switch: F,
    status: Status,
}

impl<F: FnMut(bool)> Light<F> {
    pub(crate) fn new(switch: F) -> Self {
        Self { switch, status: Status::Idle }
    }

    pub(crate) fn show(&mut self, status: Status) {
        self.status = status;
        self.refresh();
    }

    pub(crate) fn refresh(&mut self) {
        (self.switch)(lit(self.status, Instant::now().as_millis()));
    }
}

/// Whether the light is on. Every stretch is longer than the loop's longest wait, so that none is missed.
fn lit(status: Status, now_ms: u64) -> bool {
    match status {
        Status::Idle => now_ms % 2_048 < 256,
        Status::Thinking => true,
        Status::Error => now_ms % 512 < 256,
    }
}

const _: () = assert!(crate::run::IDLE_MS < 256);
