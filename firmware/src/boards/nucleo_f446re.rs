//! ST NUCLEO-F446RE: a Cortex-M4 at 180 MHz, on the serial port of the board's own ST-LINK.

use embassy_executor::Spawner;
use embassy_stm32::gpio::{Level, Output, Speed};
use embassy_stm32::pac;
use embassy_stm32::peripherals::{IWDG, USART2};
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, Hse, HseMode, Pll, PllMul, PllPDiv, PllPreDiv, PllSource, Sysclk,
};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, BufferedInterruptHandler, BufferedUart};
use embassy_stm32::wdg::IndependentWatchdog;
use embassy_stm32::{Config, bind_interrupts};
use rival_core::wire::{FaultKind, Timing};
use static_cell::ConstStaticCell;

use crate::light::Light;
use crate::run::{Board, Facts, Status, WATCHDOG_MS, run};
use crate::{cycles, fault, stack};

const CLOCK_HZ: u32 = 180_000_000;
const BAUD: u32 = 115_200;

/// Bytes between the interrupt and the loop: 44 ms of the line, where a slice of search takes less than one.
static RX: ConstStaticCell<[u8; 512]> = ConstStaticCell::new([0; 512]);
static TX: ConstStaticCell<[u8; 128]> = ConstStaticCell::new([0; 128]);

bind_interrupts!(struct Interrupts {
    USART2 => BufferedInterruptHandler<USART2>;
});

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    stack::paint();
    note_watchdog();
    let parts = embassy_stm32::init(clocks());
    speed_up_flash();

    let mut line = usart::Config::default();
    line.baudrate = BAUD;
    // PA2 and PA3 lead to the ST-LINK, which makes a USB serial port of them.
    let Ok(uart) = BufferedUart::new(parts.USART2, parts.PA3, parts.PA2, TX.take(), RX.take(), Interrupts, line) else {
        // The divider for the one baud rate there is follows from the clock above: it cannot fail on some boards only.
        panic!("the USART does not take {BAUD} baud")
    };
    let (tx, rx) = uart.split();

    let mut led = Output::new(parts.PA5, Level::Low, Speed::Low);
    let mut watchdog = IndependentWatchdog::new(parts.IWDG, WATCHDOG_MS * 1_000);
    watchdog.unleash();
    let board = Nucleo { light: Light::new(move |on: bool| led.set_level(on.into())), watchdog };
    let facts = Facts {
        name: "nucleo-f446re",
        clock_hz: CLOCK_HZ,
        timing: Timing::Hardware,
        baud: Some(BAUD),
        cycles: cycles::start(),
        fall_in: None,
    };
    run(rx, tx, board, facts).await
}

/// 180 MHz out of the 8 MHz that the ST-LINK feeds into the clock input. The HAL puts the part into overdrive, which
/// everything above 168 MHz needs.
fn clocks() -> Config {
    let mut config = Config::default();
    let rcc = &mut config.rcc;
    rcc.hse = Some(Hse { freq: Hertz(8_000_000), mode: HseMode::Bypass });
    rcc.pll_src = PllSource::HSE;
    rcc.pll =
        Some(Pll { prediv: PllPreDiv::DIV4, mul: PllMul::MUL180, divp: Some(PllPDiv::DIV2), divq: None, divr: None });
    rcc.sys = Sysclk::PLL1_P;
    rcc.ahb_pre = AHBPrescaler::DIV1;
    // The slow bus takes 45 MHz at most, the fast one 90.
    rcc.apb1_pre = APBPrescaler::DIV4;
    rcc.apb2_pre = APBPrescaler::DIV2;
    config
}

/// Turns on the caches and the prefetch of the flash, which the HAL leaves off. At this clock a read that misses them
/// waits for five cycles.
fn speed_up_flash() {
    pac::FLASH.acr().modify(|access| {
        access.set_icen(true);
        access.set_dcen(true);
        access.set_prften(true);
    });
}

/// A watchdog's reset leaves no record of its own, but a mark in the reset register.
fn note_watchdog() {
    let status = pac::RCC.csr();
    if status.read().wdgrstf() {
        fault::found(FaultKind::Watchdog, format_args!("the agent's loop"));
    }
    status.modify(|bits| bits.set_rmvf(true));
}

struct Nucleo<F> {
    light: Light<F>,
    watchdog: IndependentWatchdog<'static, IWDG>,
}

impl<F: FnMut(bool)> Board for Nucleo<F> {
    fn show(&mut self, status: Status) {
        self.light.show(status);
    }

    fn feed(&mut self) {
        self.watchdog.pet();
        self.light.refresh();
    }
}
