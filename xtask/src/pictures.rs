//! `cargo xtask pictures`: draws the pictures of the documentation anew.

use crate::step::{cargo, execute};

/// Writes into `docs/pictures`.
pub fn run() -> Result<(), String> {
    for example in ["relate_pictures", "hull_pictures", "mesh_pictures"] {
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
    Ok(())
}
