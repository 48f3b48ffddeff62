//! How much of the stack has been used.
//!
//! At boot the free part of the stack is painted with a pattern; the deepest byte that no longer shows it is the
//! high-water mark. flip-link puts the stack at the start of the RAM, below the statically placed memory.

use core::ptr;
use core::sync::atomic::{AtomicU32, Ordering};

/// All boards have their RAM here.
pub(crate) const RAM_START: usize = 0x2000_0000;
const PAINT: u32 = 0x5AFE_5AFE;
/// Left unpainted below the caller's frame.
const CLEARANCE: usize = 256;

unsafe extern "C" {
    static _stack_start: u32;
    static __sdata: u32;
    static __euninit: u32;
    static __stext: u32;
    static __etext: u32;
}

/// A number made of what lay in the stack's memory before it was painted.
static NOISE: AtomicU32 = AtomicU32::new(0);

fn top() -> usize {
    &raw const _stack_start as usize
}

/// Bytes of stack there are.
pub(crate) fn size() -> u32 {
    (top() - RAM_START) as u32
}

/// Bytes of statically placed memory.
pub(crate) fn static_ram() -> u32 {
    (&raw const __euninit as usize - &raw const __sdata as usize) as u32
}

/// Paints the free part of the stack. Call it once, early, with interrupts still off.
#[inline(never)]
pub(crate) fn paint() {
    let here = cortex_m::register::msp::read() as usize;
    let mut address = RAM_START;
    let mut noise = 0x811C_9DC5_u32;
    while address < here.saturating_sub(CLEARANCE) {
        // SAFETY: the range lies in RAM, is aligned, and is the part of the stack that nobody has used yet: it ends well
        // below the current stack pointer, and nothing else lives below the stack. What it holds is whatever the power
        // coming on left there, read as a device would be.
        unsafe {
            noise = (noise ^ ptr::read_volatile(address as *const u32)).wrapping_mul(0x0100_0193);
            ptr::write_volatile(address as *mut u32, PAINT);
        }
        address += 4;
    }
    NOISE.store(noise, Ordering::Relaxed);
}

/// A number that is hardly ever the same after two cold starts, where the RAM comes up with noise.
pub(crate) fn noise() -> u32 {
    NOISE.load(Ordering::Relaxed)
}

/// The last return address on a stack that was used up, 0 if there is none: the first word from its end that points
/// behind a call in the program.
pub(crate) fn deepest_call() -> usize {
    let text = &raw const __stext as usize..&raw const __etext as usize;
    (RAM_START..top())
        .step_by(4)
        // SAFETY: reads of aligned words in RAM that belongs to the stack; any value is a valid `usize`.
        .map(|address| unsafe { ptr::read_volatile(address as *const usize) })
        .find(|&word| word & 1 == 1 && text.contains(&word))
        .map_or(0, |word| word & !1)
}

/// Most bytes of stack used since [`paint`].
pub(crate) fn peak() -> u32 {
    let mut address = RAM_START;
    // SAFETY: reads of aligned words in RAM that belongs to the stack; any value is a valid `u32`.
    while address < top() && unsafe { ptr::read_volatile(address as *const u32) } == PAINT {
        address += 4;
    }
    (top() - address) as u32
}
