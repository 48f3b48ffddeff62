//! What the best places are worth when an enemy that has yet to move answers.

use super::place::Candidate;
use super::{BattletechAgent, REPLIES, Stage, Tables, WARM};
use crate::games::battletech::evaluation::{Pose, heat_budget, moving_heat};
use crate::games::battletech::hex::{Facing, Hex};
use crate::games::battletech::map::Map;
use crate::games::battletech::mech::{Mode, hexes_counted};
use crate::games::battletech::reach::{FAR, jump_clears};
use crate::games::battletech::sight::{Eye, view};

/// A place where an enemy may end its move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    hex: Hex,
    mode: Mode,
    moved: u8,
}

impl BattletechAgent {
    /// Picks the places where the enemy may end its move: evenly over those in its reach.
    pub(super) fn gather(&mut self, map: &Map<'_>, tables: &Tables<'_>) {
        let foe = self.state.mech(self.foe);
        let profile = self.state.head.profile();
        let walk = foe.walk_points();
        let jump = foe.jump_points(map);
        let answer = |hex: Hex| -> Option<Answer> {
            let base = map.index(hex) * 6;
            let cheapest = (0..6).filter_map(|f| tables.foe.cost.get(base + f)).min().copied().unwrap_or(FAR);
            if cheapest != FAR {
                let mode = match cheapest {
                    0 => Mode::Still,
                    cost if cost <= walk => Mode::Walk,
                    _ => Mode::Run,
                };
                let moved = (0..6).map(|f| tables.foe.hexes_moved(base + f)).max().unwrap_or(0);
                let moved =
                    if mode == Mode::Still { 0 } else { hexes_counted(profile, moved.min(cheapest), foe.hex, hex) };
                return Some(Answer { hex, mode, moved });
            }
            let distance = foe.hex.distance(hex);
            let jumps = jump > 0 && distance <= jump && !Self::blocked(&self.state, profile, self.foe, hex);
            (jumps && jump_clears(map, profile, foe.hex, hex, jump)).then_some(Answer {
                hex,
                mode: Mode::Jump,
                moved: distance,
            })
        };
        let count = map.hexes().filter(|&hex| answer(hex).is_some()).count();
        let stride = count.div_ceil(REPLIES).max(1);
        let mut seen = 0;
        for hex in map.hexes() {
            if let Some(answer) = answer(hex) {
                if seen % stride == 0 {
                    let _ = self.replies.push(answer);
                }
                seen += 1;
            }
        }
    }

    /// Weighs one candidate against one reply.
    pub(super) fn weigh_reply(&mut self, map: &Map<'_>, number: usize, reply: usize) {
        let profile = self.state.head.profile();
        let (Some(&candidate), Some(&answer)) = (self.candidates.get(number), self.replies.get(reply)) else {
            self.stage = Stage::Done;
            return;
        };
        let (me, caution) = (self.state.me(), self.caution());
        if answer.hex != candidate.hex {
            let prone = me.prone && (candidate.mode == Mode::Still || self.grounded());
            let pose = Pose { hex: candidate.hex, facing: None, mode: candidate.mode, moved: candidate.moved, prone };
            let theirs = Pose { hex: answer.hex, facing: None, mode: answer.mode, moved: answer.moved, prone: false };
            let seen = view(map, profile, Eye::new(map, pose.hex, prone), Eye::new(map, theirs.hex, false));
            let budget = heat_budget(map, me, moving_heat(pose.mode, me.hex.distance(pose.hex)), WARM);
            let found = self.meet(map, &seen, pose, self.foe, Some(theirs), budget);
            for f in 0..6 {
                let net = found.dealt[f] - found.taken[f] * caution / 10;
                self.total[f] += net;
                self.worst[f] = self.worst[f].min(net);
            }
            self.weighed += 1;
        }
        if reply + 1 < self.replies.len() {
            self.stage = Stage::Reply(number as u8, reply as u8 + 1);
            return;
        }
        let count = self.replies.len().max(1) as i32;
        if number == 0 {
            // From here on the replies count. Until now the best place was the best against enemies that stand still.
            self.best.value = i32::MIN;
        }
        for facing in Facing::ALL {
            let f = usize::from(facing.index());
            if candidate.facings >> f & 1 == 0 || self.worst[f] == i32::MAX {
                continue;
            }
            // Against the enemy as it stands, against its average place, and against its best one.
            let replies = i32::midpoint(self.total[f] / count, self.worst[f]);
            let value = (replies * 2 + candidate.value - candidate.fixed) / 3 + candidate.fixed;
            if value > self.best.value {
                self.best = Candidate { facing, value, ..candidate };
            }
        }
        (self.total, self.worst) = ([0; 6], [i32::MAX; 6]);
        self.stage = if number + 1 < self.candidates.len() { Stage::Reply(number as u8 + 1, 0) } else { Stage::Done };
    }
}
