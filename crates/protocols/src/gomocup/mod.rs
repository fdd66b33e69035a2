//! The protocol of Gomocup and Piskvork, between a manager of gomoku games and an engine ("brain"): to be an engine.
//!
//! | asked | answered |
//! | --- | --- |
//! | `START N`, `RECTSTART N,N`, `RESTART` | `OK`; the board is empty |
//! | `BEGIN` | a move, `X,Y`, column and row from 0 at the top left |
//! | `TURN X,Y` (the opponent has played there) | a move |
//! | `BOARD`, lines of `X,Y,F` (F: 1 own stone, 2 the opponent's), `DONE` | a move |
//! | `TAKEBACK X,Y` (that stone is taken away) | `OK` |
//! | `PLAY X,Y` (the engine's move is this one) | `X,Y` |
//! | `SWAP2BOARD`, lines of `X,Y`, `DONE` | three points; or `SWAP`, one point, two points |
//! | `INFO KEY VALUE` | - |
//! | `ABOUT` | `name="N", version="V", author="A"` |
//! | `END` | - |
//! | `YXBOARD`, lines as for `BOARD`, `DONE` | -; the board is as told, and it is the engine's turn |
//! | `YXNBEST N` | N lines of analysis, and the best move, which is not played |
//! | `ANALYZE N`, `ANALYZE` | N lines of analysis (3 unless told), `OK`; nothing is played |
//! | `STOP`, `YXSTOP` | -; what is being thought about is answered now |
//! | `YXHASHCLEAR` | -; what was learned is forgotten |
//!
//! What cannot be obeyed is answered by `ERROR` and what was wrong and what is accepted, and changes nothing. (A stone that ends the game is put
//! all the same: it can be taken back, and nothing more can be played.) A word that
//! is not above, by `UNKNOWN`. Words may be written in either case, with white space around and between, and lines may end in
//! CR LF. The specification is `doc/GomocupProtocol.md` of <https://github.com/Gomocup/GomocupJudge>; words that begin with `YX`
//! are those of Yixin and Rapfi.
//!
//! # What it says
//! Before a move, and at most once a second while it thinks, the engine says what it has found, in the form that Rapfi uses:
//! ```text
//! MESSAGE depth 9-9 ev 57 n 120345 n/ms 401 tm 300 pv 8,6 9,5 7,7
//! ```
//! `ev` is for whoever is to move, on a logistic scale: 1 / (1 + e^(-`ev`/400)) is (1 + value) / 2 of a value in points; `+M5` is a win in 5 moves of both seats together, `-M4` a
//! loss. Then come nodes, nodes a millisecond, milliseconds, and the moves expected. Lines of analysis have `multipv 1`, the best, `multipv 2`
//! and so on after the depth.
//!
//! # What INFO tells
//! | key | value | counts as |
//! | --- | --- | --- |
//! | `timeout_turn` | milliseconds for a move | kept, a twentieth (at least 20, at most 250, of short times a quarter) held back, or twice what recent answers were late by; 0: some 10 ms |
//! | `timeout_match`, `time_left` | milliseconds for all moves, those left | a share of it, for some 30 moves at first and never fewer than 14; none left: at once |
//! | `max_memory` | bytes for the process, 0: no limit | all but 24 MiB for tables, at most three quarters |
//! | `rule` | 0 freestyle, 1 standard, 4 renju, 8 caro (9 too; 5 is renju) | 2, continuous games, and sums of others: `ERROR` when a move is asked for |
//! | `game_type`, `evaluate`, `folder` | | nothing: it plays its best against everybody and keeps no files |
//! | `thread_num` | threads, 1 to 256 | |
//! | `hash_size` | KiB for tables | as `max_memory` if that leaves less |
//! | `max_depth`, `max_node` | 0: no limit | limits of every search |
//! | `strength` | 0 to 100 | below 100 a limit of 50 * 1.12^`strength` nodes |
//!
//! Other keys are ignored. A value that is none is told of by a `MESSAGE` before the next answer, as nobody listens to answers
//! to `INFO`. Without a word of time a move takes 5 seconds. Time runs from when a command was read, and all the engine knows of
//! a match that has no `time_left` is what its own moves took.
//!
//! # What the specification leaves open
//! - Who moves first follows from the number of stones: who is to move and has no fewer than the other. So stones of `BOARD` may
//!   come in any order, and any number of them; if they come in the order of the moves the engine is told the game's course too.
//! - `BOARD`'s field 3, a stone that counts for nobody in continuous games or a forbidden point in renju, is no stone here; the engine
//!   plays elsewhere.
//! - Commands that come while the engine thinks are obeyed one after another, all but `END` and `STOP`; but for a new game it
//!   answers at once what it was thinking about.
//! - `END` stops the engine, and nothing is written any more. But what was asked together with `END`, in one go (a script that is
//!   piped in) or within 50 ms, is still answered, within 0.7 seconds. The end of the input is no other thing.
//! - `SWAP2BOARD` leaves the board as if what was answered had come about, so that a `TURN` may follow as well as a `BOARD`.
//!
//! # Examples
//! ```
//! use games_gomoku::{Narrowed, eval::Shapes};
//! use protocols::gomocup::Server;
//! use search_alphabeta::AlphaBeta;
//!
//! let server = Server::new("example", "1.0", "nobody");
//! let engine = |setup: &protocols::gomocup::Setup| {
//!     AlphaBeta::<Narrowed, _>::new(Shapes).with_lines(setup.lines).with_threads(setup.threads)
//! };
//! let (input, mut output) = ("START 15\nINFO timeout_turn 50\nBEGIN\nEND\n", Vec::new());
//! server.serve(engine, input.as_bytes(), &mut output)?; // stdin().lock(), stdout()
//! let output = String::from_utf8(output)?;
//! assert!(output.starts_with("OK\nMESSAGE depth ") && output.ends_with("\n7,7\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod info;
mod position;
mod progress;
mod server;
mod worker;

pub use progress::Progress;
pub use server::{Server, Setup};
