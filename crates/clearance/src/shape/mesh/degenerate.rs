//! Triangles without area are removed without opening the mesh.
//!
//! A triangle with a repeated vertex has an empty border (each edge there and back), so dropping it
//! changes no balance. A flat triangle with three different vertices `a, b, c` in this order on a line may
//! fill a T-junction: its neighbour across `ac` does not know `b`. Dropping it alone would open the
//! mesh, so every other triangle with the edge `ac` is cut at `b`, which lies on it exactly. Flat
//! triangles that share edges lie on one line and are treated together: their edges are cut at all their
//! vertices. Cut at the same vertices, the borders of the flat triangles vanish, so a closed
//! mesh stays closed, and cutting moves no point of the surface.

use super::draft::Draft;
use super::topology::{Topology, directed_edge};
use super::{Finding, MeshReport};
use crate::exact::{Axis, orient2d};
use glam::{DVec2, DVec3};
use rustc_hash::FxHashMap;

/// Whether three points lie on a line; exact.
pub(super) fn collinear([a, b, c]: [DVec3; 3]) -> bool {
    // The projection along the largest normal component almost always decides in floats.
    let normal = (b - a).cross(c - a).abs();
    let axes = match (normal.x >= normal.y, normal.y >= normal.z, normal.x >= normal.z) {
        (true, _, true) => [Axis::X, Axis::Y, Axis::Z],
        (false, true, _) => [Axis::Y, Axis::Z, Axis::X],
        _ => [Axis::Z, Axis::X, Axis::Y],
    };
    axes.iter().all(|axis| {
        let [i, j] = axis.others();
        let onto = |p: DVec3| DVec2::new(p[i], p[j]);
        orient2d(onto(a), onto(b), onto(c)).is_zero()
    })
}

/// Removes degenerate triangles, cuts neighbours where needed, drops vertices no longer used.
pub(super) fn remove(draft: &mut Draft, report: &mut MeshReport) {
    let degenerate: Vec<_> = (0..draft.triangles.len()).map(|t| is_degenerate(draft, t)).collect();
    report.degenerate = marked(&degenerate).map(|t| draft.source_triangles[t]).collect();
    if report.degenerate.is_empty() {
        return;
    }
    let flat: Vec<_> = marked(&degenerate).map(|t| draft.triangles[t]).filter(|&t| !repeats(t)).collect();
    draft.drop_triangles(&degenerate);
    if !flat.is_empty() {
        report.split = cut_neighbours(draft, &Lines::of(&flat, &draft.positions));
    }
    draft.drop_unused_vertices();
}

fn marked(marks: &[bool]) -> impl Iterator<Item = usize> {
    (0..marks.len()).filter(|&i| marks[i])
}

fn repeats([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

fn is_degenerate(draft: &Draft, triangle: usize) -> bool {
    repeats(draft.triangles[triangle]) || collinear(draft.corners(triangle))
}

/// The edges of flat triangles with the vertices at which to cut them.
struct Lines {
    /// Vertices of each group of flat triangles, in lexicographic order of position: in order along the line.
    vertices: Vec<Vec<u32>>,
    /// Group of each edge, the smaller vertex first.
    group_of_edge: FxHashMap<[u32; 2], usize>,
    /// Place of each vertex in its group.
    place: FxHashMap<(usize, u32), usize>,
}

impl Lines {
    fn of(flat: &[[u32; 3]], positions: &[DVec3]) -> Lines {
        let topology = Topology::build(flat, positions.len());
        let along = |&v: &u32| positions[v as usize].to_array();
        let line = |group: usize| {
            let triangles = topology.in_component(group).iter();
            let mut vertices: Vec<_> = triangles.flat_map(|&t| flat[t as usize]).collect();
            vertices.sort_unstable_by(|p, q| {
                along(p).partial_cmp(&along(q)).unwrap_or(std::cmp::Ordering::Equal)
            });
            vertices.dedup();
            vertices
        };
        let vertices: Vec<_> = (0..topology.component_count()).map(line).collect();
        let group = |edge: usize| topology.component_of[topology.at_edge(edge)[0] as usize] as usize;
        let group_of_edge = topology.edges.iter().enumerate().map(|(e, &ends)| (ends, group(e))).collect();
        let places = |(group, line): (usize, &Vec<u32>)| {
            line.iter().enumerate().map(move |(at, &v)| ((group, v), at)).collect::<Vec<_>>()
        };
        let place = vertices.iter().enumerate().flat_map(places).collect();
        Lines { vertices, group_of_edge, place }
    }

    /// The vertices strictly inside an edge, from its first end to its second.
    fn inside(&self, [from, to]: [u32; 2]) -> Vec<u32> {
        let Some(&group) = self.group_of_edge.get(&[from.min(to), from.max(to)]) else { return Vec::new() };
        let (start, end) = (self.place[&(group, from)], self.place[&(group, to)]);
        let mut inside = self.vertices[group][start.min(end) + 1..start.max(end)].to_vec();
        if start > end {
            inside.reverse();
        }
        inside
    }
}

fn cut_neighbours(draft: &mut Draft, lines: &Lines) -> Finding {
    let (mut triangles, mut sources) = (Vec::new(), Vec::new());
    let mut split = Finding::default();
    for (&triangle, &source) in draft.triangles.iter().zip(&draft.source_triangles) {
        let sides: [Vec<u32>; 3] = std::array::from_fn(|k| lines.inside(directed_edge(triangle, k)));
        if sides.iter().all(Vec::is_empty) {
            triangles.push(triangle);
        } else {
            cut(triangle, [&sides[0], &sides[1], &sides[2]], &mut triangles);
            split.add(source);
        }
        sources.resize(triangles.len(), source);
    }
    draft.triangles = triangles;
    draft.turned = vec![false; sources.len()];
    draft.source_triangles = sources;
    split
}

/// Cuts a triangle at the given vertices of its sides, listed in the direction of the side.
///
/// Each cut leads from a vertex strictly inside a side to the opposite corner, so both pieces have
/// area, and takes one vertex off the list.
fn cut(triangle: [u32; 3], sides: [&[u32]; 3], pieces: &mut Vec<[u32; 3]>) {
    let mut pending = vec![(triangle, sides)];
    while let Some((corners, sides)) = pending.pop() {
        let Some(k) = (0..3).find(|&k| !sides[k].is_empty()) else {
            pieces.push(corners);
            continue;
        };
        let [from, to, apex] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
        let middle = sides[k].len() / 2;
        let at = sides[k][middle];
        pending.push(([at, to, apex], [&sides[k][middle + 1..], sides[(k + 1) % 3], &[]]));
        pending.push(([from, at, apex], [&sides[k][..middle], &[], sides[(k + 2) % 3]]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_border_of_the_cut_triangle() {
        let mut pieces = Vec::new();
        cut([0, 1, 2], [&[3, 4, 5], &[], &[6, 7]], &mut pieces);
        let mut border: Vec<_> =
            pieces.iter().flat_map(|&t| (0..3).map(move |k| directed_edge(t, k))).collect();
        let all = border.clone();
        border.retain(|&[p, q]| !all.contains(&[q, p]));
        border.sort_unstable();
        assert_eq!(border, [[0, 3], [1, 2], [2, 6], [3, 4], [4, 5], [5, 1], [6, 7], [7, 0]]);
        assert_eq!(pieces.len(), 6);
    }

    #[test]
    fn collinear_is_exact_in_every_direction() {
        let a = DVec3::new(1e6, 1e6, 1e6);
        for step in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -3.0, 7.0)] {
            assert!(collinear([a, a + step, a + 2.0 * step]));
            for axis in 0..3 {
                let mut off = a + 2.0 * step;
                off[axis] = off[axis].next_up();
                let along_step = step == DVec3::AXES[axis];
                assert_eq!(collinear([a, a + step, off]), along_step);
            }
        }
    }
}
