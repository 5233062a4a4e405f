//! From cell to cell of a mixed hierarchy: what lies beyond a boundary that was crossed [Erickson99 Lemma 4.3].

use super::boomerang::{Corner, EdgeId, TriangleId};
use super::mixed::{Mixed, MixedCount};
use super::mixed_cell::{Boundary, BoundaryKind, End, MixedCell, RotationEvent};
use super::pair::{Body, Contact, SideOf};
use super::tiling::Tiling;
use crate::exact::Sign;

/// Exact signs at one placement.
pub(crate) trait Signs {
    /// On which side of an edge's line the other body's vertex lies: positive outside.
    fn side(&mut self, contact: &Contact) -> Sign;

    /// The turn from the outer normal of an edge of one body to that of an edge of the other, those of `B` being of `-B`.
    fn turn(&mut self, from: SideOf, to: SideOf) -> Sign;
}

/// A walk through the cells of a mixed hierarchy to the one that holds a placement.
///
/// A boundary away from the bodies is crossed in `O(1)`: edges and corners know when they came to be. One toward the bodies takes `O(1)`
/// a level until the next cell, so that steps inward are paid for by those outward, as around one polygon.
pub(crate) struct Walk<'a, S> {
    pub(crate) tiling: Tiling<'a>,
    pub(crate) signs: S,
}

/// Cells a walk to a neighbour goes through at most for every step of the hierarchy, before it is lost: then the cell is searched for.
const CROSSINGS: u32 = 8;

impl<S: Signs> Walk<'_, S> {
    /// The cell that holds the placement, from one near it. None if the bodies meet, or if the walk is lost.
    pub(crate) fn near(&mut self, near: MixedCell) -> Option<MixedCell> {
        self.walk(near, CROSSINGS * (1 + self.tiling.last()))
    }

    /// The cell that holds the placement, from an edge of the last sum that it is outside of: outward, past any number of parallelograms.
    pub(crate) fn beyond_edge(&mut self, contact: &Contact) -> Option<MixedCell> {
        let edges = self.tiling.hierarchies.map(|hierarchy| hierarchy.edges().len() as u32);
        let cell = self.outward(contact);
        self.walk(cell, CROSSINGS * (1 + self.tiling.last()) + 2 * (edges[0] + edges[1]))
    }

    fn walk(&mut self, near: MixedCell, most: u32) -> Option<MixedCell> {
        let mut cell = near;
        for _ in 0..most {
            cell = self.in_order(cell);
            match self.violated(&cell) {
                Some(boundary) => cell = self.beyond(&cell, &boundary)?,
                None => return (cell != MixedCell::Inside).then_some(cell),
            }
        }
        None
    }

    /// Of equal directions that of `A` comes first.
    fn is_before(&mut self, first: SideOf, second: SideOf) -> bool {
        match self.signs.turn(first, second) {
            Sign::Positive => true,
            Sign::Zero => first.body < second.body,
            Sign::Negative => false,
        }
    }

    fn is_outside(&mut self, contact: &Contact) -> bool {
        self.signs.side(contact).is_positive()
    }

    /// A boundary that the placement is beyond: one away from the bodies if there is, so that the other is crossed beside no corner.
    fn violated(&mut self, cell: &MixedCell) -> Option<Boundary> {
        let boundaries = self.tiling.boundaries(cell);
        boundaries.into_iter().rev().find(|it| self.is_outside(&it.contact) != it.is_outside)
    }

    /// The cell in the place of one whose directions are no longer in order: page turns.
    fn in_order(&mut self, cell: MixedCell) -> MixedCell {
        match cell {
            MixedCell::Outer(Contact { body, edge, corner }) => {
                let corner = self.nearest(SideOf { body, edge }, corner, 0);
                MixedCell::Outer(Contact { body, edge, corner })
            }
            MixedCell::Triangle { body, triangle, corner } => {
                let edge = self.tiling.hierarchy(body).triangle(triangle).cut();
                let level = self.tiling.level(body.other(), self.tiling.step_of(&cell));
                let corner = self.nearest(SideOf { body, edge }, corner, level);
                MixedCell::Triangle { body, triangle, corner }
            }
            MixedCell::Parallelogram { body, triangle, end, edge } => {
                let limits = self.tiling.rotation_limits(&cell);
                match limits.into_iter().find(|limit| !self.is_before(limit.first, limit.second)) {
                    None => cell,
                    Some(limit) if limit.event == RotationEvent::PageTurn => {
                        let end = if end == End::First { End::Last } else { End::First };
                        MixedCell::Parallelogram { body, triangle, end, edge }
                    }
                    // The placement was squeezed out before, or is now: the triangle is near.
                    Some(_) => {
                        let level = self.tiling.level(body.other(), self.tiling.step_of(&cell));
                        let corner = self.tiling.hierarchy(body.other()).corner_after(edge, level);
                        self.in_order(MixedCell::Triangle { body, triangle, corner })
                    }
                }
            }
            MixedCell::Inside => cell,
        }
    }

    /// The vertex of the other body's envelope that lies farthest along an edge's normal, walking from one of them.
    fn nearest(&mut self, edge: SideOf, mut corner: Corner, level: u32) -> Corner {
        let other = edge.body.other();
        let hierarchy = self.tiling.hierarchy(other);
        let of_other = |edge| SideOf { body: other, edge };
        // Ends: directions go around once, and the walk never turns back.
        if self.is_before(edge, of_other(corner.right)) {
            while !self.is_before(of_other(corner.left), edge) {
                corner = hierarchy.corner_before(corner.left, level);
            }
            return corner;
        }
        while !self.is_before(edge, of_other(corner.right)) {
            corner = hierarchy.corner_after(corner.right, level);
        }
        corner
    }

    /// The cell beyond a boundary of a cell. None if the bodies meet.
    fn beyond(&mut self, cell: &MixedCell, boundary: &Boundary) -> Option<MixedCell> {
        match (*cell, boundary.kind) {
            (MixedCell::Inside, _) => None,
            (MixedCell::Outer(contact), _) => match self.outer_side() {
                Some(side) => Some(MixedCell::Outer(side)),
                None => {
                    let contact = self.facing(contact);
                    self.inward(0, contact)
                }
            },
            (_, BoundaryKind::Inner) => self.inward(self.tiling.step_of(cell) + 1, boundary.contact),
            (MixedCell::Triangle { body, triangle, corner }, _) => {
                let cut = self.tiling.hierarchy(body).triangle(triangle);
                let end = if boundary.contact.edge == cut.left() { End::First } else { End::Last };
                let edge = if end == End::First { corner.left } else { corner.right };
                let side = SideOf { body, edge: boundary.contact.edge };
                let beside = SideOf { body: body.other(), edge };
                Some(match self.is_ordered(end, side, beside) {
                    true => MixedCell::Parallelogram { body, triangle, end, edge },
                    false => self.outward(&boundary.contact),
                })
            }
            (MixedCell::Parallelogram { .. }, BoundaryKind::Outer) => Some(self.outward(&boundary.contact)),
            (MixedCell::Parallelogram { body, triangle, end, edge }, BoundaryKind::Lateral) => {
                let corner = boundary.contact.corner;
                let is_after = corner.left == edge;
                let next =
                    SideOf { body: body.other(), edge: if is_after { corner.right } else { corner.left } };
                let beside = MixedCell::Parallelogram { body, triangle, end, edge: next.edge };
                let cut = SideOf { body, edge: self.tiling.hierarchy(body).triangle(triangle).cut() };
                let along = SideOf { body, edge: boundary.contact.edge };
                Some(if is_after == (end == End::First) {
                    match self.is_ordered(end, next, cut) {
                        true => beside,
                        false => MixedCell::Triangle { body, triangle, corner },
                    }
                } else {
                    match self.is_ordered(end, along, next) {
                        true => beside,
                        false => self.outward(&boundary.contact),
                    }
                })
            }
        }
    }

    /// A side of the outermost sum that the placement is beyond.
    fn outer_side(&mut self) -> Option<Contact> {
        for body in [Body::A, Body::B] {
            for side in 0..4 {
                let edge = EdgeId(side);
                let quarter = self.tiling.hierarchy(body.other()).quarter(0);
                let corner = self.nearest(SideOf { body, edge }, quarter, 0);
                let contact = Contact { body, edge, corner };
                if self.is_outside(&contact) {
                    return Some(contact);
                }
            }
        }
        None
    }

    /// The side of the outermost sum that the placement, now inside, is next to: of two parallel ones that share a line it may have been
    /// beyond the other.
    fn facing(&mut self, contact: Contact) -> Contact {
        let Contact { body, edge, corner } = contact;
        let ends = self.tiling.hierarchy(body);
        let (before, after) = (ends.corner_before(edge, 0), ends.corner_after(edge, 0));
        let body = body.other();
        if self.is_outside(&Contact { edge: after.right, ..contact }) {
            Contact { body, edge: corner.right, corner: after }
        } else if self.is_outside(&Contact { edge: before.left, ..contact }) {
            Contact { body, edge: corner.left, corner: before }
        } else {
            contact
        }
    }

    /// At the first end of a cut whether one direction is before another, at the last end whether it is after it.
    fn is_ordered(&mut self, end: End, from: SideOf, to: SideOf) -> bool {
        match end {
            End::First => self.is_before(from, to),
            End::Last => self.is_before(to, from),
        }
    }

    /// The cell on the outer side of an edge of a sum: the edge came to be with it, or the corner that it stands at did.
    fn outward(&self, contact: &Contact) -> MixedCell {
        let (body, other) = (contact.body, contact.body.other());
        let corner = contact.corner;
        let [left, right] = [corner.left, corner.right].map(|edge| self.tiling.hierarchy(other).edge(edge));
        let (newer, end) = if left.birth() > right.birth() { (left, End::Last) } else { (right, End::First) };
        let owners = [(body, self.tiling.hierarchy(body).edge(contact.edge).owner()), (other, newer.owner())];
        let [of_edge, of_corner] = owners.map(|(body, owner)| {
            owner.map(|id| (Tiling::step(body, self.tiling.hierarchy(body).triangle(id).level()), id))
        });
        match (of_edge, of_corner) {
            (None, None) => MixedCell::Outer(*contact),
            (edge, Some((step, triangle))) if edge.is_none_or(|edge| step > edge.0) => {
                MixedCell::Parallelogram { body: other, triangle, end, edge: contact.edge }
            }
            (Some((_, triangle)), _) => MixedCell::Triangle { body, triangle, corner },
            // Taken by the second arm.
            (None, Some(_)) => MixedCell::Outer(*contact),
        }
    }

    /// The cell on the inner side of an edge of the sum of a step: at most `O(1)` for each step that it takes to the next cut there.
    fn inward(&mut self, step: u32, mut contact: Contact) -> Option<MixedCell> {
        for step in step..self.tiling.last() {
            let found = match Tiling::cutter(step) == contact.body {
                true => self.cut_beside(step, contact),
                false => self.cut_under(contact),
            };
            match found {
                Inward::Cell(cell) => return Some(cell),
                Inward::Edge(next) => contact = next,
            }
        }
        None
    }

    /// The cuts of a step at both ends of an edge: one of them may take off the part that the placement is next to.
    fn cut_beside(&mut self, step: u32, contact: Contact) -> Inward {
        let Contact { body, edge, corner } = contact;
        let hierarchy = self.tiling.hierarchy(body);
        let ends = [
            (End::First, hierarchy.corner_after(edge, step / 2)),
            (End::Last, hierarchy.corner_before(edge, step / 2)),
        ];
        for (end, triangle) in ends.into_iter().filter_map(|(end, c)| Some((end, c.below?))) {
            let cut = hierarchy.triangle(triangle).cut();
            // On the edge's line, the cut moved to this vertex ends where the edge will.
            if self.is_outside(&Contact { body, edge: cut, corner }) {
                return self.at_cut(step, contact, triangle, end);
            }
        }
        Inward::Edge(contact)
    }

    /// The cell of a cut beside an edge of its corner. An edge of the other body that is parallel to it only slides along it: then the
    /// placement may be next to that one.
    fn at_cut(&mut self, step: u32, contact: Contact, triangle: TriangleId, end: End) -> Inward {
        let Contact { body, edge: along, mut corner } = contact;
        let (hierarchy, other) = (self.tiling.hierarchy(body), self.tiling.hierarchy(body.other()));
        let level = self.tiling.level(body.other(), step);
        let cut = hierarchy.triangle(triangle).cut();
        loop {
            let edge = if end == End::First { corner.right } else { corner.left };
            let this = SideOf { body: body.other(), edge };
            if !self.is_ordered(end, this, SideOf { body, edge: cut }) {
                return Inward::Cell(MixedCell::Triangle { body, triangle, corner });
            }
            if !self.signs.turn(SideOf { body, edge: along }, this).is_zero() {
                return Inward::Cell(MixedCell::Parallelogram { body, triangle, end, edge });
            }
            corner = match end {
                End::First => other.corner_after(edge, level),
                End::Last => other.corner_before(edge, level),
            };
            if !self.is_outside(&Contact { body, edge: cut, corner }) {
                let corner = hierarchy.finer(&self.tiling.corner_at(body, triangle))[end as usize];
                return Inward::Edge(Contact { body: body.other(), edge, corner });
            }
        }
    }

    /// The cut of the corner that an edge of the other body stands at: the edge moves inward with it.
    fn cut_under(&mut self, contact: Contact) -> Inward {
        let Some(triangle) = contact.corner.below else { return Inward::Edge(contact) };
        let body = contact.body.other();
        let hierarchy = self.tiling.hierarchy(body);
        let cut = SideOf { body, edge: hierarchy.triangle(triangle).cut() };
        let this = SideOf { body: contact.body, edge: contact.edge };
        let end = if self.is_before(cut, this) { End::Last } else { End::First };
        let moved = Contact { corner: hierarchy.finer(&contact.corner)[end as usize], ..contact };
        match self.is_outside(&moved) {
            true => Inward::Cell(MixedCell::Parallelogram { body, triangle, end, edge: contact.edge }),
            false => Inward::Edge(moved),
        }
    }
}

/// What is on the inner side of an edge of a sum after one step more.
enum Inward {
    Cell(MixedCell),
    /// The edge of the next sum.
    Edge(Contact),
}

/// The signs of a placement, counted.
struct Counted<'a, 'b>(&'b Mixed<'a>, &'b mut MixedCount);

impl Signs for Counted<'_, '_> {
    fn side(&mut self, contact: &Contact) -> Sign {
        self.1.signs += 1;
        self.0.pair().side(contact)
    }

    fn turn(&mut self, from: SideOf, to: SideOf) -> Sign {
        self.1.signs += 1;
        self.0.pair().turn(from, to)
    }
}

impl Mixed<'_> {
    /// The cell that holds the placement, from the cell of an earlier placement near it: neighbour by neighbour.
    ///
    /// `O(1)` signs for a neighbour away from the bodies, `O(levels)` toward them, and after a rotation as many as there were page turns
    /// of the cell; searched for if the walk is lost, as it may be from a cell far away.
    pub fn walk_from(&self, near: &MixedCell, count: &mut MixedCount) -> MixedCell {
        let mut walk = Walk { tiling: self.tiling(), signs: Counted(self, count) };
        match walk.near(*near) {
            Some(cell) => cell,
            None => self.locate_from(self.step_of(near), count),
        }
    }
}
