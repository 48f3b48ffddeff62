//! The original simulator's maps and mechs in the project's own form, and back.
//!
//! The project's own form is JSON that a person can read and change: a map lists the hexes that are not plain ground, a
//! mech is what `--set designs=FILE` takes, with everything the simulator's file said under `file`, so that it can be
//! written back byte for byte.

use std::path::Path;

use rival_core::games::battletech::Location;
use rival_core::games::battletech::map::{MAX_COLS, MAX_ROWS, Object, Terrain, Tile};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::files::definition::DefinitionFile;
use super::files::map::{Ground, MapFile};
use super::files::{FileError, Reader, Style};

/// Why a file cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The simulator's file is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// Our own file is not what it should be.
    #[error("{file}, line {line}: {reason}")]
    Json {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A design of The Drawing Board.
    #[error(
        "{0}: designs of The Drawing Board (.dbm) are neither read nor written, their binary layout is not known; \
         a mech may come from the defmechJ<n>-<i>.sbt that the simulator writes of it in a game, or from a .json file \
         of designs"
    )]
    DrawingBoard(String),
    /// The file is neither a map nor a mech.
    #[error("{0}: neither a map (.bme, mapa….sbt, .json) nor a mech (defmech….sbt, .json)")]
    Unknown(String),
    /// A mech as a map, or a map as a mech.
    #[error("{from} holds a {what}; it cannot become {to}")]
    Mismatch {
        /// What was read.
        from: String,
        /// Map or mech.
        what: &'static str,
        /// What was to be written.
        to: String,
    },
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A map.
    Map(MapFile),
    /// A mech.
    Mech(Box<DefinitionFile>),
}

/// A map in the project's own form.
#[derive(Serialize, Deserialize)]
struct OwnMap {
    map: String,
    cols: u8,
    rows: u8,
    /// How the lines of the simulator's file ended, where that was not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    style: Option<Style>,
    hexes: Vec<OwnHex>,
}

/// A hex that is not plain ground.
#[derive(Serialize, Deserialize)]
struct OwnHex {
    hex: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    level: i8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terrain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    factor: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    condition: Vec<String>,
    #[serde(default, skip_serializing_if = "is_none_lying")]
    clubs: u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    river: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    road: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_zero(level: &i8) -> bool {
    *level == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_none_lying(clubs: &u8) -> bool {
    *clubs == 0
}

const OBJECTS: [&str; 8] = [
    "rubble",
    "light woods",
    "heavy woods",
    "light building",
    "medium building",
    "heavy building",
    "hardened building",
    "bunker",
];
const TERRAINS: [&str; 4] = ["open", "paved", "water", "swamp"];
const CONDITIONS: [&str; 3] = ["collapsed", "fire", "smoke"];

fn sides(set: u8) -> Vec<u8> {
    (1..=6).filter(|side| set >> (side - 1) & 1 != 0).collect()
}

/// A map in the project's own form.
pub fn map_to_json(map: &MapFile) -> Value {
    let tiles = map.tiles();
    let view = map.view(&tiles);
    let plain = Ground { tile: Tile::new(0, Terrain::Open, Object::None), factor: 0, clubs: 0 };
    let hexes = map.ground.iter().enumerate().filter(|(_, ground)| **ground != plain).map(|(at, ground)| {
        let tile = ground.tile;
        let flags = [tile.collapsed(), tile.fire(), tile.smoke()];
        OwnHex {
            hex: view.hex(at).to_string(),
            level: tile.level(),
            terrain: (tile.terrain() != Terrain::Open).then(|| TERRAINS[tile.terrain() as usize].to_owned()),
            object: OBJECTS.get(usize::from(tile.object().code())).map(|&name| name.to_owned()),
            factor: (ground.factor != tile.object().full_factor()).then_some(ground.factor),
            condition: CONDITIONS.iter().zip(flags).filter(|(_, set)| *set).map(|(&name, _)| name.to_owned()).collect(),
            clubs: ground.clubs,
            river: sides(tile.rivers()),
            road: sides(tile.roads()),
        }
    });
    let style = (map.style != Style::default()).then_some(map.style);
    let own = OwnMap { map: "battletech".to_owned(), cols: map.cols, rows: map.rows, style, hexes: hexes.collect() };
    serde_json::to_value(own).unwrap_or_default()
}

/// A map from the project's own form; the error says which hex is wrong and why.
pub fn map_from_json(value: Value) -> Result<MapFile, String> {
    let own: OwnMap = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let (rows, cols) = (own.rows, own.cols);
    if !(1..=MAX_ROWS).contains(&usize::from(rows)) || !(1..=MAX_COLS).contains(&usize::from(cols)) {
        return Err(format!("{cols} by {rows} hexes; a map has 1 to {MAX_COLS} columns and 1 to {MAX_ROWS} rows"));
    }
    let plain = Ground { tile: Tile::new(0, Terrain::Open, Object::None), factor: 0, clubs: 0 };
    let mut ground = vec![plain; usize::from(rows) * usize::from(cols)];
    for hex in own.hexes {
        let wrong = |what: &str| format!("hex {}: {what}", hex.hex);
        let place = hex.hex.parse().ok().and_then(rival_core::games::battletech::Hex::from_id);
        let place = place.filter(|place| place.col < cols && place.row < rows);
        let place = place.ok_or_else(|| wrong("not on the map"))?;
        let find = |list: &[&str], word: &str| list.iter().position(|name| *name == word);
        let terrain = match hex.terrain.as_deref().map(|word| find(&TERRAINS, word)) {
            None | Some(Some(0)) => Terrain::Open,
            Some(Some(1)) => Terrain::Paved,
            Some(Some(2)) => Terrain::Water,
            Some(Some(_)) => Terrain::Swamp,
            Some(None) => return Err(wrong(&format!("a terrain is one of {}", TERRAINS.join(", ")))),
        };
        let object = match hex.object.as_deref().map(|word| find(&OBJECTS, word)) {
            None => Object::None,
            Some(Some(code)) => Object::from_code(code as u8).unwrap_or_default(),
            Some(None) => return Err(wrong(&format!("an object is one of {}", OBJECTS.join(", ")))),
        };
        let mut flags = [false; 3];
        for word in &hex.condition {
            let at = find(&CONDITIONS, word);
            flags[at.ok_or_else(|| wrong(&format!("a condition is one of {}", CONDITIONS.join(", "))))?] = true;
        }
        let mut set = [0_u8; 2];
        for (set, list) in set.iter_mut().zip([&hex.river, &hex.road]) {
            for &side in list {
                if !(1..=6).contains(&side) {
                    return Err(wrong("a side is 1 to 6"));
                }
                *set |= 1 << (side - 1);
            }
        }
        let tile = Tile::new(hex.level, terrain, object).with_sides(set[0], set[1]);
        ground[usize::from(place.col) * usize::from(rows) + usize::from(place.row)] = Ground {
            tile: tile.with_condition(flags[0], flags[1], flags[2], hex.clubs > 0),
            factor: hex.factor.unwrap_or_else(|| object.full_factor()),
            clubs: hex.clubs,
        };
    }
    Ok(MapFile { rows, cols, ground, style: own.style.unwrap_or_default() })
}

/// A mech in the project's own form: the fields that designs are read from, and the file itself.
pub fn mech_to_json(file: &DefinitionFile) -> Value {
    let code = |at: i32| usize::try_from(at).ok().and_then(Location::from_index).map(|at| at.body().code());
    let place = |index: usize| {
        let slots = file.slots.iter().enumerate();
        let mut found = slots.filter_map(|(at, slots)| {
            let slot = slots.iter().position(|slot| usize::try_from(slot.component) == Ok(index))?;
            Some(json!([Location::from_index(at)?.code(), slot]))
        });
        found.next()
    };
    let of_class = |class: &str| -> Vec<Value> {
        let all = file.components.iter().enumerate().filter(|(_, component)| component.class == class);
        all.map(|(index, component)| {
            json!({ "code": component.code, "name": component.name, "loc": code(component.location[0]),
                "rear": component.rear, "rounds": component.quantity.max(0), "slot": place(index) })
        })
        .collect()
    };
    let by_location = |values: &[u8]| -> serde_json::Map<String, Value> {
        Location::ALL.iter().zip(values).map(|(at, &points)| (at.code().to_owned(), json!(points))).collect()
    };
    let slots: serde_json::Map<String, Value> = Location::BODY
        .iter()
        .zip(&file.slots)
        .map(|(at, slots)| {
            let names = slots.iter().map(|slot| json!(slot.name)).chain(core::iter::repeat(Value::Null));
            (at.code().to_owned(), names.take(usize::from(at.slots())).collect())
        })
        .collect();
    let actuators = ["shoulder_L", "upper_L", "lower_L", "hand_L", "shoulder_R", "upper_R", "lower_R", "hand_R"];
    let actuators: serde_json::Map<String, Value> = actuators
        .into_iter()
        .zip(file.actuators_present)
        .map(|(name, there)| (name.to_owned(), json!(there)))
        .collect();
    let named = |at: Location, name: &str| file.slots[at.index()].iter().any(|slot| slot.name.starts_with(name));
    let everywhere = |name: &str| Location::BODY.iter().any(|&at| named(at, name));
    json!({
        "name": file.name, "model": file.model, "tons": file.tons,
        "walk": file.points[0], "run": file.points[1], "jump": file.points[2],
        "engine": if named(Location::LeftTorso, "Motores") { "xl" } else { "standard" },
        "heat_sinks": file.sinks, "double_sinks": file.sink_type == 1, "masc": file.masc,
        "tsm": everywhere("Muscul") || everywhere("Múscul"),
        "case": { "TD": file.case[0], "TI": file.case[1], "TC": file.case[2] },
        "armor": by_location(&file.armour), "structure": by_location(&file.structure),
        "arm_actuators": actuators, "weapons": of_class("ARMA"), "ammo": of_class("MUNICION"), "slots": slots,
        "file": file,
    })
}

/// Reads a map or a mech of any form.
pub fn read(path: &Path) -> Result<Content, ConvertError> {
    let name = path.display().to_string();
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    if extension.as_deref() == Some("dbm") {
        return Err(ConvertError::DrawingBoard(name));
    }
    let reader = Reader::open(path)?;
    match reader.peek() {
        Some("BME_3") => Ok(Content::Map(MapFile::read_bme(reader)?)),
        Some("mapaSBT") => Ok(Content::Map(MapFile::read(reader)?)),
        Some("defmechSBT") => Ok(Content::Mech(Box::new(DefinitionFile::read(reader)?))),
        Some(line) if line.starts_with(['{', '[']) => read_json(path, &name),
        _ => Err(ConvertError::Unknown(name)),
    }
}

fn read_json(path: &Path, name: &str) -> Result<Content, ConvertError> {
    let file = || name.to_owned();
    let text = std::fs::read_to_string(path).map_err(|source| FileError::Io { file: file(), source })?;
    let wrong = |line, reason: String| ConvertError::Json { file: file(), line, reason };
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.line(), error.to_string()))?;
    let value = match value {
        Value::Array(mut list) if list.len() == 1 => list.remove(0),
        other => other,
    };
    if value.get("map").is_some() {
        // The hex that is wrong tells the line.
        let line = |reason: &str| {
            let hex =
                reason.strip_prefix("hex ").and_then(|rest| rest.split(':').next()).map(|hex| format!("\"{hex}\""));
            hex.and_then(|hex| text.lines().position(|line| line.contains(&hex))).map_or(1, |at| at + 1)
        };
        return map_from_json(value).map(Content::Map).map_err(|reason| wrong(line(&reason), reason));
    }
    let definition = value.get("file").cloned().ok_or_else(|| ConvertError::Unknown(file()))?;
    let definition = serde_json::from_value(definition).map_err(|error| wrong(1, error.to_string()))?;
    Ok(Content::Mech(Box::new(definition)))
}

/// The bytes of a map or a mech in the form that the name of the file asks for.
pub fn write(content: &Content, from: &Path, to: &Path) -> Result<Vec<u8>, ConvertError> {
    let extension = to.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let json = |value: &Value| {
        serde_json::to_vec_pretty(value).map(|mut text| {
            text.push(b'\n');
            text
        })
    };
    let name = to.display().to_string();
    let own = |value: &Value| {
        json(value).map_err(|error| ConvertError::Json { file: name.clone(), line: 1, reason: error.to_string() })
    };
    match (content, extension.as_str()) {
        (Content::Map(map), "json") => own(&map_to_json(map)),
        (Content::Map(map), "sbt") => Ok(map.write()),
        (Content::Map(map), "bme") => Ok(map.write_bme()),
        (Content::Mech(mech), "json") => own(&json!([mech_to_json(mech)])),
        (Content::Mech(mech), "sbt") => Ok(mech.write()),
        (_, "dbm") => Err(ConvertError::DrawingBoard(name)),
        (Content::Mech(_), "bme") => {
            Err(ConvertError::Mismatch { from: from.display().to_string(), what: "mech", to: name })
        }
        _ => Err(ConvertError::Unknown(name)),
    }
}

/// Converts a file. Gives a line about what was done.
pub fn convert(from: &Path, to: &Path) -> Result<String, ConvertError> {
    let content = read(from)?;
    let bytes = write(&content, from, to)?;
    std::fs::write(to, &bytes).map_err(|source| FileError::Io { file: to.display().to_string(), source })?;
    Ok(match content {
        Content::Map(map) => format!("a map of {} columns and {} rows: {}", map.cols, map.rows, to.display()),
        Content::Mech(mech) => {
            format!("{} {}, {} tons: {}", mech.model, mech.name, mech.tons, to.display()).trim_start().to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::battletech::design::from_json;
    use crate::games::battletech::mapgen::{Landscape, generate};

    #[test]
    fn maps_come_back_from_every_form() {
        for (seed, landscape) in Landscape::ALL.into_iter().enumerate() {
            let map = generate(landscape, 12, 14, seed as u64);
            assert_eq!(map_from_json(map_to_json(&map)).unwrap(), map);
            let editor = MapFile::read_bme(Reader::new("a.bme", &map.write_bme())).unwrap();
            assert_eq!(editor.ground, map.ground);
        }
    }

    #[test]
    fn a_wrong_hex_is_named_with_its_line() {
        let path = std::env::temp_dir().join(format!("rival-map-{}.json", std::process::id()));
        std::fs::write(
            &path,
            "{ \"map\": \"battletech\", \"cols\": 3, \"rows\": 3,\n\"hexes\": [\n{ \"hex\": \"0203\", \"terrain\": \"lava\" }] }",
        )
        .unwrap();
        let error = read(&path).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(error.ends_with("line 3: hex 0203: a terrain is one of open, paved, water, swamp"), "{error}");
    }

    #[test]
    fn designs_of_the_drawing_board_are_refused_with_a_reason() {
        let error = read(Path::new("x/Marques.DBM")).unwrap_err();
        assert!(matches!(error, ConvertError::DrawingBoard(_)));
        // It says which file, and what to do instead.
        let error = error.to_string();
        assert!(["x/Marques.DBM", "defmechJ<n>-<i>.sbt", ".json"].iter().all(|part| error.contains(part)), "{error}");
        let map = Content::Map(generate(Landscape::ALL[0], 8, 8, 1));
        assert!(matches!(write(&map, Path::new("a.sbt"), Path::new("a.dbm")), Err(ConvertError::DrawingBoard(_))));
    }

    #[test]
    fn the_samples_go_there_and_back() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/battletech");
        if !golden.exists() {
            println!("skipped: samples of the simulator's files (data would be in ../shared/golden/battletech)");
            return;
        }
        let scratch = std::env::temp_dir().join(format!("rival-convert-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).unwrap();
        let (own, back) = (scratch.join("own.json"), scratch.join("back.sbt"));
        let mut count = 0;
        for folder in
            ["samples/Robotito", "samples/generated/t_mb_0", "samples/generated/t_sun_1", "samples/unsegnor_BT"]
        {
            for entry in std::fs::read_dir(golden.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let wanted = name.starts_with("mapa") || name.starts_with("defmech");
                if !wanted || path.extension().is_none_or(|end| end != "sbt") {
                    continue;
                }
                convert(&path, &own).unwrap();
                convert(&own, &back).unwrap();
                assert!(std::fs::read(&back).unwrap() == std::fs::read(&path).unwrap(), "{}", path.display());
                if let Content::Mech(mech) = read(&path).unwrap() {
                    let design = from_json(&mech_to_json(&mech)).unwrap();
                    assert_eq!(design.mech.armour, mech.armour, "{name}");
                    assert_eq!(design.mech.weapons.len(), mech.components.iter().filter(|c| c.class == "ARMA").count());
                }
                count += 1;
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
        assert!(count >= 12, "only {count}");
    }
}
