//! Where to cut a set of triangles in two: the surface-area heuristic over bins.

use super::node::WIDTH;
use rayon::prelude::*;
use wide::f32x4;

/// A triangle to be placed: its box and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub low: f32x4,
    pub high: f32x4,
    pub triangle: u32,
}

impl Item {
    /// Twice the centre of the box.
    #[inline]
    fn place(&self) -> f32x4 {
        self.low + self.high
    }
}

/// A side of a cut holds at least half a leaf, so that memory stays bounded whatever the triangles.
const LEAST_SIDE: usize = WIDTH / 2;

/// Bins along an axis.
const BINS: usize = 16;

/// From here on bins are filled by several threads; what is found does not depend on it, because boxes and counts of
/// bins do not depend on the order of their items.
const PARALLEL: usize = 1 << 16;

/// The box of some items and how many there are.
#[derive(Clone, Copy, Debug)]
struct Bin {
    low: f32x4,
    high: f32x4,
    count: usize,
}

impl Bin {
    const EMPTY: Bin =
        Bin { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]), count: 0 };

    #[inline]
    fn add(&mut self, low: f32x4, high: f32x4, count: usize) {
        self.low = self.low.fast_min(low);
        self.high = self.high.fast_max(high);
        self.count += count;
    }

    fn join(mut self, other: &Bin) -> Bin {
        self.add(other.low, other.high, other.count);
        self
    }

    /// Expected work: half the surface of the box times the leaves that its items fill.
    #[inline]
    fn cost(&self) -> f32 {
        half_surface(self.low, self.high) * self.count.div_ceil(WIDTH) as f32
    }
}

#[inline]
fn half_surface(low: f32x4, high: f32x4) -> f32 {
    let [x, y, z, _] = (high - low).to_array();
    x * (y + z) + y * z
}

/// Half the surface of the box around items, times their number.
pub(super) fn weight(items: &[Item]) -> f32 {
    let whole = items.iter().fold(Bin::EMPTY, |mut bin, item| {
        bin.add(item.low, item.high, 1);
        bin
    });
    half_surface(whole.low, whole.high) * items.len() as f32
}

/// Reorders more than [`WIDTH`] items into two sets near each other and returns the size of the first.
pub(super) fn split(items: &mut [Item]) -> usize {
    let grid = Grid::around(items);
    match grid.best_cut(items) {
        Some((axis, last)) => partition(items, |item| grid.bin_of(item.place())[axis] <= last),
        None => halve(items, grid.widest()),
    }
}

/// Bins of equal width between the outermost centres.
struct Grid {
    start: f32x4,
    /// Bins per unit; zero along an axis on which all centres agree.
    density: f32x4,
    extent: f32x4,
}

type Bins = [[Bin; BINS]; 3];

impl Grid {
    fn around(items: &[Item]) -> Grid {
        let range = |items: &[Item]| {
            let mut range = Bin::EMPTY;
            items.iter().for_each(|item| range.add(item.place(), item.place(), 1));
            range
        };
        let places = in_parts(items, range, |a, b| a.join(&b));
        let extent = places.high - places.low;
        let density = extent.to_array().map(|x| if x > f32::MIN_POSITIVE { BINS as f32 / x } else { 0.0 });
        Grid { start: places.low, density: f32x4::new(density), extent }
    }

    #[inline]
    fn bin_of(&self, place: f32x4) -> [usize; 4] {
        ((place - self.start) * self.density).to_array().map(|x| (x as usize).min(BINS - 1))
    }

    fn widest(&self) -> usize {
        let [x, y, z, _] = self.extent.to_array();
        if x >= y && x >= z { 0 } else { usize::from(z > y) + 1 }
    }

    fn bins(&self, items: &[Item]) -> Bins {
        let fill = |items: &[Item]| {
            let mut bins = [[Bin::EMPTY; BINS]; 3];
            for item in items {
                let at = self.bin_of(item.place());
                for axis in 0..3 {
                    bins[axis][at[axis]].add(item.low, item.high, 1);
                }
            }
            bins
        };
        let join = |mut a: Bins, b: Bins| {
            for (bin, other) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
                *bin = bin.join(other);
            }
            a
        };
        in_parts(items, fill, join)
    }

    /// The axis and the last bin of the first side of the cheapest cut; `None` if every cut leaves too little on a side.
    fn best_cut(&self, items: &[Item]) -> Option<(usize, usize)> {
        let bins = self.bins(items);
        let mut best: Option<(f32, (usize, usize))> = None;
        for (axis, bins) in bins.iter().enumerate() {
            let mut right = [Bin::EMPTY; BINS];
            for at in (0..BINS - 1).rev() {
                right[at] = right[at + 1].join(&bins[at + 1]);
            }
            let mut left = Bin::EMPTY;
            for last in 0..BINS - 1 {
                left = left.join(&bins[last]);
                if left.count.min(right[last].count) < LEAST_SIDE {
                    continue;
                }
                let cost = left.cost() + right[last].cost();
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, (axis, last)));
                }
            }
        }
        best.map(|(_, cut)| cut)
    }
}

/// A result over all items, from several threads if there are many.
fn in_parts<T: Send>(
    items: &[Item],
    part: impl Fn(&[Item]) -> T + Sync,
    join: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    if items.len() < PARALLEL {
        return part(items);
    }
    let parts: Vec<T> = items.par_chunks(PARALLEL / 4).map(&part).collect();
    parts.into_iter().reduce(join).unwrap_or_else(|| part(&[]))
}

/// Moves the items of the first side to the front and returns how many there are.
fn partition(items: &mut [Item], is_first: impl Fn(&Item) -> bool) -> usize {
    let (mut front, mut back) = (0, items.len());
    loop {
        while front < back && is_first(&items[front]) {
            front += 1;
        }
        while front < back && !is_first(&items[back - 1]) {
            back -= 1;
        }
        if front == back {
            return front;
        }
        items.swap(front, back - 1);
    }
}

/// Cuts in the middle by rank along an axis, a whole number of leaves on the first side.
fn halve(items: &mut [Item], axis: usize) -> usize {
    let middle = (items.len() / 2).next_multiple_of(WIDTH).min(items.len() - LEAST_SIDE);
    let key = |item: &Item| (item.place().to_array()[axis], item.triangle);
    items.select_nth_unstable_by(middle, |a, b| {
        let ((place_a, a), (place_b, b)) = (key(a), key(b));
        place_a.total_cmp(&place_b).then(a.cmp(&b))
    });
    middle
}
