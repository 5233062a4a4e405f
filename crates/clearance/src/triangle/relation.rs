//! Disjoint, touching or overlapping.

use super::coplanar::Coplanar;
use super::crossing::Crossing;
use super::pair::TrianglePair;
use super::sides::{Seen, Sides, are_zero};
use crate::math::Pose;
use crate::pair::Relation;
use glam::DVec3;

/// How two triangles under two poses lie to each other: exact, whatever the scale.
///
/// They overlap when their insides cross; triangles of one plane, a corner or an edge on the other triangle, and all
/// that meets at the rim only, touch. Flat triangles (segments and points) are decided, too, and slowly.
///
/// Six heights over the planes in floats decide most pairs, two determinants the others; signs within about `1e-14` of
/// zero take integers. Nothing is allocated, unless a triangle is flat.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::Relation, triangle::relation};
/// let floor = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let wall = [DVec3::new(0.25, 0.25, -1.0), DVec3::new(0.25, 0.25, 1.0), DVec3::new(5.0, 5.0, 0.0)];
/// let lifted = Pose::from_translation(DVec3::Z)?;
/// assert_eq!(relation(floor, &Pose::IDENTITY, wall, &Pose::IDENTITY), Relation::Overlapping);
/// assert_eq!(relation(floor, &lifted, wall, &Pose::IDENTITY), Relation::Touching);
/// assert_eq!(relation(floor, &lifted, floor, &Pose::IDENTITY), Relation::Disjoint);
/// # Ok::<(), clearance::math::PoseError>(())
/// ```
#[inline]
pub fn relation(a: [DVec3; 3], pose_a: &Pose, b: [DVec3; 3], pose_b: &Pose) -> Relation {
    let pair = TrianglePair { a, pose_a, b, pose_b };
    let seen = pair.seen();
    match pair.sides(&seen) {
        None => Relation::Disjoint,
        Some(sides) => relation_in_reach(&pair, &seen, &sides),
    }
}

/// Triangles neither of which lies beside the other's plane.
pub(super) enum Meeting<'p, 'a> {
    /// In planes that cross.
    Crossing(Crossing<'p, 'a>),
    /// In one plane.
    Coplanar(Coplanar),
    /// At least one of them flat.
    Flat,
}

impl<'p, 'a> Meeting<'p, 'a> {
    pub fn new(pair: &'p TrianglePair<'a>, seen: &'p Seen, sides: &Sides) -> Meeting<'p, 'a> {
        match (are_zero(sides.a), are_zero(sides.b)) {
            (false, false) => Meeting::Crossing(Crossing::new(pair, seen, sides)),
            (true, true) => Coplanar::new(pair).map_or(Meeting::Flat, Meeting::Coplanar),
            // Over a flat triangle all heights are zero.
            _ => Meeting::Flat,
        }
    }
}

#[inline(never)]
fn relation_in_reach(pair: &TrianglePair<'_>, seen: &Seen, sides: &Sides) -> Relation {
    match Meeting::new(pair, seen, sides) {
        Meeting::Crossing(crossing) => {
            crossing.order().map_or(Relation::Disjoint, |order| crossing.relation(order))
        }
        Meeting::Coplanar(coplanar) if coplanar.are_disjoint() => Relation::Disjoint,
        Meeting::Coplanar(_) => Relation::Touching,
        Meeting::Flat => pair.relation_of_any_points(),
    }
}
