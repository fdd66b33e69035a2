//! The example `einstein_vs_ai` as people run it: flags, pipes, files, Ctrl-C.

mod common;

#[cfg(unix)]
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Program, flat};

const PROGRAM: Program = Program("einstein_vs_ai");

fn shown(flags: &[&str], input: &str) -> String {
    PROGRAM.shown(flags, input)
}

fn refused(flags: &[&str]) -> String {
    PROGRAM.refused(flags)
}

#[test]
fn a_whole_game_in_a_pipe() {
    for rules in ["standard", "4x4+missing", "5x5x9+free@60"] {
        let flags = ["--seed", "12", "--level", "2", "--rules", rules];
        let text = shown(&flags, &"1\n".repeat(200));
        assert!(text.starts_with("Seed 12;") && text.contains("You play "), "{text}");
        assert!(["You win!", "Two wins!", "The game is drawn."].iter().any(|end| text.contains(end)), "{text}");
        assert!(text.contains("The input has ended.\nThe game was not saved; its seed was 12."), "{text}");
        assert_eq!(text, shown(&flags, &"1\n".repeat(200)), "the same seed and moves");
    }
}

#[test]
fn either_seat_and_either_start() {
    for (side, first, prompt, turn) in [
        ("first", "one", "One> ", "Turn 1:"),
        ("second", "one", "Two> ", "Turn 2:"),
        ("one", "two", "One> ", "Turn 2:"),
        ("first", "two", "Two> ", "Turn 1:"),
    ] {
        let text = shown(&["--side", side, "--first", first, "--level", "1", "--seed", "1"], "1\n");
        assert!(text.contains(prompt) && text.contains(turn), "{text}");
    }
    let text = shown(&["--side", "none", "--level", "1", "--seed", "1"], "");
    assert!(text.contains("One wins!") || text.contains("Two wins!"), "{text}");
    let text = shown(&["--side", "both", "--layout", "615243,123456"], "1\n1\n");
    assert!(text.contains("One plays") && text.contains("Two plays") && text.contains("[6] [1] [5]"), "{text}");
}

#[test]
fn positions_are_analysed_whatever_they_wait_for() {
    let rolled = "1..../...../..a../...../..... one 4";
    let text = shown(&["--position", rolled, "--seconds", "0.05", "--seed", "1"], "");
    assert!(text.contains("Your chances after each move") && text.contains("rolls and answers (your chances):"), "{text}");
    let waiting = "1..../...../..a../...../..... two";
    let text = shown(&["--position", waiting, "--seconds", "0.05", "--seed", "1"], "1\nposition\n");
    assert!(text.contains("Your chances, by roll") && text.contains("You play "), "{text}");
    let over = "a..../...../..1../...../.....";
    let text = shown(&["--position", over, "--seconds", "0.05"], "");
    assert!(text.contains("Two wins!"), "{text}");
}

#[test]
fn games_are_kept_and_played_back() {
    let file = PROGRAM.file("kept");
    let flags = ["--replay", file.name(), "--seed", "3", "--level", "2"];
    let text = shown(&flags, "1\n1\n");
    assert!(flat(&text).contains(&format!("The game is saved in {}.", flat(file.name()))), "{text}");
    let record = std::fs::read_to_string(&file.0).unwrap();
    assert!(record.starts_with("boardwright record 1\ngame: einstein\n") && record.contains("\nseed: 3\n"), "{record}");
    let text = shown(&["--replay", file.name()], "");
    assert!(text.contains("4. Two rolls ") && text.contains("Two's chances [") && text.contains("was not over"), "{text}");
    assert_eq!(std::fs::read_to_string(&file.0).unwrap(), record, "playing back changes nothing");
}

#[test]
fn engines_play_each_other() {
    let text = shown(&["--self-play", "4", "--level", "2", "--seed", "1"], "");
    assert!(text.contains("4 single games") && text.contains("first mover") && text.contains("length of a game"), "{text}");
    let text = shown(&["--depth-scan", "1,2", "--games", "4", "--seed", "1"], "");
    assert!(text.contains("depth 1") && text.contains("depth 2") && text.contains("2 pairs"), "{text}");
    let text = shown(&["--calibrate", "--games", "4", "--seed", "1"], "");
    assert!(text.contains("rating") && text.contains("level 5") && text.contains("who moves first"), "{text}");
    // Without times, the same every time.
    let again = shown(&["--calibrate", "--games", "4", "--seed", "1"], "");
    let timeless = |text: &str| text.split_once("a decision").unwrap().0.to_string();
    assert_eq!(timeless(&text), timeless(&again));
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    let cases: [(&[&str], &str); 18] = [
        (&["--rules", "chess"], "standard, 4x4 and 5x5x9"),
        (&["--side", "white"], "first, second, one, two, both or none"),
        (&["--first", "me"], "one or two"),
        (&["--layout", "123"], "each number 1 to 6 once"),
        (&["--rules", "5x5x9", "--layout", "123456"], "9 a side"),
        (&["--level", "9"], "1 (weakest) to 6 (strongest)"),
        (&["--level", "1", "--seconds", "1"], "cannot be used with"),
        (&["--seconds=-1"], "above 0, such as 0.5"),
        (&["--seed", "x"], "a number from 0 to 18446744073709551615"),
        (&["--seed", "-1"], "a number from 0 to 18446744073709551615"),
        (&["--seed", "18446744073709551616"], "a number from 0 to"),
        (&["--self-play", "0"], "a number from 1 to 1000000"),
        (&["--depth-scan", "3"], "two different depths or more"),
        (&["--depth-scan", "0,1"], "a number from 1 to 20"),
        (&["--calibrate", "--self-play", "4"], "cannot be used with"),
        (&["--calibrate", "--games", "1"], "a number from 2 to"),
        (&["--position", "123 one"], "5 rows of 5"),
        (&["--replay", "."], "is a directory"),
    ];
    PROGRAM.refuses(&cases);
    let file = PROGRAM.file("diary");
    std::fs::write(&file.0, "dear diary\n").unwrap();
    assert!(refused(&["--replay", file.name()]).contains("not a record"));
    assert_eq!(std::fs::read_to_string(&file.0).unwrap(), "dear diary\n");
}

#[test]
fn colour_is_for_those_who_ask() {
    let output = PROGRAM.run(&["--color", "always", "--level", "1"], b"1\n");
    assert!(output.stdout.contains(&0x1b));
}

#[test]
fn a_hundred_thousand_random_lines() {
    PROGRAM.survives_noise(100_000);
}

/// Ctrl-C while the engine thinks, and while it waits for a line.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_search_and_says_what_was_saved() {
    for (side, wait) in [("second", 400), ("first", 400)] {
        let file = PROGRAM.file(&format!("interrupted-{side}"));
        let mut child = PROGRAM
            .command()
            .args(["--side", side, "--seconds", "100", "--seed", "3", "--replay", file.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        // The file is there as soon as the game is.
        while std::fs::metadata(&file.0).map_or(0, |f| f.len()) == 0 {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(wait));
        let started = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{text}");
        assert!(started.elapsed() < Duration::from_secs(5));
        assert!(flat(&text).contains("Interrupted. The game is saved in"), "{text}");
        let record = std::fs::read_to_string(&file.0).unwrap();
        assert!(record.starts_with("boardwright record 1\n"), "{record}");
        assert!(output.stderr.is_empty());
    }
}

/// `einstein_vs_ai | head` is no error.
#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = PROGRAM
        .command()
        .args(["--side", "none", "--level", "1", "--seed", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
