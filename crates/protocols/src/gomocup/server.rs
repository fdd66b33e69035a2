//! The reading side, and what it shares with the working side.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::{Duration, Instant};

use gamecore::text::is_invisible;
use games_gomoku::Gomoku;
use search_core::{Agent, StopFlag};

use super::progress::Progress;
use super::worker::{Asked, Worker};
use crate::line::{self, Line};

/// Lines that wait while the engine thinks.
const WAITING: usize = 512;
/// What was asked so shortly before the end was asked together with it.
const TOGETHER: Duration = Duration::from_millis(50);
/// What was asked together with the end is answered within this time.
const LAST_ANSWERS: Duration = Duration::from_millis(700);
/// Searches nest positions and lists of moves, kilobytes a move.
const STACK: usize = 64 << 20;

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
        let desk = Desk { output: Mutex::new(Output { to: output, result: Ok(()), closed: false }), until: Mutex::new(None) };
        let (tell, hear) = sync_channel(WAITING);
        let progress = Progress::default();
        let worker = Worker::new(self, engine, &desk, progress.clone());
        let result = thread::scope(|scope| {
            // Ends with the last line, or the desk; the other one ends with it.
            let thread = Builder::new().name("gomocup thinks".into()).stack_size(STACK);
            let worker = thread.spawn_scoped(scope, move || worker.run(&hear))?;
            let say = |line: &str| desk.say(line);
            Builder::new().name("gomocup tells".into()).spawn_scoped(scope, move || progress.write(say))?;
            read(input, &desk, tell, &worker)
        });
        let output = desk.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        result.and(output.result)
    }
}

/// What the threads share.
pub(super) struct Desk<W> {
    output: Mutex<Output<W>>,
    /// When everything has to be answered.
    until: Mutex<Option<Instant>>,
}

struct Output<W> {
    to: W,
    /// The first error of writing.
    result: io::Result<()>,
    /// Nothing more is to be written.
    closed: bool,
}

impl<W: Write> Desk<W> {
    fn output(&self) -> MutexGuard<'_, Output<W>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes whole lines.
    pub(super) fn say(&self, lines: &str) {
        let mut output = self.output();
        if !output.closed {
            output.result = output.to.write_all(lines.as_bytes()).and_then(|()| output.to.flush());
            output.closed = output.result.is_err();
        }
    }

    /// Whether nobody is to hear any more.
    pub(super) fn is_closed(&self) -> bool {
        self.output().closed
    }

    fn close(&self) {
        self.output().closed = true;
    }

    /// What is left until everything has to be answered, if it has.
    pub(super) fn left(&self) -> Option<Duration> {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    fn answer_until(&self, until: Instant) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }
}

/// Counts how often it was read from: what came in one go is read in one go.
struct Counted<R> {
    from: R,
    reads: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        self.from.read(buffer)
    }
}

/// Hands lines to the worker until the end, and sees to it that the worker ends.
fn read<W: Write>(
    input: impl Read,
    desk: &Desk<W>,
    tell: SyncSender<Asked>,
    worker: &ScopedJoinHandle<'_, ()>,
) -> io::Result<()> {
    let mut input = BufReader::new(Counted { from: input, reads: 0 });
    let all = StopFlag::default();
    // When and in which go the latest line came, and what stops the latest search.
    let mut latest: Option<(Instant, u64)> = None;
    let mut search: Option<StopFlag> = None;
    let result = loop {
        let line = match line::read(&mut input) {
            Ok(Line::Full(line)) => Some(line),
            Ok(Line::TooLong) => match line::skip(&mut input) {
                Ok(()) => None,
                Err(e) => break Err(e),
            },
            Ok(Line::End) => break Ok(()),
            Err(e) => break Err(e),
        };
        let (at, reads) = (Instant::now(), input.get_ref().reads);
        let words: Vec<String> = line.iter().flat_map(|l| words(l)).map(str::to_ascii_uppercase).collect();
        let (first, last) = (words.first().map_or("", String::as_str), words.last().map_or("", String::as_str));
        let apart = latest.is_some_and(|(asked, go)| go != reads && asked.elapsed() >= TOGETHER);
        let searches = match first {
            "END" => {
                if apart {
                    desk.close();
                }
                break Ok(());
            }
            "START" | "RECTSTART" | "RESTART" => {
                // Who wants another game does not wait for this one's next move.
                search.iter().filter(|_| apart).for_each(StopFlag::raise);
                false
            }
            "STOP" | "YXSTOP" => {
                search.iter().for_each(StopFlag::raise);
                continue;
            }
            "BEGIN" | "TURN" | "YXNBEST" | "ANALYZE" => true,
            _ => last == "DONE",
        };
        let stop = all.child();
        if searches {
            search = Some(stop.clone());
        }
        if first != "INFO" {
            latest = Some((at, reads));
        }
        if tell.send(Asked { line, at, stop }).is_err() || desk.is_closed() {
            desk.close();
            break Ok(());
        }
    };
    let until = Instant::now() + LAST_ANSWERS;
    desk.answer_until(until);
    drop(tell);
    while !desk.is_closed() && !worker.is_finished() && Instant::now() < until {
        thread::sleep(Duration::from_millis(1));
    }
    all.raise();
    result
}

/// The words of a line; what surrounds them may be anything that nobody sees.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || is_invisible(c)).filter(|word| !word.is_empty())
}

/// With nothing that would end the line, or worse.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect()
}
