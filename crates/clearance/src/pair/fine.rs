//! The proof of a simplex with twice the precision, for bodies that are near each other: what [`super::beside`] does not prove
//! finely enough.
//!
//! One step of Newton's method from the weights that floats gave, with residuals in double-double numbers, leads to a point `V`
//! of the simplex to which its edges `e` are perpendicular but for `r = e . V`, about `u^2`. Along `V` the corners are then as high as
//! the square of its length, but for these products, and nothing else is needed of it in more than floats.
//!
//! For simplices with a corner that shares a vertex with each of the others, so that each edge is one of a body, and whose vertices
//! alone are lowest, which blocks prove: most of those of bodies without parallel features. Others are left to
//! [`super::refine`].

use super::difference::Difference;
use super::gilbert::{Bracket, Goal};
use super::subdistance::Simplex;
use crate::math::double::Double3;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use glam::DVec3;

/// `u^2`.
const FINE_ROUNDOFF: f64 = UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// A point whose error is a larger part of it than this proves nothing.
const LARGEST_PART: f64 = power_of_two(-30);

/// How much a direction may differ from one along which blocks prove what is lowest, as the sine of an angle: they leave room for
/// a seventh of `2^-24` of its largest coordinate, this is a ninth.
const CLOSE: f64 = power_of_two(-28);

/// Tries to meet the goal; the simplex, of one to three corners, then has the weights of its nearest point, and else is as it was but
/// for their order. It is known that its vertices alone are lowest along a direction.
#[inline(always)]
pub(super) fn prove(
    m: &Difference<'_>,
    simplex: &mut Simplex,
    direction: DVec3,
    goal: &Goal,
) -> Option<Bracket> {
    anchor(simplex)?;
    match simplex.len {
        1 => prove_part::<0>(m, simplex, direction, goal),
        2 => prove_part::<1>(m, simplex, direction, goal),
        3 => prove_part::<2>(m, simplex, direction, goal),
        _ => None,
    }
}

/// Puts a corner first that shares a vertex with each of the others, if there is one.
#[inline(always)]
fn anchor(simplex: &mut Simplex) -> Option<()> {
    let pairs = &simplex.pairs[..simplex.len.min(4)];
    let shares = |&(a, b): &(u32, u32)| pairs.iter().all(|pair| pair.0 == a || pair.1 == b);
    let at = pairs.iter().position(shares)?;
    simplex.pairs.swap(0, at);
    simplex.weights.swap(0, at);
    Some(())
}

/// For a simplex with so many edges from its first corner.
///
/// With `scale <= 2`, weights `w - c` and `V` the exact combination of the exact corners with these. *Before the step* the point `v` errs by
/// less than `256u^2 scale` in each coordinate: a corner of `32u^2`, edges of `24u^2` times weights, and `64u^2` of all three. *After it* its floats
/// err by `2u` of themselves, by that, and by `4u` of what the step moves it. *Products*: `e . v` errs by `28u^2 |e|_1 |v|_max` as a scalar
/// product, by `256u^2 scale |e|_1` for `v` and by `24u^2 |v|_1 scale` for `e`: below `320u^2 scale |e|_1 + 90u^2 scale^2`, as `|v|_1` is at most
/// `3.5 scale`. A product of edges errs by `8u` of their lengths' product, and what is then left of `e . V` by `4u` of each term.
///
/// *Upper end*: `V` is in the simplex. *Lower end*: with `p` the first corner, `p . V = V . V - sum W (e . V)`, and a vertex of `B - A` that may be
/// lowest is `p` plus at most one edge of each body. So none is lower than `V . V - 2 sum |e . V|`.
#[inline(always)]
fn prove_part<const N: usize>(
    m: &Difference<'_>,
    simplex: &mut Simplex,
    direction: DVec3,
    goal: &Goal,
) -> Option<Bracket> {
    let (first_a, first_b) = simplex.pairs[0];
    let known: [f64; N] = std::array::from_fn(|i| simplex.weights[i + 1]);
    let edges: [Double3; N] = std::array::from_fn(|i| match simplex.pairs[i + 1] {
        (a, b) if b == first_b => m.fine_edge(m.a, m.pose_a, a, first_a),
        (_, b) => m.fine_edge(m.b, m.pose_b, first_b, b),
    });
    let point = m.fine_corner((first_a, first_b)).plus_multiples(&edges, &known);
    let residuals: [f64; N] = std::array::from_fn(|i| edges[i].dot_in_float(&point));
    let floats = edges.map(|edge| edge.high());
    let change = solve(&floats, &residuals);

    let (mut moved, mut slack) = (point.low(), 512.0 * FINE_ROUNDOFF * m.scale);
    let (mut rest, mut products, mut weights) = (1.0, 0.0, [0.0; N]);
    for i in 0..N {
        let size = floats[i].abs().element_sum();
        moved -= floats[i] * change[i];
        slack += 8.0 * UNIT_ROUNDOFF * change[i].abs() * size;
        weights[i] = known[i] - change[i];
        rest -= weights[i];
        let (mut left, mut terms) = (residuals[i], residuals[i].abs());
        for j in 0..N {
            left -= change[j] * floats[i].dot(floats[j]);
            terms += change[j].abs() * floats[i].length() * floats[j].length();
        }
        products += left.abs()
            + 16.0 * UNIT_ROUNDOFF * terms
            + 512.0 * FINE_ROUNDOFF * m.scale * (size + 0.25 * m.scale);
    }
    let nearest = point.high() + moved;
    let length = nearest.length();
    // Also false for NaN.
    let is_sound = slack <= LARGEST_PART * length
        && rest > 8.0 * f64::EPSILON
        && weights.iter().all(|weight| *weight > 0.0);
    if !is_sound {
        return None;
    }
    let least = length * (1.0 - 8.0 * UNIT_ROUNDOFF) - slack;
    let less = 2.0 * products / least * (1.0 + 16.0 * UNIT_ROUNDOFF);
    let lower = (least - less) * (1.0 - 4.0 * UNIT_ROUNDOFF);
    let upper = length * (1.0 + 8.0 * UNIT_ROUNDOFF) + slack;
    let bracket = Bracket { lower: lower.max(0.0) * m.length, upper: upper * m.length };
    if !(goal.is_met(bracket) && is_close(nearest, direction)) {
        return None;
    }
    simplex.weights[0] = rest;
    simplex.weights[1..=N].copy_from_slice(&weights);
    Some(bracket)
}

/// The solution of `(e . e) x = r`: not finite for edges without area.
#[inline(always)]
fn solve<const N: usize>(edges: &[DVec3; N], residuals: &[f64; N]) -> [f64; N] {
    let mut change = [0.0; N];
    match N {
        1 => change[0] = residuals[0] / edges[0].length_squared(),
        2 => {
            let [(e, r), (f, s)] = [0, N - 1].map(|i| (edges[i], residuals[i]));
            let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
            let inverse = e.cross(f).length_squared().recip();
            change[0] = (r * ff - s * ef) * inverse;
            change[N - 1] = (s * ee - r * ef) * inverse;
        }
        _ => {}
    }
    change
}

/// Whether two directions differ by a rounding of single precision at most.
#[inline(always)]
fn is_close(one: DVec3, other: DVec3) -> bool {
    let squares = one.length_squared() * other.length_squared();
    one.cross(other).length_squared() <= CLOSE * CLOSE * squares && one.dot(other) > 0.0
}

#[cfg(test)]
mod tests {
    use super::super::beside::{self, Proved};
    use super::super::exact_distance;
    use super::super::gilbert::proposed;
    use super::*;
    use crate::math::{Pose, Random};
    use crate::pair::distance;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use crate::stats::Stats;
    use crate::support::SupportMap;
    use crate::witness::PosedPair;

    #[test]
    fn brackets_of_near_bodies_hold_their_distance_and_are_narrow() {
        let mut random = Random::new(31);
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];
        let (goal, mut asked, mut proved) = (Goal::Width(1e-12), 0, 0);
        for round in 0..600 {
            let mut body = |count: u32| {
                let seed = random.below(1 << 30);
                SupportMap::new(random_polytope(kinds[round % 3], count, seed).expect("a sample"))
            };
            let (a, b) = (body(4), body(12));
            let place = [DVec3::ZERO, DVec3::splat(1e3)][round % 2];
            let pose_a = Pose::skew(&mut random, place);
            let away = random_direction(&mut random) * 2.5;
            let far = Pose::skew(&mut random, place + away);
            let (gap, start) = (10f64.powi(-2 - (round as i32 % 7)), distance(&a, &pose_a, &b, &far));
            let closer = (start.point_a - start.point_b) * (1.0 - gap / start.upper);
            let pose_b = Pose::new(far.rotation(), far.translation() + closer).expect("a pose");
            let m = Difference::new(&a, &pose_a, &b, &pose_b).expect("bodies of some size");
            let mut simplex = proposed(&m, &mut Stats::default());
            let Proved::Open(direction) = beside::prove(&m, &mut simplex, &goal) else { continue };
            asked += 1;
            let Some(found) = prove(&m, &mut simplex, direction, &goal) else { continue };
            proved += 1;
            let pair = PosedPair { a: a.polytope(), pose_a: &pose_a, b: b.polytope(), pose_b: &pose_b };
            let exact = exact_distance::nearest(&pair, simplex.pairs()).distance_squared;
            let (lower, upper) = exact.root_bracket();
            assert!(found.lower <= upper && lower <= found.upper, "{found:?} {lower} {upper}, round {round}");
            assert!(found.upper - found.lower <= 1e-12 * found.upper);
        }
        println!("{proved} of {asked}");
        assert!(asked > 300 && 5 * proved > 4 * asked, "{proved} of {asked}");
    }

    #[test]
    fn a_simplex_without_a_corner_that_shares_with_all_is_left_to_others() {
        let mut simplex = Simplex::new(DVec3::ZERO, (0, 0));
        simplex.push(DVec3::ZERO, (1, 1));
        assert_eq!(anchor(&mut simplex), None);
        simplex.push(DVec3::ZERO, (1, 0));
        assert_eq!(anchor(&mut simplex), Some(()));
        assert_eq!(simplex.pairs(), [(1, 0), (1, 1), (0, 0)]);
    }
}
