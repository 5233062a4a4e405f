//! First contact of translating meshes by every pair of triangles, and of convex solids as polytopes.

use super::cases::Family;
use super::compare::same;
use super::first_contact::{
    Interval, Named, Truth, check_floats, contacts, intervals, named, rational, scaled, told, truth,
};
use crate::math::{Pose, Random};
use crate::mesh::{MeshCache, TreeMesh};
use crate::pair::{Feature, Relation};
use crate::shape::{KindChoice, Mesh, MeshConfig, Polytope, TriangleSoup};
use crate::spacetime::{FirstOverlap, Outcome, Translation, contact_time_of_meshes, first_contact_of_meshes};
use dashu::rational::RBig;
use glam::DVec3;
use std::collections::BTreeSet;

/// A triangle of A, one of B, and when they meet and overlap.
type PairTimes = (usize, usize, [Option<Interval>; 2]);

/// A motion of meshes.
pub(super) struct Case {
    pub a: TreeMesh,
    pub pose_a: Pose,
    pub b: TreeMesh,
    pub pose_b: Pose,
    pub velocities: [DVec3; 2],
}

impl Case {
    fn triangle(&self, mesh: &TreeMesh, t: usize) -> Polytope {
        Polytope::hull(&mesh.mesh().triangle(t)).expect("three points")
    }

    /// Whether all numbers have few digits, so that places between two times have, too.
    fn has_few_digits(&self) -> bool {
        let translations = [self.pose_a.translation(), self.pose_b.translation()];
        let numbers = self.velocities.iter().chain(&translations).flat_map(|v| v.to_array());
        numbers.map(f64::to_bits).all(|bits| bits.trailing_zeros() >= 40)
    }

    /// The times of contact and overlap of each pair of triangles.
    fn pairs(&self) -> Vec<PairTimes> {
        let count = |mesh: &TreeMesh| mesh.mesh().triangles().len();
        let all = (0..count(&self.a)).flat_map(|t| (0..count(&self.b)).map(move |u| (t, u)));
        let of = |(t, u): (usize, usize)| {
            let (x, y) = (self.triangle(&self.a, t), self.triangle(&self.b, u));
            let points = scaled((x.vertices(), &self.pose_a), (y.vertices(), &self.pose_b), self.velocities);
            (t, u, intervals(&x, &y, &points))
        };
        all.map(of).collect()
    }

    /// Every pair of features that meets at `s`, of triangles that do.
    fn contacts(&self, pairs: &[PairTimes], s: &RBig) -> BTreeSet<Named> {
        let meets = |interval: &Interval| {
            interval.from.as_ref().is_none_or(|from| from <= s)
                && interval.to.as_ref().is_none_or(|to| s <= to)
        };
        let mut found = BTreeSet::new();
        for (t, u, _) in pairs.iter().filter(|pair| pair.2[0].as_ref().is_some_and(meets)) {
            let (x, y) = (self.triangle(&self.a, *t), self.triangle(&self.b, *u));
            let points = scaled((x.vertices(), &self.pose_a), (y.vertices(), &self.pose_b), self.velocities);
            let names = [&self.a.mesh().triangles()[*t], &self.b.mesh().triangles()[*u]];
            let met = contacts(&x, &y, &points, s);
            found.extend(
                met.into_iter().map(|(f, g, k)| (renamed(&x, names[0], f), renamed(&y, names[1], g), k)),
            );
        }
        found
    }
}

fn renamed(polytope: &Polytope, names: &[u32; 3], feature: Feature) -> Feature {
    let name = |v: u32| names[polytope.original_index(v as usize)];
    match feature {
        Feature::Vertex(v) => Feature::Vertex(name(v)),
        Feature::Edge([v, w]) => Feature::Edge([name(v).min(name(w)), name(v).max(name(w))]),
        Feature::Face(corners) => {
            let mut corners = corners.map(name);
            corners.sort_unstable();
            Feature::Face(corners)
        }
    }
}

/// Surfaces meet when the first of their triangles do, and overlap when the first of them do.
fn surface_truth(pairs: &[PairTimes], t0: f64, t1: f64) -> Truth {
    let all: Vec<Truth> = pairs.iter().map(|(_, _, both)| truth(both, t0, t1)).collect();
    let at_start = all.iter().map(|t| t.at_start).max().unwrap_or(Relation::Disjoint);
    let time = all.iter().filter_map(|t| t.time.clone()).min().filter(|_| at_start == Relation::Disjoint);
    let overlaps = all.iter().filter_map(|t| match &t.first_overlap {
        FirstOverlap::From(time) => Some(time.clone()),
        _ => None,
    });
    Truth { at_start, time, first_overlap: overlaps.min().map_or(FirstOverlap::Never, FirstOverlap::From) }
}

const FAMILIES: [Family; 4] = [Family::SmallIntegers, Family::Uniform, Family::Ulps, Family::SmallIntegers];

fn velocities(family: Family, random: &mut Random) -> [DVec3; 2] {
    let v = family.bounded_point(random);
    match random.below(5) {
        0 => [v, v],
        1 => [DVec3::ZERO, DVec3::AXES[random.below(3) as usize]],
        2 => [DVec3::ZERO, v * 2f64.powi(-30)],
        _ => [v, family.bounded_point(random)],
    }
}

fn poses(family: Family, random: &mut Random) -> [Pose; 2] {
    let (a, b) = (family.pose(random), family.pose(random));
    let away = Pose::from_translation(family.bounded_point(random) * 2.0).expect("bounded");
    match random.below(3) {
        0 => [Pose::IDENTITY, away],
        1 => [a, a],
        _ => [a, b],
    }
}

/// Surfaces of a few triangles.
pub(super) fn surfaces(random: &mut Random) -> Option<Case> {
    let family = FAMILIES[random.below(4) as usize];
    let mut surface = || {
        let count = 1 + random.below(4) as u32;
        let positions: Vec<DVec3> = (0..count + 2).map(|_| family.bounded_point(random)).collect();
        // A strip: neighbours share edges.
        let triangles = (0..count).map(|i| [i, i + 1, i + 2]).collect();
        let soup = TriangleSoup { positions, triangles, parts: vec![] };
        let config = MeshConfig { kind: KindChoice::Surface, ..MeshConfig::default() };
        Mesh::build(&soup, &config).ok().map(TreeMesh::new)
    };
    let (a, b) = (surface()?, surface()?);
    let [pose_a, pose_b] = poses(family, random);
    Some(Case { a, pose_a, b, pose_b, velocities: velocities(family, random) })
}

/// First contact of surfaces of a few triangles.
pub fn compare_surfaces(random: &mut Random) -> Result<(), String> {
    let Some(case) = surfaces(random) else { return Ok(()) };
    let pairs = case.pairs();
    let begin = pairs.iter().filter_map(|p| p.2[0].clone()).min_by(|x, y| x.from.cmp(&y.from));
    let (t0, t1) = super::first_contact::times(&begin, random);
    check(&case, t0, t1, surface_truth(&pairs, t0, t1), Some(&pairs))
}

/// Two convex solids as meshes, and the polytopes that they are.
pub(super) fn convex_solids(random: &mut Random) -> Result<Option<(Case, Polytope, Polytope)>, String> {
    let family = FAMILIES[random.below(4) as usize];
    let mut hull = || {
        let points: Vec<DVec3> = (0..4 + random.below(3)).map(|_| family.bounded_point(random)).collect();
        Polytope::hull(&points).expect("finite points")
    };
    let (x, y) = (hull(), hull());
    if x.dimension() < 3 || y.dimension() < 3 {
        return Ok(None);
    }
    let [pose_a, pose_b] = poses(family, random);
    let velocities = velocities(family, random);
    let surface = |p: &Polytope| TreeMesh::from_polytope(p).map_err(|e| e.to_string());
    let case = Case { a: surface(&x)?, pose_a, b: surface(&y)?, pose_b, velocities };
    Ok(Some((case, x, y)))
}

/// First contact of convex solids as meshes.
pub fn compare_solids(random: &mut Random) -> Result<(), String> {
    let Some((case, x, y)) = convex_solids(random)? else { return Ok(()) };
    let points = scaled((x.vertices(), &case.pose_a), (y.vertices(), &case.pose_b), case.velocities);
    let both = intervals(&x, &y, &points);
    let (t0, t1) = super::first_contact::times(&both[0], random);
    check(&case, t0, t1, truth(&both, t0, t1), None)
}

fn check(case: &Case, t0: f64, t1: f64, want: Truth, pairs: Option<&[PairTimes]>) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, velocities } = case;
    let context = || {
        let mesh = |m: &TreeMesh| format!("{:?} {:?}", m.mesh().positions(), m.mesh().triangles());
        format!("{} {pose_a:?} {} {pose_b:?} {velocities:?} {t0:e}..{t1:e}", mesh(a), mesh(b))
    };
    let motion = Translation::new(velocities[0], velocities[1], t0, t1).map_err(|e| e.to_string())?;
    let cache = &mut MeshCache::default();
    let answer = first_contact_of_meshes(a, pose_a, b, pose_b, &motion, cache);
    let want = match answer.first_overlap {
        // Allowed, and only, where places between two times take too many digits.
        FirstOverlap::Undecided if !case.has_few_digits() => {
            Truth { first_overlap: FirstOverlap::Undecided, ..want }
        }
        _ => want,
    };
    same(told(&answer), want.clone(), context)?;
    let in_floats = contact_time_of_meshes(a, pose_a, b, pose_b, &motion, cache);
    check_floats(&in_floats, &want)
        .map_err(|what| format!("{what}: {in_floats:?}, {want:?} for {}", context()))?;
    if let (Outcome::Hit(time, touch), Some(pairs)) = (&answer.outcome, pairs) {
        let s = time.to_quotient() - rational(t0);
        same(named(&touch.contacts), case.contacts(pairs, &s), context)?;
    }
    let swapped = first_contact_of_meshes(b, pose_b, a, pose_a, &motion.swapped(), cache);
    let first_overlap = match (&swapped.first_overlap, &answer.first_overlap) {
        (FirstOverlap::Undecided, _) | (_, FirstOverlap::Undecided) => swapped.first_overlap.clone(),
        _ => answer.first_overlap.clone(),
    };
    same(told(&swapped), Truth { first_overlap, ..told(&answer) }, || {
        format!("bodies exchanged: {}", context())
    })
}
