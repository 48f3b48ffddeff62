//! What must hold for any bytes whatever: no panic, no hang, no state outside its type's promise, and what is accepted
//! is written again as it was read.
//!
//! `fuzz/` looks for bytes for which it does not; what it has found is in `tests/data/fuzz` and tried in every run.

#![expect(clippy::missing_panics_doc, reason = "a panic is how these checks say that something does not hold")]

use std::io::Read;
use std::sync::OnceLock;

use rival_core::agent::{Agent, Budget, Decision, Workspace};
use rival_core::games::{GameId, StateError, battletech, belkan, mancala, parchis, planet_wars};
use rival_core::wire::frame::{Decoder, Received, encode, frame_len, open};
use rival_core::wire::{MAX_REPLY, MAX_REQUEST, Reply, Request};
use rival_sim::games::battletech::agent::state_bytes;
use rival_sim::games::battletech::files;
use rival_sim::games::battletech::referee::Game;
use rival_sim::games::battletech::series::Setting;
use rival_sim::games::planet_wars::{map as planet_map, playback};
use rival_sim::games::{belkan::maps, belkan::recordings, mancala::from_json, parchis::record, planet_wars::referee};
use rival_sim::link::Link;
use rival_sim::link::in_process::InProcess;
use rival_sim::recording::read_lines;

/// A check for any bytes. Says whether they are what it is about: accepted by somebody and not only refused in order.
pub type Check = fn(&[u8]) -> bool;

/// Every check with its name, which is also that of its fuzz target and of its folder of found cases.
pub const CHECKS: &[(&str, Check)] = &[
    ("frame", frame),
    ("message", message),
    ("session", session),
    ("mancala", mancala),
    ("parchis", parchis),
    ("planet_wars", planet_wars),
    ("belkan", belkan),
    ("battletech", battletech),
    ("recording", recording),
    ("map", map),
    ("planet_wars_text", planet_wars_text),
    ("battletech_file", battletech_file),
];

/// The frame decoder: whatever it takes for a frame of a message is that message's only frame.
pub fn frame(data: &[u8]) -> bool {
    let mut decoder: Decoder<{ frame_len(MAX_REQUEST) }> = Decoder::new();
    let mut accepted = false;
    for &byte in data {
        let Received::Frame(bytes) = decoder.push(byte) else { continue };
        if let Ok(request) = open::<Request<'_>>(bytes) {
            assert_eq!(only_message(&request, MAX_REQUEST), bytes);
            accepted = true;
        }
        if let Ok(reply) = open::<Reply>(bytes) {
            assert_eq!(only_message(&reply, MAX_REPLY), bytes);
            accepted = true;
        }
    }
    accepted
}

/// The bytes between a message's frame's ends.
fn only_message(message: &impl serde::Serialize, most: usize) -> Vec<u8> {
    let mut line = vec![0; frame_len(most)];
    let framed = encode(message, &mut vec![0; most + 8], &mut line).expect("what was read can be written");
    let mut decoder: Decoder<{ frame_len(MAX_REQUEST) }> = Decoder::new();
    let mut found = Vec::new();
    for &byte in framed {
        if let Received::Frame(bytes) = decoder.push(byte) {
            found.push(bytes.to_vec());
        }
    }
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// Every message: there is one way to write it.
pub fn message(data: &[u8]) -> bool {
    if data.len() > MAX_REQUEST - 8 {
        return false;
    }
    let (request, reply) = (open::<Request<'_>>(data), open::<Reply>(data));
    if let Ok(request) = &request {
        assert_eq!(only_message(request, MAX_REQUEST), data);
    }
    if let Ok(reply) = &reply {
        assert_eq!(only_message(reply, 2 * MAX_REPLY), data);
    }
    request.is_ok() || reply.is_ok()
}

/// The board's end of the line: after anything it answers the next good request.
pub fn session(data: &[u8]) -> bool {
    let mut link = InProcess::new();
    let mut buffer = [0; 4096];
    let patience = core::time::Duration::from_millis(1);
    for chunk in data.chunks(64) {
        link.write(chunk).expect("it takes anything");
        link.read(&mut buffer, patience).expect("it can be read");
    }
    // Whatever is running is stopped by whoever knows its number; here nobody does, but a greeting is answered.
    let mut line = [0; 64];
    let hello = encode(&Request::Hello, &mut [0; 32], &mut line).expect("it fits");
    let mut decoder: Decoder<{ frame_len(MAX_REPLY) }> = Decoder::new();
    for _ in 0..200 {
        link.write(hello).expect("it takes anything");
        let length = link.read(&mut buffer, patience).expect("it can be read");
        for &byte in &buffer[..length] {
            if let Received::Frame(bytes) = decoder.push(byte)
                && let Ok(Reply::Identity(_)) = open::<Reply>(bytes)
            {
                return true;
            }
        }
    }
    panic!("no answer to a greeting");
}

/// What an agent decides in a state with a few nodes, unless it refuses it.
fn decide(game: GameId, load: Option<&[u8]>, state: &[u8]) -> Result<Decision, StateError> {
    let mut workspace = Box::new(Workspace::new());
    let mut agent = Box::new(Agent::new());
    if let Some(load) = load {
        agent.load(game, load, &mut workspace)?;
    }
    agent.begin(game, state, Budget::nodes(24), &mut workspace)?;
    // Far more slices than nodes: whoever needs more hangs.
    for _ in 0..1_000 {
        if let Some(decision) = agent.step(&mut workspace, 4) {
            return Ok(decision);
        }
    }
    panic!("no decision after a thousand slices");
}

/// Moves that are played from whatever is accepted.
const TEN: usize = 10;

/// The first ten bytes are choices, the rest is a state.
fn choices(data: &[u8]) -> Option<(&[u8; TEN], &[u8])> {
    data.split_first_chunk()
}

/// Mancala: a state and ten moves.
pub fn mancala(data: &[u8]) -> bool {
    let Some((choices, bytes)) = choices(data) else { return false };
    let Ok(mut state) = mancala::State::decode(bytes) else {
        assert!(decide(GameId::Mancala, None, bytes).is_err(), "refused states are refused by the agent");
        return false;
    };
    assert_eq!(state.encode(), bytes);
    // A player without a seed to sow has nothing to decide, whether the rules call that the end or it cannot come about.
    let decision = decide(GameId::Mancala, None, bytes);
    assert_eq!(decision.is_ok(), !state.is_over() && state.legal().count() > 0, "{decision:?}");
    if let Ok(decision) = decision {
        let pit = mancala::Pit::new(decision.action[0]).expect("a pit");
        assert!(state.is_legal(pit));
    }
    for &choice in choices {
        let legal: Vec<_> = state.legal().collect();
        let Some(&pit) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
        state = state.play(pit);
        assert_eq!(mancala::State::decode(&state.encode()), Ok(state));
    }
    true
}

/// Parchis: a state and ten moves.
pub fn parchis(data: &[u8]) -> bool {
    let Some((choices, bytes)) = choices(data) else { return false };
    let Ok(mut state) = parchis::State::decode(bytes) else {
        assert!(decide(GameId::Parchis, None, bytes).is_err(), "refused states are refused by the agent");
        return false;
    };
    assert_eq!(state.encode(), bytes);
    if let Ok(decision) = decide(GameId::Parchis, None, bytes) {
        assert!(state.decode_move(&decision.action).is_some(), "{decision:?}");
    }
    for &choice in choices {
        let legal = state.legal();
        let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
        assert_eq!(state.decode_move(&state.encode_move(mv)), Some(mv));
        state = state.play(mv);
        let encoded = state.encode();
        let decoded = parchis::State::decode(&encoded).map(|state| state.encode());
        assert_eq!(decoded, Ok(encoded));
    }
    true
}

/// Planet Wars: a state as the agent sees it, its orders, and ten turns from there.
pub fn planet_wars(data: &[u8]) -> bool {
    let Ok(view) = planet_wars::View::decode(data) else {
        assert!(decide(GameId::PlanetWars, None, data).is_err(), "refused states are refused by the agent");
        return false;
    };
    assert_eq!(view.encode().expect("what was read can be written"), data);
    if let Ok(decision) = decide(GameId::PlanetWars, None, data) {
        referee::orders_of(&decision.action).expect("orders");
    }
    // A force may have come from anywhere.
    let fleets = view.forces.iter().map(|force| planet_wars::Fleet {
        owner: force.player.owner(),
        ships: force.ships,
        source: force.destination,
        destination: force.destination,
        total: force.remaining,
        remaining: force.remaining,
    });
    if let Ok(state) = planet_wars::State::new(view.planets.iter().copied(), fleets) {
        play_planet_wars(state, data);
    }
    true
}

/// Belkan: what the sensors say, with a map that may have been loaded before: the first two bytes are its length.
pub fn belkan(data: &[u8]) -> bool {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return false };
    let (piece, bytes) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
    let mut knowledge = belkan::Knowledge::new();
    if knowledge.read_piece(piece).is_ok() {
        let mut again = vec![0; belkan::MAX_PIECE];
        let (length, _) = knowledge.write_piece(belkan::FRAME, &mut again);
        let mut twin = belkan::Knowledge::new();
        assert!(twin.read_piece(&again[..length]).is_ok(), "what was read can be written and read again");
    }
    let sensors = belkan::Sensors::decode(bytes);
    if let Ok(sensors) = &sensors {
        assert_eq!(sensors.encode(), bytes);
    }
    for load in [None, Some(piece)] {
        if let Ok(decision) = decide(GameId::Belkan, load, bytes) {
            assert!(belkan::Action::from_code(decision.action[0]).is_some());
        }
    }
    sensors.is_ok()
}

/// `BattleTech`: a map and the mechs on it: the first two bytes are the map's length. What is accepted is decided ten times:
/// in every phase, for the first mech and for the last.
pub fn battletech(data: &[u8]) -> bool {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return false };
    let (map, bytes) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
    let mut tiles = vec![0; 4_096];
    let mut accepted = false;
    if let Ok((rows, cols)) = battletech::map::decode_map(map, &mut tiles)
        && let Ok(board) = battletech::Map::new(rows, cols, &tiles)
    {
        let mut state = battletech::State::new();
        if state.decode(bytes, &board).is_ok() {
            accepted = true;
            let mut again = vec![0; bytes.len() + 16];
            let length = state.encode(&mut again).expect("what was read can be written");
            assert_eq!(&again[..length], bytes);
            for (phase, me) in battletech::Phase::ALL.into_iter().flat_map(|phase| [(phase, 0), (phase, u8::MAX)]) {
                (state.head.phase, state.head.me) = (phase, me.min(state.head.mechs.saturating_sub(1)));
                let length = state.encode(&mut again).expect("there is room");
                decide_battletech(map, &again[..length]);
            }
        }
    }
    decide_battletech(map, bytes);
    if let Ok(action) = battletech::Action::decode(data) {
        assert!(data.len() > rival_core::wire::MAX_ACTION || action.encode() == data);
    }
    fight(data);
    accepted
}

fn decide_battletech(map: &[u8], state: &[u8]) {
    if let Ok(decision) = decide(GameId::Battletech, Some(map), state) {
        let action = battletech::Action::decode(&decision.action).expect("an action");
        assert_eq!(action.encode(), decision.action);
    }
}

/// Two turns of five phases of a game in which the bytes are what everybody wants to do: the referee refuses it or does
/// it, and what comes of it is a state that an agent could be asked about.
fn fight(data: &[u8]) {
    static START: OnceLock<Game> = OnceLock::new();
    let mut game = START.get_or_init(|| Setting::new(None, &[]).expect("a map of our own").game(3, 0)).clone();
    let mut bytes = data;
    let mut player = |_: &Game, _: usize, phase| {
        let (piece, rest) = bytes.split_at(bytes.first().map_or(0, |&length| usize::from(length) + 1).min(bytes.len()));
        bytes = rest;
        let wanted = piece.get(1..).and_then(|piece| battletech::Action::decode(piece).ok());
        wanted.unwrap_or_else(|| battletech::Action::nothing(phase))
    };
    let mut other = |_: &Game, _: usize, phase| battletech::Action::nothing(phase);
    for _ in 0..2 {
        let over = game.play_turn(&mut [&mut player, &mut other]).is_some();
        let state = state_bytes(&game, 0, battletech::Phase::Movement).expect("it fits a request");
        let mut again = battletech::State::new();
        if !over {
            again.decode(&state, &game.view()).expect("a state that comes about by playing is one");
        }
    }
}

/// Recordings: JSON lines, plain or compressed, and what the games read out of them. What is read is written again as it
/// was.
pub fn recording(data: &[u8]) -> bool {
    let mut accepted = false;
    for reader in [Box::new(data) as Box<dyn Read>, Box::new(flate2::read::MultiGzDecoder::new(data).take(1 << 16))] {
        for (_, value) in read_lines("fuzz".into(), reader).flatten().take(50) {
            if let Ok(state) = from_json(&value) {
                assert_eq!(mancala::State::decode(&state.encode()), Ok(state));
                accepted = true;
            }
            if let Ok(record) = serde_json::from_value::<record::StateRecord>(value.clone())
                && let Ok(state) = record.state()
            {
                let encoded = state.encode();
                assert_eq!(parchis::State::decode(&encoded).map(|state| state.encode()), Ok(encoded.clone()));
                let again = record::StateRecord::of(&state, 0).state().map(|state| state.encode());
                assert_eq!(again, Ok(encoded));
                accepted = true;
            }
            accepted |= recordings::setup(&value).is_ok();
        }
    }
    accepted
}

/// Maps of Belkan as text, and ten actions of somebody who walks on them.
pub fn map(data: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(data) else { return false };
    let Ok(map) = maps::parse(text) else { return false };
    assert!((belkan::MIN_SIZE..=belkan::MAX_SIZE).contains(&map.size()));
    assert!(map.places().all(|place| map.is_inside(place)));
    let written = map_text(&map);
    assert_eq!(map_text(&maps::parse(&written).expect("what was read can be written")), written);
    let Some(place) = map.places().find(|&place| map.get(place).is_passable()) else { return true };
    let mut walker = belkan::Player {
        place,
        heading: belkan::Heading::from_bits(data[0] & 3),
        battery: belkan::FULL_BATTERY,
        outfit: belkan::Outfit::from_bits(0),
    };
    for &choice in data.iter().rev().take(TEN) {
        let Some(action) = belkan::Action::from_code(choice & 3) else { continue };
        let ahead = map.get(walker.place.towards(walker.heading, 1, 0));
        let before = walker.battery;
        let (_, price) = walker.act(action, map.get(walker.place), ahead, choice & 4 != 0);
        walker.pay(price);
        assert!(map.is_inside(walker.place) && map.get(walker.place).is_passable(), "{walker:?}");
        assert!(walker.battery <= before.saturating_add(belkan::CHARGE).min(belkan::FULL_BATTERY), "{walker:?}");
    }
    true
}

/// A map as a file has it.
pub fn map_text(map: &belkan::Map) -> String {
    let size = map.size();
    let row = |row| (0..size).map(|column| map.get(belkan::Place::new(row, column)).letter()).collect::<String>();
    let rows: Vec<String> = (0..size).map(row).collect();
    format!("{size}\n{size}\n{}\n", rows.join("\n"))
}

/// Planet Wars' text: positions as bots read them, and playbacks.
pub fn planet_wars_text(data: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(data) else { return false };
    let mut accepted = false;
    if let Ok(map) = planet_map::Map::parse(text) {
        let written = map.text(&map.state, planet_wars::Player::One);
        let again = planet_map::Map::parse(&written).expect("what was read can be written");
        assert_eq!(again.text(&again.state, planet_wars::Player::One), written);
        for player in [planet_wars::Player::One, planet_wars::Player::Two] {
            if let Ok(view) = planet_wars::View::new(&map.state, player, 1) {
                let bytes = view.encode();
                if let Ok(bytes) = bytes {
                    assert!(planet_wars::View::decode(&bytes).is_ok());
                }
            }
        }
        play_planet_wars(map.state.clone(), data);
        accepted = true;
    }
    if let Ok(playback) = playback::Playback::parse(text) {
        let _ = playback.svg();
        let written = playback_text(&playback);
        let again = playback::Playback::parse(&written).expect("what was read can be written");
        assert_eq!(playback_text(&again), written);
        accepted = true;
    }
    accepted
}

fn playback_text(playback: &playback::Playback) -> String {
    let mut writer = playback::Writer::new(&playback.map);
    playback.frames.iter().for_each(|state| writer.frame(state));
    writer.finish()
}

/// Ten turns with orders of any kind: ships come from growth only.
fn play_planet_wars(mut state: planet_wars::State, choices: &[u8]) {
    let both = [planet_wars::Player::One, planet_wars::Player::Two];
    for (turn, choice) in choices.iter().rev().take(TEN).enumerate() {
        let ships = |state: &planet_wars::State| both.map(|player| u64::from(state.ships(player)));
        let most: Vec<u64> =
            both.iter().zip(ships(&state)).map(|(&player, ships)| ships + u64::from(state.growth(player))).collect();
        let mut orders = planet_wars::Turn::new(&mut state);
        for player in both {
            let number = |shift: u32| i64::from(choice.rotate_left(shift) & 15) - 1;
            let order = planet_wars::Order { source: number(0), destination: number(3), ships: number(5) };
            if orders.order(player, order).is_err() && choice & 64 != 0 {
                orders.kick(player);
            }
        }
        orders.finish();
        for (had, has) in most.iter().zip(ships(&state)) {
            assert!(has <= *had, "{has} ships after turn {turn}, {had} at the most");
        }
        let _ = state.outcome(turn as u16, planet_wars::TURNS);
    }
}

/// `BattleTech`'s files: whatever is read is written, and read again as the same.
pub fn battletech_file(data: &[u8]) -> bool {
    let mut accepted = false;
    macro_rules! fixed {
        ($read:expr, $write:expr) => {
            let read = $read;
            let write = $write;
            if let Ok(file) = read(files::Reader::new("fuzz", data)) {
                let written: Vec<u8> = write(&file);
                let again = read(files::Reader::new("fuzz", &written)).expect("what was written can be read");
                assert_eq!(write(&again), written);
                accepted = true;
            }
        };
    }
    fixed!(files::map::MapFile::read, |file: &files::map::MapFile| file.write());
    fixed!(files::map::MapFile::read_bme, |file: &files::map::MapFile| file.write_bme());
    fixed!(files::definition::DefinitionFile::read, |file: &files::definition::DefinitionFile| file.write());
    fixed!(files::small::ConfigFile::read, |file: &files::small::ConfigFile| file.write());
    fixed!(files::small::InitiativeFile::read, |file: &files::small::InitiativeFile| file.write());
    fixed!(files::small::MovementsFile::read, |file: &files::small::MovementsFile| file.write());
    fixed!(files::small::SightFile::read, |file: &files::small::SightFile| file.write());
    for owner in [None, Some(0), Some(1)] {
        fixed!(|reader| files::mechs::MechsFile::read(reader, owner), |file: &files::mechs::MechsFile| file.write());
    }
    for phase in 0..5 {
        fixed!(
            |reader| files::action::ActionFile::read(reader, phase).map(|(file, _)| file),
            |file: &files::action::ActionFile| file.write(files::Style::default())
        );
    }
    accepted
}
