//! Where a mech can get in its move, and by which steps: for people who would rather name a hex than count turns.

use rival_core::games::battletech::action::{Step, Steps};
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::reach::{Flood, Gait, Place, Reach, Start, jump_clears};
use rival_core::games::battletech::{Action, Hex, Phase};

use super::referee::{Game, check};

/// Everywhere a mech can get by walking or running, and what that costs.
pub struct Routes {
    cost: Vec<u8>,
    trace: Vec<u8>,
    start: Start,
    run: bool,
}

impl Routes {
    /// Looks for everything in reach; nothing if the mech cannot move so.
    pub fn new(game: &Game, who: usize, run: bool) -> Option<Self> {
        let (map, me) = (game.view(), &game.mechs[who]);
        let mode = if run { Mode::Run } else { Mode::Walk };
        if me.prone && !me.can_stand() || me.spent > 0 && me.mode != mode {
            return None;
        }
        let points = if run { me.run_points() } else { me.walk_points() }.saturating_sub(me.spent);
        let start = Start { place: me.place(), rise: if me.prone { 2 } else { 0 } };
        let (mut cost, mut trace, mut pool) = (vec![0; map.len() * 6], vec![0; map.len() * 6], vec![0; 2048]);
        let mut reach = Reach { cost: &mut cost, trace: &mut trace };
        let mut flood = Flood::new();
        flood.begin(&map, start, &mut reach, &mut pool);
        let gait = Gait { running: run, points, minimum_move: !run && me.spent == 0 };
        flood.run(&map, game.profile, gait, &mut reach, &mut pool, |hex| game.is_taken(who, hex), u32::MAX);
        (points > 0).then_some(Self { cost, trace, start, run })
    }

    /// The move to a place.
    pub fn to(&mut self, game: &Game, who: usize, place: Place) -> Option<Action> {
        let map = game.view();
        let reach = Reach { cost: &mut self.cost, trace: &mut self.trace };
        if !map.holds(place.hex) || !reach.reached(place.index(&map)) {
            return None;
        }
        let mut steps = Steps::new();
        let first = reach.walk_back(&map, self.start, place, |way, _| steps.push(way.into()).is_ok());
        if self.start.rise > 0 {
            steps.push(Step::Stand(first.facing)).ok()?;
        }
        steps.reverse();
        let action = Action::Go { run: self.run, masc: false, steps };
        check(game, who, Phase::Movement, &action).is_ok().then_some(action)
    }

    /// Hexes in reach with the least that they cost.
    pub fn hexes(&self, game: &Game) -> Vec<(Hex, u8)> {
        let map = game.view();
        let least =
            |hex: Hex| self.cost[map.index(hex) * 6..][..6].iter().min().copied().filter(|&cost| cost < u8::MAX);
        map.hexes().filter_map(|hex| Some((hex, least(hex)?))).collect()
    }
}

/// Hexes that a mech can jump to.
pub fn landings(game: &Game, who: usize) -> Vec<Hex> {
    let (map, me) = (game.view(), &game.mechs[who]);
    let points = if me.spent > 0 { 0 } else { me.jump_points(&map) };
    let clears = |&hex: &Hex| !game.is_taken(who, hex) && jump_clears(&map, game.profile, me.hex, hex, points);
    if points == 0 { Vec::new() } else { map.hexes().filter(clears).collect() }
}
