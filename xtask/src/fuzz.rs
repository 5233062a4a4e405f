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
            // Long inputs from the start: of a target that runs ten times a second they would never get long.
            let lengths = ["-len_control=0", "-rss_limit_mb=4096"];
            let args = [&["+nightly", "fuzz", "run", target, "--", &limit][..], &lengths].concat();
            execute(Command::new("cargo").args(args).current_dir(root()))
        })
    });
    steps.report();
    done
}

/// The targets are the files of `fuzz/fuzz_targets`; other programs of that crate are none.
fn chosen(names: &[String]) -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let sources = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut all: Vec<String> =
        sources.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    all.sort();
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
