//! Triangles for polygons, concave ones and straight corners included.

use clearance::exact::{Sign, orient2d};
use clearance::glam::{DVec2, DVec3};
use std::collections::VecDeque;

/// The most corners of one polygon. Time grows with corners times reflex corners, so that a hostile file
/// of one polygon could otherwise take hours; at the limit it takes seconds.
pub(crate) const POLYGON_CORNER_LIMIT: usize = 1 << 16;

/// Cuts polygons into triangles by clipping ears; keeps its memory from one polygon to the next.
///
/// For a polygon that is simple in its projection along the dominant axis of its normal (every planar simple
/// polygon is), the triangles have no area outside of it, do not overlap, keep its orientation, use every
/// corner and every edge, and none is flat. Signs are exact. Corners may be straight, and a polygon may touch
/// itself in a bridge to a hole. Other polygons get triangles too, over the same edges, some perhaps flat
/// or overlapping. A convex polygon becomes the fan around its first corner.
#[derive(Default)]
pub(crate) struct Triangulator {
    corners: Vec<u32>,
    points: Vec<DVec2>,
    previous: Vec<u32>,
    next: Vec<u32>,
    turns: Vec<Turn>,
    queued: Vec<bool>,
    /// Corners to look at, each at most once.
    queue: VecDeque<u32>,
    /// Corners that may lie in the way of an ear: all that are not convex, and some outdated ones.
    blockers: Vec<u32>,
}

/// How the boundary turns at a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Convex,
    /// Straight on, back, or to the right.
    Other,
    /// Not in the polygon any more.
    Clipped,
}

impl Triangulator {
    /// Appends the triangles of the polygon with these corners, given as indices into the positions.
    ///
    /// Neighbouring corners at the same place count as one; fewer than three places give no triangle.
    pub fn triangulate(&mut self, positions: &[DVec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
        let place = |&corner: &u32| positions[corner as usize];
        self.corners.clear();
        self.corners.extend_from_slice(corners);
        self.corners.dedup_by(|a, b| place(a) == place(b));
        while self.corners.len() > 1
            && place(&self.corners[0]) == place(&self.corners[self.corners.len() - 1])
        {
            self.corners.pop();
        }
        if self.corners.len() < 3 {
            return;
        }
        self.project(positions);
        self.link();
        self.clip_all(triangles);
    }

    /// Fills `points` with two of the three coordinates of each corner, counter-clockwise.
    fn project(&mut self, positions: &[DVec3]) {
        let place = |&corner: &u32| positions[corner as usize];
        let normal = newell_normal(self.corners.iter().map(place));
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| normal[j].abs().total_cmp(&normal[i].abs()));
        // The later ones matter only when rounding hid the normal of a thin polygon.
        for axis in [axes[0], axes[1], axes[2], axes[0]] {
            self.points.clear();
            self.points.extend(self.corners.iter().map(place).map(|p| drop_axis(p, axis)));
            match orientation_of(&self.points) {
                Sign::Positive => return,
                Sign::Negative => return self.points.iter_mut().for_each(|p| *p = DVec2::new(p.y, p.x)),
                Sign::Zero => {}
            }
        }
    }

    fn link(&mut self) {
        let count = self.corners.len() as u32;
        self.next.clear();
        self.next.extend((1..count).chain([0]));
        self.previous.clear();
        self.previous.extend([count - 1].into_iter().chain(0..count - 1));
        self.turns.clear();
        self.turns.resize(self.corners.len(), Turn::Convex);
        self.blockers.clear();
        for corner in 0..count {
            self.update_turn(corner);
        }
        self.queue.clear();
        self.queue.extend((1..count).chain([0]));
        self.queued.clear();
        self.queued.resize(self.corners.len(), true);
    }

    fn clip_all(&mut self, triangles: &mut Vec<[u32; 3]>) {
        let mut some_corner = 0;
        for _ in 3..self.corners.len() {
            let ear = self.next_ear().unwrap_or_else(|| self.some_convex_corner(some_corner));
            triangles.push(self.triangle(ear));
            some_corner = self.clip(ear);
        }
        let last = if self.corners.len() == 3 { 1 } else { self.next[some_corner as usize] };
        triangles.push(self.triangle(last));
    }

    /// Once a corner is no ear, clipping others does not make it one, except at its neighbours: the polygon
    /// only shrinks. So each corner is tested once, and again when a neighbour goes.
    fn next_ear(&mut self) -> Option<u32> {
        while let Some(corner) = self.queue.pop_front() {
            self.queued[corner as usize] = false;
            if self.turns[corner as usize] == Turn::Convex && !self.is_blocked(corner) {
                return Some(corner);
            }
        }
        None
    }

    /// For polygons that are not simple: the first convex corner from here on, or this one.
    fn some_convex_corner(&self, start: u32) -> u32 {
        let mut corner = self.next[start as usize];
        while corner != start && self.turns[corner as usize] != Turn::Convex {
            corner = self.next[corner as usize];
        }
        corner
    }

    /// Whether another corner lies in the closed triangle of a convex corner.
    ///
    /// If any does, one that is not convex does. A corner at the same place as one of the triangle's is the
    /// other end of a bridge: it blocks only through its neighbours.
    fn is_blocked(&mut self, corner: u32) -> bool {
        let point = |c: u32| self.points[c as usize];
        let (before, after) = (self.previous[corner as usize], self.next[corner as usize]);
        let (a, b, c) = (point(before), point(corner), point(after));
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut i = 0;
        while i < self.blockers.len() {
            let blocker = self.blockers[i];
            if self.turns[blocker as usize] != Turn::Other {
                self.blockers.swap_remove(i);
                continue;
            }
            i += 1;
            let p = point(blocker);
            let near = p.cmpge(low).all() && p.cmple(high).all();
            if near && p != a && p != b && p != c && in_triangle(p, a, b, c) {
                return true;
            }
        }
        false
    }

    /// Takes the corner out and returns its predecessor.
    fn clip(&mut self, corner: u32) -> u32 {
        let (before, after) = (self.previous[corner as usize], self.next[corner as usize]);
        self.turns[corner as usize] = Turn::Clipped;
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        for neighbour in [after, before] {
            self.update_turn(neighbour);
            if !std::mem::replace(&mut self.queued[neighbour as usize], true) {
                self.queue.push_back(neighbour);
            }
        }
        before
    }

    fn update_turn(&mut self, corner: u32) {
        let [a, b, c] = [self.previous[corner as usize], corner, self.next[corner as usize]]
            .map(|c| self.points[c as usize]);
        let turn = if orient2d(a, b, c).is_positive() { Turn::Convex } else { Turn::Other };
        let before = std::mem::replace(&mut self.turns[corner as usize], turn);
        if turn == Turn::Other && before != Turn::Other {
            self.blockers.push(corner);
        }
    }

    fn triangle(&self, corner: u32) -> [u32; 3] {
        [self.previous[corner as usize], corner, self.next[corner as usize]].map(|c| self.corners[c as usize])
    }
}

/// Twice the area vector, scaled by some power of two; only its largest component matters.
fn newell_normal(places: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(origin) = places.clone().next() else { return DVec3::ZERO };
    let size = places.clone().fold(0.0, |size: f64, p| size.max((p - origin).abs().max_element()));
    if size == 0.0 {
        return DVec3::ZERO;
    }
    // Two divisions, since the inverse of a subnormal size is infinite.
    let scale = |p: DVec3| (p - origin) / size;
    let shifted = places.clone().skip(1).chain([origin]);
    places.zip(shifted).map(|(p, q)| scale(p).cross(scale(q))).sum()
}

fn drop_axis(p: DVec3, axis: usize) -> DVec2 {
    match axis {
        0 => DVec2::new(p.y, p.z),
        1 => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    }
}

/// Exact for a simple polygon: at its lowest leftmost point the boundary turns as the whole polygon does.
fn orientation_of(points: &[DVec2]) -> Sign {
    let before = |i: usize| points[(i + points.len() - 1) % points.len()];
    let after = |i: usize| points[(i + 1) % points.len()];
    let lower = |i: usize, j: usize| (points[j].x, points[j].y) < (points[i].x, points[i].y);
    let lowest = (1..points.len()).fold(0, |i, j| if lower(i, j) { j } else { i });
    // A bridge may end there: then several corners share the place, and one that turns decides.
    let place = points[lowest];
    let turns = (0..points.len()).filter(|&i| points[i] == place);
    let signs = turns.map(|i| orient2d(before(i), points[i], after(i)));
    signs.fold(Sign::Zero, |sum, sign| if sum.is_zero() { sign } else { sum })
}

fn in_triangle(p: DVec2, a: DVec2, b: DVec2, c: DVec2) -> bool {
    !orient2d(a, b, p).is_negative() && !orient2d(b, c, p).is_negative() && !orient2d(c, a, p).is_negative()
}
