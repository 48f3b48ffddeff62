//! The decisions that need no search over places: the torso, the volley, the blows, the end of the turn.

use super::action::{Action, Aim, Bins, Blows, Shot, Shots};
use super::arcs::{Side, hit_side};
use super::attack::{
    DOUBLES, HIGHEST_NEED, MAX_HEAT, Offer, Selection, Shooter, Target, bears, jammed, secondary_modifier,
    weapon_modifier,
};
use super::equipment::{Charge, Special};
use super::evaluation::{Arsenal, FALL, heat_price};
use super::hex::Facing;
use super::location::Location;
use super::map::Map;
use super::mech::{Bin, MAX_ITEMS, Mech, Weapon};
use super::physical::{self, Blow};
use super::sight::{Eye, line, sight, terrain_modifier};
use super::state::{MAX_MECHS, State};

/// What the to-hit numbers of all weapons against one enemy share.
#[derive(Clone, Copy, Debug)]
struct Prospect {
    clear: bool,
    /// Whether ECM keeps missiles from being guided.
    jammed: bool,
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

fn look(map: &Map<'_>, state: &State, at: u8) -> Prospect {
    let (profile, me, enemy) = (state.head.profile(), state.me(), state.mech(at));
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
        jammed: jammed(map, profile, &state.mechs, usize::from(state.head.me), usize::from(at)),
        my_cover: seen.cover,
        cover: target.cover,
        distance,
        base: Shooter::new(me).modifier() + target.modifier(distance) + terrain,
        side: hit_side(map, profile, me.hex, enemy.hex, enemy.facing),
    }
}

/// The bin from which a weapon would fire so many rounds of a load: the first that has them beyond those taken already.
fn bin_for(mech: &Mech, load: u8, taken: &[u8; MAX_ITEMS], rounds: u8) -> Option<usize> {
    let fits = |(bin, &taken): (&Bin, &u8)| {
        bin.works && !bin.armed && bin.load == load && bin.rounds >= taken.saturating_add(rounds)
    };
    mech.bins.iter().zip(taken).position(fits)
}

/// How a weapon would be fired at best: what with, at whom, and what that is worth in sixteenths of the unit.
#[derive(Clone, Copy, Debug, Default)]
struct BestShot {
    worth: i32,
    aim: u8,
    /// Place in the list of loads; nothing for weapons without ammunition.
    load: Option<u8>,
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
    let me = state.me();
    let mut best = FirePlan::none();
    if !me.can_act() || !me.is_armed() {
        return best;
    }
    let mut prospects = [None; MAX_MECHS];
    for ((at, enemy), prospect) in (0..).zip(&state.mechs).zip(&mut prospects) {
        if at != state.head.me && enemy.operational {
            *prospect = Some(look(map, state, at)).filter(|prospect| prospect.clear);
        }
    }
    let (left, right) = (me.has(Location::LeftArm), me.has(Location::RightArm));
    if me.prone && !left && !right {
        return best;
    }
    for (primary, prospect) in prospects.iter().enumerate() {
        if prospect.is_none() {
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

/// Whether a weapon may be fired with these arms idle.
fn weighs(me: &Mech, weapon: Weapon, idle: u8) -> bool {
    match weapon.location {
        Location::LeftArm => idle & 1 == 0,
        Location::RightArm => idle & 2 == 0,
        location => !(me.prone && location.is_leg()),
    }
}

#[expect(clippy::too_many_arguments, reason = "one inner step of the loop above")]
#[expect(clippy::too_many_lines, reason = "one table, filled and read")]
// On its own: its table would lie on the stack below everything else that the loop calls.
#[inline(never)]
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
    let mut shots = [[BestShot::default(); 2]; MAX_ITEMS];
    let mut doubles = 0;
    for ((index, weapon), best_shots) in me.weapons.iter().enumerate().zip(&mut shots) {
        let kind = weapon.kind();
        if !weighs(me, *weapon, idle) || !me.can_fire(weapon) {
            continue;
        }
        let may_double = kind.special == Special::Ultra;
        for (at, prospect) in prospects.iter().enumerate() {
            let Some(prospect) = prospect else { continue };
            let enemy = state.mech(at as u8);
            let Some(range) = kind.range_modifier(prospect.distance) else { continue };
            if !bears(weapon, me.hex, me.facing, torso, enemy.hex) || prospect.my_cover && weapon.location.is_leg() {
                continue;
            }
            let secondary = if at == primary { 0 } else { secondary_modifier(me.hex, torso, enemy.hex) };
            let need = prospect.base
                + range
                + secondary
                + me.mount_modifier(weapon.location)
                + weapon_modifier(profile, weapon);
            let mut offer = |rate: usize, need: i8, average: u32, load: Option<u8>| {
                if need > HIGHEST_NEED {
                    return;
                }
                let expected = profile.ways_at_least(i32::from(need)) * average;
                // Sixteen times finer than the unit, so that small shots do not round to nothing.
                let worth = arsenals[at].worth(profile, expected * 16, prospect.side, prospect.cover);
                if let Some(best) = best_shots.get_mut(rate)
                    && worth > best.worth
                {
                    *best = BestShot { worth, aim: at as u8, load };
                }
            };
            if !kind.needs_bin() {
                offer(0, need, kind.hit_average(profile), None);
                continue;
            }
            for (place, bin) in me.bins.iter().enumerate() {
                let load = bin.load();
                let known = me.bins.iter().take(place).any(|before| before.load == bin.load && before.works);
                if !bin.works || bin.armed || bin.rounds == 0 || load.weapon != kind.code || known {
                    continue;
                }
                let guided = load.charge == Charge::Artemis && !prospect.jammed;
                offer(0, need + load.modifier, kind.load_average(profile, load.charge, guided), Some(bin.load));
                if may_double && me.bins.iter().any(|other| other.load == bin.load && other.works && other.rounds >= 2)
                {
                    offer(1, need + load.modifier, kind.double_average(profile), Some(bin.load));
                }
            }
        }
        // A round is worth something too: a shot that hardly ever hits is not worth its ammunition.
        let price = if kind.needs_bin() && me.rounds_for(weapon).is_some_and(|rounds| rounds < 6) { 16 } else { 0 };
        let single = Offer { heat: kind.heat, worth: (best_shots[0].worth - price).max(0) as u32 };
        let double = may_double.then(|| {
            doubles += 1;
            // A cannon that jams is lost for the game: a die of one thirty-sixth or more of ten good shots.
            let jam = best_shots[0].worth * 10 / profile.outcomes() as i32;
            let worth = (best_shots[1].worth - 2 * price - jam).max(0) as u32;
            (doubles - 1, Offer { heat: 2 * kind.heat, worth })
        });
        selection.offer_either(index, single, double);
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
    let mut ultras = 0;
    for ((index, weapon), best_shots) in me.weapons.iter().enumerate().zip(&shots) {
        let ultra = weapon.kind().special == Special::Ultra && me.can_fire(weapon);
        let double = ultra && chosen & DOUBLES << ultras != 0;
        ultras += u32::from(ultra && weighs(me, *weapon, idle));
        if chosen >> index & 1 == 0 {
            continue;
        }
        let shot = best_shots[usize::from(double)];
        let rate = 1 + u8::from(double);
        let (bin, double) = match shot.load {
            None => (None, false),
            Some(load) => match bin_for(me, load, &taken, rate) {
                Some(bin) => {
                    if let Some(taken) = taken.get_mut(bin) {
                        *taken += rate;
                    }
                    (Some(bin as u8), double)
                }
                // Others have taken what was left of it.
                None => continue,
            },
        };
        let _ = best.shots.push(Shot { weapon: index as u8, bin, double, aim: Aim::Mech(shot.aim) });
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
    let enemy = state.mech(target as u8);
    if idle == 0 || me.hex.distance(enemy.hex) != 1 {
        return 0;
    }
    let loaded = |limb: Location| me.weapons.iter().any(|weapon| weapon.location == limb && me.can_fire(weapon));
    let worth = |blow: Blow| {
        physical::check_turned(profile, map, me, torso, enemy, blow).ok()?;
        blow_worth(map, state, arsenals, target, blow)
    };
    let mut sum = 0;
    let arms = [[Blow::LeftPunch, Blow::LeftBlade], [Blow::RightPunch, Blow::RightBlade]];
    for (bit, blows) in arms.into_iter().enumerate() {
        // An arm without weapons strikes whatever is fired.
        if idle >> bit & 1 != 0 && loaded(blows[0].limb()) {
            sum += blows.into_iter().filter_map(worth).max().unwrap_or(0).max(0);
        }
    }
    if idle == 3 { sum.max(worth(Blow::Club).unwrap_or(0)) } else { sum }
}

/// Worth of what the arms without weapons can strike with the torso turned so.
fn free_arms_worth(map: &Map<'_>, state: &State, arsenals: &[Arsenal; MAX_MECHS], torso: Facing) -> i32 {
    let (profile, me) = (state.head.profile(), state.me());
    let mut sum = 0;
    for blows in [[Blow::LeftPunch, Blow::LeftBlade], [Blow::RightPunch, Blow::RightBlade]] {
        if me.weapons.iter().any(|weapon| weapon.location == blows[0].limb() && me.can_fire(weapon)) {
            continue;
        }
        let mut best = 0;
        for (at, enemy) in state.mechs.iter().enumerate() {
            if at == usize::from(state.head.me) || !enemy.operational || me.hex.distance(enemy.hex) != 1 {
                continue;
            }
            for blow in blows {
                if physical::check_turned(profile, map, me, torso, enemy, blow).is_ok() {
                    best = best.max(blow_worth(map, state, arsenals, at, blow).unwrap_or(0));
                }
            }
        }
        sum += best;
    }
    sum
}

/// Worth of a blow; `None` if it needs more than twelve.
fn blow_worth(map: &Map<'_>, state: &State, arsenals: &[Arsenal; MAX_MECHS], target: usize, blow: Blow) -> Option<i32> {
    let (profile, me) = (state.head.profile(), state.me());
    let enemy = state.mech(target as u8);
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
        physical::Table::Kick => arsenals[target % MAX_MECHS].worth_on_legs(profile, expected),
        physical::Table::Punch => arsenals[target % MAX_MECHS].worth(profile, expected, side, true),
        physical::Table::Full => arsenals[target % MAX_MECHS].worth(profile, expected, side, false),
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
        let value = (plan.value + free_arms_worth(map, state, arsenals, torso)) * 2 + i32::from(ahead);
        if value > best.1 {
            (best.0, best.1) = (sides, value);
        }
    }
    best
}

/// The best blows: every combination that the rules allow, kicks with the risk of their own miss.
///
/// What a blow is worth does not depend on the others, so that of each blow only its best target counts; seven blows
/// have few enough subsets to look at all of them.
pub fn best_blows(map: &Map<'_>, state: &State, arsenals: &[Arsenal; MAX_MECHS]) -> (Blows, i32) {
    let (profile, me) = (state.head.profile(), state.me());
    let mut offers: heapless::Vec<(Blow, u8, i32), 7> = heapless::Vec::new();
    for blow in Blow::ALL {
        let mut top: Option<(u8, i32)> = None;
        for (at, enemy) in state.mechs.iter().enumerate() {
            if at == usize::from(state.head.me) || !enemy.operational || me.hex.distance(enemy.hex) != 1 {
                continue;
            }
            if physical::check(profile, map, me, enemy, blow).is_ok()
                && let Some(worth) = blow_worth(map, state, arsenals, at, blow)
                && worth > top.map_or(0, |(_, best)| best)
            {
                top = Some((at as u8, worth));
            }
        }
        if let Some((at, worth)) = top {
            let _ = offers.push((blow, at, worth));
        }
    }
    let mut best = (Blows::new(), 0);
    for subset in 1..1_u32 << offers.len() {
        let mut set = Blows::new();
        let mut chosen: heapless::Vec<Blow, 7> = heapless::Vec::new();
        let mut sum = 0;
        let picked = offers.iter().enumerate().filter(|(at, _)| subset >> at & 1 != 0).map(|(_, offer)| *offer);
        let allowed = picked.into_iter().all(|(blow, at, worth)| {
            sum += worth;
            physical::compatible(profile, &chosen, blow) && chosen.push(blow).is_ok() && set.push((blow, at)).is_ok()
        });
        if allowed && sum > best.1 {
            best = (set, sum);
        }
    }
    best
}

/// Whether to bend down for a club: nothing to shoot at, nobody near enough to strike, and hands that can hold one.
pub fn wants_club(map: &Map<'_>, state: &State) -> bool {
    let me = state.me();
    let tile = map.tile(me.hex);
    let others = state.mechs.iter().enumerate().filter(|(at, _)| *at != usize::from(state.head.me));
    let near = others.into_iter().any(|(_, other)| other.operational && other.hex.distance(me.hex) <= 1);
    !me.prone && me.club == 0 && !near && (tile.club() || tile.woods() > 0) && physical::can_hold_club(me)
}

/// The end of the turn: all sinks on, ammunition overboard that no weapon can fire any more, and the club with the hands
/// that held it.
pub fn best_end(state: &State) -> Action {
    let me = state.me();
    let mut eject = Bins::new();
    for (at, bin) in me.bins.iter().enumerate() {
        let wanted = me.weapons.iter().any(|weapon| me.can_fire(weapon) && weapon.kind().code == bin.load().weapon);
        if bin.works && !bin.armed && bin.rounds > 0 && bin.blast() > 0 && !wanted {
            let _ = eject.push(at as u8);
        }
    }
    Action::End { off: 0, on: me.sinks_off, drop_club: me.club > 0 && !physical::can_hold_club(me), eject }
}
