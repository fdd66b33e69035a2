//! EinStein's three rule sets: real dice, passes, captures, merged faces, and endgames solved to the end.

use gamecore::{Evaluator, Game, Turn, playout, random, uniform};
use games_einstein::{Einstein, Layout, Rules, eval, ordering};
use proptest::prelude::*;
use search_core::{ByScore, Limits, StopReason};
use search_expectimax::{Expectimax, Pruning};

use super::soundness::agrees;
use super::variants::variants;

/// Rules by name.
const RULES: [&str; 8] =
    ["standard", "standard", "4x4", "4x4+missing", "4x4+nomove+capture-all", "5x5x9@60", "5x5x9+free@60", "5x5x9+capture-all@60"];

/// A position from a random game, `ply` decisions in (or fewer, if the game is shorter), its die rolled or not.
fn position(rules: &str, seed: u64, ply: usize, rolled: bool) -> Option<Einstein> {
    let rules: Rules = rules.parse().unwrap();
    let mut rng = random::generator(seed);
    let layouts = [Layout::random(rules, &mut rng), Layout::random(rules, &mut rng)];
    let start = Einstein::new(rules, [&layouts[0], &layouts[1]], gamecore::Player::BOTH[(seed & 1) as usize]).unwrap();
    let mut seen = Vec::new();
    playout(start, &mut rng, &mut |g: &Einstein, rng: &mut _| {
        seen.push(*g);
        uniform(g, rng)
    });
    let game = seen[ply.min(seen.len() - 1)];
    let game = if rolled { game } else { without_die(game) };
    (!matches!(game.turn(), Turn::Over(_))).then_some(game)
}

/// The position before its roll.
fn without_die(game: Einstein) -> Einstein {
    let mut words: Vec<String> = game.to_string().split_whitespace().map(String::from).collect();
    words[2] = "-".into();
    words.join(" ").parse().unwrap()
}

fn check(game: &Einstein, evaluator: impl Evaluator<Einstein> + Copy, depth: u32) -> Result<(), TestCaseError> {
    for variant in variants() {
        let mut search = variant.ordered(evaluator, ByScore(ordering));
        let fail = |e| TestCaseError::fail(format!("{game} {variant:?}: {e}"));
        agrees(game, &evaluator, &search.search(game, &Limits::depth(depth)).unwrap(), false).map_err(fail)?;
        agrees(game, &evaluator, &search.analyse(game, &Limits::depth(depth)).unwrap(), true).map_err(fail)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_position_any_options(rules in 0..RULES.len(), seed: u64, ply in 0..40usize, rolled: bool, depth in 1..3u32) {
        if let Some(game) = position(RULES[rules], seed, ply, rolled) {
            check(&game, eval::Material, depth)?;
            if RULES[rules] == "standard" {
                check(&game, eval::Race, depth + 1)?;
            }
        }
    }
}

/// Small endgames: every technique finds the probability of winning to the end of the game, and says that it has.
/// The values, for the side to move, are an independent solver's.
#[test]
fn endgames_are_solved() {
    let by_die =
        [0.6203703703703702, 0.6203703703703702, 0.9166666666666666, 0.9166666666666666, 0.9166666666666666, 0.8366769547325102];
    let limits = Limits::default();
    for pruning in [Pruning::Star1, Pruning::Star2] {
        let mut search = Expectimax::new(eval::Distance).with_pruning(pruning).with_order(ByScore(ordering)).with_table(1 << 24);
        let game: Einstein = "...../...6./..4../..ec./..... one -".parse().unwrap();
        let mut chance = |text: &str| {
            let report = search.search(&text.parse::<Einstein>().unwrap(), &limits).unwrap();
            assert_eq!(report.stop, StopReason::Solved, "{text}");
            (report.value.unwrap() + 1.0) / 2.0
        };
        // One table, all phases: who is to move and what the die shows must not be mixed up.
        assert!((chance("...../.2.6./..4../..ec./..... one -") - 0.8045696159122083).abs() < 1e-9);
        assert!((1.0 - chance("...../.2.6./..4../..ec./..... two -") - 0.5897601991566326).abs() < 1e-9);
        for (i, value) in by_die.iter().enumerate() {
            assert!((chance(&format!("...../.2.6./..4../..ec./..... one {}", i + 1)) - value).abs() < 1e-9);
        }
        let report = search.search(&game, &limits).unwrap();
        let plain = Expectimax::new(eval::Distance).with_pruning(Pruning::None).with_table(1 << 24).with_deepening(false);
        let truth = { plain }.search(&game, &Limits::depth(60)).unwrap();
        assert_eq!(truth.stop, StopReason::Solved);
        assert!((report.value.unwrap() - truth.value.unwrap()).abs() < 1e-9);
        let mean: f64 = report.events.iter().map(|e| e.probability * e.value).sum();
        assert!((report.value.unwrap() - mean).abs() < 1e-12);
    }
}

/// Plain expectimax, written independently, finds these values; leaves are rounded to `f32` here and not there.
#[test]
fn values_of_another_program() {
    let mut checked = 0;
    for line in include_str!("../data/race_values.txt").lines().filter(|l| !l.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let game: Einstein = words[..3].join(" ").parse().unwrap();
        for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
            let mut search = Expectimax::new(eval::Race).with_pruning(pruning).with_table(1 << 22);
            for (depth, value) in (1..).zip(&words[3..]) {
                let report = search.search(&game, &Limits::depth(depth)).unwrap();
                let own = report.value.unwrap() * f64::from(game.mover().sign());
                assert!((own - value.parse::<f64>().unwrap()).abs() < 1e-7, "{line}: {own} to depth {depth}, {pruning:?}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 12 * 6 * 3 * 4);
}
