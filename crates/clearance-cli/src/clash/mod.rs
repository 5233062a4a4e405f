//! `clearance clash`: every pair of parts that collide or come closer than asked.
//!
//! `parts` reads, `rules` say what is asked of which pair, `check` looks at pairs, `model` is what was found, and the
//! outputs are written from that alone.

pub mod check;
mod inputs;
pub mod model;
pub mod parts;
