//! An ellipsoid around a body: the cheapest proof that a direction separates two bodies which are well apart.
//!
//! For `v = c + M w` with `|w| <= 1` the height along a direction is `d . v = d . c + (M^T d) . w <= d . c + |M^T d|`: two
//! products and a root instead of a search for the highest vertex, however many vertices there are and however far the body
//! turned since the last frame. Round bodies fill their ellipsoid, boxes little more than a third of it: what it proves is proved,
//! and where it proves nothing vertices are asked.

use super::{Ball, SupportMap};
use crate::math::round::{exponent_of, power_of_two};
use crate::shape::Polytope;
use glam::{DMat3, DVec2, DVec3};
use wide::f64x2;

/// Rounds of fitting: each moves weight to the vertices that stick out.
const ROUNDS: usize = 8;

/// What vertices may lie outside by, in roundings of the reach of the body.
const LARGEST_REST: f64 = 100.0 * f64::EPSILON;

/// Squares below may have lost bits to underflow.
const LEAST_SQUARE: f64 = power_of_two(-900);

/// Squares above may have overflowed on the way.
const GREATEST_SQUARE: f64 = power_of_two(900);

/// The ellipsoid `c + M w`, `|w| <= 1`, with a lower triangular matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shell {
    pub center: DVec3,
    /// The columns of the matrix, without the zeros above the diagonal.
    pub x: DVec3,
    pub y: DVec2,
    pub z: f64,
    /// Not below the square of the longest half axis.
    widest_squared: f64,
    /// How much higher than the body it is, in the mean over some directions.
    excess: f64,
}

impl Shell {
    /// Around nothing: every height is infinite.
    const NONE: Shell = Shell {
        center: DVec3::ZERO,
        x: DVec3::INFINITY,
        y: DVec2::INFINITY,
        z: f64::INFINITY,
        widest_squared: f64::INFINITY,
        excess: f64::INFINITY,
    };

    pub(super) fn around(polytope: &Polytope, reach: f64) -> Shell {
        let size = polytope.bounds().extent().max_element();
        if size == 0.0 || exponent_of(size).abs() > 400 {
            return Shell::NONE;
        }
        let unit = power_of_two(exponent_of(size));
        let vertices = polytope.vertices();
        let mut weights = vec![1.0 / vertices.len() as f64; vertices.len()];
        let mut best = Shell::NONE;
        for _ in 0..ROUNDS {
            let shell = Shell::of_mean(vertices, &weights, unit);
            let squares: Vec<f64> = vertices.iter().map(|&v| shell.place(v).length_squared()).collect();
            let largest = squares.iter().copied().fold(0.0, f64::max);
            let grown = shell.grown(largest.sqrt() * (1.0 + 16.0 * f64::EPSILON));
            if grown.volume(unit) < best.volume(unit) && grown.holds(vertices, reach) {
                best = grown;
            }
            let sum: f64 = weights.iter().zip(&squares).map(|(w, s)| w * s).sum();
            weights.iter_mut().zip(&squares).for_each(|(w, s)| *w *= s / sum);
        }
        Shell { excess: best.mean_excess(vertices), widest_squared: best.widest_squared(unit), ..best }
    }

    /// The largest eigenvalue of `M^T M` from above: the trace of a high power has hardly any other part. A power is divided
    /// by its trace before it is squared, so each step errs by less than `100u`, and roots halve that.
    fn widest_squared(&self, unit: f64) -> f64 {
        let matrix =
            DMat3::from_cols(self.x, DVec3::new(0.0, self.y.x, self.y.y), DVec3::Z * self.z) * unit.recip();
        let mut power = matrix.transpose() * matrix;
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let mut traces = [0.0; 6];
        for divisor in &mut traces {
            *divisor = trace(&power);
            power *= divisor.recip();
            power = power * power;
        }
        let root = traces.iter().rev().fold(trace(&power), |largest, trace| trace * largest.sqrt());
        root * (1.0 + power_of_two(-30)) * unit * unit
    }

    /// A ball around the shell that touches it at its top along a direction, but for rounding; `None` where the shell is so flat
    /// that the ball would be of no use.
    ///
    /// Proof. With `y` of length one along `M^T d` and `s = |M^T d| / |d|` the top is `t = c + M y`. For `|u| = 1` the point
    /// `c + M u` is lower by `s (1 - y . u)`, and its square distance from `t` is at most `W |u - y|^2 = 2 W (1 - y . u)`, with
    /// `W` the largest half axis squared. So it lies in the ball of radius `W / s` below `t`: a point `q` does if
    /// `|q - t|^2` is at most twice the radius times how much lower it is.
    ///
    /// Rounding: `M^T d` errs by `5.4u` of `|d| sqrt W` in length, so `t` by less than `25u` of the radius; the factor that is
    /// given to the radius makes up for the error of `s`, below `2^20 * 9u` of it. The body reaches out of its shell by
    /// `500u` of its reach at most, see [`Shell::holds`].
    #[inline(always)]
    pub(super) fn ball(&self, direction: DVec3) -> Option<Ball> {
        let DVec3 { y, z, .. } = direction;
        let place = DVec3::new(self.x.dot(direction), self.y.x * y + self.y.y * z, self.z * z);
        let (square, length_squared) = (place.length_squared(), direction.length_squared());
        // False for NaN.
        let is_sound = square > power_of_two(-40) * self.widest_squared * length_squared
            && square > LEAST_SQUARE
            && square < GREATEST_SQUARE;
        if !is_sound {
            return None;
        }
        let inverse = square.sqrt().recip();
        let widest_squared = self.widest_squared * (1.0 + power_of_two(-28));
        let (in_x, in_y) = (self.x * place.x, self.y * place.y);
        let top = in_x + DVec3::new(0.0, in_y.x, in_y.y + self.z * place.z);
        let center = self.center + (top - direction * widest_squared) * inverse;
        Some(Ball { center, radius: widest_squared * length_squared.sqrt() * inverse })
    }

    /// Over the directions to the corners and to the middles of the faces of a cube.
    fn mean_excess(&self, vertices: &[DVec3]) -> f64 {
        let corners =
            (0..8).map(|i| DVec3::from_array([1, 2, 4].map(|bit| if i & bit == 0 { 1.0 } else { -1.0 })));
        let directions =
            corners.map(DVec3::normalize).chain(DVec3::AXES).chain(DVec3::AXES.map(|axis| -axis));
        let excess =
            |d: DVec3| self.above(d) - vertices.iter().map(|v| d.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
        directions.map(excess).sum::<f64>() / 14.0
    }

    /// With the mean and the spread of weighted vertices.
    fn of_mean(vertices: &[DVec3], weights: &[f64], unit: f64) -> Shell {
        let weighted = || vertices.iter().zip(weights);
        let center = weighted().map(|(&v, &w)| v * w).sum::<DVec3>();
        let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
        let spread = weighted().fold(DMat3::ZERO, |sum, (&v, &w)| sum + outer((v - center) / unit) * w);
        // Cholesky's root of the spread; what is flat has no extent there.
        let root = |square: f64| square.max(0.0).sqrt();
        let xx = root(spread.x_axis.x);
        let (xy, xz) = (over(spread.x_axis.y, xx), over(spread.x_axis.z, xx));
        let yy = root(spread.y_axis.y - xy * xy);
        let yz = over(spread.y_axis.z - xy * xz, yy);
        let zz = root(spread.z_axis.z - xz * xz - yz * yz);
        let (x, y, z) = (DVec3::new(xx, xy, xz), DVec2::new(yy, yz), zz);
        Shell { center, x: x * unit, y: y * unit, z: z * unit, ..Shell::NONE }
    }

    fn grown(&self, factor: f64) -> Shell {
        Shell { x: self.x * factor, y: self.y * factor, z: self.z * factor, ..*self }
    }

    /// Up to a constant, in units.
    fn volume(&self, unit: f64) -> f64 {
        self.x.x / unit * (self.y.x / unit) * (self.z / unit)
    }

    /// `w` of a point, rounded.
    fn place(&self, point: DVec3) -> DVec3 {
        let from = point - self.center;
        let x = over(from.x, self.x.x);
        let y = over(from.y - self.x.y * x, self.y.x);
        let z = over(from.z - self.x.z * x - self.y.y * y, self.z);
        DVec3::new(x, y, z)
    }

    /// Whether all vertices lie in it, but for rounding.
    ///
    /// Any `w` of length at most one will do, if `c + M w` is near the vertex: the rest adds at most its largest coordinate
    /// times `|d|_1` to a height. It is computed within `40u reach`, as rows of the matrix sum to at most four times the reach.
    fn holds(&self, vertices: &[DVec3], reach: f64) -> bool {
        let rows = DVec3::new(0.0, self.y.x, self.y.y.abs() + self.z) + self.x.abs();
        rows.max_element() <= 4.0 * reach
            && vertices.iter().all(|&v| {
                let w = self.place(v);
                let (x, y) = (self.x * w.x, self.y * w.y);
                let rest = (v - self.center) - x - DVec3::new(0.0, y.x, y.y + self.z * w.z);
                w.length_squared() <= 1.0 && rest.abs().max_element() <= LARGEST_REST * reach
            })
    }

    /// A number that `d . v` exceeds for no vertex by more than `400u |d|_1 reach`.
    ///
    /// Rests add `240u` of that, the turning of a direction `5.4u`, `d . c` `4u`. An entry of the matrix is at most four times
    /// the reach, so each coordinate of `M^T d` errs by less than `48u`, all three by `84u` in length, and that is rounded by
    /// `40u`.
    fn above(&self, direction: DVec3) -> f64 {
        let [x, y, z] = direction.to_array().map(f64x2::splat);
        0.5 * Shell::above_both(self, self, &[x, y, z])
    }

    /// The sum of [`Shell::above`] of two shells, each along a direction of its own, in the first and in the second lanes:
    /// both take the same operations.
    #[inline(always)]
    fn above_both(&self, other: &Shell, [x, y, z]: &[f64x2; 3]) -> f64 {
        let both = |a: f64, b: f64| f64x2::new([a, b]);
        let dot = |a: &DVec3, b: &DVec3| *x * both(a.x, b.x) + *y * both(a.y, b.y) + *z * both(a.z, b.z);
        let in_x = dot(&self.x, &other.x);
        let in_y = *y * both(self.y.x, other.y.x) + *z * both(self.y.y, other.y.y);
        let in_z = *z * both(self.z, other.z);
        let square = in_x * in_x + in_y * in_y + in_z * in_z;
        let [height, height_of_other] = (dot(&self.center, &other.center) + square.sqrt()).to_array();
        // False for NaN.
        let is_sound = square.simd_gt(f64x2::splat(LEAST_SQUARE)).all();
        if is_sound { height + height_of_other } else { f64::INFINITY }
    }
}

/// A quotient, zero where the body is flat.
fn over(x: f64, divisor: f64) -> f64 {
    if divisor > 0.0 { x / divisor } else { 0.0 }
}

impl SupportMap {
    /// The ellipsoid around the body; infinite if none is known.
    #[inline(always)]
    pub(crate) fn shell(&self) -> &Shell {
        &self.shell
    }

    /// A number that `d . v` of two bodies, each along its own direction, together exceed for no vertices by more than
    /// `400u |d|_1 reach` of each, infinite if none is known; so for the directions given and for all that differ from them by
    /// `4u` in size. The direction of this body is in the first lanes, that of the other in the second ones.
    #[inline(always)]
    pub(crate) fn heights_in_shells(&self, other: &SupportMap, directions: &[f64x2; 3]) -> f64 {
        self.shell.above_both(&other.shell, directions)
    }

    /// How much higher than the body the shell is, in the mean; infinite if there is none.
    #[inline(always)]
    pub(crate) fn shell_excess(&self) -> f64 {
        self.shell.excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    /// How much too high the shell is.
    fn check(map: &SupportMap, direction: DVec3) -> f64 {
        let reach = map.reach() * direction.abs().element_sum();
        let highest = map.polytope().vertices().iter().map(|v| direction.dot(*v)).fold(f64::MIN, f64::max);
        let shell = map.shell.above(direction);
        assert!(shell >= highest - 200.0 * f64::EPSILON * reach, "{shell} below {highest}: {direction}");
        shell - highest
    }

    #[test]
    fn nothing_reaches_beyond_the_shell_and_round_bodies_fill_it() {
        let mut random = Random::new(11);
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate] {
            for (count, excess) in [(4, 1.0), (20, 0.3), (200, 0.03), (1000, 0.01)] {
                let sample = random_polytope(kind, count, 3).expect("a sample");
                for (scale, shift) in [(1.0, 0.0), (2f64.powi(-20), 1.0), (2f64.powi(200), -2f64.powi(210))] {
                    let points: Vec<DVec3> = sample.vertices().iter().map(|v| *v * scale + shift).collect();
                    let map = SupportMap::new(Polytope::hull(&points).expect("a hull"));
                    let mut sum = 0.0;
                    for round in 0..2000 {
                        let length = [1.0, 1e-12, 1e12][round % 3];
                        sum += check(&map, random_direction(&mut random) * length) / (length * scale);
                    }
                    assert!(sum / 2000.0 < excess, "{kind:?} {count} {scale}: {}", sum / 2000.0);
                }
            }
        }
    }

    #[test]
    fn flat_bodies_and_directions_out_of_range_are_bounded() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::ONE];
        for count in 1..=3 {
            let map = SupportMap::new(Polytope::hull(&corners[..count]).expect("a hull"));
            for direction in [DVec3::X, DVec3::NEG_Y, DVec3::new(1.0, 1.0, -2.0), DVec3::ONE] {
                check(&map, direction);
            }
            assert_eq!(map.shell.above(DVec3::ZERO), f64::INFINITY);
            assert_eq!(map.shell.above(DVec3::X * 1e-200), f64::INFINITY);
        }
    }
}
