//! What a turn does, as the contest's tournament server plays it.

use super::state::{Fleet, Owner, Player, State};

/// Turns of a game on the tournament server.
pub const TURNS: u16 = 200;

/// Why a player is thrown out of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kick {
    /// A line that is no order.
    Unparseable,
    /// An order that cannot be carried out.
    BadOrder,
    /// No answer in time.
    Timeout,
    /// More fleets than there is room for: a bound of this program, not a rule of the contest.
    TooManyFleets,
}

/// Ships sent from one planet to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// From.
    pub source: i64,
    /// To.
    pub destination: i64,
    /// How many.
    pub ships: i64,
}

/// A line of a player's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Ships to be sent.
    Order(Order),
    /// The end of the answer.
    Go,
}

impl Line {
    /// Reads a line as the server does: blanks around it and capitals do not matter, single blanks separate exactly three
    /// whole numbers.
    pub fn parse(text: &str) -> Result<Self, Kick> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("go") {
            return Ok(Self::Go);
        }
        let mut numbers = [0; 3];
        let mut words = text.split(' ');
        for number in &mut numbers {
            *number = whole_number(words.next().ok_or(Kick::Unparseable)?)?;
        }
        match words.next() {
            None => {
                let [source, destination, ships] = numbers;
                Ok(Self::Order(Order { source, destination, ships }))
            }
            Some(_) => Err(Kick::Unparseable),
        }
    }
}

/// A whole number with or without a sign; one that is too long for the type is beyond every planet and ship count, and
/// is kept as such.
fn whole_number(word: &str) -> Result<i64, Kick> {
    let word = word.trim();
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Kick::Unparseable);
    }
    Ok(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// A player has won.
    Won(Player),
    /// Nobody has.
    Draw,
}

/// The fight for a planet: the largest force less the second largest remains. With two equal ones nobody remains and
/// the planet stays whose it was. The third force never matters.
///
/// `forces` are the ships of nobody, player 1 and player 2, those on the planet included.
#[inline]
pub const fn battle(owner: Owner, forces: [u32; 3]) -> (Owner, u32) {
    let [neutral, one, two] = forces;
    // The larger of the two players, and the smaller.
    let (first, most, less) = if two > one { (Owner::Two, two, one) } else { (Owner::One, one, two) };
    let (first, most, second) = if neutral > most {
        (Owner::Neutral, neutral, most)
    } else if neutral > less {
        (first, most, neutral)
    } else {
        (first, most, less)
    };
    if most == second { (owner, 0) } else { (first, most - second) }
}

/// The [`battle`] for a planet that belongs to a player, where only two forces can meet: ships of the owner, on the planet
/// and arriving, less those that attack. Below zero the planet has changed hands.
#[inline]
pub const fn duel(owned: i32, attacking: i32) -> i32 {
    owned - attacking
}

/// A turn in progress: orders are carried out as they are read.
#[derive(Debug)]
pub struct Turn<'a> {
    state: &'a mut State,
    /// Fleets from here on left this turn.
    launched: usize,
}

impl<'a> Turn<'a> {
    /// Begins a turn.
    pub fn new(state: &'a mut State) -> Self {
        let launched = state.fleets.len();
        Self { state, launched }
    }

    /// The position so far.
    pub const fn state(&self) -> &State {
        self.state
    }

    /// Carries out an order: the ships leave at once, so that the orders of a turn cannot send more than the planet held
    /// when it began.
    ///
    /// From a planet to itself is allowed and has no effect; no ships at all are allowed and make no fleet. Orders with
    /// the same source and destination make one fleet.
    pub fn order(&mut self, player: Player, order: Order) -> Result<(), Kick> {
        let Self { state, launched } = self;
        let planets = state.planets.len() as i64;
        if !(0..planets).contains(&order.source) || !(0..planets).contains(&order.destination) {
            return Err(Kick::BadOrder);
        }
        let (source, destination) = (order.source as usize, order.destination as usize);
        let planet = &mut state.planets[source];
        let Ok(ships) = u32::try_from(order.ships) else { return Err(Kick::BadOrder) };
        if planet.owner != player.owner() || ships > planet.ships {
            return Err(Kick::BadOrder);
        }
        if ships == 0 {
            return Ok(());
        }
        let same =
            |fleet: &&mut Fleet| (usize::from(fleet.source), usize::from(fleet.destination)) == (source, destination);
        if let Some(fleet) = state.fleets[*launched..].iter_mut().find(same) {
            fleet.ships += ships;
        } else {
            let total = state.distances.between(source, destination);
            let (source, destination) = (source as u8, destination as u8);
            let fleet = Fleet { owner: player.owner(), ships, source, destination, total, remaining: total };
            state.fleets.push(fleet).map_err(|_| Kick::TooManyFleets)?;
        }
        planet.ships -= ships;
        Ok(())
    }

    /// Throws a player out: its planets become nobody's and keep their ships, its fleets are lost, those of this turn too.
    pub fn kick(&mut self, player: Player) {
        let owner = player.owner();
        for planet in &mut self.state.planets {
            if planet.owner == owner {
                planet.owner = Owner::Neutral;
            }
        }
        let launched = self.launched;
        let mut index = 0;
        self.state.fleets.retain(|fleet| {
            if index < launched && fleet.owner == owner {
                self.launched -= 1;
            }
            index += 1;
            fleet.owner != owner
        });
    }

    /// Ends the turn: planets grow, fleets fly on, and those that arrive land or fight.
    pub fn finish(self) {
        self.state.advance();
    }
}

impl State {
    /// The time step: growth first, then arrivals. A planet taken now grows from the next turn on.
    fn advance(&mut self) {
        let mut forces = [[0_u32; 3]; super::MAX_PLANETS];
        for (planet, forces) in self.planets.iter_mut().zip(&mut forces) {
            if planet.owner != Owner::Neutral {
                planet.ships += u32::from(planet.growth);
            }
            forces[planet.owner as usize] = planet.ships;
        }
        let mut landed = [false; super::MAX_PLANETS];
        self.fleets.retain_mut(|fleet| {
            // A trip from a planet to itself takes no turn at all and lands in this one.
            fleet.remaining = fleet.remaining.saturating_sub(1);
            let destination = usize::from(fleet.destination);
            if fleet.remaining == 0 {
                forces[destination][fleet.owner as usize] += fleet.ships;
                landed[destination] = true;
            }
            fleet.remaining > 0
        });
        for ((planet, forces), landed) in self.planets.iter_mut().zip(forces).zip(landed) {
            if landed {
                (planet.owner, planet.ships) = battle(planet.owner, forces);
            }
        }
    }

    /// How the game stands after `turn` turns of at most `limit`.
    ///
    /// It ends when fewer than two players own anything, or at the limit. Then most ships win; equal is a draw, and so is
    /// a sole survivor without a single ship.
    pub fn outcome(&self, turn: u16, limit: u16) -> Outcome {
        let [one, two] = Player::BOTH.map(|player| self.is_alive(player));
        if one && two && turn < limit {
            return Outcome::Running;
        }
        let [ships_one, ships_two] = Player::BOTH.map(|player| self.ships(player));
        match ships_one.cmp(&ships_two) {
            core::cmp::Ordering::Greater => Outcome::Won(Player::One),
            core::cmp::Ordering::Less => Outcome::Won(Player::Two),
            core::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

#[cfg(test)]
mod tests;
