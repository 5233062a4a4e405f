//! The box with free axes, and the separating axis test: the rival of fixed directions.

use crate::math::Pose;
use crate::math::round::UNIT_ROUNDOFF;
use glam::{DMat3, DVec3};

/// A box whose axes fit what it bounds: the points `center + A t` with `|t_i| <= half_i`.
///
/// The columns of `A` are orthonormal to `16u` in every product, `u = 2^-53`, and right-handed; half extents are rounded
/// outward, so the exact points are inside. Needs no realignment: under a pose its axes turn along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    center: DVec3,
    axes: DMat3,
    half: DVec3,
}

impl OrientedBox {
    /// A box along the principal axes of some points, or along the coordinate axes if that one is smaller. `None` if
    /// there are no points or one is not finite. `O(n)`.
    pub fn around(points: &[DVec3]) -> Option<OrientedBox> {
        let origin = *points.first()?;
        let reach = points.iter().map(|&p| (p - origin).abs().element_sum()).fold(0.0, f64::max);
        let size = reach + origin.abs().element_sum();
        // `max` passes over NaN, so each point is looked at.
        if !size.is_finite() || !points.iter().all(|p| p.is_finite()) {
            return None;
        }
        let fitted = [principal_axes(points, origin, reach), DMat3::IDENTITY]
            .map(|axes| OrientedBox::along(points, origin, axes, size));
        let [principal, plain] = fitted;
        Some(if principal.half.element_product() < plain.half.element_product() { principal } else { plain })
    }

    /// Proof of the slack, with `s` the size of the points relative to the first one plus that of the first: heights err
    /// by `5u s`, their middle by `u s`, the centre by `7u s` in each of three coordinates; axes that are not quite
    /// orthonormal shift heights by `54u s` more. `128u s` covers all.
    fn along(points: &[DVec3], origin: DVec3, axes: DMat3, size: f64) -> OrientedBox {
        let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
        for &point in points {
            let height = axes.transpose() * (point - origin);
            (low, high) = (low.min(height), high.max(height));
        }
        let slack = 128.0 * UNIT_ROUNDOFF * size + f64::MIN_POSITIVE;
        OrientedBox {
            center: origin + axes * (0.5 * (low + high)),
            axes,
            half: 0.5 * (high - low) + DVec3::splat(slack),
        }
    }

    /// The middle.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The axes, as columns.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Half the extents along the axes.
    pub fn half_extents(&self) -> DVec3 {
        self.half
    }

    /// A box that contains the exact image under a pose.
    ///
    /// The turned axes are made orthonormal again. What that and rounding move a point by, it is at most `r` below,
    /// and every vector of length `r` lies in a box of half extents `1.01 r`.
    pub fn posed(&self, pose: &Pose) -> OrientedBox {
        let turned = pose.rotation() * self.axes;
        let axes = orthonormal(turned);
        let moved: f64 = [0, 1, 2]
            .map(|i| {
                ((turned.col(i) - axes.col(i)).abs().element_sum() + 16.0 * UNIT_ROUNDOFF) * self.half[i]
            })
            .into_iter()
            .sum();
        let size = 2.0 * self.center.abs().element_sum() + pose.translation().abs().element_sum();
        let r = moved + 16.0 * UNIT_ROUNDOFF * size + f64::MIN_POSITIVE;
        OrientedBox { center: pose.apply(self.center), axes, half: self.half + DVec3::splat(1.01 * r) }
    }

    /// Whether none of the 15 axes separates the two; `false` proves that what they bound is disjoint.
    pub fn meets(&self, other: &OrientedBox) -> bool {
        let pair = Pair::new(self, other);
        (0..3).all(|i| (pair.gap_along_a(i) <= 0.0) & (pair.gap_along_b(i) <= 0.0))
            && (0..3).all(|i| (0..3).fold(true, |meets, j| meets & (pair.gap_along_edges(i, j).0 <= 0.0)))
    }

    /// A number not above the distance of any point of the one to any point of the other, not negative: the widest gap
    /// along one of the 15 axes. 0 proves nothing.
    pub fn distance_lower_bound(&self, other: &OrientedBox) -> f64 {
        let pair = Pair::new(self, other);
        let wider = |a: f64, b: f64| if b > a { b } else { a };
        let mut best = 0.0;
        for i in 0..3 {
            best = wider(best, wider(pair.gap_along_a(i), pair.gap_along_b(i)));
        }
        for i in 0..3 {
            for j in 0..3 {
                let (gap, length_squared) = pair.gap_along_edges(i, j);
                // A division only where it pays: most gaps are not positive.
                if gap > 0.0 && gap * gap > best * best * length_squared {
                    best = wider(best, gap / length_squared.sqrt());
                }
            }
        }
        best * (1.0 - 64.0 * UNIT_ROUNDOFF)
    }
}

/// Two boxes in the frame of the first.
struct Pair {
    halves: [[f64; 3]; 2],
    /// `products[i][j]`: axis `i` of A times axis `j` of B.
    products: [[f64; 3]; 3],
    /// From the centre of A to that of B, along the axes of A and of B.
    between: [[f64; 3]; 2],
    slack: f64,
}

impl Pair {
    #[inline(always)]
    fn new(a: &OrientedBox, b: &OrientedBox) -> Pair {
        let between = b.center - a.center;
        let size = (a.half + b.half + between.abs()).element_sum();
        Pair {
            halves: [a.half.to_array(), b.half.to_array()],
            products: [0, 1, 2].map(|i| [0, 1, 2].map(|j| a.axes.col(i).dot(b.axes.col(j)))),
            between: [&a.axes, &b.axes].map(|axes| (axes.transpose() * between).to_array()),
            slack: SLACK * size,
        }
    }

    /// A number not above the gap along an axis of A.
    #[inline(always)]
    fn gap_along_a(&self, i: usize) -> f64 {
        let (c, half) = (self.products[i].map(f64::abs), self.halves[1]);
        let reach = half[0] * c[0] + half[1] * c[1] + half[2] * c[2];
        self.between[0][i].abs() - self.halves[0][i] - reach - self.slack
    }

    /// The same for an axis of B.
    #[inline(always)]
    fn gap_along_b(&self, j: usize) -> f64 {
        let (c, half) = (self.products.map(|row| row[j].abs()), self.halves[0]);
        let reach = half[0] * c[0] + half[1] * c[1] + half[2] * c[2];
        self.between[1][j].abs() - self.halves[1][j] - reach - self.slack
    }

    /// The same for edge `i` of A times edge `j` of B, not divided by the length of that vector, and the square of its length
    /// to `32u`. The vector is `c1j a2 - c2j a1` for edge 0 of A, exactly, with the rounded products `c`.
    #[inline(always)]
    fn gap_along_edges(&self, i: usize, j: usize) -> (f64, f64) {
        let ([half_a, half_b], c, t) = (&self.halves, &self.products, &self.between[0]);
        let ([i1, i2], [j1, j2]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        let reach_a = half_a[i1] * c[i2][j].abs() + half_a[i2] * c[i1][j].abs();
        let reach_b = half_b[j1] * c[i][j2].abs() + half_b[j2] * c[i][j1].abs();
        let distance = t[i2] * c[i1][j] - t[i1] * c[i2][j];
        let length_squared = c[i1][j] * c[i1][j] + c[i2][j] * c[i2][j];
        (distance.abs() - (reach_a + reach_b) - self.slack, length_squared)
    }
}

/// What the gap along an axis may err by, of half extents and distance of the centres: products of axes err by `4u`,
/// heights by `5u`; axes that are not orthonormal make the formulas for edge times edge wrong by `16u` for each product
/// of two and `32u` for each of three. `128u` covers the sum.
const SLACK: f64 = 128.0 * UNIT_ROUNDOFF;

/// The eigenvectors of the points' covariance, by Jacobi's rotations; any orthonormal axes are valid, so eight sweeps,
/// far more than needed, decide only how well the box fits.
fn principal_axes(points: &[DVec3], origin: DVec3, reach: f64) -> DMat3 {
    if reach < f64::MIN_POSITIVE {
        return DMat3::IDENTITY;
    }
    let local = |p: DVec3| (p - origin) / reach;
    let mean = points.iter().map(|&p| local(p)).sum::<DVec3>() / points.len() as f64;
    let mut covariance = DMat3::ZERO;
    for &point in points {
        let d = local(point) - mean;
        covariance += DMat3::from_cols(d * d.x, d * d.y, d * d.z);
    }
    let mut axes = DMat3::IDENTITY;
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let rotation = annihilating(&covariance, p, q);
            covariance = rotation.transpose() * covariance * rotation;
            axes *= rotation;
        }
    }
    orthonormal(axes)
}

/// The rotation in the plane of two axes that makes an entry of a symmetric matrix zero.
fn annihilating(matrix: &DMat3, p: usize, q: usize) -> DMat3 {
    let entry = matrix.col(q)[p];
    if entry == 0.0 {
        return DMat3::IDENTITY;
    }
    let theta = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * entry);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let mut rotation = DMat3::IDENTITY;
    rotation.col_mut(p)[p] = cosine;
    rotation.col_mut(q)[q] = cosine;
    rotation.col_mut(q)[p] = sine;
    rotation.col_mut(p)[q] = -sine;
    rotation
}

/// Orthonormal axes near those of a matrix that is nearly so, by a step of Newton's iteration for its polar factor: a
/// defect of 1e-9 becomes one of 1e-18. The coordinate axes if rounding does not allow it.
fn orthonormal(matrix: DMat3) -> DMat3 {
    let axes = matrix * (DMat3::IDENTITY * 1.5 - matrix.transpose() * matrix * 0.5);
    let defect = axes.transpose() * axes - DMat3::IDENTITY;
    // The product itself errs by `4u`: 12 leaves room for it.
    let most =
        defect.to_cols_array().into_iter().fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() });
    if most <= 12.0 * UNIT_ROUNDOFF { axes } else { DMat3::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_direction, random_ellipsoid_points};

    #[test]
    fn axes_follow_the_points() {
        let turn = Pose::from_axis_angle(DVec3::new(1.0, 2.0, 3.0), 1.0, DVec3::new(5.0, 6.0, 7.0)).unwrap();
        let points = random_ellipsoid_points(PolytopeKind::ThinRod, 200, 1);
        let turned: Vec<DVec3> = points.iter().map(|&p| turn.apply(p)).collect();
        let found = OrientedBox::around(&turned).unwrap();
        let mut half = found.half_extents().to_array();
        half.sort_by(f64::total_cmp);
        assert!(half[0] < 0.06 && half[1] < 0.06 && half[2] < 1.01, "{half:?}");
    }

    #[test]
    fn turned_axes_stay_orthonormal() {
        let mut random = Random::new(9);
        for _ in 0..5_000 {
            let turn =
                Pose::from_axis_angle(random_direction(&mut random), random.range(0.0, 7.0), DVec3::ZERO);
            let axes = orthonormal(turn.unwrap().rotation());
            assert_ne!(axes, DMat3::IDENTITY, "never needed for a rotation");
            assert!(axes.determinant() > 0.9);
        }
    }

    #[test]
    fn points_and_nothing() {
        assert_eq!(OrientedBox::around(&[]), None);
        assert_eq!(OrientedBox::around(&[DVec3::ONE, DVec3::NAN]), None);
        let point = OrientedBox::around(&[DVec3::ONE; 3]).unwrap();
        let other = OrientedBox::around(&[DVec3::new(4.0, 1.0, 1.0)]).unwrap();
        let bound = point.distance_lower_bound(&other);
        assert!((2.999_999..=3.0).contains(&bound) && !point.meets(&other) && point.meets(&point));
    }
}
