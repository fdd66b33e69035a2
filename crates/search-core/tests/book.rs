//! Opening books: what is counted, found, chosen, written and refused.

use std::collections::HashSet;
use std::fs;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use gamecore::random::{below, generator};
use gamecore::testing::toys::{Nim, Pig, PigMove, TicTacToe};
use gamecore::testing::{self, moves, positions};
use gamecore::{Chance, Game, History, KeyHasher, Never, Outcome, PlayError, Player, Step, Symmetry, Text, Turn, canonical};
use games_einstein::{Einstein, Rules};
use proptest::prelude::*;
use search_core::book::{AddError, Book, BookError, BookMove, MOST_BYTES, WithBook, played, scored};
use search_core::{Agent, AgentError, Bound, Limits, RandomAgent, Report, ReportOf, StopReason};

fn empty() -> Book<TicTacToe> {
    Book::symmetric("tictactoe", &TicTacToe::default())
}

fn board(text: &str) -> TicTacToe {
    TicTacToe::parse_position(text).unwrap()
}

/// Random games to their ends.
fn games<G: Game>(start: &G, seed: u64, count: usize) -> Vec<History<G>> {
    let mut rng = generator(seed);
    let game = |_| {
        let mut game = History::from(start.clone());
        loop {
            let step = match game.state().turn() {
                Turn::Over(_) => return game,
                Turn::Chance(chance) => Step::Chance(chance.sample(&mut rng)),
                Turn::Decide(_) => Step::Move(game.state().random_move(&mut rng)),
            };
            game.push(step);
        }
    };
    (0..count).map(game).collect()
}

fn counted<G: Game>(mut book: Book<G>, games: &[History<G>], decisions: usize) -> Book<G> {
    for game in games {
        book.add_game(game, decisions, scored).unwrap();
    }
    book
}

fn sample() -> Book<TicTacToe> {
    counted(empty(), &games(&TicTacToe::default(), 5, 40), 3)
}

/// A game's first decisions.
fn decisions<G: Game>(game: &History<G>, most: usize) -> Vec<(G, G::Move)> {
    let steps = game.states().iter().zip(game.steps());
    let moves = steps.filter_map(|(state, step)| if let Step::Move(m) = *step { Some((state.clone(), m)) } else { None });
    moves.take(most).collect()
}

fn outcome<G: Game>(game: &History<G>) -> Outcome {
    let Turn::Over(outcome) = game.state().turn() else { panic!("not over") };
    outcome
}

/// Compares a book with a count of every game for every move. `same` says whether the second decision is the first by symmetry,
/// and whether seats are exchanged then.
fn check_counts<G: Game>(
    book: &Book<G>,
    games: &[History<G>],
    most: usize,
    same: impl Fn(&(G, G::Move), &(G, G::Move)) -> Option<bool>,
) {
    let mut met = HashSet::new();
    for (asked, m) in games.iter().flat_map(|game| decisions(game, most)) {
        let Turn::Decide(mover) = asked.turn() else { panic!("{asked:?}") };
        let (mut count, mut weight, mut points) = (0, 0, 0);
        for game in games {
            let hit = decisions(game, most).iter().find_map(|d| same(&(asked.clone(), m), d));
            if let Some(swapped) = hit {
                let seen = if swapped { outcome(game).swapped() } else { outcome(game) };
                count += 1;
                points += seen.points();
                weight += 1 + seen.points() * Outcome::win(mover).points();
            }
        }
        let lines = book.moves(&asked);
        let of_class: Vec<&BookMove<G::Move>> =
            lines.iter().filter(|line| same(&(asked.clone(), m), &(asked.clone(), line.m)).is_some()).collect();
        assert_eq!(of_class.len(), 1, "{asked:?} {m:?}: {lines:?}");
        assert_eq!((of_class[0].games, of_class[0].weight), (count, weight as u32), "{asked:?} {m:?}");
        let mean = f64::from(points) / count as f64;
        assert!((of_class[0].value.unwrap() - mean).abs() < 1e-12, "{asked:?} {m:?}");
        met.insert(asked);
    }
    assert!(met.len() > 10);
}

fn by_symmetry<G: Symmetry>(a: &(G, G::Move), b: &(G, G::Move)) -> Option<bool> {
    let sym = a.0.symmetries().iter().find(|&&sym| a.0.transformed(sym) == b.0 && a.0.map_move(a.1, sym) == b.1);
    sym.map(|&sym| a.0.swaps_seats(sym))
}

#[test]
fn records_are_counted_as_an_obvious_count_does() {
    let list = games(&TicTacToe::default(), 1, 150);
    let book = counted(empty(), &list, 4);
    check_counts(&book, &list, 4, by_symmetry);
    let plain = counted(Book::new("tictactoe", &TicTacToe::default()), &list, 4);
    check_counts(&plain, &list, 4, |a, b| (a == b).then_some(false));
    assert!(plain.len() > book.len());
    let classes: HashSet<TicTacToe> = list.iter().flat_map(|g| decisions(g, 4)).map(|d| canonical(&d.0).0).collect();
    assert_eq!(book.len(), classes.len());
    // Beyond the fourth decision nothing is known.
    assert!(list.iter().all(|game| book.moves(&decisions(game, 9)[4].0).is_empty()));
}

/// Positions come again within one game of Pig: there a game counts once.
#[test]
fn a_game_counts_once_for_a_move() {
    let list = games(&Pig::new(12), 2, 200);
    let book = counted(Book::new("pig 12", &Pig::new(12)), &list, 12);
    check_counts(&book, &list, 12, |a, b| (a == b).then_some(false));
    let first = book.moves(&Pig::new(12));
    assert_eq!((first.len(), first[0].games), (1, 200));
    let again = |game: &History<Pig>| decisions(game, 12).iter().filter(|d| d.0 == Pig::new(12)).count() > 1;
    assert!(list.iter().any(again));
}

#[test]
fn einstein_is_counted_with_seats_exchanged_and_by_die() {
    let start = Einstein::start(Rules::STANDARD);
    let other = canonical(&start).0.transformed(games_einstein::Sym::SWAP);
    let mut list = games(&start, 3, 60);
    list.extend(games(&other, 4, 60));
    let book = counted(Book::symmetric("einstein standard", &start), &list, 2);
    check_counts(&book, &list, 2, by_symmetry);
    assert!(book.moves(&start).is_empty(), "nothing is known before the roll");
    let faces = (1..=6).filter(|&face| !book.moves(&start.resolved(face)).is_empty());
    assert_eq!(faces.count(), 6);
}

#[test]
fn symmetric_positions_answer_with_the_mapped_move() {
    let start = Einstein::start(Rules::STANDARD);
    for (seed, state) in (0..).zip(positions(&start, 6, 100, 0..=8)) {
        let Turn::Decide(_) = state.turn() else { panic!("{state:?}") };
        let mut book = Book::symmetric("einstein standard", &start);
        for (m, weight) in moves(&state).into_iter().zip(1..) {
            book.add(&state, m, weight, 4, 0.25 * f64::from(weight)).unwrap();
        }
        let mut known: Vec<_> = book.moves(&state).iter().map(|l| (l.m, l.weight, l.value)).collect();
        known.sort_by_key(|line| line.1);
        let added: Vec<_> = (1..).zip(moves(&state)).map(|(w, m)| (m, w, Some(0.25 * f64::from(w)))).collect();
        assert_eq!(known, added);
        for &sym in state.symmetries() {
            let image = state.transformed(sym);
            let sign = if state.swaps_seats(sym) { -1.0 } else { 1.0 };
            let turned = book.moves(&state).into_iter().map(|mut line| {
                line.m = state.map_move(line.m, sym);
                line.value = line.value.map(|value| sign * value);
                line
            });
            assert_eq!(book.moves(&image), turned.collect::<Vec<_>>());
            assert_eq!(book.best(&image), book.best(&state).map(|m| state.map_move(m, sym)));
            let chosen = book.choose(&state, &mut generator(seed)).unwrap();
            assert_eq!(book.choose(&image, &mut generator(seed)), Some(state.map_move(chosen, sym)));
        }
    }
}

/// Hand it on, or win; a game comes again and again to the same position with seats exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Hot {
    mover: Player,
    over: bool,
}

impl Game for Hot {
    type Move = bool;
    type Moves = Vec<bool>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        if self.over { Turn::Over(Outcome::win(self.mover)) } else { Turn::Decide(self.mover) }
    }
    fn moves(&self, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }
    fn play(&mut self, win: bool) {
        self.over = win;
        self.mover = if win { self.mover } else { self.mover.other() };
    }
    fn resolve(&mut self, event: Never) {
        match event {}
    }
}

impl Symmetry for Hot {
    type Sym = bool;

    fn symmetries(&self) -> &'static [bool] {
        &[false, true]
    }
    fn inverse(&self, sym: bool) -> bool {
        sym
    }
    fn swaps_seats(&self, sym: bool) -> bool {
        sym
    }
    fn transformed(&self, sym: bool) -> Self {
        Self { mover: if sym { self.mover.other() } else { self.mover }, ..*self }
    }
    fn map_move(&self, m: bool, _: bool) -> bool {
        m
    }
    fn map_event(&self, event: Never, _: bool) -> Never {
        match event {}
    }
}

#[test]
fn the_first_time_counts_also_with_seats_exchanged() {
    testing::symmetry(&[Hot { mover: Player::One, over: false }], testing::Trials::default());
    for mover in Player::BOTH {
        let start = Hot { mover, over: false };
        let mut game = History::from(start);
        for win in [false, false, true] {
            game.try_play(win).unwrap(); // the first player wins
        }
        let mut book = Book::symmetric("hot", &start);
        book.add_game(&game, 9, |player, _| if player == mover { 3 } else { 5 }).unwrap();
        let won = f64::from(Outcome::win(mover).points());
        let seen: Vec<_> = book.moves(&start).iter().map(|l| (l.m, l.weight, l.games, l.value)).collect();
        assert_eq!(seen, [(false, 3, 1, Some(won)), (true, 3, 1, Some(won))]);
    }
}

#[test]
fn moves_that_are_the_same_are_one() {
    let (start, mut book) = (TicTacToe::default(), empty());
    for corner in [0, 2, 6, 8] {
        book.add(&start, corner, 1, 1, 1.0).unwrap();
    }
    book.add(&start, 4, 9, 3, 0.5).unwrap();
    let lines = book.moves(&start);
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0].m, lines[0].weight, lines[0].games, lines[0].value), (4, 9, 3, Some(0.5)));
    assert!([0, 2, 6, 8].contains(&lines[1].m));
    assert_eq!((lines[1].weight, lines[1].games, lines[1].value), (4, 4, Some(1.0)));

    let mut plain = Book::new("tictactoe", &start);
    plain.add(&start, 0, 1, 1, 1.0).unwrap();
    plain.add(&start, 2, 1, 0, 5.0).unwrap();
    let seen: Vec<_> = plain.moves(&start).iter().map(|l| (l.m, l.value)).collect();
    assert_eq!(seen, [(0, Some(1.0)), (2, None)]);
}

#[test]
fn weights_are_obeyed() {
    let nim = Nim::new(15);
    let mut book = Book::new("nim", &nim);
    for (m, weight) in [(1, 1), (2, 5), (3, 2)] {
        book.add(&nim, m, weight, 0, 0.0).unwrap();
    }
    let draw = |seed, n: usize| {
        let mut rng = generator(seed);
        (0..n).map(|_| book.choose(&nim, &mut rng).unwrap()).collect::<Vec<u8>>()
    };
    let n = 40_000;
    let list = draw(8, n);
    for (m, p) in [(1, 0.125), (2, 0.625), (3, 0.25)] {
        let (count, mean) = (list.iter().filter(|&&x| x == m).count() as f64, n as f64 * p);
        assert!((count - mean).abs() < 5.0 * (mean * (1.0 - p)).sqrt(), "{m}: {count}"); // five standard deviations
    }
    assert_eq!(draw(8, 100), draw(8, 100));
    assert_ne!(draw(8, 100), draw(9, 100));
    assert_eq!(book.best(&nim), Some(2));
}

#[test]
fn moves_without_weight_are_known_but_not_chosen() {
    let nim = Nim::new(15);
    let mut book = Book::new("nim", &nim);
    book.add(&nim, 1, 0, 7, -1.0).unwrap();
    assert_eq!((book.best(&nim), book.choose(&nim, &mut generator(1))), (None, None));
    assert_eq!(book.moves(&nim).len(), 1);
    book.add(&nim, 3, 1, 0, 0.0).unwrap();
    let mut rng = generator(1);
    assert!((0..100).all(|_| book.choose(&nim, &mut rng) == Some(3)));
    // The greatest weights there are.
    for m in [1, 2, 3, 3] {
        book.add(&nim, m, u32::MAX, u64::MAX, f64::MAX).unwrap();
    }
    let drawn: HashSet<u8> = (0..100).map(|_| book.choose(&nim, &mut rng).unwrap()).collect();
    assert_eq!(drawn.len(), 3);
    assert!(book.moves(&nim).iter().all(|l| l.weight == u32::MAX && l.games == u64::MAX && l.value.unwrap().is_finite()));
}

#[test]
fn weights_may_be_for_one_seat() {
    let list = games(&Nim::new(9), 1, 50);
    let mut book = Book::new("nim", &Nim::new(9));
    for game in &list {
        book.add_game(game, 2, |mover, _| u32::from(mover == Player::One)).unwrap();
    }
    assert!(book.best(&Nim::new(9)).is_some());
    let answers: Vec<_> = (1..=3).map(|m| Nim::new(9).after(m)).collect();
    assert!(answers.iter().all(|g| book.best(g).is_none() && !book.moves(g).is_empty()));
    // Seats are those of the game, also where the position is filed with seats exchanged.
    let start = Einstein::start(Rules::STANDARD);
    for start in [start, start.transformed(games_einstein::Sym::SWAP)] {
        let game = games(&start, 2, 1).remove(0);
        let (state, _) = decisions(&game, 1).remove(0);
        let Turn::Decide(first) = state.turn() else { panic!("{state:?}") };
        let mut book = Book::symmetric("einstein standard", &start);
        book.add_game(&game, 1, |mover, _| u32::from(mover == first)).unwrap();
        assert_eq!(book.moves(&state)[0].weight, 1);
    }
}

#[test]
fn rare_moves_are_dropped() {
    let list = games(&TicTacToe::default(), 7, 100);
    let all = counted(empty(), &list, 3);
    let mut book = all.clone();
    book.prune(4);
    assert!(book.len() < all.len() && !book.is_empty());
    for (state, _) in list.iter().flat_map(|game| decisions(game, 3)) {
        let mut kept = all.moves(&state);
        kept.retain(|line| line.games >= 4);
        assert_eq!(book.moves(&state), kept);
    }
    book.prune(u64::MAX);
    assert!(book.is_empty() && book.to_bytes() == empty().to_bytes());
}

#[test]
fn what_cannot_be_added_is_refused() {
    let mut book = sample();
    let before = book.to_bytes();
    let start = TicTacToe::default();
    assert_eq!(book.add(&start, 9, 1, 1, 0.0), Err(AddError::Play(PlayError::Illegal { m: 9 })));
    assert_eq!(book.add(&start.after(0), 0, 1, 1, 0.0), Err(AddError::Play(PlayError::Illegal { m: 0 })));
    let over = board("xxxoo.... o");
    assert_eq!(book.add(&over, 8, 1, 1, 0.0), Err(AddError::Play(PlayError::Over { m: 8 })));
    assert_eq!(book.add(&start, 0, 1, 1, f64::INFINITY), Err(AddError::NotFinite { value: f64::INFINITY }));
    assert!(book.add(&start, 0, 1, 1, f64::NAN).is_err());
    assert_eq!(book.add_game(&start.into(), 3, played), Err(AddError::Unfinished));
    assert_eq!(book.to_bytes(), before);

    let pig = Pig::new(20);
    let mut book = Book::new("pig", &pig);
    let rolling = pig.after(PigMove::Roll);
    let refused = book.add(&rolling, PigMove::Roll, 1, 1, 0.0);
    assert_eq!(refused, Err(AddError::Play(PlayError::ChanceFirst { m: PigMove::Roll })));
    assert!(book.moves(&rolling).is_empty() && book.best(&rolling).is_none());
}

#[test]
fn a_book_survives_its_file() {
    for book in [sample(), empty()] {
        let mut read = empty();
        read.read_from(&book.to_bytes()[..]).unwrap();
        assert_eq!(read.to_bytes(), book.to_bytes());
        for game in games(&TicTacToe::default(), 9, 50) {
            game.states().iter().for_each(|state| assert_eq!(read.moves(state), book.moves(state)));
        }
    }
    // The order of the games does not matter, and two files are read as one.
    let list = games(&TicTacToe::default(), 10, 60);
    let whole = counted(empty(), &list, 4);
    let reversed: Vec<_> = list.iter().rev().cloned().collect();
    assert_eq!(counted(empty(), &reversed, 4).to_bytes(), whole.to_bytes());
    let mut merged = counted(empty(), &list[..25], 4);
    merged.read_from(&counted(empty(), &list[25..], 4).to_bytes()[..]).unwrap();
    assert_eq!(merged.to_bytes(), whole.to_bytes());
}

/// The bytes of a book are the same on every machine and in every version: else the format has another version.
#[test]
fn the_format_is_fixed() {
    let mut book = Book::new("nim 15", &Nim::new(15));
    book.add(&Nim::new(15), 3, 2, 4, 0.5).unwrap();
    let hex: String = book.to_bytes().iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, GOLDEN);
}

const GOLDEN: &str = concat!(
    "62772d626f6f6b0a",     // magic
    "01000000",             // version
    "3e00000000000000",     // length of the body
    "060000006e696d203135", // label
    "eb3b1a4028175272",     // fingerprint
    "0100000000000000",     // positions
    "f4f780a7130dec60",     // key
    "01000000",             // moves
    "0200000002000000",     // index and weight
    "0400000000000000",     // games
    "0000000000000040",     // points
    "10c8e1c3eb9e2294",     // checksum
);

fn read(bytes: &[u8]) -> Result<(), BookError> {
    empty().read_from(bytes)
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let bytes = sample().to_bytes();
    assert!(read(&bytes).is_ok());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bad = bytes.clone();
            bad[at] ^= 1 << bit;
            let error = read(&bad).unwrap_err();
            let fits = match at {
                0..8 => matches!(error, BookError::NotABook),
                8..12 => matches!(error, BookError::Version { .. }),
                12..20 => matches!(error, BookError::Damaged { .. } | BookError::TooLarge { .. }),
                _ => matches!(error, BookError::Damaged { .. }),
            };
            assert!(fits, "byte {at}, bit {bit}: {error:?}");
        }
        let error = read(&bytes[..at]).unwrap_err();
        assert!(if at < 8 { matches!(error, BookError::NotABook) } else { matches!(error, BookError::Damaged { .. }) });
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&longer), Err(BookError::Damaged { .. })));
}

#[test]
fn books_of_other_games_are_refused() {
    let nim = Book::new("nim", &Nim::new(15));
    let error = read(&nim.to_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "an opening book of \"nim\", not of \"tictactoe\"");
    let keys = |result: Result<(), BookError>| matches!(result, Err(BookError::OtherKeys { .. }));
    // The same label, but another way of keying, another start, another game altogether.
    let plain = Book::new("tictactoe", &TicTacToe::default());
    assert!(keys(read(&plain.to_bytes())));
    let other = Book::symmetric("tictactoe", &TicTacToe::default().after(0));
    assert!(keys(read(&other.to_bytes())));
    assert!(keys(Book::new("nim", &Nim::new(16)).read_from(&nim.to_bytes()[..])));
    assert!(keys(Book::new("nim", &Pig::new(15)).read_from(&nim.to_bytes()[..])));
    let standard = Book::symmetric("einstein", &Einstein::start(Rules::STANDARD));
    let rules: Rules = "4x4".parse().unwrap();
    assert!(keys(Book::symmetric("einstein", &Einstein::start(rules)).read_from(&standard.to_bytes()[..])));
}

/// The same game with its moves in another order: old indices would mean other moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Reversed(Nim);

impl Game for Reversed {
    type Move = u8;
    type Moves = Vec<u8>;
    type Chance = Never;

    fn turn(&self) -> Turn<Never> {
        self.0.turn()
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(moves(&self.0).into_iter().rev());
    }
    fn play(&mut self, m: u8) {
        self.0.play(m);
    }
    fn resolve(&mut self, event: Never) {
        match event {}
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
}

#[test]
fn another_order_of_moves_is_noticed() {
    let bytes = Book::new("nim", &Nim::new(15)).to_bytes();
    let result = Book::new("nim", &Reversed(Nim::new(15))).read_from(&bytes[..]);
    assert!(matches!(result, Err(BookError::OtherKeys { .. })));
}

/// A book's bytes from a body, with the right length and checksum.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut bytes = b"bw-book\n\x01\0\0\0".to_vec();
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    let mut hasher = KeyHasher::default();
    hasher.write(&bytes);
    bytes.extend(hasher.finish().to_le_bytes());
    bytes
}

/// A move of a written position: index, games, sum of points.
type Written = (u32, u64, f64);

/// The body of an empty book up to the number of positions.
fn front<G: Game>(book: &Book<G>) -> Vec<u8> {
    let bytes = Book::to_bytes(book);
    bytes[20..20 + 4 + book.label().len() + 8].to_vec()
}

/// A body of positions: keys and moves.
fn body(front: &[u8], claimed: u64, positions: &[(u64, &[Written])]) -> Vec<u8> {
    let mut body = front.to_vec();
    body.extend(claimed.to_le_bytes());
    for (key, stats) in positions {
        body.extend(key.to_le_bytes());
        body.extend((stats.len() as u32).to_le_bytes());
        for (index, games, points) in *stats {
            body.extend(index.to_le_bytes());
            body.extend(1u32.to_le_bytes());
            body.extend(games.to_le_bytes());
            body.extend(points.to_le_bytes());
        }
    }
    body
}

#[test]
fn bodies_that_cannot_be_are_refused() {
    let front = front(&empty());
    let one: &[Written] = &[(0, 1, 1.0)];
    let good = sealed(&body(&front, 2, &[(1, one), (2, one)]));
    assert!(read(&good).is_ok());
    for bad in [
        body(&front, 2, &[(2, one), (1, one)]),
        body(&front, 2, &[(1, one), (1, one)]),
        body(&front, 1, &[(1, &[])]),
        body(&front, 1, &[(1, &[(1, 1, 0.0), (0, 1, 0.0)])]),
        body(&front, 1, &[(1, &[(1, 1, 0.0), (1, 1, 0.0)])]),
        body(&front, 1, &[(1, &[(0, 1, f64::NAN)])]),
        body(&front, 1, &[(1, &[(0, 1, f64::NEG_INFINITY)])]),
        body(&front, 1, &[(1, &[(0, 0, 1.0)])]),
        body(&front, 1, &[(1, one), (2, one)]),
        body(&front, 3, &[(1, one), (2, one)]),
        body(&front, u64::MAX, &[(1, one), (2, one)]),
        front.clone(),
        u32::MAX.to_le_bytes().to_vec(),
        Vec::new(),
    ] {
        assert!(matches!(read(&sealed(&bad)), Err(BookError::Damaged { .. })), "{bad:?}");
    }
    let mut label = 4u32.to_le_bytes().to_vec();
    label.extend([b'a', 0x1B, 0xFF, b'z']);
    let error = read(&sealed(&label)).unwrap_err().to_string();
    assert!(error.starts_with("an opening book of \"a\\u{1b}\u{FFFD}z\""), "{error}");
}

#[test]
fn sizes_are_limited() {
    let mut claims = b"bw-book\n\x01\0\0\0".to_vec();
    for length in [u64::MAX, MOST_BYTES, MOST_BYTES - 27] {
        claims.truncate(12);
        claims.extend(length.to_le_bytes());
        let endless = (&claims[..]).chain(io::repeat(0));
        assert!(matches!(empty().read_from(endless), Err(BookError::TooLarge { bytes }) if bytes > MOST_BYTES));
    }
    // The largest that may be claimed, and nothing there.
    claims.truncate(12);
    claims.extend((MOST_BYTES - 28).to_le_bytes());
    assert!(matches!(read(&claims), Err(BookError::Damaged { .. })));
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("unplugged"))
    }
}

#[test]
fn a_failing_stream_is_reported_and_changes_nothing() {
    let bytes = sample().to_bytes();
    for at in [0, 10, bytes.len() - 1] {
        let mut book = sample();
        assert!(matches!(book.read_from(bytes[..at].chain(Broken)), Err(BookError::Io(_))));
        assert_eq!(book.to_bytes(), bytes);
    }
    let full: &mut [u8] = &mut [0; 10];
    assert!(matches!(sample().write_to(full), Err(BookError::Io(_))));
}

#[test]
fn files_are_replaced_whole_or_not_at_all() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("books-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("tictactoe.book");
    empty().save(&path).unwrap();
    sample().save(&path).unwrap();
    let mut book = empty();
    book.load(&path).unwrap();
    assert_eq!(book.to_bytes(), sample().to_bytes());

    fs::create_dir(folder.join("taken")).unwrap();
    fs::write(folder.join("taken/file"), "").unwrap();
    for bad in ["taken", "missing/tictactoe.book", ".."] {
        assert!(matches!(sample().save(folder.join(bad)), Err(BookError::Io(_))), "{bad}");
    }
    assert!(matches!(book.load(folder.join("none")), Err(BookError::Io(_))));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left behind");
    fs::remove_dir_all(&folder).unwrap();
}

/// Moves that a foreign book claims under a right key are no moves there: nothing is found, nothing played.
#[test]
fn impossible_moves_are_never_played() {
    let nim = Nim::new(15);
    let front = front(&Book::new("nim", &nim));
    for (last, known) in [(1, true), (2, true), (3, false), (u32::MAX, false)] {
        let bytes = sealed(&body(&front, 1, &[(nim.key(), &[(0, 1, 1.0), (last, 1, 1.0)])]));
        let mut book = Book::new("nim", &nim);
        book.read_from(&bytes[..]).unwrap();
        assert_eq!(book.best(&nim).is_some(), known, "{last}");
        assert_eq!(book.choose(&nim, &mut generator(1)).is_some(), known);
        let report = WithBook::new(Arc::new(book), RandomAgent(generator(1)), 1).choose(&nim.into(), &Limits::default());
        assert!(moves(&nim).contains(&report.unwrap().best.unwrap()));
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), seal: bool, at in 0usize..200) {
        let good = front(&empty());
        let content = if seal { sealed(&[&good[..at.min(good.len())], &bytes].concat()) } else { bytes };
        let mut book = empty();
        if let Err(error) = book.read_from(&content[..]) {
            prop_assert!(book.is_empty() && !error.to_string().is_empty());
        }
        prop_assert!(book.choose(&TicTacToe::default(), &mut generator(1)).is_none_or(|m| m < 9));
    }

    /// Bodies changed anywhere, under a right checksum: refused, or a book all of whose moves are legal.
    #[test]
    fn changed_bodies_are_refused_or_harmless(
        edits in proptest::collection::vec((any::<usize>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        let bytes = sample().to_bytes();
        let mut body = bytes[20..bytes.len() - 8].to_vec();
        for (at, byte, kind) in edits {
            let at = at % body.len();
            match kind {
                0 => body[at] = byte,
                1 => body.insert(at, byte),
                _ => drop(body.remove(at)),
            }
        }
        let mut book = empty();
        if book.read_from(&sealed(&body)[..]).is_ok() {
            for game in games(&TicTacToe::default(), 3, 5) {
                for state in game.states() {
                    let lines = book.moves(state);
                    prop_assert!(lines.iter().all(|line| moves(state).contains(&line.m)));
                    prop_assert!(book.choose(state, &mut generator(1)).is_none_or(|m| moves(state).contains(&m)));
                }
            }
        }
    }

    #[test]
    fn any_entries_survive_their_file(
        entries in proptest::collection::vec((any::<u64>(), any::<u32>(), any::<u64>(), -1e300..1e300f64), 0..20),
    ) {
        let mut book = empty();
        for (seed, weight, games, value) in entries {
            let state = positions(&TicTacToe::default(), seed, 1, 0..=4).remove(0);
            let list = moves(&state);
            book.add(&state, list[below(&mut generator(seed), list.len())], weight, games, value).unwrap();
        }
        let mut again = empty();
        again.read_from(&book.to_bytes()[..]).unwrap();
        prop_assert_eq!(again.to_bytes(), book.to_bytes());
    }
}

/// Takes the last move and writes down what it is told.
#[derive(Default)]
struct Last {
    told: Arc<Mutex<Vec<String>>>,
}

impl<G: Game> Agent<G> for Last {
    fn name(&self) -> String {
        "last".into()
    }
    fn new_game(&mut self, seed: u64) {
        self.told.lock().unwrap().push(format!("new game {seed}"));
    }
    fn choose(&mut self, history: &History<G>, limits: &Limits) -> Result<ReportOf<G>, AgentError> {
        self.told.lock().unwrap().push(format!("choose after {} with {:?}", history.steps().len(), limits.depth));
        Ok(Report::of_move(*moves(history.state()).last().unwrap(), None))
    }
}

#[test]
fn an_agent_opens_with_the_book_and_goes_on_alone() {
    let start = TicTacToe::default();
    let mut book = empty();
    book.add(&start, 4, 3, 8, 0.5).unwrap();
    book.add(&start, 0, 1, 2, -1.0).unwrap();
    book.add(&start, 1, 1, 0, 0.0).unwrap();
    book.add(&start.after(4), 0, 1, 10, 0.25).unwrap();
    let told = Arc::default();
    let inner = Last { told: Arc::clone(&told) };
    let mut agent: Box<dyn Agent<TicTacToe>> = Box::new(WithBook::new(Arc::new(book), inner, 1).best_only());
    assert_eq!(agent.name(), "last with book");
    agent.new_game(77);

    let mut history = History::from(start);
    let report = agent.choose(&history, &Limits::depth(5)).unwrap();
    assert_eq!((report.best, report.value, report.stop), (Some(4), Some(0.5), StopReason::Book));
    assert_eq!((report.depth, report.nodes, report.evaluations), (0, 0, 0));
    let lines: Vec<_> = report.moves.iter().map(|l| (l.m, l.value, l.bound, l.nodes)).collect();
    let (corner, side) = (|m| (m, -1.0, Bound::Exact, 2), |m| (m, -1.0, Bound::AtLeast, 0));
    let centre = (4, 0.5, Bound::Exact, 8);
    assert_eq!(lines, [corner(0), side(1), corner(2), side(3), centre, side(5), corner(6), side(7), corner(8)]);

    history.push(Step::Move(4));
    let report = agent.choose(&history, &Limits::depth(5)).unwrap();
    assert!([0, 2, 6, 8].contains(&report.best.unwrap()));
    assert_eq!((report.value, report.moves.len()), (Some(0.25), 8));
    assert!(report.moves.iter().filter(|l| l.m % 2 == 1).all(|l| (l.value, l.bound) == (1.0, Bound::AtMost)));

    history.push(Step::Move(0));
    let report = agent.choose(&history, &Limits::depth(5)).unwrap();
    assert_eq!((report.best, report.stop), (Some(8), StopReason::Depth));
    assert_eq!(*told.lock().unwrap(), ["new game 77", "choose after 2 with Some(5)"]);
}

#[test]
fn an_agent_draws_by_its_seed() {
    let nim = Nim::new(15);
    let mut book = Book::new("nim", &nim);
    (1..=3).for_each(|m| book.add(&nim, m, 1, 1, 0.0).unwrap());
    let book = Arc::new(book);
    let mut agent = WithBook::new(Arc::clone(&book), Last::default(), 5);
    let draw = |agent: &mut WithBook<Nim, Last>| {
        (0..50).map(|_| agent.choose(&nim.into(), &Limits::default()).unwrap().best.unwrap()).collect::<Vec<u8>>()
    };
    let made = draw(&mut agent);
    let mut with_seed = |seed| {
        Agent::<Nim>::new_game(&mut agent, seed);
        draw(&mut agent)
    };
    assert_eq!(with_seed(5), made);
    assert_eq!(with_seed(6), with_seed(6));
    assert_ne!(with_seed(6), made);
    assert_eq!(made.iter().collect::<HashSet<_>>().len(), 3);
    // An inner agent that gets the same seed draws otherwise.
    let mut rng = generator(5);
    assert_ne!((0..50).map(|_| book.choose(&nim, &mut rng).unwrap()).collect::<Vec<u8>>(), made);
    // Weights are drawn from, unlike with `best_only`.
    let mut agent = agent.best_only();
    assert_eq!(draw(&mut agent), [1; 50]);
}

#[test]
fn where_nothing_is_to_be_decided_nobody_is_asked() {
    let pig = Pig::new(20);
    let mut agent = WithBook::new(Arc::new(Book::new("pig", &pig)), Last::default(), 1);
    let rolling = pig.after(PigMove::Roll);
    assert_eq!(agent.choose(&rolling.into(), &Limits::default()).unwrap_err(), AgentError::NothingToDecide);
    assert!(agent.inner().told.lock().unwrap().is_empty());
}
