//! The worth of a position one action above the leaves: where most of a search's time goes.
//!
//! Most leaves differ from the position above them by one piece that has walked to an empty square. These are valued by
//! the difference, without being made. Everything else is made and evaluated.

use super::evaluation::{Aims, Parchis};
use super::geometry::{self, HOME, RING, progress};
use super::play::{BOO_LEFT, BULLET, MEGA_LEFT, MUSHROOM, STAR_LEFT};
use super::rules::{JOINS, Move, OWNED, Order, QUIET, SKIP, Scene, generate_in};
use super::state::{Dice, Die, SIX, Special, State, TURN};
use super::threats::{Field, Squares, eaten, is_hunted};
use super::weights::{HELD, Tables};
use crate::search::alphabeta::{Frontier, Game, Value};

/// Actions are tried as they are found, the normal dice first: one of the first is nearly always enough. What is
/// threatened costs as much to find out as everything else, so it is left out where it cannot matter.
#[inline]
pub(super) fn best(game: Parchis<'_>, tables: &Tables, state: &State, alpha: Value, beta: Value) -> Frontier {
    let mut found = Frontier::NOTHING;
    // What does not reach this need not be known exactly.
    let mut best = alpha;
    let scene = Scene::of(state);
    let mut quiet = Quiet::of(tables, state, &scene);
    generate_in::<true>(state, &scene, Order::NormalFirst, |mv| {
        let (value, over) = value(game, &mut quiet, state, mv, best, beta);
        best = best.max(value);
        found.add(value, over, beta)
    });
    found
}

/// The value of an action for the player who does it, or a bound that says which side of `best` or `beta` it is on; and
/// whether the game is over after it.
#[inline]
fn value(game: Parchis<'_>, quiet: &mut Quiet<'_>, state: &State, mv: Move, best: Value, beta: Value) -> (Value, bool) {
    if mv.kind & QUIET != 0
        && let Some(value) = quiet.value(mv, best, beta)
    {
        return (value, false);
    }
    if mv.die.is_special()
        && let Some(value) = quiet.special(mv, best, beta)
    {
        return (value, false);
    }
    made(game, quiet.tables, state, mv, best, beta)
}

/// The same by making the leaf.
#[inline(never)]
fn made(game: Parchis<'_>, tables: &Tables, state: &State, mv: Move, best: Value, beta: Value) -> (Value, bool) {
    let child = state.play(mv);
    let sign = if (child.flags ^ state.flags) & TURN == 0 { 1 } else { -1 };
    if let Some(value) = game.terminal(&child) {
        return (sign * value, true);
    }
    let limit = Value::from(tables.limit);
    let value = sign * tables.evaluate_board(&child);
    let value = if value - limit >= beta {
        value - limit
    } else if value + limit <= best {
        value + limit
    } else {
        let (little, enough) = if sign > 0 { (best - value, beta - value) } else { (value - beta, value - best) };
        value + sign * tables.evaluate_threats(&child, little, enough)
    };
    (value, false)
}

/// What the leaves that differ by a walk have in common, from the view of the player who walks.
struct Quiet<'a> {
    tables: &'a Tables,
    player: usize,
    /// There may be walls on the ring.
    has_walls: bool,
    /// The position as an action leaves it, but for the walk itself: conditions have run down.
    after: State,
    board: Option<Board>,
    danger: Danger,
}

/// What the position is worth without threats.
struct Board {
    /// What the pieces of each colour are worth.
    colours: [u32; 4],
    /// Everything that a walk does not change.
    standing: Value,
    /// The square of every wall of the opponent on the ring, 0 where there is none.
    walls: [u8; 2],
}

/// What is threatened before the walk.
struct Danger {
    /// What can be at stake at all is known; and what is.
    is_bounded: bool,
    is_known: bool,
    field: Field,
    /// Squares to which the opponent's normal dice lead.
    reached: Squares,
    /// Progress of the player's pieces there that can be eaten.
    exposed: i32,
    /// Progress of either player's pieces on squares where they can be eaten at all.
    open: [i32; 2],
    aims: Aims,
}

impl<'a> Quiet<'a> {
    #[inline]
    fn of(tables: &'a Tables, state: &State, scene: &Scene) -> Self {
        let danger = Danger {
            is_bounded: false,
            is_known: false,
            field: Field::NONE,
            reached: Squares::NONE,
            exposed: 0,
            open: [0; 2],
            aims: Aims::NONE,
        };
        let player = usize::from(state.flags & TURN != 0);
        let mut after = *state;
        after.run_down();
        Self { tables, player, has_walls: !scene.is_without_walls(state), after, board: None, danger }
    }

    /// The value of a walk, or a bound that says which side of `best` or `beta` it is on. `None` if it is not as simple
    /// as it seems.
    #[inline(never)]
    fn value(&mut self, mv: Move, best: Value, beta: Value) -> Option<Value> {
        let (tables, player) = (self.tables, self.player & 1);
        let after = &self.after;
        let at = usize::from(mv.piece);
        let from = *after.cells.get(at)?;
        let held = after.dice[player];
        let (mut six, mut dice, mut spent) = (mv.die == Die::SIX, held.normal, 0);
        if mv.die.place() <= Die::SIX.place() {
            dice &= !(1 << mv.die.place());
            if dice == 0 {
                dice = Dice::ALL_NORMAL;
            }
        } else if mv.die.is_special() {
            spent = Value::from(tables.hand[usize::from(mv.die.place() - Die::TWENTY.place()) & 15]);
        } else {
            six = after.flags & SIX != 0;
        }
        let board = self.board.get_or_insert_with(|| Board::of(tables, after, player, self.has_walls));
        let colour = at / 3;
        let values = &tables.pieces[colour];
        let walked = board.colours[colour] - values[usize::from(from & 127)] + values[usize::from(mv.to & 127)];
        let rest = board.colours[colour ^ 2];
        // The main colour leads where they are level.
        let [main, second] = if matches!(colour, 0 | 3) { [walked, rest] } else { [rest, walked] };
        let mut value = board.standing + Tables::side(main, second) - spent;
        value += Value::from(tables.dice[usize::from(dice & 31)]);
        value += if six { Value::from(tables.tempo) + Value::from(tables.six) } else { -Value::from(tables.tempo) };
        let mut keeps = false;
        if mv.kind & JOINS != 0 || (from <= RING && !after.is_alone(from)) {
            if from == HOME && after.modes.get(at).is_none_or(|mode| mode & 7 != 0) {
                // It does not count as small before it leaves.
                return None;
            }
            value += rewalled(tables, after, self.has_walls, player, at, mv.to);
            keeps = from != HOME && after.on(from) & OWNED[player] & !(1 << at) != 0;
        } else if u16::from_le_bytes(board.walls) != 0 {
            value -= Value::from(tables.barrier[1]) * (board.holds(mv.to) - board.holds(from));
        }
        let item = geometry::item_bit(mv.to) & after.items;
        let mut aims = true;
        if item != 0 && (held.has_room() || mv.die.is_special()) {
            let special = geometry::item_kind(item) as usize & 15;
            value += Value::from(tables.hand[special]);
            // A new die that aims at somebody, or a horn that stops shells.
            aims = tables.aimed[special] == 0 && special != Special::Horn as usize;
        }
        let limit = Value::from(tables.limit);
        if value - limit >= beta {
            Some(value - limit)
        } else if value + limit <= best {
            Some(value + limit)
        } else if aims {
            let walk = Walk { at, from, to: mv.to, dice, six, keeps };
            Some(value + tables.limited(self.threats(&walk, best - value, beta - value)))
        } else {
            None
        }
    }

    /// The same for a special die that moves nobody, or one piece alone. `None` if more comes of it.
    #[inline(never)]
    fn special(&mut self, mv: Move, best: Value, beta: Value) -> Option<Value> {
        let special = mv.die.special()?;
        let (tables, player) = (self.tables, self.player & 1);
        let after = &self.after;
        let at = usize::from(mv.piece);
        let mut spent = Value::from(tables.hand[special as usize & 15]);
        let mut mode = None;
        let mut stolen = None;
        if mv.piece != SKIP {
            match special {
                Special::Star => mode = Some(STAR_LEFT),
                Special::Boo => {
                    mode = Some(BOO_LEFT);
                    stolen = { after.dice[1 - player] }.drop_last();
                }
                Special::MegaMushroom => {
                    // Nobody is crushed, and nothing picked up.
                    let front = geometry::next_cell(mv.piece / 3, mv.to);
                    let items = geometry::item_bit(mv.to) | geometry::item_bit(front);
                    if items & after.items != 0 || !after.is_alone(mv.to) || !after.is_empty(front) {
                        return None;
                    }
                    mode = Some(MEGA_LEFT);
                }
                // Nothing that is estimated depends on traps.
                Special::Banana => {}
                Special::Horn if after.heard(at) == 0 && !self.has_walls => {}
                Special::Mushroom | Special::Bullet if after.modes.get(at) == Some(&0) && mv.to != HOME => {
                    let to = after.flight(at, if special == Special::Bullet { BULLET } else { MUSHROOM });
                    let walk = Move { to, kind: QUIET, ..mv };
                    return if geometry::is_goal(to) { None } else { self.value(walk, best, beta) };
                }
                _ => return None,
            }
        }
        let board = self.board.get_or_insert_with(|| Board::of(tables, after, player, self.has_walls));
        let [blue, red, green, yellow] = board.colours;
        let own = if player == 0 { Tables::side(yellow, red) } else { Tables::side(blue, green) };
        // The leaf as far as threats are concerned.
        let mut leaf = *after;
        leaf.flags ^= TURN;
        leaf.dice[player].drop_first(special);
        if let Some(stolen) = stolen {
            leaf.dice[1 - player].drop_last();
            leaf.dice[player].take(stolen);
            spent -= 2 * Value::from(tables.hand[stolen as usize & 15]);
        }
        let mut value = board.standing + own - spent - Value::from(tables.tempo);
        value += Value::from(tables.dice[usize::from(after.dice[player].normal & 31)]);
        if let Some(mode) = mode
            && let Some(slot) = leaf.modes.get_mut(at)
        {
            let before = *slot;
            *slot = mode;
            value += Value::from(tables.conditions[usize::from(mode & 127)]);
            value -= Value::from(tables.conditions[usize::from(before & 127)]);
            if mode == BOO_LEFT || before != 0 {
                // Ghosts and small pieces are no part of a wall.
                let change = tables.walls(&leaf) - if self.has_walls { tables.walls(after) } else { 0 };
                value += if player == 0 { change } else { -change };
            }
        }
        let limit = Value::from(tables.limit);
        Some(if value - limit >= beta {
            value - limit
        } else if value + limit <= best {
            value + limit
        } else {
            value - tables.evaluate_threats(&leaf, value - beta, value - best)
        })
    }

    /// What threats count for after a walk. Where that is at most `little` or at least `enough`, something between it
    /// and that bound is enough.
    #[inline(never)]
    fn threats(&mut self, walk: &Walk, little: Value, enough: Value) -> Value {
        let (tables, player) = (self.tables, self.player & 1);
        let other = 1 - player;
        let &Walk { at, from, to, dice, six, keeps } = walk;
        let colour = at as u8 / 3;
        // In sixteenths, from the player's view, but rounded down from the view of the player to act. A piece counts more
        // where its owner cannot move it at once.
        let [away, here] = tables.exposed.map(Value::from);
        let (weight, theirs, round) = if six { (here, -away, 0) } else { (away, -here, 15) };
        let after = &self.after;
        let danger = &mut self.danger;
        if !danger.is_known {
            if !danger.is_bounded {
                danger.bound(tables, after, player);
            }
            // Without a look at who is near whom.
            let own = weight * (danger.open[player] + i32::from(geometry::open_step(colour, from, to)));
            let open = theirs * danger.open[other];
            let least = (round + danger.aims.least + own.min(0) + open.min(0)) >> 4;
            if least >= enough {
                return least;
            }
            let most = (round + danger.aims.most + own.max(0) + open.max(0)) >> 4;
            if most <= little {
                return most;
            }
            danger.look(after, player);
        }
        let (start, end) = (Squares::at(from), Squares::at(to));
        let mut own = danger.exposed;
        if !danger.reached.and(start).is_none() && is_hunted(after, other, from) {
            own -= i32::from(progress(colour, from));
        }
        if !danger.reached.and(end).is_none() && is_hunted(after, other, to) {
            own += i32::from(progress(colour, to));
        }
        let mut sum = weight * own + round;
        let least = (sum + danger.aims.least + theirs.min(0) * danger.open[other]) >> 4;
        if least >= enough {
            return least;
        }
        let most = (sum + danger.aims.most + theirs.max(0) * danger.open[other]) >> 4;
        if most <= little {
            return most;
        }
        let mut field = danger.field;
        if !keeps {
            field.players[player] = field.players[player].without(start);
        }
        field.players[player] = field.players[player].or(end);
        let near = field.players[player].reached(dice).and(field.players[other]);
        if near.is_none() && danger.aims.is_empty() {
            return sum >> 4;
        }
        // The leaf as far as threats are concerned.
        let mut leaf = *after;
        if let Some(cell) = leaf.cells.get_mut(at) {
            *cell = to;
        }
        leaf.dice[player].normal = dice;
        if !near.is_none() {
            sum += theirs * eaten(&leaf, other, near);
        }
        danger.aims.add(sum, &field, &leaf, little, enough)
    }
}

/// A walk that is valued without being made.
struct Walk {
    at: usize,
    from: u8,
    to: u8,
    /// The player's normal dice after it.
    dice: u8,
    /// The player acts again.
    six: bool,
    /// Another of the player's pieces stays on its square.
    keeps: bool,
}

/// What a walk changes in the worth of walls, from the player's view.
#[inline(never)]
fn rewalled(tables: &Tables, after: &State, has_walls: bool, player: usize, at: usize, to: u8) -> Value {
    let mut leaf = *after;
    if let Some(cell) = leaf.cells.get_mut(at) {
        *cell = to;
    }
    let change = tables.walls(&leaf) - if has_walls { tables.walls(after) } else { 0 };
    if player == 0 { change } else { -change }
}

impl Board {
    #[inline(never)]
    fn of(tables: &Tables, after: &State, player: usize, has_walls: bool) -> Self {
        let colours = tables.colours(after);
        let [blue, red, green, yellow] = colours;
        let mut standing = tables.standing(after);
        let mut walls = [0; 2];
        if has_walls {
            standing += tables.walls(after);
            walls = [[0, 2], [1, 3]][player & 1].map(|colour| match after.ring_pair(colour) {
                0 => 0,
                _ if Scene::wall(after, 3 * colour) == 0 => 0,
                square => square,
            });
        }
        let theirs = if player == 0 {
            Tables::side(blue, green)
        } else {
            standing = -standing;
            Tables::side(yellow, red)
        };
        standing -= theirs + Value::from(tables.dice[usize::from(after.dice[1 - (player & 1)].normal & 31)]);
        Self { colours, standing, walls }
    }

    /// How many of the opponent's walls hold up a piece on this cell.
    #[inline(never)]
    fn holds(&self, cell: u8) -> Value {
        let held = |&&wall: &&u8| wall != 0 && geometry::is_close_behind(cell, wall, HELD);
        self.walls.iter().filter(held).count() as Value
    }
}

impl Danger {
    #[inline]
    fn bound(&mut self, tables: &Tables, after: &State, player: usize) {
        self.is_bounded = true;
        self.open = [0, 1].map(|player| geometry::open_progress(&after.cells, player));
        self.aims = tables.aims(after, player & 1);
    }

    #[inline(never)]
    fn look(&mut self, after: &State, player: usize) {
        let other = 1 - (player & 1);
        self.is_known = true;
        self.field = Field::of(after);
        self.reached = self.field.players[other].reached(after.dice[other].normal);
        let near = self.reached.and(self.field.players[1 - other]);
        self.exposed = if near.is_none() { 0 } else { eaten(after, player & 1, near) };
    }
}

#[cfg(test)]
mod tests;
