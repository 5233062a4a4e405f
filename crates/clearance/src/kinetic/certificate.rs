//! Proofs of separation of two planar bodies, each with its conditions and its repair.

use super::baseline::{CommonTangent, Outlines, SeparatingEdge};
use super::body::{Body, HierarchyKind};
use super::cell::{CellPair, event_kind};
use super::closest::ClosestFeatures;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::eager::{ActiveTriangle, CellSearch, PointPair};
use super::feature::{LineRef, PointRef, Which};
use super::hierarchy::{MixedCell, Tiling};
use super::lazy::{LazyEdge, LazyPair, Margin, Reach, Update};
use super::stats::{EventKind, Statistics};

/// How pairs are certified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The closest features: changes as often as they do, at any distance.
    ClosestFeatures,
    /// An inner common tangent.
    CommonTangent,
    /// A separating edge of one polygon and the nearest vertex of the other.
    SeparatingEdge,
    /// The cell of one body's hierarchy that holds the other body, if that is a point; else as `Lazy`.
    ActiveTriangle,
    /// The cell of the mixed hierarchy of both bodies that holds their placement.
    ActiveCell,
    /// A separating edge of an envelope and the nearest vertex of the other body's envelope of the same level.
    #[default]
    Lazy,
    /// The same with a gap that is large for the level, and with neighbours of the vertex: after an event the bodies move or turn
    /// by a part of their distance before the next. Compass hierarchies only.
    Inflated,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 7] = [
        Method::ClosestFeatures,
        Method::CommonTangent,
        Method::SeparatingEdge,
        Method::ActiveTriangle,
        Method::ActiveCell,
        Method::Lazy,
        Method::Inflated,
    ];
}

/// A proof of separation; of constant size whatever the polygons are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Certificate {
    Edge(SeparatingEdge),
    Tangent(CommonTangent),
    Closest(ClosestFeatures),
    Triangle(ActiveTriangle),
    Cell(MixedCell),
    Lazy(LazyEdge),
}

/// A line of one body with all of the other outside, and the point nearest to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separator<'a> {
    pub(crate) owner: Which,
    pub(crate) line: LineRef<'a>,
    pub(crate) point: PointRef<'a>,
}

/// Both bodies of a pair, and how they are certified.
#[derive(Clone, Copy)]
pub(crate) struct Certified<'a> {
    pub(crate) bodies: [&'a Body; 2],
    pub(crate) method: Method,
    pub(crate) hierarchy: HierarchyKind,
}

impl<'a> Certified<'a> {
    pub(crate) fn outlines(&self) -> Outlines<'a> {
        self.bodies.map(Body::outline)
    }

    fn lazy(&self) -> LazyPair<'a> {
        match self.method {
            Method::Inflated => {
                let inflated = self.bodies.map(|body| body.shape().inflated());
                let hierarchies = inflated.map(|one| one.hierarchy());
                LazyPair { hierarchies, margin: Margin::Offsets(inflated), reach: Reach::Neighbours }
            }
            _ => {
                let hierarchies = self.bodies.map(|body| body.shape().hierarchy(self.hierarchy));
                LazyPair { hierarchies, margin: Margin::None, reach: Reach::Nearest }
            }
        }
    }

    pub(super) fn cell_pair(&self) -> CellPair<'a> {
        let hierarchies = self.bodies.map(|body| body.shape().hierarchy(self.hierarchy));
        CellPair { tiling: Tiling { hierarchies } }
    }

    pub(super) fn point_pair(&self, owner: Which) -> PointPair<'a> {
        // Inflated hierarchies are compass ones, and edges are theirs.
        let shape = self.bodies[owner as usize].shape();
        let hierarchy = match self.method {
            Method::Inflated => shape.inflated().hierarchy(),
            _ => shape.hierarchy(self.hierarchy),
        };
        PointPair { hierarchy, point: self.outlines()[owner.other() as usize].point(0) }
    }

    /// Whose hierarchy a point moves around, if one body is a point.
    fn point_owner(&self) -> Option<Which> {
        let is_point = self.outlines().map(|outline| outline.vertices().len() == 1);
        match is_point {
            [false, true] => Some(Which::A),
            [true, false] => Some(Which::B),
            _ => None,
        }
    }
}

impl Certificate {
    pub(crate) fn conditions<'a>(&self, pair: &Certified<'a>, all: &mut Vec<Condition<'a>>) {
        let outlines = pair.outlines();
        match self {
            Certificate::Edge(edge) => edge.conditions(&outlines, all),
            Certificate::Tangent(tangent) => tangent.conditions(&outlines, all),
            Certificate::Closest(features) => features.conditions(&outlines, all),
            Certificate::Triangle(cell) => cell.conditions(&pair.point_pair(cell.owner), all),
            Certificate::Cell(cell) => pair.cell_pair().conditions(cell, all),
            Certificate::Lazy(edge) => edge.conditions(&pair.lazy(), all),
        }
    }

    /// A certificate of two disjoint bodies, made from the edge of either with the largest gap.
    pub(crate) fn from_edge(
        edge: SeparatingEdge,
        moment: &Moment<'_>,
        pair: &Certified<'_>,
        stats: &mut Statistics,
    ) -> Certificate {
        let outlines = pair.outlines();
        stats.rebuilds += 1;
        let is_solid = outlines.iter().all(|outline| outline.is_solid());
        let certificate = match pair.method {
            Method::ClosestFeatures if is_solid => {
                ClosestFeatures::Edge(edge).repaired(moment, &outlines).map(Certificate::Closest)
            }
            Method::CommonTangent if is_solid => {
                CommonTangent::from_edge(&edge, moment, &outlines).map(Certificate::Tangent)
            }
            // Around a point the mixed hierarchy is the other body's own.
            Method::ActiveTriangle | Method::ActiveCell if pair.point_owner().is_some() => {
                pair.point_owner().and_then(|owner| {
                    let mut search = CellSearch { owner, pair: pair.point_pair(owner), moment, steps: 0 };
                    search.search_from_top().map(|cell| Certificate::Triangle(ActiveTriangle { owner, cell }))
                })
            }
            Method::ActiveCell => {
                let side = outlines[edge.owner as usize].sides()[edge.side];
                let mut update = Update { pair: pair.lazy(), moment, steps: 0 };
                let contact = update.contact_of_side(edge.owner, [side.from, side.to], edge.vertex);
                contact.and_then(|it| pair.cell_pair().beyond(&it, moment)).map(Certificate::Cell)
            }
            Method::Lazy | Method::Inflated if pair.point_owner().is_some() => {
                pair.point_owner().and_then(|owner| {
                    let mut search = CellSearch { owner, pair: pair.point_pair(owner), moment, steps: 0 };
                    let edge = search.pair.hierarchy.separating_edge(search.search_from_top()?)?;
                    let mut update = Update { pair: pair.lazy(), moment, steps: 0 };
                    update.certify_edge(owner, edge).map(Certificate::Lazy)
                })
            }
            Method::ActiveTriangle | Method::Lazy | Method::Inflated => {
                let side = outlines[edge.owner as usize].sides()[edge.side];
                let mut update = Update { pair: pair.lazy(), moment, steps: 0 };
                let found = update.certify_side(edge.owner, [side.from, side.to], edge.vertex);
                found.map(Certificate::Lazy)
            }
            _ => None,
        };
        let certificate = certificate.unwrap_or(Certificate::Edge(edge)).within_reach(moment, pair);
        certificate.count_depth(pair, stats);
        certificate
    }

    /// The certificate that follows when this one has failed, if one is found from its features.
    pub(crate) fn repaired(
        &self,
        failed: FailureKind,
        moment: &Moment<'_>,
        pair: &Certified<'_>,
        stats: &mut Statistics,
    ) -> Option<(Certificate, EventKind)> {
        let outlines = pair.outlines();
        let before = moment.asked();
        let kind = match failed {
            FailureKind::Crossing => EventKind::Push,
            FailureKind::Roll => EventKind::Roll,
            _ => EventKind::Feature,
        };
        let (repaired, steps) = match self {
            Certificate::Edge(edge) => {
                let next = edge.followed(moment, &outlines).map(|it| (Certificate::Edge(it), kind));
                (next, moment.asked() - before)
            }
            Certificate::Tangent(tangent) => {
                let next = tangent.repaired(moment, &outlines).map(|it| (Certificate::Tangent(it), kind));
                (next, moment.asked() - before)
            }
            Certificate::Closest(features) => {
                let next = features.repaired(moment, &outlines).map(|it| (Certificate::Closest(it), kind));
                (next, moment.asked() - before)
            }
            Certificate::Triangle(ActiveTriangle { owner, cell }) => {
                let mut search =
                    CellSearch { owner: *owner, pair: pair.point_pair(*owner), moment, steps: 0 };
                let next = search.after(*cell).map(|(cell, kind)| {
                    (Certificate::Triangle(ActiveTriangle { owner: *owner, cell }), kind)
                });
                (next, search.steps)
            }
            Certificate::Cell(cell) => {
                let next = pair.cell_pair().after(*cell, moment);
                let next = next.map(|cell| (Certificate::Cell(cell), event_kind(failed)));
                (next, moment.asked() - before)
            }
            Certificate::Lazy(edge) => {
                let mut update = Update { pair: pair.lazy(), moment, steps: 0 };
                let next = update.repaired(edge, failed == FailureKind::Roll);
                (next.map(|(edge, kind)| (Certificate::Lazy(edge), kind)), update.steps)
            }
        };
        stats.add_update(steps);
        let (certificate, kind) = repaired?;
        let certificate = certificate.within_reach(moment, pair);
        certificate.count_depth(pair, stats);
        Some((certificate, kind))
    }

    /// Gives up neighbours where the edges beyond them turn back already: corners of polygons may be that sharp.
    fn within_reach(self, moment: &Moment<'_>, pair: &Certified<'_>) -> Certificate {
        match self {
            Certificate::Lazy(edge) if edge.reach == Reach::Neighbours => {
                let mut conditions = Vec::with_capacity(5);
                edge.conditions(&pair.lazy(), &mut conditions);
                match conditions.iter().all(|condition| condition.is_met(moment)) {
                    true => self,
                    false => Certificate::Lazy(LazyEdge { reach: Reach::Nearest, ..edge }),
                }
            }
            _ => self,
        }
    }

    fn count_depth(&self, pair: &Certified<'_>, stats: &mut Statistics) {
        let level = match self {
            Certificate::Lazy(edge) => edge.level,
            Certificate::Triangle(cell) => cell.level(&pair.point_pair(cell.owner)),
            Certificate::Cell(cell) => pair.cell_pair().level(cell),
            _ => 0,
        };
        stats.depth = stats.depth.max(level);
    }

    /// Whether the bodies were disjoint since an earlier time, by the gap at the moment for which the certificate was made: more than
    /// anything moved.
    pub(crate) fn proves_since(&self, earlier: f64, moment: &Moment<'_>, pair: &Certified<'_>) -> bool {
        let outlines = pair.outlines();
        if let Certificate::Closest(ClosestFeatures::Vertices { vertices, .. }) = self {
            let [a, b] = [0, 1].map(|i| outlines[i].vertices()[vertices[i]]);
            return moment.apart_since(earlier, a, b, outlines[0].radius().max(outlines[1].radius()));
        }
        self.separator(moment, pair).is_some_and(|it| {
            let radius = outlines[it.owner.other() as usize].radius();
            moment.survives_since(earlier, it.owner, it.line, it.point, radius)
        })
    }

    /// The same for a cell that was left: if not toward the bodies, its line has them as far apart as before.
    pub(crate) fn still_proves_since(&self, earlier: f64, moment: &Moment<'_>, pair: &Certified<'_>) -> bool {
        if !matches!(self, Certificate::Triangle(_) | Certificate::Cell(_)) {
            return false;
        }
        let mut conditions = Vec::with_capacity(6);
        self.conditions(pair, &mut conditions);
        conditions.retain(|condition| condition.kind != FailureKind::Outer);
        conditions.iter().all(|condition| condition.is_met(moment))
            && self.proves_since(earlier, moment, pair)
    }

    /// A line that separates the bodies at the moment for which the certificate was made, if it has one.
    pub(super) fn separator<'a>(&self, moment: &Moment<'_>, pair: &Certified<'a>) -> Option<Separator<'a>> {
        let outlines = pair.outlines();
        let of_edge = |edge: SeparatingEdge| Separator {
            owner: edge.owner,
            line: edge.line(&outlines),
            point: edge.point(&outlines),
        };
        match self {
            Certificate::Edge(edge) => Some(of_edge(*edge)),
            Certificate::Tangent(tangent) => tangent.separator(moment, &outlines).map(of_edge),
            Certificate::Closest(ClosestFeatures::Edge(edge)) => Some(of_edge(*edge)),
            Certificate::Closest(ClosestFeatures::Vertices { .. }) => None,
            Certificate::Triangle(cell) => cell.separator(&pair.point_pair(cell.owner)),
            Certificate::Cell(cell) => pair.cell_pair().separator(cell),
            Certificate::Lazy(edge) => Some(edge.separator(&pair.lazy())),
        }
    }
}
