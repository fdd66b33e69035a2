//! What is played, and what counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gamecore::testing::toys::{Countdown, Node, TicTacToe, Tree};
use gamecore::{Dice, Outcome, Player, Step, Turn};
use proptest::prelude::*;
use search_core::{Clock, RandomAgent, StopFlag, TimeControl};

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equal_agents_split_every_pair(seed: u64, hold in 1..30u16) {
        let mut twin = hold_at(hold);
        twin.name = "twin".into();
        let score = match_of(Settings::new(20, seed), uneven, hold_at(hold), twin);
        prop_assert_eq!(score.tally().counts(), [0, 0, 20, 0, 0]);
        prop_assert_eq!((score.tally().mean(), score.results().0, score.points()), (0.5, 20, 0.0));
    }

    #[test]
    fn exchanging_the_sides_mirrors_the_score(seed: u64, a in 1..15u16, b in 15..30u16) {
        let settings = Settings::new(20, seed);
        let ab = match_of(settings, uneven, hold_at(a), hold_at(b)).mirrored().untimed();
        let ba = match_of(settings, uneven, hold_at(b), hold_at(a)).untimed();
        prop_assert_eq!(ab, ba);
    }

    #[test]
    fn the_seed_decides_everything(seed: u64) {
        let play = |seed| match_of(Settings::new(20, seed), uneven, random("a"), random("b")).untimed();
        prop_assert_eq!(play(seed), play(seed));
        prop_assert_ne!(play(seed), play(!seed));
    }

    /// Whatever is played, both games of a pair see the same faces at the same plies.
    #[test]
    fn pairs_share_start_and_dice(seed: u64) {
        let players = vec![random("a"), random("b")];
        let tournament = Tournament::new(Settings::new(9, seed), Pairing::RoundRobin, uneven, players).unwrap();
        let unit = tournament.again().unwrap().play(3).unwrap().unwrap();
        let [one, two] = [0, 1].map(|game| unit.games[game].record.history());
        prop_assert_eq!(one.start(), two.start());
        for (x, y) in one.steps().iter().zip(two.steps()) {
            if let (Step::Chance(x), Step::Chance(y)) = (x, y) {
                prop_assert_eq!(x, y);
            }
        }
        prop_assert_eq!(Turn::Over(unit.games[0].summary.outcome), one.state().turn());
    }

    /// In one piece, in two pieces, on two threads: the same table. Random players use up their generators, so this
    /// would come out if a game depended on what was played before it.
    #[test]
    fn threads_and_interruptions_change_nothing(seed: u64, pairs in 1..20u64, cut in 0..60usize) {
        let of = |threads| {
            let players = vec![random("a"), hold_at(9), random("b"), hold_at(20)];
            let tournament = Tournament::new(Settings::new(pairs, seed), Pairing::RoundRobin, uneven, players).unwrap();
            tournament.with_threads(threads)
        };
        let whole = played(&of(1)).untimed();
        let threads = played(&of(2)).untimed();
        prop_assert_eq!(&whole, &threads);
        prop_assert_eq!(whole.table(), threads.table());

        let mut parts = of(2).standings();
        let mut seen = 0;
        of(2).play(&mut parts, &mut |unit, standings| {
            assert_eq!(unit.number + 1, standings.units());
            seen += 1;
            if seen > cut { ControlFlow::Break(()) } else { ON }
        }).unwrap();
        let finish = of(1).play(&mut parts, &mut |_, _| ON).unwrap();
        prop_assert_eq!(finish, Finish::Complete);
        prop_assert_eq!(&whole, &parts.untimed());
    }
}

/// Any game can be played again by itself.
#[test]
fn units_can_be_played_alone() {
    let players = vec![random("a"), hold_at(9), random("b")];
    let tournament = Tournament::new(Settings::new(10, 3), Pairing::RoundRobin, uneven, players).unwrap();
    let mut standings = tournament.standings();
    tournament
        .play(&mut standings, &mut |unit, _| {
            let again = tournament.again().unwrap().play(unit.number).unwrap().unwrap();
            assert_eq!((again.pair, again.contestants), (unit.pair, unit.contestants));
            for (x, y) in again.games.iter().zip(&unit.games) {
                assert_eq!(x.record.history().steps(), y.record.history().steps());
            }
            ON
        })
        .unwrap();
    assert_eq!((standings.units(), standings.rounds(), standings.games()), (30, 10, 60));
}

#[test]
fn the_stronger_agent_wins() {
    let score = match_of(Settings::new(200, 1), |_, _| Pig::new(50), hold_at(15), random("random"));
    assert!(score.tally().interval().low > 0.6 && score.tally().elo_interval().low > 70.0, "{score}");
    assert!(score.first_mover().mean() > 0.5 && score.games() == 400);
    assert_eq!((score.a().name.as_str(), score.draw_ratio()), ("hold at 15", 0.0));
    assert!(score.a().spent.cpu > Duration::ZERO && score.a().spent.time >= score.a().spent.slowest);
}

/// An agent that misbehaves in one of several ways.
struct Bad(Manner);

#[derive(Clone, Copy)]
enum Manner {
    Illegal,
    Mute,
    Leaves,
    Panics,
    Late(Duration),
}

impl Agent<Pig> for Bad {
    fn name(&self) -> String {
        "bad".into()
    }
    fn new_game(&mut self, _: u64) {}
    fn choose(&mut self, history: &History<Pig>, _: &Limits) -> Result<ReportOf<Pig>, AgentError> {
        match self.0 {
            // Nothing has been rolled yet.
            Manner::Illegal => Ok(Report::of_move(PigMove::Hold, None)),
            Manner::Mute => Ok(Report::empty()),
            Manner::Leaves => Err(AgentError::Gone { name: "bad".into(), reason: "cable pulled".into() }),
            Manner::Panics => panic!("index out of bounds"),
            Manner::Late(time) => {
                std::thread::sleep(time);
                RandomAgent(gamecore::random::generator(1)).choose(history, &Limits::default())
            }
        }
    }
}

#[test]
fn who_misbehaves_loses_and_the_reason_is_kept() {
    let late = Duration::from_millis(40);
    let limit = TimeControl::PerMove(Duration::from_millis(10));
    for (manner, fault, words) in [
        (Manner::Illegal, Fault::Illegal, "illegal move: Hold is not a legal move here"),
        (Manner::Mute, Fault::Illegal, "an answer without a move"),
        (Manner::Leaves, Fault::Gone, "bad has left the game: cable pulled"),
        (Manner::Panics, Fault::Crashed, "panicked: index out of bounds"),
        (Manner::Late(late), Fault::Time, "run out of time"),
    ] {
        let pace = Pace::new(Limits::default()).and_clock(limit);
        let bad = Contestant::new("bad", pace, move || Bad(manner));
        let players = vec![hold_at(10), bad];
        let tournament = Tournament::new(Settings::new(2, 1), Pairing::RoundRobin, |_, _| Pig::new(50), players).unwrap();
        let unit = tournament.again().unwrap().play(0).unwrap().unwrap();
        let Summary { outcome, end, spent, first, .. } = &unit.games[0].summary;
        let End::Forfeit { player: Player::Two, fault: found, reason } = end else { panic!("{end:?}") };
        assert!(*found == fault && reason.contains(words), "{found:?} {reason}");
        assert_eq!((*outcome, spent[1].decisions, *first), (Outcome::win(Player::One), 1, Some(Player::One)));

        let score = played(&tournament).score(0, 1).unwrap();
        assert_eq!((score.results(), score.b().forfeits(), score.a().forfeits()), ((4, 0, 0), 4, 0));
        assert!(score.b().forfeit.as_ref().unwrap().contains(words));
        let kinds = [score.b().illegal, score.b().overstepped, score.b().gone];
        let expected = match fault {
            Fault::Illegal => [4, 0, 0],
            Fault::Time => [0, 4, 0],
            _ => [0, 0, 4],
        };
        assert_eq!(kinds, expected);
        assert_eq!(score.mirrored().a().forfeits(), 4);
    }
}

/// A limit on a decision's time is not enforced but counted; a clock is enforced.
#[test]
fn late_decisions_are_counted() {
    let slow = Contestant::new("slow", Limits::time(Duration::from_millis(1)), || Bad(Manner::Late(Duration::from_millis(15))));
    let score = match_of(Settings::new(1, 1), |_, _| Pig::new(8), slow, hold_at(3));
    assert!(score.a().spent.late == score.a().spent.decisions && score.a().forfeits() == 0 && score.games() == 2, "{score}");
    assert!(score.a().spent.cpu < score.a().spent.time / 2, "sleeping is not work: {:?}", score.a().spent);
}

/// Agents are told what is left, and their share of it.
#[test]
fn clocks_run_down_and_are_shared_out() {
    struct Watcher(Vec<Limits>);
    impl Agent<Countdown> for Watcher {
        fn name(&self) -> String {
            "watcher".into()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, history: &History<Countdown>, limits: &Limits) -> Result<ReportOf<Countdown>, AgentError> {
            self.0.push(limits.clone());
            std::thread::sleep(Duration::from_millis(2));
            nth_move(0)(history.state()).map(|m| Report::of_move(m, None)).ok_or(AgentError::NothingToDecide)
        }
    }
    let base = Duration::from_secs(2);
    let pace = Pace::new(Limits::default()).and_clock(TimeControl::Game { base, increment: Duration::ZERO }).and_decisions(10);
    let [mut a, mut b] = [Watcher(Vec::new()), Watcher(Vec::new())];
    let seats = [Seat { agent: &mut a, pace: &pace }, Seat { agent: &mut b, pace: &pace }];
    let game = play_game(Countdown::new(60), seats, Dice::new(1, 1), None);
    assert_eq!((&game.summary.end, a.0.len(), game.times.len()), (&End::Rules, 30, 60));
    assert_eq!((a.0[0].left, a.0[0].time), (Some(base), Clock::new(pace.clock).budget(Player::One, 10)));
    for pair in a.0.windows(2) {
        assert!(pair[1].left < pair[0].left && pair[1].time.unwrap() < pair[1].left.unwrap());
    }
}

#[test]
fn long_games_are_cut_off_as_draws() {
    let settings = Settings::new(3, 1).and_most_decisions(10);
    let play = |left| match_of(settings, move |_, _| Countdown::new(left), rule("a", nth_move(0)), rule("b", nth_move(0)));
    let score = play(11);
    assert_eq!((score.results(), score.cut_off(), score.length(), score.draw_ratio()), ((0, 6, 0), 6, 10.0, 1.0));
    let score = play(10);
    assert_eq!((score.results(), score.cut_off(), score.seat_one().mean()), ((3, 0, 3), 0, 0.0));
    // A game that is over before it begins.
    assert_eq!((play(0).games(), play(0).length()), (6, 0.0));
}

#[test]
fn points_are_counted_beside_wins() {
    let setup = |_: u64, _: &mut dyn Rng| Tree::from(Node::max([3, -2]));
    let score = match_of(Settings::new(4, 1), setup, rule("first", nth_move(0)), rule("last", nth_move(1)));
    assert_eq!((score.points(), score.results()), (2.5, (8, 0, 0)));
    assert!(score.points_interval().contains(2.5) && score.to_string().contains("points a game"));
    assert_eq!(score.mirrored().points(), -2.5);
}

#[test]
fn self_play_measures_the_seats() {
    let settings = Settings::new(300, 5);
    let tournament = Tournament::new(settings, Pairing::SelfPlay, |_, _| Pig::new(30), vec![hold_at(10)]).unwrap();
    let standings = played(&tournament);
    let score = standings.score(0, 0).unwrap();
    assert_eq!((score.games(), score.tally().units(), standings.ratings().len()), (300, 300, 0));
    assert!(score.tally() == score.seat_one() && score.tally() == score.first_mover());
    assert!(score.tally().interval().low > 0.5, "{score}");
    assert_eq!((score.a().name.as_str(), standings.first_mover().0), ("hold at 10 (One)", score.tally().mean()));
    // The pairs of a match against a copy play each of these games twice.
    let mut copy = hold_at(10);
    copy.name = "copy".into();
    assert_eq!(match_of(settings, |_, _| Pig::new(30), hold_at(10), copy).seat_one(), score.seat_one());
}

#[test]
fn every_meeting_is_a_match_on_the_same_dice() {
    let settings = Settings::new(30, 3);
    let holds = [2, 20, 9, 13];
    for (pairing, meetings) in [(Pairing::RoundRobin, 6), (Pairing::Gauntlet, 3)] {
        let tournament = Tournament::new(settings, pairing, uneven, holds.map(hold_at).into()).unwrap();
        let standings = played(&tournament);
        assert_eq!((standings.scores().count(), tournament.units()), (meetings, 30 * meetings as u64));
        for ((i, j), score) in standings.scores() {
            let alone = match_of(settings, uneven, hold_at(holds[i]), hold_at(holds[j]));
            assert_eq!(score.clone().untimed(), alone.clone().untimed());
            assert_eq!(standings.score(j, i).unwrap().untimed(), alone.mirrored().untimed());
            let course = standings.course(i, Some(j));
            assert_eq!((course.len(), course.iter().sum::<f64>() / 30.0), (30, score.tally().mean()));
        }
        assert!(standings.score(0, 0).is_none() && standings.score(0, 4).is_none() && standings.mean(0) < 0.4);
        assert_eq!(standings.score(2, 3).is_none(), pairing == Pairing::Gauntlet);
        assert_eq!(standings.ranking(&standings.ratings()).last(), Some(&0));
        assert!((0..4).all(|c| standings.mean_interval(c).contains(standings.mean(c))));
    }
}

#[test]
fn watching_may_stop_it() {
    let tournament =
        Tournament::new(Settings::new(9, 1), Pairing::RoundRobin, uneven, [2, 20, 9, 13].map(hold_at).into()).unwrap();
    let mut standings = tournament.standings();
    let mut calls = 0;
    let finish = tournament.play(&mut standings, &mut |_, _| {
        calls += 1;
        if calls == 9 { ControlFlow::Break(()) } else { ON }
    });
    assert_eq!((finish.unwrap(), standings.units(), standings.rounds()), (Finish::Stopped, 9, 1));
    let units: Vec<u64> = standings.scores().map(|(_, score)| score.tally().units()).collect();
    assert_eq!(units, [2, 2, 2, 1, 1, 1]);
}

/// Who is stopped while thinking goes on with any move: what comes of it is no result.
#[test]
fn stopped_games_do_not_count() {
    static ASKED: AtomicU64 = AtomicU64::new(0);
    struct Stops(StopFlag);
    impl Agent<Pig> for Stops {
        fn name(&self) -> String {
            "stops".into()
        }
        fn new_game(&mut self, _: u64) {}
        fn choose(&mut self, _: &History<Pig>, limits: &Limits) -> Result<ReportOf<Pig>, AgentError> {
            if ASKED.fetch_add(1, Ordering::Relaxed) == 500 {
                self.0.raise();
                assert!(limits.stop.as_ref().unwrap().is_raised());
            }
            Ok(Report::of_move(PigMove::Roll, None))
        }
    }
    let flag = StopFlag::default();
    let theirs = flag.clone();
    let stops = Contestant::new("stops", Limits::default(), move || Stops(theirs.clone()));
    let players = vec![stops, hold_at(10)];
    let tournament = Tournament::new(Settings::new(1000, 1), Pairing::RoundRobin, |_, _| Pig::new(60), players).unwrap();
    let tournament = tournament.with_stop(flag);
    let mut standings = tournament.standings();
    assert_eq!(tournament.play(&mut standings, &mut |_, _| ON).unwrap(), Finish::Stopped);
    assert!((1..500).contains(&standings.units()), "{}", standings.units());
    // It stays stopped.
    assert!(tournament.again().unwrap().play(0).unwrap().is_none());
    let before = standings.units();
    assert_eq!(tournament.play(&mut standings, &mut |_, _| ON).unwrap(), Finish::Stopped);
    assert_eq!(standings.units(), before);
}

#[test]
fn sequential_tests_end_a_match() {
    let of = |a: Contestant<Pig>, threads| {
        let tournament = Tournament::new(Settings::new(5000, 1), Pairing::RoundRobin, uneven, vec![a, random("random")]).unwrap();
        tournament.with_sprt(Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap()).unwrap().with_threads(threads)
    };
    let mut lengths = Vec::new();
    for threads in [1, 2] {
        let tournament = of(hold_at(12), threads);
        let mut standings = tournament.standings();
        assert_eq!(tournament.play(&mut standings, &mut |_, _| ON).unwrap(), Finish::Decided(Verdict::H1));
        lengths.push(standings.units());
        // What is decided is not played on.
        assert_eq!(tournament.play(&mut standings, &mut |_, _| panic!("played on")).unwrap(), Finish::Decided(Verdict::H1));
    }
    assert!(lengths[0] == lengths[1] && lengths[0] < 200, "{lengths:?}");
    let tournament = of(random("also random"), 2);
    assert_eq!(tournament.play(&mut tournament.standings(), &mut |_, _| ON).unwrap(), Finish::Decided(Verdict::H0));
}

fn three_of(holds: [u16; 3]) -> Tournament<Pig> {
    Tournament::new(Settings::new(1, 1), Pairing::RoundRobin, uneven, holds.map(hold_at).into()).unwrap()
}

/// A panic before the game loses it too, and the tournament goes on.
#[test]
fn who_panics_before_the_game_loses_it() {
    struct Nervous;
    impl Agent<Pig> for Nervous {
        fn name(&self) -> String {
            "nervous".into()
        }
        fn new_game(&mut self, seed: u64) {
            assert!(seed.is_multiple_of(2), "stage fright");
        }
        fn choose(&mut self, history: &History<Pig>, limits: &Limits) -> Result<ReportOf<Pig>, AgentError> {
            RandomAgent(gamecore::random::generator(1)).choose(history, limits)
        }
    }
    let players = vec![hold_at(9), Contestant::new("nervous", Limits::default(), || Nervous)];
    let tournament = Tournament::new(Settings::new(20, 1), Pairing::RoundRobin, uneven, players).unwrap();
    let score = played(&tournament).score(0, 1).unwrap();
    assert!((10..30).contains(&score.b().gone) && score.games() == 40, "{score}");
    assert_eq!(score.b().forfeit.as_deref(), Some("panicked before the game: stage fright"));
    let players = vec![Contestant::new("nervous", Limits::default(), || Nervous)];
    let tournament = Tournament::new(Settings::new(20, 1), Pairing::SelfPlay, uneven, players).unwrap();
    // What one player does in both seats is its own.
    let standings = played(&tournament);
    let (score, side) = (standings.score(0, 0).unwrap(), standings.side(0));
    assert_eq!(side.gone, score.a().gone + score.b().gone);
    assert!(score.a().gone > 0 && score.b().gone > 0 && side.name == "nervous");
}

#[test]
fn senseless_tournaments_are_refused() {
    let of = |pairing, players| Tournament::new(Settings::new(1, 1), pairing, uneven, players).map(drop).unwrap_err().to_string();
    assert_eq!(of(Pairing::RoundRobin, vec![hold_at(1)]), "a round robin needs two contestants or more, not 1");
    assert_eq!(of(Pairing::SelfPlay, vec![hold_at(1), hold_at(2)]), "a match of self-play needs exactly one contestant, not 2");
    assert!(of(Pairing::Gauntlet, vec![hold_at(1), hold_at(1)]).contains("two contestants are called \"hold at 1\""));
    let three = Tournament::new(Settings::new(1, 1), Pairing::RoundRobin, uneven, [1, 2, 3].map(hold_at).into()).unwrap();
    let error = three.with_sprt(Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap()).map(drop).unwrap_err();
    assert!(error.to_string().contains("two contestants, not of 3"));

    let mut others = three_of([4, 5, 6]).standings();
    let error = three_of([1, 2, 3]).play(&mut others, &mut |_, _| ON).unwrap_err().to_string();
    assert!(error.contains("other contestants"), "{error}");

    let missing = || Err("no such program".into());
    let players = vec![hold_at(1), Contestant::fallible("x", Limits::default(), missing)];
    let tournament = Tournament::new(Settings::new(1, 1), Pairing::RoundRobin, uneven, players).unwrap();
    let error = tournament.play(&mut tournament.standings(), &mut |_, _| ON).unwrap_err().to_string();
    assert!(error.contains("x cannot take part") && error.contains("no such program"), "{error}");
}

#[test]
#[should_panic(expected = "no such start")]
fn a_panic_in_the_setup_is_passed_on() {
    let setup = |pair: u64, _: &mut dyn Rng| if pair == 7 { panic!("no such start") } else { Pig::new(20) };
    let tournament = Tournament::new(Settings::new(500, 1), Pairing::RoundRobin, setup, vec![hold_at(1), hold_at(2)]).unwrap();
    played(&tournament.with_threads(2));
}

fn widest(text: &str) -> usize {
    text.lines().map(|l| l.chars().count()).max().unwrap()
}

#[test]
fn tables_fit_in_60_columns() {
    let score = match_of(Settings::new(50, 1), |_, _| TicTacToe::default(), rule("first", nth_move(0)), random("random"));
    println!("{score}");
    assert!(widest(&score.to_string()) <= 60);

    // The largest numbers that a table can meet.
    let name = "a name that goes on and on\n".repeat(9);
    let setup = |_: u64, _: &mut dyn Rng| Tree::from(Node::max([i32::from(Tree::MAX_POINTS)]));
    let players = vec![rule("a", nth_move(0)), rule("b", nth_move(0))];
    let tournament = Tournament::new(Settings::new(1, 1), Pairing::RoundRobin, setup, players).unwrap();
    let [mut one, mut two] = tournament.again().unwrap().play(0).unwrap().unwrap().games.try_into().unwrap();
    two.summary.outcome = Outcome::Win { player: Player::One, points: u16::MAX };
    one.summary.first = Some(Player::Two);
    one.summary.end = End::TooLong;
    for game in [&mut one, &mut two] {
        for spent in &mut game.summary.spent {
            (spent.decisions, spent.time, spent.late) = (1_000_000, Duration::from_secs(3_600_000), 1_000_000);
            (spent.slowest, spent.cpu) = (spent.time, spent.time);
        }
    }
    let mut big = Score::new(&name, &name);
    for _ in 0..100 {
        big.add_pair([&one.summary, &two.summary]);
    }
    println!("{big}");
    assert!(widest(&big.to_string()) <= 60, "{big}");
    println!("{}", Score::new("a", "b"));

    for holds in [&[1, 2, 3][..], &[1, 2, 3, 4], &[1, 2, 3, 4, 5]] {
        let players: Vec<_> = holds.iter().map(|&h| hold_at(h * 4)).collect();
        let tournament = Tournament::new(Settings::new(20, 1), Pairing::RoundRobin, uneven, players).unwrap();
        println!("{}\n", tournament.standings());
        let standings = played(&tournament);
        println!("{standings}\n");
        assert!(widest(&standings.to_string()) <= 60, "{standings}");
    }
}
