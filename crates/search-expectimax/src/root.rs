//! At the root: deepening, and what is reported.

use core::marker::PhantomData;

use gamecore::{Chance, Evaluator, Game, KEY_HORIZON, Player, Step, StepOf, Turn};
use rand::Rng;
use search_core::{Bound, EventLine, Learned, Limits, MoveLine, MoveOrder, Report, ReportOf, SearchError, StopReason, Watch};

use crate::Expectimax;
use crate::tree::{Interrupted, Tree};

/// A row of the table by event.
type EventLineOf<G> = EventLine<<G as Game>::Move, gamecore::Event<G>>;
/// A row of the table of root moves.
type MoveLineOf<G> = MoveLine<<G as Game>::Move, gamecore::Event<G>>;

/// What one iteration found.
struct Iteration<G: Game> {
    value: f64,
    /// For a decision: the best move's place in the game's list.
    best: Option<usize>,
    moves: Vec<MoveLineOf<G>>,
    events: Vec<EventLineOf<G>>,
    /// Whether a deeper search would find the same.
    settled: bool,
}

impl<G: Game, E: Evaluator<G>, O: MoveOrder<G>> Expectimax<G, E, O> {
    pub(crate) fn tree(&self, limits: &Limits) -> Tree<'_, G, E, O> {
        Tree {
            evaluator: &self.evaluator,
            order: &self.order,
            pruning: self.pruning,
            merging: self.merging,
            batching: self.batching,
            table: &self.table,
            watch: Watch::start(limits),
            evaluations: 0,
            guesses: 0,
            floor: 0,
            learned: (self.learning && self.pruning.cuts() && limits.depth != Some(1))
                .then(|| Learned::new(KEY_HORIZON as usize + 1)),
            scores: Vec::new(),
            leaf_values: Vec::new(),
            _game: PhantomData,
        }
    }

    /// Searches to the limits; with `explain`, every root move gets its exact value, line and replies.
    pub(crate) fn run(&mut self, game: &G, limits: &Limits, explain: bool) -> Result<ReportOf<G>, SearchError> {
        let turn = game.turn();
        if let Turn::Over(_) = turn {
            return Err(SearchError::Over);
        }
        self.table.prepare(self.table_bytes, limits);
        let mut tree = self.tree(limits);

        // The root moves in the game's order, and the order in which to try them.
        let mut buf = G::Moves::default();
        let mut order = Vec::new();
        if let Turn::Decide(_) = turn {
            game.moves(&mut buf);
            let mut sorted = buf.as_ref().to_vec();
            self.order.sort(game, &mut sorted);
            let place = |m: &G::Move| buf.as_ref().iter().position(|x| x == m).expect("sorting keeps the moves");
            order = sorted.iter().map(place).collect();
        }
        let moves = buf.as_ref();

        let deepest = limits.depth.unwrap_or(if self.deepening { KEY_HORIZON } else { 1 }).clamp(1, KEY_HORIZON);
        let mut report = Report::empty();
        let mut stop = StopReason::Depth;
        let mut last: Option<Iteration<G>> = None;
        for depth in if self.deepening { 1 } else { deepest }..=deepest {
            let iteration = match &turn {
                Turn::Decide(player) => tree.decision_root(game, *player, moves, &order, depth, self.margin, explain),
                Turn::Chance(chance) => tree.chance_root(game, chance, depth),
                Turn::Over(_) => unreachable!("answered above"),
            };
            let Ok(iteration) = iteration else {
                stop = tree.watch.reason().unwrap_or(StopReason::Stopped);
                break;
            };
            report.depth = depth;
            if let (Some(best), Turn::Decide(player)) = (iteration.best, &turn) {
                // Next time the best first, the others as they came out; a stable sort keeps the order of equals.
                order.sort_by(|&x, &y| {
                    let (x, y) = (iteration.moves[x].value, iteration.moves[y].value);
                    if player.prefers(x, y) {
                        core::cmp::Ordering::Less
                    } else if player.prefers(y, x) {
                        core::cmp::Ordering::Greater
                    } else {
                        core::cmp::Ordering::Equal
                    }
                });
                let at = order.iter().position(|&i| i == best).expect("the best move is one of them");
                order[..=at].rotate_right(1);
            }
            let settled = iteration.settled;
            last = Some(iteration);
            if settled {
                stop = StopReason::Solved;
                break;
            }
        }
        report.stop = stop;
        report.nodes = tree.watch.nodes();
        report.evaluations = tree.evaluations;
        report.elapsed = tree.watch.elapsed();
        match last {
            Some(found) => {
                report.value = Some(found.value);
                report.best = found.best.map(|i| match turn {
                    Turn::Decide(player) if self.margin > 0.0 => self.near_best(player, i, &found.moves),
                    _ => moves[i],
                });
                report.moves = found.moves;
                report.events = found.events;
            }
            // Nothing was completed: a legal move all the same.
            None => {
                report.value = Some(f64::from(self.evaluator.value(game)));
                report.best = order.first().map(|&i| moves[i]);
            }
        }
        Ok(report)
    }

    /// One of the moves that are less than the margin worse than the best.
    fn near_best(&mut self, player: Player, best: usize, moves: &[MoveLineOf<G>]) -> G::Move {
        let limit = moves[best].value - f64::from(player.sign()) * self.margin;
        let is_near = |i: usize, l: &MoveLineOf<G>| i == best || l.bound == Bound::Exact && player.prefers(l.value, limit);
        let near: Vec<_> = moves.iter().enumerate().filter(|&(i, l)| is_near(i, l)).map(|(_, l)| l).collect();
        near[gamecore::random::below(&mut self.rng as &mut dyn Rng, near.len())].m
    }
}

impl<G: Game, E: Evaluator<G>, O: MoveOrder<G>> Tree<'_, G, E, O> {
    #[allow(clippy::too_many_arguments)]
    fn decision_root(
        &mut self,
        game: &G,
        player: Player,
        moves: &[G::Move],
        order: &[usize],
        depth: u32,
        margin: f64,
        explain: bool,
    ) -> Result<Iteration<G>, Interrupted> {
        let (low, high) = self.whole_window(game);
        let (mut a, mut b) = (low, high);
        // What a move not looked at can be worth at most, to the player.
        let unseen = match player {
            Player::One => (high, Bound::AtMost),
            Player::Two => (low, Bound::AtLeast),
        };
        let mut lines: Vec<MoveLineOf<G>> = moves.iter().map(|&m| MoveLine::new(m, unseen.0)).collect();
        lines.iter_mut().for_each(|l| l.bound = unseen.1);
        let (mut best, mut value) = (order[0], player.worst());
        let before = self.guesses;
        let mut best_is_known = false;
        for &i in order {
            let child = game.after(moves[i]);
            let line = &mut lines[i];
            let (nodes, guesses) = (self.watch.nodes(), self.guesses);
            if explain {
                self.explain(&child, depth - 1, line)?;
            } else {
                line.value = self.value(&child, depth - 1, a, b)?;
            }
            line.nodes = self.watch.nodes() - nodes;
            // At the ends of the whole window a value is exact: there is nothing beyond.
            let end = |at: f64, whole: f64, open: f64| if at == whole { open } else { at };
            line.bound = match explain {
                true => Bound::Exact,
                false => self.pruning.bound(line.value, end(a, low, f64::NEG_INFINITY), end(b, high, f64::INFINITY)),
            };
            if player.prefers(line.value, value) {
                (best, value) = (i, line.value);
                best_is_known = self.guesses == guesses;
            }
            match player {
                Player::One => a = a.max(value - margin),
                Player::Two => b = b.min(value + margin),
            }
            if a >= b && !explain && self.pruning.cuts() {
                break;
            }
        }
        // Nothing left to guess; or the best there is has been proven, and nobody asked about the others.
        let settled = self.guesses == before || !explain && best_is_known && value == unseen.0;
        Ok(Iteration { value, best: Some(best), moves: lines, events: Vec::new(), settled })
    }

    fn chance_root(&mut self, game: &G, chance: &G::Chance, depth: u32) -> Result<Iteration<G>, Interrupted> {
        let before = self.guesses;
        let (value, events) = self.by_event(game, chance, depth)?;
        Ok(Iteration { value, best: None, moves: Vec::new(), events, settled: self.guesses == before })
    }

    /// A chance node's value and its table by event, every event exact.
    fn by_event(&mut self, game: &G, chance: &G::Chance, depth: u32) -> Result<(f64, Vec<EventLineOf<G>>), Interrupted> {
        let mut sum = 0.0;
        let mut table: Vec<EventLineOf<G>> = Vec::new();
        for &(event, p) in chance.events() {
            // Events of equal consequence have one answer.
            let same = |row: &&EventLineOf<G>| chance.representative(row.event) == chance.representative(event);
            if self.merging
                && let Some(&EventLine { best, value, .. }) = table.iter().find(same)
            {
                sum += p * value;
                table.push(EventLine::new(event, p, best, value));
                continue;
            }
            let rolled = game.resolved(event);
            let (best, value) = match rolled.turn() {
                Turn::Decide(player) => {
                    let (m, value) = self.reply(&rolled, player, depth)?;
                    (Some(m), self.known_value(&rolled).unwrap_or(value))
                }
                Turn::Chance(_) | Turn::Over(_) => (None, self.value(&rolled, depth, f64::NEG_INFINITY, f64::INFINITY)?),
            };
            sum += p * value;
            table.push(EventLine::new(event, p, best, value));
        }
        Ok((sum, table))
    }

    /// Fills in what is expected after a root move that led to `child`: its exact value, the moves up to the next
    /// roll, and the replies to that.
    fn explain(&mut self, child: &G, depth: u32, line: &mut MoveLineOf<G>) -> Result<(), Interrupted> {
        let mut steps: Vec<StepOf<G>> = Vec::new();
        let mut game = child.clone();
        let mut depth = depth;
        let mut first = None;
        let value = loop {
            if let Some(value) = self.known_value(&game) {
                break value;
            }
            match game.turn() {
                Turn::Decide(player) if depth > 0 => {
                    let (m, value) = self.reply(&game, player, depth)?;
                    first = first.or(Some(value));
                    steps.push(Step::Move(m));
                    game.play(m);
                    depth -= 1;
                }
                Turn::Chance(chance) if depth > 0 => {
                    let (value, replies) = self.by_event(&game, &chance, depth)?;
                    line.replies = replies;
                    break value;
                }
                _ => break self.value(&game, depth, f64::NEG_INFINITY, f64::INFINITY)?,
            }
        };
        line.value = first.unwrap_or(value);
        line.line = steps;
        Ok(())
    }
}
