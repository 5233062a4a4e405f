//! Motions that meet in special ways, of small integers: as polytopes and as meshes, scaled, moved away, exchanged and
//! carried along by a common velocity, all exactly.

use super::compare::same;
use super::first_contact::{Truth, check_floats, intervals, scaled, told, truth};
use crate::math::{Pose, Random};
use crate::mesh::{MeshCache, TreeMesh};
use crate::shape::Polytope;
use crate::spacetime::{
    Translation, contact_time, contact_time_of_meshes, first_contact_of_meshes, first_contact_of_polytopes,
};
use crate::support::SupportMap;
use glam::DVec3;

/// How two bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    ContactAtEnd,
    ContactAtStart,
    FacesSliding,
    EdgesParallel,
    VertexOnSharedEdge,
    NoVelocity,
    Identical,
    RestingThenApart,
    TinyVelocity,
    Any,
}

const ALL: [Meeting; 10] = [
    Meeting::ContactAtEnd,
    Meeting::ContactAtStart,
    Meeting::FacesSliding,
    Meeting::EdgesParallel,
    Meeting::VertexOnSharedEdge,
    Meeting::NoVelocity,
    Meeting::Identical,
    Meeting::RestingThenApart,
    Meeting::TinyVelocity,
    Meeting::Any,
];

/// Two bodies, where B is seen from A, and how it moves.
struct Scene {
    a: Vec<DVec3>,
    b: Vec<DVec3>,
    place: DVec3,
    velocity: DVec3,
    duration: f64,
}

fn vector(x: i64, y: i64, z: i64) -> DVec3 {
    DVec3::new(x as f64, y as f64, z as f64)
}

fn block(x: i64, y: i64, z: i64) -> Vec<DVec3> {
    (0..8).map(|i| vector(x * (i & 1), y * (i >> 1 & 1), z * (i >> 2))).collect()
}

/// A roof: its ridge runs along y at a height of two.
fn roof(length: i64) -> Vec<DVec3> {
    let end = |y: i64| [vector(-1, y, 0), vector(1, y, 0), vector(0, y, 2)];
    [end(0), end(length)].concat()
}

fn octahedron() -> Vec<DVec3> {
    DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).collect()
}

fn any_body(random: &mut Random) -> Vec<DVec3> {
    let mut side = || 1 + random.below(3) as i64;
    let (x, y, z) = (side(), side(), side());
    match random.below(4) {
        0 => block(x, y, z),
        1 => roof(y),
        2 => octahedron().into_iter().map(|v| v * x as f64).collect(),
        _ => vec![DVec3::ZERO, vector(x, 0, 0), vector(0, y, 0), vector(0, 0, z)],
    }
}

fn scene(meeting: Meeting, random: &mut Random) -> Scene {
    let below = |random: &mut Random, n: u64| random.below(n) as i64;
    let small =
        |random: &mut Random| vector(below(random, 9) - 4, below(random, 9) - 4, below(random, 9) - 4);
    let (a, b) = (any_body(random), any_body(random));
    let (x, y, step) = (below(random, 4), below(random, 4), 1 + below(random, 3));
    let duration = (1 + random.below(6)) as f64;
    match meeting {
        // The gap of two blocks closes in whole steps.
        Meeting::ContactAtEnd => {
            let gap = step * duration as i64;
            let (a, b) = (block(2, 2, 2), block(1 + x, 1 + y, 1));
            Scene { a, b, place: vector(x - 1, y - 1, 2 + gap), velocity: vector(0, 0, -step), duration }
        }
        Meeting::ContactAtStart => {
            let (a, b) = (block(2, 2, 2), block(1 + x, 1 + y, 1));
            Scene { a, b, place: vector(x - 1, y - 1, 2), velocity: small(random), duration }
        }
        Meeting::FacesSliding => {
            let (a, b) = (block(4, 4, 1), block(1, 1, 1));
            Scene { a, b, place: vector(x - 4, y - 2, 1), velocity: vector(step, y - 1, 0), duration }
        }
        Meeting::EdgesParallel => {
            let (a, b) = (roof(2 + x), roof(1 + y).into_iter().map(|v| vector(0, 0, 0) - v).collect());
            Scene { a, b, place: vector(0, y, 4 + step), velocity: vector(0, x - 1, -1), duration }
        }
        // Along the diagonals of faces and along edges that triangles share.
        Meeting::VertexOnSharedEdge => {
            let side = 2 * (1 + x);
            let place = vector(below(random, 5), below(random, 5), side + 1 + step);
            Scene { a: block(side, side, side), b: octahedron(), place, velocity: vector(0, 0, -1), duration }
        }
        Meeting::NoVelocity => Scene { a, b, place: small(random), velocity: DVec3::ZERO, duration },
        Meeting::Identical => {
            let (place, velocity) = (small(random), small(random));
            let place = if x == 0 { DVec3::ZERO } else { place };
            Scene { a: a.clone(), b: a, place, velocity, duration }
        }
        Meeting::RestingThenApart => {
            let (a, b) = (block(3, 3, 1), block(1, 1, 1));
            Scene { a, b, place: vector(x, y, 1), velocity: vector(x - 1, y - 1, step), duration }
        }
        Meeting::TinyVelocity => {
            let (place, tiny) = (small(random) * 2.0, crate::math::round::power_of_two(-40));
            Scene { a, b, place, velocity: small(random) * tiny, duration: duration / tiny }
        }
        Meeting::Any => Scene { a, b, place: small(random) * 2.0, velocity: small(random), duration },
    }
}

/// Every way to meet, in every form.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let meeting = ALL[random.below(ALL.len() as u64) as usize];
    let scene = scene(meeting, random);
    let scale = crate::math::round::power_of_two([0, 0, -20, 20][random.below(4) as usize]);
    let offset = vector(1, -3, 5) * [0.0, 0.0, 1024.0, 1048576.0][random.below(4) as usize];
    let carried = vector(3, 1, -2) * [0.0, 1.0, 64.0][random.below(3) as usize];
    let t0 = [0.0, 1.0, -4.0][random.below(3) as usize];
    let hull = |points: &[DVec3]| {
        Polytope::hull(&points.iter().map(|&p| p * scale).collect::<Vec<_>>()).map_err(|e| e.to_string())
    };
    let at = |place: DVec3| Pose::from_translation(place * scale).map_err(|e| e.to_string());
    let (x, y) = (hull(&scene.a)?, hull(&scene.b)?);
    let (pose_a, pose_b) = (at(offset)?, at(offset + scene.place)?);
    let t1 = t0 + scene.duration;
    let velocities = [DVec3::ZERO, scene.velocity].map(|v| v * scale);
    let want = {
        let points = scaled((x.vertices(), &pose_a), (y.vertices(), &pose_b), velocities);
        truth(&intervals(&x, &y, &points), t0, t1)
    };
    // Sums of small integers are exact; those with a tiny number are not.
    let carried = if meeting == Meeting::TinyVelocity { DVec3::ZERO } else { carried * scale };
    for velocities in [velocities, velocities.map(|v| v + carried)] {
        let motion = Translation::new(velocities[0], velocities[1], t0, t1).map_err(|e| e.to_string())?;
        let context = |form: &str| {
            format!("{form} {meeting:?} {:?} {:?} {pose_a:?} {pose_b:?} {motion:?}", scene.a, scene.b)
        };
        convex_form(&x, &pose_a, &y, &pose_b, &motion, &want).map_err(|what| context(&what))?;
        mesh_form(&x, &pose_a, &y, &pose_b, &motion, &want).map_err(|what| context(&what))?;
    }
    Ok(())
}

fn convex_form(
    x: &Polytope,
    pose_a: &Pose,
    y: &Polytope,
    pose_b: &Pose,
    motion: &Translation,
    want: &Truth,
) -> Result<(), String> {
    let (a, b) = (SupportMap::new(x.clone()), SupportMap::new(y.clone()));
    let form = |name: &'static str| move || name.to_string();
    same(told(&first_contact_of_polytopes(&a, pose_a, &b, pose_b, motion)), want.clone(), form("convex"))?;
    let swapped = first_contact_of_polytopes(&b, pose_b, &a, pose_a, &motion.swapped());
    same(told(&swapped), want.clone(), form("convex, exchanged"))?;
    check_floats(&contact_time(&a, pose_a, &b, pose_b, motion), want).map_err(|what| format!("convex {what}"))
}

fn mesh_form(
    x: &Polytope,
    pose_a: &Pose,
    y: &Polytope,
    pose_b: &Pose,
    motion: &Translation,
    want: &Truth,
) -> Result<(), String> {
    let [a, b] = [x, y].map(|p| TreeMesh::from_polytope(p).map_err(|e| e.to_string()));
    let (a, b, cache) = (a?, b?, &mut MeshCache::default());
    let form = |name: &'static str| move || name.to_string();
    same(
        told(&first_contact_of_meshes(&a, pose_a, &b, pose_b, motion, cache)),
        want.clone(),
        form("meshes"),
    )?;
    let swapped = first_contact_of_meshes(&b, pose_b, &a, pose_a, &motion.swapped(), cache);
    same(told(&swapped), want.clone(), form("meshes, exchanged"))?;
    let floats = contact_time_of_meshes(&a, pose_a, &b, pose_b, motion, cache);
    check_floats(&floats, want).map_err(|what| format!("meshes {what}"))
}
