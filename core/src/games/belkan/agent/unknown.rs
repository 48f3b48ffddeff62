//! Level 4: where to go on a map that is not known yet, one question after the other.

use super::{BelkanAgent, Purpose, Stage};
use crate::agent::Workspace;
use crate::games::belkan::graph::Goal;
use crate::games::belkan::policy::{Leg, Outlook, Seen, stretch};
use crate::games::belkan::rules::{Action, Terrain};

impl BelkanAgent {
    pub(super) fn begin_unknown(&mut self, workspace: &mut Workspace) {
        if self.seen_edition != self.knowledge.map.edition() {
            self.seen_edition = self.knowledge.map.edition();
            self.seen = Seen::NOTHING;
            for place in self.knowledge.map.places() {
                self.seen.add(self.knowledge.map.get(place));
            }
        }
        self.outlook = Outlook::new(&self.sensors, &self.knowledge, &self.tuning, &self.seen);
        if self.sensors.place == self.sensors.target && self.sensors.life > 0 {
            // Scored in this very tick; the sensors still show the old target.
            self.plan.clear();
            self.action = stretch(&self.sensors, self.knowledge.outfit);
            self.stage = Stage::Settled;
            if self.outlook.is_poor() || self.sensors.terrain[0] == Terrain::Charger && self.outlook.deficit() > 0 {
                self.rest();
            }
            return;
        }
        if self.sensors.terrain[0] == Terrain::Charger && self.outlook.battery < self.outlook.full() {
            self.plan.clear();
            self.rest();
            return;
        }
        let stands = self.decision_stands();
        let in_the_way = self.plan.peek() == Some(Action::Forward) && self.villager_ahead();
        self.metric = self.outlook.metric(&self.tuning);
        self.outlook.set_prices(&self.tuning, &mut self.prices);
        let price = self.plan_price();
        let expected = core::mem::replace(&mut self.plan_expected, price);
        if stands && !in_the_way && price <= expected {
            let news = self.knowledge.map.edition().wrapping_sub(self.plan_edition);
            let leads_on = self.purpose != Purpose::Unknown || news == 0;
            if news < self.tuning.news && leads_on {
                self.waited = 0;
                self.follow();
                return;
            }
        }
        if stands {
            self.send(Stage::Again, self.here(), self.plan_goal, None, workspace);
        } else {
            self.deliberate(workspace);
        }
    }

    /// Whether the decision where to go still stands: made for this target, with the same landmarks known and the same
    /// outfit on, and not long ago.
    fn decision_stands(&self) -> bool {
        self.plan.len() > 0
            && self.plan_target == self.sensors.target
            && self.plan_landmarks == self.landmarks()
            && self.plan_outfit == self.knowledge.outfit
            && self.plan_life.saturating_sub(self.sensors.life) < self.tuning.stale
    }

    /// The gifts and chargers that are known, other than what the player stands on.
    pub(super) fn landmarks(&self) -> u8 {
        self.seen.landmarks(self.sensors.terrain[0])
    }

    /// What the rest of the plan costs on the map as it is now known; `u32::MAX` if it is barred.
    fn plan_price(&self) -> u32 {
        let map = &self.knowledge.map;
        let (mut place, mut heading, mut outfit) = (self.sensors.place, self.sensors.heading, self.knowledge.outfit);
        let mut price = 0;
        for action in self.plan.actions() {
            let Some(cell) = map.cell(place) else { return u32::MAX };
            match action {
                Action::Left => heading = heading.left(),
                Action::Right => heading = heading.right(),
                _ => {
                    place = place.towards(heading, 1, 0);
                    let ahead = map.get(place);
                    if !ahead.is_passable() {
                        return u32::MAX;
                    }
                    outfit = outfit.with(ahead.gift());
                }
            }
            price += self.prices.of(map.code(cell), outfit);
        }
        price
    }

    /// Cells on the plan's way with nothing known beside.
    fn fresh_cells(&self) -> u32 {
        let map = &self.knowledge.map;
        let (mut place, mut heading, mut fresh) = (self.sensors.place, self.sensors.heading, 0);
        for action in self.plan.actions() {
            match action {
                Action::Left => heading = heading.left(),
                Action::Right => heading = heading.right(),
                _ => {
                    place = place.towards(heading, 1, 0);
                    fresh += u32::from(map.cell(place).is_some_and(|cell| map.code(cell) == Terrain::Unknown as u8));
                }
            }
        }
        fresh
    }

    /// Decides where to go, from the start.
    fn deliberate(&mut self, workspace: &mut Workspace) {
        self.plan.clear();
        match self.knowledge.map.cell(self.sensors.target) {
            Some(goal) => self.send(Stage::Target, self.here(), Goal::Cell(goal), None, workspace),
            None => self.rest(),
        }
    }

    fn goal(&self) -> Goal {
        Goal::Cell(self.knowledge.map.cell(self.sensors.target).unwrap_or(0))
    }

    /// A search of level 4 is over: what next?
    // Out of line: inlined into the step, it took registers from the search (1 % of its instructions).
    #[inline(never)]
    pub(super) fn advance_unknown(&mut self, workspace: &mut Workspace) {
        match self.stage {
            Stage::Target => {
                self.to_target = self.leg(workspace);
                if !self.to_target.found {
                    // Closed off, as far as is known: look for another way.
                    self.send(Stage::Unknown, self.here(), Goal::UNKNOWN, None, workspace);
                    return;
                }
                self.adopt(Purpose::Target, workspace);
                let end = self.end();
                let outlook = self.outlook;
                if self.seen.charger && outlook.deficit() > 0 {
                    let charger = Goal::terrain(Terrain::Charger);
                    self.send(Stage::TargetOn, end, charger, None, workspace);
                } else if outlook.is_poor() {
                    self.send(Stage::View, self.here(), Goal::View(self.tuning.view), None, workspace);
                } else {
                    self.try_gift(workspace);
                }
            }
            Stage::TargetOn => {
                let on = self.leg(workspace);
                self.must_charge = !self.outlook.affords(&self.tuning, self.to_target, on);
                if self.must_charge || self.outlook.charging_pays(&self.tuning, 0) {
                    self.send(Stage::Charger, self.here(), Goal::terrain(Terrain::Charger), None, workspace);
                } else {
                    self.try_gift(workspace);
                }
            }
            Stage::Charger => {
                self.to_charger = self.leg(workspace);
                if !self.to_charger.found {
                    self.try_gift(workspace);
                } else if self.must_charge {
                    self.adopt(Purpose::Charger, workspace);
                    self.set_out(workspace);
                } else {
                    let end = self.end();
                    self.send(Stage::ChargerOn, end, self.goal(), None, workspace);
                }
            }
            Stage::ChargerOn => {
                let on = self.leg(workspace);
                let detour = (self.to_charger.ticks + on.ticks).saturating_sub(self.to_target.ticks);
                if on.found && self.outlook.charging_pays(&self.tuning, detour) {
                    // Only the last way is kept, so the way to the charger is searched again.
                    self.must_charge = true;
                    self.send(Stage::Charger, self.here(), Goal::terrain(Terrain::Charger), None, workspace);
                } else {
                    self.try_gift(workspace);
                }
            }
            Stage::Gift => {
                self.to_gift = self.leg(workspace);
                if self.to_gift.found {
                    let end = self.end();
                    self.send(Stage::GiftOn, end, self.goal(), None, workspace);
                } else {
                    self.set_out(workspace);
                }
            }
            Stage::GiftOn => {
                let on = self.leg(workspace);
                let ticks = (self.to_gift.ticks + on.ticks).saturating_sub(self.to_target.ticks);
                let battery = (self.to_gift.battery + on.battery).saturating_sub(self.to_target.battery);
                let worth = self.outlook.gift_worth(&self.tuning, self.gift, &self.seen);
                if on.found && ticks + battery / 10 <= worth {
                    self.send(Stage::GiftWay, self.here(), Goal::terrain(self.gift), None, workspace);
                } else {
                    self.set_out(workspace);
                }
            }
            Stage::GiftWay => {
                if self.search.report().reached {
                    self.adopt(Purpose::Gift, workspace);
                }
                self.set_out(workspace);
            }
            Stage::View => {
                let leg = self.leg(workspace);
                if self.outlook.exploring_pays(&self.tuning, leg, self.to_target, self.fresh_cells()) {
                    self.adopt(Purpose::Unknown, workspace);
                    self.set_out(workspace);
                } else {
                    self.try_gift(workspace);
                }
            }
            Stage::Unknown => {
                if self.search.report().reached {
                    self.adopt(Purpose::Unknown, workspace);
                }
                self.set_out(workspace);
            }
            Stage::Again => {
                let report = self.search.report();
                let margin = u32::from(self.metric.tick + self.metric.battery) * self.tuning.margin;
                if report.reached && report.cost.saturating_add(margin) < self.plan_expected {
                    self.adopt(self.purpose, workspace);
                    self.set_out(workspace);
                } else if report.reached && self.plan_expected != u32::MAX {
                    // Hardly better than the plan at hand: whoever changes plans at every corner goes round in circles.
                    self.plan_edition = self.knowledge.map.edition();
                    self.set_out(workspace);
                } else {
                    self.deliberate(workspace);
                }
            }
            Stage::Around => {
                let leg = self.leg(workspace);
                // Whoever runs out of battery first has time to wait.
                let poor = self.outlook.is_poor();
                let dearer = |a: Leg| if poor { a.battery } else { a.ticks + a.battery / 10 };
                let patience = if poor { 0 } else { self.tuning.villager } + u32::from(self.waited);
                if leg.found && dearer(leg) <= dearer(self.straight) + patience {
                    self.adopt(self.purpose, workspace);
                    self.follow();
                } else {
                    self.waited += 1;
                    self.rest();
                }
            }
            Stage::Settled | Stage::Depth => {}
        }
    }

    fn try_gift(&mut self, workspace: &mut Workspace) {
        let outfit = self.knowledge.outfit;
        for (known, gift) in [(self.seen.bikini, Terrain::Bikini), (self.seen.shoes, Terrain::Shoes)] {
            let underfoot = self.sensors.terrain[0] == gift;
            if known
                && !underfoot
                && !outfit.has(gift.gift())
                && self.outlook.gift_worth(&self.tuning, gift, &self.seen) > 0
            {
                self.gift = gift;
                self.send(Stage::Gift, self.here(), Goal::terrain(gift), None, workspace);
                return;
            }
        }
        self.set_out(workspace);
    }

    /// The plan is made. Is somebody in its way?
    fn set_out(&mut self, workspace: &mut Workspace) {
        if self.plan.peek() == Some(Action::Forward) && self.villager_ahead() {
            let ahead = self.sensors.place.towards(self.sensors.heading, 1, 0);
            // The way that is blocked was the last one found.
            self.straight = self.leg(workspace);
            let blocked = self.knowledge.map.cell(ahead);
            self.send(Stage::Around, self.here(), self.plan_goal, blocked, workspace);
        } else {
            self.waited = 0;
            self.follow();
        }
    }
}
