//! `defmechJ<n>-<i>.sbt`: the design of a mech with its present condition.

use serde::{Deserialize, Serialize};

use super::{FileError, Reader, Style, Writer};

/// The file, field by field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionFile {
    /// Name.
    pub name: String,
    /// Model.
    pub model: String,
    /// Tons.
    pub tons: u8,
    /// Rating of the engine: tons times walking points.
    pub engine_rating: u16,
    /// Sinks in the engine.
    pub engine_sinks: u8,
    /// Sinks that work.
    pub sinks: u8,
    /// MASC.
    pub masc: bool,
    /// Cases of the right, left and centre torso.
    pub case: [bool; 3],
    /// Heat of everything at once, by the design.
    pub max_heat: i32,
    /// Whether it has arms.
    pub arms: bool,
    /// Shoulder, upper arm, lower arm and hand of the left arm, then of the right.
    pub actuators_present: [bool; 8],
    /// Armour.
    pub armour: [u8; 11],
    /// Structure.
    pub structure: [u8; 8],
    /// Weapons, ammunition, equipment.
    pub components: Vec<Component>,
    /// Weapons of the design.
    pub weapons: i32,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Occupied slots of the eight locations.
    pub slots: Vec<Vec<Slot>>,
    /// Walking, running, jumping points.
    pub points: [u8; 3],
    /// 0 single, 1 double.
    pub sink_type: u8,
    /// How the file's lines end.
    pub style: Style,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Its number.
    pub code: i32,
    /// Its name.
    pub name: String,
    /// NADA, ARMA, MUNICION, EQUIPO, ACTUADOR, ARMADURA or ARMAFISICA.
    pub class: String,
    /// Points backwards.
    pub rear: bool,
    /// Location, and a second one or -1.
    pub location: [i32; 2],
    /// Nada, Energía, Balística or Misiles.
    pub weapon_type: String,
    /// Heat, damage, shots, minimum, short, medium, long; -1 if it is no weapon.
    pub figures: [i32; 7],
    /// Works.
    pub operational: bool,
    /// The weapon an ammunition is for.
    pub for_weapon: i32,
    /// Rounds left.
    pub quantity: i32,
    /// No, or what is special about an ammunition.
    pub special: String,
    /// To-hit modifier of an ammunition.
    pub modifier: i32,
}

/// An actuator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actuator {
    /// Its number.
    pub code: i32,
    /// Its name.
    pub name: String,
    /// Location.
    pub location: i32,
    /// Works.
    pub operational: bool,
    /// Hits.
    pub hits: i32,
}

/// An occupied slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// Class as in [`Component`].
    pub class: String,
    /// Rounds of the design, for ammunition.
    pub quantity: i32,
    /// Number of what is in it.
    pub code: i32,
    /// Its name.
    pub name: String,
    /// Index of its component, or -1.
    pub component: i32,
    /// Index of its actuator, or -1.
    pub actuator: i32,
    /// Points of one exploding round.
    pub blast: i32,
}

impl DefinitionFile {
    /// Reads the file.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        let r = &mut reader;
        r.word("defmechSBT")?;
        let (name, model) = (r.text("name")?, r.text("model")?);
        let (tons, engine_rating) = (r.number("tons")?, r.number("engine rating")?);
        let (engine_sinks, sinks) = (r.number("sinks in the engine")?, r.number("sinks")?);
        let masc = r.boolean("MASC")?;
        let case = r.many(|r| r.boolean("CASE"))?;
        let max_heat = r.number("greatest heat")?;
        let arms = r.boolean("arms")?;
        let actuators_present = r.many(|r| r.boolean("actuator"))?;
        let armour = r.many(|r| r.number("armour"))?;
        let structure = r.many(|r| r.number("structure"))?;
        let count: usize = r.number("number of components")?;
        let components = (0..count).map(|_| read_component(r)).collect::<Result<_, _>>()?;
        let weapons = r.number("number of weapons")?;
        let count: usize = r.number("number of actuators")?;
        let actuators = (0..count)
            .map(|_| {
                Ok(Actuator {
                    code: r.number("actuator's code")?,
                    name: r.text("actuator's name")?,
                    location: r.number("actuator's location")?,
                    operational: r.boolean("actuator works")?,
                    hits: r.number("actuator's hits")?,
                })
            })
            .collect::<Result<_, FileError>>()?;
        let slots = (0..8)
            .map(|_| {
                let count: usize = r.number("occupied slots")?;
                (0..count).map(|_| read_slot(r)).collect::<Result<Vec<_>, _>>()
            })
            .collect::<Result<_, FileError>>()?;
        let points = r.many(|r| r.number("movement points"))?;
        let sink_type = r.number("kind of sinks")?;
        reader.finish()?;
        Ok(Self {
            name,
            model,
            tons,
            engine_rating,
            engine_sinks,
            sinks,
            masc,
            case,
            max_heat,
            arms,
            actuators_present,
            armour,
            structure,
            components,
            weapons,
            actuators,
            slots,
            points,
            sink_type,
            style: reader.style(),
        })
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut w = Writer::new(self.style);
        w.line("defmechSBT").line(&self.name).line(&self.model).line(self.tons).line(self.engine_rating);
        w.line(self.engine_sinks).line(self.sinks).boolean(self.masc);
        for flag in self.case {
            w.boolean(flag);
        }
        w.line(self.max_heat).boolean(self.arms);
        for flag in self.actuators_present {
            w.boolean(flag);
        }
        for points in self.armour.iter().chain(&self.structure) {
            w.line(points);
        }
        w.line(self.components.len());
        for c in &self.components {
            w.line(c.code).line(&c.name).line(&c.class).boolean(c.rear).line(c.location[0]).line(c.location[1]);
            w.line(&c.weapon_type);
            for figure in c.figures {
                w.line(figure);
            }
            w.boolean(c.operational).line(c.for_weapon).line(c.quantity).line(&c.special).line(c.modifier);
        }
        w.line(self.weapons).line(self.actuators.len());
        for a in &self.actuators {
            w.line(a.code).line(&a.name).line(a.location).boolean(a.operational).line(a.hits);
        }
        for slots in &self.slots {
            w.line(slots.len());
            for s in slots {
                w.line(&s.class).line(s.quantity).line(s.code).line(&s.name).line(s.component).line(s.actuator);
                w.line(s.blast);
            }
        }
        for points in self.points {
            w.line(points);
        }
        w.line(self.sink_type);
        w.bytes()
    }
}

fn read_component(r: &mut Reader) -> Result<Component, FileError> {
    Ok(Component {
        code: r.number("component's code")?,
        name: r.text("component's name")?,
        class: r.text("component's class")?,
        rear: r.boolean("points backwards")?,
        location: r.many(|r| r.number("component's location"))?,
        weapon_type: r.text("weapon type")?,
        figures: r.many(|r| r.number("a weapon's figure"))?,
        operational: r.boolean("component works")?,
        for_weapon: r.number("weapon of the ammunition")?,
        quantity: r.number("rounds")?,
        special: r.text("special ammunition")?,
        modifier: r.number("modifier of the ammunition")?,
    })
}

fn read_slot(r: &mut Reader) -> Result<Slot, FileError> {
    Ok(Slot {
        class: r.text("slot's class")?,
        quantity: r.number("slot's rounds")?,
        code: r.number("slot's code")?,
        name: r.text("slot's name")?,
        component: r.number("slot's component")?,
        actuator: r.number("slot's actuator")?,
        blast: r.number("slot's explosion")?,
    })
}
