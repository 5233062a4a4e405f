//! Edges as chords and runs of pixels, cut where their faces turn away, of bodies that are seen around the axis [Buss04 §9, steps
//! 2 and 3].

use super::coordinates::{Chart, OnScreen};
use super::crossing::longer;
use super::doppel::anchor;
use super::drawing::{Chord, Drawing, Run, View};
use super::extent::joined;
use super::raster::{Grid, Line, Sample, fill, flatten};
use super::spot::Spot;
use super::turn::nearest;
use crate::screw::surface::{NONE, Surface};
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
    pub const NEW: EdgeState = EdgeState { need: [i32::MAX, i32::MIN], first: NONE, count: 0, is_cut: false };

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
    pub(super) fn draw_edges(&mut self, surface: &Surface, view: &View<'_>, grid: &Grid) {
        self.chords.clear();
        self.runs.clear();
        self.crossing = 0;
        self.pieces.clear();
        // Edges between triangles of one plane are last: they cross nothing, and only tell how far faces reach.
        let sides = &surface.facets().sides;
        let crossing = partition(&mut self.drawn, |edge| sides[edge as usize].hollow.is_finite());
        for number in 0..self.drawn.len() {
            let edge = self.drawn[number];
            let (first, need) = (self.pieces.len(), self.edges[edge as usize].need);
            let count = self.draw_pieces(surface, view, grid, edge, need);
            let state = &mut self.edges[edge as usize];
            (state.first, state.count) = (first as u32, count as u32);
            if number < crossing {
                self.crossing = self.runs.len();
            }
        }
        self.heights =
            self.runs.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |all, run| joined(all, run.h));
    }

    /// Pieces between changes of facing, for each turn; how many for each.
    fn draw_pieces(
        &mut self,
        surface: &Surface,
        view: &View<'_>,
        grid: &Grid,
        edge: u32,
        need: [i32; 2],
    ) -> usize {
        let chart = view.chart;
        let ends = surface.edges[edge as usize].map(|v| self.spots[v as usize]);
        let line = line(&ends[0], &ends[1]);
        let end = anchor([&ends[0].at(), &ends[1].at()]);
        let (cuts, count) = self.cuts(surface, chart, edge);
        for k in need[0]..=need[1] {
            let line = Line { angle: line.angle + TAU * f64::from(k), ..line };
            let samples = end_samples(chart, &line, &ends, end, k);
            for j in 0..count - 1 {
                let middle = 0.5 * (cuts[j] + cuts[j + 1]);
                let first = self.runs.len() as u32;
                if self.is_facing(surface, chart, edge, middle) {
                    let from = if j == 0 { samples[0] } else { line.sample(chart, cuts[j]) };
                    let to = if j + 2 == count { samples[1] } else { line.sample(chart, cuts[j + 1]) };
                    let mut pen = Pen { grid, chords: &mut self.chords, runs: &mut self.runs, edge };
                    let draw = |x: &Sample, y: &Sample| pen.chord(&x.at, &y.at, [x.s, y.s]);
                    flatten(chart, grid, &line, [from, to], line.sample(chart, middle), draw);
                }
                self.pieces.push(Piece { middle, runs: [first, self.runs.len() as u32] });
            }
        }
        count - 1
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

    /// Calls for runs of an edge, some turns further, where a triangle of it faces the other body.
    #[inline]
    pub(super) fn each_run(
        &self,
        surface: &Surface,
        view: &View<'_>,
        [edge, triangle]: [u32; 2],
        turns: i32,
        mut run: impl FnMut(&Run),
    ) {
        let EdgeState { need, first, count, is_cut, .. } = self.edges[edge as usize];
        let range = |first: u32, count: u32| first as usize..(first + count) as usize;
        let copy = (turns.clamp(need[0], need[1]) - need[0]) as u32;
        let [from, to] = match is_cut {
            true => self.facing_at_ends(surface, view.chart, edge, triangle),
            false => [1.0; 2],
        };
        for piece in &self.pieces[range(first + copy * count, count)] {
            if from + (to - from) * piece.middle > 0.0 {
                self.runs[piece.runs[0] as usize..piece.runs[1] as usize].iter().for_each(&mut run);
            }
        }
    }
}

/// Draws chords of an edge.
struct Pen<'a> {
    grid: &'a Grid,
    chords: &'a mut Vec<Chord>,
    runs: &'a mut Vec<Run>,
    edge: u32,
}

impl Pen<'_> {
    #[inline]
    fn chord(&mut self, from: &OnScreen, to: &OnScreen, s: [f64; 2]) {
        let (chord, before) = (self.chords.len() as u32, self.runs.len());
        let runs = &mut *self.runs;
        fill(self.grid, from, to, |row, h, t| runs.push(Run { row, chord, h, t }));
        if self.runs.len() > before {
            let longer = [longer(s[0] == 0.0), longer(s[1] == 1.0)];
            self.chords.push(Chord { from: *from, to: *to, s, edge: self.edge, longer });
        }
    }
}

/// Moves what passes a test to the front; how many do.
fn partition(items: &mut [u32], mut passes: impl FnMut(u32) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if passes(items[i]) {
            items.swap(count, i);
            count += 1;
        }
    }
    count
}

/// With the angle of the end that is farther from the axis.
fn line(from: &Spot, to: &Spot) -> Line {
    let end = [from, to][anchor([&from.at(), &to.at()])];
    Line { from: from.p, along: to.p - from.p, anchor: end.p, angle: end.angle }
}

/// The ends of an edge: vertices are projected already, but for whole turns.
fn end_samples(chart: &Chart, line: &Line, ends: &[Spot; 2], anchor: usize, k: i32) -> [Sample; 2] {
    std::array::from_fn(|i| {
        let (own, from) = (ends[i].angle, ends[anchor].angle);
        let is_turned = (own - from).abs() > PI && nearest((own - from) / TAU) != 0.0 && !chart.is_straight;
        if k == 0 && !is_turned && (ends[i].screen.r > 0.0 || chart.is_straight) {
            return Sample { s: i as f64, at: ends[i].screen, angle: own };
        }
        line.sample(chart, i as f64)
    })
}
