//! Bodies and poses out of bytes. Two bytes make a small multiple of 1/8, so that contacts are exact; a marker byte
//! takes eight for any `f64`.

use clearance::Pose;
use clearance::glam::{DMat3, DQuat, DVec3};
use clearance::math::PoseError;
use clearance::oracle::world::Choices;
use clearance::shape::Polytope;
use clearance::shape::sample::{PolytopeKind, random_polytope};
use clearance::support::SupportMap;
use clearance::tolerance::ROTATION_DEFECT_LIMIT;

/// Counts of points from here on stand for large bodies.
const LARGE: u8 = 224;

/// Bytes, read from the front; zeros when they run out.
pub struct Numbers<'a> {
    rest: &'a [u8],
}

impl<'a> Numbers<'a> {
    /// All of them.
    pub fn new(data: &'a [u8]) -> Numbers<'a> {
        Numbers { rest: data }
    }

    /// Whether all are read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first
    }

    /// The next number.
    pub fn number(&mut self) -> f64 {
        match self.byte() {
            0 => 0.0,
            255 => f64::from_le_bytes(std::array::from_fn(|_| self.byte())),
            small => (f64::from(small) - 128.0) / 8.0,
        }
    }

    /// Three numbers.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// The hull of one to eight points, or a large body; `None` if a coordinate is refused.
    pub fn body(&mut self) -> Option<SupportMap> {
        let count = match self.byte() {
            large @ LARGE.. => return self.large_body(usize::from(large - LARGE)),
            small => 1 + small % 8,
        };
        let points: Vec<DVec3> = (0..count).map(|_| self.vector()).collect();
        Polytope::hull(&points).ok().map(SupportMap::new)
    }

    /// A sample of 65 to 560 vertices, moved onto a lattice so that contacts are exact: it is searched in other ways than small
    /// bodies.
    fn large_body(&mut self, choice: usize) -> Option<SupportMap> {
        let kind = PolytopeKind::ALL[choice % PolytopeKind::ALL.len()];
        let count = 65 + 33 * (choice as u32 / 2);
        let sample = random_polytope(kind, count, u64::from(self.byte())).ok()?;
        let points: Vec<DVec3> = sample.vertices().iter().map(|v| (v * 256.0).round() / 256.0).collect();
        Polytope::hull(&points).ok().map(SupportMap::new)
    }

    /// A pose near another one: a little turned and moved, or nearly as skew as poses may be.
    pub fn pose_near(&mut self, pose: &Pose) -> Pose {
        let size = 10f64.powi(-i32::from(self.byte() % 18));
        let (spin, way) = (self.vector() * size, self.vector() * size);
        let near = match self.byte() % 4 {
            0 => Pose::new(pose.rotation(), pose.translation() + way),
            1 => self.skew(pose),
            _ => Pose::from_quaternion(DQuat::from_scaled_axis(spin), way).map(|step| step * *pose),
        };
        // What leaves the limits is refused when it is made anew.
        near.and_then(|near| Pose::from_rows(near.to_rows())).unwrap_or(*pose)
    }

    /// The same with entries of the rotation that are off by up to about a third of the limit.
    fn skew(&mut self, pose: &Pose) -> Result<Pose, PoseError> {
        let off = |byte: u8| (f64::from(byte) - 128.0) / 128.0 * (0.3 * ROTATION_DEFECT_LIMIT);
        let skew = DMat3::from_cols_array(&std::array::from_fn(|_| off(self.byte())));
        Pose::new(pose.rotation() * (DMat3::IDENTITY + skew), pose.translation())
    }

    /// A pose; the identity where the numbers make none.
    pub fn pose(&mut self) -> Pose {
        let turn = self.vector().extend(self.number());
        Pose::from_quaternion(DQuat::from_vec4(turn), self.vector()).unwrap_or(Pose::IDENTITY)
    }
}

/// A byte for each choice.
impl Choices for Numbers<'_> {
    fn below(&mut self, count: u64) -> u64 {
        u64::from(self.byte()) % count
    }

    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (f64::from(self.byte()) / 256.0)
    }
}
