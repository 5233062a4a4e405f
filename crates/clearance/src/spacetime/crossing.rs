//! The proof that the line of motion enters `M = B - A` through a facet, in floats: what [`super::facet`] does with exact
//! signs, for the common case in which no sign is close to zero.

use super::facet::Span;
use super::translation::Translation;
use crate::exact::Approximation;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::witness::{PosedPair, Side};
use glam::DVec3;

/// A determinant of three vectors errs by this times their sizes, as in [`crate::exact::det_sign`].
///
/// The same holds for the product of an edge `v` of a body with `n = e x f` turned into the frame of the body, with sizes
/// `s` of `e` and `f` and `|v|_1`: a coordinate of `n` errs by `27u s_e s_f`, which three coordinates of the turned edge
/// multiply; `n` itself is at most `2.1 s_e s_f` in size, turned `3.7 s_e s_f`, and that errs by `12u s_e s_f` in a
/// coordinate; rounding `v` and the product add `4u` and `12u`: below `110u` in all, and two `u` for the bound itself.
const ERROR: f64 = 152.0 * UNIT_ROUNDOFF;

/// Products of three sizes above this have lost nothing to underflow.
const SMALLEST_SIZE: f64 = power_of_two(-300);

/// Values are at most `2^53` times their error, so below this nothing overflowed.
const LARGEST_ERROR: f64 = power_of_two(900);

/// Where the line of motion passes through the plane of three vertices of `M`.
pub(super) struct Crossing {
    /// From A to B, against the motion; any length.
    pub normal: DVec3,
    /// `area` times this is the size of the determinants with the normal.
    area: f64,
    height: Measured,
    slope: Measured,
    /// How much of each vertex the point on the line is made of, up to a common factor.
    pub weights: [Measured; 3],
}

/// A number and how much it may err.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub value: f64,
    error: f64,
}

impl Measured {
    fn is_positive(&self) -> bool {
        self.value > self.error
    }

    fn is_negative(&self) -> bool {
        self.value < -self.error
    }
}

/// As `Vector::approximate` of one pose.
#[inline(always)]
fn edge(pair: &PosedPair<'_>, (side, from, to): (Side, u32, u32)) -> Approximation {
    let (polytope, pose) = match side {
        Side::A => (pair.a, pair.pose_a),
        Side::B => (pair.b, pair.pose_b),
    };
    let along = polytope.vertices()[to as usize] - polytope.vertices()[from as usize];
    Approximation { value: pose.apply_vector(along), size: along.abs().element_sum() }
}

/// As `Vector::approximate` of two poses.
#[inline(always)]
fn difference(pair: &PosedPair<'_>, vertices: (u32, u32)) -> Approximation {
    let (from, to) = (pair.a.vertices()[vertices.0 as usize], pair.b.vertices()[vertices.1 as usize]);
    let value = pair.pose_b.apply(to) - pair.pose_a.apply(from);
    let shifts = pair.pose_a.translation().abs() + pair.pose_b.translation().abs();
    Approximation { value, size: (from.abs() + to.abs() + shifts).element_sum() }
}

impl Crossing {
    /// `None` where the plane is along the motion so far as floats can tell.
    #[inline]
    pub fn new(
        bodies: &PosedPair<'_>,
        motion: &Translation,
        pairs: [(u32, u32); 3],
        span: &Span,
    ) -> Option<Crossing> {
        let ([e, f], w) = (span.edges.map(|it| edge(bodies, it)), motion.approximate_velocity());
        let [p, q, r] = pairs.map(|pair| difference(bodies, pair));
        let (normal, area) = (e.value.cross(f.value), e.size * f.size);
        let slope = normal.dot(w.value);
        let normal = if slope > 0.0 { -normal } else { normal };
        let slope = Measured { value: slope.abs(), error: ERROR * area * w.size };
        let height = Measured { value: normal.dot(p.value), error: ERROR * area * p.size };
        let weight = |x: Approximation, y: Approximation| Measured {
            value: x.value.cross(y.value).dot(w.value),
            error: ERROR * x.size * y.size * w.size,
        };
        let weights = [weight(q, r), weight(r, p), weight(p, q)];
        let sizes = [e, f, w, p, q, r].map(|v| v.size);
        let (least, most) = sizes.iter().fold((f64::MAX, 0.0), |(l, m), &s| (s.min(l), s.max(m)));
        let is_sound = least > SMALLEST_SIZE && ERROR * most * most * most < LARGEST_ERROR;
        (is_sound && slope.is_positive()).then_some(Crossing { normal, area, height, slope, weights })
    }

    /// Whether floats prove that the line enters `M` here, after the start.
    #[inline]
    pub fn is_proved(&self, bodies: &PosedPair<'_>, span: &Span) -> bool {
        let same_side =
            self.weights.iter().all(Measured::is_positive) || self.weights.iter().all(Measured::is_negative);
        same_side
            && self.height.is_positive()
            && self.supports(bodies, Side::A, &span.known[0])
            && self.supports(bodies, Side::B, &span.known[1])
    }

    /// Whether every neighbour of the first vertex lies on the body's side of the plane.
    #[inline]
    fn supports(&self, bodies: &PosedPair<'_>, side: Side, known: &[u32; 3]) -> bool {
        let (polytope, pose, outward) = match side {
            Side::A => (bodies.a, bodies.pose_a, self.normal),
            Side::B => (bodies.b, bodies.pose_b, -self.normal),
        };
        let (outward, slack) = (pose.turn_back(outward), ERROR * self.area);
        let (vertices, at) = (polytope.vertices(), known[0] as usize);
        let is_below = |&to: &u32| {
            let edge = vertices[to as usize] - vertices[at];
            outward.dot(edge) < -slack * edge.abs().element_sum() || known.contains(&to)
        };
        polytope.neighbours(at).iter().all(is_below)
    }

    /// Floats around `s`; the quotient and its bounds err by `8u` relative.
    #[inline]
    pub fn bracket(&self) -> (f64, f64) {
        let Crossing { height, slope, .. } = self;
        let lower = (height.value - height.error) / (slope.value + slope.error) * (1.0 - 8.0 * UNIT_ROUNDOFF);
        let upper = (height.value + height.error) / (slope.value - slope.error) * (1.0 + 8.0 * UNIT_ROUNDOFF);
        (lower.max(0.0), upper)
    }
}
