//! A ball inside two solids: proved to be, not proved to be the largest.

use super::nearest::is_nearer;
use super::point::checked;
use super::signed_distance::signed;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::math::Pose;
use glam::DVec3;
use rayon::prelude::*;

/// A ball inside both solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub center: DVec3,
    /// Not above the distance of the centre from the triangles of both; negative outside.
    pub radius: f64,
    /// Away from the nearest triangle of each body; toward it from outside.
    away: [DVec3; 2],
}

/// Points of the first look along each side of the common box.
const GRID: u32 = 5;

/// From how many points a better one is searched for.
const STARTS: usize = 3;

/// How often the step is halved: to about a thousandth of the box.
const HALVINGS: u32 = 9;

/// The largest ball found inside both of two bodies, around a point of a box; `None` if no point inside both was found.
pub(super) fn largest_ball(
    bodies: [(&TreeMesh, &Pose); 2],
    within: Aabb,
    seeds: impl Iterator<Item = DVec3>,
) -> Option<Ball> {
    let at = |cell: u32, axis: usize| {
        let part = (f64::from(cell) + 0.5) / f64::from(GRID);
        within.min[axis] * (1.0 - part) + within.max[axis] * part
    };
    let cells = (0..GRID.pow(3)).map(|i| [i % GRID, i / GRID % GRID, i / GRID / GRID]);
    let grid = cells.map(|[x, y, z]| DVec3::new(at(x, 0), at(y, 1), at(z, 2)));
    let mut balls: Vec<Ball> = Vec::with_capacity(STARTS + 1);
    for center in grid.chain(seeds) {
        let least = if balls.len() < STARTS { f64::NEG_INFINITY } else { balls[STARTS - 1].radius };
        if let Some(ball) = ball_above(bodies, center, least) {
            // Of equal ones the first.
            balls.insert(balls.partition_point(|known| known.radius >= ball.radius), ball);
            balls.truncate(STARTS);
        }
    }
    let grown: Vec<Ball> = balls.into_par_iter().map(|start| grow(bodies, start, within.extent())).collect();
    let best = grown.into_iter().reduce(|best, ball| if ball.radius > best.radius { ball } else { best });
    best.filter(|ball| ball.radius > 0.0)
}

/// The ball around a point; `None` if it is out of range.
fn ball(bodies: [(&TreeMesh, &Pose); 2], center: DVec3) -> Option<Ball> {
    let at = checked(center).ok()?;
    let found = bodies.map(|(mesh, pose)| signed(mesh, pose, at));
    let away = found.map(|signed| {
        let toward = (signed.point - center).normalize_or_zero();
        if signed.lower < 0.0 { -toward } else { toward }
    });
    Some(Ball { center, radius: -found[0].upper.max(found[1].upper), away })
}

/// The ball around a point, if its radius is at least so much. Most are turned down before it is known whether they are inside.
fn ball_above(bodies: [(&TreeMesh, &Pose); 2], center: DVec3, radius: f64) -> Option<Ball> {
    let at = checked(center).ok()?;
    if radius > 0.0 && bodies.iter().any(|(mesh, pose)| is_nearer(mesh, pose, at, radius)) {
        return None;
    }
    ball(bodies, center).filter(|ball| ball.radius >= radius)
}

/// Moves the centre as long as that helps, by smaller and smaller steps.
fn grow(bodies: [(&TreeMesh, &Pose); 2], start: Ball, extent: DVec3) -> Ball {
    let (mut best, mut step) = (start, 0.25 * extent);
    for _ in 0..HALVINGS {
        // Each gain is one of at least a sixteenth of a step, so this ends.
        while let Some(better) = neighbours(&best, step)
            .filter_map(|center| ball_above(bodies, center, best.radius + step.max_element() / 16.0))
            .find(|ball| ball.radius > best.radius)
        {
            best = better;
        }
        step *= 0.5;
    }
    // What the coarse gains left.
    neighbours(&best, step).fold(best, |best, center| match ball_above(bodies, center, best.radius) {
        Some(ball) if ball.radius > best.radius => ball,
        _ => best,
    })
}

/// Places a step away: where both bodies point, along the axes, and along their diagonals, as the best places lie on ridges
/// between faces.
fn neighbours(around: &Ball, step: DVec3) -> impl Iterator<Item = DVec3> + use<> {
    let (center, size) = (around.center, step.max_element());
    let [one, other] = around.away;
    let pointed = [one, other, one + other].map(|away| away * size);
    let axes = DVec3::AXES.map(|axis| axis * step);
    let sign = |bit: u32, i: u32| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let diagonals = (0..8).map(move |i| DVec3::new(sign(0, i), sign(1, i), sign(2, i)) * step);
    let along = axes.into_iter().flat_map(|axis| [axis, -axis]);
    pointed.into_iter().chain(along).chain(diagonals).map(move |by| center + by)
}
