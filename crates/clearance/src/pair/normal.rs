//! Directions from A to B, rounded to floats as late as possible.

use super::{Distance, Feature, exact_distance};
use crate::exact::{BigVector, Vector};
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::support::SupportMap;
use crate::witness::{Direction, PosedPair, Side};
use glam::DVec3;

/// No coordinate of two bodies under their poses is larger, nor what it is the sum of, but for a factor of two.
pub(super) fn size_of(maps: [&SupportMap; 2], poses: [&Pose; 2]) -> f64 {
    let places = poses.map(|pose| pose.translation().abs().max_element());
    maps.map(SupportMap::reach).into_iter().chain(places).fold(0.0, f64::max)
}

/// Unit length at any scale; `None` for zero and what is not finite.
pub(super) fn unit(v: DVec3) -> Option<DVec3> {
    // Scaled first: squares of tiny or huge entries leave the range of floats.
    (v / v.abs().max_element()).try_normalize().filter(|_| v.is_finite())
}

/// The direction of a witness as a unit vector of floats; `None` if it is zero.
pub(super) fn rounded_direction(direction: &Direction, pair: &PosedPair<'_>) -> Option<DVec3> {
    let along =
        |side: Side, from, to| BigVector::from(Vector::Between(pair.at(side, from), pair.at(side, to)));
    // Products of edges that are nearly parallel, and of slivers, are rounded once they are known.
    let direction = match *direction {
        Direction::Vector(vector) => return unit(vector),
        Direction::FaceNormal(side, [v0, v1, v2]) => along(side, v0, v1).cross(&along(side, v0, v2)),
        Direction::EdgeCross([a0, a1], [b0, b1]) => along(Side::A, a0, a1).cross(&along(Side::B, b0, b1)),
        Direction::EdgeAxis(side, [v0, v1], axis) => {
            along(side, v0, v1).cross(&Vector::Literal(DVec3::AXES[axis as usize]).into())
        }
        Direction::Difference(a, b) => pair.difference((a, b)).into(),
    };
    direction.direction().try_normalize()
}

/// The direction between the closest points of two disjoint polytopes.
pub(super) struct Normal {
    /// Unit length.
    pub direction: DVec3,
    /// How far the direction between the points may be off by their rounding: where it is not small, `direction` is that of
    /// features that may have been named by rounding.
    pub noise: f64,
}

/// The direction from A to B of two disjoint polytopes, from the features that are closest where these tell it: the
/// difference of the closest points is nothing but rounding when they are close. `None` if neither has a direction. They are rounded
/// as their vertices are, whose size [`size_of`] is: near the origin they may be small themselves.
pub(super) fn normal_between(pair: &PosedPair<'_>, size: f64, found: &Distance) -> Option<Normal> {
    let along = |side: Side, from: u32, to: u32| {
        BigVector::from(Vector::Between(pair.at(side, from), pair.at(side, to)))
    };
    let (a, b) = (found.feature_a.vertices(), found.feature_b.vertices());
    let across = BigVector::from(pair.difference((a[0], b[0])));
    let face = |side: Side, [v0, v1, v2]: [u32; 3]| along(side, v0, v1).cross(&along(side, v0, v2));
    // The part of a vector that is perpendicular to an edge, times the square of the edge.
    let beside = |edge: BigVector| edge.cross(&across.cross(&edge));
    let noise = 64.0 * UNIT_ROUNDOFF * size / found.upper;
    let rough = unit(found.point_b - found.point_a);
    if let (Some(direction), true) = (rough, noise < FINE) {
        return Some(Normal { direction, noise });
    }
    let normal = match (found.feature_a, found.feature_b) {
        (Feature::Face(corners), _) => face(Side::A, corners),
        (_, Feature::Face(corners)) => face(Side::B, corners),
        (Feature::Edge([a0, a1]), Feature::Edge([b0, b1])) => {
            along(Side::A, a0, a1).cross(&along(Side::B, b0, b1))
        }
        (Feature::Edge([a0, a1]), Feature::Vertex(_)) => beside(along(Side::A, a0, a1)),
        (Feature::Vertex(_), Feature::Edge([b0, b1])) => beside(along(Side::B, b0, b1)),
        (Feature::Vertex(_), Feature::Vertex(_)) => across.clone(),
    };
    let towards_b = if normal.dot(&across).sign().is_negative() { normal.negated() } else { normal };
    let direction = match (rough, towards_b.direction().try_normalize()) {
        // Features are named with rounding in them, too: theirs is taken where it is the same up to the rounding of points.
        (Some(rough), Some(fine)) if rough.distance(fine) > noise => rough,
        (rough, fine) => fine.or(rough)?,
    };
    Some(Normal { direction, noise })
}

/// The direction between the closest points of two disjoint polytopes, by integers where rounding of the points leaves
/// nothing of it: the direction of a proof separates them, too, but bodies with balls around do not get apart along it.
pub(super) fn apart_normal(pair: &PosedPair<'_>, size: f64, found: &Distance) -> Option<DVec3> {
    let between = normal_between(pair, size, found).filter(|normal| normal.noise < COARSE);
    between.map(|normal| normal.direction).or_else(|| {
        let seed = (found.feature_a.vertices()[0], found.feature_b.vertices()[0]);
        exact_distance::nearest(pair, &[seed]).direction.direction().try_normalize()
    })
}

/// Beyond this, the direction of points is too much rounding to trust that of features.
const COARSE: f64 = 0.01;

/// Below this, rounding of points does not matter to a direction.
const FINE: f64 = 1e-12;
