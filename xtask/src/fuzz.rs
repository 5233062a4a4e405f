//! `cargo xtask fuzz`: every fuzz target for its share of the time.

use crate::step::{Steps, cargo, execute, output_of, root};
use crate::take_option;
use std::process::Command;

/// Runs the named targets, or all.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut names = args.to_vec();
    let minutes = take_option(&mut names, "--minutes")?.unwrap_or(10);
    install_cargo_fuzz()?;
    let targets = chosen(&names)?;
    let seconds = (minutes * 60 / targets.len() as u64).max(1);
    let mut steps = Steps::default();
    let done = targets.iter().try_for_each(|target| {
        steps.run(&format!("fuzz {target}"), || {
            let limit = format!("-max_total_time={seconds}");
            let args = ["+nightly", "fuzz", "run", target, "--", &limit, "-rss_limit_mb=4096"];
            execute(Command::new("cargo").args(args).current_dir(root()))
        })
    });
    steps.report();
    done
}

fn chosen(names: &[String]) -> Result<Vec<String>, String> {
    let listed = output_of(Command::new("cargo").args(["+nightly", "fuzz", "list"]).current_dir(root()))?;
    let all: Vec<String> = listed.lines().map(str::to_string).collect();
    if let Some(unknown) = names.iter().find(|n| !all.contains(n)) {
        return Err(format!("no fuzz target `{unknown}`; there are: {}", all.join(", ")));
    }
    if all.is_empty() {
        return Err("there are no fuzz targets".into());
    }
    Ok(if names.is_empty() { all } else { names.to_vec() })
}

fn install_cargo_fuzz() -> Result<(), String> {
    if output_of(&mut cargo(&["fuzz", "--version"])).is_ok() {
        return Ok(());
    }
    println!("cargo-fuzz is missing and is installed now");
    execute(&mut cargo(&["install", "cargo-fuzz", "--locked"]))
}
