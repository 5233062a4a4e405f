//! Edges with their triangles, and components connected by shared edges.

use super::cluster::Clusters;

/// Edges in order of their vertices, the triangles of each in increasing order, and components in
/// order of their first triangle. `O(n)` space; built in `O(n + sum of d log d)` over vertex degrees `d`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Topology {
    /// Ends of each edge, the smaller vertex first; sorted, distinct.
    pub edges: Vec<[u32; 2]>,
    /// Where each edge's triangles start in `edge_triangles`, and the end.
    pub edge_start: Vec<u32>,
    /// Triangles by edge.
    pub edge_triangles: Vec<u32>,
    /// How many of each edge's triangles run from its smaller vertex to its larger one, minus how many run back.
    ///
    /// Zero at every edge means that the triangles bound something: whatever the number of triangles at an
    /// edge, they can be paired so that each pair agrees about the outside, and winding numbers exist.
    pub balance: Vec<i32>,
    /// Edge `k` of a triangle leads from corner `k` to corner `k + 1`.
    pub triangle_edges: Vec<[u32; 3]>,
    /// Component of each triangle.
    pub component_of: Vec<u32>,
    /// Where each component's triangles start in `component_triangles`, and the end.
    pub component_start: Vec<u32>,
    /// Triangles by component, increasing.
    pub component_triangles: Vec<u32>,
}

impl Topology {
    /// Triangles must have three different vertices below `vertex_count`, and number at most `2^29`.
    pub fn build(triangles: &[[u32; 3]], vertex_count: usize) -> Topology {
        let mut topology = Topology { triangle_edges: vec![[0; 3]; triangles.len()], ..Topology::default() };
        topology.link_edges(triangles, vertex_count);
        topology.link_components(triangles.len());
        topology
    }

    /// The triangles at an edge.
    pub fn at_edge(&self, edge: usize) -> &[u32] {
        &self.edge_triangles[self.edge_start[edge] as usize..self.edge_start[edge + 1] as usize]
    }

    /// The triangles of a component.
    pub fn in_component(&self, component: usize) -> &[u32] {
        let range = self.component_start[component] as usize..self.component_start[component + 1] as usize;
        &self.component_triangles[range]
    }

    /// How many components there are.
    pub fn component_count(&self) -> usize {
        self.component_start.len() - 1
    }

    /// Turns a triangle over; it keeps its first corner.
    pub fn turn_over(&mut self, corners: &mut [u32; 3], triangle: usize) {
        for k in 0..3 {
            let [from, to] = directed_edge(*corners, k);
            self.balance[self.triangle_edges[triangle][k] as usize] += if from < to { -2 } else { 2 };
        }
        corners.swap(1, 2);
        self.triangle_edges[triangle].swap(0, 2);
    }

    /// Buckets half-edges by their smaller vertex, in triangle order, then sorts the few of each bucket
    /// by the other vertex: no hashing, and memory is walked almost in order.
    fn link_edges(&mut self, triangles: &[[u32; 3]], vertex_count: usize) {
        let (start, mut half_edges) = bucket_by_smaller_vertex(triangles, vertex_count);
        self.edge_triangles = vec![0; half_edges.len()];
        self.edges.reserve(half_edges.len() / 2);
        self.edge_start.reserve(half_edges.len() / 2 + 1);
        self.balance.reserve(half_edges.len() / 2);
        for low in 0..vertex_count {
            let (from, to) = (start[low] as usize, start[low + 1] as usize);
            // Keys are distinct, and within an edge their order is that of the triangles.
            half_edges[from..to].sort_unstable();
            let mut last = None;
            for at in from..to {
                let half_edge = HalfEdge::unpack(half_edges[at]);
                if last != Some(half_edge.high) {
                    last = Some(half_edge.high);
                    self.edges.push([low as u32, half_edge.high]);
                    self.edge_start.push(at as u32);
                    self.balance.push(0);
                }
                let edge = self.edges.len() - 1;
                self.balance[edge] += half_edge.step();
                self.edge_triangles[at] = half_edge.id / 3;
                self.triangle_edges[half_edge.id as usize / 3][half_edge.id as usize % 3] = edge as u32;
            }
        }
        self.edge_start.push(half_edges.len() as u32);
    }

    /// Joins triangles edge by edge: neighbouring edges have neighbouring triangles, so this walks memory in
    /// better order than a search would.
    fn link_components(&mut self, triangle_count: usize) {
        let mut clusters = Clusters::new(triangle_count);
        for edge in 0..self.edges.len() {
            let triangles = self.at_edge(edge);
            triangles[1..].iter().for_each(|&other| clusters.join(triangles[0], other));
        }
        self.component_of = clusters.labels();
        let count = self.component_of.iter().max().map_or(0, |&last| last as usize + 1);
        (self.component_start, self.component_triangles) = group_by_label(&self.component_of, count);
    }
}

/// The ends of edge `k` of a triangle, in the triangle's direction.
pub(super) fn directed_edge(triangle: [u32; 3], k: usize) -> [u32; 2] {
    [triangle[k], triangle[(k + 1) % 3]]
}

/// Items in increasing order by label: where each label starts (and the end), and the items.
pub(super) fn group_by_label(labels: &[u32], label_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; label_count + 1];
    for &label in labels {
        start[label as usize + 1] += 1;
    }
    for i in 0..label_count {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut items = vec![0; labels.len()];
    for (item, &label) in labels.iter().enumerate() {
        items[next[label as usize] as usize] = item as u32;
        next[label as usize] += 1;
    }
    (start, items)
}

/// One side of a triangle.
struct HalfEdge {
    /// The larger vertex.
    high: u32,
    /// `3 * triangle + k`.
    id: u32,
    /// Whether it runs from the larger vertex to the smaller one.
    backward: bool,
}

impl HalfEdge {
    /// Ordered by larger vertex, then id; an id is below `3 * 2^29`, so a bit is left for the direction.
    fn pack(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.id) << 1 | u64::from(self.backward)
    }

    fn unpack(key: u64) -> HalfEdge {
        HalfEdge { high: (key >> 32) as u32, id: key as u32 >> 1, backward: key & 1 == 1 }
    }

    fn step(&self) -> i32 {
        if self.backward { -1 } else { 1 }
    }
}

/// Packed half-edges by smaller vertex: where each vertex starts, and the keys.
fn bucket_by_smaller_vertex(triangles: &[[u32; 3]], vertex_count: usize) -> (Vec<u32>, Vec<u64>) {
    let mut start = vec![0u32; vertex_count + 1];
    for triangle in triangles {
        for k in 0..3 {
            let [p, q] = directed_edge(*triangle, k);
            start[p.min(q) as usize + 1] += 1;
        }
    }
    for i in 0..vertex_count {
        start[i + 1] += start[i];
    }
    let mut next = start.clone();
    let mut keys = vec![0u64; triangles.len() * 3];
    for (t, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let [p, q] = directed_edge(*triangle, k);
            let slot = &mut next[p.min(q) as usize];
            keys[*slot as usize] =
                HalfEdge { high: p.max(q), id: (3 * t + k) as u32, backward: p > q }.pack();
            *slot += 1;
        }
    }
    (start, keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_lists_all_its_triangles_in_order() {
        // Three triangles at the edge 1-2, a fourth apart from them.
        let topology = Topology::build(&[[2, 1, 0], [5, 6, 7], [1, 2, 3], [1, 2, 4]], 8);
        let edge = topology.edges.iter().position(|&ends| ends == [1, 2]).expect("an edge");
        assert_eq!((topology.at_edge(edge), topology.balance[edge]), (&[0, 2, 3][..], 1));
        assert_eq!(topology.component_of, [0, 1, 0, 0]);
        assert_eq!(topology.in_component(0), [0, 2, 3]);
        assert_eq!(topology.triangle_edges[0][0], edge as u32);
    }

    #[test]
    fn turning_a_triangle_keeps_edges_and_balance_right() {
        let mut triangles = vec![[0, 1, 2], [1, 0, 3]];
        let mut topology = Topology::build(&triangles, 4);
        topology.turn_over(&mut triangles[1], 1);
        assert_eq!(topology, Topology::build(&triangles, 4));
        assert_eq!(triangles[1], [1, 3, 0]);
    }

    #[test]
    fn half_edges_survive_packing_at_the_limits() {
        for (high, id, backward) in [(0, 0, false), (u32::MAX, 3 * (1 << 29) - 1, true)] {
            let half_edge = HalfEdge::unpack(HalfEdge { high, id, backward }.pack());
            assert_eq!((half_edge.high, half_edge.id, half_edge.backward), (high, id, backward));
        }
    }
}
