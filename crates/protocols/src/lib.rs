//! Engines in other processes, both ways: to play against them, and to be one.
//!
//! A [`Wire`] is a child process that is spoken to in lines, and that can neither hang, flood nor outlive this process.
//! A [`Protocol`] is what two programs say to each other over it. [`Outside`] puts both together: an
//! [`Agent`](search_core::Agent) like any other, whose moves are chosen by another program.
//!
//! The protocol that works for every game with a text is UGI, in [`ugi`]: [`ugi::Ugi`] asks an engine,
//! [`ugi::Server`] answers for one of ours.
#![cfg_attr(feature = "backgammon", doc = "For backgammon there is GNU Backgammon's protocol for external players: [`gnubg`].")]
#![cfg_attr(feature = "gomoku", doc = "For gomoku there is the protocol of Gomocup and Piskvork: [`gomocup`].")]
#![cfg_attr(feature = "connect6", doc = "For Connect6 there is the protocol of the Chinese tournaments: [`connect6`].")]
//!
//! # Features
//! `backgammon`: a player for GNU Backgammon; `gomoku`: an engine for Gomocup's managers; `connect6`: one for the platform of
//! the Chinese tournaments. All are off by default.
//!
//! # Examples
//! A seat for another program:
//! ```no_run
//! use gamecore::{Game, testing::toys::TicTacToe};
//! use protocols::{Launch, Outside, Patience, ugi::Ugi};
//! use search_core::{Agent, Limits};
//!
//! let launch = Launch::new("some-engine").with_args(["--threads", "1"]);
//! let mut engine = Outside::<TicTacToe, _>::start(launch, Ugi::new(), Patience::default())?;
//! engine.new_game(7);
//! let report = engine.choose(&TicTacToe::default().into(), &Limits::depth(4))?;
//! println!("{} plays {:?}", engine.name(), report.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! And the other side, a program that is an engine:
//! ```
//! use gamecore::{random::generator, testing::toys::Pig};
//! use protocols::ugi::Server;
//! use search_core::RandomAgent;
//!
//! let server = Server::<Pig>::new("careless", "nobody").with_start(Pig::new(50));
//! let (input, mut output) = ("ugi\nposition startpos\ngo depth 1\nisready\n", Vec::new());
//! server.serve(&mut RandomAgent(generator(1)), input.as_bytes(), &mut output)?; // stdin().lock(), stdout()
//! let output = String::from_utf8(output)?;
//! assert!(output.contains("ugiok\n") && output.contains("bestmove roll\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "connect6")]
pub mod connect6;
#[cfg(any(feature = "connect6", feature = "gomoku"))]
mod desk;
#[cfg(feature = "backgammon")]
pub mod gnubg;
#[cfg(feature = "gomoku")]
pub mod gomocup;
mod line;
mod protocol;
pub mod ugi;
mod wire;

pub use line::MAX_LINE;
pub use protocol::{Outside, Patience, Protocol};
pub use wire::{Launch, MAX_ANSWER, Wire, WireError, end_all};
