//! The Minkowski difference `M = B - A` of two posed polytopes as the kernels of distance see it.
//!
//! Lengths are in a unit, a power of two, in which the size of everything is between one and two: no product of a few
//! coordinates over- or underflows, and scaling the input by a power of two changes no bit.

use super::single::Single;
use crate::math::Pose;
use crate::math::double::Double3;
use crate::math::round::{UNIT_ROUNDOFF, exponent_of, power_of_two};
use crate::support::SupportMap;
use glam::DVec3;

/// Bodies below `2^-500` in size are left to integers: products of their coordinates come close to underflow.
const SMALLEST_EXPONENT: i32 = -500;

/// What may be highest of a body along a direction; where more vertices tie, integers decide.
///
/// Where the slack underflows, the body is so small beside `2^-500` that all its heights together are no more than the
/// spare part of the error bounds.
pub(crate) type Plateau = crate::support::Plateau<12>;

#[derive(Clone, Copy)]
pub(crate) struct Difference<'a> {
    pub a: &'a SupportMap,
    pub pose_a: &'a Pose,
    pub b: &'a SupportMap,
    pub pose_b: &'a Pose,
    /// The translation of B minus that of A, in units; rounded once. Errors do not grow with the translations
    /// themselves: bodies that are far out are as good as bodies at the origin.
    offset: DVec3,
    /// Units in one length of the world.
    pub unit: f64,
    /// Its inverse.
    pub length: f64,
    /// Never below `|x|_1` of a vertex of A and one of B and the largest coordinate of the offset together.
    pub scale: f64,
}

/// The lowest vertex of `M` along a direction, so far as floats can tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lowest {
    pub pair: (u32, u32),
    /// `d . m`, in units; its error is at most `10u |d|_1 scale` if the pair is lowest.
    pub height: f64,
}

impl<'a> Difference<'a> {
    /// `None` for bodies so small that floats are no help.
    pub fn new(
        a: &'a SupportMap,
        pose_a: &'a Pose,
        b: &'a SupportMap,
        pose_b: &'a Pose,
    ) -> Option<Difference<'a>> {
        let offset = pose_b.translation() - pose_a.translation();
        let size = (a.reach() + b.reach() + offset.abs().max_element()) * (1.0 + 4.0 * f64::EPSILON);
        let exponent = exponent_of(size);
        if size == 0.0 || exponent < SMALLEST_EXPONENT {
            return None;
        }
        let unit = power_of_two(-exponent);
        Some(Difference {
            a,
            pose_a,
            b,
            pose_b,
            offset: offset * unit,
            unit,
            length: power_of_two(exponent),
            scale: size * unit,
        })
    }

    /// The translation of B minus that of A, in units.
    #[inline(always)]
    pub fn offset(&self) -> DVec3 {
        self.offset
    }

    pub fn has(&self, (vertex_a, vertex_b): (u32, u32)) -> bool {
        let count = |map: &SupportMap| map.polytope().vertices().len();
        (vertex_a as usize) < count(self.a) && (vertex_b as usize) < count(self.b)
    }

    /// The pair as proposals see it.
    #[inline(always)]
    pub fn single(&self) -> Single<'a> {
        Single::new((self.a, self.pose_a), (self.b, self.pose_b), self.offset, self.unit)
    }

    /// A vertex of `M`, each coordinate wrong by at most `5.3u scale`: three products and two sums for each body
    /// `3.1u`, their difference `u`, the offset `u` and its sum `u`.
    #[inline(always)]
    pub fn corner(&self, (vertex_a, vertex_b): (u32, u32)) -> DVec3 {
        let rotated = self.pose_b.apply_vector(self.b.vertex(vertex_b))
            - self.pose_a.apply_vector(self.a.vertex(vertex_a));
        rotated * self.unit + self.offset
    }

    /// The lowest vertex along a direction, walking from a vertex.
    #[inline]
    pub fn lowest(&self, direction: DVec3, from: (u32, u32)) -> Lowest {
        let (along_a, along_b) = self.along(direction);
        self.climb(direction, along_a, along_b, from)
    }

    /// The direction in the frame of A, and its opposite in the frame of B: both bodies are climbed upwards.
    #[inline(always)]
    fn along(&self, direction: DVec3) -> (DVec3, DVec3) {
        (self.pose_a.turn_back(direction), -self.pose_b.turn_back(direction))
    }

    #[inline]
    fn climb(&self, direction: DVec3, along_a: DVec3, along_b: DVec3, from: (u32, u32)) -> Lowest {
        let pair = (self.a.climb(along_a, from.0).vertex, self.b.climb(along_b, from.1).vertex);
        let rotated = along_a.dot(self.a.vertex(pair.0)) + along_b.dot(self.b.vertex(pair.1));
        Lowest { pair, height: direction.dot(self.offset) - rotated * self.unit }
    }

    /// A number proved to be at most `d . m` for all `m` in `M`, in units; `None` where too many vertices tie.
    ///
    /// With `D = |d|_1`: a direction turned into a body's frame moves a height by `3.1u D reach`, the product by
    /// `3.1u D reach`; the offset errs by `u` and its product by `3.1u`; two sums by `2.1u` of everything: below
    /// `8.4u D scale`, and `10u` leaves room for rounding here.
    #[inline(always)]
    pub fn floor(&self, direction: DVec3, lowest: &[(u32, u32); 3]) -> Option<f64> {
        let (along_a, along_b) = self.along(direction);
        let top_a = Plateau::top(self.a, along_a, lowest.map(|pair| pair.0))?;
        let top_b = Plateau::top(self.b, along_b, lowest.map(|pair| pair.1))?;
        let error = 10.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * self.scale;
        Some(direction.dot(self.offset) - (top_a + top_b) * self.unit - error)
    }

    /// The vertices that may be the highest of A along a direction and the lowest of B, for every direction that
    /// differs from it by a rounding: their slack, `22u D reach`, is for that too.
    pub fn plateaus(&self, direction: DVec3, lowest: &[(u32, u32); 3]) -> Option<(Plateau, Plateau)> {
        let (along_a, along_b) = self.along(direction);
        let plateau_a = Plateau::at(self.a, along_a, lowest.map(|pair| pair.0))?;
        Some((plateau_a, Plateau::at(self.b, along_b, lowest.map(|pair| pair.1))?))
    }

    /// A vertex of `M` with an error of at most `32u^2 scale` in each coordinate.
    pub fn fine_corner(&self, (vertex_a, vertex_b): (u32, u32)) -> Double3 {
        let image = |pose: &'a Pose, vertex: DVec3| {
            (pose.rotation_ref(), vertex * self.unit, pose.translation() * self.unit)
        };
        Double3::between_images([
            image(self.pose_a, self.a.vertex(vertex_a)),
            image(self.pose_b, self.b.vertex(vertex_b)),
        ])
    }

    /// From one vertex of a body to another in the world, in units, each coordinate wrong by at most
    /// `24u^2 scale`: exact differences, three products of `3.1u^2`, two sums, and `|difference|_1 <= 2 scale`.
    pub fn fine_edge(&self, map: &SupportMap, pose: &Pose, from: u32, to: u32) -> Double3 {
        let along = Double3::sum(map.vertex(to) * self.unit, -(map.vertex(from) * self.unit));
        along.turned(pose.rotation())
    }
}
