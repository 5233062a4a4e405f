//! Every randomised comparison of an algorithm with its oracle, in one list.

use super::cases::Family;
use super::signs as oracle;
use super::{mesh, primitive};
use crate::exact::{self, Axis, Posed, Vector};
use crate::math::{Pose, Random};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::DVec3;
use std::fmt::Debug;
use std::ops::Range;

/// An algorithm and its oracle on one random case.
pub struct Comparison {
    /// A sentence that the comparison tests.
    pub name: &'static str,
    /// Draws a case, runs both sides; an error tells the case and both answers.
    pub case: fn(&mut Random) -> Result<(), String>,
}

/// All comparisons.
pub const ALL: &[Comparison] = &[
    Comparison { name: "orient2d is exact", case: orient2d },
    Comparison { name: "orient3d is exact", case: orient3d },
    Comparison { name: "orientation under two poses is exact", case: orientation_under_poses },
    Comparison { name: "the relation of two polytopes is exact", case: relation },
    Comparison { name: "distances lie in their brackets, which are narrow", case: distance },
    Comparison { name: "penetration depths are bracketed", case: super::penetration::compare },
    Comparison { name: "points are located exactly", case: super::ray::compare_points },
    Comparison { name: "rays meet polytopes where they should", case: super::ray::compare_rays },
    Comparison { name: "dot products and determinants under two poses are exact", case: vectors_under_poses },
    Comparison { name: "hulls are those of brute force", case: super::hull::compare },
    Comparison {
        name: "a mesh has the edges, components and defects of its triangles",
        case: mesh::findings,
    },
    Comparison { name: "repair leaves closed meshes closed", case: mesh::closed_stays_closed },
    Comparison { name: "welding within a distance merges clusters", case: mesh::welding },
    Comparison {
        name: "extents are upper bounds, tight to 8 units in the last place",
        case: primitive::extent,
    },
    Comparison { name: "support points keep their stated error", case: primitive::support },
    Comparison { name: "rounding adds a ball", case: primitive::rounding },
];

/// A case in which algorithm and oracle differ; `seed` and `case` reproduce it.
#[derive(Debug, thiserror::Error)]
#[error("not so: {name} (seed {seed}, case {case}): {what}")]
pub struct Mismatch {
    /// Which comparison.
    pub name: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// The case within the run.
    pub case: u64,
    /// Input and both answers.
    pub what: String,
}

impl Comparison {
    /// Runs the cases of that range; each has its own generator, so any one can be run alone.
    pub fn run(&self, seed: u64, cases: Range<u64>) -> Result<(), Mismatch> {
        for case in cases {
            let mut random = Random::new(Random::new(seed).bits() ^ case);
            (self.case)(&mut random).map_err(|what| Mismatch { name: self.name, seed, case, what })?;
        }
        Ok(())
    }
}

/// `Ok` if both are equal, else both and the case they come from.
pub fn same<T: PartialEq + Debug>(got: T, want: T, case: impl FnOnce() -> String) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("got {got:?}, the oracle says {want:?}, for {}", case())) }
}

/// A polytope and where it is.
type Body = (Polytope, Pose);

/// Small polytopes of every dimension and family, often in contact: under no, one or two poses.
fn two_bodies(family: Family, most: u64, random: &mut Random) -> (Body, Body) {
    let mut body = || {
        let count = 1 + random.below(most);
        let points: Vec<DVec3> = (0..count).map(|_| family.bounded_point(random)).collect();
        (Polytope::hull(&points).expect("finite points"), family.pose(random))
    };
    let ((a, pose_a), (b, pose_b)) = (body(), body());
    match random.below(3) {
        0 => ((a, Pose::IDENTITY), (b, Pose::IDENTITY)),
        1 => ((a, pose_a), (b, pose_a)),
        _ => ((a, pose_a), (b, pose_b)),
    }
}

fn relation(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 7, random);
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    let context = || format!("{family:?} {:?} {pose_a:?} {:?} {pose_b:?}", a.vertices(), b.vertices());
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let witness = crate::pair::relation_with_witness(&map_a, &pose_a, &map_b, &pose_b);
    same(witness.relation(), super::relation::relation(&pair), context)?;
    witness.check(&pair).map_err(|defect| format!("{defect}: {witness:?} for {}", context()))
}

/// Brackets by fresh, warm and poisoned caches, swapped bodies, and limits at and around the distance.
fn distance(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, pose_a), (b, pose_b)) = two_bodies(family, 6, random);
    let (a, b) = (SupportMap::new(a), SupportMap::new(b));
    super::distance::check((&a, &pose_a), (&b, &pose_b), random).map_err(|what| {
        format!(
            "{what} for {family:?} {:?} {pose_a:?} {:?} {pose_b:?}",
            a.polytope().vertices(),
            b.polytope().vertices()
        )
    })
}

fn orient2d(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let [a, b, _, c] = family.four_points(random).map(DVec3::truncate);
    same(exact::orient2d(a, b, c), oracle::orient2d(a, b, c), || format!("{family:?} {:?}", [a, b, c]))
}

fn orient3d(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let points = family.four_points(random);
    let [a, b, c, d] = points;
    let [ea, eb, ec, ed] = points.map(oracle::exact);
    same(exact::orient3d(a, b, c, d), oracle::orient3d(&ea, &eb, &ec, &ed), || {
        format!("{family:?} {points:?}")
    })
}

fn orientation_under_poses(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let poses = [family.pose(random), family.pose(random)];
    let points = family.four_points(random);
    let owner: [usize; 4] = std::array::from_fn(|_| random.below(2) as usize);
    let context = || format!("{family:?} {points:?} {owner:?} {poses:?}");
    let [a, b, c, d]: [Posed<'_>; 4] = std::array::from_fn(|i| poses[owner[i]].at(points[i]));
    let truth: [_; 4] = std::array::from_fn(|i| oracle::posed(&poses[owner[i]], points[i]));
    let [ea, eb, ec, ed] = &truth;
    same(exact::orient3d_posed(a, b, c, d), oracle::orient3d(ea, eb, ec, ed), context)?;
    let normal = oracle::cross(&oracle::minus(eb, ea), &oracle::minus(ec, ea));
    for axis in Axis::ALL {
        same(exact::orient2d_posed(axis, a, b, c), normal[axis as usize].sign(), context)?;
    }
    Ok(())
}

fn vectors_under_poses(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let poses = [family.pose(random), family.pose(random)];
    let points = family.four_points(random);
    let direction = family.point(random);
    let context = || format!("{family:?} {direction:?} {points:?} {poses:?}");
    let at = |i: usize| poses[i % 2].at(points[i]);
    let truth = |i: usize| oracle::posed(&poses[i % 2], points[i]);
    let (across, along) = (Vector::Between(at(0), at(1)), Vector::Between(at(0), at(2)));
    let (exact_across, exact_along) =
        (oracle::minus(&truth(1), &truth(0)), oracle::minus(&truth(2), &truth(0)));
    let literal = oracle::exact(direction);
    same(exact::dot_sign(direction, across), oracle::dot(&literal, &exact_across).sign(), context)?;
    same(exact::dot_sign(direction, along), oracle::dot(&literal, &exact_along).sign(), context)?;
    let determinant = exact::det_sign(across, Vector::Literal(direction), along);
    same(determinant, oracle::det_sign(&exact_across, &literal, &exact_along), context)
}
