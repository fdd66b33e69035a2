//! The traits in the shapes that games, searches and networks will give them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamecore::testing::toys::{DoubleStep, Nim, Pig, PigMove, TicTacToe};
use gamecore::testing::{self, Trials, plain_value};
use gamecore::{
    Bounds, Chance, Deterministic, Evaluator, Event, Game, Leaf, Outcome, Player, PolicyValue, Roll, Track, Tracked, Turn,
    TwoDice, playout, random, uniform,
};
use smallvec::SmallVec;

const FEW: Trials = Trials { seed: 4, games: 10, steps: 3000 };

// --- What follows a line: the windows of three cells that only one side has stones in. ---

const ROW: u8 = 3;

/// For each window and side, how many stones there are; and the sum over windows that the other side has left alone.
#[derive(Clone, PartialEq, Debug)]
struct Windows {
    counts: [[u8; 2]; 16],
    sum: i16,
}

fn worth([one, two]: [u8; 2]) -> i16 {
    match (one, two) {
        (n, 0) => i16::from(n * n),
        (0, n) => -i16::from(n * n),
        _ => 0,
    }
}

impl Windows {
    fn place(&mut self, cells: u8, cell: u8, player: Player) {
        for window in cell.saturating_sub(ROW - 1)..=cell.min(cells - ROW) {
            let counts = &mut self.counts[usize::from(window)];
            self.sum -= worth(*counts);
            counts[player] += 1;
            self.sum += worth(*counts);
        }
    }
}

impl Track<DoubleStep> for Windows {
    fn of(game: &DoubleStep) -> Self {
        let mut windows = Self { counts: [[0; 2]; 16], sum: 0 };
        for player in Player::BOTH {
            for cell in (0..game.cells()).filter(|cell| game.stones(player) >> cell & 1 == 1) {
                windows.place(game.cells(), cell, player);
            }
        }
        windows
    }

    fn played(&mut self, before: &DoubleStep, cell: u8) {
        self.place(before.cells(), cell, before.mover());
    }

    fn resolved(&mut self, _: &DoubleStep, event: Event<DoubleStep>) {
        match event {}
    }
}

/// Values a move from its parent: no child is laid out.
struct FromParent;

impl Evaluator<Tracked<DoubleStep, Windows>> for FromParent {
    fn value(&self, g: &Tracked<DoubleStep, Windows>) -> f32 {
        f32::from(g.track().sum) / 200.0
    }

    fn after(&self, g: &Tracked<DoubleStep, Windows>, m: u8) -> f32 {
        let mover = g.game().mover();
        let mut windows = g.track().clone();
        windows.place(g.game().cells(), m, mover);
        let wins = windows.counts.iter().any(|c| c[mover] == ROW);
        if wins {
            mover.sign()
        } else if g.game().after(m).turn() == Turn::Over(Outcome::Draw) {
            0.0
        } else {
            f32::from(windows.sum) / 200.0
        }
    }
}

#[test]
fn tracked_games() {
    let starts = [DoubleStep::new(9, ROW), DoubleStep::new(16, ROW)];
    testing::tracked::<Windows, _>(&starts, Trials::default());
    let tracked: Vec<Tracked<DoubleStep, Windows>> = starts.map(Tracked::from).to_vec();
    testing::conformance(&tracked, FEW);
    testing::evaluator(&FromParent, &tracked, FEW);
    let scratch = |g: &DoubleStep| f32::from(Windows::of(g).sum) / 200.0;
    let known = |g: &Tracked<DoubleStep, Windows>| f32::from(g.track().sum) / 200.0;
    for game in testing::positions(&starts[0], 6, 10, 1..=4) {
        let want = plain_value(&game, &scratch, 3);
        assert_eq!(plain_value(&Tracked::from(game), &known, 3), want);
        assert_eq!(plain_value(&Tracked::from(game), &FromParent, 3), want);
    }
}

// --- Evaluators: closures, shared, erased. ---

/// Counts its questions; knows everything about multiples of four.
struct Oracle(AtomicUsize);

impl Evaluator<Nim> for Oracle {
    fn value(&self, game: &Nim) -> f32 {
        self.0.fetch_add(1, Ordering::Relaxed);
        if game.heap().is_multiple_of(4) { game.winner().sign() } else { 0.0 }
    }

    fn bounds(&self, game: &Nim) -> Bounds {
        if game.heap().is_multiple_of(4) { Bounds::exact(game.winner().sign()) } else { Bounds::symmetric(1.0) }
    }
}

#[test]
fn evaluators_of_every_kind() {
    let game = Nim::new(9);
    let offset = 0.25;
    let closure = move |g: &Nim| offset * g.heap() as f32 / 100.0;
    assert_eq!(closure.value(&game), 0.0225);
    assert_eq!(closure.after(&game, 1), 0.02);
    assert_eq!(closure.after(&Nim::new(1), 1), 1.0);

    let oracle = Arc::new(Oracle(AtomicUsize::new(0)));
    let shared: Arc<dyn Evaluator<Nim>> = oracle.clone();
    let boxed: Box<dyn Evaluator<Nim>> = Box::new(oracle.clone());
    let nested: Arc<Box<dyn Evaluator<Nim>>> = Arc::new(Box::new(closure));
    testing::evaluator(&oracle, &[game], FEW);
    testing::evaluator(&shared, &[game], FEW);
    testing::evaluator(&*shared, &[game], FEW);
    testing::evaluator(&boxed, &[game], FEW);
    testing::evaluator(&nested, &[game], FEW);
    // Whatever the wrapping, bounds come through: 8 is known one decision below 9, and One wins.
    for value in [plain_value(&game, &oracle, 2), plain_value(&game, &shared, 2), plain_value(&game, &boxed, 2)] {
        assert_eq!(value, 1.0);
    }
    assert!(oracle.0.load(Ordering::Relaxed) > 0);
    // A mixed bag, as an arena holds it.
    let bag: Vec<Box<dyn Evaluator<Nim>>> = vec![Box::new(|_: &Nim| 0.5), boxed, Box::new(shared)];
    assert_eq!(bag.iter().map(|e| e.value(&Nim::new(5))).collect::<Vec<_>>(), [0.5, 0.0, 0.0]);
}

// --- A network: priors and values of many leaves in one call, from many threads. ---

/// One linear layer with a softmax for the priors; counts its calls.
struct Net {
    weights: [f32; 9],
    calls: AtomicUsize,
}

impl PolicyValue<TicTacToe> for Net {
    fn evaluate(&self, leaves: &mut [Leaf<TicTacToe>]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        for leaf in leaves {
            let sum: f32 = leaf.moves.iter().map(|&m| self.weights[usize::from(m)].exp()).sum();
            leaf.priors.clear();
            leaf.priors.extend(leaf.moves.iter().map(|&m| self.weights[usize::from(m)].exp() / sum));
            leaf.value = (0..9)
                .map(|square| match leaf.game.mark(square) {
                    Some(player) => player.sign() * self.weights[usize::from(square)],
                    None => 0.0,
                })
                .sum::<f32>()
                .tanh();
        }
    }
}

#[test]
fn networks_take_batches_from_many_threads() {
    let net = Net { weights: [0.3, 0.1, 0.3, 0.1, 0.5, 0.1, 0.3, 0.1, 0.3], calls: AtomicUsize::new(0) };
    let net: Arc<dyn PolicyValue<TicTacToe>> = Arc::new(net);
    testing::policy_value(&*net, &[TicTacToe::default()], FEW);
    let positions = testing::positions(&TicTacToe::default(), 8, 64, 0..=6);
    let leaves = |games: &[TicTacToe]| games.iter().map(|&g| Leaf::new(g)).collect::<Vec<_>>();
    let mut all = leaves(&positions);
    net.evaluate(&mut all);
    let parts: Vec<Vec<Leaf<TicTacToe>>> = std::thread::scope(|scope| {
        let run = |games| {
            let net = Arc::clone(&net);
            scope.spawn(move || {
                let mut part = leaves(games);
                net.evaluate(&mut part);
                part
            })
        };
        let threads: Vec<_> = positions.chunks(16).map(run).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for (a, b) in all.iter().zip(parts.iter().flatten()) {
        assert_eq!((a.game, &a.moves, &a.priors, a.value), (b.game, &b.moves, &b.priors, b.value));
    }
    // Leaves go to another thread and come back: what a server of batches does.
    let (there, inbox) = std::sync::mpsc::channel::<Vec<Leaf<TicTacToe>>>();
    let (back, outbox) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        for mut batch in inbox {
            net.evaluate(&mut batch);
            back.send(batch).unwrap();
        }
    });
    there.send(leaves(&positions[..8])).unwrap();
    drop(there);
    assert_eq!(outbox.recv().unwrap()[3].priors, all[3].priors);
    server.join().unwrap();
}

#[test]
fn searches_share_an_evaluator_between_threads() {
    let oracle = Arc::new(Oracle(AtomicUsize::new(0)));
    std::thread::scope(|scope| {
        for heap in 1..5 {
            let oracle = Arc::clone(&oracle);
            scope.spawn(move || assert_eq!(plain_value(&Nim::new(heap), &oracle, 6), f64::from(Nim::new(heap).winner().sign())));
        }
    });
}

// --- Two dice and whole plays as moves, as in backgammon: a bear-off race of two stones each. ---

/// Stones on points 1 to 6, 0 when borne off; a play uses both dice, a double four times.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct BearOff {
    /// The farther stone first.
    stones: [[u8; 2]; 2],
    mover: Player,
    roll: Option<Roll>,
}

/// Where the mover's stones are afterwards: plays that end alike are one.
type Play = [u8; 2];

impl Game for BearOff {
    type Move = Play;
    type Moves = SmallVec<[Play; 8]>;
    type Chance = TwoDice;

    fn turn(&self) -> Turn<TwoDice> {
        if self.stones[self.mover.other()] == [0, 0] {
            Turn::Over(Outcome::win(self.mover.other()))
        } else if self.roll.is_none() {
            Turn::Chance(TwoDice)
        } else {
            Turn::Decide(self.mover)
        }
    }

    fn moves(&self, out: &mut Self::Moves) {
        let roll = self.roll.expect("the dice are rolled");
        let (dice, n) = if roll.is_double() { ([roll.high(); 4], 4) } else { ([roll.high(), roll.low(), 0, 0], 2) };
        let mut ends: SmallVec<[Play; 8]> = SmallVec::new();
        ends.push(self.stones[self.mover]);
        for die in &dice[..n] {
            let from = std::mem::take(&mut ends);
            for [far, near] in from {
                for mut end in [[far.saturating_sub(*die), near], [far, near.saturating_sub(*die)]] {
                    end.sort_unstable_by(|a, b| b.cmp(a));
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                }
            }
        }
        out.extend(ends);
    }

    fn play(&mut self, m: Play) {
        self.stones[self.mover] = m;
        self.mover = self.mover.other();
        self.roll = None;
    }

    fn resolve(&mut self, roll: Roll) {
        self.roll = Some(roll);
    }
}

#[test]
fn two_dice() {
    let start = BearOff { stones: [[6, 6], [6, 5]], mover: Player::One, roll: None };
    testing::conformance(&[start], Trials { games: 30, ..Trials::default() });
    let last = BearOff { stones: [[2, 1], [1, 0]], ..start };
    // One is off at once with any roll but 1-1, which takes four steps of one and does as well.
    assert!((plain_value(&last, &|_: &BearOff| 0.0, 1) - 1.0).abs() < 1e-12);
    let far = BearOff { stones: [[6, 6], [1, 0]], ..start };
    // Off with 6-6, 5-5, 4-4 and 3-3 alone.
    assert!((plain_value(&far, &|_: &BearOff| 0.0, 4) - (4.0 / 36.0 - 32.0 / 36.0)).abs() < 1e-12);
    assert_eq!(testing::perft(&far, 1).over, 4);
}

// --- Long lists, long turns. ---

/// A thousand moves and more: name a number below the limit, which then is the limit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Below<L: 'static> {
    limit: u16,
    mover: Player,
    list: std::marker::PhantomData<fn() -> L>,
}

impl<L: gamecore::MoveBuf<u16> + Send + Clone + Eq + std::hash::Hash + std::fmt::Debug + 'static> Game for Below<L> {
    type Move = u16;
    type Moves = L;
    type Chance = gamecore::Never;

    fn turn(&self) -> Turn<gamecore::Never> {
        if self.limit == 0 { Turn::Over(Outcome::win(self.mover.other())) } else { Turn::Decide(self.mover) }
    }

    fn moves(&self, out: &mut L) {
        (0..self.limit).for_each(|m| out.push(m));
    }

    fn play(&mut self, m: u16) {
        self.limit = m;
        self.mover = self.mover.other();
    }

    fn resolve(&mut self, event: gamecore::Never) {
        match event {}
    }
}

#[test]
fn thousands_of_moves() {
    fn check<L: gamecore::MoveBuf<u16> + Send + Clone + Eq + std::hash::Hash + std::fmt::Debug + 'static>() {
        let start = Below::<L> { limit: 2226, mover: Player::One, list: std::marker::PhantomData };
        assert_eq!(testing::moves(&start).len(), 2226);
        testing::conformance(std::slice::from_ref(&start), Trials { games: 3, ..FEW });
        let (_, outcome) = playout(start, &mut random::generator(3), &mut uniform);
        assert!(outcome.winner().is_some());
    }
    check::<Vec<u16>>();
    check::<SmallVec<[u16; 64]>>();
    check::<arrayvec::ArrayVec<u16, 2226>>();
}

#[test]
fn a_player_may_decide_many_times_in_a_row() {
    // A cautious policy: hold at six. Policies see the game and the generator.
    let mut rng = random::generator(9);
    let mut longest = 0;
    for _ in 0..50 {
        let (mut in_a_row, mut last) = (0, None);
        let (end, outcome) = playout(Pig::new(30), &mut rng, &mut |g: &Pig, _| {
            let Turn::Decide(player) = g.turn() else { unreachable!("policies decide") };
            in_a_row = if last == Some(player) { in_a_row + 1 } else { 1 };
            longest = longest.max(in_a_row);
            last = Some(player);
            if g.sum() >= 6 { PigMove::Hold } else { PigMove::Roll }
        });
        assert_eq!(end.turn(), Turn::Over(outcome));
    }
    assert!(longest >= 3);
}

#[test]
fn deterministic_is_what_alpha_beta_asks_for() {
    fn has_no_chance<G: Deterministic>(game: &G) -> bool {
        match game.turn() {
            Turn::Chance(never) => match never {},
            Turn::Decide(_) | Turn::Over(_) => true,
        }
    }
    assert!(has_no_chance(&Nim::new(3)) && has_no_chance(&TicTacToe::default()));
    assert!(has_no_chance(&Tracked::<_, Windows>::from(DoubleStep::new(9, ROW))));
}

#[test]
fn generators_are_taken_erased_too() {
    let mut rng = random::generator(1);
    let erased: &mut dyn rand::Rng = &mut rng;
    let (_, outcome) = playout(Nim::new(15), erased, &mut uniform);
    assert!(outcome.winner().is_some());
    assert!((1..=6).contains(&gamecore::D6.sample(erased)));
}
