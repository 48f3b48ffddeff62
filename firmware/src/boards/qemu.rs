//! The emulated board: QEMU's STM32F405 machine, `netduinoplus2`.
//!
//! The HAL's clock start-up waits for ready bits that QEMU does not model, so this one board has a small driver of its
//! own for USART1, TIM2 and `SysTick`. QEMU's USART takes no time for a byte; the session counts the line's time at 115,200 baud
//! all the same. The part's watchdog is not modelled either: `SysTick` stands in and starts the board again.

use core::cell::RefCell;
use core::convert::Infallible;
use core::future::poll_fn;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Poll, Waker};

use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{NVIC, SCB};
use cortex_m_rt::exception;
use embassy_executor::Spawner;
use embassy_sync::blocking_mutex::CriticalSectionMutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::pipe::Pipe;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;
use embedded_io_async::{ErrorType, Read, Write};
use rival_core::wire::{FaultKind, Timing};

use crate::run::{Board, Facts, Status, WATCHDOG_MS, run};
use crate::{fault, stack};

const CLOCK_HZ: u32 = 168_000_000;
const BAUD: u32 = 115_200;

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    stack::paint();
    start_clock();
    usart::start();
    let facts = Facts {
        name: "qemu",
        clock_hz: CLOCK_HZ,
        timing: Timing::Emulated,
        baud: Some(BAUD),
        fall_in: Some(await_millisecond),
    };
    run(Receiver, Transmitter, Emulated, facts).await
}

struct Emulated;

impl Board for Emulated {
    fn show(&mut self, status: Status) {
        // The machine has no light.
        defmt::trace!("status {}", status as u8);
    }

    fn feed(&mut self) {
        HUNGRY_MS.store(0, Ordering::Relaxed);
    }
}

/// Milliseconds since the agent's loop last turned.
static HUNGRY_MS: AtomicU32 = AtomicU32::new(0);

// The clock: TIM2 counts microseconds of virtual time, SysTick's interrupt looks at the alarms every millisecond. SysTick
// alone will not do: QEMU serves its interrupt some time after its counter has wrapped, so that time would jump.

const CYCLES_PER_MS: u32 = CLOCK_HZ / 1_000;

struct TickDriver {
    /// How often the counter has wrapped, and what it was when it was last read.
    wraps: AtomicU32,
    last: AtomicU32,
    queue: CriticalSectionMutex<RefCell<Alarms>>,
}

struct Alarms {
    queue: Queue,
    next: u64,
}

embassy_time_driver::time_driver_impl!(static DRIVER: TickDriver = TickDriver {
    wraps: AtomicU32::new(0),
    last: AtomicU32::new(0),
    queue: CriticalSectionMutex::new(RefCell::new(Alarms { queue: Queue::new(), next: u64::MAX })),
});

impl Driver for TickDriver {
    fn now(&self) -> u64 {
        // The tick reads the clock every millisecond, so that no wrap, which takes 71 minutes, goes unseen.
        cortex_m::interrupt::free(|_| {
            let low = counter::read();
            let mut wraps = self.wraps.load(Ordering::Relaxed);
            if low < self.last.load(Ordering::Relaxed) {
                wraps += 1;
                self.wraps.store(wraps, Ordering::Relaxed);
            }
            self.last.store(low, Ordering::Relaxed);
            (u64::from(wraps) << 32) | u64::from(low)
        })
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        self.queue.lock(|alarms| {
            let mut alarms = alarms.borrow_mut();
            // Whether the queue changed does not matter: `await_millisecond` may have put the next alarm off.
            alarms.queue.schedule_wake(at, waker);
            alarms.next = alarms.queue.next_expiration(self.now());
        });
    }
}

impl TickDriver {
    fn tick(&self) {
        let now = self.now();
        self.queue.lock(|alarms| {
            let mut alarms = alarms.borrow_mut();
            if now >= alarms.next {
                alarms.next = alarms.queue.next_expiration(now);
            }
        });
    }
}

/// TIM2 as a counter of microseconds.
mod counter {
    use core::ptr;

    const BASE: usize = 0x4000_0000;
    const CONTROL: *mut u32 = BASE as *mut u32;
    const COUNT: *mut u32 = (BASE + 0x24) as *mut u32;
    const PRESCALER: *mut u32 = (BASE + 0x28) as *mut u32;
    /// QEMU feeds its timers with a gigahertz.
    const TICKS_PER_US: u32 = 1_000;

    pub(super) fn start() {
        // SAFETY: the addresses are registers of TIM2, which only this module uses.
        unsafe {
            ptr::write_volatile(PRESCALER, TICKS_PER_US - 1);
            ptr::write_volatile(CONTROL, 1);
        }
    }

    pub(super) fn read() -> u32 {
        // SAFETY: as in `start`.
        unsafe { ptr::read_volatile(COUNT) }
    }
}

fn start_clock() {
    counter::start();
    // SAFETY: called once, before anything else uses the core's peripherals.
    let mut core = unsafe { cortex_m::Peripherals::steal() };
    core.SYST.set_clock_source(SystClkSource::Core);
    core.SYST.set_reload(CYCLES_PER_MS - 1);
    core.SYST.clear_current();
    core.SYST.enable_counter();
    core.SYST.enable_interrupt();
}

/// Waits until the next millisecond begins: from there on everything falls on the same instructions in every run. QEMU
/// delivers the bytes of a request whenever it likes, so that nothing is lost that could be measured.
///
/// The alarm of the wait that the request has ended is put off until somebody waits again: it would go off in the middle
/// of the search, at another moment in every run.
fn await_millisecond() -> u64 {
    DRIVER.queue.lock(|alarms| alarms.borrow_mut().next = u64::MAX);
    let arrived = (DRIVER.now() / 1_000 + 2) * 1_000;
    cortex_m::interrupt::free(|_| {
        // Not asleep: while the processor sleeps QEMU's time follows the desktop's, and is not exact.
        while (arrived as u32).wrapping_sub(counter::read()).cast_signed() > 0 {}
        // The tick begins anew as well, so that its interrupts fall on the same instructions too.
        // SAFETY: interrupts are off, there is one core, and nothing but this board uses SysTick.
        unsafe { cortex_m::Peripherals::steal() }.SYST.clear_current();
        SCB::clear_pendst();
    });
    arrived
}

#[exception]
fn SysTick() {
    DRIVER.tick();
    if HUNGRY_MS.fetch_add(1, Ordering::Relaxed) > WATCHDOG_MS {
        fault::restart(FaultKind::Watchdog, format_args!("the agent's loop"));
    }
}

// The line: USART1, whose interrupt fills a pipe.

mod usart {
    use super::NVIC;
    use core::ptr;

    const BASE: usize = 0x4001_1000;
    const STATUS: *mut u32 = BASE as *mut u32;
    const DATA: *mut u32 = (BASE + 0x04) as *mut u32;
    const CONTROL: *mut u32 = (BASE + 0x0C) as *mut u32;
    const RECEIVED: u32 = 1 << 5;
    const TRANSMIT_EMPTY: u32 = 1 << 7;
    /// USART on, receiver and transmitter on, interrupt for a received byte.
    const ENABLE: u32 = (1 << 13) | (1 << 3) | (1 << 2);
    const RECEIVE_INTERRUPT: u32 = 1 << 5;

    /// The vector of USART1 on the STM32F4.
    #[derive(Clone, Copy)]
    pub(super) struct Usart1;

    // SAFETY: 37 is the position of USART1 in the STM32F405's vector table.
    unsafe impl cortex_m::interrupt::InterruptNumber for Usart1 {
        fn number(self) -> u16 {
            37
        }
    }

    pub(super) fn start() {
        // SAFETY: the addresses are registers of USART1, which only this module uses; its handler is in the vector table.
        unsafe {
            ptr::write_volatile(CONTROL, ENABLE | RECEIVE_INTERRUPT);
            NVIC::unmask(Usart1);
        }
    }

    /// Turns the receive interrupt off or on: off, QEMU keeps further bytes to itself.
    pub(super) fn listen(on: bool) {
        // SAFETY: as in `start`.
        unsafe { ptr::write_volatile(CONTROL, if on { ENABLE | RECEIVE_INTERRUPT } else { ENABLE }) };
    }

    pub(super) fn receive() -> Option<u8> {
        // SAFETY: as in `start`.
        unsafe { (ptr::read_volatile(STATUS) & RECEIVED != 0).then(|| ptr::read_volatile(DATA) as u8) }
    }

    pub(super) fn transmit(byte: u8) {
        // SAFETY: as in `start`.
        unsafe {
            while ptr::read_volatile(STATUS) & TRANSMIT_EMPTY == 0 {}
            ptr::write_volatile(DATA, byte.into());
        }
    }
}

/// Bytes between the interrupt and the loop: more than arrive in a slice of search at any speed in use.
const RING: usize = 1_024;
static RING_BUFFER: Pipe<CriticalSectionRawMutex, RING> = Pipe::new();

/// The handler of USART1's interrupt.
extern "C" fn on_usart1() {
    while RING_BUFFER.free_capacity() > 0 {
        match usart::receive() {
            Some(byte) => {
                let _ = RING_BUFFER.try_write(&[byte]);
            }
            None => return,
        }
    }
    // Full: leave the rest where it is until there is room again.
    usart::listen(false);
}

struct Receiver;

impl ErrorType for Receiver {
    type Error = Infallible;
}

impl Read for Receiver {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let length = RING_BUFFER.read(buffer).await;
        usart::listen(true);
        Ok(length)
    }
}

struct Transmitter;

impl ErrorType for Transmitter {
    type Error = Infallible;
}

impl Write for Transmitter {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        bytes.iter().copied().for_each(usart::transmit);
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        poll_fn(|_| Poll::Ready(())).await;
        Ok(())
    }
}

/// The vector table of the device's interrupts, as the linker script expects it: no crate describes this machine.
mod vectors {
    /// An entry: a handler, or nothing.
    #[derive(Clone, Copy)]
    #[repr(C)]
    pub(super) union Vector {
        handler: unsafe extern "C" fn(),
        _reserved: u32,
    }

    unsafe extern "C" {
        fn DefaultHandler();
    }

    /// Interrupts of the STM32F405.
    const COUNT: usize = 82;

    const fn table() -> [Vector; COUNT] {
        let mut table = [Vector { handler: DefaultHandler }; COUNT];
        table[37] = Vector { handler: super::on_usart1 };
        table
    }

    #[unsafe(link_section = ".vector_table.interrupts")]
    #[unsafe(no_mangle)]
    pub(super) static __INTERRUPTS: [Vector; COUNT] = table();

    // SAFETY: the table is constant.
    unsafe impl Sync for Vector {}
}
