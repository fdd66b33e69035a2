//! Messages that nobody has to read.

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::desk::one_line;

/// Messages that wait to be written.
const WAITING: usize = 64;
/// What the last messages get to be written.
const LAST: Duration = Duration::from_millis(500);

/// Writes messages on a thread of its own: who starts an engine and does not read its standard error must not stop it.
pub(super) struct Notes {
    tell: Option<SyncSender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Notes {
    pub(super) fn new(to: impl Write + Send + 'static) -> Self {
        let (tell, hear) = sync_channel(WAITING);
        // Without a thread there are no messages.
        let thread = thread::Builder::new().name("connect6 notes".into()).spawn(move || write(to, &hear)).ok();
        Self { tell: Some(tell), thread }
    }

    /// Tells it, or drops it.
    pub(super) fn say(&self, message: &str) {
        if let Some(tell) = &self.tell {
            let _ = tell.try_send(format!("{}\n", one_line(message)));
        }
    }
}

fn write(mut to: impl Write, hear: &Receiver<String>) {
    for message in hear {
        if to.write_all(message.as_bytes()).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        self.tell = None;
        let until = Instant::now() + LAST;
        if let Some(thread) = self.thread.take() {
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}
