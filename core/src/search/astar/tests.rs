use super::*;
use proptest::prelude::*;
use std::vec;
use std::vec::Vec;

/// A random graph: for every state the edges into it. The label of an edge is its place there, from 1 up.
#[derive(Clone, Debug)]
struct Net<const AT_ONCE: bool> {
    into: Vec<Vec<(State, Cost)>>,
    goals: Vec<bool>,
    heuristic: Vec<Cost>,
    rise: Cost,
}

impl<const AT_ONCE: bool> Graph for Net<AT_ONCE> {
    type Spot = State;
    const AT_ONCE: bool = AT_ONCE;

    fn rise(&self) -> Cost {
        self.rise
    }

    fn spot(&self, state: State) -> State {
        state
    }

    fn successors<V: Visited>(&self, &state: &State, _: Label, visited: &mut V, mut edges: impl Follow<V>) {
        for (to, into) in self.into.iter().enumerate() {
            for (place, &(from, cost)) in into.iter().enumerate() {
                let to = to as State;
                if from == state {
                    edges.follow(visited, Edge { to, label: place as Label + 1, cost, heuristic: self.heuristic(&to) });
                }
            }
        }
    }

    fn heuristic(&self, &state: &State) -> Cost {
        self.heuristic[state as usize]
    }

    fn is_goal(&self, &state: &State) -> bool {
        self.goals[state as usize]
    }

    fn predecessor<V: Visited>(&self, state: State, label: Label, _: &V) -> State {
        self.into[state as usize][usize::from(label) - 1].0
    }
}

/// The plainest Dijkstra there is: what it costs to get to each state from the sources.
fn dijkstra(count: usize, sources: &[usize], edges: &[(usize, usize, Cost)]) -> Vec<Option<Cost>> {
    let mut cost = vec![None; count];
    let mut done = vec![false; count];
    for &source in sources {
        cost[source] = Some(0);
    }
    while let Some(state) = (0..count).filter(|&s| !done[s] && cost[s].is_some()).min_by_key(|&s| cost[s]) {
        done[state] = true;
        for &(from, to, price) in edges {
            if from == state {
                let path = cost[state].unwrap() + price;
                if cost[to].is_none_or(|known| path < known) {
                    cost[to] = Some(path);
                }
            }
        }
    }
    cost
}

impl<const AT_ONCE: bool> Net<AT_ONCE> {
    fn edges(&self) -> Vec<(usize, usize, Cost)> {
        let edges = self.into.iter().enumerate();
        edges.flat_map(|(to, into)| into.iter().map(move |&(from, cost)| (from as usize, to, cost))).collect()
    }

    /// True cost from the start to the nearest goal.
    fn truth(&self) -> Option<Cost> {
        let costs = dijkstra(self.into.len(), &[0], &self.edges());
        (0..self.into.len()).filter(|&state| self.goals[state]).filter_map(|state| costs[state]).min()
    }

    /// Makes the heuristic the given share of the true cost left.
    fn inform(&mut self, percent: Cost) {
        let count = self.into.len();
        let goals: Vec<_> = (0..count).filter(|&state| self.goals[state]).collect();
        let back: Vec<_> = self.edges().into_iter().map(|(from, to, cost)| (to, from, cost)).collect();
        let left = dijkstra(count, &goals, &back);
        self.heuristic = left.iter().map(|left| left.map_or(NO_PATH, |left| left * percent / 100)).collect();
    }

    /// What every edge raises the estimate by; 0 if they differ.
    fn even_rise(&self) -> Cost {
        let known = |state: usize| self.heuristic[state] != NO_PATH;
        let edges = self.edges().into_iter().filter(|&(from, to, _)| known(from) && known(to));
        let mut rises = edges.map(|(from, to, cost)| cost + self.heuristic[to] - self.heuristic[from]);
        let first = rises.next().unwrap_or(0);
        if rises.all(|rise| rise == first) { first } else { 0 }
    }

    /// What a path costs, and whether it is one.
    fn pay(&self, path: &[(State, Label)]) -> Cost {
        let mut at = 0;
        let mut cost = 0;
        for &(to, label) in path {
            let (from, price) = self.into[to as usize][usize::from(label) - 1];
            assert_eq!(from, at, "the path is not connected");
            at = to;
            cost += price;
        }
        cost
    }
}

/// Graphs whose states are closed when they are taken from the open list, or at once where that is as good.
#[derive(Clone, Debug)]
enum Nets {
    Late(Net<false>),
    AtOnce(Net<true>),
}

/// Does the same with either.
macro_rules! with {
    ($nets:expr, |$net:ident| $body:expr) => {
        match $nets {
            Nets::Late($net) => $body,
            Nets::AtOnce($net) => $body,
        }
    };
}

fn net<const AT_ONCE: bool>(most_edges_into: usize) -> impl Strategy<Value = Net<AT_ONCE>> {
    // Without a heuristic an edge raises the estimate by its price. With few prices many estimates are alike.
    let percent = prop_oneof![Just(0), 0..=100_u32, Just(100)];
    let prices = prop_oneof![Just(0..=1), Just(1..=2), Just(0..=12_u32), (1..=3_u32).prop_map(|even| even..=even)];
    (2..14_usize, percent, prices).prop_flat_map(move |(count, percent, prices)| {
        let into = prop::collection::vec((0..count as State, prices), 0..=most_edges_into);
        let into = prop::collection::vec(into, count);
        let goals = prop::collection::vec(prop::bool::weighted(0.15), count);
        (into, goals).prop_map(move |(into, goals)| {
            let mut net = Net { heuristic: vec![0; into.len()], into, goals, rise: 0 };
            net.inform(percent);
            net.rise = net.even_rise();
            net
        })
    })
}

fn nets(most_edges_into: usize) -> impl Strategy<Value = Nets> {
    prop_oneof![net(most_edges_into).prop_map(Nets::Late), net(most_edges_into).prop_map(Nets::AtOnce)]
}

/// Searches with slices of the given size and checks everything that can be checked about the answer.
fn check<Q: Queue, const AT_ONCE: bool>(
    net: &Net<AT_ONCE>,
    open: &mut [u64],
    visited: &mut impl Visited,
    slice: u32,
) -> (Outcome, Report) {
    let mut search: AStar<Q> = AStar::new();
    search.begin(net, 0, u32::MAX, open, visited);
    let mut steps = 0;
    while search.step(net, open, visited, slice) == Progress::Pending {
        steps += 1;
        assert_eq!(search.outcome(), Outcome::Partial);
        assert!(steps < 100_000, "the search does not end");
    }
    let report = search.report();
    let mut path = vec![(0, 0); search.path(net, visited, |_, _, _| {}) as usize];
    search.path(net, visited, |place, state, label| path[place as usize] = (state, label));
    let end = path.last().map_or(0, |&(state, _)| state);
    assert_eq!(end, search.best());
    assert_eq!(net.pay(&path), report.cost, "the path does not cost what the report says");
    assert_eq!(report.reached, net.goals[end as usize] && report.visited > 0);
    match search.outcome() {
        Outcome::Optimal => assert_eq!(Some(report.cost), net.truth(), "called optimal"),
        Outcome::Unreachable => assert_eq!(net.truth(), None, "called unreachable"),
        Outcome::Partial => assert!(report.lost > 0, "nothing was lost, but nothing is known"),
    }
    if let (true, Some(truth)) = (report.reached, net.truth()) {
        assert!(report.cost >= truth);
    }
    (search.outcome(), report)
}

/// `each` are the words that an entry may take at most.
fn check_every_capacity<Q: Queue, const AT_ONCE: bool>(net: &Net<AT_ONCE>, slice: u32, each: usize) {
    let edges = net.edges().len();
    let states = net.into.len();
    let enough = (edges + 1) * each;
    let mut last = Outcome::Partial;
    for capacity in (0..=edges + 3).chain([enough]) {
        let mut open = vec![0; capacity];
        check::<Q, AT_ONCE>(net, &mut open, &mut Codes::<8>::new(&mut vec![0; states]), slice);
        last = check::<Q, AT_ONCE>(net, &mut open, &mut Costs::new(&mut vec![0; states]), slice).0;
    }
    assert_ne!(last, Outcome::Partial, "there was room for every edge");
    for capacity in 0..=states {
        let mut open = vec![0; enough];
        let outcome = check::<Q, AT_ONCE>(net, &mut open, &mut Hashed::new(&mut vec![0; capacity]), slice).0;
        assert!(capacity < states || outcome != Outcome::Partial, "there was room for every state");
        check::<Q, AT_ONCE>(net, &mut open, &mut Codes::<8>::new(&mut vec![0; capacity.div_ceil(8)]), slice);
    }
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn buckets_never_call_a_wrong_answer_optimal(net in nets(4), slice in 1..9_u32) {
        // At worst every entry has a bucket, and so a block, of its own.
        with!(&net, |net| check_every_capacity::<Buckets<256>, _>(net, slice, 8));
    }

    #[test]
    fn a_heap_never_calls_a_wrong_answer_optimal(net in nets(4), slice in 1..9_u32) {
        with!(&net, |net| check_every_capacity::<Heap, _>(net, slice, 1));
    }

    /// A window that is too narrow for the edges' costs is one more way to lose entries.
    #[test]
    fn buckets_too_few_are_noticed(net in nets(3)) {
        with!(&net, |net| check::<Buckets<4>, _>(net, &mut [0; 360], &mut Codes::<2>::new(&mut [0; 2]), 5));
    }

    #[test]
    fn a_flood_knows_the_cost_of_everything_within_the_limit(net in nets(4), limit in 0..30_u32) {
        with!(net, |net| flood(net, limit));
    }

    /// In the order of their estimates, of equal ones the newest first; and what goes in comes out or is reported lost,
    /// nothing better than what is kept.
    #[test]
    fn buckets_give_back_what_they_took(
        pushes in prop::collection::vec((0..40_u32, 0..3_usize), 0..120), words in 0..80_usize,
    ) {
        let mut words = vec![0; words];
        let mut queue = Buckets::<64>::NEW;
        let capacity = queue.begin(&mut words, MAX_COST);
        let mut memory = Buckets::<64>::split(&mut words);
        let mut kept: Vec<(Cost, State)> = Vec::new();
        for (number, &(estimate, pops)) in pushes.iter().enumerate() {
            kept.push((estimate, number as State));
            if let Some(lost) = queue.push(&mut memory, estimate, 0, number as State, 3) {
                // The newest of the worst are gone.
                for _ in 0..lost.entries {
                    let worst = (0..kept.len()).max_by_key(|&at| kept[at]).unwrap();
                    prop_assert_eq!(kept.remove(worst).0, lost.estimate);
                }
            }
            prop_assert!(kept.len() as u32 <= queue.peak() && queue.peak() <= capacity);
            let pops = if number + 1 == pushes.len() { kept.len() + 1 } else { pops };
            for _ in 0..pops {
                let best = (0..kept.len()).min_by_key(|&at| (kept[at].0, State::MAX - kept[at].1));
                let expected = best.map(|at| kept.remove(at));
                prop_assert_eq!(queue.pop(&mut memory), expected.map(|(estimate, state)| (estimate, state, 3)));
                prop_assert_eq!(queue.is_empty(), kept.is_empty());
            }
        }
    }

    /// What somebody else wrote into the memory between two steps is no path, but no panic either.
    #[test]
    fn an_overwritten_memory_is_no_panic(pushes in prop::collection::vec((0..40_u32, 0..24_usize, 0..40_u32), 0..80)) {
        let mut words = [0; 12];
        let mut queue = Buckets::<64>::NEW;
        queue.begin(&mut words, MAX_COST);
        for (estimate, place, word) in pushes {
            queue.push(&mut Buckets::<64>::split(&mut words), estimate, 0, 1, 1);
            bytemuck::cast_slice_mut::<u64, u32>(&mut words)[place] = word;
            if word % 3 == 0 {
                queue.pop(&mut Buckets::<64>::split(&mut words));
            }
        }
    }

    #[test]
    fn the_size_of_the_slices_changes_nothing(net in nets(4), slice in 1..50_u32, words in 0..60_usize) {
        let search = |slice| {
            let (mut open, mut closed) = (vec![0; words], [0; 14]);
            let mut visited = Codes::<4>::new(&mut closed);
            with!(&net, |net| check::<Buckets<32>, _>(net, &mut open, &mut visited, slice))
        };
        prop_assert_eq!(search(u32::MAX), search(slice));
    }

    #[test]
    fn resumed_views_see_the_same_states(net in net::<true>(3), slice in 1..5_u32) {
        let (mut open, mut closed) = (vec![0; 90], vec![0; 2]);
        let mut search: AStar<Heap> = AStar::new();
        search.begin(&net, 0, u32::MAX, &mut open, &mut Codes::<2>::new(&mut closed));
        while search.step(&net, &mut open, &mut Codes::<2>::new(&mut closed), slice) == Progress::Pending {}
        prop_assert_eq!(search.outcome() == Outcome::Optimal, net.truth().is_some());
        prop_assert_eq!(search.report().reached, net.truth().is_some());
    }
}

proptest! {
    // The graphs on which it costs the optimum are rare.
    #![proptest_config(crate::cases(10_000))]

    /// Admissible, but falling by more than an edge costs: it may cost the optimum, and then the search says so.
    #[test]
    fn an_inconsistent_heuristic_is_noticed(
        mut net in net::<true>(4), percents in prop::collection::vec(0..=100_u32, 14),
    ) {
        net.inform(100);
        for (heuristic, percent) in net.heuristic.iter_mut().zip(percents) {
            if *heuristic != NO_PATH {
                *heuristic = *heuristic * percent / 100;
            }
        }
        net.rise = 0;
        for (name, report) in [
            ("buckets", inconsistent::<Buckets<32>>(&net)),
            ("heap", inconsistent::<Heap>(&net)),
        ] {
            if report.0 == Outcome::Optimal {
                prop_assert_eq!(Some(report.1.cost), net.truth(), "{}", name);
            }
        }
    }
}

fn flood<const AT_ONCE: bool>(mut net: Net<AT_ONCE>, limit: Cost) {
    net.goals.fill(false);
    net.heuristic.fill(0);
    net.rise = net.even_rise();
    let states = net.into.len();
    let (mut open, mut closed) = (vec![0; 8 * (14 * 4 + 1)], vec![0; Costs::words(states)]);
    let mut visited = Costs::new(&mut closed);
    let mut search: AStar<Buckets<16>> = AStar::new();
    search.begin(&net, 0, limit, &mut open, &mut visited);
    while search.step(&net, &mut open, &mut visited, 7) == Progress::Pending {}
    assert_eq!(search.outcome(), Outcome::Unreachable);
    let truth = dijkstra(states, &[0], &net.edges());
    for (state, truth) in truth.into_iter().enumerate() {
        assert_eq!(visited.cost(state as State), truth.filter(|&cost| cost <= limit));
    }
}

fn inconsistent<Q: Queue>(net: &Net<true>) -> (Outcome, Report) {
    let (mut open, mut closed) = (vec![0; 400], vec![0; net.into.len()]);
    let mut visited = Codes::<8>::new(&mut closed);
    let mut search: AStar<Q> = AStar::new();
    search.begin(net, 0, u32::MAX, &mut open, &mut visited);
    while search.step(net, &mut open, &mut visited, 100) == Progress::Pending {}
    (search.outcome(), search.report())
}

/// 0 -> 1 -> 2 -> 3, each for 3.
fn line() -> Net<false> {
    let into = vec![vec![], vec![(0, 3)], vec![(1, 3)], vec![(2, 3)]];
    Net { into, goals: vec![false, false, false, true], heuristic: vec![0; 4], rise: 0 }
}

#[test]
fn the_limit_is_part_of_the_proof() {
    let net = line();
    for (limit, outcome) in [(9, Outcome::Optimal), (8, Outcome::Unreachable), (0, Outcome::Unreachable)] {
        let (mut open, mut closed) = ([0; 8], [0; 2]);
        let mut visited = Codes::<4>::new(&mut closed);
        let mut search: AStar<Heap> = AStar::new();
        search.begin(&net, 0, limit, &mut open, &mut visited);
        while search.step(&net, &mut open, &mut visited, 1) == Progress::Pending {}
        assert_eq!(search.outcome(), outcome, "limit {limit}");
    }
}

#[test]
fn a_start_at_the_goal_is_an_empty_path() {
    let mut net = line();
    net.goals[0] = true;
    let (outcome, report) = check::<Heap, _>(&net, &mut [0; 1], &mut Codes::<8>::new(&mut [0; 1]), 1);
    assert_eq!((outcome, report.cost, report.expanded), (Outcome::Optimal, 0, 0));
}

#[test]
fn another_memory_is_no_panic_and_no_proof() {
    let net = line();
    for words in 0..4 {
        let (mut open, mut closed) = ([0; 9], [0; 2]);
        let mut visited = Codes::<8>::new(&mut closed);
        let mut heap: AStar<Heap> = AStar::new();
        let mut buckets: AStar<Buckets<8>> = AStar::new();
        heap.begin(&net, 0, u32::MAX, &mut open, &mut visited);
        heap.step(&net, &mut open[..words], &mut visited, 100);
        assert!(words > 0 || heap.outcome() == Outcome::Partial);
        buckets.begin(&net, 0, u32::MAX, &mut open, &mut visited);
        buckets.step(&net, &mut open[..words], &mut visited, 100);
        assert!(words > 2 || buckets.outcome() == Outcome::Partial);
    }
}
