//! Tori.

use super::circle::regular_polygon;
use super::error::Check;
use super::grid::Grid;
use super::{PolygonMesh, SampleError};
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// A torus around the z axis: a ring of `around` segments whose tube has `across` segments.
///
/// `2 around across` triangles; the vertices lie on the torus. Quad `q = ring * across + column` of
/// ring `ring` (counter-clockwise around z) becomes triangles `2q` and `2q + 1`.
///
/// ```
/// let torus = clearance::shape::sample::torus(2.0, 0.5, 48, 24)?;
/// assert_eq!(torus.triangles.len(), 2 * 48 * 24);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn torus(
    ring_radius: f64,
    tube_radius: f64,
    around: u32,
    across: u32,
) -> Result<TriangleSoup, SampleError> {
    let check = Check("torus");
    check.length("ring_radius", ring_radius)?;
    check.length("tube_radius", tube_radius)?;
    let need = "it must be at most 0.99 of the ring radius, else the tube meets itself";
    check.that(|| tube_radius <= 0.99 * ring_radius, "tube_radius", tube_radius, need)?;
    check.count("around", around, 3..=4096, "give 3 to 4096 segments")?;
    check.count("across", across, 3..=4096, "give 3 to 4096 segments")?;
    let tube: Vec<DVec2> = regular_polygon(across).collect();
    let mut grid = Grid::new(across, around);
    for outward in regular_polygon(around) {
        grid.push(|column| {
            // Clockwise in (radius, z), so that the next ring lies in front of an outside viewer's right.
            let DVec2 { x, y } = tube[(across - column) as usize % tube.len()];
            let radius = ring_radius + tube_radius * x;
            DVec3::new(radius * outward.x, radius * outward.y, tube_radius * y)
        });
    }
    Ok(grid.into_torus())
}

/// The torus of 300 quadrilaterals, 300 vertices and 600 edges that Buss (2004, section 7) times:
/// 25 segments around, 12 across, radii 2 and 1 (the paper gives no radii).
///
/// Each face is an isosceles trapezoid, flat up to rounding. Triangles `2q` and `2q + 1` of
/// [`PolygonMesh::to_soup`] come from face `q`.
///
/// ```
/// let torus = clearance::shape::sample::rectangle_torus();
/// assert_eq!((torus.positions.len(), torus.polygons.len(), torus.edge_count()), (300, 300, 600));
/// ```
pub fn rectangle_torus() -> PolygonMesh {
    const AROUND: u32 = 25;
    const ACROSS: u32 = 12;
    let positions = torus(2.0, 1.0, AROUND, ACROSS).map_or(Vec::new(), |soup| soup.positions);
    let index = |ring: u32, column: u32| (ring % AROUND) * ACROSS + column % ACROSS;
    let quad = |q: u32| {
        let (ring, column) = (q / ACROSS, q % ACROSS);
        let next = [index(ring, column + 1), index(ring + 1, column + 1), index(ring + 1, column)];
        vec![index(ring, column), next[0], next[1], next[2]]
    };
    PolygonMesh { positions, polygons: (0..AROUND * ACROSS).map(quad).collect() }
}
