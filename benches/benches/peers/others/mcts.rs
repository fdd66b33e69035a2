//! `mcts`: its tree, our playouts.

use std::marker::PhantomData;

use benches::games::Board;
use gamecore::{Player, Turn};
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use super::Caller;
use crate::measure::Done;

pub(super) fn search<G: Board + Copy>(start: G, playouts: u64, seed: u64, show: fn(&G, u8) -> String) -> Done {
    // With its factor under the root of the logarithm, c = sqrt(2) to within a hundredth.
    let policy = UCTPolicy::new(1.0);
    let mut search = MCTSManager::new(Wrapped(start), Spec::<G>(PhantomData), Caller::new(seed), policy, ());
    search.playout_n(playouts);
    let best = search.best_move().map(|m| show(&start, m));
    Done { best, nodes: Some(search.tree().num_nodes()), playouts: None, rest: Box::new(search) }
}

#[derive(Clone)]
struct Wrapped<G>(G);

impl<G: Board> GameState for Wrapped<G> {
    type Move = u8;
    type Player = Player;
    type MoveList = G::Moves;

    fn current_player(&self) -> Player {
        // It is asked of the player before each move.
        if let Turn::Decide(player) = self.0.turn() { player } else { Player::One }
    }

    fn available_moves(&self) -> G::Moves {
        let mut moves = G::Moves::default();
        if let Turn::Decide(_) = self.0.turn() {
            self.0.moves(&mut moves);
        }
        moves
    }

    fn make_move(&mut self, m: &u8) {
        self.0.play(*m);
    }
}

struct Spec<G>(PhantomData<fn() -> G>);

impl<G: Board> MCTS for Spec<G> {
    type State = Wrapped<G>;
    type Eval = Caller;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();
}

impl<G: Board> Evaluator<Spec<G>> for Caller {
    type StateEvaluation = i64;

    fn evaluate_new_state(&self, game: &Wrapped<G>, moves: &G::Moves, _: Option<SearchHandle<Spec<G>>>) -> (Vec<()>, i64) {
        (vec![(); moves.as_ref().len()], self.playout(&game.0))
    }

    // Asked at ends of the game.
    fn evaluate_existing_state(&self, game: &Wrapped<G>, _: &i64, _: SearchHandle<Spec<G>>) -> i64 {
        self.playout(&game.0)
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &Player) -> i64 {
        if *player == Player::One { *value } else { -value }
    }
}
