//! At the root: deepening, threads, and what is reported.

use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamecore::{Deterministic, Evaluator, Player, Step, Turn};
use search_core::{Bound, Limits, MoveLine, MoveOrder, Report, ReportOf, SearchError, StopFlag, StopReason, Watch, Window};

use crate::busy::Busy;
use crate::score::Score;
use crate::tree::{Interrupted, Tree};
use crate::{AlphaBeta, Progress};

/// What is known of a root move, for the player to move.
#[derive(Clone)]
struct Row<M> {
    score: Score,
    bound: Bound,
    nodes: u64,
    /// The moves expected after it.
    line: Vec<M>,
}

/// A decision to be made, and what is known of it so far.
#[derive(Clone)]
struct Root<'a, G: Deterministic> {
    game: &'a G,
    player: Player,
    /// In the game's order, or the caller's.
    moves: &'a [G::Move],
    rows: Vec<Row<G::Move>>,
    /// The order in which to try them.
    order: Vec<usize>,
    /// The best move and what is known of it; `None` before the first was searched.
    best: Option<(usize, Row<G::Move>)>,
    /// No value is better or worse, for the player.
    high: f32,
    low: f32,
}

/// How deepening ended.
struct End {
    /// Of the last complete iteration.
    depth: u32,
    stop: StopReason,
}

impl<G: Deterministic, E: Evaluator<G>, O: MoveOrder<G>> AlphaBeta<G, E, O> {
    pub(crate) fn value_of(&mut self, game: &G, depth: u32, window: Window) -> (f32, Bound) {
        self.table.prepare(self.table_bytes, &Limits::default());
        let watch = Watch::start(&Limits::default());
        let mut tree = Tree::new(&self.evaluator, &self.order, &self.options, &self.table, watch);
        let a = if window.low == f64::NEG_INFINITY { Score::MIN } else { Score::top_of(rounded_down(window.low)) };
        let b = if window.high == f64::INFINITY { Score::MAX } else { Score::bottom_of(-rounded_down(-window.high)) };
        let score = tree.score(game, Player::One, depth as i32, 0, a, b, None);
        let value = score.unwrap_or_else(|_| unreachable!("a search without limits is not interrupted")).value();
        let bound = if f64::from(value) >= window.high {
            Bound::AtLeast
        } else if f64::from(value) <= window.low {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        (value, bound)
    }

    /// Searches to the limits, among some of the moves if there is a list; the best `lines` of them get exact values.
    pub(crate) fn run(
        &mut self,
        game: &G,
        limits: &Limits,
        lines: usize,
        among: Option<&[G::Move]>,
    ) -> Result<ReportOf<G>, SearchError> {
        let player = match game.turn() {
            Turn::Decide(player) => player,
            Turn::Over(_) => return Err(SearchError::Over),
            Turn::Chance(never) => match never {},
        };
        let mut share = limits.clone();
        share.nodes = limits.nodes.map(|n| n.div_ceil(self.threads as u64));
        // Making the table costs time too.
        let watch = Watch::start(&share);
        self.table.prepare(self.table_bytes, limits);
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        let moves = among.unwrap_or(buf.as_ref());
        // What the table says is a place in the game's own list.
        let remembered = if self.table.is_disabled() { None } else { self.table.any(game.key()).and_then(|entry| entry.best) };
        let remembered = remembered.and_then(|at| buf.as_ref().get(usize::from(at)).copied());
        let first = moves.iter().position(|&m| Some(m) == remembered).map(|at| at as u16);

        let Self { evaluator, order, options, threads, table, progress, .. } = self;
        let (evaluator, order, options, table) = (&*evaluator, &*order, &*options, &*table);
        // Helpers search until the first thread has ended.
        let ended = limits.stop.as_ref().map_or_else(StopFlag::default, StopFlag::child);
        let mut helpers = share.clone().and_stop(ended.clone());
        if options.deepening {
            helpers.depth = None;
        }

        // One thread has nobody to tell.
        let busy = (*threads > 1).then(Busy::new);
        let busy = busy.as_ref();
        let mut tree = Tree::new(evaluator, order, options, table, watch);
        tree.busy = busy;
        let mut root = Root::new(&mut tree, game, player, moves, first);
        let (end, others) = thread::scope(|scope| {
            // Whatever happens from here on, nobody is left searching.
            let on_the_way_out = Raise(&ended);
            let workers: Vec<_> = (1..*threads)
                .map_while(|_| {
                    let (helpers, mut root) = (&helpers, root.clone());
                    let thread = thread::Builder::new().stack_size(STACK);
                    let search = move || {
                        let cpu = ThreadTime::now();
                        let mut tree = Tree::new(evaluator, order, options, table, Watch::start(helpers));
                        tree.busy = busy;
                        root.deepen(&mut tree, helpers, lines, None);
                        (tree.watch.nodes(), tree.evaluations, cpu.elapsed())
                    };
                    // Where no more threads can be had, those there are go on.
                    thread.spawn_scoped(scope, search).ok()
                })
                .collect();
            let end = root.deepen(&mut tree, &share, lines, progress.as_mut());
            drop(on_the_way_out);
            let others: Vec<_> =
                workers.into_iter().map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
            (end, others)
        });
        let mut report = root.report(&tree, &end);
        for (nodes, evaluations, cpu) in others {
            report.nodes += nodes;
            report.evaluations += evaluations;
            report.cpu_elsewhere += cpu;
        }
        report.elapsed = tree.watch.elapsed();
        Ok(report)
    }
}

/// Raises a flag when it goes, in a panic too: nobody is left searching.
struct Raise<'a>(&'a StopFlag);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// The greatest `f32` that is not above `x`.
fn rounded_down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

/// The stack of a helper: a line may be as long as [`PLIES`](crate::tree::PLIES), each with a list of moves.
const STACK: usize = 16 << 20;

/// An iteration is not begun after so much of the time, if time that is left over is kept.
const LATE: f64 = 0.6;

impl<'a, G: Deterministic> Root<'a, G> {
    fn new<E: Evaluator<G>, O: MoveOrder<G>>(
        tree: &mut Tree<'_, G, E, O>,
        game: &'a G,
        player: Player,
        moves: &'a [G::Move],
        first: Option<u16>,
    ) -> Self {
        // Where the value is known, that says nothing of the moves.
        let (low, high) = match tree.reach(game, player) {
            (low, high) if low >= high => (f32::NEG_INFINITY, f32::INFINITY),
            reach => reach,
        };
        let base = tree.rank_moves(game, player, 0, None, moves, first);
        let order = (0..moves.len()).map(|i| tree.ranks.next(base, i).0).collect();
        tree.ranks.truncate(base);
        let unknown = Row { score: Score::at_most(high, 0), bound: Bound::AtMost, nodes: 0, line: Vec::new() };
        Self { game, player, moves, rows: vec![unknown; moves.len()], order, best: None, high, low }
    }

    /// Searches deeper and deeper until the limits are reached or nothing is left to find.
    fn deepen<E: Evaluator<G>, O: MoveOrder<G>>(
        &mut self,
        tree: &mut Tree<'_, G, E, O>,
        limits: &Limits,
        lines: usize,
        mut progress: Option<&mut Progress<G>>,
    ) -> End {
        let horizon = tree.options.horizon();
        let deepening = tree.options.deepening;
        let deepest = limits.depth.unwrap_or(if deepening { horizon } else { 1 }).clamp(1, horizon);
        let first = if deepening { 1 } else { deepest };
        // What is left over of a share of the game's clock is not lost.
        let share = limits.time.filter(|&time| limits.left.is_some_and(|left| left / 2 > time));
        let enough = share.map_or(Duration::MAX, |time| if self.moves.len() == 1 { Duration::ZERO } else { time.mul_f64(LATE) });
        let mut end = End { depth: 0, stop: StopReason::Depth };
        for depth in first..=deepest {
            if end.depth > 0 && tree.watch.elapsed() >= enough {
                end.stop = StopReason::Time;
                break;
            }
            let guesses = tree.guesses;
            let before = (self.rows.clone(), self.best.clone());
            if self.iterate(tree, depth, lines).is_err() {
                end.stop = tree.watch.reason().unwrap_or(StopReason::Stopped);
                // A ranking never mixes depths. Otherwise what was found counts, unless it is only that the move which was best
                // is worse than it seemed, when the others were not asked yet, or better by a bound without a line.
                let nothing = match (&before.1, &self.best) {
                    (Some((old, before)), Some((new, now))) => {
                        old == new && (now.score < before.score || now.bound != Bound::Exact)
                    }
                    _ => false,
                };
                if end.depth > 0 && (lines > 1 || nothing) {
                    (self.rows, self.best) = before;
                }
                break;
            }
            end.depth = depth;
            let settled = tree.guesses == guesses || lines == 1 && self.is_beyond_doubt();
            if settled {
                end.stop = StopReason::Solved;
            }
            if let Some(progress) = progress.as_mut() {
                let mut report = self.report(tree, &end);
                report.elapsed = tree.watch.elapsed();
                progress(&report);
            }
            if settled {
                break;
            }
        }
        end
    }

    /// Whether the best move is proven to be worth what is the most possible, or the least.
    fn is_beyond_doubt(&self) -> bool {
        self.best.as_ref().is_some_and(|(_, Row { score, .. })| {
            score.is_won() && score.value() >= self.high || score.is_lost() && score.value() <= self.low
        })
    }

    /// One iteration, in a window around what the last one found that grows until it holds the value.
    fn iterate<E: Evaluator<G>, O: MoveOrder<G>>(
        &mut self,
        tree: &mut Tree<'_, G, E, O>,
        depth: u32,
        lines: usize,
    ) -> Result<(), Interrupted> {
        let width = self.high - self.low;
        let (mut a, mut b) = (Score::MIN, Score::MAX);
        let mut margin = width / 32.0;
        let center = self.best.as_ref().map_or(0.0, |(_, row)| row.score.value());
        if depth >= 4 && lines == 1 && tree.options.aspiration && self.best.is_some() && width.is_finite() && width > 0.0 {
            (a, b) = (Score::bottom_of(center - margin), Score::top_of(center + margin));
        }
        loop {
            let best = self.pass(tree, depth, lines, a, b)?;
            if best > a && best < b {
                break;
            }
            margin *= 4.0;
            // A margin may be too small for a number.
            let open = margin >= width / 2.0 || margin == 0.0;
            if best <= a {
                a = if open { Score::MIN } else { Score::bottom_of(center - margin) };
            } else {
                b = if open { Score::MAX } else { Score::top_of(center + margin) };
            }
        }
        if lines > 1 {
            let rows = &self.rows;
            self.order.sort_by_key(|&at| core::cmp::Reverse(rows[at].score));
        }
        Ok(())
    }

    /// All root moves in one window; the best score.
    fn pass<E: Evaluator<G>, O: MoveOrder<G>>(
        &mut self,
        tree: &mut Tree<'_, G, E, O>,
        depth: u32,
        lines: usize,
        a: Score,
        b: Score,
    ) -> Result<Score, Interrupted> {
        let scouting = tree.options.scouting;
        let mut best = Score::MIN;
        // The best scores, highest first, as many as are wanted exactly.
        let mut exact: Vec<Score> = Vec::new();
        let key = tree.busy.map(|busy| (busy, self.game.key()));
        // The moves that are left; those put off while another thread searches them come again.
        let mut left: Vec<usize> = self.order.iter().rev().copied().collect();
        let mut later = Vec::new();
        let mut tried = 0;
        while let Some(at) = left.pop().or_else(|| later.pop()) {
            let busy = key.map(|(busy, key)| (busy, Busy::name(key, at)));
            if let Some((busy, name)) = busy {
                if tried > 0 && !left.is_empty() && busy.has(name) {
                    later.push(at);
                    continue;
                }
                busy.begin(name);
            }
            let m = self.moves[at];
            let floor = exact.get(lines - 1).map_or(a, |&least| least.max(a));
            let before = tree.watch.nodes();
            let child = self.game.after(m);
            let mut search = |a, b| tree.score(&child, self.player, depth as i32 - 1, 1, a, b, Some(m));
            let score = if tried < lines || !scouting {
                search(floor, b)?
            } else {
                let score = search(floor, floor.next())?;
                if score > floor && score < b { search(floor, b)? } else { score }
            };
            tried += 1;
            if let Some((busy, name)) = busy {
                busy.end(name);
            }
            let row = &mut self.rows[at];
            row.score = score;
            row.nodes = tree.watch.nodes() - before;
            row.line.clear();
            if score > floor {
                row.bound = if score >= b { Bound::AtLeast } else { Bound::Exact };
                row.line.extend_from_slice(&tree.lines[1]);
                exact.insert(exact.partition_point(|&s| s >= score), score);
                exact.truncate(lines);
            } else {
                row.bound = Bound::AtMost;
            }
            if score > best {
                best = score;
                if score > a {
                    self.best = Some((at, row.clone()));
                    let i =
                        self.order.iter().position(|&x| x == at).unwrap_or_else(|| unreachable!("every move is in the order"));
                    self.order[..=i].rotate_right(1);
                }
                if score >= b {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// What is known now; the time is left to the caller.
    fn report<E: Evaluator<G>, O: MoveOrder<G>>(&self, tree: &Tree<'_, G, E, O>, end: &End) -> ReportOf<G> {
        // Of two zeros the positive one.
        let value = |row: &Row<_>| f64::from(self.player.sign() * row.score.value()) + 0.0;
        let ends_in = |row: &Row<_>| row.score.ends_in().filter(|_| row.bound == Bound::Exact);
        let mut report = Report::empty();
        report.stop = end.stop;
        report.depth = end.depth;
        report.nodes = tree.watch.nodes();
        report.evaluations = tree.evaluations;
        let Some((best, best_row)) = &self.best else {
            // Nothing was completed: a legal move all the same.
            report.value = Some(f64::from(tree.evaluator.value(self.game)));
            report.best = self.order.first().map(|&at| self.moves[at]);
            return report;
        };
        report.best = Some(self.moves[*best]);
        report.value = Some(value(best_row));
        report.ends_in = ends_in(best_row);
        report.moves = self
            .moves
            .iter()
            .zip(&self.rows)
            .enumerate()
            .map(|(i, (&m, row))| {
                // A search that was interrupted may have begun to doubt it.
                let row = if i == *best { best_row } else { row };
                let mut line = MoveLine::new(m, value(row));
                line.bound = match self.player {
                    Player::One => row.bound,
                    Player::Two => row.bound.opposite(),
                };
                line.nodes = row.nodes;
                line.ends_in = ends_in(row);
                line.line = row.line.iter().map(|&m| Step::Move(m)).collect();
                line
            })
            .collect();
        report
    }
}
