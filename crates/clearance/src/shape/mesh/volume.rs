//! Area, volume and centroid in floats, and the exact sign of a volume.

use crate::Aabb;
use crate::exact::Sign;
use dashu::integer::IBig;
use glam::DVec3;

/// The exact sign of the volume that closed triangles bound: the sum of their winding numbers over space.
///
/// A float sum with a proved error bound decides unless the volume is tiny against the size of its
/// terms; then integers do.
pub(super) fn volume_sign(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Sign {
    filtered_volume_sign(triangles.clone()).unwrap_or_else(|| exact_volume_sign(triangles))
}

/// Six times the volume is the sum of `det[a - o, b - o, c - o]` for any `o`, as the triangles are closed.
///
/// Coordinates relative to `o` are scaled by a power of two to at most 1 in size; a difference errs by
/// `u = 2^-53` relative. With `P` the sum of the permanents, each determinant errs by `8u` of its permanent to first
/// order (as in `orient3d`) and summing `n` of them by `n u P`. `(n + 16) u P` leaves room for the rounding of `P`,
/// whose relative error is below `(n + 8) u <= 2^-22`. Underflow, in scaling or in a product, costs less than `2^-1060`
/// per triangle, as no factor exceeds 1.
fn filtered_volume_sign(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Option<Sign> {
    let origin = triangles.clone().next()?[0];
    let frame = Frame::around(origin, triangles.clone().flatten())?;
    let (mut sum, mut permanents, mut count) = (0.0, 0.0, 0.0);
    for corners in triangles {
        let [a, b, c] = corners.map(|p| frame.local(p));
        sum += six_volume([a, b, c]);
        let (p, q, r) = (a.abs(), b.abs(), c.abs());
        permanents +=
            (p.y * q.z + p.z * q.y) * r.x + (p.z * q.x + p.x * q.z) * r.y + (p.x * q.y + p.y * q.x) * r.z;
        count += 1.0;
    }
    let bound = (count + 16.0) * (0.5 * f64::EPSILON) * permanents + count * 2f64.powi(-1060);
    if sum > bound {
        Some(Sign::Positive)
    } else if sum < -bound {
        Some(Sign::Negative)
    } else {
        None
    }
}

#[cold]
fn exact_volume_sign(triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> Sign {
    let numbers = triangles.clone().flatten().flat_map(|p| p.to_array());
    let unit = numbers.filter(|&x| x != 0.0).map(|x| parts(x).1).min().unwrap_or(0);
    let whole = |x: f64| -> IBig {
        let (mantissa, exponent) = parts(x);
        if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (exponent - unit) as usize }
    };
    let mut sum = IBig::ZERO;
    for corners in triangles {
        let [a, b, c] = corners.map(|p| p.to_array().map(whole));
        let minor = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
        sum += minor(1, 2) * &c[0] + minor(2, 0) * &c[1] + minor(0, 1) * &c[2];
    }
    match sum.cmp(&IBig::ZERO) {
        std::cmp::Ordering::Less => Sign::Negative,
        std::cmp::Ordering::Equal => Sign::Zero,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

/// A finite number as `mantissa * 2^exponent`, the mantissa odd or zero.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let shift = mantissa.trailing_zeros();
    (if x < 0.0 { -(mantissa >> shift) } else { mantissa >> shift }, exponent + shift as i32)
}

/// An origin and a power of two that bring coordinates to at most 1 in size, so that products neither
/// overflow nor, within reason, vanish.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    origin: DVec3,
    exponent: i32,
}

impl Frame {
    /// `None` if all points are the origin.
    fn around(origin: DVec3, points: impl Iterator<Item = DVec3>) -> Option<Frame> {
        let size = points.map(|p| (p - origin).abs().max_element()).fold(0.0, f64::max);
        (size > 0.0).then(|| Frame { origin, exponent: exponent_above(size) })
    }

    /// Centred in a box.
    pub fn of_box(bounds: Aabb) -> Frame {
        let size = bounds.extent().max_element();
        Frame { origin: bounds.center(), exponent: if size > 0.0 { exponent_above(size) } else { 0 } }
    }

    fn local(self, point: DVec3) -> DVec3 {
        // In two steps, as 2^-exponent itself may be out of range.
        let half = -self.exponent / 2;
        (point - self.origin) * 2f64.powi(half) * 2f64.powi(-self.exponent - half)
    }

    /// A length, area or volume (dimension 1, 2 or 3) of the scaled frame in the original one; rounds once at
    /// most, and to zero or a subnormal number if it is too small for `f64`.
    fn restore(self, measure: f64, dimension: i32) -> f64 {
        let mut value = measure;
        for _ in 0..dimension {
            let half = self.exponent / 2;
            value = value * 2f64.powi(half) * 2f64.powi(self.exponent - half);
        }
        value
    }
}

fn exponent_above(size: f64) -> i32 {
    let (mantissa, exponent) = parts(size);
    exponent + 64 - mantissa.unsigned_abs().leading_zeros() as i32
}

/// The sum of the triangles' areas.
pub(super) fn area(frame: Frame, triangles: impl Iterator<Item = [DVec3; 3]>) -> f64 {
    frame.restore(triangles.map(|t| local_area(frame, t)).sum(), 2)
}

/// The volume that closed triangles bound, counted with winding numbers.
pub(super) fn volume(frame: Frame, triangles: impl Iterator<Item = [DVec3; 3]>) -> f64 {
    // Dividing once at the end keeps the volume of boxes exact.
    let six_volumes: f64 = triangles.map(|t| six_volume(t.map(|p| frame.local(p)))).sum();
    frame.restore(six_volumes / 6.0, 3)
}

/// The centroid of the volume that closed triangles bound; `None` if that is not positive.
pub(super) fn volume_centroid(frame: Frame, triangles: impl Iterator<Item = [DVec3; 3]>) -> Option<DVec3> {
    let (mut total, mut moment) = (0.0, DVec3::ZERO);
    for corners in triangles {
        let [a, b, c] = corners.map(|p| frame.local(p));
        let weight = six_volume([a, b, c]);
        total += weight;
        moment += weight * 0.25 * (a + b + c);
    }
    (total > 0.0).then(|| frame.place(moment / total))
}

/// The centroid of the triangles' areas; the frame's origin if all areas vanish in floats.
pub(super) fn area_centroid(frame: Frame, triangles: impl Iterator<Item = [DVec3; 3]>) -> DVec3 {
    let (mut total, mut moment) = (0.0, DVec3::ZERO);
    for corners in triangles {
        let area = local_area(frame, corners);
        total += area;
        moment += area * corners.map(|p| frame.local(p)).into_iter().sum::<DVec3>() / 3.0;
    }
    if total > 0.0 { frame.place(moment / total) } else { frame.origin }
}

impl Frame {
    fn place(self, local: DVec3) -> DVec3 {
        self.origin + DVec3::from_array(local.to_array().map(|x| self.restore(x, 1)))
    }
}

fn local_area(frame: Frame, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|p| frame.local(p));
    0.5 * (b - a).cross(c - a).length()
}

fn six_volume([a, b, c]: [DVec3; 3]) -> f64 {
    a.cross(b).dot(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::orient3d;
    use crate::math::Random;

    fn tetrahedron([a, b, c, d]: [DVec3; 4]) -> [[DVec3; 3]; 4] {
        [[a, b, c], [a, d, b], [a, c, d], [b, d, c]]
    }

    /// Seen from inside, the face `abc` of a tetrahedron is clockwise: its volume has the other sign than `orient3d`.
    #[test]
    fn the_sign_of_a_tetrahedron_is_that_of_its_determinant() {
        let mut random = Random::new(7);
        let mut zeros = 0;
        for case in 0..20_000 {
            let scale = [2f64.powi(-300), 1e-9, 1.0, 2f64.powi(250)][case % 4];
            let offset = [0.0, 1e6][case / 4 % 2] * scale;
            let mut points: [DVec3; 4] = std::array::from_fn(|_| {
                DVec3::from_array(std::array::from_fn(|_| offset + scale * random.below(4) as f64))
            });
            let (which, axis) = (random.below(4) as usize, random.below(3) as usize);
            for _ in 0..random.below(3) {
                points[which][axis] = points[which][axis].next_up();
            }
            let sign = -orient3d(points[0], points[1], points[2], points[3]);
            zeros += usize::from(sign.is_zero());
            assert_eq!(volume_sign(tetrahedron(points).into_iter()), sign, "{points:?}");
            let exact = exact_volume_sign(tetrahedron(points).into_iter());
            assert_eq!(exact, sign, "{points:?}");
        }
        assert!(zeros > 1000);
    }

    #[test]
    fn a_number_is_its_parts() {
        for x in [1.0, -0.75, 3e-310, 5e-324, 1e300, f64::MAX, 6.0] {
            let (mantissa, exponent) = parts(x);
            let half = exponent / 2;
            assert_eq!(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half), x);
        }
        assert_eq!(parts(0.0), (0, 0));
        assert_eq!([exponent_above(1.0), exponent_above(0.75), exponent_above(5e-324)], [1, 0, -1073]);
    }
}
