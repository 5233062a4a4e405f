//! How far apart two polytopes are: a proved bracket, the points that realise it, and where they lie.
//!
//! Three stages, each of which proves its bracket or passes on: Gilbert's algorithm in floats, a correction with twice
//! the precision (in [`super::fine`], or [`super::refine`] where features are parallel), and integers.

use super::beside::{self, Proved};
use super::difference::Difference;
use super::exact_distance;
use super::feature::Feature;
use super::fine;
use super::gilbert::{self, Bracket, Found, Goal};
use super::propose::{propose, propose_again};
use super::refine::refine;
use super::relation::surrounds_zero;
use super::subdistance::Simplex;
use crate::exact::{BigNumber, BigQuotient};
use crate::math::Pose;
use crate::stats::Stats;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;

/// The distance of two closed convex bodies, in the world frame.
///
/// Not disjoint: both ends are 0 and both points are a common point, rounded. Disjoint: `upper` is positive, and
/// `lower` is 0 only if the distance is below `2^-1074`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Proved to be at most the distance.
    pub lower: f64,
    /// Proved to be at least the distance.
    pub upper: f64,
    /// A point of A, rounded, nearest to B up to the width of the bracket.
    pub point_a: DVec3,
    /// A point of B, rounded, nearest to A up to the width of the bracket.
    pub point_b: DVec3,
    /// Where the point of A lies, the smallest feature that holds it: told by weights of vertices that are proved positive, not by the
    /// point, which is rounded. For bodies that overlap a part of A's boundary that is of no meaning.
    pub feature_a: Feature,
    /// Where the point of B lies.
    pub feature_b: Feature,
}

/// Two points and the features on which they lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    pub point_a: DVec3,
    pub point_b: DVec3,
    pub feature_a: Feature,
    pub feature_b: Feature,
}

impl From<&Distance> for Nearest {
    fn from(found: &Distance) -> Nearest {
        let Distance { point_a, point_b, feature_a, feature_b, .. } = *found;
        Nearest { point_a, point_b, feature_a, feature_b }
    }
}

/// How precise a distance shall be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceConfig {
    /// Largest width of the bracket, as a part of its upper end; less than `4e-16`, or NaN, gives the best there is,
    /// neighbouring floats.
    pub relative_width: f64,
}

impl Default for DistanceConfig {
    fn default() -> DistanceConfig {
        DistanceConfig { relative_width: 1e-12 }
    }
}

/// What a distance query remembers for the next one: a simplex. It changes speed, never the truth of the answer, and
/// may come from other bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GilbertCache {
    pairs: Vec<(u32, u32)>,
    stats: Stats,
}

impl GilbertCache {
    /// A cache that suggests to start from these vertex pairs of A and B; any numbers are allowed.
    pub fn suggesting(pairs: &[(u32, u32)]) -> GilbertCache {
        GilbertCache { pairs: pairs.to_vec(), stats: Stats::default() }
    }

    /// What the queries with this cache did.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Bytes of memory that it holds on to beside its own.
    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<(u32, u32)>()
    }

    /// Its corners so far as they exist, each once.
    fn simplex(&self, m: &Difference<'_>) -> Simplex {
        let mut simplex = Simplex::EMPTY;
        for &pair in &self.pairs {
            if simplex.len < 4 && m.has(pair) && !simplex.has(pair) {
                simplex.push(DVec3::ZERO, pair);
            }
        }
        simplex
    }

    fn remember(&mut self, pairs: &[(u32, u32)]) {
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
    }
}

/// The distance of two polytopes under two poses, proved, within a relative width of `1e-12`.
///
/// `lower <= distance <= upper` always, for the exact images under the twelve numbers of each pose, whatever the
/// dimensions and however close the bodies are. Scaling both bodies and translations by a power of two scales the
/// bracket bit for bit (unless numbers near `2^-1022` are involved).
///
/// Costs five to twelve support searches; pairs within about `1e-2` of their size 150 ns more, pairs in
/// contact or within about `1e-10` of it two to twenty microseconds of integer arithmetic (`lab distance`); to name a face of
/// thousands of corners takes about 0.03 microseconds for each of them.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::{Feature, distance}, shape::Polytope, support::SupportMap};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let apart = Pose::from_translation(DVec3::new(4.0, 5.0, 0.5))?;
/// let found = distance(&cube, &Pose::IDENTITY, &cube, &apart);
/// assert!(found.lower <= 5.0 && 5.0 <= found.upper && found.upper - found.lower <= 5e-12);
/// assert!(matches!(found.feature_a, Feature::Edge(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> Distance {
    let query = Query { a, pose_a, b, pose_b, goal: Goal::Width(DistanceConfig::default().relative_width) };
    query.distance(&mut { Simplex::EMPTY }, &mut Stats::default())
}

/// [`distance`] of any precision, starting from what a cache remembers. The cache is not trusted.
pub fn distance_with(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
    config: &DistanceConfig,
    cache: &mut GilbertCache,
) -> Distance {
    let query = Query { a, pose_a, b, pose_b, goal: Goal::Width(config.relative_width) };
    let mut simplex = Difference::new(a, pose_a, b, pose_b).map_or(Simplex::EMPTY, |m| cache.simplex(&m));
    let found = query.distance_again(&mut simplex, &mut cache.stats);
    cache.remember(simplex.pairs());
    found
}

/// A point of A and one of B that realise the distance, rounded; twice a common point if there is one.
pub fn closest_points(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose) -> (DVec3, DVec3) {
    let found = distance(a, pose_a, b, pose_b);
    (found.point_a, found.point_b)
}

/// Where bodies seem to be nearest to each other, if they seem to be apart: as good as single precision, and proved in no way.
pub(crate) fn seemingly_nearest(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
) -> Option<Nearest> {
    let m = Difference::new(a, pose_a, b, pose_b)?;
    let simplex = gilbert::proposed(&m, &mut Stats::default());
    (simplex.len < 4).then(|| nearest((a, pose_a), (b, pose_b), &simplex))
}

/// Whether the distance is at most a limit: exact, also where it equals the limit.
///
/// Ends as soon as either answer is proved. A negative limit, or NaN, is never kept; zero asks whether the bodies
/// share a point.
pub fn within(a: &SupportMap, pose_a: &Pose, b: &SupportMap, pose_b: &Pose, limit: f64) -> bool {
    if limit.is_nan() || limit < 0.0 {
        return false;
    }
    if limit == f64::INFINITY {
        return true;
    }
    let query = Query { a, pose_a, b, pose_b, goal: Goal::Limit(limit) };
    match query.settle(&mut { Simplex::EMPTY }, &mut Stats::default()) {
        Settled::Bracket(bracket) => bracket.upper <= limit,
        Settled::Contact => true,
        Settled::Exactly(distance_squared) => {
            !distance_squared.compare(&BigNumber::from(limit).squared().into()).is_positive()
        }
    }
}

/// The square of the distance, exactly: by integers, from the corners that floats find.
pub(super) fn distance_squared_exactly(
    a: &SupportMap,
    pose_a: &Pose,
    b: &SupportMap,
    pose_b: &Pose,
) -> BigQuotient {
    let goal = Goal::Width(DistanceConfig::default().relative_width);
    let query = Query { a, pose_a, b, pose_b, goal };
    let mut simplex = Simplex::EMPTY;
    match query.settle(&mut simplex, &mut Stats::default()) {
        Settled::Exactly(distance_squared) => *distance_squared,
        Settled::Bracket(_) | Settled::Contact => {
            let seeds = if simplex.pairs().is_empty() { &[(0, 0)] } else { simplex.pairs() };
            exact_distance::nearest(&query.pair(), seeds).distance_squared
        }
    }
}

/// A question about a pair.
struct Query<'a> {
    a: &'a SupportMap,
    pose_a: &'a Pose,
    b: &'a SupportMap,
    pose_b: &'a Pose,
    goal: Goal,
}

/// A proved answer, in the form in which it was found; the simplex holds the nearest point, or zero.
enum Settled {
    Bracket(Bracket),
    Contact,
    /// The square of the distance.
    Exactly(Box<BigQuotient>),
}

impl Query<'_> {
    fn pair(&self) -> PosedPair<'_> {
        PosedPair { a: self.a.polytope(), pose_a: self.pose_a, b: self.b.polytope(), pose_b: self.pose_b }
    }

    /// Settles the question from what the simplex is, nothing if it is empty.
    #[inline]
    fn settle(&self, simplex: &mut Simplex, stats: &mut Stats) -> Settled {
        match self.prove(simplex, stats) {
            Proved::Met(bracket, _) => Settled::Bracket(bracket),
            proved => self.settle_on(proved, simplex, stats),
        }
    }

    /// Most often what is proposed, or remembered, is the answer.
    #[inline(always)]
    fn prove(&self, simplex: &mut Simplex, stats: &mut Stats) -> Proved {
        stats.queries += 1;
        let Some(m) = self.difference() else { return Proved::Unproved };
        if simplex.len == 0 {
            propose(&m, simplex, stats);
        }
        beside::prove(&m, simplex, &self.goal)
    }

    #[inline(always)]
    fn difference(&self) -> Option<Difference<'_>> {
        Difference::new(self.a, self.pose_a, self.b, self.pose_b)
    }

    /// Goes on where it is not.
    #[inline(never)]
    fn settle_on(&self, proved: Proved, simplex: &mut Simplex, stats: &mut Stats) -> Settled {
        let Some(m) = self.difference() else {
            *simplex = Simplex::new(DVec3::ZERO, (0, 0));
            return self.settle_exactly(simplex, stats);
        };
        if let Proved::Open(direction) = proved
            && let Some(bracket) = fine::prove(&m, simplex, direction, &self.goal)
        {
            stats.refinements += 1;
            return Settled::Bracket(bracket);
        }
        match gilbert::search(&m, simplex, &self.goal, stats) {
            Found::Bracket(bracket) => {
                self.reduce(&m, simplex, stats);
                Settled::Bracket(bracket)
            }
            Found::Contains if surrounds_zero(&self.pair(), simplex.pairs()) => Settled::Contact,
            Found::Contains => self.settle_exactly(simplex, stats),
            Found::Open => self.settle_close(&m, simplex, stats),
        }
    }

    #[inline(never)]
    fn settle_close(&self, m: &Difference<'_>, simplex: &mut Simplex, stats: &mut Stats) -> Settled {
        stats.refinements += 1;
        match refine(m, simplex, &self.goal) {
            Some(bracket) => {
                self.reduce(m, simplex, stats);
                Settled::Bracket(bracket)
            }
            None => self.settle_exactly(simplex, stats),
        }
    }

    #[cold]
    #[inline(never)]
    fn settle_exactly(&self, simplex: &mut Simplex, stats: &mut Stats) -> Settled {
        stats.exact += 1;
        let nearest = exact_distance::nearest(&self.pair(), simplex.pairs());
        *simplex = Simplex::EMPTY;
        for (i, (&pair, &weight)) in nearest.pairs.iter().zip(&nearest.weights).enumerate() {
            simplex.push(DVec3::ZERO, pair);
            simplex.weights[i] = weight;
        }
        Settled::Exactly(Box::new(nearest.distance_squared))
    }

    /// Leaves out corners that the nearest point does not need, by integers where floats cannot tell: a point on a vertex has no
    /// weight on others, and [`Feature`]s say so.
    fn reduce(&self, m: &Difference<'_>, simplex: &mut Simplex, stats: &mut Stats) {
        if !matches!(self.goal, Goal::Limit(_)) && !beside::needs_all(m, simplex) {
            self.settle_exactly(simplex, stats);
        }
    }

    #[inline]
    fn distance(&self, simplex: &mut Simplex, stats: &mut Stats) -> Distance {
        self.distance_by(self.prove(simplex, stats), simplex, stats)
    }

    #[inline(always)]
    fn distance_by(&self, proved: Proved, simplex: &mut Simplex, stats: &mut Stats) -> Distance {
        match proved {
            Proved::Met(Bracket { lower, upper }, [point_a, point_b]) => {
                let [feature_a, feature_b] = features(self.a, self.b, simplex);
                Distance { lower, upper, point_a, point_b, feature_a, feature_b }
            }
            proved => self.distance_on(proved, simplex, stats),
        }
    }

    /// The same from a simplex that was nearest to zero in a similar frame: if it is not now, another is proposed from there.
    #[inline(never)]
    fn distance_again(&self, simplex: &mut Simplex, stats: &mut Stats) -> Distance {
        let is_known = simplex.len > 0;
        let proved = match (self.prove(simplex, stats), self.difference()) {
            (Proved::Unproved, Some(m)) if is_known => {
                propose_again(&m, simplex, stats);
                beside::prove(&m, simplex, &self.goal)
            }
            (proved, _) => proved,
        };
        self.distance_by(proved, simplex, stats)
    }

    #[inline(never)]
    fn distance_on(&self, proved: Proved, simplex: &mut Simplex, stats: &mut Stats) -> Distance {
        let Bracket { lower, upper } = match self.settle_on(proved, simplex, stats) {
            Settled::Bracket(bracket) => bracket,
            Settled::Contact => Bracket { lower: 0.0, upper: 0.0 },
            Settled::Exactly(distance_squared) => {
                let (lower, upper) = distance_squared.root_bracket();
                Bracket { lower, upper }
            }
        };
        let Nearest { point_a, point_b, feature_a, feature_b } =
            nearest((self.a, self.pose_a), (self.b, self.pose_b), simplex);
        let (point_a, point_b) = match upper > 0.0 {
            true => (point_a, point_b),
            false => [self.common_point(point_a, point_b, simplex); 2].into(),
        };
        Distance { lower, upper, point_a, point_b, feature_a, feature_b }
    }

    /// Of two points that are the same but for rounding the one that is rounded less: that of a part on the ground, not that of
    /// the ground, whose corners are far away.
    fn common_point(&self, point_a: DVec3, point_b: DVec3, simplex: &Simplex) -> DVec3 {
        let size = |map: &SupportMap, pose: &Pose, vertex: fn(&(u32, u32)) -> u32| {
            let corners = simplex.pairs().iter().map(|pair| map.vertex(vertex(pair)).abs().max_element());
            corners.fold(pose.translation().abs().max_element(), f64::max)
        };
        let is_b_finer = size(self.b, self.pose_b, |pair| pair.1) < size(self.a, self.pose_a, |pair| pair.0);
        if is_b_finer { point_b } else { point_a }
    }
}

/// The points of a simplex, and what they lie on.
fn nearest(
    (a, pose_a): (&SupportMap, &Pose),
    (b, pose_b): (&SupportMap, &Pose),
    simplex: &Simplex,
) -> Nearest {
    let [feature_a, feature_b] = features(a, b, simplex);
    let pairs = simplex.pairs();
    let (vertices_a, vertices_b) = (pairs.iter().map(|p| p.0), pairs.iter().map(|p| p.1));
    Nearest {
        point_a: pose_a.apply(mean(a, vertices_a, simplex.weights())),
        point_b: pose_b.apply(mean(b, vertices_b, simplex.weights())),
        feature_a,
        feature_b,
    }
}

/// What the points of a simplex lie on; of no meaning for a tetrahedron around zero.
#[inline(always)]
fn features(a: &SupportMap, b: &SupportMap, simplex: &Simplex) -> [Feature; 2] {
    let three = simplex.three();
    let pairs = simplex.pairs();
    if pairs.len() == 4 {
        return [
            Feature::of(a.polytope(), pairs.iter().map(|p| p.0)),
            Feature::of(b.polytope(), pairs.iter().map(|p| p.1)),
        ];
    }
    let weights = simplex.weights();
    [
        Feature::of_three(a.polytope(), three.map(|pair| pair.0), || {
            mean(a, pairs.iter().map(|p| p.0), weights)
        }),
        Feature::of_three(b.polytope(), three.map(|pair| pair.1), || {
            mean(b, pairs.iter().map(|p| p.1), weights)
        }),
    ]
}

fn mean(map: &SupportMap, vertices: impl Iterator<Item = u32>, weights: &[f64]) -> DVec3 {
    vertices.zip(weights).map(|(vertex, &weight)| map.vertex(vertex) * weight).sum()
}
