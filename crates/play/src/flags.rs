//! What programs ask for on their command lines, read the same way by all of them.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use gamecore::Player;
use gamecore::text::quoted;

/// Which seats people have: `first`, `second`, `one`, `two`, `both` or `none`.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use play::Side;
///
/// let side: Side = "second".parse()?;
/// // If seat Two starts, One is second.
/// assert!(side.includes(Player::One, Player::Two) && !side.includes(Player::Two, Player::Two));
/// # Ok::<(), play::FlagError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Side {
    /// The seat that starts.
    #[default]
    First,
    /// The other one.
    Second,
    /// This seat, whoever starts.
    Seat(Player),
    /// Both: two people.
    Both,
    /// Neither: people watch.
    None,
}

impl Side {
    /// Whether a person has the seat, if `starter` starts.
    #[must_use]
    pub fn includes(self, player: Player, starter: Player) -> bool {
        match self {
            Self::First => player == starter,
            Self::Second => player != starter,
            Self::Seat(seat) => player == seat,
            Self::Both => true,
            Self::None => false,
        }
    }
}

/// Whether to show colours: `auto`, `always` or `never`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// In a pipe too.
    Always,
    /// Nowhere.
    Never,
}

impl Color {
    /// What it comes to on the program's standard output.
    pub(crate) fn on_stdout(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::AutoStream::choice(&io::stdout()),
            Self::Always => anstream::ColorChoice::AlwaysAnsi,
            Self::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Why a flag's value is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{found}\" is not understood: write {accepted}")]
pub struct FlagError {
    /// What was given.
    pub found: String,
    /// What is accepted.
    pub accepted: Cow<'static, str>,
}

fn one_of<T: Copy>(text: &str, values: &[(&str, T)], accepted: &'static str) -> Result<T, FlagError> {
    let word = text.trim().to_lowercase();
    let value = values.iter().find(|v| v.0 == word).map(|v| v.1);
    value.ok_or_else(|| FlagError { found: quoted(text), accepted: accepted.into() })
}

impl FromStr for Side {
    type Err = FlagError;

    fn from_str(text: &str) -> Result<Self, FlagError> {
        let values = [
            ("first", Self::First),
            ("second", Self::Second),
            ("one", Self::Seat(Player::One)),
            ("two", Self::Seat(Player::Two)),
            ("both", Self::Both),
            ("none", Self::None),
        ];
        one_of(text, &values, "first, second, one, two, both or none")
    }
}

impl FromStr for Color {
    type Err = FlagError;

    fn from_str(text: &str) -> Result<Self, FlagError> {
        one_of(text, &[("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)], "auto, always or never")
    }
}

/// A seat, `one` or `two`.
///
/// # Errors
/// If it is neither.
pub fn parse_seat(text: &str) -> Result<Player, FlagError> {
    one_of(text, &[("one", Player::One), ("two", Player::Two)], "one or two")
}

/// A time in seconds, such as `0.5`; above zero.
///
/// # Errors
/// If it is none.
pub fn parse_seconds(text: &str) -> Result<Duration, FlagError> {
    let time = text.trim().parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok()).filter(|t| !t.is_zero());
    time.ok_or_else(|| FlagError { found: quoted(text), accepted: "a number of seconds above 0, such as 0.5".into() })
}

/// What reads a whole number of this range.
///
/// # Examples
/// ```
/// let games = play::number(1..=100u32);
/// assert_eq!(games("12"), Ok(12));
/// assert_eq!(games("0").unwrap_err().to_string(), "\"0\" is not understood: write a number from 1 to 100");
/// ```
pub fn number<T: FromStr + PartialOrd + Display + Clone>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, FlagError> + Clone {
    move |text: &str| {
        let accepted = || format!("a number from {} to {}", range.start(), range.end()).into();
        let number = text.trim().parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| FlagError { found: quoted(text), accepted: accepted() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_others_are_told_what_is_accepted() {
        assert_eq!("TWO".parse(), Ok(Side::Seat(Player::Two)));
        assert_eq!("never".parse(), Ok(Color::Never));
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0", "-1", "nan", "inf", "1e300", "1s", ""] {
            assert!(parse_seconds(text).unwrap_err().to_string().contains("such as 0.5"), "{text}");
        }
        assert!("white".parse::<Side>().unwrap_err().to_string().contains("first, second, one, two, both or none"));
        assert!(parse_seat("both").is_err());
        let seed = number(0..=u64::MAX);
        assert_eq!((seed("0"), seed("18446744073709551615")), (Ok(0), Ok(u64::MAX)));
        for text in ["abc", "-1", "18446744073709551616", "1.5", ""] {
            assert!(seed(text).unwrap_err().to_string().contains("a number from 0 to 18446744073709551615"), "{text}");
        }
        for (side, seats) in [(Side::Both, [true, true]), (Side::None, [false, false]), (Side::First, [false, true])] {
            assert_eq!(Player::BOTH.map(|p| side.includes(p, Player::Two)), seats);
        }
    }
}
