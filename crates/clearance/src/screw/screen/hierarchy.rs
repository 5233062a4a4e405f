//! Coarse boxes first: groups of triangles that cannot meet any of the other body are neither placed nor drawn [Buss04 §10].
//!
//! The paper's last wish: lower resolutions of both bodies are compared, and only where those may meet the bodies themselves.
//! Here these are the boxes of the tree that a [`Surface`] has; cost is then that of the parts that may meet, not of the bodies.

use super::coordinates::Chart;
use super::drawing::View;
use super::extent::{Extent, least, most};
use crate::screw::surface::Surface;
use glam::{DMat3, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// Cells that are looked at together.
const GROUP: u32 = 16;

/// Cells of a body that follow each other in its tree.
pub(super) type Group = [u32; 2];

/// From a body to the axes.
type Placement = (DMat3, DVec3);

/// A part of a tree: a node and the cells below it.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: u32,
    cells: [u32; 2],
}

/// Two parts that may meet.
type Pair = [Part; 2];

/// Which groups may meet, found from step to step in the same lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy {
    /// Boxes of nodes, and the step they are of.
    boxes: [Vec<(u32, Extent)>; 2],
    step: u32,
    pairs: Vec<Pair>,
    next: Vec<Pair>,
    pub groups: [Vec<Group>; 2],
    /// Whether a group begins at a cell.
    are_known: [Vec<bool>; 2],
}

/// Halvings after which it should be seen whether they help.
const TRIALS: usize = 3;

/// They do if no more than this part of all cells remains of those before them.
const HELPS: f64 = 0.8;

impl Hierarchy {
    /// Whether bodies are large enough.
    pub fn is_worth(surfaces: [&Surface; 2]) -> bool {
        surfaces.iter().any(|surface| surface.cells.len() > 8 * GROUP as usize)
    }

    /// Boxes of both bodies as wholes.
    pub fn roots(surfaces: [&Surface; 2], placements: &[Placement; 2], chart: &Chart) -> [Extent; 2] {
        std::array::from_fn(|i| Frame::new(placements[i], chart).around(surfaces[i], 0))
    }

    fn forget(&mut self) {
        for (groups, known) in self.groups.iter_mut().zip(&mut self.are_known) {
            for group in groups.drain(..) {
                if let Some(is_known) = known.get_mut(group[0] as usize) {
                    *is_known = false;
                }
            }
        }
    }

    /// Groups that may meet some of the other body during the step.
    ///
    /// Both trees are halved together as long as that leaves out enough: bodies that go right through each other are not worth it.
    pub fn meet(&mut self, surfaces: [&Surface; 2], placements: &[Placement; 2], view: &View<'_>) {
        let frames: [Frame<'_>; 2] = std::array::from_fn(|i| Frame::new(placements[i], view.chart));
        self.step = self.step.wrapping_add(1);
        for i in 0..2 {
            self.boxes[i].resize(surfaces[i].nodes.len(), (self.step.wrapping_sub(1), Extent::EMPTY));
            self.are_known[i].resize(surfaces[i].cells.len(), false);
        }
        let root = |i: usize| Part { node: 0, cells: [0, surfaces[i].cells.len() as u32] };
        self.pairs.clear();
        self.pairs.push([root(0), root(1)]);
        let (mut left, mut is_going_on) = ([f64::INFINITY; TRIALS], true);
        for trial in 0.. {
            self.group();
            let count: u32 = self.groups.iter().flatten().map(|group| group[1] - group[0]).sum();
            let before = std::mem::replace(&mut left[trial % TRIALS], f64::from(count));
            if !is_going_on || f64::from(count) > HELPS * before {
                break;
            }
            is_going_on = self.halve(surfaces, &frames, view);
        }
        let all: usize = surfaces.iter().map(|surface| surface.cells.len()).sum();
        if left.iter().all(|&left| left > HELPS * all as f64) {
            self.pairs.clear();
            self.pairs.push([root(0), root(1)]);
            self.group();
        }
        // What is drawn one after the other should lie together.
        self.groups.iter_mut().for_each(|groups| groups.sort_unstable());
    }

    /// Whether any part was larger than a group.
    fn halve(&mut self, surfaces: [&Surface; 2], frames: &[Frame<'_>; 2], view: &View<'_>) -> bool {
        let (mut pairs, mut next) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.next));
        let mut is_halved = false;
        for [a, b] in pairs.drain(..) {
            let [of_a, of_b] = [halves(surfaces[0], a), halves(surfaces[1], b)];
            is_halved |= of_a.is_some() || of_b.is_some();
            for part_a in of_a.as_ref().map_or(std::slice::from_ref(&a), |parts| parts) {
                let extent_a = self.known(surfaces, frames, 0, part_a.node);
                for part_b in of_b.as_ref().map_or(std::slice::from_ref(&b), |parts| parts) {
                    let extent_b = self.known(surfaces, frames, 1, part_b.node);
                    if extent_a.window(&extent_b, view.chart, 0.0, view.step).is_some() {
                        next.push([*part_a, *part_b]);
                    }
                }
            }
        }
        (self.pairs, self.next) = (next, pairs);
        is_halved
    }

    fn known(&mut self, surfaces: [&Surface; 2], frames: &[Frame<'_>; 2], which: usize, node: u32) -> Extent {
        let (step, extent) = &mut self.boxes[which][node as usize];
        if *step != self.step {
            (*step, *extent) = (self.step, frames[which].around(surfaces[which], node));
        }
        *extent
    }

    /// Groups of the pairs as they are.
    fn group(&mut self) {
        self.forget();
        for pair in &self.pairs {
            for i in 0..2 {
                let cells = pair[i].cells;
                if !std::mem::replace(&mut self.are_known[i][cells[0] as usize], true) {
                    self.groups[i].push(cells);
                }
            }
        }
    }
}

/// The children of a part that is larger than a group.
fn halves(surface: &Surface, part: Part) -> Option<[Part; 2]> {
    let node = &surface.nodes[part.node as usize];
    let [from, to] = part.cells;
    if node.count > 0 || to - from <= GROUP {
        return None;
    }
    // A node's cells are halved in their order.
    let middle = from + (to - from) / 2;
    Some([
        Part { node: node.first, cells: [from, middle] },
        Part { node: node.first + 1, cells: [middle, to] },
    ])
}

/// Where boxes of a body are about the axis.
struct Frame<'a> {
    chart: &'a Chart,
    matrix: DMat3,
    offset: DVec3,
}

impl Frame<'_> {
    fn new((matrix, offset): Placement, chart: &Chart) -> Frame<'_> {
        Frame { chart, matrix, offset }
    }

    /// Around the box of a node; without angles if it is seen under half a turn or more.
    fn around(&self, surface: &Surface, node: u32) -> Extent {
        let node = &surface.nodes[node as usize];
        let middle = self.matrix * node.center + self.offset;
        let rows = self.matrix.transpose();
        let half = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.abs().dot(node.half) * (1.0 + 1e-9));
        let height = [middle.z - half[2], middle.z + half[2]];
        if self.chart.is_straight {
            let radius = [middle.x - half[0], middle.x + half[0]];
            return Extent { radius, angle: [middle.y - half[1], middle.y + half[1]], height };
        }
        let length = |x: f64, y: f64| (x * x + y * y).sqrt();
        let [x, y] = [middle.x.abs(), middle.y.abs()];
        let inner = length(most(x - half[0], 0.0), most(y - half[1], 0.0));
        let radius = [inner * (1.0 - 1e-9), length(x + half[0], y + half[1]) * (1.0 + 1e-9)];
        if middle.x > half[0] {
            let [near, far] = [middle.x - half[0], middle.x + half[0]];
            let most = |y: f64| most_angle(y, near, far);
            return Extent { radius, angle: [-most(half[1] - middle.y), most(half[1] + middle.y)], height };
        }
        // The circle around the box is seen under the arc sine of this, which is below s + 0.5708 s^3.
        let sine = length(half[0], half[1]) / most(length(x, y), f64::MIN_POSITIVE);
        if sine >= 1.0 {
            return Extent { radius: [0.0, radius[1]], angle: [f64::NEG_INFINITY, f64::INFINITY], height };
        }
        let at = self.chart.cylindrical(middle).angle;
        let spread = least(sine + 0.5708 * sine * sine * sine + 1e-9, PI);
        Extent { radius, angle: [at - spread, at + spread], height }
    }
}

/// A bound of angles that points before the axis are seen under, at distances from it between two: with `u = y / x`, `atan u` is at
/// most `u`, and at most `u / (1 + u^2 / 3)` below zero.
#[inline(always)]
fn most_angle(y: f64, near: f64, far: f64) -> f64 {
    let (above, below) = if y > 0.0 { (y, near) } else { (3.0 * y * far, 3.0 * far * far + y * y) };
    least(above / below, FRAC_PI_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Boxes before the axis: no point of them is seen under a larger angle, and the bound is not far off.
    #[test]
    fn angles_of_boxes_before_the_axis_are_bounded() {
        let (mut random, mut tightest) = (Random::new(3), f64::INFINITY);
        for _ in 0..20_000 {
            let near = random.range(0.01, 3.0);
            let far = near + random.range(0.0, 2.0);
            let highest = random.range(-4.0, 4.0);
            let bound = most_angle(highest, near, far);
            let truth = f64::max((highest / near).atan(), (highest / far).atan());
            assert!(bound >= truth - 1e-15 && bound <= FRAC_PI_2, "{near} {far} {highest}: {bound} {truth}");
            if highest.abs() < 0.3 * near {
                tightest = tightest.min((bound - truth) / (1.0 + truth.abs()));
                assert!(bound - truth < 0.01, "{near} {far} {highest}: {bound} {truth}");
            }
        }
        assert!(tightest < 1e-6);
    }
}
