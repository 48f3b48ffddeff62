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
/// A normal or small piece walks, and nothing else comes of it: it neither meets anything on its way nor eats, and it does
/// not end in the goal.
pub(super) const QUIET: u8 = 16;
/// Somebody may be on the square on which it ends, or it comes from home.
pub(super) const JOINS: u8 = 32;

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
/// Steps of a six for a small piece.
const SMALL_SIX: u8 = STEPS[Condition::Small as usize][SEVEN];

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

/// What a piece of the player to act can do, in one word: from the lowest byte on the piece with its colour above it, its
/// progress, how far it is free, and the steps of a six.
#[derive(Clone, Copy)]
struct Mover(u32);

impl Mover {
    #[inline]
    const fn new(colour: u8, id: u8, progress: u8, free: u8, six: u8) -> Self {
        Self(u32::from_le_bytes([colour << 4 | (3 * colour + id), progress, free, six]))
    }

    #[inline]
    const fn piece(self) -> u8 {
        self.0 as u8 & 15
    }

    #[inline]
    const fn colour(self) -> u8 {
        self.0 as u8 >> 4
    }

    #[inline]
    const fn progress(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// A walk of fewer steps meets nothing on its way; 0 for a piece that is neither normal nor small, or not on its way.
    #[inline]
    const fn free(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Steps of a six: one more when nobody of its colour is at home, half of it for a small piece.
    #[inline]
    const fn six(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// Column of [`STEPS`] for a die.
    #[inline]
    fn column(self, die: Die) -> usize {
        if die == Die::SIX && self.six() == 7 { SEVEN } else { usize::from(die.place()) & 7 }
    }
}

/// The pieces of the player to act that are not in the goal.
struct Movers {
    list: [Mover; 6],
    count: usize,
    /// The player's second colour, as long as its pieces are not on the list.
    other: Option<Colour>,
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
    /// Whether there is no wall of two on the ring, and none can come about by conditions that run down.
    #[inline]
    pub(super) fn is_without_walls(&self, state: &State) -> bool {
        self.walls == 0 && state.is_calm()
    }

    #[inline]
    pub(super) fn of(state: &State) -> Self {
        let (mut mega_walls, mut stars) = (0, 0);
        if !state.is_calm() {
            (mega_walls, stars) = Self::conditions(state);
        }
        let (mut walls, mut on_wall) = (0, 0);
        for first in [0, 3, 6, 9] {
            let [a, b, c] = [state.cells[first], state.cells[first + 1], state.cells[first + 2]];
            // Two at home are no wall.
            if (a != HOME && (a == b || a == c)) || (b != HOME && b == c) {
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
        state.each_special(|at, square, mode| {
            match Condition::of(mode) {
                Condition::Star if geometry::is_ring(square) => stars |= 1 << at,
                // Sharing its square with a ghost it bars nothing: a quirk of the original program.
                Condition::Mega if geometry::is_ring(square) && state.is_alone(square) => mega_walls |= 1 << at,
                _ => {}
            }
        });
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

    /// A walk of fewer steps than this meets nothing that can stop a normal or a small piece.
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
        let from = state.cells[usize::from(mover.piece()) % PIECES];
        let condition = Condition::of(state.modes[usize::from(mover.piece()) % PIECES]);
        let foreign = !(0b111_u16 << (3 * mover.colour()));
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

    /// What a piece does with a special die, or `None` if it must not use it.
    #[inline]
    fn special(state: &State, mover: Mover, special: Special) -> Option<Move> {
        let to = state.cells[usize::from(mover.piece()) % PIECES];
        let mv = Move { die: Die::of(special), piece: mover.piece(), to, kind: 0 };
        Self::may_use(state, mover, special).then_some(mv)
    }

    /// A die below 100: where it leads. `steps` are those of a normal piece and of a small one.
    #[inline]
    fn walk(&self, state: &State, mover: Mover, die: Die, steps: [u8; 2]) -> Option<Move> {
        // Nearly always: a normal piece with nothing on its way, to an empty square. A small one does not eat, but there
        // is nobody.
        let steps = if die == Die::SIX { mover.six() } else { steps[usize::from(mover.six() == SMALL_SIX)] };
        let reached = mover.progress() + steps;
        if steps < mover.free() && reached < GOAL {
            let to = cell(mover.colour(), reached);
            if state.is_empty(to) {
                if die == Die::SIX && self.forces(mover.piece()) {
                    return None;
                }
                return Some(Move { die, piece: mover.piece(), to, kind: QUIET });
            }
            if steps != 0 {
                return self.join(state, mover, die, to);
            }
        } else if mover.progress() == HOME && die != Die::FIVE {
            return None;
        }
        self.walk_with_care(state, mover, die)
    }

    /// The same where nothing stops the piece but who is on the square.
    #[inline(never)]
    fn join(&self, state: &State, mover: Mover, die: Die, to: u8) -> Option<Move> {
        let there = state.on(to);
        if !Self::may_land(state, Condition::Normal, there) || (die == Die::SIX && self.forces(mover.piece())) {
            return None;
        }
        let eats = geometry::is_open(to) && mover.six() != SMALL_SIX && Self::is_edible(state, mover.colour(), there);
        Some(Move { die, piece: mover.piece(), to, kind: if eats { EATS } else { QUIET | JOINS } })
    }

    /// Whether the first piece on an open square can be eaten by this colour.
    #[inline]
    fn is_edible(state: &State, colour: u8, there: u16) -> bool {
        let first = there.trailing_zeros() as usize % PIECES;
        first as u8 / 3 != colour && Condition::of(state.modes[first]) != Condition::Boo
    }

    /// The same with everything that can happen.
    #[inline(never)]
    fn walk_with_care(&self, state: &State, mover: Mover, die: Die) -> Option<Move> {
        let from = state.cells[usize::from(mover.piece()) % PIECES];
        let condition = Condition::of(state.modes[usize::from(mover.piece()) % PIECES]);
        let (to_progress, bounced, mut path) = match mover.progress() {
            HOME if die == Die::FIVE => (START, false, 0),
            GOAL | HOME => return None,
            progress => {
                let (to, bounced) = walk(progress, STEPS[condition as usize][mover.column(die)]);
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
        let mut to = cell(mover.colour(), to_progress);
        let mut there = if to_progress == GOAL { 0 } else { state.on(to) };
        if there != 0 && to != from && !Self::may_land(state, condition, there) {
            return None;
        }
        if condition == Condition::Mega && !Self::has_room_for_mega(state, mover.colour(), to, die) {
            return None;
        }
        if die == Die::SIX && self.forces(mover.piece()) {
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
            } else if there != 0
                && condition == Condition::Normal
                && geometry::is_open(to)
                && Self::is_edible(state, mover.colour(), there)
            {
                kind |= EATS;
            }
        }
        if kind == 0 && to_progress != GOAL && matches!(condition, Condition::Normal | Condition::Small) {
            kind = QUIET | JOINS;
        }
        Some(Move { die, piece: mover.piece(), to, kind })
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
        match mover.progress() {
            GOAL => return false,
            HOME if !matches!(special, Bullet | RedShell | BlueShell | Lightning) => return false,
            _ => {}
        }
        if special == Banana && mover.progress() > ENTRY {
            return false;
        }
        let at = usize::from(mover.piece()) % PIECES;
        (Condition::of(state.modes[at]) != Condition::Mega && special != MegaMushroom)
            || Self::has_room_for_mega(state, mover.colour(), state.cells[at], Die::of(special))
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
pub(super) fn generate<const DISTINCT: bool>(state: &State, order: Order, emit: impl FnMut(Move) -> bool) {
    generate_in::<DISTINCT>(state, &Scene::of(state), order, emit);
}

/// The same where the scene is known.
#[inline]
pub(super) fn generate_in<const DISTINCT: bool>(
    state: &State,
    scene: &Scene,
    order: Order,
    mut emit: impl FnMut(Move) -> bool,
) {
    if state.is_over() {
        return;
    }
    let player = state.turn();
    let mut movers = Movers::of::<DISTINCT>(state, scene, player);
    let held = state.dice[player as usize & 1];
    let (mut dice, [first, second]) = match state.forced() {
        Some(die) => (1 << die.place(), [0; 2]),
        None => (u32::from(held.normal), held.hand),
    };
    let hand = [second, if DISTINCT && first == second { 0 } else { first }];
    if order == Order::Original {
        movers.complete::<DISTINCT>(state, scene);
        if second | first != 0 && specials::<DISTINCT>(state, &movers, hand, &mut emit) {
            return;
        }
    }
    while dice != 0 {
        let place = dice.ilog2();
        dice ^= 1 << place;
        let die = Die::at(place as u8);
        let steps =
            [Condition::Normal, Condition::Small].map(|condition| STEPS[condition as usize][place as usize & 7]);
        let mut any = false;
        let mut next = 0;
        loop {
            if next == movers.count {
                if order == Order::Original || movers.other.is_none() {
                    break;
                }
                movers.complete::<DISTINCT>(state, scene);
                continue;
            }
            let Some(&mover) = movers.list.get(next) else { break };
            next += 1;
            let Some(mv) = scene.walk(state, mover, die, steps) else { continue };
            any = true;
            if emit(mv) {
                return;
            }
        }
        if !any && emit(Move { die, piece: SKIP, to: HOME, kind: 0 }) {
            return;
        }
    }
    if order == Order::NormalFirst && second | first != 0 {
        specials::<DISTINCT>(state, &movers, hand, &mut emit);
    }
}

/// The part of [`generate`] for special dice. `true` if `emit` said so.
#[inline(never)]
fn specials<const DISTINCT: bool>(
    state: &State,
    movers: &Movers,
    hand: [u8; 2],
    emit: &mut impl FnMut(Move) -> bool,
) -> bool {
    for special in hand.into_iter().filter_map(Special::new) {
        let mut any = false;
        // What these two do depends on the colour alone.
        let by_colour = matches!(special, Special::BlueShell | Special::Lightning);
        let mut done = u8::MAX;
        for &mover in movers.list.iter().take(movers.count) {
            if DISTINCT && by_colour && mover.colour() == done {
                continue;
            }
            let Some(mv) = Scene::special(state, mover, special) else { continue };
            any = true;
            done = mover.colour();
            if emit(mv) {
                return true;
            }
        }
        if !any && emit(Move { die: Die::of(special), piece: SKIP, to: HOME, kind: 0 }) {
            return true;
        }
    }
    false
}

/// The player's pieces in the order in which they are tried, main colour first; skips count as the first piece.
const ORDINALS: [u8; 16] = [0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 0, 0, 0];

/// The row of a forced die among places.
const FORCED: u8 = 7;

/// A number below 62 by which an action of a position is known: the die's place, 5 and 6 for the special dice of the hand,
/// 7 for a forced one, times eight, and the piece's ordinal.
#[inline]
pub(super) fn place(state: &State, mv: Move) -> u8 {
    let piece = ORDINALS[usize::from(mv.piece & 15)];
    let die = mv.die.place();
    if die <= Die::SIX.place() {
        return die << 3 | piece;
    }
    match mv.die.special() {
        None => FORCED << 3 | piece,
        Some(special) => {
            let [_, second] = state.dice[state.turn() as usize & 1].hand;
            (5 + u8::from(second == special as u8)) << 3 | piece
        }
    }
}

/// The action with this number among those that lead to different positions, unless it is a skip.
#[inline(never)]
pub(super) fn recall(state: &State, place: u8) -> Option<Move> {
    let player = state.turn();
    let held = state.dice[player as usize & 1];
    let (row, ordinal) = (place >> 3, place & 7);
    if row > FORCED || ordinal > 5 {
        return None;
    }
    let [main, other] = player.colours();
    let (colour, id) = if ordinal < 3 { (main as u8, ordinal) } else { (other as u8, ordinal - 3) };
    let die = match state.forced() {
        Some(die) if row == FORCED => die,
        Some(_) => return None,
        None if row == FORCED => return None,
        None if row < 5 => {
            if held.normal >> row & 1 == 0 {
                return None;
            }
            Die::at(row)
        }
        None => {
            let [first, second] = held.hand;
            Die::of(Special::new(if row == 6 {
                second
            } else if first == second {
                0
            } else {
                first
            })?)
        }
    };
    let scene = Scene::of(state);
    let mut movers = Movers { list: [Mover(0); 6], count: 0, other: None };
    movers.add::<true>(state, &scene, colour);
    let piece = 3 * colour + id;
    let mut listed = movers.list.iter().take(movers.count);
    let mover = *listed.find(|mover| mover.piece() == piece)?;
    match die.special() {
        None => {
            let steps = [Condition::Normal, Condition::Small]
                .map(|condition| STEPS[condition as usize][usize::from(die.place()) & 7]);
            scene.walk(state, mover, die, steps)
        }
        Some(special) => {
            // What these two do depends on the colour alone: its first piece does it.
            let mut before = movers.list.iter().take_while(|mover| mover.piece() != piece);
            let by_colour = matches!(special, Special::BlueShell | Special::Lightning);
            if by_colour && before.any(|&mover| Scene::may_use(state, mover, special)) {
                return None;
            }
            Scene::special(state, mover, special)
        }
    }
}

impl Movers {
    /// In the order in which they are tried, the first colour alone for a start: often nobody asks for more. `DISTINCT`
    /// leaves out a piece that is the same in every respect as one before it.
    #[inline]
    fn of<const DISTINCT: bool>(state: &State, scene: &Scene, player: Player) -> Self {
        let [main, other] = player.colours();
        let mut movers = Self { list: [Mover(0); 6], count: 0, other: Some(other) };
        movers.add::<DISTINCT>(state, scene, main as u8);
        movers
    }

    /// Adds the second colour.
    #[inline]
    fn complete<const DISTINCT: bool>(&mut self, state: &State, scene: &Scene) {
        if let Some(other) = self.other.take() {
            self.add::<DISTINCT>(state, scene, other as u8);
        }
    }

    /// Adds the pieces of a colour.
    #[inline(never)]
    fn add<const DISTINCT: bool>(&mut self, state: &State, scene: &Scene, colour: u8) {
        let cells @ [first, second, third] = state.cells.as_chunks().0[usize::from(colour & 3)];
        let modes: [u8; 3] = state.modes.as_chunks().0[usize::from(colour & 3)];
        let twin = |one: usize, other: usize| cells[one] == cells[other] && modes[one] == modes[other];
        let twins = [false, twin(0, 1), twin(0, 2) || twin(1, 2)];
        let six = if first != HOME && second != HOME && third != HOME { 7 } else { 6 };
        for id in 0..3 {
            let progress = progress(colour, cells[id]);
            if progress == GOAL || (DISTINCT && twins[id]) {
                continue;
            }
            let (mut free, mut six) = (0, six);
            let is_small = modes[id] & 7 == Condition::Small as u8;
            if (is_small || modes[id] & 7 == Condition::Normal as u8) && progress != HOME {
                if is_small {
                    six = SMALL_SIX;
                }
                free = NEVER;
                if !scene.is_clear && progress <= ENTRY {
                    free = scene.free(state, cells[id], colour);
                }
            }
            if let Some(slot) = self.list.get_mut(self.count) {
                *slot = Mover::new(colour, id as u8, progress, free, six);
                self.count += 1;
            }
        }
    }
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
