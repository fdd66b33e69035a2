//! What a position is worth and which stones look good, as learned from games of the engine against itself.
//!
//! Every empty point with a stone in reach is described by [`WIDTH`] numbers: the sum of a row of weights for what each seat has on
//! each of the four lines through it, clipped. So a point where two lines meet is more than the two lines. What a stone on it promises is a
//! weighed sum of its numbers; what the position is worth comes of the sums over all points, by a small network for each of the four
//! situations (who is to move, and whether one stone is left or two). A stone changes at most 40 points, each on one line.
//!
//! All is integers up to the sums, and the network adds in one order, so values are the same on every machine. For games of six in a row
//! with two stones a turn.
//!
//! `connect6_weights`, an example of `engines`, makes the weights. `docs/connect6.md` says what those that are built in are worth: something at
//! the same number of nodes, but each node takes longer, so the engine uses them only if it is told to
//! ([`Narrowed::with_net`](crate::Narrowed::with_net)).

mod net;
mod views;

pub use net::{
    CLASSES, HIDDEN, Head, MOST, Net, ONE, PROMISE_ONE, SIGNED, SITUATIONS, SUMS, WIDTH, Weights, class, logit, squashed,
};
pub use views::{CODES, View, Views};

use gamecore::Player;
use lines::{Board, Point};

use net::Sums;

/// What is kept of a position from stone to stone.
#[derive(Clone)]
pub(crate) struct Sight {
    net: &'static Net,
    views: Views,
    sums: Sums,
}

/// The number of a situation: who is to move, and whether more than one stone is left.
#[inline(always)]
#[must_use]
pub fn situation(mover: Player, left: u8) -> usize {
    2 * mover.index() + usize::from(left > 1)
}

impl Sight {
    pub(crate) fn new(board: &Board, net: &'static Net) -> Self {
        let views = Views::new(board);
        let mut sums = Sums::ZERO;
        for point in board.points().filter(|p| views.is_near(p.index())) {
            sums.gain(&net.numbers(views.view(point.index())));
        }
        Self { net, views, sums }
    }

    /// With a stone more on an empty point.
    #[inline]
    pub(crate) fn place(&mut self, point: Point, player: Player) {
        self.sums = self.sums_after(point, player);
        self.views.place(point, player);
    }

    #[inline(always)]
    fn sums_after(&self, point: Point, player: Player) -> Sums {
        let (net, mut sums) = (self.net, self.sums);
        if self.views.is_near(point.index()) {
            sums.lose(&net.numbers(self.views.view(point.index())));
        }
        self.views.changes(point, player, |change| {
            let [before, after] = net.changed(self.views.view(change.point), change.direction, change.codes);
            if !change.was_far {
                sums.lose(&before);
            }
            sums.gain(&after);
        });
        sums
    }

    /// The value for One.
    #[inline]
    pub(crate) fn value(&self, mover: Player, left: u8) -> f32 {
        self.net.value(&self.sums, situation(mover, left))
    }

    /// The value for One after a stone of `player`'s, when `mover` has `left` stones.
    #[inline]
    pub(crate) fn value_after(&self, point: Point, player: Player, mover: Player, left: u8) -> f32 {
        self.net.value(&self.sums_after(point, player), situation(mover, left))
    }

    /// How good a stone on an empty point looks, in hundredths of a logit.
    #[inline]
    pub(crate) fn promise(&self, point: Point, situation: usize) -> i32 {
        self.net.promise(&self.net.numbers(self.views.view(point.index())), situation)
    }

    /// Whether an empty point has a stone in reach.
    #[inline]
    pub(crate) fn is_near(&self, point: Point) -> bool {
        self.views.is_near(point.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connect6, Narrowed};
    use gamecore::{Game, random};

    /// What is kept from stone to stone is what the board says, and both seats are seen alike, nearly.
    #[test]
    fn what_is_kept_is_what_the_board_says() {
        let mut rng = random::generator(9);
        let mut differences = 0.0;
        for _ in 0..8 {
            let mut game = Narrowed::from(Connect6::default()).with_net(Some(Net::built_in()));
            while game.game().outcome().is_none() && game.game().board().count() < 60 {
                let (bare, sight) = (game.game(), game.sight().unwrap());
                let fresh = Sight::new(bare.board(), Net::built_in());
                assert_eq!(sight.sums, fresh.sums);
                let value = sight.value(bare.mover(), bare.left());
                assert!(value.abs() < 1.0);
                // The same with the colours exchanged.
                let mut other = Sight::new(&Board::new(19).unwrap(), Net::built_in());
                for point in bare.board().points() {
                    if let Some(player) = bare.board().stone(point) {
                        other.place(point, player.other());
                    }
                }
                differences += (value + other.value(bare.mover().other(), bare.left())).abs();
                for point in bare.board().empty_points().filter(|&p| sight.is_near(p)) {
                    let now = situation(bare.mover(), bare.left());
                    assert_eq!(sight.promise(point, now), fresh.promise(point, now));
                }
                let m = game.random_move(&mut rng);
                game.play(m);
            }
        }
        assert!(differences / 400.0 < 0.2, "{differences}");
    }
}
