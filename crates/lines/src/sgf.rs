//! What game records of these games share, beside [`gamecore::sgf`]: the size of a board, and lists of points.

use crate::point::{LARGEST, Point};

/// Reads the value of `SZ`, columns and rows in one number or, as `15:15`, in two: `None` unless they are equal, at least
/// `smallest` and at most [`LARGEST`].
///
/// # Examples
/// ```
/// use lines::sgf::square;
///
/// assert_eq!(["15", "15:15", "15:16", "4", "x"].map(|word| square(word, 5)), [Some(15), Some(15), None, None, None]);
/// ```
#[must_use]
pub fn square(word: &str, smallest: u8) -> Option<u8> {
    let (columns, rows) = word.split_once(':').unwrap_or((word, word));
    let side = |n: &str| n.trim().parse().ok().filter(|n| (smallest..=LARGEST).contains(n));
    side(columns).filter(|_| side(columns) == side(rows))
}

/// Reads a point, or the points of a rectangle by two of its corners, `aa:cc`: `point` reads a corner. `None` if it cannot.
///
/// # Examples
/// ```
/// use lines::{Point, sgf::points};
///
/// let point = |letters: &str| match *letters.as_bytes() {
///     [x, y] => Point::new(x.checked_sub(b'a')?, y.checked_sub(b'a')?),
///     _ => None,
/// };
/// assert_eq!(points("bc", point), Some(vec![Point::new(1, 2).unwrap()]));
/// assert_eq!(points("aa:cb", point).unwrap().len(), 6);
/// assert_eq!(points("aa:c", point), None);
/// ```
pub fn points(list: &str, point: impl Fn(&str) -> Option<Point>) -> Option<Vec<Point>> {
    let (first, last) = list.split_once(':').unwrap_or((list, list));
    let (first, last) = (point(first)?, point(last)?);
    let rows = first.y()..=last.y();
    Some(rows.flat_map(|y| (first.x()..=last.x()).filter_map(move |x| Point::new(x, y))).collect())
}
