//! Lines of sight: the hexes a line crosses, what blocks it, and partial cover.
//!
//! The original simulator walks a line pixel by pixel over its own drawing of the map, with three shortcuts for lines
//! that run along hex sides and a few defects. Whoever wants to shoot there must see what it sees, so all of it is kept
//! (`Profile::pixel_lines`). The book's line runs straight through the centres; where it follows a side between two
//! hexes, the one that hides more counts.

use heapless::Vec;

use super::hex::{Cube, Facing, Hex};
use super::map::{Map, Terrain, Tile};
use super::profile::Profile;

/// Longest list of hexes on a line. The longest distance on a map of 32 by 34 hexes is 49; a line along the sides
/// lists some hexes twice. What does not fit is not looked at.
pub const MAX_LINE_HEXES: usize = 96;

/// The hexes between two others, both left out.
pub type Line = Vec<Hex, MAX_LINE_HEXES>;

/// One end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eye {
    /// Where.
    pub hex: Hex,
    /// The level from which it looks.
    pub level: i8,
    /// Whether the mech stands.
    pub standing: bool,
}

impl Eye {
    /// The eye of a mech in this hex.
    #[inline]
    pub fn new(map: &Map<'_>, hex: Hex, prone: bool) -> Self {
        Self { hex, level: map.tile(hex).footing() + i8::from(!prone), standing: !prone }
    }

    /// An eye on the ground: what a jump's line is drawn with.
    #[inline]
    pub fn on_ground(map: &Map<'_>, hex: Hex) -> Self {
        Self { hex, level: map.tile(hex).level(), standing: false }
    }

    /// An eye one level above the ground, whatever the ground is: what the to-hit number looks from.
    #[inline]
    pub fn above(map: &Map<'_>, hex: Hex) -> Self {
        Self { hex, level: map.tile(hex).level() + 1, standing: true }
    }
}

/// What one end sees of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Whether there is a line of sight at all.
    pub clear: bool,
    /// Whether the first end has partial cover.
    pub cover: bool,
}

/// Left edge of the drawn hexagon in each row of its upper half; the lower half is its mirror image.
const EDGE: [u8; 26] = [14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 8, 8, 7, 7, 6, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0];

/// Corner of a hex in the drawing.
#[inline]
fn corner(col: i32, row: i32) -> (i32, i32) {
    let half = col >> 1;
    if col & 1 == 0 { (177 * half / 2, 51 * row) } else { ((177 * half + 89) >> 1, 51 * row + 25) }
}

/// Whether a pixel lies in the drawing of a hex.
#[inline]
fn drawn_over(col: i32, row: i32, x: i32, y: i32) -> bool {
    let (left, top) = corner(col, row);
    let (u, w) = (x - left, y - top);
    if !(0..50).contains(&w) {
        return false;
    }
    let edge = i32::from(EDGE[(if w <= 25 { w } else { 50 - w }) as usize]);
    u >= edge && u <= (58 - edge).min(57)
}

/// Which of two hexes of a line along the sides counts. `over` says whether a level hides the view at this place.
fn worse(map: &Map<'_>, a: Hex, b: Hex, over: impl Fn(i8) -> bool) -> Hex {
    let (ta, tb) = (map.tile(a), map.tile(b));
    let gap = i32::from(ta.level()) - i32::from(tb.level());
    match gap {
        2.. => return a,
        ..=-2 => return b,
        0 => {
            return match (ta.woods(), tb.woods()) {
                (2, _) => a,
                (_, 2) => b,
                (1, _) => a,
                (_, 1) => b,
                _ => a,
            };
        }
        _ => {}
    }
    let ((high, th), (low, tl)) = if gap > 0 { ((a, ta), (b, tb)) } else { ((b, tb), (a, ta)) };
    if tl.woods() == 0 {
        return high;
    }
    if over(th.level()) {
        return high;
    }
    if over(tl.level()) {
        return low;
    }
    // The program forgets to ask for woods when the higher hex is the second one.
    let high_top = (th.woods() > 0 || high == b) && over(th.level() + 2);
    let low_top = over(tl.level() + 2);
    match (high_top, low_top) {
        (true, true) if th.woods() == 2 => high,
        (true, true) if tl.woods() == 2 => low,
        (false, true) => low,
        _ => high,
    }
}

/// The hexes between two others, in order from the first eye to the second.
pub fn line(map: &Map<'_>, profile: &Profile, from: Eye, to: Eye) -> Line {
    let mut list = Line::new();
    let distance = from.hex.distance(to.hex);
    if distance > 1 {
        if profile.pixel_lines {
            program_line(map, from, to, distance, &mut list);
        } else {
            straight_line(map, from, to, distance, &mut list);
        }
    }
    list
}

fn push(list: &mut Line, row: i32, col: i32) {
    // A full list looks no farther; see MAX_LINE_HEXES.
    let _ = list.push(Hex::new(col as u8, row as u8));
}

#[expect(clippy::many_single_char_names, reason = "the names of the description")]
fn program_line(map: &Map<'_>, from: Eye, to: Eye, distance: u8, list: &mut Line) {
    let swapped = (to.hex.row, to.hex.col) < (from.hex.row, from.hex.col);
    let (one, two) = if swapped { (to, from) } else { (from, to) };
    let (row1, col1) = (i32::from(one.hex.row), i32::from(one.hex.col));
    let (row2, col2) = (i32::from(two.hex.row), i32::from(two.hex.col));
    let d = i32::from(distance);
    let over_at = |i: i32| {
        move |level: i8| {
            if i == 1 {
                level > one.level
            } else if i == d - 1 {
                level > two.level
            } else {
                level > one.level && level > two.level
            }
        }
    };
    let pick = |i: i32, (ra, ca): (i32, i32), (rb, cb): (i32, i32)| {
        let (a, b) = (Hex::new(ca as u8, ra as u8), Hex::new(cb as u8, rb as u8));
        if map.holds(a) && map.holds(b) { worse(map, a, b, over_at(i)) } else { a }
    };
    let s = if col1 < col2 { 1 } else { -1 };
    let q = d / 2;
    if col1 == col2 {
        for row in row1 + 1..row2 {
            push(list, row, col1);
        }
    } else if row1 == row2 && col1 & 1 == col2 & 1 {
        let high = col1 & 1 == 0;
        let edge = if high { row1 == 0 } else { row1 == i32::from(map.rows()) - 1 };
        for i in 1..d {
            let col = col1 + i;
            if i & 1 == 0 || edge {
                push(list, row1, col);
            } else {
                let hex = pick(i, (row1, col), (if high { row1 - 1 } else { row1 + 1 }, col));
                let _ = list.push(hex);
            }
        }
    } else if col1 & 1 == 0 && row2 == row1 + q + q / 2 && col2 == col1 + s * q {
        let (mut k, mut v) = (0, 0);
        for i in 1..d {
            if i & 1 == 0 {
                v = i / 2 + i / 2 / 2;
                push(list, row1 + v, col1 + k);
            } else {
                let hex = pick(i, (row1 + v + 1, col1 + k), (row1 + v, col1 + k + s));
                let _ = list.push(hex);
                k += s;
            }
        }
    } else if col1 & 1 == 1 && row2 == row1 + q + (q + 1) / 2 && col2 == col1 + s * q {
        let (mut k, mut v) = (0, 0);
        for i in 1..d {
            if i & 1 == 0 {
                v = i / 2 + (i / 2 + 1) / 2;
                push(list, row1 + v, col1 + k);
            } else {
                let hex = pick(i, (row1 + v + 1, col1 + k), (row1 + v + 1, col1 + k + s));
                let _ = list.push(hex);
                // The program lists the first of the two once more.
                push(list, row1 + v + 1, col1 + k);
                k += s;
            }
        }
    } else {
        walk_pixels(map, (row1, col1), (row2, col2), list);
    }
    if swapped {
        list.reverse();
    }
}

/// Candidates for the next hex of a pixel walk, in the program's order.
fn candidates(map: &Map<'_>, row: i32, col: i32, s: i32) -> ([(i32, i32); 4], usize) {
    let (last_row, last_col) = (i32::from(map.rows()) - 1, i32::from(map.cols()) - 1);
    let even = col & 1 == 0;
    let none = (-1, -1);
    if row == 0 && even {
        ([(row + 1, col), (row, col + s), none, none], 2)
    } else if row == last_row {
        if even {
            ([(row, col + s), (row - 1, col + s), none, none], 2)
        } else {
            ([(row, col + s), none, none, none], 1)
        }
    } else if col == 0 {
        ([(row + 1, col), (row, col + 1), none, none], 2)
    } else if col == last_col {
        ([(row + 1, col), (if even { row } else { row + 1 }, col - 1), none, none], 2)
    } else if even {
        ([(row, col - s), (row + 1, col), (row, col + s), (row - 1, col + s)], 4)
    } else {
        ([(row + 1, col - s), (row + 1, col), (row + 1, col + s), (row, col + s)], 4)
    }
}

fn walk_pixels(map: &Map<'_>, mut one: (i32, i32), mut two: (i32, i32), list: &mut Line) {
    if one.0 == two.0 && one.1 & 1 == 1 && two.1 & 1 == 0 {
        // The program exchanges the ends and forgets that it did: this list comes out backwards.
        core::mem::swap(&mut one, &mut two);
    }
    let s = if one.1 < two.1 { 1 } else { -1 };
    let (left, top) = corner(one.1, one.0);
    let (x1, y1) = (left + 29, top + 25);
    let (left, top) = corner(two.1, two.0);
    let (x2, y2) = (left + 29, top + 25);
    let (dx, dy) = (x2 - x1, y2 - y1);
    let (mut near, mut count) = candidates(map, one.0, one.1, s);
    // x1 + dx * t / dy rounded to nearest, halves down, kept as a whole part and a remainder from row to row.
    let (whole, part) = (dx.div_euclid(dy), dx.rem_euclid(dy));
    let (mut x, mut rest) = (x1, (dy - 1) / 2);
    let mut y = y1;
    while y <= y2 {
        for &(row, col) in &near[..count] {
            if drawn_over(col, row, x, y) {
                if list.contains(&Hex::new(col as u8, row as u8)) {
                    break; // drawings overlap: only a new hex moves the walk on
                }
                push(list, row, col);
                (near, count) = candidates(map, row, col, s);
                if near[..count].contains(&two) {
                    return;
                }
                break;
            }
        }
        y += 1;
        x += whole;
        rest += part;
        if rest >= dy {
            rest -= dy;
            x += 1;
        }
    }
}

/// The book's line: straight through the centres; along a side, the hex that hides more.
fn straight_line(map: &Map<'_>, from: Eye, to: Eye, distance: u8, list: &mut Line) {
    let (a, b) = (from.hex.cube(), to.hex.cube());
    let d = i32::from(distance);
    for i in 1..d {
        let at = |nudge: i32| {
            let mix = |p: i16, q: i16, n: i32| 8 * (i32::from(p) * (d - i) + i32::from(q) * i) + n;
            round_cube(mix(a.x, b.x, nudge), mix(a.y, b.y, 2 * nudge), mix(a.z, b.z, -3 * nudge), 8 * d)
        };
        let (one, two) = (at(1), at(-1));
        let hex = match (one.filter(|&hex| map.holds(hex)), two.filter(|&hex| map.holds(hex))) {
            (Some(one), Some(two)) if one != two => {
                let weight = |hex| {
                    let tile = map.tile(hex);
                    (i32::from(tile.level()) + 2 * i32::from(tile.veil() > 0), tile.veil(), tile.level())
                };
                if weight(two) > weight(one) { two } else { one }
            }
            (Some(one), _) => one,
            (None, Some(two)) => two,
            (None, None) => continue,
        };
        let _ = list.push(hex);
    }
}

/// The hex nearest to a point given in `scale`ths.
fn round_cube(x: i32, y: i32, z: i32, scale: i32) -> Option<Hex> {
    let nearest = |v: i32| (2 * v + scale).div_euclid(2 * scale);
    let (mut rx, ry, mut rz) = (nearest(x), nearest(y), nearest(z));
    let (ex, ey, ez) = ((rx * scale - x).abs(), (ry * scale - y).abs(), (rz * scale - z).abs());
    if ex > ey && ex > ez {
        rx = -ry - rz;
    } else if ey <= ez {
        rz = -rx - ry;
    }
    let cube = Cube { x: rx as i16, y: (-rx - rz) as i16, z: rz as i16 };
    let row = i32::from(cube.z) + (rx - (rx & 1)) / 2;
    (rx >= 0 && row >= 0).then(|| Hex::new(rx as u8, row as u8))
}

/// Whether a level hides the view at a place of the list.
#[inline]
fn hides(level: i8, place: usize, count: usize, distance: u8, one: i8, two: i8) -> bool {
    if distance == 2 {
        level > one || level > two
    } else if place == 0 {
        level > one
    } else if place + 1 == count {
        level > two
    } else {
        level > one && level > two
    }
}

/// What `from` sees of `to` over the hexes of their line.
pub fn sight(map: &Map<'_>, profile: &Profile, from: Eye, to: Eye, list: &[Hex]) -> Sight {
    if from.level < 0 || to.level < 0 {
        return Sight::default();
    }
    let distance = from.hex.distance(to.hex);
    if distance <= 1 {
        return Sight { clear: true, cover: false };
    }
    let mut veil = 0;
    for (place, &hex) in list.iter().enumerate() {
        let tile = map.tile(hex);
        if hides(tile.level(), place, list.len(), distance, from.level, to.level) {
            return Sight::default();
        }
        let points = tile.veil();
        if points > 0 && hides(tile.level() + 2, place, list.len(), distance, from.level, to.level) {
            veil += points;
            if veil >= 3 {
                return Sight::default();
            }
        }
    }
    Sight { clear: true, cover: cover(map.tile(from.hex), profile, from, to, list.first().map(|&hex| map.tile(hex))) }
}

/// Partial cover of `of` against `against`, given the first hex of the line between them.
fn cover(tile: Tile, profile: &Profile, of: Eye, against: Eye, first: Option<Tile>) -> bool {
    if !profile.prone_cover && !of.standing {
        return false;
    }
    let water = tile.terrain() == Terrain::Water;
    let wading = water && tile.level() == -1 && !tile.river() && tile.roads() == 0;
    let fording = tile.river() && (!water || tile.level() >= 0);
    if of.standing && wading || fording {
        return true;
    }
    first.is_some_and(|first| first.level() == of.level && of.level >= against.level)
}

/// Terrain part of the to-hit number: what the target stands in, water under the shooter, woods and smoke on the line.
pub fn terrain_modifier(map: &Map<'_>, profile: &Profile, from: Hex, to: Hex) -> i8 {
    let (eye, target) = (Eye::above(map, from), Eye::above(map, to));
    let list = line(map, profile, eye, target);
    terrain_modifier_on(map, profile, eye, target, &list)
}

/// [`terrain_modifier`] over a line that is known already.
pub fn terrain_modifier_on(map: &Map<'_>, profile: &Profile, from: Eye, to: Eye, list: &[Hex]) -> i8 {
    ends_modifier(map, from.hex, to.hex) + line_modifier(map, profile, from, to, list)
}

/// What the target stands in, and water under the shooter.
#[inline]
fn ends_modifier(map: &Map<'_>, from: Hex, to: Hex) -> i8 {
    let (here, there) = (map.tile(from), map.tile(to));
    let wet = |tile: Tile| i8::from(tile.terrain() == Terrain::Water && tile.level() == -1);
    there.woods() as i8 + 2 * i8::from(there.smoke()) - wet(there) + wet(here)
}

/// Woods and smoke on the line.
fn line_modifier(map: &Map<'_>, profile: &Profile, from: Eye, to: Eye, list: &[Hex]) -> i8 {
    let distance = from.hex.distance(to.hex);
    let mut sum = 0;
    for (place, &hex) in list.iter().enumerate() {
        let tile = map.tile(hex);
        if profile.low_woods_count {
            sum += tile.woods() as i8 + 2 * i8::from(tile.smoke());
        } else if hides(tile.level() + 2, place, list.len(), distance, from.level, to.level) {
            sum += tile.veil() as i8;
        }
    }
    sum
}

/// Everything that two mechs have to do with each other across a line, both ways at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Hexes apart.
    pub distance: u8,
    /// Whether they see each other.
    pub clear: bool,
    /// Partial cover of the first, and of the second.
    pub cover: [bool; 2],
    /// Terrain modifier of shots at the first, and at the second.
    pub terrain: [i8; 2],
    /// The hexside by which shots reach the first, and the second; `None` where the simulator loses it.
    pub side: [Option<Facing>; 2],
}

/// Looks across a line once, for both ends.
pub fn view(map: &Map<'_>, profile: &Profile, one: Eye, two: Eye) -> View {
    let list = line(map, profile, one, two);
    let there = sight(map, profile, one, two, &list);
    let cover_two = there.clear
        && one.hex.distance(two.hex) > 1
        && cover(map.tile(two.hex), profile, two, one, list.last().map(|&hex| map.tile(hex)));
    let veil = line_modifier(map, profile, one, two, &list);
    View {
        distance: one.hex.distance(two.hex),
        clear: there.clear,
        cover: [there.cover, cover_two],
        terrain: [ends_modifier(map, two.hex, one.hex) + veil, ends_modifier(map, one.hex, two.hex) + veil],
        side: [
            one.hex.side_of(list.first().copied().unwrap_or(two.hex)),
            two.hex.side_of(list.last().copied().unwrap_or(one.hex)),
        ],
    }
}
