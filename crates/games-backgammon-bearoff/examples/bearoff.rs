//! Computes a bear-off database and writes it to a file:
//! ```text
//! cargo run --release -p games-backgammon-bearoff --example bearoff -- --points 6 --checkers 15 --out one.bearoff
//! cargo run --release -p games-backgammon-bearoff --example bearoff -- --sides 2 --points 6 --checkers 6 --out two.bearoff
//! ```
//! `--check FILE` reads one instead and says what it holds. With `--features mmap` it can also be mapped into memory: `--map`.

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use games_backgammon_bearoff::{Database, FileError, Kind, OneSided, Params, TwoSided};
use indicatif::{ProgressBar, ProgressStyle};

/// Computes a bear-off database and writes it to a file
#[derive(Parser)]
struct Args {
    /// 1: how many rolls a side needs; 2: who wins, for every pair of positions
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    sides: u8,
    /// Points, from the side's 1-point
    #[arg(long, default_value_t = 6)]
    points: u8,
    /// Checkers of a side at most; 15 for one side and 6 for two unless said otherwise
    #[arg(long)]
    checkers: Option<u8>,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The file to write
    #[arg(long, required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Read this file and say what it holds
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,
    /// Map the file into memory instead of reading it; nobody may change it meanwhile
    #[cfg(feature = "mmap")]
    #[arg(long, requires = "check")]
    map: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("bearoff: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<String, Box<dyn Error>> {
    let Some(out) = &args.out else {
        let path = args.check.as_deref().ok_or("there is no file to write or to check")?;
        #[cfg(feature = "mmap")]
        if args.map {
            return Ok(describe_mapped(path)?);
        }
        return Ok(describe(path)?);
    };
    let params = Params::new(args.points, args.checkers.unwrap_or(if args.sides == 1 { 15 } else { 6 }))?;
    try_to_write(out).map_err(|e| format!("{}: {e}", out.display()))?;
    let bar = ProgressBar::no_length();
    bar.set_style(ProgressStyle::with_template("{wide_bar} {percent} % {eta} left")?);
    let progress = |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    };
    let clock = Instant::now();
    let seconds = if args.sides == 1 {
        let database = OneSided::build(params, args.threads, progress);
        let seconds = clock.elapsed().as_secs_f64();
        database.save(out)?;
        seconds
    } else {
        let database = TwoSided::build(params, args.threads, progress)?;
        let seconds = clock.elapsed().as_secs_f64();
        database.save(out)?;
        seconds
    };
    bar.finish_and_clear();
    Ok(format!("{}: {}, computed in {seconds:.2} s", out.display(), describe(out)?))
}

/// Before the work, which may take minutes, and not after it: whether there can be a file of this name. What stands there is left.
fn try_to_write(out: &Path) -> io::Result<()> {
    if out.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let name = out.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let mut trial = name.to_os_string();
    trial.push(format!(".{}.trial", std::process::id()));
    let trial = out.with_file_name(trial);
    File::create_new(&trial)?;
    fs::remove_file(&trial)
}

/// What a file holds.
fn describe(path: &Path) -> Result<String, FileError> {
    let clock = Instant::now();
    let database = Database::open(path)?;
    Ok(text(database.kind(), database.params(), database.as_bytes(), clock))
}

/// What a file holds, mapped into memory.
#[cfg(feature = "mmap")]
fn describe_mapped(path: &Path) -> Result<String, FileError> {
    let clock = Instant::now();
    // SAFETY: nothing here writes to the file, and who asks for `--map` was told that nobody else may.
    Ok(match unsafe { OneSided::map(path) } {
        Err(FileError::OtherKind { .. }) => {
            // SAFETY: as above.
            let database = unsafe { TwoSided::map(path) }?;
            text(Kind::TwoSided, database.params(), database.as_bytes(), clock)
        }
        database => {
            let database = database?;
            text(Kind::OneSided, database.params(), database.as_bytes(), clock)
        }
    })
}

fn text(kind: Kind, params: Params, bytes: &[u8], opened: Instant) -> String {
    let seconds = opened.elapsed().as_secs_f64();
    let (points, checkers, positions, size) = (params.points(), params.checkers(), params.positions(), bytes.len());
    format!(
        "{kind}, {checkers} checkers on {points} points, {positions} positions a side, {size} bytes, opened in {seconds:.2} s"
    )
}
