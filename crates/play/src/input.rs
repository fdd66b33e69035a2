//! Where lines come from: a person at a terminal, a pipe, a script.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rustyline::error::ReadlineError;

use crate::Interrupt;

/// The longest line that is read, in bytes; of a longer one nothing is kept.
pub const LONGEST_LINE: usize = 4096;

/// What a person, or a pipe, said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// A line longer than [`LONGEST_LINE`].
    TooLong {
        /// Its length in bytes.
        bytes: u64,
    },
    /// A line that is not UTF-8.
    NotText,
    /// There are no more lines.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// A source of lines.
pub trait Input {
    /// The next line; a terminal shows `prompt` before it.
    fn line(&mut self, prompt: &str) -> Line;

    /// Whether a person types the lines and sees them already. If not, they are echoed.
    fn is_live(&self) -> bool {
        false
    }

    /// The columns of the terminal, if there is one.
    fn columns(&mut self) -> Option<usize> {
        None
    }
}

/// A whole conversation known beforehand, for tests.
///
/// # Examples
/// ```
/// use play::{Input, Line, Script};
/// let mut script = Script::new("help\nquit");
/// assert_eq!(script.line("> "), Line::Text("help".into()));
/// assert_eq!(script.line("> "), Line::Text("quit".into()));
/// assert_eq!(script.line("> "), Line::End);
/// ```
#[derive(Clone, Debug)]
pub struct Script(std::vec::IntoIter<Line>);

impl Script {
    /// The lines of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        text.lines().map(|l| Line::Text(l.into())).collect()
    }
}

impl FromIterator<Line> for Script {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        Self(lines.into_iter().collect::<Vec<_>>().into_iter())
    }
}

impl Input for Script {
    fn line(&mut self, _: &str) -> Line {
        self.0.next().unwrap_or(Line::End)
    }
}

/// Lines from a pipe or a file, read by a thread of its own so that Ctrl-C is never kept waiting.
///
/// It reads some lines ahead and no more, each up to [`LONGEST_LINE`], so its memory is bounded (by a megabyte) whatever
/// comes.
#[derive(Debug)]
pub struct Piped {
    lines: Receiver<Line>,
    interrupt: Interrupt,
    prompts: bool,
    ended: bool,
}

/// Lines read ahead.
const AHEAD: usize = 256;

impl Piped {
    /// Reads `source`.
    pub fn new(mut source: impl BufRead + Send + 'static, interrupt: &Interrupt) -> Self {
        let (sender, lines) = sync_channel(AHEAD);
        interrupt.wake(sender.clone());
        thread::spawn(move || {
            loop {
                let line = read_line(&mut source);
                let last = line == Line::End;
                if sender.send(line).is_err() || last {
                    return;
                }
            }
        });
        Self { lines, interrupt: interrupt.clone(), prompts: false, ended: false }
    }

    /// Shows prompts all the same: for a terminal that cannot edit.
    fn with_prompts(self) -> Self {
        Self { prompts: true, ..self }
    }
}

impl Input for Piped {
    fn line(&mut self, prompt: &str) -> Line {
        if self.interrupt.is_raised() {
            return Line::Interrupted;
        }
        if self.prompts {
            use io::Write;
            let mut out = io::stdout();
            let _ = out.write_all(prompt.as_bytes()).and_then(|()| out.flush());
        }
        // Nothing more will come after the end, not even that.
        let line = if self.ended { Line::End } else { self.lines.recv().unwrap_or(Line::End) };
        self.ended = line == Line::End;
        line
    }

    fn is_live(&self) -> bool {
        self.prompts
    }
}

/// One line, of which at most [`LONGEST_LINE`] bytes are kept. An error ends the lines.
fn read_line(source: &mut impl BufRead) -> Line {
    let (mut kept, mut bytes, mut ended) = (Vec::new(), 0, false);
    while !ended {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Line::End,
        };
        if chunk.is_empty() {
            if bytes == 0 {
                return Line::End;
            }
            break;
        }
        let end = chunk.iter().position(|&b| b == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        bytes += part.len() as u64;
        kept.extend_from_slice(&part[..part.len().min(LONGEST_LINE + 1 - kept.len())]);
        ended = end.is_some();
        let used = part.len() + usize::from(ended);
        source.consume(used);
    }
    checked(kept, bytes)
}

fn checked(mut kept: Vec<u8>, bytes: u64) -> Line {
    if bytes > LONGEST_LINE as u64 {
        return Line::TooLong { bytes };
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    String::from_utf8(kept).map_or(Line::NotText, Line::Text)
}

/// A person at a terminal, with line editing and the lines typed before on the arrow keys.
struct Terminal {
    editor: rustyline::DefaultEditor,
    interrupt: Interrupt,
}

impl Input for Terminal {
    fn line(&mut self, prompt: &str) -> Line {
        if self.interrupt.is_raised() {
            return Line::Interrupted;
        }
        loop {
            return match self.editor.readline(prompt) {
                Ok(line) => {
                    // Only kept for the arrow keys; a full history is no reason to stop.
                    let _ = self.editor.add_history_entry(line.as_str());
                    let bytes = line.len() as u64;
                    checked(line.into_bytes(), bytes)
                }
                Err(ReadlineError::Signal(rustyline::error::Signal::Resize)) => continue,
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                    self.interrupt.raise();
                    Line::Interrupted
                }
                Err(ReadlineError::Io(e)) if e.kind() == io::ErrorKind::InvalidData => Line::NotText,
                Err(_) => Line::End,
            };
        }
    }

    fn is_live(&self) -> bool {
        true
    }

    fn columns(&mut self) -> Option<usize> {
        self.editor.dimensions().map(|(columns, _)| usize::from(columns))
    }
}

/// The program's standard input: with line editing at a terminal, plain otherwise.
#[must_use]
pub fn stdin(interrupt: &Interrupt) -> Box<dyn Input> {
    let piped = || Piped::new(io::BufReader::new(io::stdin()), interrupt);
    if !io::stdin().is_terminal() {
        return Box::new(piped());
    }
    let dumb = std::env::var_os("TERM").is_some_and(|t| ["", "dumb", "cons25", "emacs"].iter().any(|&d| t == d));
    if !dumb
        && io::stdout().is_terminal()
        && let Ok(editor) = rustyline::DefaultEditor::new()
    {
        return Box::new(Terminal { editor, interrupt: interrupt.clone() });
    }
    Box::new(piped().with_prompts())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut piped = Piped::new(Cursor::new(bytes.to_vec()), &Interrupt::default());
        let found = std::iter::from_fn(|| Some(piped.line("")).filter(|l| *l != Line::End)).collect();
        assert_eq!(piped.line(""), Line::End, "asked again");
        found
    }

    #[test]
    fn lines_end_in_every_way() {
        let text = |t: &str| Line::Text(t.into());
        assert_eq!(lines(b"a\r\n\nb\nc"), [text("a"), text(""), text("b"), text("c")]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\xff\xfe\nok\n"), [Line::NotText, text("ok")]);
        assert_eq!(lines("Zug \0 für Zug".as_bytes()), [text("Zug \0 für Zug")]);
    }

    #[test]
    fn long_lines_are_counted_and_not_kept() {
        let mut bytes = vec![b'x'; LONGEST_LINE];
        bytes.push(b'\n');
        bytes.extend(std::iter::repeat_n(b'y', 3_000_000));
        bytes.extend(b"\nz");
        let found = lines(&bytes);
        assert_eq!(found[0], Line::Text("x".repeat(LONGEST_LINE)));
        assert_eq!(found[1..], [Line::TooLong { bytes: 3_000_000 }, Line::Text("z".into())]);
        let mut source = io::BufReader::new(io::Read::take(io::repeat(b'q'), 1 << 26));
        assert_eq!(read_line(&mut source), Line::TooLong { bytes: 1 << 26 });
    }

    /// A reader that never gets a line is woken all the same.
    #[test]
    fn an_interrupt_wakes_the_reader() {
        struct Never;
        impl io::Read for Never {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                loop {
                    thread::park();
                }
            }
        }
        let interrupt = Interrupt::default();
        let mut piped = Piped::new(io::BufReader::new(Never), &interrupt);
        let raised = interrupt.clone();
        thread::spawn(move || {
            thread::sleep(std::time::Duration::from_millis(30));
            raised.raise();
        });
        assert_eq!(piped.line(""), Line::Interrupted);
        assert_eq!(piped.line(""), Line::Interrupted);
    }
}
