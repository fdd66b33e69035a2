//! Positions, moves and rolls as text.

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;
use gamecore::{Game, Player, Text, TextError, TextKind, Turn};

use crate::moves::Move;
use crate::rules::{Freedom, Rules, Variant};
use crate::state::Einstein;

impl Einstein {
    /// The stones alone: rows from the top, `/` between them, One's numbers as digits, Two's as letters (`a` is 1).
    #[must_use]
    pub fn board_text(&self) -> String {
        let size = self.rules().size();
        let mut cells = vec!['.'; usize::from(size * size)];
        for seat in Player::BOTH {
            for (number, square) in self.stones(seat) {
                cells[usize::from(square)] = stone_char(seat, number);
            }
        }
        cells.chunks(size.into()).map(String::from_iter).collect::<Vec<_>>().join("/")
    }

    /// The squares of both seats' stones from a board's text.
    fn parse_board(rules: Rules, board: &str) -> Result<[ArrayVec<i8, 9>; 2], String> {
        let (size, stones) = (usize::from(rules.size()), rules.stones());
        let mut squares = [ArrayVec::from([-1; 9]), ArrayVec::from([-1; 9])];
        squares.iter_mut().for_each(|s| s.truncate(stones.into()));
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != size {
            return Err(format!("the board has {} rows, but {rules} is played on {size} rows of {size}", rows.len()));
        }
        for (r, row) in rows.iter().enumerate() {
            let width = row.chars().count();
            if width != size {
                return Err(format!("row {} of the board has {width} squares, not {size}", r + 1));
            }
            for (c, cell) in row.chars().enumerate() {
                let (seat, number) = match cell.to_ascii_lowercase() {
                    '.' => continue,
                    digit @ '1'..='9' => (Player::One, digit as u8 - b'0'),
                    letter @ 'a'..='i' => (Player::Two, letter as u8 - b'a' + 1),
                    _ => {
                        let last = stone_char(Player::Two, stones);
                        return Err(format!("the board has {cell:?}: a square is '.', 1 to {stones} or a to {last}"));
                    }
                };
                let Some(place) = squares[seat].get_mut(usize::from(number) - 1) else {
                    let last = stone_char(seat, stones);
                    return Err(format!("the board has stone {cell}, but the stones of {seat:?} end with {last} in {rules}"));
                };
                if *place >= 0 {
                    return Err(format!("stone {cell} is on the board twice"));
                }
                *place = (r * size + c) as i8;
            }
        }
        Ok(squares)
    }

    /// [`parse_position`](Text::parse_position) with the reason alone as error.
    fn parse_words(text: &str) -> Result<Self, String> {
        const SHAPE: &str = "a position is the board's rows with / between them, then one or two (to move), the die or -, \
                             the rules, and the turns left if they are limited";
        let mut words = text.split_whitespace();
        let Some(board) = words.next() else {
            return Err(format!("it is empty; {SHAPE}"));
        };
        let mover = match words.next().map(str::to_ascii_lowercase).as_deref() {
            None | Some("one" | "1") => Player::One,
            Some("two" | "2") => Player::Two,
            Some(word) => return Err(format!("\"{}\" is not one or two; {SHAPE}", gamecore::text::quoted(word))),
        };
        let die = match words.next() {
            None | Some("-") => None,
            Some(word) => Some(parse_face(word).ok_or_else(|| {
                format!("\"{}\" is not a die (1 to 6, or - before the roll); {SHAPE}", gamecore::text::quoted(word))
            })?),
        };
        let rules = match words.next() {
            Some(word) => word.parse().map_err(|e: crate::RulesError| e.to_string())?,
            // Four rows of four tell the game.
            None if board.split('/').count() == 4 && board.find('/') == Some(4) => {
                let variant = Variant::FourByFour { freedom: Freedom::Never, capture_all: false };
                Rules::new(variant, None).map_err(|e| e.to_string())?
            }
            None => Rules::STANDARD,
        };
        let squares = Self::parse_board(rules, board)?;
        let game = Self::from_squares(rules, [&squares[0], &squares[1]], mover, die).map_err(|e| e.to_string())?;
        let game = match words.next() {
            None => game,
            Some(word) => {
                let turns = word
                    .parse()
                    .map_err(|_| format!("\"{}\" is not a number of turns left; {SHAPE}", gamecore::text::quoted(word)))?;
                game.with_turns_left(turns).map_err(|e| e.to_string())?
            }
        };
        match words.next() {
            None => Ok(game),
            Some(word) => Err(format!("\"{}\" is one word too many; {SHAPE}", gamecore::text::quoted(word))),
        }
    }

    /// The numbers that may move, for a message.
    fn movable(&self, moves: &[Move]) -> String {
        let mut numbers: Vec<u8> = moves.iter().filter_map(|m| m.stone()).collect();
        numbers.dedup();
        let names: Vec<String> = numbers.iter().map(u8::to_string).collect();
        match names.as_slice() {
            [] => "no stone can move: the only move is pass".into(),
            [one] => format!("stone {one} must move"),
            [rest @ .., last] => format!("stone {} or {last} must move", rest.join(", ")),
        }
    }

    /// How stones go, for a message.
    fn steps_text(&self) -> &'static str {
        match (self.rules().variant(), self.mover) {
            (Variant::Standard, Player::One) => "right, down or diagonally right and down",
            (Variant::Standard, Player::Two) => "left, up or diagonally left and up",
            (Variant::FourByFour { .. }, Player::One) => "one row up, straight or diagonally",
            (Variant::FourByFour { .. }, Player::Two) => "one row down, straight or diagonally",
            (Variant::NineStones { .. }, Player::One) => "up, down, left or right, and diagonally up if the die shows its number",
            (Variant::NineStones { .. }, Player::Two) => {
                "up, down, left or right, and diagonally down if the die shows its number"
            }
        }
    }

    /// Why no move of `moves` is meant by `request`.
    fn refusal(&self, moves: &[Move], request: Request) -> String {
        let rules = self.rules();
        let die = self.die().unwrap_or_default();
        let (stone, from) = match request {
            Request::Pass => return format!("after a {die} {}, and who can move may not pass", self.movable(moves)),
            Request::Target(_) => (None, None),
            Request::Stone(stone, _) => match self.square_of(self.mover, stone) {
                Some(from) => (Some(stone), Some(from)),
                None if stone > rules.stones() => return format!("stones have the numbers 1 to {}", rules.stones()),
                None => return format!("your stone {stone} has been captured; after a {die} {}", self.movable(moves)),
            },
            Request::Squares(from, _) => match self.stone_on(from) {
                None => return format!("there is no stone on {}", rules.square_name(from)),
                Some((seat, _)) if seat != self.mover => {
                    return format!("the stone on {} is your opponent's", rules.square_name(from));
                }
                Some((_, stone)) => (Some(stone), Some(from)),
            },
        };
        let to = match request {
            Request::Squares(_, to) | Request::Stone(_, to) | Request::Target(to) => to,
            Request::Pass => 0,
        };
        let target = rules.square_name(to);
        let (Some(stone), Some(from)) = (stone, from) else {
            return format!("after a {die} {}, and not to {target}", self.movable(moves));
        };
        if moves.iter().all(|m| m.stone() != Some(stone)) {
            return format!("after a {die} {}, not stone {stone}", self.movable(moves));
        }
        match self.stone_on(to) {
            Some((seat, other)) if seat == self.mover && !self.tables.0.standard && other != stone => {
                format!("your own stone {other} is on {target}, and these rules do not let you capture it")
            }
            _ => format!("stone {stone} on {} goes {}, not to {target}", rules.square_name(from), self.steps_text()),
        }
    }
}

/// What a move's text asks for.
#[derive(Clone, Copy)]
enum Request {
    Pass,
    Squares(u8, u8),
    Stone(u8, u8),
    Target(u8),
}

impl Request {
    fn parse(rules: Rules, text: &str) -> Result<Self, String> {
        let shape = || {
            let example = format!("{}-{}", rules.square_name(0), rules.square_name(1));
            format!("a move is the squares from and to, such as {example}, or a stone and its square, such as 3:B2, or pass")
        };
        let lower = text.trim().to_ascii_lowercase();
        if matches!(lower.as_str(), "pass" | "skip") {
            return Ok(Self::Pass);
        }
        if lower.contains(|c: char| !c.is_ascii_alphanumeric() && !"-:,> ()".contains(c)) {
            return Err(shape());
        }
        let core: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
        let square = |name: &str| {
            rules.square(name).ok_or_else(|| {
                let (last, size) = (char::from(b'A' - 1 + rules.size()), rules.size());
                format!("there is no square {}: columns are A to {last}, rows 1 to {size}; {}", name.to_uppercase(), shape())
            })
        };
        match core.len() {
            2 => Ok(Self::Target(square(&core)?)),
            3 => {
                let stone = match core.as_bytes()[0] {
                    digit @ b'1'..=b'9' => digit - b'0',
                    letter @ b'a'..=b'i' => letter - b'a' + 1,
                    _ => return Err(shape()),
                };
                Ok(Self::Stone(stone, square(&core[1..])?))
            }
            4 => Ok(Self::Squares(square(&core[..2])?, square(&core[2..])?)),
            _ => Err(shape()),
        }
    }

    fn means(self, m: Move) -> bool {
        match self {
            Self::Pass => m.is_pass(),
            Self::Squares(from, to) => m.from() == Some(from) && m.to() == Some(to),
            Self::Stone(stone, to) => m.stone() == Some(stone) && m.to() == Some(to),
            Self::Target(to) => m.to() == Some(to),
        }
    }
}

/// A stone as one character.
pub(crate) fn stone_char(seat: Player, number: u8) -> char {
    char::from(if seat == Player::One { b'0' } else { b'a' - 1 } + number)
}

fn parse_face(text: &str) -> Option<u8> {
    match text.as_bytes() {
        &[digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

impl Text for Einstein {
    const NAME: &'static str = "einstein";

    /// Board, seat to move, die or `-`, rules, and the turns left if they are limited:
    /// `123../45.../6...f/...ed/..cba one - standard`.
    fn position_text(&self) -> String {
        let mover = if self.mover == Player::One { "one" } else { "two" };
        let die = self.die().map_or("-".into(), |face| face.to_string());
        let left = self.turns_left().map_or(String::new(), |turns| format!(" {turns}"));
        format!("{} {mover} {die} {}{left}", self.board_text(), self.rules())
    }

    /// Words may be missing from the end: One moves, the die is to be rolled, the rules are `standard` (`4x4` for a board
    /// of four rows of four), all turns are left.
    fn parse_position(text: &str) -> Result<Self, TextError> {
        Self::parse_words(text).map_err(|reason| TextError::unreadable(TextKind::Position, text.trim(), reason))
    }

    /// `A5-B4`, the squares from and to, or `pass`.
    fn move_text(&self, m: Move) -> String {
        match (m.from(), m.to()) {
            (Some(from), Some(to)) => format!("{}-{}", self.rules().square_name(from), self.rules().square_name(to)),
            _ => "pass".into(),
        }
    }

    /// Also reads `a5b4`, `3:B4` (stone 3 to B4; Two's stones may be letters), and `B4` if only one stone can go there.
    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let forbidden = |reason: String| Err(TextError::forbidden(TextKind::Move, text.trim(), reason));
        match self.turn() {
            Turn::Over(_) => return forbidden("the game is over".into()),
            Turn::Chance(_) => return forbidden("the die has to be rolled first".into()),
            Turn::Decide(_) => {}
        }
        let request =
            Request::parse(self.rules(), text).map_err(|reason| TextError::unreadable(TextKind::Move, text.trim(), reason))?;
        let mut moves = <Self as Game>::Moves::new();
        self.moves(&mut moves);
        let mut meant = moves.iter().copied().filter(|&m| request.means(m));
        match (meant.next(), meant.next()) {
            (Some(m), None) => Ok(m),
            (Some(a), Some(b)) => {
                forbidden(format!("more than one stone can go there: {} or {}", self.move_text(a), self.move_text(b)))
            }
            (None, _) => forbidden(self.refusal(&moves, request)),
        }
    }

    fn event_text(&self, face: u8) -> String {
        face.to_string()
    }

    fn parse_event(&self, text: &str) -> Result<u8, TextError> {
        let word = text.trim();
        let face = parse_face(word).ok_or_else(|| TextError::unreadable(TextKind::Event, word, "a die shows 1 to 6"))?;
        match self.turn() {
            Turn::Chance(_) => Ok(face),
            Turn::Decide(_) => Err(TextError::forbidden(TextKind::Event, word, "the die has been rolled, a move is awaited")),
            Turn::Over(_) => Err(TextError::forbidden(TextKind::Event, word, "the game is over")),
        }
    }
}

impl fmt::Display for Einstein {
    /// [`position_text`](Text::position_text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position_text())
    }
}

impl fmt::Debug for Einstein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Einstein({self})")
    }
}

impl FromStr for Einstein {
    type Err = TextError;

    /// [`parse_position`](Text::parse_position).
    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_position(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Einstein {
        text.parse().unwrap()
    }

    #[test]
    fn short_and_untidy_positions_are_understood() {
        for text in [
            "123../45.../6...f/...ed/..cba",
            "  123../45.../6...f/...ed/..cba\tONE  ",
            "123../45.../6...F/...ED/..CBA 1 -",
            "123../45.../6...f/...ed/..cba one - STANDARD",
        ] {
            assert_eq!(position(text), Einstein::start(Rules::STANDARD));
        }
        assert_eq!(position("abcd/ef../56../1234"), Einstein::start("4x4".parse().unwrap()));
        let over = position("...../...../...../...../.2..1");
        assert_eq!(over.outcome().and_then(gamecore::Outcome::winner), Some(Player::One));
    }

    #[test]
    fn bad_positions_are_refused_with_reasons() {
        for (text, part) in [
            ("", "it is empty"),
            ("123", "the board has 1 rows"),
            ("123../45.../6...f/...ed", "the board has 4 rows"),
            ("123../45../6...f/...ed/..cba", "row 2 of the board has 4 squares, not 5"),
            ("123../45.../6..xf/...ed/..cba", "the board has 'x'"),
            ("123../45.../7...f/...ed/..cba", "stone 7"),
            ("123../45.../6...g/...ed/..cba", "end with f"),
            ("123../45.../1...f/...ed/..cba", "stone 1 is on the board twice"),
            ("...../...../...../...../.....", "neither side"),
            ("a..../...../...../...../....1", "both sides have won"),
            ("123../45.../6...f/...ed/..cba three", "not one or two"),
            ("123../45.../6...f/...ed/..cba one 7", "not a die"),
            ("123../45.../6...f/...ed/..cba one 3 chess", "there are standard"),
            ("123../45.../6...f/...ed/..cba one 3 standard 5", "no turn limit"),
            ("...../..a../...../.1.../..... one 3 5x5x9@50 51", "51 turns left"),
            ("...../..a../...../.1.../..... one 3 5x5x9@50 0", "game is over"),
            ("...../..a../...../.1.../..... one 3 5x5x9@50 x", "not a number of turns"),
            ("...../..a../...../.1.../..... one 3 5x5x9@50 5 5", "one word too many"),
        ] {
            match text.parse::<Einstein>() {
                Err(e) => assert!(e.to_string().contains(part), "{text}: {e}"),
                Ok(_) => assert!(part.is_empty(), "{text}"),
            }
        }
    }

    #[test]
    fn moves_are_read_in_many_forms() {
        let g = position("123../45.../6...f/...ed/..cba one 4");
        let m = g.parse_move("A4-B3").unwrap();
        assert_eq!(g.move_text(m), "A4-B3");
        for text in ["a4b3", "A4 B3", " a4 - b3 ", "4:B3", "4b3", "(4,B3)", "B3", "A4->B3"] {
            assert_eq!(g.parse_move(text), Ok(m), "{text}");
        }
        let g = position("12.../...../...../...ed/..cba two 3");
        assert_eq!(g.parse_move("c:b2"), g.parse_move("C1-B2"));
    }

    #[test]
    fn refused_moves_say_which_rule_is_in_the_way() {
        let g = position("123../4..../6...f/...ed/..cba one 5");
        for (text, part) in [
            ("", "a move is the squares"),
            ("hello", "a move is the squares"),
            ("A4-F4", "columns are A to E"),
            ("A4#B4", "a move is the squares"),
            ("B4-C4", "there is no stone on B4"),
            ("E3-D3", "your opponent's"),
            ("A5-B4", "after a 5 stone 4 or 6 must move, not stone 1"),
            ("5:B4", "your stone 5 has been captured"),
            ("9:B4", "1 to 6"),
            ("A4-A5", "right, down or diagonally"),
            ("E5", "not to E5"),
            ("pass", "may not pass"),
            ("B3", "A4-B3 or A3-B3"),
            ("é", "a move is the squares"),
        ] {
            let message = g.parse_move(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(position("1.../.a../..../....").parse_move("A4-A3").unwrap_err().to_string().contains("is over"));
        assert!(Einstein::start(Rules::STANDARD).parse_move("A5-B5").unwrap_err().to_string().contains("rolled first"));
        let g = position("abcd/ef../56../1234 one 1 4x4");
        assert_eq!(g.parse_move("pass"), Ok(Move::PASS));
        assert!(g.parse_move("A1-A2").unwrap_err().to_string().contains("the only move is pass"));
        let g = position("abcd/ef../5.../1234 one 1 4x4");
        assert!(g.parse_move("A1-A2").unwrap_err().to_string().contains("own stone 5"));
    }
}
