//! One formula for intervals, exact numbers and polynomials of both.

use crate::math::Interval;

/// Numbers that can be added and multiplied.
pub(crate) trait Ring: Clone {
    /// A float as such a number.
    fn number(x: f64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn product(&self, other: &Self) -> Self;
    fn negated(&self) -> Self;
}

impl Ring for Interval {
    #[inline]
    fn number(x: f64) -> Interval {
        Interval::point(x)
    }

    #[inline]
    fn plus(&self, other: &Interval) -> Interval {
        *self + *other
    }

    #[inline]
    fn product(&self, other: &Interval) -> Interval {
        // An overflow to infinity times zero is not NaN here but everything.
        let product = *self * *other;
        if product.lower() <= product.upper() { product } else { Interval::ALL }
    }

    #[inline]
    fn negated(&self) -> Interval {
        -*self
    }
}

/// `re + i im`: a vector of the plane, which a complex factor turns and scales.
#[derive(Clone, Debug)]
pub(crate) struct Complex<R> {
    pub(crate) re: R,
    pub(crate) im: R,
}

impl<R: Ring> Complex<R> {
    pub(crate) fn new(re: R, im: R) -> Complex<R> {
        Complex { re, im }
    }

    pub(crate) fn zero() -> Complex<R> {
        Complex::new(R::number(0.0), R::number(0.0))
    }

    pub(crate) fn one() -> Complex<R> {
        Complex::new(R::number(1.0), R::number(0.0))
    }

    pub(crate) fn plus(&self, other: &Complex<R>) -> Complex<R> {
        Complex::new(self.re.plus(&other.re), self.im.plus(&other.im))
    }

    pub(crate) fn product(&self, other: &Complex<R>) -> Complex<R> {
        let re = self.re.product(&other.re).plus(&self.im.product(&other.im).negated());
        Complex::new(re, self.re.product(&other.im).plus(&self.im.product(&other.re)))
    }

    pub(crate) fn scaled(&self, factor: &R) -> Complex<R> {
        Complex::new(self.re.product(factor), self.im.product(factor))
    }

    pub(crate) fn negated(&self) -> Complex<R> {
        Complex::new(self.re.negated(), self.im.negated())
    }

    pub(crate) fn conjugate(&self) -> Complex<R> {
        Complex::new(self.re.clone(), self.im.negated())
    }
}

/// A polynomial in one variable, the lowest coefficient first; none at all is zero.
#[derive(Clone, Debug)]
pub(crate) struct Series<R>(pub(crate) Vec<R>);

impl<R: Ring> Series<R> {
    /// `start + factor x`.
    pub(crate) fn linear(start: f64, factor: f64) -> Series<R> {
        Series(vec![R::number(start), R::number(factor)])
    }

    /// The value at a number, by Horner's rule.
    pub(crate) fn at(&self, x: &R) -> R {
        let mut coefficients = self.0.iter().rev();
        let Some(first) = coefficients.next() else { return R::number(0.0) };
        coefficients.fold(first.clone(), |sum, c| sum.product(x).plus(c))
    }

    /// The derivative.
    pub(crate) fn derivative(&self) -> Series<R> {
        Series(self.0.iter().enumerate().skip(1).map(|(i, c)| c.product(&R::number(i as f64))).collect())
    }
}

impl<R: Ring> Ring for Series<R> {
    fn number(x: f64) -> Series<R> {
        Series(if x == 0.0 { Vec::new() } else { vec![R::number(x)] })
    }

    fn plus(&self, other: &Series<R>) -> Series<R> {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut sum = long.0.clone();
        for (mine, theirs) in sum.iter_mut().zip(&short.0) {
            *mine = mine.plus(theirs);
        }
        Series(sum)
    }

    fn product(&self, other: &Series<R>) -> Series<R> {
        if self.0.is_empty() || other.0.is_empty() {
            return Series(Vec::new());
        }
        let mut product = vec![R::number(0.0); self.0.len() + other.0.len() - 1];
        for (i, mine) in self.0.iter().enumerate() {
            for (j, theirs) in other.0.iter().enumerate() {
                product[i + j] = product[i + j].plus(&mine.product(theirs));
            }
        }
        Series(product)
    }

    fn negated(&self) -> Series<R> {
        Series(self.0.iter().map(R::negated).collect())
    }
}
