//! Polytopes of any dimension by their faces, and translating polyhedra as prisms in space-time [Joseph87].
//!
//! The reference implementation of the paper, in exact rational numbers: what a reader of it will look for, under its
//! names. `docs/space-time.md` explains it with pictures.
//!
//! | in the paper | here |
//! |---|---|
//! | §3.1, polytopes as faces with their bounding faces, `I(P)` | [`FaceLattice`], [`FaceLattice::incidence_count`] |
//! | §2, 4-prisms | [`prism`] |
//! | §3.3, the point-polytope algorithm, both variants | [`point_in_polytope`], [`point_in_polytope_by_cases`] |
//! | §3.4, the segment-facet algorithm | [`segment_meets_facet`] |
//! | §3.2, Algorithm 2, and the time and place of the first collision | [`separation`], [`first_collision`] |
//! | §2, hierarchical representation of convex 4-prisms, Lemma 1 | [`PrismHierarchy`] |
//! | §2, Algorithm 1 | [`algorithm_one`] |

mod algorithm_one;
mod face_lattice;
mod flat;
mod hierarchy;
mod linear;
mod nearest;
mod point_in_polytope;
mod point_in_polytope_by_cases;
mod prism;
mod segment_meets_facet;
mod separation;
mod view;

pub use algorithm_one::{AlgorithmOneStats, Decision, algorithm_one};
pub use face_lattice::{Bound, FaceId, FaceLattice, LatticeError, Sense};
pub use hierarchy::{PrismHierarchy, PrismLevel, PrismVertex, TimeEnd};
pub use linear::{Rational, Vector};
pub use point_in_polytope::{Location, LocationStats, point_in_polytope};
pub use point_in_polytope_by_cases::{CaseAnalysis, point_in_polytope_by_cases};
pub use prism::{Motion, PrismPart, prism, prism_of_motion, prism_part};
pub use segment_meets_facet::{SegmentMeeting, segment_meets_facet};
pub use separation::{
    Collision, Separation, SeparationStats, first_collision, first_collision_among, separation,
};
