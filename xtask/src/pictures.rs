//! `cargo xtask pictures`: draws the pictures of the documentation anew.

use crate::step::{cargo, execute};

/// Writes into `docs/pictures`.
pub fn run() -> Result<(), String> {
    for example in [
        "relate_pictures",
        "hull_pictures",
        "mesh_pictures",
        "world_pictures",
        "spacetime_pictures",
        "kinetic_pictures",
        "screw_pictures",
    ] {
        execute(&mut cargo(&[
            "run",
            "-q",
            "-p",
            "clearance-io",
            "--example",
            example,
            "--",
            "docs/pictures",
        ]))?;
    }
    simulated()
}

/// The pictures of `docs/many-bodies.md` and `docs/certificates.md` that `clearance simulate` draws.
fn simulated() -> Result<(), String> {
    let gear = std::env::temp_dir().join("clearance-pictures-gear.stl");
    let gear = gear.to_str().ok_or("the folder for temporary files has no name in UTF-8")?;
    let flight = ["simulate", "sample:200", "--density", "12%", "--frames", "200", "-q"];
    let gears = ["simulate", gear, "--bodies", "18", "--density", "20%", "--frames", "75", "-q"];
    let make = ["make", "gear", "--teeth", "10", "--flank-points", "2", "--bore-radius", "3", "-o", gear];
    let plane = ["simulate", "docs/plane.json", "--kinetic", "--until", "12", "-q"];
    for arguments in [
        make.to_vec(),
        [&flight[..], &["--picture", "docs/pictures/many-bodies.svg"]].concat(),
        [&gears[..], &["--picture", "docs/pictures/many-bodies-gears.svg"]].concat(),
        [&plane[..], &["--at", "5", "--picture", "docs/pictures/certificates-proof.svg"]].concat(),
        [&plane[..], &["--animation", "docs/pictures/certificates-run.svg"]].concat(),
    ] {
        let run = ["run", "-q", "-p", "clearance-cli", "--"];
        execute(&mut cargo(&[&run[..], &arguments].concat()))?;
    }
    Ok(())
}
