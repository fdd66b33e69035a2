//! Games for measurements, their rules as quick as they can well be.

mod connect_four;
mod gomoku;
mod windows;

use gamecore::{Deterministic, Evaluator, Player, Track, Tracked};

pub use connect_four::ConnectFour;
pub use gomoku::Gomoku;
pub use windows::Windows;

/// What searches of other crates ask of a game beside [`Game`](gamecore::Game): all of it follows from the rules.
pub trait Board: Deterministic<Move = u8, Moves: IntoIterator<Item = u8> + Sync> {
    /// The first position.
    #[must_use]
    fn start() -> Self;

    /// The move that 32 random bits choose, each with the same probability.
    fn drawn(&self, draw: u32) -> u8;

    /// Whether `m` is one of the moves of a game that is not over.
    fn allows(&self, m: u8) -> bool;
}

impl<G: Board, T: Track<G>> Board for Tracked<G, T> {
    fn start() -> Self {
        G::start().into()
    }

    #[inline(always)]
    fn drawn(&self, draw: u32) -> u8 {
        self.game().drawn(draw)
    }

    #[inline(always)]
    fn allows(&self, m: u8) -> bool {
        self.game().allows(m)
    }
}

/// A game that says what its positions are worth: the same for every search that looks ahead to some depth.
pub trait Valued: Board {
    /// For the mover, in whole points, fewer than [`WIN`]; of a position that is not over.
    fn value(&self) -> i32;
}

/// Worth more than any opinion.
pub const WIN: i32 = 1 << 15;

/// [`Valued`] as an evaluator: [`WIN`] becomes 1, all else an exact fraction of it.
#[derive(Clone, Copy, Debug)]
pub struct Scaled;

/// A mover's value for One, exactly.
#[inline(always)]
fn scaled(mover: Player, value: i32) -> f32 {
    mover.sign() * value as f32 / WIN as f32
}

impl Evaluator<ConnectFour> for Scaled {
    #[inline(always)]
    fn value(&self, game: &ConnectFour) -> f32 {
        scaled(game.mover(), game.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Game, Outcome, Player, Turn, playout, random, uniform};

    /// In random games, the moves are those that can be drawn and those that are allowed.
    fn agrees<G: Board>() {
        let mut rng = random::generator(1);
        for _ in 0..50 {
            playout(G::start(), &mut rng, &mut |g: &G, rng: &mut _| {
                let mut moves = G::Moves::default();
                g.moves(&mut moves);
                let moves = moves.as_ref();
                assert!((0..=255).filter(|&m| g.allows(m)).eq({
                    let mut sorted = moves.to_vec();
                    sorted.sort_unstable();
                    sorted
                }));
                let draw = |i: usize| ((i as u64 * (1 << 32)).div_ceil(moves.len() as u64)) as u32;
                assert!((0..moves.len()).all(|i| g.drawn(draw(i)) == moves[i]), "{g:?}");
                uniform(g, rng)
            });
        }
    }

    #[test]
    fn drawn_moves_are_those_of_the_list() {
        agrees::<ConnectFour>();
        agrees::<Gomoku>();
    }

    /// Whether `n` of these stones are in a row, looked up one by one.
    fn in_a_row(n: i32, stones: &[(i32, i32)]) -> bool {
        let has = |x: i32, y: i32| stones.contains(&(x, y));
        stones
            .iter()
            .any(|&(x, y)| [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| (0..n).all(|k| has(x + k * dx, y + k * dy))))
    }

    #[test]
    fn connect_four_is_as_its_slow_rules() {
        let mut rng = random::generator(3);
        for _ in 0..500 {
            let (mut game, mut stones, mut turn) = (ConnectFour::start(), [vec![], vec![]], 0);
            let height = |stones: &[Vec<(i32, i32)>; 2], x: i32| stones.iter().flatten().filter(|s| s.0 == x).count() as i32;
            while let Turn::Decide(_) = game.turn() {
                assert!(!in_a_row(4, &stones[0]) && !in_a_row(4, &stones[1]));
                assert!((0..7).all(|m| game.allows(m) == (height(&stones, i32::from(m)) < 6)));
                let m = game.random_move(&mut rng);
                let y = height(&stones, i32::from(m));
                stones[turn % 2].push((i32::from(m), y));
                turn += 1;
                game.play(m);
            }
            match game.turn() {
                Turn::Over(Outcome::Draw) => assert!(turn == 42 && !in_a_row(4, &stones[1])),
                turn_now => {
                    let winner = Player::BOTH[(turn - 1) % 2];
                    assert_eq!(turn_now, Turn::Over(Outcome::win(winner)));
                    assert!(in_a_row(4, &stones[winner]));
                }
            }
        }
    }

    #[test]
    fn gomoku_is_as_its_slow_rules() {
        let mut rng = random::generator(2);
        for _ in 0..60 {
            let (mut game, mut stones) = (Gomoku::start(), [vec![], vec![]]);
            let mut turn = 0;
            while let Turn::Decide(_) = game.turn() {
                assert!(!in_a_row(5, &stones[0]) && !in_a_row(5, &stones[1]));
                let mut moves = <Gomoku as Game>::Moves::default();
                game.moves(&mut moves);
                let all: Vec<_> = stones.iter().flatten().copied().collect();
                let expected: Vec<u8> = (0..225u8)
                    .filter(|&m| {
                        let (x, y) = (i32::from(m % 15), i32::from(m / 15));
                        let near = |&(a, b): &(i32, i32)| (a - x).abs() <= 2 && (b - y).abs() <= 2;
                        if all.is_empty() { m == 112 } else { !all.contains(&(x, y)) && all.iter().any(near) }
                    })
                    .collect();
                assert_eq!(moves.as_slice(), expected);
                let m = game.random_move(&mut rng);
                stones[turn % 2].push((i32::from(m % 15), i32::from(m / 15)));
                turn += 1;
                game.play(m);
            }
            match game.turn() {
                Turn::Over(Outcome::Draw) => assert_eq!(turn, 225),
                Turn::Over(_) => assert!(in_a_row(5, &stones[(turn - 1) % 2])),
                _ => unreachable!(),
            }
        }
    }
}
