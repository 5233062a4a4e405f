//! Pairs of convex shapes.

mod exact;
mod expanding;
mod gjk;
mod hemisphere;
mod minkowski;
mod penetration;
mod relation;
mod separating_vector;
mod view;

pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use penetration::{Penetration, PenetrationCache, penetration, penetration_with};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
