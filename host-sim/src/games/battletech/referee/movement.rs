//! Moves as they happen: step by step, with the rolls that the ground asks for, and falls.

use rival_core::games::battletech::action::Step;
use rival_core::games::battletech::arcs::Side;
use rival_core::games::battletech::evaluation::moving_heat;
use rival_core::games::battletech::heat::THROUGH_FIRE;
use rival_core::games::battletech::location::shot_location;
use rival_core::games::battletech::map::{Object, Terrain};
use rival_core::games::battletech::mech::{Limb, Mode, hexes_counted};
use rival_core::games::battletech::reach::{Way, jump_heat};
use rival_core::games::battletech::{Action, Facing, Hex, Tile};

use super::Game;
use super::legality::{occupied, price_of};

impl Game {
    /// Does a move that was checked. Afterwards the mech has moved, unless it fell with points left.
    pub(super) fn perform_move(&mut self, who: usize, action: &Action) {
        let start = self.mechs[who].hex;
        self.mechs[who].has_moved = true;
        match action {
            Action::Jump { to, facing } => self.perform_jump(who, *to, *facing),
            Action::Go { run, masc, steps } => {
                if self.mechs[who].spent == 0 {
                    // More than a walk has can only be the one step that is always allowed.
                    let strained = self.profile.minimum_move_runs
                        && price_of(self, who, *run, *masc, steps)
                            .is_ok_and(|price| price > self.mechs[who].walk_points());
                    let mode = if *run || strained { Mode::Run } else { Mode::Walk };
                    self.mechs[who].mode = mode;
                    self.mechs[who].heating += moving_heat(mode, 0);
                }
                let line = format!("  {} {} from {start}", self.names[who], if *run { "runs" } else { "walks" });
                self.dice.say(|| line);
                if *masc && !self.masc_used[who] {
                    self.roll_masc(who);
                }
                self.walk_steps(who, *run, *masc, steps);
            }
            _ => {
                let line = format!("  {} stays at {start}", self.names[who]);
                self.dice.say(|| line);
            }
        }
        let mech = &mut self.mechs[who];
        mech.moved = hexes_counted(self.profile, mech.moved, self.begun[who], mech.hex);
        mech.torso = mech.facing;
        let line = format!("  {} is at {} facing {}", self.names[who], self.mechs[who].hex, self.mechs[who].facing);
        self.dice.say(|| line);
    }

    /// MASC strains more with every turn in a row; a failure breaks both hips.
    fn roll_masc(&mut self, who: usize) {
        let need = i32::from(self.profile.masc_need(self.mechs[who].masc_turns));
        self.mechs[who].masc_turns = self.mechs[who].masc_turns.saturating_add(1);
        self.masc_used[who] = true;
        if !self.dice.test(&format!("{} pushes its MASC", self.names[who]), need) {
            self.mechs[who].masc = false;
            self.mechs[who].legs[0].0 |= Limb::JOINT;
            self.mechs[who].legs[1].0 |= Limb::JOINT;
        }
    }

    fn walk_steps(&mut self, who: usize, run: bool, masc: bool, steps: &[Step]) {
        for step in steps {
            let place = self.mechs[who].place();
            let (spent, fell) = match step {
                Step::Stand(facing) => (2, self.stand_up(who, *facing)),
                Step::Drop => {
                    self.mechs[who].prone = true;
                    (1, false)
                }
                Step::Left | Step::Right => {
                    let sides = if matches!(step, Step::Left) { 5 } else { 1 };
                    self.mechs[who].facing = place.facing.turned(sides);
                    (1, false)
                }
                Step::Forward | Step::Backward => {
                    let way = if matches!(step, Step::Forward) { Way::Forward } else { Way::Backward };
                    let after = place.after(&self.view(), self.profile, way, run);
                    let Some((next, price)) = after else { return };
                    (price, self.enter(who, place.hex, next.hex, way == Way::Forward))
                }
            };
            let mech = &mut self.mechs[who];
            mech.spent = mech.spent.saturating_add(spent);
            if !mech.operational || mech.stuck {
                return;
            }
            let limping = {
                let foot = mech.legs.iter().any(|leg| leg.hit(Limb::END));
                let hip = mech.gyro_hits > 0 || mech.legs.iter().any(|leg| leg.hit(Limb::JOINT));
                if run { hip } else { foot }
            };
            let fell = fell || limping && !mech.prone && self.pilot(who, 0, "a damaged leg");
            if fell {
                let mech = &mut self.mechs[who];
                let points = match (run, masc) {
                    (false, _) => mech.walk_points(),
                    (true, false) => mech.run_points(),
                    (true, true) => mech.masc_points(),
                };
                mech.has_moved = mech.spent >= points || !mech.can_act();
                return;
            }
            let in_place = matches!(step, Step::Stand(_) | Step::Drop);
            if !in_place && self.swamp_holds(who) {
                return;
            }
        }
    }

    /// Tries to stand up. Gives whether it fell over again.
    fn stand_up(&mut self, who: usize, facing: Facing) -> bool {
        let extra = self.mechs[who].standing_modifier();
        if self.profile.stand_heat_by_attempt {
            self.mechs[who].heating += 1;
        }
        let need = self.mechs[who].piloting_need(extra);
        if self.dice.test(&format!("{} stands up", self.names[who]), need) {
            let mech = &mut self.mechs[who];
            mech.prone = false;
            mech.facing = facing;
            mech.heating += u8::from(!self.profile.stand_heat_by_attempt);
            return false;
        }
        self.fall(who, 0, None);
        true
    }

    /// Steps into a hex. Gives whether the mech fell there.
    fn enter(&mut self, who: usize, from: Hex, to: Hex, forward: bool) -> bool {
        let map = self.view();
        let tile = map.tile(to);
        let side = from.side_of(to).unwrap_or(self.mechs[who].facing);
        let linked = map.road_link(from, to, side);
        let drop = (map.tile(from).level() - tile.level()).max(0) as u8;
        self.leave_fire(who);
        self.mechs[who].hex = to;
        self.mechs[who].moved += 1;
        let name = if forward { "steps" } else { "backs" };
        let line = format!("  {} {name} into {to}", self.names[who]);
        self.dice.say(|| line);
        if self.collapses(who, to) {
            self.fall(who, tile.level().max(0) as u8, None);
            return true;
        }
        if tile.rough() && !linked && self.pilot_on(who, 1, "rubble", drop) {
            return true;
        }
        let wet = tile.terrain() == Terrain::Water && tile.level() < 0 || tile.river();
        wet && !linked && self.pilot_on(who, water_modifier(tile.depth()), "water", drop)
    }

    /// Heat of leaving a burning hex.
    fn leave_fire(&mut self, who: usize) {
        if self.view().tile(self.mechs[who].hex).fire() {
            self.mechs[who].heating = self.mechs[who].heating.saturating_add(THROUGH_FIRE);
        }
    }

    /// A building that is weaker than the mech is heavy comes down.
    fn collapses(&mut self, who: usize, hex: Hex) -> bool {
        let index = self.view().index(hex);
        let ground = self.map.ground[index];
        let building = matches!(ground.tile.object(), Object::Building(_)) && !ground.tile.collapsed();
        if !building || ground.factor >= self.mechs[who].tons {
            return false;
        }
        let line = format!("  {} is too heavy for the building in {hex}", self.names[who]);
        self.dice.say(|| line);
        self.collapse(index);
        true
    }

    fn swamp_holds(&mut self, who: usize) -> bool {
        let tile = self.view().tile(self.mechs[who].hex);
        if !is_bog(tile) {
            return false;
        }
        let need = self.mechs[who].piloting_need(0);
        if self.dice.test(&format!("{} keeps its feet free of the swamp", self.names[who]), need) {
            return false;
        }
        self.mechs[who].stuck = true;
        true
    }

    fn perform_jump(&mut self, who: usize, to: Hex, facing: Facing) {
        self.leave_fire(who);
        let mech = &mut self.mechs[who];
        let distance = mech.hex.distance(to);
        mech.mode = Mode::Jump;
        mech.heating += jump_heat(distance);
        mech.moved = distance;
        mech.hex = to;
        mech.facing = facing;
        let broken = mech.gyro_hits > 0
            || mech.legs.iter().any(|leg| leg.hit(Limb::JOINT) || leg.hit(Limb::UPPER) || leg.hit(Limb::LOWER));
        let line = format!("  {} jumps to {to}", self.names[who]);
        self.dice.say(|| line);
        let tile = self.view().tile(to);
        if self.collapses(who, to) {
            self.fall(who, tile.level().max(0) as u8, None);
            return;
        }
        self.mechs[who].stuck = is_bog(tile);
        let wet = tile.depth();
        let fell = broken && self.pilot(who, 0, "landing on a damaged leg")
            || tile.rough() && self.pilot(who, 1, "landing on rubble")
            || wet > 0 && self.pilot(who, water_modifier(wet), "landing in water");
        let _ = fell;
    }

    /// A piloting roll; gives whether the mech fell.
    pub(super) fn pilot(&mut self, who: usize, extra: i8, why: &str) -> bool {
        self.pilot_on(who, extra, why, 0)
    }

    fn pilot_on(&mut self, who: usize, extra: i8, why: &str, levels: u8) -> bool {
        let mech = &self.mechs[who];
        if mech.prone || !mech.operational {
            return false;
        }
        let need = mech.piloting_need(extra) + if mech.shut_down { 99 } else { 0 };
        if self.dice.test(&format!("{} keeps its balance ({why})", self.names[who]), need) {
            return false;
        }
        self.fall(who, levels, None);
        true
    }

    /// A fall where the mech stands.
    pub(super) fn fall(&mut self, who: usize, levels: u8, why: Option<&str>) {
        if !self.mechs[who].operational {
            return;
        }
        let levels = if self.profile.fall_height { levels } else { 0 };
        let die = self.dice.one(&format!(
            "{} falls{}",
            self.names[who],
            why.map_or(String::new(), |why| format!(" ({why})"))
        ));
        let left = |near: bool| if near { 5 } else { 4 };
        let (sides, side) = match die {
            1 => (0, Side::Front),
            2 => (1, Side::Right),
            3 => (2, Side::Right),
            4 => (3, Side::Rear),
            5 => (left(self.profile.fall_left_swapped), Side::Left),
            _ => (left(!self.profile.fall_left_swapped), Side::Left),
        };
        let in_water = self.view().tile(self.mechs[who].hex).depth() > 0;
        let mech = &mut self.mechs[who];
        mech.prone = true;
        mech.facing = mech.facing.turned(sides);
        mech.torso = mech.facing;
        let mut points = u16::from(mech.tons.div_ceil(10)) * (u16::from(levels) + 1);
        if in_water {
            points = points.div_ceil(2);
        }
        while points > 0 && self.mechs[who].operational {
            let group = points.min(5);
            points -= group;
            let roll = self.dice.two("where the fall hurts");
            self.hit(who, side, shot_location(side, roll), group, roll == 2);
        }
        if self.mechs[who].operational {
            let need = 5 + i32::from(levels);
            if !self.dice.test(&format!("the pilot of {} stays unhurt", self.names[who]), need) {
                self.wound(who, 1);
            }
        }
    }

    /// Whether a hex is taken by somebody else.
    pub fn is_taken(&self, who: usize, hex: Hex) -> bool {
        occupied(self, who, hex)
    }
}

/// Whether a mech can sink in: swamp without a road or a building.
const fn is_bog(tile: Tile) -> bool {
    matches!(tile.terrain(), Terrain::Swamp) && tile.roads() == 0 && !matches!(tile.object(), Object::Building(_))
}

/// Piloting modifier of water.
pub(super) const fn water_modifier(depth: u8) -> i8 {
    match depth {
        0 | 1 => -1,
        2 => 0,
        _ => 1,
    }
}
