//! What a match has shown.

use std::fmt;
use std::time::Duration;

use gamecore::{Outcome, Player};

use crate::{End, Fault, Interval, Spent, Summary, Tally};

/// The state of a match between A and B, from A's point of view.
///
/// [`Display`](fmt::Display) writes a table of at most 60 columns, percentages with their 95 % intervals. LOS is the
/// [likelihood of superiority](Tally::superiority).
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    sides: [Side; 2],
    tally: Tally,
    first: Tally,
    seat_one: Tally,
    won: u64,
    drawn: u64,
    lost: u64,
    points: Points,
    cut_off: u64,
}

/// What one side of a match did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Side {
    /// What tables call it.
    pub name: String,
    /// What it spent.
    pub spent: Spent,
    /// Games lost by an illegal move, or an answer without a move.
    pub illegal: u64,
    /// Games lost on time.
    pub overstepped: u64,
    /// Games lost because it could not go on, or crashed.
    pub gone: u64,
    /// What happened in the first of these games.
    pub forfeit: Option<String>,
}

impl Side {
    /// Games lost by no fault of the position.
    #[must_use]
    pub fn forfeits(&self) -> u64 {
        self.illegal + self.overstepped + self.gone
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.spent.add(&other.spent);
        self.illegal += other.illegal;
        self.overstepped += other.overstepped;
        self.gone += other.gone;
        if self.forfeit.is_none() {
            self.forfeit.clone_from(&other.forfeit);
        }
    }
}

/// Points won in units of one or two games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Points {
    /// Of all units, a unit's points being the mean of its games.
    sum: f64,
    squares: f64,
    /// The most that one game brought to either side.
    most: u32,
}

impl Score {
    /// A match before its first game.
    #[must_use]
    pub fn new(a: &str, b: &str) -> Self {
        let side = |name: &str| Side { name: name.into(), ..Side::default() };
        Self {
            sides: [side(a), side(b)],
            tally: Tally::default(),
            first: Tally::default(),
            seat_one: Tally::default(),
            won: 0,
            drawn: 0,
            lost: 0,
            points: Points::default(),
            cut_off: 0,
        }
    }

    /// Counts a pair: a game with A in seat One and one with A in seat Two, on the same start and dice.
    pub fn add_pair(&mut self, pair: [&Summary; 2]) {
        self.count(&[(Player::One, pair[0]), (Player::Two, pair[1])]);
    }

    /// Counts a single game with A in seat One, as a unit of its own.
    pub fn add_game(&mut self, game: &Summary) {
        self.count(&[(Player::One, game)]);
    }

    /// Adds another match between the same two.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.sides.iter_mut().zip(&other.sides) {
            mine.add(theirs);
        }
        self.tally += other.tally;
        self.first += other.first;
        self.seat_one += other.seat_one;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.points.sum += other.points.sum;
        self.points.squares += other.points.squares;
        self.points.most = self.points.most.max(other.points.most);
        self.cut_off += other.cut_off;
    }

    /// Counts a unit of one or two games, each with A's seat.
    fn count(&mut self, games: &[(Player, &Summary)]) {
        let (mut a, mut first, mut one, mut points) = (0, 0, 0, 0);
        for &(seat, game) in games {
            let half_points = |player| match game.outcome {
                Outcome::Draw => 1,
                Outcome::Win { player: winner, .. } => usize::from(winner == player) * 2,
            };
            a += half_points(seat);
            first += half_points(game.first.unwrap_or(Player::One));
            one += half_points(Player::One);
            match half_points(seat) {
                2 => self.won += 1,
                1 => self.drawn += 1,
                _ => self.lost += 1,
            }
            points += game.outcome.points() * seat.sign() as i32;
            self.points.most = self.points.most.max(game.outcome.points().unsigned_abs());
            for (side, player) in self.sides.iter_mut().zip([seat, seat.other()]) {
                side.spent.add(&game.spent[player]);
            }
            match &game.end {
                End::Rules | End::Stopped => {}
                End::TooLong => self.cut_off += 1,
                End::Forfeit { player, fault, reason } => {
                    let side = &mut self.sides[usize::from(*player != seat)];
                    *match fault {
                        Fault::Illegal => &mut side.illegal,
                        Fault::Time => &mut side.overstepped,
                        Fault::Gone | Fault::Crashed => &mut side.gone,
                    } += 1;
                    side.forfeit.get_or_insert_with(|| reason.clone());
                }
            }
        }
        let quarters = 2 / games.len();
        self.tally.add(a * quarters);
        self.first.add(first * quarters);
        self.seat_one.add(one * quarters);
        let points = f64::from(points) / games.len() as f64;
        self.points.sum += points;
        self.points.squares += points * points;
    }

    /// A.
    #[must_use]
    pub fn a(&self) -> &Side {
        &self.sides[0]
    }

    /// B.
    #[must_use]
    pub fn b(&self) -> &Side {
        &self.sides[1]
    }

    /// A's score, and its interval: by pairs, or by games where A never changes its seat.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The score of whoever decided first, and its interval. A game without a decision counts for seat One.
    #[must_use]
    pub fn first_mover(&self) -> &Tally {
        &self.first
    }

    /// The score of seat One, and its interval.
    #[must_use]
    pub fn seat_one(&self) -> &Tally {
        &self.seat_one
    }

    /// Games played.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Games won by A, drawn, and lost by A.
    #[must_use]
    pub fn results(&self) -> (u64, u64, u64) {
        (self.won, self.drawn, self.lost)
    }

    /// A's mean points a game, 0 if nothing was played.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.points.sum / self.tally.units().max(1) as f64
    }

    /// The most points that a game has brought so far, at least 1.
    #[must_use]
    pub fn points_per_win(&self) -> u32 {
        self.points.most.max(1)
    }

    /// Where A's true mean of points lies with 95 %: as [`Tally::interval`], the range being the most points that a
    /// game has brought so far.
    #[must_use]
    pub fn points_interval(&self) -> Interval {
        let most = f64::from(self.points_per_win());
        Interval::of_mean(self.tally.units() as f64, self.points.sum, self.points.squares, -most, most)
    }

    /// Mean number of decisions in a game, 0 if nothing was played.
    #[must_use]
    pub fn length(&self) -> f64 {
        (self.a().spent.decisions as f64 + self.b().spent.decisions as f64) / self.games().max(1) as f64
    }

    /// The share of games that were drawn, 0 if nothing was played.
    #[must_use]
    pub fn draw_ratio(&self) -> f64 {
        self.drawn as f64 / self.games().max(1) as f64
    }

    /// Games cut off for their length and counted as draws.
    #[must_use]
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// The same match seen by B.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.sides.reverse();
        self.tally = self.tally.mirrored();
        std::mem::swap(&mut self.won, &mut self.lost);
        self.points.sum = 0.0 - self.points.sum;
        self
    }

    /// The score without its times: what is the same in every run of the same seed.
    #[must_use]
    pub fn untimed(mut self) -> Self {
        for side in &mut self.sides {
            side.spent = Spent { decisions: side.spent.decisions, ..Spent::default() };
        }
        self
    }
}

/// `name` in at most `width` characters.
pub(crate) fn shortened(name: &str, width: usize) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if name.chars().count() <= width {
        return name;
    }
    name.chars().take(width.saturating_sub(1)).chain(['~']).collect()
}

/// A time in at most 8 characters, up to 9999 hours: `3.1 us`, `12.0 ms`, `1.5 s`, `2.0 h`.
#[must_use]
pub fn short_time(time: Duration) -> String {
    let s = time.as_secs_f64();
    if s < 1e-3 {
        format!("{:.1} us", s * 1e6)
    } else if s < 1.0 {
        format!("{:.1} ms", s * 1e3)
    } else if s < 1000.0 {
        format!("{s:.1} s")
    } else {
        format!("{:.1} h", s / 3600.0)
    }
}

/// A count in at most `width` characters, 5 or more: if need be, rounded to a power of ten.
fn short_count(n: u64, width: usize) -> String {
    let exact = n.to_string();
    if exact.len() <= width { exact } else { format!("{:.*e}", usize::from(width > 5), n as f64) }
}

/// Elo with its sign and one digit after the point, in at most 7 characters: `+12.0`, `+inf`.
#[must_use]
pub fn short_elo(elo: f64) -> String {
    // 0 is added because the sign of a zero means nothing.
    if elo.is_infinite() { format!("{elo:+}") } else { format!("{:+.1}", (elo * 10.0).round() / 10.0 + 0.0) }
}

/// Width of the column of names.
const NAME: usize = 18;

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.tally.units();
        let pairs = if self.games() == 2 * units { "pairs" } else { "single games" };
        let percent = |tally: &Tally| {
            let Interval { low, high } = tally.interval();
            format!("{:>6.1} %  [{:.1}, {:.1}]", tally.mean() * 100.0, low * 100.0, high * 100.0)
        };
        let (a, b) = (shortened(&self.a().name, NAME), shortened(&self.b().name, NAME));
        writeln!(f, "{a} - {b}: {} {pairs}", short_count(units, 7))?;
        let [won, drawn, lost] = [self.won, self.drawn, self.lost].map(|n| short_count(n, 7));
        writeln!(f, "{:<NAME$}{:>8} won, {drawn} drawn, {lost} lost", "games", won)?;
        writeln!(f, "{:<NAME$}{}", "score", percent(&self.tally))?;
        let Interval { low, high } = self.tally.elo_interval();
        let [elo, low, high] = [self.tally.elo(), low, high].map(short_elo);
        writeln!(f, "{:<NAME$}{elo:>8}  [{low}, {high}]; LOS {:.1} %", "Elo", self.tally.superiority() * 100.0)?;
        if self.points.most > 1 {
            let Interval { low, high } = self.points_interval();
            writeln!(f, "{:<NAME$}{:>+8.3}  [{low:+.3}, {high:+.3}]", "points a game", self.points())?;
        }
        writeln!(f, "{:<NAME$}{}", "first mover", percent(&self.first))?;
        if self.seat_one != self.first {
            writeln!(f, "{:<NAME$}{}", "seat One", percent(&self.seat_one))?;
        }
        writeln!(f, "{:<NAME$}{:>8.1}  decisions", "length of a game", self.length())?;
        if self.cut_off > 0 {
            writeln!(f, "{:<NAME$}{:>8}  games, as draws", "cut off", short_count(self.cut_off, 7))?;
        }
        write_costs(f, "a decision", [self.a(), self.b()])
    }
}

/// A line for each player: times of a decision, and what went wrong.
pub(crate) fn write_costs<'a>(f: &mut fmt::Formatter<'_>, title: &str, sides: impl IntoIterator<Item = &'a Side>) -> fmt::Result {
    write!(f, "{title:<NAME$}{:>9}{:>9}{:>9}{:>5}{:>10}", "mean", "slowest", "CPU", "late", "forfeits")?;
    for side in sides {
        let spent = &side.spent;
        let [mean, slowest, cpu] = [spent.time_per_decision(), spent.slowest, spent.cpu_per_decision()].map(short_time);
        let (late, forfeits) = (short_count(spent.late, 5), short_count(side.forfeits(), 7));
        write!(f, "\n{:<NAME$}{mean:>9}{slowest:>9}{cpu:>9}{late:>5}{forfeits:>10}", shortened(&side.name, NAME))?;
    }
    Ok(())
}
