//! The dice of a game, as a referee throws them.

use rand::Rng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{Chance, mix, random};

/// The dice of one game: what is rolled depends on the seed, the game's number and the step alone.
///
/// Every roll has a generator of its own. So taking moves back and playing them again meets the same dice, and both games of a pair, and every pairing of a tournament, meet the same
/// dice at the same ply, whatever was played before and however many numbers a roll takes.
///
/// # Examples
/// ```
/// use gamecore::{D6, Dice};
/// let dice = Dice::new(7, 0);
/// assert_eq!(dice.roll(&D6, 12), Dice::new(7, 0).roll(&D6, 12));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Dice(u64);

impl Dice {
    /// The dice of game number `game` (of a match: of pair number `game`) under `seed`.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        // `mix` maps 0 to 0 and is one to one; the constant keeps small seeds from small games.
        Self(mix(mix(seed.wrapping_add(0x9E37_79B9_7F4A_7C15)).wrapping_add(game)))
    }

    /// What `chance` brings as step number `step` of the game, moves and rolls counted.
    #[must_use]
    pub fn roll<C: Chance>(self, chance: &C, step: usize) -> C::Event {
        chance.sample(&mut self.generator(step as u64))
    }

    /// The generator from which the game's start is drawn.
    #[must_use]
    pub fn start(self) -> impl Rng {
        self.generator(u64::MAX)
    }

    fn generator(self, place: u64) -> Xoshiro256PlusPlus {
        random::generator(mix(self.0.wrapping_add(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::D6;

    /// Faces are fair along the plies of a game, along the games of a seed and along seeds.
    #[test]
    fn rolls_are_fair_along_every_axis() {
        let n = 30_000;
        let axes: [fn(u64) -> u8; 3] =
            [|i| Dice::new(1, 2).roll(&D6, i as usize), |i| Dice::new(1, i).roll(&D6, 0), |i| Dice::new(i, 0).roll(&D6, 0)];
        for axis in axes {
            let (mut faces, mut repeats, mut last) = ([0u32; 7], 0u32, 0);
            for i in 0..n {
                let face = axis(i);
                faces[usize::from(face)] += 1;
                repeats += u32::from(face == last);
                last = face;
            }
            // Five standard deviations of a sixth.
            let near = |count: u32| (f64::from(count) - n as f64 / 6.0).abs() < 5.0 * (n as f64 * 5.0 / 36.0).sqrt();
            assert!(faces[1..].iter().all(|&c| near(c)) && near(repeats), "{faces:?} {repeats}");
        }
    }
}
