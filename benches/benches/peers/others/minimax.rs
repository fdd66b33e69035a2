//! `minimax`: its tree with our playouts, and its searches to a depth.

use std::marker::PhantomData;

use benches::games::{Board, Valued};
use gamecore::{Outcome, Player, Turn};
use minimax::{
    Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, MCTSOptions, MonteCarloTreeSearch, Negamax, RolloutPolicy,
    Strategy, Winner,
};
use rand09::RngCore;
use rand09::rngs::SmallRng;

use super::{Caller, made};
use crate::depth::{Search, TABLE};
use crate::measure::Done;

pub(super) fn search<G: Board + Copy>(start: G, playouts: u64, seed: u64, show: fn(&G, u8) -> String) -> Done {
    let options = MCTSOptions::default().with_num_threads(1).with_max_rollout_depth(400);
    let policy = Uniform::<G>(Caller::new(seed), PhantomData);
    let mut search = MonteCarloTreeSearch::<Wrapped<G, false>>::new_with_policy(options, Box::new(policy));
    search.set_max_rollouts(playouts as u32);
    let best = search.choose_move(&start).map(|m| show(&start, m));
    Done { best, nodes: None, playouts: None, rest: Box::new(search) }
}

/// Plain alpha-beta.
pub(super) fn negamax<G: Valued>(game: G, depth: u8) -> Search {
    to_depth(game, Negamax::new(Points(PhantomData), depth), Negamax::root_value)
}

/// Step by step, with a table.
pub(super) fn iterative<G: Valued>(game: G, depth: u8, null_windows: bool) -> Search {
    let options = IterativeOptions::new().with_table_byte_size(TABLE).with_null_window_search(null_windows);
    let mut search = IterativeSearch::new(Points(PhantomData), options);
    search.set_max_depth(depth);
    to_depth(game, search, IterativeSearch::root_value)
}

fn to_depth<G: Valued, S: Strategy<Wrapped<G, true>> + 'static>(game: G, search: S, value: fn(&S) -> Evaluation) -> Search {
    let mut search = search;
    Box::new(move || {
        let (_, moves) = made::during(|| search.choose_move(&game));
        (i32::from(value(&search)), moves, Box::new(search))
    })
}

/// What positions are worth to the mover.
struct Points<G>(PhantomData<fn() -> G>);

impl<G: Valued> Evaluator for Points<G> {
    type G = Wrapped<G, true>;

    #[inline]
    fn evaluate(&self, game: &G) -> Evaluation {
        game.value() as Evaluation
    }
}

/// The game; moves are counted or not.
struct Wrapped<G, const COUNTED: bool>(PhantomData<fn() -> G>);

fn ended<G: Board>(game: &G) -> Option<Winner> {
    match game.turn() {
        Turn::Over(Outcome::Draw) => Some(Winner::Draw),
        // In these games only the last mover can have won.
        Turn::Over(_) => Some(Winner::PlayerJustMoved),
        _ => None,
    }
}

impl<G: Board, const COUNTED: bool> Game for Wrapped<G, COUNTED> {
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
        if COUNTED {
            made::count();
        }
        Some(game.after(m))
    }

    #[inline]
    fn zobrist_hash(game: &G) -> u64 {
        game.key()
    }

    fn get_winner(game: &G) -> Option<Winner> {
        ended(game)
    }
}

/// Its own playouts would copy the state at every move, because that is how the tree is asked to go down.
struct Uniform<G>(Caller, PhantomData<fn() -> G>);

impl<G: Board> RolloutPolicy for Uniform<G> {
    type G = Wrapped<G, false>;

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
