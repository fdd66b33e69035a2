//! To be an engine.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use gamecore::text::{is_invisible, quoted};
use gamecore::{Game, History, Player, Step, Text, Turn};
use search_core::{Agent, Clock, Limits, ReportOf, StopFlag, TimeControl};

use super::NULL_MOVE;
use crate::MAX_LINE;
use crate::line::{self, Line};

/// Moves that are still to come, for who divides a clock's time.
const MOVES_TO_GO: u32 = 20;

/// The answering side of [UGI](super): lets any [`Agent`] be an engine.
///
/// A line that cannot be obeyed is answered with `info string error: ` and what was wrong and what is accepted; everything
/// else stays as it was. A `go` always has its one `bestmove`, `0000` if there is no move to give.
///
/// # Examples
/// The crate's front page has one.
#[derive(Clone, Debug)]
pub struct Server<G: Text> {
    name: String,
    author: String,
    start: Option<G>,
    limits: Limits,
}

impl<G: Text> Server<G> {
    /// An engine of this name, by this author.
    #[must_use]
    pub fn new(name: &str, author: &str) -> Self {
        Self { name: one_line(name), author: one_line(author), start: None, limits: Limits::default() }
    }

    /// With a position for `position startpos`; also the present one until another is told.
    #[must_use]
    pub fn with_start(self, start: G) -> Self {
        Self { start: Some(start), ..self }
    }

    /// With limits of its own: whatever is asked for, the agent may spend no more than these. Raising their stop flag
    /// stops what is being thought about, no more.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Serves until `quit` or the end of the input; what is being thought about then is stopped and answered.
    ///
    /// The input is read while the agent thinks, on a thread of its own. Answers are flushed line by line.
    ///
    /// # Errors
    /// If the input cannot be read or the output not be written.
    pub fn serve(&self, agent: &mut dyn Agent<G>, mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
        let desk = Desk { agent: Mutex::new(agent), output: Mutex::new((output, Ok(()))), thinking: AtomicBool::new(false) };
        thread::scope(|scope| {
            let mut session =
                Session { server: self, desk: &desk, scope, history: self.start.clone().map(History::from), seed: 0, stop: None };
            let result = session.run(&mut input);
            session.stop();
            result
        })?;
        desk.output.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// What the reading and the thinking thread share.
struct Desk<'a, G: Game, W> {
    agent: Mutex<&'a mut dyn Agent<G>>,
    /// With the first error of writing.
    output: Mutex<(W, io::Result<()>)>,
    thinking: AtomicBool,
}

impl<'a, G: Text, W: Write> Desk<'a, G, W> {
    fn say(&self, lines: &str) {
        Self::write(&mut self.output.lock().unwrap_or_else(PoisonError::into_inner), lines);
    }

    fn write((output, result): &mut (W, io::Result<()>), lines: &str) {
        if result.is_ok() {
            *result = output.write_all(lines.as_bytes()).and_then(|()| output.flush());
        }
    }

    fn agent(&self) -> MutexGuard<'_, &'a mut dyn Agent<G>> {
        self.agent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Thinks and answers.
    fn think(&self, history: &History<G>, limits: &Limits) {
        // Who asked must not wait for ever because an agent has a fault.
        let answer = catch_unwind(AssertUnwindSafe(|| self.agent().choose(history, limits)));
        let answer = answer.map_or_else(|_| Err("the agent panicked".into()), |answer| answer.map_err(|e| e.to_string()));
        let lines = answer.and_then(|report| answer_lines(history.state(), &report)).unwrap_or_else(|e| refusal(&e));
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the answer, or who reads it could be told that an answer is still to come.
        self.thinking.store(false, Ordering::Release);
        Self::write(&mut output, &lines);
    }
}

struct Session<'s, 'e, 'a, G: Text, W> {
    server: &'e Server<G>,
    desk: &'e Desk<'a, G, W>,
    scope: &'s Scope<'s, 'e>,
    history: Option<History<G>>,
    seed: u64,
    /// Of the latest search.
    stop: Option<StopFlag>,
}

impl<'s, 'e: 's, 'a: 'e, G: Text, W: Write + Send> Session<'s, 'e, 'a, G, W> {
    fn run(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        loop {
            match line::read(input)? {
                Line::Full(line) if line.trim() == "quit" => return Ok(()),
                Line::Full(line) => self.obey(&line).unwrap_or_else(|e| self.desk.say(&error_line(&e))),
                Line::TooLong => {
                    self.desk.say(&error_line(&format!("a line has at most {MAX_LINE} bytes")));
                    line::skip(input)?;
                }
                Line::End => return Ok(()),
            }
            // Nobody is there to hear.
            if self.desk.output.lock().unwrap_or_else(PoisonError::into_inner).1.is_err() {
                return Ok(());
            }
        }
    }

    fn stop(&self) {
        if let Some(stop) = &self.stop {
            stop.raise();
        }
    }

    fn thinking(&self) -> bool {
        self.desk.thinking.load(Ordering::Acquire)
    }

    fn obey(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["ugi"] => {
                let Server { name, author, .. } = self.server;
                let option = format!("option name Seed type spin default 0 min 0 max {}", u64::MAX);
                self.desk.say(&format!("id name {name}\nid author {author}\n{option}\nugiok\n"));
            }
            ["isready"] => self.desk.say("readyok\n"),
            ["stop"] => self.stop(),
            ["setoption", "name", "Seed", "value", seed] => {
                self.seed = seed.parse().map_err(|_| format!("\"{}\" is not a seed: 0 to {}", quoted(seed), u64::MAX))?;
            }
            ["setoption", ..] => {
                return Err(format!("\"{}\" sets nothing: there is \"setoption name Seed value N\"", quoted(line.trim())));
            }
            ["uginewgame"] if self.thinking() => return Err("a new game while I think: \"stop\" first".into()),
            ["uginewgame"] => self.desk.agent().new_game(self.seed),
            ["position", ..] => self.history = Some(self.position(line.trim())?),
            ["go", ..] if self.thinking() => return Err("I think already: \"stop\" first".into()),
            ["go", ref words @ ..] => {
                if let Err(e) = self.go(words) {
                    self.desk.say(&refusal(&e));
                }
            }
            ["query", what] => {
                let response = self.query(what)?;
                self.desk.say(&format!("response {response}\n"));
            }
            _ => {
                let known = "ugi, isready, setoption, uginewgame, position, go, stop, query, quit";
                return Err(format!("\"{}\" is not understood: I know {known}", quoted(line.trim())));
            }
        }
        Ok(())
    }

    fn position(&self, line: &str) -> Result<History<G>, String> {
        const FORM: &str = "\"position fen TEXT\" or \"position startpos\", then \"moves\" and what happened";
        // From the line itself, because white space may matter in a position.
        let rest = line.strip_prefix("position").unwrap_or("").trim();
        let (what, steps) = split_at_word(rest, "moves");
        let start = if what == "startpos" {
            self.server.start.clone().ok_or("there is no startpos here: \"position fen TEXT\"")?
        } else if let Some(text) = what.strip_prefix("fen").filter(|t| t.starts_with(char::is_whitespace)) {
            G::parse_position(text.trim()).map_err(|e| e.to_string())?
        } else {
            return Err(format!("\"{}\" is not a position: {FORM}", quoted(line)));
        };
        let mut history = History::from(start);
        for (i, word) in steps.split_whitespace().enumerate() {
            history.push_text(word).map_err(|e| format!("word {} after \"moves\": {e}", i + 1))?;
        }
        Ok(history)
    }

    /// Starts thinking, or says why not.
    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let history = self.history.clone().ok_or("there is no position yet: \"position fen TEXT\"")?;
        let mover = match history.state().turn() {
            Turn::Decide(mover) => mover,
            Turn::Chance(_) => return Err("the position waits for a roll: add it after \"moves\"".into()),
            Turn::Over(_) => return Err("the game is over: there is nothing to decide".into()),
        };
        let Asked { mut limits, unknown } = Asked::read(words, mover)?;
        if !unknown.is_empty() {
            let known = "depth, nodes, movetime, p1time, p2time, p1inc, p2inc, infinite";
            self.desk.say(&error_line(&format!("\"{}\" does not limit anything: there are {known}", quoted(&unknown.join(" ")))));
        }
        let own = &self.server.limits;
        limits.depth = least(limits.depth, own.depth);
        limits.nodes = least(limits.nodes, own.nodes);
        limits.time = least(limits.time, own.time);
        limits.left = least(limits.left, own.left);
        limits.memory = own.memory;
        let stop = own.stop.as_ref().map_or_else(StopFlag::default, StopFlag::child);
        limits.stop = Some(stop.clone());
        self.stop = Some(stop);
        let desk = self.desk;
        desk.thinking.store(true, Ordering::Release);
        let thread = thread::Builder::new().name("ugi thinks".into());
        if let Err(e) = thread.spawn_scoped(self.scope, move || desk.think(&history, &limits)) {
            desk.thinking.store(false, Ordering::Release);
            return Err(format!("no thread to think on: {e}"));
        }
        Ok(())
    }

    fn query(&self, what: &str) -> Result<&'static str, String> {
        let state = self.history.as_ref().ok_or("there is no position yet: \"position fen TEXT\"")?.state();
        let truth = |is| if is { "true" } else { "false" };
        Ok(match (what, state.turn()) {
            ("p1turn", turn) => truth(matches!(turn, Turn::Decide(Player::One))),
            ("gameover", turn) => truth(matches!(turn, Turn::Over(_))),
            ("result", Turn::Over(outcome)) => match outcome.winner() {
                Some(Player::One) => "p1win",
                Some(Player::Two) => "p2win",
                None => "draw",
            },
            ("result", _) => "none",
            _ => return Err(format!("\"{}\" cannot be queried: there are p1turn, gameover, result", quoted(what))),
        })
    }
}

/// What a `go` asks for.
struct Asked<'a> {
    limits: Limits,
    unknown: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(words: &[&'a str], mover: Player) -> Result<Self, String> {
        let (mut limits, mut unknown) = (Limits::default(), Vec::new());
        let (mut left, mut increment) = ([None; 2], [0; 2]);
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            let mut number = |most: u64| {
                let word = words.next().copied().unwrap_or("");
                let number = word.parse().ok().filter(|&n| n <= most);
                number.ok_or_else(|| format!("\"{name} {}\": {name} takes a whole number, 0 to {most}", quoted(word)))
            };
            match name {
                "depth" => limits.depth = Some(number(u64::from(u32::MAX))? as u32),
                "nodes" => limits.nodes = Some(number(u64::MAX)?),
                "movetime" => limits.time = Some(Duration::from_millis(number(u64::MAX)?)),
                "p1time" => left[0] = Some(number(u64::MAX)?),
                "p2time" => left[1] = Some(number(u64::MAX)?),
                "p1inc" => increment[0] = number(u64::MAX)?,
                "p2inc" => increment[1] = number(u64::MAX)?,
                "infinite" => {}
                _ => unknown.push(name),
            }
        }
        if let Some(left) = left[mover] {
            let [base, increment] = [left, increment[mover]].map(Duration::from_millis);
            let clock = Clock::new(TimeControl::Game { base, increment });
            limits.time = least(limits.time, clock.budget(mover, MOVES_TO_GO));
            limits.left = Some(base);
        }
        Ok(Self { limits, unknown })
    }
}

fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}

/// Before and after the first `word` that stands alone.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, &'a str) {
    let mut words = text.split_whitespace();
    match words.find(|&w| w == word) {
        Some(found) => {
            let at = found.as_ptr() as usize - text.as_ptr() as usize;
            (text[..at].trim_end(), &text[at + word.len()..])
        }
        None => (text, ""),
    }
}

/// The lines that answer a `go`.
fn answer_lines<G: Text>(state: &G, report: &ReportOf<G>) -> Result<String, String> {
    let (Some(best), Turn::Decide(mover)) = (report.best, state.turn()) else { return Err("I have no move".into()) };
    state.clone().try_play(best).map_err(|e| format!("I have no legal move: {e}"))?;
    let best_text = state.move_text(best);
    let millis = report.elapsed.as_millis();
    let per_second = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-6)).round();
    let mut lines = format!("info depth {} nodes {} time {millis} nps {per_second}", report.depth, report.nodes);
    let value = report.value.filter(|v| v.is_finite());
    if let Some(value) = value {
        lines += &format!(" score cp {}", (f64::from(mover.sign()) * value * 100.0).round() as i64);
    }
    lines += &format!(" pv {best_text}");
    let mut next = state.after(best);
    for step in report.moves.iter().find(|line| line.m == best).map_or(&[][..], |line| &line.line) {
        let Step::Move(m) = *step else { break };
        if next.clone().try_play(m).is_err() {
            break;
        }
        lines = lines + " " + &next.move_text(m);
        next.play(m);
    }
    if let Some(value) = value {
        lines += &format!("\ninfo string value {value}");
    }
    Ok(lines + "\nbestmove " + &best_text + "\n")
}

fn refusal(error: &str) -> String {
    format!("{}bestmove {NULL_MOVE}\n", error_line(error))
}

fn error_line(error: &str) -> String {
    format!("info string error: {}\n", one_line(error))
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect()
}
