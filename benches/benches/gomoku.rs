//! Gomoku: random games, patterns along them, evaluations, short lists, and forced wins, by the rule sets that differ in cost.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamecore::{Evaluator, Game, Tracked, playout, random, uniform};
use games_gomoku::eval::Shapes;
use games_gomoku::{Gomoku, Narrowed, Rule, USUAL};
use lines::{Forced, Patterns, Vcf, Vct};

fn start(rule: Rule) -> Gomoku {
    Gomoku::start(rule, USUAL).expect("the usual board")
}

/// Positions of games of promising moves, some of them random: rows arise, and are stopped.
fn positions(rule: Rule) -> Vec<Narrowed> {
    let mut rng = random::generator(3);
    let mut found = Vec::new();
    while found.len() < 256 {
        playout(Narrowed::from(start(rule)), &mut rng, &mut |game: &Narrowed, rng: &mut _| {
            found.push(game.clone());
            if random::below(rng, 3) == 0 { game.game().random_move(rng) } else { uniform(game, rng) }
        });
    }
    found.truncate(256);
    found
}

fn games(c: &mut Criterion) {
    for rule in Rule::ALL {
        let mut group = c.benchmark_group(rule.to_string());
        let mut rng = random::generator(5);
        group.bench_function("random game", |b| b.iter(|| playout(black_box(start(rule)), &mut rng, &mut uniform)));
        let tracked = Tracked::<_, Patterns>::from(start(rule));
        group.bench_function("random game with patterns", |b| {
            b.iter(|| playout(black_box(tracked.clone()), &mut rng, &mut uniform));
        });
    }
}

fn nodes(c: &mut Criterion) {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let positions = positions(rule);
        let mut group = c.benchmark_group(format!("{rule}, a node"));
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("short list", |b| {
            b.iter(|| {
                for game in &positions {
                    let mut moves = <Narrowed as Game>::Moves::default();
                    game.moves(&mut moves);
                    black_box(&moves);
                }
            });
        });
        group.bench_function("evaluation and bounds", |b| {
            b.iter(|| positions.iter().map(|game| Shapes.value(game) + Shapes.bounds(black_box(game)).low).sum::<f32>());
        });
        group.bench_function("stone and patterns", |b| {
            b.iter(|| {
                for game in &positions {
                    let point = game.patterns().empty_points().next().expect("an empty point");
                    let mut patterns = game.patterns().clone();
                    patterns.place(point, game.game().mover());
                    black_box(&patterns);
                }
            });
        });
    }
}

fn forced_wins(c: &mut Criterion) {
    let positions = positions(Rule::Freestyle);
    let mut group = c.benchmark_group("forced wins");
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    let count = |found: &mut dyn FnMut(&Narrowed) -> Forced| {
        positions.iter().filter(|game| matches!(found(game), Forced::Win(_))).count()
    };
    let (mut vcf, mut vct) = (Vcf::default().with_nodes(10_000), Vct::default().with_nodes(200));
    let mut fours = |game: &Narrowed| vcf.win(game.patterns(), game.game().mover());
    let expected = count(&mut fours);
    assert!(expected > 0, "no position has a win");
    group.bench_function("fours", |b| b.iter(|| assert_eq!(count(&mut fours), expected)));
    let mut threats = |game: &Narrowed| vct.win(game.patterns(), game.game().mover());
    let expected = count(&mut threats);
    group.bench_function("fours and threes", |b| b.iter(|| assert_eq!(count(&mut threats), expected)));
}

criterion_group!(benches, games, nodes, forced_wins);
criterion_main!(benches);
