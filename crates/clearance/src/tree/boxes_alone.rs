//! Boxes and nothing besides.

use super::Tree;
use super::kind::{Bound, Kind};
use super::lanes::Lanes;
use super::node::{Child, Node, WIDTH};
use super::tile::{Boxes, Measure};
use super::view::Map;
use glam::{DMat3, DVec3};

/// Every part has a box, compared in both frames: the smallest nodes.
#[derive(Clone, Copy, Debug)]
pub struct BoxesAlone;

impl Bound for BoxesAlone {}

impl Kind for BoxesAlone {
    const UNFITTED: BoxesAlone = BoxesAlone;

    type Part = ();
    type Turn<L: Lanes> = ();
    type Posed<L: Lanes> = ();
    type Along<L: Lanes> = ();

    fn part(_: &Tree<BoxesAlone>, _: Child, _: &DMat3) {}

    fn holds((): &(), _: DVec3) -> bool {
        true
    }

    #[inline(always)]
    fn thin_along(_: &()) -> DVec3 {
        DVec3::ZERO
    }

    fn of_parts(_: [(); WIDTH]) -> BoxesAlone {
        BoxesAlone
    }

    fn lane(&self, _: usize) {}

    #[inline(always)]
    fn turn<L: Lanes>(_: &DMat3, _: f64, _: DVec3, _: f64, _: f64) {}

    #[inline(always)]
    fn own<L: Lanes>(node: &Node<BoxesAlone>, scale: L) -> (Boxes<L>, ()) {
        (Boxes::own(node, scale), ())
    }

    #[inline(always)]
    fn image<L: Lanes>(node: &Node<BoxesAlone>, map: &Map<L, BoxesAlone>) -> (Boxes<L>, ()) {
        (Boxes::image(node, map), ())
    }

    #[inline(always)]
    fn sharpen<L: Lanes, M: Measure<L>>(measure: L, (): &(), (): &(), _: usize) -> L {
        measure
    }

    #[inline(always)]
    fn along<L: Lanes>(_: DVec3) {}

    #[inline(always)]
    fn reach<L: Lanes>(_: &Node<BoxesAlone>, (): &(), of_box: L) -> L {
        of_box
    }

    #[inline(always)]
    fn reach_of_part((): &(), _: DVec3, half: DVec3, direction: DVec3) -> f64 {
        direction.abs().dot(half)
    }
}
