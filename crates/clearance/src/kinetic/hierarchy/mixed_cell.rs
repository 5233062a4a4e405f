//! The cells of a mixed hierarchy: what bounds them, what ends them, what they prove [Erickson99 §4].

use super::boomerang::{Corner, EdgeId, TriangleId};
use super::mixed::Mixed;
use super::pair::{Body, Contact, SideOf};
use crate::exact::Sign;
use crate::planar::Point;

/// An end of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Where it meets the edge before it.
    First,
    /// Where it meets the edge after it.
    Last,
}

/// A cell of the tiling of all placements at which the bodies are disjoint, for one rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MixedCell {
    /// Beyond a side of the outermost sum; these cells overlap.
    Outer(Contact),
    /// A triangle of one body's hierarchy, moved by the vertex of the other body's envelope that lies farthest along its cut.
    Triangle {
        /// Whose triangle.
        body: Body,
        /// Which triangle.
        triangle: TriangleId,
        /// The vertex of the other body.
        corner: Corner,
    },
    /// What an edge of the other body's envelope sweeps as a cut moves the corner that it stands at to an end of the cut.
    Parallelogram {
        /// Whose corner is cut.
        body: Body,
        /// By which triangle.
        triangle: TriangleId,
        /// To which end of the cut the corner moves.
        end: End,
        /// The edge of the other body.
        edge: EdgeId,
    },
    /// The bodies meet.
    Inside,
}

/// One of the conditions that hold in a cell as long as the bodies translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Boundary {
    /// A line of one body and a vertex of the other.
    pub contact: Contact,
    /// Whether the vertex is outside the line in this cell, or not.
    pub is_outside: bool,
    /// What the cell's boundary is here.
    pub kind: BoundaryKind,
}

/// Which side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundaryKind {
    /// Toward the bodies: beyond it the separating edge fails.
    Inner,
    /// Away from them.
    Outer,
    /// Toward a cell of the same step.
    Lateral,
}

/// One of the orders of directions that a cell needs as the bodies rotate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RotationLimit {
    /// The direction that comes first.
    pub first: SideOf,
    /// The one that comes second, strictly after the first or at it.
    pub second: SideOf,
    /// What happens when they meet.
    pub event: RotationEvent,
}

/// What ends a cell under rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RotationEvent {
    /// A triangle and a parallelogram exchange positions.
    PageTurn,
    /// A parallelogram becomes flat.
    Collapse,
}

impl Mixed<'_> {
    /// The edge of one body and the vertex of the other that separate the bodies in a cell.
    pub fn separation(&self, cell: &MixedCell) -> Option<Contact> {
        self.tiling().separation(cell)
    }

    /// The conditions that hold in a cell, the separating one first; a translation leaves the cell when one of them fails.
    pub fn boundaries(&self, cell: &MixedCell) -> Vec<Boundary> {
        self.tiling().boundaries(cell)
    }

    /// The orders of directions that a cell needs; a rotation ends the cell when two of them meet.
    pub fn rotation_limits(&self, cell: &MixedCell) -> Vec<RotationLimit> {
        self.tiling().rotation_limits(cell)
    }

    /// All bounded cells, step by step, from the definition: every cut adds its triangle and one parallelogram for each edge of the
    /// other body's envelope between the directions of the edges of its corner. For pictures and counts: `O(n)` a step.
    pub fn cells(&self) -> Vec<MixedCell> {
        let mut cells = Vec::new();
        for step in 0..self.steps() {
            let body = if step.is_multiple_of(2) { Body::A } else { Body::B };
            let triangles = self.pair().hierarchy(body).triangles();
            let at_step = (0..triangles.len()).filter(|&i| triangles[i].level() == step / 2);
            at_step.for_each(|i| self.add_cells(step, body, TriangleId(i as u32), &mut cells));
        }
        cells
    }

    fn add_cells(&self, step: u32, body: Body, triangle: TriangleId, cells: &mut Vec<MixedCell>) {
        let pair = self.pair();
        let (cut, other) = (pair.hierarchy(body).triangle(triangle), pair.hierarchy(body.other()));
        let [left, middle, right] = [cut.left(), cut.cut(), cut.right()].map(|edge| SideOf { body, edge });
        let level = self.level(body.other(), step);
        for edge in other.envelope(level) {
            let corner = other.corner_after(edge, level);
            let [this, next] = [edge, corner.right].map(|edge| SideOf { body: body.other(), edge });
            if pair.is_before(this, middle) && pair.is_before(middle, next) {
                cells.push(MixedCell::Triangle { body, triangle, corner });
            }
            for (end, from, to) in [(End::First, left, middle), (End::Last, middle, right)] {
                if pair.is_before(from, this) && pair.is_before(this, to) {
                    cells.push(MixedCell::Parallelogram { body, triangle, end, edge });
                }
            }
        }
    }

    /// The vertices of a bounded cell, counter-clockwise, as translations of `B`.
    pub fn outline(&self, cell: &MixedCell) -> Vec<Point> {
        let to_sum = |body: Body, vertex: &Point| match body {
            Body::A => vertex.clone(),
            Body::B => self.pair().b_to_a().rotated(vertex).negated(),
        };
        match *cell {
            MixedCell::Outer(_) | MixedCell::Inside => Vec::new(),
            MixedCell::Triangle { body, triangle, corner } => {
                let hierarchy = self.pair().hierarchy(body);
                let at = to_sum(body.other(), self.pair().hierarchy(body.other()).vertex(&corner));
                hierarchy.outline(triangle).iter().map(|p| to_sum(body, p).plus(&at)).collect()
            }
            MixedCell::Parallelogram { body, triangle, end, edge } => {
                let [first, apex, last] = self.pair().hierarchy(body).outline(triangle);
                let foot = if end == End::First { first } else { last };
                let other = self.pair().hierarchy(body.other());
                let level = self.level(body.other(), self.step_of(cell));
                let ends = [other.corner_before(edge, level), other.corner_after(edge, level)];
                let [from, to] = ends.map(|corner| to_sum(body.other(), other.vertex(&corner)));
                let [apex, foot] = [apex, foot].map(|p| to_sum(body, &p));
                vec![foot.plus(&from), apex.plus(&from), apex.plus(&to), foot.plus(&to)]
            }
        }
    }

    /// Whether a cell, of this or an earlier placement of the same pair, exists at this rotation and holds the translation.
    pub fn holds(&self, cell: &MixedCell) -> bool {
        let in_order = |limit: &RotationLimit| self.pair().is_before(limit.first, limit.second);
        let in_cell = |b: &Boundary| (self.pair().side(&b.contact) == Sign::Positive) == b.is_outside;
        match cell {
            MixedCell::Inside => self.locate() == MixedCell::Inside,
            _ => self.rotation_limits(cell).iter().all(in_order) && self.boundaries(cell).iter().all(in_cell),
        }
    }
}
