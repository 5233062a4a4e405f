//! Convex polytopes whose vertices or faces have any number of neighbours.

use super::SampleError;
use super::circle::regular_polygon;
use super::error::Check;
use crate::shape::Polytope;
use glam::DVec3;

/// A cone over a regular polygon: the apex has `corners` neighbours, so does the base face.
///
/// The base lies at `z = -height / 2`, the apex at `(0, 0, height / 2)`. `corners + 1` vertices.
///
/// ```
/// let cone = clearance::shape::sample::cone(100, 1.0, 2.0)?;
/// assert_eq!(cone.vertices().len(), 101);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn cone(corners: u32, radius: f64, height: f64) -> Result<Polytope, SampleError> {
    let check = Check("cone");
    check_fan(check, corners, radius)?;
    check.length("height", height)?;
    let mut points = ring(corners, radius, -0.5 * height);
    points.push(DVec3::new(0.0, 0.0, 0.5 * height));
    hull(check, &points, corners)
}

/// Two cones base to base: both apexes have `corners` neighbours, all faces are triangles.
///
/// The apexes lie at `(0, 0, ±height / 2)`. `corners + 2` vertices, `2 corners` faces.
///
/// ```
/// let bipyramid = clearance::shape::sample::bipyramid(100, 1.0, 2.0)?;
/// assert_eq!((bipyramid.vertices().len(), bipyramid.face_count()), (102, 200));
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn bipyramid(corners: u32, radius: f64, height: f64) -> Result<Polytope, SampleError> {
    let check = Check("bipyramid");
    check_fan(check, corners, radius)?;
    check.length("height", height)?;
    let mut points = ring(corners, radius, 0.0);
    points.extend([DVec3::new(0.0, 0.0, 0.5 * height), DVec3::new(0.0, 0.0, -0.5 * height)]);
    hull(check, &points, corners)
}

/// A flat disc: a regular polygon (`thickness` zero, dimension 2) or a prism over one.
///
/// Its two large faces have `corners` vertices each.
///
/// ```
/// use clearance::shape::sample::disc;
/// assert_eq!(disc(100, 1.0, 0.0)?.dimension(), 2);
/// assert_eq!(disc(100, 1.0, 0.01)?.vertices().len(), 200);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn disc(corners: u32, radius: f64, thickness: f64) -> Result<Polytope, SampleError> {
    let check = Check("disc");
    check_fan(check, corners, radius)?;
    if thickness == 0.0 {
        return hull(check, &ring(corners, radius, 0.0), corners);
    }
    check.length("thickness", thickness)?;
    let mut points = ring(corners, radius, -0.5 * thickness);
    points.extend(ring(corners, radius, 0.5 * thickness));
    hull(check, &points, corners)
}

fn check_fan(check: Check, corners: u32, radius: f64) -> Result<(), SampleError> {
    // Far beyond, the rounding of a corner would no longer be small against its height over a chord.
    check.count("corners", corners, 3..=100_000, "give 3 to 100,000 corners")?;
    check.length("radius", radius)
}

fn ring(corners: u32, radius: f64, z: f64) -> Vec<DVec3> {
    regular_polygon(corners).map(|corner| (radius * corner).extend(z)).collect()
}

/// The hull, if every point is one of its vertices.
fn hull(check: Check, points: &[DVec3], corners: u32) -> Result<Polytope, SampleError> {
    let need = "points fall together at this size; use fewer corners";
    let Ok(polytope) = Polytope::hull(points) else {
        return Err(SampleError { sample: check.0, parameter: "corners", value: f64::from(corners), need });
    };
    let all = || polytope.vertices().len() == points.len();
    check.that(all, "corners", f64::from(corners), need)?;
    Ok(polytope)
}
