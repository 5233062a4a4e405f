//! Concave bodies as hierarchies of convex hulls [Chung96 §5.6].
//!
//! A [`Compound`] is the union of its parts: convex polytopes, and meshes that are not worth decomposing (a torus). A
//! binary tree over the parts carries a convex hull at each node. Two compounds are related by testing hulls with the
//! separating vector algorithm, and going down only where hulls meet; pairs of polytopes are then decided already, pairs
//! with a mesh go to [`mesh`](crate::mesh) and the mesh's own tree. The relation is the strongest over all pairs of
//! parts, exact.
//!
//! With a [`CompoundCache`] each pair of nodes remembers what settled it: in most frames one separating vector is checked
//! for each pair of hulls.
//!
//! Differs from the paper: 1. only the larger of two nodes is opened, not both, so a pair costs two tests and not four
//! where half of the children are far away; 2. hulls that touch are told from hulls that overlap, and bound what parts
//! below can do; 3. the tree over a mesh is one of boxes chosen by measurement, not OBBs.
//!
//! ```
//! use clearance::{Pose, compound::{Compound, Part, relation}, glam::DVec3, pair::Relation, shape::Polytope};
//! let block = |min: [f64; 3], max: [f64; 3]| -> Result<Part, Box<dyn std::error::Error>> {
//!     let corner = |i: usize| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { min[k] } else { max[k] }));
//!     Ok(Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>())?.into())
//! };
//! let angle = Compound::new(vec![block([0.0; 3], [3.0, 1.0, 1.0])?, block([0.0; 3], [1.0, 3.0, 1.0])?])?;
//! let cube = Compound::new(vec![block([0.0; 3], [1.0; 3])?])?;
//! let at = |x, y| Pose::from_translation(DVec3::new(x, y, 0.0));
//! assert_eq!(relation(&angle, &Pose::IDENTITY, &cube, &at(1.0, 1.0)?), Relation::Touching);
//! // Inside the hull of the angle, but clear of it.
//! assert_eq!(relation(&angle, &Pose::IDENTITY, &cube, &at(1.125, 1.125)?), Relation::Disjoint);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod distance;
mod hierarchy;
mod leaf;
mod query;
mod relation;
mod within;

pub use cache::{CompoundCache, CompoundStats};
pub use distance::{CompoundDistance, distance, distance_with};
pub use hierarchy::{Compound, CompoundError, Part};
pub use relation::{collides, collides_with, relation, relation_with};
pub use within::{within, within_with};
