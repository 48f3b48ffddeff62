use super::*;
use crate::link::LinkSpec;

fn settings(p2: &str, games: usize) -> MatchSettings {
    MatchSettings {
        p1: "agent".into(),
        p2: p2.into(),
        games,
        seed: 1,
        opening: 0,
        link: LinkSpec::InProcess,
        limits: Limits { nodes: 6_000, ..Limits::default() },
        map: None,
        options: Vec::new(),
        jobs: 2,
        quiet: true,
    }
}

#[test]
fn the_agent_beats_every_opponent_on_generated_maps() {
    for kind in Kind::ALL {
        let report = run_match(&settings(kind.name(), 4)).unwrap();
        assert_eq!(report.json["points"], 4.0, "{}", report.summary);
        assert_eq!(report.json["p1_kicked"], 0);
    }
}

#[test]
fn a_bad_order_loses_the_game() {
    let mut game = Game::new(Map::generate(1).unwrap());
    let home = game.state.planets().iter().position(|planet| planet.owner == Player::Two.owner()).unwrap();
    let bad = Order { source: home as i64, destination: 0, ships: 101 };
    game.play(&[Vec::new(), vec![bad]]);
    assert_eq!(game.kicks, [(Player::Two, Kick::BadOrder)]);
    assert_eq!(game.outcome(), Outcome::Won(Player::One));
}

#[test]
fn wrong_names_are_explained() {
    assert!(run_match(&settings("nobody", 1)).unwrap_err().to_string().contains("prospector"));
    let mut options = settings("bully", 1);
    options.options.push(("colour".into(), "red".into()));
    assert!(run_match(&options).is_err());
    let missing = MatchSettings { map: Some("no/such/file".into()), ..settings("bully", 1) };
    assert!(run_match(&missing).is_err());
    assert!(orders_of(&[1, 2, 3]).is_err(), "three bytes are no order");
}
