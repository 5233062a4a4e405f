//! How far a convex body is from the walls of a solid: those of its triangles that bound something, not its fins.
//!
//! `None` for meshes of which all triangles do.

use super::thin;
use crate::math::Pose;
use crate::mesh::TreeMesh;
use crate::pair::{Bracket, Distance};
use crate::shape::Polytope;
use crate::tree::{Nearer, Scratch, TreePair};
use crate::{solid, triangle};

/// Of a mesh without any wall.
const NOWHERE: Bracket = Bracket { lower: f64::INFINITY, upper: f64::INFINITY };

/// Relative width of distances beyond that of two triangles.
const RELATIVE_WIDTH: f64 = 1e-13;

/// From a point or a segment; looks at every triangle.
pub(super) fn from_thin(mesh: &TreeMesh, pose_mesh: &Pose, thin: &Polytope, pose: &Pose) -> Option<Bracket> {
    if !mesh.may_have_membranes() {
        return None;
    }
    let count = mesh.mesh().triangles().len();
    let walls = (0..count).filter(|&triangle| !solid::is_membrane(mesh.mesh(), triangle as u32));
    let ends = [thin.vertices()[0], *thin.vertices().last()?];
    let found = thin::scan(mesh, pose_mesh, walls, ends, pose);
    Some(found.map_or(NOWHERE, |(nearest, lower)| Bracket { lower, upper: nearest.upper }))
}

/// From a polygon or a polytope, given by its triangles.
pub(super) fn from_surface(
    mesh: &TreeMesh,
    pose_mesh: &Pose,
    surface: &TreeMesh,
    pose: &Pose,
) -> Option<Bracket> {
    if !mesh.may_have_membranes() {
        return None;
    }
    let pair = TreePair::new(mesh.tree(), pose_mesh, surface.tree(), pose);
    let (mut nearest, mut lower) = (None::<Distance>, f64::INFINITY);
    let limit = pair.nearest(None, RELATIVE_WIDTH, &mut Scratch::default(), |x, y, limit| {
        if solid::is_membrane(mesh.mesh(), x) {
            return None;
        }
        let corners = [mesh.mesh().triangle(x as usize), surface.mesh().triangle(y as usize)];
        let found = triangle::distance_below(corners[0], pose_mesh, corners[1], pose, limit)?;
        lower = lower.min(found.lower);
        if nearest.is_none_or(|known| found.upper < known.upper) {
            nearest = Some(found);
        }
        let direction = found.point_b - found.point_a;
        (found.upper < limit).then_some(Nearer { distance: found.upper, direction })
    });
    Some(nearest.map_or(NOWHERE, |nearest| Bracket {
        lower: lower.min(limit * (1.0 - 2.0 * RELATIVE_WIDTH)),
        upper: nearest.upper,
    }))
}
