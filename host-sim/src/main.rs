//! The program `rival`.

use core::sync::atomic::Ordering;
use std::process::ExitCode;

use clap::Parser;
use rival_sim::commands::{Cli, run};
use rival_sim::duel::INTERRUPTED;

fn main() -> ExitCode {
    // The first Ctrl-C, or request to terminate, ends long work with what it has; the second ends the program.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    match run(Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("rival: {error:#}");
            ExitCode::from(2)
        }
    }
}
