//! The two dice, and the throw that decides who starts.

use gamecore::{Chance, D6, Player, ROLLS, Roll};
use rand::Rng;

/// What a chance node brings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Throw {
    /// The mover's two dice.
    Turn(Roll),
    /// The throw that decides who starts: one die each. The seat with the higher one starts and plays both.
    Opening {
        /// Player One's die, 1 to 6.
        one: u8,
        /// Player Two's die, 1 to 6, another face than One's: equal dice are thrown again.
        two: u8,
    },
}

impl Throw {
    /// The two dice.
    #[inline]
    #[must_use]
    pub const fn roll(self) -> Roll {
        match self {
            Self::Turn(roll) => roll,
            Self::Opening { one, two } => Roll::new(one, two),
        }
    }

    /// Who starts after an opening throw.
    #[must_use]
    pub const fn starter(self) -> Option<Player> {
        match self {
            Self::Turn(_) => None,
            Self::Opening { one, two } => Some(if one > two { Player::One } else { Player::Two }),
        }
    }
}

/// Two dice: [`Turn`](Dice::Turn) has the 21 rolls of a turn, doubles of probability 1/36 and others of 2/36;
/// [`Opening`](Dice::Opening) the 30 throws without doubles that decide who starts, 1/30 each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dice {
    /// A player's roll.
    Turn,
    /// The throw for the first turn.
    Opening,
}

static TURN: [(Throw, f64); 21] = {
    let mut list = [(Throw::Turn(ROLLS[0].0), 0.0); 21];
    let mut i = 0;
    while i < 21 {
        list[i] = (Throw::Turn(ROLLS[i].0), ROLLS[i].1);
        i += 1;
    }
    list
};

static OPENING: [(Throw, f64); 30] = {
    let mut list = [(Throw::Opening { one: 1, two: 2 }, 1.0 / 30.0); 30];
    let (mut one, mut n) = (1, 0);
    while one <= 6 {
        let mut two = 1;
        while two <= 6 {
            if one != two {
                list[n].0 = Throw::Opening { one, two };
                n += 1;
            }
            two += 1;
        }
        one += 1;
    }
    list
};

impl Chance for Dice {
    type Event = Throw;

    #[inline]
    fn events(&self) -> &[(Throw, f64)] {
        match self {
            Self::Turn => &TURN,
            Self::Opening => &OPENING,
        }
    }

    #[inline]
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Throw {
        match self {
            Self::Turn => Throw::Turn(Roll::new(D6::roll(rng), D6::roll(rng))),
            Self::Opening => OPENING[gamecore::random::below(rng, OPENING.len())].0,
        }
    }
}
