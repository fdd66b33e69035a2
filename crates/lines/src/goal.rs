//! What wins.

/// Which rows of the right length count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Row {
    /// Longer rows win too.
    AtLeast,
    /// A longer row is worth nothing.
    Exactly,
    /// As [`Exactly`](Self::Exactly), and an enemy stone must not stand at both ends; the edge of the board is none.
    Unclosed,
}

/// What a seat has to make: a row of `length` stones in one of the four [directions](crate::Direction).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Goal {
    length: u8,
    row: Row,
}

impl Goal {
    /// Five in a row or more: freestyle gomoku.
    pub const FIVE_OR_MORE: Self = Self { length: 5, row: Row::AtLeast };
    /// Exactly five: standard gomoku.
    pub const EXACTLY_FIVE: Self = Self { length: 5, row: Row::Exactly };
    /// Exactly five, not closed at both ends: caro.
    pub const UNCLOSED_FIVE: Self = Self { length: 5, row: Row::Unclosed };
    /// Six or more: Connect6.
    pub const SIX_OR_MORE: Self = Self { length: 6, row: Row::AtLeast };

    /// A goal of 3 to 6 stones.
    ///
    /// # Errors
    /// If the row is shorter or longer, or is an [`Exactly`](Row::Exactly) or [`Unclosed`](Row::Unclosed) one of six: its
    /// patterns would take 16 MiB.
    pub const fn new(length: u8, row: Row) -> Result<Self, GoalError> {
        match (length, row) {
            (3..=5, _) | (6, Row::AtLeast) => Ok(Self { length, row }),
            _ => Err(GoalError { length, row }),
        }
    }

    /// How many stones the row has.
    #[inline]
    #[must_use]
    pub const fn length(self) -> u8 {
        self.length
    }

    /// Which rows of that length count.
    #[inline]
    #[must_use]
    pub const fn row(self) -> Row {
        self.row
    }

    /// Where rows begin that win. `own` and `enemy` are stones of one line, a bit each; bit 31 is not used.
    #[inline(always)]
    pub(crate) const fn rows(self, own: u32, enemy: u32) -> u32 {
        // Bit i of `run`: `have` stones stand from i on.
        let (mut run, mut have, length) = (own, 1, self.length as u32);
        while have * 2 <= length {
            run &= run >> have;
            have *= 2;
        }
        run &= run >> (length - have);
        match self.row {
            Row::AtLeast => run,
            Row::Exactly => run & !(own << 1 | own >> length),
            Row::Unclosed => run & !(own << 1 | own >> length) & !(enemy << 1 & enemy >> length),
        }
    }

    /// How far from a point others can matter to the rows through it.
    pub(crate) const fn reach(self) -> u32 {
        match self.row {
            Row::AtLeast => self.length as u32 - 1,
            Row::Exactly | Row::Unclosed => self.length as u32,
        }
    }
}

/// Why there is no such [`Goal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a row of {length} ({row:?}) cannot be the goal: rows have 3 to 5 stones, or 6 where longer ones win too")]
pub struct GoalError {
    length: u8,
    row: Row,
}
