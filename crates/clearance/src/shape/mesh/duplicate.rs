//! Triangles with the same three vertices.
//!
//! In a surface one of them is enough. In a solid the copies matter: winding numbers count each
//! triangle with its direction, so with `p` copies one way and `q` the other, `|p - q|` of them
//! count. A component that is closed with all its copies must stay closed:
//! - opposite copies cancel in pairs as long as one triangle stays; when `p = q` one pair stays, a membrane of
//!   no thickness: dropping it would change no winding number, but lose points that a body can touch;
//! - further copies one way go if they are closed among themselves (a shell given twice), and stay if
//!   not (two tetrahedra on the same side of a common base).
//!
//! In a component that is not closed the first copy stays.

use super::draft::{Draft, runs_forward};
use super::topology::Topology;
use super::{Finding, MeshReport};

/// Removes copies as far as closed components allow; says whether any were removed.
pub(super) fn reduce(draft: &mut Draft, topology: &Topology, report: &mut MeshReport) -> bool {
    let groups = groups(&draft.triangles, topology);
    if groups.is_empty() {
        return false;
    }
    let closed = closed_components(topology);
    let mut drop = vec![false; draft.triangles.len()];
    let mut extra = Vec::new();
    for group in &groups {
        let plan = match closed[topology.component_of[group[0] as usize] as usize] {
            true => cancel(&draft.triangles, group),
            false => Plan { stay: vec![group[0]], extra: Vec::new() },
        };
        group.iter().for_each(|&t| drop[t as usize] = !plan.stay.contains(&t) && !plan.extra.contains(&t));
        extra.extend(plan.extra);
    }
    for copy in closed_extras(draft, &extra) {
        drop[copy as usize] = true;
    }
    say(draft, &groups, &drop, report);
    draft.drop_triangles(&drop);
    drop.contains(&true)
}

/// Removes all copies but the first, as suits a surface; says whether any were removed.
pub(super) fn keep_first(draft: &mut Draft, topology: &Topology) -> bool {
    let mut drop = vec![false; draft.triangles.len()];
    for group in groups(&draft.triangles, topology) {
        group[1..].iter().for_each(|&t| drop[t as usize] = true);
    }
    draft.drop_triangles(&drop);
    drop.contains(&true)
}

/// Triangles of which a copy faces the other way.
pub(super) fn membranes(draft: &Draft, topology: &Topology) -> Vec<bool> {
    let mut paired = vec![false; draft.triangles.len()];
    for group in groups(&draft.triangles, topology) {
        let plan = cancel(&draft.triangles, &group);
        let both_ways = plan.stay.len() == 2;
        group.iter().for_each(|&t| paired[t as usize] = both_ways);
    }
    paired
}

/// All but the first of each group are the duplicates; all but the first that stays are kept ones.
fn say(draft: &Draft, groups: &[Vec<u32>], drop: &[bool], report: &mut MeshReport) {
    let sources = |mut triangles: Vec<u32>| -> Finding {
        triangles.sort_unstable();
        triangles.iter().map(|&t| draft.source_triangles[t as usize]).collect()
    };
    report.duplicate = sources(groups.iter().flat_map(|group| &group[1..]).copied().collect());
    let kept =
        |group: &Vec<u32>| group.iter().copied().filter(|&t| !drop[t as usize]).skip(1).collect::<Vec<_>>();
    report.duplicate_kept = sources(groups.iter().flat_map(kept).collect());
}

/// Sets of at least two triangles with the same vertices, each in increasing order.
///
/// Found at the edge between their two smallest vertices, so each set is found once.
fn groups(triangles: &[[u32; 3]], topology: &Topology) -> Vec<Vec<u32>> {
    let mut groups = Vec::new();
    let mut tops: Vec<(u32, u32)> = Vec::new();
    for (edge, &[low, high]) in topology.edges.iter().enumerate() {
        let at_edge = topology.at_edge(edge);
        if at_edge.len() < 2 {
            continue;
        }
        let apex = |t: u32| triangles[t as usize].iter().fold(low ^ high, |rest, v| rest ^ v);
        if at_edge.len() == 2 && apex(at_edge[0]) != apex(at_edge[1]) {
            continue;
        }
        tops.clear();
        tops.extend(at_edge.iter().map(|&t| (apex(t), t)).filter(|&(apex, _)| apex > high));
        tops.sort_unstable();
        let same = tops.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
        groups.extend(same.map(|same| same.iter().map(|&(_, t)| t).collect::<Vec<_>>()));
    }
    groups
}

fn closed_components(topology: &Topology) -> Vec<bool> {
    let mut closed = vec![true; topology.component_count()];
    for edge in (0..topology.edges.len()).filter(|&edge| topology.balance[edge] != 0) {
        closed[topology.component_of[topology.at_edge(edge)[0] as usize] as usize] = false;
    }
    closed
}

struct Plan {
    /// Triangles that stay.
    stay: Vec<u32>,
    /// Triangles beyond the first of the prevailing direction: they stay unless closed among themselves.
    extra: Vec<u32>,
}

fn cancel(triangles: &[[u32; 3]], group: &[u32]) -> Plan {
    let mut sorted = triangles[group[0] as usize];
    sorted.sort_unstable();
    let base = [sorted[0], sorted[1]];
    let (forward, backward): (Vec<u32>, Vec<u32>) =
        group.iter().partition(|&&t| runs_forward(triangles[t as usize], base));
    let (more, fewer) =
        if forward.len() >= backward.len() { (forward, backward) } else { (backward, forward) };
    match more.len() - fewer.len() {
        0 => Plan { stay: vec![more[0], fewer[0]], extra: Vec::new() },
        net => Plan { stay: vec![more[0]], extra: more[1..net].to_vec() },
    }
}

/// Those extra copies whose edge-connected piece is closed.
fn closed_extras(draft: &Draft, extra: &[u32]) -> Vec<u32> {
    if extra.is_empty() {
        return Vec::new();
    }
    let triangles: Vec<_> = extra.iter().map(|&t| draft.triangles[t as usize]).collect();
    let topology = Topology::build(&triangles, draft.positions.len());
    let closed = closed_components(&topology);
    let piece = |at: usize| topology.component_of[at] as usize;
    (0..extra.len()).filter(|&at| closed[piece(at)]).map(|at| extra[at]).collect()
}
