//! Every bounded container at its bound: full, it makes do or says so, and nothing that it holds is damaged.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use rival_core::games::GameId;
use rival_core::games::battletech::{Action, Map, State};
use rival_core::games::planet_wars::View;
use rival_core::search::table::{Bound, Entry, Table};
use rival_core::wire::frame::{Decoder, FrameError, Received, encode, frame_len};
use rival_core::wire::{Limits, MAX_REPLY, MAX_REQUEST, Reply, Request};

proptest! {
    #![proptest_config(ProptestConfig {
        // A few under Miri, which is a thousand times slower.
        cases: if cfg!(miri) { 2 } else { 256 },
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    /// A frame of exactly the decoder's size is taken, one byte more is told, and the next frame is served.
    #[test]
    fn the_frame_decoder_at_its_bound(extra in 0_usize..4, fill in 1_u8..=255) {
        const ROOM: usize = 64;
        let mut decoder: Decoder<ROOM> = Decoder::new();
        decoder.push(0);
        decoder.push(0x01);
        for _ in 0..ROOM - 1 + extra {
            prop_assert_eq!(decoder.push(fill.max(0x80)), Received::Nothing);
            prop_assert!(decoder.len() <= ROOM);
        }
        let whole = decoder.push(0);
        if extra > 0 {
            prop_assert_eq!(whole, Received::Bad(FrameError::Oversized));
        } else {
            prop_assert_eq!(whole, Received::Bad(FrameError::Damaged));
        }
        let mut line = [0; 32];
        let sent = encode(&Request::Hello, &mut [0; 16], &mut line).unwrap();
        let found = sent.iter().filter(|&&byte| matches!(decoder.push(byte), Received::Frame(_))).count();
        prop_assert_eq!(found, 1);
    }

    /// A message is framed where there is room for it, and not otherwise.
    #[test]
    fn frames_fit_their_promised_length(state in prop::collection::vec(any::<u8>(), 0..MAX_REQUEST + 64), short in 0_usize..3) {
        let request = Request::Decide { id: u32::MAX, limits: Limits::default(), game: GameId::Mancala, state: &state };
        let mut scratch = vec![0; MAX_REQUEST];
        let mut line = vec![0; frame_len(MAX_REQUEST) - short];
        let framed = encode(&request, &mut scratch, &mut line).map(<[u8]>::len);
        if state.len() + 16 + 8 < MAX_REQUEST {
            prop_assert!(framed.is_some(), "{} bytes", state.len());
        }
        if state.len() > MAX_REQUEST {
            prop_assert_eq!(framed, None);
        }
    }

    /// However much is stored, the table holds no more than it can, and what it gives back was stored for that position.
    #[test]
    fn the_transposition_table_at_its_bound(words in 2_usize..64, stored in prop::collection::vec((0_u64..300, any::<i16>()), 1..400)) {
        // Always the same positions, so that no two are ever taken for each other by chance.
        let hash_of = |position: u64| (position + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mut memory = vec![0; words];
        let mut table = Table::new(&mut memory);
        for (number, &(position, value)) in stored.iter().enumerate() {
            let hash = hash_of(position);
            let entry = Entry { value: i32::from(value), bound: Bound::Exact, depth: (number % 30) as u8, place: 0 };
            table.store(hash, (number / 100) as u8, entry);
            prop_assert!(table.len() <= table.capacity());
        }
        for position in 0..300 {
            if let Some(found) = table.probe(hash_of(position)) {
                prop_assert!(stored.iter().any(|&(other, value)| other == position && i32::from(value) == found.value));
            }
        }
    }

    /// States with as many planets, forces or mechs as there can be bytes for are read or refused, never more than kept.
    #[test]
    fn states_beyond_their_bounds_are_refused(count in any::<u8>(), bytes in prop::collection::vec(any::<u8>(), 0..MAX_REQUEST)) {
        let mut view = vec![count, 200, 0];
        view.extend(&bytes);
        if let Ok(view) = View::decode(&view) {
            prop_assert!(view.encode().is_ok());
        }
        let tiles = [0_u32; 16];
        let map = Map::new(4, 4, &tiles).unwrap();
        let mut state = State::new();
        let mut mechs = vec![0, 0, 0, 1, count];
        mechs.extend(&bytes);
        let _ = state.decode(&mechs, &map);
        prop_assert!(state.mechs.len() <= state.mechs.capacity());
        if let Ok(action) = Action::decode(&bytes) {
            prop_assert!(!action.encode().is_empty());
        }
    }

    /// Replies with every list full.
    #[test]
    fn a_reply_with_full_lists_fits(fill in any::<u8>(), id in any::<u32>()) {
        let action = core::iter::repeat_n(fill, rival_core::wire::MAX_ACTION).collect();
        let statistics = rival_core::wire::Statistics {
            line: core::iter::repeat_n(fill, rival_core::wire::MAX_LINE).collect(),
            ..Default::default()
        };
        let reply = Reply::Decision { id, action, statistics };
        let mut line = [0; frame_len(MAX_REPLY)];
        prop_assert!(encode(&reply, &mut [0; MAX_REPLY], &mut line).is_some());
    }
}
