//! A flat polygon and a surface.

use crate::math::Pose;
use crate::mesh::{self, MeshCache, TreeMesh};
use crate::pair::{self, Relation};
use crate::shape::{MeshKind, Polytope};
use crate::support::SupportMap;

/// The relation of a polytope and a mesh under their poses, given that of the polytope's triangles and the mesh: the same,
/// but for a polygon that a triangle of a surface crosses along a cut between triangles of the polygon. Then the polygon
/// overlaps, and its triangles only touch.
pub(crate) fn without_cuts(
    of_triangles: Relation,
    polytope: &SupportMap,
    pose: &Pose,
    surface: &TreeMesh,
    mesh: &TreeMesh,
    pose_mesh: &Pose,
) -> Relation {
    let is_open = polytope.polytope().dimension() == 2 && mesh.mesh().kind() == MeshKind::Surface;
    if of_triangles != Relation::Touching || !is_open {
        return of_triangles;
    }
    let contacts = mesh::contacts_with(mesh, pose_mesh, surface, pose, &mut MeshCache::default());
    let mut triangles: Vec<u32> = contacts.iter().map(|contact| contact.triangles[0]).collect();
    triangles.sort_unstable();
    triangles.dedup();
    let crosses = |&triangle: &u32| {
        let hull = Polytope::hull(&mesh.mesh().triangle(triangle as usize)).map(SupportMap::new);
        hull.is_ok_and(|hull| pair::relation(polytope, pose, &hull, pose_mesh) == Relation::Overlapping)
    };
    if triangles.iter().any(crosses) { Relation::Overlapping } else { Relation::Touching }
}
