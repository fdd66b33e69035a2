//! What a stone makes: one line for each kind of pattern, drawn by the library itself.
//! ```text
//! cargo run -p lines --example patterns
//! ```
//! `docs/gomoku.md` has the output, and a test compares them.

use std::error::Error;

use gamecore::Player;
use lines::{Board, Direction, Goal, Made, Patterns, Point};

/// A row of fifteen points, `X` and `O` being stones of One and Two: what a stone of One on `*` makes.
const LINES: [&str; 15] = [
    ". . . . X X X X * . . . . . .",
    ". . . X X X * X X . . . . . .",
    ". . . . . X X X * . . . . . .",
    ". . . X . X X X * . . . . . .",
    ". . . X X . X * . . . . . . .",
    ". . . O X X X * . . . . . . .",
    ". . . X X . X * . O . . . . .",
    ". . . . . X X * . . . . . . .",
    ". . . . X . X * . . . . . . .",
    ". . . O X X * . . . . . . . .",
    ". . O . X X * . O . . . . . .",
    ". . . . . X * . . . . . . . .",
    ". . . O X * . . . . . . . . .",
    ". . . . . . . * . . . . . . .",
    ". . . . O * . . O . . . . . .",
];

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", table()?);
    Ok(())
}

/// For freestyle and standard rules what a stone on the `*` of each line makes; and where, in freestyle, one more stone then makes a
/// five (`5`) or an open four (`4`).
pub(crate) fn table() -> Result<String, Box<dyn Error>> {
    let mut out = format!("{:<31}{:<12}{:<12}then\n", "", "freestyle", "standard");
    for line in LINES {
        let (board, at) = read(line)?;
        let [freestyle, standard] = [Goal::FIVE_OR_MORE, Goal::EXACTLY_FIVE].map(|goal| {
            let made = Patterns::new(&board, [goal; 2]).made(at, Direction::East, Player::One);
            name(made)
        });
        let mut next = board;
        next.place(at, Player::One);
        let then = Patterns::new(&next, [Goal::FIVE_OR_MORE; 2]);
        let marks: String = (0..SIZE)
            .map(|x| {
                let point = Point::new(x, MIDDLE).unwrap_or(at);
                let mark = match then.made(point, Direction::East, Player::One) {
                    Made::Five => '5',
                    Made::OpenFour => '4',
                    _ => next.stone(point).map_or('.', |player| if player == Player::One { 'X' } else { 'O' }),
                };
                format!(" {mark}")
            })
            .collect();
        out += &format!("{line}  {freestyle:<12}{standard:<12}{}\n", marks.trim_start());
    }
    Ok(out)
}

const SIZE: u8 = 15;
const MIDDLE: u8 = 7;

/// The stones in the middle row of a board, and the point marked.
fn read(line: &str) -> Result<(Board, Point), Box<dyn Error>> {
    let (mut board, mut at) = (Board::new(SIZE).ok_or("no board")?, None);
    for (x, word) in (0..).zip(line.split(' ')) {
        let point = Point::new(x, MIDDLE).ok_or("too long")?;
        match word {
            "X" => board.place(point, Player::One),
            "O" => board.place(point, Player::Two),
            "*" => at = Some(point),
            _ => {}
        }
    }
    Ok((board, at.ok_or("no point is marked")?))
}

fn name(made: Made) -> &'static str {
    match made {
        Made::Nothing => "nothing",
        Made::One => "one",
        Made::OpenOne => "open one",
        Made::Two => "two",
        Made::OpenTwo => "open two",
        Made::Three => "three",
        Made::OpenThree => "open three",
        Made::Four => "four",
        Made::OpenFour => "open four",
        Made::Five => "five",
    }
}
