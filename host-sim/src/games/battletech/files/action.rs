//! `accionJ<n>.sbt`: what a player does in a phase.

use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::{Facing, Hex, Location};

use super::{FileError, Reader, Style, Writer};

/// One step of a walk or a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepLine {
    /// Forward so many hexes.
    Forward(u8),
    /// Backward so many hexes.
    Backward(u8),
    /// Turn left so many sides.
    Left(u8),
    /// Turn right so many sides.
    Right(u8),
    /// Get up, facing so.
    Stand(Facing),
    /// Drop to the ground.
    Drop,
}

/// What is shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AimLine {
    /// The mech there.
    Mech,
    /// The hex itself.
    Hex,
    /// Nothing: heat only.
    Nothing,
}

/// A weapon fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShotLine {
    /// The weapon's location and slot.
    pub weapon: (Location, u8),
    /// Double rate.
    pub double: bool,
    /// The bin's location and slot.
    pub bin: Option<(Location, u8)>,
    /// Where to.
    pub target: Option<Hex>,
    /// At what.
    pub aim: AimLine,
}

/// A blow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlowLine {
    /// BI, BD, PI, PD or BIBD.
    pub limb: String,
    /// 1000 punch, 2000 kick, 3000 club, or the slot of a blade.
    pub slot: u16,
    /// Where to.
    pub target: Hex,
    /// At what.
    pub aim: AimLine,
}

/// An action of any phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionFile {
    /// Stay.
    Still,
    /// Jump.
    Jump {
        /// Where to.
        to: Hex,
        /// Facing after it.
        facing: Facing,
    },
    /// Walk or run.
    Go {
        /// Run.
        run: bool,
        /// Where it ends.
        to: Hex,
        /// Facing at the end.
        facing: Facing,
        /// Use MASC.
        masc: bool,
        /// The steps.
        steps: Vec<StepLine>,
    },
    /// Turn the torso by -1, 0 or 1 sides.
    Twist(i8),
    /// Pick up a club instead of shooting.
    PickUp,
    /// Shoot.
    Fire {
        /// The primary target.
        primary: Option<Hex>,
        /// The weapons.
        shots: Vec<ShotLine>,
    },
    /// Hit.
    Strike(Vec<BlowLine>),
    /// End of the turn.
    End {
        /// Sinks to turn off.
        off: u8,
        /// Sinks to turn on.
        on: u8,
        /// Drop the club.
        drop_club: bool,
        /// Bins to eject.
        eject: Vec<(Location, u8)>,
    },
}

/// The five phases in which a player is asked, by the simulator's words.
pub const PHASE_WORDS: [&str; 5] = ["Movimiento", "Reaccion", "AtaqueArmas", "AtaqueFisico", "FinalTurno"];

impl ActionFile {
    /// Reads an action of the phase with this index in [`PHASE_WORDS`].
    pub fn read(mut reader: Reader, phase: usize) -> Result<(Self, Style), FileError> {
        let action = match phase {
            0 => read_movement(&mut reader)?,
            1 => Self::Twist(reader.parse("Igual, Izquierda or Derecha", |line| match line {
                "Igual" => Some(0),
                "Izquierda" => Some(-1),
                "Derecha" => Some(1),
                _ => None,
            })?),
            2 => read_fire(&mut reader)?,
            3 => {
                let count: usize = reader.number("number of blows")?;
                Self::Strike((0..count).map(|_| read_blow(&mut reader)).collect::<Result<_, _>>()?)
            }
            _ => {
                let (off, on) = (reader.number("sinks to turn off")?, reader.number("sinks to turn on")?);
                let drop_club = reader.boolean("drop the club")?;
                let count: usize = reader.number("bins to eject")?;
                let eject = (0..count)
                    .map(|_| Ok((super::location(&mut reader)?, reader.number("slot")?)))
                    .collect::<Result<_, FileError>>()?;
                Self::End { off, on, drop_club, eject }
            }
        };
        reader.finish()?;
        Ok((action, reader.style()))
    }

    /// Writes the file.
    pub fn write(&self, style: Style) -> Vec<u8> {
        let mut w = Writer::new(style);
        let hex_or_none = |hex: &Option<Hex>| hex.map_or_else(|| "0000".to_owned(), |hex| hex.to_string());
        match self {
            Self::Still => {
                w.line("Inmovil");
            }
            Self::Jump { to, facing } => {
                w.line("Saltar").line(to).line(facing.number());
            }
            Self::Go { run, to, facing, masc, steps } => {
                w.line(if *run { "Correr" } else { "Andar" }).line(to).line(facing.number()).boolean(*masc);
                w.line(steps.len());
                for step in steps {
                    match step {
                        StepLine::Forward(n) => w.line("Adelante").line(n),
                        StepLine::Backward(n) => w.line("Atras").line(n),
                        StepLine::Left(n) => w.line("Izquierda").line(n),
                        StepLine::Right(n) => w.line("Derecha").line(n),
                        StepLine::Stand(facing) => w.line("Levantarse").line(facing.number()),
                        StepLine::Drop => w.line("Cuerpo a Tierra").line(1),
                    };
                }
            }
            Self::Twist(sides) => {
                w.line(match sides {
                    0 => "Igual",
                    ..0 => "Izquierda",
                    _ => "Derecha",
                });
            }
            Self::PickUp => {
                w.boolean(true);
            }
            Self::Fire { primary, shots } => {
                w.boolean(false).line(hex_or_none(primary)).line(shots.len());
                for shot in shots {
                    w.line(shot.weapon.0.code()).line(shot.weapon.1).boolean(shot.double);
                    match shot.bin {
                        Some((location, slot)) => w.line(location.code()).line(slot),
                        None => w.line(-1).line(-1),
                    };
                    w.line(hex_or_none(&shot.target)).line(aim_word(shot.aim));
                }
            }
            Self::Strike(blows) => {
                w.line(blows.len());
                for blow in blows {
                    w.line(&blow.limb).line(blow.slot).line(blow.target).line(aim_word(blow.aim));
                }
            }
            Self::End { off, on, drop_club, eject } => {
                w.line(off).line(on).boolean(*drop_club).line(eject.len());
                for (location, slot) in eject {
                    w.line(location.code()).line(slot);
                }
            }
        }
        w.bytes()
    }

    /// What does nothing in the phase with this index.
    pub fn nothing(phase: usize) -> Self {
        match phase {
            0 => Self::Still,
            1 => Self::Twist(0),
            2 => Self::Fire { primary: None, shots: Vec::new() },
            3 => Self::Strike(Vec::new()),
            _ => Self::End { off: 0, on: 0, drop_club: false, eject: Vec::new() },
        }
    }
}

const fn aim_word(aim: AimLine) -> &'static str {
    match aim {
        AimLine::Mech => "Mech",
        AimLine::Hex => "Hexagono",
        AimLine::Nothing => "Ninguno",
    }
}

fn read_movement(reader: &mut Reader) -> Result<ActionFile, FileError> {
    let mode = reader.parse("Inmovil, Andar, Correr or Saltar", super::small::mode_of_word)?;
    if mode == Mode::Still {
        return Ok(ActionFile::Still);
    }
    let (to, facing) = (super::hex(reader, "destination")?, super::facing(reader)?);
    if mode == Mode::Jump {
        return Ok(ActionFile::Jump { to, facing });
    }
    let masc = reader.boolean("use MASC")?;
    let count: usize = reader.number("number of steps")?;
    let mut steps = Vec::new();
    for _ in 0..count {
        let word = reader.text("a step")?;
        let step = match word.trim() {
            "Levantarse" => StepLine::Stand(super::facing(reader)?),
            "Cuerpo a Tierra" => {
                reader.word("1")?;
                StepLine::Drop
            }
            other => {
                let make = match other {
                    "Adelante" => StepLine::Forward,
                    "Atras" => StepLine::Backward,
                    "Izquierda" => StepLine::Left,
                    "Derecha" => StepLine::Right,
                    _ => return Err(reader.wrong("Adelante, Atras, Izquierda, Derecha, Levantarse or Cuerpo a Tierra")),
                };
                make(reader.parse("a count, 1 or more", |line| line.parse().ok().filter(|&n: &u8| n >= 1))?)
            }
        };
        steps.push(step);
    }
    Ok(ActionFile::Go { run: mode == Mode::Run, to, facing, masc, steps })
}

fn read_target(reader: &mut Reader) -> Result<Option<Hex>, FileError> {
    reader.parse("a hex or 0000", |line| match line {
        "0000" => Some(None),
        id if id.len() == 4 => Hex::from_id(id.parse().ok()?).map(Some),
        _ => None,
    })
}

fn read_aim(reader: &mut Reader) -> Result<AimLine, FileError> {
    reader.parse("Mech, Hexagono or Ninguno", |line| {
        [AimLine::Mech, AimLine::Hex, AimLine::Nothing].into_iter().find(|&aim| aim_word(aim) == line)
    })
}

fn read_fire(reader: &mut Reader) -> Result<ActionFile, FileError> {
    if reader.boolean("pick up a club")? {
        return Ok(ActionFile::PickUp);
    }
    let primary = read_target(reader)?;
    let count: usize = reader.number("number of weapons")?;
    let mut shots = Vec::new();
    for _ in 0..count {
        let weapon = (super::location(reader)?, reader.number("slot")?);
        let double = reader.boolean("double rate")?;
        let bin = if reader.peek() == Some("-1") {
            reader.word("-1")?;
            reader.word("-1")?;
            None
        } else {
            Some((super::location(reader)?, reader.number("slot")?))
        };
        shots.push(ShotLine { weapon, double, bin, target: read_target(reader)?, aim: read_aim(reader)? });
    }
    Ok(ActionFile::Fire { primary, shots })
}

fn read_blow(reader: &mut Reader) -> Result<BlowLine, FileError> {
    let limb = reader.parse("BI, BD, PI, PD or BIBD", |line| {
        ["BI", "BD", "PI", "PD", "BIBD"].contains(&line).then(|| line.to_owned())
    })?;
    let slot = reader.number("1000 punch, 2000 kick, 3000 club or a slot")?;
    Ok(BlowLine { limb, slot, target: super::hex(reader, "target")?, aim: read_aim(reader)? })
}
