//! Ways out of a solid: how far along a direction a piece of another surface has to go.
//!
//! Over a piece stands a column along the direction. Where the column is free of the solid's triangles above some height,
//! and outside the solid there, a point of the piece inside the solid leaves it below that height. One column sees many
//! triangles at once, however small they are.

use super::common::box_in_frame;
use super::tree_mesh::TreeMesh;
use crate::Aabb;
use crate::math::Pose;
use crate::pair::PointLocation;
use crate::solid;
use glam::{DMat3, DVec3};

/// A bound of the distance of any point of a triangle that is inside a solid from the solid's triangles, if going along a
/// direction of length one shows one below `height`.
///
/// All positions may be off by `room / 2`, in the world. Above the highest triangle in the column no point is on the
/// surface; the rest of the column is convex, so one point outside proves all of it outside. A point `x` of the triangle
/// inside the solid has then a point of the surface above it, at most that height minus its own away.
pub(super) fn way_out(
    corners: [DVec3; 3],
    direction: DVec3,
    height: f64,
    room: f64,
    (solid, pose): (&TreeMesh, &Pose),
) -> Option<f64> {
    let column = Column::over(corners, direction, height, room);
    let mut top = column.min.z;
    let (mut polygon, mut next) = (Vec::new(), Vec::new());
    solid.tree().visit(box_in_frame(pose, column.around()), |triangle| {
        let triangle = solid.mesh().triangle(triangle as usize);
        polygon.clear();
        polygon.extend(triangle.map(|corner| column.turn * pose.apply(corner)));
        for (axis, bound, side) in column.planes() {
            cut(&polygon, |p| side * (p[axis] - bound), &mut next);
            std::mem::swap(&mut polygon, &mut next);
        }
        top = polygon.iter().fold(top, |top, p| top.max(p.z));
    });
    top += room;
    if top >= column.max.z {
        return None;
    }
    let above = 0.5 * (column.min + column.max).with_z(top + column.max.z);
    let above = column.turn.transpose() * above;
    let is_outside = solid::location(&solid.at(pose), Pose::IDENTITY.at(above)) == PointLocation::Outside;
    is_outside.then_some(top - column.min.z)
}

/// A column over a triangle, in a frame whose third axis points along it.
struct Column {
    /// From the world to the column's frame.
    turn: DMat3,
    min: DVec3,
    max: DVec3,
}

impl Column {
    fn over(corners: [DVec3; 3], direction: DVec3, height: f64, room: f64) -> Column {
        let (u, v) = direction.any_orthonormal_pair();
        let turn = DMat3::from_cols(u, v, direction).transpose();
        let [p, q, r] = corners.map(|corner| turn * corner);
        let (min, mut max) = (p.min(q).min(r) - room, p.max(q).max(r) + room);
        max.z = min.z + height;
        Column { turn, min, max }
    }

    /// A box of the world around it.
    fn around(&self) -> Aabb {
        let (center, half) = (0.5 * (self.min + self.max), 0.5 * (self.max - self.min));
        let middle = self.turn.transpose() * center;
        let rows = [self.turn.row(0), self.turn.row(1), self.turn.row(2)];
        // A little more than rounding takes away.
        let reach = 1.000_001 * (rows[0].abs() * half.x + rows[1].abs() * half.y + rows[2].abs() * half.z);
        Aabb { min: middle - reach, max: middle + reach }
    }

    /// Axis, place and inner side of its six faces.
    fn planes(&self) -> [(usize, f64, f64); 6] {
        std::array::from_fn(|i| match i % 2 {
            0 => (i / 2, self.min[i / 2], 1.0),
            _ => (i / 2, self.max[i / 2], -1.0),
        })
    }
}

/// The part of a convex polygon where a linear function is not negative.
fn cut(polygon: &[DVec3], function: impl Fn(DVec3) -> f64, inner: &mut Vec<DVec3>) {
    inner.clear();
    for (i, &to) in polygon.iter().enumerate() {
        let from = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (at_from, at_to) = (function(from), function(to));
        if (at_from < 0.0) != (at_to < 0.0) {
            inner.push(from + (to - from) * (at_from / (at_from - at_to)));
        }
        if at_to >= 0.0 {
            inner.push(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Mesh, MeshConfig, sample};

    #[test]
    fn the_way_out_of_a_cube_is_straight() {
        let cube = sample::cube(2.0).to_soup();
        let cube = TreeMesh::new(Mesh::build(&cube, &MeshConfig::default()).unwrap());
        let low = cube.mesh().bounds().min;
        let corners = [DVec3::new(0.5, 0.5, 1.5), DVec3::new(1.5, 0.5, 1.5), DVec3::new(0.5, 1.5, 1.5)];
        let corners = corners.map(|corner| low + corner);
        let out = |direction: DVec3, height: f64| {
            way_out(corners, direction, height, 1e-12, (&cube, &Pose::IDENTITY))
        };
        let found = out(DVec3::Z, 1.0).unwrap();
        assert!((0.5..0.5 + 1e-11).contains(&found), "{found}");
        // Sideways the nearest corner counts, and the top of the column has to be outside.
        let found = out(DVec3::X, 3.0).unwrap();
        assert!((1.5..1.5 + 1e-11).contains(&found), "{found}");
        assert_eq!(out(DVec3::Z, 0.4), None);
        assert_eq!(out(DVec3::X, 1.4), None);
        // Outside below, a column that ends inside shows nothing.
        let below = corners.map(|corner| corner - 3.0 * DVec3::Z);
        assert_eq!(way_out(below, DVec3::Z, 2.0, 1e-12, (&cube, &Pose::IDENTITY)), None);
    }
}
