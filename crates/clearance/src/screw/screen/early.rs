//! What would be left out in the end is left out before it is solved: most of what shares a place on the screen is inside the
//! other body by then, or misses it by a part of a tile.
//!
//! Nothing here takes a root, and only one division; every comparison leaves room for what it neglects.

use super::coordinates::OnScreen;
use super::extent::least;
use super::raster::SLACK;
use super::settle::Settler;
use super::turn::Turn;
use crate::screw::normals::Wedge;
use crate::screw::properness::EdgeProperness;
use crate::screw::record::Kept;
use glam::DVec3;

/// How a vertex moves toward a face about the middle of a window of time.
struct Pass {
    /// The angle in the middle of the window.
    angle: f64,
    middle: f64,
    half: f64,
    /// By how much it turns from there to the ends of the window.
    turned: f64,
}

/// What of a face a vertex may meet.
pub(super) struct Aim {
    /// Triangles of corners 0, 1 and 2, and of 0, 2 and 3.
    pub triangles: [bool; 2],
    /// When, about, if it falls nearly evenly.
    pub start: Option<f64>,
}

impl Settler<'_> {
    /// The square of a sine that improper contacts have to keep below; infinite if all are asked for.
    #[inline(always)]
    fn limit(&self, turned: f64) -> f64 {
        let sine = turned - least(self.config.min_properness, 0.0) + 1e-9;
        if self.config.kept == Kept::Entering && sine < 1.0 { sine * sine } else { f64::INFINITY }
    }

    #[inline(always)]
    fn pass<const FACE_IS_A: bool>(&self, window: [f64; 2]) -> Pass {
        let (middle, half) = (0.5 * (window[0] + window[1]), 0.5 * (window[1] - window[0]));
        let way = if FACE_IS_A { 1.0 } else { -1.0 };
        Pass { angle: way * self.chart.angle * middle, middle, half, turned: (self.chart.angle * half).abs() }
    }

    /// Whether a vertex is less proper than asked where it comes to a face in a window of time: an edge of it is below the face.
    #[inline(always)]
    pub(super) fn is_below<const FACE_IS_A: bool>(
        &self,
        vertex: u32,
        normal: DVec3,
        window: [f64; 2],
    ) -> bool {
        let of_vertex = usize::from(FACE_IS_A);
        let pass = self.pass::<FACE_IS_A>(window);
        // As the body of the vertex sees it, where neighbours are that may not be placed.
        let back = Turn::roughly(pass.angle).back();
        let seen = self.drawings[of_vertex].matrix.transpose() * back.apply(normal);
        let spokes = self.facets[of_vertex].spokes(vertex).iter();
        let lowest = spokes.fold(0.0, |lowest, spoke| least(lowest, spoke.dot(seen)));
        // Both parts of a vector that is turned are off by so much at most.
        lowest * lowest > self.limit(pass.turned + 2.0 * Turn::ROUGH) * normal.length_squared()
    }

    /// Which triangles of a convex face a vertex may come down to in a window of time.
    ///
    /// About the middle of the window it moves evenly but for `bow = r angle^2 w^2 / 2`, with `w` half the window, and its speed
    /// changes by at most `r angle^2 w`. If it falls at twice that, it meets the plane within `bow / speed` of the time at which
    /// it would if it moved evenly.
    #[inline(always)]
    pub(super) fn aim<const FACE_IS_A: bool>(
        &self,
        vertex: u32,
        (normal, is_two_sided): (DVec3, bool),
        [p, q, s, t]: [DVec3; 4],
        window: [f64; 2],
    ) -> Aim {
        let (of_vertex, way) = if FACE_IS_A { (1, 1.0) } else { (0, -1.0) };
        let own = &self.drawings[of_vertex].spots[vertex as usize];
        let Pass { angle, middle, half, turned } = self.pass::<FACE_IS_A>(window);
        let at = Turn::by(angle).apply(own.p) + DVec3::Z * (way * self.chart.shift * middle);
        let velocity = self.chart.velocity(at) * way;
        let (height, speed) = (normal.dot(at - p), normal.dot(velocity));
        // In the same unit as speeds, which are times the length of the normal.
        let change =
            if self.chart.is_straight { 0.0 } else { own.screen.r * self.chart.angle.abs() * turned };
        let (size, later) = (normal.length_squared(), -height / speed);
        if speed * speed <= 4.0 * change * change * size {
            return Aim { triangles: [true; 2], start: None };
        }
        // How much farther it may go along the plane than off its line, and room for the ends of the window.
        let (bow, steep) = (0.5 * change * half, 4.0 * size * velocity.length_squared());
        let off = 4.0 * (bow * bow * (1.0 + steep / (speed * speed)) + SLACK * SLACK) * size;
        let place = at + velocity * later;
        let is_beside = |from: DVec3, to: DVec3| {
            let along = to - from;
            let inside = normal.cross(along).dot(place - from);
            (inside < 0.0) & (inside * inside > off * along.length_squared())
        };
        let rises = (speed > 0.0) & !is_two_sided;
        let misses = rises | is_beside(p, q) | is_beside(q, s) | is_beside(s, t) | is_beside(t, p);
        let triangles = [!(misses | is_beside(s, p)), !(misses | is_beside(p, s))];
        Aim { triangles, start: (!is_two_sided).then_some(middle + later) }
    }

    /// Whether two edges that cross are less proper than asked either way.
    ///
    /// With `n = a x b` the sine between `n` and a face of `a` with the normal `f` has the sign of `b . f` and its size over
    /// `|f| |n| / |a|`, because `n . (f x a) = -|a|^2 (b . f)` for an edge in its face.
    #[inline(always)]
    pub(super) fn is_improper(&self, edges: [u32; 2], t: f64) -> bool {
        let [is_up, is_down] = self.ways(edges, Turn::roughly(self.chart.angle * t), 2.0 * Turn::ROUGH);
        !is_up & !is_down
    }

    /// Whether two edges that cross may be proper enough if the normal points along `a x b`, and if against it, at a turn whose
    /// vectors are off by so much.
    #[inline(always)]
    fn ways(&self, edges: [u32; 2], turn: Turn, off: f64) -> [bool; 2] {
        let [a, b] = [0, 1].map(|which| &self.surfaces[which].normals.edges[edges[which] as usize]);
        let [to_a, to_b] = [0, 1].map(|which| &self.drawings[which].matrix);
        // Each edge as the other body sees it.
        let seen = to_a.transpose() * turn.apply(*to_b * b.along);
        let cosine = a.along.dot(seen);
        // By so much sines and cosines are off, and `(x + y)^2 <= 2 x^2 + 2 y^2`.
        let limit = match self.config.edges {
            EdgeProperness::Seven => {
                2.0 * (self.limit(0.0) * (1.0 - cosine * cosine + 2.0 * off) + off * off)
            }
            EdgeProperness::Six => f64::INFINITY,
        };
        let [is_up, is_down] = ways_past(a, seen, limit);
        if !(is_up | is_down) {
            return [false; 2];
        }
        let past = ways_past(b, to_b.transpose() * turn.back().apply(*to_a * a.along), limit);
        [is_up & past[0], is_down & past[1]]
    }

    /// Whether two edges that cross leave each other, with the only normal for which they may be proper enough.
    pub(super) fn leaves(&self, edges: [u32; 2], across: DVec3, at: DVec3, turn: Turn) -> bool {
        let [is_up, is_down] = self.ways(edges, turn, 0.0);
        let closing = -self.chart.velocity(at).dot(across);
        (!is_down && closing < 0.0) || (!is_up && closing > 0.0)
    }
}

/// Whether an edge may be proper enough past another one, which sees it, either way.
#[inline(always)]
fn ways_past(wedge: &Wedge, seen: DVec3, limit: f64) -> [bool; 2] {
    let (mut is_up, mut is_down) = (true, true);
    for across in wedge.across {
        // To the left of an edge the other way: there it is against the normal of the face.
        let fall = seen.dot(across);
        let is_steep = fall * fall > limit;
        is_up &= (fall <= 0.0) | !is_steep;
        is_down &= (fall >= 0.0) | !is_steep;
    }
    [is_up, is_down]
}

/// Whether a place on the screen is farther than `slack` outside of a triangle there.
#[inline]
pub(super) fn is_beside([p, q, s]: [&OnScreen; 3], at: &OnScreen, slack: f64) -> bool {
    let (all, slack) = (area(p, q, s), slack * slack);
    let is_beyond = |from: &OnScreen, to: &OnScreen| {
        let (inside, length) = (area(from, to, at), squared_length(from, to));
        (inside * all < 0.0) & (inside * inside > slack * length)
    };
    is_beyond(p, q) | is_beyond(q, s) | is_beyond(s, p)
}

/// Whether a place is farther than `slack` outside of both triangles of a face of four corners, or of the only one.
#[inline(always)]
pub(super) fn is_beside_both([p, q, s, t]: [&OnScreen; 4], is_one: bool, at: &OnScreen, slack: f64) -> bool {
    let slack = slack * slack;
    let [first, second] = [area(p, q, s), area(p, s, t)];
    let side = |from: &OnScreen, to: &OnScreen| {
        let inside = area(from, to, at);
        (inside, inside * inside > slack * squared_length(from, to))
    };
    let beyond = |(inside, is_far): (f64, bool), all: f64| (inside * all < 0.0) & is_far;
    let [pq, qs, sp, st, tp] = [side(p, q), side(q, s), side(s, p), side(s, t), side(t, p)];
    let in_first = beyond(pq, first) | beyond(qs, first) | beyond(sp, first);
    let in_second = beyond((-sp.0, sp.1), second) | beyond(st, second) | beyond(tp, second);
    in_first & (is_one | in_second)
}

/// Twice that of a triangle.
#[inline(always)]
fn area(p: &OnScreen, q: &OnScreen, s: &OnScreen) -> f64 {
    (q.r - p.r) * (s.h - p.h) - (q.h - p.h) * (s.r - p.r)
}

#[inline(always)]
fn squared_length(from: &OnScreen, to: &OnScreen) -> f64 {
    let (r, h) = (to.r - from.r, to.h - from.h);
    r * r + h * h
}
