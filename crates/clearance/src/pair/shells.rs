//! Two bodies kept apart by the ellipsoids around them, remembering nothing.
//!
//! A body that turns fast carries its vertices far from one frame to the next, and what was remembered of a pair is soon of
//! no use. Ellipsoids turn with it: the direction that separates two of them best is found at once, `(P + Q)^-1 c` with `P`
//! and `Q` their matrices and `c` from centre to centre, which separates them if any does or nearly so. In a room full of
//! bodies that turn by 10 degrees a frame this settles four of five pairs whose boxes meet.

use crate::math::Pose;
use crate::math::round::{UNIT_ROUNDOFF, power_of_two};
use crate::support::SupportMap;
use glam::DVec3;
use wide::f64x2;

/// Sizes whose squares, and squares of those, are normal numbers.
const SIZES: std::ops::Range<f64> = power_of_two(-200)..power_of_two(200);

/// What the square of a height may err by, see [`distance_lower_bound`].
const SQUARE_ERROR: f64 = 4096.0 * UNIT_ROUNDOFF;

/// What the gap may err by beside the square.
const GAP_ERROR: f64 = 1024.0 * UNIT_ROUNDOFF;

/// Not more than the distance of two bodies, and not negative: zero if the ellipsoids around them are not apart along one
/// direction, which proves nothing.
///
/// Both bodies take the same operations, A in the first lanes and B in the second ones.
///
/// Proof. Let `d` be the direction as it was computed, with its largest coordinate in `[1, 2)`, `D = |d|_1`, `r` the reach of a
/// body. A vertex is `c + M w + e` with `|w| <= 1` and `|e|` at most `240u r` in each coordinate, where rows of `M` sum to `4r` at
/// most ([`Shell`](crate::support::Shell)). So its height is at most `d . R c + sqrt(d . P d)`, with `W = R M` and `P = W W^T`, and
/// `420u D r` for `e`, as rows of `R` sum to less than 1.74. An entry of `W` errs by `37u r` and is at most `7r`, one of `P` by `2050u r^2`
/// and `d . P d` by less than `3000u D^2 r^2`: added below the root, `SQUARE_ERROR` covers it. A coordinate of the way from centre to
/// centre errs by `8u` of the scale, the sum of both reaches and the offset; its product with `d`, the roots and the
/// differences by less than `60u D` of it, as the roots are at most `7 D r`. All but the first is below `GAP_ERROR`. The last quotient
/// errs by less than `8u` of itself. Numbers that are not finite, and sizes out of range, prove nothing.
#[inline(always)]
pub(crate) fn distance_lower_bound(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> f64 {
    let both = |a: f64, b: f64| f64x2::new([a, b]);
    let lanes = |a: DVec3, b: DVec3| [both(a.x, b.x), both(a.y, b.y), both(a.z, b.z)];
    let ((shell_a, shell_b), (turn_a, turn_b)) =
        ((a.shell(), b.shell()), (pose_a.rotation(), pose_b.rotation()));
    let x = lanes(turn_a.x_axis, turn_b.x_axis);
    let y = lanes(turn_a.y_axis, turn_b.y_axis);
    let z = lanes(turn_a.z_axis, turn_b.z_axis);

    let of_x = lanes(shell_a.x, shell_b.x);
    let (of_y, of_z) =
        ([both(shell_a.y.x, shell_b.y.x), both(shell_a.y.y, shell_b.y.y)], both(shell_a.z, shell_b.z));
    let wide = [0, 1, 2].map(|i| {
        [x[i] * of_x[0] + y[i] * of_x[1] + z[i] * of_x[2], y[i] * of_y[0] + z[i] * of_y[1], z[i] * of_z]
    });
    let entry = |i: usize, j: usize| {
        let (p, q) = (&wide[i], &wide[j]);
        p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
    };
    let matrix = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];

    let center = lanes(shell_a.center, shell_b.center);
    let offset = pose_b.translation() - pose_a.translation();
    let between = DVec3::from_array([0, 1, 2].map(|i| {
        let [from, to] = (x[i] * center[0] + y[i] * center[1] + z[i] * center[2]).to_array();
        offset[i] + (to - from)
    }));
    let direction = best_direction(matrix.map(|entry| entry.to_array().iter().sum()), between);

    let DVec3 { x, y, z } = direction;
    let products = [x * x, y * y, z * z, 2.0 * (x * y), 2.0 * (x * z), 2.0 * (y * z)].map(f64x2::splat);
    let terms: [f64x2; 6] = std::array::from_fn(|i| products[i] * matrix[i]);
    let squares = (terms[0] + terms[1]) + (terms[2] + terms[3]) + (terms[4] + terms[5]);
    let length = direction.abs().element_sum();
    let reach = both(a.reach(), b.reach()) * length;
    let [height_a, height_b] = (squares + reach * reach * SQUARE_ERROR).sqrt().to_array();

    let scale = a.reach() + b.reach() + offset.abs().max_element();
    let gap = direction.dot(between) - (height_a + height_b) - GAP_ERROR * length * scale;
    // Also for NaN.
    let is_apart = gap > 0.0 && scale < SIZES.end && a.reach().min(b.reach()) > SIZES.start;
    if is_apart { gap / direction.length() * (1.0 - 8.0 * f64::EPSILON) } else { 0.0 }
}

/// The direction that separates two ellipsoids best whose matrices sum to one with these entries; its largest
/// coordinate is in `[1, 2)`, or nothing follows from it.
#[inline(always)]
fn best_direction([xx, yy, zz, xy, xz, yz]: [f64; 6], between: DVec3) -> DVec3 {
    // The adjugate: the length does not matter.
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let (d, e, f) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
    let DVec3 { x, y, z } = between;
    let direction = DVec3::new(a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z);
    let exponent = (direction.abs().max_element().to_bits() >> 52).clamp(1, 2045);
    direction * f64::from_bits((2046 - exponent) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::pair::distance;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    #[test]
    fn bodies_are_at_least_as_far_apart_at_any_scale() {
        let mut random = Random::new(21);
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];
        let (mut apart, mut proved) = (0, 0);
        for case in 0..3000 {
            let scale = 2f64.powi([0, -60, 60][case % 3]);
            let shift = [DVec3::ZERO, DVec3::splat(1e3)][case / 3 % 2];
            let mut body = |count: u32| {
                let kind = kinds[random.below(3) as usize];
                let sample = random_polytope(kind, count, random.below(50)).expect("a sample");
                let points: Vec<DVec3> = sample.vertices().iter().map(|v| (*v + shift) * scale).collect();
                SupportMap::new(Polytope::hull(&points).expect("a hull"))
            };
            let (a, b) = (body(4), body(20));
            let mut pose = |far: f64| {
                let turn = Pose::from_axis_angle(
                    random_direction(&mut random),
                    random.range(-3.0, 3.0),
                    DVec3::ZERO,
                );
                let turn = turn.expect("a turn");
                let place = random_direction(&mut random) * far - turn.apply(shift);
                Pose::new(turn.rotation(), place * scale).expect("a pose")
            };
            let (pose_a, pose_b) = (pose(0.0), pose([1.0, 2.0, 3.0][case / 6 % 3]));
            let (bound, found) =
                (distance_lower_bound(&a, &pose_a, &b, &pose_b), distance(&a, &pose_a, &b, &pose_b));
            assert!(bound >= 0.0 && bound <= found.upper, "{bound} above {}, case {case}", found.upper);
            (apart, proved) = (apart + i32::from(found.lower > 0.0), proved + i32::from(bound > 0.0));
        }
        assert!(2 * proved > apart, "{proved} of {apart}");
    }

    #[test]
    fn flat_bodies_one_place_and_sizes_out_of_range_prove_nothing_wrong() {
        let hull = |points: &[DVec3]| SupportMap::new(Polytope::hull(points).expect("a hull"));
        let (far, here) = (Pose::from_translation(DVec3::X * 9.0).expect("a pose"), Pose::IDENTITY);
        let bodies = [
            hull(&[DVec3::ZERO]),
            hull(&[DVec3::ZERO, DVec3::ONE]),
            hull(&[DVec3::ZERO, DVec3::X, DVec3::Y]),
            hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|v| v * 1e-80)),
            hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|v| v * 1e80)),
        ];
        for a in &bodies {
            for b in &bodies {
                assert_eq!(distance_lower_bound(a, &here, b, &here), 0.0);
                let bound = distance_lower_bound(a, &here, b, &far);
                assert!(bound >= 0.0 && bound <= distance(a, &here, b, &far).upper);
            }
        }
    }
}
