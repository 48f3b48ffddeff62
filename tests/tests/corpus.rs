//! What the fuzz targets start from, and what they have found.

use std::path::Path;

use rival_core::games::mancala::State;
use rival_core::games::{GameId, StateError};
use rival_core::wire::frame::{Decoder, Received, encode, frame_len};
use rival_core::wire::{ErrorCode, Limits, MAX_REQUEST, Reply, Request};
use rival_sim::client::Client;
use rival_sim::games::battletech::{files, series::Setting};
use rival_sim::games::parchis::record::StateRecord;
use rival_sim::games::{TABLES, belkan::maps, planet_wars::map::Map};
use rival_sim::link::LinkSpec;
use rival_sim::random::Random;
use rival_tests::fuzz::{CHECKS, map_text};
use rival_tests::{long, root};

/// Everything that was ever found to break a check, and was mended.
#[test]
fn what_was_found_stays_mended() {
    let folder = root().join("tests/data/fuzz");
    let mut tried = 0;
    for (name, check) in CHECKS {
        let Ok(found) = std::fs::read_dir(folder.join(name)) else { continue };
        for file in found {
            let path = file.unwrap().path();
            println!("trying {}", path.display());
            check(&std::fs::read(path).unwrap());
            tried += 1;
        }
    }
    println!("figure: {tried} cases that fuzzing has found");
}

/// Good input for every check, so that a fuzzer does not have to find it by chance.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = messages();
    seeds.push(("session", b"new mancala\r3\rhint\rundo\rnew parchis\rstats\r".to_vec()));
    for table in TABLES {
        let name = ["mancala", "parchis", "planet_wars", "belkan", "battletech"][table.id() as usize];
        for position in table.positions() {
            let load = position.load.unwrap_or_default();
            let mut data = match table.id() {
                GameId::Mancala | GameId::Parchis => vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
                GameId::PlanetWars => Vec::new(),
                _ => (load.len() as u16).to_le_bytes().to_vec(),
            };
            data.extend(load);
            data.extend(position.state);
            seeds.push((name, data));
        }
    }
    seeds.push(("map", map_text(&maps::generate(1, 30).unwrap()).into_bytes()));
    let map = Map::generate(1).unwrap();
    let text = map.text(&map.state, rival_core::games::planet_wars::Player::One);
    seeds.push(("planet_wars_text", text.into_bytes()));
    let mut playback = rival_sim::games::planet_wars::playback::Writer::new(&map);
    playback.frame(&map.state);
    playback.frame(&map.state);
    seeds.push(("planet_wars_text", playback.finish().into_bytes()));
    let parchis = StateRecord::of(&rival_core::games::parchis::State::start(), 0);
    let recordings = [
        r#"{"turn":0,"p":[[0,4,4,4,4,4,4],[0,4,4,4,4,4,4]]}"#.to_owned(),
        serde_json::to_string(&parchis).unwrap(),
        r#"{"seed":1,"level":2,"start":[4,5],"orient":1,"targets":[[7,8],[9,10]]}"#.to_owned(),
    ];
    for recording in recordings {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, recording.as_bytes()).unwrap();
        seeds.push(("recording", packed.finish().unwrap()));
        seeds.push(("recording", recording.into_bytes()));
    }
    seeds.extend(battletech_files().into_iter().map(|file| ("battletech_file", file)));
    seeds
}

/// Every request and every reply, as they are and in their frames.
fn messages() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    let mut add = |framed: &[u8]| {
        let mut decoder: Decoder<{ frame_len(MAX_REQUEST) }> = Decoder::new();
        let message = framed.iter().find_map(|&byte| match decoder.push(byte) {
            Received::Frame(message) => Some(message.to_vec()),
            _ => None,
        });
        seeds.push(("message", message.unwrap()));
        seeds.push(("frame", framed.to_vec()));
        seeds.push(("session", framed.to_vec()));
    };
    let state = State::start().encode();
    let limits = Limits { time_us: 1_000, nodes: 50, depth: 3 };
    let requests = [
        Request::Hello,
        Request::Count,
        Request::Stop { id: 300 },
        Request::Decide { id: 70_000, limits, game: GameId::Mancala, state: &state },
        Request::Load { id: 1, game: GameId::Belkan, data: &[1, 2, 3] },
    ];
    let mut line = vec![0; frame_len(MAX_REQUEST)];
    for request in requests {
        add(encode(&request, &mut vec![0; MAX_REQUEST], &mut line).unwrap());
    }
    let mut client = Client::open(&LinkSpec::InProcess).unwrap();
    let answer = client.decide(GameId::Mancala, &state, Limits { nodes: 50, ..Limits::default() }).unwrap();
    let replies = [
        Reply::Identity(client.identity().clone()),
        Reply::Decision { id: 7, action: answer.action.into_iter().collect(), statistics: answer.statistics },
        Reply::Counters(client.counters().unwrap()),
        Reply::Loaded { id: 8 },
        Reply::Error { id: 9, code: ErrorCode::Busy },
        Reply::Error { id: 10, code: ErrorCode::State(StateError::NotLoaded) },
    ];
    for reply in replies {
        add(encode(&reply, &mut vec![0; MAX_REQUEST], &mut line).unwrap());
    }
    seeds
}

/// `BattleTech`'s files of every kind.
fn battletech_files() -> Vec<Vec<u8>> {
    let game = Setting::new(None, &[]).unwrap().game(3, 0);
    let style = files::Style::default();
    let mut written = vec![
        game.map.write(),
        game.map.write_bme(),
        files::small::ConfigFile::new().write(),
        files::small::InitiativeFile { order: vec![1, 0], style }.write(),
        files::small::MovementsFile { modes: vec![files::small::mode_of_word("Andar").unwrap(); 2], style }.write(),
        files::small::SightFile { hexes: vec![game.mechs[0].hex, game.mechs[1].hex], clear: true, cover: false, style }
            .write(),
    ];
    written.extend((0..5).map(|phase| files::action::ActionFile::nothing(phase).write(style)));
    // Two mechs, the first of them the reader's own, with a bin that is armed; and the definition of a mech.
    let (flag, number) = (|count| "False\n".repeat(count), |count| "4\n".repeat(count));
    let mech = |player: u8, own: String| {
        let hex = game.mechs[usize::from(player)].hex;
        let (start, points) = (format!("{player}\nTrue\n{}{hex}\n1\n2\n3\n", flag(3)), number(19));
        format!("{start}{}0\n{points}{own}{}", flag(2), flag(4))
    };
    let own = format!("{}0\nTrue\n{}1\nTI\n2\n", number(5), flag(78 + 8));
    written.push(format!("mechsSBT\n2\n{}{}", mech(0, own), mech(1, String::new())).into_bytes());
    let component = format!("7\nLaser\nARMA\nFalse\n1\n-1\nEnergía\n{}True\n-1\n-1\nNo\n0\n", number(7));
    let actuator = "1\nHombro\n0\nTrue\n0\n";
    let slots = format!("1\nARMA\n0\n7\nLaser\n0\n-1\n0\n{}", "0\n".repeat(7));
    let head = format!("Nombre\nModelo\n20\n100\n4\n10\nFalse\n{}30\nTrue\n{}{}", flag(3), flag(8), number(19));
    let definition = format!("defmechSBT\n{head}1\n{component}1\n1\n{actuator}{slots}5\n8\n5\n0\n");
    written.push(files::to_cp1252(&definition));
    written
}

/// The seeds hold, and reach what they are meant to reach: a fuzzer that starts from something refused learns nothing. With `RIVAL_SEEDS` they are written to that folder.
#[test]
fn seeds_hold() {
    let to = std::env::var_os("RIVAL_SEEDS");
    for (number, (name, data)) in seeds().into_iter().enumerate() {
        let (_, check) = CHECKS.iter().find(|(check, _)| *check == name).unwrap();
        assert!(check(&data), "seed {number}, for {name}, is refused");
        if let Some(to) = &to {
            let folder = root().join(Path::new(to)).join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("seed-{number}")), &data).unwrap();
        }
    }
}

/// Good input with a few bytes changed, cut off, doubled or put in: what a fuzzer tries first, in every run. With
/// `RIVAL_LONG` a hundred times as much.
#[test]
fn spoilt_seeds_hold() {
    let rounds = if long() { 5_000 } else { 50 };
    let mut random = Random::new(8);
    let mut tried = 0;
    for (name, seed) in seeds() {
        let (_, check) = CHECKS.iter().find(|(check, _)| *check == name).unwrap();
        for _ in 0..rounds {
            let mut data = seed.clone();
            for _ in 0..=random.below(3) {
                spoil(&mut data, &mut random);
            }
            let holds = std::panic::catch_unwind(|| check(&data)).is_ok();
            assert!(
                holds,
                "{name} does not hold for {data:02x?}: mend it, and keep the case in tests/data/fuzz/{name}/"
            );
            tried += 1;
        }
    }
    println!("figure: {tried} spoilt cases");
}

fn spoil(data: &mut Vec<u8>, random: &mut Random) {
    const TELLING: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, b'\n', b'-'];
    let at = random.below(data.len() + 1);
    let byte = if random.below(2) == 0 { TELLING[random.below(TELLING.len())] } else { random.next_u64() as u8 };
    match random.below(6) {
        0 => data.truncate(at),
        1 => data.insert(at, byte),
        2 => drop(data.drain(at..(at + 1 + random.below(4)).min(data.len()))),
        3 => {
            let piece = data[at..(at + random.below(16)).min(data.len())].to_vec();
            data.splice(at..at, piece);
        }
        4 => {
            if let Some(place) = data.get_mut(at) {
                *place ^= 1 << random.below(8);
            }
        }
        _ => {
            if let Some(place) = data.get_mut(at) {
                *place = byte;
            }
        }
    }
}
