//! The squares of the distances of all pairs of edges and of all corners over faces, three at a time.
//!
//! Proposals only: whatever wins is proved afterwards. No lane is NaN for finite corners: divisors are positive.

use super::pair::next;
use glam::DVec3;
use wide::f64x4;

/// Three vectors, one to a lane; the fourth lane repeats the first.
#[derive(Clone, Copy)]
struct Three {
    x: f64x4,
    y: f64x4,
    z: f64x4,
}

impl Three {
    #[inline(always)]
    fn new([p, q, r]: [DVec3; 3]) -> Three {
        Three {
            x: f64x4::new([p.x, q.x, r.x, p.x]),
            y: f64x4::new([p.y, q.y, r.y, p.y]),
            z: f64x4::new([p.z, q.z, r.z, p.z]),
        }
    }

    #[inline(always)]
    fn splat(v: DVec3) -> Three {
        Three { x: f64x4::splat(v.x), y: f64x4::splat(v.y), z: f64x4::splat(v.z) }
    }

    #[inline(always)]
    fn minus(self, other: Three) -> Three {
        Three { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    fn plus_times(self, other: Three, factor: f64x4) -> Three {
        Three { x: self.x + other.x * factor, y: self.y + other.y * factor, z: self.z + other.z * factor }
    }

    #[inline(always)]
    fn dot(self, other: Three) -> f64x4 {
        self.x * other.x + (self.y * other.y + self.z * other.z)
    }
}

/// The nearest points of an edge of A and an edge of B.
#[derive(Clone, Copy)]
pub(super) struct EdgePair {
    pub square: f64,
    /// The corners at which the edges start.
    pub start_a: usize,
    pub start_b: usize,
    /// How far along the edges the points lie, from 0 to 1.
    pub at_a: f64,
    pub at_b: f64,
}

#[inline(always)]
fn at_least_tiny(x: f64x4) -> f64x4 {
    x.fast_max(f64x4::splat(f64::MIN_POSITIVE))
}

#[inline(always)]
fn clamped(x: f64x4) -> f64x4 {
    x.fast_max(f64x4::ZERO).fast_min(f64x4::ONE)
}

/// The best of the nine pairs of edges; each after Ericson 2005, section 5.1.9.
#[inline]
pub(super) fn nearest_edges(a: &[DVec3; 3], b: &[DVec3; 3]) -> EdgePair {
    let starts = Three::new(*b);
    let along_b = Three::new([b[1], b[2], b[0]]).minus(starts);
    let bb = at_least_tiny(along_b.dot(along_b));
    let edges_a = Three::new([a[1], a[2], a[0]]).minus(Three::new(*a));
    let lengths_a = at_least_tiny(edges_a.dot(edges_a));
    // Rounding twice instead of once is nothing to a proposal.
    let (inverse_bb, inverse_aa) = (f64x4::ONE / bb, (f64x4::ONE / lengths_a).to_array());
    let mut best = EdgePair { square: f64::INFINITY, start_a: 0, start_b: 0, at_a: 0.0, at_b: 0.0 };
    for i in 0..3 {
        let along_a = Three::splat(a[next(i)] - a[i]);
        let between = starts.minus(Three::splat(a[i]));
        let (aa, ab) = (f64x4::splat(lengths_a.to_array()[i]), along_a.dot(along_b));
        let (to_a, to_b) = (along_a.dot(between), along_b.dot(between));
        // Parallel edges have a determinant of zero up to rounding: any point of A's will do.
        let free = clamped((to_a * bb - to_b * ab) / at_least_tiny(aa * bb - ab * ab));
        let t = clamped((ab * free - to_b) * inverse_bb);
        let s = clamped((ab * t + to_a) * f64x4::splat(inverse_aa[i]));
        let apart = between.plus_times(along_b, t).plus_times(along_a, -s);
        let square = apart.dot(apart).to_array();
        let lane = lowest(square);
        if square[lane] < best.square {
            let (at_a, at_b) = (s.to_array()[lane], t.to_array()[lane]);
            best = EdgePair { square: square[lane], start_a: i, start_b: lane, at_a, at_b };
        }
    }
    best
}

/// A corner over the inside of a face.
#[derive(Clone, Copy)]
pub(super) struct CornerOverFace {
    pub square: f64,
    pub corner: usize,
    /// Of the corners of the face.
    pub weights: [f64; 3],
}

/// The corner with the least height among those over the inside of a face; a square of infinity if there is none.
#[inline]
pub(super) fn nearest_corner(face: &[DVec3; 3], corners: &[DVec3; 3]) -> CornerOverFace {
    let (u, v) = (face[1] - face[0], face[2] - face[0]);
    let normal = u.cross(v);
    let inverse = f64x4::splat(1.0 / normal.length_squared().max(f64::MIN_POSITIVE));
    let from = Three::new(*corners).minus(Three::splat(face[0]));
    // Areas of the shadow: det[from, v, n] and det[u, from, n].
    let second = from.dot(Three::splat(v.cross(normal))) * inverse;
    let third = from.dot(Three::splat(normal.cross(u))) * inverse;
    let first = f64x4::ONE - second - third;
    let height = from.dot(Three::splat(normal));
    let is_over = first.fast_min(second).fast_min(third).simd_gt(f64x4::ZERO);
    let square = is_over.bitselect(height * height * inverse, f64x4::splat(f64::INFINITY)).to_array();
    let corner = lowest(square);
    let weights = [first, second, third].map(|w| w.to_array()[corner]);
    CornerOverFace { square: square[corner], corner, weights }
}

/// The first of three lanes that has the least number.
#[inline(always)]
fn lowest(lanes: [f64; 4]) -> usize {
    let front = usize::from(lanes[1] < lanes[0]);
    if lanes[2] < lanes[front] { 2 } else { front }
}
