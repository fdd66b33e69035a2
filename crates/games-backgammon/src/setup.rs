//! Set-up: the usual first positions, and any position from its checkers.

use core::fmt;
use core::str::FromStr;

use gamecore::{Player, Roll};

use crate::side::{BAR, HOME, IN_PLAY, OFF, PLACES, Side, mirrored};
use crate::stakes::Stakes;
use crate::state::{Backgammon, LOST, OPENING, ROLL, WON};

/// Checkers of a side at most.
pub(crate) const CHECKERS: u8 = 15;

/// How the checkers stand at first; both sides alike.
///
/// # Examples
/// ```
/// use games_backgammon::{Backgammon, Setup};
/// use gamecore::Player;
///
/// let game = Backgammon::start("nackgammon".parse()?);
/// assert_eq!(game.checkers(Player::One, 23), 2);
/// assert_eq!(Setup::default().to_string(), "standard");
/// # Ok::<(), games_backgammon::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Setup {
    /// 24-point 2, 13-point 5, 8-point 3, 6-point 5.
    #[default]
    Standard,
    /// Nack Ballard's: one checker fewer on the 13- and the 6-point, two on the 23-point.
    Nackgammon,
    /// Three checkers: one each on the 24-, 23- and 22-point.
    Hypergammon,
}

impl Setup {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Nackgammon, Self::Hypergammon];

    /// The name, one lower-case word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Nackgammon => "nackgammon",
            Self::Hypergammon => "hypergammon",
        }
    }

    /// Checkers of a side on its points 1 to 24, on the bar, and off.
    #[must_use]
    pub fn board(self) -> [u8; 26] {
        let stacks: &[(usize, u8)] = match self {
            Self::Standard => &[(24, 2), (13, 5), (8, 3), (6, 5)],
            Self::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Self::Hypergammon => &[(24, 1), (23, 1), (22, 1)],
        };
        let mut board = [0; PLACES];
        stacks.iter().for_each(|&(point, count)| board[point - 1] = count);
        board
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    /// The [name](Setup::name), in any case.
    fn from_str(text: &str) -> Result<Self, SetupError> {
        let word = text.trim();
        let found = Self::ALL.into_iter().find(|setup| setup.name().eq_ignore_ascii_case(word));
        found.ok_or_else(|| SetupError::Name { found: gamecore::text::quoted(word) })
    }
}

impl Backgammon {
    /// The first position of a money game, before the throw that decides who starts.
    #[must_use]
    pub fn start(setup: Setup) -> Self {
        let side = Side::of(setup.board());
        Self { sides: [side; 2], stakes: Stakes::MONEY, mover: Player::One, phase: OPENING, low: 0 }
    }

    /// Any position of a money game: each seat's checkers on its own points 1 to 24, on the bar, and off; the seat to
    /// move; its dice, if they have been rolled. The game may be over already.
    ///
    /// # Errors
    /// If a side has no checker or more than 15, both have checkers on a point, both are borne off, both are on the
    /// bar before closed boards, or dice are given after the end.
    pub fn from_board(boards: [[u8; 26]; 2], mover: Player, dice: Option<Roll>) -> Result<Self, SetupError> {
        for seat in Player::BOTH {
            let found: u32 = boards[seat].iter().map(|&n| u32::from(n)).sum();
            if found == 0 || found > CHECKERS.into() {
                return Err(SetupError::Checkers { seat, found });
            }
        }
        let sides = [Side::of(boards[mover]), Side::of(boards[mover.other()])];
        let [own, opponent] = sides;
        if let Some(point) = (own.occupied() & mirrored(opponent.occupied())).checked_ilog2() {
            let point = point as u8 + 1;
            return Err(SetupError::Shared { one: if mover == Player::One { point } else { 25 - point } });
        }
        if sides.iter().all(|side| side.count(BAR) > 0 && side.stacked() & HOME == HOME) {
            return Err(SetupError::BothShutOut);
        }
        let stakes = Stakes::MONEY;
        let phase = match (Self::points_won(opponent, own, stakes), Self::points_won(own, opponent, stakes)) {
            (Some(_), Some(_)) => return Err(SetupError::BothWon),
            (Some(points), None) => WON + points,
            (None, Some(points)) => LOST + points,
            (None, None) => ROLL,
        };
        Self { sides, stakes, mover, phase, low: 0 }.with_dice(dice)
    }

    /// This position with the mover's dice rolled, or to be rolled.
    ///
    /// # Errors
    /// If dice are given and the game is over. A position before the opening throw has no mover: dice are refused too.
    pub fn with_dice(self, dice: Option<Roll>) -> Result<Self, SetupError> {
        match (self.phase, dice) {
            (1..=6, None) => Ok(Self { phase: ROLL, low: 0, ..self }),
            (_, None) => Ok(self),
            (ROLL..=6, Some(roll)) => Ok(Self { phase: roll.high(), low: roll.low(), ..self }),
            (OPENING, Some(_)) => Err(SetupError::DiceBeforeOpening),
            (_, Some(_)) => Err(SetupError::DiceAfterEnd),
        }
    }

    /// This position with the throw that decides who starts to come.
    ///
    /// # Errors
    /// If the game is over.
    pub fn with_opening(self) -> Result<Self, SetupError> {
        if self.outcome().is_some() {
            return Err(SetupError::DiceAfterEnd);
        }
        let sides = Player::BOTH.map(|seat| *self.side(seat));
        Ok(Self { sides, mover: Player::One, phase: OPENING, low: 0, ..self })
    }

    /// This position played for other stakes.
    #[must_use]
    pub fn with_stakes(self, stakes: Stakes) -> Self {
        let [own, opponent] = self.sides;
        let phase = if let Some(points) = Self::points_won(opponent, own, stakes) {
            WON + points
        } else if let Some(points) = Self::points_won(own, opponent, stakes) {
            LOST + points
        } else {
            self.phase
        };
        Self { stakes, phase, ..self }
    }

    /// The same position with the seats exchanged: what was One's is Two's, the mover included.
    #[must_use]
    pub fn with_seats_exchanged(self) -> Self {
        let stakes = self.stakes.swapped();
        if self.phase == OPENING {
            let [one, two] = self.sides;
            return Self { sides: [two, one], stakes, ..self };
        }
        Self { mover: self.mover.other(), stakes, ..self }
    }

    /// Whether the two sides can still meet: a checker, on the bar perhaps, has an enemy before it.
    #[must_use]
    pub const fn is_contact(&self) -> bool {
        let [own, opponent] = &self.sides;
        let (own, opponent) = (own.occupied() & IN_PLAY, opponent.occupied() & IN_PLAY);
        // The farthest checkers pass each other if their places add up to less than 23.
        own != 0 && opponent != 0 && own.ilog2() + opponent.ilog2() > 23
    }
}

const _: () = assert!(OFF as usize + 1 == PLACES);

/// Why checkers make no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No set-up has this name.
    #[error("there is no set-up \"{found}\": standard, nackgammon and hypergammon are known")]
    Name {
        /// The name, made safe to print.
        found: String,
    },
    /// A side has no checkers or too many.
    #[error("{seat:?} has {found} checkers: a side has 1 to {CHECKERS}, those borne off included")]
    Checkers {
        /// The side.
        seat: Player,
        /// How many it has.
        found: u32,
    },
    /// Both sides have checkers on a point.
    #[error("both sides have checkers on player one's {one}-point")]
    Shared {
        /// The point as Player One numbers it.
        one: u8,
    },
    /// Both sides are off.
    #[error("both sides have borne off all checkers")]
    BothWon,
    /// Nobody can ever move.
    #[error("both sides are on the bar before a closed board: no play leads there, and nobody could move any more")]
    BothShutOut,
    /// Dice before it is known whose.
    #[error("who rolls is not known before the opening throw")]
    DiceBeforeOpening,
    /// Dice after the end.
    #[error("one side has borne off all checkers: nothing is to be rolled any more")]
    DiceAfterEnd,
}
