//! Windows: places for a row, and how far each seat has come with them.

use gamecore::{Never, Player, Track};
use lines::{Direction, LARGEST, Point};

use crate::rules::LONGEST;
use crate::state::{Connect6, MOST_MOVES};

pub(crate) const SIDE: usize = LARGEST as usize;
/// From a point's number to the next one's, by direction.
const STRIDES: [usize; 4] = [1, SIDE, SIDE + 1, SIDE - 1];
/// Windows of the four directions, a bit each.
const WORDS: usize = (4 * MOST_MOVES).div_ceil(64);
/// Numbers of stones in a window, none to all.
pub(crate) const KINDS: usize = LONGEST as usize + 1;

/// What a stone on an empty point adds for its seat, by window through the point and by the number of own stones there already;
/// a window with a stone of the other seat adds nothing.
const OWN: [i16; KINDS] = [1, 5, 16, 30, 60, 60, 0];

/// All windows of a position: as many points in line as a row needs. A window is open to a seat as long as the other has no
/// stone in it, and then counts by how many it has itself.
///
/// A stone changes at most six windows in each direction. 3.7 KiB, without heap; searches copy it.
#[derive(Clone)]
pub struct Windows {
    /// By direction and first point: One's stones in the low four bits, Two's in the high ones.
    codes: [[u8; MOST_MOVES]; 4],
    /// By seat: what a stone on each point would add. Of no meaning where a stone stands.
    worth: [[i16; MOST_MOVES]; 2],
    /// By seat: windows that one turn can fill, a bit each.
    hot: [[u64; WORDS]; 2],
    /// By seat and number of own stones: how many windows are open to it.
    counts: [[u16; KINDS]; 2],
    /// Windows with so many stones can be filled in one turn.
    near: u8,
    length: u8,
    size: u8,
}

/// A window: its direction and first point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    direction: u8,
    first: u16,
}

impl Windows {
    /// Of an empty board.
    fn empty(game: &Connect6) -> Self {
        let rules = game.rules();
        let (size, length) = (rules.size(), rules.length());
        let mut new = Self {
            codes: [[0; MOST_MOVES]; 4],
            worth: [[0; MOST_MOVES]; 2],
            hot: [[0; WORDS]; 2],
            counts: [[0; KINDS]; 2],
            near: length.saturating_sub(rules.turns().each()),
            length,
            size,
        };
        for point in game.board().points() {
            for direction in 0..4 {
                let (before, after) = new.ends(point, direction);
                // Where windows through the point can begin, counted backwards from it.
                let windows = before.min(length - 1) + 1 - (length - 1).saturating_sub(after).min(before + 1);
                let windows = if before + after + 1 < length { 0 } else { windows };
                for player in Player::BOTH {
                    new.worth[player][number(point)] += OWN[0] * i16::from(windows);
                    new.counts[player][0] += u16::from(after + 1 >= length);
                }
            }
        }
        if new.near == 0 {
            // Any open window will do, then; there is no need to follow them.
            new.near = 1;
        }
        new
    }

    /// Steps from a point to both ends of its line.
    #[inline(always)]
    fn ends(&self, point: Point, direction: usize) -> (u8, u8) {
        let (x, y, last) = (point.x(), point.y(), self.size - 1);
        match direction {
            0 => (x, last - x),
            1 => (y, last - y),
            2 => (x.min(y), last - x.max(y)),
            _ => ((last - x).min(y), x.min(last - y)),
        }
    }

    /// Puts a stone on an empty point.
    pub fn place(&mut self, point: Point, player: Player) {
        let length = usize::from(self.length);
        let (shift, other_shift) = if player == Player::One { (0, 4) } else { (4, 0) };
        let other = player.other();
        let at = number(point);
        for (direction, stride) in STRIDES.into_iter().enumerate() {
            let (before, after) = self.ends(point, direction);
            let (before, after) = (usize::from(before), usize::from(after));
            if before + after + 1 < length {
                continue;
            }
            // The first points of the windows through the point are so many steps before it.
            let (far, near) = (before.min(length - 1), (length - 1).saturating_sub(after));
            // What the points of the line gain, as differences from one to the next; by seat.
            let mut gains = [[0i16; 2]; 2 * LONGEST as usize];
            for back in (near..=far).rev() {
                let first = at - back * stride;
                let code = self.codes[direction][first];
                let (own, enemy) = (usize::from(code >> shift & 15), usize::from(code >> other_shift & 15));
                self.codes[direction][first] = code + (1 << shift);
                let from = far - back;
                if enemy == 0 {
                    let gain = OWN[own + 1] - OWN[own];
                    gains[from][0] += gain;
                    gains[from + length][0] -= gain;
                    self.counts[player][own] -= 1;
                    self.counts[player][own + 1] += 1;
                    if own + 1 >= usize::from(self.near) {
                        self.mark(player, direction, first, true);
                    }
                }
                if own == 0 {
                    gains[from][1] -= OWN[enemy];
                    gains[from + length][1] += OWN[enemy];
                    self.counts[other][enemy] -= 1;
                    if enemy >= usize::from(self.near) {
                        self.mark(other, direction, first, false);
                    }
                }
            }
            let start = at - far * stride;
            let mut sums = [0; 2];
            for (i, gain) in gains.iter().enumerate().take(far - near + length) {
                sums[0] += gain[0];
                sums[1] += gain[1];
                self.worth[player][start + i * stride] += sums[0];
                self.worth[other][start + i * stride] += sums[1];
            }
        }
    }

    #[inline(always)]
    fn mark(&mut self, player: Player, direction: usize, first: usize, on: bool) {
        let bit = direction * MOST_MOVES + first;
        let word = &mut self.hot[player][bit / 64];
        *word = *word & !(1 << (bit % 64)) | u64::from(on) << (bit % 64);
    }

    /// What a stone of `player` on an empty point would add to its windows: a sum over the windows through the point that are
    /// open to the seat, more the more stones they hold.
    #[inline]
    #[must_use]
    pub fn worth(&self, point: Point, player: Player) -> i32 {
        self.worth[player][number(point)].into()
    }

    /// Of all points, by number.
    #[inline]
    pub(crate) fn worths(&self, player: Player) -> &[i16; MOST_MOVES] {
        &self.worth[player]
    }

    /// The [`counts`](Self::counts) after a stone of `player` on an empty point, by seat, without putting it.
    #[must_use]
    pub fn counts_after(&self, point: Point, player: Player) -> [[u16; LONGEST as usize + 1]; 2] {
        let length = usize::from(self.length);
        let mut counts = self.counts;
        let (shift, other_shift) = if player == Player::One { (0, 4) } else { (4, 0) };
        let at = number(point);
        for (direction, stride) in STRIDES.into_iter().enumerate() {
            let (before, after) = self.ends(point, direction);
            let (far, near) = (usize::from(before).min(length - 1), (length - 1).saturating_sub(after.into()));
            if before + after + 1 < self.length {
                continue;
            }
            for back in near..=far {
                let code = self.codes[direction][at - back * stride];
                let (own, enemy) = (usize::from(code >> shift & 15), usize::from(code >> other_shift & 15));
                let open = u16::from(enemy == 0);
                counts[player][own] -= open;
                counts[player][own + 1] += open;
                counts[player.other()][enemy] -= u16::from(own == 0);
            }
        }
        counts
    }

    /// How many windows through an empty point are open to `player`, by the number of its stones there.
    #[must_use]
    pub fn through(&self, point: Point, player: Player) -> [u16; LONGEST as usize + 1] {
        // A stone there would give each of them one more.
        let after = self.counts_after(point, player)[player];
        let mut through = [0; KINDS];
        let mut more = 0;
        for own in 0..KINDS {
            // Windows that leave this kind less those that come to it.
            through[own] = (self.counts[player][own] + more).saturating_sub(after[own]);
            more = through[own];
        }
        through
    }

    /// How many of these windows one turn can fill.
    #[inline]
    #[must_use]
    pub(crate) fn hot(&self, counts: &[u16; KINDS]) -> u16 {
        counts[usize::from(self.near)..].iter().sum()
    }

    /// How many windows are open to `player`, by the number of its stones there.
    #[inline]
    #[must_use]
    pub fn counts(&self, player: Player) -> &[u16; LONGEST as usize + 1] {
        &self.counts[player]
    }

    /// Of both seats.
    #[inline]
    pub(crate) fn both_counts(&self) -> &[[u16; KINDS]; 2] {
        &self.counts
    }

    /// The windows that `player` could fill with the stones of a whole turn.
    #[inline]
    pub fn threats(&self, player: Player) -> impl Iterator<Item = Window> + use<'_> {
        self.hot[player].iter().enumerate().flat_map(|(i, &word)| {
            let mut word = word;
            core::iter::from_fn(move || {
                let bit = i * 64 + word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    Window { direction: (bit / MOST_MOVES) as u8, first: (bit % MOST_MOVES) as u16 }
                })
            })
        })
    }

    /// Whether there is any.
    #[inline]
    #[must_use]
    pub fn threatens(&self, player: Player) -> bool {
        self.hot(&self.counts[player]) > 0
    }

    /// How many stones `player` has in a window.
    #[inline]
    #[must_use]
    pub fn stones(&self, window: Window, player: Player) -> u8 {
        let code = self.codes[usize::from(window.direction)][usize::from(window.first)];
        if player == Player::One { code & 15 } else { code >> 4 }
    }

    /// The points of a window.
    #[inline]
    pub fn points(&self, window: Window) -> impl Iterator<Item = Point> + use<> {
        let stride = STRIDES[usize::from(window.direction)];
        (0..usize::from(self.length)).filter_map(move |i| point(usize::from(window.first) + i * stride))
    }
}

impl Window {
    /// The way it runs.
    #[must_use]
    pub const fn direction(self) -> Direction {
        Direction::ALL[self.direction as usize]
    }
}

/// A point's number, row by row.
#[inline(always)]
pub(crate) const fn number(point: Point) -> usize {
    point.y() as usize * SIDE + point.x() as usize
}

/// The point of a number.
#[inline(always)]
pub(crate) fn point(number: usize) -> Option<Point> {
    Point::new((number % SIDE) as u8, (number / SIDE) as u8)
}

impl Track<Connect6> for Windows {
    fn of(game: &Connect6) -> Self {
        let mut windows = Self::empty(game);
        for point in game.board().points() {
            if let Some(player) = game.board().stone(point) {
                windows.place(point, player);
            }
        }
        windows
    }

    #[inline]
    fn played(&mut self, before: &Connect6, m: Point) {
        self.place(m, before.mover());
    }

    fn resolved(&mut self, _: &Connect6, event: Never) {
        match event {}
    }
}

impl PartialEq for Windows {
    fn eq(&self, other: &Self) -> bool {
        (self.codes, self.worth, self.hot, self.counts) == (other.codes, other.worth, other.hot, other.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use gamecore::{Game, random};

    /// Stone by stone comes to what a count from scratch finds.
    #[test]
    fn windows_are_counted_right() {
        let mut rng = random::generator(3);
        for rules in
            [Rules::CONNECT6, Rules::connect6(7).unwrap(), Rules::new(9, 4, 1, 1).unwrap(), Rules::new(5, 5, 3, 2).unwrap()]
        {
            let mut game = Connect6::start(rules);
            let mut windows = Windows::of(&game);
            while game.outcome().is_none() {
                let (mut counts, mut worth) = ([[0u16; KINDS]; 2], [[0i16; MOST_MOVES]; 2]);
                let mut hot = [0, 0];
                for start in game.board().points() {
                    for direction in Direction::ALL {
                        let points: Vec<Point> = (0..rules.length() as i8)
                            .filter_map(|i| start.step(direction, i))
                            .filter(|&p| game.board().holds(p))
                            .collect();
                        if points.len() < rules.length().into() {
                            continue;
                        }
                        for player in Player::BOTH {
                            let by = |player| points.iter().filter(|&&p| game.board().stone(p) == Some(player)).count();
                            if by(player.other()) == 0 {
                                counts[player][by(player)] += 1;
                                hot[player] += usize::from(by(player) >= windows.near.into());
                                points.iter().for_each(|&p| worth[player][number(p)] += OWN[by(player)]);
                            }
                        }
                    }
                }
                assert_eq!(counts, windows.counts, "{game}");
                let next = game.random_move(&mut rng);
                let mut after = windows.clone();
                after.played(&game, next);
                assert_eq!(windows.counts_after(next, game.mover()), after.counts, "{next:?} in {game}");
                for player in Player::BOTH {
                    assert_eq!(windows.threats(player).count(), hot[player], "{game}");
                    assert_eq!(windows.threatens(player), hot[player] > 0, "{game}");
                    for p in game.board().empty_points() {
                        assert_eq!(windows.worth(p, player), worth[player][number(p)].into(), "{p:?} in {game}");
                    }
                    for window in windows.threats(player) {
                        assert!(windows.stones(window, player) >= windows.near && windows.stones(window, player.other()) == 0);
                    }
                }
                let m = game.random_move(&mut rng);
                windows.played(&game, m);
                game.play(m);
            }
        }
    }
}
