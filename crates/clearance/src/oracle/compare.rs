//! Every randomised comparison of an algorithm with its oracle, in one list.

use super::{
    body, bound, broad, ccd, closest_approach, compound, curved, distance, first_contact,
    first_contact_families, first_contact_mesh, hull, kinetic, legs, manifold, mesh, mesh_pair, mesh_query,
    moving_curved, penetration, planar, primitive, prism, ray, real_mesh, relation, relation_large, screen,
    screw, signs, swept_world, triangle, voxel_pair, world,
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
    /// Cases that the test suite runs.
    pub in_tests: u64,
    /// Cases that a long run does at least, whatever time it is given.
    pub in_long: u64,
}

/// All comparisons. In the tests the predicates see more than a million cases together.
pub const ALL: &[Comparison] = &[
    Comparison::new("orient2d is exact", signs::compare_orient2d).in_tests(350_000),
    Comparison::new("orient3d is exact", signs::compare_orient3d).in_tests(350_000),
    Comparison::new("orientation under two poses is exact", signs::compare_orientation_under_poses)
        .in_tests(200_000),
    Comparison::new("the relation of two polytopes is exact", relation::compare)
        .in_tests(100_000)
        .in_long(1_000_000),
    Comparison::new("tiny polytopes that meet are related exactly", relation::compare_tiny)
        .in_tests(5_000)
        .in_long(50_000),
    Comparison::new("trackers tell the relation in every frame of a motion", relation::compare_motions)
        .in_tests(2_000)
        .in_long(50_000),
    Comparison::new("large polytopes are related as their witnesses prove", relation_large::compare)
        .in_tests(200)
        .in_long(2_000),
    Comparison::new(
        "translating polytopes first meet when and where all directions say",
        first_contact::compare,
    )
    .in_tests(10_000)
    .in_long(100_000),
    Comparison::new(
        "translating round bodies meet at the time told and not before",
        first_contact::compare_round,
    )
    .in_tests(250),
    Comparison::new(
        "translating surfaces first meet when the first of all triangles do",
        first_contact_mesh::compare_surfaces,
    )
    .in_tests(2_000)
    .in_long(50_000),
    Comparison::new("translating convex solids meet as polytopes do", first_contact_mesh::compare_solids)
        .in_tests(500)
        .in_long(20_000),
    Comparison::new(
        "translating bodies meet in every special way, as polytopes and as meshes",
        first_contact_families::compare,
    )
    .in_tests(300)
    .in_long(100_000),
    Comparison::new("boxes that move at different times meet when rational numbers say", legs::compare)
        .in_tests(1_000)
        .in_long(50_000),
    Comparison::new(
        "translating polytopes come as close as integers say",
        closest_approach::compare_polytopes,
    )
    .in_tests(10_000)
    .in_long(100_000),
    Comparison::new(
        "translating surfaces come as close as the closest of all triangles",
        closest_approach::compare_surfaces,
    )
    .in_tests(1_000)
    .in_long(20_000),
    Comparison::new(
        "translating convex solids come as close as polytopes do",
        closest_approach::compare_solids,
    )
    .in_tests(500)
    .in_long(20_000),
    Comparison::new(
        "curved bodies in motion meet and pass as their relations at many times say",
        moving_curved::compare_convex,
    )
    .in_tests(60)
    .in_long(5_000),
    Comparison::new(
        "curved bodies and surfaces in motion meet and pass as their relations say",
        moving_curved::compare_with_mesh,
    )
    .in_tests(60)
    .in_long(5_000),
    Comparison::new("distances lie in their brackets, which are narrow", distance::compare)
        .in_tests(10_000)
        .in_long(500_000),
    Comparison::new("penetration depths are bracketed", penetration::compare)
        .in_tests(1_000)
        .in_long(100_000),
    Comparison::new("rounded bodies are bracketed by squares", curved::compare_rounded),
    Comparison::new("bodies lie over planes as closed forms say", curved::compare_over_planes),
    Comparison::new("curved bodies lie between polytopes and planes", curved::compare_curved).in_tests(100),
    Comparison::new("meshes and convex bodies are related as triangles say", body::compare).in_tests(100),
    Comparison::new("contact polygons are the common part of two faces", manifold::compare).in_tests(5_000),
    Comparison::new("contacts lie on both bodies", manifold::compare_anywhere).in_tests(10_000),
    Comparison::new("compounds are their strongest parts", compound::compare).in_tests(250),
    Comparison::new("points are located exactly", ray::compare_points),
    Comparison::new("rays meet polytopes where they should", ray::compare_rays),
    Comparison::new(
        "dot products and determinants under two poses are exact",
        signs::compare_vectors_under_poses,
    )
    .in_tests(200_000),
    Comparison::new("hulls are those of brute force", hull::compare).in_tests(10_000),
    Comparison::new("a mesh has the edges, components and defects of its triangles", mesh::findings),
    Comparison::new("repair leaves closed meshes closed", mesh::closed_stays_closed),
    Comparison::new("welding within a distance merges clusters", mesh::welding),
    Comparison::new("extents are upper bounds, tight to 8 units in the last place", primitive::extent),
    Comparison::new("support points keep their stated error", primitive::support),
    Comparison::new("rounding adds a ball", primitive::rounding),
    Comparison::new("the relation of two triangles is exact", triangle::compare_relations),
    Comparison::new("triangles meet where clipping says", triangle::compare_intersections),
    Comparison::new("distances of triangles lie in their brackets", triangle::compare_distances),
    Comparison::new(
        "the relation of bodies of a lattice is that of its cubes",
        voxel_pair::compare_relations,
    ),
    Comparison::new("points of a lattice are inside, on or outside bodies of it", voxel_pair::compare_points),
    Comparison::new("meshes of polytopes have the relation of polytopes", mesh_pair::compare_convex),
    Comparison::new("solids of crossing tetrahedra are decided by cells", mesh_pair::compare_tetrahedra),
    Comparison::new("meshes meet themselves where clipping says", mesh_pair::compare_self_intersections),
    // The tests run a hundred of these by themselves: one takes as long as thousands of others.
    Comparison::new("real meshes answer as all pairs of their triangles do", real_mesh::compare)
        .in_tests(0)
        .in_long(3_000),
    Comparison::new("bounds contain what they bound", bound::containment),
    Comparison::new("realigned hulls are the linear program or above it", bound::realignment).in_tests(250),
    Comparison::new("distances of bounds are lower bounds", bound::lower_bounds),
    Comparison::new("points of meshes are located and their distances bracketed", mesh_query::compare_points)
        .in_tests(250),
    Comparison::new("rays meet the first of all triangles", mesh_query::compare_rays).in_tests(250),
    Comparison::new("trees find where a mesh meets itself", mesh_query::compare_self_intersections)
        .in_tests(250),
    Comparison::new("depths of solids hold", mesh_query::compare_penetration).in_tests(50),
    Comparison::new("depths of surfaces hold", mesh_query::compare_surface_depth).in_tests(50),
    Comparison::new("segments meet bodies of a lattice in its cells", voxel_pair::compare_segments),
    Comparison::new("segments meet convex solids as polytopes", mesh_pair::compare_convex_and_segments),
    Comparison::new("translating polytopes collide if what one sweeps meets the other", prism::compare)
        .in_long(100_000),
    Comparison::new("every broad phase finds the pairs of brute force", broad::compare),
    Comparison::new("moving features first meet when rational numbers say", ccd::compare)
        .in_tests(10_000)
        .in_long(100_000),
    Comparison::new("first contacts do not depend on names", ccd::compare_symmetries)
        .in_tests(20_000)
        .in_long(100_000),
    Comparison::new("bodies on screws first meet when samples of the step say", screw::compare_first_contact)
        .in_tests(2_000)
        .in_long(100_000),
    Comparison::new("a collision screen before the analytic engine loses no contact", screen::compare_filter)
        .in_tests(2_000)
        .in_long(100_000),
    Comparison::new("curved bodies on screws first meet when samples of the step say", screw::compare_curved)
        .in_tests(500)
        .in_long(100_000),
    Comparison::new("contacts on screws are those of all pairs of features", screw::compare_contacts)
        .in_tests(250)
        .in_long(20_000),
    Comparison::new("kinetic collisions are those of all vertices and edges", kinetic::compare)
        .in_tests(200)
        .in_long(3_000),
    Comparison::new(
        "kinetic proofs hold while plans change, in every kind of motion",
        kinetic::compare_plans,
    )
    .in_tests(60)
    .in_long(3_000),
    Comparison::new("a world tells what a naive world does", world::compare).in_tests(250),
    Comparison::new("a swept step tells what all pairs by themselves do", swept_world::compare)
        .in_tests(100)
        .in_long(20_000),
    Comparison::new(
        "polygons are related as the differences of their vertices say",
        planar::compare_relations,
    )
    .in_tests(250)
    .in_long(20_000),
    Comparison::new("points around a polygon are in the one cell that holds them", planar::compare_cells)
        .in_tests(500)
        .in_long(50_000),
    Comparison::new(
        "placements of two polygons are in the one mixed cell that holds them",
        planar::compare_mixed_cells,
    )
    .in_tests(250)
    .in_long(20_000),
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
    /// A comparison that the tests run a thousand cases of, and long runs as many as they have time for.
    pub const fn new(name: &'static str, case: fn(&mut Random) -> Result<(), String>) -> Comparison {
        Comparison { name, case, in_tests: 1_000, in_long: 0 }
    }

    const fn in_tests(self, cases: u64) -> Comparison {
        Comparison { in_tests: cases, ..self }
    }

    const fn in_long(self, cases: u64) -> Comparison {
        Comparison { in_long: cases, ..self }
    }

    /// Runs the cases of that range; each has its own generator, so any one can be run alone.
    pub fn run(&self, seed: u64, cases: Range<u64>) -> Result<(), Mismatch> {
        for case in cases {
            let mut random = Random::new(Random::new(seed).bits() ^ case);
            (self.case)(&mut random).map_err(|what| Mismatch { name: self.name, seed, case, what })?;
        }
        Ok(())
    }
}

/// Runs cases of the comparison whose name starts like this; panics with the first mismatch.
pub fn assert_agreement(name: &str, seed: u64, cases: Range<u64>) {
    let comparison = ALL.iter().find(|comparison| comparison.name.starts_with(name));
    let comparison = comparison.unwrap_or_else(|| panic!("no comparison is called \"{name}...\""));
    if let Err(mismatch) = comparison.run(seed, cases) {
        panic!("{mismatch}");
    }
}

/// `Ok` if both are equal, else both and the case they come from.
pub fn same<T: PartialEq + Debug>(got: T, want: T, case: impl FnOnce() -> String) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("got {got:?}, the oracle says {want:?}, for {}", case())) }
}
