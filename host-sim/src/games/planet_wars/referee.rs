//! A game of two players, turn by turn.

use rival_core::games::planet_wars::{Kick, Order, Outcome, Player, State, TURNS, Turn};

use super::map::Map;

/// Somebody who gives orders.
pub trait Seat {
    /// Orders for this turn (from 1 on); an error is a player who has no answer and is thrown out.
    fn orders(&mut self, state: &State, me: Player, turn: u16) -> Result<Vec<Order>, Kick>;
}

impl Seat for super::Opponent {
    fn orders(&mut self, state: &State, me: Player, turn: u16) -> Result<Vec<Order>, Kick> {
        Ok(Self::orders(self, state, me, turn))
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The map as it was at the start.
    pub map: Map,
    /// The state now.
    pub state: State,
    /// Turns played.
    pub turn: u16,
    /// Turns to play.
    pub limit: u16,
    /// Who was thrown out, when and why.
    pub kicks: Vec<(Player, u16, Kick)>,
}

impl Game {
    /// A game on a map.
    pub fn new(map: Map) -> Self {
        let state = map.state.clone();
        Self { map, state, turn: 0, limit: TURNS, kicks: Vec::new() }
    }

    /// How it stands.
    pub fn outcome(&self) -> Outcome {
        self.state.outcome(self.turn, self.limit)
    }

    /// Plays a turn with what the two players answered; no answer, or a bad order, throws a player out.
    pub fn play(&mut self, answers: [Result<Vec<Order>, Kick>; 2]) {
        self.turn += 1;
        let mut turn = Turn::new(&mut self.state);
        for (player, answer) in Player::BOTH.into_iter().zip(answers) {
            let orders = |orders: Vec<Order>| orders.into_iter().try_for_each(|order| turn.order(player, order));
            if let Err(kick) = answer.and_then(orders) {
                turn.kick(player);
                self.kicks.push((player, self.turn, kick));
            }
        }
        turn.finish();
    }

    /// Asks both players and plays a turn. A player who owns nothing is not asked.
    pub fn round(&mut self, seats: [&mut dyn Seat; 2]) {
        let [one, two] = seats;
        let turn = self.turn + 1;
        let ask = |player: Player, seat: &mut dyn Seat| {
            if self.state.is_alive(player) { seat.orders(&self.state, player, turn) } else { Ok(Vec::new()) }
        };
        let answers = [ask(Player::One, one), ask(Player::Two, two)];
        self.play(answers);
    }
}
