//! The cell of the mixed hierarchy that holds the placement of one body as seen from the other [Erickson99 §5.2, §5.3].

use super::certificate::Separator;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::hierarchy::{Body, BoundaryKind, Contact, Hierarchy, MixedCell, SideOf, Signs, Tiling, Walk};
use super::stats::EventKind;
use crate::exact::Sign;

/// The hierarchies of two bodies.
#[derive(Clone, Copy)]
pub(crate) struct CellPair<'a> {
    pub(crate) tiling: Tiling<'a>,
}

fn which(body: Body) -> Which {
    match body {
        Body::A => Which::A,
        Body::B => Which::B,
    }
}

impl<'a> CellPair<'a> {
    fn line(&self, side: SideOf) -> LineRef<'a> {
        LineRef::Line(self.tiling.hierarchy(side.body).line(side.edge))
    }

    fn outside(&self, contact: &Contact) -> Condition<'a> {
        let line = self.line(SideOf { body: contact.body, edge: contact.edge });
        let vertex = self.tiling.hierarchy(contact.body.other()).vertex(&contact.corner);
        Condition::outside(which(contact.body), line, PointRef::Point(vertex))
    }

    /// The boundaries of a cell, and the orders of directions that it needs.
    pub(crate) fn conditions(&self, cell: &MixedCell, all: &mut Vec<Condition<'a>>) {
        for boundary in self.tiling.boundaries(cell) {
            let outside = self.outside(&boundary.contact);
            let sided = if boundary.is_outside { outside } else { outside.inside() };
            all.push(match boundary.kind {
                BoundaryKind::Inner => sided.kind(FailureKind::Inner),
                BoundaryKind::Outer | BoundaryKind::Lateral => sided.weakly().kind(FailureKind::Outer),
            });
        }
        let limits = self.tiling.rotation_limits(cell);
        all.extend(limits.iter().filter_map(|limit| self.order(limit.first, limit.second)));
    }

    /// One direction is not after another, those of `B` being of `-B`: constant for edges of one body.
    fn order(&self, first: SideOf, second: SideOf) -> Option<Condition<'a>> {
        // With normals n of A and m of B the turn from n to -m is that of n . (m turned left), and from -m to n the opposite.
        match (first.body, second.body) {
            (Body::A, Body::B) => {
                Some(Condition::roll(Which::A, self.line(first), PointRef::Along(self.line(second))))
            }
            (Body::B, Body::A) => {
                Some(Condition::roll(Which::A, self.line(second), PointRef::Against(self.line(first))))
            }
            _ => None,
        }
    }

    pub(crate) fn separator(&self, cell: &MixedCell) -> Option<Separator<'a>> {
        let contact = self.tiling.separation(cell)?;
        let Condition { line_of, line, point, .. } = self.outside(&contact);
        Some(Separator { owner: line_of, line, point })
    }

    /// The level of a cell.
    pub(crate) fn level(&self, cell: &MixedCell) -> u32 {
        self.tiling.step_of(cell) / 2
    }

    /// The levels of both envelopes that a cell proves to be apart.
    pub(crate) fn levels(&self, cell: &MixedCell) -> [u32; 2] {
        // A bounded cell lies outside the sum after its step.
        let sum = if matches!(cell, MixedCell::Outer(_)) { 0 } else { self.tiling.step_of(cell) + 1 };
        let [a, b] = self.tiling.hierarchies.map(Hierarchy::depth);
        [sum.div_ceil(2).min(a), (sum / 2).min(b)]
    }

    /// The cell at a moment, from one near it; none if the bodies meet.
    pub(crate) fn after(&self, cell: MixedCell, moment: &Moment<'_>) -> Option<MixedCell> {
        Walk { tiling: self.tiling, signs: AtMoment { pair: *self, moment } }.near(cell)
    }

    /// The cell at a moment, from an edge of one polygon and the vertex of the other nearest to its line, which separate them.
    pub(crate) fn beyond(&self, contact: &Contact, moment: &Moment<'_>) -> Option<MixedCell> {
        Walk { tiling: self.tiling, signs: AtMoment { pair: *self, moment } }.beyond_edge(contact)
    }
}

/// Signs of two bodies in motion at a moment: exact whatever the motions are.
struct AtMoment<'a, 'b> {
    pair: CellPair<'a>,
    moment: &'b Moment<'b>,
}

impl Signs for AtMoment<'_, '_> {
    fn side(&mut self, contact: &Contact) -> Sign {
        let Condition { line_of, line, point, .. } = self.pair.outside(contact);
        self.moment.side(line_of, line, point)
    }

    fn turn(&mut self, from: SideOf, to: SideOf) -> Sign {
        match self.pair.order(from, to) {
            Some(Condition { line_of, line, point, .. }) => self.moment.side(line_of, line, point),
            None => {
                let [n, m] = [from, to].map(|it| self.pair.tiling.hierarchy(it.body).line(it.edge));
                n.turn(m)
            }
        }
    }
}

/// What the failure of a cell's condition is.
pub(crate) fn event_kind(failed: FailureKind) -> EventKind {
    match failed {
        FailureKind::Inner => EventKind::Inner,
        FailureKind::Roll => EventKind::Roll,
        _ => EventKind::Outer,
    }
}
