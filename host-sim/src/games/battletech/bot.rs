//! A player for the original simulator: its files in, `accionJ<n>.sbt` out.
//!
//! The simulator starts the program once a decision and throws the whole action away if anything in it is illegal. So
//! whatever goes wrong (a malformed file, a silent board, an action that our own referee would refuse) ends in a written
//! action that does nothing, and a complaint on standard error.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rival_core::games::GameId;
use rival_core::games::battletech::action::{Aim, Step};
use rival_core::games::battletech::equipment::{load_by_code, weapon_by_code};
use rival_core::games::battletech::evaluation::moving_heat;
use rival_core::games::battletech::mech::{Bin, HOTTEST, Limb, Mode, Weapon};
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::reach::Place;
use rival_core::games::battletech::state::MAX_MECHS;
use rival_core::games::battletech::{Action, Hex, Location, Mech, Phase, Profile};
use rival_core::wire::Limits;

use super::agent::state_bytes;
use super::files::action::{ActionFile, AimLine, BlowLine, PHASE_WORDS, ShotLine, StepLine};
use super::files::definition::DefinitionFile;
use super::files::map::MapFile;
use super::files::mechs::{MechLines, MechsFile};
use super::files::small::{ConfigFile, InitiativeFile, MovementsFile};
use super::files::{Reader, Style};
use super::referee::{Dice, Game, check};
use crate::client::Client;

/// Kept back from the simulator's limit: starting the program and its files take their time.
const MARGIN_US: u32 = 300_000;

/// Everything that the simulator wrote.
struct Table {
    game: Game,
    me: usize,
    definitions: Vec<DefinitionFile>,
    config: ConfigFile,
    memory: Memory,
}

/// Answers one call of the simulator: `<player> <phase> [directory]`.
pub fn run(open: &dyn Fn() -> Result<Client>, limits: Limits, arguments: &[String]) -> Result<()> {
    let usage = "the simulator starts a player with its number and a phase, such as: rival bot battletech 0 Movimiento";
    let [player, phase, rest @ ..] = arguments else { bail!("{usage}") };
    let player: u8 = player.parse().context(usage)?;
    let phase = PHASE_WORDS
        .iter()
        .position(|word| word == phase)
        .with_context(|| format!("\"{phase}\" is no phase; the phases are {}", PHASE_WORDS.join(", ")))?;
    let folder = rest.first().map_or_else(|| PathBuf::from("."), |text| PathBuf::from(text.trim_start_matches("dir=")));
    let action = decide(open, limits, &folder, player, phase).unwrap_or_else(|error| {
        eprintln!("rival does nothing in this phase: {error:#}");
        ActionFile::nothing(phase)
    });
    let path = folder.join(format!("accionJ{player}.sbt"));
    std::fs::write(&path, action.write(Style::default())).with_context(|| format!("cannot write {}", path.display()))
}

fn decide(
    open: &dyn Fn() -> Result<Client>,
    mut limits: Limits,
    folder: &Path,
    player: u8,
    phase: usize,
) -> Result<ActionFile> {
    let table = read(folder, player, phase)?;
    if table.config.switches[10] && limits.time_us > 0 {
        let limit = table.config.seconds.saturating_mul(1_000_000).saturating_sub(MARGIN_US).max(100_000);
        limits.time_us = limits.time_us.min(limit);
    }
    let mut client = open()?;
    client.load(GameId::Battletech, &table.game.load_bytes())?;
    let state = state_bytes(&table.game, table.me, Phase::ALL[phase])?;
    let answer = client.decide(GameId::Battletech, &state, limits)?;
    let action = Action::decode(&answer.action).map_err(|error| anyhow::anyhow!("the agent's action: {error}"))?;
    if let Err(reason) = check(&table.game, table.me, Phase::ALL[phase], &action) {
        bail!("the agent's action would be refused: {reason}");
    }
    let mut memory = Memory {
        left: table.game.mechs.iter().map(|mech| u32::from(mech.points_left())).sum(),
        ..table.memory.clone()
    };
    match &action {
        Action::Go { masc: true, .. } => memory.masc = memory.masc.saturating_add(1),
        _ if phase == 0 && memory.moving == 0 => memory.masc = 0,
        _ => {}
    }
    memory.moving = u8::from(phase == 0);
    if phase == 4 {
        memory.turn = memory.turn.saturating_add(1);
        memory.places = table.game.mechs.iter().map(|mech| mech.hex).collect();
    }
    // Without it the next call only knows less.
    let _ = std::fs::write(Memory::file(folder, player), memory.text());
    Ok(translate(&table, &action))
}

/// What the simulator's files do not tell, kept from call to call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Memory {
    /// The turn, as far as this player was asked in every one.
    turn: u8,
    /// Turns in a row in which MASC was pushed.
    masc: u8,
    /// 1 if the last call asked for a move: the next one that does so goes on with it.
    moving: u8,
    /// Armour and structure of everybody: they only fall, so that more of them is another game.
    left: u32,
    /// Where everybody was at the end of the last turn.
    places: Vec<Hex>,
}

impl Memory {
    const fn new() -> Self {
        Self { turn: 1, masc: 0, moving: 0, left: u32::MAX, places: Vec::new() }
    }

    fn file(folder: &Path, player: u8) -> PathBuf {
        folder.join(format!("rivalJ{player}.txt"))
    }

    fn text(&self) -> String {
        let places: Vec<String> = self.places.iter().map(ToString::to_string).collect();
        let Self { turn, masc, moving, left, .. } = self;
        format!("turn {turn}\nmasc {masc}\nmoving {moving}\nleft {left}\n{}\n", places.join("\n"))
    }

    /// What is remembered of a game in which so much is left of everybody.
    fn recall(folder: &Path, player: u8, left: u32) -> Self {
        let text = std::fs::read_to_string(Self::file(folder, player)).unwrap_or_default();
        let mut memory = Self::new();
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("turn", number)) => memory.turn = number.parse().unwrap_or(memory.turn),
                Some(("masc", number)) => memory.masc = number.parse().unwrap_or(memory.masc),
                Some(("moving", number)) => memory.moving = number.parse().unwrap_or(memory.moving),
                Some(("left", number)) => memory.left = number.parse().unwrap_or(memory.left),
                _ => memory.places.extend(line.trim().parse().ok().and_then(Hex::from_id)),
            }
        }
        if left <= memory.left { memory } else { Self::new() }
    }
}

fn read(folder: &Path, player: u8, phase: usize) -> Result<Table> {
    let file = |name: &str| Reader::open(&folder.join(format!("{name}J{player}.sbt")));
    let map = MapFile::read(file("mapa")?)?;
    let config = ConfigFile::read(file("config")?)?;
    let lines = MechsFile::read(file("mechs")?, Some(player))?;
    let order = InitiativeFile::read(file("iniciativa")?)?.order;
    let modes = MovementsFile::read(Reader::open(&folder.join("mov.sbt"))?)?.modes;
    let me = lines
        .mechs
        .iter()
        .position(|mech| mech.own.is_some())
        .context("mechs file: the player's own mech is missing")?;
    if lines.mechs.len() > MAX_MECHS {
        bail!("{} mechs are more than the agent has room for ({MAX_MECHS})", lines.mechs.len());
    }
    let mechs = lines.mechs.len();
    let initiative = folder.join(format!("iniciativaJ{player}.sbt"));
    for (path, line, count) in [(&initiative, 1, order.len()), (&folder.join("mov.sbt"), 2, modes.len())] {
        if count != mechs {
            bail!("{}, line {line}: {count} players, but there are {mechs} mechs", path.display());
        }
    }
    if let Some(at) = (0..mechs).find(|&at| usize::from(order[at]) >= mechs || order[..at].contains(&order[at])) {
        let path = initiative.display();
        bail!("{path}, line {}: expected each player from 0 to {} once, found {}", at + 2, mechs - 1, order[at]);
    }
    let of = |points: &[u8]| points.iter().map(|&points| u32::from(points)).sum::<u32>();
    let left = lines.mechs.iter().map(|mech| of(&mech.armour) + of(&mech.structure)).sum();
    let memory = Memory::recall(folder, player, left);
    let turn_of = |at: usize| order.iter().position(|&who| usize::from(who) == at);
    let mut definitions = Vec::new();
    let mut mechs = Vec::new();
    for (at, state) in lines.mechs.iter().enumerate() {
        let path = folder.join(format!("defmechJ{player}-{at}.sbt"));
        let definition = DefinitionFile::read(Reader::open(&path)?)?;
        let mut mech = mech_of(&definition, state);
        mech.has_moved = phase > 0 || turn_of(at) < turn_of(me);
        mech.mode = modes.get(at).copied().unwrap_or_default();
        if !mech.has_moved {
            mech.mode = Mode::Still;
        }
        mech.moved = match (mech.mode, memory.places.get(at)) {
            (Mode::Still, _) => 0,
            (_, Some(from)) => from.distance(mech.hex),
            (Mode::Run, None) => 4,
            _ => 2,
        };
        if at == me {
            mech.masc_turns = memory.masc;
            mech.heating = moving_heat(mech.mode, mech.moved);
            let word = modes.get(at).copied().unwrap_or_default();
            if phase == 0 && memory.moving == 1 && mech.prone && matches!(word, Mode::Walk | Mode::Run) {
                go_on(&mut mech, word, state.own.as_ref().map_or([0; 3], |own| own.points));
            }
        }
        mechs.push(mech);
        definitions.push(definition);
    }
    let tiles = map.tiles();
    let mut game = Game::from_parts(&Profile::UGR, map, tiles, mechs, Dice::new(1, 5));
    game.turn = memory.turn;
    for at in 0..game.mechs.len() {
        if at != me {
            game.mechs[at].cover = game.cover_of(at, me);
        }
    }
    game.wind = config.wind_side(game.profile);
    Ok(Table { game, me, definitions, config, memory })
}

/// A move that a fall has interrupted: the mech lies there, has walked or run, and was asked just before. The
/// rest must be done in the same way. What is left of the points stands in the file; if it shows no fewer than there
/// were, nobody knows, and the mech had better stay.
fn go_on(mech: &mut Mech, mode: Mode, left: [u8; 3]) {
    let (points, left) = if mode == Mode::Run { (mech.run_points(), left[1]) } else { (mech.walk_points(), left[0]) };
    mech.mode = mode;
    mech.spent = if left < points { points - left } else { points.max(1) };
}

/// A mech from its two files.
fn mech_of(definition: &DefinitionFile, lines: &MechLines) -> Mech {
    let named = |location: Location, name: &str| {
        let slots = definition.slots.get(location.index()).map_or(&[][..], Vec::as_slice);
        slots.iter().filter(|slot| slot.name.starts_with(name)).count() as u8
    };
    let both_legs = |name: &str| named(Location::LeftLeg, name) + named(Location::RightLeg, name);
    let [right, left, centre] = definition.case;
    let mut mech = Mech {
        tons: definition.tons,
        walk: definition.points[0],
        jump: definition.points[2],
        leg_jets: both_legs("Retro").min(definition.points[2]),
        double_sinks: definition.sink_type == 1,
        masc: definition.masc,
        tsm: definition
            .slots
            .iter()
            .flatten()
            .any(|slot| slot.name.starts_with("Muscul") || slot.name.starts_with("Múscul")),
        ecm: definition.components.iter().any(|component| component.operational && component.name.contains("ECM")),
        xl: named(Location::LeftTorso, "Motores") > 0,
        case: u8::from(left) | u8::from(right) << 1 | u8::from(centre) << 2,
        hex: lines.hex,
        facing: lines.facing,
        torso: lines.torso,
        operational: lines.operational,
        shut_down: lines.shut_down,
        stuck: lines.stuck,
        prone: lines.prone,
        club: if lines.club { 1 + lines.club_type } else { 0 },
        burning: lines.burning,
        heat: lines.heat.clamp(0, i32::from(HOTTEST)) as u8,
        sinks_on: definition.sinks,
        leg_sinks: both_legs("Radiador"),
        armour: lines.armour,
        structure: lines.structure,
        ..Mech::new()
    };
    if let Some(own) = &lines.own {
        [mech.sinks_on, mech.sinks_off] = own.sinks;
        mech.wounds = own.wounds;
        mech.conscious = own.conscious;
        mech.fired = own.fired.iter().enumerate().map(|(at, &fired)| u8::from(fired) << at).sum();
    }
    for actuator in &definition.actuators {
        let hits = actuator.hits.clamp(0, 3) as u8;
        if hits == 0 && actuator.operational {
            continue;
        }
        let bit = match actuator.name.as_str() {
            "Hombro" | "Cadera" => Limb::JOINT,
            "Brazo" | "Muslo" => Limb::UPPER,
            "Antebrazo" | "Pierna" => Limb::LOWER,
            "Mano" | "Pie" => Limb::END,
            "Motores" => {
                mech.engine_hits = mech.engine_hits.max(hits);
                continue;
            }
            "Giroscopio" => {
                mech.gyro_hits = mech.gyro_hits.max(hits);
                continue;
            }
            "Sensores" => {
                mech.sensor_hits = mech.sensor_hits.max(hits);
                continue;
            }
            _ => continue,
        };
        match usize::try_from(actuator.location).ok().and_then(Location::from_index) {
            Some(Location::LeftArm) => mech.arms[0].0 |= bit,
            Some(Location::RightArm) => mech.arms[1].0 |= bit,
            Some(Location::LeftLeg) => mech.legs[0].0 |= bit,
            Some(Location::RightLeg) => mech.legs[1].0 |= bit,
            _ => {}
        }
    }
    for (side, present) in definition.actuators_present.chunks(4).enumerate().take(2) {
        mech.lacking[side].0 = present.iter().enumerate().map(|(bit, &there)| u8::from(!there) << bit).sum();
    }
    for (side, location) in [Location::LeftArm, Location::RightArm].into_iter().enumerate() {
        mech.blades[side] = blade(definition, location).map_or(0, |(_, kind)| kind);
    }
    let armed = lines.own.as_ref().map_or(&[][..], |own| own.armed.as_slice());
    for (_, component, location) in components(definition) {
        if component.class == "ARMA" {
            if let Some(kind) = u16::try_from(component.code).ok().and_then(weapon_by_code) {
                let works = component.operational;
                let _ = mech.weapons.push(Weapon { kind, location, rear: component.rear, works });
            }
        } else if let Some(load) = u16::try_from(component.code).ok().and_then(load_by_code) {
            let rounds = component.quantity.clamp(0, 255) as u8;
            let slot = |slot: u8| definition.slots[location.index()].get(usize::from(slot)).map(|slot| slot.component);
            let index =
                definition.components.iter().position(|other| core::ptr::eq(other, component)).map(|at| at as i32);
            let armed = armed.iter().any(|&(at, number)| at == location && slot(number) == index);
            let _ = mech.bins.push(Bin { load, location, rounds, works: component.operational, armed });
        }
    }
    mech
}

/// The slot of a hatchet (1) or a sword (2) in an arm, if there is one that works.
fn blade(definition: &DefinitionFile, arm: Location) -> Option<(u16, u8)> {
    let slots = definition.slots.get(arm.index())?;
    let at = slots.iter().position(|slot| slot.class == "ARMAFISICA")?;
    let component = usize::try_from(slots[at].component).ok().and_then(|index| definition.components.get(index));
    let works = component.is_none_or(|component| component.operational);
    works.then_some((at as u16, if slots[at].name.starts_with("Espada") { 2 } else { 1 }))
}

/// Weapons and ammunition that the agent is told about, with their places in the file; the two lists keep this order.
fn components(
    definition: &DefinitionFile,
) -> impl Iterator<Item = (usize, &super::files::definition::Component, Location)> {
    definition.components.iter().enumerate().filter_map(|(index, component)| {
        let location = usize::try_from(component.location[0]).ok().and_then(Location::from_index)?.body();
        let code = u16::try_from(component.code).ok();
        let known = match component.class.as_str() {
            "ARMA" => code.and_then(weapon_by_code).is_some(),
            "MUNICION" => code.and_then(load_by_code).is_some(),
            _ => false,
        };
        known.then_some((index, component, location))
    })
}

/// Location and slot of the weapon or bin of that number.
fn slot_of(definition: &DefinitionFile, class: &str, number: u8) -> Option<(Location, u8)> {
    let (index, _, location) =
        components(definition).filter(|(_, component, _)| component.class == class).nth(usize::from(number))?;
    let slots = &definition.slots[location.index()];
    slots.iter().position(|slot| slot.component == index as i32).map(|slot| (location, slot as u8))
}

/// An action in the simulator's words.
fn translate(table: &Table, action: &Action) -> ActionFile {
    let definition = &table.definitions[table.me];
    match action {
        Action::Still => ActionFile::Still,
        Action::Jump { to, facing } => ActionFile::Jump { to: *to, facing: *facing },
        Action::Go { run, masc, steps } => {
            let end = end_of(&table.game, table.me, *run, steps);
            ActionFile::Go { run: *run, to: end.hex, facing: end.facing, masc: *masc, steps: merge(steps) }
        }
        Action::Twist(sides) => ActionFile::Twist(*sides),
        Action::PickUp => ActionFile::PickUp,
        Action::Fire { primary, shots } => {
            let hex_of = |at: u8| table.game.mechs.get(usize::from(at)).map(|mech| mech.hex);
            let shots = shots.iter().filter_map(|shot| {
                let (target, aim) = match shot.aim {
                    Aim::Mech(at) => (hex_of(at)?, AimLine::Mech),
                    Aim::Hex(hex) => (hex, AimLine::Hex),
                };
                let bin = match shot.bin {
                    Some(bin) => Some(slot_of(definition, "MUNICION", bin)?),
                    None => None,
                };
                let weapon = slot_of(definition, "ARMA", shot.weapon)?;
                Some(ShotLine { weapon, double: shot.double, bin, target: Some(target), aim })
            });
            ActionFile::Fire { primary: primary.and_then(hex_of), shots: shots.collect() }
        }
        Action::Strike(blows) => {
            let line = |&(blow, target): &(Blow, u8)| {
                let target = table.game.mechs.get(usize::from(target))?.hex;
                let (limb, slot) = match blow {
                    Blow::LeftPunch => ("BI", 1000),
                    Blow::RightPunch => ("BD", 1000),
                    Blow::LeftKick => ("PI", 2000),
                    Blow::RightKick => ("PD", 2000),
                    Blow::Club => ("BIBD", 3000),
                    Blow::LeftBlade => ("BI", blade(definition, Location::LeftArm)?.0),
                    Blow::RightBlade => ("BD", blade(definition, Location::RightArm)?.0),
                };
                Some(BlowLine { limb: limb.to_owned(), slot, target, aim: AimLine::Mech })
            };
            ActionFile::Strike(blows.iter().filter_map(line).collect())
        }
        Action::End { off, on, drop_club, eject } => {
            let eject = eject.iter().filter_map(|&bin| slot_of(definition, "MUNICION", bin)).collect();
            ActionFile::End { off: *off, on: *on, drop_club: *drop_club, eject }
        }
    }
}

/// Where steps end.
fn end_of(game: &Game, who: usize, run: bool, steps: &[Step]) -> Place {
    let map = game.view();
    steps.iter().fold(game.mechs[who].place(), |place, step| {
        if let Step::Stand(facing) = step {
            return Place { facing: *facing, ..place };
        }
        step.way().and_then(|way| place.after(&map, game.profile, way, run)).map_or(place, |(next, _)| next)
    })
}

/// Equal steps in a row as one line with a count.
fn merge(steps: &[Step]) -> Vec<StepLine> {
    let mut lines: Vec<StepLine> = Vec::new();
    for step in steps {
        let new = match step {
            Step::Forward => StepLine::Forward(1),
            Step::Backward => StepLine::Backward(1),
            Step::Left => StepLine::Left(1),
            Step::Right => StepLine::Right(1),
            Step::Stand(facing) => StepLine::Stand(*facing),
            Step::Drop => StepLine::Drop,
        };
        match (lines.last_mut(), new) {
            (Some(StepLine::Forward(count)), StepLine::Forward(_))
            | (Some(StepLine::Backward(count)), StepLine::Backward(_))
            | (Some(StepLine::Left(count)), StepLine::Left(_))
            | (Some(StepLine::Right(count)), StepLine::Right(_)) => *count += 1,
            _ => lines.push(new),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkSpec;

    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::write(to.join(path.file_name().unwrap()), std::fs::read(&path).unwrap()).unwrap();
            }
        }
    }

    fn answer(folder: &Path, player: u8, phase: usize) -> ActionFile {
        let open = || Ok(Client::open(&LinkSpec::InProcess)?);
        let limits = Limits { nodes: 100_000, ..Limits::default() };
        let arguments = [player.to_string(), PHASE_WORDS[phase].to_owned(), folder.display().to_string()];
        run(&open, limits, &arguments).unwrap();
        let written = Reader::open(&folder.join(format!("accionJ{player}.sbt"))).unwrap();
        ActionFile::read(written, phase).unwrap().0
    }

    #[test]
    fn every_phase_of_the_samples_is_answered_legally() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/battletech/samples");
        if !samples.exists() {
            println!("skipped: the simulator's samples (data would be in ../shared/golden/battletech/samples)");
            return;
        }
        let sets = [
            ("Robotito", 1),
            ("generated/t_inpc_1", 1),
            ("generated/t_mb_0", 0),
            ("generated/t_sun_1", 1),
            ("unsegnor_BT", 0),
            ("unsegnor_BT/pruebas", 1),
        ];
        let scratch = std::env::temp_dir().join(format!("rival-bot-{}", std::process::id()));
        let mut active = 0;
        for (name, player) in sets {
            let folder = scratch.join(name.replace('/', "_"));
            copy(&samples.join(name), &folder);
            for phase in 0..5 {
                // The table is read without complaint, so that doing nothing is a choice.
                read(&folder, player, phase).unwrap_or_else(|error| panic!("{name}: {error:#}"));
                active += usize::from(answer(&folder, player, phase) != ActionFile::nothing(phase));
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
        assert!(active >= 6, "only {active} of 30 answers do something");
    }

    #[test]
    fn every_file_of_a_set_is_named_when_it_is_malformed() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/battletech/samples/Robotito");
        if !sample.exists() {
            println!("skipped: the simulator's samples (data would be in ../shared/golden/battletech/samples)");
            return;
        }
        let folder = std::env::temp_dir().join(format!("rival-bot-files-{}", std::process::id()));
        copy(&sample, &folder);
        let expected = answer(&folder, 1, 0);
        assert_ne!(expected, ActionFile::nothing(0));
        let complaint = || format!("{:#}", decide(&|| bail!("no link"), Limits::default(), &folder, 1, 0).unwrap_err());
        assert_eq!(complaint(), "no link", "all is well until the agent is asked");
        let names = ["mapaJ1", "configJ1", "mechsJ1", "iniciativaJ1", "mov", "defmechJ1-0", "defmechJ1-1"];
        for name in names.map(|name| format!("{name}.sbt")) {
            let path = folder.join(&name);
            let whole = std::fs::read(&path).unwrap();
            let lines = whole.split_inclusive(|&byte| byte == b'\n').count();
            std::fs::remove_file(&path).unwrap();
            assert!(complaint().contains(&name), "{}", complaint());
            assert_eq!(answer(&folder, 1, 0), ActionFile::nothing(0), "{name} is missing");
            // The second half is missing; something else stands in its first line; there is more after its end.
            let half: Vec<u8> =
                whole.split_inclusive(|&byte| byte == b'\n').take(lines / 2).flatten().copied().collect();
            let other: Vec<u8> =
                b"?\r\n".iter().chain(whole.iter().skip_while(|&&byte| byte != b'\n').skip(1)).copied().collect();
            let longer = [whole.trim_ascii_end(), b"\r\nmore\r\n"].concat();
            for (bytes, line) in [(half, lines / 2), (other, 1), (longer, lines + 1)] {
                std::fs::write(&path, bytes).unwrap();
                let told = complaint();
                assert!(told.contains(&name) && told.contains(&format!("line {line}")), "{told}");
                assert_eq!(answer(&folder, 1, 0), ActionFile::nothing(0), "{told}");
            }
            // Line feeds alone are as good.
            std::fs::write(&path, whole.iter().copied().filter(|&byte| byte != b'\r').collect::<Vec<_>>()).unwrap();
            assert_eq!(answer(&folder, 1, 0), expected, "{name} with line feeds");
            std::fs::write(&path, whole).unwrap();
        }
        for (name, text, line) in [
            ("iniciativaJ1.sbt", "2\r\n7\r\n0\r\n", 2),
            ("iniciativaJ1.sbt", "2\r\n1\r\n1\r\n", 3),
            ("iniciativaJ1.sbt", "3\r\n1\r\n0\r\n2\r\n", 1),
            ("mov.sbt", "movSBT\r\n1\r\nAndar\r\n", 2),
        ] {
            let whole = std::fs::read(folder.join(name)).unwrap();
            std::fs::write(folder.join(name), text).unwrap();
            assert!(complaint().contains(&format!("{name}, line {line}")), "{}", complaint());
            std::fs::write(folder.join(name), whole).unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_the_files_do_not_tell_is_remembered_until_the_next_game() {
        let folder = std::env::temp_dir().join(format!("rival-bot-memory-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert_eq!(Memory::recall(&folder, 1, 400), Memory::new());
        let places = vec![Hex::new(0, 0), Hex::new(14, 16)];
        let memory = Memory { turn: 17, masc: 2, moving: 1, left: 300, places };
        std::fs::write(Memory::file(&folder, 1), memory.text()).unwrap();
        assert_eq!(Memory::recall(&folder, 1, 280), memory);
        assert_eq!(Memory::recall(&folder, 1, 301), Memory::new(), "nothing grows again");
        assert_eq!(Memory::recall(&folder, 0, 280), Memory::new(), "another player");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn after_a_fall_no_more_is_done_than_the_points_allow() {
        let fallen = || Mech { walk: 4, structure: [9; 8], prone: true, ..Mech::new() };
        for (mode, left, points) in [(Mode::Walk, [2, 6, 0], 2), (Mode::Run, [4, 1, 0], 1), (Mode::Walk, [4, 6, 0], 0)]
        {
            let mut mech = fallen();
            go_on(&mut mech, mode, left);
            let all = if mode == Mode::Run { mech.run_points() } else { mech.walk_points() };
            assert_eq!((mech.mode, all - mech.spent), (mode, points));
        }
    }

    #[test]
    fn hatchets_and_swords_are_read_and_struck_with() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../shared/golden/battletech/samples/Robotito/defmechJ1-1.sbt");
        if !sample.exists() {
            println!("skipped: the simulator's samples (data would be in ../shared/golden/battletech/samples)");
            return;
        }
        let mut definition = DefinitionFile::read(Reader::open(&sample).unwrap()).unwrap();
        assert_eq!(blade(&definition, Location::RightArm), None);
        for (name, kind) in [("Hacha", 1), ("Espada", 2)] {
            let slots = &mut definition.slots[Location::RightArm.index()];
            let last = slots.len() - 1;
            (slots[last].class, slots[last].name) = ("ARMAFISICA".to_owned(), name.to_owned());
            slots[last].component = -1;
            assert_eq!(blade(&definition, Location::RightArm), Some((last as u16, kind)));
        }
    }

    #[test]
    fn a_malformed_file_ends_in_doing_nothing() {
        let folder = std::env::temp_dir().join(format!("rival-bot-bad-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("mapaJ0.sbt"), "mapaSBT\r\nmany\r\n").unwrap();
        for phase in 0..5 {
            assert_eq!(answer(&folder, 0, phase), ActionFile::nothing(phase));
        }
        let error = decide(&|| bail!("no link"), Limits::default(), &folder, 0, 0).unwrap_err();
        assert!(error.to_string().contains("mapaJ0.sbt, line 2"), "{error:#}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
