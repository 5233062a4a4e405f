//! What a node knows about its parts besides their boxes: the parameter of a tree.

use super::Tree;
use super::lanes::Lanes;
use super::node::{Child, Node, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::Map;
use glam::{DMat3, DVec3};
use std::fmt::Debug;

/// A kind of bound that a [`Tree`] may be over: [`Slabs`](super::Slabs), [`CutCorners`](super::CutCorners),
/// [`OrientedBoxes`](super::OrientedBoxes) or [`BoxesAlone`](super::BoxesAlone). Answers are the same with all of them; `lab trees` measures which is fastest.
#[expect(private_bounds, reason = "sealed: what a bound must do depends on how trees are walked")]
pub trait Bound: Kind {}

/// What a bound must do. Every part has a box; this is about what is known besides, for eight parts side by side.
///
/// All numbers are in the frame of the tree, all answers proved: what is called apart is apart, a reach is never too
/// short.
pub(super) trait Kind: Copy + Debug + Send + Sync + 'static {
    /// For parts that are still to be fitted.
    const UNFITTED: Self;

    /// What is known about one part.
    type Part: Copy + Debug + Send + Sync;

    /// The way into the other frame, prepared once for a query.
    type Turn<L: Lanes>;

    /// Parts in one of the two frames, besides their boxes.
    type Posed<L: Lanes>;

    /// A direction, prepared for asking how far parts reach along it.
    type Along<L: Lanes>;

    /// What is known about all below a lane, whose corners and boxes are fitted; its triangles face as the matrix says
    /// (see [`facing_of`](super::slab::facing_of)).
    fn part(tree: &Tree<Self>, child: Child, facing: &DMat3) -> Self::Part;

    /// Whether it holds a point, up to rounding of the product.
    fn holds(part: &Self::Part, point: DVec3) -> bool;

    /// A direction across which a part may be thin; zero if none is known.
    fn thin_along(part: &Self::Part) -> DVec3;

    /// Eight parts side by side.
    fn of_parts(parts: [Self::Part; WIDTH]) -> Self;

    /// One of them.
    fn lane(&self, lane: usize) -> Self::Part;

    /// For the map `x -> matrix x scale + shift` of points; `margin` covers what rounding does to a coordinate of an image
    /// of a box, and the size of the bodies is at most `size`.
    fn turn<L: Lanes>(matrix: &DMat3, scale: f64, shift: DVec3, margin: f64, size: f64) -> Self::Turn<L>;

    /// The boxes of a node in its own frame, and what is besides, in units of the pair.
    fn own<L: Lanes>(node: &Node<Self>, scale: L) -> (Boxes<L>, Self::Posed<L>);

    /// The same in the other frame, larger by what rounding may do.
    fn image<L: Lanes>(node: &Node<Self>, map: &Map<L, Self>) -> (Boxes<L>, Self::Posed<L>);

    /// A measure of one of others and all of these that is at least that of their boxes.
    fn sharpen<L: Lanes, M: Measure<L>>(
        measure: L,
        these: &Self::Posed<L>,
        others: &Self::Posed<L>,
        row: usize,
    ) -> L;

    /// For a direction of length at most 1.
    fn along<L: Lanes>(direction: DVec3) -> Self::Along<L>;

    /// How far each part of a node reaches along a direction, given how far its box does.
    fn reach<L: Lanes>(node: &Node<Self>, along: &Self::Along<L>, of_box: L) -> L;

    /// How far one part reaches along a direction of any length from the centre of its box; too short by no more than the
    /// same for its box alone.
    fn reach_of_part(part: &Self::Part, centre: DVec3, half: DVec3, direction: DVec3) -> f64;
}
