//! Shots and blows: declared first, with their numbers frozen, then resolved.

use rival_core::games::battletech::action::{Aim, Shot};
use rival_core::games::battletech::arcs::{Side, hit_side, side_of_hexside};
use rival_core::games::battletech::attack::{Shooter, Target, jammed, secondary_modifier, weapon_modifier};
use rival_core::games::battletech::equipment::{Charge, Family, Special, cluster_hits};
use rival_core::games::battletech::location::{kick_location, punch_location, shot_location};
use rival_core::games::battletech::mech::{HOTTEST, is_streak};
use rival_core::games::battletech::physical::{self, Blow, Table};
use rival_core::games::battletech::sight::{Eye, line, sight, terrain_modifier};
use rival_core::games::battletech::{Action, Hex, Location, Mech};

use super::Game;

/// Shots of one mech with their numbers.
#[derive(Clone, Debug)]
pub(super) struct Volley {
    who: usize,
    shots: Vec<Declared>,
}

#[derive(Clone, Debug)]
struct Declared {
    shot: Shot,
    need: i32,
    side: Side,
    cover: bool,
}

/// A blow with its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclaredBlow {
    who: usize,
    target: usize,
    blow: Blow,
    need: i32,
    side: Side,
    table: Table,
}

/// What the rounds of a shot add to its number.
fn load_modifier(mech: &Mech, shot: Shot) -> i8 {
    shot.bin.and_then(|bin| mech.bins.get(usize::from(bin))).map_or(0, |bin| bin.load().modifier)
}

impl Game {
    /// The cover that a mech finds for itself against the nearest enemy in its weapon phase.
    pub(super) fn refresh_cover(&mut self, who: usize) {
        let updates = self.mechs[who].can_act() && self.mechs[who].is_armed() || !self.profile.stale_cover;
        if !updates {
            return;
        }
        let me = &self.mechs[who];
        let enemies = self.mechs.iter().enumerate().filter(|(at, other)| *at != who && other.operational);
        let nearest = enemies.min_by_key(|(at, other)| (me.hex.distance(other.hex), *at)).map(|(at, _)| at);
        self.mechs[who].cover = nearest.is_some_and(|at| self.cover_of(who, at));
    }

    /// Partial cover of one mech against another.
    pub fn cover_of(&self, who: usize, against: usize) -> bool {
        let (map, me, other) = (self.view(), &self.mechs[who], &self.mechs[against]);
        let (a, b) = (Eye::new(&map, me.hex, me.prone), Eye::new(&map, other.hex, other.prone));
        sight(&map, self.profile, a, b, &line(&map, self.profile, a, b)).cover
    }

    /// What a shot at a mech needs.
    pub fn shot_need(&self, who: usize, shot: &Shot, target: usize, primary: Option<u8>) -> i32 {
        self.shot_parts(who, shot, target, primary).into_iter().map(|(_, part)| i32::from(part)).sum()
    }

    /// The parts of that number, in words.
    pub fn shot_parts(&self, who: usize, shot: &Shot, target: usize, primary: Option<u8>) -> [(&'static str, i8); 8] {
        let (map, me, other) = (self.view(), &self.mechs[who], &self.mechs[target]);
        let weapon = &me.weapons[usize::from(shot.weapon)];
        let distance = me.hex.distance(other.hex);
        let mut seen = Target::new(other);
        if !self.profile.stale_cover {
            seen.cover = self.cover_of(target, who);
        }
        let secondary = if primary.is_none_or(|at| usize::from(at) == target) {
            0
        } else {
            secondary_modifier(me.hex, me.torso, other.hex)
        };
        [
            ("gunner", Shooter::new(me).modifier()),
            ("target", seen.modifier(distance)),
            ("damage", me.mount_modifier(weapon.location)),
            ("second target", secondary),
            ("rounds", load_modifier(me, *shot)),
            ("pulse", weapon_modifier(self.profile, weapon)),
            ("range", weapon.kind().range_modifier(distance).unwrap_or(50)),
            ("ground", terrain_modifier(&map, self.profile, me.hex, other.hex)),
        ]
    }

    /// Freezes the numbers of a volley that was checked.
    pub(super) fn declare_fire(&mut self, who: usize, action: &Action) -> Volley {
        let mut volley = Volley { who, shots: Vec::new() };
        match action {
            Action::PickUp => {
                let index = self.view().index(self.mechs[who].hex);
                let lying = self.map.ground[index].clubs > 0;
                if lying {
                    self.change_clubs(index, -1);
                }
                self.mechs[who].club = if lying { 1 } else { 2 };
                self.mechs[who].fired = 0xFF; // no blows in the turn in which it bends down
                let what = if lying { "a club" } else { "a tree as a club" };
                let line = format!("  {} picks up {what}", self.names[who]);
                self.dice.say(|| line);
            }
            Action::Fire { primary, shots } => {
                for shot in shots {
                    let (need, side, cover) = match shot.aim {
                        Aim::Mech(at) => {
                            let (me, target) = (&self.mechs[who], &self.mechs[usize::from(at)]);
                            let cover = if self.profile.stale_cover {
                                target.cover
                            } else {
                                self.cover_of(usize::from(at), who)
                            };
                            let side = hit_side(&self.view(), self.profile, me.hex, target.hex, target.facing);
                            (self.shot_need(who, shot, usize::from(at), *primary), side, cover)
                        }
                        Aim::Hex(hex) => (self.hex_need(who, *shot, hex), Side::Front, false),
                    };
                    let me = &mut self.mechs[who];
                    let weapon = me.weapons[usize::from(shot.weapon)];
                    me.fired |= 1 << weapon.location.index();
                    volley.shots.push(Declared { shot: *shot, need, side, cover });
                }
            }
            _ => {}
        }
        volley
    }

    /// What a shot at a hex needs: four less than at a mech, the arc's part of a secondary target, nothing next door.
    pub(super) fn hex_need(&self, who: usize, shot: Shot, hex: Hex) -> i32 {
        let me = &self.mechs[who];
        let weapon = &me.weapons[usize::from(shot.weapon)];
        let distance = me.hex.distance(hex);
        if distance <= 1 {
            return 2;
        }
        let range = i32::from(weapon.kind().range_modifier(distance).unwrap_or(50));
        let terrain = terrain_modifier(&self.view(), self.profile, me.hex, hex);
        i32::from(Shooter::new(me).modifier()) + i32::from(me.mount_modifier(weapon.location)) + range - 4
            + i32::from(terrain)
            + i32::from(secondary_modifier(me.hex, me.torso, hex))
            + i32::from(load_modifier(me, shot))
            + i32::from(weapon_modifier(self.profile, weapon))
    }

    pub(super) fn resolve_volley(&mut self, volley: &Volley) {
        let who = volley.who;
        for declared in &volley.shots {
            let shot = declared.shot;
            let weapon = self.mechs[who].weapons[usize::from(shot.weapon)];
            let kind = weapon.kind();
            let rate = 1 + u8::from(shot.double);
            let what = format!("{} fires its {}", self.names[who], kind.name);
            let hit = self.dice.test(&what, declared.need);
            if !hit && is_streak(kind) {
                continue; // no lock, no launch
            }
            self.mechs[who].heating = self.mechs[who].heating.saturating_add(kind.heat * rate).min(HOTTEST);
            let charge = shot.bin.map_or(Charge::Plain, |bin| {
                let bin = &mut self.mechs[who].bins[usize::from(bin)];
                bin.rounds = bin.rounds.saturating_sub(rate);
                bin.load().charge
            });
            self.spend_one_shot(who, usize::from(shot.weapon));
            if !hit {
                continue;
            }
            match shot.aim {
                Aim::Mech(at) => {
                    let at = usize::from(at);
                    let groups = self.shot_groups(who, shot, charge, at);
                    for points in groups {
                        self.locate_and_hit(at, declared, points);
                    }
                }
                Aim::Hex(hex) => {
                    self.hit_hex(hex, kind, charge);
                }
            }
        }
    }

    fn locate_and_hit(&mut self, target: usize, declared: &Declared, points: u16) {
        if !self.mechs[target].operational {
            return;
        }
        let (location, critical) = if declared.side == Side::Lost {
            (Location::Head, false)
        } else if declared.cover {
            let die = self.dice.one("where it hits above the cover");
            (punch_location(declared.side, die), die == 2 && self.profile.cover_criticals)
        } else {
            let roll = self.dice.two("where it hits");
            (shot_location(declared.side, roll), roll == 2)
        };
        self.hit(target, declared.side, location, points, critical);
    }

    /// Whether missiles find their way better: guided by Artemis, or by a beacon on the target, and by no ECM disturbed.
    pub(super) fn guided(&self, who: usize, charge: Charge, target: usize) -> bool {
        let aided = match charge {
            Charge::Artemis => true,
            Charge::Narc => self.beacons[who][target],
            _ => false,
        };
        aided && !jammed(&self.view(), self.profile, &self.mechs, who, target)
    }

    /// Points of each group of a hit.
    pub(super) fn shot_groups(&mut self, who: usize, shot: Shot, charge: Charge, target: usize) -> Vec<u16> {
        let kind = self.mechs[who].weapons[usize::from(shot.weapon)].kind();
        let damage = u16::from(kind.damage);
        match kind.family {
            Family::Short | Family::Long if kind.shots > 1 => {
                let hits = if is_streak(kind) && !self.profile.streaks_roll {
                    kind.shots
                } else {
                    let roll = self.dice.two("missiles that hit");
                    let guided = self.guided(who, charge, target);
                    cluster_hits(kind.shots, (roll + 2 * u8::from(guided)).min(12))
                };
                if charge == Charge::Inferno {
                    self.set_alight(target, hits); // gel burns, it does not strike
                    return Vec::new();
                }
                let size = if kind.family == Family::Short { 1 } else { 5 };
                let groups = (0..hits).step_by(size).map(|from| u16::from((hits - from).min(size as u8)) * damage);
                groups.collect()
            }
            Family::Scatter if charge == Charge::Cluster => {
                let roll = self.dice.two("pellets that hit");
                let hits = cluster_hits(kind.shots, roll);
                if self.profile.lbx_sum {
                    // The program counts its groups by pellets but fills them as if they were groups of five.
                    (0..hits).map(|from| u16::from((hits - from).min(5))).collect()
                } else {
                    vec![1; usize::from(hits)]
                }
            }
            Family::Ballistic if shot.double && kind.special == Special::Ultra => {
                let roll = self.dice.two("shells that hit");
                if roll == 2 {
                    self.mechs[who].weapons[usize::from(shot.weapon)].works = false;
                    let line = format!("  the {} of {} jams", kind.name, self.names[who]);
                    self.dice.say(|| line);
                }
                vec![damage; usize::from(cluster_hits(2, roll))]
            }
            _ if kind.special == Special::Narc => {
                self.beacons[who][target] = true;
                let line = format!("  a beacon sticks to {}", self.names[target]);
                self.dice.say(|| line);
                Vec::new()
            }
            _ => vec![damage],
        }
    }

    /// Freezes the numbers of blows that were checked.
    pub(super) fn declare_blows(&mut self, who: usize, action: &Action) -> Vec<DeclaredBlow> {
        let Action::Strike(blows) = action else { return Vec::new() };
        let map = self.view();
        let freeze = |&(blow, target): &(Blow, u8)| {
            let target = usize::from(target);
            let (me, other) = (&self.mechs[who], &self.mechs[target]);
            let side = other.hex.side_of(me.hex).map_or(Side::Front, |from| side_of_hexside(other.facing, from));
            let need = i32::from(physical::need(self.profile, &map, me, other, blow));
            DeclaredBlow { who, target, blow, need, side, table: physical::table(&map, me, other, blow) }
        };
        blows.iter().map(freeze).collect()
    }

    pub(super) fn resolve_blow(&mut self, declared: DeclaredBlow) {
        let DeclaredBlow { who, target, blow, need, side, table } = declared;
        let hit = self.dice.test(&format!("{} strikes at {} ({blow:?})", self.names[who], self.names[target]), need);
        if blow == Blow::Club && self.mechs[who].club == 2 {
            self.mechs[who].club = 0; // a tree breaks
        }
        if !hit {
            if blow.is_kick() {
                self.pending.push((who, 0, "its own missed kick"));
            }
            return;
        }
        let points = u16::from(physical::damage(&self.mechs[who], blow));
        if self.mechs[target].operational {
            let (location, critical) = match table {
                Table::Punch => (punch_location(side, self.dice.one("where the blow lands")), false),
                Table::Kick => (kick_location(self.profile, side, self.dice.one("which leg")), false),
                Table::Full => {
                    let roll = self.dice.two("where the blow lands");
                    (shot_location(side, roll), roll == 2)
                }
            };
            self.hit(target, side, location, points, critical);
        }
        if blow.is_kick() {
            self.pending.push((target, 0, "a kick"));
        }
    }

    /// Piloting rolls that a phase left behind.
    pub(super) fn settle_piloting(&mut self) {
        let mut due = core::mem::take(&mut self.pending);
        if self.profile.roll_for_twenty {
            let hurt = (0..self.mechs.len()).filter(|&who| self.mechs[who].hurt >= 20 && self.mechs[who].hurt < 200);
            due.extend(hurt.map(|who| (who, 0, "twenty points of damage")).collect::<Vec<_>>());
            for mech in &mut self.mechs {
                if mech.hurt >= 20 && mech.hurt < 200 {
                    mech.hurt = 200; // rolled once a turn; still counts as twenty and more
                }
            }
        }
        for (who, extra, why) in due {
            self.pilot(who, extra, why);
        }
    }
}
