//! The lab's figures under emulation: exact, and no worse than they were.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;

use rival_core::agent::Level;
use rival_sim::games::TABLES;
use rival_sim::lab::run::measure;
use rival_sim::lab::{Run, Suite, compare, report};
use rival_sim::link::LinkSpec;
use rival_tests::{image, root};

/// Share of nodes a second that a game may lose.
const THRESHOLD: f64 = 0.03;

fn quick() -> Option<Run> {
    let link = LinkSpec::Emulator { shift: 3, image: Some(image()?) };
    Some(measure(&link, TABLES, Suite::Quick, Level::STRONGEST.limits()).expect("the emulated board answers"))
}

/// Everything but the day.
fn undated(run: &Run) -> String {
    serde_json::to_string_pretty(&Run { made: String::new(), ..run.clone() }).expect("a run can be written")
}

/// `bench/baseline.json` is what `rival bench run --link emulator --out bench/baseline.json` wrote. Whoever makes a
/// search faster, or slower for a good reason, makes it anew and commits it.
#[test]
fn no_game_is_slower_than_the_baseline_and_a_busy_desktop_changes_nothing() {
    let Some(run) = quick() else { return };
    let baseline = report::read_run(&root().join("bench/baseline.json")).expect("the baseline is part of the project");
    let comparison = compare(&baseline, &run, THRESHOLD).expect("both are emulated");
    for line in comparison.to_string().lines() {
        println!("figure: {line}");
    }
    assert_eq!(comparison.losses(), Vec::<String>::new());

    let over = Arc::new(AtomicBool::new(false));
    let burners: Vec<_> = (0..4)
        .map(|_| {
            let over = over.clone();
            thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    core::hint::spin_loop();
                }
            })
        })
        .collect();
    let again = quick().expect("it was there a moment ago");
    over.store(true, Ordering::Relaxed);
    for burner in burners {
        burner.join().expect("a loop ends");
    }
    assert_eq!(undated(&run), undated(&again), "two runs differ in more than their date");
}

#[test]
fn the_report_of_the_committed_files_needs_no_network() {
    let files = ["bench/full.json", "bench/sizes.json"].map(|file| root().join(file));
    let page = report::page(&files).expect("the committed files can be read");
    for foreign in ["http://", "https://", "<script", "<link", "src="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for plot in ["Depth against time", "Nodes a second", "Response time", "deadline", "Flash, RAM and stack"] {
        assert!(page.contains(plot), "{plot}");
    }
}
