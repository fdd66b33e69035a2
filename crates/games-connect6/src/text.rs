//! Positions and moves as text.

use core::fmt;
use core::str::FromStr;

use gamecore::text::quoted;
use gamecore::{Event, Game, Outcome, Player, Text, TextError, TextKind};
use lines::{LARGEST, Point, parse_rows};

use crate::rules::{Rules, SHORTEST};
use crate::state::Connect6;

const SHAPE: &str = "a position is the rows from the top with / between them (x and o are stones of One and Two, . an empty point, \
                     a number so many of them), then one or two (who moves), how many stones are left in the turn, and the rules: \
                     stones in a row, stones of a turn, stones of the first turn, as 6,2,1";

const OCCUPIED: &str = "a stone stands there already";
/// How some programs write a stone that is none, after the single first one: `JJ@@`.
pub const NO_STONE: &str = "@@";

/// A point's two letters, `JJ`: its column from `A` at the left, its row from `A` at the top; none is left out. As the platform of
/// the Chinese collegiate tournaments writes them.
#[must_use]
pub fn letters(point: Point) -> String {
    [point.x(), point.y()].map(|n| char::from(b'A' + n)).iter().collect()
}

/// A turn in one word: the [`letters`] of its stones.
#[must_use]
pub fn turn_text(stones: &[Point]) -> String {
    stones.iter().map(|&p| letters(p)).collect()
}

impl Connect6 {
    /// Reads the rest of a turn in one word, two letters a stone in either case: `JJ`, `KJJK`. `@@` at its end stands for no stone:
    /// some programs write a single first stone as `JJ@@`. All stones that are left have to be there, unless one wins or fills the
    /// board; what follows that one in the turn is read over.
    ///
    /// # Errors
    /// If the text is no turn, has too many or too few stones, or one that cannot be put where it says.
    pub fn parse_turn(&self, text: &str) -> Result<Vec<Point>, TextError> {
        let (stones, over) = self.parse_stones(text)?;
        if over || stones.len() == usize::from(self.left()) { Ok(stones) } else { Err(self.wrong_number(text)) }
    }

    /// The same of a turn that may have fewer stones than are left.
    pub(crate) fn parse_turn_so_far(&self, text: &str) -> Result<Vec<Point>, TextError> {
        Ok(self.parse_stones(text)?.0)
    }

    fn wrong_number(&self, text: &str) -> TextError {
        let left = if self.left() == 1 { "1 stone".into() } else { format!("{} stones", self.left()) };
        TextError::forbidden(TextKind::Move, text.trim(), format!("this turn has {left} left"))
    }

    /// At most as many stones as are left, each put where it can be; and whether the game is then over.
    fn parse_stones(&self, text: &str) -> Result<(Vec<Point>, bool), TextError> {
        let word: String = text.split_whitespace().collect();
        let letters = word.trim_end_matches(NO_STONE);
        if letters.is_empty() || !letters.len().is_multiple_of(2) || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
            let reason = "a turn is two letters a stone, column and row from the top left, as in JJ or KJJK";
            return Err(TextError::unreadable(TextKind::Move, text.trim(), reason));
        }
        if self.outcome().is_none() && letters.len() / 2 > usize::from(self.left()) {
            return Err(self.wrong_number(text));
        }
        let (mut now, mut stones) = (self.clone(), Vec::new());
        for i in (0..letters.len()).step_by(2) {
            let word = &letters[i..i + 2];
            if now.outcome().is_some() && i > 0 {
                let free = self.board().is_empty(self.parse_point(word)?);
                if free { continue } else { return Err(TextError::forbidden(TextKind::Move, word, OCCUPIED)) }
            }
            let m = now.parse_move(word)?;
            now.play(m);
            stones.push(m);
        }
        Ok((stones, now.outcome().is_some()))
    }

    /// Reads a point of this board: its [`letters`], `JJ`, in either case; its column's letter and its row as a number from 1 at
    /// the bottom, `J10`, as game records have it; or both as numbers from 0 at the top left, `9,9`. The letter I is a column and a
    /// row like any other: points named as in Go, where it is left out, are not understood as they were meant.
    ///
    /// # Errors
    /// If the text is no point, or none of this board.
    pub fn parse_point(&self, text: &str) -> Result<Point, TextError> {
        let size = self.board().size();
        let word = text.trim();
        let refused = || {
            let corner = char::from(b'A' + size - 1);
            let reason = format!(
                "on this board points are AA (top left) to {corner}{corner}, or A1 (bottom left) to {corner}{size}, or 0,0 (top left) to {0},{0}",
                size - 1
            );
            TextError::unreadable(TextKind::Move, word, reason)
        };
        let number = |digits: &str| -> Option<u8> {
            let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| plain)
        };
        let letter = |byte: u8| byte.to_ascii_uppercase().checked_sub(b'A').filter(|&n| n < LARGEST);
        let read = || {
            if let Some((x, y)) = word.split_once(',') {
                return Point::new(number(x.trim())?, number(y.trim())?);
            }
            match *word.as_bytes() {
                [x, y] if y.is_ascii_alphabetic() => Point::new(letter(x)?, letter(y)?),
                [x, ..] => Point::new(letter(x)?, size.checked_sub(number(word.get(1..)?)?)?),
                [] => None,
            }
        };
        read().filter(|&p| self.board().holds(p)).ok_or_else(refused)
    }

    /// Why the mover may not put a stone on a point of the board, if so.
    pub(crate) fn obstacle(&self, point: Point) -> Option<&'static str> {
        match self.outcome() {
            Some(Outcome::Draw) => Some("the game is over, it is drawn"),
            Some(Outcome::Win { .. }) => Some("the game is over, somebody has won"),
            None if !self.board().is_empty(point) => Some(OCCUPIED),
            None => None,
        }
    }

    /// [`parse_position`](Text::parse_position) with the reason alone as error.
    fn parse_words(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let Some(board) = words.next() else { return Err(format!("it is empty; {SHAPE}")) };
        let (size, stones) = parse_rows(board, SHORTEST).map_err(|e| format!("{e}; {SHAPE}"))?;
        let mover = match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("one" | "1" | "x") => Some(Player::One),
            Some("two" | "2" | "o") => Some(Player::Two),
            Some(other) => return Err(format!("\"{}\" is not one or two; {SHAPE}", quoted(other))),
            None => None,
        };
        let left = match words.next() {
            None => None,
            Some(word) => {
                let plain = word.bytes().all(|b| b.is_ascii_digit());
                let left = word.parse::<u8>().ok().filter(|_| plain);
                Some(left.ok_or_else(|| format!("\"{}\" is no number of stones that are left; {SHAPE}", quoted(word)))?)
            }
        };
        let rules: Rules = match words.next() {
            None => Rules::connect6(size).map_err(|e| e.to_string())?,
            Some(word) => format!("{size},{word}").parse().map_err(|e| format!("{e}; {SHAPE}"))?,
        };
        if let Some(word) = words.next() {
            return Err(format!("\"{}\" is one word too many; {SHAPE}", quoted(word)));
        }
        match (mover, left) {
            (Some(mover), Some(left)) => Self::study(rules, stones, mover, left).map_err(|e| e.to_string()),
            (mover, _) => {
                let game = Self::from_stones(rules, stones).map_err(|e| e.to_string())?;
                match mover {
                    Some(mover) if mover != game.mover() => {
                        Err(format!("by the number of stones the other side is to move; {SHAPE}"))
                    }
                    _ => Ok(game),
                }
            }
        }
    }
}

impl Text for Connect6 {
    const NAME: &'static str = "connect6";

    /// Rows, seat to move, stones left in its turn, rules: stones in a row, in a turn, in the first turn.
    /// `19/19/19/19/19/19/19/19/19/9x9/19/19/19/19/19/19/19/19/19 two 2 6,2,1`.
    fn position_text(&self) -> String {
        let mover = if self.mover() == Player::One { "one" } else { "two" };
        format!("{} {mover} {} {}", self.board().rows_text(), self.left(), self.rules().numbers())
    }

    /// Words may be missing from the end. The rules are then Connect6's; if it is not said who moves and how many stones are left,
    /// the stones say so, and there have to be as many of each seat as in a game. The rows can also be one word without
    /// separators, `.` for each empty point.
    fn parse_position(text: &str) -> Result<Self, TextError> {
        Self::parse_words(text).map_err(|reason| TextError::unreadable(TextKind::Position, text.trim(), reason))
    }

    /// The point's [`letters`].
    fn move_text(&self, m: Point) -> String {
        letters(m)
    }

    fn parse_move(&self, text: &str) -> Result<Point, TextError> {
        let point = self.parse_point(text)?;
        match self.obstacle(point) {
            Some(reason) => Err(TextError::forbidden(TextKind::Move, text.trim(), reason)),
            None => Ok(point),
        }
    }

    fn event_text(&self, event: Event<Self>) -> String {
        match event {}
    }

    fn parse_event(&self, text: &str) -> Result<Event<Self>, TextError> {
        Err(TextError::forbidden(TextKind::Event, text.trim(), "nothing is rolled in Connect6"))
    }
}

impl fmt::Display for Connect6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl FromStr for Connect6 {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_position(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_three_names() {
        let game = Connect6::default();
        let middle = Point::new(9, 9).unwrap();
        for text in ["JJ", "jj", " jJ ", "J10", "j10", "9,9", "9, 9"] {
            assert_eq!(game.parse_move(text), Ok(middle), "{text}");
        }
        assert_eq!(game.move_text(middle), "JJ");
        assert_eq!(game.parse_point("A19"), game.parse_point("AA"));
        assert_eq!(game.parse_point("I1"), Ok(Point::new(8, 18).unwrap()));
        for text in [
            "", "J", "@@", "10J", "T1", "JT", "J20", "J0", "19,3", "7,-1", "7,7,7", "éJ", "J+8", "J008", "7,", "JJJJ", "[[",
            "JJ;",
        ] {
            let message = game.parse_move(text).unwrap_err().to_string();
            assert!(message.contains("AA (top left) to SS, or A1 (bottom left) to S19"), "{text}: {message}");
        }
    }

    #[test]
    fn refused_moves_say_why() {
        let mut game = Connect6::default();
        game.play(Point::new(9, 9).unwrap());
        assert!(game.parse_move("JJ").unwrap_err().to_string().contains("stands there already"));
        let game: Connect6 = "xxxxxx/6/oooo2/6/6/6 two 1".parse().unwrap();
        assert!(game.parse_move("AF").unwrap_err().to_string().contains("somebody has won"));
    }

    #[test]
    fn turns_are_read_and_written() {
        let names = |game: &Connect6, text: &str| game.parse_turn(text).map(|stones| turn_text(&stones));
        let start = Connect6::default();
        for text in ["JJ", "jj", "JJ@@", " J J "] {
            assert_eq!(names(&start, text).as_deref(), Ok("JJ"), "{text}");
        }
        let second = start.after(start.parse_move("JJ").unwrap());
        for text in ["KJJK", "kj jk"] {
            assert_eq!(names(&second, text).as_deref(), Ok("KJJK"), "{text}");
        }
        for (game, text, words) in [
            (&start, "JJKK", "this turn has 1 stone left"),
            (&start, "@@", "two letters a stone"),
            (&start, "@@JJ", "two letters a stone"),
            (&start, "", "two letters a stone"),
            (&start, "éé", "two letters a stone"),
            (&second, "KJ", "this turn has 2 stones left"),
            (&second, "KJ@@", "this turn has 2 stones left"),
            (&second, "KJJ", "two letters a stone"),
            (&second, "KJJJ", "stands there already"),
            (&second, "KJKJ", "stands there already"),
            (&second, "KJTT", "AA (top left) to SS"),
        ] {
            let message = names(game, text).unwrap_err().to_string();
            assert!(message.contains(words), "{text}: {message}");
        }
        // A stone that wins is enough, and what follows it in the turn does not matter if it could be put.
        let game: Connect6 = "xxxxx1/oooo2/o5/6/6/6 one 2".parse().unwrap();
        for text in ["FA", "FA@@", "FAFF"] {
            assert_eq!(names(&game, text).as_deref(), Ok("FA"), "{text}");
        }
        assert_eq!(names(&game, "FFFA").as_deref(), Ok("FFFA"));
        assert!(names(&game, "FAAA").is_err() && names(&game, "FAFG").is_err());
        let over = game.after(game.parse_move("FA").unwrap());
        assert!(names(&over, "FF").unwrap_err().to_string().contains("somebody has won"));
    }

    #[test]
    fn nonsense_is_refused_with_reasons() {
        let full = "xoxox/".repeat(21);
        for (text, part) in [
            ("", "it is empty"),
            ("2/2", "3 to 20 rows"),
            ("5/5/5/5/5", "it is 3 to 6 stones, and fits the board"),
            (full.as_str(), "3 to 20 rows"),
            ("6/6/6/6/6/7", "has 7 points"),
            ("6/6/6/6/6/..z3", "\"z\" stands in the row"),
            ("6/6/6/6/6/6 three", "is not one or two"),
            ("6/6/6/6/6/6 one many", "no number of stones that are left"),
            ("6/6/6/6/6/6 one 3", "a turn has 1 to 2 stones"),
            ("6/6/6/6/6/6 one 1 7,2,1", "a row of 7"),
            ("6/6/6/6/6/6 one 1 6,0,1", "at least one stone"),
            ("6/6/6/6/6/6 one 1 6,2,1,1", "size, length of a row"),
            ("6/6/6/6/6/6 one 1 6,2,1 now", "too many"),
            ("6/6/6/6/6/6 two", "the other side is to move"),
            ("xx4/6/6/6/6/6", "One has 2 stones and Two 0: after 2 stones of a game they have 1 and 1"),
            ("xxxxxx/6/6/6/6/oooooo one 1", "both sides"),
        ] {
            let message = Connect6::parse_position(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn positions_are_read_in_several_shapes() {
        let board: Connect6 = "6/1x4/2o3/6/6/6 two 1".parse().unwrap();
        for text in
            ["....../.x..../..o.../....../....../......", ".......x......o.....................", "6/1X4/--O---/6/6/6 2 1 6"]
        {
            assert_eq!(text.parse(), Ok(board.clone()), "{text}");
        }
        assert_eq!(board.to_string(), "6/1x4/2o3/6/6/6 two 1 6,2,1");
        let study: Connect6 = "6/1xx3/6/6/6/6 one 2".parse().unwrap();
        assert_eq!((study.mover(), study.left(), study.counts()), (Player::One, 2, [2, 0]));
    }
}
