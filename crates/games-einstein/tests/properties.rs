//! Promises that hold in every position of every rule set, on random positions and against slow, obvious code.

use std::collections::HashSet;

use gamecore::random::{below, generator};
use gamecore::testing::{self, Trials, moves};
use gamecore::{Chance, Evaluator, Game, Outcome, Player, Symmetry, Text, Turn};
use games_einstein::eval::{Distance, Distribution, Material, Race};
use games_einstein::{Einstein, Freedom, Layout, Move, Rules, Sym, Variant, ordering};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

const RULES: [&str; 15] = [
    "standard",
    "4x4",
    "4x4+missing",
    "4x4+nomove",
    "4x4+capture-all",
    "4x4+missing+capture-all",
    "4x4+nomove+capture-all",
    "4x4@30",
    "5x5x9",
    "5x5x9+free",
    "5x5x9+capture-all",
    "5x5x9+free+capture-all",
    "5x5x9@1",
    "5x5x9+free@20",
    "5x5x9@300",
];

fn rules(which: usize) -> Rules {
    RULES[which].parse().unwrap()
}

/// A position with random stones on random squares, over or not, its die rolled or not.
fn position(which: usize, seed: u64) -> Einstein {
    let rules = rules(which);
    let rng = &mut generator(seed);
    loop {
        let mut free: Vec<i8> = (0..(rules.size() * rules.size()) as i8).collect();
        let density = 1 + below(rng, 4);
        let mut sides = [vec![-1; rules.stones().into()], vec![-1; rules.stones().into()]];
        for square in sides.iter_mut().flatten() {
            if below(rng, 4) < density {
                *square = free.swap_remove(below(rng, free.len()));
            }
        }
        let mover = Player::BOTH[below(rng, 2)];
        let Ok(mut game) = Einstein::from_squares(rules, [&sides[0], &sides[1]], mover, None) else { continue };
        if let Some(limit) = rules.turn_limit() {
            game = game.with_turns_left(below(rng, usize::from(limit) + 1) as u16).unwrap();
        }
        if game.outcome().is_none() && below(rng, 4) > 0 {
            game.resolve(below(rng, 6) as u8 + 1);
        }
        return game;
    }
}

/// As [`position`], with a move to make.
fn decision(which: usize, seed: u64) -> Einstein {
    (0..).map(|i| position(which, seed.wrapping_add(i << 32))).find(|g| matches!(g.turn(), Turn::Decide(_))).unwrap()
}

/// As [`position`], with a die to roll.
fn chance(which: usize, seed: u64) -> Einstein {
    (0..).map(|i| position(which, seed.wrapping_add(i << 32))).find(|g| matches!(g.turn(), Turn::Chance(_))).unwrap()
}

/// The rules once more, as one would explain them.
#[derive(Clone, PartialEq, Debug)]
struct Slow {
    variant: Variant,
    size: i8,
    /// By seat and number.
    squares: [Vec<Option<i8>>; 2],
    mover: usize,
    left: Option<u16>,
}

impl Slow {
    fn of(game: &Einstein) -> Self {
        let numbers = 1..=game.rules().stones();
        Self {
            variant: game.rules().variant(),
            size: game.rules().size() as i8,
            squares: Player::BOTH.map(|seat| numbers.clone().map(|n| game.square_of(seat, n).map(|s| s as i8)).collect()),
            mover: game.mover().index(),
            left: game.turns_left(),
        }
    }

    /// Stone and target of all legal moves after a roll; empty: a pass.
    fn moves(&self, die: u8) -> Vec<(u8, u8)> {
        let own = &self.squares[self.mover];
        let alive = |n: u8| own[usize::from(n) - 1].is_some();
        let all: Vec<u8> = (1..=own.len() as u8).filter(|&n| alive(n)).collect();
        let forward = if self.mover == 0 { -1 } else { 1 };
        match self.variant {
            Variant::Standard => {
                let stones: Vec<u8> = if alive(die) {
                    vec![die]
                } else {
                    let lower = all.iter().copied().filter(|&n| n < die).max();
                    let higher = all.iter().copied().filter(|&n| n > die).min();
                    lower.into_iter().chain(higher).collect()
                };
                let to_goal = -forward;
                let steps = [(0, to_goal), (to_goal, 0), (to_goal, to_goal)];
                stones.into_iter().flat_map(|n| self.steps(n, &steps, true)).collect()
            }
            Variant::FourByFour { freedom, .. } => {
                let steps = [(forward, -1), (forward, 0), (forward, 1)];
                let forced = if alive(die) { self.steps(die, &steps, false) } else { vec![] };
                let free = match freedom {
                    Freedom::Never => false,
                    Freedom::Missing => !alive(die),
                    Freedom::NoMove => true,
                };
                if forced.is_empty() && free {
                    return all.into_iter().flat_map(|n| self.steps(n, &steps, false)).collect();
                }
                forced
            }
            Variant::NineStones { freedom, .. } => {
                let straight = [(-1, 0), (1, 0), (0, -1), (0, 1)];
                let forced = [(-1, 0), (1, 0), (0, -1), (0, 1), (forward, -1), (forward, 1)];
                if alive(die) {
                    let forced = self.steps(die, &forced, false);
                    if !forced.is_empty() || freedom == Freedom::Missing {
                        return forced;
                    }
                }
                all.into_iter().flat_map(|n| self.steps(n, &straight, false)).collect()
            }
        }
    }

    fn steps(&self, stone: u8, offsets: &[(i8, i8)], onto_own: bool) -> Vec<(u8, u8)> {
        let own = &self.squares[self.mover];
        let from = own[usize::from(stone) - 1].unwrap();
        let (row, column) = (from / self.size, from % self.size);
        let targets = offsets.iter().filter_map(|(r, c)| {
            let (r, c) = (row + r, column + c);
            let to = r * self.size + c;
            let inside = 0 <= r && r < self.size && 0 <= c && c < self.size;
            (inside && (onto_own || !own.contains(&Some(to)))).then_some((stone, to as u8))
        });
        targets.collect()
    }

    fn play(&mut self, step: Option<(u8, u8)>) {
        if let Some((stone, to)) = step {
            for square in self.squares.iter_mut().flatten() {
                if *square == Some(to as i8) {
                    *square = None;
                }
            }
            self.squares[self.mover][usize::from(stone) - 1] = Some(to as i8);
        }
        self.mover = 1 - self.mover;
        if let Some(left) = &mut self.left {
            *left -= 1;
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let capture_all = match self.variant {
            Variant::Standard => true,
            Variant::FourByFour { capture_all, .. } | Variant::NineStones { capture_all, .. } => capture_all,
        };
        for seat in Player::BOTH {
            let (last, row) = (self.size - 1, |square: i8| square / self.size);
            let home = self.squares[seat].iter().flatten().any(|&square| match (self.variant, seat) {
                (Variant::Standard, Player::One) => square == 24,
                (Variant::Standard, Player::Two) => square == 0,
                (_, Player::One) => row(square) == 0,
                (_, Player::Two) => row(square) == last,
            });
            let captured = self.squares[seat.other()].iter().all(Option::is_none);
            if home || capture_all && captured {
                return Some(Outcome::win(seat));
            }
        }
        (self.left == Some(0)).then_some(Outcome::Draw)
    }
}

fn stones_and_targets(game: &Einstein) -> Vec<(u8, u8)> {
    let list = moves(game);
    if list == [Move::PASS] {
        return vec![];
    }
    let mut list: Vec<_> = list.iter().map(|m| (m.stone().unwrap(), m.to().unwrap())).collect();
    list.sort_unstable();
    list
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_agree_with_a_slow_implementation(which in 0..RULES.len(), seed: u64) {
        let game = decision(which, seed);
        let mut expected = Slow::of(&game).moves(game.die().unwrap());
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(stones_and_targets(&game), expected, "{}", game);
        for m in moves(&game) {
            let (mut next, mut slow) = (game, Slow::of(&game));
            next.try_play(m).unwrap();
            slow.play(m.stone().zip(m.to()));
            prop_assert_eq!(Slow::of(&next), slow.clone(), "{} {:?}", game, m);
            prop_assert_eq!(next.outcome(), slow.outcome(), "{} {:?}", game, m);
            let turn_is_over = matches!(next.turn(), Turn::Over(o) if Some(o) == next.outcome());
            prop_assert_eq!(turn_is_over, next.outcome().is_some());
            prop_assert_eq!(next.die(), None);
        }
    }

    #[test]
    fn whole_positions_agree_about_the_end(which in 0..RULES.len(), seed: u64) {
        let game = position(which, seed);
        prop_assert_eq!(game.outcome(), Slow::of(&game).outcome(), "{}", game);
    }

    #[test]
    fn merged_faces_are_those_with_the_same_moves(which in 0..RULES.len(), seed: u64) {
        let game = chance(which, seed);
        let Turn::Chance(die) = game.turn() else { unreachable!() };
        let lists: Vec<_> = (1..=6).map(|face| stones_and_targets(&game.resolved(face))).collect();
        let merged = die.merged();
        prop_assert_eq!(merged.len(), lists.iter().collect::<HashSet<_>>().len(), "{} {:?}", game, merged);
        for &(face, p) in merged {
            let like = &lists[usize::from(face) - 1];
            let share = lists.iter().filter(|list| *list == like).count() as f64 / 6.0;
            prop_assert!((p - share).abs() < 1e-12, "{} face {}: {} but {}", game, face, p, share);
        }
    }

    #[test]
    fn keys_tell_states_apart(which in 0..RULES.len(), seed: u64) {
        let game = position(which, seed);
        prop_assert_eq!(game.key(), game.clone().key());
        let mut others: Vec<Einstein> = Vec::new();
        match game.turn() {
            Turn::Chance(_) => others.extend((1..=6).map(|face| game.resolved(face))),
            Turn::Decide(_) => others.extend(moves(&game).into_iter().map(|m| game.after(m))),
            Turn::Over(_) => {}
        }
        for sym in game.symmetries() {
            others.push(game.transformed(*sym));
        }
        for (i, a) in others.iter().enumerate() {
            for b in &others[..i] {
                prop_assert_eq!(a == b, a.key() == b.key(), "{} and {}", a, b);
            }
            prop_assert_eq!(*a == game, a.key() == game.key(), "{} and {}", a, game);
        }
    }

    #[test]
    fn symmetries_commute_with_play(which in 0..RULES.len(), seed: u64) {
        let game = decision(which, seed);
        for &sym in game.symmetries() {
            let image = game.transformed(sym);
            prop_assert_eq!(image.transformed(game.inverse(sym)), game);
            let mapped: Vec<Move> = moves(&game).into_iter().map(|m| game.map_move(m, sym)).collect();
            let list = moves(&image);
            prop_assert!(list.len() == mapped.len() && list.iter().all(|m| mapped.contains(m)), "{} {:?}", game, sym);
            for m in moves(&game) {
                prop_assert_eq!(game.after(m).transformed(sym), image.after(game.map_move(m, sym)), "{} {:?}", game, sym);
            }
        }
    }

    #[test]
    fn texts_are_read_back(which in 0..RULES.len(), seed: u64) {
        let game = position(which, seed);
        prop_assert_eq!(game.to_string().parse(), Ok(game));
        if matches!(game.turn(), Turn::Decide(_)) {
            for m in moves(&game) {
                let text = game.move_text(m);
                prop_assert_eq!(game.parse_move(&text), Ok(m));
                prop_assert_eq!(game.parse_move(&text.to_lowercase().replace('-', " ")), Ok(m));
                if let (Some(stone), Some(to)) = (m.stone(), m.to()) {
                    prop_assert_eq!(game.parse_move(&format!("{stone}:{}", game.rules().square_name(to))), Ok(m));
                }
            }
        }
    }

    #[test]
    fn garbage_is_refused_without_panic(text in "\\PC{0,40}", which in 0..RULES.len(), seed: u64) {
        let game = position(which, seed);
        let _ = (game.parse_move(&text), game.parse_event(&text), text.parse::<Rules>(), text.parse::<Layout>());
        let _ = Einstein::parse_position(&text);
    }

    #[test]
    fn near_positions_are_refused_without_panic(which in 0..RULES.len(), seed: u64, at: usize, with in "[ -~é\u{0}]{0,2}") {
        let mut text: Vec<char> = position(which, seed).to_string().chars().collect();
        let at = at % text.len();
        text.splice(at..=at, with.chars());
        if let Ok(game) = String::from_iter(text).parse::<Einstein>() {
            prop_assert_eq!(game.to_string().parse(), Ok(game));
        }
    }

    #[test]
    fn near_moves_are_refused_without_panic(which in 0..RULES.len(), seed: u64, text in "[a-fA-F0-9:p> -]{0,6}") {
        let game = decision(which, seed);
        if let Ok(m) = game.parse_move(&text) {
            prop_assert!(moves(&game).contains(&m));
        }
    }

    #[test]
    fn evaluations_keep_their_promises(which in 0..RULES.len(), seed: u64) {
        let game = position(which, seed);
        check_evaluator(&Race, &game)?;
        check_evaluator(&Distribution, &game)?;
        check_evaluator(&Distance, &game)?;
        check_evaluator(&Material, &game)?;
    }

    #[test]
    fn the_race_is_the_formula(seed: u64) {
        let game = position(0, seed);
        if game.outcome().is_none() {
            prop_assert_eq!(Race.value(&game), race_formula(&game), "{}", game);
        }
    }

    #[test]
    fn the_order_is_the_formula(which in 0..RULES.len(), seed: u64) {
        let game = decision(which, seed);
        for m in moves(&game) {
            prop_assert_eq!(ordering(&game, m), order_formula(&game, m), "{} {:?}", game, m);
        }
    }
}

fn check_evaluator(eval: &impl Evaluator<Einstein>, game: &Einstein) -> Result<(), TestCaseError> {
    let inside = |g: &Einstein, v: f32| {
        let bounds = eval.bounds(g);
        bounds.low <= v && v <= bounds.high && (g.outcome().is_some() || v.abs() < 1.0)
    };
    if game.outcome().is_none() {
        let value = eval.value(game);
        prop_assert!(inside(game, value), "{} {}", game, value);
        for &sym in game.symmetries() {
            let image = eval.value(&game.transformed(sym));
            let expected = if game.swaps_seats(sym) { -value } else { value };
            prop_assert!((image - expected).abs() < 1e-5, "{} {:?}: {} but {}", game, sym, image, expected);
        }
    }
    if !matches!(game.turn(), Turn::Decide(_)) {
        return Ok(());
    }
    let (list, mut all) = (moves(game), vec![]);
    eval.after_all(game, &list, &mut all);
    prop_assert_eq!(all.len(), list.len());
    for (&m, &of_all) in list.iter().zip(&all) {
        let next = game.after(m);
        let expected = next.outcome().map_or_else(|| eval.value(&next), |o| eval.terminal(&next, o));
        prop_assert!(inside(&next, of_all));
        prop_assert!((of_all - expected).abs() < 1e-6, "{} {:?}: {} but {}", game, m, of_all, expected);
        prop_assert!((eval.after(game, m) - expected).abs() < 1e-6);
    }
    Ok(())
}

fn steps_to_corner(seat: Player, square: u8) -> i32 {
    let (row, column) = (i32::from(square / 5), i32::from(square % 5));
    if seat == Player::One { (4 - row).max(4 - column) } else { row.max(column) }
}

/// The race evaluation, written out.
fn race_formula(game: &Einstein) -> f32 {
    let fastest = Player::BOTH.map(|seat| {
        let alive = |n: &u8| game.square_of(seat, *n).is_some();
        let mut halves = [0; 7];
        for die in 1..=6u8 {
            if alive(&die) {
                halves[usize::from(die)] += 2;
                continue;
            }
            if let Some(n) = (1..die).rev().find(alive) {
                halves[usize::from(n)] += 2;
            }
            if let Some(n) = (die + 1..=6).find(alive) {
                halves[usize::from(n)] += 2;
            }
        }
        let turns = game.stones(seat).map(|(n, square)| {
            let d = f64::from(steps_to_corner(seat, square));
            d + 0.25 * (d * 12.0 / f64::from(halves[usize::from(n)]))
        });
        turns.fold(99.0, f64::min)
    });
    let (own, opponent) = (fastest[game.mover()], fastest[game.mover().other()]);
    let value = 0.9 * ((opponent - own + 0.5) / 3.0).tanh();
    if game.mover() == Player::One { value as f32 } else { -value as f32 }
}

/// The move ordering, written out.
fn order_formula(game: &Einstein, m: Move) -> i32 {
    let (Some(from), Some(to)) = (m.from(), m.to()) else { return 0 };
    let (mover, standard) = (game.mover(), game.rules() == Rules::STANDARD);
    let rows = |seat: Player, square: u8| {
        let row = i32::from(square / game.rules().size());
        if seat == Player::One { row } else { i32::from(game.rules().size()) - 1 - row }
    };
    let distance = |seat, square| if standard { steps_to_corner(seat, square) } else { rows(seat, square) };
    let mut score = if distance(mover, to) == 0 { 1000 } else { 0 };
    match game.stone_on(to) {
        Some((seat, _)) if seat == mover => score -= 3,
        Some((enemy, _)) => score += 20 + 5 * (4 - distance(enemy, to)),
        None => {}
    }
    score + 4 * (distance(mover, from) - distance(mover, to)) + 4 - distance(mover, to)
}

#[test]
fn random_moves_are_uniform() {
    let mut rng: Xoshiro256PlusPlus = generator(17);
    for which in 0..RULES.len() {
        for seed in 0..12 {
            let game = decision(which, seed);
            let list = moves(&game);
            let mut counts = vec![0u32; list.len()];
            let n = 3000 * list.len() as u32;
            for _ in 0..n {
                let m = game.random_move(&mut rng);
                counts[list.iter().position(|&l| l == m).expect("a legal move")] += 1;
            }
            // Six standard deviations.
            assert!(counts.iter().all(|&c| (f64::from(c) - 3000.0).abs() < 6.0 * 3000f64.sqrt()), "{game} {counts:?}");
        }
    }
}

/// Captures of own and enemy stones change the key, and leave what a position set up that way has.
#[test]
fn captures_lead_to_the_state_set_up_by_hand() {
    for (before, m, after) in [
        ("12.../...../...../...../....a one 1", "A5-B5", ".1.../...../...../...../....a two -"),
        ("1..../.2.../...../...../....a one 1", "A5-B4", "...../.1.../...../...../....a two -"),
        ("1b.../...../...../...../....a one 1", "A5-B5", ".1.../...../...../...../....a two -"),
        ("1..../...../...../...b./....a two 1", "E1-D2", "1..../...../...../...a./..... one -"),
        ("1..../...../...../...2./....a two 1", "E1-D2", "1..../...../...../...a./..... one -"),
    ] {
        let before: Einstein = before.parse().unwrap();
        let played = before.after(before.parse_move(m).unwrap());
        let expected: Einstein = after.parse().unwrap();
        assert_eq!(played, expected);
        assert_eq!(played.key(), expected.key());
        assert_ne!(played.key(), before.key());
    }
}

/// The key holds the turns left only where the end can come within the horizon.
#[test]
fn turns_left_are_in_the_key_when_they_matter() {
    let at = |turns| Einstein::start(rules(14)).with_turns_left(turns).unwrap();
    assert_eq!(at(300).key(), at(129).key());
    assert_ne!(at(300), at(129));
    assert_ne!(at(128).key(), at(129).key());
    assert_ne!(at(5).key(), at(4).key());
    let rules_differ: HashSet<u64> = RULES[8..12].iter().map(|r| Einstein::start(r.parse().unwrap()).key()).collect();
    assert_eq!(rules_differ.len(), 4);
}

#[test]
fn a_limited_game_is_drawn() {
    let game: Einstein = "a..../...../...../...../1.... one 1 5x5x9@9 1".parse().unwrap();
    let next = game.after(game.parse_move("A1-B1").unwrap());
    assert_eq!(next.outcome(), Some(Outcome::Draw));
    // A win in the last turn counts.
    let game: Einstein = "...../1..../..a../...../..... one 1 5x5x9@9 1".parse().unwrap();
    let next = game.after(game.parse_move("A4-A5").unwrap());
    assert_eq!(next.outcome(), Some(Outcome::win(Player::One)));
}

fn starts() -> Vec<Einstein> {
    let mut rng = generator(2);
    let layout = |rules, rng: &mut Xoshiro256PlusPlus| Layout::random(rules, rng);
    RULES
        .iter()
        .flat_map(|text| {
            let rules: Rules = text.parse().unwrap();
            let layouts = [layout(rules, &mut rng), layout(rules, &mut rng)];
            let random = Einstein::new(rules, [&layouts[0], &layouts[1]], Player::Two).unwrap();
            [Einstein::start(rules), random]
        })
        .collect()
}

#[test]
fn the_conformance_suite_passes() {
    let trials = Trials { games: 6, ..Trials::default() };
    testing::conformance(&starts(), trials);
}

#[test]
fn texts_and_pictures_conform() {
    let trials = Trials { games: 2, ..Trials::default() };
    testing::text_round_trip(&starts(), trials);
    testing::picture(&starts(), trials);
    testing::symmetry(&starts(), trials);
}

#[test]
fn evaluators_conform() {
    let trials = Trials { games: 2, ..Trials::default() };
    for eval in [&Race as &dyn Evaluator<Einstein>, &Distribution, &Distance, &Material] {
        testing::evaluator(eval, &starts(), trials);
    }
}

#[test]
fn symmetries_form_a_group_of_eight() {
    let game = Einstein::start(Rules::STANDARD);
    let all: HashSet<Sym> = game.symmetries().iter().copied().collect();
    assert_eq!((all.len(), game.symmetries()[0]), (8, Sym::IDENTITY));
    assert!(all.contains(&Sym::REFLECT.and(Sym::SWAP).and(Sym::RENUMBER)));
}

/// What is wrong with a rule set is shown on a terminal: nothing there may be obeyed by it, or go on for ever.
#[test]
fn refused_rules_are_safe_to_print() {
    let long = "y".repeat(100_000);
    for bad in ["standard+\u{1b}[31mred", "4x4+\u{1b}]0;title\u{7}", "5x5x9+\u{202e}", "\u{1b}[2J", "4x4@\u{7}", &long] {
        for text in [bad.to_string(), format!("standard+{bad}"), format!("5x5x9@{bad}")] {
            let message = text.parse::<Rules>().unwrap_err().to_string();
            assert!(!message.contains(gamecore::text::is_invisible) && message.len() < 400, "{message:?}");
        }
    }
}
