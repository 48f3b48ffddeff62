//! The program as a user meets it.

use std::process::{Command, Output, Stdio};

fn rival(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rival")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_a_terminal_it_shows_a_match_of_every_game() {
    let output = rival(&[]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for table in rival_sim::games::TABLES {
        let name = table.id().name();
        assert!(shown.contains(&format!("== {name}")), "{shown}");
        assert!(shown.lines().any(|line| line.starts_with(&format!("{name} "))), "a row of the table: {shown}");
    }
    assert!(!shown.contains('\x1b'), "no colour outside a terminal");
}

#[test]
fn a_decision_as_json() {
    let output = rival(&["decide", "mancala", "--state", "start", "--nodes", "2000", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["nodes"].as_u64().unwrap() >= 2_000);
    assert!(json["action"].as_str().unwrap().starts_with("pit "));
}

#[test]
fn a_match_is_the_same_every_time() {
    let arguments =
        ["match", "mancala", "--p2", "greedy", "--games", "6", "--nodes", "500", "--seed", "3", "--json", "-"];
    let results = || {
        let json: serde_json::Value = serde_json::from_slice(&rival(&arguments).stdout).unwrap();
        (json["results"].clone(), json["points"].clone())
    };
    assert_eq!(results(), results());
}

#[test]
fn mistakes_are_explained_with_exit_code_2() {
    let cases: [(&[&str], &str); 10] = [
        (&["decide", "chess", "--state", "start"], "there is no game \"chess\""),
        (&["decide", "mancala", "--state", "{\"turn\":0}"], "\"p\" has to be"),
        (&["decide", "mancala", "--state", "start", "--map", "x"], "takes no map"),
        (&["decide", "belkan", "--state", "start", "--map", "nowhere"], "no map \"nowhere\""),
        (&["decide", "belkan", "--state", "{\"nivel\":3}", "--map", "generated:1:30"], "such as"),
        (&["decide", "belkan", "--state", "{\"target\":[0,0]}", "--map", "generated:1:30"], "the target is a wall"),
        (&["decide", "mancala", "--state", "{\"turn\":0,\"p\":[[1,4,4,4,4,4,4],[0,4,4,4,4,4,4]]}"], "48 seeds"),
        (&["match", "mancala", "--p2", "nobody"], "nobody is called"),
        (&["conform", "mancala", "not-there.jsonl"], "cannot open"),
        (&["info", "--link", "serial:/dev/rival-is-not-here"], "rival ports"),
    ];
    for (arguments, words) in cases {
        let output = rival(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_wrong_link_is_refused_by_the_command_line() {
    let output = rival(&["info", "--link", "carrier-pigeon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is no link"), "{}", text(&output.stderr));
}
