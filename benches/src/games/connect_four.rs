//! Connect Four, seven columns of six cells.

use arrayvec::ArrayVec;
use gamecore::{Game, Never, Outcome, Player, Turn, mix};
use rand::Rng;

use super::{Board, Valued};

/// A position of Connect Four. A move is a column, 0 to 6.
///
/// One bit a cell, seven bits a column, the lowest cell first; a column's seventh bit is never set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConnectFour {
    /// The stones of the player to move.
    own: u64,
    /// All stones.
    all: u64,
    played: u8,
}

/// The lowest cell of each column.
const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;

/// The columns from the middle outwards: where most fours run through, and so the order of moves.
const ORDER: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

/// For each set of columns: its members in that order, and in the last place how many they are.
static MEMBERS: [[u8; 8]; 128] = members();

const fn members() -> [[u8; 8]; 128] {
    let mut lists = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut i, mut count) = (0, 0);
        while i < 7 {
            if set >> ORDER[i] & 1 != 0 {
                lists[set][count] = ORDER[i];
                count += 1;
            }
            i += 1;
        }
        lists[set][7] = count as u8;
        set += 1;
    }
    lists
}

/// The middle column, and the whole board.
const MIDDLE: u64 = 0x3F << 21;
const BOARD: u64 = BOTTOM * 0x3F;

/// The empty cells that would complete four of `stones`.
#[inline(always)]
const fn threats(stones: u64, all: u64) -> u64 {
    // The other three in a line with a cell: all on one side of it, or one on the far side. Nothing floats above a column.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    let mut step = 6;
    while step <= 8 {
        let (before, after) = (stones << step, stones >> step);
        cells |= before & stones << (2 * step) & (stones << (3 * step) | after);
        cells |= after & stones >> (2 * step) & (stones >> (3 * step) | before);
        step += 1;
    }
    cells & BOARD & !all
}

impl ConnectFour {
    /// The columns that are not full.
    #[inline(always)]
    fn open(&self) -> &'static [u8; 8] {
        let tops = !self.all >> 5 & BOTTOM;
        // Brings the bits 0, 7, 14, ... side by side: no two products meet.
        let gather = 1 << 42 | 1 << 36 | 1 << 30 | 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6;
        &MEMBERS[(tops.wrapping_mul(gather) >> 42 & 127) as usize]
    }

    /// The cell that a stone in this column falls to, 0 to 47: 7 times the column and the height.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self, column: u8) -> usize {
        let column = 7 * u32::from(column);
        ((self.all >> column) + 1).trailing_zeros() as usize + column as usize
    }

    #[inline(always)]
    pub(super) fn mover(&self) -> Player {
        if self.played & 1 == 0 { Player::One } else { Player::Two }
    }
}

impl Game for ConnectFour {
    type Move = u8;
    type Moves = ArrayVec<u8, 7>;
    type Chance = Never;

    #[inline(always)]
    fn turn(&self) -> Turn<Never> {
        let last = self.own ^ self.all;
        let four = |step: u32| {
            let pairs = last & last >> step;
            pairs & pairs >> (2 * step)
        };
        if four(1) | four(6) | four(7) | four(8) != 0 {
            Turn::Over(Outcome::win(self.mover().other()))
        } else if self.played == 42 {
            Turn::Over(Outcome::Draw)
        } else {
            Turn::Decide(self.mover())
        }
    }

    #[inline(always)]
    fn moves(&self, out: &mut Self::Moves) {
        let open = self.open();
        out.extend(open[..usize::from(open[7])].iter().copied());
    }

    #[inline(always)]
    fn play(&mut self, column: u8) {
        self.own ^= self.all;
        self.all |= self.all + (1 << (7 * column));
        self.played += 1;
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.own + self.all + BOTTOM)
    }

    #[inline(always)]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        self.drawn(rng.next_u32())
    }
}

impl Board for ConnectFour {
    fn start() -> Self {
        Self { own: 0, all: 0, played: 0 }
    }

    #[inline(always)]
    fn drawn(&self, draw: u32) -> u8 {
        let open = self.open();
        open[((u64::from(draw) * u64::from(open[7])) >> 32) as usize & 7]
    }

    #[inline(always)]
    fn allows(&self, column: u8) -> bool {
        column < 7 && self.all >> (7 * column + 5) & 1 == 0
    }
}

impl Valued for ConnectFour {
    /// Sixteen for every cell that would complete four, two for every stone in the middle column.
    #[inline(always)]
    fn value(&self) -> i32 {
        let side = |stones: u64| {
            16 * threats(stones, self.all).count_ones().cast_signed() + 2 * (stones & MIDDLE).count_ones().cast_signed()
        };
        side(self.own) - side(self.own ^ self.all)
    }
}
