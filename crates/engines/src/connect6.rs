//! Connect6 and its family.

use std::time::{Duration, Instant};

use gamecore::{Bounds, Evaluator, Game, History, Leaf, Player, Step, Turn, random};
use games_connect6::eval::{Forcing, Learned};
use games_connect6::learned::Net;
use games_connect6::{CANDIDATES, Connect6, Forced, Narrowed, Point, Vcdt, Windows};
use search_alphabeta::AlphaBeta;
use search_core::{
    Agent, AgentError, Analyst, Limits, MoveLine, MoveOrder, RandomAgent, Report, ReportOf, SearchError, StopFlag, StopReason,
    Watch,
};
use search_mcts::{Generator, Interrupted, Leaves, Mcts, Parallel, Selection, Widening};

use crate::algorithm::named_algorithms;
use crate::level::numbered_levels;
use crate::named::Named;

/// The order in which stones are looked at: by [`Narrowed::promise`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Order;

impl MoveOrder<Narrowed> for Order {
    #[inline]
    fn scores(&self, game: &Narrowed, moves: &[Point], scores: &mut [i32]) {
        for (score, &m) in scores.iter_mut().zip(moves) {
            *score = game.promise(m);
        }
    }
}

/// What a leaf of the tree search is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Worth {
    /// What the evaluator says.
    #[default]
    Evaluator,
    /// What it says after so many stones, each a random one of the short list ([`Narrowed`]); or what comes of them, if the game
    /// ends before.
    Cut(u32),
    /// What comes of the game if it goes on at random.
    Playout,
}

/// What the tree search is told of a position: how stones look, by what they add to windows; what it is worth; and wins by double
/// threats.
#[derive(Clone, Debug)]
pub struct Guided {
    /// Finds wins by double threats.
    pub forcing: Forcing,
    /// [`Narrowed::promise`] is divided by this before it is exponentiated.
    pub temperature: f32,
    /// What the position is worth.
    pub worth: Worth,
}

impl Guided {
    /// The value of a position that is not known to be won, and how many stones were put to find it.
    fn value(&self, game: &Narrowed, rng: &mut Generator) -> (f32, u64) {
        match self.worth {
            Worth::Evaluator => (Learned.value(game), 0),
            Worth::Cut(stones) => {
                let mut now = game.clone();
                for put in 0..stones {
                    if let Turn::Over(outcome) = now.turn() {
                        return (Learned.terminal(&now, outcome), put.into());
                    }
                    let m = now.random_move(rng);
                    now.play(m);
                }
                let value = match now.turn() {
                    Turn::Over(outcome) => Learned.terminal(&now, outcome),
                    _ => Learned.value(&now),
                };
                (value, stones.into())
            }
            Worth::Playout => (game.game().random_outcome(rng).points() as f32, 0),
        }
    }
}

impl Leaves<Narrowed> for Guided {
    const PRIORS: bool = true;

    fn evaluate(&self, leaves: &mut [Leaf<Narrowed>], rng: &mut Generator, watch: &mut Watch) -> Result<(), Interrupted> {
        for Leaf { game, moves, priors, value } in leaves.iter_mut() {
            priors.clear();
            let best = moves.iter().map(|&m| game.promise(m)).max().unwrap_or(0);
            priors.extend(moves.iter().map(|&m| ((game.promise(m) as f32 - best as f32) / self.temperature).exp()));
            let sum: f32 = priors.iter().sum();
            priors.iter_mut().for_each(|prior| *prior /= sum);
            let stones;
            (*value, stones) = self.value(game, rng);
            if watch.count(1 + stones) {
                return Err(Interrupted);
            }
        }
        Ok(())
    }

    fn bounds(&self, game: &Narrowed) -> Bounds {
        self.forcing.bounds(game)
    }
}

/// How an engine searches. Written `alpha-beta` or `mcts`.
///
/// # Examples
/// ```
/// use engines::connect6::Algorithm;
/// assert_eq!("mcts".parse(), Ok(Algorithm::Mcts));
/// assert!("minimax".parse::<Algorithm>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Alpha-beta over single stones.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search: PUCT over single stones, with the evaluator's word for playouts. Limited by a depth alone, it
    /// runs 10,000 playouts.
    Mcts,
}

named_algorithms!(AlphaBeta = "alpha-beta", Mcts = "mcts");

/// The engine. A decision is one stone: whoever has two in a turn is asked twice.
///
/// First it looks for a win by continuous double threats ([`Vcdt`]), which is played at once; if the opponent threatens one, the
/// points of that line are candidates too. Then it searches a short list of candidates ([`Narrowed`]).
///
/// Depth counts stones, so two turns ahead are depth 4. Values are points for [`Player::One`]: 1 if it wins,
/// -1 if it loses, the [evaluator's](Learned) opinion between. Reports have the stones that were looked at, not all that are legal.
///
/// # Examples
/// ```
/// use engines::connect6::Engine;
/// use games_connect6::Connect6;
/// use search_core::{Agent, Limits};
///
/// // Four in a row and two stones to put: that is a win.
/// let game: Connect6 = "9/9/9/2xxxx3/9/3oooo2/9/9/9 one 2".parse()?;
/// let report = Engine::new().choose(&game.into(), &Limits::depth(2))?;
/// assert_eq!((report.value, report.ends_in), (Some(1.0), Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    alphabeta: AlphaBeta<Narrowed, Forcing, Order>,
    mcts: Mcts<Narrowed, Guided>,
    algorithm: Algorithm,
    width: [u8; 2],
    net: Option<&'static Net>,
    vcdt: Option<Vcdt>,
    /// The key of the position in the middle of a turn that wins, and how that goes on.
    plan: Option<(u64, Vec<Point>)>,
}

/// What an [`Engine`] spends on its table or tree, unless told otherwise.
pub const TABLE_BYTES: usize = 64 << 20;

/// Turns and nodes of the searches for double threats next to the root.
const NEAR: (u8, u64) = (4, 20);
/// And at the root.
const ROOT: (u8, u64) = (16, 20_000);

/// Of [`Guided`].
const TEMPERATURE: f32 = 100.0;

/// How often a search is repeated because what it found loses.
const TRIES: u32 = 12;

/// In hundredths of what is left to spend: a look for double threats, the first search, and one that is repeated.
const LOOK: u32 = 50;
const FIRST: u32 = 50;
const AGAIN: u32 = 33;

/// What a decision may spend, and what it has spent.
struct Budget<'a> {
    limits: &'a Limits,
    started: Instant,
    nodes: u64,
}

impl<'a> Budget<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self { limits, started: Instant::now(), nodes: 0 }
    }

    /// So many hundredths of what is left of time and nodes, and the other limits.
    fn share(&self, hundredths: u32) -> Limits {
        let mut rest = self.limits.clone();
        rest.time = self.limits.time.map(|time| time.saturating_sub(self.started.elapsed()) / 100 * hundredths);
        rest.nodes = self.limits.nodes.map(|most| {
            let left = u128::from(most.saturating_sub(self.nodes));
            ((left * u128::from(hundredths) / 100) as u64).max(1)
        });
        rest
    }

    /// Whether time and flag allow more.
    fn go_on(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let stop = self.limits.stop.clone();
        // A time too long for the clock is no limit.
        let deadline = self.limits.time.and_then(|time| self.started.checked_add(time));
        move || !stop.as_ref().is_some_and(StopFlag::is_raised) && deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    /// Whether what is left is not worth another search.
    fn is_nearly_spent(&self) -> bool {
        let Limits { nodes, time, stop, .. } = self.limits;
        stop.as_ref().is_some_and(StopFlag::is_raised)
            || time.is_some_and(|time| self.started.elapsed() > time / 10 * 9)
            || nodes.is_some_and(|most| self.nodes > most / 10 * 9)
    }
}

/// Whether wins by double threats ([`Vcdt`]) are of this game: turns have two stones.
fn has_double_threats(game: &Connect6) -> bool {
    game.rules().turns().each() == 2
}

/// A part of the [`Engine`] that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Part {
    /// Looking for wins by double threats at the root: the mover's, the opponent's, and those to which what was found would lose.
    VcdtAtRoot,
    /// Looking for them in the search.
    VcdtBelow,
    /// Looking for them in the search further than a turn from the root.
    VcdtFar,
    /// Late stones searched less deep, by alpha-beta.
    Reductions,
    /// Killers, counter-moves and history, of alpha-beta.
    Learning,
    /// The table of alpha-beta.
    Table,
    /// The tree search's opinion of stones before it has tried them.
    Priors,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::VcdtAtRoot, Self::VcdtBelow, Self::VcdtFar, Self::Reductions, Self::Learning, Self::Table, Self::Priors];
}

impl Engine {
    /// With a table of [`TABLE_BYTES`], on one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::without(&[])
    }

    /// The engine without some of its parts: for a weaker player, or to measure what they are worth.
    #[must_use]
    pub fn without(parts: &[Part]) -> Self {
        let has = |part| !parts.contains(&part);
        let forcing = match (has(Part::VcdtBelow), has(Part::VcdtFar)) {
            (true, true) => Forcing::new(NEAR.0, NEAR.1),
            (true, false) => Forcing::new(NEAR.0, NEAR.1).with_far(0, 0),
            (false, _) => Forcing::new(0, 0),
        };
        let temperature = if has(Part::Priors) { TEMPERATURE } else { f32::INFINITY };
        let guided = Guided { forcing: forcing.clone(), temperature, worth: Worth::Evaluator };
        let mcts = Mcts::new(guided).with_batch(1).with_memory(TABLE_BYTES).with_selection(Selection::Puct { c: 2.0 });
        let mut alphabeta = AlphaBeta::new(forcing).with_order(Order).with_learning(has(Part::Learning));
        alphabeta = alphabeta.with_table(if has(Part::Table) { TABLE_BYTES } else { 0 });
        if has(Part::Reductions) {
            alphabeta = alphabeta.with_reductions();
        }
        let vcdt = has(Part::VcdtAtRoot).then(|| Vcdt::default().with_turns(ROOT.0).with_nodes(ROOT.1));
        Self { alphabeta, mcts, algorithm: Algorithm::default(), width: CANDIDATES, net: None, vcdt, plan: None }
    }

    /// With a table or tree of at most so many bytes.
    #[must_use]
    pub fn with_table(self, bytes: usize) -> Self {
        Self { alphabeta: self.alphabeta.with_table(bytes), mcts: self.mcts.with_memory(bytes), ..self }
    }

    /// On so many threads, at least 1. Only one brings the same report every time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        let mcts = self.mcts.with_threads(threads, Parallel::Tree);
        Self { alphabeta: self.alphabeta.with_threads(threads), mcts, ..self }
    }

    /// With another algorithm than the strongest.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// With so many candidates a stone instead of [`CANDIDATES`]: see [`Narrowed::with_width`].
    #[must_use]
    pub fn with_width(self, width: [u8; 2]) -> Self {
        Self { width, ..self }
    }

    /// With what was learned for values and candidates ([`Narrowed::with_net`]); without, it counts
    /// windows, which is quicker.
    #[must_use]
    pub fn with_net(self, net: Option<&'static Net>) -> Self {
        Self { net, ..self }
    }

    /// With leaves of the tree search that are worth something else than the evaluator's opinion.
    #[must_use]
    pub fn with_worth(self, worth: Worth) -> Self {
        let guided = Guided { worth, ..self.mcts.leaves().clone() };
        Self { mcts: self.mcts.with_leaves(guided), ..self }
    }

    /// With a tree search that looks at the first stones of its list only, and at more the more often a position is visited.
    #[must_use]
    pub fn with_widening(self, widening: Widening) -> Self {
        Self { mcts: self.mcts.with_widening(widening), ..self }
    }

    /// A win of `attacker`'s, who is to move with `left` stones, by double threats, if they are looked for and one is found.
    fn look(&mut self, windows: &Windows, attacker: Player, left: u8, budget: &mut Budget<'_>) -> Option<Vec<Point>> {
        let vcdt = self.vcdt.as_mut()?;
        let mut watch = Watch::start(&budget.share(LOOK));
        let found = vcdt.win_while(windows, attacker, left, || !watch.count(1));
        budget.nodes += vcdt.nodes();
        match found {
            Forced::Win(line) => Some(line),
            Forced::No | Forced::Unknown => None,
        }
    }

    /// A position for the searches.
    fn laid_out(&self, game: Connect6) -> Narrowed {
        Narrowed::from(game).with_width(self.width).with_net(self.net)
    }

    /// The position as it is searched.
    fn narrowed(&mut self, game: &Connect6, budget: &mut Budget<'_>) -> Narrowed {
        self.alphabeta.evaluator().begin_while(game, budget.go_on());
        self.mcts.leaves().forcing.begin_while(game, budget.go_on());
        let narrowed = self.laid_out(game.clone());
        if has_double_threats(game)
            && let Some(line) = self.look(narrowed.windows(), game.mover().other(), 2, budget)
        {
            self.expect(&line);
            return narrowed.with_points(line);
        }
        narrowed
    }

    /// The opponent threatens to win so.
    fn expect(&self, line: &[Point]) {
        if let [a, b, _, ..] = *line {
            self.alphabeta.evaluator().expect([a, b]);
            self.mcts.leaves().forcing.expect([a, b]);
        }
    }

    /// Searches, and sees whether what was found loses by double threats; if so, that is known, and the search is repeated.
    fn search(
        &mut self,
        narrowed: &Narrowed,
        history: &History<Connect6>,
        budget: &mut Budget<'_>,
    ) -> Result<ReportOf<Connect6>, AgentError> {
        let (mut game, mut points) = (narrowed.clone(), Vec::new());
        let (mut evaluations, mut cpu_elsewhere) = (0, Duration::ZERO);
        let goes_on = game.game().left() < game.game().rules().turns().each();
        let looks = self.vcdt.is_some() && has_double_threats(game.game());
        for tries in 0.. {
            // Some is kept for searches that have to be repeated; those need not go as far.
            let share = match tries {
                _ if !looks => 100,
                0 => FIRST,
                _ => AGAIN,
            };
            let rest = budget.share(share);
            let mut report = match self.algorithm {
                Algorithm::AlphaBeta => self.alphabeta.search(&game, &rest)?,
                // A turn's second stone goes on with the tree of the first, unless other moves are to be looked at. A new turn
                // begins anew: what is near now was far then, and not looked at for double threats.
                Algorithm::Mcts if tries == 0 && game.points().is_empty() => {
                    if !goes_on {
                        self.mcts.clear();
                    }
                    self.mcts.choose(&self.followed(history), &rest)?
                }
                Algorithm::Mcts => self.mcts.search(&game, &rest)?,
            };
            budget.nodes += report.nodes;
            evaluations += report.evaluations;
            cpu_elsewhere += report.cpu_elsewhere;
            let found = if tries == TRIES || !looks || budget.is_nearly_spent() {
                None
            } else {
                self.refutation(game.game(), &report, budget)
            };
            let Some(line) = found else {
                (report.nodes, report.evaluations, report.cpu_elsewhere) = (budget.nodes, evaluations, cpu_elsewhere);
                return Ok(report);
            };
            self.expect(&line);
            points.extend(line);
            game = game.with_points(points.iter().copied());
            self.alphabeta.clear();
            self.mcts.clear();
        }
        unreachable!("the last try returns")
    }

    /// The game so far as it is searched.
    fn followed(&self, history: &History<Connect6>) -> History<Narrowed> {
        let mut followed = History::from(self.laid_out(history.start().clone()));
        for &step in history.steps() {
            match step {
                Step::Move(m) => followed.push(Step::Move(m)),
                Step::Chance(never) => match never {},
            }
        }
        followed
    }

    /// A win by double threats that the opponent has after the turn that a report expects; it is remembered.
    fn refutation(&mut self, game: &Connect6, report: &ReportOf<Connect6>, budget: &mut Budget<'_>) -> Option<Vec<Point>> {
        let best = report.best_line()?;
        let mover = game.mover();
        if report.value == Some((-mover.sign()).into()) {
            // It is known to lose.
            return None;
        }
        let mut next = game.after(best.m);
        for step in &best.line {
            match *step {
                Step::Move(m) if next.outcome().is_none() && next.mover() == mover => next.play(m),
                _ => break,
            }
        }
        if next.outcome().is_some() || next.mover() == mover {
            return None;
        }
        let line = self.look(&next.windows(), next.mover(), next.left(), budget)?;
        self.alphabeta.evaluator().remember(&next);
        self.mcts.leaves().forcing.remember(&next);
        Some(line)
    }

    /// A win by double threats, if one is found.
    fn forced(&mut self, game: &Connect6, budget: &mut Budget<'_>) -> Option<ReportOf<Connect6>> {
        let plan = self.plan.take().filter(|plan| plan.0 == game.key());
        let line = match plan {
            Some((_, line)) => line,
            None if has_double_threats(game) => self.look(&game.windows(), game.mover(), game.left(), budget)?,
            None => return None,
        };
        let (&first, rest) = line.split_first()?;
        let value = game.mover().sign().into();
        let mut found = MoveLine::new(first, value);
        found.ends_in = u32::try_from(line.len()).ok();
        found.nodes = budget.nodes;
        found.line = rest.iter().map(|&m| Step::Move(m)).collect();
        let mut report = Report::of_move(first, Some(value));
        report.ends_in = found.ends_in;
        report.moves = vec![found];
        report.nodes = budget.nodes;
        report.stop = StopReason::Solved;
        if game.left() > 1 && !rest.is_empty() {
            self.plan = Some((game.after(first).key(), rest.to_vec()));
        }
        Some(report)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent<Connect6> for Engine {
    fn name(&self) -> String {
        self.algorithm.to_string()
    }

    fn new_game(&mut self, seed: u64) {
        self.plan = None;
        self.alphabeta.evaluator().forget();
        self.mcts.leaves().forcing.forget();
        Agent::<Narrowed>::new_game(&mut self.alphabeta, seed);
        Agent::<Narrowed>::new_game(&mut self.mcts, seed);
    }

    fn choose(&mut self, history: &History<Connect6>, limits: &Limits) -> Result<ReportOf<Connect6>, AgentError> {
        let game = history.state();
        match game.turn() {
            Turn::Decide(_) => {}
            Turn::Over(_) => return Err(AgentError::NothingToDecide),
            Turn::Chance(never) => match never {},
        }
        let limits = self.algorithm.limited(limits);
        let mut budget = Budget::new(&limits);
        let mut report = match self.forced(game, &mut budget) {
            Some(report) => report,
            None => {
                let narrowed = self.narrowed(game, &mut budget);
                self.search(&narrowed, history, &mut budget)?
            }
        };
        report.elapsed = budget.started.elapsed();
        Ok(report)
    }
}

impl Analyst<Connect6> for Engine {
    fn analyse(&mut self, game: &Connect6, limits: &Limits) -> Result<ReportOf<Connect6>, SearchError> {
        let limits = self.algorithm.limited(limits);
        let mut budget = Budget::new(&limits);
        let game = self.narrowed(game, &mut budget);
        let rest = budget.share(100);
        let mut report = match self.algorithm {
            Algorithm::AlphaBeta => self.alphabeta.analyse(&game, &rest),
            Algorithm::Mcts => self.mcts.analyse(&game, &rest),
        }?;
        report.nodes += budget.nodes;
        report.elapsed = budget.started.elapsed();
        Ok(report)
    }
}

/// How strong an opponent is, 1 to 5. Each level beats the one below.
///
/// | level | looks |
/// | --- | --- |
/// | 1 | nowhere: any empty point, by dice of its own |
/// | 2 | 1 stone ahead |
/// | 3 | 2 stones ahead, a turn |
/// | 4 | 4 stones ahead, two turns |
/// | 5 | as far as it gets in half a second for each stone |
///
/// From level 4 on it also looks for wins by continuous double threats.
///
/// # Examples
/// ```
/// use engines::connect6::Level;
/// let level: Level = "3".parse()?;
/// assert!(Level::WEAKEST < level && level < Level::STRONGEST);
/// assert!("6".parse::<Level>().is_err());
/// # Ok::<(), engines::connect6::LevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Level(u8);

impl Level {
    /// Random stones.
    pub const WEAKEST: Self = Self(1);
    /// The engine, a second a turn.
    pub const STRONGEST: Self = Self(5);

    /// Strong enough and quick enough for hundreds of games.
    pub const QUICK: Self = Self(3);

    /// What the level does, in a few words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self.0 {
            1 => "plays at random",
            2 => "looks one stone ahead",
            3 => "looks one turn ahead",
            4 => "looks two turns ahead",
            _ => "looks as far ahead as its time allows",
        }
    }

    /// What it may spend on a stone.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self.0 {
            5 => Limits::time(Duration::from_millis(500)),
            4 => Limits::depth(4),
            3 => Limits::depth(2),
            _ => Limits::depth(1),
        }
    }

    /// A player of this level; give it [`limits`](Level::limits) when it is asked. The seed is for those that choose at
    /// random.
    #[must_use]
    pub fn agent(self, seed: u64) -> Box<dyn Agent<Connect6>> {
        let mut inner: Box<dyn Agent<Connect6>> = match self.0 {
            1 => Box::new(RandomAgent(random::generator(seed))),
            2 | 3 => Box::new(Engine::without(&[Part::VcdtAtRoot, Part::VcdtBelow]).with_table(0)),
            _ => Box::new(Engine::new()),
        };
        inner.new_game(seed);
        Named::boxed(&format!("level {self}"), inner)
    }
}

numbered_levels!();

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Contestant, Pairing, Settings, Tournament};
    use core::ops::ControlFlow;
    use games_connect6::Rules;
    use rand::Rng;

    /// Two stones each near the middle.
    fn opening(rng: &mut dyn Rng) -> Connect6 {
        let mut game = Connect6::default().after(Point::new(9, 9).unwrap());
        while game.board().count() < 5 {
            let [x, y] = [0; 2].map(|_| 7 + (rng.next_u32() % 5) as u8);
            if let Some(point) = Point::new(x, y).filter(|&p| game.board().is_empty(p)) {
                game.play(point);
            }
        }
        game
    }

    /// Every level up to the fourth beats the one below.
    #[test]
    fn levels_are_in_order() {
        let levels: Vec<Level> = Level::all().take(4).collect();
        for pair in levels.windows(2) {
            let settings = Settings::new(6, 5);
            let players = [pair[1], pair[0]]
                .map(|level| Contestant::new(&format!("level {level}"), level.limits(), move || level.agent(0)));
            let start = |_: u64, rng: &mut dyn Rng| opening(rng);
            let tournament = Tournament::new(settings, Pairing::RoundRobin, start, players.into()).unwrap();
            let mut standings = tournament.standings();
            tournament.play(&mut standings, &mut |_, _| ControlFlow::Continue(())).unwrap();
            println!("{standings}");
            assert!(standings.mean(0) > 0.5, "{standings}");
        }
    }

    fn chosen(engine: &mut Engine, game: &Connect6, limits: &Limits) -> ReportOf<Connect6> {
        engine.choose(&game.clone().into(), limits).unwrap()
    }

    /// Both stones of a turn are found, by both algorithms, and differ.
    #[test]
    fn both_stones_of_a_win_are_found() {
        // Two open threes: a double threat, and a second.
        let rows = "19/19/19/19/19/9x9/9x9/9x9/19/5xxx11/19/19/19/19/19/19/19/19/19";
        let start: Connect6 = format!("{rows} one 2").parse().unwrap();
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let mut game = start.clone();
            let mut ends_in = None;
            while game.outcome().is_none() && game.board().count() < 60 {
                let report = chosen(&mut engine, &game, &Limits::nodes(2_000));
                if game.mover() == gamecore::Player::One {
                    assert_eq!(report.value, Some(1.0), "{game}");
                    assert!(ends_in.is_none_or(|before| report.ends_in < Some(before)), "{game}");
                    ends_in = report.ends_in;
                } else {
                    ends_in = ends_in.map(|n| n - 1);
                }
                game.play(report.best.unwrap());
            }
            assert_eq!(game.outcome(), Some(gamecore::Outcome::win(gamecore::Player::One)), "{algorithm}: {game}");
        }
    }

    /// What has to be stopped is stopped, with the two stones that the turn has.
    #[test]
    fn threats_are_stopped() {
        // An open four takes two stones.
        let game: Connect6 = "19/19/19/19/19/19/19/19/19/6xxxx9/19/19/19/19/19/19/19/19/19 two 2".parse().unwrap();
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let mut next = game.clone();
            for _ in 0..2 {
                let report = chosen(&mut engine, &next, &Limits::nodes(500));
                next.play(report.best.unwrap());
            }
            assert!(!next.windows().can_win(next.mover(), 2), "{algorithm}: {next}");
        }
    }

    #[test]
    fn every_game_of_the_family_is_played() {
        for (size, length, each, first) in [(19, 6, 2, 1), (9, 5, 1, 1), (7, 4, 3, 2), (3, 3, 1, 1), (6, 6, 2, 1)] {
            let rules = Rules::new(size, length, each, first).unwrap();
            for algorithm in Algorithm::ALL {
                let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
                let mut game = Connect6::start(rules);
                for _ in 0..8 {
                    if game.outcome().is_some() {
                        break;
                    }
                    let report = chosen(&mut engine, &game, &Limits::nodes(100));
                    game.try_play(report.best.unwrap()).unwrap();
                }
            }
        }
    }

    #[test]
    fn positions_are_analysed() {
        let game = Connect6::default().after(Point::new(9, 9).unwrap());
        for algorithm in Algorithm::ALL {
            let report = Engine::new().with_table(1 << 20).with_algorithm(algorithm).analyse(&game, &Limits::depth(2)).unwrap();
            assert!(report.moves.len() >= 10 && report.moves.iter().any(|line| Some(line.m) == report.best));
            let over: Connect6 = "xxxxxx/6/oooo2/6/6/6 two 1".parse().unwrap();
            assert!(matches!(Engine::new().analyse(&over, &Limits::depth(1)), Err(SearchError::Over)));
        }
    }

    /// The same game again, the same stones.
    #[test]
    fn play_is_reproducible() {
        let play = |engine: &mut Engine| {
            engine.new_game(3);
            let mut history = History::from(Connect6::default());
            for _ in 0..9 {
                let report = engine.choose(&history, &Limits::nodes(3_000)).unwrap();
                history.push(Step::Move(report.best.unwrap()));
            }
            history.steps().to_vec()
        };
        for algorithm in Algorithm::ALL {
            let mut engine = Engine::new().with_table(1 << 20).with_algorithm(algorithm);
            let first = play(&mut engine);
            assert_eq!(first, play(&mut engine), "{algorithm}");
        }
    }

    #[test]
    fn wrong_levels_are_named() {
        for text in ["0", "6", "-1", "best", ""] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.contains("1 (weakest) to 5 (strongest)"), "{error}");
        }
        assert!(Level::all().all(|l| l.to_string().parse() == Ok(l) && !l.description().is_empty()));
    }
}
