//! `cargo xtask screenshots`: pictures of the demo's report for the documentation.

use crate::step::{cargo, execute, root};
use crate::web::{Tools, install};
use std::process::Command;

/// Writes `docs/pictures/report-*.png`.
pub fn run() -> Result<(), String> {
    let tools = Tools::find().ok_or("pictures of the report need Node.js and Chromium")?;
    install()?;
    let folder = root().join("target/screenshots");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // In that folder, so that no picture shows where it is.
    let manifest = root().join("Cargo.toml");
    let demo =
        ["run", "--quiet", "--manifest-path", &manifest.to_string_lossy(), "--package", "clearance-cli"];
    execute(cargo(&demo).args(["--", "demo"]).current_dir(&folder))?;
    let mut script = Command::new("node");
    script
        .arg("test/screenshots.mjs")
        .arg(folder.join("clearance-demo.html"))
        .arg(root().join("docs/pictures"));
    execute(script.current_dir(root().join("web")).env("CHROMIUM", tools.chromium))
}
