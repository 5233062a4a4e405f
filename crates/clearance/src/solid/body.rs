//! A mesh where it is, and its parts that bound something.

use super::search::TriangleSearch;
use crate::exact::{Posed, Vector};
use crate::math::Pose;
use crate::shape::{Mesh, MeshKind};

/// A mesh under a pose, with a way to find its triangles.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a, S> {
    /// What it is.
    pub mesh: &'a Mesh,
    /// Where it is.
    pub pose: &'a Pose,
    /// Finds triangles of the mesh.
    pub search: &'a S,
}

impl<'a, S: TriangleSearch> Body<'a, S> {
    pub(super) fn is_solid(&self) -> bool {
        self.mesh.kind() == MeshKind::Solid
    }

    /// The corners of a triangle.
    pub(super) fn triangle(&self, triangle: u32) -> [Posed<'a>; 3] {
        self.mesh.triangle(triangle as usize).map(|point| self.pose.at(point))
    }
}

/// From one point to another.
pub(super) fn between<'a>(from: Posed<'a>, to: Posed<'a>) -> Vector<'a> {
    Vector::Between(from, to)
}

/// Which triangles of a mesh are membranes, see [`is_membrane`]. They take no part in any winding number.
pub(super) struct Faces {
    /// Empty if there is no membrane.
    membrane: Vec<bool>,
    /// The components of the others; empty if there is no membrane.
    component_of: Vec<u32>,
}

/// The component of a membrane.
const NONE: u32 = u32::MAX;

impl Faces {
    /// `O(1)` unless the mesh was built with copies of triangles, else `O(n)`.
    pub fn new(mesh: &Mesh) -> Faces {
        if mesh.kind() == MeshKind::Surface || mesh.report().duplicate_kept.is_empty() {
            return Faces { membrane: Vec::new(), component_of: Vec::new() };
        }
        let membrane: Vec<bool> = (0..mesh.triangles().len()).map(|t| has_opposite(mesh, t)).collect();
        let component_of = components(mesh, &membrane);
        Faces { membrane, component_of }
    }

    pub fn is_membrane(&self, triangle: u32) -> bool {
        self.membrane.get(triangle as usize) == Some(&true)
    }

    /// The component of a triangle among those that are no membranes; `None` for a membrane.
    pub fn component_of(&self, mesh: &Mesh, triangle: u32) -> Option<u32> {
        match self.component_of.get(triangle as usize) {
            Some(&NONE) => None,
            Some(&component) => Some(component),
            None => Some(mesh.component_of(triangle as usize)),
        }
    }

    /// The first triangle of each component of those that are no membranes, in order of the components.
    pub fn first_triangles(&self, mesh: &Mesh) -> Vec<u32> {
        if self.component_of.is_empty() {
            return mesh.components().map(|triangles| triangles[0]).collect();
        }
        let mut first = Vec::new();
        for (triangle, &component) in (0..).zip(&self.component_of) {
            if component != NONE && component as usize == first.len() {
                first.push(triangle);
            }
        }
        first
    }
}

/// Whether a triangle of a mesh is a membrane: another one has the same corners the other way round. Never in a surface.
///
/// A membrane is a wall of no thickness inside a solid, or a fin; it can be touched, but has no side that it could bound.
/// `O(1)` but for the triangles at an edge. Panics if there is no such triangle.
pub fn is_membrane(mesh: &Mesh, triangle: u32) -> bool {
    mesh.kind() == MeshKind::Solid
        && !mesh.report().duplicate_kept.is_empty()
        && has_opposite(mesh, triangle as usize)
}

/// The edge-connected components of the triangles of a mesh that are no membranes, in order of their first triangles.
pub(crate) fn wall_components(mesh: &Mesh) -> Vec<Vec<u32>> {
    let faces = Faces::new(mesh);
    let mut components = vec![Vec::new(); faces.first_triangles(mesh).len()];
    for triangle in 0..mesh.triangles().len() as u32 {
        if let Some(component) = faces.component_of(mesh, triangle) {
            components[component as usize].push(triangle);
        }
    }
    components
}

fn has_opposite(mesh: &Mesh, triangle: usize) -> bool {
    let [p, q, r] = mesh.triangles()[triangle];
    let opposite = [[p, r, q], [r, q, p], [q, p, r]];
    let near = mesh.edge_triangles(mesh.triangle_edges(triangle)[0] as usize);
    near.iter().any(|&other| opposite.contains(&mesh.triangles()[other as usize]))
}

/// Labels of the edge-connected components of unmarked triangles, numbered by first triangle.
fn components(mesh: &Mesh, marked: &[bool]) -> Vec<u32> {
    let mut labels = vec![NONE; marked.len()];
    let (mut count, mut open) = (0, Vec::new());
    for seed in (0..marked.len()).filter(|&t| !marked[t]) {
        if labels[seed] != NONE {
            continue;
        }
        labels[seed] = count;
        open.push(seed);
        while let Some(triangle) = open.pop() {
            for edge in mesh.triangle_edges(triangle) {
                for &next in mesh.edge_triangles(edge as usize) {
                    if !marked[next as usize] && labels[next as usize] == NONE {
                        labels[next as usize] = count;
                        open.push(next as usize);
                    }
                }
            }
        }
        count += 1;
    }
    labels
}
