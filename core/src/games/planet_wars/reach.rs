//! Who can reach a planet: the spare ships of all others, each as many turns late as the way takes.
//!
//! A sum over all pairs of planets would grow with their square. So only some planets, the *hubs*, send ships straight to
//! every other; the ships of a planet that is no hub fly to the nearest hub and on from there. Each planet is then a sum
//! over hubs, of which there are [`MAX_HUBS`] at most. Hubs are the planets that will have the most ships, chosen once a
//! decision, so that all its plans are weighed by the same map; what flies a detour is little, and only late, never early.

use heapless::Vec;

use super::future::{MAX_HUBS, Pair, ROW, Tables, World, row, row_mut};

/// The hubs of a map, the weightiest first.
pub(super) type Hubs = Vec<u8, MAX_HUBS>;

/// The hubs among planets of these weights. Of equal ones the first are taken.
pub(super) fn choose(weights: impl Iterator<Item = u32>) -> Hubs {
    let mut hubs: Vec<(u32, u8), MAX_HUBS> = Vec::new();
    for (planet, weight) in weights.enumerate() {
        let place = hubs.iter().position(|&(other, _)| other < weight).unwrap_or(hubs.len());
        if place < MAX_HUBS {
            if hubs.is_full() {
                hubs.pop();
            }
            // There is room, and the place is not behind the end.
            let _ = hubs.insert(place, (weight, planet as u8));
        }
    }
    hubs.iter().map(|&(_, planet)| planet).collect()
}

/// Where a hub's row begins; the row of zeros before it begins [`ROW`] earlier.
const fn start(hub: usize) -> usize {
    (2 * hub + 1) * ROW
}

impl World<'_> {
    /// Turns that ships fly from one planet to another, through a hub if the first is none. Never 0.
    #[inline]
    pub(super) fn route(&self, from: usize, to: usize) -> usize {
        let Some(site) = self.sites.get(from).filter(|site| site.approach > 0) else { return self.trip(from, to) };
        let hub = self.hub(site.hub);
        usize::from(site.approach) + if hub == to { 0 } else { self.trip(hub, to) }
    }

    #[inline]
    fn hub(&self, place: u8) -> usize {
        self.hubs.get(usize::from(place)).copied().unwrap_or(0).into()
    }

    /// Adds what a planet can spare to what leaves or passes its hub. The first planet clears what was there.
    #[inline]
    pub(super) fn pass(&self, tables: &mut Tables<'_>, planet: usize) {
        if planet == 0 {
            tables.hubs.fill(0);
        }
        let Some(site) = self.sites.get(planet) else { return };
        let first = start(usize::from(site.hub));
        if let Some(passing) = tables.hubs.get_mut(first..=first + self.horizon) {
            add_late(passing, row(tables.spare, planet), usize::from(site.approach));
        }
    }

    /// Works out where the rows begin that reach a planet: each as much before its hub's as the way takes turns. For a
    /// hub that is not there it is a row of zeros.
    pub(super) fn lay(&self, ways: &mut [u32], planet: usize) {
        let ways = ways.iter_mut().skip(planet * MAX_HUBS).take(MAX_HUBS);
        for (place, way) in ways.enumerate() {
            let delay = match self.hubs.get(place).map(|&hub| usize::from(hub)) {
                // Its own ships are there already, which is no way at all.
                Some(hub) if hub == planet => 0,
                Some(hub) => self.trip(hub, planet).min(ROW),
                None => ROW,
            };
            *way = (start(place) - delay) as u32;
        }
    }

    /// Adds up the ships that can reach a planet.
    // In a function of its own there are registers for all of it.
    #[inline(never)]
    pub(super) fn gather(&self, tables: &mut Tables<'_>, planet: usize) {
        let Some(site) = self.sites.get(planet) else { return };
        // Whole groups of four turns: a little beyond the horizon, where nobody looks.
        let groups = (self.horizon / 4 + 1).min(ROW / 4);
        let reach = row_mut(tables.reach, planet).get_mut(..4 * groups).unwrap_or_default();
        // Not the planet's own ships, out to the hub and back again; a hub's are there at once.
        let (before, after) = reach.split_at_mut((2 * usize::from(site.approach)).min(4 * groups));
        before.fill(0);
        for (sum, own) in after.iter_mut().zip(row(tables.spare, planet)) {
            *sum = own.wrapping_neg();
        }
        let ways = tables.ways.as_chunks::<MAX_HUBS>().0.get(planet).unwrap_or(&[0; MAX_HUBS]);
        let window = |way: u32| -> &[Pair; ROW] {
            // Rows lie in the table, and begin after one of zeros at the latest.
            tables.hubs.get(way as usize..).and_then(<[Pair]>::first_chunk).unwrap_or(&[0; ROW])
        };
        for ways in ways.as_chunks::<4>().0.iter().take(self.hubs.len().div_ceil(4)) {
            let [one, two, three, four] = ways.map(|way| window(way).as_chunks::<4>().0);
            let rows = one.iter().zip(two).zip(three.iter().zip(four));
            for (sum, ((one, two), (three, four))) in reach.as_chunks_mut::<4>().0.iter_mut().zip(rows) {
                for turn in 0..4 {
                    let both = [one[turn].wrapping_add(two[turn]), three[turn].wrapping_add(four[turn])];
                    sum[turn] = sum[turn].wrapping_add(both[0]).wrapping_add(both[1]);
                }
            }
        }
    }
}

/// Adds a row to another, so many turns later.
#[inline]
pub(super) fn add_late(sum: &mut [Pair], row: &[Pair; ROW], late: usize) {
    let Some(sum) = sum.get_mut(late..) else { return };
    let (fours, rest) = sum.as_chunks_mut::<4>();
    let (row, row_rest) = row.as_slice().split_at(row.len().min(4 * fours.len()));
    for (sum, add) in fours.iter_mut().zip(row.as_chunks::<4>().0) {
        for turn in 0..4 {
            sum[turn] = sum[turn].wrapping_add(add[turn]);
        }
    }
    for (sum, add) in rest.iter_mut().zip(row_rest) {
        *sum = sum.wrapping_add(*add);
    }
}

#[cfg(test)]
mod tests;
