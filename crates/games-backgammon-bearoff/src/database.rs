//! A database of either kind.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::file::{FileError, HEAD, Head, Kind, open};
use crate::one_sided::OneSided;
use crate::params::Params;
use crate::two_sided::TwoSided;

/// A database of the kind that its file says. Copies share it.
///
/// # Examples
/// ```no_run
/// use games_backgammon::eval::Baseline;
/// use games_backgammon_bearoff::{Database, WithBearOff};
///
/// let database = Database::open("two.bearoff")?;
/// println!("{}, up to {} checkers", database.kind(), database.params().checkers());
/// let evaluator = WithBearOff::new(Baseline).with_database(database);
/// # Ok::<(), games_backgammon_bearoff::FileError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Database {
    /// How many rolls a side needs.
    OneSided(Arc<OneSided>),
    /// Who wins.
    TwoSided(Arc<TwoSided>),
}

impl Database {
    /// Reads a file into memory, which it takes as many bytes of as it has, at most [`MOST_BYTES`](crate::MOST_BYTES).
    ///
    /// # Errors
    /// If the file cannot be opened or read, is no database of this version, or is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let mut file = open(path.as_ref())?;
        let mut head = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let kind = Head::read(&head)?.kind()?;
        let whole = head.chain(file);
        Ok(match kind {
            Kind::OneSided => Self::OneSided(OneSided::read_from(whole)?.into()),
            Kind::TwoSided => Self::TwoSided(TwoSided::read_from(whole)?.into()),
        })
    }

    /// What it says.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::OneSided(_) => Kind::OneSided,
            Self::TwoSided(_) => Kind::TwoSided,
        }
    }

    /// Which positions it has.
    #[must_use]
    pub fn params(&self) -> Params {
        match self {
            Self::OneSided(database) => database.params(),
            Self::TwoSided(database) => database.params(),
        }
    }

    /// Its file's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::OneSided(database) => database.as_bytes(),
            Self::TwoSided(database) => database.as_bytes(),
        }
    }
}
