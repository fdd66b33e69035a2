//! Chance: dice, and the games that have none.

use core::fmt::Debug;
use core::hash::Hash;

use rand::Rng;

use crate::random::below;

/// The events that one chance node can bring.
///
/// The roll comes before the decision: a die is a node of its own and never an opponent.
/// The lists are never empty; probabilities are positive and sum to 1 within 1e-12; the order is fixed.
pub trait Chance {
    /// One thing that can happen, such as a face of a die. (Not called outcome: that is how a game ends.)
    type Event: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// All events as people see them (six faces, 21 rolls), each with its probability.
    ///
    /// Referees, records and a report's table by roll use this list.
    fn events(&self) -> &[(Self::Event, f64)];

    /// The same distribution; events of equal consequence may be merged into one, their probabilities added.
    ///
    /// Searches visit this list. Two events have equal consequence if they allow the same moves with the same
    /// results; the state after either may still differ in the face it shows. Each event listed is one of
    /// [`events`](Chance::events).
    #[inline]
    fn merged(&self) -> &[(Self::Event, f64)] {
        self.events()
    }

    /// The event of [`merged`](Chance::merged) that stands for `event`, one of [`events`](Chance::events): where a search
    /// finds the branch of what was really rolled. Override it together with `merged`.
    #[inline]
    fn representative(&self, event: Self::Event) -> Self::Event {
        event
    }

    /// One of [`events`](Chance::events), drawn by its probability. Override where that is cheaper.
    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Self::Event {
        let mut x = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let events = self.events();
        for &(event, probability) in events {
            if x < probability {
                return event;
            }
            x -= probability;
        }
        events[events.len() - 1].0
    }
}

/// The chance of a game without chance, and its event. It has no values, so the code for it compiles to nothing:
/// write `Turn::Chance(never) => match never {}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Never {}

impl Chance for Never {
    type Event = Self;

    fn events(&self) -> &[(Self, f64)] {
        match *self {}
    }
}

const SIXTH: f64 = 1.0 / 6.0;

/// The six faces of a fair die, for chance types that hand them out.
pub static D6_FACES: [(u8, f64); 6] = [(1, SIXTH), (2, SIXTH), (3, SIXTH), (4, SIXTH), (5, SIXTH), (6, SIXTH)];

/// One fair six-sided die; events are the faces 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct D6;

impl D6 {
    /// A face, 1 to 6.
    #[inline]
    pub fn roll<R: Rng + ?Sized>(rng: &mut R) -> u8 {
        below(rng, 6) as u8 + 1
    }
}

impl Chance for D6 {
    type Event = u8;

    #[inline]
    fn events(&self) -> &[(u8, f64)] {
        &D6_FACES
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        Self::roll(rng)
    }
}

/// What two dice show, the higher face first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// The roll of two faces in either order.
    ///
    /// # Panics
    /// If a face is not 1 to 6.
    #[must_use]
    pub const fn new(a: u8, b: u8) -> Self {
        assert!(1 <= a && a <= 6 && 1 <= b && b <= 6, "a die shows 1 to 6");
        if a < b { Self { high: b, low: a } } else { Self { high: a, low: b } }
    }

    /// The higher face.
    #[inline]
    #[must_use]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// The lower face; equal to [`high`](Roll::high) for a double.
    #[inline]
    #[must_use]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice show the same face.
    #[inline]
    #[must_use]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }
}

/// The 21 rolls of two dice: doubles of probability 1/36, the others of 2/36. Ordered 1-1, 2-1, 2-2, 3-1, ... 6-6.
pub static ROLLS: [(Roll, f64); 21] = rolls();

const fn rolls() -> [(Roll, f64); 21] {
    let mut list = [(Roll { high: 1, low: 1 }, 1.0 / 36.0); 21];
    let (mut high, mut n) = (1, 0);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            list[n] = (Roll { high, low }, if high == low { 1.0 / 36.0 } else { 2.0 / 36.0 });
            n += 1;
            low += 1;
        }
        high += 1;
    }
    list
}

/// Two fair dice whose order does not matter; events are the 21 [`ROLLS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TwoDice;

impl Chance for TwoDice {
    type Event = Roll;

    #[inline]
    fn events(&self) -> &[(Roll, f64)] {
        &ROLLS
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Roll {
        Roll::new(D6::roll(rng), D6::roll(rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generator;

    #[test]
    fn rolls_are_the_21_of_backgammon() {
        assert_eq!(ROLLS.iter().filter(|(r, _)| r.is_double()).count(), 6);
        assert!((ROLLS.iter().map(|r| r.1).sum::<f64>() - 1.0).abs() < 1e-12);
        for (i, a) in ROLLS.iter().enumerate() {
            assert!(ROLLS[i + 1..].iter().all(|b| a.0 < b.0));
            assert!(a.0.low() <= a.0.high());
        }
    }

    /// A loaded coin that leaves sampling to the default.
    struct Coin;
    impl Chance for Coin {
        type Event = bool;
        fn events(&self) -> &[(bool, f64)] {
            &[(true, 0.25), (false, 0.75)]
        }
    }

    #[test]
    fn samples_follow_the_probabilities() {
        let mut rng = generator(7);
        let n = 60_000;
        let (mut faces, mut doubles, mut heads) = ([0; 7], 0, 0);
        for _ in 0..n {
            faces[D6.sample(&mut rng) as usize] += 1;
            doubles += usize::from(TwoDice.sample(&mut rng).is_double());
            heads += usize::from(Coin.sample(&mut rng));
        }
        // Five standard deviations.
        let near = |count: usize, p: f64| (count as f64 - n as f64 * p).abs() < 5.0 * (n as f64 * p * (1.0 - p)).sqrt();
        assert_eq!(faces[0], 0);
        assert!(faces[1..].iter().all(|&c| near(c, 1.0 / 6.0)), "{faces:?}");
        assert!(near(doubles, 1.0 / 6.0) && near(heads, 0.25), "{doubles} {heads}");
    }
}
