//! What `INFO` tells, and what follows from it.

use std::time::Duration;

use gamecore::text::quoted;
use games_gomoku::Rule;
use search_core::Limits;

use crate::desk::{LEAST, USUAL, margin};

/// A clock that shows so many milliseconds shows no limit.
const UNLIMITED: i64 = 2_147_483_647;
/// For a move that is to be played as fast as possible.
const AT_ONCE: Duration = Duration::from_millis(10);
/// Memory that is not for tables.
const OTHER_BYTES: u64 = 24 << 20;
/// Full strength.
const STRONGEST: i64 = 100;

/// What has been told.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// For a move; zero means as fast as possible.
    turn: Option<Duration>,
    /// For a match, in milliseconds.
    match_time: Option<i64>,
    /// What is left of it, in milliseconds.
    left: Option<i64>,
    /// Whether `left` was told or is a guess.
    left_told: bool,
    /// Whether something of it was used.
    used: bool,
    /// How much later than planned recent answers were, at worst.
    late: Duration,
    max_memory: Option<u64>,
    hash: Option<u64>,
    threads: usize,
    depth: Option<u32>,
    nodes: Option<u64>,
    strength: i64,
    rule: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            turn: None,
            match_time: None,
            left: None,
            left_told: false,
            used: false,
            late: Duration::ZERO,
            max_memory: None,
            hash: None,
            threads: 1,
            depth: None,
            nodes: None,
            strength: STRONGEST,
            rule: 0,
        }
    }
}

impl Settings {
    /// Obeys the words after `INFO`; unknown keys are none of ours.
    pub(super) fn obey(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim();
        let (key, value) = text.split_once(|c: char| c.is_whitespace() || c == ',').unwrap_or((text, ""));
        let (key, value) = (key.to_ascii_lowercase(), value.trim());
        let number = |least: i64, most: i64| {
            let number = value.parse::<i128>().ok().filter(|n| (i128::from(least)..=i128::from(most)).contains(n));
            let number = number.and_then(|n| i64::try_from(n).ok());
            number.ok_or_else(|| format!("\"{}\" is no {key}: a whole number, {least} to {most}", quoted(value)))
        };
        let above_0 = |n: i64| Some(n).filter(|&n| n > 0);
        match key.as_str() {
            // Who has less than no time has none.
            "timeout_turn" => self.turn = Some(millis(number(i64::MIN, i64::MAX)?)),
            "timeout_match" => {
                self.match_time = above_0(number(i64::MIN, i64::MAX)?).filter(|&n| n < UNLIMITED);
                if !self.left_told {
                    self.left = self.match_time;
                }
            }
            "time_left" => {
                self.left = Some(number(i64::MIN, i64::MAX)?).filter(|&n| n < UNLIMITED);
                self.left_told = true;
            }
            "max_memory" => self.max_memory = above_0(number(0, i64::MAX)?).map(i64::unsigned_abs),
            "hash_size" => self.hash = above_0(number(0, i64::MAX >> 10)?).map(|n| n.unsigned_abs() << 10),
            "thread_num" => self.threads = number(1, 256)? as usize,
            "max_depth" => self.depth = above_0(number(0, u32::MAX.into())?).map(|n| n as u32),
            "max_node" | "max_nodes" => self.nodes = above_0(number(0, i64::MAX)?).map(i64::unsigned_abs),
            "strength" => self.strength = number(0, STRONGEST)?,
            "rule" => self.rule = number(0, i64::MAX)?,
            "game_type" => _ = number(0, 3)?,
            _ => {}
        }
        Ok(())
    }

    /// The rules.
    pub(super) fn rule(&self) -> Result<Rule, String> {
        match self.rule {
            0 => Ok(Rule::Freestyle),
            1 => Ok(Rule::Standard),
            4 | 5 => Ok(Rule::Renju),
            8 | 9 => Ok(Rule::Caro),
            n => {
                let what = if n & 2 == 0 { "" } else { ", of continuous games," };
                Err(format!("INFO rule {n}{what} is not played here: 0 freestyle, 1 standard, 4 renju, 8 caro"))
            }
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Bytes for tables.
    pub(super) fn table(&self) -> Option<usize> {
        let allowed = self.max_memory.map(|most| most.saturating_sub(OTHER_BYTES).clamp(most / 4, most / 4 * 3));
        allowed.into_iter().chain(self.hash).min().map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) {
        if self.used {
            (self.left, self.left_told, self.used) = (self.match_time, false, false);
        }
    }

    /// A move took so long, for which so much was planned.
    pub(super) fn used(&mut self, time: Duration, planned: Duration) {
        self.used = true;
        // What has come late once may again; that it has not is forgotten by halves.
        self.late = time.saturating_sub(planned).max(self.late / 2);
        let time = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        self.left = self.left.map(|left| left.saturating_sub(time));
    }

    /// What a move may take that was asked for `waited` ago, by who has played so many moves.
    pub(super) fn limits(&self, waited: Duration, moves: usize) -> Limits {
        let turn = self.turn.map(|turn| if turn.is_zero() { AT_ONCE } else { turn - self.held_back(turn) });
        let share = self.left.map(|left| {
            let left = millis(left);
            let share = (left - margin(left)) / 30_u32.saturating_sub(moves as u32).max(14);
            share - self.late.min(share / 2)
        });
        let time = turn.into_iter().chain(share).min().unwrap_or(USUAL);
        let mut limits = Limits::time(time.saturating_sub(waited).max(LEAST));
        limits.left = self.left.map(millis);
        limits.depth = self.depth;
        limits.nodes = self.nodes;
        if self.strength < STRONGEST {
            let nodes = (50.0 * 1.12_f64.powi(self.strength as i32)) as u64;
            limits.nodes = Some(limits.nodes.map_or(nodes, |n| n.min(nodes)));
        }
        limits.memory = self.table();
        limits
    }
}

impl Settings {
    /// Of a move's time: the margin, or twice what answers were late by, but no more than half of the time for that.
    fn held_back(&self, time: Duration) -> Duration {
        margin(time).max((2 * self.late).min(time / 2))
    }
}

fn millis(n: i64) -> Duration {
    Duration::from_millis(n.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Settings {
        let mut settings = Settings::default();
        lines.iter().for_each(|line| settings.obey(line).unwrap());
        settings
    }

    fn time(settings: &Settings) -> f64 {
        settings.limits(Duration::ZERO, 0).time.unwrap().as_secs_f64() * 1000.0
    }

    #[test]
    fn a_move_takes_less_than_it_may() {
        for (turn, expected) in [("1", 0.75), ("20", 15.0), ("100", 80.0), ("1000", 950.0), ("30000", 29750.0), ("0", 10.0)] {
            assert_eq!(time(&told(&[&format!("timeout_turn {turn}")])), expected, "{turn}");
        }
        assert_eq!(time(&told(&[])), 5000.0);
        assert_eq!(time(&told(&["timeout_turn -5"])), 10.0);
        // What has gone by since the question is gone.
        let waited = Duration::from_millis(60);
        assert_eq!(told(&["timeout_turn 100"]).limits(waited, 0).time, Some(Duration::from_millis(20)));
        assert_eq!(told(&["timeout_turn 100"]).limits(waited * 2, 0).time, Some(LEAST));
        // Numbers that no clock shows.
        assert!(time(&told(&["timeout_turn 9223372036854775807"])) > 1e12);
    }

    #[test]
    fn who_was_late_holds_back_more() {
        let ms = Duration::from_millis;
        let mut settings = told(&["timeout_turn 100"]);
        settings.used(ms(79), ms(80));
        assert_eq!(time(&settings), 80.0);
        settings.used(ms(95), ms(80));
        assert_eq!(time(&settings), 70.0);
        // It is forgotten by halves, and a machine that stood still for a second does not keep the engine from thinking.
        settings.used(ms(70), ms(70));
        assert_eq!(time(&settings), 80.0);
        settings.used(ms(1080), ms(80));
        assert_eq!(time(&settings), 50.0);
        // What a match has left is not used up by lateness either.
        let mut settings = told(&["time_left 10000"]);
        let before = time(&settings);
        settings.used(ms(500), ms(450));
        settings.left = Some(10000);
        assert_eq!(time(&settings).round(), (before - 50.0).round());
    }

    #[test]
    fn a_match_lasts() {
        assert_eq!(time(&told(&["timeout_turn 30000", "timeout_match 180000"])).round(), 5992.0);
        assert!(time(&told(&["timeout_turn 1000", "time_left 180000"])) < 1000.0);
        for left in ["0", "-1", "-9223372036854775808"] {
            assert_eq!(time(&told(&["timeout_turn 30000", &format!("time_left {left}")])), 0.1, "{left}");
        }
        assert_eq!(time(&told(&["timeout_turn 1000", "time_left 2147483647", "timeout_match 5"])), 950.0);
        assert_eq!(time(&told(&["timeout_match 0"])), 5000.0);
        // A manager that never says what is left: a hundred moves of all that a move may take.
        let mut settings = told(&["timeout_match 20000"]);
        for moves in 0..100 {
            let time = settings.limits(Duration::ZERO, moves).time.unwrap();
            settings.used(time, time);
        }
        assert!(settings.left.unwrap() > 0, "{settings:?}");
        settings.new_game();
        assert_eq!(settings.left, Some(20000));
    }

    #[test]
    fn rules_are_a_sum() {
        for (value, rule) in
            [("0", Rule::Freestyle), ("1", Rule::Standard), ("4", Rule::Renju), ("8", Rule::Caro), ("9", Rule::Caro)]
        {
            assert_eq!(told(&[&format!("rule {value}")]).rule(), Ok(rule));
        }
        for value in ["2", "3", "12", "16", "6"] {
            let error = told(&[&format!("RULE {value}")]).rule().unwrap_err();
            assert!(error.contains(&format!("rule {value}")) && error.contains("4 renju"), "{error}");
        }
        assert!(told(&["rule 3"]).rule().unwrap_err().contains("continuous"));
    }

    #[test]
    fn memory_is_for_more_than_tables() {
        let table = |lines: &[&str]| told(lines).table();
        assert_eq!(table(&[]), None);
        assert_eq!(table(&["max_memory 0"]), None);
        assert_eq!(table(&["max_memory 367001600"]), Some(275_251_200));
        assert_eq!(table(&["max_memory 33554432"]), Some(8 << 20));
        assert_eq!(table(&["max_memory 1000"]), Some(250));
        assert_eq!(table(&["max_memory 367001600", "hash_size 1024"]), Some(1 << 20));
    }

    #[test]
    fn what_is_no_value_changes_nothing() {
        let mut settings =
            told(&["timeout_turn 100", "rule 1", "thread_num 2", "strength 50", "max_depth 7", "max_node 1000000"]);
        let before = format!("{settings:?}");
        for text in [
            "timeout_turn soon",
            "timeout_turn",
            "rule -1",
            "thread_num 0",
            "thread_num 257",
            "strength 101",
            "max_depth -1",
            "max_node x",
            "time_left 1e3",
            "game_type 4",
            "max_memory 99999999999999999999999999",
        ] {
            let error = settings.obey(text).unwrap_err();
            assert!(error.contains("a whole number"), "{error}");
            assert_eq!(format!("{settings:?}"), before);
        }
        for text in ["", "evaluate 3,3", "folder C:\\x y", "colour blue", "game_type 2"] {
            settings.obey(text).unwrap();
            assert_eq!(format!("{settings:?}"), before);
        }
        let limits = settings.limits(Duration::ZERO, 0);
        assert_eq!((limits.depth, limits.nodes, settings.threads()), (Some(7), Some(14450), 2));
    }
}
