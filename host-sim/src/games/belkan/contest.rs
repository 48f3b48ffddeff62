//! Somebody plays, and the referee counts.

use rival_core::agent::{Budget, Decision, Job, Workspace};
use rival_core::games::StateError;
use rival_core::games::belkan::{Action, BelkanAgent, FRAME, Knowledge, MAX_PIECE, Map, Place, Sensors, Tuning};
use rival_core::search::Progress;
use rival_core::wire::Statistics;

use super::world::{Score, Setup, SetupError, World};

/// Whoever decides.
pub trait Walker {
    /// Told before the first tick of a game; the map where it is known.
    fn begin(&mut self, _game: u16, _map: Option<&Map>) {}
    /// What to do in this tick.
    fn decide(&mut self, sensors: &Sensors) -> Action;
}

/// Plays a game to its end.
pub fn play(map: &Map, setup: &Setup, walker: &mut dyn Walker) -> Result<Score, SetupError> {
    let mut world = World::new(map, setup)?;
    walker.begin(setup.seed as u16, (setup.level < 4).then_some(map));
    while !world.is_over() {
        let sensors = world.sense();
        world.act(walker.decide(&sensors));
    }
    Ok(world.score())
}

/// The agent of `core`, called directly.
pub struct Direct {
    agent: BelkanAgent,
    workspace: Box<Workspace>,
    /// The largest figures of any decision so far.
    pub worst: Statistics,
    /// Nodes of all decisions.
    pub nodes: u64,
    /// Decisions that took a search.
    pub searched: u32,
}

impl Default for Direct {
    fn default() -> Self {
        Self::new(Tuning::DEFAULT)
    }
}

impl Direct {
    /// An agent with these weights.
    pub fn new(tuning: Tuning) -> Self {
        Self {
            agent: BelkanAgent::new().with_tuning(tuning),
            workspace: Box::new(Workspace::new()),
            worst: Statistics::default(),
            nodes: 0,
            searched: 0,
        }
    }

    /// The agent.
    pub fn agent(&self) -> &BelkanAgent {
        &self.agent
    }

    /// Decides, with all that is known about the decision.
    pub fn decision(&mut self, sensors: &Sensors) -> Result<Decision, StateError> {
        self.agent.begin(&sensors.encode(), &Budget::default(), &mut self.workspace)?;
        while self.agent.step(&mut self.workspace, 100_000) == Progress::Pending {}
        let mut decision = Decision::default();
        self.agent.answer(&mut self.workspace, &mut decision);
        let statistics = &decision.statistics;
        self.nodes += u64::from(statistics.nodes);
        self.searched += u32::from(statistics.nodes > 0);
        if statistics.nodes > self.worst.nodes {
            self.worst = statistics.clone();
        }
        Ok(decision)
    }
}

/// The pieces in which knowledge travels.
pub fn pieces(knowledge: &Knowledge) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut row = FRAME;
    while row < knowledge.map.size().saturating_sub(FRAME) {
        let mut piece = vec![0; MAX_PIECE];
        let (length, next) = knowledge.write_piece(row, &mut piece);
        piece.truncate(length);
        pieces.push(piece);
        row = next;
    }
    pieces
}

/// Knowledge of a whole map, before the first tick.
pub fn whole(game: u16, map: &Map) -> Knowledge {
    let mut knowledge = Knowledge::new();
    if knowledge.begin(game, map.size()).is_ok() {
        for place in map.places() {
            knowledge.map.learn(place, map.get(place));
        }
    }
    knowledge
}

impl Walker for Direct {
    fn begin(&mut self, game: u16, map: Option<&Map>) {
        if let Some(map) = map {
            for piece in pieces(&whole(game, map)) {
                self.agent.load(&piece, &mut self.workspace).expect("knowledge of a map can be loaded");
            }
        }
    }

    fn decide(&mut self, sensors: &Sensors) -> Action {
        let decision = self.decision(sensors).expect("the referee's sensors are a state");
        decision.action.first().and_then(|&code| Action::from_code(code)).unwrap_or_default()
    }
}

/// A line of the course's benchmark: map, start, heading, target pair.
pub const BENCHMARK: [(&str, [u8; 5]); 6] = [
    ("mapa30", [9, 12, 1, 3, 3]),
    ("mapa50", [40, 33, 1, 28, 25]),
    ("mapa75", [28, 55, 1, 7, 47]),
    ("mapa100", [23, 38, 2, 77, 45]),
    ("islas", [47, 53, 2, 74, 46]),
    ("medieval", [47, 53, 2, 89, 43]),
];

/// The game of a benchmark line.
pub fn benchmark(arguments: [u8; 5], seed: u32) -> Setup {
    let [row, column, heading, a, b] = arguments;
    Setup {
        seed,
        level: 4,
        start: Some(Place::new(row, column)),
        heading: rival_core::games::belkan::Heading::from_bits(heading),
        targets: vec![Place::new(a, b)],
    }
}
