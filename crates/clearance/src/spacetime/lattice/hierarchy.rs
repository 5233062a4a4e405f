//! The hierarchical representation of convex 4-prisms [Joseph87 §2, Lemma 1].

use super::face_lattice::posed_point;
use super::linear::{Rational, Vector, along, cleared, dot, number};
use super::prism::Motion;
use super::view::ExactView;
use crate::Pose;
use crate::shape::Polytope;
use crate::support::{Hierarchy, HierarchyStats};

/// Nested convex polytopes in space-time, from the 4-prism of a translating convex body down to a prism over a
/// simplex; each is the hull of the last one without an independent set of vertices of low degree.
///
/// Differs from the paper. 1. Its Lemma 1 is proved for the first step only, because what is left of a prism is no prism
/// any more. Here an independent set of the *body* is removed from the start copy, and then the same set from
/// the end copy: every second level is again a prism, over a polytope of the body's own Dobkin-Kirkpatrick hierarchy,
/// which is all that has to be built. 2. The coarsest level is a prism over a tetrahedron, not a 4-simplex. 3. In the
/// proof of the lemma the inequality is `(1 - c) v >= (v - k) / (b + 1)`; with the degrees used here, `b = 8`, at least
/// half of the vertices qualify, so that two levels together remove at least one vertex in 18.
///
/// Why the sets are independent and of low degree: a start copy is joined to the start copies of its neighbours and to
/// its own end copy. Once the start copies of a set are gone, an end copy of it is joined to the end copies of
/// its neighbours and at most to their start copies: degrees `b + 1` and `2b`. No two of the set are neighbours.
///
/// | | bound |
/// |---|---|
/// | levels | `2 log n / log(18/17) + 1`; on random polytopes below `4 log2 n + 1` |
/// | vertices of all levels | `36` times those of the prism; on random polytopes below 7 times |
/// | degree of a removed vertex | 16 |
///
/// Levels are not stored one by one: the vertices of a level and its extreme ones are read from the 3-D hierarchy.
#[derive(Clone, Debug)]
pub struct PrismHierarchy<'a> {
    polytope: &'a Polytope,
    pose: Pose,
    hierarchy: Hierarchy<'a>,
    start: Rational,
    /// From start to end, time last.
    way: Vector,
}

/// A vertex of a prism over a polytope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrismVertex {
    /// The vertex of the polytope.
    pub vertex: u32,
    /// Its copy at the start or that at the end.
    pub end: TimeEnd,
}

/// One of the two ends of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TimeEnd {
    /// When it starts.
    Start,
    /// When it ends.
    End,
}

/// What a level has, and what the next coarser one has not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrismLevel {
    /// How many vertices it has.
    pub vertices: usize,
    /// Those of them that the next level lacks, each with a bound of its degree; empty at the coarsest level.
    pub removed: Vec<(PrismVertex, usize)>,
}

impl<'a> PrismHierarchy<'a> {
    /// The hierarchy of a convex body that is at `pose` when the motion starts: `O(n)` expected.
    ///
    /// A motion that is not one in space gives `None`, as does one that ends before it starts.
    pub fn build(polytope: &'a Polytope, pose: &Pose, motion: &Motion) -> Option<PrismHierarchy<'a>> {
        (motion.velocity.len() == 3 && motion.start < motion.end).then(|| PrismHierarchy {
            polytope,
            pose: *pose,
            hierarchy: Hierarchy::build(polytope),
            start: motion.start.clone(),
            way: motion.way(),
        })
    }

    /// How many levels there are; number 0 is the whole prism, the last one the coarsest.
    pub fn level_count(&self) -> usize {
        2 * self.hierarchy.layers() + 1
    }

    /// The polytopes of the body's own hierarchy from which a level has its start and its end copies.
    fn layers(level: usize) -> [usize; 2] {
        [level.div_ceil(2), level / 2]
    }

    /// Whether a vertex is there in a level.
    pub fn has(&self, level: usize, vertex: PrismVertex) -> bool {
        let [start, end] = Self::layers(level);
        let layer = if vertex.end == TimeEnd::Start { start } else { end };
        self.hierarchy.removal(vertex.vertex).0.is_none_or(|gone| layer < gone)
    }

    /// All levels with what is removed from each, the whole prism first. `O(n)`.
    pub fn levels(&self) -> Vec<PrismLevel> {
        let mut levels = vec![PrismLevel { vertices: 0, removed: Vec::new() }; self.level_count()];
        for vertex in 0..self.polytope.vertices().len() as u32 {
            let (gone, ring) = self.hierarchy.removal(vertex);
            let Some(gone) = gone else { continue };
            let degree = ring.count();
            let copy = |end| PrismVertex { vertex, end };
            levels[2 * gone - 2].removed.push((copy(TimeEnd::Start), degree + 1));
            levels[2 * gone - 1].removed.push((copy(TimeEnd::End), 2 * degree));
        }
        let mut left = 2 * self.polytope.vertices().len();
        for level in &mut levels {
            level.vertices = left;
            left -= level.removed.len();
        }
        levels
    }

    /// A vertex in space-time, exactly; time is the last coordinate.
    pub fn point(&self, vertex: PrismVertex) -> Vector {
        let mut point = posed_point(self.polytope.vertices()[vertex.vertex as usize], &self.pose);
        point.push(self.start.clone());
        match vertex.end {
            TimeEnd::Start => point,
            TimeEnd::End => along(&point, &Rational::ONE, &self.way),
        }
    }

    /// A vertex of a level that is extreme in a direction of space-time, exactly.
    ///
    /// The extreme vertex of a prism is that of the body in the spatial part of the direction, at the start or at the
    /// end, as the sign of the direction along the motion says. At most 4 vertices are compared in each layer of
    /// the body's hierarchy.
    pub fn extreme(&self, level: usize, direction: &[Rational], stats: &mut HierarchyStats) -> PrismVertex {
        let [start, end] = Self::layers(level);
        let view = ExactView::new(self.in_body_frame(direction));
        let mut search = |layer: usize| match &view {
            Some(view) => self.hierarchy.search(view, layer, stats),
            // All vertices are equally far.
            None => self.hierarchy.innermost(),
        };
        let gain = dot(direction, &self.way);
        if start == end {
            let end = if gain > Rational::ZERO { TimeEnd::End } else { TimeEnd::Start };
            return PrismVertex { vertex: search(start), end };
        }
        let [first, second] = [
            PrismVertex { vertex: search(start), end: TimeEnd::Start },
            PrismVertex { vertex: search(end), end: TimeEnd::End },
        ];
        let height = |vertex| dot(direction, &self.point(vertex));
        if height(second) > height(first) { second } else { first }
    }

    /// Whole numbers in the direction that the body sees: the transpose of its rotation applied to the spatial part.
    fn in_body_frame(&self, direction: &[Rational]) -> [dashu::integer::IBig; 3] {
        let rotation = self.pose.rotation();
        let turned: Vector =
            (0..3).map(|column| dot(&rotation.col(column).to_array().map(number), &direction[..3])).collect();
        let whole = cleared(&turned).0;
        std::array::from_fn(|axis| whole[axis].clone())
    }
}
