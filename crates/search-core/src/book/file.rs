//! Books as bytes; the format is described in the module above.

use core::hash::Hasher;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use gamecore::text::quoted;
use gamecore::{Game, KeyHasher};

use super::{Book, Stat};

/// The largest file that is written or read, in bytes: 256 MiB, some seven million positions of one move each.
pub const MOST_BYTES: u64 = 1 << 28;

const MAGIC: [u8; 8] = *b"bw-book\n";
const VERSION: u32 = 1;
/// Magic, version, length.
const HEAD: usize = 20;
const CHECKSUM: usize = 8;

/// Why a book was not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// It does not start as books do.
    #[error("not an opening book")]
    NotABook,
    /// It was written in another version of the format.
    #[error("an opening book of version {found}; this program reads version {VERSION}")]
    Version {
        /// The version it names.
        found: u32,
    },
    /// The book is of another game or other rules.
    #[error("an opening book of \"{found}\", not of \"{expected}\"")]
    OtherGame {
        /// The label it has, shortened and made printable.
        found: String,
        /// The label of the book that was to read it.
        expected: String,
    },
    /// The label is right, but positions or moves are not numbered as they were when the book was made.
    #[error(
        "the opening book does not fit this version of \"{label}\": first position, keys, order of moves or use of symmetries \
         differ; make it again"
    )]
    OtherKeys {
        /// The label of both, shortened and made printable.
        label: String,
    },
    /// It was cut off or changed.
    #[error("the opening book is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
    /// It is larger than [`MOST_BYTES`].
    #[error("an opening book of {bytes} bytes; at most {MOST_BYTES} are accepted")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// The file or stream failed.
    #[error("the opening book cannot be read or written: {0}")]
    Io(#[from] io::Error),
}

impl BookError {
    /// That a book has one label and another was expected; both are made short and printable.
    #[must_use]
    pub fn other_game(found: &str, expected: &str) -> Self {
        Self::OtherGame { found: quoted(found), expected: quoted(expected) }
    }
}

const SHORT: BookError = BookError::Damaged { what: "it ends too soon" };

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = KeyHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The next `N` bytes.
fn next<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], BookError> {
    let (head, rest) = bytes.split_first_chunk().ok_or(SHORT)?;
    *bytes = rest;
    Ok(*head)
}

fn next_u32(bytes: &mut &[u8]) -> Result<u32, BookError> {
    next(bytes).map(u32::from_le_bytes)
}

fn next_u64(bytes: &mut &[u8]) -> Result<u64, BookError> {
    next(bytes).map(u64::from_le_bytes)
}

/// What a written book was made for: its label, for who reads books of several kinds. Reads to the end of the stream and no more than
/// [`MOST_BYTES`].
///
/// # Errors
/// If it is no book, one of another version, damaged or too large, or if the stream fails.
pub fn label(from: impl Read) -> Result<String, BookError> {
    let bytes = whole(from)?;
    label_of(&mut body(&bytes)?).map(|label| String::from_utf8_lossy(label).into_owned())
}

/// The bytes of a whole book.
fn whole(from: impl Read) -> Result<Vec<u8>, BookError> {
    let mut from = from;
    let mut bytes = Vec::new();
    from.by_ref().take(HEAD as u64).read_to_end(&mut bytes)?;
    let mut head = bytes.strip_prefix(&MAGIC).ok_or(BookError::NotABook)?;
    let version = next_u32(&mut head)?;
    if version != VERSION {
        return Err(BookError::Version { found: version });
    }
    let length = next_u64(&mut head)?;
    let size = length.saturating_add((HEAD + CHECKSUM) as u64);
    if size > MOST_BYTES {
        return Err(BookError::TooLarge { bytes: size });
    }
    // The vector grows with what is there, not with what the file claims.
    from.take(length + CHECKSUM as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > size {
        return Err(BookError::Damaged { what: "there are bytes after its end" });
    }
    let (content, sum) = bytes.split_last_chunk().ok_or(SHORT)?;
    if (bytes.len() as u64) < size {
        return Err(SHORT);
    }
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(BookError::Damaged { what: "its checksum is wrong" });
    }
    Ok(bytes)
}

/// What stands between head and checksum.
fn body(bytes: &[u8]) -> Result<&[u8], BookError> {
    bytes.get(HEAD..bytes.len().saturating_sub(CHECKSUM)).ok_or(SHORT)
}

/// The label at the beginning of a body.
fn label_of<'a>(body: &mut &'a [u8]) -> Result<&'a [u8], BookError> {
    let length = next_u32(body)? as usize;
    let (label, rest) = body.split_at_checked(length).ok_or(SHORT)?;
    *body = rest;
    Ok(label)
}

impl<G: Game> Book<G> {
    /// The book as a file's bytes. Books that know the same, whatever way they came to know it, have the same bytes (as
    /// far as sums of fractional values do not depend on their order).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend((self.label.len() as u32).to_le_bytes());
        body.extend(self.label.as_bytes());
        body.extend(self.fingerprint.to_le_bytes());
        body.extend((self.positions.len() as u64).to_le_bytes());
        for (key, stats) in &self.positions {
            body.extend(key.to_le_bytes());
            body.extend((stats.len() as u32).to_le_bytes());
            for stat in stats {
                body.extend(stat.index.to_le_bytes());
                body.extend(stat.weight.to_le_bytes());
                body.extend(stat.games.to_le_bytes());
                body.extend(stat.points.to_le_bytes());
            }
        }
        let mut bytes = Vec::with_capacity(HEAD + body.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Writes [`to_bytes`](Book::to_bytes).
    ///
    /// # Errors
    /// If the book is larger than [`MOST_BYTES`], or the stream fails.
    pub fn write_to(&self, mut to: impl Write) -> Result<(), BookError> {
        let bytes = self.to_bytes();
        if bytes.len() as u64 > MOST_BYTES {
            return Err(BookError::TooLarge { bytes: bytes.len() as u64 });
        }
        Ok(to.write_all(&bytes)?)
    }

    /// Adds all that a written book holds, as [`add`](Book::add) would: an empty book becomes that book, another is
    /// merged with it.
    ///
    /// Reads to the end of the stream and no more than [`MOST_BYTES`].
    ///
    /// # Errors
    /// If it is no book, one of another game, version or keys, damaged or too large, or if the stream fails; nothing
    /// changes then.
    pub fn read_from(&mut self, from: impl Read) -> Result<(), BookError> {
        let bytes = whole(from)?;
        for (key, stats) in self.parse(body(&bytes)?)? {
            stats.into_iter().for_each(|stat| self.count(key, stat));
        }
        Ok(())
    }

    /// The positions of a body. Its checksum is right, but anybody can write one.
    fn parse(&self, mut body: &[u8]) -> Result<Vec<(u64, Vec<Stat>)>, BookError> {
        let bytes = &mut body;
        let label = label_of(bytes)?;
        if label != self.label.as_bytes() {
            return Err(BookError::other_game(&String::from_utf8_lossy(label), &self.label));
        }
        if next_u64(bytes)? != self.fingerprint {
            return Err(BookError::OtherKeys { label: quoted(&self.label) });
        }
        let mut positions: Vec<(u64, Vec<Stat>)> = Vec::new();
        for _ in 0..next_u64(bytes)? {
            let key = next_u64(bytes)?;
            if positions.last().is_some_and(|last| last.0 >= key) {
                return Err(BookError::Damaged { what: "its positions are not in order" });
            }
            let mut stats: Vec<Stat> = Vec::new();
            for _ in 0..next_u32(bytes)? {
                let (index, weight) = (next_u32(bytes)?, next_u32(bytes)?);
                let (games, points) = (next_u64(bytes)?, next(bytes).map(f64::from_le_bytes)?);
                if stats.last().is_some_and(|last| last.index >= index) {
                    return Err(BookError::Damaged { what: "a position's moves are not in order" });
                }
                if !points.is_finite() || games == 0 && points != 0.0 {
                    return Err(BookError::Damaged { what: "a sum of points is impossible" });
                }
                stats.push(Stat { index, weight, games, points });
            }
            if stats.is_empty() {
                return Err(BookError::Damaged { what: "a position has no moves" });
            }
            positions.push((key, stats));
        }
        if bytes.is_empty() { Ok(positions) } else { Err(BookError::Damaged { what: "there are bytes after its last position" }) }
    }

    /// Writes the book to a file: to a new one beside it, which takes its place when it is complete and on the disk.
    /// Whatever happens meanwhile, the path holds the old book or the new one.
    ///
    /// # Errors
    /// As [`write_to`](Book::write_to), or if the file cannot be made or replaced.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), BookError> {
        static SAVED: AtomicU64 = AtomicU64::new(0);
        let path = path.as_ref();
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path names no file").into());
        };
        let mut new = name.to_os_string();
        new.push(format!(".{}-{}.new", std::process::id(), SAVED.fetch_add(1, Ordering::Relaxed)));
        let new = path.with_file_name(new);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&new)?;
        let done = self.write_to(&mut file).and_then(|()| Ok(file.sync_all()?));
        drop(file);
        let done = done.and_then(|()| Ok(fs::rename(&new, path)?));
        if done.is_err() {
            // It is of no use to anybody; that it cannot be removed either is not worth another error.
            let _ = fs::remove_file(&new);
        }
        done
    }

    /// Adds the book of a file, as [`read_from`](Book::read_from).
    ///
    /// # Errors
    /// As [`read_from`](Book::read_from), or if the file cannot be opened.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<(), BookError> {
        self.read_from(File::open(path)?)
    }
}
