//! The page of results.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write as _};

use atomic_write_file::AtomicWriteFile;

use crate::depth::Searched;
use crate::games::Played;
use crate::measure::Measured;

/// Tables, one a game.
pub(crate) struct Page {
    /// In the file it stands between the markers of this name.
    marker: &'static str,
    /// For the file: ratios only.
    text: String,
    /// For the terminal.
    speeds: String,
}

impl Page {
    pub(crate) const fn new(marker: &'static str) -> Self {
        Self { marker, text: String::new(), speeds: String::new() }
    }

    /// Adds a game; its first result is ours.
    pub(crate) fn add(&mut self, game: &Played, results: &[Measured], seeds: u64) {
        let _ = write!(
            self.text,
            "### {}\n\n{} A position in our tree takes {} bytes.\n\n\
            | search | playouts in the same time, ours = 1 | bytes a playout | bytes a node | allocations a playout | move |\n\
            | --- | ---: | ---: | ---: | ---: | --- |\n",
            game.name, game.about, game.node
        );
        let ours = results[0].time.as_secs_f64() / seeds as f64;
        let playouts = game.playouts as f64;
        for (row, result) in game.rows.iter().zip(results) {
            let time = result.time.as_secs_f64() / seeds as f64;
            let per_playout = |n: usize, digits: usize| format!("{:.digits$}", n as f64 / playouts);
            // Without a tree there is nothing to say about its memory; in memory that was there before, nothing either.
            let memory = result.done.best.is_some() && row.name != crate::ours::WARM;
            let node = result.done.nodes.filter(|_| memory).map(|nodes| format!("{:.0}", result.peak as f64 / nodes as f64));
            let cells = [
                format!("{:.2}", ours / time),
                if memory { per_playout(result.peak, 0) } else { String::new() },
                node.unwrap_or_default(),
                per_playout(result.allocations, 2),
                result.done.best.clone().unwrap_or_default(),
            ];
            let _ = writeln!(self.text, "| {} | {} |", row.name, cells.join(" | "));
            let _ = writeln!(
                self.speeds,
                "{}: {:.1} thousand playouts/s by {} ({} allocations)",
                game.name,
                playouts / time / 1e3,
                row.name,
                result.allocations
            );
        }
        self.text.push('\n');
    }

    /// Adds searches to a fixed depth; the first result is ours.
    pub(crate) fn add_depth(&mut self, searched: &Searched, results: &[Measured]) {
        let _ = write!(
            self.text,
            "### {}\n\n{}\n\n\
            | search | thousand moves made | moves in the same time, ours = 1 | searches in the same time, ours = 1 |\n\
            | --- | ---: | ---: | ---: |\n",
            searched.name, searched.about
        );
        let speed = |result: &Measured| result.nodes as f64 / result.time.as_secs_f64();
        let ours = &results[0];
        for (row, result) in searched.rows.iter().zip(results) {
            let (thousands, seconds) = (result.nodes as f64 / 1e3, result.time.as_secs_f64());
            let (moves, searches) = (speed(result) / speed(ours), ours.time.as_secs_f64() / seconds);
            let _ = writeln!(self.text, "| {} | {thousands:.0} | {moves:.2} | {searches:.2} |", row.name);
            let million = speed(result) / 1e6;
            let _ = writeln!(self.speeds, "{}: {million:.2} million moves/s, {seconds:.4} s by {}", searched.name, row.name);
        }
        self.text.push('\n');
    }

    /// Puts the tables between the markers of a file and leaves the rest of it as it is.
    pub(crate) fn write(&self, path: &str) -> io::Result<()> {
        let old = std::fs::read_to_string(path)?;
        let [begin, end] = ["begin", "end"].map(|side| format!("<!-- {}: {side} -->", self.marker));
        let between = old.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
        let (before, after) = between.ok_or_else(|| io::Error::other(format!("{begin} and {end} are not there")))?;
        let mut file = AtomicWriteFile::open(path)?;
        write!(file, "{before}{begin}\n\n{}{end}{after}", self.text)?;
        file.commit()
    }
}

impl Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, self.speeds)
    }
}
