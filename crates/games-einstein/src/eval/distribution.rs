//! When the first stone would be home.

use std::sync::LazyLock;

use gamecore::{Evaluator, Player};

use super::index::{self, POWERS, Parent, VECTORS};
use crate::dice::neighbours;
use crate::lanes::{WIDTH, lane, shifts};
use crate::moves::Move;
use crate::state::Einstein;
use crate::tables::Tables;

/// Winning probability of a race between the two sides, each running alone.
///
/// Let X be the number of own turns until the seat to move has a stone on its goal if nobody is ever captured or in
/// the way, and Y the same for its opponent. The seat to move is taken to win with probability P(X <= Y), for it
/// has the first turn. There is no parameter to tune.
///
/// This is the idea of W. L. Hsueh and T. S. Hsu, *Zweistein: A Dynamic Programming Evaluation Function for Einstein
/// Würfelt Nicht!* (arXiv 2502.15547). What is computed here, exactly:
///
/// - The standard game's side is the vector of its six stones' distances, 15,625 in all. Every step is one that brings
///   the stone closer, and of the two stones that a captured number leaves the choice of, the player moves the one
///   that makes the *expected* number of turns smallest. (Where both expectations are equal, so are the distributions.)
/// - A variant's side is how many of the stones that a die can name are at each distance, and the distance of the
///   nearest other. The die's stone steps forward; a captured stone's face is a pass or, where the choice is free, the
///   step that makes the expected number of turns smallest. With passes X has no bound: what is left after 31 turns
///   of both sides is counted as half won. Blocked stones and side steps are not seen, nor is the turn limit.
///
/// The value is `0.999 * (2p - 1)`, so that even a certain race stays below a win.
///
/// The tables (1.2 MB for the standard game, 1.5 MB for either kind of variant) are made at the first use, in about ten
/// milliseconds.
///
/// # Examples
/// ```
/// use gamecore::Evaluator;
/// use games_einstein::{Einstein, eval::Distribution};
///
/// // One needs one turn, whatever the die shows; Two has no time left.
/// let g: Einstein = "...../...../...../a..1./..... one -".parse()?;
/// assert!(Distribution.value(&g) > 0.99);
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distribution;

/// P(T >= 1), P(T >= 2), ... for a number of turns T; standard game: never more than 19.
type Standard = [f32; 20];
/// The same for the variants, cut off.
type Cut = [f32; 32];

/// P(X <= Y) from the two rows; what is beyond their end in both is half won.
#[inline(always)]
fn first<const N: usize>(x: &[f32; N], y: &[f32; N]) -> f32 {
    let mut sums = [0.0f32; 4];
    for i in 0..N / 4 - 1 {
        for (k, sum) in sums.iter_mut().enumerate() {
            let t = 4 * i + k;
            *sum += (x[t] - x[t + 1]) * y[t];
        }
    }
    for t in N - 4..N - 1 {
        sums[t & 3] += (x[t] - x[t + 1]) * y[t];
    }
    sums.iter().sum::<f32>() + 0.5 * x[N - 1] * y[N - 1]
}

/// A probability as a value for `seat`.
#[inline(always)]
fn value(seat: Player, p: f32) -> f32 {
    seat.sign() * 0.999 * (2.0 * p - 1.0)
}

static STANDARD: LazyLock<Vec<Standard>> = LazyLock::new(|| {
    let mut expected = vec![f64::INFINITY; VECTORS];
    let mut rows = vec![[1.0f64; 20]; VECTORS];
    let home = [0.0; 20];
    // A step lowers the index, so everything after it is known.
    for i in 1..VECTORS {
        let digits = index::digits(i);
        let set = index::set(i) as u32;
        let step = |stone: usize| {
            if digits[stone] == 1 { (0.0, &home) } else { (expected[i - POWERS[stone]], &rows[i - POWERS[stone]]) }
        };
        let (mut mean, mut row) = (1.0, [0.0; 20]);
        row[0] = 1.0;
        for face in 0..6 {
            let (low, high) = neighbours(set, face);
            let (low, high) = (step(low as usize), step(high as usize));
            let (best, after) = if low.0 <= high.0 { low } else { high };
            mean += best / 6.0;
            for t in 1..20 {
                row[t] += after[t - 1] / 6.0;
            }
        }
        (expected[i], rows[i]) = (mean, row);
    }
    rows.iter().map(|row| row.map(|p| p as f32)).collect()
});

/// Sides of a variant: distance of the nearest stone that no die names (0: none), then for the distances 1 to 4 how many
/// of the others there are.
const SIDES: usize = 5 * 7 * 7 * 7 * 7;

/// What one stone at the distance adds to a side's index.
const COUNTS: [usize; 5] = [0, 5, 5 * 7, 5 * 7 * 7, 5 * 7 * 7 * 7];

/// Rows by side, for passes after a captured number and for a free choice.
static VARIANTS: [LazyLock<Vec<Cut>>; 2] = [LazyLock::new(|| variant(false)), LazyLock::new(|| variant(true))];

fn variant(free: bool) -> Vec<Cut> {
    let mut expected = vec![f64::INFINITY; SIDES];
    let mut rows = vec![[1.0f64; 32]; SIDES];
    for i in 1..SIDES {
        let nearest = i % 5;
        let counts = [0, 1, 2, 3, 4].map(|d| if d == 0 { 0 } else { i / COUNTS[d] % 7 });
        let named: usize = counts.iter().sum();
        if named > 6 {
            continue;
        }
        // The step of a stone at distance d lowers the index; 0: home.
        let after = |d: usize| if d == 1 { None } else { Some(i - COUNTS[d] + COUNTS[d - 1]) };
        let mean = |next: Option<usize>| next.map_or(0.0, |side| expected[side]);
        let mut choice = (f64::INFINITY, None);
        if free {
            let other = (nearest > 0).then(|| if nearest == 1 { None } else { Some(i - 1) });
            for next in (1..5).filter(|&d| counts[d] > 0).map(after).chain(other) {
                if mean(next) < choice.0 {
                    choice = (mean(next), next);
                }
            }
        }
        let missing = (6 - named) as f64 / 6.0;
        let p = |d: usize| counts[d] as f64 / 6.0;
        let steps: f64 = (1..5).filter(|&d| counts[d] > 0).map(|d| p(d) * mean(after(d))).sum();
        expected[i] = match (missing > 0.0, free) {
            (false, _) => 1.0 + steps,
            (true, true) => 1.0 + steps + missing * choice.0,
            (true, false) if named == 0 => f64::INFINITY,
            (true, false) => (1.0 + steps) / (1.0 - missing),
        };
        for t in 1..32 {
            let at = |next: Option<usize>| next.map_or(0.0, |side| rows[side][t - 1]);
            let mut still: f64 = (1..5).filter(|&d| counts[d] > 0).map(|d| p(d) * at(after(d))).sum();
            if missing > 0.0 {
                still += missing * if free { at(choice.1) } else { rows[i][t - 1] };
            }
            rows[i][t] = still;
        }
    }
    rows.iter().map(|row| row.map(|p| p as f32)).collect()
}

/// The index of a side of a variant.
fn variant_index(t: &Tables, seat: Player, side: u64) -> usize {
    let (mut index, mut nearest) = (0, 5);
    for shift in shifts(side) {
        let distance = usize::from(t.distance(seat, lane(side, shift)));
        if shift < 6 * WIDTH { index += COUNTS[distance] } else { nearest = distance.min(nearest) }
    }
    index + nearest % 5
}

/// P(X <= Y) for a standard game.
#[inline(always)]
fn standard(rows: &[Standard], next: usize, other: usize) -> f32 {
    first(&rows[next], &rows[other])
}

impl Evaluator<Einstein> for Distribution {
    #[inline]
    fn value(&self, game: &Einstein) -> f32 {
        let (t, mover) = (game.tables.0, game.mover);
        if t.standard {
            let (own, opponent) = (index::of(mover, game.own), index::of(mover.other(), game.opponent));
            return value(mover, standard(&STANDARD, own, opponent));
        }
        let rows = &*VARIANTS[usize::from(t.free_missing)];
        let row = |seat: Player| &rows[variant_index(t, seat, game.side(seat))];
        value(mover, first(row(mover), row(mover.other())))
    }

    #[inline]
    fn after(&self, game: &Einstein, m: Move) -> f32 {
        if !game.tables.0.standard {
            return super::after_child(self, game, m);
        }
        let child = Parent::of(game).child(m);
        if child.won {
            return game.mover.sign();
        }
        value(game.mover.other(), standard(&STANDARD, child.next, child.moved))
    }

    #[inline]
    fn after_all(&self, game: &Einstein, moves: &[Move], out: &mut Vec<f32>) {
        if !game.tables.0.standard {
            return out.extend(moves.iter().map(|&m| self.after(game, m)));
        }
        let (rows, parent) = (&**STANDARD, Parent::of(game));
        out.extend(moves.iter().map(|&m| {
            let child = parent.child(m);
            if child.won { game.mover.sign() } else { value(game.mover.other(), standard(rows, child.next, child.moved)) }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_distributions() {
        for row in &STANDARD[1..] {
            assert!(row[0] == 1.0 && row[19] == 0.0);
            assert!(row.windows(2).all(|w| w[0] >= w[1] - 1e-7));
        }
        for rows in &VARIANTS {
            assert!(rows.iter().all(|row| row[0] == 1.0 && row.windows(2).all(|w| w[0] >= w[1] - 1e-7)));
            // Nobody ever arrives: even.
            assert_eq!(first(&rows[0], &rows[0]), 0.5);
        }
    }

    #[test]
    fn single_stones_and_certain_races() {
        // A lone stone of the standard game moves in every turn.
        for d in 1..5 {
            let row = &STANDARD[d * POWERS[2]];
            assert!((0..20).all(|t| row[t] == f32::from(t < d)));
        }
        // A lone stone that needs its own number: geometric.
        let row = &VARIANTS[0][COUNTS[1]];
        assert!((0..32).all(|t| (f64::from(row[t]) - (5.0f64 / 6.0).powi(t as i32)).abs() < 1e-6));
        // Two stones in the standard game, both two steps away: either way two turns at least, three at most.
        let row = &STANDARD[2 * POWERS[0] + 2 * POWERS[5]];
        assert!(row[2] > 0.0 && row[3] == 0.0 && row[1] == 1.0);
    }

    /// The table against a simulation of the same policy-free case: all six stones alive.
    #[test]
    fn a_full_side_agrees_with_simulation() {
        let mut rng = gamecore::random::generator(21);
        let start = [4u8, 3, 3, 2, 4, 3];
        let n = 200_000;
        let mut longer = [0u32; 20];
        for _ in 0..n {
            let (mut d, mut turns) = (start, 0);
            loop {
                longer[turns] += 1;
                turns += 1;
                let i = gamecore::random::below(&mut rng, 6);
                d[i] -= 1;
                if d[i] == 0 {
                    break;
                }
            }
        }
        let row = &STANDARD[(0..6).map(|i| POWERS[i] * usize::from(start[i])).sum::<usize>()];
        for t in 0..20 {
            assert!((f64::from(longer[t]) / f64::from(n) - f64::from(row[t])).abs() < 0.006, "{t}");
        }
    }
}
