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

    /// The next key, waiting at most that long. Ctrl with any key is the way out, and so is a terminal that is gone.
    pub fn key(&self, wait: Duration) -> Result<Option<KeyCode>> {
        // Never `poll(wait)` alone: it would read on for ever from a terminal that is closed while it waits.
        for wait in [Duration::ZERO, wait] {
            if !terminal_is_there(wait)? {
                return Ok(Some(KeyCode::Esc));
            }
            if poll(Duration::ZERO)? {
                return Self::read_key();
            }
        }
        Ok(None)
    }

    fn read_key() -> Result<Option<KeyCode>> {
        Ok(match read()? {
            Event::Key(key) if key.kind == KeyEventKind::Release => None,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => Some(KeyCode::Esc),
            Event::Key(key) => Some(key.code),
            _ => None,
        })
    }
}

/// Waits until something can be read, but not longer. `false` if nothing ever will be.
#[cfg(unix)]
fn terminal_is_there(wait: Duration) -> Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = std::io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut terminal, Some(&Timespec::try_from(wait)?)) {
        Err(error) if error != rustix::io::Errno::INTR => Err(error.into()),
        _ => Ok(!terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)),
    }
}

/// Elsewhere nobody knows.
#[cfg(not(unix))]
fn terminal_is_there(wait: Duration) -> Result<bool> {
    poll(wait)?;
    Ok(true)
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}
