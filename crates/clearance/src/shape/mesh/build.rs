//! From triangles as they come to a mesh, step by step.

use super::draft::Draft;
use super::orientation::{Patches, is_inconsistent, is_settled};
use super::shell::Shells;
use super::topology::Topology;
use super::{
    Defects, Finding, KindChoice, MAX_TRIANGLES, Mesh, MeshConfig, MeshError, MeshKind, MeshReport,
    degenerate, duplicate, weld,
};
use crate::Aabb;
use crate::shape::{SoupPart, TriangleSoup};

impl Mesh {
    /// Welds, checks and, unless [`Defects::Refuse`], repairs triangles into a mesh.
    ///
    /// Refused always, with the culprit: no triangles, too many, an index without a position, a coordinate that
    /// is not finite or beyond [`COORDINATE_LIMIT`](crate::tolerance::COORDINATE_LIMIT). Repaired, and said in the
    /// [report](Mesh::report): triangles without area (neighbours are cut where the removal would open the mesh),
    /// duplicates (kept where a solid needs them), triangles that disagree with their neighbours about the
    /// outside, closed shells that are inside out and no cavity. All decisions are exact, and a closed mesh
    /// stays closed. The same input gives the same mesh, bit for bit. `O(n)` expected time, apart from inward
    /// shells, each of which looks at the shells around it.
    ///
    /// ```
    /// use clearance::shape::{Mesh, MeshConfig, MeshKind, TriangleSoup};
    /// use clearance::glam::DVec3;
    /// let mut soup = TriangleSoup {
    ///     positions: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
    ///     triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    ///     parts: vec![],
    /// };
    /// let solid = Mesh::build(&soup, &MeshConfig::default())?;
    /// assert_eq!(solid.kind(), MeshKind::Solid);
    /// soup.triangles.pop();
    /// let surface = Mesh::build(&soup, &MeshConfig::default())?;
    /// assert_eq!(surface.kind(), MeshKind::Surface);
    /// assert_eq!(surface.report().open_edges.count, 3);
    /// # Ok::<(), clearance::shape::MeshError>(())
    /// ```
    pub fn build(soup: &TriangleSoup, config: &MeshConfig) -> Result<Mesh, MeshError> {
        check_counts(soup)?;
        check_parts(soup)?;
        let (mut draft, mut report) = weld_draft(soup, config)?;
        degenerate::remove(&mut draft, &mut report);
        if draft.triangles.is_empty() {
            return Err(MeshError::OnlyDegenerate { triangles: soup.triangles.len() });
        }
        let mut topology = draft.topology();
        if duplicate::reduce(&mut draft, &topology, &mut report) {
            topology = draft.topology();
        }
        let mut encloses = orient(&mut draft, &mut topology, &mut report);
        if config.kind == KindChoice::Surface || !encloses || !is_bounding(&topology) {
            encloses = flatten(&mut draft, &mut topology, &mut report).unwrap_or(encloses);
        }
        let kind = match config.kind {
            KindChoice::Detect if is_bounding(&topology) && encloses => MeshKind::Solid,
            KindChoice::Solid if is_bounding(&topology) => MeshKind::Solid,
            _ => MeshKind::Surface,
        };
        report.kind = kind;
        describe(&draft, &topology, &mut report);
        judge(report, config).map(|report| finish(soup, draft, topology, report))
    }
}

fn check_counts(soup: &TriangleSoup) -> Result<(), MeshError> {
    let limits = [
        ("triangles", soup.triangles.len(), MAX_TRIANGLES),
        ("positions", soup.positions.len(), u32::MAX as usize),
    ];
    match limits.into_iter().find(|(_, count, limit)| count > limit) {
        Some((what, count, limit)) => Err(MeshError::TooMany { what, count, limit }),
        None if soup.triangles.is_empty() => Err(MeshError::NoTriangles),
        None => Ok(()),
    }
}

fn check_parts(soup: &TriangleSoup) -> Result<(), MeshError> {
    let mut end = 0;
    for (part, SoupPart { name, triangles }) in soup.parts.iter().enumerate() {
        if triangles.start < end
            || triangles.end < triangles.start
            || triangles.end as usize > soup.triangles.len()
        {
            return Err(MeshError::BadPart {
                part,
                name: name.clone(),
                start: triangles.start,
                end: triangles.end,
                triangles: soup.triangles.len(),
            });
        }
        end = triangles.end;
    }
    Ok(())
}

fn weld_draft(soup: &TriangleSoup, config: &MeshConfig) -> Result<(Draft, MeshReport), MeshError> {
    let welded = weld::weld(soup, config.weld)?;
    let mut report = MeshReport::new(soup);
    report.welded = welded.welded;
    report.unused = welded.unused;
    let draft = Draft {
        positions: welded.positions,
        source_vertices: welded.source_vertices,
        triangles: welded.triangles,
        source_triangles: (0..soup.triangles.len() as u32).collect(),
        turned: vec![false; soup.triangles.len()],
    };
    Ok((draft, report))
}

/// Makes patches consistent and turns inverted shells; says whether the shells enclose anything.
fn orient(draft: &mut Draft, topology: &mut Topology, report: &mut MeshReport) -> bool {
    let shells = if is_settled(topology) {
        Shells::find(draft, topology, &topology.component_of, topology.component_count())
    } else {
        report.inconsistent_edges = inconsistent_edges(draft, topology);
        let patches = Patches::find(&draft.triangles, topology);
        draft.turn_over(topology, (0..).zip(&patches.turn).filter(|&(_, &turn)| turn).map(|(t, _)| t));
        Shells::find(draft, topology, &patches.patch_of, patches.count)
    };
    let inversion = shells.inversion(draft);
    let first = |&shell: &usize| draft.source_triangles[shells.triangles(shell)[0] as usize];
    report.inverted = inversion.inverted.iter().map(first).collect();
    report.cavities = inversion.cavities.iter().map(first).collect();
    for shell in (0..inversion.turn.len()).filter(|&shell| inversion.turn[shell]) {
        draft.turn_over(topology, shells.triangles(shell).iter().copied());
    }
    shells.enclose_something(draft, topology)
}

/// Leaves one triangle on each three vertices, as suits a surface and a body with each face given from both
/// sides; says what then encloses, or `None` if nothing changed.
///
/// The copies faced either way, so those left are oriented anew; that is no finding about the input.
fn flatten(draft: &mut Draft, topology: &mut Topology, report: &mut MeshReport) -> Option<bool> {
    duplicate::keep_first(draft, topology).then(|| {
        *topology = draft.topology();
        let mut anew = report.clone();
        let encloses = orient(draft, topology, &mut anew);
        report.cavities = anew.cavities;
        report.duplicate_kept = Finding::default();
        encloses
    })
}

/// Whether the triangles are closed and consistently oriented.
fn is_bounding(topology: &Topology) -> bool {
    topology.balance.iter().all(|&balance| balance == 0)
}

fn inconsistent_edges(draft: &Draft, topology: &Topology) -> Finding<[u32; 2]> {
    let edges = (0..topology.edges.len()).filter(|&edge| is_inconsistent(topology, edge));
    edges.map(|edge| draft.source_edge(topology.edges[edge])).collect()
}

/// Fills in what the finished triangles decide.
fn describe(draft: &Draft, topology: &Topology, report: &mut MeshReport) {
    for (edge, &ends) in topology.edges.iter().enumerate() {
        let count = topology.at_edge(edge).len();
        if count % 2 == 1 {
            report.open_edges.add(draft.source_edge(ends));
        }
        if count > 2 {
            report.non_manifold_edges.add(draft.source_edge(ends));
        }
    }
    let turned = draft.source_triangles.iter().zip(&draft.turned).filter(|&(_, &turned)| turned);
    report.flipped = turned.map(|(&source, _)| source).collect();
    report.inconsistent_edges_left = inconsistent_edges(draft, topology);
    report.components = topology.component_count();
    report.closed = report.open_edges.is_empty();
    report.consistently_oriented = report.inconsistent_edges_left.is_empty();
}

/// The report, or the error that the caller's choices make of it.
fn judge(report: MeshReport, config: &MeshConfig) -> Result<MeshReport, MeshError> {
    if config.defects == Defects::Refuse && !report.is_clean() {
        return Err(MeshError::Defects { report: Box::new(report) });
    }
    if config.kind == KindChoice::Solid {
        if let Some(&first) = report.open_edges.examples.first() {
            return Err(MeshError::NotClosed { first, report: Box::new(report) });
        }
        if let Some(&first) = report.inconsistent_edges_left.examples.first() {
            let count = report.inconsistent_edges_left.count;
            return Err(MeshError::NotOriented { first, count, report: Box::new(report) });
        }
    }
    Ok(report)
}

fn finish(soup: &TriangleSoup, draft: Draft, topology: Topology, report: MeshReport) -> Mesh {
    // Triangles are in the order of their sources, so parts stay runs.
    let place = |source: u32| draft.source_triangles.partition_point(|&s| s < source) as u32;
    let part = |part: &SoupPart| SoupPart {
        name: part.name.clone(),
        triangles: place(part.triangles.start)..place(part.triangles.end),
    };
    let parts = soup.parts.iter().map(part).collect();
    let around = Aabb::around(draft.positions.iter().copied());
    let bounds = around.unwrap_or(Aabb { min: glam::DVec3::ZERO, max: glam::DVec3::ZERO });
    Mesh {
        positions: draft.positions,
        source_vertices: draft.source_vertices,
        triangles: draft.triangles,
        source_triangles: draft.source_triangles,
        parts,
        topology,
        bounds,
        kind: report.kind,
        report,
    }
}
