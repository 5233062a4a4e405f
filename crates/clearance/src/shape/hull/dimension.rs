//! The affine dimension, decided exactly.

use super::frame::Frame;
use crate::exact;
use glam::{DVec2, DVec3};

/// Affinely independent points, as places in the frame, as many as there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Basis {
    /// All points coincide.
    Point,
    /// All points lie on one line.
    Segment,
    /// All points lie on the plane of these three, which are not collinear.
    Polygon([u32; 3]),
    /// These four are not coplanar.
    Solid([u32; 4]),
}

/// Picks points among the first `count` that are far apart (by floats, for speed) and independent (exactly).
///
/// `O(count)`; exact tests of many points only when the set is flat or nearly so.
pub(super) fn basis(frame: &Frame<'_>, count: usize) -> Basis {
    let Some([a, b]) = longest_axis(frame, count) else { return Basis::Point };
    let apart = |p: u32| !collinear(frame.exact(a), frame.exact(b), frame.exact(p));
    let (origin, along) = (frame.scaled[a as usize], frame.scaled[b as usize] - frame.scaled[a as usize]);
    let Some(c) = best(&frame.scaled[..count], |p| along.cross(p - origin).length_squared(), apart) else {
        return Basis::Segment;
    };
    let off_plane = |p: u32| !frame.side([a, b, c], p).is_zero();
    let normal = frame.plane([a, b, c]).normal;
    match best(&frame.scaled[..count], |p| normal.dot(p - origin).abs(), off_plane) {
        None => Basis::Polygon([a, b, c]),
        Some(d) => Basis::Solid([a, b, c, d]),
    }
}

/// The place with the largest score if it is acceptable, else the first acceptable one.
fn best(scaled: &[DVec3], score: impl Fn(DVec3) -> f64, accept: impl Fn(u32) -> bool) -> Option<u32> {
    let mut champion = (0, -1.0);
    for (place, p) in scaled.iter().enumerate() {
        let value = score(*p);
        if value > champion.1 {
            champion = (place as u32, value);
        }
    }
    let all = 0..scaled.len() as u32;
    std::iter::once(champion.0).chain(all).find(|&p| accept(p))
}

/// The first points with the smallest and the largest coordinate on the axis of largest extent.
fn longest_axis(frame: &Frame<'_>, count: usize) -> Option<[u32; 2]> {
    let mut ends = [[0u32; 2]; 3];
    let mut values = [[0.0; 2]; 3];
    for place in 0..count as u32 {
        let p = frame.exact(place);
        for axis in 0..3 {
            if place == 0 || p[axis] < values[axis][0] {
                (ends[axis][0], values[axis][0]) = (place, p[axis]);
            }
            if place == 0 || p[axis] > values[axis][1] {
                (ends[axis][1], values[axis][1]) = (place, p[axis]);
            }
        }
    }
    let extent = |axis: usize| values[axis][1] - values[axis][0];
    let longest = (1..3).fold(0, |l, axis| if extent(axis) > extent(l) { axis } else { l });
    // Differences of distinct f64 are never rounded to zero.
    (extent(longest) > 0.0).then_some(ends[longest])
}

/// The three coordinate projections, each of which keeps orientation for normals that point to the dropped axis.
pub(in crate::shape) const PROJECTIONS: [fn(DVec3) -> DVec2; 3] =
    [|p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x), |p| DVec2::new(p.x, p.y)];

/// Whether three points lie on one line; exact.
fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    PROJECTIONS.iter().all(|project| exact::orient2d(project(a), project(b), project(c)).is_zero())
}
