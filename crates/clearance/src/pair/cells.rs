//! The least height of a convex set around zero, over cells of directions that are cut until the bracket is narrow.
//!
//! The height `H(d)` of a set `M` is the largest `d . m`. Where it is least, a hull of points of `M` tells it well only if few directions
//! are as low. Cells tell it for any number of them: a cell is the cone of two or three unit directions `d_i`, and `p` a point of `M`.
//! A unit direction in the cone is a sum of `c_i d_i`, `c_i >= 0`; its length is at most `sum c_i`, so that is at least one, and
//!
//! `H(d) >= d . p = sum c_i (d_i . p) >= min d_i . p` if that is not negative.
//!
//! The best `p` among the mixtures of the points that are highest along the corners is the solution of a game, rows for corners and
//! columns for points; whatever mixture is proposed, its bound holds. It falls short of the least height by the square of the width of
//! the cell, and at edges and corners of `H` by as much as the cell is wide. So where few directions are lowest, a few dozen cells
//! for each halving of the width are enough; where a circle of them is, their number grows as the root of the inverse of the
//! relative width, for a sphere as the inverse.

use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Relative width at which a bracket is narrow enough: the angle of the direction is then right up to the root of it.
const RELATIVE_WIDTH: f64 = 1e-12;

/// What is known of a direction.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    /// Of length one, but for `4u`.
    pub direction: DVec3,
    /// A point of the set, highest along the direction but for rounding.
    pub point: DVec3,
    /// No further than this from the set is the point.
    pub error: f64,
    /// Never below the height of the set along the direction.
    pub upper: f64,
}

/// What is proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Least {
    /// Never above the least height.
    pub lower: f64,
    /// Never below it.
    pub upper: f64,
    /// The direction of the upper end.
    pub direction: DVec3,
}

/// A cone of directions, each corner the number of a sample.
struct Cell<const N: usize> {
    lower: f64,
    corners: [u32; N],
    /// How often its parents were cut.
    cuts: u32,
}

impl<const N: usize> Ord for Cell<N> {
    /// The lowest is the greatest: it is cut first.
    fn cmp(&self, other: &Cell<N>) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.corners.cmp(&self.corners))
    }
}

impl<const N: usize> PartialOrd for Cell<N> {
    fn partial_cmp(&self, other: &Cell<N>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> PartialEq for Cell<N> {
    fn eq(&self, other: &Cell<N>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<const N: usize> Eq for Cell<N> {}

/// A search; the set holds zero, and no point of it is farther away than its reach.
pub(super) struct Search<'a, const N: usize> {
    look: &'a dyn Fn(DVec3) -> Sample,
    reach: f64,
    samples: Vec<Sample>,
    cells: BinaryHeap<Cell<N>>,
    best: Least,
}

/// Cells are the octants.
pub(super) fn in_space(look: &dyn Fn(DVec3) -> Sample, reach: f64, most: usize) -> Least {
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let cells = (0..8).map(|signs: u32| [0, 1, 2].map(|axis| 2 * axis + (signs >> axis & 1)));
    Search::new(look, reach, axes, cells).run(most)
}

/// Cells are the two right angles of the half-plane `x >= 0` in the plane `y = 0`.
pub(super) fn in_half_plane(look: &dyn Fn(DVec3) -> Sample, reach: f64, most: usize) -> Least {
    let axes = [DVec3::Z, DVec3::X, DVec3::NEG_Z].into_iter();
    Search::new(look, reach, axes, [[0, 1], [1, 2]].into_iter()).run(most)
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(
        look: &'a dyn Fn(DVec3) -> Sample,
        reach: f64,
        directions: impl Iterator<Item = DVec3>,
        cells: impl Iterator<Item = [u32; N]>,
    ) -> Search<'a, N> {
        let best = Least { lower: 0.0, upper: f64::INFINITY, direction: DVec3::ZERO };
        let mut search = Search { look, reach, samples: Vec::new(), cells: BinaryHeap::new(), best };
        directions.for_each(|direction| {
            search.sample(direction);
        });
        cells.for_each(|corners| search.push(corners, 0, 0.0));
        search
    }

    /// Until the bracket is narrow, rounding leaves it no narrower, or so many directions were looked at.
    fn run(mut self, most: usize) -> Least {
        while let Some(cell) = self.cells.pop() {
            let wanted = RELATIVE_WIDTH * self.best.upper + 2.0 * self.slack(&cell.corners, cell.cuts);
            if self.best.upper - cell.lower <= wanted || self.samples.len() >= most {
                return Least { lower: cell.lower.min(self.best.upper), ..self.best };
            }
            self.cut(&cell);
        }
        // Nothing is lower.
        Least { lower: self.best.upper, ..self.best }
    }

    fn sample(&mut self, direction: DVec3) -> u32 {
        let sample = (self.look)(direction);
        if sample.upper < self.best.upper {
            self.best = Least { upper: sample.upper, direction, ..self.best };
        }
        self.samples.push(sample);
        self.samples.len() as u32 - 1
    }

    /// In two, across the edge along which the height bends most: long bodies have valleys that are narrow one way.
    fn cut(&mut self, cell: &Cell<N>) {
        let edges = (0..N).flat_map(|i| (0..i).map(move |j| [i, j]));
        let corner = |i: usize| self.samples[cell.corners[i] as usize];
        let bend = |[i, j]: [usize; 2]| {
            let turned = corner(i).direction - corner(j).direction;
            turned.dot(corner(i).point - corner(j).point) + turned.length_squared() * self.best.upper
        };
        let widest = edges.max_by(|&e, &f| bend(e).total_cmp(&bend(f))).unwrap_or([0, 1]);
        let [from, to] = widest.map(|i| corner(i).direction);
        let middle = self.sample((from + to).normalize());
        for end in widest {
            let mut corners = cell.corners;
            corners[end] = middle;
            self.push(corners, cell.cuts + 1, cell.lower);
        }
    }

    /// Lower bounds of a cell hold for its parts.
    fn push(&mut self, corners: [u32; N], cuts: u32, lower: f64) {
        let directions = corners.map(|i| self.samples[i as usize].direction);
        let points = corners.map(|i| self.samples[i as usize].point);
        let value = best_mixture(&directions, &points);
        let lower = lower.max(value * (1.0 - 8.0 * UNIT_ROUNDOFF) - self.slack(&corners, cuts));
        // Cells that are too high stay out.
        if lower < self.best.upper {
            self.cells.push(Cell { lower, corners, cuts });
        }
    }

    /// By how much rounding may lift a bound.
    ///
    /// A middle errs by `4u` across the plane of its edge, so the parts of a cell may leave out directions that are next to one of
    /// theirs. With corners of one octant, products of which are not negative, `sum c_i` is at most `sqrt 3`: the direction next to it
    /// differs by less than `7u` from a unit direction in a part, and so in length from one. Heights change by at most the reach times
    /// as much: `14u` a cut. A mixture errs by `4u`, its products by `4u` of the reach, points by their error.
    fn slack(&self, corners: &[u32; N], cuts: u32) -> f64 {
        let error = corners.iter().map(|&i| self.samples[i as usize].error).fold(0.0, f64::max);
        error + f64::from(16 + 16 * cuts) * UNIT_ROUNDOFF * self.reach
    }
}

/// The largest `min d_i . p` over mixtures `p` of the points, or less: of one point, of two where rows are equal, and of three where
/// all are.
fn best_mixture<const N: usize>(directions: &[DVec3; N], points: &[DVec3; N]) -> f64 {
    let value = |point: DVec3| directions.iter().map(|d| d.dot(point)).fold(f64::INFINITY, f64::min);
    let mut best = points.iter().map(|&p| value(p)).fold(f64::NEG_INFINITY, f64::max);
    let pairs = || (0..N).flat_map(|i| (0..i).map(move |j| [i, j]));
    for [i, j] in pairs() {
        for across in pairs().map(|[k, l]| directions[k] - directions[l]) {
            let (here, there) = (across.dot(points[i]), across.dot(points[j]));
            let weight = here / (here - there);
            if weight > 0.0 && weight < 1.0 {
                best = best.max(value(points[i] + (points[j] - points[i]) * weight));
            }
        }
    }
    if N == 3 {
        let [u, v] = [1, 2].map(|k| directions[k] - directions[0]);
        let weights = DVec3::from_array([0, 1, 2].map(|i| {
            let [p, q] = [1, 2].map(|step| points[(i + step) % N]);
            u.dot(p) * v.dot(q) - v.dot(p) * u.dot(q)
        }));
        let shares = weights / weights.element_sum();
        if shares.min_element() > 0.0 && shares.is_finite() {
            // Of the same length as points: less than one step of rounding away from a mixture.
            let [x, y, z] = shares.to_array();
            best = best.max(value(points[0] * x + points[1 % N] * y + points[2 % N] * z));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// A box around zero: kinks, edges and corners of `H`.
    fn of_box(low: DVec3, high: DVec3) -> impl Fn(DVec3) -> Sample {
        move |direction| {
            let pick = |axis: usize| if direction[axis] > 0.0 { high[axis] } else { low[axis] };
            let point = DVec3::new(pick(0), pick(1), pick(2));
            Sample { direction, point, error: 0.0, upper: direction.dot(point) * (1.0 + 1e-15) }
        }
    }

    fn of_ellipsoid(axes: DVec3, center: DVec3) -> impl Fn(DVec3) -> Sample {
        move |direction| {
            let point = center + axes * axes * direction / (axes * direction).length();
            let upper = direction.dot(point) * (1.0 + 1e-15) + 1e-15 * center.length();
            Sample { direction, point, error: 0.0, upper }
        }
    }

    #[test]
    fn boxes_are_as_deep_as_their_nearest_side() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            let mut any = || DVec3::from_array([0; 3].map(|_: i32| 10f64.powf(random.range(-3.0, 1.0))));
            let (low, high) = (-any(), any());
            let truth = (-low).min(high).min_element();
            let found = in_space(&of_box(low, high), 60.0, 4000);
            assert!(found.lower <= truth && truth <= found.upper, "{truth} {found:?}");
            assert!(found.upper - found.lower <= 1e-9 * truth, "{truth} {found:?}");
        }
    }

    #[test]
    fn ellipsoids_are_as_deep_as_their_shortest_axis() {
        for axes in [DVec3::new(1.0, 1.3, 1.7), DVec3::new(1e-3, 1.0, 2.0), DVec3::new(1.0, 500.0, 1e3)] {
            let found = in_space(&of_ellipsoid(axes, DVec3::ZERO), axes.element_sum(), 20_000);
            assert!(found.lower <= axes.x && axes.x <= found.upper, "{axes} {found:?}");
            assert!(found.upper - found.lower <= 1e-9 * axes.x, "{axes} {found:?}");
        }
    }

    /// But for balls, along all directions of which nothing is lower: they are taken for points before.
    #[test]
    fn a_half_plane_of_directions_is_enough_for_what_turns_about_an_axis() {
        for (x, z, shift) in [(1.0, 2.0, 0.3), (1.0, 1.5, 0.0), (1e3, 1e6, 10.0), (2.0, 1.0, 0.9)] {
            let found = in_half_plane(&of_ellipsoid(DVec3::new(x, 1.0, z), DVec3::Z * shift), 2.0 * z, 4000);
            // Along the angles.
            let height = |angle: f64| {
                let (sine, cosine) = angle.sin_cos();
                (x * sine).hypot(z * cosine) + shift * cosine
            };
            let truth = (0..200_000)
                .map(|i| height(f64::from(i) * std::f64::consts::PI / 2e5))
                .fold(f64::MAX, f64::min);
            assert!(found.lower <= truth && truth <= found.upper * (1.0 + 1e-6), "{truth} {found:?}");
            assert!(found.upper - found.lower <= 1e-9 * truth, "{truth} {found:?}");
        }
    }
}
