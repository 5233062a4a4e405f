//! What of a body is drawn if nothing is seen around the axis: triangles that face the other body and may meet it during the step,
//! with their edges and vertices.

use super::clip::{ROUNDING, normal};
use super::drawing::{Active, Drawing, FACING, Role, View};
use super::extent::{Extent, joined, most};
use super::hierarchy::Group;
use crate::screw::surface::{NONE, Surface, Triangle};
use glam::DVec3;

/// A triangle that faces the other body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facing {
    triangle: u32,
    normal: DVec3,
    /// How fast each corner moves toward the other body, and what of that is rounding.
    values: [f64; 3],
    least: f64,
}

/// So many triangles are taken in their own order, in which those of a face follow each other; more in that of the tree, in which
/// what follows each other is surely near.
const FEW: usize = 1024;

impl Drawing {
    /// Picks triangles of some groups, with their edges and vertices.
    ///
    /// A face that turns away in part is drawn whole: clipping costs more than it saves, and what meets the part that turns away
    /// leaves.
    pub(super) fn pick(&mut self, surface: &Surface, view: &View, groups: &[Group]) {
        let mut facing = std::mem::take(&mut self.facing);
        for group in groups {
            let count = self.find_facing(surface, view, group, &mut facing);
            for found in &facing[..count] {
                let triangle = &surface.triangles[found.triangle as usize];
                let [x, y, z] = triangle.corners.map(|v| &self.spots[v as usize]);
                let extent = Extent::hull(&view.chart, [&x.at, &y.at, &z.at]);
                let heights = [x, y, z].map(|spot| spot.screen.h);
                let (rests, moves) = match self.role {
                    Role::Rests => (&extent, &group.other),
                    Role::Moves => (&group.other, &extent),
                };
                if rests.window(moves, &view.chart, 0.0, view.step).is_some() {
                    self.extent.join(&extent);
                    heights.into_iter().for_each(|h| self.heights = joined(self.heights, [h; 2]));
                    self.mark_whole(surface, view, triangle, found, extent);
                }
            }
        }
        self.facing = facing;
    }

    /// How many were found.
    fn find_facing(
        &mut self,
        surface: &Surface,
        view: &View,
        group: &Group,
        facing: &mut Vec<Facing>,
    ) -> usize {
        let cells = &surface.cells[group.cells[0] as usize..group.cells[1] as usize];
        let is_own = cells.len() <= FEW && cells.len() == surface.triangles.len();
        facing.resize(cells.len().max(facing.len()), Facing::default());
        let sign = if self.role == Role::Moves { 1.0 } else { -1.0 };
        let (turn, shift, rounding) =
            (sign * view.chart.angle, sign * view.chart.shift, ROUNDING * self.speed);
        let facing = &mut facing[..];
        let mut count = 0;
        for (cell, own) in cells.iter().zip(0..) {
            let number = if is_own { own } else { cell.triangle };
            let Some(triangle) = surface.triangles.get(number as usize) else {
                self.select_loose(cell, view, &group.other);
                continue;
            };
            let corners = triangle.corners.map(|v| self.spots[v as usize].p);
            let normal = normal(corners);
            let values = corners.map(|p| turn * (normal.y * p.x - normal.x * p.y) + shift * normal.z);
            let least = rounding * normal.abs().element_sum();
            // Which way a triangle faces cannot be foretold: always written, and kept if it faces the other body.
            facing[count] = Facing { triangle: number, normal, values, least };
            let is_facing = most(most(values[0], values[1]), values[2]) > least;
            count += usize::from(is_facing | triangle.is_two_sided);
        }
        count
    }

    #[inline(always)]
    fn mark_whole(
        &mut self,
        surface: &Surface,
        view: &View,
        triangle: &Triangle,
        found: &Facing,
        extent: Extent,
    ) {
        let number = self.active.len() as u32;
        for side in 0..3 {
            let v = triangle.corners[side] as usize;
            let is_facing = (found.values[side] >= -found.least) | triangle.is_two_sided;
            self.marks[v] |= if is_facing { FACING } else { 0 };
            let edge = triangle.edges[side];
            if edge == NONE {
                continue;
            }
            let state = &mut self.edges[edge as usize];
            let is_forward = triangle.corners[side] < triangle.corners[(side + 1) % 3];
            let before = state.meet(number, is_forward);
            let Some(other) = self.active.get(before as usize) else {
                state.add([0, 0]);
                self.drawn.push(edge);
                continue;
            };
            // The third corner over the plane of the other triangle: as a sine between both, times lengths.
            let [from, to, third] =
                [side, (side + 1) % 3, (side + 2) % 3].map(|k| self.spots[triangle.corners[k] as usize].p);
            let height = other.normal.dot(third - from);
            let square = height * height * (to - from).length_squared();
            let size = other.normal.length_squared() * found.normal.length_squared();
            let is_flat = square <= FLAT * FLAT * size && other.normal.dot(found.normal) > 0.0;
            let is_hollow = height > 0.0 && square > view.hollow * size;
            state.is_hidden = (is_flat | is_hollow) && bounds_two(surface, edge);
        }
        self.active.push(Active {
            triangle: found.triangle,
            normal: found.normal,
            extent,
            copies: [0, 0],
            outline: NONE,
        });
    }
}

/// Triangles whose normals differ by less than this are one face, whatever their sides are called: an edge between them meets
/// nothing properly that does not meet a side of the face, or that has no vertex in it.
pub(super) const FLAT: f64 = 1e-9;

/// Whether an edge is between two triangles of a solid: others may be rims, whatever their normals are.
pub(super) fn bounds_two(surface: &Surface, edge: u32) -> bool {
    let triangles = surface.triangles_at_edge.of(edge);
    triangles.len() == 2 && triangles.iter().all(|&t| !surface.triangles[t as usize].is_two_sided)
}
