//! What of a body is drawn: triangles that face the other body and may meet it during the step, with their edges and vertices.

use super::clip::{Outline, facing, facing_at, normal};
use super::coordinates::Chart;
use super::doppel::{Unwrapped, anchor};
use super::drawing::{Active, Drawing, FACING, Role, View};
use super::edges::EdgeState;
use super::extent::{Extent, joined};
use super::spot::Spot;
use crate::math::Pose;
use crate::screw::surface::{Cell, NONE, Surface};
use std::f64::consts::{PI, TAU};

impl Drawing {
    /// Where it is.
    pub fn turn(&mut self, pose: &Pose, chart: &Chart) {
        self.matrix = chart.rows * pose.rotation();
        self.placement = chart.scaled(self.matrix, pose);
    }

    /// Forgets the last step, at the cost of what was drawn then, and places all vertices; a box around them.
    pub fn begin(&mut self, surface: &Surface, chart: &Chart) -> Extent {
        self.forget_marks(surface);
        if self.edges.len() == surface.edges.len() {
            self.drawn.iter().for_each(|&edge| self.edges[edge as usize] = EdgeState::NEW);
        } else {
            self.edges.clear();
            self.edges.resize(surface.edges.len(), EdgeState::NEW);
        }
        self.drawn.clear();
        self.placed.clear();
        self.placed.extend(0..surface.positions.len() as u32);
        self.active.clear();
        self.outlines.clear();
        self.extent = Extent::EMPTY;
        self.heights = [f64::INFINITY, f64::NEG_INFINITY];
        self.place_all(surface, chart)
    }

    /// Of vertices.
    pub(super) fn forget_marks(&mut self, surface: &Surface) {
        if self.marks.len() == surface.positions.len() {
            self.placed.iter().for_each(|&vertex| self.marks[vertex as usize] = 0);
        } else {
            self.marks.clear();
            self.marks.resize(surface.positions.len(), 0);
        }
        self.spots.resize(surface.positions.len(), Spot::default());
    }

    /// Which way a triangle faces at one of its vertices: positive toward the other body.
    pub(super) fn facing_at(&self, surface: &Surface, chart: &Chart, triangle: u32, vertex: u32) -> f64 {
        let triangle = &surface.triangles[triangle as usize];
        if triangle.is_two_sided {
            return 1.0;
        }
        let normal = normal(triangle.corners.map(|v| self.spots[v as usize].p));
        self.sign() * facing_at(chart, self.speed, normal, self.spots[vertex as usize].p)
    }

    fn sign(&self) -> f64 {
        if self.role == Role::Moves { 1.0 } else { -1.0 }
    }

    /// Picks triangles that may meet what is in a box, and what of their edges is needed.
    pub fn select(&mut self, surface: &Surface, view: &View<'_>, other: &Extent) {
        if surface.triangles.len() == surface.cells.len() {
            // In their own order, in which triangles of a face follow each other.
            let all = 0..surface.triangles.len() as u32;
            return all.for_each(|number| self.select_triangle(surface, number, view, other));
        }
        for cell in &surface.cells {
            match cell.triangle {
                NONE => self.select_loose(cell, view, other),
                number => self.select_triangle(surface, number, view, other),
            }
        }
    }

    #[inline]
    fn select_triangle(&mut self, surface: &Surface, number: u32, view: &View<'_>, other: &Extent) {
        let triangle = &surface.triangles[number as usize];
        let [x, y, z] = triangle.corners.map(|v| &self.spots[v as usize]);
        let (normal, values) = facing(view.chart, self.speed, [x.p, y.p, z.p]);
        let sign = self.sign();
        let values = if triangle.is_two_sided { [1.0; 3] } else { values.map(|value| sign * value) };
        if values[0] <= 0.0 && values[1] <= 0.0 && values[2] <= 0.0 {
            return;
        }
        let is_whole = values[0] >= 0.0 && values[1] >= 0.0 && values[2] >= 0.0;
        let hull = Extent::hull(view.chart, [&x.at(), &y.at(), &z.at()]);
        let is_plain = is_whole && hull.angle[1] - hull.angle[0] < PI;
        let (extent, outline) = match is_plain {
            true => (hull, NONE),
            false => {
                let unwrapped = self.unwrapped(view.chart, triangle.corners, values);
                self.outlines.push(unwrapped);
                (unwrapped.extent, self.outlines.len() as u32 - 1)
            }
        };
        let copies = self.copies(&extent, view, other);
        if copies[0] <= copies[1] {
            let active = Active { triangle: number, normal, extent, copies, outline };
            self.mark(surface, &active, values, is_whole);
        }
    }

    fn unwrapped(&self, chart: &Chart, corners: [u32; 3], values: [f64; 3]) -> Unwrapped {
        let spots = corners.map(|v| &self.spots[v as usize]);
        let anchors = std::array::from_fn(|side| {
            // The same end as the edge's: of equal ones that with the smaller number.
            let (i, j) = (side, (side + 1) % 3);
            let (i, j) = if corners[i] < corners[j] { (i, j) } else { (j, i) };
            let end = [i, j][anchor([&spots[i].at(), &spots[j].at()])];
            (spots[end].p, spots[end].angle)
        });
        Unwrapped::new(chart, Outline::clipped(spots.map(|spot| spot.p), values), anchors)
    }

    /// Turns after which something may meet the other body; an empty range if none.
    #[inline]
    fn copies(&self, extent: &Extent, view: &View<'_>, other: &Extent) -> [i32; 2] {
        let View { chart, step, turns, .. } = view;
        let mut found = [i32::MAX, i32::MIN];
        let mut add = |k: i32| found = [found[0].min(k), found[1].max(k)];
        if self.role == Role::Moves {
            let meets = |k: i32| other.window(extent, chart, TAU * f64::from(k), *step).is_some();
            if (turns[0]..=turns[1]).any(meets) {
                add(0);
            }
            return found;
        }
        let range = extent.copies(other.angle, chart);
        for k in range[0]..=range[1] {
            if extent.window(other, chart, TAU * f64::from(k), *step).is_some() {
                add(k);
            }
        }
        found
    }

    #[inline]
    fn mark(&mut self, surface: &Surface, active: &Active, values: [f64; 3], is_whole: bool) {
        let triangle = &surface.triangles[active.triangle as usize];
        let outline = self.outlines.get(active.outline as usize);
        // Which way an edge through the axis goes around it is rounding: one turn more on both sides.
        let is_around = outline.is_some_and(|outline| outline.extent.radius[0] == 0.0);
        let more = i32::from(is_around);
        for side in 0..3 {
            let turns = outline.map_or(0, |outline| outline.turns[side]);
            let edge = triangle.edges[side];
            if edge != NONE {
                let state = &mut self.edges[edge as usize];
                if state.is_new() {
                    self.drawn.push(edge);
                }
                state.add([active.copies[0] + turns - more, active.copies[1] + turns + more]);
                state.is_cut |= active.outline != NONE && !is_whole;
            }
            let h = self.spots[triangle.corners[side] as usize].screen.h;
            self.heights = joined(self.heights, [h; 2]);
            self.marks[triangle.corners[side] as usize] |= if values[side] >= 0.0 { FACING } else { 0 };
        }
        let mut drawn = active.extent;
        if active.copies != [0, 0] {
            let [first, last] = active.copies.map(|k| TAU * f64::from(k));
            drawn.angle = [drawn.angle[0] + first, drawn.angle[1] + last];
        }
        if is_around {
            drawn.angle = [drawn.angle[0] - TAU, drawn.angle[1] + TAU];
        }
        self.extent.join(&drawn);
        self.active.push(*active);
    }

    /// Edges and vertices that belong to no triangle are drawn, too.
    pub(super) fn select_loose(&mut self, cell: &Cell, view: &View<'_>, other: &Extent) {
        let [x, y, z] = cell.corners.map(|v| self.spots[v as usize].at());
        let mut extent = Extent::hull(view.chart, [&x, &y, &z]);
        if extent.angle[1] - extent.angle[0] >= PI && !view.chart.is_straight {
            (extent.radius[0], extent.angle) = (0.0, [extent.angle[0] - TAU, extent.angle[1] + TAU]);
        }
        let copies = self.copies(&extent, view, other);
        if copies[0] > copies[1] {
            return;
        }
        for v in cell.corners {
            self.marks[v as usize] |= FACING;
            let h = self.spots[v as usize].screen.h;
            self.heights = joined(self.heights, [h; 2]);
        }
        for &edge in cell.edges.iter().filter(|&&e| e != NONE) {
            self.edges[edge as usize].add(copies);
            self.drawn.push(edge);
        }
        self.extent.join(&extent);
    }
}
