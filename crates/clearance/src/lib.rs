//! Exact collision detection for convex polytopes and meshes.
//!
//! With `f64` input the relation of two bodies is exact, whatever the scale, and every answer carries a witness that
//! can be checked. Floats propose, exact arithmetic disposes: see [`exact`].
//!
//! # Should I use this crate?
//!
//! Yes, if a wrong answer costs more than a microsecond: assemblies that touch by design, parts far from the origin,
//! thin parts, robots that must not be told "free" when they are not. No, if all you need is a plausible answer in
//! single precision on a GPU.
//!
//! # Which function?
//!
//! | question | function |
//! |---|---|
//! | the convex hull of points, exactly | [`shape::Polytope::hull`] |
//! | a mesh, checked and repaired, with a report | [`shape::Mesh::build`] |
//! | do two convex bodies meet? | [`pair::relation`] |
//! | ... and what is the proof? | [`pair::relation_with_witness`], [`pair::Witness::check`] |
//! | how far apart are they, where, and is it at most `d`? | [`pair::distance`], [`pair::within`] |
//! | how deep do they overlap, and where do they touch? | [`pair::penetration`], [`pair::manifold`] |
//! | which point of one is farthest along a direction? | [`pair::PosedSupport`] |
//! | the same pair in every frame | [`pair::Tracker`] |
//! | spheres, capsules, cylinders, half-spaces | [`pair::relate`] |
//! | does a ray meet a body, is a point inside? | [`body::ray_cast`], [`pair::ray_cast`], [`pair::contains_point`] |
//! | a cheap bound that follows a rotation, and a lower bound of distance | [`bound::FixedDirectionHull`], [`bound::Realignment`] |
//! | do two triangles meet, where, and how far apart are they? | [`triangle::relation`], [`triangle::intersection`], [`triangle::distance`] |
//! | when does a moving vertex first meet a moving triangle, or an edge an edge? | [`ccd::vertex_face`], [`ccd::edge_edge`] |
//! | do meshes that touch overlap, and which is inside? | [`solid::relation`] |
//! | how far does the surface of a solid get into another, whatever its vertices say? | [`mesh::DepthSearch`] |
//! | what volume do two solids have in common? | [`mesh::intersection_volume`] |
//! | are two meshes one and the same, in the same place? | [`mesh::have_same_triangles`] |
//! | is a point inside a mesh, does a mesh meet itself? | [`solid::contains_point`], [`solid::self_intersections`] |
//! | on which side of three vertices is a fourth, under two poses? | [`exact::orient3d_posed`] |
//! | who collides among many bodies, frame after frame? | [`world::World`] |
//! | ... and on the way there, however fast they are? | [`world::World::step_swept`] |
//! | ... and if this body stood there? | [`world::World::would_collide`], [`world::World::check_poses`] |
//! | which of many boxes meet? | [`broad::Coherent`] |
//! | when and where do two translating bodies first meet, exactly? | [`spacetime::first_contact()`], [`spacetime::contact_time`] |
//! | ... how close do they come, and who of many meets first? | [`spacetime::closest_approach`], [`spacetime::first_contacts`] |
//! | when do bodies that turn first meet, and where do they meet during a step? | [`screw::first_contact()`], [`screw::contacts()`] |
//! | convex polygons in the plane: hull, relation, distance, exactly | [`planar::Polygon`], [`planar::relation`], [`planar::distance`] |
//! | when do planar bodies with motion plans collide, without steps of time? | [`kinetic::Simulation`], [`kinetic::Motion`] |
//! | what separates a point or a polygon from a polygon, simpler the farther it is? | [`kinetic::hierarchy::Hierarchy`], [`kinetic::hierarchy::Mixed`] |
//! | test bodies: gears, bolts, ellipsoids with n vertices | [`shape::sample`] |
//!
//! Bodies are placed by a [`Pose`]; its twelve stored numbers are the truth. Invalid input is refused once, by
//! constructors; queries on constructed values do not fail.
#![forbid(unsafe_code)]

pub mod tolerance;

pub mod body;
pub mod bound;
pub mod broad;
pub mod ccd;
pub mod compound;
pub mod exact;
pub mod kinetic;
pub mod math;
pub mod mesh;
pub mod pair;
pub mod planar;
pub mod screw;
pub mod shape;
pub mod solid;
pub mod spacetime;
pub mod stats;
pub mod support;
pub mod tree;
pub mod triangle;
pub mod witness;
pub mod world;

#[cfg(feature = "oracle")]
pub mod oracle;

pub use glam;
pub use math::{Aabb, Pose};

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct ReadmeDoctests;
