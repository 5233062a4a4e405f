//! Whether a part lies inside another without touching its surface, where one of them is curved.
//!
//! A part is held by the hull of equal balls around some points. A convex part that holds the balls strictly inside holds their
//! hull, and it does hold a ball of radius r if no translation of at most 2r parts the two: a ball in it has to go as far as
//! its middle is from the surface, and r more. So what is said is proved; a part as close to the surface as its balls are to
//! the part is not told from one that touches it.

use super::placed::Placed;
use clearance::{
    Pose,
    body::{self, Body},
    glam::DVec3,
    mesh::{self, MeshCache, TreeMesh},
    pair::Relation,
    shape::{Polytope, Primitive, Shape, Sphere, sample},
    witness::Side,
};
use std::f64::consts::{PI, TAU};

/// Corners of the polygon around a circle: 3e-4 larger.
const RING: usize = 128;

/// Each edge of an icosahedron is cut into so many for a ball: 1e-2 larger.
const FREQUENCY: u32 = 6;

/// By this part points lie farther out than they need: more than they round by.
const ROOM: f64 = 1e-9;

/// The part of two that overlap which is proved to lie inside the other.
pub fn enclosed(a: &Placed<'_>, b: &Placed<'_>) -> Option<Side> {
    if is_inside(a, b) {
        Some(Side::A)
    } else if is_inside(b, a) {
        Some(Side::B)
    } else {
        None
    }
}

fn is_inside(inner: &Placed<'_>, outer: &Placed<'_>) -> bool {
    let (Some(small), Some(large)) = (inner.bounds, outer.bounds) else { return false };
    if !large.contains(small.min) || !large.contains(small.max) {
        return false;
    }
    let Some(balls) = Balls::around(inner) else { return false };
    match outer.geometry.body {
        Body::Convex(_) => balls.are_inside(inner.pose, outer),
        Body::Mesh(mesh) => balls.are_inside_mesh(inner.pose, mesh, outer.pose),
        Body::Compound(_) => false,
    }
}

/// Equal balls whose hull holds a part, in its frame.
struct Balls {
    centres: Vec<DVec3>,
    radius: f64,
}

impl Balls {
    fn around(part: &Placed<'_>) -> Option<Balls> {
        let geometry = part.geometry;
        if let Some(points) = geometry.points() {
            return Some(Balls { centres: points.to_vec(), radius: 0.0 });
        }
        let convex = geometry.body.as_convex()?;
        if let Some(core) = convex.core() {
            return Some(Balls { centres: core.polytope().vertices().to_vec(), radius: convex.radius() });
        }
        let (core, radius) = match geometry.shape()? {
            Shape::Primitive(core) => (core, 0.0),
            _ => return None,
        };
        let centres = match core {
            Primitive::Cylinder(body) => {
                let ends = [0.5, -0.5].map(|share| share * body.height() * (1.0 + ROOM));
                ends.into_iter().flat_map(|z| ring(body.radius(), z)).collect()
            }
            Primitive::Cone(body) => {
                let [top, bottom] = [0.5, -0.5].map(|share| share * body.height() * (1.0 + ROOM));
                // Wider by as much as the tip is higher, so that its side is outside, too.
                ring(body.radius() * (1.0 + 4.0 * ROOM), bottom).chain([DVec3::Z * top]).collect()
            }
            Primitive::Ellipsoid(body) => ball()?.into_iter().map(|point| point * body.semi_axes()).collect(),
            _ => return None,
        };
        Some(Balls { centres, radius })
    }

    /// In a convex part.
    fn are_inside(&self, pose: &Pose, outer: &Placed<'_>) -> bool {
        // The middle of a ball rounds, so the ball is made larger.
        let radius = (self.radius + self.rounding(pose)).next_up();
        let ball = Sphere::new(radius).ok().map(|ball| Shape::from(Primitive::from(ball)));
        let Some(ball) = ball.and_then(|ball| Body::try_from(&ball).ok()) else { return false };
        self.centres.iter().all(|&centre| {
            let Ok(place) = Pose::from_translation(pose.apply(centre)) else { return false };
            let found = body::relate(&ball, &place, outer.geometry.body, outer.pose);
            found.ok().and_then(|found| found.depth).is_some_and(|depth| depth.lower > 2.0 * radius)
        })
    }

    /// In a solid that need not be convex: a polytope around them is.
    fn are_inside_mesh(&self, pose: &Pose, mesh: &TreeMesh, mesh_pose: &Pose) -> bool {
        let radius = self.radius + self.rounding(pose);
        let Some(ball) = ball() else { return false };
        let around = |&centre: &DVec3| ball.iter().map(move |&point| centre + radius * point);
        let points: Vec<DVec3> = self.centres.iter().flat_map(around).collect();
        let hull = Polytope::hull(&points).ok().and_then(|hull| TreeMesh::from_polytope(&hull).ok());
        hull.is_some_and(|hull| {
            let found = mesh::relation_with(mesh, mesh_pose, &hull, pose, &mut MeshCache::default());
            found.relation == Relation::Overlapping && found.enclosed == Some(Side::B)
        })
    }

    /// More than images of the centres, and sums with points around them, round by; and than a pose that is orthonormal to
    /// 1e-9 stretches a part.
    fn rounding(&self, pose: &Pose) -> f64 {
        let largest = self.centres.iter().fold(DVec3::ZERO, |largest, point| largest.max(point.abs()));
        let size = largest.element_sum() + self.radius;
        16.0 * f64::EPSILON * (size + pose.translation().abs().element_sum()) + 4.0 * ROOM * size
    }
}

/// The corners of a polygon around a circle.
fn ring(radius: f64, z: f64) -> impl Iterator<Item = DVec3> {
    let reach = radius * (1.0 + ROOM) / (PI / RING as f64).cos();
    (0..RING).map(move |k| {
        let (y, x) = (TAU * k as f64 / RING as f64).sin_cos();
        DVec3::new(reach * x, reach * y, z)
    })
}

/// The corners of a polytope around the unit ball.
fn ball() -> Option<Vec<DVec3>> {
    let soup = sample::icosphere(1.0, FREQUENCY).ok()?;
    let height = |triangle: &[u32; 3]| {
        let [p, q, r] = triangle.map(|vertex| soup.positions[vertex as usize]);
        (q - p).cross(r - p).normalize().dot(p)
    };
    let nearest = soup.triangles.iter().map(height).fold(1.0, f64::min);
    Some(soup.positions.iter().map(|&point| point * ((1.0 + ROOM) / nearest)).collect())
}
