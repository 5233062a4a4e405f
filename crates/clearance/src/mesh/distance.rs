//! How far apart two meshes are: a proved bracket and the points that realise it.

use super::cache::MeshCache;
use super::enclosure::is_nested;
use super::relation::do_meet;
use super::tree_mesh::TreeMesh;
use crate::math::Pose;
use crate::pair::{Distance, PointLocation};
use crate::shape::MeshKind;
use crate::solid;
use crate::tree::{Judge, MeshPair, TreePair};
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
    let mut exactly = Exactly { a, pose_a, b, pose_b, known: None, settled: f64::INFINITY };
    let found = pair.distance_by(coherence, scratch, &mut exactly);
    let (x, y) = found.triangles;
    if exactly.known.as_ref().is_none_or(|known| known.at != [x, y]) {
        exactly.nearest(x, y);
    }
    // Others that may be as near: neighbours that share the nearest point, most often. Pairs that were not looked at are hardly
    // nearer than what was found.
    let least_of_others = found.gap.upper * (1.0 - RELATIVE_WIDTH / 2.0);
    for &(least, x, y) in &scratch.candidates {
        let Some(Known { at, distance, .. }) = &exactly.known else { break };
        let is_open = distance.upper > 0.0 && least < exactly.settled.min(least_of_others) && [x, y] != *at;
        if is_open && !(exactly.is_behind(x) && exactly.is_beyond(y)) {
            exactly.nearest(x, y);
        }
    }
    let lower = exactly.settled.min(least_of_others);
    let Known { at, distance: nearest, .. } =
        exactly.known.unwrap_or_else(|| unreachable!("meshes have triangles, so two are nearest"));
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

/// The nearest triangles so far, exactly.
struct Exactly<'a> {
    a: &'a TreeMesh,
    pose_a: &'a Pose,
    b: &'a TreeMesh,
    pose_b: &'a Pose,
    known: Option<Known<'a>>,
    /// The least lower end of all that were measured.
    settled: f64,
}

struct Known<'a> {
    at: [u32; 2],
    distance: Distance,
    /// What others are held against.
    gauge: Option<Gauge<'a>>,
}

impl Judge for Exactly<'_> {
    fn do_meet(&mut self, x: u32, y: u32) -> bool {
        do_meet(self.a, self.pose_a, self.b, self.pose_b, x, y)
    }

    /// Keeps the pair if it is nearer than the one before: then no pair that was held against that one is nearer than its
    /// upper end allows.
    fn nearest(&mut self, x: u32, y: u32) -> bool {
        let corners = (self.a.mesh().triangle(x as usize), self.b.mesh().triangle(y as usize));
        let (distance, gauge) = triangle::gauged_distance(corners.0, self.pose_a, corners.1, self.pose_b);
        self.settled = self.settled.min(distance.lower);
        if self.known.as_ref().is_none_or(|known| distance.upper < known.distance.upper) {
            self.known = Some(Known { at: [x, y], distance, gauge });
        }
        self.known.as_ref().is_some_and(|known| known.gauge.is_some())
    }

    fn is_behind(&mut self, x: u32) -> bool {
        let gauge = self.known.as_ref().and_then(|known| known.gauge.as_ref());
        gauge.is_some_and(|gauge| gauge.is_behind(self.a.mesh().triangle(x as usize)))
    }

    fn is_beyond(&mut self, y: u32) -> bool {
        let gauge = self.known.as_ref().and_then(|known| known.gauge.as_ref());
        gauge.is_some_and(|gauge| gauge.is_beyond(self.b.mesh().triangle(y as usize)))
    }

    fn settled(&self) -> f64 {
        self.settled
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
