//! `treant`: its tree, our playouts.

use std::marker::PhantomData;

use gamecore::{Chance, Game, Player, Step, StepOf, Turn};
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use super::Caller;
use crate::measure::Done;

/// With `closed` every event of a roll has moves of its own below it; otherwise all share the first one's.
pub(super) fn search<G: Game>(start: &G, playouts: u64, seed: u64, closed: bool, show: fn(&G, G::Move) -> String) -> Done
where
    G::Moves: IntoIterator<Item = G::Move> + Sync,
{
    let policy = UCTPolicy::new(1.0);
    let spec = Spec::<G> { closed, seed, game: PhantomData };
    let mut search = MCTSManager::new(Wrapped(start.clone()), spec, Caller::new(seed), policy, ());
    search.playout_n(playouts);
    let best = match search.best_move() {
        Some(Step::Move(m)) => Some(show(start, m)),
        _ => None,
    };
    Done { best, nodes: Some(search.tree().num_nodes()), playouts: None, rest: Box::new(search) }
}

#[derive(Clone)]
struct Wrapped<G>(G);

/// Moves as steps.
struct Moves<G: Game>(G::Moves);

impl<G: Game> IntoIterator for Moves<G>
where
    G::Moves: IntoIterator<Item = G::Move>,
{
    type Item = StepOf<G>;
    type IntoIter = std::iter::Map<<G::Moves as IntoIterator>::IntoIter, fn(G::Move) -> StepOf<G>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(Step::Move)
    }
}

impl<G: Game> GameState for Wrapped<G>
where
    G::Moves: IntoIterator<Item = G::Move>,
{
    type Move = StepOf<G>;
    type Player = Player;
    type MoveList = Moves<G>;

    fn current_player(&self) -> Player {
        // It is asked of the player before each step, and before a roll it does not matter.
        if let Turn::Decide(player) = self.0.turn() { player } else { Player::One }
    }

    fn available_moves(&self) -> Moves<G> {
        let mut moves = G::Moves::default();
        if let Turn::Decide(_) = self.0.turn() {
            self.0.moves(&mut moves);
        }
        Moves(moves)
    }

    fn make_move(&mut self, step: &StepOf<G>) {
        match *step {
            Step::Move(m) => self.0.play(m),
            Step::Chance(event) => self.0.resolve(event),
        }
    }

    fn chance_outcomes(&self) -> Option<Vec<(StepOf<G>, f64)>> {
        match self.0.turn() {
            Turn::Chance(chance) => Some(chance.merged().iter().map(|&(event, p)| (Step::Chance(event), p)).collect()),
            _ => None,
        }
    }
}

struct Spec<G> {
    closed: bool,
    seed: u64,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> MCTS for Spec<G>
where
    G::Moves: IntoIterator<Item = G::Move> + Sync,
{
    type State = Wrapped<G>;
    type Eval = Caller;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();

    fn rng_seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn closed_loop_chance(&self) -> bool {
        self.closed
    }
}

impl<G: Game> Evaluator<Spec<G>> for Caller
where
    G::Moves: IntoIterator<Item = G::Move> + Sync,
{
    type StateEvaluation = i64;

    fn evaluate_new_state(&self, game: &Wrapped<G>, moves: &Moves<G>, _: Option<SearchHandle<Spec<G>>>) -> (Vec<()>, i64) {
        (vec![(); moves.0.as_ref().len()], self.playout(&game.0))
    }

    // Asked at ends of the game and, in an open loop, after another roll than the first.
    fn evaluate_existing_state(&self, game: &Wrapped<G>, _: &i64, _: SearchHandle<Spec<G>>) -> i64 {
        self.playout(&game.0)
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &Player) -> i64 {
        if *player == Player::One { *value } else { -value }
    }
}
