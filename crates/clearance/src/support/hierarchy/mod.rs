//! The Dobkin-Kirkpatrick hierarchy: extreme vertices in `O(log n)`, whatever the shape.

mod frame;
mod h_walk;
mod peel;
mod spokes;

pub(crate) use frame::View;
pub use h_walk::HWalk;

use crate::exact::Sign;
use crate::shape::Polytope;
use frame::Frame;
use glam::DVec3;
use peel::{Boundary, Cycle, NOBODY, Spoke, Surface};
use spokes::{Ring, Spokes};

/// Nested polytopes `P_0 = P, P_1, ...`, each the hull of the last one without an independent set of vertices of
/// low degree, down to a simplex; in `O(n)` space, for searches with a guaranteed cost [Chung96 §5.3].
///
/// Differs from the paper: its Lemma 9 (an extreme vertex of `P_i` is that of `P_(i+1)` or a neighbour of it) gives
/// `O(1)` a layer only if all degrees are bounded, and the apex of a cone keeps degree `n - 1`. So the search
/// carries the two silhouette edges of the vertex as well (O'Rourke, Computational Geometry in C, 7.10).
/// Proof that four candidates suffice: project along a direction level with `d`, so that the vertex `a` is the top
/// of a polygon with edges `L` and `R` there. A removed vertex `u` higher than `a` lies beyond the line of one of
/// them, say `L`: outside a plane that touches `P_(i+1)` along the edge `L`. The normal of such a plane is a sum of the
/// normals of the two triangles at `L` with weights not negative, so `u` sees one of these: the triangle fills the
/// hole of `u`. Beside each spoke stands whose hole its triangle fills. The same holds for vertices that only widen the silhouette.
///
/// | | bound | random polytopes |
/// | --- | --- | --- |
/// | layers | `log n / log(18/17)` | below `2 log2 n` |
/// | candidates a layer | 4, each with at most 8 spokes | 2 |
/// | bytes a vertex, below 65,535 vertices | 40 | 28 |
/// | bytes a vertex, from there on | 72 | 48 |
///
/// Every sign is exact and ties are broken by infinitesimals: the answer is extreme in exact arithmetic.
#[derive(Clone, Debug)]
pub struct Hierarchy<'a> {
    polytope: &'a Polytope,
    layers: u32,
    /// The vertices of the innermost polytope.
    base: Vec<u32>,
    removed: Vec<Removed>,
    spokes: Spokes,
    cells: Cells,
}

/// What lies at an edge: the two triangles of a solid, or for a polygon the edge itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cells {
    Triangles,
    Edges,
}

/// When a vertex was removed, and where its spokes are.
#[derive(Clone, Copy, Debug)]
struct Removed {
    start: u32,
    count: u16,
    layer: u16,
}

/// What a search in the hierarchy looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HierarchyStats {
    /// Searches.
    pub searches: u64,
    /// Removed vertices compared with the best so far.
    pub candidates: u64,
    /// The most of them in one layer: never above 4.
    pub most_candidates: u64,
    /// The most spokes looked at in one layer; bounded too.
    pub most_spokes: u64,
}

/// A silhouette edge from the top to `tip`, and who owns the cells at it.
#[derive(Clone, Copy)]
struct Side {
    tip: u32,
    owners: [u32; 2],
}

impl<'a> Hierarchy<'a> {
    /// Peels a polytope down to a simplex: `O(n)` expected.
    pub fn build(polytope: &'a Polytope) -> Hierarchy<'a> {
        if polytope.dimension() == 3 {
            Hierarchy::peel(polytope, Surface::new(polytope), Cells::Triangles)
        } else {
            Hierarchy::peel(polytope, Cycle::new(polytope), Cells::Edges)
        }
    }

    fn peel(polytope: &'a Polytope, mut boundary: impl Boundary, cells: Cells) -> Hierarchy<'a> {
        let count = polytope.vertices().len();
        let mut hierarchy = Hierarchy {
            polytope,
            layers: 0,
            base: Vec::new(),
            removed: vec![Removed { start: 0, count: 0, layer: u16::MAX }; count],
            spokes: Spokes::of_few_or_many(count),
            cells,
        };
        loop {
            let removals = boundary.peel();
            if removals.is_empty() {
                break;
            }
            for removal in removals {
                hierarchy.keep(removal.vertex, hierarchy.layers as u16, &removal.spokes);
            }
            hierarchy.layers += 1;
        }
        hierarchy.base = boundary.left().to_vec();
        for vertex in hierarchy.base.clone() {
            hierarchy.keep(vertex, u16::MAX, &boundary.spokes(vertex));
        }
        hierarchy.spokes.shrink();
        hierarchy
    }

    fn keep(&mut self, vertex: u32, layer: u16, spokes: &[Spoke]) {
        let start = self.spokes.push(spokes).start as u32;
        self.removed[vertex as usize] = Removed { start, count: spokes.len() as u16, layer };
    }

    /// The number of polytopes inside the given one.
    pub fn layers(&self) -> usize {
        self.layers as usize
    }

    /// A vertex of the innermost polytope.
    pub(crate) fn innermost(&self) -> u32 {
        self.base[0]
    }

    /// Bytes of memory held, the value itself among them, the polytope not.
    pub fn bytes(&self) -> usize {
        let lists = self.removed.capacity() * size_of::<Removed>() + self.spokes.bytes();
        size_of::<Hierarchy<'_>>() + lists + self.base.capacity() * size_of::<u32>()
    }

    /// The layer from which on a vertex is missing, `None` for those of the innermost polytope; and its neighbours
    /// in the last polytope that has it.
    pub fn removal(&self, vertex: u32) -> (Option<usize>, impl Iterator<Item = u32>) {
        let layer = self.removed[vertex as usize].layer;
        let ring = self.ring(vertex);
        let tips = (0..ring.count).map(move |i| ring.get(i).tip);
        ((layer != u16::MAX).then_some(layer as usize + 1), tips)
    }

    /// A vertex that is extreme in a direction, exactly; any vertex if the direction is not finite.
    ///
    /// ```
    /// use clearance::{glam::DVec3, shape::sample::cone, support::Hierarchy};
    /// let cone = cone(1000, 1.0, 2.0)?;
    /// let top = Hierarchy::build(&cone).extreme(DVec3::Z);
    /// assert_eq!(cone.vertices()[top as usize], DVec3::Z);
    /// # Ok::<(), clearance::shape::sample::SampleError>(())
    /// ```
    pub fn extreme(&self, direction: DVec3) -> u32 {
        self.extreme_counted(direction, &mut HierarchyStats::default())
    }

    /// [`extreme`](Hierarchy::extreme) that counts; the answer is the same.
    pub fn extreme_counted(&self, direction: DVec3, stats: &mut HierarchyStats) -> u32 {
        if !direction.is_finite() {
            stats.searches += 1;
            return self.base[0];
        }
        self.search(&Frame::new(direction), 0, stats)
    }

    /// The highest vertex of the polytope of a layer: 0 is the given one, [`layers`](Hierarchy::layers) the innermost.
    pub(crate) fn search(&self, view: &impl View, layer: usize, stats: &mut HierarchyStats) -> u32 {
        stats.searches += 1;
        let mut top = self.highest(view, self.base[0], self.base[1..].iter().copied());
        if self.layers() <= layer {
            return top;
        }
        let mut sides = self.silhouette(view, top);
        for layer in (layer as u16..self.layers as u16).rev() {
            let owners = sides.map(|side| side.owners.map(|owner| self.removed_in(layer, owner)));
            let candidates = || owners.into_iter().flatten().flatten();
            let next = self.highest(view, top, candidates());
            let looked_at = |v: u32| self.removed[v as usize].count as u64;
            stats.candidates += candidates().count() as u64;
            stats.most_candidates = stats.most_candidates.max(candidates().count() as u64);
            stats.most_spokes = stats.most_spokes.max(candidates().map(looked_at).sum());
            sides = if next == top {
                [0, 1].map(|i| self.widen(view, top, sides[i], owners[i], OUTWARD[i]))
            } else {
                self.silhouette(view, next)
            };
            top = next;
        }
        top
    }

    fn point(&self, vertex: u32) -> DVec3 {
        self.polytope.vertices()[vertex as usize]
    }

    fn ring(&self, vertex: u32) -> Ring<'_> {
        let Removed { start, count, .. } = self.removed[vertex as usize];
        Ring { spokes: &self.spokes, start: start as usize, count: count as usize }
    }

    /// The owner of a cell if that is a vertex removed in a layer.
    fn removed_in(&self, layer: u16, owner: u32) -> Option<u32> {
        (owner != NOBODY && self.removed[owner as usize].layer == layer).then_some(owner)
    }

    fn highest(&self, view: &impl View, first: u32, others: impl Iterator<Item = u32>) -> u32 {
        let rises = |best: u32, v: u32| v != best && view.rises(self.point(best), self.point(v));
        others.fold(first, |best, v| if rises(best, v) { v } else { best })
    }

    /// The outermost spokes of the top, left and right.
    fn silhouette(&self, view: &impl View, top: u32) -> [Side; 2] {
        let ring = self.ring(top);
        let tip = |i: usize| self.point(ring.get(i).tip);
        let turn = |from: usize, to: usize| view.turn(self.point(top), tip(from), tip(to));
        let (mut left, mut right) = (0, 0);
        for i in 1..ring.count {
            // Left of the leftmost is not right of anything.
            if turn(left, i) == OUTWARD[0] {
                left = i;
            } else if turn(right, i) == OUTWARD[1] {
                right = i;
            }
        }
        [left, right].map(|i| Side { tip: ring.get(i).tip, owners: self.owners_at(ring, i) })
    }

    /// Who owns the cells at a spoke.
    fn owners_at(&self, ring: Ring<'_>, index: usize) -> [u32; 2] {
        let owner = ring.get(index).owner;
        let before = match self.cells {
            Cells::Triangles => ring.get(index + ring.count - 1).owner,
            Cells::Edges => owner,
        };
        [before, owner]
    }

    /// The side of the same top one layer further out, given the vertices whose holes its cells fill.
    fn widen(&self, view: &impl View, top: u32, side: Side, owners: [Option<u32>; 2], outward: Sign) -> Side {
        // An edge with the same hole on both sides is not there any more.
        let start = if owners[0] == owners[1] { owners[0].unwrap_or(side.tip) } else { side.tip };
        let tip = owners.into_iter().flatten().fold(start, |tip, owner| {
            let turn = || view.turn(self.point(top), self.point(tip), self.point(owner));
            if tip != owner && turn() == outward { owner } else { tip }
        });
        if tip == side.tip {
            let beside = |i: usize| owners[i].map_or(side.owners[i], |owner| self.between(owner, top, tip));
            return Side { tip, owners: [beside(0), beside(1)] };
        }
        let ring = self.ring(tip);
        let index = (0..ring.count).find(|&i| ring.get(i).tip == top);
        debug_assert!(index.is_some(), "a hole at the top has the top in its ring");
        Side { tip, owners: self.owners_at(ring, index.unwrap_or(0)) }
    }

    /// Who owns the triangle of a vertex and two successive tips of its spokes.
    fn between(&self, vertex: u32, a: u32, b: u32) -> u32 {
        let ring = self.ring(vertex);
        let is_pair = |i: &usize| {
            let pair = [ring.get(*i).tip, ring.get(i + 1).tip];
            pair == [a, b] || pair == [b, a]
        };
        let index = (0..ring.count).find(is_pair);
        debug_assert!(index.is_some(), "an edge at the rim of a hole has a triangle in it");
        ring.get(index.unwrap_or(0)).owner
    }
}

/// The turns that lead outwards on the left and on the right.
const OUTWARD: [Sign; 2] = [Sign::Negative, Sign::Positive];
