//! `cargo xtask test`: everything that must hold on every commit.

use crate::step::{Steps, TESTS, cargo, execute};
use crate::{licences, outside, take_word, web};

/// Runs all steps, or those from one on, and prints their times.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut args = args.to_vec();
    let from = take_word(&mut args, "--from")?;
    if let Some(other) = args.first() {
        return Err(format!("test takes `--from STEP` only, not `{other}`"));
    }
    let mut steps = Steps::from(from);
    let done = all(&mut steps);
    steps.report();
    done?;
    steps.found()
}

fn all(steps: &mut Steps) -> Result<(), String> {
    let cargo_step = |args: &[&str]| execute(&mut cargo(args));
    steps.run("format", || cargo_step(&["fmt", "--all", "--check"]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    steps.run("clippy", || cargo_step(&clippy))?;
    steps.run("licences", licences::run)?;
    steps.run("tests", || cargo_step(&TESTS))?;
    steps.run("doc tests", || cargo_step(&["test", "--workspace", "--all-features", "--doc"]))?;
    steps.run("docs", || {
        let doc =
            ["doc", "--workspace", "--exclude", "lab", "--exclude", "xtask", "--all-features", "--no-deps"];
        execute(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.run("read by others", outside::run)?;
    steps.run("the report's page", web::run)?;
    steps.run("package", || {
        cargo_step(&["publish", "--dry-run", "--quiet", "--allow-dirty", "--package", "clearance"])
    })
}
