//! Every game of a tournament in a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use gamecore::{Outcome, Player, Record, Step, Text, TextError};
use serde::{Deserialize, Serialize};

use crate::{End, Pairing, Played, Spent, Sprt, Standings, Summary, Tournament, Unit};

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
    /// Who met whom.
    pub pairing: Pairing,
    /// The contestants' names.
    pub contestants: Vec<String>,
    /// After how many decisions games are cut off.
    pub most_decisions: Option<u64>,
    /// The sequential test that may end it, if there is one: its hypotheses in Elo and its errors.
    pub sprt: Option<[f64; 4]>,
    /// Whatever else the games depend on, as the caller describes it: rules, openings, what the agents are.
    pub about: serde_json::Value,
}

impl Header {
    fn of<G: Text>(tournament: &Tournament<G>, about: serde_json::Value) -> Self {
        Self {
            format: FORMAT.into(),
            game: G::NAME.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            seed: tournament.settings().seed,
            pairing: tournament.pairing(),
            contestants: tournament.contestants().iter().map(|c| c.name.clone()).collect(),
            most_decisions: tournament.settings().most_decisions,
            sprt: tournament.sprt().map(Sprt::parameters),
            about,
        }
    }
}

impl<G: Text> Tournament<G> {
    /// The line for a log of game number `game` (0 or 1) of a unit; `None` if there is no such game.
    #[must_use]
    pub fn line(&self, unit: &Unit<G>, game: usize) -> Option<GameLine> {
        (game < unit.games.len()).then(|| GameLine::of(self, unit, game))
    }
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
    #[serde(with = "maybe_seat")]
    winner: Option<Player>,
    /// How many points that brought.
    points: u16,
    /// Why the game ended.
    end: End,
    /// Who decided first.
    #[serde(with = "maybe_seat")]
    first: Option<Player>,
    /// What One and Two spent.
    spent: [Spent; 2],
}

/// A seat as a word.
pub(crate) mod seat {
    use gamecore::Player;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Seat {
        One,
        Two,
    }

    pub(crate) fn serialize<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
        let seat = match player {
            Player::One => Seat::One,
            Player::Two => Seat::Two,
        };
        seat.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        Ok(match Seat::deserialize(deserializer)? {
            Seat::One => Player::One,
            Seat::Two => Player::Two,
        })
    }
}

/// A seat or none.
mod maybe_seat {
    use gamecore::Player;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Seat(#[serde(with = "super::seat")] Player);

    pub(super) fn serialize<S: Serializer>(player: &Option<Player>, serializer: S) -> Result<S::Ok, S::Error> {
        player.map(Seat).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Player>, D::Error> {
        Ok(Option::<Seat>::deserialize(deserializer)?.map(|seat| seat.0))
    }
}

/// Times as whole nanoseconds.
pub(crate) mod nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn count(time: Duration) -> u64 {
        u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
    }

    pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(count(*time))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }
}

impl GameLine {
    /// The line of game number `game` of a unit.
    fn of<G: Text>(tournament: &Tournament<G>, unit: &Unit<G>, game: usize) -> Self {
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
            times: times.iter().copied().map(nanoseconds::count).collect(),
            winner: summary.outcome.winner(),
            points: summary.outcome.points().unsigned_abs() as u16,
            end: summary.end.clone(),
            first: summary.first,
            spent: summary.spent,
        }
    }

    /// Whether this is the same game as another line's: players, start, steps and result, times aside.
    #[must_use]
    pub fn same_game(&self, other: &Self) -> bool {
        let key = |line: &Self| {
            let Self { one, two, position, steps, winner, points, first, end, .. } = line.clone();
            (one, two, position, steps, winner, points, first, end)
        };
        key(self) == key(other)
    }

    /// What the game counts.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let outcome = self.winner.map_or(Outcome::Draw, |player| Outcome::Win { player, points: self.points });
        Summary { outcome, end: self.end.clone(), first: self.first, spent: self.spent }
    }

    /// How the game ended, in words.
    fn result(&self) -> String {
        let won = match self.winner {
            None => "drawn".into(),
            Some(player) if self.points == 1 => format!("{player:?} won"),
            Some(player) => format!("{player:?} won {} points", self.points),
        };
        match &self.end {
            End::Rules => won,
            End::TooLong => format!("{won}: cut off for its length"),
            End::Stopped => "stopped".into(),
            End::Forfeit { player, reason, .. } => format!("{won}: {player:?} lost by forfeit, {reason}"),
        }
    }

    /// The game itself, every step checked against the rules, with the players and the result as tags.
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
        record.set_tag("result", &self.result());
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
    /// A game has too many moves for a line.
    #[error("{}: a game takes {bytes} bytes, more than a line may have (16 MiB)", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How many it takes.
        bytes: usize,
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
    /// The unit and the game that come next.
    next: (u64, u32),
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
            pairing: Pairing::default(),
            contestants: Vec::new(),
            most_decisions: None,
            sprt: None,
            about: serde_json::Value::Null,
        };
        let mut reader =
            Self { path: path.into(), input: BufReader::new(file), header: placeholder, line: 0, bytes: 0, next: (0, 0) };
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

    /// Whether the log is of this tournament. `about` as for [`Log::open`].
    ///
    /// # Errors
    /// The first of its conditions that differs.
    pub fn check<G: Text>(&self, tournament: &Tournament<G>, about: serde_json::Value) -> Result<(), LogError> {
        compare(&self.path, &self.header, &Header::of(tournament, about))
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

impl LogReader {
    /// A line as a game, if it is the one that comes next.
    fn game(&mut self, line: &str) -> Result<GameLine, LogError> {
        if line.trim().is_empty() {
            return Err(self.damaged(self.line, "it is empty"));
        }
        // The line in the file is named; of the parser's place only the column says more.
        let game: GameLine = serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let text = text.replace(&format!(" at line {} column", error.line()), ", column");
            self.damaged(self.line, text)
        })?;
        let Header { pairing, contestants, seed, .. } = &self.header;
        let meetings = pairing.meetings(contestants.len());
        let (unit, place) = self.next;
        if meetings.is_empty() || (game.unit, game.game) != self.next {
            let reason = format!("unit {}, game {} where unit {unit}, game {place} belongs", game.unit, game.game);
            return Err(self.damaged(self.line, reason));
        }
        let (a, b) = meetings[(unit % meetings.len() as u64) as usize];
        let names = if place == 0 { [a, b] } else { [b, a] }.map(|c| contestants.get(c));
        let pair = unit / meetings.len() as u64;
        if names != [Some(&game.one), Some(&game.two)] || game.seed != *seed || game.pair != pair || game.end == End::Stopped {
            return Err(self.damaged(self.line, "it is not a game of this tournament: players, seed, pair or end are others"));
        }
        self.next = if place as usize + 1 == pairing.games() { (unit + 1, 0) } else { (unit, place + 1) };
        Ok(game)
    }
}

impl Iterator for LogReader {
    type Item = Result<GameLine, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.next_line().transpose()?;
        Some(line.and_then(|line| self.game(&line)))
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
        let header = Header::of(tournament, about);
        let mut standings = tournament.standings();
        let first_line = line_of(&header);
        if file.metadata().map_err(at)?.len() < first_line.len() as u64 && unfinished(&mut file, &first_line).map_err(at)? {
            file.set_len(0).map_err(at)?;
            file.write_all(first_line.as_bytes()).map_err(at)?;
        } else {
            file.rewind().map_err(at)?;
            let whole = resume(file.try_clone().map_err(at)?, path, &header, tournament, &mut standings)?;
            file.set_len(whole).map_err(at)?;
            if whole == 0 {
                file.write_all(first_line.as_bytes()).map_err(at)?;
            }
        }
        file.seek(SeekFrom::End(0)).map_err(at)?;
        Ok((Self { path: path.into(), file }, standings))
    }

    /// Writes a unit's games.
    ///
    /// # Errors
    /// If the file cannot be written, or a game is longer than would be read again. The log is as it was then.
    pub fn append<G: Text>(&mut self, tournament: &Tournament<G>, unit: &Unit<G>) -> Result<(), LogError> {
        let lines: Vec<String> = (0..unit.games.len()).map(|game| line_of(&GameLine::of(tournament, unit, game))).collect();
        let at = |source| LogError::Io { path: self.path.clone(), source };
        if let Some(long) = lines.iter().find(|line| line.len() as u64 > LONGEST_LINE) {
            return Err(LogError::TooLong { path: self.path.clone(), bytes: long.len() });
        }
        let before = self.file.metadata().map_err(at)?.len();
        self.file.write_all(lines.concat().as_bytes()).map_err(|source| {
            // Half a unit must not stand before the next; if this fails too, opening cuts it off.
            let _ = self.file.set_len(before);
            at(source)
        })
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

/// Counts what a log holds; the bytes up to the end of its last whole unit, 0 if there is none.
fn resume<G: Text>(
    file: File,
    path: &Path,
    header: &Header,
    tournament: &Tournament<G>,
    standings: &mut Standings,
) -> Result<u64, LogError> {
    let mut reader = LogReader::of(file, path)?;
    let (mut whole, mut unit) = (0, Vec::new());
    while let Some(line) = reader.next() {
        let line = line?;
        // Conditions matter once there is a game.
        if line.unit == 0 && line.game == 0 {
            compare(path, reader.header(), header)?;
        }
        unit.push(line.summary());
        if unit.len() == tournament.pairing().games() {
            standings.add(&unit.iter().collect::<Vec<_>>());
            unit.clear();
            whole = reader.bytes;
        }
    }
    Ok(whole)
}

/// Fails with the first part of a header that is not as expected.
fn compare(path: &Path, found: &Header, expected: &Header) -> Result<(), LogError> {
    let value = |header: &Header| serde_json::to_value(header).unwrap_or_default();
    let Some((field, found, expected)) = difference("", &value(found), &value(expected)) else { return Ok(()) };
    Err(LogError::Other { path: path.into(), field, found, expected })
}

/// The first difference of two values: where, and what each has there.
fn difference(place: &str, a: &serde_json::Value, b: &serde_json::Value) -> Option<(String, String, String)> {
    if let (serde_json::Value::Object(a), serde_json::Value::Object(b)) = (a, b) {
        let missing = serde_json::Value::from("missing");
        return a.keys().chain(b.keys()).find_map(|key| {
            let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            difference(&place, a.get(key).unwrap_or(&missing), b.get(key).unwrap_or(&missing))
        });
    }
    (a != b).then(|| (place.to_string(), a.to_string(), b.to_string()))
}
