//! Exact linear algebra in any dimension: vectors of rational numbers, determinants, linear equations.

use dashu::base::Gcd;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// An exact rational number of any size.
pub type Rational = RBig;

/// A point or a vector: one rational number per dimension.
pub type Vector = Vec<Rational>;

/// The exact vector of finite floats; `None` if one is not finite.
pub(super) fn exact(coordinates: &[f64]) -> Option<Vector> {
    coordinates.iter().map(|&x| Rational::try_from(x).ok()).collect()
}

/// The exact value of a float that a constructor has found to be finite.
pub(super) fn number(x: f64) -> Rational {
    Rational::try_from(x).unwrap_or(Rational::ZERO)
}

/// `a - b`.
pub(super) fn minus(a: &[Rational], b: &[Rational]) -> Vector {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

/// The scalar product.
pub(super) fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).fold(Rational::ZERO, |sum, (x, y)| sum + x * y)
}

/// `start + factor * direction`.
pub(super) fn along(start: &[Rational], factor: &Rational, direction: &[Rational]) -> Vector {
    start.iter().zip(direction).map(|(x, d)| x + factor * d).collect()
}

/// `|a - b|^2`.
pub(super) fn distance_squared(a: &[Rational], b: &[Rational]) -> Rational {
    let difference = minus(a, b);
    dot(&difference, &difference)
}

/// Whole numbers in the same proportions, and what each rational number was multiplied with.
pub(super) fn cleared(row: &[Rational]) -> (Vec<IBig>, UBig) {
    let common = row.iter().fold(UBig::ONE, |common, x| {
        let shared = (&common).gcd(x.denominator());
        common * (x.denominator() / shared)
    });
    let whole = |x: &Rational| x.numerator() * IBig::from(&common / x.denominator());
    (row.iter().map(whole).collect(), common)
}

/// The determinant of a square matrix; 1 if it is empty.
pub(super) fn determinant(rows: &[Vector]) -> Rational {
    let mut divisor = UBig::ONE;
    let mut whole: Vec<Vec<IBig>> = Vec::with_capacity(rows.len());
    for row in rows {
        let (row, factor) = cleared(row);
        whole.push(row);
        divisor *= factor;
    }
    let value = eliminate(&mut whole, rows.len()).unwrap_or(IBig::ZERO);
    Rational::from_parts(value, divisor)
}

/// The solution of `n` equations in `n` unknowns, the right side being the last column; `None` if there is not
/// exactly one.
pub(super) fn solve(equations: &[Vector]) -> Option<Vector> {
    let count = equations.len();
    let mut whole: Vec<Vec<IBig>> = equations.iter().map(|row| cleared(row).0).collect();
    eliminate(&mut whole, count)?;
    // Each row is now `value * unknown = right side` with its own sign of the one value.
    let unknown =
        |(i, row): (usize, &Vec<IBig>)| Rational::from_parts_signed(row[count].clone(), row[i].clone());
    Some(whole.iter().enumerate().map(unknown).collect())
}

/// Gauss-Jordan elimination without fractions (Bareiss 1968): every division is exact, entries stay as short as
/// minors. Leaves a multiple of the identity in the first columns; the determinant of these, `None` if it is zero.
fn eliminate(rows: &mut [Vec<IBig>], count: usize) -> Option<IBig> {
    let mut last = IBig::ONE;
    let mut flips = false;
    for column in 0..count {
        let pivot = (column..count).find(|&row| !rows[row][column].is_zero())?;
        if pivot != column {
            rows.swap(pivot, column);
            flips = !flips;
        }
        let pivot_row = rows[column].clone();
        let pivot = &pivot_row[column];
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column].clone();
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                *entry = (&*entry * pivot - &factor * above) / &last;
            }
        }
        last = pivot.clone();
    }
    Some(if flips { -last } else { last })
}

/// Vectors in echelon form: tells which vectors depend on earlier ones.
#[derive(Default)]
pub(super) struct Echelon {
    /// Each with the axis on which it, and none of the later ones, is not zero.
    rows: Vec<(usize, Vector)>,
}

impl Echelon {
    /// Takes a vector in if it does not depend on those taken so far.
    pub(super) fn extend(&mut self, vector: &[Rational]) -> bool {
        let mut rest = vector.to_vec();
        for (axis, row) in &self.rows {
            if !rest[*axis].is_zero() {
                let factor = -(&rest[*axis] / &row[*axis]);
                rest = along(&rest, &factor, row);
            }
        }
        let Some(axis) = rest.iter().position(|x| !x.is_zero()) else { return false };
        self.rows.push((axis, rest));
        true
    }

    /// As many axes as vectors: seen along the others, the vectors are still independent.
    pub(super) fn axes(&self) -> Vec<usize> {
        let mut axes: Vec<usize> = self.rows.iter().map(|(axis, _)| *axis).collect();
        axes.sort_unstable();
        axes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn small(random: &mut Random) -> Rational {
        Rational::from(random.below(9) as i64 - 4) / Rational::from(1 + random.below(5))
    }

    /// Leibniz: the sum over permutations by expansion along the first row.
    fn expanded(rows: &[Vector]) -> Rational {
        let Some((first, rest)) = rows.split_first() else { return Rational::ONE };
        let minor = |skip: usize| -> Vec<Vector> {
            let without = |row: &Vector| {
                row.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, x)| x.clone()).collect()
            };
            rest.iter().map(without).collect()
        };
        (0..first.len()).fold(Rational::ZERO, |sum, i| {
            let term = &first[i] * expanded(&minor(i));
            if i.is_multiple_of(2) { sum + term } else { sum - term }
        })
    }

    #[test]
    fn determinants_are_those_of_the_expansion() {
        let mut random = Random::new(1);
        for round in 0..400 {
            let n = round % 6;
            let rows: Vec<Vector> = (0..n).map(|_| (0..n).map(|_| small(&mut random)).collect()).collect();
            assert_eq!(determinant(&rows), expanded(&rows), "{rows:?}");
        }
    }

    #[test]
    fn solutions_solve_and_singular_systems_have_none() {
        let mut random = Random::new(2);
        let mut singular = 0;
        for round in 0..400 {
            let n = 1 + round % 4;
            let rows: Vec<Vector> = (0..n)
                .map(|_| (0..=n).map(|_| Rational::from(random.below(5) as i64 - 2)).collect())
                .collect();
            let square: Vec<Vector> = rows.iter().map(|row| row[..n].to_vec()).collect();
            match solve(&rows) {
                Some(x) => assert!(rows.iter().all(|row| dot(&row[..n], &x) == row[n])),
                None => singular += 1,
            }
            assert_eq!(solve(&rows).is_none(), determinant(&square).is_zero());
        }
        assert!(singular > 20);
    }

    #[test]
    fn an_echelon_knows_its_rank_and_axes_that_keep_it() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let vectors: Vec<Vector> = (0..3)
                .map(|_| (0..4).map(|_| Rational::from(random.below(3) as i64 - 1)).collect())
                .collect();
            let mut echelon = Echelon::default();
            let kept: Vec<&Vector> = vectors.iter().filter(|v| echelon.extend(v)).collect();
            let axes = echelon.axes();
            assert_eq!(axes.len(), kept.len());
            let seen: Vec<Vector> =
                kept.iter().map(|v| axes.iter().map(|&axis| v[axis].clone()).collect()).collect();
            assert!(!determinant(&seen).is_zero());
        }
    }
}
