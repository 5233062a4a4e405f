//! How far a point, an ellipsoid or a body with balls around clears a plane, or two bodies with balls around each other: exact signs
//! of sums with two roots, and brackets of them.
//!
//! With the plane's normal `N`, not of length one, the point of an ellipsoid `c + s_x x + s_y y + s_z z`, `|(x, y, z)| = 1`,
//! that is lowest over the plane has the height `(N . c - level - sqrt(sum (s_i N_i)^2)) / |N|`, all in the ellipsoid's
//! frame. A ball of radius `r` around every point takes off `r`. So the sign is that of `c - sqrt(p) - sqrt(q)` with
//! rational numbers, which two squarings decide.

use super::big::BigNumber;
use super::height::{Height, PosedPlane, dot, down, exact, exact_vector, power_of_two, sign_of, total, up};
use super::{BigQuotient, Sign};
use crate::math::Pose;
use dashu::base::{BitTest, SquareRoot, UnsignedAbs};
use dashu::integer::IBig;
use dashu::rational::RBig;
use glam::DVec3;

/// `(level - sqrt(p) - sqrt(q)) / sqrt(norm_squared)`: a length.
#[derive(Clone, Debug)]
pub(crate) struct Clearing {
    level: RBig,
    roots: [RBig; 2],
    /// Positive.
    norm_squared: RBig,
}

impl PosedPlane {
    /// A height as a length, less the sum of the radii.
    pub fn above(&self, height: &Height, radii: &[f64]) -> Clearing {
        let roots = [RBig::ZERO, total(radii).sqr() * &self.norm_squared];
        Clearing { level: height.0.clone(), roots, norm_squared: self.norm_squared.clone() }
    }

    /// How far an ellipsoid, grown by the sum of the radii, lies above the plane at least; negative if it reaches below.
    ///
    /// The ellipsoid is given in the frame of a pose; semi-axes of zero make it a disc, a segment or a point.
    pub fn clearing(&self, centre: DVec3, semi_axes: DVec3, pose: &Pose, radii: &[f64]) -> Clearing {
        let columns = [0, 1, 2].map(|i| exact_vector(pose.rotation().col(i)));
        let turned = columns.map(|column| dot(&self.normal, &column));
        let square = |i: usize| (exact(semi_axes[i]) * &turned[i]).sqr();
        let mut clearing = self.above(&self.height(pose.at(centre)), radii);
        clearing.roots[0] = square(0) + square(1) + square(2);
        clearing
    }
}

impl Clearing {
    /// The distance of two bodies with balls around, from the square of that of their cores; `None` if the cores meet.
    ///
    /// With `s` the square, `s / sqrt(s)` is the distance of the cores, and `sqrt(r^2 s) / sqrt(s)` the sum `r` of the radii.
    pub fn between(square: &BigQuotient, radii: &[f64]) -> Option<Clearing> {
        let rational =
            |number: &BigNumber| RBig::from(number.integer.clone()) * power_of_two(number.exponent);
        let square = rational(&square.numerator) / rational(&square.denominator);
        let roots = [RBig::ZERO, total(radii).sqr() * &square];
        sign_of(&square).is_positive().then(|| Clearing {
            level: square.clone(),
            roots,
            norm_squared: square,
        })
    }

    /// The exact sign.
    pub fn sign(&self) -> Sign {
        let [p, q] = &self.roots;
        match sign_of(&self.level) {
            Sign::Zero if p.is_zero() && q.is_zero() => Sign::Zero,
            Sign::Negative | Sign::Zero => Sign::Negative,
            // level^2 against p + q + 2 sqrt(p q).
            Sign::Positive => {
                let rest = self.level.sqr() - p - q;
                match sign_of(&rest) {
                    Sign::Negative => Sign::Negative,
                    _ => sign_of(&(rest.sqr() - RBig::from(4) * p * q)),
                }
            }
        }
    }

    /// Floats never above and never below, at most two steps apart; zeros if it is zero.
    pub fn bracket(&self) -> (f64, f64) {
        if self.sign().is_zero() {
            return (0.0, 0.0);
        }
        let mut bits = 128;
        // Ends: the width goes to zero and the number is not zero, so floats around it become neighbours, or a float
        // and its two neighbours.
        loop {
            let (lower, upper) = self.bracket_with(bits);
            let (lower, upper) = (down(&lower), up(&upper));
            if lower.next_up().next_up() >= upper {
                return (lower, upper);
            }
            bits *= 2;
        }
    }

    /// Rational numbers around it, each root right to that many bits.
    fn bracket_with(&self, bits: usize) -> (RBig, RBig) {
        let over = |x: &RBig| root_bracket(&(x / &self.norm_squared), bits);
        let (low, high) = over(&self.level.sqr());
        let (low, high) = if sign_of(&self.level).is_negative() { (-high, -low) } else { (low, high) };
        let [(p_low, p_high), (q_low, q_high)] = self.roots.each_ref().map(over);
        (low - p_high - q_high, high - p_low - q_low)
    }
}

/// Rational numbers around the root of a number that is not negative, equal if the root has few bits.
fn root_bracket(square: &RBig, bits: usize) -> (RBig, RBig) {
    if square.is_zero() {
        return (RBig::ZERO, RBig::ZERO);
    }
    // sqrt(n / d) = sqrt(n d 4^shift) / (d 2^shift).
    let (n, d) = (square.numerator().unsigned_abs(), square.denominator());
    let product = n * d;
    let shift = (2 * bits).saturating_sub(product.bit_len()).div_ceil(2);
    let shifted = product << (2 * shift);
    let root = shifted.sqrt();
    let below = RBig::from(IBig::from(root.clone()));
    let above = if root.sqr() == shifted { below.clone() } else { &below + RBig::ONE };
    let unit = RBig::from(IBig::from(d.clone())) * power_of_two(shift as isize);
    (below / &unit, above / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor() -> PosedPlane {
        PosedPlane::new(DVec3::new(0.0, 3.0, 4.0), 10.0, &Pose::IDENTITY)
    }

    /// 3-4-5: a disc of radius 5 in the plane x = 0 ... heights are rational.
    #[test]
    fn rational_heights_are_met_exactly() {
        // The centre is 5 along the unit normal, 3 above; semi-axes (9, 5, 5) reach 5 down along it.
        let centre = DVec3::new(7.0, 3.0, 4.0);
        let clearing = floor().clearing(centre, DVec3::new(9.0, 5.0, 5.0), &Pose::IDENTITY, &[]);
        assert_eq!((clearing.sign(), clearing.bracket()), (Sign::Negative, (-2.0, -2.0)));
        let clearing = floor().clearing(centre, DVec3::new(9.0, 2.0, 2.0), &Pose::IDENTITY, &[1.0]);
        assert_eq!((clearing.sign(), clearing.bracket()), (Sign::Zero, (0.0, 0.0)));
        let clearing = floor().clearing(centre, DVec3::new(9.0, 2.0, 2.0), &Pose::IDENTITY, &[0.5, 0.25]);
        assert_eq!((clearing.sign(), clearing.bracket()), (Sign::Positive, (0.25, 0.25)));
    }

    #[test]
    fn balls_clear_each_other_by_the_root_of_a_square_less_their_radii() {
        let of = |square: f64, radii: &[f64]| {
            let clearing = Clearing::between(&BigNumber::from(square).into(), radii).expect("apart");
            (clearing.sign(), clearing.bracket())
        };
        assert_eq!(of(25.0, &[3.0, 2.0]), (Sign::Zero, (0.0, 0.0)));
        assert_eq!(of(25.0, &[3.0, 1.5]), (Sign::Positive, (0.5, 0.5)));
        // The root of 2 less the float below it, and the float above.
        let root = 2f64.sqrt();
        let (sign, (lower, upper)) = of(2.0, &[root]);
        let error = 2.0f64.sqrt().mul_add(-root, 2.0) / (2.0 * root);
        assert!(lower <= error && error <= upper && upper - lower <= 2.0 * f64::EPSILON * error.abs());
        assert_eq!(sign, if error > 0.0 { Sign::Positive } else { Sign::Negative });
        assert!(Clearing::between(&BigNumber::from(0.0).into(), &[1.0]).is_none());
    }

    #[test]
    fn a_point_clears_by_its_height() {
        let clearing = floor().clearing(DVec3::new(0.0, 1.0, 2.0), DVec3::ZERO, &Pose::IDENTITY, &[]);
        assert_eq!((clearing.sign(), clearing.bracket()), (Sign::Positive, (0.2f64.next_down(), 0.2)));
        let on = floor().clearing(DVec3::new(5.0, 2.0, 1.0), DVec3::ZERO, &Pose::IDENTITY, &[]);
        assert_eq!(on.sign(), Sign::Zero);
    }

    /// Irrational numbers that cancel: what remains is exact, however little it is.
    #[test]
    fn what_cancels_is_bracketed_tightly() {
        let plane = PosedPlane::new(DVec3::ONE, 0.0, &Pose::IDENTITY);
        // A ball of radius r whose centre is c (1, 1, 1): it clears by c sqrt(3) - r.
        for radius in [3f64.sqrt(), 3f64.sqrt().next_up(), 3f64.sqrt().next_down()] {
            let clearing = plane.clearing(DVec3::ONE, DVec3::ZERO, &Pose::IDENTITY, &[radius]);
            let (lower, upper) = clearing.bracket();
            assert!(lower.next_up().next_up() >= upper && lower * upper > 0.0, "{lower:e} {upper:e}");
            let truth = RBig::from(3) - exact(radius).sqr();
            assert_eq!(clearing.sign(), sign_of(&truth));
            // (3 - r^2) = (sqrt 3 - r)(sqrt 3 + r).
            assert!((lower * 2.0 * radius / truth.to_f64().value() - 1.0).abs() < 1e-14);
        }
        let ellipsoid = plane.clearing(DVec3::ONE, DVec3::ONE, &Pose::IDENTITY, &[1.0]);
        assert!(ellipsoid.sign().is_negative());
        let level = plane.clearing(DVec3::ONE, DVec3::splat(3.0), &Pose::IDENTITY, &[0.5]);
        // sqrt(3) - 3 sqrt(3) / sqrt(3) - 0.5 = sqrt(3) - 3.5.
        let (lower, upper) = level.bracket();
        assert!(lower <= 3f64.sqrt() - 3.5 + 1e-15 && upper >= 3f64.sqrt() - 3.5 - 1e-15);
    }

    /// Two equal irrational roots leave a float: it and its neighbours are the best that brackets of roots can do.
    #[test]
    fn a_float_between_irrational_roots_is_found() {
        let plane = PosedPlane::new(DVec3::ONE, 0.0, &Pose::IDENTITY);
        let semi_axes = DVec3::new(3.0, 0.0, 0.0);
        // The height of (1, 1, 1) is sqrt(3), that of (3, 0, 0) too.
        let (lower, upper) = plane.clearing(DVec3::ONE, semi_axes, &Pose::IDENTITY, &[0.25]).bracket();
        assert_eq!((lower, upper), ((-0.25f64).next_down(), (-0.25f64).next_up()));
    }
}
