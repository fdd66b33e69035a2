//! A person at the terminal: board, input, hints, undo, records.
//!
//! A [`Session`] is one game between people and agents, in any mixture; [`replay`] shows a game that was recorded.
//! Both take their lines from an [`Input`] and write to a [`Screen`]: with [`stdin`] and [`stdout`] that is a terminal
//! with line editing and colours, or a pipe without either; with a [`Script`] and a `Vec<u8>` it is a test.
//!
//! Nothing here knows a game or a search: whatever is [`Draw`](gamecore::Draw) can be played against whatever is an
//! [`Agent`](search_core::Agent), with advice from an [`Analyst`](search_core::Analyst).
//!
//! # Examples
//! A person against an agent. Here the person is a script, who plays the centre, asks for help and leaves:
//! ```
//! use gamecore::{Player, random, testing::toys::TicTacToe};
//! use play::{Ending, Screen, Script, Seat, Session};
//! use search_core::{Limits, RandomAgent};
//!
//! let agent = Box::new(RandomAgent(random::generator(1)));
//! let mut shown = Vec::new();
//! let ending = Session::<TicTacToe>::new(1, |_seed| TicTacToe::default())
//!     .with_seat(Player::Two, Seat::Agent { agent, limits: Limits::default() })
//!     .run(&mut Script::new("b2\nhelp\nquit"), &mut Screen::new(&mut shown, false))?;
//! assert_eq!(ending, Ending::Quit);
//! assert!(String::from_utf8(shown)?.contains("You play b2."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod command;
mod file;
mod flags;
mod format;
mod input;
mod interrupt;
mod look;
mod opening;
mod replay;
mod screen;
mod session;

pub use file::{FileError, LONGEST_RECORD, RecordFile, load, load_as};
pub use flags::{Color, FlagError, Side, number, parse_seat, parse_seconds};
pub use format::{ASSUMED, Format};
pub use input::{Input, LONGEST_LINE, Line, Piped, Script, stdin};
pub use interrupt::{INTERRUPTED, Interrupt};
pub use look::Look;
pub use opening::{Answer, Opened, Opening};
pub use replay::replay;
pub use screen::{Screen, WIDTH, stdout};
pub use session::{Ending, Seat, Session};
