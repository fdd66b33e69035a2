//! `minimax`: its tree, our playouts.

use std::marker::PhantomData;

use benches::games::Board;
use gamecore::{Outcome, Player, Turn};
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand09::RngCore;
use rand09::rngs::SmallRng;

use super::Caller;
use crate::measure::Done;

pub(super) fn search<G: Board>(start: G, playouts: u64, seed: u64, show: fn(&G, u8) -> String) -> Done {
    let options = MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(400);
    let policy = Uniform::<G>(Caller::new(seed), PhantomData);
    let mut search = MonteCarloTreeSearch::<Wrapped<G>>::new_with_policy(options, Box::new(policy));
    search.set_max_rollouts(playouts as u32);
    let best = search.choose_move(&start).map(|m| show(&start, m));
    Done { best, nodes: None, playouts: None, rest: Box::new(search) }
}

struct Wrapped<G>(PhantomData<fn() -> G>);

fn ended<G: Board>(game: &G) -> Option<Winner> {
    match game.turn() {
        Turn::Over(Outcome::Draw) => Some(Winner::Draw),
        // In these games only the last mover can have won.
        Turn::Over(_) => Some(Winner::PlayerJustMoved),
        _ => None,
    }
}

impl<G: Board> Game for Wrapped<G> {
    type S = G;
    type M = u8;

    fn generate_moves(game: &G, out: &mut Vec<u8>) -> Option<Winner> {
        let ended = ended(game);
        if ended.is_none() {
            let mut moves = G::Moves::default();
            game.moves(&mut moves);
            out.extend_from_slice(moves.as_ref());
        }
        ended
    }

    fn apply(game: &mut G, m: u8) -> Option<G> {
        Some(game.after(m))
    }

    fn get_winner(game: &G) -> Option<Winner> {
        ended(game)
    }
}

/// Its own playouts would copy the state at every move, because that is how the tree is asked to go down.
struct Uniform<G>(Caller, PhantomData<fn() -> G>);

impl<G: Board> RolloutPolicy for Uniform<G> {
    type G = Wrapped<G>;

    fn random_move(&self, game: &mut G, _: &mut Vec<u8>, rng: &mut SmallRng) -> Result<u8, Winner> {
        ended(game).map_or_else(|| Ok(game.drawn(rng.next_u32())), Err)
    }

    /// For the last mover, as the method that this replaces: if the game is over already, a win is certain.
    fn rollout(&self, _: &MCTSOptions, game: &G) -> i32 {
        match game.turn() {
            Turn::Over(Outcome::Draw) => 0,
            Turn::Over(_) => i32::MAX,
            Turn::Decide(Player::One) => -self.0.playout(game) as i32,
            _ => self.0.playout(game) as i32,
        }
    }
}
