//! The die, and which of its faces come to the same.

use gamecore::{Chance, D6, D6_FACES, Player};
use rand::Rng;

use crate::lanes::{lane, living_six, occupied, shifts};
use crate::tables::TablesRef;

/// Faces with their probabilities, those of equal consequence merged.
#[derive(Clone, Copy)]
struct Faces {
    list: [(u8, f64); 6],
    len: u8,
    /// Which of `list` stands for each of the six.
    places: [u8; 6],
}

impl Faces {
    const NONE: Self = Self { list: [(0, 0.0); 6], len: 0, places: [0; 6] };

    /// Faces of equal class are merged into the lowest; the order is that of the faces.
    const fn merged(classes: [u8; 6]) -> Self {
        let mut faces = Self::NONE;
        let (mut counts, mut i) = ([0u8; 6], 0);
        while i < 6 {
            let mut j = 0;
            while j < faces.len as usize && classes[faces.list[j].0 as usize - 1] != classes[i] {
                j += 1;
            }
            if j == faces.len as usize {
                faces.list[j].0 = i as u8 + 1;
                faces.len += 1;
            }
            faces.places[i] = j as u8;
            counts[j] += 1;
            faces.list[j].1 = counts[j] as f64 / 6.0;
            i += 1;
        }
        faces
    }

    #[inline(always)]
    fn as_slice(&self) -> &[(u8, f64)] {
        &self.list[..usize::from(self.len).min(6)]
    }
}

/// Standard rules: the stones that may move when the living ones are those of `set`, not empty, and the die shows
/// `face + 1`. Both are the same if there is no choice.
pub(crate) const fn neighbours(set: u32, face: u32) -> (u32, u32) {
    let (below, above) = (set & ((2 << face) - 1), set >> face << face);
    let low = if below == 0 { above.trailing_zeros() } else { below.ilog2() };
    let high = if above == 0 { low } else { above.trailing_zeros() };
    (low, high)
}

/// Standard rules, for each set of living stones: faces that leave the choice of the same stones are one.
static BY_LIVING: [Faces; 64] = by_living();

const fn by_living() -> [Faces; 64] {
    let mut table = [Faces::NONE; 64];
    let mut set = 1;
    while set < 64 {
        let (mut classes, mut i) = ([0; 6], 0);
        while i < 6 {
            let (low, high) = neighbours(set, i);
            classes[i as usize] = (low * 8 + high) as u8;
            i += 1;
        }
        table[set as usize] = Faces::merged(classes);
        set += 1;
    }
    table
}

/// Variants, by the sum of `class * 3^face`: a face moves its own stone (0), leaves the choice free (1) or is a pass (2).
static BY_CLASS: [Faces; 729] = by_class();

const OWN: usize = 0;
const FREE: usize = 1;
const PASS: usize = 2;

const fn by_class() -> [Faces; 729] {
    let mut table = [Faces::NONE; 729];
    let mut index = 0;
    while index < 729 {
        let (mut classes, mut rest, mut i) = ([0; 6], index, 0);
        while i < 6 {
            classes[i] = if rest % 3 == OWN { 3 + i as u8 } else { (rest % 3) as u8 };
            rest /= 3;
            i += 1;
        }
        table[index] = Faces::merged(classes);
        index += 1;
    }
    table
}

/// The die of a position: six faces, of which [`merged`](Chance::merged) makes one where the position does not tell
/// them apart.
///
/// In the standard game those are the faces of captured stones between the same living neighbours (and beyond the
/// last living number those of that stone too); in the variants all faces that are a pass, and all that leave the
/// choice free.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Die {
    own: u64,
    tables: TablesRef,
    mover: Player,
}

impl Die {
    #[inline(always)]
    pub(crate) const fn new(own: u64, tables: TablesRef, mover: Player) -> Self {
        Self { own, tables, mover }
    }

    #[inline(always)]
    fn faces(&self) -> &'static Faces {
        if self.tables.0.standard { &BY_LIVING[living_six(self.own)] } else { &BY_CLASS[self.classes()] }
    }

    /// The entry of [`BY_CLASS`].
    fn classes(&self) -> usize {
        let (t, seat) = (self.tables.0, self.mover.index());
        let empty = !occupied(self.own) as u32;
        let targets = |shift| t.steps[seat][lane(self.own, shift) as usize & 31] & empty;
        let free_targets = |shift| t.free_steps[seat][lane(self.own, shift) as usize & 31] & empty;
        // One at least, if there are stones at all: the foremost has only empty squares and enemies before it.
        let mut movable = shifts(self.own).filter(|&shift| free_targets(shift) != 0);
        // A free choice of one stone is that stone's own face, unless that allows more steps.
        let (first, second) = (movable.next(), movable.next());
        let only = first.filter(|&shift| second.is_none() && targets(shift) == free_targets(shift));
        let (mut index, mut place) = (0, 1);
        for shift in (0..36).step_by(6) {
            let alive = lane(self.own, shift) < 32;
            let class = if alive && targets(shift) != 0 {
                if only == Some(shift) && (t.free_missing || t.free_blocked) { FREE } else { OWN }
            } else if if alive { t.free_blocked } else { t.free_missing } {
                FREE
            } else {
                PASS
            };
            index += class * place;
            place *= 3;
        }
        index
    }
}

impl Chance for Die {
    type Event = u8;

    #[inline]
    fn events(&self) -> &[(u8, f64)] {
        &D6_FACES
    }

    #[inline]
    fn merged(&self) -> &[(u8, f64)] {
        self.faces().as_slice()
    }

    #[inline]
    fn representative(&self, face: u8) -> u8 {
        let faces = self.faces();
        faces.list[usize::from(faces.places[usize::from(face - 1)])].0
    }

    #[inline(always)]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        D6::roll(rng)
    }
}

impl core::fmt::Debug for Die {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Die").field("merged", &self.merged()).finish()
    }
}
