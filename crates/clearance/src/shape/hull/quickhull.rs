//! Quickhull over triangles with exact visibility.
//!
//! Invariant: the live triangles are the boundary of the hull of the points inserted so far, each of them has three
//! corners that are not collinear, and each point that is still outside stands in the conflict list of exactly one
//! triangle that it lies strictly above.
//!
//! Why strictness is enough. Seen from a point `p` outside, the triangles strictly below `p` cover the convex
//! silhouette region once, so they are connected along edges and their border is one simple cycle; `p` is off the
//! line of each border edge because it is strictly above the visible triangle there. A triangle coplanar with `p`
//! stays, and the new triangle across its edge continues its plane. A point `q` above a removed triangle and
//! outside the new hull is strictly above a new triangle: a generic segment from `q` to that triangle enters the
//! new hull above the triangle's plane, where there are new triangles only. So a point that is above none is inside.
//!
//! Ties go to the point that stands first in the list, and lists keep the order of places: the first of several equal
//! points is the one that becomes a vertex.

use super::frame::{Frame, Plane};
use crate::exact::Sign;
use glam::DVec3;
use std::collections::VecDeque;

/// A live triangle, one cache line; a dead one has `corners[0] == NONE`.
///
/// Half-edge `3f + k` of triangle `f` runs from corner `k` to corner `k + 1`.
#[derive(Clone, Copy)]
struct Triangle {
    plane: Plane,
    corners: [u32; 3],
    twins: [u32; 3],
    /// Where the conflict list starts in the pool: first the farthest point, then all `conflict_count` points.
    conflict_start: u32,
    conflict_count: u32,
}

const NONE: u32 = u32::MAX;

/// Conflict lists longer than this are worked on in turn. Without that, two parallel discs of 50,000 corners took
/// five times as long; with all lists in turn, a million points on a sphere took twice as long.
const MANY: usize = 256;

/// The state of a hull under construction.
pub(super) struct Quickhull<'f, 'p> {
    frame: &'f Frame<'p>,
    triangles: Vec<Triangle>,
    /// Per triangle `2 * round + visible` of the last insertion that looked at it.
    seen: Vec<u32>,
    round: u32,
    free: Vec<u32>,
    /// Conflict lists, some of them of dead triangles; used up to `pool_end`.
    pool: Vec<u32>,
    pool_end: usize,
    pool_limit: usize,
    /// Triangles that had many and few conflicts when they were made; some may be dead or done by now.
    pending_many: VecDeque<u32>,
    pending_few: Vec<u32>,
    /// Per place the new triangle whose border edge starts there.
    fan_at: Vec<u32>,
    visible: Vec<u32>,
    horizon: Vec<u32>,
    orphans: Vec<u32>,
}

/// A closed surface of triangles, half-edges numbered as in [`Quickhull`].
pub(super) struct Surface {
    pub corners: Vec<u32>,
    pub twins: Vec<u32>,
    /// Whether the two triangles at a half-edge are exactly coplanar.
    pub flat: Vec<bool>,
}

impl<'f, 'p> Quickhull<'f, 'p> {
    /// The hull of all points: first of the tetrahedron `basis`, then of the first `seeds` points, then of all.
    ///
    /// Seeds that are extreme save the many others the slanted faces of a small tetrahedron.
    pub fn build(frame: &'f Frame<'p>, basis: [u32; 4], seeds: usize) -> Self {
        let mut hull = Quickhull::tetrahedron(frame, basis);
        for places in [0..seeds as u32, seeds as u32..frame.scaled.len() as u32] {
            hull.orphans.clear();
            hull.orphans.extend(places);
            (0..hull.triangles.len() as u32).for_each(|f| hull.assign(f));
            hull.run();
        }
        hull
    }

    /// Starts with four points that are not coplanar.
    fn tetrahedron(frame: &'f Frame<'p>, [a, b, c, d]: [u32; 4]) -> Self {
        let n = frame.scaled.len();
        let mut hull = Quickhull {
            frame,
            triangles: Vec::with_capacity(16),
            seen: Vec::new(),
            round: 0,
            free: Vec::new(),
            pool: Vec::new(),
            pool_end: 0,
            pool_limit: 4 * n + 1024,
            pending_many: VecDeque::new(),
            pending_few: Vec::new(),
            fan_at: vec![NONE; n],
            visible: Vec::new(),
            horizon: Vec::new(),
            orphans: Vec::new(),
        };
        let [b, c] = if frame.side([a, b, c], d) == Sign::Negative { [b, c] } else { [c, b] };
        // Twins by hand: triangle 0 is the base, triangle k the side over base edge k - 1.
        let sides = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]];
        let twins = [[3, 6, 9], [0, 11, 7], [1, 5, 10], [2, 8, 4]];
        for (corners, twins) in sides.into_iter().zip(twins) {
            let triangle = hull.add(corners);
            hull.triangles[triangle as usize].twins = twins;
        }
        hull
    }

    /// Inserts points until none is outside.
    ///
    /// Long lists first and in turn, which refines all sides evenly and keeps degrees small; then depth first, which
    /// stays in the cache.
    fn run(&mut self) {
        while let Some(triangle) = self.pending_many.pop_front().or_else(|| self.pending_few.pop()) {
            let Triangle { conflict_start, conflict_count, .. } = self.triangles[triangle as usize];
            if conflict_count == 0 {
                continue;
            }
            self.insert(self.pool[conflict_start as usize], triangle);
            if self.pool_end > self.pool_limit {
                self.compact_pool();
            }
        }
    }

    /// Replaces all triangles that the point is strictly above, `start` one of them, by a fan around the point.
    fn insert(&mut self, point: u32, start: u32) {
        self.find_visible(point, start);
        self.orphans.clear();
        for &f in &self.visible {
            let triangle = &mut self.triangles[f as usize];
            let first = triangle.conflict_start as usize + 1;
            let list = &self.pool[first..first + triangle.conflict_count as usize];
            self.orphans.extend(list.iter().copied().filter(|&i| i != point));
            triangle.corners[0] = NONE;
            triangle.conflict_count = 0;
            self.free.push(f);
        }
        let horizon = std::mem::take(&mut self.horizon);
        let mut fan = std::mem::take(&mut self.visible);
        fan.clear();
        fan.extend(horizon.iter().map(|&outer| self.add_to_fan(point, outer)));
        for &f in &fan {
            self.close_fan(f);
        }
        for &f in &fan {
            self.assign(f);
        }
        (self.horizon, self.visible) = (horizon, fan);
    }

    /// Fills `visible`, and `horizon` with the half-edges just outside.
    fn find_visible(&mut self, point: u32, start: u32) {
        self.round += 1;
        let [is_hidden, is_visible] = [2 * self.round, 2 * self.round + 1];
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(start);
        self.seen[start as usize] = is_visible;
        let mut next = 0;
        while next < self.visible.len() {
            let twins = self.triangles[self.visible[next] as usize].twins;
            next += 1;
            for outer in twins {
                let f = outer / 3;
                if self.seen[f as usize] < is_hidden {
                    let above = self.is_above(f, point);
                    self.seen[f as usize] = if above { is_visible } else { is_hidden };
                    if above {
                        self.visible.push(f);
                    }
                }
                if self.seen[f as usize] == is_hidden {
                    self.horizon.push(outer);
                }
            }
        }
    }

    /// The new triangle between the point and a half-edge of the horizon.
    fn add_to_fan(&mut self, point: u32, outer: u32) -> u32 {
        let (f, k) = (outer as usize / 3, outer as usize % 3);
        let corners = self.triangles[f].corners;
        let (to, from) = (corners[k], corners[(k + 1) % 3]);
        let new = self.add([point, from, to]);
        self.triangles[new as usize].twins[1] = outer;
        self.triangles[f].twins[k] = 3 * new + 1;
        self.fan_at[from as usize] = new;
        new
    }

    /// Joins a triangle of the fan to the one after it.
    fn close_fan(&mut self, new: u32) {
        let to = self.triangles[new as usize].corners[2];
        let after = self.fan_at[to as usize];
        self.triangles[new as usize].twins[2] = 3 * after;
        self.triangles[after as usize].twins[0] = 3 * new + 2;
    }

    /// A triangle without twins and conflicts.
    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let plane = self.frame.plane(corners);
        let triangle = Triangle { plane, corners, twins: [NONE; 3], conflict_start: 0, conflict_count: 0 };
        match self.free.pop() {
            Some(f) => {
                self.triangles[f as usize] = triangle;
                f
            }
            None => {
                self.triangles.push(triangle);
                self.seen.push(0);
                self.triangles.len() as u32 - 1
            }
        }
    }

    fn is_dead(&self, f: u32) -> bool {
        self.triangles[f as usize].corners[0] == NONE
    }

    /// Whether the point lies strictly above the triangle; exact.
    fn is_above(&self, f: u32, point: u32) -> bool {
        let triangle = &self.triangles[f as usize];
        self.frame.side_of_plane(&triangle.plane, triangle.corners, point) == Sign::Positive
    }

    /// Moves the orphans strictly above the triangle into its conflict list; both keep their order.
    fn assign(&mut self, f: u32) {
        if self.orphans.is_empty() || self.is_dead(f) {
            return;
        }
        let Triangle { plane, corners, .. } = self.triangles[f as usize];
        let scaled = &self.frame.scaled[..];
        let anchor = scaled[corners[0] as usize];
        let header = self.pool_end;
        let most = header + 1 + self.orphans.len();
        if self.pool.len() < most {
            self.pool.resize(most, NONE);
        }
        let list = &mut self.pool[header + 1..most];
        let (mut taken, mut kept) = (0, 0);
        let mut farthest = (NONE, f64::NEG_INFINITY);
        for k in 0..self.orphans.len() {
            let point = self.orphans[k];
            let height = plane.height(anchor, scaled[point as usize]);
            let above = if height.abs() > plane.bound {
                height > 0.0
            } else {
                self.frame.side(corners, point) == Sign::Positive
            };
            // Both writes happen always and one place advances: no branch to mispredict.
            list[taken] = point;
            self.orphans[kept] = point;
            taken += above as usize;
            kept += !above as usize;
            if above && height > farthest.1 {
                farthest = (point, height);
            }
        }
        self.orphans.truncate(kept);
        if taken == 0 {
            return;
        }
        self.pool_end = header + 1 + taken;
        self.pool[header] = farthest.0;
        let triangle = &mut self.triangles[f as usize];
        (triangle.conflict_start, triangle.conflict_count) = (header as u32, taken as u32);
        if taken > MANY {
            self.pending_many.push_back(f);
        } else {
            self.pending_few.push(f);
        }
    }

    /// Drops the lists of dead triangles; at least three quarters of the pool is garbage.
    fn compact_pool(&mut self) {
        let mut pool = Vec::with_capacity(self.pool_limit);
        for triangle in self.triangles.iter_mut().filter(|t| t.conflict_count > 0) {
            let start = triangle.conflict_start as usize;
            triangle.conflict_start = pool.len() as u32;
            pool.extend_from_slice(&self.pool[start..=start + triangle.conflict_count as usize]);
        }
        self.pool_end = pool.len();
        self.pool = pool;
    }

    /// The planes of the live triangles with their anchors.
    pub fn planes(&self) -> impl Iterator<Item = (&Plane, DVec3)> {
        let live = self.triangles.iter().filter(|t| t.corners[0] != NONE);
        live.map(|t| (&t.plane, self.frame.scaled[t.corners[0] as usize]))
    }

    /// The finished surface without dead triangles.
    pub fn surface(&self) -> Surface {
        let mut new_number = vec![NONE; self.triangles.len()];
        let live: Vec<u32> = (0..self.triangles.len() as u32).filter(|&f| !self.is_dead(f)).collect();
        for (new, &old) in live.iter().enumerate() {
            new_number[old as usize] = new as u32;
        }
        let mut surface =
            Surface { corners: Vec::new(), twins: Vec::new(), flat: vec![false; 3 * live.len()] };
        for (new, &old) in live.iter().enumerate() {
            let triangle = &self.triangles[old as usize];
            surface.corners.extend(triangle.corners);
            surface.twins.extend(triangle.twins.map(|t| 3 * new_number[t as usize / 3] + t % 3));
            for k in 0..3 {
                let twin = triangle.twins[k];
                let twin_new = surface.twins[3 * new + k] as usize;
                if twin_new > 3 * new {
                    let flat = self.is_flat(old, twin);
                    surface.flat[3 * new + k] = flat;
                    surface.flat[twin_new] = flat;
                }
            }
        }
        surface
    }

    /// Whether the triangle on the other side of a half-edge lies in the plane of triangle `f`; exact.
    fn is_flat(&self, f: u32, twin: u32) -> bool {
        let triangle = &self.triangles[f as usize];
        let opposite = self.triangles[twin as usize / 3].corners[(twin as usize + 2) % 3];
        self.frame.side_of_plane(&triangle.plane, triangle.corners, opposite).is_zero()
    }
}
