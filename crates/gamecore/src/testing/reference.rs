//! Reference data in files: found, read, counted.

use core::fmt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The environment variable that names a folder of reference data to check beside a crate's own.
pub const CASES: &str = "BOARDWRIGHT_CASES";

/// Files with the faults seen in other programs, of all games; files that their cases name belong to them.
const REPORTS: [&str; 2] = ["cases.jsonl", "reports.jsonl"];

/// A file of reference data.
#[derive(Debug)]
pub struct CaseFile {
    /// Its name without the folder, such as `movegen.jsonl`.
    pub name: String,
    /// What is in it.
    pub text: String,
    /// Where it is, for the files that its cases name.
    pub folder: PathBuf,
}

impl CaseFile {
    /// The lines that are not empty: in a `.jsonl` file a case each.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| !line.trim().is_empty())
    }

    /// The cases of a `.jsonl` file, one in each line that is not empty.
    ///
    /// # Panics
    /// At a line that is no JSON.
    pub fn cases(&self) -> impl Iterator<Item = Value> {
        self.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}: {line}", self.name)))
    }

    /// What a `.json` file holds.
    ///
    /// # Panics
    /// If it is no JSON.
    #[must_use]
    pub fn whole(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}

/// Whether a test knows files of some name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It has checked the file's cases.
    Checked,
    /// Another crate's tests check them: a folder of one game may hold data for several crates.
    Elsewhere,
    /// Nobody does.
    Unknown,
}

/// How many cases were checked, by kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts(BTreeMap<String, usize>);

impl Counts {
    /// Counts so many cases of a kind more.
    pub fn add(&mut self, kind: &str, cases: usize) {
        *self.0.entry(kind.into()).or_default() += cases;
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Counts {
    /// A line for each kind.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(kind, cases)| writeln!(f, "  {kind}: {cases}"))
    }
}

/// Checks the reference data in a crate's folder `tests/data`, then those in the folder that [`CASES`] names, if it is set,
/// and prints how many cases of each kind there were.
///
/// The files are the folder's `.json` and `.jsonl`; if it has folders called `game` or `reports`, theirs instead. `check` is
/// given each file in the order of names, panics at the first wrong case, counts the others, and says whether files of that
/// name are [`Known`].
///
/// # Panics
/// If a folder or file cannot be read, a file's name is unknown, a file has no case (but `cases.jsonl`, which is of all
/// games), or a folder has none.
///
/// # Examples
/// In a crate's `tests/reference.rs`:
/// ```no_run
/// use gamecore::testing::{Known, json, reference};
///
/// let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
/// reference(data.as_ref(), "tictactoe", &mut |file, counts| match &*file.name {
///     "wins.jsonl" => {
///         for case in file.cases() {
///             assert_eq!(json::string(&case["board"]).len(), 9, "{case}");
///             counts.add("rows that win", 1);
///         }
///         Known::Checked
///     }
///     _ => Known::Unknown,
/// });
/// ```
pub fn reference(data: &Path, game: &str, check: &mut dyn FnMut(&CaseFile, &mut Counts) -> Known) {
    let others = std::env::var_os(CASES).map(PathBuf::from);
    for folder in [Some(data.to_path_buf()), others].into_iter().flatten() {
        print!("{}:\n{}", folder.display(), check_folder(&folder, game, check));
    }
}

fn check_folder(folder: &Path, game: &str, check: &mut dyn FnMut(&CaseFile, &mut Counts) -> Known) -> Counts {
    let mut folders: Vec<PathBuf> = [game, "reports"].map(|name| folder.join(name)).into_iter().filter(|p| p.is_dir()).collect();
    if folders.is_empty() {
        folders.push(folder.into());
    }
    let mut counts = Counts::default();
    for folder in folders {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let paths = entries.map(|entry| entry.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).path());
        let mut files: Vec<CaseFile> = paths
            .filter(|path| path.extension().is_some_and(|e| e == "json" || e == "jsonl"))
            .map(|path| {
                let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                CaseFile { name, text, folder: folder.clone() }
            })
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let reports: Vec<String> = files.iter().filter(|f| is_reports(f)).map(|f| f.text.clone()).collect();
        files.retain(|file| is_reports(file) || !reports.iter().any(|text| text.contains(&format!("\"{}\"", file.name))));
        for file in &files {
            let (before, path) = (counts.total(), folder.join(&file.name));
            match check(file, &mut counts) {
                Known::Checked if file.name != REPORTS[0] => assert!(counts.total() > before, "{}: no cases", path.display()),
                Known::Checked | Known::Elsewhere => {}
                Known::Unknown => panic!("{}: not a file of reference data that is known here", path.display()),
            }
        }
    }
    assert!(counts.total() > 0, "{}: no cases", folder.display());
    counts
}

fn is_reports(file: &CaseFile) -> bool {
    REPORTS.contains(&&*file.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// A folder that goes away with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = std::env::temp_dir().join(format!("reference-{}-{name}", std::process::id()));
            for (file, text) in files {
                let path = folder.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Self(folder)
        }

        /// Counts lines of `a.jsonl` and of reports that begin with the game's name.
        fn check(&self) -> Result<Counts, String> {
            let mut check = |file: &CaseFile, counts: &mut Counts| {
                match &*file.name {
                    "a.jsonl" => counts.add("lines", file.lines().inspect(|line| assert_ne!(*line, "wrong")).count()),
                    "cases.jsonl" => counts.add("reports", file.lines().filter(|line| line.starts_with("game")).count()),
                    "c.jsonl" => return Known::Elsewhere,
                    _ => return Known::Unknown,
                }
                Known::Checked
            };
            let checked = catch_unwind(AssertUnwindSafe(|| check_folder(&self.0, "game", &mut check)));
            checked.map_err(|e| e.downcast::<String>().map_or_else(|_| "a panic".into(), |text| *text))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn cases_are_counted_by_kind() {
        let plain = Folder::new("plain", &[("a.jsonl", "1\n\n2\n"), ("c.jsonl", "3"), ("notes.txt", "")]);
        assert_eq!(plain.check().unwrap().to_string(), "  lines: 2\n");
        let reports = "game \"extra.json\"\nother\n";
        let nested = Folder::new(
            "nested",
            &[("game/a.jsonl", "1"), ("reports/cases.jsonl", reports), ("reports/extra.json", ""), ("b.json", "")],
        );
        assert_eq!(nested.check().unwrap().to_string(), "  lines: 1\n  reports: 1\n");
        let others = Folder::new("others", &[("a.jsonl", "1"), ("cases.jsonl", "other\n")]);
        assert_eq!(others.check().unwrap().total(), 1);
    }

    #[test]
    fn json_is_read_by_line_and_whole() {
        let file = |text: &str| CaseFile { name: "a.jsonl".into(), text: text.into(), folder: PathBuf::new() };
        assert_eq!(
            file("{\"n\": 1}\n\n[2]\n").cases().collect::<Vec<_>>(),
            [serde_json::json!({"n": 1}), serde_json::json!([2])]
        );
        assert_eq!(file("{\n\"n\": 1}").whole(), serde_json::json!({"n": 1}));
        for text in ["1\n{", "{"] {
            let found = catch_unwind(|| file(text).cases().count()).unwrap_err();
            assert!(found.downcast_ref::<String>().is_some_and(|text| text.starts_with("a.jsonl: ")), "{text}");
        }
        assert!(catch_unwind(|| file("1 2").whole()).is_err());
    }

    #[test]
    fn what_would_be_overlooked_fails() {
        for (name, files, words) in [
            ("missing", &[][..], "missing"),
            ("none", &[("notes.txt", "")], "no cases"),
            ("empty", &[("a.jsonl", "\n")], "a.jsonl: no cases"),
            ("unknown", &[("a.jsonl", "1"), ("b.jsonl", "1")], "b.jsonl: not a file"),
            ("wrong", &[("a.jsonl", "1\nwrong")], "a panic"),
            ("foreign", &[("cases.jsonl", "other")], "no cases"),
            ("elsewhere", &[("c.jsonl", "1")], "no cases"),
        ] {
            let found = Folder::new(name, files).check().unwrap_err();
            assert!(found.contains(words) || words == "a panic" && found.contains("wrong"), "{name}: {found}");
        }
    }
}
