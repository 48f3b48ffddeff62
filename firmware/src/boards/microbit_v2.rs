//! BBC micro:bit v2: a Cortex-M4 at 64 MHz (nRF52833), on the serial port of the board's own interface chip.

use embassy_executor::Spawner;
use embassy_nrf::buffered_uarte::{BufferedUarte, InterruptHandler};
use embassy_nrf::config::{Config, HfclkSource, LfclkSource};
use embassy_nrf::gpio::{Level, Output, OutputDrive};
use embassy_nrf::peripherals::UARTE0;
use embassy_nrf::uarte::{self, Baudrate};
use embassy_nrf::wdt::{self, HaltConfig, Watchdog, WatchdogHandle};
use embassy_nrf::{bind_interrupts, pac};
use rival_core::wire::{FaultKind, Timing};
use static_cell::ConstStaticCell;

use crate::light::Light;
use crate::run::{Board, Facts, Status, WATCHDOG_MS, run};
use crate::{cycles, fault, stack};

const CLOCK_HZ: u32 = 64_000_000;
const BAUD: u32 = 115_200;
/// The watchdog counts the low-frequency clock.
const WATCHDOG_TICKS: u32 = (WATCHDOG_MS as u64 * 32_768 / 1_000) as u32;

/// Bytes between the receiver and the loop. The driver fills one half while the other is read, so 256 bytes are sure:
/// 22 ms of the line, where a slice of search takes less than one.
static RX: ConstStaticCell<[u8; 512]> = ConstStaticCell::new([0; 512]);
static TX: ConstStaticCell<[u8; 128]> = ConstStaticCell::new([0; 128]);

bind_interrupts!(struct Interrupts {
    UARTE0 => InterruptHandler<UARTE0>;
});

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    stack::paint();
    note_reset();
    let mut config = Config::default();
    // The board has a crystal for the fast clock only. Deriving the slow clock from it makes the time driver, and with
    // it every deadline, as exact as the crystal; the part's own slow oscillator may be off by two in a hundred.
    config.hfclk_source = HfclkSource::ExternalXtal;
    config.lfclk_source = LfclkSource::Synthesized;
    let parts = embassy_nrf::init(config);
    // The cache for instructions, which is off after a reset: without it a jump waits for the flash.
    pac::NVMC.icachecnf().modify(|cache| cache.set_cacheen(true));

    let mut line = uarte::Config::default();
    line.baudrate = Baudrate::Baud115200;
    // P0.06 and P1.08 lead to the interface chip, which makes a USB serial port of them.
    let uart = BufferedUarte::new(
        parts.UARTE0,
        parts.TIMER0,
        parts.PPI_CH0,
        parts.PPI_CH1,
        parts.PPI_GROUP0,
        parts.P1_08,
        parts.P0_06,
        Interrupts,
        line,
        RX.take(),
        TX.take(),
    );
    let (rx, tx) = uart.split();

    // The light in the middle of the matrix: row 3 feeds it, column 3 drains it.
    let mut row = Output::new(parts.P0_15, Level::Low, OutputDrive::Standard);
    let column = Output::new(parts.P0_31, Level::Low, OutputDrive::Standard);
    let light = Light::new(move |on: bool| {
        // Moved in, so that the pin stays an output for as long as the light is there.
        let _ = &column;
        row.set_level(on.into());
    });

    let mut period = wdt::Config::default();
    period.timeout_ticks = WATCHDOG_TICKS;
    period.action_during_debug_halt = HaltConfig::Pause;
    let Ok((_, [watchdog])) = Watchdog::try_new(parts.WDT, period) else {
        // Another program's watchdog is still running and cannot be changed. Nobody feeds it, so it ends this soon.
        panic!("a watchdog with another period is running")
    };
    let facts = Facts {
        name: "microbit-v2",
        clock_hz: CLOCK_HZ,
        timing: Timing::Hardware,
        baud: Some(BAUD),
        cycles: cycles::start(),
        fall_in: None,
    };
    run(rx, tx, Microbit { light, watchdog }, facts).await
}

/// Resets by the watchdog, or by the core when not even the fault handler could run (its stack was used up), leave no
/// record of their own, but a mark in the reset register.
fn note_reset() {
    let reasons = pac::POWER.resetreas();
    let reason = reasons.read();
    if reason.dog() {
        fault::found(FaultKind::Watchdog, format_args!("the agent's loop"));
    } else if reason.lockup() {
        fault::found(FaultKind::HardFault, format_args!("lock-up, as after a stack overflow"));
    }
    // Writing the marks back clears them.
    reasons.write_value(reason);
}

struct Microbit<F> {
    light: Light<F>,
    watchdog: WatchdogHandle,
}

impl<F: FnMut(bool)> Board for Microbit<F> {
    fn show(&mut self, status: Status) {
        self.light.show(status);
    }

    fn feed(&mut self) {
        self.watchdog.pet();
        self.light.refresh();
    }
}
