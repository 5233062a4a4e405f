//! The triangles, edges and vertices of a body in a tree of boxes: what screws are asked about.

use super::normals::Normals;
use super::screen::Facets;
use super::wide_tree::WideTree;
use crate::body::Body;
use crate::compound::Part;
use crate::mesh::TreeMesh;
use crate::shape::{MeshKind, Polytope};
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// No edge.
pub(super) const NONE: u32 = u32::MAX;

/// Cells in a leaf of the tree.
const LEAF: usize = 4;

/// Faces, edges and vertices of a polytope, a mesh or a compound of them, ready for questions about screws.
///
/// Faces are triangles; a face of a polytope is several, and the sides between them are no edges. Built in `O(n log n)`; it does
/// not depend on the motion.
#[derive(Clone, Debug)]
pub struct Surface {
    pub(super) positions: Vec<DVec3>,
    /// The part of a compound that a vertex belongs to, and its number there.
    pub(super) vertex_names: Vec<(u32, u32)>,
    pub(super) triangles: Vec<Triangle>,
    /// Ends, the smaller number first.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) triangles_at_edge: Lists,
    pub(super) edges_at_vertex: Lists,
    pub(super) cells: Vec<Cell>,
    pub(super) nodes: Vec<Node>,
    pub(super) normals: Normals,
    pub(super) tree: WideTree,
    /// For collision screens: found when the first of them asks.
    facets: OnceLock<Facets>,
}

/// A triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// Edge `k` joins corners `k` and `k + 1`; `NONE` inside a face of a polytope.
    pub edges: [u32; 3],
    /// The first triangle of the same face.
    pub face: u32,
    /// Three vertices that name the face, in the numbers of the part.
    pub name: [u32; 3],
    /// Whether it bounds nothing, so that both sides are outside.
    pub is_two_sided: bool,
}

/// A triangle, edge or vertex with the edges and vertices that are looked at together with it, each in one cell only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub corners: [u32; 3],
    pub triangle: u32,
    pub vertices: [u32; 3],
    pub edges: [u32; 3],
}

/// A box around cells: `count` of them from `first` on, or if that is zero the nodes `first` and `first + 1`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub center: DVec3,
    pub half: DVec3,
    pub first: u32,
    pub count: u32,
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0u32; count + 1];
        pairs.iter().for_each(|&(list, _)| starts[list as usize + 1] += 1);
        (0..count).for_each(|i| starts[i + 1] += starts[i]);
        let (mut next, mut items) = (starts.clone(), vec![0; pairs.len()]);
        for &(list, item) in pairs {
            items[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Lists { starts, items }
    }

    pub fn of(&self, list: u32) -> &[u32] {
        &self.items[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }
}

impl Surface {
    /// Of a body; `None` if it is curved, rounded or unbounded.
    pub fn new(body: &Body) -> Option<Surface> {
        let mut draft = Draft::default();
        match body {
            Body::Convex(convex) => {
                let map = convex.core().filter(|_| convex.is_polytope())?;
                draft.add_polytope(map.polytope(), 0);
            }
            Body::Mesh(mesh) => draft.add_mesh(mesh, 0),
            Body::Compound(compound) => {
                for (number, part) in compound.parts().iter().enumerate() {
                    match part {
                        Part::Polytope(map) => draft.add_polytope(map.polytope(), number as u32),
                        Part::Mesh(mesh) => draft.add_mesh(mesh, number as u32),
                    }
                }
            }
        }
        Some(draft.finish())
    }

    /// Faces of up to four corners.
    pub(super) fn facets(&self) -> &Facets {
        self.facets.get_or_init(|| Facets::new(self))
    }

    /// Whether it has vertices or edges that belong to no triangle.
    pub(super) fn has_loose_features(&self) -> bool {
        self.cells.iter().any(|cell| cell.triangle == NONE)
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
}

/// A surface before its tree.
#[derive(Default)]
struct Draft {
    positions: Vec<DVec3>,
    vertex_names: Vec<(u32, u32)>,
    triangles: Vec<Triangle>,
    edges: Vec<[u32; 2]>,
}

impl Draft {
    fn add_vertices(&mut self, positions: &[DVec3], part: u32) -> u32 {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(positions);
        self.vertex_names.extend((0..positions.len() as u32).map(|v| (part, v)));
        base
    }

    fn add_mesh(&mut self, tree: &TreeMesh, part: u32) {
        let mesh = tree.mesh();
        let (vertex, edge) = (self.add_vertices(mesh.positions(), part), self.edges.len() as u32);
        self.edges.extend((0..mesh.edge_count()).map(|e| mesh.edge(e).map(|v| v + vertex)));
        let is_two_sided = mesh.kind() == MeshKind::Surface;
        for (t, &corners) in mesh.triangles().iter().enumerate() {
            let edges = mesh.triangle_edges(t).map(|e| e + edge);
            let face = self.triangles.len() as u32;
            let corners_here = corners.map(|v| v + vertex);
            self.triangles.push(Triangle { corners: corners_here, edges, face, name: corners, is_two_sided });
        }
    }

    fn add_polytope(&mut self, polytope: &Polytope, part: u32) {
        let (vertex, edge) = (self.add_vertices(polytope.vertices(), part), self.edges.len() as u32);
        self.edges.extend(polytope.edges().map(|ends| ends.map(|v| v + vertex)));
        let numbered = self.edges.iter().enumerate().skip(edge as usize).map(|(e, &ends)| (ends, e as u32));
        let numbers: FxHashMap<[u32; 2], u32> = numbered.collect();
        let find =
            |v: u32, w: u32| numbers.get(&[v.min(w) + vertex, v.max(w) + vertex]).copied().unwrap_or(NONE);
        let mut triangles = Vec::new();
        // A polygon has two faces; one is enough.
        let is_two_sided = polytope.dimension() == 2;
        let count = if is_two_sided { 1 } else { polytope.face_count() };
        for corners in polytope.faces().take(count) {
            let mut sorted = corners.to_vec();
            sorted.sort_unstable();
            let name = [sorted[0], sorted[1], sorted[2]];
            let face = (self.triangles.len() + triangles.len()) as u32;
            for i in 1..corners.len() - 1 {
                let fan = [corners[0], corners[i], corners[i + 1]];
                let first = if i == 1 { find(fan[0], fan[1]) } else { NONE };
                let last = if i + 2 == corners.len() { find(fan[2], fan[0]) } else { NONE };
                let edges = [first, find(fan[1], fan[2]), last];
                let corners = fan.map(|v| v + vertex);
                triangles.push(Triangle { corners, edges, face, name, is_two_sided });
            }
        }
        self.triangles.extend(triangles);
    }

    fn finish(self) -> Surface {
        let Draft { positions, vertex_names, triangles, edges } = self;
        let sides =
            triangles.iter().enumerate().flat_map(|(t, triangle)| triangle.edges.map(|e| (e, t as u32)));
        let at_edge: Vec<(u32, u32)> = sides.filter(|&(e, _)| e != NONE).collect();
        let ends = edges.iter().enumerate().flat_map(|(e, ends)| ends.map(|v| (v, e as u32)));
        let mut surface = Surface {
            triangles_at_edge: Lists::new(edges.len(), &at_edge),
            edges_at_vertex: Lists::new(positions.len(), &ends.collect::<Vec<_>>()),
            positions,
            vertex_names,
            triangles,
            edges,
            cells: Vec::new(),
            nodes: Vec::new(),
            normals: Normals::default(),
            tree: WideTree::default(),
            facets: OnceLock::new(),
        };
        surface.cells = surface.divided();
        surface.build_tree();
        surface.normals = Normals::new(&surface);
        surface.tree = WideTree::new(&surface);
        surface
    }
}

impl Surface {
    /// Every vertex and every edge in the first triangle it belongs to; those without one by themselves.
    fn divided(&self) -> Vec<Cell> {
        let (mut seen_vertex, mut seen_edge) =
            (vec![false; self.positions.len()], vec![false; self.edges.len()]);
        let mut take_vertex =
            |v: u32| if std::mem::replace(&mut seen_vertex[v as usize], true) { NONE } else { v };
        let mut take_edge = |e: u32| {
            if e == NONE || std::mem::replace(&mut seen_edge[e as usize], true) { NONE } else { e }
        };
        let mut cells: Vec<Cell> = Vec::new();
        for (t, triangle) in self.triangles.iter().enumerate() {
            cells.push(Cell {
                corners: triangle.corners,
                triangle: t as u32,
                vertices: triangle.corners.map(&mut take_vertex),
                edges: triangle.edges.map(&mut take_edge),
            });
        }
        for (e, &[v, w]) in self.edges.iter().enumerate() {
            let edge = take_edge(e as u32);
            if edge != NONE {
                let vertices = [take_vertex(v), take_vertex(w), NONE];
                cells.push(Cell { corners: [v, w, w], triangle: NONE, vertices, edges: [edge, NONE, NONE] });
            }
        }
        for v in 0..self.positions.len() as u32 {
            let vertex = take_vertex(v);
            if vertex != NONE {
                cells.push(Cell {
                    corners: [v; 3],
                    triangle: NONE,
                    vertices: [v, NONE, NONE],
                    edges: [NONE; 3],
                });
            }
        }
        cells
    }

    /// Halves of cells along the longest side of the box of their middles, in turn.
    fn build_tree(&mut self) {
        let mut cells = std::mem::take(&mut self.cells);
        let mut nodes = vec![Node { center: DVec3::ZERO, half: DVec3::ZERO, first: 0, count: 0 }];
        let mut open = vec![(0usize, 0usize, cells.len())];
        while let Some((node, from, to)) = open.pop() {
            let own = &mut cells[from..to];
            let all = own.iter().flat_map(|cell| cell.corners).map(|v| self.positions[v as usize]);
            let (min, max) =
                all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
            let center = 0.5 * min + 0.5 * max;
            // The center is rounded: the box grows until it holds both ends.
            let half = (max - center).max(center - min) * (1.0 + 4.0 * f64::EPSILON);
            nodes[node] = Node { center, half, first: from as u32, count: own.len() as u32 };
            if own.len() <= LEAF {
                continue;
            }
            let axis = (0..3).max_by(|&i, &j| half[i].total_cmp(&half[j])).unwrap_or(0);
            let middle =
                |cell: &Cell| cell.corners.map(|v| self.positions[v as usize][axis]).iter().sum::<f64>();
            // Leaves are full but for one.
            let cut = (own.len() / 2).next_multiple_of(LEAF);
            own.select_nth_unstable_by(cut, |a, b| {
                middle(a)
                    .total_cmp(&middle(b))
                    .then_with(|| (a.triangle, a.corners).cmp(&(b.triangle, b.corners)))
            });
            let children = nodes.len();
            nodes[node].first = children as u32;
            nodes[node].count = 0;
            nodes.extend([nodes[node]; 2]);
            open.push((children, from, from + cut));
            open.push((children + 1, from + cut, to));
        }
        (self.cells, self.nodes) = (cells, nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Convex;
    use crate::shape::{Mesh, MeshConfig, Shape, sample};

    fn surface(shape: impl Into<Shape>) -> Surface {
        Surface::new(&Body::try_from(&shape.into()).unwrap()).unwrap()
    }

    fn check(surface: &Surface) {
        let count = |items: &mut dyn Iterator<Item = u32>| items.filter(|&x| x != NONE).count();
        let cells = || surface.cells.iter();
        assert_eq!(count(&mut cells().flat_map(|cell| cell.vertices)), surface.positions.len());
        assert_eq!(count(&mut cells().flat_map(|cell| cell.edges)), surface.edges.len());
        assert_eq!(count(&mut cells().map(|cell| cell.triangle)), surface.triangles.len());
        // Every cell is in one leaf, and in the boxes above it.
        let mut open = vec![(0u32, Vec::new())];
        let mut leaves = 0;
        while let Some((node, mut above)) = open.pop() {
            let node = &surface.nodes[node as usize];
            above.push((node.center, node.half));
            if node.count == 0 {
                open.extend([(node.first, above.clone()), (node.first + 1, above)]);
                continue;
            }
            leaves += node.count as usize;
            for cell in &surface.cells[node.first as usize..(node.first + node.count) as usize] {
                for v in cell.corners {
                    let p = surface.positions[v as usize];
                    assert!(above.iter().all(|(center, half)| (p - center).abs().cmple(*half).all()));
                }
            }
        }
        assert_eq!(leaves, surface.cells.len());
    }

    #[test]
    fn every_feature_is_in_one_cell_of_the_tree() {
        let torus = Mesh::build(&sample::torus(2.0, 0.5, 12, 9).unwrap(), &MeshConfig::default()).unwrap();
        let torus = surface(torus);
        assert_eq!((torus.positions.len(), torus.edges.len(), torus.triangles.len()), (108, 324, 216));
        check(&torus);
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
        let cube = surface(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap());
        assert_eq!((cube.edges.len(), cube.triangles.len()), (12, 12));
        assert!((0..12).all(|e| cube.triangles_at_edge.of(e).len() == 2));
        assert!((0..8).all(|v| cube.edges_at_vertex.of(v).len() == 3));
        check(&cube);
        for count in 1..4 {
            let points = [DVec3::ZERO, DVec3::X, DVec3::Y];
            let thin = surface(Polytope::hull(&points[..count]).unwrap());
            assert_eq!((thin.positions.len(), thin.triangles.len()), (count, usize::from(count == 3)));
            check(&thin);
        }
    }

    #[test]
    fn curved_bodies_have_none() {
        let ball = Shape::from(crate::shape::Primitive::from(crate::shape::Sphere::new(1.0).unwrap()));
        assert!(Surface::new(&Body::Convex(Convex::try_from(&ball).unwrap())).is_none());
    }
}
