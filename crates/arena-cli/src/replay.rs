//! Looking at recorded games, and playing them again.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use arena::{GameLine, LogReader, Unit};
use gamecore::Text;
use play::{INTERRUPTED, Interrupt};

use crate::experiment::{Entries, Experiment};
use crate::run::{GAMES, folder, tournament};

/// Which recorded game.
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The file of games that `run` has written, or its folder
    games: PathBuf,
    /// The game: its line among the games, from 1
    #[arg(value_parser = play::number(1..=u64::MAX))]
    number: u64,
}

impl Show {
    fn path(&self) -> PathBuf {
        if self.games.is_dir() { self.games.join(GAMES) } else { self.games.clone() }
    }

    /// The name of the recorded game.
    pub(crate) fn game(&self) -> Result<String, Box<dyn Error>> {
        Ok(LogReader::open(&self.path())?.header().game.clone())
    }

    /// Writes a game as a record, which the game's own program plays back.
    pub(crate) fn run<G: Text>(&self) -> Result<u8, Box<dyn Error>> {
        let mut count = 0;
        for line in LogReader::open(&self.path())? {
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
    /// Only this unit (a pair of games, counted over all meetings from 0)
    #[arg(long, value_name = "NUMBER", value_parser = play::number(0..=u64::MAX))]
    unit: Option<u64>,
}

impl Replay {
    /// Plays recorded games again from the seed and compares; the exit status is 1 if one differs.
    pub(crate) fn run<G: Text>(&self, experiment: &Experiment, entries: Entries<G>) -> Result<u8, Box<dyn Error>> {
        let interrupt = Interrupt::on_ctrl_c_then(protocols::end_all)?;
        let path = folder(&self.file, self.out.as_deref()).join(GAMES);
        let tournament = tournament(experiment, entries)?.with_stop(interrupt.flag());
        let reader = LogReader::open(&path)?;
        reader.check(&tournament, experiment.conditions())?;
        let (mut same, mut different) = (0, 0);
        let mut again = tournament.again()?;
        let mut last: Option<Unit<G>> = None;
        let mut out = io::stdout().lock();
        for line in reader {
            let line = line?;
            if self.unit.is_some_and(|wanted| wanted != line.unit) {
                continue;
            }
            let played = match last.take() {
                Some(played) if played.number == line.unit => played,
                _ => match again.play(line.unit)? {
                    Some(played) => played,
                    None => return Ok(INTERRUPTED),
                },
            };
            let GameLine { unit, game, one, two, .. } = &line;
            if tournament.line(&played, *game as usize).is_some_and(|played| played.same_game(&line)) {
                same += 1;
            } else {
                different += 1;
                writeln!(out, "unit {unit}, game {game}: {one} - {two} came out differently")?;
            }
            last = Some(played);
        }
        if same + different == 0 {
            return Err(format!("{} holds no such games", path.display()).into());
        }
        writeln!(out, "{same} games came out the same, {different} differently.")?;
        Ok(u8::from(different > 0))
    }
}
