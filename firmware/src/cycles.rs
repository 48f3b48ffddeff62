//! The processor's own count of its cycles, in the part that it has for debuggers (DWT).

use cortex_m::Peripherals;
use cortex_m::peripheral::DWT;

/// Starts the counter and gives the way to read it; `None` if this processor has none, or its debug part is taken.
///
/// It wraps: after 24 seconds at 180 MHz, where a search takes one. It stands still while the processor sleeps, which it
/// does not do while there is a search to go on with.
pub(crate) fn start() -> Option<fn() -> u32> {
    let mut core = Peripherals::take()?;
    if !DWT::has_cycle_counter() {
        return None;
    }
    core.DCB.enable_trace();
    core.DWT.set_cycle_count(0);
    core.DWT.enable_cycle_counter();
    Some(DWT::cycle_count)
}
