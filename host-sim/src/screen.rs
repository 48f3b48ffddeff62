//! The whole terminal as one picture that is drawn again and again.

use core::time::Duration;
use std::io::{Write, stdout};

use anyhow::Result;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::{cursor, execute, queue, style::Print, terminal};

/// The terminal in its raw form; it is put back however this ends.
pub struct Screen;

impl Screen {
    /// Takes the terminal.
    pub fn open() -> Result<Self> {
        terminal::enable_raw_mode()?;
        execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(Self)
    }

    /// Columns and rows.
    pub fn size(&self) -> Result<(usize, usize)> {
        let (columns, rows) = terminal::size()?;
        Ok((columns.into(), rows.into()))
    }

    /// Draws a picture over the last one.
    pub fn draw<'a>(&self, lines: impl IntoIterator<Item = &'a str>) -> Result<()> {
        let mut out = stdout();
        // Line by line: clearing the screen first would make it flicker.
        let rest = terminal::Clear(terminal::ClearType::UntilNewLine);
        queue!(out, cursor::MoveTo(0, 0))?;
        for line in lines {
            queue!(out, Print(line), rest, cursor::MoveToNextLine(1))?;
        }
        queue!(out, terminal::Clear(terminal::ClearType::FromCursorDown))?;
        out.flush()?;
        Ok(())
    }

    /// The next key, waiting at most that long. Ctrl with any key is the way out.
    pub fn key(&self, wait: Duration) -> Result<Option<KeyCode>> {
        if !poll(wait)? {
            return Ok(None);
        }
        Ok(match read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => None,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => Some(KeyCode::Esc),
            Event::Key(key) => Some(key.code),
            _ => None,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}
