//! The board as a manager tells it: own stones and the opponent's.

use gamecore::text::{is_invisible, quoted};
use gamecore::{Game, History, Outcome, Player, Step, Turn};
use games_gomoku::{Gomoku, Point, Rule, SetupError};

/// Whose a stone is, or whose turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Own,
    Opponent,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Own => Self::Opponent,
            Self::Opponent => Self::Own,
        }
    }
}

/// The stones, in the order in which they were told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    size: u8,
    stones: Vec<(Point, Side)>,
    /// Points that are not to be played on, without a stone.
    closed: Vec<Point>,
    next: Side,
}

impl Position {
    /// An empty board.
    pub(super) fn new(size: u8) -> Result<Self, SetupError> {
        Gomoku::start(Rule::default(), size)?;
        Ok(Self { size, stones: Vec::new(), closed: Vec::new(), next: Side::Own })
    }

    pub(super) fn emptied(&self) -> Self {
        Self { stones: Vec::new(), closed: Vec::new(), next: Side::Own, ..*self }
    }

    pub(super) fn size(&self) -> u8 {
        self.size
    }

    pub(super) fn next(&self) -> Side {
        self.next
    }

    pub(super) fn set_next(&mut self, next: Side) {
        self.next = next;
    }

    /// Where stones are, in the order in which they were told.
    pub(super) fn points(&self) -> Vec<Point> {
        self.stones.iter().map(|&(point, _)| point).collect()
    }

    /// How many stones of its own the engine has.
    pub(super) fn own(&self) -> usize {
        self.stones.iter().filter(|&&(_, side)| side == Side::Own).count()
    }

    /// Reads so many numbers with commas or white space between.
    pub(super) fn numbers<const N: usize>(text: &str, form: &str) -> Result<[i64; N], String> {
        let between = |c: char| c == ',' || c.is_whitespace() || is_invisible(c);
        let words: Vec<&str> = text.split(between).filter(|word| !word.is_empty()).collect();
        let numbers: Option<Vec<i64>> = words.iter().map(|word| word.parse().ok()).collect();
        numbers.and_then(|n| n.try_into().ok()).ok_or_else(|| format!("\"{}\" is not {form}", quoted(text.trim())))
    }

    /// The point of a column and a row.
    pub(super) fn point(&self, x: i64, y: i64) -> Result<Point, String> {
        let on = |n: i64| u8::try_from(n).ok().filter(|&n| n < self.size);
        let point = on(x).zip(on(y)).and_then(|(x, y)| Point::new(x, y));
        point.ok_or_else(|| format!("{x},{y} is outside the board: columns and rows are 0 to {}", self.size - 1))
    }

    /// Reads `X,Y`.
    pub(super) fn parse(&self, text: &str) -> Result<Point, String> {
        let [x, y] = Self::numbers(text, "X,Y, a column and a row")?;
        self.point(x, y)
    }

    fn side(&self, point: Point) -> Option<Side> {
        self.stones.iter().find(|&&(p, _)| p == point).map(|&(_, side)| side)
    }

    /// Puts a stone on the board; then it is the other side's turn.
    pub(super) fn place(&mut self, point: Point, side: Side) -> Result<(), String> {
        if self.side(point).is_some() {
            return Err(format!("{} is occupied", text(point)));
        }
        self.stones.push((point, side));
        self.next = side.other();
        Ok(())
    }

    /// Marks a point that is not to be played on.
    pub(super) fn close(&mut self, point: Point) {
        if !self.closed.contains(&point) {
            self.closed.push(point);
        }
    }

    /// Takes a stone away; then it is the turn of whose it was.
    pub(super) fn take_back(&mut self, point: Point) -> Result<(), String> {
        let side = self.side(point).ok_or_else(|| format!("there is no stone on {}", text(point)))?;
        self.stones.retain(|&(p, _)| p != point);
        self.next = side;
        Ok(())
    }

    /// Who has moved first: who is to move and has no fewer stones than the other.
    fn first(&self) -> Side {
        let next = self.stones.iter().filter(|&&(_, side)| side == self.next).count();
        if 2 * next >= self.stones.len() { self.next } else { self.next.other() }
    }

    fn player(&self, side: Side) -> Player {
        if side == self.first() { Player::One } else { Player::Two }
    }

    /// The game for an engine, with its course if the stones could be one.
    pub(super) fn history(&self, rule: Rule) -> Result<History<Gomoku>, String> {
        if let Some(history) = self.course(rule) {
            return Ok(history);
        }
        let stones = self.stones.iter().map(|&(point, side)| (point, self.player(side)));
        let game = Gomoku::from_stones(rule, self.size, stones, self.player(self.next));
        Ok(game.map_err(|e| e.to_string())?.into())
    }

    /// The same with all stones the other side's, and the turn.
    pub(super) fn exchanged(mut self) -> Self {
        self.stones.iter_mut().for_each(|(_, side)| *side = side.other());
        self.next = self.next.other();
        self
    }

    /// The stones as moves in turn.
    fn course(&self, rule: Rule) -> Option<History<Gomoku>> {
        let mut history = History::from(Gomoku::start(rule, self.size).ok()?);
        for &(point, side) in &self.stones {
            let game = history.state();
            if game.turn() != Turn::Decide(self.player(side)) || game.forbidden(point).is_some() {
                return None;
            }
            history.push(Step::Move(point));
        }
        (history.state().mover() == self.player(self.next)).then_some(history)
    }

    /// Whether the engine may play there.
    pub(super) fn allows(&self, game: &Gomoku, point: Point) -> bool {
        game.board().holds(point)
            && game.board().is_empty(point)
            && game.forbidden(point).is_none()
            && !self.closed.contains(&point)
    }
}

/// How it goes on after a game.
const ON: &str = "RESTART and START begin another, TAKEBACK takes a stone away";

/// Refuses a game in which nothing is to be decided any more.
pub(super) fn over(position: &Position, game: &Gomoku) -> Result<(), String> {
    match game.outcome() {
        None => Ok(()),
        Some(Outcome::Draw) => Err(format!("the game is over: nobody can move any more, it is drawn; {ON}")),
        Some(outcome) => {
            let own = outcome.winner() == Some(position.player(Side::Own));
            Err(format!("the game is over: {} a winning row; {ON}", if own { "I have" } else { "the opponent has" }))
        }
    }
}

/// A point as the protocol writes it.
pub(super) fn text(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn of(stones: &[(u8, u8, Side)]) -> Position {
        let mut position = Position::new(15).unwrap();
        stones.iter().for_each(|&(x, y, side)| position.place(at(x, y), side).unwrap());
        position
    }

    #[test]
    fn who_began_follows_from_the_stones() {
        use Side::{Opponent, Own};
        for (stones, own) in [
            (&[][..], Player::One),
            (&[(7, 7, Opponent)], Player::Two),
            (&[(7, 7, Own), (7, 8, Opponent)], Player::One),
            // In any order.
            (&[(7, 7, Opponent), (7, 8, Own), (0, 0, Opponent)], Player::Two),
            (&[(7, 7, Opponent), (7, 8, Opponent), (0, 0, Own)], Player::Two),
            (&[(7, 7, Own), (7, 8, Own), (0, 0, Opponent), (1, 1, Opponent)], Player::One),
            // A handicap.
            (&[(7, 7, Own), (7, 8, Own), (0, 0, Own)], Player::One),
        ] {
            let mut position = of(stones);
            position.set_next(Own);
            let history = position.history(Rule::Renju).unwrap();
            assert_eq!(history.state().mover(), own, "{stones:?}");
            assert_eq!(usize::from(history.state().board().count()), stones.len());
        }
        // The course is known where there is one.
        let steps = |position: &Position| position.history(Rule::Freestyle).unwrap().steps().len();
        assert_eq!(steps(&of(&[(7, 7, Opponent), (7, 8, Own), (0, 0, Opponent)])), 3);
        assert_eq!(steps(&of(&[(7, 7, Opponent), (7, 8, Opponent), (0, 0, Own)])), 0);
    }

    #[test]
    fn a_stone_is_taken_back_with_its_turn() {
        let mut position = of(&[(7, 7, Side::Opponent), (7, 8, Side::Own)]);
        let before = position.clone();
        assert!(position.take_back(at(0, 0)).unwrap_err().contains("no stone on 0,0"));
        assert!(position.place(at(7, 8), Side::Opponent).unwrap_err().contains("7,8 is occupied"));
        assert_eq!(position, before);
        position.take_back(at(7, 8)).unwrap();
        assert_eq!(position.next(), Side::Own);
        position.take_back(at(7, 7)).unwrap();
        assert_eq!(position.next(), Side::Opponent);
    }

    #[test]
    fn numbers_in_many_clothes() {
        let position = of(&[]);
        for text in ["7,8", " 7, 8 ", "7 8", "7 , 8", "+7,8"] {
            assert_eq!(position.parse(text), Ok(at(7, 8)), "{text}");
        }
        for text in ["", "7", "7,", "7,8,9", "a,b", "7;8", "7.0,8", "99999999999999999999,0"] {
            assert!(position.parse(text).unwrap_err().contains("is not X,Y"), "{text}");
        }
        for text in ["15,3", "3,15", "-1,3", "3,255", "256,3", "9223372036854775807,0"] {
            assert!(position.parse(text).unwrap_err().contains("0 to 14"), "{text}");
        }
    }

    #[test]
    fn a_finished_game_has_no_next_move() {
        let mut position = Position::new(15).unwrap();
        for x in 0..5 {
            position.place(at(x, 0), Side::Opponent).unwrap();
            if x < 4 {
                position.place(at(x, 2), Side::Own).unwrap();
            }
        }
        let refused = |position: &Position| over(position, position.history(Rule::Standard).unwrap().state());
        assert!(refused(&position).unwrap_err().contains("the opponent has a winning row"));
        position.take_back(at(4, 0)).unwrap();
        assert!(refused(&position).is_ok());
    }
}
