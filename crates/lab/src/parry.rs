//! parry3d-f64 on our bodies and poses.

use crate::scenario::Placement;
use clearance::support::SupportMap;
use parry3d_f64::math::{Pose3, Vec3};
use parry3d_f64::shape::ConvexPolyhedron;

pub fn pose(placement: &Placement) -> Pose3 {
    Pose3::from_parts(placement.translation, placement.rotation)
}

/// Where B is seen from A.
pub fn relative(a: &Placement, b: &Placement) -> Pose3 {
    pose(a).inv_mul(&pose(b))
}

pub fn shape(map: &SupportMap) -> ConvexPolyhedron {
    let points: Vec<Vec3> = map.polytope().vertices().to_vec();
    ConvexPolyhedron::from_convex_hull(&points).expect("parry builds the hull of a sample")
}
