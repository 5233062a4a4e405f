//! Pairs of convex shapes.

mod axes;
mod balls;
mod beside;
mod cast;
mod cells;
mod clip;
mod convex;
mod curved;
mod curved_depth;
mod depth;
mod difference;
mod distance;
mod exact;
mod exact_distance;
mod expanding;
mod feature;
mod fine;
mod gilbert;
mod hemisphere;
mod hint;
mod johnson;
mod manifold;
mod minkowski;
mod normal;
mod penetration;
mod planes;
mod point;
mod propose;
mod ray;
mod refine;
mod relation;
mod relative;
mod revolved;
mod search;
mod separate;
mod separating_vector;
mod shells;
mod single;
mod subdistance;
mod support;
mod supporting;
mod surface;
mod tracker;
mod triple;
mod unbounded;
#[cfg(feature = "oracle")]
mod unproved;
mod view;

pub use cast::ray_cast_convex;
pub(crate) use convex::relate_below;
pub use convex::{Bracket, Convex, ConvexAnswer, ConvexError, ConvexRelation, relate};
pub(crate) use difference::Difference;
pub use distance::{Distance, DistanceConfig, GilbertCache, closest_points, distance, distance_with, within};
pub(crate) use distance::{Nearest, seemingly_nearest};
pub(crate) use exact::{climb, plateau};
pub use exact_distance::distance_lies_within;
pub use feature::Feature;
pub use hemisphere::{Bisector, HalfPlanes, Hemisphere};
pub(crate) use hint::Hint;
pub use manifold::{ContactPoint, Manifold, ManifoldConfig, contact_normal, manifold};
pub use penetration::{Penetration, PenetrationCache, penetration, penetration_with};
pub use point::{PointLocation, contains_point};
pub use ray::{Ray, RayError, RayHit, ray_cast};
pub use relation::{Relation, Witness, relation, relation_with_witness};
pub(crate) use relative::{Corner, Relative};
pub use separating_vector::{
    Candidate, HemisphereMethod, SeparatingVectorConfig, SeparatingVectorOutcome, SeparatingVectorResult,
    StartRule, StepRule, separating_vector,
};
pub(crate) use shells::distance_lower_bound;
pub(crate) use subdistance::Simplex;
pub use support::{PosedExtreme, PosedSupport};
pub use tracker::{Contact, Tracker, TrackerFrame, TrackerMode, TrackerStats};
#[cfg(feature = "oracle")]
pub use unproved::relation_unproved;
pub(crate) use view::View;
