//! What the games' programs for people have in common: flags, matches between engines, a game at the terminal.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use arena::{Contestant, Pairing, Settings, Tournament};
use gamecore::{Draw, Player, random};
use indicatif::{ProgressBar, ProgressStyle};
use play::{Color, Format, INTERRUPTED, Interrupt, Look, Seat, Session, Side};
use rand::Rng;
use search_core::{Agent, Analyst, Limits};

/// Flags that every game's program has.
#[derive(Clone, clap::Args)]
pub(crate) struct Common {
    /// What you play: first, second, one, two, both or none (to watch)
    #[arg(long, default_value = "first")]
    pub(crate) side: Side,
    /// Let the strongest level think so long about a move [default: 1]
    #[arg(long, conflicts_with = "level", value_parser = play::parse_seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Option<Duration>,
    /// Of everything random: levels that look a fixed number of moves ahead then play alike [default: from the clock]
    #[arg(long, value_parser = play::number(0..=u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// If this record exists it is only played back, else the game is kept in it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["self_play", "depth_scan"])]
    pub(crate) replay: Option<PathBuf>,
    /// Go on with the game in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["self_play", "depth_scan", "calibrate", "position"])]
    pub(crate) load: Option<PathBuf>,
    /// Let the engine play so many games against itself
    #[arg(long, value_name = "GAMES", value_parser = play::number(1..=1_000_000u64), allow_negative_numbers = true, conflicts_with = "depth_scan")]
    pub(crate) self_play: Option<u64>,
    /// Let depths of search play each other in pairs of games that begin alike, as in 2,3,4
    #[arg(long, value_name = "DEPTHS", value_delimiter = ',', value_parser = play::number(1..=20u32), allow_negative_numbers = true)]
    pub(crate) depth_scan: Vec<u32>,
    /// Let the levels play each other and rate them; the strongest only if --seconds says how long it may think
    #[arg(long, conflicts_with_all = ["self_play", "depth_scan", "replay"])]
    pub(crate) calibrate: bool,
    /// How many games each two depths or levels play, in pairs
    #[arg(long, default_value_t = 200, value_parser = play::number(2..=1_000_000u64), allow_negative_numbers = true)]
    pub(crate) games: u64,
    /// auto, always or never
    #[arg(long, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
}

/// How a player is made.
pub(crate) type Make<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

/// A first position, from a generator.
pub(crate) type Start<G> = Box<dyn Fn(&mut dyn Rng) -> G + Send + Sync>;

/// Who meets whom, in how many pairs.
type Meetings<G> = (Pairing, u64, Vec<Contestant<G>>);

/// How a player of a level is made, from a seed.
pub(crate) type Leveled<G, L> = Arc<dyn Fn(L, u64) -> Box<dyn Agent<G>> + Send + Sync>;

/// How a player is made, from a function that makes one.
pub(crate) fn make<G: Draw, A: Agent<G> + 'static>(agent: impl Fn() -> A + Send + Sync + 'static) -> Make<G> {
    Arc::new(move || Box::new(agent()))
}

/// The players that a game's engines offer; the levels, the weakest first.
pub(crate) struct Roster<G: Draw, L> {
    pub(crate) levels: Vec<L>,
    /// The level for hundreds of games.
    pub(crate) quick: L,
    /// What a level may spend on a move.
    pub(crate) limits: Box<dyn Fn(L) -> Limits>,
    /// A player of a level, from a seed.
    pub(crate) player: Leveled<G, L>,
    /// A search to any depth, or why there is none.
    pub(crate) depths: Result<Make<G>, String>,
}

impl<G: Draw, L: Copy + Ord + Display + Send + Sync + 'static> Roster<G, L> {
    fn strongest(&self) -> L {
        *self.levels.last().expect("there are levels")
    }
}

/// A game's players, its first positions, and how they look.
pub(crate) struct Table<G: Draw, L> {
    pub(crate) roster: Roster<G, L>,
    /// The level that was asked for.
    pub(crate) level: Option<L>,
    /// The first position of a game.
    pub(crate) start: Start<G>,
    pub(crate) look: Look,
    /// Formats of other programs, by the names of files.
    pub(crate) formats: Vec<Format<G>>,
}

/// Runs a program, and tells what goes wrong.
pub(crate) fn exit(result: Result<u8, Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(status) => status.into(),
        // Whoever read the output has seen enough.
        Err(e) if e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(io::stderr(), "error: {e}");
            ExitCode::from(2)
        }
    }
}

impl Common {
    /// The seed that was asked for, or one from the clock.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_millis() as u64 % 1_000_000))
    }

    /// What is to be played, if engines are to play each other: who meets whom, in how many pairs.
    fn meetings<G: Draw + 'static, L: Copy + Ord + Display + Send + Sync + 'static>(
        &self,
        roster: &Roster<G, L>,
        level: Option<L>,
    ) -> Result<Option<Meetings<G>>, String> {
        let strongest = roster.strongest();
        let player = |level: L| {
            let limits = self.seconds.filter(|_| level == strongest).map_or_else(|| (roster.limits)(level), Limits::time);
            let agent = Arc::clone(&roster.player);
            Contestant::new(&format!("level {level}"), limits, move || agent(level, 0))
        };
        let pairs = self.games.div_ceil(2);
        Ok(if let Some(games) = self.self_play {
            let level = level.unwrap_or(if self.seconds.is_some() { strongest } else { roster.quick });
            Some((Pairing::SelfPlay, games, vec![player(level)]))
        } else if self.calibrate {
            let levels = roster.levels.iter().filter(|&&level| level < strongest || self.seconds.is_some());
            Some((Pairing::RoundRobin, pairs, levels.map(|&level| player(level)).collect()))
        } else if !self.depth_scan.is_empty() {
            let engine = roster.depths.as_ref().map_err(String::clone)?;
            let different: BTreeSet<u32> = self.depth_scan.iter().copied().collect();
            if different.len() < 2 {
                return Err("--depth-scan needs two different depths or more, as in 2,3".into());
            }
            let depth = |d| {
                let engine = Arc::clone(engine);
                Contestant::new(&format!("depth {d}"), Limits::depth(d), move || engine())
            };
            Some((Pairing::RoundRobin, pairs, different.into_iter().map(depth).collect()))
        } else {
            None
        })
    }

    /// Lets engines play each other, plays a record back, or plays a game with people; the exit status. `session` is given
    /// the game's session and says what else belongs to it, and who advises, unless told otherwise so deep.
    pub(crate) fn run<G: Draw + 'static, L: Copy + Ord + Display + Send + Sync + 'static>(
        &self,
        table: Table<G, L>,
        first: Player,
        advice: (Box<dyn Analyst<G>>, u32),
        greeting: &str,
        session: impl FnOnce(Session<G>) -> Session<G>,
    ) -> Result<u8, Box<dyn Error>> {
        let interrupt = Interrupt::on_ctrl_c()?;
        let seed = self.seed();
        let Table { roster, level, start, look, formats } = table;
        if let Some((pairing, pairs, players)) = self.meetings(&roster, level)? {
            // Engines that are limited by time would take each other's on more cores than one.
            let threads = if self.seconds.is_some() { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
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
        let (mut input, mut screen) = (play::stdin(&interrupt), play::stdout(self.color));
        if let Some(path) = &self.replay
            && let Some(record) = play::load_as(path, &formats)?
        {
            screen.say(&format!("Playing back {}; flags about who plays do not matter.", path.display()))?;
            return Ok(play::replay(&record, &look, &mut *input, &mut screen)?.status());
        }
        let strongest = roster.strongest();
        let level = level.unwrap_or(strongest);
        let limits = |level: L| self.seconds.map_or_else(|| (roster.limits)(level), Limits::time).and_stop(interrupt.flag());
        let game = Session::new(seed, move |seed| start(&mut random::generator(seed)));
        let mut game = game.with_look(look).with_formats(formats).with_interrupt(interrupt.clone());
        for seat in Player::BOTH.into_iter().filter(|&p| !self.side.includes(p, first)) {
            let agent = (roster.player)(level, seed.wrapping_add(seat.index() as u64));
            game = game.with_seat(seat, Seat::Agent { agent, limits: limits(level) });
        }
        let (adviser, depth) = advice;
        // The same advice on every machine that is not slow, unless time is what was asked for.
        let depth = if self.seconds.is_some() { u32::MAX } else { depth };
        let mut game = session(game.with_adviser(adviser, limits(strongest).and_depth(depth)));
        if let Some(path) = &self.load {
            game.load(path)?;
        }
        if let Some(path) = &self.replay {
            game.keep_in(path)?;
        }
        screen.say(&format!("Seed {}; {greeting} Type rules for the rules, help for the commands.", game.seed()))?;
        Ok(game.run(&mut *input, &mut screen)?.status())
    }
}
