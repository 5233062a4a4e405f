//! Contacts at borders of features told once: with the face that makes them most proper [Buss04 §5].
//!
//! A vertex that meets an edge is found with both faces of the edge, and as edges that meet at an end; one that meets a vertex
//! with all faces around both. All of these name the same two entities.

use super::record::ScrewContact;

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
    let order = |x: &Candidate, y: &Candidate| {
        let times = x.contact.lower.total_cmp(&y.contact.lower);
        x.entities.cmp(&y.entities).then(times).then_with(|| x.contact.kind.cmp(&y.contact.kind))
    };
    candidates.sort_by(order);
    let mut found: Vec<ScrewContact> = Vec::new();
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
        found.push(chosen(&candidates[at..end], until, &prefer));
        at = end;
    }
    found
}

/// The most proper of some contacts at one place and time.
fn chosen(group: &[Candidate], until: f64, prefer: &impl Fn(&ScrewContact) -> bool) -> ScrewContact {
    // What enters comes first, then what is preferred, then the more proper; of equal ones the first.
    let rank = |contact: &ScrewContact| (contact.is_entering, prefer(contact));
    let better = |x: &ScrewContact, y: &ScrewContact| {
        rank(x).cmp(&rank(y)).then(x.properness.total_cmp(&y.properness)).is_gt()
    };
    let mut best = group[0].contact;
    for candidate in &group[1..] {
        if better(&candidate.contact, &best) {
            best = candidate.contact;
        }
    }
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
