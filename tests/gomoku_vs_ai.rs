//! The example `gomoku_vs_ai` as people run it: flags, pipes, files.

mod common;

use common::{Program, flat};
use gamecore::Record;
use games_gomoku::formats::{psq, sgf};
use games_gomoku::{Gomoku, Rule};

const PROGRAM: Program = Program("gomoku_vs_ai");

fn shown(flags: &[&str], input: &str) -> String {
    PROGRAM.shown(flags, input)
}

/// An open three of One's, who is to move.
const OPEN_THREE: &str = "15/15/15/15/15/15/5xxx7/15/6oo7/7o7/15/15/15/15/15 one freestyle";

#[test]
fn a_whole_game_in_a_pipe() {
    for rule in ["freestyle", "standard", "renju", "caro"] {
        let flags = ["--seed", "12", "--level", "2", "--rule", rule, "--size", "9"];
        let text = shown(&flags, &"1\n".repeat(45));
        assert!(text.starts_with("Seed 12;") && text.contains("You play ") && text.contains("Two plays "), "{text}");
        assert!(text.contains("has won with a row") || text.contains("Drawn: no move"), "{text}");
        assert!(text.contains("your chances [") && text.contains("The game was not saved; its seed was 12."), "{text}");
        assert_eq!(text, shown(&flags, &"1\n".repeat(45)), "the same seed and moves");
    }
}

#[test]
fn the_last_move_and_threats_are_shown() {
    let text = shown(&["--position", OPEN_THREE, "--side", "both"], "threats\nthreats\nj9\nthreats\nquit\n");
    assert!(text.contains("threats: on.") && text.contains("threats: off."), "{text}");
    assert!(text.contains(" 9 . . . . 4 X X X 4 . . . . . . 9"), "{text}");
    assert!(text.contains("One X: open or double four at e9 i9"), "{text}");
    assert!(text.contains(" 9 . . . . . X X X .(X). . . . . 9"), "{text}");
    let text = shown(&["--position", OPEN_THREE, "--side", "both", "--threats"], "i9\nquit\n");
    assert!(text.contains(" 9 . . . . 5 X X X(X)5 . . . . . 9") && text.contains("One X: five at e9 j9"), "{text}");
}

#[test]
fn a_hint_shows_the_proof() {
    let text = shown(&["--position", OPEN_THREE, "--side", "both"], "hint\nquit\n");
    let proof = text[text.rfind("Best is ").unwrap()..].split_once("One wins by force: ").unwrap_or_else(|| panic!("{text}")).1;
    let line: Vec<&str> = proof.lines().next().unwrap().split(' ').collect();
    assert!(line.len() == 3 && ["e9", "i9"].contains(&line[0]), "{line:?}");
    assert!(text.contains("] 100 %"), "{text}");
    // Played out, it wins.
    let moves = line.join("\n");
    let text = shown(&["--position", OPEN_THREE, "--side", "both"], &moves);
    assert!(text.contains("One X has won with a row") && text.contains("wins!"), "{text}");
    let lost = OPEN_THREE.replace(" one ", " two ").replace("5xxx7", "5xxxx6");
    let text = shown(&["--position", &lost, "--side", "both"], "hint\nquit\n");
    assert!(text.contains("One wins by force: "), "{text}");
}

#[test]
fn moves_are_entered_by_name_and_refused_with_the_reason() {
    let text = flat(&shown(&["--side", "both"], "h8\nH8\nj16\n7,8\nh8x\nposition\nundo\nposition\nload\nquit\n"));
    for reason in [
        "One plays h8.",
        "a stone stands there already",
        "on this board points are a1 to o15",
        "Two plays h7.",
        "15/15/15/15/15/15/15/7x7/7o7/15/15/15/15/15/15 one freestyle",
        "Taken back.",
        "15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 two freestyle",
        "load needs the name of a file",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    let renju = "15/15/15/15/15/15/15/3xxx1xx6/15/15/15/15/15/15/15 one renju";
    assert!(flat(&shown(&["--position", renju, "--side", "both"], "g8\n")).contains("six or more in a row"));
}

#[test]
fn games_are_kept_loaded_and_played_back_in_each_format() {
    let engines = ["--seed", "3", "--level", "3", "--side", "none", "--rule", "standard"];
    let [record, psq, sgf] = ["game.txt", "game.psq", "game.sgf"].map(|name| PROGRAM.file(name));
    for file in [&record, &psq, &sgf] {
        let text = shown(&[&engines[..], &["--replay", file.name()]].concat(), "");
        assert!(text.contains("The game is saved in"), "{text}");
    }
    let read = |file: &common::File| std::fs::read_to_string(&file.0).unwrap();
    let games = [
        Record::<Gomoku>::parse(&read(&record)).unwrap(),
        psq::parse(&read(&psq), Rule::Standard).unwrap(),
        sgf::parse(&read(&sgf), Rule::Freestyle).unwrap(),
    ];
    assert!(games[0].history().steps().len() > 8 && games[0].history().state().outcome().is_some());
    for game in &games[1..] {
        assert_eq!(game.history().states(), games[0].history().states());
        assert_eq!(game.tags().iter().find(|tag| tag.0 == "one").map(|tag| &*tag.1), Some("level 3"));
    }
    for file in [&record, &psq, &sgf] {
        let text = shown(&["--replay", file.name(), "--rule", "standard"], "");
        assert!(text.contains("Playing back") && text.contains("has won with a row"), "{text}");
        // Loaded, it is over; two moves earlier it goes on.
        let flags = ["--load", file.name(), "--rule", "standard", "--side", "both"];
        let text = shown(&flags, "undo\nposition\nquit\n");
        let before = games[0].history().states().iter().rev().nth(1).unwrap().to_string();
        assert!(text.contains("over> undo") && text.contains(&before), "{text}");
    }
    // A position cannot be kept as .psq, and says so before it plays.
    let other = PROGRAM.file("position.psq");
    assert!(PROGRAM.refused(&["--position", OPEN_THREE, "--replay", other.name()]).contains("on an empty board"));
    assert!(!other.0.exists());
}

#[test]
fn engines_play_each_other() {
    let text = shown(&["--self-play", "2", "--level", "2", "--seed", "1", "--size", "9"], "");
    assert!(text.contains("2 single games") && text.contains("length of a game"), "{text}");
    let text = shown(&["--depth-scan", "1,2", "--games", "2", "--seed", "1", "--size", "9"], "");
    assert!(text.contains("depth 1") && text.contains("depth 2"), "{text}");
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    let broken = PROGRAM.file("broken.psq");
    std::fs::write(&broken.0, "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,").unwrap();
    let cases: [(&[&str], &str); 10] = [
        (&["--rule", "chess"], "freestyle, standard, renju and caro"),
        (&["--size", "4"], "5 to 20"),
        (&["--size", "21"], "5 to 20"),
        (&["--level", "6"], "1 (weakest) to 5 (strongest)"),
        (&["--level", "1", "--seconds", "1"], "cannot be used with"),
        (&["--position", "15/15"], "5 to 20 rows"),
        (&["--position", OPEN_THREE, "--size", "9"], "cannot be used with"),
        (&["--position", OPEN_THREE, "--load", "game.txt"], "cannot be used with"),
        (&["--load", "no such file.sgf"], "there is no game in"),
        (&["--load", broken.name()], "line 3: \"9,\" is no move"),
    ];
    PROGRAM.refuses(&cases);
}

#[test]
fn random_lines_do_no_harm() {
    PROGRAM.survives_noise(5_000);
}

/// Lines made of what moves and commands are made of.
#[test]
fn almost_moves_do_no_harm() {
    const WORDS: [&str; 18] =
        ["h", "8", "a1", "7,7", ",", "o15", "p", "16", " ", "-", "hint", "undo", "threats", "new", "why ", "position", "0", "1"];
    let input = common::nearly(&WORDS, 3, 1_500);
    PROGRAM.survives(&["--level", "1", "--seed", "1", "--size", "6"], input.as_bytes());
}
