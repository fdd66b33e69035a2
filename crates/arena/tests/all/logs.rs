//! Games in files: what is kept, what is refused, what an interruption leaves.

use std::fs;
use std::path::PathBuf;

use gamecore::Text;
use gamecore::testing::toys::TicTacToe;
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn file(&self) -> PathBuf {
        self.0.join("games.jsonl")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn pigs(pairs: u64, seed: u64) -> Tournament<Pig> {
    let players = vec![random("a"), hold_at(9), random("b")];
    Tournament::new(Settings::new(pairs, seed), Pairing::RoundRobin, uneven, players).unwrap().with_threads(2)
}

fn open<G: Text>(folder: &Folder, tournament: &Tournament<G>) -> Result<(Log, Standings), LogError> {
    Log::open(&folder.file(), tournament, json!({ "rules": "plain" }))
}

/// Plays so many units more.
fn go_on<G: Text>(folder: &Folder, tournament: &Tournament<G>, units: u64) -> Standings {
    let (mut log, mut standings) = open(folder, tournament).unwrap();
    let last = standings.units() + units;
    tournament
        .play(&mut standings, &mut |unit, standings| {
            log.append(tournament, unit).unwrap();
            if standings.units() == last { ControlFlow::Break(()) } else { ON }
        })
        .unwrap();
    standings
}

/// The log without what differs from run to run.
fn timeless(folder: &Folder) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder.file()).unwrap();
    let lines = text.lines().map(|line| {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(object) = value.as_object_mut() {
            object.remove("times");
            object.remove("spent");
        }
        value
    });
    lines.collect()
}

#[test]
fn interrupted_tournaments_end_alike() {
    let (whole, parts) = (Folder::new("whole"), Folder::new("parts"));
    let standings = go_on(&whole, &pigs(20, 5), u64::MAX / 2).untimed();
    assert_eq!(standings, played(&pigs(20, 5)).untimed());
    for units in [1, 3, 10, 1000] {
        go_on(&parts, &pigs(20, 5), units);
    }
    // A finished log is only read.
    let again = go_on(&parts, &pigs(20, 5), 1000);
    assert_eq!((again.table(), &again.untimed()), (standings.table(), &standings));
    assert_eq!(timeless(&whole), timeless(&parts));
    // More of the same.
    let longer = go_on(&parts, &pigs(30, 5), 1000).untimed();
    assert_eq!(longer, played(&pigs(30, 5)).untimed());
}

#[test]
fn lines_hold_the_whole_game() {
    let folder = Folder::new("lines");
    let tournament = pigs(4, 6);
    let (mut log, mut standings) = open(&folder, &tournament).unwrap();
    let mut units = Vec::new();
    tournament
        .play(&mut standings, &mut |unit, _| {
            log.append(&tournament, unit).unwrap();
            units.push(unit.clone());
            ON
        })
        .unwrap();
    let reader = LogReader::open(&folder.file()).unwrap();
    let header = reader.header();
    assert_eq!((header.game.as_str(), header.seed, header.contestants.len()), (Pig::NAME, 6, 3));
    assert_eq!((&header.about, header.pairing), (&json!({ "rules": "plain" }), Pairing::RoundRobin));
    let lines: Vec<GameLine> = reader.map(Result::unwrap).collect();
    assert_eq!(lines.len(), 24);
    for line in lines {
        let unit = &units[line.unit as usize];
        let game = &unit.games[line.game as usize];
        let record = line.record::<Pig>().unwrap();
        assert_eq!(record.history().steps(), game.record.history().steps());
        assert_eq!((record.history().start(), record.values()), (game.record.history().start(), game.record.values()));
        assert_eq!(
            (line.summary(), line.pair, line.seed, line.times.len()),
            (game.summary.clone(), unit.pair, 6, game.times.len())
        );
        let a = &tournament.contestants()[unit.contestants[line.game as usize]].name;
        assert_eq!((&line.one, record.tags()[0].1.as_str()), (a, a.as_str()));
        assert_ne!(line.one, line.two);
    }
}

#[test]
fn forfeits_and_reasons_are_kept() {
    let folder = Folder::new("forfeits");
    let players = vec![rule("mute", |_: &TicTacToe| None), random("b")];
    let tournament = Tournament::new(Settings::new(2, 1), Pairing::RoundRobin, |_, _| TicTacToe::default(), players).unwrap();
    let first = go_on(&folder, &tournament, 100);
    let read = go_on(&folder, &tournament, 100);
    assert_eq!(first, read);
    let score = read.score(0, 1).unwrap();
    assert_eq!((score.a().illegal, score.a().forfeit.as_deref()), (4, Some("an answer without a move")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Wherever the program was killed, the next run goes on from there to the same end.
    #[test]
    fn torn_files_are_mended(cut in 0.0..1.0f64) {
        let folder = Folder::new("torn");
        let whole = go_on(&folder, &pigs(5, 8), 1000).untimed();
        let text = fs::read(folder.file()).unwrap();
        fs::write(folder.file(), &text[..(text.len() as f64 * cut) as usize]).unwrap();
        let lines_left = LogReader::open(&folder.file()).map_or(0, |reader| reader.filter(Result::is_ok).count());
        let (log, standings) = open(&folder, &pigs(5, 8)).unwrap();
        drop(log);
        prop_assert_eq!(standings.games() as usize, lines_left / 2 * 2);
        prop_assert_eq!(go_on(&folder, &pigs(5, 8), 1000).untimed(), whole);
        prop_assert_eq!(fs::read_to_string(folder.file()).unwrap().lines().count(), 31);
    }

    /// Whatever stands in a file, it is refused or read, and left as it is.
    #[test]
    fn foreign_files_are_left_alone(mut content: Vec<u8>, newline: bool) {
        if newline {
            content.push(b'\n');
        }
        let folder = Folder::new("foreign");
        fs::write(folder.file(), &content).unwrap();
        let opened = open(&folder, &pigs(5, 8));
        // A header that was never finished is begun again.
        if b"{\"format\":\"boardwright games 1\"".starts_with(&content) {
            prop_assert!(opened.is_ok());
        } else {
            prop_assert!(opened.is_err());
            prop_assert_eq!(fs::read(folder.file()).unwrap(), content);
        }
    }
}

#[test]
fn other_conditions_are_refused() {
    let folder = Folder::new("other");
    go_on(&folder, &pigs(2, 8), 1000);
    let before = fs::read(folder.file()).unwrap();
    let refused = |tournament: &Tournament<Pig>, about, words: &str| {
        let error = Log::open(&folder.file(), tournament, about).unwrap_err().to_string();
        assert!(error.contains("under other conditions") && error.contains(words), "{error}");
    };
    refused(&pigs(2, 9), json!({ "rules": "plain" }), "its seed is 8, here it is 9");
    refused(&pigs(2, 8), json!({ "rules": "odd" }), "its about.rules is \"plain\", here it is \"odd\"");
    refused(&pigs(2, 8), json!(null), "about");
    let players = vec![random("a"), hold_at(9)];
    let two = Tournament::new(Settings::new(2, 8), Pairing::RoundRobin, uneven, players).unwrap();
    refused(&two, json!({ "rules": "plain" }), "contestants");
    assert_eq!(fs::read(folder.file()).unwrap(), before);
    // Another test, or one where there was none, is another tournament: its errors hold from the first game on.
    let folder = Folder::new("tests");
    go_on(&folder, &two_with(20.0), 1);
    let error = open(&folder, &two_with(30.0)).unwrap_err().to_string();
    assert!(error.contains("its sprt is"), "{error}");

    // Any number of digits comes back as it was.
    let folder = Folder::new("digits");
    let odd = 4.141843918440311 + 0.1f64.powi(3);
    go_on(&folder, &two_with(odd), 1);
    open(&folder, &two_with(odd)).unwrap();
    for seed in 0..200u64 {
        let folder = Folder::new("many-digits");
        let x = gamecore::mix(seed + 1) as f64 / u64::MAX as f64;
        drop(Log::open(&folder.file(), &pigs(1, 1), json!(x)).unwrap());
        let about = LogReader::open(&folder.file()).unwrap().header().about.clone();
        assert_eq!(about, json!(x));
    }

    // Conditions matter only once there are games.
    let folder = Folder::new("no-games");
    drop(open(&folder, &pigs(2, 8)).unwrap());
    let (_, standings) = open(&folder, &pigs(2, 9)).unwrap();
    assert_eq!((standings.units(), LogReader::open(&folder.file()).unwrap().header().seed), (0, 9));
}

fn two_with(elo1: f64) -> Tournament<Pig> {
    let players = vec![random("a"), hold_at(9)];
    let two = Tournament::new(Settings::new(2, 8), Pairing::RoundRobin, uneven, players).unwrap();
    two.with_sprt(Sprt::new(0.0, elo1, 0.05, 0.05).unwrap()).unwrap()
}

#[test]
fn damage_is_named_and_left() {
    let folder = Folder::new("damage");
    go_on(&folder, &pigs(2, 8), 1000);
    let text = fs::read_to_string(folder.file()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without =
        |skip: usize| lines.iter().enumerate().filter(|l| l.0 != skip).map(|l| format!("{}\n", l.1)).collect::<String>();
    for (damaged, words) in [
        (without(3), "line 4: unit 1, game 1 where unit 1, game 0 belongs"),
        (text.replacen("\"unit\":1", "\"unit\":\"x\"", 1), "line 4: invalid type"),
        (text.replace("boardwright games 1", "boardwright games 9"), "is no log of games"),
        (without(0), "is no log of games"),
        (text.replacen("\n{", "\n\n{", 1), "line 2: it is empty"),
        (text.replacen("\"one\":\"a\"", "\"one\":\"z\"", 1), "line 2: it is not a game of this tournament"),
        (text.replacen("\"pair\":1", "\"pair\":0", 1), "it is not a game of this tournament"),
        (text.replacen("\"end\":\"rules\"", "\"end\":\"stopped\"", 1), "line 2: it is not a game of this tournament"),
    ] {
        fs::write(folder.file(), &damaged).unwrap();
        let error = open(&folder, &pigs(2, 8)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(fs::read_to_string(folder.file()).unwrap(), damaged);
    }
    // A position that is none, a step that is not legal.
    fs::write(folder.file(), text.replacen("\"steps\":\"", "\"steps\":\"fly ", 1)).unwrap();
    let line = LogReader::open(&folder.file()).unwrap().next().unwrap().unwrap();
    assert!(line.record::<Pig>().unwrap_err().to_string().contains("\"fly\" is not a move"));
}

#[test]
fn one_tournament_at_a_time() {
    let folder = Folder::new("lock");
    let held = open(&folder, &pigs(2, 8)).unwrap();
    let error = open(&folder, &pigs(2, 8)).unwrap_err().to_string();
    assert!(error.contains("in use by another"), "{error}");
    drop(held);
    open(&folder, &pigs(2, 8)).unwrap();
    let missing = Log::open(&folder.0.join("no").join("where"), &pigs(2, 8), json!(null)).unwrap_err();
    assert!(matches!(missing, LogError::Io { .. }));
}
