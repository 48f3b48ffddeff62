//! A dozen designs of the project's own, valid under the building rules: what weight is left becomes armour.

use rival_core::games::battletech::Location::{
    CentreTorso as CT, Head as HD, LeftArm as LA, LeftTorso as LT, RightArm as RA, RightTorso as RT,
};

use super::design::Order;

/// The designs, light to heavy.
pub const DESIGNS: [Order; 12] = [
    Order { name: "Sandpiper", tons: 20, walk: 8, jump: 8, sinks: 10, weapons: &[(22, RA)], bins: &[] },
    Order {
        name: "Hornet",
        tons: 25,
        walk: 7,
        jump: 0,
        sinks: 10,
        weapons: &[(22, RA), (22, LA), (40, CT)],
        bins: &[(57, RT)],
    },
    Order {
        name: "Kestrel",
        tons: 35,
        walk: 6,
        jump: 6,
        sinks: 10,
        weapons: &[(22, RA), (22, LA), (42, RT)],
        bins: &[(58, LT)],
    },
    Order {
        name: "Badger",
        tons: 40,
        walk: 4,
        jump: 0,
        sinks: 12,
        weapons: &[(21, RA), (22, LA), (22, RT), (40, LT)],
        bins: &[(57, LT)],
    },
    Order { name: "Heron", tons: 45, walk: 5, jump: 5, sinks: 11, weapons: &[(21, RA), (22, LA), (22, LT)], bins: &[] },
    Order {
        name: "Boar",
        tons: 50,
        walk: 5,
        jump: 0,
        sinks: 12,
        weapons: &[(21, RA), (22, LA), (22, RT), (42, LT), (22, HD)],
        bins: &[(58, LT)],
    },
    Order {
        name: "Lynx",
        tons: 55,
        walk: 5,
        jump: 5,
        sinks: 12,
        weapons: &[(30, LT), (22, RA), (22, LA), (40, RT)],
        bins: &[(49, LT), (57, RT)],
    },
    Order {
        name: "Mastiff",
        tons: 60,
        walk: 4,
        jump: 0,
        sinks: 14,
        weapons: &[(23, RA), (22, LA), (22, LA), (42, LT), (22, CT)],
        bins: &[(58, LT)],
    },
    Order {
        name: "Bison",
        tons: 70,
        walk: 4,
        jump: 0,
        sinks: 14,
        weapons: &[(32, LT), (32, RT), (22, LA), (22, RA), (22, CT)],
        bins: &[(50, LT), (50, RT)],
    },
    Order {
        name: "Ibex",
        tons: 75,
        walk: 4,
        jump: 4,
        sinks: 16,
        weapons: &[(21, RA), (21, LA), (22, RT), (22, LT), (42, LT)],
        bins: &[(58, LT)],
    },
    Order {
        name: "Walrus",
        tons: 85,
        walk: 3,
        jump: 0,
        sinks: 16,
        weapons: &[(27, RT), (21, LA), (22, RA), (22, RA), (42, LT)],
        bins: &[(47, LT), (47, LT), (58, LT)],
    },
    Order {
        name: "Anvil",
        tons: 100,
        walk: 3,
        jump: 0,
        sinks: 20,
        weapons: &[(23, RA), (23, LA), (25, RT), (22, LT), (22, LT), (42, LT)],
        bins: &[(45, LT), (45, LT), (58, LT)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::battletech::design::armour_limit;
    use rival_core::games::battletech::Location;

    #[test]
    fn the_designs_are_valid_and_distinct() {
        for order in DESIGNS {
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
