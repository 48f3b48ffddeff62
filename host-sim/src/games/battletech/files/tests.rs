//! Every sample of the original simulator's files is read and written back as it was.

use std::path::{Path, PathBuf};

use super::action::ActionFile;
use super::definition::DefinitionFile;
use super::map::MapFile;
use super::mechs::MechsFile;
use super::small::{ConfigFile, InitiativeFile, MovementsFile, SightFile};
use super::{FileError, Reader};

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

fn read_any_action(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut last = None;
    for phase in 0..5 {
        match ActionFile::read(Reader::open(path)?, phase) {
            Ok((action, style)) => return Ok(action.write(style)),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap())
}

fn rewritten(path: &Path) -> Option<Result<Vec<u8>, FileError>> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let reader = || Reader::open(path);
    if path.extension().is_some_and(|ext| ext == "txt") {
        return None; // somebody's annotated copy
    }
    Some(if name.starts_with("mapa") || path.extension().is_some_and(|ext| ext == "bme") {
        MapFile::open(path).map(|file| file.write())
    } else if name.starts_with("defmech") {
        reader().and_then(DefinitionFile::read).map(|file| file.write())
    } else if name.starts_with("mechs") {
        reader().and_then(|reader| MechsFile::read(reader, None)).map(|file| file.write())
    } else if name.starts_with("config") {
        reader().and_then(ConfigFile::read).map(|file| file.write())
    } else if name.starts_with("iniciativa") {
        reader().and_then(InitiativeFile::read).map(|file| file.write())
    } else if name.starts_with("mov") {
        reader().and_then(MovementsFile::read).map(|file| file.write())
    } else if name.starts_with("LDV") {
        reader().and_then(SightFile::read).map(|file| file.write())
    } else if name.starts_with("accion") {
        read_any_action(path)
    } else {
        return None;
    })
}

#[test]
fn samples_are_written_back_byte_for_byte() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/battletech");
    if !golden.exists() {
        println!("skipped: the samples of the simulator's files (data would be in ../shared/golden/battletech)");
        return;
    }
    let mut files = Vec::new();
    files_below(&golden.join("samples"), &mut files);
    files.sort();
    let (mut same, mut bad) = (0, Vec::new());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        match rewritten(&path) {
            None => println!("not a file of the simulator's: {}", path.display()),
            Some(Err(error)) if bytes.is_empty() => println!("empty, refused: {error}"),
            Some(Ok(back)) if back == bytes => same += 1,
            Some(Ok(back)) => {
                let at = back.iter().zip(&bytes).take_while(|(a, b)| a == b).count();
                bad.push(format!("{} differs at byte {at} of {}", path.display(), bytes.len()));
            }
            Some(Err(error)) => bad.push(error.to_string()),
        }
    }
    println!("{same} samples read and written back byte for byte");
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(same >= 78, "only {same}");
}

#[test]
fn the_map_editors_maps_become_the_simulators() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/battletech/maps");
    if !maps.exists() {
        println!("skipped: maps of the map editor (data would be in ../shared/golden/battletech/maps)");
        return;
    }
    let mut files = Vec::new();
    files_below(&maps, &mut files);
    let editors = files.iter().filter(|path| path.extension().is_some_and(|ext| ext == "bme"));
    let mut count = 0;
    for path in editors {
        let simulators = std::fs::read(path.with_extension("sbt")).unwrap();
        let mut map = MapFile::open(path).unwrap();
        map.style = MapFile::open(&path.with_extension("sbt")).unwrap().style;
        assert!(map.write() == simulators, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn complaints_name_the_file_and_the_line() {
    let error = ConfigFile::read(Reader::new("configJ0.sbt", b"configSBT\r\nTrue\r\nmaybe\r\n")).unwrap_err();
    assert_eq!(error.to_string(), "configJ0.sbt, line 3: expected wind, True or False, found \"maybe\"");
    let error = MapFile::read(Reader::new("mapaJ0.sbt", b"mapaSBT\n2\n")).unwrap_err();
    assert_eq!(error.to_string(), "mapaJ0.sbt: ends after line 2 where width, 1 to 32 should follow");
}
