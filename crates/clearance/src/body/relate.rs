//! The answer for any two bodies.

use super::mixed;
use super::united::{relate_compounds, relate_parts};
use super::{Body, BodyError};
use crate::math::Pose;
use crate::mesh::{self, MeshCache, TreeMesh};
use crate::pair::{self, Bracket, ConvexAnswer, ConvexRelation, Relation, Witness};
use crate::witness::Side;
use glam::DVec3;

/// What is known of two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyAnswer {
    /// How they lie to each other; always decided for meshes, polytopes and compounds.
    pub relation: ConvexRelation,
    /// How far apart they are; zero, exactly, if they touch or overlap.
    pub distance: Bracket,
    /// A point of A and one of B, world frame, rounded: the closest if the bodies are disjoint, a common one if they
    /// touch, those deepest in the other body if convex bodies overlap, a common one if others do.
    pub points: Option<[DVec3; 2]>,
    /// Unit normal from A to B: between the closest points, or along which moving B separates convex bodies soonest.
    pub normal: Option<DVec3>,
    /// How far they overlap: the length of the shortest translation that separates them. For solids that are not convex a
    /// wide bracket: from the diameter of a ball inside both to the depth of their hulls. `None` if they do not overlap, if
    /// no translation separates them, or if it is not known.
    pub depth: Option<Bracket>,
    /// The proof of the relation, for two polytopes.
    pub witness: Option<Witness>,
    /// The body that lies inside the other, of solids that overlap and whose boundaries have no common point; known for
    /// pairs with a mesh.
    pub enclosed: Option<Side>,
}

impl From<ConvexAnswer> for BodyAnswer {
    fn from(answer: ConvexAnswer) -> BodyAnswer {
        let ConvexAnswer { relation, distance, points, normal, depth, witness } = answer;
        BodyAnswer { relation, distance, points, normal, depth, witness, enclosed: None }
    }
}

impl BodyAnswer {
    /// The answer for B and A; only of use without a witness.
    pub(super) fn swapped(self) -> BodyAnswer {
        let points = self.points.map(|[a, b]| [b, a]);
        let enclosed = self.enclosed.map(|side| match side {
            Side::A => Side::B,
            Side::B => Side::A,
        });
        BodyAnswer { points, enclosed, normal: self.normal.map(|normal| -normal), witness: None, ..self }
    }

    /// Decided, and nothing else known yet.
    pub(super) fn of(relation: Relation) -> BodyAnswer {
        BodyAnswer {
            relation: ConvexRelation::Exact(relation),
            distance: Bracket::ZERO,
            points: None,
            normal: None,
            depth: None,
            witness: None,
            enclosed: None,
        }
    }
}

/// How two bodies under two poses lie to each other, how far apart they are, or how far they overlap.
///
/// Exact for polytopes, meshes and compounds in any combination, for half-spaces and planes; with spheres, capsules, cylinders, cones,
/// ellipsoids and rounded bodies the relation may end as touching within a stated width.
///
/// # Errors
/// Coordinates beyond the limits: a mesh and a cylinder, cone or ellipsoid as large as the largest.
pub fn relate(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Result<BodyAnswer, BodyError> {
    let swapped = || {
        let found = relate(b, pose_b, a, pose_a).map_err(|error| match error {
            BodyError::Pair { query, kind_a, kind_b } => {
                BodyError::Pair { query, kind_a: kind_b, kind_b: kind_a }
            }
            other => other,
        });
        found.map(BodyAnswer::swapped)
    };
    match (a, b) {
        (Body::Convex(a), Body::Convex(b)) => Ok(pair::relate(a, pose_a, b, pose_b)?.into()),
        (Body::Mesh(a), Body::Mesh(b)) => Ok(relate_meshes(a, pose_a, b, pose_b)),
        (Body::Compound(a), Body::Compound(b)) => Ok(relate_compounds(a, pose_a, b, pose_b)),
        (Body::Mesh(mesh), Body::Convex(convex)) => mixed::relate(mesh, pose_a, convex, pose_b),
        (Body::Compound(compound), _) => relate_parts(compound, pose_a, b, pose_b),
        (Body::Convex(_), Body::Mesh(_)) | (_, Body::Compound(_)) => swapped(),
    }
}

/// Two meshes.
pub(super) fn relate_meshes(a: &TreeMesh, pose_a: &Pose, b: &TreeMesh, pose_b: &Pose) -> BodyAnswer {
    let mut cache = MeshCache::default();
    let found = mesh::relation_with(a, pose_a, b, pose_b, &mut cache);
    let distance = mesh::distance_with(a, pose_a, b, pose_b, &mut cache);
    let [from, to] = [distance.point_a, distance.point_b];
    // Surfaces have no depth.
    let depth = match found.relation {
        Relation::Overlapping => mesh::penetration(a, pose_a, b, pose_b).ok().flatten(),
        _ => None,
    };
    BodyAnswer {
        depth: depth.map(|depth| Bracket { lower: depth.lower, upper: depth.upper }),
        distance: Bracket { lower: distance.lower, upper: distance.upper },
        points: Some([from, to]),
        normal: (found.relation == Relation::Disjoint).then(|| (to - from).try_normalize()).flatten(),
        enclosed: found.enclosed,
        ..BodyAnswer::of(found.relation)
    }
}
