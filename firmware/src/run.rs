//! The shared main: carries bytes between a stream and the session, and works in between.

use core::task::Poll;

use embassy_futures::{poll_once, yield_now};
use embassy_time::{Duration, Instant, with_timeout};
use embedded_io_async::{Read, Write};
use rival_core::agent::{Clock, Workspace};
use rival_core::games::GameId;
use rival_core::session::{Platform, Session};
use rival_core::wire::{Fault, Identity, MAX_REQUEST, Timing};
use static_cell::ConstStaticCell;

use crate::{fault, stack};

/// What the board says about itself.
pub(crate) struct Facts {
    pub(crate) name: &'static str,
    pub(crate) clock_hz: u32,
    pub(crate) timing: Timing,
    /// Bits a second of the serial line; `None` for USB.
    pub(crate) baud: Option<u32>,
    /// Reads the processor's count of cycles, see [`Platform::cycles`].
    pub(crate) cycles: Option<fn() -> u32>,
    /// Brings an emulated clock into step, see [`Platform::fall_in`].
    pub(crate) fall_in: Option<fn() -> u64>,
}

/// What the status light shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Waiting for a request.
    Idle,
    /// Searching.
    Thinking,
    /// The line brought something that could not be used.
    Error,
}

/// What a board has besides its line.
pub(crate) trait Board {
    /// Shows how things stand.
    fn show(&mut self, status: Status);
    /// Tells the watchdog that the agent's loop is alive. Called at least every [`IDLE_MS`].
    fn feed(&mut self);
}

/// The longest the loop waits for a byte before it shows that it is alive.
pub(crate) const IDLE_MS: u64 = 200;
/// If the loop has not turned for this long, the watchdog starts the board again.
pub(crate) const WATCHDOG_MS: u32 = 2_000;
/// Bytes taken from the receiver at a time.
const CHUNK: usize = 64;

static WORKSPACE: ConstStaticCell<Workspace> = ConstStaticCell::new(Workspace::new());
static SESSION: ConstStaticCell<Session> = ConstStaticCell::new(Session::new());

struct Device {
    facts: Facts,
    boot: u32,
    last_fault: Option<Fault>,
    overruns: u32,
}

impl Clock for Device {
    fn now_us(&self) -> u64 {
        Instant::now().as_micros()
    }
}

impl Platform for Device {
    fn identity(&self) -> Identity {
        Identity {
            firmware: env!("CARGO_PKG_VERSION").try_into().unwrap_or_default(),
            board: self.facts.name.try_into().unwrap_or_default(),
            clock_hz: self.facts.clock_hz,
            timing: self.facts.timing,
            boot: self.boot,
            games: GameId::ALL.iter().copied().collect(),
            max_request: MAX_REQUEST as u16,
            workspace: size_of::<Workspace>() as u32,
            static_ram: stack::static_ram(),
            stack: stack::size(),
            stack_peak: stack::peak(),
            last_fault: self.last_fault.clone(),
        }
    }

    fn stack_peak(&self) -> u32 {
        stack::peak()
    }

    fn baud(&self) -> Option<u32> {
        self.facts.baud
    }

    fn cycles(&self) -> Option<u32> {
        self.facts.cycles.map(|count| count())
    }

    fn overruns(&self) -> u32 {
        self.overruns
    }

    fn fall_in(&self) -> Option<u64> {
        self.facts.fall_in.map(|fall_in| fall_in())
    }
}

/// Runs the opponent. `rx` must be interrupt-driven and buffered, so that no byte is lost while a slice of search runs,
/// and its `read` must lose nothing when it is dropped before it is ready.
pub(crate) async fn run(mut rx: impl Read, mut tx: impl Write, mut board: impl Board, facts: Facts) -> ! {
    let (last_fault, boot) = fault::take();
    defmt::info!("Rival {} on {}, run {}", env!("CARGO_PKG_VERSION"), facts.name, boot);
    let mut device = Device { facts, boot, last_fault, overruns: 0 };
    let session = SESSION.take();
    let workspace = WORKSPACE.take();
    let mut chunk = [0; CHUNK];
    board.show(Status::Idle);
    // A host that waits for an answer from before the reset learns that none will come.
    session.announce(&device);
    send(session, &mut tx).await;
    loop {
        board.feed();
        let received = if session.is_busy() {
            session.step(workspace, &device);
            send(session, &mut tx).await;
            if !session.is_busy() {
                board.show(Status::Idle);
            }
            // Other tasks, such as a USB stack, get their turn; then a look at the line.
            yield_now().await;
            match poll_once(rx.read(&mut chunk)) {
                Poll::Ready(received) => received.ok(),
                Poll::Pending => Some(0),
            }
        } else {
            let patience = Duration::from_millis(IDLE_MS);
            if let Ok(received) = with_timeout(patience, rx.read(&mut chunk)).await {
                received.ok()
            } else {
                // Nothing came: a frame that has begun may have to be given up.
                session.step(workspace, &device);
                send(session, &mut tx).await;
                Some(0)
            }
        };
        let Some(length) = received else {
            device.overruns += 1;
            board.show(Status::Error);
            continue;
        };
        for &byte in &chunk[..length.min(CHUNK)] {
            #[cfg(feature = "sabotage")]
            crate::sabotage::hear(byte);
            session.receive(byte, workspace, &device);
            send(session, &mut tx).await;
        }
        if length > 0 && session.is_busy() {
            board.show(Status::Thinking);
        }
    }
}

/// Sends what the session has to say. A line that does not take it is not worth waiting for: the host will ask again.
async fn send(session: &mut Session, tx: &mut impl Write) {
    if session.output().is_empty() {
        return;
    }
    let output = session.output();
    #[cfg(feature = "sabotage")]
    let output = &crate::sabotage::distorted(output);
    if tx.write_all(output).await.is_err() || tx.flush().await.is_err() {
        defmt::warn!("the line does not take a reply");
    }
    session.clear_output();
}
