//! The agent behind a link as a player.

use anyhow::{Context, Result};
use rival_core::games::battletech::{Action, Phase};
use rival_core::games::{GameId, StateError};
use rival_core::wire::Limits;

use super::referee::{Game, Player};
use crate::client::{Answer, Client, refusal};
use crate::duel::Times;

/// The bytes of a state: 8 mechs with every slot full take less than 4 KB.
const STATE_BYTES: usize = 4_096;

/// How often the map is sent again before one decision: a board may be reset while it is being told.
const TELLINGS: u32 = 8;

/// The agent, the map it was last given, and what its decisions cost.
pub struct AgentPlayer {
    client: Client,
    limits: Limits,
    loaded: Vec<u8>,
    /// What its decisions took.
    pub times: Times,
    /// What went wrong, if something did: the game goes on without the agent.
    pub error: Option<anyhow::Error>,
    /// The last answer.
    pub last: Option<Answer>,
    /// Times that the agent had forgotten the map and was given it again.
    pub reloaded: u32,
}

impl AgentPlayer {
    /// An agent that is given these limits for each decision.
    pub fn new(client: Client, limits: Limits) -> Self {
        Self { client, limits, loaded: Vec::new(), times: Times::default(), error: None, last: None, reloaded: 0 }
    }

    /// Asks for a decision. The map goes over the line when it is new or has changed, and again when the agent says
    /// that it has none: its board was reset or played something else in between.
    pub fn ask(&mut self, game: &Game, who: usize, phase: Phase) -> Result<Action> {
        let map = game.load_bytes();
        if map != self.loaded {
            self.client.load(GameId::Battletech, &map)?;
            self.loaded = map;
        }
        let bytes = state_bytes(game, who, phase)?;
        let mut left = TELLINGS;
        let answer = loop {
            match self.client.decide(GameId::Battletech, &bytes, self.limits) {
                // The board was reset, or played something else in between.
                Err(error) if left > 0 && refusal(&error) == Some(StateError::NotLoaded) => {
                    left -= 1;
                    self.reloaded += 1;
                    self.client.load(GameId::Battletech, &self.loaded)?;
                }
                other => break other?,
            }
        };
        self.times.add(&answer, self.client.baud(), self.limits);
        let action = Action::decode(&answer.action).map_err(|error| anyhow::anyhow!("the agent's action: {error}"))?;
        self.last = Some(answer);
        Ok(action)
    }
}

/// A state as it goes over the line.
pub fn state_bytes(game: &Game, who: usize, phase: Phase) -> Result<Vec<u8>> {
    let mut bytes = vec![0; STATE_BYTES];
    let used = game.state(who, phase).encode(&mut bytes).context("the state does not fit a request")?;
    bytes.truncate(used);
    Ok(bytes)
}

impl Player for AgentPlayer {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        if self.error.is_some() {
            return Action::nothing(phase);
        }
        match self.ask(game, who, phase) {
            Ok(action) => action,
            Err(error) => {
                self.error = Some(error);
                Action::nothing(phase)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::battletech::series::Setting;
    use crate::games::table;
    use crate::link::LinkSpec;

    #[test]
    fn an_agent_that_forgot_the_map_is_given_it_again() {
        let mut game = Setting::new(None, &[]).unwrap().game(3, 0);
        game.begin_turn();
        let who = game.order[0];
        let limits = Limits { nodes: 50, ..Limits::default() };
        let mut player = AgentPlayer::new(Client::open(&LinkSpec::InProcess).unwrap(), limits);
        let before = player.ask(&game, who, Phase::Movement).unwrap();
        // Another game takes the memory, as a reset would.
        let mancala = table("mancala").unwrap().state("start").unwrap();
        player.client.decide(GameId::Mancala, &mancala, limits).unwrap();
        assert_eq!(player.ask(&game, who, Phase::Movement).unwrap(), before);
        assert_eq!(player.reloaded, 1);
    }
}
