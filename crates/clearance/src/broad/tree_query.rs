//! Questions to a tree: what is in a region, along a ray, near a box.

use super::tree::{DynamicTree, Node, WIDTH};
use crate::math::Aabb;
use crate::math::round::add_up;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl DynamicTree {
    /// Visits every body whose bound shares a point with a region; in no order that means anything.
    pub fn visit(&self, region: &Aabb, mut found: impl FnMut(u32)) {
        let mut visit = |id: u32| {
            if self.bodies.bound(id).meets(*region) {
                found(id);
            }
        };
        self.unbounded.iter().copied().for_each(&mut visit);
        self.visit_wide(region, &mut visit);
    }

    /// Visits every body in the tree whose box with its margin shares a point with a region.
    pub(super) fn visit_wide(&self, region: &Aabb, found: &mut impl FnMut(u32)) {
        self.visit_below(self.root, region, found);
    }

    fn visit_below(&self, at: u32, region: &Aabb, found: &mut impl FnMut(u32)) {
        let node = &self.nodes[at as usize];
        let mut lanes = node.boxes.meeting(region) & ((1 << node.count) - 1);
        while lanes != 0 {
            let child = node.children[lanes.trailing_zeros() as usize];
            lanes &= lanes - 1;
            match node.is_leaf {
                true => found(child),
                false => self.visit_below(child, region, found),
            }
        }
    }

    /// Visits bodies whose bounds the ray `origin + t * direction`, `0 <= t <= max_t`, may meet, the nearest boxes first.
    /// The visitor gets a `t` before which the ray is not in the bound, and returns how far the ray still matters.
    pub fn visit_along(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_t: f64,
        mut found: impl FnMut(u32, f64) -> f64,
    ) {
        let ray = Line { origin, direction };
        let mut limit = max_t;
        for &id in &self.unbounded {
            if let Some(t) = ray.enters(self.bodies.bound(id), limit) {
                limit = limit.min(found(id, t));
            }
        }
        self.along_below(self.root, &ray, &mut limit, &mut found);
    }

    fn along_below(&self, at: u32, ray: &Line, limit: &mut f64, found: &mut impl FnMut(u32, f64) -> f64) {
        let node = &self.nodes[at as usize];
        let mut entered = [(0.0, 0); WIDTH];
        let mut count = 0;
        for lane in 0..node.count as usize {
            if let Some(t) = ray.enters(&node.boxes.get(lane), *limit) {
                entered[count] = (t, node.children[lane]);
                count += 1;
            }
        }
        let entered = &mut entered[..count];
        entered.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        for &(t, child) in entered.iter() {
            if t > *limit {
                break;
            }
            if !node.is_leaf {
                self.along_below(child, ray, limit, found);
            } else if let Some(t) = ray.enters(self.bodies.bound(child), *limit) {
                *limit = limit.min(found(child, t));
            }
        }
    }

    /// Visits bodies in the order of proved lower bounds of the distance of their bounds from a box, while these are at
    /// most the limit that the visitor returns.
    pub fn visit_near(&self, from: &Aabb, limit: f64, mut found: impl FnMut(u32, f64) -> f64) {
        const BODY: u32 = 1;
        let mut limit = limit;
        // Bits of floats that are not negative are ordered as they are; bodies before nodes, then by number.
        let mut queue = BinaryHeap::new();
        let entry = |gap: f64, is_body: u32, at: u32| Reverse((gap.to_bits(), BODY - is_body, at));
        for &id in &self.unbounded {
            queue.push(entry(gap_lower_bound(from, self.bodies.bound(id)), BODY, id));
        }
        queue.push(entry(0.0, 0, self.root));
        while let Some(Reverse((bits, is_node, at))) = queue.pop() {
            let gap = f64::from_bits(bits);
            if gap > limit {
                return;
            }
            if is_node == 0 {
                limit = limit.min(found(at, gap));
                continue;
            }
            let Node { boxes, children, count, is_leaf, .. } = &self.nodes[at as usize];
            for lane in 0..*count as usize {
                let child = children[lane];
                let gap = match is_leaf {
                    true => gap_lower_bound(from, self.bodies.bound(child)),
                    false => gap_lower_bound(from, &boxes.get(lane)),
                };
                if gap <= limit {
                    queue.push(entry(gap, u32::from(*is_leaf), child));
                }
            }
        }
    }

    /// The bodies nearest to a box, by the distance of their bounds, the nearest first; equally near ones by id.
    pub fn nearest(&self, from: &Aabb, count: usize) -> Vec<u32> {
        let mut found = Vec::new();
        if count > 0 {
            self.visit_near(from, f64::INFINITY, |id, _| {
                found.push(id);
                if found.len() < count { f64::INFINITY } else { f64::NEG_INFINITY }
            });
        }
        found
    }
}

/// A number at most the distance of two boxes: zero if they meet.
///
/// Three differences err by `2^-53` each, their squares and sums by `5 * 2^-53`, the root by half of that and its own:
/// less than `2^-50` in all. Squares beyond the range are left out, so the largest coordinate is the bound then.
pub(super) fn gap_lower_bound(a: &Aabb, b: &Aabb) -> f64 {
    let gap = (b.min - a.max).max(a.min - b.max).max(DVec3::ZERO);
    let largest = gap.max_element();
    let squares = gap.length_squared();
    let sum = if squares.is_finite() && squares > 1e-290 { squares.sqrt() } else { largest };
    (sum.max(largest) * (1.0 - 8.0 * f64::EPSILON)).max(0.0)
}

/// A box with a distance around it, rounded outward.
pub fn inflated(bound: &Aabb, distance: f64) -> Aabb {
    let up = |x: f64| add_up(x, distance);
    let DVec3 { x, y, z } = bound.max;
    let high = DVec3::new(up(x), up(y), up(z));
    let DVec3 { x, y, z } = -bound.min;
    Aabb { min: -DVec3::new(up(x), up(y), up(z)), max: high }
}

struct Line {
    origin: DVec3,
    direction: DVec3,
}

impl Line {
    /// A `t` at or before the one at which the ray enters a box; `None` only if it does not up to a limit.
    ///
    /// A quotient of a difference errs by less than `2^-51` of itself.
    fn enters(&self, bound: &Aabb, limit: f64) -> Option<f64> {
        const SLACK: f64 = 4.0 * f64::EPSILON;
        let (mut from, mut to) = (0.0, limit);
        for axis in 0..3 {
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            let (low, high) = (bound.min[axis], bound.max[axis]);
            if direction == 0.0 {
                if origin < low || origin > high {
                    return None;
                }
                continue;
            }
            let (first, last) = if direction > 0.0 { (low, high) } else { (high, low) };
            let (enter, leave) = ((first - origin) / direction, (last - origin) / direction);
            from = f64::max(from, enter - SLACK * enter.abs());
            to = f64::min(to, leave + SLACK * leave.abs());
        }
        (from <= to).then_some(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_of_boxes_are_lower_bounds_at_every_size() {
        for exponent in [-1060, -400, -20, 0, 20, 290] {
            let unit = 2f64.powi(exponent);
            let at = |x: f64, y: f64| Aabb {
                min: DVec3::new(x, y, 0.0) * unit,
                max: DVec3::new(x + 1.0, y + 1.0, 1.0) * unit,
            };
            let gap = gap_lower_bound(&at(0.0, 0.0), &at(4.0, 5.0));
            assert!(gap <= 5.0 * unit && gap >= 3.9 * unit, "{exponent}: {gap}");
            assert_eq!(gap_lower_bound(&at(0.0, 0.0), &at(1.0, 1.0)), 0.0);
        }
    }

    #[test]
    fn rays_that_graze_a_box_are_not_lost() {
        let bound = Aabb { min: DVec3::ONE, max: DVec3::splat(2.0) };
        let ray = |origin: DVec3, direction: DVec3| Line { origin, direction }.enters(&bound, f64::INFINITY);
        assert!(ray(DVec3::ZERO, DVec3::ONE).is_some());
        assert!(ray(DVec3::ZERO, DVec3::new(1.0, 2.0, 1.5)).is_some());
        assert!(ray(DVec3::ZERO, DVec3::new(1.0, 2.01, 1.5)).is_none());
        assert!(ray(DVec3::new(2.0, 2.0, 0.0), DVec3::Z).is_some());
        assert!(ray(DVec3::splat(3.0), DVec3::X).is_none());
    }
}
