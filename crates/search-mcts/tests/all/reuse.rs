//! The tree from move to move.

use gamecore::random::generator;
use gamecore::testing::plain_value;
use gamecore::testing::toys::{Pig, TicTacToe};
use gamecore::{Bounds, Dice, Evaluator, Game, History, Player, Step, Turn};
use games_einstein::{Einstein, Layout, Rules};
use search_core::{Agent, Limits, StopReason};
use search_mcts::*;

/// Plays a game and returns, for each decision, the nodes before and after it, and the visits of the move played.
fn played<G: Game, L: Leaves<G>>(start: G, search: &mut Mcts<G, L>, dice: Dice, limits: &Limits) -> Vec<(usize, u64)> {
    let mut history = History::from(start);
    let mut sizes = Vec::new();
    loop {
        match history.state().turn() {
            Turn::Over(_) => return sizes,
            Turn::Chance(chance) => history.push(Step::Chance(dice.roll(&chance, history.steps().len()))),
            Turn::Decide(_) => {
                let report = search.choose(&history, limits).unwrap();
                search.check(history.state());
                let best = report.best.unwrap();
                sizes.push((search.tree_len(), report.moves.iter().find(|l| l.m == best).unwrap().nodes));
                history.push(Step::Move(best));
            }
        }
    }
}

fn einstein(seed: u64) -> Einstein {
    let layout = Layout::random(Rules::STANDARD, &mut generator(seed));
    Einstein::new(Rules::STANDARD, [&layout, &layout], Player::One).unwrap()
}

/// The tree below what was played, and below the roll that really came, is kept: visits are there before the search.
#[test]
fn what_was_played_is_kept() {
    let (mut kept, mut fresh) = (0, 0);
    for seed in 0..10 {
        let mut search = Mcts::new(Playouts::uniform()).with_seed(seed).without_solver();
        let mut history = History::from(einstein(seed));
        let dice = Dice::new(seed, 0);
        for _ in 0..6 {
            let Turn::Chance(die) = history.state().turn() else { break };
            history.push(Step::Chance(dice.roll(&die, history.steps().len())));
            let Turn::Decide(_) = history.state().turn() else { break };
            let report = search.choose(&history, &Limits::nodes(5000)).unwrap();
            let visits: u64 = report.moves.iter().map(|l| l.nodes).sum();
            assert!(visits >= report.nodes && report.nodes == 5000);
            if visits > 5000 {
                kept += 1;
            } else {
                fresh += 1;
            }
            history.push(Step::Move(report.best.unwrap()));
        }
    }
    // All but the first decision of each game.
    assert!(kept >= 4 * fresh && fresh >= 10, "{kept} kept, {fresh} fresh");
}

#[test]
fn another_game_is_another_tree() {
    let mut search = Mcts::new(Playouts::uniform()).without_solver();
    let visits = |report: search_core::ReportOf<TicTacToe>| report.moves.iter().map(|l| l.nodes).sum::<u64>();
    let mut history = History::from(TicTacToe::default());
    assert_eq!(visits(search.choose(&history, &Limits::nodes(900)).unwrap()), 900);
    history.push(Step::Move(4));
    history.push(Step::Move(0));
    assert!(visits(search.choose(&history, &Limits::nodes(900)).unwrap()) > 900);
    // A move taken back, another game, and a game that was announced.
    history.undo();
    history.push(Step::Move(1));
    assert_eq!(visits(search.choose(&history, &Limits::nodes(900)).unwrap()), 900);
    assert_eq!(visits(search.choose(&History::from(TicTacToe::default().after(3)), &Limits::nodes(900)).unwrap()), 900);
    search.new_game(1);
    assert_eq!(search.tree_len(), 1);
    // The same position searched again goes on.
    assert_eq!(visits(search.search(&TicTacToe::default(), &Limits::nodes(500)).unwrap()), 500);
    assert_eq!(visits(search.search(&TicTacToe::default(), &Limits::nodes(500)).unwrap()), 1000);
    let mut forgetful = Mcts::new(Playouts::uniform()).without_solver().without_reuse();
    for _ in 0..2 {
        assert_eq!(visits(forgetful.search(&TicTacToe::default(), &Limits::nodes(500)).unwrap()), 500);
    }
}

/// Branches that were not taken are thrown away: a tree does not grow over a game, or over many.
#[test]
fn trees_do_not_grow_over_games() {
    let mut search = Mcts::new(Playouts::uniform()).with_seed(3).without_solver();
    let mut largest = Vec::new();
    for game in 0..20 {
        let sizes = played(einstein(game), &mut search, Dice::new(1, game), &Limits::nodes(3000));
        largest.push(sizes.iter().map(|s| s.0).max().unwrap());
    }
    let (early, late) = (largest[..10].iter().max().unwrap(), largest[10..].iter().max().unwrap());
    assert!(late * 10 < early * 15, "{largest:?}");
    let mut search = Mcts::new(Playouts::uniform()).with_seed(3);
    played(Pig::new(60), &mut search, Dice::new(1, 1), &Limits::nodes(500));
}

/// Hints stay with their moves when a tree is rebased: what follows is as right as in a new tree.
#[test]
fn hints_are_kept_with_the_tree() {
    let cells = |_: &TicTacToe, m: u8| usize::from(m);
    // Each move is liked as its number says, and each is tried as often as that asks for.
    let last = |_: &TicTacToe, moves: &[u8], h: &mut [f32]| moves.iter().zip(h).for_each(|(m, h)| *h = f32::from(*m));
    let leaves = Biased::new(Rave::new(Playouts::uniform(), 100.0, 9, cells), 1e6, last);
    let mut search = Mcts::new(leaves).without_solver();
    let mut history = History::from(TicTacToe::default());
    for _ in 0..2 {
        let report = search.choose(&history, &Limits::nodes(2000)).unwrap();
        search.check(history.state());
        // What ends the game is known, and not tried again.
        let open: Vec<u64> = report.moves.iter().filter(|l| l.half_width != Some(0.0)).map(|l| l.nodes).collect();
        assert!(open.len() > 3 && open.windows(2).all(|v| v[0] < v[1]), "{open:?}");
        history.push(Step::Move(report.best.unwrap()));
        history.push(Step::Move(report.moves[0].m));
    }
    played(einstein(1), &mut Mcts::new(Biased::new(Playouts::uniform(), 0.5, noise)), Dice::new(1, 1), &Limits::nodes(500));
}

fn noise(game: &Einstein, moves: &[games_einstein::Move], h: &mut [f32]) {
    for (m, h) in moves.iter().zip(h) {
        *h = games_einstein::ordering(game, *m) as f32 / 50.0;
    }
}

/// Another search in between does not lead astray.
#[test]
fn searches_between_decisions_are_another_tree() {
    let mut search = Mcts::new(Playouts::uniform()).without_solver();
    let mut history = History::from(TicTacToe::default());
    search.choose(&history, &Limits::nodes(900)).unwrap();
    search.search(&TicTacToe::default().after(8).after(7), &Limits::nodes(900)).unwrap();
    history.push(Step::Move(4));
    history.push(Step::Move(0));
    search.choose(&history, &Limits::nodes(100)).unwrap();
    search.check(history.state());
}

/// From five marks on it knows everything.
struct Table;

impl Evaluator<TicTacToe> for Table {
    fn value(&self, game: &TicTacToe) -> f32 {
        if Self::knows(game) { plain_value(game, &|_: &TicTacToe| 0.0, 9) as f32 } else { 0.0 }
    }
    fn bounds(&self, game: &TicTacToe) -> Bounds {
        if Self::knows(game) { Bounds::exact(self.value(game)) } else { Bounds::symmetric(1.0) }
    }
}

impl Table {
    fn knows(game: &TicTacToe) -> bool {
        (0..9).filter(|&square| game.mark(square).is_some()).count() >= 5
    }
}

/// A position whose value is known still needs a move, and gets a right one.
#[test]
fn known_positions_are_played_right() {
    for seed in 0..40 {
        let mut rng = generator(seed);
        let mut search = Mcts::new(Values(Table)).with_seed(seed);
        let mut history = History::from(TicTacToe::default());
        while let Turn::Decide(mover) = history.state().turn() {
            let game = *history.state();
            let m = if mover == Player::One {
                let report = search.choose(&history, &Limits::nodes(400)).unwrap();
                let best = report.best.unwrap();
                if Table::knows(&game) {
                    let truth = |game: &TicTacToe| plain_value(game, &|_: &TicTacToe| 0.0, 9);
                    assert_eq!(truth(&game.after(best)), truth(&game), "{game:?}: {best}");
                    assert!(report.value.is_some());
                }
                best
            } else {
                game.random_move(&mut rng)
            };
            history.push(Step::Move(m));
        }
    }
}

/// What somebody else has found out about a position counts from then on.
#[test]
fn the_tree_can_be_told() {
    let game = TicTacToe::default();
    let mut search = Mcts::new(Playouts::uniform()).with_seed(3);
    assert!(!search.prove(&[4], -1.0), "there is no tree yet");
    let report = search.search(&game, &Limits::nodes(4_000)).unwrap();
    assert_eq!(report.best, Some(4));
    assert!(!search.prove(&[], -1.0) && !search.prove(&[9], -1.0) && !search.prove(&[4, 4], -1.0));
    // Said to be lost after the move in the middle: then another is best, and its playouts no longer count.
    let before = report.best_line().unwrap().nodes;
    assert!(search.prove(&[4], -1.0));
    let report = search.search(&game, &Limits::nodes(1_000)).unwrap();
    assert_ne!(report.best, Some(4));
    let told = report.moves.iter().find(|line| line.m == 4).unwrap();
    assert_eq!((told.value, told.half_width, told.nodes), (-1.0, Some(0.0), before));
    // And if the answers to another are all told, it is known too.
    let other = report.best.unwrap();
    let answers: Vec<u8> = (0..9).filter(|&square| square != other).collect();
    assert!(answers.iter().all(|&answer| search.prove(&[other, answer], 1.0)));
    let report = search.search(&game, &Limits::nodes(1_000)).unwrap();
    assert_eq!((report.stop, report.best, report.value), (StopReason::Solved, Some(other), Some(1.0)));
    search.check(&game);
}
