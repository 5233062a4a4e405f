//! The corners of a mesh as its leaves store them, each computed once however many triangles share it.

use super::frame::Frame;
use crate::shape::Mesh;
use rayon::prelude::*;
use wide::f32x4;

/// Vertices that one thread takes at least.
const SHARE: usize = 4096;

/// All corners in the frame of the mesh, rounded to nearest.
pub(super) struct Corners<'a> {
    pub frame: Frame,
    points: Vec<f32x4>,
    triangles: &'a [[u32; 3]],
}

impl<'a> Corners<'a> {
    pub fn of(mesh: &'a Mesh) -> Corners<'a> {
        let frame = Frame::of_box(mesh.bounds());
        let positions = mesh.positions().par_iter().with_min_len(SHARE);
        let points = positions.map(|&position| frame.rounded(position)).collect();
        Corners { frame, points, triangles: mesh.triangles() }
    }

    #[inline]
    pub fn triangle(&self, triangle: u32) -> [f32x4; 3] {
        self.triangles[triangle as usize].map(|vertex| self.points[vertex as usize])
    }
}
