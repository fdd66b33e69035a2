//! How seats, values and analyses are put into words.

use std::io;

use gamecore::{Chance, Draw, Event, Game, Player, Step, StepOf, Text, Turn};
use search_core::{Bound, EventLine, MoveLine, ReportOf};

use crate::Screen;

/// What the seats are called, whose chances are shown, and what values mean.
///
/// Values are points for [`Player::One`]; people see them as chances. The map from one to the other is a parameter,
/// because evaluators differ in their scales. Without one, a value is the expected points, so the chance grows evenly
/// from 0 at `-MAX_POINTS` to 1 at `MAX_POINTS`: in a game without draws that is One's probability of winning.
///
/// # Examples
/// ```
/// use gamecore::{Player, testing::toys::TicTacToe};
/// use play::Look;
///
/// let look = Look::of::<TicTacToe>().with_names(["x", "o"]);
/// assert_eq!((look.chance(Player::One, 0.5), look.chance(Player::Two, 0.5)), (0.75, 0.25));
///
/// let logistic = look.with_chance(|value| 1.0 / (1.0 + (-value).exp()));
/// assert_eq!(logistic.chance(Player::Two, 0.0), 0.5);
/// ```
pub struct Look {
    names: [String; 2],
    scale: Scale,
    /// What wins of 1, 2, ... points are called.
    wins: &'static [&'static str],
    /// The most moves that are listed without being asked for.
    listed: usize,
    /// The only person at the table, who is called "you".
    pub(crate) you: Option<Player>,
}

/// How values are shown.
enum Scale {
    /// As chances of winning, by a map from values to One's.
    Chances(Box<dyn Fn(f64) -> f64>),
    /// As points, so many moves in a hint.
    Equities(usize),
}

impl core::fmt::Debug for Look {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Look").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Look {
    /// Seats called One and Two, values that are expected points.
    #[must_use]
    pub fn of<G: Game>() -> Self {
        let most = f64::from(G::MAX_POINTS);
        let scale = Scale::Chances(Box::new(move |value| 0.5 + value / most / 2.0));
        Self { names: ["One".into(), "Two".into()], scale, wins: &[], listed: usize::MAX, you: None }
    }

    /// The same with other names for the seats.
    #[must_use]
    pub fn with_names(self, names: [&str; 2]) -> Self {
        Self { names: names.map(gamecore::text::quoted), ..self }
    }

    /// The same with another map from values to One's chances of winning, 0 to 1.
    #[must_use]
    pub fn with_chance(self, chance: impl Fn(f64) -> f64 + 'static) -> Self {
        Self { scale: Scale::Chances(Box::new(chance)), ..self }
    }

    /// The same with values shown as equities: expected points of who is told, `+0.159`. A hint then ranks the best
    /// `ranked` moves, each with what it is worth less than the best. All of them come from one report, whose depth is
    /// told: values of different depths are never compared.
    #[must_use]
    pub fn with_equities(self, ranked: usize) -> Self {
        Self { scale: Scale::Equities(ranked), ..self }
    }

    /// The same with names for wins of 1, 2, ... points; those without one, or with an empty one, are told by their points.
    #[must_use]
    pub fn with_wins(self, wins: &'static [&'static str]) -> Self {
        Self { wins, ..self }
    }

    /// The same, with no list of moves but on demand if there are more than `most`, and no more equities than that.
    #[must_use]
    pub fn with_listed(self, most: usize) -> Self {
        Self { listed: most, ..self }
    }

    /// What a win of so many points is called.
    pub(crate) fn win(&self, points: u16) -> Option<&'static str> {
        self.wins.get(usize::from(points).checked_sub(1)?).copied().filter(|name| !name.is_empty())
    }

    /// What `player`'s chances are at a value, 0 to 1. (Where equities are shown, these are not.)
    #[must_use]
    pub fn chance(&self, player: Player, value: f64) -> f64 {
        let one = match &self.scale {
            Scale::Chances(chance) => chance(value).clamp(0.0, 1.0),
            Scale::Equities(_) => 0.5,
        };
        match player {
            Player::One => one,
            Player::Two => 1.0 - one,
        }
    }

    /// The seat's name.
    #[must_use]
    pub fn name(&self, player: Player) -> &str {
        &self.names[player]
    }

    /// Whose chances are shown if `mover` is to move.
    fn viewer(&self, mover: Player) -> Player {
        self.you.unwrap_or(mover)
    }

    /// The seat at the start of a sentence, and a verb that fits.
    pub(crate) fn does(&self, screen: &Screen<'_>, player: Player, verb: &str) -> String {
        if self.you == Some(player) {
            format!("{} {verb}", screen.seat(player, "You"))
        } else {
            format!("{} {verb}s", screen.seat(player, self.name(player)))
        }
    }

    /// `Your chances` or `Two's chances`; where equities are shown, `your equity`.
    fn whose(&self, screen: &Screen<'_>, player: Player) -> String {
        let what = if let Scale::Equities(_) = self.scale { "equity" } else { "chances" };
        if self.you == Some(player) {
            screen.seat(player, &format!("your {what}"))
        } else {
            screen.seat(player, &format!("{}'s {what}", self.name(player)))
        }
    }

    /// `your chances [####....] 48 %` or `your equity +0.159`
    pub(crate) fn value_line(&self, screen: &Screen<'_>, mover: Player, value: f64) -> String {
        let viewer = self.viewer(mover);
        let whose = self.whose(screen, viewer);
        if let Scale::Equities(_) = self.scale {
            return format!("{whose} {}", equity(viewer, value));
        }
        let chance = self.chance(viewer, value);
        format!("{whose} {} {}", screen.bar(viewer, chance), percent(chance))
    }

    /// A value as a column of a table.
    fn value_cell(&self, viewer: Player, value: f64) -> String {
        match self.scale {
            Scale::Chances(_) => tenths(self.chance(viewer, value)),
            Scale::Equities(_) => equity(viewer, value),
        }
    }

    /// [`moves`](Self::moves), or how many there are if that is too many to be listed unasked.
    pub(crate) fn some_moves<G: Text>(&self, screen: &mut Screen<'_>, state: &G) -> io::Result<()> {
        let count = moves_of(state).len();
        if count <= self.listed {
            self.moves(screen, state)
        } else {
            screen.say(&format!("{count} moves: type moves to see them."))
        }
    }

    /// The legal moves with the numbers that may be typed for them.
    pub(crate) fn moves<G: Text>(&self, screen: &mut Screen<'_>, state: &G) -> io::Result<()> {
        let moves = moves_of(state);
        let list: Vec<String> = moves
            .iter()
            .zip(1..)
            // The number and its move stay on one line.
            .map(|(&m, n)| format!("{}\u{a0}{}", screen.dim(&n.to_string()), state.move_text(m)))
            .collect();
        screen.hanging("Moves: ", &list.join("  "))
    }

    /// The best move of a report, and `rest`, what is best after it in the same turn.
    pub(crate) fn hint<G: Text>(
        &self,
        screen: &mut Screen<'_>,
        state: &G,
        mover: Player,
        report: &ReportOf<G>,
        rest: &[G::Move],
    ) -> io::Result<()> {
        let Some(best) = report.best else { return Ok(()) };
        if let Scale::Equities(ranked) = self.scale
            && !report.moves.is_empty()
        {
            let viewer = self.viewer(mover);
            let lines = ranking(state, report, mover);
            let whose = capital(&self.whose(screen, viewer));
            screen.say(&format!("{whose} after the best of {} moves ({}):", lines.len(), effort(report)))?;
            return self.equity_lines(screen, state, viewer, &lines[..ranked.min(lines.len())]);
        }
        let (mut now, mut last, mut words) = (state.clone(), best, vec![state.move_text(best)]);
        for &m in rest {
            if now.try_play(last).is_err() {
                break;
            }
            words.push(now.move_text(m));
            last = m;
        }
        let turn_ends_it = now.try_play(last).is_ok() && is_over(&now);
        let text = screen.strong(&words.join(" "));
        let value = report.value.map_or(String::new(), |v| format!(": {}", self.value_line(screen, mover, v)));
        screen.say(&format!("Best is {text}{value} ({}).", effort(report)))?;
        // A proof is shown whole, if it is known to its end: a report's line may stop where an evaluator knows who wins.
        let Some((line, value)) = report.best_line().zip(report.value).filter(|_| report.ends_in.is_some()) else {
            return Ok(());
        };
        let winner = if value > 0.0 { Player::One } else { Player::Two };
        let (end, then) = follow(state, line);
        let (moves, whole) = if turn_ends_it && !is_over(&end) {
            (words, true)
        } else {
            (core::iter::once(state.move_text(best)).chain(then).collect(), is_over(&end))
        };
        let (wins, rest) = (self.does(screen, winner, "win"), if whole { "" } else { " ..." });
        screen.hanging(&format!("{wins} by force: "), &format!("{}{rest}", moves.join(" ")))
    }

    /// Everything a report says: each move or each roll with its value, and what is expected then.
    ///
    /// `about` names a move whose answers are shown by roll; without it, the best one's are.
    ///
    /// # Errors
    /// If the screen cannot be written to.
    pub fn analysis<G: Text>(
        &self,
        screen: &mut Screen<'_>,
        state: &G,
        report: &ReportOf<G>,
        about: Option<G::Move>,
    ) -> io::Result<()> {
        match state.turn() {
            Turn::Over(_) => Ok(()),
            Turn::Chance(_) => {
                let viewer = self.viewer(Player::One);
                let whose = self.whose(screen, viewer);
                screen.say(&format!("{}, by roll ({}):", capital(&whose), effort(report)))?;
                self.table(screen, state, viewer, &report.events)?;
                match report.value {
                    Some(value) => screen.say(&format!("Altogether {}.", self.value_line(screen, viewer, value))),
                    None => Ok(()),
                }
            }
            Turn::Decide(mover) => {
                let viewer = self.viewer(mover);
                let lines = ranking(state, report, mover);
                if lines.is_empty() {
                    return screen.say(&format!("No move has been looked at ({}).", effort(report)));
                }
                if about.is_none() {
                    let whose = self.whose(screen, viewer);
                    screen.say(&format!("{} after each move ({}):", capital(&whose), effort(report)))?;
                    self.move_lines(screen, state, viewer, &lines)?;
                }
                let shown = about.or(report.best).and_then(|m| lines.iter().find(|l| l.1.m == m));
                let Some(&shown @ (_, line)) = shown else {
                    let Some(m) = about else { return Ok(()) };
                    let (text, count) = (state.move_text(m), lines.len());
                    let effort = effort(report);
                    return screen
                        .say(&format!("{text} has not been looked at: why lists the moves that have, {count} ({effort})."));
                };
                let (after, _) = follow(state, line);
                if !line.replies.is_empty() {
                    let text = screen.strong(&state.move_text(line.m));
                    let whose = self.whose(screen, viewer);
                    let then = self.answers(screen, &after, mover, line.replies[0].event);
                    screen.say(&format!("After {text} {then} ({whose}):"))?;
                    self.table(screen, &after, viewer, &line.replies)?;
                } else if about.is_some() {
                    self.move_lines(screen, state, viewer, &[shown])?;
                }
                Ok(())
            }
        }
    }

    /// Who rolls and moves in `state`, where `mover` made the last move: `Two rolls and answers`.
    fn answers<G: Text>(&self, screen: &Screen<'_>, state: &G, mover: Player, event: Event<G>) -> String {
        let mut next = state.clone();
        let player = match next.try_resolve(event).map(|()| next.turn()) {
            Ok(Turn::Decide(player)) => player,
            _ => mover.other(),
        };
        let (answer, answers) = if player == mover { ("go on", "goes on") } else { ("answer", "answers") };
        if self.you == Some(player) {
            format!("{} roll and {answer}", screen.seat(player, "you"))
        } else {
            format!("{} rolls and {answers}", screen.seat(player, self.name(player)))
        }
    }

    /// A line for each move: its number in the list, its equity, and what it is worth less than the first.
    fn equity_lines<G: Text>(
        &self,
        screen: &mut Screen<'_>,
        state: &G,
        viewer: Player,
        lines: &[Numbered<'_, G>],
    ) -> io::Result<()> {
        let widest = lines.iter().map(|l| state.move_text(l.1.m).chars().count()).max().unwrap_or(0);
        for &(number, line) in lines {
            let text = state.move_text(line.m);
            let less = (line.value - lines[0].1.value).abs();
            let less = if less < 5e-4 { String::new() } else { format!("  (-{less:.3})") };
            let number = screen.dim(&format!("{number:>3}"));
            screen.hanging(&format!("{number} {text:<widest$} "), &format!("{}{less}", equity(viewer, line.value)))?;
        }
        Ok(())
    }

    fn move_lines<G: Text>(
        &self,
        screen: &mut Screen<'_>,
        state: &G,
        viewer: Player,
        lines: &[Numbered<'_, G>],
    ) -> io::Result<()> {
        if let Scale::Equities(_) = self.scale {
            let (shown, rest) = lines.split_at(lines.len().min(self.listed));
            self.equity_lines(screen, state, viewer, shown)?;
            return if rest.is_empty() { Ok(()) } else { screen.say(&format!("    and {} more.", rest.len())) };
        }
        let widest = lines.iter().map(|l| state.move_text(l.1.m).chars().count()).max().unwrap_or(0);
        for &(number, line) in lines {
            let text = state.move_text(line.m);
            let chance = self.chance(viewer, line.value);
            // What is a lower bound for One is an upper one for Two.
            let bound = match (line.bound, viewer) {
                (Bound::Exact, _) => "",
                (Bound::AtLeast, Player::One) | (Bound::AtMost, Player::Two) => "at least ",
                (Bound::AtLeast, Player::Two) | (Bound::AtMost, Player::One) => "at most ",
            };
            let (_, expected) = follow(state, line);
            let then = if expected.is_empty() { String::new() } else { format!(" then {}", expected.join(" ")) };
            let number = screen.dim(&format!("{number:>3}"));
            let bar = screen.bar(viewer, chance);
            screen.hanging(&format!("{number} {text:<widest$} "), &format!("{bar} {bound}{}{then}", tenths(chance)))?;
        }
        Ok(())
    }

    /// A table by roll; rolls with the same answer and value share a row.
    fn table<G: Text>(
        &self,
        screen: &mut Screen<'_>,
        state: &G,
        viewer: Player,
        events: &[EventLine<G::Move, Event<G>>],
    ) -> io::Result<()> {
        let Turn::Chance(chance) = state.turn() else { return Ok(()) };
        let mut rows: Vec<(String, String, String)> = Vec::new();
        for line in events.iter().filter(|l| chance.events().iter().any(|e| e.0 == l.event)) {
            let event = state.event_text(line.event);
            let answer = line.best.map_or_else(|| "-".into(), |m| state.resolved(line.event).move_text(m));
            let value = self.value_cell(viewer, line.value);
            match rows.iter_mut().find(|row| (&row.1, &row.2) == (&answer, &value)) {
                Some(row) => row.0 = format!("{}, {event}", row.0),
                None => rows.push((event, answer, value)),
            }
        }
        let wide = |column: fn(&(String, String, String)) -> &String| rows.iter().map(|r| column(r).chars().count()).max();
        let (first, second) = (wide(|r| &r.0).unwrap_or(0).min(24), wide(|r| &r.1).unwrap_or(0));
        for (event, answer, value) in &rows {
            // The list of rolls can be long; it is what wraps.
            screen.hanging("    ", &format!("{event:<first$}  {answer:<second$}  {value:>7}"))?;
        }
        Ok(())
    }
}

/// A line of a report and the number of its move in the game's list.
type Numbered<'a, G> = (usize, &'a MoveLine<<G as Game>::Move, Event<G>>);

/// The legal moves of a state, none if it waits for no decision.
pub(crate) fn moves_of<G: Game>(state: &G) -> Vec<G::Move> {
    let mut moves = G::Moves::default();
    if let Turn::Decide(_) = state.turn() {
        state.moves(&mut moves);
    }
    moves.as_ref().to_vec()
}

/// The state after a move and the moves expected after it, and those moves in words. Stops at the first step that does
/// not fit: a report may come from another program.
fn follow<G: Text>(state: &G, line: &MoveLine<G::Move, Event<G>>) -> (G, Vec<String>) {
    let mut now = state.clone();
    let mut words = Vec::new();
    if now.try_play(line.m).is_err() {
        return (now, words);
    }
    for &step in &line.line {
        let mut next = now.clone();
        match step {
            Step::Move(m) if next.try_play(m).is_ok() => words.push(now.move_text(m)),
            Step::Chance(event) if next.try_resolve(event).is_ok() => words.push(now.event_text(event)),
            Step::Move(_) | Step::Chance(_) => break,
        }
        now = next;
    }
    (now, words)
}

fn is_over<G: Game>(state: &G) -> bool {
    matches!(state.turn(), Turn::Over(_))
}

/// Who decides in a state.
pub(crate) fn mover<G: Game>(state: &G) -> Option<Player> {
    match state.turn() {
        Turn::Decide(player) => Some(player),
        Turn::Chance(_) | Turn::Over(_) => None,
    }
}

/// The moves of the last turn, although a roll came after it.
pub(crate) fn last_turn<'a, G: Game>(states: &[G], steps: &'a [StepOf<G>]) -> &'a [StepOf<G>] {
    let end = (0..steps.len()).rev().find(|&i| mover(&states[i]).is_some()).map_or(0, |last| last + 1);
    let start = (0..end).rev().take_while(|&i| mover(&states[i]) == mover(&states[end - 1])).last().unwrap_or(end);
    &steps[start..end]
}

/// How many turns have begun: a turn is all that a player decides until the other has a decision, or something is rolled.
pub(crate) fn turns<G: Game>(states: &[G]) -> usize {
    (0..states.len()).filter(|&i| begins_turn(states, i)).count()
}

/// Whether a turn begins with this state, in which somebody decides.
pub(crate) fn begins_turn<G: Game>(states: &[G], i: usize) -> bool {
    let now = mover(&states[i]);
    now.is_some() && (i == 0 || mover(&states[i - 1]) != now)
}

/// A picture of a state, with the moves of the last turn marked.
pub(crate) fn picture<G: Draw>(states: &[G], steps: &[StepOf<G>]) -> gamecore::Picture {
    states[steps.len()].picture_after(last_turn(states, steps))
}

/// What a search cost: `depth 5, 0.31 s`.
fn effort<M, E>(report: &search_core::Report<M, E>) -> String {
    let depth = if report.depth > 0 { format!("depth {}, ", report.depth) } else { String::new() };
    format!("{depth}{:.2} s", report.elapsed.as_secs_f64())
}

/// A report's moves with their numbers, the best for `mover` first.
fn ranking<'r, G: Game>(state: &G, report: &'r ReportOf<G>, mover: Player) -> Vec<Numbered<'r, G>> {
    // The numbers are those that can be typed, also where a search has looked at a few moves only.
    let all = moves_of(state);
    let number = |m| all.iter().position(|&legal| legal == m).map(|i| i + 1);
    let mut lines: Vec<_> = report.moves.iter().filter_map(|line| Some((number(line.m)?, line))).collect();
    let sign = f64::from(mover.sign());
    lines.sort_by(|a, b| (sign * b.1.value).total_cmp(&(sign * a.1.value)));
    // Of equal moves, the one that would be played.
    if let Some(best) = report.best {
        lines.sort_by_key(|l| l.1.m != best);
    }
    lines
}

/// A value in points for `viewer`: `+0.159`.
fn equity(viewer: Player, value: f64) -> String {
    format!("{:+.3}", f64::from(viewer.sign()) * value)
}

fn percent(chance: f64) -> String {
    format!("{:.0}\u{a0}%", 100.0 * chance)
}

fn tenths(chance: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * chance)
}

/// The first letter that is not part of an escape in upper case.
fn capital(text: &str) -> String {
    match text.find("your") {
        Some(at) => format!("{}Y{}", &text[..at], &text[at + 1..]),
        None => text.into(),
    }
}
