//! Runs at the nearest enemy and gives it everything.

use rival_core::games::battletech::action::{Aim, Blows, Shot, Shots, Step, Steps};
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::physical::{self, Blow};
use rival_core::games::battletech::reach::{Flood, Gait, Place, Reach, Start};
use rival_core::games::battletech::{Action, Phase};

use crate::games::battletech::referee::{Game, Player, check};

/// Runs at the nearest enemy, fires whatever bears, strikes with every limb.
#[derive(Clone, Copy, Debug, Default)]
pub struct Charger;

impl Charger {
    fn movement(game: &Game, who: usize, foe: usize) -> Action {
        let (map, me, goal) = (game.view(), &game.mechs[who], game.mechs[foe].hex);
        if me.prone && !me.can_stand() {
            return Action::Still;
        }
        let start = Start { place: me.place(), rise: if me.prone { 2 } else { 0 } };
        let (mut cost, mut trace, mut pool) = (vec![0; map.len() * 6], vec![0; map.len() * 6], vec![0; 1024]);
        let mut best: Option<((u8, u8, bool), Action)> = None;
        for run in [false, true] {
            if me.spent > 0 && (me.mode == Mode::Run) != run {
                continue;
            }
            let points = if run { me.run_points() } else { me.walk_points() }.saturating_sub(me.spent);
            let gait = Gait { running: run, points, minimum_move: false };
            let mut reach = Reach { cost: &mut cost, trace: &mut trace };
            let mut flood = Flood::new();
            flood.begin(&map, start, &mut reach, &mut pool);
            flood.run(&map, game.profile, gait, &mut reach, &mut pool, |hex| game.is_taken(who, hex), u32::MAX);
            for index in (0..map.len() * 6).filter(|&index| reach.reached(index) && reach.cost[index] <= points) {
                let place = Place::from_index(&map, index);
                let off = place.hex.side_towards(goal).map_or(0, |side| side.turns_to(place.facing));
                let score = (place.hex.distance(goal), off, run);
                if best.as_ref().is_some_and(|(known, _)| *known <= score) {
                    continue;
                }
                let mut steps = Steps::new();
                let first = reach.walk_back(&map, start, place, |way, _| steps.push(way.into()).is_ok());
                if start.rise > 0 {
                    let _ = steps.push(Step::Stand(first.facing));
                }
                steps.reverse();
                best = Some((
                    score,
                    if steps.is_empty() { Action::Still } else { Action::Go { run, masc: false, steps } },
                ));
            }
        }
        best.map_or(Action::Still, |(_, action)| action)
    }

    fn weapons(game: &Game, who: usize, foe: usize) -> Action {
        let me = &game.mechs[who];
        let mut left = 13 + i16::from(me.cooling(&game.view())) - i16::from(me.heat) - i16::from(me.heating);
        let mut action = Action::nothing(Phase::Weapons);
        for (at, weapon) in me.weapons.iter().enumerate() {
            let kind = weapon.kind();
            let bin = me.bins.iter().position(|bin| bin.works && bin.rounds > 0 && bin.load().weapon == kind.code);
            let bin = bin.filter(|_| kind.needs_bin()).map(|at| at as u8);
            let shot = Shot { weapon: at as u8, bin, double: false, aim: Aim::Mech(foe as u8) };
            let Action::Fire { shots, .. } = &action else { break };
            let mut with: Shots = shots.clone();
            let _ = with.push(shot);
            let with = Action::Fire { primary: Some(foe as u8), shots: with };
            let fits = i16::from(kind.heat) <= left;
            if fits
                && check(game, who, Phase::Weapons, &with).is_ok()
                && game.shot_need(who, &shot, foe, Some(foe as u8)) <= 12
            {
                left -= i16::from(kind.heat);
                action = with;
            }
        }
        action
    }

    fn physical(game: &Game, who: usize, foe: usize) -> Action {
        let mut blows = Blows::new();
        let mut chosen = Vec::new();
        for blow in [
            Blow::Club,
            Blow::RightKick,
            Blow::LeftKick,
            Blow::LeftPunch,
            Blow::RightPunch,
            Blow::LeftBlade,
            Blow::RightBlade,
        ] {
            let legal = physical::check(game.profile, &game.view(), &game.mechs[who], &game.mechs[foe], blow).is_ok();
            if legal && physical::compatible(game.profile, &chosen, blow) && !blows.is_full() {
                chosen.push(blow);
                let _ = blows.push((blow, foe as u8));
            }
        }
        Action::Strike(blows)
    }
}

impl Player for Charger {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        let me = &game.mechs[who];
        let enemies = game.alive().into_iter().filter(|&at| at != who);
        let Some(foe) = enemies.min_by_key(|&at| (me.hex.distance(game.mechs[at].hex), at)) else {
            return Action::nothing(phase);
        };
        match phase {
            Phase::Movement => Self::movement(game, who, foe),
            Phase::Reaction => {
                let towards = me.hex.side_towards(game.mechs[foe].hex).unwrap_or(me.facing);
                Action::Twist(match me.facing.sides_to(towards) {
                    0 | 3 => 0,
                    1 | 2 => 1,
                    _ => -1,
                })
            }
            Phase::Weapons => Self::weapons(game, who, foe),
            Phase::Physical => Self::physical(game, who, foe),
            Phase::End => Action::nothing(phase),
        }
    }
}
