//! A test for each rule, named after it. What the recordings of single actions show stands beside them, in `host-sim`.

use std::string::{String, ToString};
use std::vec::Vec;

use super::geometry::{GOAL, HOME, RING, cell};
use super::rules::Move;
use super::state::{BANANED, Condition, Dice, Die, Piece, Player, SIX, Special, State, TURN};

/// A table with every piece at home, no items, and J1 to act with all dice.
fn empty() -> State {
    State { cells: [HOME; 12], items: 0, ..State::start() }
}

fn piece(name: &str) -> usize {
    let all: Vec<String> = Piece::all().map(|piece| piece.to_string()).collect();
    all.iter().position(|known| known == name).unwrap()
}

/// Puts pieces on ring squares.
fn with(mut state: State, pieces: &[(&str, u8)]) -> State {
    for &(name, square) in pieces {
        state.cells[piece(name)] = square;
    }
    state
}

/// Puts a piece so far along its own way: 69 to 75 is the corridor, 76 the goal.
fn along(mut state: State, name: &str, progress: u8) -> State {
    state.cells[piece(name)] = cell(piece(name) as u8 / 3, progress);
    state
}

fn being(mut state: State, name: &str, condition: Condition, left: u8) -> State {
    state.modes[piece(name)] = condition.for_turns(left);
    state
}

fn holding(mut state: State, player: Player, hand: &[Special]) -> State {
    state.dice[player as usize].hand = [0; 2];
    for &special in hand {
        state.dice[player as usize].take(special);
    }
    state
}

fn find(state: &State, die: u8, name: &str) -> Option<Move> {
    state.find(Die::from_code(die).unwrap(), Some(Piece(piece(name) as u8)))
}

fn play(state: &State, die: u8, name: &str) -> State {
    state.play(find(state, die, name).unwrap_or_else(|| panic!("{die} {name} is illegal in {state:?}")))
}

fn skip(state: &State, die: u8) -> Option<State> {
    state.find(Die::from_code(die).unwrap(), None).map(|mv| state.play(mv))
}

fn square(state: &State, name: &str) -> u8 {
    state.cells[piece(name)]
}

fn is_home(state: &State, name: &str) -> bool {
    square(state, name) == HOME
}

// Dice and order of actions.

#[test]
fn the_hand_comes_first_then_the_dice_from_six_down_main_colour_first() {
    let state = holding(State::start(), Player::J1, &[Special::Star, Special::Boo]);
    let order: Vec<_> = state.legal().into_iter().map(|mv| mv.to_string()).collect();
    assert_eq!(order[..7], ["boo y0", "boo y1", "boo y2", "boo r0", "boo r1", "boo r2", "star y0"]);
    assert_eq!(order[12..15], ["6 y0", "6 y1", "6 y2"]);
    assert_eq!(order[36..], ["1 y0", "1 y1", "1 y2", "1 r0", "1 r1", "1 r2"]);
}

#[test]
fn two_equal_dice_in_the_hand_are_both_listed() {
    let state = holding(State::start(), Player::J1, &[Special::Star, Special::Star]);
    assert_eq!(state.legal().into_iter().filter(|mv| mv.die().special() == Some(Special::Star)).count(), 12);
}

#[test]
fn the_five_dice_return_when_the_last_is_used() {
    let mut state = with(empty(), &[("y0", 20)]);
    state.dice[0].normal = 1;
    assert_eq!(play(&state, 1, "y0").dice[0].normal, Dice::ALL_NORMAL);
}

#[test]
fn a_forced_die_is_the_only_one() {
    let state = play(&with(empty(), &[("y0", 20), ("b0", 22)]), 2, "y0");
    assert_eq!(state.forced(), Some(Die::TWENTY));
    assert!(state.legal().into_iter().all(|mv| mv.die() == Die::TWENTY));
}

#[test]
fn a_die_that_moves_nobody_can_only_be_skipped() {
    let state = empty();
    assert!(find(&state, 1, "y0").is_none());
    let after = skip(&state, 1).unwrap();
    assert_eq!((after.turn(), after.dice[0].normal), (Player::J2, 0b1_1110));
    assert!(skip(&state, 5).is_none(), "a five leaves home");
}

#[test]
fn dice_belong_to_the_player_and_not_to_the_colour() {
    let state = play(&with(empty(), &[("y0", 20), ("r0", 50)]), 1, "y0");
    assert_eq!(state.dice[0].normal, 0b1_1110);
}

// Leaving home, walking, the goal.

#[test]
fn only_a_five_and_four_special_dice_move_a_piece_at_home() {
    let state = empty();
    for die in [1, 2, 4, 6] {
        assert!(find(&state, die, "y0").is_none(), "{die}");
    }
    assert_eq!(square(&play(&state, 5, "y0"), "y0"), 4);
    for special in Special::ALL {
        let state = holding(state, Player::J1, &[special]);
        let allowed = matches!(special, Special::Bullet | Special::RedShell | Special::BlueShell | Special::Lightning);
        assert_eq!(find(&state, special as u8 + 100, "y0").is_some(), allowed, "{special:?}");
    }
}

#[test]
fn six_counts_seven_when_nobody_of_the_colour_is_at_home() {
    let out = with(empty(), &[("y0", 20), ("y1", 40), ("y2", 50)]);
    assert_eq!(square(&play(&out, 6, "y0"), "y0"), 27);
    assert_eq!(square(&play(&with(empty(), &[("y0", 20)]), 6, "y0"), "y0"), 26);
}

#[test]
fn a_piece_turns_into_its_own_corridor_and_walks_past_the_others() {
    let state = with(empty(), &[("y0", 66), ("r0", 16)]);
    assert_eq!(square(&play(&state, 4, "y0"), "y0"), cell(3, RING + 2));
    assert_eq!(square(&play(&state, 4, "r0"), "r0"), 20, "red passes blue's entry");
}

#[test]
fn the_goal_gives_a_ten_for_any_own_piece() {
    let state = with(along(empty(), "y0", 75), &[("r0", 50)]);
    let after = play(&state, 1, "y0");
    assert_eq!((after.forced(), after.turn()), (Some(Die::TEN), Player::J1));
    assert_eq!(square(&play(&after, 10, "r0"), "r0"), 60);
    assert!(find(&after, 10, "y0").is_none(), "a piece in the goal stays there");
}

#[test]
fn too_many_steps_bounce_off_the_goal_and_are_counted() {
    let after = play(&along(empty(), "y0", 74), 5, "y0");
    assert_eq!((square(&after, "y0"), after.bounces[3]), (cell(3, 73), 1));
}

#[test]
fn a_bounce_can_lead_out_of_the_corridor() {
    let state = along(empty(), "y0", 70);
    let mut state = with(state, &[("b0", 22)]);
    state.flags |= super::state::EAT;
    assert_eq!(square(&play(&state, 20, "y0"), "y0"), cell(3, 62));
}

#[test]
fn the_thirty_first_bounce_loses() {
    let mut state = along(empty(), "y0", 74);
    state.bounces[3] = 29;
    let after = play(&state, 5, "y0");
    assert!(!after.is_over());
    state.bounces[3] = 30;
    let after = play(&state, 5, "y0");
    assert_eq!((after.winner(), after.overbounce()), (Some(Player::J2), Some(Player::J1)));
}

#[test]
fn three_pieces_of_a_colour_in_the_goal_win() {
    let state = along(along(along(empty(), "y0", 75), "y1", GOAL), "y2", GOAL);
    let after = play(&state, 1, "y0");
    assert_eq!(after.winner(), Some(Player::J1));
    assert_eq!(after.forced(), None, "a finished game gives no ten");
}

// Extra turns.

#[test]
fn a_six_goes_on_and_is_remembered_through_ten_and_twenty() {
    let state = with(empty(), &[("y0", 20), ("b0", 26), ("r0", 40)]);
    let eaten = play(&state, 6, "y0");
    assert!(eaten.flags & SIX != 0 && eaten.forced() == Some(Die::TWENTY));
    let after = play(&eaten, 20, "r0");
    assert_eq!(after.turn(), Player::J1, "the six still gives its turn");
    assert_eq!(play(&after, 1, "y0").turn(), Player::J2);
}

#[test]
fn special_dice_give_no_extra_turn_even_into_the_goal() {
    let state = holding(along(empty(), "y0", 70), Player::J1, &[Special::Mushroom]);
    let after = play(&state, 106, "y0");
    assert_eq!((square(&after, "y0"), after.turn(), after.forced()), (cell(3, GOAL), Player::J2, None));
}

// Eating and squares.

#[test]
fn eating_sends_home_and_gives_twenty_but_not_on_safe_squares() {
    let after = play(&with(empty(), &[("y0", 20), ("b0", 22)]), 2, "y0");
    assert!(is_home(&after, "b0") && after.forced() == Some(Die::TWENTY));
    let after = play(&with(empty(), &[("y0", 11), ("b0", 13)]), 2, "y0");
    assert!(!is_home(&after, "b0") && after.turn() == Player::J2, "13 is safe");
}

#[test]
fn a_ghost_is_not_eaten_and_small_ghostly_or_bananed_pieces_do_not_eat() {
    let board = with(empty(), &[("y0", 20), ("b0", 22)]);
    assert!(!is_home(&play(&being(board, "b0", Condition::Boo, 3), 2, "y0"), "b0"));
    assert!(!is_home(&play(&being(board, "y0", Condition::Boo, 3), 2, "y0"), "b0"));
    assert!(!is_home(&play(&being(board, "y0", Condition::Small, 3), 4, "y0"), "b0"));
}

#[test]
fn a_piece_sent_home_keeps_its_condition() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 22)]), "b0", Condition::Small, 3);
    let after = play(&state, 2, "y0");
    assert!(is_home(&after, "b0"));
    assert_eq!(after.condition(Piece(0)), (Condition::Small, 3));
}

#[test]
fn exactly_two_pieces_close_a_square_whatever_their_colours() {
    let state = with(empty(), &[("y0", 28), ("b0", 30), ("g0", 30)]);
    assert!(find(&state, 2, "y0").is_none());
    assert!(find(&state, 4, "y0").is_some(), "two colours are no wall");
}

#[test]
fn three_pieces_on_a_square_close_nothing() {
    let state = with(empty(), &[("y0", 20), ("b0", 22), ("b1", 22), ("g0", 22)]);
    let after = play(&state, 2, "y0");
    assert!(is_home(&after, "b0") && !is_home(&after, "b1"), "only the first is eaten");
}

// Walls.

#[test]
fn a_wall_stops_the_other_colours_and_not_its_own() {
    let state = with(empty(), &[("y0", 20), ("b0", 22), ("b1", 22), ("r0", 24), ("r1", 24), ("r2", 23)]);
    assert!(find(&state, 4, "y0").is_none() && find(&state, 2, "y0").is_none());
    assert!(find(&state, 2, "r2").is_some(), "red jumps the red wall");
}

#[test]
fn a_ghost_or_a_small_piece_makes_no_wall() {
    let state = with(empty(), &[("y0", 20), ("b0", 22), ("b1", 22)]);
    for condition in [Condition::Boo, Condition::Small] {
        assert!(find(&being(state, "b1", condition, 3), 4, "y0").is_some(), "{condition:?}");
    }
    for condition in [Condition::Star, Condition::Mega, Condition::Bananed] {
        let state = being(state, "b1", condition, 3);
        assert!(find(&state, 4, "y0").is_none(), "{condition:?}");
    }
}

#[test]
fn stars_ghosts_and_mega_pieces_pass_walls() {
    let state = with(empty(), &[("y0", 20), ("b0", 22), ("b1", 22)]);
    for condition in [Condition::Star, Condition::Boo, Condition::Mega] {
        assert!(find(&being(state, "y0", condition, 3), 4, "y0").is_some(), "{condition:?}");
    }
}

#[test]
fn a_six_must_break_a_wall_of_either_own_colour() {
    let state = with(empty(), &[("y0", 20), ("r0", 40), ("r1", 40)]);
    assert!(find(&state, 6, "y0").is_none());
    assert!(find(&state, 6, "r0").is_some());
    assert!(find(&state, 4, "y0").is_some(), "other dice are free");
    let shut = with(state, &[("b0", 46), ("b1", 46)]);
    assert!(find(&shut, 6, "r0").is_none() && skip(&shut, 6).is_some(), "only a skip is left");
}

#[test]
fn a_wall_bars_the_whole_ring_to_a_bounce_that_ends_behind_its_start() {
    // The original program follows the ring all the way round.
    let mut state = with(along(empty(), "y0", 67), &[("b0", 30), ("b1", 30)]);
    state.flags |= super::state::EAT;
    assert!(find(&state, 20, "y0").is_none());
    assert!(find(&with(state, &[("b1", 31)]), 20, "y0").is_some());
}

// Mega pieces.

#[test]
fn nothing_but_ghosts_and_its_own_colour_passes_a_mega_piece() {
    let state = being(with(empty(), &[("y0", 20), ("r0", 20), ("b0", 22)]), "b0", Condition::Mega, 3);
    assert!(find(&state, 4, "y0").is_none());
    assert!(find(&being(state, "y0", Condition::Star, 3), 4, "y0").is_none());
    assert!(find(&being(state, "y0", Condition::Boo, 3), 4, "y0").is_some());
    let own = being(with(empty(), &[("y0", 20), ("y1", 22)]), "y1", Condition::Mega, 3);
    assert!(find(&own, 4, "y0").is_some());
}

#[test]
fn a_mega_piece_that_shares_its_square_with_a_ghost_bars_nothing() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 22), ("g0", 22)]), "b0", Condition::Mega, 3);
    let state = being(state, "g0", Condition::Boo, 3);
    assert!(find(&state, 4, "y0").is_some());
}

#[test]
fn a_mega_piece_crushes_both_its_squares_without_a_twenty() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 22), ("g0", 23)]), "y0", Condition::Mega, 4);
    let after = play(&state, 2, "y0");
    assert!(is_home(&after, "b0") && is_home(&after, "g0"));
    assert_eq!((after.forced(), after.turn()), (None, Player::J2));
}

#[test]
fn the_square_after_the_goal_is_ring_square_one_for_every_colour() {
    for (name, first) in [("y0", 3), ("r0", 1)] {
        let state = being(along(empty(), name, 75), name, Condition::Mega, 4);
        let state = with(state, &[("b0", 1)]);
        assert!(is_home(&play(&state, 1, name), "b0"), "{first}");
    }
}

// Stars.

#[test]
fn a_star_walks_two_more_and_sends_home_what_it_passes() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 21), ("g0", 22)]), "y0", Condition::Star, 4);
    let state = being(state, "g0", Condition::Boo, 4);
    let after = play(&state, 1, "y0");
    assert_eq!((square(&after, "y0"), after.forced()), (23, None));
    assert!(is_home(&after, "b0") && !is_home(&after, "g0"));
}

#[test]
fn who_passes_a_foreign_star_goes_home() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 21)]), "b0", Condition::Star, 4);
    assert!(is_home(&play(&state, 2, "y0"), "y0"));
    let own = being(with(empty(), &[("y0", 20), ("y1", 21)]), "y1", Condition::Star, 4);
    assert_eq!(square(&play(&own, 2, "y0"), "y0"), 22);
}

#[test]
fn a_star_may_land_on_two_pieces_unless_both_are_stars() {
    let state = being(with(empty(), &[("y0", 20), ("b0", 22), ("b1", 22)]), "y0", Condition::Star, 4);
    assert!(find(&state, 2, "y0").is_some());
    let state = with(state, &[("b0", 24), ("b1", 24)]);
    let stars = being(being(state, "b0", Condition::Star, 4), "b1", Condition::Star, 4);
    assert!(find(&stars, 2, "y0").is_none());
}

// Traps.

#[test]
fn a_trap_stops_its_victim_and_the_turn() {
    let mut state = with(empty(), &[("y0", 20)]);
    state.traps[0] = 23;
    let after = play(&state, 6, "y0");
    assert_eq!((square(&after, "y0"), after.turn(), after.traps[0]), (23, Player::J2, 0));
    assert_eq!(after.condition(Piece(9)), (Condition::Bananed, 1));
}

#[test]
fn stars_ghosts_and_mega_pieces_walk_over_traps() {
    for condition in [Condition::Star, Condition::Boo, Condition::Mega] {
        let mut state = being(with(empty(), &[("y0", 20)]), "y0", condition, 4);
        state.traps[0] = 21;
        assert_eq!(play(&state, 2, "y0").traps[0], 21, "{condition:?}");
    }
}

#[test]
fn the_flag_of_a_trap_outlives_special_dice_and_skips() {
    let mut state = holding(with(empty(), &[("b0", 30)]), Player::J2, &[Special::Star]);
    state.flags |= TURN | BANANED;
    assert!(play(&state, 101, "b0").flags & BANANED != 0);
    assert!(skip(&State { cells: [HOME; 12], ..state }, 1).unwrap().flags & BANANED != 0);
    assert_eq!(play(&state, 1, "b0").flags & BANANED, 0, "a walk clears it");
}

// Special dice.

#[test]
fn conditions_last_as_many_own_actions_as_the_rules_say() {
    for (special, condition, left) in [
        (Special::Star, Condition::Star, 3),
        (Special::Boo, Condition::Boo, 5),
        (Special::MegaMushroom, Condition::Mega, 3),
    ] {
        let state = holding(with(empty(), &[("y0", 20), ("r0", 50)]), Player::J1, &[special]);
        let after = play(&state, special as u8 + 100, "y0");
        assert_eq!(after.condition(Piece(9)), (condition, left));
        let idle = State { flags: after.flags ^ TURN, ..after };
        assert_eq!(play(&idle, 1, "r0").condition(Piece(9)).1, left - 1, "every own action counts");
    }
}

#[test]
fn boo_steals_the_last_die_of_the_rival() {
    let state = holding(with(empty(), &[("y0", 20)]), Player::J1, &[Special::Boo, Special::Star]);
    let state = holding(state, Player::J2, &[Special::Horn, Special::Bullet]);
    let after = play(&state, 102, "y0");
    assert!(after.hand(Player::J1).eq([Special::Star, Special::Bullet]));
    assert!(after.hand(Player::J2).eq([Special::Horn]));
}

#[test]
fn bullet_and_mushroom_fly_over_everything_to_the_first_free_square() {
    let state = with(empty(), &[("y0", 10), ("b0", 14), ("b1", 14), ("g0", 18)]);
    let after = play(&holding(state, Player::J1, &[Special::Mushroom]), 106, "y0");
    assert_eq!(square(&after, "y0"), 19, "18 is taken, and nothing is eaten");
    let after = play(&holding(state, Player::J1, &[Special::Bullet]), 103, "y0");
    assert_eq!(square(&after, "y0"), 50);
}

#[test]
fn a_bullet_within_forty_steps_of_the_goal_reaches_it() {
    let state = holding(along(empty(), "y0", 36), Player::J1, &[Special::Bullet]);
    assert_eq!(square(&play(&state, 103, "y0"), "y0"), cell(3, GOAL));
}

#[test]
fn the_red_shell_hits_the_nearest_ahead_the_partner_included_ghosts_not() {
    let state = holding(with(empty(), &[("y0", 20), ("r0", 25), ("b0", 30)]), Player::J1, &[Special::RedShell]);
    let after = play(&state, 104, "y0");
    assert!(is_home(&after, "r0") && !is_home(&after, "b0"));
    let after = play(&being(state, "r0", Condition::Boo, 3), 104, "y0");
    assert!(is_home(&after, "b0") && !is_home(&after, "r0"));
}

#[test]
fn the_blue_shell_hits_the_piece_nearest_to_its_goal_mega_or_not() {
    let state = along(along(empty(), "b0", 60), "g0", 40);
    let state = being(holding(with(state, &[("y0", 4)]), Player::J1, &[Special::BlueShell]), "b0", Condition::Mega, 3);
    let after = play(&state, 105, "y0");
    assert!(is_home(&after, "b0") && !is_home(&after, "g0"));
}

#[test]
fn a_protected_nearest_piece_absorbs_the_shell() {
    let state = holding(with(empty(), &[("y0", 20), ("b0", 25), ("g0", 30)]), Player::J1, &[Special::RedShell]);
    let after = play(&holding(state, Player::J2, &[Special::Horn]), 104, "y0");
    assert!(!is_home(&after, "b0") && !is_home(&after, "g0"));
    assert_eq!(after.hand(Player::J2).count(), 0, "the horn is spent");
}

#[test]
fn lightning_shrinks_every_other_colour_and_takes_the_last_die() {
    let state = with(empty(), &[("y0", 20), ("y1", 21), ("r0", 40), ("b0", 30), ("g0", 31)]);
    let state = holding(being(state, "g0", Condition::Star, 3), Player::J1, &[Special::Lightning]);
    let after = play(&holding(state, Player::J2, &[Special::Horn, Special::Boo]), 108, "y0");
    let condition = |name: &str| after.condition(Piece(piece(name) as u8)).0;
    assert_eq!(condition("b0"), Condition::Small);
    assert_eq!(condition("r0"), Condition::Small, "the partner too");
    assert_eq!((condition("y1"), condition("g0")), (Condition::Normal, Condition::Star));
    assert!(after.hand(Player::J2).eq([Special::Horn]));
}

#[test]
fn small_pieces_walk_half_and_bananed_ones_not_at_all() {
    let state = with(empty(), &[("y0", 20)]);
    assert_eq!(square(&play(&being(state, "y0", Condition::Small, 3), 5, "y0"), "y0"), 22);
    let after = play(&being(state, "y0", Condition::Bananed, 3), 5, "y0");
    assert_eq!((square(&after, "y0"), after.dice[0].normal), (20, 0b1_0111), "the die is spent");
}

#[test]
fn the_horn_sends_home_what_is_within_two_squares_on_safe_ones_too() {
    let state = holding(with(empty(), &[("y0", 15), ("b0", 13), ("g0", 17), ("r0", 18)]), Player::J1, &[Special::Horn]);
    let after = play(&state, 109, "y0");
    assert!(is_home(&after, "b0") && is_home(&after, "g0") && !is_home(&after, "r0"));
}

#[test]
fn a_banana_needs_a_ring_square_and_leaves_a_trap_there() {
    let state = holding(with(empty(), &[("y0", 20)]), Player::J1, &[Special::Banana]);
    assert_eq!(play(&state, 110, "y0").traps[0], 20);
    assert!(find(&along(state, "y0", 70), 110, "y0").is_none());
}

#[test]
fn an_item_is_taken_while_the_hand_has_room() {
    let mut state = with(empty(), &[("y0", 4)]);
    state.items = State::start().items;
    let after = play(&state, 1, "y0");
    assert!(after.hand(Player::J1).eq([Special::Star]));
    assert!(after.items().all(|(square, _)| square != 5));
    let full = holding(state, Player::J1, &[Special::Horn, Special::Horn]);
    assert_eq!(play(&full, 1, "y0").items, full.items);
}
