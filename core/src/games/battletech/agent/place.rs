//! What a place in reach is worth against the enemies as they stand.

use super::{BattletechAgent, CANDIDATES, Tables, WARM};
use crate::games::battletech::evaluation::{BROKEN_HIPS, Exchange, FALL, Pose, exchange, heat_budget, moving_heat};
use crate::games::battletech::hex::{Facing, Hex};
use crate::games::battletech::map::{Map, Terrain};
use crate::games::battletech::mech::{Limb, Mode, hexes_counted};
use crate::games::battletech::profile::Profile;
use crate::games::battletech::reach::{Place, Reach, Start, Way, jump_clears};
use crate::games::battletech::sight::{Eye, View, view};
use crate::games::battletech::state::MAX_MECHS;

/// A place to go to, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) hex: Hex,
    pub(super) facing: Facing,
    pub(super) mode: Mode,
    pub(super) moved: u8,
    pub(super) value: i32,
    /// Facings that can be had there, one bit each.
    pub(super) facings: u8,
    /// What does not depend on the enemy: risk, heat.
    pub(super) fixed: i32,
}

impl Candidate {
    pub(super) const NONE: Self = Self {
        hex: Hex::new(0, 0),
        facing: Facing::NORTH,
        mode: Mode::Still,
        moved: 0,
        value: i32::MIN,
        facings: 0,
        fixed: 0,
    };
}

impl BattletechAgent {
    /// Weighs a hex for every way to get there and every facing. Gives whether it was in reach at all.
    pub(super) fn weigh_hex(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, hex: Hex) -> bool {
        let profile = self.state.head.profile();
        let me = self.state.me();
        let base = map.index(hex) * 6;
        let facings = |reach: &Reach<'_>| (0..6).filter(|&f| reach.reached(base + f)).fold(0_u8, |set, f| set | 1 << f);
        let here = hex == me.hex;
        let mut ways: heapless::Vec<(Mode, u8), 4> = heapless::Vec::new();
        if here && me.spent == 0 {
            let _ = ways.push((Mode::Still, 1 << me.facing.index()));
        }
        for (mode, reach) in [(Mode::Walk, &tables.walk), (Mode::Run, &tables.run)] {
            let set = facings(reach);
            // Getting up with too few points is the minimum move: only before any were spent.
            let points = Self::points(me, mode);
            let rises = self.start.rise != 2 || points >= 2 || me.spent == 0;
            if set != 0 && points > 0 && rises {
                let _ = ways.push((mode, set));
            }
        }
        let jump = if me.spent == 0 { me.jump_points(map) } else { 0 };
        if jump > 0
            && me.hex.distance(hex) <= jump
            && !here
            && !Self::blocked(&self.state, profile, self.state.head.me, hex)
            && jump_clears(map, profile, me.hex, hex, jump)
        {
            let _ = ways.push((Mode::Jump, 0b11_1111));
        }
        if ways.is_empty() {
            return false;
        }
        let mut views = [View::default(); MAX_MECHS];
        let mut low = false;
        let (to_go, caution) = (self.left_to_go(hex), self.caution());
        let mut weighed = 0;
        for &(mode, set) in &ways {
            let prone = me.prone && (mode == Mode::Still || self.grounded());
            if prone != low {
                // From the ground a mech sees less than when it stands.
                (views, low) = ([View::default(); MAX_MECHS], prone);
            }
            let moved = match mode {
                Mode::Still => 0,
                Mode::Jump => me.hex.distance(hex),
                Mode::Walk | Mode::Run => {
                    let reach = if mode == Mode::Run { &tables.run } else { &tables.walk };
                    let most = (0..6).filter(|f| set >> f & 1 != 0).map(|f| reach.hexes_moved(base + f)).max();
                    hexes_counted(profile, most.unwrap_or(0), me.hex, hex)
                }
            };
            let pose = Pose { hex, facing: None, mode, moved, prone };
            let heat = moving_heat(mode, me.hex.distance(hex));
            let budget = heat_budget(map, me, heat, WARM);
            let mut best_dealt = [0; 6];
            let mut taken = [0; 6];
            for ((at, enemy), seen) in (0..).zip(&self.state.mechs).zip(&mut views) {
                if at == self.state.head.me || !enemy.operational {
                    continue;
                }
                if seen.distance == 0 {
                    let eye = Eye::new(map, hex, prone);
                    *seen = view(map, profile, eye, Eye::new(map, enemy.hex, enemy.prone));
                }
                let found = self.meet(map, seen, pose, at, None, budget);
                for f in 0..6 {
                    best_dealt[f] = best_dealt[f].max(found.dealt[f]);
                    taken[f] += found.taken[f];
                }
                weighed += 1;
            }
            let reach = if mode == Mode::Run { &tables.run } else { &tables.walk };
            let mut top = Candidate { hex, mode, moved, facings: set, ..Candidate::NONE };
            for facing in Facing::ALL {
                let f = usize::from(facing.index());
                if set >> f & 1 == 0 {
                    continue;
                }
                let risk = self.risk(map, profile, reach, hex, facing, mode);
                let fixed = self.standing(map, to_go, hex, best_dealt[f]) - risk - 2 * i32::from(heat);
                let value = best_dealt[f] - taken[f] * caution / 10 + fixed;
                if value > top.value {
                    top = Candidate { facing, value, fixed, ..top };
                }
            }
            if top.value > self.best.value {
                self.best = top;
            }
            keep(&mut self.candidates, top);
        }
        self.weighed += weighed;
        true
    }

    /// The exchange with one enemy, as it stands or in the pose of a reply.
    pub(super) fn meet(
        &self,
        map: &Map<'_>,
        view: &View,
        pose: Pose,
        at: u8,
        reply: Option<Pose>,
        budget: i16,
    ) -> Exchange {
        let profile = self.state.head.profile();
        let enemy = self.state.mech(at);
        let theirs = reply.unwrap_or_else(|| {
            if enemy.has_moved || !enemy.can_act() {
                Pose::of(enemy)
            } else {
                // It will turn to face whom it likes, and has probably walked a little.
                Pose { facing: None, mode: Mode::Walk, moved: 2, ..Pose::of(enemy) }
            }
        });
        let their_budget = heat_budget(map, enemy, moving_heat(theirs.mode, theirs.moved), WARM);
        let me = (self.state.me(), self.arsenal(self.state.head.me), &pose);
        exchange(profile, map, view, me, (enemy, self.arsenal(at), &theirs), [budget, their_budget])
    }

    /// What a place is worth by itself: near enough to fight, out of water that hides the weapons.
    fn standing(&self, map: &Map<'_>, to_go: i32, hex: Hex, dealt: i32) -> i32 {
        let enemy = self.state.mech(self.nearest);
        let straight = i32::from(hex.distance(enemy.hex));
        let level = i32::from(map.tile(hex).level().clamp(-2, 4));
        let pull = if dealt > 0 { 1 } else { 4 };
        level * 2 - pull * (to_go + 2 * straight) / 2
    }

    /// What the way to a place risks: falls, swamps.
    fn risk(&self, map: &Map<'_>, profile: &Profile, reach: &Reach<'_>, hex: Hex, facing: Facing, mode: Mode) -> i32 {
        let me = self.state.me();
        let outcomes = profile.outcomes() as i32;
        let fails = |extra: i8| outcomes - profile.ways_at_least(me.piloting_need(extra)) as i32;
        let ground = |hex: Hex| {
            let tile = map.tile(hex);
            let mut price = 0;
            if tile.rough() {
                price += fails(1) * FALL;
            }
            if tile.depth() > 0 {
                price += fails(if tile.depth() == 1 { -1 } else { 0 }) * FALL;
            }
            if tile.terrain() == Terrain::Swamp && tile.roads() == 0 {
                price += if mode == Mode::Jump { outcomes * FALL } else { fails(0) * FALL };
            }
            let factor = tile.object().full_factor();
            if factor > 0 && !tile.collapsed() && factor < me.tons {
                price += outcomes * FALL * 2;
            }
            if tile.fire() {
                price += outcomes * 40;
            }
            price
        };
        let mut sum = 0;
        match mode {
            Mode::Still => return if me.prone { FALL } else { 0 },
            Mode::Jump => {
                sum += ground(hex);
                if me.gyro_hits > 0 || me.legs.iter().any(|leg| leg.0 & 7 != 0) {
                    sum += fails(0) * FALL;
                }
            }
            Mode::Walk | Mode::Run => {
                let lame_step = if mode == Mode::Run {
                    me.gyro_hits > 0 || me.legs.iter().any(|leg| leg.hit(Limb::JOINT))
                } else {
                    me.legs.iter().any(|leg| leg.hit(Limb::END))
                };
                let start = Start { rise: if self.grounded() { 0 } else { self.start.rise }, ..self.start };
                reach.walk_back(map, start, Place { hex, facing }, |way, place| {
                    if matches!(way, Way::Forward | Way::Backward) {
                        sum += ground(place.hex);
                    }
                    if lame_step {
                        sum += fails(0) * FALL;
                    }
                    true
                });
                let index = Place { hex, facing }.index(map);
                if mode == Mode::Run && reach.cost.get(index).is_some_and(|&cost| self.needs_masc(cost)) {
                    let breaks = outcomes - profile.ways_at_least(i32::from(profile.masc_need(me.masc_turns))) as i32;
                    sum += breaks * BROKEN_HIPS;
                }
                if self.start.rise == 2 {
                    // It falls again, and lies where it was.
                    sum += fails(me.standing_modifier()) * 2 * FALL;
                }
                if self.grounded() {
                    sum += outcomes * FALL;
                }
            }
        }
        sum / outcomes
    }
}

/// Keeps a candidate if it is among the best.
fn keep(candidates: &mut heapless::Vec<Candidate, CANDIDATES>, candidate: Candidate) {
    if candidate.value == i32::MIN {
        return;
    }
    if candidates.is_full() {
        if candidates.last().is_some_and(|last| last.value >= candidate.value) {
            return;
        }
        candidates.pop();
    }
    let at = candidates.iter().position(|other| other.value < candidate.value).unwrap_or(candidates.len());
    let _ = candidates.insert(at, candidate);
}
