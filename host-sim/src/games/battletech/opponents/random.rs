//! Any legal action, by chance.

use rival_core::games::battletech::action::{Aim, Bins, Shot, Step, Steps};
use rival_core::games::battletech::equipment::Special;
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::{Action, Facing, Hex, Phase};

use crate::games::battletech::referee::{Dice, Game, Player, check};

/// Plays at random, but only what is legal.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// The same seed plays the same.
    pub const fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed ^ 0x7261_6E64, 6) }
    }

    fn facing(&mut self) -> Facing {
        Facing::from_index(self.dice.below(6) as u8)
    }

    fn movement(&mut self, game: &Game, who: usize) -> Action {
        let mech = &game.mechs[who];
        let map = game.view();
        if mech.spent == 0 && mech.jump_points(&map) > 0 && self.dice.below(3) == 0 {
            for _ in 0..20 {
                let to = map.hex(self.dice.below(map.len() as u32) as usize);
                let action = Action::Jump { to, facing: self.facing() };
                if check(game, who, Phase::Movement, &action).is_ok() {
                    return action;
                }
            }
        }
        let mut run = self.dice.below(2) == 0;
        if mech.spent > 0 {
            run = mech.mode == Mode::Run;
        }
        let masc = run && mech.masc && self.dice.below(2) == 0;
        let mut steps = Action::Still;
        let mut list = Steps::new();
        for _ in 0..self.dice.below(12) {
            let step = match self.dice.below(8) {
                0..=3 => Step::Forward,
                4 => Step::Backward,
                5 => Step::Left,
                6 => Step::Right,
                _ if self.dice.below(12) == 0 => Step::Drop,
                _ => Step::Stand(self.facing()),
            };
            let _ = list.push(step);
            let action = Action::Go { run, masc, steps: list.clone() };
            if check(game, who, Phase::Movement, &action).is_ok() {
                steps = action;
            } else {
                list.pop();
            }
        }
        steps
    }

    /// A hex near by, something that burns if the eye falls on it.
    fn ground(&mut self, game: &Game, who: usize) -> Hex {
        let (map, me) = (game.view(), game.mechs[who].hex);
        let near: Vec<Hex> = map.hexes().filter(|hex| (1..=6).contains(&hex.distance(me))).collect();
        let fuel: Vec<Hex> = near.iter().copied().filter(|&hex| map.tile(hex).burns()).collect();
        let choice = if fuel.is_empty() || self.dice.below(4) == 0 { &near } else { &fuel };
        choice.get(self.dice.below(choice.len().max(1) as u32) as usize).copied().unwrap_or(me)
    }

    fn fire(&mut self, game: &Game, who: usize) -> Action {
        if self.dice.below(8) == 0 && check(game, who, Phase::Weapons, &Action::PickUp).is_ok() {
            return Action::PickUp;
        }
        let mech = &game.mechs[who];
        let targets: Vec<u8> = game.alive().into_iter().filter(|&at| at != who).map(|at| at as u8).collect();
        let mut action = Action::nothing(Phase::Weapons);
        for weapon in 0..mech.weapons.len() {
            if self.dice.below(4) == 0 || targets.is_empty() {
                continue;
            }
            let target = targets[self.dice.below(targets.len() as u32) as usize];
            let kind = mech.weapons[weapon].kind();
            let fits = |bin: &&usize| {
                let bin = &mech.bins[**bin];
                bin.works && bin.rounds > 0 && bin.load().weapon == kind.code
            };
            let all: Vec<usize> = (0..mech.bins.len()).collect();
            let bins: Vec<u8> = all.iter().filter(fits).map(|&at| at as u8).collect();
            let bin = if bins.is_empty() { None } else { Some(bins[self.dice.below(bins.len() as u32) as usize]) };
            let double = kind.special == Special::Ultra && self.dice.below(2) == 0;
            let aim = if self.dice.below(6) == 0 { Aim::Hex(self.ground(game, who)) } else { Aim::Mech(target) };
            let with = match &action {
                Action::Fire { shots, .. } => {
                    let mut shots = shots.clone();
                    let _ = shots.push(Shot { weapon: weapon as u8, bin, double, aim });
                    Action::Fire { primary: Some(target), shots }
                }
                _ => continue,
            };
            if check(game, who, Phase::Weapons, &with).is_ok() {
                action = with;
            }
        }
        action
    }

    fn strike(&mut self, game: &Game, who: usize) -> Action {
        let mut action = Action::nothing(Phase::Physical);
        // From any blow on: the first takes its limbs from the others.
        let first = self.dice.below(Blow::ALL.len() as u32) as usize;
        for blow in Blow::ALL.into_iter().cycle().skip(first).take(Blow::ALL.len()) {
            for target in game.alive() {
                let Action::Strike(blows) = &action else { continue };
                let mut with = blows.clone();
                if with.push((blow, target as u8)).is_ok() {
                    let with = Action::Strike(with);
                    if self.dice.below(4) > 0 && check(game, who, Phase::Physical, &with).is_ok() {
                        action = with;
                    }
                }
            }
        }
        action
    }

    fn end(&mut self, game: &Game, who: usize) -> Action {
        let mech = &game.mechs[who];
        let off = if self.dice.below(10) == 0 { mech.sinks_on.min(1) } else { 0 };
        let mut eject = Bins::new();
        let usable = mech.bins.iter().position(|bin| bin.works && !bin.armed);
        if let Some(bin) = usable.filter(|_| self.dice.below(40) == 0) {
            let _ = eject.push(bin as u8);
        }
        Action::End { off, on: mech.sinks_off, drop_club: mech.club > 0 && self.dice.below(20) == 0, eject }
    }
}

impl Player for Random {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        match phase {
            Phase::Movement => self.movement(game, who),
            Phase::Reaction => Action::Twist(self.dice.below(3) as i8 - 1),
            Phase::Weapons => self.fire(game, who),
            Phase::Physical => self.strike(game, who),
            Phase::End => self.end(game, who),
        }
    }
}
