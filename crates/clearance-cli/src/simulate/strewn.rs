//! Bodies at random places of a box, with random velocities.

use super::{Environment, Flyer, setup::Prepared};
use crate::{
    interrupt,
    output::{Failure, short},
};
use clearance::{
    Aabb, Pose,
    glam::{DQuat, DVec3},
    math::Random,
    shape::sample::random_direction,
};
use std::{f64::consts::PI, fmt, sync::Arc};

/// Places that are tried for a body before the box counts as full.
const TRIES: usize = 10_000;

/// How bodies are strewn and how fast they fly.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    pub bodies: usize,
    /// Share of the box that balls around the bodies take.
    pub density: f64,
    /// Share of the radius per frame.
    pub speed: f64,
    /// Radians per frame.
    pub spin: f64,
    pub seed: u64,
}

impl fmt::Display for Fill {
    /// The velocities in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (speed, spin) = (short(100.0 * self.speed), short(self.spin.to_degrees()));
        let seed = self.seed;
        write!(f, "random velocities from seed {seed}: {speed} % of the radius and {spin} degrees per frame")
    }
}

/// Shapes take turns; no body meets another where it is put.
pub(super) fn strewn(shapes: &[Prepared], fill: &Fill, random: &mut Random) -> Result<Environment, Failure> {
    let turn = |i: usize| &shapes[i % shapes.len()];
    let ball = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
    let volume: f64 = (0..fill.bodies).map(|i| ball(turn(i).radius)).sum();
    let largest = shapes.iter().map(|prepared| prepared.radius).fold(0.0, f64::max);
    let half = (0.5 * (volume / fill.density).cbrt()).max(1.25 * largest);
    if !(half > 0.0 && half.is_finite()) {
        return Err(Failure::input("the bodies have no size, or one too large for a box around them"));
    }
    let mut environment = Environment::new(Aabb { min: DVec3::splat(-half), max: DVec3::splat(half) });
    let bar = interrupt::step_bar(fill.bodies as u64, "bodies placed");
    for i in 0..fill.bodies {
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        bar.set_position(i as u64);
        let prepared = turn(i);
        let name = format!("{} {}", prepared.name, i + 1);
        let mut flyer = Flyer::new(name, Arc::clone(&prepared.shape), &Pose::IDENTITY);
        launch(&mut flyer, prepared.radius, fill, random);
        settle(&mut environment, flyer, prepared, random, half)?;
    }
    Ok(environment)
}

/// A random velocity and spin.
pub(super) fn launch(flyer: &mut Flyer, radius: f64, fill: &Fill, random: &mut Random) {
    flyer.velocity = random_direction(random) * (fill.speed * radius);
    flyer.spin = random_direction(random) * fill.spin;
}

/// Puts a body where it is free.
fn settle(
    environment: &mut Environment,
    mut flyer: Flyer,
    prepared: &Prepared,
    random: &mut Random,
    half: f64,
) -> Result<(), Failure> {
    let reach = half - prepared.radius;
    let mut place = |flyer: &mut Flyer| {
        let mut along = || random.range(-reach, reach);
        flyer.position = DVec3::new(along(), along(), along());
        let angle = random.range(0.0, PI);
        flyer.rotation = DQuat::from_axis_angle(random_direction(random), angle);
        flyer.pose()
    };
    let mut pose = place(&mut flyer)?;
    let id = environment.add(flyer.clone(), &prepared.handle, pose);
    // A pair without a method is told of in the first frame.
    let blocked = |environment: &Environment, pose: &Pose| {
        matches!(environment.world.would_collide(id, pose), Ok(true))
    };
    for _ in 0..TRIES {
        if !blocked(environment, &pose) {
            environment.world.teleport(id, pose).map_err(Failure::input)?;
            environment.flyers[id.index()] = flyer;
            return Ok(());
        }
        pose = place(&mut flyer)?;
    }
    let count = id.index() + 1;
    Err(Failure::Usage(format!("no room for body {count} in {TRIES} tries; make --density smaller")))
}
