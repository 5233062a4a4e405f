//! `clearance clash`: every pair of parts that collide or come closer than asked.
//!
//! `parts` reads, `rules` say what is asked of which pair, `check` looks at pairs, `model` is what was found, and the
//! outputs are written from that alone.

pub mod check;
pub mod ids;
pub mod length;
pub mod model;
pub mod parts;
pub mod rules;
mod verdict;
