//! The world as it is: the referee, tick for tick as the original.

use rival_core::games::belkan::{
    Action, CONE, Event, FULL_BATTERY, Figure, Heading, LIFETIME, Map, Place, Player, Sensors,
};
use thiserror::Error;

use super::glibc::Rand;

/// Somebody who walks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Villager {
    /// Where.
    pub place: Place,
    /// Looking where.
    pub heading: Heading,
}

/// A game to be played, as the batch program's arguments.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Seed of everything random.
    pub seed: u32,
    /// 1 to 4.
    pub level: u8,
    /// Start; `None` draws one.
    pub start: Option<Place>,
    /// Where the player looks first.
    pub heading: Heading,
    /// Pairs as on the command line. The first one is the second target too, and as the first target it is transposed.
    pub targets: Vec<Place>,
}

/// Why a game cannot be played.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SetupError {
    /// Nobody can stand there.
    #[error("the start is a wall or a precipice")]
    Start,
    /// There has to be one.
    #[error("there is no target")]
    NoTarget,
    /// 1 to 4.
    #[error("there is no such level")]
    Level,
}

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Targets reached.
    pub goals: u32,
    /// Ticks left.
    pub life: u16,
    /// Battery left.
    pub battery: u16,
    /// Bumps into walls and villagers.
    pub collisions: u32,
    /// Falls.
    pub deaths: u32,
}

/// The world. Each tick: [`World::sense`], then [`World::act`], until it [is over](World::is_over).
#[derive(Clone, Debug)]
pub struct World {
    map: Map,
    rand: Rand,
    level: u8,
    player: Player,
    villagers: Vec<Villager>,
    target: Place,
    /// Targets to come before they are drawn.
    list: std::collections::VecDeque<Place>,
    life: u16,
    done: bool,
    over: bool,
    collision: bool,
    reset: bool,
    goals: u32,
    collisions: u32,
    deaths: u32,
    game: u16,
}

impl World {
    /// Sets a game up, drawing in the order of the original.
    pub fn new(map: &Map, setup: &Setup) -> Result<Self, SetupError> {
        if !(1..=4).contains(&setup.level) {
            return Err(SetupError::Level);
        }
        let &first = setup.targets.first().ok_or(SetupError::NoTarget)?;
        let mut rand = Rand::new(setup.seed);
        if setup.level == 4 {
            // Targets for the original's window, which this program never uses.
            for _ in 0..200 {
                draw_place(&mut rand, map);
            }
        }
        let start = match setup.start {
            Some(start) => {
                rand.next();
                rand.next();
                start
            }
            None => draw_place(&mut rand, map),
        };
        if !map.get(start).is_passable() {
            return Err(SetupError::Start);
        }
        rand.next();
        let mut villagers: Vec<Villager> = Vec::new();
        if setup.level == 4 {
            for _ in 0..map.size() / 10 {
                let place = loop {
                    let place = draw_place(&mut rand, map);
                    if place != start && villagers.iter().all(|villager| villager.place != place) {
                        break place;
                    }
                };
                villagers.push(Villager { place, heading: Heading::North });
            }
        }
        Ok(Self {
            map: map.clone(),
            rand: Rand::new(setup.seed),
            level: setup.level,
            player: Player { place: start, heading: setup.heading, battery: FULL_BATTERY, ..Player::default() },
            villagers,
            target: Place::new(first.column, first.row),
            list: setup.targets.iter().copied().take(2).collect(),
            life: LIFETIME,
            done: false,
            over: false,
            collision: false,
            reset: false,
            goals: 0,
            collisions: 0,
            deaths: 0,
            game: setup.seed as u16,
        })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The player.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The villagers, in the order in which they move.
    pub fn villagers(&self) -> &[Villager] {
        &self.villagers
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// How it went so far.
    pub fn score(&self) -> Score {
        Score {
            goals: self.goals,
            life: self.life,
            battery: self.player.battery,
            collisions: self.collisions,
            deaths: self.deaths,
        }
    }

    fn occupied(&self, place: Place) -> Figure {
        if self.player.place == place {
            Figure::Player
        } else if self.villagers.iter().any(|villager| villager.place == place) {
            Figure::Villager
        } else {
            Figure::Nobody
        }
    }

    /// Begins a tick: a tick of life is gone, a reached target is scored, and the player is told.
    pub fn sense(&mut self) -> Sensors {
        self.life = self.life.saturating_sub(1);
        if self.player.place == self.target && !self.done {
            self.goals += 1;
            self.done = true;
        } else if self.player.battery == 0 || self.life == 0 {
            self.done = true;
        }
        let Player { place, heading, battery, .. } = self.player;
        let cone = CONE.map(|(ahead, aside)| place.towards(heading, ahead, aside));
        Sensors {
            game: self.game,
            level: self.level,
            size: self.map.size(),
            life: self.life,
            battery,
            collision: self.collision,
            reset: self.reset,
            place,
            heading,
            target: self.target,
            terrain: cone.map(|place| self.map.get(place)),
            figures: cone.map(|place| self.occupied(place)),
        }
    }

    /// Ends a tick with the player's action.
    pub fn act(&mut self, action: Action) {
        self.collision = false;
        self.reset = false;
        let here = self.map.get(self.player.place);
        let ahead = self.player.place.towards(self.player.heading, 1, 0);
        let (event, price) = self.player.act(action, here, self.map.get(ahead), self.occupied(ahead) != Figure::Nobody);
        match event {
            Event::Occupied | Event::Wall => {
                self.collision = true;
                self.collisions += 1;
            }
            Event::Fell => self.fall(),
            Event::Done | Event::Exhausted => {}
        }
        for index in 0..self.villagers.len() {
            self.walk(index);
        }
        self.player.pay(price);
        self.over = self.life == 0 || self.player.battery == 0 || (self.done && self.level < 4);
        if self.done && !self.over {
            self.target = self.list.pop_front().unwrap_or_else(|| draw_place(&mut self.rand, &self.map));
            self.done = false;
        }
    }

    /// One draw for each villager: 0 and 8 stand, 1 left, 2 right, 3 to 7 ahead.
    fn walk(&mut self, index: usize) {
        let draw = self.rand.below(9);
        let villager = self.villagers[index];
        match draw {
            1 => self.villagers[index].heading = villager.heading.left(),
            2 => self.villagers[index].heading = villager.heading.right(),
            3..=7 => {
                let ahead = villager.place.towards(villager.heading, 1, 0);
                if self.map.get(ahead).is_passable() && self.occupied(ahead) == Figure::Nobody {
                    self.villagers[index].place = ahead;
                }
            }
            _ => {}
        }
    }

    /// The original looks for a cell to put the player on again, and asks for an occupied one where it means a free
    /// one; the player's own cell will do. Then the game is over.
    fn fall(&mut self) {
        let place = loop {
            let place = draw_place(&mut self.rand, &self.map);
            if self.occupied(place) != Figure::Nobody {
                break place;
            }
        };
        self.player.place = place;
        self.player.heading = Heading::North;
        self.collisions = 0;
        if self.life != 0 {
            self.deaths += 1;
        }
        self.life = 0;
        self.done = false;
        self.reset = true;
    }
}

/// A cell that somebody can stand on: row, then column, until there is one.
fn draw_place(rand: &mut Rand, map: &Map) -> Place {
    let size = u32::from(map.size());
    loop {
        let row = rand.below(size) as u8;
        let place = Place::new(row, rand.below(size) as u8);
        if map.get(place).is_passable() {
            return place;
        }
    }
}
