//! UGI, the Universal Game Interface: UCI's words for any game.
//!
//! | asked | answered |
//! | --- | --- |
//! | `ugi` | `id name N`, `id author N`, `option name Seed type spin ...`, `ugiok` |
//! | `isready` | `readyok` |
//! | `setoption name Seed value N` | - |
//! | `uginewgame` | - |
//! | `position fen TEXT moves W W W` or `position startpos moves W W W` | - |
//! | `go` with `depth N`, `nodes N`, `movetime MS`, `p1time MS p2time MS p1inc MS p2inc MS` or `infinite` | `info ...`, `bestmove W` |
//! | `query p1turn`, `query gameover`, `query result` | `response true`, `response p1win`, ... |
//! | `stop`, `quit` | - |
//!
//! The specification is `ugi.md` of <https://github.com/kz04px/ugi>. It leaves texts to the game; here they are those of
//! [`Text`](gamecore::Text). It knows no chance and one limit for each `go`; what is added here:
//!
//! - The words after `moves` are all that happened, in order: the rolls too, each before the move that it precedes, as in
//!   [records](gamecore::record). A runner of games without chance sees no difference.
//! - The present position may wait for a roll. `go` has no answer then, nor at the end of a game: `info string error: ...`
//!   and `bestmove 0000`.
//! - A `go` with several limits keeps to all of them.
//! - The seed goes with the option `Seed`, and counts from the next `uginewgame`.
//!
//! # Values
//! `info score cp N` is the value in hundredths of a point for whoever is to move, as in UCI; `score mate N` counts as a
//! point won, or lost if `N` is not positive. Since a hundredth is coarse for a probability, `info string value X` gives the value
//! again, in points for [`Player::One`](gamecore::Player::One) and with all digits; [`Ugi`] takes that where it is said.

mod client;
mod server;

pub use client::Ugi;
pub use server::Server;

/// The move of who has none.
const NULL_MOVE: &str = "0000";
