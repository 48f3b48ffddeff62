//! What the opponent could do to a piece with the dice that it really has.
//!
//! The pieces of either player are bits of a ring, so that all squares that a die reaches are found at once. Single
//! pieces are looked at only where somebody stands on such a square.

use super::geometry::{ENTRY, ENTRY_SQUARE, GOAL, HOME, RING, is_open, is_ring, progress};
use super::rules::OWNED;
use super::state::{Condition, PIECES, Special, State};

/// Squares that a normal die reaches at the most: a six may be seven steps.
const REACH: u8 = 7;
/// Squares that a horn reaches, before and behind.
const HORN: u8 = 2;

/// A set of ring squares, a bit each. The first seven squares come again behind the last, so that what lies ahead of a
/// square is found without turning back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squares([u32; 3]);

/// By cell: the square as a set; none for a cell that is not on the ring. The fourth word makes the place quick to find.
static SQUARE: [[u32; 4]; 128] = {
    let mut table = [[0; 4]; 128];
    let mut square = 1;
    while square <= RING as usize {
        table[square][square / 32] |= 1 << (square % 32);
        if square <= REACH as usize {
            let again = square + RING as usize;
            table[square][again / 32] |= 1 << (again % 32);
        }
        square += 1;
    }
    table
};

/// The squares on which pieces can be eaten.
const OPEN: Squares = {
    let mut open = Squares::NONE;
    let mut square = 1;
    while square <= RING {
        if is_open(square) {
            let [a, b, c, _] = SQUARE[square as usize];
            open = Squares([open.0[0] | a, open.0[1] | b, open.0[2] | c]);
        }
        square += 1;
    }
    open
};

impl Squares {
    pub(super) const NONE: Self = Self([0; 3]);

    /// The squares of some pieces.
    #[inline]
    fn of<const N: usize>(state: &State, pieces: [usize; N]) -> Self {
        let mut set = [0; 3];
        for at in pieces {
            let [a, b, c, _] = SQUARE[usize::from(state.cells[at] & 127)];
            set = [set[0] | a, set[1] | b, set[2] | c];
        }
        Self(set)
    }

    /// The square of a cell, or none.
    #[inline]
    pub(super) fn at(cell: u8) -> Self {
        let [a, b, c, _] = SQUARE[usize::from(cell & 127)];
        Self([a, b, c])
    }

    /// The squares of six pieces.
    #[inline]
    fn six(cells: [u8; 6]) -> Self {
        let [one, two, three, four, five, six] = cells;
        let three = Self::at(one).or(Self::at(two)).or(Self::at(three));
        three.or(Self::at(four)).or(Self::at(five)).or(Self::at(six))
    }

    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        let ([low, middle, high], with) = (self.0, other.0);
        Self([low & with[0], middle & with[1], high & with[2]])
    }

    #[inline]
    pub(super) fn without(self, other: Self) -> Self {
        let ([low, middle, high], with) = (self.0, other.0);
        Self([low & !with[0], middle & !with[1], high & !with[2]])
    }

    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        let ([low, middle, high], with) = (self.0, other.0);
        Self([low | with[0], middle | with[1], high | with[2]])
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        let [a, b, c] = self.0;
        a | b | c == 0
    }

    /// The square of a set of one.
    #[inline]
    fn only(self) -> Option<u8> {
        let mut each = self.each();
        let first = each.next()?;
        if each.next().is_none() { Some(first) } else { None }
    }

    /// As many squares ahead, the ones that come again left as they are.
    #[inline]
    fn ahead<const STEPS: u32>(self) -> Self {
        let [a, b, c] = self.0;
        Self([a << STEPS, b << STEPS | a >> (32 - STEPS), c << STEPS | b >> (32 - STEPS)])
    }

    #[inline]
    fn behind<const STEPS: u32>(self) -> Self {
        let [a, b, c] = self.0;
        Self([a >> STEPS | b << (32 - STEPS), b >> STEPS | c << (32 - STEPS), c >> STEPS])
    }

    /// The same squares, each once: those that have come again only as what they came as are known by their own number.
    #[inline]
    fn folded(self) -> Self {
        let [a, b, c] = self.0;
        Self([a | (c & !LAST) >> (RING - 64), b, c & LAST])
    }

    /// Without those that come again.
    #[inline]
    fn once(self) -> Self {
        let [a, b, c] = self.0;
        Self([a, b, c & LAST])
    }

    /// Square by square, in the order of their numbers.
    #[inline]
    fn each(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let (word, bits) = left.iter_mut().enumerate().find(|(_, bits)| **bits != 0)?;
            let square = 32 * word as u8 + bits.trailing_zeros() as u8;
            *bits &= *bits - 1;
            Some(square)
        })
    }

    /// Squares to which pieces on these may come with a normal die and eat, their conditions aside.
    #[inline]
    pub(super) fn reached(self, dice: u8) -> Self {
        let hunters = self.once();
        let mut reached = Self::NONE;
        if dice & 1 != 0 {
            reached = reached.or(hunters.ahead::<1>());
        }
        if dice & 2 != 0 {
            reached = reached.or(hunters.ahead::<2>());
        }
        if dice & 4 != 0 {
            reached = reached.or(hunters.ahead::<4>());
        }
        if dice & 8 != 0 {
            reached = reached.or(hunters.ahead::<5>());
        }
        if dice & 16 != 0 {
            reached = reached.or(hunters.ahead::<6>()).or(hunters.ahead::<7>());
        }
        reached.and(OPEN)
    }

    /// The first square behind this one, or 0.
    #[inline]
    fn after(self, square: u8) -> u8 {
        let [a, b, c] = self.0;
        let beyond = (u32::MAX - 1) << (square & 31);
        let (a, b, c) = match square >> 5 {
            0 => (a & beyond, b, c),
            1 => (0, b & beyond, c),
            _ => (0, 0, c & beyond),
        };
        if a != 0 {
            a.trailing_zeros() as u8
        } else if b != 0 {
            32 + b.trailing_zeros() as u8
        } else if c != 0 {
            64 + c.trailing_zeros() as u8
        } else {
            0
        }
    }
}

/// In the third word, squares 64 to 68.
const LAST: u32 = 0b1_1111;

/// Player by piece.
const OWNER: [usize; PIECES] = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0];
/// The first pieces of a player's colours.
const COLOURS: [[usize; 2]; 2] = [[3, 9], [0, 6]];

/// Both players' squares.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) players: [Squares; 2],
}

impl Field {
    pub(super) const NONE: Self = Self { players: [Squares::NONE; 2] };

    #[inline]
    pub(super) fn of(state: &State) -> Self {
        let [first, second] = state.teams();
        Self { players: [Squares::six(first), Squares::six(second)] }
    }

    /// Progress of a player's pieces on squares that a normal die of the opponent reaches.
    #[inline]
    pub(super) fn exposed(&self, state: &State, owner: usize) -> i32 {
        let hunter = 1 - (owner & 1);
        let near = self.players[hunter].reached(state.dice[hunter].normal).and(self.players[owner & 1]);
        if near.is_none() { 0 } else { eaten(state, owner & 1, near) }
    }

    /// What a special die in the opponent's hand would send home: nothing, if it is not one that aims.
    #[inline(never)]
    pub(super) fn aimed(&self, state: &State, owner: usize, special: Special) -> i32 {
        match special {
            Special::BlueShell => leader(state, owner),
            Special::RedShell => self.next_ahead(state, owner),
            Special::Horn => self.within_two(state, owner),
            _ => 0,
        }
    }

    /// The most that the nearest piece ahead of one of the shooter's is worth.
    fn next_ahead(&self, state: &State, owner: usize) -> i32 {
        let victims = self.players[owner & 1].once();
        let ghosts = if state.is_calm() { 0 } else { state.being(Condition::Boo) };
        let mut most = 0;
        let [one, other] = COLOURS[1 - (owner & 1)];
        for (first, friend) in [(one, other), (other, one)] {
            let colour = first as u8 / 3;
            let entry = ENTRY_SQUARE[usize::from(colour & 3)];
            let mut targets = victims.or(Squares::of(state, [friend, friend + 1, friend + 2]).once());
            if ghosts != 0 {
                targets = solid(state, ghosts | 0b111 << first);
            }
            let mut before = HOME;
            for shooter in [first, first + 1, first + 2] {
                let mut from = state.cells[shooter];
                if from == HOME {
                    // Everything on the ring is ahead.
                    from = entry;
                } else if from == entry || from > RING {
                    continue;
                }
                if from == before {
                    continue;
                }
                before = from;
                let mut target = targets.after(from);
                if from < entry {
                    if target > entry {
                        continue;
                    }
                } else if target == 0 {
                    target = targets.after(0);
                    if target > entry {
                        continue;
                    }
                }
                // Nobody, or none of the owner's.
                if victims.and(Squares::at(target)).is_none() {
                    continue;
                }
                let hit = state.on(target) & !(0b111 << first) & !ghosts;
                let at = hit.trailing_zeros() as usize % PIECES;
                if OWNER[at] == owner && !matches!(Condition::of(state.modes[at]), Condition::Star | Condition::Mega) {
                    most = most.max(progress(at as u8 / 3, target));
                }
            }
        }
        i32::from(most)
    }

    /// The most that one horn would send home.
    fn within_two(&self, state: &State, owner: usize) -> i32 {
        let from = self.players[1 - (owner & 1)];
        let close = from.or(from.ahead::<1>().or(from.ahead::<2>())).or(from.behind::<1>().or(from.behind::<2>()));
        let near = close.and(self.players[owner & 1]).folded();
        if near.is_none() {
            0
        } else if let Some(square) = near.only() {
            worth(state, owner, square)
        } else {
            blown_away(state, owner, near)
        }
    }
}

/// By the set of normal dice: how far a hunter may go, a bit for every number of steps. A six may be six or seven.
const STEPS: [u8; 32] = {
    let mut table = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut die = 0;
        while die < 5 {
            if set >> die & 1 != 0 {
                table[set] |= [1 << 1, 1 << 2, 1 << 4, 1 << 5, 1 << 6 | 1 << 7][die];
            }
            die += 1;
        }
        set += 1;
    }
    table
};

/// Progress of the owner's pieces on the squares of `near` that one of the opponent's can eat.
#[inline(never)]
pub(super) fn eaten(state: &State, owner: usize, near: Squares) -> i32 {
    let mut sum = 0;
    for square in near.folded().each() {
        if !is_hunted(state, 1 - owner, square) {
            continue;
        }
        let mut there = state.on(square) & OWNED[owner];
        while there != 0 {
            let at = there.trailing_zeros() as usize % PIECES;
            there &= there - 1;
            if !matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Star | Condition::Mega) {
                sum += i32::from(progress(at as u8 / 3, square));
            }
        }
    }
    sum
}

/// Whether one of the hunter's pieces comes to a square with a normal die.
#[inline(never)]
pub(super) fn is_hunted(state: &State, hunter: usize, square: u8) -> bool {
    let far = u32::from(STEPS[usize::from(state.dice[hunter & 1].normal & 31)]);
    let [one, other] = state.teams();
    let (first, cells) = if hunter & 1 == 0 { (3, one) } else { (0, other) };
    for (id, from) in cells.into_iter().enumerate() {
        let steps = if square > from { square - from } else { (square + RING).wrapping_sub(from) };
        // Nobody comes further than seven squares, and nobody from home or from a corridor.
        if steps > REACH || far >> steps & 1 == 0 || !is_ring(from) {
            continue;
        }
        let at = if id < 3 { first + id } else { first + 3 + id };
        let all_out = match id {
            0..3 => cells[0] != HOME && cells[1] != HOME && cells[2] != HOME,
            _ => cells[3] != HOME && cells[4] != HOME && cells[5] != HOME,
        };
        if steps != if all_out { 6 } else { 7 }
            && state.modes[at % PIECES] & 7 == Condition::Normal as u8
            && progress(at as u8 / 3, from) + steps <= ENTRY
        {
            return true;
        }
    }
    false
}

/// The furthest of a colour's pieces on their way, by the colour's first piece.
#[inline]
fn furthest(state: &State, first: usize) -> u8 {
    let way = |at: usize| match progress(first as u8 / 3, state.cells[at]) {
        GOAL => 0,
        way => way,
    };
    way(first).max(way(first + 1)).max(way(first + 2))
}

/// The owner's piece nearest to its goal, unless a blue shell would rather hit one of the shooter's.
fn leader(state: &State, owner: usize) -> i32 {
    let [one, other] = COLOURS[1 - (owner & 1)];
    // The shooter spares the colour that it shoots with: the one that is ahead.
    let spared = furthest(state, one).min(furthest(state, other));
    let [one, other] = COLOURS[owner & 1];
    let best = furthest(state, one).max(furthest(state, other));
    if best > spared { i32::from(best) } else { 0 }
}

/// The squares of all pieces but these.
#[inline(never)]
fn solid(state: &State, without: u16) -> Squares {
    (0..PIECES)
        .filter(|at| without >> at & 1 == 0)
        .fold(Squares::NONE, |set, at| set.or(Squares::of(state, [at])))
        .once()
}

/// The most that one horn sends home of the owner's pieces on the squares of `near`, each of which is close to one of
/// the opponent's.
#[inline(never)]
fn blown_away(state: &State, owner: usize, near: Squares) -> i32 {
    let [first, second] = state.teams();
    let hunters = if owner & 1 == 0 { second } else { first };
    let mut sums = [0; 6];
    for square in near.each() {
        let worth = worth(state, owner, square);
        for (from, sum) in hunters.into_iter().zip(&mut sums) {
            if is_ring(from) && is_close(from, square) {
                *sum += worth;
            }
        }
    }
    sums.into_iter().fold(0, i32::max)
}

/// Whether two ring squares are as near as a horn is heard.
#[inline]
fn is_close(one: u8, other: u8) -> bool {
    let apart = one.abs_diff(other);
    apart <= HORN || apart >= RING - HORN
}

/// Progress of the owner's pieces on a square that a horn moves.
#[inline]
fn worth(state: &State, owner: usize, square: u8) -> i32 {
    let mut there = state.on(square) & OWNED[owner & 1];
    let mut sum = 0;
    while there != 0 {
        let at = there.trailing_zeros() as usize % PIECES;
        there &= there - 1;
        if !matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Mega | Condition::Star) {
            sum += i32::from(progress(at as u8 / 3, square));
        }
    }
    sum
}

#[cfg(test)]
mod tests;
