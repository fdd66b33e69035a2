//! Move lists.

/// A list that a game fills with moves.
///
/// `ArrayVec<M, N>` where the bound is known and small (it lives on the search's stack), `SmallVec` or `Vec` where it
/// is not (backgammon: 19 plays a turn, over two thousand at worst).
pub trait MoveBuf<M>: Default + AsRef<[M]> + AsMut<[M]> {
    /// Appends `m`.
    ///
    /// # Panics
    /// If the list is of fixed size and full: the game's bound was wrong.
    fn push(&mut self, m: M);

    /// Empties the list and keeps its memory, for the next node.
    fn clear(&mut self);
}

impl<M, const N: usize> MoveBuf<M> for arrayvec::ArrayVec<M, N> {
    #[inline(always)]
    fn push(&mut self, m: M) {
        self.push(m);
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.clear();
    }
}

impl<M, const N: usize> MoveBuf<M> for smallvec::SmallVec<[M; N]>
where
    [M; N]: smallvec::Array<Item = M>,
{
    #[inline(always)]
    fn push(&mut self, m: M) {
        self.push(m);
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.clear();
    }
}

impl<M> MoveBuf<M> for Vec<M> {
    #[inline(always)]
    fn push(&mut self, m: M) {
        self.push(m);
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.clear();
    }
}
