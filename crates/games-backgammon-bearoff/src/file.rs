//! Files, and databases as their bytes.

use core::fmt;
use core::hash::Hasher;
use core::ops::Deref;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::KeyHasher;

use crate::params::{MOST_BYTES, Params, ParamsError};

const MAGIC: [u8; 8] = *b"bw-bear\n";
const VERSION: u32 = 1;
/// Magic, version, kind, points, checkers, length.
pub(crate) const HEAD: usize = 32;
const CHECKSUM: usize = 8;
/// Bytes around the body.
pub(crate) const FRAME: usize = HEAD + CHECKSUM;

/// What a database says, as numbered in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// [`OneSided`](crate::OneSided).
    OneSided = 1,
    /// [`TwoSided`](crate::TwoSided).
    TwoSided = 2,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneSided => "one-sided",
            Self::TwoSided => "two-sided",
        })
    }
}

/// Why a database was not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It does not start as databases do.
    #[error("not a bear-off database")]
    NotADatabase,
    /// It was written in another version of the format.
    #[error("a bear-off database of version {found}; this program reads version {VERSION}")]
    Version {
        /// The version it names.
        found: u32,
    },
    /// It is a database of the other kind.
    #[error("a {found} bear-off database, not a {expected} one")]
    OtherKind {
        /// What it is.
        found: Kind,
        /// What was to be read.
        expected: Kind,
    },
    /// It claims a size that no database has.
    #[error("the bear-off database is of an impossible size: {0}")]
    Params(#[from] ParamsError),
    /// It was cut off or changed.
    #[error("the bear-off database is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// It is larger than [`MOST_BYTES`].
    #[error("a bear-off database of {bytes} bytes; at most {MOST_BYTES} are accepted")]
    TooLarge {
        /// The size it names.
        bytes: u64,
    },
    /// A directory, a pipe or a device; a pipe would keep its reader waiting for ever.
    #[error("not a regular file")]
    NotAFile,
    /// The file or stream failed.
    #[error("the bear-off database cannot be read or written: {0}")]
    Io(#[from] io::Error),
}

/// The file of this name, which has to be one.
pub(crate) fn open(path: &Path) -> Result<File, FileError> {
    if fs::metadata(path)?.is_file() { Ok(File::open(path)?) } else { Err(FileError::NotAFile) }
}

const SHORT: FileError = FileError::Damaged { what: "it ends too soon" };

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = KeyHasher::default();
    hasher.write(bytes);
    hasher.finish().to_le_bytes()
}

/// The bytes of a file.
enum Bytes {
    Owned(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => map,
        }
    }
}

/// A database whose frame is right; what its body says is for others to check.
pub(crate) struct Table {
    params: Params,
    bytes: Bytes,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("params", &self.params).field("bytes", &self.bytes.len()).finish()
    }
}

/// What the head of a file says.
pub(crate) struct Head {
    kind: u32,
    points: u32,
    checkers: u32,
    /// Of the body.
    length: u64,
}

impl Head {
    /// Checked as far as it can be without the rest.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(FileError::NotADatabase)?;
        let word = |i: usize| Some(u32::from_le_bytes(*rest.get(4 * i..)?.first_chunk()?));
        let found = word(0).ok_or(SHORT)?;
        if found != VERSION {
            return Err(FileError::Version { found });
        }
        let words = || Some((word(1)?, word(2)?, word(3)?, word(4)?, word(5)?));
        let (kind, points, checkers, low, high) = words().ok_or(SHORT)?;
        let head = Self { kind, points, checkers, length: u64::from(low) | u64::from(high) << 32 };
        let bytes = head.length.saturating_add(FRAME as u64);
        if bytes > MOST_BYTES { Err(FileError::TooLarge { bytes }) } else { Ok(head) }
    }

    pub(crate) fn kind(&self) -> Result<Kind, FileError> {
        let kind = [Kind::OneSided, Kind::TwoSided].into_iter().find(|&kind| kind as u32 == self.kind);
        kind.ok_or(FileError::Damaged { what: "its kind is unknown" })
    }
}

impl Table {
    /// The bytes of a file, those of the body zero; to be [finished](Table::finish).
    pub(crate) fn start(kind: Kind, params: Params, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; FRAME + length];
        let mut head = &mut bytes[..HEAD];
        let mut put = |field: &[u8]| {
            let (start, rest) = core::mem::take(&mut head).split_at_mut(field.len());
            start.copy_from_slice(field);
            head = rest;
        };
        put(&MAGIC);
        [VERSION, kind as u32, params.points().into(), params.checkers().into()].iter().for_each(|word| put(&word.to_le_bytes()));
        put(&(length as u64).to_le_bytes());
        bytes
    }

    /// The body in bytes that were started.
    pub(crate) fn body_mut(bytes: &mut [u8]) -> &mut [u8] {
        let end = bytes.len() - CHECKSUM;
        &mut bytes[HEAD..end]
    }

    /// The table of bytes that were started and filled.
    pub(crate) fn finish(params: Params, mut bytes: Vec<u8>) -> Self {
        let end = bytes.len() - CHECKSUM;
        let (content, sum) = bytes.split_at_mut(end);
        sum.copy_from_slice(&checksum(content));
        Self { params, bytes: Bytes::Owned(bytes) }
    }

    pub(crate) const fn params(&self) -> Params {
        self.params
    }

    #[inline]
    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[HEAD..self.bytes.len() - CHECKSUM]
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn check(expected: Kind, bytes: Bytes) -> Result<Self, FileError> {
        let head = Head::read(&bytes)?;
        let size = head.length + FRAME as u64;
        let (content, sum) = bytes.split_last_chunk().ok_or(SHORT)?;
        match (bytes.len() as u64).cmp(&size) {
            core::cmp::Ordering::Less => return Err(SHORT),
            core::cmp::Ordering::Greater => return Err(FileError::Damaged { what: "there are bytes after its end" }),
            core::cmp::Ordering::Equal => {}
        }
        if checksum(content) != *sum {
            return Err(FileError::Damaged { what: "its checksum is wrong" });
        }
        let found = head.kind()?;
        if found != expected {
            return Err(FileError::OtherKind { found, expected });
        }
        let small = |n: u32| u8::try_from(n).unwrap_or(u8::MAX);
        let params = Params::new(small(head.points), small(head.checkers))?;
        Ok(Self { params, bytes })
    }

    pub(crate) fn from_bytes(kind: Kind, bytes: Vec<u8>) -> Result<Self, FileError> {
        Self::check(kind, Bytes::Owned(bytes))
    }

    /// The vector grows with what is there, not with what the file claims.
    pub(crate) fn read_from(kind: Kind, mut from: impl Read) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        from.by_ref().take(HEAD as u64).read_to_end(&mut bytes)?;
        let head = Head::read(&bytes)?;
        from.take(head.length + CHECKSUM as u64 + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(kind, bytes)
    }

    /// # Safety
    /// Nobody may change the file while the table lives.
    #[cfg(feature = "mmap")]
    pub(crate) unsafe fn map(kind: Kind, path: &Path) -> Result<Self, FileError> {
        // SAFETY: the caller promises that the mapped bytes do not change, which is all that `Mmap::map` asks for.
        let map = unsafe { memmap2::Mmap::map(&open(path)?) }?;
        Self::check(kind, Bytes::Mapped(map))
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), FileError> {
        static SAVED: AtomicU64 = AtomicU64::new(0);
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file").into());
        };
        if self.bytes.len() as u64 > MOST_BYTES {
            return Err(FileError::TooLarge { bytes: self.bytes.len() as u64 });
        }
        let mut new = name.to_os_string();
        new.push(format!(".{}-{}.new", std::process::id(), SAVED.fetch_add(1, Ordering::Relaxed)));
        let new = path.with_file_name(new);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        let done = file.write_all(&self.bytes).and_then(|()| file.sync_all());
        drop(file);
        let done = done.and_then(|()| fs::rename(&new, path));
        if done.is_err() {
            // It is of no use to anybody; that it cannot be removed either is not worth another error.
            let _ = fs::remove_file(&new);
        }
        Ok(done?)
    }

    pub(crate) fn open(kind: Kind, path: &Path) -> Result<Self, FileError> {
        Self::read_from(kind, open(path)?)
    }
}

/// What every database can do with files.
macro_rules! file_methods {
    ($database:ident, $kind:expr) => {
        impl $database {
            /// Which positions it has.
            #[must_use]
            pub const fn params(&self) -> Params {
                self.0.params()
            }

            /// The database as a file's bytes: the same for the same parameters.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                self.0.bytes()
            }

            /// The database of a file's bytes.
            ///
            /// # Errors
            /// If they are not a database of this kind and this version, or damaged.
            pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, FileError> {
                Self::checked(Table::from_bytes($kind, bytes)?)
            }

            /// Reads a stream to its end, or just past the length that its head names.
            ///
            /// # Errors
            /// As [`from_bytes`](Self::from_bytes), or if the stream fails.
            pub fn read_from(from: impl std::io::Read) -> Result<Self, FileError> {
                Self::checked(Table::read_from($kind, from)?)
            }

            /// Reads a file into memory.
            ///
            /// # Errors
            /// As [`read_from`](Self::read_from), or if the file cannot be opened.
            pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, FileError> {
                Self::checked(Table::open($kind, path.as_ref())?)
            }

            /// Maps a file into memory: processes share it, and what is not looked at need not stay there. It is read once, to
            /// check it.
            ///
            /// # Safety
            /// Nobody may change or shorten the file while the database lives. (A file that [`save`](Self::save) replaces is
            /// another file.)
            ///
            /// # Errors
            /// As [`from_bytes`](Self::from_bytes), or if the file cannot be opened or mapped.
            #[cfg(feature = "mmap")]
            pub unsafe fn map(path: impl AsRef<std::path::Path>) -> Result<Self, FileError> {
                // SAFETY: the caller makes the same promise.
                Self::checked(unsafe { Table::map($kind, path.as_ref()) }?)
            }

            /// Writes the database to a file: to a new one beside it, which takes its place when it is complete and on the
            /// disk. Whatever happens meanwhile, the path holds the old file or the new one.
            ///
            /// # Errors
            /// If the database is larger than [`MOST_BYTES`](crate::MOST_BYTES), or the file cannot be made or replaced.
            pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<(), FileError> {
                self.0.save(path.as_ref())
            }
        }
    };
}
pub(crate) use file_methods;
