//! The point of a simplex nearest to zero by Johnson's subalgorithm, over any numbers [Chung96 §5.2].
//!
//! Only sums and products are used, so over integers every sign is exact and the answer is the truth: that is how the
//! exact stage of a distance uses it. Over floats the cofactors are squares of volumes, which loses digits twice as
//! fast as volumes do; the float stage uses [`super::subdistance`] instead, which the tests show to be at least as
//! accurate.

use dashu::integer::IBig;
use std::ops::{Add, Mul, Sub};

/// What the cofactors are made of.
pub(super) trait Number: Clone {
    const ZERO: Self;
    const ONE: Self;
    fn is_positive(&self) -> bool;
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn is_positive(&self) -> bool {
        *self > 0.0
    }
}

impl Number for IBig {
    const ZERO: IBig = IBig::ZERO;
    const ONE: IBig = IBig::ONE;

    fn is_positive(&self) -> bool {
        *self > IBig::ZERO
    }
}

/// Weights of the corners, the nearest point being their weighted mean: positive at the corners of the smallest face
/// that holds the point, zero elsewhere.
pub(super) type Weights<T> = [T; 4];

/// Cofactors of all faces of a simplex of up to four corners, by the bits of their masks.
struct Cofactors<T> {
    of: Vec<[T; 4]>,
    count: usize,
}

/// The weights of the point nearest to zero of 1 to 4 points, which may coincide or be affinely dependent.
///
/// `None` if no face satisfies the conditions, which over exact numbers does not happen: the nearest point lies in the
/// relative interior of a face with independent corners, and these conditions say that it is nearest.
pub(super) fn nearest<T: Number>(points: &[[T; 3]]) -> Option<Weights<T>>
where
    for<'r> &'r T: Add<&'r T, Output = T> + Sub<&'r T, Output = T> + Mul<&'r T, Output = T>,
{
    let cofactors = Cofactors::new(points);
    let face = (1..1 << points.len()).find(|&face| cofactors.is_inside(face) && cofactors.is_nearest(face));
    face.map(|face| cofactors.weights(face))
}

impl<T: Number> Cofactors<T>
where
    for<'r> &'r T: Add<&'r T, Output = T> + Sub<&'r T, Output = T> + Mul<&'r T, Output = T>,
{
    /// `D_i({i}) = 1`, `D_i(Y + i) = sum over j in Y of D_j(Y) (y_j . y_k - y_j . y_i)` with any fixed `k` in `Y`.
    fn new(points: &[[T; 3]]) -> Cofactors<T> {
        let dot = |p: &[T; 3], q: &[T; 3]| &(&(&p[0] * &q[0]) + &(&p[1] * &q[1])) + &(&p[2] * &q[2]);
        let dots: Vec<Vec<T>> = points.iter().map(|p| points.iter().map(|q| dot(p, q)).collect()).collect();
        let mut of: Vec<[T; 4]> = vec![std::array::from_fn(|_| T::ZERO); 1 << points.len()];
        for face in 1..1 << points.len() {
            for i in members(face) {
                let rest = face & !(1 << i);
                of[face][i] = match members(rest).next() {
                    None => T::ONE,
                    Some(k) => members(rest)
                        .fold(T::ZERO, |sum, j| &sum + &(&of[rest][j] * &(&dots[j][k] - &dots[j][i]))),
                };
            }
        }
        Cofactors { of, count: points.len() }
    }

    /// Whether the point of the face's span nearest to zero lies strictly inside the face.
    fn is_inside(&self, face: usize) -> bool {
        members(face).all(|i| self.of[face][i].is_positive())
    }

    /// Whether no other corner lies nearer than the face along the direction to its nearest point.
    fn is_nearest(&self, face: usize) -> bool {
        (0..self.count).filter(|j| face & (1 << j) == 0).all(|j| !self.of[face | 1 << j][j].is_positive())
    }

    fn weights(&self, face: usize) -> Weights<T> {
        std::array::from_fn(|i| if face & (1 << i) == 0 { T::ZERO } else { self.of[face][i].clone() })
    }
}

fn members(face: usize) -> impl Iterator<Item = usize> {
    (0..4).filter(move |i| face & (1 << i) != 0)
}

/// Johnson's subalgorithm in floats with the backup procedure: where rounding leaves no face that satisfies all
/// conditions, the best of those whose nearest point lies inside. Weights sum to about one.
#[cfg(test)]
pub(super) fn nearest_in_floats(points: &[glam::DVec3]) -> Weights<f64> {
    let rows: Vec<[f64; 3]> = points.iter().map(|p| p.to_array()).collect();
    let weights = nearest(&rows).unwrap_or_else(|| backup(points, &Cofactors::new(&rows)));
    let total: f64 = weights.iter().sum();
    weights.map(|w| w / total)
}

#[cfg(test)]
fn backup(points: &[glam::DVec3], cofactors: &Cofactors<f64>) -> Weights<f64> {
    let length = |weights: &Weights<f64>| {
        let total: f64 = weights.iter().sum();
        points.iter().zip(weights).map(|(p, w)| *p * (w / total)).sum::<glam::DVec3>().length_squared()
    };
    let inside = (1..1 << points.len()).filter(|&face| cofactors.is_inside(face));
    let all = inside.map(|face| cofactors.weights(face));
    all.min_by(|x, y| length(x).total_cmp(&length(y))).expect("a single corner is always inside itself")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn integers(points: &[[i64; 3]]) -> Vec<[IBig; 3]> {
        points.iter().map(|p| p.map(IBig::from)).collect()
    }

    #[test]
    fn faces_of_every_dimension_are_found() {
        let weights = |points: &[[i64; 3]]| {
            nearest(&integers(points)).unwrap().map(|w| i64::try_from(&w).unwrap().signum())
        };
        assert_eq!(weights(&[[1, 2, 3]]), [1, 0, 0, 0]);
        assert_eq!(weights(&[[1, 1, 0], [1, -1, 0]]), [1, 1, 0, 0]);
        assert_eq!(weights(&[[1, 1, 0], [3, 5, 0], [1, 1, 0]])[1], 0);
        assert_eq!(weights(&[[1, 1, 1], [-1, 1, 1], [0, -2, 1]]), [1, 1, 1, 0]);
        assert_eq!(weights(&[[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]), [1, 1, 1, 1]);
        assert_eq!(weights(&[[1, 0, 0], [-1, 0, 0], [0, 5, 0], [0, 0, 5]])[..2], [1, 1]);
    }

    /// The nearest point satisfies `v . w >= v . v` for every corner, which is what nearest means.
    #[test]
    fn small_integer_simplices_are_solved_exactly() {
        let mut random = Random::new(2);
        for case in 0..20_000 {
            let count = 1 + random.below(4) as usize;
            let points: Vec<[i64; 3]> =
                (0..count).map(|_| std::array::from_fn(|_| random.below(9) as i64 - 4)).collect();
            let exact = integers(&points);
            let weights = nearest(&exact).unwrap_or_else(|| panic!("case {case}: {points:?}"));
            let total = weights.iter().fold(IBig::ZERO, |sum, w| sum + w);
            let v: [IBig; 3] = std::array::from_fn(|axis| {
                exact.iter().zip(&weights).fold(IBig::ZERO, |sum, (p, w)| sum + w * &p[axis])
            });
            let square = crate::exact::integer_dot(&v, &v);
            for p in &exact {
                assert!(&crate::exact::integer_dot(&v, p) * &total >= square, "case {case}: {points:?}");
            }
        }
    }
}
