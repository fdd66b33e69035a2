//! Engines that misbehave, and lines that nobody should send.

mod thinker;

use gamecore::testing::toys::Pig;
use gamecore::{Game, random};
use proptest::prelude::*;
use protocols::MAX_LINE;
use protocols::ugi::Server;
use search_core::{Agent, AgentError, Limits, RandomAgent, ReportOf, StopFlag};
use std::time::{Duration, Instant};
use thinker::Thinker;

fn served(server: &Server<Pig>, input: &[u8]) -> String {
    let mut output = Vec::new();
    server.serve(&mut RandomAgent(random::generator(1)), input, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

fn pig() -> Server<Pig> {
    Server::new("test", "nobody").with_start(Pig::new(20))
}

#[test]
fn errors_say_what_is_accepted_and_lose_nothing() {
    for (line, error) in [
        ("fly", "\"fly\" is not understood: I know ugi, isready"),
        ("position", "is not a position: \"position fen TEXT\""),
        ("position fenX", "is not a position"),
        ("position fen 20: 0", "a position looks like"),
        ("position startpos moves roll 7", "word 2 after \"moves\": \"7\" is not a roll: a die shows 1 to 6"),
        ("position startpos moves hold", "there is nothing to hold yet"),
        ("position fen 20: 19 0 one +1", "a 1 adds nothing"),
        (
            "position fen 20: 15 0 one +0 moves roll 5 roll",
            "word 3 after \"moves\": move \"roll\" is not allowed here: the game is over",
        ),
        ("setoption name Seed value -1", "\"-1\" is not a seed"),
        ("setoption name Hash value 5", "there is \"setoption name Seed value N\""),
        ("query score", "p1turn, gameover, result"),
        ("go depth", "depth takes a whole number"),
        ("go depth 99999999999", "0 to 4294967295"),
        ("go mate 3", "\"mate 3\" does not limit anything"),
        ("\u{1b}[2J", "\\u{1b}[2J"),
    ] {
        let output = served(
            &pig(),
            format!("position startpos moves roll 6\n{line}\nisready\nposition startpos\nquery p1turn").as_bytes(),
        );
        assert!(output.starts_with("info string error: ") && output.contains(error), "{line}: {output}");
        assert!(output.contains("\nreadyok\n") && output.contains("response true\n"), "{line}: {output}");
        assert!(!output.contains('\u{1b}'));
    }
    let long = format!("position startpos moves {}\nisready\n", "roll 1 ".repeat(MAX_LINE));
    assert_eq!(served(&pig(), long.as_bytes()), format!("info string error: a line has at most {MAX_LINE} bytes\nreadyok\n"));
    let none = Server::<Pig>::new("test", "nobody");
    assert!(served(&none, b"position startpos").contains("there is no startpos here"));
    assert!(served(&none, b"go").contains("there is no position yet") && served(&none, b"go").ends_with("bestmove 0000\n"));
}

#[test]
fn queries_and_nothing_to_decide() {
    let ask = |position: &str| {
        served(&pig(), format!("position {position}\nquery p1turn\nquery gameover\nquery result\ngo depth 1\n").as_bytes())
    };
    let output = ask("fen 20: 15 0 one +0 moves roll 5");
    assert!(output.starts_with("response false\nresponse true\nresponse p1win\ninfo string error: the game is over"), "{output}");
    let output = ask("startpos moves roll");
    assert!(output.contains("error: the position waits for a roll") && output.ends_with("bestmove 0000\n"), "{output}");
    let output = ask("startpos");
    assert!(output.starts_with("response true\nresponse false\nresponse none\ninfo depth 0 "), "{output}");
    assert!(output.ends_with("pv roll\nbestmove roll\n"), "{output}");
}

#[test]
fn an_engine_listens_while_it_thinks() {
    let mut output = Vec::new();
    let input = "position fen 20: 0 0 two +0\ngo infinite\nisready\ngo depth 1\nuginewgame\nstop\n";
    pig().serve(&mut Thinker(-0.123_456), input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], "readyok");
    assert!(lines[1].contains("I think already") && lines[2].contains("a new game while I think"), "{output}");
    assert!(lines[3].contains("score cp 12 pv roll"), "{output}");
    assert_eq!(lines[4..], ["info string value -0.123456", "bestmove roll"]);
    // The end of the input stops it too, and so does `quit`.
    for end in ["", "quit\nstop\nfly\n"] {
        let mut output = Vec::new();
        let started = Instant::now();
        pig().serve(&mut Thinker(-0.123_456), format!("go infinite\n{end}").as_bytes(), &mut output).unwrap();
        assert!(output.ends_with(b"bestmove roll\n") && started.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_faulty_agent_has_no_move() {
    struct Faulty;
    impl<G: Game> Agent<G> for Faulty {
        fn name(&self) -> String {
            String::new()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, _: &gamecore::History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
            panic!("on purpose")
        }
    }
    let mut output = Vec::new();
    pig().serve(&mut Faulty, "go depth 1\n".as_bytes(), &mut output).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), "info string error: the agent panicked\nbestmove 0000\n");
}

#[test]
fn own_limits_are_kept() {
    struct Noted(Option<Limits>);
    impl<G: Game> Agent<G> for Noted {
        fn name(&self) -> String {
            String::new()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, _: &gamecore::History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
            self.0 = Some(limits.clone());
            Err(AgentError::NothingToDecide)
        }
    }
    let asked = |own: Limits, go: &str| {
        let (mut agent, mut output) = (Noted(None), Vec::new());
        pig().with_limits(own).serve(&mut agent, go.as_bytes(), &mut output).unwrap();
        assert!(output.ends_with(b"there is nothing to decide in this position\nbestmove 0000\n"));
        let limits = agent.0.unwrap();
        (limits.depth, limits.nodes, limits.time.map(|t| t.as_millis()), limits.left.map(|t| t.as_millis()))
    };
    assert_eq!(asked(Limits::default(), "go"), (None, None, None, None));
    assert_eq!(asked(Limits::depth(2), "go depth 5 nodes 7 movetime 30"), (Some(2), Some(7), Some(30), None));
    assert_eq!(asked(Limits::depth(2), "go depth 1"), (Some(1), None, None, None));
    let (_, _, time, left) = asked(Limits::default(), "go p1time 20000 p2time 1 p1inc 0 p2inc 0");
    assert_eq!((time, left), (Some(999), Some(20_000)));
}

/// A line of anything.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: [&str; 34] = [
        "ugi",
        "isready",
        "uginewgame",
        "setoption",
        "name",
        "value",
        "Seed",
        "position",
        "fen",
        "startpos",
        "moves",
        "roll",
        "hold",
        "1",
        "3",
        "6",
        "go",
        "depth",
        "nodes",
        "movetime",
        "p1time",
        "p2inc",
        "infinite",
        "stop",
        "query",
        "p1turn",
        "result",
        "20: 7 12 one +5",
        "20: 7 12 two +0 rolling",
        "-1",
        "18446744073709551615",
        "\u{feff}",
        "\t",
        "quit now",
    ];
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9).prop_map(|w| w.join(" ").into_bytes());
    let bytes = prop::collection::vec(any::<u8>().prop_map(|b| if b == b'\n' { b' ' } else { b }), 0..40);
    prop_oneof![3 => words, 1 => bytes].prop_filter("ends it", |line| String::from_utf8_lossy(line).trim() != "quit")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// 10,000 lines in all.
    #[test]
    fn no_line_harms_a_server(lines in prop::collection::vec(any_line(), 40)) {
        let mut input = lines.join(&b'\n');
        input.extend_from_slice(b"\nisready");
        let output = served(&pig(), &input);
        prop_assert!(output.contains("readyok\n"), "{output}");
        let asked = lines.iter().filter(|line| String::from_utf8_lossy(line).split_whitespace().eq(["isready"])).count();
        prop_assert_eq!(output.lines().filter(|&line| line == "readyok").count(), asked + 1);
        for line in output.lines() {
            prop_assert!(["id ", "option ", "ugiok", "readyok", "info ", "response ", "bestmove "].iter().any(|w| line.starts_with(w)));
        }
    }
}

/// What wires and their programs do, by programs of a few words for the shell.
#[cfg(unix)]
mod programs {
    use super::*;
    use gamecore::Text;
    use gamecore::testing::toys::TicTacToe;
    use protocols::ugi::Ugi;
    use protocols::{Launch, Outside, Patience, Wire, WireError, end_all};
    use std::sync::atomic::{AtomicU32, Ordering};

    const QUICK: Patience =
        Patience { start: Duration::from_secs(5), grace: Duration::from_millis(300), without_limit: Duration::from_millis(600) };

    fn shell(script: &str) -> Launch {
        Launch::new("sh").with_args(["-c", script])
    }

    /// An engine that plays as this script answers `go`.
    fn engine(go: &str) -> Launch {
        shell(&format!(
            "while read -r a rest; do case \"$a\" in ugi) echo id name bad; echo ugiok;; isready) echo readyok;; \
             go) {go};; quit) exit 0;; esac; done"
        ))
    }

    /// Whether a process is there and no zombie.
    fn runs(id: u32) -> bool {
        let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", &id.to_string()]).output();
        state.is_ok_and(|o| !String::from_utf8_lossy(&o.stdout).trim().is_empty())
    }

    /// A `sleep` that nobody else has started: its argument is the mark.
    fn mark() -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        format!("1000.{}0{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The processes of this group, and those with the mark among their arguments wherever they are; no zombies, as they are
    /// the system's to wait for, and in a container nobody may.
    fn left(group: u32, mark: &str) -> Vec<String> {
        let output = std::process::Command::new("ps").args(["-A", "-ww", "-o", "pgid=,stat=,args="]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        let of_it = |line: &&str| {
            let mut words = line.split_whitespace();
            let (pgid, state) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            !state.starts_with('Z') && (pgid == group.to_string() || line.contains(mark))
        };
        text.lines().filter(of_it).map(str::to_owned).collect()
    }

    /// All of them have ended, or do so at once.
    fn assert_none_left(group: u32, mark: &str) {
        let until = Instant::now() + Duration::from_secs(2);
        while !left(group, mark).is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(left(group, mark), Vec::<String>::new());
    }

    /// Whether the marked `sleep` itself runs, not only who has it in a script.
    fn sleeps(group: u32, mark: &str) -> bool {
        left(group, mark).iter().any(|line| line.ends_with(&format!(" sleep {mark}")) && !line.contains("sh -c"))
    }

    /// What this process occupies, in MiB.
    fn memory() -> f64 {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statm.split_whitespace().nth(1).and_then(|w| w.parse::<f64>().ok()).unwrap_or(0.0);
        pages * 4096.0 / f64::from(1 << 20)
    }

    /// Loses a game to every fault, twice: the reason, the process gone with all that it has started, the next game with a
    /// new process.
    fn loses(go: &str, limits: &Limits, reasons: &[&str]) {
        let (before, mark) = (memory(), mark());
        let go = &go.replace("sleep 1000", &format!("sleep {mark}"));
        let mut outside = Outside::<TicTacToe, _>::start(engine(go), Ugi::new(), QUICK).unwrap();
        assert_eq!(outside.name(), "bad");
        let history = TicTacToe::default().into();
        for seed in 0..2 {
            outside.new_game(seed);
            let id = outside.wire().expect("started again").id();
            assert!(runs(id));
            let started = Instant::now();
            let error = outside.choose(&history, limits).unwrap_err();
            assert!(started.elapsed() < Duration::from_secs(5), "{go}: {:?}", started.elapsed());
            let AgentError::Gone { name, reason } = &error else { panic!("{error}") };
            assert!(name == "bad" && reasons.iter().all(|r| reason.contains(r)), "{go}: {reason}");
            assert!(!runs(id) && outside.wire().is_none(), "{go}");
            assert_none_left(id, &mark);
            assert_eq!(outside.choose(&history, limits).unwrap_err(), error, "for the rest of the game");
        }
        let grown = memory() - before;
        assert!(!alone() || grown < 20.0, "{go}: {grown} MiB");
    }

    const ALONE: &str = "PROTOCOLS_TESTS_ALONE";

    /// Whether no other test runs in this process: memory can be measured then.
    fn alone() -> bool {
        std::env::var_os(ALONE).is_some()
    }

    /// Those who lose, again, one after the other in a process of their own.
    #[test]
    fn memory_does_not_grow() {
        let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
        let output = tests.args(["loses", "does_not_read", "--test-threads", "1"]).env(ALONE, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("6 passed"), "{text}");
    }

    #[test]
    fn who_hangs_loses() {
        loses("sleep 1000", &Limits::depth(1), &["no answer after "]);
        loses("sleep 1000", &Limits::time(Duration::from_millis(50)), &["no answer after "]);
    }

    #[test]
    fn who_dies_loses() {
        loses("echo out of ideas >&2; exit 3", &Limits::depth(1), &["exit status: 3", "its last words: \"out of ideas\""]);
        loses("kill -9 $$", &Limits::depth(1), &["signal: 9"]);
        loses(
            "yes no | head -c 3000000 >&2; echo no more >&2; exit 1",
            &Limits::time(Duration::from_secs(4)),
            &["exit status: 1", "no no no no more\""],
        );
    }

    #[test]
    fn who_talks_nonsense_loses() {
        loses("echo bestmove z9", &Limits::depth(1), &["expected \"bestmove\" with a legal move", "found \"bestmove z9\""]);
        loses("echo info string error: no idea; echo bestmove 0000", &Limits::depth(1), &["found \"bestmove 0000, no idea\""]);
        loses("echo bestmove", &Limits::depth(1), &["found \"bestmove\""]);
        loses("printf 'bestmove \\033[2J\\377\\n'", &Limits::depth(1), &["found \"bestmove \\u{1b}[2J\u{fffd}\""]);
    }

    #[test]
    fn who_floods_loses() {
        loses("yes | head -c 100000000", &Limits::time(Duration::from_secs(4)), &["a flood of output: 10485"]);
        loses("yes | tr -d '\\n' | head -c 100000000", &Limits::time(Duration::from_secs(4)), &["a flood of output: 655"]);
        loses("tr '\\0' x </dev/zero", &Limits::time(Duration::from_secs(4)), &["a flood of output: 655"]);
    }

    #[test]
    fn who_closes_the_output_loses() {
        loses("exec >&-; sleep 1000", &Limits::depth(1), &["closed its output"]);
    }

    #[test]
    fn who_is_stopped_is_killed() {
        let (stop, mark) = (StopFlag::default(), mark());
        let engine = engine(&format!("sleep {mark}"));
        let mut outside = Outside::<TicTacToe, _>::start(engine, Ugi::new(), Patience::default()).unwrap();
        let id = outside.wire().unwrap().id();
        let raised = std::thread::scope(|scope| {
            let raise = scope.spawn(|| {
                wait_for(id, &mark);
                stop.raise();
                Instant::now()
            });
            let error = outside.choose(&TicTacToe::default().into(), &Limits::default().and_stop(stop.clone())).unwrap_err();
            assert_eq!(error, AgentError::Gone { name: "bad".into(), reason: "stopped".into() });
            raise.join().unwrap()
        });
        assert!(raised.elapsed() < Duration::from_secs(1) && !runs(id));
        assert_none_left(id, &mark);
    }

    #[test]
    fn what_a_program_starts_ends_with_it() {
        // As it is dropped while the program runs, as it is closed, and as the program ends by itself.
        for (end, way) in [("cat", 0), ("cat", 1), ("read -r line; exit 4", 2)] {
            let mark = mark();
            let mut wire = Wire::start(&shell(&format!("sleep {mark} & echo up; {end}"))).unwrap();
            let until = Instant::now() + Duration::from_secs(5);
            let (id, soon) = (wire.id(), Some(until));
            assert_eq!(wire.receive(soon, None).unwrap(), "up");
            wait_for(wire.id(), &mark);
            match way {
                0 => drop(wire),
                1 => wire.close(Duration::from_secs(2)),
                _ => {
                    wire.send("end", until).unwrap();
                    let error = wire.receive(soon, None).unwrap_err();
                    assert!(error.to_string().contains("exit status: 4"), "{error}");
                    assert_eq!(wire.send("?", until).unwrap_err(), error);
                }
            }
            assert!(!runs(id), "{way}");
            assert_none_left(id, &mark);
        }
    }

    /// Until the marked `sleep` runs: it is a copy of the shell first.
    fn wait_for(group: u32, mark: &str) {
        let until = Instant::now() + Duration::from_secs(2);
        while !sleeps(group, mark) {
            assert!(Instant::now() < until, "{:?}", left(group, mark));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// In a process of its own: no wire starts there any more.
    #[test]
    fn all_are_ended_at_once() {
        const ENDS: &str = "PROTOCOLS_TESTS_ENDS";
        if std::env::var_os(ENDS).is_none() {
            let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
            let output = tests.args(["--exact", "programs::all_are_ended_at_once"]).env(ENDS, "1").output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains("1 passed"), "{text}");
            return;
        }
        let soon = Some(Instant::now() + Duration::from_secs(20));
        let mut wires = Vec::new();
        for _ in 0..3 {
            let mark = mark();
            let script = format!("sleep {mark} & echo up; trap '' TERM INT HUP; while :; do sleep {mark}; done");
            let mut wire = Wire::start(&shell(&script)).unwrap();
            assert_eq!(wire.receive(soon, None).unwrap(), "up");
            wait_for(wire.id(), &mark);
            wires.push((wire, mark));
        }
        // Nobody will ever drop this one.
        let (forgotten, mark) = wires.pop().unwrap();
        let id = forgotten.id();
        std::mem::forget(forgotten);
        end_all();
        assert_none_left(id, &mark);
        for (mut wire, mark) in wires {
            assert_none_left(wire.id(), &mark);
            let error = wire.receive(soon, None).unwrap_err();
            assert!(matches!(&error, WireError::Died { status, .. } if status.contains("signal: 9")), "{error}");
            assert!(!wire.is_running() && !runs(wire.id()));
        }
        let error = Wire::start(&shell("cat")).unwrap_err();
        assert_eq!(error.to_string(), "sh could not be started: this program is about to end");
        end_all();
    }

    #[test]
    fn who_does_not_read_hangs() {
        let mut wire = Wire::start(&shell("echo ugiok; exec sleep 1000")).unwrap();
        let (id, started) = (wire.id(), Instant::now());
        let (before, line) = (memory(), "x".repeat(4096));
        let error = loop {
            if let Err(error) = wire.send(&line, started + Duration::from_millis(300)) {
                break error;
            }
        };
        assert!(matches!(error, WireError::Hung { .. }), "{error}");
        assert!(started.elapsed() < Duration::from_secs(3) && (!alone() || memory() - before < 20.0));
        drop(wire);
        assert!(!runs(id) && started.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn who_does_not_start_or_greet() {
        let start = |launch| Outside::<TicTacToe, _>::start(launch, Ugi::new(), QUICK).unwrap_err().to_string();
        let error = start(Launch::new("no-such-engine"));
        assert!(error.starts_with("no-such-engine could not be started: ") && error.contains("os error 2"), "{error}");
        assert!(start(Launch::new("sh").in_folder("/no/such/folder")).contains("could not be started"));
        assert!(
            start(shell("echo cannot load book >&2; exit 7")).contains("exit status: 7), its last words: \"cannot load book\"")
        );
        let hurried = Patience { start: Duration::from_millis(200), ..QUICK };
        let error = Outside::<TicTacToe, _>::start(shell("echo Welcome; sleep 1000"), Ugi::new(), hurried).unwrap_err();
        assert_eq!(error, WireError::unexpected("\"ugiok\"", "Welcome"));
        let error = Outside::<TicTacToe, _>::start(shell("sleep 1000"), Ugi::new(), hurried).unwrap_err();
        assert!(matches!(error, WireError::Hung { .. }), "{error}");
    }

    /// An engine that starts once and never again: the game after says why.
    #[test]
    fn who_does_not_start_again() {
        let mark = std::env::temp_dir().join(format!("protocols-{}-once", std::process::id()));
        let _ = std::fs::remove_file(&mark);
        let once = format!(
            "if [ -e \"$MARK\" ]; then echo worn out >&2; exit 9; fi; : >\"$MARK\"; {}",
            engine("exit 0").args[1].display()
        );
        let launch = shell(&once).with_env("MARK", &mark);
        let mut outside = Outside::<TicTacToe, _>::start(launch, Ugi::new(), QUICK).unwrap();
        let history = TicTacToe::default().into();
        outside.new_game(1);
        assert!(outside.choose(&history, &Limits::depth(1)).unwrap_err().to_string().contains("exit status: 0"));
        outside.new_game(2);
        let error = outside.choose(&history, &Limits::depth(1)).unwrap_err().to_string();
        assert!(error.contains("exit status: 9") && error.contains("worn out"), "{error}");
        std::fs::remove_file(&mark).unwrap();
    }

    /// Between two games nobody loses.
    #[test]
    fn who_leaves_after_a_game_is_called_back() {
        let go = format!("echo bestmove {}; exit 0", first_move());
        let mut outside = Outside::<TicTacToe, _>::start(engine(&go), Ugi::new(), QUICK).unwrap();
        let history = TicTacToe::default().into();
        for seed in 0..20 {
            outside.new_game(seed);
            outside.choose(&history, &Limits::depth(1)).unwrap();
        }
    }

    /// An engine of which only the first process lives to play a second game: the next is tried once, and says why.
    #[test]
    fn who_does_not_get_ready() {
        let starts = std::env::temp_dir().join(format!("protocols-{}-starts", std::process::id()));
        let _ = std::fs::remove_file(&starts);
        let script = format!(
            "if [ -e \"$STARTS\" ]; then later=1; fi; echo start >>\"$STARTS\"; while read -r a rest; do case \"$a\" in \
             ugi) echo ugiok;; uginewgame) if [ \"$later\" ]; then echo no board >&2; exit 5; fi;; \
             isready) echo readyok;; go) echo bestmove {}; exit 0;; esac; done",
            first_move()
        );
        let mut outside = Outside::<TicTacToe, _>::start(shell(&script).with_env("STARTS", &starts), Ugi::new(), QUICK).unwrap();
        let history = TicTacToe::default().into();
        outside.new_game(1);
        outside.choose(&history, &Limits::depth(1)).unwrap();
        for games in 1..3 {
            outside.new_game(2);
            assert!(outside.wire().is_none());
            let error = outside.choose(&history, &Limits::depth(1)).unwrap_err().to_string();
            assert!(error.contains("exit status: 5") && error.contains("no board"), "{error}");
            assert_eq!(std::fs::read_to_string(&starts).unwrap().lines().count(), 1 + games);
        }
        std::fs::remove_file(&starts).unwrap();
    }

    /// The time that a new game takes is nobody's thinking time; who calls no `new_game` is ready too.
    #[test]
    fn who_gets_ready_is_waited_for() {
        let script = format!(
            "while read -r a b c d seed; do case \"$a\" in ugi) echo option name Seed type spin default 0 min 1 max 9; echo ugiok;; \
             setoption) said=\"$b $c $d $seed\";; uginewgame) sleep 1; got=$said;; isready) echo readyok;; \
             go) echo info string \"$got\"; case \"$got\" in 'name Seed value '[1-9]) echo bestmove {};; *) exit 1;; esac;; esac; done",
            first_move()
        );
        let started = Instant::now();
        let mut outside = Outside::<TicTacToe, _>::start(shell(&script), Ugi::new(), QUICK).unwrap();
        let history = TicTacToe::default().into();
        for games in 1..3 {
            assert!(started.elapsed() > Duration::from_secs(games));
            let asked = Instant::now();
            outside.choose(&history, &Limits::time(Duration::from_millis(50))).unwrap();
            assert!(asked.elapsed() < Duration::from_millis(900));
            outside.new_game(u64::MAX);
        }
    }

    fn first_move() -> String {
        let mut moves = <TicTacToe as Game>::Moves::default();
        TicTacToe::default().moves(&mut moves);
        TicTacToe::default().move_text(moves.as_ref()[0])
    }

    #[test]
    fn who_plays_is_heard() {
        let m = first_move();
        let go = format!(
            "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; echo info depth 4 nodes 77 score cp 25; echo bestmove {m}"
        );
        let mut outside = Outside::<TicTacToe, _>::start(engine(&go), Ugi::new(), Patience::default()).unwrap();
        let report = outside.choose(&TicTacToe::default().into(), &Limits::depth(4)).unwrap();
        assert_eq!(TicTacToe::default().move_text(report.best.unwrap()), m);
        assert_eq!((report.depth, report.nodes, report.value), (4, 77, Some(0.25)));
        assert!(report.elapsed > Duration::ZERO);
        if cfg!(target_os = "linux") {
            assert!(report.cpu_elsewhere >= Duration::from_millis(10), "{:?}", report.cpu_elsewhere);
            assert!(report.cpu_elsewhere <= report.elapsed + Duration::from_millis(50));
        }
        let id = outside.wire().unwrap().id();
        drop(outside);
        assert!(!runs(id));
    }
}
