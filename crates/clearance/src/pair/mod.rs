//! Pairs of convex shapes.

mod exact;
mod gjk;
mod hemisphere;
mod relation;
mod separating_vector;
mod view;

pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
