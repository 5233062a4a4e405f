//! Experiments and comparisons: `cargo run --profile lab -p lab -- EXPERIMENT`.

mod assembly;
mod boolean;
mod broad;
mod broad_cpp;
mod broad_rivals;
mod buss04;
mod buss04_analytic;
mod ccd;
mod chung96;
mod chung96_steps;
mod closest_features;
mod coherent;
mod contest;
mod distance;
mod erickson99;
mod hull;
mod joseph87;
mod konecny97;
mod long;
mod measure;
mod mesh;
mod mesh_rivals;
mod parry;
mod penetration;
mod plot;
mod proof;
mod proximity;
mod rivals;
mod scenario;
#[path = "../../clearance-cli/src/sweep/screen_picture.rs"]
mod screen_picture;
mod signs;
mod stl_load;
mod support;
mod sweep;
mod table;
mod turns;
mod world;
mod world_cpp;
mod world_rapier;
mod world_rivals;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// An experiment and what it shows.
struct Experiment {
    name: &'static str,
    shows: &'static str,
    run: fn() -> Vec<table::Table>,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "assembly",
        shows: "a generated assembly of up to 100,000 placed parts checked end to end by `clearance clash`",
        run: assembly::run,
    },
    Experiment { name: "boolean", shows: "do convex bodies meet, cold, beside rivals", run: boolean::run },
    Experiment {
        name: "broad",
        shows: "pairs of moving boxes frame after frame, beside parry's tree and C++ managers",
        run: broad::run,
    },
    Experiment {
        name: "buss04",
        shows: "all contacts of a step on a collision screen beside the table of [Buss04 §9.1] and the analytic engine",
        run: buss04::run,
    },
    Experiment {
        name: "buss04-analytic",
        shows: "bodies on screws: first contacts beside parry's nonlinear cast and sweep, all contacts of a step",
        run: buss04_analytic::run,
    },
    Experiment {
        name: "ccd",
        shows: "first contact of linearly moving vertices, faces and edges",
        run: ccd::run,
    },
    Experiment {
        name: "chung96",
        shows: "the virtual environment of [Chung96 §6.2] beside a walk over closest features",
        run: chung96::run,
    },
    Experiment {
        name: "chung96-steps",
        shows: "steps of the separating vector algorithm beside the paper's claims",
        run: chung96_steps::run,
    },
    Experiment {
        name: "coherent",
        shows: "do convex bodies meet, frame after frame, beside rivals",
        run: coherent::run,
    },
    Experiment {
        name: "distance",
        shows: "cold distances of convex pairs beside rivals",
        run: distance::run,
    },
    Experiment {
        name: "erickson99",
        shows: "events of kinetic certificates against closeness beside Table 1 of [Erickson99]",
        run: erickson99::run,
    },
    Experiment { name: "hull", shows: "exact convex hulls beside parry3d-f64 and chull", run: hull::run },
    Experiment {
        name: "joseph87",
        shows: "hierarchies of 4-prisms level by level, and the growth of Algorithms 1 and 2",
        run: joseph87::run,
    },
    Experiment {
        name: "mesh",
        shows: "pairs of meshes and their trees beside rivals, and what exactness costs",
        run: mesh::run,
    },
    Experiment {
        name: "konecny97",
        shows: "bounds of a rotated body: volume, lower bound of distance and cost by kind",
        run: konecny97::run,
    },
    Experiment {
        name: "penetration",
        shows: "proved penetration depths beside rivals",
        run: penetration::run,
    },
    Experiment { name: "proof", shows: "what the proof of a relation costs", run: proof::run },
    Experiment {
        name: "proximity",
        shows: "tests a second of moving meshes, 200 against 20 000 triangles, beside [Konecny97]",
        run: proximity::run,
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
    Experiment {
        name: "sweep",
        shows: "first contact of translating bodies beside parry's cast_shapes",
        run: sweep::run,
    },
    Experiment {
        name: "world",
        shows: "whole steps of many convex bodies beside rapier, Bullet, FCL, coal and parry's tree with contacts",
        run: world::run,
    },
    Experiment {
        name: "trees",
        shows: "trees of meshes by what bounds their parts: boxes, slabs, 14-hulls",
        run: mesh::trees::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match request(&words) {
        Request::List => list(),
        Request::Long(options) => long(options),
        Request::Experiment { name, folder } => experiment(name, folder),
        Request::Usage => usage(),
    }
}

/// What the command line asks for.
#[derive(Debug, PartialEq)]
enum Request<'a> {
    List,
    Long(&'a [&'a str]),
    Experiment { name: &'a str, folder: &'a str },
    Usage,
}

fn request<'a>(words: &'a [&'a str]) -> Request<'a> {
    match *words {
        ["long", ref options @ ..] => Request::Long(options),
        // No experiment and no folder begins so: whoever asks for help does not wait for hours and find a folder `--help`.
        _ if words.iter().any(|word| word.starts_with('-')) => Request::Usage,
        ["list"] => Request::List,
        [name] => Request::Experiment { name, folder: PLOTS },
        [name, folder] => Request::Experiment { name, folder },
        _ => Request::Usage,
    }
}

/// Where plots go unless told otherwise; not kept by git, unlike the results that `cargo xtask bench` stores.
const PLOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/here");

/// Runs an experiment, prints its tables and writes its plots.
fn experiment(name: &str, folder: &str) -> ExitCode {
    let Some(experiment) = EXPERIMENTS.iter().find(|e| e.name == name) else { return usage() };
    rivals::report_missing();
    for table in (experiment.run)() {
        println!("{}", table.to_markdown());
        if let Err(error) = table.plots().iter().try_for_each(|(file, svg)| write_plot(folder, file, svg)) {
            eprintln!("lab: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn write_plot(folder: &str, file: &str, svg: &str) -> Result<(), String> {
    let path = Path::new(folder).join(file);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, svg));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("plot: {}", path.canonicalize().unwrap_or(path).display());
    Ok(())
}

fn list() -> ExitCode {
    for Experiment { name, shows, .. } in EXPERIMENTS {
        println!("{name:16} {shows}");
    }
    ExitCode::SUCCESS
}

fn long(options: &[&str]) -> ExitCode {
    let Some(plan) = plan(options) else { return usage() };
    match long::run(&plan) {
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

fn plan(options: &[&str]) -> Option<long::Plan> {
    let minutes = |n: u64| Duration::from_secs(60 * n);
    let mut plan = long::Plan { time: minutes(10), cases: None, only: String::new(), seed: 1 };
    for option in options.chunks(2) {
        match *option {
            ["--minutes", n] => plan.time = minutes(n.parse().ok()?),
            ["--seed", n] => plan.seed = n.parse().ok()?,
            ["--cases", n] => plan.cases = Some(n.parse().ok()?),
            ["--only", text] => plan.only = text.into(),
            _ => return None,
        }
    }
    Some(plan)
}

fn usage() -> ExitCode {
    eprintln!(
        "usage: lab EXPERIMENT [FOLDER FOR PLOTS] | lab list | \
         lab long [--minutes N] [--seed S] [--cases N] [--only TEXT]; the experiments:"
    );
    for Experiment { name, shows, .. } in EXPERIMENTS {
        eprintln!("  {name:16} {shows}");
    }
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_no_folders() {
        for words in [&["mesh", "--help"][..], &["--help"], &["mesh", "-h"], &["list", "--all"], &[]] {
            assert_eq!(request(words), Request::Usage, "{words:?}");
        }
        assert_eq!(request(&["mesh", "plots"]), Request::Experiment { name: "mesh", folder: "plots" });
        assert_eq!(request(&["long", "--minutes", "1"]), Request::Long(&["--minutes", "1"]));
    }
}
