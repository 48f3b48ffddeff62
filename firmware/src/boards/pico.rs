//! Raspberry Pi Pico: a Cortex-M0+ at 125 MHz (RP2040), on a USB serial port of its own.
//!
//! The USB stack and the receiver are two more tasks of the one executor. They get their turn between two slices of
//! search; until then the USB controller holds the host back, so nothing is lost.

use embassy_executor::Spawner;
use embassy_rp::bind_interrupts;
use embassy_rp::clocks::clk_sys_freq;
use embassy_rp::gpio::{Level, Output};
use embassy_rp::peripherals::USB;
use embassy_rp::usb::{Driver, InterruptHandler};
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use embassy_time::{Duration, with_timeout};
use embassy_usb::class::cdc_acm::{CdcAcmClass, Receiver, Sender, State};
use embassy_usb::{Builder, UsbDevice};
use embedded_io_async::{ErrorKind, ErrorType, Write};
use rival_core::wire::{FaultKind, Timing};
use static_cell::{ConstStaticCell, StaticCell};

use crate::light::Light;
use crate::run::{Board, Facts, Status, WATCHDOG_MS, run};
use crate::{fault, stack};

/// Raspberry Pi's numbers for a serial port made by a program on an RP2040.
const VENDOR: u16 = 0x2E8A;
const PRODUCT: u16 = 0x000A;
/// The largest packet at full speed.
const PACKET: usize = 64;
/// A host that has not taken a packet for this long is not listening.
const PATIENCE: Duration = Duration::from_millis(200);
const WATCHDOG: Duration = Duration::from_millis(WATCHDOG_MS as u64);

type Usb = Driver<'static, USB>;

/// Bytes between the receiver and the loop: two packets. When it is full the next one waits on the host's side.
static PIPE: Pipe<CriticalSectionRawMutex, { 2 * PACKET }> = Pipe::new();

bind_interrupts!(struct Interrupts {
    USBCTRL_IRQ => InterruptHandler<USB>;
});

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    stack::paint();
    let parts = embassy_rp::init(embassy_rp::config::Config::default());
    let mut watchdog = Watchdog::new(parts.WATCHDOG);
    if watchdog.reset_reason() == Some(ResetReason::TimedOut) {
        // Such a reset leaves no record of its own.
        fault::found(FaultKind::Watchdog, format_args!("the agent's loop"));
    }

    let (device, sender, receiver) = serial_port(Driver::new(parts.USB, Interrupts));
    spawner.spawn(serve(device).expect("one USB device"));
    spawner.spawn(receive(receiver).expect("one receiver"));

    let mut led = Output::new(parts.PIN_25, Level::Low);
    watchdog.pause_on_debug(true);
    watchdog.start(WATCHDOG);
    let board = Pico { light: Light::new(move |on: bool| led.set_level(on.into())), watchdog };
    let facts = Facts {
        name: "pico",
        clock_hz: clk_sys_freq(),
        timing: Timing::Hardware,
        baud: None,
        // A Cortex-M0+ has no counter of its cycles.
        cycles: None,
        fall_in: None,
    };
    run(&PIPE, Transmitter { sender, full: false }, board, facts).await
}

/// A USB device with one serial port.
fn serial_port(driver: Usb) -> (UsbDevice<'static, Usb>, Sender<'static, Usb>, Receiver<'static, Usb>) {
    // A configuration with one serial port takes 70 bytes; that there are no further capabilities, 12.
    static CONFIGURATION: ConstStaticCell<[u8; 80]> = ConstStaticCell::new([0; 80]);
    static CAPABILITIES: ConstStaticCell<[u8; 16]> = ConstStaticCell::new([0; 16]);
    static CONTROL: ConstStaticCell<[u8; PACKET]> = ConstStaticCell::new([0; PACKET]);
    static STATE: StaticCell<State<'static>> = StaticCell::new();

    let mut config = embassy_usb::Config::new(VENDOR, PRODUCT);
    config.manufacturer = Some("Rival");
    config.product = Some("Rival on a Raspberry Pi Pico");
    config.max_packet_size_0 = PACKET as u8;
    let mut builder = Builder::new(driver, config, CONFIGURATION.take(), CAPABILITIES.take(), &mut [], CONTROL.take());
    let class = CdcAcmClass::new(&mut builder, STATE.init(State::new()), PACKET as u16);
    let (sender, receiver) = class.split();
    (builder.build(), sender, receiver)
}

/// Answers the host's questions about the device.
#[embassy_executor::task]
async fn serve(mut device: UsbDevice<'static, Usb>) -> ! {
    device.run().await
}

/// Carries packets into the pipe. Reading from the endpoint itself could not be given up halfway; reading from the pipe
/// can, and keeps what it has not handed out.
#[embassy_executor::task]
async fn receive(mut receiver: Receiver<'static, Usb>) -> ! {
    let mut packet = [0; PACKET];
    loop {
        receiver.wait_connection().await;
        while let Ok(length) = receiver.read_packet(&mut packet).await {
            PIPE.write_all(&packet[..length]).await;
        }
    }
}

/// Sends packets to a host that listens.
struct Transmitter {
    sender: Sender<'static, Usb>,
    /// The last packet was a full one, so the host still waits for the end of the transfer.
    full: bool,
}

impl Transmitter {
    async fn packet(&mut self, bytes: &[u8]) -> Result<(), ErrorKind> {
        match with_timeout(PATIENCE, self.sender.write_packet(bytes)).await {
            Ok(Ok(())) => {
                self.full = bytes.len() == PACKET;
                Ok(())
            }
            Ok(Err(_)) => Err(ErrorKind::NotConnected),
            // Nobody has opened the port. Waiting on would starve the watchdog.
            Err(_) => Err(ErrorKind::TimedOut),
        }
    }
}

impl ErrorType for Transmitter {
    type Error = ErrorKind;
}

impl Write for Transmitter {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let length = bytes.len().min(PACKET);
        self.packet(&bytes[..length]).await?;
        Ok(length)
    }

    /// Ends the transfer: a transfer of full packets alone ends with an empty one.
    async fn flush(&mut self) -> Result<(), ErrorKind> {
        if self.full { self.packet(&[]).await } else { Ok(()) }
    }
}

struct Pico<F> {
    light: Light<F>,
    watchdog: Watchdog,
}

impl<F: FnMut(bool)> Board for Pico<F> {
    fn show(&mut self, status: Status) {
        self.light.show(status);
    }

    fn feed(&mut self) {
        self.watchdog.feed(WATCHDOG);
        self.light.refresh();
    }
}
