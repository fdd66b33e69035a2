//! The position identifier of eXtreme Gammon.
//!
//! `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10`. First 26 places as the player at the bottom sees them: the
//! top player's bar, the bottom player's points 1 to 24, its bar; `A` to `O` are 1 to 15 checkers of the bottom player,
//! `a` to `o` of the top one, `-` is empty. Then, with colons between them: the cube as a power of two; its owner (1
//! the bottom player, -1 the top one, 0 centred); who is on roll (1 or -1); the dice (`00` before the roll); the bottom
//! player's score, the top player's; in a match whether it is the Crawford game, for money 1 for the Jacoby rule plus 2
//! for beavers; the match's length, 0 for money; the highest cube allowed as a power of two.
//!
//! [`Player::One`] is the player at the bottom.
//!
//! # Examples
//! ```
//! use games_backgammon::{Backgammon, Setup, formats::xgid};
//!
//! let text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:0:0:7:10";
//! let game = xgid::parse(text)?;
//! assert_eq!(game.stakes().score(), [2, 0]);
//! assert_eq!(xgid::text(&game), text);
//! # Ok::<(), games_backgammon::formats::FormatError>(())
//! ```
//! Source: eXtreme Gammon's help page on XGID.

use gamecore::Player;

use super::{FormatError, fill_off, number};
use crate::side::{BAR, PLACES};
use crate::stakes::{Cube, HIGHEST_CUBE, Stakes};
use crate::state::Backgammon;

const SHAPE: &str = "an XGID, such as XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
/// What it begins with; it may be missing.
const HEAD: &str = "XGID=";

/// The position as an XGID.
#[must_use]
pub fn text(game: &Backgammon) -> String {
    let (one, two) = (game.board(Player::One), game.board(Player::Two));
    let letter = |first: u8, count: u8| char::from(first - 1 + count);
    let place = |i: usize| {
        // The bottom player's point i; the bars are 25 for it and 0 for the top player.
        let (own, other) = (if i == 0 { 0 } else { one[i - 1] }, if i == 25 { 0 } else { two[24 - i] });
        match (own, other) {
            (0, 0) => '-',
            (0, count) => letter(b'a', count),
            (count, _) => letter(b'A', count),
        }
    };
    let places: String = (0..PLACES).map(place).collect();
    let stakes = game.stakes();
    let sign = |seat| if seat == Player::One { 1 } else { -1 };
    let owner = match stakes.owner() {
        Cube::Centred => 0,
        Cube::Owned(seat) => sign(seat),
    };
    let dice = game.dice().map_or("00".into(), |roll| format!("{}{}", roll.high(), roll.low()));
    let [first, second] = stakes.score();
    let rules = u8::from(stakes.is_crawford() || stakes.is_jacoby());
    let length = stakes.length().unwrap_or(0);
    let highest = stakes.cube_log2().max(10);
    let (cube, turn) = (stakes.cube_log2(), sign(game.mover()));
    format!("{HEAD}{places}:{cube}:{owner}:{turn}:{dice}:{first}:{second}:{rules}:{length}:{highest}")
}

/// Reads an XGID, with or without `XGID=` before it. Beavers and the highest cube are read over.
///
/// # Errors
/// If it is none, or the rules exclude the position, or a double waits for an answer.
pub fn parse(text: &str) -> Result<Backgammon, FormatError> {
    let text = text.trim();
    let bare = match text.get(..HEAD.len()) {
        Some(head) if head.eq_ignore_ascii_case(HEAD) => &text[HEAD.len()..],
        _ => text,
    };
    let fields: Vec<&str> = bare.split(':').collect();
    let &[places, cube, owner, turn, dice, one, two, rules, length, highest] = fields.as_slice() else {
        return Err(FormatError::shape(text, SHAPE));
    };
    if places.len() != PLACES {
        return Err(FormatError::shape(places, "the 26 places of an XGID"));
    }
    let mut boards = [[0; PLACES]; 2];
    for (i, letter) in places.bytes().enumerate() {
        let (seat, count) = match letter {
            b'-' => continue,
            b'A'..=b'O' => (Player::One, letter - b'A' + 1),
            b'a'..=b'o' => (Player::Two, letter - b'a' + 1),
            _ => return Err(FormatError::shape(places, "the 26 places of an XGID: letters A to O, a to o, and -")),
        };
        // Nobody else can be on a bar.
        let place = match (seat, i) {
            (Player::One, 1..) => i - 1,
            (Player::Two, ..=24) => BAR as usize - i,
            _ => return Err(FormatError::shape(places, "the 26 places of an XGID: each player has a bar of its own")),
        };
        boards[seat][place] = count;
    }
    boards.iter_mut().for_each(fill_off);
    let seat = |sign: i32| if sign > 0 { Player::One } else { Player::Two };
    let turn = number(turn, -1..=1, "who is on roll: 1 or -1")?;
    if turn == 0 {
        return Err(FormatError::shape("0", "who is on roll: 1 or -1"));
    }
    let dice = match dice.to_ascii_uppercase().as_str() {
        "00" => None,
        "D" | "B" | "R" => return Err(FormatError::Waiting("a double is offered")),
        _ => Some(crate::text::parse_roll(dice).ok_or_else(|| FormatError::shape(dice, "dice: 00 or two of 1 to 6"))?),
    };
    let owner = match number(owner, -1..=1, "the cube's owner: 1, -1, or 0")? {
        0 => Cube::Centred,
        sign => Cube::Owned(seat(sign)),
    };
    let cube = number(cube, 0..=i32::from(HIGHEST_CUBE), "the cube as a power of two")? as u8;
    const SCORE: &str = "a score";
    let score = [number(one, 0..=32_767, SCORE)? as u16, number(two, 0..=32_767, SCORE)? as u16];
    let rules = number(rules, 0..=3, "the field of special rules: 0 to 3")?;
    number(highest, 0..=30, "the highest cube as a power of two")?;
    let mut stakes = match number(length, 0..=32_767, "the match's length")? {
        0 => Stakes::MONEY.with_score(score)?.with_cube(cube, owner)?,
        length => Stakes::match_of(length as u16, score)?.with_cube(cube, owner)?,
    };
    match (stakes.length(), rules) {
        (None, rules) if rules & 1 != 0 => stakes = stakes.with_jacoby()?,
        // A match to one point has no Crawford game; GNU Backgammon reads over the field too.
        (Some(2..), 1) => stakes = stakes.with_crawford()?,
        (Some(_), 2..) => return Err(FormatError::shape("2", "whether it is the crawford game: 0 or 1")),
        _ => {}
    }
    Ok(Backgammon::from_board(boards, seat(turn), dice)?.with_stakes(stakes))
}
