//! The search: a tree, its options, and the loop. What one thread does with the tree is in `worker`.

use std::f64::consts::SQRT_2;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use gamecore::{Bounds, Chance, Game, History, Leaf, Step, StepOf, Turn, mix};
use rand::SeedableRng;
use search_core::{Agent, AgentError, Analyst, Limits, ReportOf, SearchError, StopFlag, StopReason, Watch};

use crate::descend::{Path, Quest, Rules, list_moves, prove_late};
use crate::hints::Played;
use crate::leaves::{Generator, Leaves};
use crate::noise::{calm, disturb};
use crate::options::{Choice, Noise, Parallel, Rolls, Selection, Widening, within};
use crate::report::{self, Root};
use crate::tree::{Kind, Tree, Wants};
use crate::worker::Worker;

/// What a tree may occupy unless told otherwise: 256 MiB.
pub const TREE_BYTES: usize = 256 << 20;

/// Monte Carlo tree search. See the crate's front page for an example.
///
/// It keeps its tree. [`search`](Self::search) goes on with it if it is asked about the same position again, and starts anew if
/// not; [`Agent::choose`] is handed the game's [`History`] and goes on with the part below what was played and rolled since. With
/// [`Parallel::Root`] every search starts anew.
///
/// # Examples
/// A game from beginning to end, the tree followed from move to move:
/// ```
/// use gamecore::testing::toys::Pig;
/// use gamecore::{Dice, Game, History, Step, Turn};
/// use search_core::{Agent, Limits};
/// use search_mcts::{Mcts, Playouts};
///
/// let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
/// let (mut history, dice) = (History::from(Pig::new(20)), Dice::new(7, 0));
/// loop {
///     let step = match history.state().turn() {
///         Turn::Over(_) => break,
///         Turn::Chance(die) => Step::Chance(dice.roll(&die, history.steps().len())),
///         Turn::Decide(_) => {
///             let report = search.choose(&history, &Limits::nodes(300))?;
///             Step::Move(report.best.expect("a decision has a move"))
///         }
///     };
///     history.push(step);
/// }
/// # Ok::<(), search_core::AgentError>(())
/// ```
#[derive(Debug)]
pub struct Mcts<G: Game, L> {
    leaves: L,
    options: Options,
    rng: Generator,
    tree: Tree<G::Move>,
    /// The position at the root of the tree, and the history that led there if an agent was asked.
    root: Option<G>,
    steps: Option<(G, Vec<StepOf<G>>)>,
}

/// Everything that can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) selection: Selection,
    pub(crate) rolls: Rolls,
    pub(crate) choice: Choice,
    widening: Option<Widening>,
    first_play: Option<f64>,
    expand_at: u32,
    noise: Option<Noise>,
    solve: bool,
    reuse: bool,
    bytes: usize,
    threads: usize,
    parallel: Parallel,
    batch: usize,
}

impl<G: Game, L: Leaves<G>> Mcts<G, L> {
    /// UCT with `c = sqrt(2)` (PUCT with `c = 1.5` if there are priors), one thread, a tree of [`TREE_BYTES`].
    #[must_use]
    pub fn new(leaves: L) -> Self {
        let selection = if L::PRIORS { Selection::Puct { c: 1.5 } } else { Selection::Ucb1 { c: SQRT_2 } };
        let options = Options {
            selection,
            rolls: Rolls::default(),
            choice: Choice::default(),
            widening: None,
            first_play: L::PRIORS.then_some(0.2),
            expand_at: 1,
            noise: None,
            solve: true,
            reuse: true,
            bytes: TREE_BYTES,
            threads: 1,
            parallel: Parallel::default(),
            batch: if L::PRIORS { 16 } else { 1 },
        };
        let tree = Tree::new(TREE_BYTES, wants::<G, L>(selection));
        Self { leaves, options, rng: Generator::seed_from_u64(0), tree, root: None, steps: None }
    }

    fn with(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut search = self;
        change(&mut search.options);
        search
    }

    /// With another way down the tree. What no option can mean is brought to the nearest that one can: here, a `c` below 0, or that
    /// is no number, to 0.
    #[must_use]
    pub fn with_selection(self, selection: Selection) -> Self {
        self.with(|o| o.selection = selection.clamped())
    }

    /// With another way to visit the events of rolls.
    #[must_use]
    pub fn with_rolls(self, rolls: Rolls) -> Self {
        self.with(|o| o.rolls = rolls)
    }

    /// With another rule for the move that is played.
    #[must_use]
    pub fn with_choice(self, choice: Choice) -> Self {
        self.with(|o| o.choice = choice)
    }

    /// With progressive widening: a factor of at least 1, an exponent of 0 to 1.
    #[must_use]
    pub fn with_widening(self, widening: Widening) -> Self {
        self.with(|o| o.widening = Some(widening.clamped()))
    }

    /// First-play urgency (Wang and Gelly 2007): a move that was never tried counts as if it had been tried once and had come out
    /// `less` worse than its position's mean, on the scale of [`Selection`], so that good moves are repeated before all are
    /// tried. Without it, every move is tried once first; with priors the default is 0.2. From minus to plus a million.
    #[must_use]
    pub fn with_first_play_urgency(self, less: f64) -> Self {
        self.with(|o| o.first_play = Some(within(less, -1e6, 1e6)))
    }

    /// Gives a position children at its visit number `visits + 1`; 1 unless changed. More saves memory.
    #[must_use]
    pub fn with_expansion_at(self, visits: u32) -> Self {
        self.with(|o| o.expand_at = visits.max(1))
    }

    /// With noise on the root's priors, once in each search; without priors it does nothing.
    #[must_use]
    pub fn with_root_noise(self, noise: Noise) -> Self {
        self.with(|o| o.noise = Some(noise.clamped()))
    }

    /// Without proofs: known values still count, but nothing is concluded from them.
    #[must_use]
    pub fn without_solver(self) -> Self {
        self.with(|o| o.solve = false)
    }

    /// Forgets the tree before each search.
    #[must_use]
    pub fn without_reuse(self) -> Self {
        self.with(|o| o.reuse = false)
    }

    /// With a tree of at most `bytes` (and at most [`Limits::memory`] in a search that has it). When it is full, the
    /// positions that were visited least lose what is below them: some 15 ns for each position in the tree, in one go, so 0.2 s with
    /// 256 MiB. A search whose time would not allow that goes on in the full tree without new positions; a raised flag is seen
    /// afterwards. A tree has room for some 16,000 positions at least, and with [`Parallel::Root`] each thread has a tree: of its share of
    /// `bytes`, or of that least size.
    #[must_use]
    pub fn with_memory(self, bytes: usize) -> Self {
        self.with(|o| o.bytes = bytes)
    }

    /// On so many threads, 1 to 256. With more than one a search does not come out the same every time, except that
    /// [`Parallel::Root`] does if its only limit is of playouts and the position is not solved.
    #[must_use]
    pub fn with_threads(self, threads: usize, parallel: Parallel) -> Self {
        self.with(|o| (o.threads, o.parallel) = (threads.clamp(1, 256), parallel))
    }

    /// Evaluates so many positions at a time, 1 to 4096, chosen as if those before them were lost (virtual loss). What a
    /// network needs to be quick; 16 with priors unless changed, else 1.
    #[must_use]
    pub fn with_batch(self, batch: usize) -> Self {
        self.with(|o| o.batch = batch.clamp(1, 4096))
    }

    /// Takes everything random from this seed; 0 unless changed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { rng: Generator::seed_from_u64(seed), ..self }
    }

    /// With positions worth something else; forgets the tree.
    #[must_use]
    pub fn with_leaves(self, leaves: L) -> Self {
        let mut search = Self { leaves, ..self };
        search.clear();
        search
    }

    /// What positions are worth.
    pub fn leaves(&self) -> &L {
        &self.leaves
    }

    /// Number of positions in the tree, with those that a game has passed by if there was no time yet to throw them away.
    pub fn tree_len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Bytes of memory for one position in the tree, the lists' reserve aside.
    #[must_use]
    pub const fn bytes_per_node() -> usize {
        Tree::<G::Move>::NODE_BYTES
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.root = None;
        self.steps = None;
        self.tree.clear();
    }

    /// Tells the tree the value for One, of the position to which these moves lead from the one that was searched last, as somebody else has
    /// found it out (one that is out of bounds is brought to the nearest bound). What was thought of it before no longer counts, and the next
    /// search of the same root goes on from there.
    ///
    /// Whether the tree has that position. If not, or if there is a roll on the way, nothing changes, nor if the tree has a proof of its own.
    ///
    /// # Examples
    /// ```
    /// use gamecore::testing::toys::TicTacToe;
    /// use search_core::Limits;
    /// use search_mcts::{Mcts, Playouts};
    ///
    /// let mut search = Mcts::new(Playouts::uniform()).with_seed(1);
    /// let limits = Limits::nodes(2_000);
    /// assert_eq!(search.search(&TicTacToe::default(), &limits)?.best, Some(4));
    /// // Somebody claims that the middle loses.
    /// assert!(search.prove(&[4], -1.0));
    /// assert_ne!(search.search(&TicTacToe::default(), &limits)?.best, Some(4));
    /// # Ok::<(), search_core::SearchError>(())
    /// ```
    pub fn prove(&mut self, moves: &[G::Move], value: f64) -> bool {
        let Some(root) = self.root.clone().filter(|_| !moves.is_empty()) else { return false };
        let mut path = Path::default();
        path.nodes.push(0);
        let mut at = 0;
        for &m in moves {
            let Some(child) = self.tree.nodes[at].children().find(|&i| self.tree.nodes[i].m() == Some(m)) else { return false };
            at = child;
            path.nodes.push(at as u32);
        }
        if !path.nodes.iter().any(|&at| self.tree.nodes[at as usize].is_proven()) {
            let rules = self.rules(&root);
            prove_late(&mut self.tree, &root, &rules, &path, within(value, rules.low, rules.high));
        }
        true
    }

    /// Searches a position and says what to do: in a decision, the best move; before a roll, the best move for each event.
    ///
    /// [`Report::nodes`](search_core::Report::nodes) counts this search's playouts, and so does `evaluations`, with those that ended at
    /// known values. A [`MoveLine`](search_core::MoveLine)'s `nodes` are the playouts in the tree that began with its move:
    /// their sum is more if earlier searches are in it, and less by one if the first playout was of the root itself. Its `line` is
    /// the way that would be played after it, up to the next roll, and its `replies` the answers to that, as far as the tree
    /// reaches; they are always filled in, and [`analyse`](Analyst::analyse) is this same search.
    ///
    /// At least one of [`Limits::nodes`], `time` and `stop` must be given, or the search runs until the position is proven, which
    /// for most games is for ever. [`Limits::depth`] is no limit here and has no effect.
    ///
    /// # Errors
    /// If the game is over.
    ///
    /// # Panics
    /// If a position has more than 8,191 moves or a roll more events, or if what says what positions are worth does. In debug builds,
    /// if that breaks its word: with values that are out of bounds or no numbers, priors that are missing, below 0 or no numbers, or a
    /// policy's move that is not legal.
    pub fn search(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.search_since(Instant::now(), game, limits)
    }

    /// [`search`](Self::search) whose time runs since `started`.
    fn search_since(&mut self, started: Instant, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        if let Turn::Over(_) = game.turn() {
            return Err(SearchError::Over);
        }
        // What was followed so far led to another root.
        self.steps = None;
        self.prepare(game, limits, started);
        let mut limits = limits.clone();
        limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let limits = &limits;
        let rules = self.rules(game);
        let playouts = limits.nodes.unwrap_or(u64::MAX);
        // Widening begins with the best; a report has the game's order.
        let by_prior = L::PRIORS && rules.widening.is_some() && matches!(game.turn(), Turn::Decide(_));
        if by_prior {
            best_first(&mut self.tree, 0);
        }
        // What a search that panics leaves is no tree to go on with, nor is the sum of several: below the root it is one thread's.
        self.root = None;
        let End { done, stop, cpu } = if self.options.threads > 1 {
            match self.options.parallel {
                Parallel::Tree => self.run_together(game, &rules, limits, playouts),
                Parallel::Root => self.run_apart(game, &rules, limits, playouts),
            }
        } else {
            self.run(game, &rules, limits, playouts)
        };
        calm(&mut self.tree);
        if by_prior {
            in_order(&mut self.tree, game);
        }
        if self.options.threads == 1 || self.options.parallel == Parallel::Tree {
            self.root = Some(game.clone());
        }
        let bounds = |game: &G| bounds(&self.leaves, game);
        let root = Root { tree: &self.tree, game, rules: &rules, choice: self.options.choice, bounds: &bounds };
        let mut report = root.report();
        report.nodes = done;
        report.evaluations = done;
        report.stop = stop;
        report.elapsed = started.elapsed();
        report.cpu_elsewhere = cpu;
        Ok(report)
    }

    fn rules(&self, game: &G) -> Rules {
        let bounds = self.leaves.bounds(game);
        // A known root's bounds say nothing about its moves; theirs do.
        let bounds = if bounds.low == bounds.high { self.around(game) } else { bounds };
        let Options { selection, rolls, widening, first_play, expand_at, solve, .. } = self.options;
        let (low, high) = (f64::from(bounds.low), f64::from(bounds.high));
        let Hints { bias, later } = hints::<G, L>(selection);
        // No number is infinite: a larger `k` makes no difference.
        let k = self.leaves.rave().1;
        let rave = later.then_some(if k.is_nan() { 0.0 } else { k.clamp(0.0, 1e30) as f32 });
        Rules { selection, rolls, widening, first_play, bias, rave, expand_at, low, high, solve }
    }

    /// Encloses the values of what comes next.
    fn around(&self, game: &G) -> Bounds {
        let one = |next: &G| bounds(&self.leaves, next);
        let join = |a: Bounds, b: Bounds| Bounds { low: a.low.min(b.low), high: a.high.max(b.high) };
        let all = match game.turn() {
            Turn::Decide(_) => {
                let mut buf = G::Moves::default();
                game.moves(&mut buf);
                buf.as_ref().iter().map(|&m| one(&game.after(m))).reduce(join)
            }
            Turn::Chance(chance) => chance.merged().iter().map(|&(event, _)| one(&game.resolved(event))).reduce(join),
            Turn::Over(_) => None,
        };
        all.unwrap_or_else(|| self.leaves.bounds(game))
    }

    /// Brings the tree to the size and the root that are wanted.
    fn prepare(&mut self, game: &G, limits: &Limits, started: Instant) {
        let bytes = limits.memory.map_or(self.options.bytes, |most| most.min(self.options.bytes));
        let wants = wants::<G, L>(self.options.selection);
        if self.tree.bytes() != bytes || self.tree.wants() != wants {
            self.tree = Tree::new(bytes, wants);
            self.root = None;
        }
        self.tree.frozen = false;
        let root = self.tree.nodes[0];
        // A position that was proven, or known, without a look at its moves: now a move is wanted.
        let moveless = root.is_proven() && root.count() == 0;
        if !self.options.reuse || self.root.as_ref() != Some(game) || moveless {
            self.tree.clear();
        } else if !self.tree.has_room(self.tree.cap() / 8) {
            self.tree.tidy(limits.time.map(|time| time.saturating_sub(started.elapsed())));
        }
    }

    /// The loop of one thread.
    fn run(&mut self, game: &G, rules: &Rules, limits: &Limits, playouts: u64) -> End {
        let mut pace = pacemaker(limits);
        let mut worker = Worker::new(&self.leaves, game, self.options.batch, rules.widening.is_some());
        let quest = Quest { root: game, leaves: &self.leaves, rules, ahead: self.options.batch > 1 };
        let mut noise = self.options.noise.filter(|_| L::PRIORS);
        let mut done = 0;
        loop {
            if self.tree.nodes[0].is_proven() {
                return End::here(done, StopReason::Solved);
            }
            if done >= playouts {
                return End::here(done, StopReason::Nodes);
            }
            if pace.count(1) {
                return End::here(done, pace.reason().unwrap_or(StopReason::Stopped));
            }
            let most = (playouts - done).min(self.options.batch as u64) as usize;
            let found = worker.gather(&quest, &mut self.tree, &mut self.rng, &mut pace, most);
            done += found.known;
            let judged = worker.judge(&self.leaves, &mut self.rng, &mut pace);
            done += worker.settle(&quest, &mut self.tree, judged);
            if found.full {
                self.tree.tidy(left(limits, &pace));
            }
            if let Some(n) = noise
                && self.tree.nodes[0].count() > 0
            {
                disturb(&mut self.tree, n, &mut self.rng);
                noise = None;
            }
        }
    }

    /// The loop of several threads on one tree: whoever holds it picks leaves, or brings home what became of them; the
    /// playouts between run side by side.
    fn run_together(&mut self, game: &G, rules: &Rules, limits: &Limits, playouts: u64) -> End {
        let Self { leaves, options, rng, tree, .. } = self;
        // Enough of them that the tree is not fought over, few enough that virtual losses do not lead astray.
        let share = playouts / (64 * options.threads as u64);
        let batch = options.batch.max(share.clamp(1, 32) as usize);
        let seeds: Vec<u64> = (0..options.threads).map(|_| rand::Rng::next_u64(rng)).collect();
        let noise = options.noise.filter(|_| L::PRIORS);
        let shared =
            Mutex::new(Shared { tree, noise, started: 0, done: 0, out: 0, full: false, stop: None, cpu: Duration::ZERO });
        let home = Condvar::new();
        thread::scope(|scope| {
            for seed in seeds {
                let (shared, home, leaves) = (&shared, &home, &*leaves);
                scope.spawn(move || {
                    let cpu = ThreadTime::now();
                    let mut rng = Generator::seed_from_u64(seed);
                    let mut pace = pacemaker(limits);
                    let quest = Quest { root: game, leaves, rules, ahead: true };
                    let mut worker = Worker::new(leaves, game, batch, rules.widening.is_some());
                    let mut judged = true;
                    let _end = EndOnPanic(shared, home);
                    let mut guard = lock(shared);
                    loop {
                        guard.done += worker.settle(&quest, guard.tree, judged);
                        guard.started -= if judged { 0 } else { worker.taken as u64 };
                        guard.out -= usize::from(worker.taken > 0);
                        worker.taken = 0;
                        if guard.tree.nodes[0].count() > 0
                            && let Some(noise) = guard.noise.take()
                        {
                            disturb(guard.tree, noise, &mut rng);
                        }
                        if guard.full && guard.stop.is_none() {
                            // Paths of others must not point into what is thrown away.
                            if guard.out == 0 {
                                guard.tree.tidy(left(limits, &pace));
                                guard.full = false;
                                home.notify_all();
                            } else {
                                guard = home.wait(guard).unwrap_or_else(PoisonError::into_inner);
                                continue;
                            }
                        }
                        if guard.stop.is_none() {
                            guard.stop = if guard.tree.nodes[0].is_proven() {
                                Some(StopReason::Solved)
                            } else if guard.started >= playouts {
                                Some(StopReason::Nodes)
                            } else if pace.count(1) {
                                pace.reason()
                            } else {
                                None
                            };
                        }
                        if guard.stop.is_some() {
                            guard.cpu += cpu.elapsed();
                            home.notify_all();
                            return;
                        }
                        let most = (playouts - guard.started).min(batch as u64) as usize;
                        let found = worker.gather(&quest, guard.tree, &mut rng, &mut pace, most);
                        guard.started += found.known + worker.taken as u64;
                        guard.done += found.known;
                        guard.full |= found.full;
                        guard.out += usize::from(worker.taken > 0);
                        drop(guard);
                        judged = worker.judge(leaves, &mut rng, &mut pace);
                        guard = lock(shared);
                        if guard.full {
                            home.notify_all();
                        }
                    }
                });
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        End { done: shared.done, stop: shared.stop.unwrap_or(StopReason::Stopped), cpu: shared.cpu }
    }

    /// Several threads with a tree each; what they found is added up in one of them, as far down as there is much of it.
    fn run_apart(&mut self, game: &G, rules: &Rules, limits: &Limits, playouts: u64) -> End {
        let threads = self.options.threads as u64;
        let options = Options { threads: 1, bytes: self.tree.bytes() / self.options.threads, ..self.options };
        // What it holds is wanted by the others.
        self.tree = Tree::new(0, self.tree.wants());
        let leaves = &self.leaves;
        let seeds: Vec<u64> = (0..threads).map(|_| rand::Rng::next_u64(&mut self.rng)).collect();
        // If one has solved the position, or panics, the others need not go on.
        let enough = limits.stop.as_ref().map_or_else(StopFlag::default, StopFlag::child);
        let limits = &limits.clone().and_stop(enough.clone());
        let results: Vec<_> = thread::scope(|scope| {
            let workers = seeds.iter().zip(0..).map(|(&seed, i): (_, u64)| {
                let enough = enough.clone();
                scope.spawn(move || {
                    let enough = RaiseOnPanic(enough);
                    let tree = Tree::new(options.bytes, wants::<G, L>(options.selection));
                    let rng = Generator::seed_from_u64(seed);
                    let mut search = Mcts { leaves: Borrowed(leaves), options, rng, tree, root: None, steps: None };
                    let share = playouts / threads + u64::from(i < playouts % threads);
                    let cpu = ThreadTime::now();
                    let mut end = search.run(game, rules, limits, share);
                    end.cpu = cpu.elapsed();
                    if end.stop == StopReason::Solved {
                        enough.0.raise();
                    }
                    calm(&mut search.tree);
                    if L::PRIORS && rules.widening.is_some() && matches!(game.turn(), Turn::Decide(_)) {
                        in_order(&mut search.tree, game);
                    }
                    (end, search.tree)
                })
            });
            let workers: Vec<_> = workers.collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        let (done, cpu) = results.iter().fold((0, Duration::ZERO), |(done, cpu), (end, _)| (done + end.done, cpu + end.cpu));
        let solved = results.iter().find(|(end, _)| end.stop == StopReason::Solved);
        let stop = solved.or(results.first()).map_or(StopReason::Stopped, |(end, _)| end.stop);
        // A proof is worth more than any number of visits.
        let mut trees: Vec<Tree<G::Move>> = results.into_iter().map(|(_, tree)| tree).collect();
        let first = (0..trees.len()).max_by_key(|&i| (trees[i].nodes[0].is_proven(), trees[i].nodes[0].visits())).unwrap_or(0);
        if !trees.is_empty() {
            let mut sum = trees.swap_remove(first);
            // What a report speaks of, and no more than some ten thousand positions a level.
            let visits: u64 = done / 10_000;
            let least = report::ENOUGH.max(u32::try_from(visits).unwrap_or(u32::MAX));
            for tree in &trees {
                sum.absorb(tree, least);
            }
            self.tree = sum;
        }
        // The sum is no tree to go on with: further down it is one thread's.
        self.root = None;
        End { done, stop, cpu }
    }
}

/// The children by their priors.
pub(crate) fn best_first<M: Copy>(tree: &mut Tree<M>, at: usize) {
    tree.sort_children(at, |_, prior| -prior);
}

/// The root's children in the game's order again, for a report.
fn in_order<G: Game>(tree: &mut Tree<G::Move>, game: &G) {
    let mut moves = Vec::new();
    list_moves(game, &mut moves);
    let places: std::collections::HashMap<_, _> = moves.into_iter().zip(0usize..).collect();
    tree.sort_children(0, |node, _| node.m().and_then(|m| places.get(&m).copied()));
}

/// What is known of a state, over or not.
fn bounds<G: Game, L: Leaves<G>>(leaves: &L, game: &G) -> Bounds {
    match game.turn() {
        Turn::Over(outcome) => Bounds::exact(leaves.terminal(game, outcome)),
        Turn::Decide(_) | Turn::Chance(_) => leaves.bounds(game),
    }
}

/// Counts plies, so that it looks at the clock often enough; playouts are counted by the search.
fn pacemaker(limits: &Limits) -> Watch {
    let mut limits = limits.clone();
    limits.nodes = None;
    Watch::start(&limits)
}

/// What leaves say beforehand about moves that a selection makes use of.
struct Hints {
    bias: bool,
    later: bool,
}

fn hints<G: Game, L: Leaves<G>>(selection: Selection) -> Hints {
    let listens = !matches!(selection, Selection::Puct { .. });
    Hints { bias: L::BIAS && !L::PRIORS && listens, later: L::RECORDS && listens }
}

/// What a search remembers beside its nodes.
fn wants<G: Game, L: Leaves<G>>(selection: Selection) -> Wants {
    let Hints { bias, later } = hints::<G, L>(selection);
    Wants { priors: L::PRIORS || bias, squares: matches!(selection, Selection::Ucb1Tuned { .. }), later }
}

/// The time that is left, if that is limited.
fn left(limits: &Limits, pace: &Watch) -> Option<Duration> {
    limits.time.map(|time| time.saturating_sub(pace.elapsed()))
}

/// Leaves that another search owns.
struct Borrowed<'a, L>(&'a L);

impl<G: Game, L: Leaves<G>> Leaves<G> for Borrowed<'_, L> {
    const PRIORS: bool = L::PRIORS;
    const BIAS: bool = L::BIAS;
    const RECORDS: bool = L::RECORDS;
    const LOOKS_AGAIN: bool = L::LOOKS_AGAIN;

    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Generator, watch: &mut Watch) -> Result<(), crate::Interrupted> {
        self.0.evaluate(leaves, rng, watch)
    }

    fn evaluate_and_record(
        &self,
        leaves: &mut [Leaf<G>],
        played: &mut [Played],
        rng: &mut Generator,
        watch: &mut Watch,
    ) -> Result<(), crate::Interrupted> {
        self.0.evaluate_and_record(leaves, played, rng, watch)
    }

    fn rave(&self) -> (usize, f64) {
        self.0.rave()
    }

    fn index(&self, game: &G, m: G::Move) -> usize {
        self.0.index(game, m)
    }

    fn bias(&self, game: &G, moves: &[G::Move], out: &mut [f32]) {
        self.0.bias(game, moves, out);
    }

    fn bounds(&self, game: &G) -> gamecore::Bounds {
        self.0.bounds(game)
    }

    fn bounds_again(&self, game: &G, visits: u32) -> gamecore::Bounds {
        self.0.bounds_again(game, visits)
    }

    fn terminal(&self, game: &G, outcome: gamecore::Outcome) -> f32 {
        self.0.terminal(game, outcome)
    }
}

/// What several threads share.
struct Shared<'a, M: Copy> {
    tree: &'a mut Tree<M>,
    /// What the root's priors are still to be mixed with.
    noise: Option<Noise>,
    /// Playouts begun and finished.
    started: u64,
    done: u64,
    /// Threads that have leaves of the tree in hand.
    out: usize,
    /// The tree is full: as soon as nobody is out, it is tidied up.
    full: bool,
    stop: Option<StopReason>,
    /// CPU time of the threads that have finished.
    cpu: Duration,
}

/// Ends the search of all threads if one of them panics, so that nobody waits for it.
struct EndOnPanic<'a, 'b, M: Copy>(&'a Mutex<Shared<'b, M>>, &'a Condvar);

impl<M: Copy> Drop for EndOnPanic<'_, '_, M> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.0).stop = Some(StopReason::Stopped);
            self.1.notify_all();
        }
    }
}

/// The same for threads with a tree each.
struct RaiseOnPanic(StopFlag);

impl Drop for RaiseOnPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.raise();
        }
    }
}

/// How a search's loop ended.
struct End {
    /// Playouts.
    done: u64,
    stop: StopReason,
    /// CPU time of other threads than the one that asked.
    cpu: Duration,
}

impl End {
    /// On the thread that asked.
    fn here(done: u64, stop: StopReason) -> Self {
        Self { done, stop, cpu: Duration::ZERO }
    }
}

/// The tree is held for microseconds: to wait awake for it is quicker than to sleep, unless somebody else needs the core.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..1000 {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => core::hint::spin_loop(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Game, L: Leaves<G>> Mcts<G, L> {
    /// Makes the present position of a history the root, along the steps since it was last one.
    fn follow(&mut self, history: &History<G>, time: Option<Duration>) {
        let (steps, states) = (history.steps(), history.states());
        let Some((start, known)) = self.steps.take() else { return self.root = None };
        let begun = &start == history.start() && steps.starts_with(&known) && self.root.is_some();
        if !begun {
            self.root = None;
        }
        let mut at = 0;
        for (i, step) in steps.iter().enumerate().skip(known.len()) {
            if self.root.is_none() {
                return;
            }
            let node = self.tree.nodes[at];
            let place = match (*step, states[i].turn()) {
                (Step::Move(m), _) => node.children().find(|&c| self.tree.nodes[c].m() == Some(m)),
                (Step::Chance(event), Turn::Chance(chance)) => {
                    let stands_for = chance.representative(event);
                    let place = chance.merged().iter().position(|e| e.0 == stands_for);
                    place.and_then(|p| node.children().nth(p))
                }
                _ => None,
            };
            match place {
                Some(place) => at = place,
                None => self.root = None,
            }
        }
        if self.root.is_some() {
            if at != 0 {
                self.tree.rebase_within(at, time);
            }
            // The same position but for the face that a die shows: equal in consequence.
            self.root = Some(history.state().clone());
        }
    }
}

impl<G: Game, L: Leaves<G>> Agent<G> for Mcts<G, L> {
    fn name(&self) -> String {
        "mcts".into()
    }

    fn new_game(&mut self, seed: u64) {
        self.clear();
        self.rng = Generator::seed_from_u64(mix(seed));
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        let Turn::Decide(_) = history.state().turn() else { return Err(AgentError::NothingToDecide) };
        let started = Instant::now();
        if self.options.reuse {
            self.follow(history, limits.time);
        }
        let report = self.search_since(started, history.state(), limits)?;
        self.steps = Some((history.start().clone(), history.steps().to_vec()));
        Ok(report)
    }
}

impl<G: Game, L: Leaves<G>> Analyst<G> for Mcts<G, L> {
    fn analyse(&mut self, game: &G, limits: &Limits) -> Result<ReportOf<G>, SearchError> {
        self.search(game, limits)
    }
}

impl<G: Game, L: Leaves<G>> Mcts<G, L> {
    /// The upper part of the tree: as [`Export`](crate::Export) says.
    #[must_use]
    pub fn export(&self, most: usize) -> crate::Export<G::Move> {
        report::export(&self.tree, most)
    }

    /// The moves that the tree plays below a position, checked against the rules: for tests of games and searches.
    ///
    /// # Panics
    /// If a move in the tree is not legal in the position above it.
    #[doc(hidden)]
    pub fn check(&self, game: &G) -> usize {
        check(&self.tree, game)
    }
}

fn check<G: Game>(tree: &Tree<G::Move>, root: &G) -> usize {
    let mut open = vec![(0, root.clone())];
    let mut count = 0;
    while let Some((at, game)) = open.pop() {
        let node = tree.nodes[at];
        if node.count() == 0 {
            continue;
        }
        let mut legal = Vec::new();
        let turn = game.turn();
        if let Turn::Decide(_) = turn {
            list_moves(&game, &mut legal);
            let moves: Vec<G::Move> = node.children().filter_map(|i| tree.nodes[i].m()).collect();
            // In another order, if that is by priors.
            let same = moves == legal || moves.len() == legal.len() && legal.iter().all(|m| moves.contains(m));
            assert!(same, "{moves:?} are not the moves of {game:?}");
        }
        count += legal.len();
        assert!(matches!(
            (turn, node.kind()),
            (Turn::Decide(_), Kind::Decide(_) | Kind::Proven) | (Turn::Chance(_), Kind::Chance | Kind::Proven)
        ));
        for (place, i) in node.children().enumerate().filter(|(_, i)| tree.nodes[*i].visits() > 0) {
            open.push(match (game.turn(), tree.nodes[i].m()) {
                (Turn::Chance(chance), _) => (i, game.resolved(chance.merged()[place].0)),
                (_, Some(m)) => (i, game.after(m)),
                (_, None) => unreachable!("a decision's children have moves"),
            });
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, Playouts};
    use gamecore::PolicyValue;
    use gamecore::testing::toys::Pig;

    struct Even;

    impl PolicyValue<Pig> for Even {
        fn evaluate(&self, leaves: &mut [Leaf<Pig>]) {
            for leaf in leaves {
                leaf.priors = vec![1.0 / leaf.moves.len() as f32; leaf.moves.len()];
                leaf.value = 0.0;
            }
        }
    }

    fn frozen_goes_on<L: Leaves<Pig>>(search: Mcts<Pig, L>) {
        let (mut search, game) = (search.with_memory(1).without_solver(), Pig::new(100));
        search.search(&game, &Limits::nodes(40_000)).unwrap();
        search.tree.frozen = true;
        let rules = search.rules(&game);
        for _ in 0..3 {
            let end = search.run(&game, &rules, &Limits::nodes(40_000), 40_000);
            assert_eq!((end.done, end.stop), (40_000, StopReason::Nodes));
        }
        // Nobody tidied up.
        assert!(!search.tree.has_room(40) && search.tree.frozen);
        search.check(&game);
        search.search(&game, &Limits::nodes(40_000)).unwrap();
        assert!(!search.tree.frozen);
    }

    /// A full tree that there is no time to tidy up is searched as it is.
    #[test]
    fn full_trees_go_on_without_growing() {
        for batch in [1, 8] {
            frozen_goes_on(Mcts::new(Playouts::uniform()).with_batch(batch));
            frozen_goes_on(Mcts::new(Network(Even)).with_batch(batch));
        }
    }
}
