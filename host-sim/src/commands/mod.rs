//! What `rival` can be told to do.

use core::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use rival_core::agent::Level;
use rival_core::games::GameId;
use rival_core::wire::{Counters, Limits};

use crate::client::Client;
use crate::duel::MatchSettings;
use crate::games::{PlaySettings, TABLES, TuneSettings, table};
use crate::link::faults::Faults;
use crate::link::{LinkSpec, serial};

pub mod bench;
mod book;
mod conform;
mod convert;
mod decide;
mod menu;
mod replay;
pub mod soak;
mod solve;
pub mod style;
mod verify;

/// An opponent that lives on a microcontroller: play it, match it, measure it.
#[derive(Parser, Debug)]
#[command(name = "rival", version, max_term_width = 100)]
#[command(after_help = "Without a command: a menu on a terminal, a short shown match of every game otherwise.\n\
    Links: in-process (default), serial:<port>[@baud], emulator[:shift].")]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play against it at the terminal, or watch it play
    Play(PlayArgs),
    /// Let two players play a match
    #[command(after_help = "Players: agent, or an opponent of the game (`rival games` lists them).\n\
        Example: rival match mancala --p1 agent --p2 stark --games 200 --seed 1\n\
        Two-player games take --set seat=first or seat=second: the first player keeps that seat.")]
    Match(MatchArgs),
    /// Ask for one decision
    #[command(after_help = "Example: rival decide mancala --state start --nodes 50000\n\
        Example: rival decide belkan --map generated:4:100 --state '{\"level\":3,\"start\":[5,5],\"target\":[90,80]}'")]
    Decide(decide::DecideArgs),
    /// Replay recordings of other programs through the rules
    Conform(conform::ConformArgs),
    /// Find the exact value of every move (Mancala)
    Solve(solve::SolveArgs),
    /// Make the tables that are part of the firmware (Mancala)
    Book(book::BookArgs),
    /// Walk through every line against the agent in the first seat (Mancala)
    Verify(verify::VerifyArgs),
    /// Measure decisions on fixed positions, compare runs, draw them
    Bench(bench::BenchArgs),
    /// Play all games for hours, with faults, and count what goes wrong
    Soak(soak::SoakArgs),
    /// Play inside another program, over its protocol on standard input and output
    #[command(after_help = "The protocols are those of the programs that the games come from:\n  \
        mancala      the original simulator's: PING, GETNAME, TIMEOUT, SETPLAYER, GETMOVE, END\n  \
        parchis      a request a line, an answer a line: hello, set, state, moves, play, go, quit\n  \
        planet-wars  the contest's: P and F lines and go, answered by orders and go; 200 turns unless turns=<n>\n  \
        battletech   the original simulator's files: the number of the player and the phase\n\
        Example: rival bot battletech 0 Movimiento --dir game\n\
        Example: java -jar PlayGame.jar map1.txt 1000 1000 log.txt \"rival bot planet-wars turns=1000\" ...")]
    Bot(BotArgs),
    /// Tune a game's evaluation by self-play
    #[command(after_help = "The same arguments give the same weights on every machine.\n\
        Example: rival tune parchis --seed 1 --games 600 --rounds 3")]
    Tune(TuneArgs),
    /// Show a recorded game of Planet Wars or BattleTech
    Replay(replay::ReplayArgs),
    /// Turn maps and mechs of the original BattleTech simulator into the project's own form, or back
    Convert(convert::ConvertArgs),
    /// List the games and their opponents
    Games,
    /// List the serial ports of this computer
    Ports,
    /// Ask a board who it is
    Info(LinkArgs),
}

/// Where the agent is.
#[derive(Args, Debug, Clone)]
pub struct LinkArgs {
    /// Where the agent is
    #[arg(
        long,
        help = "Where the agent is: in-process, serial:<port>[@baud], emulator[:shift]",
        default_value = "in-process",
        value_name = "LINK"
    )]
    pub link: LinkSpec,
    /// A firmware image for the emulator, instead of this workspace's own
    #[arg(long, value_name = "ELF")]
    pub image: Option<PathBuf>,
    /// Faults on the line, to see it keep playing: flip=1e-4,drop=1e-4,dup=1e-4 a byte, burst=P:BYTES, stall=P:MS,
    /// cut=P:MS, reset=P a request (not on a serial port), seed=N
    #[arg(long, value_name = "FAULTS")]
    pub faults: Option<Faults>,
}

impl LinkArgs {
    /// The link with its image and its faults.
    pub fn spec(&self) -> LinkSpec {
        let link = match (&self.link, &self.image) {
            (LinkSpec::Emulator { shift, .. }, image) => LinkSpec::Emulator { shift: *shift, image: image.clone() },
            (link, _) => link.clone(),
        };
        link.with_faults(self.faults.clone())
    }
}

/// What a decision may cost.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitArgs {
    /// Milliseconds for a whole decision, the line included [default: 1000]
    #[arg(long, value_name = "MS")]
    pub time_ms: Option<u32>,
    /// Nodes instead of time: the same decision on every machine
    #[arg(long, value_name = "N")]
    pub nodes: Option<u32>,
    /// Plies at the most
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u8>,
}

impl LimitArgs {
    /// The limits: one second unless something else is asked for.
    pub fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time_ms = self.time_ms.unwrap_or(if unlimited { 1_000 } else { 0 });
        Limits {
            time_us: time_ms.saturating_mul(1_000),
            nodes: self.nodes.unwrap_or(0),
            depth: self.depth.unwrap_or(0),
        }
    }
}

#[derive(Args, Debug)]
struct PlayArgs {
    /// The game
    game: String,
    /// Your seat: first or second; `watch` to see two machines
    #[arg(long, default_value = "first", value_parser = ["first", "second", "watch"])]
    seat: String,
    /// Who sits on the other side
    #[arg(long, default_value = "agent")]
    opponent: String,
    /// How strong the agent is, 1 to 10
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    level: u8,
    /// Seed of everything left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A map, for the games that have them
    #[arg(long)]
    map: Option<String>,
    /// Something only this game knows, as key=value; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    link: LinkArgs,
}

#[derive(Args, Debug)]
struct MatchArgs {
    /// The game
    game: String,
    /// The first player
    #[arg(long, default_value = "agent")]
    p1: String,
    /// The second player
    #[arg(long)]
    p2: String,
    /// How many games; two in a row share an opening and exchange the seats
    #[arg(long, default_value_t = 20, value_parser = at_least_one)]
    games: usize,
    /// Seed of the openings and of everything else left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random legal moves before the players take over
    #[arg(long, default_value_t = 2)]
    opening: usize,
    /// A map, for the games that have them: a file, a folder of them, or generated:<seed>
    #[arg(long)]
    map: Option<String>,
    /// Write the first game down as a playback, for `rival replay` (Planet Wars, BattleTech)
    #[arg(long, value_name = "FILE")]
    playback: Option<String>,
    /// Draw the first game's ship counts (Planet Wars)
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Mechs by name, one for everybody or one each: A[,B…] (BattleTech)
    #[arg(long, value_name = "NAMES")]
    mechs: Option<String>,
    /// Whose rules: ugr as the original simulator plays, book as its manual says (BattleTech)
    #[arg(long, value_parser = ["ugr", "book"])]
    rules: Option<String>,
    /// Something only this game knows, as key=value; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    options: Vec<(String, String)>,
    /// Games at the same time (in-process only)
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Write the result as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one is needed".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("a whole number is needed".into()),
    }
}

fn key_value(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(key, value)| (key.into(), value.into()))
        .ok_or_else(|| format!("\"{text}\" is not of the form key=value"))
}

#[derive(Args, Debug)]
struct BotArgs {
    /// The game
    game: String,
    /// Further words, for the games whose programs start their bots with some
    arguments: Vec<String>,
    /// Where the other program's files are (BattleTech) [default: the current directory]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Args, Debug)]
struct TuneArgs {
    /// The game
    game: String,
    /// Seed of everything left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games of self-play a round
    #[arg(long, default_value_t = 600)]
    games: u32,
    /// Nodes a decision
    #[arg(long, default_value_t = 1_000)]
    nodes: u32,
    /// Rounds of playing and learning
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

/// Does what the command line says. `true` if all is well, `false` for a result that is bad without being an error.
pub fn run(cli: Cli) -> Result<bool> {
    match cli.command {
        None => menu::run().map(|()| true),
        Some(Command::Play(args)) => play(&args).map(|()| true),
        Some(Command::Match(args)) => run_match(&args).map(|()| true),
        Some(Command::Decide(args)) => decide::run(&args).map(|()| true),
        Some(Command::Conform(args)) => conform::run(&args),
        Some(Command::Solve(args)) => solve::run(&args).map(|()| true),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Soak(args)) => soak::run(&args),
        Some(Command::Bot(args)) => bot(&args).map(|()| true),
        Some(Command::Tune(args)) => {
            let TuneArgs { seed, games, nodes, rounds, .. } = args;
            table(&args.game)?.tune(&TuneSettings { seed, games, nodes, rounds }).map(|()| true)
        }
        Some(Command::Replay(args)) => replay::run(&args).map(|()| true),
        Some(Command::Convert(args)) => convert::run(&args).map(|()| true),
        Some(Command::Games) => {
            games();
            Ok(true)
        }
        Some(Command::Ports) => ports().map(|()| true),
        Some(Command::Info(args)) => info(&args).map(|()| true),
    }
}

fn play(args: &PlayArgs) -> Result<()> {
    let level = Level::new(args.level).context("a level is a number from 1 to 10")?;
    let seat = match args.seat.as_str() {
        "first" => Some(0),
        "second" => Some(1),
        _ => None,
    };
    table(&args.game)?.play(&PlaySettings {
        seat,
        opponent: args.opponent.clone(),
        link: args.link.spec(),
        limits: level.limits(),
        seed: args.seed,
        map: args.map.clone(),
        options: args.options.clone(),
    })
}

fn run_match(args: &MatchArgs) -> Result<()> {
    let table = table(&args.game)?;
    let link = args.link.spec();
    if args.jobs > 1 && link != LinkSpec::InProcess {
        bail!("only the in-process link can play several games at once: leave --jobs out");
    }
    let mut options = args.options.clone();
    let given = [("playback", &args.playback), ("svg", &args.svg), ("mechs", &args.mechs), ("rules", &args.rules)];
    for (key, value) in given {
        options.extend(value.clone().map(|value| (key.to_owned(), value)));
    }
    let settings = MatchSettings {
        p1: args.p1.clone(),
        p2: args.p2.clone(),
        games: args.games,
        seed: args.seed,
        opening: args.opening,
        link,
        limits: args.limits.limits(),
        map: args.map.clone(),
        options,
        jobs: args.jobs,
        quiet: false,
    };
    let report = table.run_match(&settings)?;
    if !is_stdout(args.json.as_ref()) {
        println!("{}", report.summary);
    }
    write_json(args.json.as_ref(), &report.json)
}

/// Whether JSON is to be all that standard output has.
fn is_stdout(file: Option<&PathBuf>) -> bool {
    file.is_some_and(|file| file.as_os_str() == "-")
}

/// Writes JSON to the file that was asked for, if one was; `-` is standard output.
fn write_json(file: Option<&PathBuf>, json: &serde_json::Value) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let text = serde_json::to_string_pretty(json)?;
    if is_stdout(Some(file)) {
        println!("{text}");
        return Ok(());
    }
    std::fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
}

fn bot(args: &BotArgs) -> Result<()> {
    let link = args.link.spec();
    let open = || Ok(Client::open(&link)?);
    let mut arguments = args.arguments.clone();
    arguments.extend(args.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
    table(&args.game)?.bot(&open, args.limits.limits(), &arguments)
}

fn games() {
    for table in TABLES {
        println!("{}  {}", style::bold(table.id().name()), table.about());
        let mut players = vec![("agent", "this project's own, behind the link")];
        players.extend(table.opponents().iter().copied());
        let width = players.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, about) in players {
            println!("    {name:<width$}  {about}");
        }
    }
}

fn ports() -> Result<()> {
    let ports = serial::ports()?;
    if ports.is_empty() {
        println!("No serial ports. Plug a board in; `rival --help` says what else it can be linked to.");
    }
    for port in ports {
        println!("{port}");
    }
    Ok(())
}

fn info(args: &LinkArgs) -> Result<()> {
    print!("{}", info_text(&mut Client::open(&args.spec())?)?);
    Ok(())
}

/// What `rival info` says about the board at the other end.
pub fn info_text(client: &mut Client) -> Result<String> {
    let identity = client.identity().clone();
    let counters = client.counters()?;
    let mut text = String::new();
    let out = &mut text;
    writeln!(out, "board       {} (firmware {})", identity.board, identity.firmware)?;
    if identity.clock_hz > 0 {
        writeln!(out, "clock       {} MHz, microseconds are {:?}", identity.clock_hz / 1_000_000, identity.timing)?;
    }
    writeln!(out, "boot        {:08x}", identity.boot)?;
    let names: Vec<_> = identity.games.iter().map(|game: &GameId| game.name()).collect();
    writeln!(out, "games       {}", names.join(", "))?;
    writeln!(out, "memory      {} bytes static, {} of them workspace", identity.static_ram, identity.workspace)?;
    if identity.stack > 0 {
        writeln!(out, "stack       {} bytes, {} used at most", identity.stack, identity.stack_peak)?;
    }
    let Counters { frames, bad_frames, decisions, repeats, refused, overruns } = counters;
    writeln!(
        out,
        "line        {frames} frames, {bad_frames} bad, {decisions} decisions, {repeats} repeats, {refused} refused, \
         {overruns} bytes lost"
    )?;
    match identity.last_fault {
        None => writeln!(out, "last fault  none")?,
        Some(fault) => writeln!(out, "last fault  {:?} at {}", fault.kind, fault.place)?,
    }
    Ok(text)
}
