//! The triangle of a mesh nearest to a point.

use super::foot::{Bracket, Feet};
use super::tree_mesh::TreeMesh;
use crate::exact::Posed;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;

/// How far a point is from the nearest triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    pub lower: f64,
    pub upper: f64,
    /// On the triangle, rounded.
    pub point: DVec3,
    pub triangle: u32,
}

/// Triangles that may be the nearest, kept without allocation.
const ROOM: usize = 32;

/// The distance of the exact image of a point from the triangles of a mesh under a pose, within a relative width of
/// `1e-12`; zero, exactly, on a triangle.
pub(super) fn nearest(mesh: &TreeMesh, pose: &Pose, at: Posed<'_>) -> Nearest {
    let feet = Feet::new(pose, at);
    let corners = |triangle: u32| mesh.mesh().triangle(triangle as usize);
    let mut search = Search { near: [(0.0, 0); ROOM], count: 0, limit: f64::INFINITY, best: None };
    let world = at.pose.apply(at.point);
    let size = (at.point.abs() + at.pose.translation().abs()).element_sum();
    mesh.tree().visit_around(pose, world, 8.0 * UNIT_ROUNDOFF * size, |triangle| {
        let bracket = feet.bracket(corners(triangle));
        if bracket.lower > search.limit {
            return None;
        }
        search.keep(bracket.lower, triangle, |triangle| feet.settled(corners(triangle), triangle));
        let is_nearer = bracket.upper < search.limit;
        search.limit = search.limit.min(bracket.upper);
        is_nearer.then_some((bracket.upper, bracket.foot))
    });
    search.conclude(|triangle| feet.settled(corners(triangle), triangle))
}

/// Whether some triangle of a mesh under a pose is proved to be nearer than a limit to the exact image of a point; ends at the
/// first one.
pub(super) fn is_nearer(mesh: &TreeMesh, pose: &Pose, at: Posed<'_>, limit: f64) -> bool {
    is_any_near(mesh, pose, at, limit, |bracket| bracket.upper < limit)
}

/// Whether all triangles are proved to be farther away than a limit; ends at the first one that may not be.
pub(super) fn is_farther(mesh: &TreeMesh, pose: &Pose, at: Posed<'_>, limit: f64) -> bool {
    !is_any_near(mesh, pose, at, limit, |bracket| bracket.lower <= limit)
}

/// Whether the distance of some triangle says so; those that are proved to be farther away than the limit need not be asked.
fn is_any_near(
    mesh: &TreeMesh,
    pose: &Pose,
    at: Posed<'_>,
    limit: f64,
    is_near: impl Fn(&Bracket) -> bool,
) -> bool {
    let feet = Feet::new(pose, at);
    let world = at.pose.apply(at.point);
    let size = (at.point.abs() + at.pose.translation().abs()).element_sum();
    let mut found = false;
    mesh.tree().visit_around(pose, world, 8.0 * UNIT_ROUNDOFF * size, |triangle| {
        let bracket = feet.bracket(mesh.mesh().triangle(triangle as usize));
        found = found || is_near(&bracket);
        // Once one is found, nothing else matters.
        Some((if found { 0.0 } else { limit }, bracket.foot))
    });
    found
}

/// What is known about the nearest triangle.
struct Search {
    /// Lower bounds of distances, and whose they are.
    near: [(f64, u32); ROOM],
    count: usize,
    /// Not below the distance.
    limit: f64,
    /// The nearest of those settled, with the least lower end of all of them.
    best: Option<Nearest>,
}

impl Search {
    /// Remembers a triangle; if there is no room, one is settled at once.
    fn keep(&mut self, lower: f64, triangle: u32, settle: impl Fn(u32) -> Nearest) {
        if self.count == ROOM {
            let (limit, mut kept) = (self.limit, 0);
            for k in 0..ROOM {
                if self.near[k].0 <= limit {
                    self.near[kept] = self.near[k];
                    kept += 1;
                }
            }
            self.count = kept;
        }
        if self.count == ROOM {
            return self.add(settle(triangle));
        }
        self.near[self.count] = (lower, triangle);
        self.count += 1;
    }

    fn add(&mut self, found: Nearest) {
        self.limit = self.limit.min(found.upper);
        self.best = Some(match self.best {
            None => found,
            Some(best) => {
                let lower = best.lower.min(found.lower);
                let is_better = (found.upper, found.triangle) < (best.upper, best.triangle);
                Nearest { lower, ..if is_better { found } else { best } }
            }
        });
    }

    /// Settles all that may be nearest, the most promising first.
    fn conclude(mut self, settle: impl Fn(u32) -> Nearest) -> Nearest {
        let (mut near, count) = (self.near, self.count);
        near[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(lower, triangle) in &near[..count] {
            if lower <= self.limit {
                self.add(settle(triangle));
            }
        }
        let Some(best) = self.best else { unreachable!("a mesh has a triangle, nearer than infinity") };
        best
    }
}
