//! Opponents: who sits on the other side.

use anyhow::{Result, bail};

use super::referee::Player;

mod charger;
mod document;
mod random;

pub use charger::Charger;
pub use document::Document;
pub use random::Random;

/// How they are written, and what they do.
pub const NAMES: &[(&str, &str)] = &[
    ("random", "any legal action"),
    ("charger", "runs at the nearest enemy, fires whatever bears, strikes with every limb"),
    ("document", "the agent of the source document: walks into sight, fires the easiest shots that stay cool"),
];

/// An opponent by its name.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Player + Send>> {
    Ok(match name {
        "document" => Box::new(Document),
        "charger" => Box::new(Charger),
        "random" => Box::new(Random::new(seed)),
        _ => {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            bail!("there is no opponent \"{name}\"; there are: agent, {}", names.join(", "))
        }
    })
}
