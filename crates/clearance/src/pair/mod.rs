//! Pairs of convex shapes.

mod convex;
mod curved;
mod difference;
mod distance;
mod exact;
mod exact_distance;
mod expanding;
mod feature;
mod gilbert;
mod gjk;
mod hemisphere;
mod johnson;
mod minkowski;
mod penetration;
mod refine;
mod relation;
mod separating_vector;
mod subdistance;
mod tracker;
mod unbounded;
mod view;

pub use convex::{Bracket, Convex, ConvexAnswer, ConvexError, ConvexRelation, relate};
pub use distance::{Distance, DistanceConfig, GilbertCache, closest_points, distance, distance_with, within};
pub use feature::Feature;
pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub use penetration::{Penetration, PenetrationCache, penetration, penetration_with};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
pub use tracker::{Contact, Tracker, TrackerFrame, TrackerMode, TrackerStats};
