//! Hulls of points, segments and polygons.

use super::dimension::PROJECTIONS;
use super::frame::Frame;
use super::{Skeleton, lexicographic};
use crate::exact::{Sign, orient2d};
use glam::{DVec2, DVec3};
use std::cmp::Ordering;

/// The first input point; all others coincide with it.
pub(super) fn point() -> Skeleton {
    Skeleton {
        dimension: 0,
        vertices: vec![0],
        face_starts: vec![0],
        face_corners: vec![],
        neighbour_starts: vec![0, 0],
        neighbours: vec![],
    }
}

/// The ends of a set of collinear points: lexicographic order is monotone along a line.
pub(super) fn segment(points: &[DVec3]) -> Skeleton {
    let (mut low, mut high) = (0, 0);
    for (i, p) in points.iter().enumerate() {
        if lexicographic(*p, points[low]) == Ordering::Less {
            low = i;
        }
        if lexicographic(*p, points[high]) == Ordering::Greater {
            high = i;
        }
    }
    Skeleton {
        dimension: 1,
        vertices: vec![low as u32, high as u32],
        face_starts: vec![0],
        face_corners: vec![],
        neighbour_starts: vec![0, 1, 2],
        neighbours: vec![1, 0],
    }
}

/// The hull of coplanar points, `basis` three of them that are not collinear; `O(n log n)`.
///
/// A coordinate projection in which the basis does not degenerate is injective and affine on the plane, so it keeps
/// all that matters.
pub(super) fn polygon(frame: &Frame<'_>, points: &[DVec3], basis: [u32; 3]) -> Skeleton {
    let corners = basis.map(|b| frame.exact(b));
    let project = PROJECTIONS
        .into_iter()
        .find(|project| !orient2d(project(corners[0]), project(corners[1]), project(corners[2])).is_zero())
        .expect("a triangle degenerates in at most two coordinate projections");
    let cycle = canonical(points, monotone_chains(points, project));
    let n = cycle.len() as u32;
    let around = |v: u32| [(v + 1) % n, (v + n - 1) % n];
    Skeleton {
        dimension: 2,
        vertices: cycle,
        face_starts: vec![0, n, 2 * n],
        face_corners: (0..n).chain([0]).chain((1..n).rev()).collect(),
        neighbour_starts: (0..=n).map(|v| 2 * v).collect(),
        neighbours: (0..n).flat_map(around).collect(),
    }
}

/// The vertices of a planar hull counter-clockwise, by Andrew's monotone chains with exact turns.
fn monotone_chains(points: &[DVec3], project: fn(DVec3) -> DVec2) -> Vec<u32> {
    let at = |i: u32| project(points[i as usize]);
    let order = |&i: &u32, &j: &u32| {
        let (p, q) = (at(i), at(j));
        p.x.partial_cmp(&q.x).expect("finite").then(p.y.partial_cmp(&q.y).expect("finite")).then(i.cmp(&j))
    };
    let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
    sorted.sort_unstable_by(order);
    sorted.dedup_by(|later, first| at(*later) == at(*first));
    let mut cycle = chain(sorted.iter().copied(), at);
    cycle.extend(chain(sorted.iter().rev().copied(), at));
    cycle
}

/// One chain without its last point, keeping strict left turns only.
fn chain(sorted: impl Iterator<Item = u32>, at: impl Fn(u32) -> DVec2) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for next in sorted {
        while let [.., a, b] = chain[..]
            && orient2d(at(a), at(b), at(next)) != Sign::Positive
        {
            chain.pop();
        }
        chain.push(next);
    }
    chain.pop();
    chain
}

/// The same cycle from its lexicographically smallest vertex towards the smaller of its two neighbours.
fn canonical(points: &[DVec3], mut cycle: Vec<u32>) -> Vec<u32> {
    let compare = |&i: &u32, &j: &u32| lexicographic(points[i as usize], points[j as usize]);
    let first = (1..cycle.len())
        .fold(0, |first, k| if compare(&cycle[k], &cycle[first]) == Ordering::Less { k } else { first });
    cycle.rotate_left(first);
    if compare(&cycle[cycle.len() - 1], &cycle[1]) == Ordering::Less {
        cycle[1..].reverse();
    }
    cycle
}
