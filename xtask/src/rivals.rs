//! `cargo xtask rivals`: installs the C++ libraries that we are measured against, and builds the lab with them.

use crate::step::{cargo, execute, output_of, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages of Debian and its relatives.
const SYSTEM: &[&str] = &["cmake", "g++", "libbullet-dev", "libccd-dev", "libfcl-dev", "python3-venv"];

/// Packages of Python that bring libraries and headers along; versions that the shims were written for.
const PYTHON: &[&str] = &["coal==3.0.3", "cmeel-eigen==3.4.1", "mujoco==4.0.0"];

/// A crate that brings the source of Jolt 5.0 along; its own build would want libclang.
const JOLT: (&str, &str) = ("joltc-sys", "=0.3.1");

/// What Jolt is built without.
const JOLT_WITHOUT: &[&str] = &[
    "ENABLE_ALL_WARNINGS",
    "GENERATE_DEBUG_SYMBOLS",
    "INTERPROCEDURAL_OPTIMIZATION",
    "TARGET_HELLO_WORLD",
    "TARGET_PERFORMANCE_TEST",
    "TARGET_SAMPLES",
    "TARGET_UNIT_TESTS",
    "TARGET_VIEWER",
];

/// Installs and builds; a library that cannot be installed is left out, as the tables will say.
pub fn run() -> Result<(), String> {
    for install in [system_packages, python_packages, jolt] {
        if let Err(what) = install() {
            println!("skipped: {what}");
        }
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

/// Builds Jolt from the source of a crate, which takes some minutes, and leaves its library, and where its headers are, for the build
/// script of the lab.
fn jolt() -> Result<(), String> {
    let folder = root().join("target/rivals/jolt");
    let (build, headers) = (folder.join("build"), folder.join("headers.txt"));
    if build.join("libJolt.a").exists() && headers.exists() {
        return Ok(());
    }
    let source = jolt_source(&folder)?;
    let mut configure = Command::new("cmake");
    configure
        .arg("-S")
        .arg(source.join("Build"))
        .arg("-B")
        .arg(&build)
        .arg("-DCMAKE_BUILD_TYPE=Distribution");
    execute(configure.args(JOLT_WITHOUT.iter().map(|what| format!("-D{what}=OFF"))))?;
    execute(Command::new("cmake").arg("--build").arg(&build).args(["--target", "Jolt", "--parallel", "2"]))?;
    let text = source.to_str().ok_or_else(|| format!("{} is no text", source.display()))?;
    std::fs::write(&headers, text).map_err(|error| format!("cannot write {}: {error}", headers.display()))
}

/// Where Cargo puts the source, as a dependency of a package that is never built.
fn jolt_source(folder: &Path) -> Result<PathBuf, String> {
    let (name, version) = JOLT;
    let manifest = format!(
        "[package]\nname = \"source\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"{version}\"\n\n[workspace]\n"
    );
    let write = |file: &str, text: &str| {
        let path = folder.join(file);
        let made = std::fs::create_dir_all(path.parent().expect("a folder"));
        made.and_then(|()| std::fs::write(&path, text))
            .map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    write("Cargo.toml", &manifest)?;
    write("src/lib.rs", "")?;
    let metadata = output_of(cargo(&["metadata", "--format-version", "1"]).current_dir(folder))?;
    let metadata: serde_json::Value =
        serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata cannot be read: {e}"))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let found = packages.filter(|package| package["name"] == name).find_map(|p| p["manifest_path"].as_str());
    let manifest = Path::new(found.ok_or_else(|| format!("cargo does not find {name}"))?);
    Ok(manifest.with_file_name("JoltC").join("JoltPhysics"))
}
