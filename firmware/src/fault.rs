//! What is left to do when the firmware cannot go on: remember why, and start again.
//!
//! The reason is kept in memory that the start-up code leaves alone, and told to whoever asks after the reset. Nothing is
//! answered on the line: a wrong answer would be worse than none.

use core::cell::UnsafeCell;
use core::fmt::Write;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use core::ptr;

use cortex_m::peripheral::SCB;
use rival_core::wire::{Fault, FaultKind, FaultPlace};

use crate::stack;

/// Says that the record was written by us and not by the power coming on.
const MAGIC: u32 = 0x7157_0BAD;
const PLACE: usize = 48;

#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    magic: u32,
    kind: u32,
    length: u32,
    place: [u8; PLACE],
    /// Counts resets, so that every run has another number.
    boots: u32,
}

impl Record {
    /// Whether it was written by us, used up or not.
    fn is_ours(&self) -> bool {
        self.magic == MAGIC || self.magic == !MAGIC
    }
}

struct Kept(UnsafeCell<MaybeUninit<Record>>);

// SAFETY: written only where nothing else runs any more (a fault, a panic) or nothing else runs yet (start-up).
unsafe impl Sync for Kept {}

#[unsafe(link_section = ".uninit.fault")]
static KEPT: Kept = Kept(UnsafeCell::new(MaybeUninit::uninit()));

fn read() -> Record {
    // SAFETY: the memory is statically placed and aligned, and every bit pattern is a valid `Record`; after a cold start
    // it holds whatever the RAM came up with, which the magic number tells apart.
    unsafe { ptr::read_volatile(KEPT.0.get().cast()) }
}

fn write(record: Record) {
    // SAFETY: as in `read`; see the note on `Sync` for why nobody else is looking.
    unsafe { ptr::write_volatile(KEPT.0.get().cast(), record) };
}

/// Remembers what happened and starts the board again.
pub(crate) fn restart(kind: FaultKind, place: core::fmt::Arguments<'_>) -> ! {
    cortex_m::interrupt::disable();
    remember(kind, place);
    SCB::sys_reset()
}

/// Remembers a reset for which the hardware gives the reason, unless the run before has left a reason of its own.
/// Call it at start-up, before [`take`].
#[cfg(not(feature = "board-qemu"))]
pub(crate) fn found(kind: FaultKind, place: core::fmt::Arguments<'_>) {
    if read().magic != MAGIC {
        remember(kind, place);
    }
}

fn remember(kind: FaultKind, place: core::fmt::Arguments<'_>) {
    let mut text = FaultPlace::new();
    let _ = text.write_fmt(place);
    let mut bytes = [0; PLACE];
    let length = text.len().min(PLACE);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    let kind = match kind {
        FaultKind::Panic => 0,
        FaultKind::HardFault => 1,
        FaultKind::Watchdog => 2,
        FaultKind::StackOverflow => 3,
    };
    let before = read();
    let boots = if before.is_ours() { before.boots } else { 0 };
    write(Record { magic: MAGIC, kind, length: length as u32, place: bytes, boots });
}

/// What ended the run before this one, and the number of this run. Call it once at start-up.
pub(crate) fn take() -> (Option<Fault>, u32) {
    let record = read();
    // After a cold start the count begins at whatever the RAM came up with: a board that was without power is another
    // one than before as well. Zero is no number of a run.
    let boots = if record.is_ours() { record.boots.wrapping_add(1) } else { stack::noise() }.max(1);
    // The record is used up; what stays is the count.
    write(Record { magic: !MAGIC, boots, ..record });
    let fault = (record.magic == MAGIC).then(|| {
        let kind = match record.kind {
            0 => FaultKind::Panic,
            1 => FaultKind::HardFault,
            3 => FaultKind::StackOverflow,
            _ => FaultKind::Watchdog,
        };
        let place = record.place.get(..record.length as usize).unwrap_or_default();
        let text = core::str::from_utf8(place).unwrap_or_default();
        Fault { kind, place: FaultPlace::try_from(text).unwrap_or_default() }
    });
    (fault, boots)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    defmt::error!("panic: {}", defmt::Display2Format(info));
    match info.location() {
        // The end of the path says most.
        Some(location) => {
            let file = location.file();
            let tail = file.get(file.len().saturating_sub(36)..).unwrap_or(file);
            restart(FaultKind::Panic, format_args!("{tail}:{}", location.line()))
        }
        None => restart(FaultKind::Panic, format_args!("unknown place")),
    }
}

// The handler of the processor's faults. The stack may be used up, and with flip-link lies where there is no memory then:
// whatever the handler pushed would be a second fault, after which the processor stands still. So it begins with an empty
// stack, and takes with it where the old one was and, if there was room for it, at which instruction.
core::arch::global_asm!(
    ".section .HardFault.rival, \"ax\", %progbits",
    ".global HardFault",
    ".type HardFault, %function",
    ".thumb_func",
    "HardFault:",
    "    mrs r0, MSP",
    "    movs r1, #0",
    "    ldr r2, ={ram}",
    "    cmp r0, r2",
    "    blo 1f",
    "    ldr r1, [r0, #24]",
    "1:  ldr r2, =_stack_start",
    "    msr MSP, r2",
    "    ldr r2, ={handler}",
    "    bx r2",
    "    .pool",
    ".size HardFault, . - HardFault",
    ram = const stack::RAM_START,
    handler = sym hard_fault,
);

extern "C" fn hard_fault(sp: usize, pc: usize) -> ! {
    if sp < stack::RAM_START {
        // The processor could not write down where it was; the last call that fitted is still there.
        restart(FaultKind::StackOverflow, format_args!("called from {:#010x}", stack::deepest_call()))
    }
    restart(FaultKind::HardFault, format_args!("pc {pc:#010x}"))
}

#[defmt::panic_handler]
fn defmt_panic() -> ! {
    restart(FaultKind::Panic, format_args!("defmt"))
}
