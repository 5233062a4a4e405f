//! Building a tree at once, and fitting its boxes again when bodies have moved.

use super::bodies::shrink;
use super::tree::{DynamicTree, NOWHERE, Node, WIDTH, girth};
use crate::math::Aabb;
use glam::DVec3;

impl DynamicTree {
    /// Builds the tree anew: halves at medians, so that nodes are as full as can be. `O(n log n)`.
    pub(super) fn rebuild(&mut self) {
        self.nodes.clear();
        self.free.clear();
        shrink(&mut self.free);
        let mut items: Vec<(u32, DVec3)> = self
            .bodies
            .ids()
            .filter(|&id| self.is_placed(id))
            .map(|id| (id, self.wide[id as usize].center()))
            .collect();
        let mut capacity = WIDTH;
        while capacity < items.len() {
            capacity *= WIDTH;
        }
        self.root = self.build(&mut items, capacity);
        self.nodes[self.root as usize].place = NOWHERE;
        if self.nodes.capacity() > 2 * self.nodes.len() + 64 {
            self.nodes.shrink_to(self.nodes.len() + self.nodes.len() / 2);
        }
    }

    /// A node over some bodies, at most `capacity`, a power of eight.
    fn build(&mut self, items: &mut [(u32, DVec3)], capacity: usize) -> u32 {
        let is_leaf = capacity == WIDTH;
        let at = self.new_node(is_leaf);
        let mut children = [(NOWHERE, Aabb { min: DVec3::ZERO, max: DVec3::ZERO }); WIDTH];
        let mut count = 0;
        if is_leaf {
            for (id, _) in items.iter() {
                children[count] = (*id, self.wide[*id as usize]);
                count += 1;
            }
        } else {
            let groups = items.len().div_ceil(capacity / WIDTH);
            self.build_groups(items, groups, capacity / WIDTH, &mut |tree, child| {
                children[count] = (child, tree.nodes[child as usize].around());
                count += 1;
            });
        }
        self.fill(at, &children[..count]);
        at
    }

    /// Halves bodies until each group fits into a child.
    fn build_groups(
        &mut self,
        items: &mut [(u32, DVec3)],
        groups: usize,
        capacity: usize,
        done: &mut impl FnMut(&DynamicTree, u32),
    ) {
        if groups == 1 {
            let child = self.build(items, capacity);
            return done(self, child);
        }
        let low = items.iter().fold(DVec3::INFINITY, |low, item| low.min(item.1));
        let high = items.iter().fold(DVec3::NEG_INFINITY, |high, item| high.max(item.1));
        let axis = (high - low).max_position();
        let half = items.len() * (groups / 2) / groups;
        items.select_nth_unstable_by(half, |x, y| x.1[axis].total_cmp(&y.1[axis]).then(x.0.cmp(&y.0)));
        let (before, after) = items.split_at_mut(half);
        self.build_groups(before, groups / 2, capacity, done);
        self.build_groups(after, groups - groups / 2, capacity, done);
    }

    /// Boxes of all nodes fitted to the margins of bodies as they are now; the tree keeps its form. Returns the sum of
    /// the girths of nodes: how much a search has to look at.
    pub(super) fn refit(&mut self) -> f64 {
        self.refit_below(self.root).1
    }

    fn refit_below(&mut self, at: u32) -> (Aabb, f64) {
        let mut total = 0.0;
        for lane in 0..self.nodes[at as usize].count as usize {
            let Node { is_leaf, children, .. } = self.nodes[at as usize];
            let bound = match is_leaf {
                true => self.wide[children[lane] as usize],
                false => {
                    let (bound, sum) = self.refit_below(children[lane]);
                    total += sum;
                    bound
                }
            };
            self.nodes[at as usize].boxes.set(lane, &bound);
        }
        let around = self.nodes[at as usize].around();
        (around, total + girth(&around))
    }

    /// Whether every link leads back, every box holds what is below it and every body is there once.
    ///
    /// # Errors
    /// What is wrong.
    pub fn validate(&self) -> Result<(), String> {
        let mut seen = self.unbounded.len();
        let mut stack = vec![self.root];
        if self.nodes[self.root as usize].place != NOWHERE {
            return Err("the root has a parent".into());
        }
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            for lane in 0..node.count as usize {
                let (child, place) = (node.children[lane], at * WIDTH as u32 + lane as u32);
                let (told, around) = match node.is_leaf {
                    true => (self.places[child as usize], self.wide[child as usize]),
                    false => (self.nodes[child as usize].place, self.nodes[child as usize].around()),
                };
                if told != place {
                    return Err(format!("child {child} of node {at} is told to be at {told}"));
                }
                if !super::tree::covers(&node.boxes.get(lane), &around) {
                    return Err(format!("child {child} of node {at} sticks out"));
                }
                match node.is_leaf {
                    true => seen += 1,
                    false if self.nodes[child as usize].count == 0 => {
                        return Err(format!("node {child} is empty"));
                    }
                    false => stack.push(child),
                }
            }
        }
        match seen == self.bodies.count() {
            true => Ok(()),
            false => Err(format!("{seen} bodies in the tree, {} known", self.bodies.count())),
        }
    }
}
