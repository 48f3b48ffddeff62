//! scratch
use rival_core::games::belkan::*;
use rival_sim::games::belkan::{contest::*, maps, opponents, world::World};
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let (_, arguments) = BENCHMARK.into_iter().find(|b| b.0 == a[0]).unwrap();
    let map = maps::course(&a[0]).unwrap();
    for who in ["agent", "corrected"] {
        for seed in 1..=a[1].parse().unwrap() {
            let mut d = Direct::default();
            let mut o = if who == "agent" { None } else { Some(opponents::by_name(who).unwrap()) };
            let mut w = World::new(&map, &benchmark(arguments, seed)).unwrap();
            let (mut ix, mut io, mut turn, mut fwd) = (0, 0, 0, 0);
            let mut dist = 0u32;
            let mut last = Place::new(0, 0);
            let mut why = std::collections::BTreeMap::new();
            while !w.is_over() {
                let s = w.sense();
                if s.target != last {
                    last = s.target;
                    dist +=
                        (s.place.row.abs_diff(s.target.row) as u32) + s.place.column.abs_diff(s.target.column) as u32;
                }
                let act = match &mut o {
                    None => d.decide(&s),
                    Some(o) => o.decide(&s),
                };
                *why.entry(d.agent().why()).or_insert(0) += 1;
                match act {
                    Action::Idle if s.terrain[0] == Terrain::Charger => ix += 1,
                    Action::Idle => io += 1,
                    Action::Forward => fwd += 1,
                    _ => turn += 1,
                }
                w.act(act);
            }
            let sc = w.score();
            println!(
                "{who} seed {seed}: goals {} bat {} life {} chargeidle {ix} idle {io} turns {turn} fwd {fwd} manhattan {dist} outfit {:?} {why:?}",
                sc.goals,
                sc.battery,
                sc.life,
                w.player().outfit
            );
        }
    }
}
