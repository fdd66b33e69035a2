//! What must hold for every database, checked on small ones: agreement with a slow recursion by the game's rules, files that
//! are refused, and what the evaluator says.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use gamecore::{Bounds, Evaluator, Game, KeyHasher, Player, ROLLS, Turn};
use games_backgammon::eval::Baseline;
use games_backgammon::{Backgammon, Cube, Stakes, Throw};
use games_backgammon_bearoff::{Database, FileError, Kind, OneSided, Params, ParamsError, Rolls, TwoSided, WithBearOff};
use proptest::prelude::*;
use search_core::{Limits, StopReason};
use search_expectimax::{Expectimax, Pruning};

fn params(points: u8, checkers: u8) -> Params {
    Params::new(points, checkers).unwrap()
}

fn one_sided(points: u8, checkers: u8) -> OneSided {
    OneSided::build(params(points, checkers), 2, |_, _| {})
}

fn two_sided(points: u8, checkers: u8) -> TwoSided {
    TwoSided::build(params(points, checkers), 2, |_, _| {}).unwrap()
}

/// The databases that gnubg has, computed once.
fn full() -> &'static (Arc<OneSided>, Arc<TwoSided>) {
    static FULL: OnceLock<(Arc<OneSided>, Arc<TwoSided>)> = OnceLock::new();
    FULL.get_or_init(|| (Arc::new(OneSided::build(Params::HOME, 0, |_, _| {})), Arc::new(two_sided(6, 6))))
}

/// All ways of having at most so many checkers on so many points.
fn sides(points: usize, checkers: u8) -> Vec<Vec<u8>> {
    let mut list = vec![vec![]];
    for _ in 0..points {
        let longer = |side: Vec<u8>| {
            let left = checkers - side.iter().sum::<u8>();
            (0..=left).map(move |n| [side.as_slice(), &[n]].concat())
        };
        list = list.into_iter().flat_map(longer).collect();
    }
    list
}

/// A side of `all` checkers, those not on a point off.
fn board(side: &[u8], all: u8) -> [u8; 26] {
    let mut board = [0; 26];
    board[..side.len()].copy_from_slice(side);
    board[25] = all - side.iter().sum::<u8>();
    board
}

fn game(own: &[u8], other: &[u8], all: u8, mover: Player) -> Backgammon {
    let boards = [board(own, all), board(other, all)];
    let boards = if mover == Player::One { boards } else { [boards[1], boards[0]] };
    Backgammon::from_board(boards, mover, None).unwrap()
}

fn moves(game: &Backgammon) -> Vec<games_backgammon::Move> {
    let mut moves = <Backgammon as Game>::Moves::default();
    game.moves(&mut moves);
    moves.to_vec()
}

/// Values by the rules of the game alone.
#[derive(Default)]
struct Slow {
    wins: HashMap<Backgammon, f64>,
    /// Points for the mover.
    points: HashMap<Backgammon, f64>,
    /// By the mover's board: mean and distribution of rolls for all checkers, and for the next.
    rolls: HashMap<[u8; 26], [(f64, Vec<f64>); 2]>,
}

impl Slow {
    /// The probability that the mover wins.
    fn wins(&mut self, game: &Backgammon) -> f64 {
        if let Some(&p) = self.wins.get(game) {
            return p;
        }
        let mut sum = 0.0;
        for (roll, p) in ROLLS {
            let rolled = game.resolved(Throw::Turn(roll));
            let values = moves(&rolled).into_iter().map(|m| {
                let next = rolled.after(m);
                if next.outcome().is_some() { 1.0 } else { 1.0 - self.wins(&next) }
            });
            sum += p * values.fold(0.0, f64::max);
        }
        self.wins.insert(*game, sum);
        sum
    }

    /// The points that the mover wins on average, gammons counted.
    fn points(&mut self, game: &Backgammon) -> f64 {
        if let Some(&points) = self.points.get(game) {
            return points;
        }
        let mut sum = 0.0;
        for (roll, p) in ROLLS {
            let rolled = game.resolved(Throw::Turn(roll));
            let values = moves(&rolled).into_iter().map(|m| {
                let next = rolled.after(m);
                next.outcome().map_or_else(|| -self.points(&next), |outcome| f64::from(outcome.points().abs()))
            });
            sum += p * values.fold(f64::MIN, f64::max);
        }
        self.points.insert(*game, sum);
        sum
    }

    /// The other side waits with all its checkers far behind.
    fn rolls(&mut self, own: [u8; 26]) -> [(f64, Vec<f64>); 2] {
        if own[..25].iter().all(|&n| n == 0) {
            return [(0.0, vec![1.0]), (0.0, vec![1.0])];
        }
        if let Some(found) = self.rolls.get(&own) {
            return found.clone();
        }
        let game = Backgammon::from_board([own, board(&[1], 15)], Player::One, None).unwrap();
        let mut found = [(1.0, vec![0.0]), (1.0, vec![0.0])];
        for (roll, p) in ROLLS {
            let rolled = game.resolved(Throw::Turn(roll));
            let boards = moves(&rolled).into_iter().map(|m| rolled.after(m).board(Player::One));
            let after: Vec<_> = boards
                .map(|board| {
                    let [all, next] = self.rolls(board);
                    [all, if board[25] > own[25] { (0.0, vec![1.0]) } else { next }]
                })
                .collect();
            for (i, (mean, distribution)) in found.iter_mut().enumerate() {
                let best = after.iter().map(|lists| &lists[i]).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                *mean += p * best.0;
                distribution.resize(distribution.len().max(best.1.len() + 1), 0.0);
                best.1.iter().enumerate().for_each(|(n, q)| distribution[n + 1] += p * q);
            }
        }
        self.rolls.insert(own, found.clone());
        found
    }
}

fn is_near(found: Rolls<'_>, mean: f64, distribution: &[f64]) -> bool {
    let total: f64 = found.iter().map(|(_, p)| p).sum();
    (found.mean() - mean).abs() < 1e-10
        && (total - 1.0).abs() < 1e-12
        && found.iter().all(|(n, p)| (p - distribution.get(n).unwrap_or(&0.0)).abs() < 1e-10)
        && distribution.iter().enumerate().all(|(n, p)| (p - found.probability(n)).abs() < 1e-10)
}

#[test]
fn one_side_agrees_with_the_rules() {
    let mut slow = Slow::default();
    for (points, checkers) in [(6, 4), (9, 2), (3, 6), (16, 1), (1, 15)] {
        let database = one_sided(points, checkers);
        let all = sides(points.into(), checkers);
        assert_eq!(all.len(), database.params().positions());
        for side in all {
            let [(mean, distribution), (next_mean, next_distribution)] = slow.rolls(board(&side, 15));
            assert!(is_near(database.all_off(&side).unwrap(), mean, &distribution), "{side:?}: {mean} {distribution:?}");
            let next = database.next_off(&side).unwrap();
            assert!(is_near(next, next_mean, &next_distribution), "{side:?}: {next_mean} {next_distribution:?}");
        }
    }
}

#[test]
fn two_sides_agree_with_the_rules() {
    let mut slow = Slow::default();
    for (points, checkers) in [(6, 3), (12, 1), (8, 2), (2, 5)] {
        let database = two_sided(points, checkers);
        let all = sides(points.into(), checkers);
        for own in &all {
            for other in &all {
                let p = database.wins(own, other).unwrap();
                if own.iter().all(|&n| n == 0) || other.iter().all(|&n| n == 0) {
                    assert_eq!(p, f64::from(u8::from(own.iter().all(|&n| n == 0))));
                    continue;
                }
                let expected = slow.wins(&game(own, other, 15, Player::One));
                assert!((p - expected).abs() < 1e-12, "{own:?} {other:?}: {p}, not {expected}");
            }
        }
    }
}

#[test]
fn positions_outside_have_no_value() {
    let (one, two) = (one_sided(6, 3), two_sided(6, 3));
    assert!(one.all_off(&[0, 0, 0, 0, 0, 3]).is_some() && one.next_off(&[0, 0, 0, 0, 0, 3, 0, 0]).is_some());
    for side in [
        &[0, 0, 0, 0, 0, 0, 1][..],
        &[4],
        &[255, 255],
        &[1, 1, 1, 1],
        &[0; 300],
        &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9],
    ] {
        let empty = side.iter().all(|&n| n == 0);
        assert_eq!((one.all_off(side).is_some(), one.next_off(side).is_some()), (empty, empty), "{side:?}");
        assert_eq!((two.wins(side, &[1]).is_some(), two.wins(&[1], side).is_some()), (empty, empty), "{side:?}");
    }
}

#[test]
fn threads_change_nothing_and_progress_comes_to_its_end() {
    let mut reports = Vec::new();
    let alone = TwoSided::build(params(6, 3), 1, |done, all| reports.push((done, all))).unwrap();
    assert!(reports.is_sorted() && reports.len() > 10);
    assert_eq!((reports.last(), alone.params().positions()), (Some(&(84 * 84, 84 * 84)), 84));
    reports.clear();
    let lone = OneSided::build(params(8, 3), 1, |done, all| reports.push((done, all)));
    assert_eq!(reports.last(), Some(&(165, 165)));
    for threads in [0, 3, 200] {
        assert_eq!(TwoSided::build(params(6, 3), threads, |_, _| {}).unwrap().as_bytes(), alone.as_bytes());
        assert_eq!(OneSided::build(params(8, 3), threads, |_, _| {}).as_bytes(), lone.as_bytes());
    }
    assert_eq!(alone.as_bytes().len() as u64, alone.params().two_sided_bytes());
    assert_eq!(TwoSided::build(params(13, 1), 1, |_, _| {}).unwrap_err(), ParamsError::Contact { points: 13 });
}

// Files.

/// What `from_bytes` of both kinds says.
fn read(bytes: &[u8]) -> [Result<(), FileError>; 2] {
    [OneSided::from_bytes(bytes.to_vec()).map(|_| ()), TwoSided::from_bytes(bytes.to_vec()).map(|_| ())]
}

/// With the checksum of what is there.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    use std::hash::Hasher;
    let end = bytes.len() - 8;
    let mut hasher = KeyHasher::default();
    hasher.write(&bytes[..end]);
    bytes[end..].copy_from_slice(&hasher.finish().to_le_bytes());
    bytes
}

/// The bytes with others at a place, and a checksum that fits.
fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    sealed(bytes)
}

/// Two files, the kinds, and the number of positions.
fn files() -> [(Vec<u8>, Kind); 2] {
    [(one_sided(3, 2).as_bytes().to_vec(), Kind::OneSided), (two_sided(3, 2).as_bytes().to_vec(), Kind::TwoSided)]
}

#[test]
fn every_truncation_and_every_flipped_bit_is_refused() {
    for (bytes, kind) in files() {
        let index = kind as usize - 1;
        let results = read(&bytes);
        assert!(results[index].is_ok());
        assert!(matches!(results[1 - index], Err(FileError::OtherKind { found, expected }) if found == kind && expected != kind));
        for length in 0..bytes.len() {
            let error = read(&bytes[..length])[index].as_ref().unwrap_err().to_string();
            let expected =
                if length < 8 { "not a bear-off database" } else { "the bear-off database is damaged: it ends too soon" };
            assert_eq!(error, expected, "{length}");
            assert!(OneSided::read_from(&bytes[..length]).is_err() && TwoSided::read_from(&bytes[..length]).is_err());
        }
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bytes).iter().all(Result::is_err), "bit {bit}");
            assert!(OneSided::read_from(&bytes[..]).is_err() && TwoSided::read_from(&bytes[..]).is_err(), "bit {bit}");
        }
        let longer = [&bytes[..], b"\n"].concat();
        assert!(matches!(read(&longer)[index], Err(FileError::Damaged { what: "there are bytes after its end" })));
    }
}

/// Anybody can write a checksum.
#[test]
fn impossible_contents_are_refused_whatever_their_checksum() {
    for (bytes, kind) in files() {
        let index = kind as usize - 1;
        let error = |at: usize, new: &[u8]| read(&with(&bytes, at, new)).into_iter().nth(index).unwrap().unwrap_err();
        assert!(matches!(error(8, &2u32.to_le_bytes()), FileError::Version { found: 2 }));
        assert!(matches!(error(12, &7u32.to_le_bytes()), FileError::Damaged { .. }));
        for (at, n) in [(16, 0u32), (16, 17), (20, 0), (20, 16), (20, 256 + 2), (20, u32::MAX)] {
            assert!(matches!(error(at, &n.to_le_bytes()), FileError::Params(ParamsError::Range { .. })), "{at} {n}");
        }
        assert!(matches!(error(16, &[16, 0, 0, 0, 15]), FileError::Params(ParamsError::Positions { .. })));
        assert!(matches!(error(24, &u64::MAX.to_le_bytes()), FileError::TooLarge { bytes: u64::MAX }));
        assert!(matches!(error(20, &[3]), FileError::Damaged { .. }), "other parameters");
        for p in [f64::NAN, -1.0, 1.5, f64::INFINITY] {
            assert!(matches!(error(bytes.len() - 16, &p.to_le_bytes()), FileError::Damaged { .. }), "{p}");
        }
    }
    let (one, two) = (&files()[0].0, &files()[1].0);
    // The first entry: start, first number of rolls, length.
    for (at, new) in [(32, &u32::MAX.to_le_bytes()[..]), (36, &[1, 0]), (38, &[0, 0]), (38, &[255, 255]), (44, &[0, 0])] {
        assert!(matches!(read(&with(one, at, new))[0], Err(FileError::Damaged { .. })), "{at} {new:?}");
    }
    // Won and lost, and a probability other than these where nothing is left to be done.
    for cell in [0, 3, 10] {
        assert!(matches!(read(&with(two, 32 + 8 * cell, &0.5f64.to_le_bytes()))[1], Err(FileError::Damaged { .. })), "{cell}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_are_a_panic(kind in 1u8..=2, points in 0u8..20, checkers in 0u8..20, body in prop::collection::vec(any::<u8>(), 0..600)) {
        let mut bytes = b"bw-bear\n\x01\0\0\0".to_vec();
        bytes.extend([kind, 0, 0, 0, points, 0, 0, 0, checkers, 0, 0, 0]);
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(&body);
        bytes.extend([0; 8]);
        let results = read(&sealed(bytes));
        prop_assert!(results.iter().all(Result::is_err));
        let results = read(&body);
        prop_assert!(results.iter().all(Result::is_err));
    }

    /// What is accepted can be asked anything.
    #[test]
    fn changed_files_are_refused_or_used(at in 0usize..3000, new in any::<[u8; 4]>(), which in 0usize..2) {
        let (bytes, _) = &files()[which];
        let bytes = with(bytes, 12 + at % (bytes.len() - 24), &new);
        if let Ok(database) = OneSided::from_bytes(bytes.clone()) {
            for side in sides(database.params().points().into(), database.params().checkers()) {
                let (all, next) = (database.all_off(&side).unwrap(), database.next_off(&side).unwrap());
                prop_assert!((0.0..=1.0).contains(&all.first_against(next)));
            }
        }
        if let Ok(database) = TwoSided::from_bytes(bytes) {
            for side in sides(database.params().points().into(), database.params().checkers()) {
                prop_assert!(database.wins(&side, &[1]).is_some_and(|p| (0.0..=1.0).contains(&p)));
            }
        }
    }
}

#[test]
fn files_are_written_and_read() {
    let folder = std::env::temp_dir().join(format!("boardwright-bearoff-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (one, two) = (one_sided(6, 3), two_sided(6, 2));
    let path = folder.join("database");
    assert!(matches!(OneSided::open(&path), Err(FileError::Io(_))));
    assert!(matches!(OneSided::open(&folder), Err(FileError::NotAFile)));
    assert!(matches!(Database::open(&folder), Err(FileError::NotAFile)));
    one.save(&path).unwrap();
    assert_eq!(OneSided::open(&path).unwrap().as_bytes(), one.as_bytes());
    two.save(&path).unwrap();
    assert_eq!(TwoSided::open(&path).unwrap().as_bytes(), two.as_bytes());
    assert!(matches!(OneSided::open(&path), Err(FileError::OtherKind { .. })));
    #[cfg(feature = "mmap")]
    {
        // SAFETY: nobody else knows the file, and it is not written below.
        let mapped = unsafe { TwoSided::map(&path) }.unwrap();
        assert_eq!((mapped.as_bytes(), mapped.wins(&[2], &[1])), (two.as_bytes(), two.wins(&[2], &[1])));
        // SAFETY: as above.
        assert!(matches!(unsafe { OneSided::map(&path) }, Err(FileError::OtherKind { .. })));
        let empty = folder.join("empty");
        std::fs::write(&empty, b"").unwrap();
        // SAFETY: as above.
        assert!(unsafe { OneSided::map(&empty) }.is_err());
        std::fs::remove_file(empty).unwrap();
    }
    assert!(matches!(two.save(folder.join("missing/database")), Err(FileError::Io(_))));
    assert!(matches!(two.save(folder.join("..")), Err(FileError::Io(_))));
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["database"], "nothing else is left behind");
    std::fs::remove_dir_all(folder).unwrap();
}

// The evaluator.

fn evaluator() -> WithBearOff<Baseline> {
    let (one, two) = full();
    WithBearOff::new(Baseline).with_one_sided(one.clone()).with_two_sided(two.clone())
}

/// The value before a roll is the mean over the rolls, and after it that of the best play.
fn assert_consistent(evaluator: &impl Evaluator<Backgammon>, game: &Backgammon) {
    let mut mean = 0.0;
    for (roll, p) in ROLLS {
        let rolled = game.resolved(Throw::Turn(roll));
        let (mut all, moves) = (vec![7.0], moves(&rolled));
        evaluator.after_all(&rolled, &moves, &mut all);
        let one_by_one: Vec<f32> = moves.iter().map(|&m| evaluator.after(&rolled, m)).collect();
        assert_eq!(all[1..], one_by_one[..], "{rolled}");
        let best = one_by_one.into_iter().map(|v| v * game.mover().sign()).fold(f32::MIN, f32::max) * game.mover().sign();
        assert_eq!(evaluator.value(&rolled), best, "{rolled}");
        let bounds = evaluator.bounds(&rolled);
        assert!(bounds.low <= best && best <= bounds.high, "{rolled}: {bounds:?}");
        mean += p * f64::from(best);
    }
    assert!((mean - f64::from(evaluator.value(game))).abs() < 1e-6, "{game}: {mean}");
}

#[test]
fn covered_positions_are_exact_and_searches_stop_there() {
    let evaluator = evaluator();
    for mover in Player::BOTH {
        for (own, other) in [(&[0, 0, 0, 0, 0, 6][..], &[1, 0, 2, 0, 1, 2][..]), (&[2, 2], &[1]), (&[1], &[0, 0, 0, 0, 0, 6])] {
            let game = game(own, other, 15, mover);
            let exact = mover.sign() * (2.0 * full().1.wins(own, other).unwrap() - 1.0) as f32;
            assert_eq!(evaluator.bounds(&game), Bounds::exact(exact));
            assert_eq!(evaluator.value(&game), exact);
            assert_consistent(&evaluator, &game);
            // Whoever searches needs a ply: the plays lead to values that are known.
            let rolled = game.resolved(Throw::Turn(gamecore::Roll::new(3, 1)));
            let report = Expectimax::new(evaluator.clone()).search(&rolled, &Limits::default()).unwrap();
            assert_eq!(report.stop, StopReason::Solved);
            assert!((report.value.unwrap() - f64::from(evaluator.value(&rolled))).abs() < 1e-9);
        }
    }
}

/// A search for a position outside of the database ends at those inside, and with what a larger database has.
#[test]
fn searches_end_in_the_database() {
    let (small, large) = (two_sided(6, 3), two_sided(6, 4));
    let evaluator = WithBearOff::new(Baseline).with_two_sided(Arc::new(small));
    for (own, other, mover) in
        [(&[1, 1, 1, 1][..], &[1, 1, 1, 0, 1][..], Player::One), (&[0, 0, 1, 1, 1, 1], &[0, 0, 2, 1], Player::Two)]
    {
        let game = game(own, other, 15, mover);
        assert!(evaluator.bounds(&game).low < evaluator.bounds(&game).high);
        let exact = 2.0 * large.wins(own, other).unwrap() - 1.0;
        for pruning in [Pruning::None, Pruning::Star2] {
            let mut mean = 0.0;
            for (roll, p) in ROLLS {
                let mut search = Expectimax::new(evaluator.clone()).with_pruning(pruning).with_table(1 << 20);
                let report = search.search(&game.resolved(Throw::Turn(roll)), &Limits::default()).unwrap();
                assert_eq!(report.stop, StopReason::Solved);
                mean += p * report.value.unwrap();
            }
            assert!((mean * f64::from(mover.sign()) - exact).abs() < 1e-6, "{game} {pruning:?}: {mean}, not {exact}");
        }
    }
}

#[test]
fn gammons_are_not_forgotten() {
    let (one, two) = full();
    let exact_only = WithBearOff::new(Baseline).with_two_sided(two.clone());
    let both = evaluator();
    for mover in Player::BOTH {
        // Hypergammon: three checkers, none off.
        let hyper = game(&[1, 0, 0, 0, 0, 2], &[0, 0, 0, 0, 1, 2], 3, mover);
        assert_eq!(exact_only.bounds(&hyper), Bounds::symmetric(2.0));
        assert_eq!(exact_only.value(&hyper), Baseline.value(&hyper));
        // One that has a checker off can lose a single game only.
        let started = game(&[1, 0, 0, 0, 0, 1], &[0, 0, 0, 0, 1, 2], 3, mover);
        let (low, high) = if mover == Player::One { (-1.0, 2.0) } else { (-2.0, 1.0) };
        assert_eq!(exact_only.bounds(&started), Bounds { low, high });
        // Under the Jacoby rule it counts single while the cube is centred.
        let jacoby = Stakes::MONEY.with_jacoby().unwrap();
        let single = hyper.with_stakes(jacoby);
        assert_eq!(exact_only.bounds(&single).low, exact_only.bounds(&single).high);
        let turned = hyper.with_stakes(jacoby.with_cube(1, Cube::Owned(Player::One)).unwrap());
        assert_eq!(exact_only.bounds(&turned), Bounds::symmetric(2.0));
        // The last checker against fifteen: a gammon for certain, and the mover's own side of it.
        let gammon = game(&[1], &[0, 0, 0, 0, 0, 15], 15, mover);
        assert_eq!(both.value(&gammon), 2.0 * mover.sign());
        let lost = game(&[0, 0, 0, 0, 0, 15], &[1], 15, mover);
        // A roll with a 6 takes a checker off and saves the gammon, as do 5-1, 4-2, 3-3 and 2-2: 17 of 36.
        let value = -(1.0 + 19.0 / 36.0) * f64::from(mover.sign());
        assert!((f64::from(both.value(&lost)) - value).abs() < 1e-6, "{}", both.value(&lost));
        assert_consistent(&both, &lost);
        // In contact, and before the first throw, the evaluator inside is asked.
        let contact = Backgammon::start(games_backgammon::Setup::Standard);
        assert_eq!((both.value(&contact), both.bounds(&contact)), (Baseline.value(&contact), Baseline.bounds(&contact)));
        let opening = game(&[2], &[2], 15, mover).with_opening().unwrap();
        assert_eq!((both.value(&opening), both.bounds(&opening)), (Baseline.value(&opening), Baseline.bounds(&opening)));
    }
    assert_eq!(one.params(), Params::HOME);
}

/// How far the estimate is from the truth, where both are known.
#[test]
fn races_are_estimated_well() {
    let (one, two) = full();
    let estimate = WithBearOff::new(Baseline).with_one_sided(one.clone());
    let all = sides(6, 6);
    let (mut sum, mut most, mut n) = (0.0, 0f64, 0);
    for own in all.iter().skip(1) {
        for other in all.iter().skip(1).step_by(7) {
            let exact = 2.0 * two.wins(own, other).unwrap() - 1.0;
            let p = one.all_off(own).unwrap().first_against(one.all_off(other).unwrap());
            let difference = (2.0 * p - 1.0 - exact).abs();
            sum += difference;
            most = most.max(difference);
            n += 1;
        }
    }
    let mean = sum / f64::from(n);
    println!("{n} pairs: the estimate is {mean:.6} points away on average, {most:.4} at most");
    assert!(mean < 0.002 && most < 0.03, "{mean} {most}");
    // With gammons: three checkers a side, none off, or only the other side's.
    let (mut slow, mut sum, mut most, mut n) = (Slow::default(), 0.0, 0f64, 0);
    for own in all.iter().filter(|side| side.iter().sum::<u8>() == 3) {
        for other in all.iter().filter(|side| (2..=3).contains(&side.iter().sum::<u8>())) {
            for mover in Player::BOTH {
                let game = game(own, other, 3, mover);
                let difference = (f64::from(estimate.value(&game) * mover.sign()) - slow.points(&game)).abs();
                sum += difference;
                most = most.max(difference);
                n += 1;
            }
        }
    }
    let mean = sum / f64::from(n);
    println!("{n} pairs of three checkers: {mean:.6} points away on average, {most:.4} at most");
    assert!(mean < 0.001 && most < 0.01, "{mean} {most}");
    // Through the evaluator, and consistent with the plays one level below.
    let game = game(&[0, 1, 2, 3, 2, 2], &[2, 2, 2, 2, 2, 1], 15, Player::Two);
    let p = one.all_off(&[0, 1, 2, 3, 2, 2]).unwrap().first_against(one.all_off(&[2, 2, 2, 2, 2, 1]).unwrap());
    assert_eq!(estimate.value(&game), -(2.0 * p - 1.0) as f32);
    assert_eq!(estimate.bounds(&game), Bounds::symmetric(1.0));
    for (roll, _) in ROLLS {
        let rolled = game.resolved(Throw::Turn(roll));
        assert!(matches!(rolled.turn(), Turn::Decide(Player::Two)));
        let best = moves(&rolled).into_iter().map(|m| estimate.after(&rolled, m)).fold(f32::MAX, f32::min);
        assert_eq!(estimate.value(&rolled), best);
    }
}
