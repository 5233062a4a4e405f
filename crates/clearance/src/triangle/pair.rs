//! Two triangles where they are.

use crate::exact::{Axis, Cone, Posed, Sign, Vector, cross_sign};
use crate::math::Pose;
use crate::pair::{Feature, Relation};
use crate::witness::Side;
use glam::DVec3;

/// What every question of this module is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePair<'a> {
    pub a: [DVec3; 3],
    pub pose_a: &'a Pose,
    pub b: [DVec3; 3],
    pub pose_b: &'a Pose,
}

impl<'a> TrianglePair<'a> {
    #[inline]
    pub fn at_a(&self, corner: usize) -> Posed<'a> {
        self.pose_a.at(self.a[corner])
    }

    #[inline]
    pub fn at_b(&self, corner: usize) -> Posed<'a> {
        self.pose_b.at(self.b[corner])
    }

    pub fn at(&self, side: Side, corner: usize) -> Posed<'a> {
        match side {
            Side::A => self.at_a(corner),
            Side::B => self.at_b(corner),
        }
    }

    /// From one corner of a triangle to another.
    pub fn along(&self, side: Side, from: usize, to: usize) -> Vector<'a> {
        Vector::Between(self.at(side, from), self.at(side, to))
    }

    /// An axis along which the shadow of a triangle has area, and which way it turns; `None` for a flat triangle.
    pub fn shadow(&self, side: Side) -> Option<(Axis, Sign)> {
        shadow([0, 1, 2].map(|corner| self.at(side, corner)))
    }

    /// The relation by the cone of separating directions alone: for flat triangles, which no mesh has.
    #[cold]
    #[inline(never)]
    pub fn relation_of_any_points(&self) -> Relation {
        let pairs = (0..9).map(|k| Vector::Between(self.at_a(k % 3), self.at_b(k / 3)));
        let cone: Cone<'_> = pairs.collect();
        match cone {
            _ if cone.is_zero() => Relation::Overlapping,
            _ if cone.has_interior() => Relation::Disjoint,
            _ => Relation::Touching,
        }
    }
}

/// An axis along which the shadow of three points has area, and which way they turn in it; `None` if they are on a
/// line.
pub(crate) fn shadow([p, q, r]: [Posed<'_>; 3]) -> Option<(Axis, Sign)> {
    let turn = |axis| (axis, cross_sign(axis, Vector::Between(p, q), Vector::Between(p, r)));
    Axis::ALL.into_iter().map(turn).find(|(_, sign)| !sign.is_zero())
}

/// The corner after this one, and the one after that.
#[inline]
pub(super) const fn next(corner: usize) -> usize {
    (corner + 1) % 3
}

pub(super) const FACE: Feature = Feature::Face([0, 1, 2]);

pub(super) fn vertex(corner: usize) -> Feature {
    Feature::Vertex(corner as u32)
}

/// The edge between two corners.
pub(super) fn edge(from: usize, to: usize) -> Feature {
    Feature::Edge([from.min(to) as u32, from.max(to) as u32])
}

/// What the error of a rounded vector is relative to.
#[inline]
pub(crate) fn vector_size(vector: Vector<'_>) -> f64 {
    let sum = match vector {
        Vector::Literal(value) => value.abs(),
        Vector::Between(from, to) if std::ptr::eq(from.pose, to.pose) => (to.point - from.point).abs(),
        Vector::Between(from, to) => {
            from.point.abs() + to.point.abs() + from.pose.translation().abs() + to.pose.translation().abs()
        }
    };
    sum.element_sum()
}
