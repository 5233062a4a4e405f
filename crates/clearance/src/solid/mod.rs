//! Meshes that meet: which of them overlap, and what is inside.
//!
//! Two solids overlap when some point, off all triangles, is inside both. Where triangles cross, that is plain; this
//! module decides the rest, exactly: solids that touch in points, edges and parts of faces, that share faces, are nested,
//! identical, or lie in cavities. Nothing is cut and no coordinate is computed but where two edges cross: corners of
//! contacts, and points infinitely close to them, are looked at by exact signs.
//!
//! Trees are not known here: triangles that meet a box come from a [`TriangleSearch`], pairs that meet from the caller.

mod body;
mod cells;
mod contains;
mod face;
mod point;
mod probe;
mod relation;
mod sample;
mod search;
mod segment;
mod self_intersection;

pub(crate) use body::wall_components;
pub use body::{Body, is_membrane};
pub use contains::contains_point;
pub(crate) use contains::location;
pub use relation::{Contact, MeshRelation, relation};
pub(crate) use relation::{do_overlap_at, relation_by_cells};
pub use search::{EveryTriangle, TriangleSearch};
pub use segment::segment_relation;
pub use self_intersection::{SelfIntersection, self_intersections};
