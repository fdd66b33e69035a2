//! Transformations of the board that change nothing about the game.

use crate::{Event, Game};

/// A game with symmetries: maps of states under which moves, chances and outcomes correspond.
///
/// A symmetry may exchange the seats (a half-turn of the board); values then change sign. The set is the same for
/// all states with the same rules, has the identity first, and is a group:
/// closed under composition and [`inverse`](Symmetry::inverse).
/// Books and networks live on it: [`canonical`] picks one state of each class.
pub trait Symmetry: Game {
    /// Names one symmetry.
    type Sym: Copy + Eq + core::fmt::Debug + Send + Sync + 'static;

    /// All symmetries of this state's rules, the identity first.
    fn symmetries(&self) -> &'static [Self::Sym];

    /// The symmetry that undoes `sym`.
    fn inverse(&self, sym: Self::Sym) -> Self::Sym;

    /// Whether `sym` exchanges the seats.
    fn swaps_seats(&self, sym: Self::Sym) -> bool;

    /// This state under `sym`.
    #[must_use]
    fn transformed(&self, sym: Self::Sym) -> Self;

    /// A move of this state as a move of [`transformed`](Symmetry::transformed).
    fn map_move(&self, m: Self::Move, sym: Self::Sym) -> Self::Move;

    /// A chance event of this state as an event of [`transformed`](Symmetry::transformed).
    fn map_event(&self, event: Event<Self>, sym: Self::Sym) -> Event<Self>;
}

/// The member of `game`'s symmetry class with the smallest key, and the symmetry that leads to it.
pub fn canonical<G: Symmetry>(game: &G) -> (G, G::Sym) {
    let mut all = game.symmetries().iter().map(|&sym| (game.transformed(sym), sym));
    let first = all.next().expect("a symmetry set contains the identity");
    all.fold(first, |best, next| if next.0.key() < best.0.key() { next } else { best })
}
