//! What a search may be told beside values: how moves look, and which moves are alike wherever they are made.

use gamecore::{Bounds, Evaluator, Game, Leaf, Outcome, Player};
use search_core::Watch;

use crate::leaves::{Generator, Interrupted, Leaves, Never, Playouts, Policy, Uniform};

/// Progressive bias (Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008): a cheap opinion of moves that matters while
/// they were tried little. To a move's score when the tree is descended comes `weight * h / (n + 1)`, where `n` is how often
/// it was tried.
///
/// The heuristic is asked once for each decision that gets children, for all its moves together; it finds zeros to
/// overwrite and says how good each move is **for the player who makes it**, higher is better. `weight * h` is on the scale of
/// [`Selection`](crate::Selection), on which the widest possible range of values has length 2: with 1, a move that was
/// tried once counts as half a point better than it came out, if results are from -1 to 1. What is not finite counts as 0.
///
/// Moves that were never tried are tried in the order of `h`; if they are many, add
/// [`with_first_play_urgency`](crate::Mcts::with_first_play_urgency), so that not all are. Values, proofs and reports stay what they
/// were, only the playouts are shared out otherwise. For [`Selection::Ucb1`](crate::Selection::Ucb1) and
/// [`Ucb1Tuned`](crate::Selection::Ucb1Tuned); with [`Puct`](crate::Selection::Puct) or leaves that have priors it does nothing. It takes
/// four bytes for each position.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::Nim;
/// use search_core::Limits;
/// use search_mcts::{Biased, Mcts, Playouts};
///
/// // Who knows the game leaves a multiple of four.
/// let heuristic = |game: &Nim, moves: &[u8], out: &mut [f32]| {
///     for (m, h) in moves.iter().zip(out) {
///         *h = if (game.heap() - u32::from(*m)) % 4 == 0 { 1.0 } else { 0.0 };
///     }
/// };
/// let mut search = Mcts::new(Biased::new(Playouts::uniform(), 2.0, heuristic)).without_solver();
/// let report = search.search(&Nim::new(15), &Limits::nodes(1_000))?;
/// assert_eq!(report.best, Some(3));
/// # Ok::<(), search_core::SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Biased<L, H> {
    leaves: L,
    weight: f32,
    heuristic: H,
}

impl<L, H> Biased<L, H> {
    /// These leaves, and the opinion of a closure `|game: &MyGame, moves: &[Move], h: &mut [f32]|`.
    #[must_use]
    pub fn new(leaves: L, weight: f64, heuristic: H) -> Self {
        Self { leaves, weight: weight as f32, heuristic }
    }
}

impl<G, L, H> Leaves<G> for Biased<L, H>
where
    G: Game,
    L: Leaves<G>,
    H: Fn(&G, &[G::Move], &mut [f32]) + Send + Sync,
{
    const PRIORS: bool = L::PRIORS;
    const BIAS: bool = true;
    const RECORDS: bool = L::RECORDS;

    #[inline]
    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        self.leaves.evaluate(leaves, rng, watch)
    }

    #[inline]
    fn evaluate_and_record(
        &self,
        leaves: &mut [Leaf<G>],
        played: &mut [Played],
        rng: &mut Generator,
        watch: &mut Watch,
    ) -> Result<(), Interrupted> {
        self.leaves.evaluate_and_record(leaves, played, rng, watch)
    }

    fn rave(&self) -> (usize, f64) {
        self.leaves.rave()
    }

    #[inline(always)]
    fn index(&self, game: &G, m: G::Move) -> usize {
        self.leaves.index(game, m)
    }

    #[inline]
    fn bias(&self, game: &G, moves: &[G::Move], out: &mut [f32]) {
        (self.heuristic)(game, moves, out);
        for h in out {
            *h *= self.weight;
        }
    }

    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        self.leaves.bounds(game)
    }

    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        self.leaves.terminal(game, outcome)
    }
}

/// RAVE (Gelly and Silver 2011): playouts whose moves count for every position above them in which the same player could have
/// made the same move at once ("all moves as first").
///
/// A move tried `n` times is worth `(1 - beta)` times its own mean and `beta` times the mean of all playouts in which its
/// player made it later, `beta = sqrt(k / (3 n + k))`: at `k` tries both count alike. One that was never tried counts as
/// what the others' playouts say, if they do; without any, it is tried first, unless
/// [`with_first_play_urgency`](crate::Mcts::with_first_play_urgency) says otherwise.
///
/// For games in which a move means much the same wherever it is made: stones set on points. `index` says which move it is, a
/// number below `indices`; the same number for both players is no confusion, they are counted apart. A higher one is no
/// move that counts (a pass).
///
/// It steers the playouts and nothing else: the means, the proofs and the report are those of the tree. For
/// [`Selection::Ucb1`](crate::Selection::Ucb1) and [`Ucb1Tuned`](crate::Selection::Ucb1Tuned), with less exploration than without it;
/// [`Puct`](crate::Selection::Puct) takes no notice. It takes 16 bytes for each position, and half of the speed where
/// playouts are short: `docs/mcts.md` has what it is worth, much in one game and nothing in another.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::TicTacToe;
/// use search_core::Limits;
/// use search_mcts::{Mcts, Playouts, Rave, Selection};
///
/// let leaves = Rave::new(Playouts::uniform(), 1000.0, 9, |_: &TicTacToe, square: u8| usize::from(square));
/// let mut search = Mcts::new(leaves).with_selection(Selection::Ucb1 { c: 0.5 });
/// let report = search.search(&TicTacToe::default(), &Limits::nodes(2_000))?;
/// assert_eq!(report.best, Some(4));
/// # Ok::<(), search_core::SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rave<I, P = Uniform, E = Never> {
    playouts: Playouts<P, E>,
    k: f64,
    indices: usize,
    index: I,
}

impl<I, P, E> Rave<I, P, E> {
    /// These playouts, `k` (0 or more; below that, 0), the number of different moves and a closure `|game: &MyGame, m: Move|`
    /// that says which one a move is.
    #[must_use]
    pub fn new(playouts: Playouts<P, E>, k: f64, indices: usize, index: I) -> Self {
        Self { playouts, k, indices, index }
    }
}

impl<G, I, P, E> Leaves<G> for Rave<I, P, E>
where
    G: Game,
    I: Fn(&G, G::Move) -> usize + Send + Sync,
    P: Policy<G>,
    E: Evaluator<G>,
{
    const RECORDS: bool = true;

    #[inline]
    fn evaluate(&self, leaves: &mut [Leaf<G>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        self.playouts.evaluate(leaves, rng, watch)
    }

    #[inline]
    fn evaluate_and_record(
        &self,
        leaves: &mut [Leaf<G>],
        played: &mut [Played],
        rng: &mut Generator,
        watch: &mut Watch,
    ) -> Result<(), Interrupted> {
        for (leaf, played) in leaves.iter_mut().zip(played) {
            let see = |game: &G, player, m| played.note(player, (self.index)(game, m));
            leaf.value = self.playouts.play_out(&leaf.game, rng, watch, see)?;
        }
        Ok(())
    }

    fn rave(&self) -> (usize, f64) {
        (self.indices, self.k)
    }

    #[inline(always)]
    fn index(&self, game: &G, m: G::Move) -> usize {
        (self.index)(game, m)
    }

    #[inline(always)]
    fn bounds(&self, game: &G) -> Bounds {
        self.playouts.bounds(game)
    }

    #[inline(always)]
    fn terminal(&self, game: &G, outcome: Outcome) -> f32 {
        self.playouts.terminal(game, outcome)
    }
}

/// Which moves each player made in a playout.
#[derive(Clone, Debug)]
pub struct Played {
    sets: [Vec<u64>; 2],
}

impl Played {
    /// None, of so many.
    pub(crate) fn new(indices: usize) -> Self {
        let set = vec![0; indices.div_ceil(64)];
        Self { sets: [set.clone(), set] }
    }

    /// A player made this move. A number beyond those that there are is forgotten.
    #[inline(always)]
    pub fn note(&mut self, player: Player, index: usize) {
        if let Some(word) = self.sets[player].get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    /// Each player's moves.
    #[inline(always)]
    pub(crate) fn by(&self, player: Player) -> &[u64] {
        &self.sets[player]
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.sets.iter_mut().for_each(|set| set.fill(0));
    }
}
