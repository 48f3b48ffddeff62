//! The referee: the whole turn with its dice, its damage and its end.
//!
//! What can be known before the dice fall comes from `core`; an action is checked on its own, whole, before anything of
//! it happens, and refused with a reason otherwise.

use rival_core::games::battletech::equipment::Special;
use rival_core::games::battletech::map::Map;
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::physical::{Blow, limb_ready};
use rival_core::games::battletech::state::{Head, State};
use rival_core::games::battletech::{Action, Facing, Hex, Mech, Phase, Profile};

use super::design::{Design, Layout};
use super::files::map::MapFile;
use super::record::Decision;

mod combat;
mod criticals;
pub mod dice;
mod ending;
mod fires;
mod legality;
mod movement;

#[cfg(test)]
mod profile_tests;
#[cfg(test)]
mod rules_tests;
#[cfg(test)]
pub(super) mod tests;

pub use dice::Dice;
pub use legality::check;

/// Turns after which the one with more left of it wins.
pub const LAST_TURN: u8 = 50;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules in force.
    pub profile: &'static Profile,
    /// The map with what the referee counts.
    pub map: MapFile,
    /// The map as the rules want it.
    pub tiles: Vec<u32>,
    /// The mechs.
    pub mechs: Vec<Mech>,
    /// Their slots.
    pub layouts: Vec<Layout>,
    /// Their names.
    pub names: Vec<String>,
    /// The order of this turn: who acts first first.
    pub order: Vec<usize>,
    /// The turn, from 1.
    pub turn: u8,
    /// The dice and the log.
    pub dice: Dice,
    /// Actions refused so far, by player, with the reason.
    pub refused: Vec<(usize, String)>,
    /// What everybody decided, allowed or not, as long as the log is kept.
    pub decisions: Vec<Decision>,
    /// Piloting rolls that are due at the end of the phase: who, modifier, why.
    pending: Vec<(usize, i8, &'static str)>,
    /// Whose pilot died of wounds: out, but for the simulator still counted.
    wounded_to_death: Vec<bool>,
    /// Where everybody began its move of this turn.
    begun: Vec<Hex>,
    /// Whether the map changed since it was last looked at.
    pub map_changed: bool,
    /// Whether fires can start.
    pub fires: bool,
    /// Where the wind blows to; `None` for a calm: then fire stays where it is and makes no smoke beside it.
    pub wind: Option<Facing>,
    /// Turns for which gel still burns on each mech.
    gel: Vec<u8>,
    /// Who has pushed its MASC in this turn.
    masc_used: Vec<bool>,
    /// Who has put a beacon on whom.
    pub beacons: Vec<Vec<bool>>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One is left, or has more left after the last turn.
    Winner(usize),
    /// Nobody, or equals.
    Draw,
}

/// Somebody who decides for a mech.
pub trait Player {
    /// What to do now.
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action;
}

impl<F: FnMut(&Game, usize, Phase) -> Action> Player for F {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        self(game, who, phase)
    }
}

impl Game {
    /// A game of these designs on this map, everybody somewhere.
    pub fn new(book: bool, map: MapFile, designs: &[Design], seed: u64) -> Self {
        let profile = if book { &Profile::BOOK } else { &Profile::UGR };
        let mut dice = Dice::new(seed, profile.faces);
        let tiles = map.tiles();
        let mut mechs: Vec<Mech> = Vec::new();
        for design in designs {
            let mut mech = design.mech.clone();
            // The simulator draws rows and columns up to the last but one, and facings 1 to 5.
            for _ in 0..10_000 {
                let col = dice.below(u32::from(map.cols.max(2)) - 1) as u8;
                let row = dice.below(u32::from(map.rows.max(2)) - 1) as u8;
                mech.hex = Hex::new(col, row);
                let tile = map.view(&tiles).tile(mech.hex);
                if tile.depth() < 2 && mechs.iter().all(|other| other.hex != mech.hex) {
                    break;
                }
            }
            mech.facing = Facing::from_index(dice.below(5) as u8);
            mech.torso = mech.facing;
            dice.say(|| format!("{} starts at {} facing {}", design.name, mech.hex, mech.facing));
            mechs.push(mech);
        }
        let wind = Facing::from_index(dice.below(6) as u8);
        dice.say(|| format!("the wind blows {wind}"));
        let mut game = Self::from_parts(profile, map, tiles, mechs, dice);
        game.turn = 0;
        game.wind = Some(wind);
        game.layouts = designs.iter().map(|design| design.layout.clone()).collect();
        game.names = designs.iter().enumerate().map(|(at, design)| format!("{} ({at})", design.name)).collect();
        game
    }

    /// A game in the middle, from parts that somebody else keeps: enough to look at and to check actions with.
    pub fn from_parts(profile: &'static Profile, map: MapFile, tiles: Vec<u32>, mechs: Vec<Mech>, dice: Dice) -> Self {
        Self {
            profile,
            tiles,
            map,
            layouts: vec![Layout::default(); mechs.len()],
            names: (0..mechs.len()).map(|at| format!("mech {at}")).collect(),
            order: (0..mechs.len()).collect(),
            turn: 1,
            dice,
            refused: Vec::new(),
            decisions: Vec::new(),
            pending: Vec::new(),
            wounded_to_death: vec![false; mechs.len()],
            begun: mechs.iter().map(|mech| mech.hex).collect(),
            gel: vec![0; mechs.len()],
            masc_used: vec![false; mechs.len()],
            beacons: vec![vec![false; mechs.len()]; mechs.len()],
            mechs,
            map_changed: false,
            fires: true,
            wind: None,
        }
    }

    /// The map for the rules.
    pub fn view(&self) -> Map<'_> {
        self.map.view(&self.tiles)
    }

    /// The map's bytes as the agent loads them.
    pub fn load_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.map.rows, self.map.cols, 0, 0];
        bytes.extend(self.tiles.iter().flat_map(|tile| tile.to_le_bytes()));
        bytes
    }

    /// The state as the agent is asked about it.
    pub fn state(&self, who: usize, phase: Phase) -> State {
        let mut state = State::new();
        state.head = Head {
            book: *self.profile == Profile::BOOK,
            phase,
            me: who as u8,
            turn: self.turn,
            mechs: self.mechs.len() as u8,
        };
        for mech in &self.mechs {
            let _ = state.mechs.push(mech.clone());
        }
        state
    }

    /// Plays a whole game.
    pub fn play(&mut self, players: &mut [&mut dyn Player]) -> Verdict {
        loop {
            if let Some(verdict) = self.play_turn(players) {
                return verdict;
            }
        }
    }

    /// Plays a turn; gives the verdict if the game is over: one or nobody is left, or it was the last turn.
    pub fn play_turn(&mut self, players: &mut [&mut dyn Player]) -> Option<Verdict> {
        self.begin_turn();
        for phase in Phase::ALL {
            self.play_phase(phase, players);
            if phase == Phase::Physical {
                self.heat_phase();
            }
            if let Some(verdict) = self.verdict() {
                return Some(self.end(verdict));
            }
        }
        (self.turn >= LAST_TURN).then(|| self.end(self.verdict_by_points()))
    }

    fn end(&mut self, verdict: Verdict) -> Verdict {
        let text = format!("the game is over in turn {}: {}", self.turn, self.verdict_text(verdict));
        self.dice.say(|| text);
        verdict
    }

    /// A verdict in words.
    pub fn verdict_text(&self, verdict: Verdict) -> String {
        match (verdict, self.alive().len()) {
            (Verdict::Draw, 0) => "nobody is left, a draw".to_owned(),
            (Verdict::Draw, _) => "a draw, several have as much armour and structure left".to_owned(),
            (Verdict::Winner(who), 0 | 1) => format!("{} wins", self.names[who]),
            (Verdict::Winner(who), _) => {
                let points = self.mechs[who].points_left();
                format!("{} wins with the most armour and structure left, {points} points", self.names[who])
            }
        }
    }

    /// Starts a turn: initiative.
    pub fn begin_turn(&mut self) {
        self.turn += 1;
        let turn = self.turn;
        self.dice.say(|| format!("turn {turn}"));
        self.roll_initiative();
        for (mech, used) in self.mechs.iter_mut().zip(&mut self.masc_used) {
            // A turn without it and MASC has cooled down.
            mech.masc_turns = if core::mem::take(used) { mech.masc_turns } else { 0 };
            mech.hurt = 0;
            mech.fired = 0;
            mech.heating = 0;
            mech.has_moved = false;
            mech.spent = 0;
        }
    }

    fn roll_initiative(&mut self) {
        let count = self.mechs.len();
        if self.profile.initiative_rolled {
            let mut rolls: Vec<u8>;
            loop {
                rolls = (0..count).map(|who| self.dice.two(&format!("initiative of {}", self.names[who]))).collect();
                let mut sorted = rolls.clone();
                sorted.sort_unstable();
                sorted.dedup();
                if sorted.len() == count || count > 6 {
                    break;
                }
            }
            self.order.sort_by_key(|&who| rolls[who]);
        } else {
            for at in (1..count).rev() {
                let with = self.dice.below(at as u32 + 1) as usize;
                self.order.swap(at, with);
            }
        }
        let text = format!("  order of play: {:?}", self.order);
        self.dice.say(|| text);
    }

    /// Plays a phase in which players are asked.
    pub fn play_phase(&mut self, phase: Phase, players: &mut [&mut dyn Player]) {
        self.dice.say(|| format!(" {}", phase.name()));
        let mut order = self.order.clone();
        if phase == Phase::Reaction {
            order.reverse();
        }
        match phase {
            Phase::Movement => {
                for who in order {
                    self.begin_move(who);
                    // A fall with points left gives another go; each costs points, so that it ends.
                    while self.may_act(who, phase) {
                        let action = self.ask(players, who, phase);
                        self.perform_move(who, &action);
                    }
                    self.mechs[who].has_moved = true;
                }
            }
            Phase::Reaction => {
                for who in order {
                    if !self.may_act(who, phase) {
                        continue;
                    }
                    if let Action::Twist(sides) = self.ask(players, who, phase) {
                        let mech = &mut self.mechs[who];
                        mech.torso = mech.facing.turned((6 + sides) as u8 % 6);
                        let line = format!("  {} turns the torso {}", self.names[who], self.mechs[who].torso);
                        self.dice.say(|| line);
                    }
                }
            }
            Phase::Weapons => {
                let mut volleys = Vec::new();
                for &who in &order {
                    self.refresh_cover(who);
                    if self.may_act(who, phase) {
                        let action = self.ask(players, who, phase);
                        volleys.push(self.declare_fire(who, &action));
                    }
                }
                for volley in volleys {
                    self.resolve_volley(&volley);
                }
                self.settle_piloting();
            }
            Phase::Physical => {
                let mut declared = Vec::new();
                for &who in &order {
                    if self.may_act(who, phase) {
                        let action = self.ask(players, who, phase);
                        declared.extend(self.declare_blows(who, &action));
                    }
                }
                for blow in declared {
                    self.resolve_blow(blow);
                }
                self.settle_piloting();
            }
            Phase::End => {
                self.eject_armed();
                for &who in &order {
                    if self.may_act(who, phase) {
                        let action = self.ask(players, who, phase);
                        self.end_turn_of(who, &action);
                    }
                }
                self.end_of_turn();
            }
        }
    }

    /// Asks a player and checks the answer; what is refused becomes nothing.
    fn ask(&mut self, players: &mut [&mut dyn Player], who: usize, phase: Phase) -> Action {
        let action = players[who].act(self, who, phase);
        if self.dice.keep {
            self.decisions.push(Decision { who, phase, action: action.clone() });
        }
        match check(self, who, phase, &action) {
            Ok(()) => action,
            Err(reason) => {
                let line = format!("  {}: action refused: {reason}", self.names[who]);
                self.dice.say(|| line);
                self.refused.push((who, format!("turn {}, {}: {reason}", self.turn, phase.name())));
                Action::nothing(phase)
            }
        }
    }

    /// Whether a player is asked in this phase.
    pub fn may_act(&self, who: usize, phase: Phase) -> bool {
        let mech = &self.mechs[who];
        if !mech.can_act() {
            return false;
        }
        match phase {
            Phase::Movement => {
                !mech.has_moved
                    && !mech.stuck
                    && (mech.walk_points() > 0 || mech.run_points() > 0 || mech.jump_points(&self.view()) > 0)
            }
            Phase::Reaction | Phase::End => true,
            Phase::Weapons => mech.is_armed(),
            Phase::Physical => !mech.prone && mech.club < 3 && Blow::ALL.into_iter().any(|blow| limb_ready(mech, blow)),
        }
    }

    /// Who is still there.
    pub fn alive(&self) -> Vec<usize> {
        (0..self.mechs.len()).filter(|&who| self.mechs[who].operational).collect()
    }

    /// The verdict, if the game is over.
    pub fn verdict(&self) -> Option<Verdict> {
        // The simulator forgets to take pilots who died of their wounds off its count of players. Then the game goes on
        // to its last turn with one mech on the field.
        let counted = !self.profile.pilot_death_counts && self.wounded_to_death.contains(&true);
        match self.alive().as_slice() {
            [] => Some(Verdict::Draw),
            [one] if !counted => Some(Verdict::Winner(*one)),
            _ => None,
        }
    }

    /// The verdict after the last turn: most armour and structure left.
    pub fn verdict_by_points(&self) -> Verdict {
        let points: Vec<_> = self.alive().into_iter().map(|who| (self.mechs[who].points_left(), who)).collect();
        let most = points.iter().map(|(points, _)| *points).max();
        match points.iter().filter(|(points, _)| Some(*points) == most).collect::<Vec<_>>().as_slice() {
            [(_, who)] => Verdict::Winner(*who),
            _ => Verdict::Draw,
        }
    }

    fn begin_move(&mut self, who: usize) {
        let mech = &mut self.mechs[who];
        self.begun[who] = mech.hex;
        mech.mode = Mode::Still;
        mech.moved = 0;
        if mech.stuck && mech.can_act() {
            let need = mech.piloting_need(0);
            let name = self.names[who].clone();
            if self.dice.test(&format!("{name} pulls itself out of the swamp"), need) {
                self.mechs[who].stuck = false;
            }
        }
    }

    /// A one-shot launcher is empty after its shot.
    fn spend_one_shot(&mut self, who: usize, weapon: usize) {
        let weapon = &mut self.mechs[who].weapons[weapon];
        if matches!(weapon.kind().special, Special::OneShot | Special::StreakOneShot) {
            weapon.works = false;
        }
    }
}
