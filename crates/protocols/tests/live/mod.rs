//! Servers that are spoken to while they think.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// What anything may take on a machine that is busy otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Lines as they come, and what is answered meanwhile.
pub(crate) struct Live {
    say: Sender<Vec<u8>>,
    hear: Receiver<String>,
    thread: JoinHandle<io::Result<()>>,
}

/// What is said, as it comes.
pub(crate) struct Input(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = self.1.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

/// What is answered, line by line.
pub(crate) struct Output(Sender<String>, Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&b| b == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap().trim_end().to_string();
            self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Live {
    /// A server on a thread of its own.
    pub(crate) fn start(serve: impl FnOnce(Input, Output) -> io::Result<()> + Send + 'static) -> Self {
        let ((say, input), (output, hear)) = (channel(), channel());
        let thread = spawn(move || serve(Input(input, Vec::new()), Output(output, Vec::new())));
        Self { say, hear, thread }
    }

    pub(crate) fn say(&self, lines: &str) {
        self.say.send(format!("{lines}\n").into_bytes()).unwrap();
    }

    /// The next line.
    pub(crate) fn hear(&self) -> String {
        self.hear.recv_timeout(PATIENCE).expect("an answer")
    }

    pub(crate) fn ask(&self, lines: &str) -> String {
        self.say(lines);
        self.hear()
    }

    /// Whether nothing is said for a while.
    pub(crate) fn is_silent(&self, time: Duration) -> bool {
        self.hear.recv_timeout(time).is_err()
    }

    /// Waits for the server; returns how long that took and what is still said.
    pub(crate) fn end(self) -> (Duration, Vec<String>) {
        let began = Instant::now();
        while !self.thread.is_finished() && began.elapsed() < PATIENCE {
            sleep(Duration::from_millis(1));
        }
        assert!(self.thread.is_finished(), "it has not ended");
        self.thread.join().unwrap().unwrap();
        (began.elapsed(), self.hear.try_iter().collect())
    }
}
