//! Ground that is shot at or burns: woods, buildings, fire, wind, smoke, and the clubs that ruins leave.

use rival_core::games::battletech::equipment::{Charge, Family, Kind};
use rival_core::games::battletech::map::Object;
use rival_core::games::battletech::{Facing, Hex, Tile};

use super::Game;

/// Woods are hit on more than this.
const WOODS_MISSED: u8 = 5;
/// Turns for which the gel of one inferno missile burns.
const GEL_TURNS: u8 = 3;

impl Game {
    /// Puts a changed tile in its place, for the referee and for everybody who looks at the map.
    pub(super) fn change_tile(&mut self, index: usize, change: impl FnOnce(Tile) -> Tile) {
        let ground = &mut self.map.ground[index];
        let tile = change(ground.tile);
        ground.tile = tile.with_condition(tile.collapsed(), tile.fire(), tile.smoke(), ground.clubs > 0);
        if self.tiles[index] != ground.tile.bits() {
            self.tiles[index] = ground.tile.bits();
            self.map_changed = true;
        }
    }

    /// Adds or takes away clubs that lie in a hex.
    pub(super) fn change_clubs(&mut self, index: usize, by: i8) {
        let clubs = &mut self.map.ground[index].clubs;
        *clubs = clubs.saturating_add_signed(by);
        self.change_tile(index, |tile| tile);
    }

    /// A shot that hits a hex: buildings lose their strength, woods are cleared, and what still stands may catch fire.
    pub(super) fn hit_hex(&mut self, hex: Hex, kind: &Kind, charge: Charge) {
        let index = self.view().index(hex);
        let tile = self.map.ground[index].tile;
        let points = u16::from(kind.damage) * if kind.family == Family::Scatter { 1 } else { u16::from(kind.shots) };
        match tile.object() {
            Object::Building(_) if !tile.collapsed() => self.shell_building(index, points),
            Object::LightWoods | Object::HeavyWoods => {
                if self.clears_woods(index, points) {
                    return;
                }
            }
            _ => return,
        }
        let tile = self.map.ground[index].tile;
        if self.fires && tile.burns() && !tile.fire() {
            let need = self.ignition_need(kind, charge, tile.object());
            if self.dice.test(&format!("{hex} catches fire"), need) {
                self.change_tile(index, |tile| tile.with_fire(true));
            }
        }
    }

    /// Woods that are hit by enough points become one step thinner. Gives whether they did.
    fn clears_woods(&mut self, index: usize, points: u16) -> bool {
        let hex = self.view().hex(index);
        if self.dice.two(&format!("the woods in {hex} are hit on more than {WOODS_MISSED}")) <= WOODS_MISSED
            || points < u16::from(self.dice.two(&format!("the woods in {hex} withstand less than {points}")))
        {
            return false;
        }
        let heavy = self.map.ground[index].tile.woods() == 2;
        let (object, word) = if heavy { (Object::LightWoods, "light woods") } else { (Object::Rubble, "rubble") };
        self.change_tile(index, |tile| tile.with_object(object).with_fire(tile.fire() && heavy));
        self.dice.say(|| format!("  the woods in {hex} become {word}"));
        true
    }

    /// What two dice must show to set a hex on fire: by the weapon, and more for a stronger building.
    pub(super) fn ignition_need(&self, kind: &Kind, charge: Charge, object: Object) -> i32 {
        let [flamer, energy, other] = self.profile.ignite;
        let need = match kind.family {
            // Rounds made for it are as good as a flamer.
            _ if charge == Charge::Incendiary || charge == Charge::Inferno || kind.name == "Flamer" => flamer,
            Family::Energy => energy,
            _ => other,
        };
        let walls = match object {
            Object::Building(class) => class.min(3),
            _ => 0,
        };
        i32::from(need + walls)
    }

    /// A building loses strength; without any left it comes down on whoever is in it.
    fn shell_building(&mut self, index: usize, points: u16) {
        let left = u16::from(self.map.ground[index].factor).saturating_sub(points) as u8;
        self.map.ground[index].factor = left;
        let hex = self.view().hex(index);
        self.dice.say(|| format!("  the building in {hex} has {left} left"));
        if left > 0 {
            return;
        }
        let height = self.map.ground[index].tile.level().max(0) as u8;
        self.collapse(index);
        for who in 0..self.mechs.len() {
            if self.mechs[who].operational && self.mechs[who].hex == hex {
                self.fall(who, height, Some("the building collapses"));
            }
        }
    }

    /// Brings a building down. The ruins of all but the lightest may hold a beam that serves as a club.
    pub(super) fn collapse(&mut self, index: usize) {
        let hex = self.view().hex(index);
        let tile = self.map.ground[index].tile;
        self.map.ground[index].factor = 0;
        self.dice.say(|| format!("  the building in {hex} collapses"));
        self.change_tile(index, |tile| tile.fallen().with_fire(false));
        let need = match tile.object() {
            Object::Building(1) => 7,
            Object::Building(2) => 6,
            Object::Building(3..) => 5,
            _ => return,
        };
        if self.dice.test(&format!("the ruins in {hex} hold a club"), need) {
            self.change_clubs(index, 1);
        }
    }

    /// The end of the turn for everything that burns: fire spreads downwind on 9, to the sides of that on 11, over one
    /// hex on 12; then the smoke drifts.
    pub(super) fn spread_fires(&mut self) {
        let burning: Vec<usize> = (0..self.map.ground.len()).filter(|&at| self.map.ground[at].tile.fire()).collect();
        if let Some(wind) = self.wind {
            for &index in &burning {
                let hex = self.view().hex(index);
                let next = |from: Hex, side: Facing| self.view().neighbour(from, side);
                let ahead = next(hex, wind);
                let reached = [
                    (ahead, 9),
                    (next(hex, wind.turned(1)), 11),
                    (next(hex, wind.turned(5)), 11),
                    (ahead.and_then(|ahead| next(ahead, wind)), 12),
                ];
                for (to, need) in reached {
                    let Some(to) = to else { continue };
                    let at = self.view().index(to);
                    let tile = self.map.ground[at].tile;
                    if tile.burns()
                        && !tile.fire()
                        && self.dice.test(&format!("the fire in {hex} spreads to {to}"), need)
                    {
                        self.change_tile(at, |tile| tile.with_fire(true));
                    }
                }
            }
        }
        self.drift_smoke();
    }

    /// Smoke hangs over the three hexes downwind of every fire, and nowhere else.
    fn drift_smoke(&mut self) {
        let mut smoke = vec![false; self.map.ground.len()];
        if let Some(wind) = self.wind {
            for index in (0..self.map.ground.len()).filter(|&at| self.map.ground[at].tile.fire()) {
                let map = self.view();
                for side in [0, 1, 5] {
                    if let Some(to) = map.neighbour(map.hex(index), wind.turned(side)) {
                        smoke[map.index(to)] = true;
                    }
                }
            }
        }
        for (index, smoke) in smoke.into_iter().enumerate() {
            self.change_tile(index, |tile| tile.with_smoke(smoke));
        }
    }

    /// Burning gel sticks to a mech.
    pub(super) fn set_alight(&mut self, who: usize, missiles: u8) {
        self.gel[who] = self.gel[who].saturating_add(GEL_TURNS * missiles);
        self.mechs[who].burning = self.gel[who] > 0;
        let line = format!("  {} burns for {} turns", self.names[who], self.gel[who]);
        self.dice.say(|| line);
    }

    /// The heat phase's part of burning gel: water puts it out, and it burns down by a turn. Gives its heat.
    pub(super) fn burn_gel(&mut self, who: usize) -> u8 {
        if self.gel[who] == 0 {
            return 0;
        }
        let wet = self.view().tile(self.mechs[who].hex).depth() > 0;
        self.gel[who] = if wet { 0 } else { self.gel[who] - 1 };
        self.mechs[who].burning = self.gel[who] > 0;
        if wet {
            let line = format!("  water puts {} out", self.names[who]);
            self.dice.say(|| line);
            return 0;
        }
        self.profile.inferno_heat
    }
}
