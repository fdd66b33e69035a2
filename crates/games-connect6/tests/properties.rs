//! Promises that hold in every position, on random positions and against slow, obvious code.

use gamecore::random::{below, generator};
use gamecore::testing::{self, Trials, moves};
use gamecore::{Draw, Game, Outcome, Player, Record, Step, Text, Turn, playout, uniform};
use games_connect6::{
    Connect6, Forced, Narrowed, Point, Rules, RulesError, SetupError, Threats, Vcdt, Windows, formats, letters, winning,
};
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
fn windows_follow_the_game() {
    testing::tracked::<Windows, _>(&starts(), few(2));
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

/// A position in which the sides have built rows, not over.
fn position(seed: u64, size: u8, length: u8, stones: usize) -> Option<Connect6> {
    let rng = &mut generator(seed);
    let mut game = Connect6::start(Rules::new(size, length, 2, 1).unwrap());
    for _ in 0..stones {
        let windows = game.windows();
        let best = moves(&game).into_iter().max_by_key(|&m| (windows.weight(game.mover(), m), below(rng, 1000)));
        let m = if below(rng, 2) == 0 { game.random_move(rng) } else { best? };
        game.play(m);
        if game.outcome().is_some() {
            return None;
        }
    }
    Some(game)
}

/// The turns of the mover that win at once, by the rules alone: single points, and pairs of others.
fn slow_winning(game: &Connect6) -> (Vec<Point>, Vec<[Point; 2]>) {
    let won = |g: &Connect6| g.outcome() == Some(Outcome::win(game.mover()));
    let points: Vec<Point> = moves(game).into_iter().filter(|&m| won(&game.after(m))).collect();
    let mut pairs = Vec::new();
    if game.left() > 1 {
        for a in moves(game).into_iter().filter(|a| !points.contains(a)) {
            let first = game.after(a);
            if first.outcome().is_none() {
                pairs.extend(
                    moves(&first).into_iter().filter(|b| a < *b && !points.contains(b) && won(&first.after(*b))).map(|b| [a, b]),
                );
            }
        }
    }
    (points, pairs)
}

fn wins_at_once(game: &Connect6) -> bool {
    let (points, pairs) = slow_winning(game);
    !points.is_empty() || !pairs.is_empty()
}

/// All positions after the mover's turn.
fn turns(game: &Connect6) -> Vec<(Vec<Point>, Connect6)> {
    let mut all = Vec::new();
    for a in moves(game) {
        let first = game.after(a);
        if first.outcome().is_some() || first.mover() != game.mover() {
            all.push((vec![a], first));
        } else {
            all.extend(moves(&first).into_iter().filter(|b| *b > a).map(|b| (vec![a, b], first.after(b))));
        }
    }
    all
}

/// The turns after which the opponent can neither win nor stop the mover from winning next: by trying everything.
fn slow_double_threats(game: &Connect6) -> Vec<Vec<Point>> {
    let lost = |answer: &Connect6| answer.outcome().is_none() && wins_at_once(answer);
    let all = turns(game).into_iter().filter(|(_, after)| after.outcome().is_none());
    all.filter(|(_, after)| turns(after).iter().all(|(_, answer)| lost(answer))).map(|(turn, _)| turn).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 400 }))]

    /// Winning turns, threats and what stops them are those that trying everything finds.
    #[test]
    fn threats_are_what_the_rules_say(seed in any::<u64>(), size in 6..=8u8, length in 4..=6u8, stones in 4..30usize) {
        let Some(game) = position(seed, size, length, stones) else { return Ok(()) };
        let windows = game.windows();
        let (points, pairs) = slow_winning(&game);
        let found = winning(&windows, game.mover(), game.left());
        prop_assert_eq!((&found.points, &found.pairs), (&points, &pairs), "{}", game);
        prop_assert_eq!(windows.can_win(game.mover(), game.left()), !found.is_empty());
        // What the other side would do.
        let opponent = game.passed().unwrap();
        let threats = Threats::of(&windows, opponent.mover());
        let (points, pairs) = slow_winning(&opponent);
        let singles = threats.rows().iter().filter(|row| row.points().len() == 1).map(|row| row.points()[0]);
        prop_assert_eq!(singles.collect::<Vec<_>>(), points.clone());
        for pair in &pairs {
            prop_assert!(threats.rows().iter().any(|row| row.points() == pair), "{game}: {pair:?}");
        }
        prop_assert_eq!(threats.rows().is_empty(), points.is_empty() && pairs.is_empty());
        // Which stones of the mover's stop all that.
        let whole = Connect6::study(game.rules(), stones_of(&game), game.mover(), 2).unwrap();
        if wins_at_once(&whole) || threats.rows().is_empty() {
            return Ok(());
        }
        let stopping = |after: &Connect6| after.outcome() == Some(Outcome::Draw) || after.outcome().is_none() && !wins_at_once(after);
        let (blocks, block_pairs) = (threats.blocking_points(), threats.blocking_pairs());
        let mut saved = false;
        for (turn, after) in turns(&whole) {
            let stops = stopping(&after);
            saved |= stops;
            let listed = turn.iter().any(|p| blocks.contains(p)) || block_pairs.iter().any(|pair| pair.iter().all(|p| turn.contains(p)));
            prop_assert_eq!(stops, listed, "{} {:?}", game, turn);
            prop_assert_eq!(stops, threats.are_stopped_by(&turn));
        }
        prop_assert_eq!(threats.level() <= 2, saved);
        prop_assert_eq!(threats.level() == 1, !blocks.is_empty());
    }
}

fn stones_of(game: &Connect6) -> Vec<(Point, Player)> {
    game.board().points().filter_map(|p| game.board().stone(p).map(|s| (p, s))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 300 }))]

    /// All turns that leave more threats than can be stopped are those that trying everything finds.
    #[test]
    fn double_threats_are_what_the_rules_say(seed in any::<u64>(), length in 4..=5u8, stones in 4..14usize) {
        let Some(game) = position(seed, 6, length, stones) else { return Ok(()) };
        if wins_at_once(&game) {
            return Ok(());
        }
        let windows = game.windows();
        let slow = slow_double_threats(&game);
        let mut vcdt = Vcdt::default().with_turns(2);
        let found = vcdt.win(&windows, game.mover(), game.left());
        prop_assert_eq!(matches!(found, Forced::Win(_)), !slow.is_empty(), "{}: {:?} {:?}", game, found, slow);
        if game.left() == 2 {
            let lines: Vec<Vec<Point>> = vcdt.wins(&windows, game.mover()).unwrap().iter().map(|line| line[..2].to_vec()).collect();
            prop_assert_eq!(lines, slow, "{}", game);
        }
    }

    /// A win that is claimed is one, whatever the defender plays.
    #[test]
    fn wins_are_wins(seed in any::<u64>(), length in 4..=6u8, size in 6..=9u8, stones in 6..26usize) {
        let Some(game) = position(seed, size, length, stones) else { return Ok(()) };
        let mut vcdt = Vcdt::default().with_turns(4).with_nodes(400);
        if let Forced::Win(line) = vcdt.win(&game.windows(), game.mover(), game.left()) {
            prop_assert!(is_won(&game, &mut vcdt, 4), "{game}: {line:?}");
        }
    }

    /// The listed defences leave no win, and all others do.
    #[test]
    fn defences_are_complete(seed in any::<u64>(), length in 4..=5u8, stones in 6..16usize) {
        let Some(game) = position(seed, 6, length, stones) else { return Ok(()) };
        let mut vcdt = Vcdt::default().with_turns(3).with_nodes(5000);
        let attacker = game.mover().other();
        let wins = |vcdt: &mut Vcdt, g: &Connect6| vcdt.win(&g.windows(), attacker, 2);
        let found = vcdt.defences(&game.windows(), game.mover(), game.left()).unwrap();
        if wins(&mut vcdt, &game.passed().unwrap()) == Forced::No {
            prop_assert_eq!(found, None);
            return Ok(());
        }
        let found = found.expect("a threat");
        for (turn, after) in turns(&game).into_iter().filter(|(_, after)| after.outcome().is_none()) {
            if found.contains(&turn) {
                prop_assert_eq!(wins(&mut vcdt, &after), Forced::No, "{} {:?}", game, turn);
            } else {
                // One turn can win that `win`, which puts a stone that can go anywhere on one point, does not try.
                let windows = after.windows();
                let lost = windows.can_win(attacker, 2) || !vcdt.wins(&windows, attacker).unwrap().is_empty();
                prop_assert!(lost, "{} {:?}", game, turn);
            }
        }
    }
}

/// Whether the mover wins in so many turns, following the search against every answer that does not lose at once.
fn is_won(game: &Connect6, vcdt: &mut Vcdt, own_turns: u8) -> bool {
    let Forced::Win(line) = vcdt.win(&game.windows(), game.mover(), game.left()) else { return false };
    let mut now = game.clone();
    let mut stones = line.iter();
    while now.outcome().is_none() && now.mover() == game.mover() {
        let Some(&m) = stones.next() else { return false };
        if now.try_play(m).is_err() {
            return false;
        }
    }
    match now.outcome() {
        Some(outcome) => outcome == Outcome::win(game.mover()),
        None if own_turns < 2 || wins_at_once(&now) => false,
        None => turns(&now).into_iter().all(|(_, after)| {
            after.outcome().is_none()
                && (!winning(&after.windows(), after.mover(), 2).is_empty() || is_won(&after, vcdt, own_turns - 1))
        }),
    }
}

/// Wins that take several double threats are wins too, against everything the defender can do.
#[test]
fn long_wins_are_wins() {
    let (mut long, mut half) = (0, 0);
    for seed in 0.. {
        if long >= 12 && half >= 2 {
            return;
        }
        assert!(seed < 3000, "only {long} long wins were found to check, {half} of them in the middle of a turn");
        let length = 5 + (seed % 2) as u8;
        let Some(game) = position(seed, 8, length, 8 + (seed % 23) as usize) else { continue };
        let mut vcdt = Vcdt::default().with_turns(5).with_nodes(300);
        let Forced::Win(line) = vcdt.win(&game.windows(), game.mover(), game.left()) else { continue };
        if line.len() > 7 {
            assert!(is_won(&game, &mut vcdt, 5), "{game}: {line:?}");
            long += 1;
            half += u32::from(game.left() == 1);
        }
    }
}

/// Turns that win against the conservative defence win with one more stone of the defender's, too, unless it is on one of the points that
/// they rest on.
#[test]
fn plans_rest_on_their_points() {
    let (mut checked, mut broken) = (0, 0);
    for game in promising_games(4, if cfg!(debug_assertions) { 12 } else { 60 }) {
        let (windows, mover) = (game.windows(), game.mover());
        if windows.can_win(mover, 2) {
            assert_eq!(Vcdt::replay(&windows, mover, []), None);
            continue;
        }
        let mut vcdt = Vcdt::default().with_conservative_defence(true);
        let Forced::Win(line) = vcdt.win(&windows, mover, 2) else { continue };
        let plan = vcdt.plan();
        let (place, points) = Vcdt::replay(&windows, mover, [&[][..], plan]).expect("it wins");
        assert_eq!(plan[0], line[..2]);
        assert!(place == 1 && points.is_sorted() && line[..2].iter().all(|p| points.contains(p)), "{game}: {line:?} {points:?}");
        for point in windows.empty_points() {
            let mut more = windows.clone();
            more.place(point, mover.other());
            let wins = Vcdt::replay(&more, mover, [plan]).is_some();
            assert!(wins || points.contains(&point), "{game}: {line:?} is stopped by {point:?}, none of {points:?}");
            (checked, broken) = (checked + 1, broken + u32::from(!wins));
        }
    }
    assert!(checked > 10_000 && broken > 100, "{checked} {broken}");
}

/// The defender has two rows to complete: the stone that makes a double threat stops one of them, the other stone the other.
#[test]
fn the_second_stone_stops_what_the_first_leaves() {
    let game: Connect6 = "2oo1o/5x/3x2/1x4/1x3x/1oo1o1 one 2 5,2,1".parse().unwrap();
    let mut vcdt = Vcdt::default().with_turns(3);
    let Forced::Win(line) = vcdt.win(&game.windows(), Player::One, 2) else { panic!("{game}") };
    let turn: Vec<String> = line[..2].iter().map(|&m| letters(m)).collect();
    assert_eq!(turn.concat(), "BADF");
    assert!(is_won(&game, &mut vcdt, 3));
}

/// Without nodes there is no answer, rather than a wrong one.
#[test]
fn a_search_without_nodes_does_not_know() {
    let game: Connect6 = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19 one 2".parse().unwrap();
    let windows = game.windows();
    let mut vcdt = Vcdt::default().with_nodes(0);
    assert_eq!(vcdt.win(&windows, Player::One, 2), Forced::Unknown);
    assert!(vcdt.defences(&windows, Player::Two, 2).is_err());
    let Forced::Win(line) = Vcdt::default().win(&windows, Player::One, 2) else { panic!("three open rows") };
    assert_eq!(line.len(), 6);
    // With the defender's row of four on the board it has to be stopped on the way.
    let game: Connect6 = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/oooo15 one 2".parse().unwrap();
    let Forced::Win(line) = Vcdt::default().win(&game.windows(), Player::One, 2) else { panic!("a stone that stops the row") };
    let windows = line[..2].iter().fold(game.windows(), |mut w, &p| {
        w.place(p, Player::One);
        w
    });
    assert!(!windows.can_win(Player::Two, 2), "{line:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 500 }))]

    /// Random games come back from every format that can hold them.
    #[test]
    fn games_are_read_back_from_every_format(seed in any::<u64>(), stones in 0..60usize, size in 6..=20u8, begun in 0..9usize) {
        let rng = &mut generator(seed);
        for rules in [Rules::CONNECT6, Rules::new(size, 5, 1 + (seed % 3) as u8, 2).unwrap()] {
            let mut start = Connect6::start(rules);
            // A set-up board, where the format knows such.
            for _ in 0..begun {
                if start.outcome().is_none() {
                    start.play(start.random_move(rng));
                }
            }
            for start in [Connect6::start(rules), start] {
                let mut record = Record::from(start.clone());
                while record.history().steps().len() < stones && record.history().state().outcome().is_none() {
                    record.push(Step::Move(record.history().state().random_move(rng)), None);
                }
                record.set_tag("one", "a [b] c\\");
                let states = record.history().states();
                let sgf = formats::sgf::parse(&formats::sgf::text(&record), Rules::CONNECT6).unwrap();
                prop_assert_eq!(sgf.history().states(), states);
                prop_assert_eq!(sgf.tags(), record.tags());
                if start != Connect6::start(rules) {
                    prop_assert!(formats::compact::text(&record).is_err() && formats::collegiate::text(&record).is_err());
                    continue;
                }
                let line = formats::compact::text(&record).unwrap();
                let read = formats::compact::parse(&line, rules).unwrap();
                prop_assert_eq!(read.history().states(), states);
                if rules == Rules::CONNECT6 {
                    let text = formats::collegiate::text(&record).unwrap();
                    let read = formats::collegiate::parse(&text).unwrap();
                    prop_assert_eq!(read.history().states(), states);
                }
            }
        }
    }

    /// No text makes the readers of formats panic, whole or spoiled.
    #[test]
    fn formats_do_not_panic(text in "[{}()\\[\\];:BWCAJT0-9,@ \\\\é]{0,80}", cut in 0..200usize, at in 0..200usize) {
        let whole = [
            "{[C6][a B][b W][平局][x][y];B(J,10);W(I,11);W(K,9)}",
            "(;GM[511]SZ[19]AB[AA:CC][JJ]PL[W]XL[2];W[KJ];W[JK]C[x\\]])",
            "JJ;KJJK;IIHH",
        ];
        let spoiled = whole.iter().flat_map(|whole| {
            let chars: Vec<char> = whole.chars().collect();
            let (cut, at) = (cut % chars.len(), at % chars.len());
            let head = |n: usize| chars[..n].iter().collect::<String>();
            [head(cut), format!("{}{text}{}", head(at), chars[at..].iter().collect::<String>())]
        });
        for text in spoiled.chain([text.clone()]) {
            let read = [
                formats::collegiate::parse(&text),
                formats::sgf::parse(&text, Rules::CONNECT6),
                formats::compact::parse(&text, Rules::CONNECT6),
            ];
            for record in read.into_iter().flatten() {
                let again = formats::sgf::parse(&formats::sgf::text(&record), Rules::CONNECT6).unwrap();
                prop_assert_eq!(again.history().states(), record.history().states());
            }
        }
    }
}

/// Whether the mover of a turn of two wins in so many turns by double threats, by trying all pairs of points; with `parts`, only
/// those of which each stone threatens, or stops what the other leaves of the opponent's threats.
fn slow_vcdt(windows: &Windows, attacker: Player, turns: u8, parts: bool) -> bool {
    if windows.can_win(attacker, 2) || turns < 2 {
        return turns > 0 && windows.can_win(attacker, 2);
    }
    let near = |w: &Windows| [1, 2].map(|lacks| w.alive(attacker, w.length() - lacks));
    let with = |w: &Windows, p: Point, player: Player| {
        let mut next = w.clone();
        next.place(p, player);
        next
    };
    let enemy = Threats::of(windows, attacker.other());
    let points: Vec<Point> = windows.empty_points().collect();
    for (i, &a) in points.iter().enumerate() {
        let first = with(windows, a, attacker);
        for &b in points[i + 1..].iter().filter(|&&b| enemy.are_stopped_by(&[a, b])) {
            let both = with(&first, b, attacker);
            let alone = with(windows, b, attacker);
            let threats = Threats::of(&both, attacker);
            let idle = [near(&alone), near(&first)].contains(&near(&both));
            if threats.level() < 2 || parts && threats.level() < 3 && idle && enemy.rows().is_empty() {
                continue;
            }
            let lost = |&[c, d]: &[Point; 2]| {
                let next = with(&with(&both, c, attacker.other()), d, attacker.other());
                slow_vcdt(&next, attacker, turns - 1, parts)
            };
            if threats.level() > 2 || turns > 2 && threats.blocking_pairs().iter().all(lost) {
                return true;
            }
        }
    }
    false
}

/// Wins are found where trying all pairs of points finds them, and not where it does not; a stone that can go anywhere, of which
/// the search tries only one, makes the difference between the two bounds.
#[test]
fn double_threats_are_those_of_trying_everything() {
    let (mut won, mut lost) = ([0; 2], 0);
    for seed in 0..if cfg!(debug_assertions) { 600 } else { 3000 } {
        let (size, length) = (6 + (seed % 2) as u8, 5 + (seed / 2 % 2) as u8);
        let Some(game) = position(7000 + seed, size, length, 6 + (seed % 17) as usize) else { continue };
        let (windows, mover) = (game.windows(), game.mover());
        if windows.can_win(mover, 2) {
            continue;
        }
        for turns in 2..=3 {
            let found = Vcdt::default().with_turns(turns).with_nodes(u64::MAX).win(&windows, mover, 2);
            assert_ne!(found, Forced::Unknown);
            let found = matches!(found, Forced::Win(_));
            assert!(found || !slow_vcdt(&windows, mover, turns, true), "{game}: a win in {turns} turns is overlooked");
            assert!(!found || slow_vcdt(&windows, mover, turns, false), "{game}: no win in {turns} turns");
            if found {
                won[usize::from(turns) - 2] += 1;
                break;
            }
            lost += 1;
        }
    }
    assert!(won[0] > 10 && won[1] > 3 && lost > 50, "{won:?} {lost}");
}

/// Plays a line by the rules: the attacker wins with the last stone, and each answer is a pair that stops what can be stopped.
fn is_playable(game: &Connect6, line: &[Point]) -> bool {
    let (mut now, mut rest) = (game.clone(), line);
    while !rest.is_empty() {
        let turn;
        (turn, rest) = rest.split_at(rest.len().min(now.left().into()));
        let threats = Threats::of(&now.windows(), now.mover().other());
        let answers = now.mover() != game.mover();
        if answers && threats.level() < 3 && !threats.blocking_pairs().iter().any(|pair| turn.iter().all(|p| pair.contains(p))) {
            return false;
        }
        for &m in turn {
            if now.try_play(m).is_err() {
                return false;
            }
        }
    }
    now.outcome() == Some(Outcome::win(game.mover()))
}

/// Positions of games by random moves of the short list, now and then by any stone.
fn promising_games(seed: u64, games: u32) -> Vec<Connect6> {
    let rng = &mut generator(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        playout(Narrowed::from(Connect6::default()), rng, &mut |game: &Narrowed, rng: &mut _| {
            found.push(game.game().clone());
            if below(rng, 4) == 0 { game.game().random_move(rng) } else { uniform(game, rng) }
        });
    }
    found
}

/// What wins against all answers at once wins against each; nearly all wins do, and are found with fewer nodes.
#[test]
fn wins_against_a_conservative_defence_are_wins() {
    let (mut won, mut missed, mut longer, mut nodes) = (0, 0, 0, [0; 2]);
    for game in promising_games(9, if cfg!(debug_assertions) { 12 } else { 40 }) {
        let (windows, mover) = (game.windows(), game.mover());
        if windows.can_win(mover, game.left()) {
            continue;
        }
        let mut exact = Vcdt::default().with_nodes(5000);
        let mut quick = exact.clone().with_conservative_defence(true);
        let found = [&mut exact, &mut quick].map(|vcdt| vcdt.win(&windows, mover, game.left()));
        match &found {
            [Forced::Win(line), Forced::Win(other)] => {
                won += 1;
                assert!(is_playable(&game, line) && is_playable(&game, other), "{game}: {line:?} {other:?}");
                // Stones that are given too many can lead to one that helps later on, where otherwise any would do.
                longer += u32::from(line.len() > other.len() + 1);
                nodes[0] += exact.nodes();
                nodes[1] += quick.nodes();
                let first = [other[0], other[1]];
                assert!(game.left() < 2 || quick.wins_with(&windows, mover, first), "{game}: {other:?}");
                assert!(game.left() < 2 || exact.wins_with(&windows, mover, first), "{game}: {other:?}");
            }
            [Forced::Win(_), _] => missed += 1,
            [Forced::No, Forced::Win(line)] => panic!("{game}: {line:?} wins, and nothing does"),
            _ => {}
        }
    }
    assert!(
        won > 50 && missed * 10 < won && longer * 50 < won && nodes[1] * 3 < nodes[0] * 2,
        "{won} {missed} {longer} {nodes:?}"
    );
}
