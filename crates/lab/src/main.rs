//! Experiments and comparisons: `cargo run --profile lab -p lab -- EXPERIMENT`.

mod measure;
mod signs;
mod table;

/// Runs one experiment and returns its tables.
type Experiment = fn() -> Vec<table::Table>;

/// Name, what it shows, function.
const EXPERIMENTS: &[(&str, &str, Experiment)] =
    &[("signs", "exact orientation beside the naive float expression", signs::run)];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, _, run)) = EXPERIMENTS.iter().find(|(n, _, _)| *n == name) else {
        eprintln!("lab: give one of these experiments:");
        for (name, what, _) in EXPERIMENTS {
            eprintln!("  {name:16} {what}");
        }
        std::process::exit(2);
    };
    for table in run() {
        println!("{}", table.to_markdown());
    }
}
