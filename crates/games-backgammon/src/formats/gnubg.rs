//! GNU Backgammon's Position ID and Match ID.
//!
//! The Position ID (14 letters) is 80 bits in base 64: for the opponent's side and then for the side on roll, for each
//! point from its ace point and then for the bar, as many ones as there are checkers and a zero. Unused bits are zero.
//!
//! The Match ID (12 letters) is 67 bits, the lowest first:
//!
//! | bits | |
//! | --- | --- |
//! | 0-3 | the cube, as a power of two |
//! | 4-5 | its owner: player 0, player 1, or 3 if centred |
//! | 6 | who is on roll |
//! | 7 | whether it is the Crawford game |
//! | 8-10 | none (0), playing (1), over (2), resigned (3), ended by a pass of a double (4) |
//! | 11 | whose turn it is to decide; another than who is on roll after a double |
//! | 12, 13-14 | whether a double is offered; a resignation |
//! | 15-17, 18-20 | the dice, 0 if they are to be rolled |
//! | 21-35 | the match's length, 0 for money |
//! | 36-50, 51-65 | the score of player 0, of player 1 |
//! | 66 | one if the Jacoby rule is off |
//!
//! # Examples
//! ```
//! use games_backgammon::{Backgammon, Setup, formats::gnubg};
//! use gamecore::Player;
//!
//! let game = gnubg::parse("4HPwATDgc/ABMA:cAkAAAAAAAAE")?;
//! assert_eq!(game.mover(), Player::One);
//! assert_eq!(gnubg::position_id(&game), "4HPwATDgc/ABMA");
//! # Ok::<(), games_backgammon::formats::FormatError>(())
//! ```
//! Source: the manual of GNU Backgammon, "A technical description of the Position ID" and "of the Match ID"; the Jacoby
//! bit from the identifiers that version 1.07 writes.

use gamecore::{Player, Roll};

use super::{FormatError, fill_off};
use crate::side::{BAR, PLACES};
use crate::stakes::{Cube, HIGHEST_CUBE, Stakes};
use crate::state::Backgammon;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const POSITION: &str = "a position id: 14 letters, digits, + and /, such as 4HPwATDgc/ABMA";
const MATCH: &str = "a match id: 12 letters, digits, + and /, such as cAkAAAAAAAAE";
/// Places that the Position ID tells of.
const IN_PLAY: usize = BAR as usize + 1;

/// The Position ID of the checkers, seen by who is on roll.
///
/// It counts at most 15 checkers a side. Borne off ones are not told: a side with fewer than 15 in all, as in
/// hypergammon, reads back with more off.
#[must_use]
pub fn position_id(game: &Backgammon) -> String {
    let mover = game.mover();
    let (mut bits, mut at) = (0u128, 0);
    for seat in [mover.other(), mover] {
        for &count in &game.board(seat)[..IN_PLAY] {
            bits |= ((1 << count) - 1) << at;
            at += u32::from(count) + 1;
        }
    }
    encode(bits, 14)
}

/// Reads a Position ID; `mover` is on roll, its dice to be rolled, for money. Checkers that are missing are off.
///
/// # Errors
/// If it is none, or the rules exclude the position.
pub fn parse_position_id(text: &str, mover: Player) -> Result<Backgammon, FormatError> {
    let bits = decode(text, 14, 80).ok_or_else(|| FormatError::shape(text, POSITION))?;
    let mut boards = [[0u8; PLACES]; 2];
    let mut rest = bits;
    for seat in [mover.other(), mover] {
        for place in &mut boards[seat][..IN_PLAY] {
            let count = rest.trailing_ones();
            *place = count as u8;
            rest = rest.checked_shr(count + 1).unwrap_or(0);
        }
        fill_off(&mut boards[seat]);
    }
    if rest != 0 {
        return Err(FormatError::shape(text, POSITION));
    }
    Ok(Backgammon::from_board(boards, mover, None)?)
}

/// The Match ID: seat to move, dice, match and cube. [`Player::One`] is player 1, [`Player::Two`] player 0.
#[must_use]
pub fn match_id(game: &Backgammon) -> String {
    let stakes = game.stakes();
    let (mut bits, mut at) = (0u128, 0);
    let mut put = |width: u32, value: u128| {
        bits |= value << at;
        at += width;
    };
    put(4, stakes.cube_log2().into());
    put(
        2,
        match stakes.owner() {
            Cube::Centred => 3,
            Cube::Owned(seat) => number_of(seat),
        },
    );
    put(1, number_of(game.mover()));
    put(1, stakes.is_crawford().into());
    put(3, if game.outcome().is_some() { 2 } else { 1 });
    put(1, number_of(game.mover()));
    put(3, 0);
    let (high, low) = game.dice().map_or((0, 0), |roll| (roll.high(), roll.low()));
    put(3, high.into());
    put(3, low.into());
    put(15, stakes.length().unwrap_or(0).into());
    let [one, two] = stakes.score();
    put(15, two.into());
    put(15, one.into());
    put(1, (!stakes.is_jacoby()).into());
    encode(bits, 12)
}

/// Position ID and Match ID with a colon between them.
#[must_use]
pub fn text(game: &Backgammon) -> String {
    format!("{}:{}", position_id(game), match_id(game))
}

/// Reads a Position ID and a Match ID with a colon between them; a Position ID alone is Player One's, to roll, for money.
///
/// # Errors
/// If it is none, or the rules exclude the position, or a double or a resignation waits for an answer.
pub fn parse(text: &str) -> Result<Backgammon, FormatError> {
    let text = text.trim();
    let Some((position, id)) = text.split_once(':') else { return parse_position_id(text, Player::One) };
    let mut bits = decode(id, 12, 67).ok_or_else(|| FormatError::shape(id, MATCH))?;
    let mut take = |width: u32| {
        let value = bits & ((1 << width) - 1);
        bits >>= width;
        value as u16
    };
    let (cube, owner, on_roll, crawford) = (take(4) as u8, take(2), take(1), take(1) != 0);
    let (phase, turn, doubled, resigned) = (take(3), take(1), take(1) != 0, take(2));
    let (die, other) = (take(3) as u8, take(3) as u8);
    let (length, two, one, no_jacoby) = (take(15), take(15), take(15), take(1) != 0);
    match phase {
        1 | 2 => {}
        0 => return Err(FormatError::Waiting("no game has begun")),
        _ => return Err(FormatError::Waiting("the game was given up")),
    }
    if doubled || turn != on_roll {
        return Err(FormatError::Waiting("a double is offered"));
    }
    if resigned != 0 {
        return Err(FormatError::Waiting("a resignation is offered"));
    }
    let seat = |number| if number == 1 { Player::One } else { Player::Two };
    let dice = match (die, other) {
        (0, 0) => None,
        (1..=6, 1..=6) => Some(Roll::new(die, other)),
        _ => return Err(FormatError::shape(id, MATCH)),
    };
    let owner = match owner {
        3 => Cube::Centred,
        0 | 1 => Cube::Owned(seat(owner)),
        _ => return Err(FormatError::shape(id, MATCH)),
    };
    let mut stakes = if length == 0 { Stakes::MONEY.with_score([one, two])? } else { Stakes::match_of(length, [one, two])? };
    stakes = stakes.with_cube(cube.min(HIGHEST_CUBE + 1), owner)?;
    // A match to one point has no Crawford game; GNU Backgammon reads over the bit too.
    if crawford && length != 1 {
        stakes = stakes.with_crawford()?;
    }
    if length == 0 && !no_jacoby {
        stakes = stakes.with_jacoby()?;
    }
    let game = parse_position_id(position, seat(on_roll))?;
    Ok(game.with_dice(dice)?.with_stakes(stakes))
}

/// GNU Backgammon's number of a player.
fn number_of(seat: Player) -> u128 {
    match seat {
        Player::One => 1,
        Player::Two => 0,
    }
}

/// Bits as bytes, the lowest first, in base 64 without filling.
fn encode(bits: u128, letters: usize) -> String {
    let bytes = bits.to_le_bytes();
    // Six bits at a time, the highest of each byte first.
    let bit = |i: usize| bytes[i / 8] >> (7 - i % 8) & 1;
    let letter = |i: usize| (6 * i..6 * i + 6).fold(0, |value, i| value << 1 | bit(i));
    (0..letters).map(|i| char::from(LETTERS[usize::from(letter(i))])).collect()
}

/// The `width` bits that so many letters stand for; none if there are more, or another letter.
fn decode(text: &str, letters: usize, width: u32) -> Option<u128> {
    let text = text.trim();
    if text.len() != letters {
        return None;
    }
    let mut bytes = [0u8; 16];
    for (i, letter) in text.bytes().enumerate() {
        let value = LETTERS.iter().position(|&l| l == letter)? as u8;
        for k in 0..6 {
            let bit = 6 * i + k;
            bytes[bit / 8] |= (value >> (5 - k) & 1) << (7 - bit % 8);
        }
    }
    let bits = u128::from_le_bytes(bytes);
    (bits >> width == 0).then_some(bits)
}
