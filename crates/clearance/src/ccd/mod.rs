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
/// its corners does not matter. About 0.1 microseconds where the two pass each other, a few for a contact.
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
            // Not `> LIMIT`: that would let NaN pass.
            let is_bad = |x: &f64| !(x.abs() <= COORDINATE_LIMIT);
            if let Some(value) = position.to_array().into_iter().find(is_bad) {
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
