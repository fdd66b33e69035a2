//! The weights of the learned evaluation, and what is computed with them.

use std::sync::LazyLock;

use lines::LARGEST;

use super::views::{CODES, View};

/// Numbers that a point is described by.
pub const WIDTH: usize = 32;
/// Numbers between those of a position and its value.
pub const HIDDEN: usize = 16;
/// Who is to move, and whether more than one stone is left.
pub const SITUATIONS: usize = 4;
/// So many of them may be negative: they are as good as a sum of what every line is worth by itself.
pub const SIGNED: usize = 4;
/// What is 1 in the numbers of a point.
pub const ONE: f32 = 48.0;
/// The largest of them; 400 points have no more than fits 16 bits.
pub const MOST: i16 = 80;
const _: () = assert!(MOST as usize * (LARGEST as usize * LARGEST as usize) <= i16::MAX as usize);
/// What is 1 in the weights of a point's promise.
pub const PROMISE_ONE: f32 = 256.0;
/// Sums over the points are divided by this, beside [`ONE`].
pub const SUMS: f32 = 16.0;

/// The numbers of a point, or their weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; WIDTH]);

/// The smallest numbers of a point.
const LEAST: [i16; WIDTH] = {
    let mut least = [0; WIDTH];
    let mut k = 0;
    while k < SIGNED {
        least[k] = -MOST;
        k += 1;
    }
    least
};

impl Row {
    pub(super) const ZERO: Self = Self([0; WIDTH]);

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = a.wrapping_add(*b);
        }
    }

    #[inline(always)]
    fn sub(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a = a.wrapping_sub(*b);
        }
    }

    #[inline(always)]
    fn clipped(mut self) -> Self {
        self.0.iter_mut().zip(LEAST).for_each(|(a, least)| *a = (*a).clamp(least, MOST));
        self
    }
}

/// The numbers of all points together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums(Row);

impl Sums {
    pub(super) const ZERO: Self = Self(Row::ZERO);

    #[inline(always)]
    pub(super) fn gain(&mut self, row: &Row) {
        self.0.add(row);
    }

    #[inline(always)]
    pub(super) fn lose(&mut self, row: &Row) {
        self.0.sub(row);
    }
}

/// From the sums to a value, for one situation.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// By sum, then by hidden number.
    pub hidden: [[f32; HIDDEN]; WIDTH],
    /// What is added to the hidden numbers.
    pub hidden_base: [f32; HIDDEN],
    /// What they count.
    pub out: [f32; HIDDEN],
    /// What the sums themselves count.
    pub direct: [f32; WIDTH],
    /// What is added.
    pub base: f32,
}

/// How many different [`class`]es of codes there are.
pub static CLASSES: LazyLock<usize> = LazyLock::new(|| usize::from(CLASS.iter().copied().max().unwrap_or(0)) + 1);

/// The class of a [`View`]'s code: mirror images are one, and so are all lines on which no row of six has room; those are class 0.
#[inline]
#[must_use]
pub fn class(code: u16) -> usize {
    CLASS[usize::from(code) % CODES].into()
}

static CLASS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut classes = vec![0; CODES];
    let mut next = 1;
    let room = |side: u16| side.checked_ilog2();
    for before in 1..64u16 {
        for after in before..64 {
            if room(before).unwrap_or(0) + room(after).unwrap_or(0) >= 5 {
                classes[usize::from(before << 6 | after)] = next;
                classes[usize::from(after << 6 | before)] = next;
                next += 1;
            }
        }
    }
    classes
});

/// Weights, as they are written to a file.
///
/// A point's numbers are the sum of a row for each seat and direction, and a base, clipped to 0..=[`MOST`], the first [`SIGNED`] to -[`MOST`]..=[`MOST`]. What it promises is a weighed
/// sum of them; the value is [`Head`]'s word on the sums over all points.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// By seat and [`class`].
    pub rows: [Vec<[i8; WIDTH]>; 2],
    /// What is added to every point's numbers.
    pub base: [i16; WIDTH],
    /// By situation: what a point's numbers count in its promise.
    pub promise: [[i16; WIDTH]; SITUATIONS],
    /// By situation.
    pub heads: [Head; SITUATIONS],
}

/// What a file of weights begins with.
const MAGIC: &[u8; 8] = b"C6 net 1";

impl Weights {
    /// As a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.rows.iter().flatten().flatten().map(|&n| n as u8));
        out.extend(self.base.iter().chain(self.promise.iter().flatten()).flat_map(|n| n.to_le_bytes()));
        for head in &self.heads {
            let numbers = head.hidden.iter().flatten().chain(&head.hidden_base).chain(&head.out).chain(&head.direct);
            out.extend(numbers.chain([&head.base]).flat_map(|n| n.to_le_bytes()));
        }
        out
    }

    /// From a file; `None` if it is none, whole and with numbers below a million.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut take = |count: usize| -> Option<&[u8]> {
            let (head, tail) = rest.split_at_checked(count)?;
            rest = tail;
            Some(head)
        };
        let mut rows = [const { Vec::new() }; 2];
        for rows in &mut rows {
            let bytes = take(*CLASSES * WIDTH)?;
            *rows = bytes.as_chunks::<WIDTH>().0.iter().map(|row| row.map(|n| n as i8)).collect();
        }
        let mut short = || -> Option<[i16; WIDTH]> {
            let bytes = take(2 * WIDTH)?.as_chunks::<2>().0;
            Some(core::array::from_fn(|i| i16::from_le_bytes(bytes[i])))
        };
        let base = short()?;
        let mut promise = [[0; WIDTH]; SITUATIONS];
        for row in &mut promise {
            *row = short()?;
        }
        let mut number = || Some(f32::from_le_bytes(take(4)?.try_into().ok()?)).filter(|n| n.abs() < 1e6);
        let empty = Head {
            hidden: [[0.0; HIDDEN]; WIDTH],
            hidden_base: [0.0; HIDDEN],
            out: [0.0; HIDDEN],
            direct: [0.0; WIDTH],
            base: 0.0,
        };
        let mut heads = [const { None }; SITUATIONS];
        for head in &mut heads {
            let mut new = empty.clone();
            let numbers = new.hidden.iter_mut().flatten().chain(&mut new.hidden_base).chain(&mut new.out).chain(&mut new.direct);
            for n in numbers.chain([&mut new.base]) {
                *n = number()?;
            }
            *head = Some(new);
        }
        let [a, b, c, d] = heads;
        rest.is_empty().then_some(Self { rows, base, promise, heads: [a?, b?, c?, d?] })
    }
}

/// Weights, laid out to be looked up.
#[derive(Clone, Debug)]
pub struct Net {
    /// By seat and code.
    rows: Vec<Row>,
    base: Row,
    promise: [Row; SITUATIONS],
    heads: [Head; SITUATIONS],
}

/// What is built in.
static BUILT_IN: LazyLock<Net> = LazyLock::new(|| {
    let weights = Weights::from_bytes(include_bytes!("weights.bin"));
    Net::new(&weights.unwrap_or_else(|| panic!("the weights that are built in are whole")))
});

impl Net {
    /// With the weights that are built in.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// With other weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let row = |seat: usize, code: u16| Row(weights.rows[seat].get(class(code)).map_or([0; WIDTH], |row| row.map(i16::from)));
        Self {
            rows: (0..2).flat_map(|seat| (0..CODES as u16).map(move |code| row(seat, code))).collect(),
            base: Row(weights.base),
            promise: weights.promise.map(Row),
            heads: weights.heads.clone(),
        }
    }

    #[inline(always)]
    fn row(&self, seat: usize, code: u16) -> &Row {
        &self.rows[seat * CODES + usize::from(code) % CODES]
    }

    /// The numbers of a point.
    #[inline(always)]
    pub(super) fn numbers(&self, view: &View) -> Row {
        let mut sum = self.base;
        for (seat, codes) in view.iter().enumerate() {
            codes.iter().for_each(|&code| sum.add(self.row(seat, code)));
        }
        sum.clipped()
    }

    /// The numbers of a point before and after its codes of one direction change.
    #[inline(always)]
    pub(super) fn changed(&self, view: &View, direction: usize, codes: [u16; 2]) -> [Row; 2] {
        let mut sum = self.base;
        for (seat, codes) in view.iter().enumerate() {
            for other in (0..4).filter(|&other| other != direction) {
                sum.add(self.row(seat, codes[other]));
            }
        }
        let mut both = [sum; 2];
        for (seat, (old, new)) in view.iter().zip(codes).enumerate() {
            both[0].add(self.row(seat, old[direction]));
            both[1].add(self.row(seat, new));
        }
        both.map(Row::clipped)
    }

    /// How good a stone on a point looks, in hundredths of a logit.
    #[inline(always)]
    pub(super) fn promise(&self, numbers: &Row, situation: usize) -> i32 {
        let weights = &self.promise[situation].0;
        let sum: i32 = numbers.0.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
        sum / (ONE * PROMISE_ONE / 100.0) as i32
    }

    /// The value for One, from -1 to 1.
    #[inline(always)]
    pub(super) fn value(&self, sums: &Sums, situation: usize) -> f32 {
        let head = &self.heads[situation];
        let mut hidden = head.hidden_base;
        let mut direct = head.base;
        for ((&sum, weights), weight) in sums.0.0.iter().zip(&head.hidden).zip(&head.direct) {
            let x = f32::from(sum) * (1.0 / (ONE * SUMS));
            hidden.iter_mut().zip(weights).for_each(|(h, w)| *h += x * w);
            direct += x * weight;
        }
        let logit = hidden.iter().zip(&head.out).fold(direct, |all, (h, w)| all + h.max(0.0) * w);
        squashed(logit)
    }
}

/// The largest logit: no opinion is as good as a win.
const SUREST: f32 = 12.0;

/// What a logit is worth in points, between -1 and 1: close to how much more often one wins than loses, and the same on every machine.
#[inline]
#[must_use]
pub fn squashed(logit: f32) -> f32 {
    let logit = logit.clamp(-SUREST, SUREST);
    logit / (4.0 + logit * logit).sqrt()
}

/// The logit of a value between -1 and 1.
#[inline]
#[must_use]
pub fn logit(value: f32) -> f32 {
    2.0 * value / (1.0 - value * value).max(1e-4).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::views::{POINTS, Views};
    use super::*;
    use gamecore::random;
    use lines::Board;

    #[test]
    fn classes_are_lines_seen_from_either_side() {
        let mirrored = |code: u16| code >> 6 | (code & 63) << 6;
        let mut found = vec![false; *CLASSES];
        let mut board = Board::new(19).unwrap();
        let mut rng = random::generator(3);
        while board.empty_count() > 100 {
            let player = if board.count().is_multiple_of(3) { gamecore::Player::One } else { gamecore::Player::Two };
            board.place(board.random_empty(&mut rng).unwrap(), player);
            let views = Views::new(&board);
            for (point, view) in views.near() {
                assert!(point < POINTS);
                for &code in view.iter().flatten() {
                    assert_eq!(class(code), class(mirrored(code)));
                    let room = (code >> 6).ilog2() + (code & 63).ilog2();
                    assert_eq!(class(code) == 0, room < 5, "{code:#b}");
                    found[class(code)] = true;
                }
            }
        }
        assert!(*CLASSES == 1949 && found.iter().filter(|&&f| f).count() > 300);
    }

    /// What is written is read, and nothing else is.
    #[test]
    fn weights_are_read_as_they_are_written() {
        let bytes = include_bytes!("weights.bin");
        let weights = Weights::from_bytes(bytes).unwrap();
        assert_eq!(weights.to_bytes(), bytes);
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(Weights::from_bytes(&bytes[1..]).is_none());
        assert!(Weights::from_bytes(&[&bytes[..], &[0]].concat()).is_none());
        let mut spoiled = bytes.to_vec();
        let end = spoiled.len();
        spoiled[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(Weights::from_bytes(&spoiled).is_none());
    }

    #[test]
    fn logits_and_values_are_two_ways_to_say_the_same() {
        for i in -100..=100 {
            let x = i as f32 / 20.0;
            assert!((logit(squashed(x)) - x).abs() < 1e-3, "{x}");
        }
        assert!(squashed(f32::INFINITY) < 1.0 && squashed(f32::NEG_INFINITY) > -1.0);
    }
}
