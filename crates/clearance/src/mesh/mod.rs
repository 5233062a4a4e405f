//! Questions about meshes: do they meet, how far apart are they, where do they touch.
//!
//! A [`TreeMesh`] is a mesh prepared for queries, as a [`SupportMap`](crate::support::SupportMap) is for polytopes.
//! Trees find the pairs of triangles that may matter, floats with error bounds settle almost all of them, exact signs
//! the rest; solids that touch, share faces or are nested are decided by [`solid`](crate::solid).
//!
//! ```
//! use clearance::{Pose, glam::DVec3, mesh::{TreeMesh, distance, relation}, pair::Relation};
//! use clearance::shape::{Mesh, MeshConfig, sample};
//! let torus = TreeMesh::new(Mesh::build(&sample::torus(1.0, 0.25, 64, 32)?, &MeshConfig::default())?);
//! let ball = TreeMesh::new(Mesh::build(&sample::icosphere(0.5, 8)?, &MeshConfig::default())?);
//! // The ball floats in the hole.
//! assert_eq!(relation(&torus, &Pose::IDENTITY, &ball, &Pose::IDENTITY).relation, Relation::Disjoint);
//! let gap = distance(&torus, &Pose::IDENTITY, &ball, &Pose::IDENTITY);
//! assert!(gap.lower > 0.24 && gap.upper < 0.26 && gap.upper - gap.lower <= 1e-12 * gap.upper);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod common;
mod contact;
mod deepest;
mod distance;
mod enclosure;
mod exit;
mod foot;
mod inscribed;
mod intersection_volume;
mod nearest;
mod penetration;
mod point;
mod ray;
mod relation;
mod same_triangles;
mod self_intersection;
mod signed_distance;
mod surface_depth;
mod tree_mesh;
#[cfg(feature = "oracle")]
mod unproved;
mod within;

pub use cache::MeshCache;
pub use contact::{contacts, contacts_with};
pub use distance::{MeshDistance, closest_points, distance, distance_with, lower_bound};
pub(crate) use enclosure::is_nested;
pub use intersection_volume::intersection_volume;
pub use penetration::{LocalDepth, MeshPenetration, NotSolid, penetration};
pub use point::{PointDistance, PointError, contains_point, distance_to_point};
pub use ray::{MeshRayHit, ray_cast};
pub(crate) use relation::shows_overlap;
pub use relation::{collides, relation, relation_with};
pub use same_triangles::{have_same_points, have_same_triangles};
pub use self_intersection::self_intersections;
pub use signed_distance::{SignedDistance, signed_distance};
pub use surface_depth::{DepthSearch, SurfaceDepth, reaches_outside};
pub use tree_mesh::TreeMesh;
#[cfg(feature = "oracle")]
pub use unproved::Unproved;
pub use within::{within, within_with};

pub use crate::solid::{Contact, MeshRelation, SelfIntersection};
