//! Swept steps of a world against all pairs, each asked for its first contact on the screws of both bodies.

use super::compare::same;
use crate::body::{Body, relate};
use crate::math::{Pose, Random, Screw};
use crate::pair::{ConvexRelation, Relation};
use crate::screw::{Motion, ScrewOutcome, first_contact};
use crate::shape::{Capsule, Cuboid, Mesh, MeshConfig, Polytope, Primitive, Shape, Sphere, sample};
use crate::world::{
    BodyId, Groups, Ignored, Mobility, NewBody, ShapeHandle, SweptConfig, SweptEnd, SweptFrame, SweptOutcome,
    World,
};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A shape for the world and the same for a pair alone.
pub struct SweptSample {
    /// For the world.
    pub handle: ShapeHandle,
    /// For a pair.
    pub body: Body,
}

/// Convex bodies with corners, thin ones, round ones, and at the end a solid that is not convex.
pub static SHAPES: LazyLock<Vec<SweptSample>> = LazyLock::new(|| {
    let cuboid = |x: f64, y: f64, z: f64| {
        Shape::from(Primitive::from(Cuboid::new(DVec3::new(x, y, z)).expect("a size")))
    };
    let hull = |points: &[DVec3]| Shape::from(Polytope::hull(points).expect("points"));
    let torus = sample::torus(0.75, 0.25, 7, 5).expect("sizes");
    let shapes = [
        cuboid(1.0, 1.0, 1.0),
        cuboid(2.0, 0.1, 0.1),
        cuboid(1.5, 1.5, 0.01),
        hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]),
        hull(&[DVec3::ZERO, DVec3::X, DVec3::new(0.0, 0.5, 0.0)]),
        Shape::from(Primitive::from(Sphere::new(0.4).expect("a size"))),
        Shape::from(Primitive::from(Capsule::new(1.0, 0.2).expect("sizes"))),
        Shape::from(Mesh::build(&torus, &MeshConfig::default()).expect("a mesh")),
    ];
    let sample = |shape: Shape| SweptSample {
        handle: ShapeHandle::new(&shape).expect("within limits"),
        body: Body::try_from(&shape).expect("within limits"),
    };
    shapes.map(sample).into()
});

/// A body of the naive world.
#[derive(Clone, Copy, Debug)]
struct Plain {
    sample: usize,
    from: Pose,
    to: Pose,
    mobility: Mobility,
    groups: Groups,
}

impl Plain {
    fn motion(&self) -> Motion {
        match self.from == self.to {
            true => Motion::AtRest,
            false => Motion::Screw(Screw::between(&self.from, &self.to).0),
        }
    }

    fn may_meet(&self, other: &Plain) -> bool {
        let moves = |body: &Plain| body.mobility == Mobility::Moving;
        let has_way = |body: &Plain| body.from != body.to;
        (moves(self) || moves(other)) && (has_way(self) || has_way(other)) && self.groups.accept(other.groups)
    }
}

fn pose(random: &mut Random, side: f64) -> Pose {
    let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| random.range(-size, size)));
    let (axis, place) = (vector(1.0), vector(side));
    Pose::from_axis_angle(axis + DVec3::splat(1e-3), 3.0 * axis.x, place).expect("a pose")
}

/// Where a body goes next: straight, turning a little, by up to half a turn, or anywhere.
fn next(from: &Pose, side: f64, random: &mut Random) -> Pose {
    let mut vector = |size: f64| DVec3::from_array([(); 3].map(|()| random.range(-size, size)));
    let (axis, way) = (vector(1.0), vector(side));
    let turn = |angle: f64| DQuat::from_axis_angle((axis + DVec3::splat(1e-3)).normalize(), angle);
    let turned = |turn: DQuat| {
        let rotation = turn * DQuat::from_mat3(&from.rotation());
        Pose::from_quaternion(rotation.normalize(), from.translation() + way).expect("a pose")
    };
    match random.below(5) {
        0 | 1 => Pose::new(from.rotation(), from.translation() + way).expect("a pose"),
        2 => turned(turn(random.range(-0.2, 0.2))),
        3 => turned(turn(random.range(-3.1, 3.1))),
        _ => pose(random, side),
    }
}

/// A few frames of a world with bodies that come, go, rest, jump and fly.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let side = random.range(1.0, 5.0);
    let with_meshes = random.below(4) == 0;
    let (mut world, mut bodies) = (World::default(), BTreeMap::<BodyId, Plain>::new());
    let mut ignored: Vec<[BodyId; 2]> = Vec::new();
    let add = |world: &mut World, bodies: &mut BTreeMap<BodyId, Plain>, random: &mut Random| {
        let count = SHAPES.len() - usize::from(!with_meshes);
        let (sample, pose) = (random.below(count as u64) as usize, pose(random, side));
        let mobility = if random.below(4) == 0 { Mobility::Static } else { Mobility::Moving };
        let groups = match random.below(6) {
            0 => Groups { member_of: 2, collides_with: 1 },
            _ => Groups::default(),
        };
        let id = world.add(NewBody { shape: SHAPES[sample].handle.clone(), pose, mobility, groups });
        bodies.insert(id, Plain { sample, from: pose, to: pose, mobility, groups });
    };
    (0..3 + random.below(5)).for_each(|_| add(&mut world, &mut bodies, random));
    world.step();
    if random.below(4) == 0 {
        // So many go that the others are put elsewhere, and those that come next lie between them.
        (0..24).for_each(|_| add(&mut world, &mut bodies, random));
        let ids: Vec<BodyId> = bodies.keys().copied().collect();
        for id in ids {
            if bodies.len() > 3 && random.below(8) > 0 {
                world.remove(id).map_err(|e| e.to_string())?;
                bodies.remove(&id);
            }
        }
        world.step();
        (0..random.below(3)).for_each(|_| add(&mut world, &mut bodies, random));
        world.step();
    }
    for _ in 0..3 {
        let ids: Vec<BodyId> = bodies.keys().copied().collect();
        for id in ids {
            let plain = bodies.get_mut(&id).expect("in the list");
            match random.below(8) {
                0 | 1 => {}
                2 => {
                    plain.to = pose(random, side);
                    plain.from = plain.to;
                    world.teleport(id, plain.to).map_err(|e| e.to_string())?;
                }
                _ => {
                    plain.to = next(&plain.from, side, random);
                    world.move_to(id, plain.to).map_err(|e| e.to_string())?;
                }
            }
        }
        match random.below(5) {
            0 => add(&mut world, &mut bodies, random),
            1 if bodies.len() > 2 => {
                let id = *bodies.keys().next().expect("some");
                world.remove(id).map_err(|e| e.to_string())?;
                bodies.remove(&id);
                ignored.retain(|pair| !pair.contains(&id));
            }
            2 => {
                let mut some = bodies.keys().copied();
                if let (Some(a), Some(b)) = (some.next(), some.next()) {
                    world.set_ignored(a, b, Ignored::Yes).map_err(|e| e.to_string())?;
                    ignored.push([a, b]);
                }
            }
            _ => {}
        }
        let end = [SweptEnd::Targets, SweptEnd::LastFree { gap: 0.0 }, SweptEnd::LastFree { gap: 1e-3 }]
            [random.below(3) as usize];
        frame(&mut world, &mut bodies, &ignored, end)?;
    }
    Ok(())
}

/// One frame of both, and where bodies are after it.
fn frame(
    world: &mut World,
    bodies: &mut BTreeMap<BodyId, Plain>,
    ignored: &[[BodyId; 2]],
    end: SweptEnd,
) -> Result<(), String> {
    let config = SweptConfig { end, ..SweptConfig::default() };
    let found = world.step_swept(&config).map_err(|e| e.to_string())?;
    let tell = || format!("{bodies:?}");
    same(found.failures.len(), 0, tell)?;
    same(found.contacts.is_sorted_by(|x, y| (x.a, x.b) < (y.a, y.b)), true, tell)?;
    let apart = check(&found, bodies, ignored)?;
    let began = found.end.began().map(|(a, b, _)| [a, b]).find(|pair| apart.contains(pair));
    let reached = found.reached;
    if end != SweptEnd::Targets && began.is_some() {
        return Err(format!("{began:?} began in a frame that ended free, {bodies:?}"));
    }
    let first = found.first().and_then(|contact| contact.outcome.free_until());
    let is_held = reached < 1.0;
    if end == SweptEnd::Targets && is_held || first.is_some_and(|first| is_held && reached > first) {
        return Err(format!("reached {reached}, first {first:?}, {bodies:?}"));
    }
    for (&id, plain) in bodies.iter_mut() {
        let pose = world.pose(id).map_err(|e| e.to_string())?;
        let held = plain.from == plain.to || reached == 1.0;
        same(!held || pose == plain.to, true, || format!("{id} at {pose:?}, {plain:?}"))?;
        let gone = (pose.translation() - plain.from.translation()).length();
        let all = (plain.to.translation() - plain.from.translation()).length();
        same(gone <= all * (1.0 + 1e-9) + 1e-12, true, || format!("{id} at {pose:?}, {plain:?}"))?;
        (plain.from, plain.to) = (pose, pose);
    }
    Ok(())
}

/// Compares a frame with the answers of all pairs; gives those that are apart at the beginning.
fn check(
    found: &SweptFrame<'_>,
    bodies: &BTreeMap<BodyId, Plain>,
    ignored: &[[BodyId; 2]],
) -> Result<Vec<[BodyId; 2]>, String> {
    let mut apart = Vec::new();
    let told: BTreeMap<[BodyId; 2], &SweptOutcome> =
        found.contacts.iter().map(|contact| ([contact.a, contact.b], &contact.outcome)).collect();
    for (&a, x) in bodies {
        for (&b, y) in bodies.range(a..).skip(1) {
            let may = x.may_meet(y) && !ignored.contains(&[a, b]);
            let told = told.get(&[a, b]).copied();
            if !may {
                same(told.is_some(), false, || format!("{a} {b} {x:?} {y:?}"))?;
                continue;
            }
            let (body_a, body_b) = (&SHAPES[x.sample].body, &SHAPES[y.sample].body);
            let want = first_contact(body_a, &x.from, &x.motion(), body_b, &y.from, &y.motion())
                .map_err(|e| e.to_string())?;
            agree(told, &want).map_err(|what| {
                format!("{what} for {a} {b}: told {told:?}, the pair alone {want:?}, {x:?} {y:?}")
            })?;
            let start = relate(body_a, &x.from, body_b, &y.from).map_err(|e| e.to_string())?.relation;
            if start == ConvexRelation::Exact(Relation::Disjoint) {
                apart.push([a, b]);
            }
        }
    }
    Ok(apart)
}

/// Whether both may be true: straight ways are answered by another engine in the world.
fn agree(told: Option<&SweptOutcome>, want: &ScrewOutcome) -> Result<(), String> {
    let of_pair = match want {
        ScrewOutcome::None => [1.0, 2.0],
        ScrewOutcome::Hit(hit) => [hit.lower, hit.upper],
        ScrewOutcome::Undecided { lower, upper } => [*lower, upper.unwrap_or(2.0)],
        ScrewOutcome::TouchingAtStart | ScrewOutcome::OverlappingAtStart => {
            return match told {
                Some(SweptOutcome::AtStart(_)) => Ok(()),
                _ => Err("they share a point at the start".into()),
            };
        }
    };
    let of_world = match told {
        None => [1.0, 2.0],
        Some(SweptOutcome::Hit(hit)) => [hit.lower, hit.upper],
        Some(SweptOutcome::Undecided { lower, upper }) => [*lower, upper.unwrap_or(2.0)],
        Some(SweptOutcome::AtStart(start)) => match start.relation {
            ConvexRelation::TouchingWithin { .. } => [0.0, 2.0],
            ConvexRelation::Exact(_) => return Err("they are apart at the start".into()),
        },
    };
    // The direction of a straight way is rounded where it is a screw.
    let slack = 1e-12;
    match of_pair[0] <= of_world[1] + slack && of_world[0] <= of_pair[1] + slack {
        true => Ok(()),
        false => Err("other times".into()),
    }
}
