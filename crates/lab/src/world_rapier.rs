//! A whole step with rapier3d through its public pipeline: pairs and contact manifolds, no dynamics.

use crate::world_rivals::{Found, Place, Step};
use clearance::Aabb;
use clearance::support::SupportMap;
use rapier3d::prelude::*;

/// Colliders without bodies, which may all collide.
pub struct World {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
    poses: Vec<Pose>,
}

fn pose(&(rotation, translation): &Place) -> Pose {
    Pose::from_parts(translation.as_vec3(), rotation.as_quat())
}

impl World {
    /// Body `i` has shape `i` modulo their number; `None` if a shape is refused.
    pub fn new(shapes: &[SupportMap], places: &[Place]) -> Option<World> {
        let hull = |map: &SupportMap| {
            let points: Vec<Vector> = map.polytope().vertices().iter().map(|v| v.as_vec3()).collect();
            SharedShape::convex_hull(&points)
        };
        let shapes: Option<Vec<SharedShape>> = shapes.iter().map(hull).collect();
        let shapes = shapes?;
        let mut colliders = ColliderSet::new();
        let insert = |(body, place): (usize, &Place)| {
            let collider = ColliderBuilder::new(shapes[body % shapes.len()].clone())
                .active_collision_types(ActiveCollisionTypes::all())
                .position(pose(place));
            colliders.insert(collider)
        };
        let handles = places.iter().enumerate().map(insert).collect();
        Some(World {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders,
            handles,
            poses: Vec::new(),
        })
    }
}

impl Step for World {
    fn prepare(&mut self, places: &[Place]) {
        self.poses.clear();
        self.poses.extend(places.iter().map(pose));
    }

    fn step(&mut self, _: &(dyn Fn(usize) -> Aabb + Sync)) -> Found {
        for (handle, pose) in self.handles.iter().zip(&self.poses) {
            if let Some(collider) = self.colliders.get_mut(*handle) {
                collider.set_position(*pose);
            }
        }
        let World { pipeline, islands, broad, narrow, bodies, colliders, .. } = self;
        // No contacts of bodies that are still apart.
        pipeline.step(0.0, islands, broad, narrow, bodies, colliders, &(), &());
        let mut found = Found::default();
        for pair in self.narrow.contact_pairs() {
            found.pairs += 1;
            let mut points = pair.manifolds().iter().flat_map(|manifold| &manifold.points);
            found.meeting += usize::from(points.any(|point| point.dist <= 0.0));
        }
        found
    }
}
