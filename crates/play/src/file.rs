//! Records in files.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use gamecore::text::is_invisible;
use gamecore::{Record, RecordError, Text};

use crate::Format;

/// The longest record that is read, in bytes: ten thousand moves and more.
pub const LONGEST_RECORD: u64 = 1 << 20;

/// A file that a game is written to again and again, each time as a whole.
///
/// Whatever interrupts the program, the file holds the game before or after the last move. It is created by this type
/// and by nothing else: files that exist are never written to.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    error: Option<String>,
}

impl RecordFile {
    /// A new file, with this record in it. An empty file counts as new.
    ///
    /// # Errors
    /// If there is something of that name already, or the file cannot be written.
    pub fn create<G: Text>(path: &Path, record: &Record<G>) -> Result<Self, FileError> {
        Self::create_text(path, &record.to_text())
    }

    /// [`create`](Self::create), with any text in it.
    pub(crate) fn create_text(path: &Path, text: &str) -> Result<Self, FileError> {
        let at = |source| FileError::Io { path: path.into(), source };
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Self::check(path)?,
            Err(e) => return Err(at(e)),
        }
        // The file itself, not a link to it, is replaced from now on.
        let mut file = Self { path: fs::canonicalize(path).map_err(at)?, error: None };
        file.try_write(text).map_err(at)?;
        file.path = path.into();
        Ok(file)
    }

    /// Whether there is nothing of that name, or an empty file.
    fn check(path: &Path) -> Result<(), FileError> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(FileError::Io { path: path.into(), source }),
        };
        if found.is_dir() {
            return Err(FileError::Directory { path: path.into() });
        }
        if !found.is_file() || found.len() > 0 {
            return Err(FileError::Exists { path: path.into() });
        }
        Ok(())
    }

    /// Its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why the last writing failed, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Writes the record in place of what was there. Whether that worked is told by [`error`](Self::error); the next
    /// call tries again.
    pub fn write<G: Text>(&mut self, record: &Record<G>) {
        self.write_text(&record.to_text());
    }

    /// [`write`](Self::write), with any text.
    pub(crate) fn write_text(&mut self, text: &str) {
        self.error = self.try_write(text).err().map(|e| e.to_string());
    }

    /// The file could not be written for this reason.
    pub(crate) fn note(&mut self, error: &FileError) {
        self.error = Some(error.to_string());
    }

    fn try_write(&self, text: &str) -> io::Result<()> {
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(text.as_bytes())?;
        file.commit()
    }
}

/// Reads a record; `None` if there is no such file, or nothing in it.
///
/// # Errors
/// If there is something else of that name.
///
/// # Examples
/// ```
/// use gamecore::testing::toys::TicTacToe;
/// use play::{FileError, load};
///
/// assert!(load::<TicTacToe>("no such file".as_ref())?.is_none());
/// assert!(matches!(load::<TicTacToe>(".".as_ref()), Err(FileError::Directory { .. })));
/// # Ok::<(), FileError>(())
/// ```
pub fn load<G: Text>(path: &Path) -> Result<Option<Record<G>>, FileError> {
    load_as(path, &[])
}

/// Reads a game as [`load`] does, from a file in one of these formats if its name says so.
///
/// # Errors
/// As [`load`]; also if the text is not of that format.
pub fn load_as<G: Text>(path: &Path, formats: &[Format<G>]) -> Result<Option<Record<G>>, FileError> {
    let path_buf = || path.to_path_buf();
    let at = |source| FileError::Io { path: path_buf(), source };
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(at(e)),
    };
    if found.is_dir() {
        return Err(FileError::Directory { path: path_buf() });
    }
    // A pipe or a device could keep its reader waiting for ever.
    if !found.is_file() {
        return Err(FileError::NoFile { path: path_buf() });
    }
    let mut bytes = Vec::new();
    fs::File::open(path).map_err(at)?.take(LONGEST_RECORD + 1).read_to_end(&mut bytes).map_err(at)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 > LONGEST_RECORD {
        return Err(FileError::TooLong { path: path_buf() });
    }
    let text = String::from_utf8(bytes).map_err(|_| FileError::NotText { path: path_buf() })?;
    Format::parse(formats, path, &text).map(Some)
}

/// `game-2.txt` for `game.txt`: the first such name that is free.
pub(crate) fn next_free(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    (2..).map(|n: u32| path.with_file_name(format!("{stem}-{n}{extension}"))).find(|p| !p.exists()).expect("numbers do not end")
}

/// A file's name as it can be shown: what cannot be seen, and might steer a terminal, is escaped.
pub(crate) fn shown(path: &Path) -> String {
    let mut out = String::new();
    for c in path.display().to_string().chars() {
        if is_invisible(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// Why a file is not read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The name is a directory's.
    #[error("{} is a directory, not a file", shown(path))]
    Directory {
        /// The name.
        path: PathBuf,
    },
    /// The name is that of a pipe or a device.
    #[error("{} is not a regular file", shown(path))]
    NoFile {
        /// The name.
        path: PathBuf,
    },
    /// There is a file already.
    #[error("{} exists already and is left as it is: choose another name", shown(path))]
    Exists {
        /// The name.
        path: PathBuf,
    },
    /// The file is too long.
    #[error("{} is longer than {LONGEST_RECORD} bytes: too long for a record", shown(path))]
    TooLong {
        /// The name.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    #[error("{} is not a record: it is not UTF-8 text, into which files of other encodings have to be turned first", shown(path))]
    NotText {
        /// The name.
        path: PathBuf,
    },
    /// The file is no record of this game.
    #[error("{}: {source}", shown(path))]
    Content {
        /// The name.
        path: PathBuf,
        /// What is wrong, and in which line.
        source: RecordError,
    },
    /// The file is not of the format that its name says, or the game cannot be written in it.
    #[error("{}: {reason}", shown(path))]
    Format {
        /// The name.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// There is no such file, or nothing in it.
    #[error("there is no game in {}: it is empty, or not there", shown(path))]
    Nothing {
        /// The name.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {source}", shown(path))]
    Io {
        /// The name.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}
