//! The files of the original simulator: one value a line, read with the number of the line in every complaint.
//!
//! What was read is written back byte for byte: line ends and a missing last one are remembered in [`Style`].

use core::fmt::Write as _;
use std::path::Path;

pub mod action;
pub mod definition;
pub mod map;
pub mod mechs;
pub mod small;

use rival_core::games::battletech::{Facing, Hex, Location};

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{file} cannot be read or written")]
    Io {
        /// Which file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{file}, line {line}: expected {expected}, found {found:?}")]
    Line {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The file ends too early.
    #[error("{file}: ends after line {line} where {expected} should follow")]
    Short {
        /// Which file.
        file: String,
        /// Lines there are.
        line: usize,
        /// What should follow.
        expected: String,
    },
    /// The file goes on after its end.
    #[error("{file}, line {line}: nothing should follow here")]
    Long {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: usize,
    },
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Style {
    /// Carriage return before the line feed.
    pub crlf: bool,
    /// Whether the last line has its end.
    pub closed: bool,
    /// Whether a blank stands before every line end: some hand-made samples have it.
    pub padded: bool,
    /// Empty lines after the last.
    pub blanks: u8,
}

impl Default for Style {
    fn default() -> Self {
        Self { crlf: true, closed: true, padded: false, blanks: 0 }
    }
}

/// Bytes of code page 1252 as text.
pub fn from_cp1252(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| CP1252_HIGH.get(usize::from(byte).wrapping_sub(0x80)).copied().unwrap_or(byte as char))
        .collect()
}

/// Text as bytes of code page 1252; what it does not have becomes a question mark.
pub fn to_cp1252(text: &str) -> Vec<u8> {
    let byte = |c: char| match u32::from(c) {
        code @ (0..=0x7F | 0xA0..=0xFF) => code as u8,
        _ => CP1252_HIGH.iter().position(|&high| high == c).map_or(b'?', |at| 0x80 + at as u8),
    };
    text.chars().map(byte).collect()
}

/// The bytes 0x80 to 0x9F; the five that are not assigned stand for themselves.
const CP1252_HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Reads a file line by line.
#[derive(Debug)]
pub struct Reader {
    file: String,
    lines: Vec<String>,
    at: usize,
    style: Style,
}

impl Reader {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| FileError::Io { file: file.clone(), source })?;
        Ok(Self::new(&file, &bytes))
    }

    /// Reads bytes that stand for a file of that name.
    pub fn new(file: &str, bytes: &[u8]) -> Self {
        let text = from_cp1252(bytes);
        let crlf = text.contains("\r\n");
        let mut lines: Vec<String> = text.split('\n').map(|line| line.trim_end_matches('\r').to_owned()).collect();
        let closed = text.ends_with('\n');
        if closed || text.is_empty() {
            lines.pop();
        }
        let padded = lines.len() > 1 && lines.iter().all(|line| line.ends_with(' '));
        if padded {
            for line in &mut lines {
                line.pop();
            }
        }
        let blanks = lines.iter().rev().take_while(|line| line.is_empty()).count();
        Self { file: file.to_owned(), lines, at: 0, style: Style { crlf, closed, padded, blanks: blanks.min(9) as u8 } }
    }

    /// How its lines end.
    pub const fn style(&self) -> Style {
        self.style
    }

    /// The next line as it is.
    pub fn text(&mut self, expected: &str) -> Result<String, FileError> {
        let line = self.lines.get(self.at).ok_or_else(|| FileError::Short {
            file: self.file.clone(),
            line: self.lines.len(),
            expected: expected.to_owned(),
        })?;
        self.at += 1;
        Ok(line.clone())
    }

    /// A complaint about the line that was just read.
    pub fn wrong(&self, expected: &str) -> FileError {
        let found = self.lines.get(self.at.wrapping_sub(1)).cloned().unwrap_or_default();
        FileError::Line { file: self.file.clone(), line: self.at, expected: expected.to_owned(), found }
    }

    /// The next line through a function that may refuse it.
    pub fn parse<T>(&mut self, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, FileError> {
        let line = self.text(expected)?;
        read(line.trim()).ok_or_else(|| self.wrong(expected))
    }

    /// The next line, which must be this word.
    pub fn word(&mut self, word: &str) -> Result<(), FileError> {
        self.parse(&format!("the word {word:?}"), |line| (line == word).then_some(()))
    }

    /// The next line as a whole number.
    pub fn number<T: core::str::FromStr>(&mut self, what: &str) -> Result<T, FileError> {
        self.parse(&format!("{what}, a number"), |line| line.parse().ok())
    }

    /// The next line as `True` or `False`.
    pub fn boolean(&mut self, what: &str) -> Result<bool, FileError> {
        self.parse(&format!("{what}, True or False"), |line| match line {
            "True" => Some(true),
            "False" => Some(false),
            _ => None,
        })
    }

    /// Several of the same.
    pub fn many<T, const N: usize>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, FileError>,
    ) -> Result<[T; N], FileError> {
        let mut values = Vec::with_capacity(N);
        for _ in 0..N {
            values.push(read(self)?);
        }
        values.try_into().map_err(|_| self.wrong("a list"))
    }

    /// The next line without taking it.
    pub fn peek(&self) -> Option<&str> {
        self.lines.get(self.at).map(|line| line.trim())
    }

    /// Lines that were not read yet.
    pub fn left(&self) -> usize {
        self.lines.len() - self.at.min(self.lines.len())
    }

    /// Insists that everything was read.
    pub fn finish(&self) -> Result<(), FileError> {
        if self.lines[self.at.min(self.lines.len())..].iter().all(|line| line.trim().is_empty()) {
            Ok(())
        } else {
            Err(FileError::Long { file: self.file.clone(), line: self.at + 1 })
        }
    }
}

/// Writes a file line by line.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    style: Style,
}

impl Writer {
    /// A file whose lines end so.
    pub const fn new(style: Style) -> Self {
        Self { text: String::new(), style }
    }

    /// One line.
    pub fn line(&mut self, value: impl core::fmt::Display) -> &mut Self {
        let end = match (self.style.padded, self.style.crlf) {
            (false, true) => "\r\n",
            (false, false) => "\n",
            (true, true) => " \r\n",
            (true, false) => " \n",
        };
        let _ = write!(self.text, "{value}{end}");
        self
    }

    /// One line, `True` or `False`.
    pub fn boolean(&mut self, value: bool) -> &mut Self {
        self.line(if value { "True" } else { "False" })
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = self.text.clone();
        for _ in 0..self.style.blanks {
            text.push_str(if self.style.crlf { "\r\n" } else { "\n" });
        }
        to_cp1252(if self.style.closed { &text } else { text.trim_end_matches(['\r', '\n', ' ']) })
    }
}

/// A hex `CCRR`.
fn hex(reader: &mut Reader, what: &str) -> Result<Hex, FileError> {
    reader.parse(&format!("{what}, a hex as CCRR"), |line| {
        if line.len() == 4 { Hex::from_id(line.parse().ok()?) } else { None }
    })
}

/// A facing.
fn facing(reader: &mut Reader) -> Result<Facing, FileError> {
    reader.parse("facing, 1 to 6", |line| Facing::new(line.parse().ok()?))
}

/// A location that has slots.
fn location(reader: &mut Reader) -> Result<Location, FileError> {
    reader.parse("location, BI TI PI PD TD BD TC or CAB", |line| {
        Location::from_code(line).filter(|location| !location.is_rear())
    })
}

#[cfg(test)]
mod tests;
