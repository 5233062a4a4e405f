//! Angles are known up to whole turns: outlines on the screen that are in one piece, as often as something may reach them
//! [Buss04 §8].
//!
//! ```text
//!       φ = π │ D ─── A          Figure 10, seen along the axis: ABCD crosses the half plane of angle π. What moves may come to
//!   ──────────┼───╱───╱──●       it with angles below π, or below -π: it is drawn twice, a whole turn apart.
//!             │ C ─── B          Figure 11: a triangle that holds the axis is opened along a half plane through a corner.
//! ```
//!
//! Differs from the paper: an outline that crosses the half plane is drawn whole, one turn apart as often as the angles of what
//! moves reach, for any angle of the step; what the paper cuts off with virtual edges meets nothing anyway. Virtual edges remain
//! where an outline is opened at the axis, and where it is clipped.

use super::clip::Outline;
use super::coordinates::{Chart, Cylindrical};
use super::extent::Extent;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// An outline whose angles go on from corner to corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwrapped {
    pub outline: Outline,
    pub angles: [f64; 4],
    /// The corner that angles are counted from, where an outline around the axis is opened.
    start: usize,
    /// One turn with its sign if the outline goes around the axis, else zero.
    pub around: f64,
    /// For each side of the triangle: whole turns from the angle of an edge there, by itself, to its angle here.
    pub turns: [i32; 3],
    pub extent: Extent,
    /// Where the axis meets the plane of an outline that goes around it.
    pub axis_height: f64,
}

/// Which end of an edge its angles are counted from: the one farther from the axis, whose angle is known best.
pub(super) fn anchor(ends: [&Cylindrical; 2]) -> usize {
    usize::from(ends[1].radius > ends[0].radius)
}

impl Unwrapped {
    /// `anchors` has for each side the end that its edge's angles are counted from, and its angle.
    pub fn new(chart: &Chart, outline: Outline, anchors: [(DVec3, f64); 3]) -> Unwrapped {
        let corners = outline.corners();
        let count = corners.len();
        let at: [Cylindrical; 4] = std::array::from_fn(|i| match corners.get(i) {
            Some(corner) => chart.cylindrical(corner.point),
            None => Cylindrical::default(),
        });
        // Start far from the axis, where angles mean most.
        let start = (0..count).max_by(|&i, &j| at[i].radius.total_cmp(&at[j].radius)).unwrap_or(0);
        let mut angles = [0.0; 4];
        angles[start] = at[start].angle;
        let mut last = at[start].angle;
        for step in 1..=count {
            let (i, j) = ((start + step - 1) % count, (start + step) % count);
            last += chart.turn_between(corners[i].point, corners[j].point);
            if step < count {
                angles[j] = last;
            }
        }
        let around = if chart.is_straight { 0.0 } else { TAU * ((last - at[start].angle) / TAU).round() };
        let mut turns = [0; 3];
        for (i, corner) in corners.iter().enumerate() {
            let Some(side) = corner.side else { continue };
            let j = (i + 1) % count;
            let near = if at[j].radius > at[i].radius { j } else { i };
            // Past the start the angles of a way around the axis have grown by a turn.
            let here = angles[near] + if near == start && i != start { around } else { 0.0 };
            let (point, angle) = anchors[side];
            let turned = here + chart.turn_between(corners[near].point, point);
            turns[side] = if chart.is_straight { 0 } else { ((turned - angle) / TAU).round() as i32 };
        }
        let mut unwrapped =
            Unwrapped { outline, angles, start, around, turns, extent: Extent::EMPTY, axis_height: 0.0 };
        unwrapped.measure(chart, &at[..count]);
        unwrapped
    }

    fn measure(&mut self, chart: &Chart, at: &[Cylindrical]) {
        let all = at.iter().zip(&self.angles).map(|(at, &angle)| Extent::of(&Cylindrical { angle, ..*at }));
        let mut extent = all.fold(Extent::EMPTY, |mut joined, one| {
            joined.join(&one);
            joined
        });
        let wide = extent.angle[1] - extent.angle[0];
        if !chart.is_straight {
            extent.radius[0] *= if wide < PI { (1.0 - 0.125 * wide * wide).max(0.0) } else { 0.0 };
        }
        if self.around != 0.0 {
            let corners = self.outline.corners();
            let [p, q, s] = [corners[0].point, corners[1].point, corners[2].point];
            let normal = (q - p).cross(s - p);
            let height = normal.dot(p) / normal.z;
            self.axis_height = if height.is_finite() { height } else { p.z };
            extent.height = [extent.height[0].min(self.axis_height), extent.height[1].max(self.axis_height)];
            let end = self.angles[self.start] + self.around;
            extent.angle = [extent.angle[0].min(end), extent.angle[1].max(end)];
            extent.radius[0] = 0.0;
        }
        self.extent = extent;
    }

    /// Sides that are no edges: from corner to corner, with the angle at the first.
    pub fn virtual_sides(&self) -> impl Iterator<Item = (DVec3, DVec3, f64)> + '_ {
        let corners = self.outline.corners();
        let cut =
            corners.iter().enumerate().filter(|(_, corner)| corner.side.is_none()).map(|(i, corner)| {
                let next = corners[(i + 1) % corners.len()].point;
                (corner.point, next, self.angles[i])
            });
        let opened = (self.around != 0.0).then(|| {
            let (point, angle) = (corners[self.start].point, self.angles[self.start]);
            let axis = DVec3::new(0.0, 0.0, self.axis_height);
            [angle, angle + self.around].map(|angle| (point, axis, angle))
        });
        cut.chain(opened.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Screw};
    use crate::screw::screen::coordinates::Ball;

    fn chart(angle: f64, shift: f64) -> Chart {
        let screw = Screw::new(DVec3::Z, DVec3::ZERO, angle, shift).unwrap();
        // Both near angle zero: the half plane of angle pi is that of negative x.
        let ball = Ball { center: DVec3::X, radius: 1.0 };
        Chart::new(&screw, &ball, &ball, 1e-2).unwrap()
    }

    fn unwrapped(chart: &Chart, points: [DVec3; 3]) -> Unwrapped {
        let points = points.map(|p| {
            let (matrix, offset) = chart.placement(&crate::math::Pose::IDENTITY);
            matrix * p + offset
        });
        let anchors = std::array::from_fn(|side| {
            let ends = [points[side], points[(side + 1) % 3]];
            let at = ends.map(|p| chart.cylindrical(p));
            let end = anchor([&at[0], &at[1]]);
            (ends[end], at[end].angle)
        });
        Unwrapped::new(chart, Outline::clipped(points, [1.0; 3]), anchors)
    }

    /// Whatever point of B comes to a point of a triangle of A, one of the copies is at its place and time.
    fn check(angle: f64, shift: f64, points: [DVec3; 3], random: &mut Random) -> [i32; 2] {
        let chart = chart(angle, shift);
        let found = unwrapped(&chart, points);
        let copies = found.extent.copies([-PI, PI], &chart);
        let (matrix, offset) = chart.placement(&crate::math::Pose::IDENTITY);
        for _ in 0..2_000 {
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let p = matrix * (points[0] + (points[1] - points[0]) * u + (points[2] - points[0]) * v) + offset;
            let at = chart.cylindrical(p);
            // In the piece: the angle that lies between those of the outline.
            let [low, high] = found.extent.angle;
            let own = (-2..=2).map(|k| at.angle + TAU * f64::from(k));
            let own: Vec<f64> = own.filter(|f| (low - 1e-9..=high + 1e-9).contains(f)).collect();
            assert!(!own.is_empty(), "{at:?} {found:?}");
            let s = random.unit();
            // Where it came from, with an angle as vertices have.
            let before = at.angle - angle * s;
            let from = Cylindrical {
                angle: before - TAU * (before / TAU).round(),
                height: at.height - chart.shift * s,
                ..at
            };
            let start = chart.project(from);
            let meets = (copies[0]..=copies[1]).flat_map(|k| own.iter().map(move |f| f + TAU * f64::from(k)));
            let mut meets = meets.map(|angle| chart.project(Cylindrical { angle, ..at }));
            let size = 1.0 + start.h.abs();
            assert!(
                meets.any(|end| (end.h - start.h).abs() < 1e-9 * size && (end.t - start.t - s).abs() < 1e-9),
                "{angle} {shift}: {from:?} {at:?} {copies:?}"
            );
        }
        copies
    }

    #[test]
    fn figure_10_an_outline_across_the_half_plane_is_drawn_twice() {
        let mut random = Random::new(1);
        let across = [DVec3::new(-3.0, 1.0, 0.2), DVec3::new(-1.0, 0.8, 0.0), DVec3::new(-2.0, -2.0, 0.5)];
        for angle in [0.3, 1.0, 2.0, PI - 1e-6, PI, -0.5, -3.1] {
            let copies = check(angle, 0.4, across, &mut random);
            assert!(copies[1] - copies[0] >= 1, "{angle}: {copies:?}");
        }
        // Away from it once is enough, unless the step turns far.
        let ahead = across.map(|p| DVec3::new(-p.x, p.y, p.z));
        assert_eq!(check(0.3, 0.4, ahead, &mut random), [0, 0]);
        assert_eq!(check(-0.3, 0.4, ahead, &mut random), [0, 0]);
        let copies = check(20.0, 0.4, ahead, &mut random);
        assert_eq!(copies, [0, 3]);
    }

    #[test]
    fn figure_11_an_outline_around_the_axis_is_opened() {
        let mut random = Random::new(2);
        let around = [DVec3::new(-1.0, -1.0, 0.0), DVec3::new(2.0, -0.5, 0.3), DVec3::new(-0.5, 2.0, -0.2)];
        for angle in [0.3, PI - 1e-6, PI, -1.0, 7.0] {
            for shift in [0.0, 0.4] {
                let found = unwrapped(&chart(angle, shift), around);
                assert_eq!(found.around, TAU);
                assert_eq!(found.virtual_sides().count(), 2);
                assert!((found.extent.angle[1] - found.extent.angle[0] - TAU).abs() < 1e-12);
                check(angle, shift, around, &mut random);
            }
        }
        // The other way around.
        let [p, q, s] = around;
        assert_eq!(unwrapped(&chart(0.3, 0.1), [q, p, s]).around, -TAU);
    }

    #[test]
    fn edges_know_how_far_they_are_turned() {
        let (mut random, mut turned) = (Random::new(3), 0);
        let chart = chart(0.5, 0.3);
        for _ in 0..5_000 {
            let mut p =
                || DVec3::new(random.range(-2.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let points = [p(), p(), p()];
            let found = unwrapped(&chart, points);
            let corners = found.outline.corners();
            for (i, corner) in corners.iter().enumerate() {
                let (from, to) = (corner.point, corners[(i + 1) % 3].point);
                let at = [from, to].map(|p| chart.cylindrical(p));
                let end = anchor([&at[0], &at[1]]);
                // The edge by itself, turned, begins at the corner's angle, or a turn later past the opening.
                let by_itself = at[end].angle + chart.turn_between([from, to][end], from);
                let here = by_itself + TAU * f64::from(found.turns[corner.side.unwrap()]);
                let off = (here - found.angles[i]).abs();
                assert!(off < 1e-9 || (off - found.around.abs()).abs() < 1e-9, "{points:?} {found:?}");
                turned += usize::from(found.turns[corner.side.unwrap()] != 0);
            }
        }
        assert!(turned > 100, "{turned}");
    }
}
