//! What would be left out in the end is left out before it is solved: most of what shares a place on the screen is inside the
//! other body by then, or misses it by a part of a tile.
//!
//! Nothing here takes a root, and only one division; every comparison leaves room for what it neglects.

use super::coordinates::OnScreen;
use super::drawing::Drawing;
use super::raster::SLACK;
use super::settle::Settler;
use super::turn::Turn;
use crate::screw::properness::EdgeProperness;
use crate::screw::record::Kept;
use glam::DVec3;

impl Settler<'_> {
    /// The square of a sine that improper contacts have to keep below; `None` if all are asked for.
    fn limit(&self, turned: f64) -> Option<f64> {
        let sine = turned - self.config.min_properness.min(0.0) + 1e-9;
        (self.config.kept == Kept::Entering && sine < 1.0).then_some(sine * sine)
    }

    /// Whether a vertex certainly does not come down to a convex face in a window of time, or is less proper there than asked.
    ///
    /// About the middle of the window it moves evenly but for `bow = r angle^2 w^2 / 2`, with `w` half the window, and its speed
    /// changes by at most `r angle^2 w`. If it falls at twice that, it meets the plane within `bow / speed` of the time at which
    /// it would if it moved evenly.
    pub(super) fn misses<const FACE_IS_A: bool, const CORNERS: usize>(
        &self,
        vertex: u32,
        (normal, is_two_sided): (DVec3, bool),
        corners: &[DVec3; CORNERS],
        window: [f64; 2],
    ) -> bool {
        let (of_vertex, way) = if FACE_IS_A { (1, 1.0) } else { (0, -1.0) };
        let surface = self.surfaces[of_vertex];
        let Drawing { spots, matrix, .. } = self.drawings[of_vertex];
        let own = &spots[vertex as usize];
        let (middle, half) = (0.5 * (window[0] + window[1]), 0.5 * (window[1] - window[0]));
        let turned = (self.chart.angle * half).abs();
        let turn = Turn::by(way * self.chart.angle * middle);
        let size = normal.length_squared();
        if let Some(limit) = self.limit(turned).filter(|_| !is_two_sided) {
            // As the body of the vertex sees it, where neighbours are that may not be placed.
            let seen = matrix.transpose() * turn.back().apply(normal);
            let is_below = |&edge: &u32| {
                let sine = surface.normals.edges[edge as usize].along.dot(seen);
                let sine = if surface.edges[edge as usize][0] == vertex { sine } else { -sine };
                (sine < 0.0) & (sine * sine > limit * size)
            };
            if surface.edges_at_vertex.of(vertex).iter().any(is_below) {
                return true;
            }
        }
        let at = turn.apply(own.p) + DVec3::Z * (way * self.chart.shift * middle);
        let velocity = self.chart.velocity(at) * way;
        let (height, speed) = (normal.dot(at - corners[0]), normal.dot(velocity));
        // In the same unit as speeds, which are times the length of the normal.
        let change =
            if self.chart.is_straight { 0.0 } else { own.at.radius * self.chart.angle.abs() * turned };
        let is_even = speed * speed > 4.0 * change * change * size;
        let rises = speed > 0.0 && !is_two_sided;
        is_even
            && (rises || passes_beside(corners, normal, at, velocity, [height, speed, 0.5 * change * half]))
    }

    /// Whether two edges that cross are less proper than asked either way, or leave.
    ///
    /// With `n = a x b` the sine between `n` and a face of `a` with the normal `f` has the sign of `b . f` and its size over
    /// `|f| |n| / |a|`, because `n . (f x a) = -|a|^2 (b . f)` for an edge in its face.
    pub(super) fn is_improper(&self, edges: [u32; 2], along: [DVec3; 2], at: DVec3, turn: Turn) -> bool {
        let limit = match self.limit(0.0) {
            Some(limit) if self.config.edges == EdgeProperness::Seven => limit,
            _ => return false,
        };
        let across = along[0].cross(along[1]);
        let limit = limit * across.length_squared();
        // Each edge as the other body sees it.
        let seen = [along[1], turn.back().apply(along[0])];
        let (mut is_up, mut is_down) = (true, true);
        for which in 0..2 {
            let limit = limit / along[which].length_squared();
            for rise in self.rises(which, edges[which], seen[which]) {
                let is_steep = rise * rise > limit;
                is_up &= (rise >= 0.0) | !is_steep;
                is_down &= (rise <= 0.0) | !is_steep;
            }
            if !is_up & !is_down {
                return true;
            }
        }
        let closing = -self.chart.velocity(at).dot(across);
        (!is_up || (!is_down && closing < 0.0)) && (!is_down || (!is_up && closing > 0.0))
    }

    /// Products of a direction and the unit normals of two faces of an edge, with changed signs on its right side.
    #[inline(always)]
    fn rises(&self, which: usize, edge: u32, seen: DVec3) -> [f64; 2] {
        let seen = self.drawings[which].matrix.transpose() * seen;
        // Those to the left are the other way there.
        self.surfaces[which].normals.edges[edge as usize].across.map(|across| -seen.dot(across))
    }
}

/// Whether a point that moves nearly evenly, but for `bow`, meets the plane of a convex face outside of it.
#[inline]
fn passes_beside<const CORNERS: usize>(
    corners: &[DVec3; CORNERS],
    normal: DVec3,
    at: DVec3,
    velocity: DVec3,
    [height, speed, bow]: [f64; 3],
) -> bool {
    let size = normal.length_squared();
    // How much farther it may go along the plane than off its line, and room for the ends of the window.
    let steep = 4.0 * size * velocity.length_squared();
    let off = 4.0 * (bow * bow * (1.0 + steep / (speed * speed)) + SLACK * SLACK);
    let place = at - velocity * (height / speed);
    let is_beside = |from: DVec3, to: DVec3| {
        let along = to - from;
        let inside = normal.cross(along).dot(place - from);
        (inside < 0.0) & (inside * inside > off * size * along.length_squared())
    };
    (0..CORNERS).fold(false, |any, k| any | is_beside(corners[k], corners[(k + 1) % CORNERS]))
}

/// Whether a place on the screen is farther than `slack` outside of a triangle there.
#[inline]
pub(super) fn is_beside([p, q, s]: [&OnScreen; 3], at: &OnScreen, slack: f64) -> bool {
    let area = (q.r - p.r) * (s.h - p.h) - (q.h - p.h) * (s.r - p.r);
    let is_beyond = |from: &OnScreen, to: &OnScreen| {
        let (r, h) = (to.r - from.r, to.h - from.h);
        let inside = (r * (at.h - from.h) - h * (at.r - from.r)) * area;
        (inside < 0.0) & (inside * inside > slack * slack * (r * r + h * h) * (area * area))
    };
    is_beyond(p, q) | is_beyond(q, s) | is_beyond(s, p)
}
