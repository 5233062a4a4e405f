//! The part of a triangle that faces the other body: forward of what moves, backward of what rests [Buss04 §4.2, §9].

use super::coordinates::Chart;
use glam::DVec3;

/// Facings below this part of their size are rounding: such a triangle moves along itself, and meets nothing with its inside.
pub(super) const ROUNDING: f64 = 1e-12;

/// The outward normal of a triangle, and how fast each corner moves outward, both times twice its area: positive where it faces
/// forward. Nothing of the body is faster than `speed`, counted along all axes.
#[inline]
pub(super) fn facing(chart: &Chart, speed: f64, [p, q, s]: [DVec3; 3]) -> (DVec3, [f64; 3]) {
    let normal = normal([p, q, s]);
    let least = ROUNDING * speed * normal.abs().element_sum();
    (normal, [p, q, s].map(|corner| rounded(normal.dot(chart.velocity(corner)), least)))
}

/// Outward, twice as long as a triangle is large.
#[inline]
pub(super) fn normal([p, q, s]: [DVec3; 3]) -> DVec3 {
    (q - p).cross(s - p)
}

/// How fast a point of a triangle moves outward.
#[inline]
pub(super) fn facing_at(chart: &Chart, speed: f64, normal: DVec3, p: DVec3) -> f64 {
    rounded(normal.dot(chart.velocity(p)), ROUNDING * speed * normal.abs().element_sum())
}

#[inline(always)]
fn rounded(value: f64, least: f64) -> f64 {
    if value.abs() <= least { 0.0 } else { value }
}

/// A corner of what is left of a triangle, and what joins it with the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub point: DVec3,
    /// A side of the triangle, or the cut.
    pub side: Option<usize>,
}

/// Up to four corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    corners: [Corner; 4],
    count: usize,
}

impl Outline {
    /// The part of a triangle in which a linear function, given at its corners, is not negative.
    pub fn clipped(points: [DVec3; 3], values: [f64; 3]) -> Outline {
        let mut outline = Outline { corners: [Corner { point: points[0], side: None }; 4], count: 0 };
        for i in 0..3 {
            let j = (i + 1) % 3;
            let crossing = || {
                points[i] + (points[j] - points[i]) * (values[i] / (values[i] - values[j])).clamp(0.0, 1.0)
            };
            let (here, next) = (values[i] >= 0.0, values[j] >= 0.0);
            if here {
                let along = next || values[i] > 0.0;
                outline.push(points[i], along.then_some(i));
            }
            if here && !next && values[i] > 0.0 {
                outline.push(crossing(), None);
            }
            if !here && values[j] > 0.0 {
                outline.push(crossing(), Some(i));
            }
        }
        outline
    }

    fn push(&mut self, point: DVec3, side: Option<usize>) {
        if self.count < 4 {
            self.corners[self.count] = Corner { point, side };
            self.count += 1;
        }
    }

    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn what_is_kept_is_where_the_function_is_not_negative() {
        let mut random = Random::new(1);
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let area = |corners: &[Corner]| {
            let at = |i: usize| corners[i % corners.len()].point;
            0.5 * (1..corners.len()).map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0)).z).sum::<f64>()
        };
        for case in 0..1_000 {
            let mut value =
                || if case % 5 == 0 { random.below(3) as f64 - 1.0 } else { random.range(-1.0, 1.0) };
            let values = [value(), value(), value()];
            let (kept, left) =
                (Outline::clipped(points, values), Outline::clipped(points, values.map(|v: f64| -v)));
            let at = |p: DVec3| values[0] + p.x * (values[1] - values[0]) + p.y * (values[2] - values[0]);
            assert!(kept.corners().iter().all(|corner| at(corner.point) > -1e-14));
            if values != [0.0; 3] {
                let both = [kept, left].map(|o| if o.count < 3 { 0.0 } else { area(o.corners()) });
                assert!((both[0] + both[1] - 0.5).abs() < 1e-14, "{values:?} {both:?}");
            }
            assert!(kept.corners().iter().filter(|corner| corner.side.is_none()).count() <= 1);
        }
    }
}
