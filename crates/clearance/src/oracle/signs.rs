//! The predicates of [`crate::exact`], written out in exact numbers.

use super::cases::Family;
use super::compare::same;
use super::dyadic::Dyadic;
use crate::exact::{self as tested, Axis, Posed, Sign, Vector};
use crate::math::{Pose, Random};
use glam::{DVec2, DVec3};

/// An exact vector.
pub type Exact3 = [Dyadic; 3];

/// The exact coordinates of a point.
pub fn exact(point: DVec3) -> Exact3 {
    point.to_array().map(Dyadic::new)
}

/// The exact image of a point under a pose.
pub fn posed(pose: &Pose, point: DVec3) -> Exact3 {
    let (p, t) = (exact(point), exact(pose.translation()));
    let rows: [DVec3; 3] = [0, 1, 2].map(|i| pose.rotation().row(i));
    [0, 1, 2].map(|i| &dot(&exact(rows[i]), &p) + &t[i])
}

/// `b - a`.
pub fn minus(b: &Exact3, a: &Exact3) -> Exact3 {
    [0, 1, 2].map(|i| &b[i] - &a[i])
}

/// The scalar product.
pub fn dot(a: &Exact3, b: &Exact3) -> Dyadic {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// The vector product.
pub fn cross(a: &Exact3, b: &Exact3) -> Exact3 {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i]))
}

/// The sign of `det[u, v, w]`.
pub fn det_sign(u: &Exact3, v: &Exact3, w: &Exact3) -> Sign {
    dot(&cross(u, v), w).sign()
}

/// Side of the plane `abc` on which `d` lies.
pub fn orient3d(a: &Exact3, b: &Exact3, c: &Exact3, d: &Exact3) -> Sign {
    det_sign(&minus(b, a), &minus(c, a), &minus(d, a))
}

/// Side of the line `ab` on which `c` lies.
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let lift = |p: DVec2| exact(p.extend(0.0));
    cross(&minus(&lift(b), &lift(a)), &minus(&lift(c), &lift(a)))[2].sign()
}

/// Three points of the plane of every family.
pub fn compare_orient2d(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let [a, b, _, c] = family.four_points(random).map(DVec3::truncate);
    same(tested::orient2d(a, b, c), orient2d(a, b, c), || format!("{family:?} {:?}", [a, b, c]))
}

/// Four points of every family.
pub fn compare_orient3d(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let points = family.four_points(random);
    let [a, b, c, d] = points;
    let [ea, eb, ec, ed] = points.map(exact);
    same(tested::orient3d(a, b, c, d), orient3d(&ea, &eb, &ec, &ed), || format!("{family:?} {points:?}"))
}

/// Four points, each under one of two poses, and their projections along the axes.
pub fn compare_orientation_under_poses(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let poses = [family.pose(random), family.pose(random)];
    let points = family.four_points(random);
    let owner: [usize; 4] = std::array::from_fn(|_| random.below(2) as usize);
    let context = || format!("{family:?} {points:?} {owner:?} {poses:?}");
    let [a, b, c, d]: [Posed<'_>; 4] = std::array::from_fn(|i| poses[owner[i]].at(points[i]));
    let truth: [_; 4] = std::array::from_fn(|i| posed(&poses[owner[i]], points[i]));
    let [ea, eb, ec, ed] = &truth;
    same(tested::orient3d_posed(a, b, c, d), orient3d(ea, eb, ec, ed), context)?;
    let normal = cross(&minus(eb, ea), &minus(ec, ea));
    for axis in Axis::ALL {
        same(tested::orient2d_posed(axis, a, b, c), normal[axis as usize].sign(), context)?;
    }
    Ok(())
}

/// Scalar products and determinants of a direction and differences of points under two poses.
pub fn compare_vectors_under_poses(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let poses = [family.pose(random), family.pose(random)];
    let points = family.four_points(random);
    let direction = family.point(random);
    let context = || format!("{family:?} {direction:?} {points:?} {poses:?}");
    let at = |i: usize| poses[i % 2].at(points[i]);
    let truth = |i: usize| posed(&poses[i % 2], points[i]);
    let (across, along) = (Vector::Between(at(0), at(1)), Vector::Between(at(0), at(2)));
    let (exact_across, exact_along) = (minus(&truth(1), &truth(0)), minus(&truth(2), &truth(0)));
    let literal = exact(direction);
    same(tested::dot_sign(direction, across), dot(&literal, &exact_across).sign(), context)?;
    same(tested::dot_sign(direction, along), dot(&literal, &exact_along).sign(), context)?;
    let determinant = tested::det_sign(across, Vector::Literal(direction), along);
    same(determinant, det_sign(&exact_across, &literal, &exact_along), context)
}
