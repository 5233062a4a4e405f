//! Bodies where a file has them, with the velocities that it states.

use super::{
    Environment, Flyer, Setup,
    setup::Prepared,
    strewn::{Fill, launch},
};
use crate::{
    bodies::{Body, Opened},
    output::{Failure, counted, short},
};
use clearance::{
    Aabb, Pose,
    glam::{DQuat, DVec3},
    math::Random,
    world::Ignored,
};
use clearance_io::scene::{IgnoredPairs, Motion, Movement};
use std::{collections::BTreeSet, sync::Arc};

/// Walls are this share of the largest extent away from the bodies.
const ROOM: f64 = 0.5;

/// If nobody states a motion all bounded bodies fly at random; else those without one are at rest.
pub(super) fn placed(
    opened: &Opened,
    shapes: &[Prepared],
    fill: &Fill,
    random: &mut Random,
    frames_per_second: f64,
) -> Result<Setup, Failure> {
    let walls = walls_around(opened, shapes)?;
    let mut environment = Environment::new(walls);
    let is_stated = opened.bodies.iter().any(|body| body.motion.is_some());
    let mut names = BTreeSet::new();
    for (body, prepared) in opened.bodies.iter().zip(shapes) {
        let mut flyer = Flyer::new(unique(&body.name, &mut names), Arc::clone(&body.shape), &body.pose);
        match body.motion {
            Some(motion) => {
                fly(&mut flyer, body, &motion, frames_per_second)?;
                expect_inside(&flyer, walls)?;
            }
            None if !is_stated && body.shape.bounds().is_some() => {
                launch(&mut flyer, prepared.radius, fill, random);
            }
            None => {}
        }
        environment.add(flyer, &prepared.handle, body.pose);
    }
    ignore(&mut environment, &opened.ignored)?;
    let mut notes = opened.notes.clone();
    notes.push(match is_stated {
        true => {
            let moving = environment.flyers.iter().filter(|flyer| flyer.moves()).count();
            format!(
                "{} moves as the file says, {frames_per_second} frames per second",
                counted(moving, "body")
            )
            .replace("bodys moves", "bodies move")
        }
        false => format!("the file states no motion: {fill}"),
    });
    let has_end =
        |body: &Body| body.motion.is_some_and(|motion| !matches!(motion.movement, Movement::Fly { .. }));
    if opened.bodies.iter().any(has_end) {
        notes.push("motions with an end are flown on with the velocity and spin that lead there".into());
    }
    Ok(Setup { environment, unit: opened.unit, seed: fill.seed, notes })
}

fn walls_around(opened: &Opened, shapes: &[Prepared]) -> Result<Aabb, Failure> {
    let bounded = opened.bodies.iter().zip(shapes).filter(|(body, _)| body.shape.bounds().is_some());
    let bounds = bounded.map(|(body, prepared)| prepared.handle.bound(&body.pose)).reduce(Aabb::join);
    let bounds = bounds.ok_or_else(|| {
        Failure::input(format_args!(
            "{}: nothing in it is bounded, so nothing can fly",
            opened.file.display()
        ))
    })?;
    let room = DVec3::splat(ROOM * bounds.extent().max_element());
    Ok(Aabb { min: bounds.min - room, max: bounds.max + room })
}

/// Mesh files may use a name twice; events must not.
fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = |number: usize| if number == 1 { name.to_owned() } else { format!("{name} {number}") };
    let free = (1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

/// Velocity and spin of a stated motion, per frame.
fn fly(flyer: &mut Flyer, body: &Body, motion: &Motion, frames_per_second: f64) -> Result<(), Failure> {
    if body.shape.bounds().is_none() {
        return Err(Failure::input(format_args!(
            "`{}` is unbounded and cannot fly; leave out its motion",
            body.name
        )));
    }
    let frames = frames_per_second * (motion.t1 - motion.t0);
    let led_to = |pose: Pose| pose.apply(flyer.middle) - flyer.position;
    let (way, turn) = match motion.movement {
        Movement::Fly { velocity, spin } => (velocity, spin),
        Movement::Translate { displacement } => (displacement, DVec3::ZERO),
        Movement::To { pose } => (led_to(pose), turn_between(&body.pose, &pose)),
        Movement::Screw { screw } => {
            let end = screw.pose_at(1.0, &body.pose).map_or(body.pose, |(pose, _)| pose);
            (led_to(end), screw.axis().normalize() * screw.angle())
        }
    };
    (flyer.velocity, flyer.spin) = (way / frames, turn / frames);
    Ok(())
}

/// Walls reflect what is about to leave, and so need to see it before.
fn expect_inside(flyer: &Flyer, walls: Aabb) -> Result<(), Failure> {
    if flyer.velocity.abs().cmple(walls.extent()).all() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{}` would move by {} in a frame and leave the box of the simulation; make --fps larger",
        flyer.name,
        short(flyer.velocity.length())
    )))
}

/// Axis times radians of the shorter turn from one pose to another.
fn turn_between(from: &Pose, to: &Pose) -> DVec3 {
    let turn = DQuat::from_mat3(&(to.rotation() * from.rotation().transpose())).normalize();
    let shorter = if turn.w < 0.0 { -turn } else { turn };
    shorter.to_scaled_axis()
}

fn ignore(environment: &mut Environment, ignored: &IgnoredPairs) -> Result<(), Failure> {
    if ignored.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = environment.world.bodies().collect();
    for (i, &a) in ids.iter().enumerate() {
        for (j, &b) in ids.iter().enumerate().skip(i + 1) {
            if ignored.contains(i, j) {
                environment.world.set_ignored(a, b, Ignored::Yes).map_err(Failure::input)?;
            }
        }
    }
    Ok(())
}
