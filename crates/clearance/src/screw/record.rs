//! What is told about a contact.

use super::properness::EdgeProperness;
use crate::pair::Feature;
use glam::DVec3;
use std::cmp::Ordering;
use std::ops::Range;

/// Which kinds of features meet, that of body A first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContactKind {
    /// A vertex of A and a face of B.
    VertexFace,
    /// A face of A and a vertex of B.
    FaceVertex,
    /// An edge of A and an edge of B.
    EdgeEdge,
}

/// A contact of two features during a screw.
///
/// Positions are in the world with the body at rest where it is given: A if B moves, B if A moves.
///
/// Lists are sorted by `lower`. Ties, which are frequent where bodies are symmetric, come in the order of kinds, then parts, then
/// vertices, each of the body at rest before those of the one that moves: a vertex at rest with a face comes before a face at rest
/// with a vertex, and edges are last. So which body is called A does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScrewContact {
    /// Which features meet.
    pub kind: ContactKind,
    /// Of body A, by the numbers of its vertices; a face of a polytope by its three smallest, a triangle of a mesh by its own.
    pub feature_a: Feature,
    /// Of body B.
    pub feature_b: Feature,
    /// The parts of compounds that the features belong to; 0 for other bodies.
    pub parts: [u32; 2],
    /// These features do not meet between the record of theirs before this and this time.
    pub lower: f64,
    /// They have met at or before this time, if `is_proved`.
    pub upper: f64,
    /// When the contact ends if it lasts; else `upper`.
    pub until: f64,
    /// Whether they meet for sure; if not, they come so close that rounding hides it, or meet at a border of one of them.
    pub is_proved: bool,
    /// Whether the bodies move toward each other there; unresolved ones count as entering.
    pub is_entering: bool,
    /// Where, rounded.
    pub point: DVec3,
    /// From A to B, unit length, rounded.
    pub normal: DVec3,
    /// Below zero if the bodies overlap beside the contact already; rounded.
    pub properness: f64,
}

impl ScrewContact {
    /// By kind, then parts, then vertices.
    pub(super) fn cmp_names(&self, other: &ScrewContact) -> Ordering {
        let key = |contact: &ScrewContact| {
            let names = [contact.feature_a, contact.feature_b].map(|feature| {
                let mut name = [u32::MAX; 3];
                name[..feature.vertices().len()].copy_from_slice(feature.vertices());
                name
            });
            (contact.kind, contact.parts, names)
        };
        key(self).cmp(&key(other))
    }

    /// The same with the bodies swapped.
    pub(super) fn swapped(self) -> ScrewContact {
        ScrewContact {
            kind: match self.kind {
                ContactKind::VertexFace => ContactKind::FaceVertex,
                ContactKind::FaceVertex => ContactKind::VertexFace,
                ContactKind::EdgeEdge => ContactKind::EdgeEdge,
            },
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            parts: [self.parts[1], self.parts[0]],
            normal: -self.normal,
            ..self
        }
    }
}

/// Which contacts are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Those that enter, from a properness on.
    Entering,
    /// Every one.
    All,
}

/// What is asked of all contacts of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactsConfig {
    /// Entering contacts less proper than this are left out; `-0.1` in the paper.
    pub min_properness: f64,
    /// Whether contacts that leave, or are less proper, are told too.
    pub kept: Kept,
    /// How properness of two edges is measured.
    pub edges: EdgeProperness,
}

impl Default for ContactsConfig {
    fn default() -> ContactsConfig {
        ContactsConfig { min_properness: -0.1, kept: Kept::Entering, edges: EdgeProperness::Seven }
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScrewStats {
    /// Steps of the advance of two convex bodies.
    pub steps: u64,
    /// Pairs of boxes of nodes whose windows of time were computed.
    pub nodes: u64,
    /// Pairs of boxes of triangles whose windows of time were computed.
    pub slabs: u64,
    /// Pairs of triangles that may meet, by their boxes, as is asked for, by their normals.
    pub cells: u64,
    /// Pairs of a vertex and a face, or two edges, whose function of time was searched for zeros.
    pub features: u64,
    /// Those of them that floats left open, so that intervals searched the whole window.
    pub open: u64,
}

impl std::ops::AddAssign for ScrewStats {
    fn add_assign(&mut self, other: ScrewStats) {
        self.steps += other.steps;
        self.nodes += other.nodes;
        self.slabs += other.slabs;
        self.cells += other.cells;
        self.features += other.features;
        self.open += other.open;
    }
}

/// Runs of contacts, sorted by time, that begin within some time of the first of the run: those to be handled at once
/// [Buss04 §3].
pub fn simultaneous(contacts: &[ScrewContact], within: f64) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (i, contact) in contacts.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if contact.lower <= contacts[group.start].upper + within => group.end = i + 1,
            _ => groups.push(i..i + 1),
        }
    }
    groups
}
