//! `cargo xtask long`: every algorithm against its oracle until the time is up.

use crate::machine::Machine;
use crate::step::{cargo, output_of, root};
use crate::take_option;

/// Nobody waits longer than this.
const MOST_MINUTES: u64 = 60;

/// Runs `lab long` and stores what it counted.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut args = args.to_vec();
    let minutes = take_option(&mut args, "--minutes")?.unwrap_or(10).clamp(1, MOST_MINUTES);
    let seed = take_option(&mut args, "--seed")?.unwrap_or(1);
    if let Some(unknown) = args.first() {
        return Err(format!("`long` takes --minutes and --seed, not `{unknown}`"));
    }
    println!("every algorithm against its oracle for {minutes} minutes, seed {seed}");
    let (minutes, seed) = (minutes.to_string(), seed.to_string());
    let run = ["run", "--quiet", "--release", "--package", "lab", "--", "long", &minutes, &seed];
    let tables = output_of(&mut cargo(&run))?;
    print!("{tables}");
    let machine = Machine::here()?;
    let path = root().join("results").join(machine.folder()).join("long.md");
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::write(&path, format!("# long\n\n```text\n{}```\n\n{tables}", machine.header()))
        .map_err(|e| format!("{}: {e}", path.display()))
}
