//! What the search learns about moves while it runs, and the order that comes of it.

use core::hash::{Hash, Hasher};

use gamecore::{KeyHasher, Player};

/// Killers, counter-moves and history (Akl and Newborn 1977; Uiterwijk 1992; Schaeffer 1983).
#[derive(Clone, Debug)]
pub(crate) struct Memory<M> {
    /// By ply: the last two moves that refuted something there.
    killers: Vec<[Option<M>; 2]>,
    /// By player and the move that it answered: the last refutation.
    counters: [Vec<Option<M>>; 2],
    /// By player and move: how often it refuted something, rather than being tried in vain.
    history: [Vec<i32>; 2],
}

/// Different moves may share a slot; they are then thought equally good.
const SLOTS: usize = 1 << 10;

/// No history counts for more; and what the others count for.
const MOST: i32 = 1 << 10;
const KILLER: [i32; 2] = [4 * MOST, 3 * MOST];
const COUNTER: i32 = 2 * MOST;

#[inline(always)]
fn slot<M: Hash>(m: M) -> usize {
    let mut hasher = KeyHasher::default();
    m.hash(&mut hasher);
    hasher.finish() as usize % SLOTS
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(crate) fn new(plies: usize) -> Self {
        Self {
            killers: vec![[None; 2]; plies],
            counters: [vec![None; SLOTS], vec![None; SLOTS]],
            history: [vec![0; SLOTS], vec![0; SLOTS]],
        }
    }

    /// Adds to each move's score what is known of it.
    #[inline]
    pub(crate) fn add_to(&self, scores: &mut [i32], moves: &[M], player: Player, ply: u32, previous: Option<M>) {
        let killers = self.killers[ply as usize];
        let counter = previous.and_then(|m| self.counters[player][slot(m)]);
        for (score, &m) in scores.iter_mut().zip(moves) {
            let known = if killers[0] == Some(m) {
                KILLER[0]
            } else if killers[1] == Some(m) {
                KILLER[1]
            } else if counter == Some(m) {
                COUNTER
            } else {
                self.history[player][slot(m)]
            };
            *score = score.saturating_add(known);
        }
    }

    /// The move refuted what the opponent had done, after `tried` had failed to.
    pub(crate) fn refuted(
        &mut self,
        m: M,
        tried: impl Iterator<Item = M>,
        player: Player,
        depth: u32,
        ply: u32,
        previous: Option<M>,
    ) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        if let Some(previous) = previous {
            self.counters[player][slot(previous)] = Some(m);
        }
        let weight = (depth * depth).min(400) as i32;
        let history = &mut self.history[player];
        // Towards one end or the other, the slower the nearer.
        let mut push = |m: M, weight: i32| {
            let h = &mut history[slot(m)];
            *h += weight - *h * weight.abs() / MOST;
        };
        push(m, weight);
        tried.for_each(|m| push(m, -weight));
    }
}

/// The moves of the nodes on the way to where the search is, each node's in the order to try them: a stack of keys.
///
/// A key is a score above the move's place in the game's list, so that of equal scores the first comes first, and the moves
/// stay where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    keys: Vec<i64>,
    pub(crate) scores: Vec<i32>,
}

/// The rank of the move that the table remembers.
const FIRST: i64 = 1 << 40;
/// Places in a list are 16 bits.
const PLACE: i64 = 0xFFFF;

impl Ranks {
    /// Where the next node's begin.
    #[inline(always)]
    pub(crate) fn base(&self) -> usize {
        self.keys.len()
    }

    /// Takes a node's moves by `scores`, the one at `first` before all others.
    #[inline]
    pub(crate) fn push(&mut self, first: Option<u16>) {
        let base = self.base();
        self.keys.extend(self.scores.iter().zip(0..).map(|(&score, i)| i64::from(score) << 16 | (PLACE - i)));
        if let Some(key) = first.and_then(|first| self.keys[base..].get_mut(usize::from(first))) {
            *key = FIRST << 16 | *key & PLACE;
        }
    }

    /// The place of the move to try next, `i`th of the node that begins at `base`, and its score.
    #[inline(always)]
    pub(crate) fn next(&mut self, base: usize, i: usize) -> (usize, i64) {
        let keys = &mut self.keys[base + i..];
        let (mut at, mut best) = (0, keys[0]);
        for (j, &key) in keys.iter().enumerate().skip(1) {
            if key > best {
                (at, best) = (j, key);
            }
        }
        keys.swap(0, at);
        (Self::place(best), best >> 16)
    }

    /// The place of the move that was tried `i`th.
    #[inline(always)]
    pub(crate) fn tried(&self, base: usize, i: usize) -> usize {
        Self::place(self.keys[base + i])
    }

    #[inline(always)]
    fn place(key: i64) -> usize {
        (PLACE - (key & PLACE)) as usize
    }

    /// Drops what begins at `base`.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, base: usize) {
        self.keys.truncate(base);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_come_highest_first_and_equal_ones_in_order(scores in prop::collection::vec(-2..3i32, 1..40), first in 0..60u16) {
            let mut ranks = Ranks { scores: vec![1, 2], ..Ranks::default() };
            ranks.push(None);
            let base = ranks.base();
            ranks.scores.clone_from(&scores);
            ranks.push(Some(first));
            let mut expected: Vec<usize> = (0..scores.len()).collect();
            expected.sort_by_key(|&i| (i != usize::from(first), -scores[i]));
            let found: Vec<usize> = (0..scores.len()).map(|i| ranks.next(base, i).0).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert!((0..found.len()).map(|i| ranks.tried(base, i)).eq(found.iter().copied()));
        }
    }

    #[test]
    fn history_stays_within_its_limits() {
        let mut memory = Memory::new(4);
        for _ in 0..10_000 {
            memory.refuted(1u8, [2, 3].into_iter(), Player::One, 60, 2, Some(9));
        }
        let mut scores = [0; 4];
        memory.add_to(&mut scores, &[1, 2, 3, 4], Player::One, 3, None);
        assert!((0..=MOST).contains(&scores[0]) && (-MOST..0).contains(&scores[1]) && scores[3] == 0, "{scores:?}");
        memory.add_to(&mut scores[3..], &[1], Player::One, 2, None);
        assert_eq!(scores[3], KILLER[0]);
    }
}
