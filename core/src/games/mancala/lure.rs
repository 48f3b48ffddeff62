//! For a player who stands worse: among pits that are about as good, the one after which the other goes wrong most easily.
//!
//! [`Lure`] says which positions are to be valued, one after the other, and is told their values: first those after the
//! own pits, then those after the replies to each pit that is good enough. It searches nothing itself.
//!
//! A reply costs the other what it is worth less than his best one. How likely it is depends on how it looks to him at
//! first sight, that is after a search of [`GLANCE`] plies: a reply that looks [`BLIND`] worse than another is not played.

use super::evaluation::SEED;
use super::state::{Pit, Player, State};
use crate::search::alphabeta::Value;

/// What a pit may be worth less than the best one.
const GIVEN: Value = SEED / 2;
/// Plies that the other is thought to see at first sight. The search asks its memory of no position so near to the
/// leaves, so that nothing deeper gets into this value.
pub(super) const GLANCE: u8 = 4;
/// What he is thought to see at first sight without fail.
const BLIND: Value = 3 * SEED;
/// A larger mistake than this counts as this.
const LARGEST: Value = 12 * SEED;
/// Half of what he is likely to lose counts as if it were won.
const SHARE: Value = 2;

/// Pits of a row.
const PITS: usize = 6;

/// What is known of a reply, for the player whose decision it is.
#[derive(Clone, Copy, Default)]
struct Reply {
    at_first_sight: Value,
    value: Option<Value>,
}

/// A decision between pits that are about as good. See the [module](self).
pub(super) struct Lure {
    root: State,
    best: Pit,
    /// The own pits, then the replies to each of them: six and six times six.
    at: usize,
    values: [Option<Value>; PITS],
    replies: [Reply; PITS],
    chosen: Pit,
    score: Value,
}

impl Lure {
    /// For a decision that would be `best`. `None` if that pit gives another turn: then nothing is to be answered yet.
    pub(super) fn new(root: State, best: Pit) -> Option<Self> {
        let replies = [Reply { at_first_sight: 0, value: None }; PITS];
        let lure = Self { root, best, at: 0, values: [None; PITS], replies, chosen: best, score: Value::MIN };
        (root.play(best).turn() != root.turn()).then_some(lure)
    }

    /// The pit to play, once there is nothing left to value.
    pub(super) fn chosen(&self) -> Pit {
        self.chosen
    }

    /// The next position to value, and whether it is one after a reply.
    pub(super) fn next(&mut self) -> Option<(State, bool)> {
        loop {
            let after_reply = self.at >= PITS;
            let (row, column) = (self.at / PITS, self.at % PITS);
            let own = if after_reply { row - 1 } else { column };
            let child = after(&self.root, *Pit::ALL.get(own)?);
            let position = match child {
                Some(child) if after_reply && self.is_good_enough(own, &child) => after(&child, Pit::ALL[column]),
                Some(_) if after_reply => None,
                child => child,
            };
            match position {
                Some(position) if position.is_over() => {
                    let margin = SEED * Value::from(position.margin());
                    let value = if self.root.turn() == Player::J1 { margin } else { -margin };
                    self.glance(value);
                    self.take(value);
                }
                Some(position) => return Some((position, after_reply)),
                None => self.advance(),
            }
        }
    }

    /// Whether the replies to an own pit are looked at.
    fn is_good_enough(&self, own: usize, child: &State) -> bool {
        let value = self.values.get(own).copied().flatten();
        child.turn() != self.root.turn()
            && value.zip(self.value_of_best()).is_some_and(|(value, best)| value >= best - GIVEN)
    }

    fn value_of_best(&self) -> Option<Value> {
        let of_best = Pit::ALL.iter().zip(&self.values).find(|(pit, _)| **pit == self.best);
        of_best.and_then(|(_, value)| *value)
    }

    /// What the position at hand looks like after [`GLANCE`] plies, for the player whose decision it is.
    pub(super) fn glance(&mut self, value: Value) {
        if let Some(reply) = self.replies.get_mut(self.at % PITS) {
            reply.at_first_sight = value;
        }
    }

    /// The value of the position at hand, for the player whose decision it is.
    pub(super) fn take(&mut self, value: Value) {
        let column = self.at % PITS;
        if self.at < PITS {
            if let Some(slot) = self.values.get_mut(column) {
                *slot = Some(value);
            }
        } else if let Some(reply) = self.replies.get_mut(column) {
            reply.value = Some(value);
        }
        self.advance();
    }

    fn advance(&mut self) {
        self.at += 1;
        if self.at > PITS && self.at.is_multiple_of(PITS) {
            self.weigh(self.at / PITS - 2);
            self.replies = [Reply::default(); PITS];
        }
    }

    /// All replies to an own pit are known.
    fn weigh(&mut self, own: usize) {
        let replies = self.replies.iter().filter_map(|reply| Some((reply.at_first_sight, reply.value?)));
        let Some((pit, value)) = Pit::ALL.get(own).zip(self.values.get(own).copied().flatten()) else { return };
        let Some((likely, least)) = replies.clone().reduce(|(a, b), (c, d)| (a.min(c), b.min(d))) else { return };
        let (mut lost, mut weights) = (0, 0);
        for (at_first_sight, value) in replies {
            let weight = (BLIND - (at_first_sight - likely)).max(0);
            lost += weight * (value - least).min(LARGEST);
            weights += weight;
        }
        // The one that looks best has a weight of its own, so that there is something to divide by.
        let score = value.min(self.value_of_best().unwrap_or(value)) + lost / (SHARE * weights.max(1));
        if score > self.score || (score == self.score && *pit == self.best) {
            self.score = score;
            self.chosen = *pit;
        }
    }
}

/// The position after a pit, if that can be played.
fn after(state: &State, pit: Pit) -> Option<State> {
    (!state.is_over() && state.is_legal(pit)).then(|| state.play(pit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pit(number: u8) -> Pit {
        Pit::new(number).unwrap()
    }

    /// Lets every position be worth what `value` says, for the player whose decision it is, by the own pit and the reply.
    /// At first sight all replies look the same.
    fn decide(root: State, best: Pit, value: impl Fn(Pit, Option<Pit>) -> Value) -> (Pit, usize) {
        let mut lure = Lure::new(root, best).unwrap();
        let mut asked = 0;
        while let Some((position, after_reply)) = lure.next() {
            let made = root.legal().find_map(|own| {
                let child = root.play(own);
                if !after_reply {
                    return (child == position).then_some((own, None));
                }
                child.legal().find(|&reply| child.play(reply) == position).map(|reply| (own, Some(reply)))
            });
            let (own, reply) = made.expect("a position one or two plies away");
            lure.glance(0);
            lure.take(value(own, reply));
            asked += 1;
        }
        (lure.chosen(), asked)
    }

    /// Nobody has an extra turn, and no two ways lead to one position.
    fn quiet() -> State {
        State::new(Player::J2, [[6, 3, 5, 1, 2, 7, 1], [5, 2, 1, 4, 6, 3, 2]]).unwrap()
    }

    #[test]
    fn among_equals_the_pit_is_chosen_after_which_most_is_lost() {
        let traps = |own: Pit, reply: Option<Pit>| match (own.number(), reply.map(Pit::number)) {
            // After pit 4 one reply keeps what the others give away.
            (4, Some(1)) | (_, None) => -100,
            (4, Some(_)) => 0,
            _ => -100,
        };
        let turns = quiet().legal().filter(|&pit| quiet().play(pit).turn() != quiet().turn()).count();
        assert!(turns > 2 && quiet().play(pit(4)).turn() == Player::J1 && quiet().play(pit(2)).turn() == Player::J1);
        assert_eq!(decide(quiet(), pit(2), traps).0, pit(4));
        assert_eq!(decide(quiet(), pit(2), |_, _| -100).0, pit(2), "without a difference it stays with the best");
    }

    #[test]
    fn a_pit_that_gives_too_much_is_not_chosen_and_its_replies_are_not_asked_for() {
        let value = |own: Pit, reply: Option<Pit>| match (own.number(), reply) {
            (4, None) => -100 - GIVEN - 1,
            (4, Some(_)) => 1_000,
            _ => -100,
        };
        let (chosen, asked) = decide(quiet(), pit(2), value);
        assert_eq!(chosen, pit(2));
        let (_, with_all) = decide(quiet(), pit(2), |_, _| -100);
        assert_eq!(with_all - asked, quiet().play(pit(4)).legal().count());
    }

    #[test]
    fn a_reply_that_looks_bad_at_first_sight_does_not_count() {
        let mut lure = Lure::new(quiet(), pit(2)).unwrap();
        while let Some((_, after_reply)) = lure.next() {
            let own = if after_reply { Pit::ALL[lure.at / PITS - 1] } else { pit(1) };
            let mistake = own == pit(4) && !lure.at.is_multiple_of(PITS);
            lure.glance(if mistake { BLIND } else { 0 });
            lure.take(if mistake { 0 } else { -100 });
        }
        assert_eq!(lure.chosen(), pit(2));
    }

    #[test]
    fn an_extra_turn_is_taken_without_weighing() {
        assert!(Lure::new(State::start(), pit(4)).is_none());
        assert!(Lure::new(State::start(), pit(1)).is_some());
    }
}
