//! Proof objects of static answers, checked by exact signs over all vertices.
//!
//! A rounded `f64` normal does not separate touching faces, so witnesses are combinatorial: they name vertices,
//! and their meaning is exact. A check is independent of how the witness was found and costs `O(n)` signs.

use crate::exact::{Axis, Cone, Posed, Sign, Vector, det_sign, dot_sign, vector_dot_sign};
use crate::math::Pose;
use crate::shape::Polytope;
use glam::DVec3;
use std::ops::RangeInclusive;

/// Two polytopes under two poses: what a witness speaks about.
#[derive(Clone, Copy, Debug)]
pub struct PosedPair<'a> {
    /// Body A.
    pub a: &'a Polytope,
    /// Where A is.
    pub pose_a: &'a Pose,
    /// Body B.
    pub b: &'a Polytope,
    /// Where B is.
    pub pose_b: &'a Pose,
}

/// One of the two bodies of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Body A.
    A,
    /// Body B.
    B,
}

/// A direction in the world frame, exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    /// Three `f64` as they are.
    Vector(DVec3),
    /// The normal `(v1 - v0) x (v2 - v0)` of three vertices of one body.
    FaceNormal(Side, [u32; 3]),
    /// `(a1 - a0) x (b1 - b0)` of two vertices of A and two of B.
    EdgeCross([u32; 2], [u32; 2]),
    /// `(v1 - v0) x axis` of two vertices of one body: separates bodies that lie in one plane.
    EdgeAxis(Side, [u32; 2], Axis),
    /// `b - a` of a vertex of A and one of B.
    Difference(u32, u32),
}

/// A direction along which no point of B lies below a point of A: `d . (b - a) >= 0` for all.
///
/// The supporting vertices are the highest of A and the lowest of B. A positive gap between them proves that
/// the bodies are disjoint, a gap of exactly zero that they do not overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// From A to B.
    pub direction: Direction,
    /// A highest vertex of A.
    pub vertex_a: u32,
    /// A lowest vertex of B.
    pub vertex_b: u32,
}

/// At most 4 vertex pairs `(a, b)` with zero in the hull of their differences `b - a`: a common point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommonPoint {
    /// The pairs.
    pub pairs: Vec<(u32, u32)>,
}

/// At most 6 vertex pairs `(a, b)` with zero strictly inside the hull of their differences: an overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The pairs.
    pub pairs: Vec<(u32, u32)>,
}

/// Why a witness proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WitnessDefect {
    /// A vertex does not exist.
    #[error("the witness names vertex {vertex} of {side:?}, which has fewer")]
    NoSuchVertex {
        /// Whose.
        side: Side,
        /// Which.
        vertex: u32,
    },
    /// The direction is zero.
    #[error("the direction is zero")]
    ZeroDirection,
    /// A vertex lies beyond the one that is said to support its body.
    #[error("vertex {vertex} of {side:?} lies beyond the supporting one")]
    NotSupporting {
        /// Whose.
        side: Side,
        /// Which.
        vertex: u32,
    },
    /// The supporting vertices overlap along the direction.
    #[error("the direction does not separate: its gap is negative")]
    NegativeGap,
    /// Too few or too many pairs.
    #[error("{0} pairs cannot be a witness of this kind")]
    PairCount(usize),
    /// Zero is not where it should be.
    #[error("zero is not in (the interior of) the hull of the differences")]
    ZeroOutside,
}

impl<'a> PosedPair<'a> {
    /// A vertex of A, exactly.
    #[inline]
    pub fn at_a(&self, vertex: u32) -> Posed<'a> {
        self.pose_a.at(self.a.vertices()[vertex as usize])
    }

    /// A vertex of B, exactly.
    #[inline]
    pub fn at_b(&self, vertex: u32) -> Posed<'a> {
        self.pose_b.at(self.b.vertices()[vertex as usize])
    }

    /// A vertex of either body.
    pub fn at(&self, side: Side, vertex: u32) -> Posed<'a> {
        match side {
            Side::A => self.at_a(vertex),
            Side::B => self.at_b(vertex),
        }
    }

    /// The difference `b - a` of a vertex pair: a point of the Minkowski difference.
    pub fn difference(&self, (a, b): (u32, u32)) -> Vector<'a> {
        Vector::Between(self.at_a(a), self.at_b(b))
    }

    /// The polytope on a side.
    pub fn polytope(&self, side: Side) -> &'a Polytope {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }
}

impl Direction {
    /// The exact sign of `direction . vector`.
    pub fn dot_sign(&self, pair: &PosedPair<'_>, vector: Vector<'_>) -> Sign {
        let edge = |side, [from, to]: [u32; 2]| Vector::Between(pair.at(side, from), pair.at(side, to));
        match *self {
            Direction::Vector(direction) => dot_sign(direction, vector),
            Direction::FaceNormal(side, [v0, v1, v2]) => {
                det_sign(edge(side, [v0, v1]), edge(side, [v0, v2]), vector)
            }
            Direction::EdgeCross(edge_a, edge_b) => {
                det_sign(edge(Side::A, edge_a), edge(Side::B, edge_b), vector)
            }
            Direction::EdgeAxis(side, ends, axis) => {
                det_sign(edge(side, ends), Vector::Literal(DVec3::AXES[axis as usize]), vector)
            }
            Direction::Difference(a, b) => vector_dot_sign(pair.difference((a, b)), vector),
        }
    }

    /// Whether it has a direction at all.
    fn is_zero(&self, pair: &PosedPair<'_>) -> bool {
        DVec3::AXES.iter().all(|&axis| self.dot_sign(pair, Vector::Literal(axis)).is_zero())
    }

    fn vertices(&self) -> Vec<(Side, u32)> {
        match *self {
            Direction::Vector(_) => Vec::new(),
            Direction::FaceNormal(side, vertices) => vertices.map(|v| (side, v)).to_vec(),
            Direction::EdgeCross([a0, a1], [b0, b1]) => {
                vec![(Side::A, a0), (Side::A, a1), (Side::B, b0), (Side::B, b1)]
            }
            Direction::EdgeAxis(side, [v0, v1], _) => vec![(side, v0), (side, v1)],
            Direction::Difference(a, b) => vec![(Side::A, a), (Side::B, b)],
        }
    }
}

impl Separation {
    /// Checks the witness with exact signs over all vertices: `Positive` proves disjoint, `Zero` proves that
    /// the bodies do not overlap.
    pub fn check(&self, pair: &PosedPair<'_>) -> Result<Sign, WitnessDefect> {
        let named = [(Side::A, self.vertex_a), (Side::B, self.vertex_b)];
        check_vertices(pair, named.into_iter().chain(self.direction.vertices()))?;
        if let Direction::Vector(direction) = self.direction
            && !direction.is_finite()
        {
            return Err(WitnessDefect::ZeroDirection);
        }
        if self.direction.is_zero(pair) {
            return Err(WitnessDefect::ZeroDirection);
        }
        let (top, bottom) = (pair.at_a(self.vertex_a), pair.at_b(self.vertex_b));
        for vertex in 0..pair.a.vertices().len() as u32 {
            if self.direction.dot_sign(pair, Vector::Between(top, pair.at_a(vertex))).is_positive() {
                return Err(WitnessDefect::NotSupporting { side: Side::A, vertex });
            }
        }
        for vertex in 0..pair.b.vertices().len() as u32 {
            if self.direction.dot_sign(pair, Vector::Between(bottom, pair.at_b(vertex))).is_negative() {
                return Err(WitnessDefect::NotSupporting { side: Side::B, vertex });
            }
        }
        match self.direction.dot_sign(pair, Vector::Between(top, bottom)) {
            Sign::Negative => Err(WitnessDefect::NegativeGap),
            gap => Ok(gap),
        }
    }
}

fn check_vertices(
    pair: &PosedPair<'_>,
    named: impl IntoIterator<Item = (Side, u32)>,
) -> Result<(), WitnessDefect> {
    for (side, vertex) in named {
        if vertex as usize >= pair.polytope(side).vertices().len() {
            return Err(WitnessDefect::NoSuchVertex { side, vertex });
        }
    }
    Ok(())
}

impl CommonPoint {
    /// Checks that zero lies in the hull of the differences, exactly.
    pub fn check(&self, pair: &PosedPair<'_>) -> Result<(), WitnessDefect> {
        let cone = checked_cone(pair, &self.pairs, 1..=4)?;
        // Zero is in the hull iff no direction is positive on all differences.
        if cone.has_interior() { Err(WitnessDefect::ZeroOutside) } else { Ok(()) }
    }
}

impl Overlap {
    /// Checks that zero lies strictly inside the hull of the differences, exactly.
    pub fn check(&self, pair: &PosedPair<'_>) -> Result<(), WitnessDefect> {
        let cone = checked_cone(pair, &self.pairs, 4..=6)?;
        // Zero is inside iff no direction but zero is non-negative on all differences.
        if cone.is_zero() { Ok(()) } else { Err(WitnessDefect::ZeroOutside) }
    }
}

fn checked_cone<'a>(
    pair: &PosedPair<'a>,
    pairs: &[(u32, u32)],
    count: RangeInclusive<usize>,
) -> Result<Cone<'a>, WitnessDefect> {
    if !count.contains(&pairs.len()) {
        return Err(WitnessDefect::PairCount(pairs.len()));
    }
    check_vertices(pair, pairs.iter().flat_map(|&(a, b)| [(Side::A, a), (Side::B, b)]))?;
    Ok(pairs.iter().map(|&named| pair.difference(named)).collect())
}
