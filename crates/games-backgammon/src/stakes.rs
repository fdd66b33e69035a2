//! What a game is played for: the match, the cube and their rules.

use gamecore::Player;

/// The longest match, in points, that every format here can write.
pub const LONGEST_MATCH: u16 = 999;
/// The highest cube that every format here can write, as a power of two.
pub const HIGHEST_CUBE: u8 = 12;

/// The highest score of a series of money games that every format here can write.
pub const HIGHEST_SCORE: u16 = 32_767;

/// Who may double.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cube {
    /// Nobody has doubled yet: both may.
    #[default]
    Centred,
    /// The seat that took the last double.
    Owned(Player),
}

/// Match, score and cube: everything that a game is played for and that no checker changes.
///
/// Ten bytes, fixed while checkers move, so a search copies them with the state and never looks at them. The points
/// of an [`Outcome`](gamecore::Outcome) are units of the cube: 1, 2 for a gammon, 3 for a backgammon, and so at most
/// [`MAX_POINTS`](gamecore::Game::MAX_POINTS); [`points`](Stakes::points) multiplies.
///
/// # Examples
/// ```
/// use games_backgammon::{Cube, Stakes};
/// use gamecore::{Outcome, Player};
///
/// let stakes = Stakes::match_of(7, [5, 2])?.with_cube(1, Cube::Owned(Player::Two))?;
/// assert_eq!(stakes.points(Outcome::Win { player: Player::Two, points: 2 }), -4);
/// # Ok::<(), games_backgammon::StakesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stakes {
    length: u16,
    score: [u16; 2],
    cube: u8,
    owner: Cube,
    crawford: bool,
    jacoby: bool,
}

impl Stakes {
    /// Single games for points, without the Jacoby rule; the cube centred at 1.
    pub const MONEY: Self = Self { length: 0, score: [0, 0], cube: 0, owner: Cube::Centred, crawford: false, jacoby: false };

    /// A game of a match to `length` points, 1 to [`LONGEST_MATCH`], at this score by seat; the cube centred at 1.
    ///
    /// # Errors
    /// If the length is out of range or a score has reached it.
    pub const fn match_of(length: u16, score: [u16; 2]) -> Result<Self, StakesError> {
        if length == 0 || length > LONGEST_MATCH {
            return Err(StakesError::Length { length });
        }
        if score[0] >= length || score[1] >= length {
            return Err(StakesError::Score { one: score[0], two: score[1], length });
        }
        Ok(Self { length, score, ..Self::MONEY })
    }

    /// With a score of points won so far in a series of money games; of a match, [`match_of`](Stakes::match_of) sets it.
    ///
    /// # Errors
    /// If these are the stakes of a match and a score has reached its length, or a score is above [`HIGHEST_SCORE`].
    pub const fn with_score(self, score: [u16; 2]) -> Result<Self, StakesError> {
        if score[0] > HIGHEST_SCORE || score[1] > HIGHEST_SCORE {
            return Err(StakesError::Points);
        }
        if self.length > 0 && (score[0] >= self.length || score[1] >= self.length) {
            return Err(StakesError::Score { one: score[0], two: score[1], length: self.length });
        }
        Ok(Self { score, ..self })
    }

    /// With the Jacoby rule: gammons and backgammons count single while the cube is centred.
    ///
    /// # Errors
    /// If it is a match: the rule is one of money games.
    pub const fn with_jacoby(self) -> Result<Self, StakesError> {
        if self.length > 0 {
            return Err(StakesError::JacobyInMatch);
        }
        Ok(Self { jacoby: true, ..self })
    }

    /// As the Crawford game, in which nobody doubles.
    ///
    /// # Errors
    /// If neither side, or both, are one point from winning the match, or the cube has been turned.
    pub const fn with_crawford(self) -> Result<Self, StakesError> {
        let leads = [self.length == self.score[0] + 1, self.length == self.score[1] + 1];
        if self.length == 0 || leads[0] == leads[1] || self.cube > 0 || !matches!(self.owner, Cube::Centred) {
            return Err(StakesError::NoCrawford);
        }
        Ok(Self { crawford: true, ..self })
    }

    /// With the cube at `2^log2`, at most 2^[`HIGHEST_CUBE`].
    ///
    /// A centred cube is at 1, but may stand higher by automatic doubles; an owned one is at 2 at least.
    ///
    /// # Errors
    /// If the value is out of range, or 1 and owned, or it is the Crawford game and the cube turned.
    pub const fn with_cube(self, log2: u8, owner: Cube) -> Result<Self, StakesError> {
        let centred = matches!(owner, Cube::Centred);
        if log2 > HIGHEST_CUBE || (log2 == 0 && !centred) {
            return Err(StakesError::Cube { log2 });
        }
        if self.crawford && (log2 > 0 || !centred) {
            return Err(StakesError::NoCrawford);
        }
        Ok(Self { cube: log2, owner, ..self })
    }

    /// The match's length in points; `None` for money.
    #[must_use]
    pub const fn length(self) -> Option<u16> {
        if self.length == 0 { None } else { Some(self.length) }
    }

    /// Points won so far, by seat.
    #[must_use]
    pub const fn score(self) -> [u16; 2] {
        self.score
    }

    /// The cube's value: 1, 2, 4, ...
    #[must_use]
    pub const fn cube(self) -> u32 {
        1 << self.cube
    }

    /// The cube's value as a power of two.
    #[must_use]
    pub const fn cube_log2(self) -> u8 {
        self.cube
    }

    /// Who may double.
    #[must_use]
    pub const fn owner(self) -> Cube {
        self.owner
    }

    /// Whether this is the Crawford game.
    #[must_use]
    pub const fn is_crawford(self) -> bool {
        self.crawford
    }

    /// Whether the Jacoby rule is on.
    #[must_use]
    pub const fn is_jacoby(self) -> bool {
        self.jacoby
    }

    /// Whether a gammon counts more than a single win: not under the Jacoby rule while the cube is centred.
    #[must_use]
    pub const fn gammons_count(self) -> bool {
        !(self.jacoby && matches!(self.owner, Cube::Centred))
    }

    /// Whether the rules let a seat double when it is on roll: the cube is centred or that seat's and below 2^[`HIGHEST_CUBE`],
    /// and the game is one with doubles, neither the Crawford game nor a match to one point.
    /// [`may_double`](crate::Backgammon::may_double) also asks whose turn it is, and whether the cube is dead.
    #[must_use]
    pub const fn cube_allows(self, seat: Player) -> bool {
        !self.crawford && self.length != 1 && self.cube < HIGHEST_CUBE && self.cube_is_open_to(seat)
    }

    /// Whether the cube is dead for a seat: a single game at its present value wins the match for that seat, which a double
    /// could only make dearer. The rules do not forbid such a double. For money no cube is dead.
    #[must_use]
    pub const fn cube_is_dead(self, seat: Player) -> bool {
        self.length > 0 && self.score[seat as usize] as u32 + self.cube() >= self.length as u32
    }

    /// Whether the cube is centred or a seat's own.
    pub(crate) const fn cube_is_open_to(self, seat: Player) -> bool {
        match self.owner {
            Cube::Centred => true,
            Cube::Owned(owner) => owner as u8 == seat as u8,
        }
    }

    /// What an outcome is worth to [`Player::One`], in points of the match or of money: its points times the cube.
    #[must_use]
    pub const fn points(self, outcome: gamecore::Outcome) -> i32 {
        outcome.points() << self.cube
    }

    /// The same with the seats exchanged.
    #[must_use]
    pub(crate) const fn swapped(self) -> Self {
        let owner = match self.owner {
            Cube::Centred => Cube::Centred,
            Cube::Owned(seat) => Cube::Owned(seat.other()),
        };
        Self { score: [self.score[1], self.score[0]], owner, ..self }
    }

    /// All of it in one word: 48 bits of numbers and 8 of flags.
    #[inline(always)]
    pub(crate) const fn word(self) -> u64 {
        let owner = match self.owner {
            Cube::Centred => 0,
            Cube::Owned(Player::One) => 1,
            Cube::Owned(Player::Two) => 2,
        };
        self.length as u64
            | (self.score[0] as u64) << 16
            | (self.score[1] as u64) << 32
            | (self.cube as u64) << 48
            | owner << 56
            | (self.crawford as u64) << 58
            | (self.jacoby as u64) << 59
    }
}

/// Why match, score and cube do not go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StakesError {
    /// The match is too short or too long.
    #[error("a match is played to 1 to {LONGEST_MATCH} points, not {length}")]
    Length {
        /// The length given.
        length: u16,
    },
    /// The match has been won.
    #[error("at {one}-{two} a match to {length} points is over")]
    Score {
        /// Player One's score.
        one: u16,
        /// Player Two's.
        two: u16,
        /// The match's length.
        length: u16,
    },
    /// A score beyond all matches.
    #[error("a score is at most {HIGHEST_SCORE}")]
    Points,
    /// The cube cannot stand so.
    #[error("the cube cannot be at 2^{log2}: it goes to 2^{HIGHEST_CUBE}, and who owns it has it at 2 at least")]
    Cube {
        /// The power of two given.
        log2: u8,
    },
    /// The Jacoby rule in a match.
    #[error("the jacoby rule is one of money games, not of matches")]
    JacobyInMatch,
    /// A Crawford game that cannot be one.
    #[error("in the crawford game one side alone is a point from winning the match, and the cube is centred at 1")]
    NoCrawford,
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Outcome;

    #[test]
    fn stakes_that_contradict_themselves_are_refused() {
        assert_eq!(Stakes::match_of(0, [0, 0]), Err(StakesError::Length { length: 0 }));
        assert_eq!(Stakes::match_of(1000, [0, 0]), Err(StakesError::Length { length: 1000 }));
        assert_eq!(Stakes::match_of(5, [5, 0]), Err(StakesError::Score { one: 5, two: 0, length: 5 }));
        assert_eq!(Stakes::MONEY.with_cube(0, Cube::Owned(Player::One)), Err(StakesError::Cube { log2: 0 }));
        assert_eq!(Stakes::MONEY.with_cube(13, Cube::Centred), Err(StakesError::Cube { log2: 13 }));
        assert_eq!(Stakes::MONEY.with_crawford(), Err(StakesError::NoCrawford));
        let seven = Stakes::match_of(7, [6, 2]).unwrap();
        assert_eq!(seven.with_jacoby(), Err(StakesError::JacobyInMatch));
        let crawford = seven.with_crawford().unwrap();
        assert_eq!(crawford.with_cube(1, Cube::Owned(Player::Two)), Err(StakesError::NoCrawford));
        for score in [[6, 6], [2, 3]] {
            assert_eq!(Stakes::match_of(7, score).unwrap().with_crawford(), Err(StakesError::NoCrawford));
        }
    }

    #[test]
    fn the_cube_multiplies_and_jacoby_makes_gammons_single() {
        let jacoby = Stakes::MONEY.with_jacoby().unwrap();
        assert!(!jacoby.gammons_count());
        let turned = jacoby.with_cube(3, Cube::Owned(Player::One)).unwrap();
        assert!(turned.gammons_count() && Stakes::MONEY.gammons_count());
        assert_eq!(turned.points(Outcome::Win { player: Player::Two, points: 3 }), -24);
        assert_eq!(turned.swapped().owner(), Cube::Owned(Player::Two));
        assert!(turned.cube_allows(Player::One) && !turned.cube_allows(Player::Two));
        assert_eq!(core::mem::size_of::<Stakes>(), 10);
    }

    /// As GNU Backgammon 1.07 decides whether a double is worth a thought.
    #[test]
    fn nobody_doubles_where_it_is_forbidden_or_pointless() {
        let both = |stakes: Stakes, ask: fn(Stakes, Player) -> bool| Player::BOTH.map(|seat| ask(stakes, seat));
        let (allowed, dead) = (Stakes::cube_allows, Stakes::cube_is_dead);
        let at = |length, score| Stakes::match_of(length, score).unwrap();
        for (stakes, may, is_dead) in [
            (Stakes::MONEY, [true, true], [false, false]),
            (at(1, [0, 0]), [false, false], [true, true]),
            (at(5, [4, 2]).with_crawford().unwrap(), [false, false], [true, false]),
            // After the Crawford game only who is behind gains by a double.
            (at(5, [4, 2]), [true, true], [true, false]),
            (at(5, [4, 4]), [true, true], [true, true]),
            (at(5, [3, 0]).with_cube(1, Cube::Owned(Player::One)).unwrap(), [true, false], [true, false]),
            (at(5, [3, 0]).with_cube(1, Cube::Owned(Player::Two)).unwrap(), [false, true], [true, false]),
            (Stakes::MONEY.with_cube(HIGHEST_CUBE, Cube::Owned(Player::One)).unwrap(), [false, false], [false, false]),
        ] {
            assert_eq!((both(stakes, allowed), both(stakes, dead)), (may, is_dead), "{stakes:?}");
        }
    }
}
