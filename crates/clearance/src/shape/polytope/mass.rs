//! Volume and centre of mass in floats.

use super::{Polytope, fan};
use crate::shape::hull::unit_scale;
use glam::{DVec3, DVec4};

/// Volume (0 below dimension 3) and centroid of the solid, polygon, segment or point.
///
/// The body is cut into simplices with a common apex, vertex 0, and coordinates are taken relative to it, so a far
/// offset costs no digits, and in a unit in which the body is of size 1, so nothing under- or overflows before
/// the last division. A product in the determinant of a simplex has three factors that err by `u`, `3u` and `3u` of the
/// box's extents (`u = 2^-53`), and six more roundings: less than `16u` box volumes, and a simplex, a sixth of six
/// products, no more. Simplices are not negative in truth, so clamping at zero only removes error and makes the
/// centroid a convex combination of vertices.
pub(super) fn volume_and_centroid(polytope: &Polytope) -> (f64, DVec3) {
    let bounds = polytope.bounds;
    let apex = polytope.vertices[0];
    let scale = unit_scale(bounds.extent().max_element());
    let local = |v: u32| (polytope.vertices[v as usize] - apex) * scale;
    let total = match polytope.dimension {
        3 => weighted_sum(polytope.faces().flat_map(fan).map(|t| tetrahedron(t.map(local)))),
        2 => weighted_sum(fan(polytope.face(0)).map(|t| triangle(t.map(local)))),
        // Halves of subnormal numbers round out of a box that is one point.
        _ => return (0.0, bounds.center().clamp(bounds.min, bounds.max)),
    };
    let measure = total.w;
    let center = if measure > 0.0 { total.truncate() / measure } else { mean(polytope, local) };
    let centroid = (apex + center / scale).clamp(bounds.min, bounds.max);
    let volume = if polytope.dimension == 3 { measure / scale / scale / scale } else { 0.0 };
    (volume, centroid)
}

/// First moment and volume of the tetrahedron with apex 0 over an outward triangle.
fn tetrahedron([a, b, c]: [DVec3; 3]) -> DVec4 {
    let volume = (a.dot((b - a).cross(c - a)) / 6.0).max(0.0);
    ((a + b + c) / 4.0 * volume).extend(volume)
}

/// First moment and area of a triangle.
fn triangle([a, b, c]: [DVec3; 3]) -> DVec4 {
    let area = (b - a).cross(c - a).length() / 2.0;
    ((a + b + c) / 3.0 * area).extend(area)
}

/// A compensated sum, so that the number of terms does not enter the error.
fn weighted_sum(terms: impl Iterator<Item = DVec4>) -> DVec4 {
    let (mut sum, mut lost) = (DVec4::ZERO, DVec4::ZERO);
    for term in terms {
        let corrected = term - lost;
        let next = sum + corrected;
        lost = (next - sum) - corrected;
        sum = next;
    }
    sum
}

/// For bodies so thin that every computed simplex is flat.
fn mean(polytope: &Polytope, local: impl Fn(u32) -> DVec3) -> DVec3 {
    let count = polytope.vertices.len();
    (0..count as u32).map(|v| local(v) / count as f64).sum()
}

#[cfg(test)]
mod tests {
    use crate::shape::Polytope;
    use glam::{DVec3, dvec3};

    fn box_corners(origin: DVec3, size: DVec3) -> Vec<DVec3> {
        (0..8).map(|i| origin + size * dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect()
    }

    #[test]
    fn a_far_box_keeps_its_volume_and_centre() {
        let origin = DVec3::splat(1e6);
        let size = dvec3(0.5, 0.25, 2.0);
        let solid = Polytope::hull(&box_corners(origin, size)).unwrap();
        assert_eq!(solid.volume(), 0.25);
        assert_eq!(solid.centroid(), origin + size / 2.0);
    }

    #[test]
    fn mass_survives_extreme_scales() {
        for exponent in [-900, -500, -20, 20, 290] {
            let unit = 2f64.powi(exponent);
            let solid = Polytope::hull(&box_corners(DVec3::ZERO, DVec3::splat(unit))).unwrap();
            assert_eq!(solid.centroid(), DVec3::splat(unit / 2.0), "2^{exponent}");
            assert_eq!(solid.volume(), unit * unit * unit, "2^{exponent}");
        }
    }

    #[test]
    fn flat_bodies_have_no_volume_but_a_centroid() {
        let triangle = [dvec3(0.0, 0.0, 1.0), dvec3(3.0, 0.0, 1.0), dvec3(0.0, 3.0, 1.0)];
        let polygon = Polytope::hull(&triangle).unwrap();
        assert_eq!(polygon.volume(), 0.0);
        assert!(polygon.centroid().distance(dvec3(1.0, 1.0, 1.0)) < 1e-15);
        let segment = Polytope::hull(&triangle[..2]).unwrap();
        assert_eq!((segment.volume(), segment.centroid()), (0.0, dvec3(1.5, 0.0, 1.0)));
        let point = Polytope::hull(&triangle[..1]).unwrap();
        assert_eq!((point.volume(), point.centroid()), (0.0, triangle[0]));
    }
}
