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
//! Differs from the paper: 1. only the larger of two nodes is opened, not both at once; 2. hulls that touch are told from
//! hulls that overlap, and bound what parts below can do; 3. the tree over a mesh is that of [`tree`](crate::tree), not
//! one of oriented boxes.
//!
//! The seam between two parts is inside neither: a polygon that lies in it touches the compound, by definition.
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
//!
//! # Where parts come from
//!
//! This library does not decompose meshes. The Python package `coacd` does; this script reads the polygons of one OBJ file
//! and writes each convex part as an object of another:
//!
//! ```python
//! import sys, numpy, coacd          # pip install coacd
//!
//! vertices, triangles = [], []
//! for line in open(sys.argv[1]):
//!     words = line.split()
//!     if words[:1] == ["v"]:
//!         vertices.append([float(x) for x in words[1:4]])
//!     elif words[:1] == ["f"]:
//!         face = [int(word.split("/")[0]) - 1 for word in words[1:]]
//!         triangles += [[face[0], face[i], face[i + 1]] for i in range(1, len(face) - 1)]
//! mesh = coacd.Mesh(numpy.array(vertices), numpy.array(triangles))
//!
//! first = 1
//! with open(sys.argv[2], "w") as out:
//!     for number, (corners, faces) in enumerate(coacd.run_coacd(mesh, threshold=0.05)):
//!         print(f"o part{number}", file=out)
//!         for x, y, z in corners.tolist():
//!             print(f"v {x!r} {y!r} {z!r}", file=out)
//!         for face in faces:
//!             print("f", *(first + int(i) for i in face), file=out)
//!         first += len(corners)
//! ```
//!
//! Read the result with `clearance_io::read(..)?.to_soup()` and give it to [`Compound::from_convex_parts`]. The union of
//! the parts is near the mesh, not equal to it: parts bulge where the threshold allows, and cuts are rounded. Where that
//! is too coarse, keep the mesh as one [`Part::Mesh`]. (Tried by hand with coacd 1.0.14 on a torus of 576 triangles, which
//! became 12 parts; no test runs it.)

mod cache;
mod distance;
mod hierarchy;
mod leaf;
mod polygon;
mod query;
mod relation;
mod within;

pub use cache::{CompoundCache, CompoundStats};
pub use distance::{CompoundDistance, distance, distance_with};
pub use hierarchy::{Compound, CompoundError, Part};
pub(crate) use polygon::without_cuts;
pub use relation::{collides, collides_with, relation, relation_with};
pub use within::{within, within_with};
