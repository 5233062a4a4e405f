//! Compounds: every part of one with every part of the other.

use crate::body::{Body, Within, relate};
use crate::compound::{Compound, Part, collides, distance, relation, within};
use crate::math::round::power_of_two;
use crate::math::{Pose, Random};
use crate::mesh::{self, TreeMesh};
use crate::pair::{self, Convex, ConvexRelation, Relation};
use crate::shape::sample::{circle_point, random_direction, torus};
use crate::shape::{Mesh, MeshConfig, Polytope, TriangleSoup};
use glam::{DQuat, DVec3};

/// A box, scaled.
pub fn cuboid(min: [f64; 3], max: [f64; 3], scale: f64) -> Part {
    let corner = |i: usize| scale * DVec3::from_array([0, 1, 2].map(|k| [min[k], max[k]][i >> k & 1]));
    polytope(&(0..8).map(corner).collect::<Vec<_>>())
}

/// The hull of points.
pub fn polytope(points: &[DVec3]) -> Part {
    Polytope::hull(points).expect("valid").into()
}

/// The union of parts.
pub fn compound(parts: Vec<Part>) -> Compound {
    Compound::new(parts).expect("valid")
}

/// A ring as one mesh.
pub fn ring_mesh(scale: f64) -> Part {
    let TriangleSoup { positions, triangles, parts } = torus(1.0, 0.25, 12, 6).expect("valid");
    let positions = positions.iter().map(|p| *p * scale).collect();
    Mesh::build(&TriangleSoup { positions, triangles, parts }, &MeshConfig::default()).expect("valid").into()
}

/// Two arms of a square, three long.
pub fn angle(scale: f64) -> Compound {
    compound(vec![cuboid([0.0; 3], [3.0, 1.0, 1.0], scale), cuboid([0.0, 1.0, 0.0], [1.0, 3.0, 1.0], scale)])
}

/// Open upwards (y).
pub fn fork(scale: f64) -> Compound {
    compound(vec![
        cuboid([0.0; 3], [3.0, 1.0, 1.0], scale),
        cuboid([0.0, 1.0, 0.0], [1.0, 4.0, 1.0], scale),
        cuboid([2.0, 1.0, 0.0], [3.0, 4.0, 1.0], scale),
    ])
}

/// Boxes one after the other that share faces, turning at random; on a grid of quarters.
pub fn chain(random: &mut Random, links: usize, scale: f64) -> Vec<Part> {
    let mut at = DVec3::ZERO;
    let mut link = || {
        let axis = random.below(3) as usize;
        let step = DVec3::AXES[axis] * if random.below(2) == 0 { 0.75 } else { -0.75 };
        let (from, to) = (at, at + step);
        at = to;
        let half = DVec3::splat(0.25);
        cuboid((from.min(to) - half).to_array(), (from.max(to) + half).to_array(), scale)
    };
    (0..links).map(|_| link()).collect()
}

/// Wedges around the z axis.
pub fn ring(wedges: usize, scale: f64) -> Vec<Part> {
    let corner = |k: usize, radius: f64, z: f64| {
        let at = circle_point(k as f64 / wedges as f64) * radius;
        scale * DVec3::new(at.x, at.y, z)
    };
    let wedge = |k: usize| {
        let corners = [k, k + 1].map(|k| [0.75, 1.25].map(|r| [-0.25, 0.25].map(|z| corner(k, r, z))));
        polytope(corners.as_flattened().as_flattened())
    };
    (0..wedges).map(wedge).collect()
}

/// One of all the above: parts that share faces, overlap, or are meshes and polygons.
pub fn any_compound(random: &mut Random, scale: f64) -> Compound {
    let links = 1 + random.below(7) as usize;
    let wedges = 3 + random.below(9) as usize;
    match random.below(6) {
        0 => angle(0.5 * scale),
        1 => fork(0.5 * scale),
        2 => compound(chain(random, links, scale)),
        3 => compound(ring(wedges, scale)),
        4 => compound(chain(random, links, scale).into_iter().chain([ring_mesh(scale)]).collect()),
        _ => {
            let sheet = [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].map(|p| p * scale);
            compound(vec![polytope(&sheet), ring_mesh(scale), cuboid([-0.25; 3], [0.25; 3], scale)])
        }
    }
}

/// A pose that keeps the axes and a grid, so that faces come to lie on faces.
pub fn grid_pose(random: &mut Random, scale: f64) -> Pose {
    let mut step = || (random.below(9) as f64 - 4.0) * 0.25;
    Pose::from_translation(DVec3::new(step(), step(), step()) * scale).expect("valid")
}

/// Any pose.
pub fn any_pose(random: &mut Random, scale: f64) -> Pose {
    let turn = DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.0));
    Pose::from_quaternion(turn, random_direction(random) * random.range(0.0, 2.5) * scale).expect("valid")
}

/// A part as a mesh.
pub fn as_mesh(part: &Part) -> TreeMesh {
    match part {
        Part::Mesh(mesh) => (**mesh).clone(),
        Part::Polytope(map) => TreeMesh::from_polytope(map.polytope()).expect("valid"),
    }
}

/// Every part of one with every part of the other: the strongest relation and the least distance.
pub fn brute_force(a: &Compound, pose_a: &Pose, b: &Compound, pose_b: &Pose) -> (Relation, [f64; 2]) {
    let (mut strongest, mut nearest) = (Relation::Disjoint, [f64::INFINITY; 2]);
    for part_a in a.parts() {
        for part_b in b.parts() {
            let (found, [lower, upper]) = match (part_a, part_b) {
                (Part::Polytope(a), Part::Polytope(b)) => {
                    let gap = pair::distance(a, pose_a, b, pose_b);
                    (pair::relation(a, pose_a, b, pose_b), [gap.lower, gap.upper])
                }
                _ => {
                    let (a, b) = (as_mesh(part_a), as_mesh(part_b));
                    let gap = mesh::distance(&a, pose_a, &b, pose_b);
                    (mesh::relation(&a, pose_a, &b, pose_b).relation, [gap.lower, gap.upper])
                }
            };
            strongest = strongest.max(found);
            nearest = [nearest[0].min(lower), nearest[1].min(upper)];
        }
    }
    (strongest, nearest)
}

/// Two compounds, and one against the parts of the other as bodies of their own.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let scale = power_of_two([0, -20, 20][random.below(3) as usize]);
    let (a, b) = (any_compound(random, scale), any_compound(random, scale));
    let place = if random.below(3) == 0 { any_pose } else { grid_pose };
    let (pose_a, pose_b) = (place(random, scale), place(random, scale));
    let (truth, [lower, upper]) = brute_force(&a, &pose_a, &b, &pose_b);
    let found = distance(&a, &pose_a, &b, &pose_b);
    let is_near = |limit: f64| within(&a, &pose_a, &b, &pose_b, limit);
    let claims = [
        relation(&a, &pose_a, &b, &pose_b) == truth && relation(&b, &pose_b, &a, &pose_a) == truth,
        collides(&a, &pose_a, &b, &pose_b) == (truth != Relation::Disjoint),
        found.lower <= upper && lower <= found.upper && found.upper - found.lower <= 1.01e-12 * found.upper,
        is_near(upper) && (upper == 0.0 || !is_near(lower * (1.0 - 1e-11))) && !is_near(f64::NAN),
    ];
    let context = |what: String| {
        format!(
            "{what}: {truth:?}, {lower:e} to {upper:e}, {found:?} for {:?} {pose_a:?} {:?} {pose_b:?}",
            a.parts(),
            b.parts()
        )
    };
    if claims != [true; 4] {
        return Err(context(format!("{claims:?}")));
    }
    compare_bodies(&a, &pose_a, &b, &pose_b, truth, [lower, upper]).map_err(context)
}

/// All ways to dispatch: two compounds, and a compound and each part of the other.
fn compare_bodies(
    a: &Compound,
    pose_a: &Pose,
    b: &Compound,
    pose_b: &Pose,
    truth: Relation,
    [lower, upper]: [f64; 2],
) -> Result<(), String> {
    let (body_a, body_b) = (Body::from(a.clone()), Body::from(b.clone()));
    let parts = b.parts().iter().map(|part| match part {
        Part::Polytope(map) => Body::Convex(Convex::from((**map).clone())),
        Part::Mesh(mesh) => Body::Mesh(mesh.clone()),
    });
    let (mut strongest, mut nearest) = (Relation::Disjoint, [f64::INFINITY; 2]);
    let mut is_near = Within::No;
    for part in parts {
        let there = relate(&body_a, pose_a, &part, pose_b).map_err(|error| error.to_string())?;
        let back = relate(&part, pose_b, &body_a, pose_a).map_err(|error| error.to_string())?;
        let near =
            crate::body::within(&part, pose_b, &body_a, pose_a, upper).map_err(|error| error.to_string())?;
        let ConvexRelation::Exact(found) = there.relation else { return Err("undecided".into()) };
        if back.relation != there.relation || back.distance != there.distance {
            return Err(format!("{there:?} is not {back:?} swapped"));
        }
        strongest = strongest.max(found);
        nearest = [nearest[0].min(there.distance.lower), nearest[1].min(there.distance.upper)];
        is_near = if near == Within::Yes { near } else { is_near };
    }
    let whole = relate(&body_a, pose_a, &body_b, pose_b).map_err(|error| error.to_string())?;
    let is_right = strongest == truth
        && whole.relation == ConvexRelation::Exact(truth)
        && is_near == Within::Yes
        && crate::body::within(&body_a, pose_a, &body_b, pose_b, upper) == Ok(Within::Yes)
        && nearest[0] <= upper
        && lower <= nearest[1]
        && whole.distance.lower <= upper
        && lower <= whole.distance.upper;
    if is_right { Ok(()) } else { Err(format!("bodies say {strongest:?}, {nearest:?} and {whole:?}")) }
}
