//! The car and the cube.

use super::PolygonMesh;
use glam::DVec3;

/// Side view of the car, counter-clockwise: `(x, z, half width)`, the front at `+x`.
const PROFILE: [[f64; 3]; 8] = [
    [-2.25, 0.25, 0.875],
    [2.25, 0.25, 0.875],
    [2.25, 0.75, 0.875],
    [0.875, 1.0, 0.875],
    [0.25, 1.5, 0.625],
    [-1.25, 1.5, 0.625],
    [-1.75, 1.0, 0.875],
    [-2.25, 0.875, 0.875],
];

/// A car with the counts of the one in Buss (2004, figure 12): 12 flat faces, 16 vertices, 26 edges.
///
/// The figure gives no coordinates; these are in metres and exact in binary, so that every face is
/// exactly flat. Not convex: the windscreen and the rear window meet bonnet and boot in a hollow.
/// Faces 0 to 7 go around (floor, front, bonnet, windscreen, roof, rear window, boot, rear), 8 and 9
/// are the left body and windows, 10 and 11 the right ones. The front is at `+x`, up is `+z`.
///
/// ```
/// let car = clearance::shape::sample::car();
/// assert_eq!((car.positions.len(), car.edge_count(), car.polygons.len()), (16, 26, 12));
/// ```
pub fn car() -> PolygonMesh {
    // Vertices 0 to 7 lie on the right (-y), 8 to 15 on the left (+y).
    let side = |sign: f64| PROFILE.map(|[x, z, half]| DVec3::new(x, sign * half, z));
    let around = (0u32..8).map(|i| vec![i, i + 8, (i + 1) % 8 + 8, (i + 1) % 8]);
    let sides = [vec![8, 15, 14, 11, 10, 9], vec![11, 14, 13, 12], vec![0, 1, 2, 3, 6, 7], vec![3, 4, 5, 6]];
    PolygonMesh {
        positions: side(-1.0).into_iter().chain(side(1.0)).collect(),
        polygons: around.chain(sides).collect(),
    }
}

/// A cube of 6 squares around the origin, exact for every edge length.
///
/// Vertex `i` has `+x` when bit 0 of `i` is set, `+y` for bit 1, `+z` for bit 2.
///
/// ```
/// let cube = clearance::shape::sample::cube(2.0);
/// assert_eq!((cube.positions.len(), cube.edge_count(), cube.polygons.len()), (8, 12, 6));
/// ```
pub fn cube(edge: f64) -> PolygonMesh {
    let half = 0.5 * edge;
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { half } else { -half };
    let faces: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    PolygonMesh {
        positions: (0..8).map(|i| DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect(),
        polygons: faces.iter().map(|face| face.to_vec()).collect(),
    }
}
