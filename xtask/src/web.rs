//! `cargo xtask web`: the page of HTML reports is what its sources say, and works in a browser.

use crate::step::{execute, output_of, root, tool};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the page anew, compares it with the stored one, and runs its tests in Chromium. What is not installed is
/// said and skipped.
pub fn run() -> Result<(), String> {
    let Some(tools) = Tools::find() else { return Ok(()) };
    install()?;
    execute(&mut npm(&["run", "check"]))?;
    compare()?;
    let report = report_of_the_tool()?;
    execute(npm(&["test"]).env("CHROMIUM", tools.chromium).env("CLEARANCE_REPORT", report))
}

/// A wall, a block in it, one beside it, and a slide that hits it halfway.
const SCENE: &str = r#"{ "unit": "mm", "parts": [
  { "name": "wall", "group": "housing", "shape": { "box": [2, 20, 20] } },
  { "name": "block", "group": "inserts", "shape": { "box": [4, 4, 4] }, "pose": { "translation": [2, 5, 0] } },
  { "name": "neighbour", "group": "inserts", "shape": { "box": [2, 4, 4] }, "pose": { "translation": [2.5, -5, 5] } },
  { "name": "slide", "group": "motion", "shape": { "box": [4, 4, 4] }, "pose": { "translation": [-13, -5, -5] },
    "motion": { "translate": [20, 0, 0], "t0": 0, "t1": 2 } } ] }"#;

/// A page that the tool itself wrote, of that scene.
fn report_of_the_tool() -> Result<PathBuf, String> {
    let scene = root().join("target/web/scene.json");
    let page = root().join("target/web/tool.html");
    std::fs::write(&scene, SCENE).map_err(|e| format!("{}: {e}", scene.display()))?;
    let (scene, page_name) = (scene.to_string_lossy(), page.to_string_lossy());
    let clash =
        ["clash", &scene, "--clearance", "1mm", "--fail-on", "none", "--format", "none", "-o", &page_name];
    tool(&clash)?;
    Ok(page)
}

/// What is needed beside cargo.
pub struct Tools {
    /// The name of the browser's program.
    pub chromium: String,
}

impl Tools {
    /// None, with a printed line, where something is missing.
    pub fn find() -> Option<Tools> {
        let works = |program: &str| output_of(Command::new(program).arg("--version")).is_ok();
        if !works("node") || !works("npm") {
            println!("skipped: the report's page, Node.js is not installed");
            return None;
        }
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let Some(chromium) = names.into_iter().find_map(path_of) else {
            println!("skipped: the report's page, Chromium is not installed");
            return None;
        };
        Some(Tools { chromium })
    }
}

/// The file that a command's name stands for.
fn path_of(program: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    Some(found.to_string_lossy().into_owned())
}

fn folder() -> PathBuf {
    root().join("web")
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(args).current_dir(folder());
    command
}

/// Packages exactly as locked; nothing is done if they are there already.
pub fn install() -> Result<(), String> {
    let changed = |file: &str| std::fs::metadata(folder().join(file)).and_then(|m| m.modified()).ok();
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_some() && installed >= changed("package-lock.json") {
        return Ok(());
    }
    // Not `npm ci`: it refuses lock files that were written where a registry offers no builds for other systems.
    execute(&mut npm(&["install", "--no-save", "--no-audit", "--no-fund"]))
}

/// The stored page must be what the sources give, byte by byte.
fn compare() -> Result<(), String> {
    let fresh = root().join("target/web");
    let fresh_name = fresh.to_string_lossy();
    execute(&mut npm(&["run", "build", "--", "--emptyOutDir", "--outDir", &fresh_name]))?;
    if read(&fresh.join("report.html"))? == read(&folder().join("dist/report.html"))? {
        return Ok(());
    }
    Err("web/dist/report.html is not what its sources give; `npm run build` in web, then commit it".into())
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))
}
