//! Whether triangles of a soup meet where they should not, by trying every edge against every triangle.

use crate::Aabb;
use crate::exact::{Sign, orient2d, orient3d};
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// An edge and a triangle of the soup that share a point other than a common vertex, or `None`.
///
/// Exact for triangles with area. Two of them that meet beyond common vertices do so in a point of an
/// edge of one, so trying edges is enough. Boxes along the longest axis are the only filter.
pub fn meeting_edge_and_triangle(soup: &TriangleSoup) -> Option<([u32; 2], usize)> {
    let corners = |t: &[u32; 3]| t.map(|v| soup.positions[v as usize]);
    let all = Aabb::around(soup.positions.iter().copied())?;
    let axis = all.extent().max_position();
    let boxed = |points: &[DVec3]| {
        let low = points.iter().copied().reduce(DVec3::min).unwrap_or_default();
        Aabb { min: low, max: points.iter().copied().reduce(DVec3::max).unwrap_or_default() }
    };
    let mut order: Vec<(Aabb, usize)> =
        soup.triangles.iter().enumerate().map(|(i, t)| (boxed(&corners(t)), i)).collect();
    order.sort_by(|a, b| a.0.min[axis].total_cmp(&b.0.min[axis]));
    let longest = order.iter().map(|(b, _)| b.extent()[axis]).fold(0.0, f64::max);
    for t in &soup.triangles {
        for [from, to] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            let edge = [from, to].map(|v| soup.positions[v as usize]);
            let edge_box = boxed(&edge);
            // Rounding the difference down a little can only add candidates.
            let reach = (edge_box.min[axis] - longest).next_down();
            let start = order.partition_point(|(b, _)| b.min[axis] < reach);
            for (triangle_box, i) in &order[start..] {
                if triangle_box.min[axis] > edge_box.max[axis] {
                    break;
                }
                let other = &soup.triangles[*i];
                if triangle_box.meets(edge_box) && meets([from, to], edge, other, corners(other)) {
                    return Some(([from, to], *i));
                }
            }
        }
    }
    None
}

fn meets(ids: [u32; 2], edge: [DVec3; 2], triangle: &[u32; 3], corners: [DVec3; 3]) -> bool {
    match ids.map(|id| triangle.iter().position(|&corner| corner == id)) {
        [Some(_), Some(_)] => false,
        [Some(shared), None] => leaves_into(edge[1], shared, corners),
        [None, Some(shared)] => leaves_into(edge[0], shared, corners),
        [None, None] => segment_meets_triangle(edge, corners),
    }
}

/// Whether the segment from the shared corner to `end` runs along the triangle for a while.
fn leaves_into(end: DVec3, shared: usize, corners: [DVec3; 3]) -> bool {
    let [p, q, r] = [0, 1, 2].map(|k| corners[(shared + k) % 3]);
    if !orient3d(p, q, r, end).is_zero() {
        return false;
    }
    let flat = projection([p, q, r]);
    let [p, q, r, end] = [p, q, r, end].map(flat);
    let turn = orient2d(p, q, r);
    orient2d(p, q, end) * turn >= Sign::Zero && orient2d(p, end, r) * turn >= Sign::Zero
}

fn segment_meets_triangle([a, b]: [DVec3; 2], corners: [DVec3; 3]) -> bool {
    let [p, q, r] = corners;
    let (side_a, side_b) = (orient3d(p, q, r, a), orient3d(p, q, r, b));
    if side_a.is_zero() && side_b.is_zero() {
        return meets_in_plane([a, b], corners);
    }
    if side_a * side_b == Sign::Positive {
        return false;
    }
    let sides = [orient3d(a, b, p, q), orient3d(a, b, q, r), orient3d(a, b, r, p)];
    sides.iter().all(|&s| s >= Sign::Zero) || sides.iter().all(|&s| s <= Sign::Zero)
}

fn meets_in_plane(segment: [DVec3; 2], corners: [DVec3; 3]) -> bool {
    let flat = projection(corners);
    let [a, b] = segment.map(&flat);
    let [p, q, r] = corners.map(&flat);
    let turn = orient2d(p, q, r);
    let inside = [(p, q), (q, r), (r, p)].iter().all(|&(s, t)| orient2d(s, t, a) * turn >= Sign::Zero);
    inside || [(p, q), (q, r), (r, p)].iter().any(|&(s, t)| segments_meet([a, b], [s, t]))
}

fn segments_meet([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let crossing = [orient2d(a, b, c) * orient2d(a, b, d), orient2d(c, d, a) * orient2d(c, d, b)];
    let boxes = a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all();
    boxes && crossing.iter().all(|&sign| sign <= Sign::Zero)
}

/// Drops a coordinate in which the triangle's shadow keeps its area.
fn projection([p, q, r]: [DVec3; 3]) -> impl Fn(DVec3) -> DVec2 {
    let drop = move |v: DVec3, axis: usize| DVec2::new(v[(axis + 1) % 3], v[(axis + 2) % 3]);
    let kept = move |&axis: &usize| !orient2d(drop(p, axis), drop(q, axis), drop(r, axis)).is_zero();
    let axis = (0..3).find(kept).unwrap_or(0);
    move |v| drop(v, axis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soup(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> TriangleSoup {
        let positions = positions.iter().map(|&p| DVec3::from_array(p)).collect();
        TriangleSoup { positions, triangles: triangles.to_vec(), parts: Vec::new() }
    }

    const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn with_floor(corners: [[f64; 3]; 3]) -> bool {
        let positions = [FLOOR, corners].concat();
        meeting_edge_and_triangle(&soup(&positions, &[[0, 1, 2], [3, 4, 5]])).is_some()
    }

    #[test]
    fn piercing_touching_and_overlapping_triangles_meet() {
        assert!(with_floor([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 9.0, 0.5]]));
        assert!(with_floor([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]]));
        assert!(with_floor([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]]));
        assert!(with_floor([[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 9.0, 0.0]]));
    }

    #[test]
    fn triangles_apart_do_not_meet() {
        assert!(!with_floor([[1.0, 1.0, 1e-300], [2.0, 1.0, 1e-300], [1.0, 2.0, 1e-300]]));
        assert!(!with_floor([[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 0.0]]));
        assert!(!with_floor([[-1.0, -1.0, 0.0], [-2.0, -1.0, 0.0], [-1.0, -2.0, 0.0]]));
    }

    #[test]
    fn neighbours_meet_only_when_folded_onto_each_other() {
        let mut positions = FLOOR.to_vec();
        positions.extend([[4.0, 4.0, 0.0], [1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [-2.0, -1.0, 0.0]]);
        let check = |t: [u32; 3]| meeting_edge_and_triangle(&soup(&positions, &[[0, 1, 2], t])).is_some();
        assert!(!check([1, 3, 2]), "a neighbour across an edge");
        assert!(check([1, 4, 2]), "folded over an edge");
        assert!(!check([0, 5, 6]), "a neighbour across a corner");
        assert!(check([0, 4, 6]), "a corner neighbour that runs into the triangle");
    }
}
