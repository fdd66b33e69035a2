//! How much a stone may take.

use std::time::Duration;

use gamecore::Player;
use gamecore::text::quoted;
use search_core::{Clock, Limits, TimeControl};

use crate::desk::{LEAST, USUAL, margin};

/// For a turn that is to take as little as possible.
const AT_ONCE: Duration = Duration::from_millis(20);
/// A game is expected to have so many turns of each side, and always some more.
const TURNS: u32 = 30;
const MORE_TURNS: u32 = 10;

/// What has been told of time, and what is left of it.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// For a turn.
    pub(super) turn: Option<Duration>,
    /// For a game.
    pub(super) game: Option<Duration>,
    /// What is left of that.
    pub(super) left: Option<Duration>,
    /// Own turns of this game.
    turns: u32,
}

impl Times {
    pub(super) fn new(turn: Option<Duration>, game: Option<Duration>) -> Self {
        Self { turn, game, left: game, turns: 0 }
    }

    pub(super) fn new_game(&mut self) {
        (self.left, self.turns) = (self.game, 0);
    }

    /// A turn took so long.
    pub(super) fn used(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
        self.turns += 1;
    }

    /// `time S`
    pub(super) fn set_turn(&mut self, text: &str) -> Result<(), String> {
        let time = seconds("time", text)?;
        self.turn = Some(if time.is_zero() { AT_ONCE } else { time });
        Ok(())
    }

    /// `clock S`
    pub(super) fn set_game(&mut self, text: &str) -> Result<(), String> {
        self.game = Some(seconds("clock", text)?).filter(|time| !time.is_zero());
        self.left = self.game;
        Ok(())
    }

    /// Whether somebody said how long a turn may take.
    pub(super) fn told(&self) -> bool {
        self.turn.is_some() || self.left.is_some()
    }

    /// What a turn may take, from when it was asked for.
    pub(super) fn for_turn(&self) -> Duration {
        let share = self.left.and_then(|base| {
            let clock = Clock::new(TimeControl::Game { base, increment: Duration::ZERO });
            clock.budget(Player::One, TURNS.saturating_sub(self.turns).max(MORE_TURNS))
        });
        let turn = self.turn.map(|turn| turn - margin(turn));
        turn.into_iter().chain(share).min().unwrap_or(USUAL)
    }

    /// What a stone may take, of a turn that has `stones` left and was asked for `waited` ago.
    pub(super) fn for_stone(&self, waited: Duration, stones: u8) -> Limits {
        let rest = self.for_turn().saturating_sub(waited);
        let share = if stones > 1 { rest / 4 * 3 } else { rest };
        let mut limits = Limits::time(share.max(LEAST));
        limits.left = self.left;
        limits
    }
}

fn seconds(word: &str, text: &str) -> Result<Duration, String> {
    let time = text.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("\"{}\" is no {word}: a number of seconds, as in {word} 7.5", quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(times: &Times, waited: u64, stones: u8) -> f64 {
        times.for_stone(Duration::from_millis(waited), stones).time.unwrap().as_secs_f64() * 1000.0
    }

    #[test]
    fn a_turn_is_divided_among_its_stones() {
        let mut times = Times::new(None, None);
        assert_eq!((millis(&times, 0, 2), millis(&times, 2000, 1), times.told()), (3750.0, 3000.0, false));
        times.set_turn("1").unwrap();
        assert_eq!((millis(&times, 0, 2), millis(&times, 400, 1), millis(&times, 0, 1)), (712.5, 550.0, 950.0));
        // What has gone by since the question is gone.
        assert_eq!(millis(&times, 5000, 1), 0.1);
        times.set_turn("0").unwrap();
        assert!(times.told() && millis(&times, 0, 2) <= 15.0);
        for text in ["", "soon", "-1", "nan", "1e300", "inf"] {
            assert!(times.set_turn(text).unwrap_err().contains("a number of seconds"), "{text}");
            assert!(times.set_game(text).unwrap_err().contains("as in clock 7.5"), "{text}");
        }
        assert!(millis(&times, 0, 2) <= 15.0);
    }

    /// A platform that never says what is left: two hundred turns of all that a turn may take.
    #[test]
    fn a_clock_lasts() {
        for game in ["900", "20", "0.1"] {
            let mut times = Times::new(None, None);
            times.set_game(game).unwrap();
            for _ in 0..200 {
                let time = times.for_turn();
                assert!(time <= times.left.unwrap());
                times.used(time);
            }
            times.new_game();
            assert_eq!(times.left, times.game);
        }
        let mut times = Times::new(Some(Duration::from_secs(10)), Some(Duration::from_secs(900)));
        assert_eq!(times.for_stone(Duration::ZERO, 1).left, Some(Duration::from_secs(900)));
        assert_eq!(millis(&times, 0, 1), 9750.0);
        times.set_game("30").unwrap();
        assert!((900.0..1000.0).contains(&millis(&times, 0, 1)));
        times.set_game("0").unwrap();
        assert_eq!(millis(&times, 0, 1), 9750.0);
    }
}
