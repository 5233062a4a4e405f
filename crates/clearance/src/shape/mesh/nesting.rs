//! Which closed shells hold which.

use super::draft::Draft;
use super::shell::Shells;
use super::winding::Probe;
use crate::Aabb;

/// For each shell, the others that wind around it, and those it winds around.
pub(super) struct Nesting {
    /// The shells around each shell, with their winding numbers.
    pub holders: Vec<Vec<(usize, i64)>>,
    /// The shells each shell holds.
    pub held: Vec<Vec<usize>>,
}

impl Nesting {
    /// Shells without volume neither hold nor are held. A sweep along x finds the boxes around each probe;
    /// only their triangles are looked at.
    pub fn find(draft: &Draft, shells: &Shells) -> Nesting {
        let count = shells.volume_signs().len();
        let mut nesting = Nesting { holders: vec![Vec::new(); count], held: vec![Vec::new(); count] };
        sweep(draft, shells, |inner, probe, outer| {
            let winding = probe.winding(corners(draft, shells, outer));
            if winding != 0 {
                nesting.holders[inner].push((outer, winding));
                nesting.held[outer].push(inner);
            }
        });
        nesting
    }
}

fn corners<'a>(
    draft: &'a Draft,
    shells: &'a Shells,
    shell: usize,
) -> impl Iterator<Item = [glam::DVec3; 3]> + 'a {
    shells.triangles(shell).iter().map(|&t| draft.corners(t as usize))
}

/// A point just inside a shell with volume.
fn probe(draft: &Draft, shells: &Shells, shell: usize) -> Probe {
    let first = draft.corners(shells.triangles(shell)[0] as usize);
    if shells.volume_signs()[shell].is_negative() { Probe::in_front(first) } else { Probe::behind(first) }
}

/// Calls `visit(inner, probe, outer)` for each shell and each other shell whose box may hold its probe.
fn sweep(draft: &Draft, shells: &Shells, mut visit: impl FnMut(usize, &Probe, usize)) {
    let with_volume = (0..shells.volume_signs().len()).filter(|&s| !shells.volume_signs()[s].is_zero());
    let bounds = |s| Aabb::around(corners(draft, shells, s).flatten()).map(|bounds| (s, bounds));
    let mut boxes: Vec<(usize, Aabb)> = with_volume.clone().filter_map(bounds).collect();
    boxes.sort_by(|(_, a), (_, b)| a.min.x.total_cmp(&b.min.x));
    let mut probes: Vec<(usize, Probe)> = with_volume.map(|s| (s, probe(draft, shells, s))).collect();
    probes.sort_by(|(_, a), (_, b)| a.x_range().0.total_cmp(&b.x_range().0));

    let mut active: Vec<(usize, Aabb)> = Vec::new();
    let mut coming = boxes.into_iter().peekable();
    for (inner, probe) in &probes {
        let (low, high) = probe.x_range();
        while let Some(entering) = coming.next_if(|(_, bounds)| bounds.min.x <= high) {
            active.push(entering);
        }
        active.retain(|(_, bounds)| bounds.max.x >= low);
        for &(outer, bounds) in &active {
            if outer != *inner && probe.may_lie_in(bounds) {
                visit(*inner, probe, outer);
            }
        }
    }
}
