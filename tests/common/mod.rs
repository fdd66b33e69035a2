//! Examples as people run them: flags, pipes, files.
#![allow(dead_code, reason = "each test uses its own part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An example, by name.
pub(crate) struct Program(pub(crate) &'static str);

/// A file that goes away with the test.
pub(crate) struct File(pub(crate) PathBuf);

impl Program {
    /// The example next to this test: cargo builds examples before it runs integration tests.
    pub(crate) fn command(&self) -> Command {
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap().join("examples");
        let program = folder.join(format!("{}{}", self.0, std::env::consts::EXE_SUFFIX));
        assert!(program.exists(), "{} is not built: cargo build --example {}", program.display(), self.0);
        let mut command = Command::new(program);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm");
        command
    }

    /// Runs it to its end with these flags and this input.
    pub(crate) fn run(&self, flags: &[&str], input: &[u8]) -> Output {
        let mut command = self.command();
        let mut child = command.args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
        // A program that leaves before it has read everything closes the pipe.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// What it shows, if it ends well: nothing on the side of errors, no colour, nothing too wide.
    pub(crate) fn shown(&self, flags: &[&str], input: &str) -> String {
        let output = self.run(flags, input.as_bytes());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{flags:?}: {errors}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains('\u{1b}'), "{text}");
        // Positions are shown as they are, to be copied.
        let is_position = |line: &str| line.split_once(' ').is_some_and(|(board, _)| board.len() > 40);
        assert!(text.lines().all(|line| line.chars().count() <= 60 || is_position(line)), "{text}");
        text
    }

    /// What it complains of.
    pub(crate) fn refused(&self, flags: &[&str]) -> String {
        let output = self.run(flags, b"");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(output.stdout.is_empty(), "{flags:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Complains of each of these flags and says what is accepted.
    pub(crate) fn refuses(&self, cases: &[(&[&str], &str)]) {
        for (flags, message) in cases {
            let text = self.refused(flags);
            assert!(text.contains(message) && text.starts_with("error: "), "{flags:?}: {text}");
        }
    }

    /// What it shows of these lines, whatever they are, until they end.
    pub(crate) fn survives(&self, flags: &[&str], input: &[u8]) -> String {
        let output = self.run(flags, input);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("The input has ended.") && !text.contains('\u{1b}'));
        text
    }

    /// Takes so many random lines, and one that is too long, for what they are.
    pub(crate) fn survives_noise(&self, lines: usize) {
        let text = self.survives(&["--level", "1", "--seed", "1"], &noise(lines));
        assert!(text.contains("not UTF-8") && text.contains("5000000 bytes"));
    }

    /// A name for a file of this program's tests; there is no such file yet.
    pub(crate) fn file(&self, name: &str) -> File {
        let path = std::env::temp_dir().join(format!("{}-{}-{name}", self.0, std::process::id()));
        let _ = std::fs::remove_file(&path);
        File(path)
    }
}

impl File {
    pub(crate) fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// In one line, lines joined by spaces: a name may be broken between them.
pub(crate) fn flat(text: &str) -> String {
    text.split('\n').collect::<Vec<_>>().join(" ")
}

/// So many lines of 1 to `most` of these words each, which may be parts of words: made of what is accepted, and nearly right.
pub(crate) fn nearly(words: &[&str], most: usize, lines: usize) -> String {
    let mut rng = gamecore::random::generator(5);
    let mut input = String::new();
    for _ in 0..lines {
        for _ in 0..=gamecore::random::below(&mut rng, most) {
            input += words[gamecore::random::below(&mut rng, words.len())];
        }
        input.push('\n');
    }
    input
}

/// So many lines of random bytes, and then one of five megabytes.
pub(crate) fn noise(lines: usize) -> Vec<u8> {
    let mut state = 7u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut input = Vec::new();
    for _ in 0..lines {
        let length = byte() % 24;
        input.extend((0..length).map(|_| byte()).filter(|&b| b != b'\n'));
        input.push(b'\n');
    }
    input.extend(std::iter::repeat_n(b'x', 5_000_000));
    input
}
