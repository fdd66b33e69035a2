//! Which moves look good before any search.

use gamecore::Player;

use crate::lanes::on;
use crate::moves::Move;
use crate::state::Einstein;

/// How promising a move looks, the higher the better: wins, then captures of far advanced enemies, then progress.
///
/// A step onto the goal counts 1000; an enemy captured 20 and five more for each step that it is closer than four to
/// its goal; an own stone captured -3; each step of progress 4; and one for each step that the stone is then closer
/// than four to its goal. A pass counts 0. Searches that cut off visit moves in this order.
///
/// # Examples
/// ```
/// use games_einstein::{Einstein, ordering};
/// use gamecore::Text;
///
/// let g: Einstein = "...../...../...../...1./....a one 1".parse()?;
/// assert!(ordering(&g, g.parse_move("D2-E1")?) > ordering(&g, g.parse_move("D2-E2")?));
/// # Ok::<(), gamecore::TextError>(())
/// ```
#[inline]
#[must_use]
pub fn ordering(game: &Einstein, m: Move) -> i32 {
    if m.is_pass() {
        return 0;
    }
    let t = game.tables.0;
    let mover: Player = game.mover;
    let to = m.target();
    let after = i32::from(t.distance(mover, to));
    let progress = i32::from(t.distance(mover, m.source())) - after;
    let enemy = 20 + 5 * (4 - i32::from(t.distance(mover.other(), to)));
    let mut score = 4 * progress + 4 - after;
    score += if t.goal[mover] >> to & 1 != 0 { 1000 } else { 0 };
    score += if on(game.opponent, to) != 0 { enemy } else { 0 };
    score - if on(game.own, to) != 0 { 3 } else { 0 }
}
