//! Development commands; `cargo xtask help` lists them.

mod bench;
mod fuzz;
mod licences;
mod long;
mod machine;
mod outside;
mod pictures;
mod rivals;
mod screenshots;
mod step;
mod test;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
Development commands of clearance.

Usage: cargo xtask COMMAND

Commands:
  test [--from STEP]           format, clippy, all tests, doc tests, docs, licences, packaging, what we write read
                               by Python and Chromium where installed, the report's page; what CI runs;
                               or the steps from one on, such as `--from docs`
  bench [--rivals] [EXPERIMENT...]
                               run experiments of crates/lab, print their tables, store them under results/;
                               with --rivals beside the C++ libraries that are installed
  rivals                       install those libraries (apt-get, and pip into target/rivals) and build the lab with them
  long [--minutes N] [--seed S] [--cases N] [--only TEXT]
                               a million bodies in a world; then random cases against the oracles until the time is up
                               (default 10, at most 60) and relations have had their million; or N cases of each; or
                               comparisons with TEXT alone
  fuzz [--minutes N] [TARGET...]
                               run the fuzz targets for that time in all (default 10); installs cargo-fuzz
  web                          build the page of HTML reports, compare it with web/dist, test it in Chromium
  pictures                     draw the pictures of docs anew
  screenshots                  take those of the HTML report anew, from the demo
  licences                     check the licences of all dependencies
  help                         this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &args[..]),
    };
    let done = match command {
        "test" => test::run(rest),
        "bench" => bench::run(rest),
        "long" => long::run(rest),
        "fuzz" => fuzz::run(rest),
        "rivals" => rivals::run(),
        "pictures" => pictures::run(),
        "screenshots" => screenshots::run(),
        "web" => web::run(),
        "licences" => licences::run(),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("no command `{other}`; `cargo xtask help` lists them")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The number behind an option such as `--minutes`, taken out of the arguments.
fn take_option(args: &mut Vec<String>, name: &str) -> Result<Option<u64>, String> {
    let number = |text: String| {
        text.parse().map_err(|_| format!("{name} needs a whole number that is not negative, not `{text}`"))
    };
    take_word(args, name)?.map(number).transpose()
}

/// The word behind an option, taken out of the arguments.
fn take_word(args: &mut Vec<String>, name: &str) -> Result<Option<String>, String> {
    let Some(at) = args.iter().position(|a| a == name) else { return Ok(None) };
    let value = args.get(at + 1).cloned().ok_or_else(|| format!("{name} needs a value"))?;
    args.drain(at..=at + 1);
    Ok(Some(value))
}
