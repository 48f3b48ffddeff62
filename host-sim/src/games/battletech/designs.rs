//! A dozen designs of the project's own, valid under the building rules: what weight is left becomes armour.

use rival_core::games::battletech::Location::{
    CentreTorso as CT, Head as HD, LeftArm as LA, LeftTorso as LT, RightArm as RA, RightTorso as RT,
};

use super::design::Extra::{Case, DoubleSinks, Ecm, Hatchet, Masc, Muscles, Sword, Xl};
use super::design::Order;

/// The designs, light to heavy: what matches are played with.
pub const DESIGNS: [Order; 12] = [
    Order { name: "Sandpiper", tons: 20, walk: 8, jump: 8, sinks: 10, weapons: &[(22, RA)], bins: &[], extras: &[] },
    Order {
        name: "Hornet",
        tons: 25,
        walk: 7,
        jump: 0,
        sinks: 10,
        weapons: &[(22, RA), (22, LA), (40, CT)],
        bins: &[(57, RT)],
        extras: &[],
    },
    Order {
        name: "Kestrel",
        tons: 35,
        walk: 6,
        jump: 6,
        sinks: 10,
        weapons: &[(22, RA), (22, LA), (42, RT)],
        bins: &[(58, LT)],
        extras: &[],
    },
    Order {
        name: "Badger",
        tons: 40,
        walk: 4,
        jump: 0,
        sinks: 12,
        weapons: &[(21, RA), (22, LA), (22, RT), (40, LT)],
        bins: &[(57, LT)],
        extras: &[],
    },
    Order {
        name: "Heron",
        tons: 45,
        walk: 5,
        jump: 5,
        sinks: 11,
        weapons: &[(21, RA), (22, LA), (22, LT)],
        bins: &[],
        extras: &[],
    },
    Order {
        name: "Boar",
        tons: 50,
        walk: 5,
        jump: 0,
        sinks: 12,
        weapons: &[(21, RA), (22, LA), (22, RT), (42, LT), (22, HD)],
        bins: &[(58, LT)],
        extras: &[],
    },
    Order {
        name: "Lynx",
        tons: 55,
        walk: 5,
        jump: 5,
        sinks: 12,
        weapons: &[(30, LT), (22, RA), (22, LA), (40, RT)],
        bins: &[(49, LT), (57, RT)],
        extras: &[],
    },
    Order {
        name: "Mastiff",
        tons: 60,
        walk: 4,
        jump: 0,
        sinks: 14,
        weapons: &[(23, RA), (22, LA), (22, LA), (42, LT), (22, CT)],
        bins: &[(58, LT)],
        extras: &[],
    },
    Order {
        name: "Bison",
        tons: 70,
        walk: 4,
        jump: 0,
        sinks: 14,
        weapons: &[(32, LT), (32, RT), (22, LA), (22, RA), (22, CT)],
        bins: &[(50, LT), (50, RT)],
        extras: &[],
    },
    Order {
        name: "Ibex",
        tons: 75,
        walk: 4,
        jump: 4,
        sinks: 16,
        weapons: &[(21, RA), (21, LA), (22, RT), (22, LT), (42, LT)],
        bins: &[(58, LT)],
        extras: &[],
    },
    Order {
        name: "Walrus",
        tons: 85,
        walk: 3,
        jump: 0,
        sinks: 16,
        weapons: &[(27, RT), (21, LA), (22, RA), (22, RA), (42, LT)],
        bins: &[(47, LT), (47, LT), (58, LT)],
        extras: &[],
    },
    Order {
        name: "Anvil",
        tons: 100,
        walk: 3,
        jump: 0,
        sinks: 20,
        weapons: &[(23, RA), (23, LA), (25, RT), (22, LT), (22, LT), (42, LT)],
        bins: &[(45, LT), (45, LT), (58, LT)],
        extras: &[],
    },
];

/// Designs with what the later rules brought: double rate, clusters, beacons, gel, guided missiles, blades, MASC. Named
/// on request (`--mechs Weasel`), and met in the referee's tests.
pub const LATER_DESIGNS: [Order; 6] = [
    Order {
        name: "Weasel",
        tons: 30,
        walk: 7,
        jump: 0,
        sinks: 10,
        weapons: &[(73, RT), (22, RA), (22, LA), (38, LT)],
        bins: &[(114, RT), (56, LT)],
        extras: &[Xl, Masc(RT)],
    },
    Order {
        name: "Fox",
        tons: 45,
        walk: 6,
        jump: 6,
        sinks: 10,
        weapons: &[(265, RA), (62, LA), (72, RT)],
        bins: &[(107, RT)],
        extras: &[DoubleSinks, Ecm(LT)],
    },
    Order {
        name: "Axeman",
        tons: 60,
        walk: 5,
        jump: 0,
        sinks: 12,
        weapons: &[(22, LA), (22, LT), (42, LT), (22, RT), (20, HD)],
        bins: &[(58, LT)],
        extras: &[Muscles, Hatchet(RA), Case(LT)],
    },
    Order {
        name: "Rook",
        tons: 70,
        walk: 4,
        jump: 0,
        sinks: 10,
        weapons: &[(67, RA), (67, LA), (66, RT)],
        bins: &[(128, LT), (84, LT), (86, LT)],
        extras: &[Case(LT)],
    },
    Order {
        name: "Magpie",
        tons: 75,
        walk: 4,
        jump: 0,
        sinks: 12,
        weapons: &[(32, LT), (32, RT), (72, RA), (63, LA), (62, CT)],
        bins: &[(91, LT), (92, RT), (107, RT), (12, LT)],
        extras: &[DoubleSinks, Sword(LA)],
    },
    Order {
        name: "Rhino",
        tons: 90,
        walk: 3,
        jump: 0,
        sinks: 12,
        weapons: &[(65, RT), (124, LT), (61, RA), (43, LA), (68, LA)],
        bins: &[(83, RT), (164, LT), (103, LT)],
        extras: &[DoubleSinks, Case(LT)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::battletech::design::armour_limit;
    use rival_core::games::battletech::Location;

    #[test]
    fn the_designs_are_valid_and_distinct() {
        for order in DESIGNS.iter().chain(&LATER_DESIGNS) {
            let design = order.build().unwrap();
            let mech = &design.mech;
            for location in Location::BODY {
                let rear: u8 = Location::ALL
                    .iter()
                    .filter(|other| other.is_rear() && other.body() == location)
                    .map(|at| mech.armour[at.index()])
                    .sum();
                assert!(
                    mech.armour[location.index()] + rear <= armour_limit(&mech.structure, location),
                    "{}",
                    order.name
                );
            }
            let armour: u16 = mech.armour.iter().map(|&points| u16::from(points)).sum();
            assert!(armour >= 3 * u16::from(order.tons) / 2, "{} has {armour} points of armour", order.name);
        }
    }
}
