//! A game at the terminal.

use std::io;
use std::path::{Path, PathBuf};

use gamecore::text::quoted;
use gamecore::{Dice, Draw, Event, Outcome, Picture, Player, Record, Step, StepOf, TextError, Turn};
use search_core::{Agent, AgentError, Analyst, Limits, ReportOf};

use crate::command::{Command, Extra, help};
use crate::file::{load_as, next_free};
use crate::look::{last_turn, mover, moves_of, picture};
use crate::opening::heard;
use crate::{Answer, FileError, Format, INTERRUPTED, Input, Interrupt, Look, Opened, Opening, RecordFile, Screen};

/// Who makes the moves of one side.
pub enum Seat<G: gamecore::Game> {
    /// Somebody at the terminal.
    Person,
    /// A program.
    Agent {
        /// Which.
        agent: Box<dyn Agent<G>>,
        /// What it may spend on a move.
        limits: Limits,
    },
}

impl<G: gamecore::Game> core::fmt::Debug for Seat<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Person => f.write_str("Person"),
            Self::Agent { agent, limits } => {
                f.debug_struct("Agent").field("agent", &agent.name()).field("limits", limits).finish()
            }
        }
    }
}

/// How a [`Session`] ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nobody sat at the terminal, and the game is over.
    Over(Outcome),
    /// Somebody said `quit`.
    Quit,
    /// There were no more lines.
    EndOfInput,
    /// Ctrl-C.
    Interrupted,
    /// An agent cannot go on.
    Failed(AgentError),
}

impl Ending {
    /// The exit status for a program that ends like this.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            Self::Over(_) | Self::Quit | Self::EndOfInput => 0,
            Self::Interrupted => INTERRUPTED,
            Self::Failed(_) => 1,
        }
    }
}

/// A game between people and agents, watched and steered at a terminal.
///
/// **Dice** depend on the seed and on the number of steps before them, on nothing else: the same seed and the same moves
/// make the same game, however often `hint` or `undo` were used. `undo` therefore keeps the die that was shown, and
/// whoever plays on after it meets the same dice again.
///
/// **Lines** are moves in the game's own notation first of all. What the game does not accept is looked up among the
/// commands, and then a bare number is taken for the number of a move in the list shown. (The game goes first, so a
/// game whose moves are numbers is played by them.) A line that starts with `/` is always a command.
///
/// # Examples
/// ```
/// use gamecore::{Outcome, Player, testing::toys::TicTacToe};
/// use play::{Ending, Interrupt, Screen, Script, Session};
///
/// let mut shown = Vec::new();
/// let mut session = Session::<TicTacToe>::new(7, |_| TicTacToe::default());
/// let ending = session.run(&mut Script::new("a1\n2\nzz\nb2\nquit"), &mut Screen::new(&mut shown, false))?;
/// assert_eq!(ending, Ending::Quit);
/// assert_eq!(session.record().history().steps().len(), 3);
/// assert!(String::from_utf8_lossy(&shown).contains("\"zz\" is not a move"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Session<G: Draw> {
    start: Box<dyn Fn(u64) -> G>,
    seed: u64,
    record: Record<G>,
    tags: Vec<(String, String)>,
    seats: [Seat<G>; 2],
    adviser: Option<(Box<dyn Analyst<G>>, Limits)>,
    /// What it said last, and of which position.
    advised: Option<(G, ReportOf<G>)>,
    look: Look,
    /// Where the game is kept. The first is also where a new game's name comes from.
    files: Vec<RecordFile>,
    named: Option<PathBuf>,
    interrupt: Interrupt,
    analysis: bool,
    auto_forced: bool,
    export: Option<Export<G>>,
    /// Exports beside the files.
    exports: Vec<RecordFile>,
    formats: Vec<Format<G>>,
    view: Option<View<G>>,
    turns: Option<Turns<G>>,
    opening: Option<Open<G>>,
    /// Whether the opening is still to come.
    unopened: bool,
    /// Whether the opening has exchanged the seats.
    exchanged: bool,
    /// Steps that the opening made.
    agreed: usize,
    /// The number of steps at which the board was last shown, with the moves if it was to a person.
    shown: Option<usize>,
}

/// So many moves of a turn are looked for beside the best one.
const MOST_MORE: usize = 3;

/// A record in another format.
type Write<G> = Box<dyn Fn(&Record<G>) -> String>;

/// Another format that games are kept in.
struct Export<G: gamecore::Game> {
    extension: String,
    text: Write<G>,
}

/// Another picture of the board, and the command that switches it on and off.
struct View<G: gamecore::Game> {
    name: &'static str,
    about: &'static str,
    picture: Pictures<G>,
    on: bool,
}

/// A picture of a state after the moves of the last turn.
type Pictures<G> = Box<dyn Fn(&G, &[StepOf<G>]) -> Picture>;

/// Reads several moves of one turn, if a line may be that.
type Turns<G> = Box<dyn Fn(&G, &str) -> Option<Result<Vec<<G as gamecore::Game>::Move>, String>>>;

/// Opens a game.
type Open<G> = Box<dyn FnMut(Opening<'_, '_>) -> io::Result<Opened<G>>>;

impl<G: Draw> core::fmt::Debug for Session<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session")
            .field("seed", &self.seed)
            .field("state", self.record.history().state())
            .field("seats", &self.seats)
            .finish_non_exhaustive()
    }
}

/// What a line means.
enum Wish<G: gamecore::Game> {
    /// These moves, one after the other.
    Play(Vec<G::Move>),
    Command(Command),
    Nothing,
}

impl<G: Draw> Session<G> {
    /// A game between two people. `start` makes the first position from a seed; the command `new` calls it again with
    /// the next one.
    #[must_use]
    pub fn new(seed: u64, start: impl Fn(u64) -> G + 'static) -> Self {
        let mut session = Self {
            record: start(seed).into(),
            start: Box::new(start),
            seed,
            tags: Vec::new(),
            seats: [Seat::Person, Seat::Person],
            adviser: None,
            advised: None,
            look: Look::of::<G>(),
            files: Vec::new(),
            named: None,
            interrupt: Interrupt::default(),
            analysis: false,
            auto_forced: false,
            export: None,
            exports: Vec::new(),
            formats: Vec::new(),
            view: None,
            turns: None,
            opening: None,
            unopened: false,
            exchanged: false,
            agreed: 0,
            shown: None,
        };
        session.note_tags();
        session
    }

    /// Puts somebody in a seat.
    #[must_use]
    pub fn with_seat(mut self, player: Player, seat: Seat<G>) -> Self {
        self.seats[player] = seat;
        self.note_tags();
        self
    }

    /// Who answers `hint` and `why`, and at what expense.
    #[must_use]
    pub fn with_adviser(self, analyst: Box<dyn Analyst<G>>, limits: Limits) -> Self {
        Self { adviser: Some((analyst, limits)), ..self }
    }

    /// Whether to begin with the board and the adviser's analysis of it, whatever the position waits for.
    #[must_use]
    pub fn with_analysis(self, analysis: bool) -> Self {
        Self { analysis, ..self }
    }

    /// Whether a person's only move is made without asking.
    #[must_use]
    pub fn with_auto_forced(self, auto_forced: bool) -> Self {
        Self { auto_forced, ..self }
    }

    /// Beside every file that the game is kept in, another of the same name but for this extension, with the game in another
    /// format. Say so before [`keep_in`](Session::keep_in).
    #[must_use]
    pub fn with_export(self, extension: &str, text: impl Fn(&Record<G>) -> String + 'static) -> Self {
        Self { export: Some(Export { extension: extension.into(), text: Box::new(text) }), ..self }
    }

    /// Formats of other programs, for files whose names say so: to save in and to load from.
    #[must_use]
    pub fn with_formats(self, formats: Vec<Format<G>>) -> Self {
        Self { formats, ..self }
    }

    /// Another picture of the board, which a command of this name switches on and off; `about` stands beside it in the help. It is
    /// given the moves of the last turn as [`Draw::picture_after`] is.
    #[must_use]
    pub fn with_view(
        self,
        name: &'static str,
        about: &'static str,
        on: bool,
        picture: impl Fn(&G, &[StepOf<G>]) -> Picture + 'static,
    ) -> Self {
        Self { view: Some(View { name, about, picture: Box::new(picture), on }), ..self }
    }

    /// For games in which a turn has several moves: what reads more than one on a line. `None` means that the line is nothing of that
    /// kind; moves that are read are made one after the other, so each must be legal after those before it, and by the same
    /// player.
    #[must_use]
    pub fn with_turns(self, read: impl Fn(&G, &str) -> Option<Result<Vec<G::Move>, String>> + 'static) -> Self {
        Self { turns: Some(Box::new(read)), ..self }
    }

    /// For games whose players agree on something before their first move: opens every game but those that are loaded. `open` talks to
    /// people by itself; the seats are those that everybody has had from the beginning.
    #[must_use]
    pub fn with_opening(self, open: impl FnMut(Opening<'_, '_>) -> io::Result<Opened<G>> + 'static) -> Self {
        Self { opening: Some(Box::new(open)), unopened: true, ..self }
    }

    /// Names of the seats and the scale of values.
    #[must_use]
    pub fn with_look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// What stops the session besides `quit`.
    #[must_use]
    pub fn with_interrupt(self, interrupt: Interrupt) -> Self {
        Self { interrupt, ..self }
    }

    /// A tag for the record of this and every further game, beside `seed`, `one` and `two`, which the session notes.
    #[must_use]
    pub fn with_tag(mut self, name: &str, value: &str) -> Self {
        self.tags.push((name.into(), value.into()));
        self.note_tags();
        self
    }

    /// Keeps the game in a new file, written after every step. (The games after a `new` go to `game-2.txt` and so on.)
    ///
    /// # Errors
    /// If the file, or the [export](Session::with_export) beside it, exists or cannot be written.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), FileError> {
        let export = match &self.export {
            Some(export) => {
                let beside = path.with_extension(&export.extension);
                if beside == path {
                    return Err(FileError::Copy { path: beside });
                }
                RecordFile::check(path)?;
                Some(RecordFile::create_text(&beside, &(export.text)(&self.record))?)
            }
            None => None,
        };
        let text = Format::text(&self.formats, path, &self.record)?;
        self.files.push(RecordFile::create_text(path, &text)?);
        self.exports.extend(export);
        self.named.get_or_insert_with(|| path.into());
        Ok(())
    }

    /// Goes on with the game in a file, a record or one of the [formats](Session::with_formats); the seats stay. If the game notes its
    /// seed, its dice go on as they would have. Files that the game before was kept in are left.
    ///
    /// # Errors
    /// If there is no such file, or no game of this kind in it; nothing changes then.
    pub fn load(&mut self, path: &Path) -> Result<(), FileError> {
        let record = load_as(path, &self.formats)?.ok_or_else(|| FileError::Nothing { path: path.into() })?;
        let seed = record.tags().iter().find(|(name, _)| name == "seed").and_then(|(_, seed)| seed.parse().ok());
        (self.record, self.seed) = (record, seed.unwrap_or(self.seed));
        self.note_tags();
        self.shown = None;
        (self.unopened, self.agreed) = (false, 0);
        self.files.clear();
        self.exports.clear();
        Ok(())
    }

    /// The game so far.
    #[must_use]
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    fn note_tags(&mut self) {
        self.record.set_tag("seed", &self.seed.to_string());
        for (player, name) in [(Player::One, "one"), (Player::Two, "two")] {
            let who = match &self.seats[player] {
                Seat::Person => "person".into(),
                Seat::Agent { agent, .. } => agent.name(),
            };
            self.record.set_tag(name, &who);
        }
        for (name, value) in &self.tags {
            self.record.set_tag(name, value);
        }
    }

    fn state(&self) -> &G {
        self.record.history().state()
    }

    /// The command of the other picture.
    fn extra(&self) -> Extra {
        self.view.as_ref().map(|view| (view.name, view.about))
    }

    fn people(&self) -> Vec<Player> {
        Player::BOTH.into_iter().filter(|&p| matches!(self.seats[p], Seat::Person)).collect()
    }

    /// Plays until the game is over and everybody has gone, and says at the end what was saved.
    ///
    /// # Errors
    /// If the screen cannot be written to.
    pub fn run(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Ending> {
        self.name_you();
        if let Some(columns) = input.columns() {
            screen.set_width(columns);
        }
        if self.people().is_empty() && !self.analysis && !self.unopened {
            self.watch(screen)?;
        }
        let first = if self.analysis { self.first_look(screen)? } else { None };
        let ending = match first {
            Some(ending) => ending,
            None => self.go_on(input, screen)?,
        };
        self.farewell(screen, &ending)?;
        screen.flush()?;
        Ok(ending)
    }

    /// The only person is called "you".
    fn name_you(&mut self) {
        self.look.you = match self.people()[..] {
            [one] => Some(one),
            _ => None,
        };
    }

    /// What comes before a game's first move.
    fn open(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        self.unopened = false;
        if core::mem::take(&mut self.exchanged) {
            self.seats.swap(0, 1);
        }
        let people = [Player::One, Player::Two].map(|player| matches!(self.seats[player], Seat::Person));
        let Some(open) = &mut self.opening else { return Ok(None) };
        match open(Opening { seed: self.seed, people, interrupt: &self.interrupt, input, screen })? {
            Opened::Ended(ending) => return Ok(Some(ending)),
            Opened::Begun { history, exchanged } => {
                self.record = history.start().clone().into();
                history.steps().iter().for_each(|&step| self.record.push(step, None));
                self.agreed = history.steps().len();
                if exchanged {
                    self.seats.swap(0, 1);
                    self.exchanged = true;
                }
            }
        }
        self.name_you();
        self.note_tags();
        self.write();
        if self.people().is_empty() {
            self.watch(screen)?;
        }
        Ok(None)
    }

    /// The board and everything about it, before anything happens.
    fn first_look(&mut self, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        match self.state().turn() {
            Turn::Over(_) => return Ok(None),
            Turn::Decide(player) if matches!(self.seats[player], Seat::Person) => {
                self.shown = Some(self.record.history().steps().len());
                self.show_turn(screen)?;
            }
            Turn::Decide(_) | Turn::Chance(_) => self.board(screen)?,
        }
        self.analyse(None, screen)
    }

    fn go_on(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Ending> {
        loop {
            if self.interrupt.is_raised() {
                return Ok(Ending::Interrupted);
            }
            if let Some(columns) = input.columns() {
                screen.set_width(columns);
            }
            let ending = match self.state().turn() {
                _ if self.unopened => self.open(input, screen)?,
                Turn::Chance(chance) => {
                    self.roll(&chance);
                    None
                }
                Turn::Decide(player) if matches!(self.seats[player], Seat::Agent { .. }) => {
                    self.agent_move(player, input.is_live(), screen)?
                }
                Turn::Decide(player) if self.auto_forced && moves_of(self.state()).len() == 1 => {
                    let only = moves_of(self.state())[0];
                    let played = screen.strong(&self.state().move_text(only));
                    let text = sentence(&self.look, screen, player, &self.rolled(), &played);
                    screen.say(&format!("{text} (No other move.)"))?;
                    self.push(Step::Move(only), None);
                    None
                }
                Turn::Over(outcome) if self.people().is_empty() => {
                    self.announce(outcome, screen)?;
                    Some(Ending::Over(outcome))
                }
                Turn::Decide(_) | Turn::Over(_) => self.ask(input, screen)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    fn roll(&mut self, chance: &G::Chance) {
        let event = Dice::new(self.seed, 0).roll(chance, self.record.history().steps().len());
        self.push(Step::Chance(event), None);
    }

    fn push(&mut self, step: Step<G::Move, Event<G>>, value: Option<f64>) {
        self.record.push(step, value);
        self.write();
    }

    fn write(&mut self) {
        for file in &mut self.files {
            match Format::text(&self.formats, file.path(), &self.record) {
                Ok(text) => file.write_text(&text),
                Err(error) => file.note(&error),
            }
        }
        if let Some(export) = &self.export
            && !self.exports.is_empty()
        {
            let text = (export.text)(&self.record);
            self.exports.iter_mut().for_each(|file| file.write_text(&text));
        }
    }

    /// The rolls since the last move, as words.
    fn rolled(&self) -> String {
        let history = self.record.history();
        let steps = history.steps();
        let first = steps.iter().rposition(|s| matches!(s, Step::Move(_))).map_or(0, |i| i + 1);
        let words: Vec<String> = (first..steps.len())
            .filter_map(|i| match steps[i] {
                Step::Chance(event) => Some(history.states()[i].event_text(event)),
                Step::Move(_) => None,
            })
            .collect();
        words.join(" ")
    }

    fn board(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        let history = self.record.history();
        let (states, steps) = (history.states(), history.steps());
        let Some(view) = self.view.as_ref().filter(|view| view.on) else { return screen.picture(&picture(states, steps)) };
        screen.picture(&(view.picture)(history.state(), last_turn(states, steps)))
    }

    /// An agent's move, and what it thinks of it.
    fn agent_move(&mut self, player: Player, live: bool, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        let Seat::Agent { agent, limits } = &mut self.seats[player] else { return Ok(None) };
        let waiting = live && screen.has_color();
        if waiting {
            screen.raw(&format!("{} is thinking ...", self.look.name(player)))?;
            screen.flush()?;
        }
        let limits = limits.clone().and_stop(self.interrupt.flag());
        let report = agent.choose(self.record.history(), &limits);
        if waiting {
            screen.raw("\r\x1b[K")?;
        }
        if self.interrupt.is_raised() {
            return Ok(Some(Ending::Interrupted));
        }
        let report = match report {
            Ok(report) => report,
            Err(error) => return Ok(Some(Ending::Failed(error))),
        };
        let state = self.state();
        let Some(best) = report.best.filter(|m| moves_of(state).contains(m)) else {
            let name = agent_name(&self.seats[player]);
            return Ok(Some(Ending::Failed(AgentError::Gone { name, reason: "it chose no legal move".into() })));
        };
        let played = screen.strong(&state.move_text(best));
        let text = sentence(&self.look, screen, player, &self.rolled(), &played);
        let alone = self.people().is_empty();
        screen.say(&text)?;
        let value = report.value.filter(|v| v.is_finite());
        if let Some(value) = value {
            let value = self.look.value_line(screen, player, value);
            screen.hanging("  ", &value)?;
        }
        self.push(Step::Move(best), value);
        if alone {
            self.watch(screen)?;
        }
        Ok(None)
    }

    /// Asks the person whose turn it is, or anybody if the game is over, for one line and follows it.
    fn ask(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        let turn = self.state().turn();
        let here = self.record.history().steps().len();
        if self.shown != Some(here) {
            self.shown = Some(here);
            match turn {
                Turn::Over(outcome) => self.announce(outcome, screen)?,
                _ => self.show_turn(screen)?,
            }
        }
        let prompt = match turn {
            Turn::Decide(player) => format!("{}> ", self.look.name(player)),
            _ => "over> ".into(),
        };
        let text = match heard(&prompt, input, screen)? {
            Answer::Ended(ending) => return Ok(Some(ending)),
            Answer::Unread(why) => {
                self.refuse(screen, &why)?;
                return Ok(None);
            }
            Answer::Text(text) => text,
        };
        match self.read(text.trim()) {
            Ok(Wish::Nothing) => self.list(screen)?,
            Ok(Wish::Play(moves)) => {
                if let Turn::Decide(player) = turn {
                    let mut state = self.state().clone();
                    let mut played = Vec::new();
                    for &m in &moves {
                        played.push(state.move_text(m));
                        state.play(m);
                    }
                    let played = screen.strong(&played.join(" "));
                    let text = format!("{} {played}.", self.look.does(screen, player, "play"));
                    screen.say(&text)?;
                }
                for m in moves {
                    self.push(Step::Move(m), None);
                }
            }
            Ok(Wish::Command(command)) => return self.obey(command, screen),
            Err(message) => self.refuse(screen, &message)?,
        }
        Ok(None)
    }

    /// What a line means here, or why it means nothing.
    fn read(&self, text: &str) -> Result<Wish<G>, String> {
        let command = |text: &str| Command::parse(text, self.extra()).map(|c| c.map(Wish::Command));
        if let Some(text) = text.strip_prefix('/') {
            return command(text.trim()).unwrap_or_else(|| Err(format!("\"{}\" is not a command.", quoted(text))));
        }
        let state = self.state();
        let moves = moves_of(state);
        if text.is_empty() {
            // A lone move is as good as made.
            return Ok(if let [only] = moves[..] { Wish::Play(vec![only]) } else { Wish::Nothing });
        }
        if moves.is_empty() {
            return command(text).unwrap_or_else(|| Err(format!("The game is over, so \"{}\" cannot be played.", quoted(text))));
        }
        let error = match state.parse_move(text) {
            Ok(m) if moves.contains(&m) => return Ok(Wish::Play(vec![m])),
            Ok(m) => return Err(format!("{} is not legal here.", state.move_text(m))),
            Err(error) => error,
        };
        if let Some(command) = command(text) {
            return command;
        }
        if let TextError::Unreadable { .. } = error
            && text.bytes().all(|b| b.is_ascii_digit())
        {
            let chosen = text.parse::<usize>().ok().and_then(|n| moves.get(n.checked_sub(1)?));
            return chosen
                .map(|&m| Wish::Play(vec![m]))
                .ok_or_else(|| format!("There is no move {}: they are numbered 1 to {}.", quoted(text), moves.len()));
        }
        let several = self.turns.as_ref().and_then(|read| read(state, text));
        let message = match several {
            Some(Ok(moves)) if can_follow(state, &moves) => return Ok(Wish::Play(moves)),
            Some(Ok(_)) | None => error.to_string(),
            Some(Err(message)) => message,
        };
        let first: String = message.chars().take(1).flat_map(char::to_uppercase).collect();
        Err(format!("{first}{}.", message.chars().skip(1).collect::<String>()))
    }

    /// A mistake: the reason, and what is accepted.
    fn refuse(&self, screen: &mut Screen<'_>, message: &str) -> io::Result<()> {
        screen.say(message)?;
        self.list(screen)?;
        screen.hanging("Commands: ", &Command::names(self.extra()))
    }

    /// The legal moves, unless they are too many, if the game goes on.
    fn list(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        match self.state().turn() {
            Turn::Decide(_) => self.look.some_moves(screen, self.state()),
            _ => screen.say("The game is over: new, undo, save FILE or quit."),
        }
    }

    /// A person's turn: the board, the roll, the moves.
    fn show_turn(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        let Turn::Decide(player) = self.state().turn() else { return Ok(()) };
        let turn = 1 + self.record.history().steps().iter().filter(|s| matches!(s, Step::Move(_))).count();
        let (rolled, name) = (self.rolled(), self.look.name(player));
        let who = if self.look.you == Some(player) { format!("you are {name}") } else { format!("{name} to move") };
        let roll = if rolled.is_empty() { String::new() } else { format!(", rolled {}", screen.strong(&rolled)) };
        screen.gap()?;
        let who = screen.seat(player, &who);
        screen.say(&format!("Turn {turn}: {who}{roll}."))?;
        self.board(screen)?;
        self.list(screen)
    }

    /// The board for those who watch.
    fn watch(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        self.shown = Some(self.record.history().steps().len());
        self.board(screen)?;
        screen.gap()
    }

    fn announce(&self, outcome: Outcome, screen: &mut Screen<'_>) -> io::Result<()> {
        // Those who watch have seen the last board already.
        if !self.people().is_empty() || self.shown != Some(self.record.history().steps().len()) {
            screen.gap()?;
            self.board(screen)?;
        }
        let text = result(&self.look, screen, outcome);
        screen.say(&text)?;
        if self.people().is_empty() { Ok(()) } else { self.list(screen) }
    }

    fn obey(&mut self, command: Command, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        match command {
            Command::Quit => return Ok(Some(Ending::Quit)),
            Command::Moves if moves_of(self.state()).is_empty() => self.list(screen)?,
            Command::Moves => self.look.moves(screen, self.state())?,
            Command::Board => self.board(screen)?,
            Command::Position => screen.raw(&format!("{}\n", self.state().position_text()))?,
            Command::Rules => {
                for line in self.state().rules_text().lines() {
                    screen.say(line)?;
                }
            }
            Command::Help => help(screen, self.extra())?,
            Command::View => {
                if let Some(view) = &mut self.view {
                    view.on = !view.on;
                    let state = if view.on { "on" } else { "off" };
                    let text = format!("{}: {state}.", view.name);
                    screen.say(&text)?;
                }
                self.board(screen)?;
            }
            Command::Hint => return self.hint(screen),
            Command::Why(about) => return self.why(&about, screen),
            Command::Undo(whole) => self.undo(whole, screen)?,
            Command::Save(name) => match self.keep_in(Path::new(&name)) {
                Ok(()) => screen.say(&format!("Saved in {}, where the game is kept from now on.", quoted(&name)))?,
                Err(error) => screen.say(&format!("Not saved: {error}."))?,
            },
            Command::Load(name) => {
                self.tell_saved(screen)?;
                match self.load(Path::new(&name)) {
                    Ok(()) => screen.say(&format!("Going on with the game in {}.", quoted(&name)))?,
                    Err(error) => screen.say(&format!("Not loaded: {error}."))?,
                }
            }
            Command::New => self.start_again(screen)?,
        }
        Ok(None)
    }

    /// The best move in short.
    fn hint(&mut self, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        if let Turn::Decide(mover) = self.state().turn() {
            if let Some(report) = self.advice(screen)? {
                let turn = self.rest_of_turn(mover, &report);
                self.look.hint(screen, self.state(), mover, &report, &turn)?;
            }
        } else {
            self.list(screen)?;
        }
        Ok(self.interrupt.is_raised().then_some(Ending::Interrupted))
    }

    /// What is best after the best move in the same turn, if the turn goes on: as the report has it, else as the adviser says.
    fn rest_of_turn(&mut self, player: Player, report: &ReportOf<G>) -> Vec<G::Move> {
        let (mut now, mut rest) = (self.state().clone(), Vec::new());
        if report.best.is_none_or(|best| now.try_play(best).is_err()) {
            return rest;
        }
        for &step in report.best_line().iter().flat_map(|line| &line.line) {
            match step {
                Step::Move(m) if mover(&now) == Some(player) && now.try_play(m).is_ok() => rest.push(m),
                Step::Move(_) | Step::Chance(_) => break,
            }
        }
        let Some((adviser, limits)) = &mut self.adviser else { return rest };
        let limits = limits.clone().and_stop(self.interrupt.flag());
        while mover(&now) == Some(player) && rest.len() < MOST_MORE {
            let best = adviser.analyse(&now, &limits).ok().and_then(|report| report.best);
            match best {
                Some(m) if now.try_play(m).is_ok() => rest.push(m),
                _ => break,
            }
        }
        rest
    }

    /// Every move, and the answers after one of them; or what to do on every roll.
    fn analyse(&mut self, about: Option<G::Move>, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        if let Turn::Over(_) = self.state().turn() {
            self.list(screen)?;
        } else if let Some(report) = self.advice(screen)? {
            self.look.analysis(screen, self.state(), &report, about)?;
        }
        Ok(self.interrupt.is_raised().then_some(Ending::Interrupted))
    }

    /// What the adviser says of the position, if there is one and it has something to say. Asked again, it says the same.
    fn advice(&mut self, screen: &mut Screen<'_>) -> io::Result<Option<ReportOf<G>>> {
        let Some((adviser, limits)) = &mut self.adviser else {
            screen.say("Nobody is here to ask: this game was started without an adviser.")?;
            return Ok(None);
        };
        let state = self.record.history().state();
        if let Some((about, report)) = &self.advised
            && about == state
        {
            return Ok(Some(report.clone()));
        }
        screen.flush()?;
        let limits = limits.clone().and_stop(self.interrupt.flag());
        match adviser.analyse(state, &limits) {
            Ok(_) if self.interrupt.is_raised() => Ok(None),
            Ok(report) => {
                self.advised = Some((state.clone(), report.clone()));
                Ok(Some(report))
            }
            Err(error) => screen.say(&format!("No advice: {error}.")).map(|()| None),
        }
    }

    /// The command `why` with what follows it.
    fn why(&mut self, about: &str, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
        let m = if about.is_empty() {
            None
        } else {
            match self.read(about) {
                Ok(Wish::Play(moves)) if moves.len() == 1 => Some(moves[0]),
                Ok(Wish::Play(_) | Wish::Command(_) | Wish::Nothing) => {
                    self.refuse(screen, "why is asked about a move: why MOVE.")?;
                    return Ok(None);
                }
                Err(message) => {
                    self.refuse(screen, &message)?;
                    return Ok(None);
                }
            }
        };
        self.analyse(m, screen)
    }

    /// Back to the last decision of a person before the present one.
    fn undo(&mut self, whole: bool, screen: &mut Screen<'_>) -> io::Result<()> {
        let history = self.record.history();
        let (states, steps) = (history.states(), history.steps());
        let asked = |state: &G| {
            matches!(state.turn(), Turn::Decide(p) if matches!(self.seats[p], Seat::Person))
                && !(self.auto_forced && moves_of(state).len() == 1)
        };
        let begins = |i: usize| !whole || i == 0 || mover(&states[i]) != mover(&states[i - 1]);
        let Some(back) = (self.agreed..steps.len()).rev().find(|&i| asked(&states[i]) && begins(i)) else {
            return screen.say(match self.agreed {
                0 => "There is nothing to take back.",
                _ => "There is nothing to take back: the opening stays.",
            });
        };
        let rolled = steps.iter().any(|step| matches!(step, Step::Chance(_)));
        while self.record.history().steps().len() > back {
            self.record.undo();
        }
        self.write();
        self.shown = None;
        screen.say(if rolled { "Taken back; the dice stay as they were." } else { "Taken back." })
    }

    fn start_again(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        self.tell_saved(screen)?;
        self.seed = self.seed.wrapping_add(1);
        self.record = (self.start)(self.seed).into();
        (self.unopened, self.agreed) = (self.opening.is_some(), 0);
        self.note_tags();
        self.shown = None;
        self.files.clear();
        self.exports.clear();
        screen.say(&format!("A new game, seed {}.", self.seed))?;
        if let Some(named) = self.named.clone() {
            let path = next_free(&named);
            match self.keep_in(&path) {
                Ok(()) => screen.say(&format!("It is kept in {}.", path.display()))?,
                Err(error) => screen.say(&format!("It is not saved: {error}."))?,
            }
        }
        Ok(())
    }

    /// Where the game is, or that it is nowhere.
    fn tell_saved(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        for file in self.files.iter().chain(&self.exports) {
            match file.error() {
                None => screen.say(&format!("The game is saved in {}.", file.path().display()))?,
                Some(error) => screen.say(&format!("The game could not be saved in {}: {error}.", file.path().display()))?,
            }
        }
        let moved = self.record.history().steps().iter().any(|s| matches!(s, Step::Move(_)));
        if self.files.is_empty() && moved {
            screen.say(&format!("The game was not saved; its seed was {}.", self.seed))?;
        }
        Ok(())
    }

    fn farewell(&self, screen: &mut Screen<'_>, ending: &Ending) -> io::Result<()> {
        match ending {
            Ending::Over(_) | Ending::Quit => {}
            Ending::EndOfInput => screen.say("The input has ended.")?,
            Ending::Interrupted => {
                screen.gap()?;
                screen.say("Interrupted.")?;
            }
            Ending::Failed(error) => screen.say(&format!("The game cannot go on: {error}."))?,
        }
        self.tell_saved(screen)
    }
}

/// Whether one player can make these moves, one after the other, in one turn.
fn can_follow<G: gamecore::Game>(state: &G, moves: &[G::Move]) -> bool {
    let (mut now, player) = (state.clone(), mover(state));
    moves.iter().all(|&m| mover(&now) == player && now.try_play(m).is_ok())
}

fn agent_name<G: gamecore::Game>(seat: &Seat<G>) -> String {
    match seat {
        Seat::Person => "person".into(),
        Seat::Agent { agent, .. } => agent.name(),
    }
}

/// `Two rolls 3 and plays A4-B4.`
pub(crate) fn sentence(look: &Look, screen: &Screen<'_>, player: Player, rolled: &str, played: &str) -> String {
    if rolled.is_empty() {
        return format!("{} {played}.", look.does(screen, player, "play"));
    }
    let s = if look.you == Some(player) { "" } else { "s" };
    format!("{} {rolled} and play{s} {played}.", look.does(screen, player, "roll"))
}

/// How it ended.
pub(crate) fn result(look: &Look, screen: &Screen<'_>, outcome: Outcome) -> String {
    match outcome {
        Outcome::Draw => "The game is drawn.".into(),
        Outcome::Win { player, points } => {
            let points = match (points, look.win(points)) {
                (1, None) => String::new(),
                (_, None) => format!(" {points} points"),
                (1, Some(name)) => format!(" {name}: 1 point"),
                (_, Some(name)) => format!(" {name}: {points} points"),
            };
            format!("{}{points}!", look.does(screen, player, "win"))
        }
    }
}
