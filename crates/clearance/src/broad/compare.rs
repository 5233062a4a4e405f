//! Comparisons of the boxes of a sorted list, many at a time.
//!
//! How many boxes one is compared with, and which of them meet, nobody can guess: a jump for each would cost more than what is
//! compared. So comparisons are gathered first, a few at a time whether they are all wanted or not, and made in one run.

use super::IdPair;
use super::bodies::View;
use super::lanes::SmallBox;
use crate::math::round::power_of_two;

/// Marks a body that does not move.
pub(super) const STATIC: u32 = 1 << 31;

/// Comparisons that are gathered, at most.
const ROOM: usize = 512;

/// Those that are written at a time.
const STEP: usize = 4;

/// Boxes of a sorted list, tagged with ids, that are to be compared, and the pairs found among them.
pub(super) struct Comparisons<'a> {
    sorted: &'a [SmallBox],
    bodies: View<'a>,
    /// Small boxes that share more than this on each axis were rounded from boxes that meet.
    sure: f32,
    /// Places of both in the list.
    gathered: [[u32; 2]; ROOM],
    count: usize,
    /// Comparisons so far.
    pub tests: u64,
    found: &'a mut Vec<IdPair>,
}

/// What small boxes must share on each axis for the boxes they were rounded from to meet.
///
/// Each of the two numbers that are compared is off by less than `2^-22` of itself, their difference by `2^-24`; below the
/// normal numbers by a few of the smallest of those. Where single precision has an end nothing is sure.
pub(super) fn sure_overlap(largest: f64) -> f32 {
    match largest < power_of_two(100) {
        true => (largest * power_of_two(-20)) as f32 + 16.0 * f32::MIN_POSITIVE,
        false => f32::INFINITY,
    }
}

impl<'a> Comparisons<'a> {
    /// None yet; `sure` is of [`sure_overlap`].
    pub fn new(sorted: &'a [SmallBox], bodies: View<'a>, sure: f32, found: &'a mut Vec<IdPair>) -> Self {
        Comparisons { sorted, bodies, sure, gathered: [[0; 2]; ROOM], count: 0, tests: 0, found }
    }

    /// One box with a run of others.
    #[inline(always)]
    pub fn add(&mut self, one: usize, from: usize, to: usize) {
        self.tests += (to - from) as u64;
        let mut from = from;
        loop {
            if self.count > ROOM - STEP {
                self.make();
            }
            let places = &mut self.gathered[self.count..self.count + STEP];
            for (at, place) in places.iter_mut().enumerate() {
                *place = [one as u32, (from + at) as u32];
            }
            // Those beyond the run are written over by the next ones.
            let wanted = (to - from).min(STEP);
            self.count += wanted;
            from += wanted;
            if from == to {
                return;
            }
        }
    }

    /// Makes the comparisons that were gathered.
    #[inline(never)]
    pub fn make(&mut self) {
        let mut kept = 0;
        for at in 0..self.count {
            let [one, other] = self.gathered[at];
            self.gathered[kept] = [one, other];
            kept += usize::from(self.sorted[one as usize].may_meet(&self.sorted[other as usize]));
        }
        for at in 0..kept {
            let [one, other] = self.gathered[at].map(|place| &self.sorted[place as usize]);
            self.add_if_pair(one, other);
        }
        self.count = 0;
    }

    #[inline(always)]
    fn add_if_pair(&mut self, one: &SmallBox, other: &SmallBox) {
        let are_sure = one.share_more_than(other, self.sure);
        let (one, other) = (one.tags()[0], other.tags()[0]);
        let both_rest = one & other & STATIC != 0;
        let (one, other) = (one & !STATIC, other & !STATIC);
        let meet = are_sure || self.bodies.bound(one).meets(*self.bodies.bound(other));
        if meet && !both_rest && !self.bodies.are_apart(one, other) {
            self.found.push(IdPair::new(one, other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::Mobility;
    use crate::broad::bodies::Bodies;
    use crate::math::{Aabb, Random};
    use glam::DVec3;

    /// Pairs of all with all, by the boxes themselves.
    fn obvious(bounds: &[Aabb]) -> Vec<IdPair> {
        let ids = || 0..bounds.len();
        let all = ids().flat_map(|a| ids().skip(a + 1).map(move |b| (a, b)));
        all.filter(|&(a, b)| bounds[a].meets(bounds[b]))
            .map(|(a, b)| IdPair::new(a as u32, b as u32))
            .collect()
    }

    fn compared(bounds: &[Aabb], origin: DVec3, largest: f64) -> Vec<IdPair> {
        let mut bodies = Bodies::default();
        bounds.iter().enumerate().for_each(|(id, &bound)| bodies.insert(id as u32, bound, Mobility::Moving));
        let small = |(id, bound): (usize, &Aabb)| SmallBox::new(bound, origin, [id as u32, 0]);
        let sorted: Vec<SmallBox> = bounds.iter().enumerate().map(small).collect();
        let mut found = Vec::new();
        let mut all = Comparisons::new(&sorted, bodies.view(), sure_overlap(largest), &mut found);
        (0..bounds.len()).for_each(|one| all.add(one, one + 1, bounds.len()));
        all.make();
        let count = bounds.len() as u64;
        assert_eq!(all.tests, count * (count - 1) / 2);
        found
    }

    /// Random ones, and ones that share a corner or miss each other by one unit in the last place, at many scales and far
    /// from the origin.
    #[test]
    fn boxes_are_compared_as_exactly_as_one_by_one() {
        let mut random = Random::new(5);
        for case in 0..400 {
            let scale = 2f64.powi(case % 280 * 7 - 980);
            let mut point = || DVec3::from_array([0; 3].map(|_: i32| random.range(-1.0, 1.0) * scale));
            let origin = point();
            let mut bounds = Vec::new();
            for _ in 0..12 {
                let (p, q) = (point(), point());
                let one = Aabb { min: p.min(q), max: p.max(q) };
                let next = Aabb { min: one.max, max: one.max + one.extent() };
                let missed = Aabb { min: next.min.map(f64::next_up), ..next };
                bounds.extend([one, next, missed]);
            }
            let corners = bounds.iter().flat_map(|bound| [bound.min, bound.max]);
            let largest = corners.map(|corner| (corner - origin).abs().max_element()).fold(0.0, f64::max);
            assert_eq!(compared(&bounds, origin, largest), obvious(&bounds), "{scale:e}");
        }
    }
}
