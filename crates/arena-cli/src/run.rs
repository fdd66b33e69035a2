//! Playing an experiment.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arena::{Finish, Log, Score, Standings, Tournament};
use atomic_write_file::AtomicWriteFile;
use gamecore::Text;
use indicatif::{ProgressBar, ProgressStyle};
use play::{INTERRUPTED, Interrupt};

use crate::experiment::{Entries, Experiment, timed};
use crate::report;

/// How to run an experiment.
#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The experiment
    pub(crate) file: PathBuf,
    /// Where the games and the report go [default: a folder beside the file, of its name without the ending]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Games at a time [default: the file's, else the number of cores, or 1 if time is limited]
    #[arg(long, value_parser = play::number(1..=256usize))]
    threads: Option<usize>,
    /// Put earlier games aside and start again, instead of going on with them
    #[arg(long)]
    fresh: bool,
}

/// Where the games of an experiment are.
pub(crate) fn folder(file: &Path, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| file.with_extension(""), Path::to_path_buf)
}

/// The name of the file of games.
pub(crate) const GAMES: &str = "games.jsonl";

/// The tournament that an experiment describes.
pub(crate) fn tournament<G: Text>(
    experiment: &Experiment,
    (setup, players): Entries<G>,
) -> Result<Tournament<G>, Box<dyn Error>> {
    let tournament = Tournament::new(experiment.settings(), experiment.pairing, setup, players)?;
    Ok(match experiment.sprt()? {
        Some(sprt) => tournament.with_sprt(sprt)?,
        None => tournament,
    })
}

impl Run {
    /// Plays what is left of an experiment and reports on it; the exit status.
    pub(crate) fn run<G: Text>(&self, experiment: &Experiment, entries: Entries<G>) -> Result<u8, Box<dyn Error>> {
        let interrupt = Interrupt::on_ctrl_c_then(protocols::end_all)?;
        // If the file does not say: one game at a time if time matters, or players would take each other's.
        let timed = timed(&entries.1);
        let cores = || if timed { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        let threads = self.threads.or(experiment.threads).unwrap_or_else(cores);
        let tournament = tournament(experiment, entries)?.with_threads(threads).with_stop(interrupt.flag());
        let folder = folder(&self.file, self.out.as_deref());
        if folder == self.file {
            return Err(format!(
                "{}: give the file an ending such as .toml, or --out a folder for the results",
                folder.display()
            )
            .into());
        }
        if folder.exists() && !folder.is_dir() {
            return Err(format!("{} is not a folder", folder.display()).into());
        }
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let path = folder.join(GAMES);
        if self.fresh {
            put_aside(&path)?;
        }
        let (mut log, mut standings) = Log::open(&path, &tournament, experiment.conditions())?;
        let before = standings.games();
        if before > 0 {
            eprintln!("{before} games are there already.");
        }
        let bar = Progress::new(&tournament, before);
        let started = Instant::now();
        let mut failed = None;
        let finish = tournament.play(&mut standings, &mut |unit, standings| match log.append(&tournament, unit) {
            Ok(()) => {
                bar.show(standings);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        bar.bar.finish_and_clear();
        let (played, took) = (standings.games() - before, started.elapsed().as_secs_f64());
        if let Some(error) = failed {
            return Err(error.into());
        }
        let finish = finish?;
        for (name, text) in report::pages(experiment, timed, &standings)? {
            write(&folder.join(name), &text)?;
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{}\n\n{standings}\n", gamecore::text::quoted(&experiment.title))?;
        if let (Some(sprt), Some(score)) = (tournament.sprt(), standings.score(0, 1)) {
            let [low, high] = sprt.bounds();
            writeln!(out, "log-likelihood ratio {:.2} [{low:.2}, {high:.2}]", sprt.llr(score.tally()))?;
        }
        writeln!(
            out,
            "{}",
            match finish {
                Finish::Decided(verdict) => match (tournament.sprt(), standings.names()) {
                    (Some(sprt), [a, b]) => format!("The sequential test says: {}.", report::verdict(sprt, verdict, a, b)),
                    _ => "The sequential test has decided.".into(),
                },
                Finish::Stopped => "Stopped: run it again to go on.".into(),
                _ => "All games are played.".into(),
            }
        )?;
        if played > 0 {
            writeln!(out, "{played} games in {took:.1} s, {:.0} a second.", played as f64 / took)?;
        }
        writeln!(out, "Report: {}", folder.join("report.md").display())?;
        Ok(if finish == Finish::Stopped { INTERRUPTED } else { 0 })
    }
}

/// Gives earlier games another name, unless somebody is just writing to them.
fn put_aside(path: &Path) -> Result<(), Box<dyn Error>> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(format!("{}: {error}", path.display()).into()),
    };
    file.try_lock().map_err(|_| format!("{} is in use by another tournament", path.display()))?;
    let name = (1..).map(|n| path.with_file_name(format!("games-{n}.jsonl"))).find(|name| !name.exists());
    let name = name.unwrap_or_else(|| unreachable!("some number is free"));
    fs::rename(path, &name).map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("Earlier games are now in {}.", name.display());
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        return Err(format!("{} is a folder; a file of that name was to be written", path.display()).into());
    }
    let written = || {
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(text.as_bytes())?;
        file.commit()
    };
    written().map_err(|error: io::Error| format!("{}: {error}", path.display()).into())
}

/// How far it is.
struct Progress {
    bar: ProgressBar,
    /// Not before this.
    next: std::cell::Cell<Instant>,
}

impl Progress {
    fn new<G: Text>(tournament: &Tournament<G>, before: u64) -> Self {
        let games = tournament.units() * tournament.pairing().games() as u64;
        let style = ProgressStyle::with_template("{bar:25} {pos}/{len} games, {eta} left  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(games).with_style(style).with_position(before);
        bar.reset_eta();
        Self { bar, next: Instant::now().into() }
    }

    fn show(&self, standings: &Standings) {
        let started = Instant::now();
        if started < self.next.get() {
            return;
        }
        self.bar.set_position(standings.games());
        let running = |score: &Score| {
            let interval = score.tally().interval();
            format!(
                "{} {:.1} % [{:.1}, {:.1}]",
                score.a().name,
                score.tally().mean() * 100.0,
                interval.low * 100.0,
                interval.high * 100.0
            )
        };
        let mut scores = standings.scores().map(|(_, score)| score);
        let message = match (scores.next(), scores.next()) {
            (Some(only), None) => running(only),
            _ => {
                let means = (0..standings.names().len()).map(|c| (standings.mean(c), c));
                means.max_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(String::new, |(mean, best)| {
                    let half = standings.mean_interval(best).half_width() * 100.0;
                    format!("best: {} {:.1} ±{half:.1} %", standings.names()[best], mean * 100.0)
                })
            }
        };
        self.bar.set_message(message);
        // The more there is to count, the rarer.
        self.next.set(Instant::now() + Duration::from_millis(200).max(started.elapsed() * 50));
    }
}
