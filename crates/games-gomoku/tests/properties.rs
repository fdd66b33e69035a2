//! Promises that hold in every position, on random positions and against slow, obvious code.

use gamecore::random::{below, generator};
use gamecore::testing::{self, Trials, moves};
use gamecore::{Bounds, Draw, Evaluator, Game, Outcome, Player, Record, Step, Text, Tracked, Turn};
use games_gomoku::eval::Shapes;
use games_gomoku::formats::{psq, sgf};
use games_gomoku::{CANDIDATES, Gomoku, Narrowed, Point, Rule, SetupError};
use lines::{Forced, Patterns, Vcf, Vct};
use proptest::prelude::*;

fn start(rule: Rule, size: u8) -> Gomoku {
    Gomoku::start(rule, size).unwrap()
}

/// Empty boards of several sizes, and crowded ones near their end.
fn starts() -> Vec<Gomoku> {
    let mut all = Vec::new();
    for rule in Rule::ALL {
        all.extend([5, 6, 15, 20].map(|size| start(rule, size)));
        all.extend(testing::positions(&start(rule, 7), 3, 4, 8..=20));
    }
    all.push("xxxx./oooo./5/5/5 one standard".parse().unwrap());
    all.push("xxxx./oooo./5/5/5 two caro".parse().unwrap());
    // Threes and fours of One's that cross: forbidden points.
    all.push("8/3x4/3x4/1xx5/8/2x1xx2/8/8 one renju".parse().unwrap());
    all.push("8/3x4/3x4/3x4/xxx5/8/2xxx3/8 one renju".parse().unwrap());
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
    testing::symmetry(&[start(Rule::Renju, 15)], Trials { games: 1, steps: 60, ..Trials::default() });
}

#[test]
fn patterns_follow_the_game() {
    testing::tracked::<Patterns, _>(&starts(), few(2));
}

#[test]
fn narrowed_games_are_games() {
    let narrowed: Vec<_> = starts().into_iter().map(Narrowed::from).collect();
    testing::conformance(&narrowed, few(2));
}

#[test]
fn values_lie_within_their_bounds() {
    testing::evaluator(&Shapes, &starts().into_iter().map(Narrowed::from).collect::<Vec<_>>(), few(2));
    testing::evaluator(&Shapes, &starts().into_iter().map(Tracked::<_, Patterns>::from).collect::<Vec<_>>(), few(1));
}

/// A random position that is not over, of small boards and crowded ones.
fn position(seed: u64, rule: Rule, size: u8, stones: usize) -> Option<Gomoku> {
    let rng = &mut generator(seed);
    let mut game = Narrowed::from(start(rule, size));
    for _ in 0..stones {
        // Narrowed random games have rows to see.
        let m = if below(rng, 3) == 0 { game.game().random_move(rng) } else { game.random_move(rng) };
        game.play(m);
        if let Turn::Over(_) = game.turn() {
            return None;
        }
    }
    Some(game.game().clone())
}

fn wins(game: &Gomoku) -> Vec<Point> {
    moves(game).into_iter().filter(|&m| game.after(m).outcome() == Some(Outcome::win(game.mover()))).collect()
}

/// Whether the mover loses whatever it does, in two moves of the opponent's at most: so says the game itself.
fn lost_soon(game: &Gomoku, opponents_moves: u8) -> bool {
    game.outcome().is_none()
        && wins(game).is_empty()
        && moves(game).into_iter().all(|m| {
            let next = game.after(m);
            next.outcome().is_none() && won_soon(&next, opponents_moves)
        })
}

fn won_soon(game: &Gomoku, own_moves: u8) -> bool {
    !wins(game).is_empty() || own_moves > 1 && moves(game).into_iter().any(|m| lost_soon(&game.after(m), own_moves - 1))
}

/// A null move changes nothing but whose turn it is, and is not offered under a threat.
#[test]
fn null_moves_are_for_quiet_positions() {
    for (position, quiet) in [
        ("9/9/9/2oo5/3xx4/9/9/9/9 one", true),
        ("9/9/9/2ooo4/3xx4/9/9/9/9 one", false),
        ("9/9/9/xoooo4/3xx4/9/9/9/9 one", false),
        ("xxxxx/5/5/5/5 two", false),
    ] {
        let game: Gomoku = position.parse().unwrap();
        let passed = Narrowed::from(game.clone()).passed();
        assert_eq!(passed.is_some(), quiet, "{position}");
        if let Some(passed) = passed {
            assert_eq!(passed.game(), &game.passed().unwrap());
            assert_eq!(passed.patterns(), &passed.game().patterns());
        }
    }
}

/// Where defences are not known to be all, threats prove nothing, but fours do.
#[test]
fn threats_are_not_trusted_everywhere() {
    for rule in Rule::ALL {
        let open_twos: Gomoku = format!("15/15/15/15/15/7x7/7x7/5xx8/15/15/15/15/15/15/15 one {rule}").parse().unwrap();
        let sure = matches!(rule, Rule::Freestyle | Rule::Standard);
        let found = Vct::default().win(&open_twos.patterns(), Player::One);
        assert_eq!(matches!(found, Forced::Win(_)), sure, "{rule}");
        assert_eq!(found == Forced::Unknown, !sure, "{rule}");
        let four: Gomoku = format!("15/15/15/15/15/15/15/5oooo6/15/15/15/15/15/15/15 two {rule}").parse().unwrap();
        assert!(matches!(Vct::default().win(&four.patterns(), Player::Two), Forced::Win(_)), "{rule}");
    }
}

/// The same stones give the same key, whatever their order; rules, sizes and seats to move have keys of their own.
#[test]
fn keys_tell_positions_apart() {
    let play =
        |list: [(u8, u8); 4]| list.iter().fold(start(Rule::Freestyle, 15), |game, &(x, y)| game.after(Point::new(x, y).unwrap()));
    let [a, b] = [play([(7, 7), (8, 8), (9, 9), (6, 6)]), play([(9, 9), (6, 6), (7, 7), (8, 8)])];
    assert_eq!((a.key(), &a), (b.key(), &b));
    assert_ne!(play([(8, 8), (7, 7), (6, 6), (9, 9)]).key(), a.key());
    let others = [a.passed().unwrap(), start(Rule::Freestyle, 15), start(Rule::Standard, 15), start(Rule::Freestyle, 16)];
    for (i, other) in others.iter().enumerate() {
        assert!(other.key() != a.key() && others[..i].iter().all(|o| o.key() != other.key()));
    }
    assert_eq!(a.passed().unwrap().passed(), Some(a));
}

#[test]
fn impossible_positions_are_refused() {
    let at = |x, y| Point::new(x, y).unwrap();
    let make = |size, stones: &[(Point, Player)]| Gomoku::from_stones(Rule::Standard, size, stones.iter().copied(), Player::One);
    assert_eq!(make(4, &[]), Err(SetupError::Size { size: 4 }));
    assert_eq!(make(21, &[]), Err(SetupError::Size { size: 21 }));
    assert_eq!(make(9, &[(at(9, 0), Player::One)]), Err(SetupError::Outside { x: 9, y: 0, size: 9 }));
    assert_eq!(make(9, &[(at(2, 3), Player::One), (at(2, 3), Player::Two)]), Err(SetupError::Twice { x: 2, y: 3 }));
    let rows: Vec<_> = (0..5).flat_map(|x| [(at(x, 0), Player::One), (at(x, 1), Player::Two)]).collect();
    assert_eq!(make(9, &rows), Err(SetupError::BothWon));
    // Six is no row by these rules, and stones need not be equally many.
    let six: Vec<_> = (0..6).map(|x| (at(x, 0), Player::One)).collect();
    assert_eq!(make(9, &six).unwrap().outcome(), None);
}

/// In renju the first player has no move left, though there are empty points: drawn.
#[test]
fn a_player_without_a_move_ends_the_game() {
    let game: Gomoku = "xxx.xx/oooxxx/oxoxox/xoooxo/xoxoxx/oxxoxo one renju".parse().unwrap();
    assert_eq!((game.turn(), game.board().empty_count()), (Turn::Over(Outcome::Draw), 1));
    let two: Gomoku = "xxx.xx/oooxxx/oxoxox/xoooxo/xoxoxx/oxxoxo two renju".parse().unwrap();
    assert_eq!(two.turn(), Turn::Decide(Player::Two));
    let before: Gomoku = "xxx.xx/oooxxx/oxoxox/xoooxo/xoxoxx/oxxox. two renju".parse().unwrap();
    let m = before.parse_move("f1").unwrap();
    assert_eq!(before.after(m).outcome(), Some(Outcome::Draw));
}

/// What a fives' length and its neighbours say, along one line.
fn slow_outcome(game: &Gomoku) -> Option<Outcome> {
    let size = i32::from(game.board().size());
    let at = |x: i32, y: i32| {
        let inside = (0..size).contains(&x) && (0..size).contains(&y);
        inside.then(|| Point::new(x as u8, y as u8).unwrap()).map(|p| game.board().stone(p))
    };
    for player in Player::BOTH {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for start in game.board().points() {
                let (x, y) = (i32::from(start.x()), i32::from(start.y()));
                let stone = |i: i32| at(x + dx * i, y + dy * i);
                // The first stone of a row.
                if stone(-1) == Some(Some(player)) {
                    continue;
                }
                let length = (0..).take_while(|&i| stone(i) == Some(Some(player))).count() as i32;
                let closed = [-1, length].iter().all(|&i| stone(i) == Some(Some(player.other())));
                let wins = match (game.rule(), player) {
                    (Rule::Freestyle, _) | (Rule::Renju, Player::Two) => length >= 5,
                    (Rule::Standard, _) | (Rule::Renju, Player::One) => length == 5,
                    (Rule::Caro, _) => length == 5 && !closed,
                };
                if wins {
                    return Some(Outcome::win(player));
                }
            }
        }
    }
    (moves_by_hand(game) == 0).then_some(Outcome::Draw)
}

fn moves_by_hand(game: &Gomoku) -> usize {
    game.board().points().filter(|&p| game.board().stone(p).is_none() && game.forbidden(p).is_none()).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 40 } else { 200 }))]

    /// A random game ends when it should and not before, and its record is read back.
    #[test]
    fn games_end_with_a_row_or_a_full_board(seed in any::<u64>(), rule in 0..4usize, size in 5..=20u8) {
        let rng = &mut generator(seed);
        let mut record = Record::from(start(Rule::ALL[rule], size));
        loop {
            let game = record.history().state();
            prop_assert_eq!(game.outcome(), slow_outcome(game));
            if let Turn::Over(_) = game.turn() { break; }
            prop_assert_eq!(moves(game).len(), moves_by_hand(game));
            // A quarter of the moves lengthen rows.
            let m = game.random_move(rng);
            let near = moves(game).into_iter().find(|p| below(rng, 4) == 0 && game.after(*p).outcome().is_some());
            record.push(Step::Move(near.unwrap_or(m)), None);
        }
        let end = record.history().state();
        let picture = end.picture(record.history().steps().last().copied()).to_string();
        prop_assert!(picture.contains("won") || picture.contains("Drawn"));
        let read = Record::<Gomoku>::parse(&record.to_text()).unwrap();
        prop_assert_eq!(read.history().state(), end);
    }

    /// No text makes the parsers panic, and what they take they write back.
    #[test]
    fn texts_do_not_panic(text in "[xo./0-9 a-t,é-]{0,60}", mover in "( one| two|)", rule in "( renju| caro|)") {
        if let Ok(game) = Gomoku::parse_position(&format!("{text}{mover}{rule}")) {
            prop_assert_eq!(Gomoku::parse_position(&game.to_string()), Ok(game));
        }
        let game = start(Rule::Freestyle, 15);
        if let Ok(m) = game.parse_move(&text) {
            prop_assert_eq!(game.parse_move(&game.move_text(m)), Ok(m));
        }
    }

    /// A game is read back from each format as it was: from any position in SGF, from an empty board in `.psq`.
    #[test]
    fn formats_are_read_back(seed in any::<u64>(), rule in 0..4usize, size in 5..=20u8, set_up in 0..12usize, one in "\\PC{0,8}", two in "[\\]\\[\\\\;)( ,0-9a]{0,8}") {
        let rng = &mut generator(seed);
        let rule = Rule::ALL[rule];
        let Some(position) = position(seed, rule, size, set_up) else { return Ok(()) };
        for start in [position, start(rule, size)] {
            let mut record = Record::from(start);
            record.set_tag("one", &one);
            record.set_tag("two", &two);
            for _ in 0..below(rng, 40) {
                let game = record.history().state();
                if game.outcome().is_some() { break; }
                let m = game.random_move(rng);
                record.push(Step::Move(m), None);
            }
            let same = |read: &Record<Gomoku>| read.history().states() == record.history().states();
            let tag = |record: &Record<Gomoku>, name: &str| record.tags().iter().find(|t| t.0 == name).map(|t| t.1.clone()).filter(|v| !v.is_empty());
            let text = sgf::text(&record);
            let read = sgf::parse(&text, Rule::Caro);
            prop_assert!(read.as_ref().is_ok_and(same), "{}: {:?}", text, read.err());
            let read = read.unwrap();
            for name in ["one", "two"] {
                prop_assert_eq!(tag(&read, name), tag(&record, name));
            }
            match psq::text(&record) {
                Ok(text) => {
                    let read = psq::parse(&text, rule);
                    prop_assert!(read.as_ref().is_ok_and(same), "{}: {:?}", text, read.err());
                    // What is cut off before its names is missed.
                    let moves = text.lines().take(1 + record.history().steps().len()).map(|line| line.len() + 1).sum::<usize>();
                    let cut = below(rng, moves);
                    prop_assert!(psq::parse(&text[..cut], rule).is_err(), "{}", &text[..cut]);
                }
                Err(_) => prop_assert!(record.history().start().board().count() > 0 || record.history().start().mover() == Player::Two),
            }
            let cut = below(rng, text.trim_end().len());
            let cut = text.floor_char_boundary(cut);
            prop_assert!(sgf::parse(&text[..cut], rule).is_err(), "{}", &text[..cut]);
        }
    }

    /// No text makes the readers of formats panic.
    #[test]
    fn formats_do_not_panic(seed in any::<u64>(), spoilt in "[\\]\\[();:.,BWAEPLSZRUGM0-9a-t\\\\\r\n-]{0,12}") {
        let rng = &mut generator(seed);
        for text in [
            "(;FF[4]GM[4]SZ[15]RU[standard]AB[aa][bb:cc]AW[dd]PL[W]\n;W[hh];B[ig]C[\\]])",
            "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,15\r\nA\r\nB\r\n-1\r\n",
        ] {
            let (from, to) = (below(rng, text.len()), below(rng, text.len()));
            let spoilt = format!("{}{spoilt}{}", &text[..from.min(to)], &text[from.max(to)..]);
            let read = [sgf::parse(&spoilt, Rule::Renju), psq::parse(&spoilt, Rule::Renju)];
            for game in read.into_iter().flatten() {
                let again = sgf::parse(&sgf::text(&game), Rule::Caro).unwrap();
                prop_assert_eq!(again.history().states(), game.history().states());
            }
        }
    }

    /// What the evaluator calls known is so, by the rules alone.
    #[test]
    fn known_values_are_right(seed in any::<u64>(), rule in 0..4usize, stones in 6..16usize) {
        let Some(game) = position(seed, Rule::ALL[rule], 6, stones) else { return Ok(()) };
        let narrowed = Narrowed::from(game.clone());
        let bounds = Shapes.bounds(&narrowed);
        let won = won_soon(&game, 2);
        let lost = lost_soon(&game, 1);
        if bounds != Bounds::symmetric(1.0) {
            prop_assert_eq!(bounds.low, bounds.high);
            prop_assert_eq!(Shapes.value(&narrowed), bounds.low);
            let mover_wins = bounds.low == game.mover().sign();
            prop_assert!(if mover_wins { won } else { lost }, "{game}");
        } else {
            // A win in one move is never overlooked.
            prop_assert!(wins(&game).is_empty(), "{game}");
        }
    }

    /// The short list has no move that is not legal, and nothing that prevents a loss in two moves is missing from a list of
    /// forced moves.
    #[test]
    fn forced_moves_are_all_there_are(seed in any::<u64>(), rule in 0..4usize, stones in 6..14usize) {
        let Some(game) = position(seed, Rule::ALL[rule], 6, stones) else { return Ok(()) };
        let narrowed = Narrowed::from(game.clone());
        let (list, all) = (moves(&narrowed), moves(&game));
        prop_assert!(list.iter().all(|m| all.contains(m)), "{game}");
        let patterns = narrowed.patterns();
        if !wins(&game).is_empty() {
            prop_assert!(list.len() == 1 && wins(&game).contains(&list[0]));
        } else if won_soon(&game, 2) && patterns.fives(game.mover().other()).is_empty() && list.len() == 1 {
            prop_assert!(lost_soon(&game.after(list[0]), 1), "{game}");
        } else if list.len() < CANDIDATES {
            // Forced: whatever is left out loses to a five or an open four. (In renju it may, very rarely, forbid that.)
            let near = patterns.near().filter(|m| all.contains(m)).count();
            let checked = game.rule() != Rule::Renju && list.len() < near;
            for &m in all.iter().filter(|m| checked && !list.contains(m)) {
                prop_assert!(won_soon(&game.after(m), 2), "{game}: {m:?} is missing");
            }
        }
        let mut fours = Default::default();
        narrowed.fours(&mut fours);
        prop_assert!(fours.iter().all(|m| all.contains(m)));
        if wins(&game).is_empty() && patterns.fives(game.mover().other()).is_empty() {
            for &m in &all {
                let four = wins(&game.after(m).passed().unwrap_or(game.clone())).iter().any(|p| !patterns.fives(game.mover()).contains(*p));
                prop_assert_eq!(fours.contains(&m), four, "{} {:?}", game, m);
            }
        }
    }

    /// The values of a position and of its images are the same.
    #[test]
    fn values_are_symmetric(seed in any::<u64>(), rule in 0..4usize, stones in 0..60usize) {
        use gamecore::Symmetry;
        let Some(game) = position(seed, Rule::ALL[rule], 15, stones) else { return Ok(()) };
        let value = Shapes.value(&Narrowed::from(game.clone()));
        for &sym in game.symmetries() {
            prop_assert_eq!(Shapes.value(&Narrowed::from(game.transformed(sym))), value);
        }
    }

    /// A line of fours wins by the rules, in every rule set and against every answer.
    #[test]
    fn forced_wins_are_wins(seed in any::<u64>(), rule in 0..4usize, stones in 8..30usize) {
        let Some(game) = position(seed, Rule::ALL[rule], 9, stones) else { return Ok(()) };
        let mut vcf = Vcf::default().with_stones(5).with_nodes(5_000);
        if let Forced::Win(line) = vcf.win(&game.patterns(), game.mover()) {
            prop_assert!(wins_with_fours(&game, &mut vcf, line.len().div_ceil(2) as u8), "{game}: {line:?}");
        }
    }
}

/// A win by threats is one by the rules: whatever the defender plays, a win by threats goes on, and it ends.
#[test]
fn threats_that_win_win() {
    let mut wins = 0;
    for (rule, seeds) in [(Rule::Freestyle, 0..150), (Rule::Standard, 150..300)] {
        for seed in seeds {
            let Some(game) = position(seed, rule, 10, 10 + (seed % 12) as usize) else { continue };
            let mut vct = Vct::default().with_threats(2).with_nodes(300);
            let Forced::Win(line) = vct.win(&game.patterns(), game.mover()) else { continue };
            let by_fours = Vcf::default().win(&game.patterns(), game.mover()) != Forced::No;
            wins += u32::from(!by_fours);
            // Lines by fours have a test of their own.
            assert!(by_fours || wins_with_threats(&game, &mut vct, line.len().div_ceil(2)), "{game}: {line:?}");
        }
    }
    assert!(wins >= 5, "only {wins} wins by threats were found to check");
}

/// Whether the mover wins in so many moves, following the solver against every answer.
fn wins_with_threats(game: &Gomoku, vct: &mut Vct, own_moves: usize) -> bool {
    let Forced::Win(line) = vct.win(&game.patterns(), game.mover()) else { return false };
    if own_moves == 0 || !moves(game).contains(&line[0]) {
        return false;
    }
    let next = game.after(line[0]);
    next.outcome() == Some(Outcome::win(game.mover()))
        || next.outcome().is_none() && moves(&next).into_iter().all(|m| wins_with_threats(&next.after(m), vct, own_moves - 1))
}

/// Two threatens an open four; One may stop it, or make a four first.
#[test]
fn fours_come_before_blocks() {
    let game: Gomoku = "9/9/9/2ooo4/9/9/9/9/xxx6 one".parse().unwrap();
    let narrowed = Narrowed::from(game.clone());
    let mut names: Vec<String> = moves(&narrowed).into_iter().map(|m| game.point_name(m)).collect();
    names.sort();
    // The ends of the three and the points behind them; and both fours of the closed three at the bottom.
    assert_eq!(names, ["a6", "b6", "d1", "e1", "f6", "g6"]);
    let mut fours = Default::default();
    narrowed.fours(&mut fours);
    assert_eq!(fours.iter().map(|&m| game.point_name(m)).collect::<Vec<_>>(), ["d1", "e1"]);
}

/// Black could make two fours only where that is forbidden, so White is free to play anywhere.
#[test]
fn forbidden_threats_are_none() {
    let game: Gomoku = "1o4/x1x1x1/1o1x2/1o1x1o/3x2/1x1oo1 two renju".parse().unwrap();
    let narrowed = Narrowed::from(game.clone());
    assert!(narrowed.patterns().double_fours(Player::One).all(|p| game.passed().unwrap().forbidden(p).is_some()));
    assert!(narrowed.patterns().double_fours(Player::One).next().is_some());
    assert_eq!(moves(&narrowed).len(), narrowed.patterns().near().count().min(CANDIDATES));
}

/// Whether the mover wins in so many moves, following the solver against every answer.
fn wins_with_fours(game: &Gomoku, vcf: &mut Vcf, own_moves: u8) -> bool {
    let Forced::Win(line) = vcf.win(&game.patterns(), game.mover()) else { return false };
    if own_moves == 0 || !moves(game).contains(&line[0]) {
        return false;
    }
    let next = game.after(line[0]);
    next.outcome() == Some(Outcome::win(game.mover()))
        || next.outcome().is_none() && moves(&next).into_iter().all(|m| wins_with_fours(&next.after(m), vcf, own_moves - 1))
}
