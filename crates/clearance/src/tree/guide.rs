//! A direction along which the bodies are known to be far apart: the seventh axis of every comparison.
//!
//! Around the nearest points found so far both bodies lie behind parallel planes as long as they are convex there. One
//! direction then proves most pairs farther apart than these points, while axes of boxes and normals of triangles
//! prove a little less for each.

use super::lanes::Lanes;
use super::node::Node;
use super::pair::TreePair;
use glam::DVec3;

/// The extents of both bodies along one direction of length at most 1, from A to B.
pub(super) struct Guide<L> {
    pub a: Toward<L>,
    pub b: Toward<L>,
    /// The direction in the frame of A, and its opposite.
    pub forth: [L; 3],
    pub back: [L; 3],
}

/// How far parts of one body reach toward the other.
pub(super) struct Toward<L> {
    /// Half the direction in the frame of the body.
    half: [L; 3],
    half_size: [L; 3],
    scale: L,
    shift: L,
}

impl<L: Lanes> Toward<L> {
    fn new(direction: DVec3, scale: f64, shift: f64) -> Toward<L> {
        Toward {
            half: (0.5 * direction).to_array().map(L::splat),
            half_size: (0.5 * direction).abs().to_array().map(L::splat),
            scale: L::splat(scale),
            shift: L::splat(shift),
        }
    }

    /// Along a direction in the frame of a tree, in its units.
    pub fn along(direction: [f32; 3]) -> Toward<L> {
        Toward::new(DVec3::from_array(direction.map(f64::from)), 1.0, 0.0)
    }

    /// How far each child of a node reaches: what its box allows, or its slab and box together if that is less.
    ///
    /// With `d = c n + r` for the normal `n` of a slab, `d . x` is at most what the slab allows for `c n . x` plus what
    /// the box allows for `r . x`, for any `c`; the product `d . n` makes the rest small where the part faces along `d`.
    #[inline(always)]
    pub fn reach(&self, node: &Node) -> L {
        let (low, high) = (node.low.each_ref().map(L::widen), node.high.each_ref().map(L::widen));
        let twice_middle: [L; 3] = std::array::from_fn(|axis| low[axis] + high[axis]);
        let edge: [L; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
        let of_box = |half: [L; 3], half_size: [L; 3]| {
            let term = |axis: usize| half[axis] * twice_middle[axis] + half_size[axis] * edge[axis];
            term(0) + term(1) + term(2)
        };
        let normal = node.normal.each_ref().map(L::widen);
        let share = self.half[0] * normal[0] + self.half[1] * normal[1] + self.half[2] * normal[2];
        let rest: [L; 3] = std::array::from_fn(|axis| self.half[axis] - share * normal[axis]);
        let twice = share + share;
        let [slab_low, slab_high] = node.slab.each_ref().map(L::widen);
        let of_slab = (twice * slab_low).greatest(twice * slab_high);
        let both = of_slab + of_box(rest, rest.map(L::size));
        of_box(self.half, self.half_size).least(both) * self.scale + self.shift
    }
}

impl<L: Lanes> Guide<L> {
    /// The guide along a direction of any length in the world, from A to B; one that is not finite guides nowhere.
    pub fn new(pair: &TreePair<'_>, direction: DVec3) -> Guide<L> {
        let (turn_a, turn_b) = (pair.pose_a.rotation(), pair.pose_b.rotation());
        let largest = direction.abs().max_element();
        let unit = if largest > 0.0 && direction.is_finite() {
            (direction / largest).normalize()
        } else {
            DVec3::ZERO
        };
        // Shorter than 1 whatever rounding does. What the lanes hold is the direction, so B's is the image of that.
        let rounded = (turn_a.transpose() * unit * (1.0 - L::SLACK)).to_array().map(|x| L::splat(x).lane(0));
        let in_a = DVec3::from_array(rounded);
        let in_b = turn_b.transpose() * (turn_a * in_a);
        Guide {
            a: Toward::new(in_a, pair.scale_a, 0.0),
            b: Toward::new(-in_b, pair.scale_b, -in_a.dot(turn_a.transpose() * pair.offset)),
            forth: in_a.to_array().map(L::splat),
            back: (-in_a).to_array().map(L::splat),
        }
    }
}
