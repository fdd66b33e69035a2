//! The rule sets and how they are written.

use core::fmt;
use core::str::FromStr;

use crate::tables::{ALL, Tables, TablesRef};

/// When a player may choose the stone freely although the die names one. The variants differ in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Freedom {
    /// Never: a die whose stone is captured or blocked is a pass.
    Never,
    /// If the die's stone is captured; if it is blocked, the player passes.
    Missing,
    /// If the die's stone is captured or blocked.
    NoMove,
}

/// A rule set without its turn limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Variant {
    /// The usual game: 5x5, six stones in the corners, `standard`.
    Standard,
    /// 4x4, six stones on two rows, forward steps only: `4x4`.
    FourByFour {
        /// `+missing` or `+nomove`; [`Freedom::Never`] if neither is given.
        freedom: Freedom,
        /// `+capture-all`: who captures the last enemy wins.
        capture_all: bool,
    },
    /// 5x5, nine stones on two rows, sideways and backward steps too: `5x5x9`.
    NineStones {
        /// `+free` is [`Freedom::NoMove`]; [`Freedom::Missing`] if it is not given. Not [`Freedom::Never`]: the stones 7
        /// to 9 could never move.
        freedom: Freedom,
        /// `+capture-all`: who captures the last enemy wins.
        capture_all: bool,
    },
}

/// A rule set: a [`Variant`] and, where there is one, the number of turns after which a game is drawn.
///
/// Small and cheap to copy. Written as a word, `standard`, `4x4+missing`, `5x5x9+free@200`, by [`Display`](fmt::Display)
/// and [`FromStr`].
///
/// # Examples
/// ```
/// use games_einstein::{Freedom, Rules, Variant};
///
/// let rules: Rules = "5x5x9+free".parse()?;
/// assert_eq!(rules.variant(), Variant::NineStones { freedom: Freedom::NoMove, capture_all: false });
/// assert_eq!(rules.turn_limit(), Some(200));
/// assert_eq!(rules.to_string(), "5x5x9+free@200");
/// # Ok::<(), games_einstein::RulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    tables: TablesRef,
    /// 0: none.
    limit: u16,
}

impl Rules {
    /// The usual game.
    pub const STANDARD: Self = Self { tables: TablesRef(&ALL[0]), limit: 0 };

    /// The turn limit of the nine-stone game where none is given. Random games last 34 turns there.
    pub const DEFAULT_LIMIT: u16 = 200;

    /// The highest turn limit.
    pub const MOST_TURNS: u16 = 10_000;

    /// A rule set. With a `turn_limit` the game is drawn when that many turns of either player, passes included, have
    /// not decided it. `None` means [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT) in the nine-stone game, where stones can go
    /// in circles, and no limit in the others, which end without one.
    ///
    /// # Errors
    /// If the variant is contradictory or the limit out of range.
    pub fn new(variant: Variant, turn_limit: Option<u16>) -> Result<Self, RulesError> {
        let Some(tables) = ALL.iter().find(|t| t.variant == variant) else {
            return Err(RulesError::NeverFree);
        };
        let limit = match (variant, turn_limit) {
            (Variant::Standard, Some(_)) => return Err(RulesError::NeedsNoLimit),
            (_, Some(limit)) if !(1..=Self::MOST_TURNS).contains(&limit) => return Err(RulesError::LimitRange { limit }),
            (_, Some(limit)) => limit,
            (Variant::NineStones { .. }, None) => Self::DEFAULT_LIMIT,
            (_, None) => 0,
        };
        Ok(Self { tables: TablesRef(tables), limit })
    }

    /// From a state's parts, which are consistent.
    pub(crate) const fn from_parts(tables: TablesRef, limit: u16) -> Self {
        Self { tables, limit }
    }

    #[inline]
    pub(crate) const fn tables(self) -> &'static Tables {
        self.tables.0
    }

    /// The rule set without its turn limit.
    #[must_use]
    pub const fn variant(self) -> Variant {
        self.tables.0.variant
    }

    /// After how many turns a game is drawn, if it can be.
    #[must_use]
    pub const fn turn_limit(self) -> Option<u16> {
        if self.limit == 0 { None } else { Some(self.limit) }
    }

    /// The number of columns, and of rows.
    #[must_use]
    pub const fn size(self) -> u8 {
        self.tables.0.size
    }

    /// How many stones a side starts with.
    #[must_use]
    pub const fn stones(self) -> u8 {
        self.tables.0.stones
    }

    /// The name of a square that is counted row by row from the top left: `A5` for 0 on a board of five rows.
    #[must_use]
    pub fn square_name(self, square: u8) -> String {
        let size = self.size();
        format!("{}{}", char::from(b'A' + square % size), size.saturating_sub(square / size))
    }

    /// The square of a name, in upper or lower case; `None` if the board has none of that name.
    #[must_use]
    pub fn square(self, name: &str) -> Option<u8> {
        let size = self.size();
        let &[column, row] = name.as_bytes() else { return None };
        let column = column.to_ascii_uppercase().checked_sub(b'A').filter(|&c| c < size)?;
        let row = row.checked_sub(b'0').filter(|&r| (1..=size).contains(&r))?;
        Some((size - row) * size + column)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({self})")
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let capture_all = match self.variant() {
            Variant::Standard => return f.write_str("standard"),
            Variant::FourByFour { freedom, capture_all } => {
                f.write_str(match freedom {
                    Freedom::Never => "4x4",
                    Freedom::Missing => "4x4+missing",
                    Freedom::NoMove => "4x4+nomove",
                })?;
                capture_all
            }
            Variant::NineStones { freedom, capture_all } => {
                f.write_str(if freedom == Freedom::NoMove { "5x5x9+free" } else { "5x5x9" })?;
                capture_all
            }
        };
        if capture_all {
            f.write_str("+capture-all")?;
        }
        if self.limit != 0 {
            write!(f, "@{}", self.limit)?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    /// Reads the word that [`Display`](fmt::Display) writes; options in any order, letters in either case.
    fn from_str(text: &str) -> Result<Self, RulesError> {
        let word = text.trim().to_ascii_lowercase();
        let (head, limit) = match word.split_once('@') {
            None => (word.as_str(), None),
            Some((head, limit)) => {
                let unreadable = || RulesError::LimitUnreadable { found: gamecore::text::quoted(limit) };
                (head, Some(limit.parse().map_err(|_| unreadable())?))
            }
        };
        let mut parts = head.split('+');
        let name = parts.next().unwrap_or_default();
        let mut variant = match name {
            "standard" => Variant::Standard,
            "4x4" => Variant::FourByFour { freedom: Freedom::Never, capture_all: false },
            "5x5x9" => Variant::NineStones { freedom: Freedom::Missing, capture_all: false },
            _ => return Err(RulesError::Unknown { found: gamecore::text::quoted(text) }),
        };
        for option in parts {
            match (&mut variant, option) {
                (Variant::FourByFour { freedom: freedom @ Freedom::Never, .. }, "missing") => *freedom = Freedom::Missing,
                (Variant::FourByFour { freedom: freedom @ Freedom::Never, .. }, "nomove") => *freedom = Freedom::NoMove,
                (Variant::NineStones { freedom: freedom @ Freedom::Missing, .. }, "free") => *freedom = Freedom::NoMove,
                (
                    Variant::FourByFour { capture_all: all @ false, .. } | Variant::NineStones { capture_all: all @ false, .. },
                    "capture-all",
                ) => *all = true,
                (Variant::Standard, _) => {
                    return Err(RulesError::Option { found: gamecore::text::quoted(option), accepted: "no options" });
                }
                (Variant::FourByFour { .. }, _) => {
                    let accepted = "one of +missing and +nomove, and +capture-all, each once";
                    return Err(RulesError::Option { found: gamecore::text::quoted(option), accepted });
                }
                (Variant::NineStones { .. }, _) => {
                    let accepted = "+free and +capture-all, each once";
                    return Err(RulesError::Option { found: gamecore::text::quoted(option), accepted });
                }
            }
        }
        Self::new(variant, limit)
    }
}

/// Why there is no such rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// No rule set has the name.
    #[error(
        "\"{found}\" is not a rule set: there are standard, 4x4 and 5x5x9, with options such as 4x4+missing or 5x5x9+free@200"
    )]
    Unknown {
        /// What was given.
        found: String,
    },
    /// The rule set has no such option, or has it twice.
    #[error("the option \"+{found}\" does not fit: this rule set takes {accepted}")]
    Option {
        /// What was given.
        found: String,
        /// The options that fit.
        accepted: &'static str,
    },
    /// The turn limit is no number.
    #[error("\"{found}\" is not a turn limit: after @ comes a number of turns, 1 to {}", Rules::MOST_TURNS)]
    LimitUnreadable {
        /// What was given.
        found: String,
    },
    /// The turn limit is too low or too high.
    #[error("a turn limit is 1 to {} turns, not {limit}", Rules::MOST_TURNS)]
    LimitRange {
        /// What was given.
        limit: u16,
    },
    /// The standard game ends by itself.
    #[error("the standard game takes no turn limit: every move brings a stone closer to its goal")]
    NeedsNoLimit,
    /// Nine stones, six faces, and no free choice.
    #[error("with nine stones a die whose stone is captured must leave the choice free: stones 7 to 9 could never move")]
    NeverFree,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for t in &ALL {
            for limit in [None, Some(1), Some(77), Some(10_000)] {
                let Ok(rules) = Rules::new(t.variant, limit) else {
                    assert!(t.standard && limit.is_some());
                    continue;
                };
                assert_eq!(rules.to_string().parse(), Ok(rules));
                assert_eq!(rules.to_string().to_uppercase().parse(), Ok(rules));
            }
        }
        assert_eq!(" 4x4+capture-all+nomove ".parse::<Rules>().unwrap().to_string(), "4x4+nomove+capture-all");
    }

    #[test]
    fn nonsense_is_refused_with_reasons() {
        for (text, part) in [
            ("", "there are standard"),
            ("chess", "\"chess\""),
            ("standard+free", "no options"),
            ("4x4+free", "+missing"),
            ("4x4+missing+nomove", "each once"),
            ("4x4+capture-all+capture-all", "each once"),
            ("5x5x9+nomove", "+free"),
            ("5x5x9@0", "1 to 10000"),
            ("5x5x9@70000", "1 to 10000"),
            ("5x5x9@", "not a turn limit"),
            ("standard@50", "no turn limit"),
        ] {
            let message = text.parse::<Rules>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let never = Variant::NineStones { freedom: Freedom::Never, capture_all: false };
        assert_eq!(Rules::new(never, None), Err(RulesError::NeverFree));
    }

    #[test]
    fn squares_have_names() {
        let rules = Rules::STANDARD;
        assert_eq!((rules.square_name(0), rules.square_name(24)), ("A5".into(), "E1".into()));
        assert!((0..25).all(|s| rules.square(&rules.square_name(s).to_lowercase()) == Some(s)));
        assert_eq!((rules.square("F1"), rules.square("A6"), rules.square("A"), rules.square("é")), (None, None, None, None));
    }
}
