//! Swap2: how two players come to a fair opening.
//!
//! Whoever begins gomoku on an empty board wins against good play, so players first agree on a few stones:
//! 1. The first player puts three stones: black, white, black.
//! 2. The second player takes black, or takes white and puts the fourth stone, or puts two more stones, white and black.
//! 3. After two more stones the first player takes black, or takes white and puts the sixth stone.
//!
//! It is White's move then, whoever that is. [`Swap2`] knows what may be chosen when, and [`Swap2::best`] what to choose, if somebody judges
//! positions for it.
//!
//! First and second are people here, not seats: [`Player::One`](gamecore::Player::One) is black.
//!
//! # Examples
//! ```
//! use games_gomoku::swap2::{Choice, Person, Stage, Swap2};
//! use games_gomoku::{Point, Rule};
//!
//! let mut opening = Swap2::new(Rule::Standard, 15)?;
//! let stones = ["h8", "i8", "j10"].map(|name| opening.game().parse_point(name).unwrap());
//! opening.choose(Choice::Three(stones))?;
//! assert_eq!((opening.stage(), opening.asked()), (Stage::Four, Some(Person::Second)));
//!
//! opening.choose(Choice::Black)?;
//! assert_eq!(opening.stage(), Stage::Over { black: Person::Second });
//! assert_eq!(opening.game().to_string(), "15/15/15/15/15/9x5/15/7xo6/15/15/15/15/15/15/15 two standard");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;

use gamecore::{History, PlayError};
use lines::Point;

use crate::rules::{Rule, SetupError};
use crate::state::Gomoku;

mod choose;

pub use choose::Judged;

/// One of the two who agree on the opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Person {
    /// Who puts the first three stones.
    First,
    /// The other one.
    Second,
}

impl Person {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How far the opening has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Stage {
    /// No stones: the first player puts three.
    Three,
    /// Three stones: the second player takes a colour, or puts two more.
    Four,
    /// Five stones: the first player takes a colour.
    Six,
    /// It is known who plays black, and White is to move.
    Over {
        /// Who has the black stones.
        black: Person,
    },
}

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Choice {
    /// The first three stones: black, white, black.
    Three([Point; 3]),
    /// To have the black stones; the other player, White, moves next. Protocols call it a swap.
    Black,
    /// To have the white stones, and to move next.
    White,
    /// The fourth and the fifth stone, white and black; the other player takes a colour.
    Two([Point; 2]),
}

/// An opening by swap2, as far as it has come.
#[derive(Clone, Debug)]
pub struct Swap2 {
    history: History<Gomoku>,
    stage: Stage,
}

impl Swap2 {
    /// An empty board.
    ///
    /// # Errors
    /// Unless `size` is 5 to 20.
    pub fn new(rule: Rule, size: u8) -> Result<Self, SetupError> {
        Ok(Self { history: Gomoku::start(rule, size)?.into(), stage: Stage::Three })
    }

    /// An opening of which stones are known but no choice of a colour, as protocols tell it: the stones in turn, black first.
    ///
    /// # Errors
    /// If there are not 0, 3 or 5 stones, or one is outside the board or on another.
    pub fn of_stones(rule: Rule, size: u8, stones: &[Point]) -> Result<Self, Swap2Error> {
        let mut opening = Self::new(rule, size)?;
        let (three, two) = match *stones {
            [] => return Ok(opening),
            [a, b, c] => ([a, b, c], None),
            [a, b, c, d, e] => ([a, b, c], Some([d, e])),
            _ => return Err(Swap2Error::Stones { found: stones.len() }),
        };
        opening.choose(Choice::Three(three))?;
        two.map_or(Ok(()), |two| opening.choose(Choice::Two(two)))?;
        Ok(opening)
    }

    /// How far it has come.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Whose choice it is; `None` if the opening is over.
    #[must_use]
    pub const fn asked(&self) -> Option<Person> {
        match self.stage {
            Stage::Three | Stage::Six => Some(Person::First),
            Stage::Four => Some(Person::Second),
            Stage::Over { .. } => None,
        }
    }

    /// The stones so far.
    #[must_use]
    pub fn game(&self) -> &Gomoku {
        self.history.state()
    }

    /// The stones in turn, as moves of a game that goes on from here.
    #[must_use]
    pub const fn history(&self) -> &History<Gomoku> {
        &self.history
    }

    /// Makes a choice of whoever is asked.
    ///
    /// # Errors
    /// If it cannot be chosen at this stage, or a stone cannot be put where it should; nothing changes then.
    pub fn choose(&mut self, choice: Choice) -> Result<(), Swap2Error> {
        let next = match (self.stage, choice) {
            (Stage::Three, Choice::Three(_)) => Stage::Four,
            (Stage::Four, Choice::Two(_)) => Stage::Six,
            (Stage::Four, Choice::Black) | (Stage::Six, Choice::White) => Stage::Over { black: Person::Second },
            (Stage::Four, Choice::White) | (Stage::Six, Choice::Black) => Stage::Over { black: Person::First },
            (stage, _) => return Err(Swap2Error::Stage { stage }),
        };
        let stones: &[Point] = match &choice {
            Choice::Three(stones) => stones,
            Choice::Two(stones) => stones,
            Choice::Black | Choice::White => &[],
        };
        let mut history = self.history.clone();
        for &m in stones {
            history.try_play(m).map_err(Swap2Error::Stone)?;
        }
        (self.history, self.stage) = (history, next);
        Ok(())
    }
}

impl fmt::Display for Stage {
    /// What can be chosen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Three => "three stones are to be put: black, white, black",
            Self::Four => "black can be taken, or white, or two more stones put: white, black",
            Self::Six => "black can be taken, or white",
            Self::Over { .. } => "the opening is over",
        })
    }
}

/// Why something cannot be chosen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Swap2Error {
    /// Not at this stage.
    #[error("that cannot be chosen now: {stage}")]
    Stage {
        /// How far the opening has come.
        stage: Stage,
    },
    /// Another number of stones than there are at any choice.
    #[error("an opening by swap2 waits for a choice after 0, 3 or 5 stones, not after {found}")]
    Stones {
        /// How many there are.
        found: usize,
    },
    /// A stone outside the board, on another, or where the rules forbid it.
    #[error(transparent)]
    Stone(PlayError<Point>),
    /// There is no such board.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Player;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn three() -> Choice {
        Choice::Three([at(7, 7), at(8, 7), at(9, 9)])
    }

    fn two() -> Choice {
        Choice::Two([at(8, 8), at(8, 6)])
    }

    /// Every way through, with who has black then and how many stones there are.
    #[test]
    fn each_way_leads_to_its_colours() {
        for (choices, black, stones) in [
            (&[three(), Choice::Black][..], Person::Second, 3),
            (&[three(), Choice::White], Person::First, 3),
            (&[three(), two(), Choice::Black], Person::First, 5),
            (&[three(), two(), Choice::White], Person::Second, 5),
        ] {
            let mut opening = Swap2::new(Rule::Standard, 15).unwrap();
            let mut asked = Person::First;
            for &choice in choices {
                assert_eq!(opening.asked(), Some(asked));
                opening.choose(choice).unwrap();
                asked = asked.other();
            }
            assert_eq!((opening.stage(), opening.asked()), (Stage::Over { black }, None));
            assert_eq!((opening.game().board().count(), opening.game().mover()), (stones, Player::Two));
            assert_eq!(opening.history().steps().len(), usize::from(stones));
        }
    }

    #[test]
    fn other_choices_are_refused() {
        let all = [three(), Choice::Black, Choice::White, two()];
        let stages: [(&[Choice], [bool; 4], &str); 4] = [
            (&[], [true, false, false, false], "three stones"),
            (&[three()], [false, true, true, true], "or two more"),
            (&[three(), two()], [false, true, true, false], "black can be taken, or white"),
            (&[three(), Choice::White], [false; 4], "is over"),
        ];
        for (before, allowed, words) in stages {
            for (choice, allowed) in all.into_iter().zip(allowed) {
                let mut opening = Swap2::new(Rule::Freestyle, 15).unwrap();
                before.iter().for_each(|&choice| opening.choose(choice).unwrap());
                let stage = opening.stage();
                match opening.choose(choice) {
                    Ok(()) => assert!(allowed, "{stage:?} {choice:?}"),
                    Err(error) => assert!(!allowed && error.to_string().contains(words) && opening.stage() == stage, "{error}"),
                }
            }
        }
    }

    #[test]
    fn stones_have_a_place_of_their_own() {
        let mut opening = Swap2::new(Rule::Freestyle, 9).unwrap();
        for stones in [[at(4, 4), at(5, 5), at(4, 4)], [at(4, 4), at(9, 0), at(5, 5)]] {
            assert!(matches!(opening.choose(Choice::Three(stones)), Err(Swap2Error::Stone(PlayError::Illegal { .. }))));
            assert_eq!((opening.stage(), opening.game().board().count()), (Stage::Three, 0));
        }
        let stones = [at(4, 4), at(5, 5), at(3, 3), at(4, 5), at(5, 4)];
        for (count, stage) in [(0, Stage::Three), (3, Stage::Four), (5, Stage::Six)] {
            assert_eq!(Swap2::of_stones(Rule::Caro, 9, &stones[..count]).unwrap().stage(), stage);
        }
        for count in [1, 2, 4] {
            let error = Swap2::of_stones(Rule::Caro, 9, &stones[..count]).unwrap_err();
            assert_eq!(error, Swap2Error::Stones { found: count });
        }
        assert!(Swap2::of_stones(Rule::Caro, 21, &[]).is_err());
    }
}
