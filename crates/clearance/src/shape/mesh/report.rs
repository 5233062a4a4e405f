//! What was found in the input and what was done about it.

use super::MeshKind;
use crate::shape::TriangleSoup;

/// How many of something there were, with the first few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<Id = u32> {
    /// How many.
    pub count: usize,
    /// The first [`EXAMPLE_LIMIT`] of them.
    pub examples: Vec<Id>,
}

/// How many examples a [`Finding`] keeps.
pub const EXAMPLE_LIMIT: usize = 8;

impl<Id> Default for Finding<Id> {
    fn default() -> Self {
        Finding { count: 0, examples: Vec::new() }
    }
}

impl<Id> Finding<Id> {
    pub(super) fn add(&mut self, id: Id) {
        self.count += 1;
        if self.examples.len() < EXAMPLE_LIMIT {
            self.examples.push(id);
        }
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<Id> FromIterator<Id> for Finding<Id> {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> Self {
        let mut finding = Finding::default();
        ids.into_iter().for_each(|id| finding.add(id));
        finding
    }
}

/// What [`Mesh::build`](super::Mesh::build) found in its input and what it did about it.
///
/// Every id counts the **input's** positions or triangles from 0; an edge is the pair of its end
/// positions; a component is named by its first triangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshReport {
    /// Positions in the input.
    pub input_positions: usize,
    /// Triangles in the input.
    pub input_triangles: usize,
    /// Positions merged into an earlier one.
    pub welded: Finding,
    /// Positions that no triangle refers to; dropped.
    pub unused: Finding,
    /// Triangles without area; removed.
    pub degenerate: Finding,
    /// Triangles cut at a corner of a removed flat triangle, so that the removal opens nothing.
    pub split: Finding,
    /// Triangles with the same three vertices as an earlier one.
    pub duplicate: Finding,
    /// Those of them that stay because a closed mesh would be open, or lose a membrane, without them.
    pub duplicate_kept: Finding,
    /// Edges where neighbouring triangles disagree about the outside, before any triangle was turned.
    pub inconsistent_edges: Finding<[u32; 2]>,
    /// Those left because turning triangles does not help.
    pub inconsistent_edges_left: Finding<[u32; 2]>,
    /// Closed shells that were inside out.
    pub inverted: Finding,
    /// Closed shells that face inward and lie inside another: cavities, left alone.
    pub cavities: Finding,
    /// Triangles that were turned.
    pub flipped: Finding,
    /// Edges of the built mesh with an odd number of triangles.
    pub open_edges: Finding<[u32; 2]>,
    /// Edges of the built mesh with more than two triangles.
    pub non_manifold_edges: Finding<[u32; 2]>,
    /// Components of the built mesh, connected by shared edges.
    pub components: usize,
    /// Whether the built mesh has no open edge.
    pub closed: bool,
    /// Whether the built mesh has no edge at which its triangles disagree about the outside.
    pub consistently_oriented: bool,
    /// What was built.
    pub kind: MeshKind,
}

impl MeshReport {
    /// Nothing found yet.
    pub(super) fn new(soup: &TriangleSoup) -> MeshReport {
        MeshReport {
            input_positions: soup.positions.len(),
            input_triangles: soup.triangles.len(),
            welded: Finding::default(),
            unused: Finding::default(),
            degenerate: Finding::default(),
            split: Finding::default(),
            duplicate: Finding::default(),
            duplicate_kept: Finding::default(),
            inconsistent_edges: Finding::default(),
            inconsistent_edges_left: Finding::default(),
            inverted: Finding::default(),
            cavities: Finding::default(),
            flipped: Finding::default(),
            open_edges: Finding::default(),
            non_manifold_edges: Finding::default(),
            components: 0,
            closed: false,
            consistently_oriented: false,
            kind: MeshKind::Surface,
        }
    }

    /// Whether no triangle was degenerate, duplicate or wrongly oriented.
    ///
    /// Welded or unused positions, open edges and non-manifold edges are no defects: surfaces may have them.
    pub fn is_clean(&self) -> bool {
        self.degenerate.is_empty()
            && self.duplicate.is_empty()
            && self.inconsistent_edges.is_empty()
            && self.inverted.is_empty()
    }

    /// The report as sentences, one per finding; the last says what was built.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.position_lines();
        lines.extend(self.defect_lines());
        lines.extend(self.shape_lines());
        lines
    }

    fn position_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        tell(&mut lines, &self.welded, "position", "merged into an equal or close earlier one");
        tell(&mut lines, &self.unused, "position", "used by no triangle: dropped");
        lines
    }

    pub(super) fn defect_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        tell(&mut lines, &self.degenerate, "triangle", "without area: removed");
        tell(&mut lines, &self.split, "triangle", "cut at a corner of a removed one, to stay closed");
        let removed = self.duplicate.count - self.duplicate_kept.count;
        let copies = format!("with the corners of an earlier one: {removed} removed");
        tell(&mut lines, &self.duplicate, "triangle", &copies);
        tell(&mut lines, &self.duplicate_kept, "such triangle", "kept, as the solid needs it");
        let edges = "where neighbouring triangles disagreed about the outside";
        tell(&mut lines, &self.inconsistent_edges, "edge", edges);
        let left = "where they still disagree, as turning triangles does not help";
        tell(&mut lines, &self.inconsistent_edges_left, "edge", left);
        let inverted = "inside out: turned with all inside; by first triangle";
        tell(&mut lines, &self.inverted, "closed shell", inverted);
        tell(&mut lines, &self.flipped, "triangle", "turned over");
        lines
    }

    fn shape_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let cavities = "facing inward inside another: cavities, left; by first triangle";
        tell(&mut lines, &self.cavities, "closed shell", cavities);
        tell(&mut lines, &self.non_manifold_edges, "edge", "shared by more than two triangles");
        tell(&mut lines, &self.open_edges, "open edge", "with an odd number of triangles");
        let closed = if self.closed { "closed" } else { "open" };
        let oriented = if self.consistently_oriented { "consistently" } else { "inconsistently" };
        let components = counted(self.components, "component");
        lines.push(format!("built a {} of {components}: {closed}, {oriented} oriented", self.kind));
        lines
    }
}

fn tell<Id: std::fmt::Debug>(lines: &mut Vec<String>, finding: &Finding<Id>, noun: &str, rest: &str) {
    if finding.is_empty() {
        return;
    }
    let examples: Vec<_> = finding.examples.iter().map(|id| format!("{id:?}")).collect();
    let more = if finding.count > examples.len() { ", ..." } else { "" };
    lines.push(format!("{} {rest} ({}{more})", counted(finding.count, noun), examples.join(", ")));
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
