use std::collections::BTreeMap;

use super::super::opponents::{Kind, Opponent};
use super::*;

/// The recordings, or a word about why there are none.
fn recordings() -> Option<&'static Path> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/golden/planet_wars/games.jsonl.gz"));
    if !path.exists() {
        println!("skipped: no recordings (data would be in ../shared/golden/planet_wars/games.jsonl.gz)");
        return None;
    }
    Some(path)
}

#[test]
fn every_recorded_game_replays_without_a_mismatch() {
    let Some(path) = recordings() else { return };
    let report = conform(path).unwrap();
    assert_eq!(report.first, None);
    assert_eq!(report.steps, 3_788 + 70);
    assert_eq!(report.notes, ["70 games, 3788 turns, 814 texts to players read, 20 players thrown out"]);
}

#[test]
fn recorded_states_are_small_on_the_line() {
    let Some(path) = recordings() else { return };
    let (mut worst, mut ordinary) = (0, 0);
    read(path, |record| {
        let Record::Turn(turn) = record else { return Ok(()) };
        let view = View::new(&turn.state, Player::Two, turn.turn)?;
        let bytes = view.encode()?;
        assert_eq!(View::decode(&bytes).as_ref(), Ok(&view));
        worst = worst.max(bytes.len());
        // Games of real bots; the others are random swarms.
        if !turn.players.iter().any(|name| name.contains(':')) {
            ordinary = ordinary.max(bytes.len());
        }
        Ok(())
    })
    .unwrap();
    println!("worst {worst} bytes, ordinary {ordinary}");
    assert!(worst < 4_000 && ordinary < 1_000, "worst {worst} bytes, ordinary {ordinary}");
}

#[test]
fn distances_on_recorded_maps_are_those_of_double_precision() {
    let Some(path) = recordings() else { return };
    let mut maps = BTreeMap::new();
    read(path, |record| {
        if let Record::Turn(turn) = record {
            maps.entry(turn.game).or_insert(turn.map);
        }
        Ok(())
    })
    .unwrap();
    for (game, map) in maps {
        for (from, a) in map.coordinates.iter().enumerate() {
            for (to, b) in map.coordinates.iter().enumerate() {
                let exact = ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt().ceil();
                assert!((f64::from(map.state.distance(from, to)) - exact).abs() < 0.5, "{game}: {from} to {to}");
            }
        }
    }
}

/// The example bots, where they have no choice of chance, answer every recorded state as the originals did.
#[test]
fn opponents_answer_as_they_did_in_recorded_games() {
    let Some(path) = recordings() else { return };
    let mut compared = BTreeMap::new();
    read(path, |record| {
        let Record::Turn(turn) = record else { return Ok(()) };
        for (player, lines) in Player::BOTH.into_iter().zip(&turn.lines) {
            let kind = match turn.players[player.index()].as_str() {
                "BullyBot" | "GoogleBot" => Kind::Bully,
                "DualBot" => Kind::Dual,
                "ProspectorBot" => Kind::Prospector,
                "RageBot" => Kind::Rage,
                "GeneBot" => Kind::Gene,
                _ => continue,
            };
            let Some(lines) = lines else { continue };
            let text = |line: &String| Line::parse(line).ok();
            let mut expected: Vec<Line> = lines.iter().filter_map(text).filter(|line| *line != Line::Go).collect();
            let mut answer: Vec<Line> = Opponent::orders(&mut Opponent::new(kind, 1), &turn.state, player, turn.turn)
                .into_iter()
                .map(Line::Order)
                .collect();
            if kind == Kind::Gene {
                // Tithes are a matter of chance.
                let attack = |line: &Line| match line {
                    Line::Order(order) => turn.state.planets()[order.destination as usize].owner != player.owner(),
                    Line::Go => false,
                };
                expected.retain(attack);
                answer.retain(attack);
            }
            assert_eq!(answer, expected, "{} turn {}: {}", turn.game, turn.turn, kind.name());
            *compared.entry(kind.name()).or_insert(0) += 1;
        }
        Ok(())
    })
    .unwrap();
    println!("{compared:?}");
    assert_eq!(compared.len(), 5);
}

#[test]
fn recorded_playbacks_are_read_and_written_again() {
    use super::super::playback::{Playback, Writer};
    let Some(path) = recordings() else { return };
    let mut compared = 0;
    for line in lines(path).unwrap() {
        let (_, record) = line.unwrap();
        if record["type"] == "end" {
            let playback = Playback::parse(record["playback"].as_str().unwrap()).unwrap();
            assert_eq!(playback.frames.len() as u64, record["turns"].as_u64().unwrap());
            let mut writer = Writer::new(&playback.map);
            playback.frames.iter().for_each(|frame| writer.frame(frame));
            let again = Playback::parse(&writer.finish()).unwrap();
            assert_eq!(again.frames, playback.frames);
            assert!(playback.svg().ends_with("</svg>\n"));
            compared += 1;
        }
    }
    assert_eq!(compared, 70);
}
