//! Looking at recorded games, and playing them again.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use arena::{GameLine, LogReader};
use gamecore::Text;

use crate::experiment::{Entries, Experiment};
use crate::run::{GAMES, folder, tournament};

/// Which recorded game.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The file of games, as `run` writes it
    games: PathBuf,
    /// The game: its line among the games, from 1
    #[arg(value_parser = play::number(1..=u64::MAX))]
    number: u64,
}

impl Show {
    /// The name of the recorded game.
    pub(crate) fn game(&self) -> Result<String, Box<dyn Error>> {
        Ok(LogReader::open(&self.games)?.header().game.clone())
    }

    /// Writes a game as a record, which the game's own program plays back.
    pub(crate) fn run<G: Text>(&self) -> Result<u8, Box<dyn Error>> {
        let mut count = 0;
        for line in LogReader::open(&self.games)? {
            let line = line?;
            count += 1;
            if count == self.number {
                let record = line.record::<G>().map_err(|error| format!("game {count}: {error}"))?;
                write!(io::stdout(), "{}", record.to_text())?;
                return Ok(0);
            }
        }
        Err(format!("{} holds {count} games, there is no game {}", self.games.display(), self.number).into())
    }
}

/// Which experiment to play again.
#[derive(Debug, clap::Args)]
pub(crate) struct Replay {
    /// The experiment
    pub(crate) file: PathBuf,
    /// Where its games are [default: a folder beside the file, of its name without the ending]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Only this pair of games (of all meetings together, from 0)
    #[arg(long, value_name = "NUMBER", value_parser = play::number(0..=u64::MAX))]
    unit: Option<u64>,
}

impl Replay {
    /// Plays recorded games again from the seed and compares; the exit status is 1 if one differs.
    pub(crate) fn run<G: Text>(&self, experiment: &Experiment, entries: Entries<G>) -> Result<u8, Box<dyn Error>> {
        let path = folder(&self.file, self.out.as_deref()).join(GAMES);
        let tournament = tournament(experiment, entries)?;
        let (mut same, mut different) = (0, 0);
        let mut unit = None;
        for line in LogReader::open(&path)? {
            let line: GameLine = line?;
            if self.unit.is_some_and(|wanted| wanted != line.unit) {
                continue;
            }
            if line.unit >= tournament.units() {
                return Err(format!("{}: there is no pair {} in this experiment", path.display(), line.unit).into());
            }
            let again = match unit.take() {
                Some(again) if line.game > 0 => again,
                _ => tournament.play_unit(line.unit)?,
            };
            let game: &arena::Played<G> = again.games.get(line.game as usize).ok_or("a pair has two games")?;
            let history = game.record.history();
            if (history.start().position_text(), history.steps_text()) == (line.position, line.steps) {
                same += 1;
            } else {
                different += 1;
                writeln!(
                    io::stdout(),
                    "pair {}, game {}: {} - {} came out differently",
                    line.unit,
                    line.game,
                    line.one,
                    line.two
                )?;
            }
            unit = Some(again);
        }
        writeln!(io::stdout(), "{same} games came out the same, {different} differently.")?;
        Ok(u8::from(different > 0))
    }
}
