//! Exact convex polygons in the plane and their queries: the static base of [`kinetic`](crate).
//!
//! Coordinates given as floats are taken as they are; what is computed from them (lines, their intersections, moved
//! points) is rational and never rounded. Floats stand beside the exact numbers and decide most signs.
//!
//! | question | function |
//! |---|---|
//! | the convex hull of points, exactly | [`Polygon::hull`] |
//! | on which side of a line is a point? | [`Line::side`] |
//! | which vertex lies farthest along a direction? | [`Polygon::support`], [`Polygon::support_exact`] |
//! | do two polygons meet? | [`relation`], under placements [`relation_of`] |
//! | how far apart are they? | [`distance`] |

mod distance;
mod line;
mod number;
mod placement;
mod point;
mod polygon;
mod relation;

pub use distance::{Distance, distance, distance_of, distance_squared_of};
pub use line::Line;
pub use number::{Rational, exact, sign};
pub(crate) use number::{beyond, rounded};
pub use placement::Placement;
pub use point::Point;
pub use polygon::{Polygon, PolygonError};
pub use relation::{Relation, relation, relation_of};
