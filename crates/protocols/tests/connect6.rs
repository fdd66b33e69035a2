//! The platform's protocol for Connect6: what is asked, what is answered, and what does no harm.

mod live;
mod thinker;

use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::thread::sleep;
use std::time::Duration;

use gamecore::random::{below, generator};
use gamecore::{Game, History, Player, Text, Turn};
use games_connect6::eval::Count;
use games_connect6::{Connect6, Narrowed, Point, letters};
use live::{Live, PATIENCE};
use protocols::connect6::{MAX_LINE, Server, Setup};
use rand::rngs::Xoshiro256PlusPlus;
use search_alphabeta::AlphaBeta;
use search_core::{Agent, AgentError, Limits, RandomAgent, Report, ReportOf};
use thinker::Thinker;

/// What people may read.
struct Notes(std::sync::mpsc::Sender<u8>);

impl Write for Notes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        bytes.iter().try_for_each(|&b| self.0.send(b)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn engine(_: &Setup) -> AlphaBeta<Narrowed, Count> {
    AlphaBeta::new(Count).with_table(1 << 20)
}

fn random(_: &Setup) -> RandomAgent<Xoshiro256PlusPlus> {
    RandomAgent(generator(7))
}

/// Answers and messages to a script.
fn served_by<P: Agent<Connect6>>(engine: impl FnMut(&Setup) -> P + Send, input: impl AsRef<[u8]>) -> (Vec<String>, Vec<String>) {
    let (tell, hear) = channel();
    let mut output = Vec::new();
    Server::new("test").serve(engine, input.as_ref(), &mut output, Notes(tell)).unwrap();
    let lines = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().lines().map(str::to_string).collect();
    (lines(output), lines(hear.iter().collect()))
}

fn served(input: impl AsRef<[u8]>) -> (Vec<String>, Vec<String>) {
    served_by(random, input)
}

/// The position that `print` ends with.
fn position(lines: &[String]) -> Connect6 {
    let text = lines.iter().rev().find(|line| line.ends_with(" 6,2,1")).expect("a position");
    text.parse().unwrap()
}

/// The points of a move.
fn points(line: &str) -> Vec<Point> {
    let stones = line.strip_prefix("move ").expect(line);
    let game = Connect6::default();
    let pairs = stones.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.filter(|&pair| pair != "@@").map(|pair| game.parse_point(pair).unwrap()).collect()
}

fn point(x: u8, y: u8) -> Point {
    Point::new(x, y).unwrap()
}

/// Lines that set up these stones of One and of Two.
fn stones(one: &[(u8, u8)], two: &[(u8, u8)]) -> String {
    let line = |color: &str, &(x, y): &(u8, u8)| format!("{color} {}\n", letters(point(x, y)));
    one.iter().map(|p| line("black", p)).chain(two.iter().map(|p| line("white", p))).collect()
}

#[test]
fn a_game_begins_either_way() {
    let (lines, notes) = served("name?\nNAME\nnew black\nquit\n");
    assert_eq!(lines[..2], ["name test", "name test"]);
    assert!(lines.len() == 3 && lines[2].len() == 9 && lines[2].ends_with("@@") && notes.is_empty(), "{lines:?} {notes:?}");
    // The single stone in every form.
    for first in
        ["move JJ", "move JJ@@", "move @@JJ", "move JJJJ", "move jj", "  MOVE  J J  @@ \r", "\u{feff}move JJ\0", "move\tJJ"]
    {
        for new in ["new white\n", "", "NEW  White\r\n"] {
            let (lines, notes) = served(format!("{new}{first}\nprint\nquit"));
            assert!(notes.is_empty() && points(&lines[0]).len() == 2, "{first:?}: {lines:?} {notes:?}");
            let game = position(&lines);
            assert_eq!((game.board().stone(point(9, 9)), game.board().count()), (Some(Player::One), 3), "{first:?}");
            assert_eq!((game.mover(), game.left()), (Player::One, 2));
        }
    }
    // Both stones, with white space between them.
    let (lines, notes) = served("new black\nmove AA BB\nprint\n");
    assert!(notes.is_empty() && position(&lines).board().count() == 5, "{lines:?} {notes:?}");
    // What nobody has to answer.
    let (lines, notes) = served("accept\nrefuse\ntake\ntaked\n\n \nvcf\nunvcf\ndepth 3\ndepth 0\ntime 1\nclock 900\nend\n");
    assert!(lines.is_empty() && notes.is_empty(), "{lines:?} {notes:?}");
}

/// Columns and rows as letters, none left out (case C604 of the reports).
#[test]
fn letters_are_columns_and_rows_from_the_top_left() {
    for ((x, y), name) in [((0, 0), "AA"), ((7, 9), "HJ"), ((8, 9), "IJ"), ((9, 9), "JJ"), ((18, 18), "SS"), ((8, 0), "IA")] {
        assert_eq!(letters(point(x, y)), name);
        let (lines, notes) = served(format!("move {name}\nprint\n"));
        assert!(notes.is_empty() && position(&lines).board().stone(point(x, y)) == Some(Player::One), "{name}: {notes:?}");
    }
    // What other notations would say is not guessed at.
    for text in ["J10", "T1", "9,9", "TA", "AT", "J9J8", "10JJ"] {
        let (lines, notes) = served(format!("move {text}\nprint\n"));
        assert!(notes.len() == 1 && notes[0].contains("AA (top left) to SS"), "{text}: {notes:?}");
        assert_eq!(position(&lines), Connect6::default(), "{text}");
    }
}

#[test]
fn positions_are_set_up() {
    let (lines, notes) = served("new white\nblack JJ\nwhite KKLL\nblack KJ\nblack IJ\nprint\nnext\nprint\n");
    assert!(notes.is_empty(), "{notes:?}");
    let at = lines.iter().position(|line| line.starts_with("move ")).unwrap();
    let (before, after) = (position(&lines[..at]), position(&lines));
    assert_eq!((before.mover(), before.left(), before.board().count()), (Player::Two, 2, 5));
    let played = points(&lines[at]);
    assert!(played.len() == 2 && played.iter().all(|&p| after.board().stone(p) == Some(Player::Two)));
    // Nothing has been put: Black begins.
    assert!(served("next\n").0[0].ends_with("@@"));
    // Out of the order of a game: the other side has a whole turn.
    for (lines, mover, count) in [
        ("white JJ\n", Player::One, 1),
        ("black JJKK\n", Player::Two, 2),
        ("black JJ\nblack KK\nblack LL\n", Player::Two, 3),
        ("black JJ\nwhite KK\nblack LL\nwhite MM\n", Player::One, 4),
        ("black JJ\nwhite KK\n", Player::One, 2),
    ] {
        let (lines, notes) = served(format!("{lines}print\nnext\nprint\n"));
        assert!(notes.is_empty(), "{notes:?}");
        let played = points(lines.iter().find(|line| line.starts_with("move ")).unwrap());
        let after = position(&lines);
        assert_eq!((played.len(), after.board().count()), (2, count + 2));
        assert!(played.iter().all(|&p| after.board().stone(p) == Some(mover)), "{after}");
    }
    // The opponent's turn after a set-up.
    let (lines, notes) = served("black JJ\nwhite KKLL\nmove IIHH\nprint\n");
    assert!(notes.is_empty() && points(&lines[0]).iter().all(|&p| position(&lines).board().stone(p) == Some(Player::Two)));
}

#[test]
fn what_cannot_be_obeyed_changes_nothing() {
    let begun = "new white\nmove JJ\nprint\n";
    let (before, _) = served(begun);
    let played = before[0].clone();
    let taken = letters(points(&played)[0]);
    let long = format!("move {}", "A".repeat(MAX_LINE));
    let longer = "x".repeat(200_000);
    let cases = [
        ("move".to_string(), "is no move"),
        ("move ".into(), "is no move"),
        ("move A".into(), "is no move"),
        ("move AAB".into(), "as in JJKK"),
        ("move AABBC".into(), "is no move"),
        ("move AABBCC".into(), "is no move"),
        ("move @@@@".into(), "is no move"),
        ("move \u{e9}A".into(), "is no move"),
        ("move AA".into(), "1 stone, but black has 2 in this turn"),
        ("move AA@@".into(), "1 stone, but black has 2 in this turn"),
        ("move AAAA".into(), "both stones on AA"),
        ("move JJAA".into(), "a stone stands on JJ already"),
        (format!("move AA{taken}"), "already"),
        ("move JJ".into(), "this came before, and the answer was move "),
        ("move JJ@@".into(), "this came before"),
        ("black JJ".into(), "a stone stands on JJ already"),
        ("white".into(), "is no move"),
        ("black AAAA".into(), "both stones on AA"),
        ("new".into(), "new black or new white"),
        ("new red".into(), "new black or new white"),
        ("new black white".into(), "new black or new white"),
        ("mov AABB".into(), "I know name?, new black"),
        ("MOVEAABB".into(), "is not understood"),
        ("depth".into(), "0 to 99 turns"),
        ("depth -1".into(), "0 to 99 turns"),
        ("depth 100".into(), "0 to 99 turns"),
        ("time".into(), "a number of seconds"),
        ("clock soon".into(), "a number of seconds"),
        ("error".into(), "the platform refuses what was played, move "),
        ("help".into(), "I know name?"),
        (long, "at most 256 bytes"),
        (longer, "at most 256 bytes"),
    ];
    for (line, message) in &cases {
        let (lines, notes) = served(format!("{begun}{line}\nprint\nmove AABB\nquit\n"));
        assert!(notes.len() == 1 && notes[0].contains(message), "{line:.40}: {notes:?}");
        // The game goes on.
        let (last, rest) = lines.split_last().unwrap();
        assert_eq!((rest, points(last).len()), (&[&before[..], &before[1..]].concat()[..], 2), "{line:.40}");
    }
    // All of them together, and then the game goes on all the same.
    let all: String = cases.iter().map(|(line, _)| format!("{line}\n")).collect();
    let (lines, notes) = served(format!("{begun}{all}{all}print\nmove AABB\n"));
    assert!(notes.len() == 64 && lines[lines.len() - 2].contains("last played"), "{}", notes.len());
    assert!(points(lines.last().unwrap()).len() == 2);
}

#[test]
fn a_game_that_is_over_stays_so() {
    let five = [(4, 9), (5, 9), (6, 9), (7, 9), (8, 9)];
    let white = [(0, 0), (0, 5), (5, 0), (17, 2)];
    let board = format!("new white\n{}", stones(&five, &white));
    // One stone wins; a second one is no more.
    for turn in ["JJ", "JJAS", "JJ@@", "JJDJ"] {
        let (lines, notes) = served(format!("{board}move {turn}\nmove BBCC\nnext\nblack DD\nprint\nnew white\nmove JJ\n"));
        assert!(notes.len() == 4 && notes.iter().all(|note| note.contains("the game is over, black has won")), "{notes:?}");
        assert_eq!((position(&lines).outcome().unwrap().winner(), position(&lines).board().count()), (Some(Player::One), 10));
        assert_eq!(points(lines.last().unwrap()).len(), 2);
    }
    // The engine's winning turn has two stones even if one is enough.
    let (lines, notes) = served_by(engine, format!("{board}depth 1\nnext\nprint\n"));
    assert!(notes.is_empty() && points(&lines[0]).len() == 2, "{notes:?}");
    let (lines, _) = served_by(engine, format!("new white\n{}depth 1\nnext\nprint\n", stones(&white, &five)));
    assert!(lines[0].starts_with("move ") && points(&lines[0]).len() == 2, "{lines:?}");
    let (lines, _) = served_by(engine, format!("new white\n{}{}depth 1\nnext\nprint\n", stones(&five, &[]), stones(&[], &white)));
    let game = position(&lines);
    assert_eq!((game.outcome().unwrap().winner(), points(&lines[0]).len()), (Some(Player::One), 2));
    // The platform ends the game.
    for end in ["end", "end black", "END white"] {
        let (lines, notes) = served(format!("new white\nmove JJ\n{end}\nmove AABB\nnext\nnew black\n"));
        assert!(notes.len() == 2 && notes.iter().all(|note| note.contains("the game has been ended: new black")), "{notes:?}");
        assert!(lines.len() == 2 && lines[1].ends_with("@@"), "{lines:?}");
    }
}

/// A row that is longer than it has to be, or two at once (case C603 of the reports): won once, by one stone or two.
#[test]
fn rows_may_be_long_and_cross() {
    let x = [(4, 9), (5, 9), (6, 9), (7, 9), (8, 9), (9, 10), (9, 11), (9, 12), (9, 13), (9, 14), (2, 2)];
    let o = [(3, 9), (0, 0), (0, 5), (5, 0), (17, 2), (17, 8), (2, 17), (8, 17), (14, 16), (16, 14), (18, 18), (12, 2)];
    for turn in ["JJ", "JJAS", "JJJP", "JJKJ"] {
        let (lines, notes) = served(format!("new white\n{}move {turn}\nprint\n", stones(&x, &o)));
        assert!(notes.len() == 1 && notes[0].contains("black has won"), "{turn}: {notes:?}");
        let outcome = position(&lines).outcome().unwrap();
        assert_eq!(outcome, gamecore::Outcome::win(Player::One), "{turn}");
        // The next game is another.
        let (lines, notes) = served(format!("new white\n{}move {turn}\nnew white\nmove JJ\nprint\n", stones(&x, &o)));
        assert!(notes.len() == 1 && position(&lines).board().count() == 3, "{turn}: {notes:?}");
    }
}

/// Both stones of a turn are the same side's (case C601 of the reports).
#[test]
fn a_win_by_both_stones_is_played() {
    let x = [(6, 9), (7, 9), (8, 9), (9, 9), (12, 13)];
    let o = [(14, 3), (14, 4), (14, 5), (14, 6), (3, 14), (12, 14)];
    let (lines, notes) = served_by(engine, format!("new white\n{}depth 1\nnext\nprint\n", stones(&x, &o)));
    assert!(notes.is_empty(), "{notes:?}");
    let mut pair: Vec<_> = points(&lines[0]).iter().map(|p| (p.x(), p.y())).collect();
    pair.sort_unstable();
    let winning = [[(4, 9), (5, 9)], [(5, 9), (10, 9)], [(10, 9), (11, 9)]];
    assert!(winning.iter().any(|w| w[..] == pair[..]), "{pair:?}");
    assert_eq!(position(&lines).outcome(), Some(gamecore::Outcome::win(Player::One)));
}

#[test]
fn the_last_point_is_a_turn() {
    let all = |x: u8, y: u8| (x / 2 + y).is_multiple_of(2);
    let cells = || (0..19).flat_map(|y| (0..19).map(move |x| (x, y))).filter(|&cell| cell != (18, 18));
    let one: Vec<_> = cells().filter(|&(x, y)| all(x, y)).collect();
    let two: Vec<_> = cells().filter(|&(x, y)| !all(x, y)).collect();
    let board = stones(&one, &two);
    let (lines, notes) = served(format!("{board}next\nprint\nnext\n"));
    assert_eq!(lines[0], "move SS@@");
    assert!(notes.len() == 1 && notes[0].contains("it is drawn"), "{notes:?}");
    assert_eq!(position(&lines).outcome(), Some(gamecore::Outcome::Draw));
    for last in ["SS", "SS@@", "SSSS"] {
        let (_, notes) = served(format!("{board}move {last}\n"));
        assert!(notes.len() == 1 && notes[0].contains("it is drawn"), "{last}: {notes:?}");
    }
}

#[test]
fn a_faulty_engine_still_moves() {
    struct Faulty(u8);
    impl Agent<Connect6> for Faulty {
        fn name(&self) -> String {
            String::new()
        }
        fn new_game(&mut self, _: u64) {
            assert!(self.0 != 4, "on purpose");
        }
        fn choose(&mut self, _: &History<Connect6>, _: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
            match self.0 {
                0 => Err(AgentError::NothingToDecide),
                1 => Ok(Report::of_move(point(9, 9), None)),
                2 => Ok(Report::of_move(point(19, 19), None)),
                3 => Ok(Report::empty()),
                _ => panic!("on purpose"),
            }
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    for fault in 0..6 {
        let (lines, notes) = served_by(|_| Faulty(fault), "new white\nmove JJ\nmove AABB\nprint\n");
        let (first, second) = (points(&lines[0]), points(&lines[1]));
        assert!(first.len() == 2 && second.len() == 2, "{fault}: {lines:?}");
        assert_eq!(position(&lines).board().count(), 7);
        assert!(notes.len() == 4 && notes.iter().all(|note| note.contains("this stone is not searched")), "{fault}: {notes:?}");
    }
    let _ = std::panic::take_hook();
}

fn live<P: Agent<Connect6>>(engine: impl FnMut(&Setup) -> P + Send + 'static) -> Live {
    Live::start(move |input, output| Server::new("test").serve(engine, input, output, io::sink()))
}

#[test]
fn it_stops_when_nobody_waits_any_more() {
    for end in ["quit", "exit\r", " QUIT \nnew black"] {
        let live = live(|_| Thinker(0.25));
        assert_eq!(live.ask("name?"), "name test");
        live.say("new white\nmove JJ");
        assert!(live.is_silent(Duration::from_millis(200)));
        live.say(end);
        let (_, said) = live.end();
        assert!(said.is_empty(), "{said:?}");
    }
    // A new game, or an end: the old answer is not wanted, the next one is.
    for (drop, next) in [("new black", ""), ("end black", "new black")] {
        let live = live(|_| Thinker(0.25));
        live.say("new white\nmove JJ");
        assert!(live.is_silent(Duration::from_millis(200)));
        live.say(drop);
        if !next.is_empty() {
            assert_eq!(live.ask("name?"), "name test");
            live.say(next);
        }
        assert!(live.is_silent(Duration::from_millis(200)));
        live.say("stop");
        assert_eq!(live.hear(), "move AA@@");
        live.say("quit");
        assert!(live.end().1.is_empty());
    }
    // When nothing runs.
    let live = live(random);
    assert_eq!(live.ask("name?"), "name test");
    live.say("quit");
    assert!(live.end().1.is_empty());
}

#[test]
fn lines_that_come_too_soon_wait() {
    let live = live(|_| Thinker(0.25));
    live.say("stop\nnew white\nmove JJ\nmove KKLL\nname?");
    assert!(live.is_silent(Duration::from_millis(100)));
    live.say("stop");
    assert_eq!([live.hear(), live.hear(), live.hear()], ["move AABA", "move CADA", "name test"]);
    // A question that waits behind a search that nobody wants any more still has its answer.
    live.say("move AGAH\nname?");
    assert!(live.is_silent(Duration::from_millis(200)));
    live.say("end");
    assert_eq!(live.hear(), "name test");
    live.say("quit");
    live.end();
}

/// A platform that goes away without a word, one that never reads messages, and one whose pipe is broken.
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
    struct Blocked;
    impl Write for Blocked {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            loop {
                sleep(PATIENCE);
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let server = Server::new("test");
    let error = server.serve(random, &b"new black\nmove KKLL\n"[..], Broken, io::sink()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    let mut output = Vec::new();
    server.serve(random, &b"what\nnew black\nwhat\nmove KKLL\n"[..], &mut output, Broken).unwrap();
    assert_eq!(output.iter().filter(|&&b| b == b'\n').count(), 2);
    let (mut output, noise) = (Vec::new(), "what\n".repeat(1000));
    server.serve(random, format!("{noise}new black\n{noise}move KKLL\n").as_bytes(), &mut output, Blocked).unwrap();
    assert_eq!(output.iter().filter(|&&b| b == b'\n').count(), 2);
}

#[test]
fn times_and_depths_are_limits() {
    /// Notes what it may spend.
    struct Recorder(std::sync::mpsc::Sender<Limits>);
    impl Agent<Connect6> for Recorder {
        fn name(&self) -> String {
            String::new()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
            self.0.send(limits.clone()).unwrap();
            Ok(Report::of_move(history.state().board().empty_points().next().unwrap(), None))
        }
    }
    let asked = |server: Server, lines: &str| -> Vec<Limits> {
        let (tell, hear) = channel();
        server.serve(|_| Recorder(tell.clone()), lines.as_bytes(), io::sink(), io::sink()).unwrap();
        drop(tell);
        hear.iter().collect()
    };
    let seconds = |limits: &Limits| limits.time.unwrap().as_secs_f64();
    let near = |a: f64, b: f64| (a - b).abs() < 0.3;
    // Nothing is said: the first stone has three quarters of five seconds, or less as the input's end is in sight.
    let limits = asked(Server::new("t"), "move JJ\n");
    assert!(limits.len() == 2 && near(seconds(&limits[0]), 2.5) && limits[0].depth.is_none(), "{limits:?}");
    assert!(seconds(&limits[1]) > 3.0);
    // By word and by builder, the word counts.
    let server = || Server::new("t").with_turn_time(Duration::from_secs(3)).with_game_time(Duration::from_secs(900));
    let limits = asked(server(), "move JJ\n");
    assert!(near(seconds(&limits[0]), 2.14) && limits[0].left == Some(Duration::from_secs(900)), "{limits:?}");
    let limits = asked(server(), "time 2\nclock 0\nmove JJ\ndepth 2\nmove AFAG\n");
    assert!(near(seconds(&limits[0]), 1.43) && limits[0].left.is_none(), "{limits:?}");
    assert_eq!([limits[0].depth, limits[2].depth, limits[3].depth], [None, Some(4), Some(3)]);
    // A clock that runs down, and is full again in the next game.
    let limits = asked(server(), "clock 60\nmove JJ\nmove AFAG\nnew black\n");
    assert!(seconds(&limits[0]) < 1.6 && limits[2].left < Some(Duration::from_secs(60)), "{limits:?}");
    assert_eq!(limits.last().unwrap().left, Some(Duration::from_secs(60)));
    // A level that needs no time gets none unless it is said.
    let level = || Server::new("t").with_limits(Limits::depth(2));
    let live_limits = |server: Server, lines: &'static str| {
        let (tell, hear) = channel();
        let live = Live::start(move |input, output| server.serve(|_| Recorder(tell.clone()), input, output, io::sink()));
        live.ask(lines);
        live.say("quit");
        live.end();
        hear.iter().collect::<Vec<Limits>>()
    };
    let limits = live_limits(level(), "new black");
    assert!(limits[0].depth == Some(2) && limits[0].time.is_none(), "{limits:?}");
    let limits = live_limits(level(), "time 8\nnew black");
    assert!(limits[0].depth == Some(2) && limits[0].time > Some(Duration::from_secs(7)), "{limits:?}");
}

#[test]
fn engines_are_made_again_when_they_should_be_others() {
    let (tell, hear) = channel();
    let lines = "new black\nvcf\nnext\nunvcf\nnext\nunvcf\nnext\nvcf\nnext\ndepth 2\nnext\ndepth 3\nnext\ndepth 0\nnext\n";
    let make = |setup: &Setup| {
        tell.send((setup.threats, setup.by_depth)).unwrap();
        random(setup)
    };
    let mut output = Vec::new();
    Server::new("test").serve(make, lines.as_bytes(), &mut output, io::sink()).unwrap();
    assert_eq!(String::from_utf8(output).unwrap().lines().count(), 8);
    // Whether it is ready before or when it is asked does not matter.
    let made: Vec<(bool, bool)> = hear.try_iter().collect();
    assert_eq!(made, [(true, false), (false, false), (true, false), (true, true), (true, false)]);
}

/// Whole games against random stones with as little time as there is.
#[test]
fn whole_games_in_no_time() {
    for (seed, words) in [(1, "time 0"), (2, "clock 0.01"), (3, "time 0.001"), (4, "depth 1")] {
        let live = live(engine);
        let own = if seed % 2 == 0 { Player::Two } else { Player::One };
        live.say(words);
        let mut game = Connect6::default();
        let mut opponent = RandomAgent::<Xoshiro256PlusPlus>(generator(seed));
        let mut question = String::from(if own == Player::One { "new black" } else { "new white" });
        if own == Player::Two {
            live.say(&question);
        }
        while let Turn::Decide(mover) = game.turn() {
            let due = usize::from(game.left());
            if mover == own {
                let answer = points(&live.ask(&question));
                assert_eq!(answer.len(), due);
                for point in answer {
                    if game.outcome().is_none() {
                        game.try_play(point).unwrap();
                    }
                }
            } else {
                question = String::from("move ");
                for _ in 0..due {
                    let m = opponent.choose(&game.clone().into(), &Limits::default()).unwrap().best.unwrap();
                    question += &game.move_text(m);
                    game.play(m);
                }
                if seed == 4 && due == 1 {
                    question += "@@";
                }
            }
        }
        assert_eq!(game.outcome().unwrap().winner(), Some(own), "{words}: {game}");
        live.say("end\nquit");
        live.end();
    }
}

/// A line of a platform, or nearly so.
fn any_line(random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const WORDS: [&str; 24] = [
        "name?",
        "name",
        "new black",
        "new white",
        "new",
        "move",
        "move",
        "move",
        "move",
        "accept",
        "refuse",
        "take",
        "error",
        "end",
        "black",
        "white",
        "next",
        "print",
        "depth",
        "vcf",
        "unvcf",
        "help",
        "stop",
        "fly",
    ];
    let stones = |random: &mut Xoshiro256PlusPlus| -> String {
        (0..below(random, 6)).map(|_| char::from(b"@ABCDEFGHIJKLMNOPQRSTz1"[below(random, 23)])).collect()
    };
    let mut line: Vec<u8> = match below(random, 12) {
        0 => (0..below(random, 300)).map(|_| below(random, 256) as u8).collect(),
        1 => stones(random).into_bytes(),
        2..8 => {
            let pair = [0, 1].map(|_| letters(point(below(random, 19) as u8, below(random, 19) as u8)));
            format!("{} {}", ["move", "black", "white"][below(random, 3)], pair.concat()).into_bytes()
        }
        _ => format!("{} {}", WORDS[below(random, WORDS.len())], stones(random)).into_bytes(),
    };
    if below(random, 4) == 0 {
        line.make_ascii_lowercase();
    }
    if below(random, 20) == 0 && !line.is_empty() {
        let at = below(random, line.len());
        line.truncate(at);
    }
    line.retain(|&b| b != b'\n');
    line.extend_from_slice([&b"\n"[..], b"\r\n"][below(random, 2)]);
    line
}

/// Ten thousand lines: what is written is an answer of the protocol, and every move is legal on the board that is printed.
#[test]
fn no_line_harms_it() {
    let mut random = generator(6);
    let (mut moves, mut said) = (0, 0);
    for _ in 0..50 {
        let mut input = b"depth 1\n".to_vec();
        for _ in 0..200 {
            let line = any_line(&mut random);
            let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
            // What would end it, or make it wait.
            let waits = ["quit", "exit", "depth", "time", "clock"].iter().any(|word| text.trim_start().starts_with(word));
            input.extend_from_slice(if waits { b"depth 1\n" } else { &line });
        }
        input.extend_from_slice(b"new white\nmove JJ\nprint\nname?\nquit\nname?\n");
        let (lines, notes) = served_by(engine, &input);
        assert_eq!(lines.last().unwrap(), "name test");
        assert_eq!(position(&lines).board().count(), 3);
        for line in lines.iter().filter(|line| line.starts_with("move ")) {
            moves += 1;
            assert!(matches!(points(line).len(), 1 | 2), "{line}");
        }
        said += notes.len();
        for note in &notes {
            assert!(!note.contains("panicked") && !note.contains("not searched"), "{note}");
            assert!(!note.chars().any(gamecore::text::is_invisible), "{note:?}");
        }
    }
    assert!(moves > 300 && said > 1000, "{moves} {said}");
}
