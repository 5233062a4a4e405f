//! Which facets lie over the centre of each pixel, and how near they are.

use super::{facet::Facet, frame::Pixel};
use std::collections::BTreeMap;

/// Rows of pixels handled at a time; bounds the memory to a strip of the picture.
pub const STRIP: i32 = 16;

/// A facet over a sample: how near, and which.
pub type Layer = (f64, u32);

/// The nearest opaque facet at each pixel.
#[derive(Debug, Default)]
pub struct DepthGrid {
    left: i32,
    top: i32,
    width: usize,
    nearest: Vec<Option<Layer>>,
}

impl DepthGrid {
    /// An empty grid around the facets, one pixel wider on every side.
    pub fn around(facets: &[Facet]) -> DepthGrid {
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        for corner in facets.iter().flat_map(|facet| facet.corners) {
            for axis in 0..2 {
                low[axis] = low[axis].min(corner[axis].div_euclid(100) - 1);
                high[axis] = high[axis].max(corner[axis].div_euclid(100) + 2);
            }
        }
        if facets.is_empty() {
            return DepthGrid::default();
        }
        let [width, height] = [0, 1].map(|axis| (high[axis] - low[axis] + 1) as usize);
        DepthGrid { left: low[0], top: low[1], width, nearest: vec![None; width * height] }
    }

    fn index(&self, column: i32, row: i32) -> Option<usize> {
        let (x, y) = (usize::try_from(column - self.left).ok()?, usize::try_from(row - self.top).ok()?);
        let index = y * self.width + x;
        (x < self.width && index < self.nearest.len()).then_some(index)
    }

    /// Takes note of the nearest opaque facet at a pixel.
    pub fn cover(&mut self, column: i32, row: i32, layer: Layer) {
        if let Some(index) = self.index(column, row) {
            self.nearest[index] = Some(layer);
        }
    }

    /// The nearest opaque facet at a pixel.
    pub fn at(&self, column: i32, row: i32) -> Option<Layer> {
        self.nearest[self.index(column, row)?]
    }

    /// The pieces of a segment that nothing hides, as pixels.
    ///
    /// A point is hidden when everything at its pixel and all eight around is nearer than itself by more than
    /// `SLACK`: so the edge of what one sees stays, at the price of a pixel too much of what dives below.
    pub fn visible_pieces(&self, ends: [Pixel; 2], nearness: [f64; 2]) -> Vec<[Pixel; 2]> {
        let length = f64::hypot(f64::from(ends[1][0] - ends[0][0]), f64::from(ends[1][1] - ends[0][1]));
        let steps = (length / 100.0).ceil().max(1.0) as i32;
        let at = |i: i32| {
            let t = f64::from(i) / f64::from(steps);
            let between = |p: i32, q: i32| (f64::from(p) + t * f64::from(q - p)).round() as i32;
            [between(ends[0][0], ends[1][0]), between(ends[0][1], ends[1][1])]
        };
        let seen = |i: i32| {
            let t = (f64::from(i) + 0.5) / f64::from(steps);
            let [x, y] = [0, 1].map(|k| f64::from(ends[0][k]) + t * f64::from(ends[1][k] - ends[0][k]));
            self.sees([x as i32, y as i32], nearness[0] + t * (nearness[1] - nearness[0]))
        };
        let mut pieces = Vec::new();
        let mut start = None;
        for i in 0..=steps {
            match (i < steps && seen(i), start) {
                (true, None) => start = Some(i),
                (false, Some(first)) => {
                    pieces.push([at(first), at(i)]);
                    start = None;
                }
                _ => {}
            }
        }
        pieces
    }

    fn sees(&self, pixel: Pixel, nearness: f64) -> bool {
        const SLACK: f64 = 0.05;
        let (column, row) = (pixel[0].div_euclid(100), pixel[1].div_euclid(100));
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (column + dx, row + dy)));
        around.into_iter().any(|(x, y)| self.at(x, y).is_none_or(|(nearest, _)| nearest <= nearness + SLACK))
    }
}

/// Per strip its first row and the facets that reach into it.
pub fn strips_of(facets: &[Facet]) -> BTreeMap<i32, Vec<u32>> {
    let mut strips: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
    for (i, facet) in facets.iter().enumerate() {
        let rows = facet.corners.map(|c| c[1].div_euclid(100 * STRIP));
        let (low, high) = (rows[0].min(rows[1]).min(rows[2]), rows[0].max(rows[1]).max(rows[2]));
        for strip in low..=high {
            strips.entry(strip * STRIP).or_default().push(i as u32);
        }
    }
    strips
}

/// Calls back with the place of each sample of a strip (column, row) and the layers over it, farthest first.
pub fn for_each_sample(
    facets: &[Facet],
    top: i32,
    members: &[u32],
    mut seen: impl FnMut([i32; 2], &[Layer]),
) {
    let columns = members.iter().flat_map(|&f| facets[f as usize].corners.map(|c| c[0]));
    let (left, right) = columns.fold((i32::MAX, i32::MIN), |(l, r), x| (l.min(x), r.max(x)));
    if members.is_empty() {
        return;
    }
    let (left, right) = (left.div_euclid(100), right.div_euclid(100) + 1);
    let width = (right - left + 1) as usize;
    let mut samples: Vec<Vec<Layer>> = vec![Vec::new(); width * STRIP as usize];
    for &f in members {
        cover(&facets[f as usize], top, |row, columns, nearness_at| {
            for column in columns {
                let sample = &mut samples[(row - top) as usize * width + (column - left) as usize];
                sample.push((nearness_at(column), f));
            }
        });
    }
    for (i, sample) in samples.iter_mut().enumerate() {
        sample.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        seen([left + (i % width) as i32, top + (i / width) as i32], sample);
    }
}

/// Calls back per row of the strip with the columns whose centres the facet covers and its nearness there.
pub fn cover(facet: &Facet, top: i32, mut span: impl FnMut(i32, std::ops::Range<i32>, &dyn Fn(i32) -> f64)) {
    let [a, b, c] = facet.corners.map(centred);
    let rows = [a[1], b[1], c[1]];
    let low = rows.iter().copied().fold(f64::INFINITY, f64::min).ceil() as i32;
    let high = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max).floor() as i32;
    let plane = Plane::of(facet);
    for row in low.max(top)..=high.min(top + STRIP - 1) {
        let y = f64::from(row);
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            let (p, q) = if p[1] <= q[1] { (p, q) } else { (q, p) };
            if p[1] <= y && y <= q[1] && p[1] < q[1] {
                let x = p[0] + (q[0] - p[0]) * ((y - p[1]) / (q[1] - p[1]));
                (left, right) = (left.min(x), right.max(x));
            }
        }
        if left <= right {
            span(row, left.ceil() as i32..right.floor() as i32 + 1, &|column| plane.at(f64::from(column), y));
        }
    }
}

/// A point in pixels, such that centres of pixels are whole numbers.
pub fn centred(pixel: Pixel) -> [f64; 2] {
    pixel.map(|value| f64::from(value) / 100.0 - 0.5)
}

/// Nearness as an affine function of the picture, in pixels measured from the centre of the first.
pub struct Plane {
    origin: [f64; 2],
    nearness: f64,
    slope: [f64; 2],
}

impl Plane {
    /// The plane of a facet.
    pub fn of(facet: &Facet) -> Plane {
        Plane::through(facet.corners.map(centred), facet.nearness)
    }

    fn through([a, b, c]: [[f64; 2]; 3], [za, zb, zc]: [f64; 3]) -> Plane {
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = u[0] * v[1] - u[1] * v[0];
        let (du, dv) = (zb - za, zc - za);
        let slope = [(du * v[1] - dv * u[1]) / area, (dv * u[0] - du * v[0]) / area];
        Plane { origin: a, nearness: za, slope }
    }

    /// Nearness at a point.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.nearness + self.slope[0] * (x - self.origin[0]) + self.slope[1] * (y - self.origin[1])
    }
}
