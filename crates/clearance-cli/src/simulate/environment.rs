//! The bodies, their velocities, and the walls.

use crate::output::Failure;
use clearance::{
    Aabb, Pose,
    glam::{DQuat, DVec3},
    shape::Shape,
    world::{BodyId, Frame, NewBody, ShapeHandle, World},
};
use std::sync::Arc;

/// A body and how it moves. Per frame its middle goes straight by `velocity` and it turns around it by `spin`.
#[derive(Clone, Debug)]
pub struct Flyer {
    pub name: String,
    /// In its own frame.
    pub shape: Arc<Shape>,
    /// The point that it turns around, in its own frame.
    pub middle: DVec3,
    /// Where its middle is.
    pub position: DVec3,
    pub rotation: DQuat,
    /// Lengths per frame.
    pub velocity: DVec3,
    /// Axis times radians per frame.
    pub spin: DVec3,
}

impl Flyer {
    /// At rest at a pose.
    pub fn new(name: String, shape: Arc<Shape>, pose: &Pose) -> Flyer {
        let middle = shape.bounds().map_or(DVec3::ZERO, Aabb::center);
        let rotation = DQuat::from_mat3(&pose.rotation()).normalize();
        let (velocity, spin) = (DVec3::ZERO, DVec3::ZERO);
        Flyer { name, shape, middle, position: pose.apply(middle), rotation, velocity, spin }
    }

    /// Whether it moves at all.
    pub fn moves(&self) -> bool {
        self.velocity != DVec3::ZERO || self.spin != DVec3::ZERO
    }

    /// Where its own frame is.
    pub fn pose(&self) -> Result<Pose, Failure> {
        let translation = self.position - self.rotation * self.middle;
        Pose::from_quaternion(self.rotation, translation)
            .map_err(|error| Failure::input(format_args!("`{}` has left all bounds: {error}", self.name)))
    }

    fn advance(&mut self) {
        self.position += self.velocity;
        self.rotation = (DQuat::from_scaled_axis(self.spin) * self.rotation).normalize();
    }

    /// Back the way it came.
    fn reverse(&mut self) {
        self.velocity = -self.velocity;
        self.spin = -self.spin;
    }

    /// Walls reflect what is about to leave; what was pushed through comes back in.
    fn reflect(&mut self, bound: Aabb, walls: Aabb) {
        for axis in 0..3 {
            let leaves = bound.max[axis] > walls.max[axis] && self.velocity[axis] > 0.0
                || bound.min[axis] < walls.min[axis] && self.velocity[axis] < 0.0;
            if leaves {
                self.velocity[axis] = -self.velocity[axis];
            }
        }
    }
}

/// A world whose bodies fly.
#[derive(Debug)]
pub struct Environment {
    pub world: World,
    /// In the order of the world's ids.
    pub flyers: Vec<Flyer>,
    ids: Vec<BodyId>,
    pub walls: Aabb,
    frame: usize,
}

impl Environment {
    /// An empty one.
    pub fn new(walls: Aabb) -> Environment {
        Environment { world: World::default(), flyers: Vec::new(), ids: Vec::new(), walls, frame: 0 }
    }

    /// Adds a body where it is; one that does not move is static.
    pub fn add(&mut self, flyer: Flyer, handle: &ShapeHandle, pose: Pose) -> BodyId {
        let body = if flyer.moves() { NewBody::moving(handle, pose) } else { NewBody::fixed(handle, pose) };
        let id = self.world.add(body);
        self.flyers.push(flyer);
        self.ids.push(id);
        id
    }

    /// The flyer of a body.
    pub fn flyer(&self, body: BodyId) -> &Flyer {
        &self.flyers[body.index()]
    }

    /// The pose of each body, in order.
    pub fn poses(&self) -> impl Iterator<Item = Pose> + '_ {
        self.ids.iter().map(|&id| self.world.pose(id).unwrap_or(Pose::IDENTITY))
    }

    /// The first frame as bodies were put; then all move. Both bodies of a pair that begins to collide turn back.
    ///
    /// Once only: bodies that are still in each other in the next frame fly on, until they are apart.
    pub fn step(&mut self) -> Result<Frame<'_>, Failure> {
        if self.frame > 0 {
            self.advance()?;
        }
        self.frame += 1;
        let frame = self.world.step();
        let mut met: Vec<usize> = frame.began().flat_map(|(a, b, _)| [a.index(), b.index()]).collect();
        met.sort_unstable();
        met.dedup();
        met.into_iter().for_each(|body| self.flyers[body].reverse());
        Ok(frame)
    }

    fn advance(&mut self) -> Result<(), Failure> {
        for (flyer, &id) in self.flyers.iter_mut().zip(&self.ids).filter(|(flyer, _)| flyer.moves()) {
            flyer.advance();
            self.world.move_to(id, flyer.pose()?).map_err(Failure::input)?;
            flyer.reflect(self.world.bound(id).map_err(Failure::input)?, self.walls);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance::shape::{Cuboid, Primitive};

    fn cube_at(position: DVec3, velocity: DVec3) -> (Flyer, ShapeHandle, Pose) {
        let shape = Shape::from(Primitive::from(Cuboid::new(DVec3::ONE).unwrap()));
        let pose = Pose::from_translation(position).unwrap();
        let handle = ShapeHandle::new(&shape).unwrap();
        (Flyer { velocity, ..Flyer::new("cube".into(), Arc::new(shape), &pose) }, handle, pose)
    }

    fn room() -> Environment {
        Environment::new(Aabb { min: DVec3::splat(-4.0), max: DVec3::splat(4.0) })
    }

    #[test]
    fn walls_reflect_and_nothing_leaves_for_good() {
        let mut room = room();
        let (flyer, handle, pose) = cube_at(DVec3::ZERO, DVec3::new(0.75, -0.5, 0.25));
        room.add(flyer, &handle, pose);
        let speed = room.flyers[0].velocity.abs();
        for _ in 0..200 {
            room.step().unwrap();
            let flyer = &room.flyers[0];
            assert_eq!(flyer.velocity.abs(), speed);
            assert!(flyer.position.abs().max_element() <= 4.0 - 0.5 + 0.75, "{}", flyer.position);
        }
    }

    #[test]
    fn bodies_that_meet_go_back_the_way_they_came() {
        let mut room = room();
        for (x, velocity) in [(-2.0, 0.25), (2.0, -0.25)] {
            let (flyer, handle, pose) = cube_at(DVec3::new(x, 0.0, 0.0), DVec3::new(velocity, 0.0, 0.0));
            room.add(flyer, &handle, pose);
        }
        let mut places = Vec::new();
        let mut began = Vec::new();
        for frame in 0..=12 {
            began.extend(room.step().unwrap().began().map(|_| frame));
            places.push(room.flyers[0].position.x);
        }
        // Faces touch after six frames; before that and after, frame by frame the same.
        assert_eq!(began, [6]);
        assert!((0..=6).all(|k| places[6 - k] == places[6 + k]), "{places:?}");
    }

    #[test]
    fn bodies_at_rest_stay() {
        let mut room = room();
        let (ground, handle, pose) = cube_at(DVec3::ZERO, DVec3::ZERO);
        room.add(ground, &handle, pose);
        let (flyer, handle, start) = cube_at(DVec3::new(3.0, 0.1, 0.0), DVec3::new(-0.3, 0.0, 0.0));
        room.add(flyer, &handle, start);
        let mut collisions = 0;
        for _ in 0..50 {
            collisions += room.step().unwrap().began().count();
        }
        assert!(collisions > 2);
        assert_eq!(room.poses().next(), Some(pose));
    }
}
