//! What a stone makes on a line, looked up by what stands around it.

use std::sync::OnceLock;

use crate::goal::{Goal, Row};

/// What a stone on an empty point makes on one line, best first from the last.
///
/// Named as in gomoku, for rows of five; with another goal a "four" is a row that lacks one stone. Each is what can be made of
/// the next worse one by one more stone on the same line. Only rows through the point itself count, so a point beside a
/// finished four that adds nothing to it makes nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Made {
    /// No row can ever run through here, or it needs at least four stones more.
    Nothing,
    /// One more makes a [`Two`](Self::Two).
    One,
    /// One more makes an [`OpenTwo`](Self::OpenTwo).
    OpenOne,
    /// One more makes a [`Three`](Self::Three).
    Two,
    /// One more makes an [`OpenThree`](Self::OpenThree).
    OpenTwo,
    /// One more makes a [`Four`](Self::Four), but none an [`OpenFour`](Self::OpenFour): "closed" or "sleeping".
    Three,
    /// One more makes an [`OpenFour`](Self::OpenFour).
    OpenThree,
    /// One point then wins.
    Four,
    /// Two points or more then win.
    OpenFour,
    /// The goal.
    Five,
}

impl Made {
    /// All, from nothing to the goal.
    pub const ALL: [Self; KINDS] = [
        Self::Nothing,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::Three,
        Self::OpenThree,
        Self::Four,
        Self::OpenFour,
        Self::Five,
    ];

    /// What a stone makes that leaves so many winning points, `best` being the best that one more stone then makes.
    const fn of(winning_points: u32, best: Self) -> Self {
        match (winning_points, best) {
            (2.., _) => Self::OpenFour,
            (1, _) => Self::Four,
            (0, Self::OpenFour) => Self::OpenThree,
            (0, Self::Four) => Self::Three,
            (0, Self::OpenThree) => Self::OpenTwo,
            (0, Self::Three) => Self::Two,
            (0, Self::OpenTwo) => Self::OpenOne,
            (0, Self::Two) => Self::One,
            (0, _) => Self::Nothing,
        }
    }
}

/// How many kinds of [`Made`] there are.
pub(crate) const KINDS: usize = 10;

/// How many pairs of kinds there are, in which the first is no worse than the second.
pub const PAIRS: usize = KINDS * (KINDS + 1) / 2;

/// The place of a pair of kinds among [`PAIRS`], the better one first.
#[inline]
#[must_use]
pub const fn pair_index(best: Made, second: Made) -> usize {
    let (a, b) = (best as usize, second as usize);
    let (a, b) = if a < b { (b, a) } else { (a, b) };
    a * (a + 1) / 2 + b
}

/// The low halves of four bytes side by side.
#[inline(always)]
pub(crate) const fn nibbles(kinds: u32) -> usize {
    let pairs = (kinds | kinds >> 4) & 0x00FF_00FF;
    ((pairs | pairs >> 8) & 0xFFFF) as usize
}

/// By what a point makes on its four lines, as [`nibbles`] has it: the index of the best pair.
pub(crate) fn pair_table() -> &'static [u8] {
    static PAIRS_OF: OnceLock<Vec<u8>> = OnceLock::new();
    PAIRS_OF.get_or_init(|| {
        let kinds = |of: usize| {
            let mut kinds = [0, 4, 8, 12].map(|shift| (of >> shift & 15).min(KINDS - 1));
            kinds.sort_unstable();
            kinds
        };
        (0..1 << 16).map(|of| kinds(of)).map(|[.., second, best]| (best * (best + 1) / 2 + second) as u8).collect()
    })
}

/// For each surrounding of an empty point, what a stone of either seat makes there: One's in the low four bits of a byte, Two's
/// in the high ones.
///
/// A surrounding is the two seats' stones within [`Goal::reach`] to both sides; beyond the edge of the board stand stones of
/// both. 64 KiB where longer rows win too, otherwise (and for six) 1 MiB.
#[derive(Debug)]
pub(crate) struct Table {
    reach: u32,
    codes: Vec<u8>,
}

impl Table {
    /// The table of both seats' goals. Made when it is first asked for, in up to a tenth of a second, and kept.
    pub(crate) fn of(goals: [Goal; 2]) -> &'static Self {
        // One for each pair of goals; six with six only is common, but any pair will do.
        static TABLES: [OnceLock<Table>; GOAL_PAIRS] = [const { OnceLock::new() }; GOAL_PAIRS];
        TABLES[number(goals[0]) * GOALS + number(goals[1])].get_or_init(|| Self::make(goals))
    }

    fn make(goals: [Goal; 2]) -> Self {
        let reach = goals[0].reach().max(goals[1].reach());
        let bits = 2 * reach;
        let one = classes(goals[0], reach);
        let other = (goals[0] != goals[1]).then(|| classes(goals[1], reach));
        let two = other.as_ref().unwrap_or(&one);
        let side = (1 << bits) - 1;
        let codes = (0..1usize << (2 * bits)).map(|at| one[at] as u8 | (two[at >> bits | (at & side) << bits] as u8) << 4);
        Self { reach, codes: codes.collect() }
    }

    /// How many points to each side matter.
    #[inline(always)]
    pub(crate) const fn reach(&self) -> u32 {
        self.reach
    }

    /// Looks a point up: the two seats' stones on its line, the first bit being that of the point `reach` before it.
    #[inline(always)]
    pub(crate) fn code(&self, one: u32, two: u32) -> u8 {
        let bits = 2 * self.reach;
        self.codes[(self.around(one) | self.around(two) << bits) as usize]
    }

    /// The bits on both sides of a point, without its own.
    #[inline(always)]
    const fn around(&self, line: u32) -> u32 {
        let low = (1 << self.reach) - 1;
        line & low | line >> 1 & low << self.reach
    }
}

/// Goals that there are.
const GOALS: usize = 10;
const GOAL_PAIRS: usize = GOALS * GOALS;

const fn number(goal: Goal) -> usize {
    match goal.row() {
        Row::AtLeast => goal.length() as usize - 3,
        Row::Exactly => goal.length() as usize + 1,
        Row::Unclosed => goal.length() as usize + 4,
    }
}

/// By the stones around a point, own ones in the low bits and the enemy's above: what an own stone makes there.
///
/// Boards with more own stones come first, so that what one more stone makes is known already.
fn classes(goal: Goal, reach: u32) -> Vec<Made> {
    let bits = 2 * reach;
    let mut made = vec![Made::Nothing; 1 << (2 * bits)];
    for own in (0..1u32 << bits).rev() {
        for enemy in 0..1u32 << bits {
            let at = (own | enemy << bits) as usize;
            if is_row(goal, reach, own, enemy) {
                made[at] = Made::Five;
                continue;
            }
            let (mut winning_points, mut best) = (0, Made::Nothing);
            let mut empty = !(own | enemy) & ((1 << bits) - 1);
            while empty != 0 {
                let next = made[at | (empty & empty.wrapping_neg()) as usize];
                winning_points += u32::from(next == Made::Five);
                best = best.max(next);
                empty &= empty - 1;
            }
            made[at] = Made::of(winning_points, best);
        }
    }
    made
}

/// Whether a winning row runs through the point itself, once it has an own stone. Points that both have lie outside.
fn is_row(goal: Goal, reach: u32, own: u32, enemy: u32) -> bool {
    let low = (1 << reach) - 1;
    let spread = |around: u32| around & low | (around & low << reach) << 1;
    let outside = spread(own & enemy);
    let (own, enemy) = (spread(own) & !outside | 1 << reach, spread(enemy) & !outside);
    // One bit more below, so that what lies before the first point is empty.
    let rows = goal.rows(own << 1, enemy << 1) >> 1;
    let first = reach + 1 - u32::from(goal.length());
    rows >> first & ((1 << goal.length()) - 1) != 0
}
