//! Connect6 and its family.

mod budget;
mod guided;
mod level;
mod second;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use gamecore::{Game, History, Player, Step, Turn};
use games_connect6::eval::Forcing;
#[cfg(doc)]
use games_connect6::eval::Learned;
use games_connect6::learned::Net;
use games_connect6::{CANDIDATES, Connect6, Forced, Narrowed, Point, Vcdt, Windows};
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Analyst, Limits, MoveLine, MoveOrder, Report, ReportOf, SearchError, StopReason, Watch};
use search_mcts::{Mcts, Selection, Widening};

use crate::algorithm::named_algorithms;

pub use guided::{Guided, Worth};
pub use level::{Level, LevelError};

use budget::Budget;
use second::{SecondOrder, Shared, Win, list};

/// The order in which stones are looked at: by [`Narrowed::promise`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Narrowed> for Order {
    #[inline]
    fn scores(&self, game: &Narrowed, moves: &[Point], scores: &mut [i32]) {
        for (score, &m) in scores.iter_mut().zip(moves) {
            *score = game.promise(m);
        }
    }
}

/// How an engine searches. Written `alpha-beta` or `mcts`.
///
/// # Examples
/// ```
/// use engines::connect6::Algorithm;
/// assert_eq!("mcts".parse(), Ok(Algorithm::Mcts));
/// assert!("minimax".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Alpha-beta over single stones.
    AlphaBeta,
    /// Monte Carlo tree search: PUCT over single stones, with the evaluator's word for playouts. Limited by a depth alone, it
    /// runs 10,000 playouts. The stronger of the two at equal time (`docs/connect6.md`).
    #[default]
    Mcts,
}

named_algorithms!(AlphaBeta = "alpha-beta", Mcts = "mcts");

/// The engine. A decision is one stone: whoever has two in a turn is asked twice.
///
/// First it looks for a win by continuous double threats ([`Vcdt`]), and for one of the second order ([`Part::SecondOrder`]); either is
/// played at once. If the opponent threatens to win by double threats, the points of that line are candidates too. Then it searches a
/// short list of candidates ([`Narrowed`]), and goes on, in the end with more of them, if the turn that it found loses to such a win.
///
/// Where both stones of a turn are decided with the first, the second is answered without a search.
///
/// Depth, alpha-beta's limit, counts stones, so two turns ahead are depth 4. Values are points for [`Player::One`]: 1 if it wins,
/// -1 if it loses, the [evaluator's](Learned) opinion between. A win of the second order is reported as a win, though not all
/// replies were tried; its line has the turn alone, and no end. Reports have the stones that were looked at, not all that are legal.
///
/// # Examples
/// ```
/// use engines::connect6::Engine;
/// use games_connect6::Connect6;
/// use search_core::{Agent, Limits};
///
/// // Four in a row and two stones to put: that is a win.
/// let game: Connect6 = "9/9/9/2xxxx3/9/3oooo2/9/9/9 one 2".parse()?;
/// let report = Engine::new().choose(&game.into(), &Limits::depth(2))?;
/// assert_eq!((report.value, report.ends_in), (Some(1.0), Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    alphabeta: AlphaBeta<Narrowed, Forcing, Order>,
    mcts: Mcts<Narrowed, Guided>,
    algorithm: Algorithm,
    width: [u8; 2],
    net: Option<&'static Net>,
    vcdt: Option<Vcdt>,
    /// Finds wins of the second order.
    second: Option<Shared>,
    /// The key of the position in the middle of a turn that was decided as a whole, and what is played there.
    plan: Option<(u64, ReportOf<Connect6>)>,
}

/// What an [`Engine`] spends on its table or tree, unless told otherwise.
pub const TABLE_BYTES: usize = 64 << 20;

/// Turns and nodes of the searches for double threats next to the root.
const NEAR: (u8, u64) = (16, 100);
/// And at the root.
const ROOT: (u8, u64) = (16, 20_000);

/// Of [`Guided`], and of PUCT.
const TEMPERATURE: f32 = 100.0;
const EXPLORE: f64 = 1.0;

/// A search is repeated at most so often because what it found loses.
const TRIES: u32 = 200;

/// Candidates where a win was found against the replies of the short list.
const WIDE: [u8; 2] = [28, 28];

/// In hundredths of what is left to spend: a look for wins by double threats.
const LOOK: u32 = 50;

/// What a decision is spent on, in hundredths of what is left, and how far wins of the second order are looked for.
struct Shares {
    /// A look for wins of the second order.
    look: u32,
    /// The first search.
    first: u32,
    /// A search that is repeated, or goes on.
    again: u32,
    /// Turns before the win by double threats.
    turns: u8,
}

/// How the opponent wins after a turn.
struct Refutation {
    /// Where the win runs: where a defence might be.
    points: Vec<Point>,
    /// What it took to find it, 0 for a win by double threats.
    nodes: u64,
}

impl Algorithm {
    const fn shares(self) -> Shares {
        match self {
            // A depth can be its only limit: what it looks for must come to an end.
            Self::AlphaBeta => Shares { look: 50, first: 30, again: 33, turns: 1 },
            Self::Mcts => Shares { look: 20, first: 20, again: 20, turns: 2 },
        }
    }
}

/// The stones that the mover is expected to put in this turn, as far as a report knows them.
fn stones_of_turn(game: &Narrowed, report: &ReportOf<Connect6>) -> Vec<Point> {
    let Some(best) = report.best_line() else { return Vec::new() };
    let (mover, mut next, mut stones) = (game.game().mover(), game.after(best.m), vec![best.m]);
    for step in &best.line {
        match *step {
            Step::Move(m) if next.game().outcome().is_none() && next.game().mover() == mover => {
                next.play(m);
                stones.push(m);
            }
            _ => break,
        }
    }
    stones
}

/// The report of a turn that is known to lose now.
fn known_to_lose(mut report: ReportOf<Connect6>, loss: f64) -> ReportOf<Connect6> {
    report.value = Some(loss);
    if let Some(line) = report.moves.iter_mut().find(|line| Some(line.m) == report.best) {
        line.value = loss;
    }
    report
}

/// The report of a position that is lost, and of a turn that is played nevertheless.
fn lost_with(turn: &[Point], loss: f32) -> ReportOf<Connect6> {
    let mut line = MoveLine::new(turn[0], loss.into());
    line.line = turn[1..].iter().map(|&m| Step::Move(m)).collect();
    let mut report = Report::of_move(turn[0], Some(loss.into()));
    report.moves = vec![line];
    report.stop = StopReason::Solved;
    report
}

/// Whether there are wins by double threats ([`Vcdt`]) in this game: its turns have two stones.
fn has_double_threats(game: &Connect6) -> bool {
    game.rules().turns().each() == 2
}

/// A part of the [`Engine`] that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Looking for wins by double threats at the root: the mover's, the opponent's, and those to which what was found would lose.
    VcdtAtRoot,
    /// Looking at the root for wins of the second order, too: turns after each of which a win by double threats threatens, until it cannot be
    /// stopped. Goes with [`VcdtAtRoot`](Self::VcdtAtRoot).
    SecondOrder,
    /// Looking for wins by double threats in the search.
    VcdtBelow,
    /// Looking for them in the search further than a turn from the root.
    VcdtFar,
    /// Looking for them further and further in positions to which the tree search comes again and again.
    VcdtAgain,
    /// Looking for wins of the second order in positions to which the tree search comes again and again. Goes with
    /// [`SecondOrder`](Self::SecondOrder).
    SecondOrderAgain,
    /// Late stones searched less deep, by alpha-beta.
    Reductions,
    /// Killers, counter-moves and history, of alpha-beta.
    Learning,
    /// The table of alpha-beta.
    Table,
    /// The tree search's opinion of stones before it has tried them.
    Priors,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::VcdtAtRoot,
        Self::SecondOrder,
        Self::VcdtBelow,
        Self::VcdtFar,
        Self::VcdtAgain,
        Self::SecondOrderAgain,
        Self::Reductions,
        Self::Learning,
        Self::Table,
        Self::Priors,
    ];
}

impl Engine {
    /// With a table of [`TABLE_BYTES`], on one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::without(&[])
    }

    /// The engine without some of its parts: for a weaker player, or to measure what they are worth.
    #[must_use]
    pub fn without(parts: &[Part]) -> Self {
        let has = |part| !parts.contains(&part);
        let forcing = match (has(Part::VcdtBelow), has(Part::VcdtFar)) {
            (true, true) => Forcing::new(NEAR.0, NEAR.1),
            (true, false) => Forcing::new(NEAR.0, NEAR.1).with_far(0, 0),
            (false, _) => Forcing::new(0, 0),
        };
        let forcing = if has(Part::VcdtAgain) { forcing } else { forcing.with_again(0) };
        let temperature = if has(Part::Priors) { TEMPERATURE } else { f32::INFINITY };
        let second: Option<Shared> =
            (has(Part::VcdtAtRoot) && has(Part::SecondOrder)).then(|| Arc::new(Mutex::new(SecondOrder::new())));
        let again = second.clone().filter(|_| has(Part::SecondOrderAgain));
        let guided = Guided { forcing: forcing.clone(), temperature, worth: Worth::Evaluator, second: again };
        let mcts = Mcts::new(guided).with_batch(1).with_memory(TABLE_BYTES).with_selection(Selection::Puct { c: EXPLORE });
        let mut alphabeta = AlphaBeta::new(forcing).with_order(Order).with_learning(has(Part::Learning));
        alphabeta = alphabeta.with_table(if has(Part::Table) { TABLE_BYTES } else { 0 });
        if has(Part::Reductions) {
            alphabeta = alphabeta.with_reductions();
        }
        let vcdt =
            has(Part::VcdtAtRoot).then(|| Vcdt::default().with_turns(ROOT.0).with_nodes(ROOT.1).with_conservative_defence(true));
        Self { alphabeta, mcts, algorithm: Algorithm::default(), width: CANDIDATES, net: None, vcdt, second, plan: None }
    }

    /// With a table or tree of at most so many bytes. What is known of wins of the second order takes up to 50 MB more.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { alphabeta: self.alphabeta.with_table(bytes), mcts: self.mcts.with_memory(bytes), ..self }
    }

    /// Alpha-beta on so many threads, at least 1; only one brings the same report every time. The tree search stays on one: its looks for wins
    /// by double threats hold the tree, and two threads were slower than one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { alphabeta: self.alphabeta.with_threads(threads), ..self }
    }

    /// With another algorithm than the strongest.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// With so many candidates a stone instead of [`CANDIDATES`]: see [`Narrowed::with_width`].
    #[must_use]
    pub fn with_width(self, width: [u8; 2]) -> Self {
        Self { width, ..self }
    }

    /// With what was learned for values and candidates ([`Narrowed::with_net`]); without, it counts
    /// windows, which is quicker.
    #[must_use]
    pub fn with_net(self, net: Option<&'static Net>) -> Self {
        Self { net, ..self }
    }

    /// With leaves of the tree search that are worth something else than the evaluator's opinion.
    #[must_use]
    pub fn with_worth(self, worth: Worth) -> Self {
        let guided = Guided { worth, ..self.mcts.leaves().clone() };
        Self { mcts: self.mcts.with_leaves(guided), ..self }
    }

    /// With a tree search that looks at the first stones of its list only, and at more the more often a position is visited.
    #[must_use]
    pub fn with_widening(self, widening: Widening) -> Self {
        Self { mcts: self.mcts.with_widening(widening), ..self }
    }

    /// A win of `attacker`'s, who is to move with `left` stones, by double threats, if they are looked for and one is found.
    fn look(&mut self, windows: &Windows, attacker: Player, left: u8, budget: &mut Budget<'_>) -> Option<Vec<Point>> {
        let vcdt = self.vcdt.as_mut()?;
        let mut watch = Watch::start(&budget.share(LOOK));
        let found = vcdt.win_while(windows, attacker, left, || !watch.count(1));
        budget.nodes += vcdt.nodes();
        match found {
            Forced::Win(line) => Some(line),
            Forced::No | Forced::Unknown => None,
        }
    }

    /// A win of the second order, of whoever begins a turn, if they are looked for and one is found.
    fn look_further(&mut self, game: &Narrowed, budget: &mut Budget<'_>) -> Option<Win> {
        let second = self.second.as_ref()?;
        let Shares { look, turns, .. } = self.algorithm.shares();
        let mut watch = Watch::start(&budget.share(look));
        let found = second::lock(second).win(game, turns, &mut || !watch.count(1));
        budget.nodes += watch.nodes();
        found
    }

    /// A position for the searches.
    fn laid_out(&self, game: Connect6) -> Narrowed {
        Narrowed::from(game).with_width(self.width).with_net(self.net)
    }

    /// The position as it is searched.
    fn narrowed(&mut self, game: &Connect6, budget: &mut Budget<'_>) -> Narrowed {
        self.alphabeta.evaluator().begin_while(game, budget.go_on());
        self.mcts.leaves().forcing.begin_while(game, budget.go_on());
        let narrowed = self.laid_out(game.clone());
        if has_double_threats(game)
            && let Some(line) = self.look(narrowed.windows(), game.mover().other(), 2, budget)
        {
            self.expect(&line);
            return narrowed.with_points(line);
        }
        narrowed
    }

    /// The opponent threatens to win so.
    fn expect(&self, line: &[Point]) {
        if let [a, b, _, ..] = *line {
            self.alphabeta.evaluator().expect([a, b]);
            self.mcts.leaves().forcing.expect([a, b]);
        }
    }

    /// Searches, and sees whether the turn that was found loses; if so, that is known, and the search is repeated. The tree search goes on with
    /// its tree, and as long as it may.
    fn search(&mut self, narrowed: &Narrowed, budget: &mut Budget<'_>) -> Result<ReportOf<Connect6>, AgentError> {
        let (mut game, mut points) = (narrowed.clone(), Vec::new());
        // Turns that were looked at and do not lose as far as is known, with the report of each.
        let mut held: Vec<(Vec<Point>, ReportOf<Connect6>)> = Vec::new();
        // The one that took most to be refuted.
        let mut hardest: Option<(u64, ReportOf<Connect6>)> = None;
        let (mut evaluations, mut cpu_elsewhere, mut reached, mut is_wide) = (0, Duration::ZERO, 0, false);
        let win: f64 = game.game().mover().sign().into();
        let looks = self.vcdt.is_some() && has_double_threats(game.game());
        let Shares { first, again, .. } = self.algorithm.shares();
        self.mcts.clear();
        for tries in 0.. {
            // Some is kept for searches that have to be repeated; those need not go further, and find most of what they ask in the table.
            let mut rest = budget.share(match tries {
                _ if !looks => 100,
                0 => first,
                _ => again,
            });
            if tries > 0 && self.algorithm == Algorithm::AlphaBeta {
                rest.depth = Some(rest.depth.map_or(reached, |depth| depth.min(reached)).max(1));
            }
            let mut report = match self.algorithm {
                Algorithm::AlphaBeta => self.alphabeta.search(&game, &rest)?,
                Algorithm::Mcts => self.mcts.search(&game, &rest)?,
            };
            budget.nodes += report.nodes;
            evaluations += report.evaluations;
            cpu_elsewhere += report.cpu_elsewhere;
            reached = reached.max(report.depth);
            let turn = stones_of_turn(&game, &report);
            let is_held = |held: &[(Vec<Point>, _)]| held.iter().any(|(known, _)| *known == turn);
            if looks && tries < TRIES && !budget.is_nearly_spent() {
                if report.value == Some(-win) {
                    if !points.is_empty() {
                        // Nothing on the short list holds. Where the wins run that were found, something may.
                        game = game.with_points(points.drain(..));
                        self.alphabeta.forget(&game);
                        self.mcts.clear();
                        continue;
                    }
                } else if !is_held(&held) {
                    if let Some(Refutation { points: more, nodes }) = self.refutation(&game, &turn, budget) {
                        points.extend(more.into_iter().filter(|point| !points.contains(point)).collect::<Vec<_>>());
                        self.mcts.prove(&turn, -win);
                        if hardest.as_ref().is_none_or(|(most, _)| nodes > *most) {
                            hardest = Some((nodes, known_to_lose(report, -win)));
                        }
                        continue;
                    }
                    held.push((turn.clone(), report.clone()));
                }
                if self.algorithm == Algorithm::Mcts {
                    if report.stop != StopReason::Solved {
                        continue;
                    }
                    if report.value == Some(win) && !is_wide {
                        // It wins against the replies of the short list. Perhaps one of a longer list holds.
                        (is_wide, game) = (true, game.with_width(WIDE));
                        self.mcts.clear();
                        continue;
                    }
                }
            }
            let looked_at = is_held(&held);
            if !looked_at
                && report.value != Some(win)
                && let Some((_, known)) = held.pop()
            {
                // There was no time to look at what came out last.
                report = known;
            }
            if looks && report.value == Some(-win) {
                // Nothing holds. The opponent may not find what was hard to find.
                report = match hardest.take() {
                    Some((1.., longest)) => longest,
                    _ => self.resistance(&game, budget).unwrap_or(report),
                };
            }
            if self.algorithm == Algorithm::Mcts || looked_at {
                self.plan_after(game.game(), &report);
            }
            (report.nodes, report.evaluations, report.cpu_elsewhere) = (budget.nodes, evaluations, cpu_elsewhere);
            return Ok(report);
        }
        unreachable!("the last try returns")
    }

    /// How the opponent wins after these stones, if they are a whole turn and it is found to; that is remembered.
    fn refutation(&mut self, game: &Narrowed, turn: &[Point], budget: &mut Budget<'_>) -> Option<Refutation> {
        let mover = game.game().mover();
        let next = turn.iter().fold(game.clone(), |now, &m| now.after(m));
        if next.game().outcome().is_some() || next.game().mover() == mover {
            return None;
        }
        let refutation = match self.look(next.windows(), next.game().mover(), next.game().left(), budget) {
            Some(points) => {
                self.expect(&points);
                Refutation { points, nodes: 0 }
            }
            None => {
                let before = budget.nodes;
                let Win { turn, points } = self.look_further(&next, budget)?;
                Refutation { points: turn.into_iter().chain(points).collect(), nodes: budget.nodes - before }
            }
        };
        self.alphabeta.evaluator().remember(next.game());
        self.mcts.leaves().forcing.remember(next.game());
        // What it is worth to go there, by either stone first, is no longer what it was.
        if turn.len() > 1 {
            let halves = turn.iter().map(|&m| game.after(m)).filter(|half| half.game().outcome().is_none());
            halves.for_each(|half| self.alphabeta.forget(&half));
        }
        Some(refutation)
    }

    /// For a position that is lost: a turn after which the opponent has no win by double threats, if there is one.
    fn resistance(&mut self, game: &Narrowed, budget: &mut Budget<'_>) -> Option<ReportOf<Connect6>> {
        let (mover, mut watch) = (game.game().mover(), Watch::start(&budget.share(100)));
        let mut vcdt = Vcdt::default().with_turns(NEAR.0).with_nodes(ROOT.1).with_conservative_defence(true);
        let mut holds = |next: &Narrowed| {
            next.winner().is_none()
                && !matches!(vcdt.win_while(next.windows(), mover.other(), 2, || !watch.count(1)), Forced::Win(_))
        };
        for a in list(game) {
            let half = game.after(a);
            let is_whole = half.game().outcome().is_some() || half.game().mover() != mover;
            let turns: Vec<_> = if is_whole {
                vec![(vec![a], half)]
            } else {
                list(&half).into_iter().map(|b| (vec![a, b], half.after(b))).collect()
            };
            if let Some((turn, _)) = turns.into_iter().find(|(_, next)| holds(next)) {
                return Some(lost_with(&turn, -mover.sign()));
            }
        }
        None
    }

    /// Another position: what is known of wins of the second order is forgotten.
    fn begin(&self) {
        if let Some(second) = &self.second {
            second::lock(second).begin();
        }
    }

    /// A win by threats, if one is found.
    fn forced(&mut self, game: &Connect6, budget: &mut Budget<'_>) -> Option<ReportOf<Connect6>> {
        // A game's first turn may have more stones than the others.
        if !has_double_threats(game) || game.left() > 2 {
            return None;
        }
        self.begin();
        let (line, whole) = match self.look(&game.windows(), game.mover(), game.left(), budget) {
            Some(line) => (line, true),
            None if game.left() == 2 => (self.look_further(&self.laid_out(game.clone()), budget)?.turn.to_vec(), false),
            None => return None,
        };
        let (&first, rest) = line.split_first()?;
        let value = game.mover().sign().into();
        let mut found = MoveLine::new(first, value);
        found.ends_in = u32::try_from(line.len()).ok().filter(|_| whole);
        found.nodes = budget.nodes;
        found.line = rest.iter().map(|&m| Step::Move(m)).collect();
        let mut report = Report::of_move(first, Some(value));
        report.ends_in = found.ends_in;
        report.moves = vec![found];
        report.nodes = budget.nodes;
        report.stop = StopReason::Solved;
        Some(report)
    }

    /// If the turn's next stone is decided, too, it is played without thinking again.
    fn plan_after(&mut self, game: &Connect6, report: &ReportOf<Connect6>) {
        let Some(best) = report.best_line() else { return };
        if game.left() < 2 {
            return;
        }
        let [Step::Move(second), ref rest @ ..] = best.line[..] else { return };
        let one_less = |n: Option<u32>| n.and_then(|n| n.checked_sub(1));
        let mut line = MoveLine::new(second, best.value);
        line.bound = best.bound;
        line.ends_in = one_less(best.ends_in);
        line.line = rest.to_vec();
        let mut next = Report::of_move(second, report.value);
        next.ends_in = one_less(report.ends_in);
        next.depth = report.depth.saturating_sub(1);
        next.stop = report.stop;
        next.moves = vec![line];
        self.plan = Some((game.after(best.m).key(), next));
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent<Connect6> for Engine {
    fn name(&self) -> String {
        self.algorithm.to_string()
    }

    fn new_game(&mut self, seed: u64) {
        self.plan = None;
        self.begin();
        self.alphabeta.evaluator().forget();
        self.mcts.leaves().forcing.forget();
        Agent::<Narrowed>::new_game(&mut self.alphabeta, seed);
        Agent::<Narrowed>::new_game(&mut self.mcts, seed);
    }

    fn choose(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
        let game = history.state();
        match game.turn() {
            Turn::Decide(_) => {}
            Turn::Over(_) => return Err(AgentError::NothingToDecide),
            Turn::Chance(never) => match never {},
        }
        let limits = self.algorithm.limited(limits);
        let mut budget = Budget::new(&limits);
        let planned = self.plan.take().filter(|plan| plan.0 == game.key()).map(|plan| plan.1);
        let mut report = if let Some(report) = planned {
            report
        } else if let Some(report) = self.forced(game, &mut budget) {
            self.plan_after(game, &report);
            report
        } else {
            let narrowed = self.narrowed(game, &mut budget);
            self.search(&narrowed, &mut budget)?
        };
        report.elapsed = budget.elapsed();
        Ok(report)
    }
}

impl Analyst<Connect6> for Engine {
    fn analyse(&mut self, game: &Connect6, limits: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
        if game.outcome().is_some() {
            return Err(SearchError::Over);
        }
        let limits = self.algorithm.limited(limits);
        let mut budget = Budget::new(&limits);
        let forced = self.forced(game, &mut budget);
        let narrowed = self.narrowed(game, &mut budget);
        let rest = budget.share(100);
        let mut report = match self.algorithm {
            Algorithm::AlphaBeta => self.alphabeta.analyse(&narrowed, &rest),
            Algorithm::Mcts => self.mcts.analyse(&narrowed, &rest),
        }?;
        if let Some(forced) = forced {
            // The whole line, where a search stops as soon as it knows.
            for line in forced.moves {
                match report.moves.iter_mut().find(|known| known.m == line.m) {
                    Some(known) => *known = line,
                    None => report.moves.push(line),
                }
            }
            (report.best, report.value, report.ends_in) = (forced.best, forced.value, forced.ends_in);
        }
        report.nodes += budget.nodes;
        report.elapsed = budget.elapsed();
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games_connect6::Rules;

    fn chosen(engine: &mut Engine, game: &Connect6, limits: &Limits) -> ReportOf<Connect6> {
        engine.choose(&game.clone().into(), limits).unwrap()
    }

    /// A position in which a turn wins that threatens nothing yet.
    fn won_quietly() -> Connect6 {
        let points = [[9, 9], [11, 9], [8, 7], [10, 10], [11, 11], [8, 8], [9, 8]];
        points.iter().fold(Connect6::default(), |game, &[x, y]| game.after(Point::new(x, y).unwrap()))
    }

    /// Both stones of a turn are found, by both algorithms, and differ.
    #[test]
    fn both_stones_of_a_win_are_found() {
        // Two open threes: a double threat, and a second.
        let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
        let start: Connect6 = format!("{rows} one 2").parse().unwrap();
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let mut game = start.clone();
            let mut ends_in = None;
            while game.outcome().is_none() && game.board().count() < 60 {
                let report = chosen(&mut engine, &game, &Limits::nodes(2_000));
                if game.mover() == gamecore::Player::One {
                    assert_eq!(report.value, Some(1.0), "{game}");
                    assert!(ends_in.is_none_or(|before| report.ends_in < Some(before)), "{game}");
                    ends_in = report.ends_in;
                } else {
                    ends_in = ends_in.map(|n| n - 1);
                }
                game.play(report.best.unwrap());
            }
            assert_eq!(game.outcome(), Some(gamecore::Outcome::win(gamecore::Player::One)), "{algorithm}: {game}");
        }
    }

    /// What has to be stopped is stopped, with the two stones that the turn has.
    #[test]
    fn threats_are_stopped() {
        // An open four takes two stones.
        let game: Connect6 = "19/19/19/19/19/19/19/19/19/6xxxx9/19/19/19/19/19/19/19/19/19 two 2".parse().unwrap();
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let mut next = game.clone();
            for _ in 0..2 {
                let report = chosen(&mut engine, &next, &Limits::nodes(500));
                next.play(report.best.unwrap());
            }
            assert!(!next.windows().can_win(next.mover(), 2), "{algorithm}: {next}");
        }
    }

    /// A first turn of three stones is not taken for one of two: the line would give the third to the other side.
    #[test]
    fn a_first_turn_of_three_stones_is_a_whole_one() {
        let rows = "19/19/19/19/19/19/19/19/8xx9/8xx9/19/19/19/19/19/19/19/19/19";
        let game: Connect6 = format!("{rows} one 3 6,2,3").parse().unwrap();
        let limits = Limits::nodes(100_000);
        let (mut engine, mut budget) = (Engine::new().with_table(1 << 20), Budget::new(&limits));
        assert!(engine.look(&game.windows(), Player::One, 2, &mut budget).is_some());
        assert!(engine.forced(&game, &mut budget).is_none());
        // After the first stone it is a turn of two.
        let next = game.after(Point::new(0, 0).unwrap());
        assert!(engine.forced(&next, &mut budget).is_some());
    }

    /// A quiet turn that wins is played whole, the second stone without another search; one in another position is searched.
    #[test]
    fn wins_of_the_second_order_are_played() {
        let game = won_quietly();
        let won = Some(game.mover().sign().into());
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let limits = Limits::nodes(200_000);
            let first = chosen(&mut engine, &game, &limits);
            assert_eq!((first.value, first.ends_in, first.stop), (won, None, StopReason::Solved), "{algorithm}");
            let line = first.best_line().unwrap();
            let [Step::Move(second)] = line.line[..] else { panic!("{line:?}") };
            // What is analysed meanwhile does not matter.
            let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
            engine.analyse(&format!("{rows} one 2").parse().unwrap(), &Limits::nodes(500)).unwrap();
            let again = chosen(&mut engine, &game.after(line.m), &limits);
            assert_eq!((again.best, again.value, again.nodes), (Some(second), won, 0), "{algorithm}");
            // What was planned was for this position, and is no longer known.
            for other in [game.after(second), game.after(line.m)] {
                let fresh = chosen(&mut engine, &other, &Limits::nodes(100));
                assert!(fresh.nodes > 0 && other.board().is_empty(fresh.best.unwrap()), "{algorithm}");
            }
            chosen(&mut engine, &game, &limits);
            let other = game.after(second);
            assert!(chosen(&mut engine, &other, &Limits::nodes(100)).nodes > 0, "{algorithm}");
            // Without that part it is not known.
            let mut without = Engine::without(&[Part::SecondOrder]).with_table(1 << 20).with_algorithm(algorithm);
            assert_ne!(chosen(&mut without, &game, &Limits::nodes(3_000)).value, won, "{algorithm}");
        }
    }

    /// Where nothing holds, what is played does not lose to double threats at once, if anything does not.
    #[test]
    fn lost_positions_are_defended() {
        for stones in ["JJHIIIKHMGIKIJ", "JJHKGLLLHLIJJIKHENIKII"] {
            let points = stones.as_bytes().chunks(2).map(|c| Point::new(c[0] - b'A', c[1] - b'A').unwrap());
            let game = points.fold(Connect6::default(), |game, m| game.after(m));
            let mut engine = Engine::new().with_table(1 << 20);
            let mut next = game.clone();
            while next.mover() == game.mover() {
                let report = chosen(&mut engine, &next, &Limits::nodes(100_000));
                assert_eq!(report.value, Some((-game.mover().sign()).into()), "{next}");
                next.play(report.best.unwrap());
            }
            let found = Vcdt::default().with_turns(16).win(&next.windows(), next.mover(), 2);
            assert!(!matches!(found, Forced::Win(_)), "{next}: {found:?}");
        }
    }

    #[test]
    fn every_game_of_the_family_is_played() {
        for (size, length, each, first) in [(19, 6, 2, 1), (9, 5, 1, 1), (7, 4, 3, 2), (3, 3, 1, 1), (6, 6, 2, 1), (9, 6, 2, 3)] {
            let rules = Rules::new(size, length, each, first).unwrap();
            for algorithm in Algorithm::ALL {
                let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
                let mut game = Connect6::start(rules);
                for _ in 0..8 {
                    if game.outcome().is_some() {
                        break;
                    }
                    let report = chosen(&mut engine, &game, &Limits::nodes(100));
                    game.try_play(report.best.unwrap()).unwrap();
                }
            }
        }
    }

    #[test]
    fn positions_are_analysed() {
        let game = Connect6::default().after(Point::new(9, 9).unwrap());
        for algorithm in Algorithm::ALL {
            let report = Engine::new().with_table(1 << 20).with_algorithm(algorithm).analyse(&game, &Limits::depth(2)).unwrap();
            assert!(report.moves.len() >= 10 && report.moves.iter().any(|line| Some(line.m) == report.best));
            let over: Connect6 = "xxxxxx/6/oooo2/6/6/6 two 1".parse().unwrap();
            assert!(matches!(Engine::new().analyse(&over, &Limits::depth(1)), Err(SearchError::Over)));
        }
    }

    /// The same game again, the same stones.
    #[test]
    fn play_is_reproducible() {
        let play = |engine: &mut Engine| {
            engine.new_game(3);
            let mut history = History::from(Connect6::default());
            for _ in 0..9 {
                let report = engine.choose(&history, &Limits::nodes(3_000)).unwrap();
                history.push(Step::Move(report.best.unwrap()));
            }
            history.steps().to_vec()
        };
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let first = play(&mut engine);
            assert_eq!(first, play(&mut engine), "{algorithm}");
        }
    }

    /// Nothing of an earlier game is known, not even how it was won.
    #[test]
    fn analysis_is_reproducible() {
        let mut engine = Engine::new().with_table(1 << 20);
        let mut nodes = || {
            engine.new_game(3);
            engine.analyse(&won_quietly(), &Limits::nodes(20_000)).unwrap().nodes
        };
        assert_eq!(nodes(), nodes());
    }
}
