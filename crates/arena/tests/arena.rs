//! Whole matches, on toys.

use std::ops::ControlFlow;
use std::time::Duration;

use arena::*;
use gamecore::Dice;
use gamecore::random::{below, generator};
use gamecore::testing::toys::{Countdown, Node, Pig, PigMove, TicTacToe, Tree};
use gamecore::{Game, History, Outcome, PlayError, Player, Step, Turn};
use proptest::prelude::*;
use rand::Rng;
use search_core::{Agent, AgentError, Limits, RandomAgent, Report, ReportOf};

/// An agent from a function of the state.
struct Rule<F>(&'static str, F);

impl<G: Game, F: FnMut(&G) -> Option<G::Move> + Send> Agent<G> for Rule<F> {
    fn name(&self) -> String {
        self.0.into()
    }
    fn choose(&mut self, history: &History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
        let mut report = Report::empty();
        report.best = (self.1)(history.state());
        Ok(report)
    }
}

/// Rolls at Pig until the turn has brought so much.
fn hold_at(sum: u16) -> Rule<impl FnMut(&Pig) -> Option<PigMove> + Send> {
    Rule("hold", move |g: &Pig| Some(if g.sum() >= sum { PigMove::Hold } else { PigMove::Roll }))
}

fn nth_move<G: Game>(n: usize) -> impl FnMut(&G) -> Option<G::Move> + Send {
    move |g: &G| {
        let mut moves = G::Moves::default();
        g.moves(&mut moves);
        Some(moves.as_ref()[n.min(moves.as_ref().len() - 1)])
    }
}

/// A Pig with something banked.
fn uneven(_: u64, rng: &mut dyn Rng) -> Pig {
    Pig::new(60).with_banked(below(rng, 30) as u16, below(rng, 30) as u16)
}

const ON: ControlFlow<()> = ControlFlow::Continue(());

fn match_of<G: Game>(
    settings: &Settings,
    setup: impl Fn(u64, &mut dyn Rng) -> G,
    a: &mut dyn Agent<G>,
    b: &mut dyn Agent<G>,
) -> Score {
    play_match(settings, setup, a, b, &Limits::default(), &Limits::default(), &mut |_| ON)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn equal_agents_split_every_pair(seed: u64, hold in 1..30u16) {
        let score = match_of(&Settings::new(20, seed), uneven, &mut hold_at(hold), &mut hold_at(hold));
        prop_assert_eq!(score.tally().counts(), [0, 0, 20, 0, 0]);
        prop_assert_eq!((score.tally().mean(), score.results().0, score.points()), (0.5, 20, 0.0));
    }

    #[test]
    fn exchanging_the_sides_mirrors_the_score(seed: u64, a in 1..30u16, b in 1..30u16) {
        let settings = Settings::new(20, seed);
        let ab = match_of(&settings, uneven, &mut hold_at(a), &mut hold_at(b)).mirrored().untimed();
        let ba = match_of(&settings, uneven, &mut hold_at(b), &mut hold_at(a)).untimed();
        prop_assert_eq!((ab.results(), ab.tally(), ab.points()), (ba.results(), ba.tally(), ba.points()));
        prop_assert_eq!((ab.first_mover(), ab.seat_one(), ab.length()), (ba.first_mover(), ba.seat_one(), ba.length()));
        prop_assert_eq!((ab.a().decisions, ab.b().decisions), (ba.a().decisions, ba.b().decisions));
    }

    #[test]
    fn the_same_seed_gives_the_same_score(seed: u64) {
        let play = |seed| {
            let mut agents = [RandomAgent(generator(1)), RandomAgent(generator(2))];
            let [a, b] = &mut agents;
            match_of(&Settings::new(20, seed), uneven, a, b).untimed()
        };
        prop_assert_eq!(play(seed), play(seed));
        prop_assert_ne!(play(seed), play(!seed));
    }

    /// Whatever is played, both games of a pair see the same faces at the same plies.
    #[test]
    fn pairs_share_start_and_dice(seed: u64, agent: u64) {
        let mut agents = [RandomAgent(generator(agent)), RandomAgent(generator(!agent))];
        let [a, b] = &mut agents;
        let limits = Limits::default();
        let games = play_pair(&Pig::new(40), a, b, [&limits; 2], Dice::new(seed, 3), None);
        let [one, two] = games.each_ref().map(|g| g.record.history());
        prop_assert_eq!(one.start(), two.start());
        for (x, y) in one.steps().iter().zip(two.steps()) {
            if let (Step::Chance(x), Step::Chance(y)) = (x, y) {
                prop_assert_eq!(x, y);
            }
        }
        prop_assert_eq!(games[0].record.values().len(), one.steps().len());
        prop_assert_eq!(Turn::Over(games[0].outcome), one.state().turn());
    }
}

/// The promise of the statistics, kept by whole matches of agents that are equally strong.
#[test]
fn matches_of_equals_hold_one_half_as_often_as_they_say() {
    let (mut held, mut sum) = (0, 0.0);
    let matches = 1000;
    for seed in 0..matches {
        let mut agents = [RandomAgent(generator(seed)), RandomAgent(generator(!seed))];
        let [a, b] = &mut agents;
        let score = match_of(&Settings::new(100, seed), |_, _| Pig::new(30), a, b);
        held += u32::from(score.tally().interval().contains(0.5));
        sum += score.tally().mean();
    }
    let (coverage, mean) = (f64::from(held) / matches as f64, sum / matches as f64);
    println!("{coverage:.3} of the matches hold one half; mean {mean:.4}");
    assert!((0.93..=0.97).contains(&coverage) && (mean - 0.5).abs() < 0.004, "{coverage} {mean}");
}

#[test]
fn the_stronger_agent_wins() {
    let mut random = RandomAgent(generator(1));
    let score = match_of(&Settings::new(200, 1), |_, _| Pig::new(50), &mut hold_at(15), &mut random);
    assert!(score.tally().interval().low > 0.6, "{score}");
    assert!(score.first_mover().mean() > 0.5 && score.games() == 400);
    assert_eq!(score.a().name, "hold");
}

#[test]
fn who_breaks_the_rules_or_leaves_loses() {
    struct Leaver;
    impl<G: Game> Agent<G> for Leaver {
        fn name(&self) -> String {
            "leaver".into()
        }
        fn choose(&mut self, _: &History<G>, _: &Limits) -> Result<ReportOf<G>, AgentError> {
            Err(AgentError::Gone { name: "leaver".into(), reason: "cable pulled".into() })
        }
    }
    let limits = Limits::default();
    let play = |bad: &mut dyn Agent<Pig>| play_game(Pig::new(50), [&mut hold_at(10), bad], [&limits; 2], Dice::new(1, 0), None);

    let game = play(&mut Rule("cheat", |_: &Pig| Some(PigMove::Hold)));
    let reason = Forfeit::Illegal(PlayError::Illegal { m: PigMove::Hold });
    assert_eq!(reason.to_string(), "illegal move: Hold is not a legal move here");
    assert_eq!(game.end, End::Forfeit { player: Player::Two, reason });
    assert_eq!((game.outcome, game.decisions[1], game.first), (Outcome::win(Player::One), 1, Some(Player::One)));

    let game = play(&mut Rule("mute", |_: &Pig| None));
    assert_eq!(game.end, End::Forfeit { player: Player::Two, reason: Forfeit::NoMove });
    let game = play(&mut Leaver);
    let End::Forfeit { player: Player::Two, reason } = game.end else { panic!("{:?}", game.end) };
    assert_eq!(reason.to_string(), "leaver has left the game: cable pulled");

    let score = match_of(&Settings::new(5, 1), |_, _| Pig::new(50), &mut Leaver, &mut hold_at(10));
    assert_eq!((score.results(), score.a().gone, score.a().forfeits(), score.b().forfeits()), ((0, 0, 10), 10, 10, 0));
    assert!(score.a().forfeit.as_ref().unwrap().contains("cable pulled"));
    assert_eq!(score.mirrored().b().gone, 10);
}

#[test]
fn long_games_are_cut_off_as_draws() {
    let settings = Settings::new(3, 1).and_most(10);
    let play = |left| match_of(&settings, |_, _| Countdown::new(left), &mut Rule("a", nth_move(0)), &mut Rule("b", nth_move(0)));
    let score = play(11);
    assert_eq!((score.results(), score.cut_off(), score.length()), ((0, 6, 0), 6, 10.0));
    let score = play(10);
    assert_eq!((score.results(), score.cut_off(), score.seat_one().mean()), ((3, 0, 3), 0, 0.0));
    // A game that is over before it begins.
    assert_eq!((play(0).games(), play(0).length()), (6, 0.0));
}

#[test]
fn points_are_counted_beside_wins() {
    let setup = |_: u64, _: &mut dyn Rng| Tree::from(Node::max([3, -2]));
    let score = match_of(&Settings::new(4, 1), setup, &mut Rule("first", nth_move(0)), &mut Rule("last", nth_move(1)));
    assert_eq!((score.points(), score.results()), (2.5, (8, 0, 0)));
    assert!(score.points_interval().contains(2.5) && score.to_string().contains("points a game"));
    assert_eq!(score.mirrored().points(), -2.5);
}

#[test]
fn progress_may_break_off() {
    let mut seen = 0;
    let limits = Limits::default();
    let score = play_match(&Settings::new(9, 1), uneven, &mut hold_at(9), &mut hold_at(20), &limits, &limits, &mut |s| {
        seen += 1;
        if s.games() == 6 { ControlFlow::Break(()) } else { ON }
    });
    assert_eq!((score.games(), seen), (6, 3));
    assert_eq!(score.a().name, "hold (A)");
}

#[test]
fn self_play_measures_the_seats() {
    let settings = Settings::new(300, 5);
    let score = play_self(&settings, |_, _| Pig::new(30), &mut hold_at(10), &Limits::default(), &mut |_| ON);
    assert_eq!((score.games(), score.tally().units()), (300, 300));
    assert!(score.tally() == score.seat_one() && score.tally() == score.first_mover());
    assert!(score.tally().interval().low > 0.5, "{score}");
    // The pairs of a match against a copy play each of these games twice.
    let copies = match_of(&settings, |_, _| Pig::new(30), &mut hold_at(10), &mut hold_at(10));
    assert_eq!(copies.seat_one(), score.seat_one());
}

fn contestants(depths: &[u32]) -> Vec<Contestant<Pig>> {
    Contestant::depths(depths.iter().copied(), |d| Box::new(hold_at(d as u16)))
}

#[test]
fn round_robins_are_matches_on_the_same_dice() {
    let settings = Settings::new(30, 3);
    let depths = [2, 20, 9, 13];
    let table = round_robin(&settings, uneven, &mut contestants(&depths), &mut |_| ON);
    for (i, &a) in depths.iter().enumerate() {
        for (j, &b) in depths.iter().enumerate() {
            let score = table.score(i, j);
            assert_eq!(score.is_none(), i == j);
            if let Some(score) = score {
                let alone = match_of(&settings, uneven, &mut hold_at(a as u16), &mut hold_at(b as u16));
                assert_eq!((score.results(), score.tally()), (alone.results(), alone.tally()));
            }
        }
    }
    assert!(table.score(0, 4).is_none());
    assert!((0..4).map(|c| table.mean(c)).sum::<f64>() - 2.0 < 1e-9 && table.mean(0) < 0.4);

    let mut calls = 0;
    let broken = round_robin(&settings, uneven, &mut contestants(&depths), &mut |_| {
        calls += 1;
        if calls == 9 { ControlFlow::Break(()) } else { ON }
    });
    let units: Vec<u64> =
        (1..4).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| broken.score(i, j).unwrap().tally().units()).collect();
    assert_eq!(units, [2, 2, 2, 1, 1, 1]);
}

fn widest(text: &str) -> usize {
    text.lines().map(|l| l.chars().count()).max().unwrap()
}

#[test]
fn tables_fit_in_60_columns() {
    let mut random = RandomAgent(generator(1));
    let score = match_of(&Settings::new(50, 1), |_, _| TicTacToe::default(), &mut Rule("first", nth_move(0)), &mut random);
    println!("{score}");
    assert!(widest(&score.to_string()) <= 60);

    // The largest numbers that a table can meet.
    let name = "a name that goes on and on\n".repeat(9);
    let mut big = Score::new(&name, &name);
    let limits = Limits::default();
    let setup = Tree::from(Node::max([i32::from(Tree::MAX_POINTS)]));
    let [a, b] = &mut [Rule("a", nth_move(0)), Rule("b", nth_move(0))];
    let mut games = play_pair(&setup, a, b, [&limits; 2], Dice::new(1, 1), None);
    games[1].outcome = Outcome::Win { player: Player::One, points: u16::MAX };
    games[0].first = Some(Player::Two);
    games[0].end = End::TooLong;
    for game in &mut games {
        game.time = [Duration::from_secs(3_600_000); 2];
        game.slowest = [Duration::from_secs(3_600_000); 2];
        game.decisions = [1_000_000; 2];
    }
    for _ in 0..100 {
        big.add_pair(&games);
    }
    println!("{big}");
    assert!(widest(&big.to_string()) <= 60, "{big}");
    println!("{}", Score::new("a", "b"));

    for depths in [&[1, 2][..], &[1, 2, 3, 4]] {
        let table = round_robin(&Settings::new(20, 1), uneven, &mut contestants(depths), &mut |_| ON);
        println!("{table}");
        assert!(widest(&table.to_string()) <= 60, "{table}");
    }
    let table = round_robin(&Settings::new(1, 1), uneven, &mut contestants(&[]), &mut |_| ON);
    assert!(widest(&table.to_string()) <= 60);
}

/// Who is stopped while thinking goes on with any move: what comes of it is no result.
#[test]
fn stopped_games_do_not_count() {
    let flag = search_core::StopFlag::default();
    flag.raise();
    let limits = Limits::depth(1).and_stop(flag);
    let settings = Settings::new(3, 1);
    let start = |_: u64, _: &mut dyn Rng| Pig::new(20);
    let random = || RandomAgent(generator(1));
    let mut go_on = |_: &Score| ControlFlow::Continue(());
    assert_eq!(play_self(&settings, start, &mut random(), &limits, &mut go_on).games(), 0);
    let score = play_match(&settings, start, &mut random(), &mut random(), &Limits::default(), &limits, &mut go_on);
    assert_eq!(score.games(), 0);
    let mut contestants: Vec<Contestant<Pig>> =
        ["a", "b"].map(|name| Contestant::new(name, Box::new(random()), limits.clone())).into_iter().collect();
    let table = round_robin(&settings, start, &mut contestants, &mut |_| ControlFlow::Continue(()));
    assert_eq!(table.score(0, 1).unwrap().games(), 0);
}
