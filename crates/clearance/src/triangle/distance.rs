//! How far apart two triangles are: a proved bracket, the points that realise it, and where they lie.
//!
//! Floats, then twice the precision, then integers, as for polytopes; only the last stage allocates.

use super::fine;
use super::gauge::Gauge;
use super::integers;
use super::intersection::intersection;
use super::nearest::{Bracket, Local, Nearest};
use super::pair::{FACE, TrianglePair, edge, vertex};
use super::relation::relation;
use crate::math::Pose;
use crate::pair::{self, Distance, DistanceConfig, Feature, GilbertCache, Relation};
use crate::shape::{Polytope, PolytopeError};
use crate::support::SupportMap;
use glam::DVec3;

/// Largest relative width of a bracket: that of polytopes.
const RELATIVE_WIDTH: f64 = 1e-12;

/// The distance of two triangles under two poses, proved, within a relative width of `1e-12`.
///
/// What [`pair::distance`] says of polytopes holds here; features are named by the corners `0`, `1`, `2`.
/// Fifteen candidates in floats and a proof; triangles within about `1e-2` of their size or of their distance from the
/// origins of their bodies take the fine stage, triangles within about `1e-9` integers. Coordinates that are not finite
/// or too large have the bracket from zero to infinity.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::Feature, triangle::distance};
/// let floor = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let above = Pose::from_translation(DVec3::new(0.25, 0.25, 3.0))?;
/// let found = distance(floor, &Pose::IDENTITY, floor, &above);
/// assert!(found.lower <= 3.0 && 3.0 <= found.upper && found.upper - found.lower <= 3e-12);
/// # Ok::<(), clearance::math::PoseError>(())
/// ```
pub fn distance(a: [DVec3; 3], pose_a: &Pose, b: [DVec3; 3], pose_b: &Pose) -> Distance {
    gauged_distance(a, pose_a, b, pose_b).0
}

/// [`distance`], and what proves its lower end if there is a simple proof, for other triangles of the same bodies.
#[inline]
pub(crate) fn gauged_distance<'a>(
    a: [DVec3; 3],
    pose_a: &'a Pose,
    b: [DVec3; 3],
    pose_b: &'a Pose,
) -> (Distance, Option<Gauge<'a>>) {
    let pair = TrianglePair { a, pose_a, b, pose_b };
    let found = Local::new(&pair).and_then(|local| {
        let nearest = local.nearest();
        pair.settle(local.bracket(&nearest), &nearest)
    });
    found.unwrap_or_else(|| (pair.exact_distance(), None))
}

/// [`distance`] unless it is proved to be larger than a limit: what a search for the nearest pair asks.
#[inline]
pub fn distance_below(
    a: [DVec3; 3],
    pose_a: &Pose,
    b: [DVec3; 3],
    pose_b: &Pose,
    limit: f64,
) -> Option<Distance> {
    let pair = TrianglePair { a, pose_a, b, pose_b };
    let mut found = None;
    if let Some(local) = Local::new(&pair) {
        if local.quick_lower_bound() > limit {
            return None;
        }
        let nearest = local.nearest();
        let bracket = local.bracket(&nearest);
        if bracket.lower > limit || !is_narrow(bracket) && local.gap_beside_edge(&nearest) > limit {
            return None;
        }
        found = pair.settle(bracket, &nearest).map(|(found, _)| found);
    }
    let found = found.unwrap_or_else(|| pair.exact_distance());
    (found.lower <= limit).then_some(found)
}

/// Whether the distance is at most a limit: exact, also where it equals the limit; as for polytopes.
pub fn within(a: [DVec3; 3], pose_a: &Pose, b: [DVec3; 3], pose_b: &Pose, limit: f64) -> bool {
    if limit.is_nan() || limit < 0.0 {
        return false;
    }
    if limit == 0.0 {
        return relation(a, pose_a, b, pose_b) != Relation::Disjoint;
    }
    let pair = TrianglePair { a, pose_a, b, pose_b };
    let known = |bracket: Bracket| match bracket {
        Bracket { upper, .. } if upper <= limit => Some(true),
        Bracket { lower, .. } if lower > limit => Some(false),
        _ => None,
    };
    if let Some(local) = Local::new(&pair) {
        if local.quick_lower_bound() > limit {
            return false;
        }
        let nearest = local.nearest();
        if let Some(known) = known(local.bracket(&nearest)) {
            return known;
        }
        if relation(a, pose_a, b, pose_b) != Relation::Disjoint {
            return true;
        }
        if let Some(known) = fine::refine(&pair, &nearest).and_then(|(bracket, _)| known(bracket)) {
            return known;
        }
    }
    match pair.polytopes() {
        Ok([map_a, map_b]) => pair::within(&map_a, pose_a, &map_b, pose_b, limit),
        Err(_) => false,
    }
}

impl<'a> TrianglePair<'a> {
    /// The distance from what floats say, unless it takes a search by integers.
    #[inline]
    fn settle(&self, bracket: Bracket, nearest: &Nearest) -> Option<(Distance, Option<Gauge<'a>>)> {
        match is_narrow(bracket) {
            true => Some(self.proved(bracket, nearest.weights_a, nearest.weights_b)),
            false => self.settle_close(bracket, nearest),
        }
    }

    #[inline(never)]
    fn settle_close(&self, bracket: Bracket, nearest: &Nearest) -> Option<(Distance, Option<Gauge<'a>>)> {
        if bracket.lower == 0.0 && relation(self.a, self.pose_a, self.b, self.pose_b) != Relation::Disjoint {
            return self.contact().map(|found| (found, None));
        }
        let mut weights = [nearest.weights_a, nearest.weights_b];
        if let Some((bracket, fine)) = fine::refine(self, nearest) {
            if is_narrow(bracket) {
                return Some(self.proved(bracket, fine[0], fine[1]));
            }
            weights = fine;
        }
        let found = integers::checked(self, weights.map(feature))?;
        let bracket = Bracket { lower: found.ends.0, upper: found.ends.1, along: DVec3::ZERO };
        let gauge = Gauge::exact(*self, found.corners, found.direction);
        Some((self.report(bracket, found.weights[0], found.weights[1]), Some(gauge)))
    }

    #[inline]
    fn proved(
        &self,
        bracket: Bracket,
        weights_a: [f64; 3],
        weights_b: [f64; 3],
    ) -> (Distance, Option<Gauge<'a>>) {
        let gauge = Gauge::rounded(*self, [weights_a, weights_b].map(heaviest), bracket.along);
        (self.report(bracket, weights_a, weights_b), Some(gauge))
    }

    fn report(&self, bracket: Bracket, weights_a: [f64; 3], weights_b: [f64; 3]) -> Distance {
        let mix = |w: [f64; 3], p: [DVec3; 3]| p[0] * w[0] + p[1] * w[1] + p[2] * w[2];
        Distance {
            lower: bracket.lower,
            upper: bracket.upper,
            point_a: self.pose_a.apply(mix(weights_a, self.a)),
            point_b: self.pose_b.apply(mix(weights_b, self.b)),
            feature_a: feature(weights_a),
            feature_b: feature(weights_b),
        }
    }

    /// The middle of the common points of triangles that meet; `None` if one is flat.
    fn contact(&self) -> Option<Distance> {
        let found = intersection(self.a, self.pose_a, self.b, self.pose_b);
        let corners = found.corners();
        let first = corners.first()?;
        let share = 1.0 / corners.len() as f64;
        let point = corners.iter().map(|corner| corner.position * share).sum();
        let (feature_a, feature_b) = match corners.len() {
            1 => (first.feature_a, first.feature_b),
            _ => (FACE, FACE),
        };
        Some(Distance { lower: 0.0, upper: 0.0, point_a: point, point_b: point, feature_a, feature_b })
    }

    fn polytopes(&self) -> Result<[SupportMap; 2], PolytopeError> {
        Ok([SupportMap::new(Polytope::hull(&self.a)?), SupportMap::new(Polytope::hull(&self.b)?)])
    }

    #[cold]
    #[inline(never)]
    fn exact_distance(&self) -> Distance {
        let Ok([map_a, map_b]) = self.polytopes() else {
            let nothing = Bracket { lower: 0.0, upper: f64::INFINITY, along: DVec3::ZERO };
            return self.report(nothing, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        };
        let config = DistanceConfig { relative_width: RELATIVE_WIDTH };
        let mut cache = GilbertCache::default();
        let mut found = pair::distance_with(&map_a, self.pose_a, &map_b, self.pose_b, &config, &mut cache);
        found.feature_a = original(map_a.polytope(), found.feature_a);
        found.feature_b = original(map_b.polytope(), found.feature_b);
        found
    }
}

fn is_narrow(bracket: Bracket) -> bool {
    bracket.upper - bracket.lower <= RELATIVE_WIDTH * bracket.upper
}

/// The corner with most weight.
pub(super) fn heaviest(weights: [f64; 3]) -> usize {
    (0..3).max_by(|&i, &j| weights[i].total_cmp(&weights[j])).unwrap_or(0)
}

/// The part of a triangle in which the point with these weights lies.
fn feature(weights: [f64; 3]) -> Feature {
    let is_used = |k: &usize| weights[*k] > 0.0;
    let mut used = (0..3).filter(is_used);
    match (used.next(), used.next(), used.next()) {
        (Some(_), Some(_), Some(_)) => FACE,
        (Some(from), Some(to), None) => edge(from, to),
        (Some(corner), ..) => vertex(corner),
        _ => vertex(0),
    }
}

/// A feature of the hull of a triangle, by the triangle's corners.
fn original(polytope: &Polytope, feature: Feature) -> Feature {
    let corner = |v: u32| polytope.original_index(v as usize);
    match feature {
        Feature::Vertex(v) => vertex(corner(v)),
        Feature::Edge([v, w]) => edge(corner(v), corner(w)),
        Feature::Face(_) => FACE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Else a scan over a mesh, beside a capsule of a thousand kilometres, decides every triangle by integers.
    #[test]
    fn triangles_beside_a_very_long_edge_are_passed_over_in_floats() {
        let mut random = Random::new(44);
        let mut point = || DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
        let mut left_open = 0;
        for _ in 0..500 {
            let (corner, along) = (3.0 * point(), 1e9 * point());
            let a = [(); 3].map(|()| corner + 0.1 * point());
            let pose_a = Pose::from_axis_angle(point(), 1.0, point()).expect("a pose");
            let pose_b = Pose::from_axis_angle(point(), 2.0, point()).expect("a pose");
            let pair = TrianglePair { a, pose_a: &pose_a, b: [-along, along, along], pose_b: &pose_b };
            let truth = pair.exact_distance();
            let local = Local::new(&pair).expect("no tiny triangle");
            let nearest = local.nearest();
            let proved = local.bracket(&nearest).lower.max(local.gap_beside_edge(&nearest));
            assert!(proved <= truth.upper, "{proved} {truth:?}");
            left_open += usize::from(proved < truth.lower - 1e-4);
        }
        assert!(left_open < 10, "{left_open}");
    }

    /// Parts that are checked, against a search by integers that knows nothing of them.
    #[test]
    fn checked_parts_have_the_distance_that_a_search_finds() {
        let mut random = Random::new(43);
        let mut point = || DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
        let mut kinds = [[0; 3]; 3];
        for case in 0..600 {
            let (mut a, mut b) = ([(); 3].map(|()| point()), [(); 3].map(|()| point()));
            if case % 3 == 0 {
                // On a lattice, so that parts are parallel, perpendicular or the same.
                (a, b) = (a.map(|p| (2.0 * p).round()), b.map(|p| (2.0 * p).round()));
            }
            let pose_a = Pose::from_axis_angle(point(), 1.0, DVec3::ZERO).expect("a pose");
            let pose_b = Pose::from_axis_angle(point(), 2.0, 1.5 * point()).expect("a pose");
            let pair = TrianglePair { a, pose_a: &pose_a, b, pose_b: &pose_b };
            let Some(local) = Local::new(&pair) else { continue };
            let nearest = local.nearest();
            let parts = [nearest.weights_a, nearest.weights_b].map(feature);
            let Some(found) = integers::checked(&pair, parts) else { continue };
            let exact = pair.exact_distance();
            assert!(found.ends.0 <= exact.upper && exact.lower <= found.ends.1, "{:?} {exact:?}", found.ends);
            let report = pair.report(
                Bracket { lower: found.ends.0, upper: found.ends.1, along: DVec3::ZERO },
                found.weights[0],
                found.weights[1],
            );
            let apart = report.point_a.distance(report.point_b);
            assert!((apart - found.ends.1).abs() <= 1e-14 * (1.0 + apart), "{apart} {:?}", found.ends);
            let [i, j] = parts.map(|part| part.vertices().len() - 1);
            kinds[i][j] += 1;
        }
        let all = [kinds[0][0], kinds[0][1], kinds[1][0], kinds[1][1], kinds[0][2], kinds[2][0]];
        assert!(all.into_iter().all(|count| count > 5), "{kinds:?}");
    }
}
