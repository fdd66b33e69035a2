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
use search_mcts::{Mcts, Playouts};

use crate::algorithm::named_algorithms;
use crate::level::numbered_levels;
use crate::named::Named;

/// The order in which moves are looked at: [`ordering`]'s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Einstein> for Order {
    #[inline]
    fn scores(&self, game: &Einstein, moves: &[Move], scores: &mut [i32]) {
        ByScore(ordering).scores(game, moves, scores);
    }
}

/// The strongest player: Star2 ([`Algorithm::AlphaBeta`]) with a table of [`TABLE_BYTES`], and the evaluator that was measured
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
pub struct Engine {
    rules: Rules,
    algorithm: Algorithm,
    bytes: usize,
    search: Box<dyn Search>,
}

/// A search as an engine uses it.
trait Search: Agent<Einstein> + Analyst<Einstein> + fmt::Debug {}

impl<S: Agent<Einstein> + Analyst<Einstein> + fmt::Debug> Search for S {}

/// What an [`Engine`] spends on its table or tree, unless told otherwise.
pub const TABLE_BYTES: usize = 32 << 20;

impl Engine {
    /// The engine for a rule set, with a table of [`TABLE_BYTES`]. (It plays other rules too, if not quite as well.)
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self::of(rules, Algorithm::default(), TABLE_BYTES)
    }

    /// With a table or tree of at most so many bytes.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self::of(self.rules, self.algorithm, bytes)
    }

    /// With another algorithm than the strongest.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self::of(self.rules, algorithm, self.bytes)
    }

    fn of(rules: Rules, algorithm: Algorithm, bytes: usize) -> Self {
        fn search<E: Evaluator<Einstein> + fmt::Debug + 'static>(
            evaluator: E,
            algorithm: Algorithm,
            bytes: usize,
        ) -> Box<dyn Search> {
            let pruned =
                |evaluator, pruning| Expectimax::new(evaluator).with_order(Order).with_pruning(pruning).with_table(bytes);
            match algorithm {
                Algorithm::Expectimax => Box::new(pruned(evaluator, Pruning::None)),
                Algorithm::AlphaBeta => Box::new(pruned(evaluator, Pruning::Star2)),
                Algorithm::Mcts => Box::new(Mcts::new(Playouts::uniform().cut_after(CUT, evaluator)).with_memory(bytes)),
            }
        }
        let search = match rules.variant() {
            Variant::Standard => search(Race, algorithm, bytes),
            Variant::FourByFour { .. } | Variant::NineStones { .. } => search(Distribution, algorithm, bytes),
        };
        Self { rules, algorithm, bytes, search }
    }
}

/// Decisions of a playout before the evaluator is asked.
const CUT: u32 = 4;

impl Agent<Einstein> for Engine {
    fn name(&self) -> String {
        self.algorithm.to_string()
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(seed);
    }

    fn choose(&mut self, history: &History<Einstein>, limits: &Limits) -> Result<ReportOf<Einstein>, AgentError> {
        self.search.choose(history, &self.algorithm.limited(limits))
    }
}

impl Analyst<Einstein> for Engine {
    fn analyse(&mut self, game: &Einstein, limits: &Limits) -> Result<ReportOf<Einstein>, SearchError> {
        self.search.analyse(game, &self.algorithm.limited(limits))
    }
}

/// How an engine searches. Written `expectimax`, `alpha-beta` or `mcts`.
///
/// # Examples
/// ```
/// use engines::einstein::Algorithm;
/// assert_eq!("mcts".parse(), Ok(Algorithm::Mcts));
/// assert!("minimax".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Every move and every roll, with a table.
    Expectimax,
    /// Alpha-beta with chance nodes: Star2, the same values for fewer nodes.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search; playouts of four random decisions, then the evaluator. Limited by a depth alone, it runs 10,000
    /// playouts.
    Mcts,
}

named_algorithms!(Expectimax = "expectimax", AlphaBeta = "alpha-beta", Mcts = "mcts");

/// How strong an opponent is, 1 to 6. In the standard game levels 2 to 6 beat the one below in 79, 61, 56, 61 and 59 % of
/// 400 games each (level 6 with 0.1 s a move; `docs/experiments/einstein-levels`).
///
/// | level | looks | with | by [`Algorithm::Mcts`] |
/// | --- | --- | --- | --- |
/// | 1 | nowhere: any legal move | dice of its own | the same |
/// | 2 | 1 decision ahead | [`Distance`], and takes up to 0.1 points less than the best | the same |
/// | 3 | 1 decision ahead | the engine's evaluator | 50 playouts |
/// | 4 | 2 decisions ahead | the engine's evaluator | 500 playouts |
/// | 5 | 4 decisions ahead | the engine's evaluator | 10,000 playouts |
/// | 6 | as far as it gets in one second | the engine's evaluator | one second |
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

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self, algorithm: Algorithm) -> &'static str {
        match (self.0, algorithm) {
            (1, _) => "plays random moves",
            (2, _) => "looks one move ahead, and not carefully",
            (3, Algorithm::Mcts) => "tries a few playouts",
            (4, Algorithm::Mcts) => "tries hundreds of playouts",
            (5, Algorithm::Mcts) => "tries thousands of playouts",
            (3, _) => "looks one move ahead",
            (4, _) => "looks two moves ahead",
            (5, _) => "looks four moves ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a move.
    #[must_use]
    pub fn limits(self, algorithm: Algorithm) -> Limits {
        match (self.0, algorithm) {
            (6, _) => Limits::time(Duration::from_secs(1)),
            (3, Algorithm::Mcts) => Limits::nodes(50),
            (4, Algorithm::Mcts) => Limits::nodes(500),
            (5, Algorithm::Mcts) => Limits::nodes(10_000),
            (5, _) => Limits::depth(4),
            (4, _) => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level for a rule set; give it [`limits`](Level::limits) of the same algorithm when it is asked. The seed
    /// is for those that choose at random.
    #[must_use]
    pub fn agent(self, rules: Rules, algorithm: Algorithm, seed: u64) -> Box<dyn Agent<Einstein>> {
        let mut inner: Box<dyn Agent<Einstein>> = match (self.0, algorithm) {
            (1, _) => Box::new(RandomAgent(random::generator(seed))),
            (2, _) => Box::new(Expectimax::new(Distance).with_order(Order).with_margin(0.1, seed)),
            (3 | 4, Algorithm::Expectimax | Algorithm::AlphaBeta) => {
                Box::new(Engine::new(rules).with_table(0).with_algorithm(algorithm))
            }
            _ => Box::new(Engine::new(rules).with_algorithm(algorithm)),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

numbered_levels!();

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
        for (algorithm, pair) in
            [Algorithm::AlphaBeta, Algorithm::Mcts].into_iter().flat_map(|a| levels.windows(2).map(move |p| (a, p)))
        {
            let settings = Settings::new(if pair[1].0 < 5 { 200 } else { 60 }, 5);
            let start = |_: u64, rng: &mut dyn Rng| Opening::Random.start(Rules::STANDARD, Player::One, rng).unwrap();
            let players = [pair[1], pair[0]].map(|level| {
                let agent = move || level.agent(Rules::STANDARD, algorithm, 0);
                Contestant::new(&format!("level {level}"), level.limits(algorithm), agent)
            });
            let tournament = Tournament::new(settings, Pairing::RoundRobin, start, players.into()).unwrap();
            let mut standings = tournament.standings();
            tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(())).unwrap();
            println!("{algorithm}\n{standings}");
            assert!(standings.mean(0) > 0.5, "{algorithm}\n{standings}");
        }
    }

    #[test]
    fn engines_play_and_analyse_every_rule_set() {
        for (rules, algorithm) in RULES.into_iter().flat_map(|rules| Algorithm::ALL.map(|algorithm| (rules, algorithm))) {
            let rules: Rules = rules.parse().unwrap();
            let start = Opening::Natural.start(rules, Player::Two, &mut random::generator(3)).unwrap();
            let mut engine = Engine::new(rules).with_algorithm(algorithm);
            let limits = Limits::depth(3).and_nodes(if algorithm == Algorithm::Mcts { 2000 } else { u64::MAX });
            let table = engine.analyse(&start, &limits).unwrap();
            assert_eq!(table.events.len(), 6, "{rules}");
            let rolled = start.resolved(2);
            let report = engine.analyse(&rolled, &limits).unwrap();
            assert!(report.best.is_some() && report.moves.iter().all(|m| m.replies.len() == 6), "{rules} {algorithm}");
            let m = engine.choose(&rolled.into(), &limits).unwrap().best.unwrap();
            assert!(rolled.clone().try_play(m).is_ok());
        }
    }

    /// A depth alone limits every algorithm, the one that has none too.
    #[test]
    fn a_depth_is_limit_enough() {
        let rolled = Einstein::start(Rules::STANDARD).resolved(2);
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new(Rules::STANDARD).with_algorithm(algorithm);
            assert!(engine.choose(&rolled.into(), &Limits::depth(2)).unwrap().best.is_some());
            assert!(engine.analyse(&rolled, &Limits::depth(2)).unwrap().best.is_some());
        }
    }

    #[test]
    fn wrong_algorithms_are_named() {
        assert!(Algorithm::ALL.iter().all(|a| a.to_string().parse() == Ok(*a)));
        let error = "minimax".parse::<Algorithm>().unwrap_err().to_string();
        assert_eq!(error, "\"minimax\" is not an algorithm: there are expectimax, alpha-beta and mcts");
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
        assert!(
            Level::all().all(|l| l.to_string().parse() == Ok(l) && Algorithm::ALL.iter().all(|&a| !l.description(a).is_empty()))
        );
    }
}
