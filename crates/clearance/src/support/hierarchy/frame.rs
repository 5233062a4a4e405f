//! A direction and the plane in which silhouettes are compared, with every tie broken.

use crate::Pose;
use crate::exact::{Axis, Sign, Vector, cross_sign, det_sign, dot_sign};
use glam::DVec3;
use std::cmp::Ordering;

/// How a search sees a polytope: heights, and the order of points around a top. There are no ties.
pub(crate) trait View {
    /// Whether `b` is higher than `a`.
    fn rises(&self, a: DVec3, b: DVec3) -> bool;

    /// Positive when seen from `top` the point `o` lies counter-clockwise of `w`.
    fn turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Sign;
}

/// The view along which a polytope is projected: heights are `d . p`, what lies left and right is `x . p`,
/// `x` the axis along which `d` is smallest.
///
/// No two vertices are equally high and no three of a projection are on a line, because both are moved by
/// infinitesimals: heights are those of `d + δ x + δ² y`, sides those of `x + ε y`, `0 < δ << ε << 1`.
/// All signs are exact, so what is found is extreme in exact arithmetic.
pub(super) struct Frame {
    direction: DVec3,
    /// The largest coordinate of the direction.
    size: f64,
    /// `d x x` and `d x y`: exact, because `x` and `y` are axes.
    crosses: [DVec3; 2],
    x: usize,
    y: usize,
}

const AXES: [DVec3; 3] = DVec3::AXES;

impl Frame {
    pub fn new(direction: DVec3) -> Frame {
        let size = |i: &usize| direction[*i].abs();
        let mut order = [0, 1, 2];
        order.sort_by(|i, j| size(i).total_cmp(&size(j)));
        let [x, y, z] = order;
        let crosses = [direction.cross(AXES[x]), direction.cross(AXES[y])];
        Frame { direction, size: size(&z), crosses, x, y }
    }

    /// With `D` the largest coordinate of `d`: differences err by `u` relative, `e_d` by `4.1u D |e|_1` in all, a
    /// product of it with `f_x` by `2.1u` more relative, the last difference by `u` of both: below
    /// `8u D (|e_x| |f|_1 + |f_x| |e|_1)`; `10u` leaves room for the rounding of the bound.
    fn filtered_turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Option<Sign> {
        let (e, f) = (w - top, o - top);
        let (e_x, f_x) = (e[self.x], f[self.x]);
        let value = e_x * self.direction.dot(f) - f_x * self.direction.dot(e);
        let size = e_x.abs() * f.abs().element_sum() + f_x.abs() * e.abs().element_sum();
        let bound = 5.0 * f64::EPSILON * self.size * size;
        // Far from both ends of the range: nothing that counts has underflowed, nothing overflowed.
        let trusted = bound > 1e-250 && bound < 1e250 && self.size > 1e-30 && size > 1e-200;
        (trusted && value.abs() > bound).then_some(if value > 0.0 { Sign::Positive } else { Sign::Negative })
    }

    #[cold]
    #[inline(never)]
    fn exact_turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Sign {
        let (e, f) = (between(top, w), between(top, o));
        for cross in self.crosses {
            let sign = det_sign(Vector::Literal(cross), f, e);
            if !sign.is_zero() {
                return sign;
            }
        }
        let axis = Axis::ALL[3 - self.x - self.y];
        if axis.others() == [self.y, self.x] { cross_sign(axis, e, f) } else { -cross_sign(axis, e, f) }
    }
}

impl View for Frame {
    fn rises(&self, a: DVec3, b: DVec3) -> bool {
        match dot_sign(self.direction, between(a, b)) {
            Sign::Positive => true,
            Sign::Negative => false,
            Sign::Zero => {
                a[self.x].total_cmp(&b[self.x]).then(a[self.y].total_cmp(&b[self.y])) == Ordering::Less
            }
        }
    }

    /// With `e = w - top`, `f = o - top` and indices for products with `x`, `y`, `d`: the sign of
    /// `e_x f_d - f_x e_d = det[d x x, f, e]`, then of the same with `y`, then of `e_y f_x - f_y e_x`.
    fn turn(&self, top: DVec3, w: DVec3, o: DVec3) -> Sign {
        self.filtered_turn(top, w, o).unwrap_or_else(|| self.exact_turn(top, w, o))
    }
}

/// One address for all points, so that predicates know them to share a frame.
static HERE: Pose = Pose::IDENTITY;

fn between(from: DVec3, to: DVec3) -> Vector<'static> {
    Vector::Between(HERE.at(from), HERE.at(to))
}
