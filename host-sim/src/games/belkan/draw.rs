//! The world as text.

use crossterm::style::{Color, Stylize};
use rival_core::games::belkan::{Action, Figure, Heading, Knowledge, Map, Place, Sensors, Terrain};

/// An arrow for the way somebody looks.
pub(super) const fn arrow(heading: Heading) -> char {
    match heading {
        Heading::North => '^',
        Heading::East => '>',
        Heading::South => 'v',
        Heading::West => '<',
    }
}

/// The sensor cone, the player at the bottom.
pub(super) fn cone(sensors: &Sensors) -> String {
    let mut text = String::new();
    for (depth, first) in [(3, 9), (2, 4), (1, 1), (0, 0)] {
        text.push_str(&"  ".repeat(3 - depth));
        for index in first..=first + 2 * depth {
            let mark = if sensors.figures[index] == Figure::Villager { 'a' } else { ' ' };
            text.push(sensors.terrain[index].letter());
            text.push(mark);
        }
        text.push('\n');
    }
    text + &format!(
        "at row {}, column {}, looking {} for row {}, column {}; battery {}, {} ticks left",
        sensors.place.row,
        sensors.place.column,
        arrow(sensors.heading),
        sensors.target.row,
        sensors.target.column,
        sensors.battery,
        sensors.life
    )
}

/// What the letters mean.
pub(super) const LEGEND: &str =
    "T sand  S stone  A water  B forest  M wall  P precipice  K bikini  D shoes  X charger  a villager  + target";

/// How cells are coloured: letter and ground.
const fn colours(terrain: Terrain) -> (Color, Color) {
    match terrain {
        Terrain::Unknown => (Color::AnsiValue(238), Color::AnsiValue(233)),
        Terrain::Precipice => (Color::AnsiValue(239), Color::Black),
        Terrain::Wall => (Color::AnsiValue(246), Color::AnsiValue(52)),
        Terrain::Water => (Color::AnsiValue(75), Color::AnsiValue(18)),
        Terrain::Forest => (Color::AnsiValue(71), Color::AnsiValue(22)),
        Terrain::Sand => (Color::AnsiValue(178), Color::AnsiValue(58)),
        Terrain::Stone => (Color::AnsiValue(248), Color::AnsiValue(240)),
        Terrain::Bikini => (Color::Black, Color::AnsiValue(213)),
        Terrain::Shoes => (Color::Black, Color::AnsiValue(208)),
        Terrain::Charger => (Color::Black, Color::AnsiValue(51)),
    }
}

/// What a picture of the map shows.
pub(super) struct Picture<'a> {
    /// What is known of the map,
    pub(super) known: &'a Knowledge,
    /// and what is true, where the fog is lifted.
    pub(super) truth: Option<&'a Map>,
    pub(super) sensors: &'a Sensors,
    /// The plan, as far as it is known.
    pub(super) plan: &'a [Action],
    /// Rows and columns that there is room for.
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) coloured: bool,
}

impl Picture<'_> {
    /// The map around the player. The cone is bright, the plan is dotted, the target is a cross. Where there is room a
    /// cell is two letters wide, so that it is about as wide as high.
    pub(super) fn draw(&self) -> String {
        let size = usize::from(self.known.map.size());
        let wide = self.columns >= 2 * size;
        let window = |centre: u8, room: usize| {
            let room = room.min(size);
            let first = usize::from(centre).saturating_sub(room / 2).min(size - room);
            first..first + room
        };
        let path = self.path();
        let cone: Vec<(Place, Figure)> = self.sensors.seen().map(|(place, _, figure)| (place, figure)).collect();
        let mut text = String::new();
        for row in window(self.sensors.place.row, self.rows) {
            for column in window(self.sensors.place.column, self.columns) {
                let place = Place::new(row as u8, column as u8);
                let known = self.known.map.get(place);
                let terrain = self.truth.map_or(known, |truth| truth.get(place));
                let sight = cone.iter().find(|(seen, _)| *seen == place);
                let letter = if place == self.sensors.place {
                    arrow(self.sensors.heading)
                } else if sight.is_some_and(|(_, figure)| *figure == Figure::Villager) {
                    'a'
                } else if place == self.sensors.target {
                    '+'
                } else if path.contains(&place) {
                    '.'
                } else if terrain == Terrain::Unknown {
                    ' '
                } else {
                    terrain.letter()
                };
                let cell = if wide { format!("{letter} ") } else { letter.to_string() };
                if !self.coloured {
                    text.push_str(&cell);
                    continue;
                }
                let marked = matches!(letter, '^' | '>' | 'v' | '<' | 'a' | '+');
                let (ink, ground) = colours(terrain);
                let styled = match () {
                    () if marked => cell.with(Color::Black).on(Color::White).bold(),
                    () if letter == '.' || sight.is_some() => cell.with(Color::White).on(ground).bold(),
                    // Where the fog is lifted for the eyes alone.
                    () if known == Terrain::Unknown => cell.with(ink).on(ground).dim(),
                    () => cell.with(ink).on(ground),
                };
                text.push_str(&styled.to_string());
            }
            text.push('\n');
        }
        text
    }

    /// The cells that the plan leads over.
    fn path(&self) -> Vec<Place> {
        let (mut place, mut heading) = (self.sensors.place, self.sensors.heading);
        let mut cells = Vec::new();
        for action in self.plan {
            match action {
                Action::Left => heading = heading.left(),
                Action::Right => heading = heading.right(),
                Action::Forward => {
                    place = place.towards(heading, 1, 0);
                    cells.push(place);
                }
                Action::Idle => {}
            }
        }
        cells
    }
}
