//! EinStein würfelt nicht! at the terminal: against the engine, between two people, or between engines.
//!
//! Without flags you have the first move against the strongest level. Everything random comes from `--seed`, which is
//! printed. `--help` lists the flags; `rules` and `help` during a game, what else there is to know.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, SystemTime};

use arena::{Contestant, Pairing, Settings, Tournament};
use clap::Parser;
use engines::einstein::{Algorithm, Engine, Level, Opening};
use gamecore::{Player, Text, random};
use games_einstein::{Einstein, Rules};
use indicatif::{ProgressBar, ProgressStyle};
use play::{Color, INTERRUPTED, Interrupt, Look, Seat, Session, Side};
use rand::Rng;
use search_core::Limits;

/// EinStein würfelt nicht! against the engine
#[derive(Clone, Parser)]
#[command(name = "einstein_vs_ai")]
struct Args {
    /// standard; 4x4, with +missing (any stone moves if the die's is captured) or +nomove (or blocked); 5x5x9, with +free
    /// (as +nomove); 4x4 and 5x5x9 also with +capture-all (this wins too) and @N (drawn after N turns), as in 4x4+nomove@50
    #[arg(long, default_value = "standard")]
    rules: Rules,
    /// What you play: first, second, one, two, both or none (to watch)
    #[arg(long, default_value = "first")]
    side: Side,
    /// The seat that starts, one or two
    #[arg(long, default_value = "one", value_name = "SEAT", value_parser = play::parse_seat)]
    first: Player,
    /// natural, random, mirrored, or digits: 615243, or 615243,123456 for each
    #[arg(long, default_value = "random")]
    layout: Opening,
    /// How strong the engine is, 1 to 6 [default: 6; in --self-play 4]
    #[arg(long)]
    level: Option<Level>,
    /// How the engine searches: expectimax, alpha-beta (with chance nodes) or mcts
    #[arg(long, default_value_t)]
    algorithm: Algorithm,
    /// Let the strongest level think so long about a move [default: 1]
    #[arg(long, conflicts_with = "level", value_parser = play::parse_seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Of dice, layouts and engines: levels 1 to 5 then play alike, level 6 depends on time [default: from the clock]
    #[arg(long, value_parser = play::number(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// If this record exists it is only played back, else the game is kept in it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["self_play", "depth_scan"])]
    replay: Option<PathBuf>,
    /// Analyse this position, whatever it waits for, then play on from it
    #[arg(long, value_name = "TEXT", value_parser = Einstein::parse_position, conflicts_with_all = ["rules", "layout", "first"])]
    position: Option<Einstein>,
    /// Let the engine play so many games against itself
    #[arg(long, value_name = "GAMES", value_parser = play::number(1..=1_000_000u64), allow_negative_numbers = true, conflicts_with = "depth_scan")]
    self_play: Option<u64>,
    /// Let depths of search play each other on the same dice, as in 2,3,4
    #[arg(long, value_name = "DEPTHS", value_delimiter = ',', value_parser = play::number(1..=20u32))]
    depth_scan: Vec<u32>,
    /// Let levels 1 to 5 play each other and rate them, and level 6 too if --seconds says how long it may think
    #[arg(long, conflicts_with_all = ["self_play", "depth_scan", "replay"])]
    calibrate: bool,
    /// How many games each two depths or levels play, in pairs
    #[arg(long, default_value_t = 200, value_parser = play::number(2..=1_000_000u64))]
    games: u64,
    /// auto, always or never
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    color: Color,
}

/// Who meets whom, in how many pairs.
type Meetings = (Pairing, u64, Vec<Contestant<Einstein>>);

impl Args {
    /// What is to be played, if engines are to play each other.
    fn tournament(&self, rules: Rules) -> Result<Option<Meetings>, String> {
        let algorithm = self.algorithm;
        let player = |level: Level, limits: Limits| {
            Contestant::new(&format!("level {level}"), limits, move || level.agent(rules, algorithm, 0))
        };
        let limits = |level: Level| {
            self.seconds.filter(|_| level == Level::STRONGEST).map_or_else(|| level.limits(algorithm), Limits::time)
        };
        let pairs = self.games.div_ceil(2);
        Ok(if let Some(games) = self.self_play {
            let level = self.level.unwrap_or(if self.seconds.is_some() { Level::STRONGEST } else { Level::QUICK });
            Some((Pairing::SelfPlay, games, vec![player(level, limits(level))]))
        } else if self.calibrate {
            let levels = Level::all().filter(|&level| level < Level::STRONGEST || self.seconds.is_some());
            Some((Pairing::RoundRobin, pairs, levels.map(|level| player(level, limits(level))).collect()))
        } else if !self.depth_scan.is_empty() {
            if algorithm == Algorithm::Mcts {
                return Err("--depth-scan is for searches that look so many decisions ahead: expectimax and alpha-beta".into());
            }
            let different: BTreeSet<u32> = self.depth_scan.iter().copied().collect();
            if different.len() < 2 {
                return Err("--depth-scan needs two different depths or more, as in 2,3".into());
            }
            let engine = move || Engine::new(rules).with_algorithm(algorithm);
            let depth = |d| Contestant::new(&format!("depth {d}"), Limits::depth(d), engine);
            Some((Pairing::RoundRobin, pairs, different.into_iter().map(depth).collect()))
        } else {
            None
        })
    }
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(status) => status.into(),
        // Whoever read the output has seen enough.
        Err(e) if e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<u8, Box<dyn Error>> {
    let interrupt = Interrupt::on_ctrl_c()?;
    let seed = args.seed.unwrap_or_else(|| SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_millis() as u64 % 1_000_000));

    let Args { rules, layout, first, position, .. } = args.clone();
    layout.start(rules, first, &mut random::generator(seed))?;
    let rules = position.map_or(rules, |p| p.rules());
    let mover = position.map_or(first, |p| p.mover());
    let start = move |rng: &mut dyn Rng| position.unwrap_or_else(|| layout.start(rules, first, rng).expect("tried above"));
    let limits =
        |level: Level| args.seconds.map_or_else(|| level.limits(args.algorithm), Limits::time).and_stop(interrupt.flag());
    if let Some((pairing, pairs, players)) = args.tournament(rules)? {
        // Engines that are limited by time would take each other's on more cores than one.
        let threads = if args.seconds.is_some() { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
        let tournament = Tournament::new(Settings::new(pairs, seed), pairing, move |_, rng| start(rng), players)?;
        let tournament = tournament.with_threads(threads).with_stop(interrupt.flag());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left").expect("a valid template");
        let bar = ProgressBar::new(tournament.units() * pairing.games() as u64).with_style(style);
        let mut standings = tournament.standings();
        tournament.play(&mut standings, &mut |_, standings| {
            bar.set_position(standings.games());
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        writeln!(io::stdout(), "Seed {seed}.\n{standings}")?;
        return Ok(if interrupt.is_raised() { INTERRUPTED } else { 0 });
    }

    let (mut input, mut screen) = (play::stdin(&interrupt), play::stdout(args.color));
    let look = Look::of::<Einstein>();
    if let Some(path) = &args.replay
        && let Some(record) = play::load::<Einstein>(path)?
    {
        screen.say(&format!("Playing back {}; the other flags do not matter.", path.display()))?;
        return Ok(play::replay(&record, &look, &mut *input, &mut screen)?.status());
    }
    let level = args.level.unwrap_or(Level::STRONGEST);
    let mut session =
        Session::new(seed, move |seed| start(&mut random::generator(seed))).with_look(look).with_interrupt(interrupt.clone());
    for player in Player::BOTH.into_iter().filter(|&p| !args.side.includes(p, mover)) {
        let agent = level.agent(rules, args.algorithm, seed.wrapping_add(player.index() as u64));
        session = session.with_seat(player, Seat::Agent { agent, limits: limits(level) });
    }
    // The same advice on every machine that is not slow, unless time is what was asked for.
    let advice = limits(Level::STRONGEST).and_depth(if args.seconds.is_some() { u32::MAX } else { 7 });
    session = session
        .with_adviser(Box::new(Engine::new(rules).with_algorithm(args.algorithm)), advice)
        .with_analysis(position.is_some());
    if let Some(path) = &args.replay {
        session.keep_in(path)?;
    }
    screen.say(&format!(
        "Seed {seed}; the engine {}. Type rules for the rules, help for the commands.",
        level.description(args.algorithm)
    ))?;
    Ok(session.run(&mut *input, &mut screen)?.status())
}
