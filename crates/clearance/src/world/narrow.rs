//! Two bodies whose bounds meet: the method that fits them, and what it remembers.

use super::event::Contact;
use super::geometry::Geometry;
use crate::body::{self, BodyAnswer, BodyError, Within};
use crate::compound::{self, CompoundCache};
use crate::math::Pose;
use crate::mesh::{self, MeshCache};
use crate::pair::{self, Bracket, ConvexRelation, Hint, Relation, Tracker, TrackerMode};
use glam::DVec3;

/// What a pair remembers from frame to frame; it changes speed, never an answer.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all pairs are of polytopes, and a box would be looked through in every step"
)]
pub(super) enum PairCache {
    /// Two polytopes: a separating direction, or what surrounds zero.
    Polytopes(Tracker),
    /// Meshes, or a mesh and a polytope.
    Meshes(Box<MeshCache>),
    /// One of them a compound.
    Compounds(Box<CompoundCache>),
    /// All others: nothing is remembered.
    Others,
}

/// A geometry under a pose.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub geometry: &'a Geometry,
    pub pose: &'a Pose,
}

/// A bracket of a distance and points that realise it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Proved to be at most the distance.
    pub lower: f64,
    /// Proved to be at least the distance; zero if the bodies share a point.
    pub upper: f64,
    /// A point of A and one of B, rounded, that are so far apart; `None` if both are unbounded.
    pub points: Option<[DVec3; 2]>,
}

const DISJOINT: ConvexRelation = ConvexRelation::Exact(Relation::Disjoint);

/// Whether bodies are not proved to be disjoint.
pub(super) fn meets(relation: ConvexRelation) -> bool {
    relation != DISJOINT
}

impl PairCache {
    /// The method for two geometries.
    pub fn new(a: &Geometry, b: &Geometry) -> PairCache {
        if a.as_polytope().is_some() && b.as_polytope().is_some() {
            PairCache::Polytopes(Tracker::new(TrackerMode::SeparatingVector))
        } else if (a.is_compound() || b.is_compound())
            && a.as_compound().is_some()
            && b.as_compound().is_some()
        {
            PairCache::Compounds(Box::default())
        } else if a.as_mesh().is_some() && b.as_mesh().is_some() {
            PairCache::Meshes(Box::default())
        } else {
            PairCache::Others
        }
    }

    /// How two bodies lie to each other, with what is remembered.
    ///
    /// # Errors
    /// No method is known.
    pub fn relation(&mut self, a: At<'_>, b: At<'_>) -> Result<ConvexRelation, BodyError> {
        let (shape_a, shape_b) = (a.geometry, b.geometry);
        let exact = match self {
            PairCache::Polytopes(tracker) => (shape_a.as_polytope().zip(shape_b.as_polytope()))
                .map(|(x, y)| tracker.relation(x, a.pose, y, b.pose)),
            PairCache::Meshes(cache) => (shape_a.as_mesh().zip(shape_b.as_mesh())).map(|(x, y)| {
                let relation = mesh::relation_with(x, a.pose, y, b.pose, cache).relation;
                cache.trim();
                relation
            }),
            PairCache::Compounds(cache) => (shape_a.as_compound().zip(shape_b.as_compound()))
                .map(|(x, y)| compound::relation_with(x, a.pose, y, b.pose, cache)),
            PairCache::Others => None,
        };
        match exact {
            Some(relation) => Ok(ConvexRelation::Exact(relation)),
            None => Ok(answer(a, b)?.relation),
        }
    }

    /// What is known of two bodies that were just related and meet, but for the step before.
    pub fn contact(&self, a: At<'_>, b: At<'_>, relation: ConvexRelation) -> Contact {
        let plain = Contact { relation, depth: None, points: None, normal: None, before: None };
        if let PairCache::Polytopes(tracker) = self
            && let Some((x, y)) = a.geometry.as_polytope().zip(b.geometry.as_polytope())
            && let Some(found) = tracker.penetration(x, a.pose, y, b.pose)
        {
            return Contact {
                depth: Some(Bracket { lower: found.lower, upper: found.upper }),
                points: Some([found.point_a, found.point_b]),
                normal: Some(found.normal),
                ..plain
            };
        }
        match answer(a, b) {
            Ok(BodyAnswer { depth, points, normal, .. }) => Contact { depth, points, normal, ..plain },
            Err(_) => plain,
        }
    }

    /// A direction that separates two bodies that were just related as disjoint.
    pub fn hint(&self, a: At<'_>, b: At<'_>) -> Hint {
        match self {
            PairCache::Polytopes(tracker) => tracker.hint(a.pose, b.pose),
            _ => Hint::NOTHING,
        }
    }

    /// Bytes of memory beyond the cache itself.
    pub fn bytes(&self) -> usize {
        match self {
            PairCache::Others => 0,
            PairCache::Polytopes(tracker) => tracker.bytes(),
            PairCache::Meshes(cache) => size_of::<MeshCache>() + cache.bytes(),
            PairCache::Compounds(cache) => size_of::<CompoundCache>() + cache.bytes(),
        }
    }
}

/// All that is known of two bodies, remembering nothing.
///
/// # Errors
/// No method is known.
pub(super) fn answer(a: At<'_>, b: At<'_>) -> Result<BodyAnswer, BodyError> {
    body::relate(a.geometry.body(), a.pose, b.geometry.body(), b.pose)
}

/// Not more than the distance of two bodies, by ellipsoids around them and nothing that is remembered; zero if these do not
/// keep them apart.
#[inline]
pub(super) fn distance_of_shells(a: At<'_>, b: At<'_>) -> f64 {
    let maps = a.geometry.as_polytope().zip(b.geometry.as_polytope());
    maps.map_or(0.0, |(x, y)| pair::distance_lower_bound(x, a.pose, y, b.pose))
}

/// Not more than the distance of two bodies, by a direction that separated them before; zero if it does not.
#[inline]
pub(super) fn distance_lower_bound(a: At<'_>, b: At<'_>, hint: &mut Hint) -> f64 {
    if !hint.is_some() {
        return 0.0;
    }
    let maps = a.geometry.as_polytope().zip(b.geometry.as_polytope());
    maps.map_or(0.0, |(x, y)| hint.distance_lower_bound(x, a.pose, y, b.pose))
}

/// Whether two bodies share a point, or are not proved to be disjoint.
///
/// # Errors
/// No method is known.
pub(super) fn collides(a: At<'_>, b: At<'_>, cache: &mut Scratch) -> Result<bool, BodyError> {
    let (shape_a, shape_b) = (a.geometry, b.geometry);
    if let (Some(x), Some(y)) = (shape_a.as_polytope(), shape_b.as_polytope()) {
        return Ok(pair::relation(x, a.pose, y, b.pose) != Relation::Disjoint);
    }
    if shape_a.is_compound() || shape_b.is_compound() {
        if let (Some(x), Some(y)) = (shape_a.as_compound(), shape_b.as_compound()) {
            return Ok(compound::collides(x, a.pose, y, b.pose));
        }
    } else if let (Some(x), Some(y)) = (shape_a.as_mesh(), shape_b.as_mesh()) {
        cache.mesh.forget();
        return Ok(mesh::collides(x, a.pose, y, b.pose, &mut cache.mesh));
    }
    Ok(meets(answer(a, b)?.relation))
}

/// Buffers for questions about one pair after another.
#[derive(Default)]
pub(super) struct Scratch {
    mesh: MeshCache,
}

/// How far apart two bodies are.
///
/// # Errors
/// No method is known.
pub(super) fn separation(a: At<'_>, b: At<'_>) -> Result<Separation, BodyError> {
    let (shape_a, shape_b) = (a.geometry, b.geometry);
    if let (Some(x), Some(y)) = (shape_a.as_polytope(), shape_b.as_polytope()) {
        let found = pair::distance(x, a.pose, y, b.pose);
        return Ok(Separation::new(found.lower, found.upper, found.point_a, found.point_b));
    }
    if shape_a.is_compound() || shape_b.is_compound() {
        if let (Some(x), Some(y)) = (shape_a.as_compound(), shape_b.as_compound()) {
            let found = compound::distance(x, a.pose, y, b.pose);
            return Ok(Separation::new(found.lower, found.upper, found.point_a, found.point_b));
        }
    } else if let (Some(x), Some(y)) = (shape_a.as_mesh(), shape_b.as_mesh()) {
        let found = mesh::distance(x, a.pose, y, b.pose);
        return Ok(Separation::new(found.lower, found.upper, found.point_a, found.point_b));
    }
    let BodyAnswer { distance: Bracket { lower, upper }, points, .. } = answer(a, b)?;
    Ok(Separation { lower, upper, points })
}

impl Separation {
    fn new(lower: f64, upper: f64, point_a: DVec3, point_b: DVec3) -> Separation {
        Separation { lower, upper, points: Some([point_a, point_b]) }
    }
}

/// Whether the distance is at most a limit: exact for polytopes, meshes and compounds of them; for others whether it is not
/// proved to be larger.
///
/// # Errors
/// No method is known.
pub(super) fn within(a: At<'_>, b: At<'_>, limit: f64) -> Result<bool, BodyError> {
    let (shape_a, shape_b) = (a.geometry, b.geometry);
    if let (Some(x), Some(y)) = (shape_a.as_polytope(), shape_b.as_polytope()) {
        return Ok(pair::within(x, a.pose, y, b.pose, limit));
    }
    if shape_a.is_compound() || shape_b.is_compound() {
        if let (Some(x), Some(y)) = (shape_a.as_compound(), shape_b.as_compound()) {
            return Ok(compound::within(x, a.pose, y, b.pose, limit));
        }
    } else if let (Some(x), Some(y)) = (shape_a.as_mesh(), shape_b.as_mesh()) {
        return Ok(mesh::within(x, a.pose, y, b.pose, limit));
    }
    Ok(body::within(shape_a.body(), a.pose, shape_b.body(), b.pose, limit)? != Within::No)
}
