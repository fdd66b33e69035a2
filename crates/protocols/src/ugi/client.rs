//! To ask an engine.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use gamecore::{History, Player, Text, Turn};
use search_core::{Limits, Report, ReportOf};

use crate::{MAX_LINE, Protocol, Wire, WireError};

/// The asking side of [UGI](super).
///
/// Lines that are not understood are passed over, as in UCI; where an error is about the engine's answer, the last
/// `info string error` stands in it. A seed is set if the engine has the option `Seed`; one that is out of the range that the
/// engine announces goes round into it, modulo its length.
///
/// The limits go into one `go`: depth and nodes, if given, and the time: `movetime`, or the clock where
/// [`Limits::left`] is at least twice [`Limits::time`], because an engine can divide its own time. A clock's
/// other side and increments are not known to who is asked: `p1time` and `p2time` are the same, and nothing is added. Memory is
/// not told.
#[derive(Clone, Debug, Default)]
pub struct Ugi {
    /// What the option `Seed` accepts, if the engine has it.
    seed: Option<RangeInclusive<i128>>,
    /// What the engine said last about what it was told.
    complaint: Option<String>,
}

/// How long the last words may take to go out.
const QUIT: Duration = Duration::from_millis(100);

impl Ugi {
    /// For one engine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks whether the engine is ready, and passes over what it has said before it is.
    fn sync(&mut self, wire: &mut Wire, limits: &Limits, deadline: Instant) -> Result<(), WireError> {
        wire.send("isready", deadline)?;
        loop {
            let line = wire.receive(Some(deadline), limits.stop.as_ref())?;
            if line.trim() == "readyok" {
                return Ok(());
            }
            self.note(&line);
        }
    }

    fn note(&mut self, line: &str) {
        if let Some(complaint) = line.trim().strip_prefix("info string error") {
            self.complaint = Some(complaint.trim_start_matches(':').trim().into());
        }
    }
}

impl<G: Text> Protocol<G> for Ugi {
    fn hello(&mut self, wire: &mut Wire, deadline: Instant) -> Result<String, WireError> {
        *self = Self::default();
        wire.send("ugi", deadline)?;
        let (mut name, mut other) = (None::<String>, None::<String>);
        loop {
            let line = match wire.receive(Some(deadline), None) {
                Ok(line) => line,
                // Somebody who speaks, but not this.
                Err(WireError::Hung { .. }) if other.is_some() => {
                    return Err(WireError::unexpected("\"ugiok\"", &other.unwrap_or_default()));
                }
                Err(error) => return Err(error),
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["ugiok"] => return Ok(gamecore::text::quoted(&name.unwrap_or_else(|| "ugi".into()))),
                ["id", "name", ref rest @ ..] if !rest.is_empty() => name = Some(rest.join(" ")),
                ["option", "name", "Seed"] => self.seed = seeds(&[]),
                ["option", "name", "Seed", "type", ref rest @ ..] => self.seed = seeds(rest),
                ["id" | "option" | "info", ..] | [] => {}
                _ => other = other.or(Some(line)),
            }
        }
    }

    fn new_game(&mut self, wire: &mut Wire, seed: u64, deadline: Instant) -> Result<(), WireError> {
        self.complaint = None;
        if let Some(seeds) = &self.seed {
            wire.send(&format!("setoption name Seed value {}", within(seeds, seed)), deadline)?;
        }
        wire.send("uginewgame", deadline)?;
        self.sync(wire, &Limits::default(), deadline)
    }

    fn choose(
        &mut self,
        wire: &mut Wire,
        history: &History<G>,
        limits: &Limits,
        deadline: Instant,
    ) -> Result<ReportOf<G>, WireError> {
        self.complaint = None;
        let state = history.state();
        let Turn::Decide(mover) = state.turn() else {
            return Err(WireError::unexpected("a position with something to decide", &state.position_text()));
        };
        wire.send(&position(history), deadline)?;
        self.sync(wire, limits, deadline)?;
        wire.send(&go(limits), deadline)?;
        let mut said = Said::default();
        loop {
            let line = wire.receive(Some(deadline), limits.stop.as_ref())?;
            self.note(&line);
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => said.read(words, mover),
                Some("bestmove") => {
                    let word = words.next().unwrap_or("");
                    let m = state.parse_move(word).map_err(|error| {
                        let found = self.complaint.as_ref().map_or_else(|| line.clone(), |c| format!("{}, {c}", line.trim()));
                        WireError::unexpected(format!("\"bestmove\" with a legal move ({error})"), &found)
                    })?;
                    let mut report = Report::of_move(m, said.value.or(said.score));
                    (report.depth, report.nodes) = (said.depth, said.nodes);
                    return Ok(report);
                }
                _ => {}
            }
        }
    }

    fn quit(&mut self, wire: &mut Wire) {
        // Who does not read it any more is ended all the same.
        let _ = wire.send("quit", Instant::now() + QUIT);
    }
}

/// What an option accepts that is announced by these words, any `u64` if they do not say; `None` if it is nothing.
fn seeds(words: &[&str]) -> Option<RangeInclusive<i128>> {
    let number = |name, otherwise: u64| {
        let mut words = words.iter().skip_while(|&&word| word != name).skip(1);
        let number = words.next().and_then(|word| word.parse::<i128>().ok()).unwrap_or_else(|| otherwise.into());
        number.clamp(i64::MIN.into(), u64::MAX.into())
    };
    Some(number("min", 0)..=number("max", u64::MAX)).filter(|seeds| !seeds.is_empty())
}

/// The seed itself if it is accepted, otherwise the one that it becomes modulo the length of the range.
fn within(seeds: &RangeInclusive<i128>, seed: u64) -> i128 {
    let (min, max) = (*seeds.start(), *seeds.end());
    min + (i128::from(seed) - min).rem_euclid(max - min + 1)
}

/// The line that tells the game so far; only the present position if the game is too long for a line.
fn position<G: Text>(history: &History<G>) -> String {
    let mut line = format!("position fen {}", history.start().position_text());
    if !history.steps().is_empty() {
        line = line + " moves " + &history.steps_text();
    }
    if line.len() > MAX_LINE { format!("position fen {}", history.state().position_text()) } else { line }
}

fn go(limits: &Limits) -> String {
    let mut line = String::from("go");
    if let Some(depth) = limits.depth {
        line += &format!(" depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        line += &format!(" nodes {nodes}");
    }
    match (limits.time, limits.left) {
        (time, Some(left)) if time.is_none_or(|time| left / 2 >= time) => {
            let left = left.as_millis().max(1);
            line += &format!(" p1time {left} p2time {left} p1inc 0 p2inc 0");
        }
        (Some(time), _) => line += &format!(" movetime {}", time.as_millis().max(1)),
        (None, _) => {}
    }
    if line == "go" { "go infinite".into() } else { line }
}

/// What an engine has said about its search.
#[derive(Default)]
struct Said {
    depth: u32,
    nodes: u64,
    /// From `score`, for One.
    score: Option<f64>,
    /// From `string value`, for One.
    value: Option<f64>,
}

impl Said {
    fn read<'a>(&mut self, mut words: impl Iterator<Item = &'a str>, mover: Player) {
        let mut number = None;
        while let Some(word) = number.take().or_else(|| words.next()) {
            match word {
                "depth" => self.depth = words.next().and_then(|w| w.parse().ok()).unwrap_or(self.depth),
                "nodes" => self.nodes = words.next().and_then(|w| w.parse().ok()).unwrap_or(self.nodes),
                "cp" | "mate" => {
                    // A word that is no number may be the next one's name.
                    let Some(next) = words.next() else { return };
                    match next.parse::<f64>().ok().filter(|n| n.is_finite()) {
                        Some(n) => {
                            let points = if word == "cp" { n / 100.0 } else { f64::from(if n > 0.0 { 1 } else { -1 }) };
                            self.score = Some(f64::from(mover.sign()) * points);
                        }
                        None => number = Some(next),
                    }
                }
                // Moves to the end of the line, and words of every kind.
                "pv" => return,
                "string" => {
                    if words.next() == Some("value")
                        && let Some(value) = words.next().and_then(|w| w.parse::<f64>().ok()).filter(|v| v.is_finite())
                    {
                        self.value = Some(value);
                    }
                    return;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::testing::toys::Pig;

    #[test]
    fn limits_become_words() {
        let ms = Duration::from_millis;
        assert_eq!(go(&Limits::default()), "go infinite");
        assert_eq!(go(&Limits::depth(3).and_nodes(7)), "go depth 3 nodes 7");
        assert_eq!(go(&Limits::time(ms(50))), "go movetime 50");
        assert_eq!(go(&Limits::time(ms(50)).and_left(ms(65))), "go movetime 50");
        assert_eq!(go(&Limits::time(ms(50)).and_left(ms(1000))), "go p1time 1000 p2time 1000 p1inc 0 p2inc 0");
    }

    #[test]
    fn seeds_are_accepted() {
        let sent = |option: &str, seed| {
            let words: Vec<&str> = option.split(' ').collect();
            seeds(&words).map(|seeds| within(&seeds, seed))
        };
        assert_eq!(sent("spin default 0 min 0 max 18446744073709551615", u64::MAX), Some(u64::MAX.into()));
        assert_eq!((sent("string default", 7), sent("spin min x max", 8)), (Some(7), Some(8)));
        let int = "spin default 1 min 0 max 2147483647";
        assert_eq!((sent(int, 5), sent(int, i32::MAX as u64), sent(int, 1 << 31)), (Some(5), Some(2_147_483_647), Some(0)));
        assert_eq!((sent("spin max 9 min 1 default 1", 9), sent("spin max 9 min 1 default 1", 10)), (Some(9), Some(1)));
        assert_eq!((sent("spin min 1 max 9", 0), sent("spin min -5 max 4", 6)), (Some(9), Some(-4)));
        assert_eq!((sent("spin min 3 max 3", 77), sent("spin min 4 max 3", 77)), (Some(3), None));
        let (most, all) = (i128::MAX, format!("spin min {} max {}", i128::MIN, i128::MAX));
        assert_eq!(
            (sent(&all, u64::MAX), sent(&format!("spin min {most} max {most}"), 1)),
            (Some(u64::MAX.into()), Some(u64::MAX.into()))
        );
    }

    #[test]
    fn infos_are_read() {
        let read = |lines: &[&str], mover| {
            let mut said = Said::default();
            lines.iter().for_each(|l| said.read(l.split_whitespace(), mover));
            (said.depth, said.nodes, said.score, said.value)
        };
        let line = "depth 3 seldepth 9 nodes 120 time 4 score cp -31 lowerbound pv depth 9 cp 5";
        assert_eq!(read(&[line], Player::One), (3, 120, Some(-0.31), None));
        assert_eq!(read(&[line, "string value 0.3125"], Player::Two), (3, 120, Some(0.31), Some(0.3125)));
        assert_eq!(read(&["score mate -3"], Player::Two).2, Some(1.0));
        assert_eq!(read(&["score cp depth 4", "depth", "score cp", "string value NaN"], Player::One), (4, 0, None, None));
    }

    #[test]
    fn a_long_game_still_fits_a_line() {
        let mut history = History::from(Pig::new(10_000));
        for _ in 0..10_000 {
            history.try_play(gamecore::testing::toys::PigMove::Roll).unwrap();
            history.try_resolve(1).unwrap();
        }
        assert_eq!(position(&history), format!("position fen {}", history.state().position_text()));
        let mut history = History::from(Pig::new(20));
        history.try_play(gamecore::testing::toys::PigMove::Roll).unwrap();
        history.try_resolve(6).unwrap();
        assert_eq!(position(&history), "position fen 20: 0 0 one +0 moves roll 6");
    }
}
