//! What a tournament has shown, for people: Markdown and charts.

use std::fmt;

use arena::{Interval, Pairing, Rating, Score, Side, Sprt, Standings, Verdict, short_elo, short_time};

use crate::charts::{self, ChartError, Line, RatingRow};
use crate::experiment::{Experiment, ExperimentError, in_words};

/// A file of a report: its name and its text.
pub(crate) type Page = (&'static str, String);

/// Points of a curve: more would not be seen.
const POINTS: usize = 200;
/// Curves in one chart: as many as there are colours.
const CURVES: usize = 6;

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    #[error(transparent)]
    Chart(#[from] ChartError),
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

/// The report's pages, the Markdown first.
pub(crate) fn pages(experiment: &Experiment, timed: bool, standings: &Standings) -> Result<Vec<Page>, ReportError> {
    let ratings = &standings.ratings()[..];
    let subtitle = subtitle(experiment, standings);
    let mut charts: Vec<(Page, &str)> = Vec::new();
    // Two players are one difference, which the score shows.
    if experiment.pairing != Pairing::SelfPlay && standings.names().len() > 2 {
        let rows: Vec<RatingRow> = standings
            .names()
            .iter()
            .zip(ratings)
            .map(|(name, r)| RatingRow { name: name.clone(), elo: r.elo, low: r.interval.low, high: r.interval.high })
            .collect();
        charts.push((("ratings.svg", charts::ratings(&experiment.title, &subtitle, None, &rows)?), "Ratings"));
        if let Some(depths) = depths(experiment) {
            let points: Vec<_> =
                depths.iter().zip(ratings).map(|(&d, r)| (f64::from(d), r.elo, r.interval.low, r.interval.high)).collect();
            let labels: Vec<String> = ratings
                .iter()
                .map(|r| format!("{:+.0} ±{:.0}", r.elo, r.interval.half_width()).replace('-', "\u{2212}"))
                .collect();
            let (x, y) = ("Depth of search (decisions looked ahead)", "Elo (0 = mean of all)");
            charts.push((
                ("depths.svg", charts::curve(&experiment.title, &subtitle, x, y, &points, &labels)?),
                "Strength by depth",
            ));
        }
    }
    let lines = curves(standings, ratings);
    let whose = match (experiment.pairing, standings.names().len()) {
        (Pairing::SelfPlay, _) => "Score of seat One (%)".into(),
        (Pairing::Gauntlet, _) | (_, 2) => format!("Score of {} (%)", standings.names()[0]),
        _ => "Score against all others (%)".into(),
    };
    charts.push((("score.svg", charts::score_over_games(&experiment.title, &subtitle, &whose, &lines)?), "Score over the games"));
    let text = markdown(experiment, timed, standings, ratings, charts.iter().map(|((file, _), name)| (*file, *name)))?;
    Ok([("report.md", text)].into_iter().chain(charts.into_iter().map(|(page, _)| page)).collect())
}

/// The conditions in a line.
fn subtitle(experiment: &Experiment, standings: &Standings) -> String {
    let rounds = thousands(standings.rounds());
    let each = match experiment.pairing {
        Pairing::SelfPlay => format!("{rounds} games"),
        _ if standings.names().len() == 2 => format!("{rounds} pairs of games, same start and dice, seats exchanged"),
        _ => format!("{rounds} pairs of games for each two players, same start and dice, seats exchanged"),
    };
    let unfinished = if experiment.has_sprt() || standings.rounds() >= experiment.pairs { "" } else { "; unfinished" };
    format!("{}; {each}; 95 % intervals{unfinished}", in_words(&experiment.game, "name"))
}

fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|g| std::str::from_utf8(g).unwrap_or("")).collect();
    groups.join(",")
}

/// The depth of every player, if that is all in which they differ.
fn depths(experiment: &Experiment) -> Option<Vec<u32>> {
    let depths: Vec<u32> = experiment.players.iter().map(|p| p.depth).collect::<Option<_>>()?;
    let alike = experiment.players.windows(2).all(|pair| pair[0].differs_in_depth_alone(&pair[1]));
    let mut different = depths.clone();
    different.sort_unstable();
    different.dedup();
    (alike && different.len() == depths.len() && depths.len() > 1).then_some(depths)
}

/// The running score: of the first player in a match and in self-play, of it against each opponent in a gauntlet, of the
/// best against all others in a round robin.
fn curves(standings: &Standings, ratings: &[Rating]) -> Vec<Line> {
    let names = standings.names();
    let curve =
        |name: String, contestant, against, games| Line { name, points: running(&standings.course(contestant, against), games) };
    match (standings.pairing(), names.len()) {
        (Pairing::SelfPlay, _) => vec![curve(format!("{} in seat One", names[0]), 0, None, 1)],
        (_, 2) => vec![curve(names[0].clone(), 0, None, 2)],
        (Pairing::Gauntlet, n) => (1..n).take(CURVES).map(|b| curve(format!("against {}", names[b]), 0, Some(b), 2)).collect(),
        (_, n) => {
            let best = standings.ranking(ratings).into_iter().take(CURVES);
            best.map(|c| curve(names[c].clone(), c, None, 2 * (n as u64 - 1))).collect()
        }
    }
}

/// The running mean of the rounds' scores in percent with its interval, over games played.
fn running(rounds: &[f64], games: u64) -> Vec<(f64, f64, f64, f64)> {
    let step = rounds.len().div_ceil(POINTS).max(1);
    let (mut sum, mut squares, mut points) = (0.0, 0.0, Vec::new());
    for (i, score) in rounds.iter().enumerate() {
        sum += score;
        squares += score * score;
        let n = (i + 1) as f64;
        if (i + 1) % step == 0 || i + 1 == rounds.len() {
            let Interval { low, high } = Interval::of_mean(n, sum, squares, 0.0, 1.0);
            points.push((n * games as f64, sum / n * 100.0, low * 100.0, high * 100.0));
        }
    }
    points
}

/// A name that a Markdown table can hold.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").chars().map(|c| if gamecore::text::is_invisible(c) { ' ' } else { c }).collect()
}

fn percent(mean: f64, Interval { low, high }: Interval) -> String {
    format!("{:.1} % [{:.1}, {:.1}]", mean * 100.0, low * 100.0, high * 100.0)
}

fn markdown<'a>(
    experiment: &Experiment,
    timed: bool,
    standings: &Standings,
    ratings: &[Rating],
    charts: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<String, ReportError> {
    let sprt = experiment.sprt()?;
    let text = fmt::from_fn(|f| {
        writeln!(f, "# {}\n", cell(&experiment.title))?;
        if let Some(text) = &experiment.text {
            writeln!(f, "{}\n", text.trim())?;
        }
        writeln!(f, "{}.", subtitle(experiment, standings))?;
        if sprt.is_none() && standings.rounds() < experiment.pairs {
            writeln!(f, "\nUnfinished: {} of {} rounds.", standings.rounds(), experiment.pairs)?;
        }
        Ok(())
    });
    let mut out = text.to_string();
    for (file, name) in charts {
        out += &format!("\n![{name}]({file})\n");
    }
    out += "\n## Result\n\n";
    out += &match standings.pairing() {
        Pairing::SelfPlay => fmt::from_fn(|f| seats(f, standings)).to_string(),
        _ if standings.names().len() == 2 => fmt::from_fn(|f| duel(f, standings)).to_string(),
        _ => fmt::from_fn(|f| ranking(f, standings, ratings)).to_string(),
    };
    if let Some(sprt) = sprt {
        out += &fmt::from_fn(|f| test(f, &sprt, standings)).to_string();
    }
    if standings.names().len() > 2 {
        out += &fmt::from_fn(|f| meetings(f, standings, ratings)).to_string();
    }
    out += &fmt::from_fn(|f| games(f, standings)).to_string();
    out += &fmt::from_fn(|f| players(f, experiment, standings)).to_string();
    let but = if timed { ", up to what players do with their time" } else { "" };
    out += &format!(
        "\nSeed {}. Wall-clock times depend on the machine and on what else it did; everything else comes out again{but}. \
         Made by Boardwright {} with `arena run`.\n",
        experiment.seed,
        env!("CARGO_PKG_VERSION")
    );
    Ok(out)
}

/// What the seats are worth.
fn seats(f: &mut fmt::Formatter<'_>, standings: &Standings) -> fmt::Result {
    let Some(score) = standings.score(0, 0) else { return Ok(()) };
    let (won, drawn, lost) = score.results();
    let percent = percent(score.tally().mean(), score.tally().interval());
    writeln!(f, "Seat One won {won}, drew {drawn} and lost {lost} games: {percent}.")
}

/// A match of two.
fn duel(f: &mut fmt::Formatter<'_>, standings: &Standings) -> fmt::Result {
    let Some(score) = standings.score(0, 1) else { return Ok(()) };
    let (a, b, (won, drawn, lost)) = (cell(&score.a().name), cell(&score.b().name), score.results());
    let (tally, Interval { low, high }) = (score.tally(), score.tally().elo_interval());
    let [elo, low, high] = [tally.elo(), low, high].map(short_elo);
    writeln!(f, "{a} won {won}, drew {drawn} and lost {lost} games against {b}.\n")?;
    writeln!(f, "| | {a} against {b} |\n| --- | ---: |")?;
    writeln!(f, "| score | {} |\n| Elo | {elo} [{low}, {high}] |", percent(tally.mean(), tally.interval()))?;
    if score.points_per_win() > 1 {
        let Interval { low, high } = score.points_interval();
        writeln!(f, "| points a game | {:+.3} [{low:+.3}, {high:+.3}] |", score.points())?;
    }
    writeln!(f, "| likelihood that {a} is the stronger | {:.1} % |", tally.superiority() * 100.0)
}

/// The players, the best first.
fn ranking(f: &mut fmt::Formatter<'_>, standings: &Standings, ratings: &[Rating]) -> fmt::Result {
    writeln!(f, "| | player | Elo | 95 % | score | games |\n| ---: | --- | ---: | ---: | ---: | ---: |")?;
    for (place, c) in standings.ranking(ratings).into_iter().enumerate() {
        let (elo, Interval { low, high }) = (ratings[c].elo, ratings[c].interval);
        let (name, score) = (cell(&standings.names()[c]), percent(standings.mean(c), standings.mean_interval(c)));
        let [elo, low, high] = [elo, low, high].map(short_elo);
        writeln!(f, "| {} | {name} | {elo} | {low} to {high} | {score} | {} |", place + 1, standings.games_of(c))?;
    }
    Ok(())
}

/// What a verdict means for A and B.
pub(crate) fn verdict(sprt: &Sprt, verdict: Verdict, a: &str, b: &str) -> String {
    let [elo0, elo1] = sprt.hypotheses();
    match verdict {
        Verdict::H0 => format!("{a} is not {elo1} Elo stronger than {b}"),
        Verdict::H1 => format!("{a} is more than {elo0} Elo stronger than {b}"),
        Verdict::Running => "undecided".into(),
    }
}

/// What the sequential test says.
fn test(f: &mut fmt::Formatter<'_>, sprt: &Sprt, standings: &Standings) -> fmt::Result {
    let Some(score) = standings.score(0, 1) else { return Ok(()) };
    let ([elo0, elo1], [low, high], llr) = (sprt.hypotheses(), sprt.bounds(), sprt.llr(score.tally()));
    let [a, b] = [&score.a().name, &score.b().name].map(|name| cell(name));
    let verdict = verdict(sprt, sprt.verdict(score.tally()), &a, &b);
    writeln!(
        f,
        "\nSequential test of {elo0} against {elo1} Elo: log-likelihood ratio {llr:.2} [{low:.2}, {high:.2}], {verdict}."
    )?;
    match sprt.verdict(score.tally()) {
        Verdict::Running => Ok(()),
        _ => writeln!(f, "The score of a match that a test has ended is biased: it ended at a good moment."),
    }
}

/// Who scored what against whom.
fn meetings(f: &mut fmt::Formatter<'_>, standings: &Standings, ratings: &[Rating]) -> fmt::Result {
    let names = standings.names();
    let numbers = |of: &dyn Fn(usize) -> String| (0..names.len()).map(of).collect::<Vec<_>>().join(" | ");
    let order = standings.ranking(ratings);
    writeln!(f, "\nScores against each other, percent:\n")?;
    writeln!(f, "| | {} |\n| --- | {} |", numbers(&|b| (b + 1).to_string()), numbers(&|_| "---:".into()))?;
    for (place, &a) in order.iter().enumerate() {
        let score = |b: usize| standings.score(a, order[b]).filter(|s| s.games() > 0);
        let row = numbers(&|b| score(b).map_or_else(String::new, |s| format!("{:.1}", s.tally().mean() * 100.0)));
        writeln!(f, "| {} {} | {row} |", place + 1, cell(&names[a]))?;
    }
    Ok(())
}

/// What the games were like.
fn games(f: &mut fmt::Formatter<'_>, standings: &Standings) -> fmt::Result {
    let (first, interval) = standings.first_mover();
    let mut all = Score::new("", "");
    standings.scores().for_each(|(_, score)| all.add(score));
    let (length, drawn) = (all.length(), all.draw_ratio() * 100.0);
    writeln!(
        f,
        "\nWho moves first scores {}. A game has {length:.1} decisions; {drawn:.1} % are drawn.",
        percent(first, interval)
    )?;
    match all.cut_off() {
        0 => Ok(()),
        games => writeln!(f, "{games} games were cut off and count as draws."),
    }
}

/// What the players are, what they spent, what went wrong.
fn players(f: &mut fmt::Formatter<'_>, experiment: &Experiment, standings: &Standings) -> fmt::Result {
    writeln!(f, "\n## Players\n\n| player | what it is | a decision | CPU | slowest | late | illegal | lost on time | gone |")?;
    writeln!(f, "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    let sides: Vec<Side> = (0..standings.names().len()).map(|c| standings.side(c)).collect();
    for (side, player) in sides.iter().zip(&experiment.players) {
        let (name, what, spent) = (cell(&side.name), cell(&player.conditions()), &side.spent);
        let times = [spent.time_per_decision(), spent.cpu_per_decision(), spent.slowest].map(short_time).join(" | ");
        let counts = [spent.late, side.illegal, side.overstepped, side.gone].map(|n| n.to_string()).join(" | ");
        writeln!(f, "| {name} | {what} | {times} | {counts} |")?;
    }
    for side in &sides {
        if let Some(reason) = &side.forfeit {
            writeln!(f, "\nThe first game that {} lost by no fault of its position: {}.", cell(&side.name), cell(reason))?;
        }
    }
    Ok(())
}
