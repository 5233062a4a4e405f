//! A body drawn on the screen: its vertices, edges and faces that face the other body and may meet it [Buss04 §9].

use super::coordinates::{Chart, Cylindrical, OnScreen};
use super::curvature::Curvature;
use super::doppel::Unwrapped;
use super::edges::{EdgeState, Piece};
use super::extent::Extent;
use super::raster::Grid;
use super::spot::Spot;
use super::whole::Whole;
use crate::screw::surface::Surface;
use glam::{DMat3, DVec3};
use std::f64::consts::TAU;

/// Which body is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A, of which what faces backward is drawn, as often as B may come around.
    Rests,
    /// B, of which what faces forward is drawn, once.
    Moves,
}

/// How both bodies are seen: the same for all parts of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub chart: &'a Chart,
    /// From a little before the step to a little after it.
    pub step: [f64; 2],
    /// Whole turns between angles of A and of B that may matter.
    pub turns: [i32; 2],
    /// Nothing is drawn twice, and no part of a body is seen under half a turn or more.
    pub is_single: bool,
    /// Edges of hollows in which the squared sine between both faces is above this are not drawn.
    pub hollow: f64,
}

/// A triangle that is drawn, and how many turns further.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    pub triangle: u32,
    /// Outward, twice as long as it is large.
    pub normal: DVec3,
    pub extent: Extent,
    pub copies: [i32; 2],
    /// Its outline, if that is not the triangle with the angles of its vertices.
    pub outline: u32,
}

/// A chord of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub from: OnScreen,
    pub to: OnScreen,
    /// Shares of the edge.
    pub s: [f64; 2],
    pub edge: u32,
    /// By how much it may be longer at its ends, squared.
    pub longer: [f64; 2],
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
    /// Its number among those that are drawn; or that of a face that is drawn whole.
    pub active: u32,
    /// It reaches no farther than this from the triangle between its corners on the screen, in pixels; infinite if not known.
    pub slack: f64,
    pub h: [f64; 2],
    pub t: [f64; 2],
}

/// The pixel of a vertex.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dot {
    pub row: u32,
    pub vertex: u32,
    pub h: f64,
    pub t: f64,
}

/// Whether a vertex has a triangle that faces the other body there.
pub(super) const FACING: u8 = 1;

/// Whether it is known where a vertex is.
pub(super) const PLACED: u8 = 2;

/// A body on the screen; the lists are kept from drawing to drawing.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub role: Role,
    /// From the body to the axes, without scale.
    pub matrix: DMat3,
    /// With the pixel as unit of length.
    pub placement: (DMat3, DVec3),
    /// Of its fastest point, along all axes, in pixels a step.
    pub speed: f64,
    pub spots: Vec<Spot>,
    pub active: Vec<Active>,
    /// Of all that is drawn, as it is turned.
    pub extent: Extent,
    /// Heights on the screen: of vertices that are picked, then of all that is drawn.
    pub heights: [f64; 2],
    pub chords: Vec<Chord>,
    pub runs: Vec<Run>,
    /// Runs before this one are of edges that may cross others.
    pub crossing: usize,
    pub faces: Vec<FaceRun>,
    pub dots: Vec<Dot>,
    pub(super) outlines: Vec<Unwrapped>,
    pub(super) marks: Vec<u8>,
    /// Vertices of which it is known where they are.
    pub(super) placed: Vec<u32>,
    pub(super) edges: Vec<EdgeState>,
    /// Edges that are drawn.
    pub(super) drawn: Vec<u32>,
    pub(super) curvature: Curvature,
    pub(super) pieces: Vec<Piece>,
    pub(super) rows: Vec<[f64; 2]>,
    /// If nothing is seen around the axis.
    pub(super) whole: Whole,
}

impl Drawing {
    pub fn new(role: Role) -> Drawing {
        Drawing {
            role,
            matrix: DMat3::IDENTITY,
            placement: (DMat3::IDENTITY, DVec3::ZERO),
            speed: 0.0,
            spots: Vec::new(),
            active: Vec::new(),
            extent: Extent::EMPTY,
            heights: [0.0; 2],
            chords: Vec::new(),
            runs: Vec::new(),
            crossing: 0,
            faces: Vec::new(),
            dots: Vec::new(),
            outlines: Vec::new(),
            marks: Vec::new(),
            placed: Vec::new(),
            edges: Vec::new(),
            drawn: Vec::new(),
            curvature: Curvature::default(),
            pieces: Vec::new(),
            rows: Vec::new(),
            whole: Whole::default(),
        }
    }

    /// Draws everything picked, seen around the axis.
    pub fn draw(&mut self, surface: &Surface, view: &View<'_>, grid: &Grid, other: &Extent) {
        self.draw_edges(surface, view, grid);
        self.draw_between_sides(surface, view, grid);
        self.draw_vertices(view, grid, other);
    }

    fn draw_vertices(&mut self, view: &View<'_>, grid: &Grid, other: &Extent) {
        self.dots.clear();
        for &vertex in &self.placed {
            if self.marks[vertex as usize] & FACING == 0 {
                continue;
            }
            let spot = &self.spots[vertex as usize];
            let Some(row) = grid.row(spot.screen.r) else { continue };
            let extent = Extent::of(&spot.at());
            if self.role == Role::Moves {
                let OnScreen { h, t, .. } = spot.screen;
                self.dots.push(Dot { row, vertex, h, t });
                continue;
            }
            let copies = extent.copies(other.angle, view.chart);
            for k in copies[0]..=copies[1] {
                let turns = TAU * f64::from(k);
                if extent.window(other, view.chart, turns, view.step).is_some() {
                    let OnScreen { h, t, .. } = match k {
                        0 => spot.screen,
                        _ => view.chart.project(Cylindrical { angle: spot.angle + turns, ..spot.at() }),
                    };
                    self.dots.push(Dot { row, vertex, h, t });
                }
            }
        }
    }
}
