//! EinStein: move generation, random games, evaluations, and the suite by each kind of search.

use std::hint::black_box;

use benches::{suite, techniques};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gamecore::{Evaluator, Game, playout, random, uniform};
use games_einstein::{Einstein, Rules, eval};

/// The three rule sets.
const RULES: [&str; 3] = ["standard", "4x4", "5x5x9"];

/// Positions with their die rolled, from random games.
fn decisions(rules: Rules) -> Vec<Einstein> {
    let mut rng = random::generator(3);
    let mut found = Vec::new();
    while found.len() < 512 {
        playout(Einstein::start(rules), &mut rng, &mut |g: &Einstein, rng: &mut _| {
            found.push(*g);
            uniform(g, rng)
        });
    }
    found.truncate(512);
    found
}

fn rules(c: &mut Criterion) {
    for name in RULES {
        let rules: Rules = name.parse().expect("a rule set");
        let positions = decisions(rules);
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("moves", |b| {
            b.iter(|| {
                for g in &positions {
                    let mut moves = <Einstein as Game>::Moves::default();
                    g.moves(&mut moves);
                    black_box(&moves);
                }
            });
        });
        group.throughput(Throughput::Elements(1));
        let mut rng = random::generator(5);
        group.bench_function("random game", |b| b.iter(|| playout(black_box(Einstein::start(rules)), &mut rng, &mut uniform)));
    }
}

fn evaluations(c: &mut Criterion) {
    let positions = decisions(Rules::STANDARD);
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: &str, evaluator: &dyn Evaluator<Einstein>| {
        group.bench_function(name, |b| b.iter(|| positions.iter().map(|g| evaluator.value(black_box(g))).sum::<f32>()));
    };
    bench("distance", &eval::Distance);
    bench("material", &eval::Material);
    bench("distribution", &eval::Distribution);
    bench("race", &eval::Race);
}

fn searches(c: &mut Criterion) {
    let suite = suite();
    let mut group = c.benchmark_group("suite to depth 4");
    group.sample_size(10);
    let expected = techniques()[0].run(&suite, 4).values;
    for technique in techniques() {
        group.bench_function(technique.name, |b| {
            b.iter(|| {
                let work = technique.run(&suite, 4);
                assert!(work.values.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-9));
            });
        });
    }
}

criterion_group!(benches, rules, evaluations, searches);
criterion_main!(benches);
