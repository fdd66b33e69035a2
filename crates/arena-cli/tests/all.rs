//! The command `arena` as people run it: experiments, interruptions, bad files, bad engines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use games_backgammon_bearoff::{Params, TwoSided};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn arena(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).args(args).output().unwrap()
}

/// What it says, if it ends well.
fn said(args: &[&str]) -> String {
    let output = arena(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What it complains of.
fn refused(args: &[&str]) -> String {
    let output = arena(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const PLAYERS: &str = r#"
[game]
name = "einstein"

[[player]]
name = "one ply"
agent = { kind = "expectimax", evaluator = "race", table_mib = 0 }
depth = 1

[[player]]
name = "careless"
agent = { kind = "level", level = 2 }

[[player]]
name = "random"
agent = { kind = "random" }
"#;

fn experiment(top: &str) -> String {
    format!("title = \"A test\"\nseed = 4\n{top}\n{PLAYERS}")
}

/// A report up to the times.
fn timeless(report: &str) -> &str {
    report.split("## Players").next().unwrap()
}

/// The log without what differs from run to run.
fn games(folder: &Folder, name: &str) -> Vec<(String, String, String)> {
    let lines = folder.read(name);
    let lines = lines.lines().skip(1).map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (line["one"].to_string(), line["position"].to_string(), line["steps"].to_string())
    });
    lines.collect()
}

#[test]
fn whole_interrupted_and_on_two_threads_come_out_alike() {
    let folder = Folder::new("alike");
    let file = folder.write("test.toml", &experiment("pairs = 40"));
    let out = said(&["run", text(&file), "--threads", "1"]);
    assert!(out.contains("All games are played.") && out.contains("240 games in"), "{out}");
    let whole = folder.read("test/report.md");
    assert!(
        whole.starts_with("# A test\n") && whole.contains("| 1 | one ply |") && whole.contains("| 3 | random | -"),
        "{whole}"
    );
    assert!(whole.contains("einstein, layout random, rules standard"), "{whole}");
    for chart in ["ratings.svg", "score.svg"] {
        assert!(whole.contains(chart) && folder.read(&format!("test/{chart}")).contains("careless"));
    }

    let two = folder.0.join("two");
    said(&["run", text(&file), "--threads", "2", "--out", text(&two)]);
    assert_eq!(timeless(&folder.read("two/report.md")), timeless(&whole));
    assert_eq!(games(&folder, "two/games.jsonl"), games(&folder, "test/games.jsonl"));

    // Killed in the middle of a line, then gone on with.
    let log = folder.read("two/games.jsonl");
    fs::write(two.join("games.jsonl"), &log[..log.len() * 2 / 5]).unwrap();
    let output = arena(&["run", text(&file), "--out", text(&two)]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("games are there already"));
    assert_eq!(timeless(&folder.read("two/report.md")), timeless(&whole));
    assert_eq!(games(&folder, "two/games.jsonl"), games(&folder, "test/games.jsonl"));

    // Everything is there: nothing is played, the report is made again.
    let again = said(&["run", text(&file)]);
    assert!(!again.contains(" games in "), "{again}");
    assert_eq!(folder.read("test/report.md"), whole);

    let replayed = said(&["replay", text(&file)]);
    assert_eq!(replayed, "240 games came out the same, 0 differently.\n");
    assert_eq!(said(&["replay", text(&file), "--unit", "7"]), "2 games came out the same, 0 differently.\n");
}

#[test]
fn recorded_games_are_shown_and_compared() {
    let folder = Folder::new("show");
    let file = folder.write("test.toml", &experiment("pairs = 2"));
    said(&["run", text(&file)]);
    let path = folder.0.join("test/games.jsonl");
    let record = said(&["show", text(&path), "3"]);
    let log = folder.read("test/games.jsonl");
    let line: serde_json::Value = serde_json::from_str(log.lines().nth(3).unwrap()).unwrap();
    assert!(record.starts_with("boardwright record 1\ngame: einstein\nposition: "), "{record}");
    assert!(record.contains(&format!("one: {}\n", line["one"].as_str().unwrap())), "{record}");
    assert_eq!(record.lines().filter(|l| l.starts_with(char::is_numeric)).count(), line["values"].as_array().unwrap().len());
    assert!(refused(&["show", text(&path), "99"]).contains("holds 12 games, there is no game 99"));
    assert!(refused(&["show", text(&file), "1"]).contains("is no log of games"));

    // Somebody has changed a game.
    let first = line["steps"].as_str().unwrap();
    fs::write(&path, log.replacen(first, "", 1)).unwrap();
    let output = arena(&["replay", text(&file)]);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(out.contains("came out differently") && out.contains("11 games came out the same, 1 differently."), "{out}");
}

#[test]
fn earlier_games_are_never_lost() {
    let folder = Folder::new("fresh");
    let file = folder.write("test.toml", &experiment("pairs = 2"));
    said(&["run", text(&file)]);
    let before = folder.read("test/games.jsonl");
    // Other conditions: the games stay.
    folder.write("test.toml", &experiment("pairs = 2").replace("level = 2", "level = 3"));
    let error = refused(&["run", text(&file)]);
    assert!(error.contains("under other conditions") && error.contains("level 2") && error.contains("level 3"), "{error}");
    assert_eq!(folder.read("test/games.jsonl"), before);
    said(&["run", text(&file), "--fresh"]);
    assert_eq!(folder.read("test/games-1.jsonl"), before);
    assert_ne!(folder.read("test/games.jsonl"), before);
    assert!(refused(&["replay", text(&file), "--unit", "999"]).contains("no such games"));
    // More pairs are no other conditions.
    folder.write("test.toml", &experiment("pairs = 3").replace("level = 2", "level = 3"));
    let log = folder.read("test/games.jsonl");
    said(&["run", text(&file)]);
    assert!(folder.read("test/games.jsonl").starts_with(&log));
}

#[test]
fn sequential_tests_gauntlets_and_self_play() {
    let folder = Folder::new("kinds");
    let two = PLAYERS.split("[[player]]\nname = \"random\"").next().unwrap();
    let top = "title = \"Test\"\nseed = 1\npairs = 5000\n[sprt]\nelo0 = 0\nelo1 = 50\n";
    let file = folder.write("sprt.toml", &format!("{top}{two}"));
    let out = said(&["run", text(&file)]);
    assert!(out.contains("The sequential test says: one ply is more than 0 Elo stronger than careless."), "{out}");
    let report = folder.read("sprt/report.md");
    assert!(report.contains("one ply is more than 0 Elo stronger than careless") && !report.contains("Unfinished"), "{report}");
    // It is decided, also when it is read again.
    assert!(said(&["run", text(&file)]).contains("The sequential test says: one ply is more than 0 Elo stronger than careless."));

    let file = folder.write("gauntlet.toml", &experiment("pairs = 10\npairing = \"gauntlet\""));
    let out = said(&["run", text(&file)]);
    assert!(out.contains("40 games in"), "{out}");
    assert!(folder.read("gauntlet/score.svg").contains("against careless"));

    let one = PLAYERS.split("[[player]]\nname = \"careless\"").next().unwrap();
    let file = folder.write("self.toml", &format!("title = \"Self\"\nseed = 1\npairs = 50\npairing = \"self-play\"\n{one}"));
    assert!(said(&["run", text(&file)]).contains("50 single games"));
    assert!(folder.read("self/report.md").contains("Seat One won") && !folder.0.join("self/ratings.svg").exists());

    // A depth scan has its curve.
    let depths: String =
        (1..=3).map(|d| format!("[[player]]\nname = \"depth {d}\"\nagent = {{ kind = \"engine\" }}\ndepth = {d}\n")).collect();
    let file = folder.write(
        "scan.toml",
        &format!("title = \"Scan\"\nseed = 1\npairs = 5\n[game]\nname = \"einstein\"\nrules = \"4x4\"\n{depths}"),
    );
    said(&["run", text(&file)]);
    assert!(folder.read("scan/depths.svg").contains("Depth of search"));
}

#[test]
fn bad_experiments_are_told_what_is_wrong() {
    let folder = Folder::new("bad");
    let good = experiment("pairs = 2");
    let cases = [
        (good.replace("pairs = 2", "pairs = 0"), "pairs is 0, and must be from 1"),
        (good.replace("pairs = 2", "pairs = -1"), "invalid value"),
        (good.replace("pairs = 2", ""), "missing field `pairs`"),
        (good.replace("pairs = 2", "pairs = 2\npears = 3"), "unknown field `pears`"),
        (good.replace("pairs = 2", "pairs = 2\nthreads = 0"), "threads is 0"),
        (good.replace("pairs = 2", "pairs = 2\npairing = \"swiss\""), "`round-robin`, `gauntlet`, `self-play`"),
        (
            good.replace("pairs = 2", "pairs = 2\npairing = \"self-play\""),
            "a match of self-play needs exactly one contestant, not 3",
        ),
        (good.replace("pairs = 2", "pairs = 2\nsprt = { elo0 = 0, elo1 = 5 }"), "two contestants, not of 3"),
        (good.replace("pairs = 2", "pairs = 2\nsprt = { elo0 = 9, elo1 = 5 }"), "elo0 below elo1"),
        (
            good.replace("\"einstein\"", "\"chess\""),
            "there is no game \"chess\": games are backgammon, connect6, einstein and gomoku",
        ),
        (good.replace("name = \"einstein\"", ""), "name = \"einstein\""),
        (good.replace("name = \"einstein\"", "name = \"einstein\"\nrules = \"6x6\""), "standard, 4x4 and 5x5x9"),
        (good.replace("name = \"einstein\"", "name = \"einstein\"\nlayout = \"12\""), "is not a layout"),
        (good.replace("name = \"einstein\"", "name = \"einstein\"\ndice = 2"), "unknown field `dice`"),
        (good.replace("\"one ply\"", "\"random\""), "two contestants are called \"random\""),
        (good.replace("kind = \"random\"", "kind = \"genius\""), "unknown variant `genius`"),
        (good.replace("level = 2", "level = 9"), "1 (weakest) to 6 (strongest)"),
        (good.replace("depth = 1", "depth = 0"), "player \"one ply\": depth, nodes, memory_mib and decisions start at 1"),
        (good.replace("depth = 1", ""), "player \"one ply\": nothing limits it"),
        (good.replace("depth = 1", "time = \"fast\""), "\"fast\" is not a time"),
        (good.replace("depth = 1", "clock = { increment = \"1s\" }"), "a clock is { per_move"),
        (
            good.replace("kind = \"random\"", "kind = \"ugi\", program = \"./no-such-engine\"") + "depth = 1\n",
            "random cannot take part",
        ),
        (good.replace("depth = 1", "depth = 1\ndecisions = 9"), "decisions shares out a clock"),
        (good.replace("table_mib = 0", "table_mib = 99999999"), "at most 4096"),
        (good.replace("table_mib = 0", "margin = nan"), "margin is NaN"),
        (good.replace("A test", &"x".repeat(300)), "the length of the title is 300"),
        ("x".repeat(2 << 20), "longer than an experiment"),
        ("title = ".into(), "line 1"),
    ];
    for (content, message) in cases {
        let file = folder.write("bad.toml", &content);
        let error = refused(&["run", text(&file)]);
        assert!(error.starts_with("error: ") && error.contains(message), "{message}: {error}");
        let _ = fs::remove_dir_all(folder.0.join("bad"));
    }
    // A failed start does not pin its conditions.
    let broken = good.replace("kind = \"random\"", "kind = \"ugi\", program = \"./no-such-engine\"") + "depth = 1\n";
    let file = folder.write("start.toml", &broken);
    refused(&["run", text(&file)]);
    folder.write("start.toml", &good);
    said(&["run", text(&file)]);
    assert!(refused(&["run", text(&folder.0.join("none.toml"))]).contains("none.toml"));
    assert!(refused(&["run", text(&folder.0)]).contains(text(&folder.0)));
    let plain = folder.write("noending", &good);
    assert!(refused(&["run", text(&plain)]).contains("--out"));
}

/// Ctrl-C: what was played is kept and reported, and the next run goes on.
#[cfg(unix)]
#[test]
fn interrupted_runs_report_and_go_on() {
    let folder = Folder::new("interrupt");
    let file = folder.write("test.toml", &experiment("pairs = 1000000"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena")).args(["run", text(&file)]).stdout(Stdio::piped()).spawn().unwrap();
    let log = folder.0.join("test/games.jsonl");
    while fs::metadata(&log).map_or(0, |m| m.len()) < 100_000 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        assert!(child.try_wait().unwrap().is_none());
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("Stopped: run it again to go on."), "{out}");
    let report = folder.read("test/report.md");
    assert!(report.contains("Unfinished: ") && report.contains("of 1000000 rounds"), "{report}");
    // The same file with less to play: everything is there already.
    folder.write("test.toml", &experiment("pairs = 1"));
    assert!(said(&["run", text(&file)]).contains("All games are played."));
}

/// Engines that hang, die, answer garbage or print without end lose their games, with the reason in log and report, and
/// nothing of them is left running.
#[cfg(unix)]
#[test]
fn bad_engines_lose_and_leave_nothing_behind() {
    let folder = Folder::new("engines");
    for (name, answer, reason) in [
        ("hangs", "sleep {TIME} & wait", "no answer"),
        ("dies", "echo 'out of memory' >&2; exit 3", "out of memory"),
        ("garbage", "echo 'bestmove Z9-Q0'", "Z9-Q0"),
        ("floods", "yes {MARK} | head -c 100000000", "without an answer"),
        ("floods in one line", "head -c 100000000 /dev/zero", "without an answer"),
        ("mute", "exec sleep {TIME} >&-", "closed its output"),
    ] {
        // Its processes can be told from all others by this word.
        let mark = format!("arena-mark-{}-{}", std::process::id(), name.replace(' ', "-"));
        // So can what they start.
        let answer = answer.replace("{MARK}", &mark).replace("{TIME}", &format!("1000.{}", std::process::id()));
        let script = format!(
            ": {mark}; while read -r line; do case \"$line\" in ugi) echo 'id name {name}'; echo ugiok;; isready) echo readyok;; go*) {answer};; esac; done"
        );
        let players = format!(
            "[game]\nname = \"einstein\"\n[[player]]\nname = \"bad\"\nagent = {{ kind = \"ugi\", program = \"sh\", args = [\"-c\", {script:?}] }}\ntime = \"50ms\"\n\
             [[player]]\nname = \"good\"\nagent = {{ kind = \"level\", level = 3 }}\n"
        );
        let file = folder.write("engine.toml", &format!("title = \"T\"\nseed = 1\npairs = 1\n{players}"));
        said(&["run", text(&file), "--fresh"]);
        let report = folder.read("engine/report.md");
        assert!(report.contains("bad won 0, drew 0 and lost 2 games against good"), "{report}");
        let line = report.lines().find(|l| l.contains("lost by no fault")).unwrap_or_else(|| panic!("{name}: {report}"));
        assert!(line.contains(reason), "{name}: {line}");
        println!("{line}");
        let log = folder.read("engine/games.jsonl");
        assert!(log.lines().count() == 3 && log.lines().skip(1).all(|l| l.contains("\"fault\":\"gone\"")), "{log}");
        let left = [processes(&mark), processes(&format!("1000.{}", std::process::id()))].concat();
        assert!(left.is_empty(), "{name}: still running: {left:?}");
    }
}

/// The processes that have this word in their command lines.
#[cfg(unix)]
fn processes(mark: &str) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "args"]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().filter(|l| l.contains(mark)).map(String::from).collect()
}

const BACKGAMMON: &str = r#"title = "Dice"
seed = 2
pairs = 3

[game]
name = "backgammon"
setup = "hypergammon"

[[player]]
name = "random"
agent = { kind = "random" }

[[player]]
name = "level"
agent = { kind = "level", level = 2 }

[[player]]
name = "engine"
agent = { kind = "engine" }
depth = 1

[[player]]
name = "by hand"
agent = { kind = "expectimax", pruning = "star1", table_mib = 0, margin = 0.1 }
depth = 1
"#;

#[test]
fn bear_offs_of_backgammon_by_a_database() {
    let folder = Folder::new("bearoff");
    TwoSided::build(Params::new(6, 3).unwrap(), 1, |_, _| {}).unwrap().save(folder.0.join("two.bearoff")).unwrap();
    let players = BACKGAMMON.split_once("[[player]]").unwrap().0.replace("setup = \"hypergammon\"", "positions = [\"0010110000000000000000000c/0100010000000000000000000d one\", \"XGID=-A-A------------------a-a-:0:0:-1:00:0:0:0:0:10\"]");
    let engine =
        |name: &str, more: &str| format!("[[player]]\nname = \"{name}\"\nagent = {{ kind = \"engine\"{more} }}\ndepth = 1\n");
    let file = folder.write("test.toml", &(players + &engine("known", ", bearoff = [\"two.bearoff\"]") + &engine("plain", "")));
    let out = said(&["run", text(&file)]);
    assert!(out.contains("6 games in"), "{out}");
    assert!(said(&["replay", text(&file)]).contains("6 games came out the same, 0 differently."));
    for (number, start) in [("1", "0010110000000000000000000c"), ("3", "1010000000000000000000000d")] {
        let record = said(&["show", text(&folder.0.join("test/games.jsonl")), number]);
        assert!(record.contains(start), "{record}");
    }
}

#[test]
fn backgammon_is_played_replayed_and_shown() {
    let folder = Folder::new("backgammon");
    let file = folder.write("test.toml", BACKGAMMON);
    let out = said(&["run", text(&file)]);
    assert!(out.contains("36 games in"), "{out}");
    assert!(folder.read("test/report.md").contains("backgammon, setup hypergammon"));
    assert!(said(&["replay", text(&file)]).contains("36 games came out the same, 0 differently."));
    let record = said(&["show", text(&folder.0.join("test/games.jsonl")), "1"]);
    assert!(record.starts_with("boardwright record 1\ngame: backgammon\nposition: 000000000000000000000111"), "{record}");
    for (change, error) in [
        (BACKGAMMON.replace("hypergammon", "chess"), "standard, nackgammon and hypergammon"),
        (BACKGAMMON.replace("setup =", "rules ="), "unknown field `rules`"),
        (BACKGAMMON.replace("level = 2", "level = 9"), "1 (weakest) to 5 (strongest)"),
        (BACKGAMMON.replace("margin = 0.1", "margin = 3"), "margin is 3, must be 0 to 2"),
        (BACKGAMMON.replace("margin = 0.1", "evaluator = \"race\""), "unknown variant `race`"),
        (BACKGAMMON.replace("margin = 0.1", "bearoff = [\"none.bearoff\"]"), "player \"by hand\": bearoff: "),
        (BACKGAMMON.replace("level = 2", "level = 2, bearoff = [\"test.toml\"]"), "test.toml: not a bear-off database"),
        (BACKGAMMON.replace("setup =", "positions = []\nsetup ="), "a setup and positions: one of them"),
        (BACKGAMMON.replace("setup = \"hypergammon\"", "positions = []"), "positions: there is none"),
        (BACKGAMMON.replace("setup = \"hypergammon\"", "positions = [\"4HPwATDgc/ABM!\"]"), "position id"),
        (
            BACKGAMMON
                .replace("setup = \"hypergammon\"", "positions = [\"0000000000000000000000000f/1000000000000000000000000e\"]"),
            "is over",
        ),
    ] {
        let file = folder.write("bad.toml", &change);
        let said = refused(&["run", text(&file)]);
        assert!(said.contains(error), "{error}: {said}");
    }
}

const GOMOKU: &str = r#"title = "Rows"
seed = 4
pairs = 3

[game]
name = "gomoku"
size = 9
stones = 3

[[player]]
name = "random"
agent = { kind = "random" }

[[player]]
name = "careless"
agent = { kind = "level", level = 2 }

[[player]]
name = "engine"
agent = { kind = "engine", table_mib = 1 }
depth = 2
"#;

#[test]
fn gomoku_is_played_replayed_and_shown() {
    let folder = Folder::new("gomoku");
    let file = folder.write("test.toml", GOMOKU);
    let out = said(&["run", text(&file)]);
    assert!(out.contains("18 games in"), "{out}");
    assert!(folder.read("test/report.md").contains("gomoku, rule freestyle, size 9, stones 3"));
    assert!(said(&["replay", text(&file)]).contains("18 games came out the same, 0 differently."));
    let record = said(&["show", text(&folder.0.join("test/games.jsonl")), "1"]);
    assert!(record.starts_with("boardwright record 1\ngame: gomoku\nposition: 9/"), "{record}");
    // Three stones, others for each round of pairs, which has six games.
    let starts: std::collections::BTreeSet<String> = [1, 7, 13]
        .into_iter()
        .map(|n| said(&["show", text(&folder.0.join("test/games.jsonl")), &n.to_string()]))
        .map(|record| record.lines().nth(2).unwrap().to_owned())
        .collect();
    assert!(starts.len() == 3 && starts.iter().all(|start| start.ends_with(" two freestyle")), "{starts:?}");
    for (change, error) in [
        (GOMOKU.replace("size = 9", "size = 4"), "5 to 20 rows"),
        (GOMOKU.replace("size = 9", "rule = \"chess\""), "freestyle, standard, renju and caro"),
        (GOMOKU.replace("stones = 3", "stones = 13"), "stones is 13, at most 12"),
        (GOMOKU.replace("level = 2", "level = 9"), "1 (weakest) to 5 (strongest)"),
        (GOMOKU.replace("table_mib = 1", "table_mib = 5000"), "at most 4096"),
        (GOMOKU.replace("table_mib = 1", "threads = 0"), "must be 1 to 64"),
    ] {
        let file = folder.write("bad.toml", &change);
        let said = refused(&["run", text(&file)]);
        assert!(said.contains(error), "{error}: {said}");
    }
}

const CONNECT6: &str = r#"title = "Six"
pairs = 2
seed = 4
[game]
name = "connect6"
rules = "11"
stones = 5
[[player]]
name = "random"
agent = { kind = "random" }
[[player]]
name = "quick"
agent = { kind = "level", level = 2 }
[[player]]
name = "engine"
agent = { kind = "engine", algorithm = "mcts", table_mib = 1 }
nodes = 100
"#;

#[test]
fn connect6_is_played_replayed_and_shown() {
    let folder = Folder::new("connect6");
    let file = folder.write("test.toml", CONNECT6);
    let out = said(&["run", text(&file)]);
    assert!(out.contains("12 games in"), "{out}");
    assert!(folder.read("test/report.md").contains("connect6, rules 11,6,2,1, stones 5"));
    assert!(said(&["replay", text(&file)]).contains("12 games came out the same, 0 differently."));
    let record = said(&["show", text(&folder.0.join("test/games.jsonl")), "1"]);
    assert!(
        record.starts_with("boardwright record 1\ngame: connect6\nposition: ") && record.contains(" two 2 6,2,1\n"),
        "{record}"
    );
    for (change, error) in [
        (CONNECT6.replace("\"11\"", "\"2\""), "3 to 20 rows"),
        (CONNECT6.replace("\"11\"", "\"11,3\""), "rows of four or more"),
        (CONNECT6.replace("stones = 5", "stones = 13"), "at most 12"),
        (CONNECT6.replace("level = 2", "level = 9"), "1 (weakest) to 5 (strongest)"),
        (CONNECT6.replace("\"mcts\"", "\"luck\""), "must be alpha-beta or mcts"),
        (CONNECT6.replace("table_mib = 1", "table_mib = 5000"), "at most 4096"),
        (CONNECT6.replace("table_mib = 1", "threads = 0"), "must be 1 to 64"),
    ] {
        let file = folder.write("bad.toml", &change);
        let said = refused(&["run", text(&file)]);
        assert!(said.contains(error), "{error}: {said}");
    }
}
