//! Whether features share a point at one time, at which the positions of their vertices are floats.

use super::feature::{Kind, VertexEdge};
use crate::exact::{Axis, Sign, orient2d};
use glam::{DVec2, DVec3};

/// Whether features whose vertices lie in a plane share a point.
pub(super) fn meet_in_a_plane(kind: Kind, points: &[DVec3; 4]) -> bool {
    let pairs = kind.vertices_and_edges();
    for axis in Axis::ALL {
        let seen = points.map(|p| along(axis, p));
        let mut signs = [Sign::Zero; 4];
        for (sign, VertexEdge { vertex, edge: [from, to] }) in signs.iter_mut().zip(pairs) {
            *sign = orient2d(seen[*vertex], seen[*from], seen[*to]);
        }
        // Not the shadow of a plane that is seen edge-on.
        if signs.iter().any(|sign| !sign.is_zero()) {
            return kind.meet_in_a_plane(&signs[..pairs.len()]);
        }
    }
    // All on a line, where the box of an edge holds no points but its own.
    pairs.iter().any(|&VertexEdge { vertex, edge: [from, to] }| {
        let (p, q, r) = (points[vertex], points[from], points[to]);
        p.cmpge(q.min(r)).all() && p.cmple(q.max(r)).all()
    })
}

fn along(axis: Axis, point: DVec3) -> DVec2 {
    let [i, j] = axis.others();
    DVec2::new(point[i], point[j])
}
