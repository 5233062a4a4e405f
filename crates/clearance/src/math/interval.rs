//! Intervals of real numbers whose ends are rounded outward: what is computed with them holds for every number inside.

use super::round::{add_up, div_up, mul_up, sqrt_up};
use glam::DVec3;
use std::ops::{Add, Mul, Neg, Sub};

/// All real numbers from `lower` to `upper`.
///
/// The result of an operation contains the exact result for all numbers of its arguments, and no more than the nearest floats
/// around that set: sums and products that are floats stay points. Ends may be infinite after an overflow; none is NaN.
///
/// ```
/// use clearance::math::Interval;
/// let third = Interval::point(1.0).over(Interval::point(3.0)).expect("no zero in it");
/// assert!(third.lower() < third.upper() && third.upper() == third.lower().next_up());
/// assert!((third * Interval::point(3.0)).contains(1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    lower: f64,
    upper: f64,
}

fn add_down(a: f64, b: f64) -> f64 {
    -add_up(-a, -b)
}

fn mul_down(a: f64, b: f64) -> f64 {
    -mul_up(-a, b)
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    /// Zero and nothing else.
    pub const ZERO: Interval = Interval::point(0.0);
    /// One and nothing else.
    pub const ONE: Interval = Interval::point(1.0);
    /// From zero to one.
    pub const UNIT: Interval = Interval { lower: 0.0, upper: 1.0 };

    /// From one number to another that is not below it.
    pub fn new(lower: f64, upper: f64) -> Interval {
        debug_assert!(lower <= upper, "{lower} to {upper}");
        Interval { lower, upper }
    }

    /// One number.
    pub const fn point(x: f64) -> Interval {
        Interval { lower: x, upper: x }
    }

    /// All numbers at most `radius` from `middle`.
    pub fn around(middle: f64, radius: f64) -> Interval {
        Interval { lower: add_down(middle, -radius), upper: add_up(middle, radius) }
    }

    /// The smallest number.
    #[inline]
    pub fn lower(self) -> f64 {
        self.lower
    }

    /// The largest number.
    #[inline]
    pub fn upper(self) -> f64 {
        self.upper
    }

    /// A float inside, near the middle.
    pub fn middle(self) -> f64 {
        (0.5 * self.lower + 0.5 * self.upper).clamp(self.lower, self.upper)
    }

    /// A float not below the length.
    pub fn width(self) -> f64 {
        add_up(self.upper, -self.lower)
    }

    /// A float not below the size of any number inside.
    pub fn magnitude(self) -> f64 {
        self.lower.abs().max(self.upper.abs())
    }

    /// A float not above the size of any number inside.
    pub fn mignitude(self) -> f64 {
        self.lower.max(-self.upper).max(0.0)
    }

    /// Whether all numbers are above zero.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.lower > 0.0
    }

    /// Whether all numbers are below zero.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.upper < 0.0
    }

    /// Whether a number is inside.
    pub fn contains(self, x: f64) -> bool {
        self.lower <= x && x <= self.upper
    }

    /// Whether all numbers of another are inside.
    pub fn holds(self, other: Interval) -> bool {
        self.lower <= other.lower && other.upper <= self.upper
    }

    /// What both have in common, if anything.
    pub fn intersection(self, other: Interval) -> Option<Interval> {
        let (lower, upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        (lower <= upper).then_some(Interval { lower, upper })
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The squares of all numbers; tighter than the product with itself, whose factors are not bound to each other.
    pub fn square(self) -> Interval {
        let (near, far) = (self.mignitude(), self.magnitude());
        Interval { lower: mul_down(near, near).max(0.0), upper: mul_up(far, far) }
    }

    /// The square roots of all numbers that have one; zero if none has.
    pub fn sqrt(self) -> Interval {
        Interval { lower: sqrt_down(self.lower.max(0.0)), upper: sqrt_up(self.upper.max(0.0)) }
    }

    /// The quotients; `None` if the divisor contains zero.
    pub fn over(self, divisor: Interval) -> Option<Interval> {
        if divisor.contains(0.0) {
            return None;
        }
        let (a, b) = if divisor.is_negative() { (-self, -divisor) } else { (self, divisor) };
        let upper = div_up(a.upper, if a.upper >= 0.0 { b.lower } else { b.upper });
        let lower = -div_up(-a.lower, if a.lower >= 0.0 { b.upper } else { b.lower });
        Some(Interval { lower, upper })
    }

    /// The product with a number.
    #[inline]
    pub fn times(self, factor: f64) -> Interval {
        let (low, high) = if factor >= 0.0 { (self.lower, self.upper) } else { (self.upper, self.lower) };
        Interval { lower: mul_down(low, factor), upper: mul_up(high, factor) }
    }
}

/// The largest float not above the root of `x >= 0`, or the one below it where `sqrt_up` is not tight.
fn sqrt_down(x: f64) -> f64 {
    let root = sqrt_up(x);
    // The root itself if its square is not above `x`: it is one then.
    if mul_up(root, root) <= x { root } else { root.next_down().max(0.0) }
}

impl From<f64> for Interval {
    fn from(x: f64) -> Interval {
        Interval::point(x)
    }
}

impl Neg for Interval {
    type Output = Interval;

    #[inline]
    fn neg(self) -> Interval {
        Interval { lower: -self.upper, upper: -self.lower }
    }
}

impl Add for Interval {
    type Output = Interval;

    #[inline]
    fn add(self, other: Interval) -> Interval {
        Interval { lower: add_down(self.lower, other.lower), upper: add_up(self.upper, other.upper) }
    }
}

impl Sub for Interval {
    type Output = Interval;

    #[inline]
    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Interval;

    #[inline]
    fn mul(self, other: Interval) -> Interval {
        let (a, b) = (self, other);
        // One sign each is the rule: two products are enough then.
        if a.lower >= 0.0 && b.lower >= 0.0 {
            return Interval { lower: mul_down(a.lower, b.lower), upper: mul_up(a.upper, b.upper) };
        }
        if a.upper <= 0.0 && a.lower < 0.0 {
            return -((-a) * b);
        }
        if b.upper <= 0.0 && b.lower < 0.0 {
            return -(a * -b);
        }
        match (a.lower >= 0.0, b.lower >= 0.0) {
            (true, _) => Interval { lower: mul_down(a.upper, b.lower), upper: mul_up(a.upper, b.upper) },
            (_, true) => Interval { lower: mul_down(a.lower, b.upper), upper: mul_up(a.upper, b.upper) },
            _ => Interval {
                lower: mul_down(a.lower, b.upper).min(mul_down(a.upper, b.lower)),
                upper: mul_up(a.lower, b.lower).max(mul_up(a.upper, b.upper)),
            },
        }
    }
}

/// A vector of intervals: a box that holds a point which is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval3(pub [Interval; 3]);

impl Interval3 {
    /// The origin.
    pub const ZERO: Interval3 = Interval3([Interval::ZERO; 3]);

    /// One point.
    pub fn point(p: DVec3) -> Interval3 {
        Interval3(p.to_array().map(Interval::point))
    }

    /// The scalar product.
    pub fn dot(&self, other: &Interval3) -> Interval {
        let [a, b] = [&self.0, &other.0];
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// The vector product.
    pub fn cross(&self, other: &Interval3) -> Interval3 {
        let [a, b] = [&self.0, &other.0];
        Interval3([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }

    /// The product with a number.
    pub fn scaled(&self, factor: Interval) -> Interval3 {
        Interval3(self.0.map(|x| x * factor))
    }

    /// The square of the length.
    pub fn length_squared(&self) -> Interval {
        self.0[0].square() + self.0[1].square() + self.0[2].square()
    }

    /// A point inside, near the middle.
    pub fn middle(&self) -> DVec3 {
        DVec3::from_array(self.0.map(Interval::middle))
    }

    /// The smallest box around both.
    pub fn hull(&self, other: &Interval3) -> Interval3 {
        Interval3(std::array::from_fn(|i| self.0[i].hull(other.0[i])))
    }
}

impl Add for Interval3 {
    type Output = Interval3;

    #[inline]
    fn add(self, other: Interval3) -> Interval3 {
        Interval3(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Interval3 {
    type Output = Interval3;

    #[inline]
    fn sub(self, other: Interval3) -> Interval3 {
        Interval3(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use dashu::rational::RBig;

    fn exact(x: f64) -> RBig {
        RBig::try_from(x).unwrap()
    }

    /// Small whole numbers, so that ends are often zero or equal, and numbers of many digits.
    fn number(random: &mut Random) -> f64 {
        match random.below(3) {
            0 => random.below(5) as f64 - 2.0,
            1 => random.range(-1.0, 1.0) * 2f64.powi(random.below(40) as i32 - 20),
            _ => random.range(-1.0, 1.0),
        }
    }

    fn interval(random: &mut Random) -> Interval {
        let (x, y) = (number(random), number(random));
        if random.below(4) == 0 { Interval::point(x) } else { Interval::new(x.min(y), x.max(y)) }
    }

    fn ends(x: Interval) -> [f64; 2] {
        [x.lower(), x.upper()]
    }

    /// The hull of some exact numbers lies in an interval, and is as large but for one float at each end.
    fn assert_tight(found: Interval, truths: &[RBig]) {
        let (low, high) = (truths.iter().min().unwrap(), truths.iter().max().unwrap());
        assert!(exact(found.lower()) <= *low && *high <= exact(found.upper()));
        assert!(exact(found.lower().next_up().next_up()) > *low, "{found:?}");
        assert!(exact(found.upper().next_down().next_down()) < *high, "{found:?}");
    }

    #[test]
    fn operations_hold_the_exact_results_of_all_numbers_and_little_more() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let (a, b) = (interval(&mut random), interval(&mut random));
            let both = |op: &dyn Fn(RBig, RBig) -> RBig| -> Vec<RBig> {
                ends(a).iter().flat_map(|&x| ends(b).map(|y| op(exact(x), exact(y)))).collect()
            };
            assert_tight(a + b, &both(&|x, y| x + y));
            assert_tight(a - b, &both(&|x, y| x - y));
            assert_tight(a * b, &both(&|x, y| x * y));
            match a.over(b) {
                Some(quotient) => assert_tight(quotient, &both(&|x, y| x / y)),
                None => assert!(b.contains(0.0)),
            }
            let mut squares: Vec<RBig> = ends(a).map(|x| exact(x) * exact(x)).to_vec();
            if a.contains(0.0) {
                squares.push(RBig::ZERO);
            }
            assert_tight(a.square(), &squares);
            let factor = number(&mut random);
            assert_eq!(a.times(factor), a * Interval::point(factor));
            let root = a.square().sqrt();
            assert!(root.lower() <= a.mignitude() && a.magnitude() <= root.upper());
            assert!(root.lower() >= a.mignitude().next_down().next_down(), "{a:?} {root:?}");
        }
    }

    #[test]
    fn exact_results_stay_points() {
        let x = Interval::point(0.75);
        assert_eq!(x * x + x - x, Interval::point(0.5625));
        assert_eq!(x.square().sqrt(), x);
        assert_eq!(Interval::ZERO * Interval::new(f64::NEG_INFINITY, f64::INFINITY), Interval::ZERO);
    }

    #[test]
    fn overflow_widens_and_never_makes_nan() {
        let huge = Interval::new(-f64::MAX, f64::MAX);
        for found in [huge + huge, huge * huge, huge - huge, (huge * huge) * (huge * huge), huge.square()] {
            assert!(!found.lower().is_nan() && !found.upper().is_nan());
            assert!(found.upper() == f64::INFINITY);
        }
        let large = Interval::point(f64::MAX) + Interval::point(f64::MAX);
        assert!(large.lower() == f64::MAX && large.upper() == f64::INFINITY);
    }

    #[test]
    fn vectors_hold_products_of_their_points() {
        let mut random = Random::new(2);
        for _ in 0..2_000 {
            let mut point = || DVec3::new(number(&mut random), number(&mut random), number(&mut random));
            let (p, q) = (point(), point());
            let [p3, q3] = [p, q].map(|v| v.to_array().map(exact));
            let (boxed_p, boxed_q) = (Interval3::point(p), Interval3::point(q));
            let dot = boxed_p.dot(&boxed_q);
            let truth = (0..3).map(|i| p3[i].clone() * q3[i].clone()).fold(RBig::ZERO, |sum, x| sum + x);
            assert!(exact(dot.lower()) <= truth && truth <= exact(dot.upper()));
            let cross = boxed_p.cross(&boxed_q);
            for i in 0..3 {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let truth = p3[j].clone() * q3[k].clone() - p3[k].clone() * q3[j].clone();
                assert!(exact(cross.0[i].lower()) <= truth && truth <= exact(cross.0[i].upper()));
            }
        }
    }
}
