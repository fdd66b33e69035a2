//! How strong the engine is: a match that takes minutes, so it is run by name.
//!
//! `cargo test --release -p engines --test strength -- --ignored --nocapture`

use std::ops::ControlFlow;
use std::time::Duration;

use arena::{Settings, play_match};
use engines::einstein::{Engine, Opening};
use gamecore::{Player, random};
use games_einstein::Rules;
use search_core::{Limits, RandomAgent};

/// Paired games against uniform random play, 0.05 s a move. In the standard game at least 90 %, by the lower end of the
/// interval; that takes more than 400 games to show.
#[test]
#[ignore = "takes minutes; see the top of the file"]
fn beats_random_play() {
    for (rules, pairs) in [("standard", 600), ("4x4", 200), ("5x5x9", 100)] {
        let rules: Rules = rules.parse().unwrap();
        let score = play_match(
            &Settings::new(pairs, 2026),
            |pair, rng| Opening::Random.start(rules, Player::BOTH[(pair % 2) as usize], rng).unwrap(),
            &mut Engine::new(rules),
            &mut RandomAgent(random::generator(7)),
            &Limits::time(Duration::from_millis(50)),
            &Limits::default(),
            &mut |_| ControlFlow::Continue(()),
        );
        println!("{rules}\n{score}");
        // The variants leave more to the dice: often a roll leaves no choice at all.
        let least = if rules == Rules::STANDARD { 0.90 } else { 0.55 };
        assert!(score.tally().interval().low > least, "{score}");
    }
}
