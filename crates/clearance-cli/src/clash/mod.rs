//! `clearance clash`: every pair of parts that collide or come closer than asked.
//!
//! `parts` reads, `rules` say what is asked of which pair, `check` looks at pairs, `model` is what was found, and the
//! outputs are written from that alone.

pub mod baseline;
pub mod check;
mod drawn;
mod fail_on;
mod ids;
mod inputs;
mod inside;
pub mod length;
pub mod model;
mod moving;
pub mod output;
mod pair;
pub mod parts;
mod placed;
pub mod report;
pub mod rules;
mod swept;
mod verdict;

pub use fail_on::FailOn;
pub use output::{FindingLine, OutputFormat};
