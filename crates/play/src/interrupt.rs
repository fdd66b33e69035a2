//! Ctrl-C.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use search_core::StopFlag;

use crate::input::Line;

/// What Ctrl-C does: it stops the running search and wakes whoever waits for a line. Clones share it.
///
/// # Examples
/// Without a keyboard, the same is done by hand:
/// ```
/// let interrupt = play::Interrupt::default();
/// assert!(!interrupt.is_raised());
/// interrupt.raise();
/// assert!(interrupt.is_raised() && interrupt.flag().is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    flag: StopFlag,
    waiting: Arc<Mutex<Vec<SyncSender<Line>>>>,
}

/// The exit status of a program that Ctrl-C ended, by the shells' convention: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

impl Interrupt {
    /// From now on, Ctrl-C raises the interrupt that is returned; a second one ends the program at once, with status
    /// [`INTERRUPTED`].
    ///
    /// # Errors
    /// If the program handles Ctrl-C already, or the system refuses.
    pub fn on_ctrl_c() -> Result<Self, ctrlc::Error> {
        Self::on_ctrl_c_then(|| {})
    }

    /// The same; before a second Ctrl-C ends the program, `last` is called: what must not be left behind (other programs,
    /// say) can be cleared away there.
    ///
    /// # Errors
    /// If the program handles Ctrl-C already, or the system refuses.
    pub fn on_ctrl_c_then(last: impl Fn() + Send + 'static) -> Result<Self, ctrlc::Error> {
        let interrupt = Self::default();
        let raised = interrupt.clone();
        ctrlc::set_handler(move || {
            if raised.is_raised() {
                last();
                std::process::exit(INTERRUPTED.into());
            }
            raised.raise();
        })?;
        Ok(interrupt)
    }

    /// Stops the search and whoever waits for a line.
    pub fn raise(&self) {
        self.flag.raise();
        for sender in self.waiting.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A full channel has a line for its reader, who then looks at the flag.
            let _ = sender.try_send(Line::Interrupted);
        }
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.flag.is_raised()
    }

    /// The flag for a search's [`Limits`](search_core::Limits).
    #[must_use]
    pub fn flag(&self) -> StopFlag {
        self.flag.clone()
    }

    /// Who is to be told.
    pub(crate) fn wake(&self, sender: SyncSender<Line>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
    }
}
