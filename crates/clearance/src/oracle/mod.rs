//! Slow and obvious reference implementations, used by every test.
//!
//! [`compare`] lists every randomised comparison of an algorithm with its oracle: the test suite runs a
//! fixed number of cases of each, `cargo xtask long` as many as fit into the time given.

pub mod body;
mod bound;
pub mod broad;
pub mod cases;
pub mod ccd;
pub mod ccd_cases;
pub mod ccd_data;
pub mod clear_path;
pub mod closest_approach;
pub mod compare;
pub mod compound;
pub mod curved;
pub mod distance;
pub mod dyadic;
pub mod environment;
pub mod first_contact;
pub mod first_contact_families;
pub mod first_contact_mesh;
pub mod fixed_direction;
pub mod hull;
pub mod kinetic;
pub mod legs;
pub mod manifold;
pub mod meeting;
pub mod mesh;
pub mod mesh_pair;
pub mod mesh_query;
pub mod moving_curved;
pub mod penetration;
pub mod planar;
pub mod point_sets;
pub mod primitive;
pub mod prism;
pub mod ray;
pub mod real_mesh;
pub mod relation;
pub mod relation_large;
pub mod screen;
pub mod screw;
pub mod signs;
pub mod solid;
pub mod swept_world;
pub mod triangle;
pub mod voxel;
pub mod voxel_pair;
pub mod world;
