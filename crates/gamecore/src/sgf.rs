//! The Smart Game Format (FF\[4\]) as text: game trees, nodes and properties, whatever game they are of.
//!
//! ```text
//! (;FF[4]GM[4]SZ[15]PB[Alice]PW[Bob];B[hh]C[the middle];W[ii](;B[gg])(;B[jj]))
//! ```
//! What a property means is the game's: the crates of games read matches and games from these trees. Of variations the first is
//! kept, here `B[gg]`.
//!
//! Source: <https://www.red-bean.com/sgf/sgf4.html>.
//!
//! # Examples
//! ```
//! use gamecore::sgf;
//!
//! let games = sgf::parse(r"(;FF[4]GM[4]C[a \] in a comment];B[hh](;W[ii])(;W[gg]))")?;
//! let words: Vec<&str> = games[0].iter().flatten().map(|property| &*property.values[0]).collect();
//! assert_eq!(words, ["4", "4", "a ] in a comment", "hh", "ii"]);
//! assert_eq!(sgf::parse("(;FF[4]").unwrap_err().to_string(), "line 1: the text ends within a game: it has been cut off");
//! # Ok::<(), sgf::SgfError>(())
//! ```

use crate::Player;
use crate::text::quoted;

/// What stands between two `;`.
pub type Node = Vec<Property>;

/// A property of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name, in upper-case letters.
    pub name: String,
    /// Its values, at least one, without what escapes.
    pub values: Vec<String>,
    /// The line that its first value begins on, from 1.
    pub line: usize,
}

impl Property {
    /// The first value, without white space around it.
    #[must_use]
    pub fn value(&self) -> &str {
        self.values.first().map_or("", |value| value.trim())
    }
}

/// A seat's colour, `B` or `W`: its moves are called so, and it is in a result. Black is [`Player::One`].
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::One => "B",
        Player::Two => "W",
    }
}

/// Whose colour it is, in either case, or as a number: `1` is Black's. `None` if it is nobody's.
#[must_use]
pub fn player(colour: &str) -> Option<Player> {
    match colour {
        "B" | "b" | "1" => Some(Player::One),
        "W" | "w" | "2" => Some(Player::Two),
        _ => None,
    }
}

/// Who has won by a result, a value of `RE`, whatever by: Black by `B+` or `B+R`. `None` if it names nobody, as `0` or `?`.
#[must_use]
pub fn winner(result: &str) -> Option<Player> {
    match *result.as_bytes() {
        [b'B' | b'b', b'+', ..] => Some(Player::One),
        [b'W' | b'w', b'+', ..] => Some(Player::Two),
        _ => None,
    }
}

/// The games of a collection, each as the nodes along its first variation; a game has at least one node.
///
/// # Errors
/// If the text has another shape, or ends too soon.
pub fn parse(text: &str) -> Result<Vec<Vec<Node>>, SgfError> {
    let mut reader = Reader { chars: text.trim_start_matches('\u{feff}').chars().peekable(), line: 1 };
    let (mut games, mut game) = (Vec::new(), Vec::<Node>::new());
    // A tree inside has been closed: what follows in this game are other variations.
    let (mut depth, mut closed, mut name) = (0u32, false, String::new());
    while let Some(c) = reader.next() {
        // Upper-case letters name a property; lower-case ones stood in long names once, and mean nothing.
        if depth > 0 && c.is_ascii_alphabetic() {
            name.extend(c.is_ascii_uppercase().then_some(c));
            continue;
        }
        if c == '[' && depth > 0 {
            let line = reader.line;
            let value = reader.value()?;
            match game.last_mut() {
                _ if closed => name.clear(),
                Some(node) if !name.is_empty() => {
                    node.push(Property { name: core::mem::take(&mut name), values: vec![value], line });
                }
                // Another value of the property before it.
                _ => match game.last_mut().and_then(|node| node.last_mut()) {
                    Some(property) => property.values.push(value),
                    None => return Err(reader.error(SgfFault::Unexpected { found: "[".into() })),
                },
            }
            continue;
        }
        if c.is_whitespace() {
            continue;
        }
        if !name.is_empty() && !closed {
            return Err(reader.error(SgfFault::NoValue { name: quoted(&name) }));
        }
        name.clear();
        match c {
            '(' => {
                depth += 1;
                if depth == 1 {
                    closed = false;
                }
            }
            ';' if depth > 0 => {
                if !closed {
                    game.push(Node::new());
                }
            }
            ')' if depth > 0 => {
                depth -= 1;
                closed = true;
                if depth == 0 {
                    if game.is_empty() {
                        return Err(reader.error(SgfFault::Unexpected { found: ")".into() }));
                    }
                    games.push(core::mem::take(&mut game));
                }
            }
            other => return Err(reader.error(SgfFault::Unexpected { found: quoted(&other.to_string()) })),
        }
    }
    if depth > 0 { Err(reader.error(SgfFault::Cut)) } else { Ok(games) }
}

/// A text that a property's value can hold.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

struct Reader<'a> {
    chars: core::iter::Peekable<core::str::Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next();
        self.line += usize::from(c == Some('\n'));
        c
    }

    /// The rest of a value, whose bracket has been read. A line break with a backslash before it is none.
    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(self.error(SgfFault::Cut)),
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    Some('\r') if self.chars.peek() == Some(&'\n') => _ = self.next(),
                    Some('\r' | '\n') => {}
                    escaped => value.extend(escaped),
                },
                Some(c) => value.push(c),
            }
        }
    }

    fn error(&self, fault: SgfFault) -> SgfError {
        SgfError { line: self.line, fault }
    }
}

/// Why a text has not the shape of game records.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct SgfError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: SgfFault,
}

/// What is wrong with the shape.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SgfFault {
    /// The text ends before a game or a value does.
    #[error("the text ends within a game: it has been cut off")]
    Cut,
    /// A character where it means nothing.
    #[error("\"{found}\" has no place here: games are written as (;NAME[value]NAME[value];NAME[value])")]
    Unexpected {
        /// The character.
        found: String,
    },
    /// A name without a value.
    #[error("the property {name} has no value: write {name}[]")]
    NoValue {
        /// The name, shortened and made printable.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value with its name and line.
    fn flat(text: &str) -> Vec<(String, String, usize)> {
        let properties = parse(text).unwrap().into_iter().flatten().flatten();
        properties.map(|p| (p.name, p.values.join("|"), p.line)).collect()
    }

    #[test]
    fn first_variations_are_read_with_their_lines() {
        let text = "\u{feff}(;FF[4]GaMe[1]AB[aa][bb]\n[cc](;B[x\r\ny](;W[1];B[2])(;W[3]))(;B[no]AW[no]))\n(;C[z])";
        let expected = [
            ("FF", "4", 1),
            ("GM", "1", 1),
            ("AB", "aa|bb|cc", 1),
            ("B", "x\r\ny", 2),
            ("W", "1", 3),
            ("B", "2", 3),
            ("C", "z", 4),
        ];
        assert_eq!(flat(text), expected.map(|(name, values, line)| (name.into(), values.into(), line)));
        let nodes: Vec<usize> = parse(text).unwrap().iter().map(Vec::len).collect();
        assert_eq!(nodes, [4, 1]);
        assert_eq!(parse(" \n").unwrap(), Vec::<Vec<Node>>::new());
    }

    #[test]
    fn values_and_results_are_read() {
        let games = parse("(;C[ a b\n][c];C[])").unwrap();
        assert_eq!([games[0][0][0].value(), games[0][1][0].value()], ["a b", ""]);
        for player in Player::BOTH {
            assert_eq!(super::player(colour(player)), Some(player));
        }
        for (result, player) in [("B+", Some(Player::One)), ("b+3.5", Some(Player::One)), ("W+Resign", Some(Player::Two))] {
            assert_eq!(winner(result), player, "{result}");
        }
        for result in ["", "0", "?", "Void", "B", "+", "Bob+", "1+"] {
            assert_eq!(winner(result), None, "{result}");
        }
    }

    #[test]
    fn values_are_escaped_and_read_back() {
        for value in ["", "]", "\\", "\\]", "a[b](;c:d)", "two\nlines", "ü"] {
            assert_eq!(flat(&format!("(;C[{}])", escaped(value)))[0].1, value);
        }
        assert_eq!(flat("(;C[soft\\\nbreak, soft\\\r\nbreak, \\a\\:\n])")[0].1, "softbreak, softbreak, a:\n");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, line, words) in [
            ("(", 1, "cut off"),
            ("(;C[a\n\\]", 2, "cut off"),
            ("(;C[a]\n(;B[b])", 2, "cut off"),
            ("()", 1, "\")\""),
            (")", 1, "\")\""),
            ("(;C[a]))", 1, "\")\""),
            ("C[a]", 1, "\"C\""),
            ("(;[a])", 1, "\"[\""),
            ("(C[a])", 1, "\"[\""),
            ("(;C[a]\n;[b])", 2, "\"[\""),
            ("(;B;W[a])", 1, "property B has no value"),
            ("(;B)", 1, "property B has no value"),
            ("(;C[a]\n\u{1b})", 2, "\\u{1b}"),
            ("(;C[a]];B[b])", 1, "\"]\""),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.line == line && error.to_string().contains(words), "{text}: {error}");
        }
    }
}
