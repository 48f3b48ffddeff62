//! The agent behind a link as a walker.

use anyhow::{Context, Result};
use rival_core::games::belkan::{Action, Knowledge, Map, Sensors};
use rival_core::games::{GameId, StateError};
use rival_core::wire::Limits;

use super::contest::{pieces, whole};
use crate::client::{Answer, Client, refusal};
use crate::duel::Times;

/// How often it is told again before one decision: a board may be reset while it is being told.
const TELLINGS: u32 = 8;

/// An agent behind a link, and what the host has told it so far: enough to tell it again after a reset.
pub struct Linked {
    client: Client,
    limits: Limits,
    told: Knowledge,
    /// How long decisions took.
    pub times: Times,
    /// Times that the agent had forgotten and was told again.
    pub retold: u32,
}

impl Linked {
    /// An agent that is given these limits for each decision.
    pub fn new(client: Client, limits: Limits) -> Self {
        Self { client, limits, told: Knowledge::new(), times: Times::default(), retold: 0 }
    }

    /// The client.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// What the agent has been told.
    pub fn told(&self) -> &Knowledge {
        &self.told
    }

    /// Begins a game: where the map is known it is sent.
    pub fn begin(&mut self, game: u16, map: Option<&Map>) -> Result<()> {
        if let Some(map) = map {
            self.told = whole(game, map);
            self.tell()?;
        }
        Ok(())
    }

    fn tell(&mut self) -> Result<()> {
        let pieces = pieces(&self.told);
        Ok(self.client.load_all(GameId::Belkan, &pieces)?)
    }

    /// Asks for a decision. An agent that has forgotten the game, because its board was reset or played something else
    /// in between, says so; it is told everything again and asked again.
    pub fn decide(&mut self, sensors: &Sensors) -> Result<(Action, Answer)> {
        let state = sensors.encode();
        let mut left = TELLINGS;
        let answer = loop {
            match self.client.decide(GameId::Belkan, &state, self.limits) {
                Err(error) if left > 0 && refusal(&error) == Some(StateError::NotLoaded) => {
                    left -= 1;
                    self.retold += 1;
                    self.tell()?;
                }
                other => break other?,
            }
        };
        self.told.observe(sensors)?;
        self.times.add(&answer, self.client.baud(), self.limits);
        let action = answer.action.first().and_then(|&code| Action::from_code(code));
        Ok((action.context("the agent answered with no action")?, answer))
    }
}
