//! Which moves to look at first.

use gamecore::Game;

/// Says which of a node's moves to try first: pruning lives on it, values do not depend on it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no order of moves of `{G}`",
    note = "wrap a closure: `ByScore(|game: &MyGame, m| ..)`"
)]
pub trait MoveOrder<G: Game>: Send + Sync {
    /// Whether it says anything at all.
    const ORDERS: bool = true;

    /// Scores `moves`, all of them legal in `game`, into `scores`, which is as long and starts as zeros; the highest is
    /// tried first. The scores depend on the position and the move alone.
    ///
    /// Searches add what they learn about moves while they run: [`Learned`](crate::Learned) says on what scale.
    fn scores(&self, game: &G, moves: &[G::Move], scores: &mut [i32]);

    /* FINAL: the method below is not meant to be overridden. */

    /// Sorts `moves` by their scores, highest first; moves of equal score keep their order.
    #[inline]
    fn sort(&self, game: &G, moves: &mut [G::Move]) {
        if !Self::ORDERS {
            return;
        }
        if moves.len() > FEW {
            let mut scores = vec![0; moves.len()];
            self.scores(game, moves, &mut scores);
            return sort_by_scores(moves, &mut scores);
        }
        let mut scores = [0; FEW];
        let scores = &mut scores[..moves.len()];
        self.scores(game, moves, scores);
        sort_by_scores(moves, scores);
    }
}

/// Up to this many moves are sorted by insertion.
const FEW: usize = 48;

/// Sorts moves by their scores, highest first; moves of equal score keep their order. What is in `scores` then is of no use.
///
/// # Panics
/// If there are not as many scores as moves.
#[inline]
pub fn sort_by_scores<M: Copy>(moves: &mut [M], scores: &mut [i32]) {
    assert_eq!(moves.len(), scores.len(), "a score for each move");
    if moves.len() > FEW {
        let mut scored: Vec<_> = scores.iter().copied().zip(moves.iter().copied()).collect();
        scored.sort_by_key(|&(score, _)| core::cmp::Reverse(score));
        moves.iter_mut().zip(scored).for_each(|(to, (_, m))| *to = m);
        return;
    }
    for i in 1..moves.len() {
        let (m, score) = (moves[i], scores[i]);
        let mut j = i;
        while j > 0 && scores[j - 1] < score {
            moves[j] = moves[j - 1];
            scores[j] = scores[j - 1];
            j -= 1;
        }
        moves[j] = m;
        scores[j] = score;
    }
}

/// The game's own order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unordered;

impl<G: Game> MoveOrder<G> for Unordered {
    const ORDERS: bool = false;

    #[inline(always)]
    fn scores(&self, _: &G, _: &[G::Move], _: &mut [i32]) {}
}

/// By a score of each move: `ByScore(|g: &G, m| ...)`.
#[derive(Clone, Copy, Debug)]
pub struct ByScore<F>(pub F);

impl<G: Game, F: Fn(&G, G::Move) -> i32 + Send + Sync> MoveOrder<G> for ByScore<F> {
    #[inline]
    fn scores(&self, game: &G, moves: &[G::Move], scores: &mut [i32]) {
        scores.iter_mut().zip(moves).for_each(|(score, &m)| *score = (self.0)(game, m));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Never, Outcome, Turn};
    use proptest::prelude::*;

    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Over;
    impl Game for Over {
        type Move = (i32, usize);
        type Moves = Vec<(i32, usize)>;
        type Chance = Never;
        fn turn(&self) -> Turn<Never> {
            Turn::Over(Outcome::Draw)
        }
        fn moves(&self, _: &mut Self::Moves) {}
        fn play(&mut self, _: Self::Move) {}
        fn resolve(&mut self, event: Never) {
            match event {}
        }
    }

    proptest! {
        /// Short and long lists, sorted in two ways inside, come out as a stable sort.
        #[test]
        fn sorting_is_stable_and_descending(scores in prop::collection::vec(-3..3i32, 0..100)) {
            let mut moves: Vec<_> = scores.iter().copied().zip(0..).collect();
            let mut expected = moves.clone();
            expected.sort_by_key(|m| -m.0);
            ByScore(|_: &Over, m: (i32, usize)| m.0).sort(&Over, &mut moves);
            prop_assert_eq!(moves, expected);
        }
    }
}
