//! One file per verb.

pub mod completions;
pub mod demo;
pub mod hull;
pub mod info;
pub mod make;
pub mod schema;
