//! The recordings: single questions about the rules with the answers of the original simulator.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rival_core::games::battletech::arcs::{Arc, Side, arc, hit_side};
use rival_core::games::battletech::attack::{Offer, Selection, Shooter, Target, easiest_first, secondary_modifier};
use rival_core::games::battletech::equipment::{Family, Kind, Special, cluster_hits, minimum_modifier};
use rival_core::games::battletech::heat;
use rival_core::games::battletech::location::{punch_location, shot_location};
use rival_core::games::battletech::map::Map;
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::reach::{FAR, Flood, Gait, Place, Reach, Start, Way, jump_clears, jump_heat};
use rival_core::games::battletech::sight::{Eye, line, sight, terrain_modifier};
use rival_core::games::battletech::{Facing, Hex, Location, Mech, Phase, Profile};
use serde_json::Value;

use super::agent::state_bytes;
use super::damage;
use super::files::map::MapFile;
use super::series::Setting;
use crate::games::Position;
use crate::recording::Conformance;

/// The kinds of recordings, in the order in which they are checked.
pub const KINDS: [&str; 11] =
    ["hexdist", "move", "reach", "jump", "los", "arc", "tohit", "cluster", "damage", "heat", "firesel"];

/// What came of one kind.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Which kind.
    pub kind: &'static str,
    /// Rows compared.
    pub rows: usize,
    /// Rows that differ.
    pub mismatches: usize,
    /// The first few of them, in words.
    pub examples: Vec<String>,
}

/// Checks one file of recordings; its name says what kind it holds.
pub fn conform(file: &Path, maps: &[PathBuf]) -> Result<Conformance> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let kind = KINDS
        .into_iter()
        .find(|kind| name.starts_with(kind))
        .with_context(|| format!("the name of a recording begins with its kind: {}", KINDS.join(", ")))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut folders = vec![folder.join("../maps")];
    folders.extend_from_slice(maps);
    let outcome = check_kind(file, kind, &mut Maps { folders, read: HashMap::new() })?;
    Ok(Conformance {
        steps: outcome.rows as u64,
        mismatches: outcome.mismatches as u64,
        first: outcome.examples.first().cloned(),
        ..Conformance::default()
    })
}

/// Positions to measure with: the first moves of games on each landscape, and the worst case, a fast mech that jumps on
/// the largest map.
pub fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    let mut add = |name: &str, map: &str, mechs: &str, size: &str| {
        let options = [("mechs".to_owned(), mechs.to_owned()), ("size".to_owned(), size.to_owned())];
        let Ok(setting) = Setting::new(Some(map), &options) else { return };
        let mut game = setting.game(7, 0);
        game.begin_turn();
        if let Ok(state) = state_bytes(&game, game.order[0], Phase::Movement) {
            positions.push(Position { name: name.to_owned(), state, load: Some(game.load_bytes()) });
        }
    };
    add("Boar on a plain, first to move", "plain", "Boar", "16x17");
    add("Lynx in the hills, first to move", "hills", "Lynx", "16x17");
    add("Anvil in a town, first to move", "town", "Anvil", "16x17");
    add("Sandpiper (8/12/8) on 32 by 34 hexes of plain, first to move", "plain", "Sandpiper", "32x34");
    add("Sandpiper (8/12/8) on 32 by 34 hexes of hills, first to move", "hills", "Sandpiper", "32x34");
    positions
}

/// Whether a file is a recorded game rather than vectors of the rules.
pub fn is_recorded_game(file: &Path) -> bool {
    let first = crate::recording::lines(file).ok().and_then(|mut lines| lines.next());
    matches!(first, Some(Ok((_, value))) if value.get("battletech").is_some())
}

/// Maps by name, read once.
struct Maps {
    folders: Vec<PathBuf>,
    read: HashMap<String, (MapFile, Vec<u32>)>,
}

impl Maps {
    fn get(&mut self, name: &str) -> Result<Map<'_>> {
        if !self.read.contains_key(name) {
            let file = format!("{name}.sbt");
            let path = self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.exists());
            let path = path.with_context(|| format!("there is no map {file} in {:?}", self.folders))?;
            let map = MapFile::open(&path)?;
            let tiles = map.tiles();
            self.read.insert(name.to_owned(), (map, tiles));
        }
        let (map, tiles) = &self.read[name];
        Ok(map.view(tiles))
    }
}

/// Checks every recording below `folder` (which holds `vectors/` and `maps/`); `more_maps` are searched as well.
pub fn check(folder: &Path, more_maps: &[PathBuf]) -> Result<Vec<Outcome>> {
    let mut maps = Maps { folders: vec![folder.join("maps")], read: HashMap::new() };
    maps.folders.extend_from_slice(more_maps);
    let file = |kind| folder.join(format!("vectors/{kind}.jsonl.gz"));
    KINDS.into_iter().map(|kind| check_kind(&file(kind), kind, &mut maps)).collect()
}

fn check_kind(file: &Path, kind: &'static str, maps: &mut Maps) -> Result<Outcome> {
    let mut outcome = Outcome { kind, ..Outcome::default() };
    for row in crate::recording::lines(file)? {
        let (_, row) = row?;
        outcome.rows += 1;
        let verdict = match kind {
            "hexdist" => check_distance(&row),
            "move" => check_move(&row, maps),
            "reach" => check_reach(&row, maps),
            "jump" => check_jump(&row, maps),
            "los" => check_sight(&row, maps),
            "arc" => check_arc(&row, maps),
            "tohit" => check_to_hit(&row, maps),
            "cluster" => check_cluster(&row),
            "damage" => check_damage(&row),
            "heat" => check_heat(&row),
            "firesel" => check_selection(&row),
            _ => bail!("no such kind of recording: {kind}"),
        };
        if let Err(difference) = verdict {
            outcome.mismatches += 1;
            if outcome.examples.len() < 5 {
                outcome.examples.push(format!("{}: {difference:#}", row["id"].as_str().unwrap_or("?")));
            }
        }
    }
    Ok(outcome)
}

#[expect(clippy::needless_pass_by_value, reason = "most of what is compared was just made")]
fn same<T: PartialEq + core::fmt::Debug>(what: &str, ours: T, theirs: T) -> Result<()> {
    if ours == theirs { Ok(()) } else { bail!("{what}: {ours:?} here, {theirs:?} recorded") }
}

fn hex(value: &Value) -> Result<Hex> {
    let id = value.as_str().context("a hex is four digits")?;
    Hex::from_id(id.parse()?).context("not a hex")
}

fn number(value: &Value) -> Result<i64> {
    value.as_i64().with_context(|| format!("expected a number, found {value}"))
}

fn small(value: &Value) -> Result<u8> {
    Ok(u8::try_from(number(value)?)?)
}

fn boolean(value: &Value) -> Result<bool> {
    value.as_bool().with_context(|| format!("expected true or false, found {value}"))
}

fn facing(value: &Value) -> Result<Facing> {
    Facing::new(small(value)?).context("a facing is 1 to 6")
}

fn place(value: &Value) -> Result<Place> {
    Ok(Place { hex: hex(&value[0])?, facing: facing(&value[1])? })
}

fn ids(hexes: &[Hex]) -> Value {
    Value::from(hexes.iter().map(ToString::to_string).collect::<Vec<_>>())
}

fn check_distance(row: &Value) -> Result<()> {
    let (a, b) = (hex(&row["a"])?, hex(&row["b"])?);
    same("distance", i64::from(a.distance(b)), number(&row["dist"])?)?;
    for (hex, name) in [(a, "cube_a"), (b, "cube_b")] {
        let cube = hex.cube();
        same(name, Value::from(vec![cube.x, cube.y, cube.z]), row[name].clone())?;
    }
    for (side, theirs) in Facing::ALL.into_iter().zip(row["neigh_a"].as_array().context("neighbours")?) {
        let ours = a.neighbour(side).filter(|hex| hex.col < 99 && hex.row < 99);
        same("neighbour", ours.map_or(Value::Null, |hex| Value::from(hex.to_string())), theirs.clone())?;
    }
    Ok(())
}

/// Memory for floods.
fn flood(
    map: &Map<'_>,
    start: Place,
    running: bool,
    points: u8,
    blocked: &[Hex],
    use_reach: impl FnOnce(&Reach<'_>) -> Result<()>,
) -> Result<()> {
    let (mut cost, mut trace, mut pool) = (vec![0; map.len() * 6], vec![0; map.len() * 6], vec![0; 1024]);
    let mut reach = Reach { cost: &mut cost, trace: &mut trace };
    let gait = Gait { running, points, minimum_move: false };
    let mut flood = Flood::new();
    flood.begin(map, Start { place: start, rise: 0 }, &mut reach, &mut pool);
    while !flood.run(map, &Profile::UGR, gait, &mut reach, &mut pool, |hex| blocked.contains(&hex), 100) {}
    same("entries without room", flood.lost, 0)?;
    use_reach(&reach)
}

fn check_move(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    let (from, to) = (place(&row["from"])?, place(&row["to"])?);
    let running = row["mode"] == "run";
    let blocked = row["blocked"].as_array().context("blocked")?.iter().map(hex).collect::<Result<Vec<_>>>()?;
    flood(&map, from, running, 30, &blocked, |reach| {
        let cost = reach.cost[to.index(&map)];
        same("cost", if cost == FAR { Value::Null } else { Value::from(cost) }, row["cost"].clone())?;
        if cost == FAR {
            return Ok(());
        }
        // Walk the way that was found and count what it costs: it must end there at that price.
        let mut ways = Vec::new();
        reach.walk_back(&map, Start { place: from, rise: 0 }, to, |way, _| {
            ways.push(way);
            true
        });
        let recorded = row["path"].as_array().context("path")?.iter().map(|word| match word.as_str() {
            Some("Adelante") => Ok(Way::Forward),
            Some("Atras") => Ok(Way::Backward),
            Some("Izquierda") => Ok(Way::Left),
            Some("Derecha") => Ok(Way::Right),
            other => bail!("unknown step {other:?}"),
        });
        let recorded = recorded.collect::<Result<Vec<_>>>()?;
        ways.reverse();
        for (name, ways) in [("our path", ways), ("the recorded path", recorded)] {
            let (mut at, mut sum) = (from, 0);
            for way in ways {
                let (next, price) = at.after(&map, &Profile::UGR, way, running).context("a forbidden step")?;
                (at, sum) = (next, sum + price);
            }
            same(name, (at, sum), (to, cost))?;
        }
        Ok(())
    })
}

fn check_reach(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    flood(&map, place(&row["from"])?, row["mode"] == "run", small(&row["pm"])?, &[], |reach| {
        let reached: Vec<_> = (0..map.len() * 6).filter(|&index| reach.cost[index] != FAR).collect();
        let sum: i64 = reached.iter().map(|&index| i64::from(reach.cost[index])).sum();
        let mut hexes: Vec<_> = reached.iter().map(|&index| Place::from_index(&map, index).hex).collect();
        hexes.sort_unstable();
        hexes.dedup();
        same("states", reached.len() as i64, number(&row["n_states"])?)?;
        same("hexes", hexes.len() as i64, number(&row["n_hexes"])?)?;
        same("sum of costs", sum, number(&row["sum_cost"])?)?;
        if row["hexes"].is_array() { same("hexes", ids(&hexes), row["hexes"].clone()) } else { Ok(()) }
    })
}

fn check_jump(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    let (from, to) = (hex(&row["from"])?, hex(&row["to"])?);
    let over = line(&map, &Profile::UGR, Eye::on_ground(&map, from), Eye::on_ground(&map, to));
    same("line", ids(&over), row["over"].clone())?;
    same("legal", jump_clears(&map, &Profile::UGR, from, to, small(&row["pm"])?), boolean(&row["legal"])?)?;
    same("heat", i64::from(jump_heat(from.distance(to))), number(&row["heat"])?)
}

fn check_sight(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    let ugr = &Profile::UGR;
    let a = Eye::new(&map, hex(&row["a"])?, boolean(&row["a_prone"])?);
    let b = Eye::new(&map, hex(&row["b"])?, boolean(&row["b_prone"])?);
    same("eye of a", i64::from(a.level), number(&row["eye_a"])?)?;
    same("eye of b", i64::from(b.level), number(&row["eye_b"])?)?;
    let forth = line(&map, ugr, a, b);
    same("line", ids(&forth), row["hexes"].clone())?;
    let there = sight(&map, ugr, a, b, &forth);
    let back = sight(&map, ugr, b, a, &line(&map, ugr, b, a));
    for (name, ours) in
        [("los", there.clear), ("cover_a", there.cover), ("los_ba", back.clear), ("cover_b", back.cover)]
    {
        same(name, ours, boolean(&row[name])?)?;
    }
    let terrain = terrain_modifier(&map, ugr, a.hex, b.hex);
    same("terrain modifier", i64::from(terrain), number(&row["terrain_mod_ab"])?)
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Front => "frontal",
        Side::Right => "derecho",
        Side::Rear => "posterior",
        Side::Left => "izquierdo",
        Side::Lost => "error",
    }
}

fn side(value: &Value) -> Result<Side> {
    [Side::Front, Side::Right, Side::Rear, Side::Left, Side::Lost]
        .into_iter()
        .find(|&side| value == side_name(side))
        .with_context(|| format!("unknown side {value}"))
}

fn check_arc(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    let (a, b) = (hex(&row["a"])?, hex(&row["b"])?);
    let ours = arc(a, facing(&row["facing_a"])?, b);
    let name = match ours {
        Arc::Front => "frontal",
        Arc::Right => "derecho",
        Arc::Rear => "posterior",
        Arc::Left => "izquierdo",
    };
    same("arc", Value::from(name), row["arc"].clone())?;
    let met = hit_side(&map, &Profile::UGR, a, b, facing(&row["facing_b"])?);
    same("hit side", Value::from(side_name(met)), row["hit_side_of_b"].clone())?;
    same("left arm", matches!(ours, Arc::Front | Arc::Left), boolean(&row["left_arm"])?)?;
    same("right arm", matches!(ours, Arc::Front | Arc::Right), boolean(&row["right_arm"])?)?;
    let twist = [("Igual", 0), ("Izquierda", 5), ("Derecha", 1)]
        .into_iter()
        .find(|(_, turn)| facing(&row["facing_a"]).is_ok_and(|facing| arc(a, facing.turned(*turn), b) == Arc::Front));
    same("twist", twist.map_or(Value::Null, |(name, _)| Value::from(name)), row["torso_twist_best"].clone())
}

fn mode(value: &Value) -> Result<Mode> {
    Ok(match value.as_str() {
        Some("Inmovil") => Mode::Still,
        Some("Andar") => Mode::Walk,
        Some("Correr") => Mode::Run,
        Some("Saltar") => Mode::Jump,
        _ => bail!("unknown movement {value}"),
    })
}

/// A probability as a fraction in lowest terms, as the recordings write it.
fn fraction(ways: u64, of: u64) -> String {
    fn divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let by = divisor(ways, of).max(1);
    if of / by == 1 { (ways / by).to_string() } else { format!("{}/{}", ways / by, of / by) }
}

fn check_to_hit(row: &Value, maps: &mut Maps) -> Result<()> {
    let map = maps.get(row["map"].as_str().context("map")?)?;
    let (a, t) = (&row["attacker"], &row["target"]);
    let (from, to) = (hex(&a["hex"])?, hex(&t["hex"])?);
    let armless = !boolean(&a["left_arm"])? || !boolean(&a["right_arm"])?;
    let shooter = Shooter { mode: mode(&a["mov"])?, prone: boolean(&a["prone"])?, armless, heat: small(&a["heat"])? };
    let target = Target {
        mode: mode(&t["mov"])?,
        moved: small(&t["hexes_moved"])?,
        prone: boolean(&t["prone"])?,
        stuck: boolean(&t["stuck"])?,
        helpless: boolean(&t["shutdown"])? || !boolean(&t["conscious"])?,
        cover: boolean(&t["cover"])?,
    };
    let distance = from.distance(to);
    let ranges: Vec<u8> = row["ranges"].as_array().context("ranges")?.iter().map(small).collect::<Result<_>>()?;
    let range = match distance {
        d if d <= ranges[1] => 0,
        d if d <= ranges[2] => 2,
        d if d <= ranges[3] => 4,
        _ => 0, // the sum is recorded without a range
    };
    let ammunition = row["ammo_mod"].as_i64().unwrap_or(0);
    let secondary = if boolean(&row["primary"])? { 0 } else { secondary_modifier(from, facing(&a["torso"])?, to) };
    let parts = [
        shooter.modifier(),
        target.modifier(distance),
        secondary,
        range,
        minimum_modifier(ranges[0], distance),
        terrain_modifier(&map, &Profile::UGR, from, to),
    ];
    let need = parts.into_iter().map(i64::from).sum::<i64>() + ammunition + number(&a["loc_mod"])?;
    same("distance", i64::from(distance), number(&row["dist"])?)?;
    same("in range", distance <= ranges[3], boolean(&row["in_range"])?)?;
    same("need", need, number(&row["need"])?)?;
    for (profile, name) in [(Profile::UGR, "p_2d5"), (Profile::BOOK, "p_2d6")] {
        let odds = fraction(u64::from(profile.ways_at_least(need as i32)), u64::from(profile.outcomes()));
        same(name, Value::from(odds), row[name].clone())?;
    }
    Ok(())
}

fn check_cluster(row: &Value) -> Result<()> {
    let (missiles, each) = (small(&row["missiles"])?, small(&row["dmg"])?);
    let name = row["weapon"].as_str().context("weapon")?;
    let hits = cluster_hits(missiles, small(&row["cluster_roll"])?);
    same("hits", i64::from(hits), number(&row["hits"])?)?;
    let group = if name.starts_with("AMCA") { 1 } else { 5 };
    let mut left = hits;
    let mut total = 0;
    for theirs in row["groups"].as_array().context("groups")? {
        let in_group = left.min(group);
        left -= in_group;
        let points = in_group * each;
        total += i64::from(points);
        same("points of a group", i64::from(points), number(&theirs[0])?)?;
        let (side, roll) = (side(&row["side"])?, small(&theirs[1])?);
        let location =
            if boolean(&row["target_cover"])? { punch_location(side, roll) } else { shot_location(side, roll) };
        same("location", Value::from(location.code()), theirs[2].clone())?;
    }
    same("missiles without a group", left, 0)?;
    same("total", total, number(&row["total"])?)
}

fn check_damage(row: &Value) -> Result<()> {
    let mut mech = Mech { operational: true, prone: true, xl: boolean(&row["xl"])?, ..Mech::new() };
    let case = &row["case"];
    mech.case = ["TI", "TD", "TC"]
        .into_iter()
        .enumerate()
        .try_fold(0, |bits, (bit, name)| boolean(&case[name]).map(|set| bits | u8::from(set) << bit))?;
    for (points, value) in mech.armour.iter_mut().zip(row["armor_in"].as_array().context("armour")?) {
        *points = small(value)?;
    }
    for (points, value) in mech.structure.iter_mut().zip(row["struct_in"].as_array().context("structure")?) {
        *points = small(value)?;
    }
    let mut alive = true;
    for hit in row["hits"].as_array().context("hits")? {
        let location = hit[1].as_str().and_then(Location::from_code).context("location")?;
        let points = u16::try_from(number(&hit[2])?)?;
        alive &= damage::apply(&Profile::UGR, &mut mech, side(&hit[0])?, location, points, boolean(&hit[3])?);
    }
    same("armour", Value::from(mech.armour.to_vec()), row["armor_out"].clone())?;
    same("structure", Value::from(mech.structure.to_vec()), row["struct_out"].clone())?;
    same("operational", alive, boolean(&row["operational"])?)
}

fn check_heat(row: &Value) -> Result<()> {
    let depth = match row["water"].as_str() {
        Some("depth1") => 1,
        Some("depth2") => 2,
        _ => 0,
    };
    let engine = [0, 5, 10][usize::from(small(&row["engine_hits"])?.min(2))];
    let made = small(&row["move_heat"])? + small(&row["weapon_heat"])? + engine;
    let cooling = heat::cooling(small(&row["sinks_on"])?, boolean(&row["double"])?, small(&row["leg_sinks"])?, depth);
    let after = heat::after(small(&row["heat_in"])?, made, cooling);
    same("heat", i64::from(after), number(&row["heat_out"])?)?;
    let optional = |need: Option<u8>| need.map_or(Value::Null, Value::from);
    same("shutdown", optional(heat::shutdown_need(after)), row["shutdown_avoid"].clone())?;
    same("ammunition", optional(heat::explosion_need(&Profile::UGR, after)), row["ammo_avoid"].clone())?;
    same("walk", i64::from(heat::walk_penalty(after)), number(&row["walk_penalty"])?)?;
    same("to-hit", i64::from(heat::attack_modifier(after)), number(&row["tohit_mod"])?)
}

fn check_selection(row: &Value) -> Result<()> {
    let profile = if row["dice"] == 5 { Profile::UGR } else { Profile::BOOK };
    let cap = small(&row["heat_cap"])?;
    let unit = u64::from(profile.outcomes() * profile.outcomes());
    let mut selection = Selection::new();
    let mut offers = Vec::new();
    let mut worths = Vec::new();
    for (index, weapon) in row["weapons"].as_array().context("weapons")?.iter().enumerate() {
        let kind = Kind {
            code: 0,
            name: "",
            family: if boolean(&weapon["missile"])? { Family::Long } else { Family::Energy },
            heat: small(&weapon["heat"])?,
            damage: small(&weapon["damage"])?,
            shots: small(&weapon["shots"])?,
            ranges: [0; 4],
            slots: 1,
            half_tons: 0,
            special: Special::None,
        };
        let need = number(&weapon["need"])? as i8;
        let worth = profile.ways_at_least(i32::from(need)) * kind.hit_average(&profile);
        same("expected damage", Value::from(fraction(u64::from(worth), unit)), row["ev"][index].clone())?;
        selection.offer(index, Offer { heat: kind.heat, worth });
        offers.push((need, kind.heat));
        worths.push(worth);
    }
    let easiest = easiest_first(&offers, i16::from(cap));
    same("document's selection", Value::from(easiest.to_vec()), row["seed_selection"].clone())?;
    let sum: u32 = easiest.iter().map(|&at| worths[usize::from(at)]).sum();
    same("its worth", Value::from(fraction(u64::from(sum), unit)), row["seed_ev"].clone())?;
    same("best worth", Value::from(fraction(u64::from(selection.worth(cap)), unit)), row["opt_ev"].clone())?;
    let chosen = (0..worths.len()).filter(|at| selection.chosen(cap) >> at & 1 != 0);
    same("worth of the chosen", chosen.map(|at| worths[at]).sum::<u32>(), selection.worth(cap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recording_is_met() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
        let folder = shared.join("golden/battletech");
        if !folder.exists() {
            println!("skipped: the recordings of BattleTech (data would be in ../shared/golden/battletech)");
            return;
        }
        for outcome in check(&folder, &[shared.join("maps/battletech")]).unwrap() {
            println!("{}: {} rows, {} mismatches", outcome.kind, outcome.rows, outcome.mismatches);
            assert_eq!(outcome.mismatches, 0, "{}: {:#?}", outcome.kind, outcome.examples);
            assert!(outcome.rows >= 2_000);
        }
    }
}
