//! Closed shells: which are inside out, and which are cavities.
//!
//! A *shell* is a smallest union of patches that is closed: as many triangles run one way along each
//! edge as the other way. By the sign of its exact volume it faces outward or inward. An inward
//! shell around which the shells that hold it wind at least once is a cavity. Otherwise points inside it
//! would have a negative winding number, which no solid has: it is inside out. It is turned
//! together with all that lies inside it, so the points with a winding number other than zero are the
//! same as before.
//!
//! Whether a shell lies in another is asked at a point infinitely close to the middle of its first
//! triangle, on its inner side. For shells that cross neither themselves nor one another the choice
//! does not matter; for others it is a convention.

use super::cluster::Clusters;
use super::draft::{Draft, runs_forward};
use super::duplicate;
use super::nesting::Nesting;
use super::topology::{Topology, group_by_label};
use super::volume::volume_sign;
use crate::exact::{Sign, orient3d};

/// The shells of a draft whose patches were made consistent.
pub(super) struct Shells {
    start: Vec<u32>,
    triangles: Vec<u32>,
    closed: Vec<bool>,
    volume: Vec<Sign>,
}

/// What is to be done about inward shells.
pub(super) struct Inversion {
    /// Shells to turn although nothing outside them is inside out.
    pub inverted: Vec<usize>,
    /// Inward shells that stay.
    pub cavities: Vec<usize>,
    /// All shells to turn.
    pub turn: Vec<bool>,
}

impl Shells {
    /// Patches may be the components if every edge has at most two triangles.
    pub fn find(draft: &Draft, topology: &Topology, patch_of: &[u32], patch_count: usize) -> Shells {
        let shell_of_patch = join_patches(draft, topology, patch_of, patch_count);
        let count = shell_of_patch.iter().max().map_or(0, |&last| last as usize + 1);
        let labels: Vec<_> = patch_of.iter().map(|&patch| shell_of_patch[patch as usize]).collect();
        let mut closed = vec![true; count];
        for edge in (0..topology.edges.len()).filter(|&edge| topology.balance[edge] != 0) {
            topology.at_edge(edge).iter().for_each(|&t| closed[labels[t as usize] as usize] = false);
        }
        let (start, triangles) = group_by_label(&labels, count);
        let mut shells = Shells { start, triangles, closed, volume: Vec::new() };
        shells.volume = (0..count).map(|shell| shells.sign(draft, shell)).collect();
        shells
    }

    /// The signs of the shells' volumes; zero for those that are not closed.
    pub fn volume_signs(&self) -> &[Sign] {
        &self.volume
    }

    /// Whether the triangles of some closed shell wind around anything.
    ///
    /// They do if its volume is not zero. If it is zero, they do not if each is a copy of another that faces the
    /// other way (a sheet given from both sides) or if all others lie in a plane; anything else counts as enclosing.
    pub fn enclose_something(&self, draft: &Draft, topology: &Topology) -> bool {
        if self.volume.iter().any(|sign| !sign.is_zero()) {
            return true;
        }
        let paired = duplicate::membranes(draft, topology);
        let is_thick = |shell: usize| {
            let mut rest = self.triangles(shell).iter().map(|&t| t as usize).filter(|&t| !paired[t]);
            let Some([a, b, c]) = rest.next().map(|t| draft.corners(t)) else { return false };
            rest.any(|t| draft.corners(t).iter().any(|&p| !orient3d(a, b, c, p).is_zero()))
        };
        (0..self.closed.len()).any(|shell| self.closed[shell] && is_thick(shell))
    }

    /// The triangles of a shell, in increasing order.
    pub fn triangles(&self, shell: usize) -> &[u32] {
        &self.triangles[self.start[shell] as usize..self.start[shell + 1] as usize]
    }

    fn sign(&self, draft: &Draft, shell: usize) -> Sign {
        match self.closed[shell] {
            true => volume_sign(self.triangles(shell).iter().map(|&t| draft.corners(t as usize))),
            false => Sign::Zero,
        }
    }

    /// Decides about inward shells, outermost first.
    pub fn inversion(&self, draft: &Draft) -> Inversion {
        let count = self.volume.len();
        let mut found = Inversion { inverted: Vec::new(), cavities: Vec::new(), turn: vec![false; count] };
        if !self.volume.contains(&Sign::Negative) {
            return found;
        }
        let nesting = Nesting::find(draft, self);
        let mut order: Vec<_> = (0..count).filter(|&shell| !self.volume[shell].is_zero()).collect();
        order.sort_by_key(|&shell| nesting.holders[shell].len());
        for shell in order {
            if (self.volume[shell].is_negative()) == found.turn[shell] {
                continue;
            }
            let around: i64 =
                nesting.holders[shell].iter().map(|&(t, w)| if found.turn[t] { -w } else { w }).sum();
            if around > 0 {
                found.cavities.push(shell);
            } else {
                found.inverted.push(shell);
                found.turn[shell] ^= true;
                nesting.held[shell].iter().for_each(|&inner| found.turn[inner] ^= true);
            }
        }
        found.inverted.sort_unstable();
        found.cavities.sort_unstable();
        found
    }
}

/// The shell of each patch, numbered by first patch: patches that do not balance on their own at an edge
/// with more than two triangles are joined there.
fn join_patches(draft: &Draft, topology: &Topology, patch_of: &[u32], patch_count: usize) -> Vec<u32> {
    let mut shells = Clusters::new(patch_count);
    let mut at_edge: Vec<(u32, i64)> = Vec::new();
    for edge in (0..topology.edges.len()).filter(|&edge| topology.at_edge(edge).len() > 2) {
        at_edge.clear();
        for &t in topology.at_edge(edge) {
            let step = if runs_forward(draft.triangles[t as usize], topology.edges[edge]) { 1 } else { -1 };
            let patch = patch_of[t as usize];
            match at_edge.iter_mut().find(|(other, _)| *other == patch) {
                Some((_, balance)) => *balance += step,
                None => at_edge.push((patch, step)),
            }
        }
        at_edge.retain(|&(_, balance)| balance != 0);
        at_edge.windows(2).for_each(|pair| shells.join(pair[0].0, pair[1].0));
    }
    shells.labels()
}
