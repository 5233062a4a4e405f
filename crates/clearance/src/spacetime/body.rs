//! First contact of any two bodies.

use super::convex::first_contact_of_polytopes;
use super::mesh::first_contact_of_meshes;
use super::outcome::{FirstContact, FirstOverlap, Outcome};
use super::translation::Translation;
use super::{advance, contact::Contact};
use crate::body::{Body, BodyError};
use crate::compound::Part;
use crate::math::Pose;
use crate::mesh::{MeshCache, TreeMesh};
use crate::pair::{Convex, Relation};
use crate::support::SupportMap;
use std::borrow::Cow;

/// When and where two translating bodies first meet.
///
/// Exact for polytopes, meshes and compounds of them in any combination; of a point or segment and a mesh the features are not
/// told. With a curved body the time is a bracket of relative width `1e-12`, and may be undecided where they graze. Features
/// of contacts are those of the parts of a compound.
///
/// # Errors
/// Coordinates beyond the limits, as [`crate::body::relate`] has them.
pub fn first_contact(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    motion: &Translation,
) -> Result<FirstContact, BodyError> {
    match (parts(a), parts(b)) {
        (Some(parts_a), Some(parts_b)) => {
            let pairs = parts_a.iter().flat_map(|x| parts_b.iter().map(move |y| (x, y)));
            let mut found: Option<FirstContact> = None;
            for (x, y) in pairs {
                let Some(answer) = of_parts(x, pose_a, y, pose_b, motion) else {
                    return advance::first_contact(a, pose_a, b, pose_b, motion);
                };
                found = Some(match found {
                    None => answer,
                    Some(known) => united(known, answer),
                });
            }
            found.map_or_else(|| advance::first_contact(a, pose_a, b, pose_b, motion), Ok)
        }
        _ => advance::first_contact(a, pose_a, b, pose_b, motion),
    }
}

/// A polytope or a mesh.
enum Exact<'a> {
    Polytope(&'a SupportMap),
    Mesh(&'a TreeMesh),
}

impl<'a> Exact<'a> {
    fn of(part: &'a Part) -> Exact<'a> {
        match part {
            Part::Polytope(map) => Exact::Polytope(map),
            Part::Mesh(mesh) => Exact::Mesh(mesh),
        }
    }
}

/// What a body is the union of, if all of it is exact.
fn parts(body: &Body) -> Option<Vec<Exact<'_>>> {
    match body {
        Body::Convex(convex) => sharp(convex).map(|map| vec![Exact::Polytope(map)]),
        Body::Mesh(mesh) => Some(vec![Exact::Mesh(mesh)]),
        Body::Compound(compound) => Some(compound.parts().iter().map(Exact::of).collect()),
    }
}

fn sharp(convex: &Convex) -> Option<&SupportMap> {
    convex.core().filter(|_| convex.is_polytope())
}

/// The answer for two parts; `None` for a mesh and what has no triangles.
fn of_parts(
    a: &Exact<'_>,
    pose_a: &Pose,
    b: &Exact<'_>,
    pose_b: &Pose,
    motion: &Translation,
) -> Option<FirstContact> {
    if let (Exact::Polytope(a), Exact::Polytope(b)) = (a, b) {
        return Some(first_contact_of_polytopes(a, pose_a, b, pose_b, motion));
    }
    let (a, b) = (surface(a)?, surface(b)?);
    Some(first_contact_of_meshes(&a, pose_a, &b, pose_b, motion, &mut MeshCache::default()))
}

fn surface<'a>(part: &Exact<'a>) -> Option<Cow<'a, TreeMesh>> {
    match part {
        Exact::Mesh(mesh) => Some(Cow::Borrowed(mesh)),
        Exact::Polytope(map) => TreeMesh::from_polytope(map.polytope()).ok().map(Cow::Owned),
    }
}

/// The answer for the union of two pairs of parts.
fn united(x: FirstContact, y: FirstContact) -> FirstContact {
    let first_overlap = match (x.first_overlap, y.first_overlap) {
        (FirstOverlap::Undecided, _) | (_, FirstOverlap::Undecided) => FirstOverlap::Undecided,
        (FirstOverlap::From(s), FirstOverlap::From(t)) => FirstOverlap::From(s.min(t)),
        (FirstOverlap::Never, other) | (other, FirstOverlap::Never) => other,
    };
    let rank = |outcome: &Outcome| match outcome {
        Outcome::OverlappingAtStart => Some(Relation::Overlapping),
        Outcome::TouchingAtStart(_) => Some(Relation::Touching),
        _ => None,
    };
    let outcome = match (x.outcome, y.outcome) {
        (Outcome::None(_), Outcome::None(_)) => Outcome::None(None),
        (Outcome::None(_), other) | (other, Outcome::None(_)) => other,
        (Outcome::TouchingAtStart(mut s), Outcome::TouchingAtStart(t)) => {
            s.contacts.extend(t.contacts);
            Outcome::TouchingAtStart(s)
        }
        (Outcome::Hit(s, mut touch), Outcome::Hit(t, other)) if s == t => {
            let new: Vec<Contact> = other.contacts;
            touch.contacts.extend(new);
            Outcome::Hit(s, touch)
        }
        (Outcome::Hit(s, touch), Outcome::Hit(t, other)) => match s < t {
            true => Outcome::Hit(s, touch),
            false => Outcome::Hit(t, other),
        },
        (s, t) => {
            if rank(&s) >= rank(&t) {
                s
            } else {
                t
            }
        }
    };
    FirstContact { outcome, first_overlap }
}
