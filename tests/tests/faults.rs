//! Faults on the line: the same games as without them.
//!
//! A few games in an ordinary run. With `RIVAL_LONG=1`, as in `cargo xtask test --long`, as many as the figures in
//! `docs/reliability.md` are about.

use core::time::Duration;
use std::io;
use std::sync::{Arc, Mutex};

use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, State};
use rival_core::wire::Limits;
use rival_sim::client::{Client, ClientError, LineCount};
use rival_sim::duel::opening;
use rival_sim::games::mancala::Mancala;
use rival_sim::games::table;
use rival_sim::link::faults::{FaultCount, Faulty};
use rival_sim::link::{Link, LinkSpec, OpenLink};
use rival_tests::{image, long};

const NODES: Limits = Limits { time_us: 0, nodes: 200, depth: 0 };
const FAULTS: &str = "flip=1e-4,drop=1e-4,dup=1e-4,seed=20";

/// A game that the agent plays against itself, from an opening with this number: its moves.
fn game(client: &mut Client, number: usize) -> Result<Vec<Pit>, ClientError> {
    let mut state: State = opening(&Mancala, 8, number, 3);
    let mut moves = Vec::new();
    while !state.is_over() {
        let answer = client.decide(GameId::Mancala, &state.encode(), NODES)?;
        let pit = Pit::new(answer.action[0]).filter(|&pit| state.is_legal(pit)).expect("a legal move");
        moves.push(pit);
        state = state.play(pit);
    }
    Ok(moves)
}

/// The same games over a sound line and over one with faults.
fn compare(link: LinkSpec, faults: &str, games: usize) -> (FaultCount, LineCount) {
    let mut sound = Client::open(&LinkSpec::InProcess).unwrap();
    let mut faulty = Client::open(&link.with_faults(Some(faults.parse().unwrap()))).unwrap();
    let mut decisions = 0;
    for number in 0..games {
        let moves = game(&mut faulty, number).unwrap();
        assert_eq!(moves, game(&mut sound, number).unwrap(), "game {number}");
        decisions += moves.len();
    }
    let (injected, seen) = (faulty.faults().unwrap(), faulty.line_count());
    println!(
        "figure: {games} games, {decisions} decisions, {} faults in {} bytes; {} damaged frames, {} retries seen: all games as without faults",
        injected.total(),
        injected.bytes,
        seen.bad_frames,
        seen.retries
    );
    (injected, seen)
}

#[test]
fn games_over_a_faulty_line_are_the_games_over_a_sound_one() {
    let (injected, seen) = compare(LinkSpec::InProcess, FAULTS, if long() { 1_000 } else { 200 });
    assert!(injected.flipped > 10 && injected.dropped > 10 && injected.doubled > 10, "{injected:?}");
    assert!(seen.retries > 20 && seen.bad_frames > 10, "{seen:?}");
}

#[test]
fn games_with_an_emulated_board_over_a_faulty_line_are_the_games_over_a_sound_one() {
    let Some(image) = image() else { return };
    let link = LinkSpec::Emulator { shift: 3, image: Some(image) };
    // So few games have to be spoilt more, if they are to be spoilt at all.
    let faults = if long() { FAULTS } else { "flip=1e-3,drop=1e-3,dup=1e-3,seed=20" };
    let (injected, seen) = compare(link, faults, if long() { 100 } else { 5 });
    assert!(injected.total() > 10 && seen.retries > 3, "{injected:?} {seen:?}");
}

#[test]
fn bursts_stalls_and_a_cut_line_are_outlived() {
    let faults = "burst=2e-3:40,stall=2e-4:350,cut=1e-4:1200,seed=3";
    let (injected, seen) = compare(LinkSpec::InProcess, faults, 12);
    assert!(injected.bursts > 3 && injected.stalls > 0 && injected.cuts > 0, "{injected:?}");
    assert!(seen.retries > 3, "{seen:?}");
}

/// A line that spoils a byte in 300: nearly every frame is hit.
#[test]
fn a_line_that_spoils_most_frames_still_carries_a_game() {
    let (injected, seen) = compare(LinkSpec::InProcess, "flip=3e-3,drop=3e-3,dup=3e-3,seed=4", 3);
    assert!(seen.retries as usize > 20, "{injected:?} {seen:?}");
}

/// A game with a map, on an agent that is reset again and again: it is told the map again, and plays the same game.
fn a_game_with_resets(game: &str, opponent: &str, options: &[(&str, &str)], faults: &str) {
    let play = |link: LinkSpec| {
        let settings = rival_sim::duel::MatchSettings {
            p1: "agent".into(),
            p2: opponent.into(),
            games: 1,
            seed: 1,
            opening: 0,
            link,
            limits: NODES,
            map: None,
            options: options.iter().map(|&(key, value)| (key.into(), value.into())).collect(),
            jobs: 1,
            quiet: true,
        };
        table(game).unwrap().run_match(&settings).unwrap().json
    };
    let faulty = LinkSpec::InProcess.with_faults(Some(faults.parse().unwrap())).open().unwrap();
    let shared = OpenLink::new(faulty, None);
    assert_eq!(without_times(play(LinkSpec::Open(shared.clone()))), without_times(play(LinkSpec::InProcess)));
    let injected = shared.with(|link| link.faults()).unwrap();
    assert!(injected.resets > 0, "{injected:?}");
}

#[test]
fn a_board_that_forgets_its_map_is_told_again() {
    a_game_with_resets("belkan", "agent", &[("level", "3")], "flip=1e-5,reset=1e-2,seed=5");
}

#[test]
fn a_board_that_forgets_the_battlefield_is_told_again() {
    a_game_with_resets("battletech", "random", &[], "flip=1e-5,reset=2e-1,seed=5");
}

fn without_times(mut json: serde_json::Value) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.retain(|key, _| {
                    !["link", "seconds", "retold", "reloaded"].contains(&key.as_str())
                        && !key.contains("time")
                        && !key.contains("_us")
                });
                fields.values_mut().for_each(strip);
            }
            serde_json::Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut json);
    json
}

/// The pieces of a map are worth something together only: a reset between two of them is noticed.
#[test]
fn a_reset_in_the_middle_of_a_map_is_noticed() {
    use rival_core::games::belkan::{Knowledge, MAX_PIECE};
    let mut knowledge = Knowledge::new();
    knowledge.begin(7, 100).unwrap();
    let mut pieces = Vec::new();
    let mut row = 3;
    while row < 97 {
        let mut piece = vec![0; MAX_PIECE / 32];
        let (length, next) = knowledge.write_piece(row, &mut piece);
        piece.truncate(length);
        pieces.push(piece);
        row = next;
    }
    assert!(pieces.len() > 3, "{}", pieces.len());
    let faults = "reset=0.05,seed=2".parse().unwrap();
    let mut client = Client::open(&LinkSpec::InProcess.with_faults(Some(faults))).unwrap();
    for _ in 0..40 {
        client.load_all(GameId::Belkan, &pieces).unwrap();
    }
    assert!(client.line_count().resets > 3, "{:?}", client.line_count());
}

/// Nobody at the other end. Counts the time it was waited for, which is not the time that the desktop took over it.
struct Deaf(Arc<Mutex<Duration>>);

impl Link for Deaf {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn read(&mut self, _buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        *self.0.lock().unwrap() += timeout;
        std::thread::sleep(timeout);
        Ok(0)
    }

    fn patience(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_dead_line_is_given_up_in_time() {
    let waited = Arc::new(Mutex::new(Duration::ZERO));
    assert!(matches!(Client::connect(Box::new(Deaf(Arc::clone(&waited))), None), Err(ClientError::Silent)));
    let waited = *waited.lock().unwrap();
    assert!(waited < Duration::from_secs(5), "{waited:?}");
}

/// A link that keeps what is sent over it.
struct Tap {
    inner: Box<dyn Link>,
    sent: Arc<Mutex<Vec<u8>>>,
}

impl Link for Tap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sent.lock().unwrap().extend_from_slice(bytes);
        self.inner.write(bytes)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.inner.read(buffer, timeout)
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }
}

/// A request that comes a second time, long after its answer, changes nothing: the next one is answered for its own
/// state.
#[test]
fn an_old_request_that_comes_again_is_not_mistaken_for_the_next() {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let tap = Tap { inner: LinkSpec::InProcess.open().unwrap(), sent: Arc::clone(&sent) };
    let shared = OpenLink::new(Box::new(tap), None);
    let mut client = Client::open(&LinkSpec::Open(shared.clone())).unwrap();
    let states = three_unlike();
    sent.lock().unwrap().clear();
    client.decide(GameId::Mancala, &states[0].0.encode(), NODES).unwrap();
    let old = sent.lock().unwrap().clone();
    client.decide(GameId::Mancala, &states[1].0.encode(), NODES).unwrap();
    // The old request again, twice: the board starts on it, because it no longer remembers the answer.
    shared.with(|link| link.write(&[old.clone(), old].concat())).unwrap();
    // A third state, so that neither answer from before will do.
    let third = client.decide(GameId::Mancala, &states[2].0.encode(), NODES).unwrap();
    assert_eq!((third.action, third.statistics.value), states[2].1);
    assert!(client.line_count().repeats > 0, "an answer was thrown away: {:?}", client.line_count());
}

/// Three positions with what an agent behind a sound line says about them, no two of which are the same.
fn three_unlike() -> Vec<(State, (Vec<u8>, i32))> {
    let mut sound = Client::open(&LinkSpec::InProcess).unwrap();
    let mut found: Vec<(State, (Vec<u8>, i32))> = Vec::new();
    for number in 0..100 {
        let state = opening(&Mancala, 1, number, 5);
        let answer = sound.decide(GameId::Mancala, &state.encode(), NODES).unwrap();
        let said = (answer.action, answer.statistics.value);
        if found.iter().all(|(_, other)| other.0 != said.0 && other.1 != said.1) {
            found.push((state, said));
        }
        if found.len() == 3 {
            return found;
        }
    }
    panic!("positions are all alike");
}

/// Two conversations over one line, one after the other, never share a request's number.
#[test]
fn another_conversation_is_not_given_the_answers_of_the_last() {
    let shared = OpenLink::new(LinkSpec::InProcess.open().unwrap(), None);
    let spec = LinkSpec::Open(shared);
    for number in 0..6 {
        let state = opening(&Mancala, 2, number, 5);
        let mut sound = Client::open(&LinkSpec::InProcess).unwrap();
        let expected = sound.decide(GameId::Mancala, &state.encode(), NODES).unwrap();
        let mut client = Client::open(&spec).unwrap();
        let answer = client.decide(GameId::Mancala, &state.encode(), NODES).unwrap();
        assert_eq!((answer.action, answer.statistics.value), (expected.action, expected.statistics.value));
        // A desktop that has no time may make it ask again.
        assert_eq!(LineCount { retries: 0, repeats: 0, ..client.line_count() }, LineCount::default());
    }
}

/// Without the wrapper's own mistakes: what it says it has done is what the ends of the line have to bear.
#[test]
fn the_counts_of_both_ends_tell_of_the_faults() {
    let link = Faulty::new(LinkSpec::InProcess.open().unwrap(), "flip=2e-3,seed=6".parse().unwrap());
    let mut client = Client::connect(Box::new(link), None).unwrap();
    for number in 0..4 {
        game(&mut client, number).unwrap();
    }
    let injected = client.faults().unwrap();
    let (here, there) = (client.line_count(), client.counters().unwrap());
    assert!(injected.flipped > 10);
    assert!(here.bad_frames > 0 && there.bad_frames > 0 && there.repeats > 0, "{here:?} {there:?}");
    // A flipped byte spoils a frame, or cuts one in two.
    let spoilt = u64::from(here.bad_frames + there.bad_frames);
    assert!(spoilt <= 2 * injected.flipped, "{spoilt} frames spoilt by {} flips", injected.flipped);
}
