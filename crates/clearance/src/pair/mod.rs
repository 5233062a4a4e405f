//! Pairs of convex shapes.

mod convex;
mod exact;
mod expanding;
mod gjk;
mod hemisphere;
mod minkowski;
mod penetration;
mod relation;
mod separating_vector;
mod unbounded;
mod view;

pub use convex::{Bracket, Convex, ConvexAnswer, ConvexError, ConvexRelation, relate};
pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use penetration::{Penetration, PenetrationCache, penetration, penetration_with};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
