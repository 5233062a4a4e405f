//! The real binary in a folder of its own.
#![allow(dead_code, reason = "each test file uses a part of it")]

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub fn clearance(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clearance"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("COLUMNS").env_remove("NO_COLOR");
    command
}

/// A folder of its own and what runs in it.
pub struct Bench(pub tempfile::TempDir);

impl Bench {
    pub fn new() -> Bench {
        Bench(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn output(&self, arguments: &str) -> Output {
        clearance(self.0.path()).args(arguments.split_whitespace()).output().unwrap()
    }

    /// Exit code, standard output, standard error.
    pub fn run(&self, arguments: &str) -> (i32, String, String) {
        let output = self.output(arguments);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// Standard output of a run that must go well and say nothing on standard error.
    pub fn fine(&self, arguments: &str) -> String {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, err.as_str()), (0, ""), "clearance {arguments}\n{out}");
        out
    }

    pub fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.fine(arguments)).unwrap()
    }

    /// Standard error of a run that must end with this code; one block, nothing of Rust's in it.
    pub fn refused(&self, code: i32, arguments: &str) -> String {
        let (found, out, err) = self.run(arguments);
        assert_eq!(found, code, "clearance {arguments}\n{out}\n{err}");
        assert!(err.starts_with("error: "), "{err}");
        for word in ["panicked", "RUST_BACKTRACE", "Err(", "Some("] {
            assert!(!err.contains(word), "{err}");
        }
        err
    }

    /// The answers of a batch on standard input that is asked one line at a time, as a program may: each answer must come
    /// before the next line is written.
    pub fn converse(&self, verb: &str, lines: &[String]) -> Vec<Value> {
        let mut child = clearance(self.0.path())
            .args([verb, "--batch", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut input, mut output) =
            (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut ask = |line: &String| {
            writeln!(input, "{line}").unwrap();
            input.flush().unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            serde_json::from_str(&answer).unwrap()
        };
        let answers = lines.iter().map(&mut ask).collect();
        drop(input);
        assert!(child.wait().unwrap().success());
        answers
    }

    /// Runs each and compares all that is said with the file `golden/NAME.txt`; `mask` hides what differs from run to
    /// run. To write the files anew: `CLEARANCE_BLESS=1 cargo test -p clearance-cli`.
    pub fn compare_transcripts(&self, transcripts: &[(&str, &str)], mask: impl Fn(&str) -> String) {
        let mut differences = String::new();
        for (name, arguments) in transcripts {
            let (code, out, err) = self.run(arguments);
            let found = format!("$ clearance {arguments}\n{}{err}[exit code {code}]\n", mask(&out));
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
            if std::env::var_os("CLEARANCE_BLESS").is_some() {
                std::fs::write(&path, &found).unwrap();
            }
            let recorded = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
            if recorded != found {
                differences += &format!("--- {name}: recorded\n{recorded}--- {name}: found\n{found}");
            }
        }
        assert!(
            differences.is_empty(),
            "{differences}CLEARANCE_BLESS=1 cargo test -p clearance-cli records them anew"
        );
    }
}

/// Brackets of times are as wide as the engine needs: their last digits may change.
pub fn without_brackets(text: &str) -> String {
    let is_bracket = |line: &str| line.starts_with("  t = ") && line.contains(" to ");
    let mask = |line: &str| if is_bracket(line) { "  t = (bracket)\n".into() } else { format!("{line}\n") };
    text.lines().map(mask).collect()
}
