//! The proof of a proposed simplex, with both bodies side by side in the lanes of vectors: what most distances end with.
//!
//! The same sums as in [`super::gilbert`] and [`super::difference`], in half as many operations; what is not proved here at
//! once is left to them.

use super::difference::Difference;
use super::gilbert::{Bracket, Goal, ROUNDING, SMALLEST_SQUARE};
use super::subdistance::Simplex;
use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use glam::DVec3;
use wide::f64x2;

/// A vector of A in the first lanes, one of B in the second.
type Both = [f64x2; 3];

/// The rotations of both bodies.
struct Beside([Both; 3]);

impl Beside {
    #[inline(always)]
    fn new(pose_a: &Pose, pose_b: &Pose) -> Beside {
        let (a, b) = (pose_a.rotation_ref(), pose_b.rotation_ref());
        Beside([both(&a.x_axis, &b.x_axis), both(&a.y_axis, &b.y_axis), both(&a.z_axis, &b.z_axis)])
    }

    #[inline(always)]
    fn turned(&self, vector: &Both) -> Both {
        let [of_x, of_y, of_z] = &self.0;
        let row = |i: usize| [of_x[i], of_y[i], of_z[i]];
        [dot(&row(0), vector), dot(&row(1), vector), dot(&row(2), vector)]
    }

    #[inline(always)]
    fn turned_back(&self, direction: &Both) -> Both {
        [dot(&self.0[0], direction), dot(&self.0[1], direction), dot(&self.0[2], direction)]
    }
}

#[inline(always)]
fn both(a: &DVec3, b: &DVec3) -> Both {
    [f64x2::new([a.x, b.x]), f64x2::new([a.y, b.y]), f64x2::new([a.z, b.z])]
}

#[inline(always)]
fn dot([x, y, z]: &Both, [u, v, w]: &Both) -> f64x2 {
    *x * *u + *y * *v + *z * *w
}

#[inline(always)]
fn lane([x, y, z]: &Both, i: usize) -> DVec3 {
    DVec3::new(x.to_array()[i], y.to_array()[i], z.to_array()[i])
}

/// How a proof ends.
pub(super) enum Proved {
    /// The goal is met, with the point of A and that of B nearest to each other.
    Met(Bracket, [DVec3; 2]),
    /// The bracket is as good as floats give, but the goal is not met. The vertices alone are lowest along this direction.
    Open(DVec3),
    /// Not all corners are needed, or others are lower.
    Unproved,
}

/// Proves that the part of a simplex that is nearest to zero has all its corners, and no vertices but theirs are lowest; then the
/// simplex has the weights of the nearest point.
#[inline(always)]
pub(super) fn prove(m: &Difference<'_>, simplex: &mut Simplex, goal: &Goal) -> Proved {
    let [p, q, r, _] = simplex.pairs;
    match simplex.len {
        1 => prove_part(m, [p], simplex, goal),
        2 => prove_part(m, [p, q], simplex, goal),
        3 => prove_part(m, [p, q, r], simplex, goal),
        _ => Proved::Unproved,
    }
}

/// The same for a number of corners that is known; a branch for each is faster than corners that are there twice.
#[inline(always)]
fn prove_part<const N: usize>(
    m: &Difference<'_>,
    pairs: [(u32, u32); N],
    simplex: &mut Simplex,
    goal: &Goal,
) -> Proved {
    let poses = Beside::new(m.pose_a, m.pose_b);
    let (mut vertices, mut corners) = ([[f64x2::ZERO; 3]; N], [DVec3::ZERO; N]);
    for i in 0..N {
        vertices[i] = both(m.a.vertex_ref(pairs[i].0), m.b.vertex_ref(pairs[i].1));
        let turned = poses.turned(&vertices[i]);
        corners[i] = (lane(&turned, 1) - lane(&turned, 0)) * m.unit + m.offset();
    }
    let Some((direction, weights)) = nearest(&corners) else { return Proved::Unproved };
    let inverse = 1.0 / weights.iter().sum::<f64>();
    let (mut point, mut parts) = (DVec3::ZERO, weights);
    for i in 0..N {
        parts[i] = weights[i] * inverse;
        let part = corners[i] * parts[i];
        point = if i == 0 { part } else { point + part };
    }
    let (distance, square) = (point.length_squared(), direction.length_squared());
    // Also false for NaN.
    let is_regular = distance > SMALLEST_SQUARE && square > SMALLEST_SQUARE;
    if !is_regular {
        return Proved::Unproved;
    }
    let upper = (distance.sqrt() * (1.0 + 8.0 * UNIT_ROUNDOFF) + 20.0 * UNIT_ROUNDOFF * m.scale) * m.length;
    let along = poses.turned_back(&both(&direction, &-direction));
    let mut tops = dot(&vertices[0], &along);
    for vertex in &vertices[1..] {
        tops = tops.fast_max(dot(vertex, &along));
    }
    let [top_a, top_b] = tops.to_array();
    let error = 10.0 * UNIT_ROUNDOFF * direction.abs().element_sum() * m.scale;
    let floor = direction.dot(m.offset()) - (top_a + top_b) * m.unit - error;
    let lower = floor / square.sqrt() * (1.0 - 8.0 * UNIT_ROUNDOFF) * m.length;
    let bracket = Bracket { lower: lower.max(0.0), upper };
    let is_met = goal.is_met(bracket);
    let is_fine = lower > 0.0 && (upper - lower) * m.unit <= ROUNDING * m.scale;
    if !(is_met || is_fine) {
        return Proved::Unproved;
    }
    let are_lowest = m.a.are_proved(lane(&along, 0), pairs.map(|pair| pair.0))
        && m.b.are_proved(lane(&along, 1), pairs.map(|pair| pair.1));
    if !are_lowest {
        return Proved::Unproved;
    }
    simplex.weights[..N].copy_from_slice(&parts);
    if !is_met {
        return Proved::Open(direction);
    }
    let turned = poses.turned(&mean(&vertices, &parts));
    Proved::Met(bracket, placed(&turned, m.pose_a, m.pose_b))
}

/// Whether all corners of a simplex are needed for its point nearest to zero, which is then inside of it.
pub(super) fn needs_all(m: &Difference<'_>, simplex: &Simplex) -> bool {
    let corner = |i: usize| m.corner(simplex.pairs[i]);
    match simplex.len {
        1 => true,
        2 => nearest(&[corner(0), corner(1)]).is_some(),
        3 => nearest(&[corner(0), corner(1), corner(2)]).is_some(),
        _ => false,
    }
}

/// Weights of two corners above are positive exactly, and those of three if they are above as many squares of the longer edge.
///
/// Proof. In the units of [`Difference`] corners are at most 4 long and apart, and err by `19u`, edges by `41u`. *Two*: products of
/// a corner and an edge, and squares of edges, err by `400u`, a difference of them by less than `1024u`. *Three*, with edges of at
/// most `L`: the normal errs by `106uL`, the product of an edge and a corner by `336u` and is at most `4L` long: a weight by `808u L^2`, the
/// square of the normal by `912u L^2`, and what the other two weights leave of it by less than `4096u L^2`.
const POSITIVE: f64 = 4096.0 * UNIT_ROUNDOFF;

/// Where zero is nearest to corners that are all needed, which is proved: a direction, and weights of any sum.
#[inline(always)]
fn nearest<const N: usize>(corners: &[DVec3; N]) -> Option<(DVec3, [f64; N])> {
    let mut weights = [1.0; N];
    let p = corners[0];
    if N == 1 {
        return Some((p, weights));
    }
    let pq = corners[1] - p;
    if N == 2 {
        let length = pq.length_squared();
        weights[1] = -p.dot(pq);
        weights[0] = length - weights[1];
        let is_between = weights[0] > POSITIVE && weights[1] > POSITIVE;
        return is_between.then(|| (pq.cross(p).cross(pq), weights));
    }
    let pr = corners[N - 1] - p;
    let normal = pq.cross(pr);
    weights[1] = normal.dot(pr.cross(p));
    weights[N - 1] = normal.dot(p.cross(pq));
    weights[0] = normal.length_squared() - weights[1] - weights[N - 1];
    let least = POSITIVE * pq.length_squared().max(pr.length_squared());
    let is_inside = weights.iter().all(|weight| *weight > least);
    let direction = if normal.dot(p) < 0.0 { -normal } else { normal };
    is_inside.then_some((direction, weights))
}

#[inline(always)]
fn mean<const N: usize>(vertices: &[Both; N], weights: &[f64; N]) -> Both {
    let mut sum = scaled(&vertices[0], weights[0]);
    for i in 1..N {
        let [x, y, z] = scaled(&vertices[i], weights[i]);
        sum = [sum[0] + x, sum[1] + y, sum[2] + z];
    }
    sum
}

#[inline(always)]
fn scaled([x, y, z]: &Both, by: f64) -> Both {
    let by = f64x2::splat(by);
    [*x * by, *y * by, *z * by]
}

#[inline(always)]
fn placed(turned: &Both, pose_a: &Pose, pose_b: &Pose) -> [DVec3; 2] {
    [lane(turned, 0) + pose_a.translation(), lane(turned, 1) + pose_b.translation()]
}
