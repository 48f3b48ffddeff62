//! scratch
use rival_core::games::belkan::*;
use rival_sim::games::belkan::{contest::*, maps};
fn main() {
    let want: Vec<String> = std::env::args().skip(1).collect();
    let mut tuning = Tuning::DEFAULT;
    let mut only = Vec::new();
    for word in &want {
        if let Some((k, v)) = word.split_once('=') {
            let v: u32 = v.parse().unwrap();
            match k {
                "use" => tuning.use_tenths = v,
                "usew" => tuning.use_weight = v,
                "unknown" => tuning.unknown = v as u16,
                "alike" => tuning.alike = v as u16,
                "alikep" => tuning.alike_poor = v as u16,
                "closed" => tuning.closed = v as u16,
                "tr" => tuning.tick_rich = v as u16,
                "tc" => tuning.tick_charger = v as u16,
                "tp" => tuning.tick_poor = v as u16,
                "stale" => tuning.stale = v as u16,
                "news" => tuning.news = v as u16,
                "margin" => tuning.margin = v,
                "reserve" => tuning.reserve = v,
                "slack" => tuning.slack = v,
                "dear" => tuning.dear = v,
                "cpt" => tuning.charge_per_tick = v,
                "gd" => tuning.gift_detour = v,
                "gp" => tuning.gift_percent = v,
                "vil" => tuning.villager = v,
                _ => panic!("{k}"),
            }
        } else {
            only.push(word.clone());
        }
    }
    let seeds: u32 = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    let mut line = String::new();
    for (name, arguments) in BENCHMARK {
        if !only.is_empty() && !only.iter().any(|o| o == name) {
            continue;
        }
        let map = maps::course(name).unwrap();
        let mut goals = vec![];
        let mut info = String::new();
        let start = std::time::Instant::now();
        for seed in 1..=seeds {
            let mut direct = Direct::new(tuning);
            let score = play(&map, &benchmark(arguments, seed), &mut direct).unwrap();
            goals.push(score.goals);
            info += &format!(
                " [l{} b{} c{} d{} n{} w{} o{}]",
                score.life,
                score.battery,
                score.collisions,
                score.deaths,
                direct.nodes / 1000,
                direct.worst.nodes,
                direct.worst.bound_met
            );
        }
        let mean = goals.iter().sum::<u32>() as f64 / seeds as f64;
        if std::env::var("V").is_ok() {
            println!("{name} {mean} {goals:?}{info} {:?}", start.elapsed());
        }
        line += &format!("{name} {mean:.1}  ");
    }
    println!("{line}");
}
