//! Convex hulls by trying every triple of points.

use super::compare::same;
use super::point_sets;
use crate::exact::{Sign, orient2d, orient3d};
use crate::math::Random;
use crate::shape::Polytope;
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// A hull as sets of input indices, the smallest index standing for equal points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BruteHull {
    /// Affine dimension.
    pub dimension: usize,
    /// The extreme points.
    pub vertices: BTreeSet<usize>,
    /// The extreme points of each face; a polygon is listed once, a segment and a point have none.
    pub faces: BTreeSet<BTreeSet<usize>>,
}

/// The hull of at least one finite point: `O(n^4)` exact signs.
///
/// A plane through three points with no points on one side carries a face; a point on three such planes is extreme.
/// One dimension lower the same holds for lines through two points, and a point on two of them.
pub fn hull(points: &[DVec3]) -> BruteHull {
    let distinct: Vec<usize> = (0..points.len()).filter(|&i| !points[..i].contains(&points[i])).collect();
    let planes = supporting_planes(points, &distinct);
    let lines = supporting_lines(points, &distinct);
    match (distinct.len(), planes.len(), lines.len()) {
        (1, ..) => {
            BruteHull { dimension: 0, vertices: distinct.into_iter().collect(), faces: BTreeSet::new() }
        }
        (_, 0, 0) => BruteHull { dimension: 1, vertices: ends(points, &distinct), faces: BTreeSet::new() },
        (_, 1, _) => {
            let vertices = on_at_least(2, &lines, &distinct);
            BruteHull { dimension: 2, faces: [vertices.clone()].into(), vertices }
        }
        _ => {
            let vertices = on_at_least(3, &planes, &distinct);
            let faces = planes.iter().map(|plane| plane & &vertices).collect();
            BruteHull { dimension: 3, vertices, faces }
        }
    }
}

/// One random case: a polytope that is valid and has the vertices and faces that brute force finds.
pub(super) fn compare(random: &mut Random) -> Result<(), String> {
    let most = if random.below(10) == 0 { 16 } else { 8 };
    let count = 1 + random.below(most) as usize;
    let points = point_sets::any(random, count);
    let context = || format!("{points:?}");
    let polytope = Polytope::hull(&points).map_err(|error| format!("{error}: {points:?}"))?;
    polytope.validate().map_err(|defect| format!("{defect}: {points:?}"))?;
    same(BruteHull::from(&polytope), hull(&points), context)?;
    let outside = polytope.faces().any(|face| {
        let [a, b, c] = [0, 1, 2].map(|k| polytope.vertices()[face[k] as usize]);
        points.iter().any(|&p| orient3d(a, b, c, p) == Sign::Positive)
    });
    same(outside, false, context)
}

impl From<&Polytope> for BruteHull {
    fn from(polytope: &Polytope) -> BruteHull {
        let original = |&v: &u32| polytope.original_index(v as usize);
        BruteHull {
            dimension: polytope.dimension(),
            vertices: (0..polytope.vertices().len()).map(|v| polytope.original_index(v)).collect(),
            faces: polytope.faces().map(|face| face.iter().map(original).collect()).collect(),
        }
    }
}

/// The points on each plane that has points on one side at most; a flat set lies on one plane, a line on none.
fn supporting_planes(points: &[DVec3], distinct: &[usize]) -> BTreeSet<BTreeSet<usize>> {
    let mut planes = BTreeSet::new();
    for [i, j, k] in triples(distinct) {
        let (a, b, c) = (points[i], points[j], points[k]);
        if projections().iter().all(|p| orient2d(p(a), p(b), p(c)).is_zero()) {
            continue;
        }
        let side = |&&p: &&usize| orient3d(a, b, c, points[p]);
        let has = |sign: Sign| distinct.iter().any(|p| side(&p) == sign);
        if !(has(Sign::Positive) && has(Sign::Negative)) {
            planes.insert(distinct.iter().filter(|p| side(p).is_zero()).copied().collect());
        }
    }
    planes
}

/// The points on each line that has points on one side at most in a projection that flattens no triple; meaningful
/// for coplanar sets, empty for collinear ones.
fn supporting_lines(points: &[DVec3], distinct: &[usize]) -> BTreeSet<BTreeSet<usize>> {
    let turns =
        |p: &fn(DVec3) -> DVec2, [i, j, k]: [usize; 3]| orient2d(p(points[i]), p(points[j]), p(points[k]));
    let spanning = |p: &fn(DVec3) -> DVec2| triples(distinct).any(|t| !turns(p, t).is_zero());
    let Some(project) = projections().into_iter().find(spanning) else { return BTreeSet::new() };
    let mut lines = BTreeSet::new();
    for (n, &i) in distinct.iter().enumerate() {
        for &j in &distinct[..n] {
            let side = |&&p: &&usize| turns(&project, [i, j, p]);
            let has = |sign: Sign| distinct.iter().any(|p| side(&p) == sign);
            if !(has(Sign::Positive) && has(Sign::Negative)) {
                lines.insert(distinct.iter().filter(|p| side(p).is_zero()).copied().collect());
            }
        }
    }
    lines
}

fn on_at_least(count: usize, flats: &BTreeSet<BTreeSet<usize>>, distinct: &[usize]) -> BTreeSet<usize> {
    let often = |p: &&usize| flats.iter().filter(|flat| flat.contains(p)).count() >= count;
    distinct.iter().filter(often).copied().collect()
}

fn ends(points: &[DVec3], distinct: &[usize]) -> BTreeSet<usize> {
    let compare =
        |&&i: &&usize, &&j: &&usize| points[i].to_array().partial_cmp(&points[j].to_array()).expect("finite");
    distinct.iter().min_by(compare).into_iter().chain(distinct.iter().max_by(compare)).copied().collect()
}

fn triples(items: &[usize]) -> impl Iterator<Item = [usize; 3]> {
    let n = items.len();
    let pairs = (0..n).flat_map(move |a| (0..a).map(move |b| (a, b)));
    pairs.flat_map(move |(a, b)| (0..b).map(move |c| [items[a], items[b], items[c]]))
}

fn projections() -> [fn(DVec3) -> DVec2; 3] {
    [|p| DVec2::new(p.x, p.y), |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)]
}
