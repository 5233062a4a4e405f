//! Which cell outside a polygon holds a point.

use super::boomerang::{EdgeId, Hierarchy, TriangleId};
use crate::exact::{Sign, orient2d};
use crate::planar::{Line, Point};

/// A cell of the tiling of the plane around a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// Outside the rectangle, beyond this side of it. The cells of the right and left sides are half-planes, those of the top
    /// and bottom sides the half-strips that these leave.
    Outer(EdgeId),
    /// Between two envelopes: not outside the outer edges of this triangle, outside its cut.
    Triangle(TriangleId),
    /// In the polygon or on its boundary.
    Inside,
}

/// What a search looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCount {
    /// Signs of points against lines.
    pub signs: u32,
}

/// The order in which sides are asked: first the half-planes.
const SIDES: [EdgeId; 4] = [EdgeId(0), EdgeId(2), EdgeId(1), EdgeId(3)];

impl Hierarchy {
    /// The cell that holds a point: exact, in `O(level of the cell)`. A point on a cut counts to the inner side.
    pub fn locate(&self, p: &Point) -> Cell {
        for side in SIDES {
            if self.line(side).side(p).is_positive() {
                return Cell::Outer(side);
            }
        }
        for quarter in 0..4 {
            let ends = [EdgeId(quarter), EdgeId((quarter + 1) % 4)];
            if self.is_beyond_chord(ends, p) {
                return self.root(quarter as usize).map_or(Cell::Inside, |id| self.descend(id, p));
            }
        }
        Cell::Inside
    }

    /// The cell that holds a point of the boomerang topped by a triangle, level by level.
    fn descend(&self, mut id: TriangleId, p: &Point) -> Cell {
        loop {
            let triangle = self.triangle(id);
            if self.line(triangle.cut()).side(p).is_positive() {
                return Cell::Triangle(id);
            }
            let corners = [[triangle.left(), triangle.cut()], [triangle.cut(), triangle.right()]];
            let Some(side) = corners.iter().position(|ends| self.is_beyond_chord(*ends, p)) else {
                return Cell::Inside;
            };
            match triangle.children()[side] {
                Some(child) => id = child,
                None => return Cell::Inside,
            }
        }
    }

    /// The cell that holds a point which has just passed a cut inward, found by binary search along the edge: the boomerangs
    /// at either end of an edge are nested [Erickson99 §5.1]. For a point at the edge `O(log(levels below the cut))` signs; for
    /// any other point of the boomerang below the answer is right, too.
    ///
    /// The point must not lie outside the cut or outside the outer edges of its triangle; the cells of all others are found from
    /// the top.
    pub fn locate_below(&self, cut: TriangleId, p: &Point, count: &mut SearchCount) -> Cell {
        let triangle = self.triangle(cut);
        count.signs += 3;
        let is_outside = |edge: EdgeId| self.line(edge).side(p).is_positive();
        if [triangle.left(), triangle.cut(), triangle.right()].into_iter().any(is_outside) {
            return self.locate(p);
        }
        let mut passed = cut;
        loop {
            let triangle = self.triangle(passed);
            let corners = [[triangle.left(), triangle.cut()], [triangle.cut(), triangle.right()]];
            count.signs += 2;
            let Some(side) = corners.iter().position(|ends| self.is_beyond_chord(*ends, p)) else {
                // In the polygon, or beyond it on another side.
                return self.locate(p);
            };
            let edge = triangle.cut();
            let spine = if side == 0 { self.spine_before(edge) } else { self.spine_after(edge) };
            // The point is in the first boomerang of the spine and in no finer one after the last that holds it.
            let holds = |&id: &TriangleId| self.is_in_boomerang(id, p);
            let (mut low, mut high) = (0, spine.len());
            if high == 0 {
                return Cell::Inside;
            }
            while high - low > 1 {
                let middle = low.midpoint(high);
                count.signs += 3;
                if holds(&spine[middle]) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let last = spine[low];
            count.signs += 1;
            if is_outside(self.triangle(last).cut()) {
                return Cell::Triangle(last);
            }
            passed = last;
        }
    }

    /// Whether a point, not in the polygon, lies in the boomerang that a triangle tops.
    fn is_in_boomerang(&self, id: TriangleId, p: &Point) -> bool {
        let triangle = self.triangle(id);
        let ends = [triangle.left(), triangle.right()];
        ends.iter().all(|&edge| !self.line(edge).side(p).is_positive()) && self.is_beyond_chord(ends, p)
    }

    /// The cell that a point enters when it leaves a triangle across an outer edge. `O(1)`.
    pub fn cell_across(&self, edge: EdgeId) -> Cell {
        self.edge(edge).owner().map_or(Cell::Outer(edge), Cell::Triangle)
    }

    /// The edge that separates the points of a cell from the polygon: these lie on its outer side.
    pub fn separating_edge(&self, cell: Cell) -> Option<EdgeId> {
        match cell {
            Cell::Outer(side) => Some(side),
            Cell::Triangle(id) => Some(self.triangle(id).cut()),
            Cell::Inside => None,
        }
    }

    /// The edges whose crossing ends the stay of a point in a cell: the inner edge first, then the outer ones.
    pub fn boundary(&self, cell: Cell) -> ([EdgeId; 3], usize) {
        match cell {
            Cell::Triangle(id) => {
                let triangle = self.triangle(id);
                ([triangle.cut(), triangle.left(), triangle.right()], 3)
            }
            Cell::Outer(side) if side == EdgeId(1) || side == EdgeId(3) => ([side, EdgeId(0), EdgeId(2)], 3),
            Cell::Outer(side) => ([side; 3], 1),
            Cell::Inside => ([EdgeId(0); 3], 0),
        }
    }

    /// Whether a point lies strictly outside the chord between the contacts of two neighbouring edges. The chord splits off
    /// what the boomerang and the polygon's part below it fill.
    fn is_beyond_chord(&self, [left, right]: [EdgeId; 2], p: &Point) -> bool {
        let (from, to) = (self.edge(left).contact()[1], self.edge(right).contact()[0]);
        if from == to {
            return false;
        }
        if let Some(p) = p.as_float() {
            let [from, to] = [from, to].map(|v| self.polygon().vertices()[v]);
            return orient2d(from, to, p) == Sign::Negative;
        }
        let [from, to] = [from, to].map(|v| &self.polygon().points()[v]);
        Line::through(from, to).is_some_and(|chord| chord.side(p).is_positive())
    }
}
