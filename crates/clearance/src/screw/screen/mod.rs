//! The collision screen: all contacts of a step read off a drawing [Buss04 §6-10].
//!
//! Both bodies are projected along the screw onto a curved screen, what moves forward of one and what rests of the other. Points
//! on one pixel are on one helix: they meet after the difference of the times at which they come to the screen. Vertices in
//! faces and crossings of edges are found pixel by pixel; cost and error are a choice.

mod clip;
mod coordinates;
mod doppel;
mod drawing;
mod engine;
mod extent;
mod filter;
mod hash;
mod newton;
mod raster;
mod resolution;
mod scan;
mod settle;
mod strokes;

pub use engine::{Engine, contacts_after_screen, contacts_by};
pub use resolution::{Resolution, ResolutionError};
pub use strokes::Stroke;

use super::contacts::in_order;
use super::primitive::Moving;
use super::record::{ContactKind, ContactsConfig, Kept, ScrewContact};
use super::resolve::{Candidate, resolved};
use super::surface::Surface;
use crate::math::{Pose, Screw};
use coordinates::{Ball, Chart, Cylindrical};
use drawing::{Dot, Drawing, FaceRun, Role, Run};
use extent::Extent;
use hash::Table;
use raster::Grid;
use scan::{Buckets, Layers, Span, sweep};
use settle::{Settler, crossing};
use std::f64::consts::TAU;

/// A screen has at most so many rows; finer pixels are taken as a part of what both bodies reach.
const MOST_ROWS: f64 = 65_536.0;

/// What was drawn and compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenStats {
    /// Straight pieces of edges.
    pub chords: u64,
    /// Runs of pixels of edges, faces and vertices: `n` of the cost `n log n + m`.
    pub pixels: u64,
    /// Pairs of them that share a pixel: `m`.
    pub pairs: u64,
    /// Pairs whose times agree, too: vertices and faces that are solved, edges that cross.
    pub candidates: u64,
}

/// How pixels of both bodies are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lookup {
    /// Sorted by row and height, as in the paper.
    Sorted,
    /// By row, by layer of time if there are many, and by height: cheap also for a screw in its hole.
    #[default]
    Layered,
    /// In a hash table by row and column, the paper's alternative; slower in all we measured.
    Hashed,
}

/// A collision screen, kept from step to step so that nothing is allocated anew.
///
/// ```
/// use clearance::{Pose, body::Body, glam::DVec3, math::Screw, shape::{Mesh, MeshConfig, Shape, sample}};
/// use clearance::screw::{ContactKind, ContactsConfig, Moving, Resolution, Screen, Surface};
/// let cube = Mesh::build(&sample::cube(1.0).to_soup(), &MeshConfig::default())?;
/// let cube = Surface::new(&Body::try_from(&Shape::from(cube))?).expect("it is a mesh");
/// let turned = Pose::from_axis_angle(DVec3::new(1.0, 0.7, 0.2), 0.8, DVec3::new(0.1, 0.0, 3.0))?;
/// let fall = Screw::new(-DVec3::Z, DVec3::ZERO, 0.5, 2.0)?;
/// let fine = Resolution::per_short_edge(Resolution::HIGH, [&cube, &cube], &cube, &turned, &fall)?;
/// let mut screen = Screen::default();
/// let config = ContactsConfig::default();
/// let found = screen.contacts(&cube, &Pose::IDENTITY, &cube, &turned, &fall, Moving::Second, &config, fine);
/// assert_eq!(found[0].kind, ContactKind::FaceVertex);
/// assert!(found[0].properness > 0.0 && (found[0].lower..=found[0].upper).contains(&0.83033656604458));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Screen {
    drawings: [Drawing; 2],
    runs: [Buckets<Run>; 2],
    faces: Buckets<FaceRun>,
    dots: Buckets<Dot>,
    table: Table,
    candidates: Vec<Candidate>,
    lookup: Lookup,
    chart: Option<Chart>,
    stats: ScreenStats,
}

impl Default for Screen {
    fn default() -> Screen {
        Screen::new(Lookup::default())
    }
}

impl Screen {
    /// An empty one.
    pub fn new(lookup: Lookup) -> Screen {
        Screen {
            drawings: [Drawing::new(Role::Rests), Drawing::new(Role::Moves)],
            runs: Default::default(),
            faces: Buckets::default(),
            dots: Buckets::default(),
            table: Table::default(),
            candidates: Vec::new(),
            lookup,
            chart: None,
            stats: ScreenStats::default(),
        }
    }

    /// Contacts of two bodies while one of them moves on a screw through the other, to within a resolution.
    ///
    /// The same records as those of [`contacts`](super::contacts), none of them proved: each reaches from one resolution of
    /// time before to one after the time found. Contacts that leave are not told, whatever is asked for: what faces away is not
    /// drawn. Contacts that miss each other by a part of a pixel may be told, and grazing ones missed. Nothing is told of a
    /// motion that moves nothing, or of bodies a million million pixels away from its axis.
    #[expect(
        clippy::too_many_arguments,
        reason = "two bodies, two poses, a motion, what is asked and how finely"
    )]
    pub fn contacts(
        &mut self,
        a: &Surface,
        pose_a: &Pose,
        b: &Surface,
        pose_b: &Pose,
        screw: &Screw,
        moving: Moving,
        config: &ContactsConfig,
        resolution: Resolution,
    ) -> Vec<ScrewContact> {
        let found = match moving {
            Moving::Second => self.of_moving_b([a, b], [pose_a, pose_b], screw, config, resolution),
            Moving::First => self.of_moving_b([b, a], [pose_b, pose_a], screw, config, resolution),
        };
        in_order(found, moving)
    }

    /// What the last step took.
    pub fn stats(&self) -> ScreenStats {
        self.stats
    }

    fn of_moving_b(
        &mut self,
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        screw: &Screw,
        config: &ContactsConfig,
        resolution: Resolution,
    ) -> Vec<ScrewContact> {
        self.stats = ScreenStats::default();
        self.candidates.clear();
        let drawn = self.draw(surfaces, poses, screw, resolution);
        self.chart = drawn.map(|(chart, ..)| chart);
        let Some((chart, grid, layers)) = drawn else {
            self.drawings.iter_mut().for_each(|drawing| drawing.chords.clear());
            return Vec::new();
        };
        self.compare(surfaces, &chart, &grid, &layers, config);
        let is_kept = |contact: &ScrewContact| match config.kept {
            Kept::All => true,
            Kept::Entering => contact.is_entering && contact.properness >= config.min_properness,
        };
        // Near an end of an edge, not on it, a face may be improper that would be right there.
        let prefer =
            |contact: &ScrewContact| contact.kind != ContactKind::EdgeEdge && contact.properness >= 0.0;
        let mut found = resolved(&mut self.candidates, prefer);
        found.retain(is_kept);
        found
    }

    /// Steps 1 to 3 of the paper; `None` if the bodies cannot meet.
    fn draw(
        &mut self,
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        screw: &Screw,
        resolution: Resolution,
    ) -> Option<(Chart, Grid, Layers)> {
        let balls = [ball(surfaces[0], poses[0])?, ball(surfaces[1], poses[1])?];
        let widest = balls[0].radius.min(balls[1].radius) * 2.0 / MOST_ROWS;
        let pixel = resolution.pixel().max(widest);
        let chart = Chart::new(screw, &balls[0], &balls[1], pixel)?;
        let step = [-0.5 * resolution.time(), 1.0 + 0.5 * resolution.time()];
        let [rests, moves] = &mut self.drawings;
        let mut all_a = rests.place(surfaces[0], poses[0], &chart);
        let all_b = moves.place(surfaces[1], poses[1], &chart);
        let turns = turns_between(&mut all_a, &all_b, &chart);
        let meets = |k: i32| all_a.window(&all_b, &chart, TAU * f64::from(k), step).is_some();
        if !(turns[0]..=turns[1]).any(meets) {
            return None;
        }
        moves.select(surfaces[1], &chart, &all_a, turns, step);
        if moves.extent.is_empty() {
            return None;
        }
        rests.select(surfaces[0], &chart, &moves.extent, [0, 0], step);
        if rests.extent.is_empty() {
            return None;
        }
        let low = rests.extent.radius[0].max(moves.extent.radius[0]) - extent::NEAR;
        let high = rests.extent.radius[1].min(moves.extent.radius[1]) + extent::NEAR;
        let times = [times(&chart, &rests.extent, low), times(&chart, &moves.extent, low)];
        let layers = match self.lookup {
            Lookup::Layered => {
                Layers::over([times[0][0].max(times[1][0]), times[0][1].min(times[1][1] + 1.0)])
            }
            _ => Layers::ONE,
        };
        let grid = Grid {
            first: low.floor(),
            rows: (high.floor() - low.floor() + 1.0).clamp(1.0, 4.0 * MOST_ROWS) as usize,
            time: resolution.time(),
            is_layered: layers.count > 1,
        };
        moves.draw(surfaces[1], &chart, &grid, &rests.extent, step);
        rests.draw(surfaces[0], &chart, &grid, &moves.extent, step);
        Some((chart, grid, layers))
    }

    /// Steps 4 to 6, and times and properness of what they find.
    fn compare(
        &mut self,
        surfaces: [&Surface; 2],
        chart: &Chart,
        grid: &Grid,
        layers: &Layers,
        config: &ContactsConfig,
    ) {
        let Screen { drawings: [rests, moves], runs: [runs_a, runs_b], faces, dots, table, .. } = self;
        let (candidates, lookup, stats) = (&mut self.candidates, self.lookup, &mut self.stats);
        let drawings = [&*rests, &*moves];
        let mut settler =
            Settler { chart, surfaces, drawings, edges: config.edges, time: grid.time, found: candidates };
        stats.chords = (rests.chords.len() + moves.chords.len()) as u64;
        let all = [rests.faces.len(), moves.faces.len(), rests.dots.len(), moves.dots.len()];
        stats.pixels = (all.iter().sum::<usize>() + rests.runs.len() + moves.runs.len()) as u64;
        let mut meeting = Meeting { lookup, grid, layers, table };
        meeting.pairs((&rests.faces, faces), (&moves.dots, dots), |face, dot| {
            stats.pairs += 1;
            stats.candidates += u64::from(settler.vertex_and_face::<true>(dot, face));
        });
        meeting.pairs((&rests.dots, dots), (&moves.faces, faces), |dot, face| {
            stats.pairs += 1;
            stats.candidates += u64::from(settler.vertex_and_face::<false>(dot, face));
        });
        let slack = grid.time;
        meeting.pairs((&rests.runs, runs_a), (&moves.runs, runs_b), |x, y| {
            stats.pairs += 1;
            if x.t[1] - y.t[0] < -slack || x.t[0] - y.t[1] > 1.0 + slack {
                return;
            }
            let (chord_a, chord_b) = (&rests.chords[x.chord as usize], &moves.chords[y.chord as usize]);
            let Some(found) = crossing(chord_a, chord_b) else { return };
            // In one of the rows that both are in.
            let r = found.r.clamp(grid.first, grid.first + grid.rows as f64 - 0.5);
            if settler.is_in_step(&found) && grid.row(r) == Some(x.row) {
                stats.candidates += 1;
                settler.edge_and_edge(&found);
            }
        });
    }
}

/// Brings pixels of both bodies together.
struct Meeting<'a> {
    lookup: Lookup,
    grid: &'a Grid,
    layers: &'a Layers,
    table: &'a mut Table,
}

impl Meeting<'_> {
    /// Those of A, which rests, and those of B.
    fn pairs<T: Span, U: Span>(
        &mut self,
        (rests, of_a): (&[T], &mut Buckets<T>),
        (moves, of_b): (&[U], &mut Buckets<U>),
        visit: impl FnMut(&T, &U),
    ) {
        let (grid, layers) = (self.grid, self.layers);
        if self.lookup == Lookup::Hashed {
            return self.table.pairs(rests, moves, visit);
        }
        of_a.fill(rests, grid, layers, [0.0; 2]);
        of_b.fill(moves, grid, layers, [-grid.time, 1.0 + grid.time]);
        sweep(of_a, of_b, grid, layers, visit);
    }
}

/// Whole turns between angles of A and of B that may matter; if one of them is seen under half a turn or more, angles of A are
/// not told apart.
fn turns_between(a: &mut Extent, b: &Extent, chart: &Chart) -> [i32; 2] {
    if a.angle[0].is_finite() && b.angle[0].is_finite() {
        return a.copies(b.angle, chart);
    }
    a.angle = [f64::NEG_INFINITY, f64::INFINITY];
    [0, 0]
}

/// Times at which points of a box come to the screen, or all if some of them are on the axis of a turn.
fn times(chart: &Chart, extent: &Extent, low: f64) -> [f64; 2] {
    let radii = if chart.is_straight {
        extent.radius
    } else {
        [extent.radius[0].max(low).max(0.0), extent.radius[1]]
    };
    let mut all = [f64::INFINITY, f64::NEG_INFINITY];
    for radius in radii {
        for angle in extent.angle {
            for height in extent.height {
                let t = chart.project(Cylindrical { radius, angle, height }).t;
                all = [all[0].min(t), all[1].max(t)];
            }
        }
    }
    all
}

fn ball(surface: &Surface, pose: &Pose) -> Option<Ball> {
    let root = surface.nodes.first()?;
    (!surface.positions.is_empty())
        .then(|| Ball { center: pose.apply(root.center), radius: root.half.length() * (1.0 + 1e-8) })
}
