//! What a part looks like: triangles for pictures, its box, its path.

use super::{
    model::{Motion, Path},
    parts::AssembledPart,
};
use crate::path::Path as Way;
use clearance::{
    Aabb, Pose,
    glam::DVec3,
    mesh::TreeMesh,
    shape::{Mesh, Shape, TriangleSoup},
};
use clearance_io::picture::{Fineness, tessellate};

/// Triangles of a part in its own frame; `None` if it is unbounded, a segment or a point.
pub fn soup_of(part: &AssembledPart) -> Option<TriangleSoup> {
    match (&part.shape, mesh_of(part)) {
        (_, Some(mesh)) => Some(mesh.to_soup()),
        (Some(shape), None) => tessellate(shape, Fineness::default()),
        (None, None) => None,
    }
}

/// The mesh of a part, if it is one.
fn mesh_of(part: &AssembledPart) -> Option<&Mesh> {
    match part.shape.as_deref() {
        Some(Shape::Mesh(mesh)) => Some(mesh),
        Some(Shape::Polytope(_) | Shape::Primitive(_) | Shape::Rounded(_)) => None,
        None => part.body.as_mesh().map(TreeMesh::mesh),
    }
}

/// solid, surface, polytope, rounded or the name of a primitive.
pub fn kind_of(part: &AssembledPart) -> &'static str {
    part.shape.as_ref().map_or_else(|| part.body.kind_name(), |shape| shape.kind_name())
}

/// How many triangles a part has; 0 for shapes that are not meshes.
pub fn triangles_of(part: &AssembledPart) -> u64 {
    mesh_of(part).map_or(0, |mesh| mesh.triangles().len() as u64)
}

/// The box around a part, in the world, at the start of its motion, rounded; `None` if it is unbounded.
///
/// Tight around corners; of curved parts, around the box in their own frame.
pub fn bounds_of(part: &AssembledPart) -> Option<Aabb> {
    match (part.shape.as_deref(), mesh_of(part)) {
        (_, Some(mesh)) => around(mesh.positions().iter().copied(), &part.pose),
        (Some(Shape::Polytope(polytope)), None) => around(polytope.vertices().iter().copied(), &part.pose),
        (shape, None) => {
            let Aabb { min, max } = shape?.bounds()?;
            let pick = |i: u32, axis: usize| if i >> axis & 1 == 1 { max[axis] } else { min[axis] };
            around((0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))), &part.pose)
        }
    }
}

fn around(points: impl Iterator<Item = DVec3>, pose: &Pose) -> Option<Aabb> {
    let placed = points.map(|point| pose.apply(point));
    placed.fold(None, |bounds, point| match bounds {
        None => Some(Aabb { min: point, max: point }),
        Some(Aabb { min, max }) => Some(Aabb { min: min.min(point), max: max.max(point) }),
    })
}

/// How a part moves; `None` if it rests.
pub fn motion_of(part: &AssembledPart) -> Option<Motion> {
    let way = Way::of(&part.pose, part.motion);
    let [t0, t1] = way.times()?;
    let path = match (&way, way.screw()) {
        (_, Some(screw)) => Path::Screw {
            axis: screw.axis().to_array(),
            center: screw.center().to_array(),
            angle: screw.angle(),
            shift: screw.shift(),
        },
        (Way::Straight { displacement, .. }, _) => Path::Displacement(displacement.to_array()),
        _ => return None,
    };
    Some(Motion { t0, t1, path })
}
