//! Proofs that two convex bodies have met where a plane between them has led to.

use super::advance::{Advance, Moment, Plane, Step, later};
use super::crossing::Crossing;
use super::outcome::ScrewImpact;
use super::plane::{Carried, WIDTH};
use super::pyramid::Below;
use crate::math::Pose;
use crate::pair::{Convex, ConvexError, ConvexRelation, Relation, distance, relate};
use glam::DVec3;

/// How long after the time that is to be expected bodies are looked at for a contact.
const SOON: f64 = 1e-12;

/// Whether bodies have met where a plane has led to.
enum Met {
    /// They share this point.
    At { point: DVec3, normal: DVec3 },
    /// What has come through the plane of a face is beside the face.
    Beside,
    /// Not proved.
    Unknown,
}

/// Whether a plane leads to a contact.
pub(super) enum Meeting {
    /// To this one.
    Proved(ScrewImpact),
    /// What comes to a face first passes beside it.
    Beside,
    /// Not known, or not asked yet.
    Unknown,
}

impl Advance<'_> {
    /// The contact that a plane leads to, if it is so near that the bodies are proved to have met by then.
    pub(super) fn meeting(&self, step: &Step, t: f64, ahead: &mut Moment) -> Meeting {
        let (lower, radii) = (later(t, step.hold.time), self.a.radius + self.b.radius);
        let is_on_features = !matches!(step.plane, Plane::Carried { face: None, .. });
        if lower >= 1.0 || !(is_on_features || radii > 0.0) {
            return Meeting::Unknown;
        }
        // What is left of the time that is to be expected.
        let (rest, is_ending) = (step.hold.estimate - step.hold.time, step.hold.time < WIDTH);
        let soon =
            if step.hold.is_about_to_end() { Some(SOON + 2.0 * rest) } else { is_ending.then_some(SOON) };
        for later in [soon, is_ending.then_some(WIDTH)].into_iter().flatten() {
            let upper = (lower + later).min(1.0);
            if !self.go_to(upper, ahead) {
                break;
            }
            match self.met(step.plane, ahead) {
                Met::At { point, normal } => {
                    // On the same side as before.
                    let normal = if normal.dot(step.direction) < 0.0 { -normal } else { normal };
                    return Meeting::Proved(ScrewImpact { lower, upper, point, normal });
                }
                Met::Beside => return Meeting::Beside,
                Met::Unknown => {}
            }
        }
        Meeting::Unknown
    }

    /// A point that the bodies are proved to share where a plane has led to, and the direction of the plane.
    fn met(&self, plane: Plane, moment: &Moment) -> Met {
        let at = |point: Option<DVec3>, normal: DVec3| {
            point.map_or(Met::Unknown, |point| Met::At { point, normal })
        };
        match plane {
            _ if self.a.radius + self.b.radius > 0.0 => {
                let normal = || self.between_cores(moment).unwrap_or_else(|| self.direction(plane, moment));
                self.rounded_meeting(moment).map_or(Met::Unknown, |point| Met::At { point, normal: normal() })
            }
            Plane::Edges(edges) => {
                let crossing = Crossing::new([&self.a, &self.b], moment.at.each_ref(), edges);
                at(crossing.meets(), crossing.normal.normalize_or_zero())
            }
            Plane::Carried { face: None, .. } => Met::Unknown,
            Plane::Carried { carrier, local, face: Some(face), vertex } => {
                self.vertex_inside(&self.carried(carrier, local, moment), face, vertex)
            }
        }
    }

    /// A vertex that is inside the body of a face, right below it: most often the one that was expected, or another below the plane.
    fn vertex_inside(&self, carried: &Carried<'_, '_>, face: [u32; 3], expected: u32) -> Met {
        let off = carried.other.off(carried.at_other);
        let look = |vertex: u32| {
            let place = carried.other.place(vertex, carried.at_other);
            (carried.carrier.below_face(face, place, off, carried.at_carrier), place)
        };
        let (below, point) = look(expected);
        if below == Below::Inside {
            return Met::At { point, normal: carried.normal };
        }
        let others = carried.below().filter(|&vertex| vertex != expected).map(look);
        match others.filter(|(below, _)| *below == Below::Inside).map(|(_, point)| point).next() {
            Some(point) => Met::At { point, normal: carried.normal },
            None if below == Below::Beside => Met::Beside,
            None => Met::Unknown,
        }
    }

    /// Cores that are nearer than the radii around them.
    fn rounded_meeting(&self, moment: &Moment) -> Option<DVec3> {
        let [at_a, at_b] = &moment.at;
        let found = distance(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        let off = self.a.off(&moment.at[0]) + self.b.off(&moment.at[1]);
        let radii = (self.a.radius + self.b.radius) * (1.0 - 1e-15);
        (found.upper + 1.01 * off < radii).then(|| {
            // On the surface of A, or about there.
            let share = if radii > 0.0 { self.a.radius / radii } else { 0.5 };
            found.point_a + (found.point_b - found.point_a) * share
        })
    }

    /// From the core of A to that of B.
    pub(super) fn between_cores(&self, moment: &Moment) -> Option<DVec3> {
        let [at_a, at_b] = &moment.at;
        let found = distance(self.a.map, &at_a.pose, self.b.map, &at_b.pose);
        (found.point_b - found.point_a).try_normalize()
    }

    /// Whether they overlap by more than rounding of their places may do.
    #[cold]
    #[inline(never)]
    pub(super) fn meets_at(&self, t: f64) -> Result<bool, ConvexError> {
        let mut moment = self.start();
        if !self.go_to(t, &mut moment) {
            return Ok(false);
        }
        let [at_a, at_b] = moment.at;
        let off = self.a.off(&at_a) + self.b.off(&at_b);
        overlap_by(self.a.convex, &at_a.pose, self.b.convex, &at_b.pose, 1.01 * off)
    }
}

/// Whether two bodies overlap by more than a length.
pub(super) fn overlap_by(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    length: f64,
) -> Result<bool, ConvexError> {
    let answer = relate(a, pose_a, b, pose_b)?;
    let is_overlap = answer.relation == ConvexRelation::Exact(Relation::Overlapping);
    Ok(is_overlap && answer.depth.is_some_and(|depth| depth.lower > length))
}
