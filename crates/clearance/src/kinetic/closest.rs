//! The pair of closest features as a certificate [Erickson99 §5, after Lin and Canny].

use super::baseline::{Outlines, SeparatingEdge, gap, rolls};
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, Which};

/// The closest features of two polygons: a vertex and an edge, or two vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClosestFeatures {
    /// The foot of the vertex lies on the edge.
    Edge(SeparatingEdge),
    /// Each vertex lies in the cone of normals at the other. The guard is an edge at one of them that has the other outside: it
    /// proves that they differ.
    Vertices { vertices: [usize; 2], guard: (Which, usize) },
}

impl ClosestFeatures {
    pub(crate) fn conditions(&self, outlines: &Outlines<'_>, all: &mut Vec<Condition<'_>>) {
        match self {
            ClosestFeatures::Edge(edge) => {
                let (line, point) = (edge.line(outlines), edge.point(outlines));
                all.push(Condition::outside(edge.owner, line, point));
                all.extend(slab(edge, outlines));
                rolls(edge.owner, line, outlines, edge.vertex, all);
            }
            ClosestFeatures::Vertices { vertices, guard: (owner, side) } => {
                let line = outlines[*owner as usize].line(*side);
                let other = owner.other() as usize;
                let point = outlines[other].point(vertices[other]);
                all.push(Condition::outside(*owner, line, point));
                for which in [Which::A, Which::B] {
                    all.extend(cone(*vertices, which, outlines));
                }
            }
        }
    }

    /// Walks to closer features until there are none; none if that leads nowhere.
    pub(crate) fn repaired(
        mut self,
        moment: &Moment<'_>,
        outlines: &Outlines<'_>,
    ) -> Option<ClosestFeatures> {
        let steps = 4 * (outlines[0].vertices().len() + outlines[1].vertices().len());
        for _ in 0..steps {
            match self.stepped(moment, outlines)? {
                next if next == self => return Some(self),
                next => self = next,
            }
        }
        None
    }

    fn stepped(self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<ClosestFeatures> {
        match self {
            ClosestFeatures::Edge(edge) => {
                let side = outlines[edge.owner as usize].sides()[edge.side];
                for (condition, end) in slab(&edge, outlines).into_iter().zip([side.from, side.to]) {
                    if !condition.is_met(moment) {
                        let mut vertices = [edge.vertex; 2];
                        vertices[edge.owner as usize] = end;
                        return guarded(vertices, moment, outlines);
                    }
                }
                let other = outlines[edge.owner.other() as usize];
                let mut conditions = Vec::with_capacity(2);
                rolls(edge.owner, edge.line(outlines), outlines, edge.vertex, &mut conditions);
                let neighbours = [other.next(edge.vertex), other.previous(edge.vertex)];
                for (condition, vertex) in conditions.iter().zip(neighbours) {
                    if !condition.is_met(moment) {
                        return Some(rolled(edge, vertex, moment, outlines));
                    }
                }
                let is_apart =
                    Condition::outside(edge.owner, edge.line(outlines), edge.point(outlines)).is_met(moment);
                is_apart.then_some(self)
            }
            ClosestFeatures::Vertices { vertices, .. } => {
                for owner in [Which::A, Which::B] {
                    let vertex = vertices[owner as usize];
                    let sides = [vertex, outlines[owner as usize].previous(vertex)];
                    for (condition, side) in cone(vertices, owner, outlines).into_iter().zip(sides) {
                        if !condition.is_met(moment) {
                            let vertex = vertices[owner.other() as usize];
                            return Some(ClosestFeatures::Edge(SeparatingEdge { owner, side, vertex }));
                        }
                    }
                }
                guarded(vertices, moment, outlines)
            }
        }
    }
}

/// Where a neighbour of the vertex is nearer to the edge's line: the neighbour, if its foot lies on the edge, else the end of the edge
/// that is passed on the way, with the edge on which that way goes.
fn rolled(
    edge: SeparatingEdge,
    neighbour: usize,
    moment: &Moment<'_>,
    outlines: &Outlines<'_>,
) -> ClosestFeatures {
    let next = SeparatingEdge { vertex: neighbour, ..edge };
    let side = outlines[edge.owner as usize].sides()[edge.side];
    let mut ends = slab(&next, outlines).into_iter().zip([side.from, side.to]);
    let Some((_, end)) = ends.find(|(condition, _)| !condition.is_met(moment)) else {
        return ClosestFeatures::Edge(next);
    };
    let owner = edge.owner.other();
    let goes_on = outlines[owner as usize].next(edge.vertex) == neighbour;
    let side = if goes_on { edge.vertex } else { neighbour };
    ClosestFeatures::Edge(SeparatingEdge { owner, side, vertex: end })
}

/// The foot of the vertex is not before the start of the edge, not behind its end.
pub(crate) fn slab(edge: &SeparatingEdge, outlines: &Outlines<'_>) -> [Condition<'static>; 2] {
    let outline = outlines[edge.owner as usize];
    let side = outline.sides()[edge.side];
    let [from, to] = [side.from, side.to].map(|vertex| outline.vertices()[vertex]);
    let across = |at| {
        let line = LineRef::Across { from, to, at };
        Condition::outside(edge.owner, line, edge.point(outlines)).weakly().kind(FailureKind::Feature)
    };
    [across(from), across(to).inside()]
}

/// The other vertex is in the cone of normals at one: behind neither edge's end there. The edge that leaves comes first.
fn cone(vertices: [usize; 2], which: Which, outlines: &Outlines<'_>) -> [Condition<'static>; 2] {
    let (mine, theirs) = (outlines[which as usize], outlines[which.other() as usize]);
    let vertex = vertices[which as usize];
    let [before, at, after] = [mine.previous(vertex), vertex, mine.next(vertex)].map(|i| mine.vertices()[i]);
    let point = theirs.point(vertices[which.other() as usize]);
    let across = |from, to| {
        let line = LineRef::Across { from, to, at };
        Condition::outside(which, line, point).weakly().kind(FailureKind::Feature)
    };
    [across(at, after).inside(), across(before, at)]
}

/// Two vertices with a guard, if they differ.
fn guarded(vertices: [usize; 2], moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<ClosestFeatures> {
    let mut widest: Option<(f64, (Which, usize))> = None;
    for owner in [Which::A, Which::B] {
        let outline = outlines[owner as usize];
        let vertex = vertices[owner as usize];
        let point = outlines[owner.other() as usize].point(vertices[owner.other() as usize]);
        for side in [vertex, outline.previous(vertex)] {
            let line = outline.line(side);
            if !moment.side(owner, line, point).is_positive() {
                continue;
            }
            let gap = gap(moment, owner, line, point);
            if widest.is_none_or(|widest| gap > widest.0) {
                widest = Some((gap, (owner, side)));
            }
        }
    }
    widest.map(|(_, guard)| ClosestFeatures::Vertices { vertices, guard })
}
