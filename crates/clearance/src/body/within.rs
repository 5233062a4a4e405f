//! Whether any two bodies are at most so far apart.

use super::united::part_within;
use super::{Body, BodyError, relate};
use crate::compound;
use crate::math::Pose;
use crate::mesh::{self, TreeMesh};
use crate::pair::{self, Bracket, Convex};
use crate::support::SupportMap;

/// Whether two bodies are at most so far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// They are, exactly.
    Yes,
    /// They are farther apart, exactly.
    No,
    /// Their distance is the limit up to this width; never for polytopes, meshes and compounds.
    Undecided {
        /// Of the bracket that holds both.
        width: f64,
    },
}

/// Whether the distance of two bodies under two poses is at most a limit: exact for polytopes, meshes and compounds in any
/// combination, also where it equals the limit; never a guess for others. No for a limit that is negative or not a number.
///
/// Ends early in both directions for polytopes and meshes; costs a distance for others.
///
/// # Errors
/// As [`relate`].
pub fn within(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, limit: f64) -> Result<Within, BodyError> {
    if limit.is_nan() || limit < 0.0 {
        return Ok(Within::No);
    }
    match (a, b) {
        (Body::Convex(a), Body::Convex(b)) => within_convex(a, pose_a, b, pose_b, limit),
        (Body::Mesh(a), Body::Mesh(b)) => Ok(Within::exactly(mesh::within(a, pose_a, b, pose_b, limit))),
        (Body::Compound(a), Body::Compound(b)) => {
            Ok(Within::exactly(compound::within(a, pose_a, b, pose_b, limit)))
        }
        (Body::Mesh(mesh), Body::Convex(convex)) => match surface(convex) {
            Some(surface) => Ok(Within::exactly(mesh::within(mesh, pose_a, &surface, pose_b, limit))),
            None => Ok(Within::by_bracket(relate(a, pose_a, b, pose_b)?.distance, limit)),
        },
        (Body::Compound(compound), _) => part_within(compound, pose_a, b, pose_b, limit),
        (Body::Convex(_), Body::Mesh(_)) | (_, Body::Compound(_)) => within(b, pose_b, a, pose_a, limit),
    }
}

/// Two convex bodies.
pub(super) fn within_convex(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    limit: f64,
) -> Result<Within, BodyError> {
    if let Some((a, b)) = sharp(a).zip(sharp(b)) {
        return Ok(Within::exactly(pair::within(a, pose_a, b, pose_b, limit)));
    }
    Ok(Within::by_bracket(pair::relate(a, pose_a, b, pose_b)?.distance, limit))
}

impl Within {
    pub(super) fn exactly(is_within: bool) -> Within {
        if is_within { Within::Yes } else { Within::No }
    }

    pub(super) fn by_bracket(Bracket { lower, upper }: Bracket, limit: f64) -> Within {
        if upper <= limit {
            Within::Yes
        } else if lower > limit {
            Within::No
        } else {
            Within::Undecided { width: upper - lower }
        }
    }
}

fn sharp(convex: &Convex) -> Option<&SupportMap> {
    convex.core().filter(|_| convex.is_polytope())
}

/// The mesh of a polytope that is more than a segment.
fn surface(convex: &Convex) -> Option<TreeMesh> {
    sharp(convex).and_then(|map| TreeMesh::from_polytope(map.polytope()).ok())
}
