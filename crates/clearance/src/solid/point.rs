//! Points at which contacts have corners: vertices, crossings of edges with edges and faces, and any other exact ones.

use super::body::between;
use crate::exact::{BigNumber, BigQuotient, BigVector, Posed, Sign, Vector, det_sign};
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::triangle::vector_size;
use glam::DVec3;

/// Below this, products of vectors come close to underflow.
const SMALLEST_SIZE: f64 = power_of_two(-300);

/// An exact point of the world.
#[derive(Clone, Debug)]
pub(super) enum Point<'a> {
    /// A vertex of a body, or any point given in floats.
    Vertex(Posed<'a>),
    /// A point strictly inside an edge.
    Crossing(Box<Crossing<'a>>),
    /// Any other.
    Computed(Box<Computed>),
}

/// `numerator / denominator`.
#[derive(Clone, Debug)]
pub(super) struct Computed {
    pub numerator: BigVector,
    /// Positive.
    pub denominator: BigNumber,
    rounded: DVec3,
    /// Bounds the error of each coordinate of `rounded`.
    error: f64,
}

/// `from + (to - from) numerator / denominator`, with `0 < numerator < denominator`.
#[derive(Clone, Debug)]
pub(super) struct Crossing<'a> {
    from: Posed<'a>,
    to: Posed<'a>,
    numerator: BigNumber,
    denominator: BigNumber,
    rounded: DVec3,
    /// Bounds the error of each coordinate of `rounded`.
    error: f64,
}

impl<'a> Point<'a> {
    /// Where the plane that two vectors span at a point crosses an edge whose ends lie strictly on both sides of it.
    pub fn crossing([from, to]: [Posed<'a>; 2], [u, v]: [Vector<'a>; 2], origin: Posed<'a>) -> Point<'a> {
        let normal = BigVector::from(u).cross(&BigVector::from(v));
        let height = |vector: Vector<'a>| {
            let height = normal.dot(&BigVector::from(vector));
            if height.sign().is_negative() { height.negated() } else { height }
        };
        let (numerator, denominator) = (height(between(origin, from)), height(between(from, to)));
        let quotient = BigQuotient { numerator: numerator.clone(), denominator: denominator.clone() };
        let weight = quotient.bracket().0.clamp(0.0, 1.0);
        let rounded = from.pose.apply(from.point + (to.point - from.point) * weight);
        // A float weight errs by u relative, a difference, a product and a sum by u each of at most |from| + |to|,
        // the image by 4.1u: below 10u of everything together.
        let size = from.point.abs() + to.point.abs() + from.pose.translation().abs();
        let error = 16.0 * UNIT_ROUNDOFF * size.element_sum();
        Point::Crossing(Box::new(Crossing { from, to, numerator, denominator, rounded, error }))
    }

    /// The point in floats, and a bound of the error of each coordinate.
    pub fn rounded(&self) -> (DVec3, f64) {
        match self {
            Point::Vertex(at) => {
                let size = at.point.abs() + at.pose.translation().abs();
                (at.pose.apply(at.point), 8.0 * UNIT_ROUNDOFF * size.element_sum())
            }
            Point::Crossing(crossing) => (crossing.rounded, crossing.error),
            Point::Computed(computed) => (computed.rounded, computed.error),
        }
    }

    /// The point as a quotient.
    pub fn computed(&self) -> Computed {
        let one = || BigNumber::from(1.0);
        match self {
            Point::Vertex(at) => Computed::new(from_origin(*at), one()),
            Point::Crossing(crossing) => {
                let Crossing { from, to, numerator, denominator, .. } = &**crossing;
                let along = BigVector::from(between(*from, *to)).times(numerator);
                let start = from_origin(*from).times(denominator);
                Computed::new(start.minus(&along.negated()), denominator.clone())
            }
            Point::Computed(computed) => (**computed).clone(),
        }
    }

    /// The exact sign of `det[u, v, point - origin]`.
    pub fn det_sign(&self, u: Vector<'_>, v: Vector<'_>, origin: Posed<'_>) -> Sign {
        match self {
            // A vertex is seen from itself more often than not.
            Point::Vertex(at) if at.point == origin.point && std::ptr::eq(at.pose, origin.pose) => Sign::Zero,
            Point::Vertex(at) => det_sign(u, v, Vector::Between(origin, *at)),
            Point::Crossing(crossing) => crossing.det_sign(u, v, origin),
            Point::Computed(computed) => computed.det_sign(u, v, origin),
        }
    }
}

/// The vector from the origin of the world to a point.
fn from_origin(at: Posed<'_>) -> BigVector {
    BigVector::from(Vector::Between(Pose::IDENTITY.at(DVec3::ZERO), at))
}

impl Computed {
    /// The denominator must not be zero.
    pub fn new(numerator: BigVector, denominator: BigNumber) -> Computed {
        let (numerator, denominator) = match denominator.sign().is_negative() {
            true => (numerator.negated(), denominator.negated()),
            false => (numerator, denominator),
        };
        let brackets = [0, 1, 2].map(|axis| {
            let coordinate = numerator.coordinate(axis);
            let sign = if coordinate.sign().is_negative() { -1.0 } else { 1.0 };
            // Of the size of the coordinate.
            let quotient = BigQuotient { numerator: coordinate, denominator: denominator.clone() };
            let (low, high) = quotient.bracket();
            (sign * low, high - low)
        });
        let rounded = DVec3::from_array(brackets.map(|(value, _)| value));
        let error = brackets.iter().map(|&(_, width)| width).fold(0.0, f64::max);
        Computed { numerator, denominator, rounded, error }
    }

    fn det_sign(&self, u: Vector<'_>, v: Vector<'_>, origin: Posed<'_>) -> Sign {
        float_sign((self.rounded, self.error), u, v, origin).unwrap_or_else(|| {
            let normal = BigVector::from(u).cross(&BigVector::from(v));
            let height = normal.dot(&from_origin(origin)).times(&self.denominator);
            normal.dot(&self.numerator).compare(&height)
        })
    }
}

impl Crossing<'_> {
    /// Linear along the edge: where both ends agree, so does the point.
    fn det_sign(&self, u: Vector<'_>, v: Vector<'_>, origin: Posed<'_>) -> Sign {
        let at_from = det_sign(u, v, Vector::Between(origin, self.from));
        let at_to = det_sign(u, v, Vector::Between(origin, self.to));
        match (at_from, at_to) {
            (Sign::Zero, sign) | (sign, Sign::Zero) => sign,
            (from, to) if from == to => from,
            _ => float_sign((self.rounded, self.error), u, v, origin)
                .unwrap_or_else(|| self.exact_sign(u, v, origin)),
        }
    }

    #[cold]
    #[inline(never)]
    fn exact_sign(&self, u: Vector<'_>, v: Vector<'_>, origin: Posed<'_>) -> Sign {
        let normal = BigVector::from(u).cross(&BigVector::from(v));
        let start = normal.dot(&BigVector::from(Vector::Between(origin, self.from)));
        let rise = normal.dot(&BigVector::from(Vector::Between(self.from, self.to)));
        start.times(&self.denominator).compare(&rise.times(&self.numerator).negated())
    }
}

/// The sign of `det[u, v, point - origin]` for a point given in floats and a bound of the error of each coordinate.
///
/// The determinant of three vectors that err by `6u` of their sizes errs by `138u`, and by six times the error of the point
/// times the other sizes.
fn float_sign(
    (point, point_error): (DVec3, f64),
    u: Vector<'_>,
    v: Vector<'_>,
    origin: Posed<'_>,
) -> Option<Sign> {
    let at = origin.pose.apply(origin.point);
    let value = u.rounded().cross(v.rounded()).dot(point - at);
    let reach = (point.abs() + origin.point.abs() + origin.pose.translation().abs()).element_sum();
    let sizes = [u, v].map(vector_size);
    let error = sizes[0] * sizes[1] * (200.0 * UNIT_ROUNDOFF * reach + 8.0 * point_error);
    // Far from underflow and overflow, as in the filters of `exact`.
    let is_trusted = sizes[0].min(sizes[1]) > SMALLEST_SIZE && error > 1e-250 && error < 1e250;
    (is_trusted && value.abs() > error).then_some(if value > 0.0 { Sign::Positive } else { Sign::Negative })
}
