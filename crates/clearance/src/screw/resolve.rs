//! Contacts at borders of features told once: with the face that makes them most proper [Buss04 §5].
//!
//! A vertex that meets an edge is found with both faces of the edge, and as edges that meet at an end; one that meets a vertex
//! with all faces around both. All of these name the same two entities.

use super::record::ScrewContact;

/// Properness is equal but for rounding up to this: poses are orthonormal to as much.
pub(super) const EVEN: f64 = 1e-9;

/// What a contact lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Entity {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

/// A contact of features before it is known which of several it is told as.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub entities: [Entity; 2],
    pub contact: ScrewContact,
}

/// One contact for all that lie on the same entities at the same time: of those that enter and are preferred the most proper.
pub(super) fn resolved(
    candidates: &mut [Candidate],
    prefer: impl Fn(&ScrewContact) -> bool,
) -> Vec<ScrewContact> {
    let mut found = Vec::with_capacity(candidates.len());
    grouped(candidates, prefer, |group| found.push(group.contact));
    found
}

/// The same, but contacts that are not asked for are told only where there is none that is, so that these do not depend on them.
pub(super) fn resolved_beside(
    candidates: Vec<Candidate>,
    is_asked: impl Fn(&ScrewContact) -> bool,
    prefer: impl Fn(&ScrewContact) -> bool,
) -> Vec<ScrewContact> {
    let (mut asked, mut others): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|candidate| is_asked(&candidate.contact));
    let (mut found, mut rest) = (Vec::new(), Vec::new());
    grouped(&mut asked, &prefer, |group| found.push(group));
    grouped(&mut others, &prefer, |group| rest.push(group));
    let count = found.len();
    for other in rest {
        let first = found[..count].partition_point(|group| group.entities < other.entities);
        let same = found[first..count].iter().take_while(|group| group.entities == other.entities);
        let mut same = same.map(|group| &group.contact);
        let is_told =
            same.any(|asked| asked.lower <= other.contact.until && other.contact.lower <= asked.until);
        if !is_told {
            found.push(other);
        }
    }
    found.into_iter().map(|group| group.contact).collect()
}

/// One candidate for all on the same entities at the same time, in the order of entities and times.
fn grouped(
    candidates: &mut [Candidate],
    prefer: impl Fn(&ScrewContact) -> bool,
    mut found: impl FnMut(Candidate),
) {
    let order = |x: &Candidate, y: &Candidate| {
        let times = x.contact.lower.total_cmp(&y.contact.lower);
        x.entities.cmp(&y.entities).then(times).then_with(|| x.contact.cmp_names(&y.contact))
    };
    candidates.sort_by(order);
    let mut at = 0;
    while at < candidates.len() {
        let (first, mut until) = (candidates[at], candidates[at].contact.until);
        let mut end = at + 1;
        while end < candidates.len()
            && candidates[end].entities == first.entities
            && candidates[end].contact.lower <= until
        {
            until = until.max(candidates[end].contact.until);
            end += 1;
        }
        let contact = chosen(&candidates[at..end], until, &prefer);
        found(Candidate { entities: first.entities, contact });
        at = end;
    }
}

/// Of some contacts at one place and time: those that enter, of them those that are preferred, of them the most proper; of those
/// that are as proper the first by kind, parts and vertices.
fn chosen(group: &[Candidate], until: f64, prefer: &impl Fn(&ScrewContact) -> bool) -> ScrewContact {
    let rank = |contact: &ScrewContact| (contact.is_entering, prefer(contact));
    let better = |x: &ScrewContact, y: &ScrewContact| {
        rank(x).cmp(&rank(y)).then(x.properness.total_cmp(&y.properness)).is_gt()
    };
    let mut top = group[0].contact;
    for candidate in &group[1..] {
        if better(&candidate.contact, &top) {
            top = candidate.contact;
        }
    }
    let is_even =
        |contact: &&ScrewContact| rank(contact) == rank(&top) && contact.properness >= top.properness - EVEN;
    let even = group.iter().map(|candidate| &candidate.contact).filter(is_even);
    let best = *even.min_by(|x, y| x.cmp_names(y)).unwrap_or(&top);
    // All are brackets of one event: it is not before the first of them, and proved if one is.
    let proved = group.iter().map(|c| &c.contact).filter(|c| c.is_proved).map(|c| c.upper);
    let upper = proved.fold(f64::INFINITY, f64::min);
    let is_proved = upper < f64::INFINITY;
    let latest = group.iter().map(|c| c.contact.upper).fold(0.0, f64::max);
    ScrewContact {
        lower: group[0].contact.lower,
        upper: if is_proved { upper } else { latest },
        until,
        is_proved,
        ..best
    }
}
