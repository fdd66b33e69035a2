//! What a tournament has shown.

use std::cmp::Ordering;
use std::fmt;

use crate::score::{short_elo, shortened, write_costs};
use crate::{Interval, Pairing, Rating, Score, Side, Summary, Tally, ratings};

/// The results of a [`Tournament`](crate::Tournament) so far.
///
/// [`Display`](fmt::Display) writes [`table`](Self::table) and then what the players spent. At most 60 columns for up to five
/// contestants, 6 more for each further one.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    names: Vec<String>,
    pairing: Pairing,
    meetings: Vec<(usize, usize)>,
    /// Of each meeting.
    scores: Vec<Score>,
    /// Of each unit, in order.
    results: Vec<UnitResult>,
}

/// What a unit brought, in quarters: 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct UnitResult {
    /// Its first contestant.
    a: u8,
    /// Whoever decided first.
    first: u8,
}

impl Standings {
    pub(crate) fn new(pairing: Pairing, names: Vec<String>) -> Self {
        let meetings = pairing.meetings(names.len());
        let scores = meetings.iter().map(|&(a, b)| match pairing {
            Pairing::SelfPlay => Score::new(&format!("{} (One)", names[a]), &format!("{} (Two)", names[b])),
            Pairing::RoundRobin | Pairing::Gauntlet => Score::new(&names[a], &names[b]),
        });
        Self { scores: scores.collect(), names, pairing, meetings, results: Vec::new() }
    }

    /// Counts the next unit: its games in their order.
    ///
    /// # Panics
    /// Unless there are as many games as [`Pairing::games`] says.
    pub fn add(&mut self, games: &[&Summary]) {
        let place = self.results.len() % self.meetings.len();
        let mut unit = Score::new("", "");
        match (self.pairing, games) {
            (Pairing::SelfPlay, [game]) => unit.add_game(game),
            (Pairing::RoundRobin | Pairing::Gauntlet, [first, second]) => unit.add_pair([first, second]),
            _ => panic!("{} games are no unit of {:?}", games.len(), self.pairing),
        }
        let quarters = |tally: &Tally| (0u8..).zip(tally.counts()).find(|c| c.1 > 0).map_or(0, |c| c.0);
        self.results.push(UnitResult { a: quarters(unit.tally()), first: quarters(unit.first_mover()) });
        self.scores[place].add(&unit);
    }

    /// The contestants' names, in their order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Who meets whom.
    #[must_use]
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }

    /// How many [units](crate::Unit) have been counted.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.results.len() as u64
    }

    /// How many rounds are complete: everybody has met whom it meets so often.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        (self.results.len() / self.meetings.len()) as u64
    }

    /// Games played, all meetings together.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.scores.iter().map(Score::games).sum()
    }

    /// Games that a contestant has played.
    #[must_use]
    pub fn games_of(&self, contestant: usize) -> u64 {
        self.scores().filter(|((a, b), _)| *a == contestant || *b == contestant).map(|(_, score)| score.games()).sum()
    }

    /// The score of every meeting, with the contestants' places.
    pub fn scores(&self) -> impl Iterator<Item = ((usize, usize), &Score)> {
        self.meetings.iter().copied().zip(&self.scores)
    }

    /// The score of contestant `a` against `b`; `None` if they do not meet. In self-play 0 meets 0: the score is seat One's.
    #[must_use]
    pub fn score(&self, a: usize, b: usize) -> Option<Score> {
        let find = |pair| self.meetings.iter().position(|&m| m == pair).map(|i| self.scores[i].clone());
        find((a, b)).or_else(|| find((b, a)).map(Score::mirrored))
    }

    /// What each complete round brought a contestant, in order: its mean score, 0 to 1. Against all whom it meets, or
    /// against one of them only. For curves of a score over the games.
    #[must_use]
    pub fn course(&self, contestant: usize, against: Option<usize>) -> Vec<f64> {
        self.by_rounds(|(a, b), result| {
            let score = f64::from(result.a) / 4.0;
            let opponent_counts = |opponent| against.is_none_or(|against| against == opponent);
            if a == contestant && opponent_counts(b) {
                Some(score)
            } else if b == contestant && opponent_counts(a) {
                Some(1.0 - score)
            } else {
                None
            }
        })
    }

    /// Everything a contestant did, all its games together.
    #[must_use]
    pub fn side(&self, contestant: usize) -> Side {
        if self.pairing == Pairing::SelfPlay {
            let mut both = self.scores[0].a().clone();
            both.name.clone_from(&self.names[contestant]);
            both.add(self.scores[0].b());
            return both;
        }
        let mut whole = Score::new(&self.names[contestant], "");
        for opponent in 0..self.names.len() {
            if let Some(score) = self.score(contestant, opponent) {
                whole.add(&score);
            }
        }
        whole.a().clone()
    }

    /// The mean of a contestant's scores against those whom it meets, 0 to 1; 1/2 before the first round is complete. Only
    /// complete rounds count.
    #[must_use]
    pub fn mean(&self, contestant: usize) -> f64 {
        mean_of(&self.course(contestant, None)).0
    }

    /// Where the true value of [`mean`](Self::mean) lies with 95 %. The unit is the round, whose games all share one start
    /// and one stream of dice.
    #[must_use]
    pub fn mean_interval(&self, contestant: usize) -> Interval {
        mean_of(&self.course(contestant, None)).1
    }

    /// The score of whoever decides first, 0 to 1, and where the true one lies with 95 %: by rounds, as
    /// [`mean_interval`](Self::mean_interval).
    #[must_use]
    pub fn first_mover(&self) -> (f64, Interval) {
        mean_of(&self.by_rounds(|_, result| Some(f64::from(result.first) / 4.0)))
    }

    /// Something of each complete round: its mean over the units for which it is there.
    fn by_rounds(&self, of: impl Fn((usize, usize), UnitResult) -> Option<f64>) -> Vec<f64> {
        let rounds = self.results.chunks_exact(self.meetings.len());
        let means = rounds.filter_map(|round| {
            let values = || self.meetings.iter().zip(round).filter_map(|(&meeting, &result)| of(meeting, result));
            let n = values().count();
            (n > 0).then(|| values().sum::<f64>() / n as f64)
        });
        means.collect()
    }

    /// The ratings that explain all results together best; empty in self-play. See [`ratings()`](crate::ratings()). Takes a
    /// moment: ask once.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        match self.pairing {
            Pairing::SelfPlay => Vec::new(),
            Pairing::RoundRobin | Pairing::Gauntlet => {
                let quarters: Vec<u8> = self.results.iter().map(|r| r.a).collect();
                ratings(self.names.len(), &self.meetings, &quarters)
            }
        }
    }

    /// The contestants, the best first by these [`ratings`](Self::ratings); in self-play the only one.
    #[must_use]
    pub fn ranking(&self, ratings: &[Rating]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        if !ratings.is_empty() {
            order.sort_by(|&a, &b| ratings[b].elo.partial_cmp(&ratings[a].elo).unwrap_or(Ordering::Equal));
        }
        order
    }

    /// The standings without their times: what is the same in every run of the same tournament.
    #[must_use]
    pub fn untimed(mut self) -> Self {
        self.scores = self.scores.into_iter().map(Score::untimed).collect();
        self
    }

    /// Who scored what against whom in percent, and the ratings, the best first: what does not depend on times.
    #[must_use]
    pub fn table(&self) -> String {
        std::fmt::from_fn(|f| self.write_table(f)).to_string()
    }

    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAME: usize = 15;
        let ratings = self.ratings();
        let order = self.ranking(&ratings);
        write!(f, "{:<width$}", "score in %", width = NAME + 3)?;
        for column in 1..=order.len() {
            write!(f, "{column:>6}")?;
        }
        write!(f, "{:>7}{:>5}", "mean", "+-")?;
        for (place, &a) in order.iter().enumerate() {
            write!(f, "\n{:>2} {:<NAME$}", place + 1, shortened(&self.names[a], NAME))?;
            for &b in &order {
                match self.score(a, b) {
                    Some(score) if score.games() > 0 => write!(f, "{:>6.1}", score.tally().mean() * 100.0)?,
                    _ => write!(f, "{:>6}", "-")?,
                }
            }
            write!(f, "{:>7.1}{:>5.1}", self.mean(a) * 100.0, self.mean_interval(a).half_width() * 100.0)?;
        }
        write!(f, "\n\n{:<width$}{:>8}{:>20}{:>12}", "rating", "Elo", "95 %", "games", width = NAME + 3)?;
        for (place, &a) in order.iter().enumerate() {
            let Rating { elo, interval } = ratings[a];
            let range = format!("[{}, {}]", short_elo(interval.low), short_elo(interval.high));
            let games = self.games_of(a);
            let name = shortened(&self.names[a], NAME);
            write!(f, "\n{:>2} {name:<NAME$}{:>8}{range:>20}{games:>12}", place + 1, short_elo(elo))?;
        }
        let (mean, Interval { low, high }) = self.first_mover();
        let [mean, low, high] = [mean, low, high].map(|x| x * 100.0);
        write!(f, "\n\nwho moves first scores {mean:.1} % [{low:.1}, {high:.1}]")
    }
}

/// The mean of values between 0 and 1 (1/2 if there are none) and its interval.
fn mean_of(values: &[f64]) -> (f64, Interval) {
    let (n, sum) = (values.len() as f64, values.iter().sum::<f64>());
    let squares = values.iter().map(|x| x * x).sum();
    (if n > 0.0 { sum / n } else { 0.5 }, Interval::of_mean(n, sum, squares, 0.0, 1.0))
}

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scores.len() == 1 {
            return self.scores[0].fmt(f);
        }
        writeln!(f, "{}\n", self.table())?;
        let sides: Vec<Side> = (0..self.names.len()).map(|contestant| self.side(contestant)).collect();
        write_costs(f, "a decision", &sides)
    }
}
