//! The working side: obeys one line after another.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::time::Instant;

use gamecore::text::quoted;
use gamecore::{Draw, History, Player, mix};
use games_connect6::{Connect6, Point, letters};
use search_core::{Agent, Limits};

use super::notes::Notes;
use super::position::{Position, text};
use super::server::{MAX_LINE, Server, Setup};
use super::time::Times;
use crate::desk::{self, Asked, Desk, one_line, words};

const KNOWN: &str = "name?, new black, new white, move XXYY, end, error, quit; black XXYY, white XXYY, next, print, depth D, vcf, unvcf, \
                     exit, help; time S, clock S, stop";
/// No search is told of a greater depth in turns.
const DEEPEST: u32 = 99;

pub(super) struct Worker<'a, P, F, W> {
    server: &'a Server,
    engine: F,
    desk: &'a Desk<W>,
    notes: &'a Notes,
    player: Option<P>,
    made: Option<Setup>,
    setup: Setup,
    times: Times,
    /// In turns.
    depth: Option<u32>,
    position: Position,
    /// The opponent's last turn that was answered.
    answered: Option<Vec<Point>>,
    /// The engine's last turn, as it was written.
    played: Option<String>,
    /// When the last answer was ready.
    free: Instant,
    seed: u64,
    games: u64,
}

impl<'a, P: Agent<Connect6>, F: FnMut(&Setup) -> P, W: Write> Worker<'a, P, F, W> {
    pub(super) fn new(server: &'a Server, engine: F, desk: &'a Desk<W>, notes: &'a Notes) -> Self {
        Self {
            server,
            engine,
            desk,
            notes,
            player: None,
            made: None,
            setup: Setup { threats: true, by_depth: false },
            times: Times::new(server.turn, server.game),
            depth: None,
            position: Position::default(),
            answered: None,
            played: None,
            free: Instant::now(),
            seed: mix(server.seed),
            games: 0,
        }
    }

    pub(super) fn run(mut self, hear: &Receiver<Asked>) {
        let desk = self.desk;
        // If nobody waits, it is the time to get ready.
        while let Some(asked) = desk::next(desk, hear, || self.prepare()) {
            let answer = match &asked.line {
                Some(line) if line.len() <= MAX_LINE => self.obey(line, &asked),
                _ => Err(format!("a line has at most {MAX_LINE} bytes; this one was not read")),
            };
            match answer {
                // What is said of moves after a new game has begun would be taken for one of its own.
                Ok(answer) if answer.is_empty() || (asked.unwanted.is_raised() && answer.starts_with("move ")) => {}
                Ok(answer) => self.desk.say(&answer),
                Err(e) => self.notes.say(&e),
            }
        }
    }

    /// The answer to a line: whole lines, or nothing.
    fn obey(&mut self, line: &str, asked: &Asked) -> Result<String, String> {
        let Some(first) = words(line).next() else { return Ok(String::new()) };
        let word = first.to_ascii_lowercase();
        let rest = words(line).skip(1).collect::<Vec<_>>().join(" ");
        let silent = Ok(String::new());
        match word.as_str() {
            "name?" | "name" => Ok(format!("name {}\n", self.server.name)),
            "new" => match rest.to_ascii_lowercase().as_str() {
                "black" => {
                    self.new_game();
                    self.turn(asked)
                }
                "white" => {
                    self.new_game();
                    silent
                }
                _ => Err(format!("\"{}\": new black or new white, by the engine's colour", quoted(line.trim()))),
            },
            "move" => {
                let points = self.position.parse(&rest)?;
                self.opponent(&points).map_err(|e| format!("move {}: {e}", quoted(&rest)))?;
                self.answered = Some(points);
                self.turn(asked)
            }
            "black" | "white" => {
                let player = if word == "black" { Player::One } else { Player::Two };
                let points = self.position.parse(&rest)?;
                self.position.put(player, &points).map_err(|e| format!("{word} {}: {e}", quoted(&rest)))?;
                self.answered = None;
                silent
            }
            "next" => self.turn(asked),
            "print" => Ok(self.print()),
            "depth" => {
                let depth = rest.parse().ok().filter(|depth| *depth <= DEEPEST);
                let depth =
                    depth.ok_or_else(|| format!("\"{}\" is no depth: 0 to {DEEPEST} turns, 0 for no limit", quoted(&rest)))?;
                self.depth = Some(depth).filter(|&depth| depth > 0);
                self.setup.by_depth = self.depth.is_some();
                silent
            }
            "vcf" | "unvcf" => {
                self.setup.threats = word == "vcf";
                silent
            }
            "time" => self.times.set_turn(&rest).map(|()| String::new()),
            "clock" => self.times.set_game(&rest).map(|()| String::new()),
            "end" => {
                self.position.end();
                silent
            }
            "error" => {
                let played = self.played.as_deref().unwrap_or("nothing yet");
                Err(format!("the platform refuses what was played, {played}; here the board is {}", self.position.state()))
            }
            "accept" | "refuse" | "take" | "taked" => silent,
            "help" => Err(format!("I know {KNOWN}")),
            _ => Err(format!("\"{}\" is not understood: I know {KNOWN}", quoted(line.trim()))),
        }
    }

    fn new_game(&mut self) {
        self.position = Position::default();
        (self.answered, self.played) = (None, None);
        self.games += 1;
        self.seed = mix(self.server.seed.wrapping_add(self.games));
        self.times.new_game();
        desk::begin(&mut self.player, self.seed);
    }

    /// Makes the opponent's turn.
    fn opponent(&mut self, points: &[Point]) -> Result<(), String> {
        let played = self.position.play(points);
        match &self.played {
            Some(answer) if played.is_err() && self.answered.as_deref() == Some(points) => {
                Err(format!("this came before, and the answer was {answer}"))
            }
            _ => played,
        }
    }

    /// Sees to it that there is a player, made with what it should be.
    fn prepare(&mut self) {
        if self.player.is_some() && self.made.as_ref() == Some(&self.setup) {
            return;
        }
        // The old one's memory is free before the new one takes its own.
        self.player = None;
        self.made = Some(self.setup.clone());
        let (engine, setup) = (&mut self.engine, &self.setup);
        self.player = catch_unwind(AssertUnwindSafe(|| engine(setup))).ok();
        desk::begin(&mut self.player, self.seed);
    }

    /// What the next stone may spend.
    fn limits(&self, began: Instant, asked: &Asked) -> Limits {
        let (own, left) = (&self.server.limits, self.position.state().left());
        let mut limits = own.clone().and_stop(asked.stop.clone());
        let limited = own.time.is_some() || own.depth.is_some() || own.nodes.is_some();
        if self.times.told() || !limited {
            let told = self.times.for_stone(began.elapsed(), left);
            limits.time = own.time.into_iter().chain(told.time).min();
            limits.left = told.left;
        }
        let last = self.desk.left().map(|rest| rest / u32::from(left));
        limits.time = limits.time.into_iter().chain(last).min();
        if let Some(depth) = self.depth {
            let each = u32::from(self.position.state().rules().turns().each());
            limits = limits.and_depth(depth * each - (each - u32::from(left).min(each)));
        }
        limits
    }

    /// Plays a turn and says which.
    fn turn(&mut self, asked: &Asked) -> Result<String, String> {
        self.position.prepare().map_err(|e| format!("no move: {e}"))?;
        self.prepare();
        let (began, before) = (asked.at.max(self.free), self.position.clone());
        let stones = usize::from(before.state().left());
        let mut points: Vec<Point> = Vec::new();
        while points.len() < stones && self.position.state().outcome().is_none() {
            let (history, limits) = (self.position.history().clone(), self.limits(began, asked));
            let found = if asked.unwanted.is_raised() { Err(String::new()) } else { self.think(&history, &limits) };
            if asked.unwanted.is_raised() {
                self.position = before;
                return Ok(String::new());
            }
            let searched = found.map_err(|e| self.notes.say(&format!("{e}; this stone is not searched")));
            let point = searched.ok().or_else(|| near(history.state())).ok_or("there is no empty point")?;
            self.position.push(point);
            points.push(point);
        }
        // A turn has two stones, even if the first has won.
        let rest = self.position.state().board().empty_points().take(stones - points.len());
        points.extend(rest);
        self.free = Instant::now();
        self.times.used(self.free - began);
        let answer = format!("move {}", text(&points));
        self.played = Some(answer.clone());
        Ok(answer + "\n")
    }

    /// Where the player puts the next stone.
    fn think(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<Point, String> {
        let report = desk::ask(&mut self.player, history, limits)?;
        let board = history.state().board();
        match report.best {
            Some(point) if board.holds(point) && board.is_empty(point) => Ok(point),
            Some(point) => Err(format!("the engine chose {}, which is not empty", letters(point))),
            None => Err("the engine chose no point".into()),
        }
    }

    /// The board and its text.
    fn print(&self) -> String {
        let history = self.position.history();
        let (states, steps) = (history.states(), history.steps());
        let turn = steps.len() - (0..steps.len()).rev().take_while(|&i| Some(states[i].mover()) == self.last_mover()).count();
        let picture = history.state().picture_after(&steps[turn..]).to_string();
        let lines: String = picture.lines().map(|line| line.trim_end().to_string() + "\n").collect();
        let engine = self.played.as_deref().map_or(String::new(), |played| format!("last played here: {}\n", one_line(played)));
        format!("{lines}{}\n{engine}", history.state())
    }

    fn last_mover(&self) -> Option<Player> {
        let history = self.position.history();
        history.steps().len().checked_sub(1).map(|last| history.states()[last].mover())
    }
}

/// An empty point near the other stones and the middle, without a search.
fn near(game: &Connect6) -> Option<Point> {
    let board = game.board();
    let far = |p: Point, q: (i32, i32)| (i32::from(p.x()) - q.0).abs().max((i32::from(p.y()) - q.1).abs());
    let middle = i32::from(board.size() / 2);
    let stones: Vec<Point> = board.points().filter(|&p| !board.is_empty(p)).collect();
    let nearest = |p: Point| stones.iter().map(|s| far(p, (s.x().into(), s.y().into()))).min().unwrap_or(0);
    board.empty_points().min_by_key(|&p| (nearest(p), far(p, (middle, middle))))
}
