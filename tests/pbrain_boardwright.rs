//! The example `pbrain-boardwright` as managers of gomoku games run it.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use gamecore::Game;
use games_gomoku::{Gomoku, Point, Rule};
use protocols::{Launch, Wire};
use search_core::Book;

/// The example next to this test: cargo builds examples before it runs integration tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().join("examples");
    let program = folder.join(format!("pbrain-boardwright{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built: cargo build --example pbrain-boardwright", program.display());
    program
}

/// What it says to a script.
fn run(flags: &[&str], input: &str) -> Output {
    let mut command = Command::new(program());
    command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who has left does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A conversation, for at most a minute.
struct Manager {
    wire: Wire,
    until: Instant,
}

impl Manager {
    fn start(flags: &[&str]) -> Self {
        let wire = Wire::start(&Launch::new(program()).with_args(flags)).unwrap();
        Self { wire, until: Instant::now() + Duration::from_secs(60) }
    }

    fn say(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.wire.send(&format!("{line}\r"), self.until).unwrap());
    }

    /// The next line, with what was said before it.
    fn hear(&mut self) -> (String, Vec<String>) {
        let mut said = Vec::new();
        loop {
            let line = self.wire.receive(Some(self.until), None).unwrap();
            if !line.starts_with("MESSAGE ") {
                return (line, said);
            }
            said.push(line);
        }
    }

    fn ask(&mut self, lines: &str) -> String {
        self.say(lines);
        self.hear().0
    }

    fn end(mut self) {
        self.say("END");
        let error = self.wire.receive(Some(self.until), None).unwrap_err().to_string();
        assert!(error.contains("exit status: 0") || error.contains("exit code: 0"), "{error}");
    }
}

fn points(line: &str, size: u8) -> Vec<(u8, u8)> {
    let point = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?)).filter(|&(x, y): &(u8, u8)| x < size && y < size)
    };
    line.split(' ').map(|word| point(word).unwrap_or_else(|| panic!("{line}"))).collect()
}

#[test]
fn a_script_is_piped_through() {
    for script in ["START 15\nBEGIN\nEND\n", "start 15\r\ninfo timeout_turn 200\r\nboard\r\ndone\r\n"] {
        let output = run(&["--seed", "1"], script);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("MESSAGE depth ")).collect();
        let [ok, first] = lines[..] else { panic!("{text}") };
        assert_eq!(ok, "OK");
        points(first, 15);
    }
}

#[test]
fn a_game_and_more() {
    let mut manager = Manager::start(&["--seed", "1"]);
    assert!(manager.ask("ABOUT").starts_with("name=\"Boardwright\", version=\""));
    assert!(manager.ask("START 3").starts_with("ERROR "));
    assert_eq!(manager.ask("START 20"), "OK");
    manager.say("INFO timeout_turn 150\nINFO max_memory 83886080\nINFO rule 1\nINFO time_left 100000");
    // An open three becomes a five, whatever the other side does in the corner.
    let mut taken: HashSet<(u8, u8)> = HashSet::new();
    let mut question = "BOARD\n9,9,1\n0,0,2\n10,9,1\n0,2,2\n11,9,1\n0,4,2\nDONE".to_string();
    taken.extend([(9, 9), (0, 0), (10, 9), (0, 2), (11, 9), (0, 4)]);
    for y in 0..2 {
        let answer = manager.ask(&question);
        let [point] = points(&answer, 20)[..] else { panic!("{answer}") };
        assert!(point.1 == 9 && taken.insert(point), "{answer}");
        // The row is blocked at one end, which is too late.
        let block = (8..=13).map(|x| (x, 9)).find(|p| y == 0 && !taken.contains(p)).unwrap_or((19, 19));
        taken.insert(block);
        question = format!("TURN {},{}", block.0, block.1);
    }
    assert!(manager.ask(&question).starts_with("ERROR the game is over: I have"));
    // What is analysed is not played.
    assert_eq!(manager.ask("RESTART"), "OK");
    manager.say("YXBOARD\n9,9,1\n10,10,2\nDONE\nANALYZE 3");
    let (ok, said) = manager.hear();
    assert!(ok == "OK" && said.iter().filter(|line| line.contains(" multipv ")).count() == 3, "{said:?}");
    assert_eq!(manager.ask("TAKEBACK 9,9"), "OK");
    assert_eq!(manager.ask("RESTART"), "OK");
    let answer = manager.ask("SWAP2BOARD\nDONE");
    assert_eq!(points(&answer, 20).iter().collect::<HashSet<_>>().len(), 3, "{answer}");
    manager.end();
}

/// Memory and threads change what plays; nodes instead of time make it repeatable.
#[test]
fn the_same_seed_plays_the_same() {
    let play = |seed: &str| {
        let mut manager = Manager::start(&["--seed", seed]);
        assert_eq!(manager.ask("START 15\nINFO timeout_turn 60000\nINFO max_node 3000"), "OK");
        let moves: Vec<String> = ["TURN 7,7", "TURN 0,14", "TURN 14,0"].iter().map(|turn| manager.ask(turn)).collect();
        manager.end();
        moves
    };
    assert_eq!(play("5"), play("5"));
    let mut manager = Manager::start(&[]);
    assert_eq!(manager.ask("INFO thread_num 2\nINFO timeout_turn 100\nSTART 15"), "OK");
    points(&manager.ask("TURN 7,7"), 15);
    points(&manager.ask("INFO max_memory 30000000\nINFO thread_num 1\nTURN 0,14"), 15);
    manager.end();
}

/// A file of a book that knows one answer to a stone in the middle, far away where no search would play.
struct BookFile(PathBuf);

impl BookFile {
    fn new(name: &str, rule: Rule, size: u8) -> Self {
        let mut book = engines::gomoku::book(rule, size).unwrap();
        let mut game = Gomoku::start(rule, size).unwrap();
        game.play(Point::new(size / 2, size / 2).unwrap());
        book.add(&game, Point::new(0, 1).unwrap(), 1, 1, 0.0).unwrap();
        let path = std::env::temp_dir().join(format!("pbrain-{}-{name}", std::process::id()));
        book.save(&path).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for BookFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_book_opens_games_of_its_rules_and_size() {
    let (usual, large) = (BookFile::new("15", Rule::Freestyle, 15), BookFile::new("20", Rule::Standard, 20));
    let mut manager = Manager::start(&["--book", usual.name(), "--book", large.name()]);
    let told = "INFO timeout_turn 60000\nINFO max_node 500";
    // Any of the eight points that are the same by symmetry.
    let corner = |answer: &str, size: u8| {
        let [(x, y)] = points(answer, size)[..] else { panic!("{answer}") };
        let (x, y) = (x.min(size - 1 - x), y.min(size - 1 - y));
        (x.min(y), x.max(y)) == (0, 1)
    };
    assert_eq!(manager.ask(&format!("START 15\n{told}")), "OK");
    assert!(corner(&manager.ask("TURN 7,7"), 15));
    // By BOARD as well, but neither on another board nor by other rules.
    assert_eq!(manager.ask("RESTART"), "OK");
    assert!(corner(&manager.ask("BOARD\n7,7,2\nDONE"), 15));
    assert_eq!(manager.ask("START 20"), "OK");
    assert!(!corner(&manager.ask("TURN 10,10"), 20));
    assert_eq!(manager.ask("INFO rule 1\nSTART 20"), "OK");
    assert!(corner(&manager.ask("TURN 10,10"), 20));
    // Analysis is a search.
    assert_eq!(manager.ask("RESTART"), "OK");
    manager.say("YXBOARD\n10,10,2\nDONE\nANALYZE 2");
    let (ok, said) = manager.hear();
    assert!(ok == "OK" && said.iter().filter(|line| line.contains(" multipv ")).count() == 2, "{said:?}");
    manager.end();
}

#[test]
fn books_that_are_none_are_refused() {
    let whole = BookFile::new("whole", Rule::Freestyle, 15);
    let bytes = std::fs::read(&whole.0).unwrap();
    let other = BookFile(std::env::temp_dir().join(format!("pbrain-{}-other", std::process::id())));
    let mut changed = bytes.clone();
    changed[40] ^= 1;
    let draughts = Book::new("draughts", &Gomoku::start(Rule::Freestyle, 15).unwrap()).to_bytes();
    let cases: [(&[u8], &str); 6] = [
        (b"", "not an opening book"),
        (b"8,8\n", "not an opening book"),
        (&bytes[..bytes.len() - 1], "it ends too soon"),
        (&bytes[..15], "it ends too soon"),
        (&changed, "its checksum is wrong"),
        (&draughts, "an opening book of \"draughts\", not of \"gomoku, a rule set and a size, as in gomoku freestyle 15\""),
    ];
    for (bytes, message) in cases {
        std::fs::write(&other.0, bytes).unwrap();
        let output = run(&["--book", whole.name(), "--book", other.name()], "START 15\n");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{text}");
        assert!(text.starts_with("error: ") && text.contains(other.name()) && text.contains(message), "{message}: {text}");
    }
}

#[test]
fn bad_flags_are_told_what_is_accepted() {
    for (flags, part) in [
        (&["--seed", "x"][..], "--seed"),
        (&["--book", "no such file"], "no such file: "),
        (&["--depth", "3"], "--depth"),
        (&["15"], "'15'"),
    ] {
        let output = run(flags, "");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{text}");
        assert!(text.starts_with("error: ") && text.contains(part), "{text}");
    }
}
