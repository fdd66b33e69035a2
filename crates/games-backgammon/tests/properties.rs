//! Promises that hold in every position, on random positions and against slow, obvious code.
use gamecore::testing::{self, Trials};
use games_backgammon::{Backgammon, Setup};

#[test]
fn the_conformance_suite_passes() {
    let starts: Vec<Backgammon> = Setup::ALL.into_iter().map(Backgammon::start).collect();
    testing::conformance(&starts, Trials { games: 6, ..Trials::default() });
}
#[test]
fn text() {
    let starts: Vec<Backgammon> = Setup::ALL.into_iter().map(Backgammon::start).collect();
    testing::text_round_trip(&starts, Trials { games: 4, ..Trials::default() });
}
