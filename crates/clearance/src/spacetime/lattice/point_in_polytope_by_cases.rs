//! The point-polytope algorithm [Joseph87 §3.3], with its analysis of special cases.

use super::face_lattice::{FaceId, FaceLattice};
use super::linear::{Rational, along};
use super::point_in_polytope::{Location, LocationStats, locate, on_boundary};
use std::collections::BTreeSet;

/// What the paper's rules say about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseAnalysis {
    /// Where the point would be.
    pub location: Location,
    /// Whether every rule that was used holds where it was used; if not, the location may be wrong.
    pub is_proved: bool,
}

/// Where a point lies by one ray, whatever it meets: the paper's first variant.
///
/// A ray that meets the boundary of facets at a point is compared with all facets at the lowest face `f` there: if it
/// goes through all of them in the same sense, it crosses the boundary once, else "twice".
///
/// Differs from the paper, whose second rule is wrong at vertices of polytopes that are not convex: the answer says
/// whether it is proved. It is
/// - inside a facet, and where all senses are the same: crossings of a ray close by alternate between in and out, so
///   among equal senses there is only one of them, and there is one because their signed number does not depend on the
///   ray;
/// - at a ridge whose two facets are met in opposite senses: a ray close by crosses both or none;
/// - where no corner of a facet at `f` lies outside another facet at `f`: the polytope is convex there, and a line
///   through `f` that does not go through all facets in one sense stays on the boundary or outside.
///
/// It is not elsewhere: [`point_in_polytope`](super::point_in_polytope) needs no such rules. Rays in the hyperplane of a
/// facet are followed to its boundary, where the same rules apply.
///
/// `O(I(P))` operations, and as many for every low face that the ray meets. Panics if the point or the direction has
/// not as many coordinates as the polytope has dimensions.
pub fn point_in_polytope_by_cases(
    polytope: &FaceLattice,
    point: &[Rational],
    direction: &[Rational],
    stats: &mut LocationStats,
) -> CaseAnalysis {
    let dimension = polytope.dimension();
    assert!(point.len() == dimension && direction.len() == dimension, "a ray of another dimension");
    if on_boundary(polytope, polytope.whole(), point, stats) {
        return CaseAnalysis { location: Location::Boundary, is_proved: true };
    }
    let mut met = BTreeSet::new();
    collect_met(polytope, polytope.whole(), (point, direction), &mut met, stats);
    let rules: Vec<(Crossing, bool)> = met.iter().map(|&face| crossing(polytope, face, direction)).collect();
    let crossings = rules.iter().filter(|(crossing, _)| *crossing == Crossing::Once).count();
    CaseAnalysis {
        location: if crossings % 2 == 1 { Location::Inside } else { Location::Outside },
        is_proved: rules.iter().all(|(_, is_proved)| *is_proved) && direction.iter().any(|x| !x.is_zero()),
    }
}

/// How often a ray crosses the boundary at a face.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crossing {
    Once,
    /// It enters and leaves, or touches, or runs along.
    Twice,
}

/// The faces of lowest dimension that a ray meets in a single point, all of them in the boundary of a face.
fn collect_met(
    polytope: &FaceLattice,
    face: FaceId,
    ray: (&[Rational], &[Rational]),
    met: &mut BTreeSet<FaceId>,
    stats: &mut LocationStats,
) {
    for facet in polytope.facets(face) {
        stats.facets += 1;
        let (height, slope) = (facet.height(ray.0), facet.slope(ray.1));
        if slope.is_zero() {
            if height.is_zero() {
                collect_met(polytope, facet.face, ray, met, stats);
            }
            continue;
        }
        let time = -height / slope;
        if time <= Rational::ZERO {
            continue;
        }
        let hit = along(ray.0, &time, ray.1);
        if locate(polytope, facet.face, &hit, stats) != Location::Outside {
            met.insert(lowest(polytope, facet.face, &hit, stats));
        }
    }
}

/// The face of lowest dimension in a face that has a point of it.
fn lowest(polytope: &FaceLattice, face: FaceId, point: &[Rational], stats: &mut LocationStats) -> FaceId {
    let mut facets = polytope.facets(face);
    let below = facets.find(|facet| {
        facet.height(point).is_zero() && locate(polytope, facet.face, point, stats) != Location::Outside
    });
    below.map_or(face, |facet| lowest(polytope, facet.face, point, stats))
}

/// What happens at a face, and whether that is proved.
fn crossing(polytope: &FaceLattice, face: FaceId, direction: &[Rational]) -> (Crossing, bool) {
    let at_face = || polytope.facets(polytope.whole()).filter(|facet| polytope.has(facet.face, face));
    let slopes: Vec<Rational> = at_face().map(|facet| facet.slope(direction)).collect();
    let (up, down) = (|x: &Rational| *x > Rational::ZERO, |x: &Rational| *x < Rational::ZERO);
    if slopes.iter().all(up) || slopes.iter().all(down) {
        return (Crossing::Once, true);
    }
    let is_ridge = face.dimension as usize + 2 == polytope.dimension();
    let is_convex = || {
        let corners =
            |facet: FaceId| polytope.corners(facet).into_iter().map(|v| &polytope.vertices()[v as usize]);
        at_face().all(|facet| {
            at_face()
                .flat_map(|other| corners(other.face))
                .all(|corner| facet.height(corner) <= Rational::ZERO)
        })
    };
    (Crossing::Twice, (is_ridge && !slopes.iter().any(Rational::is_zero)) || is_convex())
}
