//! Gomoku, by any of its rule sets.

mod book;
mod level;
mod proofs;

use core::fmt;
use std::time::{Duration, Instant};

use gamecore::{Game, History, Never, Player, Step, Turn, random};
use games_gomoku::eval::{Shapes, shifted};
use games_gomoku::{Gomoku, Narrowed, Point};
use rand::rngs::Xoshiro256PlusPlus;
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Analyst, Bound, Limits, MoveLine, MoveOrder, Report, ReportOf, SearchError, StopReason};

pub use book::{book, load_book};
pub use level::{Level, LevelError};

use proofs::{Findings, Proofs};

/// The order in which moves are looked at: ten times [`Narrowed::promise`], so that what the search learns about quiet moves comes to about
/// as much as what they make.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Narrowed> for Order {
    #[inline]
    fn scores(&self, game: &Narrowed, moves: &[Point], scores: &mut [i32]) {
        scores.iter_mut().zip(moves).for_each(|(score, &m)| *score = PROMISE * game.promise(m));
    }
}

/// The engine: first a look for wins and losses by force, then alpha-beta over [`Narrowed`] moves and [`Shapes`].
///
/// What it does with a position, in this order:
/// 1. It looks for a victory by continuous fours ([`lines::Vcf`]), then for one by fours and open threes ([`lines::Vct`]). What is
///    found is proven and played at once; the report shows it with its line.
/// 2. If the opponent would win by fours after a pass, only moves that prevent it are searched.
/// 3. Alpha-beta with principal variation search, a table of [`TABLE_BYTES`], reductions, and beyond the horizon the
///    fours that lead on ([`Narrowed::leading_fours`]).
/// 4. In the opening it chooses among moves that are nearly as good as the best ([`with_variety`](Self::with_variety)), so that
///    one line does not win against it every time.
///
/// Values are points for [`Player::One`], -1 to 1. `docs/gomoku-engine.md` says what each part is worth.
///
/// # Examples
/// ```
/// use engines::gomoku::Engine;
/// use games_gomoku::Gomoku;
/// use search_core::{Agent, Limits};
///
/// // An open three wins: the report has the whole line.
/// let game: Gomoku = "9/9/9/9/2xxx4/9/5oo2/6o2/9 one".parse()?;
/// let report = Engine::new().choose(&game.clone().into(), &Limits::nodes(10_000))?;
/// assert_eq!((report.value, report.ends_in), (Some(1.0), Some(3)));
/// let names: Vec<String> = report.best.iter().map(|&m| game.point_name(m)).collect();
/// assert!(names == ["b5"] || names == ["f5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    search: AlphaBeta<Narrowed, Shapes, Order>,
    proofs: Proofs,
    proves: bool,
    lines: usize,
    variety: f64,
    /// Of how many stones on the board the variety ends.
    varied: u16,
    random: Xoshiro256PlusPlus,
}

/// A part of the [`Engine`] that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The look for wins and losses by force before the search.
    Proofs,
    /// Fours that lead on, beyond the horizon.
    Quiescence,
    /// Answers to fours that are not counted.
    Extension,
    /// Late moves searched less deep.
    Reductions,
    /// Nodes near the horizon that are decided by the evaluation.
    Futility,
    /// Late moves left out near the horizon.
    LatePruning,
    /// Killers, counter-moves, history.
    Learning,
    /// The table.
    Table,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Proofs,
        Self::Quiescence,
        Self::Extension,
        Self::Reductions,
        Self::Futility,
        Self::LatePruning,
        Self::Learning,
        Self::Table,
    ];
}

/// What one decision may change about an evaluation, in thousandths of a logistic unit.
const DOUBT: f32 = 300.0;
/// What the logarithms of depth and place are multiplied by.
const REDUCTIONS: f32 = 0.8;
/// What promise is worth beside history, which counts up to 1024.
const PROMISE: i32 = 10;

/// What an [`Engine`] spends on its table, unless told otherwise.
pub const TABLE_BYTES: usize = 64 << 20;
/// How much less than the best a move of the opening may be worth to be chosen, in points, unless an [`Engine`] is told otherwise.
pub const VARIETY: f64 = 0.02;
/// The opening ends when so many stones are on the board.
const OPENING: u16 = 6;
/// No search looks further: positions and lists of moves stand on the stack, some 10 KiB a decision.
const DEEPEST: u32 = 48;
/// Among so many moves the opening's are chosen.
const CHOICES: usize = 4;

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("search", &self.search).field("proves", &self.proves).finish_non_exhaustive()
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine {
    /// One thread, a table of [`TABLE_BYTES`], the variety of [`VARIETY`] with seed 0.
    #[must_use]
    pub fn new() -> Self {
        Self::without(&[])
    }

    /// The engine without some of its parts, to measure what they are worth.
    #[must_use]
    pub fn without(parts: &[Part]) -> Self {
        let has = |part| !parts.contains(&part);
        let mut search = AlphaBeta::new(Shapes).with_order(Order).with_table(if has(Part::Table) { TABLE_BYTES } else { 0 });
        search = search.with_learning(has(Part::Learning));
        if has(Part::Quiescence) {
            search = search.with_quiescence(Narrowed::leading_fours);
        }
        if has(Part::Extension) {
            search = search.with_extension(|game| !game.patterns().fives(game.game().mover().other()).is_empty());
        }
        if has(Part::Reductions) {
            search = search.with_reductions_of(1, REDUCTIONS);
        }
        if has(Part::Futility) {
            search = search.with_futility(|value, decisions| shifted(value, DOUBT * decisions as f32));
        }
        if has(Part::LatePruning) {
            search = search.with_late_pruning();
        }
        Self {
            search,
            proofs: Proofs::default(),
            proves: has(Part::Proofs),
            lines: 1,
            variety: VARIETY,
            varied: OPENING,
            random: random::generator(0),
        }
    }

    /// With a table of at most so many bytes; [`Limits::memory`] may make it smaller.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { search: self.search.with_table(bytes), ..self }
    }

    /// Searches with so many threads, at least 1, on one table. Only one thread brings the same report every time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { search: self.search.with_threads(threads), ..self }
    }

    /// Finds the exact values and lines of the best `lines` moves; at least 1.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines: lines.max(1), ..self }
    }

    /// In the opening (up to 5 stones on the board) chooses at random among the moves that are worth at most `margin` points less than the
    /// best; 0 for the best always. [`new_game`](Agent::new_game) sets the seed.
    #[must_use]
    pub fn with_variety(self, margin: f64) -> Self {
        Self { variety: margin, varied: OPENING, ..self }
    }

    /// The same throughout the game: a careless player.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { variety: margin, varied: u16::MAX, ..self }
    }

    /// Whether it looks for wins and losses by force before it searches. On unless switched off to measure what that is worth,
    /// or for a weaker player.
    #[must_use]
    pub fn with_proofs(self, on: bool) -> Self {
        Self { proves: on, ..self }
    }

    /// Tells `progress` what is known after each iteration of the search.
    #[must_use]
    pub fn with_progress(self, progress: impl FnMut(&ReportOf<Gomoku>) + Send + 'static) -> Self {
        Self { search: self.search.with_progress(progress), ..self }
    }
}

impl Engine {
    /// What to play, the best `lines` moves exactly.
    fn run(&mut self, game: &Gomoku, lines: usize, limits: &Limits) -> Result<ReportOf<Gomoku>, SearchError> {
        let Turn::Decide(mover) = game.turn() else { return Err(SearchError::Over) };
        let started = Instant::now();
        let narrowed = Narrowed::from(game.clone());
        let findings = if self.proves { self.proofs.look(&narrowed, limits) } else { Findings::default() };
        let opening = self.variety > 0.0 && game.board().count() < self.varied;
        if let Some(win) = &findings.win
            && lines == 1
        {
            let mut report = Report::empty();
            report.stop = StopReason::Solved;
            report.depth = win.len() as u32;
            put_win(&mut report, mover, win);
            report.nodes = findings.nodes;
            report.elapsed = started.elapsed();
            return Ok(report);
        }
        let lines = if opening { lines.max(CHOICES) } else { lines };
        let rest = rest_of(limits, started.elapsed(), findings.nodes);
        let mut report = self.search.search_among(&narrowed, &findings.only, lines, &rest)?;
        report.nodes += findings.nodes;
        if let Some(win) = &findings.win {
            put_win(&mut report, mover, win);
        } else if opening {
            self.vary(&mut report, mover);
        }
        report.elapsed = started.elapsed();
        Ok(report)
    }

    /// Takes another move that is nearly as good.
    fn vary(&mut self, report: &mut ReportOf<Gomoku>, mover: Player) {
        let Some(best) = report.value else { return };
        if report.ends_in.is_some() {
            return;
        }
        let sign = f64::from(mover.sign());
        let near = |line: &&MoveLine<Point, Never>| line.bound == Bound::Exact && sign * (best - line.value) <= self.variety;
        let near: Vec<_> = report.moves.iter().filter(near).collect();
        if let Some(line) = near.get(random::below(&mut self.random, near.len())) {
            (report.best, report.value) = (Some(line.m), Some(line.value));
        }
    }
}

/// What is left of the limits.
fn rest_of(limits: &Limits, elapsed: Duration, nodes: u64) -> Limits {
    let mut rest = limits.clone();
    rest.time = limits.time.map(|time| time.saturating_sub(elapsed));
    rest.nodes = limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
    rest.depth = Some(limits.depth.map_or(DEEPEST, |depth| depth.min(DEEPEST)));
    rest
}

/// Puts a proven win for the mover into a report.
fn put_win(report: &mut ReportOf<Gomoku>, mover: Player, win: &[Point]) {
    let mut line = MoveLine::new(win[0], mover.sign().into());
    line.ends_in = Some(win.len() as u32);
    line.line = win[1..].iter().map(|&m| Step::Move(m)).collect();
    (report.best, report.value, report.ends_in) = (Some(line.m), Some(line.value), line.ends_in);
    match report.moves.iter_mut().find(|known| known.m == line.m) {
        Some(known) => {
            line.nodes = known.nodes;
            *known = line;
        }
        None => report.moves.push(line),
    }
}

impl Agent<Gomoku> for Engine {
    fn name(&self) -> String {
        "alpha-beta".into()
    }

    fn new_game(&mut self, seed: u64) {
        Agent::<Gomoku>::new_game(&mut self.search, seed);
        self.random = random::generator(seed);
    }

    fn choose(&mut self, history: &History<Gomoku>, limits: &Limits) -> Result<ReportOf<Gomoku>, AgentError> {
        Ok(self.run(history.state(), self.lines, limits)?)
    }
}

impl Analyst<Gomoku> for Engine {
    fn analyse(&mut self, game: &Gomoku, limits: &Limits) -> Result<ReportOf<Gomoku>, SearchError> {
        let variety = core::mem::replace(&mut self.variety, 0.0);
        let report = self.run(game, usize::MAX, limits);
        self.variety = variety;
        report
    }
}
