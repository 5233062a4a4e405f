//! What a part looks like: triangles for pictures, its box, its path.

use super::{
    model::{Motion, Path},
    parts::AssembledPart,
};
use clearance::{
    Aabb, Pose,
    glam::DVec3,
    mesh::TreeMesh,
    shape::{Mesh, Shape, TriangleSoup},
};
use clearance_io::{
    picture::{Fineness, tessellate},
    scene::{self, Movement},
};

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

/// How a part moves, for people; `None` if it rests or flies on for ever.
pub fn motion_of(part: &AssembledPart) -> Option<Motion> {
    let scene::Motion { t0, t1, movement } = part.motion?;
    let path = match movement {
        Movement::Translate { displacement } => Path::Displacement(displacement.to_array()),
        Movement::To { pose } => screw_of(&part.pose, &pose),
        Movement::Fly { .. } => return None,
    };
    Some(Motion { t0, t1, path })
}

/// The turn about an axis and the shift along it that lead from one pose to another, rounded (Chasles).
fn screw_of(from: &Pose, to: &Pose) -> Path {
    let turn = to.rotation() * from.rotation().transpose();
    let way = to.translation() - turn * from.translation();
    let (axis, angle) = clearance::glam::DQuat::from_mat3(&turn).normalize().to_axis_angle();
    let half = 0.5 * angle;
    // Without a turn there is no axis to turn about.
    if half.sin().abs() <= f64::EPSILON {
        return Path::Displacement((to.translation() - from.translation()).to_array());
    }
    let shift = axis.dot(way);
    let across = way - axis * shift;
    let center = 0.5 * (across + axis.cross(across) / half.tan());
    Path::Screw { axis: axis.to_array(), center: center.to_array(), angle, shift }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: the screw carried out leads to the pose it was made from.
    #[test]
    fn a_screw_leads_from_pose_to_pose() {
        let pose = |axis: DVec3, angle: f64, at: DVec3| Pose::from_axis_angle(axis, angle, at).unwrap();
        let from = pose(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.4, DVec3::new(3.0, -1.0, 7.0));
        for angle in [-3.0, -0.5, 0.3, 1.5, 3.1] {
            let to = pose(DVec3::new(2.0, 1.0, -2.0) / 3.0, angle, DVec3::new(-5.0, 2.0, 0.5));
            let Path::Screw { axis, center, angle, shift } = screw_of(&from, &to) else {
                panic!("the pose turns");
            };
            let [axis, center] = [axis, center].map(DVec3::from_array);
            let point = DVec3::new(0.3, 0.2, -0.9);
            let turned = clearance::glam::DQuat::from_axis_angle(axis, angle) * (from.apply(point) - center);
            let error = (center + turned + axis * shift - to.apply(point)).length();
            assert!(error < 1e-12, "{error}");
        }
        let shifted = pose(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.4, DVec3::new(4.0, -1.0, 7.0));
        assert_eq!(screw_of(&from, &shifted), Path::Displacement([1.0, 0.0, 0.0]));
    }
}
