//! Where a game meets a search: the strongest default player of each game, and its levels.
//!
//! Games know no search and searches no game; here each game gets the search, the evaluator and the options that were
//! measured to play it best, behind one type, with levels for those who want it weaker. Every engine is an [`Agent`](search_core::Agent)
//! and an [`Analyst`](search_core::Analyst).
//!
//! # Features
//! One for each game, `backgammon`, `connect6`, `einstein` and `gomoku`; all are on by default, as their crates draw in little.
#![cfg_attr(
    feature = "einstein",
    doc = r#"
# Examples
```
use engines::einstein::{Algorithm, Engine, Level};
use gamecore::Game;
use games_einstein::{Einstein, Rules};
use search_core::{Agent, Limits};

let game = Einstein::start(Rules::STANDARD).resolved(4);
let mut engine = Engine::new(Rules::STANDARD);
let report = engine.choose(&game.into(), &Limits::depth(3))?;
println!("{:?}, worth {:?}", report.best, report.value);

let mut beginner = Level::WEAKEST.agent(Rules::STANDARD, Algorithm::default(), 7);
println!("{} {}", beginner.name(), Level::WEAKEST.description(Algorithm::default()));
# Ok::<(), search_core::AgentError>(())
```
"#
)]
#![forbid(unsafe_code)]

#[cfg(any(feature = "connect6", feature = "einstein"))]
mod algorithm;
#[cfg(feature = "backgammon")]
pub mod backgammon;
#[cfg(feature = "connect6")]
pub mod connect6;
#[cfg(feature = "einstein")]
pub mod einstein;
#[cfg(feature = "gomoku")]
pub mod gomoku;
#[cfg(any(feature = "backgammon", feature = "connect6", feature = "einstein", feature = "gomoku"))]
mod level;
#[cfg(any(feature = "backgammon", feature = "connect6", feature = "einstein", feature = "gomoku"))]
mod named;
