//! Two polytopes close to a cylinder, cone or ellipsoid: one strictly inside, one around it.

use crate::mesh::TreeMesh;
use crate::shape::sample::icosphere;
use crate::shape::{Polytope, Primitive};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Corners of the polygons that stand for circles.
const RING: usize = 32;

/// Each edge of an icosahedron is cut into so many for a ball.
const FREQUENCY: u32 = 4;

/// By this part polytopes are smaller and larger than they need be: far more than rounding does to them.
const ROOM: f64 = 1e-6;

/// A polytope strictly inside a curved body, one that holds it strictly inside, and how far apart they are.
pub(super) struct Shell {
    pub inner: TreeMesh,
    pub outer: TreeMesh,
    /// No point of the outer one is farther from the inner one, in the frame of the body.
    pub thickness: f64,
}

impl Shell {
    /// `None` for other bodies, and for those beyond the limits of coordinates.
    ///
    /// A body is the image of one of size 1 under a scaling of the axes, so polytopes around and inside that one are scaled.
    /// Vertices err by a unit in the last place of each coordinate, which is far below `ROOM` in either.
    pub fn around(body: &Primitive) -> Option<Shell> {
        let (pairs, scale) = match body {
            Primitive::Ellipsoid(body) => (ball()?, body.semi_axes()),
            Primitive::Cylinder(body) => {
                let rings = [1.0, -1.0].into_iter().flat_map(|z| ring(z, DVec3::ZERO));
                (rings.collect(), DVec3::new(body.radius(), body.radius(), 0.5 * body.height()))
            }
            Primitive::Cone(body) => {
                let centre = DVec3::new(0.0, 0.0, -0.5);
                let pairs = ring(-1.0, centre).chain([around(centre, [DVec3::Z; 2])]);
                (pairs.collect(), DVec3::new(body.radius(), body.radius(), 0.5 * body.height()))
            }
            _ => return None,
        };
        let pairs: Vec<[DVec3; 2]> = pairs.into_iter().map(|pair| pair.map(|point| point * scale)).collect();
        // By convexity, as every vertex of one is as near to one of the other.
        let thickness = pairs.iter().map(|[inner, outer]| inner.distance(*outer)).fold(0.0, f64::max);
        let mesh = |k: usize| {
            let hull = Polytope::hull(&pairs.iter().map(|pair| pair[k]).collect::<Vec<_>>()).ok()?;
            TreeMesh::from_polytope(&hull).ok()
        };
        Some(Shell { inner: mesh(0)?, outer: mesh(1)?, thickness: thickness * (1.0 + ROOM) })
    }
}

/// A point inside and one outside, made a little smaller and larger as seen from a centre.
fn around(centre: DVec3, [inner, outer]: [DVec3; 2]) -> [DVec3; 2] {
    [centre + (inner - centre) * (1.0 - ROOM), centre + (outer - centre) * (1.0 + ROOM)]
}

/// Polygons in and around the unit circle at a height.
fn ring(z: f64, centre: DVec3) -> impl Iterator<Item = [DVec3; 2]> {
    let reach = 1.0 / (PI / RING as f64).cos();
    (0..RING).map(move |k| {
        let (y, x) = (TAU * k as f64 / RING as f64).sin_cos();
        around(centre, [1.0, reach].map(|r| DVec3::new(r * x, r * y, z)))
    })
}

/// Polytopes in and around the unit ball: each as far away as its nearest face needs.
fn ball() -> Option<Vec<[DVec3; 2]>> {
    let soup = icosphere(1.0, FREQUENCY).ok()?;
    let height = |triangle: &[u32; 3]| {
        let [p, q, r] = triangle.map(|vertex| soup.positions[vertex as usize]);
        (q - p).cross(r - p).normalize().dot(p)
    };
    let nearest = soup.triangles.iter().map(height).fold(1.0, f64::min);
    let pairs = soup.positions.iter().map(|&point| around(DVec3::ZERO, [point, point / nearest]));
    Some(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random};
    use crate::mesh;
    use crate::pair::PointLocation;
    use crate::shape::sample::random_direction;
    use crate::shape::{Cone, Cylinder, Ellipsoid};

    #[test]
    fn extreme_points_of_a_body_lie_between_its_polytopes() {
        let bodies = [
            Primitive::from(Cylinder::new(2.0, 1e-3).unwrap()),
            Primitive::from(Cone::new(1e-3, 2.0).unwrap()),
            Primitive::from(Ellipsoid::new(DVec3::new(1.0, 1e4, 1e-4)).unwrap()),
        ];
        let mut random = Random::new(1);
        for body in bodies {
            let shell = Shell::around(&body).unwrap();
            for _ in 0..300 {
                let point = body.support(random_direction(&mut random)).unwrap().point;
                let at = |mesh: &TreeMesh| mesh::contains_point(mesh, &Pose::IDENTITY, point).unwrap();
                assert_eq!(at(&shell.outer), PointLocation::Inside);
                assert_eq!(at(&shell.inner), PointLocation::Outside);
            }
        }
    }
}
