//! How much of the stack has been used.
//!
//! At boot the free part of the stack is painted with a pattern; the deepest byte that no longer shows it is the
//! high-water mark. flip-link puts the stack at the start of the RAM, below the statically placed memory.

use core::ptr;

/// All boards have their RAM here.
const RAM_START: usize = 0x2000_0000;
const PAINT: u32 = 0x5AFE_5AFE;
/// Left unpainted below the caller's frame.
const CLEARANCE: usize = 256;

unsafe extern "C" {
    static _stack_start: u32;
    static __sdata: u32;
    static __euninit: u32;
}

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
    while address < here.saturating_sub(CLEARANCE) {
        // SAFETY: the range lies in RAM, is aligned, and is the part of the stack that nobody has used yet: it ends well
        // below the current stack pointer, and nothing else lives below the stack.
        unsafe { ptr::write_volatile(address as *mut u32, PAINT) };
        address += 4;
    }
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
