//! Pairs of convex shapes.

mod convex;
mod exact;
mod gjk;
mod hemisphere;
mod relation;
mod separating_vector;
mod unbounded;
mod view;

pub use convex::{Bracket, Convex, ConvexAnswer, ConvexError, ConvexRelation, relate};
pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
