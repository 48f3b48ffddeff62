//! What may be done: the legal actions, in the original program's order.
//!
//! A position is looked at once ([`Scene`]), then each piece of the player to act once ([`Mover`]): how far it can walk
//! until something stops it. After that a die and a piece take a few comparisons.

use heapless::Vec;

use super::geometry::{self, CELLS, ENTRY, GOAL, HOME, RING, START, ahead, cell, next_cell, passed, progress, walk};
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

/// Bits of [`Scene::land`]: the number of pieces, whether one is mega, the number of stars.
const COUNT: u8 = 0x0F;
const MEGA: u8 = 0x10;
const STAR: u8 = 0x20;
const TWO_STARS: u8 = 0x40;

/// A coloured thing on a ring square.
#[derive(Clone, Copy)]
struct Spot {
    colour: u8,
    square: u8,
}

/// What the whole board has in common for the pieces that may move.
struct Scene {
    /// What stands on each cell.
    land: [u8; CELLS + 3],
    /// Walls: at most one a colour.
    walls: Vec<Spot, 4>,
    /// Pieces that are a wall by themselves.
    mega_walls: Vec<Spot, PIECES>,
    stars: Vec<Spot, PIECES>,
    /// Pieces that stand on a wall of their own colour.
    on_wall: u16,
}

/// What a piece of the player to act can do.
#[derive(Clone, Copy)]
struct Mover {
    piece: u8,
    colour: u8,
    cell: u8,
    progress: u8,
    condition: Condition,
    /// A walk of this many squares or more is blocked.
    blocked: u8,
    /// The nearest trap.
    trap: u8,
    /// The nearest star of another colour.
    star: u8,
    /// Such a star is somewhere on the ring.
    any_star: bool,
    /// Nobody of its colour is at home.
    all_out: bool,
    /// A piece before it is the same in every respect.
    twin: bool,
}

/// Further than any walk.
const NEVER: u8 = RING;

impl Scene {
    #[inline]
    fn of(state: &State) -> Self {
        let mut scene =
            Self { land: [0; CELLS + 3], walls: Vec::new(), mega_walls: Vec::new(), stars: Vec::new(), on_wall: 0 };
        for &cell in &state.cells {
            scene.land[usize::from(cell)] += 1;
        }
        if state.modes != [0; PIECES] {
            scene.add_conditions(state);
        }
        for colour in 0..4 {
            let first = usize::from(colour) * 3;
            let [a, b, c] = [state.cells[first], state.cells[first + 1], state.cells[first + 2]];
            if a == b || a == c || b == c {
                scene.add_wall(state, colour);
            }
        }
        scene
    }

    #[cold]
    fn add_conditions(&mut self, state: &State) {
        for piece in Piece::all() {
            let at = usize::from(piece.0);
            let spot = Spot { colour: piece.colour() as u8, square: state.cells[at] };
            match Condition::of(state.modes[at]) {
                Condition::Mega => {
                    self.land[usize::from(spot.square)] |= MEGA;
                    if geometry::is_ring(spot.square) && self.land[usize::from(spot.square)] == MEGA | 1 {
                        let _ = self.mega_walls.push(spot);
                    }
                }
                Condition::Star => {
                    self.land[usize::from(spot.square)] += STAR;
                    if geometry::is_ring(spot.square) {
                        let _ = self.stars.push(spot);
                    }
                }
                _ => {}
            }
        }
    }

    /// Exactly two pieces on a square, both of one colour, neither of them a ghost or small.
    #[inline(never)]
    fn add_wall(&mut self, state: &State, colour: u8) {
        let first = usize::from(colour) * 3;
        let goal = cell(colour, GOAL);
        for (a, b) in [(first, first + 1), (first, first + 2), (first + 1, first + 2)] {
            let square = state.cells[a];
            if square != state.cells[b] || square == HOME || square == goal {
                continue;
            }
            let solid = |at: usize| !matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Small);
            if self.land[usize::from(square)] & COUNT == 2 && solid(a) && solid(b) {
                self.on_wall |= 1 << a | 1 << b;
                if geometry::is_ring(square) {
                    let _ = self.walls.push(Spot { colour, square });
                }
            }
        }
    }

    #[inline]
    fn mover(&self, state: &State, piece: u8, all_out: bool) -> Mover {
        let colour = piece / 3;
        let from = state.cells[usize::from(piece)];
        let mut mover = Mover {
            piece,
            colour,
            cell: from,
            progress: progress(colour, from),
            condition: Condition::of(state.modes[usize::from(piece)]),
            blocked: NEVER,
            trap: NEVER,
            star: NEVER,
            any_star: false,
            all_out,
            twin: false,
        };
        if mover.progress == HOME || mover.progress >= ENTRY {
            // No path to look at: pieces at home, in the corridor and on its doorstep pass nothing. A bounce from the
            // doorstep behind itself is the exception.
            if mover.progress != ENTRY {
                return mover;
            }
        }
        let foreign = |spot: &&Spot| spot.colour != colour;
        if !matches!(mover.condition, Condition::Boo | Condition::Star | Condition::Mega) {
            for wall in self.walls.iter().filter(foreign) {
                mover.blocked = mover.blocked.min(ahead(from, wall.square));
            }
            for trap in state.traps() {
                mover.trap = mover.trap.min(ahead(from, trap));
            }
        }
        if mover.condition != Condition::Boo {
            for mega in self.mega_walls.iter().filter(foreign) {
                mover.blocked = mover.blocked.min(ahead(from, mega.square));
            }
            for star in self.stars.iter().filter(foreign) {
                mover.any_star = true;
                // From 68 the original program looks at "69" in place of 1.
                if from != RING || star.square != 1 {
                    mover.star = mover.star.min(ahead(from, star.square));
                }
            }
        }
        mover
    }

    /// A die below 100: where it leads, or `None` if the piece must not use it.
    #[inline]
    fn walk(&self, state: &State, mover: &Mover, die: Die) -> Option<Move> {
        let (to_progress, bounced, mut path) = match mover.progress {
            GOAL => return None,
            HOME if die == Die::FIVE => (START, false, 0),
            HOME => return None,
            from => {
                let column = if die == Die::SIX && mover.all_out { SEVEN } else { usize::from(die.0) & 7 };
                let (to, bounced) = walk(from, STEPS[mover.condition as usize][column]);
                (to, bounced, passed(from, to))
            }
        };
        if path >= mover.blocked {
            return None;
        }
        let mut to = cell(mover.colour, to_progress);
        let land = self.land[usize::from(to)];
        if land != 0 && to_progress != GOAL && to != mover.cell {
            let count = land & COUNT;
            let parts_two = mover.condition == Condition::Star && land & TWO_STARS == 0;
            if (count == 2 && !parts_two) || land & (COUNT | MEGA) == MEGA | 1 {
                return None;
            }
        }
        if mover.condition == Condition::Mega && !self.has_room_for_mega(state, mover.colour, to, die) {
            return None;
        }
        if die == Die::SIX && self.forces(mover.piece) {
            return None;
        }
        let mut kind = if bounced { BOUNCES } else { 0 };
        if !matches!(mover.condition, Condition::Star | Condition::Mega) {
            if mover.trap <= path {
                kind |= TRAPPED;
                path = mover.trap;
                to = (mover.cell + path - 1) % RING + 1;
            }
            if self.meets_star(mover, path) {
                kind |= KILLED;
                to = HOME;
            } else if self.land[usize::from(to)] != 0
                && mover.condition == Condition::Normal
                && kind & TRAPPED == 0
                && geometry::is_open(to)
            {
                let first = state.on(to).trailing_zeros() as u8;
                let boo = Condition::of(state.modes[usize::from(first) % PIECES]) == Condition::Boo;
                if first / 3 != mover.colour && !boo {
                    kind |= EATS;
                }
            }
        }
        Some(Move { die, piece: mover.piece, to, kind })
    }

    /// A star of another colour stands on the way. Leaving 68 by exactly one square the original program looks at the
    /// whole ring.
    #[inline]
    fn meets_star(&self, mover: &Mover, path: u8) -> bool {
        if self.stars.is_empty() {
            return false;
        }
        mover.star <= path || (mover.any_star && mover.cell == RING && path == 1)
    }

    /// With a six a wall must be broken: whether that forbids moving this piece.
    #[inline]
    fn forces(&self, piece: u8) -> bool {
        self.on_wall & OWNED[usize::from(OWNER[usize::from(piece) % PIECES])] != 0 && self.on_wall >> piece & 1 == 0
    }

    /// A special die: legal or not.
    fn may_use(&self, state: &State, mover: &Mover, special: Special) -> bool {
        use Special::{Banana, BlueShell, Bullet, Lightning, MegaMushroom, RedShell};
        match mover.progress {
            GOAL => return false,
            HOME if !matches!(special, Bullet | RedShell | BlueShell | Lightning) => return false,
            _ => {}
        }
        if special == Banana && !geometry::is_ring(mover.cell) {
            return false;
        }
        (mover.condition != Condition::Mega && special != MegaMushroom)
            || self.has_room_for_mega(state, mover.colour, mover.cell, Die::of(special))
    }

    /// What a mega piece asks of the square on which it ends and of the one before it.
    #[cold]
    fn has_room_for_mega(&self, state: &State, colour: u8, to: u8, die: Die) -> bool {
        let front = next_cell(colour, to);
        if geometry::is_ring(front) || progress(colour, front) < GOAL {
            if self.land[usize::from(front)] & (COUNT | MEGA) == MEGA | 1 {
                return false;
            }
        }
        let own: u16 = 0b111 << (3 * colour);
        let stars = state.being(Condition::Star);
        let here = if to == HOME { 0 } else { state.on(to) };
        if die == Die::of(Special::MegaMushroom) && here.count_ones() >= 2 {
            let first = here & here.wrapping_neg();
            let rest = here ^ first;
            let two = first | (rest & rest.wrapping_neg());
            let of_colour = (two & own).count_ones();
            if of_colour == 2 || (of_colour == 1 && two & !own & stars != 0) {
                return false;
            }
        } else if die.special().is_none() && here & (own | stars) != 0 {
            return false;
        }
        state.on(front) & (own | stars) == 0
    }
}

/// Pieces by player.
pub(super) const OWNED: [u16; 2] = [0b111_000_111_000, 0b000_111_000_111];
/// Player by piece.
const OWNER: [u8; PIECES] = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0];

/// The player's pieces in the order in which they are tried.
const TURNS: [[u8; 6]; 2] = [[9, 10, 11, 3, 4, 5], [0, 1, 2, 6, 7, 8]];

/// Calls `emit` with every legal action. `DISTINCT` leaves out those that lead to the same position as one before, but
/// for the numbers that pieces of a colour have.
#[inline]
pub(super) fn generate<const DISTINCT: bool>(state: &State, mut emit: impl FnMut(Move)) {
    if state.is_over() {
        return;
    }
    let player = state.turn();
    let scene = Scene::of(state);
    let movers = movers(state, &scene, player);
    let mut dice = [0; 7];
    let mut count = 0;
    let mut add = |die: u8| {
        dice[count] = die;
        count += 1;
    };
    if let Some(die) = state.forced() {
        add(die.0);
    } else {
        let [first, second] = state.dice[player as usize].hand;
        for number in [second, first] {
            if let Some(special) = Special::new(number) {
                add(Die::of(special).0);
            }
        }
        for die in (0..5).rev() {
            if state.dice[player as usize].normal >> die & 1 != 0 {
                add(die);
            }
        }
    }
    for (at, &die) in dice[..count].iter().enumerate() {
        let die = Die(die);
        if DISTINCT && at == 1 && dice[0] == die.0 {
            continue;
        }
        let mut any = false;
        if let Some(special) = die.special() {
            // What these two do depends on the colour alone.
            let by_colour = matches!(special, Special::BlueShell | Special::Lightning);
            let mut done = u8::MAX;
            for mover in &movers {
                if DISTINCT && (mover.twin || (by_colour && mover.colour == done)) {
                    continue;
                }
                if scene.may_use(state, mover, special) {
                    any = true;
                    done = mover.colour;
                    emit(Move { die, piece: mover.piece, to: mover.cell, kind: 0 });
                }
            }
        } else {
            for mover in &movers {
                if DISTINCT && mover.twin {
                    continue;
                }
                if let Some(mv) = scene.walk(state, mover, die) {
                    any = true;
                    emit(mv);
                }
            }
        }
        if !any {
            emit(Move { die, piece: SKIP, to: HOME, kind: 0 });
        }
    }
}

#[inline]
fn movers(state: &State, scene: &Scene, player: Player) -> [Mover; 6] {
    let order = TURNS[player as usize];
    let out = |first: u8| {
        let first = usize::from(first);
        !state.cells[first..first + 3].contains(&HOME)
    };
    let all_out = [out(order[0]), out(order[3])];
    let mut movers = [0, 1, 2, 3, 4, 5].map(|at| scene.mover(state, order[at], all_out[at / 3]));
    for first in [0, 3] {
        let [a, b, c] = [first, first + 1, first + 2];
        let same = |x: usize, y: usize| {
            let (x, y) = (usize::from(order[x]), usize::from(order[y]));
            state.cells[x] == state.cells[y] && state.modes[x] == state.modes[y]
        };
        movers[b].twin = same(a, b);
        movers[c].twin = same(a, c) || same(b, c);
    }
    movers
}

impl State {
    /// The legal actions, in the original program's order, duplicates included. None when the game is over.
    pub fn legal(&self) -> Vec<Move, MOST_MOVES> {
        let mut list = Vec::new();
        generate::<false>(self, |mv| {
            let _ = list.push(mv);
        });
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
