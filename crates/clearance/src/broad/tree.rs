//! A tree of boxes in which bodies come, go and move.

use super::bodies::{Bodies, shrink};
use super::lanes::EightBoxes;
use super::{BroadPhase, EVERYWHERE, IdPair, Mobility, Renumbering, is_finite};
use crate::math::Aabb;
use glam::DVec3;

/// Children of a node.
pub(super) const WIDTH: usize = 8;

/// No node, no place.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Margin around bodies that move, as a part of their largest extent.
const MARGIN: f64 = 0.1;

/// A node: up to eight boxes, of nodes or, in a leaf, of bodies.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub boxes: EightBoxes,
    pub children: [u32; WIDTH],
    /// The place of this node in its parent: eight times the parent's number plus the lane.
    pub place: u32,
    pub count: u8,
    pub is_leaf: bool,
}

impl Node {
    pub fn new(is_leaf: bool) -> Node {
        let children = [NOWHERE; WIDTH];
        Node { boxes: EightBoxes::NOTHING, children, place: NOWHERE, count: 0, is_leaf }
    }

    /// Around all children.
    pub fn around(&self) -> Aabb {
        let all = (0..self.count as usize).map(|lane| self.boxes.get(lane));
        all.reduce(Aabb::join).unwrap_or(Aabb { min: DVec3::ZERO, max: DVec3::ZERO })
    }

    pub fn put(&mut self, lane: usize, child: u32, bound: &Aabb) {
        self.boxes.set(lane, bound);
        self.children[lane] = child;
    }
}

/// A tree over boxes with a margin: eight children a node, all leaves equally deep [Guttman 1984].
///
/// A body that stays within its margin costs one comparison; one that leaves it is taken out and put in again. A search
/// costs `O(log n + found)` where bodies are not crowded. From 210 to 350 bytes a body, as lists have room to grow.
///
/// Searches for pairs ask the tree for each body that moves: for few of them among many. [`Coherent`](super::Coherent)
/// remembers pairs as well.
#[derive(Clone, Debug)]
pub struct DynamicTree {
    pub(super) bodies: Bodies,
    /// With their margin, as the tree holds them.
    pub(super) wide: Vec<Aabb>,
    pub(super) nodes: Vec<Node>,
    pub(super) free: Vec<u32>,
    pub(super) root: u32,
    /// The place of each body: eight times the leaf's number plus the lane.
    pub(super) places: Vec<u32>,
    /// Bodies without end, which no tree can hold.
    pub(super) unbounded: Vec<u32>,
}

impl Default for DynamicTree {
    fn default() -> DynamicTree {
        DynamicTree {
            bodies: Bodies::default(),
            wide: Vec::new(),
            nodes: vec![Node::new(true)],
            free: Vec::new(),
            root: 0,
            places: Vec::new(),
            unbounded: Vec::new(),
        }
    }
}

/// A box with a margin on all sides.
pub(super) fn widened(bound: &Aabb, margin: f64) -> Aabb {
    let wide = Aabb { min: bound.min - margin, max: bound.max + margin };
    match is_finite(&wide) {
        true => wide,
        false => *bound,
    }
}

/// A measure of how often a box is looked into: half the sum of its edges, which flat boxes have as well.
pub(super) fn girth(bound: &Aabb) -> f64 {
    bound.extent().element_sum()
}

/// Whether a box lies in another.
#[inline(always)]
pub(super) fn covers(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && outer.max.cmpge(inner.max).all()
}

impl DynamicTree {
    /// The bound of a body, if it is there.
    pub fn bound(&self, id: u32) -> Option<Aabb> {
        self.bodies.has(id).then(|| *self.bodies.bound(id))
    }

    /// How many bodies there are.
    pub fn count(&self) -> usize {
        self.bodies.count()
    }

    /// The margin that a body starts with.
    fn first_margin(bound: &Aabb, mobility: Mobility) -> f64 {
        match mobility {
            Mobility::Moving => MARGIN * bound.extent().max_element(),
            Mobility::Static => 0.0,
        }
    }

    /// Puts a body that is known, with its margin, into the tree.
    pub(super) fn attach(&mut self, id: u32, wide: Aabb) {
        let at = id as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, NOWHERE);
            self.wide.resize(at + 1, wide);
        }
        self.wide[at] = wide;
        if !is_finite(&wide) {
            self.unbounded.push(id);
            return;
        }
        let leaf = self.leaf_for(&wide);
        self.add(leaf, id, wide);
    }

    /// Takes a body out of the tree.
    pub(super) fn detach(&mut self, id: u32) {
        let place = std::mem::replace(&mut self.places[id as usize], NOWHERE);
        if place == NOWHERE {
            self.unbounded.retain(|&other| other != id);
            return;
        }
        self.take_out(place);
        if self.nodes.len() > 32 + self.bodies.count() {
            self.rebuild();
        }
    }

    /// A body whose bound grew out of its margin: the boxes above it grow with it, and nothing else changes.
    pub(super) fn grow(&mut self, id: u32, wide: Aabb) {
        self.wide[id as usize] = wide;
        let mut place = self.places[id as usize];
        self.nodes[place as usize / WIDTH].boxes.set(place as usize % WIDTH, &wide);
        loop {
            let above = self.nodes[place as usize / WIDTH].place;
            if above == NOWHERE {
                return;
            }
            let (node, lane) = (above as usize / WIDTH, above as usize % WIDTH);
            let known = self.nodes[node].boxes.get(lane);
            if covers(&known, &wide) {
                return;
            }
            self.nodes[node].boxes.set(lane, &known.join(wide));
            place = above;
        }
    }

    /// The leaf whose boxes grow least.
    fn leaf_for(&self, bound: &Aabb) -> u32 {
        let mut at = self.root;
        while !self.nodes[at as usize].is_leaf {
            let node = &self.nodes[at as usize];
            let growth = |lane: usize| {
                let known = node.boxes.get(lane);
                (girth(&known.join(*bound)) - girth(&known), girth(&known))
            };
            let mut best = (growth(0), 0);
            for lane in 1..node.count as usize {
                let found = growth(lane);
                if found < best.0 {
                    best = (found, lane);
                }
            }
            at = node.children[best.1];
        }
        at
    }

    /// Tells a child where it is.
    fn tell(&mut self, node: u32, lane: usize) {
        let Node { is_leaf, children, .. } = self.nodes[node as usize];
        let place = node * WIDTH as u32 + lane as u32;
        match is_leaf {
            true => self.places[children[lane] as usize] = place,
            false => self.nodes[children[lane] as usize].place = place,
        }
    }

    /// Adds a child to a node; one that is full is split in two.
    fn add(&mut self, at: u32, child: u32, bound: Aabb) {
        let node = &mut self.nodes[at as usize];
        if (node.count as usize) < WIDTH {
            let lane = node.count as usize;
            node.put(lane, child, &bound);
            node.count += 1;
            self.tell(at, lane);
            return self.cover(at, &bound);
        }
        let sibling = self.split(at, child, bound);
        let above = self.nodes[at as usize].place;
        let around = self.nodes[at as usize].around();
        let beside = self.nodes[sibling as usize].around();
        if above == NOWHERE {
            let root = self.new_node(false);
            self.root = root;
            self.add(root, at, around);
            self.add(root, sibling, beside);
            return;
        }
        let (parent, lane) = (above / WIDTH as u32, above as usize % WIDTH);
        self.nodes[parent as usize].boxes.set(lane, &around);
        self.add(parent, sibling, beside);
        // The child that was split may lie outside of what was known of the parent, or shrink it.
        let parent = self.nodes[at as usize].place / WIDTH as u32;
        self.tighten(parent);
    }

    /// Boxes above a node grow until they cover a bound.
    fn cover(&mut self, mut at: u32, bound: &Aabb) {
        loop {
            let above = self.nodes[at as usize].place;
            if above == NOWHERE {
                return;
            }
            let (parent, lane) = (above / WIDTH as u32, above as usize % WIDTH);
            let boxes = &mut self.nodes[parent as usize].boxes;
            let known = boxes.get(lane);
            if covers(&known, bound) {
                return;
            }
            boxes.set(lane, &known.join(*bound));
            at = parent;
        }
    }

    /// Nine children become four in the node and five in a new one, along the axis on which their centres differ most.
    fn split(&mut self, at: u32, child: u32, bound: Aabb) -> u32 {
        let node = &self.nodes[at as usize];
        let mut all: [(u32, Aabb); WIDTH + 1] = [(child, bound); WIDTH + 1];
        for lane in 0..WIDTH {
            all[lane] = (node.children[lane], node.boxes.get(lane));
        }
        let centres = all.map(|(_, bound)| bound.center());
        let low = centres.into_iter().fold(DVec3::INFINITY, DVec3::min);
        let high = centres.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max);
        let axis = (high - low).max_position();
        all.sort_unstable_by(|x, y| x.1.center()[axis].total_cmp(&y.1.center()[axis]).then(x.0.cmp(&y.0)));
        let sibling = self.new_node(self.nodes[at as usize].is_leaf);
        self.fill(at, &all[..WIDTH / 2]);
        self.fill(sibling, &all[WIDTH / 2..]);
        sibling
    }

    pub(super) fn fill(&mut self, at: u32, children: &[(u32, Aabb)]) {
        self.nodes[at as usize].count = children.len() as u8;
        for (lane, (child, bound)) in children.iter().enumerate() {
            self.nodes[at as usize].put(lane, *child, bound);
            self.tell(at, lane);
        }
    }

    pub(super) fn new_node(&mut self, is_leaf: bool) -> u32 {
        if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = Node::new(is_leaf);
            return at;
        }
        self.nodes.push(Node::new(is_leaf));
        self.nodes.len() as u32 - 1
    }

    /// Removes the child at a place, and nodes that become empty.
    fn take_out(&mut self, place: u32) {
        let (at, lane) = (place / WIDTH as u32, place as usize % WIDTH);
        let node = &mut self.nodes[at as usize];
        node.count -= 1;
        let last = node.count as usize;
        if lane < last {
            let (child, bound) = (node.children[last], node.boxes.get(last));
            node.put(lane, child, &bound);
            self.tell(at, lane);
        }
        let above = self.nodes[at as usize].place;
        if last > 0 {
            return self.tighten(at);
        }
        if above != NOWHERE {
            self.free.push(at);
            return self.take_out(above);
        }
        // An empty root is a leaf.
        self.nodes[at as usize].is_leaf = true;
    }

    /// Boxes above a node shrink to what they must hold.
    fn tighten(&mut self, mut at: u32) {
        loop {
            let above = self.nodes[at as usize].place;
            if above == NOWHERE {
                return;
            }
            let around = self.nodes[at as usize].around();
            let (parent, lane) = (above / WIDTH as u32, above as usize % WIDTH);
            let boxes = &mut self.nodes[parent as usize].boxes;
            if boxes.get(lane) == around {
                return;
            }
            boxes.set(lane, &around);
            at = parent;
        }
    }

    /// Gives all bodies other ids, and builds the tree anew.
    pub(super) fn renumber(&mut self, renumbering: &Renumbering) {
        self.bodies.renumber(renumbering);
        renumbering.apply(&mut self.wide, EVERYWHERE);
        renumbering.apply(&mut self.places, NOWHERE);
        self.unbounded.iter_mut().for_each(|id| *id = renumbering.id(*id));
        shrink(&mut self.unbounded);
        self.rebuild();
    }

    /// Whether a body is in the tree, not among those without end.
    #[inline]
    pub(super) fn is_placed(&self, id: u32) -> bool {
        self.places[id as usize] != NOWHERE
    }
}

impl BroadPhase for DynamicTree {
    fn insert(&mut self, id: u32, bound: Aabb, mobility: Mobility) {
        self.remove(id);
        self.bodies.insert(id, bound, mobility);
        let bound = *self.bodies.bound(id);
        self.attach(id, widened(&bound, DynamicTree::first_margin(&bound, mobility)));
    }

    fn remove(&mut self, id: u32) {
        if self.bodies.has(id) {
            self.detach(id);
            self.bodies.remove(id);
            self.places.truncate(self.bodies.end() as usize);
            self.wide.truncate(self.bodies.end() as usize);
            shrink(&mut self.places);
            shrink(&mut self.wide);
            if self.bodies.count() == 0 {
                *self = DynamicTree::default();
            }
        }
    }

    fn update(&mut self, id: u32, bound: Aabb) {
        if self.bodies.update(id, bound) && !covers(&self.wide[id as usize], self.bodies.bound(id)) {
            let (bound, mobility) = (*self.bodies.bound(id), self.bodies.mobility(id).unwrap_or_default());
            self.detach(id);
            self.attach(id, widened(&bound, DynamicTree::first_margin(&bound, mobility)));
        }
    }

    fn pairs(&mut self, out: &mut Vec<IdPair>) {
        out.clear();
        let moving = |id: &u32| !self.bodies.is_static(*id);
        for id in self.bodies.ids().filter(moving) {
            let bound = *self.bodies.bound(id);
            self.visit(&bound, |other| {
                // Two that move meet each other twice.
                if other != id && (other > id || self.bodies.is_static(other)) {
                    out.push(IdPair::new(id, other));
                }
            });
        }
        out.sort_unstable();
    }

    fn bytes(&self) -> usize {
        self.bodies.bytes()
            + self.wide.capacity() * size_of::<Aabb>()
            + self.nodes.capacity() * size_of::<Node>()
            + (self.free.capacity() + self.places.capacity() + self.unbounded.capacity()) * size_of::<u32>()
    }
}
