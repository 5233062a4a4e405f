//! Meshes against convex bodies: every triangle by itself.

use super::solid::{Solid, any_pose};
use crate::body::{Body, BodyAnswer, relate};
use crate::math::round::power_of_two;
use crate::math::{Pose, Random};
use crate::pair::{self, Bracket, Convex, ConvexRelation, PointLocation, Relation};
use crate::shape::sample::{random_direction, torus};
use crate::shape::{Mesh, MeshConfig, MeshKind, Polytope, Shape, TriangleSoup};
use crate::solid::{self, EveryTriangle};
use glam::DVec3;

/// A ring, a ring with a piece missing, two tetrahedra that may cross, or loose triangles.
fn any_mesh(random: &mut Random, size: f64) -> Option<Mesh> {
    let mut soup = match random.below(4) {
        0 | 1 => torus(1.0, 0.4, 7, 5).ok()?,
        2 => {
            let positions: Vec<DVec3> = (0..8).map(|_| 1.5 * random_direction(random)).collect();
            let tetrahedron = |first: usize| {
                let [p, q, r, s] = [0, 1, 2, 3].map(|i| positions[first + i]);
                let [q, r] = if (q - p).cross(r - p).dot(s - p) > 0.0 { [1, 2] } else { [2, 1] };
                [[0, r, q], [0, q, 3], [q, r, 3], [r, 0, 3]].map(|t| t.map(|i| first as u32 + i as u32))
            };
            let triangles = [tetrahedron(0), tetrahedron(4)].concat();
            TriangleSoup { positions, triangles, ..TriangleSoup::default() }
        }
        _ => TriangleSoup {
            positions: (0..12).map(|_| random_direction(random)).collect(),
            triangles: (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            ..TriangleSoup::default()
        },
    };
    if random.below(4) == 0 {
        soup.triangles.truncate(soup.triangles.len() * 3 / 4);
    }
    soup.positions.iter_mut().for_each(|point| *point *= size);
    Mesh::build(&soup, &MeshConfig::default()).ok()
}

/// A mesh and a cylinder, cone, ellipsoid, box, ball, capsule or polytope, rounded or not: the answer is that of the
/// triangles one by one, and of what a point of the body says where none meets it.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let size = power_of_two([0, 0, 0, -20, 20][random.below(5) as usize]);
    let size_b = size * [1.0, 1.0, 0.3, 0.05][random.below(4) as usize];
    let Some(mesh) = any_mesh(random, size) else { return Ok(()) };
    let solid_b = Solid::random(random, size_b);
    let convex = solid_b.convex();
    let shape = Shape::from(mesh.clone());
    let (a, b) = (Body::try_from(&shape), Body::try_from(&solid_b.shape));
    let (a, b) = (a.map_err(|e| e.to_string())?, b.map_err(|e| e.to_string())?);
    // The hull of a convex solid is not a mesh.
    if a.as_mesh().is_none() {
        return Ok(());
    }
    let (mut pose_a, mut pose_b) = (any_pose(random, size), any_pose(random, 0.5 * size));
    if random.below(4) == 0 {
        let far = DVec3::splat(1e6 * size);
        let moved = |pose: &Pose| Pose::new(pose.rotation(), pose.translation() + far);
        (pose_a, pose_b) =
            (moved(&pose_a).map_err(|e| e.to_string())?, moved(&pose_b).map_err(|e| e.to_string())?);
    }
    if random.below(2) == 0 {
        // Moved until they nearly touch.
        let truth = Truth::new(&mesh, &pose_a, &convex, &pose_b)?;
        let left = size * [0.0, 1e-14, -1e-14, 1e-9, -1e-9, 1e-4][random.below(6) as usize];
        let shift = truth.normal * (left - truth.gap.upper);
        pose_b = Pose::new(pose_b.rotation(), pose_b.translation() + shift).unwrap_or(pose_b);
    }
    let truth = Truth::new(&mesh, &pose_a, &convex, &pose_b)?;
    let context = |what: String| {
        format!("{what}: {:?} and {:?} at {pose_a:?} and {pose_b:?}", mesh.triangles().len(), solid_b.shape)
    };
    let there = relate(&a, &pose_a, &b, &pose_b).map_err(|error| context(error.to_string()))?;
    let back = relate(&b, &pose_b, &a, &pose_a).map_err(|error| context(error.to_string()))?;
    let reach = pose_a.translation().abs().max_element() + 8.0 * size;
    for answer in [there, back] {
        truth.check(&answer, reach).map_err(|what| context(format!("{what} {answer:?}")))?;
    }
    Ok(())
}

/// What the triangles say.
#[derive(Debug)]
struct Truth {
    /// The least gap, negative if a triangle overlaps the body.
    gap: Bracket,
    normal: DVec3,
    /// A point of the body is inside the mesh.
    is_inside: bool,
}

impl Truth {
    fn new(mesh: &Mesh, pose_a: &Pose, convex: &Convex, pose_b: &Pose) -> Result<Truth, String> {
        let (mut gap, mut normal) = (Bracket { lower: f64::INFINITY, upper: f64::INFINITY }, DVec3::X);
        for triangle in 0..mesh.triangles().len() {
            let hull = Polytope::hull(&mesh.triangle(triangle)).map_err(|error| error.to_string())?;
            let found = pair::relate(&Convex::from_polytope(hull), pose_a, convex, pose_b)
                .map_err(|error| error.to_string())?;
            let depth = found.depth.unwrap_or(Bracket::ZERO);
            let (lower, upper) = match found.relation {
                ConvexRelation::Exact(Relation::Disjoint) => (found.distance.lower, found.distance.upper),
                ConvexRelation::Exact(Relation::Overlapping) => (-depth.upper, -depth.lower),
                ConvexRelation::Exact(Relation::Touching) => (0.0, 0.0),
                ConvexRelation::TouchingWithin { .. } => (-depth.upper, found.distance.upper),
            };
            if upper < gap.upper {
                normal = found.normal.unwrap_or(DVec3::X);
            }
            gap = Bracket { lower: gap.lower.min(lower), upper: gap.upper.min(upper) };
        }
        // All bodies but polytopes have their own origin inside; polytopes have their first vertex.
        let point = convex.core().map_or(DVec3::ZERO, |core| core.vertex(0));
        let body = solid::Body { mesh, pose: pose_a, search: &EveryTriangle(mesh) };
        let is_inside = mesh.kind() == MeshKind::Solid
            && solid::contains_point(&body, pose_b.apply(point)) == Ok(PointLocation::Inside);
        Ok(Truth { gap, normal, is_inside })
    }

    fn check(&self, answer: &BodyAnswer, reach: f64) -> Result<(), String> {
        let Bracket { lower, upper } = self.gap;
        let slack = 1e-13 * reach;
        let expected = match (lower > slack, upper < -slack) {
            (true, _) if !self.is_inside => Some(Relation::Disjoint),
            (true, _) | (_, true) => Some(Relation::Overlapping),
            _ => None,
        };
        let fits = match (answer.relation, expected) {
            (ConvexRelation::Exact(relation), Some(expected)) => relation == expected,
            // So near that triangles alone do not tell; but nothing may be claimed that they refute.
            (ConvexRelation::Exact(Relation::Disjoint), None) => upper >= 0.0,
            (ConvexRelation::Exact(Relation::Overlapping), None) => lower <= 0.0 || self.is_inside,
            (ConvexRelation::Exact(Relation::Touching), None) => true,
            (ConvexRelation::TouchingWithin { width }, None) => width <= 4.0 * slack,
            (ConvexRelation::TouchingWithin { width }, Some(_)) => width > lower.abs().min(upper.abs()),
        };
        let is_apart = answer.relation == ConvexRelation::Exact(Relation::Disjoint);
        let Bracket { lower: low, upper: high } = answer.distance;
        let holds = !is_apart || (low <= upper && high >= lower && high - low <= 1e-7 * high + slack);
        let is_zero = is_apart || low == 0.0;
        if fits && holds && is_zero { Ok(()) } else { Err(format!("{expected:?} by {self:?}, but")) }
    }
}
