//! Boxes with oriented boxes: each part also has a box of its own turn, across the direction that most of it faces.
//!
//! What a slab bounds along one direction, an oriented box bounds along three, for three times the memory. As slabs, oriented
//! boxes are looked at along directions in which the bodies are known to be apart; the 15 axes of two of them, different
//! for each two parts, are not tried.

use super::Tree;
use super::kind::{Bound, Kind};
use super::lanes::Lanes;
use super::node::{Child, Leaf, Node, WIDTH};
use super::slab::{heights, main_axis};
use super::tile::{Boxes, Measure};
use super::view::Map;
use glam::{DMat3, DVec3};
use wide::f32x8;

/// Every part has a box along the axes, compared in both frames, and one along axes of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OrientedBoxes {
    axes: [[f32x8; 3]; 3],
    /// Least and greatest products with the axes.
    extents: [[f32x8; 2]; 3],
}

/// `low <= axis . x <= high` for all points `x` of a part of a mesh and three axes, in local coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrientedBox {
    /// Perpendicular and of length 1 up to rounding; the part is thin along the first.
    axes: [[f32; 3]; 3],
    extents: [[f32; 2]; 3],
}

impl Bound for OrientedBoxes {}

impl Kind for OrientedBoxes {
    const UNFITTED: OrientedBoxes =
        OrientedBoxes { axes: [[f32x8::ZERO; 3]; 3], extents: [[f32x8::ZERO; 2]; 3] };

    type Part = OrientedBox;
    type Turn<L: Lanes> = ();
    type Posed<L: Lanes> = ();
    /// The direction.
    type Along<L: Lanes> = [L; 3];

    fn part(tree: &Tree<OrientedBoxes>, child: Child, facing: &DMat3) -> OrientedBox {
        let normal = main_axis(facing);
        let mut spread = Spread::default();
        tree.each_leaf(child, &mut |leaf| spread.add(leaf));
        let across = spread.along_plane(normal);
        let axes = [normal, across, normal.cross(across)].map(|axis| axis.to_array().map(|x| x as f32));
        OrientedBox { axes, extents: axes.map(|axis| heights(tree, child, axis)) }
    }

    fn holds(part: &OrientedBox, point: DVec3) -> bool {
        part.axes.iter().zip(part.extents).all(|(axis, [low, high])| {
            let height = DVec3::from_array(axis.map(f64::from)).dot(point);
            (f64::from(low)..=f64::from(high)).contains(&height)
        })
    }

    #[inline(always)]
    fn thin_along(part: &OrientedBox) -> DVec3 {
        DVec3::from_array(part.axes[0].map(f64::from))
    }

    fn of_parts(parts: [OrientedBox; WIDTH]) -> OrientedBoxes {
        OrientedBoxes {
            axes: std::array::from_fn(|axis| {
                std::array::from_fn(|k| f32x8::new(parts.map(|part| part.axes[axis][k])))
            }),
            extents: std::array::from_fn(|axis| {
                std::array::from_fn(|end| f32x8::new(parts.map(|part| part.extents[axis][end])))
            }),
        }
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> OrientedBox {
        OrientedBox {
            axes: self.axes.each_ref().map(|axis| axis.each_ref().map(|x| x.as_array()[lane])),
            extents: self.extents.each_ref().map(|ends| ends.each_ref().map(|x| x.as_array()[lane])),
        }
    }

    #[inline(always)]
    fn turn<L: Lanes>(_: &DMat3, _: f64, _: DVec3, _: f64, _: f64) {}

    #[inline(always)]
    fn own<L: Lanes>(node: &Node<OrientedBoxes>, scale: L) -> (Boxes<L>, ()) {
        (Boxes::own(node, scale), ())
    }

    #[inline(always)]
    fn image<L: Lanes>(node: &Node<OrientedBoxes>, map: &Map<L, OrientedBoxes>) -> (Boxes<L>, ()) {
        (Boxes::image(node, map), ())
    }

    #[inline(always)]
    fn sharpen<L: Lanes, M: Measure<L>>(measure: L, (): &(), (): &(), _: usize) -> L {
        measure
    }

    #[inline(always)]
    fn along<L: Lanes>(direction: DVec3) -> [L; 3] {
        direction.to_array().map(L::splat)
    }

    /// With shares `c` of the axes and a rest `r`, `d . x` is at most what the extents allow for each `c a . x` and the box
    /// for `r . x`: the rest is what axes that are rounded leave.
    #[inline(always)]
    fn reach<L: Lanes>(node: &Node<OrientedBoxes>, along: &[L; 3], of_box: L) -> L {
        let (mut rest, mut reach) = (*along, L::splat(0.0));
        for (axis, ends) in node.more.axes.iter().zip(&node.more.extents) {
            let (axis, [low, high]) = (axis.each_ref().map(L::widen), ends.each_ref().map(L::widen));
            let share = along[0] * axis[0] + along[1] * axis[1] + along[2] * axis[2];
            rest = std::array::from_fn(|k| rest[k] - share * axis[k]);
            reach = reach + (share * low).greatest(share * high);
        }
        let half = rest.map(|x| x * L::splat(0.5));
        of_box.least(reach + Boxes::reach(node, half, half.map(L::size)))
    }

    #[inline(always)]
    fn reach_of_part(part: &OrientedBox, centre: DVec3, half: DVec3, direction: DVec3) -> f64 {
        let (mut rest, mut reach) = (direction, 0.0);
        for (axis, ends) in part.axes.iter().zip(part.extents) {
            let axis = DVec3::from_array(axis.map(f64::from));
            let [low, high] = ends.map(|x| f64::from(x) - axis.dot(centre));
            let share = direction.dot(axis);
            rest -= share * axis;
            reach += (share * low).max(share * high);
        }
        (reach + rest.abs().dot(half)).min(direction.abs().dot(half))
    }
}

/// Sums over corners.
#[derive(Default)]
struct Spread {
    count: f64,
    sum: DVec3,
    squares: DMat3,
}

impl Spread {
    fn add(&mut self, leaf: &Leaf) {
        for corner in &leaf.corners {
            let sum = |k: usize| f64::from(corner[k].reduce_add());
            let product = |i: usize, j: usize| f64::from((corner[i] * corner[j]).reduce_add());
            self.count += WIDTH as f64;
            self.sum += DVec3::new(sum(0), sum(1), sum(2));
            let [xy, xz, yz] = [product(0, 1), product(0, 2), product(1, 2)];
            self.squares += DMat3::from_cols_array(&[
                product(0, 0),
                xy,
                xz,
                xy,
                product(1, 1),
                yz,
                xz,
                yz,
                product(2, 2),
            ]);
        }
    }

    /// The direction across a normal in which corners spread most, roughly: any one makes a box.
    fn along_plane(&self, normal: DVec3) -> DVec3 {
        let mean = self.sum / self.count;
        let outer = DMat3::from_cols(mean * mean.x, mean * mean.y, mean * mean.z);
        let covariance = self.squares * (1.0 / self.count) - outer;
        let keep =
            DMat3::IDENTITY - DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        let axis = main_axis(&(keep * covariance * keep));
        (axis - normal * normal.dot(axis)).try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector())
    }
}
