//! Hierarchy and walk combined: a search whose cost grows with the logarithm of the way from the hint.

use super::peel::{Boundary, Cycle, Surface};
use crate::shape::Polytope;
use crate::support::SupportStats;
use glam::DVec3;

/// Steps in a layer before the search goes on in a coarser one.
const PATIENCE: usize = 2;

/// The layers of a hierarchy, each with its adjacency, for the H-Walk (Guibas, Hsu and Zhang 1999).
///
/// A search walks a few steps in the polytope; if it has not arrived, it goes on in the next smaller polytope, where
/// steps are longer, and so on; where it arrives, it comes back layer by layer, at most one step each (Lemma 9).
/// At a distance of `d` steps it climbs `O(log d)` layers: [Chung96 §5.3] leaves open whether `O(log d)` can be
/// had in space. It can be measured here and is not proved: a step costs the degree of its vertex, which has no bound.
///
/// Heights are plain `f64`; [`SupportMap::climb`](crate::support::SupportMap::climb) proves what is found.
/// `O(n)` space, at most 136 bytes a vertex on random bodies.
#[derive(Clone, Debug)]
pub struct HWalk {
    /// Ranks count from the innermost layer outwards, so that every layer is a prefix.
    ranks: Vec<u32>,
    vertices: Vec<u32>,
    points: Vec<DVec3>,
    layers: Vec<Layer>,
}

/// The adjacency of one polytope, by ranks.
#[derive(Clone, Debug)]
struct Layer {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Layer {
    fn of(&self, rank: u32) -> &[u32] {
        &self.neighbours[self.starts[rank as usize] as usize..self.starts[rank as usize + 1] as usize]
    }

    fn has(&self, rank: u32) -> bool {
        (rank as usize) < self.starts.len() - 1
    }
}

impl HWalk {
    /// Peels a polytope and keeps the adjacency of every layer: `O(n)` expected.
    pub fn build(polytope: &Polytope) -> HWalk {
        if polytope.dimension() == 3 {
            HWalk::peel(polytope, Surface::new(polytope))
        } else {
            HWalk::peel(polytope, Cycle::new(polytope))
        }
    }

    fn peel(polytope: &Polytope, mut boundary: impl Boundary) -> HWalk {
        let count = polytope.vertices().len();
        // Outermost first: in each layer its vertices and their neighbours.
        let mut graphs: Vec<Vec<(u32, Vec<u32>)>> = Vec::new();
        let mut vertices = Vec::with_capacity(count);
        loop {
            let ring = |&v: &u32| (v, boundary.spokes(v).iter().map(|s| s.tip).collect());
            graphs.push(boundary.left().iter().map(ring).collect());
            let removals = boundary.peel();
            vertices.extend(removals.iter().map(|r| r.vertex));
            if removals.is_empty() {
                break;
            }
        }
        vertices.extend(boundary.left());
        vertices.reverse();
        let mut ranks = vec![0; count];
        (0..).zip(&vertices).for_each(|(rank, &v)| ranks[v as usize] = rank);
        let points = vertices.iter().map(|&v| polytope.vertices()[v as usize]).collect();
        let mut layers: Vec<Layer> = graphs.into_iter().map(|graph| layer(graph, &ranks)).collect();
        layers.shrink_to_fit();
        HWalk { ranks, vertices, points, layers }
    }

    /// The number of polytopes inside the given one.
    pub fn layers(&self) -> usize {
        self.layers.len() - 1
    }

    /// Bytes of memory held, the value itself among them.
    pub fn bytes(&self) -> usize {
        let indices = |layer: &Layer| layer.starts.capacity() + layer.neighbours.capacity();
        let indices =
            self.layers.iter().map(indices).sum::<usize>() + self.ranks.capacity() + self.vertices.capacity();
        let layers = self.layers.capacity() * size_of::<Layer>();
        size_of::<HWalk>() + layers + self.points.capacity() * size_of::<DVec3>() + indices * size_of::<u32>()
    }

    /// A vertex at which no neighbour is higher in `f64`, searched from a hint.
    pub fn search(&self, direction: DVec3, hint: u32, stats: &mut SupportStats) -> u32 {
        stats.searches += 1;
        let mut at = self.ranks[hint as usize];
        let mut reached = 0;
        for (index, layer) in self.layers.iter().enumerate() {
            reached = index;
            let steps = if index + 1 == self.layers.len() { usize::MAX } else { PATIENCE };
            let (end, arrived) = self.walk(layer, direction, at, steps, stats);
            at = end;
            if arrived {
                break;
            }
            if let Some(next) = self.layers.get(index + 1)
                && !next.has(at)
            {
                // Neighbours of a vertex that is removed stay.
                at = self.best_neighbour(layer, direction, at, stats).map_or(at, |(best, _)| best);
            }
        }
        for layer in self.layers[..reached].iter().rev() {
            at = self.walk(layer, direction, at, usize::MAX, stats).0;
        }
        self.vertices[at as usize]
    }

    /// Walks at most so many steps; whether it arrived at the top.
    fn walk(
        &self,
        layer: &Layer,
        direction: DVec3,
        from: u32,
        steps: usize,
        stats: &mut SupportStats,
    ) -> (u32, bool) {
        let (mut at, mut height) = (from, direction.dot(self.points[from as usize]));
        let mut step = 0;
        while let Some((next, there)) = self.best_neighbour(layer, direction, at, stats)
            && there > height
        {
            (at, height) = (next, there);
            step += 1;
            if step >= steps {
                return (at, false);
            }
        }
        (at, true)
    }

    fn best_neighbour(
        &self,
        layer: &Layer,
        direction: DVec3,
        at: u32,
        stats: &mut SupportStats,
    ) -> Option<(u32, f64)> {
        let neighbours = layer.of(at);
        stats.vertices += 1;
        stats.products += neighbours.len() as u64;
        let height = |&w: &u32| (w, direction.dot(self.points[w as usize]));
        neighbours.iter().map(height).reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}

fn layer(mut graph: Vec<(u32, Vec<u32>)>, ranks: &[u32]) -> Layer {
    graph.sort_unstable_by_key(|(v, _)| ranks[*v as usize]);
    let mut starts = Vec::with_capacity(graph.len() + 1);
    starts.push(0);
    let mut neighbours = Vec::with_capacity(graph.iter().map(|(_, ring)| ring.len()).sum());
    for (_, ring) in graph {
        neighbours.extend(ring.iter().map(|&w| ranks[w as usize]));
        starts.push(neighbours.len() as u32);
    }
    Layer { starts, neighbours }
}
