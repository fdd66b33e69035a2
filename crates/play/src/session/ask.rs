//! One line of a person's, read and followed.

use std::io;

use gamecore::text::quoted;
use gamecore::{Draw, Step, TextError, Turn};

use super::{Ending, Session};
use crate::command::Command;
use crate::look::{mover, moves_of};
use crate::opening::heard;
use crate::{Answer, Input, Screen};

/// What a line means.
pub(super) enum Wish<G: gamecore::Game> {
    /// These moves, one after the other.
    Play(Vec<G::Move>),
    Command(Command),
    Nothing,
}

impl<G: Draw> Session<G> {
    /// Asks the person whose turn it is, or anybody if the game is over, for one line and follows it.
    pub(super) fn ask(&mut self, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
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
    pub(super) fn read(&self, text: &str) -> Result<Wish<G>, String> {
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
    pub(super) fn refuse(&self, screen: &mut Screen<'_>, message: &str) -> io::Result<()> {
        screen.say(message)?;
        self.list(screen)?;
        screen.hanging("Commands: ", &Command::names(self.extra()))
    }
}

/// Whether one player can make these moves, one after the other, in one turn.
fn can_follow<G: gamecore::Game>(state: &G, moves: &[G::Move]) -> bool {
    let (mut now, player) = (state.clone(), mover(state));
    moves.iter().all(|&m| mover(&now) == player && now.try_play(m).is_ok())
}
