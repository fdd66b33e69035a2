//! The example `backgammon_vs_ai` as people run it: flags, pipes, files.

mod common;

use common::{Program, flat};
use gamecore::Record;
use games_backgammon::formats::{mat, sgf};
use games_backgammon::{Backgammon, notation};
use games_backgammon_bearoff::{OneSided, Params, TwoSided};

const PROGRAM: Program = Program("backgammon_vs_ai");

fn shown(flags: &[&str], input: &str) -> String {
    PROGRAM.shown(flags, input)
}

#[test]
fn a_whole_game_in_a_pipe() {
    for setup in ["standard", "nackgammon", "hypergammon"] {
        let flags = ["--seed", "12", "--level", "2", "--setup", setup];
        let text = shown(&flags, &"1\n".repeat(300));
        assert!(text.starts_with("Seed 12;") && text.contains("You play ") && text.contains("Two rolls "), "{text}");
        assert!(text.contains("Two O has won") || text.contains("One X has won"), "{text}");
        assert!(text.contains("The input has ended.\nThe game was not saved; its seed was 12."), "{text}");
        assert_eq!(text, shown(&flags, &"1\n".repeat(300)), "the same seed and plays");
    }
}

#[test]
fn plays_are_entered_in_notation_and_refused_with_the_reason() {
    let position = "00000503000050000000000200/00000503000050000000000200 one 31";
    let input = "6/5\n8/5 6/6\n24/18\n13/7 8/7\npass\n9/8\nbar/22\n8/5, 6/5\nposition\nundo\nposition\nquit\n";
    let text = flat(&shown(&["--position", position, "--side", "both"], input));
    for reason in [
        "not a whole play: 2 of the dice can be played",
        "checkers move towards the 1-point, not from 6 to 6",
        "no die, nor a sum of dice, is 6",
        "who can move may not pass",
        "there is no checker of yours on 9",
        "there is no checker of yours on the bar",
        "One plays 8/5,6/5.",
        "Taken back; the dice stay as they were.",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    assert!(text.contains("00002402000050000000000200/00000503000050000000000200 two"), "{text}");
}

#[test]
fn hints_rank_plays_of_one_depth() {
    let position = "00000503000050000000000200/00000503000050000000000200 one 31";
    let text = shown(&["--position", position, "--side", "both"], "hint\nquit\n");
    let at = text.rfind("One's equity after the best of ").unwrap();
    assert!(text[at..].lines().next().unwrap().contains("(depth 2, "), "{text}");
    let lines: Vec<&str> = text[at..].lines().skip(1).take(6).collect();
    assert!(lines[0].contains("8/5,6/5") && !lines[0].contains('('), "{text}");
    let equities: Vec<f64> =
        lines.iter().map(|l| l.split_whitespace().find(|w| w.starts_with(['+', '-'])).unwrap().parse().unwrap()).collect();
    assert!(equities.is_sorted_by(|a, b| a >= b), "{equities:?}");
    assert!(lines[1..].iter().all(|l| l.contains("(-0.")), "{text}");
}

#[test]
fn positions_of_other_programs_are_read() {
    for position in ["4HPwATDgc/ABMA:cAkAAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "4HPwATDgc/ABMA"] {
        let text = shown(&["--position", position, "--side", "both", "--seed", "1"], "position\n");
        assert!(text.contains("00000503000050000000000200/00000503000050000000000200 one"), "{position}: {text}");
        assert!(text.contains("One's equity"), "{position}: {text}");
        // And told in all three ways.
        let told: Vec<Backgammon> =
            text.lines().skip_while(|line| !line.starts_with("000")).take(3).map(|line| line.parse().unwrap()).collect();
        assert!(told.len() == 3 && told.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
    }
    // A game that is over, with what was won.
    let text = shown(&["--position", "0000000000000000000000000f/000000f0000000000000000000 two"], "");
    assert!(text.contains("win a gammon: 2 points!") || text.contains("wins a gammon: 2 points!"), "{text}");
    let text = shown(&["--position", "1000000000000000000000000e/0000000000000000000000f000 one 21"], "1\n");
    assert!(text.contains("You win a backgammon: 3 points!"), "{text}");
}

#[test]
fn forced_plays_are_made_if_wished() {
    // On the bar against the points that the dice would enter.
    let position = "00000503000050000000000010/22222030000000000000000200 one 21";
    let asked = shown(&["--position", position, "--side", "both", "--seed", "1"], "board\n");
    let made = shown(&["--position", position, "--side", "both", "--seed", "1", "--auto-forced"], "board\n");
    assert!(!asked.contains("(No other move.)") && asked.contains("Moves: 1 pass\n"), "{asked}");
    assert!(made.contains("One plays pass. (No other move.)") && made.contains("Two> "), "{made}");
}

#[test]
fn games_are_kept_and_played_back_in_every_format() {
    let mut boards = Vec::new();
    for name in ["kept.txt", "kept.mat", "kept.SGF"] {
        let file = PROGRAM.file(name);
        let text = shown(&["--replay", file.name(), "--seed", "3", "--level", "3", "--side", "none"], "");
        assert!(text.contains("One X has won") || text.contains("Two O has won"), "{text}");
        assert!(flat(&text).contains(&format!("The game is saved in {}.", file.name())), "{text}");
        let kept = std::fs::read_to_string(&file.0).unwrap();
        let record = match name {
            "kept.txt" => Record::<Backgammon>::parse(&kept).unwrap(),
            "kept.mat" => mat::parse(&kept).unwrap().record(0).unwrap(),
            _ => sgf::parse(&kept).unwrap().record(0).unwrap(),
        };
        assert!(record.history().steps().len() > 40 && record.history().state().outcome().is_some());
        assert!(record.tags().iter().filter(|(tag, who)| ["one", "two"].contains(&&**tag) && who == "level 3").count() == 2);
        boards.push(record.history().steps_text());

        let text = shown(&["--replay", file.name()], "");
        assert!(text.contains("points!") | text.contains("wins!"), "{text}");
        assert_eq!(text.contains("'s equity "), name == "kept.txt", "{text}");
        assert_eq!(std::fs::read_to_string(&file.0).unwrap(), kept);
        // The file that is played on from is left alone, the rest is not kept.
        let text = flat(&shown(&["--load", file.name(), "--side", "both"], "undo\nposition\nquit"));
        assert!(text.contains("This is the game in") && text.contains("Taken back"), "{text}");
        assert!(text.starts_with("Seed 3;") || name != "kept.txt", "{text}");
        assert_eq!(std::fs::read_to_string(&file.0).unwrap(), kept);
    }
    assert!(boards.windows(2).all(|pair| pair[0] == pair[1]), "{boards:?}");
}

#[test]
fn one_game_of_a_match_is_chosen() {
    let file = PROGRAM.file("match.mat");
    let text = " 7 point match\n\n Game 1\n Ann : 0       Bob : 0\n 1)                     31: 8/5 6/5\n 2) 62: 24/18 13/11     Doubles => 2\n 3) Drops\n                                  Wins 1 point\n\n Game 2\n Ann : 0       Bob : 1\n 1) 65: 24/13\n";
    std::fs::write(&file.0, text).unwrap();
    let first = shown(&["--replay", file.name(), "--game", "1"], "");
    assert!(first.contains("one: Ann\ntwo: Bob\nresult: W+1\n") && first.contains("24/18,13/11"), "{first}");
    for flags in [&["--game", "2"][..], &[]] {
        let last = shown(&[&["--load", file.name(), "--side", "both", "--seed", "1"], flags].concat(), "position\nquit");
        assert!(last.contains(" 7:0-1 1\n") && !last.contains("Ann"), "{last}");
    }
    for (number, message) in [("3", "there is no game 3: they are numbered 1 to 2"), ("0", "a number from 1 to 10000")] {
        let said = PROGRAM.refused(&["--load", file.name(), "--game", number]);
        assert!(said.contains(message), "{said}");
    }
    // A match without a game, and a game that no match can hold.
    std::fs::write(&file.0, " 7 point match\n").unwrap();
    assert!(PROGRAM.refused(&["--load", file.name()]).contains("there is no game 1: the match has none"));
    let other = PROGRAM.file("other.mat");
    let position = "0000020000000000000000000d/1000000000000000000000000e one";
    assert!(PROGRAM.refused(&["--position", position, "--replay", other.name()]).contains("usual set-up"));
    let text = shown(&["--position", position, "--seed", "1"], &format!("save {}\nquit", other.name()));
    assert!(flat(&text).contains("Not saved: ") && !other.0.exists(), "{text}");
}

#[test]
fn a_bear_off_database_makes_hints_exact() {
    let (one, two) = (PROGRAM.file("one.bearoff"), PROGRAM.file("two.bearoff"));
    OneSided::build(Params::new(6, 2).unwrap(), 1, |_, _| {}).save(&one.0).unwrap();
    TwoSided::build(Params::new(6, 2).unwrap(), 1, |_, _| {}).unwrap().save(&two.0).unwrap();
    // One has two checkers on its 6-point and must roll 3-3 or higher doubles before Two bears off its last.
    let flags = ["--position", "0000020000000000000000000d/1000000000000000000000000e one", "--side", "both", "--seed", "1"];
    let text = shown(&[&flags[..], &["--bearoff", two.name(), "--bearoff", one.name()]].concat(), "");
    // 2 * 4 / 36 - 1
    assert!(text.contains("One's equity -0.778"), "{text}");
    for (files, message) in [
        (&["nowhere.bearoff"][..], "--bearoff nowhere.bearoff: "),
        (&["Cargo.toml"], "Cargo.toml: not a bear-off database"),
        (&[two.name(), two.name()], "a second two-sided bear-off database"),
    ] {
        let files = files.iter().flat_map(|&file| ["--bearoff", file]);
        let said = PROGRAM.refused(&flags.iter().copied().chain(files).collect::<Vec<_>>());
        assert!(said.starts_with("error: ") && said.contains(message), "{said}");
    }
}

#[test]
fn a_match_to_one_point_is_shown_and_played() {
    let text = shown(&["--position", "4HPwATDgc/ABMA:cAkgAAAAAAAE", "--side", "both", "--seed", "1"], "position\nboard\n");
    assert!(text.contains(" 1:0-0 1\n") && text.contains("\nTo 1 point\n"), "{text}");
}

#[test]
fn a_path_that_cannot_be_written_is_refused_before_the_game() {
    let text = PROGRAM.refused(&["--replay", "/no/such/folder/game.txt"]);
    assert!(text.starts_with("error: ") && text.contains("/no/such/folder/game."), "{text}");
}

#[test]
fn engines_play_each_other() {
    let text = shown(&["--self-play", "4", "--level", "2", "--seed", "1"], "");
    assert!(text.contains("4 single games") && text.contains("length of a game"), "{text}");
    let text = shown(&["--depth-scan", "1,2", "--games", "2", "--seed", "1"], "");
    assert!(text.contains("depth 1") && text.contains("depth 2"), "{text}");
    let text = shown(&["--calibrate", "--games", "2", "--seed", "1"], "");
    assert!(text.contains("rating") && text.contains("level 4") && !text.contains("level 5"), "{text}");
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    let cases: [(&[&str], &str); 7] = [
        (&["--setup", "chess"], "standard, nackgammon and hypergammon"),
        (&["--side", "white"], "first, second, one, two, both or none"),
        (&["--level", "6"], "1 (weakest) to 5 (strongest)"),
        (&["--level", "1", "--seconds", "1"], "cannot be used with"),
        (&["--position", "XGID=nonsense"], "XGID"),
        (&["--position", "4HPwATDgc/ABM!"], "position id"),
        (&["--position", "4HPwATDgc/ABMA", "--setup", "nackgammon"], "cannot be used with"),
    ];
    PROGRAM.refuses(&cases);
}

#[test]
fn random_lines_do_no_harm() {
    PROGRAM.survives_noise(20_000);
}

/// Lines made of what plays and commands are made of.
#[test]
fn almost_plays_do_no_harm() {
    const WORDS: [&str; 20] = [
        "24/", "13/", "8/", "6/", "bar", "off", "b/", "/o", "*", "(2)", "(4)", " ", "-", ",", "pass", "hint", "undo", "1",
        "why ", "new",
    ];
    let input = common::nearly(&WORDS, 6, 10_000);
    for flags in [["--level", "1"], ["--side", "both"]] {
        PROGRAM.survives(&[&flags[..], &["--seed", "1", "--auto-forced"]].concat(), input.as_bytes());
    }
    // What was typed is read as written.
    let game: Backgammon = "00000503000050000000000200/00000503000050000000000200 one 31".parse().unwrap();
    assert_eq!(notation::parse(&game, "8-5,6-5"), notation::parse(&game, "8/5 6/5"));
}
