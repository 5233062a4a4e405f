//! How far apart two meshes are: a proved bracket and the points that realise it.

use super::cache::MeshCache;
use super::enclosure::is_nested;
use super::relation::do_meet;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::{Distance, PointLocation};
use crate::shape::MeshKind;
use crate::solid;
use crate::tree::{MeshPair, TreePair};
use crate::triangle::{self, Gauge};
use glam::DVec3;

/// Largest width of the bracket, as a part of its upper end.
const RELATIVE_WIDTH: f64 = 1e-12;

/// The distance of two meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// Proved to be at most the distance.
    pub lower: f64,
    /// Proved to be at least the distance.
    pub upper: f64,
    /// A point of A, rounded, nearest to B up to the width of the bracket; a common point if they meet.
    pub point_a: DVec3,
    /// A point of B, rounded, nearest to A.
    pub point_b: DVec3,
    /// The triangles that the points lie on, and the features of those; `None` if one mesh lies inside the other.
    pub nearest: Option<([u32; 2], Distance)>,
}

/// The distance of two meshes under two poses, within a relative width of `1e-12`; zero, exactly, if they share a point
/// or one lies inside the other.
///
/// Best first through both trees; exact arithmetic only for triangles within rounding of each other.
pub fn distance(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> MeshDistance {
    distance_with(a, pose_a, b, pose_b, &mut MeshCache::default())
}

/// The points of two meshes that are closest to each other, rounded: those of [`distance`].
pub fn closest_points(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> [DVec3; 2] {
    let found = distance(a, pose_a, b, pose_b);
    [found.point_a, found.point_b]
}

/// A proved lower bound of the distance of the triangles of two meshes, from comparing about `node_pairs` pairs of boxes:
/// what is known after so much work. Zero if a mesh may lie inside the other.
pub fn lower_bound(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    node_pairs: u64,
    cache: &mut MeshCache,
) -> f64 {
    if super::enclosure::may_be_nested(a, pose_a, b, pose_b) {
        return 0.0;
    }
    TreePair::new(a.tree(), pose_a, b.tree(), pose_b).lower_bound(node_pairs, &mut cache.scratch)
}

/// [`distance`] with what is remembered: the triangles nearest in the last frame give the first bound.
pub fn distance_with(
    a: &TreeMesh,
    pose_a: &Pose,
    b: &TreeMesh,
    pose_b: &Pose,
    cache: &mut MeshCache,
) -> MeshDistance {
    let pair = MeshPair::new(a.placed(pose_a), b.placed(pose_b));
    let MeshCache { scratch, coherence } = cache;
    let found = pair.distance(coherence, scratch, |x, y| do_meet(a, pose_a, b, pose_b, x, y));
    let exactly = |x: u32, y: u32| {
        let (corners_a, corners_b) = (a.mesh().triangle(x as usize), b.mesh().triangle(y as usize));
        triangle::gauged_distance(corners_a, pose_a, corners_b, pose_b)
    };
    let is_no_nearer = |gauge: &Gauge<'_>, x: u32, y: u32| {
        gauge.is_no_nearer(a.mesh().triangle(x as usize), b.mesh().triangle(y as usize))
    };
    let (x, y) = found.triangles;
    let ((mut nearest, mut gauge), mut at) = (exactly(x, y), [x, y]);
    // Pairs that were not looked at are hardly nearer than what was found.
    let mut lower = nearest.lower.min(found.gap.upper * (1.0 - RELATIVE_WIDTH / 2.0));
    // Others that may be as near: neighbours that share the nearest point, most often.
    for &(least, x, y) in &scratch.candidates {
        let is_open = nearest.upper > 0.0 && least < lower && [x, y] != at;
        if is_open && !gauge.as_ref().is_some_and(|gauge| is_no_nearer(gauge, x, y)) {
            let (other, its_gauge) = exactly(x, y);
            lower = lower.min(other.lower);
            if other.upper < nearest.upper {
                (nearest, gauge, at) = (other, its_gauge, [x, y]);
            }
        }
    }
    let meets = nearest.upper == 0.0;
    if !meets && is_nested(a, pose_a, b, pose_b) {
        let common = common_point(a, pose_a, b, pose_b);
        return MeshDistance { lower: 0.0, upper: 0.0, point_a: common, point_b: common, nearest: None };
    }
    MeshDistance {
        lower: if meets { 0.0 } else { lower },
        upper: nearest.upper,
        point_a: nearest.point_a,
        point_b: nearest.point_b,
        nearest: Some((at, nearest)),
    }
}

/// A vertex inside the other mesh, for meshes of which one, or a component of one, is.
fn common_point(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> DVec3 {
    let inside = |inner: &TreeMesh, pose_inner: &Pose, outer: &TreeMesh, pose_outer: &Pose| {
        let vertices = inner.extremes.iter().map(|six| inner.mesh().positions()[six[0] as usize]);
        let is_inside = |&vertex: &DVec3| {
            let location = solid::location(&outer.at(pose_outer), pose_inner.at(vertex));
            location == PointLocation::Inside
        };
        let is_solid = outer.mesh().kind() == MeshKind::Solid;
        vertices.filter(|_| is_solid).find(is_inside).map(|vertex| pose_inner.apply(vertex))
    };
    let found = inside(a, pose_a, b, pose_b).or_else(|| inside(b, pose_b, a, pose_a));
    found.unwrap_or_else(|| unreachable!("meshes that are nested without contact have such a vertex"))
}
