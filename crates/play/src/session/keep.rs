//! Where the game is kept.

use std::io;
use std::path::Path;

use gamecore::{Draw, Record, Step};

use super::Session;
use crate::file::{load_as, shown};
use crate::{ASSUMED, FileError, Format, RecordFile, Screen};

/// A file that the game is kept in.
pub(super) struct Kept {
    file: RecordFile,
    /// Whether the person knows that it cannot be written.
    told: bool,
}

impl<G: Draw> Session<G> {
    /// Keeps the game in a new file, written after every step, in the [format](Session::with_formats) that its name says. (The games after
    /// a `new` go to `game-2.txt` and so on.) A step that cannot be written is told at once, and the next one tried all the same.
    ///
    /// # Errors
    /// If the file exists or cannot be written, or its format cannot hold the game.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), FileError> {
        let text = Format::text(&self.formats, path, &self.record)?;
        self.files.push(Kept { file: RecordFile::create_text(path, &text)?, told: false });
        self.named.get_or_insert_with(|| path.into());
        Ok(())
    }

    /// Goes on with the game in a file, a record or one of the [formats](Session::with_formats); the seats stay. If the game notes its
    /// seed, its dice go on as they would have. Neither that file nor those that the game before was kept in are written to any more.
    ///
    /// # Errors
    /// If there is no such file, or no game of this kind in it; nothing changes then.
    pub fn load(&mut self, path: &Path) -> Result<(), FileError> {
        let record = self.found(path)?;
        self.go_on_with(record, path);
        Ok(())
    }

    /// The game in a file.
    pub(super) fn found(&self, path: &Path) -> Result<Record<G>, FileError> {
        load_as(path, &self.formats)?.ok_or_else(|| FileError::Nothing { path: path.into() })
    }

    /// Goes on with the game that was found in a file.
    pub(super) fn go_on_with(&mut self, record: Record<G>, path: &Path) {
        let seed = record.tags().iter().find(|(name, _)| name == "seed").and_then(|(_, seed)| seed.parse().ok());
        (self.record, self.seed) = (record, seed.unwrap_or(self.seed));
        self.note_tags();
        (self.shown, self.loaded) = (None, Some(path.into()));
        self.opening.not_needed();
        self.files.clear();
    }

    /// Says which game has been loaded, if one has and that has not been said.
    pub(super) fn tell_loaded(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        let Some(path) = self.loaded.take() else { return Ok(()) };
        let name = shown(&path);
        let kept = if self.files.is_empty() { ": save FILE keeps it" } else { "" };
        screen.say(&format!("This is the game in {name}. What is played from here on is not written there{kept}."))?;
        match self.record.tags().iter().find(|(name, _)| name == ASSUMED) {
            Some((_, value)) => screen.say(&format!("It does not say everything; assumed: {value}.")),
            None => Ok(()),
        }
    }

    pub(super) fn write(&mut self) {
        for Kept { file, .. } in &mut self.files {
            match Format::text(&self.formats, file.path(), &self.record) {
                Ok(text) => file.write_text(&text),
                Err(error) => file.note(&error),
            }
        }
    }

    /// Says which files cannot be written, and which can be again, if that is news.
    pub(super) fn tell_unwritten(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        for Kept { file, told } in &mut self.files {
            let name = shown(file.path());
            match file.error() {
                Some(error) if !*told => {
                    screen.say(&format!("The game cannot be written to {name}: {error}. The next step will try again."))?;
                }
                None if *told => screen.say(&format!("The game is written to {name} again."))?,
                _ => {}
            }
            *told = file.error().is_some();
        }
        Ok(())
    }

    /// Where the game is, or that it is nowhere.
    pub(super) fn tell_saved(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        for Kept { file, .. } in &self.files {
            let name = shown(file.path());
            match file.error() {
                None => screen.say(&format!("The game is saved in {name}."))?,
                Some(error) => screen.say(&format!("The game could not be saved in {name}: {error}."))?,
            }
        }
        let moved = self.record.history().steps().iter().any(|s| matches!(s, Step::Move(_)));
        if self.files.is_empty() && moved {
            screen.say(&format!("The game was not saved; its seed was {}.", self.seed))?;
        }
        Ok(())
    }
}
