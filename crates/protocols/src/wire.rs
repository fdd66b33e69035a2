//! A child process that is spoken to in lines.

use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use gamecore::text::quoted;
#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
use search_core::StopFlag;

use crate::line::{self, Line, MAX_LINE};

/// What a program may write between two [`Wire::send`]s, in bytes: 1 MiB. More is a flood.
pub const MAX_ANSWER: usize = 1 << 20;
/// Lines that wait to be received; a program that writes more has to wait.
const LINES_HEARD: usize = 32;
/// Lines that wait to be read by the program.
const LINES_SAID: usize = 64;
/// What is kept of a program's standard error, in bytes.
const LAST_WORDS: usize = 2 << 10;
/// Between two looks at a stop flag, and at whether the program still runs.
const LOOK: Duration = Duration::from_millis(10);
/// What a program gets to end once it has closed its output, and what its last words get to arrive.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// How a program is started: no shell, and no splitting of words, so nothing needs quotes.
///
/// # Examples
/// ```
/// use protocols::Launch;
/// let launch = Launch::new("gnubg").with_args(["--tty", "--quiet"]);
/// assert_eq!(launch.args.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// The program: a path, or a name that is looked up as a shell would.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The folder it runs in; this process's own if `None`. A `program` that is a relative path should be made absolute
    /// then: platforms differ in which folder it starts from.
    pub folder: Option<PathBuf>,
    /// Environment variables, in addition to this process's.
    pub env: Vec<(OsString, OsString)>,
}

impl Launch {
    /// A program without arguments.
    #[must_use]
    pub fn new(program: impl Into<OsString>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    /// The same, with these arguments after those it has.
    #[must_use]
    pub fn with_args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// The same, in this folder.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// The same, with this environment variable.
    #[must_use]
    pub fn with_env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }
}

/// Why a program on a [`Wire`] gave no answer. Texts are short and printable, whatever the program wrote.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The program did not start.
    #[error("{program} could not be started: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// No answer came in time, or what was said was not read in time.
    #[error("no answer after {:.1} s", after.as_secs_f64())]
    Hung {
        /// Time since the program was last spoken to.
        after: Duration,
    },
    /// The program ended, or closed its output.
    #[error("it ended ({status}){}", words(last_words))]
    Died {
        /// How it ended, as the system says it: the exit code, or the signal.
        status: String,
        /// The end of what it wrote to standard error, in one line; may be empty.
        last_words: String,
    },
    /// The program wrote a line of more than [`MAX_LINE`] bytes, or more than [`MAX_ANSWER`] in all.
    #[error("a flood of output: {bytes} bytes or more without an answer in them")]
    Flooded {
        /// How much of it was read.
        bytes: usize,
    },
    /// The stop flag was raised.
    #[error("stopped")]
    Stopped,
    /// The program answered something else.
    #[error("expected {expected}, found \"{found}\"")]
    Unexpected {
        /// What is accepted.
        expected: String,
        /// What came, shortened and made printable by [`quoted`].
        found: String,
    },
}

fn words(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!(", its last words: \"{last_words}\"") }
}

impl WireError {
    /// [`WireError::Unexpected`], with `found` made safe to print.
    #[must_use]
    pub fn unexpected(expected: impl Into<String>, found: &str) -> Self {
        Self::Unexpected { expected: expected.into(), found: quoted(found) }
    }
}

/// A child process that is spoken to in lines: standard input and output.
///
/// Whatever the program does, this process is safe from it: neither [`send`](Wire::send) nor
/// [`receive`](Wire::receive) outlasts its deadline (by a second at most, to learn how a program ended), and what is kept of the program's output is bounded (some 2 MiB).
/// A program that writes more than anybody asked for has to wait, and one that floods is ended. Of its standard error the last
/// 2 KiB are kept, for the reason if it dies.
///
/// The program has a process group of its own (a job object on Windows). The group is killed when the wire is dropped,
/// and when the program ends: what it has started ends with it. A process that leaves the group on purpose escapes.
/// If this process is itself killed, programs see the end of their input, which one that hangs does not notice. Who ends
/// this process without dropping its wires, by [`exit`](std::process::exit), calls [`end_all`] first.
///
/// # Examples
/// ```
/// # #[cfg(unix)] {
/// use protocols::{Launch, Wire};
/// use std::time::{Duration, Instant};
///
/// let soon = Instant::now() + Duration::from_secs(10);
/// let mut wire = Wire::start(&Launch::new("cat"))?;
/// wire.send("hello", soon)?;
/// assert_eq!(wire.receive(Some(soon), None)?, "hello");
/// wire.close(Duration::from_secs(1));
/// # }
/// # Ok::<(), protocols::WireError>(())
/// ```
#[derive(Debug)]
pub struct Wire {
    held: Arc<Mutex<Held>>,
    id: u32,
    /// `None` once its input is closed.
    said: Option<SyncSender<Vec<u8>>>,
    /// `None` once nothing more is to be read.
    heard: Option<Receiver<Heard>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Of input, output, standard error.
    threads: Vec<JoinHandle<()>>,
    /// When the program was last spoken to.
    asked: Instant,
    /// What it has written since.
    bytes: usize,
    /// Why nothing more will be read.
    broken: Option<WireError>,
}

/// A process, which its wire and [`end_all`] may end.
#[derive(Debug)]
struct Held {
    child: Box<dyn ChildWrapper>,
    /// Once the program has ended and was waited for: its number may then be another one's.
    status: Option<ExitStatus>,
}

impl Held {
    /// Whether the program has ended. What it has left behind is ended too.
    fn has_ended(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                let _ = self.child.start_kill();
            }
        }
        self.status.is_some()
    }

    /// Tells the system to end the program and everything it has started.
    fn start_kill(&mut self) {
        if !self.has_ended() {
            // An error here means that it has just ended.
            let _ = self.child.start_kill();
        }
    }
}

/// The processes of all wires. The lock is held while one is started: none escapes [`end_all`].
static ALL: Mutex<All> = Mutex::new(All { held: Vec::new(), ending: false });

struct All {
    held: Vec<Weak<Mutex<Held>>>,
    /// After [`end_all`].
    ending: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every process that a [`Wire`] of this program still holds, with all that they have started: for handlers that are
/// about to end the program, where no wire is dropped.
///
/// It is final: from then on no wire starts, or another thread would start its engine again before the program ends. Wires
/// that are in use say [`WireError::Died`].
///
/// It takes locks, so it is nothing for a bare signal handler: the thread that a handler wakes calls it.
pub fn end_all() {
    let mut all = lock(&ALL);
    all.ending = true;
    for held in all.held.drain(..).filter_map(|held| held.upgrade()) {
        lock(&held).start_kill();
    }
}

#[derive(Debug)]
enum Heard {
    Line(String),
    TooLong,
}

impl Wire {
    /// Starts a program.
    ///
    /// # Errors
    /// [`WireError::NotStarted`], if the system cannot: there is no such program, it is not executable, no such folder; and
    /// after [`end_all`].
    pub fn start(launch: &Launch) -> Result<Self, WireError> {
        let mut command = CommandWrap::with_new(&launch.program, |command| {
            command.args(&launch.args).envs(launch.env.iter().map(|(name, value)| (name, value)));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(folder) = &launch.folder {
                command.current_dir(folder);
            }
        });
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(JobObject);
        let failed = |e: &io::Error| WireError::NotStarted {
            program: quoted(&launch.program.to_string_lossy()),
            reason: quoted(&e.to_string()),
        };
        let mut all = lock(&ALL);
        if all.ending {
            return Err(failed(&io::Error::other("this program is about to end")));
        }
        let mut child = command.spawn().map_err(|e| failed(&e))?;
        let id = child.id();
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let held = Arc::new(Mutex::new(Held { child, status: None }));
        all.held.retain(|held| held.strong_count() > 0);
        all.held.push(Arc::downgrade(&held));
        drop(all);
        let (said, to_say) = sync_channel::<Vec<u8>>(LINES_SAID);
        let (tell, heard) = sync_channel(LINES_HEARD);
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let mut wire = Self {
            held,
            id,
            said: Some(said),
            heard: Some(heard),
            last_words: Arc::clone(&last_words),
            threads: Vec::new(),
            asked: Instant::now(),
            bytes: 0,
            broken: None,
        };
        // From here on an error drops the wire, and that ends the program.
        let mut thread = |name: &str, work: Box<dyn FnOnce() + Send>| {
            let thread = Builder::new().name(format!("wire {name}")).spawn(work).map_err(|e| failed(&e))?;
            wire.threads.push(thread);
            Ok(())
        };
        if let Some(mut stdin) = stdin {
            thread(
                "input",
                Box::new(move || {
                    // A program that does not read holds this thread up, and nobody else. Dropping `stdin` closes it.
                    for line in to_say {
                        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                            break;
                        }
                    }
                }),
            )?;
        }
        if let Some(stdout) = stdout {
            thread("output", Box::new(move || listen(BufReader::new(stdout), &tell)))?;
        }
        if let Some(stderr) = stderr {
            thread("errors", Box::new(move || remember(stderr, &last_words)))?;
        }
        Ok(wire)
    }

    /// Says a line; line breaks in it become spaces. What the program may write until the next one is counted from here.
    ///
    /// The line is handed over, not known to have been read.
    ///
    /// # Errors
    /// [`WireError::Hung`] if the program has not read earlier lines by the deadline, [`WireError::Died`] if it has closed
    /// its input.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<(), WireError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        (self.asked, self.bytes) = (Instant::now(), 0);
        let mut bytes = line.replace(['\n', '\r'], " ").into_bytes();
        bytes.push(b'\n');
        loop {
            match self.said.as_ref().map(|said| said.try_send(bytes)) {
                Some(Ok(())) => return Ok(()),
                Some(Err(TrySendError::Full(_))) if Instant::now() >= deadline => return Err(self.hung()),
                Some(Err(TrySendError::Full(back))) => bytes = back,
                Some(Err(TrySendError::Disconnected(_))) | None => return Err(self.died("closed its input")),
            }
            sleep(Duration::from_millis(1));
        }
    }

    /// The next line that the program writes, without its end. Bytes that are no UTF-8 are replaced.
    ///
    /// Without a deadline it waits as long as the program runs. A raised flag is seen within 20 ms.
    ///
    /// # Errors
    /// [`WireError::Hung`] at the deadline and [`WireError::Stopped`] if the flag is raised: the program runs on, and the
    /// answer may still come. [`WireError::Died`] and [`WireError::Flooded`]: the program has ended or is killed, and every
    /// later call has the same error.
    pub fn receive(&mut self, deadline: Option<Instant>, stop: Option<&StopFlag>) -> Result<String, WireError> {
        loop {
            if stop.is_some_and(StopFlag::is_raised) {
                return Err(WireError::Stopped);
            }
            if let Some(error) = &self.broken {
                return Err(error.clone());
            }
            let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.heard.as_ref().map(|heard| heard.recv_timeout(left.min(LOOK))) {
                Some(Ok(Heard::Line(line))) => {
                    self.bytes += line.len() + 1;
                    return if self.bytes > MAX_ANSWER { Err(self.flooded(self.bytes)) } else { Ok(line) };
                }
                Some(Ok(Heard::TooLong)) => return Err(self.flooded(self.bytes + MAX_LINE + 1)),
                Some(Err(RecvTimeoutError::Timeout)) if left.is_zero() => return Err(self.hung()),
                // If the program has ended while somebody else holds its output open, that ends too.
                Some(Err(RecvTimeoutError::Timeout)) => {
                    self.has_ended();
                }
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Err(self.died("closed its output")),
            }
        }
    }

    /// CPU time that the program has used so far, on all its threads, with that of the processes that it has started
    /// and waited for. `None` if it has ended, and on systems other than Linux.
    ///
    /// In steps of the system's clock tick, as a rule 10 ms.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        if lock(&self.held).status.is_none() {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id)).ok()?;
            // The name of the program, in brackets, may hold anything; utime is the twelfth field after it.
            let times = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
            let ticks = times.map(|ticks| ticks.parse::<u64>().ok()).sum::<Option<u64>>()?;
            return Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second().max(1) as f64));
        }
        None
    }

    /// The number that the system gave the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Whether the program still runs and can be spoken to.
    pub fn is_running(&mut self) -> bool {
        self.broken.is_none() && !self.has_ended()
    }

    /// Closes the program's input, gives it `grace` to end by itself, and then ends it as dropping does.
    pub fn close(mut self, grace: Duration) {
        self.said = None;
        let started = Instant::now();
        while !self.has_ended() && started.elapsed() < grace {
            // Read on, or a program that still has something to say could not end.
            match self.heard.as_ref().map(|heard| heard.recv_timeout(Duration::from_millis(2))) {
                Some(Ok(_) | Err(RecvTimeoutError::Timeout)) => {}
                Some(Err(RecvTimeoutError::Disconnected)) | None => sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Whether the program has ended. What it has left behind is ended too.
    fn has_ended(&self) -> bool {
        lock(&self.held).has_ended()
    }

    /// Ends the program and everything it has started, and waits for it.
    fn kill(&mut self) {
        let mut held = lock(&self.held);
        held.start_kill();
        if held.status.is_none() {
            held.status = held.child.wait().ok();
        }
        drop(held);
        (self.said, self.heard) = (None, None);
    }

    fn hung(&self) -> WireError {
        WireError::Hung { after: self.asked.elapsed() }
    }

    fn flooded(&mut self, bytes: usize) -> WireError {
        self.kill();
        self.broken.insert(WireError::Flooded { bytes }).clone()
    }

    /// The program has closed an end of the wire: as a rule because it died.
    fn died(&mut self, otherwise: &str) -> WireError {
        let until = Instant::now() + LAST_BREATH;
        while !self.has_ended() && Instant::now() < until {
            sleep(Duration::from_millis(1));
        }
        let status = lock(&self.held).status.map_or_else(|| otherwise.into(), |status| status.to_string());
        self.kill();
        self.join(LAST_BREATH);
        let words = lock(&self.last_words);
        let last_words = one_line(&words);
        drop(words);
        self.broken.insert(WireError::Died { status, last_words }).clone()
    }

    /// Waits for the threads: they end with the last holder of the program's pipes, which is as a rule the program.
    fn join(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        while !self.threads.iter().all(JoinHandle::is_finished) && Instant::now() < until {
            sleep(Duration::from_millis(1));
        }
        // A thread that reads from a process that has left the group ends with that process.
        for thread in self.threads.drain(..).filter(JoinHandle::is_finished) {
            let _ = thread.join();
        }
    }
}

impl Drop for Wire {
    /// Kills the program and what it has started, and waits for it. Nothing is left running.
    fn drop(&mut self) {
        self.kill();
        self.join(LAST_BREATH);
    }
}

/// Hands on what a program writes until it ends, floods, or nobody listens any more.
fn listen(mut input: impl io::BufRead, tell: &SyncSender<Heard>) {
    loop {
        let heard = match line::read(&mut input) {
            Ok(Line::Full(line)) => Heard::Line(line),
            Ok(Line::TooLong) => Heard::TooLong,
            Ok(Line::End) | Err(_) => return,
        };
        let flood = matches!(heard, Heard::TooLong);
        if tell.send(heard).is_err() || flood {
            return;
        }
    }
}

/// Keeps the last [`LAST_WORDS`] bytes.
fn remember(mut input: impl Read, words: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return,
            Ok(n) => {
                let mut words = lock(words);
                words.extend_from_slice(&buffer[..n]);
                let extra = words.len().saturating_sub(LAST_WORDS);
                words.drain(..extra);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The last lines of a text as one that is fit for a message: at most 200 characters.
fn one_line(bytes: &[u8]) -> String {
    const MOST: usize = 200;
    let text = String::from_utf8_lossy(bytes);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text = text.chars().filter(|&c| !gamecore::text::is_invisible(c)).collect();
    let extra = text.chars().count().saturating_sub(MOST);
    if extra > 0 {
        text = format!("...{}", text.chars().skip(extra).collect::<String>());
    }
    text
}
