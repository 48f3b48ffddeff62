//! A state on the line: whose decision, in which phase, and every mech. The map is loaded before.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::map::Map;
use super::mech::Mech;
use super::profile::Profile;
use crate::games::StateError;
use crate::wire::frame::take;

/// Most mechs of a game.
pub const MAX_MECHS: usize = 8;

/// A phase in which players are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Phase {
    /// Who moves where.
    #[default]
    Movement,
    /// Who turns the torso.
    Reaction,
    /// Who fires what.
    Weapons,
    /// Who hits whom.
    Physical,
    /// The end of the turn.
    End,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [Self::Movement, Self::Reaction, Self::Weapons, Self::Physical, Self::End];

    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Movement => "movement",
            Self::Reaction => "reaction",
            Self::Weapons => "weapons",
            Self::Physical => "physical attacks",
            Self::End => "end of the turn",
        }
    }
}

/// What comes before the mechs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// Whether the manual's rules are played instead of the simulator's.
    pub book: bool,
    /// The phase.
    pub phase: Phase,
    /// Whose decision it is: a place in the list of mechs.
    pub me: u8,
    /// The turn, from 1.
    pub turn: u8,
    /// How many mechs follow.
    pub mechs: u8,
}

impl Head {
    /// The rules in force.
    pub const fn profile(&self) -> &'static Profile {
        if self.book { &Profile::BOOK } else { &Profile::UGR }
    }
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What comes first.
    pub head: Head,
    /// The mechs.
    pub mechs: Vec<Mech, MAX_MECHS>,
}

impl State {
    /// An empty state.
    pub const fn new() -> Self {
        Self { head: Head { book: false, phase: Phase::Movement, me: 0, turn: 0, mechs: 0 }, mechs: Vec::new() }
    }

    /// Writes the state's bytes; gives how many, or nothing if the buffer is too short.
    pub fn encode(&self, buffer: &mut [u8]) -> Option<usize> {
        let length = buffer.len();
        let head = Head { mechs: self.mechs.len() as u8, ..self.head };
        let mut used = postcard::to_slice(&head, buffer).ok()?.len();
        for mech in &self.mechs {
            used += postcard::to_slice(mech, buffer.get_mut(used..length)?).ok()?.len();
        }
        Some(used)
    }

    /// Reads the state's bytes into this one, mech by mech, so that a board's stack never holds them all.
    pub fn decode(&mut self, bytes: &[u8], map: &Map<'_>) -> Result<(), StateError> {
        self.mechs.clear();
        let (head, mut rest) = take::<Head>(bytes).ok_or(StateError::Malformed)?;
        self.head = head;
        if usize::from(head.mechs) > MAX_MECHS {
            return Err(StateError::Capacity);
        }
        if head.me >= head.mechs {
            return Err(StateError::OutOfRange);
        }
        for _ in 0..head.mechs {
            let (mech, after) = take::<Mech>(rest).ok_or(StateError::Malformed)?;
            mech.validate(map)?;
            let taken = |other: &Mech| other.operational && mech.operational && other.hex == mech.hex;
            if self.mechs.iter().any(taken) {
                return Err(StateError::Inconsistent);
            }
            rest = after;
            let _ = self.mechs.push(mech);
        }
        if !rest.is_empty() {
            return Err(StateError::Malformed);
        }
        if !self.me().operational {
            return Err(StateError::GameOver);
        }
        Ok(())
    }

    /// The mech that decides.
    pub fn me(&self) -> &Mech {
        self.mech(self.head.me)
    }

    /// The mech of a number; one that is out of the game if there is none.
    pub fn mech(&self, number: u8) -> &Mech {
        static NOBODY: Mech = Mech::new();
        self.mechs.get(usize::from(number)).unwrap_or(&NOBODY)
    }
}
