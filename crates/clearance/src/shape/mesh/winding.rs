//! The exact winding number of closed triangle sets around a point that need not be an `f64` one.
//!
//! A ray runs from the point in direction `-x`; each triangle it leaves through counts `+1`, each it
//! enters through `-1`. The point is moved by `d v - (e, e^2, e^3)` with infinitesimals
//! `1 >> d >> e`, so it lies on no triangle and the ray meets no edge: every sign below that is zero at
//! the point itself is decided by the first term of this series that changes it.

use crate::exact::Sign;
use dashu::rational::RBig;
use glam::DVec3;

/// A rational point with the direction `v` in which it is moved infinitely little.
pub(super) struct Probe {
    at: [RBig; 3],
    toward: [RBig; 3],
    /// `f64` numbers around each coordinate of `at`.
    enclosure: [(f64, f64); 3],
}

impl Probe {
    /// The mean of the points, not moved in any direction of its own.
    pub fn mean(points: &[DVec3]) -> Probe {
        let count = RBig::from(points.len());
        let at = std::array::from_fn(|axis| {
            points.iter().fold(RBig::ZERO, |sum, p| sum + exact(p[axis])) / &count
        });
        let enclosure = std::array::from_fn(|axis| {
            let near = RBig::to_f64(&at[axis]).value();
            (near.next_down(), near.next_up())
        });
        Probe { at, toward: std::array::from_fn(|_| RBig::ZERO), enclosure }
    }

    /// A point infinitely close to the middle of a triangle, on the side its normal points to.
    pub fn in_front(triangle: [DVec3; 3]) -> Probe {
        Probe { toward: normal(triangle), ..Probe::mean(&triangle) }
    }

    /// A point infinitely close to the middle of a triangle, on the other side.
    pub fn behind([a, b, c]: [DVec3; 3]) -> Probe {
        Probe { toward: normal([a, c, b]), ..Probe::mean(&[a, b, c]) }
    }

    /// Whether a box with these corners may hold the point.
    pub fn may_lie_in(&self, bounds: crate::Aabb) -> bool {
        (0..3).all(|axis| {
            bounds.min[axis] <= self.enclosure[axis].1 && self.enclosure[axis].0 <= bounds.max[axis]
        })
    }

    /// Smallest and largest possible `x`.
    pub fn x_range(&self) -> (f64, f64) {
        self.enclosure[0]
    }

    /// How often the triangles wind around the point; they must be closed and have area.
    /// `O(n)`, with rational arithmetic only for triangles near the ray.
    pub fn winding(&self, triangles: impl IntoIterator<Item = [DVec3; 3]>) -> i64 {
        triangles
            .into_iter()
            .filter(|corners| self.may_meet(corners))
            .map(|corners| self.crossing(corners))
            .sum()
    }

    fn may_meet(&self, corners: &[DVec3; 3]) -> bool {
        let [a, b, c] = *corners;
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        let [(_, x), (y0, y1), (z0, z1)] = self.enclosure;
        min.x <= x && min.y <= y1 && y0 <= max.y && min.z <= z1 && z0 <= max.z
    }

    fn crossing(&self, corners: [DVec3; 3]) -> i64 {
        let [a, b, c] = corners;
        let facing = self.side_in_plane(a, b);
        if facing.is_zero() || facing != self.side_in_plane(b, c) || facing != self.side_in_plane(c, a) {
            return 0;
        }
        // The projection is `facing`, so the normal's x has that sign; the ray goes toward -x.
        if self.side_in_space(corners, facing) == facing { -(facing as i64) } else { 0 }
    }

    /// On which side of the line `ab`, projected along x, the point lies; zero if that line is a point.
    fn side_in_plane(&self, a: DVec3, b: DVec3) -> Sign {
        let (y, z) = (exact(b.y) - exact(a.y), exact(b.z) - exact(a.z));
        let at_point = &y * (&self.at[2] - exact(a.z)) - &z * (&self.at[1] - exact(a.y));
        let moved = &y * &self.toward[2] - &z * &self.toward[1];
        first_sign([&at_point, &moved, &z, &-y])
    }

    /// On which side of the triangle's plane the point lies, given the sign of the normal's x.
    fn side_in_space(&self, corners: [DVec3; 3], normal_x: Sign) -> Sign {
        let normal = normal(corners);
        let mut at_point = RBig::ZERO;
        let mut moved = RBig::ZERO;
        for axis in 0..3 {
            at_point += &normal[axis] * (&self.at[axis] - exact(corners[0][axis]));
            moved += &normal[axis] * &self.toward[axis];
        }
        match first_sign([&at_point, &moved]) {
            Sign::Zero => -normal_x,
            sign => sign,
        }
    }
}

fn first_sign<const N: usize>(terms: [&RBig; N]) -> Sign {
    let sign = |x: &RBig| match x.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    };
    terms.into_iter().map(sign).find(|sign| !sign.is_zero()).unwrap_or(Sign::Zero)
}

fn normal([a, b, c]: [DVec3; 3]) -> [RBig; 3] {
    let edge = |to: DVec3| -> [RBig; 3] { std::array::from_fn(|axis| exact(to[axis]) - exact(a[axis])) };
    let (u, v) = (edge(b), edge(c));
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// Coordinates of a mesh are finite, so the conversion never fails.
fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap_or(RBig::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> [[DVec3; 3]; 4] {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        [[o, y, x], [o, x, z], [o, z, y], [x, y, z]]
    }

    #[test]
    fn each_side_of_each_face_is_told_apart() {
        for face in tetrahedron() {
            assert_eq!(Probe::behind(face).winding(tetrahedron()), 1);
            assert_eq!(Probe::in_front(face).winding(tetrahedron()), 0);
            let doubled = tetrahedron().into_iter().chain(tetrahedron());
            assert_eq!(Probe::behind(face).winding(doubled), 2);
        }
    }

    #[test]
    fn a_turned_shell_winds_backward() {
        let turned = tetrahedron().map(|[a, b, c]| [a, c, b]);
        for face in turned {
            assert_eq!(Probe::in_front(face).winding(turned), -1);
            assert_eq!(Probe::behind(face).winding(turned), 0);
        }
    }

    #[test]
    fn a_probe_on_a_corner_or_an_edge_is_decided_consistently() {
        // Moved by -(e, e^2, e^3), a corner of the unit cube's lattice is inside exactly the cubes
        // whose largest corner it is or whose interior reaches it from the smaller side.
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(Probe::mean(&[o]).winding(tetrahedron()), 0);
        assert_eq!(Probe::mean(&[x]).winding(tetrahedron()), 0);
        assert_eq!(Probe::mean(&[y, z]).winding(tetrahedron()), 0);
        assert_eq!(Probe::mean(&[o, x, y, z]).winding(tetrahedron()), 1);
        assert_eq!(Probe::mean(&[x, y, z]).winding(tetrahedron()), 1);
    }
}
