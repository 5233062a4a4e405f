//! Whether triangles of a soup meet where they should not, by trying every edge against every triangle.

use crate::Aabb;
use crate::exact::{Sign, orient2d, orient3d};
use crate::shape::TriangleSoup;
use glam::{DVec2, DVec3};

/// An edge and a triangle of the soup that share a point other than a common vertex, or `None`.
///
/// Exact for triangles with area. Two of them that meet beyond common vertices do so in a point of an
/// edge of one, so trying edges is enough. The only filter is boxes, sorted into slabs along the longest
/// axis. Panics on indices out of range.
pub fn meeting_edge_and_triangle(soup: &TriangleSoup) -> Option<([u32; 2], usize)> {
    let all = Aabb::around(soup.positions.iter().copied())?;
    let axis = all.extent().max_position();
    // Monotone in the coordinate: boxes that meet share a slab, however the quotient is rounded.
    let slab = |x: f64| ((x - all.min[axis]) / all.extent()[axis] * SLABS as f64) as usize;
    let slabs_of = |bounds: Aabb| slab(bounds.min[axis])..=slab(bounds.max[axis]);
    let mut slabs: Vec<Vec<usize>> = vec![Vec::new(); SLABS + 1];
    let boxes: Vec<Aabb> = soup.triangles.iter().map(|t| box_of(soup, t)).collect();
    for (i, &bounds) in boxes.iter().enumerate() {
        slabs_of(bounds).for_each(|s| slabs[s].push(i));
    }
    edges(soup).into_iter().find_map(|edge| {
        let bounds = box_of(soup, &edge);
        let near = slabs[slabs_of(bounds)].iter().flatten();
        let mut meeting = near.filter(|&&i| boxes[i].meets(bounds) && meets(soup, edge, soup.triangles[i]));
        meeting.next().map(|&i| (edge, i))
    })
}

/// Slabs that the longest axis is cut into; long boxes are looked at once per slab.
const SLABS: usize = 100;

/// Each edge once, the lower vertex first.
fn edges(soup: &TriangleSoup) -> Vec<[u32; 2]> {
    let sides = soup.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn box_of(soup: &TriangleSoup, vertices: &[u32]) -> Aabb {
    let points = vertices.iter().map(|&v| soup.positions[v as usize]);
    Aabb::around(points).unwrap_or(Aabb { min: DVec3::ZERO, max: DVec3::ZERO })
}

fn meets(soup: &TriangleSoup, ids: [u32; 2], triangle: [u32; 3]) -> bool {
    let edge = ids.map(|v| soup.positions[v as usize]);
    let corners = triangle.map(|v| soup.positions[v as usize]);
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
