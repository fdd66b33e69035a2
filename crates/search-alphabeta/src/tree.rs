//! Below the root: the recursion.

use core::cmp::Ordering;

use gamecore::{Deterministic, Evaluator, KEY_HORIZON, Player, Turn};
use search_core::{Bound, Entry, Learned, MoveOrder, Table, Watch, check_value};

use crate::Options;
use crate::busy::Busy;
use crate::ranks::Ranks;
use crate::score::Score;

/// The search was interrupted; what it was about to find is unknown.
#[derive(Debug)]
pub(crate) struct Interrupted;

/// Plies of quiescence, at most, below the horizon.
pub(crate) const QUIET_PLIES: i32 = 32;
/// Threads tell each other of moves that they search so many decisions deep, or deeper.
const SHARED: i32 = 3;
/// The evaluator is believed so far from the horizon, at most, where it is far above a window, and where it is far below.
const FUTILE: i32 = 8;
const RAZORED: i32 = 2;
/// So many moves of a last decision are counted together.
const AT_ONCE: u64 = 64;
/// A state of at most so many bytes is laid out in less time than a table's memory is waited for.
const SMALL: usize = 64;
/// No line is longer.
pub(crate) const PLIES: usize = KEY_HORIZON as usize + QUIET_PLIES as usize + 2;

/// One thread's search while it runs.
pub(crate) struct Tree<'a, G: Deterministic, E, O> {
    pub(crate) evaluator: &'a E,
    pub(crate) order: &'a O,
    pub(crate) options: &'a Options<G>,
    pub(crate) table: &'a Table,
    /// What other threads search; `None` without any.
    pub(crate) busy: Option<&'a Busy>,
    pub(crate) watch: Watch,
    pub(crate) evaluations: u64,
    /// How often a value rested on the evaluator's opinion, here or in the table. A subtree that leaves it unchanged was
    /// searched to the end of the game, as far as its value needs it.
    pub(crate) guesses: u64,
    /// The furthest that answers from the table looked, in decisions from the root, within the node being searched.
    pub(crate) grafted: u32,
    pub(crate) learned: Learned<G::Move>,
    pub(crate) ranks: Ranks,
    /// By ply: the best line found from there, where the window was open.
    pub(crate) lines: Vec<Vec<G::Move>>,
}

/// A node to be searched: a decision of `player`, whose window it is.
struct Node<'a, G: Deterministic> {
    game: &'a G,
    player: Player,
    /// Decisions to look ahead; below 0 in quiescence.
    depth: i32,
    /// Decisions from the root.
    ply: u32,
    /// The score is wanted exactly between the two.
    a: Score,
    b: Score,
    /// The move that led here; `None` at the root and after a null move.
    previous: Option<G::Move>,
}

impl<'a, G: Deterministic, E: Evaluator<G>, O: MoveOrder<G>> Tree<'a, G, E, O> {
    pub(crate) fn new(evaluator: &'a E, order: &'a O, options: &'a Options<G>, table: &'a Table, watch: Watch) -> Self {
        Self {
            evaluator,
            order,
            options,
            table,
            busy: None,
            watch,
            evaluations: 0,
            guesses: 0,
            grafted: 0,
            learned: Learned::new(PLIES),
            ranks: Ranks::default(),
            lines: vec![Vec::new(); PLIES],
        }
    }

    /// The score of `game` for `player`, exact inside the open window from `a` to `b`; at or beyond its ends a bound. `game`
    /// is `ply` decisions from the root, `depth` from the horizon; `previous` led to it.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn score(
        &mut self,
        game: &G,
        player: Player,
        depth: i32,
        ply: u32,
        a: Score,
        b: Score,
        previous: Option<G::Move>,
    ) -> Result<Score, Interrupted> {
        match game.turn() {
            Turn::Over(outcome) => {
                self.count(1)?;
                self.line_ends(ply, a, b);
                Ok(Score::end(player.sign() * self.evaluator.terminal(game, outcome), ply))
            }
            // Whoever moves next, the score is for the one who moves: nothing changes sign by itself.
            Turn::Decide(next) if next == player => self.decide(&Node { game, player, depth, ply, a, b, previous }),
            Turn::Decide(next) => self.decide(&Node { game, player: next, depth, ply, a: -b, b: -a, previous }).map(|s| -s),
            Turn::Chance(never) => match never {},
        }
    }

    #[inline]
    fn decide(&mut self, node: &Node<'_, G>) -> Result<Score, Interrupted> {
        let &Node { game, player, depth, ply, a, b, .. } = node;
        self.count(1)?;
        self.line_ends(ply, a, b);
        // What is known without a search.
        let (low, high) = self.reach(game, player);
        debug_assert!(low <= high, "bounds must be in order, not {low} to {high}, in {game:?}");
        if low >= high {
            return Ok(Score::end(low, ply));
        }
        let (low, high) = (Score::at_least(low, ply + 1), Score::at_most(high, ply + 1));
        if low >= b {
            return Ok(low);
        }
        if high <= a {
            return Ok(high);
        }
        if let Some(forced) = &self.options.extension
            && ply + (depth.max(0) as u32) < KEY_HORIZON - QUIET_PLIES as u32
            && forced(game)
        {
            // Below the horizon, too, nobody can decline.
            if depth <= 0 {
                return self.best(node, None).map(|found| found.score);
            }
            return self.at_depth(&Node { depth: depth + 1, ..*node });
        }
        self.at_depth(node)
    }

    #[inline(always)]
    fn at_depth(&mut self, node: &Node<'_, G>) -> Result<Score, Interrupted> {
        match node.depth {
            ..=0 => self.settle(node),
            // The table costs as much as the last decision, unless more comes below.
            1 if self.options.quiescence.is_none() => self.last(node),
            _ => self.remembered(node),
        }
    }

    /// How far values reach, for `player`.
    #[inline(always)]
    pub(crate) fn reach(&self, game: &G, player: Player) -> (f32, f32) {
        let bounds = self.evaluator.bounds(game);
        match player {
            Player::One => (bounds.low, bounds.high),
            Player::Two => (-bounds.high, -bounds.low),
        }
    }

    /// A node's score from the table, or searched and remembered.
    fn remembered(&mut self, node: &Node<'_, G>) -> Result<Score, Interrupted> {
        let &Node { game, player, depth, ply, a, b, .. } = node;
        if self.table.is_disabled() {
            return self.cut_or_best(node, None).map(|found| found.score);
        }
        let key = game.key();
        let mut first = None;
        if let Some(entry) = self.table.any(key) {
            first = entry.best;
            let score = Score::from_f64(entry.value).seen_from_root(ply);
            let (score, bound) = match player {
                Player::One => (score, entry.bound),
                Player::Two => (-score, entry.bound.opposite()),
            };
            // A key says no more of a position than how it goes on for so long.
            let near = score.ends_in().is_none_or(|plies| plies.saturating_sub(ply) <= KEY_HORIZON);
            let deeper = i32::from(entry.depth) > depth;
            let decides = match bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= b,
                Bound::AtMost => score <= a,
            };
            let depth_fits = match i32::from(entry.depth).cmp(&depth) {
                Ordering::Less => entry.complete,
                Ordering::Equal => true,
                Ordering::Greater => !self.options.equal_depths,
            };
            let forced = self.is_forced(node, score, bound) && !(deeper && self.options.equal_depths);
            let answers = near && (depth_fits && decides || forced);
            // The principal variation is searched, to be shown.
            if answers && !(self.options.scouting && a.is_open(b)) {
                self.guesses += u64::from(!entry.complete && !forced);
                self.grafted = self.grafted.max(ply + u32::from(entry.depth));
                return Ok(score);
            }
        }
        let guesses = self.guesses;
        let before = core::mem::take(&mut self.grafted);
        let found = self.cut_or_best(node, first)?;
        // What was grafted on from deeper entries was looked at further than asked, and may be again: no key lasts for ever.
        let reach = self.grafted.saturating_sub(ply).max(depth as u32);
        self.grafted = self.grafted.max(before);
        let complete = self.guesses == guesses && reach <= KEY_HORIZON;
        let bound = if found.score >= b {
            Bound::AtLeast
        } else if found.score <= a {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let (value, bound) = match player {
            Player::One => (found.score, bound),
            Player::Two => (-found.score, bound.opposite()),
        };
        // Of moves that all fail the best is known by chance only: the one that was remembered is the better guess.
        let best = if found.score > a { found.best } else { first.or(found.best) };
        let entry = Entry {
            value: value.seen_from(ply).to_f64(),
            bound,
            depth: if complete { reach as u8 } else { depth as u8 },
            complete,
            best,
        };
        self.table.replace(key, entry);
        Ok(found.score)
    }

    /// Whether a score from the table answers at any depth. A forced win of all there is to win stays one, however deep one
    /// looks: nobody had anything better.
    fn is_forced(&self, node: &Node<'_, G>, score: Score, bound: Bound) -> bool {
        let &Node { game, player, a, b, .. } = node;
        match bound {
            Bound::Exact | Bound::AtLeast if score.is_won() => score >= b && score.value() >= self.reach(game, player).1,
            Bound::Exact | Bound::AtMost if score.is_lost() => score <= a && score.value() <= self.reach(game, player).0,
            _ => false,
        }
    }

    /// A node's score by a null move if that is allowed and enough, or by its moves.
    fn cut_or_best(&mut self, node: &Node<'_, G>, first: Option<u16>) -> Result<Found, Interrupted> {
        let &Node { game, player, depth, ply, a, b, previous } = node;
        if let Some(score) = self.seems_decided(node)? {
            return Ok(Found { score, best: first });
        }
        if let Some(pass) = &self.options.null_move
            && depth >= 3
            && !a.is_open(b)
            && previous.is_some()
            && !b.is_lost()
            && let Some(passed) = pass(game)
        {
            debug_assert!(
                matches!(passed.turn(), Turn::Decide(next) if next != player),
                "a null move must leave the opponent to move, not {passed:?}"
            );
            self.evaluations += 1;
            if Score::opinion(player.sign() * self.evaluator.value(game)) >= b {
                let less = (depth - 3 - depth / 6).max(0);
                let guesses = self.guesses;
                if self.score(&passed, player, less, ply + 1, a, b, None)? >= b {
                    // Not even a win is proven by a move that is none.
                    self.guesses += 1;
                    return Ok(Found { score: b, best: first });
                }
                self.guesses = guesses;
            }
        }
        self.best(node, first)
    }

    /// Near the horizon: the evaluator's word, if that is so far above or below the closed window that the moves left will hardly
    /// change it (futility pruning and razoring).
    #[inline(always)]
    fn seems_decided(&mut self, node: &Node<'_, G>) -> Result<Option<Score>, Interrupted> {
        let &Node { game, player, depth, a, b, previous, .. } = node;
        let Some(doubt) = &self.options.futility else { return Ok(None) };
        if depth > FUTILE || a.is_open(b) || previous.is_none() || b.is_lost() || a.is_won() || self.is_extended(game) {
            return Ok(None);
        }
        self.evaluations += 1;
        let value = player.sign() * self.evaluator.value(game);
        if Score::opinion(doubt(value, -depth)) >= b {
            self.guesses += 1;
            return Ok(Some(Score::opinion(value)));
        }
        if depth <= RAZORED && Score::opinion(doubt(value, depth)) < a {
            return self.settle(&Node { depth: 0, ..*node }).map(Some);
        }
        Ok(None)
    }

    #[inline(always)]
    fn is_extended(&self, game: &G) -> bool {
        self.options.extension.as_ref().is_some_and(|forced| forced(game))
    }

    /// The best score among a node's moves, the one at `first` before all others.
    fn best(&mut self, node: &Node<'_, G>, first: Option<u16>) -> Result<Found, Interrupted> {
        let &Node { game, player, depth, ply, mut a, b, previous } = node;
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        let moves = buf.as_ref();
        debug_assert!(!moves.is_empty(), "no moves in {game:?}");
        let base = self.rank(node, moves, first);
        let options = self.options;
        let mut found = Found { score: Score::MIN, best: None };
        let late = if a.is_open(b) { usize::MAX } else { options.late(depth) };
        let busy = self.busy.filter(|_| depth >= SHARED).map(|busy| (busy, game.key()));
        let ahead = size_of::<G>() <= SMALL && depth > 2 && !self.table.is_disabled();
        // Moves put off while another thread searches them.
        let mut later = Vec::new();
        for i in 0usize.. {
            let (at, rank) = match i.checked_sub(moves.len()) {
                None => base.map_or((i, 0), |base| self.ranks.next(base, i)),
                Some(i) if i < later.len() => later[i],
                Some(_) => break,
            };
            if i >= late && !found.score.is_lost() {
                // So far down the list nothing good is expected.
                self.guesses += 1;
                break;
            }
            let busy = busy.map(|(busy, key)| (busy, Busy::name(key, at)));
            if let Some((busy, name)) = busy
                && i > 0
                && i < moves.len()
                && busy.has(name)
            {
                later.push((at, rank));
                continue;
            }
            let m = moves[at];
            let child = game.after(m);
            if ahead {
                self.table.prefetch(child.key());
                // While this move is searched, what the table knows of the next one comes near.
                if base.is_none()
                    && let Some(&next) = moves.get(i + 1)
                {
                    self.table.prefetch(game.after(next).key());
                }
            }
            if let Some((busy, name)) = busy {
                busy.begin(name);
            }
            let mut search = |less, a, b| self.score(&child, player, depth - 1 - less, ply + 1, a, b, Some(m));
            let score = if i == 0 || !options.scouting {
                search(0, a, b)?
            } else {
                // The first move was the best as a rule: of the others it is enough to see that they are no better.
                let less = options.reduction(depth, i, rank);
                let mut score = search(less, a, a.next())?;
                if less > 0 && score > a {
                    score = search(0, a, a.next())?;
                }
                if score > a && score < b { search(0, a, b)? } else { score }
            };
            if let Some((busy, name)) = busy {
                busy.end(name);
            }
            if score > found.score {
                found = Found { score, best: Some(at as u16) };
                if score > a {
                    if score >= b {
                        if options.learning && moves.len() > 1 {
                            let Self { ranks, learned, .. } = self;
                            let tried = (0..i.min(moves.len())).map(|j| moves[base.map_or(j, |base| ranks.tried(base, j))]);
                            learned.refuted(
                                m,
                                tried.filter(|&other| other != m),
                                player,
                                depth.max(0) as u32,
                                ply as usize,
                                previous,
                            );
                        }
                        break;
                    }
                    a = score;
                    self.best_is(ply, m);
                }
            }
        }
        if let Some(base) = base {
            self.ranks.truncate(base);
        }
        Ok(found)
    }

    /// Puts a node's moves in order, on top of the stack; where they begin.
    #[inline]
    pub(crate) fn rank_moves(
        &mut self,
        game: &G,
        player: Player,
        ply: u32,
        previous: Option<G::Move>,
        moves: &[G::Move],
        first: Option<u16>,
    ) -> usize {
        let base = self.ranks.base();
        self.score_moves(game, player, ply, previous, moves);
        self.ranks.push(first);
        base
    }

    #[inline(always)]
    fn score_moves(&mut self, game: &G, player: Player, ply: u32, previous: Option<G::Move>, moves: &[G::Move]) {
        self.ranks.score(moves.len(), |scores| {
            self.order.scores(game, moves, scores);
            if self.options.learning {
                self.learned.add_to(scores, moves, player, ply as usize, previous);
            }
        });
    }

    /// [`rank_moves`](Tree::rank_moves); `None` if that is the game's own order, which needs no stack.
    #[inline(always)]
    fn rank(&mut self, node: &Node<'_, G>, moves: &[G::Move], first: Option<u16>) -> Option<usize> {
        if first.unwrap_or(0) == 0 && !O::ORDERS && !self.options.learning {
            return None;
        }
        self.score_moves(node.game, node.player, node.ply, node.previous, moves);
        if first.unwrap_or(0) == 0 && self.ranks.is_flat() {
            return None;
        }
        let base = self.ranks.base();
        self.ranks.push(first);
        Some(base)
    }

    /// The score of a last decision: its moves are valued from here, without laying out what they lead to.
    fn last(&mut self, node: &Node<'_, G>) -> Result<Score, Interrupted> {
        let &Node { game, player, ply, a, b, .. } = node;
        let mut buf = G::Moves::default();
        game.moves(&mut buf);
        let moves = buf.as_ref();
        let base = self.ranks.base();
        if O::ORDERS {
            self.ranks.score(moves.len(), |scores| self.order.scores(game, moves, scores));
            self.ranks.push(None);
        }
        self.line_ends(ply + 1, a, b);
        let (low, high) = self.reach(game, player);
        let sign = player.sign();
        // The best score above `a`, and the best opinion below.
        let (mut best, mut below) = (a, Score::MIN);
        let (mut tried, mut ends) = (0u64, 0);
        for i in 0..moves.len() {
            let m = moves[if O::ORDERS { self.ranks.next(base, i).0 } else { i }];
            tried += 1;
            if tried.is_multiple_of(AT_ONCE) {
                self.count(AT_ONCE)?;
            }
            let value = self.evaluator.after(game, m);
            check_value(self.evaluator, game, value);
            let value = sign * value;
            let mut score = Score::opinion(value);
            if !score.may_exceed(best) {
                below = below.max(score);
                continue;
            }
            if value < high && score.is_no_less_than(b) {
                // Enough, even if it is an end. What is lost is worse than the opinion, so it is only known to be enough.
                best = if value < 0.0 { b } else { score };
                break;
            }
            // Only the child itself knows whether this is the end; where ends are worth one point, they are as far as values reach.
            if value != 0.0 && (G::MAX_POINTS > 1 || value >= high || value <= low) && self.is_known(&game.after(m)) {
                score = Score::end(value, ply + 1);
                ends += 1;
            }
            if score > best {
                best = score;
                if score >= b {
                    break;
                }
                self.best_is(ply, m);
            } else {
                below = below.max(score);
            }
        }
        self.ranks.truncate(base);
        self.guesses += tried - ends;
        self.evaluations += tried;
        self.count(tried % AT_ONCE)?;
        // If none is above `a`, all that is known is a bound; one that may be won is better than the opinion.
        Ok(if best > a || below > Score::opinion(0.0) { best } else { below })
    }

    /// Whether a position's value is no opinion.
    #[inline]
    fn is_known(&self, game: &G) -> bool {
        match game.turn() {
            Turn::Over(_) => true,
            Turn::Decide(_) => {
                let bounds = self.evaluator.bounds(game);
                bounds.low >= bounds.high
            }
            Turn::Chance(never) => match never {},
        }
    }

    /// The score at the horizon or below: the evaluator's word, once what is going on has settled.
    fn settle(&mut self, node: &Node<'_, G>) -> Result<Score, Interrupted> {
        let &Node { game, player, depth, ply, mut a, b, .. } = node;
        self.evaluations += 1;
        self.guesses += 1;
        let value = self.evaluator.value(game);
        check_value(self.evaluator, game, value);
        let mut best = Score::opinion(player.sign() * value);
        let Some(noisy) = &self.options.quiescence else { return Ok(best) };
        if depth <= -QUIET_PLIES || best >= b {
            return Ok(best);
        }
        let mut buf = G::Moves::default();
        noisy(game, &mut buf);
        let moves = buf.as_mut();
        self.order.sort(game, moves);
        for &m in &*moves {
            a = a.max(best);
            best = best.max(self.score(&game.after(m), player, depth - 1, ply + 1, a, b, Some(m))?);
            if best >= b {
                break;
            }
        }
        Ok(best)
    }

    #[inline(always)]
    fn count(&mut self, nodes: u64) -> Result<(), Interrupted> {
        if self.watch.count(nodes) { Err(Interrupted) } else { Ok(()) }
    }

    /// A new line from here, nothing in it yet. Closed windows have no lines.
    #[inline(always)]
    fn line_ends(&mut self, ply: u32, a: Score, b: Score) {
        if a.is_open(b) {
            self.lines[ply as usize].clear();
        }
    }

    /// The best line from here begins with `m`.
    fn best_is(&mut self, ply: u32, m: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut head[ply as usize];
        line.clear();
        line.push(m);
        line.extend_from_slice(&tail[0]);
    }
}

/// What the moves of a node came to.
struct Found {
    score: Score,
    /// The best move's place in the game's list.
    best: Option<u16>,
}
