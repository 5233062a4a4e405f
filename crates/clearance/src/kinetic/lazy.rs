//! One edge of an envelope of one body and the nearest vertex of the envelope of the other [Erickson99 §5.1 to §6].
//!
//! Both envelopes are of the same level. When the vertex hits the edge (stab) envelopes become finer until one of the edges around
//! separates them; when it passes the line beside the edge (push) or another vertex becomes the nearest one (roll) a neighbour
//! takes over, and envelopes become coarser as long as an edge around separates them.
//!
//! Differs from the paper: 1. Which of the edges around the two features separates is decided by exact signs, the one with the
//! largest gap first; if none does on any level, the polygons themselves are asked. 2. With a margin, envelopes of a level separate
//! only if the gap exceeds the offset of that level: the inflated hierarchy of §6, for two bodies as for one point. 3. For
//! rotational hysteresis the vertex and its two neighbours must be outside, and rolls are those of the edges beyond.

use super::certificate::Separator;
use super::condition::Condition;
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::hierarchy::{Body, Contact, Corner, EdgeId, Hierarchy};
use super::stats::EventKind;

/// An edge of one envelope and the nearest vertex of the other, both of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LazyEdge {
    pub(crate) owner: Which,
    pub(crate) edge: EdgeId,
    /// Of the other body.
    pub(crate) corner: Corner,
    pub(crate) level: u32,
    pub(crate) reach: Reach,
}

/// How many vertices of the other envelope are kept outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The nearest one.
    Nearest,
    /// Its neighbours, too: turns by less than their angles are no events.
    Neighbours,
}

/// The hierarchies of two bodies, and how large a gap must be on a level.
#[derive(Clone, Copy)]
pub(crate) struct LazyPair<'a> {
    pub(crate) hierarchies: [&'a Hierarchy; 2],
    pub(crate) margin: Margin<'a>,
    pub(crate) reach: Reach,
}

/// The least gap of a level.
#[derive(Clone, Copy)]
pub(crate) enum Margin<'a> {
    /// Any.
    None,
    /// The larger of the offsets of two inflated hierarchies.
    Offsets([&'a super::hierarchy::Inflated; 2]),
}

impl Margin<'_> {
    fn of(&self, level: u32) -> f64 {
        match self {
            Margin::None => 0.0,
            Margin::Offsets(both) => {
                let of = |one: &super::hierarchy::Inflated| {
                    if one.hierarchy().polygon().vertices().len() == 1 {
                        return 0.0;
                    }
                    // Layers go inward: the first that is at least so fine; beyond the last there is no promise.
                    let layer = one.layers().iter().find(|layer| layer.level >= level);
                    layer.map_or(f64::INFINITY, |layer| layer.offset)
                };
                of(both[0]).max(of(both[1]))
            }
        }
    }
}

impl LazyEdge {
    pub(crate) fn conditions<'a>(&self, pair: &LazyPair<'a>, all: &mut Vec<Condition<'a>>) {
        let line = LineRef::Line(pair.of(self.owner).line(self.edge));
        let other = pair.of(self.owner.other());
        let vertex = |corner: &Corner| PointRef::Point(other.vertex(corner));
        let along = |edge: EdgeId| LineRef::Line(other.line(edge));
        all.push(Condition::outside(self.owner, line, vertex(&self.corner)));
        if pair.is_point(self.owner.other()) {
            return;
        }
        let [mut first, mut last] = [self.corner; 2];
        if self.reach == Reach::Neighbours {
            first = other.corner_before(self.corner.left, self.level);
            last = other.corner_after(self.corner.right, self.level);
            all.push(Condition::outside(self.owner, line, vertex(&first)));
            all.push(Condition::outside(self.owner, line, vertex(&last)));
        }
        all.push(Condition::roll(self.owner, line, PointRef::Along(along(last.right))));
        all.push(Condition::roll(self.owner, line, PointRef::Against(along(first.left))));
    }

    pub(crate) fn separator<'a>(&self, pair: &LazyPair<'a>) -> Separator<'a> {
        let line = LineRef::Line(pair.of(self.owner).line(self.edge));
        let point = PointRef::Point(pair.of(self.owner.other()).vertex(&self.corner));
        Separator { owner: self.owner, line, point }
    }
}

/// What an update tries and counts.
pub(crate) struct Update<'a, 'b> {
    pub(crate) pair: LazyPair<'a>,
    pub(crate) moment: &'b Moment<'b>,
    pub(crate) steps: u64,
}

impl<'a> LazyPair<'a> {
    pub(crate) fn of(&self, which: Which) -> &'a Hierarchy {
        self.hierarchies[which as usize]
    }

    /// Whether a body is a point: its edges of length zero turn with it and separate nothing that those of a polygon do not.
    pub(crate) fn is_point(&self, which: Which) -> bool {
        self.of(which).polygon().vertices().len() == 1
    }

    /// From this level on the envelopes are the polygons.
    pub(crate) fn finest(&self) -> u32 {
        self.hierarchies[0].depth().max(self.hierarchies[1].depth())
    }
}

/// Steps from a vertex to the nearest one before it is searched from the top.
const WALK: u32 = 6;

/// An edge and where to start looking for the nearest vertex of the other body.
type Candidate = (Which, EdgeId, Corner);

impl Update<'_, '_> {
    /// The certificate that follows a failed one, and what happened to it.
    ///
    /// Where no level separates by its margin the bodies are too close for one: then any gap will do.
    pub(crate) fn repaired(&mut self, failed: &LazyEdge, rolled: bool) -> Option<(LazyEdge, EventKind)> {
        let found = self.repaired_by_margin(failed, rolled);
        if found.is_some() || matches!(self.pair.margin, Margin::None) {
            return found;
        }
        self.pair.margin = Margin::None;
        self.repaired_by_margin(failed, rolled)
    }

    fn repaired_by_margin(&mut self, failed: &LazyEdge, rolled: bool) -> Option<(LazyEdge, EventKind)> {
        let same = [(failed.owner, failed.edge, failed.corner)];
        if rolled && let Some(next) = self.best(failed.level, &same, 0.0) {
            return Some((self.coarsened(next), EventKind::Roll));
        }
        let level = failed.level;
        let around = self.around(failed.owner, failed.edge, failed.corner, level);
        let margin = self.pair.margin.of(level);
        // Where the vertex hit the edge itself the envelopes of this level meet, and nothing separates them.
        if let Some(next) = self.best(level, &around, margin) {
            return Some((self.coarsened(next), EventKind::Push));
        }
        let next = self.refined(failed.owner, failed.edge, failed.corner, level)?;
        // The level before separated nothing, as was just seen; a margin asks for more than that.
        let is_coarsest = next.level > level && matches!(self.pair.margin, Margin::None);
        let next = if is_coarsest { next } else { self.coarsened(next) };
        Some((next, if rolled { EventKind::Roll } else { EventKind::Stab }))
    }

    /// The edges around an edge and a vertex of the envelopes of a level.
    fn around(&self, owner: Which, edge: EdgeId, corner: Corner, level: u32) -> Vec<Candidate> {
        let (mine, theirs) = (self.pair.of(owner), self.pair.of(owner.other()));
        let ends = [mine.corner_before(edge, level), mine.corner_after(edge, level)];
        let mut found =
            vec![(owner, edge, corner), (owner, ends[0].left, corner), (owner, ends[1].right, corner)];
        let other = owner.other();
        found.push((other, corner.left, ends[1]));
        found.push((other, corner.right, ends[0]));
        // Beside a vertex of the polygon a cut may have put an edge of length zero, and margins look for wide gaps: one edge further.
        if corner.below.is_none() || !matches!(self.pair.margin, Margin::None) {
            found.push((other, theirs.previous_edge(corner.left, level), ends[1]));
            found.push((other, theirs.next_edge(corner.right, level), ends[0]));
        }
        found
    }

    /// Finer envelopes, level by level, until the edges around separate by the margin of the level.
    fn refined(&mut self, owner: Which, edge: EdgeId, corner: Corner, level: u32) -> Option<LazyEdge> {
        let other = self.pair.of(owner.other());
        let (mut corner, mut level) = (corner, level);
        let finest = self.pair.finest();
        while level < finest {
            corner = self.nearest(owner, edge, other.finer(&corner)[0], level + 1);
            level += 1;
            let around = self.around(owner, edge, corner, level);
            let margin = self.pair.margin.of(level);
            if let Some(found) = self.best(level, &around, margin) {
                return Some(found);
            }
        }
        if !matches!(self.pair.margin, Margin::None) {
            return None;
        }
        // Already the polygons: the edges around once more.
        let around = self.around(owner, edge, corner, level);
        self.best(level, &around, 0.0)
    }

    /// Coarser envelopes as long as an edge around separates them by the margin of the level; by any gap if that of no level is met.
    pub(crate) fn coarsened(&mut self, found: LazyEdge) -> LazyEdge {
        if matches!(self.pair.margin, Margin::None) {
            return self.loosened(found);
        }
        match self.promised(found) {
            Some(wide) => self.climbed(wide),
            None => self.loosened(found),
        }
    }

    fn loosened(&mut self, mut found: LazyEdge) -> LazyEdge {
        while found.level > 0
            && let Some(next) = self.coarser(&found, 0.0)
        {
            found = next;
        }
        found
    }

    /// The coarsest that meets the margin of its level. Levels that have none, finer than all layers, are passed by any gap.
    fn promised(&mut self, found: LazyEdge) -> Option<LazyEdge> {
        let it = found.separator(&self.pair);
        let gap = self.moment.distance(found.owner, it.line, it.point);
        let mut kept = (gap > self.pair.margin.of(found.level)).then_some(found);
        let mut at = found;
        while at.level > 0 {
            let margin = Some(self.pair.margin.of(at.level - 1)).filter(|margin| margin.is_finite());
            let Some(next) = self.coarser(&at, margin.unwrap_or(0.0)) else { break };
            at = next;
            if margin.is_some() {
                kept = Some(next);
            }
        }
        kept
    }

    /// The edge beside this one, and beside that, as long as gaps grow: what is far outside its line stays there for long.
    fn climbed(&mut self, mut found: LazyEdge) -> LazyEdge {
        loop {
            let mine = self.pair.of(found.owner);
            let (before, after) =
                (mine.previous_edge(found.edge, found.level), mine.next_edge(found.edge, found.level));
            let beside = [(found.owner, before, found.corner), (found.owner, after, found.corner)];
            let it = found.separator(&self.pair);
            let gap = self.moment.distance(found.owner, it.line, it.point);
            // Ends: gaps grow strictly.
            match self.best(found.level, &beside, gap) {
                Some(next) => found = next,
                None => return found,
            }
        }
    }

    /// On the next coarser level, by more than a margin.
    fn coarser(&mut self, found: &LazyEdge, margin: f64) -> Option<LazyEdge> {
        let level = found.level - 1;
        let (mine, theirs) = (self.pair.of(found.owner), self.pair.of(found.owner.other()));
        let corner = theirs.coarser(&found.corner, found.level);
        let edge = mine.edge(found.edge);
        let (edges, ends) = match edge.owner() {
            Some(id) if edge.birth() > level => {
                let triangle = mine.triangle(id);
                let apex = Corner { left: triangle.left(), right: triangle.right(), below: Some(id) };
                ([triangle.left(), triangle.right()], [apex; 2])
            }
            _ => {
                let ends = [mine.corner_before(found.edge, level), mine.corner_after(found.edge, level)];
                ([found.edge; 2], ends)
            }
        };
        let (owner, other) = (found.owner, found.owner.other());
        let mut around = vec![(owner, edges[0], corner)];
        if edges[1] != edges[0] {
            around.push((owner, edges[1], corner));
        }
        around.push((other, corner.left, ends[1]));
        around.push((other, corner.right, ends[0]));
        self.best(level, &around, margin)
    }

    /// The candidate with the largest gap that separates by more than a margin.
    pub(crate) fn best(&mut self, level: u32, candidates: &[Candidate], margin: f64) -> Option<LazyEdge> {
        let mut widest: Option<(f64, LazyEdge)> = None;
        for &(owner, edge, start) in candidates {
            if self.pair.is_point(owner) && !self.pair.is_point(owner.other()) {
                continue;
            }
            self.steps += 1;
            let corner = self.nearest(owner, edge, start, level);
            let found = LazyEdge { owner, edge, corner, level, reach: self.pair.reach };
            let it = found.separator(&self.pair);
            if !self.moment.side(owner, it.line, it.point).is_positive() {
                continue;
            }
            let gap = self.moment.distance(owner, it.line, it.point);
            if gap > margin && widest.is_none_or(|widest| gap > widest.0) {
                widest = Some((gap, found));
            }
        }
        widest.map(|(_, found)| found)
    }

    /// The vertex of the other body's envelope nearest to an edge's line: a few steps from one of them, then from the top.
    fn nearest(&mut self, owner: Which, edge: EdgeId, start: Corner, level: u32) -> Corner {
        if self.pair.is_point(owner.other()) {
            return start;
        }
        let line = LineRef::Line(self.pair.of(owner).line(edge));
        let other = self.pair.of(owner.other());
        let falls = |direction: PointRef<'_>| self.moment.side(owner, line, direction).is_negative();
        let mut corner = start;
        for _ in 0..WALK {
            self.steps += 1;
            if falls(PointRef::Along(LineRef::Line(other.line(corner.right)))) {
                corner = other.corner_after(corner.right, level);
            } else if falls(PointRef::Against(LineRef::Line(other.line(corner.left)))) {
                corner = other.corner_before(corner.left, level);
            } else {
                return corner;
            }
        }
        self.nearest_from_top(owner, line, level)
    }

    /// The same from the rectangle on. `O(level)`.
    fn nearest_from_top(&mut self, owner: Which, line: LineRef<'_>, level: u32) -> Corner {
        let other = self.pair.of(owner.other());
        let falls = |edge: EdgeId| {
            self.moment.side(owner, line, PointRef::Along(LineRef::Line(other.line(edge)))).is_negative()
        };
        let sides = [0, 1, 2, 3].map(EdgeId);
        // Values fall along one side and not along the next: there is such a corner, since the sides go all around.
        let quarter = (0..4).find(|&q| falls(sides[q]) && !falls(sides[(q + 1) % 4])).unwrap_or(0);
        self.steps += 4;
        let [left, right] = [sides[quarter], sides[(quarter + 1) % 4]];
        let mut corner = Corner { left, right, below: other.root(quarter) };
        while let Some(id) = corner.below {
            let triangle = other.triangle(id);
            if triangle.level() >= level {
                break;
            }
            self.steps += 1;
            corner = other.finer(&corner)[usize::from(falls(triangle.cut()))];
        }
        corner
    }

    /// A certificate from an edge that separates a body from a point.
    pub(crate) fn certify_edge(&mut self, owner: Which, edge: EdgeId) -> Option<LazyEdge> {
        let level = self.pair.of(owner).edge(edge).birth();
        let line = LineRef::Line(self.pair.of(owner).line(edge));
        let corner = self.nearest_from_top(owner, line, level);
        let this = [(owner, edge, corner)];
        let found = self.best(level, &this, 0.0)?;
        let margin = self.pair.margin.of(level);
        let wide = match self.best(level, &this, margin) {
            Some(wide) => Some(wide),
            None => self.refined(owner, edge, corner, level),
        };
        match wide {
            Some(wide) => Some(self.coarsened(wide)),
            None => Some(found),
        }
    }

    /// The edge of the finest envelope along a side of a polygon, or beside a corner of it, and a vertex to start from.
    fn finest_edge(&self, owner: Which, side: [usize; 2], vertex: usize) -> Option<Candidate> {
        let level = self.pair.finest();
        let edge_where = |which: Which, is_it: &dyn Fn([usize; 2]) -> bool| {
            let edges = self.pair.of(which).edges();
            edges.iter().position(|edge| is_it(edge.contact())).map(|i| EdgeId(i as u32))
        };
        let along = edge_where(owner, &|contact| contact == side);
        let edge = along.or_else(|| edge_where(owner, &|contact| contact[0] == side[0]))?;
        let at = edge_where(owner.other(), &|contact| contact[0] == vertex)?;
        Some((owner, edge, self.pair.of(owner.other()).corner_before(at, level)))
    }

    /// A certificate from a side of a polygon and a vertex of the other one: on the finest level, then coarser.
    pub(crate) fn certify_side(&mut self, owner: Which, side: [usize; 2], vertex: usize) -> Option<LazyEdge> {
        let found = self.on_finest(owner, side, vertex)?;
        Some(self.coarsened(found))
    }

    fn on_finest(&mut self, owner: Which, side: [usize; 2], vertex: usize) -> Option<LazyEdge> {
        let level = self.pair.finest();
        let (owner, edge, start) = self.finest_edge(owner, side, vertex)?;
        let corner = self.nearest(owner, edge, start, level);
        let mut around = self.around(owner, edge, corner, level);
        around.truncate(3);
        self.best(level, &around, 0.0)
    }

    /// The same as an edge and a vertex of the polygons themselves.
    pub(crate) fn contact_of_side(
        &mut self,
        owner: Which,
        side: [usize; 2],
        vertex: usize,
    ) -> Option<Contact> {
        let found = self.on_finest(owner, side, vertex)?;
        let body = match found.owner {
            Which::A => Body::A,
            Which::B => Body::B,
        };
        Some(Contact { body, edge: found.edge, corner: found.corner })
    }
}
