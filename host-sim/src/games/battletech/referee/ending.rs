//! Heat, and the end of the turn.

use rival_core::games::battletech::Action;
use rival_core::games::battletech::equipment::Charge;
use rival_core::games::battletech::heat::{IN_FIRE, after, explosion_need, inferno_need, shutdown_need};
use rival_core::games::battletech::mech::HOTTEST;

use super::Game;
use super::criticals::wake_need;

impl Game {
    /// The heat phase.
    pub fn heat_phase(&mut self) {
        self.dice.say(|| " heat".into());
        for who in self.order.clone() {
            if !self.mechs[who].operational {
                continue;
            }
            let gel = self.burn_gel(who);
            let map = self.view();
            let burning = gel + if map.tile(self.mechs[who].hex).fire() { IN_FIRE } else { 0 };
            let mech = &self.mechs[who];
            let made = mech.heating.saturating_add(mech.engine_heat()).saturating_add(burning);
            let heat = after(mech.heat, made, mech.cooling(&map)).min(HOTTEST);
            let line = format!("  {}: {} + {made} - {} = {heat}", self.names[who], mech.heat, mech.cooling(&map));
            self.dice.say(|| line);
            self.mechs[who].heat = heat;
            self.mechs[who].heating = 0;
            self.roll_reactor(who);
            self.roll_ammunition(who, explosion_need(self.profile, heat), false);
            self.roll_ammunition(who, inferno_need(heat), true);
            if self.profile.heat_wounds && self.mechs[who].no_life_support && heat >= 15 {
                self.wound(who, 1 + u8::from(heat >= 26));
            }
        }
    }

    /// Whether hot ammunition goes off: the bin with the most damage a round, then with the most rounds. Inferno rounds
    /// have a roll of their own.
    fn roll_ammunition(&mut self, who: usize, need: Option<u8>, inferno: bool) {
        let (Some(need), bins) = (need, &self.mechs[who].bins) else { return };
        let worst = (0..bins.len())
            .filter(|&at| bins[at].works && bins[at].rounds > 0 && bins[at].blast() > 0)
            .filter(|&at| !inferno || bins[at].load().charge == Charge::Inferno)
            .max_by_key(|&at| (bins[at].blast(), bins[at].rounds, core::cmp::Reverse(at)));
        let what = if inferno { "the inferno rounds" } else { "the ammunition" };
        if let Some(bin) = worst
            && self.mechs[who].operational
            && !self.dice.test(&format!("{what} of {} stay cool", self.names[who]), i32::from(need))
        {
            self.explode(who, bin);
        }
    }

    fn roll_reactor(&mut self, who: usize) {
        let (heat, off) = (self.mechs[who].heat, self.mechs[who].shut_down);
        let stays = match shutdown_need(heat) {
            None => true,
            Some(99) => false,
            Some(need) => {
                let what = if off { "starts its reactor again" } else { "keeps its reactor running" };
                self.dice.test(&format!("{} {what}", self.names[who]), i32::from(need))
            }
        };
        if !stays && !off {
            let line = format!("  {} shuts down", self.names[who]);
            self.dice.say(|| line);
            // The last thing that it does under power: after this a shut-down mech fails every roll.
            self.pilot(who, 3, "a reactor shut down");
        }
        self.mechs[who].shut_down = !stays;
    }

    /// Bins that were armed a turn ago leave.
    pub(super) fn eject_armed(&mut self) {
        for who in 0..self.mechs.len() {
            for bin in &mut self.mechs[who].bins {
                if bin.armed {
                    bin.armed = false;
                    bin.rounds = 0;
                    bin.works = false;
                }
            }
        }
    }

    pub(super) fn end_turn_of(&mut self, who: usize, action: &Action) {
        let Action::End { off, on, drop_club, eject } = action else { return };
        let mech = &mut self.mechs[who];
        mech.sinks_on = mech.sinks_on - off + on;
        mech.sinks_off = mech.sinks_off + off - on;
        if *drop_club {
            mech.club = 0;
        }
        for &bin in eject {
            mech.bins[usize::from(bin)].armed = true;
        }
    }

    /// What happens by itself: sleepers wake, torsos turn back, fires spread.
    pub(super) fn end_of_turn(&mut self) {
        for who in 0..self.mechs.len() {
            let mech = &mut self.mechs[who];
            mech.torso = mech.facing;
            if mech.operational
                && !mech.conscious
                && let Some(need) = wake_need(mech.wounds)
            {
                let awake = self.dice.test(&format!("the pilot of {} wakes up", self.names[who]), need);
                self.mechs[who].conscious = awake;
            }
        }
        if self.fires {
            self.spread_fires();
        }
    }
}
