//! What may be done: the legal actions, in the original program's order.
//!
//! A position is looked at once ([`Scene`]), then each piece of the player to act once ([`Mover`]): how far it can walk
//! until something stops it. After that a die and a piece take a few comparisons.

use heapless::Vec;

use super::geometry::{self, ENTRY, GOAL, HOME, RING, START, ahead, cell, next_cell, passed, progress, walk};
use super::state::{Colour, Condition, Die, PIECES, Piece, Player, Special, State};

/// The most actions of a position: five normal and two special dice with six pieces each.
pub const MOST_MOVES: usize = 42;

/// An action, as [`State::legal`] gives it: a die and a piece, and what will come of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) die: Die,
    /// The piece, or [`SKIP`].
    pub(super) piece: u8,
    /// The cell on which it ends; for a mega piece the one it aims at, for a special die the one it is on.
    pub(super) to: u8,
    /// The flags below.
    pub(super) kind: u8,
}

/// In place of a piece: nothing can be done with the die.
pub(super) const SKIP: u8 = PIECES as u8;
/// The walk bounces off the goal.
pub(super) const BOUNCES: u8 = 1;
/// The walk ends on a trap.
pub(super) const TRAPPED: u8 = 2;
/// The walk passes a star and ends at home.
pub(super) const KILLED: u8 = 4;
/// The first piece on the square is eaten.
pub(super) const EATS: u8 = 8;

impl Move {
    /// The die.
    pub const fn die(self) -> Die {
        self.die
    }

    /// The piece; `None` if the die is spent for nothing.
    pub const fn piece(self) -> Option<Piece> {
        if self.piece < SKIP { Some(Piece(self.piece)) } else { None }
    }

    /// Whether the die would carry it past its goal.
    pub const fn bounces(self) -> bool {
        self.kind & BOUNCES != 0
    }

    /// Whether a piece is eaten.
    pub const fn eats(self) -> bool {
        self.kind & EATS != 0
    }
}

/// Steps by condition and die (1, 2, 4, 5, 6, 10, 20, and the six that counts seven).
const STEPS: [[u8; 8]; 8] = {
    let normal = [1, 2, 4, 5, 6, 10, 20, 7];
    let star = [3, 4, 6, 7, 8, 12, 22, 9];
    let small = [0, 1, 2, 2, 3, 5, 10, 3];
    [normal, star, normal, normal, small, [0; 8], normal, normal]
};
const SEVEN: usize = 7;

/// What the whole board has in common for the pieces that may move, as sets of pieces.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    /// One piece of every wall on the ring.
    walls: u16,
    /// Pieces on the ring that are a wall by themselves.
    mega_walls: u16,
    /// Stars on the ring.
    stars: u16,
    /// Pieces that stand on a wall of their own colour.
    on_wall: u16,
    /// Nothing on the ring can stop anybody: neither walls nor stars nor traps.
    is_clear: bool,
}

/// What a piece of the player to act can do.
#[derive(Clone, Copy)]
struct Mover {
    piece: u8,
    colour: u8,
    progress: u8,
    /// A walk of fewer steps meets nothing on its way; 0 for a piece that is not normal or not on its way.
    free: u8,
    /// Nobody of its colour is at home.
    all_out: bool,
    /// A piece before it is the same in every respect.
    twin: bool,
}

/// What can stop a piece on the ring, each as the number of squares until it is met.
#[derive(Clone, Copy)]
struct Ahead {
    /// A wall that it cannot pass.
    blocked: u8,
    trap: u8,
    /// A star of another colour.
    star: u8,
    /// Such a star is somewhere on the ring.
    any_star: bool,
}

/// Further than any walk.
const NEVER: u8 = RING;

impl Scene {
    #[inline]
    fn of(state: &State) -> Self {
        let (mut mega_walls, mut stars) = (0, 0);
        if !state.is_calm() {
            (mega_walls, stars) = Self::conditions(state);
        }
        let (mut walls, mut on_wall) = (0, 0);
        for first in [0, 3, 6, 9] {
            let [a, b, c] = [state.cells[first], state.cells[first + 1], state.cells[first + 2]];
            if a == b || a == c || b == c {
                let wall = Self::wall(state, first);
                on_wall |= wall;
                if wall != 0 && geometry::is_ring(state.cells[wall.trailing_zeros() as usize % PIECES]) {
                    walls |= wall & wall.wrapping_neg();
                }
            }
        }
        let is_clear = walls | mega_walls | stars == 0 && state.traps[0] == 0;
        Self { walls, mega_walls, stars, on_wall, is_clear }
    }

    /// Pieces on the ring that are a wall by themselves, and stars on the ring.
    #[inline(never)]
    fn conditions(state: &State) -> (u16, u16) {
        let (mut mega_walls, mut stars) = (0, 0);
        for at in 0..PIECES {
            let square = state.cells[at];
            match Condition::of(state.modes[at]) {
                Condition::Star if geometry::is_ring(square) => stars |= 1 << at,
                // Sharing its square with a ghost it bars nothing: a quirk of the original program.
                Condition::Mega if geometry::is_ring(square) && state.on(square).is_power_of_two() => {
                    mega_walls |= 1 << at;
                }
                _ => {}
            }
        }
        (mega_walls, stars)
    }

    /// The wall of the colour whose first piece this is: exactly two pieces on a square, both of one colour, neither
    /// of them a ghost or small.
    #[inline(never)]
    pub(super) fn wall(state: &State, first: usize) -> u16 {
        for (a, b) in [(first, first + 1), (first, first + 2), (first + 1, first + 2)] {
            let square = state.cells[a];
            if square != state.cells[b] || square == HOME || geometry::is_goal(square) {
                continue;
            }
            let solid = |at: usize| !matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Small);
            if state.on(square).count_ones() == 2 && solid(a) && solid(b) {
                return 1 << a | 1 << b;
            }
        }
        0
    }

    #[inline]
    fn mover(&self, state: &State, piece: u8, colour: u8, all_out: bool) -> Mover {
        let at = usize::from(piece);
        let progress = progress(colour, state.cells[at]);
        let mut mover = Mover { piece, colour, progress, free: 0, all_out, twin: false };
        if state.modes[at] & 7 == Condition::Normal as u8 && progress != HOME {
            mover.free = NEVER;
            if !self.is_clear && progress <= ENTRY {
                mover.free = self.free(state, state.cells[at], colour);
            }
        }
        mover
    }

    /// A walk of fewer steps than this meets nothing that can stop a normal piece.
    #[inline(never)]
    fn free(&self, state: &State, from: u8, colour: u8) -> u8 {
        let foreign = !(0b111_u16 << (3 * colour));
        let stars = self.stars & foreign;
        if stars != 0 && from == RING {
            return 0;
        }
        let mut free = NEVER;
        for square in squares(state, (self.walls | self.mega_walls) & foreign | stars) {
            free = free.min(ahead(from, square));
        }
        if state.traps[0] != 0 {
            free = state.traps().fold(free, |free, trap| free.min(ahead(from, trap)));
        }
        free
    }

    /// How far it is to what can stop a piece on the ring.
    #[inline(never)]
    fn ahead(&self, state: &State, mover: Mover) -> Ahead {
        let from = state.cells[usize::from(mover.piece)];
        let condition = Condition::of(state.modes[usize::from(mover.piece)]);
        let foreign = !(0b111_u16 << (3 * mover.colour));
        let mut found = Ahead { blocked: NEVER, trap: NEVER, star: NEVER, any_star: false };
        let mut blocking = 0;
        if !matches!(condition, Condition::Boo | Condition::Star | Condition::Mega) {
            blocking = self.walls;
            for trap in state.traps() {
                found.trap = found.trap.min(ahead(from, trap));
            }
        }
        if condition != Condition::Boo {
            blocking |= self.mega_walls;
            for square in squares(state, self.stars & foreign) {
                found.any_star = true;
                // From 68 the original program looks at "69" in place of 1.
                if from != RING || square != 1 {
                    found.star = found.star.min(ahead(from, square));
                }
            }
        }
        for square in squares(state, blocking & foreign) {
            found.blocked = found.blocked.min(ahead(from, square));
        }
        found
    }

    /// What a piece does with a die, or `None` if it must not use it.
    #[inline]
    fn action(&self, state: &State, mover: Mover, die: Die) -> Option<Move> {
        match die.special() {
            None => self.walk(state, mover, die),
            Some(special) => {
                let to = state.cells[usize::from(mover.piece)];
                Self::may_use(state, mover, special).then_some(Move { die, piece: mover.piece, to, kind: 0 })
            }
        }
    }

    /// A die below 100: where it leads.
    #[inline]
    fn walk(&self, state: &State, mover: Mover, die: Die) -> Option<Move> {
        // Nearly always: a normal piece with nothing on its way, to an empty square.
        let column = if die == Die::SIX && mover.all_out { SEVEN } else { usize::from(die.place()) & 7 };
        let steps = STEPS[Condition::Normal as usize][column];
        let reached = mover.progress + steps;
        if steps < mover.free && reached <= GOAL {
            let to = cell(mover.colour, reached);
            if reached == GOAL || state.is_empty(to) {
                if die == Die::SIX && self.forces(mover.piece) {
                    return None;
                }
                return Some(Move { die, piece: mover.piece, to, kind: 0 });
            }
        } else if mover.progress == HOME && die != Die::FIVE {
            return None;
        }
        self.walk_with_care(state, mover, die)
    }

    /// The same with everything that can happen.
    #[inline(never)]
    fn walk_with_care(&self, state: &State, mover: Mover, die: Die) -> Option<Move> {
        let from = state.cells[usize::from(mover.piece)];
        let condition = Condition::of(state.modes[usize::from(mover.piece)]);
        let (to_progress, bounced, mut path) = match mover.progress {
            HOME if die == Die::FIVE => (START, false, 0),
            GOAL | HOME => return None,
            progress => {
                let column = if die == Die::SIX && mover.all_out { SEVEN } else { usize::from(die.place()) & 7 };
                let (to, bounced) = walk(progress, STEPS[condition as usize][column]);
                (to, bounced, passed(progress, to))
            }
        };
        let ahead = if path == 0 || self.is_clear {
            Ahead { blocked: NEVER, trap: NEVER, star: NEVER, any_star: false }
        } else {
            self.ahead(state, mover)
        };
        if path >= ahead.blocked {
            return None;
        }
        let mut to = cell(mover.colour, to_progress);
        let mut there = if to_progress == GOAL { 0 } else { state.on(to) };
        if there != 0 && to != from && !Self::may_land(state, condition, there) {
            return None;
        }
        if condition == Condition::Mega && !Self::has_room_for_mega(state, mover.colour, to, die) {
            return None;
        }
        if die == Die::SIX && self.forces(mover.piece) {
            return None;
        }
        let mut kind = if bounced { BOUNCES } else { 0 };
        if !matches!(condition, Condition::Star | Condition::Mega) {
            if ahead.trap <= path {
                kind |= TRAPPED;
                path = ahead.trap;
                to = (from + path - 1) % RING + 1;
                there = 0;
            }
            // Leaving 68 by exactly one square the original program looks for stars on the whole ring.
            if ahead.star <= path || (ahead.any_star && from == RING && path == 1) {
                kind |= KILLED;
                to = HOME;
            } else if there != 0 && condition == Condition::Normal && geometry::is_open(to) {
                let first = there.trailing_zeros() as u8;
                let boo = Condition::of(state.modes[usize::from(first) % PIECES]) == Condition::Boo;
                if first / 3 != mover.colour && !boo {
                    kind |= EATS;
                }
            }
        }
        Some(Move { die, piece: mover.piece, to, kind })
    }

    /// Two pieces close a square, unless a star comes and one of the two is none; a mega piece closes it alone. Three
    /// or more close nothing, as in the original program.
    #[inline]
    fn may_land(state: &State, condition: Condition, there: u16) -> bool {
        match there.count_ones() {
            1 => Condition::of(state.modes[there.trailing_zeros() as usize % PIECES]) != Condition::Mega,
            2 => condition == Condition::Star && there & !state.being(Condition::Star) != 0,
            _ => true,
        }
    }

    /// With a six a wall must be broken: whether that forbids moving this piece.
    #[inline]
    fn forces(&self, piece: u8) -> bool {
        self.on_wall != 0
            && self.on_wall & OWNED[usize::from(OWNER[usize::from(piece)])] != 0
            && self.on_wall >> piece & 1 == 0
    }

    /// A special die: legal or not.
    fn may_use(state: &State, mover: Mover, special: Special) -> bool {
        use Special::{Banana, BlueShell, Bullet, Lightning, MegaMushroom, RedShell};
        match mover.progress {
            GOAL => return false,
            HOME if !matches!(special, Bullet | RedShell | BlueShell | Lightning) => return false,
            _ => {}
        }
        if special == Banana && mover.progress > ENTRY {
            return false;
        }
        let at = usize::from(mover.piece);
        (Condition::of(state.modes[at]) != Condition::Mega && special != MegaMushroom)
            || Self::has_room_for_mega(state, mover.colour, state.cells[at], Die::of(special))
    }

    /// What a mega piece asks of the square on which it ends and of the one before it. The goal is a square like any other
    /// here, so that a piece of its colour in the goal keeps it out: a quirk of the original program.
    #[inline(never)]
    fn has_room_for_mega(state: &State, colour: u8, to: u8, die: Die) -> bool {
        let front = next_cell(colour, to);
        let own: u16 = 0b111 << (3 * colour);
        let stars = state.being(Condition::Star);
        let ahead = state.on(front);
        let alone = ahead.is_power_of_two() && ahead & state.being(Condition::Mega) != 0;
        if ahead & (own | stars) != 0 || (alone && !geometry::is_goal(front)) {
            return false;
        }
        let here = if to == HOME { 0 } else { state.on(to) };
        if die == Die::of(Special::MegaMushroom) && here.count_ones() >= 2 {
            let first = here & here.wrapping_neg();
            let rest = here ^ first;
            let two = first | (rest & rest.wrapping_neg());
            let of_colour = (two & own).count_ones();
            of_colour == 0 || (of_colour == 1 && two & !own & stars == 0)
        } else {
            die.special().is_some() || here & (own | stars) == 0
        }
    }
}

/// Where the pieces of a set are.
#[inline]
fn squares(state: &State, mut set: u16) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let at = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        state.cells.get(at).copied()
    })
}

/// Pieces by player.
pub(super) const OWNED: [u16; 2] = [0b111_000_111_000, 0b000_111_000_111];
/// Player by piece.
const OWNER: [u8; PIECES] = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0];

/// The player's pieces in the order in which they are tried.
const TURNS: [[u8; 6]; 2] = [[9, 10, 11, 3, 4, 5], [0, 1, 2, 6, 7, 8]];

/// In which order the dice are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As the original program does: the special die that came last, the other one, then the normal dice from 6 down.
    Original,
    /// The normal dice first.
    NormalFirst,
}

/// Calls `emit` with every legal action until it says `true`. `DISTINCT` leaves out those that lead to the same position
/// as one before, but for the numbers that pieces of a colour have.
#[inline]
pub(super) fn generate<const DISTINCT: bool>(state: &State, order: Order, mut emit: impl FnMut(Move) -> bool) {
    if state.is_over() {
        return;
    }
    let player = state.turn();
    let scene = Scene::of(state);
    let movers = movers(state, &scene, player);
    let (dice, count) = usable_dice::<DISTINCT>(state, player, order);
    for &place in &dice[..count] {
        let die = Die::at(place);
        let mut any = false;
        // What these two do depends on the colour alone.
        let by_colour = matches!(die.special(), Some(Special::BlueShell | Special::Lightning));
        let mut done = u8::MAX;
        for mover in movers {
            if DISTINCT && (mover.twin || (by_colour && mover.colour == done)) {
                continue;
            }
            let Some(mv) = scene.action(state, mover, die) else { continue };
            any = true;
            done = mover.colour;
            if emit(mv) {
                return;
            }
        }
        if !any && emit(Move { die, piece: SKIP, to: HOME, kind: 0 }) {
            return;
        }
    }
}

/// The places of the dice that may be used, and how many there are.
#[inline]
fn usable_dice<const DISTINCT: bool>(state: &State, player: Player, order: Order) -> ([u8; 7], usize) {
    let mut dice = [0; 7];
    let mut count = 0;
    let mut add = |die: Die| {
        dice[count] = die.place();
        count += 1;
    };
    if let Some(die) = state.forced() {
        add(die);
        return (dice, count);
    }
    let held = state.dice[player as usize];
    let [first, second] = held.hand;
    let hand = [second, if DISTINCT && first == second { 0 } else { first }];
    if order == Order::Original {
        hand.into_iter().filter_map(Special::new).for_each(|special| add(Die::of(special)));
    }
    (0..5).rev().filter(|die| held.normal >> die & 1 != 0).for_each(|die| add(Die::at(die)));
    if order == Order::NormalFirst {
        hand.into_iter().filter_map(Special::new).for_each(|special| add(Die::of(special)));
    }
    (dice, count)
}

#[inline]
fn movers(state: &State, scene: &Scene, player: Player) -> [Mover; 6] {
    let order = &TURNS[player as usize];
    let mut movers = [Mover { piece: 0, colour: 0, progress: GOAL, free: 0, all_out: false, twin: false }; 6];
    for half in 0..2 {
        let first = usize::from(order[3 * half]);
        let [a, b, c] = [state.cells[first], state.cells[first + 1], state.cells[first + 2]];
        let all_out = a != HOME && b != HOME && c != HOME;
        for at in 3 * half..3 * half + 3 {
            movers[at] = scene.mover(state, order[at], order[3 * half] / 3, all_out);
        }
        if a == b || a == c || b == c {
            let mode = |id: usize| state.modes[first + id];
            movers[3 * half + 1].twin = a == b && mode(0) == mode(1);
            movers[3 * half + 2].twin = (a == c && mode(0) == mode(2)) || (b == c && mode(1) == mode(2));
        }
    }
    movers
}

impl State {
    /// The legal actions, in the original program's order, duplicates included. None when the game is over.
    pub fn legal(&self) -> Vec<Move, MOST_MOVES> {
        let mut list = Vec::new();
        generate::<false>(self, Order::Original, |mv| list.push(mv).is_err());
        list
    }

    /// The legal action with this die and this piece (`None`: skip), if there is one.
    pub fn find(&self, die: Die, piece: Option<Piece>) -> Option<Move> {
        self.legal().into_iter().find(|mv| mv.die() == die && mv.piece() == piece)
    }

    /// The bytes of an action on the line: die, colour, piece; 255 for a skip's piece.
    pub fn encode_move(&self, mv: Move) -> [u8; 3] {
        match mv.piece() {
            Some(piece) => [mv.die().code(), piece.colour() as u8, piece.id()],
            None => [mv.die().code(), self.turn().colours()[0] as u8, u8::MAX],
        }
    }

    /// The legal action that these bytes mean here, if they mean one.
    pub fn decode_move(&self, bytes: &[u8]) -> Option<Move> {
        let &[die, colour, id] = bytes else { return None };
        let colour = *Colour::ALL.get(usize::from(colour))?;
        let die = Die::from_code(die)?;
        if id == u8::MAX {
            return (colour == self.turn().colours()[0]).then(|| self.find(die, None)).flatten();
        }
        self.find(die, Some(Piece::new(colour, id)?))
    }

    /// Visits every position at exactly `depth` actions from here, duplicates included, and counts them: the
    /// fingerprint of a move generator.
    ///
    /// ```
    /// use rival_core::games::parchis::State;
    /// assert_eq!(State::start().perft(2, |_| {}), 864);
    /// ```
    pub fn perft(&self, depth: u8, mut visit: impl FnMut(&Self)) -> u64 {
        // One position and its untried actions for every ply: an explicit stack instead of a recursion.
        const DEEPEST: usize = 8;
        let depth = usize::from(depth).min(DEEPEST);
        let mut stack: Vec<(Self, Vec<Move, MOST_MOVES>), DEEPEST> = Vec::new();
        let mut state = *self;
        let mut leaves = 0;
        loop {
            if stack.len() == depth {
                leaves += 1;
                visit(&state);
            } else {
                let mut moves = state.legal();
                moves.reverse();
                let _ = stack.push((state, moves));
            }
            loop {
                let Some((parent, moves)) = stack.last_mut() else { return leaves };
                if let Some(mv) = moves.pop() {
                    state = parent.play(mv);
                    break;
                }
                stack.pop();
            }
        }
    }
}
