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

#[cfg(test)]
mod tests {
    use super::*;

    fn triangles_of(points: &[DVec3]) -> Vec<[u32; 3]> {
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        Triangulator::default().triangulate(points, &corners, &mut triangles);
        triangles
    }

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        points.iter().map(|&[x, y]| DVec3::new(x, y, 0.0)).collect()
    }

    /// What the triangles of a simple polygon must be, checked exactly on small whole coordinates:
    /// positive areas that sum to the polygon's, and every edge of the polygon used once in its direction,
    /// all others twice in opposite directions. Together these leave no room for overlaps.
    fn check_simple(points: &[DVec3]) {
        let triangles = triangles_of(points);
        assert_eq!(triangles.len(), points.len() - 2, "{points:?}");
        let area = |corners: &[u32]| -> DVec3 {
            let corner = |i: usize| points[corners[i % corners.len()] as usize];
            (0..corners.len()).map(|i| corner(i).cross(corner(i + 1))).sum()
        };
        let all: Vec<u32> = (0..points.len() as u32).collect();
        let whole = area(&all);
        let mut sum = DVec3::ZERO;
        let mut edges = std::collections::BTreeMap::<(u32, u32), i32>::new();
        for triangle in &triangles {
            let part = area(triangle);
            assert!(part.dot(whole) > 0.0, "{triangle:?} of {points:?} is flat or turned");
            sum += part;
            for i in 0..3 {
                *edges.entry((triangle[i], triangle[(i + 1) % 3])).or_default() += 1;
            }
        }
        assert_eq!(sum, whole, "{points:?}");
        for i in 0..points.len() as u32 {
            let edge = (i, (i + 1) % points.len() as u32);
            assert_eq!(edges.get(&edge), Some(&1), "edge {edge:?} of {points:?}");
            assert_eq!(edges.remove(&edge), Some(1));
        }
        for (&(a, b), &count) in &edges {
            assert_eq!((count, edges.get(&(b, a))), (1, Some(&1)), "diagonal {a} {b} of {points:?}");
        }
    }

    /// The same polygon in all directions, both ways round, from every corner.
    fn check_all_ways(points: &[[f64; 2]]) {
        let mut points = points.to_vec();
        for _ in 0..points.len() {
            points.rotate_left(1);
            let flat = flat(&points);
            let turns: [fn(DVec3) -> DVec3; 5] = [
                |p| p,
                |p| DVec3::new(p.z, p.x, p.y),
                |p| DVec3::new(p.y, p.z, p.x),
                |p| p + p.x * DVec3::Z,
                |p| (p - 3.0 * p.y * DVec3::Z) * 1024.0 + DVec3::splat(1048576.0),
            ];
            for turn in turns {
                let turned: Vec<DVec3> = flat.iter().map(|&p| turn(p)).collect();
                check_simple(&turned);
                check_simple(&turned.iter().rev().copied().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_convex_polygon_becomes_the_fan_of_its_first_corner() {
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(triangles_of(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn concave_polygons() {
        check_all_ways(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0]]);
        check_all_ways(&[
            [0.0, 0.0],
            [6.0, 0.0],
            [6.0, 5.0],
            [4.0, 5.0],
            [4.0, 2.0],
            [2.0, 2.0],
            [2.0, 5.0],
            [0.0, 5.0],
        ]);
    }

    #[test]
    fn straight_corners_make_no_flat_triangles() {
        check_all_ways(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 3.0]]);
        check_all_ways(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [2.0, 2.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ]);
    }

    /// Grows polygons by cutting unit squares out of a grid: many straight and reflex corners, whole coordinates.
    #[test]
    fn random_staircases_and_stars() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..60 {
            // A skyline over a straight floor with a corner at every step.
            let width = 3 + random(9);
            let mut points: Vec<[f64; 2]> = (0..=width).map(|x| [x as f64, 0.0]).collect();
            for x in (0..width).rev() {
                let height = 1.0 + random(4) as f64;
                for point in [[x as f64 + 1.0, height], [x as f64, height]] {
                    if points.last() != Some(&point) {
                        points.push(point);
                    }
                }
            }
            check_simple(&flat(&points));
        }
        for _ in 0..60 {
            // A star around the origin: one point in each of many directions.
            let directions = [
                [3, 0],
                [3, 1],
                [3, 2],
                [2, 3],
                [1, 3],
                [0, 3],
                [-1, 3],
                [-3, 2],
                [-3, 0],
                [-3, -2],
                [-1, -3],
                [0, -3],
                [2, -3],
                [3, -1],
            ];
            let points: Vec<[f64; 2]> = directions
                .iter()
                .map(|&[x, y]| {
                    let length = 1 + random(50) as i64;
                    [(x * length) as f64, (y * length) as f64]
                })
                .collect();
            check_simple(&flat(&points));
        }
    }

    /// A square with a square hole, joined by a bridge that is walked both ways.
    #[test]
    fn a_bridge_to_a_hole() {
        let outer = [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]];
        let hole = [[2.0, 2.0], [2.0, 4.0], [4.0, 4.0], [4.0, 2.0]];
        let points: Vec<[f64; 2]> =
            [outer[0]].iter().chain(&hole).chain([&hole[0], &outer[0]]).chain(&outer[1..]).copied().collect();
        let mut points = points;
        for _ in 0..points.len() {
            points.rotate_left(1);
            let flat = flat(&points);
            let triangles = triangles_of(&flat);
            assert_eq!(triangles.len(), 8);
            let mut area = 0.0;
            for triangle in triangles {
                let [a, b, c] = triangle.map(|i| flat[i as usize]);
                let double = (b - a).cross(c - a).z;
                assert!(double > 0.0, "{points:?}");
                area += 0.5 * double;
                let middle = (a + b + c) / 3.0;
                let in_hole = (middle - DVec3::new(3.0, 3.0, 0.0)).abs().max_element() < 1.0;
                assert!(!in_hole, "{points:?}");
            }
            assert_eq!(area, 32.0);
        }
    }

    #[test]
    fn a_corner_one_ulp_off_the_straight_is_seen() {
        let below = 1.0 - f64::EPSILON;
        let thin = flat(&[[0.0, 1.0], [1.0, below], [2.0, 1.0], [1.0, 2.0]]);
        assert_eq!(triangles_of(&thin).len(), 2);
        for triangle in triangles_of(&thin) {
            let [a, b, c] = triangle.map(|i| thin[i as usize].truncate());
            assert!(orient2d(a, b, c).is_positive());
        }
        let dented = flat(&[[0.0, 1.0], [1.0, 1.0 + f64::EPSILON], [2.0, 1.0], [1.0, 2.0]]);
        for triangle in triangles_of(&dented) {
            let [a, b, c] = triangle.map(|i| dented[i as usize].truncate());
            assert!(orient2d(a, b, c).is_positive(), "the dent is cut off");
        }
    }

    #[test]
    fn hopeless_polygons_get_triangles_over_their_edges() {
        let line = flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]);
        assert_eq!(triangles_of(&line).len(), 2);
        let bow = flat(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
        assert_eq!(triangles_of(&bow).len(), 2);
        assert_eq!(triangles_of(&flat(&[[1.0, 1.0]; 5])).len(), 0);
        let doubled = flat(&[[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
        assert_eq!(triangles_of(&doubled), [[0, 2, 3]]);
    }

    #[test]
    fn tiny_and_huge_polygons_keep_their_shape() {
        for scale in [2f64.powi(-1060), 2f64.powi(-20), 2f64.powi(20), 2f64.powi(299)] {
            let points = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.25]]);
            let scaled: Vec<DVec3> = points.iter().map(|&p| p * scale).collect();
            assert_eq!(triangles_of(&scaled), triangles_of(&points), "{scale:e}");
        }
    }
}
