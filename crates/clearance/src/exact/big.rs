//! Numbers and vectors as big integers times powers of two: for what signs alone cannot say.
//!
//! The last stage of metric questions. Slow, and used only where floats have failed; see [`super::quotient`] for how
//! their values leave as floats.

use super::posed::{Approximation, OVERFLOW_GUARD};
use super::{Sign, UNDERFLOW_GUARD, UNIT_ROUNDOFF, Vector, sign_of, sign_of_float};
use crate::math::round::scaled;
use dashu::base::BitTest;
use dashu::integer::IBig;
use glam::DVec3;

/// `integer * 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct BigNumber {
    pub(super) integer: IBig,
    pub(super) exponent: isize,
}

/// Three integers times `2^exponent`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct BigVector {
    coordinates: [IBig; 3],
    exponent: isize,
}

impl From<f64> for BigNumber {
    /// The exact value of a finite `f64`.
    fn from(x: f64) -> BigNumber {
        let vector = BigVector::from(Vector::Literal(DVec3::new(x, 0.0, 0.0)));
        let [integer, _, _] = vector.coordinates;
        BigNumber { integer, exponent: vector.exponent }
    }
}

impl From<IBig> for BigNumber {
    fn from(integer: IBig) -> BigNumber {
        BigNumber { integer, exponent: 0 }
    }
}

impl BigNumber {
    /// The exact sign.
    pub(crate) fn sign(&self) -> Sign {
        sign_of(&self.integer)
    }

    /// The opposite number.
    pub(crate) fn negated(&self) -> BigNumber {
        BigNumber { integer: -&self.integer, exponent: self.exponent }
    }

    /// `self + other`.
    pub(crate) fn plus(&self, other: &BigNumber) -> BigNumber {
        // Zero has any exponent: it must not make the other number longer.
        if self.integer.is_zero() || other.integer.is_zero() {
            return if self.integer.is_zero() { other.clone() } else { self.clone() };
        }
        let exponent = self.exponent.min(other.exponent);
        let over = |x: &BigNumber| &x.integer << (x.exponent - exponent) as usize;
        BigNumber { integer: over(self) + over(other), exponent }
    }

    /// `self * other`.
    pub(crate) fn times(&self, other: &BigNumber) -> BigNumber {
        BigNumber { integer: &self.integer * &other.integer, exponent: self.exponent + other.exponent }
    }

    /// `self * self`.
    pub(crate) fn squared(&self) -> BigNumber {
        BigNumber { integer: self.integer.sqr().into(), exponent: 2 * self.exponent }
    }

    /// The exact sign of `self - other`.
    pub(crate) fn compare(&self, other: &BigNumber) -> Sign {
        let exponent = self.exponent.min(other.exponent);
        let over = |x: &BigNumber| &x.integer << (x.exponent - exponent) as usize;
        sign_of(&(over(self) - over(other)))
    }
}

impl From<Vector<'_>> for BigVector {
    fn from(vector: Vector<'_>) -> BigVector {
        let exact = vector.exact();
        BigVector { coordinates: exact.big(), exponent: exact.exponent().unwrap_or(0) as isize }
    }
}

impl BigVector {
    /// `coordinates * 2^exponent`.
    pub(crate) fn new(coordinates: [IBig; 3], exponent: isize) -> BigVector {
        BigVector { coordinates, exponent }
    }

    /// Whether all coordinates are zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.coordinates.iter().all(IBig::is_zero)
    }

    /// The coordinates over another power of two, which must not be larger.
    fn over(&self, exponent: isize) -> [IBig; 3] {
        let shift = (self.exponent - exponent) as usize;
        [0, 1, 2].map(|i| &self.coordinates[i] << shift)
    }

    /// `self - other`.
    pub(crate) fn minus(&self, other: &BigVector) -> BigVector {
        let exponent = self.exponent.min(other.exponent);
        let (mine, theirs) = (self.over(exponent), other.over(exponent));
        BigVector { coordinates: [0, 1, 2].map(|i| &mine[i] - &theirs[i]), exponent }
    }

    /// `self * factor`.
    pub(crate) fn times(&self, factor: &BigNumber) -> BigVector {
        let coordinates = [0, 1, 2].map(|i| &self.coordinates[i] * &factor.integer);
        BigVector { coordinates, exponent: self.exponent + factor.exponent }
    }

    /// One of the coordinates.
    pub(crate) fn coordinate(&self, axis: usize) -> BigNumber {
        BigNumber { integer: self.coordinates[axis].clone(), exponent: self.exponent }
    }

    /// The vector product.
    pub(crate) fn cross(&self, other: &BigVector) -> BigVector {
        let (u, v) = (&self.coordinates, &other.coordinates);
        let coordinates = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &u[i] * &v[j] - &u[j] * &v[i]);
        BigVector { coordinates, exponent: self.exponent + other.exponent }
    }

    /// The scalar product.
    pub(crate) fn dot(&self, other: &BigVector) -> BigNumber {
        let (u, v) = (&self.coordinates, &other.coordinates);
        let integer = &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2];
        BigNumber { integer, exponent: self.exponent + other.exponent }
    }

    /// The opposite vector.
    pub(crate) fn negated(&self) -> BigVector {
        BigVector { coordinates: [0, 1, 2].map(|i| -&self.coordinates[i]), exponent: self.exponent }
    }

    /// A float vector of the same direction whose largest coordinate is between 1/2 and 1 in size; each
    /// coordinate errs by at most `2^-53`. Zero for the zero vector.
    pub(crate) fn direction(&self) -> DVec3 {
        let bits = self.coordinates.iter().map(IBig::bit_len).max().unwrap_or(0) as isize;
        let float = |x: &IBig| {
            // 64 leading bits of the largest; what is cut off is far below the rounding.
            let shift = bits - 64;
            let cut = if shift > 0 { x >> shift as usize } else { x << (-shift) as usize };
            scaled(cut.to_f64().value(), -64)
        };
        DVec3::from_array([0, 1, 2].map(|i| float(&self.coordinates[i])))
    }
}

/// Vectors as integers times one power of two, which is returned, too.
pub(crate) fn over_one_power(vectors: &[Vector<'_>]) -> (Vec<[IBig; 3]>, isize) {
    let exact: Vec<BigVector> = vectors.iter().map(|&vector| BigVector::from(vector)).collect();
    // Zero vectors do not care; if all are zero, any exponent will do.
    let exponent = exact.iter().filter(|v| !v.is_zero()).map(|v| v.exponent).min().unwrap_or(0);
    let integers =
        exact.into_iter().map(|v| if v.is_zero() { v.coordinates } else { v.over(exponent) }).collect();
    (integers, exponent)
}

/// An exact direction, for signs: floats decide what they can.
#[derive(Clone, Debug)]
pub(crate) struct BigDirection {
    exact: BigVector,
    rounded: DVec3,
}

impl From<BigVector> for BigDirection {
    fn from(exact: BigVector) -> BigDirection {
        BigDirection { rounded: exact.direction(), exact }
    }
}

impl BigDirection {
    /// The exact sign of the scalar product with a vector.
    ///
    /// Filter: `10u |d|_1 s` as for literal directions. Each of the three entries of `rounded` errs by `u`, at most
    /// `2u |d|_1`: `6.1u |d|_1 s` more, and the rest of `18u` is to spare.
    pub(crate) fn dot_sign(&self, vector: Vector<'_>) -> Sign {
        let Approximation { value, size } = vector.approximate();
        let bound = 18.0 * UNIT_ROUNDOFF * self.rounded.abs().element_sum() * size;
        let trusted = size > UNDERFLOW_GUARD && bound > UNDERFLOW_GUARD && bound < OVERFLOW_GUARD;
        let float = self.rounded.dot(value);
        if trusted && float.abs() > bound {
            return sign_of_float(float);
        }
        self.exact.dot(&BigVector::from(vector)).sign()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn literal(x: f64, y: f64, z: f64) -> BigVector {
        BigVector::from(Vector::Literal(DVec3::new(x, y, z)))
    }

    #[test]
    fn directions_are_rounded_once() {
        let direction = literal(3e-200, -4e-200, 1e-300).direction();
        assert!((direction.y / direction.x + 4.0 / 3.0).abs() < 1e-15);
        assert!((0.5..=1.0).contains(&direction.abs().max_element()));
        assert_eq!(literal(0.0, 0.0, 0.0).direction(), DVec3::ZERO);
    }

    #[test]
    fn vectors_share_one_power() {
        let (integers, exponent) = over_one_power(&[
            Vector::Literal(DVec3::new(0.5, 0.0, 3.0)),
            Vector::Literal(DVec3::ZERO),
            Vector::Literal(DVec3::splat(8.0)),
        ]);
        assert_eq!(exponent, -1);
        assert_eq!(integers, [[1, 0, 6], [0, 0, 0], [16, 16, 16]].map(|v| v.map(IBig::from)));
        let (integers, exponent) =
            over_one_power(&[Vector::Literal(DVec3::ZERO), Vector::Literal(8.0 * DVec3::X)]);
        assert_eq!(&integers[1][0] << exponent as usize, IBig::from(8));
    }

    #[test]
    fn arithmetic_mixes_powers_of_two() {
        let (u, v) = (literal(0.5, 3.0, 0.0), literal(4.0, 0.0, -0.25));
        let same = |x: &BigNumber, want: f64| x.compare(&BigNumber::from(want)).is_zero();
        assert!(same(&u.dot(&v), 2.0));
        assert!(same(&u.minus(&v).dot(&u.negated()), 2.0 - 9.25));
        assert!(same(&u.cross(&v).dot(&literal(1.0, 10.0, 100.0)), -0.75 + 1.25 - 1200.0));
        assert!(same(&BigNumber::from(-1.5).squared(), 2.25));
        assert!(same(&BigNumber::from(-1.5).plus(&BigNumber::from(1024.0)), 1022.5));
        assert!(same(&BigNumber::from(0.0).plus(&BigNumber::from(0.25)), 0.25));
        assert!(same(&BigNumber::from(-1.5).times(&BigNumber::from(IBig::from(4))), -6.0));
        assert!(BigNumber::from(1e-300).compare(&BigNumber::from(1e-301)).is_positive());
    }

    /// Directions perpendicular to a vector but for a tiny part: the filter must pass these on.
    #[test]
    fn signs_along_directions_are_exact() {
        let mut random = Random::new(5);
        for _ in 0..2_000 {
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
            let (u, v) = (vector(), vector());
            let normal = BigVector::from(Vector::Literal(u)).cross(&BigVector::from(Vector::Literal(v)));
            let direction = BigDirection::from(normal.clone());
            assert!(direction.dot_sign(Vector::Literal(u)).is_zero());
            let w = DVec3::new(u.x.next_up(), u.y, u.z);
            let want = normal.dot(&BigVector::from(Vector::Literal(w))).sign();
            assert_eq!(direction.dot_sign(Vector::Literal(w)), want);
        }
    }
}
