//! Learns Connect6's evaluation from games of the engine against itself:
//! ```text
//! cargo run --release -p engines --example connect6_weights -- FILE [GENERATIONS [GAMES [NODES [SEED]]]]
//! ```
//! The first generation's games are played by counting windows, or with the weights in FILE if it is there; those of each later one with
//! what was learned before. Each is GAMES games
//! with NODES nodes a stone; all games of the last [`KEPT`] generations are learned from, one in 20 of them is kept back to measure the
//! loss. FILE is written after each generation. The same numbers make the same file.

mod fit;
mod games;

use std::error::Error;
use std::time::Instant;

use games_connect6::learned::{Net, Weights};

use fit::Model;
use games::Record;

/// Generations whose games are learned from.
const KEPT: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("usage: connect6_weights FILE [GENERATIONS [GAMES [NODES [SEED]]]]")?;
    let mut number = |usual: u64| words.next().map_or(Ok(usual), |word| word.parse::<u64>());
    let (generations, games, nodes, seed) = (number(3)?, number(20_000)?, number(200)?, number(1)?);
    let started = Instant::now();
    let mut net: Option<&'static Net> = None;
    let mut model = Model::new(seed);
    if std::path::Path::new(&file).exists() {
        let weights = Weights::from_bytes(&std::fs::read(&file)?).ok_or("FILE has no weights of this kind")?;
        net = Some(Box::leak(Box::new(Net::new(&weights))));
        model = Model::from_weights(&weights);
    }
    let mut all: Vec<Vec<Record>> = Vec::new();
    for generation in 0..generations {
        let records: Vec<Record> = (0..games).map(|i| games::play(net, nodes, seed << 40 | generation << 32 | i)).collect();
        let stones: usize = records.iter().map(|record| record.moves.len()).sum();
        eprintln!("{:.0?}: generation {generation}: {games} games, {stones} stones", started.elapsed());
        all.push(records);
        let kept = &all[all.len().saturating_sub(KEPT)..];
        let records: Vec<&Record> = kept.iter().flatten().collect();
        let told = |line: &str| eprintln!("{:.0?}: {line}", started.elapsed());
        fit::fit(&mut model, &records, seed ^ generation, told);
        let weights = model.weights();
        let part = format!("{file}.part");
        std::fs::write(&part, weights.to_bytes())?;
        std::fs::rename(&part, &file)?;
        // It is used to the end of the program.
        let made: &'static Net = Box::leak(Box::new(Net::new(&weights)));
        told(&format!("as it is played: asides {:.4}", fit::as_played(made, &records)));
        net = Some(made);
    }
    Ok(())
}
