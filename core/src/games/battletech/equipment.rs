//! Weapons and ammunition: the simulator's database, its oddities kept.

use super::profile::Profile;

/// How a weapon does its damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Energy: no ammunition.
    Energy,
    /// One shell.
    Ballistic,
    /// LB-X: a shell or a cluster, by its ammunition.
    Scatter,
    /// Short-range missiles: every missile finds its own location.
    Short,
    /// Long- and medium-range missiles and beacons: groups of five.
    Long,
}

/// What is special about a weapon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// Nothing.
    None,
    /// Fires once a game and needs no bin.
    OneShot,
    /// Pulse laser.
    Pulse,
    /// Gauss rifle: explodes when hit.
    Gauss,
    /// May fire at double rate.
    Ultra,
    /// A beacon.
    Narc,
    /// All missiles hit or none is fired.
    Streak,
    /// [`Streak`](Self::Streak) and [`OneShot`](Self::OneShot).
    StreakOneShot,
}

/// A kind of weapon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its number in the simulator's files.
    pub code: u16,
    /// Its name.
    pub name: &'static str,
    /// How it does its damage.
    pub family: Family,
    /// Heat of a shot.
    pub heat: u8,
    /// Points of a hit; of one missile for missiles.
    pub damage: u8,
    /// Missiles or pellets of a shot.
    pub shots: u8,
    /// Minimum range, then the ends of short, medium and long range.
    pub ranges: [u8; 4],
    /// Slots it takes.
    pub slots: u8,
    /// Its weight in half tons.
    pub half_tons: u8,
    /// What is special about it.
    pub special: Special,
}

/// What a round does beyond the ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Nothing.
    Plain,
    /// It does not explode.
    Inert,
    /// LB-X cluster.
    Cluster,
    /// Guided by Artemis IV.
    Artemis,
    /// Guided by a beacon.
    Narc,
    /// Sets mechs on fire.
    Inferno,
    /// Sets hexes on fire.
    Incendiary,
}

/// A kind of ammunition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Its number in the simulator's files.
    pub code: u16,
    /// The weapon that fires it.
    pub weapon: u16,
    /// Rounds of a bin.
    pub rounds: u8,
    /// Added to the to-hit number.
    pub modifier: i8,
    /// What its rounds do.
    pub charge: Charge,
    /// Weight of a bin in half tons.
    pub half_tons: u8,
}

#[expect(clippy::too_many_arguments, reason = "a row of the table")]
const fn kind(
    code: u16,
    name: &'static str,
    family: Family,
    heat: u8,
    damage: u8,
    shots: u8,
    ranges: [u8; 4],
    slots: u8,
    half_tons: u8,
    special: Special,
) -> Kind {
    Kind { code, name, family, heat, damage, shots, ranges, slots, half_tons, special }
}

const fn load(code: u16, weapon: u16, rounds: u8, modifier: i8, charge: Charge, half_tons: u8) -> Load {
    Load { code, weapon, rounds, modifier, charge, half_tons }
}

use Charge::{Artemis, Cluster, Incendiary, Inert, Inferno, Plain};
use Family::{Ballistic, Energy, Long, Scatter, Short};
use Special::{Gauss, None, OneShot, Pulse, Streak, StreakOneShot, Ultra};

/// Every weapon, by its number: code, name, family, heat, damage, shots, ranges, slots, half tons, special.
#[rustfmt::skip]
pub const WEAPONS: [Kind; 53] = [
    kind(20, "Flamer", Energy, 3, 2, 1, [0, 1, 2, 3], 1, 2, None),
    kind(21, "Large Laser", Energy, 8, 8, 1, [0, 5, 10, 15], 2, 10, None),
    kind(22, "Medium Laser", Energy, 3, 5, 1, [0, 3, 6, 9], 1, 2, None),
    kind(23, "PPC", Energy, 10, 10, 1, [3, 6, 12, 18], 3, 14, None),
    kind(24, "Small Laser", Energy, 1, 3, 1, [0, 1, 2, 3], 1, 1, None),
    kind(25, "AC/10", Ballistic, 3, 10, 1, [0, 5, 10, 15], 7, 24, None),
    kind(26, "AC/2", Ballistic, 1, 2, 1, [4, 8, 16, 24], 1, 12, None),
    kind(27, "AC/20", Ballistic, 7, 20, 1, [0, 3, 6, 9], 10, 28, None),
    kind(28, "AC/5", Ballistic, 1, 5, 1, [3, 6, 12, 18], 4, 16, None),
    kind(29, "Machine Gun", Ballistic, 0, 2, 1, [0, 1, 2, 3], 1, 1, None),
    kind(30, "LRM 10", Long, 4, 1, 10, [6, 7, 14, 21], 2, 10, None),
    kind(31, "LRM 10 (OS)", Long, 4, 1, 10, [6, 7, 14, 21], 2, 11, OneShot),
    kind(32, "LRM 15", Long, 5, 1, 15, [6, 7, 14, 21], 3, 14, None),
    kind(33, "LRM 15 (OS)", Long, 5, 1, 15, [6, 7, 14, 21], 3, 15, OneShot),
    kind(34, "LRM 20", Long, 6, 1, 20, [6, 7, 14, 21], 5, 20, None),
    kind(35, "LRM 20 (OS)", Long, 6, 1, 20, [6, 7, 14, 21], 5, 21, OneShot),
    kind(36, "LRM 5", Long, 2, 1, 5, [6, 7, 14, 21], 1, 4, None),
    kind(37, "LRM 5 (OS)", Long, 2, 1, 5, [6, 7, 14, 21], 1, 5, OneShot),
    kind(38, "SRM 2", Short, 2, 2, 2, [0, 3, 6, 9], 1, 2, None),
    kind(39, "SRM 2 (OS)", Short, 2, 2, 2, [0, 3, 6, 9], 1, 3, OneShot),
    kind(40, "SRM 4", Short, 3, 2, 4, [0, 3, 6, 9], 1, 4, None),
    kind(41, "SRM 4 (OS)", Short, 3, 2, 4, [0, 3, 6, 9], 1, 5, OneShot),
    kind(42, "SRM 6", Short, 4, 2, 6, [0, 3, 6, 9], 2, 6, None),
    kind(43, "SRM 6 (OS)", Short, 4, 2, 6, [0, 3, 6, 9], 2, 7, OneShot),
    kind(59, "ER Large Laser", Energy, 12, 8, 1, [0, 7, 14, 23], 3, 10, None),
    kind(60, "ER PPC", Energy, 15, 10, 1, [0, 7, 14, 23], 3, 14, None),
    kind(61, "Large Pulse Laser", Energy, 10, 9, 1, [0, 3, 4, 10], 2, 14, Pulse),
    kind(62, "Medium Pulse Laser", Energy, 4, 6, 1, [0, 2, 4, 6], 1, 4, Pulse),
    kind(63, "Small Pulse Laser", Energy, 2, 3, 1, [0, 1, 2, 3], 1, 2, Pulse),
    kind(65, "Gauss Rifle", Ballistic, 1, 15, 1, [2, 7, 15, 22], 7, 30, Gauss),
    kind(66, "LB 10-X AC", Scatter, 2, 10, 10, [0, 6, 12, 18], 6, 22, None),
    kind(67, "Ultra AC/5", Ballistic, 1, 5, 1, [2, 6, 13, 20], 5, 18, Ultra),
    kind(68, "MRM 10", Long, 4, 1, 10, [0, 3, 8, 15], 2, 6, None),
    kind(69, "MRM 20", Long, 6, 1, 20, [0, 3, 8, 15], 3, 14, None),
    kind(70, "MRM 30", Long, 10, 1, 30, [0, 3, 8, 15], 5, 20, None),
    kind(71, "MRM 40", Long, 12, 1, 40, [0, 3, 8, 15], 7, 24, None),
    kind(72, "Narc", Long, 0, 0, 1, [0, 3, 6, 9], 2, 6, Special::Narc),
    kind(73, "Streak SRM 2", Short, 2, 2, 2, [0, 3, 6, 9], 1, 3, Streak),
    kind(74, "Streak SRM 4", Short, 3, 2, 4, [0, 3, 6, 9], 1, 6, Streak),
    kind(75, "Streak SRM 6", Short, 4, 2, 6, [0, 3, 6, 9], 2, 9, Streak),
    kind(121, "LB 2-X AC", Scatter, 1, 2, 2, [4, 9, 18, 27], 4, 12, None),
    kind(122, "LB 20-X AC", Scatter, 6, 20, 20, [0, 4, 8, 12], 11, 28, None),
    kind(123, "LB 5-X AC", Scatter, 1, 5, 5, [3, 7, 14, 21], 5, 16, None),
    kind(124, "Ultra AC/10", Ballistic, 4, 10, 1, [0, 6, 12, 18], 7, 26, Ultra),
    kind(125, "Ultra AC/2", Ballistic, 1, 2, 1, [3, 8, 17, 25], 3, 14, Ultra),
    kind(126, "Ultra AC/20", Ballistic, 8, 20, 1, [0, 3, 7, 10], 10, 30, Ultra),
    kind(264, "ER Small Laser", Energy, 2, 3, 1, [0, 1, 2, 3], 1, 1, None),
    kind(265, "ER Medium Laser", Energy, 5, 5, 1, [0, 7, 14, 19], 2, 2, None),
    kind(266, "Light Gauss Rifle", Ballistic, 1, 8, 1, [3, 8, 17, 25], 5, 24, Gauss),
    kind(384, "Streak SRM 2 (OS)", Short, 2, 2, 2, [0, 3, 6, 9], 1, 4, StreakOneShot),
    kind(386, "Streak SRM 4 (OS)", Short, 3, 2, 4, [0, 3, 6, 9], 1, 7, StreakOneShot),
    kind(388, "Streak SRM 6 (OS)", Short, 4, 2, 6, [0, 3, 6, 9], 2, 10, StreakOneShot),
    kind(429, "iNarc", Long, 0, 0, 1, [0, 4, 9, 15], 3, 10, Special::Narc),
];

/// Every ammunition, by its number: code, weapon, rounds, to-hit modifier, charge, half tons.
#[rustfmt::skip]
pub const LOADS: [Load; 56] = [
    load(2, 36, 24, 0, Incendiary, 2),
    load(7, 30, 12, 0, Incendiary, 2),
    load(12, 32, 8, 0, Incendiary, 2),
    load(17, 34, 0, 0, Incendiary, 2),
    load(45, 25, 10, 0, Plain, 2),
    load(46, 26, 45, 0, Plain, 2),
    load(47, 27, 5, 0, Plain, 2),
    load(48, 28, 20, 0, Plain, 2),
    load(49, 30, 12, 0, Plain, 2),
    load(50, 32, 8, 0, Plain, 2),
    load(51, 34, 6, 0, Plain, 2),
    load(52, 36, 24, 0, Plain, 2),
    load(53, 29, 200, 0, Plain, 2),
    load(54, 29, 100, 0, Plain, 1),
    load(55, 38, 50, 0, Plain, 2),
    load(56, 38, 50, 0, Inferno, 2),
    load(57, 40, 25, 0, Plain, 2),
    load(58, 42, 15, 0, Plain, 2),
    load(83, 65, 8, 0, Inert, 2),
    load(84, 66, 10, -1, Cluster, 2),
    load(86, 66, 10, 0, Plain, 2),
    load(87, 30, 12, 0, Artemis, 2),
    load(88, 30, 12, 0, Charge::Narc, 2),
    load(91, 32, 8, 0, Artemis, 2),
    load(92, 32, 8, 0, Charge::Narc, 2),
    load(95, 34, 6, 0, Artemis, 2),
    load(96, 34, 6, 0, Charge::Narc, 2),
    load(99, 36, 24, 0, Artemis, 2),
    load(100, 36, 24, 0, Charge::Narc, 2),
    load(103, 68, 24, 1, Plain, 2),
    load(104, 69, 12, 1, Plain, 2),
    load(105, 70, 8, 1, Plain, 2),
    load(106, 71, 6, 1, Plain, 2),
    load(107, 72, 6, 0, Plain, 2),
    load(108, 38, 50, 0, Artemis, 2),
    load(109, 38, 50, 0, Charge::Narc, 2),
    load(110, 40, 25, 0, Artemis, 2),
    load(111, 40, 25, 0, Charge::Narc, 2),
    load(112, 42, 15, 0, Artemis, 2),
    load(113, 42, 15, 0, Charge::Narc, 2),
    load(114, 73, 50, 0, Plain, 2),
    load(115, 38, 50, 0, Inferno, 2),
    load(116, 74, 25, 0, Plain, 2),
    load(117, 75, 15, 0, Plain, 2),
    load(123, 121, 45, -1, Cluster, 2),
    load(128, 67, 20, 0, Plain, 2),
    load(133, 121, 45, 0, Plain, 2),
    load(134, 122, 5, -1, Cluster, 2),
    load(135, 122, 5, 0, Plain, 2),
    load(136, 123, 20, -1, Cluster, 2),
    load(137, 123, 20, 0, Plain, 2),
    load(164, 124, 10, 0, Plain, 2),
    load(165, 125, 45, 0, Plain, 2),
    load(166, 126, 5, 0, Plain, 2),
    load(267, 266, 16, 0, Inert, 2),
    load(430, 429, 4, 0, Plain, 2),
];

/// The place in [`WEAPONS`] of the weapon with this number.
pub fn weapon_by_code(code: u16) -> Option<u8> {
    WEAPONS.binary_search_by_key(&code, |kind| kind.code).ok().map(|index| index as u8)
}

/// The place in [`LOADS`] of the ammunition with this number.
pub fn load_by_code(code: u16) -> Option<u8> {
    LOADS.binary_search_by_key(&code, |load| load.code).ok().map(|index| index as u8)
}

/// Missiles that hit, by the number fired, for rolls of 2 to 12.
const CLUSTERS: [(u8, [u8; 11]); 10] = [
    (2, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]),
    (3, [1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3]),
    (4, [1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4]),
    (5, [1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5]),
    (6, [2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6]),
    (9, [3, 3, 4, 5, 5, 5, 5, 7, 7, 9, 9]),
    (10, [3, 3, 4, 6, 6, 6, 6, 8, 8, 10, 10]),
    (12, [4, 4, 5, 8, 8, 8, 8, 10, 10, 12, 12]),
    (15, [5, 5, 6, 9, 9, 9, 9, 12, 12, 15, 15]),
    (20, [6, 6, 9, 12, 12, 12, 12, 16, 16, 20, 20]),
];

/// Missiles that hit of so many fired, for a roll of two dice. Racks of 30 and 40 are rolled as parts of 20 and 10.
pub fn cluster_hits(fired: u8, roll: u8) -> u8 {
    let column = usize::from(roll.clamp(2, 12) - 2);
    match fired {
        0 | 1 => fired,
        30 => cluster_hits_row(20, column) + cluster_hits_row(10, column),
        40 => 2 * cluster_hits_row(20, column),
        _ => cluster_hits_row(fired, column),
    }
}

fn cluster_hits_row(fired: u8, column: usize) -> u8 {
    CLUSTERS.iter().rev().find(|(row, _)| *row <= fired).map_or(fired, |(_, hits)| hits[column])
}

impl Kind {
    /// Damage of a hit times the [`outcomes`](Profile::outcomes) of the roll that decides it: an exact average.
    pub fn hit_average(&self, profile: &Profile) -> u32 {
        match self.family {
            Short | Long => {
                if !profile.streaks_roll && matches!(self.special, Streak | StreakOneShot) {
                    return profile.outcomes() * u32::from(self.damage) * u32::from(self.shots);
                }
                let hits: u32 =
                    (2..=12).map(|roll| profile.ways(roll) * u32::from(cluster_hits(self.shots, roll as u8))).sum();
                hits * u32::from(self.damage)
            }
            _ => profile.outcomes() * u32::from(self.damage),
        }
    }

    /// Average damage of a hit with rounds of this charge, times the [`outcomes`](Profile::outcomes) of two dice.
    /// `guided` says whether a beacon or a computer helps the missiles.
    pub fn load_average(&self, profile: &Profile, charge: Charge, guided: bool) -> u32 {
        let sum = |points: &dyn Fn(u8) -> u32| (2..=12).map(|roll| profile.ways(roll) * points(roll as u8)).sum();
        match (self.family, charge) {
            (_, Inferno) => 0,
            (Scatter, Cluster) => sum(&|roll| {
                let hits = u32::from(cluster_hits(self.shots, roll));
                if profile.lbx_sum { (0..hits).map(|from| (hits - from).min(5)).sum() } else { hits }
            }),
            (Short | Long, _) if guided && self.shots > 1 => {
                sum(&|roll| u32::from(cluster_hits(self.shots, (roll + 2).min(12))) * u32::from(self.damage))
            }
            _ => self.hit_average(profile),
        }
    }

    /// The same for an Ultra cannon at double rate: one shell or both.
    pub fn double_average(&self, profile: &Profile) -> u32 {
        (2..=12).map(|roll| profile.ways(roll) * u32::from(cluster_hits(2, roll as u8)) * u32::from(self.damage)).sum()
    }

    /// Points of the largest single group of a hit: what one location may get.
    pub const fn group(&self) -> u8 {
        match self.family {
            Long if self.shots > 1 => 5,
            _ => self.damage,
        }
    }

    /// Whether its shots need a bin.
    pub const fn needs_bin(&self) -> bool {
        !matches!(self.family, Energy) && !matches!(self.special, OneShot | StreakOneShot)
    }

    /// To-hit modifier of the range; `None` beyond long range.
    #[inline]
    pub const fn range_modifier(&self, distance: u8) -> Option<i8> {
        let [minimum, short, medium, long] = self.ranges;
        let range = if distance <= short {
            0
        } else if distance <= medium {
            2
        } else if distance <= long {
            4
        } else {
            return Option::None;
        };
        Some(range + minimum_modifier(minimum, distance))
    }
}

/// To-hit modifier of a target that is too near.
#[inline]
pub const fn minimum_modifier(minimum: u8, distance: u8) -> i8 {
    if minimum > 0 && distance <= minimum { (minimum - distance + 1) as i8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_order_of_their_codes() {
        assert!(WEAPONS.is_sorted_by_key(|kind| kind.code));
        assert!(LOADS.is_sorted_by_key(|load| load.code));
        for load in LOADS {
            assert!(weapon_by_code(load.weapon).is_some());
        }
    }

    #[test]
    fn racks_hit_with_the_stated_averages() {
        let expected = [(38, 1.42, 1.24), (40, 2.64, 2.36), (42, 4.0, 3.6), (36, 3.17, 2.84), (30, 6.31, 5.64)];
        for (code, book, ugr) in expected {
            let kind = WEAPONS[usize::from(weapon_by_code(code).unwrap())];
            for (profile, missiles) in [(Profile::BOOK, book), (Profile::UGR, ugr)] {
                let average = f64::from(kind.hit_average(&profile)) / f64::from(profile.outcomes());
                assert!((average / f64::from(kind.damage) - missiles).abs() < 0.006, "{} {average}", kind.name);
            }
        }
    }
}
