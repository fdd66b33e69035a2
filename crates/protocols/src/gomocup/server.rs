//! The reading side, and what it shares with the working side.

use std::io::{self, Read, Write};
use std::sync::mpsc::channel;
use std::thread::{self, Builder};
use std::time::Duration;

use games_gomoku::Gomoku;
use search_core::Agent;

use super::progress::Progress;
use super::worker::Worker;
use crate::desk::{self, Desk, Kind, STACK, one_line, words};

/// What was asked together with the end is answered within this time.
const LAST_ANSWERS: Duration = Duration::from_millis(700);

/// What an engine is to be made with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// Threads that it may search with, at least 1.
    pub threads: usize,
    /// Bytes for its tables; `None` if it may choose. Searches have it among their [`Limits`](search_core::Limits) too.
    pub table: Option<usize>,
    /// Moves whose exact values and lines its reports should have: 1 for play, more for analysis.
    pub lines: usize,
    /// Where it can tell what it knows while it thinks.
    pub progress: Progress,
}

/// The answering side of [Gomocup's protocol](super): lets any [`Agent`] for gomoku be an engine.
///
/// # Examples
/// The [module](super) has one.
#[derive(Clone, Debug)]
pub struct Server {
    pub(super) about: String,
    pub(super) seed: u64,
}

impl Server {
    /// An engine of this name and version, by this author.
    #[must_use]
    pub fn new(name: &str, version: &str, author: &str) -> Self {
        let plain = |text: &str| one_line(text).replace('"', "'");
        let about = format!("name=\"{}\", version=\"{}\", author=\"{}\"", plain(name), plain(version), plain(author));
        Self { about, seed: 0 }
    }

    /// Adds what else `ABOUT` should tell, as `country`, `www` or `email`.
    #[must_use]
    pub fn with_about(mut self, keyword: &str, text: &str) -> Self {
        self.about += &format!(", {}=\"{}\"", one_line(keyword), one_line(text).replace('"', "'"));
        self
    }

    /// With another seed than 0, from which each game's engine and the openings of swap2 have theirs.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Serves until `END` or the end of the input.
    ///
    /// `engine` makes the player; again whenever the [`Setup`] changes, the earlier one being dropped before. It works on a thread of its
    /// own, with 64 MiB of stack, so that the input is read while it thinks. Answers are flushed line by line.
    ///
    /// A player that panics or knows no legal move is told of by a `MESSAGE`; the move is then the most promising one without a search.
    ///
    /// # Errors
    /// If the input cannot be read, the output not be written, or there is no thread to be had.
    pub fn serve<P: Agent<Gomoku>>(
        &self,
        engine: impl FnMut(&Setup) -> P + Send,
        input: impl Read,
        output: impl Write + Send,
    ) -> io::Result<()> {
        let desk = Desk::new(output);
        let (tell, hear) = channel();
        let progress = Progress::default();
        let worker = Worker::new(self, engine, &desk, progress.clone());
        let result = thread::scope(|scope| {
            // Ends with the last line, or the desk; the other one ends with it.
            let thread = Builder::new().name("gomocup thinks".into()).stack_size(STACK);
            let worker = thread.spawn_scoped(scope, move || worker.run(&hear))?;
            let say = |line: &str| desk.say(line);
            Builder::new().name("gomocup tells".into()).spawn_scoped(scope, move || progress.write(say))?;
            desk::read(input, &desk, tell, &worker, LAST_ANSWERS, kind)
        });
        result.and(desk.into_result())
    }
}

/// What a line is to the thread that reads.
fn kind(line: &str) -> Kind {
    match words(line).next().map(str::to_ascii_uppercase).as_deref() {
        Some("END") => Kind::Ends,
        Some("STOP" | "YXSTOP") => Kind::Stops,
        // Who wants another game does not wait for this one's next move.
        Some("START" | "RECTSTART" | "RESTART") => Kind::Hurries,
        Some("INFO") => Kind::Tells,
        _ => Kind::Asks,
    }
}
