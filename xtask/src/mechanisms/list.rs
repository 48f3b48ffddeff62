//! The mechanisms. See `docs/reliability.md` for what each is for.

use super::Home::{Board, Core, Sim, System, Xtask};
use super::Mechanism;

const CLIENT: &str = "host-sim/src/client.rs";
const SESSION: &str = "core/src/session.rs";
const FRAME: &str = "core/src/wire/frame.rs";
const FAULTS: &str = "host-sim/src/link/faults.rs";
const QEMU: &str = "firmware/src/boards/qemu.rs";
const FAULT: &str = "firmware/src/fault.rs";
const GRAPH: &str = "xtask/src/graph.rs";
const COMPARE: &str = "host-sim/src/lab/compare.rs";

macro_rules! mechanisms {
    ($($what:literal: $file:expr, $text:literal => $instead:literal; $home:expr, $test:literal)*) => {
        pub(super) const MECHANISMS: &[Mechanism] = &[$(Mechanism {
            what: $what, file: $file, text: $text, instead: $instead, home: $home, test: $test,
        }),*];
    };
}

mechanisms! {
    // The line.
    "a request that came to nothing is put again": CLIENT,
        "const TRIES: u32 = 64;" => "const TRIES: u32 = 1;";
        System("faults"), "games_over_a_faulty_line_are_the_games_over_a_sound_one"
    "a line that spoils most frames is given many tries": CLIENT,
        "const TRIES: u32 = 64;" => "const TRIES: u32 = 2;";
        System("faults"), "a_line_that_spoils_most_frames_still_carries_a_game"
    "the same number gets the same answer": SESSION,
        "if self.repeat(id, platform).is_some() {" => "if id == 0 && self.repeat(id, platform).is_some() {";
        Core, "session::tests::the_same_request_again_gets_the_same_bytes_without_thinking"
    "a running request is not started twice": SESSION,
        "                self.refuse(id, ErrorCode::Busy, platform);\n            }\n            return;"
        => "                return self.refuse(id, ErrorCode::Busy, platform);\n            }";
        Core, "session::tests::a_running_request_is_not_started_twice"
    "another request has to wait": SESSION,
        "            if running != id {\n" => "            if running == 0 {\n";
        Core, "session::tests::another_request_has_to_wait_and_the_running_one_goes_on"
    "an answer with another number is thrown away": CLIENT,
        "if answered == id =>" => "if answered != 0 =>";
        System("faults"), "an_old_request_that_comes_again_is_not_mistaken_for_the_next"
    "numbers begin somewhere else in every conversation": CLIENT,
        "NEXT.fetch_add(1, Ordering::Relaxed) | 0x8000_0000" => "NEXT.load(Ordering::Relaxed) | 0x8000_0000";
        System("faults"), "another_conversation_is_not_given_the_answers_of_the_last"
    "the line is in step again at the next zero": FRAME,
        "        self.len = 0;\n        self.oversized = false;" => "        self.len = 0;";
        Core, "wire::tests::a_frame_longer_than_the_buffer_is_refused_whole"
    "a frame begins with a zero": FRAME,
        "    *first = 0;\n" => "    *first = b'\\r';\n";
        Core, "wire::tests::any_garbage_is_followed_by_the_next_good_frame"
    "a frame that stops arriving is given up": SESSION,
        "now.saturating_sub(self.last_byte_us) > SILENCE_US" => "now.saturating_sub(self.last_byte_us) > u64::MAX / 2";
        Core, "session::tests::a_frame_that_stops_arriving_is_given_up"
    "the check sum is checked": FRAME,
        "CRC.checksum(message) != u32::from_le_bytes(*sum)" => "sum.len() != 4";
        Core, "wire::tests::a_wrong_check_sum_is_a_damaged_frame"
    "a frame of another version is told apart": FRAME,
        "Some((&PROTOCOL, message)) =>" => "Some((_, message)) if !message.is_empty() =>";
        Core, "wire::tests::a_frame_of_another_version_is_told_from_a_damaged_one"
    "a frame that is too long is thrown away": FRAME,
        "(_, true) => Received::Bad(FrameError::Oversized)," => "";
        Core, "wire::tests::a_frame_longer_than_the_buffer_is_refused_whole"
    "bytes left over make a message malformed": FRAME,
        "Some((message, [])) => Ok(message)" => "Some((message, _)) => Ok(message)";
        Core, "wire::tests::bytes_left_over_after_a_message_are_malformed"
    "there is one way to write a message": FRAME,
        "(used + rest.len() == bytes.len()).then_some((value, rest))" => "(used > 0 || rest.is_empty()).then_some((value, rest))";
        System("refusals"), "a_message_that_is_longer_than_it_need_be_is_refused"
    "bad frames are counted": SESSION,
        "self.counters.bad_frames += 1;" => "";
        Core, "session::tests::bad_frames_are_counted_and_answered"
    "a dead line is given up": CLIENT,
        "let give_up = Instant::now() + patience;" => "let give_up = Instant::now() + 20 * patience;";
        System("faults"), "a_dead_line_is_given_up_in_time"
    "bursts, stalls and cuts are outlived by asking who is there": CLIENT,
        "self.hello_within(self.give_up(promised).saturating_sub(alive.elapsed()).max(ASK_AGAIN))?;"
        => "if alive.elapsed() > ASK_AGAIN { return Err(ClientError::Silent); }";
        System("faults"), "bursts_stalls_and_a_cut_line_are_outlived"
    "faults are counted": FAULTS,
        "count.dropped += 1;" => "";
        Sim, "link::faults::tests::the_bytes_that_are_lost_and_doubled_are_the_ones_counted"
    "both ends count what they see": CLIENT,
        "self.count.bad_frames += u32::from(matches!(heard, Heard::Damaged));" => "";
        System("faults"), "the_counts_of_both_ends_tell_of_the_faults"
    "nothing is kept of a decision": CLIENT,
        "        let sent = Instant::now();\n        let request = Request::Decide"
        => "        let sent = Instant::now();\n        core::mem::forget(state.to_vec());\n        let request = Request::Decide";
        System("memory"), "nothing_is_kept_of_a_decision"

    // The board.
    "another boot number is another run": CLIENT,
        "self.identity.boot != 0 && identity.boot != self.identity.boot" => "self.identity.boot == 0 && identity.boot == 0";
        System("faults"), "a_reset_in_the_middle_of_a_map_is_noticed"
    "a board that starts says who it is": SESSION,
        "self.desk.send(&Reply::Identity(platform.identity()));" => "let _ = platform;";
        Core, "session::tests::a_board_that_starts_says_who_it_is"
    "the firmware says so, too": "firmware/src/run.rs",
        "    session.announce(&device);\n" => "";
        Board("board"), "a_reset_in_the_middle_of_a_search_is_noticed_and_the_search_begun_again"
    "the boot number changes with every reset": FAULT,
        "record.boots.wrapping_add(1)" => "record.boots";
        Board("board"), "a_reset_in_the_middle_of_a_frame_costs_that_frame_only"
    "Belkan's agent is told its map again": "host-sim/src/games/belkan/linked.rs",
        "Err(error) if left > 0 && refusal" => "Err(error) if left > u32::MAX - 1 && refusal";
        System("faults"), "a_board_that_forgets_its_map_is_told_again"
    "BattleTech's agent is told its map again": "host-sim/src/games/battletech/agent.rs",
        "Err(error) if left > 0 && refusal" => "Err(error) if left > u32::MAX - 1 && refusal";
        System("faults"), "a_board_that_forgets_the_battlefield_is_told_again"
    "the watchdog resets a board that hangs": QEMU,
        "if HUNGRY_MS.fetch_add(TICK_MS, Ordering::Relaxed) > WATCHDOG_MS {"
        => "if HUNGRY_MS.fetch_add(TICK_MS, Ordering::Relaxed) > 1_000 * WATCHDOG_MS {";
        Board("board"), "a_hung_agent_is_reset_by_the_watchdog_and_reported"
    "the loop feeds the watchdog": "firmware/src/run.rs",
        "        board.feed();\n" => "        if device.boot == 0 {\n            board.feed();\n        }\n";
        Board("board"), "a_board_that_thinks_for_long_is_not_reset"
    "a full ring is closed at the processor's end": QEMU,
        "            unsafe { NVIC::unmask(Usart1) };\n        } else {\n            NVIC::mask(Usart1);\n"
        => "            unsafe { ptr::write_volatile(CONTROL, ENABLE | RECEIVE_INTERRUPT) };\n        } else {\n            unsafe { ptr::write_volatile(CONTROL, ENABLE) };\n";
        Board("board"), "a_full_ring_does_not_hang_the_board"
    "what ended the run before is told": FAULT,
        "(record.magic == MAGIC).then(" => "(record.magic == MAGIC && record.length > 48).then(";
        Board("board"), "a_panic_is_reported_with_its_line"
    "a panic says where": FAULT,
        "format_args!(\"{tail}:{}\", location.line())" => "format_args!(\"{}\", tail.len())";
        Board("board"), "a_panic_is_reported_with_its_line"
    "a processor fault says where": FAULT,
        "format_args!(\"pc {pc:#010x}\")" => "format_args!(\"{}\", pc & 1)";
        Board("board"), "a_processor_fault_is_reported_with_its_address"
    "a stack overflow is told from another fault": FAULT,
        "    if sp < stack::RAM_START {\n" => "    if sp == 1 {\n";
        Board("board"), "a_stack_overflow_is_reported_with_the_last_call"
    "the fault handler takes a fresh stack": FAULT,
        "    \"    msr MSP, r2\",\n" => "";
        Board("board"), "a_stack_overflow_is_reported_with_the_last_call"

    // The deadline.
    "other answers take half of the time at the most": SESSION,
        "        if now < self.busy_until_us {\n" => "        if now == u64::MAX {\n";
        Core, "session::tests::a_flood_of_questions_does_not_make_a_decision_late"
    "noise is answered seldom": SESSION,
        "self.agent.is_running() && now_us < self.quiet_until_us" => "self.agent.is_running() && now_us == u64::MAX";
        Core, "session::tests::noise_during_a_search_is_answered_seldom"
    "nothing is sent that would still be on the line": SESSION,
        "done_us > deadline_us)" => "done_us / 2 > deadline_us)";
        Core, "session::tests::a_question_at_the_last_moment_does_not_make_a_decision_late"
    "the reply's time on the line is kept back": SESSION,
        ".saturating_sub(on_the_line + MARGIN_US)" => ".saturating_sub(on_the_line / 1_000 + MARGIN_US)";
        Core, "session::tests::the_deadline_counts_from_the_first_byte_and_leaves_time_for_the_reply"
    "the request's time on the line is counted": SESSION,
        "self.first_byte_us.min(self.now_us.saturating_sub(on_the_line))" => "self.now_us.saturating_sub(on_the_line / 1_000)";
        Core, "session::tests::the_deadline_counts_from_the_first_byte_and_leaves_time_for_the_reply"
    "stop ends a search at once": SESSION,
        "Some(Origin::Line { id: running, .. }) if running == id => {" => "Some(Origin::Line { id: running, .. }) if running == 0 => {";
        Core, "session::tests::stop_and_a_new_request_are_answered_within_20_ms"

    // Bad input.
    "Mancala: as many seeds as there are": "core/src/games/mancala/state.rs",
        "if total != u32::from(SEEDS) {" => "if total > 1_000 {";
        Core, "games::mancala::tests::impossible_states_are_refused"
    "Mancala: a pit holds no more than all seeds": "core/src/games/mancala/state.rs",
        ".any(|&seeds| seeds > SEEDS)" => ".any(|&seeds| seeds > SEEDS + 200)";
        Core, "games::mancala::tests::impossible_states_are_refused"
    "Parchis: nothing left over": "core/src/games/parchis/state.rs",
        "        if !reader.bytes.is_empty() {\n" => "        if reader.bytes.len() > 4_000 {\n";
        System("refusals"), "parchis_refuses_bytes_left_over"
    "Parchis: a piece stands on the board": "core/src/games/parchis/state.rs",
        "(0, 1..=RING) => geometry" => "(0, 1..) => geometry";
        Core, "games::parchis::tests::impossible_states_are_refused"
    "Parchis: the parts agree": "core/src/games/parchis/state.rs",
        "if winner != expected || !forced_as_due" => "if winner > 2 || !forced_as_due";
        Core, "games::parchis::tests::a_winner_who_still_moves_is_refused"
    "Planet Wars: the number of planets": "core/src/games/planet_wars/view.rs",
        "            _ => return Err(StateError::Capacity),\n" => "            _ => {}\n";
        Core, "games::planet_wars::tests::bytes_that_are_no_state_are_refused"
    "Planet Wars: nothing left over": "core/src/games/planet_wars/view.rs",
        "if self.rest.is_empty() { Ok(None) } else" => "if self.rest.len() < 4_000 { Ok(None) } else";
        Core, "games::planet_wars::tests::bytes_that_are_no_state_are_refused"
    "Belkan: such a tick can be": "core/src/games/belkan/state.rs",
        "        sensors.validate()?;\n" => "";
        System("refusals"), "belkan_refuses_what_cannot_be"
    "Belkan: nothing where nothing is": "core/src/games/belkan/state.rs",
        "if bytes[8] > 3 || bytes[11] > 3 || bytes[14..16] != [0, 0] {" => "if bytes[8] > 3 {";
        System("refusals"), "belkan_refuses_what_cannot_be"
    "BattleTech: a mech is one": "core/src/games/battletech/state.rs",
        "            mech.validate(map)?;\n" => "";
        System("refusals"), "battletech_refuses_what_cannot_be"
    "BattleTech: one mech a hex": "core/src/games/battletech/state.rs",
        "if self.mechs.iter().any(taken) {" => "if self.mechs.len() > 100 && self.mechs.iter().any(taken) {";
        System("refusals"), "battletech_refuses_what_cannot_be"
    "BattleTech: who decides is there": "core/src/games/battletech/state.rs",
        "        if head.me >= head.mechs {\n" => "        if head.me == 255 {\n";
        System("refusals"), "battletech_refuses_what_cannot_be"

    // The soak.
    "the soak finds wrong decisions": "host-sim/src/commands/soak.rs",
        "Ok(twin) if twin.action == answer.action && twin.statistics.value == answer.statistics.value => {}" => "Ok(twin) if twin.action.len() == answer.action.len() => {}";
        Sim, "commands::soak::tests::a_wrong_decision_is_found_out"
    "the soak finds late decisions": "host-sim/src/commands/soak.rs",
        "limits.time_us > 0 && response >= u64::from(limits.time_us)" => "limits.time_us > 0 && response >= u64::MAX";
        Sim, "commands::soak::tests::a_late_decision_is_found_out"
    "what is kept is counted": "host-sim/src/heap.rs",
        "stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64" => "stats.bytes_allocated.min(stats.bytes_deallocated) as u64";
        Sim, "heap::tests::what_is_kept_is_counted_and_what_is_given_back_is_not"

    // The image and its figures.
    "an allocator in the image is found": GRAPH,
        "        if !allocators.is_empty() {\n" => "        if allocators.len() > 1_000 {\n";
        Xtask, "graph::tests::an_image_that_breaks_a_promise_is_refused"
    "recursion in the image is found": GRAPH,
        "        if !cycles.is_empty() {\n" => "        if cycles.len() > 1_000 {\n";
        Xtask, "graph::tests::an_image_that_breaks_a_promise_is_refused"
    "one more way into a panic is found": GRAPH,
        "if count > allowed_panics {" => "if count > 1_000 * allowed_panics {";
        Xtask, "graph::tests::an_image_that_breaks_a_promise_is_refused"
    "a slower search is found": COMPARE,
        "if self.speed < 1.0 - threshold {" => "if self.speed < 0.5 - threshold {";
        Sim, "lab::compare::tests::five_per_cent_fewer_nodes_are_caught_and_two_are_not"
    "a lost depth is found": COMPARE,
        ".filter(|(_, old, new)| new < old)" => ".filter(|(_, old, new)| *new == 0 && *old > 0)";
        Sim, "lab::compare::tests::a_lost_depth_is_caught_and_a_gained_one_is_not"
    "a late decision is found": COMPARE,
        "        if self.late > 0 {\n" => "        if self.late > 1_000 {\n";
        Sim, "lab::compare::tests::a_position_that_is_gone_and_a_late_decision_are_caught"
}
