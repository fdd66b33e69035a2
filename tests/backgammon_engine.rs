//! The example `backgammon_engine` as other programs run it.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Program, noise};
use gamecore::Player;
use games_backgammon::Backgammon;
use games_backgammon::formats::gnubg::position_id;
use games_backgammon_bearoff::{Params, TwoSided};

/// The example next to this test: cargo builds examples before it runs integration tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().join("examples");
    let program = folder.join(format!("backgammon_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built: cargo build --example backgammon_engine", program.display());
    program
}

#[test]
fn lines_in_and_lines_out() {
    for ply in ["0", "1"] {
        let mut command = Command::new(program());
        let mut child = command.args(["--ply", ply]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = "best 4HPwATDgc/ABMA 3 1\nwhat\nbest 4HPwATDgc/ABMA 3 1\n";
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(matches!(lines[..], [a, error, b] if a == b && a == "4HPwATCwZ/ABMA" && error.starts_with("Error (")), "{text}");
    }
}

#[test]
fn a_bear_off_database_changes_what_it_plays() {
    let file = std::env::temp_dir().join(format!("backgammon_engine-{}.bearoff", std::process::id()));
    TwoSided::build(Params::new(6, 4).unwrap(), 1, |_, _| {}).unwrap().save(&file).unwrap();
    let answers = |flags: &[&str], input: &str| {
        let mut command = Command::new(program());
        let mut child = command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    // Positions of up to four checkers a side on the 2-, 4- and 6-point.
    let mut input = String::new();
    for code in 0..4usize.pow(6) {
        let digits: Vec<u8> = (0..6).map(|i| (code / 4usize.pow(i) % 4) as u8).collect();
        let mut boards = [[0; 26]; 2];
        for (board, counts) in boards.iter_mut().zip(digits.chunks(3)) {
            counts.iter().zip([1, 3, 5]).for_each(|(&n, place)| board[place] = n);
            board[25] = 15 - counts.iter().sum::<u8>();
        }
        let few = |board: &[u8; 26]| (1..=4).contains(&(15 - board[25]));
        if boards.iter().all(few) {
            let game = Backgammon::from_board(boards, Player::One, None).unwrap();
            input += &format!("best {} 2 1\n", position_id(&game));
        }
    }
    let plain = answers(&["--ply", "0"], &input);
    let known = answers(&["--ply", "0", "--bearoff", file.to_str().unwrap()], &input);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(plain.lines().count(), input.lines().count());
    assert!(!plain.contains("Error") && !known.contains("Error"));
    let different = plain.lines().zip(known.lines()).filter(|(a, b)| a != b).count();
    assert!(different > 0 && different < input.lines().count() / 2, "{different}");
}

#[test]
fn garbage_and_torn_lines_do_no_harm() {
    let mut input = noise(500);
    input.extend("\nbest 4HPwATDgc/ABMA 3 1\nbest 4HPwATDgc/ABM".bytes());
    let output = Program("backgammon_engine").run(&["--ply", "0"], &input);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\u{1b}') && text.contains("a line has at most"), "{text}");
}

#[test]
fn gnu_backgammon_finds_it_on_its_port() {
    let mut command = Command::new(program());
    let mut child = command.args(["--ply", "0", "--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let address = said.trim().trim_start_matches("Listening on ").trim_end_matches('.').to_string();
    // One game after the other.
    for _ in 0..2 {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let board = "board:guest:house:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
        stream.write_all(format!("{board}\n\0").as_bytes()).unwrap();
        let mut answer = String::new();
        BufReader::new(&stream).read_line(&mut answer).unwrap();
        assert_eq!(answer, "8/5 6/5\n");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    for (flags, message) in [
        (&["--ply", "4"][..], "a number from 0 to 3"),
        (&["--ply", "1", "--seconds", "1"], "cannot be used with"),
        (&["--seconds=0"], "above 0"),
        (&["--listen", "nowhere"], "--listen nowhere"),
        (&["--bearoff", "nowhere.bearoff"], "--bearoff nowhere.bearoff: "),
        (&["--bearoff", "Cargo.toml"], "not a bear-off database"),
    ] {
        let output = Command::new(program()).args(flags).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.starts_with("error: ") && text.contains(message), "{text}");
    }
}
