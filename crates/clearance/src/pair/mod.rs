//! Pairs of convex shapes.

mod clip;
mod exact;
mod expanding;
mod feature;
mod gjk;
mod hemisphere;
mod manifold;
mod minkowski;
mod penetration;
mod point;
mod ray;
mod relation;
mod separating_vector;
mod supporting;
mod view;

pub use feature::Feature;
pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use manifold::{ContactPoint, Manifold, ManifoldConfig, contact_normal, manifold};
pub use penetration::{Penetration, PenetrationCache, penetration, penetration_with};
pub use point::{PointLocation, contains_point};
pub use ray::{Ray, RayError, RayHit, ray_cast};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
