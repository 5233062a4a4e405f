//! Triangle meshes: welded, checked, repaired where asked, with edges and components.

mod build;
mod cluster;
mod config;
mod convex;
mod degenerate;
mod draft;
mod duplicate;
mod error;
mod near;
mod nesting;
mod orientation;
mod report;
mod shell;
mod topology;
mod validate;
mod volume;
mod weld;
mod winding;

pub use config::{Defects, KindChoice, MeshConfig, MeshKind, Weld};
pub use error::{MeshDefect, MeshError};
pub use report::{EXAMPLE_LIMIT, Finding, MeshReport};

use super::{SoupPart, TriangleSoup};
use crate::Aabb;
use glam::DVec3;
use topology::Topology;
use volume::Frame;

/// Most triangles a mesh may have, `2^29`: the sides of triangles, with a direction each, fit 32 bits.
pub const MAX_TRIANGLES: usize = 1 << 29;

/// Triangles with exact topology; every triangle has three different vertices and an area.
///
/// Whether it bounds a solid is part of the value, see [`MeshKind`]: a box in a box collides for
/// solids and not for surfaces. Ids of vertices, triangles, edges and components are dense and
/// count from 0; [`source_vertex`](Mesh::source_vertex) and [`source_triangle`](Mesh::source_triangle)
/// lead back to the input. Triangles are in the order of the input, vertices in the order of the
/// positions they come from, edges in the order of their vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    positions: Vec<DVec3>,
    source_vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    source_triangles: Vec<u32>,
    parts: Vec<SoupPart>,
    topology: Topology,
    bounds: Aabb,
    kind: MeshKind,
    report: MeshReport,
}

impl Mesh {
    /// Whether the triangles bound a solid or are the body themselves.
    pub fn kind(&self) -> MeshKind {
        self.kind
    }

    /// What was found in the input and what was done about it.
    pub fn report(&self) -> &MeshReport {
        &self.report
    }

    /// The position of each vertex; distinct, each used by a triangle, without negative zeros.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// The vertices of each triangle, counter-clockwise seen from outside if the mesh is a solid.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle. Panics if there is no such triangle.
    pub fn triangle(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|vertex| self.positions[vertex as usize])
    }

    /// Named runs of triangles, as in the input; a part may be empty after repair.
    pub fn parts(&self) -> &[SoupPart] {
        &self.parts
    }

    /// Index of the part a triangle belongs to; `None` if it belongs to none. `O(log parts)`.
    pub fn part_of(&self, triangle: usize) -> Option<usize> {
        let part = self.parts.partition_point(|part| part.triangles.end as usize <= triangle);
        (part < self.parts.len() && self.parts[part].triangles.start as usize <= triangle).then_some(part)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.topology.edges.len()
    }

    /// The ends of an edge, the smaller vertex first. Panics if there is no such edge.
    pub fn edge(&self, edge: usize) -> [u32; 2] {
        self.topology.edges[edge]
    }

    /// The triangles at an edge, in increasing order: one at a border, two inside a manifold, any number
    /// elsewhere. Panics if there is no such edge.
    pub fn edge_triangles(&self, edge: usize) -> &[u32] {
        self.topology.at_edge(edge)
    }

    /// The edges of a triangle; edge `k` joins its corners `k` and `k + 1`. Panics if there is no such triangle.
    pub fn triangle_edges(&self, triangle: usize) -> [u32; 3] {
        self.topology.triangle_edges[triangle]
    }

    /// How many components there are: sets of triangles connected by shared **edges**, so that two cubes with
    /// only a vertex in common are two components.
    pub fn component_count(&self) -> usize {
        self.topology.component_count()
    }

    /// The triangles of each component in increasing order, components in order of their first triangle.
    pub fn components(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.component_count()).map(|component| self.topology.in_component(component))
    }

    /// The component of a triangle. Panics if there is no such triangle.
    pub fn component_of(&self, triangle: usize) -> u32 {
        self.topology.component_of[triangle]
    }

    /// The smallest box around the mesh; exact.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The volume of a solid in floats, regions counted as often as the triangles wind around them; `None` for
    /// a surface. `O(n)`, computed at each call.
    pub fn volume(&self) -> Option<f64> {
        (self.kind == MeshKind::Solid).then(|| volume::volume(Frame::of_box(self.bounds), self.corners()))
    }

    /// The sum of the triangles' areas in floats. `O(n)`, computed at each call.
    pub fn area(&self) -> f64 {
        volume::area(Frame::of_box(self.bounds), self.corners())
    }

    /// The centroid in floats: of the volume for a solid, of the area for a surface (and for a solid whose volume
    /// is zero). `O(n)`, computed at each call.
    pub fn centroid(&self) -> DVec3 {
        let frame = Frame::of_box(self.bounds);
        let of_volume = match self.kind {
            MeshKind::Solid => volume::volume_centroid(frame, self.corners()),
            MeshKind::Surface => None,
        };
        of_volume.unwrap_or_else(|| volume::area_centroid(frame, self.corners()))
    }

    /// The corners of all triangles, in order.
    fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + Clone {
        (0..self.triangles.len()).map(|triangle| self.triangle(triangle))
    }

    /// The input triangle a triangle comes from; several come from one that was split.
    /// Panics if there is no such triangle.
    pub fn source_triangle(&self, triangle: usize) -> usize {
        self.source_triangles[triangle] as usize
    }

    /// The input position a vertex comes from, the first of those that were welded.
    /// Panics if there is no such vertex.
    pub fn source_vertex(&self, vertex: usize) -> usize {
        self.source_vertices[vertex] as usize
    }

    /// The mesh as plain triangles; building it again gives the same mesh.
    pub fn to_soup(&self) -> TriangleSoup {
        TriangleSoup {
            positions: self.positions.clone(),
            triangles: self.triangles.clone(),
            parts: self.parts.clone(),
        }
    }
}
