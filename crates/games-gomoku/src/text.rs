//! Positions and moves as text.

use core::fmt;
use core::str::FromStr;

use gamecore::text::quoted;
use gamecore::{Event, Outcome, Player, Text, TextError, TextKind};
use lines::{Point, parse_rows};

use crate::rules::{Rule, SMALLEST};
use crate::state::Gomoku;

const SHAPE: &str = "a position is the rows from the top with / between them (x and o are stones of One and Two, . an empty point, \
                     a number so many of them), then one or two (who moves), then freestyle, standard, renju or caro";

impl Gomoku {
    /// A point's name: its column as a letter from `a`, its row as a number from 1 at the bottom. `h8` is the middle of the
    /// usual board.
    #[must_use]
    pub fn point_name(&self, point: Point) -> String {
        format!("{}{}", char::from(b'a' + point.x()), self.board().size().saturating_sub(point.y()))
    }

    /// Reads a point of this board: its name, as [`point_name`](Self::point_name) writes it, in either case; or its column and
    /// row as numbers from 0 at the top left, `7,7`, as programs exchange them.
    ///
    /// # Errors
    /// If the text is no point, or none of this board.
    pub fn parse_point(&self, text: &str) -> Result<Point, TextError> {
        let size = self.board().size();
        let word = text.trim();
        let last = size - 1;
        let refused = || {
            let corner = char::from(b'a' + last);
            let reason = format!("on this board points are a1 to {corner}{size}, or 0,0 (top left) to {last},{last}");
            TextError::unreadable(TextKind::Move, word, reason)
        };
        let number = |digits: &str| -> Option<u8> {
            let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| plain)
        };
        let read = || {
            if let Some((x, y)) = word.split_once(',') {
                return Point::new(number(x.trim())?, number(y.trim())?);
            }
            let column = word.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
            Point::new(column, size.checked_sub(number(word.get(1..)?)?)?)
        };
        read().filter(|&p| self.board().holds(p)).ok_or_else(refused)
    }

    /// [`parse_position`](Text::parse_position) with the reason alone as error.
    fn parse_words(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let Some(board) = words.next() else { return Err(format!("it is empty; {SHAPE}")) };
        let (size, stones) = parse_rows(board, SMALLEST).map_err(|e| format!("{e}; {SHAPE}"))?;
        let mover = match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("one" | "1" | "x") => Player::One,
            Some("two" | "2" | "o") => Player::Two,
            Some(other) => return Err(format!("\"{}\" is not one or two; {SHAPE}", quoted(other))),
            None => {
                let ones = stones.iter().filter(|stone| stone.1 == Player::One).count();
                if 2 * ones > stones.len() { Player::Two } else { Player::One }
            }
        };
        let rule: Rule = words.next().unwrap_or("freestyle").parse().map_err(|e| format!("{e}"))?;
        match words.next() {
            None => Self::from_stones(rule, size, stones, mover).map_err(|e| e.to_string()),
            Some(word) => Err(format!("\"{}\" is one word too many; {SHAPE}", quoted(word))),
        }
    }
}

impl Text for Gomoku {
    const NAME: &'static str = "gomoku";

    /// Rows, seat to move, rules: `15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 two freestyle`.
    fn position_text(&self) -> String {
        let mover = if self.mover() == Player::One { "one" } else { "two" };
        format!("{} {mover} {}", self.board().rows_text(), self.rule())
    }

    /// Words may be missing from the end: who has fewer stones moves (One if they are equal), and the rules are freestyle. The
    /// rows can also be one word without separators, `.` for each empty point.
    fn parse_position(text: &str) -> Result<Self, TextError> {
        Self::parse_words(text).map_err(|reason| TextError::unreadable(TextKind::Position, text.trim(), reason))
    }

    /// The point's [name](Gomoku::point_name).
    fn move_text(&self, m: Point) -> String {
        self.point_name(m)
    }

    fn parse_move(&self, text: &str) -> Result<Point, TextError> {
        let point = self.parse_point(text)?;
        let reason = match self.outcome() {
            Some(Outcome::Draw) => "the game is over, it is drawn".into(),
            Some(Outcome::Win { .. }) => "the game is over, somebody has won".into(),
            None if !self.board().is_empty(point) => "a stone stands there already".into(),
            None => match self.forbidden(point) {
                Some(reason) => format!("renju forbids it to the first player, {reason}"),
                None => return Ok(point),
            },
        };
        Err(TextError::forbidden(TextKind::Move, text.trim(), reason))
    }

    fn event_text(&self, event: Event<Self>) -> String {
        match event {}
    }

    fn parse_event(&self, text: &str) -> Result<Event<Self>, TextError> {
        Err(TextError::forbidden(TextKind::Event, text.trim(), "nothing is rolled in gomoku"))
    }
}

impl fmt::Display for Gomoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl FromStr for Gomoku {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_position(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Game;

    #[test]
    fn points_have_two_names() {
        let game = Gomoku::start(Rule::Freestyle, 15).unwrap();
        let middle = Point::new(7, 7).unwrap();
        for text in ["h8", "H8", " h8 ", "7,7", "7, 7"] {
            assert_eq!(game.parse_move(text), Ok(middle), "{text}");
        }
        assert_eq!(game.point_name(middle), "h8");
        assert_eq!(game.parse_point("a15"), Ok(Point::new(0, 0).unwrap()));
        for text in ["", "h", "8h", "p1", "h16", "h0", "15,3", "7,-1", "7,7,7", "é8", "h+8", "h008", "7,"] {
            let message = game.parse_move(text).unwrap_err().to_string();
            assert!(message.contains("a1 to o15"), "{text}: {message}");
        }
    }

    #[test]
    fn refused_moves_say_why() {
        let mut game = Gomoku::start(Rule::Renju, 15).unwrap();
        game.play(Point::new(7, 7).unwrap());
        assert!(game.parse_move("h8").unwrap_err().to_string().contains("stands there already"));
        let game: Gomoku = "xxx.xx.../9/9/9/9/9/9/9/9 one renju".parse().unwrap();
        assert!(game.parse_move("d9").unwrap_err().to_string().contains("six or more"));
        assert_eq!(game.forbidden(Point::new(3, 0).unwrap()), Some(lines::renju::Forbidden::Overline));
        let game: Gomoku = "xxxxx/5/5/5/5 two".parse().unwrap();
        assert!(game.parse_move("a1").unwrap_err().to_string().contains("somebody has won"));
    }

    #[test]
    fn nonsense_is_refused_with_reasons() {
        let full = "xoxox/".repeat(21);
        for (text, part) in [
            ("", "it is empty"),
            ("4/4/4/4", "5 to 20 rows"),
            (full.as_str(), "5 to 20 rows"),
            ("5/5/5/5/6", "has 6 points"),
            ("5/5/5/5/99999999999999", "has 255 points"),
            ("5/5/5/5/..z..", "\"z\" stands in the row"),
            ("5/5/5/5/5 three", "is not one or two"),
            ("5/5/5/5/5 one chess", "freestyle, standard, renju and caro"),
            ("5/5/5/5/5 one caro caro", "too many"),
            ("xxxxx/5/5/5/ooooo", "both sides"),
        ] {
            let message = Gomoku::parse_position(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn positions_are_read_in_several_shapes() {
        let board: Gomoku = "5/1x3/2o2/5/5 one".parse().unwrap();
        for text in ["...../.x.../..o../...../.....", "......x.....o............ 1 Freestyle", "5/1X3/--O--/5/5"] {
            assert_eq!(text.parse(), Ok(board.clone()), "{text}");
        }
        assert_eq!("5/1x3/5/5/5".parse::<Gomoku>().unwrap().mover(), Player::Two);
        assert_eq!(board.to_string(), "5/1x3/2o2/5/5 one freestyle");
    }
}
