//! A bracket with twice the precision, for pairs that are close: the stage between floats and integers.
//!
//! The simplex is known; its nearest point is corrected by one step of Newton's method with residuals in double-double
//! numbers, which squares its error. The direction of the result separates the bodies up to `u^2`, where a float
//! direction, wrong by `u`, tilts by `u` times the size of the feature. Good down to distances of about `1e-9` of the
//! size; every bound is proved, so where that is not enough, the bracket is wide and the goal is not met.

use super::difference::Difference;
use super::gilbert::{Bracket, Goal};
use super::subdistance::Simplex;
use crate::math::Pose;
use crate::math::double::{Double, Double3};
use crate::math::round::UNIT_ROUNDOFF;
use crate::support::SupportMap;

/// `u^2`.
const FINE_ROUNDOFF: f64 = UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// `2^-180`: squares of nearest points below this are hopeless here.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 180) << 52);

/// Tries to meet the goal; corners that turn out to be superfluous are left out.
pub(super) fn refine(m: &Difference<'_>, simplex: &mut Simplex, goal: &Goal) -> Option<Bracket> {
    while (1..=3).contains(&simplex.len) {
        let anchor = (0..simplex.len).max_by(|&i, &j| simplex.weights[i].total_cmp(&simplex.weights[j]))?;
        swap(simplex, 0, anchor);
        let star = Star::new(m, simplex);
        match star.nearest(simplex) {
            Nearest::Inside { point, weights } => {
                simplex.weights[..3].copy_from_slice(&weights);
                let bracket = star.bracket(&point, &simplex.three())?;
                return goal.is_met(bracket).then_some(bracket);
            }
            Nearest::Beyond(corner) => {
                let last = simplex.len - 1;
                swap(simplex, corner, last);
                simplex.len = last;
            }
            Nearest::Unclear => return None,
        }
    }
    None
}

fn swap(simplex: &mut Simplex, i: usize, j: usize) {
    simplex.points.swap(i, j);
    simplex.pairs.swap(i, j);
    simplex.weights.swap(i, j);
}

/// A simplex seen from its first corner: the corner, and edges within each body.
struct Star<'m, 'a> {
    m: &'m Difference<'a>,
    corner: Double3,
    /// From the first vertex of A to those of the other corners, and the same for B.
    edges_a: [(u32, Double3); 2],
    edges_b: [(u32, Double3); 2],
    len: usize,
}

enum Nearest {
    /// Strictly inside the simplex: the point, and the weights of the corners.
    Inside { point: Double3, weights: [f64; 3] },
    /// Beyond the face opposite to a corner.
    Beyond(usize),
    /// Degenerate.
    Unclear,
}

impl<'m, 'a> Star<'m, 'a> {
    fn new(m: &'m Difference<'a>, simplex: &Simplex) -> Star<'m, 'a> {
        let (from_a, from_b) = simplex.pairs[0];
        let none = (from_a, Double3::ZERO);
        let mut star = Star {
            m,
            corner: m.fine_corner(simplex.pairs[0]),
            edges_a: [none; 2],
            edges_b: [(from_b, Double3::ZERO); 2],
            len: simplex.len,
        };
        for (i, &(a, b)) in simplex.pairs[1..simplex.len].iter().enumerate() {
            star.edges_a[i] = (a, edge(m, m.a, m.pose_a, from_a, a));
            star.edges_b[i] = (b, edge(m, m.b, m.pose_b, from_b, b));
        }
        star
    }

    /// One step of Newton's method from the float weights: `v` shall be perpendicular to the edges `e`, so weights
    /// change by the solution of `(e . e) x = e . v`.
    ///
    /// With `scale <= 2`: edges err by `60u^2` (two edges of `24u^2` and their difference), `v` by `32u^2` for the
    /// corner, `60u^2` and `32u^2` for each edge and its multiple, and sums: below `256u^2 scale` in each coordinate,
    /// against the exact combination with these weights.
    fn nearest(&self, simplex: &Simplex) -> Nearest {
        let edge = |i: usize| self.edges_b[i].1.minus(&self.edges_a[i].1);
        let edges = [edge(0), edge(1)];
        let edges = &edges[..self.len - 1];
        let start = [1, 2].map(|i| simplex.weights[i]);
        let along = |point: Double3, by: [f64; 2]| {
            edges.iter().zip(by).fold(point, |sum, (e, x)| sum.plus(&e.times(x)))
        };
        let v = along(self.corner, start);
        let residual: [f64; 2] = std::array::from_fn(|i| edges.get(i).map_or(0.0, |e| e.dot(&v).high));
        let change = match edges {
            [] => [0.0; 2],
            [e] => [residual[0] / e.high().length_squared(), 0.0],
            [e, f, ..] => {
                let (e, f) = (e.high(), f.high());
                let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
                let area = e.cross(f).length_squared();
                [(residual[0] * ff - residual[1] * ef) / area, (residual[1] * ee - residual[0] * ef) / area]
            }
        };
        if !change.iter().all(|x| x.is_finite()) {
            return Nearest::Unclear;
        }
        let weights: [Double; 2] = std::array::from_fn(|i| Double::sum(start[i], -change[i]));
        if let Some(i) = (0..edges.len()).find(|&i| weights[i].high <= 0.0) {
            return Nearest::Beyond(i + 1);
        }
        let rest = (0..edges.len()).fold(Double::sum(1.0, 0.0), |rest, i| rest.minus(weights[i]));
        // The sign of `rest` is right unless it is as small as its error.
        if rest.high <= 1e-30 {
            return Nearest::Unclear;
        }
        let point = along(v, change.map(|x| -x));
        Nearest::Inside { point, weights: [rest.high, weights[0].high, weights[1].high] }
    }

    /// The bracket that the point and its direction prove.
    ///
    /// The lowest vertex along the direction is one of two plateaus; heights are taken from the first corner. Errors:
    /// the corner's `32u^2`, an edge's `24u^2` twice, three scalar products of `28u^2`, each times `|d|_1 scale` and
    /// the last two at most twice that, and sums: below `310u^2 |d|_1 scale`. The point's own error is `256u^2 scale`
    /// in each coordinate, `444u^2 scale` in length.
    fn bracket(&self, point: &Double3, lowest: &[(u32, u32); 3]) -> Option<Bracket> {
        let (m, (first_a, first_b)) = (self.m, lowest[0]);
        let (plateau_a, plateau_b) = m.plateaus(point.high(), lowest)?;
        let rise = |known: &[(u32, Double3)], map, pose, first: u32, to: u32| {
            let found = known.iter().find(|(vertex, _)| *vertex == to).map(|(_, edge)| *edge);
            found.unwrap_or_else(|| edge(m, map, pose, first, to)).dot(point)
        };
        let rises_a = plateau_a.vertices().iter().filter(|v| **v != first_a);
        let top =
            rises_a.fold(Double::ZERO, |top, &to| top.max(rise(&self.edges_a, m.a, m.pose_a, first_a, to)));
        let rises_b = plateau_b.vertices().iter().filter(|v| **v != first_b);
        let bottom = rises_b.fold(Double::ZERO, |bottom, &to| {
            bottom.max(rise(&self.edges_b, m.b, m.pose_b, first_b, to).negated())
        });
        let height = self.corner.dot(point).minus(top).minus(bottom).high;
        let square = point.dot(point).high;
        if square <= SMALLEST_SQUARE {
            return None;
        }
        let length = square.sqrt();
        let floor = height - 512.0 * FINE_ROUNDOFF * point.high().abs().element_sum() * m.scale;
        let lower = (floor / length * (1.0 - 8.0 * UNIT_ROUNDOFF)).max(0.0) / m.unit;
        let upper = length * (1.0 + 8.0 * UNIT_ROUNDOFF) + 512.0 * FINE_ROUNDOFF * m.scale;
        Some(Bracket { lower, upper: upper / m.unit })
    }
}

/// From one vertex of a body to another, zero for the same.
fn edge(m: &Difference<'_>, map: &SupportMap, pose: &Pose, from: u32, to: u32) -> Double3 {
    if from == to { Double3::ZERO } else { m.fine_edge(map, pose, from, to) }
}
