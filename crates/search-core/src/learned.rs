//! What a search learns about moves while it runs.

use core::hash::{Hash, Hasher};

use gamecore::{KeyHasher, Player};

/// Killers, counter-moves and history (Akl and Newborn 1977; Uiterwijk 1992; Schaeffer 1983): moves that were good elsewhere
/// in the tree are tried early, whatever the position and the dice.
///
/// One search's, from its start to its end. Moves are told apart by their hash. What is known is added to the scores of a
/// [`MoveOrder`](crate::MoveOrder): [`KILLERS`], [`COUNTER`], and up to [`HISTORY`] more or less.
///
/// # Examples
/// ```
/// use gamecore::Player;
/// use search_core::Learned;
///
/// let mut learned = Learned::new(10);
/// learned.refuted('b', ['a'].into_iter(), Player::One, 3, 2, None);
/// let mut scores = [0, 0, 0];
/// learned.add_to(&mut scores, &['a', 'b', 'c'], Player::One, 2, None);
/// assert!(scores[1] > scores[2] && scores[2] > scores[0]);
/// ```
#[derive(Clone, Debug)]
pub struct Learned<M> {
    /// By level: the last two moves that refuted something there.
    killers: Vec<[Option<M>; 2]>,
    /// By player and the move that it answered: the last refutation. Empty before the first.
    counters: [Vec<Option<M>>; 2],
    /// By player and move: how often it refuted something, rather than being tried in vain.
    history: [Vec<i32>; 2],
}

/// Different moves may share a slot; they are then thought equally good.
const SLOTS: usize = 1 << 10;

/// No history adds more to a move's score than this, and none less than its negative.
pub const HISTORY: i32 = 1 << 10;
/// What the last and the last but one killer add.
pub const KILLERS: [i32; 2] = [4 * HISTORY, 3 * HISTORY];
/// What a counter-move adds.
pub const COUNTER: i32 = 2 * HISTORY;

#[inline(always)]
fn slot<M: Hash>(m: M) -> usize {
    let mut hasher = KeyHasher::default();
    m.hash(&mut hasher);
    hasher.finish() as usize % SLOTS
}

impl<M: Copy + Eq + Hash> Learned<M> {
    /// Nothing learned yet. Killers are kept for so many levels: depths, or distances from the root.
    #[must_use]
    pub fn new(levels: usize) -> Self {
        Self { killers: vec![[None; 2]; levels], counters: [Vec::new(), Vec::new()], history: [vec![0; SLOTS], vec![0; SLOTS]] }
    }

    /// Adds to the score of each of `player`'s moves what is known of it at this level, after the move `previous`.
    ///
    /// # Panics
    /// If there is no such level.
    #[inline]
    pub fn add_to(&self, scores: &mut [i32], moves: &[M], player: Player, level: usize, previous: Option<M>) {
        let killers = self.killers[level];
        let counter = previous.and_then(|m| *self.counters[player].get(slot(m))?);
        for (score, &m) in scores.iter_mut().zip(moves) {
            let known = if killers[0] == Some(m) {
                KILLERS[0]
            } else if killers[1] == Some(m) {
                KILLERS[1]
            } else if counter == Some(m) {
                COUNTER
            } else {
                self.history[player][slot(m)]
            };
            *score = score.saturating_add(known);
        }
    }

    /// `player`'s move `m` refuted what led here, `previous`, after `tried` had failed to, as a search of `depth` decisions
    /// found.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn refuted(
        &mut self,
        m: M,
        tried: impl Iterator<Item = M>,
        player: Player,
        depth: u32,
        level: usize,
        previous: Option<M>,
    ) {
        let killers = &mut self.killers[level];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        if let Some(previous) = previous {
            let counters = &mut self.counters[player];
            if counters.is_empty() {
                counters.resize(SLOTS, None);
            }
            counters[slot(previous)] = Some(m);
        }
        let weight = depth.min(20).pow(2) as i32;
        let history = &mut self.history[player];
        // Towards one end or the other, the slower the nearer.
        let mut push = |m: M, weight: i32| {
            let h = &mut history[slot(m)];
            *h += weight - *h * weight.abs() / HISTORY;
        };
        push(m, weight);
        tried.for_each(|m| push(m, -weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_within_its_limits() {
        let mut memory = Learned::new(4);
        for _ in 0..10_000 {
            memory.refuted(1u8, [2, 3].into_iter(), Player::One, 60, 2, Some(9));
        }
        let mut scores = [0; 4];
        memory.add_to(&mut scores, &[1, 2, 3, 4], Player::One, 3, None);
        assert!(
            (HISTORY / 2..=HISTORY).contains(&scores[0]) && (-HISTORY..-HISTORY / 2).contains(&scores[1]) && scores[3] == 0,
            "{scores:?}"
        );
        memory.add_to(&mut scores[3..], &[1], Player::One, 2, None);
        assert_eq!(scores[3], KILLERS[0]);
    }
}
