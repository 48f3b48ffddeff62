//! What the fuzz targets start from, and what they have found.

use std::path::Path;

use rival_core::games::GameId;
use rival_core::games::mancala::State;
use rival_core::wire::frame::{encode, frame_len};
use rival_core::wire::{ErrorCode, Limits, MAX_REQUEST, Reply, Request};
use rival_sim::games::{TABLES, belkan::maps, planet_wars::map::Map};
use rival_sim::random::Random;
use rival_tests::fuzz::CHECKS;
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
    let mut seeds = Vec::new();
    let state = State::start().encode();
    let limits = Limits { time_us: 1_000, nodes: 50, depth: 3 };
    let requests = [
        Request::Hello,
        Request::Count,
        Request::Stop { id: 300 },
        Request::Decide { id: 70_000, limits, game: GameId::Mancala, state: &state },
        Request::Load { id: 1, game: GameId::Belkan, data: &[1, 2, 3] },
    ];
    for request in requests {
        let mut line = vec![0; frame_len(MAX_REQUEST)];
        let framed = encode(&request, &mut vec![0; MAX_REQUEST], &mut line).unwrap().to_vec();
        seeds.push(("session", framed.clone()));
        seeds.push(("frame", framed));
    }
    let reply = Reply::Error { id: 9, code: ErrorCode::Busy };
    let mut line = [0; 64];
    seeds.push(("frame", encode(&reply, &mut [0; 64], &mut line).unwrap().to_vec()));
    seeds.push(("message", vec![0]));
    seeds.push(("message", vec![2, 0xAC, 2]));
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
    let map = Map::generate(1).unwrap();
    let text = map.text(&map.state, rival_core::games::planet_wars::Player::One);
    seeds.push(("planet_wars_text", text.into_bytes()));
    let size = 12;
    let row = "s".repeat(size) + "\n";
    seeds.push(("map", row.repeat(size).into_bytes()));
    let _ = maps::generate(1, 30);
    seeds.push(("recording", br#"{"turn":0,"p":[[0,4,4,4,4,4,4],[0,4,4,4,4,4,4]]}"#.to_vec()));
    for folder in ["battletech", "parchis", "belkan", "planet_wars"] {
        let Ok(files) = std::fs::read_dir(root().join("tests/data").join(folder)) else { continue };
        for file in files.flatten() {
            let Ok(bytes) = std::fs::read(file.path()) else { continue };
            if folder == "battletech" && bytes.len() < 8_192 {
                seeds.push(("battletech_file", bytes));
            }
        }
    }
    seeds
}

/// The seeds hold, and reach what they are meant to reach. With `RIVAL_SEEDS` they are written to that folder.
#[test]
fn seeds_hold() {
    let to = std::env::var_os("RIVAL_SEEDS");
    for (number, (name, data)) in seeds().into_iter().enumerate() {
        let (_, check) = CHECKS.iter().find(|(check, _)| *check == name).unwrap();
        check(&data);
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
