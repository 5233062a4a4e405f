//! `cargo xtask rivals`: installs the C++ libraries that we are measured against, and builds the lab with them.

use crate::step::{cargo, execute, output_of, root};
use std::process::Command;

/// Packages of Debian and its relatives.
const SYSTEM: &[&str] = &["g++", "libbullet-dev", "libccd-dev", "libfcl-dev", "python3-venv"];

/// Packages of Python that bring libraries and headers along; versions that the shims were written for.
const PYTHON: &[&str] = &["coal==3.0.3", "cmeel-eigen==3.4.1", "mujoco==4.0.0"];

/// Installs and builds; a library that cannot be installed is left out, as the tables will say.
pub fn run() -> Result<(), String> {
    if let Err(what) = system_packages().and_then(|()| python_packages()) {
        println!("skipped: {what}");
    }
    execute(&mut cargo(&["build", "--profile", "lab", "--package", "lab", "--features", "rivals-cpp"]))?;
    println!("`cargo xtask bench --rivals` now measures beside them");
    Ok(())
}

fn system_packages() -> Result<(), String> {
    let is_installed = |name: &&str| output_of(Command::new("dpkg").args(["--status", name])).is_ok();
    let missing: Vec<&str> = SYSTEM.iter().copied().filter(|name| !is_installed(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let is_root = output_of(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let apt = |args: &[&str]| {
        let (program, first) = if is_root { ("apt-get", None) } else { ("sudo", Some("apt-get")) };
        execute(Command::new(program).args(first).args(args))
    };
    apt(&["update"])?;
    apt(&[&["install", "--yes", "--no-install-recommends"], &missing[..]].concat())
}

fn python_packages() -> Result<(), String> {
    // Where the build script of the lab looks.
    let venv = root().join("target/rivals");
    if !venv.join("bin/pip").exists() {
        execute(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    }
    execute(Command::new(venv.join("bin/pip")).args(["install", "--quiet"]).args(PYTHON))
}
