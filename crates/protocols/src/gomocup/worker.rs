//! The working side: obeys one line after another.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use gamecore::random::generator;
use gamecore::text::quoted;
use gamecore::{Game, History, mix};
use games_gomoku::swap2::{Choice, Judged, Swap2};
use games_gomoku::{Gomoku, Narrowed, Point, Rule, USUAL};
use search_core::{Agent, Bound, Limits, ReportOf, StopFlag};

use super::info::Settings;
use super::position::{Position, Side, over, text};
use super::progress::{Progress, message};
use super::server::{Server, Setup};
use crate::MAX_LINE;
use crate::desk::{self, Asked, Desk, one_line, words};

const KNOWN: &str = "START, RECTSTART, RESTART, BEGIN, TURN, BOARD, TAKEBACK, PLAY, SWAP2BOARD, INFO, ABOUT, END, \
                     YXBOARD, YXNBEST, ANALYZE, STOP, YXSTOP, YXHASHCLEAR";
/// Lines of analysis unless told.
const LINES: usize = 3;
/// The most lines of analysis.
const MOST_LINES: i64 = 50;
/// Messages that wait for an answer to go before.
const NOTES: usize = 8;

/// What the lines up to `DONE` are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// A board to play on.
    Board,
    /// A board to wait with.
    Quiet,
    Swap2,
}

/// Lines up to `DONE`.
struct Listed {
    list: List,
    position: Position,
    /// What was wrong first.
    wrong: Option<String>,
}

/// What an engine was made with: threads, bytes for tables, lines.
type Made = (usize, Option<usize>, usize);

pub(super) struct Worker<'a, P, F, W> {
    server: &'a Server,
    engine: F,
    desk: &'a Desk<W>,
    progress: Progress,
    player: Option<P>,
    made: Option<Made>,
    /// The rules that it has been asked about.
    ready: Option<Rule>,
    settings: Settings,
    position: Option<Position>,
    listed: Option<Listed>,
    /// Of the present game.
    seed: u64,
    games: u64,
    notes: Vec<String>,
    /// When the latest answer was given, or what goes before the next one done.
    idle: Instant,
}

impl<P, F, W> Drop for Worker<'_, P, F, W> {
    /// Who writes what the engine tells waits for this.
    fn drop(&mut self) {
        self.progress.close();
    }
}

impl<'a, P: Agent<Gomoku>, F: FnMut(&Setup) -> P, W: Write> Worker<'a, P, F, W> {
    pub(super) fn new(server: &'a Server, engine: F, desk: &'a Desk<W>, progress: Progress) -> Self {
        Self {
            server,
            engine,
            desk,
            progress,
            player: None,
            made: None,
            ready: None,
            settings: Settings::default(),
            position: None,
            listed: None,
            seed: mix(server.seed),
            games: 0,
            notes: Vec::new(),
            idle: Instant::now(),
        }
    }

    pub(super) fn run(mut self, hear: &Receiver<Asked>) {
        let desk = self.desk;
        // Nobody waits: the time to get ready.
        let ready = |worker: &mut Self| {
            if worker.position.is_some() {
                worker.prepare(1);
            }
        };
        while let Some(asked) = desk::next(desk, hear, || ready(&mut self)) {
            let answer = match &asked.line {
                Some(line) => self.obey(line, &asked).unwrap_or_else(|e| format!("ERROR {}\n", one_line(&e))),
                None => self.too_long(),
            };
            if !answer.is_empty() {
                self.idle = Instant::now();
                let notes: String = self.notes.drain(..).map(|note| format!("MESSAGE {}\n", one_line(&note))).collect();
                self.desk.say(&(notes + &answer));
            }
        }
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < NOTES {
            self.notes.push(note);
        }
    }

    /// The answer to a line that was not read: at once, or with the list that it stands in.
    fn too_long(&mut self) -> String {
        let error = format!("a line has at most {MAX_LINE} bytes");
        match &mut self.listed {
            Some(listed) => {
                listed.wrong.get_or_insert(error);
                String::new()
            }
            None => format!("ERROR {error}\n"),
        }
    }

    /// The answer to a line: whole lines, or nothing.
    fn obey(&mut self, line: &str, asked: &Asked) -> Result<String, String> {
        let Some(first) = words(line).next() else { return Ok(String::new()) };
        let word = first.to_ascii_uppercase();
        let rest = line.split_once(first).map_or("", |(_, rest)| rest);
        if let Some(listed) = &mut self.listed {
            match word.as_str() {
                "DONE" => return self.done(asked),
                "INFO" | "ABOUT" => {}
                word if KNOWN.split(", ").any(|known| known == word) => {
                    self.listed = None;
                    self.note("the list of stones had no DONE and was forgotten".into());
                }
                _ => {
                    listed.add(line);
                    return Ok(String::new());
                }
            }
        }
        match word.as_str() {
            "START" => {
                let [size] = Position::numbers(rest, "a size of the board, as in START 15")?;
                self.start(size)
            }
            "RECTSTART" => {
                let [width, height] = Position::numbers(rest, "a width and a height, as in RECTSTART 15,15")?;
                if width != height {
                    return Err(format!("a board of {width}x{height} is not square, and only such are played here"));
                }
                self.start(width)
            }
            "RESTART" => {
                let size = self.position()?.size();
                self.start(size.into())
            }
            "BEGIN" => {
                if self.position()?.next() == Side::Opponent {
                    return Err("it is the opponent's turn: TURN X,Y".into());
                }
                self.play(asked)
            }
            "TURN" => {
                let rule = self.settings.rule()?;
                let position = self.position()?;
                let point = position.parse(rest)?;
                over(position, position.history(rule)?.state())?;
                position.place(point, Side::Opponent)?;
                self.play(asked)
            }
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                let list = match word.as_str() {
                    "BOARD" => List::Board,
                    "YXBOARD" => List::Quiet,
                    _ => List::Swap2,
                };
                let position = self.position()?.emptied();
                let listed = self.listed.insert(Listed { list, position, wrong: None });
                // All in one line.
                for word in words(rest) {
                    if word.eq_ignore_ascii_case("DONE") {
                        return self.done(asked);
                    }
                    listed.add(word);
                }
                Ok(String::new())
            }
            "DONE" => Err("DONE without a list of stones: BOARD goes before".into()),
            "TAKEBACK" => {
                let position = self.position()?;
                let point = position.parse(rest)?;
                position.take_back(point)?;
                Ok("OK\n".into())
            }
            "PLAY" => {
                let rule = self.settings.rule()?;
                let position = self.position()?;
                let point = position.parse(rest)?;
                if position.next() == Side::Opponent {
                    return Err("it is the opponent's turn: TURN X,Y".into());
                }
                let history = position.history(rule)?;
                over(position, history.state())?;
                if let Some(reason) = history.state().forbidden(point) {
                    return Err(format!("{} is forbidden, {reason}", text(point)));
                }
                position.place(point, Side::Own)?;
                Ok(text(point) + "\n")
            }
            "INFO" => {
                if let Err(e) = self.settings.obey(rest) {
                    self.note(format!("INFO {e}; nothing has changed"));
                }
                Ok(String::new())
            }
            "ABOUT" => {
                // Some managers take the answer as a sign that what went before has been done.
                if self.position.is_some() {
                    self.prepare(1);
                }
                Ok(format!("{}\n", self.server.about))
            }
            "YXNBEST" | "ANALYZE" => {
                let lines = match words(rest).next() {
                    Some(_) => Position::numbers(rest, "a number of lines, as in ANALYZE 3").map(|[n]| n)?,
                    None => LINES as i64,
                };
                if !(1..=MOST_LINES).contains(&lines) {
                    return Err(format!("{lines} lines of analysis: there are 1 to {MOST_LINES}"));
                }
                self.analyze(lines as usize, word == "YXNBEST", asked)
            }
            "YXHASHCLEAR" => {
                self.forget();
                Ok(String::new())
            }
            _ => Ok(format!("UNKNOWN \"{}\" is not understood: I know {KNOWN}\n", quoted(first))),
        }
    }

    fn position(&mut self) -> Result<&mut Position, String> {
        self.position.as_mut().ok_or_else(|| "there is no board yet: START 15, for example".into())
    }

    fn start(&mut self, size: i64) -> Result<String, String> {
        // What no board has is told as a number, too.
        let position = u8::try_from(size).ok().map(Position::new);
        let unfit = || format!("a board has 5 to 20 rows and columns, not {size}");
        self.position = Some(position.and_then(Result::ok).ok_or_else(unfit)?);
        self.games += 1;
        self.seed = mix(self.server.seed.wrapping_add(self.games));
        self.settings.new_game();
        self.prepare(1);
        self.forget();
        Ok("OK\n".into())
    }

    fn forget(&mut self) {
        desk::begin(&mut self.player, self.seed);
    }

    /// Sees to it that there is a player, made with what it should be, which has what it needs for the rules.
    fn prepare(&mut self, lines: usize) {
        let made = (self.settings.threads(), self.settings.table(), lines);
        if self.player.is_none() || self.made != Some(made) {
            // The old one's memory is free before the new one takes its own.
            (self.player, self.ready) = (None, None);
            self.made = Some(made);
            let setup = Setup { threads: made.0, table: made.1, lines, progress: self.progress.clone() };
            let engine = &mut self.engine;
            self.player = catch_unwind(AssertUnwindSafe(|| engine(&setup))).ok();
        }
        let rule = self.settings.rule().unwrap_or_default();
        if self.ready != Some(rule) {
            self.ready = Some(rule);
            // A search that is stopped before it begins takes its memory and makes its tables all the same.
            let stop = StopFlag::default();
            stop.raise();
            let mut limits = Limits::depth(1).and_stop(stop);
            limits.memory = made.1;
            if let (Some(player), Ok(start)) = (&mut self.player, Gomoku::start(rule, USUAL)) {
                // If this fails, so will the first question, which is told of.
                let _ = catch_unwind(AssertUnwindSafe(|| player.choose(&start.into(), &limits)));
            }
            self.forget();
        }
    }

    /// How long an answer has taken so far; not since it was asked if that was before another answer.
    fn taken(&self, asked: &Asked) -> Duration {
        asked.at.max(self.idle).elapsed()
    }

    /// What a search for the answer may spend.
    fn limits(&self, asked: &Asked) -> Limits {
        let moves = self.position.as_ref().map_or(0, Position::own);
        let mut limits = self.settings.limits(self.taken(asked), moves).and_stop(asked.stop.clone());
        limits.time = limits.time.into_iter().chain(self.desk.left()).min();
        limits
    }

    /// How long the answer will have taken if the search keeps to its limits.
    fn planned(&self, asked: &Asked, limits: &Limits) -> Duration {
        self.taken(asked) + limits.time.unwrap_or_default()
    }

    /// Asks the player.
    fn think(&mut self, history: &History<Gomoku>, limits: &Limits) -> Result<ReportOf<Gomoku>, String> {
        self.progress.begin(history.state().mover());
        let report = desk::ask(&mut self.player, history, limits);
        self.progress.end();
        report
    }

    /// Plays a move and says which.
    fn play(&mut self, asked: &Asked) -> Result<String, String> {
        let rule = self.settings.rule()?;
        let history = self.position()?.history(rule)?;
        let game = history.state();
        over(self.position()?, game)?;
        self.prepare(1);
        let limits = self.limits(asked);
        let planned = self.planned(asked, &limits);
        let report = self.think(&history, &limits);
        let position = self.position()?;
        let (answer, point) = match report {
            Ok(report) if report.best.is_some_and(|best| position.allows(game, best)) => {
                let said = |best| report.value.map_or_else(String::new, |_| message(&report, best, game.mover(), None));
                (report.best.map_or_else(String::new, said), report.best)
            }
            Ok(_) => ("MESSAGE the engine chose no point that may be played on; this one is not searched\n".into(), None),
            Err(e) => (format!("MESSAGE {}; this move is not searched\n", one_line(&e)), None),
        };
        let point = point.or_else(|| promising(position, game)).ok_or("every empty point is closed: I cannot move")?;
        position.place(point, Side::Own)?;
        self.settings.used(self.taken(asked), planned);
        Ok(format!("{answer}{}\n", text(point)))
    }

    /// Says what it thinks, and plays nothing.
    fn analyze(&mut self, lines: usize, with_move: bool, asked: &Asked) -> Result<String, String> {
        let rule = self.settings.rule()?;
        let history = self.position()?.history(rule)?;
        let game = history.state();
        over(self.position()?, game)?;
        self.prepare(lines);
        // No clock runs.
        self.idle = Instant::now();
        let report = self.think(&history, &self.limits(asked))?;
        let best = report.best.ok_or("the engine has no opinion")?;
        let own = f64::from(game.mover().sign());
        // Beside the best, those that are valued and not only bounded.
        let mut rest: Vec<_> = report.moves.iter().filter(|line| line.m != best && line.bound == Bound::Exact).collect();
        rest.sort_by(|a, b| (own * b.value).total_cmp(&(own * a.value)));
        let ranked = core::iter::once(best).chain(rest.iter().map(|line| line.m)).take(lines);
        let said: String = ranked.zip(1..).map(|(m, rank)| message(&report, m, game.mover(), Some(rank))).collect();
        Ok(if with_move { format!("{said}{}\n", text(best)) } else { said + "OK\n" })
    }

    /// Obeys the end of a list of stones.
    fn done(&mut self, asked: &Asked) -> Result<String, String> {
        let Some(Listed { list, mut position, wrong }) = self.listed.take() else { return Ok(String::new()) };
        wrong.map_or(Ok(()), Err)?;
        let rule = self.settings.rule()?;
        if list == List::Swap2 {
            return self.swap2(position, rule, asked);
        }
        position.set_next(Side::Own);
        position.history(rule)?;
        self.position = Some(position);
        if list == List::Quiet { Ok(String::new()) } else { self.play(asked) }
    }

    /// Answers in the opening of swap2. The stones are Black's and White's in turn, and told as own and the opponent's.
    fn swap2(&mut self, mut position: Position, rule: Rule, asked: &Asked) -> Result<String, String> {
        let opening = Swap2::of_stones(rule, position.size(), &position.points()).map_err(|e| e.to_string())?;
        self.prepare(1);
        let limits = self.limits(asked);
        let mut random = generator(mix(self.seed ^ u64::from(opening.game().board().count())));
        let (total, planned) = (limits.time.unwrap_or_default(), self.planned(asked, &limits));
        // Searches that end late do not add up.
        let until = Instant::now() + total;
        let mut judge = |game: &Gomoku, share: f64| {
            let time = total.mul_f64(share).min(until.saturating_duration_since(Instant::now()));
            let report = self.think(&game.clone().into(), &limits.clone().and_time(time))?;
            Ok::<_, String>(Judged { value: report.value.unwrap_or(0.0), best: report.best })
        };
        let chosen = opening.best(&mut random, &mut judge)?;
        let (choice, stone) = chosen.ok_or_else(|| opening.stage().to_string())?;
        if choice == Choice::White {
            position = position.exchanged();
        }
        let stones = match &choice {
            Choice::Three(stones) => &stones[..],
            Choice::Two(stones) => stones,
            Choice::White => stone.as_slice(),
            Choice::Black => &[],
        };
        for &point in stones {
            position.place(point, position.next())?;
        }
        let answer = match choice {
            Choice::Black => "SWAP".into(),
            _ => stones.iter().map(|&p| text(p)).collect::<Vec<_>>().join(" "),
        };
        position.set_next(Side::Opponent);
        self.position = Some(position);
        self.settings.used(self.taken(asked), planned);
        Ok(answer + "\n")
    }
}

impl Listed {
    /// Takes a line or word of the list.
    fn add(&mut self, line: &str) {
        if self.wrong.is_none() {
            self.wrong = self.stone(line).err();
        }
    }

    fn stone(&mut self, line: &str) -> Result<(), String> {
        let position = &mut self.position;
        if self.list == List::Swap2 {
            let point = position.parse(line)?;
            return position.place(point, position.next());
        }
        let [x, y, field] = Position::numbers(line, "X,Y,F, a column, a row, and 1 for an own stone or 2 for the opponent's")?;
        let point = position.point(x, y)?;
        match field {
            1 => position.place(point, Side::Own),
            2 => position.place(point, Side::Opponent),
            3 => {
                position.close(point);
                Ok(())
            }
            _ => Err(format!("{x},{y},{field}: a field is 1 (own), 2 (the opponent's) or 3 (nobody's)")),
        }
    }
}

/// The most promising move without a search.
fn promising(position: &Position, game: &Gomoku) -> Option<Point> {
    let narrowed = Narrowed::from(game.clone());
    let (mut few, mut all) = (<Narrowed as Game>::Moves::default(), <Gomoku as Game>::Moves::default());
    narrowed.moves(&mut few);
    game.moves(&mut all);
    few.into_iter().chain(all).find(|&p| position.allows(game, p))
}
