//! What the host keeps of the games it has played: nothing.
//!
//! One test, because everything in this program counts.

use std::sync::{Arc, Mutex};

use rival_core::games::GameId;
use rival_core::wire::{Identity, Limits};
use rival_sim::client::{Answer, Client, LineCount, Witness};
use rival_sim::duel::MatchSettings;
use rival_sim::games::{TABLES, Table};
use rival_sim::heap::{self, Growth};
use rival_sim::link::{LinkSpec, OpenLink};

/// Rounds of all games that are played before it counts: tables that are made once, buffers that find their size.
const WARM_UP: u64 = 2;
/// Rounds that count.
const ROUNDS: u64 = 8;

fn play(table: &dyn Table, link: &LinkSpec, seed: u64) {
    let settings = MatchSettings {
        p1: "agent".into(),
        // The first of every game's opponents, the shallow one where it has a depth.
        p2: table.opponents().first().map_or("agent".into(), |(name, _)| name.replace("<depth>", "2")),
        games: 1,
        seed,
        opening: 2,
        link: link.clone(),
        limits: Limits { nodes: 40, ..Limits::default() },
        map: None,
        options: if table.id() == GameId::Belkan { vec![("level".into(), "3".into())] } else { Vec::new() },
        jobs: 1,
        quiet: true,
    };
    table.run_match(&settings).unwrap();
}

/// Looks on, so that resets are not printed: what a test prints is kept by whoever runs it.
struct Silent;

impl Witness for Silent {
    fn loaded(&mut self, _game: GameId, _data: &[u8]) {}
    fn decided(&mut self, _game: GameId, _state: &[u8], _limits: Limits, _answer: &Answer, _baud: Option<u32>) {}
    fn restarted(&mut self, _identity: &Identity) {}
    fn closed(&mut self, _count: LineCount) {}
}

#[test]
fn nothing_is_kept_of_a_decision() {
    let faults = "flip=1e-4,drop=1e-4,dup=1e-4,reset=2e-3,seed=9".parse().unwrap();
    let faulty = LinkSpec::InProcess.with_faults(Some(faults)).open().unwrap();
    let mut shared = OpenLink::new(faulty, None);
    shared.witness = Some(Arc::new(Mutex::new(Silent)));
    let link = LinkSpec::Open(shared.clone());
    let mut growth = Growth::new();
    for round in 0..WARM_UP + ROUNDS {
        for &table in TABLES {
            play(table, &link, round);
        }
        // Whatever is still on the line is read.
        Client::open(&link).unwrap();
        if round >= WARM_UP {
            growth.measure(heap::live());
        }
    }
    let injected = shared.with(|link| link.faults()).unwrap();
    assert!(injected.total() > 20 && injected.resets > 0, "{injected:?}");
    println!("figure: {} bytes kept, {:?} more than {ROUNDS} rounds before", heap::live(), growth.bytes());
    assert_eq!(growth.bytes(), Some(0));
}
