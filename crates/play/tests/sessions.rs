//! Whole conversations, line by line.

use std::collections::VecDeque;
use std::path::PathBuf;

use gamecore::testing::toys::{Nim, TicTacToe};
use gamecore::{Draw, Game, History, Outcome, Picture, Player, Record, StepOf, Text, TextError, TextKind, Turn, random};
use games_connect6::Connect6;
use games_einstein::{Einstein, Rules};
use play::{
    ASSUMED, Answer, Ending, FileError, Format, Interrupt, LONGEST_LINE, Line, Look, Opened, RecordFile, Screen, Script, Seat,
    Session, load, replay,
};
use search_core::{Agent, AgentError, Analyst, Limits, MoveLine, RandomAgent, Report, ReportOf, SearchError};
use search_expectimax::Expectimax;

/// Runs a session and returns how it ended and what was shown.
fn run<G: Draw>(session: &mut Session<G>, lines: &str) -> (Ending, String) {
    talk(session, Script::new(lines))
}

fn talk<G: Draw>(session: &mut Session<G>, mut script: Script) -> (Ending, String) {
    let mut bytes = Vec::new();
    let ending = session.run(&mut script, &mut Screen::new(&mut bytes, false)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    for line in text.lines() {
        assert!(textwrap::core::display_width(line) <= 60, "too wide: {line}");
    }
    (ending, text)
}

/// The text without its line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn einstein(seed: u64) -> Session<Einstein> {
    Session::new(seed, |_| Einstein::start(Rules::STANDARD))
}

fn agent<G: Game>(seed: u64) -> Seat<G> {
    Seat::Agent { agent: Box::new(RandomAgent(random::generator(seed))), limits: Limits::default() }
}

fn adviser() -> Box<dyn Analyst<Einstein>> {
    Box::new(Expectimax::new(games_einstein::eval::Race))
}

/// A directory that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("play-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_whole_game_by_two_people() {
    let mut session = Session::<TicTacToe>::new(1, |_| TicTacToe::default());
    let (ending, text) = run(&mut session, "a1\nb2\na2\nb3\na3\nboard\nquit\nnot read");
    assert_eq!(ending, Ending::Quit);
    assert_eq!(ending.status(), 0);
    assert!(text.contains("One wins!") && text.contains("The game is over: new, undo"), "{text}");
    assert_eq!(session.record().history().state().turn(), Turn::Over(Outcome::win(Player::One)));
}

#[test]
fn the_end_of_input_is_said_and_no_error() {
    let (ending, text) = run(&mut einstein(1), "1\n");
    assert_eq!((&ending, ending.status()), (&Ending::EndOfInput, 0));
    assert!(text.ends_with("The input has ended.\nThe game was not saved; its seed was 1.\n"), "{text}");
    let (_, text) = run(&mut einstein(1), "");
    assert!(text.ends_with("The input has ended.\n"), "nothing was played, nothing is lost: {text}");
}

#[test]
fn mistakes_are_explained_and_the_moves_listed() {
    let cases = [
        ("A1-A2", "there is no stone on A1"),
        ("E1-E2", "is your opponent's"),
        ("zzz", "\"zzz\" is not a move"),
        ("0", "There is no move 0: they are numbered 1 to 3."),
        ("4", "There is no move 4"),
        ("99999999999999999999999", "There is no move"),
        ("hint now", "hint takes nothing after it, not \"now\""),
        ("save", "save needs the name of a file"),
        ("/fly", "\"fly\" is not a command."),
        ("/A5-B4", "is not a command."),
        ("why zzz", "\"zzz\" is not a move"),
        ("why undo", "why is asked about a move"),
        ("\u{1b}[2J", "\\u{1b}[2J"),
    ];
    for (line, message) in cases {
        let (_, text) = run(&mut einstein(3), line);
        let (before, after) = text.split_once("One> ").unwrap();
        let moves = before.lines().find(|l| l.starts_with("Moves: 1 ")).unwrap();
        assert!(flat(after).contains(message), "{line}: {text}");
        assert!(after.contains(moves) && after.contains("Commands: moves board hint"), "{line}: {text}");
        assert!(!text.contains('\u{1b}'));
    }
}

#[test]
fn lines_that_are_no_text_or_too_long_are_not_read() {
    let lines =
        [Line::NotText, Line::TooLong { bytes: 1 << 40 }, Line::Text("é\0".repeat(LONGEST_LINE / 3)), Line::Text("1".into())];
    let mut session = einstein(2);
    let (ending, text) = talk(&mut session, lines.into_iter().collect());
    assert_eq!(ending, Ending::EndOfInput);
    assert!(text.contains("not UTF-8") && text.contains("1099511627776 bytes; lines of up to 4096"), "{text}");
    assert!(text.contains("One plays ") && text.len() < 5000, "{text}");
}

#[test]
fn random_lines_each_get_an_answer_and_nothing_panics() {
    let mut rng = random::generator(9);
    let mut draw = |n: usize| random::below(&mut rng, n);
    let words = [
        "A5", "B4", "C3", "-", " ", "1", "2", "pass", "undo", "board", "new", "/", "é", "\0", "why", "hint", "E1", "漢",
        "\u{202e}",
    ];
    let lines: Vec<String> = (0..20_000).map(|_| (0..draw(5)).map(|_| words[draw(words.len())]).collect()).collect();
    let mut session = einstein(4).with_seat(Player::Two, agent(1));
    let (ending, text) = talk(&mut session, lines.iter().cloned().map(Line::Text).collect());
    assert_eq!(ending, Ending::EndOfInput);
    // What comes after a prompt is the echo, then the answer.
    let answers: Vec<&str> = text.split("\nOne>").flat_map(|t| t.split("\nover>")).skip(1).collect();
    assert_eq!(answers.len(), lines.len());
    for answer in answers {
        assert!(answer.lines().count() >= 2 && answer.lines().nth(1) != Some(""), "{answer:?}");
    }
}

#[test]
fn the_same_seed_and_moves_make_the_same_game() {
    let game = |lines: &str| {
        let mut session = einstein(11).with_seat(Player::Two, agent(5)).with_adviser(adviser(), Limits::depth(1));
        run(&mut session, lines);
        session.record().to_text()
    };
    let plain = game("1\n1\n1");
    assert_eq!(plain, game("hint\n1\nwhy\nboard\n1\nzzz\n\n1"));
    let history = |seed| {
        let mut session = Session::<Einstein>::new(seed, |_| Einstein::start(Rules::STANDARD))
            .with_seat(Player::One, agent(1))
            .with_seat(Player::Two, agent(2));
        assert!(matches!(run(&mut session, "").0, Ending::Over(_)));
        session.record().history().steps().to_vec()
    };
    assert_eq!(history(1), history(1));
    assert_ne!(history(1), history(2));
}

#[test]
fn undo_goes_back_to_the_persons_decision_and_keeps_the_die() {
    let mut session = einstein(6).with_seat(Player::One, agent(1));
    let (_, text) = run(&mut session, "1\nundo\n2\nundo\nundo\nundo");
    let turns: Vec<&str> = text.lines().filter(|l| l.starts_with("Turn ")).collect();
    assert_eq!(turns[0], turns[2]);
    assert_eq!((turns.len(), turns[0]), (5, turns[4]), "{text}");
    assert!(turns[1].starts_with("Turn 4: you are Two") && turns[3].starts_with("Turn 4"));
    assert!(text.contains("There is nothing to take back."));
    assert_eq!(session.record().history().steps().len(), 4 - 1 + 1 - 1);
}

#[test]
fn undo_works_after_the_end() {
    let mut session = Session::<TicTacToe>::new(1, |_| TicTacToe::default());
    run(&mut session, "a1\nb2\na2\nb3\na3\nundo\nc3");
    assert_eq!(session.record().history().steps().len(), 5);
    assert!(matches!(session.record().history().state().turn(), Turn::Decide(Player::Two)));
}

#[test]
fn advice_has_every_move_and_every_roll() {
    let mut session = einstein(3).with_seat(Player::Two, agent(1)).with_adviser(adviser(), Limits::depth(2));
    let (_, text) = run(&mut session, "hint\nwhy\nwhy 1\nwhy B4-C4");
    assert!(text.contains("Best is ") && text.contains("your chances ["), "{text}");
    assert!(text.contains("Your chances after each move (depth 2"), "{text}");
    let best = text.split("Best is ").nth(1).unwrap().split(':').next().unwrap();
    assert!(text.contains(&format!("After {best} Two rolls and answers (your chances):")), "{text}");
    assert!(text.matches(" Two rolls and answers (your chances):").count() == 3, "{text}");
    let (_, text) = run(&mut einstein(3).with_adviser(adviser(), Limits::depth(2)), "why");
    assert!(text.contains(" Two rolls and answers (One's chances):"), "{text}");
    let (_, text) = run(&mut einstein(3), "hint\nwhy");
    assert_eq!(text.matches("Nobody is here to ask").count(), 2);
}

#[test]
fn a_position_before_the_roll_is_analysed_by_roll() {
    let mut session = einstein(3).with_adviser(adviser(), Limits::depth(1)).with_analysis(true);
    let (_, text) = run(&mut session, "quit");
    let analysis = text.split("One's chances, by roll").nth(1).unwrap();
    for face in 1..=6 {
        assert!(analysis.lines().any(|l| l.trim_start().starts_with(&face.to_string())), "{text}");
    }
    assert!(analysis.contains("Altogether One's chances ["), "{text}");
}

#[test]
fn the_best_move_is_first_for_either_seat() {
    /// Values each move by its number; no die follows.
    struct Numbers;
    impl Analyst<TicTacToe> for Numbers {
        fn analyse(&mut self, game: &TicTacToe, _: &Limits) -> Result<ReportOf<TicTacToe>, SearchError> {
            let mut moves = <TicTacToe as Game>::Moves::default();
            game.moves(&mut moves);
            let mut report = Report::empty();
            report.moves = moves.iter().zip(0u8..).map(|(&m, i)| MoveLine::new(m, f64::from(i) / 10.0)).collect();
            Ok(report)
        }
    }
    let mut session = Session::<TicTacToe>::new(0, |_| TicTacToe::default()).with_adviser(Box::new(Numbers), Limits::default());
    let (_, text) = run(&mut session, "why\na1\nwhy");
    let first: Vec<&str> = text.split("after each move").skip(1).map(|t| t.lines().nth(1).unwrap()).collect();
    assert!(first[0].contains(" c3 ") && first[0].contains("90.0 %"), "{text}");
    assert!(first[1].contains(" b1 ") && first[1].contains("50.0 %"), "{text}");
}

#[test]
fn games_are_kept_and_played_back() {
    let folder = Folder::new("kept");
    let path = folder.file("game.txt");
    let mut session = einstein(8).with_seat(Player::Two, agent(3)).with_tag("event", "test");
    session.keep_in(&path).unwrap();
    let copy = folder.file("a copy.txt");
    let (_, text) = run(&mut session, &format!("1\n1\nsave {}\n1\nundo\nsave {}\n", copy.display(), folder.0.display()));
    assert!(text.contains("is a directory") && text.contains("The game is saved in"), "{text}");
    let record = load::<Einstein>(&path).unwrap().unwrap();
    assert_eq!(record.to_text(), session.record().to_text());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), std::fs::read_to_string(&copy).unwrap());
    for tag in [("seed", "8"), ("one", "person"), ("two", "random"), ("event", "test")] {
        assert!(record.tags().iter().any(|t| (t.0.as_str(), t.1.as_str()) == tag), "{tag:?}");
    }
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2, "no temporary files are left");

    let mut bytes = Vec::new();
    let ending = replay(&record, &Look::of::<Einstein>(), &mut Script::new(""), &mut Screen::new(&mut bytes, false)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(ending, Ending::EndOfInput);
    assert!(text.contains("1. One rolls ") && text.contains("4. Two rolls ") && text.contains("the game was not over"), "{text}");
}

#[test]
fn a_new_game_goes_to_a_new_file() {
    let folder = Folder::new("new");
    let path = folder.file("game.txt");
    std::fs::write(folder.file("game-2.txt"), "mine").unwrap();
    let mut session = einstein(8);
    session.keep_in(&path).unwrap();
    let (_, text) = run(&mut session, "1\nnew\n1\n1");
    assert!(text.contains("A new game, seed 9."), "{text}");
    let [old, new] = [&path, &folder.file("game-3.txt")].map(|p| load::<Einstein>(p).unwrap().unwrap());
    assert_eq!((old.history().steps().len(), new.history().steps().len()), (3, 5));
    assert_eq!(std::fs::read_to_string(folder.file("game-2.txt")).unwrap(), "mine");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = Folder::new("others");
    let record: Record<Einstein> = Einstein::start(Rules::STANDARD).into();
    let [taken, empty] = ["taken", "empty"].map(|n| folder.file(n));
    std::fs::write(&taken, "diary").unwrap();
    std::fs::write(&empty, "").unwrap();
    assert!(matches!(RecordFile::create(&taken, &record), Err(FileError::Exists { .. })));
    assert!(matches!(RecordFile::create(&folder.0, &record), Err(FileError::Directory { .. })));
    assert!(matches!(RecordFile::create(&folder.file("no/such"), &record), Err(FileError::Io { .. })));
    assert!(RecordFile::create(&empty, &record).is_ok());
    assert!(matches!(RecordFile::create(&empty, &record), Err(FileError::Exists { .. })));
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "diary");
    #[cfg(unix)]
    {
        let link = folder.file("link");
        std::os::unix::fs::symlink(&taken, &link).unwrap();
        assert!(matches!(RecordFile::create(&link, &record), Err(FileError::Exists { .. })));
        assert!(matches!(RecordFile::create("/dev/null".as_ref(), &record), Err(FileError::Exists { .. })));
        assert!(matches!(load::<Einstein>("/dev/null".as_ref()), Err(FileError::NoFile { .. })));
    }
}

#[test]
fn bad_records_are_refused_with_the_line() {
    let folder = Folder::new("bad");
    let head = "boardwright record 1\ngame: einstein\nposition: 123../45.../6...f/...ed/..cba one - standard\n\n";
    let cases: [(Vec<u8>, &str); 6] = [
        (b"diary".to_vec(), "not a record"),
        (vec![0xFF; 9], "not UTF-8 text, into which files of other encodings"),
        (vec![b' '; (1 << 20) + 1], "longer than 1048576 bytes"),
        (format!("{head}3 C5-C4\n3 A5-A4").into_bytes(), "line 6"),
        (format!("{head}7 C5-C4").into_bytes(), "line 5"),
        (head.replace("einstein", "chess").into_bytes(), "line 2"),
    ];
    for (i, (bytes, message)) in cases.iter().enumerate() {
        let path = folder.file(&i.to_string());
        std::fs::write(&path, bytes).unwrap();
        let error = load::<Einstein>(&path).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains(&path.display().to_string()), "{error}");
    }
    assert!(load::<Einstein>(&folder.file("absent")).unwrap().is_none());
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_once_and_once() {
    let folder = Folder::new("gone");
    let mut session = einstein(8);
    session.keep_in(&folder.file("game.txt")).unwrap();
    std::fs::remove_dir_all(&folder.0).unwrap();
    let (ending, text) = run(&mut session, "1\n1\n1");
    assert_eq!(ending, Ending::EndOfInput);
    let text = flat(&text);
    assert_eq!(text.matches("cannot be written to").count(), 1, "{text}");
    assert!(text.find("cannot be written to") < text.find("Two> 1"), "{text}");
    assert!(text.ends_with("No such file or directory (os error 2).") && text.contains("could not be saved in"), "{text}");
    // It is tried again after every step.
    std::fs::create_dir_all(&folder.0).unwrap();
    let (_, text) = run(&mut session, "1\nquit");
    assert!(flat(&text).contains("game.txt again.") && flat(&text).contains("The game is saved in"), "{text}");
    let saved = load::<Einstein>(&folder.file("game.txt")).unwrap().unwrap();
    assert_eq!(saved.history().steps(), session.record().history().steps());
}

#[test]
fn help_speaks_of_dice_only_where_there_are_some() {
    let (_, with) = run(&mut einstein(1), "help\nquit");
    let (_, without) = run(&mut Session::<TicTacToe>::new(1, |_| TicTacToe::default()), "help\nquit");
    for words in ["dice that were thrown stay", "expected, by roll"] {
        assert!(flat(&with).contains(words) && !flat(&without).contains(words), "{with} {without}");
    }
}

#[test]
fn a_position_is_shown_as_other_programs_call_it() {
    let session = Session::<TicTacToe>::new(1, |_| TicTacToe::default());
    let other = |game: &TicTacToe| vec![format!("moves left: {}", game.position_text().matches('.').count()), "and more".into()];
    let (_, text) = run(&mut session.with_identifiers(other), "a1\nposition\nquit");
    assert!(text.contains(" o\nmoves left: 8\nand more\n"), "{text}");
}

#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let folder = Folder::new("names");
    let name = format!("{}/\u{1b}[2J.txt", folder.0.display());
    let (_, text) = run(&mut einstein(1), &format!("load {name}\nsave {name}\nsave {name}\n1\nnew\nload {name}\nquit"));
    assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[2J.txt"), "{text}");
}

#[test]
fn an_interrupt_ends_the_game_whoever_is_busy() {
    /// Raises the interrupt while it thinks, as a person would.
    struct Hit(Interrupt);
    impl Agent<Einstein> for Hit {
        fn name(&self) -> String {
            "hit".into()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, history: &History<Einstein>, limits: &Limits) -> Result<ReportOf<Einstein>, AgentError> {
            self.0.raise();
            assert!(limits.stop.as_ref().unwrap().is_raised());
            RandomAgent(random::generator(1)).choose(history, limits)
        }
    }
    let interrupt = Interrupt::default();
    let hit = Seat::Agent { agent: Box::new(Hit(interrupt.clone())), limits: Limits::default() };
    let mut session = einstein(1).with_seat(Player::Two, hit).with_interrupt(interrupt);
    let (ending, text) = run(&mut session, "1\n1\n1");
    assert_eq!((&ending, ending.status()), (&Ending::Interrupted, 130));
    assert!(text.contains("Interrupted.\nThe game was not saved"), "{text}");

    let lines = [Line::Text("1".into()), Line::Interrupted, Line::Text("1".into())];
    assert_eq!(talk(&mut einstein(1), lines.into_iter().collect()).0, Ending::Interrupted);
}

#[test]
fn an_agent_that_fails_or_cheats_ends_the_game() {
    struct Bad(bool);
    impl Agent<Einstein> for Bad {
        fn name(&self) -> String {
            "bad".into()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, history: &History<Einstein>, _: &Limits) -> Result<ReportOf<Einstein>, AgentError> {
            if self.0 {
                return Err(AgentError::Gone { name: "bad".into(), reason: "it crashed".into() });
            }
            let _ = history;
            Ok(Report::of_move(games_einstein::Move::PASS, None))
        }
    }
    for (crash, message) in [(true, "it crashed"), (false, "it chose no legal move")] {
        let seat = Seat::Agent { agent: Box::new(Bad(crash)), limits: Limits::default() };
        let (ending, text) = run(&mut einstein(1).with_seat(Player::One, seat), "1");
        assert_eq!(ending.status(), 1);
        assert!(flat(&text).contains(message), "{text}");
    }
}

/// A game whose moves are numbers and words that are commands elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tricky(Nim);

const WORDS: [&str; 3] = ["3", "undo", "1"];

impl Game for Tricky {
    type Move = u8;
    type Moves = <Nim as Game>::Moves;
    type Chance = <Nim as Game>::Chance;
    fn turn(&self) -> Turn<Self::Chance> {
        self.0.turn()
    }
    fn moves(&self, out: &mut Self::Moves) {
        self.0.moves(out);
    }
    fn play(&mut self, m: u8) {
        self.0.play(m);
    }
    fn resolve(&mut self, event: gamecore::Never) {
        match event {}
    }
}

impl Text for Tricky {
    const NAME: &'static str = "tricky";
    fn position_text(&self) -> String {
        self.0.heap().to_string()
    }
    fn parse_position(text: &str) -> Result<Self, TextError> {
        let heap = text.parse().map_err(|_| TextError::unreadable(TextKind::Position, text, "a number"))?;
        Ok(Self(Nim::new(heap)))
    }
    fn move_text(&self, m: u8) -> String {
        WORDS[usize::from(m) - 1].into()
    }
    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        let place =
            WORDS.iter().position(|&w| w == text).ok_or_else(|| TextError::unreadable(TextKind::Move, text, "3, undo or 1"))?;
        Ok(place as u8 + 1)
    }
    fn event_text(&self, event: gamecore::Never) -> String {
        match event {}
    }
    fn parse_event(&self, text: &str) -> Result<gamecore::Never, TextError> {
        Err(TextError::unreadable(TextKind::Event, text, "there are none"))
    }
}

impl Draw for Tricky {
    fn rules_text(&self) -> String {
        "Take one to three.".into()
    }

    fn picture(&self, _: Option<StepOf<Self>>) -> Picture {
        Picture::default()
    }
}

#[test]
fn those_who_watch_see_the_start_and_the_end_once() {
    let mut session = einstein(4).with_seat(Player::One, agent(1)).with_seat(Player::Two, agent(2));
    let (ending, text) = run(&mut session, "");
    assert!(matches!(ending, Ending::Over(_)));
    let moves = session.record().history().steps().len() / 2;
    assert_eq!(text.matches("     A   B   C   D   E\n").count(), 2 * (moves + 1), "{text}");
    assert!(text.starts_with("     A   B") && !text.contains("\n\n\n"), "{text}");
    assert_eq!(text.matches(" has won by ").count(), 1, "{text}");
    let over = || "a..../...../..1../...../.....".parse::<Einstein>().unwrap();
    for analysis in [false, true] {
        let mut session = Session::new(1, move |_| over()).with_analysis(analysis);
        session = session.with_seat(Player::One, agent(1)).with_seat(Player::Two, agent(2));
        let (_, text) = run(&mut session, "");
        assert_eq!(text.matches("Two ( ) has won by reaching A5").count(), 1, "{text}");
    }
}

#[test]
fn the_rules_are_told() {
    for rules in ["standard", "4x4", "4x4+missing+capture-all", "4x4+nomove@30", "5x5x9", "5x5x9+free+capture-all@60"] {
        let rules: games_einstein::Rules = rules.parse().unwrap();
        let (_, text) = run(&mut Session::new(1, move |_| Einstein::start(rules)), "rules");
        let words = flat(&text);
        assert!(words.contains("One [ ] goes") && words.contains(&format!("You play by the rules {rules}.")), "{text}");
        assert_eq!(words.contains("drawn after"), rules.turn_limit().is_some(), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 60), "{text}");
    }
    let (_, text) = run(&mut Session::<TicTacToe>::new(1, |_| TicTacToe::default()), "rules");
    assert!(text.contains("Three in a row wins"), "{text}");
}

#[test]
fn a_games_own_words_come_first() {
    let heap = |lines: &str| {
        let mut session = Session::<Tricky>::new(0, |_| Tricky(Nim::new(9)));
        let (_, text) = run(&mut session, lines);
        (session.record().history().state().0.heap(), text)
    };
    assert_eq!(heap("3").0, 8, "the move called 3, not the third");
    assert_eq!(heap("2").0, 7, "no move is called 2, so the second");
    assert_eq!(heap("undo").0, 7, "the move");
    assert_eq!(heap("3\n/undo").0, 9, "the command");
    assert_eq!(heap("3\nu").0, 9);
    // With one left, 1 is the name of a move that takes three: illegal, and said so.
    let (left, text) = heap("1\n1\nundo\n1");
    assert_eq!(left, 1);
    assert!(text.contains("1 is not legal here."), "{text}");
    let (left, text) = heap("1\n1\nundo\n\n");
    assert_eq!(left, 0, "an empty line makes the only move");
    assert!(text.contains("Two wins!") || text.contains("One wins!"), "{text}");
}

/// Answers like a person at a terminal.
struct Live(VecDeque<&'static str>, Vec<String>);

impl play::Input for Live {
    fn line(&mut self, prompt: &str) -> Line {
        self.1.push(prompt.into());
        self.0.pop_front().map_or(Line::End, |l| Line::Text(l.into()))
    }
    fn is_live(&self) -> bool {
        true
    }
    fn columns(&mut self) -> Option<usize> {
        Some(100)
    }
}

#[test]
fn at_a_terminal_a_record_goes_step_by_step_in_its_width() {
    let mut record: Record<TicTacToe> = TicTacToe::default().into();
    for m in ["a1", "b2", "c3"] {
        let m = record.history().state().parse_move(m).unwrap();
        record.push(gamecore::Step::Move(m), Some(0.25));
    }
    record.set_tag("note", &"word ".repeat(30));
    let mut live = Live(VecDeque::from(["", "q"]), Vec::new());
    let mut bytes = Vec::new();
    let ending =
        replay(&record, &Look::of::<TicTacToe>().with_names(["x", "o"]), &mut live, &mut Screen::new(&mut bytes, true)).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!((ending, live.1.len()), (Ending::Quit, 2));
    assert!(text.contains("\u{1b}[") && !text.contains("2. "), "{text}");
}

#[test]
fn equities_are_ranked_from_one_report() {
    let start: Einstein = "1..../...../..a../...../..... one 4".parse().unwrap();
    let look = Look::of::<Einstein>().with_equities(3).with_listed(1);
    let mut session = Session::new(1, move |_| start).with_look(look).with_adviser(adviser(), Limits::depth(2));
    let (_, text) = run(&mut session, "hint\nwhy\nmoves\nquit");
    let count = text.split_once(" moves: type moves to see them.").unwrap().0.rsplit('\n').next().unwrap();
    assert!(text.contains(&format!("One's equity after the best of {count} moves (depth 2, ")), "{text}");
    let ranked: Vec<&str> = text.lines().skip_while(|l| !l.contains("after the best of")).skip(1).take(4).collect();
    assert!(!ranked[0].contains('(') && ranked[0].contains(['+', '-']) && ranked[2].contains("  (-0."), "{text}");
    assert!(ranked[3].starts_with("One> "), "{text}");
    assert!(text.contains("One's equity after each move") && text.contains(" more.") && text.contains("Moves: 1 "), "{text}");
    assert!(!text.contains("chances"), "{text}");
}

#[test]
fn wins_have_names() {
    let look = || Look::of::<Tricky>().with_wins(&["a game"]);
    let (_, text) = run(&mut Session::new(1, |_| Tricky(Nim::new(1))).with_look(look()), "3\nquit");
    assert!(text.contains(" wins a game: 1 point!"), "{text}");
}

#[test]
fn only_moves_are_made_if_wished_and_undo_goes_past_them() {
    let new = || Session::new(1, |_| Tricky(Nim::new(2))).with_auto_forced(true);
    // Two left: One takes one, and Two has no choice.
    let (_, text) = run(&mut new(), "3\n/undo\nquit");
    assert!(text.contains("(No other move.)") && text.contains("Two"), "{text}");
    assert_eq!(text.matches("(No other move.)").count(), 1, "{text}");
    assert!(text.contains("Taken back"), "{text}");
    let (_, text) = run(&mut new().with_auto_forced(false), "3\nquit");
    assert!(!text.contains("(No other move.)"), "{text}");
}

/// The moves of a game in one line, which has to have some.
fn moves_format() -> Format<TicTacToe> {
    let write = |record: &Record<TicTacToe>| match record.history().steps_text() {
        text if text.is_empty() => Err("no moves"),
        text => Ok(text),
    };
    let read = |text: &str| -> Result<_, TextError> {
        let mut record = Record::from(TicTacToe::default());
        text.split_whitespace().try_for_each(|word| record.push_text(word))?;
        if record.history().steps().len() == 1 {
            record.set_tag(ASSUMED, "the 3x3 board");
        }
        Ok(record)
    };
    Format::new("moves", write, read)
}

#[test]
fn games_are_saved_and_loaded_in_the_format_of_their_name() {
    let folder = Folder::new("formats");
    let session = || Session::<TicTacToe>::new(5, |_| TicTacToe::default()).with_formats(vec![moves_format()]);
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let [moves, record, empty] = ["game.MOVES", "game.txt", "empty.moves"].map(name);
    let script = format!("save {empty}\na1\nb2\nsave {moves}\nc3\nsave {record}\nquit");
    let (_, text) = run(&mut session(), &script);
    assert!(flat(&text).contains("empty.moves: no moves."), "{text}");
    assert!(!folder.file("empty.moves").exists());
    assert_eq!(std::fs::read_to_string(&moves).unwrap(), "a1 b2 c3");
    assert!(std::fs::read_to_string(&record).unwrap().starts_with("boardwright record 1"));

    for file in [&moves, &record] {
        let mut loaded = session();
        let (_, text) = run(&mut loaded, &format!("b1\nload {file}\nundo\na3\nquit"));
        let text = flat(&text);
        assert!(
            text.contains("This is the game in")
                && text.contains("not written there")
                && text.contains("The game was not saved; its seed was 5."),
            "{text}"
        );
        assert!(text.contains("Taken back."), "{text}");
        assert_eq!(loaded.record().history().steps_text(), "a1 b2 a3");
    }
    assert_eq!(std::fs::read_to_string(&moves).unwrap(), "a1 b2 c3", "it is not kept there any more");
    // What the file leaves open is told, at the prompt and before a session begins.
    std::fs::write(folder.file("short.moves"), "b2").unwrap();
    let told = |text: &str| flat(text).contains("It does not say everything; assumed: the 3x3 board.");
    assert!(told(&run(&mut session(), &format!("load {}\nquit", name("short.moves"))).1));
    let mut loaded = session();
    loaded.load(&folder.file("short.moves")).unwrap();
    let (_, text) = run(&mut loaded, "quit");
    assert!(told(&text) && text.starts_with("This is the game in") && flat(&text).contains("save FILE keeps it"), "{text}");
    // Unless it is kept somewhere already.
    let mut loaded = session();
    loaded.load(&folder.file("short.moves")).unwrap();
    loaded.keep_in(&folder.file("longer.moves")).unwrap();
    let (_, text) = run(&mut loaded, "c3\nquit");
    assert!(told(&text) && !flat(&text).contains("save FILE keeps it"), "{text}");
    assert_eq!(std::fs::read_to_string(folder.file("longer.moves")).unwrap(), "b2 c3");
    std::fs::write(folder.file("bad.moves"), "a1 a1").unwrap();
    let mut same = session();
    let script = format!("b1\nload {}\nload {}\nload\nquit", name("bad.moves"), name("missing.moves"));
    let text = flat(&run(&mut same, &script).1);
    for part in ["bad.moves: move \"a1\" is not allowed here", "there is no game in", "load needs the name of a file"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(same.record().history().steps_text(), "b1");
    // The game goes on, so what becomes of it is only said at the end.
    assert_eq!(text.matches("The game was not saved").count(), 1, "{text}");
}

#[test]
fn dice_go_on_where_a_loaded_game_stopped() {
    let folder = Folder::new("load-dice");
    let file = folder.file("game.txt");
    let mut first = einstein(7);
    first.keep_in(&file).unwrap();
    run(&mut first, "1\n1\n1\nquit");
    run(&mut first, "1\n1\nquit");
    let whole = first.record().history().steps_text();
    let half = folder.file("half.txt");
    let mut second = einstein(7);
    second.keep_in(&half).unwrap();
    run(&mut second, "1\n1\n1\nquit");
    let mut third = einstein(1);
    third.load(&half).unwrap();
    run(&mut third, "1\n1\nquit");
    assert_eq!(third.record().history().steps_text(), whole);
}

#[test]
fn another_picture_is_switched_on_and_off() {
    let other = |game: &TicTacToe, steps: &[StepOf<TicTacToe>]| {
        let mut picture = Picture::default();
        picture.put(format!("{} moves, last {}", game.position_text(), !steps.is_empty()), gamecore::Ink::Board, false);
        picture
    };
    for on in [false, true] {
        let mut session =
            Session::<TicTacToe>::new(1, |_| TicTacToe::default()).with_view("other", "the other picture", on, other);
        let (_, text) = run(&mut session, "a1\nother\nb2\nother now\nhelp\nquit");
        assert_eq!(text.matches("last false").count(), usize::from(on), "{text}");
        assert_eq!(text.matches("last true").count(), if on { 1 } else { 2 }, "{text}");
        assert!(text.contains(if on { "other: off." } else { "other: on." }), "{text}");
        assert!(text.contains("other takes nothing after it") && flat(&text).contains("quit other"), "{text}");
        assert!(flat(&text).contains("other the other picture"), "{text}");
    }
    let (_, text) = run(&mut einstein(1), "other\nquit");
    assert!(text.contains("\"other\" is not a move"), "{text}");
}

#[test]
fn a_proof_is_shown_whole() {
    /// Expects these answers to a2.
    struct Prover(&'static [&'static str]);
    impl Analyst<TicTacToe> for Prover {
        fn analyse(&mut self, game: &TicTacToe, _: &Limits) -> Result<ReportOf<TicTacToe>, SearchError> {
            let name = |text: &str| game.parse_move(text).unwrap();
            let mut report = Report::of_move(name("a2"), Some(-1.0));
            let mut line = MoveLine::new(name("a2"), -1.0);
            line.line = self.0.iter().map(|text| gamecore::Step::Move(name(text))).collect();
            (report.moves, report.ends_in) = (vec![line], Some(2));
            Ok(report)
        }
    }
    // A line may stop where the search knew who wins: then it says so.
    for (line, told) in [(&["b3"][..], "a2 b3"), (&["c1"], "a2 c1 ..."), (&[], "a2 ...")] {
        let session = Session::<TicTacToe>::new(1, |_| TicTacToe::default());
        let mut session = session.with_adviser(Box::new(Prover(line)), Limits::default());
        let (_, text) = run(&mut session, "a1\nb1\nc3\nb2\nhint\nquit");
        assert!(text.contains(&format!("Two wins by force: {told}\n")), "{text}");
    }
}

#[test]
fn a_turn_that_wins_is_a_whole_proof() {
    /// Fills the row, a stone at a time, and knows that it wins.
    struct Filler;
    impl Analyst<Connect6> for Filler {
        fn analyse(&mut self, game: &Connect6, _: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
            let point = game.parse_point(if game.left() == 2 { "EA" } else { "FA" }).unwrap();
            let mut report = Report::of_move(point, Some(1.0));
            (report.moves, report.ends_in) = (vec![MoveLine::new(point, 1.0)], Some(game.left().into()));
            Ok(report)
        }
    }
    let session = Session::<Connect6>::new(1, |_| "xxxx5/9/9/9/oooo5/9/9/9/9 one 2".parse().unwrap());
    let (_, text) = run(&mut session.with_adviser(Box::new(Filler), Limits::default()), "hint\nquit");
    assert!(text.contains("Best is EA FA: ") && text.contains("One wins by force: EA FA\n"), "{text}");
}

/// Two words are two stones.
fn both(game: &Connect6, line: &str) -> Option<Result<Vec<games_connect6::Point>, String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [first, second] = words[..] else { return None };
    let read = |word| game.parse_point(word).map_err(|e| e.to_string());
    Some(read(first).and_then(|first| Ok(vec![first, read(second)?])))
}

#[test]
fn several_moves_of_a_turn_are_made_on_one_line() {
    let session = || Session::<Connect6>::new(1, |_| Connect6::default());
    let mut game = session().with_turns(both);
    let (_, text) = run(&mut game, "JJ\nKK LL\nMM\nNN OO\nNN\nAA zz\nAA AA\nAA JJ\nquit");
    assert_eq!(game.record().history().steps_text(), "JJ KK LL MM NN");
    assert!(text.contains("Two plays KK LL.") && text.contains("One plays MM."), "{text}");
    // Not the other side's, nor what is no point, nor a point that is taken: none of the line is played.
    assert_eq!(text.matches("is not a move").count(), 4, "{text}");
    // The whole turn is marked on the board.
    assert!(text.contains("(O)") && text.matches("(O)").count() == 2, "{text}");
    // And counted once, whether it was written on one line or on two.
    let turns: Vec<&str> = text.lines().filter(|line| line.starts_with("Turn ")).collect();
    let told = ["1: One", "2: Two", "3: One", "3: One", "4: Two"].map(|turn| format!("Turn {turn} to move."));
    assert_eq!(turns, told, "{text}");
    let (_, text) = run(&mut session(), "JJ\nKK LL\nquit");
    assert!(text.contains("\"KK LL\" is not a move"), "{text}");
}

#[test]
fn undo_takes_back_a_move_or_a_turn() {
    let mut game = Session::<Connect6>::new(1, |_| Connect6::default()).with_turns(both);
    let (_, text) = run(&mut game, "JJ\nKK LL\nMM NN\nundo\nundo turn\nquit");
    assert_eq!(game.record().history().steps_text(), "JJ KK LL");
    assert_eq!(text.matches("Taken back.").count(), 2, "{text}");
    run(&mut game, "undo TURN\nquit");
    assert_eq!(game.record().history().steps_text(), "JJ");
    // Against an agent: to the first own move of the last turn.
    let mut game = Session::<Connect6>::new(1, |_| Connect6::default()).with_turns(both).with_seat(Player::One, agent(3));
    run(&mut game, "AA BB\nCC DD\nundo turn\nquit");
    let words = game.record().history().steps_text();
    assert!(words.split(' ').count() == 5 && words.contains("AA BB") && !words.contains("CC"), "{words}");
    let (_, text) = run(&mut game, "undo both\nquit");
    assert!(text.contains("undo takes nothing after it"), "{text}");
}

#[test]
fn a_hint_names_the_whole_turn() {
    struct Adviser;
    impl Analyst<Connect6> for Adviser {
        fn analyse(&mut self, game: &Connect6, _: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
            let name = |text: &str| game.parse_point(text).unwrap();
            let mut report = Report::of_move(name("KK"), Some(0.0));
            let mut line = MoveLine::new(name("KK"), 0.0);
            line.line = ["LL", "MM", "NN"].map(|text| gamecore::Step::Move(name(text))).to_vec();
            report.moves = vec![line];
            Ok(report)
        }
    }
    let session = Session::<Connect6>::new(1, |_| Connect6::default());
    let (_, text) = run(&mut session.with_adviser(Box::new(Adviser), Limits::default()), "hint\nJJ\nhint\nAA\nhint\nquit");
    let hints: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Best is ")).collect();
    assert_eq!(hints.iter().map(|hint| hint.split(':').next().unwrap()).collect::<Vec<_>>(), ["KK", "KK LL", "KK"], "{text}");
}

#[test]
fn a_move_that_was_not_looked_at_is_told_of() {
    /// Has looked at so many moves.
    struct Few(usize);
    impl Analyst<TicTacToe> for Few {
        fn analyse(&mut self, game: &TicTacToe, _: &Limits) -> Result<ReportOf<TicTacToe>, SearchError> {
            let mut moves = <TicTacToe as Game>::Moves::default();
            game.moves(&mut moves);
            let mut report = Report::empty();
            report.moves = moves.iter().take(self.0).map(|&m| MoveLine::new(m, 0.0)).collect();
            report.best = moves.first().copied();
            Ok(report)
        }
    }
    let ask = |few, lines| {
        let mut session =
            Session::<TicTacToe>::new(0, |_| TicTacToe::default()).with_adviser(Box::new(Few(few)), Limits::default());
        flat(&run(&mut session, lines).1)
    };
    let text = ask(2, "why c3\nquit");
    assert!(text.contains("c3 has not been looked at: why lists the moves that have, 2 (0.00 s)."), "{text}");
    for lines in ["why\nquit", "why c3\nquit"] {
        let text = ask(0, lines);
        assert!(text.contains("No move has been looked at (0.00 s).") && !text.contains("after each move"), "{text}");
    }
}

/// A game of tic-tac-toe whose opening asks for a square, which One takes, and for who is to have which seat then.
fn opened(seats: [Seat<TicTacToe>; 2]) -> Session<TicTacToe> {
    let [one, two] = seats;
    let session = Session::new(1, |_| TicTacToe::default()).with_seat(Player::One, one).with_seat(Player::Two, two);
    session.with_opening(|mut opening| {
        let asked = format!("seed {}, people {:?}> ", opening.seed, opening.people);
        let square = match opening.ask(&asked)? {
            Answer::Ended(ending) => return Ok(Opened::Ended(ending)),
            Answer::Unread(why) => return opening.screen.say(&why).map(|()| Opened::Ended(Ending::Quit)),
            Answer::Text(square) => square,
        };
        let Answer::Text(word) = opening.ask("swap? ")? else { return Ok(Opened::Ended(Ending::Quit)) };
        let mut history = History::from(TicTacToe::default());
        history.push_text(&square).unwrap();
        Ok(Opened::Begun { history, exchanged: word == "yes" })
    })
}

#[test]
fn an_opening_comes_before_every_game() {
    let mut session = opened([Seat::Person, Seat::Person]);
    let (ending, text) = run(&mut session, "b2\nno\nundo\na1\nundo\nundo\nnew\nc3\nyes\nposition\nquit");
    assert_eq!(ending, Ending::Quit);
    // What was agreed on stays; the next game has an opening of its own.
    let refused = "There is nothing to take back: the opening stays.";
    assert_eq!((text.matches(refused).count(), text.matches("Taken back.").count()), (2, 1), "{text}");
    assert!(text.contains("seed 1, people [true, true]> b2") && text.contains("seed 2, people [true, true]> c3"), "{text}");
    assert_eq!(session.record().history().steps_text(), "c3");
}

#[test]
fn an_opening_exchanges_the_seats() {
    let mut session = opened([Seat::Person, agent(1)]);
    let (_, text) = run(&mut session, "b2\nyes\na1\nnew\nb2\nno\nquit");
    // The person goes second, as Two; in the next game it begins as One again, and One's square is its own.
    assert!(text.contains("swap? yes") && text.contains("Turn 2: you are Two.") && text.contains("You play a1."), "{text}");
    assert_eq!(text.matches("people [true, false]").count(), 2, "{text}");
    assert!(text.split("A new game").nth(1).unwrap().contains("Turn 3: you are One."), "{text}");
    let tag =
        |session: &Session<TicTacToe>, name: &str| session.record().tags().iter().find(|tag| tag.0 == name).unwrap().1.clone();
    assert_eq!(tag(&session, "one"), "person");
    let mut session = opened([Seat::Person, agent(1)]);
    run(&mut session, "b2\nyes\n");
    assert_eq!((tag(&session, "one"), tag(&session, "two")), ("random".into(), "person".into()));
}

#[test]
fn an_opening_may_end_the_session() {
    let (ending, text) = run(&mut opened([Seat::Person, Seat::Person]), "");
    assert!(ending == Ending::EndOfInput && text.contains("The input has ended."), "{text}");
    let long = Line::TooLong { bytes: 5000 };
    let (ending, text) = talk(&mut opened([Seat::Person, Seat::Person]), [long].into_iter().collect());
    assert!(ending == Ending::Quit && text.contains("That line has 5000 bytes"), "{text}");
}

/// A game that is loaded has begun, and all of it can be taken back.
#[test]
fn a_loaded_game_is_not_opened_again() {
    let folder = Folder::new("opened");
    let file = folder.file("game.txt");
    let mut session = opened([Seat::Person, Seat::Person]);
    session.keep_in(&file).unwrap();
    run(&mut session, "b2\nno\na1\n");
    let mut session = opened([Seat::Person, Seat::Person]);
    session.load(&file).unwrap();
    let (_, text) = run(&mut session, "undo\nundo\nquit");
    assert!(!text.contains("swap?") && text.matches("Taken back.").count() == 2, "{text}");
}
