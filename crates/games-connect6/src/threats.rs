//! Threats: rows that one turn of two stones can complete, and what stops them.

use arrayvec::ArrayVec;
use gamecore::{Never, Player, Track};
use lines::{Point, Windows};

use crate::state::Connect6;

/// The points that a row lacks, where one turn can fill them: one, or two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Missing {
    /// In ascending order; of one point, twice the same.
    points: [Point; 2],
}

impl Missing {
    pub(crate) fn one(point: Point) -> Self {
        Self { points: [point; 2] }
    }

    pub(crate) fn two(a: Point, b: Point) -> Self {
        Self { points: if a < b { [a, b] } else { [b, a] } }
    }

    /// The points, in ascending order.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[Point] {
        if self.points[0] == self.points[1] { &self.points[..1] } else { &self.points }
    }

    /// Whether `point` is one of them: whether a stone there stops this row.
    #[inline]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.points[0] == point || self.points[1] == point
    }
}

/// A seat's threats: what its rows lack that it could complete in one turn of two stones, were it to move.
///
/// In Connect6 a window with four stones or five and no enemy's is a threat. How many threats there are, in the usual
/// counting ([Wu and Huang 2005](lines::Turns)), is how many stones it takes to stop them all: [`level`](Self::level).
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use games_connect6::{Connect6, Threats};
///
/// let game: Connect6 = "19/19/19/19/19/19/19/19/19/6xxxx9/19/19/19/19/19/19/19/19/19 two 2".parse()?;
/// let threats = Threats::of(&game.windows(), Player::One);
/// assert_eq!((threats.rows().len(), threats.level()), (3, 2));
/// assert_eq!(threats.blocking_pairs().len(), 3); // next to both ends, or next to one and a step away from the other
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Threats {
    rows: Vec<Missing>,
}

impl Threats {
    /// All threats of `player`.
    #[must_use]
    pub fn of(windows: &Windows, player: Player) -> Self {
        Self::within(windows, player, 2)
    }

    /// Only those that so many stones complete, 1 or 2.
    #[must_use]
    pub fn within(windows: &Windows, player: Player, stones: u8) -> Self {
        let mut rows = Vec::new();
        for lacks in 1..=stones.min(2) {
            for window in windows.with_stones(player, windows.length() - lacks) {
                let mut missing = window.missing();
                match (missing.next(), missing.next()) {
                    (Some(a), Some(b)) => rows.push(Missing::two(a, b)),
                    (Some(a), None) => rows.push(Missing::one(a)),
                    (None, _) => {}
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        Self { rows }
    }

    /// What each row lacks, without duplicates and in ascending order. Two that share points are two, also if one of them lacks
    /// less.
    #[must_use]
    pub fn rows(&self) -> &[Missing] {
        &self.rows
    }

    /// How many stones it takes to stop them all: 0, 1 (a single threat), 2 (double), or 3 for three or more (triple).
    #[must_use]
    pub fn level(&self) -> u8 {
        level(&self.rows)
    }

    /// Every point on which one stone stops them all; none if there is no threat.
    #[must_use]
    pub fn blocking_points(&self) -> Vec<Point> {
        let Some(first) = self.rows.first() else { return Vec::new() };
        first.points().iter().copied().filter(|&p| self.rows.iter().all(|row| row.contains(p))).collect()
    }

    /// Every pair of points on which two stones stop them all, and neither alone does; each in ascending order, and so the list.
    /// With [`blocking_points`](Self::blocking_points) (and any second stone) that is everything.
    #[must_use]
    pub fn blocking_pairs(&self) -> Vec<[Point; 2]> {
        let singles = self.blocking_points();
        blocking_pairs(&self.rows).into_iter().filter(|pair| !pair.iter().any(|p| singles.contains(p))).collect()
    }

    /// Whether stones on these points stop them all.
    #[must_use]
    pub fn are_stopped_by(&self, points: &[Point]) -> bool {
        self.rows.iter().all(|row| points.iter().any(|&p| row.contains(p)))
    }
}

/// How many points it takes to have one of each set: 0, 1, 2, or 3 for more.
#[inline]
pub(crate) fn level(rows: &[Missing]) -> u8 {
    let Some(first) = rows.first() else { return 0 };
    let mut level = 3;
    for &a in first.points() {
        let Some(next) = rows.iter().position(|row| !row.contains(a)) else { return 1 };
        let rest = &rows[next..];
        if level == 3 && rest[0].points().iter().any(|&b| rest.iter().all(|row| row.contains(a) || row.contains(b))) {
            level = 2;
        }
    }
    level
}

/// The pairs of points that stop all of these rows, where no point does so alone: each in ascending order, and so the list.
pub(crate) fn blocking_pairs(rows: &[Missing]) -> ArrayVec<[Point; 2], 4> {
    let mut pairs = ArrayVec::new();
    let Some(first) = rows.first() else { return pairs };
    // One of the two has to stop the first row, and the other what that leaves: at most two times two.
    for &a in first.points() {
        let mut rest = rows.iter().filter(|row| !row.contains(a));
        let Some(second) = rest.next() else { continue };
        for &b in second.points() {
            let pair = if a < b { [a, b] } else { [b, a] };
            if !pairs.contains(&pair) && rest.clone().all(|row| row.contains(b)) {
                pairs.push(pair);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The turns that win at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Winning {
    /// Points where one stone wins.
    pub points: Vec<Point>,
    /// Pairs that win together, neither of them a winning point; each in ascending order.
    pub pairs: Vec<[Point; 2]>,
}

impl Winning {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.pairs.is_empty()
    }
}

impl Connect6 {
    /// All windows of the board, from scratch. [`Windows`] are a [`Track`] of this game.
    #[must_use]
    pub fn windows(&self) -> Windows {
        Windows::new(self.board(), self.rules().goal())
    }
}

/// Every turn of `player` that wins at once with so many stones, 1 or 2.
#[must_use]
pub fn winning(windows: &Windows, player: Player, stones: u8) -> Winning {
    let mut found = Winning::default();
    for row in Threats::within(windows, player, stones).rows {
        match *row.points() {
            [a] => found.points.push(a),
            [a, b] => found.pairs.push([a, b]),
            _ => {}
        }
    }
    let points = &found.points;
    found.pairs.retain(|pair| !pair.iter().any(|p| points.contains(p)));
    found
}

impl Track<Connect6> for Windows {
    fn of(game: &Connect6) -> Self {
        game.windows()
    }

    #[inline]
    fn played(&mut self, before: &Connect6, m: Point) {
        self.place(m, before.mover());
    }

    fn resolved(&mut self, _: &Connect6, event: Never) {
        match event {}
    }
}
