//! scratch
use rival_core::games::belkan::*;
use rival_sim::games::belkan::{contest::*, maps, world::World};
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let (_, arguments) = BENCHMARK.into_iter().find(|b| b.0 == a[0]).unwrap();
    let map = maps::course(&a[0]).unwrap();
    let mut d = Direct::default();
    let mut w = World::new(&map, &benchmark(arguments, a[1].parse().unwrap())).unwrap();
    let mut last = 3000u16;
    while !w.is_over() {
        let s = w.sense();
        let act = d.decide(&s);
        if s.battery + 20 < last || act == Action::Idle {
            println!(
                "life {} bat {} at {:?} {} h{} -> {:?} act {:?} goals {} outfit {:?} {:?}",
                s.life,
                s.battery,
                (s.place.row, s.place.column),
                s.terrain[0].letter(),
                s.heading as u8,
                (s.target.row, s.target.column),
                act,
                w.score().goals,
                w.player().outfit,
                d.agent().why()
            );
        }
        last = s.battery;
        w.act(act);
    }
}
