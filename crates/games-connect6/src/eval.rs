//! What a position is worth.

use core::sync::atomic::{AtomicU64, Ordering};

use gamecore::{Bounds, Evaluator, Game, Player};
use lines::{Forced, Point};

use crate::narrow::Narrowed;
use crate::vcdt::Vcdt;
/// Numbers of stones in a window, none to six.
const KINDS: usize = 7;

/// Counts windows, in points for [`Player::One`](gamecore::Player::One), and knows wins that are a turn away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count;

/// What windows are worth to whoever has this many stones left in the turn; by the stones in an open window.
struct Weights {
    own: [f32; KINDS],
    other: [f32; KINDS],
    base: f32,
}

/// With one stone left, and with more.
const WEIGHTS: [Weights; 2] = [
    Weights { own: [0.0, 1.0, 4.0, 9.0, 15.0, 15.0, 0.0], other: [0.0, 1.0, 4.0, 8.0, 10.0, 10.0, 0.0], base: 8.0 },
    Weights { own: [0.0, 1.0, 4.0, 9.0, 15.0, 15.0, 0.0], other: [0.0, 1.0, 4.0, 8.0, 10.0, 10.0, 0.0], base: 16.0 },
];
/// A difference of sums that is worth half a point.
const HALF: f32 = 60.0;

/// The value for One by the numbers of open windows.
#[inline]
fn count(counts: &[[u16; KINDS]; 2], mover: Player, left: u8) -> f32 {
    let weights = &WEIGHTS[usize::from(left > 1)];
    let (own, other) = (&counts[mover], &counts[mover.other()]);
    let mut ahead = weights.base;
    for i in 1..KINDS {
        ahead += f32::from(own[i]) * weights.own[i] - f32::from(other[i]) * weights.other[i];
    }
    mover.sign() * ahead / (HALF + ahead.abs())
}

impl Evaluator<Narrowed> for Count {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        if let Some(winner) = game.winner() {
            return winner.sign();
        }
        count(game.windows().all_alive(), game.game().mover(), game.game().left())
    }

    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        let (bare, windows) = (game.game(), game.windows());
        let (mover, rules) = (bare.mover(), bare.rules());
        let counts = windows.alive_after(mover, m);
        if counts[mover][usize::from(rules.length())] > 0 {
            return mover.sign();
        }
        let (next, left) = if bare.left() > 1 { (mover, bare.left() - 1) } else { (mover.other(), rules.turns().each()) };
        let length = usize::from(rules.length());
        if counts[next][length.saturating_sub(left.into())..length].iter().any(|&n| n > 0) {
            return next.sign();
        }
        if game.hot(&counts, next.other()) > left.into() || bare.board().empty_count() < 2 {
            // Perhaps too many threats to stop.
            let after = game.after(m);
            return match after.game().outcome() {
                Some(outcome) => self.terminal(&after, outcome),
                None => self.value(&after),
            };
        }
        count(&counts, next, left)
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        game.winner().map_or(Bounds::symmetric(1.0), |player| Bounds::exact(player.sign()))
    }
}

/// [`Count`] that also knows wins by continuous double threats ([`Vcdt`](crate::Vcdt)) of whoever begins a turn.
///
/// [`bounds`](Evaluator::bounds) look for one, at most so many turns and nodes far; what was found is remembered by key, in a
/// table that threads share without locks.
#[derive(Debug)]
pub struct Forcing {
    turns: u8,
    nodes: u64,
    known: Box<[AtomicU64]>,
}

/// Positions that [`Forcing`] remembers.
const REMEMBERED: usize = 1 << 17;

impl Forcing {
    /// Looks for wins of at most so many turns, the winning one included, and nodes; with 0 of either, for none.
    #[must_use]
    pub fn new(turns: u8, nodes: u64) -> Self {
        Self { turns, nodes, known: (0..REMEMBERED).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Forgets what it remembers.
    pub fn clear(&mut self) {
        self.known.iter_mut().for_each(|entry| *entry.get_mut() = 0);
    }

    /// Whether the mover, at the beginning of a turn, is known to win by double threats.
    #[must_use]
    pub fn wins(&self, game: &Narrowed) -> bool {
        let (bare, windows) = (game.game(), game.windows());
        let (mover, rules) = (bare.mover(), bare.rules());
        let alive = &windows.all_alive()[mover];
        let length = usize::from(rules.length());
        let begins = bare.left() == 2 && rules.turns().each() == 2 && length > 4;
        // Two windows that lack three stones, or enough of four for one line to be threatened twice.
        if self.turns < 2 || self.nodes == 0 || !begins || alive[length - 3] < 2 && alive[length - 4] < 3 {
            return false;
        }
        let key = bare.key();
        let slot = &self.known[(key >> 40) as usize % REMEMBERED];
        let found = slot.load(Ordering::Relaxed);
        if (found ^ key) >> 2 == 0 && found & 3 != 0 {
            return found & 3 == 2;
        }
        let mut search = Vcdt::default().with_turns(self.turns).with_nodes(self.nodes);
        let won = matches!(search.win(windows, mover, bare.left()), Forced::Win(_));
        slot.store(key & !3 | if won { 2 } else { 1 }, Ordering::Relaxed);
        won
    }
}

impl Clone for Forcing {
    fn clone(&self) -> Self {
        Self::new(self.turns, self.nodes)
    }
}

impl Evaluator<Narrowed> for Forcing {
    #[inline]
    fn value(&self, game: &Narrowed) -> f32 {
        if game.winner().is_none() && self.wins(game) { game.game().mover().sign() } else { Count.value(game) }
    }

    #[inline]
    fn after(&self, game: &Narrowed, m: Point) -> f32 {
        Count.after(game, m)
    }

    #[inline]
    fn bounds(&self, game: &Narrowed) -> Bounds {
        let bounds = Count.bounds(game);
        if bounds.low < bounds.high && self.wins(game) { Bounds::exact(game.game().mover().sign()) } else { bounds }
    }
}
