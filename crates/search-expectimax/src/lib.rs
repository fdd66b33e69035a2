//! Exact search for games with dice.
//!
//! Expectimax looks at every move and every roll, and weighs rolls by their probability. Star1 and Star2 (Ballard
//! 1983; Hauk, Buro and Schaeffer 2004) are alpha-beta for such trees: they cut chance nodes *soundly*, from bounds
//! on what the unseen rolls can be worth, and find the same value and an equally good move, as a rule with fewer nodes. The
//! decision that a reader will question: a plain alpha-beta cut inside one roll's branch is wrong, because the other
//! rolls still count; that is why an evaluator states [`bounds`](gamecore::Evaluator::bounds).
//!
//! Games without chance are searched too (expectimax is then minimax, Star1 alpha-beta), for tests and small trees.
//!
//! # Examples
//! Pig to 20 points: roll on or hold?
//! ```
//! use gamecore::testing::toys::Pig;
//! use search_core::Limits;
//! use search_expectimax::Expectimax;
//!
//! let report = Expectimax::new(|_: &Pig| 0.0).with_table(1 << 20).search(&Pig::new(20), &Limits::depth(6))?;
//! println!("{:?}, worth {:?} after {} nodes", report.best, report.value, report.nodes);
//! # Ok::<(), search_core::SearchError>(())
//! ```
//!
//! # What the options are worth
//! Measured on EinStein würfelt nicht!, see `docs/star-pruning.md`: the table saves most, merged events a third. Star1 saves
//! another third without a table; with one and good move order Star2 is best, by far near the end of the game.
#![forbid(unsafe_code)]

mod root;
mod tree;

use core::marker::PhantomData;

use gamecore::{Evaluator, Game, History, Turn};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use search_core::{Agent, AgentError, Analyst, Bound, Limits, MoveOrder, ReportOf, SearchError, Table, Unordered, Window};

/// How chance nodes are pruned. The value is the same with each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Not at all: plain expectimax.
    None,
    /// Star1: stop when the events seen, with the rest at their best (or worst), decide the matter.
    #[default]
    Star1,
    /// Star2: before that, probe one move of each event for a bound on its value.
    Star2,
}

impl Pruning {
    /// Whether anything is cut at all.
    #[inline(always)]
    const fn cuts(self) -> bool {
        !matches!(self, Self::None)
    }

    /// What a value found in the window from `a` to `b` says.
    #[inline(always)]
    fn bound(self, value: f64, a: f64, b: f64) -> Bound {
        if self.cuts() && value >= b {
            Bound::AtLeast
        } else if self.cuts() && value <= a {
            Bound::AtMost
        } else {
            Bound::Exact
        }
    }
}

/// The search: an evaluator, an order of moves, and options. It keeps its table from search to search.
///
/// Depth counts decisions; rolls are free. Deepening goes from 1 to the limit and stops early where the game is
/// searched to its end, so a win that can be had now is not put off. Deeper than
/// [`KEY_HORIZON`](gamecore::KEY_HORIZON) it does not look.
#[derive(Debug)]
pub struct Expectimax<G: Game, E, O = Unordered> {
    evaluator: E,
    order: O,
    pruning: Pruning,
    merging: bool,
    batching: bool,
    learning: bool,
    deepening: bool,
    margin: f64,
    rng: Xoshiro256PlusPlus,
    table_bytes: usize,
    table: Table,
    _game: PhantomData<fn(G)>,
}

impl<G: Game, E: Evaluator<G>> Expectimax<G, E> {
    /// Star1 without a table, beginning with the game's own order of moves.
    ///
    /// The evaluator's values must lie within its bounds (for a closure: minus to plus `MAX_POINTS`), or pruning goes
    /// wrong; builds with debug assertions panic at the first that does not.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            order: Unordered,
            pruning: Pruning::default(),
            merging: true,
            batching: true,
            learning: true,
            deepening: true,
            margin: 0.0,
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            table_bytes: 0,
            table: Table::with_bytes(0),
            _game: PhantomData,
        }
    }
}

impl<G: Game, E: Evaluator<G>, O: MoveOrder<G>> Expectimax<G, E, O> {
    /// Looks at moves in this order; values do not depend on it, the work does.
    #[must_use]
    pub fn with_order<P: MoveOrder<G>>(self, order: P) -> Expectimax<G, E, P> {
        Expectimax {
            evaluator: self.evaluator,
            order,
            pruning: self.pruning,
            merging: self.merging,
            batching: self.batching,
            learning: self.learning,
            deepening: self.deepening,
            margin: self.margin,
            rng: self.rng,
            table_bytes: self.table_bytes,
            table: self.table,
            _game: PhantomData,
        }
    }

    /// Prunes chance nodes in this way.
    #[must_use]
    pub fn with_pruning(self, pruning: Pruning) -> Self {
        Self { pruning, ..self }
    }

    /// Remembers positions in a table of at most `bytes` (and at most [`Limits::memory`] in a search that has it). It is
    /// allocated by the first search.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { table_bytes: bytes, ..self }
    }

    /// Whether to visit events of equal consequence once ([`Chance::merged`](gamecore::Chance::merged)); on unless
    /// switched off to measure what it saves.
    #[must_use]
    pub fn with_merging(self, merging: bool) -> Self {
        Self { merging, ..self }
    }

    /// Whether to value all moves of a last decision in one call
    /// ([`Evaluator::after_all`]), without cuts among them; on unless switched off.
    /// With it, finished games one move below a last decision count as nodes.
    #[must_use]
    pub fn with_batching(self, batching: bool) -> Self {
        Self { batching, ..self }
    }

    /// Whether moves that cut off elsewhere, whatever the roll, are tried early: killers and history
    /// ([`Learned`](search_core::Learned), which says what they count beside the order's scores). On unless switched off to
    /// measure what it saves.
    #[must_use]
    pub fn with_learning(self, learning: bool) -> Self {
        Self { learning, ..self }
    }

    /// Whether to deepen step by step; on unless switched off to search straight to the depth in the limits, which
    /// then must be there: without one the search looks one decision ahead.
    #[must_use]
    pub fn with_deepening(self, deepening: bool) -> Self {
        Self { deepening, ..self }
    }

    /// Chooses at random, from this seed, among the root moves whose value is less than `margin` points worse than
    /// the best one's. Makes an opponent less predictable; the report's value stays the best move's.
    #[must_use]
    pub fn with_margin(self, margin: f64, seed: u64) -> Self {
        Self { margin: margin.max(0.0), rng: Xoshiro256PlusPlus::seed_from_u64(seed), ..self }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets what the table knows. Needed only to make a search's node count independent of earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches a position and says what to do: in a decision, the best move; before a roll, the best move for each
    /// event. Moves that are not the best may be reported with a bound for a value: [`Expectimax::analyse`] finds
    /// theirs too.
    ///
    /// If no iteration could be completed, `depth` is 0 and the answer is the first move in order.
    ///
    /// # Errors
    /// If the game is over.
    pub fn search(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.run(game, limits, false)
    }

    /// [`Expectimax::search`] with the exact value of every root move, what is expected after it, and the table by
    /// event of the roll that follows.
    ///
    /// # Errors
    /// If the game is over.
    pub fn analyse(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.run(game, limits, true)
    }

    /// The value of any position, `depth` decisions deep (0: the evaluator's word), without limits of time. Inside
    /// `window` it is exact; an answer at or beyond an end is a bound on the side that [`Bound`] names.
    pub fn value(&mut self, game: &G, depth: u32, window: Window) -> (f64, Bound) {
        self.table.prepare(self.table_bytes, &Limits::default());
        let value = self.tree(&Limits::default()).value(game, depth.min(gamecore::KEY_HORIZON), window.low, window.high);
        let value = value.unwrap_or_else(|_| unreachable!("a search without limits is not interrupted"));
        let bound = self.pruning.bound(value, window.low, window.high);
        (value, bound)
    }
}

/// In a seat of a game `H`: the game searched, or one with a [tracker](gamecore::Tracked) added for the search.
impl<H, G, E, O> Agent<H> for Expectimax<G, E, O>
where
    H: Game,
    G: Game<Move = H::Move, Chance = H::Chance> + From<H>,
    E: Evaluator<G>,
    O: MoveOrder<G>,
{
    fn name(&self) -> String {
        match self.pruning {
            Pruning::None => "expectimax",
            Pruning::Star1 => "star1",
            Pruning::Star2 => "star2",
        }
        .into()
    }

    fn new_game(&mut self, seed: u64) {
        // The table is made now, not on the clock of the first decision.
        if self.table.is_disabled() {
            self.table.prepare(self.table_bytes, &Limits::default());
        }
        self.clear();
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn choose(&mut self, history: &History<H>, limits: &Limits) -> Result<ReportOf<H>, AgentError> {
        match history.state().turn() {
            Turn::Decide(_) => Ok(self.search(&history.state().clone().into(), limits)?),
            Turn::Chance(_) | Turn::Over(_) => Err(AgentError::NothingToDecide),
        }
    }
}

impl<H, G, E, O> Analyst<H> for Expectimax<G, E, O>
where
    H: Game,
    G: Game<Move = H::Move, Chance = H::Chance> + From<H>,
    E: Evaluator<G>,
    O: MoveOrder<G>,
{
    fn analyse(&mut self, game: &H, limits: &Limits) -> Result<ReportOf<H>, SearchError> {
        self.run(&game.clone().into(), limits, true)
    }
}
