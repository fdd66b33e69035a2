//! The protocol of the platform that the Chinese computer games tournaments use (SAU's), for Connect6: to be an engine.
//!
//! | asked | answered |
//! | --- | --- |
//! | `name?`, `name` | `name NAME` |
//! | `new black` (a new game, the engine has Black) | a move |
//! | `new white` (a new game, the engine has White) | - |
//! | `move XXYY` (the opponent has played there) | a move |
//! | `end`, `end black`, `end white` | -; the game is over, and so is what is being thought about |
//! | `error` (the engine's last move was refused) | - |
//! | `accept`, `refuse`, `take`, `taked` (of other games) | - |
//! | `quit`, `exit` | - |
//!
//! and what Cloudict added, by which positions are set up:
//!
//! | asked | answered |
//! | --- | --- |
//! | `black XXYY`, `white XXYY` (these stones are put on the board) | - |
//! | `next` (whoever did not put the last stones is to play) | a move |
//! | `print` | the board and its text |
//! | `depth D` | -; searches look at most D turns ahead, 0 for as far as there is time |
//! | `vcf`, `unvcf` | -; with or without the search for forced wins, where the engine has the choice |
//! | `help` | -; the words are listed on standard error |
//!
//! and what is ours, as neither has words for time:
//!
//! | asked | answered |
//! | --- | --- |
//! | `time S` | -; a turn may take S seconds, 0 for as little as possible |
//! | `clock S` | -; all turns of a game together may take S seconds, 0 for no limit; what is left counts down from now, and from S again in the next game |
//! | `stop` | -; what is being thought about is answered now |
//!
//! A point is two letters, column and row from `A` at the top left, none left out. A move is `move XXYY`, both stones of the turn;
//! the single stone of Black's first turn is `move JJ@@`, as the sample engines write it. Read are `JJ`, `JJ@@`, `@@JJ`, `JJJJ`, in either
//! case, and with white space between the stones. Where the first stone wins, and where one point is left, a turn may have one stone when it is
//! read; when it is written only on the last point.
//!
//! # What cannot be obeyed
//! Platforms ignore what they do not understand, so nothing but answers is written to standard output. A line that is cut off, unknown or longer
//! than [`MAX_LINE`] bytes, and a move that is illegal, comes again or comes after the end of the game, is told of on standard
//! error, with what is accepted, and changes nothing: the game goes on where it was. Nobody has to read that: messages that cannot be written are
//! dropped, and the engine never waits for them.
//!
//! # What the platform leaves open
//! - Lines that come while the engine thinks are obeyed one after another, but `new`, `end` and `quit` stop it, and the answer to what was asked
//!   before is not written. (What came in one go with them, as from a script, is answered first.) At the end of the input the engine ends as well.
//! - `move` is by whoever is to move, whichever colour `new` named. Before the first `new` the board is empty.
//! - Stones that are put with `black` and `white` in the order of a game are its moves; others make a position, in which the other side
//!   than the last has a whole turn.
//! - After `error` the board stays as it was: the engine's moves are legal on the board that it was told of, and `print` shows it.
//!
//! # Time
//! Without a word of time a turn has 5 seconds. A twentieth of a turn's time (at least 20 ms, at most 250, of short times a quarter) is held back
//! for the way to the platform's clock. Of the clock a turn gets an equal share, for 30 turns at first and never fewer than 10. The first of two
//! stones has three quarters of the turn's time, as an engine may decide on both of them then, and the second what is left.
//!
//! # Examples
//! ```
//! use gamecore::random::generator;
//! use protocols::connect6::{Server, Setup};
//! use search_core::RandomAgent;
//!
//! let server = Server::new("careless");
//! let (input, mut output) = ("name?\nnew black\nmove KKLL\nquit\n", Vec::new());
//! // stdin(), stdout(), stderr()
//! server.serve(|_: &Setup| RandomAgent(generator(1)), input.as_bytes(), &mut output, std::io::sink())?;
//! let output = String::from_utf8(output)?;
//! let lines: Vec<&str> = output.lines().collect();
//! assert!(lines[0] == "name careless" && lines[1].ends_with("@@") && lines[2].starts_with("move "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod notes;
mod position;
mod server;
mod time;
mod worker;

pub use server::{MAX_LINE, Server, Setup};
