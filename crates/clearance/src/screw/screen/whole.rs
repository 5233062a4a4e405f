//! Bodies of which nothing is seen around the axis: every edge is drawn once and whole, every face as a box.

use super::coordinates::OnScreen;
use super::curvature::Bend;
use super::drawing::{Chord, Dot, Drawing, FACING, FaceBox, FaceRun, Run, View};
use super::extent::{least, most};
use super::raster::{Grid, SLACK, divide, fill, is_straight};
use crate::screw::surface::{NONE, Surface, Triangle};
use glam::DVec3;

impl Drawing {
    pub(super) fn draw_whole(&mut self, surface: &Surface, view: &View, grid: &Grid) {
        self.draw_chords(surface, view, grid);
        self.bend_inner_sides(surface, view, grid);
        self.draw_boxes(surface, grid);
        self.draw_dots(grid);
    }

    fn draw_dots(&mut self, grid: &Grid) {
        self.dots.resize(self.placed.len(), Dot::default());
        let (dots, mut count) = (&mut self.dots[..], 0);
        for &vertex in &self.placed {
            let OnScreen { r, h, t } = self.spots[vertex as usize].screen;
            dots[count] = Dot { row: 0, vertex, r, h, t };
            let is_facing = self.marks[vertex as usize] & FACING != 0;
            count += usize::from(is_facing & grid.holds([r, r]));
        }
        self.dots.truncate(count);
    }

    /// Most edges are so short that their middles need not be known.
    fn draw_chords(&mut self, surface: &Surface, view: &View, grid: &Grid) {
        self.chords.clear();
        let mut bent = std::mem::take(&mut self.bent);
        bent.clear();
        for &edge in &self.drawn {
            let [from, to] = surface.edges[edge as usize].map(|v| &self.spots[v as usize]);
            let bend = self.curvature.bend((to.p - from.p).length_squared());
            let state = &mut self.edges[edge as usize];
            state.bend = bend;
            if !is_straight(grid, bend) {
                bent.push(edge);
            } else if !state.is_hidden {
                push_chord(&mut self.chords, grid, edge, [&from.screen, &to.screen], [0.0, 1.0]);
            }
        }
        for four in bent.chunks(4) {
            let points: [DVec3; 4] = std::array::from_fn(|i| {
                let [v, w] = surface.edges[four[i.min(four.len() - 1)] as usize];
                0.5 * (self.spots[v as usize].p + self.spots[w as usize].p)
            });
            for (middle, &edge) in view.chart.spots(points).iter().zip(four) {
                let [from, to] = surface.edges[edge as usize].map(|v| &self.spots[v as usize]);
                let bend = Bend::of([&from.screen, &middle.screen, &to.screen]);
                let state = &mut self.edges[edge as usize];
                state.bend = bend;
                // What crosses nothing only tells how far faces reach.
                if state.is_hidden {
                    continue;
                }
                let chords = &mut self.chords;
                divide(&view.chart, grid, [from, middle, to], bend, |from, to, s| {
                    push_chord(chords, grid, edge, [from, to], s);
                });
            }
        }
        self.bent = bent;
    }

    /// Sides inside faces of polytopes, in the order in which triangles have them; two triangles of a face, one after the other, have
    /// one in common.
    fn bend_inner_sides(&mut self, surface: &Surface, view: &View, grid: &Grid) {
        self.inner.clear();
        let mut last = NO_SIDE;
        for active in &self.active {
            let triangle = &surface.triangles[active.triangle as usize];
            for side in (0..3).filter(|&side| triangle.edges[side] == NONE) {
                let ends = inner_side(triangle, side);
                if ends != last {
                    let [from, to] = ends.map(|v| self.spots[v as usize].p);
                    self.inner.push((ends, self.curvature.bend((to - from).length_squared())));
                    last = ends;
                }
            }
        }
        for four in self.inner.chunks_mut(4) {
            if four.iter().all(|(_, bend)| is_straight(grid, *bend)) {
                continue;
            }
            let points: [DVec3; 4] = std::array::from_fn(|i| {
                let [v, w] = four[i.min(four.len() - 1)].0;
                0.5 * (self.spots[v as usize].p + self.spots[w as usize].p)
            });
            for (middle, (ends, bend)) in view.chart.spots(points).iter().zip(four) {
                let [from, to] = ends.map(|v| &self.spots[v as usize]);
                *bend = Bend::of([&from.screen, &middle.screen, &to.screen]);
            }
        }
    }

    /// Faces as boxes around their corners, wider by what their sides are bent: as good as runs between sides for faces that are
    /// not much larger than a tile, and drawn in a fraction of the time.
    fn draw_boxes(&mut self, surface: &Surface, grid: &Grid) {
        self.boxes.clear();
        let mut inner = self.inner.iter();
        let mut last = &(NO_SIDE, Bend::default());
        let mut widest: f64 = 0.0;
        for (active, number) in self.active.iter().zip(0..) {
            let triangle = &surface.triangles[active.triangle as usize];
            let spots = triangle.corners.map(|v| &self.spots[v as usize]);
            let mut bend = Bend::default();
            for side in 0..3 {
                if let Some(state) = self.edges.get(triangle.edges[side] as usize) {
                    bend.join(state.bend);
                    continue;
                }
                if inner_side(triangle, side) != last.0 {
                    last = inner.next().unwrap_or(last);
                }
                bend.join(last.1);
            }
            // A side is nowhere farther from its chord than this, and neither is the line at which a face turns away.
            let (off, late) = (2.0 * bend.place + SLACK, 2.0 * bend.time + grid.time);
            let [x, y, z] = spots.map(|spot| &spot.screen);
            let range =
                |x: f64, y: f64, z: f64, off: f64| [least(least(x, y), z) - off, most(most(x, y), z) + off];
            let (r, h) = (range(x.r, y.r, z.r, off), range(x.h, y.h, z.h, off));
            if grid.holds(r) {
                let sum = range(x.r + x.h, y.r + y.h, z.r + z.h, 2.0 * off);
                let t = range(x.t, y.t, z.t, late);
                self.boxes.push(FaceBox { active: number, slack: off, r, h, t, sum });
                widest = most(widest, off);
            }
        }
        self.heights = [self.heights[0] - widest, self.heights[1] + widest];
    }

    /// The same as runs of pixels, for the paper's ways to bring them together.
    pub(super) fn rasterise(&mut self, grid: &Grid) {
        self.runs.clear();
        self.faces.clear();
        for (chord, number) in self.chords.iter().zip(0..) {
            let runs = &mut self.runs;
            fill(grid, &chord.from, &chord.to, |row, h, t| runs.push(Run { row, chord: number, h, t }));
        }
        self.crossing = self.runs.len();
        self.dots.iter_mut().for_each(|dot| dot.row = grid.row(dot.r).unwrap_or(0));
        for &FaceBox { active, slack, r, h, t, .. } in &self.boxes {
            let [first, last] = grid.rows_between(r[0], r[1]).unwrap_or([1, 0]);
            self.faces.extend((first..=last).map(|row| FaceRun { row, active, slack, h, t }));
        }
    }
}

/// Between no vertices.
const NO_SIDE: [u32; 2] = [NONE; 2];

/// Ends of a side, the smaller number first.
#[inline(always)]
fn inner_side(triangle: &Triangle, side: usize) -> [u32; 2] {
    let (v, w) = (triangle.corners[side], triangle.corners[(side + 1) % 3]);
    if v < w { [v, w] } else { [w, v] }
}

#[inline(always)]
fn push_chord(chords: &mut Vec<Chord>, grid: &Grid, edge: u32, [from, to]: [&OnScreen; 2], s: [f64; 2]) {
    if grid.holds([least(from.r, to.r) - SLACK, most(from.r, to.r) + SLACK]) {
        let is_end = [s[0] == 0.0, s[1] == 1.0];
        chords.push(Chord { from: *from, to: *to, s, edge, is_end });
    }
}
