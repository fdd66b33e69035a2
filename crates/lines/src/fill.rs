//! Random games played out at once.

use gamecore::Player;
use gamecore::random::below;
use rand::Rng;

use crate::board::Board;
use crate::goal::{Goal, Row};
use crate::point::{LARGEST, POINTS};
use crate::turns::Turns;

const SIDE: usize = LARGEST as usize;
/// Rows in one random number.
const PACKED: usize = 3;
const PACKS: usize = SIDE.div_ceil(PACKED);
/// Rows, and empty ones below them, so that shifts of a whole board need no end.
const ROWS: usize = SIDE + 4;

/// A board of one seat's stones, a word a row.
type Stones = [u32; ROWS];

/// How a game of random stones ends: the same as putting a stone on a random empty point until somebody has won, but many times
/// as fast.
///
/// The stones that each seat will put are drawn as sets, a random bit or three for each point of the board, and their order only as
/// far as it matters: that of the stones in rows that win. Of these the one that is complete first has won, if that is before the
/// drawn stones of either seat run out; otherwise all the rest is drawn. That is the distribution of random games, not an
/// approximation of it: an order of points is a division among the seats and then an order of each seat's, and how many of them are
/// revealed first does not depend on which they are.
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
    /// # Panics
    /// Unless rows longer than the goal win too ([`Row::AtLeast`]): others can be spoilt after they were made.
    #[inline]
    pub fn draw<R: Rng + ?Sized>(board: &Board, turns: Turns, mover: Player, left: u8, goal: Goal, rng: &mut R) -> Self {
        assert!(goal.row() == Row::AtLeast, "the goal must be a row of at least so many stones, not {goal:?}");
        let mut fill = Fill::new(board, Times { mover, left: left.into(), each: turns.each().into() });
        // A goal that the compiler knows.
        match goal {
            Goal::SIX_OR_MORE => fill.end(Goal::SIX_OR_MORE, rng),
            goal => fill.end(goal, rng),
        }
    }
}

/// When a seat puts its stones.
#[derive(Clone, Copy, Debug)]
struct Times {
    mover: Player,
    left: u32,
    each: u32,
}

impl Times {
    /// How many stones come before this seat's stone of number `own`, from 0.
    #[inline(always)]
    fn before(self, seat: usize, own: u32) -> u32 {
        let (left, each) = (self.left, self.each);
        if seat != self.mover.index() {
            return left + own / each * 2 * each + own % each;
        }
        match own.checked_sub(left) {
            None => own,
            Some(later) => left + each + later / each * 2 * each + later % each,
        }
    }

    /// How many stones of the next `all` are this seat's.
    fn share(self, seat: usize, all: u32) -> u32 {
        let later = all.saturating_sub(self.left);
        let (rounds, rest) = (later / (2 * self.each), later % (2 * self.each));
        if seat == self.mover.index() {
            all.min(self.left) + rounds * self.each + rest.saturating_sub(self.each)
        } else {
            rounds * self.each + rest.min(self.each)
        }
    }
}

/// The stones of both seats that were drawn together, as packed rows, and how many each had been given before.
#[derive(Clone, Copy)]
struct Stage {
    sets: [[u64; PACKS]; 2],
    before: [u32; 2],
}

/// Draws for a part of the board; one more gives away the rest.
const PARTS: usize = 3;

/// A board on its way to the end.
struct Fill {
    stones: [Stones; 2],
    /// Empty points of the first board that nobody has been given, by rows.
    free: [u64; PACKS],
    free_count: u32,
    /// How many stones each seat has been given since.
    given: [u32; 2],
    stages: [Stage; PARTS + 1],
    stage_count: usize,
    size: u32,
    times: Times,
    /// By row and column: which one of its owner's stones it is, from 1; 0 if that is not known yet.
    numbers: [[u16; SIDE]; SIDE],
    /// By seat: which of its stones are known.
    taken: [[u64; POINTS.div_ceil(64)]; 2],
}

/// The rows in one word.
#[inline(always)]
fn unpack(stones: &mut Stones, i: usize, word: u64) {
    for k in 0..PACKED {
        stones[PACKED * i + k] |= (word >> (SIDE * k)) as u32 & ((1 << SIDE) - 1);
    }
}

impl Fill {
    #[inline(always)]
    fn new(board: &Board, times: Times) -> Self {
        let mut new = Self {
            stones: [[0; ROWS]; 2],
            free: [0; PACKS],
            free_count: board.empty_count().into(),
            given: [0; 2],
            size: board.size().into(),
            times,
            numbers: [[0; SIDE]; SIDE],
            taken: [[0; POINTS.div_ceil(64)]; 2],
            stages: [Stage { sets: [[0; PACKS]; 2], before: [0; 2] }; PARTS + 1],
            stage_count: 0,
        };
        for y in 0..SIDE {
            let [one, two] = Player::BOTH.map(|seat| board.row(y as u8, seat));
            (new.stones[0][y], new.stones[1][y]) = (one, two);
            let inside = if y < new.size as usize { (1u32 << new.size) - 1 } else { 0 };
            new.free[y / PACKED] |= u64::from(inside & !(one | two)) << (SIDE * (y % PACKED));
        }
        new
    }

    #[inline(always)]
    fn end<R: Rng + ?Sized>(&mut self, goal: Goal, rng: &mut R) -> RandomEnd {
        let empty = self.free_count;
        for part in 0..PARTS {
            if !self.give_some(part, goal, rng) {
                break;
            }
            // Until a seat puts a stone that has not been drawn.
            let until = [0, 1].map(|seat| self.times.before(seat, self.given[seat]));
            if let Some((before, seat)) = self.first_row(goal, rng)
                && before < until[0].min(until[1])
            {
                return RandomEnd { winner: Some(Player::BOTH[seat]), stones: before as u16 + 1 };
            }
        }
        self.give_all(empty, rng);
        match self.first_row(goal, rng) {
            Some((before, seat)) => RandomEnd { winner: Some(Player::BOTH[seat]), stones: before as u16 + 1 },
            None => RandomEnd { winner: None, stones: empty as u16 },
        }
    }

    /// Gives each seat a random set of the free points, of random size; about so many that somebody will have won. `false` if
    /// that would be nearly all.
    #[inline(always)]
    fn give_some<R: Rng + ?Sized>(&mut self, part: usize, goal: Goal, rng: &mut R) -> bool {
        let area = self.size * self.size;
        // In eighths of the free points: what is missing from that part of the board at which most games are over; later, a part of
        // the rest.
        let enough = (area * ENOUGH[usize::from(goal.length()) - 3] / 100).saturating_sub(area - self.free_count);
        let wanted = if part == 0 { enough } else { enough.max(self.free_count * 2 / 5) };
        let eighths = (wanted * 8 + self.free_count / 2).checked_div(self.free_count).unwrap_or(8);
        let draw = match eighths {
            0..=2 => Self::give::<1, R>,
            3..=4 => Self::give::<2, R>,
            5..=6 => Self::give::<3, R>,
            _ => return false,
        };
        let all = self.free_count + self.given[0] + self.given[1];
        let most = [0, 1].map(|seat| self.times.share(seat, all) - self.given[seat]);
        let sets = draw(self, rng);
        let given = sets.map(|set| set.iter().map(|word| word.count_ones()).sum::<u32>());
        if given[0] > most[0] || given[1] > most[1] {
            // More than a seat will have. Happens hardly ever, and then not because of where they are.
            return false;
        }
        self.take(&sets, given);
        true
    }

    #[inline(always)]
    fn take(&mut self, sets: &[[u64; PACKS]; 2], given: [u32; 2]) {
        self.stages[self.stage_count] = Stage { sets: *sets, before: self.given };
        self.stage_count += 1;
        for (stones, set) in self.stones.iter_mut().zip(sets) {
            for (i, (&word, free)) in set.iter().zip(&mut self.free).enumerate() {
                unpack(stones, i, word);
                *free &= !word;
            }
        }
        for (all, more) in self.given.iter_mut().zip(given) {
            *all += more;
            self.free_count -= more;
        }
    }

    /// Each free point to either seat with so many eighths.
    #[inline(always)]
    fn give<const EIGHTHS: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> [[u64; PACKS]; 2] {
        let mut sets = [[0; PACKS]; 2];
        for (i, &free) in self.free.iter().enumerate() {
            let (a, b) = (rng.next_u64(), rng.next_u64());
            // Of the eight numbers that three bits make; two do where there are four.
            let (one, two) = match EIGHTHS {
                1 => {
                    let both = a & b;
                    let c = rng.next_u64();
                    (both & c, both & !c)
                }
                2 => (a & b, a & !b),
                _ => {
                    let c = rng.next_u64();
                    (!a & !(b & c), !a & b & c | a & !b)
                }
            };
            (sets[0][i], sets[1][i]) = (free & one, free & two);
        }
        sets
    }

    /// Gives away all that is free, to each seat what it has on a full board.
    #[inline(never)]
    fn give_all<R: Rng + ?Sized>(&mut self, empty: u32, rng: &mut R) {
        let wanted = self.times.share(0, empty) - self.given[0];
        let mut sets = [[0; PACKS]; 2];
        for (i, &free) in self.free.iter().enumerate() {
            let draw = rng.next_u64();
            (sets[0][i], sets[1][i]) = (free & draw, free & !draw);
        }
        let mut count: u32 = sets[0].iter().map(|word| word.count_ones()).sum();
        while count != wanted {
            // A random stone of the seat that has too many goes to the other.
            let (from, size) = if count > wanted { (0, count) } else { (1, self.free_count - count) };
            let (i, bit) = pick(&sets[from], below(rng, size as usize) as u32);
            sets[from][i] ^= bit;
            sets[1 - from][i] ^= bit;
            count = if from == 0 { count - 1 } else { count + 1 };
        }
        let given = [count, self.free_count - count];
        self.take(&sets, given);
    }

    /// The row that is complete first: how many stones come before its last one, and whose it is.
    #[inline(always)]
    fn first_row<R: Rng + ?Sized>(&mut self, goal: Goal, rng: &mut R) -> Option<(u32, usize)> {
        let mut first = [NONE; 2];
        for (seat, first) in first.iter_mut().enumerate() {
            let found = [
                rows::<0, 1>(&self.stones[seat], goal),
                rows::<1, 0>(&self.stones[seat], goal),
                rows::<1, 1>(&self.stones[seat], goal),
                rows::<1, -1>(&self.stones[seat], goal),
            ];
            for (rows, step) in found.iter().zip([(0, 1), (1, 0), (1, 1), (1, -1)]) {
                if rows.iter().fold(0, |all, row| all | row) != 0 {
                    *first = self.order(seat, step, rows, goal, rng, *first);
                }
            }
        }
        let before = [0, 1].map(|seat| if first[seat] == NONE { NONE } else { self.times.before(seat, first[seat]) });
        let seat = usize::from(before[1] < before[0]);
        (before[seat] != NONE).then_some((before[seat], seat))
    }

    /// The lowest number of a seat's stone that completes one of these rows, or `first` if that is lower. Which of the seat's stones
    /// are in them is drawn on the way, as far as it is not known.
    #[inline(never)]
    fn order<R: Rng + ?Sized>(
        &mut self,
        seat: usize,
        (down, right): (usize, i32),
        rows: &Stones,
        goal: Goal,
        rng: &mut R,
        mut first: u32,
    ) -> u32 {
        for (y, &row) in rows.iter().enumerate() {
            let mut row = row;
            while row != 0 {
                let x = row.trailing_zeros() as i32;
                row &= row - 1;
                let mut last = 0;
                for i in 0..i32::from(goal.length()) {
                    let (x, y) = ((x + right * i) as usize, y + down * i as usize);
                    if self.numbers[y][x] == 0 {
                        self.numbers[y][x] = self.number(seat, x, y, rng);
                    }
                    if self.numbers[y][x] != OLD {
                        last = last.max(u32::from(self.numbers[y][x]));
                    }
                    if last > first {
                        break;
                    }
                }
                // No row was complete at the beginning.
                first = first.min(last.wrapping_sub(1));
            }
        }
        first
    }

    /// Which of its seat's stones one is of which that is not known, from 1: any one of its stage that no other is.
    #[inline(always)]
    fn number<R: Rng + ?Sized>(&mut self, seat: usize, x: usize, y: usize, rng: &mut R) -> u16 {
        let bit = SIDE * (y % PACKED) + x;
        for i in 0..self.stage_count {
            if self.stages[i].sets[seat][y / PACKED] >> bit & 1 == 0 {
                continue;
            }
            let start = self.stages[i].before[seat];
            let end = if i + 1 < self.stage_count { self.stages[i + 1].before[seat] } else { self.given[seat] };
            loop {
                let number = start as usize + below(rng, (end - start) as usize);
                let word = &mut self.taken[seat][number / 64];
                if *word >> (number % 64) & 1 == 0 {
                    *word |= 1 << (number % 64);
                    return number as u16 + 1;
                }
            }
        }
        OLD
    }
}

/// No number of a stone.
const NONE: u32 = u32::MAX;
/// The number of stones that were there at the beginning.
const OLD: u16 = u16::MAX;

/// By length from 3 on: when so many points in a hundred have stones, most random games are over.
const ENOUGH: [u32; 4] = [12, 25, 45, 60];

/// Where rows of the goal's length begin that run so many rows down and columns to the right.
#[inline(always)]
fn rows<const DOWN: usize, const RIGHT: i32>(stones: &Stones, goal: Goal) -> Stones {
    let length = usize::from(goal.length());
    let two = both::<DOWN, RIGHT>(stones, 1);
    match length {
        3 => both::<DOWN, RIGHT>(&two, 1),
        4 => both::<DOWN, RIGHT>(&two, 2),
        5 => both::<DOWN, RIGHT>(&both::<DOWN, RIGHT>(&two, 2), 1),
        _ => both::<DOWN, RIGHT>(&both::<DOWN, RIGHT>(&two, 2), 2),
    }
}

/// The points that have stones, and so has the one `steps` steps further.
#[inline(always)]
fn both<const DOWN: usize, const RIGHT: i32>(stones: &Stones, steps: usize) -> Stones {
    let mut out = [0; ROWS];
    let down = DOWN * steps;
    for y in 0..SIDE {
        // There are empty rows below the last.
        let other = stones[y + down];
        let shifted =
            if RIGHT < 0 { other << (RIGHT.unsigned_abs() as usize * steps) } else { other >> (RIGHT as usize * steps) };
        out[y] = stones[y] & shifted;
    }
    out
}

/// The `n`th bit, from 0, of several words.
fn pick(words: &[u64; PACKS], n: u32) -> (usize, u64) {
    let mut left = n;
    for (i, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if left < count {
            let mut word = word;
            (0..left).for_each(|_| word &= word - 1);
            return (i, word & word.wrapping_neg());
        }
        left -= count;
    }
    unreachable!("there are fewer than {n} bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;
    use gamecore::random::generator;

    /// All that a draw has left open is drawn: the order of all empty points, as far as the draw determines it.
    fn completed(fill: &mut Fill, board: &Board, rng: &mut impl Rng) -> Vec<Point> {
        let empty: u32 = board.empty_count().into();
        if fill.free_count > 0 {
            fill.give_all(empty, rng);
        }
        let mut order = vec![None; empty as usize];
        for point in board.empty_points() {
            let (x, y) = (usize::from(point.x()), usize::from(point.y()));
            let seat = usize::from(fill.stones[1][y] >> x & 1 != 0);
            if fill.numbers[y][x] == 0 {
                fill.numbers[y][x] = fill.number(seat, x, y, rng);
            }
            let before = fill.times.before(seat, u32::from(fill.numbers[y][x]) - 1);
            assert!(order[before as usize].replace(point).is_none(), "two stones of one number");
        }
        order.into_iter().map(|point| point.expect("a stone of every number")).collect()
    }

    /// However the order that a draw leaves open is completed, stones put one by one end the game at the same stone with the same
    /// winner.
    #[test]
    fn stones_put_one_by_one_end_the_same() {
        let (mut wins, mut draws, mut late) = (0, 0, 0);
        for seed in 0..1500 {
            let rng = &mut generator(seed);
            let size = if seed % 3 == 0 { 19 } else { 3 + below(rng, 18) as u8 };
            let length = if seed % 3 == 0 { 6 } else { 3 + below(rng, usize::from(size.min(6)) - 2) as u8 };
            let goal = Goal::new(length, Row::AtLeast).unwrap();
            let turns = Turns::new(1, 1 + below(rng, 3) as u8).unwrap();
            let mut board = Board::new(size).unwrap();
            for _ in 0..below(rng, usize::from(size) * usize::from(size) * 3 / 4) {
                let (point, player) = (board.random_empty(rng).unwrap(), Player::BOTH[below(rng, 2)]);
                board.place(point, player);
                if board.wins_at(point, player, goal) {
                    board.remove(point, player);
                }
            }
            let mover = Player::BOTH[below(rng, 2)];
            let left = 1 + below(rng, usize::from(turns.each())) as u8;
            let mut fill = Fill::new(&board, Times { mover, left: left.into(), each: turns.each().into() });
            let before = rng.clone();
            let end = fill.end(goal, rng);
            assert_eq!(end, RandomEnd::draw(&board, turns, mover, left, goal, &mut before.clone()));
            late += u32::from(fill.stage_count > 1);
            let (mut seat, mut left, mut now, mut slow) = (mover, left, board, None);
            for (i, point) in completed(&mut fill, &board, rng).into_iter().enumerate() {
                assert_eq!(fill.stones[seat][usize::from(point.y())] >> point.x() & 1, 1, "seed {seed}: another seat's stone");
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
            assert_eq!(end, slow.unwrap_or(full), "seed {seed}");
            if slow.is_some() { wins += 1 } else { draws += 1 }
        }
        assert!(wins > 500 && draws >= 30 && late > 200, "{wins} wins and {draws} draws, {late} of several stages");
    }

    /// Ends come after as many stones as in games played stone by stone, and as often to either seat.
    #[test]
    fn ends_are_distributed_as_those_of_random_games() {
        for (size, length, each) in [(19, 6, 2), (10, 5, 1), (6, 4, 3), (5, 3, 2)] {
            let goal = Goal::new(length, Row::AtLeast).unwrap();
            let turns = Turns::new(1, each).unwrap();
            let rng = &mut generator(9);
            let games = 4000;
            let mut sums = [[0f64; 3]; 2];
            for _ in 0..games {
                let board = Board::new(size).unwrap();
                let fast = RandomEnd::draw(&board, turns, Player::One, 1, goal, rng);
                let (mut now, mut slow) = (board, RandomEnd { winner: None, stones: 0 });
                while let (None, Some(point)) = (slow.winner, now.random_empty(rng)) {
                    let player = turns.mover(slow.stones);
                    now.place(point, player);
                    slow.stones += 1;
                    slow.winner = now.wins_at(point, player, goal).then_some(player);
                }
                for (sums, end) in sums.iter_mut().zip([fast, slow]) {
                    let stones = f64::from(end.stones);
                    sums[0] += stones;
                    sums[1] += stones * stones;
                    sums[2] += f64::from(u8::from(end.winner == Some(Player::One)));
                }
            }
            let [fast, slow] = sums.map(|sums| sums.map(|sum| sum / f64::from(games)));
            // Five standard errors of the difference of two means.
            let deviation = (slow[1] - slow[0] * slow[0]).sqrt();
            let error = 5.0 * (2.0 / f64::from(games)).sqrt();
            assert!((fast[0] - slow[0]).abs() < error * deviation, "{size}: {fast:?} {slow:?}");
            let fast_deviation = (fast[1] - fast[0] * fast[0]).sqrt();
            assert!((fast_deviation / deviation - 1.0).abs() < error, "{size}: {fast:?} {slow:?}");
            assert!((fast[2] - slow[2]).abs() < error / 2.0, "{size}: {fast:?} {slow:?}");
        }
    }
}
