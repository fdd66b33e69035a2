//! The engine's side, and the thread that reads.

use std::io::{self, Read, Write};
use std::sync::mpsc::channel;
use std::thread::{self, Builder};
use std::time::Duration;

use games_connect6::Connect6;
use search_core::{Agent, Limits};

use super::notes::Notes;
use super::worker::Worker;
use crate::desk::{self, Desk, Kind, STACK, one_line, words};

/// The longest line, in bytes, without its end.
pub const MAX_LINE: usize = 256;
/// What was asked together with the end is answered within this time.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// What an engine is to be made with.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// Whether it may search for forced wins apart from everything else (`vcf`, `unvcf`). True unless told.
    pub threats: bool,
    /// Whether its searches have a limit of depth (`depth D`), which not every search knows. False unless told.
    pub by_depth: bool,
}

/// The answering side of the [protocol](super): lets any [`Agent`] for Connect6 be an engine.
///
/// # Examples
/// The [module](super) has one.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) name: String,
    pub(super) seed: u64,
    pub(super) turn: Option<Duration>,
    pub(super) game: Option<Duration>,
    pub(super) limits: Limits,
}

impl Server {
    /// An engine of this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: one_line(name), seed: 0, turn: None, game: None, limits: Limits::default() }
    }

    /// With another seed than 0, from which each game's engine has its own.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// With so much time for a turn, until `time` says something else.
    #[must_use]
    pub fn with_turn_time(self, time: Duration) -> Self {
        Self { turn: Some(time), ..self }
    }

    /// With so much time for all turns of a game, until `clock` says something else.
    #[must_use]
    pub fn with_game_time(self, time: Duration) -> Self {
        Self { game: Some(time), ..self }
    }

    /// With limits for every stone, whatever is said of time and depth; if they limit anything, the 5 seconds that a turn has unless
    /// somebody says otherwise are no limit.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Serves until `quit`, `exit` or the end of the input.
    ///
    /// `engine` makes the player; again whenever the [`Setup`] changes, the earlier one being dropped before. It works on a thread of its
    /// own, with 64 MiB of stack, so that the input is read while it thinks. Answers are flushed line by line. `errors` is what people may
    /// read; it is written to on a thread of its own, and what cannot be written in time is dropped.
    ///
    /// A player that panics or knows no legal move is told of there; the move is then a point near the others, without a search.
    ///
    /// # Errors
    /// If the input cannot be read, the output not be written, or there is no thread to be had.
    pub fn serve<P: Agent<Connect6>>(
        &self,
        engine: impl FnMut(&Setup) -> P + Send,
        input: impl Read,
        output: impl Write + Send,
        errors: impl Write + Send + 'static,
    ) -> io::Result<()> {
        let (desk, notes) = (Desk::new(output), Notes::new(errors));
        let (tell, hear) = channel();
        let worker = Worker::new(self, engine, &desk, &notes);
        let result = thread::scope(|scope| {
            // Ends with the last line, or the desk.
            let thread = Builder::new().name("connect6 thinks".into()).stack_size(STACK);
            let worker = thread.spawn_scoped(scope, move || worker.run(&hear))?;
            desk::read(input, &desk, tell, &worker, LAST_ANSWERS, kind)
        });
        result.and(desk.into_result())
    }
}

/// What a line is to the thread that reads.
fn kind(line: &str) -> Kind {
    match words(line).next().map(str::to_ascii_lowercase).as_deref() {
        Some("quit" | "exit") => Kind::Ends,
        Some("new" | "end") => Kind::Drops,
        Some("stop") => Kind::Stops,
        Some("move" | "next" | "name" | "name?" | "print") => Kind::Asks,
        _ => Kind::Tells,
    }
}
