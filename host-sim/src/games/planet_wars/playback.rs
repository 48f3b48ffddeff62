//! The contest's playback string: a whole game in one line of text, for its viewers and for `rival replay`.

use core::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::planet_wars::{Fleet, Owner, State};

use super::map::Map;

/// Writes a playback while a game is played, in the form of the contest's Java engine: every frame ends in a colon.
#[derive(Clone, Debug)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// Begins with the map.
    pub fn new(map: &Map) -> Self {
        let planet = |(planet, (x, y)): (&rival_core::games::planet_wars::Planet, &(f64, f64))| {
            format!("{x:?},{y:?},{},{},{}", planet.owner as u8, planet.ships, planet.growth)
        };
        let planets: Vec<String> = map.state.planets().iter().zip(&map.coordinates).map(planet).collect();
        Self { text: planets.join(":") + "|" }
    }

    /// Adds the state after a turn.
    pub fn frame(&mut self, state: &State) {
        let mut items: Vec<String> =
            state.planets().iter().map(|planet| format!("{}.{}", planet.owner as u8, planet.ships)).collect();
        for fleet in state.fleets() {
            let Fleet { owner, ships, source, destination, total, remaining } = *fleet;
            items.push(format!("{}.{ships}.{source}.{destination}.{total}.{remaining}", owner as u8));
        }
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{}:", items.join(","));
    }

    /// The whole string.
    pub fn finish(self) -> String {
        self.text + "\n"
    }
}

/// A game read from a playback: the map, then the state after each turn.
#[derive(Clone, Debug)]
pub struct Playback {
    /// The map.
    pub map: Map,
    /// State after each turn.
    pub frames: Vec<State>,
}

impl Playback {
    /// Reads a playback in the form of either engine.
    pub fn parse(text: &str) -> Result<Self> {
        let (head, frames) = text.trim().split_once('|').context("a playback has a `|` after its planets")?;
        let mut lines = String::new();
        for planet in head.split(':') {
            let _ = writeln!(lines, "P {}", planet.replace(',', " "));
        }
        let map = Map::parse(&lines).context("the planets of the playback")?;
        let frames = frames.split(':').filter(|frame| !frame.is_empty()).enumerate();
        let frames = frames
            .map(|(index, frame)| Self::parse_frame(&map, frame).with_context(|| format!("turn {}", index + 1)))
            .collect::<Result<_>>()?;
        Ok(Self { map, frames })
    }

    /// The state at the start and after every turn.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        core::iter::once(&self.map.state).chain(&self.frames)
    }

    fn parse_frame(map: &Map, frame: &str) -> Result<State> {
        let mut planets = map.state.planets().to_vec();
        let mut fleets = Vec::new();
        let mut slots = planets.iter_mut();
        for item in frame.split(',').filter(|item| !item.is_empty()) {
            let numbers = item.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
            let owner = |number: u32| u8::try_from(number).ok().and_then(Owner::new).context("no such owner");
            match (slots.next(), numbers.as_slice()) {
                (Some(planet), &[number, ships]) => (planet.owner, planet.ships) = (owner(number)?, ships),
                (None, &[number, ships, source, destination, total, remaining]) => {
                    let [source, destination, total, remaining] =
                        [source, destination, total, remaining].map(|number| number.min(255) as u8);
                    fleets.push(Fleet { owner: owner(number)?, ships, source, destination, total, remaining });
                }
                _ => bail!("{item:?} is neither a planet nor a fleet"),
            }
        }
        ensure!(slots.next().is_none(), "planets are missing");
        fleets.retain(|fleet| fleet.ships > 0);
        Ok(State::new(planets, fleets)?)
    }

    /// A picture of both players' ships over the turns.
    pub fn svg(&self) -> String {
        use rival_core::games::planet_wars::Player;
        const WIDE: f64 = 800.0;
        const HIGH: f64 = 400.0;
        const EDGE: f64 = 40.0;
        // Room for the players' names, where no line runs through them.
        const NAMES: f64 = 110.0;
        let states: Vec<&State> = self.states().collect();
        let most = states.iter().flat_map(|state| Player::BOTH.map(|player| state.ships(player))).max().unwrap_or(1);
        let turns = states.len().saturating_sub(1).max(1);
        let x = |turn: usize| EDGE + (WIDE - EDGE - NAMES) * turn as f64 / turns as f64;
        let y = |ships: u32| HIGH - EDGE - (HIGH - 2.0 * EDGE) * f64::from(ships) / f64::from(most.max(1));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {HIGH}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <path d=\"M{EDGE} {EDGE}V{0}H{1}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{EDGE}\" y=\"{2}\">{most} ships</text>\n\
             <text x=\"{1}\" y=\"{3}\" text-anchor=\"end\">turn {turns}</text>\n",
            HIGH - EDGE,
            WIDE - NAMES,
            EDGE - 8.0,
            HIGH - EDGE + 20.0,
        );
        for (player, colour) in Player::BOTH.into_iter().zip(["#c0392b", "#2471a3"]) {
            let points: Vec<String> = states
                .iter()
                .enumerate()
                .map(|(turn, state)| format!("{:.1},{:.1}", x(turn), y(state.ships(player))))
                .collect();
            let last = states.last().map_or(0, |state| state.ships(player));
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">player {}: {last}</text>",
                points.join(" "),
                WIDE - NAMES + 6.0,
                y(last).clamp(EDGE, HIGH - EDGE) + 4.0,
                player as u8
            );
        }
        text + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANETS: &str = "0.0,0.0,1,100,5:7.25,3.0,2,100,5";

    #[test]
    fn a_game_is_written_as_the_java_engine_writes_it() {
        let map = Map::parse("P 0 0 1 100 5\nP 7.25 3 2 100 5\n").unwrap();
        let after = Map::parse("P 0 0 1 95 5\nP 7.25 3 2 105 5\nF 1 10 0 1 8 7\n").unwrap();
        let mut writer = Writer::new(&map);
        writer.frame(&after.state);
        writer.frame(&map.state);
        assert_eq!(writer.finish(), format!("{PLANETS}|1.95,2.105,1.10.0.1.8.7:1.100,2.100:\n"));
    }

    #[test]
    fn both_engines_forms_are_read() {
        let java = Playback::parse(&format!("{PLANETS}|1.95,2.105,1.10.0.1.8.7:1.100,2.100:\n")).unwrap();
        let python = Playback::parse(&format!("{PLANETS}|1.95,2.105,1.10.0.1.8.7:1.100,2.100,")).unwrap();
        assert_eq!(java.frames, python.frames);
        assert_eq!((java.frames.len(), java.states().count()), (2, 3));
        assert_eq!(java.frames[0].fleets().len(), 1);
    }

    #[test]
    fn what_is_no_playback_is_refused() {
        let broken =
            ["", "x", "0,0,1,5,5|1.5.5:", "0,0,1,5,5|9.5:", "0,0,1,5,5:1,1,2,5,5|1.5:", "0,0,1,5,5|1.5,1.2.3:", "|"];
        for text in broken {
            assert!(Playback::parse(text).is_err(), "{text:?}");
        }
    }
}
