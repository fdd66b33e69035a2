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

/// A number that is in this range, its lower end if it is none.
pub(crate) fn within(x: f64, low: f64, high: f64) -> f64 {
    x.max(low).min(high)
}

impl Selection {
    /// Without numbers that mean nothing.
    pub(crate) fn clamped(self) -> Self {
        let above = |c| within(c, 0.0, f64::INFINITY);
        match self {
            Self::Ucb1 { c } => Self::Ucb1 { c: above(c) },
            Self::Ucb1Tuned { c } => Self::Ucb1Tuned { c: above(c) },
            Self::Puct { c } => Self::Puct { c: above(c) },
        }
    }
}

impl Noise {
    pub(crate) fn clamped(self) -> Self {
        Self { alpha: within(self.alpha, 1e-3, 1e6), share: within(self.share, 0.0, 1.0) }
    }
}

impl Widening {
    pub(crate) fn clamped(self) -> Self {
        Self { factor: within(self.factor, 1.0, f64::INFINITY), exponent: within(self.exponent, 0.0, 1.0) }
    }
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
    /// Of the Dirichlet distribution: the smaller, the more uneven; 0.001 to a million.
    pub alpha: f64,
    /// The share of the noise in the priors, 0 to 1.
    pub share: f64,
}

/// Only the first moves are looked at: `factor * visits^exponent` of them, and more the more often a position is visited
/// (progressive widening, Coulom 2007). For games with very many moves: those with the highest priors come first or, without priors,
/// those that the game lists first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// Moves after the first visit, at least 1.
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
    /// Each grows a tree of its own. What they found is added up before the report, position by position, down to positions
    /// of about 100 visits (or a ten thousandth of the playouts, if that is more): values, lines and replies rest on all threads'
    /// playouts so far, and further down on one thread's. The sum is not kept for the next search.
    Root,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_brought_to_sense() {
        for (c, sense) in [(f64::NAN, 0.0), (-1.0, 0.0), (0.5, 0.5), (f64::INFINITY, f64::INFINITY)] {
            assert_eq!(Selection::Ucb1 { c }.clamped(), Selection::Ucb1 { c: sense });
            assert_eq!(Selection::Ucb1Tuned { c }.clamped(), Selection::Ucb1Tuned { c: sense });
            assert_eq!(Selection::Puct { c }.clamped(), Selection::Puct { c: sense });
        }
        let widening = |factor, exponent| Widening { factor, exponent };
        assert_eq!(widening(-2.0, f64::NAN).clamped(), widening(1.0, 0.0));
        assert_eq!(widening(3.0, 2.0).clamped(), widening(3.0, 1.0));
        let noise = |alpha, share| Noise { alpha, share };
        assert_eq!(noise(f64::INFINITY, 2.0).clamped(), noise(1e6, 1.0));
        assert_eq!(noise(f64::NAN, -1.0).clamped(), noise(1e-3, 0.0));
    }
}
