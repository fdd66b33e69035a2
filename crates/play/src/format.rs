//! Games in the formats of other programs.

use std::fmt::Display;
use std::path::Path;

use gamecore::{Game, Record, Text};

use crate::file::FileError;

/// The tag of a record that says what was taken for granted where the file that it was read from says nothing, such as the rules. It is
/// told to whoever goes on with the game, or sees it played back.
pub const ASSUMED: &str = "assumed";

/// Another format than that of [records](gamecore::record), for the files whose names end so. If a text leaves something open, the
/// reader notes what it took for it in the tag [`ASSUMED`].
///
/// # Examples
/// ```
/// use gamecore::{Record, testing::toys::Nim};
/// use play::Format;
///
/// // The size of the heap, and nothing else.
/// let write = |record: &Record<Nim>| Ok::<_, String>(record.history().state().heap().to_string());
/// let read = |text: &str| text.trim().parse().map(|heap| Record::from(Nim::new(heap)));
/// let format = Format::new("nim", write, read);
/// assert!(format!("{format:?}").contains("nim"));
/// ```
pub struct Format<G: Game> {
    extension: &'static str,
    write: Write<G>,
    read: Read<G>,
}

type Write<G> = Box<dyn Fn(&Record<G>) -> Result<String, String>>;
type Read<G> = Box<dyn Fn(&str) -> Result<Record<G>, String>>;

impl<G: Game> Format<G> {
    /// A format for files with this extension (in either case), and how its texts are written and read. Not every game has to have a
    /// text.
    pub fn new<W: Display, R: Display>(
        extension: &'static str,
        write: impl Fn(&Record<G>) -> Result<String, W> + 'static,
        read: impl Fn(&str) -> Result<Record<G>, R> + 'static,
    ) -> Self {
        Self {
            extension,
            write: Box::new(move |record| write(record).map_err(|error| error.to_string())),
            read: Box::new(move |text| read(text).map_err(|error| error.to_string())),
        }
    }

    /// The one of `formats` that a file of this name is in; `None` for records.
    pub(crate) fn of<'a>(formats: &'a [Self], path: &Path) -> Option<&'a Self> {
        let extension = path.extension()?.to_str()?;
        formats.iter().find(|format| format.extension.eq_ignore_ascii_case(extension))
    }
}

impl<G: Text> Format<G> {
    /// The text of a file of this name.
    pub(crate) fn text(formats: &[Self], path: &Path, record: &Record<G>) -> Result<String, FileError> {
        let Some(format) = Self::of(formats, path) else { return Ok(record.to_text()) };
        (format.write)(record).map_err(|reason| FileError::Format { path: path.into(), reason })
    }

    /// The game in the text of a file of this name.
    pub(crate) fn parse(formats: &[Self], path: &Path, text: &str) -> Result<Record<G>, FileError> {
        let Some(format) = Self::of(formats, path) else {
            return Record::parse(text).map_err(|source| FileError::Content { path: path.into(), source });
        };
        (format.read)(text).map_err(|reason| FileError::Format { path: path.into(), reason })
    }
}

impl<G: Game> core::fmt::Debug for Format<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Format").field("extension", &self.extension).finish_non_exhaustive()
    }
}
