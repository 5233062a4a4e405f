//! Looking at a polytope along an exact direction.

use crate::Pose;
use crate::exact::{BigDirection, BigVector, Sign, Vector};
use crate::support::View;
use dashu::integer::IBig;
use glam::DVec3;
use std::cmp::Ordering;

/// The view along a direction of whole numbers: heights are `d . p`, sides are along the axis on which `d` is smallest.
///
/// As for directions of floats, ties are broken by infinitesimals: heights are those of `d + δ x + δ² y`, sides those
/// of `x + ε y`.
pub(super) struct ExactView {
    direction: BigDirection,
    exact: BigVector,
    rounded: DVec3,
    x: usize,
    y: usize,
}

impl ExactView {
    /// The view along a direction; `None` if it is zero.
    pub fn new(direction: [IBig; 3]) -> Option<ExactView> {
        let exact = BigVector::new(direction, 0);
        if exact.is_zero() {
            return None;
        }
        let rounded = exact.direction();
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| rounded[i].abs().total_cmp(&rounded[j].abs()));
        let [x, y, _] = order;
        Some(ExactView { direction: BigDirection::from(exact.clone()), exact, rounded, x, y })
    }

    /// The sign of `e_x f_d - f_x e_d` if floats can tell it.
    ///
    /// With `D` the largest entry of `rounded`, at least 1/2, each entry of which errs by `u`, so by at most `2u D`:
    /// differences err by `u` relative, `e_d` by `6.2u D |e|_1` in all, its product with `f_x` by `2.1u` more relative,
    /// the last difference by `u` of both: below `10u D (|e_x| |f|_1 + |f_x| |e|_1)`; `14u` leaves room.
    fn filtered_turn(&self, e: DVec3, f: DVec3) -> Option<Sign> {
        let (e_x, f_x) = (e[self.x], f[self.x]);
        let value = e_x * self.rounded.dot(f) - f_x * self.rounded.dot(e);
        let size = e_x.abs() * f.abs().element_sum() + f_x.abs() * e.abs().element_sum();
        let bound = 7.0 * f64::EPSILON * size;
        // Far from both ends of the range: nothing that counts has underflowed, nothing overflowed.
        let is_trusted = bound > 1e-250 && bound < 1e250;
        (is_trusted && value.abs() > bound).then_some(if value > 0.0 {
            Sign::Positive
        } else {
            Sign::Negative
        })
    }

    fn exact_turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Sign {
        let (e, f) = (BigVector::from(between(top, w)), BigVector::from(between(top, o)));
        let (e_d, f_d) = (e.dot(&self.exact), f.dot(&self.exact));
        let side = |v: &BigVector, axis: usize| v.coordinate(axis);
        for axis in [self.x, self.y] {
            let sign = side(&e, axis).times(&f_d).compare(&side(&f, axis).times(&e_d));
            if !sign.is_zero() {
                return sign;
            }
        }
        let (x, y) = (self.x, self.y);
        side(&e, y).times(&side(&f, x)).compare(&side(&f, y).times(&side(&e, x)))
    }
}

impl View for ExactView {
    fn rises(&self, a: DVec3, b: DVec3) -> bool {
        match self.direction.dot_sign(between(a, b)) {
            Sign::Positive => true,
            Sign::Negative => false,
            Sign::Zero => {
                a[self.x].total_cmp(&b[self.x]).then(a[self.y].total_cmp(&b[self.y])) == Ordering::Less
            }
        }
    }

    fn turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Sign {
        self.filtered_turn(w - top, o - top).unwrap_or_else(|| self.exact_turn(top, w, o))
    }
}

/// One address for all points, so that predicates know them to share a frame.
static HERE: Pose = Pose::IDENTITY;

fn between(from: DVec3, to: DVec3) -> Vector<'static> {
    Vector::Between(HERE.at(from), HERE.at(to))
}
