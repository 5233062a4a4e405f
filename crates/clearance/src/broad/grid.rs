//! All pairs of many boxes at once: a grid for each class of sizes, sorted anew for every search [Chung96 §3.1, step 1].
//!
//! A body lies in the cell of its smallest corner. Cells are at least as large as the bodies of their class, so bodies
//! that meet lie in neighbouring cells; the cells of a row are one run of memory. Indices wrap around, so bodies far away
//! share cells and cost a comparison, but no memory. A body is compared with its own class and with the classes of
//! larger ones.

use super::bodies::View;
use super::compare::{Comparisons, STATIC, sure_overlap};
use super::lanes::SmallBox;
use super::order::PairSort;
use super::scale::{Census, finest_factor};
use super::{EVERYWHERE, IdPair, is_finite};
use crate::math::Aabb;
use glam::DVec3;
use rayon::prelude::*;

/// Cells for each body of a class, about.
const CELLS_PER_BODY: usize = 4;

/// Least cells along an axis: with fewer, the neighbours on both sides would be the same.
const LEAST_BITS: u32 = 2;

/// Bodies that share a cell with one, on average, from which on coarser cells are tried: with the finest, bodies on a
/// lattice may all wrap around to a few cells.
const CROWDED: u64 = 6;

/// Searches after which other cells are tried again, where all were crowded.
const PATIENCE: u32 = 32;

/// Sizes of cells that are tried at most, each twice the one before.
const MOST_STEPS: u32 = 128;

/// Bodies that one task of a parallel search takes: of ten thousand, five tasks of two thousand would leave one of two threads
/// waiting for a third of the time.
const TASK: usize = 512;

/// Bodies from which on a search is shared among threads.
const PARALLEL: usize = 4096;

/// Bounds that are fetched at a time.
const FETCHED: usize = 256;

/// The cells of one class.
#[derive(Clone, Copy, Debug)]
struct Layer {
    /// The first cell, and the first body, among those of all classes.
    base: usize,
    first: usize,
    count: usize,
    /// Coordinates times this count cells.
    factor: f64,
    bits: [u32; 3],
}

/// What was learned about a class of sizes.
#[derive(Clone, Copy, Debug)]
struct Learned {
    exponent: usize,
    /// How often the finest cells are doubled.
    coarser: u32,
    /// Searches until it is tried again.
    patience: u32,
}

/// Buffers of a search; nothing in them outlives it but their memory, how fine cells should be, and an order to go through bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    census: Census,
    layers: Vec<Layer>,
    learned: Vec<Learned>,
    /// For each cell the end of its run, and before the first its start.
    ends: Vec<u32>,
    /// Tagged with ids and cells, in the order of cells.
    sorted: Vec<SmallBox>,
    /// The same in the order of the search before: bodies that are close to each other come close to each other, so that what is
    /// counted and where it is put is still in the caches.
    visited: Vec<SmallBox>,
    unbounded: Vec<u32>,
    found: Vec<Vec<IdPair>>,
    order: PairSort,
    /// Boxes compared by the last search.
    pub tests: u64,
}

impl Layer {
    #[inline(always)]
    fn cell(&self, [x, y, z]: [i64; 3]) -> usize {
        let wrapped = |index: i64, axis: usize| (index as usize) & ((1 << self.bits[axis]) - 1);
        let row = wrapped(z, 2) << self.bits[1] | wrapped(y, 1);
        self.base + (row << self.bits[0] | wrapped(x, 0))
    }

    #[inline(always)]
    fn index(&self, point: DVec3) -> [i64; 3] {
        (point * self.factor).to_array().map(floor)
    }

    fn cells(&self) -> usize {
        1 << (self.bits[0] + self.bits[1] + self.bits[2])
    }

    /// Indices of a cell that lead back to it.
    #[inline(always)]
    fn unwrap(&self, cell: usize) -> [i64; 3] {
        let cell = cell - self.base;
        let part = |shift: u32, axis: usize| (cell >> shift & ((1 << self.bits[axis]) - 1)) as i64;
        [part(0, 0), part(self.bits[0], 1), part(self.bits[0] + self.bits[1], 2)]
    }
}

/// Bits of the numbers of cells along the axes of a region, enough for all.
fn bits_around(region: &Aabb, factor: f64) -> [u32; 3] {
    let cells = (region.extent() * factor).to_array();
    cells.map(|cells| (cells.min(1e18) as u64 + 2).next_power_of_two().trailing_zeros().max(LEAST_BITS))
}

/// Takes bits from the longest axes until few enough are left.
fn limited(mut bits: [u32; 3], limit: u32) -> [u32; 3] {
    while bits.iter().sum::<u32>() > limit.max(3 * LEAST_BITS) {
        let longest = (0..3).max_by_key(|&axis| bits[axis]).unwrap_or(0);
        bits[longest] -= 1;
    }
    bits
}

/// Adds bits until they are as many as were planned: cells of other classes have their places already.
fn exactly(mut bits: [u32; 3], sum: u32) -> [u32; 3] {
    bits[0] += sum - bits.iter().sum::<u32>();
    bits
}

fn largest_coordinate(region: &Aabb) -> f64 {
    region.min.abs().max(region.max.abs()).max_element()
}

/// Cells doubled some times.
fn coarser(factor: f64, times: u32) -> f64 {
    (0..times).fold(factor, |factor, _| 0.5 * factor)
}

/// The largest whole number that is not above, without a call; clamped so that neighbours can be counted.
#[inline(always)]
fn floor(x: f64) -> i64 {
    const LIMIT: f64 = (1u64 << 61) as f64;
    let near = x.clamp(-LIMIT, LIMIT) as i64;
    near - i64::from((near as f64) > x && x > -LIMIT)
}

impl Grid {
    /// All pairs of bodies whose bounds meet and that no balls keep apart, ascending.
    pub fn find(&mut self, bodies: View<'_>, out: &mut Vec<IdPair>) {
        out.clear();
        self.tests = 0;
        self.census.take(bodies.ids().map(|id| bodies.bound(id)));
        self.unbounded.clear();
        if self.census.count() < bodies.count() {
            self.unbounded.extend(bodies.ids().filter(|&id| !is_finite(bodies.bound(id))));
        }
        self.plan();
        self.sort(bodies);
        self.search(bodies, out);
        self.pair_unbounded(bodies, out);
        self.order.sort(out, bodies.end());
    }

    /// Chooses cells: for each class the finest, or coarser ones if that was learned.
    fn plan(&mut self) {
        self.layers.clear();
        let Some(region) = self.census.region else { return };
        let largest = largest_coordinate(&region);
        let (mut base, mut first) = (0, 0);
        self.learned.retain(|known| self.census.classes.iter().any(|class| class.exponent == known.exponent));
        for class in &self.census.classes {
            let limit = (class.count * CELLS_PER_BODY).next_power_of_two().trailing_zeros();
            let known = self.learned.iter().position(|known| known.exponent == class.exponent);
            let known = known.unwrap_or_else(|| {
                self.learned.push(Learned { exponent: class.exponent, coarser: 0, patience: 0 });
                self.learned.len() - 1
            });
            let factor = coarser(
                finest_factor(class.extent, largest, self.census.origin),
                self.learned[known].coarser,
            );
            let bits = limited(bits_around(&region, factor), limit);
            let layer = Layer { base, first, count: class.count, factor, bits };
            (base, first) = (base + layer.cells(), first + class.count);
            self.layers.push(layer);
        }
    }

    /// Counts bodies in cells, with other cells where too many share one, and sorts them.
    fn sort(&mut self, bodies: View<'_>) {
        self.visit(bodies);
        let cells: usize = self.layers.iter().map(Layer::cells).sum();
        self.ends.clear();
        self.ends.resize(cells + 2, 0);
        self.visited.iter().for_each(|body| self.ends[body.tags()[1] as usize + 1] += 1);
        for at in 0..self.layers.len() {
            self.refine(at, bodies);
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum - *end;
        }
        self.sorted.resize(self.visited.len(), SmallBox::NOTHING);
        for body in &self.visited {
            // Starts become ends as bodies arrive; the start of a cell is then the end of the one before.
            let place = &mut self.ends[body.tags()[1] as usize + 1];
            self.sorted[*place as usize] = *body;
            *place += 1;
        }
    }

    /// The boxes and cells of all finite bodies, in the order of the search before if they are the same ones.
    fn visit(&mut self, bodies: View<'_>) {
        let is_known = self.sorted.len() == self.census.count() && self.visit_sorted(bodies);
        if !is_known {
            self.sorted.clear();
            let ids = bodies.ids().filter(|&id| is_finite(bodies.bound(id)));
            self.sorted.extend(ids.map(|id| SmallBox::NOTHING.with_tags([id, 0])));
            self.visit_sorted(bodies);
        }
    }

    /// The same for those that were sorted; whether all of them are there and finite.
    fn visit_sorted(&mut self, bodies: View<'_>) -> bool {
        let (origin, layers, census) = (self.census.origin, &self.layers, &self.census);
        let put = |id: u32, bound: &Aabb, place: &mut SmallBox| {
            // One that is not finite any more may be of no class.
            let Some(layer) = layers.get(census.class_of(bound)) else { return };
            let tag = id | if bodies.is_static(id) { STATIC } else { 0 };
            *place = SmallBox::new(bound, origin, [tag, layer.cell(layer.index(bound.min)) as u32]);
        };
        let visit = |(known, places): (&[SmallBox], &mut [SmallBox])| {
            // Bounds are fetched before anything else is done with them, so that many are under way at a time.
            let mut bounds = [EVERYWHERE; FETCHED];
            for (bound, known) in bounds.iter_mut().zip(known) {
                *bound = bodies.bound_if_any(known.tags()[0] & !STATIC);
            }
            for ((known, bound), place) in known.iter().zip(&bounds).zip(places) {
                put(known.tags()[0] & !STATIC, bound, place);
            }
            bounds[..known.len()].iter().all(is_finite)
        };
        let count = self.sorted.len();
        self.visited.resize(count, SmallBox::NOTHING);
        match count < PARALLEL {
            true => {
                let all = self.sorted.chunks(FETCHED).zip(self.visited.chunks_mut(FETCHED));
                all.map(visit).fold(true, |all, one| all & one)
            }
            false => {
                let all = self.sorted.par_chunks(FETCHED).zip(self.visited.par_chunks_mut(FETCHED));
                all.with_min_len(PARALLEL / 4 / FETCHED).map(visit).reduce(|| true, |all, one| all & one)
            }
        }
    }

    /// How many bodies, summed over the bodies of a class, share a cell with each.
    fn crowd(&self, layer: &Layer) -> u64 {
        let counts = &self.ends[layer.base + 1..layer.base + 1 + layer.cells()];
        counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum()
    }

    /// Where a class is crowded, tries cells from the finest to those that need no wrapping, and keeps the best; what was
    /// learned is used in the next searches as well.
    fn refine(&mut self, at: usize, bodies: View<'_>) {
        let (layer, class) = (self.layers[at], self.census.classes[at]);
        let known = self.learned.iter().position(|known| known.exponent == class.exponent);
        let (Some(known), Some(region)) = (known, self.census.region) else { return };
        if self.crowd(&layer) <= CROWDED * layer.count as u64 {
            return;
        }
        if self.learned[known].patience > 0 {
            self.learned[known].patience -= 1;
            return;
        }
        let finest = finest_factor(class.extent, largest_coordinate(&region), self.census.origin);
        let limit = layer.bits.iter().sum();
        let (mut best, mut crowd) = (layer, self.crowd(&layer));
        for step in 0..MOST_STEPS {
            let factor = coarser(finest, step);
            let around = bits_around(&region, factor);
            let trial = Layer { factor, bits: exactly(limited(around, limit), limit), ..layer };
            self.recount(&trial, bodies);
            let found = self.crowd(&trial);
            if found < crowd {
                (best, crowd) = (trial, found);
                self.learned[known].coarser = step;
            }
            if crowd <= CROWDED * layer.count as u64 || around.iter().sum::<u32>() <= limit {
                break;
            }
        }
        self.learned[known].patience = PATIENCE;
        self.recount(&best, bodies);
        self.layers[at] = best;
    }

    /// Counts the bodies of one class again, with other cells.
    fn recount(&mut self, layer: &Layer, bodies: View<'_>) {
        let cells = layer.base..layer.base + layer.cells();
        self.ends[cells.start + 1..cells.end + 1].fill(0);
        for body in &mut self.visited {
            let [tag, known] = body.tags();
            if cells.contains(&(known as usize)) {
                let cell = layer.cell(layer.index(bodies.bound(tag & !STATIC).min));
                self.ends[cell + 1] += 1;
                *body = body.with_tags([tag, cell as u32]);
            }
        }
    }

    /// Compares neighbours, in parallel if they are many; each task writes to a list of its own.
    fn search(&mut self, bodies: View<'_>, out: &mut Vec<IdPair>) {
        let count = self.sorted.len();
        let tasks = count.div_ceil(TASK);
        let mut found = std::mem::take(&mut self.found);
        found.truncate(2 * tasks + 1);
        found.resize_with(found.len().max(tasks), Vec::new);
        let run = |(task, found): (usize, &mut Vec<IdPair>)| {
            found.clear();
            self.search_task(task * TASK..count.min((task + 1) * TASK), bodies, found)
        };
        self.tests = match count <= PARALLEL {
            true => found[..tasks].iter_mut().enumerate().map(run).sum(),
            false => found[..tasks].par_iter_mut().enumerate().map(run).sum(),
        };
        found[..tasks].iter().for_each(|found| out.extend_from_slice(found));
        self.found = found;
    }

    fn search_task(
        &self,
        bodies_of_task: std::ops::Range<usize>,
        bodies: View<'_>,
        found: &mut Vec<IdPair>,
    ) -> u64 {
        let comparisons = Comparisons::new(&self.sorted, bodies, self.sure_overlap(), found);
        let mut scan = Scan { grid: self, bodies, comparisons };
        for at in 0..self.layers.len() {
            let layer = &self.layers[at];
            let own = layer.first..layer.first + layer.count;
            for body in own.start.max(bodies_of_task.start)..own.end.min(bodies_of_task.end) {
                scan.own_layer(layer, body);
                for larger in &self.layers[at + 1..] {
                    scan.larger_layer(larger, body);
                }
            }
        }
        scan.comparisons.make();
        scan.comparisons.tests
    }

    /// Small boxes that share so much are of boxes that meet.
    fn sure_overlap(&self) -> f32 {
        let Some(region) = self.census.region else { return f32::INFINITY };
        let origin = self.census.origin;
        sure_overlap(largest_coordinate(&Aabb { min: region.min - origin, max: region.max - origin }))
    }

    /// Bodies without end meet by their bounds what they do.
    fn pair_unbounded(&mut self, bodies: View<'_>, out: &mut Vec<IdPair>) {
        for (at, &id) in self.unbounded.iter().enumerate() {
            let others = bodies.ids().filter(|&other| is_finite(bodies.bound(other)));
            let others = others.chain(self.unbounded[at + 1..].iter().copied());
            out.extend(others.filter(|&other| bodies.is_pair(id, other)).map(|other| IdPair::new(id, other)));
            self.tests += bodies.count() as u64;
        }
    }

    /// Gives buffers back that are far too large for so many bodies.
    pub fn shrink(&mut self, count: usize) {
        if self.sorted.capacity() > 8 * (count + 64) {
            *self = Grid { tests: self.tests, ..Grid::default() };
        }
    }

    pub fn bytes(&self) -> usize {
        let found: usize = self.found.iter().map(|found| found.capacity() * size_of::<IdPair>()).sum();
        found
            + self.census.bytes()
            + self.order.bytes()
            + (self.ends.capacity() + self.unbounded.capacity()) * size_of::<u32>()
            + (self.sorted.capacity() + self.visited.capacity()) * size_of::<SmallBox>()
    }
}

/// Bodies of a task and what they are compared with.
struct Scan<'a> {
    grid: &'a Grid,
    bodies: View<'a>,
    comparisons: Comparisons<'a>,
}

impl Scan<'_> {
    /// The bodies behind this one in its cell, and those of half of the neighbouring cells: so each pair is met once.
    #[inline(always)]
    fn own_layer(&mut self, layer: &Layer, body: usize) {
        let cell = self.grid.sorted[body].tags()[1] as usize;
        let [x, y, z] = layer.unwrap(cell);
        let ends = &self.grid.ends;
        let wraps = x + 1 == 1 << layer.bits[0];
        let next = if wraps { layer.cell([0, y, z]) } else { cell + 1 };
        if wraps {
            self.comparisons.add(body, body + 1, ends[cell + 1] as usize);
            self.comparisons.add(body, ends[next] as usize, ends[next + 1] as usize);
        } else {
            self.comparisons.add(body, body + 1, ends[next + 1] as usize);
        }
        for [y, z] in [[y + 1, z], [y - 1, z + 1], [y, z + 1], [y + 1, z + 1]] {
            self.row(layer, body, [x - 1, x + 1], y, z);
        }
    }

    /// A layer of larger bodies: one that meets this body starts at most a cell before it.
    #[inline(never)]
    fn larger_layer(&mut self, layer: &Layer, body: usize) {
        let bound = self.bodies.bound(self.grid.sorted[body].tags()[0] & !STATIC);
        let (low, high) = (layer.index(bound.min), layer.index(bound.max));
        for z in low[2] - 1..=high[2] {
            for y in low[1] - 1..=high[1] {
                self.row(layer, body, [low[0] - 1, high[0]], y, z);
            }
        }
    }

    /// Cells of a row, at most as many as the row has.
    #[inline(always)]
    fn row(&mut self, layer: &Layer, body: usize, [from, to]: [i64; 2], y: i64, z: i64) {
        let ends = &self.grid.ends;
        let (first, last) = (layer.cell([from, y, z]), layer.cell([to, y, z]));
        if first <= last {
            return self.comparisons.add(body, ends[first] as usize, ends[last + 1] as usize);
        }
        let start = layer.cell([0, y, z]);
        let end = start + (1 << layer.bits[0]) - 1;
        self.comparisons.add(body, ends[first] as usize, ends[end + 1] as usize);
        self.comparisons.add(body, ends[start] as usize, ends[last + 1] as usize);
    }
}
