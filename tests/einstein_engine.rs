//! The example `einstein_engine` as other programs run it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engines::einstein::{Engine, Opening};
use gamecore::{Chance, Game, History, Player, Step, Turn, random};
use games_einstein::{Einstein, Rules};
use protocols::ugi::Ugi;
use protocols::{Launch, Outside, Patience, Wire};
use search_core::{Agent, Limits};

/// The example next to this test: cargo builds examples before it runs integration tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap().join("examples");
    let program = folder.join(format!("einstein_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built: cargo build --example einstein_engine", program.display());
    program
}

#[test]
fn it_plays_what_it_plays_at_home() {
    for (rules, seed) in [("standard", 1), ("4x4+nomove", 2), ("5x5x9", 3)] {
        let rules: Rules = rules.parse().unwrap();
        let launch = Launch::new(program()).with_args(["--rules", &rules.to_string()]);
        let mut outside = Outside::<Einstein, _>::start(launch, Ugi::new(), Patience::default()).unwrap();
        let mut home = Engine::new(rules);
        assert_eq!(outside.name(), "einstein alpha-beta");
        let mut dice = random::generator(seed);
        let start = Opening::Random.start(rules, Player::Two, &mut dice).unwrap();
        let mut history = History::from(start);
        outside.new_game(seed);
        Agent::<Einstein>::new_game(&mut home, seed);
        let (limits, mut decisions) = (Limits::depth(2), 0);
        loop {
            match history.state().turn() {
                Turn::Over(_) => break,
                Turn::Chance(chance) => history.push(Step::Chance(chance.sample(&mut dice))),
                Turn::Decide(_) => {
                    let theirs = outside.choose(&history, &limits).unwrap();
                    let ours = home.choose(&history, &limits).unwrap();
                    assert_eq!((theirs.best, theirs.value), (ours.best, ours.value), "{}", history.state());
                    assert_eq!((theirs.depth, theirs.nodes), (ours.depth, ours.nodes));
                    history.push(Step::Move(theirs.best.unwrap()));
                    decisions += 1;
                }
            }
        }
        assert!(decisions > 4);
    }
}

#[test]
fn levels_and_flags() {
    let until = Instant::now() + Duration::from_secs(60);
    let soon = Some(until);
    let mut wire = Wire::start(&Launch::new(program()).with_args(["--level", "3"])).unwrap();
    for line in ["ugi", "position startpos moves 4", "go infinite"] {
        wire.send(line, until).unwrap();
    }
    let mut heard = Vec::new();
    while !heard.last().is_some_and(|l: &String| l.starts_with("bestmove ")) {
        heard.push(wire.receive(soon, None).unwrap());
    }
    assert!(heard[0] == "id name einstein level 3" && heard.contains(&"ugiok".into()), "{heard:?}");
    assert!(heard.iter().any(|l| l.starts_with("info depth 1 ")), "{heard:?}");
    wire.close(Duration::from_secs(5));

    let mut wire = Wire::start(&Launch::new(program()).with_args(["--level", "9"])).unwrap();
    let error = wire.receive(soon, None).unwrap_err().to_string();
    assert!(error.contains("exit status: 2") || error.contains("exit code: 2"), "{error}");
    assert!(error.contains("--level"), "{error}");
}
