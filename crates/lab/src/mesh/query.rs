//! The questions of the tables, each asked of everyone.

use super::scene::{Bodies, Scene};
use crate::mesh_rivals;
use clearance::mesh::{self, MeshCache};
use parry3d_f64::math::Pose3;
use parry3d_f64::query;

/// A question; its answer is a number, so that all answers can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    Boolean,
    Tolerance,
    Distance,
    AllPairs,
}

impl Query {
    pub const ALL: [Query; 4] = [Query::Boolean, Query::Tolerance, Query::Distance, Query::AllPairs];

    pub fn name(self) -> &'static str {
        match self {
            Query::Boolean => "boolean",
            Query::Tolerance => "within .05",
            Query::Distance => "distance",
            Query::AllPairs => "all contacts",
        }
    }

    pub fn ours(self, bodies: &Bodies, scene: &Scene, cache: &mut MeshCache) -> f64 {
        let ((a, pose_a), (b, pose_b)) = ((&bodies.a.mesh, &scene.a.pose), (&bodies.b.mesh, &scene.b.pose));
        match self {
            Query::Boolean => as_number(mesh::collides(a, pose_a, b, pose_b, cache)),
            Query::Tolerance => as_number(mesh::within_with(a, pose_a, b, pose_b, bodies.tolerance(), cache)),
            Query::Distance => mesh::distance_with(a, pose_a, b, pose_b, cache).upper,
            Query::AllPairs => mesh::contacts_with(a, pose_a, b, pose_b, cache).len() as f64,
        }
    }

    pub fn parry(self, bodies: &Bodies, scene: &Scene) -> Option<f64> {
        let [pose_a, pose_b] = [&scene.a, &scene.b].map(|at| Pose3::from_parts(at.translation, at.rotation));
        let (a, b) = (&bodies.a.parry, &bodies.b.parry);
        match self {
            Query::Boolean => {
                let found = query::intersection_test(&pose_a, a, &pose_b, b).ok();
                found.map(|found| as_number(found.intersecting))
            }
            Query::Tolerance => {
                let found = query::closest_points(&pose_a, a, &pose_b, b, bodies.tolerance()).ok();
                found.map(|points| as_number(points != query::ClosestPoints::Disjoint))
            }
            Query::Distance => query::distance(&pose_a, a, &pose_b, b).ok().map(|found| found.distance),
            Query::AllPairs => None,
        }
    }

    pub fn rival(self, pair: &mesh_rivals::Pair<'_>, tolerance: f64) -> Option<f64> {
        match self {
            Query::Boolean => pair.meets(),
            Query::Tolerance => pair.within(tolerance),
            Query::Distance => pair.distance(),
            Query::AllPairs => pair.contacts(),
        }
    }

    /// How many scenes parry is asked about: a distance takes it up to a second.
    pub fn parry_scenes(self, all: usize) -> usize {
        match self {
            Query::Boolean | Query::Tolerance => all.min(20),
            Query::Distance => 2,
            Query::AllPairs => 0,
        }
    }
}

fn as_number(answer: bool) -> f64 {
    f64::from(u8::from(answer))
}
