//! Plans: who sends what where, and when.

use heapless::Vec;

/// Launches that a plan holds. A turn of a good bot has a handful; a full plan simply takes no further step.
pub(super) const MAX_LAUNCHES: usize = 40;
/// Steps that are weighed against each other: up to four for each of 64 planets.
pub(super) const MAX_STEPS: usize = 192;

/// Ships that leave a planet for another on some turn from now (0 is this one).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) source: u8,
    pub(super) target: u8,
    pub(super) turn: u8,
    pub(super) ships: u16,
}

/// What one side intends to do.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    launches: Vec<Launch, MAX_LAUNCHES>,
    /// A bit for each planet that ships leave or reach.
    concerned: u64,
}

impl Plan {
    pub(super) const fn new() -> Self {
        Self { launches: Vec::new(), concerned: 0 }
    }

    #[inline]
    pub(super) fn launches(&self) -> &[Launch] {
        &self.launches
    }

    #[inline]
    pub(super) const fn concerns(&self, planet: usize) -> bool {
        self.concerned >> (planet & 63) & 1 == 1
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Takes back what was added after the plan had `len` launches.
    pub(super) fn truncate(&mut self, len: usize) {
        self.launches.truncate(len);
        self.concerned = 0;
        for launch in &self.launches {
            self.concerned |= 1 << (launch.source & 63) | 1 << (launch.target & 63);
        }
    }

    /// Adds a launch, if there is room.
    pub(super) fn push(&mut self, launch: Launch) -> bool {
        self.concerned |= 1 << (launch.source & 63) | 1 << (launch.target & 63);
        self.launches.push(launch).is_ok()
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.launches.clear();
        // Both have the same capacity.
        let _ = self.launches.extend_from_slice(&other.launches);
        self.concerned = other.concerned;
    }
}

/// How a step finds its ships.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// So many ships arrive on one turn, from the farthest planets that can be there in time.
    #[default]
    Arrive,
    /// The same from the nearest planets.
    ArriveNear,
    /// All that one planet can spare leaves for another now.
    Move,
}

/// Something worth doing: a few launches with one purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    /// What doing it, and nothing else, is worth.
    pub(super) gain: i32,
    pub(super) ships: u16,
    pub(super) target: u8,
    /// Turn of arrival; for [`Kind::Move`] the planet that the ships leave.
    pub(super) turn: u8,
    pub(super) kind: Kind,
}
