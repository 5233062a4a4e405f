//! Bodies that turn: first contacts beside parry's casts, and all contacts of a step, in one run.

mod convex;
mod growth;
mod meshes;

use crate::scenario::{Placement, direction, rotation};
use crate::table::Table;
use clearance::math::{Random, Screw};
use glam::{DQuat, DVec3};

pub fn run() -> Vec<Table> {
    let parts: [fn() -> Table; 5] =
        [convex::boxes, convex::polytopes, meshes::all_contacts, growth::table, meshes::first_contacts];
    // Some of them, by their numbers, for a quick look.
    let only = std::env::var("LAB_PARTS").ok();
    let is_asked = |i: usize| only.as_ref().is_none_or(|list| list.contains(&i.to_string()));
    (0..parts.len()).filter(|&i| is_asked(i)).map(|i| parts[i]()).collect()
}

/// Two bodies, and the screw on which B moves.
struct Scene {
    bodies: (usize, usize),
    a: Placement,
    b: Placement,
    screw: Screw,
}

impl Scene {
    /// B comes from some sizes away, on a screw that would bring its middle past the middle of A, at most an offset aside.
    fn draw(count: usize, angle: f64, aside: f64, random: &mut Random) -> Scene {
        let pick = |random: &mut Random| random.below(count as u64) as usize;
        let bodies = (pick(random), pick(random));
        let (along, turn) = (direction(random), random.range(0.3, 1.0) * angle);
        let from = along * random.range(3.0, 4.0);
        let to = -along * random.range(0.0, 1.0) + along.any_orthonormal_vector() * random.range(0.0, aside);
        let (start, axis) = (rotation(random), direction(random));
        let end = Placement::new(DQuat::from_axis_angle(axis, turn) * start, to);
        let (a, b) = (Placement::new(rotation(random), DVec3::ZERO), Placement::new(start, from));
        let (screw, _) = Screw::between(&b.pose, &end.pose);
        Scene { bodies, a, b, screw }
    }
}
