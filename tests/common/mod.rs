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
