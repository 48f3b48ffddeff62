//! Mancala at the console.

use core::fmt::{self, Write};

use heapless::Vec;

use super::state::{Pit, Player, State};
use super::{SEED, STATE_BYTES};
use crate::console::Playable;
use crate::games::GameId;

impl Playable for State {
    type Move = Pit;

    const GAME: GameId = GameId::Mancala;
    const HOW: &'static str = "a pit from 1 (next to your store) to 6";
    const PLAYERS: [&'static str; 2] = ["J1", "J2"];

    fn start() -> Self {
        Self::start()
    }

    fn to_move(&self) -> u8 {
        self.turn() as u8
    }

    fn read(&self, words: &str) -> Result<Pit, &'static str> {
        let pit = words.parse().ok().and_then(Pit::new).ok_or("A pit is a number from 1 to 6.")?;
        if self.is_legal(pit) { Ok(pit) } else { Err("That pit is empty.") }
    }

    fn action(&self, bytes: &[u8]) -> Option<Pit> {
        let &[number] = bytes else { return None };
        Pit::new(number).filter(|&pit| self.is_legal(pit))
    }

    fn after(&self, pit: Pit) -> Self {
        self.play(pit)
    }

    fn winner(&self) -> Option<Option<u8>> {
        self.is_over().then(|| match self.margin() {
            0 => None,
            margin if margin > 0 => Some(Player::J1 as u8),
            _ => Some(Player::J2 as u8),
        })
    }

    fn bytes(&self) -> Vec<u8, 256> {
        let bytes: Vec<u8, STATE_BYTES> = self.encode();
        bytes.into_iter().collect()
    }

    fn value(value: i32, out: &mut dyn Write) -> fmt::Result {
        write!(out, "margin {:+}", value / SEED)
    }

    fn proven(guaranteed: i32, exact: bool, out: &mut dyn Write) -> fmt::Result {
        match guaranteed / SEED {
            _ if exact => out.write_str(" proven"),
            margin if margin > 0 => write!(out, ", win proven by {margin} or more"),
            _ => Ok(()),
        }
    }
}
