//! Promises that hold in every position, on random positions and against slow, obvious code.

use gamecore::random::{below, generator};
use gamecore::testing::{self, Trials, moves};
use gamecore::{Draw, Game, Outcome, Player, Record, Step, Text, Turn, playout, uniform};
use games_connect6::{Connect6, Point, Rules, RulesError, SetupError, letters};
use proptest::prelude::*;

fn at(x: u8, y: u8) -> Point {
    Point::new(x, y).unwrap()
}

/// Empty boards of several games of the family, and crowded ones near their end.
fn starts() -> Vec<Connect6> {
    let rules = [(19, 6, 2, 1), (6, 6, 2, 1), (20, 6, 2, 1), (9, 5, 3, 2), (3, 3, 1, 1), (7, 4, 2, 3), (5, 3, 4, 1)];
    let mut all: Vec<Connect6> = rules.map(|(n, k, p, q)| Connect6::start(Rules::new(n, k, p, q).unwrap())).into();
    all.extend(testing::positions(&Connect6::start(Rules::connect6(8).unwrap()), 3, 6, 20..=50));
    all.push("xxxx2/oooo2/6/6/6/6 two 2".parse().unwrap());
    all.push("xxxxx1/oooo2/6/6/6/6 one 1".parse().unwrap());
    all
}

fn few(games: u32) -> Trials {
    Trials { games, ..Trials::default() }
}

#[test]
fn conforms() {
    testing::conformance(&starts(), few(2));
}

#[test]
fn texts_are_read_back() {
    testing::text_round_trip(&starts(), few(2));
}

#[test]
fn pictures_can_be_shown() {
    testing::picture(&starts(), few(2));
}

#[test]
fn symmetries_hold() {
    testing::symmetry(&starts().into_iter().filter(|g| g.board().size() < 9).collect::<Vec<_>>(), few(4));
    testing::symmetry(&[Connect6::default()], Trials { games: 1, steps: 60, ..Trials::default() });
}

/// The same stones give the same key, whatever their order within a turn; rules, seats to move and stones left have keys of their
/// own.
#[test]
fn keys_tell_positions_apart() {
    let play = |list: &[(u8, u8)]| list.iter().fold(Connect6::default(), |game, &(x, y)| game.after(at(x, y)));
    let [a, b] = [play(&[(9, 9), (8, 8), (9, 8), (3, 4), (5, 6)]), play(&[(9, 9), (9, 8), (8, 8), (5, 6), (3, 4)])];
    assert_eq!((a.key(), &a), (b.key(), &b));
    // The same points, other owners.
    assert_ne!(play(&[(9, 9), (3, 4), (5, 6), (8, 8), (9, 8)]).key(), a.key());
    let stones = || [(at(9, 9), Player::One), (at(8, 8), Player::Two)];
    let mut all = vec![a];
    for (n, k, p, q) in [(19, 6, 2, 1), (19, 6, 2, 2), (19, 6, 3, 1), (19, 5, 2, 1), (18, 6, 2, 1)] {
        let rules = Rules::new(n, k, p, q).unwrap();
        for mover in Player::BOTH {
            all.extend([1, 2].map(|left| Connect6::study(rules, stones(), mover, left).unwrap()));
        }
    }
    for (i, game) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| other != game && other.key() != game.key()), "{game}");
    }
}

/// A turn goes on after its first stone, and not after its last; a stone that wins ends it.
#[test]
fn turns_have_their_stones() {
    let mut game = Connect6::default();
    let mut seen = Vec::new();
    for x in 0..6 {
        seen.push((game.turn(), game.left()));
        game.play(at(x, 3 * (x % 5)));
    }
    let [one, two] = Player::BOTH.map(Turn::Decide);
    assert_eq!(seen, [(one, 1), (two, 2), (two, 1), (one, 2), (one, 1), (two, 2)]);
    // Five in a row, and two stones to put.
    let game: Connect6 = "xxxxx1/oooo2/o5/6/6/6 one 2".parse().unwrap();
    let won = game.after(at(5, 0));
    assert_eq!((won.turn(), won.mover(), won.left()), (Turn::Over(Outcome::win(Player::One)), Player::One, 1));
    assert!(won.clone().try_play(at(5, 5)).is_err());
    let later = game.after(at(5, 5)).after(at(5, 0));
    assert_eq!(later.outcome(), Some(Outcome::win(Player::One)));
}

#[test]
fn impossible_games_and_positions_are_refused() {
    assert_eq!(Rules::new(2, 3, 2, 1), Err(RulesError::Size { size: 2 }));
    assert_eq!(Rules::connect6(21), Err(RulesError::Size { size: 21 }));
    assert_eq!(Rules::connect6(5), Err(RulesError::Length { length: 6, size: 5 }));
    assert_eq!(Rules::new(9, 7, 2, 1), Err(RulesError::Length { length: 7, size: 9 }));
    assert!(Rules::new(9, 6, 0, 1) == Err(RulesError::NoStones) && Rules::new(9, 6, 1, 0) == Err(RulesError::NoStones));
    let make = |stones: &[(Point, Player)]| Connect6::from_stones(Rules::CONNECT6, stones.iter().copied());
    assert_eq!(make(&[(at(19, 0), Player::One)]), Err(SetupError::Outside { x: 19, y: 0, size: 19 }));
    assert_eq!(make(&[(at(2, 3), Player::One), (at(2, 3), Player::Two)]), Err(SetupError::Twice { x: 2, y: 3 }));
    assert_eq!(make(&[(at(2, 3), Player::Two)]), Err(SetupError::Counts { counts: [0, 1], expected: [1, 0] }));
    let rows: Vec<_> = (0..6).flat_map(|x| [(at(x, 0), Player::One), (at(x, 1), Player::Two)]).collect();
    assert_eq!(make(&rows), Err(SetupError::BothWon));
    for left in [0, 3] {
        assert_eq!(Connect6::study(Rules::CONNECT6, [], Player::One, left), Err(SetupError::Left { left, most: 2 }));
    }
    for (text, rules) in
        [("", None), ("15", Some((15, 6, 2, 1))), ("9, 5,1,1", Some((9, 5, 1, 1))), ("9,5,1,1,1", None), ("9,+5", None)]
    {
        assert_eq!(text.parse().ok(), rules.map(|(n, k, p, q)| Rules::new(n, k, p, q).unwrap()), "{text}");
    }
    assert_eq!(Rules::CONNECT6.to_string(), "19,6,2,1");
}

/// Who has how long a row, point by point.
fn slow_outcome(game: &Connect6) -> Option<Outcome> {
    let size = i32::from(game.board().size());
    let stone = |x: i32, y: i32| {
        let inside = (0..size).contains(&x) && (0..size).contains(&y);
        inside.then(|| at(x as u8, y as u8)).and_then(|p| game.board().stone(p))
    };
    for point in game.board().points() {
        let (x, y) = (i32::from(point.x()), i32::from(point.y()));
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for player in Player::BOTH {
                if (0..game.rules().length().into()).all(|i| stone(x + dx * i, y + dy * i) == Some(player)) {
                    return Some(Outcome::win(player));
                }
            }
        }
    }
    game.board().points().all(|p| game.board().stone(p).is_some()).then_some(Outcome::Draw)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 200 }))]

    /// A random game ends when it should and not before, its turns have their stones, its stones are counted, and its record is
    /// read back.
    #[test]
    fn games_end_with_a_row_or_a_full_board(
        seed in any::<u64>(), size in 6..=20u8, length in 3..=6u8, each in 1..=4u8, first in 1..=4u8,
    ) {
        let rng = &mut generator(seed);
        let rules = Rules::new(size, length, each, first).unwrap();
        let mut record = Record::from(Connect6::start(rules));
        loop {
            let game = record.history().state();
            prop_assert_eq!(game.outcome(), slow_outcome(game));
            let stones = game.board().count();
            prop_assert_eq!(game.counts(), rules.counts(stones));
            prop_assert_eq!((game.mover(), game.left()), (rules.turns().mover(stones), rules.turns().left(stones)));
            let all: Vec<_> = game.board().points().filter_map(|p| game.board().stone(p).map(|s| (p, s))).collect();
            prop_assert_eq!(&Connect6::from_stones(rules, all.iter().copied().rev()).unwrap(), game);
            if let Turn::Over(_) = game.turn() { break; }
            prop_assert_eq!(moves(game).len(), usize::from(game.board().empty_count()));
            // A quarter of the moves win if they can.
            let near = moves(game).into_iter().find(|p| below(rng, 4) == 0 && game.after(*p).outcome().is_some());
            record.push(Step::Move(near.unwrap_or(game.random_move(rng))), None);
        }
        let end = record.history().state();
        let picture = end.picture(record.history().steps().last().copied()).to_string();
        prop_assert!(picture.contains("won") || picture.contains("Drawn"));
        let read = Record::<Connect6>::parse(&record.to_text()).unwrap();
        prop_assert_eq!(read.history().state(), end);
    }

    /// No text makes the parsers panic, and what they take they write back.
    #[test]
    fn texts_do_not_panic(text in "[xo./0-9 A-T,é@-]{0,60}", mover in "( one| two|)", rest in "( 1| 2|)( 3,2,1|)") {
        if let Ok(game) = Connect6::parse_position(&format!("{text}{mover}{rest}")) {
            prop_assert_eq!(Connect6::parse_position(&game.to_string()), Ok(game));
        }
        let game = Connect6::default();
        if let Ok(m) = game.parse_move(&text) {
            prop_assert_eq!(game.parse_move(&letters(m)), Ok(m));
        }
    }
}

/// Games played at once end as games played move by move do: as often for either side, and drawn.
#[test]
fn random_outcomes_are_those_of_random_games() {
    for (n, k, p, q, stones) in [(19, 6, 2, 1, 0), (8, 6, 2, 1, 20), (9, 5, 1, 1, 10), (6, 4, 3, 2, 8), (4, 3, 2, 1, 3)] {
        let mut start = Connect6::start(Rules::new(n, k, p, q).unwrap());
        let rng = &mut generator(11);
        for _ in 0..stones {
            let quiet = moves(&start).into_iter().filter(|&m| start.after(m).outcome().is_none());
            let quiet: Vec<Point> = quiet.collect();
            start.play(quiet[below(rng, quiet.len())]);
        }
        let games = 4000;
        let (mut slow, mut fast) = ([0u32; 3], [0u32; 3]);
        let number = |outcome: Outcome| outcome.winner().map_or(2, Player::index);
        for _ in 0..games {
            slow[number(playout(start.clone(), rng, &mut uniform).1)] += 1;
            fast[number(start.random_outcome(rng))] += 1;
        }
        // The standard deviation of a difference is at most the root of half the games, 45.
        assert!(slow.iter().zip(&fast).all(|(a, b)| a.abs_diff(*b) < 200), "{start}: {slow:?} {fast:?}");
        assert!(slow[0] > 0 && slow[1] > 0);
    }
    let over: Connect6 = "xxxxxx/6/oooo2/6/6/6 two 1".parse().unwrap();
    assert_eq!(over.random_outcome(&mut generator(1)), Outcome::win(Player::One));
}
