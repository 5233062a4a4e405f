//! What we write, read by programs that are not ours: Python's standard library, and Chromium. Each part runs where its
//! program is installed, and says so where it is not.

use crate::step::{execute, output_of, root, tool};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes sample files with the tool and has them read.
pub fn run() -> Result<(), String> {
    let folder = root().join("target/outside");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let inside = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (assembly, picture) = (inside("gearbox.glb"), inside("gearbox.svg"));
    tool(&["make", "gearbox", "--unit", "mm", "-o", &assembly])?;
    tool(&["info", &assembly, "--picture", &picture])?;
    for file in ["gear.stl", "gear.obj", "gear.ply"] {
        tool(&["make", "gear", "-o", &inside(file)])?;
    }
    python(&folder)?;
    chromium(&folder)
}

fn python(folder: &Path) -> Result<(), String> {
    if output_of(Command::new("python3").arg("--version")).is_err() {
        println!("skipped: reading our files with Python, python3 is not installed");
        return Ok(());
    }
    execute(Command::new("python3").arg(root().join("xtask/read_files.py")).arg(folder))
}

fn chromium(folder: &Path) -> Result<(), String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let Some(browser) = names.into_iter().find(|n| output_of(Command::new(n).arg("--version")).is_ok())
    else {
        println!("skipped: drawing our picture in a browser, Chromium is not installed");
        return Ok(());
    };
    let picture = folder.join("gearbox.png");
    let _ = std::fs::remove_file(&picture);
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]);
    command.args([
        "--disable-background-networking",
        "--disable-component-update",
        "--window-size=1200,1000",
    ]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.arg(format!("--screenshot={}", picture.display()));
    command.arg(format!("file://{}", folder.join("gearbox.svg").display()));
    output_of(&mut command)?;
    check_picture(&picture)
}

/// A page that draws nothing compresses to a few kilobytes; the gearbox has hundreds of shaded facets.
fn check_picture(picture: &PathBuf) -> Result<(), String> {
    let size = std::fs::metadata(picture).map_err(|e| format!("{}: {e}", picture.display()))?.len();
    println!("the browser drew the gearbox: {size} bytes of PNG");
    if size < 20_000 { Err(format!("the picture has only {size} bytes: it is blank")) } else { Ok(()) }
}
