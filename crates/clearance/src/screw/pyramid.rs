//! Whether a vertex of one body is inside another for sure: in a pyramid over one of its faces.

use super::motion::At;
use super::plane::{MovingBody, U};
use glam::DVec3;

/// Where a place is, seen from a face of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// Inside the body for sure.
    Inside,
    /// Below the plane of the face, but not known to be below the face.
    Beside,
    /// Not known to be below its plane.
    Unknown,
}

impl MovingBody<'_> {
    /// Whether a place, off by at most `off`, is inside the body: in the pyramid of a face, named by three of its vertices, and the
    /// vertex farthest below it.
    pub fn below_face(&self, face: [u32; 3], place: DVec3, off: f64, at: &At) -> Below {
        let polytope = self.map.polytope();
        if polytope.dimension() < 3 {
            return Below::Unknown;
        }
        let Some(corners) = polytope.faces().find(|corners| face.iter().all(|v| corners.contains(v))) else {
            return Below::Unknown;
        };
        // Seen from a corner, so that numbers are as small as the body.
        let start = self.map.vertex(corners[0]);
        let seen = |v: u32| at.pose.apply_vector(self.map.vertex(v) - start);
        let corner = |i: usize| seen(corners[i % corners.len()]);
        let normal = corner(1).cross(corner(2));
        let numbers =
            place.abs().element_sum() + at.pose.translation().abs().element_sum() + self.map.reach();
        let point = Point {
            place: place - at.pose.apply(start),
            off: 1.01 * (off + self.off(at) + 32.0 * U * numbers),
            turned: at.off.rotation + 16.0 * U,
        };
        // Corners are in order around the outward normal: inside is below the face, and inside of each side.
        if !point.is_under([corner(0), corner(1), corner(2)]) {
            return Below::Unknown;
        }
        let apex = seen(self.map.find(-at.pose.turn_back(normal)));
        let is_inside = (0..corners.len()).all(|i| point.is_under([corner(i), apex, corner(i + 1)]));
        if is_inside { Below::Inside } else { Below::Beside }
    }
}

/// A place that is off by at most `off`, among vectors that are off by `turned` of their lengths.
struct Point {
    place: DVec3,
    off: f64,
    turned: f64,
}

impl Point {
    /// Whether it is under the plane of three points, seen from where they are in mathematical order, by more than it is off.
    fn is_under(&self, [p, q, r]: [DVec3; 3]) -> bool {
        let normal = (q - p).cross(r - p);
        let [lp, lq, lr] = [p, q, r].map(|v| v.length() * (1.0 + 1e-9));
        let (first, second) = (lp + lq, lp + lr);
        let size = self.place.length() + lp;
        // Each of three vectors is off by rounding of those it is the difference of.
        -normal.dot(self.place - p)
            > 1.01 * first * second * (self.off + size * (3.0 * self.turned + 16.0 * U))
    }
}
