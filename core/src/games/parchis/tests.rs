use super::*;

/// Leaves and the sum of their hashes, from the original program.
const PERFT: [(u64, u64); 5] = [
    (30, 0x6ee3_f7c2_bed2_b67c),
    (864, 0x5f03_8906_3d2c_4550),
    (23_616, 0x09d2_5332_f104_9ba4),
    (605_062, 0x4e88_d997_0055_bdb7),
    (14_712_749, 0xfd94_7a4b_3ccd_2e3a),
];

#[test]
fn the_start_has_the_recorded_hash() {
    assert_eq!(State::start().hash(), 0x1f96_60fc_1b3f_4dc7);
    assert_eq!(core::mem::size_of::<State>(), 48);
}

#[test]
fn perft_and_the_sums_of_hashes_are_those_of_the_original_program() {
    for (depth, expected) in (1..=4).zip(PERFT) {
        let mut sum = 0_u64;
        let leaves = State::start().perft(depth, |state| sum = sum.wrapping_add(state.hash()));
        assert_eq!((leaves, sum), expected, "depth {depth}");
    }
}
