//! `rival soak` as somebody would run it.

use clap::Parser;
use rival_sim::commands::{Cli, run};

#[test]
fn a_short_soak_ends_with_its_table_and_its_figures() {
    let file = std::env::temp_dir().join(format!("rival-soak-{}.json", std::process::id()));
    let words = ["rival", "soak", "--minutes", "0.05", "--seconds", "0", "--nodes", "60", "--json"];
    let more = ["--faults", "flip=1e-3,drop=1e-3,dup=1e-3,reset=1e-2,seed=4"];
    let cli = Cli::try_parse_from(words.into_iter().chain([file.to_str().unwrap()]).chain(more)).unwrap();
    assert!(run(cli).unwrap(), "nothing late, wrong or lost");
    let figures: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    std::fs::remove_file(file).unwrap();
    for figure in ["late", "wrong", "lost"] {
        assert_eq!(figures[figure], 0, "{figures:#}");
    }
    for figure in ["decisions", "faults_injected", "retries"] {
        assert!(figures[figure].as_u64() > Some(0), "{figure}: {figures:#}");
    }
    assert!(figures["games"]["mancala"].as_u64() > Some(0), "{figures:#}");
}

#[test]
fn a_soak_of_no_time_is_refused() {
    let cli = Cli::try_parse_from(["rival", "soak", "--minutes", "0"]).unwrap();
    assert!(run(cli).is_err());
    assert!(Cli::try_parse_from(["rival", "soak", "--minutes", "1", "--hours", "1"]).is_err(), "one or the other");
}
