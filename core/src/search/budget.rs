//! How much a decision may cost.

/// A source of time. Boards read a timer, the desktop its monotonic clock, tests a number they move by hand.
pub trait Clock {
    /// Microseconds since some fixed moment, never going back.
    fn now_us(&self) -> u64;
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now_us(&self) -> u64 {
        (**self).now_us()
    }
}

/// The limits of one decision. Whichever is met first ends the search; no limit at all means "until it is solved".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The moment, by the [`Clock`], at which the search must have stopped.
    pub deadline_us: Option<u64>,
    /// Nodes that may be visited. Two runs with the same node limit give the same decision, wherever they run.
    pub nodes: Option<u32>,
    /// Plies that may be completed.
    pub depth: Option<u8>,
}

impl Budget {
    /// A budget of nodes alone.
    pub const fn nodes(nodes: u32) -> Self {
        Self { deadline_us: None, nodes: Some(nodes), depth: None }
    }

    /// How many nodes the next slice may visit, given what has been used and the longest slice that the caller
    /// allows between two looks at the clock. Zero means that the search is over.
    pub fn slice(&self, used: u32, longest: u32) -> u32 {
        self.nodes.map_or(longest, |limit| limit.saturating_sub(used).min(longest))
    }

    /// Whether the deadline has come.
    pub fn is_late(&self, now_us: u64) -> bool {
        self.deadline_us.is_some_and(|deadline| now_us >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_end_exactly_at_the_node_limit() {
        let budget = Budget::nodes(250);
        assert_eq!(budget.slice(0, 100), 100);
        assert_eq!(budget.slice(200, 100), 50);
        assert_eq!(budget.slice(250, 100), 0);
        assert_eq!(Budget::default().slice(u32::MAX, 100), 100);
    }

    #[test]
    fn the_deadline_itself_is_late() {
        let budget = Budget { deadline_us: Some(10), ..Budget::default() };
        assert!(!budget.is_late(9));
        assert!(budget.is_late(10));
        assert!(!Budget::default().is_late(u64::MAX));
    }
}
