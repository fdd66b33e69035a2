//! EinStein würfelt nicht! and its variants.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use gamecore::{Evaluator, History, Player, random};
use games_einstein::eval::{Distance, Distribution, Race};
use games_einstein::{Einstein, Layout, Move, Rules, SetupError, Variant, ordering};
use rand::Rng;
use search_core::{Agent, AgentError, Analyst, ByScore, Limits, MoveOrder, RandomAgent, ReportOf, SearchError};
use search_expectimax::{Expectimax, Pruning};

/// The order in which moves are looked at: [`ordering`]'s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Einstein> for Order {
    #[inline]
    fn scores(&self, game: &Einstein, moves: &[Move], scores: &mut [i32]) {
        ByScore(ordering).scores(game, moves, scores);
    }
}

/// The strongest player: expectimax with Star2 pruning, a table of [`TABLE_BYTES`], and the evaluator that was measured
/// to play the rule set best: [`Race`] in the standard game, [`Distribution`] in the variants.
///
/// Scores of [`Distribution`] against [`Race`] in percent, both at the same depth, 2,000 pairs of games each (intervals
/// of 95 %: at most 1.3 to either side):
///
/// | rules | depth 1 | 2 | 3 | 4 |
/// | --- | --- | --- | --- | --- |
/// | `standard` | 49.6 | 49.9 | 47.5 | 47.8 |
/// | `4x4` | 50.0 | 50.6 | 49.6 | 49.4 |
/// | `4x4+missing` | 50.7 | 50.5 | 50.3 | 50.0 |
/// | `4x4+nomove` | 50.8 | 48.8 | 48.7 | 50.1 |
/// | `5x5x9` | 53.5 | 51.4 | 52.3 | 50.9 |
/// | `5x5x9+free` | 51.4 | 49.9 | 50.1 | 49.1 |
///
/// With equal time, 4 ms a move, no difference showed in the standard game: 50.7, at most 2.2 to either side.
///
/// Values are those of [`games_einstein::eval`]: `2p - 1` for a probability `p` that One wins, as the evaluator sees it. They
/// swing with the parity of the depth: an even number of moves ahead the player who has moved last looks better than an
/// odd number ahead, by some 0.05 to 0.1 on average in the standard game. Where the search has seen every end of the game
/// (`StopReason::Solved`) they are exact.
#[derive(Debug)]
pub struct Engine(Search);

#[derive(Debug)]
enum Search {
    Race(Expectimax<Einstein, Race, Order>),
    Distribution(Expectimax<Einstein, Distribution, Order>),
}

/// What an [`Engine`] spends on its table, unless told otherwise.
pub const TABLE_BYTES: usize = 32 << 20;

impl Engine {
    /// The engine for a rule set, with a table of [`TABLE_BYTES`]. (It plays other rules too, if not quite as well.)
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self::with_table(rules, TABLE_BYTES)
    }

    /// With a table of at most so many bytes.
    #[must_use]
    pub fn with_table(rules: Rules, bytes: usize) -> Self {
        fn search<E: Evaluator<Einstein>>(evaluator: E, bytes: usize) -> Expectimax<Einstein, E, Order> {
            Expectimax::new(evaluator).with_order(Order).with_pruning(Pruning::Star2).with_table(bytes)
        }
        Self(match rules.variant() {
            Variant::Standard => Search::Race(search(Race, bytes)),
            Variant::FourByFour { .. } | Variant::NineStones { .. } => Search::Distribution(search(Distribution, bytes)),
        })
    }

    /// Chooses at random, from this seed, among the moves that are less than `margin` points worse than the best.
    #[must_use]
    pub fn with_margin(self, margin: f64, seed: u64) -> Self {
        Self(match self.0 {
            Search::Race(search) => Search::Race(search.with_margin(margin, seed)),
            Search::Distribution(search) => Search::Distribution(search.with_margin(margin, seed)),
        })
    }
}

impl Agent<Einstein> for Engine {
    fn name(&self) -> String {
        "expectimax".into()
    }

    fn new_game(&mut self, seed: u64) {
        match &mut self.0 {
            Search::Race(search) => Agent::<Einstein>::new_game(search, seed),
            Search::Distribution(search) => Agent::<Einstein>::new_game(search, seed),
        }
    }

    fn choose(&mut self, history: &History<Einstein>, limits: &Limits) -> Result<ReportOf<Einstein>, AgentError> {
        match &mut self.0 {
            Search::Race(search) => search.choose(history, limits),
            Search::Distribution(search) => search.choose(history, limits),
        }
    }
}

impl Analyst<Einstein> for Engine {
    fn analyse(&mut self, game: &Einstein, limits: &Limits) -> Result<ReportOf<Einstein>, SearchError> {
        match &mut self.0 {
            Search::Race(search) => search.analyse(game, limits),
            Search::Distribution(search) => search.analyse(game, limits),
        }
    }
}

/// How strong an opponent is, 1 to 6. In the standard game levels 2 to 6 beat the one below in 79, 61, 56, 61 and 59 % of
/// 400 games each (level 6 with 0.1 s a move; `docs/experiments/einstein-levels`).
///
/// | level | looks | with |
/// | --- | --- | --- |
/// | 1 | nowhere: any legal move | dice of its own |
/// | 2 | 1 decision ahead | [`Distance`], and takes up to 0.1 points less than the best |
/// | 3 | 1 decision ahead | the engine's evaluator |
/// | 4 | 2 decisions ahead | the engine's evaluator |
/// | 5 | 4 decisions ahead | the engine's evaluator |
/// | 6 | as far as it gets in one second | the engine's evaluator |
///
/// # Examples
/// ```
/// use engines::einstein::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("7".parse::<Level>().is_err());
/// # Ok::<(), engines::einstein::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

impl Level {
    /// Random moves.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a move.
    pub const STRONGEST: Self = Self(6);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(4);

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::WEAKEST.0..=Self::STRONGEST.0).map(Self)
    }

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays random moves",
            2 => "looks one move ahead, and not carefully",
            3 => "looks one move ahead",
            4 => "looks two moves ahead",
            5 => "looks four moves ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a move.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            1..=3 => Limits::depth(1),
            4 => Limits::depth(2),
            5 => Limits::depth(4),
            _ => Limits::time(Duration::from_secs(1)),
        }
    }

    /// A player of this level for a rule set; give it [`limits`](Level::limits) when it is asked. The seed is for those that choose at
    /// random.
    #[must_use]
    pub fn agent(self, rules: Rules, seed: u64) -> Box<dyn Agent<Einstein>> {
        let inner: Box<dyn Agent<Einstein>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            2 => Box::new(Expectimax::new(Distance).with_order(Order).with_margin(0.1, seed)),
            3 | 4 => Box::new(Engine::with_table(rules, 0)),
            _ => Box::new(Engine::new(rules)),
        };
        Box::new(Named { name: format!("level {self}"), inner })
    }
}

/// An agent by another name.
struct Named {
    name: String,
    inner: Box<dyn Agent<Einstein>>,
}

impl Agent<Einstein> for Named {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }

    fn choose(&mut self, history: &History<Einstein>, limits: &Limits) -> Result<ReportOf<Einstein>, AgentError> {
        self.inner.choose(history, limits)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let level = text.trim().parse().ok().map(Self).filter(|l| (Self::WEAKEST..=Self::STRONGEST).contains(l));
        level.ok_or_else(|| LevelError { found: gamecore::text::quoted(text) })
    }
}

/// There is no such level.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{found}\" is not a level: levels are {} (weakest) to {} (strongest)", Level::WEAKEST, Level::STRONGEST)]
pub struct LevelError {
    /// What was given.
    pub found: String,
}

/// How the stones of both seats are set up.
///
/// Written `natural`, `random`, `mirrored`, one layout's digits for both seats, or two layouts with a comma between.
///
/// # Examples
/// ```
/// use engines::einstein::Opening;
/// use gamecore::{Player, Text};
/// use games_einstein::Rules;
///
/// let opening: Opening = "615243,123456".parse()?;
/// let game = opening.start(Rules::STANDARD, Player::Two, &mut gamecore::random::generator(0))?;
/// assert_eq!(game.position_text(), "615../24.../3...f/...ed/..cba two - standard");
/// # Ok::<(), games_einstein::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Opening {
    /// In order.
    Natural,
    /// Each seat's stones at random.
    #[default]
    Random,
    /// At random, but the same for both seats.
    Mirrored,
    /// These, One's first.
    Given(Layout, Layout),
}

impl Opening {
    /// The first position of a game; what is random comes from `rng`.
    ///
    /// # Errors
    /// If a given layout is for other rules.
    pub fn start<R: Rng + ?Sized>(&self, rules: Rules, first: Player, rng: &mut R) -> Result<Einstein, SetupError> {
        let [one, two] = match self {
            Self::Natural => [Layout::natural(rules), Layout::natural(rules)],
            Self::Random => [Layout::random(rules, rng), Layout::random(rules, rng)],
            Self::Mirrored => {
                let layout = Layout::random(rules, rng);
                [layout.clone(), layout]
            }
            Self::Given(one, two) => [one.clone(), two.clone()],
        };
        Einstein::new(rules, [&one, &two], first)
    }
}

impl FromStr for Opening {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        Ok(match text.trim() {
            "natural" => Self::Natural,
            "random" => Self::Random,
            "mirrored" => Self::Mirrored,
            digits => {
                let (one, two) = digits.split_once(',').unwrap_or((digits, digits));
                Self::Given(one.parse()?, two.parse()?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Contestant, Pairing, Settings, Tournament};
    use core::ops::ControlFlow;
    use gamecore::{Game, Text};

    const RULES: [&str; 7] = ["standard", "4x4", "4x4+missing", "4x4+nomove+capture-all", "5x5x9", "5x5x9+free", "5x5x9@60"];

    /// Every level up to the fifth beats the one below, by pairs on the same dice.
    #[test]
    fn levels_are_in_order() {
        let levels: Vec<Level> = Level::all().take(5).collect();
        for pair in levels.windows(2) {
            let settings = Settings::new(if pair[1].0 < 5 { 300 } else { 150 }, 5);
            let start = |_: u64, rng: &mut dyn Rng| Opening::Random.start(Rules::STANDARD, Player::One, rng).unwrap();
            let players = [pair[1], pair[0]]
                .map(|level| Contestant::new(&format!("level {level}"), level.limits(), move || level.agent(Rules::STANDARD, 0)));
            let tournament = Tournament::new(settings, Pairing::RoundRobin, start, players.into()).unwrap();
            let mut standings = tournament.standings();
            tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(())).unwrap();
            println!("{standings}");
            assert!(standings.mean(0) > 0.5, "{standings}");
        }
    }

    #[test]
    fn engines_play_and_analyse_every_rule_set() {
        for rules in RULES {
            let rules: Rules = rules.parse().unwrap();
            let start = Opening::Natural.start(rules, Player::Two, &mut random::generator(3)).unwrap();
            let mut engine = Engine::new(rules).with_margin(0.02, 1);
            let table = engine.analyse(&start, &Limits::depth(3)).unwrap();
            assert_eq!(table.events.len(), 6, "{rules}");
            let rolled = start.resolved(2);
            let report = engine.analyse(&rolled, &Limits::depth(3)).unwrap();
            assert!(report.best.is_some() && report.moves.iter().all(|m| m.replies.len() == 6), "{rules}");
            let m = engine.choose(&rolled.into(), &Limits::depth(3)).unwrap().best.unwrap();
            assert!(rolled.clone().try_play(m).is_ok());
        }
    }

    #[test]
    fn openings_are_read_and_seeded() {
        for text in ["natural", "random", "mirrored", "615243", "615243,654321"] {
            let opening: Opening = text.parse().unwrap();
            let of = |seed| opening.start(Rules::STANDARD, Player::One, &mut random::generator(seed)).unwrap().position_text();
            assert_eq!(of(1), of(1));
            assert_eq!(of(1) == of(2), !matches!(opening, Opening::Random | Opening::Mirrored));
        }
        assert_eq!("615243".parse(), "615243,615243".parse::<Opening>());
        for text in ["", "Natural ly", "123,", "123456,", "123456,123456,123456"] {
            let error = text.parse::<Opening>().unwrap_err().to_string();
            assert!(error.contains("is not a layout"), "{error}");
        }
        let nine: Opening = "123456789".parse().unwrap();
        assert!(nine.start(Rules::STANDARD, Player::One, &mut random::generator(0)).is_err());
        assert!(nine.start("5x5x9".parse().unwrap(), Player::One, &mut random::generator(0)).is_ok());
    }

    #[test]
    fn wrong_levels_are_named() {
        for text in ["0", "7", "-1", "best", ""] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.contains("1 (weakest) to 6 (strongest)"), "{error}");
        }
        assert!(Level::all().all(|l| l.to_string().parse() == Ok(l) && !l.description().is_empty()));
    }
}
