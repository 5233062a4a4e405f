//! Running one command after another, with a table of what each took.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}

/// `cargo` with these arguments, in the root of the workspace.
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a command; an error says what failed.
pub fn execute(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    let status = command.status().map_err(|e| format!("cannot start {shown}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed ({status})")) }
}

/// What a command prints, or an error with what it complained of.
pub fn output_of(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|e| format!("cannot start {shown}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{shown} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the tests are built from, and with them the tool.
pub const TESTS: [&str; 7] =
    ["test", "--workspace", "--all-features", "--lib", "--bins", "--tests", "--examples"];

/// Runs the command line tool as the tests have it: built with other features it would take minutes more.
pub fn tool(args: &[&str]) -> Result<(), String> {
    execute(&mut cargo(&[&TESTS[..], &["--no-run", "--quiet"]].concat()))?;
    // This program lies beside it.
    let here = std::env::current_exe().map_err(|e| format!("where is this program? {e}"))?;
    let tool = here.with_file_name(format!("clearance{}", std::env::consts::EXE_SUFFIX));
    output_of(Command::new(tool).args(args).current_dir(root())).map(drop)
}

/// Steps with their times; stops at the first that fails, and prints the table either way.
#[derive(Default)]
pub struct Steps {
    times: Vec<(String, Duration)>,
    /// The first step that is not skipped, until it comes.
    from: Option<String>,
}

impl Steps {
    /// Skips all steps before the one of this name.
    pub fn from(name: Option<String>) -> Steps {
        Steps { from: name, ..Steps::default() }
    }

    /// Runs a step under a headline.
    pub fn run(&mut self, name: &str, step: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        if self.from.as_deref().is_some_and(|from| from != name) {
            println!("\n==> {name}: skipped");
            return Ok(());
        }
        self.from = None;
        println!("\n==> {name}");
        let start = Instant::now();
        let done = step();
        self.times.push((name.to_string(), start.elapsed()));
        done.map_err(|e| format!("step `{name}`: {e}"))
    }

    /// An error if the step to begin with never came.
    pub fn found(&self) -> Result<(), String> {
        self.from
            .as_ref()
            .map_or(Ok(()), |name| Err(format!("no step is called `{name}`; the list is above")))
    }

    /// Prints the time table.
    pub fn report(&self) {
        println!("\n{:<28} {:>9}", "step", "seconds");
        for (name, time) in &self.times {
            println!("{name:<28} {:>9.1}", time.as_secs_f64());
        }
        let total: Duration = self.times.iter().map(|(_, t)| *t).sum();
        println!("{:<28} {:>9.1}", "in all", total.as_secs_f64());
    }
}
