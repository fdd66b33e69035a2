//! Every game of a tournament in a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gamecore::{Outcome, Player, Record, Step, Text, TextError};
use serde::{Deserialize, Serialize};

use crate::{End, Fault, Pairing, Played, Spent, Standings, Summary, Tournament, Unit};

/// The first line's `format`.
const FORMAT: &str = "boardwright games 1";
/// The longest line that is read, in bytes: a hundred thousand moves and more.
const LONGEST_LINE: u64 = 16 << 20;

/// The first line of a log: what was played, under which conditions. Games under other conditions do not belong in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The format's name and version.
    pub format: String,
    /// The game, [`Text::NAME`].
    pub game: String,
    /// The version of this project that played.
    pub version: String,
    /// The tournament's seed.
    pub seed: u64,
    /// Who met whom: `RoundRobin`, `Gauntlet` or `SelfPlay`.
    pub pairing: String,
    /// The contestants' names.
    pub contestants: Vec<String>,
    /// After how many decisions games are cut off.
    pub most_decisions: Option<u64>,
    /// Whatever else the games depend on, as the caller describes it: rules, openings, what the agents are.
    pub about: serde_json::Value,
}

/// One game, one line of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameLine {
    /// The [unit](Unit) that it belongs to, from 0.
    pub unit: u64,
    /// Which game of the unit, 0 or 1.
    pub game: u32,
    /// The pair's number: with the seed, it determines the start and the dice.
    pub pair: u64,
    /// The tournament's seed.
    pub seed: u64,
    /// The version of this project that played.
    pub version: String,
    /// Who sat in seat One.
    pub one: String,
    /// Who sat in seat Two.
    pub two: String,
    /// The first position, in the game's notation.
    pub position: String,
    /// Rolls and moves, in the game's notation, with spaces between.
    pub steps: String,
    /// What each mover thought of the position, in points for One; `None` from those who have no opinion.
    pub values: Vec<Option<f64>>,
    /// How long each decision took, in nanoseconds.
    pub times: Vec<u64>,
    /// Who won; `None` after a draw.
    winner: Option<SeatName>,
    /// How many points that brought.
    points: u16,
    /// Why the game ended.
    end: EndLine,
    /// Who decided first.
    first: Option<SeatName>,
    /// What One and Two spent.
    spent: [SpentLine; 2],
}

/// A seat in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SeatName {
    /// [`Player::One`].
    One,
    /// [`Player::Two`].
    Two,
}

impl From<Player> for SeatName {
    fn from(player: Player) -> Self {
        match player {
            Player::One => Self::One,
            Player::Two => Self::Two,
        }
    }
}

impl From<SeatName> for Player {
    fn from(seat: SeatName) -> Self {
        match seat {
            SeatName::One => Self::One,
            SeatName::Two => Self::Two,
        }
    }
}

/// [`End`] in a log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndLine {
    /// By the rules.
    Rules,
    /// Cut off.
    TooLong,
    /// Somebody lost by no fault of the position.
    Forfeit {
        /// Who.
        player: SeatName,
        /// What kind of thing happened.
        fault: Fault,
        /// What happened.
        reason: String,
    },
}

/// [`Spent`] in a log; times in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct SpentLine {
    /// Decisions made.
    decisions: u64,
    /// Wall-clock time.
    time: u64,
    /// The slowest decision's.
    slowest: u64,
    /// CPU time.
    cpu: u64,
    /// Decisions that took clearly longer than allowed.
    late: u64,
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl From<Spent> for SpentLine {
    fn from(spent: Spent) -> Self {
        let [time, slowest, cpu] = [spent.time, spent.slowest, spent.cpu].map(nanoseconds);
        Self { decisions: spent.decisions, time, slowest, cpu, late: spent.late }
    }
}

impl From<SpentLine> for Spent {
    fn from(line: SpentLine) -> Self {
        let [time, slowest, cpu] = [line.time, line.slowest, line.cpu].map(Duration::from_nanos);
        Self { decisions: line.decisions, time, slowest, cpu, late: line.late }
    }
}

impl GameLine {
    /// The line of game number `game` of a unit.
    fn new<G: Text>(tournament: &Tournament<G>, unit: &Unit<G>, game: usize) -> Self {
        let Played { record, times, summary } = &unit.games[game];
        let mut seats = unit.contestants.map(|c| tournament.contestants()[c].name.clone());
        if game == 1 {
            seats.reverse();
        }
        let [one, two] = seats;
        let history = record.history();
        let decisions = history.steps().iter().zip(record.values()).filter(|d| matches!(d.0, Step::Move(_)));
        Self {
            unit: unit.number,
            game: game as u32,
            pair: unit.pair,
            seed: tournament.settings().seed,
            version: env!("CARGO_PKG_VERSION").into(),
            one,
            two,
            position: history.start().position_text(),
            steps: history.steps_text(),
            // As many digits as records of games keep.
            values: decisions.map(|d| d.1.map(|value| (value * 1e4).round() / 1e4)).collect(),
            times: times.iter().copied().map(nanoseconds).collect(),
            winner: summary.outcome.winner().map(SeatName::from),
            points: summary.outcome.points().unsigned_abs() as u16,
            end: match &summary.end {
                End::Rules => EndLine::Rules,
                End::TooLong => EndLine::TooLong,
                End::Forfeit { player, fault, reason } => {
                    EndLine::Forfeit { player: (*player).into(), fault: *fault, reason: reason.clone() }
                }
            },
            first: summary.first.map(SeatName::from),
            spent: summary.spent.map(SpentLine::from),
        }
    }

    /// What the game counts.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            outcome: match self.winner {
                None => Outcome::Draw,
                Some(seat) => Outcome::Win { player: seat.into(), points: self.points },
            },
            end: match &self.end {
                EndLine::Rules => End::Rules,
                EndLine::TooLong => End::TooLong,
                EndLine::Forfeit { player, fault, reason } => {
                    End::Forfeit { player: (*player).into(), fault: *fault, reason: reason.clone() }
                }
            },
            first: self.first.map(Player::from),
            spent: self.spent.map(Spent::from),
        }
    }

    /// The game itself, every step checked against the rules, with the players as tags.
    ///
    /// # Errors
    /// If the position or a step is none of this game.
    pub fn record<G: Text>(&self) -> Result<Record<G>, TextError> {
        let mut record = Record::from(G::parse_position(&self.position)?);
        let mut values = self.values.iter().copied();
        for word in self.steps.split_whitespace() {
            record.push_text(word)?;
            if let Some(Step::Move(_)) = record.history().steps().last() {
                record.set_value(values.next().flatten());
            }
        }
        for (name, value) in
            [("one", &self.one), ("two", &self.two), ("seed", &self.seed.to_string()), ("pair", &self.pair.to_string())]
        {
            record.set_tag(name, value);
        }
        Ok(record)
    }
}

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The system says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// Another program writes to it.
    #[error("{} is in use by another tournament", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is something else.
    #[error("{} is no log of games: its first line must be a header with \"format\": \"{FORMAT}\"", path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to a tournament under other conditions.
    #[error("{} holds games played under other conditions: its {field} is {found}, here it is {expected}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The first part of the header that differs.
        field: String,
        /// What the file says.
        found: String,
        /// What this tournament says.
        expected: String,
    },
    /// A line is damaged, or not the game that belongs there.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads a log, game by game. A last line that was never finished (the program was killed) is passed over.
#[derive(Debug)]
pub struct LogReader {
    path: PathBuf,
    input: BufReader<File>,
    header: Header,
    /// Lines read.
    line: u64,
    /// Bytes in them.
    bytes: u64,
}

impl LogReader {
    /// Opens a log.
    ///
    /// # Errors
    /// If it cannot be read, or is no log.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let file = File::open(path).map_err(|source| LogError::Io { path: path.into(), source })?;
        Self::of(file, path)
    }

    fn of(file: File, path: &Path) -> Result<Self, LogError> {
        let placeholder = Header {
            format: String::new(),
            game: String::new(),
            version: String::new(),
            seed: 0,
            pairing: String::new(),
            contestants: Vec::new(),
            most_decisions: None,
            about: serde_json::Value::Null,
        };
        let mut reader = Self { path: path.into(), input: BufReader::new(file), header: placeholder, line: 0, bytes: 0 };
        let no_log = || LogError::NoLog { path: path.into() };
        let line = reader.next_line()?.ok_or_else(no_log)?;
        reader.header = serde_json::from_str(&line).map_err(|_| no_log())?;
        if reader.header.format == FORMAT { Ok(reader) } else { Err(no_log()) }
    }

    /// What was played.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next whole line.
    fn next_line(&mut self) -> Result<Option<String>, LogError> {
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| LogError::Io { path: self.path.clone(), source })? as u64;
        if bytes.last() != Some(&b'\n') {
            return if read == LONGEST_LINE { Err(self.damaged(self.line + 1, "it is too long")) } else { Ok(None) };
        }
        self.line += 1;
        self.bytes += read;
        String::from_utf8(bytes).map(Some).map_err(|_| self.damaged(self.line, "it is not text"))
    }

    fn damaged(&self, line: u64, reason: impl Into<String>) -> LogError {
        LogError::Line { path: self.path.clone(), line, reason: reason.into() }
    }
}

impl Iterator for LogReader {
    type Item = Result<GameLine, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.next_line().transpose()?;
        Some(line.and_then(|line| serde_json::from_str(&line).map_err(|error| self.damaged(self.line, error.to_string()))))
    }
}

/// A file to which a tournament writes its games, one line of JSON each after a [`Header`].
///
/// Lines are only ever appended, each unit's at once, so whatever interrupts the program leaves whole units and perhaps one
/// unfinished, which the next [`open`](Log::open) cuts off. Only one program at a time can write.
///
/// # Examples
/// ```
/// # use std::ops::ControlFlow;
/// # use arena::{Contestant, Log, Pairing, Settings, Tournament};
/// # use gamecore::{random::generator, testing::toys::Pig};
/// # use search_core::{Limits, RandomAgent};
/// # let random = |name: &str| Contestant::new(name, Limits::default(), || RandomAgent(generator(0)));
/// # let players = vec![random("a"), random("b")];
/// # let tournament = Tournament::new(Settings::new(20, 8), Pairing::RoundRobin, |_, _| Pig::new(30), players)?;
/// # let folder = std::env::temp_dir().join(format!("arena-log-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("games.jsonl");
/// // Starts a new file, or goes on where the last run was interrupted.
/// let (mut log, mut standings) = Log::open(&path, &tournament, serde_json::json!({ "to": 30 }))?;
/// let mut failed = None;
/// tournament.play(&mut standings, &mut |unit, _| match log.append(&tournament, unit) {
///     Ok(()) => ControlFlow::Continue(()),
///     Err(error) => {
///         failed = Some(error);
///         ControlFlow::Break(())
///     }
/// })?;
/// assert!(failed.is_none() && standings.games() == 40);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// A new log, or one to go on with; and what it says so far. `about` is the rest of the conditions
    /// ([`Header::about`]).
    ///
    /// # Errors
    /// If the file is something else, belongs to a tournament under other conditions, is damaged, or is in use. It is
    /// left as it is then.
    pub fn open<G: Text>(
        path: &Path,
        tournament: &Tournament<G>,
        about: serde_json::Value,
    ) -> Result<(Self, Standings), LogError> {
        let at = |source| LogError::Io { path: path.into(), source };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(at)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.into() }),
            Err(TryLockError::Error(source)) => return Err(at(source)),
        }
        let header = Header {
            format: FORMAT.into(),
            game: G::NAME.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            seed: tournament.settings().seed,
            pairing: format!("{:?}", tournament.pairing()),
            contestants: tournament.contestants().iter().map(|c| c.name.clone()).collect(),
            most_decisions: tournament.settings().most_decisions,
            about,
        };
        let mut standings = tournament.standings();
        let first_line = line_of(&header);
        if file.metadata().map_err(at)?.len() < first_line.len() as u64 && unfinished(&mut file, &first_line).map_err(at)? {
            file.set_len(0).map_err(at)?;
            file.write_all(first_line.as_bytes()).map_err(at)?;
        } else {
            file.rewind().map_err(at)?;
            let whole = resume(file.try_clone().map_err(at)?, path, &header, tournament.pairing(), &mut standings)?;
            file.set_len(whole).map_err(at)?;
        }
        file.seek(SeekFrom::End(0)).map_err(at)?;
        Ok((Self { path: path.into(), file }, standings))
    }

    /// Writes a unit's games.
    ///
    /// # Errors
    /// If the file cannot be written. What was written of the unit is cut off when the log is opened again.
    pub fn append<G: Text>(&mut self, tournament: &Tournament<G>, unit: &Unit<G>) -> Result<(), LogError> {
        let lines: String = (0..unit.games.len()).map(|game| line_of(&GameLine::new(tournament, unit, game))).collect();
        self.file.write_all(lines.as_bytes()).map_err(|source| LogError::Io { path: self.path.clone(), source })
    }
}

fn line_of(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).unwrap_or_else(|_| unreachable!("plain data can always be written"));
    line.push('\n');
    line
}

/// Whether all that the file holds is the beginning of its first line.
fn unfinished(file: &mut File, first_line: &str) -> io::Result<bool> {
    let mut found = Vec::new();
    file.take(first_line.len() as u64).read_to_end(&mut found)?;
    Ok(first_line.as_bytes().starts_with(&found))
}

/// Counts what a log holds; the bytes of its whole units.
fn resume(file: File, path: &Path, header: &Header, pairing: Pairing, standings: &mut Standings) -> Result<u64, LogError> {
    let mut reader = LogReader::of(file, path)?;
    compare(path, reader.header(), header)?;
    let (mut whole, mut unit) = (reader.bytes, Vec::new());
    while let Some(line) = reader.next() {
        let line = line?;
        let expected = (standings.units(), unit.len() as u32);
        if (line.unit, line.game) != expected {
            let reason = format!("unit {}, game {} where unit {}, game {} belongs", line.unit, line.game, expected.0, expected.1);
            return Err(reader.damaged(reader.line, reason));
        }
        unit.push(line.summary());
        if unit.len() == pairing.games() {
            standings.add(&unit.iter().collect::<Vec<_>>());
            unit.clear();
            whole = reader.bytes;
        }
    }
    Ok(whole)
}

/// Fails with the first part of a header that is not as expected.
fn compare(path: &Path, found: &Header, expected: &Header) -> Result<(), LogError> {
    let fields =
        |header: &Header| serde_json::to_value(header).ok().and_then(|value| value.as_object().cloned()).unwrap_or_default();
    for ((field, found), (_, expected)) in fields(found).into_iter().zip(fields(expected)) {
        if found != expected {
            // Of a description, the part that matters.
            let ((field, found), expected) = match (found, expected) {
                (serde_json::Value::Object(f), serde_json::Value::Object(e)) => {
                    let key = f.keys().chain(e.keys()).find(|&key| f.get(key) != e.get(key)).cloned().unwrap_or_default();
                    let of = |map: serde_json::Map<String, serde_json::Value>| {
                        map.get(&key).map_or("missing".into(), ToString::to_string)
                    };
                    let (found, expected) = (of(f), of(e));
                    ((key, found), expected)
                }
                (found, expected) => ((field, found.to_string()), expected.to_string()),
            };
            return Err(LogError::Other { path: path.into(), field, found, expected });
        }
    }
    Ok(())
}
