//! The rule sets as tables, all made by the compiler.

use gamecore::Player;

use crate::lanes::NONE;
use crate::rules::{Freedom, Variant};

/// Squares of the largest board, rounded up so that an index of five bits needs no check.
const SQUARES: usize = 32;

/// The bit at which the number of bits of a list of targets stands.
pub(crate) const COUNT: u32 = 56;

/// One rule set, ready to play by. A state holds a reference to one of [`ALL`].
pub(crate) struct Tables {
    /// The place in [`ALL`].
    pub(crate) id: u8,
    pub(crate) variant: Variant,
    /// Columns and rows: all boards are square.
    pub(crate) size: u8,
    /// Stones of a side.
    pub(crate) stones: u8,
    pub(crate) standard: bool,
    /// Any own stone may move if the die's is captured.
    pub(crate) free_missing: bool,
    /// Any own stone may move if the die's is blocked.
    pub(crate) free_blocked: bool,
    /// The side that has lost: one without stones, or none at all if capturing all does not win.
    pub(crate) lost: u64,
    /// Goal squares of each seat, a bit each.
    pub(crate) goal: [u32; 2],
    /// Where the die's stone may go from each square, a bit each, own stones left out of account.
    pub(crate) steps: [[u32; SQUARES]; 2],
    /// Where a freely chosen stone may go.
    pub(crate) free_steps: [[u32; SQUARES]; 2],
    /// Standard rules: the same steps as a list, a byte each, diagonal first; from bit [`COUNT`] on their number times 8.
    pub(crate) list: [[u64; SQUARES]; 2],
    /// The fewest steps to the goal.
    pub(crate) distance: [[u8; SQUARES]; 2],
    /// Home squares: One's in reading order, Two's their images under the exchange of seats.
    pub(crate) homes: [[u8; 9]; 2],
}

/// Rows and columns of one step.
type Offset = (i8, i8);

/// Every rule set there is; `id` is the index.
pub(crate) static ALL: [Tables; 11] = [
    standard(),
    small(1, Freedom::Never, false),
    small(2, Freedom::Never, true),
    small(3, Freedom::Missing, false),
    small(4, Freedom::Missing, true),
    small(5, Freedom::NoMove, false),
    small(6, Freedom::NoMove, true),
    nine(7, Freedom::Missing, false),
    nine(8, Freedom::Missing, true),
    nine(9, Freedom::NoMove, false),
    nine(10, Freedom::NoMove, true),
];

/// What no side can be.
const NEVER: u64 = !0;

const fn standard() -> Tables {
    let mut t = Tables::empty(0, Variant::Standard, 5, 6);
    t.standard = true;
    t.lost = NONE;
    t.goal = [1 << 24, 1];
    t.fill(&[(1, 1), (0, 1), (1, 0)], &[]);
    t.homes[0] = [0, 1, 2, 5, 6, 10, 0, 0, 0];
    t.homes[1] = [24, 23, 22, 19, 18, 14, 0, 0, 0];
    t
}

const fn small(id: u8, freedom: Freedom, capture_all: bool) -> Tables {
    let mut t = Tables::empty(id, Variant::FourByFour { freedom, capture_all }, 4, 6);
    t.set_options(freedom, capture_all);
    t.goal = [0xF, 0xF << 12];
    t.fill(&[(-1, -1), (-1, 0), (-1, 1)], &[(-1, -1), (-1, 0), (-1, 1)]);
    t.homes[0] = [8, 9, 12, 13, 14, 15, 0, 0, 0];
    t.homes[1] = [4, 5, 0, 1, 2, 3, 0, 0, 0];
    t
}

const fn nine(id: u8, freedom: Freedom, capture_all: bool) -> Tables {
    let mut t = Tables::empty(id, Variant::NineStones { freedom, capture_all }, 5, 9);
    t.set_options(freedom, capture_all);
    t.goal = [0x1F, 0x1F << 20];
    t.fill(&[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)], &[(-1, 0), (0, -1), (0, 1), (1, 0)]);
    t.homes[0] = [15, 16, 17, 18, 19, 20, 21, 22, 23];
    t.homes[1] = [5, 6, 7, 8, 9, 0, 1, 2, 3];
    t
}

impl Tables {
    const fn empty(id: u8, variant: Variant, size: u8, stones: u8) -> Self {
        Self {
            id,
            variant,
            size,
            stones,
            standard: false,
            free_missing: false,
            free_blocked: false,
            lost: NEVER,
            goal: [0; 2],
            steps: [[0; SQUARES]; 2],
            free_steps: [[0; SQUARES]; 2],
            list: [[0; SQUARES]; 2],
            distance: [[0; SQUARES]; 2],
            homes: [[0; 9]; 2],
        }
    }

    const fn set_options(&mut self, freedom: Freedom, capture_all: bool) {
        self.free_missing = !matches!(freedom, Freedom::Never);
        self.free_blocked = matches!(freedom, Freedom::NoMove);
        if capture_all {
            self.lost = NONE;
        }
    }

    /// Steps as One makes them; Two's are the opposite in rows, and in columns too for the corner game.
    const fn fill(&mut self, steps: &[Offset], free: &[Offset]) {
        let mut seat = 0;
        while seat < 2 {
            let mut square = 0;
            while square < self.squares() {
                self.steps[seat][square] = self.targets(seat, square, steps);
                self.free_steps[seat][square] = self.targets(seat, square, free);
                if self.standard {
                    let mut i = 0;
                    while i < steps.len() {
                        let target = self.targets(seat, square, &[steps[i]]);
                        if target != 0 {
                            let list = &mut self.list[seat][square];
                            *list |= (target.trailing_zeros() as u64) << (*list >> COUNT);
                            *list += 8 << COUNT;
                        }
                        i += 1;
                    }
                }
                square += 1;
            }
            self.fill_distances(seat);
            seat += 1;
        }
    }

    const fn targets(&self, seat: usize, square: usize, offsets: &[Offset]) -> u32 {
        let size = self.size as i8;
        let (row, column) = (square as i8 / size, square as i8 % size);
        let (row_sign, column_sign) = if seat == 0 { (1, 1) } else { (-1, if self.standard { -1 } else { 1 }) };
        let (mut squares, mut i) = (0, 0);
        while i < offsets.len() {
            let (r, c) = (row + row_sign * offsets[i].0, column + column_sign * offsets[i].1);
            if 0 <= r && r < size && 0 <= c && c < size {
                squares |= 1 << (r * size + c);
            }
            i += 1;
        }
        squares
    }

    /// Breadth first from the goal: after round `n` every square that is at most `n` steps away is known.
    const fn fill_distances(&mut self, seat: usize) {
        let (mut known, mut steps) = (self.goal[seat], 0u8);
        while known.count_ones() < self.squares() as u32 {
            steps += 1;
            let (mut next, mut square) = (known, 0);
            while square < self.squares() {
                if known >> square & 1 == 0 && self.steps[seat][square] & known != 0 {
                    self.distance[seat][square] = steps;
                    next |= 1 << square;
                }
                square += 1;
            }
            known = next;
        }
    }

    /// Squares of the board.
    pub(crate) const fn squares(&self) -> usize {
        self.size as usize * self.size as usize
    }

    /// The square's place on the board after the seats have been exchanged.
    pub(crate) const fn opposite(&self, square: u8) -> u8 {
        let size = self.size;
        let (row, column) = (size - 1 - square / size, square % size);
        row * size + if self.standard { size - 1 - column } else { column }
    }

    /// The square's mirror image that leaves both seats in place.
    pub(crate) const fn reflected(&self, square: u8) -> u8 {
        let size = self.size;
        let (row, column) = (square / size, square % size);
        if self.standard { column * size + row } else { row * size + size - 1 - column }
    }

    /// The fewest steps to the goal from `square`.
    #[inline(always)]
    pub(crate) const fn distance(&self, seat: Player, square: u32) -> u8 {
        self.distance[seat as usize][square as usize & 31]
    }
}

/// A state's reference to its rule set, equal where the rules are.
#[derive(Clone, Copy)]
pub(crate) struct TablesRef(pub(crate) &'static Tables);

impl PartialEq for TablesRef {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for TablesRef {}

impl core::hash::Hash for TablesRef {
    #[inline]
    fn hash<H: core::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u8(self.0.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_places_and_variants_differ() {
        for (i, t) in ALL.iter().enumerate() {
            assert_eq!(usize::from(t.id), i);
            assert!(ALL[..i].iter().all(|earlier| earlier.variant != t.variant));
        }
    }

    #[test]
    fn distances_are_king_steps_to_the_corner_and_rows_to_the_far_row() {
        for t in &ALL {
            for square in 0..t.squares() as u8 {
                let (r, c, last) = (square / t.size, square % t.size, t.size - 1);
                let [one, two] = if t.standard { [(last - r).max(last - c), r.max(c)] } else { [r, last - r] };
                assert_eq!(t.distance(Player::One, square.into()), one);
                assert_eq!(t.distance(Player::Two, square.into()), two);
                assert_eq!(t.distance(Player::Two, t.opposite(square).into()), one);
                assert_eq!(t.distance(Player::One, t.reflected(square).into()), one);
            }
            for i in 0..usize::from(t.stones) {
                assert_eq!(t.homes[1][i], t.opposite(t.homes[0][i]));
            }
        }
    }
}
