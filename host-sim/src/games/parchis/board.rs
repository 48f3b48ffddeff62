//! The board drawn in the terminal, and actions in words.

use core::fmt::Write as _;
use std::io::{IsTerminal, stdout};

use crossterm::style::{Color, Stylize};
use crossterm::terminal::size;
use rival_core::games::parchis::{
    Colour, Condition, Move, Piece, Place, Player as Side, RING, Special, State, entry_square, is_safe_square,
    start_square,
};

use crate::commands::style;

/// Cells of the drawing in each direction: two arms of eight around a middle of three.
const SIDE: usize = 19;
/// Characters of a cell.
const WIDTH: usize = 4;

/// Column and row of a ring square: yellow's arm is below, and the squares go round against the clock.
const fn ring_spot(square: u8) -> (usize, usize) {
    let n = square as usize;
    match n {
        1..=8 => (10, 19 - n),
        9..=16 => (n + 2, 10),
        17 => (18, 9),
        18..=25 => (36 - n, 8),
        26..=33 => (10, 33 - n),
        34 => (9, 0),
        35..=42 => (8, n - 35),
        43..=50 => (50 - n, 8),
        51 => (0, 9),
        52..=59 => (n - 52, 10),
        60..=67 => (8, n - 49),
        _ => (9, 18),
    }
}

/// Column and row of a corridor square, 1 to 7; 8 is the goal.
const fn corridor_spot(colour: Colour, number: u8) -> (usize, usize) {
    let k = number as usize;
    match colour {
        Colour::Yellow => (9, 18 - k),
        Colour::Blue => (18 - k, 9),
        Colour::Red => (9, k),
        Colour::Green => (k, 9),
    }
}

/// Where a colour's home is drawn: beside the square to which it leaves.
const fn home_spot(colour: Colour, id: u8) -> (usize, usize) {
    let id = id as usize;
    match colour {
        Colour::Yellow => (13 + id, 14),
        Colour::Blue => (13 + id, 4),
        Colour::Red => (3 + id, 4),
        Colour::Green => (3 + id, 14),
    }
}

const fn ink(colour: Colour) -> Color {
    match colour {
        Colour::Blue => Color::Blue,
        Colour::Red => Color::Red,
        Colour::Green => Color::Green,
        Colour::Yellow => Color::Yellow,
    }
}

const fn condition_ink(condition: Condition) -> Option<Color> {
    match condition {
        Condition::Normal => None,
        Condition::Star => Some(Color::Magenta),
        Condition::Boo => Some(Color::White),
        Condition::Mega => Some(Color::DarkRed),
        Condition::Small => Some(Color::DarkCyan),
        Condition::Bananed => Some(Color::DarkYellow),
    }
}

/// Behind a piece's name: what it is.
const fn condition_mark(condition: Condition) -> &'static str {
    match condition {
        Condition::Normal => "",
        Condition::Star => "*",
        Condition::Boo => "?",
        Condition::Mega => "#",
        Condition::Small => "-",
        Condition::Bananed => "~",
    }
}

/// Three characters for an item.
const fn item_mark(special: Special) -> &'static str {
    match special {
        Special::Star => "+St",
        Special::Boo => "+Bo",
        Special::Bullet => "+Bu",
        Special::RedShell => "+Rs",
        Special::BlueShell => "+Bs",
        Special::Mushroom => "+Mu",
        Special::MegaMushroom => "+Me",
        Special::Lightning => "+Li",
        Special::Horn => "+Ho",
        Special::Banana => "+Ba",
    }
}

/// A cell's text without colour, and the same with it.
#[derive(Clone, Default)]
struct Cell {
    plain: String,
    inked: String,
}

impl Cell {
    fn add(&mut self, text: &str, ink: impl FnOnce(&str) -> String) {
        let room = WIDTH - self.plain.chars().count().min(WIDTH);
        let text: String = text.chars().take(room).collect();
        self.inked += &ink(&text);
        self.plain += &text;
    }
}

/// The board, what the players hold, and the key to the signs. A terminal that is too narrow for the board gets a list.
pub(super) fn draw(state: &State) -> String {
    draw_moved(state, None)
}

/// The same with the piece underlined that has just moved.
pub(super) fn draw_moved(state: &State, moved: Option<Piece>) -> String {
    let columns = if stdout().is_terminal() { size().map_or(COLUMNS, |(columns, _)| columns) } else { COLUMNS };
    draw_with(state, moved, style::coloured(), columns)
}

/// Columns of the drawing.
const COLUMNS: u16 = (SIDE * WIDTH) as u16;

fn draw_with(state: &State, moved: Option<Piece>, coloured: bool, columns: u16) -> String {
    if columns < COLUMNS {
        return format!("{state}\n  (the board needs {COLUMNS} columns, and this terminal has {columns})");
    }
    let mut cells = vec![vec![Cell::default(); SIDE]; SIDE];
    let plain = |text: &str| text.to_owned();
    let dim = |text: &str| if coloured { text.dark_grey().to_string() } else { text.into() };
    let paint = |text: &str, color: Color| if coloured { text.with(color).to_string() } else { text.into() };
    for piece in Piece::all() {
        let colour = piece.colour();
        let (x, y) = match state.place(piece) {
            Place::Ring(square) => ring_spot(square),
            Place::Home => home_spot(colour, piece.id()),
            Place::Corridor(number) => corridor_spot(colour, number),
            Place::Goal => corridor_spot(colour, 8),
        };
        let (condition, _) = state.condition(piece);
        let name = format!("{piece}{}", condition_mark(condition));
        cells[y][x].add(&name, |text| {
            if !coloured {
                return text.into();
            }
            let mut styled = text.with(ink(colour)).bold();
            if moved == Some(piece) {
                styled = styled.underlined();
            }
            condition_ink(condition).map_or(styled, |color| styled.on(color)).to_string()
        });
    }
    for square in 1..=RING {
        let (x, y) = ring_spot(square);
        let cell = &mut cells[y][x];
        let trapped = state.traps().any(|trap| trap == square);
        let item = state.items().find(|&(at, _)| at == square);
        if trapped {
            cell.add("^", |text| paint(text, Color::DarkYellow));
        }
        if let Some((_, special)) = item {
            cell.add(item_mark(special), |text| paint(text, Color::Cyan));
        } else if cell.plain.is_empty() {
            let owner = Colour::ALL.into_iter().find(|&c| square == start_square(c) || square == entry_square(c));
            let text = if is_safe_square(square) { format!("({square})") } else { format!("{square:>2}") };
            cell.add(&text, |text| owner.map_or_else(|| dim(text), |colour| paint(text, ink(colour))));
        }
    }
    for colour in Colour::ALL {
        for number in 1..=8 {
            let (x, y) = corridor_spot(colour, number);
            if cells[y][x].plain.is_empty() {
                cells[y][x].add(if number == 8 { "[]" } else { ":" }, |text| paint(text, ink(colour)));
            }
        }
        let (x, y) = home_spot(colour, 0);
        cells[y - 1][x].add("home", |text| paint(text, ink(colour)));
    }
    let mut drawing = String::new();
    for row in cells {
        let mut line = String::new();
        for cell in row {
            let room = WIDTH - cell.plain.chars().count();
            let before = room / 2;
            let _ = write!(line, "{}{}{}", plain(&" ".repeat(before)), cell.inked, " ".repeat(room - before));
        }
        drawing += line.trim_end();
        drawing.push('\n');
    }
    drawing + &holdings(state)
}

fn holdings(state: &State) -> String {
    let mut text = String::new();
    for side in [Side::J1, Side::J2] {
        let [main, second] = side.colours();
        let dice: Vec<_> = match state.forced().filter(|_| side == state.turn()) {
            Some(die) => vec![format!("{die} (forced)")],
            None => state.normal_dice(side).map(|die| die.to_string()).collect(),
        };
        let hand: Vec<_> = state.hand(side).map(Special::name).collect();
        let hand = if hand.is_empty() { "nothing".into() } else { hand.join(", ") };
        let bounces = [main, second].map(|colour| state.bounces(colour));
        let mark = if side == state.turn() && !state.is_over() { '>' } else { ' ' };
        let _ = write!(
            text,
            "{mark} J{} {} and {}: dice {}; hand {hand}",
            side as u8 + 1,
            main.name(),
            second.name(),
            dice.join(" ")
        );
        if bounces != [0, 0] {
            let _ = write!(text, "; bounces {} and {} of 30", bounces[0], bounces[1]);
        }
        for piece in Piece::all().filter(|piece| piece.colour().owner() == side) {
            if let (condition, left @ 1..) = state.condition(piece)
                && condition != Condition::Normal
            {
                let _ = write!(text, "; {piece} {} for {left}", condition.name());
            }
        }
        text.push('\n');
    }
    let lying: Vec<_> = Special::ALL
        .into_iter()
        .filter(|&special| state.items().any(|(_, item)| item == special))
        .map(|special| format!("{} {}", item_mark(special), special.name()))
        .collect();
    // Two lines: all ten do not fit one.
    for line in lying.chunks(5) {
        let _ = writeln!(text, "  {}", line.join("  "));
    }
    text + "  (4) safe   ^ trap   y0* star   ? boo   # mega   - small   ~ bananed   > to act"
}

/// What an action did, in words.
pub(super) fn explain(before: &State, mv: Move) -> String {
    let after = before.play(mv);
    let side = before.turn();
    let Some(piece) = mv.piece() else {
        return format!("J{} can do nothing with the {} and spends it", side as u8 + 1, mv.die());
    };
    let (from, to) = (before.place(piece), after.place(piece));
    let mut text = match mv.die().special() {
        Some(special) => format!("{piece} uses the {}", special.name()),
        None => format!("{piece} with the {}", mv.die()),
    };
    if from == to {
        if mv.die().special().is_none() {
            text += ", which does not move it";
        }
    } else {
        let _ = write!(text, ": {from} to {to}");
    }
    if mv.bounces() {
        text += ", off the goal";
    }
    if to == Place::Home && from != to {
        text += ", sent home by a star";
    }
    let is_bananed = |state: &State| state.condition(piece).0 == Condition::Bananed;
    if is_bananed(&after) && !is_bananed(before) {
        text += ", slips on a trap";
    }
    let sent: Vec<_> = Piece::all()
        .filter(|&other| other != piece && after.place(other) == Place::Home && before.place(other) != Place::Home)
        .map(|other| other.to_string())
        .collect();
    if !sent.is_empty() {
        let verb = if mv.eats() { "eats" } else { "sends home" };
        let _ = write!(text, ", {verb} {}", sent.join(" and "));
    }
    for (_, special) in before.items().filter(|item| !after.items().any(|left| left == *item)) {
        let _ = write!(text, ", takes a {}", special.name());
    }
    if after.winner() == Some(side) {
        text += " and wins";
    } else if after.winner().is_some() {
        text += " and has bounced too often: the game is lost";
    } else if after.turn() == side {
        match after.forced() {
            Some(die) => _ = write!(text, ", and has a {die} to use"),
            None => text += ", and goes on",
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use rival_core::games::parchis::Die;
    use std::collections::HashSet;

    #[test]
    fn every_square_has_a_place_of_its_own() {
        let mut seen = HashSet::new();
        assert!((1..=RING).all(|square| seen.insert(ring_spot(square))));
        for colour in Colour::ALL {
            assert!((1..=8).all(|number| seen.insert(corridor_spot(colour, number))), "{colour:?}");
            assert!((0..3).all(|id| seen.insert(home_spot(colour, id))), "{colour:?}");
        }
        assert!(seen.iter().all(|&(x, y)| x < SIDE && y < SIDE));
    }

    #[test]
    fn neighbours_on_the_ring_are_neighbours_in_the_drawing() {
        for square in 1..=RING {
            let (ax, ay) = ring_spot(square);
            let (bx, by) = ring_spot(square % RING + 1);
            assert!(ax.abs_diff(bx) <= 1 && ay.abs_diff(by) <= 1, "{square}");
        }
    }

    #[test]
    fn the_start_is_drawn_with_every_piece_and_item() {
        let text = draw_with(&State::start(), None, false, 80);
        for piece in Piece::all() {
            assert!(text.contains(&piece.to_string()), "{text}");
        }
        let (board, legend) = text.split_once("J1").unwrap();
        assert_eq!((board.matches("+Mu").count(), legend.matches("+Mu").count()), (4, 1), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    }

    #[test]
    fn a_narrow_terminal_gets_a_list() {
        let text = draw_with(&State::start(), None, true, 60);
        assert!(text.contains("y0 4") && text.contains("needs 76 columns"), "{text}");
    }

    #[test]
    fn the_player_to_act_is_marked() {
        let text = draw_with(&State::start(), None, false, 80);
        assert!(text.contains("> J1") && text.contains("  J2"), "{text}");
    }

    #[test]
    fn actions_are_explained() {
        let start = State::start();
        let mv = start.find(Die::from_code(6).unwrap(), Piece::new(Colour::Yellow, 0)).unwrap();
        assert_eq!(explain(&start, mv), "y0 with the 6: 4 to 11, and goes on");
        let mv = start.find(Die::from_code(1).unwrap(), Piece::new(Colour::Yellow, 0)).unwrap();
        assert_eq!(explain(&start, mv), "y0 with the 1: 4 to 5, takes a star");
    }
}
