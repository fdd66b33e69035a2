//! Opponents of five strengths.

use std::time::Duration;

use gamecore::random;
use games_connect6::Connect6;
use search_core::{Agent, Limits, RandomAgent};

use super::{Algorithm, Engine, Part};
use crate::level::numbered_levels;
use crate::named::Named;

/// How strong an opponent is, 1 to 5. Each level beats the one below.
///
/// | level | looks |
/// | --- | --- |
/// | 1 | nowhere: any empty point, by dice of its own |
/// | 2 | 1 stone ahead |
/// | 3 | 2 stones ahead, a turn |
/// | 4 | 4 stones ahead, two turns |
/// | 5 | as far as tree search gets in half a second; in as long again, if a turn's second stone is not decided with the first |
///
/// From level 4 on it also looks for wins by continuous double threats, and level 5 for those of the second order
/// ([`Part::SecondOrder`]).
///
/// # Examples
/// ```
/// use engines::connect6::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("6".parse::<Level>().is_err());
/// # Ok::<(), engines::connect6::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

impl Level {
    /// Random stones.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a turn at most.
    pub const STRONGEST: Self = Self(5);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(3);

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays at random",
            2 => "looks one stone ahead",
            3 => "looks one turn ahead",
            4 => "looks two turns ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a stone.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            5 => Limits::time(Duration::from_millis(500)),
            4 => Limits::depth(4),
            3 => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level; give it [`limits`](Level::limits) when it is asked. The seed is for those that choose at
    /// random.
    #[must_use]
    pub fn agent(self, seed: u64) -> Box<dyn Agent<Connect6>> {
        let mut inner: Box<dyn Agent<Connect6>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            2 | 3 => Box::new(by_depth(&[Part::VcdtAtRoot, Part::VcdtBelow]).with_table(0)),
            4 => Box::new(by_depth(&[Part::SecondOrder])),
            _ => Box::new(Engine::new()),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

/// An engine that looks so many stones ahead, without some of its parts.
fn by_depth(without: &[Part]) -> Engine {
    Engine::without(without).with_algorithm(Algorithm::AlphaBeta)
}

numbered_levels!();

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Contestant, Pairing, Settings, Tournament};
    use core::ops::ControlFlow;
    use gamecore::Game;
    use games_connect6::Point;
    use rand::Rng;

    /// Two stones each near the middle.
    fn opening(rng: &mut dyn Rng) -> Connect6 {
        let mut game = Connect6::default().after(Point::new(9, 9).unwrap());
        while game.board().count() < 5 {
            let [x, y] = [0; 2].map(|_| 7 + (rng.next_u32() % 5) as u8);
            if let Some(point) = Point::new(x, y).filter(|&p| game.board().is_empty(p)) {
                game.play(point);
            }
        }
        game
    }

    /// Every level up to the fourth beats the one below.
    #[test]
    fn levels_are_in_order() {
        let levels: Vec<Level> = Level::all().take(4).collect();
        for pair in levels.windows(2) {
            let settings = Settings::new(6, 5);
            let players = [pair[1], pair[0]]
                .map(|level| Contestant::new(&format!("level {level}"), level.limits(), move || level.agent(0)));
            let start = |_: u64, rng: &mut dyn Rng| opening(rng);
            let tournament = Tournament::new(settings, Pairing::RoundRobin, start, players.into()).unwrap();
            let mut standings = tournament.standings();
            tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(())).unwrap();
            println!("{standings}");
            assert!(standings.mean(0) > 0.5, "{standings}");
        }
    }

    #[test]
    fn wrong_levels_are_named() {
        for text in ["0", "6", "-1", "best", ""] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.contains("1 (weakest) to 5 (strongest)"), "{error}");
        }
        assert!(Level::all().all(|l| l.to_string().parse() == Ok(l) && !l.description().is_empty()));
    }
}
