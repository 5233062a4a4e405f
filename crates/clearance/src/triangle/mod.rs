//! Two triangles under two poses: their exact relation, where they meet, how far apart they are.
//!
//! What meshes are asked in the end. Triangles are given by their corners in the frame of their body; nothing is
//! prepared or allocated unless a pair is so close to contact that floats do not help.

mod candidates;
mod coplanar;
mod crossing;
mod distance;
mod fine;
mod gauge;
mod integers;
mod intersection;
mod locate;
mod nearest;
mod pair;
mod relation;
mod sides;

pub use distance::{distance, distance_below, within};
pub use intersection::{Corner, Intersection, intersection};
pub use locate::locate;
pub use relation::relation;

pub(crate) use coplanar::closed_edges;
pub(crate) use distance::gauged_distance;
pub(crate) use gauge::Gauge;
pub(crate) use intersection::common_points;
pub(crate) use pair::{shadow, vector_size};
