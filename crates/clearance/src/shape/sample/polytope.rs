//! Random convex polytopes.

use super::error::Check;
use super::{SampleError, random_direction};
use crate::math::Random;
use crate::shape::Polytope;
use glam::DVec3;

/// The ellipsoid on whose surface the vertices of a random polytope lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolytopeKind {
    /// Semi-axes 1, 0.7, 0.5.
    Ellipsoid,
    /// Semi-axes 1, 0.05, 0.05.
    ThinRod,
    /// Semi-axes 1, 0.2, 0.2.
    ThickRod,
    /// Semi-axes 1, 1, 0.05.
    Plate,
}

impl PolytopeKind {
    /// Every kind.
    pub const ALL: [PolytopeKind; 4] =
        [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::ThickRod, PolytopeKind::Plate];

    /// The semi-axes of the ellipsoid.
    pub fn semi_axes(self) -> DVec3 {
        match self {
            PolytopeKind::Ellipsoid => DVec3::new(1.0, 0.7, 0.5),
            PolytopeKind::ThinRod => DVec3::new(1.0, 0.05, 0.05),
            PolytopeKind::ThickRod => DVec3::new(1.0, 0.2, 0.2),
            PolytopeKind::Plate => DVec3::new(1.0, 1.0, 0.05),
        }
    }
}

/// Points on an ellipsoid, the images of uniform points on the sphere.
pub fn random_ellipsoid_points(kind: PolytopeKind, count: usize, seed: u64) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random_direction(&mut random) * kind.semi_axes()).collect()
}

/// A random polytope of dimension 3 with exactly `vertices` vertices (4 to 1,000,000).
///
/// The vertices are images of uniform points on the sphere. Rounding leaves a rare point inside the
/// hull of the others; those are replaced until the exact hull has the number asked for.
///
/// ```
/// use clearance::shape::sample::{PolytopeKind, random_polytope};
/// let rod = random_polytope(PolytopeKind::ThinRod, 50, 1)?;
/// assert_eq!(rod.vertices().len(), 50);
/// # Ok::<(), clearance::shape::sample::SampleError>(())
/// ```
pub fn random_polytope(kind: PolytopeKind, vertices: u32, seed: u64) -> Result<Polytope, SampleError> {
    let check = Check("random polytope");
    check.count("vertices", vertices, 4..=1_000_000, "give 4 to 1,000,000 vertices")?;
    let mut random = Random::new(seed);
    let mut points: Vec<DVec3> = Vec::with_capacity(vertices as usize);
    // Each round replaces all points that are not extreme; a second round is rare, a third unseen.
    for _ in 0..64 {
        while points.len() < vertices as usize {
            points.push(random_direction(&mut random) * kind.semi_axes());
        }
        let Ok(polytope) = Polytope::hull(&points) else { break };
        if polytope.dimension() == 3 && polytope.vertices().len() == points.len() {
            return Ok(polytope);
        }
        // Four coplanar points: keep three, so that the next round differs.
        let keep = polytope.vertices().len().min(vertices as usize - 1);
        points = polytope.vertices().iter().copied().take(keep).collect();
    }
    let need = "no such polytope was found in 64 rounds; use another seed or fewer vertices";
    Err(SampleError { sample: "random polytope", parameter: "vertices", value: f64::from(vertices), need })
}
