//! Turned parts.

use super::SampleError;
use super::circle::regular_polygon;
use super::error::Check;
use super::grid::Grid;
use crate::shape::TriangleSoup;
use glam::DVec2;

/// A turned part around the z axis: a profile of points `(radius, z)`, swept in equal steps.
///
/// A profile that begins and ends on the axis, upwards on its way, gives a body without a bore. Any other is closed from
/// its last point to its first and gives a ring; it runs upwards on the outside and downwards on the inside. The profile
/// must not meet itself, which is not checked.
///
/// ```
/// use clearance::{glam::DVec2, shape::sample::lathe};
/// let ring = [DVec2::new(5.0, 0.0), DVec2::new(5.0, 2.0), DVec2::new(3.0, 2.0), DVec2::new(3.0, 0.0)];
/// assert_eq!(lathe(&ring, 24)?.triangles.len(), 2 * 4 * 24);
/// let shaft = [DVec2::new(0.0, 0.0), DVec2::new(1.0, 0.0), DVec2::new(1.0, 9.0), DVec2::new(0.0, 9.0)];
/// assert_eq!(lathe(&shaft, 24)?.triangles.len(), 2 * 2 * 24);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
///
/// # Errors
/// Too few points or steps, or a radius that is not a positive length.
pub fn lathe(profile: &[DVec2], segments: u32) -> Result<TriangleSoup, SampleError> {
    let check = Check("lathe");
    check.count("segments", segments, 3..=100_000, "give 3 to 100,000 segments")?;
    let ends = [profile.first(), profile.last()].map(|end| end.copied().unwrap_or(DVec2::ONE));
    let closed = ends.iter().any(|end| end.x != 0.0);
    let rings = if closed { profile } else { profile.get(1..profile.len() - 1).unwrap_or_default() };
    let needed = if closed { 3 } else { 2 };
    check.count("points", rings.len() as u32, needed..=1_000_000, "give a profile with an inside")?;
    for point in rings {
        check.length("radius", point.x)?;
        check.that(|| point.y.abs() <= 1e60, "z", point.y, "give a length up to 1e60")?;
    }
    let directions: Vec<DVec2> = regular_polygon(segments).collect();
    let mut grid = Grid::new(segments, rings.len() as u32);
    for point in rings {
        grid.push(|column| (point.x * directions[column as usize]).extend(point.y));
    }
    let [below, above] = ends.map(|end| DVec2::ZERO.extend(end.y));
    Ok(if closed { grid.into_torus() } else { grid.into_ball(below, above) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Mesh, MeshConfig, MeshKind};

    #[test]
    fn turned_parts_are_solids_of_the_volume_of_their_prisms() {
        let ring = [(5.0, 0.0), (5.0, 2.0), (3.0, 2.0), (3.0, 0.0)].map(DVec2::from);
        let shaft =
            [(0.0, -1.0), (2.0, -1.0), (2.0, 4.0), (1.0, 4.0), (1.0, 6.0), (0.0, 6.0)].map(DVec2::from);
        // A polygon of 8 corners on the unit circle has the area 2 sqrt 2.
        for (profile, prisms) in [(&ring[..], 2.0 * (25.0 - 9.0)), (&shaft[..], 5.0 * 4.0 + 2.0)] {
            let mesh = Mesh::build(&lathe(profile, 8).unwrap(), &MeshConfig::default()).unwrap();
            assert_eq!(mesh.kind(), MeshKind::Solid);
            let expected = prisms * 8_f64.sqrt();
            let volume = mesh.volume().unwrap();
            assert!((volume - expected).abs() < 1e-12 * expected);
        }
    }

    #[test]
    fn profiles_without_an_inside_are_refused() {
        for profile in [&[][..], &[DVec2::ZERO], &[DVec2::ZERO, DVec2::X, DVec2::Y], &[DVec2::X, DVec2::ONE]]
        {
            assert!(lathe(profile, 8).is_err());
        }
        assert!(lathe(&[DVec2::X, DVec2::NAN, DVec2::ONE], 8).is_err());
        assert!(lathe(&[DVec2::X, DVec2::ONE, DVec2::splat(2.0)], 2).is_err());
    }
}
