//! Parchis at the console.

use core::fmt::{self, Write};

use heapless::Vec;

use super::rules::Move;
use super::state::{Colour, Condition, Die, Piece, Place, Player, Special, State};
use crate::console::Playable;
use crate::games::GameId;

impl Playable for State {
    type Move = Move;

    const GAME: GameId = GameId::Parchis;
    const HOW: &'static str = "a die and a piece, such as 6 y0, star r2, or 4 skip";
    const PLAYERS: [&'static str; 2] = ["yellow and red", "blue and green"];

    fn start() -> Self {
        Self::start()
    }

    fn to_move(&self) -> u8 {
        self.turn() as u8
    }

    fn read(&self, words: &str) -> Result<Move, &'static str> {
        const WHAT: &str = "Type a die and a piece, such as 6 y0, star r2, or 4 skip.";
        let (die, piece) = words.trim().rsplit_once(' ').ok_or(WHAT)?;
        let die = read_die(die.trim()).ok_or("That is no die: 1 2 4 5 6 10 20, or the name of a special one.")?;
        let piece = if piece == "skip" { None } else { Some(read_piece(piece).ok_or(WHAT)?) };
        self.find(die, piece).ok_or("That is not legal here.")
    }

    fn action(&self, bytes: &[u8]) -> Option<Move> {
        self.decode_move(bytes)
    }

    fn after(&self, mv: Move) -> Self {
        self.play(mv)
    }

    fn winner(&self) -> Option<Option<u8>> {
        self.winner().map(|winner| Some(winner as u8))
    }

    fn bytes(&self) -> Vec<u8, 256> {
        self.encode().into_iter().collect()
    }

    fn value(value: i32, out: &mut dyn Write) -> fmt::Result {
        write!(out, "value {value:+}")
    }
}

/// A die by its number or by its name, the spaces and dashes of which may be left out.
fn read_die(text: &str) -> Option<Die> {
    let plain = |text: &'static str| text.bytes().filter(u8::is_ascii_alphabetic);
    let by_name = |special: &Special| {
        plain(special.name()).eq(text.bytes().filter(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_lowercase()))
    };
    match text.parse() {
        Ok(code) => Die::from_code(code),
        Err(_) => Special::ALL.into_iter().find(by_name).map(Die::of),
    }
}

/// A piece by the first letter of its colour and its number.
fn read_piece(text: &str) -> Option<Piece> {
    let &[letter, digit] = text.as_bytes() else { return None };
    let colour = Colour::ALL.into_iter().find(|colour| colour.name().as_bytes()[0] == letter.to_ascii_lowercase())?;
    Piece::new(colour, digit.checked_sub(b'0')?)
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(self.colour().name().as_bytes()[0]), self.id())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece() {
            Some(piece) => write!(f, "{} {piece}", self.die()),
            None => write!(f, "{} skip", self.die()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ring(square) => write!(f, "{square}"),
            Self::Home => f.write_str("home"),
            Self::Corridor(number) => write!(f, "c{number}"),
            Self::Goal => f.write_str("goal"),
        }
    }
}

impl Condition {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Star => "star",
            Self::Boo => "boo",
            Self::Mega => "mega",
            Self::Small => "small",
            Self::Bananed => "bananed",
        }
    }
}

/// The position as a list: a ring of 68 squares does not fit a serial terminal's lines.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for player in [Player::J1, Player::J2] {
            for colour in player.colours() {
                write!(f, "  {:<7}", colour.name())?;
                for piece in Piece::all().filter(|piece| piece.colour() == colour) {
                    write!(f, " {piece} {}", self.place(piece))?;
                    match self.condition(piece) {
                        (Condition::Normal, _) => {}
                        (condition, left) => write!(f, " ({} {left})", condition.name())?,
                    }
                    f.write_str(if piece.id() < 2 { "," } else { "\n" })?;
                }
            }
            f.write_str("    dice")?;
            match self.forced().filter(|_| player == self.turn()) {
                Some(die) => write!(f, " {die}, forced")?,
                None => self.normal_dice(player).try_for_each(|die| write!(f, " {die}"))?,
            }
            for special in self.hand(player) {
                write!(f, ", {}", special.name())?;
            }
            f.write_str("\n")?;
        }
        f.write_str("  items  ")?;
        for (square, special) in self.items() {
            write!(f, " {square} {},", special.name())?;
        }
        f.write_str("\n  traps  ")?;
        self.traps().try_for_each(|square| write!(f, " {square}"))
    }
}
