//! The `clearance` command: look at parts, make sample shapes, take hulls, relate pairs, check assemblies for
//! clashes, let many fly, see a demo.
#![forbid(unsafe_code)]

mod answer;
mod args;
mod bodies;
mod clash;
mod interrupt;
mod kinetic;
mod lines;
mod output;
mod path;
mod proof;
mod recheck;
mod recipe;
mod report;
mod simulate;
mod sweep;
mod verbs;

use args::{Cli, Verb};
use clap::Parser;
use output::{Failure, Verdict};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse_from(args::with_joined_poses(std::env::args_os()));
    cli.color.apply();
    interrupt::listen();
    let outcome = match &cli.verb {
        Verb::Info(arguments) => verbs::info::run(arguments),
        Verb::Make(arguments) => verbs::make::run(arguments),
        Verb::Hull(arguments) => verbs::hull::run(arguments),
        Verb::Relate(arguments) => verbs::relate::run(arguments),
        Verb::Clash(arguments) => verbs::clash::run(arguments),
        Verb::Sweep(arguments) => sweep::run(arguments),
        Verb::Verify(arguments) => verbs::verify::run(arguments),
        Verb::Ccd(arguments) => verbs::ccd::run(arguments),
        Verb::Simulate(arguments) => verbs::simulate::run(arguments),
        Verb::Demo(arguments) => verbs::demo::run(arguments),
        Verb::Completions(arguments) => verbs::completions::run(arguments),
        Verb::Schema(arguments) => verbs::schema::run(arguments),
        Verb::Man(arguments) => verbs::man::run(arguments),
    };
    finish(outcome)
}

fn finish(outcome: Result<Verdict, Failure>) -> ExitCode {
    match outcome {
        Ok(verdict) => verdict.exit_code(),
        Err(failure) => {
            output::print_error(&failure);
            failure.exit_code()
        }
    }
}
