//! A link on which things go wrong, for any other link inside: bytes are flipped, lost, doubled, held up, the line is cut,
//! the board reset.
//!
//! What happens to a byte follows from the seed and from how many bytes went the same way before it. Every fault is
//! counted, so that what the ends of the line have noticed can be held against what was done to them.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;
use std::io;
use std::thread;
use std::time::Instant;

use super::Link;
use crate::random::Random;

/// A probability in parts of a thousand million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

const CERTAIN: u32 = 1_000_000_000;

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Self((share * f64::from(CERTAIN)).round() as u32)),
            _ => Err(format!("\"{text}\" is not a probability from 0 to 1, such as 1e-4")),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e}", f64::from(self.0) / f64::from(CERTAIN))
    }
}

impl Rate {
    fn happens(self, random: &mut Random) -> bool {
        random.below(CERTAIN as usize) < self.0 as usize
    }
}

/// What is to go wrong, as people write it: `flip=1e-4,drop=1e-4,dup=1e-4,burst=1e-5:32,stall=1e-4:400,cut=1e-6:3000,
/// reset=1e-3,seed=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// One bit of a byte turns over.
    pub flip: Rate,
    /// A byte is lost.
    pub drop: Rate,
    /// A byte comes twice.
    pub dup: Rate,
    /// From a byte on, up to so many bytes are noise.
    pub burst: (Rate, u32),
    /// A byte and all after it are held up for so many milliseconds.
    pub stall: (Rate, u32),
    /// From a byte on, nothing gets through either way for so many milliseconds.
    pub cut: (Rate, u32),
    /// The board is reset while it receives a request or works on it. A probability a request, not a byte.
    pub reset: Rate,
    /// Where it all happens follows from this.
    pub seed: u64,
}

impl Default for Faults {
    fn default() -> Self {
        let never = Rate::default();
        Self {
            flip: never,
            drop: never,
            dup: never,
            burst: (never, 32),
            stall: (never, 400),
            cut: (never, 3_000),
            reset: never,
            seed: 1,
        }
    }
}

impl FromStr for Faults {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        fn sized(value: &str, default: u32) -> Result<(Rate, u32), String> {
            let (rate, size) = value.split_once(':').unwrap_or((value, ""));
            let size = match size {
                "" => default,
                size => size.parse().map_err(|_| format!("\"{size}\" is not a whole number"))?,
            };
            Ok((rate.parse()?, size))
        }
        let mut faults = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("\"{part}\" is not of the form fault=probability"))?;
            match key {
                "flip" => faults.flip = value.parse()?,
                "drop" => faults.drop = value.parse()?,
                "dup" => faults.dup = value.parse()?,
                "burst" => faults.burst = sized(value, faults.burst.1)?,
                "stall" => faults.stall = sized(value, faults.stall.1)?,
                "cut" => faults.cut = sized(value, faults.cut.1)?,
                "reset" => faults.reset = value.parse()?,
                "seed" => faults.seed = value.parse().map_err(|_| format!("\"{value}\" is not a seed"))?,
                _ => {
                    return Err(format!("\"{key}\" is no fault: flip, drop, dup, burst, stall, cut, reset (and seed)"));
                }
            }
        }
        let Self { flip, drop, dup, burst, stall, cut, .. } = &faults;
        let total: u64 = [*flip, *drop, *dup, burst.0, stall.0, cut.0].iter().map(|rate| u64::from(rate.0)).sum();
        if total > u64::from(CERTAIN) {
            return Err("the probabilities of a byte's faults add up to more than 1".into());
        }
        Ok(faults)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, rate) in [("flip", self.flip), ("drop", self.drop), ("dup", self.dup), ("reset", self.reset)] {
            if rate > Rate::default() {
                write!(f, "{key}={rate},")?;
            }
        }
        for (key, (rate, size)) in [("burst", self.burst), ("stall", self.stall), ("cut", self.cut)] {
            if rate > Rate::default() {
                write!(f, "{key}={rate}:{size},")?;
            }
        }
        write!(f, "seed={}", self.seed)
    }
}

/// Faults that were injected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct FaultCount {
    /// Bytes that passed, both ways.
    pub bytes: u64,
    /// Bytes with a bit turned over.
    pub flipped: u64,
    /// Bytes lost one at a time.
    pub dropped: u64,
    /// Bytes that came twice.
    pub doubled: u64,
    /// Bursts of noise.
    pub bursts: u64,
    /// Times the line stood still.
    pub stalls: u64,
    /// Times the line was cut.
    pub cuts: u64,
    /// Bytes lost while it was.
    pub cut_bytes: u64,
    /// Resets of the board.
    pub resets: u64,
}

impl FaultCount {
    /// All faults; a burst and a cut are one each, however many bytes they spoil.
    pub fn total(&self) -> u64 {
        self.flipped + self.dropped + self.doubled + self.bursts + self.stalls + self.cuts + self.resets
    }
}

/// One way of the line.
struct Way {
    random: Random,
    /// Bytes of a burst that are still to come.
    noise: u32,
}

/// What became of some bytes, up to the point where time has to pass.
enum Passed {
    /// All of them.
    All,
    /// The line stands still before the byte with this number.
    Stall(usize),
    /// The line is cut at the byte with this number.
    Cut(usize),
}

impl Way {
    fn pass(&mut self, faults: &Faults, bytes: &[u8], through: &mut Vec<u8>, count: &mut FaultCount) -> Passed {
        for (at, &byte) in bytes.iter().enumerate() {
            count.bytes += 1;
            if self.noise > 0 {
                self.noise -= 1;
                through.push(self.random.next_u64() as u8);
                continue;
            }
            // One throw a byte, whatever the rates are: a fault more or less does not move the others.
            let mut throw = self.random.below(CERTAIN as usize) as u32;
            let mut falls = |rate: Rate| {
                let hit = throw < rate.0;
                throw = throw.saturating_sub(rate.0);
                hit
            };
            if falls(faults.flip) {
                count.flipped += 1;
                through.push(byte ^ (1 << self.random.below(8)));
            } else if falls(faults.drop) {
                count.dropped += 1;
            } else if falls(faults.dup) {
                count.doubled += 1;
                through.extend([byte, byte]);
            } else if falls(faults.burst.0) {
                count.bursts += 1;
                self.noise = self.random.below(faults.burst.1.max(1) as usize) as u32;
                through.push(self.random.next_u64() as u8);
            } else if falls(faults.stall.0) {
                count.stalls += 1;
                return Passed::Stall(at);
            } else if falls(faults.cut.0) {
                count.cuts += 1;
                return Passed::Cut(at);
            } else {
                through.push(byte);
            }
        }
        Passed::All
    }
}

/// A link inside which things go wrong.
pub struct Faulty {
    inner: Box<dyn Link>,
    faults: Faults,
    there: Way,
    back: Way,
    resets: Random,
    /// Bytes from the other end that are through already.
    arrived: Vec<u8>,
    cut_until: Option<Instant>,
    reset_at: Option<Instant>,
    count: FaultCount,
}

/// The longest time into the work on a request that the board is left alone before a reset.
const RESET_WITHIN: Duration = Duration::from_millis(60);

impl Faulty {
    /// Lets the faults loose on a link.
    pub fn new(inner: Box<dyn Link>, faults: Faults) -> Self {
        let way = |number: u64| Way { random: Random::new(faults.seed.wrapping_mul(4).wrapping_add(number)), noise: 0 };
        let (there, back) = (way(0), way(1));
        let resets = way(2).random;
        Self {
            inner,
            faults,
            there,
            back,
            resets,
            arrived: Vec::new(),
            cut_until: None,
            reset_at: None,
            count: FaultCount::default(),
        }
    }

    /// Whether nothing gets through.
    fn is_cut(&mut self) -> bool {
        self.cut_until = self.cut_until.filter(|&until| Instant::now() < until);
        self.cut_until.is_some()
    }

    fn cut(&mut self, lost: usize) {
        self.cut_until = Some(Instant::now() + Duration::from_millis(self.faults.cut.1.into()));
        self.lose(lost);
    }

    fn lose(&mut self, bytes: usize) {
        self.count.bytes += bytes as u64;
        self.count.cut_bytes += bytes as u64;
    }

    /// Passes bytes on to the other end.
    fn hand_over(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.is_cut() {
                self.lose(bytes.len());
                return Ok(());
            }
            let mut through = Vec::with_capacity(bytes.len() + 1);
            let passed = self.there.pass(&self.faults, bytes, &mut through, &mut self.count);
            self.inner.write(&through)?;
            match passed {
                Passed::All => return Ok(()),
                Passed::Stall(at) => {
                    thread::sleep(Duration::from_millis(self.faults.stall.1.into()));
                    self.inner.write(&bytes[at..=at])?;
                    bytes = &bytes[at + 1..];
                }
                Passed::Cut(at) => {
                    self.cut(bytes.len() - at);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn reset_board(&mut self) -> io::Result<()> {
        self.reset_at = None;
        if self.inner.reset()? {
            self.count.resets += 1;
        }
        Ok(())
    }
}

impl Link for Faulty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.faults.reset.happens(&mut self.resets) {
            return self.hand_over(bytes);
        }
        if self.resets.below(2) == 0 {
            // In the middle of the frame.
            let (first, second) = bytes.split_at(bytes.len() / 2);
            self.hand_over(first)?;
            self.reset_board()?;
            return self.hand_over(second);
        }
        // In the middle of the work on it.
        let after = RESET_WITHIN.mul_f64(self.resets.below(1_000) as f64 / 1e3);
        self.reset_at = Some(Instant::now() + after);
        self.hand_over(bytes)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.arrived.is_empty() {
            let mut wait = timeout;
            if let Some(at) = self.reset_at {
                wait = wait.min(at.saturating_duration_since(Instant::now()));
                if wait.is_zero() {
                    self.reset_board()?;
                    return Ok(0);
                }
            }
            let mut chunk = [0; 1_024];
            let length = self.inner.read(&mut chunk, wait)?;
            let mut bytes = &chunk[..length];
            while !bytes.is_empty() {
                if self.is_cut() {
                    self.lose(bytes.len());
                    break;
                }
                let mut through = Vec::with_capacity(bytes.len() + 1);
                let passed = self.back.pass(&self.faults, bytes, &mut through, &mut self.count);
                self.arrived.append(&mut through);
                match passed {
                    Passed::All => break,
                    Passed::Stall(at) => {
                        thread::sleep(Duration::from_millis(self.faults.stall.1.into()));
                        self.arrived.push(bytes[at]);
                        bytes = &bytes[at + 1..];
                    }
                    Passed::Cut(at) => {
                        self.cut(bytes.len() - at);
                        break;
                    }
                }
            }
        }
        let length = self.arrived.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.arrived[..length]);
        self.arrived.drain(..length);
        if self.arrived.is_empty() {
            self.arrived = Vec::new();
        }
        Ok(length)
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }

    /// What was lost here is known to be lost: there is no reason to wait as long as a sound line deserves.
    fn ask_again(&self, promised: Duration) -> Duration {
        self.inner.ask_again(promised).min(Duration::from_secs(2))
    }

    fn reset(&mut self) -> io::Result<bool> {
        self.inner.reset()
    }

    fn faults(&self) -> Option<FaultCount> {
        Some(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives back what it is sent.
    #[derive(Default)]
    struct Echo(Vec<u8>);

    impl Link for Echo {
        fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0.extend_from_slice(bytes);
            Ok(())
        }

        fn read(&mut self, buffer: &mut [u8], _timeout: Duration) -> io::Result<usize> {
            let length = self.0.len().min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0.drain(..length);
            Ok(length)
        }

        fn patience(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// A text there and back again, in pieces of `piece` bytes, and what was done to it.
    fn through(faults: &str, piece: usize) -> (Vec<u8>, FaultCount) {
        let mut link = Faulty::new(Box::<Echo>::default(), faults.parse().unwrap());
        let sent: Vec<u8> = (0..20_000_u32).map(|at| at as u8).collect();
        let mut back = Vec::new();
        for piece in sent.chunks(piece) {
            link.write(piece).unwrap();
            let mut buffer = [0; 64];
            loop {
                match link.read(&mut buffer, Duration::ZERO).unwrap() {
                    0 => break,
                    length => back.extend_from_slice(&buffer[..length]),
                }
            }
        }
        (back, link.faults().unwrap())
    }

    #[test]
    fn faults_are_read_as_they_are_written() {
        let text = "flip=1e-4,drop=2e-4,dup=3e-4,reset=1e-2,burst=1e-5:16,stall=1e-6:50,cut=1e-7:2000,seed=9";
        let faults: Faults = text.parse().unwrap();
        assert_eq!(faults.to_string(), text);
        assert_eq!("burst=0.5".parse::<Faults>().unwrap().burst, (Rate(CERTAIN / 2), 32));
        for wrong in ["flip", "flip=2", "flip=x", "burst=1e-4:x", "shake=1", "seed=x", "flip=0.6,drop=0.6"] {
            assert!(wrong.parse::<Faults>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn without_faults_everything_gets_through() {
        let (back, count) = through("seed=3", 37);
        assert_eq!(back.len(), 20_000);
        assert!(back.iter().enumerate().all(|(at, &byte)| byte == at as u8));
        assert_eq!((count.bytes, count.total()), (40_000, 0));
    }

    #[test]
    fn faults_follow_from_the_seed_and_not_from_how_the_bytes_are_cut_up() {
        let faults = "flip=1e-3,drop=1e-3,dup=1e-3,burst=1e-4:8,seed=5";
        let (back, count) = through(faults, 37);
        assert_eq!(through(faults, 50), (back.clone(), count));
        assert_ne!(through("flip=1e-3,drop=1e-3,dup=1e-3,burst=1e-4:8,seed=6", 37).0, back);
        // Forty thousand bytes, one in a thousand each: 40 give or take three times their square root.
        for (kind, number) in [("flip", count.flipped), ("drop", count.dropped), ("dup", count.doubled)] {
            assert!((21..=59).contains(&number), "{kind}: {number}");
        }
        assert!((1..=10).contains(&count.bursts), "{count:?}");
    }

    #[test]
    fn the_bytes_that_are_lost_and_doubled_are_the_ones_counted() {
        let (back, count) = through("drop=1e-2,seed=1", 37);
        assert_eq!(back.len() as u64, 20_000 - count.dropped);
        let (back, count) = through("dup=1e-2,seed=1", 37);
        assert_eq!(back.len() as u64, 20_000 + count.doubled);
        let (back, count) = through("cut=1e-3:1,seed=1", 37);
        // A cut lasts a millisecond of real time: how many bytes it swallows, and so how many cuts there are, depends on
        // the desktop.
        assert!(count.cuts > 0 && count.cut_bytes >= count.cuts);
        assert_eq!(back.len() as u64, 20_000 - count.cut_bytes);
        let (back, count) = through("stall=1e-3:1,seed=1", 37);
        assert_eq!((back.len(), count.stalls > 10), (20_000, true), "a stall loses nothing");
    }
}
