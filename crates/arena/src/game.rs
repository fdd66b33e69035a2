//! One game between two agents.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use gamecore::{Dice, Game, History, Outcome, PlayError, Player, Record, Step, Turn};
use search_core::{Agent, AgentError, Limits, ReportOf};

/// A game that was played.
#[derive(Clone, Debug)]
pub struct GameResult<G: Game> {
    /// Its course, with the value that each mover gave the position.
    pub record: Record<G>,
    /// What it counts: the rules' outcome, one point against a forfeit, a draw if it was cut off.
    pub outcome: Outcome,
    /// Why it ended.
    pub end: End<G::Move>,
    /// Who decided first; `None` if nobody decided anything.
    pub first: Option<Player>,
    /// Decisions of each seat.
    pub decisions: [u64; 2],
    /// Time each seat took in all.
    pub time: [Duration; 2],
    /// Each seat's slowest decision.
    pub slowest: [Duration; 2],
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End<M: Debug> {
    /// By the rules.
    Rules,
    /// One side broke the rules or left, and lost.
    Forfeit {
        /// Who.
        player: Player,
        /// What happened.
        reason: Forfeit<M>,
    },
    /// The most decisions allowed were made; counted as a draw.
    TooLong,
}

/// How a game was forfeited.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Forfeit<M: Debug> {
    /// The move is not legal.
    #[error("illegal move: {0}")]
    Illegal(PlayError<M>),
    /// The answer has no move.
    #[error("an answer without a move")]
    NoMove,
    /// The agent could not go on.
    #[error("{0}")]
    Gone(AgentError),
}

/// Plays one game: `agents` and `limits` by seat, One first. Every move is checked: an illegal one, none at all, or
/// an agent's error loses the game.
///
/// After `most` decisions the game is cut off and a draw; without `most`, a game that the agents never end goes on
/// for ever.
///
/// # Examples
/// See the crate's front page.
pub fn play_game<G: Game>(
    start: G,
    agents: [&mut dyn Agent<G>; 2],
    limits: [&Limits; 2],
    dice: Dice,
    most: Option<u64>,
) -> GameResult<G> {
    let mut agents = agents;
    run(start, dice, most, &mut |player, history| agents[player].choose(history, limits[player]))
}

/// Asks for the decision of a seat.
type Ask<'a, G> = &'a mut dyn FnMut(Player, &History<G>) -> Result<ReportOf<G>, AgentError>;

/// [`play_game`], whoever sits in the seats.
pub(crate) fn run<G: Game>(start: G, dice: Dice, most: Option<u64>, ask: Ask<'_, G>) -> GameResult<G> {
    let mut game = GameResult {
        record: start.into(),
        outcome: Outcome::Draw,
        end: End::Rules,
        first: None,
        decisions: [0; 2],
        time: [Duration::ZERO; 2],
        slowest: [Duration::ZERO; 2],
    };
    loop {
        let history = game.record.history();
        match history.state().turn() {
            Turn::Over(outcome) => {
                game.outcome = outcome;
                return game;
            }
            Turn::Chance(chance) => {
                let event = dice.roll(&chance, history.steps().len());
                game.record.push(Step::Chance(event), None);
            }
            Turn::Decide(_) if most.is_some_and(|most| game.decisions.iter().sum::<u64>() >= most) => {
                game.end = End::TooLong;
                return game;
            }
            Turn::Decide(player) => {
                let started = Instant::now();
                let answer = ask(player, history);
                let took = started.elapsed();
                let checked = answer.map_err(Forfeit::Gone).and_then(|report| {
                    let m = report.best.ok_or(Forfeit::NoMove)?;
                    history.state().clone().try_play(m).map_err(Forfeit::Illegal)?;
                    Ok((m, report.value))
                });
                game.first.get_or_insert(player);
                game.decisions[player] += 1;
                game.time[player] += took;
                game.slowest[player] = game.slowest[player].max(took);
                match checked {
                    Ok((m, value)) => game.record.push(Step::Move(m), value.filter(|v| v.is_finite())),
                    Err(reason) => {
                        game.outcome = Outcome::win(player.other());
                        game.end = End::Forfeit { player, reason };
                        return game;
                    }
                }
            }
        }
    }
}
