//! The emulated board: QEMU's STM32F405 machine, `netduinoplus2`.
//!
//! The HAL's clock start-up waits for ready bits that QEMU does not model, so this one board has a small driver of its
//! own for USART1, TIM2 and `SysTick`. QEMU's USART takes no time for a byte; the session counts the line's time at 115,200 baud
//! all the same. The part's watchdog is not modelled either: `SysTick` stands in and starts the board again.

use core::cell::{Cell, RefCell};
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
        // QEMU counts instructions, and its clock is made of them.
        cycles: None,
        fall_in: Some(begin_millisecond),
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

// The clock: TIM2 counts nanoseconds of virtual time, SysTick's interrupt looks at the alarms now and then. SysTick
// alone will not do: QEMU serves its interrupt some time after its counter has wrapped, so that time would jump.

/// Milliseconds between two ticks. Few, because QEMU serves one interrupt in some ten thousand an instruction early or
/// late, and the figures are to be the same in every run.
const TICK_MS: u32 = 50;
const CYCLES_PER_TICK: u32 = CLOCK_HZ / 1_000 * TICK_MS;
const NS_PER_US: u32 = 1_000;

struct TickDriver {
    time: CriticalSectionMutex<Cell<Time>>,
    queue: CriticalSectionMutex<RefCell<Alarms>>,
}

/// Where the clock stands.
#[derive(Clone, Copy)]
struct Time {
    us: u64,
    /// What has passed since `us`, below a microsecond.
    ns: u32,
    /// The counter at that moment.
    read: u32,
}

struct Alarms {
    queue: Queue,
    next: u64,
}

embassy_time_driver::time_driver_impl!(static DRIVER: TickDriver = TickDriver {
    time: CriticalSectionMutex::new(Cell::new(Time { us: 0, ns: 0, read: 0 })),
    queue: CriticalSectionMutex::new(RefCell::new(Alarms { queue: Queue::new(), next: u64::MAX })),
});

impl Driver for TickDriver {
    fn now(&self) -> u64 {
        self.time.lock(|time| {
            let Time { us, ns, read } = time.get();
            let count = counter::read();
            // The tick reads the clock often enough that no wrap of the counter, 4.3 seconds, goes unseen.
            let passed = ns + count.wrapping_sub(read);
            let now = us + u64::from(passed / NS_PER_US);
            time.set(Time { us: now, ns: passed % NS_PER_US, read: count });
            now
        })
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        self.queue.lock(|alarms| {
            let mut alarms = alarms.borrow_mut();
            // Whether the queue changed does not matter: `begin_millisecond` may have put the next alarm off.
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

    /// Says that a whole millisecond begins at this very instruction.
    fn begin_millisecond(&self) -> u64 {
        let us = (self.now() / 1_000 + 1) * 1_000;
        self.time.lock(|time| time.set(Time { us, ns: 0, read: counter::read() }));
        us
    }
}

/// TIM2 as a counter of nanoseconds: QEMU feeds its timers with a gigahertz.
mod counter {
    use core::ptr;

    const BASE: usize = 0x4000_0000;
    const CONTROL: *mut u32 = BASE as *mut u32;
    const COUNT: *mut u32 = (BASE + 0x24) as *mut u32;
    const PRESCALER: *mut u32 = (BASE + 0x28) as *mut u32;

    pub(super) fn start() {
        // SAFETY: the addresses are registers of TIM2, which only this module uses.
        unsafe {
            ptr::write_volatile(PRESCALER, 0);
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
    core.SYST.set_reload(CYCLES_PER_TICK - 1);
    core.SYST.clear_current();
    core.SYST.enable_counter();
    core.SYST.enable_interrupt();
}

/// Waited for QEMU to have its time in order.
const SETTLE_NS: u32 = 2_000_000;

/// Sets the clock forward to the next whole millisecond: QEMU delivers the bytes of a request whenever it likes, so that
/// nothing is lost that could be measured, and from here on every reading of the clock is a number of instructions and
/// the same in every run.
///
/// The alarm of the wait that the request has ended is put off until somebody waits again: it would go off in the middle
/// of the search, at another moment in every run.
fn begin_millisecond() -> u64 {
    DRIVER.queue.lock(|alarms| alarms.borrow_mut().next = u64::MAX);
    cortex_m::interrupt::free(|_| {
        // While the processor slept QEMU's time followed the desktop's, and it adds the last of that a little after the
        // processor has begun to work.
        let begun = counter::read();
        while counter::read().wrapping_sub(begun) < SETTLE_NS {}
        // The tick begins anew as well, so that its interrupts fall on the same instructions too.
        // SAFETY: interrupts are off, there is one core, and nothing but this board uses SysTick.
        unsafe { cortex_m::Peripherals::steal() }.SYST.clear_current();
        SCB::clear_pendst();
        DRIVER.begin_millisecond()
    })
}

#[exception]
fn SysTick() {
    DRIVER.tick();
    if HUNGRY_MS.fetch_add(TICK_MS, Ordering::Relaxed) > WATCHDOG_MS {
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

    /// Turns the interrupt off or on: off, QEMU keeps further bytes to itself.
    ///
    /// At the processor's end and not at the part's: in QEMU before 8.2 the part's own switch leaves an interrupt that is
    /// asked for already as it is, so that a byte coming in that very moment would have the handler called again and
    /// again, and the loop never.
    pub(super) fn listen(on: bool) {
        if on {
            // SAFETY: the handler is in the vector table, and shares nothing with the loop but the pipe.
            unsafe { NVIC::unmask(Usart1) };
        } else {
            NVIC::mask(Usart1);
        }
    }

    pub(super) fn has_received() -> bool {
        // SAFETY: as in `start`.
        unsafe { ptr::read_volatile(STATUS) & RECEIVED != 0 }
    }

    pub(super) fn receive() -> Option<u8> {
        // SAFETY: as in `start`.
        has_received().then(|| unsafe { ptr::read_volatile(DATA) as u8 })
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

/// Bytes that the loop has not taken yet. Whoever waits for them is no loop that hangs.
#[cfg(feature = "sabotage")]
pub(crate) fn waiting() -> usize {
    HUNGRY_MS.store(0, Ordering::Relaxed);
    RING_BUFFER.len()
}

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
    #[cfg(feature = "sabotage")]
    crate::sabotage::dawdle(usart::has_received);
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
