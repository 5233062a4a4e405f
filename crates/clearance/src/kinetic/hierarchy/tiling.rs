//! What is true of the cells of a mixed hierarchy at every placement: levels, boundaries, orders of directions [Erickson99 §4].

use super::boomerang::{Corner, EdgeId, Hierarchy, TriangleId};
use super::mixed_cell::{Boundary, BoundaryKind, End, MixedCell, RotationEvent, RotationLimit};
use super::pair::{Body, Contact, SideOf};

/// Two hierarchies whose mixed hierarchy is spoken of, wherever the bodies are. See [`Mixed`](super::Mixed) for its sums and steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiling<'a> {
    pub(crate) hierarchies: [&'a Hierarchy; 2],
}

impl<'a> Tiling<'a> {
    pub(crate) fn hierarchy(&self, body: Body) -> &'a Hierarchy {
        self.hierarchies[body as usize]
    }

    /// The last sum: that of the bodies themselves.
    pub(crate) fn last(&self) -> u32 {
        2 * self.hierarchies[0].depth().max(self.hierarchies[1].depth())
    }

    /// The level of a body's envelope in a sum.
    pub(crate) fn level(&self, body: Body, sum: u32) -> u32 {
        let level = if body == Body::A { sum.div_ceil(2) } else { sum / 2 };
        level.min(self.hierarchy(body).depth())
    }

    /// The step at which a body cuts the corners of a level.
    pub(super) fn step(body: Body, level: u32) -> u32 {
        2 * level + u32::from(body == Body::B)
    }

    /// Whose corners are cut at a step.
    pub(super) fn cutter(step: u32) -> Body {
        if step.is_multiple_of(2) { Body::A } else { Body::B }
    }

    /// The step of a cell.
    pub(crate) fn step_of(&self, cell: &MixedCell) -> u32 {
        match *cell {
            MixedCell::Outer(_) => 0,
            MixedCell::Inside => self.last(),
            MixedCell::Triangle { body, triangle, .. } | MixedCell::Parallelogram { body, triangle, .. } => {
                Tiling::step(body, self.hierarchy(body).triangle(triangle).level())
            }
        }
    }

    /// The edge of one body and the vertex of the other that separate the bodies in a cell.
    pub(crate) fn separation(&self, cell: &MixedCell) -> Option<Contact> {
        match *cell {
            MixedCell::Inside => None,
            MixedCell::Outer(contact) => Some(contact),
            MixedCell::Triangle { body, triangle, corner } => {
                let edge = self.hierarchy(body).triangle(triangle).cut();
                Some(Contact { body, edge, corner })
            }
            MixedCell::Parallelogram { body, triangle, end, edge } => {
                let corner = self.corner_at(body, triangle);
                let corner = self.hierarchy(body).finer(&corner)[end as usize];
                Some(Contact { body: body.other(), edge, corner })
            }
        }
    }

    /// The corner that a triangle cuts off.
    pub(super) fn corner_at(&self, body: Body, triangle: TriangleId) -> Corner {
        let cut = self.hierarchy(body).triangle(triangle);
        Corner { left: cut.left(), right: cut.right(), below: Some(triangle) }
    }

    /// The conditions that hold in a cell, the separating one first; a translation leaves the cell when one of them fails.
    pub(crate) fn boundaries(&self, cell: &MixedCell) -> Vec<Boundary> {
        let Some(contact) = self.separation(cell) else { return Vec::new() };
        let mut found = vec![Boundary { contact, is_outside: true, kind: BoundaryKind::Inner }];
        match *cell {
            MixedCell::Outer(_) | MixedCell::Inside => {}
            MixedCell::Triangle { body, triangle, corner } => {
                let cut = self.hierarchy(body).triangle(triangle);
                found.extend([cut.left(), cut.right()].map(|edge| Boundary {
                    contact: Contact { body, edge, corner },
                    is_outside: false,
                    kind: BoundaryKind::Outer,
                }));
            }
            MixedCell::Parallelogram { body, triangle, end, edge } => {
                let apex = Contact { body: body.other(), edge, corner: self.corner_at(body, triangle) };
                found.push(Boundary { contact: apex, is_outside: false, kind: BoundaryKind::Outer });
                let cut = self.hierarchy(body).triangle(triangle);
                let other = self.hierarchy(body.other());
                let level = self.level(body.other(), self.step_of(cell));
                let along = if end == End::First { cut.left() } else { cut.right() };
                let ends = [other.corner_before(edge, level), other.corner_after(edge, level)];
                for (i, corner) in ends.into_iter().enumerate() {
                    let contact = Contact { body, edge: along, corner };
                    let is_outside = (i == 1) == (end == End::First);
                    found.push(Boundary { contact, is_outside, kind: BoundaryKind::Lateral });
                }
            }
        }
        found
    }

    /// The orders of directions that a cell needs; a rotation ends the cell when two of them meet.
    pub(crate) fn rotation_limits(&self, cell: &MixedCell) -> Vec<RotationLimit> {
        let limit = |first, second, event| RotationLimit { first, second, event };
        match *cell {
            MixedCell::Outer(contact) => self.around(contact.body, contact.edge, &contact.corner),
            MixedCell::Inside => Vec::new(),
            MixedCell::Triangle { body, triangle, corner } => {
                self.around(body, self.hierarchy(body).triangle(triangle).cut(), &corner)
            }
            MixedCell::Parallelogram { body, triangle, end, edge } => {
                let cut = self.hierarchy(body).triangle(triangle);
                let this = SideOf { body: body.other(), edge };
                let [left, cut, right] =
                    [cut.left(), cut.cut(), cut.right()].map(|edge| SideOf { body, edge });
                match end {
                    End::First => {
                        vec![
                            limit(left, this, RotationEvent::Collapse),
                            limit(this, cut, RotationEvent::PageTurn),
                        ]
                    }
                    End::Last => {
                        vec![
                            limit(cut, this, RotationEvent::PageTurn),
                            limit(this, right, RotationEvent::Collapse),
                        ]
                    }
                }
            }
        }
    }

    /// An edge stays between the directions of the edges at the other body's vertex.
    fn around(&self, body: Body, edge: EdgeId, corner: &Corner) -> Vec<RotationLimit> {
        let this = SideOf { body, edge };
        let [left, right] = [corner.left, corner.right].map(|edge| SideOf { body: body.other(), edge });
        let event = RotationEvent::PageTurn;
        vec![
            RotationLimit { first: left, second: this, event },
            RotationLimit { first: this, second: right, event },
        ]
    }
}
