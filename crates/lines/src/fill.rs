//! Random games played out at once.

use gamecore::Player;
use gamecore::random::below;
use rand::Rng;

use crate::board::Board;
use crate::goal::{Goal, Row};
use crate::point::{LARGEST, POINTS};
use crate::turns::Turns;

const SIDE: usize = LARGEST as usize;
/// Rows in one word.
const PACKED: usize = 3;
const WORDS: usize = SIDE.div_ceil(PACKED);
/// Words, and as many again as a row of stones can reach further down.
const REACHED: usize = WORDS + 5;

/// The points of each seat on a board. Word `y % WORDS` has row `y`, from bit `SIDE * (y / WORDS)` on: so the row below is in the
/// next word, and both seats are one vector.
type Sets = [[u64; 2]; WORDS];

/// Points are numbered by word and bit: 64 times the word, and the bit.
const PLACES: usize = 64 * WORDS;

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
    /// So many stones as whole turns and what is left.
    #[inline(always)]
    fn turns(self, stones: u32) -> (u32, u32) {
        // Division takes long.
        if self.each == 2 { (stones / 2, stones % 2) } else { (stones / self.each, stones % self.each) }
    }

    /// How many stones come before this seat's stone of number `own`, from 0.
    #[inline(always)]
    fn before(self, seat: usize, own: u32) -> u32 {
        let (left, each) = (self.left, self.each);
        let (before, later) = match own.checked_sub(left) {
            _ if seat != self.mover.index() => (left, own),
            None => return own,
            Some(later) => (left + each, later),
        };
        let (turns, rest) = self.turns(later);
        before + turns * 2 * each + rest
    }

    /// How many stones of the next `all` are this seat's.
    #[inline(always)]
    fn share(self, seat: usize, all: u32) -> u32 {
        let (turns, rest) = self.turns(all.saturating_sub(self.left));
        // The other seat's turn comes first.
        let (others, own) = (turns.div_ceil(2) * self.each, turns / 2 * self.each);
        let (others, own) = if turns % 2 == 0 { (others + rest, own) } else { (others, own + rest) };
        if seat == self.mover.index() { all.min(self.left) + own } else { others }
    }
}

/// The stones of both seats that were drawn together, and how many each had been given before.
#[derive(Clone, Copy)]
struct Stage {
    sets: Sets,
    before: [u32; 2],
}

/// Draws for a part of the board; one more gives away the rest.
const PARTS: usize = 3;

/// A board on its way to the end.
struct Fill {
    stones: Sets,
    /// Empty points of the first board that nobody has been given.
    free: [u64; WORDS],
    free_count: u32,
    /// How many stones each seat has been given since.
    given: [u32; 2],
    stages: [Stage; PARTS + 1],
    stage_count: usize,
    size: u32,
    times: Times,
    /// By place: which one of its owner's stones it is, from 0.
    numbers: [u16; PLACES],
    /// By seat: which of its stones are known.
    taken: [[u64; POINTS.div_ceil(64)]; 2],
    /// By seat: which of its stones completes its first row.
    first: [u32; 2],
}

/// No number of a stone.
const NONE: u32 = u32::MAX;
/// The number of a stone that is not known yet.
const UNKNOWN: u16 = u16::MAX;

/// By length from 3 on: when so many points in a hundred have stones, most random games are over.
const ENOUGH: [u32; 4] = [12, 25, 45, 60];

/// The steps along which rows run: rows down, columns to the right.
const STEPS: [(usize, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// By size of the board: its points.
static INSIDE: [[u64; WORDS]; SIDE + 1] = {
    let mut inside = [[0; WORDS]; SIDE + 1];
    let mut size = 0;
    while size <= SIDE {
        let mut y = 0;
        while y < size {
            inside[size][y % WORDS] |= ((1 << size) - 1) << (SIDE * (y / WORDS));
            y += 1;
        }
        size += 1;
    }
    inside
};

impl Fill {
    #[inline(always)]
    fn new(board: &Board, times: Times) -> Self {
        let stones: Sets = core::array::from_fn(|word| {
            Player::BOTH.map(|seat| {
                let row = |y: usize| if y < SIDE { u64::from(board.row(y as u8, seat)) } else { 0 };
                row(word) | row(word + WORDS) << SIDE | row(word + 2 * WORDS) << (2 * SIDE)
            })
        });
        let mut free = INSIDE[usize::from(board.size())];
        for (free, [one, two]) in free.iter_mut().zip(stones) {
            *free &= !(one | two);
        }
        Self {
            stones,
            free,
            free_count: board.empty_count().into(),
            given: [0; 2],
            size: board.size().into(),
            times,
            numbers: [UNKNOWN; PLACES],
            taken: [[0; POINTS.div_ceil(64)]; 2],
            stages: [Stage { sets: [[0; 2]; WORDS], before: [0; 2] }; PARTS + 1],
            stage_count: 0,
            first: [NONE; 2],
        }
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
            0 | 1 => Self::give::<1, R>,
            2 => Self::give::<2, R>,
            3 => Self::give::<3, R>,
            4 => Self::give::<4, R>,
            5 => Self::give::<5, R>,
            6 => Self::give::<6, R>,
            _ => return false,
        };
        let all = self.free_count + self.given[0] + self.given[1];
        let most = [0, 1].map(|seat| self.times.share(seat, all) - self.given[seat]);
        let sets = draw(self, rng);
        let given = counts(&sets);
        if given[0] > most[0] || given[1] > most[1] {
            // More than a seat will have. Happens hardly ever, and then not because of where they are.
            return false;
        }
        self.take(&sets, given);
        true
    }

    #[inline(always)]
    fn take(&mut self, sets: &Sets, given: [u32; 2]) {
        self.stages[self.stage_count] = Stage { sets: *sets, before: self.given };
        self.stage_count += 1;
        for ((stones, set), free) in self.stones.iter_mut().zip(sets).zip(&mut self.free) {
            for (stones, set) in stones.iter_mut().zip(set) {
                *stones |= set;
            }
            *free &= !(set[0] | set[1]);
        }
        for (all, more) in self.given.iter_mut().zip(given) {
            *all += more;
            self.free_count -= more;
        }
    }

    /// So many eighths of the free points, half of them to each seat: each point by a random number of four bits, to One if that is less
    /// than `EIGHTHS`, and to Two if it is more than 15 less so many.
    #[inline(always)]
    fn give<const EIGHTHS: u32, R: Rng + ?Sized>(&self, rng: &mut R) -> Sets {
        let mut sets = [[0; 2]; WORDS];
        for (set, &free) in sets.iter_mut().zip(&self.free) {
            let (mut one, mut two) = (0, 0);
            // From the lowest bit up; below the lowest that the limit has, nothing is less than it.
            for bit in EIGHTHS.trailing_zeros()..4 {
                let draw = rng.next_u64();
                if EIGHTHS >> bit & 1 == 0 {
                    (one, two) = (one & !draw, two & draw);
                } else {
                    (one, two) = (one | !draw, two | draw);
                }
            }
            *set = [free & one, free & two];
        }
        sets
    }

    /// Gives away all that is free, to each seat what it has on a full board.
    #[inline(never)]
    fn give_all<R: Rng + ?Sized>(&mut self, empty: u32, rng: &mut R) {
        let wanted = self.times.share(0, empty) - self.given[0];
        let mut sets = self.free.map(|free| {
            let draw = rng.next_u64();
            [free & draw, free & !draw]
        });
        let mut count = counts(&sets)[0];
        while count != wanted {
            // A random stone of the seat that has too many goes to the other.
            let (from, size) = if count > wanted { (0, count) } else { (1, self.free_count - count) };
            let (word, bit) = pick(&sets, from, below(rng, size as usize) as u32);
            sets[word][from] ^= bit;
            sets[word][1 - from] ^= bit;
            count = if from == 0 { count - 1 } else { count + 1 };
        }
        let given = [count, self.free_count - count];
        self.take(&sets, given);
    }

    /// The row that is complete first: how many stones come before its last one, and whose it is.
    #[inline(always)]
    fn first_row<R: Rng + ?Sized>(&mut self, goal: Goal, rng: &mut R) -> Option<(u32, usize)> {
        let known = self.first.map(|first| first != NONE);
        let reached = reached(&self.stones);
        let found = [
            rows::<0, 1>(&reached, self.size, goal),
            rows::<1, 0>(&reached, self.size, goal),
            rows::<1, 1>(&reached, self.size, goal),
            rows::<1, -1>(&reached, self.size, goal),
        ];
        for (rows, step) in found.iter().zip(STEPS) {
            let any = rows.iter().fold([0; 2], |[one, two], rows| [one | rows[0], two | rows[1]]);
            for seat in 0..2 {
                // A stone drawn before comes before one drawn now.
                if any[seat] != 0 && !known[seat] {
                    self.complete_along(seat, rows, step, goal, rng);
                }
            }
        }
        let before = [0, 1].map(|seat| match self.first[seat] {
            NONE => NONE,
            first => self.times.before(seat, first),
        });
        let seat = usize::from(before[1] < before[0]);
        (before[seat] != NONE).then_some((before[seat], seat))
    }

    /// Sees to the rows of a seat along one step.
    #[inline(never)]
    fn complete_along<R: Rng + ?Sized>(&mut self, seat: usize, rows: &Sets, step: (usize, i32), goal: Goal, rng: &mut R) {
        for (word, rows) in rows.iter().enumerate() {
            let mut rows = rows[seat];
            while rows != 0 {
                let start = 64 * word + rows.trailing_zeros() as usize;
                rows &= rows - 1;
                self.complete(seat, start, step, goal, rng);
            }
        }
    }

    /// Notes which of a seat's stones completes the row that begins there, if none completes another before. That is one of those that
    /// were drawn last, or the row would have been there before; which of the seat's stones these are is drawn on the way, as
    /// far as it is not known.
    #[inline(always)]
    fn complete<R: Rng + ?Sized>(&mut self, seat: usize, start: usize, (down, right): (usize, i32), goal: Goal, rng: &mut R) {
        let newest = self.stage_count - 1;
        let (mut at, mut last) = (start, 0);
        for _ in 0..goal.length() {
            if self.stages[newest].sets[at / 64][seat] >> (at % 64) & 1 != 0 {
                if self.numbers[at] == UNKNOWN {
                    self.numbers[at] = self.number(newest, seat, rng);
                }
                last = last.max(u32::from(self.numbers[at]));
                if last > self.first[seat] {
                    return;
                }
            }
            at += 64 * down;
            if at >= PLACES {
                // From the last word to the first, to what stands there for further down.
                at = at - PLACES + SIDE;
            }
            at = at.wrapping_add_signed(right as isize);
        }
        self.first[seat] = last;
    }

    /// Which of its seat's stones one of this stage is, from 0: any one of the stage that no other is.
    #[inline(always)]
    fn number<R: Rng + ?Sized>(&mut self, stage: usize, seat: usize, rng: &mut R) -> u16 {
        let start = self.stages[stage].before[seat];
        let end = if stage + 1 < self.stage_count { self.stages[stage + 1].before[seat] } else { self.given[seat] };
        loop {
            let number = start as usize + below(rng, (end - start) as usize);
            let word = &mut self.taken[seat][number / 64];
            if *word >> (number % 64) & 1 == 0 {
                *word |= 1 << (number % 64);
                return number as u16;
            }
        }
    }
}

/// How many points each set has.
#[inline(always)]
fn counts(sets: &Sets) -> [u32; 2] {
    [0, 1].map(|seat| sets.iter().map(|set| set[seat].count_ones()).sum())
}

/// The words below the last are the first ones a row further up.
#[inline(always)]
fn reached(stones: &Sets) -> [[u64; 2]; REACHED] {
    let mut out = [[0; 2]; REACHED];
    out[..WORDS].copy_from_slice(stones);
    for word in WORDS..REACHED {
        out[word] = stones[word - WORDS].map(|stones| stones >> SIDE);
    }
    out
}

/// Where rows of the goal's length begin that run so many rows down and columns to the right.
#[inline(always)]
fn rows<const DOWN: usize, const RIGHT: i32>(stones: &[[u64; 2]; REACHED], size: u32, goal: Goal) -> Sets {
    let length = usize::from(goal.length());
    let two = both::<DOWN, RIGHT>(stones, stones, 1);
    let all = match length {
        3 => both::<DOWN, RIGHT>(&two, stones, 2),
        4 => both::<DOWN, RIGHT>(&two, &two, 2),
        5 => both::<DOWN, RIGHT>(&both::<DOWN, RIGHT>(&two, &two, 2), stones, 4),
        _ => both::<DOWN, RIGHT>(&both::<DOWN, RIGHT>(&two, &two, 2), &two, 4),
    };
    // From other columns they would run into other rows.
    let columns = (1u64 << (size + 1).saturating_sub(length as u32)) - 1;
    let columns = match RIGHT {
        0 => u64::MAX,
        1.. => columns * ROWS,
        _ => (columns * ROWS) << (length - 1),
    };
    core::array::from_fn(|word| all[word].map(|rows| rows & columns))
}

/// The first bit of each row of a word.
const ROWS: u64 = 1 | 1 << SIDE | 1 << (2 * SIDE);

/// The points of `a` from which `b` has the one `steps` steps further, whatever is beyond the board's sides.
#[inline(always)]
fn both<const DOWN: usize, const RIGHT: i32>(
    a: &[[u64; 2]; REACHED],
    b: &[[u64; 2]; REACHED],
    steps: usize,
) -> [[u64; 2]; REACHED] {
    let mut out = [[0; 2]; REACHED];
    let (down, right) = (DOWN * steps, RIGHT.unsigned_abs() as usize * steps);
    for word in 0..REACHED - down {
        for seat in 0..2 {
            let other = b[word + down][seat];
            out[word][seat] = a[word][seat] & if RIGHT < 0 { other << right } else { other >> right };
        }
    }
    out
}

/// The `n`th point, from 0, of a seat's set: its word, and a bit.
fn pick(sets: &Sets, seat: usize, n: u32) -> (usize, u64) {
    let mut left = n;
    for (i, set) in sets.iter().enumerate() {
        let count = set[seat].count_ones();
        if left < count {
            let mut word = set[seat];
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

    /// The number of a point.
    fn place(x: usize, y: usize) -> usize {
        64 * (y % WORDS) + SIDE * (y / WORDS) + x
    }

    fn has(fill: &Fill, seat: usize, at: usize) -> bool {
        fill.stones[at / 64][seat] >> (at % 64) & 1 != 0
    }

    /// All that a draw has left open is drawn: the order of all empty points, as far as the draw determines it.
    fn completed(fill: &mut Fill, board: &Board, rng: &mut impl Rng) -> Vec<Point> {
        let empty: u32 = board.empty_count().into();
        if fill.free_count > 0 {
            fill.give_all(empty, rng);
        }
        let mut order = vec![None; empty as usize];
        for point in board.empty_points() {
            let at = place(usize::from(point.x()), usize::from(point.y()));
            let seat = usize::from(has(fill, 1, at));
            if fill.numbers[at] == UNKNOWN {
                let stage = (0..fill.stage_count).find(|&i| fill.stages[i].sets[at / 64][seat] >> (at % 64) & 1 != 0);
                fill.numbers[at] = fill.number(stage.unwrap(), seat, rng);
            }
            let before = fill.times.before(seat, u32::from(fill.numbers[at]));
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
                let at = place(usize::from(point.x()), usize::from(point.y()));
                assert!(has(&fill, seat.index(), at), "seed {seed}: another seat's stone");
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
