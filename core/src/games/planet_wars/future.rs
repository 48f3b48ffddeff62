//! What will become of every planet: its own future, the ships that it can spare, and the worst that could be thrown at
//! it.
//!
//! Planets touch each other only through fleets, so each future is worked out alone, from the forces already flying and
//! from the launches of two plans. Sides are lanes: 0 is the player who decides, 1 the opponent. A pair of counts, one a
//! lane, is one `u32`; sums and differences of pairs are single additions, because the lanes of every result fit 16 bits.

use super::plan::{Launch, Plan};
use super::rules::{battle, duel};
use super::space::Distances;
use super::state::{MAX_PLANETS, Owner};

/// Turns that are looked ahead at most, less one: the row of a planet holds now and every turn after it.
pub(super) const ROW: usize = 48;
/// Planets that one step may change: its target and those it takes ships from.
pub(super) const MAX_TOUCHED: usize = 12;
/// Planets that ships are thought to fly through, see [`reach`](super::reach). A map of the contest has fewer planets of
/// any weight than this, and four rows are added up at a time.
pub(super) const MAX_HUBS: usize = 12;
/// Most ships in all lanes and turns together, so that every sum fits its lane. A game on an official map never has more
/// than 22,200 ships.
pub const MAX_SHIPS: u32 = 32_000;
/// Worth of a ship. Below it, worth of where ships stand.
pub const SHIP: i32 = 256;

/// Worth of a planet at the horizon, whatever its growth: the last ones have to be taken too.
const HELD: i32 = 2 * SHIP;
/// Turns by which the side that plans is late in a siege.
pub(super) const DELAY: usize = 2;
/// Turns after the fall of a planet in which a relief would still have to hold out.
const RELIEF: usize = 4;

/// Ships that can have reached a planet by each turn, after as many zeros as [`DELAY`] says.
pub(super) type Rush = [Pair; ROW + DELAY];

/// A count for each lane.
pub(super) type Pair = u32;

#[inline]
pub(super) const fn lane(pair: Pair, side: usize) -> u16 {
    (pair >> (16 * side)) as u16
}

#[inline]
pub(super) const fn pair(side: usize, ships: u16) -> Pair {
    (ships as u32) << (16 * side)
}

/// Marks the lane that holds a planet.
const HOLDS: u16 = 1 << 15;

/// No side: the planet is neutral.
const NOBODY: u8 = 2;

const _: () = assert!(MAX_SHIPS < HOLDS as u32);

/// A planet as the agent keeps it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Site {
    pub(super) owner: Owner,
    pub(super) growth: u8,
    pub(super) ships: u16,
    /// Turns to the nearest planet of the opponent of either lane.
    pub(super) front: [u8; 2],
    /// The hub that its ships fly through, by its place among the hubs.
    pub(super) hub: u8,
    /// Turns to that hub, 0 for a hub itself.
    pub(super) approach: u8,
    /// Whether a force flies to it.
    pub(super) awaited: bool,
}

/// The large tables, in the workspace. Rows of [`ROW`] turns, a planet after the other.
pub(super) struct Tables<'a> {
    /// Ships that arrive on each turn, from forces that fly already.
    pub(super) arrivals: &'a mut [Pair],
    /// Ships that could have left by each turn without the planet being lost for it.
    pub(super) spare: &'a mut [Pair],
    /// Spare ships of all other planets that could have arrived by each turn.
    pub(super) reach: &'a mut [Pair],
    /// What the step at hand adds to the spare ships of the planets it touches.
    pub(super) change: &'a mut [Pair],
    /// Spare ships that could have left each hub, or passed it, by each turn. A row of zeros stands before each row, so
    /// that the row some turns later is a window that begins so much earlier.
    pub(super) hubs: &'a mut [Pair],
    /// Where in `hubs` the rows begin that reach each planet, [`MAX_HUBS`] of them.
    pub(super) ways: &'a mut [u32],
}

/// Words of the workspace that [`Tables`] take.
pub(super) const TABLE_WORDS: usize =
    (3 * MAX_PLANETS + MAX_TOUCHED + 2 * MAX_HUBS) * ROW / 2 + MAX_PLANETS * MAX_HUBS / 2;

impl<'a> Tables<'a> {
    pub(super) fn new(words: &'a mut [u64]) -> Self {
        let pairs: &mut [Pair] = bytemuck::cast_slice_mut(&mut words[..TABLE_WORDS]);
        let (arrivals, rest) = pairs.split_at_mut(MAX_PLANETS * ROW);
        let (spare, rest) = rest.split_at_mut(MAX_PLANETS * ROW);
        let (reach, rest) = rest.split_at_mut(MAX_PLANETS * ROW);
        let (change, rest) = rest.split_at_mut(MAX_TOUCHED * ROW);
        let (hubs, ways) = rest.split_at_mut(2 * MAX_HUBS * ROW);
        Self { arrivals, spare, reach, change, hubs, ways }
    }
}

#[inline]
pub(super) fn row(table: &[Pair], index: usize) -> &[Pair; ROW] {
    // The tables have a row for every planet.
    table[index * ROW..].first_chunk().unwrap_or(&[0; ROW])
}

#[inline]
pub(super) fn row_mut(table: &mut [Pair], index: usize) -> &mut [Pair] {
    &mut table[index * ROW..(index + 1) * ROW]
}

/// Who owns a planet on each turn, and with how many ships, after arrivals and departures.
pub(super) struct Timeline {
    pub(super) owner: [u8; ROW],
    pub(super) ships: [u16; ROW],
}

/// What comes to a planet and what leaves it.
struct Traffic {
    arriving: [Pair; ROW],
    leaving: [Pair; ROW],
    /// Whether anything leaves at all.
    leaves: bool,
}

/// Everything that a future depends on, apart from the tables.
pub(super) struct World<'a> {
    pub(super) sites: &'a [Site],
    pub(super) distances: &'a Distances,
    /// Turns looked ahead, at most `ROW - 1`.
    pub(super) horizon: usize,
    /// The plans of both sides.
    pub(super) plans: [&'a Plan; 2],
    /// The hubs, see [`reach`](super::reach).
    pub(super) hubs: &'a [u8],
}

/// What a siege of a planet comes to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Siege {
    /// Ships won by growth less ships lost to neutrals, for the side that plans, in [`SHIP`]s.
    pub(super) value: i32,
    /// First turn on which each side loses the planet, 0 for never.
    pub(super) lost: [u8; 2],
    /// Most ships that were missing after that.
    pub(super) missing: [u16; 2],
}

impl World<'_> {
    /// Turns between two planets; never 0, because ships that leave land a turn later at the earliest.
    #[inline]
    pub(super) fn trip(&self, from: usize, to: usize) -> usize {
        usize::from(self.distances.between(from, to)).max(1)
    }

    /// Adds what the plans send to and from a planet to what flies already.
    fn traffic(&self, arrivals: &[Pair], planet: usize) -> Traffic {
        let mut traffic = Traffic { arriving: *row(arrivals, planet), leaving: [0; ROW], leaves: false };
        for (side, plan) in self.plans.into_iter().enumerate() {
            if plan.concerns(planet) {
                for &launch in plan.launches() {
                    self.add_launch(&mut traffic, planet, side, launch);
                }
            }
        }
        traffic
    }

    /// Whether a plan sends ships to or from a planet.
    #[inline]
    fn is_planned(&self, planet: usize) -> bool {
        self.plans[0].concerns(planet) || self.plans[1].concerns(planet)
    }

    fn add_launch(&self, traffic: &mut Traffic, planet: usize, side: usize, launch: Launch) {
        let ships = pair(side, launch.ships);
        if usize::from(launch.source) == planet {
            if let Some(slot) = traffic.leaving.get_mut(usize::from(launch.turn)) {
                *slot += ships;
                traffic.leaves = true;
            }
        } else if usize::from(launch.target) == planet {
            let turn = usize::from(launch.turn) + self.trip(usize::from(launch.source), planet);
            if let Some(slot) = traffic.arriving.get_mut(turn) {
                *slot += ships;
            }
        }
    }

    /// The future of a planet if nobody does anything that is not in the plans.
    pub(super) fn timeline(&self, arrivals: &[Pair], planet: usize) -> Timeline {
        let mut timeline = Timeline { owner: [NOBODY; ROW], ships: [0; ROW] };
        let slots = timeline.owner.iter_mut().zip(&mut timeline.ships);
        self.live(arrivals, planet, slots, |(owner, ships), now, left| (*owner, *ships) = (now, left));
        timeline
    }

    /// Lives through the turns of a planet, this one first: `note` is told who owns it after each, and how many ships are
    /// left, with the slot for the turn.
    #[inline]
    fn live<S>(&self, arrivals: &[Pair], planet: usize, slots: impl Iterator<Item = S>, note: impl FnMut(S, u8, u16)) {
        if self.is_planned(planet) {
            let traffic = self.traffic(arrivals, planet);
            if traffic.leaves {
                let leaving = traffic.leaving.iter().copied();
                self.run(planet, traffic.arriving.iter().copied().zip(leaving).zip(slots), note);
            } else {
                self.run(planet, traffic.arriving.iter().map(|&arriving| (arriving, 0)).zip(slots), note);
            }
        } else {
            self.run(planet, row(arrivals, planet).iter().map(|&arriving| (arriving, 0)).zip(slots), note);
        }
    }

    /// Turns as pairs of what arrives and what leaves, each with its slot.
    #[inline]
    fn run<S>(&self, planet: usize, turns: impl Iterator<Item = ((Pair, Pair), S)>, mut note: impl FnMut(S, u8, u16)) {
        let Some(site) = self.sites.get(planet) else { return };
        let growth = i32::from(site.growth);
        let mut owner = side_of(site.owner);
        // Nothing grows before the first turn, and nothing arrives.
        let mut ships = i32::from(site.ships) - if owner == NOBODY { 0 } else { growth };
        for ((arriving, leaving), slot) in turns.take(self.horizon + 1) {
            if owner == NOBODY {
                if arriving != 0 {
                    (owner, ships) = landing(ships, arriving);
                }
            } else {
                ships += growth;
                if arriving != 0 {
                    (owner, ships) = clash(owner, ships, arriving);
                }
            }
            if leaving != 0 && owner != NOBODY {
                ships = (ships - i32::from(lane(leaving, usize::from(owner)))).max(0);
            }
            note(slot, owner, ships as u16);
        }
    }

    /// The ships that a planet can spare: by any turn as many may have left as it still holds on every later turn, up to
    /// the day it changes hands. What is lost anyway may leave.
    pub(super) fn spare(&self, arrivals: &[Pair], planet: usize, spare: &mut [Pair]) {
        let spare = spare.get_mut(..=self.horizon).unwrap_or_default();
        if self.is_quiet(planet) {
            spare.fill(0);
            return;
        }
        // First what it holds on each turn, in the lane of its owner. A bit above all ships marks the lane, so that the
        // least of two turns of one owner is the lesser number.
        self.live(arrivals, planet, spare.iter_mut(), |slot, owner, ships| {
            *slot = if owner == NOBODY { 0 } else { pair(usize::from(owner), ships | HOLDS) };
        });
        let mut least = spare.last().copied().unwrap_or(0);
        let mut lost = false;
        for slot in spare.iter_mut().rev() {
            if (*slot ^ least) & pair(1, HOLDS) == 0 {
                least = least.min(*slot);
            } else {
                lost |= *slot != 0;
                least = *slot;
            }
            *slot = least & !(pair(0, HOLDS) | pair(1, HOLDS));
        }
        if lost {
            // Whoever has lost the planet keeps what could have left before.
            let mut kept = [0_u16; 2];
            for slot in spare {
                for (side, kept) in kept.iter_mut().enumerate() {
                    *kept = (*kept).max(lane(*slot, side));
                }
                *slot = pair(0, kept[0]) | pair(1, kept[1]);
            }
        }
    }

    /// Whether a planet is nobody's and nobody comes: it has no ships to spare and nothing to lose.
    #[inline]
    pub(super) fn is_quiet(&self, planet: usize) -> bool {
        self.sites.get(planet).is_none_or(|site| site.owner == Owner::Neutral && !site.awaited)
            && !self.is_planned(planet)
    }

    /// A planet's future if both sides send it every ship that they can spare: as soon as they can, but the side that plans
    /// [`DELAY`] turns late, so that a plan has to stand on its own.
    ///
    /// So a planet counts as held only if it outlasts everything that could be thrown at it. The side that plans rushes
    /// only to planets that it has held or taken by plan: otherwise the same ships would seem to take every planet of the
    /// opponent at once, and waiting would always look as good as striking.
    ///
    /// Only with `LOSSES` is it found out when the planet falls and how many ships were missing.
    pub(super) fn siege<const LOSSES: bool>(
        &self,
        arrivals: &[Pair],
        planet: usize,
        reach: &Rush,
        planner: usize,
    ) -> Siege {
        if self.is_planned(planet) {
            let traffic = self.traffic(arrivals, planet);
            let leaving = traffic.leaves.then_some(&traffic.leaving);
            self.besiege::<LOSSES>(planet, &traffic.arriving, leaving, reach, planner)
        } else {
            self.besiege::<LOSSES>(planet, row(arrivals, planet), None, reach, planner)
        }
    }

    fn besiege<const LOSSES: bool>(
        &self,
        planet: usize,
        arriving: &[Pair; ROW],
        leaving: Option<&[Pair; ROW]>,
        reach: &Rush,
        planner: usize,
    ) -> Siege {
        // A lane that is known when the program is built takes no shift to be read.
        match planner {
            0 => self.besiege_by::<LOSSES, 0>(planet, arriving, leaving, reach),
            _ => self.besiege_by::<LOSSES, 1>(planet, arriving, leaving, reach),
        }
    }

    fn besiege_by<const LOSSES: bool, const PLANNER: usize>(
        &self,
        planet: usize,
        arriving: &[Pair; ROW],
        leaving: Option<&[Pair; ROW]>,
        reach: &Rush,
    ) -> Siege {
        let mut siege = Siege::default();
        let Some(site) = self.sites.get(planet) else { return siege };
        let own = |pair: Pair| i32::from(lane(pair, PLANNER));
        let other = |pair: Pair| i32::from(lane(pair, 1 - PLANNER));
        // Known to the compiler too, so that no index is checked in the loops.
        let horizon = self.horizon.min(ROW - 1);
        let mut owner = side_of(site.owner);
        let mut ships = i32::from(site.ships);
        let mut income = 0;
        let mut turn = 0;
        // Before it is taken nobody rushes there: only what flies or is planned arrives.
        while owner == NOBODY {
            if turn >= horizon {
                siege.value = income * SHIP;
                return siege;
            }
            turn += 1;
            if arriving[turn] != 0 {
                (owner, ships) = landing(ships, arriving[turn]);
                // Ships that neutrals cost, whoever wins the rest.
                income -= own(arriving[turn]) - other(arriving[turn]);
                if owner != NOBODY {
                    income += if usize::from(owner) == PLANNER { ships } else { -ships };
                }
            }
        }
        // A balance with a sign, above zero that of the side that plans, says it all: battles cost both sides the same.
        // `base` is the balance without those who rush there, `side` is -1 while the planet is the other's, and `held` -1
        // once the side that plans has had it.
        let mut side = if usize::from(owner) == PLANNER { 0 } else { -1 };
        let mut held = !side;
        let turned = |balance: i32, side: i32| (balance ^ side) - side;
        let mut base = turned(ships, side);
        let mut growth = turned(i32::from(site.growth), side);
        let depart = |balance: i32, side: i32, leaving: Pair| {
            if side == 0 { (balance - own(leaving)).max(0) } else { (balance + other(leaving)).min(0) }
        };
        if let Some(leaving) = leaving {
            base = depart(base, side, leaving[turn]);
        }
        while turn < horizon {
            turn += 1;
            income += growth;
            base += growth + own(arriving[turn]) - other(arriving[turn]);
            let balance = base - other(reach[turn + DELAY]) + (own(reach[turn]) & held);
            // With nothing left on either side the planet stays whose it was.
            if turned(balance, side) < 0 {
                if LOSSES {
                    let lost = &mut siege.lost[if side == 0 { PLANNER } else { 1 - PLANNER }];
                    if *lost == 0 {
                        *lost = turn as u8;
                    }
                }
                side = !side;
                held |= !side;
                growth = -growth;
            }
            if LOSSES {
                let away = if side == 0 { 1 - PLANNER } else { PLANNER };
                if siege.lost[away] != 0 && turn < usize::from(siege.lost[away]) + RELIEF {
                    siege.missing[away] = siege.missing[away].max(balance.unsigned_abs() as u16);
                }
            }
            if let Some(leaving) = leaving
                && leaving[turn] != 0
            {
                base += depart(balance, side, leaving[turn]) - balance;
            }
        }
        let ours = side == 0;
        let kept = if ours { HELD } else { -HELD };
        siege.value = income * SHIP + kept;
        siege
    }
}

fn side_of(owner: Owner) -> u8 {
    match owner {
        Owner::One => 0,
        Owner::Two => 1,
        Owner::Neutral => NOBODY,
    }
}

/// Arrivals at a neutral planet.
fn landing(ships: i32, arriving: Pair) -> (u8, i32) {
    let forces = [ships as u32, u32::from(lane(arriving, 0)), u32::from(lane(arriving, 1))];
    let (owner, ships) = battle(Owner::Neutral, forces);
    (side_of(owner), ships as i32)
}

/// Arrivals at a planet that somebody owns.
#[inline]
fn clash(owner: u8, ships: i32, arriving: Pair) -> (u8, i32) {
    let own = usize::from(owner & 1);
    let left = duel(ships + i32::from(lane(arriving, own)), i32::from(lane(arriving, 1 - own)));
    if left < 0 { (owner ^ 1, -left) } else { (owner, left) }
}

#[cfg(test)]
mod tests;
