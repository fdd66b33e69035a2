//! Boards, patterns and forced wins against slow, obvious code.

use std::collections::BTreeSet;

use gamecore::Player;
use gamecore::random::{below, generator};
use lines::renju::{Forbidden, forbidden};
use lines::{
    Board, Direction, Forced, Goal, LARGEST, Made, PAIRS, Patterns, Point, PointSet, Row, Turns, Vcf, WEIGHTS, Windows,
    pair_index, wins_by,
};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

const GOALS: [Goal; 3] = [Goal::FIVE_OR_MORE, Goal::EXACTLY_FIVE, Goal::UNCLOSED_FIVE];

fn all_goals() -> Vec<Goal> {
    let rows = [Row::AtLeast, Row::Exactly, Row::Unclosed];
    (3..=6).flat_map(|length| rows.map(|row| Goal::new(length, row))).filter_map(Result::ok).collect()
}

/// `stones` stones, crowded so that rows arise.
fn random_board(rng: &mut Xoshiro256PlusPlus, size: u8, stones: usize) -> Board {
    let mut board = Board::new(size).unwrap();
    let favourite = [Direction::East, Direction::South, Direction::SouthEast, Direction::SouthWest][below(rng, 4)];
    let mut last = board.random_empty(rng).unwrap();
    for _ in 0..stones {
        let near = last.step(favourite, below(rng, 5) as i8 - 2).filter(|&p| board.is_empty(p));
        let Some(point) = near.or_else(|| board.random_empty(rng)) else { break };
        board.place(point, Player::BOTH[below(rng, 2)]);
        last = point;
    }
    board
}

fn with(board: &Board, point: Point, player: Player) -> Board {
    let mut next = *board;
    next.place(point, player);
    next
}

/// How far stones of `player` reach from a point that has one.
fn run(board: &Board, point: Point, direction: Direction, player: Player, sign: i8) -> i8 {
    (1..).take_while(|i| stone_at(board, point, direction, sign * i) == Some(player)).count() as i8
}

fn stone_at(board: &Board, point: Point, direction: Direction, distance: i8) -> Option<Player> {
    point.step(direction, distance).filter(|&p| board.holds(p)).and_then(|p| board.stone(p))
}

/// Whether the run through a player's stone wins.
fn slow_wins_along(board: &Board, point: Point, direction: Direction, player: Player, goal: Goal) -> bool {
    let (before, after) = (run(board, point, direction, player, -1), run(board, point, direction, player, 1));
    let length = (before + 1 + after) as u8;
    let closed = |distance| stone_at(board, point, direction, distance) == Some(player.other());
    match goal.row() {
        Row::AtLeast => length >= goal.length(),
        Row::Exactly => length == goal.length(),
        Row::Unclosed => length == goal.length() && !(closed(-before - 1) && closed(after + 1)),
    }
}

fn slow_wins(board: &Board, point: Point, player: Player, goal: Goal) -> bool {
    Direction::ALL.iter().any(|&d| slow_wins_along(board, point, d, player, goal))
}

/// What the definition of [`Made`] says, by trying: stones further than four points (five of a six) cannot be in one row.
fn slow_made(board: &Board, point: Point, direction: Direction, player: Player, goal: Goal, deep: u8) -> Made {
    let next = with(board, point, player);
    if slow_wins_along(&next, point, direction, player, goal) {
        return Made::Five;
    }
    let reach = goal.length() as i8 - 1;
    let others: Vec<Point> = (-reach..=reach).filter_map(|i| point.step(direction, i)).filter(|&p| next.is_empty(p)).collect();
    // A row through both: that of `other`, if it holds `point` too.
    let wins = |other: Point| {
        let more = with(&next, other, player);
        slow_wins_along(&more, point, direction, player, goal)
    };
    match others.iter().filter(|&&p| wins(p)).count() {
        0 => {}
        1 => return Made::Four,
        _ => return Made::OpenFour,
    }
    if deep == 0 {
        return Made::Nothing;
    }
    // The best that one more stone makes, of rows that hold `point`.
    let best = others.iter().map(|&p| made_with(&with(&next, p, player), &[point, p], direction, player, goal, deep - 1));
    match best.max() {
        Some(Made::OpenFour) => Made::OpenThree,
        Some(Made::Four) => Made::Three,
        Some(Made::OpenThree) => Made::OpenTwo,
        Some(Made::Three) => Made::Two,
        _ => Made::Nothing,
    }
}

/// What stands on the line already: rows through the first of `stones` count.
fn made_with(board: &Board, stones: &[Point], direction: Direction, player: Player, goal: Goal, deep: u8) -> Made {
    let reach = goal.length() as i8 - 1;
    let empty: Vec<Point> =
        (-reach..=reach).filter_map(|i| stones[0].step(direction, i)).filter(|&p| board.is_empty(p)).collect();
    let winning = empty.iter().filter(|&&p| slow_wins_along(&with(board, p, player), stones[0], direction, player, goal)).count();
    match winning {
        0 => {}
        1 => return Made::Four,
        _ => return Made::OpenFour,
    }
    if deep == 0 {
        return Made::Nothing;
    }
    let best = empty.iter().map(|&p| made_with(&with(board, p, player), stones, direction, player, goal, deep - 1)).max();
    match best {
        Some(Made::OpenFour) => Made::OpenThree,
        Some(Made::Four) => Made::Three,
        _ => Made::Nothing,
    }
}

fn slow_fives(board: &Board, player: Player, goal: Goal) -> Vec<Point> {
    board.empty_points().filter(|&p| slow_wins(&with(board, p, player), p, player, goal)).collect()
}

/// Continuous fours by brute force: fewest attacking stones, if so many are enough.
fn slow_vcf(board: &Board, attacker: Player, goal: Goal, stones: u8) -> Option<u8> {
    if !slow_fives(board, attacker, goal).is_empty() {
        return Some(1).filter(|_| stones > 0);
    }
    if stones < 2 {
        return None;
    }
    let defender = attacker.other();
    let mut best = None;
    for point in board.empty_points() {
        let four = with(board, point, attacker);
        let fives = slow_fives(&four, attacker, goal);
        if fives.is_empty() || !slow_fives(&four, defender, goal).is_empty() {
            continue;
        }
        // Any answer at all; those that leave a five lose at once.
        let mut worst = Some(2);
        for answer in four.empty_points() {
            let next = with(&four, answer, defender);
            if slow_fives(&next, attacker, goal).is_empty() {
                worst = slow_vcf(&next, attacker, goal, stones - 1)
                    .map(|n| n + 1)
                    .max(worst)
                    .filter(|_| slow_vcf(&next, attacker, goal, stones - 1).is_some());
            }
            if worst.is_none() {
                break;
            }
        }
        best = match (best, worst) {
            (Some(a), Some(b)) => Some(u8::min(a, b)),
            (a, b) => a.or(b),
        };
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 60 } else { 300 }))]

    /// Rows are found where walking along the lines finds them, on boards of every size.
    #[test]
    fn rows_are_found(seed in any::<u64>(), size in 1..=LARGEST, fill in 1..=10usize) {
        let rng = &mut generator(seed);
        let stones = usize::from(size) * usize::from(size) * fill / 10;
        let board = random_board(rng, size, stones);
        prop_assert_eq!(usize::from(board.count()), stones);
        prop_assert_eq!(board.empty_points().collect::<Vec<_>>(),
            board.points().filter(|&p| board.stone(p).is_none()).collect::<Vec<_>>());
        for goal in all_goals() {
            for player in Player::BOTH {
                let mut any = false;
                for point in board.points().filter(|&p| board.stone(p) == Some(player)) {
                    let through = slow_wins(&board, point, player, goal);
                    any |= through;
                    // A line may have another row that does not touch the stone.
                    prop_assert!(!through || board.wins_at(point, player, goal), "{point:?} {goal:?}");
                }
                prop_assert_eq!(board.has_row(player, goal), any, "{:?}", goal);
                if !any {
                    prop_assert!(board.points().all(|p| !board.wins_at(p, player, goal)));
                }
            }
        }
    }

    /// Stones taken off leave no trace.
    #[test]
    fn stones_are_taken_off(seed in any::<u64>(), size in 2..=LARGEST) {
        let rng = &mut generator(seed);
        let stones = below(rng, usize::from(size) * usize::from(size) - 1);
        let board = random_board(rng, size, stones);
        let point = board.random_empty(rng).unwrap();
        for player in Player::BOTH {
            let mut other = with(&board, point, player);
            prop_assert_eq!(other.stone(point), Some(player));
            other.remove(point, player);
            prop_assert_eq!(other, board);
        }
    }

    /// Sets hold what was put in.
    #[test]
    fn sets_are_sets(points in prop::collection::vec((0..LARGEST, 0..LARGEST, any::<bool>()), 0..100)) {
        let (mut set, mut plain) = (PointSet::default(), BTreeSet::new());
        for (x, y, inside) in points {
            let point = Point::new(x, y).unwrap();
            set.set(point, inside);
            if inside { plain.insert(point); } else { plain.remove(&point); }
            prop_assert_eq!(set.contains(point), inside);
        }
        prop_assert_eq!(set.len() as usize, plain.len());
        prop_assert_eq!(set.is_empty(), plain.is_empty());
        prop_assert_eq!(set.iter().collect::<Vec<_>>(), plain.into_iter().collect::<Vec<_>>());
    }

    /// Stone by stone or from scratch, the patterns are the same, whatever the goals.
    #[test]
    fn patterns_are_kept_up_to_date(seed in any::<u64>(), size in 3..=LARGEST, one in 0..10usize, two in 0..10usize) {
        let rng = &mut generator(seed);
        // Tables of six and of exact fives are large: a few pairs only.
        let all = all_goals();
        let goals = if one < 4 { [all[one % all.len()]; 2] } else { [GOALS[one % 3], GOALS[if one < 8 { one % 3 } else { two % 3 }]] };
        let mut board = Board::new(size).unwrap();
        let mut patterns = Patterns::new(&board, goals);
        while let Some(point) = board.random_empty(rng) {
            let player = Player::BOTH[below(rng, 2)];
            board.place(point, player);
            patterns.place(point, player);
            if below(rng, 8) == 0 {
                prop_assert_eq!(&patterns, &Patterns::new(&board, goals));
            }
        }
        prop_assert_eq!(&patterns, &Patterns::new(&board, goals));
        prop_assert_eq!(patterns.empty_points().count(), 0);
    }

    /// What a stone makes is what its definition says, and the sets hold the points that they should.
    #[test]
    fn patterns_are_what_they_are_called(seed in any::<u64>(), size in 5..=12u8, goal in 0..4usize, stones in 0..40usize) {
        let rng = &mut generator(seed);
        let board = random_board(rng, size, stones.min(usize::from(size * size)));
        let goal = [GOALS[0], GOALS[1], GOALS[2], Goal::SIX_OR_MORE][goal];
        let patterns = Patterns::new(&board, [goal; 2]);
        for player in Player::BOTH {
            let (mut fives, mut fours, mut threes, mut counts) = (vec![], vec![], vec![], [0u16; 10]);
            let mut pairs = [0u16; PAIRS];
            for point in board.points() {
                if board.stone(point).is_some() {
                    prop_assert_eq!(patterns.made_around(point, player), [Made::Nothing; 4]);
                    counts[0] += 4;
                    pairs[pair_index(Made::Nothing, Made::Nothing)] += 1;
                    continue;
                }
                for d in Direction::ALL {
                    let made = patterns.made(point, d, player);
                    counts[made as usize] += 1;
                    let slow = slow_made(&board, point, d, player, goal, 2);
                    // The slow one looks no further than twos.
                    let seen = if made < Made::Two { Made::Nothing } else { made };
                    prop_assert_eq!(seen, slow, "{:?} {:?} {:?} {:?}", point, d, player, goal);
                }
                let mut around = patterns.made_around(point, player);
                around.sort_unstable();
                let [.., second, best] = around;
                pairs[pair_index(best, second)] += 1;
                fives.extend((best == Made::Five).then_some(point));
                fours.extend((best >= Made::Four).then_some(point));
                threes.extend((best >= Made::OpenThree).then_some(point));
            }
            prop_assert_eq!(&fives, &slow_fives(&board, player, goal));
            prop_assert_eq!(patterns.fives(player).iter().collect::<Vec<_>>(), fives);
            prop_assert_eq!(patterns.fours(player).iter().collect::<Vec<_>>(), fours);
            prop_assert_eq!(patterns.threes(player).iter().collect::<Vec<_>>(), threes);
            prop_assert_eq!(patterns.counts(player), &counts);
            prop_assert_eq!(patterns.pairs(player), &pairs);
        }
        let near: Vec<Point> = board.empty_points().filter(|p| board.points().any(|q| board.stone(q).is_some()
            && p.x().abs_diff(q.x()) <= 2 && p.y().abs_diff(q.y()) <= 2)).collect();
        prop_assert_eq!(patterns.near().collect::<Vec<_>>(), near);
    }

    /// An open four, or fours on two lines, leave two winning points; and only the listed defences touch an open four.
    #[test]
    fn double_fours_are_double(seed in any::<u64>(), goal in 0..2usize, stones in 10..40usize) {
        let rng = &mut generator(seed);
        let board = random_board(rng, 9, stones);
        let goal = GOALS[goal];
        let patterns = Patterns::new(&board, [goal; 2]);
        for player in Player::BOTH {
            let old = slow_fives(&board, player, goal);
            let double: Vec<Point> = board.empty_points().filter(|&p| {
                let fives = slow_fives(&with(&board, p, player), player, goal);
                old.contains(&p) || fives.iter().filter(|p| !old.contains(p)).count() >= 2
            }).collect();
            let found: Vec<Point> = patterns.double_fours(player).collect();
            if old.is_empty() {
                prop_assert_eq!(&found, &double);
            }
            for &point in &found {
                for d in Direction::ALL.into_iter().filter(|&d| patterns.made(point, d, player) == Made::OpenFour) {
                    let defences: Vec<Point> = patterns.defences(point, d, player).collect();
                    for other in board.empty_points() {
                        let mut next = patterns.clone();
                        next.place(other, player.other());
                        let stands = next.is_empty(point) && next.made(point, d, player) == Made::OpenFour;
                        prop_assert!(stands || defences.contains(&other), "{point:?} {other:?}");
                    }
                }
            }
        }
    }

    /// The solver finds a VCF where brute force does, and as short; all its first moves; its lines win by the slow rules
    /// whatever the answer; and exactly its defences leave no VCF.
    #[test]
    fn fours_are_forced_wins(seed in any::<u64>(), goal in 0..3usize, stones in 6..16usize) {
        let rng = &mut generator(seed);
        let goal = GOALS[goal];
        let (most, size) = (3, 7);
        let board = random_board(rng, size, stones);
        if Player::BOTH.iter().any(|&p| board.has_row(p, goal)) {
            return Ok(());
        }
        let patterns = Patterns::new(&board, [goal; 2]);
        let mut vcf = Vcf::default().with_stones(most);
        for player in Player::BOTH {
            let slow = slow_vcf(&board, player, goal, most);
            let found = vcf.win(&patterns, player);
            match &found {
                Forced::Win(line) => {
                    prop_assert_eq!(Some(line.len().div_ceil(2) as u8), slow, "{:?}", line);
                    // With several answers the line shows one of them.
                    prop_assert!(goal == Goal::UNCLOSED_FIVE || wins_by(&patterns, player, line));
                }
                Forced::No => prop_assert_eq!(slow, None),
                Forced::Unknown => prop_assert!(false, "a million nodes on 49 points"),
            }
            let firsts: BTreeSet<Point> = vcf.wins(&patterns, player).unwrap().iter().map(|line| line[0]).collect();
            let slow_firsts: BTreeSet<Point> = board.empty_points().filter(|&p| {
                let next = with(&board, p, player);
                if slow == Some(1) { return slow_wins(&next, p, player, goal); }
                !slow_fives(&next, player, goal).is_empty() && slow_fives(&next, player.other(), goal).is_empty()
                    && next.empty_points().all(|q| {
                        let answered = with(&next, q, player.other());
                        !slow_fives(&answered, player, goal).is_empty() || slow_vcf(&answered, player, goal, most - 1).is_some()
                    })
            }).collect();
            prop_assert_eq!(firsts, slow_firsts);
            let defender = player.other();
            let defences = vcf.defences(&patterns, defender).unwrap();
            let own = slow_fives(&board, defender, goal);
            if !own.is_empty() {
                prop_assert_eq!(defences, Some(own));
            } else if slow.is_some() {
                let slow: Vec<Point> = board.empty_points()
                    .filter(|&p| slow_vcf(&with(&board, p, defender), player, goal, most).is_none()).collect();
                prop_assert_eq!(defences, Some(slow));
            } else {
                prop_assert_eq!(defences, None);
            }
        }
    }
}

/// Each empty point comes equally often, on sparse and on nearly full boards.
#[test]
fn random_points_are_fair() {
    let rng = &mut generator(5);
    for stones in [0, 100, 216, 224] {
        let board = random_board(rng, 15, stones);
        let draws = 400 * usize::from(board.empty_count());
        let mut seen = std::collections::HashMap::new();
        for _ in 0..draws {
            *seen.entry(board.random_empty(rng).unwrap()).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), usize::from(board.empty_count()));
        // 400 expected, the standard deviation is 20.
        assert!(seen.iter().all(|(&p, n)| board.is_empty(p) && n.abs_diff(400) < 110), "{stones}: {seen:?}");
    }
    let full = random_board(rng, 5, 25);
    assert_eq!(full.random_empty(rng), None);
}

/// Turns by counting stones one by one.
#[test]
fn turns_have_their_stones() {
    assert!(Turns::new(0, 1).is_none() && Turns::new(1, 0).is_none());
    assert_eq!((Turns::new(1, 1), Turns::new(1, 2)), (Some(Turns::ONE), Some(Turns::CONNECT6)));
    for (first, each) in [(1, 1), (1, 2), (2, 3), (3, 1), (200, 255)] {
        let turns = Turns::new(first, each).unwrap();
        let (mut mover, mut left) = (Player::One, first);
        for stones in 0..1000 {
            assert_eq!((turns.mover(stones), turns.left(stones)), (mover, left), "{first} {each} {stones}");
            left -= 1;
            if left == 0 {
                (mover, left) = (mover.other(), each);
            }
        }
    }
}

#[test]
fn sizes_and_goals_have_limits() {
    assert!(Board::new(0).is_none() && Board::new(21).is_none() && Board::new(20).is_some());
    assert!(Point::new(20, 0).is_none() && Point::new(19, 19).is_some());
    for (length, row) in [(2, Row::AtLeast), (7, Row::AtLeast), (6, Row::Exactly), (6, Row::Unclosed), (255, Row::Exactly)] {
        let message = Goal::new(length, row).unwrap_err().to_string();
        assert!(message.contains("3 to 5 stones, or 6"), "{message}");
    }
}

/// The defender's fours on the way are seen: they refute one line, and a block that makes a four is no answer's end.
#[test]
fn counter_fours_refute() {
    let points = |list: &[(u8, u8)]| list.iter().map(|&(x, y)| Point::new(x, y).unwrap()).collect::<Vec<_>>();
    let mut board = Board::new(15).unwrap();
    // One: three in row 7, closed at 2; three in column 6, closed at 3. Crossing at (6, 7).
    points(&[(3, 7), (4, 7), (5, 7), (6, 4), (6, 5), (6, 6)]).into_iter().for_each(|p| board.place(p, Player::One));
    points(&[(2, 7), (6, 3)]).into_iter().for_each(|p| board.place(p, Player::Two));
    let vcf = |board: &Board| Vcf::default().win(&Patterns::new(board, [Goal::FIVE_OR_MORE; 2]), Player::One);
    let Forced::Win(line) = vcf(&board) else { panic!("a double four") };
    assert_eq!((line[0], line.len()), (Point::new(6, 7).unwrap(), 3));
    // Two has a four that One's double four does not block: no win.
    points(&[(10, 1), (10, 2), (10, 3), (10, 4)]).into_iter().for_each(|p| board.place(p, Player::Two));
    assert_eq!(vcf(&board), Forced::No);
    assert_eq!(Vcf::default().with_nodes(0).win(&Patterns::new(&board, [Goal::FIVE_OR_MORE; 2]), Player::One), Forced::Unknown);
}

/// A board from rows of `x`, `o` and `.`, and the points marked otherwise.
fn drawn(rows: &[&str]) -> (Board, Vec<(Point, char)>) {
    let (mut board, mut marks) = (Board::new(15).unwrap(), Vec::new());
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().filter(|c| *c != ' ').enumerate() {
            let point = Point::new(x as u8, y as u8).unwrap();
            match c {
                'x' => board.place(point, Player::One),
                'o' => board.place(point, Player::Two),
                '.' => {}
                _ => marks.push((point, c)),
            }
        }
    }
    (board, marks)
}

/// `3`, `4` and `6` are forbidden, for double threes, double fours and overlines; `a` is allowed.
#[test]
fn forbidden_points_of_renju() {
    for rows in [
        // Two threes that cross.
        &[".......", "...x...", "...x...", ".xx3...", ".......", "......."][..],
        // One of them is closed.
        &[".......", "...x...", "...x...", "oxxa...", ".......", "......."],
        // Two fours that cross; a four and a three are allowed.
        &[".......", "...x...", "...x...", "...x...", "xxx4...", "......."],
        &[".......", "...x...", "...x...", "xxxa...", ".......", "......."],
        // Two fours on one line: x.xxx.x, and xx..xx..xx.
        &[".......", "x.x4x.x", "......."],
        &["...........", "xx.x4.xx...", "..........."],
        // Six; but five wins, whatever else it makes.
        &[".......", "xxx6xx.", "......."],
        &["...x...", "...x...", "...x...", "xxxaxxx", "...x..."],
        // The three lacks room: seven points between enemies, but a straight four on one side would be six with the next stone.
        &["..........", "...x......", "...x......", ".xxa.x....", "..........", ".........."],
        // The row's only straight four would be on a point that is forbidden itself (six in the column): no three.
        &["....x....", "...xx....", "...xx....", ".xxa.....", "....x....", "....x....", "....x...."],
    ] {
        let (board, marks) = drawn(rows);
        assert!(!marks.is_empty());
        for (point, mark) in marks {
            let expected = match mark {
                '3' => Some(Forbidden::DoubleThree),
                '4' => Some(Forbidden::DoubleFour),
                '6' => Some(Forbidden::Overline),
                _ => None,
            };
            assert_eq!(forbidden(&board, point), expected, "{rows:#?}");
        }
    }
}

/// The definition once more, point by point.
fn slow_forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    let next = with(board, point, Player::One);
    let length = |board: &Board, p: Point, d: Direction| run(board, p, d, Player::One, -1) + 1 + run(board, p, d, Player::One, 1);
    let lengths = Direction::ALL.map(|d| length(&next, point, d));
    if lengths.contains(&5) {
        return None;
    }
    if lengths.iter().any(|&n| n > 5) {
        return Some(Forbidden::Overline);
    }
    // The stones of a row through `p`, and those of a five that one more makes, without that one.
    let stones = |board: &Board, p: Point, d: Direction| -> BTreeSet<Point> {
        (-run(board, p, d, Player::One, -1)..=run(board, p, d, Player::One, 1)).filter_map(|i| p.step(d, i)).collect()
    };
    let (mut fours, mut threes) = (0, 0);
    for d in Direction::ALL {
        let mut sets = BTreeSet::new();
        let mut open = false;
        for q in (-5..=5).filter_map(|i| point.step(d, i)).filter(|&q| next.is_empty(q)) {
            let more = with(&next, q, Player::One);
            let mut row = stones(&more, point, d);
            if row.len() == 5 && row.remove(&q) {
                sets.insert(row);
            } else if row.len() == 4 && row.contains(&q) {
                let ends: Vec<Point> = [*row.first().unwrap(), *row.last().unwrap()]
                    .into_iter()
                    .flat_map(|end| [-1, 1].into_iter().filter_map(move |i| end.step(d, i)))
                    .filter(|p| more.is_empty(*p) && length(&with(&more, *p, Player::One), *p, d) == 5)
                    .collect();
                open |= ends.len() == 2 && slow_forbidden(&next, q).is_none();
            }
        }
        fours += sets.len();
        threes += usize::from(open && sets.is_empty());
    }
    if fours > 1 {
        Some(Forbidden::DoubleFour)
    } else if threes > 1 {
        Some(Forbidden::DoubleThree)
    } else {
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 2000 }))]

    /// Forbidden is what the definition forbids; and no VCF plays there.
    #[test]
    fn forbidden_by_definition(seed in any::<u64>(), size in 6..=13u8, fill in 2..=6usize) {
        let rng = &mut generator(seed);
        let stones = usize::from(size) * usize::from(size) * fill / 12;
        let board = random_board(rng, size, stones);
        let patterns = Patterns::of_renju(&board);
        prop_assert_eq!(patterns.board(), board);
        for point in board.empty_points() {
            let found = forbidden(&board, point);
            prop_assert_eq!(found, slow_forbidden(&board, point), "{:?}", point);
            prop_assert_eq!(patterns.is_forbidden(point, Player::One), found.is_some());
            prop_assert!(!patterns.is_forbidden(point, Player::Two));
        }
        let goals = patterns.goals();
        if Player::BOTH.iter().any(|&p| board.has_row(p, goals[p])) {
            return Ok(());
        }
        for player in Player::BOTH {
            let mut vcf = Vcf::default().with_stones(6).with_nodes(20_000);
            if let Forced::Win(line) = vcf.win(&patterns, player) {
                prop_assert!(wins_by(&patterns, player, &line), "{:?}", line);
                let mut board = board;
                for (i, &p) in line.iter().enumerate() {
                    let mover = if i % 2 == 0 { player } else { player.other() };
                    prop_assert!(mover == Player::Two || forbidden(&board, p).is_none(), "{:?} of {:?}", p, line);
                    board.place(p, mover);
                }
                prop_assert!(board.wins_at(*line.last().unwrap(), player, goals[player]));
            }
        }
    }
}

/// The answer that a line shows is one that Black may play, even if it does not help.
#[test]
fn shown_answers_are_allowed() {
    // White's open four could be blocked at `6`, an overline, or at the other end.
    let (board, marks) = drawn(&[".6oooo.", ".x.....", ".x.....", ".x.....", ".x.....", ".x....."]);
    assert_eq!(forbidden(&board, marks[0].0), Some(Forbidden::Overline));
    let mut before = board;
    before.remove(Point::new(5, 0).unwrap(), Player::Two);
    let found = Vcf::default().win(&Patterns::of_renju(&before), Player::Two);
    let Forced::Win(line) = found else { panic!("White wins") };
    assert!(line.len() == 3 && forbidden(&with(&before, line[0], Player::Two), line[1]).is_none(), "{line:?}");
}

/// White wins where Black's only answer is forbidden.
#[test]
fn a_forbidden_answer_is_none() {
    // White (o) makes a four at `a`; Black would have to answer at `6`, which is an overline.
    let (board, marks) = drawn(&["xooo6a.", "....x..", "....x..", "....x..", "....x..", "....x.."]);
    let point = |mark| marks.iter().find(|m| m.1 == mark).unwrap().0;
    assert_eq!(forbidden(&board, point('6')), Some(Forbidden::Overline));
    let win = |patterns: &Patterns| Vcf::default().win(patterns, Player::Two);
    let Forced::Win(line) = win(&Patterns::of_renju(&board)) else { panic!("White wins") };
    assert_eq!((line[0], line.len(), line[2]), (point('a'), 3, point('6')));
    assert_eq!(win(&Patterns::new(&board, [Goal::EXACTLY_FIVE, Goal::FIVE_OR_MORE])), Forced::No);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 100 } else { 1000 }))]

    /// Windows kept up to date are those made from scratch, and those that counting point by point finds.
    #[test]
    fn windows_are_counted(seed in any::<u64>(), size in 3..=20u8, length in 3..=6u8, fill in 0..=10usize) {
        let rng = &mut generator(seed);
        let goal = Goal::new(length, Row::AtLeast).unwrap();
        let mut windows = Windows::new(&Board::new(size).unwrap(), goal);
        let board = random_board(rng, size, usize::from(size) * usize::from(size) * fill / 20);
        let stones = |player| board.points().filter(move |&p| board.stone(p) == Some(player)).collect::<Vec<_>>();
        let (ones, twos) = (stones(Player::One), stones(Player::Two));
        for i in 0..ones.len().max(twos.len()) {
            for (list, player) in [(&ones, Player::One), (&twos, Player::Two)] {
                if let Some(&point) = list.get(i) {
                    windows.place(point, player);
                }
            }
        }
        prop_assert_eq!(&windows, &Windows::new(&board, goal));
        for player in Player::BOTH {
            let mut alive = vec![Vec::new(); usize::from(length) + 1];
            for direction in Direction::ALL {
                for first in board.points() {
                    let points: Vec<Point> = (0..length).map_while(|i| first.step(direction, i as i8)).filter(|&p| board.holds(p)).collect();
                    if points.len() == usize::from(length) && points.iter().all(|&p| board.stone(p) != Some(player.other())) {
                        let own = points.iter().filter(|&&p| board.stone(p) == Some(player)).count();
                        alive[own].push((direction, first, points.into_iter().filter(|&p| board.is_empty(p)).collect::<Vec<_>>()));
                    }
                }
            }
            for (own, list) in (0..).zip(&alive) {
                prop_assert_eq!(usize::from(windows.alive(player, own)), list.len());
                if own < length && own > 0 {
                    let found: Vec<_> = windows.with_stones(player, own).map(|w| (w.direction(), w.first(), w.missing().collect::<Vec<_>>())).collect();
                    prop_assert_eq!(&found, list);
                }
            }
            for point in board.empty_points() {
                let weight: u16 = (0..usize::from(length)).map(|own| {
                    WEIGHTS[own] * alive[own].iter().filter(|w| w.2.contains(&point)).count() as u16
                }).sum();
                prop_assert_eq!(windows.weight(player, point), weight);
            }
        }
        prop_assert!(windows.empty_points().eq(board.empty_points()));
    }
}
