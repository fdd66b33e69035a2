//! The example `connect6_engine` as other programs run it.

mod common;

use std::process::Stdio;
use std::time::{Duration, Instant};

use common::Program;
use gamecore::{History, Text};
use games_connect6::{Connect6, Vcdt};

const PROGRAM: Program = Program("connect6_engine");

/// What it answers and what it complains of.
fn said(flags: &[&str], input: &str) -> (Vec<String>, Vec<String>) {
    let output = PROGRAM.run(flags, input.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().lines().map(str::to_string).collect();
    (lines(output.stdout), lines(output.stderr))
}

#[test]
fn a_game_begins_in_either_colour() {
    for flags in [
        &["--level", "2"][..],
        &["--seconds", "0.2", "--threads", "2"],
        &["--seconds", "0.2", "--algorithm", "mcts"],
        &["--clock", "6", "--seed", "4"],
    ] {
        let (lines, errors) = said(flags, "name?\r\nnew black\r\nmove AABB\r\nquit\r\n");
        assert!(errors.is_empty() && lines.len() == 3, "{lines:?} {errors:?}");
        assert!(lines[0] == "name Boardwright" && lines[1].len() == 9 && lines[1].ends_with("@@"), "{lines:?}");
        assert!(lines[2].len() == 9 && lines[2].starts_with("move ") && !lines[2].contains('@'), "{lines:?}");
        let (lines, errors) = said(&[flags, &["--name", "X 1"]].concat(), "name\nnew white\nmove JJ@@\n");
        assert!(errors.is_empty() && lines[0] == "name X 1" && lines[1].len() == 9, "{lines:?} {errors:?}");
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let input = "new black\nmove AABB\nmove CCDD\nmove EEGG\nprint\n";
    for level in ["1", "3"] {
        let flags = ["--level", level, "--seed", "5"];
        let (lines, errors) = said(&flags, input);
        assert!(errors.is_empty() && lines.len() > 20, "{errors:?}");
        assert_eq!(said(&flags, input).0, lines);
    }
}

#[test]
fn faults_are_told_and_the_game_goes_on() {
    let input = "new white\nmove JJ\nmove\nmove J\nmove JJKK\nfly\nend\nmove AABB\nnew white\nmove KK\nquit\n";
    let (lines, errors) = said(&["--level", "2", "--seed", "1"], input);
    assert_eq!((lines.len(), errors.len()), (2, 5), "{lines:?} {errors:?}");
    assert!(errors[4].contains("the game has been ended"), "{errors:?}");
}

/// `vcf` and `unvcf` say whether wins by double threats are looked for, and change nothing else.
#[test]
fn wins_by_double_threats_can_be_left_out() {
    // White, to move, wins by five turns of double threats.
    let turns = ["black JJ", "white KKMK", "black KIJI", "white MGJL", "black MLII"];
    let mut history = History::from(Connect6::default());
    for name in turns.iter().flat_map(|turn| turn.as_bytes()[6..].chunks(2)) {
        let point = history.state().parse_move(core::str::from_utf8(name).unwrap()).unwrap();
        history.try_play(point).unwrap();
    }
    let game = history.state();
    let answers = |word: &str| {
        let (lines, errors) = said(&["--seed", "1"], &format!("depth 1\n{word}\nnew white\n{}\nnext\n", turns.join("\n")));
        assert!(errors.is_empty() && lines.len() == 1, "{lines:?} {errors:?}");
        [&lines[0][5..7], &lines[0][7..9]].map(|name| game.parse_move(name).unwrap())
    };
    let wins = |stones| Vcdt::default().wins_with(&game.windows(), game.mover(), stones);
    assert!(wins(answers("vcf")) && !wins(answers("unvcf")));
    // The last word counts, and a depth is kept.
    assert_eq!(answers("unvcf\nvcf"), answers("vcf"));
    assert_eq!(answers("vcf\nunvcf"), answers("unvcf"));
}

#[test]
fn it_ends_when_it_is_told_while_it_thinks() {
    let mut command = PROGRAM.command();
    let mut child = command.args(["--seconds", "100000"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    use std::io::Write;
    input.write_all(b"new white\nmove JJ\n").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success() && began.elapsed() < Duration::from_secs(60));
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    for (flags, message) in [
        (&["--level", "6"][..], "1 (weakest) to 5 (strongest)"),
        (&["--level", "1", "--threads", "2"], "cannot be used with"),
        (&["--seconds=0"], "above 0"),
        (&["--clock", "long"], "above 0"),
        (&["--algorithm", "minimax"], "alpha-beta"),
        (&["--threads", "0"], "a number from 1 to 256"),
        (&["--threads", "-1"], "a number from 1 to 256"),
        (&["--level", "-1"], "1 (weakest) to 5 (strongest)"),
        (&["--name", ""], "a value is required"),
    ] {
        let text = PROGRAM.refused(flags);
        assert!(text.contains(message) && text.starts_with("error: "), "{text}");
    }
}
