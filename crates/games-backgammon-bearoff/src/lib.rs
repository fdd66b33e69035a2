//! Bear-off databases for backgammon, computed, kept in files, and spoken for by an evaluator.
//!
//! - [`OneSided`]: how many rolls a side needs, nobody in its way, to bear off all checkers and to bear off the next one. Usually
//!   of 15 checkers on 6 points ([`Params::HOME`]); more points or fewer checkers if asked for.
//! - [`TwoSided`]: the exact probability of winning, for all pairs of positions of few checkers ([`Params::SMALL`]).
//! - [`WithBearOff`]: any evaluator, with both.
//! - [`Database`]: either kind, as a file says.
//!
//! The rules do not need it. A database is computed in a program, or once on command:
//! ```text
//! cargo run --release -p games-backgammon-bearoff --example bearoff -- --points 6 --checkers 15 --out one.bearoff
//! cargo run --release -p games-backgammon-bearoff --example bearoff -- --sides 2 --points 6 --checkers 6 --out two.bearoff
//! ```
//!
//! | database | positions | file | memory to compute it | processor seconds |
//! | --- | ---: | ---: | ---: | ---: |
//! | one-sided, 6 points, 15 checkers | 54,264 | 6.7 MB | 25 MB | 1.3 |
//! | one-sided, 8 points, 15 checkers | 490,314 | 76 MB | 246 MB | 20 |
//! | two-sided, 6 points, 6 checkers | 924² | 6.8 MB | 16 MB | 0.1 |
//! | two-sided, 6 points, 8 checkers | 3003² | 72 MB | 80 MB | 1.4 |
//! | two-sided, 6 points, 10 checkers | 8008² | 513 MB | 525 MB | 13 |
//!
//! (By that example with `--threads 1`, its own start and the checked reading of the file included, on an AMD EPYC.)
//!
//! The values are the same on every machine. What they mean, and how a side plays that has none but its own checkers to think of,
//! follows GNU Backgammon's databases (its program `makebearoff`: manual page makebearoff(6), and the source), which round their
//! probabilities to 16 bits. There are no values with the cube.
//!
//! # Files
//! Little-endian. A file is refused unless all of it is as it should be.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `bw-bear` and a line feed |
//! | 4 | version, 1 |
//! | 4 | kind: 1 is one-sided, 2 two-sided |
//! | 4 | points |
//! | 4 | checkers |
//! | 8 | length of the body |
//! | body | see [`OneSided`] and [`TwoSided`] |
//! | 8 | checksum of all before it: [`KeyHasher`](gamecore::KeyHasher) |
//!
//! A change within one 8-byte word of what the checksum covers always changes it; another goes unnoticed once in 2^64.
//!
//! # Features
//! `mmap` adds `map` to both databases: files are mapped into memory instead of read. It brings in `memmap2` and is the crate's only `unsafe` code.
#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]

mod database;
mod evaluator;
mod file;
mod one_sided;
mod parallel;
mod params;
mod plays;
mod two_sided;

pub use database::Database;
pub use evaluator::WithBearOff;
pub use file::{FileError, Kind};
pub use one_sided::{OneSided, Rolls};
pub use params::{MOST_BYTES, MOST_CHECKERS, MOST_POINTS, MOST_POSITIONS, MOST_TWO_SIDED_POINTS, Params, ParamsError};
pub use two_sided::TwoSided;
