//! Alpha-beta for two players with full information, in a loop instead of a recursion.
//!
//! * The same side may move several times in a row: a child's value is negated, and its window turned round, only when
//!   the side to move changes.
//! * Iterative deepening with aspiration windows; principal-variation search (a first move in full, the others by a
//!   window of width one, searched again when they surprise); transposition table; killer moves and history.
//! * A result carries whether anything below it was *estimated*. A value that rests on finished games alone is
//!   *proven*; a proven root ends the search, and proven entries of the table hold at any depth.
//! * Between iterations it can be [asked](AlphaBeta::prove) whether the root is worth at least so much: a search to the
//!   end of the game with a window of width one, led by the moves that the iterations left in the table.
//! * It can be stopped and resumed at any node, and it holds a legal move from the start.
//!
//! A *node* is a position that was reached by making a move, the leaves included. The leaves of one position are visited
//! together, without a frame on the stack, because most nodes are leaves; where the game says so, the same goes for a
//! whole *twig*, a position two plies above them. So a limit of nodes may be passed by the rest of such a unit, always by
//! the same number.
//!
//! ```
//! use rival_core::games::mancala::{Kalah, State};
//! use rival_core::search::{Progress, alphabeta::AlphaBeta, table::Table};
//!
//! let mut search: AlphaBeta<Kalah, 32, 6> = AlphaBeta::new();
//! let mut words = [0; 1024];
//! let mut table = Table::new(&mut words);
//! search.begin(&Kalah, State::start(), 8, &mut table);
//! while search.step(&Kalah, &mut table, 100) == Progress::Pending {}
//! assert_eq!(search.report().depth, 8);
//! ```

mod proof;

pub use proof::Verdict;

use super::Progress;
use super::table::{Bound, Entry, NO_MOVE, PROVEN, Table};

/// The worth of a position for the side to move. Fits 16 bits in the table.
pub type Value = i32;

/// A game won now; won after `n` more plies is `WIN - n`.
pub const WIN: Value = 30_000;
/// Beyond this a value is not an estimate but the distance to the end of the game.
pub const DECIDED: Value = WIN - 1_000;
const INFINITE: Value = 32_000;

/// A two-player game of full information, as the search sees it.
pub trait Game {
    /// A position. Copied for every node, so it should be small.
    type State: Copy;
    /// A move. Copied for every node as well.
    type Move: Copy;
    /// How far the moves of a position have been told, for games that are [`ORDERED`](Game::ORDERED).
    type Cursor: Copy;

    /// Any position, to fill unused memory with.
    const BLANK_STATE: Self::State;
    /// Any move, to fill unused memory with.
    const BLANK_MOVE: Self::Move;
    /// Any cursor, to fill unused memory with.
    const BLANK_CURSOR: Self::Cursor;
    /// Half the width of the first aspiration window.
    const ASPIRATION: Value;
    /// Nodes with less depth left than this are neither looked up nor kept in the table.
    const TABLE_DEPTH: u8 = 2;
    /// The game tells its moves one by one ([`Game::next`]), and its order is better than what killer moves and history
    /// would make of it. [`Game::moves`] and the hints are then used at the root alone: most positions that are cut off at
    /// all are cut off by their first move, so that a list would be made for nothing. Other games have the moves that are
    /// likely to be best tried before there is a list ([`Game::recall`]).
    const ORDERED: bool = false;
    /// [`Game::twig`] searches positions two plies above the leaves, quicker than the search does with a frame.
    const TWIGS: bool = false;

    /// Whose turn it is, 0 or 1.
    fn side(&self, state: &Self::State) -> u8;
    /// The legal moves of a position that is not over. At most 62 of them.
    fn moves(&self, state: &Self::State, list: &mut Moves<'_, Self::Move>);
    /// The position after a move of [`Game::moves`].
    fn make(&self, state: &Self::State, mv: Self::Move) -> Self::State;
    /// If the game is over, its exact worth for the side to move: either a margin smaller than [`DECIDED`], which
    /// shares its scale with [`Game::evaluate`], or `±WIN`.
    fn terminal(&self, state: &Self::State) -> Option<Value>;
    /// An estimate for the side to move, smaller than [`DECIDED`] either way.
    fn evaluate(&self, state: &Self::State) -> Value;
    /// A hash of everything that matters for the future.
    fn hash(&self, state: &Self::State) -> u64;
    /// The move that [`Game::moves`] gives this place, if it is on that list; or none, where that is dear to find out. For
    /// games that are not [`ORDERED`](Game::ORDERED), whose places say what kind of move it is, in whatever position.
    #[inline]
    fn recall(&self, _state: &Self::State, _place: u8) -> Option<Self::Move> {
        None
    }
    /// Begins to tell the moves of a position. `remembered` is the place of the one that the table thinks best, or
    /// [`NO_MOVE`]; it comes first, if it is one.
    #[inline]
    fn cursor(&self, _state: &Self::State, _remembered: u8) -> Self::Cursor {
        Self::BLANK_CURSOR
    }
    /// The next move and its place, a number of the game's own below [`NO_MOVE`].
    #[inline]
    fn next(&self, _state: &Self::State, _cursor: &mut Self::Cursor) -> Option<(Self::Move, u8)> {
        None
    }
    /// The worth of a position one ply above the leaves: the best of its moves by [`Game::terminal`] or
    /// [`Game::evaluate`], or the first that reaches `beta`. A game may know a quicker way than the one given here, and
    /// where nothing reaches more than `alpha`, an upper bound that does not either is enough.
    #[inline]
    fn frontier(
        &self,
        state: &Self::State,
        (_alpha, beta): (Value, Value),
        list: &mut Moves<'_, Self::Move>,
    ) -> Frontier {
        self.moves(state, list);
        let mut found = Frontier::NOTHING;
        for done in 0..list.len {
            list.bring_best_to(done);
            let child = self.make(state, list.free[done].mv);
            let terminal = self.terminal(&child);
            let value = terminal.unwrap_or_else(|| self.evaluate(&child));
            let value = if self.side(&child) == self.side(state) { value } else { -value };
            if found.add(value, terminal.is_some(), beta) {
                break;
            }
        }
        found
    }
    /// The worth of a position two plies above the leaves, for games with [`TWIGS`](Game::TWIGS). All of it is visited
    /// between two looks at the limit of nodes, so it is for games with few moves.
    #[inline]
    fn twig(&self, _state: &Self::State, _window: (Value, Value)) -> Frontier {
        Frontier::NOTHING
    }
    /// The least and the most that the position can still be worth, proven, where the game knows.
    #[inline]
    fn limits(&self, _state: &Self::State) -> (Value, Value) {
        (-INFINITE, INFINITE)
    }
    /// The exact worth of a position that is not over, where the game has it in a table.
    #[inline]
    fn known(&self, _state: &Self::State) -> Option<Value> {
        None
    }
}

/// A move in the list of its position.
#[derive(Clone, Copy, Debug)]
struct Candidate<M> {
    mv: M,
    /// Its place in the order of generation, or the one that the game gave it. The table remembers it.
    place: u8,
    /// Larger is tried sooner.
    score: i16,
}

/// Where [`Game::moves`] puts the legal moves: the free end of the search's move stack.
pub struct Moves<'a, M> {
    free: &'a mut [Candidate<M>],
    len: usize,
    full: bool,
}

impl<M> Moves<'_, M> {
    /// Adds a move. `hint` is the game's own guess in `-100..=100`; larger is tried sooner.
    #[inline]
    pub fn push(&mut self, mv: M, hint: i8) {
        match self.free.get_mut(self.len) {
            Some(slot) if self.len < usize::from(NO_MOVE) => {
                *slot = Candidate { mv, place: self.len as u8, score: i16::from(hint) << 8 };
                self.len += 1;
            }
            _ => self.full = true,
        }
    }
}

/// The moves of a position outside the search: for other searches over the same [`Game`], and for tests.
///
/// ```
/// use rival_core::games::mancala::{Kalah, State};
/// use rival_core::search::alphabeta::MoveList;
///
/// let list = MoveList::<Kalah, 8>::of(&Kalah, &State::start());
/// assert_eq!(list.moves().count(), 6);
/// assert_eq!(list.moves().next().unwrap().number(), 4, "the one that ends in the store");
/// ```
pub struct MoveList<G: Game, const N: usize> {
    list: [Candidate<G::Move>; N],
    len: usize,
}

impl<G: Game, const N: usize> MoveList<G, N> {
    /// Lists at most `N` moves.
    pub fn of(game: &G, state: &G::State) -> Self {
        let mut list = [Candidate { mv: G::BLANK_MOVE, place: 0, score: 0 }; N];
        let mut moves = Moves { free: &mut list, len: 0, full: false };
        game.moves(state, &mut moves);
        for done in 0..moves.len {
            moves.bring_best_to(done);
        }
        let len = moves.len;
        Self { list, len }
    }

    /// The moves, those first that the game would try first.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> {
        self.list[..self.len].iter().map(|candidate| candidate.mv)
    }
}

impl<M: Copy> Moves<'_, M> {
    /// Adds a move under a place of the game's own, below [`NO_MOVE`] and different for every move of a position.
    #[inline]
    pub fn push_as(&mut self, mv: M, place: u8, hint: i8) {
        if let Some(slot) = self.free.get_mut(self.len) {
            *slot = Candidate { mv, place, score: i16::from(hint) << 8 };
            self.len += 1;
        } else {
            self.full = true;
        }
    }

    /// Exchanges the most promising of the moves from `at` on with the one there.
    #[inline]
    fn bring_best_to(&mut self, at: usize) {
        bring_best_forward(self.free.get_mut(at..self.len).unwrap_or_default());
    }
}

/// Exchanges the candidate with the largest score, the first of equals, with the first one.
#[inline]
fn bring_best_forward<M: Copy>(candidates: &mut [Candidate<M>]) {
    let mut best = 0;
    let mut score = i16::MIN;
    for (at, candidate) in candidates.iter().enumerate() {
        if candidate.score > score {
            score = candidate.score;
            best = at;
        }
    }
    if best > 0 {
        candidates.swap(0, best);
    }
}

/// What [`Game::frontier`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    best: Value,
    nodes: u32,
    best_proven: bool,
    all_proven: bool,
    cut: bool,
}

impl Frontier {
    /// The result of a game's own way: the best margin of `nodes` moves, none of them worth [`DECIDED`] or more; whether
    /// the game is over after the best and after all of them; and whether the best reaches `beta`.
    #[inline]
    pub const fn of_margins(best: Value, nodes: u32, best_over: bool, all_over: bool, cut: bool) -> Self {
        Self { best, nodes, best_proven: best_over, all_proven: all_over, cut }
    }

    /// Before the first move.
    pub const NOTHING: Self = Self { best: -INFINITE, nodes: 0, best_proven: false, all_proven: true, cut: false };

    /// Adds the value of a move for the side to move, and whether the game is over after it. `true` if it reaches
    /// `beta`, so that no other move needs a look.
    #[inline]
    pub fn add(&mut self, value: Value, over: bool, beta: Value) -> bool {
        // A game that is won at once is still one ply away.
        let value = if !over {
            value
        } else if value >= DECIDED {
            value - 1
        } else if value <= -DECIDED {
            value + 1
        } else {
            value
        };
        self.nodes += 1;
        self.all_proven &= over;
        if value > self.best {
            self.best = value;
            self.best_proven = over;
        }
        self.cut = value >= beta;
        self.cut
    }
}

impl Frontier {
    /// What that says of the position, which is `ply` plies from the root.
    #[inline]
    fn outcome(self, ply: usize) -> Outcome {
        let proven = if self.cut || self.best >= DECIDED { self.best_proven } else { self.all_proven };
        Outcome { value: from_node(self.best, ply), proven }
    }
}

/// A node on the way from the root to the one being searched.
struct Frame<G: Game> {
    state: G::State,
    hash: u64,
    /// The window at entry was `floor..beta`; `alpha` rises from `floor`.
    floor: Value,
    alpha: Value,
    beta: Value,
    best: Value,
    /// The moves left are `next..end` of the move stack; or else the cursor knows them.
    next: u16,
    end: u16,
    cursor: G::Cursor,
    /// The move being searched, its place, and how many it makes.
    mv: G::Move,
    at: u8,
    tried: u8,
    /// Places to be tried before there is a list, or [`NO_MOVE`]; which of them comes next, or [`LISTED`]; and which were
    /// moves.
    likely: [u8; LIKELY],
    recalled: u8,
    done: [u8; LIKELY],
    depth: u8,
    /// Place of the best move so far.
    place: u8,
    /// The move being searched is tried with a window of width one.
    scouting: bool,
    /// That window was too small: the same move is searched again in full.
    again: bool,
    /// The move being searched hands the turn over.
    turns: bool,
    best_proven: bool,
    all_proven: bool,
}

/// The value of a searched child, for the side to move there.
#[derive(Clone, Copy)]
struct Outcome {
    value: Value,
    /// What the value says about the true one holds however deep one looks.
    proven: bool,
}

/// What a search has found and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions visited.
    pub nodes: u32,
    /// Plies completed.
    pub depth: u8,
    /// Worth of the root for the side to move.
    pub value: Value,
    /// No deeper search can change the value.
    pub proven: bool,
    /// Table entries that answered a position.
    pub table_hits: u32,
    /// Positions cut off, and those of them that the first move cut off.
    pub cutoffs: u32,
    /// See [`Report::cutoffs`].
    pub first_cutoffs: u32,
    /// Most plies on the stack at once.
    pub ply_peak: u16,
    /// Most moves on the move stack at once.
    pub moves_peak: u16,
    /// Positions estimated early because the ply stack or the move stack was full.
    pub bound_met: u32,
}

impl Report {
    /// Nothing found, nothing spent.
    pub const NOTHING: Self = Self {
        nodes: 0,
        depth: 0,
        value: 0,
        proven: false,
        table_hits: 0,
        cutoffs: 0,
        first_cutoffs: 0,
        ply_peak: 0,
        moves_peak: 0,
        bound_met: 0,
    };
}

/// A search in progress. `PLIES` bounds the depth of the tree, `MOVES` the moves of all positions on the way down.
pub struct AlphaBeta<G: Game, const PLIES: usize, const MOVES: usize> {
    frames: [Frame<G>; PLIES],
    moves: [Candidate<G::Move>; MOVES],
    killers: [[[u8; 2]; 2]; PLIES],
    history: [[u8; PLACES]; 2],
    ply: usize,
    max_depth: u8,
    window: Value,
    /// Result of the last completed iteration.
    best: G::Move,
    best_value: Value,
    legal: bool,
    finished: bool,
    /// Neither finished nor at a place where whoever steps may want to do something else.
    running: bool,
    /// What the question at hand asks for, if there is one; see [`AlphaBeta::prove`].
    goal: Option<Value>,
    verdict: Option<Verdict>,
    report: Report,
}

impl<G: Game, const PLIES: usize, const MOVES: usize> Default for AlphaBeta<G, PLIES, MOVES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game, const PLIES: usize, const MOVES: usize> AlphaBeta<G, PLIES, MOVES> {
    /// A search of nothing, ready for [`AlphaBeta::begin`].
    pub const fn new() -> Self {
        Self {
            frames: [const { Frame::BLANK }; PLIES],
            moves: [Candidate { mv: G::BLANK_MOVE, place: 0, score: 0 }; MOVES],
            killers: [[[u8::MAX; 2]; 2]; PLIES],
            history: [[0; PLACES]; 2],
            ply: 0,
            max_depth: 0,
            window: 0,
            best: G::BLANK_MOVE,
            best_value: 0,
            legal: false,
            finished: true,
            running: false,
            goal: None,
            verdict: None,
            report: Report::NOTHING,
        }
    }

    /// Starts on a position that is not over, to at most `max_depth` plies, and forgets everything before it.
    /// `false` means that the position has no legal move, so that there is nothing to search.
    pub fn begin(&mut self, game: &G, root: G::State, max_depth: u8, table: &mut Table<'_>) -> bool {
        table.clear();
        self.killers = [[[u8::MAX; 2]; 2]; PLIES];
        self.history = [[0; PLACES]; 2];
        self.report = Report::NOTHING;
        self.max_depth = max_depth.clamp(1, (PLIES - 1).min(usize::from(PROVEN) - 1) as u8);
        self.ply = 0;
        let mut list = Moves { free: &mut self.moves, len: 0, full: false };
        game.moves(&root, &mut list);
        let count = list.len;
        self.legal = count > 0;
        self.finished = !self.legal;
        self.goal = None;
        self.verdict = None;
        self.report.moves_peak = count as u16;
        self.frames[0].state = root;
        self.frames[0].hash = game.hash(&root);
        self.frames[0].end = count as u16;
        // A legal move is in hand before the first node: the one that the game itself thinks best.
        let hinted = self.moves[..count].iter().max_by_key(|candidate| (candidate.score, -i16::from(candidate.place)));
        if let Some(first) = hinted {
            self.best = first.mv;
            self.best_value = game.evaluate(&root);
            self.frames[0].place = first.place;
        }
        self.start_iteration(1, -INFINITE, INFINITE);
        self.legal
    }

    /// The best move so far. `None` only if [`AlphaBeta::begin`] found no legal move.
    pub fn best_move(&self) -> Option<G::Move> {
        self.legal.then(|| self.current_best().0)
    }

    /// What the search has found and cost so far.
    pub fn report(&self) -> Report {
        Report { value: self.current_best().1, ..self.report }
    }

    /// Nodes visited so far: a part of the report that costs nothing to ask for.
    #[inline]
    pub fn nodes(&self) -> u32 {
        self.report.nodes
    }

    /// The line of best play that the table still knows, starting with [`AlphaBeta::best_move`].
    pub fn principal_variation(&self, game: &G, table: &Table<'_>, line: &mut [G::Move]) -> usize {
        let Some(mut mv) = self.best_move() else { return 0 };
        let mut state = self.frames[0].state;
        let mut scratch = [Candidate { mv: G::BLANK_MOVE, place: 0, score: 0 }; NO_MOVE as usize];
        for (length, slot) in line.iter_mut().enumerate() {
            *slot = mv;
            state = game.make(&state, mv);
            if game.terminal(&state).is_some() {
                return length + 1;
            }
            let Some(entry) = table.probe(game.hash(&state)) else { return length + 1 };
            let mut list = Moves { free: &mut scratch, len: 0, full: false };
            game.moves(&state, &mut list);
            let count = list.len;
            match scratch[..count].iter().find(|candidate| candidate.place == entry.place) {
                Some(next) => mv = next.mv,
                None => return length + 1,
            }
        }
        line.len()
    }

    /// The answer to the last question, if it was found.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Whether an iteration or a question has just been completed.
    pub fn is_paused(&self) -> bool {
        !self.running
    }

    /// Visits at most `nodes` more nodes; fewer if an iteration or a question is completed before.
    pub fn step(&mut self, game: &G, table: &mut Table<'_>, nodes: u32) -> Progress {
        let stop = self.report.nodes.saturating_add(nodes);
        self.running = !self.finished;
        if self.goal.is_some() {
            self.step_proof(game, table, stop);
        } else {
            self.step_search(game, table, stop);
        }
        if self.finished { Progress::Done } else { Progress::Pending }
    }

    // On its own, like `step_proof`: both need all registers that there are.
    #[inline(never)]
    fn step_search(&mut self, game: &G, table: &mut Table<'_>, stop: u32) {
        while self.running {
            let frame = &self.frames[self.ply];
            let mut outcome = if !G::TWIGS && frame.depth == 2 && self.ply > 0 {
                if !self.sweep(game, stop) {
                    return;
                }
                self.leave(table)
            } else if self.report.nodes >= stop {
                return;
            } else if frame.again || self.advance(game) {
                self.descend(game, table)
            } else {
                self.leave(table)
            };
            while let Some(found) = outcome {
                // What cuts a node off completes it, and is handed on.
                outcome = if self.receive(game, found) { self.leave(table) } else { None };
            }
        }
    }

    /// Turns to the next move of the node at hand. `false` if there is none.
    #[inline(always)]
    fn advance(&mut self, game: &G) -> bool {
        let frame = &mut self.frames[self.ply];
        if G::ORDERED && self.ply > 0 {
            let Some((mv, place)) = game.next(&frame.state, &mut frame.cursor) else { return false };
            (frame.mv, frame.at) = (mv, place);
        } else {
            if !G::ORDERED && frame.recalled != LISTED {
                if let Some((mv, place)) = frame.recall(game) {
                    (frame.mv, frame.at) = (mv, place);
                    frame.tried += 1;
                    return true;
                }
                let free = self.moves.get_mut(usize::from(frame.next)..).unwrap_or_default();
                let history = &self.history[usize::from(game.side(&frame.state) & 1)];
                frame.end = frame.next + list(game, &frame.state, free, history);
                self.report.moves_peak = self.report.moves_peak.max(frame.end);
            }
            loop {
                let left = self.moves.get_mut(usize::from(frame.next)..usize::from(frame.end)).unwrap_or_default();
                bring_best_forward(left);
                let Some(best) = left.first() else { return false };
                (frame.mv, frame.at) = (best.mv, best.place);
                frame.next += 1;
                if G::ORDERED || !frame.done.contains(&best.place) {
                    break;
                }
            }
        }
        frame.tried += 1;
        true
    }

    /// Searches a node two plies above the leaves, whose moves need no frames of their own. `false` if it is not done
    /// because the limit of nodes is met.
    #[inline]
    fn sweep(&mut self, game: &G, stop: u32) -> bool {
        let ply = self.ply;
        loop {
            if self.report.nodes >= stop {
                return false;
            }
            if !self.advance(game) {
                return true;
            }
            let frame = &mut self.frames[ply];
            let child = game.make(&frame.state, frame.mv);
            let turns = game.side(&child) != game.side(&frame.state);
            let (alpha, beta) = if turns { (-frame.beta, -frame.alpha) } else { (frame.alpha, frame.beta) };
            let mut nodes = 1;
            let (least, most) = game.limits(&child);
            let outcome = if let Some(value) = game.terminal(&child) {
                Outcome { value: from_node(value, ply + 1), proven: true }
            } else if most <= alpha {
                Outcome { value: most, proven: true }
            } else if least >= beta {
                Outcome { value: least, proven: true }
            } else if let Some(value) = game.known(&child) {
                Outcome { value, proven: true }
            } else {
                let free = self.moves.get_mut(usize::from(frame.end)..).unwrap_or_default();
                let mut list = Moves { free, len: 0, full: false };
                let found = game.frontier(&child, (alpha, beta), &mut list);
                if list.full || found.nodes == 0 {
                    self.report.bound_met += 1;
                    Outcome { value: game.evaluate(&child), proven: false }
                } else {
                    nodes += found.nodes;
                    found.outcome(ply + 1)
                }
            };
            self.report.nodes += nodes;
            if self.fold(game, if turns { -outcome.value } else { outcome.value }, outcome.proven) {
                return true;
            }
        }
    }

    /// Makes the next move, or the same again in full. Either its value is known at once or a frame is put on the stack.
    #[inline]
    fn descend(&mut self, game: &G, table: &mut Table<'_>) -> Option<Outcome> {
        let ply = self.ply;
        let frame = &mut self.frames[ply];
        let again = frame.again;
        let child = game.make(&frame.state, frame.mv);
        self.report.nodes += 1;
        frame.turns = game.side(&child) != game.side(&frame.state);
        frame.scouting = false;
        frame.again = false;
        if let Some(value) = game.terminal(&child) {
            return Some(Outcome { value: from_node(value, ply + 1), proven: true });
        }
        if frame.depth <= 1 {
            return Some(Outcome { value: game.evaluate(&child), proven: false });
        }
        let (low, mut high) = (frame.alpha, frame.beta);
        if frame.tried > 1 && !again && high - low > 1 {
            frame.scouting = true;
            high = low + 1;
        }
        let depth = frame.depth - 1;
        let (alpha, beta) = if frame.turns { (-high, -low) } else { (low, high) };
        self.enter(game, table, child, alpha, beta, depth)
    }

    /// Puts a position on the stack, unless its value is known without looking further.
    #[inline]
    fn enter(
        &mut self,
        game: &G,
        table: &mut Table<'_>,
        state: G::State,
        alpha: Value,
        beta: Value,
        depth: u8,
    ) -> Option<Outcome> {
        let (least, most) = game.limits(&state);
        if most <= alpha {
            return Some(Outcome { value: most, proven: true });
        }
        if least >= beta {
            return Some(Outcome { value: least, proven: true });
        }
        if let Some(value) = game.known(&state) {
            return Some(Outcome { value, proven: true });
        }
        let ply = self.ply + 1;
        if G::TWIGS && depth == 2 {
            let found = game.twig(&state, (alpha, beta));
            self.report.nodes += found.nodes;
            return Some(found.outcome(ply));
        }
        let first = self.frames[self.ply].end;
        let (mut hash, mut place) = (0, NO_MOVE);
        if depth >= G::TABLE_DEPTH {
            hash = game.hash(&state);
            if let Some(entry) = table.probe(hash) {
                place = entry.place;
                if entry.depth >= depth {
                    let value = from_node(entry.value, ply);
                    let answers = match entry.bound {
                        Bound::Exact => true,
                        Bound::Lower => value >= beta,
                        Bound::Upper => value <= alpha,
                    };
                    if answers {
                        self.report.table_hits += 1;
                        return Some(Outcome { value, proven: entry.depth == PROVEN });
                    }
                }
            }
        }
        // The list comes later, if at all, but there must be room for it.
        let room = G::ORDERED || self.moves.len().saturating_sub(usize::from(first)) >= usize::from(NO_MOVE);
        if ply >= PLIES || !room {
            self.report.bound_met += 1;
            return Some(Outcome { value: game.evaluate(&state), proven: false });
        }
        let [first_killer, second_killer] = self.killers[ply][usize::from(game.side(&state) & 1)];
        self.report.ply_peak = self.report.ply_peak.max(ply as u16);
        self.ply = ply;
        self.frames[ply] = Frame {
            state,
            hash,
            floor: alpha,
            alpha,
            beta,
            best: -INFINITE,
            next: first,
            end: first,
            cursor: game.cursor(&state, place),
            mv: G::BLANK_MOVE,
            at: NO_MOVE,
            tried: 0,
            likely: [place, first_killer, second_killer],
            recalled: 0,
            done: [NO_MOVE; LIKELY],
            depth,
            place: NO_MOVE,
            scouting: false,
            again: false,
            turns: false,
            best_proven: false,
            all_proven: true,
        };
        None
    }

    /// Takes in the value of the move being searched. `true` if it cuts the node off.
    #[inline]
    fn receive(&mut self, game: &G, outcome: Outcome) -> bool {
        let ply = self.ply;
        let frame = &mut self.frames[ply];
        let value = if frame.turns { -outcome.value } else { outcome.value };
        if frame.scouting && value > frame.alpha && value < frame.beta {
            frame.again = true;
            return false;
        }
        self.fold(game, value, outcome.proven)
    }

    /// Takes in the value of a move for the side that makes it. `true` if it cuts the node off.
    #[inline]
    fn fold(&mut self, game: &G, value: Value, proven: bool) -> bool {
        let ply = self.ply;
        let frame = &mut self.frames[ply];
        frame.all_proven &= proven;
        if value <= frame.best {
            return false;
        }
        frame.best = value;
        frame.place = frame.at;
        frame.best_proven = proven;
        frame.alpha = frame.alpha.max(value);
        if value < frame.beta {
            return false;
        }
        self.report.cutoffs += 1;
        self.report.first_cutoffs += u32::from(frame.tried == 1);
        if !G::ORDERED {
            let side = usize::from(game.side(&frame.state) & 1);
            let killers = &mut self.killers[ply][side];
            if killers[0] != frame.at {
                *killers = [frame.at, killers[0]];
            }
            let history = &mut self.history[side];
            let count = &mut history[usize::from(frame.at) % PLACES];
            *count = count.saturating_add(frame.depth);
            if *count > HISTORY_LIMIT {
                for count in history.iter_mut() {
                    *count /= 2;
                }
            }
        }
        true
    }

    /// Completes the node at hand: keeps what it found in the table and hands its value to the node above.
    #[inline]
    fn leave(&mut self, table: &mut Table<'_>) -> Option<Outcome> {
        let ply = self.ply;
        if ply == 0 {
            self.leave_root();
            return None;
        }
        let frame = &self.frames[ply];
        let (bound, proven) = if frame.best >= frame.beta {
            (Bound::Lower, frame.best_proven)
        } else if frame.best <= frame.floor {
            (Bound::Upper, frame.all_proven)
        } else {
            (Bound::Exact, frame.is_proven())
        };
        if frame.depth >= G::TABLE_DEPTH {
            let value = to_node(frame.best, ply);
            let depth = if proven { PROVEN } else { frame.depth };
            table.store(frame.hash, self.report.depth, Entry { value, depth, bound, place: frame.place });
        }
        self.ply = ply - 1;
        Some(Outcome { value: frame.best, proven })
    }

    /// An iteration is over: widen the window and search again, or keep the result and go one ply deeper.
    #[cold]
    fn leave_root(&mut self) {
        let frame = &self.frames[0];
        let (depth, floor, beta, best, place) = (frame.depth, frame.floor, frame.beta, frame.best, frame.place);
        let (proven, forced) = (frame.is_proven(), frame.end == 1);
        if best <= floor && floor > -INFINITE {
            let low = best - 4 * self.window;
            self.start_iteration(depth, if self.window > WIDEST { -INFINITE } else { low }, beta);
            self.window *= 4;
            return;
        }
        self.keep(place, best);
        if best >= beta && beta < INFINITE {
            let high = best + 4 * self.window;
            self.start_iteration(depth, floor, if self.window > WIDEST { INFINITE } else { high });
            self.window *= 4;
            return;
        }
        self.running = false;
        self.report.depth = depth;
        self.report.proven = proven;
        if proven || forced || depth >= self.max_depth {
            self.finished = true;
        } else {
            self.deepen();
        }
    }

    /// Starts on the next depth, around the value of the last one.
    fn deepen(&mut self) {
        let depth = self.report.depth + 1;
        if self.report.depth == 0 || self.best_value.abs() >= DECIDED {
            self.start_iteration(depth, -INFINITE, INFINITE);
        } else {
            self.start_iteration(depth, self.best_value - G::ASPIRATION, self.best_value + G::ASPIRATION);
            self.window = G::ASPIRATION;
        }
    }

    fn start_iteration(&mut self, depth: u8, alpha: Value, beta: Value) {
        let frame = &mut self.frames[0];
        frame.depth = depth;
        frame.floor = alpha;
        frame.alpha = alpha;
        frame.beta = beta;
        frame.best = -INFINITE;
        frame.next = 0;
        frame.tried = 0;
        frame.scouting = false;
        frame.again = false;
        frame.best_proven = false;
        frame.all_proven = true;
    }

    /// Remembers the best root move and has it tried first from now on.
    fn keep(&mut self, place: u8, value: Value) {
        let count = usize::from(self.frames[0].end);
        for candidate in &mut self.moves[..count] {
            if candidate.place == place {
                self.best = candidate.mv;
                candidate.score = i16::MAX;
            } else if candidate.score == i16::MAX {
                candidate.score = i16::MAX - 1;
            } else if candidate.score > i16::MAX - 60 {
                candidate.score -= 1;
            }
        }
        self.best_value = value;
    }

    /// The best move and its value, a better one of the unfinished iteration included.
    fn current_best(&self) -> (G::Move, Value) {
        let frame = &self.frames[0];
        if frame.best > frame.floor && self.goal.is_none() {
            let roots = &self.moves[..usize::from(frame.end)];
            if let Some(candidate) = roots.iter().find(|candidate| candidate.place == frame.place) {
                return (candidate.mv, frame.best);
            }
        }
        (self.best, self.best_value)
    }
}

/// Lists the moves of a position, the more promising in its history, and gives their number.
#[inline(never)]
fn list<G: Game>(game: &G, state: &G::State, free: &mut [Candidate<G::Move>], history: &[u8; PLACES]) -> u16 {
    let mut moves = Moves { free, len: 0, full: false };
    game.moves(state, &mut moves);
    for candidate in moves.free.iter_mut().take(moves.len) {
        candidate.score += i16::from(history[usize::from(candidate.place) % PLACES]);
    }
    moves.len as u16
}

/// A value seen from its own node, as the game and the table have it, as seen from the root.
#[inline]
fn from_node(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value - ply as Value
    } else if value <= -DECIDED {
        value + ply as Value
    } else {
        value
    }
}

/// The other way round.
#[inline]
fn to_node(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value + ply as Value
    } else if value <= -DECIDED {
        value - ply as Value
    } else {
        value
    }
}

impl<G: Game> Frame<G> {
    /// To fill unused memory with.
    const BLANK: Self = Self {
        state: G::BLANK_STATE,
        hash: 0,
        floor: 0,
        alpha: 0,
        beta: 0,
        best: 0,
        next: 0,
        end: 0,
        cursor: G::BLANK_CURSOR,
        mv: G::BLANK_MOVE,
        at: NO_MOVE,
        tried: 0,
        likely: [NO_MOVE; LIKELY],
        recalled: LISTED,
        done: [NO_MOVE; LIKELY],
        depth: 0,
        place: NO_MOVE,
        scouting: false,
        again: false,
        turns: false,
        best_proven: false,
        all_proven: false,
    };

    /// The next of the likely moves, and its place; none if they are through.
    #[inline(never)]
    fn recall(&mut self, game: &G) -> Option<(G::Move, u8)> {
        for at in usize::from(self.recalled)..LIKELY {
            let place = self.likely[at];
            if place >= NO_MOVE || self.done.contains(&place) {
                continue;
            }
            let Some(mv) = game.recall(&self.state, place) else { continue };
            self.done[at] = place;
            self.recalled = at as u8 + 1;
            return Some((mv, place));
        }
        self.recalled = LISTED;
        None
    }

    /// Whether an exact value rests on finished games alone. For a won game the winning move is enough.
    fn is_proven(&self) -> bool {
        self.all_proven || (self.best >= DECIDED && self.best_proven)
    }
}

/// Likely moves of a position: the table's and two killers.
const LIKELY: usize = 3;
/// The likely moves are through, and the others are on the move stack.
const LISTED: u8 = u8::MAX;
/// Places that history tells apart: all that there are.
const PLACES: usize = NO_MOVE as usize + 1;
/// When a history counter passes this, all are halved: they stay below one step of the game's own hints.
const HISTORY_LIMIT: u8 = 120;
/// An aspiration window wider than this is opened completely.
const WIDEST: Value = 500;

#[cfg(test)]
mod tests;
