//! Pairs of convex shapes.

mod exact;
mod gjk;
mod relation;
mod separating_vector;
mod view;

pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::StepRule;
