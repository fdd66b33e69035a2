//! A board's stones as text, row by row.

use gamecore::Player;
use gamecore::text::quoted;

use crate::board::Board;
use crate::point::{LARGEST, Point};

/// Why a text is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowsError {
    /// Too few rows, or too many.
    #[error("a board has {smallest} to {LARGEST} rows and columns, not {rows}")]
    Size {
        /// Rows that there are; of too many, one more than the most.
        rows: usize,
        /// The fewest that are accepted.
        smallest: u8,
    },
    /// Something else than stones, empty points and numbers.
    #[error("\"{found}\" stands in the row \"{row}\"")]
    Character {
        /// The character.
        found: String,
        /// Where it stands.
        row: String,
    },
    /// A row of another length than there are rows.
    #[error("the row \"{row}\" has {points} points, on a board of {size} rows it has {size}")]
    Columns {
        /// The row.
        row: String,
        /// How many points it has, as far as they were counted.
        points: u8,
        /// How many it should have.
        size: u8,
    },
}

impl Board {
    /// The rows from the top with `/` between them, `x` and `o` for the stones of One and Two, a number for so many empty
    /// points: `15/15/7x7/...`.
    #[must_use]
    pub fn rows_text(&self) -> String {
        let mut out = String::new();
        let mut empty = 0;
        let flush = |out: &mut String, empty: &mut u32| {
            if *empty > 0 {
                out.push_str(&empty.to_string());
            }
            *empty = 0;
        };
        for point in self.points() {
            if point.x() == 0 && point.y() > 0 {
                flush(&mut out, &mut empty);
                out.push('/');
            }
            match self.stone(point) {
                None => empty += 1,
                Some(player) => {
                    flush(&mut out, &mut empty);
                    out.push(if player == Player::One { 'x' } else { 'o' });
                }
            }
        }
        flush(&mut out, &mut empty);
        out
    }
}

/// Reads what [`Board::rows_text`] writes; stones in either case, `.` and `-` for one empty point each. The rows may also be one
/// word without `/`, if it has a character for each point. Returns how many rows there are, and the stones, row by row.
///
/// # Errors
/// If there are fewer rows than `smallest`, or more than [`LARGEST`]; if a row is of another length, or has something else in it.
pub fn parse_rows(text: &str, smallest: u8) -> Result<(u8, Vec<(Point, Player)>), RowsError> {
    // Without separators: as many characters as points.
    let whole_size = (smallest..=LARGEST).find(|&n| usize::from(n) * usize::from(n) == text.len());
    let rows: Vec<&str> = match whole_size {
        Some(n) if text.is_ascii() && !text.contains('/') => {
            (0..n.into()).map(|y| &text[y * usize::from(n)..][..n.into()]).collect()
        }
        _ => text.split('/').take(usize::from(LARGEST) + 1).collect(),
    };
    let size = u8::try_from(rows.len()).ok().filter(|n| (smallest..=LARGEST).contains(n));
    let size = size.ok_or(RowsError::Size { rows: rows.len(), smallest })?;
    let mut stones = Vec::new();
    for (y, row) in (0..).zip(rows) {
        let mut x = 0u8;
        let mut digits = 0u8;
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                digits = digits.saturating_mul(10).saturating_add(digit as u8);
                continue;
            }
            x = x.saturating_add(digits);
            digits = 0;
            let player = match c {
                'x' | 'X' => Some(Player::One),
                'o' | 'O' => Some(Player::Two),
                '.' | '-' => None,
                _ => return Err(RowsError::Character { found: quoted(&c.to_string()), row: quoted(row) }),
            };
            if let (Some(player), Some(point)) = (player, Point::new(x, y)) {
                stones.push((point, player));
            }
            x = x.saturating_add(1);
        }
        x = x.saturating_add(digits);
        if x != size {
            return Err(RowsError::Columns { row: quoted(row), points: x, size });
        }
    }
    Ok((size, stones))
}
