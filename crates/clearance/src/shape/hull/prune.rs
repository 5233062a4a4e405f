//! Which points can be extreme at all, and an order of them that keeps neighbours together.

use super::dimension::{self, Basis};
use super::frame::{Frame, Plane};
use super::quickhull::Quickhull;
use glam::DVec3;

/// Sets smaller than this are taken as they are.
const WORTHWHILE: usize = 64;

/// Sets larger than this do not fit a fast cache and are sorted.
const CACHED: usize = 4096;

/// The points that a hull is built from.
pub(super) struct Candidates {
    /// Input indices, `seeds` of them extreme points to start with. Of equal points the first stands first.
    pub order: Vec<u32>,
    /// How many seeds stand at the front.
    pub seeds: usize,
}

/// All points except some that are proved to lie strictly inside the hull.
///
/// Large sets are sorted along a space-filling curve, so that points near each other in space are so in memory.
/// `O(n log n)`, and `O(n)` where most are inside.
pub(super) fn candidates(points: &[DVec3], scale: f64) -> Candidates {
    let all = 0..points.len() as u32;
    if points.len() < WORTHWHILE {
        return Candidates { order: all.collect(), seeds: points.len() };
    }
    let mut order = extreme_points(points);
    let seeds = order.len();
    let inner = inner_ellipsoid(&Frame::new(points, order.clone(), scale));
    let is_inside = |i: u32| inner.as_ref().is_some_and(|inner| inner.contains(points[i as usize] * scale));
    let mut seeds_ahead = order.iter().copied().peekable();
    let mut is_seed = |i: u32| seeds_ahead.next_if_eq(&i).is_some();
    let kept: Vec<u32> = all.filter(|&i| !is_seed(i) && !is_inside(i)).collect();
    order.extend(if kept.len() < CACHED { kept } else { sorted_along_curve(points, kept) });
    Candidates { order, seeds }
}

/// An axis-parallel ellipsoid inside the hull, in scaled coordinates.
struct Ellipsoid {
    center: DVec3,
    inverse_extent: DVec3,
    radius_squared: f64,
}

impl Ellipsoid {
    /// Whether the point lies inside; false for NaN, which flat sets lead to.
    fn contains(&self, point: DVec3) -> bool {
        ((point - self.center) * self.inverse_extent).length_squared() < self.radius_squared
    }
}

/// The largest ellipsoid around the mean, with the proportions of the box, in the hull of all points of the frame.
///
/// The frame must contain points extreme along the axes, so that its box is the box of the whole set.
fn inner_ellipsoid(frame: &Frame<'_>) -> Option<Ellipsoid> {
    let Basis::Solid(basis) = dimension::basis(frame, frame.scaled.len()) else { return None };
    let hull = Quickhull::build(frame, basis, frame.scaled.len());
    let center = frame.scaled.iter().sum::<DVec3>() / frame.scaled.len() as f64;
    let mut radius = f64::INFINITY;
    for (plane, anchor) in hull.planes() {
        radius = radius.min(depth_in_box_units(plane, anchor, center, frame.extent)?);
    }
    Some(Ellipsoid { center, inverse_extent: frame.extent.recip(), radius_squared: radius * radius })
}

/// A lower bound of how deep the centre lies below a plane, with the box as unit of length; `None` if not positive.
///
/// With `q` the offset of a point from the centre and `m` the normal in these units, the point is below the plane if
/// `|m| |q| < h`, `h` the depth of the centre. Heights of the centre and of the point err by `bound` at most, or, where
/// heights of input points are exact, by a few `2^-53 |m|`; that, and the rounding of `q` and of this function, is
/// a thousand times less than `SLACK`.
fn depth_in_box_units(plane: &Plane, anchor: DVec3, center: DVec3, extent: DVec3) -> Option<f64> {
    const SLACK: f64 = 1e-12;
    /// Smaller normals might underflow when squared.
    const SMALLEST: f64 = 1e-100;
    let normal = plane.normal * extent;
    let depth = -plane.height(anchor, center) - 4.0 * plane.bound.max(0.0);
    let radius = depth / normal.length() * (1.0 - SLACK) - SLACK;
    (normal.abs().max_element() > SMALLEST && radius > 0.0).then_some(radius)
}

/// The first extreme points along the axes and the space diagonals, without repetition.
fn extreme_points(points: &[DVec3]) -> Vec<u32> {
    let mut best = [(f64::NEG_INFINITY, 0u32); 14];
    for (i, p) in points.iter().enumerate() {
        let (s, t) = (p.x + p.y, p.x - p.y);
        let along = [p.x, p.y, p.z, s + p.z, s - p.z, t + p.z, t - p.z];
        for (k, value) in along.into_iter().enumerate() {
            if value > best[2 * k].0 {
                best[2 * k] = (value, i as u32);
            }
            if -value > best[2 * k + 1].0 {
                best[2 * k + 1] = (-value, i as u32);
            }
        }
    }
    let mut extreme: Vec<u32> = best.iter().map(|b| b.1).collect();
    extreme.sort_unstable();
    extreme.dedup();
    extreme
}

/// The points in Morton order of a lattice of `2^30` cells, equal cells by index.
fn sorted_along_curve(points: &[DVec3], kept: Vec<u32>) -> Vec<u32> {
    let at = |i: &u32| points[*i as usize];
    let min = kept.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
    let max = kept.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
    // Casts from f64 saturate, so an empty extent or a rounding at the rim does no harm.
    let cells = (max - min).recip() * 1023.0;
    let key = |i: &u32| {
        let cell = (at(i) - min) * cells;
        spread(cell.x as u32) | spread(cell.y as u32) << 1 | spread(cell.z as u32) << 2
    };
    let mut keyed: Vec<u64> = kept.iter().map(|i| (key(i) as u64) << 32 | *i as u64).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|pair| pair as u32).collect()
}

/// The ten low bits of a number, two zeros between each.
fn spread(cell: u32) -> u32 {
    let mut x = cell.min(1023);
    x = (x | x << 16) & 0x0300_00ff;
    x = (x | x << 8) & 0x0300_f00f;
    x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points where the ellipsoid comes nearest to each face, a hair inside the ellipsoid, are below the face.
    #[test]
    fn the_inner_ellipsoid_stays_below_every_face() {
        let mut state = 1u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 * 2f64.powi(-53)
        };
        let mut tried = 0;
        for thickness in [1.0, 1e-3, 1e-9] {
            for count in 4..40 {
                let shape = DVec3::new(1.0, 0.5, thickness);
                let mut point = || DVec3::new(coordinate(), coordinate(), coordinate()) * shape;
                let points: Vec<DVec3> = (0..count).map(|_| point()).collect();
                let frame = Frame::new(&points, (0..count).collect(), 1.0);
                let Some(inner) = inner_ellipsoid(&frame) else { continue };
                let Basis::Solid(basis) = dimension::basis(&frame, points.len()) else { unreachable!() };
                for (plane, anchor) in Quickhull::build(&frame, basis, points.len()).planes() {
                    let nearest = (plane.normal * frame.extent).normalize() * inner.radius_squared.sqrt();
                    let point = inner.center + nearest * (1.0 - 1e-13) / inner.inverse_extent;
                    assert!(inner.contains(point));
                    assert!(plane.height(anchor, point) < -plane.bound);
                    tried += 1;
                }
            }
        }
        assert!(tried > 500);
    }

    #[test]
    fn bits_are_spread_by_three() {
        for cell in 0..1024 {
            let expected = (0..10).map(|b| (cell >> b & 1) << (3 * b)).sum::<u32>();
            assert_eq!(spread(cell), expected);
        }
    }
}
