//! An agent that opens with a book.

use std::sync::Arc;
use std::time::Instant;

use gamecore::{Game, History, Player, Turn, mix, random::generator};
use rand::rngs::Xoshiro256PlusPlus;

use super::{Book, line, moves_of};
use crate::{Agent, AgentError, Bound, Limits, MoveLine, Report, ReportOf, StopReason};

/// Plays from a [`Book`] what it knows and asks the agent `A` for all else.
///
/// A report from the book says so: it stopped for [`StopReason::Book`], looked no decision ahead and visited no node. Its
/// value is the mean result of the move chosen (`None` without games). Its `moves` are all legal ones: of those that the
/// book knows, with their mean result and their games as `nodes`; of the others, 0 nodes and the bound that is sure: the
/// most that the mover can lose ([`Game::MAX_POINTS`]), at least for One, at most for Two.
///
/// The book may be shared, with the same agent in other seats or on other threads. Only moves that are legal in the
/// position are played, whatever the book holds.
#[derive(Clone, Debug)]
pub struct WithBook<G: Game, A> {
    book: Arc<Book<G>>,
    inner: A,
    best_only: bool,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game, A> WithBook<G, A> {
    /// `inner` with a book, from which moves are drawn by their weights; `seed` as in [`Agent::new_game`].
    #[must_use]
    pub fn new(book: Arc<Book<G>>, inner: A, seed: u64) -> Self {
        Self { book, inner, best_only: false, rng: draws(seed) }
    }

    /// The same, playing always the book's move of the greatest weight ([`Book::best`]).
    #[must_use]
    pub fn best_only(self) -> Self {
        Self { best_only: true, ..self }
    }

    /// The agent that is asked beyond the book.
    #[must_use]
    pub fn inner(&self) -> &A {
        &self.inner
    }

    /// The book's answer.
    fn opening(&mut self, game: &G, mover: Player) -> Option<ReportOf<G>> {
        let started = Instant::now();
        let best = if self.best_only { self.book.best(game) } else { self.book.choose(game, &mut self.rng) }?;
        let (place, stats) = self.book.find(game)?;
        let known = |m| {
            let index = place.index(&m)?;
            stats.iter().find(|stat| stat.index == index).map(|stat| line(&place, m, stat))
        };
        let worst = -f64::from(mover.sign()) * f64::from(G::MAX_POINTS);
        let legal = moves_of(game);
        let moves = legal.as_ref().iter().map(|&m| match known(m).map(|line| (line.value, line.games)) {
            Some((Some(value), games)) => MoveLine { nodes: games, ..MoveLine::new(m, value) },
            _ => MoveLine { bound: if mover == Player::One { Bound::AtLeast } else { Bound::AtMost }, ..MoveLine::new(m, worst) },
        });
        Some(Report {
            moves: moves.collect(),
            elapsed: started.elapsed(),
            stop: StopReason::Book,
            ..Report::of_move(best, known(best)?.value)
        })
    }
}

/// The book's own draws: not the inner agent's over again.
fn draws(seed: u64) -> Xoshiro256PlusPlus {
    generator(mix(seed ^ 0xB00C))
}

impl<G: Game, A: Agent<G>> Agent<G> for WithBook<G, A> {
    fn name(&self) -> String {
        format!("{} with book", self.inner.name())
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = draws(seed);
        self.inner.new_game(seed);
    }

    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        let state = history.state();
        let Turn::Decide(mover) = state.turn() else { return Err(AgentError::NothingToDecide) };
        match self.opening(state, mover) {
            Some(report) => Ok(report),
            None => self.inner.choose(history, limits),
        }
    }
}
