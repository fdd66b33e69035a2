use arrayvec::ArrayVec;

use crate::{Draw, Game, Ink, Never, Outcome, Picture, Player, Step, StepOf, Symmetry, Text, TextError, TextKind, Turn};

/// Three in a row on 3x3. One's mark is `x`, Two's is `o`.
///
/// As text: `x.x.oo..x o`, the squares row by row from the top, then the mark to be set next. Moves are squares from `a1`
/// (top left) to `c3`: the letter names the column, the number the row.
///
/// # Examples
/// ```
/// use gamecore::{Game, Text, Turn, Player, testing::toys::TicTacToe};
///
/// let game = TicTacToe::parse_position("xx. oo. ... x")?;
/// let game = game.after(game.parse_move("c1")?);
/// assert_eq!(game.position_text(), "xxxoo.... o");
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TicTacToe {
    /// Bit by square.
    marks: [u16; 2],
    mover: Player,
}

const ROWS: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const MARKS: [char; 2] = ['x', 'o'];
const FORM: &str = "a position is nine of \"x\", \"o\" and \".\", then the mark to be set next: \"x.x.oo..x o\"";

impl Default for TicTacToe {
    /// The empty board; One begins.
    fn default() -> Self {
        Self { marks: [0; 2], mover: Player::One }
    }
}

impl TicTacToe {
    /// A board such as `x.x.oo..x`, row by row from the top, with any number of marks. White space is skipped.
    ///
    /// # Errors
    /// If there are other than nine squares of `x`, `o` and `.`, or if both have three in a row.
    pub fn from_rows(rows: &str, mover: Player) -> Result<Self, TextError> {
        let mut marks = [0; 2];
        let mut squares = 0;
        for c in rows.chars().filter(|c| !c.is_whitespace()) {
            if squares == 9 || !"xo.".contains(c) {
                return Err(TextError::unreadable(TextKind::Position, rows, FORM));
            }
            if let Some(player) = Player::BOTH.into_iter().find(|&p| MARKS[p] == c) {
                marks[player] |= 1 << squares;
            }
            squares += 1;
        }
        let game = Self { marks, mover };
        if squares < 9 {
            Err(TextError::unreadable(TextKind::Position, rows, FORM))
        } else if Player::BOTH.into_iter().all(|p| game.has_row(p)) {
            Err(TextError::forbidden(TextKind::Position, rows, "both have three in a row"))
        } else {
            Ok(game)
        }
    }

    /// Whose mark is on a square (0 to 8, row by row).
    #[must_use]
    pub fn mark(self, square: u8) -> Option<Player> {
        Player::BOTH.into_iter().find(|&p| self.marks[p] >> square & 1 == 1)
    }

    fn has_row(self, player: Player) -> bool {
        ROWS.iter().any(|row| self.marks[player] & row == *row)
    }

    fn letter(self, square: u8) -> char {
        self.mark(square).map_or('.', |p| MARKS[p])
    }
}

impl Game for TicTacToe {
    type Move = u8;
    type Moves = ArrayVec<u8, 9>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        match Player::BOTH.into_iter().find(|&p| self.has_row(p)) {
            Some(winner) => Turn::Over(Outcome::win(winner)),
            None if self.marks[0] | self.marks[1] == 0o777 => Turn::Over(Outcome::Draw),
            None => Turn::Decide(self.mover),
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        out.extend((0..9).filter(|&square| self.mark(square).is_none()));
    }

    fn play(&mut self, square: u8) {
        self.marks[self.mover] |= 1 << square;
        self.mover = self.mover.other();
    }

    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

impl Text for TicTacToe {
    const NAME: &'static str = "tictactoe";

    fn position_text(&self) -> String {
        (0..9).map(|square| self.letter(square)).chain([' ', MARKS[self.mover]]).collect()
    }

    fn parse_position(text: &str) -> Result<Self, TextError> {
        let read = text.trim_end().rsplit_once(char::is_whitespace).and_then(|(rows, mark)| {
            let mover = Player::BOTH.into_iter().find(|&p| MARKS[p].to_string() == mark)?;
            Some((rows, mover))
        });
        let (rows, mover) = read.ok_or_else(|| TextError::unreadable(TextKind::Position, text, FORM))?;
        Self::from_rows(rows, mover)
    }

    fn move_text(&self, square: u8) -> String {
        format!("{}{}", ["a", "b", "c"][usize::from(square % 3)], square / 3 + 1)
    }

    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        let square = (0..9).find(|&square| self.move_text(square) == text);
        let square = square.ok_or_else(|| TextError::unreadable(TextKind::Move, text, "squares are a1 to c3"))?;
        if matches!(self.turn(), Turn::Over(_)) {
            Err(TextError::forbidden(TextKind::Move, text, "the game is over"))
        } else if self.mark(square).is_some() {
            Err(TextError::forbidden(TextKind::Move, text, "the square is taken"))
        } else {
            Ok(square)
        }
    }

    fn event_text(&self, event: Never) -> String {
        match event {}
    }

    fn parse_event(&self, text: &str) -> Result<Never, TextError> {
        Err(TextError::forbidden(TextKind::Event, text, "nothing is rolled in this game"))
    }
}

/// The eight symmetries of the square: bit 0 exchanges left and right, bit 1 top and bottom, and then bit 2 columns and
/// rows.
impl Symmetry for TicTacToe {
    type Sym = u8;

    fn symmetries(&self) -> &'static [u8] {
        &[0, 1, 2, 3, 4, 5, 6, 7]
    }

    fn inverse(&self, sym: u8) -> u8 {
        if sym & 4 == 0 { sym } else { 4 | (sym & 1) << 1 | sym >> 1 & 1 }
    }

    fn swaps_seats(&self, _: u8) -> bool {
        false
    }

    fn transformed(&self, sym: u8) -> Self {
        let map = |marks: u16| (0..9).filter(|s| marks >> s & 1 == 1).fold(0, |all, s| all | 1 << self.map_move(s, sym));
        Self { marks: self.marks.map(map), mover: self.mover }
    }

    fn map_move(&self, square: u8, sym: u8) -> u8 {
        let (mut x, mut y) = (square % 3, square / 3);
        if sym & 1 != 0 {
            x = 2 - x;
        }
        if sym & 2 != 0 {
            y = 2 - y;
        }
        if sym & 4 != 0 { x * 3 + y } else { y * 3 + x }
    }

    fn map_event(&self, event: Never, _: u8) -> Never {
        match event {}
    }
}

impl Draw for TicTacToe {
    fn rules_text(&self) -> String {
        "One sets x, Two sets o, in turn, on an empty square.\nThree in a row wins; a full board without is a draw.".into()
    }

    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        let mut picture = Picture::default();
        picture.put("  a b c", Ink::Board, false);
        for y in 0..3 {
            picture.line();
            picture.put((y + 1).to_string(), Ink::Board, false);
            for square in 3 * y..3 * y + 3 {
                let ink = match self.mark(square) {
                    None => Ink::Board,
                    Some(Player::One) => Ink::One,
                    Some(Player::Two) => Ink::Two,
                };
                picture.put(" ", Ink::Board, false);
                picture.put(self.letter(square), ink, last == Some(Step::Move(square)));
            }
        }
        picture
    }
}
