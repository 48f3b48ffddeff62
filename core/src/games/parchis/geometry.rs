//! The board: ring, corridors, homes and goals, as tables.
//!
//! Two ways to name a place:
//!
//! * a *cell* is a place on the board: 0 home (of any colour), 1 to 68 the ring, then for each colour its corridor 1
//!   to 7 and its goal. Two pieces meet exactly if their cells are equal and not 0;
//! * *progress* is how far a piece has come on its own colour's way: 0 home, 1 to 68 the ring from the square behind
//!   its entry on (it leaves home to 4), 68 the entry, 69 to 75 the corridor, 76 the goal. Walking is adding.

use super::state::{Colour, Special};

/// Squares of the ring.
pub const RING: u8 = 68;
/// The cell and the progress of a piece at home.
pub(super) const HOME: u8 = 0;
/// Progress of the square to which a piece leaves home, the same for every colour.
pub(super) const START: u8 = 4;
/// Progress of the last ring square before the corridor.
pub(super) const ENTRY: u8 = RING;
/// Progress of the goal.
pub(super) const GOAL: u8 = 76;
/// Steps to the goal that a piece at home is said to have.
const HOME_DISTANCE: u8 = 74;

/// Last ring square before the corridor, by colour.
pub(super) const ENTRY_SQUARE: [u8; 4] = [17, 34, 51, 68];

/// Where the special dice lie at the start, in the order of the original program's list.
pub const ITEMS: [(u8, Special); 24] = [
    (5, Special::Star),
    (6, Special::MegaMushroom),
    (22, Special::Star),
    (23, Special::MegaMushroom),
    (39, Special::Boo),
    (40, Special::Lightning),
    (56, Special::Boo),
    (57, Special::Lightning),
    (14, Special::Bullet),
    (15, Special::BlueShell),
    (31, Special::Bullet),
    (32, Special::BlueShell),
    (48, Special::RedShell),
    (49, Special::Horn),
    (65, Special::RedShell),
    (66, Special::Horn),
    (18, Special::Mushroom),
    (19, Special::Banana),
    (35, Special::Mushroom),
    (36, Special::Banana),
    (52, Special::Mushroom),
    (53, Special::Banana),
    (1, Special::Mushroom),
    (2, Special::Banana),
];

const SAFE_SQUARES: [u8; 12] = [4, 13, 17, 21, 30, 34, 38, 47, 51, 55, 64, 68];

/// Cell by colour and progress.
static CELL: [[u8; 128]; 4] = cells();
/// Progress by colour and cell; cells that the colour never enters give 0.
static PROGRESS: [[u8; 128]; 4] = progress_table();
/// What a cell is: its item in the low five bits (24 and more: none), and the flags below.
static NATURE: [u8; 128] = nature();
const NO_ITEM: u8 = 31;
const SAFE: u8 = 0x80;
const ON_RING: u8 = 0x40;
const IS_GOAL: u8 = 0x20;

const fn cells() -> [[u8; 128]; 4] {
    let mut table = [[0; 128]; 4];
    let mut colour = 0;
    while colour < 4 {
        let mut progress = 1;
        while progress <= GOAL {
            table[colour][progress as usize] = if progress > RING {
                progress + 8 * colour as u8
            } else {
                (progress + ENTRY_SQUARE[colour] - 1) % RING + 1
            };
            progress += 1;
        }
        colour += 1;
    }
    table
}

const fn progress_table() -> [[u8; 128]; 4] {
    let mut table = [[0; 128]; 4];
    let mut colour = 0;
    while colour < 4 {
        let mut progress = 1;
        while progress <= GOAL {
            table[colour][CELL[colour][progress as usize] as usize] = progress;
            progress += 1;
        }
        colour += 1;
    }
    table
}

const fn nature() -> [u8; 128] {
    let mut table = [NO_ITEM; 128];
    let mut square = 1;
    while square <= RING as usize {
        table[square] |= ON_RING;
        square += 1;
    }
    let mut colour = 0;
    while colour < 4 {
        table[CELL[colour][GOAL as usize] as usize] |= IS_GOAL;
        colour += 1;
    }
    let mut at = 0;
    while at < SAFE_SQUARES.len() {
        table[SAFE_SQUARES[at] as usize] |= SAFE;
        at += 1;
    }
    let mut item = 0;
    while item < ITEMS.len() {
        let square = ITEMS[item].0 as usize;
        table[square] = table[square] & !NO_ITEM | item as u8;
        item += 1;
    }
    table
}

/// The cell at which a colour has made this much progress.
#[inline]
pub(super) const fn cell(colour: u8, progress: u8) -> u8 {
    CELL[(colour & 3) as usize][(progress & 127) as usize]
}

/// How far along its way a piece of this colour is on this cell.
#[inline]
pub(super) const fn progress(colour: u8, cell: u8) -> u8 {
    PROGRESS[(colour & 3) as usize][(cell & 127) as usize]
}

/// Progress after walking `steps` from somewhere on the ring or in the corridor, and whether it bounced off the goal.
#[inline]
pub(super) const fn walk(progress: u8, steps: u8) -> (u8, bool) {
    let reached = progress + steps;
    if reached > GOAL { (2 * GOAL - reached, true) } else { (reached, false) }
}

/// How many ring squares a walk passes, the last one included. A walk that bounces back behind its own start passes
/// the whole ring, as in the original program.
#[inline]
pub(super) const fn passed(from: u8, to: u8) -> u8 {
    if from > ENTRY || from == HOME {
        0
    } else if to >= ENTRY {
        ENTRY - from
    } else if to >= from {
        to - from
    } else {
        to + RING - from
    }
}

/// Steps from one ring square forward to another, 1 to 68: a whole lap to itself, which no path ever reaches.
#[inline]
pub(super) const fn ahead(from: u8, to: u8) -> u8 {
    if to > from { to - from } else { to + RING - from }
}

/// Whether a cell is on the ring and so many squares or fewer behind a ring square.
#[inline]
pub(super) const fn is_close_behind(cell: u8, square: u8, most: u8) -> bool {
    is_ring(cell) && ahead(cell, square) <= most
}

/// The cell after this one on a colour's way. After the goal comes ring square 1, whatever the colour: a quirk of the
/// original program that a mega piece in the goal shows.
#[inline]
pub(super) const fn next_cell(colour: u8, from: u8) -> u8 {
    match progress(colour, from) {
        HOME => cell(colour, START),
        GOAL => 1,
        progress => cell(colour, progress + 1),
    }
}

/// Steps to the goal; a piece at home is said to have 74.
#[inline]
pub(super) const fn distance_to_goal(progress: u8) -> u8 {
    if progress == HOME { HOME_DISTANCE } else { GOAL - progress }
}

#[inline]
pub(super) const fn is_safe(cell: u8) -> bool {
    nature_of(cell) & SAFE != 0
}

#[inline]
pub(super) const fn is_ring(cell: u8) -> bool {
    nature_of(cell) & ON_RING != 0
}

#[inline]
pub(super) const fn is_goal(cell: u8) -> bool {
    nature_of(cell) & IS_GOAL != 0
}

/// Whether a piece on this cell can be eaten, its own condition aside.
#[inline]
pub(super) const fn is_open(cell: u8) -> bool {
    nature_of(cell) & (ON_RING | SAFE) == ON_RING
}

/// By colour and cell: progress where a piece can be eaten, otherwise 0.
static OPEN_PROGRESS: [[u8; 128]; 4] = {
    let mut table = progress_table();
    let mut colour = 0;
    while colour < 4 {
        let mut cell = 0;
        while cell < 128 {
            if !is_open(cell) {
                table[colour][cell as usize] = 0;
            }
            cell += 1;
        }
        colour += 1;
    }
    table
};

/// Progress of a player's pieces on squares where they can be eaten.
#[inline]
pub(super) fn open_progress(cells: &[u8; 12], player: usize) -> i32 {
    let at = |piece: usize| usize::from(cells[piece] & 127);
    let [blue, red, green, yellow] = &OPEN_PROGRESS;
    let three = |table: &[u8; 128], first: usize| {
        i32::from(table[at(first)]) + i32::from(table[at(first + 1)]) + i32::from(table[at(first + 2)])
    };
    if player == 0 { three(red, 3) + three(yellow, 9) } else { three(blue, 0) + three(green, 6) }
}

/// What a walk of a colour adds to [`open_progress`].
#[inline]
pub(super) const fn open_step(colour: u8, from: u8, to: u8) -> i8 {
    let table = &OPEN_PROGRESS[(colour & 3) as usize];
    table[(to & 127) as usize] as i8 - table[(from & 127) as usize] as i8
}

/// The bit of the item that lies on this cell at the start of the game, or 0.
#[inline]
pub(super) const fn item_bit(cell: u8) -> u32 {
    (1_u32 << (nature_of(cell) & NO_ITEM)) & ALL_ITEMS
}

/// The special die that an item of [`item_bit`] is.
#[inline]
pub(super) fn item_kind(bit: u32) -> Special {
    ITEMS.get(bit.trailing_zeros() as usize).map_or(Special::Star, |&(_, special)| special)
}

/// Every item on the board.
pub(super) const ALL_ITEMS: u32 = (1 << ITEMS.len()) - 1;

#[inline]
const fn nature_of(cell: u8) -> u8 {
    NATURE[(cell & 127) as usize]
}

/// Whether a ring square is one of the twelve on which nothing is eaten.
pub const fn is_safe_square(square: u8) -> bool {
    square <= RING && is_safe(square)
}

/// Last ring square before a colour's corridor.
pub const fn entry_square(colour: Colour) -> u8 {
    ENTRY_SQUARE[colour as usize]
}

/// The ring square to which a colour's pieces leave home.
pub const fn start_square(colour: Colour) -> u8 {
    cell(colour as u8, START)
}
