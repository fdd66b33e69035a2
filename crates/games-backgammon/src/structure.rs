//! What a side's checkers form: pips, blots, points, primes, anchors; and the rolls that hit.
//!
//! Points are a seat's own, 1 to 24; 25 is its bar.

use gamecore::{Game, Player, ROLLS};

use crate::dice::Throw;
use crate::side::{HOME, IN_PLAY, POINTS, Side, places};
use crate::state::Backgammon;

/// A row of points that a side has made, without a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prime {
    /// How many points, from 1. Six cannot be passed.
    pub length: u8,
    /// Its lowest point, nearest to the side's home.
    pub from: u8,
}

impl Side {
    /// See [`Backgammon::pips`].
    #[inline]
    pub(crate) const fn pips(&self) -> u32 {
        let (mut pips, mut digit) = (0, 0);
        while digit < 4 {
            let mut left = self.planes[digit] & IN_PLAY;
            while left != 0 {
                pips += (left.trailing_zeros() + 1) << digit;
                left &= left - 1;
            }
            digit += 1;
        }
        pips
    }

    /// The lowest points of runs of `length` made points.
    #[inline]
    pub(crate) const fn runs(&self, length: u32) -> u32 {
        let made = self.stacked() & POINTS;
        let (mut runs, mut i) = (made, 1);
        while i < length {
            runs &= made >> i;
            i += 1;
        }
        runs
    }
}

impl Backgammon {
    /// The pip count: how many points a seat's checkers are from being off, 25 for one on the bar.
    #[inline]
    #[must_use]
    pub const fn pips(&self, seat: Player) -> u32 {
        self.side(seat).pips()
    }

    /// Points with a single checker of a seat, the highest first.
    pub fn blots(&self, seat: Player) -> impl Iterator<Item = u8> + use<> {
        places(self.side(seat).single() & POINTS).map(|place| place as u8 + 1)
    }

    /// Points that a seat has made: two checkers at least. The highest first.
    pub fn made_points(&self, seat: Player) -> impl Iterator<Item = u8> + use<> {
        places(self.side(seat).stacked() & POINTS).map(|place| place as u8 + 1)
    }

    /// How many points of its home board a seat has made, 0 to 6.
    #[must_use]
    pub const fn home_points(&self, seat: Player) -> u32 {
        (self.side(seat).stacked() & HOME).count_ones()
    }

    /// Points that a seat has made in the enemy's home board, 19 to 24, the highest first.
    pub fn anchors(&self, seat: Player) -> impl Iterator<Item = u8> + use<> {
        self.made_points(seat).filter(|&point| point >= 19)
    }

    /// The longest prime of a seat, of equal ones the lowest; `None` if no point is made.
    #[must_use]
    pub fn longest_prime(&self, seat: Player) -> Option<Prime> {
        let side = self.side(seat);
        let length = (1..=7).rev().find(|&length| side.runs(length) != 0)?;
        Some(Prime { length: length as u8, from: side.runs(length).trailing_zeros() as u8 + 1 })
    }

    /// In how many of the 36 rolls `by` could hit a checker, were it to roll now, if hitting on `on` (a point of the
    /// other seat, as that numbers it) is what counts; anywhere for `None`. All rules are minded: blocked points, the
    /// bar, dice that cannot both be played.
    ///
    /// # Examples
    /// ```
    /// use games_backgammon::Backgammon;
    /// use gamecore::Player;
    ///
    /// // One's 18-point is Two's 7-point, six away from Two's 13-point.
    /// let game: Backgammon = "0000000000000000010000000e/0000000000001000000000000e one".parse()?;
    /// assert_eq!(game.hitting_rolls(Player::Two, Some(18)), 17);
    /// # Ok::<(), gamecore::TextError>(())
    /// ```
    #[must_use]
    pub fn hitting_rolls(&self, by: Player, on: Option<u8>) -> u32 {
        let (own, opponent) = (*self.side(by), *self.side(by.other()));
        if own.occupied() & IN_PLAY == 0 || opponent.occupied() & IN_PLAY == 0 {
            return 0;
        }
        let wanted = match on {
            None => opponent.single() & POINTS,
            Some(point @ 1..=24) => opponent.single() & 1 << (point - 1),
            Some(_) => 0,
        };
        let game = Self { sides: [own, opponent], mover: by, phase: crate::state::ROLL, low: 0, ..*self };
        let mut buf = <Self as Game>::Moves::default();
        let mut count = 0;
        for (roll, _) in ROLLS {
            let rolled = game.resolved(Throw::Turn(roll));
            buf.clear();
            rolled.moves(&mut buf);
            let hits = |m: &crate::moves::Move| wanted & !rolled.after(*m).side(by.other()).occupied() != 0;
            if buf.iter().any(hits) {
                count += if roll.is_double() { 1 } else { 2 };
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;

    #[test]
    fn the_first_position_is_known() {
        let game = Backgammon::start(Setup::Standard);
        assert_eq!(Player::BOTH.map(|seat| game.pips(seat)), [167; 2]);
        assert_eq!(game.made_points(Player::One).collect::<Vec<_>>(), [24, 13, 8, 6]);
        assert_eq!(game.anchors(Player::Two).collect::<Vec<_>>(), [24]);
        assert_eq!(game.blots(Player::One).count(), 0);
        assert_eq!(game.home_points(Player::One), 1);
        assert_eq!(game.longest_prime(Player::One), Some(Prime { length: 1, from: 6 }));
        assert_eq!(Backgammon::start(Setup::Hypergammon).longest_prime(Player::Two), None);
        let game: Backgammon = "00222222010000000000000002/00000000000000000000000114".parse().unwrap();
        assert_eq!(game.longest_prime(Player::One), Some(Prime { length: 6, from: 3 }));
        assert_eq!(game.pips(Player::Two), 24 + 25);
    }

    /// The table that every book has: rolls that hit a blot so many points away on an open board.
    #[test]
    fn shots_on_an_open_board_are_those_of_the_books() {
        let table: [(u8, u32); 23] = [
            (1, 11),
            (2, 12),
            (3, 14),
            (4, 15),
            (5, 15),
            (6, 17),
            (7, 6),
            (8, 6),
            (9, 5),
            (10, 3),
            (11, 2),
            (12, 3),
            (13, 0),
            (14, 0),
            (15, 1),
            (16, 1),
            (17, 0),
            (18, 1),
            (19, 0),
            (20, 1),
            (21, 0),
            (22, 0),
            (23, 0),
        ];
        for (distance, rolls) in table {
            let (mut one, mut two) = ([0; 26], [0; 26]);
            // Two's checker on its 24-point sees One's point 1 + distance that far away.
            one[usize::from(distance)] = 1;
            (one[0], two[23], one[25], two[25]) = (0, 1, 14, 14);
            let game = Backgammon::from_board([one, two], Player::One, None).unwrap();
            assert_eq!(game.hitting_rolls(Player::Two, None), rolls, "{distance} away");
            assert_eq!(game.hitting_rolls(Player::Two, Some(distance + 1)), rolls);
            assert_eq!(game.hitting_rolls(Player::Two, Some(25)), 0);
        }
    }
}
