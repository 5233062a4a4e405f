//! A body drawn on the screen: its vertices, edges and faces that face the other body and may meet it [Buss04 §9].

use super::clip::{Outline, facing};
use super::coordinates::{Chart, Cylindrical, OnScreen};
use super::doppel::{Unwrapped, anchor};
use super::extent::Extent;
use super::raster::{Grid, Line, Sample, fill, flatten};
use crate::math::Pose;
use crate::screw::surface::{NONE, Surface};
use glam::{DMat3, DVec3};
use std::f64::consts::{PI, TAU};

/// Which body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A, of which what faces backward is drawn, as often as B may come around.
    Rests,
    /// B, of which what faces forward is drawn, once.
    Moves,
}

/// A vertex about the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub p: DVec3,
    pub at: Cylindrical,
    screen: OnScreen,
}

/// A triangle that is drawn, and how many turns further.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub triangle: u32,
    pub extent: Extent,
    copies: [i32; 2],
    /// Its outline, if that is not the triangle with the angles of its vertices.
    outline: u32,
}

/// A chord of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub from: OnScreen,
    pub to: OnScreen,
    /// Shares of the edge.
    pub s: [f64; 2],
    pub edge: u32,
    /// Whether the chord's ends are ends of the edge.
    pub is_end: [bool; 2],
}

/// Pixels of a chord in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub row: u32,
    pub chord: u32,
    pub h: [f64; 2],
    pub t: [f64; 2],
}

/// Pixels of a triangle in one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceRun {
    pub row: u32,
    pub active: u32,
    pub turns: f64,
    pub h: [f64; 2],
    pub t: [f64; 2],
}

/// The pixel of a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    pub row: u32,
    pub vertex: u32,
    pub turns: f64,
    pub h: f64,
    pub t: f64,
}

/// A part of an edge in which no face of it changes its facing, drawn once.
#[derive(Clone, Copy, Debug)]
struct Piece {
    middle: f64,
    runs: [u32; 2],
}

/// Pieces of an edge: the first, and how many for each turn.
#[derive(Clone, Copy, Debug)]
struct Pieces {
    first: u32,
    count: u32,
}

/// What is known of a vertex.
const NEEDED: u8 = 1;
const FACING: u8 = 2;

/// A body on the screen; the lists are kept from drawing to drawing.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub role: Role,
    /// From the body to the axes, without scale.
    pub matrix: DMat3,
    pub spots: Vec<Spot>,
    pub active: Vec<Active>,
    /// Of all that is drawn, as it is turned.
    pub extent: Extent,
    pub chords: Vec<Chord>,
    pub runs: Vec<Run>,
    pub faces: Vec<FaceRun>,
    pub dots: Vec<Dot>,
    facing: Vec<[f64; 3]>,
    outlines: Vec<Unwrapped>,
    needs: Vec<[i32; 2]>,
    marks: Vec<u8>,
    edges: Vec<Pieces>,
    pieces: Vec<Piece>,
    rows: Vec<[f64; 2]>,
}

impl Drawing {
    pub fn new(role: Role) -> Drawing {
        Drawing {
            role,
            matrix: DMat3::IDENTITY,
            spots: Vec::new(),
            active: Vec::new(),
            extent: Extent::EMPTY,
            chords: Vec::new(),
            runs: Vec::new(),
            faces: Vec::new(),
            dots: Vec::new(),
            facing: Vec::new(),
            outlines: Vec::new(),
            needs: Vec::new(),
            marks: Vec::new(),
            edges: Vec::new(),
            pieces: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Vertices about the axis, and a box around them; without angles if they are seen under half a turn or more.
    pub fn place(&mut self, surface: &Surface, pose: &Pose, chart: &Chart) -> Extent {
        let (matrix, offset) = chart.placement(pose);
        self.matrix = chart.rows * pose.rotation();
        let mut all = Extent::EMPTY;
        self.spots.clear();
        self.spots.extend(surface.positions.iter().map(|&position| {
            let p = matrix * position + offset;
            let at = chart.cylindrical(p);
            all.join(&Extent::of(&at));
            Spot { p, at, screen: OnScreen::default() }
        }));
        if !chart.is_straight {
            let wide = all.angle[1] - all.angle[0];
            if wide < PI {
                all.radius[0] *= (1.0 - 0.125 * wide * wide).max(0.0);
            } else {
                (all.radius[0], all.angle) = (0.0, [f64::NEG_INFINITY, f64::INFINITY]);
            }
        }
        all
    }

    /// Picks the triangles that face the other body and may meet it during the step, and what of their edges is needed.
    ///
    /// `turns` are those of the other body if this one moves, else they are found for each triangle.
    pub fn select(
        &mut self,
        surface: &Surface,
        chart: &Chart,
        other: &Extent,
        turns: [i32; 2],
        step: [f64; 2],
    ) {
        self.active.clear();
        self.outlines.clear();
        self.facing.clear();
        self.extent = Extent::EMPTY;
        self.needs.clear();
        self.needs.resize(surface.edges.len(), [i32::MAX, i32::MIN]);
        self.marks.clear();
        self.marks.resize(surface.positions.len(), 0);
        let sign = if self.role == Role::Moves { 1.0 } else { -1.0 };
        for (number, triangle) in surface.triangles.iter().enumerate() {
            let corners = triangle.corners.map(|v| self.spots[v as usize]);
            let points = corners.map(|spot| spot.p);
            let values = match triangle.is_two_sided {
                true => [1.0; 3],
                false => facing(chart, points).map(|value| sign * value),
            };
            self.facing.push(values);
            if values.iter().all(|&value| value <= 0.0) {
                continue;
            }
            let angles = corners.map(|spot| spot.at.angle);
            let wide = angles[0].max(angles[1]).max(angles[2]) - angles[0].min(angles[1]).min(angles[2]);
            let is_whole = values.iter().all(|&value| value >= 0.0);
            let is_plain = is_whole && (wide < PI || chart.is_straight);
            let (extent, outline) = match is_plain {
                true => (Extent::hull(chart, corners.map(|spot| spot.at)), NONE),
                false => {
                    let unwrapped = self.unwrapped(chart, triangle.corners, values);
                    self.outlines.push(unwrapped);
                    (unwrapped.extent, self.outlines.len() as u32 - 1)
                }
            };
            let copies = self.copies(&extent, chart, other, turns, step);
            if copies[0] > copies[1] {
                continue;
            }
            let active = Active { triangle: number as u32, extent, copies, outline };
            self.mark(triangle, &active, values);
        }
        self.add_loose(surface, chart, other, turns, step);
    }

    fn unwrapped(&self, chart: &Chart, corners: [u32; 3], values: [f64; 3]) -> Unwrapped {
        let spots = corners.map(|v| &self.spots[v as usize]);
        let anchors = std::array::from_fn(|side| {
            // The same end as the edge's: of equal ones that with the smaller number.
            let (i, j) = (side, (side + 1) % 3);
            let (i, j) = if corners[i] < corners[j] { (i, j) } else { (j, i) };
            let end = [i, j][anchor([&spots[i].at, &spots[j].at])];
            (spots[end].p, spots[end].at.angle)
        });
        Unwrapped::new(chart, Outline::clipped(spots.map(|spot| spot.p), values), anchors)
    }

    /// Turns after which something may meet the other body; an empty range if none.
    fn copies(
        &self,
        extent: &Extent,
        chart: &Chart,
        other: &Extent,
        turns: [i32; 2],
        step: [f64; 2],
    ) -> [i32; 2] {
        let mut found = [i32::MAX, i32::MIN];
        let mut add = |k: i32| found = [found[0].min(k), found[1].max(k)];
        if self.role == Role::Moves {
            let meets = |k: i32| other.window(extent, chart, TAU * f64::from(k), step).is_some();
            if (turns[0]..=turns[1]).any(meets) {
                add(0);
            }
            return found;
        }
        let range = extent.copies(other.angle, chart);
        for k in range[0]..=range[1] {
            if extent.window(other, chart, TAU * f64::from(k), step).is_some() {
                add(k);
            }
        }
        found
    }

    fn mark(&mut self, triangle: &crate::screw::surface::Triangle, active: &Active, values: [f64; 3]) {
        let outline = self.outlines.get(active.outline as usize).filter(|_| active.outline != NONE);
        // Which way an edge through the axis goes around it is rounding: one turn more on both sides.
        let more = i32::from(outline.is_some_and(|outline| outline.extent.radius[0] == 0.0));
        for side in 0..3 {
            let turns = outline.map_or(0, |outline| outline.turns[side]);
            let edge = triangle.edges[side];
            if edge != NONE {
                let need = &mut self.needs[edge as usize];
                need[0] = need[0].min(active.copies[0] + turns - more);
                need[1] = need[1].max(active.copies[1] + turns + more);
            }
            let mark = if values[side] >= 0.0 { NEEDED | FACING } else { NEEDED };
            self.marks[triangle.corners[side] as usize] |= mark;
        }
        let [first, last] = active.copies.map(|k| TAU * f64::from(k));
        let mut drawn = active.extent;
        drawn.angle = [drawn.angle[0] + first, drawn.angle[1] + last];
        if outline.is_some_and(|outline| outline.extent.radius[0] == 0.0) {
            drawn.angle = [drawn.angle[0] - TAU, drawn.angle[1] + TAU];
        }
        self.extent.join(&drawn);
        self.active.push(*active);
    }

    /// Edges and vertices that belong to no triangle are drawn, too.
    fn add_loose(
        &mut self,
        surface: &Surface,
        chart: &Chart,
        other: &Extent,
        turns: [i32; 2],
        step: [f64; 2],
    ) {
        for cell in surface.cells.iter().filter(|cell| cell.triangle == NONE) {
            let ends = cell.corners.map(|v| self.spots[v as usize].at);
            let mut extent = Extent::hull(chart, ends);
            if extent.angle[1] - extent.angle[0] >= PI && !chart.is_straight {
                (extent.radius[0], extent.angle) = (0.0, [extent.angle[0] - TAU, extent.angle[1] + TAU]);
            }
            let copies = self.copies(&extent, chart, other, turns, step);
            if copies[0] <= copies[1] {
                cell.corners.iter().for_each(|&v| self.marks[v as usize] |= NEEDED | FACING);
                cell.edges.iter().filter(|&&e| e != NONE).for_each(|&e| self.needs[e as usize] = copies);
                self.extent.join(&extent);
            }
        }
    }

    /// Draws everything picked.
    pub fn draw(&mut self, surface: &Surface, chart: &Chart, grid: &Grid, other: &Extent, step: [f64; 2]) {
        for (spot, &mark) in self.spots.iter_mut().zip(&self.marks) {
            if mark != 0 {
                spot.screen = chart.project(spot.at);
            }
        }
        self.draw_edges(surface, chart, grid);
        self.draw_faces(surface, chart, grid);
        self.draw_vertices(chart, grid, other, step);
    }

    fn draw_edges(&mut self, surface: &Surface, chart: &Chart, grid: &Grid) {
        self.chords.clear();
        self.runs.clear();
        self.pieces.clear();
        self.edges.clear();
        self.edges.resize(surface.edges.len(), Pieces { first: NONE, count: 0 });
        for edge in 0..surface.edges.len() as u32 {
            let need = self.needs[edge as usize];
            if need[0] > need[1] {
                continue;
            }
            let ends = surface.edges[edge as usize].map(|v| self.spots[v as usize]);
            let end = anchor([&ends[0].at, &ends[1].at]);
            let line = Line {
                from: ends[0].p,
                along: ends[1].p - ends[0].p,
                anchor: ends[end].p,
                angle: ends[end].at.angle,
            };
            let (cuts, count) = self.cuts(surface, edge);
            self.edges[edge as usize] = Pieces { first: self.pieces.len() as u32, count: count as u32 - 1 };
            for k in need[0]..=need[1] {
                let line = Line { angle: line.angle + TAU * f64::from(k), ..line };
                let samples = self.end_samples(chart, &line, ends, end, k);
                for j in 0..count - 1 {
                    let middle = 0.5 * (cuts[j] + cuts[j + 1]);
                    let first = self.runs.len() as u32;
                    if self.is_facing(surface, edge, middle) {
                        let from = if j == 0 { samples[0] } else { line.sample(chart, cuts[j]) };
                        let to = if j + 2 == count { samples[1] } else { line.sample(chart, cuts[j + 1]) };
                        self.draw_chords(chart, grid, &line, edge, [from, to]);
                    }
                    self.pieces.push(Piece { middle, runs: [first, self.runs.len() as u32] });
                }
            }
        }
    }

    /// The ends of an edge: vertices are projected already, but for whole turns.
    fn end_samples(&self, chart: &Chart, line: &Line, ends: [Spot; 2], anchor: usize, k: i32) -> [Sample; 2] {
        std::array::from_fn(|i| {
            let (own, from) = (ends[i].at.angle, ends[anchor].at.angle);
            let turn = if chart.is_straight { 0.0 } else { -TAU * ((own - from) / TAU).round() };
            if k == 0 && turn == 0.0 && (ends[i].at.radius > 0.0 || chart.is_straight) {
                return Sample { s: i as f64, at: ends[i].screen, angle: own };
            }
            line.sample(chart, i as f64)
        })
    }

    fn draw_chords(&mut self, chart: &Chart, grid: &Grid, line: &Line, edge: u32, ends: [Sample; 2]) {
        let (chords, runs) = (&mut self.chords, &mut self.runs);
        flatten(chart, grid, line, ends, |from, to| {
            let chord = chords.len() as u32;
            let before = runs.len();
            fill(grid, &from.at, &to.at, |row, h, t| runs.push(Run { row, chord, h, t }));
            if runs.len() > before {
                chords.push(Chord {
                    from: from.at,
                    to: to.at,
                    s: [from.s, to.s],
                    edge,
                    is_end: [from.s == 0.0, to.s == 1.0],
                });
            }
        });
    }

    /// Shares of an edge at which a face of it changes its facing, with both ends; at most five changes count.
    fn cuts(&self, surface: &Surface, edge: u32) -> ([f64; 7], usize) {
        let (mut cuts, mut count) = ([0.0; 7], 1);
        for &triangle in surface.triangles_at_edge.of(edge) {
            let [from, to] = self.facing_at_ends(surface, edge, triangle);
            if from * to < 0.0 && count < 6 {
                cuts[count] = from / (from - to);
                count += 1;
            }
        }
        cuts[1..count].sort_unstable_by(f64::total_cmp);
        cuts[count] = 1.0;
        (cuts, count + 1)
    }

    fn facing_at_ends(&self, surface: &Surface, edge: u32, triangle: u32) -> [f64; 2] {
        let corners = surface.triangles[triangle as usize].corners;
        let values = self.facing[triangle as usize];
        surface.edges[edge as usize].map(|v| {
            let corner = corners.iter().position(|&c| c == v).unwrap_or(0);
            values[corner]
        })
    }

    fn is_facing(&self, surface: &Surface, edge: u32, share: f64) -> bool {
        let triangles = surface.triangles_at_edge.of(edge);
        triangles.is_empty()
            || triangles.iter().any(|&triangle| {
                let [from, to] = self.facing_at_ends(surface, edge, triangle);
                from + (to - from) * share > 0.0
            })
    }

    fn draw_faces(&mut self, surface: &Surface, chart: &Chart, grid: &Grid) {
        self.faces.clear();
        let mut rows = std::mem::take(&mut self.rows);
        rows.resize(grid.rows, [f64::INFINITY, f64::NEG_INFINITY]);
        for (number, active) in self.active.iter().enumerate() {
            let triangle = &surface.triangles[active.triangle as usize];
            let outline = self.outlines.get(active.outline as usize);
            for k in active.copies[0]..=active.copies[1] {
                let turns = TAU * f64::from(k);
                let (mut first, mut last) = (u32::MAX, 0);
                let mut add = |row: u32, h: [f64; 2]| {
                    let all = &mut rows[row as usize];
                    *all = [all[0].min(h[0]), all[1].max(h[1])];
                    (first, last) = (first.min(row), last.max(row));
                };
                let mut straight = |from: DVec3, to: DVec3, angle: f64| {
                    let line = Line::between(chart, from, to, angle + turns);
                    let ends = [line.sample(chart, 0.0), line.sample(chart, 1.0)];
                    flatten(chart, grid, &line, ends, |from, to| {
                        fill(grid, &from.at, &to.at, |row, h, _| add(row, h));
                    });
                };
                for side in 0..3 {
                    if triangle.edges[side] == NONE {
                        self.virtual_side(outline, triangle.corners, side, &mut straight);
                    }
                }
                outline
                    .into_iter()
                    .flat_map(Unwrapped::virtual_sides)
                    .for_each(|(p, q, f)| straight(p, q, f));
                for side in 0..3 {
                    let edge = triangle.edges[side];
                    if edge != NONE {
                        let turned = k + outline.map_or(0, |outline| outline.turns[side]);
                        self.runs_of(surface, edge, active.triangle, turned)
                            .for_each(|run| add(run.row, run.h));
                    }
                }
                if first > last {
                    continue;
                }
                for row in first..=last {
                    let h = std::mem::replace(&mut rows[row as usize], [f64::INFINITY, f64::NEG_INFINITY]);
                    if h[0] <= h[1] {
                        let t = if grid.is_layered {
                            times(chart, grid, row, &active.extent, turns)
                        } else {
                            [0.0; 2]
                        };
                        self.faces.push(FaceRun { row, active: number as u32, turns, h, t });
                    }
                }
            }
        }
        self.rows = rows;
    }

    /// A side of a triangle that is no edge, because the face goes on there.
    fn virtual_side(
        &self,
        outline: Option<&Unwrapped>,
        corners: [u32; 3],
        side: usize,
        straight: &mut impl FnMut(DVec3, DVec3, f64),
    ) {
        let Some(outline) = outline else {
            let [from, to] = [corners[side], corners[(side + 1) % 3]].map(|v| &self.spots[v as usize]);
            return straight(from.p, to.p, from.at.angle);
        };
        let kept = outline.outline.corners();
        for (i, corner) in kept.iter().enumerate().filter(|(_, corner)| corner.side == Some(side)) {
            straight(corner.point, kept[(i + 1) % kept.len()].point, outline.angles[i]);
        }
    }

    /// Runs of an edge, some turns further, where a triangle of it faces the other body.
    fn runs_of(&self, surface: &Surface, edge: u32, triangle: u32, turns: i32) -> impl Iterator<Item = &Run> {
        let Pieces { first, count } = self.edges[edge as usize];
        let need = self.needs[edge as usize];
        let copy = (turns.clamp(need[0], need[1]) - need[0]) as u32;
        let [from, to] = self.facing_at_ends(surface, edge, triangle);
        let pieces = &self.pieces[(first + copy * count) as usize..(first + (copy + 1) * count) as usize];
        pieces
            .iter()
            .filter(move |piece| from + (to - from) * piece.middle > 0.0)
            .flat_map(|piece| &self.runs[piece.runs[0] as usize..piece.runs[1] as usize])
    }

    fn draw_vertices(&mut self, chart: &Chart, grid: &Grid, other: &Extent, step: [f64; 2]) {
        self.dots.clear();
        for (vertex, (spot, &mark)) in self.spots.iter().zip(&self.marks).enumerate() {
            if mark & FACING == 0 {
                continue;
            }
            let Some(row) = grid.row(spot.at.radius) else { continue };
            let extent = Extent::of(&spot.at);
            let vertex = vertex as u32;
            if self.role == Role::Moves {
                self.dots.push(Dot { row, vertex, turns: 0.0, h: spot.screen.h, t: spot.screen.t });
                continue;
            }
            let copies = extent.copies(other.angle, chart);
            for k in copies[0]..=copies[1] {
                let turns = TAU * f64::from(k);
                if extent.window(other, chart, turns, step).is_some() {
                    let OnScreen { h, t, .. } = match k {
                        0 => spot.screen,
                        _ => chart.project(Cylindrical { angle: spot.at.angle + turns, ..spot.at }),
                    };
                    self.dots.push(Dot { row, vertex, turns, h, t });
                }
            }
        }
    }
}

/// Times at which points of a box in a row come to the screen.
///
/// `t` grows evenly with angle and height, by factors that are monotone in the radius.
fn times(chart: &Chart, grid: &Grid, row: u32, extent: &Extent, turns: f64) -> [f64; 2] {
    if chart.is_straight {
        let ends = extent.height.map(|z| z / chart.shift);
        return [ends[0].min(ends[1]), ends[0].max(ends[1])];
    }
    let low = (grid.first + f64::from(row)).max(0.0);
    let mut all = [f64::INFINITY, f64::NEG_INFINITY];
    for radius in [low, low + 1.0] {
        for angle in extent.angle {
            for height in extent.height {
                let t = chart.project(Cylindrical { radius, angle: angle + turns, height }).t;
                all = [all[0].min(t), all[1].max(t)];
            }
        }
    }
    all
}
