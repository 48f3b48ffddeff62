//! Links: two-way byte streams to an agent. All of them carry the same bytes.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

pub mod emulator;
pub mod in_process;
pub mod serial;

/// A two-way byte stream.
pub trait Link: Send {
    /// Sends all of the bytes.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Waits for bytes, at most for `timeout`; `Ok(0)` if none came.
    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;
    /// How much longer than promised an answer may take before it is given up: the way there and back, and how much
    /// slower than real time the other end may run.
    fn patience(&self) -> Duration;
}

/// Which link, as people write it: `in-process`, `serial:<port>[@baud]` or `emulator[:shift]`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum LinkSpec {
    /// The agent in this very program.
    #[default]
    InProcess,
    /// A board on a serial port.
    Serial {
        /// The port, such as `/dev/ttyACM0`.
        port: String,
        /// Bits a second.
        baud: u32,
    },
    /// The firmware under QEMU.
    Emulator {
        /// One instruction takes 2^shift nanoseconds: 3 stands for 168 MHz parts, 4 for 84, 5 for 48.
        shift: u8,
        /// The firmware image; built from this workspace if not given.
        image: Option<PathBuf>,
    },
}

/// Speed of the serial line unless it is named.
pub const DEFAULT_BAUD: u32 = 115_200;

impl FromStr for LinkSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        match kind {
            "in-process" if rest.is_empty() => Ok(Self::InProcess),
            "serial" if !rest.is_empty() => {
                let (port, baud) = rest.rsplit_once('@').unwrap_or((rest, ""));
                let baud = if baud.is_empty() {
                    DEFAULT_BAUD
                } else {
                    baud.parse().map_err(|_| format!("\"{baud}\" is not a speed, such as 115200"))?
                };
                Ok(Self::Serial { port: port.into(), baud })
            }
            "emulator" => {
                let shift = if rest.is_empty() { Ok(3) } else { rest.trim_start_matches("shift=").parse() };
                match shift {
                    Ok(shift @ 0..=10) => Ok(Self::Emulator { shift, image: None }),
                    _ => Err(format!("\"{rest}\" is not a shift from 0 to 10, such as emulator:3")),
                }
            }
            _ => Err(format!(
                "\"{text}\" is no link: in-process, serial:<port>[@baud] (see `rival ports`), or emulator[:shift]"
            )),
        }
    }
}

impl fmt::Display for LinkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InProcess => f.write_str("in-process"),
            Self::Serial { port, baud } => write!(f, "serial:{port}@{baud}"),
            Self::Emulator { shift, .. } => write!(f, "emulator:{shift}"),
        }
    }
}

/// Why a link could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The port cannot be used; the text says what to do.
    #[error("{0}")]
    Port(String),
    /// A program is missing or failed; the text says what to do.
    #[error("{0}")]
    Tool(String),
    /// The operating system refused.
    #[error("{context}: {source}")]
    Io {
        /// What was tried.
        context: String,
        /// What came of it.
        source: io::Error,
    },
}

impl LinkSpec {
    /// Nanoseconds of an instruction, as a power of two, where they are emulated.
    pub fn shift(&self) -> Option<u8> {
        match self {
            Self::Emulator { shift, .. } => Some(*shift),
            _ => None,
        }
    }

    /// The same link with another speed of the emulated part. Links to something else stay as they are.
    #[must_use]
    pub fn with_shift(self, shift: u8) -> Self {
        match self {
            Self::Emulator { image, .. } => Self::Emulator { shift, image },
            other => other,
        }
    }

    /// Opens the link.
    pub fn open(&self) -> Result<Box<dyn Link>, OpenError> {
        Ok(match self {
            Self::InProcess => Box::new(in_process::InProcess::new()),
            Self::Serial { port, baud } => Box::new(serial::Serial::open(port, *baud)?),
            Self::Emulator { shift, image } => Box::new(emulator::Emulator::start(*shift, image.as_deref())?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_as_they_are_written() {
        for text in ["in-process", "serial:/dev/ttyACM0@115200", "serial:COM3@9600", "emulator:5"] {
            assert_eq!(text.parse::<LinkSpec>().unwrap().to_string(), text);
        }
        assert_eq!("emulator".parse(), Ok(LinkSpec::Emulator { shift: 3, image: None }));
        assert_eq!("serial:/dev/ttyACM0".parse::<LinkSpec>().unwrap().to_string(), "serial:/dev/ttyACM0@115200");
    }

    #[test]
    fn a_wrong_link_is_explained() {
        for text in ["", "usb", "serial", "serial:", "serial:x@fast", "emulator:fast", "in-process:1"] {
            assert!(text.parse::<LinkSpec>().is_err(), "{text}");
        }
    }
}
