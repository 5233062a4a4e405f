//! Prisms.

use super::SampleError;
use super::circle::regular_polygon;
use super::error::Check;
use super::grid::Grid;
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// A prism over a regular polygon as a mesh, along z and centred: `4 corners` triangles.
///
/// Every corner lies on a circle of the given radius; both caps are fans around their centre.
///
/// ```
/// let pin = clearance::shape::sample::prism(24, 0.5, 3.0)?;
/// assert_eq!(pin.triangles.len(), 96);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn prism(corners: u32, radius: f64, height: f64) -> Result<TriangleSoup, SampleError> {
    let check = Check("prism");
    check.count("corners", corners, 3..=1_000_000, "give 3 to 1,000,000 corners")?;
    check.length("radius", radius)?;
    check.length("height", height)?;
    let outline: Vec<DVec2> = regular_polygon(corners).map(|corner| radius * corner).collect();
    let mut grid = Grid::new(corners, 2);
    for z in [-0.5 * height, 0.5 * height] {
        grid.push(|column| outline[column as usize].extend(z));
    }
    Ok(grid.into_ball(DVec3::new(0.0, 0.0, -0.5 * height), DVec3::new(0.0, 0.0, 0.5 * height)))
}
