//! A recorded game, played back.

use std::io;

use gamecore::{Draw, Record, Step, Turn};

use crate::look::picture;
use crate::session::{result, sentence};
use crate::{Ending, Input, Line, Look, Screen};

/// Shows a recorded game: every move with its roll, the board after it, and the chances that its player saw. A person
/// at a terminal is shown one move after the other and goes on with Enter; a pipe gets all at once.
///
/// # Errors
/// If the screen cannot be written to.
///
/// # Examples
/// ```
/// use gamecore::{Record, testing::toys::TicTacToe};
/// use play::{Ending, Look, Screen, Script, replay};
///
/// let record: Record<TicTacToe> = Record::parse(
///     "boardwright record 1\ngame: tictactoe\nposition: ......... x\n\nb2\na1 +0.1000\n",
/// )?;
/// let mut shown = Vec::new();
/// let look = Look::of::<TicTacToe>();
/// replay(&record, &look, &mut Script::new(""), &mut Screen::new(&mut shown, false))?;
/// assert!(String::from_utf8(shown)?.contains("Two plays a1."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay<G: Draw>(record: &Record<G>, look: &Look, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Ending> {
    let history = record.history();
    let (states, steps) = (history.states(), history.steps());
    for (name, value) in record.tags() {
        screen.hanging(&format!("{name}: "), value)?;
    }
    screen.picture(&picture(states, &[]))?;
    let (mut turn, mut rolled) = (0, Vec::new());
    for (i, step) in steps.iter().enumerate() {
        let state = &states[i];
        match *step {
            Step::Chance(event) => rolled.push(state.event_text(event)),
            Step::Move(m) => {
                let Turn::Decide(player) = state.turn() else { continue };
                match pause(turn, input, screen)? {
                    None => {}
                    Some(ending) => return Ok(ending),
                }
                turn += 1;
                screen.gap()?;
                let played = screen.strong(&state.move_text(m));
                let text = sentence(look, screen, player, &rolled.join(" "), &played);
                screen.hanging(&format!("{turn}. "), &text)?;
                if let Some(value) = record.values()[i] {
                    let line = look.value_line(screen, player, value);
                    screen.hanging("   ", &line)?;
                }
                screen.picture(&picture(states, &steps[..=i]))?;
                rolled.clear();
            }
        }
    }
    screen.gap()?;
    let ending = match history.state().turn() {
        Turn::Over(outcome) => {
            let text = result(look, screen, outcome);
            screen.say(&text)?;
            Ending::Over(outcome)
        }
        Turn::Decide(_) | Turn::Chance(_) => {
            screen.say("The record ends here; the game was not over. The position:")?;
            screen.raw(&format!("{}\n", history.state().position_text()))?;
            Ending::EndOfInput
        }
    };
    screen.flush()?;
    Ok(ending)
}

/// Waits for Enter if somebody is there.
fn pause(turn: usize, input: &mut dyn Input, screen: &mut Screen<'_>) -> io::Result<Option<Ending>> {
    if let Some(columns) = input.columns() {
        screen.set_width(columns);
    }
    screen.flush()?;
    if !input.is_live() {
        return Ok(None);
    }
    let prompt = if turn == 0 { "Enter for the next move, q to leave> " } else { "> " };
    Ok(match input.line(prompt) {
        Line::Text(text) if text.trim().to_lowercase().starts_with('q') => Some(Ending::Quit),
        Line::Text(_) | Line::TooLong { .. } | Line::NotText => None,
        Line::End => Some(Ending::EndOfInput),
        Line::Interrupted => Some(Ending::Interrupted),
    })
}
