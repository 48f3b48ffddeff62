//! What shots and blows are worth: expected damage, weighed by what it brings the target closer to losing.
//!
//! The unit is a thousandth of a mech: taking away all of a centre torso, or all of a head, is worth 1000.

use super::arcs::{Arc, Side, arc, side_of_hexside};
use super::attack::{Shooter, Target, location_bears, weapon_modifier};
use super::hex::{Facing, Hex};
use super::location::{Location, punch_location, shot_location};
use super::map::Map;
use super::mech::{MAX_ITEMS, Mech, Mode};
use super::physical::{self, Blow};
use super::profile::Profile;
use super::sight::View;
use crate::search::sort;

/// What is lost with each location, by [`Location::BODY`].
const STAKES: [u32; 8] = [200, 350, 400, 400, 350, 200, 1000, 1000];
/// Weights are kept in sixteenths.
const SCALE: u32 = 16;
/// What a fall costs: being on the ground, standing up, the damage.
pub const FALL: i32 = 70;

/// What two broken hips cost: no more steps.
pub const BROKEN_HIPS: i32 = 600;

/// A mech as it stands, or might stand.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Where.
    pub hex: Hex,
    /// Feet; `None` if it will turn as it likes.
    pub facing: Option<Facing>,
    /// How it got there.
    pub mode: Mode,
    /// Hexes it moved.
    pub moved: u8,
    /// Whether it lies down.
    pub prone: bool,
}

impl Pose {
    /// A mech as it is.
    pub const fn of(mech: &Mech) -> Self {
        Self { hex: mech.hex, facing: Some(mech.facing), mode: mech.mode, moved: mech.moved, prone: mech.prone }
    }
}

/// What is worth knowing of a mech before thousands of positions are weighed.
#[derive(Clone, Copy, Debug)]
pub struct Arsenal {
    /// Weapons that can fire, most damage for their heat first.
    order: [u8; MAX_ITEMS],
    count: u8,
    /// Average damage of a hit, times the outcomes of the dice, by weapon.
    average: [u16; MAX_ITEMS],
    /// Worth of a point of damage from each [`Side`]; then the same where a punch table locates it.
    weights: [u16; 10],
    /// Worth of a point on a leg.
    leg: u16,
    /// Points of a kick, and of the fists that hold no weapon; 0 where there is none.
    kick: u8,
    punches: [u8; 2],
    /// Longest range of a weapon that can fire.
    pub range: u8,
}

impl Arsenal {
    /// An empty one.
    pub const fn new() -> Self {
        Self {
            order: [0; MAX_ITEMS],
            count: 0,
            average: [0; MAX_ITEMS],
            weights: [0; 10],
            leg: 0,
            kick: 0,
            punches: [0; 2],
            range: 0,
        }
    }

    /// Looks a mech over.
    pub fn study(&mut self, profile: &Profile, mech: &Mech) {
        *self = Self::new();
        for ((at, weapon), average) in mech.weapons.iter().enumerate().zip(&mut self.average) {
            let kind = weapon.kind();
            if !mech.can_fire(weapon) || mech.rounds_for(weapon) == Some(0) || kind.damage == 0 {
                continue;
            }
            let loads = mech.bins.iter().filter(|bin| bin.works && !bin.armed && bin.rounds > 0);
            let loads = loads.map(super::mech::Bin::load).filter(|load| load.weapon == kind.code);
            let guided = |load: &super::equipment::Load| load.charge == super::equipment::Charge::Artemis;
            let best = loads.map(|load| kind.load_average(profile, load.charge, guided(load))).max();
            *average = best.unwrap_or_else(|| kind.hit_average(profile)) as u16;
            if let Some(place) = self.order.get_mut(usize::from(self.count)) {
                *place = at as u8;
                self.count += 1;
            }
            self.range = self.range.max(kind.ranges[3]);
        }
        let average = self.average;
        let thrift = |at: u8| {
            let heat = mech.weapons.get(usize::from(at)).map_or(0, |weapon| weapon.kind().heat);
            u32::from(average.get(usize::from(at)).copied().unwrap_or(0)) * 16 / (u32::from(heat) + 1)
        };
        if let Some(order) = self.order.get_mut(..usize::from(self.count)) {
            sort::by_key(order, |&at| (core::cmp::Reverse(thrift(at)), at));
        }
        for (at, side) in [Side::Front, Side::Right, Side::Rear, Side::Left, Side::Lost].into_iter().enumerate() {
            let shots: u32 =
                (2..=12).map(|roll| profile.ways(roll) * stake(profile, mech, shot_location(side, roll as u8))).sum();
            let punches: u32 = (1..=profile.faces).map(|die| stake(profile, mech, punch_location(side, die))).sum();
            self.weights[at] = (shots / profile.outcomes()).min(u32::from(u16::MAX)) as u16;
            self.weights[at + 5] = (punches / u32::from(profile.faces)).min(u32::from(u16::MAX)) as u16;
        }
        let legs = stake(profile, mech, Location::LeftLeg) + stake(profile, mech, Location::RightLeg);
        self.leg = (legs / 2).min(u32::from(u16::MAX)) as u16;
        if physical::limb_ready(mech, Blow::LeftKick) {
            self.kick = physical::damage(mech, Blow::LeftKick).max(physical::damage(mech, Blow::RightKick));
        }
        for (side, blows) in
            [[Blow::LeftPunch, Blow::LeftBlade], [Blow::RightPunch, Blow::RightBlade]].iter().enumerate()
        {
            let armed = mech.weapons.iter().any(|weapon| weapon.location == blows[0].limb() && mech.can_fire(weapon));
            let ready = blows.iter().filter(|&&blow| physical::limb_ready(mech, blow) && !armed);
            self.punches[side] = ready.map(|&blow| physical::damage(mech, blow)).max().unwrap_or(0);
        }
    }

    /// Worth of so many points, given in `outcomes`² ths, on the legs.
    pub fn worth_on_legs(&self, profile: &Profile, expected: u32) -> i32 {
        (expected / SCALE * u32::from(self.leg) / (profile.outcomes() * profile.outcomes())) as i32
    }

    /// Worth of so many points, given in `outcomes`² ths, from a side.
    #[inline]
    pub fn worth(&self, profile: &Profile, expected: u32, side: Side, cover: bool) -> i32 {
        let weight = u32::from(self.weights[side as usize + if cover { 5 } else { 0 }]);
        (expected / SCALE * weight / (profile.outcomes() * profile.outcomes())) as i32
    }
}

impl Default for Arsenal {
    fn default() -> Self {
        Self::new()
    }
}

/// Worth of a point on a location, in sixteenths.
fn stake(profile: &Profile, mech: &Mech, location: Location) -> u32 {
    let life = |location: Location| {
        u32::from(mech.armour[location.index()]) + u32::from(mech.structure[location.body().index()])
    };
    let of = |location: Location| STAKES[location.body().index()] * SCALE / (life(location) + 2);
    if !mech.has(location) {
        // It passes through to the next one inward.
        return location.inward().map_or(0, of);
    }
    if profile.rear_leaks && location.is_rear() {
        // Behind the centre's rear armour damage is lost; behind a side's it goes to the front of the centre.
        return match location {
            Location::CentreRear => {
                if mech.armour[location.index()] > 0 {
                    SCALE
                } else {
                    0
                }
            }
            _ => of(Location::CentreTorso) / 2,
        };
    }
    of(location)
}

/// Heat that a mech can make this turn and end at `limit` at most.
pub fn heat_budget(map: &Map<'_>, mech: &Mech, moving: u8, limit: u8) -> i16 {
    i16::from(mech.cooling(map)) + i16::from(limit)
        - i16::from(mech.heat)
        - i16::from(mech.engine_heat())
        - i16::from(moving)
}

/// Heat of moving so.
pub const fn moving_heat(mode: Mode, distance: u8) -> u8 {
    match mode {
        Mode::Still => 0,
        Mode::Walk => 1,
        Mode::Run => 2,
        Mode::Jump => super::reach::jump_heat(distance),
    }
}

/// What a volley can be expected to do, by the arc in which the target lies; in `outcomes`² ths of a point.
#[expect(clippy::too_many_arguments, reason = "both ends of a shot and what lies between")]
pub fn volley(
    profile: &Profile,
    mech: &Mech,
    arsenal: &Arsenal,
    shooter: &Shooter,
    target: &Target,
    distance: u8,
    terrain: i8,
    budget: i16,
) -> [u32; 4] {
    let base = shooter.modifier() + target.modifier(distance) + terrain;
    let mut sums = [0; 4];
    let mut budgets = [budget; 4];
    let mut arm_used = 0;
    for &at in arsenal.order.iter().take(usize::from(arsenal.count)) {
        let at = usize::from(at);
        let (Some(weapon), Some(&average)) = (mech.weapons.get(at), arsenal.average.get(at)) else { continue };
        let kind = weapon.kind();
        let Some(range) = kind.range_modifier(distance) else { continue };
        if shooter.prone {
            // On the ground: no legs, and one arm only; the first that is worth it.
            let side = match weapon.location {
                Location::LeftArm => 1,
                Location::RightArm => 2,
                Location::LeftLeg | Location::RightLeg => continue,
                _ => 0,
            };
            if side > 0 && (shooter.armless || arm_used != 0 && arm_used != side) {
                continue;
            }
            arm_used |= side;
        }
        let need = base + range + mech.mount_modifier(weapon.location) + weapon_modifier(profile, weapon);
        if need > super::attack::HIGHEST_NEED {
            continue;
        }
        let expected = profile.ways_at_least(i32::from(need)) * u32::from(average);
        let heat = i16::from(kind.heat);
        for arc in [Arc::Front, Arc::Right, Arc::Rear, Arc::Left] {
            if heat <= budgets[arc as usize] && location_bears(weapon.location, weapon.rear, arc) {
                budgets[arc as usize] -= heat;
                sums[arc as usize] += expected;
            }
        }
    }
    sums
}

/// The best of three torsos over feet that point so.
#[inline]
pub fn best_twist(sums: &[u32; 4], from: Hex, feet: Facing, target: Hex) -> u32 {
    [0, 1, 5].into_iter().map(|turn| sums[arc(from, feet.turned(turn), target) as usize]).max().unwrap_or(0)
}

/// The side of a mech that faces a hexside; the front if it may turn as it likes.
#[inline]
pub fn side_met(facing: Option<Facing>, hexside: Option<Facing>) -> Side {
    match (facing, hexside) {
        (_, None) => Side::Lost,
        (None, _) => Side::Front,
        (Some(feet), Some(from)) => side_of_hexside(feet, from),
    }
}

/// What two mechs do to each other from where they stand, for each way the first may face.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchange {
    /// Worth of what the first does, by its facing.
    pub dealt: [i32; 6],
    /// Worth of what it takes, by its facing.
    pub taken: [i32; 6],
}

/// Weighs an exchange between two mechs in their poses.
pub fn exchange(
    profile: &Profile,
    map: &Map<'_>,
    view: &View,
    me: (&Mech, &Arsenal, &Pose),
    enemy: (&Mech, &Arsenal, &Pose),
    budgets: [i16; 2],
) -> Exchange {
    let mut result = Exchange::default();
    let shooter = |mech: &Mech, pose: &Pose| Shooter { mode: pose.mode, prone: pose.prone, ..Shooter::new(mech) };
    let target = |mech: &Mech, pose: &Pose, cover: bool| Target {
        mode: pose.mode,
        moved: pose.moved,
        prone: pose.prone,
        cover,
        ..Target::new(mech)
    };
    if view.clear {
        if view.distance <= me.1.range {
            let at = target(enemy.0, enemy.2, view.cover[1]);
            let sums =
                volley(profile, me.0, me.1, &shooter(me.0, me.2), &at, view.distance, view.terrain[1], budgets[0]);
            let side = side_met(enemy.2.facing, view.side[1]);
            for facing in Facing::ALL {
                let best = best_twist(&sums, me.2.hex, facing, enemy.2.hex);
                result.dealt[usize::from(facing.index())] = enemy.1.worth(profile, best, side, view.cover[1]);
            }
        }
        if view.distance <= enemy.1.range && enemy.0.can_act() {
            let at = target(me.0, me.2, view.cover[0]);
            let sums = volley(
                profile,
                enemy.0,
                enemy.1,
                &shooter(enemy.0, enemy.2),
                &at,
                view.distance,
                view.terrain[0],
                budgets[1],
            );
            let best = match enemy.2.facing {
                Some(feet) => best_twist(&sums, enemy.2.hex, feet, me.2.hex),
                None => sums[Arc::Front as usize],
            };
            for facing in Facing::ALL {
                let side = side_met(Some(facing), view.side[0]);
                result.taken[usize::from(facing.index())] = me.1.worth(profile, best, side, view.cover[0]);
            }
        }
    }
    if view.distance == 1 {
        for facing in Facing::ALL {
            let index = usize::from(facing.index());
            let my_pose = Pose { facing: Some(facing), ..*me.2 };
            result.dealt[index] += blows(profile, map, (me.0, me.1, &my_pose), enemy, view.terrain[1]);
            result.taken[index] += blows(profile, map, enemy, (me.0, me.1, &my_pose), view.terrain[0]);
        }
    }
    result
}

/// Worth of the blows that one mech can strike at its neighbour.
fn blows(
    profile: &Profile,
    map: &Map<'_>,
    attacker: (&Mech, &Arsenal, &Pose),
    target: (&Mech, &Arsenal, &Pose),
    terrain: i8,
) -> i32 {
    let (mech, arsenal, pose) = attacker;
    if pose.prone || !mech.can_act() {
        return 0;
    }
    let all_round = profile.weaponless_all_round && arsenal.count == 0;
    let seen = pose.facing.map_or(Arc::Front, |feet| arc(pose.hex, feet, target.2.hex));
    let rise = i16::from(map.tile(pose.hex).footing()) - i16::from(map.tile(target.2.hex).footing());
    let movement = super::mech::target_movement(target.2.mode, target.2.moved);
    let common = pose.mode.attack_modifier() + movement - 2 * i8::from(target.2.prone) + terrain;
    let side = side_met(target.2.facing, target.2.hex.side_of(pose.hex));
    let odds = |need: i8| profile.ways_at_least(i32::from(need)) as i32;
    let outcomes = profile.outcomes() as i32;
    let mut sum = 0;
    let kicks = arsenal.kick > 0 && (rise == 0 || rise == 1 && !target.2.prone) && (all_round || seen == Arc::Front);
    if kicks {
        let weight = if rise == 1 { target.1.weights[side as usize + 5] } else { target.1.leg };
        let hit = odds(profile.kick_base + common);
        let falls = outcomes - odds(target.0.piloting_need(0) as i8);
        let own = outcomes - odds(mech.piloting_need(0) as i8);
        sum += hit * i32::from(arsenal.kick) * i32::from(weight) / (SCALE as i32 * outcomes);
        if !target.2.prone {
            sum += hit * falls * FALL / (outcomes * outcomes);
        }
        sum -= (outcomes - hit) * own * FALL / (outcomes * outcomes);
        sum = sum.max(0);
    }
    let mut fists = 0;
    if (rise == 0 && !target.2.prone) || rise == -1 {
        let weight = if rise == 0 { target.1.weights[side as usize + 5] } else { target.1.leg };
        for (points, arm) in arsenal.punches.into_iter().zip([Location::LeftArm, Location::RightArm]) {
            if points > 0 && (all_round || location_bears(arm, false, seen)) {
                fists += odds(4 + common) * i32::from(points) * i32::from(weight) / (SCALE as i32 * outcomes);
            }
        }
    }
    if profile.punch_and_kick { sum + fists } else { sum.max(fists) }
}

/// What ending a turn this hot costs: slower, worse aim, a reactor that may go off, ammunition that may blow up.
pub fn heat_price(profile: &Profile, mech: &Mech, heat: u8) -> i32 {
    let slow = match heat {
        0..=4 => 0,
        5..=7 => 8,
        8..=9 => 25,
        10..=12 => 45,
        13 => 70,
        14..=17 => 110,
        _ => 160,
    };
    let outcomes = profile.outcomes() as i32;
    let fail = |need: u8| outcomes - profile.ways_at_least(i32::from(need)) as i32;
    let off = super::heat::shutdown_need(heat).map_or(0, |need| fail(need) * 500 / outcomes);
    let loaded = mech.bins.iter().any(|bin| bin.works && bin.rounds > 0 && bin.blast() > 0);
    let blast =
        super::heat::explosion_need(profile, heat).filter(|_| loaded).map_or(0, |need| fail(need) * 900 / outcomes);
    slow + off + blast
}
