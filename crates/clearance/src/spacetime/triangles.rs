//! Two translating triangles, exactly.

use super::contact::{Contact, Meeting};
use super::integer::unit;
use super::passage::{Moving, Passage};
use super::translation::Translation;
use crate::exact::Vector;
use crate::math::Pose;
use crate::pair::{Feature, Relation, relation_with_witness};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use dashu::rational::RBig;
use glam::DVec3;

/// Two triangles of bodies in motion, as polytopes.
pub(super) struct TriangleQuery<'a> {
    a: Polytope,
    pose_a: &'a Pose,
    b: Polytope,
    pose_b: &'a Pose,
    motion: &'a Translation,
}

/// For how long two triangles share a point, whether before the start of the motion or not.
pub(super) struct Stay {
    pub from: RBig,
    pub to: RBig,
    /// Whether they overlap at all times strictly in between; else at none.
    pub crosses: bool,
}

impl Stay {
    /// Whether they overlap right after a time.
    pub fn crosses_after(&self, s: &RBig) -> bool {
        self.crosses && self.from <= *s && *s < self.to
    }
}

impl<'a> TriangleQuery<'a> {
    /// From corners of a valid mesh: finite and not on a line.
    pub fn new(
        (a, pose_a): ([DVec3; 3], &'a Pose),
        (b, pose_b): ([DVec3; 3], &'a Pose),
        motion: &'a Translation,
    ) -> TriangleQuery<'a> {
        let hull = |corners: [DVec3; 3]| match Polytope::hull(&corners) {
            Ok(hull) => hull,
            Err(_) => unreachable!("vertices of a mesh are finite and not too large"),
        };
        TriangleQuery { a: hull(a), pose_a, b: hull(b), pose_b, motion }
    }

    fn pair(&self) -> PosedPair<'_> {
        PosedPair { a: &self.a, pose_a: self.pose_a, b: &self.b, pose_b: self.pose_b }
    }

    fn moving(&self) -> Moving<'_> {
        Moving { pair: self.pair(), velocity: self.motion.relative_velocity() }
    }

    /// The least `s >= 0` at which they meet, and the direction from A to B then, rounded; the end of the motion is not
    /// looked at.
    pub fn first(&self) -> Option<(RBig, DVec3)> {
        if self.motion.relative_velocity().is_zero() {
            let normal = || {
                self.supporting(self.motion.relative_velocity()).map_or(DVec3::ZERO, |found| unit(&found.0))
            };
            return self.meet_at_start().then(|| (RBig::ZERO, normal()));
        }
        match self.moving().passage(&[]) {
            Passage::Beside(_) => None,
            Passage::Enters { s, proof } if s >= RBig::ZERO => Some((s, unit(&proof.direction))),
            Passage::Enters { proof, .. } => {
                self.meet_at_start().then(|| (RBig::ZERO, unit(&proof.direction)))
            }
        }
    }

    /// When they begin to meet, when they end to, and whether they cross in between.
    pub fn stay(&self) -> Option<Stay> {
        let moving = self.moving();
        match (moving.passage(&[]), moving.reversed().passage(&[])) {
            (Passage::Enters { s: from, proof }, Passage::Enters { s: to, .. }) => {
                Some(Stay { from, to: -to, crosses: moving.meets_inside(&proof) })
            }
            _ => None,
        }
    }

    fn meet_at_start(&self) -> bool {
        self.at_start() != Relation::Disjoint
    }

    fn at_start(&self) -> Relation {
        let (a, b) = (SupportMap::new(self.a.clone()), SupportMap::new(self.b.clone()));
        relation_with_witness(&a, self.pose_a, &b, self.pose_b).relation()
    }

    /// The contacts at a time `s` at which they meet and do not before, or touch at the start; features by the names of
    /// the corners.
    pub fn contacts(&self, s: &RBig, names: [&[u32; 3]; 2]) -> Vec<Contact> {
        let velocities = [self.motion.velocity_a(), self.motion.velocity_b()];
        let velocity = self.motion.relative_velocity();
        let Some((direction, lowest)) = self.supporting(velocity) else { return Vec::new() };
        let meeting = Meeting { pair: self.pair(), velocity, velocities, s: s.clone(), direction, lowest };
        let named = |polytope: &Polytope, names: &[u32; 3], feature: Feature| {
            let name = |vertex: u32| names[polytope.original_index(vertex as usize)];
            match feature {
                Feature::Vertex(v) => Feature::Vertex(name(v)),
                Feature::Edge(ends) => {
                    let [v, w] = ends.map(name);
                    Feature::Edge([v.min(w), v.max(w)])
                }
                Feature::Face(corners) => {
                    let mut corners = corners.map(name);
                    corners.sort_unstable();
                    Feature::Face(corners)
                }
            }
        };
        let renamed = |contact: Contact| Contact {
            feature_a: named(&self.a, names[0], contact.feature_a),
            feature_b: named(&self.b, names[1], contact.feature_b),
            ..contact
        };
        meeting.contacts().into_iter().map(renamed).collect()
    }

    /// A direction along which B lies above A at the first contact.
    fn supporting(&self, velocity: Vector<'_>) -> Option<(super::integer::Integer3, (u32, u32))> {
        if !velocity.is_zero()
            && let Passage::Enters { s, proof } = self.moving().passage(&[])
            && s >= RBig::ZERO
        {
            return Some((proof.direction, proof.lowest));
        }
        let (a, b) = (SupportMap::new(self.a.clone()), SupportMap::new(self.b.clone()));
        match relation_with_witness(&a, self.pose_a, &b, self.pose_b) {
            crate::pair::Witness::Touching(found, _) => {
                let direction = super::swept::still_integers(&found.direction, &self.pair());
                Some((direction, (found.vertex_a, found.vertex_b)))
            }
            _ => None,
        }
    }
}
