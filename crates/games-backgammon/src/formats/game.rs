//! Matches and games as their records hold them, whatever the [format](super).
//!
//! Every play is checked against the rules when a record is read or written, so what is read can be played again:
//! [`Game::states`].

use gamecore::record::{NAMES, RESULT};
use gamecore::sgf::SgfFault;
use gamecore::{Player, Record, Roll, Step};

use crate::dice::Throw;
use crate::moves::Move;
use crate::notation::NotationError;
use crate::setup::{Setup, SetupError};
use crate::stakes::{Cube, Stakes, StakesError};
use crate::state::Backgammon;

/// Actions of a game; more are refused, so that no text takes memory without end.
pub(super) const MOST_ACTIONS: usize = 20_000;
/// The most points that a game is read to have won, far beyond any cube.
pub(super) const MOST_POINTS: u32 = 1 << 20;
/// Games of a match for points, several times as many as any needs; each looks back at those before it.
const MOST_GAMES: usize = 10_000;

/// A match, or a series of money games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// How the checkers stand at first.
    pub setup: Setup,
    /// The match's length in points, 0 for money.
    pub length: u16,
    /// Whether none of the games is the Crawford game: the rule is not played, or that game came before these. Otherwise it is the
    /// first in which one side alone is a point away.
    pub without_crawford: bool,
    /// Whether a series of money games is played by the Jacoby rule; of a match this says nothing.
    pub jacoby: bool,
    /// The players' names, Player One's first.
    pub names: [String; 2],
    /// The games in order.
    pub games: Vec<Game>,
}

/// One game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Game {
    /// The score before the game, by seat.
    pub score: [u16; 2],
    /// What was done, and by whom.
    pub actions: Vec<(Player, Action)>,
    /// Who won, and how many points of the match; `None` if the game was broken off.
    pub won: Option<(Player, u32)>,
}

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Rolls and plays.
    Play(Roll, Move),
    /// Offers to double the stakes.
    Double,
    /// Takes the double.
    Take,
    /// Passes it, and loses the stakes as they were.
    Drop,
}

impl Match {
    /// A game that was played, finished or not, as a match of one game: its start's length and score, and the players' names, which
    /// are the record's tags `one` and `two`.
    ///
    /// # Errors
    /// If it cannot be written so: if it did not start from a [`Setup`] with the cube at 1.
    ///
    /// # Examples
    /// ```
    /// use gamecore::Record;
    /// use games_backgammon::{Backgammon, Setup};
    /// use games_backgammon::formats::{game::Match, mat};
    ///
    /// let mut record = Record::from(Backgammon::start(Setup::Standard));
    /// record.set_tag("one", "Alice");
    /// record.push_text("3-1")?; // One's die first
    /// record.push_text("8/5,6/5")?;
    /// let text = mat::text(&Match::of(&record)?)?;
    /// assert!(text.contains(" Alice : 0") && text.contains("  1) 31: 8/5 6/5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(record: &Record<Backgammon>) -> Result<Self, MatchError> {
        let (states, steps) = (record.history().states(), record.history().steps());
        let first = record.history().start();
        let stakes = first.stakes();
        let starts = |setup: &Setup| Player::BOTH.iter().all(|&seat| first.board(seat) == setup.board());
        let setup = Setup::ALL.into_iter().find(starts).filter(|_| stakes.cube() == 1);
        let setup = setup.ok_or(Fault::Start.at(0))?;
        let mut game = Game { score: stakes.score(), ..Game::default() };
        for (state, step) in states.iter().zip(steps) {
            if let (Step::Move(m), Some(roll)) = (step, state.dice()) {
                game.actions.push((state.mover(), Action::Play(roll, *m)));
            }
        }
        if let Some(outcome) = record.history().state().outcome() {
            game.won = outcome.winner().map(|winner| (winner, stakes.points(outcome).unsigned_abs()));
        }
        Ok(Self {
            setup,
            length: stakes.length().unwrap_or(0),
            without_crawford: !stakes.is_crawford() && stakes.with_crawford().is_ok(),
            jacoby: stakes.is_jacoby(),
            names: NAMES.map(|name| record.tag(name).unwrap_or(name).into()),
            games: vec![game],
        })
    }

    /// Game number `i` (from 0) as a record, to be shown or played on.
    ///
    /// A record knows nothing of doubles. Who owns the cube, and its value, stand in it from the first as they were at the end, and
    /// the tag `cube` says so. How a game ended that was not played out is in the tag `result` as game records have it: `B+2`, Player
    /// One won two points by a double that was passed; `W+1R`, Player Two one point by a resignation. The tags `one` and `two` are
    /// the players' names.
    ///
    /// # Errors
    /// If there is no such game, or an action is not legal where it stands.
    ///
    /// # Examples
    /// ```
    /// use games_backgammon::formats::mat;
    ///
    /// let text = " 3 point match\n\n Game 1\n Ann : 0       Bob : 0\n 1) 31: 8/5 6/5     Doubles => 2\n 2) Drops\n  Wins 1 point\n";
    /// let record = mat::parse(text)?.record(0)?;
    /// assert_eq!(record.history().steps_text(), "3-1 8/5,6/5");
    /// # Ok::<(), games_backgammon::formats::game::MatchError>(())
    /// ```
    pub fn record(&self, i: usize) -> Result<Record<Backgammon>, MatchError> {
        let game = self.games.get(i).ok_or(Fault::NoSuchGame { asked: i + 1, games: self.games.len() }.at(0))?;
        let states = game.states(self, i).map_err(|error| error.in_game(i))?;
        let last = *states.last().expect("the state after all actions");
        let start = states[0].with_stakes(last.stakes());
        let opened = match game.actions.first() {
            None => true,
            Some((_, Action::Play(roll, _))) => !roll.is_double(),
            Some(_) => false,
        };
        let start = if opened { start.with_opening().map_err(|error| Fault::Setup(error).at(0))? } else { start };
        let mut record = Record::from(start);
        for &(seat, action) in &game.actions {
            let Action::Play(roll, m) = action else { continue };
            let (high, low) = (roll.high(), roll.low());
            let throw = match (record.history().state().is_opening(), seat) {
                (true, Player::One) => Throw::Opening { one: high, two: low },
                (true, Player::Two) => Throw::Opening { one: low, two: high },
                (false, _) => Throw::Turn(roll),
            };
            record.push(Step::Chance(throw), None);
            record.push(Step::Move(m), None);
        }
        for seat in Player::BOTH {
            record.set_tag(NAMES[seat], &self.names[seat]);
        }
        if last.stakes().cube() > 1 {
            record.set_tag("cube", "from the first as it was at the end");
        }
        if let Some((seat, points)) = game.won.filter(|_| last.outcome().is_none()) {
            let given_up = if matches!(game.actions.last(), Some((_, Action::Drop))) { "" } else { "R" };
            record.set_tag(RESULT, &format!("{}+{points}{given_up}", if seat == Player::One { "B" } else { "W" }));
        }
        Ok(record)
    }

    /// The position before the first action of game number `i`; Player One is on roll, until it is known who starts.
    pub(super) fn first(&self, game: &Game, i: usize) -> Result<Backgammon, Fault> {
        let mut stakes =
            if self.length == 0 { Stakes::MONEY.with_score(game.score)? } else { Stakes::match_of(self.length, game.score)? };
        if self.length == 0 && self.jacoby {
            stakes = stakes.with_jacoby()?;
        }
        if self.length > 0 {
            if i >= MOST_GAMES {
                return Err(Fault::TooMany);
            }
            if self.may_be_crawford(i) {
                stakes = stakes.with_crawford().unwrap_or(stakes);
            }
        }
        let board = self.setup.board();
        Ok(Backgammon::from_board([board, board], Player::One, None)?.with_stakes(stakes))
    }

    /// Whether a side may be a point away in game number `i` for the first time.
    pub(super) fn may_be_crawford(&self, i: usize) -> bool {
        let leads = |score: [u16; 2]| score.contains(&self.length.saturating_sub(1));
        !self.without_crawford && !self.games.iter().take(i).any(|before| leads(before.score))
    }
}

impl Game {
    /// The positions before each action and, last, after all, in game number `i` (from 0) of `of`. Before a play its
    /// dice are not rolled.
    ///
    /// # Errors
    /// If an action is not legal where it stands.
    pub fn states(&self, of: &Match, i: usize) -> Result<Vec<Backgammon>, MatchError> {
        let first = of.first(self, i).map_err(|fault| fault.at(0))?;
        let mut replay = Replay::new(first);
        let mut states = Vec::with_capacity(self.actions.len() + 1);
        for &(seat, action) in &self.actions {
            replay.seat_first(seat);
            states.push(replay.state);
            replay.act(seat, action).map_err(|fault| fault.at(0))?;
        }
        states.push(replay.state);
        Ok(states)
    }
}

/// A game so far.
pub(super) struct Replay {
    pub(super) state: Backgammon,
    /// Whether anything has been done.
    pub(super) begun: bool,
    /// A double waits for its answer.
    offered: bool,
    dropped: bool,
}

impl Replay {
    pub(super) const fn new(state: Backgammon) -> Self {
        Self { state, begun: false, offered: false, dropped: false }
    }

    /// Who has won by the last checker or a passed double.
    pub(super) fn winner(&self) -> Option<Player> {
        if self.dropped { Some(self.state.mover()) } else { self.state.outcome().and_then(gamecore::Outcome::winner) }
    }

    /// Whose action is next.
    pub(super) const fn next(&self) -> Player {
        if self.offered { self.state.mover().other() } else { self.state.mover() }
    }

    /// Lets `seat` start, if nobody has.
    pub(super) fn seat_first(&mut self, seat: Player) {
        if !self.begun && seat != self.state.mover() {
            // Both sides stand alike.
            self.state.mover = seat;
        }
        self.begun = true;
    }

    pub(super) fn act(&mut self, seat: Player, action: Action) -> Result<(), Fault> {
        self.seat_first(seat);
        if self.dropped || self.state.outcome().is_some() {
            return Err(Fault::Over);
        }
        if seat != self.next() {
            return Err(Fault::Turn);
        }
        let stakes = self.state.stakes();
        match action {
            Action::Play(roll, m) if !self.offered => {
                let mut state = self.state.with_dice(Some(roll))?;
                gamecore::Game::try_play(&mut state, m).map_err(|_| Fault::Illegal)?;
                self.state = state;
            }
            Action::Double if !self.offered && stakes.cube_allows(seat) => self.offered = true,
            Action::Take if self.offered => {
                let stakes = stakes.with_cube(stakes.cube_log2() + 1, Cube::Owned(seat))?;
                self.state = self.state.with_stakes(stakes);
                self.offered = false;
            }
            Action::Drop if self.offered => self.dropped = true,
            Action::Double => return Err(Fault::Cube),
            Action::Play(..) | Action::Take | Action::Drop => return Err(Fault::Turn),
        }
        Ok(())
    }
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The first line is another.
    #[error("a match text begins with its length, such as \"7 point match\" (0 for money)")]
    NoMatch,
    /// Actions before a game.
    #[error("expected a line such as \"Game 1\", found \"{found}\"")]
    NoGame {
        /// The line found.
        found: String,
    },
    /// A game without names.
    #[error("after \"Game\" the names and the score are to follow, such as \"Alice : 0  Bob : 0\", found \"{found}\"")]
    Names {
        /// The line found.
        found: String,
    },
    /// A rule of the whole match that changes once a game has begun.
    #[error("{tag} holds for the whole match: it cannot change once a game has begun")]
    Late {
        /// The rule's name.
        tag: &'static str,
    },
    /// A word that is no action.
    #[error("\"{found}\" is no action: a roll and its play, such as 31: 8/5 6/5, or Doubles, Takes, Drops, Wins")]
    Unknown {
        /// The word found.
        found: String,
    },
    /// No game record of backgammon.
    #[error("a game record begins with \"(;\" and names its game as backgammon, GM[6]")]
    NoRecord,
    /// A text that has not the shape of game records.
    #[error(transparent)]
    Syntax(#[from] SgfFault),
    /// A property that says something else than it may.
    #[error("the property {name}[{found}] is not understood")]
    Property {
        /// Its name.
        name: String,
        /// Its value.
        found: String,
    },
    /// A game that matches cannot hold.
    #[error("matches hold games that start from a usual set-up with the cube at 1")]
    Start,
    /// A number that no game has.
    #[error("there is no game {asked}: {}", if *games == 0 { "the match has none".into() } else { format!("they are numbered 1 to {games}") })]
    NoSuchGame {
        /// The number asked for, from 1.
        asked: usize,
        /// How many there are.
        games: usize,
    },
    /// A play that the rules forbid.
    #[error(transparent)]
    Play(#[from] NotationError),
    /// A play that is not legal where it stands.
    #[error("a play is not legal where it stands")]
    Illegal,
    /// A double without a right to the cube: [`Stakes::cube_allows`].
    #[error(
        "no double: the cube is the opponent's or at its highest, or nobody doubles in this game (crawford, or a match to one point)"
    )]
    Cube,
    /// An action out of turn.
    #[error("an action out of turn: an answer without a double, or none to one")]
    Turn,
    /// An action after the end.
    #[error("the game is over")]
    Over,
    /// A result that the actions contradict.
    #[error("the result names another winner than the play")]
    Winner,
    /// Too many actions.
    #[error("a game of more than {MOST_ACTIONS} actions")]
    TooLong,
    /// Too many games.
    #[error("a match of more than {MOST_GAMES} games")]
    TooMany,
    /// Checkers that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A length, a score or a cube that do not go together.
    #[error(transparent)]
    Stakes(#[from] StakesError),
}

impl Fault {
    pub(super) const fn at(self, line: usize) -> MatchError {
        MatchError { line, game: None, fault: self }
    }
}

/// Why a text is no match, or a match cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{fault}", self.place())]
pub struct MatchError {
    /// The line read, from 1; 0 if nothing was read.
    pub line: usize,
    /// The game to be written, from 0.
    pub game: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

impl MatchError {
    pub(super) fn in_game(self, game: usize) -> Self {
        Self { game: Some(game), ..self }
    }

    fn place(&self) -> String {
        match (self.line, self.game) {
            (0, None) => String::new(),
            (0, Some(game)) => format!("game {}: ", game + 1),
            (line, _) => format!("line {line}: "),
        }
    }
}
