//! Opening books: what to play without thinking.
//!
//! A [`Book`] holds, for positions of a game's opening, the moves to choose from, how often each is to be chosen, and how
//! the games went in which it was played. It is filled from finished games ([`Book::add_game`]) or move by move
//! ([`Book::add`]: self-play, deep searches), kept in a checked file ([`Book::save`]), and any agent opens with it
//! ([`WithBook`]).
//!
//! What users of chess books in the Polyglot format know is here too: a weight for each move, in proportion to which it
//! is chosen; games counted to so many decisions and moves dropped that were played too seldom; books merged by reading
//! one after the other.
//!
//! # The file
//! Little-endian. A file is refused unless its form is as it should be; what its numbers say (a move that there is not, more points
//! than a game is worth) is not judged, and no harm comes of it: only legal moves are played.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `bw-book` and a line feed |
//! | 4 | version, 1 |
//! | 8 | length of the body |
//! | body | length of the label (4), label (UTF-8), fingerprint (8), number of positions (8), positions by rising key |
//! | 8 | checksum of all before it: [`KeyHasher`] |
//!
//! A position is its key (8), its number of moves (4, not 0), and of each move, by rising index: the index in the list of
//! moves (4), weight (4), games (8), sum of points for One (8, IEEE 754). A change within one 8-byte word of what
//! the checksum covers always changes it; another goes unnoticed once in 2^64.
//!
//! The *fingerprint* condenses the label, the way of keying, and the keys and lists of moves along a few fixed walks from
//! the first position. If a new version of a game changes its keys or the order of its moves, its old books are refused
//! instead of finding nothing or, worse, the wrong moves. Keys that hash lists of wide numbers differ between big- and
//! little-endian machines; the fingerprint sees that too.

use core::fmt::Debug;
use core::hash::{Hash, Hasher};
use std::collections::BTreeMap;

use gamecore::{Chance, Game, History, KeyHasher, Outcome, PlayError, Player, Step, Symmetry, Turn, canonical, mix};
use rand::Rng;

mod agent;
mod file;

pub use agent::WithBook;
pub use file::{BookError, MOST_BYTES, label};

/// Walks of a fingerprint, and the steps of each.
const WALKS: u64 = 8;
const STEPS: u64 = 64;

/// A move that a [`Book`] knows, as seen from the position asked about.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct BookMove<M> {
    /// The move, legal in the position.
    pub m: M,
    /// How often it is chosen, in proportion to the other moves' weights; 0: never.
    pub weight: u32,
    /// The games (or playouts, as [`Book::add`] was told) behind `value`.
    pub games: u64,
    /// The mean result in points for [`Player::One`]; `None` without games.
    pub value: Option<f64>,
}

/// What a book keeps of one move of a position, as seen from the position it is filed under.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Stat {
    /// In the list of moves.
    index: u32,
    weight: u32,
    games: u64,
    /// The sum over `games`, for One; finite.
    points: f64,
}

/// Where a position with a decision is filed, and how to read what is found there.
#[derive(Clone, Debug)]
struct Place<M> {
    key: u64,
    /// The moves of the state filed, in its order, as moves of the position asked about.
    moves: Vec<M>,
    /// For each move the first that is the same by symmetry: it speaks for all of them.
    first: Vec<u32>,
    /// Whether One there is Two here.
    swaps: bool,
}

impl<M: PartialEq> Place<M> {
    /// The index that `m` is filed under.
    fn index(&self, m: &M) -> Option<u32> {
        self.moves.iter().position(|x| x == m).map(|i| self.first[i])
    }

    /// Points for One there as points for One here, or back.
    fn turned(&self, points: f64) -> f64 {
        // Not `-points`: there is one zero only.
        if self.swaps { 0.0 - points } else { points }
    }
}

fn moves_of<G: Game>(game: &G) -> G::Moves {
    let mut moves = G::Moves::default();
    game.moves(&mut moves);
    moves
}

/// Every position for itself.
fn plain<G: Game>(game: &G) -> Place<G::Move> {
    let moves = moves_of(game).as_ref().to_vec();
    Place { key: game.key(), first: (0..moves.len() as u32).collect(), moves, swaps: false }
}

/// All positions of a symmetry class as one.
fn by_class<G: Symmetry>(game: &G) -> Place<G::Move> {
    let (there, sym) = canonical(game);
    let moves = moves_of(&there);
    let moves = moves.as_ref();
    let mut first: Vec<u32> = (0..moves.len() as u32).collect();
    for &own in there.symmetries().iter().filter(|&&own| there.transformed(own) == there) {
        for (&m, first) in moves.iter().zip(&mut first) {
            let image = there.map_move(m, own);
            if let Some(i) = moves.iter().position(|&x| x == image) {
                *first = (*first).min(i as u32);
            }
        }
    }
    let back = game.inverse(sym);
    let moves = moves.iter().map(|&m| there.map_move(m, back)).collect();
    Place { key: there.key(), moves, first, swaps: game.swaps_seats(sym) }
}

/// Moves by position, with weights and results.
///
/// Positions are filed by [`Game::key`]. A book made with [`symmetric`](Book::symmetric) files all positions that are the
/// same by symmetry as one, and moves that are the same in a symmetric position as one: what was learned in the top left
/// corner is known in the other three, and of the other seat if a symmetry exchanges them. Questions and answers are
/// always in terms of the position asked about. After a roll the die is part of the position: games with dice have an
/// entry for each face.
///
/// # Examples
/// A book of 300 random games, kept in a file's bytes, opens for an agent:
/// ```
/// use std::sync::Arc;
/// use gamecore::{Game, History, Turn, random, testing::toys::TicTacToe};
/// use search_core::{Agent, Limits, RandomAgent, StopReason, book::{self, Book, WithBook}};
///
/// let mut book = Book::symmetric("tictactoe", &TicTacToe::default());
/// let mut rng = random::generator(1);
/// for _ in 0..300 {
///     let mut game = History::from(TicTacToe::default());
///     while let Turn::Decide(_) = game.state().turn() {
///         game.try_play(game.state().random_move(&mut rng))?;
///     }
///     book.add_game(&game, 4, book::scored)?; // the first four decisions
/// }
/// book.prune(10); // moves of fewer than ten games
///
/// // The nine first moves are three by symmetry; in the centre x won most often.
/// let first = book.moves(&TicTacToe::default());
/// assert_eq!(first.len(), 3);
/// let centre = first.iter().find(|line| line.m == 4).unwrap();
/// assert!(first.iter().all(|line| line.value <= centre.value));
///
/// let bytes = book.to_bytes();
/// let mut read = Book::symmetric("tictactoe", &TicTacToe::default());
/// read.read_from(&bytes[..])?;
///
/// let mut agent = WithBook::new(Arc::new(read), RandomAgent(random::generator(2)), 3);
/// let report = agent.choose(&TicTacToe::default().into(), &Limits::default())?;
/// assert_eq!(report.stop, StopReason::Book);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book<G: Game> {
    label: String,
    fingerprint: u64,
    place: fn(&G) -> Place<G::Move>,
    /// By key; of each position at least one move, by rising index.
    positions: BTreeMap<u64, Vec<Stat>>,
}

impl<G: Game> Book<G> {
    /// An empty book that files every position for itself: for games without symmetries.
    ///
    /// `label` names the game with its rules, for error messages and because two rule sets may have the same keys at
    /// first ([`Text::NAME`](gamecore::Text::NAME) and more). `start` is a first position, not over; of games with many
    /// set-ups, a fixed one of them: the book is no less good for the others. Files are read only into a book of the same
    /// label and start.
    #[must_use]
    pub fn new(label: &str, start: &G) -> Self {
        Self::keyed(label, start, plain, 0)
    }

    fn keyed(label: &str, start: &G, place: fn(&G) -> Place<G::Move>, way: u8) -> Self {
        let mut hasher = KeyHasher::default();
        // Not `str`'s own hash, which std may change.
        hasher.write(label.as_bytes());
        (label.len(), way, G::MAX_POINTS).hash(&mut hasher);
        for walk in 0..WALKS {
            let mut state = start.clone();
            for step in 0..STEPS {
                hasher.write_u64(state.key());
                let pick = |n: usize| (mix(walk * STEPS + step) % n.max(1) as u64) as usize;
                match state.turn() {
                    Turn::Over(outcome) => {
                        outcome.points().hash(&mut hasher);
                        break;
                    }
                    Turn::Chance(chance) => {
                        let events = chance.events();
                        let Some(&(event, _)) = events.get(pick(events.len())) else { break };
                        state.resolve(event);
                    }
                    Turn::Decide(player) => {
                        let Place { key, moves, first, swaps } = place(&state);
                        player.hash(&mut hasher);
                        (key, swaps).hash(&mut hasher);
                        for m in moves_of(&state).as_ref().iter().chain(&moves) {
                            m.hash(&mut hasher);
                        }
                        first.iter().for_each(|&i| hasher.write_u32(i));
                        let Some(&m) = moves.get(pick(moves.len())) else { break };
                        state.play(m);
                    }
                }
            }
        }
        Self { label: label.into(), fingerprint: hasher.finish(), place, positions: BTreeMap::new() }
    }

    /// What the book was made for.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// How many positions it knows; symmetric ones count as one if it is [`symmetric`](Book::symmetric).
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds `weight`, and `games` of mean result `value` (points for [`Player::One`]), to what is known of a move.
    /// Without games the value does not count. Sums stop at the largest number that they can hold.
    ///
    /// # Errors
    /// If `m` cannot be played in `game`, or `value` is not finite; nothing changes then.
    pub fn add(&mut self, game: &G, m: G::Move, weight: u32, games: u64, value: f64) -> Result<(), AddError<G::Move>> {
        if !value.is_finite() {
            return Err(AddError::NotFinite { value });
        }
        let (key, index, turned) = self.file(game, m)?;
        let points = if turned { 0.0 - value } else { value } * games as f64;
        self.count(key, Stat { index, weight, games, points });
        Ok(())
    }

    /// Adds the first `decisions` of a finished game (a [`Record`](gamecore::Record) has one), those of both seats: to
    /// each move one game, its result, and the weight that `weight` gives to the mover and the outcome: [`played`],
    /// [`scored`], or a closure that lets only one seat's moves be chosen. A move that comes more than once, from the
    /// same position or a symmetric one, counts the first time.
    ///
    /// # Errors
    /// If the game is not over, or a move of it is not legal; nothing changes then.
    pub fn add_game(
        &mut self,
        game: &History<G>,
        decisions: usize,
        weight: impl Fn(Player, Outcome) -> u32,
    ) -> Result<(), AddError<G::Move>> {
        let Turn::Over(outcome) = game.state().turn() else { return Err(AddError::Unfinished) };
        let mut seen = BTreeMap::new();
        let moves = game.states().iter().zip(game.steps()).filter_map(|(state, step)| match (state.turn(), *step) {
            (Turn::Decide(mover), Step::Move(m)) => Some((state, mover, m)),
            _ => None,
        });
        for (state, mover, m) in moves.take(decisions) {
            let (key, index, turned) = self.file(state, m)?;
            let points = if turned { outcome.swapped() } else { outcome }.points().into();
            seen.entry((key, index)).or_insert(Stat { index, weight: weight(mover, outcome), games: 1, points });
        }
        for ((key, _), stat) in seen {
            self.count(key, stat);
        }
        Ok(())
    }

    /// Drops the moves of fewer than `games` games, and the positions that have no move left.
    pub fn prune(&mut self, games: u64) {
        self.positions.retain(|_, stats| {
            stats.retain(|stat| stat.games >= games);
            !stats.is_empty()
        });
    }

    /// What the book knows of `game`, the greatest weight first; empty if nothing. Of moves that are the same by symmetry
    /// one is listed. The order is the same in symmetric positions.
    #[must_use]
    pub fn moves(&self, game: &G) -> Vec<BookMove<G::Move>> {
        let Some((place, stats)) = self.find(game) else { return Vec::new() };
        let mut list: Vec<_> = stats.iter().map(|stat| line(&place, place.moves[stat.index as usize], stat)).collect();
        list.sort_by_key(|line| core::cmp::Reverse(line.weight));
        list
    }

    /// One of the moves of `game`, each with a probability proportional to its weight, by one draw. `None`, and nothing
    /// drawn, if the book knows none of a weight above 0. The same draw brings the same move in symmetric positions.
    pub fn choose<R: Rng + ?Sized>(&self, game: &G, rng: &mut R) -> Option<G::Move> {
        let moves = self.moves(game);
        let total: u64 = moves.iter().map(|line| u64::from(line.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut draw = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
        let chosen = moves.iter().find(|line| {
            let hit = draw < u64::from(line.weight);
            draw = draw.saturating_sub(line.weight.into());
            hit
        });
        chosen.map(|line| line.m)
    }

    /// The move of the greatest weight, of equal ones the one that comes first in the position filed. `None` if the book
    /// knows none of a weight above 0.
    #[must_use]
    pub fn best(&self, game: &G) -> Option<G::Move> {
        self.moves(game).first().filter(|line| line.weight > 0).map(|line| line.m)
    }

    /// Key and index of a move, and whether seats are exchanged there.
    fn file(&self, game: &G, m: G::Move) -> Result<(u64, u32, bool), PlayError<G::Move>> {
        match game.turn() {
            Turn::Over(_) => Err(PlayError::Over { m }),
            Turn::Chance(_) => Err(PlayError::ChanceFirst { m }),
            Turn::Decide(_) => {
                let place = (self.place)(game);
                let index = place.index(&m).ok_or(PlayError::Illegal { m })?;
                Ok((place.key, index, place.swaps))
            }
        }
    }

    /// What is known of a position. Nothing if any of it is no move there: two positions may have one key.
    fn find(&self, game: &G) -> Option<(Place<G::Move>, &[Stat])> {
        let Turn::Decide(_) = game.turn() else { return None };
        let place = (self.place)(game);
        let stats = self.positions.get(&place.key)?;
        let legal = moves_of(game);
        let fits = |stat: &Stat| place.moves.get(stat.index as usize).is_some_and(|m| legal.as_ref().contains(m));
        stats.iter().all(fits).then_some((place, stats))
    }

    /// Adds to the sums of a move.
    fn count(&mut self, key: u64, new: Stat) {
        let stats = self.positions.entry(key).or_default();
        match stats.binary_search_by_key(&new.index, |stat| stat.index) {
            Err(at) => {
                let points = 0.0 + new.points; // of two zeros, the positive one
                stats.insert(at, Stat { points: points.clamp(-f64::MAX, f64::MAX), ..new });
            }
            Ok(at) => {
                let old = &mut stats[at];
                old.weight = old.weight.saturating_add(new.weight);
                old.games = old.games.saturating_add(new.games);
                old.points = (old.points + new.points).clamp(-f64::MAX, f64::MAX);
            }
        }
    }
}

impl<G: Symmetry> Book<G> {
    /// An empty book that files all positions that are the same by symmetry as one ([`canonical`]); otherwise as
    /// [`new`](Book::new).
    #[must_use]
    pub fn symmetric(label: &str, start: &G) -> Self {
        Self::keyed(label, start, by_class, 1)
    }
}

/// What is known of the move `m` that `stat` is about.
fn line<M: PartialEq>(place: &Place<M>, m: M, stat: &Stat) -> BookMove<M> {
    let value = (stat.games > 0).then(|| place.turned(stat.points) / stat.games as f64);
    BookMove { m, weight: stat.weight, games: stat.games, value }
}

/// A weight of one for every game: moves are chosen as often as they were played.
#[must_use]
pub fn played(_mover: Player, _outcome: Outcome) -> u32 {
    1
}

/// Two for a game that the mover won, one for a draw, none for a loss, as Polyglot counts: moves are chosen for their
/// success too, and those that only ever lost are known but not chosen.
#[must_use]
pub fn scored(mover: Player, outcome: Outcome) -> u32 {
    match outcome.winner() {
        None => 1,
        Some(winner) => 2 * u32::from(winner == mover),
    }
}

/// Why something was not added to a book.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError<M: Debug> {
    /// The move cannot be played in the position.
    #[error(transparent)]
    Play(#[from] PlayError<M>),
    /// The game has no result yet.
    #[error("the game is not over: a book counts the results of finished games")]
    Unfinished,
    /// The value is infinite or not a number.
    #[error("a move's value must be a finite number of points, not {value}")]
    NotFinite {
        /// The refused value.
        value: f64,
    },
}
