//! The example `connect6_vs_ai` as people run it: flags, pipes, files.

mod common;

use common::{Program, flat};
use gamecore::Record;
use games_connect6::formats::{collegiate, compact, sgf};
use games_connect6::{Connect6, Rules};

const PROGRAM: Program = Program("connect6_vs_ai");

fn shown(flags: &[&str], input: &str) -> String {
    PROGRAM.shown(flags, input)
}

/// Four in a row of One's; Two is to move.
const OPEN_FOUR: &str = "19/19/19/19/19/19/19/19/19/6xxxx9/19/13oo4/19/14o4/19/19/19/19/19 two 2";

#[test]
fn a_whole_game_in_a_pipe() {
    for rules in ["19", "9", "9,5,1,1", "7,4,3,2"] {
        let flags = ["--seed", "12", "--level", "2", "--rules", rules];
        let text = shown(&flags, &"1\n".repeat(100));
        assert!(text.starts_with("Seed 12;") && text.contains("You play ") && text.contains("Two plays "), "{text}");
        assert!(text.contains("has won with a row") || text.contains("Drawn: the board is full"), "{text}");
        assert!(text.contains("your chances [") && text.contains("The game was not saved; its seed was 12."), "{text}");
        assert_eq!(text, shown(&flags, &"1\n".repeat(100)), "the same seed and moves");
    }
}

#[test]
fn stones_are_entered_together_or_one_by_one() {
    let input = "jj\nKK LL\nk9 j9\nMMNN\nOO\nposition\noo pp\nPP\nposition\nquit\n";
    let text = flat(&shown(&["--side", "both"], input));
    for part in ["One plays JJ.", "Two plays KK LL.", "One plays MM NN.", "Two plays OO.", "Two plays PP."] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // K9 is KK, which is taken; OO is.
    assert!(text.matches("a stone stands there already").count() == 2, "{text}");
    assert!(text.contains(" two 1 6,2,1") && text.contains(" one 2 6,2,1"), "{text}");
    let text = flat(&shown(&["--side", "both"], "JJ KK\nJJ\nAA BB CC\nAABBCC\nAA zz\nAA AA\nJJ KK\nposition\nquit\n"));
    assert!(text.contains("This turn has 1 stone at most") && text.contains("This turn has 2 stones at most"), "{text}");
    assert!(text.contains("\"zz\" is not a move") && text.contains("Two to move") && text.contains(" two 2 6,2,1"), "{text}");
}

#[test]
fn undo_takes_back_a_stone_or_a_turn() {
    let text =
        shown(&["--side", "both"], "JJ\nKK LL\nMM\nundo\nundo\nposition\nundo turn\nposition\nundo turn\nposition\nquit\n");
    let positions: Vec<&str> = text.lines().filter(|line| line.ends_with(" 6,2,1")).collect();
    assert!(positions[0].ends_with("two 1 6,2,1") && positions[0].contains("10o8"), "{positions:?}");
    assert!(positions[1].ends_with("two 2 6,2,1") && positions[2].ends_with("one 1 6,2,1"), "{positions:?}");
    assert_eq!(positions[2], "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 one 1 6,2,1");
    // Against the engine back to the last own stone, or to the last own turn.
    for (undo, left) in [("undo", "one 1"), ("undo turn", "one 2")] {
        let text = shown(&["--level", "2", "--seed", "1"], &format!("JJ\nAA BB\n{undo}\nposition\nquit\n"));
        assert!(text.contains(&format!(" {left} 6,2,1\n")) && text.contains("Taken back."), "{text}");
    }
    assert!(shown(&[], "undo turn\nundo it\nquit\n").contains("There is nothing to take back."));
}

#[test]
fn the_last_turn_and_threats_are_shown() {
    let text = shown(&["--position", OPEN_FOUR, "--side", "both"], "threats\nEJ LJ\nthreats\nquit\n");
    assert!(text.contains("threats: on.") && text.contains("threats: off."), "{text}");
    assert!(text.contains(" J . . . . x x X X X X x x . . . . . . . 10"), "{text}");
    assert!(text.contains("One X, double threat: stop by EJKJ FJKJ FJLJ"), "{text}");
    // After the turn: both stones in brackets.
    assert!(text.contains(" J . . . .(O)x X X X X x(O). . . . . . . 10"), "{text}");
    let text = shown(&["--position", OPEN_FOUR, "--side", "both", "--threats"], "FJ AA\nquit\n");
    assert!(text.contains("One X wins now: KJLJ"), "{text}");
}

#[test]
fn a_hint_names_both_stones() {
    let won = OPEN_FOUR.replace(" two ", " one ");
    let text = shown(&["--position", &won, "--side", "both"], "hint\nquit\n");
    let best = text[text.rfind("Best is ").unwrap() + 8..].split(':').next().unwrap();
    let stones: Vec<&str> = best.split(' ').collect();
    assert!(stones.len() == 2 && text.contains("] 100 %"), "{text}");
    assert!(text.contains(&format!("One wins by force: {best}\n")), "{text}");
    // Played, they win.
    let text = shown(&["--position", &won, "--side", "both"], best);
    assert!(text.contains("One X has won with a row") && text.contains("wins!"), "{text}");
}

#[test]
fn games_are_kept_loaded_and_played_back_in_each_format() {
    let stones = "JJ\nAA BB\nJI JK\nCC EE\nJH JL\nGG SS\nJG\nquit\n";
    let [record, line, college, tree] = ["game.txt", "game.c6", "game.ccgc", "game.sgf"].map(|name| PROGRAM.file(name));
    for file in [&record, &line, &college, &tree] {
        let text = shown(&["--seed", "3", "--side", "both", "--replay", file.name()], stones);
        assert!(text.contains("The game is saved in") && text.contains("One X has won"), "{text}");
    }
    let read = |file: &common::File| std::fs::read_to_string(&file.0).unwrap();
    let games = [
        Record::<Connect6>::parse(&read(&record)).unwrap(),
        compact::parse(&read(&line), Rules::CONNECT6).unwrap(),
        collegiate::parse(&read(&college)).unwrap(),
        sgf::parse(&read(&tree), Rules::CONNECT6).unwrap(),
    ];
    assert!(games[0].history().steps().len() == 12 && games[0].history().state().outcome().is_some());
    for game in &games[1..] {
        assert_eq!(game.history().states(), games[0].history().states());
    }
    // The tournaments call their records .txt too.
    let other = PROGRAM.file("C6-other.txt");
    std::fs::write(&other.0, read(&college)).unwrap();
    for file in [&record, &line, &college, &tree, &other] {
        let text = shown(&["--replay", file.name()], "");
        assert!(text.contains("Playing back") && text.contains("has won with a row"), "{text}");
        // Loaded, it is over; a stone earlier it goes on.
        let text = shown(&["--load", file.name(), "--side", "both"], "undo\nposition\nquit\n");
        let before = games[0].history().states().iter().rev().nth(1).unwrap().to_string();
        assert!(text.contains("over> undo") && text.contains(&before), "{text}");
    }
    // Saved and loaded at the prompt; a position is no game from an empty board.
    let saved = PROGRAM.file("saved.c6");
    let text = shown(&["--side", "both"], &format!("JJ\nKK\nsave {0}\nLL\nnew\nload {0}\nposition\nquit\n", saved.name()));
    assert!(text.contains(" one 2 6,2,1") && read(&saved).trim() == "JJ;KKLL", "{text}");
    let fixed = PROGRAM.file("position.c6");
    assert!(PROGRAM.refused(&["--position", OPEN_FOUR, "--replay", fixed.name()]).contains("from an empty board"));
    assert!(!fixed.0.exists());
}

#[test]
fn engines_play_each_other() {
    let text = shown(&["--self-play", "2", "--level", "2", "--seed", "1", "--rules", "9"], "");
    assert!(text.contains("2 single games") && text.contains("length of a game"), "{text}");
    let text = shown(&["--depth-scan", "1,2", "--games", "2", "--seed", "1", "--rules", "9"], "");
    assert!(text.contains("depth 1") && text.contains("depth 2"), "{text}");
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    let broken = PROGRAM.file("broken.c6");
    std::fs::write(&broken.0, "JJ;KKKK").unwrap();
    let cases: [(&[&str], &str); 13] = [
        (&["--level", "-1"], "1 (weakest) to 5 (strongest)"),
        (&["--games", "-2"], "a number from 2 to"),
        (&["--depth-scan", "-1"], "a number from 1 to 20"),
        (&["--rules", "2"], "3 to 20 rows"),
        (&["--rules", "21"], "3 to 20 rows"),
        (&["--rules", "19,7"], "a row of 7"),
        (&["--rules", "19,6,0"], "at least one stone"),
        (&["--level", "6"], "1 (weakest) to 5 (strongest)"),
        (&["--level", "1", "--seconds", "1"], "cannot be used with"),
        (&["--position", "15/15"], "3 to 20 rows"),
        (&["--position", OPEN_FOUR, "--rules", "9"], "cannot be used with"),
        (&["--load", "no such file.sgf"], "there is no game in"),
        (&["--load", broken.name()], "a stone stands there already"),
    ];
    PROGRAM.refuses(&cases);
}

#[test]
fn random_lines_do_no_harm() {
    PROGRAM.survives_noise(5_000);
}

/// Lines made of what turns and commands are made of.
#[test]
fn almost_turns_do_no_harm() {
    const WORDS: [&str; 20] = [
        "J", "K", "A", "R", "JJ", "KL", "10", "19", "1", " ", ",", ";", "@@", "T", "undo", "turn", "board", "load", "threats",
        "new",
    ];
    let input = common::nearly(&WORDS, 5, 3_000);
    for flags in [["--level", "1"], ["--side", "both"]] {
        PROGRAM.survives(&[&flags[..], &["--seed", "1"]].concat(), input.as_bytes());
    }
}
