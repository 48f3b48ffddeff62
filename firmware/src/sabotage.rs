//! Faults on purpose, for tests: a word typed on the line makes the board fall over in one way or another.
//!
//! Part of no image but the tests' own: see the feature `sabotage`.

use core::cell::RefCell;
use core::hint::black_box;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_sync::blocking_mutex::CriticalSectionMutex;
use heapless::Vec;
use rival_core::wire::frame::{Decoder, Received, encode, frame_len, open};
use rival_core::wire::{MAX_REPLY, Reply};

/// What was typed since the last line end.
static HEARD: CriticalSectionMutex<RefCell<Vec<u8, 8>>> = CriticalSectionMutex::new(RefCell::new(Vec::new()));
/// From now on every decision is another than the agent's.
static LYING: AtomicBool = AtomicBool::new(false);

/// Listens to the line.
pub(crate) fn hear(byte: u8) {
    let word = HEARD.lock(|heard| {
        let mut heard = heard.borrow_mut();
        if byte != b'\r' {
            if byte == b'!' || heard.push(byte).is_err() {
                heard.clear();
            }
            return Vec::new();
        }
        core::mem::take(&mut *heard)
    });
    match &word[..] {
        b"hang" => loop {
            cortex_m::asm::nop();
        },
        b"panic" => panic!("on purpose"),
        b"fault" => cortex_m::asm::udf(),
        b"deep" => {
            black_box(deep(1));
        }
        b"nap" => spin(NAP),
        b"gather" => gather(),
        b"lie" => LYING.store(true, Ordering::Relaxed),
        _ => {}
    }
}

/// Half a second, give or take: long enough for any ring to fill, too short for the watchdog.
const NAP: u32 = 20_000_000;
/// Looks at the line: half a second, in which the next byte comes even on a desktop that has much else to do.
const LOOKS: u32 = 5_000_000;

fn spin(rounds: u32) {
    for round in 0..rounds {
        black_box(round);
    }
}

/// Bytes that are waited for by [`gather`]: less than the ring holds.
const GATHERED: usize = 512;

/// Waits until so much has come that whatever a test has sent is here: from now on it is the board alone that takes time.
fn gather() {
    while crate::boards::qemu::waiting() < GATHERED {}
}

/// Takes its time between finding the ring full and saying so, until the next byte is there: what may come in between
/// comes every time.
pub(crate) fn dawdle(has_come: impl Fn() -> bool) {
    let _ = (0..LOOKS).find(|_| has_come());
}

/// Never comes back.
#[expect(unconditional_recursion, reason = "on purpose")]
#[inline(never)]
fn deep(level: u32) -> u32 {
    let frame = black_box([level; 16]);
    deep(level + 1) + black_box(frame)[3]
}

/// What is on its way out, with other decisions.
pub(crate) fn distorted(output: &[u8]) -> Vec<u8, 2048> {
    if LYING.load(Ordering::Relaxed) {
        let mut decoder: Decoder<{ frame_len(MAX_REPLY) }> = Decoder::new();
        for &byte in output {
            if let Received::Frame(message) = decoder.push(byte)
                && let Ok(Reply::Decision { id, mut action, statistics }) = open(message)
            {
                if let Some(first) = action.first_mut() {
                    *first = *first % 6 + 1;
                }
                let mut line = [0; frame_len(MAX_REPLY)];
                let reply = Reply::Decision { id, action, statistics };
                let frame = encode(&reply, &mut [0; MAX_REPLY], &mut line).unwrap_or_default();
                return Vec::from_slice(frame).unwrap_or_default();
            }
        }
    }
    Vec::from_slice(output).unwrap_or_default()
}
