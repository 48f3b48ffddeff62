//! The two ways to play: as the original simulator does, and as its manual says.

/// Every point in which the simulator and its manual differ, one field each. The rules ask a field, never a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Faces of a die. The program draws 1 to 5.
    pub faces: u8,
    /// Initiative is rolled (highest acts last); otherwise it is a uniform shuffle.
    pub initiative_rolled: bool,
    /// Water on a hill costs nothing to enter.
    pub hill_water_free: bool,
    /// The road link of a backward step is looked up with the mech's facing.
    pub road_by_facing: bool,
    /// Target movement counts the hexes between start and end, not the steps.
    pub net_movement: bool,
    /// A move that needs the minimum-move rule counts as running.
    pub minimum_move_runs: bool,
    /// Any shortest path may be jumped, not only the line of sight's.
    pub free_jump_path: bool,
    /// Twenty points of damage in a turn ask for a piloting roll.
    pub roll_for_twenty: bool,
    /// Falls are counted from their true height.
    pub fall_height: bool,
    /// A fall's die of 5 turns one side to the left and 6 two; in the book it is the other way round.
    pub fall_left_swapped: bool,
    /// Standing up heats by the attempt, not by the success.
    pub stand_heat_by_attempt: bool,
    /// Lines of sight are walked pixel by pixel with the program's defects.
    pub pixel_lines: bool,
    /// A prone mech may have partial cover.
    pub prone_cover: bool,
    /// Woods on the line raise the to-hit number whatever their height.
    pub low_woods_count: bool,
    /// The cover that counts is the one that the target found in its own last weapon phase.
    pub stale_cover: bool,
    /// A die of 2 above partial cover is a chance of a critical hit, as a 2 on the whole table is.
    pub cover_criticals: bool,
    /// Added to the to-hit number of pulse lasers.
    pub pulse: i8,
    /// Damage to the structure gives exactly one critical hit on 8 or more.
    pub single_critical: bool,
    /// The last slot of a location is never drawn.
    pub last_slot_safe: bool,
    /// Damage through the rear armour goes to the front centre torso's armour, or is lost.
    pub rear_leaks: bool,
    /// A lost side torso takes its arm with it.
    pub torso_takes_arm: bool,
    /// Base number of a kick.
    pub kick_base: i8,
    /// A kick's die of 1 to 3 hits the left leg.
    pub kick_low_left: bool,
    /// Fists and a foot may be used in the same turn.
    pub punch_and_kick: bool,
    /// A mech without weapons reaches all round in physical combat.
    pub weaponless_all_round: bool,
    /// Number that avoids an ammunition explosion from heat 28 on.
    pub ammo_28: u8,
    /// Heat wounds the pilot when life support is out.
    pub heat_wounds: bool,
    /// Numbers that MASC needs in the first to fourth turn of its use.
    pub masc: [u8; 4],
    /// Numbers to set a hex on fire with a flamer, other energy, anything else.
    pub ignite: [u8; 3],
    /// Heat that burning gel adds in a turn.
    pub inferno_heat: u8,
    /// LB-X cluster groups hold more points than there were hits.
    pub lbx_sum: bool,
    /// Streak missiles that were fired roll for how many hit, like others.
    pub streaks_roll: bool,
    /// A weapon may be listed, and fired, more than once.
    pub repeated_weapons: bool,
    /// A pilot's death by wounds ends the mech for the count of survivors.
    pub pilot_death_counts: bool,
    /// Wrecks keep their hex.
    pub wrecks_block: bool,
    /// The wind's side is counted from 1 in the file of options, otherwise from 0.
    pub wind_from_one: bool,
    /// The sight helper tells the cover of the hex that looks, otherwise of the one that is looked at.
    pub helper_covers_origin: bool,
}

impl Profile {
    /// What the original simulator does.
    pub const UGR: Self = Self {
        faces: 5,
        initiative_rolled: false,
        hill_water_free: true,
        road_by_facing: true,
        net_movement: false,
        minimum_move_runs: false,
        free_jump_path: false,
        roll_for_twenty: false,
        fall_height: false,
        fall_left_swapped: true,
        stand_heat_by_attempt: false,
        pixel_lines: true,
        prone_cover: true,
        low_woods_count: true,
        stale_cover: true,
        cover_criticals: true,
        pulse: 0,
        single_critical: true,
        last_slot_safe: true,
        rear_leaks: true,
        torso_takes_arm: false,
        kick_base: 5,
        kick_low_left: true,
        punch_and_kick: true,
        weaponless_all_round: true,
        ammo_28: 10,
        heat_wounds: false,
        masc: [3, 4, 6, 10],
        ignite: [5, 5, 7],
        inferno_heat: 0,
        lbx_sum: true,
        streaks_roll: true,
        repeated_weapons: true,
        pilot_death_counts: false,
        wrecks_block: true,
        wind_from_one: false,
        helper_covers_origin: true,
    };

    /// What its manual says.
    pub const BOOK: Self = Self {
        faces: 6,
        initiative_rolled: true,
        hill_water_free: false,
        road_by_facing: false,
        net_movement: true,
        minimum_move_runs: true,
        free_jump_path: true,
        roll_for_twenty: true,
        fall_height: true,
        fall_left_swapped: false,
        stand_heat_by_attempt: true,
        pixel_lines: false,
        prone_cover: false,
        low_woods_count: false,
        stale_cover: false,
        cover_criticals: false,
        pulse: -2,
        single_critical: false,
        last_slot_safe: false,
        rear_leaks: false,
        torso_takes_arm: true,
        kick_base: 3,
        kick_low_left: false,
        punch_and_kick: false,
        weaponless_all_round: false,
        ammo_28: 8,
        heat_wounds: true,
        masc: [3, 5, 7, 11],
        ignite: [4, 7, 9],
        inferno_heat: 6,
        lbx_sum: false,
        streaks_roll: false,
        repeated_weapons: false,
        pilot_death_counts: true,
        wrecks_block: false,
        wind_from_one: true,
        helper_covers_origin: false,
    };

    /// Equally likely results of two dice.
    pub const fn outcomes(&self) -> u32 {
        self.faces as u32 * self.faces as u32
    }

    /// What MASC needs after so many turns of use in a row; the fifth turn and later ones are as the fourth.
    pub const fn masc_need(&self, turns: u8) -> u8 {
        let turns = turns as usize;
        self.masc[if turns < self.masc.len() { turns } else { self.masc.len() - 1 }]
    }

    /// In how many of the [`outcomes`](Self::outcomes) two dice show exactly `sum`.
    pub const fn ways(&self, sum: i32) -> u32 {
        let faces = self.faces as i32;
        if sum < 2 || sum > 2 * faces {
            0
        } else if sum <= faces + 1 {
            (sum - 1) as u32
        } else {
            (2 * faces + 1 - sum) as u32
        }
    }

    /// In how many of the [`outcomes`](Self::outcomes) two dice show `need` or more.
    pub const fn ways_at_least(&self, need: i32) -> u32 {
        let faces = self.faces as i32;
        if need <= 2 {
            self.outcomes()
        } else if need > 2 * faces {
            0
        } else if need <= faces + 1 {
            self.outcomes() - ((need - 2) * (need - 1) / 2) as u32
        } else {
            let over = 2 * faces + 1 - need;
            (over * (over + 1) / 2) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_dice_have_the_stated_odds() {
        let book = [36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0];
        let ugr = [25, 25, 25, 24, 22, 19, 15, 10, 6, 3, 1, 0, 0, 0];
        for need in 0..14 {
            assert_eq!(Profile::BOOK.ways_at_least(need), book[need as usize], "2d6 >= {need}");
            assert_eq!(Profile::UGR.ways_at_least(need), ugr[need as usize], "2d5 >= {need}");
            for profile in [Profile::UGR, Profile::BOOK] {
                let tail: u32 = (need..=12).map(|sum| profile.ways(sum)).sum();
                assert_eq!(profile.ways_at_least(need), tail);
            }
        }
    }
}
