//! Frames: where a message begins and ends, and whether it arrived whole.
//!
//! ```text
//! 0x00  COBS( version  message  CRC-32 little-endian )  0x00
//! ```
//!
//! COBS leaves no zero inside, so that after any garbage the line is in step again at the next zero. The first zero
//! closes whatever was lying around. Because the version is not a printable character, a frame can never be mistaken
//! for a line typed at a terminal, and the other way round: see [`Decoder`].

use crc::{CRC_32_ISO_HDLC, Crc};
use serde::{Deserialize, Serialize};

use super::PROTOCOL;

// A frame whose bytes could all have been typed would be taken for a line of text.
const _: () = assert!(!is_typed(PROTOCOL), "the version is a character of a terminal: take the next number");

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
/// Version in front and CRC behind.
const ENVELOPE: usize = 5;

/// Bytes that a frame with a payload of this many bytes takes at most.
pub const fn frame_len(payload: usize) -> usize {
    let inner = payload + ENVELOPE;
    inner + inner / 254 + 3
}

/// Why bytes between two zeros are no frame, or a frame no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameError {
    /// Wrong form or wrong check sum.
    Damaged,
    /// More bytes than there is room for.
    Oversized,
    /// A sound frame of another version of the protocol.
    WrongVersion(u8),
    /// A sound frame that holds no message.
    Malformed,
}

/// What a byte led to.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// Nothing yet.
    Nothing,
    /// A whole frame: the message's bytes, ready for [`open`].
    Frame(&'a [u8]),
    /// A frame that must be thrown away.
    Bad(FrameError),
    /// A character, typed rather than sent by a program.
    Typed(u8),
}

/// Finds frames in a stream of bytes, one byte at a time, in a buffer of fixed size.
///
/// Characters that have not been preceded by anything unprintable since the last zero or line end are handed out as
/// [`Received::Typed`]; the receiver may ignore them.
///
/// ```
/// use rival_core::wire::frame::{Decoder, Received, encode, open};
/// use rival_core::wire::Request;
///
/// let mut line = [0; 32];
/// let sent = encode(&Request::Hello, &mut [0; 16], &mut line).unwrap();
/// let mut decoder: Decoder<64> = Decoder::new();
/// let mut seen = false;
/// for &byte in &*sent {
///     if let Received::Frame(message) = decoder.push(byte) {
///         seen = open::<Request<'_>>(message) == Ok(Request::Hello);
///     }
/// }
/// assert!(seen);
/// ```
#[derive(Debug)]
pub struct Decoder<const N: usize> {
    buffer: [u8; N],
    len: usize,
    oversized: bool,
    /// Nothing unprintable since the last zero or line end.
    typed: bool,
    after_zero: bool,
}

impl<const N: usize> Default for Decoder<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Decoder<N> {
    /// An empty decoder, in step.
    pub const fn new() -> Self {
        Self { buffer: [0; N], len: 0, oversized: false, typed: true, after_zero: false }
    }

    /// Whether a frame has begun and not ended.
    pub const fn is_inside(&self) -> bool {
        !self.typed
    }

    /// Bytes of the frame so far.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no byte has arrived since the last frame.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the frame that has begun.
    pub const fn reset(&mut self) {
        self.len = 0;
        self.oversized = false;
        self.typed = true;
        self.after_zero = true;
    }

    /// Takes in the next byte from the line.
    pub fn push(&mut self, byte: u8) -> Received<'_> {
        if byte == 0 {
            let (len, oversized, typed) = (self.len, self.oversized, self.typed);
            self.reset();
            return match (typed, oversized) {
                (true, _) => Received::Nothing,
                (_, true) => Received::Bad(FrameError::Oversized),
                _ => Self::unwrap_frame(&mut self.buffer[..len]),
            };
        }
        if self.typed && is_typed(byte) {
            // A line end closes a typed line as a zero closes a frame. Right after a zero it may as well be the first
            // byte of a frame, and is kept.
            let closes = matches!(byte, b'\r' | b'\n') && !(self.after_zero && self.len == 0);
            self.len = if closes { 0 } else { self.keep(byte) };
            self.after_zero &= !closes;
            return Received::Typed(byte);
        }
        self.typed = false;
        self.len = self.keep(byte);
        Received::Nothing
    }

    fn keep(&mut self, byte: u8) -> usize {
        if let Some(slot) = self.buffer.get_mut(self.len) {
            *slot = byte;
            self.len + 1
        } else {
            self.oversized = true;
            self.len
        }
    }

    fn unwrap_frame(bytes: &mut [u8]) -> Received<'_> {
        let Ok(len) = cobs::decode_in_place(bytes) else { return Received::Bad(FrameError::Damaged) };
        let Some((message, sum)) = bytes.get(..len).and_then(|inner| inner.split_last_chunk::<4>()) else {
            return Received::Bad(FrameError::Damaged);
        };
        if CRC.checksum(message) != u32::from_le_bytes(*sum) {
            return Received::Bad(FrameError::Damaged);
        }
        match message.split_first() {
            Some((&PROTOCOL, message)) => Received::Frame(message),
            Some((&other, _)) => Received::Bad(FrameError::WrongVersion(other)),
            None => Received::Bad(FrameError::Damaged),
        }
    }
}

/// Characters of a terminal: printable ones, line ends, backspace, delete, tab and the end-of-text of Ctrl-C.
const fn is_typed(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7F | b'\r' | b'\n' | b'\t' | 0x08 | 0x03)
}

/// Reads a message out of a frame that [`Decoder`] found.
pub fn open<'a, M: Deserialize<'a> + Serialize>(message: &'a [u8]) -> Result<M, FrameError> {
    match take(message) {
        Some((message, [])) => Ok(message),
        _ => Err(FrameError::Malformed),
    }
}

/// Reads a value from the front of some bytes, and gives the rest. There is one way to write a value: `postcard` would
/// also take numbers with idle bytes behind them, which are longer.
pub(crate) fn take<'a, M: Deserialize<'a> + Serialize>(bytes: &'a [u8]) -> Option<(M, &'a [u8])> {
    let (value, rest) = postcard::take_from_bytes::<M>(bytes).ok()?;
    let used = postcard::experimental::serialized_size(&value).ok()?;
    (used + rest.len() == bytes.len()).then_some((value, rest))
}

/// Wraps a message for the line. `scratch` needs room for the message, `line` for [`frame_len`] of it; without that room
/// there is no frame.
pub fn encode<'a, M: Serialize>(message: &M, scratch: &mut [u8], line: &'a mut [u8]) -> Option<&'a [u8]> {
    let (version, body) = scratch.split_first_mut()?;
    *version = PROTOCOL;
    let len = 1 + postcard::to_slice(message, body).ok()?.len();
    let sum = CRC.checksum(&scratch[..len]).to_le_bytes();
    scratch.get_mut(len..len + 4)?.copy_from_slice(&sum);
    let inner = &scratch[..len + 4];
    if line.len() < cobs::max_encoding_length(inner.len()) + 2 {
        return None;
    }
    let (first, rest) = line.split_first_mut()?;
    *first = 0;
    let end = cobs::encode(inner, rest);
    *rest.get_mut(end)? = 0;
    line.get(..end + 2)
}
