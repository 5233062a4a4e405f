//! Penetration depth by a polytope that expands inside the Minkowski difference [van den Bergen 2001].
//!
//! With `M = B - A` the depth is the distance from zero to the boundary of `M`. A polytope `P` inside `M` with
//! zero strictly inside bounds it from below, by the nearest of its faces. Every direction bounds it from above,
//! by how far `M` reaches along it. The face of `P` nearest to zero gives the next direction and, if `M` reaches
//! beyond it, the next corner of `P`.
//!
//! Two engines: [`depth`](super::depth) proposes in `f32` and proves in `f64`, and what it does not settle is done here, from
//! corners that surround zero, as the relation finds them.
//! Differs from the usual float version: `P` is an exact convex hull (floats decide what their error bounds
//! allow, exact signs the rest), both bounds carry their rounding, and where floats end the plane of a face is
//! evaluated with integers. There is no cap: each round adds a vertex of `M`, evaluates a face exactly for the
//! first time, or ends.

use super::depth;
use super::expanding::{Expanding, Triangle};
use super::minkowski::{Corner, Highest, Minkowski, weights_along};
use super::relation::{Settled, settle, settle_again, settle_on};
use super::subdistance::VertexPairs;
use super::surface::Surface;
use super::view::View;
use crate::math::Pose;
use crate::support::SupportMap;
use glam::DVec3;
use std::cell::RefCell;

/// Relative width of the bracket of a depth.
pub(super) const RELATIVE_WIDTH: f64 = 1e-9;

/// Overlaps along the first axis below this part of the size of the pair are related first: many of such bodies are apart, and
/// the corners that prove that others are not are close to where the depth is.
const SHALLOW: f64 = 1.0 / 64.0;

/// How far two bodies overlap, proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// No translation shorter than this separates the bodies.
    pub lower: f64,
    /// Some translation of at most this length separates them. The bracket has a relative width of at most
    /// `1e-9`, unless the depth is below the normal range of `f64`.
    pub upper: f64,
    /// The direction of that translation of B, unit length, from A to B, rounded.
    ///
    /// Rounding matters where the depth is a few units in the last place of the coordinates: the bracket is right
    /// also then, but the exact direction is not an `f64` vector.
    pub normal: DVec3,
    /// The point of A deepest in B along the normal, in the world, rounded.
    pub point_a: DVec3,
    /// The point of B deepest in A: `point_a - point_b` is the depth times the normal, but for rounding.
    pub point_b: DVec3,
    /// How often a vertex beyond the nearest face was looked for.
    pub steps: usize,
}

/// Buffers of [`penetration_with`], kept from query to query; their content never changes an answer.
#[derive(Clone, Debug, Default)]
pub struct PenetrationCache {
    surface: Surface,
    polytope: Expanding,
}

/// How far two polytopes under two poses overlap; `None` if they do not (then they are disjoint or touch).
///
/// The bracket is proved at every scale, down to overlaps of one unit in the last place. Cost: 12 to 30 support searches for
/// 20 to 1000 vertices, and where bodies do not overlap, or hardly, those of [`relation`](super::relation()); integers are used
/// only for overlaps below about `1e-5` of the size of the bodies, and at very thin faces.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::penetration, shape::Polytope, support::SupportMap};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let beside = Pose::from_translation(DVec3::new(0.75, 0.1, 0.2))?;
/// let found = penetration(&cube, &Pose::IDENTITY, &cube, &beside).expect("they overlap");
/// assert!(found.lower <= 0.25 && 0.25 <= found.upper && found.upper - found.lower < 1e-9);
/// assert!((found.normal - DVec3::X).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Option<Penetration> {
    BUFFERS.with_borrow_mut(|buffers| penetration_with(a, pose_a, b, pose_b, buffers))
}

// Buffers of a thread: a query of a microsecond should not spend a tenth of it on allocation.
thread_local! {
    static BUFFERS: RefCell<PenetrationCache> = RefCell::default();
}

/// [`penetration`] with buffers that are reused.
pub fn penetration_with(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    cache: &mut PenetrationCache,
) -> Option<Penetration> {
    let minkowski = Minkowski::new(a, pose_a, b, pose_b);
    let view = View::new(a, pose_a, b, pose_b);
    if !minkowski.trusted {
        return related(minkowski, settle(&view, &mut 0), cache);
    }
    let pair = minkowski.relative();
    let axes = pair.axes();
    let near = pair.lowest(axes.first);
    let gap = near.point.dot(axes.first);
    if gap > 0.0 || gap * gap < SHALLOW * SHALLOW * axes.first.length_squared() {
        return related(minkowski, settle_on(&view, &pair, axes.first, near), cache);
    }
    // That they overlap is proved on the way, mostly.
    depth::search(&minkowski, pair, &axes, near, &mut cache.surface).or_else(|| {
        let corners = cache.surface.vertices(cache.surface.nearest());
        let remembered = corners.into_iter().fold(VertexPairs::default(), VertexPairs::with);
        related(minkowski, settle_again(&view, &remembered, &mut 0), cache)
    })
}

/// The depth of a pair whose relation is settled.
#[inline(never)]
fn related(
    minkowski: Minkowski<'_>,
    settled: Settled<'_>,
    cache: &mut PenetrationCache,
) -> Option<Penetration> {
    match settled {
        Settled::Overlapping(corners) => {
            let found = depth::search_from(&minkowski, corners.as_slice(), &mut cache.surface);
            Some(found.unwrap_or_else(|| expand_exactly(minkowski, corners.as_slice(), cache)))
        }
        Settled::Exactly(decided) => {
            decided.into_overlap().map(|overlap| expand_exactly(minkowski, &overlap.pairs, cache))
        }
        Settled::Disjoint(..) => None,
    }
}

/// [`penetration`] from vertex pairs that are likely to surround zero, as they did in a frame before.
pub(super) fn penetration_from(view: &View<'_>, corners: &[(u32, u32)]) -> Option<Penetration> {
    let View { a, pose_a, b, pose_b, .. } = *view;
    let minkowski = Minkowski::new(a, pose_a, b, pose_b);
    let search =
        |buffers: &mut PenetrationCache| depth::search_from(&minkowski, corners, &mut buffers.surface);
    BUFFERS.with_borrow_mut(search).or_else(|| penetration(a, pose_a, b, pose_b))
}

/// The depth by exact signs, from vertex pairs that surround zero.
#[cold]
pub(super) fn expand_exactly(
    minkowski: Minkowski<'_>,
    pairs: &[(u32, u32)],
    cache: &mut PenetrationCache,
) -> Penetration {
    cache.polytope.start(&minkowski, pairs);
    Search { minkowski, cache, upper: f64::INFINITY, direction: DVec3::ZERO, steps: 0 }.run()
}

struct Search<'a, 'c> {
    minkowski: Minkowski<'a>,
    cache: &'c mut PenetrationCache,
    /// Not below the depth, and the outward direction that shows it.
    upper: f64,
    direction: DVec3,
    steps: usize,
}

impl Search<'_, '_> {
    fn run(mut self) -> Penetration {
        while let Some(nearest) = self.cache.polytope.pop() {
            let lower = self.cache.polytope.triangle(nearest).lower;
            if self.is_tight(lower) || self.grow(nearest) {
                let lower = self.cache.polytope.triangle(nearest).lower;
                return self.conclude(lower.min(self.upper), nearest);
            }
        }
        // Every triangle was left out of the queue: none is nearer than the upper bound.
        self.conclude(self.upper, 0)
    }

    fn is_tight(&self, lower: f64) -> bool {
        lower >= self.upper * (1.0 - RELATIVE_WIDTH)
    }

    /// Looks beyond the nearest triangle; true if that proved that nothing more is to be found.
    fn grow(&mut self, nearest: u32) -> bool {
        let Search { minkowski, cache, .. } = self;
        let polytope = &mut cache.polytope;
        let Triangle { normal, corners, .. } = *polytope.triangle(nearest);
        if !normal.is_finite() {
            polytope.refine(minkowski, nearest);
            polytope.push(nearest, f64::INFINITY);
            return false;
        }
        self.steps += 1;
        let named = corners.map(|i| polytope.corners[i as usize].vertices);
        let expands = |vertices| {
            let corner = minkowski.corner(vertices);
            (!named.contains(&vertices) && polytope.sees(minkowski, nearest, &corner)).then_some(corner)
        };
        // Only a vertex that does not expand need be the highest.
        if let Some(corner) = minkowski.likely_highest(normal).and_then(expands) {
            self.cache.polytope.expand(&self.minkowski, nearest, corner, self.upper);
            return false;
        }
        let highest = minkowski.highest(normal);
        if let Some(corner) = expands(highest.vertices) {
            if highest.proved {
                self.lower_upper(normal, &highest);
            }
            self.cache.polytope.expand(&self.minkowski, nearest, corner, self.upper);
            return false;
        }
        self.lower_upper(normal, &highest);
        self.is_tight(self.cache.polytope.triangle(nearest).lower) || self.grow_exactly(nearest)
    }

    /// Takes the height of `M` along a direction for the upper bound, if it is lower.
    fn lower_upper(&mut self, direction: DVec3, highest: &Highest) {
        let height = self.minkowski.height_upper_bound(direction, highest);
        if height < self.upper {
            (self.upper, self.direction) = (height, direction);
        }
    }

    /// Floats found nothing beyond the triangle, and their bounds are too far apart: integers decide.
    #[cold]
    fn grow_exactly(&mut self, nearest: u32) -> bool {
        let Search { minkowski, cache, .. } = self;
        let polytope = &mut cache.polytope;
        if !polytope.triangle(nearest).is_refined() {
            polytope.refine(minkowski, nearest);
            polytope.push(nearest, f64::INFINITY);
            return false;
        }
        let Triangle { corners, normal, upper, .. } = *polytope.triangle(nearest);
        let (plane_normal, on_plane) = polytope.exact_plane(minkowski, nearest);
        let from = polytope.corners[corners[0] as usize].vertices;
        let corner = minkowski.corner(minkowski.highest_exactly(&plane_normal.clone().into(), from));
        let beyond = minkowski.exact(&corner).minus(&on_plane);
        if plane_normal.dot(&beyond).sign().is_positive() {
            polytope.expand(minkowski, nearest, corner, self.upper);
            return false;
        }
        // The triangle lies in a facet of M.
        if upper < self.upper {
            (self.upper, self.direction) = (upper, normal);
        }
        true
    }

    fn conclude(&self, lower: f64, nearest: u32) -> Penetration {
        let (point_a, point_b) = self.points(nearest);
        let normal = -self.direction;
        Penetration { lower, upper: self.upper, normal, point_a, point_b, steps: self.steps }
    }

    /// The points of both bodies whose difference lies on the surface in the direction of the upper bound.
    fn points(&self, nearest: u32) -> (DVec3, DVec3) {
        let polytope = &self.cache.polytope;
        let corners_of = |triangle: &Triangle| triangle.corners.map(|i| polytope.corners[i as usize]);
        let least = |corners: &[Corner; 3]| weights_along(self.direction, corners).min_element();
        let mut best = corners_of(polytope.triangle(nearest));
        // The direction may belong to another triangle: of the same facet, or of one as near.
        if least(&best) < 0.0 || least(&best).is_nan() {
            let inside = polytope.live().map(corners_of).max_by(|t, s| least(t).total_cmp(&least(s)));
            best = inside.unwrap_or(best);
        }
        let points = self.minkowski.points(self.direction, &best);
        if self.minkowski.are_apart(points, self.direction, self.upper) {
            return points;
        }
        // Where a needle meets a plate, triangles are so thin that floats cannot tell where the direction meets them.
        let exactly = |corners: [Corner; 3]| self.minkowski.points_exactly(self.direction, &corners);
        polytope.live().map(corners_of).find_map(exactly).unwrap_or(points)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::math::Random;
    use crate::pair::{Relation, relation};
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};

    /// Two random bodies, turned at random and moved together until they overlap by about this part of their distance.
    pub fn shallow(random: &mut Random, scale: f64, part: f64) -> ([SupportMap; 2], [Pose; 2]) {
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate];
        let mut body = || {
            let kind = kinds[random.below(3) as usize];
            let sample =
                random_polytope(kind, 8 + random.below(20) as u32, random.below(1 << 40)).expect("a sample");
            let points: Vec<DVec3> = sample.vertices().iter().map(|v| *v * scale).collect();
            SupportMap::new(crate::shape::Polytope::hull(&points).expect("a hull"))
        };
        let [a, b] = [body(), body()];
        let mut turned =
            || Pose::from_axis_angle(random_direction(random), 3.0, DVec3::ZERO).expect("a rotation");
        let [pose_a, turn_b] = [turned(), turned()];
        let along = random_direction(random) * scale;
        let at = |t: f64| Pose::new(turn_b.rotation(), along * t).expect("in range");
        let (mut inside, mut outside) = (0.0, 4.0);
        for _ in 0..50 {
            let middle = 0.5 * (inside + outside);
            match relation(&a, &pose_a, &b, &at(middle)) {
                Relation::Disjoint => outside = middle,
                _ => inside = middle,
            }
        }
        ([a, b], [pose_a, at(inside * (1.0 - part))])
    }

    /// Bodies as they fall, not made to be hard: the cache tells what was used.
    #[test]
    fn depths_of_random_bodies_hardly_ever_need_integers() {
        let mut random = Random::new(9);
        let (mut depths, mut expanded, mut refined) = (0, 0, 0);
        for case in 0..20_000u32 {
            let mut body = || {
                let kind = PolytopeKind::ALL[random.below(4) as usize];
                let count = [8, 20, 100][case as usize % 3];
                SupportMap::new(random_polytope(kind, count, random.below(100)).expect("a sample"))
            };
            let [a, b] = [body(), body()];
            let mut pose = |far: f64| {
                let axis = random_direction(&mut random);
                let place = random_direction(&mut random) * random.range(0.0, far);
                Pose::from_axis_angle(axis, random.range(0.0, 3.0), place).expect("a rotation")
            };
            let (pose_a, pose_b) = (pose(0.0), pose(1.5));
            let mut cache = PenetrationCache::default();
            depths += u32::from(penetration_with(&a, &pose_a, &b, &pose_b, &mut cache).is_some());
            let live: Vec<u32> = cache.polytope.live_numbers().collect();
            expanded += u32::from(!live.is_empty());
            refined += u32::from(live.iter().any(|&t| cache.polytope.triangle(t).is_refined()));
        }
        println!("of {depths} depths {expanded} by the exact engine, {refined} by integers");
        assert!(depths > 5_000 && expanded * 100 < depths && refined * 1000 < depths);
    }

    #[test]
    fn float_bounds_of_triangles_hold_and_hardly_ever_need_integers() {
        let mut random = Random::new(7);
        let mut cache = PenetrationCache::default();
        let (mut depths, mut refined) = (0, 0);
        for case in 0..3000 {
            let (scale, part) =
                ([1.0, 2f64.powi(-20), 2f64.powi(20)][case % 3], 10f64.powi(-((case % 8) as i32)));
            let ([a, b], [pose_a, pose_b]) = shallow(&mut random, scale, part);
            let Settled::Overlapping(corners) = settle(&View::new(&a, &pose_a, &b, &pose_b), &mut 0) else {
                continue;
            };
            let minkowski = || Minkowski::new(&a, &pose_a, &b, &pose_b);
            expand_exactly(minkowski(), corners.as_slice(), &mut cache);
            let minkowski = minkowski();
            let polytope = &mut cache.polytope;
            let live: Vec<u32> = polytope.live_numbers().collect();
            if part >= 1e-3 {
                depths += 1;
                refined += u32::from(live.iter().any(|&t| polytope.triangle(t).is_refined()));
            }
            for triangle in live {
                if polytope.triangle(triangle).is_refined() {
                    continue;
                }
                let by_floats = polytope.triangle(triangle).lower;
                polytope.refine(&minkowski, triangle);
                let exact = polytope.triangle(triangle).upper;
                assert!(by_floats <= exact, "case {case}: {by_floats:e} above {exact:e}");
            }
        }
        assert!(depths > 1000 && refined * 20 < depths, "{refined} of {depths} depths needed integers");
    }
}
