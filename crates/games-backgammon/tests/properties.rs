//! Promises that hold in every position, on random positions and against slow, obvious code.

use std::collections::{BTreeSet, HashSet};

use gamecore::random::{below, generator};
use gamecore::testing::{self, Trials, moves};
use gamecore::{Bounds, Evaluator, Game, Outcome, Player, Record, Roll, Text, Turn};
use games_backgammon::eval::Baseline;
use games_backgammon::formats::game::{self, Action, Match};
use games_backgammon::formats::{fibs, gnubg, mat, sgf, xgid};
use games_backgammon::{Backgammon, Cube, Move, Prime, Setup, Stakes, Throw, notation, ordering};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

/// Checkers on points 1 to 24, on the bar, and off.
type Board = [u8; 26];

/// A random legal position, over or not, its dice rolled or not: few or many checkers, spread or close together.
fn position(seed: u64) -> Backgammon {
    let rng = &mut generator(seed);
    loop {
        let checkers = if below(rng, 2) == 0 { 15 } else { 1 + below(rng, 15) };
        let mut boards = [0, 1].map(|_| {
            let mut board = [0; 26];
            let reach = [6, 7, 12, 24, 25][below(rng, 5)];
            let borne_off = if below(rng, 2) == 0 { 0 } else { below(rng, checkers + 1) };
            board[25] = borne_off as u8;
            // Some pile up, some spread.
            let piles: Vec<usize> = (0..1 + below(rng, 8)).map(|_| below(rng, reach)).collect();
            for _ in borne_off..checkers {
                let place = if below(rng, 4) == 0 { below(rng, reach) } else { piles[below(rng, piles.len())] };
                board[place] += 1;
            }
            board
        });
        let mover = Player::BOTH[below(rng, 2)];
        if below(rng, 8) == 0 {
            // A nearly closed board, and a checker or two before it.
            let (gap, bar) = (below(rng, 8), 1 + below(rng, 2) as u8);
            boards[mover] = [0; 26];
            (boards[mover][5], boards[mover][7], boards[mover][24]) = (4, 2, bar);
            boards[mover.other()] = core::array::from_fn(|i| if i < 6 && i != gap { 2 } else { 0 });
        }
        let Ok(game) = Backgammon::from_board(boards, mover, None) else { continue };
        let game = game.with_stakes(stakes(rng));
        if game.outcome().is_some() || below(rng, 4) == 0 {
            return game;
        }
        return game.with_dice(Some(roll(rng))).unwrap();
    }
}

fn roll(rng: &mut Xoshiro256PlusPlus) -> Roll {
    Roll::new(1 + below(rng, 6) as u8, 1 + below(rng, 6) as u8)
}

fn stakes(rng: &mut Xoshiro256PlusPlus) -> Stakes {
    let owner = Cube::Owned(Player::BOTH[below(rng, 2)]);
    let game = match below(rng, 4) {
        0 => Stakes::MONEY,
        1 => Stakes::MONEY.with_score([below(rng, 50) as u16, below(rng, 50) as u16]).unwrap(),
        2 => Stakes::MONEY.with_jacoby().unwrap(),
        _ => {
            let length = 1 + below(rng, 25) as u16;
            let score = [0, 1].map(|_| below(rng, length.into()) as u16);
            let game = Stakes::match_of(length, score).unwrap();
            match game.with_crawford() {
                Ok(crawford) if below(rng, 2) == 0 => return crawford,
                _ => game,
            }
        }
    };
    if below(rng, 2) == 0 { game } else { game.with_cube(1 + below(rng, 9) as u8, owner).unwrap() }
}

/// As [`position`], with a play to make.
fn decision(seed: u64) -> Backgammon {
    (0..).map(|i| position(seed.wrapping_add(i << 32))).find(|g| matches!(g.turn(), Turn::Decide(_))).unwrap()
}

/// The rules once more, as one would explain them. `[own, opponent]`, each on its own points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Slow([Board; 2]);

impl Slow {
    fn of(game: &Backgammon) -> Self {
        Self([game.board(game.mover()), game.board(game.mover().other())])
    }

    /// One checker from point `from` (25 is the bar) by `die`, if that is legal.
    fn step(mut self, from: usize, die: usize) -> Option<Self> {
        let [own, opponent] = &mut self.0;
        if own[from - 1] == 0 || own[24] > 0 && from != 25 {
            return None;
        }
        own[from - 1] -= 1;
        if from > die {
            let to = from - die;
            match &mut opponent[24 - to] {
                0 => {}
                blot @ 1 => {
                    *blot = 0;
                    opponent[24] += 1;
                }
                _ => return None,
            }
            own[to - 1] += 1;
            return Some(self);
        }
        let outside = own[6..25].iter().any(|&n| n > 0) || from > 6;
        let higher = own[from..25].iter().any(|&n| n > 0);
        if outside || (die > from && higher) {
            return None;
        }
        own[25] += 1;
        Some(self)
    }

    /// All positions after some of `dice` in this order, each with how many were used.
    fn lines(self, dice: &[usize], used: usize, out: &mut BTreeSet<(usize, Self)>) {
        out.insert((used, self));
        if let Some((&die, rest)) = dice.split_first() {
            for from in 1..=25 {
                if let Some(next) = self.step(from, die) {
                    next.lines(rest, used + 1, out);
                }
            }
        }
    }

    /// The positions that a roll's plays lead to; this one alone: a pass.
    fn results(self, roll: Roll) -> BTreeSet<Self> {
        let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
        let mut all = BTreeSet::new();
        if high == low {
            self.lines(&[high; 4], 0, &mut all);
        } else {
            self.lines(&[high, low], 0, &mut all);
            let most = all.iter().map(|line| line.0).max();
            let mut other = BTreeSet::new();
            self.lines(&[low, high], 0, &mut other);
            // The low die alone counts only if the high one cannot be played.
            all.extend(other.into_iter().filter(|line| line.0 == 2 || most == Some(0)));
        }
        let most = all.iter().map(|line| line.0).max().unwrap();
        all.into_iter().filter(|line| line.0 == most).map(|line| line.1).collect()
    }
}

/// What a finished position is worth, by the words of the rules.
fn slow_outcome(game: &Backgammon) -> Option<Outcome> {
    let winner = Player::BOTH.into_iter().find(|&seat| game.board(seat)[..25].iter().all(|&n| n == 0))?;
    let loser = game.board(winner.other());
    let points = if loser[25] > 0 {
        1
    } else if loser[24] > 0 || loser[18..24].iter().any(|&n| n > 0) {
        3
    } else {
        2
    };
    let single = game.stakes().is_jacoby() && game.stakes().owner() == Cube::Centred;
    Some(Outcome::Win { player: winner, points: if single { 1 } else { points } })
}

fn pips(board: &Board) -> u32 {
    (1..).zip(&board[..25]).map(|(point, &n)| point * u32::from(n)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_agree_with_a_slow_implementation(seed: u64) {
        let game = decision(seed);
        let mover = game.mover();
        let list = moves(&game);
        let reached: BTreeSet<Slow> = list
            .iter()
            .map(|&m| {
                let next = game.after(m);
                Slow([next.board(mover), next.board(mover.other())])
            })
            .collect();
        prop_assert_eq!(reached.len(), list.len(), "{}: a result twice", game);
        prop_assert_eq!(reached, Slow::of(&game).results(game.dice().unwrap()), "{}", game);
        for m in list {
            let next = game.after(m);
            prop_assert_eq!(next.outcome(), slow_outcome(&next), "{}", next);
            prop_assert_eq!(next.mover(), mover.other());
            for seat in Player::BOTH {
                let total = |g: &Backgammon| -> u8 { g.board(seat).iter().sum() };
                prop_assert_eq!(total(&next), total(&game), "{} {:?}: checkers are lost", game, m);
            }
            // A checker's move is worth its die, except when a larger die bears it off.
            let dice: u32 = m.steps().map(|step| u32::from(step.die.min(step.from))).sum();
            prop_assert_eq!(pips(&game.board(mover)) - pips(&next.board(mover)), dice, "{} {:?}", game, m);
        }
    }

    #[test]
    fn whole_positions_agree_about_the_end(seed: u64) {
        let game = position(seed);
        prop_assert_eq!(game.outcome(), slow_outcome(&game), "{}", game);
        prop_assert_eq!(game.outcome().is_some(), matches!(game.turn(), Turn::Over(o) if Some(o) == game.outcome()));
    }

    #[test]
    fn seats_are_alike(seed: u64) {
        let game = position(seed);
        let other = game.with_seats_exchanged();
        prop_assert_eq!(other.with_seats_exchanged(), game);
        prop_assert_eq!(other.outcome(), game.outcome().map(Outcome::swapped));
        prop_assert!(other != game && other.key() != game.key());
        for seat in Player::BOTH {
            prop_assert_eq!(other.board(seat), game.board(seat.other()));
        }
        if game.dice().is_some() {
            prop_assert_eq!(moves(&game), moves(&other));
            let next = moves(&game).into_iter().map(|m| game.after(m).with_seats_exchanged());
            prop_assert!(next.eq(moves(&game).into_iter().map(|m| other.after(m))));
        }
    }

    #[test]
    fn keys_tell_states_apart(seed: u64) {
        let game = position(seed);
        let mut others: Vec<Backgammon> = vec![game, game.with_seats_exchanged()];
        match game.turn() {
            Turn::Chance(_) => others.extend(gamecore::ROLLS.map(|(roll, _)| game.resolved(Throw::Turn(roll)))),
            Turn::Decide(_) => others.extend(moves(&game).into_iter().take(40).map(|m| game.after(m))),
            Turn::Over(_) => {}
        }
        others.push(game.with_stakes(Stakes::match_of(99, [3, 5]).unwrap()));
        for (i, a) in others.iter().enumerate() {
            for b in &others[..i] {
                prop_assert_eq!(a == b, a.key() == b.key(), "{} and {}", a, b);
            }
        }
    }

    #[test]
    fn contact_is_over_when_the_sides_have_passed(seed: u64) {
        let game = position(seed);
        let [one, two] = Player::BOTH.map(|seat| game.board(seat));
        // An enemy on a lower point of One's, for some checker of One's.
        let meets = (0..25).any(|p| one[p] > 0 && (0..25).any(|q| two[q] > 0 && 23 - (q as i32) < p as i32));
        prop_assert_eq!(game.is_contact(), meets, "{}", game);
    }

    #[test]
    fn evaluations_and_orders_are_the_same_from_either_seat(seed: u64) {
        let game = position(seed);
        let other = game.with_seats_exchanged();
        let bounds = Baseline.bounds(&game);
        prop_assert_eq!(Baseline.bounds(&other), Bounds { low: -bounds.high, high: -bounds.low });
        if game.outcome().is_none() {
            let value = Baseline.value(&game);
            prop_assert_eq!(Baseline.value(&other), -value);
            prop_assert!(bounds.low <= value && value <= bounds.high, "{} {}", game, value);
        }
        if game.dice().is_some() {
            for m in moves(&game) {
                prop_assert_eq!(ordering(&game, m), order_formula(&game, m), "{} {:?}", game, m);
                prop_assert_eq!(ordering(&other, m), ordering(&game, m));
            }
        }
    }

    #[test]
    fn structure_is_what_the_words_say(seed: u64) {
        let game = position(seed);
        for seat in Player::BOTH {
            let board = game.board(seat);
            prop_assert_eq!(game.pips(seat), pips(&board));
            let made: Vec<u8> = (1..=24u8).rev().filter(|&p| board[usize::from(p) - 1] >= 2).collect();
            let blots: Vec<u8> = (1..=24u8).rev().filter(|&p| board[usize::from(p) - 1] == 1).collect();
            prop_assert_eq!(game.home_points(seat) as usize, made.iter().filter(|&&p| p <= 6).count());
            prop_assert_eq!(game.anchors(seat).collect::<Vec<_>>(), made.iter().copied().filter(|&p| p > 18).collect::<Vec<_>>());
            let row = |from: u8| (from..=24).take_while(|p| made.contains(p)).count() as u8;
            let longest = (1..=24).map(row).max().filter(|&length| length > 0);
            let prime = longest.map(|length| Prime { length, from: (1..=24).find(|&p| row(p) == length).unwrap() });
            prop_assert_eq!(game.longest_prime(seat), prime);
            prop_assert_eq!(game.made_points(seat).collect::<Vec<_>>(), made);
            prop_assert_eq!(game.blots(seat).collect::<Vec<_>>(), blots);
        }
    }

    #[test]
    fn shots_are_the_rolls_that_hit(seed: u64) {
        let game = position(seed);
        let by = game.mover();
        if game.outcome().is_some() {
            prop_assert_eq!(Player::BOTH.map(|seat| game.hitting_rolls(seat, None)), [0; 2]);
            return Ok(());
        }
        let slow = Slow::of(&game);
        let count = |hits: &dyn Fn(&Slow) -> bool| -> u32 {
            let rolls = gamecore::ROLLS.iter().filter(|(roll, _)| slow.results(*roll).iter().any(hits));
            rolls.map(|(roll, _)| if roll.is_double() { 1 } else { 2 }).sum()
        };
        prop_assert_eq!(game.hitting_rolls(by, None), count(&|s| s.0[1][24] > slow.0[1][24]), "{}", game);
        if let Some(blot) = game.blots(by.other()).next() {
            let place = usize::from(blot) - 1;
            prop_assert_eq!(game.hitting_rolls(by, Some(blot)), count(&|s| s.0[1][place] == 0), "{} {}", game, blot);
        }
    }

    #[test]
    fn plays_are_read_as_they_are_written(seed: u64, which: usize) {
        let game = decision(seed);
        let list = moves(&game);
        let m = list[which % list.len()];
        let text = notation::text(&game, m);
        prop_assert_eq!(notation::parse(&game, &text), Ok(m), "{}: {}", game, text);
        prop_assert_eq!(notation::parse(&game, &text.to_uppercase().replace('/', "-").replace(' ', ", ")), Ok(m), "{}: {}", game, text);
        prop_assert_eq!(game.parse_move(&game.move_text(m)), Ok(m));
        let hits = text.matches('*').count() as u8;
        let enemy = game.mover().other();
        prop_assert_eq!(game.on_bar(enemy) + hits, game.after(m).on_bar(enemy), "{}: {}", game, text);
    }

    #[test]
    fn every_path_is_a_play(seed: u64) {
        let game = decision(seed);
        let paths = notation::paths(&game);
        let list = moves(&game);
        let plays: HashSet<Move> = paths.iter().map(|path| path.play).collect();
        prop_assert_eq!(plays, HashSet::from_iter(list.iter().copied()), "{}", game);
        for path in paths.iter().step_by(1 + paths.len() / 50) {
            let mut slow = Slow::of(&game);
            let mut words = Vec::new();
            for step in &path.steps {
                slow = slow.step(step.from.into(), step.die.into()).expect("a legal step");
                words.push(format!("{}/{}", step.from, step.to));
            }
            let (next, mover) = (game.after(path.play), game.mover());
            prop_assert_eq!(slow, Slow([next.board(mover), next.board(mover.other())]));
            let text = if words.is_empty() { "pass".into() } else { words.join(" ") };
            prop_assert_eq!(notation::parse(&game, &text), Ok(path.play), "{}: {}", game, text);
        }
    }

    #[test]
    fn garbage_is_refused_without_panic(text in "\\PC{0,60}", near in "[0-9a-oA-O/:*()bar-]{0,60}", seed: u64) {
        let game = position(seed);
        for text in [text, near] {
            let _ = (game.parse_event(&text), text.parse::<Backgammon>(), text.parse::<Setup>());
            let _ = (gnubg::parse(&text), xgid::parse(&text), fibs::parse(&text));
            if let Ok(m) = notation::parse(&game, &text) {
                prop_assert!(moves(&game).contains(&m));
            }
        }
    }

    #[test]
    fn near_plays_are_legal_or_refused(seed: u64, text in "((bar|[1-9]|1[0-9]|2[0-5])/([1-9]|1[0-9]|2[0-5]|off)[*]?([(][0-9][)])? ?){1,4}") {
        let game = decision(seed);
        if let Ok(m) = notation::parse(&game, &text) {
            prop_assert!(moves(&game).contains(&m));
        }
    }

    #[test]
    fn positions_are_read_back_from_every_format(seed: u64) {
        let game = position(seed);
        prop_assert_eq!(game.to_string().parse(), Ok(game));
        // These count all missing checkers as borne off, of 15.
        let whole = |mut board: Board| {
            board[25] += 15 - board.iter().sum::<u8>();
            board
        };
        let boards = Player::BOTH.map(|seat| whole(game.board(seat)));
        let game = Backgammon::from_board(boards, game.mover(), game.dice()).unwrap().with_stakes(game.stakes());
        for text in [xgid::text(&game), gnubg::text(&game)] {
            prop_assert_eq!(text.parse(), Ok(game));
        }
        prop_assert_eq!(xgid::parse(&xgid::text(&game)), Ok(game));
        prop_assert_eq!(gnubg::parse(&gnubg::text(&game)), Ok(game));
        let plain = game.with_dice(None).unwrap().with_stakes(Stakes::MONEY);
        prop_assert_eq!(gnubg::parse_position_id(&gnubg::position_id(&game), game.mover()), Ok(plain));
        // No place for the Jacoby rule, nor for who is next when the game is over.
        if !game.stakes().is_jacoby() && game.outcome().is_none() {
            let board = fibs::Board { game, names: ["You".into(), "other".into()] };
            prop_assert_eq!(fibs::parse(&fibs::text(&board)), Ok(board));
        }
    }

    #[test]
    fn near_identifiers_are_read_or_refused_without_panic(seed: u64, at: usize, with in "[ -~é\u{0}]{0,2}") {
        let game = position(seed);
        let board = fibs::Board { game, names: ["You".into(), "other".into()] };
        let texts = [game.to_string(), gnubg::text(&game), xgid::text(&game), fibs::text(&board)];
        for (i, text) in texts.into_iter().enumerate() {
            let mut text: Vec<char> = text.chars().collect();
            let at = at % text.len();
            text.splice(at..=at, with.chars());
            let text = String::from_iter(text);
            let read = match i {
                0 => text.parse().ok(),
                1 => gnubg::parse(&text).ok(),
                2 => xgid::parse(&text).ok(),
                _ => fibs::parse(&text).ok().map(|board| board.game),
            };
            if let Some(read) = read {
                let again: Backgammon = read.to_string().parse().unwrap();
                prop_assert_eq!(again, read);
            }
        }
    }
}

/// The move ordering, written out.
fn order_formula(game: &Backgammon, m: Move) -> i32 {
    let next = game.after(m);
    let (own, enemy) = (next.board(game.mover()), next.board(game.mover().other()));
    let made = |point: usize| (1..=24).contains(&point) && own[point - 1] >= 2;
    let mut score = 30 * i32::from(own[25]) + 40 * i32::from(enemy[24]);
    for point in 1..=24 {
        score += if made(point) { 8 } else { 0 };
        score += if made(point) && point <= 6 { 10 } else { 0 };
        score += if made(point) && made(point + 1) { 4 } else { 0 };
        // Enemies on lower points of the mover's, or on the bar.
        let seen = enemy[24] > 0 || (1..point).any(|p| enemy[24 - p] > 0);
        score -= if own[point - 1] == 1 && seen { if point > 18 { 3 } else { 9 } } else { 0 };
    }
    score + if own[..25].iter().all(|&n| n == 0) { 1000 } else { 0 }
}

#[test]
fn random_plays_are_uniform() {
    let mut rng = generator(17);
    let (mut doubles, mut passes) = (0, 0);
    for seed in 0..200 {
        let game = decision(seed);
        let list = moves(&game);
        let mut counts = vec![0u32; list.len()];
        for _ in 0..200 * list.len() {
            let m = game.random_move(&mut rng);
            counts[list.iter().position(|&l| l == m).expect("a legal play")] += 1;
        }
        // Six standard deviations.
        assert!(counts.iter().all(|&c| (f64::from(c) - 200.0).abs() < 6.0 * 200f64.sqrt()), "{game} {counts:?}");
        doubles += usize::from(game.dice().unwrap().is_double());
        passes += usize::from(list[0].is_pass());
    }
    assert!(doubles > 3 && passes > 0, "{doubles} {passes}");
}

fn starts() -> Vec<Backgammon> {
    let mut starts: Vec<Backgammon> = Setup::ALL.into_iter().map(Backgammon::start).collect();
    starts.extend((0..6).map(position));
    starts
}

#[test]
fn the_conformance_suite_passes() {
    testing::conformance(&starts(), Trials { games: 6, ..Trials::default() });
}

#[test]
fn texts_conform() {
    testing::text_round_trip(&starts(), Trials { games: 2, ..Trials::default() });
}

#[test]
fn exchanging_the_seats_is_a_symmetry() {
    testing::symmetry(&starts(), Trials { games: 2, ..Trials::default() });
}

#[test]
fn pictures_conform() {
    testing::picture(&starts(), Trials { games: 2, ..Trials::default() });
}

#[test]
fn evaluators_conform() {
    let mut starts = starts();
    starts.push(starts[0].with_stakes(Stakes::MONEY.with_jacoby().unwrap()));
    testing::evaluator(&Baseline, &starts, Trials { games: 6, ..Trials::default() });
}

#[test]
fn the_higher_die_starts_and_plays_both() {
    let start = Backgammon::start(Setup::Standard);
    let game = start.resolved(Throw::Opening { one: 3, two: 5 });
    assert_eq!((game.mover(), game.dice()), (Player::Two, Some(Roll::new(5, 3))));
    let game = start.resolved(Throw::Opening { one: 6, two: 1 });
    assert_eq!((game.mover(), game.dice()), (Player::One, Some(Roll::new(6, 1))));
    // The sides of an uneven position stay with their seats.
    let uneven: Backgammon = "100000000000000000000000e0/010000000000000000000000e0 opening".parse().unwrap();
    let thrown = uneven.resolved(Throw::Opening { one: 1, two: 2 });
    assert_eq!((thrown.board(Player::One), thrown.mover()), (uneven.board(Player::One), Player::Two));
    let Turn::Chance(dice) = start.turn() else { panic!("nothing is thrown") };
    let events = gamecore::Chance::events(&dice);
    assert!(events.len() == 30 && events.iter().all(|(throw, _)| !throw.roll().is_double()));
}

/// How games end, and what is won.
#[test]
fn the_last_checkers_decide_what_is_won() {
    // The loser's checkers: points with how many, 25 the bar, 26 off.
    for (loser, stakes, points) in [
        (&[(6, 5), (7, 9), (26, 1)][..], "money 1", 1),
        (&[(25, 14), (26, 1)], "money 1", 1),
        (&[(6, 5), (7, 10)], "money 1", 2),
        (&[(6, 14), (18, 1)], "money 1", 2),
        (&[(6, 14), (19, 1)], "money 1", 3),
        (&[(6, 14), (23, 1)], "7:6-2+crawford 1", 3),
        (&[(6, 14), (25, 1)], "7:3-2 4-two", 3),
        (&[(25, 15)], "money 4096-one", 3),
        (&[(25, 15)], "money+jacoby 1", 1),
        (&[(25, 15)], "money+jacoby 2", 1),
        (&[(6, 15)], "money+jacoby 2-one", 2),
        (&[(22, 1), (23, 1), (25, 1)], "money 1", 3),
        (&[(1, 3)], "money 1", 2),
        (&[(1, 2), (26, 1)], "money 1", 1),
    ] {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[0], own[25]) = (1, 14);
        loser.iter().for_each(|&(point, n): &(usize, u8)| other[point - 1] = n);
        let board = Backgammon::from_board([own, other], Player::One, None).unwrap().board_text();
        for roll in ["21", "66"] {
            let game: Backgammon = format!("{board} one {roll} {stakes}").parse().unwrap();
            let list = moves(&game);
            assert_eq!((list.len(), list[0].len()), (1, 1), "{game}: the last checker needs one die");
            let next = game.after(list[0]);
            assert_eq!(next.outcome(), Some(Outcome::Win { player: Player::One, points }), "{next}");
            assert_eq!(next.stakes().points(next.outcome().unwrap()), i32::from(points) * next.stakes().cube() as i32);
            assert!(!next.may_double() && next.with_opening().is_err() && next.with_dice(game.dice()).is_err());
            assert_eq!(next.with_seats_exchanged().outcome(), Some(Outcome::Win { player: Player::Two, points }));
            assert_eq!(next.to_string().parse::<Backgammon>().unwrap().outcome(), next.outcome());
        }
    }
}

/// Who is shut out passes and is on roll again after the other's turn; with one point open it enters by that alone.
#[test]
fn a_closed_board_lets_nobody_in() {
    for (own, entering) in [("22222200000000000000000003", vec![]), ("22202200000000000000000023", vec![4])] {
        for roll in gamecore::ROLLS.map(|(roll, _)| roll) {
            let game: Backgammon = format!("00000503000050000000000020/{own} one {}{}", roll.high(), roll.low()).parse().unwrap();
            let enters = entering.iter().filter(|&&die| die == roll.high() || die == roll.low()).count();
            let list = moves(&game);
            assert_eq!(list[0].is_pass(), enters == 0, "{game}");
            assert!(enters > 0 || list.len() == 1);
            // Both are on the bar: after one has entered with a single four the other may not be left by another die.
            let entered = 2 - game.after(list[0]).on_bar(Player::One);
            assert_eq!(usize::from(entered), if roll.is_double() { 2 * enters } else { enters }, "{game}");
            assert_eq!(game.after(list[0]).mover(), Player::Two);
        }
    }
}

/// Boards that no game can lead to say what is wrong with them.
#[test]
fn impossible_boards_are_refused() {
    for (text, words) in [
        ("00000503000050000000000300/00000503000050000000000200", "One has 16 checkers"),
        ("00000000000000000000000000/00000503000050000000000200", "One has 0 checkers"),
        ("0000000000000000000000000f/0000000000000000000000000f", "both sides have borne off"),
        ("22222200000000000000000030/22222200000000000000000030", "both sides are on the bar"),
        ("00000503000050000000000200/20000503000050000000000000", "both sides have checkers on player one's 24-point"),
        ("1000000000000000000000000e/0000000000000000000000000f one 31", "nothing is to be rolled"),
        ("1000000000000000000000000e/1000000000000000000000000e opening 31", "one or two, not opening"),
        ("1000000000000000000000000e one", "two sides with /"),
        ("1000000000000000000000000e/100000000000000000000000e", "26 digits"),
        ("1000000000000000000000000e/1000000000000000000000000e three", "not one, two or opening"),
        ("1000000000000000000000000e/1000000000000000000000000e one 71", "not a roll"),
        ("1000000000000000000000000e/1000000000000000000000000e one - 7:7-0", "a match to 7 points is over"),
        ("1000000000000000000000000e/1000000000000000000000000e one - money 3", "not a cube"),
    ] {
        let error = text.parse::<Backgammon>().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// As they are copied from other programs, and cut short.
#[test]
fn identifiers_are_read_as_they_are_copied() {
    let game: Backgammon = "4HPwATDgc/ABMA:cAkAAAAAAAAE".parse().unwrap();
    for text in [
        " 4HPwATDgc/ABMA ",
        "4HPwATDgc/ABMA cAkAAAAAAAAE",
        "Position ID: 4HPwATDgc/ABMA\nMatch ID   : cAkAAAAAAAAE\n",
        "Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAE",
        "position id: 4HPwATDgc/ABMA",
        "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    ] {
        assert_eq!(text.parse(), Ok(game), "{text}");
    }
    for text in
        ["4HPwATDgc/ABM", "4HPwATDgc/ABMA:", "4HPwATDgc/ABMA:cAkAAAAAAAA", "Match ID: cAkAAAAAAAAE", "", "opening", "gnubg"]
    {
        let error = text.parse::<Backgammon>().unwrap_err().to_string();
        assert!(error.contains("an XGID, a position id (14 letters) with or without a match id"), "{text}: {error}");
    }
}

/// Match texts that GNU Backgammon writes say so; the word for word play is legal in the last position only.
#[test]
fn the_point_on_the_way_home_may_be_the_wrong_one() {
    for (position, text, meant) in [
        ("0020100000000000000000000c/1000000000000000000000000e one 42", "5/1 1/0", "5/off"),
        ("0020100000000000000000000c/1000000000000000000000000e one 42", "1/0 5/1", "5/off"),
        ("0020100000000000000000000c/1000000000000000000000000e one 42", "5/1/off", "5/off"),
        ("0000100000000000000000000e/1000000000000000000000000e one 42", "5/1 1/0", "5/off"),
    ] {
        let game: Backgammon = position.parse().unwrap();
        let play = notation::parse(&game, text).unwrap();
        assert_eq!(notation::text(&game, play), meant, "{text}");
    }
    let game: Backgammon = "0020100000000000000000000c/1000000000000000000000000e one 42".parse().unwrap();
    for text in ["5/1* 1/0", "5/1 3/0", "5/1 1/0 3/0", "5/2 2/1"] {
        assert!(notation::parse(&game, text).is_err(), "{text}");
    }
}

/// As GNU Backgammon 1.07 writes and reads it: there is no Crawford game, and "the cube is dead".
#[test]
fn a_match_to_one_point_has_no_doubles() {
    let start = "00000503000050000000000200/00000503000050000000000200 one - 1:0-0 1";
    let game: Backgammon = start.parse().unwrap();
    assert_eq!(gnubg::text(&game), "4HPwATDgc/ABMA:cAkgAAAAAAAE");
    // The Crawford bit and field, which are read over.
    for text in [&*gnubg::text(&game), "4HPwATDgc/ABMA:8AkgAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:1:10"] {
        let read: Backgammon = text.parse().unwrap();
        assert_eq!(read, game, "{text}");
        assert!(!read.may_double() && !read.with_seats_exchanged().may_double());
    }
    let board = fibs::Board { game, names: ["root".into(), "gnubg".into()] };
    let text = "board:root:gnubg:1:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1";
    assert_eq!(fibs::parse(text), Ok(board.clone()));
    assert_eq!(fibs::text(&board), text);
    let doubled = " 1 point match\n\n Game 1\n a : 0       b : 0\n 1) 31: 8/5 6/5     Doubles => 2\n";
    assert!(mat::parse(doubled).unwrap_err().to_string().contains("line 5: no double"));
    assert!(mat::parse(&doubled.replacen('1', "2", 1)).is_ok());
}

/// One game alone does not tell whether the Crawford game came before it.
#[test]
fn a_game_after_the_crawford_game_comes_back_as_one() {
    for (stakes, crawford) in [("5:4-2", false), ("5:4-2+crawford", true), ("5:4-4", false), ("5:3-2", false), ("1:0-0", false)] {
        let start: Backgammon =
            format!("{} opening - {stakes} 1", Backgammon::start(Setup::Standard).board_text()).parse().unwrap();
        let mut record = Record::from(start);
        for word in ["1-3", "8/5,6/5", "61"] {
            record.push_text(word).unwrap();
        }
        let whole = Match::of(&record).unwrap();
        assert_eq!(whole.names, ["one", "two"]);
        for read in [mat::parse(&mat::text(&whole).unwrap()), sgf::parse(&sgf::text(&whole).unwrap())] {
            let read = read.unwrap().record(0).unwrap();
            assert_eq!(read.history().start(), &start, "{stakes}");
            assert_eq!(read.history().steps(), &record.history().steps()[..2]);
            assert_eq!(read.history().start().stakes().is_crawford(), crawford);
        }
    }
    // As GNU Backgammon 1.07 saves one: the rule is named, this game is not it.
    let after = "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:5][game:4][ws:4][bs:2]PW[a]PB[b]RU[Crawford]\n;W[31hefe];B[double];W[take])";
    let read = sgf::parse(after).unwrap();
    assert_eq!(read.record(0).unwrap().history().state().to_string().split(' ').skip(3).collect::<Vec<_>>(), ["5:2-4", "2-two"]);
    let crawford = after.replace("RU[Crawford]", "RU[Crawford:CrawfordGame]");
    assert!(sgf::parse(&crawford).unwrap_err().to_string().contains("no double"));
    // The tag of eXtreme Gammon and others.
    let text = " 5 point match\n\n Game 1\n a : 4       b : 2\n 1)                                 31: 8/5 6/5\n 2) 21: 13/11 6/5      Doubles => 2\n";
    assert!(mat::parse(text).unwrap_err().to_string().contains("line 6: no double"));
    for value in ["Off", "off"] {
        assert!(mat::parse(&format!("; [Site \"x\"]\n; [Crawford \"{value}\"]\n{text}")).is_ok(), "{value}");
    }
    assert!(mat::parse(&format!("; [Crawford \"On\"]\n{text}")).is_err());
    assert!(mat::parse(&format!("{text}; [Crawford \"Off\"]\n")).is_err());
}

#[test]
fn games_of_matches_become_records() {
    let text = " 7 point match\n\n Game 1\n Ann : 0       Bob : 0\n 1)                                 31: 8/5 6/5\n 2) 62: 24/18 13/11     Doubles => 2\n 3) Takes       55: 13/3(2)\n\n Game 2\n Ann : 0       Bob : 2\n 1) 11: 8/7(2) 6/5(2)\n      Wins 1 point\n\n Game 3\n Ann : 1     Bob : 2\n";
    let whole = mat::parse(text).unwrap();
    let record = whole.record(0).unwrap();
    // Two starts with the higher die, and has lost the cube from the first.
    assert_eq!(record.history().steps_text(), "1-3 8/5,6/5 62 24/18,13/11 55 13/3(2)");
    assert!(record.history().start().to_string().ends_with(" opening - 7:0-0 2-one"), "{}", record.history().start());
    let tags = record.tags().iter().map(|(tag, value)| format!("{tag}: {value}")).collect::<Vec<_>>();
    assert_eq!(tags, ["one: Ann", "two: Bob", "cube: from the first as it was at the end"]);
    assert!(Match::of(&record).unwrap_err().to_string().contains("cube at 1"));
    // Nobody starts with a double by the rules, but such texts are read.
    let record = whole.record(1).unwrap();
    assert_eq!(record.history().steps_text(), "11 8/7(2),6/5(2)");
    assert!(record.tags().contains(&("result".into(), "B+1R".into())));
    assert_eq!(Match::of(&record).unwrap().games[0].actions, whole.games[1].actions);
    assert!(whole.record(2).unwrap().history().state().is_opening());
    assert_eq!(whole.record(3).unwrap_err().to_string(), "there is no game 4: they are numbered 1 to 3");
    let placed = Record::from("0000020000000000000000000d/1000000000000000000000000e one".parse::<Backgammon>().unwrap());
    assert!(Match::of(&placed).unwrap_err().to_string().contains("usual set-up"));
}

/// Plays that are refused say why.
#[test]
fn refused_plays_say_why() {
    let opening = "00000503000050000000000200/00000503000050000000000200 one 31";
    let home = "02200200000000000000000009/1000000000000000000000000e one 31";
    let larger = "00000000010000000000000000/00000000000000000000002000 one 62";
    let doubles = "00000503000050000000000200/00000503000050000000000200 one 22";
    let bar = "00000503000050000000000110/00010403000050000000000200 one 31";
    let closed = "00000503000050000000000010/22222200000000000000000003 one 31";
    for (position, text, words) in [
        (opening, "8/5", "not a whole play: 2"),
        (opening, "8/5 6/5 6/5", "dice do not allow"),
        (opening, "double", "nobody doubles or resigns here"),
        (opening, "Resign gammon", "nobody doubles or resigns here"),
        (closed, "take", "nobody doubles or resigns here"),
        (opening, "8/3 6/5", "no die, nor a sum of dice, is 5"),
        (opening, "42: 8/4 6/4", "the roll is 31, not 42"),
        (opening, "31 8/5 6/5", "is not a play"),
        (opening, "3: 8/5 6/5", "is not a play"),
        (opening, "8/5*", "no single enemy"),
        (opening, "7/6", "no checker of yours on 7"),
        (opening, "6/8", "towards the 1-point"),
        (opening, "13/12 13/10 6/5 6/5 6/5", "at most four"),
        (opening, "pass", "may not pass"),
        (opening, "6/off", "may be borne off before all are at home"),
        (bar, "bar/24", "not a whole play: 2"),
        (home, "6/off", "no die, nor a sum of dice, is 6 or more"),
        (home, "3/off 2/off", "do not allow"),
        (larger, "10/8", "only one die can be played, and then it must be the larger one: the 6"),
        (doubles, "6/4(2) 6/4", "not a whole play: 4"),
        (opening, "24/21 13/12 (2", "is not a play"),
        (opening, "", "is not a play"),
        (bar, "6/5 6/3", "bar must enter first"),
        (closed, "6/5", "the only play is pass"),
    ] {
        let game: Backgammon = position.parse().unwrap();
        let error = notation::parse(&game, text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert!(game.parse_move(text).is_err(), "{text}");
    }
    let start = Backgammon::start(Setup::Standard);
    assert_eq!(notation::parse(&start, "8/5 6/5"), Err(notation::NotationError::NoRoll));
}

/// As they stand in match files, on servers and in books.
#[test]
fn plays_are_read_in_many_spellings() {
    for (position, meant, texts) in [
        (
            "00000503000050000000000200/00000503000050000000000200 one 31",
            "8/5 6/5",
            &["31: 8/5 6/5", "13: 6/5 8/5", "31:8/5,6/5", " 31 : 6-5  8-5", "08/05 06/05"][..],
        ),
        (
            "00000503000050000000000200/00000011000050000000000800 one 66",
            "24/18*(2) 13/7(2)",
            &[
                "24/18*(2) 13/7(2)",
                "24/18(2)* 13/7(2)",
                "24/18 (2)* 13/7 (2)",
                "24/18* 24/18 13/7 13/7",
                "13/7(2) 24/18(2)",
                "24-18(2),13-7(2)",
            ],
        ),
        (
            "00000503000050000000000110/00000503000050000000000200 one 31",
            "bar/22 24/23",
            &["BAR/22 24/23", "b-22 24-23", "25/22 24/23"],
        ),
        (
            "2200000000000000000000000b/1000000000000000000000000e one 21",
            "2/off 1/off",
            &["2/0 1/0", "1/o 2/O", "2/Off, 1/OFF", "2/off 1/off"],
        ),
    ] {
        let game: Backgammon = position.parse().unwrap();
        for text in texts {
            let play = notation::parse(&game, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(notation::text(&game, play), meant, "{text}");
            assert_eq!(game.parse_move(text), Ok(play), "{text}");
        }
    }
}

/// A random match, its plays and doubles drawn from all that the rules allow.
fn random_match(seed: u64) -> Match {
    let rng = &mut generator(seed);
    let (length, setup) = (below(rng, 8) as u16, Setup::ALL[below(rng, 3)]);
    let mut score = [0u16; 2];
    let without_crawford = length > 0 && below(rng, 3) == 0;
    let jacoby = length == 0 && below(rng, 3) == 0;
    let names = ["Ann Lee".into(), "Bob 2".into()];
    let mut whole = Match { setup, length, without_crawford, jacoby, names, games: vec![] };
    let mut crawford = without_crawford;
    while whole.games.len() < 4 && (length == 0 || score.iter().all(|&s| s < length)) {
        let mut stakes = if length == 0 { Stakes::MONEY.with_score(score) } else { Stakes::match_of(length, score) }.unwrap();
        if jacoby {
            stakes = stakes.with_jacoby().unwrap();
        }
        if let (Ok(game), false) = (stakes.with_crawford(), crawford) {
            stakes = game;
        }
        crawford |= length > 0 && score.contains(&(length - 1));
        let mut state = Backgammon::start(setup).with_stakes(stakes);
        let mut game = game::Game { score, ..Default::default() };
        game.won = loop {
            let mover = state.mover();
            match state.turn() {
                Turn::Over(outcome) => break outcome.winner().map(|seat| (seat, state.stakes().points(outcome).unsigned_abs())),
                // Pointless doubles too.
                Turn::Chance(_) if !state.is_opening() && state.stakes().cube_allows(mover) && below(rng, 20) == 0 => {
                    game.actions.push((mover, Action::Double));
                    if below(rng, 4) == 0 {
                        game.actions.push((mover.other(), Action::Drop));
                        break Some((mover, state.stakes().cube()));
                    }
                    game.actions.push((mover.other(), Action::Take));
                    let stakes = state.stakes();
                    let stakes = stakes.with_cube(stakes.cube_log2() + 1, Cube::Owned(mover.other())).unwrap();
                    state = state.with_stakes(stakes);
                }
                Turn::Chance(chance) => state.resolve(gamecore::Chance::sample(&chance, rng)),
                Turn::Decide(_) => {
                    let m = state.random_move(rng);
                    game.actions.push((mover, Action::Play(state.dice().unwrap(), m)));
                    state.play(m);
                }
            }
            if below(rng, 2000) == 0 && !matches!(state.turn(), Turn::Over(_)) {
                break None;
            }
        };
        if let Some((seat, points)) = game.won {
            score[seat] += points as u16;
        }
        whole.games.push(game);
    }
    whole
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn matches_are_read_back(seed: u64) {
        let whole = random_match(seed);
        let text = mat::text(&whole).unwrap();
        let read = mat::parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&whole), "{}", text);
        let text = sgf::text(&whole).unwrap();
        prop_assert_eq!(sgf::parse(&text), Ok(whole.clone()), "{}", text);
        for (i, game) in whole.games.iter().enumerate() {
            let states = game.states(&whole, i).unwrap();
            prop_assert_eq!(states.len(), game.actions.len() + 1);
            // The same as a record, but for doubles.
            let record = whole.record(i).unwrap();
            let (last, end) = (states.last().unwrap(), record.history().state());
            prop_assert_eq!((last.board_text(), last.outcome()), (end.board_text(), end.outcome()));
            prop_assert_eq!(end.stakes(), last.stakes());
            prop_assert_eq!(Record::parse(&record.to_text()).map(|r: Record<Backgammon>| r.history().steps().to_vec()), Ok(record.history().steps().to_vec()));
            let doubled = game.actions.iter().any(|(_, action)| !matches!(action, Action::Play(..)));
            match Match::of(&record) {
                Ok(of) => prop_assert!(last.stakes().cube() == 1 && (doubled || of.games == [game.clone()] || of.games[0].won.is_none())),
                Err(_) => prop_assert!(last.stakes().cube() > 1),
            }
        }
    }

    #[test]
    fn spoiled_matches_are_refused_without_panic(seed: u64, at: usize, with in "[ -~é\n]{0,3}", cut: bool) {
        let whole = random_match(seed);
        let mut record: Vec<char> = sgf::text(&whole).unwrap().chars().collect();
        let place = at % record.len();
        record.splice(place..=place, with.chars());
        if let Ok(read) = sgf::parse(&String::from_iter(record)) {
            prop_assert_eq!(sgf::parse(&sgf::text(&read).unwrap()), Ok(read));
        }
        let mut text: Vec<char> = mat::text(&whole).unwrap().chars().collect();
        let at = at % text.len();
        if cut { text.truncate(at) } else { drop(text.splice(at..=at, with.chars())) }
        if let Ok(read) = mat::parse(&String::from_iter(text)) {
            let again = mat::text(&read).unwrap();
            prop_assert_eq!(mat::parse(&again).map(|m| m.games), Ok(read.games), "{}", again);
        }
    }
}
