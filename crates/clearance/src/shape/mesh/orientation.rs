//! Triangles are turned so that neighbours agree about the outside.
//!
//! Triangles connected through edges with exactly two triangles form a *patch*. Within a patch each
//! triangle's direction follows from one triangle's, or the patch cannot be oriented (a Moebius strip)
//! and is left alone. Of the two consistent directions the one that turns fewer triangles is taken; at
//! a tie the first triangle keeps its own. Whether a closed shell then faces outward is decided in
//! `shell`. Across edges with more than two triangles nothing is inferred.

use super::draft::runs_forward;
use super::topology::Topology;

/// Whether patches are the same as components and already consistent.
pub(super) fn is_settled(topology: &Topology) -> bool {
    (0..topology.edges.len())
        .all(|edge| topology.at_edge(edge).len() <= 2 && !is_inconsistent(topology, edge))
}

/// Whether the triangles at an edge disagree about the outside.
pub(super) fn is_inconsistent(topology: &Topology, edge: usize) -> bool {
    topology.balance[edge].abs() > 1
}

/// Triangles by patch, and which of them to turn.
pub(super) struct Patches {
    /// Patch of each triangle, numbered by first triangle.
    pub patch_of: Vec<u32>,
    /// How many patches there are.
    pub count: usize,
    /// Triangles to turn so that every patch that can be is consistent.
    pub turn: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Patches {
    pub fn find(triangles: &[[u32; 3]], topology: &Topology) -> Patches {
        let mut patches =
            Patches { patch_of: vec![NONE; triangles.len()], count: 0, turn: vec![false; triangles.len()] };
        for seed in 0..triangles.len() {
            if patches.patch_of[seed] == NONE {
                patches.flood(triangles, topology, seed);
                patches.count += 1;
            }
        }
        patches
    }

    fn flood(&mut self, triangles: &[[u32; 3]], topology: &Topology, seed: usize) {
        let patch = self.count as u32;
        let mut members = vec![seed];
        let mut orientable = true;
        self.patch_of[seed] = patch;
        let mut done = 0;
        while done < members.len() {
            let here = members[done];
            done += 1;
            for (next, agrees) in neighbours(triangles, topology, here) {
                let turn = self.turn[here] ^ !agrees;
                if self.patch_of[next] == NONE {
                    self.patch_of[next] = patch;
                    self.turn[next] = turn;
                    members.push(next);
                } else {
                    orientable &= self.turn[next] == turn;
                }
            }
        }
        self.settle(&members, orientable);
    }

    /// Turns nothing if the patch is not orientable, else the smaller set.
    fn settle(&mut self, members: &[usize], orientable: bool) {
        let turned = members.iter().filter(|&&t| self.turn[t]).count();
        for &t in members {
            self.turn[t] = orientable && (self.turn[t] != (2 * turned > members.len()));
        }
    }
}

/// The triangles across edges with exactly two triangles, and whether the directions agree.
fn neighbours<'a>(
    triangles: &'a [[u32; 3]],
    topology: &'a Topology,
    here: usize,
) -> impl Iterator<Item = (usize, bool)> + 'a {
    topology.triangle_edges[here].into_iter().filter_map(move |edge| {
        let &[first, second] = topology.at_edge(edge as usize) else { return None };
        let next = if first as usize == here { second } else { first } as usize;
        let ends = topology.edges[edge as usize];
        Some((next, runs_forward(triangles[here], ends) != runs_forward(triangles[next], ends)))
    })
}
