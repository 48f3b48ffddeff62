//! What a mech does in a phase.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::hex::{Facing, Hex};
use super::mech::MAX_ITEMS;
use super::physical::Blow;
use super::reach::Way;
use crate::games::StateError;
use crate::wire::MAX_ACTION;

/// Most steps of a move: a run with MASC of the fastest mech, and a stand-up.
pub const MAX_STEPS: usize = 48;
/// Most blows of a turn: two fists and a foot.
pub const MAX_BLOWS: usize = 4;

/// The steps of a move.
pub type Steps = Vec<Step, MAX_STEPS>;
/// The shots of a volley.
pub type Shots = Vec<Shot, MAX_ITEMS>;
/// Places of bins in a mech's list.
pub type Bins = Vec<u8, MAX_ITEMS>;
/// Blows and the numbers of their targets.
pub type Blows = Vec<(Blow, u8), MAX_BLOWS>;

/// One step of a walk or a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Into the hex ahead.
    Forward,
    /// Into the hex behind.
    Backward,
    /// One side to the left.
    Left,
    /// One side to the right.
    Right,
    /// Get up, facing so.
    Stand(Facing),
    /// Drop to the ground.
    Drop,
}

impl Step {
    /// The step as the floods know it; nothing for getting up and down.
    pub const fn way(self) -> Option<Way> {
        match self {
            Self::Forward => Some(Way::Forward),
            Self::Backward => Some(Way::Backward),
            Self::Left => Some(Way::Left),
            Self::Right => Some(Way::Right),
            Self::Stand(_) | Self::Drop => None,
        }
    }
}

impl From<Way> for Step {
    fn from(way: Way) -> Self {
        match way {
            Way::Forward => Self::Forward,
            Way::Backward => Self::Backward,
            Way::Left => Self::Left,
            Way::Right => Self::Right,
        }
    }
}

/// What is shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aim {
    /// The mech with this number.
    Mech(u8),
    /// The hex itself: woods, a building.
    Hex(Hex),
}

/// A weapon fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// Its place in the mech's list.
    pub weapon: u8,
    /// The bin's place in the mech's list.
    pub bin: Option<u8>,
    /// Double rate.
    pub double: bool,
    /// At what.
    pub aim: Aim,
}

/// What a mech does in a phase.
#[expect(clippy::large_enum_variant, reason = "there is no box to put the volley in; one action exists at a time")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Movement: stay.
    Still,
    /// Movement: walk or run.
    Go {
        /// Run.
        run: bool,
        /// With MASC.
        masc: bool,
        /// Step by step.
        steps: Steps,
    },
    /// Movement: jump.
    Jump {
        /// Where to.
        to: Hex,
        /// Facing after it.
        facing: Facing,
    },
    /// Reaction: the torso by -1, 0 or 1 sides.
    Twist(i8),
    /// Weapons: pick up a club instead.
    PickUp,
    /// Weapons: shoot.
    Fire {
        /// The mech that is the primary target.
        primary: Option<u8>,
        /// The weapons.
        shots: Shots,
    },
    /// Physical: blows and their targets.
    Strike(Blows),
    /// End of the turn.
    End {
        /// Sinks to turn off.
        off: u8,
        /// Sinks to turn on.
        on: u8,
        /// Drop the club.
        drop_club: bool,
        /// Bins to eject.
        eject: Bins,
    },
}

impl Action {
    /// The action's bytes. None is longer than [`MAX_ACTION`]: the longest fires every weapon at a hex, 8 bytes each.
    pub fn encode(&self) -> Vec<u8, MAX_ACTION> {
        let mut buffer = [0; MAX_ACTION];
        postcard::to_slice(self, &mut buffer).ok().and_then(|bytes| Vec::from_slice(bytes).ok()).unwrap_or_default()
    }

    /// The action of these bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        crate::wire::frame::open(bytes).map_err(|_| StateError::Malformed)
    }

    /// What does nothing in a phase.
    pub const fn nothing(phase: super::state::Phase) -> Self {
        use super::state::Phase;
        match phase {
            Phase::Movement => Self::Still,
            Phase::Reaction => Self::Twist(0),
            Phase::Weapons => Self::Fire { primary: None, shots: Vec::new() },
            Phase::Physical => Self::Strike(Vec::new()),
            Phase::End => Self::End { off: 0, on: 0, drop_club: false, eject: Vec::new() },
        }
    }
}
