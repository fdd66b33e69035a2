//! The example `gomoku_vs_ai` as people run it: flags, pipes, files.

mod common;

use common::{Program, flat};
use gamecore::{Record, Text};
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

/// A person lays three stones, the engine chooses, and the game goes on from there in the right seats.
#[test]
fn swap2_is_agreed_on_first() {
    let flags = ["--swap2", "--seed", "4", "--level", "3"];
    // Far apart, so black is hardly better; an open three, so it is much better.
    let text = flat(&shown(&flags, "help\nh8\nundo\nundo\nh8 h8\nz9\nblack\nh8 a1\nboard\ni8\nquit\n"));
    for part in [
        "Swap2: one player puts three stones",
        "You put three stones, X O X",
        "stone 1, X> help Y",
        "Taken back. stone 1, X> undo There is nothing to take back",
        "a stone stands there already",
        "on this board points are a1 to o15",
        "\"black\" is not a move",
        "stone 3, X> board",
        "You put X on h8, O on a1, X on i8.",
        "The engine takes black.",
        "The engine has X, black. You have O, white, and the next move.",
        "Turn 4: you are Two.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text, flat(&shown(&flags, "help\nh8\nundo\nundo\nh8 h8\nz9\nblack\nh8 a1\nboard\ni8\nquit\n")), "the same seed");
}

#[test]
fn swap2_from_the_other_side() {
    let flags = ["--swap2", "--seed", "5", "--level", "2", "--side", "second", "--size", "9"];
    // Each of the three choices; after two more stones the engine takes a colour.
    for (choice, told, turn) in [
        ("black\n", "You have X, black. The engine has O, white, and the next move.", "Turn 5: you are One."),
        ("white\n", "The engine has X, black. You have O, white, and the next move.", "Turn 4: you are Two."),
        ("hint\na1\nb2\n", "The engine takes ", ""),
    ] {
        let text = flat(&shown(&flags, &format!("{choice}quit\n")));
        assert!(text.contains("The engine puts X on ") && text.contains(told) && text.contains(turn), "{text}");
    }
    let text = flat(&shown(&flags, "a1\nb2\n"));
    assert!(text.contains("You put O on a1, X on b2.") && text.contains("stone 5, X> b2"), "{text}");
}

#[test]
fn swap2_between_two_and_in_files() {
    let (record, psq) = (PROGRAM.file("swap2.txt"), PROGRAM.file("swap2.psq"));
    let lines =
        format!("h8 i8 j10\nh9 h10\nundo\nh9 i9\nwhite\nj9\nundo\nundo\nj8\nsave {}\nnew\nh8 i8 j10\nblack\nquit\n", psq.name());
    let text = flat(&shown(&["--swap2", "--side", "both", "--seed", "1", "--replay", record.name()], &lines));
    for part in [
        "The first player puts X on h8, O on i8, X on j10.",
        "The second player may take black or white, or put two more stones, O X, and leave the choice to the other.",
        "The second player puts O on h9, X on h10.",
        "The second player puts O on h9, X on i9.",
        "The first player takes white.",
        "The second player has X, black. The first player has O, white, and the next move.",
        "Turn 6: Two to move.",
        "Taken back.",
        "There is nothing to take back: the opening stays.",
        "A new game, seed 2.",
        "The second player takes black.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let read = |file: &common::File| std::fs::read_to_string(&file.0).unwrap();
    let steps = "h8 i8 j10 h9 i9 j8";
    assert_eq!(Record::<Gomoku>::parse(&read(&record)).unwrap().history().steps_text(), steps);
    assert_eq!(psq::parse(&read(&psq), Rule::Freestyle).unwrap().history().steps_text(), steps);
    let next = common::File(record.0.with_file_name(format!("{}-2.txt", record.0.file_stem().unwrap().to_str().unwrap())));
    assert_eq!(Record::<Gomoku>::parse(&read(&next)).unwrap().history().steps_text(), "h8 i8 j10");
    // Engines among themselves.
    let text = flat(&shown(&["--swap2", "--side", "none", "--level", "2", "--seed", "3", "--size", "8"], ""));
    assert!(text.contains("The first player puts X on ") && text.contains("The second player takes "), "{text}");
    // Every line is a choice or a reason.
    let output = PROGRAM.run(&["--swap2", "--level", "1", "--seed", "1"], &common::noise(500));
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(String::from_utf8(output.stdout).unwrap().contains("The input has ended."));
}

#[test]
fn the_engine_opens_with_a_book() {
    let file = PROGRAM.file("opening.book");
    let mut book = engines::gomoku::book(Rule::Freestyle, 15).unwrap();
    let game = Gomoku::start(Rule::Freestyle, 15).unwrap();
    book.add(&game, game.parse_move("a2").unwrap(), 1, 0, 0.0).unwrap();
    book.save(&file.0).unwrap();
    let flags = ["--book", file.name(), "--side", "second", "--level", "2", "--seed", "1"];
    let text = shown(&flags, "quit\n");
    let corners = ["a2", "b1", "a14", "b15", "o2", "n1", "o14", "n15"];
    assert!(corners.iter().any(|corner| text.contains(&format!("One plays {corner}."))), "{text}");
    // Of other rules or another size it says so.
    for (flag, value, mine) in [("--size", "9", "freestyle 9"), ("--rule", "renju", "renju 15")] {
        let text = PROGRAM.refused(&["--book", file.name(), flag, value]);
        assert!(text.contains(&format!("an opening book of \"gomoku freestyle 15\", not of \"gomoku {mine}\"")), "{text}");
    }
    std::fs::write(&file.0, "no book").unwrap();
    assert!(PROGRAM.refused(&flags).contains("not an opening book"));
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
    let cases: [(&[&str], &str); 12] = [
        (&["--rule", "chess"], "freestyle, standard, renju and caro"),
        (&["--size", "4"], "5 to 20"),
        (&["--size", "21"], "5 to 20"),
        (&["--level", "6"], "1 (weakest) to 5 (strongest)"),
        (&["--level", "1", "--seconds", "1"], "cannot be used with"),
        (&["--position", "15/15"], "5 to 20 rows"),
        (&["--position", OPEN_THREE, "--size", "9"], "cannot be used with"),
        (&["--position", OPEN_THREE, "--load", "game.txt"], "cannot be used with"),
        (&["--load", "no such file.sgf"], "there is no game in"),
        (&["--swap2", "--position", OPEN_THREE], "cannot be used with"),
        (&["--swap2", "--self-play", "2"], "cannot be used with"),
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
