//! Taking vertices off a polytope, layer by layer.

use crate::exact::orient3d;
use crate::shape::Polytope;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Only vertices of at most this degree are removed: at least half of all, since the mean degree is below 6 and
/// no degree is below 3. Each of them rules out 8 others, so a layer removes at least one vertex in 18.
pub(super) const MOST_SPOKES: usize = 8;

/// Owns the cells of the given polytope.
pub(super) const NOBODY: u32 = u32::MAX;

/// A neighbour in the ring around a vertex, and who owns the cell from it to the next neighbour, a triangle of a solid,
/// for a polygon the edge to the neighbour: the vertex whose hole the cell fills, or `NOBODY`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoke {
    pub tip: u32,
    pub owner: u32,
}

/// A boundary that vertices are peeled from.
pub(super) trait Boundary {
    /// The vertices that are left, ascending.
    fn left(&self) -> &[u32];
    /// The ring around a vertex, counter-clockwise seen from outside.
    fn spokes(&self, vertex: u32) -> Vec<Spoke>;
    /// Removes an independent set of vertices, each with the spokes it had, which owns the cells that fill its hole. Empty when a
    /// simplex is left.
    fn peel(&mut self) -> Vec<Removal>;
}

pub(super) struct Removal {
    pub vertex: u32,
    pub spokes: Vec<Spoke>,
}

/// The triangulated boundary of a solid.
pub(super) struct Surface<'a> {
    points: &'a [DVec3],
    left: Vec<u32>,
    corners: Vec<[u32; 3]>,
    /// Of each triangle.
    owners: Vec<u32>,
    /// The triangle to the left of an edge from one vertex to another.
    beside: FxHashMap<(u32, u32), u32>,
    /// One neighbour of each vertex, and how many there are.
    some: Vec<u32>,
    degrees: Vec<u32>,
}

impl<'a> Surface<'a> {
    pub fn new(polytope: &'a Polytope) -> Surface<'a> {
        let count = polytope.vertices().len();
        let mut surface = Surface {
            points: polytope.vertices(),
            left: (0..count as u32).collect(),
            corners: Vec::new(),
            owners: Vec::new(),
            beside: FxHashMap::default(),
            some: vec![0; count],
            degrees: vec![0; count],
        };
        for face in polytope.faces() {
            for pair in face[1..].windows(2) {
                surface.add([face[0], pair[0], pair[1]], NOBODY);
            }
        }
        surface
    }

    fn add(&mut self, corners: [u32; 3], owner: u32) {
        let [a, b, c] = corners;
        let triangle = self.corners.len() as u32;
        self.corners.push(corners);
        self.owners.push(owner);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            self.beside.insert((from, to), triangle);
            self.some[from as usize] = to;
            self.degrees[from as usize] += 1;
        }
    }

    /// Takes a vertex off and fills the hole.
    ///
    /// The new faces have their corners in the ring, and no point of the ring lies above them. At least one
    /// vertex outside the ring must remain: then what remains is a solid.
    fn remove(&mut self, vertex: u32) -> Removal {
        let spokes = self.spokes(vertex);
        let ring: Vec<u32> = spokes.iter().map(|s| s.tip).collect();
        for (i, &tip) in ring.iter().enumerate() {
            let next = ring[(i + 1) % ring.len()];
            for edge in [(vertex, tip), (tip, vertex), (tip, next)] {
                self.beside.remove(&edge);
            }
            // The triangle between two spokes counts for both of its ring vertices.
            self.degrees[tip as usize] -= 2;
        }
        self.fill(&ring, vertex);
        Removal { vertex, spokes }
    }

    /// Triangles over a chain of vertices, the ends of which are joined by an edge of the new hull: the
    /// triangle at that edge turns about it until nothing of the chain is above, the rest are two shorter chains.
    fn fill(&mut self, chain: &[u32], owner: u32) {
        let [first, .., last] = *chain else { return };
        if chain.len() < 3 {
            return;
        }
        let at = |v: u32| self.points[v as usize];
        let mut tip = 1;
        for other in 2..chain.len() - 1 {
            if orient3d(at(first), at(chain[tip]), at(last), at(chain[other])).is_positive() {
                tip = other;
            }
        }
        self.add([first, chain[tip], last], owner);
        self.fill(&chain[..=tip], owner);
        self.fill(&chain[tip..], owner);
    }
}

impl Boundary for Surface<'_> {
    fn left(&self) -> &[u32] {
        &self.left
    }

    fn spokes(&self, vertex: u32) -> Vec<Spoke> {
        let start = self.some[vertex as usize];
        let mut spokes = Vec::new();
        let mut tip = start;
        loop {
            let cell = self.beside[&(vertex, tip)];
            spokes.push(Spoke { tip, owner: self.owners[cell as usize] });
            let [a, b, c] = self.corners[cell as usize];
            // The third corner.
            tip ^= a ^ b ^ c ^ vertex;
            if tip == start {
                return spokes;
            }
        }
    }

    fn peel(&mut self) -> Vec<Removal> {
        let mut order: Vec<u32> = self.left.clone();
        order.retain(|&v| self.degrees[v as usize] as usize <= MOST_SPOKES);
        order.sort_by_key(|&v| self.degrees[v as usize]);
        let mut blocked = vec![false; self.points.len()];
        let mut count = self.left.len();
        let mut removals = Vec::new();
        for vertex in order {
            // A vertex joined to all others may be the apex of a pyramid: without it the rest would be flat.
            if blocked[vertex as usize] || self.degrees[vertex as usize] as usize + 1 >= count {
                continue;
            }
            let removal = self.remove(vertex);
            removal.spokes.iter().for_each(|s| blocked[s.tip as usize] = true);
            removals.push(removal);
            count -= 1;
        }
        let mut gone = vec![false; self.points.len()];
        removals.iter().for_each(|r| gone[r.vertex as usize] = true);
        self.left.retain(|&v| !gone[v as usize]);
        removals
    }
}

/// The boundary of a polygon: a cycle of vertices, each with the edge to the next.
pub(super) struct Cycle {
    left: Vec<u32>,
    around: Vec<Spoke>,
    /// Where each vertex is in the cycle.
    places: Vec<u32>,
}

impl Cycle {
    /// The boundary of a polygon; of a segment, its edge there and back.
    pub fn new(polytope: &Polytope) -> Cycle {
        let left: Vec<u32> = (0..polytope.vertices().len() as u32).collect();
        let around = if polytope.dimension() == 2 { polytope.face(0) } else { &left };
        let around = around.iter().map(|&tip| Spoke { tip, owner: NOBODY }).collect();
        let mut cycle = Cycle { places: left.clone(), left, around };
        cycle.number();
        cycle
    }

    fn number(&mut self) {
        (0..).zip(&self.around).for_each(|(place, s)| self.places[s.tip as usize] = place);
    }

    /// The neighbours of the vertex at a place in the cycle, each with the edge that leads there.
    fn spokes_at(&self, place: usize) -> Vec<Spoke> {
        let count = self.around.len();
        let (before, after) = (self.around[(place + count - 1) % count], self.around[(place + 1) % count]);
        vec![before, Spoke { tip: after.tip, owner: self.around[place].owner }]
    }
}

impl Boundary for Cycle {
    fn left(&self) -> &[u32] {
        &self.left
    }

    fn spokes(&self, vertex: u32) -> Vec<Spoke> {
        self.spokes_at(self.places[vertex as usize] as usize)
    }

    /// Every second vertex goes, down to a triangle.
    fn peel(&mut self) -> Vec<Removal> {
        let going = (self.around.len() / 2).min(self.around.len().saturating_sub(3));
        let removals: Vec<Removal> = (0..going)
            .map(|k| Removal { vertex: self.around[2 * k + 1].tip, spokes: self.spokes_at(2 * k + 1) })
            .collect();
        for k in 0..going {
            self.around[2 * k].owner = self.around[2 * k + 1].tip;
        }
        let mut place = 0;
        self.around.retain(|_| {
            place += 1;
            place % 2 == 1 || place > 2 * going
        });
        self.left = self.around.iter().map(|s| s.tip).collect();
        self.left.sort_unstable();
        self.number();
        removals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::sample::{cone, disc};

    /// Every edge has a triangle on both sides and no vertex left lies above a triangle.
    fn check(surface: &Surface<'_>) {
        let at = |v: u32| surface.points[v as usize];
        assert_eq!(surface.beside.len(), 6 * surface.left.len() - 12);
        for (&(a, b), &triangle) in &surface.beside {
            assert!(surface.beside.contains_key(&(b, a)));
            let [p, q, r] = surface.corners[triangle as usize].map(at);
            let above = |&v: &u32| orient3d(p, q, r, at(v)).is_positive();
            assert!(!surface.left.iter().any(above), "{p} {q} {r}");
        }
        for &v in &surface.left {
            assert_eq!(surface.spokes(v).len(), surface.degrees[v as usize] as usize);
        }
    }

    #[test]
    fn every_layer_is_a_convex_surface() {
        let mut random = Random::new(1);
        let mut polytopes = vec![cone(16, 1.0, 1.0).unwrap(), disc(12, 1.0, 0.1).unwrap()];
        for _ in 0..200 {
            let size = 1 + random.below(3);
            let coordinate = |random: &mut Random| random.below(2 * size + 1) as f64;
            let point = |_| DVec3::from_array(std::array::from_fn(|_| coordinate(&mut random)));
            polytopes.push(Polytope::hull(&(0..30).map(point).collect::<Vec<_>>()).unwrap());
        }
        for polytope in polytopes.iter().filter(|p| p.dimension() == 3) {
            let mut surface = Surface::new(polytope);
            check(&surface);
            while !surface.peel().is_empty() {
                check(&surface);
            }
            assert_eq!(surface.left.len(), 4);
        }
    }
}
