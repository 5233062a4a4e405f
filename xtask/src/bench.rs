//! `cargo xtask bench`: tables of ratios, printed and stored.

use crate::machine::Machine;
use crate::step::{cargo, execute, output_of, root};
use std::process::Command;

/// Runs the named experiments, or all.
pub fn run(names: &[String]) -> Result<(), String> {
    execute(&mut cargo(&["build", "--profile", "lab", "--package", "lab"]))?;
    let listed = output_of(&mut lab(&["list"]))?;
    let all: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if let Some(unknown) = names.iter().find(|n| !all.contains(&n.as_str())) {
        return Err(format!("no experiment `{unknown}`; there are:\n{listed}"));
    }
    let machine = Machine::here()?;
    let folder = root().join("results").join(machine.folder());
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for name in all.into_iter().filter(|n| names.is_empty() || names.iter().any(|m| m == n)) {
        println!("==> {name}");
        let plots = folder.to_string_lossy();
        let tables = output_of(&mut lab(&[name, &plots]))?;
        print!("{tables}");
        let path = folder.join(format!("{name}.md"));
        std::fs::write(&path, format!("# {name}\n\n```text\n{}```\n\n{tables}", machine.header()))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("stored in {}", folder.strip_prefix(root()).unwrap_or(&folder).display());
    Ok(())
}

fn lab(args: &[&str]) -> Command {
    let mut all = vec!["run", "--quiet", "--profile", "lab", "--package", "lab", "--"];
    all.extend(args);
    cargo(&all)
}
