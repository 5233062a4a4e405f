//! Vertices about the axis and on the screen, and how far they reach.

use super::bounds::Reach;
use super::coordinates::Chart;
use super::curvature::Curvature;
use super::drawing::Drawing;
use super::extent::{Extent, least, most};
use super::spot::Four;
use crate::screw::surface::Surface;
use glam::{DMat3, DVec3};
use wide::f64x4;

/// Ranges of four points at a time: radius, angle, height; height on the screen, time, sum of radius and height.
struct Ranges {
    first: [f64x4; 6],
    last: [f64x4; 6],
}

impl Ranges {
    const EMPTY: Ranges =
        Ranges { first: [f64x4::new([f64::INFINITY; 4]); 6], last: [f64x4::new([f64::NEG_INFINITY; 4]); 6] };

    #[inline(always)]
    fn join(&mut self, four: &Four) {
        let values = [four.radius, four.angle, four.z, four.h, four.t, four.radius + four.h];
        for k in 0..6 {
            self.first[k] = self.first[k].fast_min(values[k]);
            self.last[k] = self.last[k].fast_max(values[k]);
        }
    }

    fn of(&self, k: usize) -> [f64; 2] {
        let ([a, b, c, d], [e, f, g, h]) = (self.first[k].to_array(), self.last[k].to_array());
        [least(least(a, b), least(c, d)), most(most(e, f), most(g, h))]
    }

    fn extent(&self) -> Extent {
        Extent { radius: self.of(0), angle: self.of(1), height: self.of(2) }
    }

    fn reach(&self) -> Reach {
        let all = [0, 3, 4, 5].map(|k| self.of(k));
        Reach { first: all.map(|range| range[0]), last: all.map(|range| range[1]) }
    }
}

impl Drawing {
    /// Vertices that are picked; what they reach on the screen.
    pub(super) fn place_picked(&mut self, surface: &Surface, chart: &Chart) -> Reach {
        let ranges = self.place_listed(surface, chart);
        self.extent = ranges.extent().closed(chart);
        self.curvature = Curvature::over(chart, &self.extent);
        let reach = ranges.reach();
        self.heights = [reach.first[1], reach.last[1]];
        reach
    }

    /// All vertices of the list.
    fn place_listed(&mut self, surface: &Surface, chart: &Chart) -> Ranges {
        let (matrix, offset) = self.placement;
        let (spots, positions) = (&mut self.spots[..], &surface.positions[..]);
        let mut ranges = Ranges::EMPTY;
        for four in self.placed.chunks(4) {
            let numbers: [usize; 4] = std::array::from_fn(|i| four[i.min(four.len() - 1)] as usize);
            let placed = chart.four(moved(&matrix, offset, numbers.map(|v| &positions[v])));
            ranges.join(&placed);
            for (spot, v) in placed.each().into_iter().zip(numbers) {
                spots[v] = spot;
            }
        }
        ranges
    }

    /// All vertices of the list, and a box around them; without angles if they are seen under half a turn or more.
    pub(super) fn place_all(&mut self, surface: &Surface, chart: &Chart) -> Extent {
        let all = self.place_listed(surface, chart).extent().closed(chart);
        self.speed = chart.fastest(all.radius[1]);
        all
    }
}

/// Coordinates of four points about the axis.
#[inline(always)]
fn moved(matrix: &DMat3, offset: DVec3, [p, q, r, s]: [&DVec3; 4]) -> [f64x4; 3] {
    let x = f64x4::new([p.x, q.x, r.x, s.x]);
    let y = f64x4::new([p.y, q.y, r.y, s.y]);
    let z = f64x4::new([p.z, q.z, r.z, s.z]);
    let along = |a: f64, b: f64, c: f64, offset: f64| {
        x * f64x4::splat(a) + y * f64x4::splat(b) + z * f64x4::splat(c) + f64x4::splat(offset)
    };
    let (a, b, c) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    [along(a.x, b.x, c.x, offset.x), along(a.y, b.y, c.y, offset.y), along(a.z, b.z, c.z, offset.z)]
}
