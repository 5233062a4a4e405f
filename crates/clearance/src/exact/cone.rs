//! The cone of directions that are non-negative on a set of vectors, exactly.
//!
//! With the vectors `m` of a Minkowski difference this decides everything: zero is outside their hull iff the
//! cone has an interior, strictly inside iff the cone is `{0}`, on the boundary otherwise (Farkas, Gordan).
//! Extreme rays are cross products of two of the vectors, so all signs are determinants of input vectors:
//! nothing is ever constructed that would need more digits.

use super::{Axis, Sign, Vector, cross_sign, det_sign, vector_dot_sign};
use glam::DVec3;

/// A direction of a [`Cone`], never zero.
#[derive(Clone, Copy, Debug)]
pub enum Ray<'a> {
    /// The direction of a vector.
    Along(Vector<'a>),
    /// The cross product of two vectors.
    Cross(Vector<'a>, Vector<'a>),
}

impl Ray<'_> {
    /// The exact sign of the ray's scalar product with a vector.
    pub fn dot_sign(&self, vector: Vector<'_>) -> Sign {
        match *self {
            Ray::Along(along) => vector_dot_sign(along, vector),
            Ray::Cross(u, v) => det_sign(u, v, vector),
        }
    }

    /// The ray as floats, for proposals.
    pub fn rounded(&self) -> DVec3 {
        match self {
            Ray::Along(along) => along.rounded(),
            Ray::Cross(u, v) => u.rounded().cross(v.rounded()),
        }
    }
}

/// `{ d : d . m >= 0 for all m }` for vectors `m` that are added one by one.
///
/// Held by a set of rays that generates it: every direction of the cone is a non-negative combination of them.
/// Adding a vector costs `O(k^2)` signs for `k` vectors.
#[derive(Clone, Debug)]
pub struct Cone<'a> {
    vectors: Vec<Vector<'a>>,
    has_zero: bool,
    rank: usize,
    rays: Vec<Ray<'a>>,
}

impl<'a> Default for Cone<'a> {
    /// The cone of all directions.
    fn default() -> Cone<'a> {
        let mut cone = Cone { vectors: Vec::new(), has_zero: false, rank: 0, rays: Vec::new() };
        cone.rebuild();
        cone
    }
}

impl<'a> FromIterator<Vector<'a>> for Cone<'a> {
    fn from_iter<I: IntoIterator<Item = Vector<'a>>>(vectors: I) -> Cone<'a> {
        let mut cone = Cone::default();
        vectors.into_iter().for_each(|vector| cone.push(vector));
        cone
    }
}

impl<'a> Cone<'a> {
    /// Generating rays: directions to try.
    pub fn rays(&self) -> &[Ray<'a>] {
        &self.rays
    }

    /// Whether zero is the only direction left: zero lies strictly inside the hull of the vectors.
    pub fn is_zero(&self) -> bool {
        self.rays.is_empty()
    }

    /// Whether some direction is positive on all vectors: zero lies outside their hull.
    ///
    /// The sum of the generating rays is such a direction if there is any.
    pub fn has_interior(&self) -> bool {
        let reached = |m: &Vector<'a>| self.rays.iter().any(|ray| ray.dot_sign(*m).is_positive());
        !self.has_zero && self.vectors.iter().all(reached)
    }

    /// The dimension of the space that the vectors span.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Demands that directions be non-negative on one more vector.
    pub fn push(&mut self, vector: Vector<'a>) {
        if vector.is_zero() {
            self.has_zero = true;
            return;
        }
        let rank = self.rank_with(vector);
        self.vectors.push(vector);
        if rank < 3 || self.rank < 3 {
            self.rank = rank;
            self.rebuild();
            return;
        }
        self.rays.retain(|ray| !ray.dot_sign(vector).is_negative());
        let (&last, others) = self.vectors.split_last().expect("just pushed");
        let fresh = others.iter().flat_map(|&m| [Ray::Cross(m, last), Ray::Cross(last, m)]);
        let fresh: Vec<Ray<'a>> = fresh.filter(|ray| self.is_ray(ray)).collect();
        self.rays.extend(fresh);
    }

    fn rank_with(&self, vector: Vector<'a>) -> usize {
        match self.rank {
            0 => 1,
            1 if is_parallel(self.vectors[0], vector) => 1,
            1 => 2,
            2 if det_sign(self.vectors[0], self.not_parallel(), vector).is_zero() => 2,
            _ => 3,
        }
    }

    /// A vector that is not parallel to the first; there is one from rank 2 on.
    fn not_parallel(&self) -> Vector<'a> {
        let first = self.vectors[0];
        *self.vectors.iter().find(|m| !is_parallel(first, **m)).expect("rank is at least 2")
    }

    fn rebuild(&mut self) {
        let axes = DVec3::AXES.map(Vector::Literal);
        let candidates: Vec<Ray<'a>> = match self.rank {
            0 => DVec3::AXES.iter().flat_map(|&a| [a, -a]).map(|a| Ray::Along(Vector::Literal(a))).collect(),
            1 => {
                let sideways = axes.into_iter().flat_map(|axis| both(self.vectors[0], axis));
                sideways.chain([Ray::Along(self.vectors[0])]).collect()
            }
            2 => {
                // Along the normal, and within the plane: `m x axis` acts on the plane like the perpendicular of
                // `m` if the plane is not parallel to the axis.
                let (first, second) = (self.vectors[0], self.not_parallel());
                let axis = Axis::ALL.into_iter().find(|&a| !cross_sign(a, first, second).is_zero());
                let axis = axes[axis.expect("not parallel") as usize];
                let within = self.vectors.iter().flat_map(|&m| both(m, axis));
                both(first, second).into_iter().chain(within).collect()
            }
            _ => {
                let vectors = &self.vectors;
                let pairs = (0..vectors.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                pairs.flat_map(|(i, j)| both(vectors[i], vectors[j])).collect()
            }
        };
        self.rays = candidates.into_iter().filter(|ray| self.is_ray(ray)).collect();
    }

    /// Whether a candidate is a direction at all, and in the cone.
    fn is_ray(&self, ray: &Ray<'a>) -> bool {
        let is_direction = match *ray {
            Ray::Along(_) => true,
            Ray::Cross(u, v) => !is_parallel(u, v),
        };
        is_direction && self.vectors.iter().all(|m| !ray.dot_sign(*m).is_negative())
    }
}

fn both<'a>(u: Vector<'a>, v: Vector<'a>) -> [Ray<'a>; 2] {
    [Ray::Cross(u, v), Ray::Cross(v, u)]
}

fn is_parallel(u: Vector<'_>, v: Vector<'_>) -> bool {
    Axis::ALL.into_iter().all(|axis| cross_sign(axis, u, v).is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn cone(vectors: &[[f64; 3]]) -> Cone<'static> {
        vectors.iter().map(|&v| Vector::Literal(DVec3::from_array(v))).collect()
    }

    #[test]
    fn zero_inside_outside_and_on_the_boundary() {
        let tetrahedron = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]];
        assert!(cone(&tetrahedron).is_zero());
        assert!(cone(&tetrahedron[..3]).has_interior());
        let face_through_zero = [[1., 0., 0.], [-1., 1., 0.], [-1., -1., 0.], [0., 0., 1.]];
        let on_a_face = cone(&face_through_zero);
        assert!(!on_a_face.is_zero() && !on_a_face.has_interior());
    }

    #[test]
    fn low_ranks_are_told_apart() {
        assert!(cone(&[]).has_interior());
        assert!(cone(&[[2., 0., 0.], [3., 0., 0.]]).has_interior());
        assert!(!cone(&[[2., 0., 0.], [-3., 0., 0.]]).has_interior());
        assert!(cone(&[[1., 0., 0.], [0., 1., 0.], [-1., 5., 0.]]).has_interior());
        for flat in [
            vec![[1., 0., 0.], [0., 1., 0.], [-1., 0., 0.]],
            vec![[1., 0., 0.], [-1., 1., 0.], [-1., -1., 0.]],
            vec![[0., 0., 0.], [1., 0., 0.]],
        ] {
            assert!(!cone(&flat).has_interior() && !cone(&flat).is_zero(), "{flat:?}");
        }
    }

    /// Small integer vectors against a dense set of integer directions that contains all extreme ones.
    #[test]
    fn random_sets_agree_with_trying_all_directions() {
        let mut random = Random::new(5);
        for case in 0..3_000 {
            let count = 1 + random.below(7);
            let mut number = || random.below(5) as f64 - 2.0;
            let vectors: Vec<[f64; 3]> = (0..count).map(|_| [number(), number(), number()]).collect();
            let tried = cone(&vectors);
            let (weak, strict) = try_all(&vectors);
            assert_eq!(tried.has_interior(), strict, "case {case}: {vectors:?}");
            assert_eq!(!tried.is_zero(), weak, "case {case}: {vectors:?}");
        }
    }

    /// Whether a direction but zero is non-negative, and whether one is positive, on all vectors. Cross products
    /// of entries up to 2 have entries up to 8, a sum of three of them up to 24.
    fn try_all(vectors: &[[f64; 3]]) -> (bool, bool) {
        let (mut weak, mut strict) = (false, false);
        let mut candidates: Vec<DVec3> = vec![];
        let all: Vec<DVec3> = vectors.iter().map(|&v| DVec3::from_array(v)).chain(DVec3::AXES).collect();
        for u in &all {
            candidates.extend([*u, -*u]);
            for v in &all {
                candidates.push(u.cross(*v));
                for w in &all {
                    candidates.push(u.cross(*v).cross(*w));
                }
            }
        }
        let feasible: Vec<DVec3> = candidates
            .into_iter()
            .filter(|d| *d != DVec3::ZERO && vectors.iter().all(|m| d.dot(DVec3::from_array(*m)) >= 0.0))
            .collect();
        weak |= !feasible.is_empty();
        strict |= vectors.iter().all(|m| feasible.iter().any(|d| d.dot(DVec3::from_array(*m)) > 0.0));
        (weak, strict)
    }
}
