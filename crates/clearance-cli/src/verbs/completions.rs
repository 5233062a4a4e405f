//! `clearance completions`: the completion script for a shell.

use crate::{
    args::{Cli, CompletionsArguments},
    output::{self, Failure, Verdict},
};
use clap::CommandFactory;

pub fn run(arguments: &CompletionsArguments) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "clearance", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    Ok(Verdict::Fine)
}
