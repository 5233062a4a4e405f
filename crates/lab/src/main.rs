//! Experiments and comparisons: `cargo run --profile lab -p lab -- EXPERIMENT`.

mod boolean;
mod hull;
mod long;
mod measure;
mod penetration;
mod scenario;
mod signs;
mod stl_load;
mod support;
mod table;

use std::process::ExitCode;

/// An experiment and what it shows.
struct Experiment {
    name: &'static str,
    shows: &'static str,
    run: fn() -> Vec<table::Table>,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "boolean", shows: "do convex bodies meet, cold, beside parry", run: boolean::run },
    Experiment { name: "hull", shows: "exact convex hulls beside parry3d-f64 and chull", run: hull::run },
    Experiment {
        name: "penetration",
        shows: "proved penetration depths beside parry3d-f64",
        run: penetration::run,
    },
    Experiment {
        name: "signs",
        shows: "exact orientation beside the naive float expression",
        run: signs::run,
    },
    Experiment {
        name: "stl_load",
        shows: "loading a million triangles beside reading and welding with a plain hash map",
        run: stl_load::run,
    },
    Experiment {
        name: "support",
        shows: "every way to find an extreme vertex, cold and coherent",
        run: support::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => list(),
        ["long", minutes, seed] => return long(minutes, seed),
        [name] => match EXPERIMENTS.iter().find(|e| e.name == name) {
            Some(experiment) => (experiment.run)().iter().for_each(|t| println!("{}", t.to_markdown())),
            None => return usage(),
        },
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn list() {
    for Experiment { name, shows, .. } in EXPERIMENTS {
        println!("{name:16} {shows}");
    }
}

fn long(minutes: &str, seed: &str) -> ExitCode {
    let (Ok(minutes), Ok(seed)) = (minutes.parse(), seed.parse()) else { return usage() };
    match long::run(minutes, seed) {
        Ok(table) => {
            println!("{}", table.to_markdown());
            ExitCode::SUCCESS
        }
        Err(mismatch) => {
            eprintln!("lab: {mismatch}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: lab EXPERIMENT | lab list | lab long MINUTES SEED; the experiments:");
    for Experiment { name, shows, .. } in EXPERIMENTS {
        eprintln!("  {name:16} {shows}");
    }
    ExitCode::from(2)
}
