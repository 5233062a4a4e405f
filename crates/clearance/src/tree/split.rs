//! Where to cut a set of triangles in two: the surface-area heuristic over bins.

use super::node::WIDTH;
use rayon::prelude::*;
use wide::f32x4;

/// A triangle to be placed: its box and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    range: Range,
    pub triangle: u32,
}

impl Item {
    pub fn new(triangle: u32, [a, b, c]: [f32x4; 3]) -> Item {
        let range = Range { low: a.fast_min(b).fast_min(c), high: a.fast_max(b).fast_max(c) };
        Item { range, triangle }
    }

    /// Twice the centre of the box.
    #[inline(always)]
    fn place(&self) -> f32x4 {
        self.range.low + self.range.high
    }
}

/// A box.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f32x4,
    high: f32x4,
}

impl Range {
    const EMPTY: Range =
        Range { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]) };

    #[inline(always)]
    fn join(self, other: Range) -> Range {
        Range { low: self.low.fast_min(other.low), high: self.high.fast_max(other.high) }
    }

    #[inline(always)]
    fn hold(&mut self, point: f32x4) {
        *self = self.join(Range { low: point, high: point });
    }

    /// Half the surface.
    #[inline(always)]
    fn surface(&self) -> f32 {
        let [x, y, z, _] = (self.high - self.low).to_array();
        x * (y + z) + y * z
    }
}

/// Items that are to become one part of the tree, with the box around them and around their centres.
pub(super) struct Set<'a> {
    pub items: &'a mut [Item],
    whole: Range,
    places: Range,
}

/// A side of a cut holds at least half a leaf, so that memory stays bounded whatever the triangles.
const LEAST_SIDE: usize = WIDTH / 2;

/// Sets of up to this size are cut with few bins.
const SMALL: usize = 64;

/// Axes along which centres spread less than this share of the widest are not looked at: cuts across them would leave
/// long parts, and seldom are the cheapest.
const NARROW: f32 = 0.25;

/// From here on bins are filled by several threads; what is found does not depend on it, because boxes and counts of
/// bins do not depend on the order of their items.
const PARALLEL: usize = 1 << 16;

impl<'a> Set<'a> {
    pub fn new(items: &'a mut [Item]) -> Set<'a> {
        let both = |items: &[Item]| {
            let (mut whole, mut places) = (Range::EMPTY, Range::EMPTY);
            for item in items {
                whole = whole.join(item.range);
                places.hold(item.place());
            }
            (whole, places)
        };
        let (whole, places) = in_parts(items, both, |a, b| (a.0.join(b.0), a.1.join(b.1)));
        Set { items, whole, places }
    }

    /// How much it matters to cut this set: half its surface times its size.
    pub fn weight(&self) -> f32 {
        self.whole.surface() * self.items.len() as f32
    }

    /// Cuts a set of more than [`WIDTH`] items into two, each near together.
    pub fn split(self) -> [Set<'a>; 2] {
        let items = self.items.len();
        if items <= SMALL { self.split_by_bins::<8>() } else { self.split_by_bins::<16>() }
    }

    fn split_by_bins<const BINS: usize>(self) -> [Set<'a>; 2] {
        let grid = Grid::<BINS>::over(&self.places);
        match grid.best_cut(self.items) {
            Some((axis, last)) => self.partition(|place| grid.bin_of(place)[axis] <= last as i32),
            None => self.halve(),
        }
    }

    /// Moves the items of the first side to the front.
    fn partition(self, is_first: impl Fn(f32x4) -> bool) -> [Set<'a>; 2] {
        let Set { items, .. } = self;
        let mut ranges = [(Range::EMPTY, Range::EMPTY); 2];
        let mut look = |item: &Item| {
            let place = item.place();
            let first = is_first(place);
            let (whole, places) = &mut ranges[usize::from(!first)];
            *whole = whole.join(item.range);
            places.hold(place);
            first
        };
        let (mut front, mut back) = (0, items.len());
        // Items before `front` are first ones, items from `back` on are not.
        while front < back {
            if look(&items[front]) {
                front += 1;
                continue;
            }
            back -= 1;
            while front < back && !look(&items[back]) {
                back -= 1;
            }
            items.swap(front, back);
            front += usize::from(front < back);
        }
        let (first, second) = items.split_at_mut(front);
        let [(whole, places), (other_whole, other_places)] = ranges;
        [Set { items: first, whole, places }, Set { items: second, whole: other_whole, places: other_places }]
    }

    /// Cuts in the middle by rank along the widest axis, a whole number of leaves on the first side.
    fn halve(self) -> [Set<'a>; 2] {
        let extent = (self.places.high - self.places.low).to_array();
        let axis = (0..3).fold(0, |widest, axis| if extent[axis] > extent[widest] { axis } else { widest });
        let Set { items, .. } = self;
        let middle = (items.len() / 2).next_multiple_of(WIDTH).min(items.len() - LEAST_SIDE);
        items.select_nth_unstable_by(middle, |a, b| {
            let [place_a, place_b] = [a, b].map(|item| item.place().to_array()[axis]);
            place_a.total_cmp(&place_b).then(a.triangle.cmp(&b.triangle))
        });
        let (first, second) = items.split_at_mut(middle);
        [first, second].map(Set::new)
    }
}

/// Some items, by their box and number.
#[derive(Clone, Copy, Debug)]
struct Bin {
    range: Range,
    count: usize,
}

impl Bin {
    const EMPTY: Bin = Bin { range: Range::EMPTY, count: 0 };

    #[inline(always)]
    fn join(self, other: Bin) -> Bin {
        Bin { range: self.range.join(other.range), count: self.count + other.count }
    }

    /// Expected work: half the surface of the box times the leaves that its items fill.
    #[inline(always)]
    fn cost(&self) -> f32 {
        self.range.surface() * self.count.div_ceil(WIDTH) as f32
    }
}

/// Bins of equal width between the outermost centres.
struct Grid<const BINS: usize> {
    start: f32x4,
    /// Bins per unit; zero along an axis that is not looked at.
    density: f32x4,
}

type Bins<const BINS: usize> = [[Bin; BINS]; 3];

impl<const BINS: usize> Grid<BINS> {
    fn over(places: &Range) -> Grid<BINS> {
        let extent = (places.high - places.low).to_array();
        let least = f32::MIN_POSITIVE.max(NARROW * extent.into_iter().fold(0.0, f32::max));
        let density = extent.map(|x| if x > least { BINS as f32 / x } else { 0.0 });
        Grid { start: places.low, density: f32x4::new(density) }
    }

    #[inline(always)]
    fn axes(&self) -> impl Iterator<Item = usize> {
        (0..3).filter(|&axis| self.density.as_array()[axis] > 0.0)
    }

    #[inline(always)]
    fn bin_of(&self, place: f32x4) -> [i32; 4] {
        let last = f32x4::splat(BINS as f32 - 1.0);
        ((place - self.start) * self.density).fast_min(last).fast_trunc_int().to_array()
    }

    fn bins(&self, items: &[Item]) -> Bins<BINS> {
        let fill = |items: &[Item]| {
            let mut bins = [[Bin::EMPTY; BINS]; 3];
            for item in items {
                let at = self.bin_of(item.place());
                for axis in self.axes() {
                    let bin = &mut bins[axis][at[axis] as usize % BINS];
                    *bin = bin.join(Bin { range: item.range, count: 1 });
                }
            }
            bins
        };
        let join = |mut a: Bins<BINS>, b: Bins<BINS>| {
            for (bin, other) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
                *bin = bin.join(*other);
            }
            a
        };
        in_parts(items, fill, join)
    }

    /// The axis and the last bin of the first side of the cheapest cut; `None` if every cut leaves too little on a side.
    fn best_cut(&self, items: &[Item]) -> Option<(usize, usize)> {
        let bins = self.bins(items);
        let mut best: Option<(f32, (usize, usize))> = None;
        for axis in self.axes() {
            let bins = &bins[axis];
            let mut right = [Bin::EMPTY; BINS];
            for at in (0..BINS - 1).rev() {
                right[at] = right[at + 1].join(bins[at + 1]);
            }
            let mut left = Bin::EMPTY;
            for last in 0..BINS - 1 {
                left = left.join(bins[last]);
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
