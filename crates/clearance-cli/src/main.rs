//! The `clearance` command.

fn main() {}
