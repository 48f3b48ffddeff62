//! Actions to come, two bits each.

use super::rules::Action;

/// Actions that a plan has room for: nobody lives longer.
pub(super) const MAX_PLAN: usize = 3_072;

/// A plan and how much of it is done.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    codes: [u8; MAX_PLAN / 4],
    next: u16,
    end: u16,
}

impl Plan {
    pub(super) const fn new() -> Self {
        Self { codes: [0; MAX_PLAN / 4], next: 0, end: 0 }
    }

    pub(super) fn clear(&mut self) {
        (self.next, self.end) = (0, 0);
    }

    /// Makes room for a plan of this many actions; what is beyond the room is left out.
    pub(super) fn begin(&mut self, length: u32) {
        self.next = 0;
        self.end = length.min(MAX_PLAN as u32) as u16;
    }

    /// Sets one action of a plan that was begun.
    pub(super) fn set(&mut self, place: u32, action: Action) {
        if let Some(byte) = self.codes.get_mut(place as usize / 4) {
            let shift = place % 4 * 2;
            *byte = (*byte & !(3 << shift)) | ((action as u8) << shift);
        }
    }

    fn get(&self, place: u16) -> Option<Action> {
        if place >= self.end {
            return None;
        }
        let byte = self.codes.get(usize::from(place) / 4)?;
        Action::from_code(byte >> (place % 4 * 2) & 3)
    }

    pub(super) fn len(&self) -> u16 {
        self.end - self.next
    }

    /// The next action.
    pub(super) fn peek(&self) -> Option<Action> {
        self.get(self.next)
    }

    /// The next action is done.
    pub(super) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.end);
    }

    /// What is left of it.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        (self.next..self.end).filter_map(|place| self.get(place))
    }
}
