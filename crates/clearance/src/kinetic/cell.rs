//! The cell of the mixed hierarchy that holds the placement of one body as seen from the other [Erickson99 §5.2, §5.3].
//!
//! Cells are found for rational placements only: pairs in uniform rotation are certified lazily instead.

use super::certificate::Separator;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::hierarchy::{Body, BoundaryKind, Contact, Hierarchy, Mixed, MixedCell, MixedCount, SideOf};
use super::stats::EventKind;
use crate::planar::Placement;

/// The hierarchies of two bodies.
#[derive(Clone, Copy)]
pub(crate) struct CellPair<'a> {
    pub(crate) hierarchies: [&'a Hierarchy; 2],
}

fn which(body: Body) -> Which {
    match body {
        Body::A => Which::A,
        Body::B => Which::B,
    }
}

impl<'a> CellPair<'a> {
    fn mixed(&self, placement: Placement) -> Mixed<'a> {
        Mixed::new(self.hierarchies[0], self.hierarchies[1], placement)
    }

    fn outside(&self, contact: &Contact) -> Condition<'a> {
        let owner = which(contact.body);
        let line = self.hierarchies[owner as usize].line(contact.edge);
        let vertex = self.hierarchies[owner.other() as usize].vertex(&contact.corner);
        Condition::outside(owner, LineRef::Line(line), PointRef::Point(vertex))
    }

    /// The boundaries of a cell, and the orders of directions that it needs. Where the placement is does not matter for these.
    pub(crate) fn conditions(&self, cell: &MixedCell, all: &mut Vec<Condition<'a>>) {
        let mixed = self.mixed(Placement::identity());
        for boundary in mixed.boundaries(cell) {
            let outside = self.outside(&boundary.contact);
            let sided = if boundary.is_outside { outside } else { outside.inside() };
            all.push(match boundary.kind {
                BoundaryKind::Inner => sided.kind(FailureKind::Inner),
                BoundaryKind::Outer | BoundaryKind::Lateral => sided.weakly().kind(FailureKind::Outer),
            });
        }
        all.extend(
            mixed.rotation_limits(cell).iter().filter_map(|limit| self.order(limit.first, limit.second)),
        );
    }

    /// One direction is not after another, those of `B` being of `-B`: constant for edges of one body.
    fn order(&self, first: SideOf, second: SideOf) -> Option<Condition<'a>> {
        let line = |side: SideOf| LineRef::Line(self.hierarchies[which(side.body) as usize].line(side.edge));
        // With normals n of A and m of B the turn from n to -m is that of n . (m turned left), and from -m to n the opposite.
        match (first.body, second.body) {
            (Body::A, Body::B) => Some(Condition::roll(Which::A, line(first), PointRef::Along(line(second)))),
            (Body::B, Body::A) => {
                Some(Condition::roll(Which::A, line(second), PointRef::Against(line(first))))
            }
            _ => None,
        }
    }

    pub(crate) fn separator(&self, cell: &MixedCell) -> Option<Separator<'a>> {
        let contact = self.mixed(Placement::identity()).separation(cell)?;
        let Condition { line_of, line, point, .. } = self.outside(&contact);
        Some(Separator { owner: line_of, line, point })
    }

    /// The level of a cell.
    pub(crate) fn level(&self, cell: &MixedCell) -> u32 {
        self.mixed(Placement::identity()).step_of(cell) / 2
    }

    /// The levels of both envelopes that a cell proves to be apart.
    pub(crate) fn levels(&self, cell: &MixedCell) -> [u32; 2] {
        let step = self.mixed(Placement::identity()).step_of(cell);
        // A bounded cell lies outside the sum after its step.
        let sum = if matches!(cell, MixedCell::Outer(_)) { 0 } else { step + 1 };
        let [a, b] = self.hierarchies.map(Hierarchy::depth);
        [sum.div_ceil(2).min(a), (sum / 2).min(b)]
    }

    /// The cell at a moment, looked for from another one; none if the bodies meet or their placement is not rational.
    pub(crate) fn locate(
        &self,
        near: Option<&MixedCell>,
        moment: &Moment<'_>,
        steps: &mut u64,
    ) -> Option<MixedCell> {
        let mixed = self.mixed(moment.placement()?);
        let mut count = MixedCount::default();
        let cell = mixed.locate_from(near.map_or(0, |cell| mixed.step_of(cell)), &mut count);
        *steps += u64::from(count.sums) + u64::from(count.edges) + u64::from(count.supports);
        (cell != MixedCell::Inside).then_some(cell)
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
