//! Tournaments: who meets whom, on how many threads, until when.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use gamecore::{Dice, Game, Player, mix};
use rand::Rng;
use search_core::{Agent, StopFlag};
use serde::{Deserialize, Serialize};

use crate::contestant::MakeError;
use crate::game::panic_text;
use crate::{Contestant, End, Fault, Played, Seat, Sprt, Standings, Summary, Verdict, play_game};

/// How long a tournament is and where its luck comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Pairs of games that each two contestants play; single games in [`Pairing::SelfPlay`].
    pub pairs: u64,
    /// Of everything random: the starts, the dice, what agents decide at random.
    pub seed: u64,
    /// Decisions after which a game is cut off, as a draw; 10,000 unless changed. Without, games that never end are
    /// played for ever.
    pub most_decisions: Option<u64>,
}

impl Settings {
    /// So many pairs, on the starts and dice of `seed`.
    #[must_use]
    pub fn new(pairs: u64, seed: u64) -> Self {
        Self { pairs, seed, most_decisions: Some(10_000) }
    }

    /// The same settings, and games of at most so many decisions.
    #[must_use]
    pub fn and_most_decisions(self, most: u64) -> Self {
        Self { most_decisions: Some(most), ..self }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pairing {
    /// Everybody meets everybody else.
    #[default]
    RoundRobin,
    /// The first contestant meets each of the others.
    Gauntlet,
    /// The only contestant meets itself, in single games: what are the seats worth? Pairs would play each game twice.
    SelfPlay,
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round robin",
            Self::Gauntlet => "gauntlet",
            Self::SelfPlay => "match of self-play",
        })
    }
}

impl Pairing {
    /// The two of each meeting, the one in seat One of its first game in front, in the order in which a round is played.
    #[must_use]
    pub fn meetings(self, contestants: usize) -> Vec<(usize, usize)> {
        match self {
            Self::RoundRobin => (1..contestants).flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
            Self::Gauntlet => (1..contestants).map(|b| (0, b)).collect(),
            Self::SelfPlay => vec![(0, 0)],
        }
    }

    /// Games of one meeting on one start and dice.
    #[must_use]
    pub fn games(self) -> usize {
        match self {
            Self::RoundRobin | Self::Gauntlet => 2,
            Self::SelfPlay => 1,
        }
    }
}

/// One meeting on one start and dice: what a [`Tournament`] plays and counts as one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit<G: Game> {
    /// Its place in the tournament, from 0.
    pub number: u64,
    /// The round that it belongs to: which start and dice.
    pub pair: u64,
    /// The contestants; the first has seat One in the first game and Two in the second.
    pub contestants: [usize; 2],
    /// The games: two, or one in [`Pairing::SelfPlay`].
    pub games: Vec<Played<G>>,
}

/// How a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Finish {
    /// Everything was played.
    Complete,
    /// The sequential test has decided.
    Decided(Verdict),
    /// Somebody stopped it.
    Stopped,
}

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Too few contestants, or too many.
    #[error("a {pairing} needs {needed}, not {found}")]
    Contestants {
        /// The pairing.
        pairing: Pairing,
        /// How many it needs.
        needed: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Two contestants have the same name.
    #[error("two contestants are called \"{name}\": tables and records need different names")]
    SameName {
        /// The name.
        name: String,
    },
    /// A sequential test is between two.
    #[error("a sequential test is a match of two contestants, not of {found}")]
    SprtContestants {
        /// How many there are.
        found: usize,
    },
    /// The standings to go on from are another tournament's.
    #[error("the standings to go on from are of other contestants or another pairing")]
    Standings,
    /// A contestant's agent cannot be made.
    #[error("{name} cannot take part: {source}")]
    Agent {
        /// The contestant.
        name: String,
        /// Why.
        source: MakeError,
    },
}

/// Makes the start of each pair from its number and a generator.
type Setup<G> = Box<dyn Fn(u64, &mut dyn Rng) -> G + Send + Sync>;

/// A tournament between agents at one game.
///
/// It is played in *rounds*: in each, everybody meets whom it has to meet, in pairs of games on the same start and dice. So
/// one that is broken off has played about as much of each meeting, and each of its games depends on the seed and its place
/// alone: the same tournament on two threads, or in two parts, gives the same [`Standings`] (up to times), and any game can
/// be [played again](Tournament::again) by itself.
///
/// # Examples
/// See the crate's front page.
pub struct Tournament<G: Game> {
    settings: Settings,
    setup: Setup<G>,
    contestants: Vec<Contestant<G>>,
    pairing: Pairing,
    sprt: Option<Sprt>,
    threads: usize,
    stop: StopFlag,
}

impl<G: Game> fmt::Debug for Tournament<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tournament")
            .field("settings", &self.settings)
            .field("contestants", &self.contestants)
            .field("pairing", &self.pairing)
            .finish_non_exhaustive()
    }
}

/// The agents of one thread.
type Agents<G> = Vec<Box<dyn Agent<G>>>;

impl<G: Game> Tournament<G> {
    /// A tournament. `setup` makes the start of each pair from its number and a generator that depends on the seed and that
    /// number alone; a game without chance needs starts that differ, or agents that play at random: every pair is the
    /// same otherwise.
    ///
    /// # Errors
    /// If the pairing does not fit the number of contestants (two or more; for self-play one), or two have the same name.
    pub fn new(
        settings: Settings,
        pairing: Pairing,
        setup: impl Fn(u64, &mut dyn Rng) -> G + Send + Sync + 'static,
        contestants: Vec<Contestant<G>>,
    ) -> Result<Self, TournamentError> {
        let found = contestants.len();
        let needed = match pairing {
            Pairing::SelfPlay if found != 1 => Some("exactly one contestant"),
            Pairing::RoundRobin | Pairing::Gauntlet if found < 2 => Some("two contestants or more"),
            _ => None,
        };
        if let Some(needed) = needed {
            return Err(TournamentError::Contestants { pairing, needed, found });
        }
        for (i, contestant) in contestants.iter().enumerate() {
            if contestants[..i].iter().any(|c| c.name == contestant.name) {
                return Err(TournamentError::SameName { name: contestant.name.clone() });
            }
        }
        Ok(Self { settings, setup: Box::new(setup), contestants, pairing, sprt: None, threads: 1, stop: StopFlag::default() })
    }

    /// With a sequential test of the first contestant against the second, which ends the match when it has decided.
    ///
    /// # Errors
    /// Unless there are exactly two contestants.
    pub fn with_sprt(self, sprt: Sprt) -> Result<Self, TournamentError> {
        match self.contestants.len() {
            2 => Ok(Self { sprt: Some(sprt), ..self }),
            found => Err(TournamentError::SprtContestants { found }),
        }
    }

    /// On so many threads (1 unless changed, 1 to 1024), each with a game of its own. Where time is limited, use no more than
    /// there are idle cores, fewer if the agents have threads themselves: they would take each other's time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.clamp(1, 1024), ..self }
    }

    /// With a flag that stops the tournament when raised. Flags in the contestants' limits are not heeded.
    #[must_use]
    pub fn with_stop(self, stop: StopFlag) -> Self {
        Self { stop, ..self }
    }

    /// How long it is and where its luck comes from.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Who meets whom.
    #[must_use]
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }

    /// The sequential test, if there is one.
    #[must_use]
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Who takes part.
    #[must_use]
    pub fn contestants(&self) -> &[Contestant<G>] {
        &self.contestants
    }

    /// The table before the first game.
    #[must_use]
    pub fn standings(&self) -> Standings {
        Standings::new(self.pairing, self.contestants.iter().map(|c| c.name.clone()).collect())
    }

    /// How many [units](Unit) there are to play.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.settings.pairs.saturating_mul(self.pairing.meetings(self.contestants.len()).len() as u64)
    }

    /// Plays on from `standings` (of this tournament: [`standings`](Self::standings) at first, or read from a
    /// [log](crate::Log)) to the end.
    ///
    /// `watch` sees every unit when it has been counted, in order whatever the number of threads, and may stop the tournament
    /// by [`ControlFlow::Break`]. Units that are interrupted do not count. To stop when the interval looks good is to
    /// be wrong more often than it says: that is what [`with_sprt`](Self::with_sprt) is for.
    ///
    /// # Errors
    /// If an agent cannot be made, or the standings are another tournament's.
    ///
    /// # Panics
    /// If `setup` or what makes an agent does.
    pub fn play(
        &self,
        standings: &mut Standings,
        watch: &mut dyn FnMut(&Unit<G>, &Standings) -> ControlFlow<()>,
    ) -> Result<Finish, TournamentError> {
        if (standings.pairing(), standings.names()) != (self.pairing, self.standings().names()) {
            return Err(TournamentError::Standings);
        }
        let first = standings.units();
        let total = self.units();
        if let Some(finish) = self.finished(standings) {
            return Ok(finish);
        }
        // What stops the workers: ours if we have seen enough, the caller's if they have.
        let stop = self.stop.child();
        let threads = self.threads.min(usize::try_from(total - first).unwrap_or(usize::MAX));
        let ahead = threads * 32;
        let (tasks, todo) = sync_channel::<u64>(ahead);
        let (done, results) = sync_channel(ahead);
        let todo = Mutex::new(todo);
        thread::scope(|scope| {
            let results = results;
            for _ in 0..threads {
                let (todo, done, stop) = (&todo, done.clone(), &stop);
                scope.spawn(move || self.work(todo, &done, stop));
            }
            // The channel ends with the last worker.
            drop(done);
            // Raised however this ends, a panic in `watch` included: the scope waits for the workers.
            let _raise = RaiseAtEnd(&stop);
            let (mut next, mut early) = (first, BTreeMap::new());
            let mut tasks = Some(tasks);
            loop {
                while next < total && next < standings.units() + ahead as u64 {
                    if tasks.as_ref().is_none_or(|tasks| tasks.send(next).is_err()) {
                        break;
                    }
                    next += 1;
                }
                if next == total {
                    tasks = None;
                }
                let Ok(unit) = results.recv() else { return Ok(Finish::Stopped) };
                let unit = unit.unwrap_or_else(|panic| resume_unwind(panic))?;
                early.insert(unit.number, unit);
                while let Some(unit) = early.remove(&standings.units()) {
                    let games: Vec<&Summary> = unit.games.iter().map(|game| &game.summary).collect();
                    standings.add(&games);
                    let flow = watch(&unit, standings);
                    if let Some(finish) = self.finished(standings) {
                        return Ok(finish);
                    }
                    if flow.is_break() {
                        return Ok(Finish::Stopped);
                    }
                }
            }
        })
    }

    /// How the tournament has ended, if it has.
    fn finished(&self, standings: &Standings) -> Option<Finish> {
        let verdict = self.sprt.zip(standings.score(0, 1)).map(|(sprt, score)| sprt.verdict(score.tally()));
        match verdict {
            Some(verdict @ (Verdict::H0 | Verdict::H1)) => Some(Finish::Decided(verdict)),
            _ => (standings.units() >= self.units()).then_some(Finish::Complete),
        }
    }

    /// Plays units until there are no more.
    fn work(
        &self,
        todo: &Mutex<Receiver<u64>>,
        done: &SyncSender<thread::Result<Result<Unit<G>, TournamentError>>>,
        stop: &StopFlag,
    ) {
        let mut agents = match catch_unwind(AssertUnwindSafe(|| self.agents())) {
            Ok(Ok(agents)) => agents,
            failed => {
                let _ = done.send(failed.map(|failed| failed.map(|_| unreachable!("taken above"))));
                return;
            }
        };
        loop {
            // Whoever holds the lock waits for a task.
            let Ok(number) = todo.lock().map_err(drop).and_then(|todo| todo.recv().map_err(drop)) else { return };
            let unit = catch_unwind(AssertUnwindSafe(|| self.play_with(&mut agents, number, stop)));
            let unit = unit.map(Result::transpose).transpose();
            // Nothing comes of a game that was stopped.
            if unit.is_none_or(|unit| stop.is_raised() || done.send(unit).is_err()) {
                return;
            }
        }
    }

    /// An agent for each contestant; two of the same for self-play.
    fn agents(&self) -> Result<Agents<G>, TournamentError> {
        let slots = self.contestants.len().max(2);
        (0..slots).map(|slot| self.agent(slot)).collect()
    }

    /// Which two meet in a unit, and in which meeting of its round.
    fn place(&self, number: u64) -> (u64, u64, [usize; 2]) {
        let meetings = self.pairing.meetings(self.contestants.len());
        let (pair, place) = (number / meetings.len() as u64, number % meetings.len() as u64);
        let (a, b) = meetings[place as usize];
        (pair, place, [a, b])
    }

    fn agent(&self, slot: usize) -> Result<Box<dyn Agent<G>>, TournamentError> {
        let contestant = &self.contestants[slot.min(self.contestants.len() - 1)];
        contestant.agent().map_err(|source| TournamentError::Agent { name: contestant.name.clone(), source })
    }

    /// Plays units by themselves, each exactly as the tournament plays it (if nobody's decisions depend on time).
    ///
    /// # Errors
    /// If an agent cannot be made.
    pub fn again(&self) -> Result<Again<'_, G>, TournamentError> {
        Ok(Again { agents: self.agents()?, tournament: self })
    }

    fn play_with(&self, agents: &mut Agents<G>, number: u64, stop: &StopFlag) -> Result<Option<Unit<G>>, TournamentError> {
        let (pair, place, [a, b]) = self.place(number);
        let dice = Dice::new(self.settings.seed, pair);
        let start = (self.setup)(pair, &mut dice.start());
        let slots = if a == b { [0, 1] } else { [a, b] };
        let paces = [a, b].map(|contestant| {
            let mut pace = self.contestants[contestant].pace.clone();
            pace.limits.stop = Some(stop.clone());
            pace
        });
        let mut games = Vec::with_capacity(self.pairing.games());
        for game in 0..self.pairing.games() {
            if stop.is_raised() {
                return Ok(None);
            }
            let mut broken = None;
            for (side, &slot) in slots.iter().enumerate() {
                let place = [place, game as u64, side as u64];
                let seed = place.into_iter().fold(mix(mix(self.settings.seed) ^ pair), |seed, x| mix(seed.wrapping_add(x + 1)));
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| agents[slot].new_game(seed))) {
                    broken = Some((side, panic_text(&*panic).to_string()));
                }
            }
            if let Some((side, reason)) = broken {
                // Side 0 has seat One in the first game.
                let player = Player::BOTH[side ^ game];
                agents[slots[side]] = self.agent(slots[side])?;
                games.push(Played::forfeited(
                    start.clone(),
                    player,
                    Fault::Crashed,
                    format!("panicked before the game: {reason}"),
                ));
                continue;
            }
            let [low, high] = agents
                .get_disjoint_mut(slots)
                .unwrap_or_else(|_| unreachable!("there is an agent for each of the two contestants"));
            let mut seats = [Seat { agent: &mut **low, pace: &paces[0] }, Seat { agent: &mut **high, pace: &paces[1] }];
            if game == 1 {
                seats.reverse();
            }
            let played = play_game(start.clone(), seats, dice, self.settings.most_decisions);
            if played.summary.end == End::Stopped {
                return Ok(None);
            }
            if let End::Forfeit { player, fault: Fault::Crashed, .. } = played.summary.end {
                // Whatever state the panic has left it in.
                let slot = slots[usize::from((player == Player::Two) != (game == 1))];
                agents[slot] = self.agent(slot)?;
            }
            games.push(played);
        }
        Ok(Some(Unit { number, pair, contestants: [a, b], games }))
    }
}

/// Plays units of a [`Tournament`] again, with the same agents for all of them.
pub struct Again<'a, G: Game> {
    tournament: &'a Tournament<G>,
    agents: Agents<G>,
}

impl<G: Game> Again<'_, G> {
    /// Plays a unit. `None` if it was stopped. Units beyond [`Tournament::units`] are those that a longer tournament would
    /// play.
    ///
    /// # Errors
    /// If an agent cannot be made anew after a panic.
    pub fn play(&mut self, number: u64) -> Result<Option<Unit<G>>, TournamentError> {
        self.tournament.play_with(&mut self.agents, number, &self.tournament.stop)
    }
}

impl<G: Game> fmt::Debug for Again<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Again").field(self.tournament).finish()
    }
}

/// Raises a flag when it goes.
struct RaiseAtEnd<'a>(&'a StopFlag);

impl Drop for RaiseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}
