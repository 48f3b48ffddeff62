//! What comes of an action.

use super::geometry::{self, GOAL, HOME, RING, START, cell, distance_to_goal, next_cell, passed, progress, walk};
use super::rules::{BOUNCES, EATS, KILLED, Move, SKIP, TRAPPED};
use super::state::{
    ARRIVED, BANANED, Colour, Condition, Dice, Die, EAT, OVER, OVERBOUNCE, PIECES, Piece, SIX, Special, State, TURN,
    WINNER,
};

/// Turns that the dice give. The action that gives them counts as the first.
const STAR_TURNS: u8 = 4;
const BOO_TURNS: u8 = 6;
const MEGA_TURNS: u8 = 4;
const SMALL_TURNS: u8 = 4;
const BANANED_TURNS: u8 = 2;

/// What a piece is after the action that made it so.
pub(super) const STAR_LEFT: u8 = Condition::Star.for_turns(STAR_TURNS - 1);
pub(super) const BOO_LEFT: u8 = Condition::Boo.for_turns(BOO_TURNS - 1);
pub(super) const MEGA_LEFT: u8 = Condition::Mega.for_turns(MEGA_TURNS - 1);

/// Steps of the dice that fly, at the least.
pub(super) const MUSHROOM: u8 = 8;
pub(super) const BULLET: u8 = 40;

/// The pieces of either player, a byte each.
const TURNING: [[u32; 3]; 2] = [[0xFF00_0000, 0x0000_FFFF, 0xFFFF_FF00], [0x00FF_FFFF, 0xFFFF_0000, 0x0000_00FF]];

/// Colours in the order in which shells look for their target.
const SHELL_ORDER: [Colour; 4] = [Colour::Yellow, Colour::Blue, Colour::Red, Colour::Green];

impl State {
    /// The position after an action of [`State::legal`].
    #[must_use]
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        let mut after = *self;
        if mv.die.is_special() {
            after.use_special(mv);
        } else {
            after.use_plain(self, mv);
        }
        after.end_action();
        after
    }

    /// The position after an illegal action: the player to act loses at once.
    #[must_use]
    pub fn forfeit(&self) -> Self {
        let mut after = *self;
        after.flags |= OVER;
        after.flags &= !WINNER;
        if self.flags & TURN == 0 {
            after.flags |= WINNER;
        }
        after
    }

    #[inline]
    fn player(&self) -> usize {
        usize::from(self.flags & TURN != 0)
    }

    /// A die below 100.
    #[inline]
    fn use_plain(&mut self, before: &Self, mv: Move) {
        let Move { die, piece, to, kind } = mv;
        // A six is remembered through the 10 and the 20 that may follow it.
        let six = die == Die::SIX || (before.flags & SIX != 0 && die.place() >= Die::TEN.place());
        let player = self.player();
        if die.place() <= Die::SIX.place() {
            let normal = &mut self.dice[player].normal;
            *normal &= !(1 << die.place());
            if *normal == 0 {
                *normal = Dice::ALL_NORMAL;
            }
        }
        self.flags &= !(EAT | ARRIVED | SIX);
        self.flags |= if six { SIX } else { 0 };
        // A skip does not clear the flag of a trap that was met before: a quirk of the original program.
        if piece == SKIP {
            return;
        }
        self.flags &= !BANANED;
        let colour = piece / 3;
        let at = usize::from(piece);
        let mut to = to;
        match Condition::of(self.modes[at]) {
            Condition::Star => self.sweep(at, to),
            Condition::Mega => to = self.crush(at, to, kind),
            _ => {
                if kind & TRAPPED != 0 {
                    self.spring_trap(before, at, mv);
                }
                self.cells[at] = to;
                // A walk that a trap ends before the goal still counts as a bounce: a quirk of the original program.
                if kind & BOUNCES != 0 && kind & KILLED == 0 {
                    self.count_bounce(colour);
                }
                if kind & EATS != 0 {
                    let first = before.on(to).trailing_zeros() as usize;
                    self.cells[first % PIECES] = HOME;
                    self.flags |= EAT;
                }
            }
        }
        if to == cell(colour, GOAL) {
            self.arrive(colour);
            if self.flags & OVER == 0 {
                self.flags |= ARRIVED;
            }
        } else {
            self.pick_up(to);
        }
    }

    /// The oldest trap on the square goes, the piece slips, and so does the extra turn of a six.
    #[cold]
    fn spring_trap(&mut self, before: &Self, at: usize, mv: Move) {
        // A piece that a star sends home on its way to the trap has still met the trap.
        let from = before.cells[at];
        let nearest = before.traps().min_by_key(|&trap| geometry::ahead(from, trap));
        let square = if mv.kind & KILLED != 0 { nearest.unwrap_or(mv.to) } else { mv.to };
        if let Some(first) = self.traps.iter().position(|&trap| trap == square) {
            self.traps.copy_within(first + 1.., first);
            if let Some(last) = self.traps.last_mut() {
                *last = 0;
            }
        }
        self.flags &= !SIX;
        self.flags |= BANANED;
        self.modes[at] = Condition::Bananed.for_turns(BANANED_TURNS);
    }

    /// A star walks: what it passes goes home. It does not eat, and, a quirk of the original program, its bounces are not
    /// counted, and one that ends behind its start sweeps nearly the whole ring.
    #[cold]
    fn sweep(&mut self, at: usize, to: u8) {
        let colour = at as u8 / 3;
        let from = self.cells[at];
        let path = passed(progress(colour, from), progress(colour, to));
        for other in (0..PIECES).filter(|&other| other / 3 != at / 3) {
            let square = self.cells[other];
            let immune = matches!(Condition::of(self.modes[other]), Condition::Boo | Condition::Star);
            if immune || !geometry::is_ring(square) || path == 0 {
                continue;
            }
            // From 68 the original program looks at "69" in place of 1, and goes all the way round to reach 1.
            let met = if from == RING {
                path == 1 || (square != 1 && geometry::ahead(from, square) <= path)
            } else {
                geometry::ahead(from, square) <= path
            };
            if met {
                self.cells[other] = HOME;
            }
        }
        self.cells[at] = to;
    }

    /// A mega piece walks: gives the cell on which it ends.
    #[cold]
    fn crush(&mut self, at: usize, to: u8, kind: u8) -> u8 {
        let colour = at as u8 / 3;
        let goal = cell(colour, GOAL);
        let mut to = to;
        let aimed = to;
        if next_cell(colour, to) == goal {
            to = goal;
        }
        if kind & BOUNCES != 0 {
            self.count_bounce(colour);
        }
        self.flatten(colour, aimed);
        // In the goal the square in front is ring square 1: a quirk of the original program.
        let front = next_cell(colour, to);
        self.flatten(colour, front);
        self.pick_up(to);
        self.pick_up(front);
        if to == goal {
            self.modes[at] &= !7;
        } else if self.modes[at] >> 3 == 1 {
            // Moved in its last turn it shrinks onto its front square.
            to = front;
        }
        self.cells[at] = to;
        to
    }

    /// Sends home the pieces of other colours on a cell, ghosts excepted.
    fn flatten(&mut self, colour: u8, square: u8) {
        let crushed = self.on(square) & !(0b111 << (3 * colour)) & !self.being(Condition::Boo);
        self.send_home(crushed);
    }

    /// Pieces that go home keep their condition and its turns: a quirk of the original program.
    fn send_home(&mut self, pieces: u16) {
        for (at, cell) in self.cells.iter_mut().enumerate() {
            if pieces >> at & 1 != 0 {
                *cell = HOME;
            }
        }
    }

    /// One more bounce; too many lose the game.
    #[inline]
    fn count_bounce(&mut self, colour: u8) {
        let count = &mut self.bounces[usize::from(colour & 3)];
        *count += 1;
        if *count > super::state::BOUNCES {
            self.flags |= OVER | OVERBOUNCE | if self.flags & TURN == 0 { WINNER } else { 0 };
        }
    }

    /// A piece has come into the goal: perhaps the last of its colour.
    #[inline]
    fn arrive(&mut self, colour: u8) {
        if self.flags & OVER == 0 && self.has_finished(colour) {
            self.flags |= OVER | if self.flags & TURN == 0 { 0 } else { WINNER };
        }
    }

    /// Takes the item on a cell, if there is one and the hand has room.
    #[inline]
    fn pick_up(&mut self, cell: u8) {
        let bit = geometry::item_bit(cell) & self.items;
        if bit != 0 {
            let player = self.player();
            let dice = &mut self.dice[player];
            if dice.has_room() {
                dice.take(geometry::item_kind(bit));
                self.items ^= bit;
            }
        }
    }

    /// A special die, or the waste of one.
    #[inline(never)]
    fn use_special(&mut self, mv: Move) {
        let Some(special) = mv.die.special() else { return };
        let player = self.player();
        self.dice[player].drop_first(special);
        // The flag of a trap that was met before stays: a quirk of the original program.
        self.flags &= !(EAT | ARRIVED | SIX);
        if mv.piece == SKIP {
            return;
        }
        let at = usize::from(mv.piece);
        let colour = mv.piece / 3;
        match special {
            Special::Star => self.modes[at] = Condition::Star.for_turns(STAR_TURNS),
            Special::Boo => {
                self.modes[at] = Condition::Boo.for_turns(BOO_TURNS);
                if let Some(stolen) = self.dice[1 - player].drop_last() {
                    self.dice[player].take(stolen);
                }
            }
            Special::Mushroom => self.fly(at, MUSHROOM),
            Special::Bullet => {
                self.modes[at] &= !7;
                if self.cells[at] == HOME {
                    self.cells[at] = cell(colour, START);
                }
                self.fly(at, BULLET);
            }
            Special::RedShell | Special::BlueShell => self.shoot(at, special),
            Special::MegaMushroom => {
                self.modes[at] = Condition::Mega.for_turns(MEGA_TURNS);
                let front = next_cell(colour, mv.to);
                self.flatten(colour, mv.to);
                self.flatten(colour, front);
                self.pick_up(mv.to);
                self.pick_up(front);
            }
            Special::Lightning => {
                for other in (0..PIECES).filter(|&other| other / 3 != at / 3) {
                    match Condition::of(self.modes[other]) {
                        Condition::Star | Condition::Boo => {}
                        Condition::Mega => self.modes[other] = Condition::Normal.for_turns(SMALL_TURNS),
                        _ => self.modes[other] = Condition::Small.for_turns(SMALL_TURNS),
                    }
                }
                self.dice[1 - player].drop_last();
            }
            Special::Horn => self.blow(at),
            Special::Banana => {
                if let Some(free) = self.traps.iter_mut().find(|trap| **trap == 0) {
                    *free = mv.to;
                }
            }
        }
    }

    /// Mushroom and bullet: over everything, to the first free square.
    fn fly(&mut self, at: usize, least: u8) {
        let to = self.flight(at, least);
        self.cells[at] = to;
        if geometry::is_goal(to) {
            self.arrive(at as u8 / 3);
        } else {
            self.pick_up(to);
        }
    }

    /// Where that leads.
    #[inline]
    pub(super) fn flight(&self, at: usize, least: u8) -> u8 {
        let colour = at as u8 / 3;
        let from = progress(colour, self.cells[at % PIECES]);
        let mut to = GOAL;
        if distance_to_goal(from) > least {
            // Twelve pieces cannot occupy more squares than that. An occupied goal makes it bounce, uncounted: a quirk of
            // the original program.
            for steps in least..=least + PIECES as u8 {
                to = walk(from, steps).0;
                if self.is_empty(cell(colour, to)) {
                    break;
                }
            }
        }
        cell(colour, to)
    }

    /// Red and blue shell. The target is chosen before anybody asks whether it is protected.
    fn shoot(&mut self, at: usize, special: Special) {
        let colour = at as u8 / 3;
        // Seen from home the start square is one step away. The original program makes distances from home that pass
        // square 68 too long by the start square's number: a quirk that never changes who is nearest.
        let from = match progress(colour, self.cells[at]) {
            HOME => START - 1,
            progress => progress,
        };
        // By piece: how far away it is; 0 if it is no target.
        let mut distances = [0; PIECES];
        let mut nearest = u8::MAX;
        for (other, distance) in distances.iter_mut().enumerate() {
            let square = self.cells[other];
            if other / 3 == at / 3 || Condition::of(self.modes[other]) == Condition::Boo {
                continue;
            }
            *distance = match special {
                Special::RedShell if geometry::is_ring(square) => progress(colour, square).saturating_sub(from),
                Special::RedShell => 0,
                _ => distance_to_goal(progress(other as u8 / 3, square)),
            };
            if *distance != 0 {
                nearest = nearest.min(*distance);
            }
        }
        for target in SHELL_ORDER.into_iter().flat_map(|colour| (0..3).filter_map(move |id| Piece::new(colour, id))) {
            if distances[usize::from(target.0) % PIECES] != nearest {
                continue;
            }
            let owner = target.colour().owner() as usize;
            if self.dice[owner].drop_first(Special::Horn) {
                continue;
            }
            // The blue shell does send mega pieces home, whatever the exercise's text says.
            let condition = Condition::of(self.modes[usize::from(target.0)]);
            let withstands =
                condition == Condition::Star || (condition == Condition::Mega && special == Special::RedShell);
            if !withstands {
                self.cells[usize::from(target.0)] = HOME;
            }
        }
    }

    /// The horn: what is within two squares, on its own way or on the other's, goes home.
    fn blow(&mut self, at: usize) {
        let hit = self.heard(at);
        self.send_home(hit);
    }

    /// The pieces that a horn sends home.
    pub(super) fn heard(&self, at: usize) -> u16 {
        let colour = at as u8 / 3;
        let from = self.cells[at % PIECES];
        if !geometry::is_ring(from) {
            return 0;
        }
        let mut hit = 0;
        for other in (0..PIECES).filter(|&other| other / 3 != at / 3) {
            let square = self.cells[other];
            let apart = square.abs_diff(from);
            if (apart > 2 && apart < RING - 2) || !geometry::is_ring(square) {
                continue;
            }
            let other_colour = other as u8 / 3;
            if matches!(Condition::of(self.modes[other]), Condition::Boo | Condition::Mega | Condition::Star) {
                continue;
            }
            let within = |colour: u8, behind: u8, front: u8| {
                progress(colour, front).checked_sub(progress(colour, behind)).is_some_and(|distance| distance <= 2)
            };
            if within(colour, from, square) || within(other_colour, square, from) {
                hit |= 1 << other;
            }
        }
        hit
    }

    /// The conditions of the player to act run down by one action.
    #[inline]
    pub(super) fn run_down(&mut self) {
        if !self.is_calm() {
            self.count_turns();
        }
    }

    #[inline(never)]
    fn count_turns(&mut self) {
        let own = &TURNING[self.player() & 1];
        for (modes, own) in self.modes.as_chunks_mut::<4>().0.iter_mut().zip(own) {
            let all = u32::from_le_bytes(*modes);
            // Four pieces at once. More than one turn left: a bit above the lowest of the turns is set.
            let lasting = ((all & own & 0x7070_7070) + 0x7F7F_7F7F) >> 7 & 0x0101_0101;
            let left = (all & (lasting * 0xFF)) - lasting * 8;
            *modes = (all & !own | left).to_le_bytes();
        }
    }

    /// Conditions run down, and the turn passes unless something keeps it.
    #[inline]
    fn end_action(&mut self) {
        self.run_down();
        if self.flags & BANANED != 0 || self.flags & (EAT | ARRIVED | SIX) == 0 {
            self.flags ^= TURN;
        }
    }
}
