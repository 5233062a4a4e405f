//! The linear program behind fixed-direction hulls, by trying every corner, in exact numbers.

use super::dyadic::Dyadic;
use super::signs::{Exact3, dot, exact};
use crate::bound::FixedDirectionHull;
use crate::bound::bases::slots;
use glam::DVec3;

/// The region that the half-spaces of a hull have in common, as its corners.
///
/// Corners are stored twelvefold: three fixed directions have a determinant of at most 4 in size, so that makes them sums of
/// supports with whole factors.
pub struct Region {
    corners: Vec<Corner>,
}

struct Corner {
    twelvefold: Exact3,
    rounded: DVec3,
}

impl Region {
    /// The region of a hull whose supports are all finite. `O(K^4)` exact numbers.
    pub fn new<const K: usize>(hull: &FixedDirectionHull<K>) -> Region {
        Region::of_supports(
            FixedDirectionHull::<K>::DIRECTIONS,
            &hull.supports().map(Dyadic::new),
            hull.supports(),
        )
    }

    /// The region of exact supports.
    pub fn exact<const K: usize>(supports: &[Dyadic; K]) -> Region {
        Region::of_supports(FixedDirectionHull::<K>::DIRECTIONS, supports, &[0.0; K])
    }

    fn of_supports<const K: usize>(d: [[i8; 3]; K], supports: &[Dyadic; K], rounded: &[f64; K]) -> Region {
        let twelvefold = supports.each_ref().map(|s| times(12, s));
        let inside =
            |point: &Exact3| (0..K).all(|i| !(&along(d[i], point) - &twelvefold[i]).sign().is_positive());
        let mut corners = Vec::new();
        for i in 0..K {
            for j in 0..i {
                for k in 0..j {
                    let Some(factors) = crossing([d[i], d[j], d[k]]) else { continue };
                    let sum = |axis: usize| {
                        let [a, b, c] = factors.map(|f| f[axis]);
                        sum_of([(a, &supports[i]), (b, &supports[j]), (c, &supports[k])])
                    };
                    let point = [sum(0), sum(1), sum(2)];
                    if inside(&point) {
                        let part = |n: usize, s: f64| DVec3::from_array(factors[n].map(f64::from)) * s;
                        let near = part(0, rounded[i]) + part(1, rounded[j]) + part(2, rounded[k]);
                        corners.push(Corner { twelvefold: point, rounded: near / 12.0 });
                    }
                }
            }
        }
        Region { corners }
    }

    /// Whether no point satisfies all inequalities: a bounded region that is not empty has a corner.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Twelve times the most that `w . x` can be in the region, the solution of the linear program; `None` if it is empty.
    pub fn twelvefold_support(&self, w: &Exact3) -> Option<Dyadic> {
        self.corners.iter().map(|corner| dot(w, &corner.twelvefold)).reduce(greater)
    }

    /// The corners, rounded; those on more than three planes several times. For pictures and volumes.
    pub fn rounded_corners(&self) -> Vec<DVec3> {
        self.corners.iter().map(|corner| corner.rounded).collect()
    }
}

/// The supports of some points, exactly: a tight hull.
pub fn tight_supports<const K: usize>(points: &[Exact3]) -> [Dyadic; K] {
    FixedDirectionHull::<K>::DIRECTIONS
        .map(|d| points.iter().map(|p| along(d, p)).reduce(greater).expect("a hull of at least one point"))
}

/// Twelve times the least sum of supports along `w`, by the bases of [`crate::bound::Realignment`], in exact numbers.
pub fn twelvefold_closed_form<const K: usize>(supports: &[Dyadic; K], w: &Exact3) -> Dyadic {
    let size = |axis: usize| if w[axis].sign().is_negative() { -&w[axis] } else { w[axis].clone() };
    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| {
        if (&size(i) - &size(j)).sign().is_negative() {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    let sizes = axes.map(size);
    let actual = |d: [i8; 3]| {
        let mut found = [0; 3];
        for (entry, axis) in d.into_iter().zip(axes) {
            found[axis] = if w[axis].sign().is_negative() { -entry } else { entry };
        }
        FixedDirectionHull::<K>::DIRECTIONS.iter().position(|d| *d == found).expect("a direction of the set")
    };
    let sums = slots::<K>().iter().flat_map(|slot| slot.iter()).filter_map(|basis| {
        let weights = basis.doubled_weights.map(|k| along(k, &sizes));
        let feasible = weights.iter().all(|y| !y.sign().is_negative());
        let term = |i: usize| times(6, &(&weights[i] * &supports[actual(basis.directions[i])]));
        feasible.then(|| &(&term(0) + &term(1)) + &term(2))
    });
    sums.reduce(lesser).expect("a basis for every vector")
}

/// `M^T d` for the matrix with these rows, exactly.
pub fn pulled_back(rows: [DVec3; 3], d: [i8; 3]) -> Exact3 {
    let rows = rows.map(exact);
    [0, 1, 2].map(|column| along(d, &rows.each_ref().map(|row| row[column].clone())))
}

/// The product with a vector of small whole numbers.
pub fn along(d: [i8; 3], point: &Exact3) -> Dyadic {
    sum_of([0, 1, 2].map(|i| (i32::from(d[i]), &point[i])))
}

/// A small multiple.
pub fn times(factor: i32, x: &Dyadic) -> Dyadic {
    sum_of([(factor, x)])
}

/// A sum of small multiples by doubling and adding: integers grow by a few bits only, where each product of floats would
/// add 53.
fn sum_of<const N: usize>(terms: [(i32, &Dyadic); N]) -> Dyadic {
    let bits = terms.iter().map(|(k, _)| 32 - k.unsigned_abs().leading_zeros()).max().unwrap_or(0);
    let mut sum: Option<Dyadic> = None;
    for bit in (0..bits).rev() {
        sum = sum.map(|s| &s + &s);
        for (k, x) in terms.iter().filter(|(k, _)| k.unsigned_abs() >> bit & 1 == 1) {
            let term = if *k < 0 { -*x } else { (*x).clone() };
            sum = Some(sum.map_or_else(|| term.clone(), |s| &s + &term));
        }
    }
    sum.unwrap_or_else(|| Dyadic::new(0.0))
}

fn greater(a: Dyadic, b: Dyadic) -> Dyadic {
    if (&b - &a).sign().is_positive() { b } else { a }
}

fn lesser(a: Dyadic, b: Dyadic) -> Dyadic {
    if (&b - &a).sign().is_negative() { b } else { a }
}

/// The factors with which the supports of three planes sum to twelve times their common point, if they have just one:
/// `12 (d2 x d3) / det` and so on.
fn crossing(d: [[i8; 3]; 3]) -> Option<[[i32; 3]; 3]> {
    let [a, b, c] = d.map(|d| d.map(i32::from));
    let cross = |u: [i32; 3], v: [i32; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let normals = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = (0..3).map(|i| a[i] * normals[0][i]).sum::<i32>();
    (determinant != 0).then(|| normals.map(|n| n.map(|x| x * (12 / determinant))))
}
