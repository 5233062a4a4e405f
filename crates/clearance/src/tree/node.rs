//! Nodes of eight boxes and leaves of eight triangles, coordinate by coordinate.

use super::Slabs;
use super::corners::Corners;
use super::frame::{above, below};
use super::kind::Kind;
use glam::DVec3;
use wide::{f32x4, f32x8};

/// Children of a node, triangles of a leaf.
pub(super) const WIDTH: usize = 8;

/// Up to eight boxes side by side, what else bounds the parts in them, and where these are; 384 bytes with slabs.
///
/// The children that are nodes come first. Nodes below a node are neighbours in memory, and so are leaves. Lanes
/// without a child repeat the first box.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Node<B = Slabs> {
    pub low: [f32x8; 3],
    pub high: [f32x8; 3],
    pub more: B,
    pub first_node: u32,
    pub first_leaf: u32,
    /// How many children are nodes.
    pub nodes: u8,
    /// How many children there are.
    pub children: u8,
    /// Triangles in each child that is a leaf, else zero.
    pub sizes: [u8; WIDTH],
}

/// Up to eight triangles side by side; 320 bytes.
///
/// Corners are rounded to nearest, so each coordinate errs by at most `2^-25 (1 + 2^-20)` units of the frame.
/// Lanes without a triangle repeat the first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Leaf {
    /// By corner, then by axis.
    pub corners: [[f32x8; 3]; 3],
    pub triangles: [u32; WIDTH],
}

/// What a lane of a node leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    Node(u32),
    Leaf { index: u32, size: u8 },
}

/// A box in local coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LocalBox {
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl LocalBox {
    pub const EMPTY: LocalBox = LocalBox { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    /// A box that holds the exact corners of triangles, from those that are rounded.
    pub fn around(triangles: [[f32x4; 3]; WIDTH]) -> LocalBox {
        let [mut low, mut high] = [triangles[0][0]; 2];
        for corner in triangles.as_flattened() {
            (low, high) = (low.fast_min(*corner), high.fast_max(*corner));
        }
        LocalBox::outward(low, high)
    }

    /// A box that holds all points between any two that round to these.
    pub fn outward(low: f32x4, high: f32x4) -> LocalBox {
        let [[low @ .., _], [high @ .., _]] = [below(low), above(high)].map(f32x4::to_array);
        LocalBox { low, high }
    }

    pub fn join(self, other: LocalBox) -> LocalBox {
        LocalBox {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    /// Whether it holds any point that rounds to this one.
    pub fn holds_rounded(&self, point: DVec3) -> bool {
        let slack = point.abs() * f64::EPSILON;
        let [low, high] = [self.low, self.high].map(|corner| DVec3::from_array(corner.map(f64::from)));
        low.cmple(point - slack).all() && high.cmpge(point + slack).all()
    }

    pub fn holds(&self, other: &LocalBox) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.low[axis] && self.high[axis] >= other.high[axis])
    }
}

impl<B: Kind> Node<B> {
    /// A node whose bounds are still to be filled in.
    pub fn new(first_node: u32, first_leaf: u32, nodes: usize, sizes: &[usize]) -> Node<B> {
        let mut all = [0; WIDTH];
        for (lane, &size) in sizes.iter().enumerate() {
            all[nodes + lane] = size as u8;
        }
        let (nodes, children) = (nodes as u8, (nodes + sizes.len()) as u8);
        let zero = [f32x8::ZERO; 3];
        Node { low: zero, high: zero, more: B::UNFITTED, first_node, first_leaf, nodes, children, sizes: all }
    }

    /// The same children, with bounds of another kind that are still to be filled in.
    pub fn unfitted<C: Kind>(&self) -> Node<C> {
        let Node { low, high, first_node, first_leaf, nodes, children, sizes, .. } = *self;
        Node { low, high, more: C::UNFITTED, first_node, first_leaf, nodes, children, sizes }
    }

    /// One bit for each child.
    #[inline]
    pub fn mask(&self) -> u32 {
        (1 << self.children) - 1
    }

    #[inline]
    pub fn child(&self, lane: usize) -> Child {
        let (lane, nodes) = (lane as u32, u32::from(self.nodes));
        if lane < nodes {
            Child::Node(self.first_node.wrapping_add(lane))
        } else {
            Child::Leaf {
                index: self.first_leaf.wrapping_add(lane - nodes),
                size: self.sizes[lane as usize % WIDTH],
            }
        }
    }

    pub fn children(&self) -> impl Iterator<Item = Child> {
        (0..usize::from(self.children)).map(|lane| self.child(lane))
    }

    pub fn local_box(&self, lane: usize) -> LocalBox {
        LocalBox {
            low: std::array::from_fn(|axis| self.low[axis].as_array()[lane]),
            high: std::array::from_fn(|axis| self.high[axis].as_array()[lane]),
        }
    }

    /// The box around all children.
    pub fn whole_box(&self) -> LocalBox {
        let lanes = 0..usize::from(self.children);
        lanes.map(|lane| self.local_box(lane)).fold(LocalBox::EMPTY, LocalBox::join)
    }

    /// Sets the boxes of all children.
    pub fn set_boxes(&mut self, box_of: impl Fn(Child) -> LocalBox) {
        let mut boxes = [LocalBox::EMPTY; WIDTH];
        for (lane, child) in self.children().enumerate() {
            boxes[lane] = box_of(child);
        }
        for lane in usize::from(self.children)..WIDTH {
            boxes[lane] = boxes[0];
        }
        for axis in 0..3 {
            self.low[axis] = f32x8::new(std::array::from_fn(|lane| boxes[lane].low[axis]));
            self.high[axis] = f32x8::new(std::array::from_fn(|lane| boxes[lane].high[axis]));
        }
    }
}

impl Leaf {
    /// A leaf of one to eight triangles whose corners are still to be filled in.
    pub fn new(triangles: impl ExactSizeIterator<Item = u32>) -> Leaf {
        let (mut all, count) = ([0; WIDTH], triangles.len());
        for (lane, triangle) in triangles.enumerate() {
            all[lane] = triangle;
        }
        for lane in count..WIDTH {
            all[lane] = all[0];
        }
        Leaf { corners: [[f32x8::ZERO; 3]; 3], triangles: all }
    }

    /// Sets the corners of all triangles and returns the box around them.
    pub fn set_corners(&mut self, corners: &Corners<'_>) -> LocalBox {
        let triangles = self.triangles.map(|triangle| corners.triangle(triangle));
        for (lane, triangle) in triangles.iter().enumerate() {
            for (corner, point) in triangle.iter().enumerate() {
                let point = point.as_array();
                for axis in 0..3 {
                    self.corners[corner][axis].as_mut_array()[lane] = point[axis];
                }
            }
        }
        LocalBox::around(triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BoxesAlone, CutCorners, OrientedBoxes, Slabs};
    use super::*;

    #[test]
    fn sizes_are_as_documented() {
        assert_eq!((size_of::<Node<Slabs>>(), size_of::<Node<CutCorners>>()), (384, 480));
        assert_eq!((size_of::<Node<BoxesAlone>>(), size_of::<Leaf>()), (224, 320));
        assert_eq!(size_of::<Node<OrientedBoxes>>(), 704);
    }

    #[test]
    fn lanes_lead_to_nodes_first_and_leaves_then() {
        let node = Node::<BoxesAlone>::new(5, 9, 2, &[8, 3]);
        let children: Vec<Child> = node.children().collect();
        let leaf = |index, size| Child::Leaf { index, size };
        assert_eq!(children, [Child::Node(5), Child::Node(6), leaf(9, 8), leaf(10, 3)]);
        assert_eq!(node.mask(), 0b1111);
    }
}
