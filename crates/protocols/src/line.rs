//! Lines of bounded length.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read, in bytes, without its end: 64 KiB.
pub const MAX_LINE: usize = 64 << 10;

/// What [`read`] found.
pub(crate) enum Line {
    /// A line, without its end.
    Full(String),
    /// More than [`MAX_LINE`] bytes without an end; the rest has not been read.
    TooLong,
    /// There is nothing more.
    End,
}

/// The next line; bytes that are no UTF-8 become replacement characters, and a last line needs no end.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = bytes.iter().position(|&b| b == b'\n');
        let (some, used) = end.map_or((bytes, bytes.len()), |end| (&bytes[..end], end + 1));
        let at_end = end.is_some() || bytes.is_empty();
        if line.len() + some.len() > MAX_LINE {
            return Ok(Line::TooLong);
        }
        line.extend_from_slice(some);
        input.consume(used);
        if at_end {
            if used == 0 && line.is_empty() {
                return Ok(Line::End);
            }
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Line::Full(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

/// Passes over the rest of a line that was [too long](Line::TooLong).
pub(crate) fn skip(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = bytes.iter().position(|&b| b == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        let done = end.is_some() || bytes.is_empty();
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_of_every_length() {
        let long = "x".repeat(MAX_LINE);
        let text = format!("a\r\n\n{long}\n{long}x and more\n\u{fffd}b");
        for capacity in [1, 7, 1 << 20] {
            let mut input = BufReader::with_capacity(capacity, text.as_bytes());
            let mut found = Vec::new();
            loop {
                match read(&mut input).unwrap() {
                    Line::Full(line) => found.push(line),
                    Line::TooLong => {
                        found.push("too long".into());
                        skip(&mut input).unwrap();
                    }
                    Line::End => break,
                }
            }
            assert_eq!(found, ["a", "", &long, "too long", "\u{fffd}b"]);
        }
    }
}
