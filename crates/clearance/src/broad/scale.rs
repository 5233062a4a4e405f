//! Sizes of the cells of a grid: bodies fall into classes by size, each with cells of its own.

use super::is_finite;
use crate::math::Aabb;
use crate::math::round::power_of_two;
use glam::DVec3;

/// Powers of two that exponents of sizes may have, clamped.
const EXPONENTS: usize = 2048;

/// Bodies of about one size: largest extents within a factor of four.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeClass {
    /// How many.
    pub count: usize,
    /// Their largest extent.
    pub extent: f64,
    /// Exponent of two in it, from 0 on; names the class from frame to frame.
    pub exponent: usize,
}

/// How large bodies are and where.
#[derive(Clone, Debug)]
pub(super) struct Census {
    counts: Vec<u32>,
    extents: Vec<f64>,
    class_of: Vec<u16>,
    pub classes: Vec<SizeClass>,
    /// Around all that are finite.
    pub region: Option<Aabb>,
    /// A place where some bodies are, whatever few others do.
    pub origin: DVec3,
}

impl Default for Census {
    fn default() -> Census {
        Census {
            counts: vec![0; EXPONENTS],
            extents: vec![0.0; EXPONENTS],
            class_of: vec![0; EXPONENTS],
            classes: Vec::new(),
            region: None,
            origin: DVec3::ZERO,
        }
    }
}

#[inline(always)]
fn largest_extent(bound: &Aabb) -> f64 {
    (bound.max - bound.min).max_element()
}

/// The biased exponent of a number that is not negative.
#[inline(always)]
fn exponent(size: f64) -> usize {
    (size.to_bits() >> 52) as usize & (EXPONENTS - 1)
}

impl Census {
    /// Sorts bodies into classes, the smallest first; those that are not finite belong to none.
    pub fn take<'a>(&mut self, bounds: impl Iterator<Item = &'a Aabb> + Clone) {
        self.origin = middle(bounds.clone());
        self.counts.fill(0);
        self.extents.fill(0.0);
        let mut region = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        for bound in bounds.filter(|bound| is_finite(bound)) {
            let extent = largest_extent(bound);
            let at = exponent(extent);
            self.counts[at] += 1;
            self.extents[at] = self.extents[at].max(extent);
            region = region.join(*bound);
        }
        self.region = region.min.cmple(region.max).all().then_some(region);
        self.divide();
    }

    /// How many bodies are finite.
    pub fn count(&self) -> usize {
        self.classes.iter().map(|class| class.count).sum()
    }

    /// The class of a finite bound.
    #[inline(always)]
    pub fn class_of(&self, bound: &Aabb) -> usize {
        self.class_of[exponent(largest_extent(bound))] as usize
    }

    /// Pairs of neighbouring exponents, placed so that the most frequent two are together.
    fn divide(&mut self) {
        let both = |at: usize| u64::from(self.counts[at]) + u64::from(self.counts[at - 1]);
        let best = (1..EXPONENTS).max_by_key(|&at| (both(at), std::cmp::Reverse(at))).unwrap_or(1);
        self.classes.clear();
        let mut open: Option<(usize, SizeClass)> = None;
        for at in 0..EXPONENTS {
            // The upper of two exponents has the parity of the best one.
            let group = (at + (best & 1 ^ 1)) / 2;
            if self.counts[at] == 0 {
                continue;
            }
            let known = open.filter(|(of, _)| *of == group).map(|(_, class)| class);
            if known.is_none() {
                self.classes.extend(open.take().map(|(_, class)| class));
            }
            self.class_of[at] = self.classes.len() as u16;
            let count = known.map_or(0, |class| class.count) + self.counts[at] as usize;
            open = Some((group, SizeClass { count, extent: self.extents[at], exponent: at }));
        }
        self.classes.extend(open.map(|(_, class)| class));
    }

    pub fn bytes(&self) -> usize {
        EXPONENTS * (size_of::<u32>() + size_of::<f64>() + size_of::<u16>())
    }
}

/// Bodies that are looked at to find the middle of all.
const SAMPLES: usize = 15;

/// On each axis the median of some bodies.
fn middle<'a>(bounds: impl Iterator<Item = &'a Aabb> + Clone) -> DVec3 {
    let finite = bounds.filter(|bound| is_finite(bound));
    let stride = 1 + finite.clone().count() / SAMPLES;
    let some: Vec<DVec3> = finite.step_by(stride).map(|bound| bound.min).collect();
    let median = |axis: usize| {
        let mut values: Vec<f64> = some.iter().map(|place| place[axis]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    DVec3::new(median(0), median(1), median(2))
}

/// Below this index of a cell, sizes of cells need not be powers of two.
const SNUG: f64 = power_of_two(30);

/// The factor by which coordinates are multiplied to count the finest cells for bodies of an extent; half of it, and so on,
/// serves as well.
///
/// **Neighbours**: if `b.min <= a.max` and `a.min <= b.max`, the indices of the cells of `a.min` and `b.min` differ by at
/// most one on each axis. With a power of two, products are exact, and `a.max - a.min <= 1 / factor`. Otherwise indices are
/// below `2^30`, products err by less than `2^-23` and extents are at most `(1 - 2^-20) / factor`, so
/// `b.min * factor < a.min * factor + 1` also when rounded. Indices beyond the range of integers are clamped, which brings
/// none further apart.
///
/// Points have no size; their cells are as fine as numbers around `origin` are.
pub(super) fn finest_factor(extent: f64, largest_coordinate: f64, origin: DVec3) -> f64 {
    let least = power_of_two(-500);
    if extent > least && largest_coordinate < (SNUG - 1.0) * extent {
        return (1.0 - power_of_two(-19)) / extent;
    }
    let fine = if extent == 0.0 { f64::EPSILON * origin.abs().max_element() } else { extent };
    let size = fine.max(least);
    let above = f64::from_bits((size.to_bits() & !((1 << 52) - 1)) + (1 << 52));
    1.0 / above
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(size: f64) -> Aabb {
        Aabb { min: DVec3::ZERO, max: DVec3::splat(size) }
    }

    #[test]
    fn classes_hold_a_factor_of_four_around_the_most_frequent_size() {
        let sizes = [0.9, 1.1, 1.2, 1.9, 2.1, 70.0, 1e-9, 0.0];
        let bounds: Vec<Aabb> = sizes.iter().map(|&size| cube(size)).collect();
        let mut census = Census::default();
        census.take(bounds.iter());
        let class = |at: usize| census.class_of(&bounds[at]);
        assert_eq!(class(0), class(3));
        assert!(class(7) < class(6) && class(6) < class(0) && class(3) < class(4) && class(4) < class(5));
        let counts: Vec<usize> = census.classes.iter().map(|class| class.count).collect();
        assert_eq!(counts, [1, 1, 4, 1, 1]);
        assert_eq!(census.classes[2].extent, 1.9);
    }

    #[test]
    fn cells_are_no_smaller_than_bodies() {
        for extent in [0.0, 1e-300, 1e-3, 1.0, 1.5, 1e6] {
            for largest in [0.0, 1.0, 1e6, 1e30, 2f64.powi(300)] {
                let factor = finest_factor(extent, f64::max(extent, largest), DVec3::splat(largest));
                assert!(factor.is_finite() && factor > 0.0 && extent * factor <= 1.0, "{extent} {largest}");
            }
        }
    }
}
