//! What servers share that read while their engine thinks: one thread reads lines, another obeys them one after the other.

use std::io::{self, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use gamecore::text::is_invisible;
use gamecore::{Game, History};
use search_core::{Agent, Limits, ReportOf, StopFlag};

use crate::line::{self, Line};

/// Lines that wait while the engine thinks take so many bytes at most; the input is read no further then.
const MOST_WAITING: usize = 32 << 20;
/// Searches nest positions and lists of moves, kilobytes a move.
pub(crate) const STACK: usize = 64 << 20;
/// For an answer if nobody says anything of time.
pub(crate) const USUAL: Duration = Duration::from_secs(5);
/// No search gets less: it has to begin.
pub(crate) const LEAST: Duration = Duration::from_micros(100);
/// What was asked so shortly before another line was asked together with it.
const TOGETHER: Duration = Duration::from_millis(50);

/// A line as it was read.
pub(crate) struct Asked {
    /// `None` if it was too long.
    pub(crate) line: Option<String>,
    pub(crate) at: Instant,
    /// Stops the search for the answer.
    pub(crate) stop: StopFlag,
    /// Raised if nobody wants the answer any more.
    #[cfg_attr(not(feature = "connect6"), expect(dead_code, reason = "Gomocup's managers want every answer"))]
    pub(crate) unwanted: StopFlag,
}

impl Asked {
    /// What it takes while it waits, about.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.line.as_ref().map_or(0, String::len)
    }
}

/// What a line is to the thread that reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A question, or what somebody may wait for.
    Asks,
    /// It has no answer that somebody would wait for.
    Tells,
    /// What was asked before is to be answered now; the line goes no further.
    Stops,
    /// Nobody waits for a good answer to what was asked before, unless it was asked together with this: it is given now.
    #[cfg_attr(not(feature = "gomoku"), expect(dead_code, reason = "the Connect6 platform wants no answer then"))]
    Hurries,
    /// What was asked before is of no interest any more, unless it was asked together with this.
    #[cfg_attr(not(feature = "connect6"), expect(dead_code, reason = "Gomocup's managers want every answer"))]
    Drops,
    /// There is nothing more; nor do answers matter, but to what was asked together with this.
    Ends,
}

/// What the two threads share.
pub(crate) struct Desk<W> {
    output: Mutex<Output<W>>,
    /// When everything has to be answered.
    until: Mutex<Option<Instant>>,
    /// Bytes of lines that wait.
    waiting: AtomicUsize,
}

struct Output<W> {
    to: W,
    /// The first error of writing.
    result: io::Result<()>,
    /// Nothing more is to be written.
    closed: bool,
}

impl<W: Write> Desk<W> {
    pub(crate) fn new(output: W) -> Self {
        Self {
            output: Mutex::new(Output { to: output, result: Ok(()), closed: false }),
            until: Mutex::new(None),
            waiting: AtomicUsize::new(0),
        }
    }

    /// The first error of writing.
    pub(crate) fn into_result(self) -> io::Result<()> {
        self.output.into_inner().unwrap_or_else(PoisonError::into_inner).result
    }

    fn output(&self) -> MutexGuard<'_, Output<W>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes whole lines.
    pub(crate) fn say(&self, lines: &str) {
        let mut output = self.output();
        if !output.closed {
            output.result = output.to.write_all(lines.as_bytes()).and_then(|()| output.to.flush());
            output.closed = output.result.is_err();
        }
    }

    /// Whether nobody is to hear any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.output().closed
    }

    fn close(&self) {
        self.output().closed = true;
    }

    /// What is left until everything has to be answered, if it has.
    pub(crate) fn left(&self) -> Option<Duration> {
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

/// Hands lines to the worker until the end, and sees to it that the worker ends: what was asked together with the end has
/// `last` to be answered.
pub(crate) fn read<W: Write>(
    input: impl Read,
    desk: &Desk<W>,
    tell: Sender<Asked>,
    worker: &ScopedJoinHandle<'_, ()>,
    last: Duration,
    kind: impl Fn(&str) -> Kind,
) -> io::Result<()> {
    let mut input = BufReader::new(Counted { from: input, reads: 0 });
    let all = StopFlag::default();
    // Of all questions since the latest line that stopped, or dropped, those before it.
    let (mut stops, mut unwanted) = (all.child(), StopFlag::default());
    // When and in which go the latest line came.
    let mut latest: Option<(Instant, u64)> = None;
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
        let together = || latest.is_none_or(|(asked, go)| go == reads || asked.elapsed() < TOGETHER);
        let kind = line.as_deref().map_or(Kind::Asks, &kind);
        match kind {
            Kind::Ends => {
                if !together() {
                    desk.close();
                }
                break Ok(());
            }
            Kind::Stops => {
                stops.raise();
                stops = all.child();
                continue;
            }
            Kind::Hurries if !together() => {
                stops.raise();
                stops = all.child();
            }
            Kind::Drops if !together() => {
                unwanted.raise();
                stops.raise();
                (stops, unwanted) = (all.child(), StopFlag::default());
            }
            Kind::Hurries | Kind::Drops | Kind::Asks | Kind::Tells => {}
        }
        if kind != Kind::Tells {
            latest = Some((at, reads));
        }
        let asked = Asked { line, at, stop: stops.clone(), unwanted: unwanted.clone() };
        desk.waiting.fetch_add(asked.bytes(), Ordering::Relaxed);
        while desk.waiting.load(Ordering::Relaxed) > MOST_WAITING && !desk.is_closed() && !worker.is_finished() {
            thread::sleep(Duration::from_millis(1));
        }
        if tell.send(asked).is_err() || desk.is_closed() {
            desk.close();
            break Ok(());
        }
    };
    let until = Instant::now() + last;
    desk.answer_until(until);
    drop(tell);
    while !desk.is_closed() && !worker.is_finished() && Instant::now() < until {
        thread::sleep(Duration::from_millis(1));
    }
    all.raise();
    result
}

/// Tells a player of a new game; it is gone afterwards if it panicked.
pub(crate) fn begin<G: Game, P: Agent<G>>(player: &mut Option<P>, seed: u64) {
    let told = catch_unwind(AssertUnwindSafe(|| player.iter_mut().for_each(|player| player.new_game(seed))));
    if told.is_err() {
        *player = None;
    }
}

/// The next line to obey; `None` if there are no more, or nobody is to hear an answer. `idle` does what there is time for if none
/// waits.
pub(crate) fn next<W: Write>(desk: &Desk<W>, hear: &Receiver<Asked>, idle: impl FnOnce()) -> Option<Asked> {
    let asked = match hear.try_recv() {
        Err(TryRecvError::Empty) => {
            idle();
            hear.recv().ok()?
        }
        asked => asked.ok()?,
    };
    desk.waiting.fetch_sub(asked.bytes(), Ordering::Relaxed);
    Some(asked).filter(|_| !desk.is_closed())
}

/// Asks a player, who is gone afterwards if it panicked.
pub(crate) fn ask<G: Game, P: Agent<G>>(
    player: &mut Option<P>,
    history: &History<G>,
    limits: &Limits,
) -> Result<ReportOf<G>, String> {
    let asked = player.as_mut().ok_or("the engine could not be made")?;
    match catch_unwind(AssertUnwindSafe(|| asked.choose(history, limits))) {
        Ok(report) => report.map_err(|e| e.to_string()),
        Err(_) => {
            *player = None;
            Err("the engine panicked".into())
        }
    }
}

/// Held back of a time, for the way to the manager's clock.
pub(crate) fn margin(time: Duration) -> Duration {
    (time / 20).clamp(Duration::from_millis(20), Duration::from_millis(250)).min(time / 4)
}

/// The words of a line; what surrounds them may be anything that nobody sees.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || is_invisible(c)).filter(|word| !word.is_empty())
}

/// With nothing that would end the line, or worse.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect()
}
