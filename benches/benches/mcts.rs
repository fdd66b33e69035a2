//! Monte Carlo tree search: playouts by themselves, and searches of 10,000 of them.

use std::hint::black_box;

use benches::games::{Board, ConnectFour};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamecore::{Game, playout, random, uniform};
use games_einstein::{Einstein, Rules};
use search_core::Limits;
use search_mcts::{Mcts, Playouts};

const PLAYOUTS: u64 = 10_000;

fn measure<G: Game>(c: &mut Criterion, name: &str, start: &G) {
    let mut group = c.benchmark_group(name);
    let mut rng = random::generator(5);
    group.bench_function("playout", |b| b.iter(|| playout(black_box(start.clone()), &mut rng, &mut uniform)));
    group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(20);
    // The tree's memory stays from search to search, what is in it does not.
    let mut search = Mcts::new(Playouts::uniform()).without_reuse().with_seed(5);
    group.bench_function("search", |b| {
        b.iter(|| {
            let report = search.search(black_box(start), &Limits::nodes(PLAYOUTS)).expect("the game is not over");
            assert_eq!(report.nodes, PLAYOUTS);
            report.best
        });
    });
}

fn connect_four(c: &mut Criterion) {
    measure(c, "connect four", &ConnectFour::start());
}

fn einstein(c: &mut Criterion) {
    measure(c, "einstein", &Einstein::start(Rules::STANDARD).resolved(3));
}

criterion_group!(benches, connect_four, einstein);
criterion_main!(benches);
