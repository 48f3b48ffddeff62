//! Designs: what a mech is made of, slot by slot, and what the building rules say about it.

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::battletech::equipment::{LOADS, WEAPONS, load_by_code, weapon_by_code};
use rival_core::games::battletech::mech::{Bin, Limb, Weapon};
use rival_core::games::battletech::{Location, Mech};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Nothing.
    Empty,
    /// Engine.
    Engine,
    /// Gyroscope.
    Gyro,
    /// Life support.
    LifeSupport,
    /// Sensors.
    Sensors,
    /// Cockpit.
    Cockpit,
    /// An actuator, as a bit of [`Limb`].
    Actuator(u8),
    /// A heat sink.
    Sink,
    /// A jump jet.
    Jet,
    /// The weapon with this place in the mech's list.
    Weapon(u8),
    /// The bin with this place in the mech's list.
    Bin(u8),
    /// A hatchet or a sword.
    Blade,
    /// MASC.
    Masc,
    /// An ECM suite.
    Ecm,
    /// Something that cannot be hit: armour, structure, CASE, muscles.
    Inert,
    /// Equipment that has no effect here.
    Other,
}

/// A slot and whether it was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// What is in it.
    pub part: Part,
    /// Whether it was hit.
    pub hit: bool,
}

/// The slots of the eight locations.
pub type Layout = [Vec<Slot>; 8];

/// A mech as it leaves the works.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Design {
    /// Its name.
    pub name: String,
    /// The mech.
    pub mech: Mech,
    /// Its slots.
    pub layout: Layout,
}

/// Structure of a mech of so many tons: centre, side, arm, leg.
pub fn structure_of(tons: u8) -> Option<[u8; 4]> {
    const TABLE: [[u8; 4]; 19] = [
        [3, 2, 1, 2],
        [5, 4, 2, 3],
        [6, 5, 3, 4],
        [8, 6, 4, 6],
        [10, 7, 5, 7],
        [11, 8, 6, 8],
        [12, 10, 6, 10],
        [14, 11, 7, 11],
        [16, 12, 8, 12],
        [18, 13, 9, 13],
        [20, 14, 10, 14],
        [21, 15, 10, 15],
        [22, 15, 11, 15],
        [23, 16, 12, 16],
        [25, 17, 13, 17],
        [27, 18, 14, 18],
        [29, 19, 15, 19],
        [30, 20, 16, 20],
        [31, 21, 17, 21],
    ];
    (tons.is_multiple_of(5) && tons >= 10).then(|| TABLE.get(usize::from(tons / 5 - 2)).copied()).flatten()
}

/// Weight of a fusion engine in half tons, for ratings 10 to 400 by five.
fn engine_half_tons(rating: u16) -> Option<u16> {
    const TABLE: [u8; 79] = [
        1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12, 14,
        14, 15, 15, 16, 17, 17, 18, 19, 20, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 35, 36, 38, 39, 41, 43,
        45, 47, 49, 51, 54, 57, 59, 63, 66, 69, 73, 77, 82, 87, 92, 98, 105,
    ];
    (rating.is_multiple_of(5) && rating >= 10)
        .then(|| TABLE.get(usize::from(rating / 5 - 2)).map(|&half| u16::from(half)))
        .flatten()
}

/// Structure by location.
pub fn structure_points(tons: u8) -> Option<[u8; 8]> {
    let [centre, side, arm, leg] = structure_of(tons)?;
    Some([arm, side, leg, leg, side, arm, centre, 3])
}

/// Most armour of each part of the body (a torso's rear counts with its front).
pub fn armour_limit(structure: &[u8; 8], location: Location) -> u8 {
    if location == Location::Head { 9 } else { 2 * structure[location.body().index()] }
}

/// Something beside weapons that an order may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Double sinks: twice the cooling, three slots each outside the engine.
    DoubleSinks,
    /// An engine of half the weight that reaches three slots into each side torso.
    Xl,
    /// MASC: a twentieth of the weight, as many slots.
    Masc(Location),
    /// Triple-strength muscles: no weight, three slots in each arm.
    Muscles,
    /// CASE: half a ton and a slot of a torso.
    Case(Location),
    /// An ECM suite: a ton and a half, two slots.
    Ecm(Location),
    /// A hatchet: a fifteenth of the weight, as many slots.
    Hatchet(Location),
    /// A sword: a twentieth of the weight, as many slots as a hatchet.
    Sword(Location),
}

impl Extra {
    /// Weight in half tons; the engine's share is counted with the engine.
    const fn half_tons(self, tons: u16) -> u16 {
        match self {
            Self::DoubleSinks | Self::Xl | Self::Muscles => 0,
            Self::Masc(_) => 2 * ((tons + 10) / 20),
            Self::Case(_) => 1,
            Self::Ecm(_) => 3,
            Self::Hatchet(_) => 2 * tons.div_ceil(15),
            Self::Sword(_) => tons.div_ceil(10),
        }
    }
}

/// A short order for a mech: what the works need to know.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Its name.
    pub name: &'static str,
    /// Tons.
    pub tons: u8,
    /// Walking points.
    pub walk: u8,
    /// Jumping points.
    pub jump: u8,
    /// Sinks in all, ten at least.
    pub sinks: u8,
    /// Weapons: code and location.
    pub weapons: &'static [(u16, Location)],
    /// Bins: code and location.
    pub bins: &'static [(u16, Location)],
    /// What else.
    pub extras: &'static [Extra],
}

impl Order {
    /// Builds the mech: all the weight that is left becomes armour. Fails where the building rules do.
    pub fn build(&self) -> Result<Design> {
        let tons = self.tons;
        let structure = structure_points(tons).context("tons are a multiple of five, 10 to 100")?;
        let rating = u16::from(tons) * u16::from(self.walk);
        let engine = engine_half_tons(rating).with_context(|| format!("there is no engine of rating {rating}"))?;
        let has = |extra| self.extras.contains(&extra);
        let engine = if has(Extra::Xl) { engine.div_ceil(2) } else { engine };
        ensure!(self.sinks >= 10, "ten sinks come with every engine");
        let jet = match tons {
            ..=55 => 1,
            60..=85 => 2,
            _ => 4,
        };
        // Structure is a tenth of the weight; the cockpit three tons; the gyroscope a ton for every hundred of rating.
        let mut half_tons = u16::from(tons) / 5;
        half_tons +=
            engine + 2 * rating.div_ceil(100) + 6 + 2 * u16::from(self.sinks - 10) + jet * u16::from(self.jump);
        for &(code, _) in self.weapons {
            let kind = weapon_by_code(code).with_context(|| format!("no weapon {code}"))?;
            half_tons += u16::from(WEAPONS[usize::from(kind)].half_tons);
        }
        for &(code, _) in self.bins {
            let load = load_by_code(code).with_context(|| format!("no ammunition {code}"))?;
            half_tons += u16::from(LOADS[usize::from(load)].half_tons);
        }
        half_tons += self.extras.iter().map(|extra| extra.half_tons(u16::from(tons))).sum::<u16>();
        let total = 2 * u16::from(tons);
        ensure!(half_tons <= total, "{}: {half_tons} half tons of {total}", self.name);
        let mut mech = Mech {
            tons,
            walk: self.walk,
            jump: self.jump,
            operational: true,
            sinks_on: self.sinks,
            double_sinks: has(Extra::DoubleSinks),
            tsm: has(Extra::Muscles),
            xl: has(Extra::Xl),
            structure,
            armour: spread_armour((total - half_tons) * 8, structure),
            ..Mech::new()
        };
        let layout = self.lay_out(&mut mech, rating)?;
        Ok(Design { name: self.name.to_owned(), mech, layout })
    }

    fn lay_out(&self, mech: &mut Mech, rating: u16) -> Result<Layout> {
        let mut layout = bare_layout();
        for &extra in self.extras {
            self.lay_extra(mech, &mut layout, extra)?;
        }
        for (at, &(code, location)) in self.weapons.iter().enumerate() {
            let kind = weapon_by_code(code).context("weapon")?;
            for _ in 0..WEAPONS[usize::from(kind)].slots {
                put(&mut layout, location, Part::Weapon(at as u8), self.name)?;
            }
            let weapon = Weapon { kind, location, rear: false, works: true };
            mech.weapons.push(weapon).ok().context("too many weapons")?;
        }
        for (at, &(code, location)) in self.bins.iter().enumerate() {
            let load = load_by_code(code).context("ammunition")?;
            put(&mut layout, location, Part::Bin(at as u8), self.name)?;
            let bin = Bin { load, location, rounds: LOADS[usize::from(load)].rounds, works: true, armed: false };
            mech.bins.push(bin).ok().context("too many bins")?;
        }
        let sides = [Location::LeftTorso, Location::RightTorso];
        for jet in 0..self.jump {
            let place = match jet {
                0 | 1 => [Location::LeftLeg, Location::RightLeg][usize::from(jet)],
                _ => sides[usize::from(jet % 2)],
            };
            mech.leg_jets += u8::from(place.is_leg());
            put(&mut layout, place, Part::Jet, self.name)?;
        }
        let outside = self.sinks.saturating_sub((rating / 25) as u8);
        'sinks: for sink in 0..outside {
            let first = usize::from(sink % 2);
            let anywhere =
                [Location::LeftArm, Location::RightArm, Location::CentreTorso, Location::LeftLeg, Location::RightLeg];
            let each = if mech.double_sinks { 3 } else { 1 };
            for place in [sides[first], sides[1 - first]].into_iter().chain(anywhere) {
                if room(&layout, place) >= each {
                    for _ in 0..each {
                        put(&mut layout, place, Part::Sink, self.name)?;
                    }
                    mech.leg_sinks += u8::from(place.is_leg());
                    continue 'sinks;
                }
            }
            bail!("{}: no slot left for a sink", self.name);
        }
        Ok(layout)
    }
}

impl Order {
    fn lay_extra(&self, mech: &mut Mech, layout: &mut Layout, extra: Extra) -> Result<()> {
        let tons = usize::from(self.tons);
        let mut fill = |location, part, slots| -> Result<()> {
            (0..slots).try_for_each(|_| put(layout, location, part, self.name))
        };
        let arm = |location: Location| usize::from(location == Location::RightArm);
        match extra {
            Extra::DoubleSinks => Ok(()),
            Extra::Xl => [Location::LeftTorso, Location::RightTorso]
                .map(|side| fill(side, Part::Engine, 3))
                .into_iter()
                .collect(),
            Extra::Muscles => {
                [Location::LeftArm, Location::RightArm].map(|side| fill(side, Part::Inert, 3)).into_iter().collect()
            }
            Extra::Masc(location) => {
                mech.masc = true;
                fill(location, Part::Masc, (tons + 10) / 20)
            }
            Extra::Case(location) => {
                mech.case |= match location {
                    Location::LeftTorso => 1,
                    Location::RightTorso => 2,
                    _ => 4,
                };
                fill(location, Part::Inert, 1)
            }
            Extra::Ecm(location) => {
                mech.ecm = true;
                fill(location, Part::Ecm, 2)
            }
            Extra::Hatchet(location) => {
                mech.blades[arm(location)] = 1;
                fill(location, Part::Blade, tons.div_ceil(15))
            }
            Extra::Sword(location) => {
                mech.blades[arm(location)] = 2;
                fill(location, Part::Blade, tons.div_ceil(15))
            }
        }
    }
}

/// Armour points over the body: the head first, then in proportion to the structure, a quarter of the torsos' behind.
fn spread_armour(points: u16, structure: [u8; 8]) -> [u8; 11] {
    let limit: u16 = Location::BODY.iter().map(|&location| u16::from(armour_limit(&structure, location))).sum();
    let points = points.min(limit);
    let mut armour = [0; 11];
    let head = points.min(9).min(points / 8 + 1);
    armour[Location::Head.index()] = head as u8;
    let mut left = points - head;
    let rest: u16 = limit - 9;
    for location in Location::BODY {
        if location != Location::Head {
            let share = (points - head) * u16::from(armour_limit(&structure, location)) / rest;
            armour[location.index()] = share as u8;
            left -= share;
        }
    }
    for location in
        [Location::CentreTorso, Location::LeftLeg, Location::RightLeg, Location::LeftTorso, Location::RightTorso]
            .into_iter()
            .cycle()
            .take(20)
    {
        if left > 0 && armour[location.index()] < armour_limit(&structure, location) {
            armour[location.index()] += 1;
            left -= 1;
        }
    }
    for (front, rear) in [
        (Location::CentreTorso, Location::CentreRear),
        (Location::LeftTorso, Location::LeftRear),
        (Location::RightTorso, Location::RightRear),
    ] {
        let behind = armour[front.index()] / 4;
        armour[front.index()] -= behind;
        armour[rear.index()] = behind;
    }
    armour
}

/// Empty slots of a location.
fn room(layout: &Layout, location: Location) -> usize {
    layout[location.index()].iter().filter(|slot| slot.part == Part::Empty).count()
}

fn put(layout: &mut Layout, location: Location, part: Part, name: &str) -> Result<()> {
    let slot = layout[location.index()].iter_mut().find(|slot| slot.part == Part::Empty);
    slot.with_context(|| format!("{name}: the {} is full", location.name()))?.part = part;
    Ok(())
}

/// What every mech has.
fn bare_layout() -> Layout {
    let limb = [Limb::JOINT, Limb::UPPER, Limb::LOWER, Limb::END].map(Part::Actuator);
    let centre = [
        Part::Engine,
        Part::Engine,
        Part::Engine,
        Part::Gyro,
        Part::Gyro,
        Part::Gyro,
        Part::Gyro,
        Part::Engine,
        Part::Engine,
        Part::Engine,
    ];
    let head = [Part::LifeSupport, Part::Sensors, Part::Cockpit, Part::Empty, Part::Sensors, Part::LifeSupport];
    Location::BODY.map(|location| {
        let fixed: &[Part] = match location {
            Location::CentreTorso => &centre,
            Location::Head => &head,
            location if location.is_arm() || location.is_leg() => &limb,
            _ => &[],
        };
        let empty = core::iter::repeat(&Part::Empty);
        fixed.iter().chain(empty).take(usize::from(location.slots())).map(|&part| Slot { part, hit: false }).collect()
    })
}

/// Reads a design from the JSON that the recordings' mechs come in.
pub fn from_json(value: &Value) -> Result<Design> {
    let text = |key: &str| value[key].as_str().with_context(|| format!("{key}: expected text"));
    let small = |value: &Value| value.as_u64().and_then(|n| u8::try_from(n).ok()).context("expected a small number");
    let name = format!("{} {}", text("model")?, text("name")?).trim().to_owned();
    let mut mech = Mech {
        tons: small(&value["tons"])?,
        walk: small(&value["walk"])?,
        jump: small(&value["jump"])?,
        operational: true,
        double_sinks: value["double_sinks"] == true,
        masc: value["masc"] == true,
        tsm: value["tsm"] == true,
        xl: value["engine"].as_str().is_some_and(|engine| engine.eq_ignore_ascii_case("xl")),
        sinks_on: small(&value["heat_sinks"])?,
        ..Mech::new()
    };
    for (bit, code) in ["TI", "TD", "TC"].into_iter().enumerate() {
        mech.case |= u8::from(value["case"][code] == true) << bit;
    }
    for location in Location::ALL {
        mech.armour[location.index()] = small(&value["armor"][location.code()])?;
        if !location.is_rear() {
            mech.structure[location.index()] = small(&value["structure"][location.code()])?;
        }
    }
    for (side, letter) in ["L", "R"].into_iter().enumerate() {
        for (bit, name) in ["shoulder", "upper", "lower", "hand"].into_iter().enumerate() {
            let present = value["arm_actuators"][format!("{name}_{letter}")] != false;
            mech.lacking[side].0 |= u8::from(!present) << bit;
        }
    }
    let empty = Vec::new();
    for weapon in value["weapons"].as_array().unwrap_or(&empty) {
        let code = weapon["code"].as_u64().context("weapon code")? as u16;
        let location = weapon["loc"].as_str().and_then(Location::from_code).context("weapon location")?;
        let kind = weapon_by_code(code).with_context(|| format!("unknown weapon {code}"))?;
        let weapon = Weapon { kind, location: location.body(), rear: weapon["rear"] == true, works: true };
        mech.weapons.push(weapon).ok().context("too many weapons")?;
    }
    for bin in value["ammo"].as_array().unwrap_or(&empty) {
        let code = bin["code"].as_u64().context("ammunition code")? as u16;
        let location = bin["loc"].as_str().and_then(Location::from_code).context("bin location")?;
        let load = load_by_code(code).with_context(|| format!("unknown ammunition {code}"))?;
        let bin = Bin { load, location, rounds: small(&bin["rounds"])?, works: true, armed: false };
        mech.bins.push(bin).ok().context("too many bins")?;
    }
    let layout = layout_from_json(value, &mut mech)?;
    Ok(Design { name, mech, layout })
}

fn layout_from_json(value: &Value, mech: &mut Mech) -> Result<Layout> {
    let mut layout: Layout = Location::BODY.map(|_| Vec::new());
    let starts = |list: &str| -> Vec<(String, u64)> {
        let empty = Vec::new();
        let items = value[list].as_array().unwrap_or(&empty).iter();
        items
            .map(|item| (item["slot"][0].as_str().unwrap_or("").to_owned(), item["slot"][1].as_u64().unwrap_or(99)))
            .collect()
    };
    let (weapons, bins) = (starts("weapons"), starts("ammo"));
    for location in Location::BODY {
        let names = value["slots"][location.code()].as_array().context("slots")?;
        let mut running: Option<(usize, String)> = None;
        for (at, name) in names.iter().enumerate() {
            let here = (location.code().to_owned(), at as u64);
            let name = name.as_str().unwrap_or("");
            let part = if let Some(weapon) = weapons.iter().position(|start| *start == here) {
                running = Some((weapon, name.to_owned()));
                Part::Weapon(weapon as u8)
            } else if let Some(bin) = bins.iter().position(|start| *start == here) {
                Part::Bin(bin as u8)
            } else if let Some((weapon, _)) = running.as_ref().filter(|(_, running)| running == name) {
                Part::Weapon(*weapon as u8)
            } else {
                running = None;
                part_of_name(name)
            };
            match (part, location.is_leg()) {
                (Part::Sink, true) => mech.leg_sinks += 1,
                (Part::Jet, true) => mech.leg_jets += 1,
                _ => {}
            }
            mech.ecm |= part == Part::Ecm;
            if let (Part::Blade, Location::LeftArm | Location::RightArm) = (part, location) {
                let sword = u8::from(name.starts_with("Espada"));
                mech.blades[usize::from(location == Location::RightArm)] = 1 + sword;
            }
            layout[location.index()].push(Slot { part, hit: false });
        }
    }
    Ok(layout)
}

fn part_of_name(name: &str) -> Part {
    match name {
        "" => Part::Empty,
        "Hombro" | "Cadera" => Part::Actuator(Limb::JOINT),
        "Brazo" | "Muslo" => Part::Actuator(Limb::UPPER),
        "Antebrazo" | "Pierna" => Part::Actuator(Limb::LOWER),
        "Mano" | "Pie" => Part::Actuator(Limb::END),
        "Motores" => Part::Engine,
        "Giroscopio" => Part::Gyro,
        "Soporte Vital" => Part::LifeSupport,
        "Sensores" => Part::Sensors,
        "Cabina" => Part::Cockpit,
        "MASC" => Part::Masc,
        name if name.contains("ECM") => Part::Ecm,
        name if name.starts_with("Radiador") => Part::Sink,
        name if name.starts_with("Retro") => Part::Jet,
        name if name.starts_with("Hacha") || name.starts_with("Espada") => Part::Blade,
        name if ["CASE", "DACM", "Estructura", "Blindaje", "Muscul", "Múscul"]
            .iter()
            .any(|start| name.starts_with(start)) =>
        {
            Part::Inert
        }
        _ => Part::Other,
    }
}
