//! The board string of FIBS, the First Internet Backgammon Server, which GNU Backgammon's external players speak too.
//!
//! 53 fields with colons between them: `board`, the player's name, the opponent's; the match's length (9999 or 0:
//! without end), the two scores; 26 places from 0 to 25; whose turn it is; the player's two dice, the opponent's; the
//! cube; whether the player may double, the opponent may; whether a double is offered; the player's colour; its
//! direction; where its home and its bar are (0 or 25); checkers off of both, on the bar of both; checkers that can
//! move; one of no use here; whether the Crawford game has been played; and one that is read over: GNU Backgammon has 0
//! there in the Crawford game and 1 otherwise, and so it is written.
//!
//! **The Crawford game** is the one in which a side is a point away and the Crawford game has not been played. Both may
//! double in it by what is written, as in a match to one point, and as GNU Backgammon has it: if neither may, it takes a double as
//! offered.
//!
//! **Signs.** A player's checkers have the sign of its colour, and so has its turn. A program that takes the positive
//! checkers for those of who is on roll plays the wrong side in half of all boards; GNU Backgammon sends its boards with
//! turn -1 and colour 1, so that the *negative* checkers are on roll.
//!
//! [`Player::One`] is "the player", whose name comes first.
//!
//! # Examples
//! ```
//! use games_backgammon::{Backgammon, formats::fibs};
//! use gamecore::Player;
//!
//! let text = "board:You:someplayer:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
//!             1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
//! let board = fibs::parse(text)?;
//! assert_eq!(board.names[1], "someplayer");
//! assert_eq!(board.game.to_string(), "00000503000050000000000200/00000503000050000000000200 one 62 3:0-1 1");
//! # Ok::<(), games_backgammon::formats::FormatError>(())
//! ```
//! Source: the FIBS Client Protocol Detailed Specification, "Board State".

use gamecore::{Game, Player, Roll, Turn};

use super::{FormatError, number};
use crate::moves::Move;
use crate::side::{BAR, OFF, PLACES};
use crate::stakes::{Cube, Stakes};
use crate::state::Backgammon;

/// The length that stands for a match without end.
const UNLIMITED: i32 = 9999;
const SHAPE: &str = "a board of FIBS: board, two names, and 50 numbers, with colons between them";

/// A board with the players' names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The position; "the player" is Player One.
    pub game: Backgammon,
    /// The players' names, Player One's first; without colons and white space.
    pub names: [String; 2],
}

/// The position as a board string, from Player One's side: colour 1, going from its 24-point to its 1-point.
///
/// Colons and white space in names become underscores. The Jacoby rule is left out.
#[must_use]
pub fn text(board: &Board) -> String {
    let game = &board.game;
    let (one, two) = (game.board(Player::One), game.board(Player::Two));
    let mut out = String::from("board");
    for name in &board.names {
        let name: String = name.chars().map(|c| if c == ':' || c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
        out = out + ":" + if name.is_empty() { "_" } else { &name };
    }
    let mut put = |n: i32| out += &format!(":{n}");
    let stakes = game.stakes();
    put(stakes.length().map_or(UNLIMITED, i32::from));
    stakes.score().into_iter().for_each(|points| put(points.into()));
    for i in 0..PLACES {
        let own = if i == 0 { 0 } else { i32::from(one[i - 1]) };
        let other = if i == 25 { 0 } else { i32::from(two[24 - i]) };
        put(own - other);
    }
    put(match game.turn() {
        Turn::Over(_) => 0,
        _ if game.mover() == Player::One => 1,
        _ => -1,
    });
    for seat in Player::BOTH {
        let roll = game.dice().filter(|_| game.mover() == seat);
        let (high, low) = roll.map_or((0, 0), |roll| (roll.high(), roll.low()));
        put(high.into());
        put(low.into());
    }
    put(stakes.cube() as i32);
    Player::BOTH.into_iter().for_each(|seat| put(stakes.cube_is_open_to(seat).into()));
    [0, 1, -1, 0, 25].into_iter().for_each(&mut put);
    Player::BOTH.into_iter().for_each(|seat| put(game.borne_off(seat).into()));
    Player::BOTH.into_iter().for_each(|seat| put(game.on_bar(seat).into()));
    put(movable(game));
    let lead = stakes.length().is_some_and(|length| stakes.score().contains(&(length - 1)));
    [0, i32::from(lead && !stakes.is_crawford()), i32::from(!stakes.is_crawford())].into_iter().for_each(&mut put);
    out
}

/// How many dice the mover can play.
fn movable(game: &Backgammon) -> i32 {
    if game.dice().is_none() {
        return 0;
    }
    let mut list = <Backgammon as Game>::Moves::default();
    game.moves(&mut list);
    list.first().map_or(0, |m: &Move| m.len() as i32)
}

/// Reads a board string.
///
/// # Errors
/// If it is none, or the rules exclude the position, or a double waits for an answer.
pub fn parse(text: &str) -> Result<Board, FormatError> {
    let fields: Vec<&str> = text.trim().split(':').collect();
    if fields.len() != 53 || fields[0] != "board" {
        return Err(FormatError::shape(text, SHAPE));
    }
    let names = [fields[1], fields[2]].map(String::from);
    let field = |i: usize| number(fields[i], -99_999..=99_999, SHAPE);
    let bounded = |i: usize, low: i32, high: i32, what| number(fields[i], low..=high, what);
    let sign = |i: usize, what| match number(fields[i], -1..=1, what)? {
        0 => Err(FormatError::shape("0", what)),
        sign => Ok(sign),
    };
    let (colour, direction) = (sign(41, "a colour: 1 or -1")?, sign(42, "a direction: 1 or -1")?);
    let mut boards = [[0u8; PLACES]; 2];
    for i in 0..PLACES {
        let count = bounded(6 + i, -15, 15, "checkers on a place: -15 to 15")? * colour;
        // The player's point, counted towards its home; its bar is 25, the opponent's 0.
        let point = if direction < 0 { i } else { 25 - i };
        match (count.signum(), point) {
            (1, 1..) => boards[0][point - 1] = count as u8,
            (-1, ..=24) => boards[1][BAR as usize - point] = -count as u8,
            (0, _) => {}
            _ => return Err(FormatError::shape(fields[6 + i], "a bar's checkers: of the other player")),
        }
    }
    for seat in Player::BOTH {
        boards[seat][OFF as usize] = bounded(45 + seat.index(), 0, 15, "checkers off: 0 to 15")? as u8;
        // Some programs tell the bar's checkers here only.
        let bar = bounded(47 + seat.index(), 0, 15, "checkers on the bar: 0 to 15")? as u8;
        let told = &mut boards[seat][BAR as usize];
        if *told == 0 {
            *told = bar;
        }
    }
    let turn = bounded(32, -1, 1, "whose turn it is: 1, -1, or 0")?;
    let mover = if turn == -colour { Player::Two } else { Player::One };
    let mut dice = None;
    for seat in [mover, mover.other()] {
        let first = 33 + 2 * seat.index();
        let faces = (bounded(first, 0, 6, "a die: 0 to 6")?, bounded(first + 1, 0, 6, "a die: 0 to 6")?);
        if dice.is_none() && faces.0 > 0 && faces.1 > 0 && turn != 0 {
            dice = Some(Roll::new(faces.0 as u8, faces.1 as u8));
        }
    }
    if field(40)? != 0 {
        return Err(FormatError::Waiting("a double is offered"));
    }
    let cube = number(fields[37], 1..=4096, "the cube: 1, 2, 4, ...")?;
    if cube & (cube - 1) != 0 {
        return Err(FormatError::shape(fields[37], "the cube: 1, 2, 4, ..."));
    }
    let (may, other_may) = (field(38)? != 0, field(39)? != 0);
    let log2 = cube.ilog2() as u8;
    let owner = match (may, other_may) {
        (true, false) if log2 > 0 => Cube::Owned(Player::One),
        (false, true) if log2 > 0 => Cube::Owned(Player::Two),
        _ => Cube::Centred,
    };
    let score = [bounded(4, 0, 32_767, "a score")? as u16, bounded(5, 0, 32_767, "a score")? as u16];
    let stakes = match bounded(3, 0, UNLIMITED, "the match's length")? {
        0 | UNLIMITED => Stakes::MONEY.with_score(score)?,
        length => Stakes::match_of(length as u16, score)?,
    };
    let mut stakes = stakes.with_cube(log2, owner)?;
    if field(51)? == 0 {
        // A side is a point away, and the Crawford game has not been: it is this one, whoever is said to double.
        stakes = stakes.with_crawford().unwrap_or(stakes);
    }
    let game = Backgammon::from_board(boards, mover, None)?;
    let dice = dice.filter(|_| game.outcome().is_none());
    Ok(Board { game: game.with_dice(dice)?.with_stakes(stakes), names })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards that GNU Backgammon 1.07 writes in a Crawford game and after one.
    #[test]
    fn the_crawford_game_is_known_by_its_score() {
        let checkers = "-2:0:1:0:0:5:1:1:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
        for (rest, stakes) in [("0:0:0:0", "4:0-3+crawford"), ("0:0:1:1", "4:0-3")] {
            let text = format!("board:root:gnubg:4:0:3:0:{checkers}:-1:5:2:5:2:1:1:1:0:1:-1:0:25:0:0:0:0:{rest}");
            let board = parse(&text).unwrap();
            let position = format!("00100511000050000000000200/00000503000050000000000200 two 52 {stakes} 1");
            assert_eq!(board.game.to_string(), position);
            // Neither may double: to GNU Backgammon that is a double that waits for its answer.
            let written = self::text(&board);
            assert!(written.contains(":1:1:1:0:1:-1:0:25:") && written.ends_with(&rest[3..]), "{written}");
            assert_eq!(parse(&written), Ok(board));
        }
        let away =
            "board:a:b:4:0:2:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:5:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
        assert!(!parse(away).unwrap().game.stakes().is_crawford());
    }
}
