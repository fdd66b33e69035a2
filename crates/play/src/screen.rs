//! Text on a terminal: wrapped, coloured if wanted.

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use gamecore::{Ink, Picture, Player};

use crate::Color;

/// The width that everything fits into if nothing wider is known.
pub const WIDTH: usize = 60;

/// Where text is shown, how wide, and whether in colour.
///
/// Nothing printed is wider than [`WIDTH`] columns unless the terminal is; longer text is wrapped.
pub struct Screen<'a> {
    out: Box<dyn Write + 'a>,
    color: bool,
    width: usize,
}

impl core::fmt::Debug for Screen<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Screen").field("color", &self.color).field("width", &self.width).finish_non_exhaustive()
    }
}

impl<'a> Screen<'a> {
    /// A screen that writes to `out`, with or without colour.
    #[must_use]
    pub fn new(out: impl Write + 'a, color: bool) -> Self {
        Self { out: Box::new(BufWriter::new(out)), color, width: WIDTH }
    }

    /// Fits everything into so many columns, from now on; less than 40 are not catered for, and text is not made wider
    /// than 100.
    pub fn set_width(&mut self, columns: usize) {
        self.width = columns.clamp(40, 100);
    }

    /// Whether it shows colour.
    #[must_use]
    pub fn has_color(&self) -> bool {
        self.color
    }

    /// Shows what has been written so far.
    ///
    /// # Errors
    /// If it cannot be written: the reader of a pipe has gone.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// A paragraph, wrapped at the width.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.hanging("", text)
    }

    /// A paragraph that starts with `head`, its other lines indented as far. It is not broken at no-break spaces, which
    /// are shown as spaces.
    pub(crate) fn hanging(&mut self, head: &str, text: &str) -> io::Result<()> {
        let indent = " ".repeat(textwrap::core::display_width(head).min(self.width / 2));
        let head = head.replace(is_treacherous, "\u{fffd}");
        let options = textwrap::Options::new(self.width)
            .initial_indent(&head)
            .subsequent_indent(&indent)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        for line in textwrap::wrap(&text.replace(is_treacherous, "\u{fffd}"), options) {
            writeln!(self.out, "{}", line.trim_end().replace('\u{a0}', " "))?;
        }
        Ok(())
    }

    /// An empty line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Text without a line's end, as it is.
    pub(crate) fn raw(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{text}")
    }

    /// A drawing, its pieces in the colours of their owners.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn picture(&mut self, picture: &Picture) -> io::Result<()> {
        if !self.color {
            return write!(self.out, "{picture}");
        }
        for line in &picture.lines {
            for span in line {
                let style = if span.strong { ink(span.ink).bold().invert() } else { ink(span.ink) };
                let text = self.paint(style, &span.text);
                write!(self.out, "{text}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// The text in a style, or as it is.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.color && style != Style::new() { format!("{style}{text}{style:#}") } else { text.into() }
    }

    /// The text in a seat's colour.
    pub(crate) fn seat(&self, player: Player, text: &str) -> String {
        self.paint(seat_style(player), text)
    }

    /// The text as something to notice.
    pub(crate) fn strong(&self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// The text in the background.
    pub(crate) fn dim(&self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    /// A bar of `chance` (0 to 1) for `player`, the rest for the other: `[######..............]`.
    pub(crate) fn bar(&self, player: Player, chance: f64) -> String {
        const CELLS: usize = 20;
        let full = ((chance * CELLS as f64).round() as usize).min(CELLS);
        let (left, right) = ("#".repeat(full), ".".repeat(CELLS - full));
        format!("[{}{}]", self.seat(player, &left), self.seat(player.other(), &right))
    }
}

/// Characters of no width that change what stands around them: a line typed in may hold them, a message should not.
fn is_treacherous(c: char) -> bool {
    gamecore::text::is_invisible(c) && !c.is_control()
}

fn seat_style(player: Player) -> Style {
    let color = match player {
        Player::One => AnsiColor::BrightRed,
        Player::Two => AnsiColor::BrightCyan,
    };
    Style::new().fg_color(Some(color.into())).bold()
}

fn ink(ink: Ink) -> Style {
    match ink {
        Ink::Board => Style::new(),
        Ink::One => seat_style(Player::One),
        Ink::Two => seat_style(Player::Two),
        Ink::Left => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
    }
}

/// The program's standard output.
#[must_use]
pub fn stdout(color: Color) -> Screen<'static> {
    let choice = color.on_stdout();
    Screen::new(anstream::AutoStream::new(io::stdout(), choice), choice != anstream::ColorChoice::Never)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(color: bool, show: impl FnOnce(&mut Screen<'_>)) -> String {
        let mut bytes = Vec::new();
        let mut screen = Screen::new(&mut bytes, color);
        show(&mut screen);
        drop(screen);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn lines_keep_to_the_width() {
        let words = "a bb ccc dddd ".repeat(30) + &"x".repeat(200) + &"漢字".repeat(60);
        for width in [40, 60, 100] {
            let text = shown(false, |s| {
                s.set_width(width);
                s.hanging("Moves: ", &words).unwrap();
            });
            assert!(text.lines().all(|l| textwrap::core::display_width(l) <= width), "{text}");
            assert!(text.starts_with("Moves: a bb ccc dddd") && text.lines().skip(1).all(|l| l.starts_with("       ")));
        }
    }

    #[test]
    fn without_colour_there_is_none() {
        let mut picture = Picture::default();
        picture.put("x", Ink::One, true);
        for color in [false, true] {
            let text = shown(color, |s| {
                s.picture(&picture).unwrap();
                let bar = s.bar(Player::Two, 0.25);
                s.say(&bar).unwrap();
            });
            assert_eq!(text.contains('\x1b'), color);
            assert_eq!(text == "x\n[#####...............]\n", !color);
        }
    }
}
