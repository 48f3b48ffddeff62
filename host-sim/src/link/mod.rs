//! Links: two-way byte streams to an agent. All of them carry the same bytes.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use self::faults::{FaultCount, Faults, Faulty, Rate};

use crate::client::Witness;

pub mod emulator;
pub mod faults;
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
    /// How long to wait for an answer that was promised within some time before the request is put again.
    fn ask_again(&self, promised: Duration) -> Duration {
        promised + self.patience()
    }
    /// Starts the other end again, as its reset button would. `false` where that cannot be done from here.
    fn reset(&mut self) -> io::Result<bool> {
        Ok(false)
    }
    /// What was done to the bytes on purpose, where something was.
    fn faults(&self) -> Option<FaultCount> {
        None
    }
}

/// A link that is open already: whatever is opened with it talks over the same line, one after the other.
#[derive(Clone)]
pub struct OpenLink {
    link: Arc<Mutex<Box<dyn Link>>>,
    /// The speed that responses are to be counted at.
    pub baud: Option<u32>,
    /// Who looks on.
    pub witness: Option<Arc<Mutex<dyn Witness>>>,
}

impl OpenLink {
    /// Shares a link.
    pub fn new(link: Box<dyn Link>, baud: Option<u32>) -> Self {
        Self { link: Arc::new(Mutex::new(link)), baud, witness: None }
    }

    /// Does something with the link itself.
    pub fn with<T>(&self, work: impl FnOnce(&mut dyn Link) -> T) -> T {
        // A thread that panicked with the link in its hands leaves a line that the next request brings into step again.
        work(self.link.lock().unwrap_or_else(PoisonError::into_inner).as_mut())
    }
}

impl fmt::Debug for OpenLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenLink").field("baud", &self.baud).finish_non_exhaustive()
    }
}

impl PartialEq for OpenLink {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.link, &other.link)
    }
}

impl Eq for OpenLink {}

impl Link for OpenLink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.with(|link| link.write(bytes))
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.with(|link| link.read(buffer, timeout))
    }

    fn patience(&self) -> Duration {
        self.with(|link| link.patience())
    }

    fn ask_again(&self, promised: Duration) -> Duration {
        self.with(|link| link.ask_again(promised))
    }

    fn reset(&mut self) -> io::Result<bool> {
        self.with(|link| link.reset())
    }

    fn faults(&self) -> Option<FaultCount> {
        self.with(|link| link.faults())
    }
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
    /// Another link, with faults.
    Faulty {
        /// The link.
        inner: Box<LinkSpec>,
        /// What goes wrong on it.
        faults: Faults,
    },
    /// A link that is open already.
    Open(OpenLink),
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
            Self::Faulty { inner, faults } => write!(f, "{inner} with faults {faults}"),
            Self::Open(_) => f.write_str("a link that is open already"),
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
            Self::Faulty { inner, faults } => {
                let resets = faults.reset > Rate::default();
                let link: Box<dyn Link> = match &**inner {
                    Self::Emulator { shift, image } if resets => {
                        Box::new(emulator::Emulator::start_with_monitor(*shift, image.as_deref())?)
                    }
                    Self::Serial { .. } if resets => {
                        return Err(OpenError::Port(
                            "a board on a serial port cannot be reset from here: leave reset=… out of --faults".into(),
                        ));
                    }
                    other => other.open()?,
                };
                Box::new(Faulty::new(link, faults.clone()))
            }
            Self::Open(link) => Box::new(link.clone()),
        })
    }

    /// The same link with faults.
    #[must_use]
    pub fn with_faults(self, faults: Option<Faults>) -> Self {
        match faults {
            Some(faults) => Self::Faulty { inner: Box::new(self), faults },
            None => self,
        }
    }

    /// The speed that responses are to be counted at, where there is a serial line.
    pub fn baud(&self) -> Option<u32> {
        match self {
            Self::InProcess => None,
            Self::Serial { baud, .. } => Some(*baud),
            Self::Emulator { .. } => Some(DEFAULT_BAUD),
            Self::Faulty { inner, .. } => inner.baud(),
            Self::Open(link) => link.baud,
        }
    }

    /// A link for a second agent at the same time. A board is one agent: the second is then in this program.
    #[must_use]
    pub fn second(&self) -> Self {
        match self {
            Self::Serial { .. } | Self::Open(_) => Self::InProcess,
            Self::Faulty { inner, faults } => inner.second().with_faults(Some(faults.clone())),
            other => other.clone(),
        }
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
