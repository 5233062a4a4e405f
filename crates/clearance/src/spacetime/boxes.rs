//! Boxes around bodies that are placed or move.

use crate::body::Body;
use crate::math::round::UNIT_ROUNDOFF;
use crate::math::{Aabb, Pose};
use crate::pair::Convex;
use glam::DVec3;

pub(super) use crate::broad::EVERYWHERE;

/// A box around a body in its own frame, and the ball that rounds it.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    core: Aabb,
    radius: f64,
}

/// Of any body; `None` for an unbounded one.
pub(super) fn of_body(body: &Body) -> Option<Bounds> {
    match body {
        Body::Mesh(mesh) => Some(Bounds { core: mesh.mesh().bounds(), radius: 0.0 }),
        Body::Compound(compound) => Some(Bounds { core: compound.hull().polytope().bounds(), radius: 0.0 }),
        Body::Convex(convex) => of_convex(convex),
    }
}

/// Of a body with corners within a box.
pub(super) fn of_box(core: Aabb) -> Bounds {
    Bounds { core, radius: 0.0 }
}

/// Of a convex body; `None` for an unbounded one.
pub(super) fn of_convex(convex: &Convex) -> Option<Bounds> {
    let core = match convex.core() {
        Some(core) => core.polytope().bounds(),
        None => convex.curved_core()?.bounds()?,
    };
    Some(Bounds { core, radius: convex.radius() })
}

impl Bounds {
    /// A box around the body under a pose.
    pub fn posed(&self, pose: &Pose) -> Aabb {
        self.swept(pose, DVec3::ZERO)
    }

    /// A box around all that the body sweeps from a pose on.
    pub fn swept(&self, pose: &Pose, travel: DVec3) -> Aabb {
        let corner = |i: usize| {
            let ends = [self.core.min, self.core.max];
            pose.apply(DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z))
        };
        let Some(around) = Aabb::around((0..8).map(corner)) else { return EVERYWHERE };
        // Far beyond what rounding, and a pose that is orthonormal to 1e-9, may do.
        let size = around.min.abs().max(around.max.abs()).max_element();
        let size = size + pose.translation().abs().max_element() + travel.abs().max_element() + self.radius;
        let room = self.radius * (1.0 + 1e-8)
            + 64.0 * UNIT_ROUNDOFF * size
            + 1e-8 * self.core.extent().max_element();
        let room = DVec3::splat(room);
        let min = around.min + travel.min(DVec3::ZERO) - room;
        let max = around.max + travel.max(DVec3::ZERO) + room;
        if min.is_nan() || max.is_nan() { EVERYWHERE } else { Aabb { min, max } }
    }
}
