//! The cell of a hierarchy that holds a moving point [Erickson99 §5.1, Theorem 5.1].

use super::certificate::Separator;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::hierarchy::{Cell, EdgeId, Hierarchy, TriangleId};
use super::stats::EventKind;

/// The active triangle: the cell around a polygon that holds the other body, which is a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActiveTriangle {
    /// Who has the hierarchy.
    pub(crate) owner: Which,
    pub(crate) cell: Cell,
}

/// A hierarchy and a point that moves around it.
#[derive(Clone, Copy)]
pub(crate) struct PointPair<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) point: PointRef<'a>,
}

impl ActiveTriangle {
    /// Outside the inner edge, not outside the outer ones.
    pub(crate) fn conditions<'a>(&self, pair: &PointPair<'a>, all: &mut Vec<Condition<'a>>) {
        let (edges, count) = pair.hierarchy.boundary(self.cell);
        for (i, edge) in edges[..count].iter().enumerate() {
            let outside =
                Condition::outside(self.owner, LineRef::Line(pair.hierarchy.line(*edge)), pair.point);
            all.push(match i {
                0 => outside.kind(FailureKind::Inner),
                _ => outside.inside().weakly().kind(FailureKind::Outer),
            });
        }
    }

    pub(crate) fn separator<'a>(&self, pair: &PointPair<'a>) -> Option<Separator<'a>> {
        let edge = pair.hierarchy.separating_edge(self.cell)?;
        Some(Separator {
            owner: self.owner,
            line: LineRef::Line(pair.hierarchy.line(edge)),
            point: pair.point,
        })
    }

    /// The level of the cell: that of its triangle, none outside the rectangle.
    pub(crate) fn level(&self, pair: &PointPair<'_>) -> u32 {
        match self.cell {
            Cell::Triangle(id) => pair.hierarchy.triangle(id).level() + 1,
            _ => 0,
        }
    }
}

/// A search for the cell of a point at a moment.
pub(crate) struct CellSearch<'a, 'b> {
    pub(crate) owner: Which,
    pub(crate) pair: PointPair<'a>,
    pub(crate) moment: &'b Moment<'b>,
    pub(crate) steps: u64,
}

impl CellSearch<'_, '_> {
    /// The cell after one was left, and how; none if the point is in the polygon.
    pub(crate) fn after(&mut self, left: Cell) -> Option<(Cell, EventKind)> {
        let (edges, count) = self.pair.hierarchy.boundary(left);
        if let Some(&edge) = edges[1.min(count)..count].iter().find(|&&edge| self.is_outside(edge)) {
            let cell = self.pair.hierarchy.cell_across(edge);
            return Some((if self.holds(cell) { cell } else { self.search_from_top()? }, EventKind::Outer));
        }
        let cell = match left {
            Cell::Triangle(id) if !self.is_outside(edges[0]) => self.below(id),
            _ => self.search_from_top(),
        };
        Some((cell?, EventKind::Inner))
    }

    fn is_outside(&mut self, edge: EdgeId) -> bool {
        self.steps += 1;
        let line = LineRef::Line(self.pair.hierarchy.line(edge));
        self.moment.side(self.owner, line, self.pair.point).is_positive()
    }

    fn holds(&mut self, cell: Cell) -> bool {
        let (edges, count) = self.pair.hierarchy.boundary(cell);
        count > 0 && (0..count).all(|i| self.is_outside(edges[i]) == (i == 0))
    }

    /// The cell, level by level from the rectangle on.
    pub(crate) fn search_from_top(&mut self) -> Option<Cell> {
        for side in [0, 2, 1, 3].map(EdgeId) {
            if self.is_outside(side) {
                return Some(Cell::Outer(side));
            }
        }
        for quarter in 0..4 {
            if self.is_beyond_chord([EdgeId(quarter), EdgeId((quarter + 1) % 4)]) {
                let mut id = self.pair.hierarchy.root(quarter as usize)?;
                while !self.is_outside(self.pair.hierarchy.triangle(id).cut()) {
                    id = self.child(id)?.0;
                }
                return Some(Cell::Triangle(id));
            }
        }
        None
    }

    /// The triangle below another that holds the point, and on which side of the cut.
    fn child(&mut self, id: TriangleId) -> Option<(TriangleId, usize)> {
        let triangle = self.pair.hierarchy.triangle(id);
        let corners = [[triangle.left(), triangle.cut()], [triangle.cut(), triangle.right()]];
        let side = corners.iter().position(|ends| self.is_beyond_chord(*ends))?;
        Some((triangle.children()[side]?, side))
    }

    /// The cell of a point that has passed a cut, by binary search in the nested boomerangs along it; from the top if the point is
    /// not in the boomerang below.
    fn below(&mut self, cut: TriangleId) -> Option<Cell> {
        let mut passed = cut;
        loop {
            let Some((child, side)) = self.child(passed) else { return self.search_from_top() };
            let edge = self.pair.hierarchy.triangle(passed).cut();
            let spine = match side {
                0 => self.pair.hierarchy.spine_before(edge),
                _ => self.pair.hierarchy.spine_after(edge),
            };
            let (mut low, mut high) = (0, spine.len());
            while high - low > 1 {
                let middle = low.midpoint(high);
                if self.is_in_boomerang(spine[middle]) { low = middle } else { high = middle }
            }
            let last = spine.get(low).copied().unwrap_or(child);
            if self.is_outside(self.pair.hierarchy.triangle(last).cut()) {
                let cell = Cell::Triangle(last);
                return if self.holds(cell) { Some(cell) } else { self.search_from_top() };
            }
            // Deeper in every turn: the spine starts with the child.
            passed = last;
        }
    }

    fn is_in_boomerang(&mut self, id: TriangleId) -> bool {
        let triangle = self.pair.hierarchy.triangle(id);
        let ends = [triangle.left(), triangle.right()];
        !ends.into_iter().any(|edge| self.is_outside(edge)) && self.is_beyond_chord(ends)
    }

    /// Whether the point lies outside the chord between the contacts of two edges.
    fn is_beyond_chord(&mut self, [left, right]: [EdgeId; 2]) -> bool {
        self.steps += 1;
        let hierarchy = self.pair.hierarchy;
        let (from, to) = (hierarchy.edge(left).contact()[1], hierarchy.edge(right).contact()[0]);
        let vertices = hierarchy.polygon().vertices();
        from != to
            && self
                .moment
                .side(self.owner, LineRef::Edge(vertices[from], vertices[to]), self.pair.point)
                .is_positive()
    }
}
