//! Managers of gomoku games: what they really send, and what nobody should send.

mod live;
mod thinker;

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use gamecore::random::{below, generator};
use gamecore::{Game, History, Outcome, Player, Turn};
use games_gomoku::eval::Shapes;
use games_gomoku::{Gomoku, Narrowed, Point, Rule};
use live::{Live, PATIENCE};
use protocols::MAX_LINE;
use protocols::gomocup::{Server, Setup};
use rand::rngs::Xoshiro256PlusPlus;
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, ByScore, Limits, RandomAgent, Report, ReportOf, StopFlag};
use thinker::Thinker;

fn server() -> Server {
    Server::new("test", "1", "nobody")
}

fn engine(setup: &Setup) -> impl Agent<Gomoku> + use<> {
    let progress = setup.progress.clone();
    AlphaBeta::new(Shapes)
        .with_order(ByScore(|game: &Narrowed, m: Point| game.promise(m)))
        .with_quiescence(Narrowed::fours)
        .with_table(1 << 20)
        .with_lines(setup.lines)
        .with_threads(setup.threads)
        .with_progress(move |report| progress.tell(report))
}

/// What is answered to lines that come in one go.
fn served(input: impl AsRef<[u8]>) -> Vec<String> {
    served_by(engine, input)
}

fn served_by<P: Agent<Gomoku>>(engine: impl FnMut(&Setup) -> P + Send, input: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    server().serve(engine, input.as_ref(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.is_empty() || output.ends_with('\n'));
    output.lines().map(String::from).collect()
}

/// The same without what managers only show.
fn answers(input: impl AsRef<[u8]>) -> Vec<String> {
    served(input).into_iter().filter(|line| !line.starts_with("MESSAGE ")).collect()
}

/// Reads a move of a board of 15.
fn point(line: &str) -> Option<(u8, u8)> {
    let (x, y) = line.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?)).filter(|&(x, y)| x < 15 && y < 15)
}

/// What people have reported of other engines: an empty `BOARD`, lower case, CR LF, blanks, bad points.
#[test]
fn reported_scripts() {
    for (script, taken) in [
        (include_str!("data/gomocup/pb_empty.txt"), None),
        (include_str!("data/gomocup/pb_begin.txt"), None),
        (include_str!("data/gomocup/pb_lower.txt"), None),
        (include_str!("data/gomocup/pb_crlf.txt"), None),
        (include_str!("data/gomocup/pb_space.txt"), Some((7, 7))),
        // The same in other clothes.
        ("  start\t15 \r\n\r\n Info  TIMEOUT_TURN\t500\r\nBoard\r\n\r\n7,7,2 \r\n  done\r\nend", Some((7, 7))),
        ("\u{feff}START 15\nturn  7 , 7\0\nEnd\nBEGIN\n", Some((7, 7))),
        ("RECTSTART 15,15\nBOARD\n7,7,2\nINFO timeout_turn 100\nDONE\n", Some((7, 7))),
        ("START 15\nRESTART\nBEGIN\n", None),
        ("START 15\nBOARD 7,7,2 DONE\n", Some((7, 7))),
    ] {
        let lines: Vec<_> = answers(script).into_iter().skip_while(|line| line == "OK").collect();
        let [line] = &lines[..] else { panic!("{script}: {lines:?}") };
        assert!(point(line).is_some_and(|point| Some(point) != taken), "{script}: {line}");
        assert_eq!(answers(script)[0], "OK");
    }
    let lines = answers(include_str!("data/gomocup/pb_bad_turns.txt"));
    let [ok, error, best] = &lines[..] else { panic!("{lines:?}") };
    assert!(ok == "OK" && error.starts_with("ERROR 15,3 is outside the board"), "{lines:?}");
    assert!(point(best).is_some_and(|point| point != (7, 7)), "{best}");
}

#[test]
fn errors_say_why_and_change_nothing() {
    let hint = "INFO max_depth 1\nINFO rule 1\n";
    for (line, error) in [
        ("TURN 7,7", "7,7 is occupied"),
        ("TURN 15,3", "15,3 is outside the board: columns and rows are 0 to 14"),
        ("TURN 3,15", "outside the board"),
        ("TURN -1,3", "outside the board"),
        ("TURN", "is not X,Y"),
        ("TURN 7", "\"7\" is not X,Y"),
        ("TURN 1,2,3", "is not X,Y"),
        ("TURN h8", "\"h8\" is not X,Y"),
        ("BEGIN", "the opponent's turn"),
        ("PLAY 1,1", "the opponent's turn"),
        ("TAKEBACK 1,1", "there is no stone on 1,1"),
        ("START", "as in START 15"),
        ("START 4", "5 to 20 rows and columns, not 4"),
        ("START 21", "not 21"),
        ("START 271", "not 271"),
        ("START -15", "not -15"),
        ("START fifteen", "\"fifteen\" is not a size"),
        ("RECTSTART 15,14", "15x14 is not square"),
        ("RECTSTART 15", "a width and a height"),
        ("DONE", "BOARD goes before"),
        ("BOARD\n1,1,1\n1,1,2\nDONE", "1,1 is occupied"),
        ("BOARD\n1,1,1\n20,1,2\nDONE", "20,1 is outside"),
        ("BOARD\n1,1,4\nDONE", "1,1,4: a field is 1 (own)"),
        ("BOARD\n1,1\nDONE", "\"1,1\" is not X,Y,F"),
        ("BOARD\nhello\nDONE", "\"hello\" is not X,Y,F"),
        ("BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\n4,1,2\nDONE", "both sides have a winning row"),
        ("SWAP2BOARD\n7,7\nDONE", "after 0, 3 or 5 stones, not after 1"),
        ("SWAP2BOARD\n7,7\n7,7\n8,8\nDONE", "occupied"),
        ("SWAP2BOARD\n7,7\n7,17\n8,8\nDONE", "outside"),
        ("ANALYZE 0", "there are 1 to 50"),
        ("YXNBEST many", "as in ANALYZE 3"),
    ] {
        // Own stone on 7,7: the engine's, answered to BEGIN.
        let input = format!("START 15\n{hint}BEGIN\n{line}\nTAKEBACK 7,7\nTURN 7,7\nABOUT\n");
        let lines = answers(input);
        let [ok, begin, refused, back, turn, about] = &lines[..] else { panic!("{line}: {lines:?}") };
        assert!(refused.starts_with("ERROR ") && refused.contains(error), "{line}: {refused}");
        assert_eq!([ok, begin, back].map(String::as_str), ["OK", "7,7", "OK"], "{line}");
        assert!(point(turn).is_some() && about.starts_with("name=\"test\", version=\"1\", author=\"nobody\""), "{line}");
    }
    for line in ["BEGIN", "TURN 7,7", "BOARD", "RESTART", "TAKEBACK 7,7", "PLAY 7,7", "SWAP2BOARD", "ANALYZE"] {
        let lines = answers(line);
        assert!(lines.len() == 1 && lines[0].contains("no board yet: START 15"), "{line}: {lines:?}");
    }
    for line in ["FLY", "YXSHOWINFO", "7,7", "STARTS 15", "\u{1b}[2J", "INFORM x", "é"] {
        let lines = served(format!("START 15\n{line}\n"));
        assert!(lines.len() == 2 && lines[1].starts_with("UNKNOWN ") && !lines[1].contains('\u{1b}'), "{line}: {lines:?}");
    }
    let long = format!("START 15\nTURN {}\nABOUT\n", "7".repeat(MAX_LINE));
    assert_eq!(served(long)[1], format!("ERROR a line has at most {MAX_LINE} bytes"));
}

/// A list of stones that has no end is given up for the next command.
#[test]
fn a_board_without_done() {
    let lines = served("START 15\nBOARD\n7,7,1\n8,8,2\nSTART 20\nBEGIN\n");
    assert!(lines[1].starts_with("MESSAGE ") && lines[1].contains("no DONE"), "{lines:?}");
    assert_eq!((lines[2].as_str(), lines.last().unwrap().as_str()), ("OK", "10,10"));
    assert_eq!(answers("START 15\nBOARD\n7,7,1\n8,8,2\n"), ["OK"]);
    // INFO and ABOUT may come in between, and what is no command is a stone gone wrong.
    let lines = answers("START 15\nBOARD\n7,7,2\nABOUT\nINFO max_depth 1\nDONE\nBOARD\nFLY\nDONE\n");
    assert!(lines.len() == 4 && lines[1].starts_with("name=") && point(&lines[2]).is_some(), "{lines:?}");
    assert!(lines[3].starts_with("ERROR \"FLY\" is not X,Y,F"), "{lines:?}");
    // What cannot be read leaves the board as it was.
    assert_eq!(answers("START 15\nBEGIN\nBOARD\n0,0,1\nx\nDONE\nTAKEBACK 7,7\nTAKEBACK 0,0\n").len(), 5);
}

#[test]
fn rules_that_are_not_played_are_refused_when_it_matters() {
    for rule in [2, 3, 12, 64] {
        for asked in ["BEGIN", "TURN 7,7", "BOARD\nDONE", "SWAP2BOARD\nDONE", "PLAY 7,7", "ANALYZE"] {
            // INFO has no answer, and the next rule makes good for it.
            let lines = answers(format!("START 15\nINFO rule {rule}\n{asked}\nINFO max_depth 1\nINFO rule 0\nTURN 7,7\n"));
            assert!(lines.len() == 3 && lines[1].starts_with(&format!("ERROR INFO rule {rule}")), "{lines:?}");
            assert!(point(&lines[2]).is_some());
        }
    }
    // Six in a row: over or not.
    let six = "BOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n5,0,2\n0,2,1\n2,2,1\n4,2,1\n6,2,1\n8,4,1\nDONE\n";
    for (rule, over) in [(0, true), (1, false), (8, false), (9, false), (4, true)] {
        // The opponent has more stones, so it is One, Black: to whom renju forbids six, and counts them for nobody.
        let over = over && rule != 4;
        let lines = answers(format!("START 15\nINFO rule {rule}\nINFO max_depth 1\n{six}"));
        assert_eq!(lines[1].contains("the game is over: the opponent has a winning row"), over, "{rule}: {lines:?}");
    }
    // A double three is forbidden to Black, who would win with it.
    let threes = "BOARD\n7,6,1\n7,8,1\n6,7,1\n8,7,1\n0,0,2\n14,0,2\n0,14,2\n14,14,2\nDONE\n";
    let ask = |rule: u8| answers(format!("START 15\nINFO rule {rule}\nINFO max_depth 1\n{threes}"));
    assert_ne!(ask(4)[1], "7,7");
    let lines = answers(format!("START 15\nINFO rule 4\nYX{threes}PLAY 7,7\n"));
    assert!(lines[1].starts_with("ERROR 7,7 is forbidden"), "{lines:?}");
}

/// A reported fault: a simple four not blocked. Stones in the order of the moves, and shuffled.
#[test]
fn a_four_is_blocked_whatever_the_order_of_the_stones() {
    let moves = [
        (7, 7),
        (8, 7),
        (8, 8),
        (6, 6),
        (9, 7),
        (10, 6),
        (8, 6),
        (9, 8),
        (7, 6),
        (7, 5),
        (9, 5),
        (10, 4),
        (10, 5),
        (5, 9),
        (5, 8),
        (4, 8),
        (6, 10),
        (5, 7),
        (3, 9),
        (5, 11),
    ];
    let mut stones: Vec<String> = moves.iter().zip(0..).map(|((x, y), i)| format!("{x},{y},{}\n", 1 + i % 2)).collect();
    let mut random = generator(5);
    for _ in 0..6 {
        for rule in [0, 1] {
            let input = format!("START 15\nINFO rule {rule}\nINFO timeout_turn 100\nBOARD\n{}DONE\n", stones.concat());
            assert_eq!(answers(input), ["OK", "8,4"]);
        }
        for i in (1..stones.len()).rev() {
            stones.swap(i, below(&mut random, i + 1));
        }
    }
}

/// A reported fault: a last stone that joins two rows is no win.
#[test]
fn joined_rows_end_the_game() {
    for (stones, last, six) in [
        (&[(3, 7), (4, 7), (5, 7), (7, 7)][..], (6, 7), false),
        (&[(3, 7), (4, 7), (5, 7), (7, 7), (8, 7)], (6, 7), true),
        (&[(2, 2), (3, 3), (5, 5), (6, 6)], (4, 4), false),
    ] {
        for rule in [0, 1] {
            let wins = rule == 0 || !six;
            let list = |side: u8| stones.iter().map(|(x, y)| format!("{x},{y},{side}\n")).collect::<String>();
            let (x, y) = last;
            let start = format!("START 15\nINFO rule {rule}\nINFO max_depth 2\n");
            // The opponent wins, and there is nothing to answer.
            let lines = answers(format!("{start}YXBOARD\n{}DONE\nTURN {x},{y}\n", list(2)));
            assert_eq!(lines[1].contains("the game is over: the opponent has"), wins, "{lines:?}");
            // The engine does.
            let lines = answers(format!("{start}BOARD\n{}DONE\nTURN 0,14\n", list(1)));
            assert_eq!(lines[1] == format!("{x},{y}"), wins, "{lines:?}");
            assert_eq!(lines[2].contains("the game is over: I have"), wins, "{lines:?}");
        }
    }
}

/// After the end of a game nothing is put any more, whoever goes on as if nothing had happened; taken back, it goes on.
#[test]
fn nothing_is_played_after_the_end() {
    let start = "START 15\nINFO max_depth 1\nYXBOARD\n3,7,2\n4,7,2\n5,7,2\n6,7,2\n0,0,1\n0,2,1\n0,4,1\nDONE\n";
    let after = ["TURN 9,9", "TURN 9,9", "BEGIN", "PLAY 9,9", "YXNBEST 2", "ANALYZE 2", "TURN 7,7"];
    for (last, back) in [("TURN 7,7\n", "7,7"), ("BOARD\n1,1,1\n3,7,2\n4,7,2\n5,7,2\n6,7,2\n7,7,2\nDONE\n", "7,7")] {
        let lines = answers(format!("{start}{last}{}\nTAKEBACK {back}\nTURN 9,9\nTURN 9,9\nRESTART\nBEGIN\n", after.join("\n")));
        let (over, rest) = lines[1..].split_at(1 + after.len());
        for (line, said) in over.iter().zip([last].iter().chain(&after)) {
            let begin = "ERROR the game is over: the opponent has a winning row; RESTART and START begin another, TAKEBACK";
            let turn = *said == "BEGIN" || *said == "PLAY 9,9" || line.starts_with(begin);
            assert!(line.starts_with("ERROR ") && turn, "{said}: {line}");
        }
        // The row is gone: the other stone counts, and is answered; it was not there before.
        let [ok, answer, twice, restarted, first] = rest else { panic!("{lines:?}") };
        assert_eq!([ok, restarted].map(String::as_str), ["OK", "OK"], "{lines:?}");
        assert!(["7,7", "2,7"].contains(&answer.as_str()) && point(first).is_some(), "{lines:?}");
        assert!(twice.contains("9,9 is occupied"), "{lines:?}");
    }
}

/// A reported fault: a full board, and the engine hangs.
#[test]
fn a_full_board_is_no_question() {
    // Rows of ooxx..., shifted by two from row to row after next: no five anywhere.
    let side = |x: u32, y: u32| 1 + (x / 2 + y) % 2;
    let stones =
        |n: u32| -> String { (0..n).map(|i| (i % 15, i / 15)).map(|(x, y)| format!("{x},{y},{}\n", side(x, y))).collect() };
    let lines = answers(format!("START 15\nBOARD\n{}DONE\n", stones(225)));
    assert!(lines.len() == 2 && lines[1].starts_with("ERROR the game is over") && lines[1].contains("drawn"), "{lines:?}");
    assert_eq!(answers(format!("START 15\nBOARD\n{}DONE\nTURN 14,14\n", stones(224)))[1], "14,14");
    let lines = answers(format!("START 15\nYXBOARD\n{}DONE\nTURN 14,14\nABOUT\n", stones(224)));
    assert!(lines[1].contains("drawn") && lines[2].starts_with("name="), "{lines:?}");
}

/// Field 3 is no stone, and not to be played on.
#[test]
fn closed_points_are_left_alone() {
    let lines = answers("START 15\nINFO max_depth 1\nBOARD\n7,7,3\nDONE\n");
    assert!(lines[1] != "7,7" && point(&lines[1]).is_some(), "{lines:?}");
    let five = "5,7,1\n6,7,1\n7,7,1\n8,7,1\n4,7,3\n9,7,3\n0,0,2\n2,0,2\n4,0,2\n6,0,2\n";
    let best = answers(format!("START 15\nINFO max_depth 1\nBOARD\n{five}DONE\n"))[1].clone();
    assert!(!["4,7", "9,7"].contains(&best.as_str()) && point(&best).is_some());
}

type Question = (History<Gomoku>, Limits);
/// Threads, bytes for tables, lines.
type Made = (usize, Option<usize>, usize);

/// Answers what it is told to, and remembers what it was asked.
#[derive(Clone, Default)]
struct Recorder {
    asked: Arc<Mutex<Vec<Question>>>,
    seeds: Arc<Mutex<Vec<u64>>>,
    made: Arc<Mutex<Vec<Made>>>,
    /// By the number of stones.
    values: Vec<f64>,
}

impl Recorder {
    fn make(&self, setup: &Setup) -> Self {
        self.made.lock().unwrap().push((setup.threads, setup.table, setup.lines));
        self.clone()
    }

    /// What it is asked by these lines, and what is answered.
    fn hears(&self, input: &str) -> (Vec<Question>, Vec<String>) {
        let lines = served_by(|setup| self.make(setup), input);
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        // Not what gets it ready.
        let asked = asked.into_iter().filter(|(_, limits)| !limits.stop.as_ref().unwrap().is_raised());
        (asked.collect(), lines)
    }
}

impl Agent<Gomoku> for Recorder {
    fn name(&self) -> String {
        "recorder".into()
    }

    fn new_game(&mut self, seed: u64) {
        self.seeds.lock().unwrap().push(seed);
    }

    fn choose(&mut self, history: &History<Gomoku>, limits: &Limits) -> Result<ReportOf<Gomoku>, AgentError> {
        // A flag of its own, as the server raises its own at the end.
        let mut seen = limits.clone();
        let stop = StopFlag::default();
        if limits.stop.as_ref().unwrap().is_raised() {
            stop.raise();
        }
        seen.stop = Some(stop);
        self.asked.lock().unwrap().push((history.clone(), seen));
        let board = history.state().board();
        let value = self.values.get(usize::from(board.count())).copied();
        Ok(Report::of_move(board.empty_points().next().unwrap(), value))
    }
}

#[test]
fn info_reaches_the_engine() {
    let recorder = Recorder::default();
    let (asked, lines) = recorder.hears(
        "INFO timeout_turn 400\nSTART 15\nINFO max_memory 367001600\nINFO thread_num 2\nINFO game_type 1\nINFO folder /x y\n\
         INFO evaluate 3,3\nINFO nonsense\nINFO time_left 2147483647\nABOUT\nBEGIN\nINFO time_left 6000\nINFO max_depth 5\n\
         INFO max_node 1000\nTURN 5,5\nINFO time_left -20\nTURN 6,6\nINFO timeout_turn 0\nINFO time_left 100000\nTURN 7,7\n",
    );
    assert_eq!(lines[1..], ["name=\"test\", version=\"1\", author=\"nobody\"", "0,0", "1,0", "2,0", "3,0"]);
    let time = |i: usize| asked[i].1.time.unwrap().as_millis();
    assert!(time(0) <= 380 && time(0) > 100, "{}", time(0));
    assert!(time(1) <= 6000 / 14 && time(2) == 0 && time(3) <= 10, "{} {} {}", time(1), time(2), time(3));
    let limits = &asked[1].1;
    assert_eq!((limits.depth, limits.nodes, limits.memory), (Some(5), Some(1000), Some(275_251_200)));
    assert_eq!((limits.left, asked[0].1.left), (Some(Duration::from_millis(6000)), None));
    // Remade for its memory and threads, and never twice for the same.
    let made = recorder.made.lock().unwrap().clone();
    assert_eq!((made[0], *made.last().unwrap()), ((1, None, 1), (2, Some(275_251_200), 1)));
    assert!(made.windows(2).all(|pair| pair[0] != pair[1]), "{made:?}");
    // What is no value is told with the next answer, and only then.
    let (_, lines) = recorder.hears("START 15\nINFO timeout_turn soon\nINFO rule x\nBEGIN\nTURN 7,7\n");
    assert!(lines[1].starts_with("MESSAGE INFO \"soon\" is no timeout_turn") && lines[2].contains("rule"), "{lines:?}");
    assert_eq!(lines[3..], ["0,0", "1,0"]);
}

#[test]
fn the_engine_is_told_the_whole_game() {
    let recorder = Recorder::default();
    let (asked, _) =
        recorder.hears("START 15\nBEGIN\nTURN 7,7\nTURN 8,8\nRESTART\nTURN 3,3\nTAKEBACK 0,0\nTAKEBACK 3,3\nTURN 4,4\n");
    let steps: Vec<usize> = asked.iter().map(|(history, _)| history.steps().len()).collect();
    assert_eq!(steps, [0, 2, 4, 1, 1]);
    let movers: Vec<Player> = asked.iter().map(|(history, _)| history.state().mover()).collect();
    assert_eq!(movers, [Player::One, Player::One, Player::One, Player::Two, Player::Two]);
    assert_eq!(asked[4].0.state().board().stone(Point::new(4, 4).unwrap()), Some(Player::One));
    // Another seed for each game, and the same ones for the same server.
    let seeds: HashSet<u64> = recorder.seeds.lock().unwrap().iter().copied().collect();
    assert_eq!(seeds.len(), 2);
    recorder.hears("START 20\nSTART 5\n");
    assert_eq!(recorder.seeds.lock().unwrap().iter().copied().collect::<HashSet<u64>>(), seeds);
}

#[test]
fn swap2_has_three_questions() {
    let valued = |values: &[f64]| Recorder { values: values.to_vec(), ..Recorder::default() };
    // Three stones, and the opponent stays White or takes over.
    let (asked, lines) = valued(&[0.0; 9]).hears("START 15\nSWAP2BOARD\nDONE\nTURN 0,14\n");
    let stones: Vec<_> = lines[1].split(' ').map(|word| point(word).unwrap()).collect();
    assert!(stones.len() == 3 && stones.iter().collect::<HashSet<_>>().len() == 3, "{lines:?}");
    let (history, _) = asked.last().unwrap();
    assert_eq!((history.steps().len(), history.state().mover()), (4, Player::One));
    // Three stones are answered in three ways.
    let three = "SWAP2BOARD\n7,7\n8,7\n9,9\nDONE\n";
    let ask = |values: &[f64], input: &str| {
        let (asked, lines) = valued(values).hears(&format!("START 15\n{input}"));
        let answer: Vec<_> = lines.into_iter().filter(|line| !line.starts_with("MESSAGE")).collect();
        (asked.last().unwrap().0.clone(), answer[1..].to_vec())
    };
    let (history, lines) = ask(&[0.0, 0.0, 0.0, 0.4, 0.0, 0.0], &format!("{three}TURN 0,14\n"));
    assert_eq!((lines[0].as_str(), history.state().mover(), history.steps().len()), ("SWAP", Player::One, 4));
    let (history, lines) = ask(&[0.0, 0.0, 0.0, -0.4, 0.0, 0.0], &format!("{three}TURN 0,14\n"));
    assert_eq!((lines[0].as_str(), history.state().mover(), history.steps().len()), ("0,0", Player::Two, 5));
    let (history, lines) = ask(&[0.0, 0.0, 0.0, 0.04, 0.0, -0.01], &format!("{three}TURN 0,14\n"));
    assert_eq!((lines[0].split(' ').count(), history.state().mover(), history.steps().len()), (2, Player::One, 6));
    // Five in two.
    let five = "swap2board\r\n7,7\r\n8,7\r\n9,9\r\n8,8\r\n8,6\r\ndone\r\n";
    for (value, answer) in [(0.01, "SWAP"), (-0.01, "0,0")] {
        let (history, lines) = ask(&[value; 8], five);
        assert_eq!((lines[0].as_str(), history.state().board().count()), (answer, 5));
    }
    // What the manager tells afterwards is what counts.
    let (history, lines) = ask(&[0.4; 8], &format!("{three}BOARD\n7,7,1\n8,7,2\n9,9,1\n3,3,2\nDONE\n"));
    assert_eq!((lines.len(), history.steps().len(), history.state().mover()), (2, 4, Player::One));
    // With an engine that searches.
    let lines = answers(format!("START 15\nINFO timeout_turn 60\nSWAP2BOARD\nDONE\n{three}{five}"));
    assert!(lines.len() == 4 && lines[1].split(' ').all(|word| point(word).is_some()), "{lines:?}");
}

#[test]
fn analysis_plays_nothing() {
    let stones = "YXBOARD\n7,7,1\n8,8,2\n6,7,1\n8,7,2\nDONE\n";
    let start = format!("START 15\nINFO max_depth 3\n{stones}");
    let lines = served(format!("{start}ANALYZE 4\n"));
    assert_eq!((lines.len(), lines[5].as_str()), (6, "OK"), "{lines:?}");
    let mut moves = HashSet::new();
    let mut evs = Vec::new();
    for (i, line) in lines[1..5].iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[..5], ["MESSAGE", "depth", "3-3", "multipv", &(i + 1).to_string()], "{line}");
        evs.push(words[6].parse::<i64>().unwrap());
        let pv = words.iter().position(|&word| word == "pv").unwrap();
        assert!(words.len() > pv + 2 && words[pv + 1..].iter().all(|word| point(word).is_some()), "{line}");
        moves.insert(words[pv + 1].to_string());
    }
    assert!(moves.len() == 4 && evs.is_sorted_by(|a, b| a >= b), "{lines:?}");
    // The points are still free; YXNBEST ends with the best move.
    for best in &moves {
        assert_eq!(answers(format!("{start}ANALYZE\nPLAY {best}\n"))[1..], ["OK", best]);
    }
    let lines = served(format!("{start}YXNBEST 2\nYXHASHCLEAR\nYXNBEST 1\n"));
    assert!(lines.len() == 6 && lines[3] == lines[5] && moves.contains(&lines[3]), "{lines:?}");
    // After the engine's own move it is the opponent's view.
    let won = "YXBOARD\n7,7,1\n7,8,1\n7,9,1\n0,0,2\n2,2,2\n2,0,2\nDONE\n";
    let lines = served(format!("START 15\nINFO max_depth 3\n{won}ANALYZE 1\nPLAY 7,6\nANALYZE 1\n"));
    assert!(lines[1].contains(" ev +M") && lines[4].contains(" ev -M"), "{lines:?}");
}

#[test]
fn a_faulty_engine_still_moves() {
    struct Faulty(u8);
    impl Agent<Gomoku> for Faulty {
        fn name(&self) -> String {
            String::new()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, _: &History<Gomoku>, limits: &Limits) -> Result<ReportOf<Gomoku>, AgentError> {
            let raised = limits.stop.as_ref().is_some_and(StopFlag::is_raised);
            match self.0 {
                0 => Err(AgentError::NothingToDecide),
                1 => Ok(Report::of_move(Point::new(7, 7).unwrap(), Some(f64::NAN))),
                2 => Ok(Report::of_move(Point::new(19, 19).unwrap(), Some(0.0))),
                3 => Ok(Report::empty()),
                _ if raised => Err(AgentError::NothingToDecide),
                _ => panic!("on purpose"),
            }
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    for fault in 0..5 {
        let lines = served_by(|_| Faulty(fault), "START 15\nTURN 7,7\nTURN 7,6\nANALYZE\nABOUT\n");
        let moves: Vec<_> = lines.iter().filter_map(|line| point(line)).collect();
        assert!(moves.len() == 2 && !moves.contains(&(7, 7)) && !moves.contains(&(7, 6)), "{fault}: {lines:?}");
        assert!(lines[1].starts_with("MESSAGE ") && lines.last().unwrap().starts_with("name="), "{fault}: {lines:?}");
    }
    // One that cannot even be made.
    let lines = served_by(|_| -> Recorder { panic!("on purpose") }, "START 15\nBEGIN\n");
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("OK", "7,7"));
    let _ = std::panic::take_hook();
}

fn live<P: Agent<Gomoku>>(engine: impl FnMut(&Setup) -> P + Send + 'static) -> Live {
    Live::start(move |input, output| server().serve(engine, input, output))
}

#[test]
fn end_stops_it_and_nothing_more_is_said() {
    for end in ["END", "end\r", " End \nBEGIN\nABOUT"] {
        let live = live(|_| Thinker(0.25));
        assert_eq!(live.ask("START 15"), "OK");
        live.say("INFO timeout_turn 1000000\nBEGIN");
        sleep(Duration::from_millis(200));
        live.say(end);
        let (_, said) = live.end();
        assert!(said.is_empty(), "{said:?}");
    }
    // The same with an engine that searches, which would need a day.
    let searching = live(engine);
    searching.say("START 15\nINFO timeout_turn 86400000\nBOARD\n7,7,1\n8,8,2\nDONE");
    assert_eq!(searching.hear(), "OK");
    sleep(Duration::from_millis(1500));
    searching.say("END");
    let (_, said) = searching.end();
    // Progress from before may be there, but no move.
    assert!(said.iter().all(|line| line.starts_with("MESSAGE depth ")), "{said:?}");
    // When nothing runs.
    let idle = live(engine);
    assert_eq!(idle.ask("START 15"), "OK");
    idle.say("END");
    assert!(idle.end().1.is_empty());
}

/// A script that is piped in has its answers, in order.
#[test]
fn what_is_asked_together_with_the_end_is_answered() {
    for end in ["END\n", ""] {
        let lines = served_by(|_| Thinker(0.25), format!("START 15\nINFO timeout_turn 1000000\nBEGIN\nTURN 7,7\nABOUT\n{end}"));
        let said: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !line.starts_with("MESSAGE")).collect();
        assert_eq!(said, ["OK", "0,0", "1,0", "name=\"test\", version=\"1\", author=\"nobody\""]);
    }
}

#[test]
fn stop_asks_for_the_answer() {
    for stop in ["STOP", "yxstop"] {
        let live = live(|_| Thinker(0.25));
        live.say("STOP\nSTART 15\nINFO timeout_turn 1000000\nBEGIN");
        assert_eq!(live.hear(), "OK");
        live.say(stop);
        assert_eq!(live.hear(), "0,0");
        // The next search is not stopped by it, and what comes meanwhile waits.
        live.say("TURN 7,7\nABOUT");
        assert!(live.is_silent(Duration::from_millis(100)));
        live.say(stop);
        assert_eq!(live.hear(), "1,0");
        assert!(live.hear().starts_with("name="));
        live.say("ANALYZE");
        live.say(stop);
        assert_eq!(live.hear(), "OK");
        live.say("END");
        assert!(live.end().1.is_empty());
    }
}

/// Who begins a new game does not wait for the move of the old one.
#[test]
fn a_new_game_ends_the_search() {
    let live = live(|_| Thinker(0.25));
    assert_eq!(live.ask("START 15\nINFO timeout_turn 1000000"), "OK");
    for line in ["RESTART", "START 20", "rectstart 15,15"] {
        live.say("TURN 7,7");
        sleep(Duration::from_millis(200));
        live.say(line);
        assert_eq!((live.hear().as_str(), live.hear().as_str()), ("0,0", "OK"), "{line}");
    }
    live.say("END");
    live.end();
}

#[test]
fn progress_is_told_now_and_then() {
    let live = live(|setup| Talker(setup.clone()));
    live.say("START 15\nINFO timeout_turn 1000000\nTURN 7,7");
    assert_eq!(live.hear.recv_timeout(PATIENCE).unwrap(), "OK");
    let began = Instant::now();
    for _ in 0..2 {
        let line = live.hear.recv_timeout(PATIENCE).unwrap();
        assert!(line.starts_with("MESSAGE depth 0-0 ev -439 ") && line.ends_with(" pv 3,3"), "{line}");
    }
    // At most one a second.
    assert!(began.elapsed() > Duration::from_millis(1800));
    live.say("STOP");
    while live.hear.recv_timeout(PATIENCE).unwrap().starts_with("MESSAGE ") {}
    assert!(live.is_silent(Duration::from_millis(1200)));
    live.say("END");
    live.end();
}

/// Tells what it knows a thousand times a second, during a search and after.
struct Talker(Setup);

impl Agent<Gomoku> for Talker {
    fn name(&self) -> String {
        "talker".into()
    }

    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, history: &History<Gomoku>, limits: &Limits) -> Result<ReportOf<Gomoku>, AgentError> {
        let report = Report::of_move(Point::new(3, 3).unwrap(), Some(0.5));
        while !limits.stop.as_ref().is_some_and(StopFlag::is_raised) {
            self.0.progress.tell(&report);
            sleep(Duration::from_millis(1));
        }
        let (progress, late) = (self.0.progress.clone(), report);
        spawn(move || (0..1500).for_each(|_| (progress.tell(&late), sleep(Duration::from_millis(1))).1));
        Ok(Report::of_move(history.state().board().empty_points().next().unwrap(), Some(0.5)))
    }
}

/// A manager that goes away without a word.
#[test]
fn nobody_listens_any_more() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = server().serve(engine, "START 15\nBEGIN\nEND\n".as_bytes(), Broken).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}

/// Games against random moves with as little time as there is: every answer is a legal move.
#[test]
fn whole_games_in_no_time() {
    for (seed, info) in [
        (1, "INFO timeout_turn 1\nINFO rule 0"),
        (2, "INFO timeout_turn 0\nINFO rule 1"),
        (3, "INFO timeout_turn 1\nINFO timeout_match 1\nINFO rule 4"),
        (4, "INFO timeout_turn 30000\nINFO timeout_match 100\nINFO rule 8"),
        (5, "INFO timeout_turn 30000\nINFO time_left -1000\nINFO rule 0"),
    ] {
        let rule = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::Freestyle][seed as usize - 1];
        let live = live(engine);
        assert_eq!(live.ask("START 15"), "OK");
        live.say(info);
        assert!(live.ask("ABOUT").starts_with("name="));
        let mut game = Gomoku::start(rule, 15).unwrap();
        let mut opponent = RandomAgent::<Xoshiro256PlusPlus>(generator(seed));
        let mut question = String::from("BEGIN");
        let own = if seed % 2 == 0 { Player::Two } else { Player::One };
        let outcome = loop {
            match game.turn() {
                Turn::Over(outcome) => break outcome,
                Turn::Chance(never) => match never {},
                Turn::Decide(mover) if mover == own => {
                    let (x, y) = point(&live.ask(&question)).unwrap();
                    game.try_play(Point::new(x, y).unwrap()).unwrap();
                }
                Turn::Decide(_) => {
                    let m = opponent.choose(&game.clone().into(), &Limits::default()).unwrap().best.unwrap();
                    game.play(m);
                    question = format!("TURN {},{}", m.x(), m.y());
                }
            }
        };
        assert_eq!(outcome, Outcome::win(own), "{info}: {game}");
        live.say("END");
        live.end();
    }
}

/// A line of a manager, or nearly so.
fn any_line(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const WORDS: [&str; 23] = [
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "TURN",
        "TURN",
        "BOARD",
        "DONE",
        "INFO",
        "INFO",
        "ABOUT",
        "TAKEBACK",
        "PLAY",
        "SWAP2BOARD",
        "YXBOARD",
        "YXNBEST",
        "ANALYZE",
        "STOP",
        "YXHASHCLEAR",
        "",
        "7,7,1",
        "FLY",
    ];
    const KEYS: [&str; 13] = [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "game_type",
        "rule",
        "evaluate",
        "folder",
        "thread_num",
        "max_depth",
        "max_node",
        "strength",
        "hash_size",
    ];
    const NUMBERS: [&str; 10] =
        ["", "-1", "2147483647", "-9223372036854775808", "99999999999999999999", "x", "1e9", "0x7", "+3", "7.5"];
    let number = |random: &mut Xoshiro256PlusPlus| match below(random, 8) {
        0 => NUMBERS[below(random, NUMBERS.len())].to_string(),
        _ => below(random, 22).to_string(),
    };
    let mut line = match below(random, 12) {
        0 => (0..below(random, 40)).map(|_| char::from(below(random, 256) as u8)).collect(),
        1 => format!("{},{},{}", number(random), number(random), number(random)),
        _ => {
            let mut line = WORDS[below(random, WORDS.len())].to_string();
            if line == "INFO" {
                line = line + " " + KEYS[below(random, KEYS.len())];
            }
            line += " ";
            line += &(0..below(random, 4)).map(|_| number(random)).collect::<Vec<_>>().join([",", " ", ", "][below(random, 3)]);
            line
        }
    }
    .replace('\n', " ");
    if below(random, 4) == 0 {
        line.make_ascii_lowercase();
    }
    let mut bytes = line.into_bytes();
    if below(random, 20) == 0 && !bytes.is_empty() {
        let at = below(random, bytes.len());
        bytes[at] = 0x80 | below(random, 128) as u8;
    }
    bytes.extend_from_slice([&b"\n"[..], b"\r\n"][below(random, 2)]);
    bytes
}

/// Ten thousand lines: every question has its one answer, every move is one that the board allows.
#[test]
fn no_line_harms_it() {
    let mut random = generator(20);
    for _ in 0..20 {
        let mut input = b"START 15\nINFO timeout_turn 1\n".to_vec();
        for _ in 0..500 {
            // Lines that would have to be waited for, or are said by nobody here.
            let line = any_line(&mut random);
            let upper = String::from_utf8_lossy(&line).to_ascii_uppercase();
            let waits = upper.contains("TIMEOUT_TURN") || upper.contains("THREAD_NUM") || upper.trim() == "END";
            input.extend_from_slice(if waits { b"INFO timeout_turn 1\n" } else { &line });
        }
        input.extend_from_slice(b"ABOUT\nEND\nABOUT\n");
        let lines = served(&input);
        assert!(lines.last().unwrap().starts_with("name="), "{:?}", lines.last());
        for line in &lines {
            let known = ["OK", "SWAP", "MESSAGE ", "ERROR ", "UNKNOWN ", "name="].iter().any(|word| line.starts_with(word));
            let points = |line: &str| {
                line.split(' ').all(|word| {
                    let number = |n: &str| n.parse::<u8>().is_ok_and(|n| n < 20);
                    word.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
                })
            };
            assert!(known || points(line), "{line}");
            assert!(!line.contains("panicked") && !line.contains("no point that may"), "{line}");
            assert!(!line.chars().any(gamecore::text::is_invisible), "{line:?}");
        }
    }
}
