//! A node's moves in the order to try them.

/// The moves of the nodes on the way to where the search is, each node's in the order to try them: a stack of keys.
///
/// A key is a score above the move's place in the game's list, so that of equal scores the first comes first, and the moves
/// stay where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    keys: Vec<i64>,
    scores: Vec<i32>,
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

    /// Scores a node's moves, of which there are `count`, from zero.
    #[inline(always)]
    pub(crate) fn score(&mut self, count: usize, by: impl FnOnce(&mut [i32])) {
        self.scores.clear();
        self.scores.resize(count, 0);
        by(&mut self.scores);
    }

    /// Whether all moves score nothing.
    #[inline(always)]
    pub(crate) fn is_flat(&self) -> bool {
        self.scores.iter().all(|&score| score == 0)
    }

    /// Takes a node's moves by their scores, the one at `first` before all others.
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
}
