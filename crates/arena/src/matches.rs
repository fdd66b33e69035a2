//! Matches: pairs of games.

use std::ops::ControlFlow;

use gamecore::{Dice, Game};
use rand::Rng;
use search_core::{Agent, Limits};

use crate::game::run;
use crate::{GameResult, Score, play_game};

/// How long a match is and where its luck comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Pairs to play; single games in [`play_self`].
    pub pairs: u64,
    /// Of the starts and the dice. Agents have seeds of their own.
    pub seed: u64,
    /// Decisions after which a game is cut off, as a draw; 10,000 unless changed. Without, games that never end are
    /// played for ever.
    pub most: Option<u64>,
}

impl Settings {
    /// So many pairs, on the starts and dice of `seed`.
    #[must_use]
    pub fn new(pairs: u64, seed: u64) -> Self {
        Self { pairs, seed, most: Some(10_000) }
    }

    /// The same settings, and games of at most `most` decisions.
    #[must_use]
    pub fn and_most(self, most: u64) -> Self {
        Self { most: Some(most), ..self }
    }

    /// The start and the dice of a pair.
    pub(crate) fn deal<G: Game>(&self, setup: impl Fn(u64, &mut dyn Rng) -> G, pair: u64) -> (G, Dice) {
        let dice = Dice::new(self.seed, pair);
        (setup(pair, &mut dice.start()), dice)
    }
}

/// Plays a pair: A in seat One, then A in seat Two, on the same start and the same dice. `limits` are A's and B's.
pub fn play_pair<G: Game>(
    start: &G,
    a: &mut dyn Agent<G>,
    b: &mut dyn Agent<G>,
    limits: [&Limits; 2],
    dice: Dice,
    most: Option<u64>,
) -> [GameResult<G>; 2] {
    let [la, lb] = limits;
    [play_game(start.clone(), [&mut *a, &mut *b], [la, lb], dice, most), play_game(start.clone(), [b, a], [lb, la], dice, most)]
}

/// Whether somebody has raised the limits' flag. Who is stopped while thinking plays on at random: such games do not count.
pub(crate) fn was_stopped(limits: &Limits) -> bool {
    limits.stop.as_ref().is_some_and(search_core::StopFlag::is_raised)
}

/// Plays a match of pairs between A and B. `setup` makes the start of each pair from its number and a generator that
/// depends on the seed and that number alone.
///
/// `progress` sees the score after every pair and may break off the match; the score so far is returned. A raised stop flag
/// in the limits ends it too, and the pair in which that happened does not count. Do not break
/// off because the interval looks good: it is right for a length settled beforehand. Who loses by forfeit still plays
/// the games that remain: break off if that is not wanted.
///
/// A game without chance needs a `setup` that varies, or agents that do: every pair is the same game otherwise.
///
/// With agents made anew from the same seeds, the same settings give the same score, up to its times.
///
/// # Examples
/// See the crate's front page.
pub fn play_match<G: Game>(
    settings: &Settings,
    setup: impl Fn(u64, &mut dyn Rng) -> G,
    a: &mut dyn Agent<G>,
    b: &mut dyn Agent<G>,
    limits_a: &Limits,
    limits_b: &Limits,
    progress: &mut dyn FnMut(&Score) -> ControlFlow<()>,
) -> Score {
    let (name_a, name_b) = (a.name(), b.name());
    let mut score = if name_a == name_b {
        Score::new(&format!("{name_a} (A)"), &format!("{name_b} (B)"))
    } else {
        Score::new(&name_a, &name_b)
    };
    for pair in 0..settings.pairs {
        let (start, dice) = settings.deal(&setup, pair);
        let games = play_pair(&start, a, b, [limits_a, limits_b], dice, settings.most);
        if was_stopped(limits_a) || was_stopped(limits_b) {
            break;
        }
        score.add_pair(&games);
        if progress(&score).is_break() {
            break;
        }
    }
    score
}

/// Plays `agent` against itself, to see what the seats are worth: side A of the score is the agent in seat One, side
/// B the same agent in seat Two, and the unit is the single game.
///
/// The agent is asked for both seats in turn; one that keeps a tree profits from what it thought in the other seat.
pub fn play_self<G: Game>(
    settings: &Settings,
    setup: impl Fn(u64, &mut dyn Rng) -> G,
    agent: &mut dyn Agent<G>,
    limits: &Limits,
    progress: &mut dyn FnMut(&Score) -> ControlFlow<()>,
) -> Score {
    let name = agent.name();
    let mut score = Score::new(&format!("{name} (One)"), &format!("{name} (Two)"));
    for number in 0..settings.pairs {
        let (start, dice) = settings.deal(&setup, number);
        let game = run(start, dice, settings.most, &mut |_, history| agent.choose(history, limits));
        if was_stopped(limits) {
            break;
        }
        score.add_game(&game);
        if progress(&score).is_break() {
            break;
        }
    }
    score
}
