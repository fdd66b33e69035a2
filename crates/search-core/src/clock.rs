//! Time for a whole game.

use std::time::Duration;

use gamecore::Player;

/// How much time the players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TimeControl {
    /// As much as they like.
    Unlimited,
    /// The same for every move; what is left over is lost.
    PerMove(Duration),
    /// A stock for the whole game, and an increment added after each move; who runs out has lost (sudden death).
    Game {
        /// The stock at the start.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// A player ran out of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{player:?} has run out of time, {over:?} too late")]
pub struct FlagFall {
    /// Who.
    pub player: Player,
    /// By how much.
    pub over: Duration,
}

/// The clock of one game: says how long the next move may take, and books what it took.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: [Duration; 2],
}

/// Kept back from every budget, for the way between a search's answer and the clock; of short times an eighth.
const MARGIN: Duration = Duration::from_millis(15);

impl Clock {
    /// A clock before the first move.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let base = match control {
            TimeControl::Unlimited => Duration::MAX,
            TimeControl::PerMove(time) => time,
            TimeControl::Game { base, .. } => base,
        };
        Self { control, left: [base; 2] }
    }

    /// What the clock shows for `player`; `None` without a limit.
    #[must_use]
    pub fn left(&self, player: Player) -> Option<Duration> {
        (self.control != TimeControl::Unlimited).then_some(self.left[player])
    }

    /// How long `player` should think if about `moves_to_go` of their own moves are still to come: an equal share of
    /// the stock and most of the increment, never the last milliseconds (15, or an eighth of less than 120). `None` without
    /// a limit.
    #[must_use]
    pub fn budget(&self, player: Player, moves_to_go: u32) -> Option<Duration> {
        let left = self.left(player)?;
        let usable = left.saturating_sub(MARGIN.min(left / 8));
        Some(match self.control {
            TimeControl::Unlimited | TimeControl::PerMove(_) => usable,
            TimeControl::Game { increment, .. } => {
                (usable / moves_to_go.max(1)).saturating_add(increment / 4 * 3).min(usable / 2)
            }
        })
    }

    /// Books a move of `player` that took `time`.
    ///
    /// # Errors
    /// If that was more than the player had; the clock then shows zero.
    pub fn book(&mut self, player: Player, time: Duration) -> Result<(), FlagFall> {
        let left = self.left[player];
        self.left[player] = match self.control {
            TimeControl::Unlimited => return Ok(()),
            TimeControl::PerMove(_) if time <= left => left,
            TimeControl::Game { increment, .. } if time <= left => (left - time).saturating_add(increment),
            TimeControl::PerMove(_) | TimeControl::Game { .. } => {
                self.left[player] = Duration::ZERO;
                return Err(FlagFall { player, over: time - left });
            }
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn per_move_time_does_not_add_up() {
        let mut clock = Clock::new(TimeControl::PerMove(Duration::from_secs(1)));
        clock.book(Player::One, Duration::from_millis(10)).unwrap();
        assert_eq!(clock.left(Player::One), Some(Duration::from_secs(1)));
        let fall = clock.book(Player::Two, Duration::from_millis(1500)).unwrap_err();
        assert_eq!((fall.player, fall.over), (Player::Two, Duration::from_millis(500)));
        assert_eq!(Clock::new(TimeControl::Unlimited).budget(Player::One, 3), None);
    }

    proptest! {
        /// A player who uses the budget to the last millisecond never loses on time, however long the game.
        #[test]
        fn budgets_never_lose_the_game(base in 0..300_000u64, increment in 0..5000u64, estimate in 0..100u32) {
            let mut clock = Clock::new(TimeControl::Game {
                base: Duration::from_millis(base),
                increment: Duration::from_millis(increment),
            });
            for _ in 0..500 {
                let budget = clock.budget(Player::Two, estimate).unwrap();
                prop_assert!(clock.book(Player::Two, budget).is_ok());
            }
            prop_assert_eq!(clock.left(Player::One), Some(Duration::from_millis(base)));
        }
    }
}
