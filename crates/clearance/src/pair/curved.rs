//! Cylinders, cones and ellipsoids, which have a support function and nothing else.
//!
//! Each body is approximated from inside by the hull of extreme points. The closest points of two such hulls, or the way out
//! of an overlap, give a direction; extreme points along it are added to the hulls, until the bracket is narrow or does not
//! get narrower. That is Gilbert's algorithm with all points kept. Balls around the bodies are taken off at the end. Depths that some
//! rounds leave wide, because bodies are long or many directions are equally short, are narrowed by [`super::curved_depth`].
//!
//! Every bound holds whatever the search does: hulls lie within the stated error of the supports inside the bodies, which
//! bounds the distance from above and the depth from below; extents along any direction bound the other ends.

use super::convex::{Bracket, ConvexAnswer, ConvexRelation, best_distance, radius_bracket, sub_down, sub_up};
use super::curved_depth;
use super::normal::{normal_between, rounded_direction, size_of};
use super::penetration;
use super::penetration::RELATIVE_WIDTH as DEPTH_WIDTH;
use super::relation::{Relation, Witness, relation_with_witness};
use super::revolved::defect;
use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, add_up, norm_up};
use crate::shape::primitive::support::extent_of_points;
use crate::shape::{Polytope, Primitive, SupportPoint};
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// Rounds without a narrower bracket after which rounding is to blame; what was proved until then is the answer.
const PATIENCE: usize = 12;

/// Relative width at which a bracket is narrow enough.
const RELATIVE_WIDTH: f64 = 1e-12;

/// Rounds for an overlap: where it has not become narrow by then, cells of directions are the better way.
const OVERLAP_ROUNDS: usize = 16;

/// A bounded body without a ball around it.
#[derive(Clone, Debug)]
pub(super) enum Curved {
    /// A cylinder, cone or ellipsoid.
    Primitive(Primitive),
    /// For its partner's sake.
    Polytope(Polytope),
}

impl Curved {
    /// A cylinder, cone or ellipsoid as the hull of ellipsoids, each by its centre and semi-axes, some of them flat; none
    /// for other bodies.
    pub fn ellipsoids(&self) -> Vec<[DVec3; 2]> {
        let disc =
            |height: f64, radius: f64| [DVec3::new(0.0, 0.0, 0.5 * height), DVec3::new(radius, radius, 0.0)];
        match self {
            Curved::Primitive(Primitive::Ellipsoid(body)) => vec![[DVec3::ZERO, body.semi_axes()]],
            Curved::Primitive(Primitive::Cylinder(body)) => {
                vec![disc(body.height(), body.radius()), disc(-body.height(), body.radius())]
            }
            Curved::Primitive(Primitive::Cone(body)) => {
                vec![disc(body.height(), 0.0), disc(-body.height(), body.radius())]
            }
            Curved::Primitive(_) | Curved::Polytope(_) => Vec::new(),
        }
    }

    /// The radius of an ellipsoid with three equal semi-axes.
    fn ball_radius(&self) -> Option<f64> {
        let Curved::Primitive(Primitive::Ellipsoid(body)) = self else { return None };
        let semi_axes = body.semi_axes();
        (semi_axes == DVec3::splat(semi_axes.x)).then_some(semi_axes.x)
    }

    /// `None` for a polytope, all vertices of which are known.
    pub fn support(&self, direction: DVec3) -> Option<SupportPoint> {
        match self {
            Curved::Primitive(body) => body.support(direction),
            Curved::Polytope(_) => None,
        }
    }

    fn extent(&self, direction: DVec3) -> f64 {
        match self {
            Curved::Primitive(body) => body.extent(direction),
            Curved::Polytope(body) => extent_of_points(body.vertices(), direction),
        }
    }

    /// Never below `max d . x` over the posed body, less the translation's part. The direction turned into the body's
    /// frame errs by `4u |d|_1` in each entry.
    pub fn posed_extent(&self, pose: &Pose, direction: DVec3) -> f64 {
        let slack = 8.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * self.reach();
        add_up(self.extent(pose.rotation().transpose() * direction), slack)
    }

    /// Never below `|x|_1` of a point of the body.
    pub fn reach(&self) -> f64 {
        let bounds = match self {
            Curved::Primitive(body) => body.bounds(),
            Curved::Polytope(body) => Some(body.bounds()),
        };
        bounds.map_or(f64::INFINITY, |bounds| 1.01 * bounds.min.abs().max(bounds.max.abs()).element_sum())
    }
}

/// A body and the hull inside it.
pub(super) struct Inner<'a> {
    pub body: &'a Curved,
    pub pose: &'a Pose,
    points: Vec<DVec3>,
    /// No point is farther from the body.
    error: f64,
}

impl<'a> Inner<'a> {
    fn new(body: &'a Curved, pose: &'a Pose) -> Inner<'a> {
        let mut inner = Inner { body, pose, points: Vec::new(), error: 0.0 };
        match body {
            Curved::Polytope(polytope) => inner.points = polytope.vertices().to_vec(),
            _ => DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).for_each(|axis| {
                inner.add(pose.rotation() * axis);
            }),
        }
        inner
    }

    /// Adds the extreme point along a direction of the world; false if it was there or is none.
    fn add(&mut self, direction: DVec3) -> bool {
        let Some(found) = self.body.support(self.turned(direction)) else { return false };
        // A rotation may stretch by its defect, 1e-9 at most.
        self.error = self.error.max(found.error * (1.0 + 1e-6));
        let is_new = !self.points.contains(&found.point);
        if is_new {
            self.points.push(found.point);
        }
        is_new
    }

    pub fn turned(&self, direction: DVec3) -> DVec3 {
        self.pose.rotation().transpose() * direction
    }

    fn hull(&self) -> Option<SupportMap> {
        Polytope::hull(&self.points).ok().map(SupportMap::new)
    }

    fn extent(&self, direction: DVec3) -> f64 {
        self.body.posed_extent(self.pose, direction)
    }
}

/// What the search knows: the gap is negative where the bodies overlap.
struct Known {
    /// Never above the gap.
    lower: f64,
    /// Never below the gap.
    upper: f64,
    points: [DVec3; 2],
    normal: DVec3,
}

/// The answer for bodies with balls of these radii around them; `None` only if a hull cannot be built, for coordinates
/// beyond the limits. Ends as soon as they are proved to be farther apart than a limit.
///
/// An ellipsoid with equal semi-axes is taken for a point with a ball around it, as a whole sphere of directions tells one of its own
/// depth. Under its pose it may be no ball: lengths of directions change by the defect of the rotation, and the gap by that part
/// of the radius. What is computed of the defect errs by `9u`.
pub(super) fn relate_curved(
    bodies: [&Curved; 2],
    poses: [&Pose; 2],
    mut radii: [[f64; 2]; 2],
    limit: f64,
) -> Option<ConvexAnswer> {
    let point = Curved::Polytope(Polytope::hull(&[DVec3::ZERO]).ok()?);
    let (mut cores, mut blur) = (bodies, 0.0);
    for side in 0..2 {
        if let Some(radius) = bodies[side].ball_radius() {
            let rotation = poses[side].rotation();
            let is_exact = rotation.to_cols_array().iter().all(|entry| [0.0, 1.0].contains(&entry.abs()));
            (cores[side], radii[side][0]) = (&point, radius);
            blur += if is_exact { 0.0 } else { radius * (defect(&rotation) + 16.0 * UNIT_ROUNDOFF) };
        }
    }
    relate_cores(cores, poses, radii, blur, limit)
}

/// The same; the gap is blurred by so much.
fn relate_cores(
    [a, b]: [&Curved; 2],
    [pose_a, pose_b]: [&Pose; 2],
    radii: [[f64; 2]; 2],
    blur: f64,
    limit: f64,
) -> Option<ConvexAnswer> {
    let (mut inner_a, mut inner_b) = (Inner::new(a, pose_a), Inner::new(b, pose_b));
    let balls = radius_bracket(radii.as_flattened());
    let mut best: Option<Known> = None;
    let (mut stalled, mut overlaps) = (0, 0);
    while stalled < PATIENCE && overlaps < OVERLAP_ROUNDS {
        let found = look(&inner_a, &inner_b)?;
        let direction = found.normal;
        let (lower, floor) = gap_lower_bound(&inner_a, &inner_b, direction);
        let (known, progress) = match best {
            Some(before) => {
                let width = before.upper - before.lower;
                let (lower, upper) = (before.lower.max(lower), before.upper.min(found.upper));
                (Known { lower, upper, ..found }, upper - lower < 0.99 * width)
            }
            None => (Known { lower, ..found }, true),
        };
        stalled = if progress { 0 } else { stalled + 1 };
        overlaps += usize::from(known.upper < 0.0);
        let wanted = (RELATIVE_WIDTH * (known.upper - balls[1]).abs()).max(floor);
        let is_enough =
            known.upper - known.lower <= wanted || sub_down(known.lower, add_up(balls[1], blur)) > limit;
        let is_new = inner_a.add(direction) | inner_b.add(-direction);
        best = Some(known);
        if is_enough || !is_new {
            break;
        }
    }
    let known = best.map(|known| narrowed(&inner_a, &inner_b, known));
    let Known { lower, upper, points: [p, q], normal } = known?;
    let points = [p + (radii[0][0] + radii[0][1]) * normal, q - (radii[1][0] + radii[1][1]) * normal];
    let (lower, upper) = (sub_down(lower, add_up(balls[1], blur)), add_up(sub_up(upper, balls[0]), blur));
    Some(answer(&Known { lower, upper, points, normal }))
}

/// Depths that are wide, by cells of directions.
fn narrowed(a: &Inner<'_>, b: &Inner<'_>, known: Known) -> Known {
    if known.upper >= 0.0 || known.upper - known.lower <= DEPTH_WIDTH * -known.upper {
        return known;
    }
    let found = curved_depth::least(a, b);
    let (lower, upper) = (known.lower.max(-found.upper), known.upper.min(-found.lower));
    // Cells that were looked at in vain may have no direction as good.
    if -found.upper < lower * (1.0 + DEPTH_WIDTH) {
        return Known { lower, upper, ..known };
    }
    let normal = found.direction;
    Known { lower, upper, points: curved_depth::deepest(a, b, normal), normal }
}

/// The closest points of the inner hulls, or the way out of their overlap; `lower` is left open.
fn look(a: &Inner<'_>, b: &Inner<'_>) -> Option<Known> {
    let (map_a, map_b) = (a.hull()?, b.hull()?);
    let error = add_up(a.error, b.error);
    let found = best_distance(&map_a, a.pose, &map_b, b.pose);
    let overlap = if found.upper > 0.0 { None } else { penetration(&map_a, a.pose, &map_b, b.pose) };
    if let Some(found) = overlap {
        let (points, normal) = ([found.point_a, found.point_b], found.normal);
        return Some(Known { lower: f64::NEG_INFINITY, upper: add_up(-found.lower, error), points, normal });
    }
    let pair = PosedPair { a: map_a.polytope(), pose_a: a.pose, b: map_b.polytope(), pose_b: b.pose };
    let separating = || match relation_with_witness(&map_a, a.pose, &map_b, b.pose) {
        Witness::Touching(separation, _) => rounded_direction(&separation.direction, &pair),
        _ => None,
    };
    let normal = if found.upper > 0.0 {
        normal_between(&pair, size_of([&map_a, &map_b], [a.pose, b.pose]), &found)
            .map(|normal| normal.direction)
    } else {
        separating()
    };
    let centres = b.pose.translation() - a.pose.translation();
    let normal = normal.or(centres.try_normalize()).unwrap_or(DVec3::X);
    let points = [found.point_a, found.point_b];
    Some(Known { lower: f64::NEG_INFINITY, upper: add_up(found.upper, error), points, normal })
}

/// Never above the gap, whichever direction it is asked along: `min d . b - max d . a` over `|d|`. And a width below which
/// brackets are nothing but rounding.
pub(super) fn gap_lower_bound(a: &Inner<'_>, b: &Inner<'_>, direction: DVec3) -> (f64, f64) {
    let (from, to) = (a.pose.translation(), b.pose.translation());
    // Differences and products of the translations: 5u of their sizes.
    let size = direction.abs().element_sum() * (from.abs().element_sum() + to.abs().element_sum());
    let offset = direction.dot(to - from) - 8.0 * UNIT_ROUNDOFF * size;
    let reach = add_up(a.extent(direction), b.extent(-direction));
    let gap = -add_up(reach, -offset);
    // A direction shorter than one would overstate a gap, a longer one an overlap.
    let (short, long) = (norm_up(direction) * (1.0 - 8.0 * UNIT_ROUNDOFF), norm_up(direction));
    let gap = if gap > 0.0 { gap / long } else { gap / short };
    let floor = 16.0 * UNIT_ROUNDOFF * (size + a.body.reach() + b.body.reach()) + a.error + b.error;
    (gap - 2.0 * UNIT_ROUNDOFF * gap.abs(), floor)
}

fn answer(known: &Known) -> ConvexAnswer {
    let Known { lower, upper, points, normal } = *known;
    let apart = Bracket { lower: lower.max(0.0), upper: upper.max(0.0) };
    let deep = Bracket { lower: (-upper).max(0.0), upper: (-lower).max(0.0) };
    let (relation, distance, depth) = if lower > 0.0 {
        (ConvexRelation::Exact(Relation::Disjoint), apart, None)
    } else if upper < 0.0 {
        (ConvexRelation::Exact(Relation::Overlapping), Bracket::ZERO, Some(deep))
    } else {
        (ConvexRelation::TouchingWithin { width: upper.max(-lower) }, apart, Some(deep))
    };
    ConvexAnswer { relation, distance, points: Some(points), normal: Some(normal), depth, witness: None }
}
