//! One test a quirk, named after the rule: each plays its own recording of the original program, of the same name.

use std::path::Path;

use super::conform::check_named;

/// Makes the tests, and knows all the names.
macro_rules! quirks {
    ($($test:ident: $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*

        /// Every recording has its test.
        #[test]
        fn no_recorded_quirk_is_without_a_test() {
            let tested = [$($name),*];
            let recorded = recorded();
            assert_eq!(recorded.len(), 51);
            for name in recorded {
                assert!(tested.contains(&name.as_str()), "{name}");
            }
        }
    };
}

fn file() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/parchis/quirks.jsonl")
}

fn check(name: &str) {
    if let Err(difference) = check_named(&file(), name).unwrap() {
        panic!("{difference}");
    }
}

fn recorded() -> Vec<String> {
    let names = crate::recording::lines(&file()).unwrap();
    names.map(|line| line.unwrap().1["name"].as_str().unwrap().to_owned()).collect()
}

quirks! {
    mega_entering_the_goal_crushes_square_1_and_takes_its_item: "mega entering the goal crushes square 1 and takes its item",
    mega_cannot_enter_the_goal_when_an_own_piece_is_there: "mega cannot enter the goal when an own piece is there",
    mega_cannot_stop_on_corridor_7_when_an_own_piece_is_in_goal: "mega cannot stop on corridor 7 when an own piece is in goal",
    leaving_68_by_one_square_is_killed_by_any_foreign_star_on_the_ring: "68 -> 1 by one square is killed by any foreign star on the ring",
    leaving_68_for_5_passes_a_foreign_star_on_square_1_unharmed: "68 -> 5 passes a foreign star on square 1 unharmed",
    leaving_67_for_4_is_killed_by_a_foreign_star_on_square_1: "67 -> 4 is killed by a foreign star on square 1",
    star_bouncing_behind_its_start_sweeps_the_ring: "star bouncing behind its start sweeps the ring",
    blue_shell_kills_a_mega: "blue shell kills a mega",
    red_shell_does_not_kill_a_mega_shell_wasted: "red shell does not kill a mega (shell wasted)",
    red_shell_hitting_the_own_partner_is_blocked_by_the_own_horn: "red shell hitting the own partner is blocked by the own horn",
    one_horn_saves_only_the_first_of_two_tied_targets: "one horn saves only the first of two tied targets",
    lightning_partner_in_goal_and_pieces_at_home_shrink_mega_becomes_normal_last_die_lost: "lightning: partner in goal and pieces at home shrink, mega becomes normal, last die lost",
    horn_reaches_two_squares_forward: "horn forward 2",
    horn_spares_blue_on_its_entry_unless_it_is_behind: "horn: blue on its entry 17 cannot walk to 19, but is it behind yellow?",
    horn_hits_the_own_partner_colour: "horn hits the own partner colour",
    banana_trap_stops_at_first_trap_one_of_two_removed_six_does_not_repeat: "banana trap: stops at first trap, one of two removed, six does not repeat",
    trapped_mover_does_not_eat: "trapped mover does not eat",
    bounce_out_of_the_corridor_onto_the_ring_ignores_traps: "bounce out of the corridor onto the ring ignores traps",
    bounce_out_of_the_corridor_can_eat: "bounce out of the corridor can eat",
    trapped_move_that_would_have_bounced_still_counts_the_bounce: "trapped move that would have bounced still counts the bounce",
    the_31st_bounce_loses: "31st bounce loses",
    a_star_bounce_is_not_counted: "a star bounce is not counted",
    skip_with_6_while_the_stale_bananed_flag_is_set_passes_the_turn: "skip with 6 while the stale bananed flag is set passes the turn",
    skip_with_6_repeats_the_turn: "skip with 6 repeats the turn",
    skip_with_a_special_die_wastes_it: "skip with a special die wastes it",
    barrier_inside_the_corridor_forces_the_six: "barrier inside the corridor forces the six",
    six_with_a_corridor_barrier_piece: "six with a corridor barrier piece",
    exactly_two_pieces_on_the_target_block_even_if_one_is_a_ghost: "exactly two pieces on the target block even if one is a ghost",
    three_pieces_on_the_target_do_not_block_first_in_scan_order_is_eaten: "three pieces on the target do not block, first in scan order is eaten",
    ghost_cannot_land_on_the_rear_square_of_a_mega: "ghost cannot land on the rear square of a mega",
    ghost_can_land_on_the_front_square_of_a_mega: "ghost can land on the front square of a mega",
    own_mega_can_be_jumped: "own mega can be jumped",
    mega_moved_in_its_last_turn_ends_one_square_further: "mega moved in its last turn ends one square further",
    mega_not_moved_in_its_last_turn_stays_on_the_rear_square: "mega not moved in its last turn stays on the rear square",
    mushroom_walks_eight_to_a_free_68: "mushroom 60 + 8 = 68 free",
    mushroom_past_occupied_corridor_7_and_goal_bounces_to_corridor_6: "mushroom past occupied corridor 7 and goal bounces to corridor 6",
    mushroom_into_goal_gives_no_extra_turn: "mushroom into goal gives no extra turn",
    bullet_from_home_goes_to_start_plus_40: "bullet from home goes to start + 40",
    boo_steals_the_last_die_of_the_rival: "boo steals the last die of the rival",
    cannot_grow_with_an_own_piece_in_front: "cannot grow with an own piece in front",
    growing_crushes_both_squares_safe_too_and_takes_the_front_item: "growing crushes both squares (safe too) and takes the front item",
    item_stays_when_the_hand_is_full: "item stays when the hand is full",
    six_counts_seven_with_nobody_of_the_colour_at_home: "six counts seven with nobody of the colour at home",
    six_counts_six_with_a_piece_of_the_colour_at_home: "six counts six with a piece of the colour at home",
    start_occupied_by_two_pieces_blocks_leaving_home: "start occupied by two pieces blocks leaving home",
    leaving_home_onto_one_foreign_piece_shares_the_safe_square: "leaving home onto one foreign piece shares the safe square",
    eating_the_own_partner_gives_20: "eating the own partner gives 20",
    barrier_with_a_small_piece_can_be_crossed: "barrier with a small piece can be crossed",
    bananed_piece_null_move_spends_the_die: "bananed piece: null move spends the die",
    star_runs_over_a_mega_that_shares_its_square_with_a_ghost: "star runs over a mega that shares its square with a ghost",
    red_shell_from_home_wrap_around_distance_uses_raw_numbers: "red shell from home, wrap-around distance uses raw numbers",
}
