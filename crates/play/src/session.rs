//! A game at the terminal.

mod advice;
mod ask;
mod keep;
mod obey;
mod open;
mod show;

use std::io;
use std::path::PathBuf;

use gamecore::{Dice, Draw, Event, Outcome, Picture, Player, Record, Step, StepOf, Turn};
use search_core::{Agent, AgentError, Analyst, Limits, ReportOf};

use crate::command::Extra;
use crate::look::moves_of;
use crate::{Format, INTERRUPTED, Input, Interrupt, Look, Screen};

use keep::Kept;
use open::Unopened;
pub(crate) use show::{result, sentence};

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
    files: Vec<Kept>,
    named: Option<PathBuf>,
    /// Where the game was loaded from, until that has been said.
    loaded: Option<PathBuf>,
    interrupt: Interrupt,
    analysis: bool,
    auto_forced: bool,
    formats: Vec<Format<G>>,
    view: Option<View<G>>,
    turns: Option<Turns<G>>,
    /// Other texts of a position, for the command `position`.
    identifiers: Option<Identifiers<G>>,
    opening: Unopened<G>,
    /// The number of steps at which the board was last shown, with the moves if it was to a person.
    shown: Option<usize>,
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

/// The texts of a state that other programs read.
type Identifiers<G> = Box<dyn Fn(&G) -> Vec<String>>;

/// Reads several moves of one turn, if a line may be that.
type Turns<G> = Box<dyn Fn(&G, &str) -> Option<Result<Vec<<G as gamecore::Game>::Move>, String>>>;

impl<G: Draw> core::fmt::Debug for Session<G> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session")
            .field("seed", &self.seed)
            .field("state", self.record.history().state())
            .field("seats", &self.seats)
            .finish_non_exhaustive()
    }
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
            loaded: None,
            interrupt: Interrupt::default(),
            analysis: false,
            auto_forced: false,
            formats: Vec::new(),
            view: None,
            turns: None,
            identifiers: None,
            opening: Unopened::default(),
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

    /// What other programs call a position: the command `position` shows these texts below the game's own, a line each.
    #[must_use]
    pub fn with_identifiers(self, texts: impl Fn(&G) -> Vec<String> + 'static) -> Self {
        Self { identifiers: Some(Box::new(texts)), ..self }
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

    /// The game so far.
    #[must_use]
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The seed of the game: that of the start, of the record that was loaded, or of the last `new`.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
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
        self.tell_loaded(screen)?;
        if self.people().is_empty() && !self.analysis && !self.opening.is_due() {
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
            self.tell_unwritten(screen)?;
            if self.interrupt.is_raised() {
                return Ok(Ending::Interrupted);
            }
            if let Some(columns) = input.columns() {
                screen.set_width(columns);
            }
            let ending = match self.state().turn() {
                _ if self.opening.is_due() => self.open(input, screen)?,
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

fn agent_name<G: gamecore::Game>(seat: &Seat<G>) -> String {
    match seat {
        Seat::Person => "person".into(),
        Seat::Agent { agent, .. } => agent.name(),
    }
}
