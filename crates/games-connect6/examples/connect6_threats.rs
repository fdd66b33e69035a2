//! Threats and how they are stopped, drawn by the library itself:
//! ```text
//! cargo run -p games-connect6 --example connect6_threats
//! ```
//! `docs/connect6.md` has the output, and a test compares them.

use std::error::Error;

use gamecore::{Game, Player};
use games_connect6::{Connect6, Forced, Threats, Vcdt, letters, turn_text};

/// Rows of X on a board of eleven, Two to move: their names.
const BOARDS: [(&str, &str); 6] = [
    ("four, closed at one end", "11/11/11/11/11/oxxxx6/11/11/11/11/11 two 2"),
    ("four, open", "11/11/11/11/11/3xxxx4/11/11/11/11/11 two 2"),
    ("four with gaps", "11/11/11/11/11/1x1xx1x4/11/11/11/11/11 two 2"),
    ("five, open", "11/11/11/11/11/3xxxxx3/11/11/11/11/11 two 2"),
    ("two fours, each closed", "11/11/11/11/11/oxxxx6/11/oxxxx6/11/11/11 two 2"),
    ("two fours, one open", "11/11/11/11/11/3xxxx4/11/oxxxx6/11/11/11 two 2"),
];

/// A forced win of One's: two open rows of three that cross.
const WIN: &str = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19 one 2";

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}\n{}", threats()?, forced()?);
    Ok(())
}

/// A row of each board, with what a turn of X's could complete, and what stops it.
pub(crate) fn threats() -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    for (name, text) in BOARDS {
        let game: Connect6 = text.parse()?;
        let threats = Threats::of(&game.windows(), Player::One);
        let kind = ["none", "single", "double", "triple"][usize::from(threats.level())];
        let (points, pairs) = (threats.blocking_points(), threats.blocking_pairs());
        let stops = match (points.len(), pairs.len()) {
            (0, 0) => "nothing".into(),
            (0, n) => format!("{n} pair{}: {}", if n == 1 { "" } else { "s" }, list(pairs.iter().map(|pair| turn_text(pair)))),
            _ => list(points.into_iter().map(letters)),
        };
        let picture = game.picture_with_threats(&[]).to_string();
        // The rows with stones, without the letters beside them.
        for row in picture.lines().skip(1).take(11).filter(|row| row.contains('X')) {
            out += &format!("{}\n", row[3..25].trim_end());
        }
        out += &format!("  {name}: {kind}, stopped by {stops}\n\n");
    }
    Ok(out)
}

fn list(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" ")
}

/// A win by double threats, turn by turn.
pub(crate) fn forced() -> Result<String, Box<dyn Error>> {
    let game: Connect6 = WIN.parse()?;
    let Forced::Win(line) = Vcdt::default().win(&game.windows(), game.mover(), game.left()) else {
        return Err("there is no win".into());
    };
    let (mut now, mut turn, mut out) = (game, Vec::new(), String::new());
    for m in line {
        let player = now.mover();
        now.play(m);
        turn.push(m);
        if now.outcome().is_some() || now.mover() != player {
            let level = Threats::of(&now.windows(), player).level();
            let then = match (now.outcome().is_some(), player) {
                (true, _) => "six".into(),
                (false, Player::One) => format!("threatens {}", ["nothing", "once", "twice", "three times"][usize::from(level)]),
                (false, Player::Two) => "stops what it can".into(),
            };
            out += &format!("{} {:<5} {then}\n", if player == Player::One { "X" } else { "O" }, turn_text(&turn));
            turn.clear();
        }
    }
    Ok(out)
}
