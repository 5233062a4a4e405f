//! The segment-facet algorithm [Joseph87 §3.4].

use super::face_lattice::{FaceId, FaceLattice, Facet};
use super::linear::{Rational, Vector, along, minus};
use super::point_in_polytope::{Location, LocationStats, locate};

/// How a segment meets a facet.
#[derive(Clone, Debug, PartialEq)]
pub enum SegmentMeeting {
    /// They share no point.
    Nowhere,
    /// The segment crosses the hyperplane of the facet, or ends in it, and this point is in the facet.
    Point(Vector),
    /// The segment lies in the hyperplane of the facet and shares a point with it, maybe more.
    Along,
}

/// How a segment meets a facet of a polytope: number `facet` of the faces of dimension `D - 1`.
///
/// Both are closed. `O(I(facet))` operations a direction, by the recursion of the paper: in the hyperplane of the facet
/// the segment is tried with the faces that bound it, and if it meets none of them, one end tells.
///
/// Panics if there is no such facet or the ends have not as many coordinates as the polytope has dimensions.
pub fn segment_meets_facet(
    polytope: &FaceLattice,
    facet: u32,
    ends: [&[Rational]; 2],
    stats: &mut LocationStats,
) -> SegmentMeeting {
    let dimension = polytope.dimension();
    assert!(ends.iter().all(|end| end.len() == dimension), "ends of another dimension");
    let found = polytope.facets(polytope.whole()).find(|f| f.face.index == facet);
    meet(polytope, &found.expect("a facet with this number"), ends, stats)
}

/// The same for a face that bounds another one, and a segment in the flat of that one.
fn meet(
    polytope: &FaceLattice,
    facet: &Facet<'_>,
    ends: [&[Rational]; 2],
    stats: &mut LocationStats,
) -> SegmentMeeting {
    stats.facets += 1;
    let heights = ends.map(|end| facet.height(end));
    if heights.iter().all(Rational::is_zero) {
        return if lies_at(polytope, facet.face, ends, stats) {
            SegmentMeeting::Along
        } else {
            SegmentMeeting::Nowhere
        };
    }
    if heights.iter().all(|h| *h > Rational::ZERO) || heights.iter().all(|h| *h < Rational::ZERO) {
        return SegmentMeeting::Nowhere;
    }
    let [low, high] = heights;
    let time = &low / (&low - high);
    let point = along(ends[0], &time, &minus(ends[1], ends[0]));
    match locate(polytope, facet.face, &point, stats) {
        Location::Outside => SegmentMeeting::Nowhere,
        Location::Inside | Location::Boundary => SegmentMeeting::Point(point),
    }
}

/// Whether a segment in the flat of a face shares a point with it.
fn lies_at(polytope: &FaceLattice, face: FaceId, ends: [&[Rational]; 2], stats: &mut LocationStats) -> bool {
    let crosses = polytope.facets(face).any(|f| meet(polytope, &f, ends, stats) != SegmentMeeting::Nowhere);
    crosses || locate(polytope, face, ends[0], stats) != Location::Outside
}
