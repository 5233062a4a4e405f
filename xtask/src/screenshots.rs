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
    let demo =
        ["run", "--quiet", "--package", "clearance-cli", "--", "demo", "-o", &folder.to_string_lossy()];
    execute(&mut cargo(&demo))?;
    let mut script = Command::new("node");
    script
        .arg("test/screenshots.mjs")
        .arg(folder.join("clearance-demo.html"))
        .arg(root().join("docs/pictures"));
    execute(script.current_dir(root().join("web")).env("CHROMIUM", tools.chromium))
}
