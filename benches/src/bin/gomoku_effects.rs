//! What each part of gomoku's engine is worth: the engine against itself without that part.
//! ```text
//! cargo run --release -p benches --bin gomoku_effects -- [PAIRS] [MS] [PART ...]
//! ```
//! Freestyle on 15x15, one thread, MS milliseconds a move (20; as in `200k`, thousands of nodes instead, for a busy machine), no variety, all parts
//! unless some are named. Each opening, 3 to 5 stones at random among the middle 7x7, is played twice with seats exchanged. Scores are the
//! whole engine's, with the 95 % interval over pairs.

use std::error::Error;
use std::time::Duration;

use benches::duel::duel;
use engines::gomoku::{Engine, Part};
use search_core::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let pairs = words.next().map_or(Ok(40), |n| n.parse())?;
    let limit = words.next().unwrap_or("20".into());
    let limits = match limit.strip_suffix('k') {
        Some(thousands) => Limits::nodes(1000 * thousands.parse::<u64>()?),
        None => Limits::time(Duration::from_millis(limit.parse()?)),
    };
    let names: Vec<String> = words.collect();
    println!("| without | won | drawn | lost | score |\n| --- | ---: | ---: | ---: | ---: |");
    for part in Part::ALL {
        let name = format!("{part:?}");
        if names.is_empty() || names.contains(&name) {
            let mut whole = Engine::new().with_variety(0.0);
            let mut partial = Engine::without(&[part]).with_variety(0.0);
            println!("| {name} | {} |", duel(pairs, [&mut whole, &mut partial], &limits)?);
        }
    }
    Ok(())
}
