//! What is shown of the game.

use std::io;

use gamecore::{Draw, Outcome, Player, Step, Turn};

use super::Session;
use crate::look::{last_turn, picture, turns};
use crate::{Look, Screen};

impl<G: Draw> Session<G> {
    /// The rolls since the last move, as words.
    pub(super) fn rolled(&self) -> String {
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

    pub(super) fn board(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        let history = self.record.history();
        let (states, steps) = (history.states(), history.steps());
        let Some(view) = self.view.as_ref().filter(|view| view.on) else { return screen.picture(&picture(states, steps)) };
        screen.picture(&(view.picture)(history.state(), last_turn(states, steps)))
    }

    /// The legal moves, unless they are too many, if the game goes on.
    pub(super) fn list(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        match self.state().turn() {
            Turn::Decide(_) => self.look.some_moves(screen, self.state()),
            _ => screen.say("The game is over: new, undo, save FILE or quit."),
        }
    }

    /// A person's turn: the board, the roll, the moves.
    pub(super) fn show_turn(&self, screen: &mut Screen<'_>) -> io::Result<()> {
        let Turn::Decide(player) = self.state().turn() else { return Ok(()) };
        let turn = turns(self.record.history().states());
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
    pub(super) fn watch(&mut self, screen: &mut Screen<'_>) -> io::Result<()> {
        self.shown = Some(self.record.history().steps().len());
        self.board(screen)?;
        screen.gap()
    }

    pub(super) fn announce(&self, outcome: Outcome, screen: &mut Screen<'_>) -> io::Result<()> {
        // Those who watch have seen the last board already.
        if !self.people().is_empty() || self.shown != Some(self.record.history().steps().len()) {
            screen.gap()?;
            self.board(screen)?;
        }
        let text = result(&self.look, screen, outcome);
        screen.say(&text)?;
        if self.people().is_empty() { Ok(()) } else { self.list(screen) }
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
