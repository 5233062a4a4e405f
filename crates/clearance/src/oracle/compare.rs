//! Every randomised comparison of an algorithm with its oracle, in one list.

use super::{
    distance, hull, mesh, mesh_pair, penetration, primitive, ray, relation, signs, triangle, voxel_pair,
};
use crate::math::Random;
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
    Comparison { name: "orient2d is exact", case: signs::compare_orient2d },
    Comparison { name: "orient3d is exact", case: signs::compare_orient3d },
    Comparison { name: "orientation under two poses is exact", case: signs::compare_orientation_under_poses },
    Comparison { name: "the relation of two polytopes is exact", case: relation::compare },
    Comparison { name: "distances lie in their brackets, which are narrow", case: distance::compare },
    Comparison { name: "penetration depths are bracketed", case: penetration::compare },
    Comparison { name: "points are located exactly", case: ray::compare_points },
    Comparison { name: "rays meet polytopes where they should", case: ray::compare_rays },
    Comparison {
        name: "dot products and determinants under two poses are exact",
        case: signs::compare_vectors_under_poses,
    },
    Comparison { name: "hulls are those of brute force", case: hull::compare },
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
    Comparison { name: "the relation of two triangles is exact", case: triangle::compare_relations },
    Comparison { name: "triangles meet where clipping says", case: triangle::compare_intersections },
    Comparison { name: "distances of triangles lie in their brackets", case: triangle::compare_distances },
    Comparison {
        name: "the relation of bodies of a lattice is that of its cubes",
        case: voxel_pair::compare_relations,
    },
    Comparison {
        name: "points of a lattice are inside, on or outside bodies of it",
        case: voxel_pair::compare_points,
    },
    Comparison {
        name: "meshes of polytopes have the relation of polytopes",
        case: mesh_pair::compare_convex,
    },
    Comparison {
        name: "solids of crossing tetrahedra are decided by cells",
        case: mesh_pair::compare_tetrahedra,
    },
    Comparison {
        name: "meshes meet themselves where clipping says",
        case: mesh_pair::compare_self_intersections,
    },
    Comparison { name: "segments meet bodies of a lattice in its cells", case: voxel_pair::compare_segments },
    Comparison {
        name: "segments meet convex solids as polytopes",
        case: mesh_pair::compare_convex_and_segments,
    },
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
