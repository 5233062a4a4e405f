//! `cargo xtask bench`: tables of ratios, printed and stored.

use crate::machine::Machine;
use crate::step::{cargo, execute, output_of, root};
use std::process::Stdio;

/// What is built and run.
const BUILD: &[&str] = &["--profile", "lab", "--package", "lab"];

/// Runs the named experiments, or all; `--rivals` brings the C++ libraries in.
pub fn run(args: &[String]) -> Result<(), String> {
    let (options, names): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.starts_with("--"));
    let features: &[&str] = match options[..] {
        [] => &[],
        [option] if option == "--rivals" => &["--features", "rivals-cpp"],
        _ => return Err(format!("`bench` takes --rivals and names of experiments, not {options:?}")),
    };
    let lab = |args: &[&str]| cargo(&[&["run", "--quiet"], BUILD, features, &["--"], args].concat());
    execute(&mut cargo(&[&["build"], BUILD, features].concat()))?;
    let listed = output_of(&mut lab(&["list"]))?;
    let all: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if let Some(unknown) = names.iter().find(|n| !all.contains(&n.as_str())) {
        return Err(format!("no experiment `{unknown}`; there are:\n{listed}"));
    }
    let machine = Machine::here()?;
    let folder = root().join("results").join(machine.folder());
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for name in all.into_iter().filter(|n| names.is_empty() || names.iter().any(|m| m.as_str() == *n)) {
        println!("==> {name}");
        let plots = folder.to_string_lossy();
        let tables = output_of(lab(&[name, &plots]).stderr(Stdio::inherit()))?;
        print!("{tables}");
        let path = folder.join(format!("{name}.md"));
        std::fs::write(&path, format!("# {name}\n\n```text\n{}```\n\n{tables}", machine.header()))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!("stored in {}", folder.strip_prefix(root()).unwrap_or(&folder).display());
    Ok(())
}
