//! Which moves to look at first.

use gamecore::Game;

/// Sorts a node's moves so that good ones come first: pruning lives on it, values do not depend on it.
pub trait MoveOrder<G: Game>: Send + Sync {
    /// Sorts `moves`, all of them legal in `game`. The result depends on the arguments alone.
    fn sort(&self, game: &G, moves: &mut [G::Move]);
}

/// The game's own order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unordered;

impl<G: Game> MoveOrder<G> for Unordered {
    #[inline(always)]
    fn sort(&self, _: &G, _: &mut [G::Move]) {}
}

/// By a score, highest first; moves of equal score keep the game's order. `ByScore(|g: &G, m| ...)`.
#[derive(Clone, Copy, Debug)]
pub struct ByScore<F>(pub F);

impl<G: Game, F: Fn(&G, G::Move) -> i32 + Send + Sync> MoveOrder<G> for ByScore<F> {
    #[inline]
    fn sort(&self, game: &G, moves: &mut [G::Move]) {
        /// Up to this many moves are sorted by insertion, with their scores on the stack.
        const FEW: usize = 48;
        if moves.len() > FEW {
            moves.sort_by_cached_key(|&m| core::cmp::Reverse((self.0)(game, m)));
            return;
        }
        let mut scores = [0; FEW];
        for i in 0..moves.len() {
            let (m, score) = (moves[i], (self.0)(game, moves[i]));
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
