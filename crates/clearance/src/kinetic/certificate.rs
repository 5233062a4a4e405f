//! Proofs of separation of two planar bodies, each with its conditions and its repair.

use super::baseline::{CommonTangent, Outlines, SeparatingEdge, widest_separation};
use super::body::Body;
use super::closest::ClosestFeatures;
use super::condition::{Condition, FailureKind};
use super::course::Moment;
use super::feature::{LineRef, PointRef, Which};
use super::stats::{EventKind, Statistics};

/// How pairs are certified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The closest features: changes as often as they do, at any distance.
    ClosestFeatures,
    /// An inner common tangent.
    CommonTangent,
    /// A separating edge of one polygon and the nearest vertex of the other.
    #[default]
    SeparatingEdge,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::ClosestFeatures, Method::CommonTangent, Method::SeparatingEdge];
}

/// A proof of separation; of constant size whatever the polygons are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Certificate {
    Edge(SeparatingEdge),
    Tangent(CommonTangent),
    Closest(ClosestFeatures),
}

/// A line of one body with all of the other outside, and the point nearest to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separator<'a> {
    pub(crate) owner: Which,
    pub(crate) line: LineRef<'a>,
    pub(crate) point: PointRef<'a>,
}

/// Both bodies of a pair.
pub(crate) type Bodies<'a> = [&'a Body; 2];

pub(crate) fn outlines<'a>(bodies: &Bodies<'a>) -> Outlines<'a> {
    [bodies[0].outline(), bodies[1].outline()]
}

impl Certificate {
    pub(crate) fn conditions<'a>(&self, bodies: &Bodies<'a>, all: &mut Vec<Condition<'a>>) {
        let outlines = outlines(bodies);
        match self {
            Certificate::Edge(edge) => edge.conditions(&outlines, all),
            Certificate::Tangent(tangent) => tangent.conditions(&outlines, all),
            Certificate::Closest(features) => features.conditions(&outlines, all),
        }
    }

    /// A certificate of two disjoint bodies, made from the edge of either with the largest gap.
    pub(crate) fn from_edge(
        method: Method,
        edge: SeparatingEdge,
        moment: &Moment<'_>,
        bodies: &Bodies<'_>,
        stats: &mut Statistics,
    ) -> Certificate {
        let outlines = outlines(bodies);
        stats.rebuilds += 1;
        let is_solid = outlines.iter().all(|outline| outline.is_solid());
        let certificate = match method {
            Method::ClosestFeatures if is_solid => {
                ClosestFeatures::Edge(edge).repaired(moment, &outlines).map(Certificate::Closest)
            }
            Method::CommonTangent if is_solid => {
                CommonTangent::from_edge(&edge, moment, &outlines).map(Certificate::Tangent)
            }
            _ => None,
        };
        certificate.unwrap_or(Certificate::Edge(edge))
    }

    /// The certificate that follows when this one has failed, if one is found from its features.
    pub(crate) fn repaired(
        &self,
        failed: FailureKind,
        moment: &Moment<'_>,
        bodies: &Bodies<'_>,
        stats: &mut Statistics,
    ) -> Option<(Certificate, EventKind)> {
        let outlines = outlines(bodies);
        let before = moment.asked();
        let repaired = match self {
            Certificate::Edge(edge) => edge.repaired(moment, &outlines).map(Certificate::Edge),
            Certificate::Tangent(tangent) => tangent.repaired(moment, &outlines).map(Certificate::Tangent),
            Certificate::Closest(features) => features.repaired(moment, &outlines).map(Certificate::Closest),
        };
        stats.add_update(moment.asked() - before);
        let kind = match failed {
            FailureKind::Crossing => EventKind::Push,
            FailureKind::Roll => EventKind::Roll,
            FailureKind::Outer => EventKind::Outer,
            FailureKind::Inner => EventKind::Inner,
            FailureKind::Feature | FailureKind::Meeting => EventKind::Feature,
        };
        repaired.map(|certificate| (certificate, kind))
    }

    /// A line that separates the bodies at the moment for which the certificate was made.
    pub(crate) fn separator<'a>(&self, moment: &Moment<'_>, bodies: &Bodies<'a>) -> Option<Separator<'a>> {
        let outlines = outlines(bodies);
        let of_edge = |edge: SeparatingEdge| Separator {
            owner: edge.owner,
            line: edge.line(&outlines),
            point: edge.point(&outlines),
        };
        match self {
            Certificate::Edge(edge) => Some(of_edge(*edge)),
            Certificate::Tangent(tangent) => tangent.separator(moment, &outlines).map(of_edge),
            Certificate::Closest(ClosestFeatures::Edge(edge)) => Some(of_edge(*edge)),
            Certificate::Closest(_) => widest_separation(moment, &outlines).map(of_edge),
        }
    }
}
