//! A polytope and a ball that hold a body: what parts of a compound are compared with first.

use super::Body;
use crate::math::Pose;
use crate::pair::{self, DistanceConfig, GilbertCache};
use crate::shape::Polytope;
use crate::support::SupportMap;
use glam::DVec3;
use std::borrow::Cow;

/// How precisely distances are found, which only decides what is looked at.
const WIDTH: f64 = 0.01;

/// By this part a box is larger than a curved body, far more than rounding does to either.
const ROOM: f64 = 1e-6;

/// Holds a body under a pose.
pub(super) struct Around<'a> {
    hull: Cow<'a, SupportMap>,
    radius: f64,
    pose: &'a Pose,
}

impl<'a> Around<'a> {
    /// `None` for a half-space or a plane, and for what reaches beyond the limits.
    pub fn new(body: &'a Body, pose: &'a Pose) -> Option<Around<'a>> {
        let (hull, radius) = match body {
            Body::Mesh(mesh) => (Cow::Borrowed(mesh.hull()), 0.0),
            Body::Compound(compound) => (Cow::Borrowed(compound.hull()), 0.0),
            Body::Convex(convex) => match convex.core() {
                Some(core) => (Cow::Borrowed(core), convex.radius()),
                None => {
                    let bounds = convex.curved_core()?.bounds()?;
                    let room = DVec3::splat(ROOM * bounds.extent().length());
                    let ends = [bounds.min - room, bounds.max + room];
                    let corner = |i: usize| DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z);
                    let corners: Vec<DVec3> = (0..8).map(corner).collect();
                    (Cow::Owned(SupportMap::new(Polytope::hull(&corners).ok()?)), convex.radius())
                }
            },
        };
        Some(Around { hull, radius, pose })
    }

    /// Not negative, and not above the distance of a polytope from the body.
    pub fn gap(&self, hull: &SupportMap, pose: &Pose) -> f64 {
        let config = DistanceConfig { relative_width: WIDTH };
        let memory = &mut GilbertCache::default();
        let found = pair::distance_with(hull, pose, &self.hull, self.pose, &config, memory);
        (found.lower - self.radius).next_down().max(0.0)
    }
}
