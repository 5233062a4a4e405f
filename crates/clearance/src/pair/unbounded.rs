//! Half-spaces and planes against everything: along the normal all is one-dimensional, and exact.
//!
//! With the heights over the boundary of A as coordinate, a half-space is `(-inf, 0]`, a plane `[0, 0]`, a polytope the
//! interval of its vertices' heights. `M = B - A` is a slab or a half-space across the normal, and a ball of radius `r`
//! makes it wider by `r` on both sides: the relation is where zero lies in that interval. Ends that come from cylinders,
//! cones and ellipsoids have square roots in them; their signs are exact, too.

use super::convex::{Bracket, ConvexAnswer, ConvexRelation};
use super::curved::Curved;
use super::relation::Relation;
use crate::exact::{Clearing, Height, Posed, PosedPlane, Sign};
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use crate::shape::{HalfSpace, Plane};
use crate::support::SupportMap;
use glam::DVec3;

/// A body without bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unbounded {
    HalfSpace(HalfSpace),
    Plane(Plane),
}

impl Unbounded {
    fn posed(&self, pose: &Pose) -> PosedPlane {
        match self {
            Unbounded::HalfSpace(body) => PosedPlane::new(body.normal(), body.offset(), pose),
            Unbounded::Plane(body) => PosedPlane::new(body.normal(), body.offset(), pose),
        }
    }
}

/// The interval of `M` along the normal of `plane`, before rounding; an end that is missing is infinite.
struct Interval {
    plane: PosedPlane,
    low: Option<Height>,
    high: Option<Height>,
}

/// A half-space or plane A against a polytope B, `radii` to be added in all and `rounding` that of A and of B.
pub(super) fn against_polytope(
    a: &Unbounded,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    radii: &[f64],
    rounding: [f64; 2],
) -> ConvexAnswer {
    let plane = a.posed(pose_a);
    let normal = plane.unit_normal();
    let (low, bottom) = lowest(&plane, normal, b, pose_b);
    let (high, top) = match a {
        Unbounded::HalfSpace(_) => (None, bottom),
        Unbounded::Plane(_) => {
            let (high, top) = highest(&plane, normal, b, pose_b);
            (Some(high), top)
        }
    };
    let interval = Interval { plane, low: Some(low), high };
    let (answer, side) = interval.answer(radii);
    // The vertex that is nearest, or deepest on the shorter way out; its foot on the plane is the other point.
    let vertex = if side.is_negative() { top } else { bottom };
    let towards_b = if side.is_negative() { -normal } else { normal };
    let point = pose_b.apply(vertex.point);
    let height = interval.rounded_height(vertex);
    let foot = point - height * normal;
    let points = Some([foot + rounding[0] * towards_b, point - rounding[1] * towards_b]);
    ConvexAnswer { points, normal: Some(towards_b), ..answer }
}

/// A half-space or plane A against a cylinder, cone or ellipsoid B, with balls of these radii around; `None` for others.
pub(super) fn against_curved(
    a: &Unbounded,
    pose_a: &Pose,
    b: &Curved,
    pose_b: &Pose,
    radii: [[f64; 2]; 2],
) -> Option<ConvexAnswer> {
    let plane = a.posed(pose_a);
    let (parts, all) = (b.ellipsoids(), radii.as_flattened());
    let above = Gap::of_hull(&plane, &parts, pose_b, all)?;
    let below = match a {
        Unbounded::HalfSpace(_) => None,
        Unbounded::Plane(_) => Gap::of_hull(&plane.flipped(), &parts, pose_b, all),
    };
    let is_below = below.is_some_and(|below| below.lower > above.lower);
    let gap = below.map_or(above, |below| above.larger(below));
    let normal = plane.unit_normal();
    let towards_b = if is_below { -normal } else { normal };
    let nearest = b.support(pose_b.rotation().transpose() * -towards_b)?.point;
    let (low, high) = plane.above(&plane.height(pose_b.at(nearest)), &[]).bracket();
    let point = pose_b.apply(nearest);
    let foot = point - (0.5 * low + 0.5 * high) * normal;
    let [round_a, round_b] = radii.map(|radii| (radii[0] + radii[1]) * towards_b);
    let points = Some([foot + round_a, point - round_b]);
    Some(ConvexAnswer { points, normal: Some(towards_b), ..gap.answer() })
}

/// Two bodies without bounds: they overlap unless their borders are exactly parallel.
pub(super) fn against_unbounded(
    a: &Unbounded,
    pose_a: &Pose,
    b: &Unbounded,
    pose_b: &Pose,
    radii: &[f64],
) -> ConvexAnswer {
    let plane = a.posed(pose_a);
    let Some((height, same)) = plane.height_of_plane(&b.posed(pose_b)) else {
        return crossing();
    };
    // B in heights: a plane is [h, h], a half-space (-inf, h] or [h, inf). A is (-inf, 0] or [0, 0].
    let half_a = matches!(a, Unbounded::HalfSpace(_));
    let (below_b, above_b) = match b {
        Unbounded::Plane(_) => (false, false),
        Unbounded::HalfSpace(_) => (same.is_positive(), !same.is_positive()),
    };
    let low = (!below_b).then(|| height.clone());
    let high = (!above_b && !half_a).then_some(height);
    let interval = Interval { plane, low, high };
    if interval.low.is_none() && interval.high.is_none() {
        return crossing();
    }
    let (answer, side) = interval.answer(radii);
    let normal = interval.plane.unit_normal();
    ConvexAnswer { normal: Some(if side.is_negative() { -normal } else { normal }), ..answer }
}

/// No translation separates the bodies.
fn crossing() -> ConvexAnswer {
    ConvexAnswer {
        relation: ConvexRelation::Exact(Relation::Overlapping),
        distance: Bracket::ZERO,
        points: None,
        normal: None,
        depth: None,
        witness: None,
    }
}

impl Interval {
    /// The answer without points, and on which side of A's border B lies or should go.
    fn answer(&self, radii: &[f64]) -> (ConvexAnswer, Sign) {
        // Gaps: how far M lies above zero, and below; the larger one counts.
        let plane = &self.plane;
        let above = self.low.clone();
        let below = self.high.clone().map(|height| -height);
        let (gap, side) = match (above, below) {
            (Some(above), Some(below)) if below > above => (below, Sign::Negative),
            (Some(above), _) => (above, Sign::Positive),
            (None, Some(below)) => (below, Sign::Negative),
            (None, None) => return (crossing(), Sign::Positive),
        };
        (Gap::from(plane.above(&gap, radii)).answer(), side)
    }

    fn rounded_height(&self, point: Posed<'_>) -> f64 {
        let (low, high) = self.plane.above(&self.plane.height(point), &[]).bracket();
        0.5 * low + 0.5 * high
    }
}

/// How far apart two bodies are along the normal, negative if they overlap: the exact sign and floats around it.
#[derive(Clone, Copy, Debug)]
struct Gap {
    sign: Sign,
    lower: f64,
    upper: f64,
}

impl Gap {
    /// How far the hull of some ellipsoids lies above the plane: the least over all of them.
    fn of_hull(plane: &PosedPlane, parts: &[[DVec3; 2]], pose: &Pose, radii: &[f64]) -> Option<Gap> {
        let gaps = parts
            .iter()
            .map(|&[centre, semi_axes]| Gap::from(plane.clearing(centre, semi_axes, pose, radii)));
        gaps.reduce(|a, b| Gap {
            sign: a.sign.min(b.sign),
            lower: a.lower.min(b.lower),
            upper: a.upper.min(b.upper),
        })
    }

    fn larger(self, other: Gap) -> Gap {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.max(other.upper));
        Gap { sign: self.sign.max(other.sign), lower, upper }
    }

    /// The answer without points.
    fn answer(&self) -> ConvexAnswer {
        let Gap { sign, lower, upper } = *self;
        let (relation, distance, depth) = match sign {
            Sign::Positive => (Relation::Disjoint, Bracket { lower, upper }, None),
            Sign::Zero => (Relation::Touching, Bracket::ZERO, None),
            Sign::Negative => {
                (Relation::Overlapping, Bracket::ZERO, Some(Bracket { lower: -upper, upper: -lower }))
            }
        };
        ConvexAnswer { relation: ConvexRelation::Exact(relation), distance, depth, ..crossing() }
    }
}

impl From<Clearing> for Gap {
    fn from(clearing: Clearing) -> Gap {
        let (lower, upper) = clearing.bracket();
        Gap { sign: clearing.sign(), lower, upper }
    }
}

/// The lowest vertex and its exact height.
fn lowest<'p>(plane: &PosedPlane, normal: DVec3, body: &SupportMap, pose: &'p Pose) -> (Height, Posed<'p>) {
    let vertices = body.polytope().vertices();
    let along = pose.rotation().transpose() * normal;
    // The direction errs by 6u, turned by 22u an entry, the product by 3u: heights compare rightly beyond 50u reach.
    let slack = 128.0 * UNIT_ROUNDOFF * body.reach();
    let least = vertices.iter().map(|v| along.dot(*v)).fold(f64::INFINITY, f64::min);
    let near = vertices.iter().filter(|v| along.dot(**v) <= least + slack).map(|&v| pose.at(v));
    let heights = near.map(|point| (plane.height(point), point));
    let best = heights.reduce(|best, next| if next.0 < best.0 { next } else { best });
    best.unwrap_or_else(|| {
        let first = pose.at(vertices[0]);
        (plane.height(first), first)
    })
}

/// The highest vertex and its exact height.
fn highest<'p>(plane: &PosedPlane, normal: DVec3, body: &SupportMap, pose: &'p Pose) -> (Height, Posed<'p>) {
    let (height, point) = lowest(&plane.flipped(), -normal, body, pose);
    (-height, point)
}
