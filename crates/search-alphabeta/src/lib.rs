//! Alpha-beta search for games without chance.
//!
//! Principal variation search with iterative deepening, aspiration windows, a transposition table, killers, counter-moves and
//! history; quiescence, null moves and late-move reductions for those who ask for them; several threads on one table. It asks
//! every position whose [`turn`](gamecore::Game::turn) it is, so games in which a player moves twice come out right, where a
//! search that changes the sign at every ply goes wrong. Games with dice do not compile: alpha-beta for them is Star1 and Star2,
//! in `search-expectimax`.
//!
//! The decision that a reader will question: scores compare the value first and then the distance to the end, in one integer.
//! So a win is played home the shortest way and a loss put off, and yet no value is bent to make room for distances: with
//! [`with_equal_depths`](AlphaBeta::with_equal_depths) every one is exactly plain minimax's.
//!
//! # Examples
//! A game of one's own, in which each player moves twice in a row:
//! ```
//! use std::time::Duration;
//!
//! use gamecore::{Game, Never, Outcome, Player, Turn};
//! use search_alphabeta::AlphaBeta;
//! use search_core::{ByScore, Limits};
//!
//! /// Take one to three matches, twice in a turn; who takes the last one wins.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Matches { left: u8, mover: Player, second: bool }
//!
//! impl Game for Matches {
//!     type Move = u8;
//!     type Moves = Vec<u8>;
//!     type Chance = Never; // no dice
//!
//!     fn turn(&self) -> Turn<Never> {
//!         // Whoever took the last one has a second move left, or has just handed the turn over.
//!         let last = if self.second { self.mover } else { self.mover.other() };
//!         if self.left > 0 { Turn::Decide(self.mover) } else { Turn::Over(Outcome::win(last)) }
//!     }
//!     fn moves(&self, out: &mut Vec<u8>) { out.extend(1..=self.left.min(3)) }
//!     fn play(&mut self, m: u8) {
//!         self.left -= m;
//!         if self.second { self.mover = self.mover.other() }
//!         self.second = !self.second;
//!     }
//!     fn resolve(&mut self, never: Never) { match never {} }
//! }
//!
//! let mut search = AlphaBeta::new(|_: &Matches| 0.0) // an evaluator that knows nothing
//!     .with_order(ByScore(|_: &Matches, m: u8| i32::from(m))); // the larger first
//! let game = Matches { left: 11, mover: Player::One, second: false };
//! let report = search.search(&game, &Limits::time(Duration::from_secs(1)).and_depth(20))?;
//!
//! assert_eq!(report.value, Some(1.0)); // One wins,
//! let line = report.best_line().expect("an iteration was completed");
//! assert_eq!(report.ends_in, Some(1 + line.line.len() as u32)); // by `report.best` and then `line.line`
//! # Ok::<(), search_core::SearchError>(())
//! ```
//!
//! # What the options are worth
//! Measured in `docs/alphabeta.md`.
#![forbid(unsafe_code)]

mod busy;
mod ranks;
mod root;
mod score;
mod tree;

use core::fmt;
use core::marker::PhantomData;
use std::sync::LazyLock;

use gamecore::{Deterministic, Evaluator, History, KEY_HORIZON, Turn};
use search_core::learned::COUNTER;
use search_core::{Agent, AgentError, Analyst, Bound, Entry, Limits, MoveOrder, ReportOf, SearchError, Table, Unordered, Window};

/// The position after a null move, if one may be made.
type Pass<G> = Box<dyn Fn(&G) -> Option<G> + Send + Sync>;
/// Lists noisy moves.
type Noisy<G> = Box<dyn Fn(&G, &mut <G as gamecore::Game>::Moves) + Send + Sync>;
/// Says whether a decision is forced, so that it is not counted.
type Forced<G> = Box<dyn Fn(&G) -> bool + Send + Sync>;
/// A value for the player to move, plus what so many decisions may change about it (negative ones: less that).
type Doubt = Box<dyn Fn(f32, i32) -> f32 + Send + Sync>;
/// Is told of each iteration.
type Progress<G> = Box<dyn FnMut(&ReportOf<G>) + Send>;

/// How to search; what does not change while a search runs.
struct Options<G: Deterministic> {
    scouting: bool,
    aspiration: bool,
    learning: bool,
    deepening: bool,
    equal_depths: bool,
    null_move: Option<Pass<G>>,
    quiescence: Option<Noisy<G>>,
    reductions: Option<(usize, f32)>,
    extension: Option<Forced<G>>,
    futility: Option<Doubt>,
    late_pruning: bool,
    /// Root moves whose exact values are wanted.
    lines: usize,
}

/// Natural logarithms, 0 for 0.
static LN: LazyLock<[f32; 64]> = LazyLock::new(|| core::array::from_fn(|i| (i.max(1) as f32).ln()));
/// Moves looked at, by the distance from the horizon; beyond, all.
static LATE: LazyLock<[usize; 15]> = LazyLock::new(|| core::array::from_fn(|d| 3 + (d as f32).powf(1.32) as usize));

impl<G: Deterministic> Options<G> {
    /// No search looks further ahead, in decisions, before the quiescence.
    fn horizon(&self) -> u32 {
        KEY_HORIZON - if self.quiescence.is_some() { tree::QUIET_PLIES as u32 } else { 0 }
    }

    /// How many decisions less the `i`th move of a node is searched, whose score in the order is `rank`.
    #[inline(always)]
    fn reduction(&self, depth: i32, i: usize, rank: i64) -> i32 {
        match self.reductions {
            Some((first, factor)) if depth >= 3 && i >= first && rank < i64::from(COUNTER) => {
                let logarithms = LN[depth.min(63) as usize] * LN[i.min(63)];
                ((logarithms * factor) as i32).clamp(1, depth - 2)
            }
            _ => 0,
        }
    }

    /// How many moves of a node with a closed window are looked at, so many decisions from the horizon.
    #[inline(always)]
    fn late(&self, depth: i32) -> usize {
        let known = if self.late_pruning { LATE.get(depth.max(0) as usize).copied() } else { None };
        known.unwrap_or(usize::MAX)
    }
}

/// The search: an evaluator, an order of moves, and options. It keeps its table from search to search.
///
/// Depth counts decisions. Deepening goes from 1 to the limit and stops early where the game is searched to its end
/// ([`StopReason::Solved`](search_core::StopReason)). Deeper than [`KEY_HORIZON`] it does not look: there it
/// stops for [`StopReason::Depth`](search_core::StopReason), whether a depth was asked for or not.
///
/// A search nests as many positions and lists of moves on the stack as it looks decisions ahead: with lists of many kilobytes, run it
/// on a thread that has room. (Its own helpers have 16 MiB.)
///
/// The same position, limits other than time and options bring the same report, after [`clear`](AlphaBeta::clear) or in a new
/// search, as long as there is one thread.
pub struct AlphaBeta<G: Deterministic, E, O = Unordered> {
    evaluator: E,
    order: O,
    options: Options<G>,
    threads: usize,
    table_bytes: usize,
    table: Table,
    progress: Option<Progress<G>>,
    _game: PhantomData<fn(G)>,
}

impl<G: Deterministic, E: fmt::Debug, O: fmt::Debug> fmt::Debug for AlphaBeta<G, E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta")
            .field("evaluator", &self.evaluator)
            .field("order", &self.order)
            .field("threads", &self.threads)
            .field("table_bytes", &self.table_bytes)
            .finish_non_exhaustive()
    }
}

/// What a search's table occupies unless it is told otherwise: 16 MiB.
pub const TABLE_BYTES: usize = 16 << 20;

impl<G: Deterministic, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search with a table of [`TABLE_BYTES`], which answers with what was searched deeper too, and all techniques that change
    /// no value; on one thread; beginning with the game's own order of moves.
    ///
    /// Positive values must mean that One is better off, negative ones Two: an end worth 0 is nobody's, and nobody hurries
    /// there. The evaluator's values must lie within its bounds (for a closure: minus to plus `MAX_POINTS`), or pruning goes
    /// wrong; builds with debug assertions panic at the first that does not.
    ///
    /// Write the type of a closure's parameter, `|game: &MyGame| ..`: without it the compiler finds no method `search`.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            order: Unordered,
            options: Options {
                scouting: true,
                aspiration: true,
                learning: true,
                deepening: true,
                equal_depths: false,
                null_move: None,
                quiescence: None,
                reductions: None,
                extension: None,
                futility: None,
                late_pruning: false,
                lines: 1,
            },
            threads: 1,
            table_bytes: TABLE_BYTES,
            table: Table::with_bytes(0),
            progress: None,
            _game: PhantomData,
        }
    }
}

impl<G: Deterministic, E: Evaluator<G>, O: MoveOrder<G>> AlphaBeta<G, E, O> {
    /// Begins with the moves that score high: `ByScore(|game: &MyGame, m| ..)`, see [`ByScore`](search_core::ByScore), or a
    /// [`MoveOrder`] of your own.
    ///
    /// Scores are added to what the search learns ([`Learned`](search_core::Learned)): killers count 4096 and 3072, a
    /// counter-move 2048, history from -1024 to 1024. So a capture that is always to be tried first scores 8192, and
    /// an order that is only to break ties stays below 10.
    #[must_use]
    pub fn with_order<P: MoveOrder<G>>(self, order: P) -> AlphaBeta<G, E, P> {
        AlphaBeta {
            evaluator: self.evaluator,
            order,
            options: self.options,
            threads: self.threads,
            table_bytes: self.table_bytes,
            table: self.table,
            progress: self.progress,
            _game: PhantomData,
        }
    }

    /// Remembers positions in a table of at most `bytes` (and at most [`Limits::memory`] in a search that has it); 0 for none.
    /// It is allocated by the first search, on its clock, and again by one whose [`Limits::memory`] asks for another size, which forgets
    /// what it knew; a gigabyte may take longer than the time that a search has. [`Agent::new_game`] does it ahead. So keep one search
    /// for many positions.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { table_bytes: bytes, ..self }
    }

    /// Takes from the table only what was searched exactly as deep as is asked now, or to the end of the game. The value is
    /// then plain minimax's of that depth; otherwise what was searched deeper serves as well, which is stronger.
    #[must_use]
    pub fn with_equal_depths(mut self) -> Self {
        self.options.equal_depths = true;
        self
    }

    /// Whether moves after a node's first are searched with a closed window first, to see that they are no better: principal
    /// variation search (Marsland and Campbell 1982). On unless switched off to measure what it saves; without it lines may be cut
    /// short where the table answers, and there are no reductions.
    #[must_use]
    pub fn with_scouting(mut self, on: bool) -> Self {
        self.options.scouting = on;
        self
    }

    /// Whether an iteration begins with a narrow window around the value of the last one. On unless switched off to measure
    /// what it saves.
    #[must_use]
    pub fn with_aspiration(mut self, on: bool) -> Self {
        self.options.aspiration = on;
        self
    }

    /// Whether moves that refuted something elsewhere are tried early: killers, counter-moves and history. On unless switched
    /// off to measure what it saves, or for the order's own.
    #[must_use]
    pub fn with_learning(mut self, on: bool) -> Self {
        self.options.learning = on;
        self
    }

    /// Whether to deepen step by step; on unless switched off to search straight to the depth in the limits, which then must
    /// be there: without one the search looks one decision ahead. Without a table and learning, deepening finds out little
    /// that the next iteration could use.
    #[must_use]
    pub fn with_deepening(mut self, on: bool) -> Self {
        self.options.deepening = on;
        self
    }

    /// Looks beyond the horizon (which then is at most 96 decisions away) at the moves that `noisy` lists, up to 32 plies, before
    /// the evaluator is believed: captures,
    /// threats. Whoever moves may also decline them all.
    ///
    /// `noisy` adds to an empty list moves that are legal in the position; none if it is quiet. It is right for games in which
    /// the mover can as a rule do at least as well as the evaluator says with some quiet move.
    #[must_use]
    pub fn with_quiescence(mut self, noisy: impl Fn(&G, &mut G::Moves) + Send + Sync + 'static) -> Self {
        self.options.quiescence = Some(Box::new(noisy));
        self
    }

    /// Cuts a node off if its mover could even afford to pass (Donninger 1993), as a search of 3 + depth / 6 decisions less
    /// finds. **Unsound**: values and moves can differ from plain minimax's.
    ///
    /// `pass` gives the position after a null move, not over, the opponent's turn (a whole one, where turns have several moves), with
    /// all else the same; or `None` where the opponent could not move, where passing might be better than any move (zugzwang), or
    /// where the opponent threatens to end the game at once. What it cuts off is never proven, so a drawn game may be searched on to
    /// the horizon and not be called solved: give it a limit.
    #[must_use]
    pub fn with_null_move(mut self, pass: impl Fn(&G) -> Option<G> + Send + Sync + 'static) -> Self {
        self.options.null_move = Some(Box::new(pass));
        self
    }

    /// Searches late moves less deep at first: from the fifth move of a node on, those that are no killers and whose
    /// score in the order is below 2048, three decisions or more from the horizon. One that turns out well is searched again in full. **Unsound**:
    /// values and moves can differ from plain minimax's. It pays where the order is good.
    #[must_use]
    pub fn with_reductions(mut self) -> Self {
        self.options.reductions = Some((4, 0.7));
        self
    }

    /// Reduces from the `first`th move of a node on (from 0, at least 1), by `factor` times the logarithm of the depth times
    /// that of the move's number; [`with_reductions`](Self::with_reductions) means 4 and 0.7.
    #[must_use]
    pub fn with_reductions_of(mut self, first: usize, factor: f32) -> Self {
        self.options.reductions = Some((first.max(1), factor));
        self
    }

    /// Does not count decisions that are forced, so that the horizon is as far after a threat as before it. At the horizon they are
    /// made too, before anything is evaluated. `forced` should be true only where there are very few moves.
    #[must_use]
    pub fn with_extension(mut self, forced: impl Fn(&G) -> bool + Send + Sync + 'static) -> Self {
        self.options.extension = Some(Box::new(forced));
        self
    }

    /// Believes the evaluator without a search, up to 8 decisions from the horizon, where its value is so far above the window that
    /// the decisions left will hardly bring it down (futility pruning, of a node as a whole); up to 2 where it is so far below, after
    /// a quiescence (razoring). **Unsound**.
    ///
    /// `doubt(value, decisions)` is the value plus what so many decisions may change about it, for whoever moves; less that if
    /// `decisions` is negative.
    #[must_use]
    pub fn with_futility(mut self, doubt: impl Fn(f32, i32) -> f32 + Send + Sync + 'static) -> Self {
        self.options.futility = Some(Box::new(doubt));
        self
    }

    /// Looks, where a window is closed, only at a number of moves that grows with the distance from the horizon (3 plus the distance
    /// to the power of 1.32; from 15 decisions on, all), as long as one of them does not lose (move count pruning). **Unsound**; it
    /// needs a good order.
    #[must_use]
    pub fn with_late_pruning(mut self) -> Self {
        self.options.late_pruning = true;
        self
    }

    /// Finds the exact values of the best `lines` root moves, not only of the best; at least 1.
    #[must_use]
    pub fn with_lines(mut self, lines: usize) -> Self {
        self.options.lines = lines.max(1);
        self
    }

    /// Searches with so many threads, at least 1, that share the table ("lazy SMP") and put off what another one is just
    /// searching. What they find depends on who comes
    /// first: only one thread brings the same report every time. Without a table more threads find nothing more.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Tells `progress` what is known after each iteration. It is kept, so it borrows nothing: let it send on a channel, or share an
    /// `Arc`. To end the search from within, raise a [`StopFlag`](search_core::StopFlag) that the limits have too.
    #[must_use]
    pub fn with_progress(self, progress: impl FnMut(&ReportOf<G>) + Send + 'static) -> Self {
        Self { progress: Some(Box::new(progress)), ..self }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets what the table knows. Needed only to make a search independent of earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Forgets what the table says of one position, but not of what comes before or after it: for whoever has learned something
    /// new of a position that follows ([`Evaluator::bounds`]) and searches again.
    pub fn forget(&self, game: &G) {
        // Searched no decision deep and not to the end, it answers no question, whatever its value.
        let nothing = Entry { value: 0.0, bound: Bound::AtLeast, depth: 0, complete: false, best: None };
        if self.table.any(game.key()).is_some() {
            self.table.replace(game.key(), nothing);
        }
    }

    /// Searches a position and says what to play. Moves that are not the best may be reported with a bound for a value:
    /// [`with_lines`](AlphaBeta::with_lines) and [`analyse`](Analyst::analyse) find theirs too.
    ///
    /// If the time ends in the middle of an iteration, what that has found about the move that was best before, and about
    /// better ones, counts (unless several lines are asked for: a ranking is of one depth; or all it has found is that this move
    /// is worth less, or more by a bound). If no iteration could be completed,
    /// `depth` is 0, the value is the evaluator's word and there may be no lines.
    ///
    /// [`Limits::time`] is kept to (but see [`with_table`](AlphaBeta::with_table)). If [`Limits::left`] says that the clock has more than twice that, an iteration that would
    /// hardly be completed in time is not begun, and an only move is not thought about, so that the clock keeps it.
    ///
    /// # Errors
    /// If the game is over.
    pub fn search(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.run(game, limits, self.options.lines, None)
    }

    /// [`search`](AlphaBeta::search) that chooses among `moves` only, and finds the exact values of the best `lines` of them (at least 1). For who
    /// knows more about the root than the search does: the moves must be legal, but the game need not list them (it may leave out what is
    /// hardly worth a look). An empty list stands for the game's own.
    ///
    /// # Errors
    /// If the game is over.
    pub fn search_among(
        &mut self,
        game: &G,
        moves: &[G::Move],
        lines: usize,
        limits: &Limits,
    ) -> Result<ReportOf<G>, SearchError> {
        self.run(game, limits, lines.max(1), Some(moves).filter(|moves| !moves.is_empty()))
    }

    /// [`search`](AlphaBeta::search) with the exact value and the line of every root move.
    ///
    /// # Errors
    /// If the game is over.
    pub fn analyse(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.run(game, limits, usize::MAX, None)
    }

    /// The value of any position, `depth` decisions deep (0: the evaluator's word, or the quiescence's), without limits of time. Inside
    /// `window` it is exact; an answer at or beyond an end is a bound on the side that [`Bound`] names.
    pub fn value(&mut self, game: &G, depth: u32, window: Window) -> (f32, Bound) {
        self.value_of(game, depth.min(self.options.horizon()), window)
    }
}

/// In a seat of a game `H`: the game searched, or one with a [tracker](gamecore::Tracked) added for the search.
impl<H, G, E, O> Agent<H> for AlphaBeta<G, E, O>
where
    H: Deterministic,
    G: Deterministic<Move = H::Move> + From<H>,
    E: Evaluator<G>,
    O: MoveOrder<G>,
{
    fn name(&self) -> String {
        "alpha-beta".into()
    }

    fn new_game(&mut self, _seed: u64) {
        // The table is made now, not on the clock of the first decision. Nothing is decided at random.
        if self.table.is_disabled() {
            self.table.prepare(self.table_bytes, &Limits::default());
        }
        self.clear();
    }

    fn choose(&mut self, history: &History<H>, limits: &Limits) -> Result<ReportOf<H>, AgentError> {
        match history.state().turn() {
            Turn::Decide(_) => Ok(self.search(&history.state().clone().into(), limits)?),
            Turn::Over(_) => Err(AgentError::NothingToDecide),
            Turn::Chance(never) => match never {},
        }
    }
}

impl<H, G, E, O> Analyst<H> for AlphaBeta<G, E, O>
where
    H: Deterministic,
    G: Deterministic<Move = H::Move> + From<H>,
    E: Evaluator<G>,
    O: MoveOrder<G>,
{
    fn analyse(&mut self, game: &H, limits: &Limits) -> Result<ReportOf<H>, SearchError> {
        self.run(&game.clone().into(), limits, usize::MAX, None)
    }
}
