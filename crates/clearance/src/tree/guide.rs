//! A direction along which the bodies are known to be far apart: the seventh axis of every comparison.
//!
//! Around the nearest points found so far both bodies lie behind parallel planes as long as they are convex there. One
//! direction then proves most pairs farther apart than these points, while axes of boxes and normals of triangles
//! prove a little less for each.

use super::kind::Kind;
use super::lanes::Lanes;
use super::node::Node;
use super::pair::TreePair;
use super::tile::Boxes;
use glam::DVec3;

/// The extents of both bodies along one direction of length at most 1, from A to B.
pub(super) struct Guide<L: Lanes, B: Kind> {
    pub a: Toward<L, B>,
    pub b: Toward<L, B>,
    /// The direction in the frame of A, and its opposite.
    pub forth: [L; 3],
    pub back: [L; 3],
}

/// How far parts of one body reach toward the other.
pub(super) struct Toward<L: Lanes, B: Kind> {
    /// Half the direction in the frame of the body.
    half: [L; 3],
    half_size: [L; 3],
    scale: L,
    shift: L,
    along: B::Along<L>,
}

impl<L: Lanes, B: Kind> Toward<L, B> {
    fn new(direction: DVec3, scale: f64, shift: f64) -> Toward<L, B> {
        Toward {
            half: (0.5 * direction).to_array().map(L::splat),
            half_size: (0.5 * direction).abs().to_array().map(L::splat),
            scale: L::splat(scale),
            shift: L::splat(shift),
            along: B::along(direction),
        }
    }

    /// Along a direction in the frame of a tree, in its units.
    pub fn along(direction: [f32; 3]) -> Toward<L, B> {
        Toward::new(DVec3::from_array(direction.map(f64::from)), 1.0, 0.0)
    }

    /// How far each child of a node reaches: what its box allows, or less if what else bounds it says so.
    #[inline(always)]
    pub fn reach(&self, node: &Node<B>) -> L {
        let of_box = Boxes::reach(node, self.half, self.half_size);
        B::reach(node, &self.along, of_box) * self.scale + self.shift
    }
}

impl<L: Lanes, B: Kind> Guide<L, B> {
    /// The guide along a direction of any length in the world, from A to B; one that is not finite guides nowhere.
    pub fn new(pair: &TreePair<'_, B>, direction: DVec3) -> Guide<L, B> {
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
