//! `cargo xtask pictures`: draws the pictures of the documentation anew.

use crate::step::{cargo, execute};

/// Writes into `docs/pictures`.
pub fn run() -> Result<(), String> {
    let args = ["run", "-q", "-p", "clearance-io", "--example", "relate_pictures", "--", "docs/pictures"];
    execute(&mut cargo(&args))
}
