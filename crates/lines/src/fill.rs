//! Random games played out at once.

use gamecore::Player;
use rand::Rng;

use crate::board::Board;
use crate::goal::{Goal, Row};
use crate::point::{LARGEST, POINTS, Point};
use crate::turns::Turns;

/// Words of a board in one piece: its rows one after another, an empty column between them.
const WORDS: usize = (POINTS + LARGEST as usize).div_ceil(64);
/// Of a board of 19 rows, which gets code of its own.
const WORDS_19: usize = (19usize * 20).div_ceil(64);

/// A board in one piece, both seats' stones side by side, so that one instruction serves both.
type Stones<const W: usize> = [[u64; 2]; W];

/// How a game of random stones ends: the same as putting a stone on a random empty point until somebody has won, but several
/// times as fast, because wins are looked for once in many stones, on the whole board; of the rows found, the one that was
/// completed first has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomEnd {
    /// Who completed a row; `None` if nobody did and the board is full.
    pub winner: Option<Player>,
    /// How many stones that took, the last one included.
    pub stones: u16,
}

impl RandomEnd {
    /// Plays on from a board on which nobody has won. `mover` puts `left` stones, then each seat in turn as many as `turns` says
    /// of later turns.
    ///
    /// Four points are drawn from one random number (Brackett-Rozinsky and Lemire, *Batched ranged random integer generation*,
    /// 2024); no point's chance is off by more than one part in 10^8.
    ///
    /// # Panics
    /// Unless rows longer than the goal win too ([`Row::AtLeast`]): others can be spoilt after they were made.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(board: &Board, turns: Turns, mover: Player, left: u8, goal: Goal, rng: &mut R) -> Self {
        Self::draw_and_show(board, turns, mover, left, goal, rng, |_| {})
    }

    /// The same; `see` is shown the stones in order, some more than were needed.
    #[inline(always)]
    fn draw_and_show<R: Rng + ?Sized>(
        board: &Board,
        turns: Turns,
        mover: Player,
        left: u8,
        goal: Goal,
        rng: &mut R,
        see: impl FnMut(Point),
    ) -> Self {
        assert!(goal.row() == Row::AtLeast, "the goal must be a row of at least so many stones, not {goal:?}");
        match (board.size(), goal) {
            (19, Goal::SIX_OR_MORE) => fill::<WORDS_19, R>(board, 19, turns, mover, left, Goal::SIX_OR_MORE, rng, see),
            (size, goal) => fill::<WORDS, R>(board, size, turns, mover, left, goal, rng, see),
        }
    }
}

/// All words shifted down together, by 1 to 63 bits.
#[inline(always)]
fn shifted<const W: usize>(stones: &Stones<W>, by: u32) -> Stones<W> {
    let mut out = [[0; 2]; W];
    for i in 0..W {
        for seat in 0..2 {
            let above = if i + 1 < W { stones[i + 1][seat] } else { 0 };
            out[i][seat] = stones[i][seat] >> by | above << (64 - by);
        }
    }
    out
}

/// The points from which `stones` run `by` and its multiples on as well.
#[inline(always)]
fn both<const W: usize>(stones: &Stones<W>, by: u32) -> Stones<W> {
    let mut out = shifted(stones, by);
    for i in 0..W {
        for seat in 0..2 {
            out[i][seat] &= stones[i][seat];
        }
    }
    out
}

/// Where rows of `length` begin that run by steps of `step`.
#[inline(always)]
fn rows<const W: usize>(stones: &Stones<W>, step: u32, length: u32) -> Stones<W> {
    let two = both(stones, step);
    match length {
        3 => both(&two, step),
        4 => both(&two, 2 * step),
        5 => both(&both(&two, 2 * step), step),
        _ => both(&both(&two, 2 * step), 2 * step),
    }
}

#[expect(clippy::too_many_arguments, reason = "a caller of its own knows them apart")]
#[inline(always)]
fn fill<const W: usize, R: Rng + ?Sized>(
    board: &Board,
    size: u8,
    turns: Turns,
    mover: Player,
    left: u8,
    goal: Goal,
    rng: &mut R,
    mut see: impl FnMut(Point),
) -> RandomEnd {
    let (side, length) = (u32::from(size), u32::from(goal.length()));
    let stride = side + 1;
    let mut stones: Stones<W> = [[0; 2]; W];
    let mut points = [0u16; POINTS];
    let mut empty = 0;
    for y in 0..size {
        let [one, two] = Player::BOTH.map(|seat| board.row(y, seat));
        let first = u32::from(y) * stride;
        for (seat, row) in [one, two].into_iter().enumerate() {
            let (word, bit) = ((first / 64) as usize, first % 64);
            let spread = u128::from(row) << bit;
            stones[word][seat] |= spread as u64;
            if word + 1 < W {
                stones[word + 1][seat] |= (spread >> 64) as u64;
            }
        }
        let free = !(one | two);
        for x in 0..side {
            points[empty] = (first + x) as u16;
            empty += (free >> x & 1) as usize;
        }
    }

    // By point: the number of the stone put there, from 1.
    let mut numbers = [[0u16; 64]; W];
    let (mut seat, mut left) = (mover.index(), u32::from(left));
    let area = usize::from(size) * usize::from(size);
    let mut next_look = (area * FIRST_LOOK[length as usize - 3] / 100).saturating_sub(area - empty);
    let mut put = 0;
    while put < empty {
        // Four stones to a random number, but not past the end.
        let mut draw = rng.next_u64();
        for _ in 0..4.min(empty - put) {
            let wide = u128::from(draw) * (empty - put) as u128;
            draw = wide as u64;
            points.swap(put, put + (wide >> 64) as usize);
            let point = points[put];
            see(Point::at((u32::from(point) % stride) as u8, (u32::from(point) / stride) as u8));
            put += 1;
            let (word, bit) = (usize::from(point / 64), usize::from(point % 64));
            stones[word][seat] |= 1 << bit;
            numbers[word][bit] = put as u16;
            left -= 1;
            if left == 0 {
                seat ^= 1;
                left = u32::from(turns.each());
            }
        }
        if put >= next_look || put == empty {
            next_look = put + (area / NEXT_LOOKS).max(4);
            let mut first = None::<(u16, usize)>;
            for step in [1, stride, stride + 1, stride - 1] {
                let found = rows(&stones, step, length);
                if found.iter().fold(0, |all, word| all | word[0] | word[1]) != 0 {
                    first = earliest(&found, &numbers, step, length, first);
                }
            }
            if let Some((number, seat)) = first {
                return RandomEnd { winner: Some(Player::BOTH[seat]), stones: number };
            }
        }
    }
    RandomEnd { winner: None, stones: empty as u16 }
}

/// By length from 3 on: how many points in a hundred have stones when wins are first looked for.
const FIRST_LOOK: [usize; 4] = [4, 14, 28, 42];
/// From then on, after so many parts of the board each.
const NEXT_LOOKS: usize = 12;

/// The row that was completed first: the number of its last stone, and whose it is.
#[inline(never)]
fn earliest<const W: usize>(
    found: &Stones<W>,
    numbers: &[[u16; 64]; W],
    step: u32,
    length: u32,
    mut first: Option<(u16, usize)>,
) -> Option<(u16, usize)> {
    for (i, pair) in found.iter().enumerate() {
        for (seat, &word) in pair.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let start = 64 * i as u32 + word.trailing_zeros();
                word &= word - 1;
                let stone = |k| {
                    let at = (start + k * step) as usize;
                    numbers[at / 64][at % 64]
                };
                let last = (0..length).map(stone).max().unwrap_or(0);
                if first.is_none_or(|f| last < f.0) {
                    first = Some((last, seat));
                }
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::random::{below, generator};

    /// The points shown, put one by one, end the game at the same stone with the same winner; every empty point is shown once
    /// at most, and all if nobody wins.
    #[test]
    fn stones_put_one_by_one_end_the_same() {
        let (mut wins, mut draws) = (0, 0);
        for seed in 0..600 {
            let rng = &mut generator(seed);
            let size = if seed % 3 == 0 { 19 } else { 3 + below(rng, 18) as u8 };
            let length = if seed % 3 == 0 { 6 } else { 3 + below(rng, usize::from(size.min(6)) - 2) as u8 };
            let goal = Goal::new(length, Row::AtLeast).unwrap();
            let turns = Turns::new(1, 1 + below(rng, 3) as u8).unwrap();
            let (mut board, mut stones) = (Board::new(size).unwrap(), Vec::new());
            for _ in 0..below(rng, usize::from(size) * usize::from(size) / 2) {
                let (point, player) = (board.random_empty(rng).unwrap(), Player::BOTH[below(rng, 2)]);
                board.place(point, player);
                if board.wins_at(point, player, goal) {
                    board.remove(point, player);
                }
            }
            let mover = Player::BOTH[below(rng, 2)];
            let left = 1 + below(rng, usize::from(turns.each())) as u8;
            let end = RandomEnd::draw_and_show(&board, turns, mover, left, goal, &mut rng.clone(), |p| stones.push(p));
            assert_eq!(end, RandomEnd::draw(&board, turns, mover, left, goal, rng));
            let (mut seat, mut left, mut now, mut slow) = (mover, left, board, None);
            for (i, &point) in stones.iter().enumerate() {
                // Debug builds complain about points that are not empty.
                now.place(point, seat);
                if slow.is_none() && now.wins_at(point, seat, goal) {
                    slow = Some(RandomEnd { winner: Some(seat), stones: i as u16 + 1 });
                }
                left -= 1;
                if left == 0 {
                    (seat, left) = (seat.other(), turns.each());
                }
            }
            let full = RandomEnd { winner: None, stones: board.empty_count() };
            assert!(slow.is_some() || now.empty_count() == 0, "seed {seed}");
            assert_eq!(end, slow.unwrap_or(full), "seed {seed}");
            if slow.is_some() { wins += 1 } else { draws += 1 }
        }
        assert!(wins > 100 && draws >= 10, "{wins} wins and {draws} draws");
    }

    /// Each point comes first equally often, and second.
    #[test]
    fn orders_are_fair() {
        let rng = &mut generator(3);
        let board = Board::new(5).unwrap();
        let goal = Goal::new(3, Row::AtLeast).unwrap();
        let mut counts = [[0u32; 25]; 3];
        for _ in 0..10_000 {
            let mut points = Vec::new();
            _ = RandomEnd::draw_and_show(&board, Turns::ONE, Player::One, 1, goal, rng, |p| points.push(p));
            for (place, counts) in counts.iter_mut().enumerate() {
                counts[usize::from(points[place].y() * 5 + points[place].x())] += 1;
            }
        }
        // 400 expected, the standard deviation is 20.
        assert!(counts.iter().flatten().all(|n| n.abs_diff(400) < 110), "{counts:?}");
    }
}
