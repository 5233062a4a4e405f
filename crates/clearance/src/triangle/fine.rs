//! The distance of close triangles with twice the precision: the stage between floats and integers.
//!
//! As for polytopes: the parts that hold the nearest points are known, one step of Newton's method with residuals in
//! double-double numbers squares the error of their weights, and every bound is proved.

use super::distance::heaviest;
use super::nearest::{Bracket, Nearest};
use super::pair::{TrianglePair, next};
use crate::math::Pose;
use crate::math::double::{Double, Double3};
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two};
use glam::DVec3;

/// `u^2`.
const FINE_ROUNDOFF: f64 = UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// Squares of distances below this, in units, are hopeless here.
const SMALLEST_SQUARE: f64 = power_of_two(-180);

/// Two triangles seen from the corner of each that has most weight, in units in which all coordinates and the offset
/// of the poses are at most two together.
struct Fine {
    /// From A's corner to B's, wrong by at most `32u^2 scale` in each coordinate.
    corner: Double3,
    /// To the other corners of A and of B, wrong by at most `24u^2 scale`.
    edges_a: [Double3; 2],
    edges_b: [Double3; 2],
    scale: f64,
    unit: f64,
}

/// A direction in which the difference of the points can move: an edge of B, or one of A backwards.
#[derive(Clone, Copy)]
struct Free {
    step: Double3,
    /// Index into the weights: 0, 1 of A, 2, 3 of B.
    slot: usize,
    weight: f64,
}

/// A better bracket and the weights of its points; `None` if that is beyond double-doubles.
#[inline(never)]
pub(super) fn refine(pair: &TrianglePair<'_>, nearest: &Nearest) -> Option<(Bracket, [[f64; 3]; 2])> {
    let (base_a, base_b) = (heaviest(nearest.weights_a), heaviest(nearest.weights_b));
    let fine = Fine::new(pair, base_a, base_b)?;
    let weights = |of: [f64; 3], base: usize| [of[next(base)], of[next(base + 1)]];
    let [w0, w1] = weights(nearest.weights_a, base_a);
    let [w2, w3] = weights(nearest.weights_b, base_b);
    let (point, found) = fine.correct([w0, w1, w2, w3])?;
    let bracket = fine.bracket(&point)?;
    let spread = |base: usize, [second, third]: [f64; 2]| {
        let mut weights = [0.0; 3];
        weights[base] = 1.0 - second - third;
        weights[next(base)] = second;
        weights[next(base + 1)] = third;
        weights
    };
    Some((bracket, [spread(base_a, [found[0], found[1]]), spread(base_b, [found[2], found[3]])]))
}

impl Fine {
    fn new(pair: &TrianglePair<'_>, base_a: usize, base_b: usize) -> Option<Fine> {
        let reach =
            |corners: [DVec3; 3]| corners.map(|p| p.abs().element_sum()).into_iter().fold(0.0, f64::max);
        let offset = (pair.pose_b.translation() - pair.pose_a.translation()).abs().max_element();
        let size = (reach(pair.a) + reach(pair.b) + offset) * (1.0 + 8.0 * f64::EPSILON);
        if !(power_of_two(-500)..=power_of_two(400)).contains(&size) {
            return None;
        }
        let unit = power_of_two(-exponent_of(size));
        let edges = |pose: &Pose, corners: [DVec3; 3], base: usize| {
            [next(base), next(base + 1)].map(|to| edge(pose, corners[base] * unit, corners[to] * unit))
        };
        Some(Fine {
            corner: corner(pair, pair.a[base_a] * unit, pair.b[base_b] * unit, unit),
            edges_a: edges(pair.pose_a, pair.a, base_a),
            edges_b: edges(pair.pose_b, pair.b, base_b),
            scale: size * unit,
            unit,
        })
    }

    /// The difference of the nearest points and the weights of the other corners, from float weights.
    ///
    /// `v` shall be perpendicular to the free steps `e`, so weights change by the solution of `(e . e) x = e . v`. A step
    /// that leads out of the triangles is dropped. With `scale <= 2` the point errs by `32u^2` for the corner,
    /// `24u^2` and `8u^2` for each of two steps and its multiple, twice, and sums: below `256u^2 scale` in each
    /// coordinate, against the exact combination with these weights.
    fn correct(&self, weights: [f64; 4]) -> Option<(Double3, [f64; 4])> {
        let step = |slot: usize| match slot {
            0 | 1 => self.edges_a[slot].negated(),
            _ => self.edges_b[slot - 2],
        };
        let none = Free { step: Double3::ZERO, slot: 0, weight: 0.0 };
        let (mut free, mut count) = ([none; 2], 0);
        for slot in (0..4).filter(|&slot| weights[slot] > 0.0) {
            *free.get_mut(count)? = Free { step: step(slot), slot, weight: weights[slot] };
            count += 1;
        }
        loop {
            let (point, moved) = newton(&self.corner, &free[..count])?;
            if let Some(beyond) = (0..count).find(|&k| moved[k].high <= 0.0) {
                count -= 1;
                free.swap(beyond, count);
                continue;
            }
            let mut found = [0.0; 4];
            free[..count].iter().zip(moved).for_each(|(f, weight)| found[f.slot] = weight.high);
            // Beyond the edge opposite to the corner of most weight: another part holds the nearest point.
            let is_in = |first: usize| found[first] + found[first + 1] <= 1.0 - 1e-15;
            return (is_in(0) && is_in(2)).then_some((point, found));
        }
    }

    /// What a difference of points proves; the proof is that of polytopes, with all corners looked at.
    ///
    /// Heights: the corner's `32u^2`, an edge's `24u^2` twice, three scalar products of `28u^2`, each times
    /// `|d|_1 scale` and the last two at most twice that, and sums: below `310u^2 |d|_1 scale`. The point itself errs by
    /// `256u^2 scale` in each coordinate, `444u^2 scale` in length.
    fn bracket(&self, point: &Double3) -> Option<Bracket> {
        let rise = |edges: &[Double3; 2], sign: f64| {
            edges.iter().fold(Double::ZERO, |top, edge| {
                let height = edge.dot(point);
                top.max(if sign > 0.0 { height } else { height.negated() })
            })
        };
        let height = self.corner.dot(point).minus(rise(&self.edges_a, 1.0)).minus(rise(&self.edges_b, -1.0));
        let square = point.dot(point).high;
        if square.is_nan() || square <= SMALLEST_SQUARE {
            return None;
        }
        let length = square.sqrt();
        let floor = height.high - 512.0 * FINE_ROUNDOFF * point.high().abs().element_sum() * self.scale;
        let lower = (floor / length * (1.0 - 8.0 * UNIT_ROUNDOFF)).max(0.0);
        let upper = length * (1.0 + 8.0 * UNIT_ROUNDOFF) + 512.0 * FINE_ROUNDOFF * self.scale;
        Some(Bracket { lower: lower / self.unit, upper: upper / self.unit, along: point.high() })
    }
}

/// One step of Newton's method; `None` if floats see no solution.
fn newton(corner: &Double3, free: &[Free]) -> Option<(Double3, [Double; 2])> {
    let start = free.iter().fold(*corner, |sum, f| sum.plus(&f.step.times(f.weight)));
    let residual = |k: usize| free[k].step.dot(&start).high;
    let change = match free {
        [] => [0.0; 2],
        [e] => [residual(0) / e.step.high().length_squared(), 0.0],
        [e, f, ..] => {
            let (e, f) = (e.step.high(), f.step.high());
            let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
            let area = e.cross(f).length_squared();
            let (x, y) = (residual(0), residual(1));
            [(x * ff - y * ef) / area, (y * ee - x * ef) / area]
        }
    };
    if !change.iter().all(|x| x.is_finite()) {
        return None;
    }
    let point = free.iter().zip(change).fold(start, |sum, (f, x)| sum.plus(&f.step.times(-x)));
    let moved =
        std::array::from_fn(|k| free.get(k).map_or(Double::ZERO, |f| Double::sum(f.weight, -change[k])));
    Some((point, moved))
}

/// From a corner of A to one of B.
fn corner(pair: &TrianglePair<'_>, from: DVec3, to: DVec3, unit: f64) -> Double3 {
    let image = |pose: &Pose, corner: DVec3| (pose.rotation(), corner, pose.translation() * unit);
    let ((turn_a, from, start), (turn_b, to, end)) = (image(pair.pose_a, from), image(pair.pose_b, to));
    Double3::between_images([(&turn_a, from, start), (&turn_b, to, end)])
}

/// From one corner of a triangle to another: exact differences, three products of `3.1u^2` and two sums.
fn edge(pose: &Pose, from: DVec3, to: DVec3) -> Double3 {
    Double3::sum(to, -from).turned(pose.rotation())
}
