//! The decisions that need no search over places: the torso, the volley, the blows, the end of the turn.

use super::action::{Action, Aim, Bins, Blows, Shot, Shots};
use super::arcs::{Side, hit_side};
use super::attack::{
    HIGHEST_NEED, MAX_HEAT, Offer, Selection, Shooter, Target, bears, secondary_modifier, weapon_modifier,
};
use super::evaluation::{Arsenal, FALL, heat_price};
use super::hex::Facing;
use super::location::Location;
use super::map::Map;
use super::mech::{MAX_ITEMS, Mech};
use super::physical::{self, Blow};
use super::profile::Profile;
use super::sight::{Eye, line, sight, terrain_modifier};
use super::state::{MAX_MECHS, State};
use crate::search::sort;

/// What the to-hit numbers of all weapons against one enemy share.
#[derive(Clone, Copy, Debug)]
struct Prospect {
    clear: bool,
    my_cover: bool,
    cover: bool,
    distance: u8,
    /// Shooter, target and terrain together.
    base: i8,
    side: Side,
}

/// A volley and what it is worth.
#[derive(Clone, Debug)]
pub struct FirePlan {
    /// Worth of the damage less the price of the heat.
    pub value: i32,
    /// The shots.
    pub shots: Shots,
    /// The primary target.
    pub primary: Option<u8>,
    /// Plans compared.
    pub weighed: u32,
}

impl FirePlan {
    /// No shots.
    pub const fn none() -> Self {
        Self { value: 0, shots: Shots::new(), primary: None, weighed: 0 }
    }
}

fn look(map: &Map<'_>, profile: &Profile, me: &Mech, enemy: &Mech) -> Prospect {
    let (from, to) = (Eye::new(map, me.hex, me.prone), Eye::new(map, enemy.hex, enemy.prone));
    let seen = sight(map, profile, from, to, &line(map, profile, from, to));
    let distance = me.hex.distance(enemy.hex);
    let mut target = Target::new(enemy);
    if !profile.stale_cover {
        target.cover = sight(map, profile, to, from, &line(map, profile, to, from)).cover;
    }
    let terrain = terrain_modifier(map, profile, me.hex, enemy.hex);
    Prospect {
        clear: seen.clear && enemy.operational,
        my_cover: seen.cover,
        cover: target.cover,
        distance,
        base: Shooter::new(me).modifier() + target.modifier(distance) + terrain,
        side: hit_side(map, profile, me.hex, enemy.hex, enemy.facing),
    }
}

/// The bin from which a weapon would fire: the first that has a round for it beyond those taken already.
fn bin_for(mech: &Mech, code: u16, taken: &[u8; MAX_ITEMS]) -> Option<usize> {
    mech.bins
        .iter()
        .zip(taken)
        .position(|(bin, &taken)| bin.works && !bin.armed && bin.load().weapon == code && bin.rounds > taken)
}

/// The best volley of the mech that decides, with its torso turned so.
///
/// For every primary target, every choice of arms kept free for fists, and on the ground every arm to lean on: the exact
/// best subset of weapons at each heat, its worth less the price of the heat.
pub fn best_fire(
    map: &Map<'_>,
    state: &State,
    arsenals: &[Arsenal; MAX_MECHS],
    torso: Facing,
    selection: &mut Selection,
) -> FirePlan {
    let (profile, me) = (state.head.profile(), state.me());
    let mut best = FirePlan::none();
    if !me.can_act() || !me.is_armed() {
        return best;
    }
    let count = state.mechs.len().min(MAX_MECHS);
    let mut prospects = [None; MAX_MECHS];
    for (at, enemy) in state.mechs.iter().enumerate().take(count) {
        if at != usize::from(state.head.me) && enemy.operational {
            prospects[at] = Some(look(map, profile, me, enemy)).filter(|prospect| prospect.clear);
        }
    }
    let (left, right) = (me.has(Location::LeftArm), me.has(Location::RightArm));
    if me.prone && !left && !right {
        return best;
    }
    for primary in 0..count {
        if prospects[primary].is_none() {
            continue;
        }
        // Bit 0: the left arm does not fire, bit 1: the right arm does not.
        for idle in 0..4_u8 {
            let leans = match (left, right) {
                (true, true) => idle != 0,
                _ => idle == 3,
            };
            if me.prone && !leans {
                continue;
            }
            let fists = if me.prone { 0 } else { fists_worth(map, state, arsenals, primary, torso, idle) };
            if idle != 0 && !me.prone && fists == 0 {
                continue;
            }
            weigh(map, state, arsenals, torso, &prospects, primary, idle, fists, selection, &mut best);
        }
    }
    best
}

#[expect(clippy::too_many_arguments, reason = "one inner step of the loop above")]
fn weigh(
    map: &Map<'_>,
    state: &State,
    arsenals: &[Arsenal; MAX_MECHS],
    torso: Facing,
    prospects: &[Option<Prospect>; MAX_MECHS],
    primary: usize,
    idle: u8,
    fists: i32,
    selection: &mut Selection,
    best: &mut FirePlan,
) {
    let (profile, me) = (state.head.profile(), state.me());
    *selection = Selection::new();
    best.weighed += 1;
    let mut aims = [0_u8; MAX_ITEMS];
    for (index, weapon) in me.weapons.iter().enumerate() {
        let kind = weapon.kind();
        let kept = weapon.location == Location::LeftArm && idle & 1 != 0
            || weapon.location == Location::RightArm && idle & 2 != 0
            || me.prone && weapon.location.is_leg();
        if kept || !me.can_fire(weapon) {
            continue;
        }
        let load = if kind.needs_bin() {
            match bin_for(me, kind.code, &[0; MAX_ITEMS]) {
                Some(bin) => me.bins[bin].load().modifier,
                None => continue,
            }
        } else {
            0
        };
        let mut worth = 0;
        for (at, prospect) in prospects.iter().enumerate() {
            let Some(prospect) = prospect else { continue };
            let enemy = &state.mechs[at];
            let Some(range) = kind.range_modifier(prospect.distance) else { continue };
            if !bears(weapon, me.hex, me.facing, torso, enemy.hex) || prospect.my_cover && weapon.location.is_leg() {
                continue;
            }
            let secondary = if at == primary { 0 } else { secondary_modifier(me.hex, torso, enemy.hex) };
            let need = prospect.base
                + range
                + secondary
                + load
                + me.mount_modifier(weapon.location)
                + weapon_modifier(profile, weapon);
            if need > HIGHEST_NEED {
                continue;
            }
            let expected = profile.ways_at_least(i32::from(need)) * kind.hit_average(profile);
            // Sixteen times finer than the unit, so that small shots do not round to nothing.
            let here = arsenals[at].worth(profile, expected * 16, prospect.side, prospect.cover);
            if here > worth {
                worth = here;
                aims[index] = at as u8;
            }
        }
        // A round is worth something too: a shot that hardly ever hits is not worth its ammunition.
        let price = if kind.needs_bin() && me.rounds_for(weapon).is_some_and(|rounds| rounds < 6) { 16 } else { 0 };
        selection.offer(index, Offer { heat: kind.heat, worth: (worth - price).max(0) as u32 });
    }
    let cooling = me.cooling(map);
    let made = me.heating.saturating_add(me.engine_heat());
    let mut top: Option<(i32, u8)> = None;
    for cap in 0..=MAX_HEAT as u8 {
        if cap > 0 && selection.worth(cap) == selection.worth(cap - 1) {
            continue;
        }
        let heat = super::heat::after(me.heat, made.saturating_add(cap), cooling);
        let value = (selection.worth(cap) / 16) as i32 - heat_price(profile, me, heat) + fists;
        if top.is_none_or(|(best, _)| value > best) {
            top = Some((value, cap));
        }
    }
    let Some((value, cap)) = top else { return };
    if best.primary.is_some() && value <= best.value {
        return;
    }
    let chosen = selection.chosen(cap);
    let mut taken = [0_u8; MAX_ITEMS];
    best.value = value;
    best.primary = Some(primary as u8);
    best.shots.clear();
    for (index, weapon) in me.weapons.iter().enumerate() {
        if chosen >> index & 1 == 0 {
            continue;
        }
        let kind = weapon.kind();
        let bin = if kind.needs_bin() {
            let Some(bin) = bin_for(me, kind.code, &taken) else { continue };
            taken[bin] += 1;
            Some(bin as u8)
        } else {
            None
        };
        let _ = best.shots.push(Shot { weapon: index as u8, bin, double: false, aim: Aim::Mech(aims[index]) });
    }
    // The primary target must be one that is shot at.
    if let Some(first) = best.shots.first()
        && !best.shots.iter().any(|shot| shot.aim == Aim::Mech(primary as u8))
        && let Aim::Mech(at) = first.aim
    {
        best.primary = Some(at);
    }
}

/// Worth of punching with the arms that are idle.
fn fists_worth(
    map: &Map<'_>,
    state: &State,
    arsenals: &[Arsenal; MAX_MECHS],
    target: usize,
    torso: Facing,
    idle: u8,
) -> i32 {
    let (profile, me) = (state.head.profile(), state.me());
    let enemy = &state.mechs[target];
    if idle == 0 || me.hex.distance(enemy.hex) != 1 {
        return 0;
    }
    let mut sum = 0;
    for (bit, blow) in [Blow::LeftPunch, Blow::RightPunch].into_iter().enumerate() {
        let loaded = me.weapons.iter().any(|weapon| weapon.location == blow.limb() && me.can_fire(weapon));
        if idle >> bit & 1 == 0 || !loaded {
            continue;
        }
        // The check looks at the torso as it is; the reaction phase asks about other torsos, where this is a guess.
        if torso == me.torso && physical::check(profile, map, me, enemy, blow).is_err() {
            continue;
        }
        if let Some(worth) = blow_worth(map, state, arsenals, target, blow) {
            sum += worth;
        }
    }
    sum
}

/// Worth of a blow; `None` if it needs more than twelve.
fn blow_worth(map: &Map<'_>, state: &State, arsenals: &[Arsenal; MAX_MECHS], target: usize, blow: Blow) -> Option<i32> {
    let (profile, me) = (state.head.profile(), state.me());
    let enemy = &state.mechs[target];
    let terrain = terrain_modifier(map, profile, me.hex, enemy.hex);
    let need = physical::need_on(profile, me, enemy, blow, terrain);
    if need > HIGHEST_NEED {
        return None;
    }
    let ways = profile.ways_at_least(i32::from(need));
    let outcomes = profile.outcomes();
    let side = super::evaluation::side_met(Some(enemy.facing), enemy.hex.side_of(me.hex));
    let expected = ways * outcomes * u32::from(physical::damage(me, blow));
    let worth = match physical::table(map, me, enemy, blow) {
        physical::Table::Kick => arsenals[target].worth_on_legs(profile, expected),
        physical::Table::Punch => arsenals[target].worth(profile, expected, side, true),
        physical::Table::Full => arsenals[target].worth(profile, expected, side, false),
    };
    if !blow.is_kick() {
        return Some(worth);
    }
    let (ways, outcomes) = (ways as i32, outcomes as i32);
    let falls = |mech: &Mech| outcomes - profile.ways_at_least(mech.piloting_need(0)) as i32;
    let throws = if enemy.prone { 0 } else { ways * falls(enemy) * FALL / (outcomes * outcomes) };
    let risk = (outcomes - ways) * falls(me) * FALL / (outcomes * outcomes);
    Some(worth + throws - risk)
}

/// The torso that lets the best volley be fired.
pub fn best_twist(
    map: &Map<'_>,
    state: &State,
    arsenals: &[Arsenal; MAX_MECHS],
    selection: &mut Selection,
) -> (i8, i32, u32) {
    let me = state.me();
    let mut best = (0, i32::MIN, 0);
    for sides in [0, -1, 1_i8] {
        let torso = me.facing.turned((6 + sides) as u8 % 6);
        let plan = best_fire(map, state, arsenals, torso, selection);
        best.2 += plan.weighed;
        // Where nothing is to be shot at, look at the nearest enemy.
        let near =
            state.mechs.iter().enumerate().filter(|(at, enemy)| *at != usize::from(state.head.me) && enemy.operational);
        let near = near.min_by_key(|(at, enemy)| (me.hex.distance(enemy.hex), *at)).map(|(_, enemy)| enemy.hex);
        let ahead = near.is_some_and(|hex| super::arcs::arc(me.hex, torso, hex) == super::arcs::Arc::Front);
        let value = plan.value * 2 + i32::from(ahead);
        if value > best.1 {
            (best.0, best.1) = (sides, value);
        }
    }
    best
}

/// The best blows: every compatible combination, kicks with the risk of their own miss.
pub fn best_blows(map: &Map<'_>, state: &State, arsenals: &[Arsenal; MAX_MECHS]) -> (Blows, i32) {
    let (profile, me) = (state.head.profile(), state.me());
    let mut offers: heapless::Vec<(Blow, u8, i32), 32> = heapless::Vec::new();
    for (at, enemy) in state.mechs.iter().enumerate() {
        if at == usize::from(state.head.me) || !enemy.operational || me.hex.distance(enemy.hex) != 1 {
            continue;
        }
        for blow in Blow::ALL {
            if physical::check(profile, map, me, enemy, blow).is_ok()
                && let Some(worth) = blow_worth(map, state, arsenals, at, blow)
                && worth > 0
            {
                let _ = offers.push((blow, at as u8, worth));
            }
        }
    }
    let mut best = (Blows::new(), 0);
    // All sets of up to four of at most 32 offers would be many; but limbs exclude each other, so that starting from
    // each offer and adding the best that still fits finds every maximal set of distinct limbs.
    sort::by_key(&mut offers, |&(blow, at, worth)| (core::cmp::Reverse(worth), at, blow.limbs()));
    for first in 0..offers.len() {
        let mut set = Blows::new();
        let mut chosen: heapless::Vec<Blow, 4> = heapless::Vec::new();
        let mut sum = 0;
        for &(blow, at, worth) in core::iter::once(&offers[first]).chain(&offers) {
            if !chosen.is_full() && physical::compatible(profile, &chosen, blow) {
                let _ = chosen.push(blow);
                let _ = set.push((blow, at));
                sum += worth;
            }
        }
        if sum > best.1 {
            best = (set, sum);
        }
    }
    best
}

/// The end of the turn: all sinks on, and ammunition overboard that no weapon can fire any more.
pub fn best_end(state: &State) -> Action {
    let me = state.me();
    let mut eject = Bins::new();
    for (at, bin) in me.bins.iter().enumerate() {
        let wanted = me.weapons.iter().any(|weapon| me.can_fire(weapon) && weapon.kind().code == bin.load().weapon);
        if bin.works && !bin.armed && bin.rounds > 0 && bin.blast() > 0 && !wanted {
            let _ = eject.push(at as u8);
        }
    }
    Action::End { off: 0, on: me.sinks_off, drop_club: false, eject }
}
