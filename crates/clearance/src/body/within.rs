//! Whether any two bodies are at most so far apart.

use super::{Body, BodyError, relate};
use crate::math::Pose;
use crate::mesh::{self, TreeMesh};
use crate::pair::{self, Bracket, Convex};

/// Whether two bodies are at most so far apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// They are, exactly.
    Yes,
    /// They are farther apart, exactly.
    No,
    /// Their distance is the limit up to this width; never for two polytopes or meshes.
    Undecided {
        /// Of the bracket that holds both.
        width: f64,
    },
}

/// Whether the distance of two bodies under two poses is at most a limit: exact for polytopes and meshes in any combination,
/// also where it equals the limit; never a guess for others. No for a limit that is negative or not a number.
///
/// Ends early in both directions for polytopes and meshes; costs a distance for others.
///
/// # Errors
/// As [`relate`].
pub fn within(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, limit: f64) -> Result<Within, BodyError> {
    if limit.is_nan() || limit < 0.0 {
        return Ok(Within::No);
    }
    let exactly = match (a, b) {
        (Body::Convex(a), Body::Convex(b)) => {
            sharp(a).zip(sharp(b)).map(|(a, b)| pair::within(a, pose_a, b, pose_b, limit))
        }
        (Body::Mesh(a), Body::Mesh(b)) => Some(mesh::within(a, pose_a, b, pose_b, limit)),
        (Body::Mesh(a), Body::Convex(b)) => surface(b).map(|b| mesh::within(a, pose_a, &b, pose_b, limit)),
        (Body::Convex(a), Body::Mesh(b)) => surface(a).map(|a| mesh::within(&a, pose_a, b, pose_b, limit)),
    };
    match exactly {
        Some(true) => Ok(Within::Yes),
        Some(false) => Ok(Within::No),
        None => Ok(by_bracket(relate(a, pose_a, b, pose_b)?.distance, limit)),
    }
}

fn by_bracket(Bracket { lower, upper }: Bracket, limit: f64) -> Within {
    if upper <= limit {
        Within::Yes
    } else if lower > limit {
        Within::No
    } else {
        Within::Undecided { width: upper - lower }
    }
}

fn sharp(convex: &Convex) -> Option<&crate::support::SupportMap> {
    convex.core().filter(|_| convex.is_polytope())
}

/// The mesh of a polytope that is more than a segment.
fn surface(convex: &Convex) -> Option<TreeMesh> {
    sharp(convex).and_then(|map| TreeMesh::from_polytope(map.polytope()).ok())
}
