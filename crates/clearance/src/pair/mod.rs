//! Pairs of convex shapes.

mod exact;
mod relation;

pub use relation::{Relation, Witness};

/// temporary
pub fn decide(pair: &crate::witness::PosedPair<'_>) -> Witness {
    exact::decide(pair, &[])
}
