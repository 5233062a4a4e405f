//! What part of the screen is drawn, and how coarsely it is divided [Buss04 §9, step 1].

use super::Resolution;
use super::bounds::{Reach, Scale};
use super::coordinates::{Ball, Chart, Cylindrical};
use super::drawing::{Drawing, Role, View};
use super::extent::{self, Extent, joined};
use super::hierarchy::Hierarchy;
use super::meeting::Lookup;
use super::raster::Grid;
use super::tiles::{Layers, Tiles};
use crate::math::{Pose, Screw};
use crate::screw::properness::EdgeProperness;
use crate::screw::record::{ContactsConfig, Kept};
use crate::screw::surface::Surface;
use std::f64::consts::TAU;

/// A screen has at most so many pixels from end to end; finer ones are taken as a part of what both bodies reach.
const MOST_PIXELS: f64 = 65_536.0;

/// Tiles for each edge that is drawn: from 1/4 to 4 the time differs by a tenth.
const TILES: f64 = 0.25;

/// Tiles of all layers together for each edge that is drawn, at most.
const LAYERED_TILES: f64 = 16.0;

/// Layers of time, at most.
const MOST_LAYERS: usize = 256;

/// What both bodies are drawn into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    pub view: View<'a>,
    pub grid: Grid,
    pub tiles: Tiles,
    /// If nothing is seen around the axis.
    pub scale: Option<Scale>,
}

impl<'a> Plan<'a> {
    /// Where both bodies are drawn; `None` if nothing moves, or too far from the axis.
    pub fn chart(
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        screw: &Screw,
        resolution: Resolution,
    ) -> Option<Chart> {
        let balls = [ball(surfaces[0], poses[0])?, ball(surfaces[1], poses[1])?];
        let widest = balls[0].radius.min(balls[1].radius) * 2.0 / MOST_PIXELS;
        Chart::new(screw, &balls[0], &balls[1], resolution.pixel().max(widest))
    }

    /// Draws both bodies: steps 1 to 3 of the paper; `None` if they cannot meet.
    #[expect(
        clippy::too_many_arguments,
        reason = "where, two drawings, two bodies, two poses, what is asked and how finely"
    )]
    pub fn draw(
        chart: &'a Chart,
        drawings: &mut [Drawing; 2],
        hierarchy: &mut Hierarchy,
        lookup: Lookup,
        surfaces: [&Surface; 2],
        poses: [&Pose; 2],
        config: &ContactsConfig,
        resolution: Resolution,
    ) -> Option<Plan<'a>> {
        let step = [-0.5 * resolution.time(), 1.0 + 0.5 * resolution.time()];
        (0..2).for_each(|i| drawings[i].turn(poses[i], chart));
        let placements = [drawings[0].placement, drawings[1].placement];
        let mut roots = Hierarchy::roots(surfaces, &placements, chart);
        let mut view = View::over(&mut roots, chart, step, hollow(config))?;
        let [rests, moves] = drawings;
        let mut groups = None;
        if !view.is_single {
            let mut all = [rests.begin(surfaces[0], chart), moves.begin(surfaces[1], chart)];
            // Boxes around vertices are smaller than those of the trees.
            view = View::over(&mut all, chart, step, view.hollow)?;
            if !view.is_single {
                moves.select(surfaces[1], &view, &all[0]);
                rests.select(surfaces[0], &view, &all[1].common(&moves.extent));
                return Plan::around([rests, moves], surfaces, view, lookup, resolution.time());
            }
        } else if Hierarchy::is_worth(surfaces) {
            hierarchy.meet(surfaces, &placements, &view);
            groups = Some(&hierarchy.groups);
        }
        let reaches = [(&mut *rests, 0), (&mut *moves, 1)].map(|(drawing, i)| {
            drawing.pick(surfaces[i], chart, groups.map(|groups| &groups[i][..]));
            drawing.place_picked(surfaces[i], chart)
        });
        Plan::whole([rests, moves], reaches, surfaces, view, lookup, resolution.time())
    }

    /// Of bodies of which nothing is seen around the axis.
    fn whole(
        [rests, moves]: [&mut Drawing; 2],
        reaches: [Reach; 2],
        surfaces: [&Surface; 2],
        view: View<'a>,
        lookup: Lookup,
        time: f64,
    ) -> Option<Plan<'a>> {
        if rests.placed.is_empty() || moves.placed.is_empty() {
            return None;
        }
        let scale = Scale::over(&reaches[0], &reaches[1], time);
        let mut plan = match lookup {
            Lookup::Tiled => {
                Plan { view, grid: Grid::new([0.0, 1.0], 1, time), tiles: Tiles::ONE, scale: None }
            }
            _ => Plan::over(
                [rests, moves],
                rests.whole.sides.len() + moves.whole.sides.len(),
                view,
                lookup,
                time,
            ),
        };
        plan.scale = Some(scale);
        let grid = &plan.grid;
        let [of_rests, of_moves] = [Role::Rests, Role::Moves].map(|role| scale.reach(plan.reach(role)));
        let all = rests.draw_faces(surfaces[0], &view, grid, &scale);
        moves.draw_faces(surfaces[1], &view, grid, &scale);
        let asked_of_moves = all.asking(of_rests);
        let asked_of_rests = moves.keep_faces(surfaces[1], &asked_of_moves).asking(of_moves);
        let asked_of_moves = rests.keep_faces(surfaces[0], &asked_of_rests).asking(of_rests);
        rests.draw_edges_and_vertices(surfaces[0], &view, grid, &scale, &asked_of_rests);
        moves.draw_edges_and_vertices(surfaces[1], &view, grid, &scale, &asked_of_moves);
        if lookup != Lookup::Tiled {
            rests.rasterise(surfaces[0], grid, &scale);
            moves.rasterise(surfaces[1], grid, &scale);
            plan.tiles = plan.tiles.over(common(rests.heights, moves.heights));
        }
        Some(plan)
    }

    /// Of bodies that are seen around the axis.
    fn around(
        [rests, moves]: [&mut Drawing; 2],
        surfaces: [&Surface; 2],
        view: View<'a>,
        lookup: Lookup,
        time: f64,
    ) -> Option<Plan<'a>> {
        if rests.extent.is_empty() || moves.extent.is_empty() {
            return None;
        }
        let edges = rests.drawn.len() + moves.drawn.len();
        let mut plan = Plan::over([rests, moves], edges, view, lookup, time);
        moves.draw(surfaces[1], &view, &plan.grid, &rests.extent);
        rests.draw(surfaces[0], &view, &plan.grid, &moves.extent);
        plan.tiles = plan.tiles.over(common(rests.heights, moves.heights));
        Some(plan)
    }

    /// How far before and after its own times something of a body may meet the other: what rests is met by what comes to the screen
    /// up to a step before it.
    pub fn reach(&self, role: Role) -> [f64; 2] {
        let time = self.grid.time;
        if role == Role::Rests { [-1.0 - time, time] } else { [-time, 1.0 + time] }
    }

    /// Rows and tiles over what both bodies reach, about as many as edges are drawn, and layers of time.
    fn over(
        [rests, moves]: [&Drawing; 2],
        edges: usize,
        view: View<'a>,
        lookup: Lookup,
        time: f64,
    ) -> Plan<'a> {
        let radii = common(rests.extent.radius, moves.extent.radius);
        let (low, high) = (radii[0] - extent::NEAR, radii[1] + extent::NEAR);
        // Of vertices: edges that are bent reach farther, which tiles at the border are open for.
        let heights = common(rests.heights, moves.heights);
        let wide = (heights[1] - heights[0]).max(1.0);
        let layers = match lookup {
            Lookup::Tiled if !view.is_single => {
                let of = |drawing: &Drawing| times(view.chart, &drawing.extent, low);
                let [first, last] = of(moves);
                Layers::over(common(of(rests), [first, last + 1.0]), MOST_LAYERS)
            }
            _ => Layers::ONE,
        };
        let edges = edges.max(4) as f64;
        // With many layers there are fewer tiles in each.
        let count = (edges * TILES).min(edges * LAYERED_TILES / layers.count as f64).max(1.0);
        let side = ((high - low) * wide / count).sqrt().max(1.0);
        let rows = ((high - low) / side).clamp(1.0, count) as usize;
        let grid = Grid::new([low, high], rows, time);
        let tiles = Tiles::new(heights, side, (count as usize / rows).max(1) + 1, layers);
        Plan { view, grid, tiles, scale: None }
    }
}

/// What two ranges have in common.
fn common(x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
    [x[0].max(y[0]), x[1].min(y[1])]
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
                all = joined(all, [chart.project(Cylindrical { radius, angle, height }).t; 2]);
            }
        }
    }
    all
}

impl<'a> View<'a> {
    /// Of two bodies in boxes; `None` if they cannot meet. If one of them is seen under half a turn or more, angles of A are not
    /// told apart.
    fn over([a, b]: &mut [Extent; 2], chart: &'a Chart, step: [f64; 2], hollow: f64) -> Option<View<'a>> {
        let is_plain = a.angle[0].is_finite() && b.angle[0].is_finite();
        let turns = if is_plain { a.copies(b.angle, chart) } else { [0, 0] };
        if !is_plain {
            a.angle = [f64::NEG_INFINITY, f64::INFINITY];
        }
        let mut all = turns[0]..=turns[1];
        let is_single = chart.is_straight || (is_plain && turns == [0, 0]);
        all.any(|k| a.window(b, chart, TAU * f64::from(k), step).is_some()).then_some(View {
            chart,
            step,
            turns,
            is_single,
            hollow,
        })
    }
}

/// Above which squared sine between the faces of a hollow nothing meets their edge that is proper enough.
///
/// Halfway between both faces an edge in a hollow is least improper, by the sine `s` of half of the angle between them, and the
/// sine of all of it is `2 s c`.
fn hollow(config: &ContactsConfig) -> f64 {
    let sine = 1e-9 - config.min_properness.min(0.0);
    let is_told = config.kept == Kept::All || config.edges != EdgeProperness::Seven || sine * sine > 0.5;
    if is_told { f64::MAX } else { 4.0 * sine * sine * (1.0 - sine * sine) }
}

/// Around a body where it is.
pub(super) fn ball(surface: &Surface, pose: &Pose) -> Option<Ball> {
    let root = surface.nodes.first()?;
    (!surface.positions.is_empty())
        .then(|| Ball { center: pose.apply(root.center), radius: root.half.length() * (1.0 + 1e-8) })
}
