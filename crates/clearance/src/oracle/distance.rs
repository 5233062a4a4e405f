//! The distance of two polytopes by trying every pair of features, in exact numbers.

use super::cases::{Family, two_bodies};
use super::dyadic::Dyadic;
use super::relation::both_points;
use super::signs::{Exact3, cross, dot, minus};
use crate::math::{Pose, Random};
use crate::pair::{self, Distance, DistanceConfig, Feature, GilbertCache, Relation};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// A square of a distance: `numerator / denominator`, exactly.
#[derive(Clone, Debug)]
pub struct Square {
    numerator: Dyadic,
    /// Positive.
    denominator: Dyadic,
}

impl Square {
    fn is_less(&self, other: &Square) -> bool {
        let (left, right) = (&self.numerator * &other.denominator, &other.numerator * &self.denominator);
        (&left - &right).sign().is_negative()
    }

    /// The sign of `x - distance` for `x >= 0`.
    pub fn compare(&self, x: f64) -> crate::exact::Sign {
        self.compare_exact(&Dyadic::new(x))
    }

    /// [`Square::compare`] for any number that is not negative.
    pub fn compare_exact(&self, x: &Dyadic) -> crate::exact::Sign {
        (&(&(x * x) * &self.denominator) - &self.numerator).sign()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.sign().is_zero()
    }
}

/// The square of the distance: the least over all pairs of features, a vertex and a vertex, a vertex and an edge, two
/// edges, a vertex and a face, each looked at only where the nearest points lie inside the features. Zero if the bodies
/// are not disjoint, which is asked separately. `O(n^2)` exact numbers.
pub fn distance_squared(pair: &PosedPair<'_>) -> Square {
    if super::relation::relation(pair) != Relation::Disjoint {
        return Square { numerator: Dyadic::new(0.0), denominator: Dyadic::new(1.0) };
    }
    let (points_a, points_b) = both_points(pair);
    let mut found: Vec<Square> = Vec::new();
    for p in &points_a {
        found.extend(points_b.iter().map(|q| between_points(p, q)));
    }
    for (from, onto, points_onto) in [(&points_a, pair.b, &points_b), (&points_b, pair.a, &points_a)] {
        for p in from {
            let edges = onto.edges().map(|[i, j]| [&points_onto[i as usize], &points_onto[j as usize]]);
            found.extend(edges.filter_map(|edge| point_and_edge(p, edge)));
            let faces = onto.faces().map(|face| face.iter().map(|&i| &points_onto[i as usize]).collect());
            found.extend(faces.filter_map(|face: Vec<&Exact3>| point_and_face(p, &face)));
        }
    }
    for [i, j] in pair.a.edges() {
        let edge = [&points_a[i as usize], &points_a[j as usize]];
        let others = pair.b.edges().map(|[k, l]| [&points_b[k as usize], &points_b[l as usize]]);
        found.extend(others.filter_map(|other| two_edges(edge, other)));
    }
    let mut best = found.pop().expect("a pair of vertices");
    for square in found {
        if square.is_less(&best) {
            best = square;
        }
    }
    best
}

fn between_points(p: &Exact3, q: &Exact3) -> Square {
    let between = minus(q, p);
    Square { numerator: dot(&between, &between), denominator: Dyadic::new(1.0) }
}

/// From a point to the line of an edge, if the foot is inside the edge: `|(q - p) x e|^2 / |e|^2`.
fn point_and_edge(p: &Exact3, [from, to]: [&Exact3; 2]) -> Option<Square> {
    let (along, back) = (minus(to, from), minus(p, from));
    let (position, length) = (dot(&back, &along), dot(&along, &along));
    let inside = position.sign().is_positive() && (&length - &position).sign().is_positive();
    let area = cross(&back, &along);
    inside.then(|| Square { numerator: dot(&area, &area), denominator: length })
}

/// From a point to the plane of a face, if the foot is inside the face: `(n . (p - f))^2 / |n|^2`.
fn point_and_face(p: &Exact3, face: &[&Exact3]) -> Option<Square> {
    let normal = cross(&minus(face[1], face[0]), &minus(face[2], face[0]));
    let inside = (0..face.len()).all(|i| {
        let (from, to) = (face[i], face[(i + 1) % face.len()]);
        !dot(&cross(&minus(to, from), &minus(p, from)), &normal).sign().is_negative()
    });
    let height = dot(&normal, &minus(p, face[0]));
    inside.then(|| Square { numerator: &height * &height, denominator: dot(&normal, &normal) })
}

/// Between two lines that are not parallel, if both feet are inside the edges: `(n . (q - p))^2 / |n|^2`.
fn two_edges([p0, p1]: [&Exact3; 2], [q0, q1]: [&Exact3; 2]) -> Option<Square> {
    let (e, f, between) = (minus(p1, p0), minus(q1, q0), minus(q0, p0));
    let normal = cross(&e, &f);
    let area = dot(&normal, &normal);
    // p0 + s e and q0 + t f with s = det[between, f, n] / |n|^2, t = det[between, e, n] / |n|^2.
    let (s, t) = (dot(&cross(&between, &f), &normal), dot(&cross(&between, &e), &normal));
    let inside = |x: &Dyadic| x.sign().is_positive() && (&area - x).sign().is_positive();
    let height = dot(&normal, &between);
    (area.sign().is_positive() && inside(&s) && inside(&t))
        .then(|| Square { numerator: &height * &height, denominator: area.clone() })
}

/// A body and where it is.
pub type Placed<'a> = (&'a SupportMap, &'a Pose);

/// Checks everything that is said about the distance of a pair: brackets from fresh, warm and poisoned caches and with
/// the bodies swapped, points and features, and limits at and around the distance.
pub fn check((a, pose_a): Placed<'_>, (b, pose_b): Placed<'_>, random: &mut Random) -> Result<(), String> {
    let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
    let truth = distance_squared(&pair);
    let config = DistanceConfig::default();
    let fresh = pair::distance(a, pose_a, b, pose_b);
    check_bracket("fresh", &fresh, &truth)?;
    check_points(&pair, &fresh)?;
    let mut cache = GilbertCache::default();
    let first = pair::distance_with(a, pose_a, b, pose_b, &config, &mut cache);
    if first != fresh {
        return Err(format!("an empty cache gives {first:?}, none {fresh:?}"));
    }
    let warm = pair::distance_with(a, pose_a, b, pose_b, &config, &mut cache);
    check_bracket("warm", &warm, &truth)?;
    let mut any = || (random.below(9) as u32, random.below(9) as u32);
    let mut poisoned = GilbertCache::suggesting(&[any(), any(), (u32::MAX, 0), any(), any(), any()]);
    check_bracket("poisoned", &pair::distance_with(a, pose_a, b, pose_b, &config, &mut poisoned), &truth)?;
    check_bracket("swapped", &pair::distance(b, pose_b, a, pose_a), &truth)?;
    let wide = DistanceConfig { relative_width: 0.5 };
    let wide = pair::distance_with(a, pose_a, b, pose_b, &wide, &mut GilbertCache::default());
    check_ends("wide", &wide, &truth)?;
    let limits =
        [0.0, fresh.lower, fresh.upper, fresh.lower.next_down(), fresh.upper.next_up(), 0.9 * fresh.lower];
    for limit in limits.into_iter().chain([1.1 * fresh.upper]).filter(|x| *x >= 0.0 && x.is_finite()) {
        let (got, want) = (pair::within(a, pose_a, b, pose_b, limit), !truth.compare(limit).is_negative());
        if got != want {
            return Err(format!(
                "within {limit:e} is {got}; the bracket is {:e} {:e}",
                fresh.lower, fresh.upper
            ));
        }
    }
    Ok(())
}

fn check_ends(name: &str, found: &Distance, truth: &Square) -> Result<(), String> {
    let right = !truth.compare(found.lower).is_positive() && !truth.compare(found.upper).is_negative();
    let contact = truth.is_zero() == (found.upper == 0.0);
    if right && contact && found.lower >= 0.0 { Ok(()) } else { Err(format!("{name}: wrong {found:?}")) }
}

/// [`check`] of the bracket alone, with its width.
pub(super) fn check_bracket(name: &str, found: &Distance, truth: &Square) -> Result<(), String> {
    check_ends(name, found, truth)?;
    let width = found.upper - found.lower;
    // Below 2^-1022 a relative width of 1e-12 does not exist.
    if width <= 1e-12 * found.upper || width <= f64::from_bits(1) {
        Ok(())
    } else {
        Err(format!("{name}: too wide, {:e} of {found:?}", width / found.upper))
    }
}

/// Points are as far apart as they should be and on the features named, up to the rounding of points in the world.
pub(super) fn check_points(pair: &PosedPair<'_>, found: &Distance) -> Result<(), String> {
    let size = |polytope: &Polytope, pose: &Pose| {
        let largest = polytope.vertices().iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
        largest + pose.translation().abs().max_element()
    };
    let tolerance = 1e-14 * (size(pair.a, pair.pose_a) + size(pair.b, pair.pose_b)) + 1e-300;
    let unit = 1.0 / found.upper.max(tolerance);
    let apart = ((found.point_b - found.point_a) * unit).length() / unit;
    if (apart - found.upper).abs() > tolerance + 1e-11 * found.upper {
        return Err(format!("points are {apart:e} apart: {found:?}"));
    }
    for (polytope, pose, feature, point) in [
        (pair.a, pair.pose_a, found.feature_a, found.point_a),
        (pair.b, pair.pose_b, found.feature_b, found.point_b),
    ] {
        let Some(corners) = corners_of(polytope, feature) else {
            return Err(format!("no such feature: {feature:?}"));
        };
        // Where bodies overlap, the feature is of no meaning.
        let is_looked_at = found.upper > 0.0 && corners.len() <= MOST_CORNERS && tolerance < LARGEST_ROUNDING;
        if is_looked_at && !is_on(&corners, pose, point, tolerance + 1e-11 * found.upper) {
            return Err(format!("{point} is not on {feature:?}: {found:?}"));
        }
    }
    Ok(())
}

/// Features of more corners are not looked at: that takes time with the square of their number.
const MOST_CORNERS: usize = 16;

/// Nor those of bodies near the largest coordinates: some are made of any bits, with faces a part of `1e-200` wide, which floats
/// cannot name.
const LARGEST_ROUNDING: f64 = 1e70;

/// The vertices of a feature, if it exists.
fn corners_of(polytope: &Polytope, feature: Feature) -> Option<Vec<DVec3>> {
    let at = |vertices: &[u32]| vertices.iter().map(|&v| polytope.vertices()[v as usize]).collect();
    match feature {
        Feature::Vertex(v) => polytope.vertices().get(v as usize).map(|&vertex| vec![vertex]),
        Feature::Edge(edge) => polytope.edges().any(|e| e == edge).then(|| at(&edge)),
        Feature::Face(three) => polytope.faces().find(|face| three.iter().all(|v| face.contains(v))).map(at),
    }
}

/// Whether a point of the world is within a length of the hull of some points.
fn is_on(corners: &[DVec3], pose: &Pose, point: DVec3, length: f64) -> bool {
    let hulls = [Polytope::hull(corners), Polytope::hull(&[point])];
    // Rounded, a point may lie beyond the largest coordinates: what is on such a body is not asked.
    let [Ok(feature), Ok(point)] = hulls else { return true };
    let pair = PosedPair { a: &feature, pose_a: pose, b: &point, pose_b: &Pose::IDENTITY };
    !distance_squared(&pair).compare(length).is_negative()
}

/// Brackets by fresh, warm and poisoned caches, swapped bodies, and limits at and around the distance.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 6, random);
    let (a, b) = (SupportMap::new(a), SupportMap::new(b));
    check((&a, &pose_a), (&b, &pose_b), random).map_err(|what| {
        format!(
            "{what} for {family:?} {:?} {pose_a:?} {:?} {pose_b:?}",
            a.polytope().vertices(),
            b.polytope().vertices()
        )
    })
}
