//! Everybody against everybody.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use gamecore::Game;
use rand::Rng;
use search_core::{Agent, Limits};

use crate::matches::was_stopped;
use crate::score::{short_time, shortened};
use crate::{Score, Settings, play_pair};

/// Somebody who takes part in a [`round_robin`].
pub struct Contestant<G: Game> {
    /// What the table calls it.
    pub name: String,
    /// Who chooses.
    pub agent: Box<dyn Agent<G>>,
    /// What it may spend on a decision.
    pub limits: Limits,
}

impl<G: Game> Contestant<G> {
    /// A contestant.
    #[must_use]
    pub fn new(name: &str, agent: Box<dyn Agent<G>>, limits: Limits) -> Self {
        Self { name: name.into(), agent, limits }
    }

    /// One contestant for each depth, an agent of its own each: what does looking further bring?
    pub fn depths(depths: impl IntoIterator<Item = u32>, mut agent: impl FnMut(u32) -> Box<dyn Agent<G>>) -> Vec<Self> {
        depths.into_iter().map(|d| Self::new(&format!("depth {d}"), agent(d), Limits::depth(d))).collect()
    }
}

/// Plays every contestant against every other: all pairings meet the same starts and dice, pair by pair, so that a
/// scan that is broken off has played about as much of each.
///
/// `progress` sees the table after every pair of games and may break off.
pub fn round_robin<G: Game>(
    settings: &Settings,
    setup: impl Fn(u64, &mut dyn Rng) -> G,
    contestants: &mut [Contestant<G>],
    progress: &mut dyn FnMut(&CrossTable) -> ControlFlow<()>,
) -> CrossTable {
    let mut table = CrossTable::new(contestants.iter().map(|c| c.name.clone()).collect());
    for pair in 0..settings.pairs {
        let (start, dice) = settings.deal(&setup, pair);
        for j in 1..contestants.len() {
            let (before, rest) = contestants.split_at_mut(j);
            let b = &mut rest[0];
            for (i, a) in before.iter_mut().enumerate() {
                let limits = [&a.limits, &b.limits];
                let games = play_pair(&start, &mut *a.agent, &mut *b.agent, limits, dice, settings.most);
                if limits.into_iter().any(was_stopped) {
                    return table;
                }
                table.scores[place(i, j)].add_pair(&games);
                if progress(&table).is_break() {
                    return table;
                }
            }
        }
    }
    table
}

/// The results of a [`round_robin`].
///
/// [`Display`](fmt::Display) writes a table: each row's score against each column in percent, its mean over all
/// opponents, its mean time per decision. At most 60 columns for up to four contestants, 6 more for each further one.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossTable {
    names: Vec<String>,
    /// Of `i` against `j`, `i < j`, at [`place`].
    scores: Vec<Score>,
}

/// Where the score of `i` against `j` is, for `i < j`.
fn place(i: usize, j: usize) -> usize {
    j * (j - 1) / 2 + i
}

impl CrossTable {
    fn new(names: Vec<String>) -> Self {
        let scores = (1..names.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let scores = scores.map(|(i, j)| Score::new(&names[i], &names[j])).collect();
        Self { names, scores }
    }

    /// The contestants' names, in their order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The score of contestant `a` against `b`; `None` if there is no such contestant or they are the same.
    #[must_use]
    pub fn score(&self, a: usize, b: usize) -> Option<Score> {
        let there = a.max(b) < self.names.len();
        match a.cmp(&b) {
            std::cmp::Ordering::Less if there => Some(self.scores[place(a, b)].clone()),
            std::cmp::Ordering::Greater if there => Some(self.scores[place(b, a)].clone().mirrored()),
            _ => None,
        }
    }

    /// The mean of a contestant's scores against the others, 0 to 1; 1/2 without others.
    #[must_use]
    pub fn mean(&self, contestant: usize) -> f64 {
        let means: Vec<f64> = self.row(contestant).map(|s| s.tally().mean()).collect();
        if means.is_empty() { 0.5 } else { means.iter().sum::<f64>() / means.len() as f64 }
    }

    /// A contestant's mean time per decision, in all its games.
    #[must_use]
    pub fn time_per_decision(&self, contestant: usize) -> Duration {
        let (time, decisions) = self.row(contestant).fold((Duration::ZERO, 0), |(t, n), s| (t + s.a().time, n + s.a().decisions));
        time.div_f64(decisions.max(1) as f64)
    }

    /// A contestant's scores against all others.
    fn row(&self, a: usize) -> impl Iterator<Item = Score> {
        (0..self.names.len()).filter_map(move |b| self.score(a, b))
    }
}

impl fmt::Display for CrossTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAME: usize = 15;
        write!(f, "{:<width$}", "score in %", width = NAME + 3)?;
        for column in 1..=self.names.len() {
            write!(f, "{column:>6}")?;
        }
        write!(f, "{:>7}{:>10}", "mean", "time")?;
        for (a, name) in self.names.iter().enumerate() {
            write!(f, "\n{:>2} {:<NAME$}", a + 1, shortened(name, NAME))?;
            for b in 0..self.names.len() {
                match self.score(a, b) {
                    Some(score) if score.games() > 0 => write!(f, "{:>6.1}", score.tally().mean() * 100.0)?,
                    _ => write!(f, "{:>6}", "-")?,
                }
            }
            write!(f, "{:>7.1}{:>10}", self.mean(a) * 100.0, short_time(self.time_per_decision(a)))?;
        }
        let pairs = self.scores.iter().map(|s| s.tally().units()).min().unwrap_or(0);
        let widest = self.scores.iter().map(|s| s.tally().interval().half_width()).fold(0.0, f64::max);
        write!(f, "\n{pairs} pairs each; 95 % intervals up to +-{:.1}", widest * 100.0)?;
        let forfeits: u64 = self.scores.iter().map(|s| s.a().forfeits() + s.b().forfeits()).sum();
        if forfeits > 0 {
            write!(f, "; {forfeits} forfeits")?;
        }
        Ok(())
    }
}
