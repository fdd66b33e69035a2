//! Gomoku on 15x15 points, freestyle: five or more in a row win.

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Outcome, Player, Turn, mix};
use rand::Rng;

use super::Board;

pub(super) const SIDE: usize = 15;
pub(super) const POINTS: usize = SIDE * SIDE;

/// A set of points, row by row.
type Points = [u64; 4];

/// A position of Gomoku. Only points within two steps of a stone are moves, in every direction; the first stone goes to
/// the middle. A move is a point, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gomoku {
    /// Each player's stones, a word for each row, with four empty rows on either side.
    rows: [[u16; SIDE + 8]; 2],
    stones: Points,
    /// The points to play on.
    open: Points,
    played: u8,
    /// A hash of the stones.
    key: u64,
    /// The last mover has five.
    won: bool,
}

/// The points within two steps of each point.
static NEAR: [Points; POINTS] = near();

const fn near() -> [Points; POINTS] {
    let mut sets = [[0; 4]; POINTS];
    let mut at = 0;
    while at < POINTS {
        let mut to = 0;
        while to < POINTS {
            if (at % SIDE).abs_diff(to % SIDE) <= 2 && (at / SIDE).abs_diff(to / SIDE) <= 2 {
                sets[at][to / 64] |= 1 << (to % 64);
            }
            to += 1;
        }
        at += 1;
    }
    sets
}

/// In each byte 1.
const ONES: u64 = 0x0101_0101_0101_0101;

/// In each byte how many bits are set in it and the bytes below.
#[inline(always)]
const fn counts(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    ((fours + (fours >> 4)) & (0x0F * ONES)).wrapping_mul(ONES)
}

/// The place of the `n`th bit of a word, from 0.
#[inline(always)]
const fn nth(word: u64, counts: u64, n: u64) -> u32 {
    // The byte that holds it is the first whose count is above n; all are below 128.
    let top = 0x80 * ONES;
    let above = ((counts | top) - (n + 1) * ONES) & top;
    let shift = above.trailing_zeros() & !7;
    let before = counts << 8 >> shift & 0xFF;
    let (mut byte, mut n) = (word >> shift & 0xFF, n - before);
    while n > 0 {
        byte &= byte - 1;
        n -= 1;
    }
    shift + byte.trailing_zeros()
}

impl Gomoku {
    #[inline(always)]
    pub(super) fn mover(&self) -> Player {
        if self.played & 1 == 0 { Player::One } else { Player::Two }
    }

    /// Whether a player's stone is on a point.
    #[inline(always)]
    pub(super) fn has(&self, player: Player, at: usize) -> bool {
        self.rows[player][at / SIDE + 4] >> (at % SIDE) & 1 != 0
    }

    /// Whether one point is empty.
    #[inline(always)]
    pub(super) fn is_all_but_full(&self) -> bool {
        usize::from(self.played) == POINTS - 1
    }

    /// Whether there are five in a row through a stone.
    #[inline(always)]
    fn five(rows: &[u16; SIDE + 8], x: usize, y: usize) -> bool {
        let run = |line: u32| {
            let pairs = line & line >> 1;
            pairs & pairs >> 2 & line >> 4
        };
        let (mut down, mut rising, mut falling) = (0, 0, 0);
        for i in 0..9 {
            // The stone's column becomes column 8, so that four steps aside are columns 4 and 12.
            let row = u32::from(rows[y + i]) << 8 >> x;
            down |= (row >> 8 & 1) << i;
            rising |= (row >> (12 - i) & 1) << i;
            falling |= (row >> (4 + i) & 1) << i;
        }
        run(u32::from(rows[y + 4])) | run(down) | run(rising) | run(falling) != 0
    }
}

impl Game for Gomoku {
    type Move = u8;
    type Moves = ArrayVec<u8, POINTS>;
    type Chance = Never;

    #[inline(always)]
    fn turn(&self) -> Turn<Never> {
        if self.won {
            Turn::Over(Outcome::win(self.mover().other()))
        } else if usize::from(self.played) == POINTS {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Decide(self.mover())
        }
    }

    #[inline]
    fn moves(&self, out: &mut Self::Moves) {
        for (word, place) in self.open.into_iter().zip([0, 64, 128, 192]) {
            let mut left = word;
            while left != 0 {
                out.push(place + left.trailing_zeros() as u8);
                left &= left - 1;
            }
        }
    }

    #[inline]
    fn play(&mut self, m: u8) {
        let at = usize::from(m);
        let (x, y, mover) = (at % SIDE, at / SIDE, self.mover());
        let rows = &mut self.rows[mover];
        rows[y + 4] |= 1 << x;
        self.won = Self::five(rows, x, y);
        self.stones[at / 64] |= 1 << (at % 64);
        for ((open, near), stones) in self.open.iter_mut().zip(NEAR[at]).zip(self.stones) {
            *open = (*open | near) & !stones;
        }
        self.played += 1;
        self.key ^= mix(2 * u64::from(m) + mover as u64 + 1);
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        self.drawn(rng.next_u32())
    }
}

impl Board for Gomoku {
    fn start() -> Self {
        Self { rows: [[0; SIDE + 8]; 2], stones: [0; 4], open: [0, 1 << (POINTS / 2 - 64), 0, 0], played: 0, key: 0, won: false }
    }

    #[inline]
    fn drawn(&self, draw: u32) -> u8 {
        let counts = self.open.map(counts);
        let total: u64 = counts.iter().map(|c| c >> 56).sum();
        let mut n = (u64::from(draw) * total) >> 32;
        let mut i = 0;
        while i < 3 && n >= counts[i] >> 56 {
            n -= counts[i] >> 56;
            i += 1;
        }
        (64 * i) as u8 + nth(self.open[i], counts[i], n) as u8
    }

    #[inline]
    fn allows(&self, m: u8) -> bool {
        self.open[usize::from(m / 64)] >> (m % 64) & 1 != 0
    }
}
