//! Plans of both sides against each other, round by round.

use super::super::plan::Plan;
use super::{Goal, Phase, PlanetWarsAgent, ROUNDS};

impl PlanetWarsAgent {
    /// The plan of the side is as good as it gets.
    pub(super) fn planned(&mut self) {
        let slot = self.round + 1;
        if self.side == 0 {
            self.depth = 2 * self.round as u8 + 1;
            let known = (0..slot).any(|index| same(&self.found[0][index], &self.found[0][slot]));
            if (known && self.round > 0) || self.depth >= self.deepest {
                self.phase = Phase::Done;
                return;
            }
            let [mine, _] = &mut self.work;
            mine.copy_from(&self.found[0][slot]);
            self.plan_for(1);
        } else {
            self.goal = Goal::Payoff;
            self.side = 0;
            // In the first round there is no worth of anything yet, not even of doing nothing.
            self.pairing = (0, if self.round == 0 { 0 } else { slot });
            self.pay();
        }
    }

    fn pay(&mut self) {
        let (mine, his) = self.pairing;
        self.work[0].copy_from(&self.found[0][mine]);
        self.work[1].copy_from(&self.found[1][his]);
        self.enter(Phase::Spare);
    }

    /// On to the next pair of plans: all old ones against the new one of the opponent, then the new one against all.
    pub(super) fn next_payoff(&mut self) {
        let slot = self.round + 1;
        self.pairing = match self.pairing {
            (mine, his) if his == slot && mine < slot => (mine + 1, if mine + 1 == slot { 0 } else { slot }),
            (mine, his) if his < slot => (mine, his + 1),
            _ => {
                self.settle();
                return;
            }
        };
        self.pay();
    }

    /// The round is over: the plan whose worst case is best is the decision so far, and the next round is against the
    /// opponent's answer to it.
    fn settle(&mut self) {
        let slot = self.round + 1;
        let worst = |mine: usize| (0..=slot).map(|his| self.payoff[mine][his]).min().unwrap_or(i32::MIN);
        let mut chosen = 0;
        for mine in 1..=slot {
            if worst(mine) > worst(chosen) {
                chosen = mine;
            }
        }
        self.best_value = worst(chosen);
        let answer = (0..=slot).min_by_key(|&his| self.payoff[chosen][his]).unwrap_or(0);
        self.best.copy_from(&self.found[0][chosen]);
        self.round += 1;
        self.depth = 2 * self.round as u8;
        if self.round == ROUNDS || self.depth >= self.deepest {
            self.phase = Phase::Done;
            return;
        }
        self.work[1].copy_from(&self.found[1][answer]);
        self.plan_for(0);
    }
}

fn same(one: &Plan, other: &Plan) -> bool {
    one.launches() == other.launches()
}
