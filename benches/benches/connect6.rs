//! Connect6: random games, windows along them, threats, and wins by double threats.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamecore::{Game, Tracked, Turn, playout, random, uniform};
use games_connect6::{Connect6, Forced, Narrowed, Threats, Vcdt, Windows};

/// Positions of games of promising stones, some of them random: threats arise, and are stopped.
fn positions() -> Vec<Connect6> {
    let mut rng = random::generator(3);
    let mut found = Vec::new();
    while found.len() < 256 {
        playout(Narrowed::from(Connect6::default()), &mut rng, &mut |game: &Narrowed, rng: &mut _| {
            found.push(game.game().clone());
            if random::below(rng, 3) == 0 { game.game().random_move(rng) } else { uniform(game, rng) }
        });
    }
    found.truncate(256);
    found
}

fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("a random game of Connect6");
    let mut rng = random::generator(5);
    let start = Connect6::default();
    group.bench_function("at once", |b| b.iter(|| black_box(&start).random_outcome(&mut rng)));
    group.bench_function("move by move", |b| b.iter(|| playout(black_box(&start).clone(), &mut rng, &mut uniform)));
    let tracked = Tracked::<_, Windows>::from(start.clone());
    group.bench_function("with windows", |b| b.iter(|| playout(black_box(&tracked).clone(), &mut rng, &mut uniform)));
}

fn nodes(c: &mut Criterion) {
    let positions = positions();
    let tracked: Vec<(Connect6, Windows)> = positions.iter().map(|game| (game.clone(), game.windows())).collect();
    let narrowed: Vec<Narrowed> = positions.iter().map(|game| Narrowed::from(game.clone())).collect();
    let mut group = c.benchmark_group("a node of Connect6");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("stone and windows", |b| {
        b.iter(|| {
            for (game, windows) in &tracked {
                let point = game.board().empty_points().next().expect("an empty point");
                let mut windows = windows.clone();
                windows.place(point, game.mover());
                black_box(&windows);
            }
        });
    });
    group.bench_function("threats", |b| {
        b.iter(|| tracked.iter().map(|(game, windows)| Threats::of(black_box(windows), game.mover()).level()).max());
    });
    group.bench_function("short list", |b| {
        b.iter(|| {
            for game in &narrowed {
                let mut moves = <Narrowed as Game>::Moves::default();
                game.moves(&mut moves);
                black_box(&moves);
            }
        });
    });
}

fn forced_wins(c: &mut Criterion) {
    let positions = positions();
    let tracked: Vec<_> = positions.iter().filter(|game| matches!(game.turn(), Turn::Decide(_))).collect();
    let tracked: Vec<_> = tracked.into_iter().map(|game| (game.mover(), game.left(), game.windows())).collect();
    let mut group = c.benchmark_group("forced wins of Connect6");
    group.sample_size(10).throughput(Throughput::Elements(tracked.len() as u64));
    let mut vcdt = Vcdt::default().with_nodes(200);
    let mut count = || tracked.iter().filter(|(mover, left, w)| matches!(vcdt.win(w, *mover, *left), Forced::Win(_))).count();
    let expected = count();
    assert!(expected > 0, "no position has a win");
    group.bench_function("double threats", |b| b.iter(|| assert_eq!(count(), expected)));
}

criterion_group!(benches, games, nodes, forced_wins);
criterion_main!(benches);
