//! What Black may not do in renju.

use gamecore::Player;

use crate::board::{Board, Line};
use crate::point::{Direction, Point};

/// Why a point is forbidden to the first player in renju.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, thiserror::Error)]
pub enum Forbidden {
    /// It makes a row of six or more.
    #[error("it makes six or more in a row")]
    Overline,
    /// It makes two fours at once, on two lines or on one.
    #[error("it makes two fours at once")]
    DoubleFour,
    /// It makes two open threes at once.
    #[error("it makes two open threes at once")]
    DoubleThree,
}

/// Why Player One, who plays Black, may not put a stone on this empty point under the rules of renju (Renju International
/// Federation, rule 9.3); `None` if that is allowed.
///
/// A move that makes exactly five is always allowed. A three is open if one more stone, on a point that is not forbidden in
/// its turn, makes a straight four: four side by side that become exactly five at either end.
#[must_use]
pub fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    let lines = Direction::ALL.map(|direction| {
        let mut line = board.line(point, direction, Player::One);
        line.own |= 1 << line.at;
        line
    });
    let runs = lines.map(|line| run(line.own, line.at));
    if runs.contains(&5) {
        return None;
    }
    if runs.iter().any(|&length| length > 5) {
        return Some(Forbidden::Overline);
    }
    let fours = lines.map(|line| fours(&line));
    if fours.iter().sum::<u32>() >= 2 {
        return Some(Forbidden::DoubleFour);
    }
    let mut next = None;
    let threes = Direction::ALL.into_iter().zip(&lines).zip(fours).filter(|&((direction, line), fours)| {
        // Where the board is not needed it is not copied.
        fours == 0
            && straight_fours(line).any(|at| {
                let next = next.get_or_insert_with(|| {
                    let mut next = *board;
                    next.place(point, Player::One);
                    next
                });
                let distance = at as i8 - line.at as i8;
                point.step(direction, distance).is_some_and(|p| forbidden(next, p).is_none())
            })
    });
    (threes.count() >= 2).then_some(Forbidden::DoubleThree)
}

/// How many stones stand side by side, the one at a bit among them.
const fn run(own: u32, at: u32) -> u32 {
    (own >> at).trailing_ones() + (own << (31 - at)).leading_ones() - 1
}

/// The bits of the empty points up to four away.
fn close(line: &Line) -> impl Iterator<Item = u32> + use<> {
    let (empty, at) = (line.empty, line.at);
    (at.saturating_sub(4)..=at + 4).filter(move |&i| empty >> i & 1 != 0)
}

/// Fours through the point: sets of four stones that one more completes to exactly five.
fn fours(line: &Line) -> u32 {
    let completed = close(line).filter(|&i| {
        let more = line.own | 1 << i;
        run(more, line.at) == 5 && run(more, i) == 5
    });
    let completed = completed.count() as u32;
    // The two ends of a straight four complete the same stones.
    if run(line.own, line.at) == 4 { completed.min(1) } else { completed }
}

/// Where one more stone makes a straight four through the point.
fn straight_fours(line: &Line) -> impl Iterator<Item = u32> + use<> {
    let line = *line;
    close(&line).filter(move |&i| {
        let more = line.own | 1 << i;
        if run(more, line.at) != 4 {
            return false;
        }
        let first = line.at + 1 - (more << (31 - line.at)).leading_ones();
        let open = |end: u32| line.empty & !(1 << i) & end != 0 && run(more | end, line.at) == 5;
        first > 0 && open(1 << (first - 1)) && open(1 << (first + 4))
    })
}
