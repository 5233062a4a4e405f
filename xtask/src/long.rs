//! `cargo xtask long`: tests that are too large for every run, then every algorithm against its oracle until the time is up.

use crate::machine::Machine;
use crate::step::{cargo, execute, output_of, root};
use crate::{take_option, take_word};
use std::process::Stdio;

/// Nobody waits longer than this.
const MOST_MINUTES: u64 = 60;

/// Tests that the others leave out: a million bodies in a world. With the features of all tests, so that most is built.
const LARGE_TESTS: [&str; 7] =
    ["test", "--workspace", "--all-features", "--test", "world", "--", "--ignored"];

/// Runs large tests and `lab long`, and stores what that counted, unless it was a part of it.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut args = args.to_vec();
    let minutes = take_option(&mut args, "--minutes")?.unwrap_or(10).clamp(1, MOST_MINUTES);
    let seed = take_option(&mut args, "--seed")?.unwrap_or(1);
    let cases = take_option(&mut args, "--cases")?.map(|n| ["--cases".to_string(), n.to_string()]);
    let only = take_word(&mut args, "--only")?.map(|text| ["--only".to_string(), text]);
    if let Some(unknown) = args.first() {
        return Err(format!("`long` takes --minutes, --seed, --cases and --only, not `{unknown}`"));
    }
    let is_part = cases.is_some() || only.is_some();
    if !is_part {
        execute(&mut cargo(&LARGE_TESTS))?;
    }
    let run = ["run", "--quiet", "--release", "--package", "lab", "--", "long"].map(String::from);
    let time = ["--minutes".to_string(), minutes.to_string(), "--seed".to_string(), seed.to_string()];
    let rest = cases.into_iter().chain(only).flatten();
    let all: Vec<String> = run.into_iter().chain(time).chain(rest).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let tables = output_of(cargo(&all).stderr(Stdio::inherit()))?;
    print!("{tables}");
    if is_part {
        return Ok(());
    }
    let machine = Machine::here()?;
    let path = root().join("results").join(machine.folder()).join("long.md");
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::write(&path, format!("# long\n\n```text\n{}```\n\n{tables}", machine.header()))
        .map_err(|e| format!("{}: {e}", path.display()))
}
