//! What rays are solved in: intervals first, exact numbers where these leave something open.

use crate::exact::BigNumber;
use crate::math::{Interval, Pose};
use crate::pair::Ray;
use glam::DVec3;

/// Numbers whose sums and products hold the exact ones.
pub(super) trait Number: Clone {
    fn of(x: f64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn product(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
}

impl Number for Interval {
    fn of(x: f64) -> Interval {
        Interval::point(x)
    }

    fn plus(&self, other: &Interval) -> Interval {
        *self + *other
    }

    fn minus(&self, other: &Interval) -> Interval {
        *self - *other
    }

    fn product(&self, other: &Interval) -> Interval {
        *self * *other
    }

    fn square(&self) -> Interval {
        Interval::square(*self)
    }
}

impl Number for BigNumber {
    fn of(x: f64) -> BigNumber {
        BigNumber::from(x)
    }

    fn plus(&self, other: &BigNumber) -> BigNumber {
        BigNumber::plus(self, other)
    }

    fn minus(&self, other: &BigNumber) -> BigNumber {
        BigNumber::plus(self, &other.negated())
    }

    fn product(&self, other: &BigNumber) -> BigNumber {
        self.times(other)
    }

    fn square(&self) -> BigNumber {
        self.squared()
    }
}

#[derive(Clone, Debug)]
pub(super) struct Vector3<N>(pub [N; 3]);

impl<N: Number> Vector3<N> {
    pub fn of(v: DVec3) -> Vector3<N> {
        Vector3(v.to_array().map(N::of))
    }

    pub fn plus(&self, other: &Vector3<N>) -> Vector3<N> {
        Vector3(std::array::from_fn(|i| self.0[i].plus(&other.0[i])))
    }

    pub fn minus(&self, other: &Vector3<N>) -> Vector3<N> {
        Vector3(std::array::from_fn(|i| self.0[i].minus(&other.0[i])))
    }

    pub fn times(&self, factor: &N) -> Vector3<N> {
        Vector3(std::array::from_fn(|i| self.0[i].product(factor)))
    }

    /// The product, coordinate by coordinate.
    pub fn stretched(&self, factors: &Vector3<N>) -> Vector3<N> {
        Vector3(std::array::from_fn(|i| self.0[i].product(&factors.0[i])))
    }

    pub fn dot(&self, other: &Vector3<N>) -> N {
        let [x, y, z] = std::array::from_fn(|i| self.0[i].product(&other.0[i]));
        x.plus(&y).plus(&z)
    }

    pub fn cross(&self, other: &Vector3<N>) -> Vector3<N> {
        let (u, v) = (&self.0, &other.0);
        Vector3([(1, 2), (2, 0), (0, 1)].map(|(i, j)| u[i].product(&v[j]).minus(&u[j].product(&v[i]))))
    }

    pub fn length_squared(&self) -> N {
        let [x, y, z] = std::array::from_fn(|i| self.0[i].square());
        x.plus(&y).plus(&z)
    }
}

impl Vector3<Interval> {
    pub fn middle(&self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|i| self.0[i].middle()))
    }
}

/// A body seen from a point of a ray: `s * direction` is the point of the ray at `start + s`.
///
/// Near the body all numbers are about as large as it is, however far away the ray begins.
#[derive(Debug)]
pub(super) struct Sight<N> {
    pub direction: Vector3<N>,
    columns: [Vector3<N>; 3],
    /// To the origin of the body's frame.
    pub offset: Vector3<N>,
}

impl<N: Number> Sight<N> {
    pub fn new(pose: &Pose, ray: &Ray, start: f64) -> Sight<N> {
        let direction = Vector3::of(ray.direction());
        let walked = direction.times(&N::of(start));
        let offset = Vector3::of(pose.translation()).minus(&Vector3::of(ray.origin())).minus(&walked);
        Sight { direction, columns: [0, 1, 2].map(|i| Vector3::of(pose.rotation().col(i))), offset }
    }

    /// To a point of the body's frame.
    pub fn point(&self, point: DVec3) -> Vector3<N> {
        self.turned(&Vector3::of(point)).plus(&self.offset)
    }

    /// From one point of the body's frame to another.
    pub fn between(&self, from: DVec3, to: DVec3) -> Vector3<N> {
        self.turned(&Vector3::of(to).minus(&Vector3::of(from)))
    }

    fn turned(&self, v: &Vector3<N>) -> Vector3<N> {
        let [x, y, z] = std::array::from_fn(|i| self.columns[i].times(&v.0[i]));
        x.plus(&y).plus(&z)
    }

    /// The rows of the adjugate of the rotation: its inverse times its determinant.
    pub fn rows(&self) -> [Vector3<N>; 3] {
        let [x, y, z] = &self.columns;
        [y.cross(z), z.cross(x), x.cross(y)]
    }

    pub fn determinant(&self) -> N {
        let [x, y, z] = &self.columns;
        x.dot(&y.cross(z))
    }
}
