//! A player for GNU Backgammon, and for referees that ask for one play a line.
//!
//! | asked | answered |
//! | --- | --- |
//! | a [board of FIBS](fibs) with dice | the play, `24/18* 13/11`; an empty line if there is none |
//! | a board without dice | `roll`: the player never doubles |
//! | a board with a double offered | `take` or `drop` |
//! | `best ID D1 D2`: a [Position ID](gnubg), who is on roll has thrown the dice | the Position ID after the play, seen by the same side |
//! | an empty line | - |
//! | `quit` | - |
//!
//! A line that cannot be answered gets `Error (` and what was wrong, as GNU Backgammon's own errors begin; it then gives up
//! the turn and says so. Lines have at most [`MAX_LINE`] bytes.
//!
//! # External players
//! `set player 0 external localhost:1234` makes GNU Backgammon connect to a program that listens there. What it sends is
//! documented nowhere but in its source (`ComputerTurn`, `FIBSBoard`), and holds traps:
//!
//! - Every line is followed by a zero byte, which comes before the next.
//! - "The player" of the board, with the positive checkers, is its player 1, whoever is on roll. If that is player 0, the turn
//!   is -1 and the *negative* checkers are to be moved; names and scores are the mover's first all the same.
//! - A double is offered by who is on roll; the board is to be judged from the other side.
//! - Both sides' dice are the same, those of who is on roll.
//! - It rolls for the player unless that may double.
//! - It answers resignations for the player: a backgammon is accepted, anything else declined.
//! - A word for a pass is no play to its parser: the answer is an empty line.
//!
//! # Doubles
//! There is no cubeful evaluation here. A double is taken if the value before the roll, gammons counted, is more than -0.5
//! points for the cube as it was: then two points a game lose no more than the one that passing costs. That owning the cube is
//! worth something is not counted. In a match a double is taken too if passing loses it. The score counts for nothing else.
//!
//! # Examples
//! ```
//! use games_backgammon::eval::Baseline;
//! use protocols::gnubg::Server;
//! use search_core::Limits;
//! use search_expectimax::Expectimax;
//!
//! let server = Server::new(Limits::depth(1));
//! let (input, mut output) = ("best 4HPwATDgc/ABMA 3 1\n", Vec::new());
//! server.serve(&mut Expectimax::new(Baseline), input.as_bytes(), &mut output)?; // stdin().lock(), stdout()
//! assert_eq!(String::from_utf8(output)?, "4HPwATCwZ/ABMA\n"); // 8/5 6/5
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, BufRead, Write};

use gamecore::text::{is_invisible, quoted};
use gamecore::{Game, Roll};
use games_backgammon::formats::{FormatError, fibs, gnubg};
use games_backgammon::{Backgammon, Move, SetupError, notation};
use search_core::{Agent, AgentError, Analyst, Limits, SearchError};

use crate::MAX_LINE;
use crate::line::{self, Line};

/// Lines one after the other that cannot be answered before whoever sends them is left.
const PATIENCE: u32 = 1000;

/// The least value, in points for the cube as it is, at which a double is taken.
const TAKE: f64 = -0.5;

/// What is asked of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    /// A play of the dice; the answer is its notation.
    Play(Backgammon),
    /// Whether to roll or to double.
    Roll(Backgammon),
    /// Whether to take a double that the mover of this position offers; it is to roll.
    Double {
        /// The position before the roll; who offers is to move.
        game: Backgammon,
        /// Whether to pass would lose the match.
        decides_match: bool,
    },
    /// A play of the dice; the answer is the Position ID after it.
    Best(Backgammon),
}

impl Request {
    /// Reads a board of FIBS as GNU Backgammon sends it, or a `best` line.
    ///
    /// # Errors
    /// If it is neither, or the rules exclude the position.
    pub fn parse(line: &str) -> Result<Self, RequestError> {
        let line = line.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        if line.starts_with("board:") {
            return Self::board(line);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["best", id, one, two] = words[..] else { return Err(RequestError::Unknown { found: quoted(line) }) };
        let die = |word: &str| match word.as_bytes() {
            &[face @ b'1'..=b'6'] => Ok(face - b'0'),
            _ => Err(RequestError::Die { found: quoted(word) }),
        };
        let roll = Roll::new(die(one)?, die(two)?);
        let game = gnubg::parse_position_id(id, gamecore::Player::One)?.with_dice(Some(roll))?;
        Ok(Self::Best(game))
    }

    fn board(line: &str) -> Result<Self, RequestError> {
        const DOUBLED: usize = 40;
        let mut fields: Vec<&str> = line.split(':').collect();
        let doubled = fields.get(DOUBLED).is_some_and(|&field| field != "0");
        if doubled {
            fields[DOUBLED] = "0";
        }
        let game = fibs::parse(&fields.join(":"))?.game;
        if game.outcome().is_some() {
            return Err(RequestError::Over);
        }
        if doubled {
            // The scores are the mover's first, whoever is "the player".
            let number = |i: usize| fields[i].parse::<u32>().unwrap_or(0);
            let (length, theirs) = (game.stakes().length().map(u32::from), number(4));
            let decides_match = length.is_some_and(|length| theirs + game.stakes().cube() >= length);
            return Ok(Self::Double { game: game.with_dice(None)?, decides_match });
        }
        Ok(if game.dice().is_some() { Self::Play(game) } else { Self::Roll(game) })
    }
}

/// Answers for a player.
///
/// # Examples
/// The [module](self) has one.
#[derive(Clone, Debug, Default)]
pub struct Server {
    limits: Limits,
}

impl Server {
    /// A player may spend so much on an answer.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits }
    }

    /// The answer to a line, without an end of line.
    ///
    /// # Errors
    /// If the line is no [`Request`], or the player fails.
    pub fn answer<P>(&self, player: &mut P, line: &str) -> Result<String, RequestError>
    where
        P: Agent<Backgammon> + Analyst<Backgammon> + ?Sized,
    {
        Ok(match Request::parse(line)? {
            Request::Roll(_) => "roll".into(),
            Request::Play(game) => match self.choose(player, game)? {
                m if m.is_pass() => String::new(),
                m => notation::text(&game, m),
            },
            Request::Best(game) => {
                let after = game.after(self.choose(player, game)?);
                // Seen by who has played, who is not on roll any more.
                let boards = gamecore::Player::BOTH.map(|seat| after.board(seat));
                gnubg::position_id(&Backgammon::from_board(boards, game.mover(), None)?)
            }
            Request::Double { decides_match: true, .. } => "take".into(),
            Request::Double { game, .. } => {
                let value = player.analyse(&game, &self.limits)?.value.unwrap_or(0.0);
                let own = f64::from(game.mover().other().sign()) * value;
                if own > TAKE { "take".into() } else { "drop".into() }
            }
        })
    }

    fn choose<P: Agent<Backgammon> + ?Sized>(&self, player: &mut P, game: Backgammon) -> Result<Move, RequestError> {
        let best = player.choose(&game.into(), &self.limits)?.best.ok_or(RequestError::NoPlay)?;
        game.clone().try_play(best).map_err(|_| RequestError::NoPlay)?;
        Ok(best)
    }

    /// Answers line by line until `quit` or the end of the input, or until a thousand lines one after the other could not be
    /// answered. Answers are flushed.
    ///
    /// # Errors
    /// If the input cannot be read or the output not be written.
    pub fn serve<P>(&self, player: &mut P, mut input: impl BufRead, mut output: impl Write) -> io::Result<()>
    where
        P: Agent<Backgammon> + Analyst<Backgammon> + ?Sized,
    {
        let mut failed = 0;
        while failed < PATIENCE {
            let answer = match line::read(&mut input)? {
                Line::End => return Ok(()),
                Line::TooLong => {
                    line::skip(&mut input)?;
                    Err(RequestError::TooLong)
                }
                Line::Full(line) => match line.trim_matches(|c: char| c == '\0' || c.is_whitespace()) {
                    "" => continue,
                    "quit" | "exit" => return Ok(()),
                    line => self.answer(player, line),
                },
            };
            failed = if answer.is_ok() { 0 } else { failed + 1 };
            let text = answer.unwrap_or_else(|error| {
                let text: String = error.to_string().chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect();
                format!("Error ({text})")
            });
            // At once: a peer that waits for the rest of a packet waits long.
            output.write_all(format!("{text}\n").as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }
}

/// Why a line is not answered.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// It is nothing that is asked here.
    #[error("\"{found}\" is not understood: I know best ID D1 D2, a board of FIBS, and quit")]
    Unknown {
        /// The line, shortened and made printable.
        found: String,
    },
    /// The line is too long.
    #[error("a line has at most {MAX_LINE} bytes")]
    TooLong,
    /// No die.
    #[error("\"{found}\" is not a die: 1 to 6")]
    Die {
        /// What was given.
        found: String,
    },
    /// Nothing is to be decided any more.
    #[error("the game is over")]
    Over,
    /// The position cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The position cannot be rolled for.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The player found no legal play.
    #[error("the player has no legal play")]
    NoPlay,
    /// The player failed.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The player failed to value a position.
    #[error(transparent)]
    Search(#[from] SearchError),
}
