//! What can be typed besides moves.

use std::io;

use gamecore::text::quoted;

use crate::Screen;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    Moves,
    Board,
    /// Switches the other picture on or off.
    View,
    Hint,
    Why(String),
    /// Or, if so, to the beginning of a turn.
    Undo(bool),
    Save(String),
    Load(String),
    Position,
    Rules,
    New,
    Help,
    Quit,
}

/// Names, what follows them, and what they do. What gives up a game has no short name.
const COMMANDS: [(&[&str], &str, &str); 12] = [
    (&["moves", "m"], "", "the legal moves, numbered"),
    (&["board", "b"], "", "the board again"),
    (&["hint", "h"], "", "the best move and your chances"),
    (&["why", "w"], " [MOVE]", "every move's chances and what is expected"),
    (&["undo", "u"], " [turn]", "back to your last decision, or to the last turn's first"),
    (&["save", "s"], " FILE", "keep the game in a new file, from now on"),
    (&["load"], " FILE", "go on with the game in a file"),
    (&["position", "p"], "", "the position as text"),
    (&["rules", "r"], "", "how the game is played and won"),
    (&["new"], "", "a new game with the next seed"),
    (&["help", "?"], "", "this list"),
    (&["quit", "exit"], "", "leave"),
];

/// What is said of some commands where dice are thrown.
const WITH_DICE: [(&str, &str); 2] = [("why", ", by roll"), ("undo", "; dice that were thrown stay")];

/// A command of one game: its name, and what it does.
pub(crate) type Extra = Option<(&'static str, &'static str)>;

impl Command {
    /// `None` if the first word names no command; an error if what follows it does not fit.
    pub(crate) fn parse(text: &str, view: Extra) -> Option<Result<Self, String>> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let word = word.to_lowercase();
        let name = match view {
            Some((name, _)) if name == word => name,
            _ => COMMANDS.iter().find(|c| c.0.contains(&word.as_str()))?.0[0],
        };
        let command = match name {
            "why" => Self::Why(rest.into()),
            "save" | "load" if rest.is_empty() => return Some(Err(format!("{name} needs the name of a file: {name} FILE"))),
            "save" => Self::Save(rest.into()),
            "load" => Self::Load(rest.into()),
            "undo" if rest.eq_ignore_ascii_case("turn") => Self::Undo(true),
            "undo" if !rest.is_empty() => {
                return Some(Err(format!("undo takes nothing after it, or turn: not \"{}\"", quoted(rest))));
            }
            _ if !rest.is_empty() => return Some(Err(format!("{name} takes nothing after it, not \"{}\"", quoted(rest)))),
            "moves" => Self::Moves,
            "board" => Self::Board,
            "hint" => Self::Hint,
            "undo" => Self::Undo(false),
            "position" => Self::Position,
            "rules" => Self::Rules,
            "new" => Self::New,
            "help" => Self::Help,
            "quit" => Self::Quit,
            _ => Self::View,
        };
        Some(Ok(command))
    }

    /// The names of all.
    pub(crate) fn names(view: Extra) -> String {
        let names = COMMANDS.iter().map(|c| c.0[0]).chain(view.map(|(name, _)| name));
        names.collect::<Vec<_>>().join(" ")
    }
}

/// The commands and what they do, in a game with dice or without.
pub(crate) fn help(screen: &mut Screen<'_>, view: Extra, dice: bool) -> io::Result<()> {
    screen.say("Type a move, or its number in the list, or a command:")?;
    let more = |name: &str| WITH_DICE.iter().find(|c| dice && c.0 == name).map_or("", |c| c.1);
    let all = COMMANDS.iter().map(|c| (format!("{}{}", c.0.join(", "), c.1), format!("{}{}", c.2, more(c.0[0]))));
    let all: Vec<_> = all.chain(view.map(|(name, about)| (name.into(), about.into()))).collect();
    let widest = all.iter().map(|c| c.0.len()).max().unwrap_or(0);
    for (title, about) in all {
        screen.hanging(&format!("  {title:<widest$}  "), &about)?;
    }
    screen.say("A line that starts with / is a command even where the game has a move of that name. An empty line makes the only move, or lists the moves.")
}
