//! Certificates on the polygons themselves: separating edge, inner common tangent, closest features.
//!
//! The three that the paper compares with [Erickson99 §5]: constant work for an event, and as many events as the polygons have
//! features, however far apart they are.

use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::outline::Outline;

/// The outlines of both bodies of a pair.
pub(crate) type Outlines<'a> = [&'a Outline; 2];

/// A side of one body, and the vertex of the other nearest to its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeparatingEdge {
    pub(crate) owner: Which,
    pub(crate) side: usize,
    pub(crate) vertex: usize,
}

impl SeparatingEdge {
    pub(crate) fn line(&self, outlines: &Outlines<'_>) -> LineRef<'static> {
        outlines[self.owner as usize].line(self.side)
    }

    pub(crate) fn point(&self, outlines: &Outlines<'_>) -> PointRef<'static> {
        outlines[self.owner.other() as usize].point(self.vertex)
    }

    pub(crate) fn conditions(&self, outlines: &Outlines<'_>, all: &mut Vec<Condition<'_>>) {
        let line = self.line(outlines);
        all.push(Condition::outside(self.owner, line, self.point(outlines)));
        rolls(self.owner, line, outlines, self.vertex, all);
    }

    /// The best of the sides around the two features that separates, if one does.
    pub(crate) fn repaired(&self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<SeparatingEdge> {
        let larger = |a: (f64, SeparatingEdge), b: (f64, SeparatingEdge)| if b.0 > a.0 { b } else { a };
        self.around(moment, outlines).reduce(larger).map(|(_, edge)| edge)
    }

    /// What follows as in the paper: the side itself if another vertex became the nearest, else a side beside it, else one of the other body.
    pub(crate) fn followed(&self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<SeparatingEdge> {
        self.around(moment, outlines).next().map(|(_, edge)| edge)
    }

    /// The sides around the two features that separate, with their gaps: the side itself, those beside it, those of the other body.
    fn around<'b>(
        &'b self,
        moment: &'b Moment<'_>,
        outlines: &'b Outlines<'_>,
    ) -> impl Iterator<Item = (f64, SeparatingEdge)> {
        let (mine, theirs) = (outlines[self.owner as usize], outlines[self.owner.other() as usize]);
        let count = mine.sides().len();
        let own = [0, 1, count - 1].map(|step| (self.owner, (self.side + step) % count, self.vertex));
        let side_of = |vertex: usize, leaves: bool| {
            theirs
                .sides()
                .iter()
                .position(|side| if leaves { side.from == vertex } else { side.to == vertex })
        };
        // Sides of solid polygons have the numbers of their first vertices.
        let near = match theirs.is_solid() {
            true => [Some(self.vertex), Some(theirs.previous(self.vertex))],
            false => [side_of(self.vertex, true), side_of(self.vertex, false)],
        };
        let from = mine.sides()[self.side].from;
        let other = near.into_iter().flatten().map(move |side| (self.owner.other(), side, from));
        let candidates = own.into_iter().chain(other);
        candidates.filter_map(move |(owner, side, start)| separates(moment, outlines, owner, side, start))
    }
}

/// The one with the largest gap; the first of equals.
fn best(all: impl Iterator<Item = (f64, SeparatingEdge)>) -> Option<SeparatingEdge> {
    let larger = |a: (f64, SeparatingEdge), b: (f64, SeparatingEdge)| if b.0 > a.0 { b } else { a };
    all.reduce(larger).map(|(_, edge)| edge)
}

/// A side with the nearest vertex and the rounded gap, if it separates.
fn separates(
    moment: &Moment<'_>,
    outlines: &Outlines<'_>,
    owner: Which,
    side: usize,
    start: usize,
) -> Option<(f64, SeparatingEdge)> {
    let line = outlines[owner as usize].line(side);
    let vertex = nearest_vertex(moment, outlines, owner, line, start);
    let point = outlines[owner.other() as usize].point(vertex);
    let is_apart = moment.side(owner, line, point).is_positive();
    is_apart.then(|| (gap(moment, owner, line, point), SeparatingEdge { owner, side, vertex }))
}

/// The distance from a line, rounded and up to a factor that belongs to the moment.
pub(crate) fn gap(moment: &Moment<'_>, owner: Which, line: LineRef<'_>, point: PointRef<'_>) -> f64 {
    let [a, b, _] = line.interval();
    moment.value(owner, line, point).middle() / a.middle().hypot(b.middle())
}

/// The vertex of the other body with the least value of a line, walking from one of them.
pub(crate) fn nearest_vertex(
    moment: &Moment<'_>,
    outlines: &Outlines<'_>,
    owner: Which,
    line: LineRef<'_>,
    start: usize,
) -> usize {
    let other = outlines[owner.other() as usize];
    let falls = |direction: Option<PointRef<'_>>| {
        direction.is_some_and(|direction| moment.side(owner, line, direction).is_negative())
    };
    let mut vertex = start;
    // Ends: values fall strictly.
    while falls(other.next_edge(vertex).map(PointRef::Along)) {
        vertex = other.next(vertex);
    }
    if vertex == start {
        while falls(other.previous_edge(vertex).map(PointRef::Against)) {
            vertex = other.previous(vertex);
        }
    }
    vertex
}

/// A vertex stays the nearest one to a line of the other body.
pub(crate) fn rolls(
    owner: Which,
    line: LineRef<'static>,
    outlines: &Outlines<'_>,
    vertex: usize,
    all: &mut Vec<Condition<'_>>,
) {
    let other = outlines[owner.other() as usize];
    all.extend(other.next_edge(vertex).map(|edge| Condition::roll(owner, line, PointRef::Along(edge))));
    all.extend(other.previous_edge(vertex).map(|edge| Condition::roll(owner, line, PointRef::Against(edge))));
}

/// The side of either body with the largest gap, if one separates: all sides are tried. `O(n + m)` signs.
///
/// As the normal of a side turns around one body, the nearest vertex goes around the other.
pub(crate) fn widest_separation(moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<SeparatingEdge> {
    let mut widest: Option<(f64, SeparatingEdge)> = None;
    for owner in [Which::A, Which::B] {
        let mut start = 0;
        for side in 0..outlines[owner as usize].sides().len() {
            let line = outlines[owner as usize].line(side);
            start = nearest_vertex(moment, outlines, owner, line, start);
            let found = separates(moment, outlines, owner, side, start);
            if let Some(found) = found
                && widest.is_none_or(|widest| found.0 > widest.0)
            {
                widest = Some(found);
            }
        }
    }
    widest.map(|(_, edge)| edge)
}

/// A line through a vertex of each body with A on its left and B on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommonTangent {
    pub(crate) vertices: [usize; 2],
}

impl CommonTangent {
    /// The vertex of one body as the other's vertex sees it: outside of the edge that leaves, not of the one that arrives.
    fn conditions_of(&self, which: Which, outlines: &Outlines<'_>) -> [Option<Condition<'static>>; 2] {
        let (mine, theirs) = (outlines[which as usize], outlines[which.other() as usize]);
        let (vertex, other) = (self.vertices[which as usize], self.vertices[which.other() as usize]);
        let point = theirs.point(other);
        let outside = |line| Condition::outside(which, line, point).kind(FailureKind::Feature);
        let arrives = mine.previous_edge(vertex).map(|line| outside(line).inside().weakly());
        [mine.next_edge(vertex).map(outside), arrives]
    }

    pub(crate) fn conditions(&self, outlines: &Outlines<'_>, all: &mut Vec<Condition<'_>>) {
        for which in [Which::A, Which::B] {
            all.extend(self.conditions_of(which, outlines).into_iter().flatten());
        }
    }

    /// Rolls both vertices until the line is a tangent; none if they go around in vain, as they do without a separation.
    pub(crate) fn repaired(mut self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<CommonTangent> {
        let steps = 4 * (outlines[0].vertices().len() + outlines[1].vertices().len());
        for _ in 0..steps {
            if !self.step(moment, outlines) {
                return Some(self);
            }
        }
        None
    }

    /// Moves one vertex if a condition is not met.
    fn step(&mut self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> bool {
        for which in [Which::A, Which::B] {
            let [leaves, arrives] = self.conditions_of(which, outlines);
            let outline = outlines[which as usize];
            let vertex = &mut self.vertices[which as usize];
            if leaves.is_some_and(|condition| !condition.is_met(moment)) {
                *vertex = outline.next(*vertex);
                return true;
            }
            if arrives.is_some_and(|condition| !condition.is_met(moment)) {
                *vertex = outline.previous(*vertex);
                return true;
            }
        }
        false
    }

    /// From a separating edge.
    pub(crate) fn from_edge(
        edge: &SeparatingEdge,
        moment: &Moment<'_>,
        outlines: &Outlines<'_>,
    ) -> Option<CommonTangent> {
        let mut vertices = [edge.vertex; 2];
        vertices[edge.owner as usize] = outlines[edge.owner as usize].sides()[edge.side].to;
        CommonTangent { vertices }.repaired(moment, outlines)
    }

    /// An edge that separates: the best of a few that leave from the two vertices on.
    pub(crate) fn separator(&self, moment: &Moment<'_>, outlines: &Outlines<'_>) -> Option<SeparatingEdge> {
        let near = |owner: Which| {
            let (side, start) = (self.vertices[owner as usize], self.vertices[owner.other() as usize]);
            let count = outlines[owner as usize].sides().len();
            let sides = (0..3.min(count)).map(move |step| (side + step) % count);
            sides.filter_map(move |side| separates(moment, outlines, owner, side, start))
        };
        best([Which::A, Which::B].into_iter().flat_map(near))
    }
}
