//! Experiments: tournaments as files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::{Contestant, Pace, Pairing, Settings, Sprt, SprtError};
use gamecore::Game;
use rand::Rng;
use search_core::{Limits, TimeControl};
use serde::{Deserialize, Deserializer};

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A tournament as its file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Experiment {
    /// The question it answers; the report's title.
    pub(crate) title: String,
    /// More about it, for the report.
    pub(crate) text: Option<String>,
    /// Of everything random.
    pub(crate) seed: u64,
    /// How many pairs each two players play; in self-play, how many games.
    pub(crate) pairs: u64,
    /// Who meets whom.
    #[serde(default)]
    pub(crate) pairing: Pairing,
    /// After how many decisions a game is cut off.
    #[serde(default = "most_decisions")]
    most_decisions: u64,
    /// Games at a time.
    pub(crate) threads: Option<usize>,
    sprt: Option<SprtTable>,
    /// The game's name, rules and openings: what is in it is the game's to say.
    pub(crate) game: toml::Table,
    /// Where its file is.
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    /// Who plays.
    #[serde(rename = "player")]
    pub(crate) players: Vec<Player>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtTable {
    elo0: f64,
    elo1: f64,
    #[serde(default = "five_percent")]
    alpha: f64,
    #[serde(default = "five_percent")]
    beta: f64,
}

fn five_percent() -> f64 {
    0.05
}

fn most_decisions() -> u64 {
    10_000
}

/// One player.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Player {
    /// What tables call it.
    pub(crate) name: String,
    /// What it is: the game's to say.
    pub(crate) agent: toml::Table,
    /// Decisions to look ahead.
    pub(crate) depth: Option<u32>,
    /// Nodes or playouts a decision.
    nodes: Option<u64>,
    /// Time for a decision, not enforced.
    #[serde(default, deserialize_with = "duration")]
    time: Option<Duration>,
    /// Memory for tables or trees.
    memory_mib: Option<usize>,
    /// The clock, enforced.
    clock: Option<ClockTable>,
    /// About how many decisions of its own a game has, to share out the clock.
    decisions: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockTable {
    /// For each decision, or
    #[serde(default, deserialize_with = "duration")]
    per_move: Option<Duration>,
    /// for the whole game,
    #[serde(default, deserialize_with = "duration")]
    game: Option<Duration>,
    /// and so much more after each decision.
    #[serde(default, deserialize_with = "duration")]
    increment: Option<Duration>,
}

fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| value.to_string(), ToString::to_string);
    match humantime::parse_duration(&text) {
        Ok(time) if time > Duration::ZERO => Ok(Some(time)),
        _ => Err(serde::de::Error::custom(format!(
            "\"{}\" is not a time: write \"50ms\" or \"1s\"",
            gamecore::text::quoted(&text)
        ))),
    }
}

/// A table in words: the value of `name` first, then the others with their keys.
pub(crate) fn in_words(table: &toml::Table, name: &str) -> String {
    let plain = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), ToString::to_string);
    let first = table.get(name).map(plain);
    let others =
        table.iter().filter(|(key, _)| *key != name).map(|(key, value)| format!("{} {}", key.replace('_', " "), plain(value)));
    first.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}

/// Whether somebody's time is limited, so that results depend on the machine.
pub(crate) fn timed<G: Game>(players: &[Contestant<G>]) -> bool {
    players.iter().any(|p| p.pace.limits.time.is_some() || p.pace.clock != TimeControl::Unlimited)
}

/// What a game makes of an experiment: the start of each pair, and the players.
pub(crate) type Entries<G> = (Box<dyn Fn(u64, &mut dyn Rng) -> G + Send + Sync>, Vec<Contestant<G>>);

/// Why a file is no experiment.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExperimentError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{} is longer than an experiment can be (1 MiB)", path.display())]
    TooLong { path: PathBuf },
    /// The message shows the line.
    #[error("{}: {source}", path.display())]
    Toml { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{what} is {found}, and must be from {least} to {most}")]
    Range { what: &'static str, found: u64, least: u64, most: u64 },
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error("player \"{name}\": {reason}")]
    Player { name: String, reason: String },
    #[error("[game]: {reason}")]
    Game { reason: String },
}

impl Experiment {
    /// Reads an experiment.
    pub(crate) fn read(path: &Path) -> Result<Self, ExperimentError> {
        let io = |source| ExperimentError::Io { path: path.into(), source };
        let mut text = String::new();
        File::open(path).map_err(io)?.take(LONGEST + 1).read_to_string(&mut text).map_err(io)?;
        if text.len() as u64 > LONGEST {
            return Err(ExperimentError::TooLong { path: path.into() });
        }
        let toml = |source| ExperimentError::Toml { path: path.into(), source: Box::new(source) };
        let mut experiment: Self = toml::from_str(&text).map_err(toml)?;
        experiment.folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let range = |what, found, least, most| {
            if (least..=most).contains(&found) { Ok(()) } else { Err(ExperimentError::Range { what, found, least, most }) }
        };
        range("pairs", experiment.pairs, 1, 100_000_000)?;
        range("most_decisions", experiment.most_decisions, 1, 100_000)?;
        range("threads", experiment.threads.unwrap_or(1) as u64, 1, 256)?;
        range("the number of players", experiment.players.len() as u64, 1, 100)?;
        for (what, text) in experiment
            .players
            .iter()
            .map(|p| ("the length of a player's name", &p.name))
            .chain([("the length of the title", &experiment.title)])
        {
            range(what, text.chars().count() as u64, 1, 200)?;
        }
        Ok(experiment)
    }

    /// How long it is and where its luck comes from.
    pub(crate) fn settings(&self) -> Settings {
        Settings::new(self.pairs, self.seed).and_most_decisions(self.most_decisions)
    }

    /// The sequential test, if there is one.
    pub(crate) fn sprt(&self) -> Result<Option<Sprt>, ExperimentError> {
        Ok(self.sprt.map(|t| Sprt::new(t.elo0, t.elo1, t.alpha, t.beta)).transpose()?)
    }

    /// Whether a sequential test may end it.
    pub(crate) fn has_sprt(&self) -> bool {
        self.sprt.is_some()
    }

    /// The game's name.
    pub(crate) fn game_name(&self) -> Result<&str, ExperimentError> {
        let name = self.game.get("name").and_then(toml::Value::as_str);
        name.ok_or_else(|| ExperimentError::Game { reason: "the game's name is missing: name = \"einstein\"".into() })
    }

    /// What the games depend on beside the seed, for the log.
    pub(crate) fn conditions(&self) -> serde_json::Value {
        let players = self.players.iter().map(|p| (p.name.clone(), p.conditions().into())).collect::<serde_json::Map<_, _>>();
        serde_json::json!({ "game": self.game, "players": players })
    }
}

impl Player {
    /// What it may spend: what the file says, beside what this kind of agent is limited to by itself (`None`: by
    /// nothing). A time, a depth or nodes in the file take the place of the agent's own.
    pub(crate) fn pace(&self, own: Option<&Limits>) -> Result<Pace, ExperimentError> {
        let wrong = |reason: &str| ExperimentError::Player { name: self.name.clone(), reason: reason.into() };
        if self.depth == Some(0) || self.nodes == Some(0) || self.memory_mib == Some(0) || self.decisions == Some(0) {
            return Err(wrong("depth, nodes, memory_mib and decisions start at 1"));
        }
        let clock = match self.clock {
            None => TimeControl::Unlimited,
            Some(ClockTable { per_move: Some(time), game: None, increment: None }) => TimeControl::PerMove(time),
            Some(ClockTable { per_move: None, game: Some(base), increment }) => {
                TimeControl::Game { base, increment: increment.unwrap_or_default() }
            }
            Some(_) => return Err(wrong("a clock is { per_move = \"1s\" } or { game = \"60s\", increment = \"1s\" }")),
        };
        let limited = self.depth.is_some() || self.nodes.is_some() || self.time.is_some() || clock != TimeControl::Unlimited;
        if !limited && own.is_none() {
            return Err(wrong("nothing limits it: give it a depth, nodes, a time or a clock"));
        }
        let mut limits = if limited { Limits::default() } else { own.cloned().unwrap_or_default() };
        limits.depth = self.depth.or(limits.depth);
        limits.nodes = self.nodes.or(limits.nodes);
        limits.time = self.time.or(limits.time);
        limits.memory = self.memory_mib.map(|mib| mib.saturating_mul(1 << 20)).or(limits.memory);
        let pace = Pace::new(limits).and_clock(clock);
        match self.decisions {
            Some(_) if self.clock.is_none() => Err(wrong("decisions shares out a clock, and there is none")),
            Some(decisions) => Ok(pace.and_decisions(decisions)),
            None => Ok(pace),
        }
    }

    /// Whether the two would be the same player at the same depth.
    pub(crate) fn differs_in_depth_alone(&self, other: &Self) -> bool {
        let rest = |player: &Self| Self { name: String::new(), depth: None, ..player.clone() };
        rest(self) == rest(other)
    }

    /// What it is and what it may spend, in words.
    pub(crate) fn conditions(&self) -> String {
        let mut parts = vec![in_words(&self.agent, "kind")];
        let time = |time: Duration| humantime::format_duration(time).to_string();
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.time.map(|t| format!("{} a decision", time(t))));
        parts.extend(self.memory_mib.map(|mib| format!("{mib} MiB")));
        if let Some(clock) = self.clock {
            parts.extend(clock.per_move.map(|t| format!("clock {} a decision", time(t))));
            parts.extend(clock.game.map(|t| format!("clock {} a game", time(t))));
            parts.extend(clock.increment.map(|t| format!("{} more after each decision", time(t))));
            parts.extend(self.decisions.map(|n| format!("for about {n} decisions")));
        }
        parts.join(", ")
    }
}
