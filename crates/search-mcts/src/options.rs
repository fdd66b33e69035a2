//! How a search goes about it.

/// How the tree is descended: which move gets the next playout.
///
/// Values are compared on a scale on which the widest possible range of the game's values has length 2.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Selection {
    /// UCT (Kocsis and Szepesvári 2006): mean plus `c * sqrt(ln N / n)`. `c = sqrt(2)` is customary for values from
    /// -1 to 1, half of what theory asks for; with much less a search can stay with the wrong move for very long.
    Ucb1 {
        /// How much is explored.
        c: f64,
    },
    /// UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002): as UCB1, with the variance of a move's results in place of the
    /// largest possible one.
    Ucb1Tuned {
        /// How much is explored; 1 is the original's.
        c: f64,
    },
    /// PUCT (Rosin 2011; Silver et al. 2017): mean plus `c * prior * sqrt(N) / (1 + n)`. Without priors every move has the
    /// same.
    Puct {
        /// How much is explored.
        c: f64,
    },
}

/// How the events of a roll are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Rolls {
    /// Drawn by their probabilities.
    #[default]
    Sampled,
    /// In turn, each as often as its probability says: the event that is furthest behind comes next.
    Balanced,
}

/// Which root move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Choice {
    /// The one with the most playouts ("robust child").
    #[default]
    Visits,
    /// The one with the best lower end of its interval: as safe as can be, and quicker than visits to notice a move that
    /// was found late ("secure child").
    Secure,
}

/// Noise on the priors of the root, for self-play (Silver et al. 2017).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Noise {
    /// Of the Dirichlet distribution: the smaller, the more uneven.
    pub alpha: f64,
    /// The share of the noise in the priors, 0 to 1.
    pub share: f64,
}

/// Only the first moves are looked at: `factor * visits^exponent` of them, and more the more often a position is visited
/// (progressive widening, Coulom 2007). For games with very many moves: those with the highest priors come first or, without priors,
/// those that the game lists first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// Moves after the first visit.
    pub factor: f64,
    /// How fast they become more, 0 to 1.
    pub exponent: f64,
}

/// What several threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Parallel {
    /// All grow one tree; playouts on their way count as lost, so that threads look at different moves (virtual loss).
    #[default]
    Tree,
    /// Each grows a tree of its own; the visits of the root moves are added up.
    Root,
}
