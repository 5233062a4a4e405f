//! One file per verb.

pub mod batch;
pub mod ccd;
pub mod clash;
pub mod completions;
pub mod demo;
pub mod hull;
pub mod info;
pub mod make;
pub mod man;
pub mod relate;
pub mod schema;
pub mod simulate;
pub mod verify;
