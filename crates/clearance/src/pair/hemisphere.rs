//! Whether vectors lie in a common half-space, one added after another [Chung96 §4.2].
//!
//! As long as one is found its normal `w` is the next direction to try; when none is left, zero is in the hull of
//! the vectors and the bodies collide. Floats only: the caller proves what is proposed here.
//!
//! Two methods with one interface: the paper keeps *one* normal and repairs it in `O(k)` ([`Bisector`]), or keeps
//! *all* normals, a cone that each vector cuts ([`HalfPlanes`]).
//!
//! Differs from the paper, which divides by zero in common cases: 1. the plane perpendicular to a vector has a basis
//! for every vector, also along z; 2. vectors whose projection vanishes are skipped; 3. one or two vectors are no
//! special case; 4. opposite projections leave the perpendicular as the only normal.

use crate::exact::{Cone, Vector};
use glam::DVec3;

/// Vectors in a common half-space.
pub trait Hemisphere<'a>: Default {
    /// Adds a vector; a normal of a half-space that holds all vectors, or `None` if there is none.
    fn add(&mut self, vector: Vector<'a>) -> Option<DVec3>;
}

/// The hemisphere method [Chung96 §4.2.1].
#[derive(Clone, Debug, Default)]
pub struct Bisector {
    vectors: Vec<DVec3>,
    normal: DVec3,
}

impl<'a> Hemisphere<'a> for Bisector {
    fn add(&mut self, vector: Vector<'a>) -> Option<DVec3> {
        let vector = vector.rounded().normalize_or_zero();
        if self.vectors.is_empty() {
            self.normal = vector;
        } else if self.normal.dot(vector) < 0.0 {
            self.normal = self.touching_normal(vector)?;
        }
        self.vectors.push(vector);
        Some(self.normal)
    }
}

impl Bisector {
    /// A normal near the plane perpendicular to the new vector: the bisector of the wedge that the others' projections
    /// span, leaning towards the new vector as far as half of what the others allow. (The paper does not lean: its
    /// normal has a product of zero with the new vector, which separates nothing when that vector comes back.)
    fn touching_normal(&self, vector: DVec3) -> Option<DVec3> {
        let (x_axis, y_axis) = vector.any_orthonormal_pair();
        let projected = self.vectors.iter().map(|r| (r.dot(x_axis), r.dot(y_axis)));
        let wedge = Wedge::around(projected.filter(|&(x, y)| x != 0.0 || y != 0.0))?;
        let (x, y) = wedge.bisector();
        let normal = (x * x_axis + y * y_axis).normalize();
        let spare = self.vectors.iter().map(|r| r.dot(normal)).fold(1.0, f64::min).max(0.0);
        Some((normal + 0.5 * spare * vector).normalize())
    }
}

/// The directions between two vectors in the plane, counter-clockwise from `right` to `left`, less than half a turn
/// apart or exactly half a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wedge {
    right: (f64, f64),
    left: (f64, f64),
    /// Whether all vectors lie on one line, so that a half-turn may still go either way.
    on_a_line: bool,
}

impl Wedge {
    /// The wedge around vectors, or `None` if they leave no half-plane; any wedge if there are no vectors.
    fn around(mut vectors: impl Iterator<Item = (f64, f64)>) -> Option<Wedge> {
        let first = vectors.next().unwrap_or((1.0, 0.0));
        vectors.try_fold(Wedge { right: first, left: first, on_a_line: true }, Wedge::extended)
    }

    fn extended(self, vector: (f64, f64)) -> Option<Wedge> {
        let from_right = cross(self.right, vector);
        if self.on_a_line {
            return Some(self.extended_from_line(vector, from_right));
        }
        match (from_right >= 0.0, cross(vector, self.left) >= 0.0) {
            (true, true) => Some(self),
            (true, false) => Some(Wedge { left: vector, ..self }),
            (false, true) => Some(Wedge { right: vector, ..self }),
            (false, false) => None,
        }
    }

    fn extended_from_line(self, vector: (f64, f64), from_right: f64) -> Wedge {
        let half_turn = dot(self.right, self.left) < 0.0;
        if from_right == 0.0 {
            // On the line as well: the same way, or opposite.
            let left = if dot(self.right, vector) < 0.0 { vector } else { self.left };
            Wedge { left, ..self }
        } else if half_turn {
            let (right, left) =
                if from_right > 0.0 { (self.right, self.left) } else { (self.left, self.right) };
            Wedge { right, left, on_a_line: false }
        } else if from_right > 0.0 {
            Wedge { left: vector, on_a_line: false, ..self }
        } else {
            Wedge { right: vector, on_a_line: false, ..self }
        }
    }

    /// A direction with a non-negative product with both ends.
    fn bisector(self) -> (f64, f64) {
        let unit = |(x, y): (f64, f64)| (x / x.hypot(y), y / x.hypot(y));
        let (right, left) = (unit(self.right), unit(self.left));
        let sum = (right.0 + left.0, right.1 + left.1);
        // Half a turn: the perpendicular is the only direction left.
        if sum.0.hypot(sum.1) <= f64::EPSILON { (-right.1, right.0) } else { sum }
    }
}

fn cross(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

fn dot(a: (f64, f64), b: (f64, f64)) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

/// The half-plane intersection method [Chung96 §4.2.2]: all normals are kept, as the cone they form.
///
/// The paper cuts a polygon in the plane `z = -1`; the cone's rays are the corners of that polygon for any position
/// of the vectors, and are exact. Costs more a step than [`Bisector`] and proposes the middle of all normals.
#[derive(Clone, Debug, Default)]
pub struct HalfPlanes<'a> {
    normals: Cone<'a>,
}

impl<'a> Hemisphere<'a> for HalfPlanes<'a> {
    fn add(&mut self, vector: Vector<'a>) -> Option<DVec3> {
        self.normals.push(vector);
        let middle: DVec3 = self.normals.rays().iter().map(|ray| ray.rounded().normalize_or_zero()).sum();
        (!self.normals.is_zero()).then(|| middle.normalize_or_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Vectors in, the last normal out; `None` as soon as there is none.
    fn normal<'a, H: Hemisphere<'a>>(vectors: &[DVec3]) -> Option<DVec3> {
        let mut hemisphere = H::default();
        vectors.iter().map(|v| hemisphere.add(Vector::Literal(*v))).try_fold(DVec3::X, |_, normal| normal)
    }

    /// What the paper's formulas cannot take: few vectors, vectors along z, parallel, opposite, in one plane.
    #[test]
    fn degenerate_vectors_have_a_normal() {
        let [x, y, z] = DVec3::AXES;
        for vectors in [
            vec![z],
            vec![z, z],
            vec![z, -z],
            vec![z, x, -z],
            vec![x, -x, y],
            vec![x, -x, -y, z],
            vec![-z, x, -x, -y, z],
            vec![y, -y, x, z, -z],
            vec![x, y, -x, z],
            vec![x, y, (x - y).normalize(), (y - x).normalize()],
        ] {
            for normal in [normal::<Bisector>(&vectors), normal::<HalfPlanes<'_>>(&vectors)] {
                let normal = normal.unwrap_or_else(|| panic!("{vectors:?} lie in a half-space"));
                let low = vectors.iter().map(|v| v.dot(normal)).fold(f64::INFINITY, f64::min);
                assert!(low >= -1e-15, "{vectors:?}: {normal} leaves {low}");
            }
        }
    }

    #[test]
    fn vectors_around_zero_have_none() {
        let [x, y, z] = DVec3::AXES;
        let around = [x, y, z, -(x + y + z).normalize()];
        assert_eq!(normal::<Bisector>(&around), None);
        assert_eq!(normal::<HalfPlanes<'_>>(&around), None);
    }

    #[test]
    fn both_methods_agree_on_random_vectors() {
        let mut random = Random::new(2);
        let mut without = 0;
        for _ in 0..2_000 {
            let count = 1 + random.below(8);
            let mut number = || random.range(-1.0, 1.0);
            let vectors: Vec<DVec3> =
                (0..count).map(|_| DVec3::new(number(), number(), number() + 0.4).normalize()).collect();
            let (bisector, half_planes) = (normal::<Bisector>(&vectors), normal::<HalfPlanes<'_>>(&vectors));
            assert_eq!(bisector.is_some(), half_planes.is_some(), "{vectors:?}");
            without += usize::from(bisector.is_none());
        }
        assert!((200..1_800).contains(&without), "both outcomes occur: {without}");
    }
}
