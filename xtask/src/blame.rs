//! What the flash and the RAM of an image are spent on.
//!
//! Code is counted by the source line that it was made from: inlining moves most of it far from the function that it
//! belongs to, so that names of functions would say little. An instruction counts for the innermost line that is not the
//! standard library's, such as the game that sorts and not the sort. Constants and variables are counted by their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use addr2line::Context as Lines;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use rustc_demangle::demangle;

/// What an image is spent on.
#[derive(Debug, Default)]
pub struct Blame {
    /// Bytes of flash by crate; Rival's own core by game or module.
    pub flash: BTreeMap<String, u64>,
    /// Bytes of RAM by variable, the largest first.
    pub ram: Vec<(String, u64)>,
}

/// Instructions of which nothing says where they come from: assembly, precompiled parts.
const UNKNOWN: &str = "no source";
/// Constants without a name of their own: texts, values of expressions.
const UNNAMED: &str = "unnamed constants";

/// Reads an image.
pub fn blame(elf: &Path) -> Result<Blame> {
    let bytes = fs::read(elf).with_context(|| format!("cannot read {}", elf.display()))?;
    let file = object::File::parse(&*bytes)?;
    let section = |id: SectionId| -> Result<EndianSlice<'_, LittleEndian>> {
        let data = file.section_by_name(id.name()).map_or(Ok(&[][..]), |section| section.data())?;
        Ok(EndianSlice::new(data, LittleEndian))
    };
    let lines = Lines::from_dwarf(Dwarf::load(section)?)?;
    let mut blame = Blame::default();
    for part in file.sections() {
        match part.kind() {
            SectionKind::Text if part.name() != Ok(".vector_table") => {
                code(&lines, part.address(), part.size(), &mut blame.flash)?;
            }
            // The first values of variables lie in flash as well.
            SectionKind::ReadOnlyData | SectionKind::ReadOnlyString | SectionKind::Data => {
                constants(&file, &part, &mut blame.flash);
            }
            _ => {}
        }
    }
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0) {
        if (0x2000_0000..0x4000_0000).contains(&symbol.address())
            && let Ok(name) = symbol.name()
        {
            blame.ram.push((format!("{:#}", demangle(name)), symbol.size()));
        }
    }
    blame.ram.sort_by_key(|(name, size)| (core::cmp::Reverse(*size), name.clone()));
    Ok(blame)
}

fn code(
    lines: &Lines<EndianSlice<'_, LittleEndian>>,
    start: u64,
    size: u64,
    flash: &mut BTreeMap<String, u64>,
) -> Result<()> {
    let mut at = start;
    // Instructions of one line lie together, but what they are inlined into changes: ask for every halfword.
    while at < start + size {
        let mut frames = lines.find_frames(at).skip_all_loads()?;
        let mut owner = None;
        while let Some(frame) = frames.next()? {
            if let Some(file) = frame.location.and_then(|location| location.file) {
                let name = owner_of(file);
                let inner = owner.get_or_insert_with(|| name.clone());
                if inner == STANDARD && name != STANDARD {
                    *inner = name;
                }
                if owner.as_deref() != Some(STANDARD) {
                    break;
                }
            }
        }
        *flash.entry(owner.unwrap_or_else(|| UNKNOWN.into())).or_default() += 2;
        at += 2;
    }
    Ok(())
}

const STANDARD: &str = "standard library";

/// Whom a source file belongs to.
fn owner_of(file: &str) -> String {
    let parts: Vec<&str> = file.split(['/', '\\']).collect();
    if let Some(at) = parts.iter().position(|&part| part == "registry") {
        // registry/src/<index>/<crate>-<version>/…
        let versioned = parts.get(at + 3).copied().unwrap_or(UNKNOWN);
        let (name, _) = versioned.rsplit_once('-').unwrap_or((versioned, ""));
        return name.into();
    }
    if parts.contains(&"library") && file.contains("rustc") {
        return STANDARD.into();
    }
    let source = |krate: &str| {
        let at = parts.windows(2).position(|pair| pair == [krate, "src"])?;
        Some(parts[at + 2..].iter().map(|part| part.trim_end_matches(".rs")).collect::<Vec<_>>())
    };
    match source("core").as_deref() {
        Some(["games", game, ..]) if *game != "mod" => return format!("game {}", game.replace('_', "-")),
        Some([module, ..]) => return format!("core {module}"),
        _ => {}
    }
    if source("firmware").is_some() { "firmware".into() } else { STANDARD.into() }
}

fn constants(file: &object::File<'_>, section: &object::Section<'_, '_>, flash: &mut BTreeMap<String, u64>) {
    let mut named: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    for symbol in file.symbols() {
        if symbol.section_index() == Some(section.index())
            && symbol.size() > 0
            && let Ok(name) = symbol.name()
        {
            named.entry(symbol.address()).or_insert((symbol.size(), format!("{:#}", demangle(name))));
        }
    }
    let mut left = section.size();
    for (size, name) in named.into_values() {
        let size = size.min(left);
        left -= size;
        *flash.entry(owner_of_symbol(&name)).or_default() += size;
    }
    *flash.entry(UNNAMED.into()).or_default() += left;
}

/// Whom a constant or variable belongs to.
fn owner_of_symbol(name: &str) -> String {
    let path: Vec<&str> = name.trim_start_matches(['<', '&']).split("::").collect();
    match path.as_slice() {
        ["rival_core", "games", game, ..] => format!("game {}", game.replace('_', "-")),
        ["rival_core", module, ..] => format!("core {module}"),
        ["rival_firmware", ..] => "firmware".into(),
        ["core" | "compiler_builtins", ..] => STANDARD.into(),
        [krate, _, ..] => krate.replace('_', "-"),
        _ => UNNAMED.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_has_one_owner() {
        for (file, owner) in [
            ("core/src/games/planet_wars/future.rs", "game planet-wars"),
            ("core/src/games/mod.rs", "core games"),
            ("core/src/search/alphabeta.rs", "core search"),
            ("firmware/src/run.rs", "firmware"),
            ("/home/me/.cargo/registry/src/index/embassy-executor-0.10.0/src/raw/mod.rs", "embassy-executor"),
            ("/rustc/59807616e/library/core/src/slice/mod.rs", STANDARD),
        ] {
            assert_eq!(owner_of(file), owner, "{file}");
        }
    }

    #[test]
    fn a_constant_belongs_to_where_it_is_written() {
        assert_eq!(owner_of_symbol("rival_core::games::mancala::rules::SOWINGS"), "game mancala");
        assert_eq!(owner_of_symbol("rival_firmware::run::SESSION"), "firmware");
        assert_eq!(owner_of_symbol(".Lanon.17"), UNNAMED);
    }
}
