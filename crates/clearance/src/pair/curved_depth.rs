//! How far curved bodies overlap: the least height of `A - B`, along unit directions.
//!
//! Bodies that turn about parallel axes have a circle of shortest ways out, or nearly so: [`super::revolved`] takes circles of directions
//! at once. All others go to cells of directions in space ([`super::cells`]).

use super::cells::{Least, Sample, in_space};
use super::curved::{Curved, Inner, gap_lower_bound};
use super::penetration::RELATIVE_WIDTH;
use super::revolved;
use crate::math::round::UNIT_ROUNDOFF;
use crate::shape::SupportPoint;
use crate::shape::primitive::support::support_of_points;
use glam::{DVec2, DVec3};

/// Directions that are looked at: a few hundred are enough but where a whole circle of them is nearly as short, some ten milliseconds.
const MOST_SAMPLES: usize = 20_000;

/// How far directions around one are from it: extreme points along them are those of the face that is highest there.
const BESIDE: f64 = 1e-7;

/// The least height, of bodies that overlap.
pub(super) fn least(a: &Inner<'_>, b: &Inner<'_>) -> Least {
    let upper = |direction: DVec3| -gap_lower_bound(a, b, direction).0;
    let turning = revolved::least([a.body, b.body], [a.pose, b.pose], &upper);
    if let Some(found) = turning
        && found.upper - found.lower <= RELATIVE_WIDTH * found.upper
    {
        return found;
    }
    let offset = a.pose.translation() - b.pose.translation();
    let reach = a.body.reach() + b.body.reach() + offset.abs().element_sum();
    let look = |direction: DVec3| {
        let ([point_a, point_b], error) = supports(a, b, direction);
        // Turned and taken from each other, points err by `8u` of the reach, the offset by `u`.
        let (point, error) = (point_a - point_b + offset, error + 16.0 * UNIT_ROUNDOFF * reach);
        Sample { direction, point, error, upper: upper(direction) }
    };
    let found = in_space(&look, reach, MOST_SAMPLES);
    let Some(turning) = turning else { return found };
    let best = if turning.upper < found.upper { turning } else { found };
    Least { lower: found.lower.max(turning.lower), ..best }
}

/// The highest point of A and the lowest of B, both from where their poses take zero, and how far they are from them at most.
fn supports(a: &Inner<'_>, b: &Inner<'_>, direction: DVec3) -> ([DVec3; 2], f64) {
    let highest = |body: &Inner<'_>, direction: DVec3| {
        let turned = body.turned(direction);
        let SupportPoint { point, error } = match body.body {
            Curved::Polytope(polytope) => {
                support_of_points(polytope.vertices()[0], &polytope.vertices()[1..], turned)
            }
            Curved::Primitive(primitive) => {
                primitive.support(turned).unwrap_or(SupportPoint { point: DVec3::ZERO, error: f64::INFINITY })
            }
        };
        // A rotation may stretch by its defect, 1e-9 at most.
        (body.pose.rotation() * point, error * (1.0 + 1e-6))
    };
    let ((point_a, error_a), (point_b, error_b)) = (highest(a, direction), highest(b, -direction));
    ([point_a, point_b], error_a + error_b)
}

/// A point of each body deepest in the other along a direction, one straight above the other where faces leave a choice.
pub(super) fn deepest(a: &Inner<'_>, b: &Inner<'_>, direction: DVec3) -> [DVec3; 2] {
    let (x, y) = direction.any_orthonormal_pair();
    let offset = a.pose.translation() - b.pose.translation();
    let around = [
        (0.0, 0.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (-1.0, 1.0),
        (-1.0, 0.0),
        (-1.0, -1.0),
        (0.0, -1.0),
        (1.0, -1.0),
    ];
    let pairs = around.map(|(u, v)| supports(a, b, direction + (x * u + y * v) * BESIDE).0);
    let beside = pairs.map(|[p, q]| {
        let apart = p - q + offset;
        DVec2::new(apart.dot(x), apart.dot(y))
    });
    let weights = nearest_mixture(&beside);
    let mean = |side: usize| weights.iter().map(|&(i, weight)| pairs[i][side] * weight).sum::<DVec3>();
    [mean(0) + a.pose.translation(), mean(1) + b.pose.translation()]
}

/// Weights of the points of the plane whose mixture is nearest to zero: of a triangle around it, or of an edge.
///
/// The mixture itself is looked at: points on a line through zero have triangles that rounding alone puts around it.
fn nearest_mixture(points: &[DVec2; 9]) -> [(usize, f64); 3] {
    let pairs = || (0..points.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let edges = pairs().map(|(i, j)| {
        let edge = points[j] - points[i];
        let share = (-points[i].dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        [(i, 1.0 - share), (j, share), (j, 0.0)]
    });
    let triangles = pairs().flat_map(|(i, j)| (0..j).map(move |k| [i, j, k])).filter_map(|corners| {
        let [p, q, r] = corners.map(|i| points[i]);
        let weights = DVec3::new(q.perp_dot(r), r.perp_dot(p), p.perp_dot(q));
        let shares = weights / weights.element_sum();
        let is_mixture = shares.is_finite() && shares.min_element() >= 0.0;
        is_mixture.then(|| [(corners[0], shares.x), (corners[1], shares.y), (corners[2], shares.z)])
    });
    let beside = |mixture: &[(usize, f64); 3]| {
        mixture.iter().map(|&(i, weight)| points[i] * weight).sum::<DVec2>().length_squared()
    };
    let nearest = edges.chain(triangles).min_by(|p, q| beside(p).total_cmp(&beside(q)));
    nearest.unwrap_or([(0, 1.0), (0, 0.0), (0, 0.0)])
}
