//! Where on a triangle a point lies.

use super::coplanar::place;
use super::pair::{next, shadow};
use crate::exact::{Posed, orient2d_posed, orient3d_posed};
use crate::pair::Feature;

/// The corner, the edge or the inside of the face of a triangle in which a point lies, exactly; `None` if it lies not
/// on the triangle, or the triangle is flat.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::Feature, triangle::locate};
/// let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| Pose::IDENTITY.at(p));
/// let at = |x, y, z| locate(triangle, Pose::IDENTITY.at(DVec3::new(x, y, z)));
/// assert_eq!(at(0.25, 0.25, 0.0), Some(Feature::Face([0, 1, 2])));
/// assert_eq!(at(0.5, 0.5, 0.0), Some(Feature::Edge([1, 2])));
/// assert_eq!(at(0.5, 0.5, 5e-324), None);
/// ```
pub fn locate(triangle: [Posed<'_>; 3], point: Posed<'_>) -> Option<Feature> {
    let [p, q, r] = triangle;
    if !orient3d_posed(p, q, r, point).is_zero() {
        return None;
    }
    let (axis, turn) = shadow(triangle)?;
    place([0, 1, 2].map(|k| orient2d_posed(axis, triangle[k], triangle[next(k)], point) * turn))
}
