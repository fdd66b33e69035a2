//! Below the root: the recursion.

use gamecore::{Chance, Evaluator, Event, Game, Player, Turn};
use search_core::{Bound, Entry, Learned, MoveOrder, Table, Watch, check_value, sort_by_scores};
use smallvec::SmallVec;

use crate::Pruning;

/// The search was interrupted; what it was about to find is unknown.
#[derive(Debug)]
pub(crate) struct Interrupted;

/// One search's state while it runs.
pub(crate) struct Tree<'a, G: Game, E, O> {
    pub(crate) evaluator: &'a E,
    pub(crate) order: &'a O,
    pub(crate) pruning: Pruning,
    pub(crate) merging: bool,
    pub(crate) batching: bool,
    pub(crate) table: &'a Table,
    pub(crate) watch: Watch,
    pub(crate) evaluations: u64,
    /// How often a value came from the evaluator's opinion, here or in the table. A subtree that leaves it unchanged
    /// was searched to the end of the game.
    pub(crate) guesses: u64,
    /// The fewest decisions that were left wherever a line ended, in the node being searched.
    pub(crate) floor: u32,
    /// What was learned about moves, whatever the dice; `None` if nothing is to be.
    pub(crate) learned: Option<Learned<G::Move>>,
    /// Scores of moves, while they are put in order.
    pub(crate) scores: Vec<i32>,
    /// Values of the last decisions' moves, while they are looked at.
    pub(crate) leaf_values: Vec<f32>,
    pub(crate) _game: core::marker::PhantomData<fn(G)>,
}

/// What bounds say of a value in a window.
enum Known {
    /// It is this, or on this side of the window.
    Value(f64),
    /// It lies between these, and they overlap the window.
    Between(f64, f64),
}

/// A chance node to be searched.
struct Node<'a, G: Game> {
    game: &'a G,
    /// Those to visit, with their probabilities.
    events: &'a [(Event<G>, f64)],
    depth: u32,
    /// The window: the value is wanted exactly between `a` and `b`.
    a: f64,
    b: f64,
}

impl<G: Game, E: Evaluator<G>, O: MoveOrder<G>> Tree<'_, G, E, O> {
    /// The value of `game`, exact inside the open window `(a, b)`. At or beyond `b` it is a lower bound, at or
    /// beyond `a` an upper one.
    pub(crate) fn value(&mut self, game: &G, depth: u32, a: f64, b: f64) -> Result<f64, Interrupted> {
        match game.turn() {
            Turn::Over(outcome) => {
                self.line_ends(depth);
                Ok(f64::from(self.evaluator.terminal(game, outcome)))
            }
            _ if depth == 0 => {
                self.count(1)?;
                self.evaluations += 1;
                self.guesses += 1;
                let value = self.evaluator.value(game);
                check_value(self.evaluator, game, value);
                Ok(f64::from(value))
            }
            Turn::Chance(chance) => self.remembered(game, depth, a, b, |tree, low, high| {
                let events = if tree.merging { chance.merged() } else { chance.events() };
                let node = Node { game, events, depth, a, b };
                match tree.pruning {
                    Pruning::None => tree.average(&node),
                    // Probing a last decision costs as much as searching it.
                    Pruning::Star2 if depth > 1 => tree.star2(&node, low, high),
                    Pruning::Star1 | Pruning::Star2 => tree.star1(&node, low, high),
                }
            }),
            Turn::Decide(player) => self.remembered(game, depth, a, b, |tree, _, _| tree.decide(game, player, depth, a, b)),
        }
    }

    #[inline(always)]
    fn count(&mut self, nodes: u64) -> Result<(), Interrupted> {
        if self.watch.count(nodes) { Err(Interrupted) } else { Ok(()) }
    }

    /// A line ends here, with `depth` decisions to spare.
    #[inline(always)]
    fn line_ends(&mut self, depth: u32) {
        self.floor = self.floor.min(depth);
    }

    /// The value of a node from what is known of it, or else by `search`, which is given the node's bounds.
    #[inline]
    fn remembered(
        &mut self,
        game: &G,
        depth: u32,
        a: f64,
        b: f64,
        search: impl FnOnce(&mut Self, f64, f64) -> Result<f64, Interrupted>,
    ) -> Result<f64, Interrupted> {
        self.count(1)?;
        let (low, high) = match self.known(game, depth, a, b) {
            Known::Value(value) => return Ok(value),
            Known::Between(low, high) => (low, high),
        };
        if self.table.is_disabled() {
            return search(self, low, high);
        }
        let key = game.key();
        if let Some(entry) = self.table.get(key, depth as u8) {
            let prunes = self.pruning.cuts();
            let answers = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => prunes && entry.value >= b,
                Bound::AtMost => prunes && entry.value <= a,
            };
            if answers {
                self.guesses += u64::from(!entry.complete);
                self.line_ends(depth - u32::from(entry.depth));
                return Ok(entry.value);
            }
        }
        let (guesses, floor) = (self.guesses, self.floor);
        self.floor = depth;
        let value = search(self, low, high)?;
        let bound = self.pruning.bound(value, a, b);
        // A subtree searched to its ends is remembered with the decisions that this took: it serves all depths from there.
        let complete = self.guesses == guesses;
        // (At least one: without any, not even the roll is looked at.)
        let needed = if complete { (depth - self.floor).max(1) } else { depth };
        self.floor = floor.min(depth - needed);
        self.table.put(key, Entry { value, bound, depth: needed as u8, complete, best: None });
        Ok(value)
    }

    /// What the evaluator's bounds say without a search.
    #[inline(always)]
    fn known(&mut self, game: &G, depth: u32, a: f64, b: f64) -> Known {
        let bounds = self.evaluator.bounds(game);
        debug_assert!(
            bounds.low.is_finite() && bounds.high.is_finite() && bounds.low <= bounds.high,
            "bounds must be finite and in order, not {bounds:?}, in {game:?}"
        );
        let (low, high) = (f64::from(bounds.low), f64::from(bounds.high));
        let prunes = self.pruning.cuts();
        // A database, a proof; or the window lies beside the bounds, and they answer. From here on, every window
        // overlaps them.
        if low == high || prunes && low >= b {
            self.line_ends(depth);
            return Known::Value(low);
        }
        if prunes && high <= a {
            self.line_ends(depth);
            return Known::Value(high);
        }
        Known::Between(low, high)
    }

    /// The value that the evaluator's bounds pin down, if they do. What is over is not asked.
    pub(crate) fn known_value(&self, game: &G) -> Option<f64> {
        if let Turn::Over(_) = game.turn() {
            return None;
        }
        let bounds = self.evaluator.bounds(game);
        (bounds.low >= bounds.high).then_some(f64::from(bounds.low))
    }

    /// The node after a roll. Decisions there are not looked up: they have one parent, which is.
    #[inline]
    fn rolled(&mut self, game: &G, depth: u32, a: f64, b: f64) -> Result<f64, Interrupted> {
        match game.turn() {
            Turn::Decide(player) => {
                self.count(1)?;
                match self.known(game, depth, a, b) {
                    Known::Value(value) => Ok(value),
                    Known::Between(..) => self.decide(game, player, depth, a, b),
                }
            }
            Turn::Chance(_) | Turn::Over(_) => self.value(game, depth, a, b),
        }
    }

    /// A decision's best value, `depth >= 1`.
    #[inline]
    fn decide(&mut self, game: &G, player: Player, depth: u32, a: f64, b: f64) -> Result<f64, Interrupted> {
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        if depth == 1 && self.batching {
            return self.last(game, player, buf.as_ref());
        }
        self.sort(game, player, depth, buf.as_mut());
        self.best(game, player, buf.as_ref(), depth, a, b).map(|(_, value)| value)
    }

    /// Puts a decision's moves in the order to try them.
    #[inline]
    fn sort(&mut self, game: &G, player: Player, depth: u32, moves: &mut [G::Move]) {
        let Some(learned) = self.learned.as_ref().filter(|_| moves.len() > 1) else { return self.order.sort(game, moves) };
        self.scores.clear();
        self.scores.resize(moves.len(), 0);
        self.order.scores(game, moves, &mut self.scores);
        learned.add_to(&mut self.scores, moves, player, depth as usize, None);
        sort_by_scores(moves, &mut self.scores);
    }

    /// The best among `moves`, which are in the order to try them: its place there, and its value.
    #[inline]
    fn best(
        &mut self,
        game: &G,
        player: Player,
        moves: &[G::Move],
        depth: u32,
        a: f64,
        b: f64,
    ) -> Result<(usize, f64), Interrupted> {
        let prunes = self.pruning.cuts();
        let (mut a, mut b) = (a, b);
        let (mut place, mut best) = (0, player.worst());
        for (i, &m) in moves.iter().enumerate() {
            let value = self.value(&game.after(m), depth - 1, a, b)?;
            if player.prefers(value, best) {
                (place, best) = (i, value);
            }
            if prunes {
                match player {
                    Player::One => a = a.max(best),
                    Player::Two => b = b.min(best),
                }
                if a >= b {
                    if let Some(learned) = &mut self.learned
                        && moves.len() > 1
                    {
                        learned.refuted(m, moves[..i].iter().copied(), player, depth, depth as usize, None);
                    }
                    break;
                }
            }
        }
        Ok((place, best))
    }

    /// The best value of a last decision: all moves in one call to the evaluator.
    #[inline]
    fn last(&mut self, game: &G, player: Player, moves: &[G::Move]) -> Result<f64, Interrupted> {
        self.count(moves.len() as u64)?;
        self.evaluations += moves.len() as u64;
        self.guesses += 1;
        self.leaf_values.clear();
        self.evaluator.after_all(game, moves, &mut self.leaf_values);
        for &value in &self.leaf_values {
            check_value(self.evaluator, game, value);
        }
        let values = self.leaf_values.iter().copied();
        Ok(f64::from(match player {
            Player::One => values.fold(f32::NEG_INFINITY, f32::max),
            Player::Two => values.fold(f32::INFINITY, f32::min),
        }))
    }

    /// Plain expectimax: every event in full.
    fn average(&mut self, node: &Node<'_, G>) -> Result<f64, Interrupted> {
        let mut sum = 0.0;
        for &(event, p) in node.events {
            sum += p * self.rolled(&node.game.resolved(event), node.depth, f64::NEG_INFINITY, f64::INFINITY)?;
        }
        Ok(sum)
    }

    /// Star1 (Ballard 1983): every event between the node's bounds `low` and `high`.
    #[inline]
    fn star1(&mut self, node: &Node<'_, G>, low: f64, high: f64) -> Result<f64, Interrupted> {
        self.in_windows(node, core::iter::repeat((low, high)), low, high)
    }

    /// Events one by one, each in the window that still matters if all later events come out at their lower or at their
    /// upper bounds. `bounds` has a pair for each event; their averages are `rest_low` and `rest_high`.
    #[inline]
    fn in_windows(
        &mut self,
        node: &Node<'_, G>,
        bounds: impl Iterator<Item = (f64, f64)>,
        mut rest_low: f64,
        mut rest_high: f64,
    ) -> Result<f64, Interrupted> {
        let &Node { game, events, depth, a, b } = node;
        let mut sum = 0.0;
        for (i, (&(event, p), (low, high))) in events.iter().zip(bounds).enumerate() {
            rest_low -= p * low;
            rest_high -= p * high;
            if i + 1 == events.len() {
                (rest_low, rest_high) = (0.0, 0.0); // what is there now is rounding
            }
            // The values of this event at which the average reaches the ends of the window, whatever follows. In exact
            // arithmetic they are in order and between the bounds. A window that rounding has made empty would be
            // searched for a bound of the wrong kind: mend it.
            let at_a = (a - sum - rest_high) / p;
            let at_b = ((b - sum - rest_low) / p).max(at_a.next_up());
            if at_a >= high {
                return Ok(a);
            }
            if at_b <= low {
                return Ok(b);
            }
            let value = if low >= high { low } else { self.rolled(&game.resolved(event), depth, at_a.max(low), at_b.min(high))? };
            if value <= at_a {
                return Ok((sum + p * value + rest_high).min(a));
            }
            if value >= at_b {
                return Ok((sum + p * value + rest_low).max(b));
            }
            sum += p * value;
        }
        Ok(sum)
    }

    /// Star2 (Ballard 1983): first one move of each event is searched. If One is to move there, its value is a lower
    /// bound of the event's; if Two, an upper one. The bounds can decide the matter at once, and they narrow Star1's
    /// windows.
    fn star2(&mut self, node: &Node<'_, G>, low: f64, high: f64) -> Result<f64, Interrupted> {
        let &Node { game, events, depth, a, b } = node;
        let mut bounds: SmallVec<[(f64, f64); 24]> = SmallVec::from_elem((low, high), events.len());
        // The averages of the lower and of the upper bounds.
        let (mut sum_low, mut sum_high) = (low, high);
        for (&(event, p), bound) in events.iter().zip(&mut bounds) {
            let rolled = game.resolved(event);
            let Turn::Decide(player) = rolled.turn() else { continue };
            if let Some(value) = self.known_value(&rolled) {
                self.line_ends(depth);
                sum_low += p * (value - low);
                sum_high += p * (value - high);
                *bound = (value, value);
                continue;
            }
            self.count(1)?;
            let mut buf = G::Moves::default();
            rolled.moves(&mut buf);
            self.sort(&rolled, player, depth, buf.as_mut());
            let probe = &buf.as_ref()[..1];
            match player {
                Player::One => {
                    // The value of this event at which the lower bounds alone reach b.
                    let at_b = ((b - (sum_low - p * low)) / p).max(low.next_up());
                    let (_, value) = self.best(&rolled, player, probe, depth, low, at_b.min(high))?;
                    if value > bound.0 {
                        sum_low += p * (value - bound.0);
                        bound.0 = value;
                    }
                    if sum_low >= b {
                        return Ok(sum_low);
                    }
                }
                Player::Two => {
                    let at_a = ((a - (sum_high - p * high)) / p).min(high.next_down());
                    let (_, value) = self.best(&rolled, player, probe, depth, at_a.max(low), high)?;
                    if value < bound.1 {
                        sum_high += p * (value - bound.1);
                        bound.1 = value;
                    }
                    if sum_high <= a {
                        return Ok(sum_high);
                    }
                }
            }
        }
        self.in_windows(node, bounds.into_iter(), sum_low, sum_high)
    }

    /// A window in which every value below `game` is exact. Even if its own value is known, its moves differ.
    pub(crate) fn whole_window(&self, game: &G) -> (f64, f64) {
        let bounds = self.evaluator.bounds(game);
        if bounds.low < bounds.high {
            (f64::from(bounds.low), f64::from(bounds.high))
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
    }

    /// The best move and the exact value of a decision, `depth >= 1`.
    pub(crate) fn reply(&mut self, game: &G, player: Player, depth: u32) -> Result<(G::Move, f64), Interrupted> {
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        self.sort(game, player, depth, buf.as_mut());
        let moves = buf.as_ref();
        let (a, b) = self.whole_window(game);
        let (place, value) = self.best(game, player, moves, depth, a, b)?;
        Ok((moves[place], value))
    }
}
