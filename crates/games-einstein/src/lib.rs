//! EinStein würfelt nicht!, and two variants of it, as one [`Game`](gamecore::Game).
//!
//! A die decides which stone may move, and the player where it goes. [`Rules`] say the rest:
//!
//! - `standard`. 5x5, six stones a side in opposite corners. Player One starts top left and moves right, down or
//!   diagonally right and down; Two starts bottom right and moves the opposite way. Whatever stands on the square
//!   entered is captured, own stones too. If the die's stone has been captured, the player moves the living stone with
//!   the next lower *or* the next higher number, however far that is. Who reaches the opposite corner wins, and so
//!   does who captures the last enemy. No pass, no draw: every move brings a stone closer to its goal.
//! - `4x4`. Six stones on two rows, One at the bottom moving up. A stone goes one row forward, straight or diagonally;
//!   own stones block, enemies are captured; the far row wins. A die whose stone is captured or blocked is a pass;
//!   with `+missing` a captured one, with `+nomove` a blocked one too, leaves the choice of the stone free. With
//!   `+capture-all` capturing the last enemy wins; without it a side that has no stone left passes until the other
//!   arrives. A side's foremost stone is never blocked, so a game ends with probability 1 however it is played, though
//!   there is no bound on the passes before.
//! - `5x5x9`. Nine stones on two rows, a die of six faces. The die's stone goes one step up, down, left or right, or
//!   diagonally forward; if it has been captured, any stone may go, up, down, left or right only. Own stones block. If
//!   the die's stone is blocked the player passes, or with `+free` moves any stone as if it were captured. The far row
//!   wins (with `+capture-all` the last capture too). Stones can go in circles, so the game is drawn after a number of
//!   turns: 200, or another as in `5x5x9@300`.
//!
//! Every rule set takes such a limit but `standard`, which needs none. In the variants, a player without a legal step
//! has one move, [`Move::PASS`].
//!
//! Positions are text: `123../45.../6...f/...ed/..cba one - standard` is a board from the top, One's numbers as digits
//! and Two's as letters, who is to move, the die if it has been rolled, and the rules. Squares are `A1` to `E5`, One's
//! corner is `A5`; a move is `A4-B3` or `pass`.
//!
//! The die's [`merged`](gamecore::Chance::merged) faces are those that the position tells apart; a search that visits
//! them instead of all six has far fewer nodes once stones have been captured.
//!
//! # Examples
//! A game of random moves:
//! ```
//! use gamecore::{playout, random, uniform};
//! use games_einstein::{Einstein, Layout, Rules};
//!
//! let mut rng = random::generator(1);
//! let layout = Layout::random(Rules::STANDARD, &mut rng);
//! let start = Einstein::new(Rules::STANDARD, [&layout, &layout], gamecore::Player::One)?;
//! let (end, outcome) = playout(start, &mut rng, &mut uniform);
//! assert_eq!(end.outcome(), Some(outcome));
//! assert!(outcome.winner().is_some());
//! # Ok::<(), games_einstein::SetupError>(())
//! ```
//! Rolls and moves by hand:
//! ```
//! use gamecore::{Draw, Game, Text};
//! use games_einstein::{Einstein, Rules};
//!
//! let mut game = Einstein::start(Rules::STANDARD);
//! game.try_resolve(4)?;
//! let m = game.parse_move("A4-B3")?;
//! game.try_play(m)?;
//! assert_eq!(game.to_string(), "123../.5.../64..f/...ed/..cba two - standard");
//! println!("{}", game.picture(None));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod dice;
mod draw;
pub mod eval;
mod lanes;
mod moves;
mod order;
mod rules;
mod setup;
mod state;
mod symmetry;
mod tables;
mod text;

pub use dice::Die;
pub use moves::Move;
pub use order::ordering;
pub use rules::{Freedom, Rules, RulesError, Variant};
pub use setup::{Layout, SetupError};
pub use state::Einstein;
pub use symmetry::Sym;
