//! Exact convex hulls: quickhull [Barber96] with exact signs.
//!
//! Differences from the paper: 1. "above" is strict and exact, so there are no thick or merged facets on the way;
//! coplanar triangles are united at the end (`merge`). 2. Points proved to be inside a small hull of extreme points
//! are dropped first (`prune`). 3. Flat sets of any dimension have a hull, too (`planar`).

mod dimension;
mod frame;
mod merge;
mod planar;
mod prune;
mod quickhull;

pub(in crate::shape) use dimension::PROJECTIONS;
pub(crate) use frame::unit_scale;

use dimension::Basis;
use frame::Frame;
use glam::DVec3;
use prune::Candidates;
use quickhull::Quickhull;
use std::cmp::Ordering;

/// The combinatorics of a hull in canonical numbering; vertices are indices of input points.
pub(super) struct Skeleton {
    pub dimension: usize,
    pub vertices: Vec<u32>,
    pub face_starts: Vec<u32>,
    pub face_corners: Vec<u32>,
    pub neighbour_starts: Vec<u32>,
    pub neighbours: Vec<u32>,
}

/// The hull of a checked, non-empty point set.
pub(super) fn skeleton(points: &[DVec3]) -> Skeleton {
    let size = points.iter().fold(DVec3::ZERO, |size, p| size.max(p.abs())).max_element();
    let scale = unit_scale(size);
    let Candidates { order, seeds } = prune::candidates(points, scale);
    let frame = Frame::new(points, order, scale);
    let basis = match dimension::basis(&frame, seeds) {
        Basis::Solid(basis) => Basis::Solid(basis),
        _ => dimension::basis(&frame, frame.scaled.len()),
    };
    match basis {
        Basis::Point => planar::point(),
        Basis::Segment => planar::segment(points),
        Basis::Polygon(basis) => planar::polygon(&frame, points, basis),
        Basis::Solid(basis) => merge::merge(&frame, &Quickhull::build(&frame, basis, seeds).surface()),
    }
}

/// The order by x, then y, then z; total because coordinates are finite, and -0.0 equals 0.0.
pub(super) fn lexicographic(p: DVec3, q: DVec3) -> Ordering {
    let compare = |a: f64, b: f64| a.partial_cmp(&b).expect("finite");
    compare(p.x, q.x).then(compare(p.y, q.y)).then(compare(p.z, q.z))
}
