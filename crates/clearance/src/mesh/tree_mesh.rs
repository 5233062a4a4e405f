//! A mesh prepared for queries.

use super::enclosure::extreme_vertices;
use super::self_intersection::self_intersections;
use crate::Aabb;
use crate::math::Pose;
use crate::shape::{Mesh, MeshConfig, MeshError, MeshKind, Polytope, TriangleSoup};
use crate::solid::{Body, SelfIntersection, TriangleSearch};
use crate::support::SupportMap;
use crate::tree::{Placed, Tree, TreeError};
use std::sync::OnceLock;

/// A mesh and the tree over its triangles.
///
/// Built in `O(n log n)` on all threads; about 100 bytes a triangle beside the mesh.
#[derive(Clone, Debug)]
pub struct TreeMesh {
    mesh: Mesh,
    tree: Tree,
    /// Six vertices of each component: those that reach farthest along the axes, up and down.
    pub(super) extremes: Vec<[u32; 6]>,
    /// Made when first needed.
    hull: OnceLock<Box<SupportMap>>,
    /// Where it crosses itself; found when first needed.
    crossings: OnceLock<Box<[SelfIntersection]>>,
}

impl TreeMesh {
    /// Prepares a mesh.
    pub fn new(mesh: Mesh) -> TreeMesh {
        let (tree, extremes) = (Tree::build(&mesh), extreme_vertices(&mesh));
        TreeMesh { mesh, tree, extremes, hull: OnceLock::new(), crossings: OnceLock::new() }
    }

    /// A mesh and a tree that was stored with it. `O(n)`.
    ///
    /// # Errors
    /// The tree is not one over this mesh.
    pub fn with_tree(mesh: Mesh, tree: Tree) -> Result<TreeMesh, TreeError> {
        tree.validate(&mesh)?;
        let extremes = extreme_vertices(&mesh);
        Ok(TreeMesh { mesh, tree, extremes, hull: OnceLock::new(), crossings: OnceLock::new() })
    }

    /// The surface of a polytope, which bounds the same solid if the polytope has an inside; faces are cut into
    /// triangles, vertices stay as they are, so every relation to it is that of the polytope.
    ///
    /// # Errors
    /// Points and segments have no triangles.
    pub fn from_polytope(polytope: &Polytope) -> Result<TreeMesh, MeshError> {
        let fan = |face: &[u32]| -> Vec<[u32; 3]> {
            (1..face.len().saturating_sub(1)).map(|i| [face[0], face[i], face[i + 1]]).collect()
        };
        let triangles = polytope.faces().flat_map(fan).collect();
        let soup =
            TriangleSoup { positions: polytope.vertices().to_vec(), triangles, ..TriangleSoup::default() };
        let surface = TreeMesh::new(Mesh::build(&soup, &MeshConfig::default())?);
        let _ = surface.crossings.set(Box::default());
        Ok(surface)
    }

    /// The mesh itself.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The convex hull of its vertices; built by the first call, `O(n log n)`, and kept.
    pub fn hull(&self) -> &SupportMap {
        self.hull.get_or_init(|| {
            let Ok(hull) = Polytope::hull(self.mesh.positions()) else {
                unreachable!("vertices of a mesh are finite and not too large")
            };
            Box::new(SupportMap::new(hull))
        })
    }

    /// Where a solid crosses or folds onto itself, so that it may wind around something backwards; nothing for a surface.
    ///
    /// Found by the first call, as [`self_intersections`] are, and kept.
    pub(super) fn crossings(&self) -> &[SelfIntersection] {
        self.crossings.get_or_init(|| match self.mesh.kind() {
            MeshKind::Surface => Box::default(),
            MeshKind::Solid => {
                let mut found = self_intersections(self);
                // Copies of a triangle cut nothing: they have one rim.
                let sorted = |t: u32| {
                    let mut vertices = self.mesh.triangles()[t as usize];
                    vertices.sort_unstable();
                    vertices
                };
                found.retain(|pair| sorted(pair.triangles[0]) != sorted(pair.triangles[1]));
                found.into_boxed_slice()
            }
        })
    }

    /// As the exact decisions see it.
    pub(crate) fn at<'a>(&'a self, pose: &'a Pose) -> Body<'a, TreeMesh> {
        Body { mesh: &self.mesh, pose, search: self }
    }

    /// Whether some triangles may bound nothing: copies of triangles were kept when the mesh was built.
    pub(crate) fn may_have_membranes(&self) -> bool {
        !self.mesh.report().duplicate_kept.is_empty()
    }

    /// As float queries see it.
    pub(crate) fn placed<'a>(&'a self, pose: &'a Pose) -> Placed<'a> {
        Placed { mesh: &self.mesh, tree: &self.tree, pose }
    }
}

impl TriangleSearch for TreeMesh {
    fn visit(&self, within: Aabb, found: impl FnMut(u32)) {
        self.tree.visit(within, found);
    }
}

impl From<Mesh> for TreeMesh {
    fn from(mesh: Mesh) -> TreeMesh {
        TreeMesh::new(mesh)
    }
}
