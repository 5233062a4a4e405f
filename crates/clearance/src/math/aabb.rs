//! The axis-aligned box: the bound every shape has.

use glam::DVec3;

/// A closed axis-aligned box, `min <= max` in every coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: DVec3,
    /// Largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The smallest box around the points, or `None` if there are none.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Option<Aabb> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let start = Aabb { min: first, max: first };
        Some(points.fold(start, |hull, p| Aabb { min: hull.min.min(p), max: hull.max.max(p) }))
    }

    /// The smallest box around both.
    pub fn join(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Edge lengths, rounded to nearest.
    pub fn extent(self) -> DVec3 {
        self.max - self.min
    }

    /// The midpoint, rounded to nearest; it does not overflow.
    pub fn center(self) -> DVec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Whether the point lies in the closed box; exact.
    pub fn contains(self, point: DVec3) -> bool {
        self.min.cmple(point).all() && self.max.cmpge(point).all()
    }

    /// Whether the closed boxes share a point; exact.
    pub fn meets(self, other: Aabb) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_share_a_corner_meet() {
        let a = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
        let b = Aabb { min: DVec3::ONE, max: DVec3::splat(2.0) };
        assert!(a.meets(b) && a.contains(DVec3::ONE));
        let gap = f64::EPSILON * 2.0;
        assert!(!a.meets(Aabb { min: DVec3::splat(1.0 + gap), max: b.max }));
    }

    #[test]
    fn nothing_has_no_box() {
        assert_eq!(Aabb::around([]), None);
    }
}
