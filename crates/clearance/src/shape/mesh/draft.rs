//! A mesh under construction: vertices and triangles with their sources.

use super::topology::{Topology, directed_edge};
use glam::DVec3;

/// Welded triangles on their way to a mesh.
pub(super) struct Draft {
    pub positions: Vec<DVec3>,
    pub source_vertices: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub source_triangles: Vec<u32>,
    /// Whether each triangle faces the other way than in the input.
    pub turned: Vec<bool>,
}

impl Draft {
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|vertex| self.positions[vertex as usize])
    }

    pub fn topology(&self) -> Topology {
        Topology::build(&self.triangles, self.positions.len())
    }

    /// An edge as input positions.
    pub fn source_edge(&self, edge: [u32; 2]) -> [u32; 2] {
        edge.map(|vertex| self.source_vertices[vertex as usize])
    }

    /// Drops the marked triangles and keeps the order of the others.
    pub fn drop_triangles(&mut self, drop: &[bool]) {
        keep_unmarked(&mut self.triangles, drop);
        keep_unmarked(&mut self.source_triangles, drop);
        keep_unmarked(&mut self.turned, drop);
    }

    /// Turns triangles over, in the topology too.
    pub fn turn_over(&mut self, topology: &mut Topology, triangles: impl Iterator<Item = u32>) {
        for triangle in triangles.map(|t| t as usize) {
            topology.turn_over(&mut self.triangles[triangle], triangle);
            self.turned[triangle] ^= true;
        }
    }

    /// Drops vertices without a triangle and keeps the order of the others.
    pub fn drop_unused_vertices(&mut self) {
        const UNUSED: u32 = u32::MAX;
        let mut renumbered = vec![UNUSED; self.positions.len()];
        self.triangles.iter().flatten().for_each(|&vertex| renumbered[vertex as usize] = 0);
        let mut next = 0;
        for old in 0..renumbered.len() {
            if renumbered[old] != UNUSED {
                renumbered[old] = next as u32;
                self.positions[next] = self.positions[old];
                self.source_vertices[next] = self.source_vertices[old];
                next += 1;
            }
        }
        self.positions.truncate(next);
        self.source_vertices.truncate(next);
        let corners = self.triangles.iter_mut().flatten();
        corners.for_each(|vertex| *vertex = renumbered[*vertex as usize]);
    }
}

fn keep_unmarked<T>(items: &mut Vec<T>, drop: &[bool]) {
    let mut marks = drop.iter();
    items.retain(|_| marks.next() != Some(&true));
}

/// Whether a triangle runs along an edge from its smaller vertex to its larger one.
pub(super) fn runs_forward(triangle: [u32; 3], edge: [u32; 2]) -> bool {
    (0..3).any(|k| directed_edge(triangle, k) == edge)
}
