use std::vec::Vec as StdVec;

use proptest::prelude::*;

use super::frame::{Decoder, FrameError, Received, encode, frame_len, open};
use super::*;

fn framed(request: &Request<'_>) -> StdVec<u8> {
    let mut line = [0; frame_len(MAX_REQUEST)];
    encode(request, &mut [0; MAX_REQUEST], &mut line).unwrap().to_vec()
}

/// Everything that the bytes led to, typed characters left out.
fn decode(bytes: &[u8]) -> StdVec<Result<StdVec<u8>, FrameError>> {
    let mut decoder: Decoder<MAX_REQUEST> = Decoder::new();
    let mut found = StdVec::new();
    for &byte in bytes {
        match decoder.push(byte) {
            Received::Frame(message) => found.push(Ok(message.to_vec())),
            Received::Bad(error) => found.push(Err(error)),
            Received::Nothing | Received::Typed(_) => {}
        }
    }
    found
}

const DECIDE: Request<'_> = Request::Decide {
    id: 77,
    limits: Limits { time_us: 1_000_000, nodes: 0, depth: 0 },
    game: GameId::Mancala,
    state: &[0; 15],
};

#[test]
fn a_wrong_check_sum_is_a_damaged_frame() {
    let mut bytes = framed(&DECIDE);
    let last = bytes.len() - 2;
    bytes[last] ^= 0x40;
    assert_eq!(decode(&bytes), [Err(FrameError::Damaged)]);
}

#[test]
fn a_cut_frame_is_damaged_and_the_next_one_is_not() {
    let good = framed(&DECIDE);
    for cut in 2..good.len() - 1 {
        let mut bytes = good[..cut].to_vec();
        bytes.extend(&good);
        let found = decode(&bytes);
        assert_eq!(found.len(), 2, "cut at {cut}");
        assert_eq!(found[0], Err(FrameError::Damaged));
        assert_eq!(open(found[1].as_ref().unwrap()), Ok(DECIDE));
    }
}

#[test]
fn a_frame_of_another_version_is_told_from_a_damaged_one() {
    let mut inner = std::vec![PROTOCOL + 1, 0];
    let sum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&inner);
    inner.extend(sum.to_le_bytes());
    let mut bytes = std::vec![0; 32];
    let len = cobs::encode(&inner, &mut bytes[1..]);
    assert_eq!(decode(&bytes[..len + 2]), [Err(FrameError::WrongVersion(PROTOCOL + 1))]);
}

#[test]
fn a_frame_longer_than_the_buffer_is_refused_whole() {
    let mut bytes = std::vec![0];
    bytes.extend(core::iter::repeat_n(0x99, MAX_REQUEST + 1));
    bytes.extend(framed(&DECIDE));
    let found = decode(&bytes);
    assert_eq!(found[0], Err(FrameError::Oversized));
    assert_eq!(open(found[1].as_ref().unwrap()), Ok(DECIDE));
}

#[test]
fn bytes_left_over_after_a_message_are_malformed() {
    let bytes = framed(&Request::Hello);
    let mut message = decode(&bytes).remove(0).unwrap();
    message.push(1);
    assert_eq!(open::<Request<'_>>(&message), Err(FrameError::Malformed));
}

#[test]
fn without_room_there_is_no_frame() {
    assert_eq!(encode(&DECIDE, &mut [0; 8], &mut [0; 100]), None);
    assert_eq!(encode(&DECIDE, &mut [0; 100], &mut [0; 8]), None);
}

#[test]
fn typed_lines_and_frames_share_a_line() {
    let mut decoder: Decoder<MAX_REQUEST> = Decoder::new();
    let mut typed = StdVec::new();
    let mut frames = 0;
    let stream = [b"help\r\n".to_vec(), framed(&DECIDE), b"new mancala\r".to_vec(), framed(&Request::Hello)].concat();
    for byte in stream {
        match decoder.push(byte) {
            Received::Typed(byte) => typed.push(byte),
            Received::Frame(_) => frames += 1,
            Received::Nothing => {}
            Received::Bad(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(frames, 2);
    // The first byte of a frame may be printable; it is the receiver's to drop when the frame is complete.
    let typed: StdVec<u8> = typed.into_iter().filter(|&byte| byte.is_ascii_lowercase() || byte < 32).collect();
    assert_eq!(typed, b"help\r\nnewmancala\r");
}

/// The numbers of the errors never change: this list may only grow at its end.
#[test]
fn error_numbers_are_stable() {
    let codes = [
        ErrorCode::BadFrame,
        ErrorCode::Oversized,
        ErrorCode::WrongVersion,
        ErrorCode::Malformed,
        ErrorCode::Busy,
        ErrorCode::NotRunning,
        ErrorCode::State(StateError::Malformed),
        ErrorCode::Unsupported,
    ];
    for (number, code) in codes.into_iter().enumerate() {
        let mut bytes = [0; 4];
        assert_eq!(usize::from(postcard::to_slice(&code, &mut bytes).unwrap()[0]), number);
    }
    let reasons = [
        StateError::Malformed,
        StateError::OutOfRange,
        StateError::Inconsistent,
        StateError::GameOver,
        StateError::Capacity,
        StateError::NotLoaded,
    ];
    for (number, reason) in reasons.into_iter().enumerate() {
        let mut bytes = [0; 4];
        assert_eq!(usize::from(postcard::to_slice(&reason, &mut bytes).unwrap()[0]), number);
    }
}

/// The largest reply there can be fits the frame that is reserved for it.
#[test]
fn the_largest_reply_fits() {
    let mark = Mark { table: Bounded::Plans, used: u32::MAX, capacity: u32::MAX };
    let statistics = Statistics {
        nodes: u32::MAX,
        depth: u8::MAX,
        value: i32::MIN,
        ending: Ending::Secured,
        source: Source::Table,
        guaranteed: Some(i32::MIN),
        receive_us: u32::MAX,
        decode_us: u32::MAX,
        search_us: u32::MAX,
        search_cycles: Some(u32::MAX),
        answer_us: u32::MAX,
        table_hits: u32::MAX,
        cutoffs: u32::MAX,
        first_cutoffs: u32::MAX,
        bound_met: u32::MAX,
        stack_peak: u32::MAX,
        marks: Vec::from_slice(&[mark; MAX_MARKS]).unwrap(),
        line: Vec::from_slice(&[255; MAX_LINE]).unwrap(),
    };
    let action = Vec::from_slice(&[255; MAX_ACTION]).unwrap();
    let reply = Reply::Decision { id: u32::MAX, action, statistics };
    let mut line = [0; frame_len(MAX_REPLY)];
    assert!(encode(&reply, &mut [0; MAX_REPLY], &mut line).is_some());
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(id: u32, time_us: u32, nodes: u32, depth: u8, state: StdVec<u8>) {
        let limits = Limits { time_us, nodes, depth };
        let request = Request::Decide { id, limits, game: GameId::Mancala, state: &state };
        let found = decode(&framed(&request));
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(open(found[0].as_ref().unwrap()), Ok(request));
    }

    #[test]
    fn any_garbage_is_followed_by_the_next_good_frame(garbage: StdVec<u8>) {
        let mut bytes = garbage;
        bytes.extend(framed(&DECIDE));
        let found = decode(&bytes);
        prop_assert_eq!(open(found.last().unwrap().as_ref().unwrap()), Ok(DECIDE));
    }

    #[test]
    fn any_bytes_give_a_message_or_an_error(bytes: StdVec<u8>) {
        let _ = open::<Request<'_>>(&bytes);
        let _ = open::<Reply>(&bytes);
    }
}
