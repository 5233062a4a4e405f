//! The first contact of features whose vertices move on straight lines: a vertex and a triangle, or two edges.
//!
//! Every vertex is at `start + t (end - start)` at time `t` from 0 to 1, as real numbers: triangles may stretch, turn and
//! collapse on the way. These are the two questions that cloth, soft bodies and contact solvers ask about every pair of
//! near triangles in every step. The answer is exact: a touch is a contact, however it grazes, and a miss by one unit in
//! the last place is a miss. Known methods report contacts that are none or, worse, miss some.
//!
//! ```
//! use clearance::{ccd::{self, MovingPoint}, glam::DVec3};
//! let rests = MovingPoint::at_rest;
//! let face = [DVec3::ZERO, DVec3::X, DVec3::Y].map(rests);
//! let falls = |x: f64| MovingPoint { start: DVec3::new(x, 0.5, 2.0), end: DVec3::new(x, 0.5, -1.0) };
//! let time = ccd::vertex_face(falls(0.25), face)?.expect("it falls through the triangle");
//! // Two thirds is not a float: the bracket is the floats around it.
//! assert!(time.lower < time.upper && time.upper == time.lower.next_up());
//! // On the longest side is in contact, beside it is not.
//! assert!(ccd::vertex_face(falls(0.5), face)?.is_some());
//! assert!(ccd::vertex_face(falls(0.5f64.next_up()), face)?.is_none());
//! # Ok::<(), ccd::CcdError>(())
//! ```
//!
//! # How
//!
//! The four vertices lie in one plane when a determinant is zero, a cubic polynomial in `t`. Floats with proved error
//! bounds settle most queries: the features are apart along an axis all the time, the cubic has no root, or its root is
//! bracketed well enough to see that the features are apart, or cross, there. What they leave open is decided by integers:
//! the roots by Sturm's theorem, the sides of the vertices by exact signs of quadratic polynomials at these roots, which may
//! be zero. If the cubic is zero throughout, the motion stays in a plane, and the first contact is that of a vertex with an
//! edge. Nothing depends on a tolerance, and everything ends.

mod cubic;
mod exact;
mod feature;
mod filter;
mod sharp;
mod still;

use crate::tolerance::COORDINATE_LIMIT;
use feature::{Features, Kind};
use filter::Verdict;
use glam::DVec3;

/// A vertex that moves from `start` at time 0 to `end` at time 1, on a straight line with constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingPoint {
    /// Where it is at time 0.
    pub start: DVec3,
    /// Where it is at time 1.
    pub end: DVec3,
}

impl MovingPoint {
    /// A vertex that does not move.
    pub const fn at_rest(at: DVec3) -> MovingPoint {
        MovingPoint { start: at, end: at }
    }
}

/// When features first share a point: the floats next to that time, or twice the time if it is a float.
///
/// There is no contact before `lower`, and there is one at or before `upper`. The two are equal or neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTime {
    /// The largest float that is not above the time, from 0 to 1.
    pub lower: f64,
    /// The smallest float that is not below the time, from 0 to 1.
    pub upper: f64,
}

impl ContactTime {
    const START: ContactTime = ContactTime { lower: 0.0, upper: 0.0 };
    const END: ContactTime = ContactTime { lower: 1.0, upper: 1.0 };
}

/// Why a question about moving features was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CcdError {
    /// A coordinate is infinite, not a number or too large.
    #[error(
        "point {point} at time {time} has the coordinate {value:e}; coordinates must be finite and at most 2^300 in size"
    )]
    OutOfRange {
        /// In the order of the arguments, from 0.
        point: usize,
        /// 0 or 1.
        time: u8,
        /// As given.
        value: f64,
    },
}

/// When a vertex first touches a triangle, or `None` if it never does from time 0 to 1.
///
/// The triangle is closed, with its sides and corners, and may be a segment or a point at some or all times. The order of
/// its corners does not matter. About 0.1 microseconds where the two pass each other, less than one for a contact inside, 5
/// to 50 where only integers can decide.
pub fn vertex_face(vertex: MovingPoint, face: [MovingPoint; 3]) -> Result<Option<ContactTime>, CcdError> {
    let [a, b, c] = face;
    let features = Features::vertex_face([vertex, a, b, c]);
    checked(&features)?;
    Ok(first_contact(&features))
}

/// When two edges first share a point, or `None` if they never do from time 0 to 1.
///
/// Edges are closed, with their ends, and may be points at some or all times. Swapping the edges, or the ends of one,
/// does not change the answer. Costs as [`vertex_face`].
pub fn edge_edge(
    edge_a: [MovingPoint; 2],
    edge_b: [MovingPoint; 2],
) -> Result<Option<ContactTime>, CcdError> {
    let ([a, b], [c, d]) = (edge_a, edge_b);
    let features = Features::edge_edge([a, b, c, d]);
    checked(&features)?;
    Ok(first_contact(&features))
}

fn checked(features: &Features) -> Result<(), CcdError> {
    for (time, points) in [(0, &features.start), (1, &features.end)] {
        for (point, position) in points.iter().enumerate() {
            // The range does not contain NaN.
            let is_good = |x: &f64| (-COORDINATE_LIMIT..=COORDINATE_LIMIT).contains(x);
            if let Some(value) = position.to_array().into_iter().find(|x| !is_good(x)) {
                return Err(CcdError::OutOfRange { point, time, value });
            }
        }
    }
    Ok(())
}

fn first_contact(features: &Features) -> Option<ContactTime> {
    match filter::first_contact(features) {
        Verdict::Settled(answer) => answer,
        Verdict::Between(lower, upper) => Some(exact::contact_between(features, lower, upper)),
        Verdict::Open => exact::first_contact(features),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Random vertices on a lattice of that width.
    fn lattice(random: &mut Random, width: f64) -> DVec3 {
        let mut coordinate = || (random.range(-1.0, 1.0) / width).round() * width;
        DVec3::new(coordinate(), coordinate(), coordinate())
    }

    /// Features near each other: around a contact at some time, with small, large or no displacements.
    fn features(random: &mut Random) -> Features {
        let width = [0.25, 0.5f64.powi(10), 0.5f64.powi(52)][random.below(3) as usize];
        let kind = if random.below(2) == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
        let mut points: [DVec3; 4] = std::array::from_fn(|_| lattice(random, width));
        let share = [0.0, 0.25, 0.5, 1.0, random.unit(), 1.0 + 1e-15, 1e-14][random.below(7) as usize];
        let rest = (1.0 - share) * [0.0, 0.5, 1.0, random.unit(), 1e-15][random.below(5) as usize];
        points[0] = match kind {
            Kind::VertexFace => points[1] + share * (points[2] - points[1]) + rest * (points[3] - points[1]),
            // Along the first edge, through a point of the second.
            Kind::EdgeEdge => {
                let common = points[2] + share * (points[3] - points[2]);
                points[1] + (1.0 + rest) * (common - points[1])
            }
        };
        let time = [0.0, 0.5, 1.0, random.unit()][random.below(4) as usize];
        let speed = [0.0, 1e-9, 1e-3, 1.0, 1.0][random.below(5) as usize];
        let velocities = points.map(|_| speed * lattice(random, width));
        let at = |t: f64| std::array::from_fn(|i| points[i] + t * velocities[i]);
        Features { kind, start: at(-time), end: at(1.0 - time) }
    }

    /// The oracle compares both stages with rational numbers; here floats see far more cases.
    #[test]
    fn floats_prove_nothing_that_integers_refute() {
        let mut random = Random::new(1);
        let (mut settled, mut contacts) = (0, 0);
        for case in 0..CASES {
            let features = features(&mut random);
            let truth = exact::first_contact(&features);
            assert_eq!(first_contact(&features), truth, "case {case}: {features:?}");
            settled += u32::from(!matches!(filter::first_contact(&features), Verdict::Open));
            contacts += u32::from(truth.is_some());
        }
        assert!(settled > CASES / 2 && contacts > CASES / 4, "{settled} settled, {contacts} contacts");
    }

    const CASES: u32 = 20_000;

    #[test]
    fn coordinates_out_of_range_are_refused_with_their_place() {
        let rests = |x: f64| MovingPoint::at_rest(DVec3::splat(x));
        let bad = MovingPoint { start: DVec3::ZERO, end: DVec3::new(0.0, f64::NAN, 0.0) };
        let error = vertex_face(rests(0.0), [rests(1.0), rests(2.0), bad]).unwrap_err();
        assert!(matches!(error, CcdError::OutOfRange { point: 3, time: 1, value } if value.is_nan()));
        let huge = rests(2.0 * COORDINATE_LIMIT);
        let error = edge_edge([rests(0.0), huge], [rests(1.0), bad]).unwrap_err();
        assert_eq!(error, CcdError::OutOfRange { point: 1, time: 0, value: 2.0 * COORDINATE_LIMIT });
        assert!(error.to_string().contains("2^300"), "{error}");
        let largest = rests(COORDINATE_LIMIT);
        assert_eq!(edge_edge([rests(0.0), largest], [largest, largest]), Ok(Some(ContactTime::START)));
    }
}
