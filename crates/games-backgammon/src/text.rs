//! Positions, plays and rolls as text.

use core::fmt;
use core::str::FromStr;

use gamecore::text::quoted;
use gamecore::{Game, Player, Roll, Text, TextError, TextKind, Turn};

use crate::dice::Throw;
use crate::formats::{FormatError, fibs, gnubg, xgid};
use crate::moves::Move;
use crate::notation::{self, NotationError};
use crate::side::PLACES;
use crate::stakes::{Cube, Stakes};
use crate::state::{Backgammon, OPENING};

const FORMS: &str = "a position is an XGID, a position id (14 letters) with or without a match id (12 letters), a board of FIBS, or words \
                     such as 00000503000050000000000200/00000503000050000000000200 one 31";
const SHAPE: &str = "a position is both sides' checkers (26 digits each: their points 1 to 24, bar, off; f is 15) with / \
                     between them, then one, two or opening, the dice or -, the match, and the cube";

impl Backgammon {
    /// The checkers alone: for each seat, One first, a digit (`f` is 15) for each of its own points 1 to 24, for its bar
    /// and for those off, with `/` between the seats.
    #[must_use]
    pub fn board_text(&self) -> String {
        let digits =
            |seat| -> String { self.board(seat).iter().map(|&n| char::from_digit(n.into(), 16).unwrap_or('?')).collect() };
        format!("{}/{}", digits(Player::One), digits(Player::Two))
    }

    /// [`parse_position`](Text::parse_position) with the reason alone as error.
    fn parse_words(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let Some(board) = words.next() else { return Err(format!("it is empty; {FORMS}")) };
        if let Some(read) = parse_foreign(text.trim()) {
            return read.map_err(|e| e.to_string());
        }
        let boards = parse_board(board)?;
        let mover = words.next().unwrap_or("one").to_ascii_lowercase();
        let seat = match mover.as_str() {
            "one" | "1" | "opening" => Player::One,
            "two" | "2" => Player::Two,
            _ => return Err(format!("\"{}\" is not one, two or opening; {SHAPE}", quoted(&mover))),
        };
        let dice = match words.next() {
            None | Some("-") => None,
            Some(word) => {
                Some(parse_roll(word).ok_or_else(|| format!("\"{}\" is not a roll such as 31, or -; {SHAPE}", quoted(word)))?)
            }
        };
        let game = Self::from_board(boards, seat, dice).map_err(|e| e.to_string())?;
        let game = match (mover.as_str(), dice) {
            ("opening", Some(_)) => return Err("who plays the opening roll is one or two, not opening".into()),
            ("opening", None) => game.with_opening().map_err(|e| e.to_string())?,
            _ => game,
        };
        let stakes = parse_stakes(words.next().unwrap_or("money"), words.next().unwrap_or("1"))?;
        match words.next() {
            None => Ok(game.with_stakes(stakes)),
            Some(word) => Err(format!("\"{}\" is one word too many; {SHAPE}", quoted(word))),
        }
    }
}

/// The position, if the text is one of another program's.
fn parse_foreign(text: &str) -> Option<Result<Backgammon, FormatError>> {
    let starts = |head: &str| text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head));
    if starts("XGID=") {
        Some(xgid::parse(text))
    } else if starts("board:") {
        Some(fibs::parse(text).map(|board| board.game))
    } else if text.matches(':').count() == 9 && text.split(':').next().is_some_and(|places| places.len() == PLACES) {
        Some(xgid::parse(text))
    } else {
        identifiers(text).map(|text| gnubg::parse(&text))
    }
}

/// A Position ID, and perhaps a Match ID, with a colon or white space between them; or both with their names before them, as
/// GNU Backgammon shows them.
fn identifiers(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split([':', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    let is_name =
        |words: &[&str], name: &str| matches!(words, [a, b] if a.eq_ignore_ascii_case(name) && b.eq_ignore_ascii_case("id"));
    match *words {
        [position] if position.len() == 14 && !text.contains(':') => Some(position.into()),
        [position, id] if position.len() == 14 && id.len() == 12 => Some(format!("{position}:{id}")),
        [a, b, position] if is_name(&[a, b], "position") => Some(position.into()),
        [a, b, position, c, d, id] if is_name(&[a, b], "position") && is_name(&[c, d], "match") => {
            Some(format!("{position}:{id}"))
        }
        _ => None,
    }
}

/// Both seats' checkers.
fn parse_board(board: &str) -> Result<[[u8; PLACES]; 2], String> {
    let mut boards = [[0; PLACES]; 2];
    let halves: Vec<&str> = board.split('/').collect();
    if halves.len() != 2 {
        return Err(format!("\"{}\" is not two sides with / between them; {FORMS}", quoted(board)));
    }
    for (half, side) in halves.iter().zip(&mut boards) {
        let digits: Option<Vec<u8>> = half.chars().map(|c| c.to_digit(16).map(|n| n as u8)).collect();
        match digits {
            Some(digits) if digits.len() == PLACES => side.copy_from_slice(&digits),
            _ => return Err(format!("\"{}\" is not a side's 26 digits; {FORMS}", quoted(half))),
        }
    }
    Ok(boards)
}

/// Two faces, the higher first or not.
pub(crate) fn parse_roll(word: &str) -> Option<Roll> {
    match word.as_bytes() {
        &[a @ b'1'..=b'6', b @ b'1'..=b'6'] => Some(Roll::new(a - b'0', b - b'0')),
        _ => None,
    }
}

/// The match: `money`, `money+jacoby`, `7:3-2`, `7:6-2+crawford`; a score other than 0-0 stands in money games too,
/// `money:3-2`.
fn stakes_text(stakes: Stakes) -> String {
    let [one, two] = stakes.score();
    let mut out = stakes.length().map_or("money".into(), |length| length.to_string());
    if stakes.length().is_some() || (one, two) != (0, 0) {
        out += &format!(":{one}-{two}");
    }
    out += if stakes.is_crawford() { "+crawford" } else { "" };
    out += if stakes.is_jacoby() { "+jacoby" } else { "" };
    out
}

/// The cube: `1`, or its value and owner, `2-one`.
fn cube_text(stakes: Stakes) -> String {
    let owner = match stakes.owner() {
        Cube::Centred => "",
        Cube::Owned(Player::One) => "-one",
        Cube::Owned(Player::Two) => "-two",
    };
    format!("{}{owner}", stakes.cube())
}

fn parse_stakes(stakes: &str, cube: &str) -> Result<Stakes, String> {
    let lower = stakes.to_ascii_lowercase();
    let refused = || {
        let found = quoted(stakes);
        format!("\"{found}\" is not a match: money, money+jacoby, money:3-2, 7:3-2 (to 7, at 3-2), or 7:6-2+crawford")
    };
    let mut parts = lower.split('+');
    let first = parts.next().unwrap_or_default();
    let (length, score) = match first.split_once(':') {
        None => (first, [0, 0]),
        Some((length, score)) => {
            let (one, two) = score.split_once('-').ok_or_else(refused)?;
            (length, [number(one).ok_or_else(refused)?, number(two).ok_or_else(refused)?])
        }
    };
    let mut stakes = if length == "money" {
        Stakes::MONEY.with_score(score)
    } else {
        Stakes::match_of(number(length).ok_or_else(refused)?, score)
    }
    .map_err(|e| e.to_string())?;
    let mut crawford = false;
    for option in parts {
        match option {
            "crawford" if !crawford => crawford = true,
            "jacoby" if !stakes.is_jacoby() => stakes = stakes.with_jacoby().map_err(|e| e.to_string())?,
            _ => return Err(refused()),
        }
    }
    if crawford {
        stakes = stakes.with_crawford().map_err(|e| e.to_string())?;
    }
    let bad_cube = || format!("\"{}\" is not a cube: 1, or its value and owner, such as 2-one or 4-two", quoted(cube));
    let (value, owner) = match cube.split_once('-') {
        None => (cube, Cube::Centred),
        Some((value, seat)) if seat.eq_ignore_ascii_case("one") => (value, Cube::Owned(Player::One)),
        Some((value, seat)) if seat.eq_ignore_ascii_case("two") => (value, Cube::Owned(Player::Two)),
        Some(_) => return Err(bad_cube()),
    };
    let value = number(value).filter(|value| value.is_power_of_two()).ok_or_else(bad_cube)?;
    stakes.with_cube(value.ilog2() as u8, owner).map_err(|e| e.to_string())
}

/// A number of at most five plain digits.
fn number(digits: &str) -> Option<u16> {
    let plain = (1..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

impl Text for Backgammon {
    const NAME: &'static str = "backgammon";

    /// Checkers, seat to move, dice or `-`, match, and cube:
    /// `00000503000050000000000200/00000503000050000000000200 one 31 7:3-2 2-two`.
    fn position_text(&self) -> String {
        let mover = match (self.phase, self.mover) {
            (OPENING, _) => "opening",
            (_, Player::One) => "one",
            (_, Player::Two) => "two",
        };
        let dice = self.dice().map_or("-".into(), |roll| format!("{}{}", roll.high(), roll.low()));
        format!("{} {mover} {dice} {} {}", self.board_text(), stakes_text(self.stakes), cube_text(self.stakes))
    }

    /// Words may be missing from the end: One is to move, the dice are to be rolled, it is for money, the cube is
    /// centred. [Other programs'](crate::formats) positions are read too: an XGID, a Position ID with or without a
    /// Match ID, a board of FIBS.
    fn parse_position(text: &str) -> Result<Self, TextError> {
        Self::parse_words(text).map_err(|reason| TextError::unreadable(TextKind::Position, text.trim(), reason))
    }

    /// [Notation](crate::notation) with commas, as one word: `8/5,6/5`.
    fn move_text(&self, m: Move) -> String {
        notation::words(self, m, ",")
    }

    /// All that [`notation::parse`] reads.
    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        notation::parse(self, text).map_err(|error| {
            let (text, reason) = (text.trim(), error.to_string());
            match error {
                NotationError::Unreadable { .. } => {
                    TextError::unreadable(TextKind::Move, text, "a play looks like 24/18*(2), bar/22,13/11, 6/off, or pass")
                }
                _ => TextError::forbidden(TextKind::Move, text, reason),
            }
        })
    }

    /// A roll is `31`; the opening throw has One's die first, `3-1`.
    fn event_text(&self, throw: Throw) -> String {
        match throw {
            Throw::Turn(roll) => format!("{}{}", roll.high(), roll.low()),
            Throw::Opening { one, two } => format!("{one}-{two}"),
        }
    }

    fn parse_event(&self, text: &str) -> Result<Throw, TextError> {
        let word = text.trim();
        let opening = |(one, two): (&str, &str)| match (one.as_bytes(), two.as_bytes()) {
            (&[one @ b'1'..=b'6'], &[two @ b'1'..=b'6']) => Some(Throw::Opening { one: one - b'0', two: two - b'0' }),
            _ => None,
        };
        let throw = parse_roll(word).map(Throw::Turn).or_else(|| word.split_once('-').and_then(opening));
        let Some(throw) = throw else {
            let shape = "a roll looks like 31, the opening throw like 3-1 (One's die first)";
            return Err(TextError::unreadable(TextKind::Event, word, shape));
        };
        let forbidden = |reason: &str| Err(TextError::forbidden(TextKind::Event, word, reason));
        match (self.turn(), throw) {
            (Turn::Decide(_), _) => forbidden("the dice have been rolled, a play is awaited"),
            (Turn::Over(_), _) => forbidden("the game is over"),
            (Turn::Chance(_), Throw::Opening { one, two }) if one == two => forbidden("equal opening dice are thrown again"),
            (Turn::Chance(_), Throw::Opening { .. }) if self.phase != OPENING => {
                forbidden("the opening is over: a roll looks like 31")
            }
            (Turn::Chance(_), Throw::Turn(_)) if self.phase == OPENING => {
                forbidden("each side throws one die to decide who starts: 3-1, One's die first")
            }
            (Turn::Chance(_), throw) => Ok(throw),
        }
    }
}

impl fmt::Display for Backgammon {
    /// [`position_text`](Text::position_text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl fmt::Debug for Backgammon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backgammon({self})")
    }
}

impl FromStr for Backgammon {
    type Err = TextError;

    /// [`parse_position`](Text::parse_position).
    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_position(text)
    }
}
