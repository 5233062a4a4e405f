//! What of a body is drawn if nothing is seen around the axis: faces that look at the other body, with their sides and vertices,
//! found before any of them is placed.

use super::clip::ROUNDING;
use super::coordinates::Chart;
use super::drawing::{Drawing, FACING, PLACED, Role};
use super::facets::{Facets, Plane};
use super::hierarchy::Group;
use crate::screw::surface::Surface;
use glam::DVec3;

/// A face that looks at the other body, and how fast its middle moves toward it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picked {
    pub facet: u32,
    value: f64,
}

/// How a body moves toward the other one, as it sees it itself: with `glide + spin x p`.
struct Approach {
    glide: DVec3,
    spin: DVec3,
    /// The length of `spin`.
    turn: f64,
    /// What of a speed is rounding.
    least: f64,
}

impl Approach {
    fn new(drawing: &Drawing, chart: &Chart, reach: f64) -> Approach {
        let sign = if drawing.role == Role::Moves { 1.0 } else { -1.0 };
        let back = drawing.matrix.transpose();
        let glide = back * chart.velocity(drawing.placement.1) * (sign * chart.pixel());
        let spin = back.z_axis * (sign * chart.angle);
        let least = ROUNDING * (glide.abs().element_sum() + spin.abs().element_sum() * reach);
        Approach { glide, spin, turn: chart.angle.abs(), least }
    }

    #[inline(always)]
    fn value(&self, plane: &Plane) -> f64 {
        plane.normal.dot(self.glide) + plane.moment.dot(self.spin) + plane.bias
    }

    /// Of a face that looks away in part: where it does not, if anywhere.
    fn at_corners(&self, plane: &Plane, corners: [DVec3; 4]) -> Option<[u8; 4]> {
        let values = corners.map(|p| plane.normal.dot(self.glide + self.spin.cross(p)));
        let marks = values.map(|value| if value >= -self.least { FACING | PLACED } else { PLACED });
        values.into_iter().any(|value| value > self.least).then_some(marks)
    }
}

impl Drawing {
    /// Picks faces of some groups, or all, with their sides and vertices.
    ///
    /// A face that looks away in part is drawn whole: clipping costs more than it saves, and what meets the part that looks away
    /// leaves.
    pub(super) fn pick(&mut self, surface: &Surface, chart: &Chart, groups: Option<&[Group]>) {
        let facets = surface.facets();
        self.forget(surface, facets);
        let approach = Approach::new(self, chart, facets.reach);
        let count = match groups {
            Some(groups)
                if groups.iter().all(|group| ((group[1] - group[0]) as usize) < surface.cells.len()) =>
            {
                self.find_facing_of(facets, groups, &approach)
            }
            _ => self.find_facing(facets, &approach),
        };
        self.mark_picked(surface, facets, &approach, count);
    }

    /// How many were found.
    fn find_facing(&mut self, facets: &Facets, approach: &Approach) -> usize {
        self.whole.picked.resize(facets.facets.len() + 1, Picked::default());
        let (picked, mut count) = (&mut self.whole.picked[..], 0);
        for (plane, facet) in facets.planes.iter().zip(0..) {
            let value = approach.value(plane);
            // Which way a face looks cannot be foretold: always written, and kept if it looks at the other body.
            picked[count] = Picked { facet, value };
            count += usize::from(value + approach.turn * plane.radius > approach.least);
        }
        count
    }

    /// Of some groups of cells, each face once.
    fn find_facing_of(&mut self, facets: &Facets, groups: &[Group], approach: &Approach) -> usize {
        let (whole, mut count) = (&mut self.whole, 0);
        let each = || groups.iter().flat_map(|group| &facets.of_cell[group[0] as usize..group[1] as usize]);
        whole.picked.resize(each().count() + 1, Picked::default());
        for &facet in each() {
            if std::mem::replace(&mut whole.facet_marks[facet as usize], true) {
                continue;
            }
            let plane = &facets.planes[facet as usize];
            let value = approach.value(plane);
            whole.picked[count] = Picked { facet, value };
            count += usize::from(value + approach.turn * plane.radius > approach.least);
        }
        each().for_each(|&facet| whole.facet_marks[facet as usize] = false);
        count
    }

    /// Sides and vertices of faces, each once.
    fn mark_picked(&mut self, surface: &Surface, facets: &Facets, approach: &Approach, count: usize) {
        let whole = &mut self.whole;
        let (mut faces, mut corners, mut sides) = (0, 0, 0);
        // Always written, and kept if they are new.
        self.placed.resize(4 * count, 0);
        whole.sides.resize(4 * count, 0);
        let (placed, marks) = (&mut self.placed[..], &mut self.marks[..]);
        let (drawn, side_marks) = (&mut whole.sides[..], &mut whole.side_marks[..]);
        for at in 0..count {
            let picked = whole.picked[at];
            let (facet, plane) =
                (&facets.facets[picked.facet as usize], &facets.planes[picked.facet as usize]);
            let mut facing = [FACING | PLACED; 4];
            if picked.value - approach.turn * plane.radius < -approach.least {
                let places = facet.corners.map(|v| surface.positions[v as usize]);
                let Some(found) = approach.at_corners(plane, places) else { continue };
                facing = found;
            }
            whole.picked[faces] = picked;
            faces += 1;
            for k in 0..4 {
                let (vertex, side) = (facet.corners[k], facet.sides[k]);
                let mark = &mut marks[vertex as usize];
                placed[corners] = vertex;
                corners += usize::from(*mark == 0);
                *mark |= facing[k];
                let is_drawn = &mut side_marks[side as usize];
                drawn[sides] = side;
                sides += usize::from(!*is_drawn);
                *is_drawn = true;
            }
        }
        self.placed.truncate(corners);
        whole.sides.truncate(sides);
        whole.picked.truncate(faces);
    }

    /// The last step, at the cost of what was drawn then.
    fn forget(&mut self, surface: &Surface, facets: &Facets) {
        self.forget_marks(surface);
        let whole = &mut self.whole;
        if whole.side_marks.len() == facets.sides.len() {
            whole.sides.iter().for_each(|&side| whole.side_marks[side as usize] = false);
        } else {
            whole.side_marks.clear();
            whole.side_marks.resize(facets.sides.len(), false);
        }
        // No side is never drawn.
        if let Some(none) = whole.side_marks.last_mut() {
            *none = true;
        }
        whole.facet_marks.resize(facets.facets.len(), false);
    }
}
