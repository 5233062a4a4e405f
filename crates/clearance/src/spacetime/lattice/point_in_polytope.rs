//! The point-polytope algorithm [Joseph87 §3.3], with directions that are tried until every hit is interior.

use super::face_lattice::{FaceId, FaceLattice};
use super::linear::{Rational, Vector, along};

/// Where a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the interior; a vertex is the interior of itself.
    Inside,
    /// On the boundary.
    Boundary,
    /// Elsewhere.
    Outside,
}

/// What a search looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocationStats {
    /// Pairs of a face and a face that bounds it; a direction that fails counts, too.
    pub facets: u64,
    /// Directions that were stabbed in, in all dimensions.
    pub directions: u64,
}

/// Where a point lies: the paper's alternative, "pick a direction and count the intersections with the interior of
/// facets; if the ray meets the boundary of any facet, pick a new direction".
///
/// `O(I(P))` operations a direction [Joseph87 Lemma 7]. For a polytope, convex or not, whose faces do not cross.
///
/// Differs from the paper: 1. directions are not random but a fixed sequence, `(1, s, s^2, ...)` for `s = 1, 2, ...` in
/// the flat of the face. Only finitely many fail, so a search ends: a direction fails only if it is parallel to a
/// facet through the point or leads into a ridge; either set lies in a hyperplane, and a hyperplane meets this curve in
/// at most `D - 1` points. 2. The boundary is told from the interior.
///
/// Panics if the point has not as many coordinates as the polytope has dimensions.
pub fn point_in_polytope(polytope: &FaceLattice, point: &[Rational], stats: &mut LocationStats) -> Location {
    assert_eq!(point.len(), polytope.dimension(), "a point of another dimension");
    locate(polytope, polytope.whole(), point, stats)
}

/// Where a point of the flat of a face lies with respect to the face.
pub(super) fn locate(
    polytope: &FaceLattice,
    face: FaceId,
    point: &[Rational],
    stats: &mut LocationStats,
) -> Location {
    if on_boundary(polytope, face, point, stats) {
        return Location::Boundary;
    }
    if face.dimension == 0 {
        return Location::Inside;
    }
    let mut step = 0;
    loop {
        step += 1;
        if let Some(crossings) = stab(polytope, face, point, &direction(polytope, face, step), stats) {
            return if crossings % 2 == 1 { Location::Inside } else { Location::Outside };
        }
    }
}

/// Whether a point lies in one of the faces that bound a face.
pub(super) fn on_boundary(
    polytope: &FaceLattice,
    face: FaceId,
    point: &[Rational],
    stats: &mut LocationStats,
) -> bool {
    polytope.facets(face).any(|facet| {
        stats.facets += 1;
        facet.height(point).is_zero() && locate(polytope, facet.face, point, stats) != Location::Outside
    })
}

/// The `step`-th direction in the flat of a face: its span with weights `1, step, step^2, ...`.
pub(super) fn direction(polytope: &FaceLattice, face: FaceId, step: u64) -> Vector {
    let mut weight = Rational::ONE;
    let mut sum = vec![Rational::ZERO; polytope.dimension()];
    for vector in polytope.span(face) {
        sum = along(&sum, &weight, vector);
        weight *= Rational::from(step);
    }
    sum
}

/// How many facets a ray from a point that is not on the boundary crosses; `None` if it meets one elsewhere than in
/// its interior, or runs in the hyperplane of one.
fn stab(
    polytope: &FaceLattice,
    face: FaceId,
    point: &[Rational],
    direction: &[Rational],
    stats: &mut LocationStats,
) -> Option<u32> {
    stats.directions += 1;
    let mut crossings = 0;
    for facet in polytope.facets(face) {
        stats.facets += 1;
        let (height, slope) = (facet.height(point), facet.slope(direction));
        if slope.is_zero() {
            if height.is_zero() {
                return None;
            }
            continue;
        }
        let time = -height / slope;
        if time <= Rational::ZERO {
            // Behind the point; or the point lies on the hyperplane, where it is known to miss the facet.
            continue;
        }
        match locate(polytope, facet.face, &along(point, &time, direction), stats) {
            Location::Inside => crossings += 1,
            Location::Boundary => return None,
            Location::Outside => {}
        }
    }
    Some(crossings)
}
