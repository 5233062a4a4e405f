//! Edges as chords and runs of pixels, cut where their faces turn away [Buss04 §9, steps 2 and 3].

use super::coordinates::{Chart, Spot};
use super::doppel::anchor;
use super::extent::joined;
use super::drawing::{Chord, Drawing, Run, View};
use super::raster::{Grid, Line, Sample, fill, flatten};
use super::turn::nearest;
use crate::screw::surface::{NONE, Surface};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// What is known of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeState {
    /// Turns after which it is drawn.
    need: [i32; 2],
    /// Its pieces: the first, and how many for each turn.
    first: u32,
    count: u32,
    /// Whether a triangle of it changes its facing.
    pub is_cut: bool,
}

impl EdgeState {
    pub const NEW: EdgeState =
        EdgeState { need: [i32::MAX, i32::MIN], first: NONE, count: 0, is_cut: false };

    pub fn is_new(&self) -> bool {
        self.need[0] > self.need[1]
    }

    pub fn add(&mut self, turns: [i32; 2]) {
        self.need = [self.need[0].min(turns[0]), self.need[1].max(turns[1])];
    }
}

/// A part of an edge in which no face of it changes its facing, drawn once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    middle: f64,
    runs: [u32; 2],
}

impl Drawing {
    pub(super) fn draw_edges(&mut self, surface: &Surface, view: &View, grid: &Grid) {
        self.chords.clear();
        self.runs.clear();
        self.pieces.clear();
        self.place_middles(surface, view);
        for number in 0..self.drawn.len() {
            let edge = self.drawn[number];
            let ends = surface.edges[edge as usize].map(|v| self.spots[v as usize]);
            let EdgeState { need, is_cut, .. } = self.edges[edge as usize];
            let first = self.pieces.len() as u32;
            let count = if view.is_single && !is_cut {
                self.draw_whole(view, grid, edge, &ends, self.middles[number]);
                1
            } else {
                self.draw_pieces(surface, view, grid, edge, &ends, need)
            };
            let state = &mut self.edges[edge as usize];
            (state.first, state.count) = (first, count);
        }
        self.heights = self.runs.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |all, run| joined(all, run.h));
    }

    /// Middles of edges, four at a time; where angles jump they are found one by one.
    fn place_middles(&mut self, surface: &Surface, view: &View) {
        self.middles.clear();
        if !view.is_single {
            return;
        }
        for four in self.drawn.chunks(4) {
            let points: [DVec3; 4] = std::array::from_fn(|i| {
                let [v, w] = surface.edges[four[i.min(four.len() - 1)] as usize];
                0.5 * (self.spots[v as usize].p + self.spots[w as usize].p)
            });
            self.middles.extend_from_slice(&view.chart.spots(points)[..four.len()]);
        }
    }

    /// An edge that is drawn once, and whole.
    #[inline]
    fn draw_whole(&mut self, view: &View, grid: &Grid, edge: u32, ends: &[Spot; 2], middle: Spot) {
        let sample = |s: f64, spot: &Spot| Sample { s, at: spot.screen, angle: spot.at.angle };
        let before = self.runs.len() as u32;
        let line = line(ends);
        let samples = [sample(0.0, &ends[0]), sample(1.0, &ends[1])];
        self.draw_chords(view, grid, &line, edge, samples, sample(0.5, &middle));
        self.pieces.push(Piece { middle: 0.5, runs: [before, self.runs.len() as u32] });
    }

    /// Pieces between changes of facing, for each turn; how many for each.
    fn draw_pieces(
        &mut self,
        surface: &Surface,
        view: &View,
        grid: &Grid,
        edge: u32,
        ends: &[Spot; 2],
        need: [i32; 2],
    ) -> u32 {
        let chart = &view.chart;
        let line = line(ends);
        let end = anchor([&ends[0].at, &ends[1].at]);
        let (cuts, count) = self.cuts(surface, chart, edge);
        for k in need[0]..=need[1] {
            let line = Line { angle: line.angle + TAU * f64::from(k), ..line };
            let samples = end_samples(chart, &line, ends, end, k);
            for j in 0..count - 1 {
                let middle = 0.5 * (cuts[j] + cuts[j + 1]);
                let first = self.runs.len() as u32;
                if self.is_facing(surface, chart, edge, middle) {
                    let from = if j == 0 { samples[0] } else { line.sample(chart, cuts[j]) };
                    let to = if j + 2 == count { samples[1] } else { line.sample(chart, cuts[j + 1]) };
                    self.draw_chords(view, grid, &line, edge, [from, to], line.sample(chart, middle));
                }
                self.pieces.push(Piece { middle, runs: [first, self.runs.len() as u32] });
            }
        }
        count as u32 - 1
    }

    #[inline]
    fn draw_chords(
        &mut self,
        view: &View,
        grid: &Grid,
        line: &Line,
        edge: u32,
        ends: [Sample; 2],
        middle: Sample,
    ) {
        let (chords, runs) = (&mut self.chords, &mut self.runs);
        flatten(&view.chart, grid, line, ends, middle, |from, to| {
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
    fn cuts(&self, surface: &Surface, chart: &Chart, edge: u32) -> ([f64; 7], usize) {
        let (mut cuts, mut count) = ([0.0; 7], 1);
        for &triangle in surface.triangles_at_edge.of(edge) {
            let [from, to] = self.facing_at_ends(surface, chart, edge, triangle);
            if from * to < 0.0 && count < 6 {
                cuts[count] = from / (from - to);
                count += 1;
            }
        }
        cuts[1..count].sort_unstable_by(f64::total_cmp);
        cuts[count] = 1.0;
        (cuts, count + 1)
    }

    fn facing_at_ends(&self, surface: &Surface, chart: &Chart, edge: u32, triangle: u32) -> [f64; 2] {
        surface.edges[edge as usize].map(|v| self.facing_at(surface, chart, triangle, v))
    }

    fn is_facing(&self, surface: &Surface, chart: &Chart, edge: u32, share: f64) -> bool {
        let triangles = surface.triangles_at_edge.of(edge);
        triangles.is_empty()
            || triangles.iter().any(|&triangle| {
                let [from, to] = self.facing_at_ends(surface, chart, edge, triangle);
                from + (to - from) * share > 0.0
            })
    }

    /// Runs of an edge, some turns further, where a triangle of it faces the other body.
    pub(super) fn runs_of(
        &self,
        surface: &Surface,
        chart: &Chart,
        edge: u32,
        triangle: u32,
        turns: i32,
    ) -> impl Iterator<Item = &Run> {
        let EdgeState { need, first, count, is_cut } = self.edges[edge as usize];
        let copy = (turns.clamp(need[0], need[1]) - need[0]) as u32;
        let [from, to] =
            if is_cut { self.facing_at_ends(surface, chart, edge, triangle) } else { [1.0; 2] };
        let pieces = &self.pieces[(first + copy * count) as usize..(first + (copy + 1) * count) as usize];
        pieces
            .iter()
            .filter(move |piece| from + (to - from) * piece.middle > 0.0)
            .flat_map(|piece| &self.runs[piece.runs[0] as usize..piece.runs[1] as usize])
    }
}

/// With the angle of the end that is farther from the axis.
fn line(ends: &[Spot; 2]) -> Line {
    let end = anchor([&ends[0].at, &ends[1].at]);
    Line { from: ends[0].p, along: ends[1].p - ends[0].p, anchor: ends[end].p, angle: ends[end].at.angle }
}

/// The ends of an edge: vertices are projected already, but for whole turns.
fn end_samples(chart: &Chart, line: &Line, ends: &[Spot; 2], anchor: usize, k: i32) -> [Sample; 2] {
    std::array::from_fn(|i| {
        let (own, from) = (ends[i].at.angle, ends[anchor].at.angle);
        let is_turned = (own - from).abs() > PI && nearest((own - from) / TAU) != 0.0 && !chart.is_straight;
        if k == 0 && !is_turned && (ends[i].at.radius > 0.0 || chart.is_straight) {
            return Sample { s: i as f64, at: ends[i].screen, angle: own };
        }
        line.sample(chart, i as f64)
    })
}
