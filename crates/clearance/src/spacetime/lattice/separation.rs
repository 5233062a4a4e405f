//! Algorithm 2: the separation of two polytopes of any dimension, and when two prisms first meet [Joseph87 §3.2].

use super::face_lattice::{FaceId, FaceLattice};
use super::flat::combination;
use super::linear::{Rational, Vector, along, distance_squared, minus};
use super::point_in_polytope::{Location, LocationStats, locate};

/// How far two polytopes are apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Separation {
    /// The square of their distance, exactly; zero if they share a point.
    pub distance_squared: Rational,
    /// A point of each, at this distance.
    pub points: [Vector; 2],
    /// The faces of lowest dimension that have these points, in their interiors.
    pub faces: [FaceId; 2],
}

/// When and where two prisms first meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// The time, exactly.
    pub time: Rational,
    /// The place: a point of both bodies at that time.
    pub place: Vector,
    /// Faces of the two prisms that share this point and no other, in their interiors.
    pub faces: [FaceId; 2],
}

/// What the separation algorithm looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeparationStats {
    /// Pairs of faces whose dimensions add up to at most `D`.
    pub pairs: u64,
    /// Those that are partly parallel: skipped by Lemma 5.
    pub parallel: u64,
    /// Those whose feet were looked for in the faces; the others are no better than what was found before.
    pub located: u64,
    /// What the searches for feet cost.
    pub location: LocationStats,
}

/// The distance of two polytopes in `E^D`, convex or not: the paper's Algorithm 2.
///
/// For each pair of faces that are not partly parallel, the feet of their common normal are candidates if they lie in
/// the faces; the nearest candidates realise the separation (Lemmas 3 to 6). `O(I(P) I(Q))` operations (Lemma 8).
///
/// Differs from the paper: 1. each polytope is one of its own faces, so that the pair of a vertex and a whole polytope
/// is its test for one body inside the other; made for every vertex, the test is right for bodies of several parts.
/// 2. Pairs go by the sum of their dimensions, so that the first pair to realise the separation consists of the faces
/// `p` and `q` of lowest dimension that the lemmas speak of. 3. Feet that are no nearer than others found before are
/// not looked for in the faces.
///
/// Panics if the dimensions differ.
pub fn separation(a: &FaceLattice, b: &FaceLattice, stats: &mut SeparationStats) -> Separation {
    let vertex = |index: u32| FaceId { dimension: 0, index };
    let points = [a, b].map(|polytope| polytope.vertices()[0].clone());
    let mut best = Separation {
        distance_squared: distance_squared(&points[0], &points[1]),
        points,
        faces: [vertex(0), vertex(0)],
    };
    for_feet(a, b, stats, |faces, feet, stats| {
        let distance_squared = distance_squared(&feet[0], &feet[1]);
        if distance_squared < best.distance_squared && are_in_faces([a, b], faces, &feet, stats) {
            best = Separation { distance_squared, points: feet, faces };
        }
    });
    best
}

/// The first time at which two prisms of the same interval of time share a point, and such a point; `None` if they
/// never do. Time is the last coordinate; see [`prism_of_motion`](super::prism_of_motion).
///
/// Among all pairs of faces that share a single point, the one whose point is earliest [Joseph87 Lemma 2].
///
/// Proof: at the first time `t` the bodies share a compact set; take an extreme point of it, and the lowest faces of the
/// prisms that have it. A direction in both flats would lead both ways inside both faces: not to other times, since
/// `t` is the first (or, if the motion starts at `t`, since the faces are then those of the start copies); nor within
/// `t`, since the point is extreme. So the faces are not partly parallel, and share this point alone.
///
/// Differs from the paper: Lemma 2 says that spatial faces of dimension at most 2 meet, which needs bodies that are
/// disjoint at the start. Here the start copies are faces of dimension 3 as well: bodies that overlap at the start
/// collide then.
///
/// Panics if the dimensions differ.
pub fn first_collision(a: &FaceLattice, b: &FaceLattice, stats: &mut SeparationStats) -> Option<Collision> {
    let mut first: Option<Collision> = None;
    for_feet(a, b, stats, |faces, feet, stats| {
        let [point, other] = &feet;
        let Some((time, place)) = point.split_last().filter(|_| point == other) else { return };
        let is_earlier = first.as_ref().is_none_or(|first| *time < first.time);
        if is_earlier && are_in_faces([a, b], faces, &feet, stats) {
            first = Some(Collision { time: time.clone(), place: place.to_vec(), faces });
        }
    });
    first
}

/// The first collision among several prisms, and of which two: every pair is tried [Joseph87 §3.5].
pub fn first_collision_among(
    prisms: &[FaceLattice],
    stats: &mut SeparationStats,
) -> Option<([usize; 2], Collision)> {
    let pairs = (0..prisms.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
    let mut first: Option<([usize; 2], Collision)> = None;
    for [i, j] in pairs {
        let found = first_collision(&prisms[i], &prisms[j], stats);
        let is_earlier = |c: &Collision| first.as_ref().is_none_or(|(_, best)| c.time < best.time);
        if let Some(collision) = found.filter(is_earlier) {
            first = Some(([i, j], collision));
        }
    }
    first
}

/// Calls back with the feet of every pair of faces that is not partly parallel, pairs of low dimension first.
fn for_feet(
    a: &FaceLattice,
    b: &FaceLattice,
    stats: &mut SeparationStats,
    mut visit: impl FnMut([FaceId; 2], [Vector; 2], &mut SeparationStats),
) {
    assert_eq!(a.dimension(), b.dimension(), "polytopes of different dimensions");
    for sum in 0..=a.dimension() {
        for dimension_a in 0..=sum {
            for face_a in a.faces(dimension_a) {
                for face_b in b.faces(sum - dimension_a) {
                    stats.pairs += 1;
                    match feet((a, face_a), (b, face_b)) {
                        Some(feet) => visit([face_a, face_b], feet, stats),
                        None => stats.parallel += 1,
                    }
                }
            }
        }
    }
}

/// The feet of the common normal of the flats of two faces, on each of them.
///
/// `None` if the flats are partly parallel, that is, if a direction lies in both: then there is no unique common
/// normal. Where the flats meet, they do so in one point, and both feet are that point.
fn feet((a, face_a): (&FaceLattice, FaceId), (b, face_b): (&FaceLattice, FaceId)) -> Option<[Vector; 2]> {
    let (origin_a, origin_b) = (a.origin(face_a), b.origin(face_b));
    let (span_a, span_b) = (a.span(face_a), b.span(face_b));
    let both: Vec<&Vector> = span_a.iter().chain(span_b).collect();
    let weights = combination(&both, &minus(origin_b, origin_a))?;
    let (of_a, of_b) = weights.split_at(span_a.len());
    let foot_a = of_a.iter().zip(span_a).fold(origin_a.clone(), |foot, (w, v)| along(&foot, w, v));
    let foot_b = of_b.iter().zip(span_b).fold(origin_b.clone(), |foot, (w, v)| along(&foot, &-w, v));
    Some([foot_a, foot_b])
}

/// Whether each foot lies in its face.
fn are_in_faces(
    polytopes: [&FaceLattice; 2],
    faces: [FaceId; 2],
    feet: &[Vector; 2],
    stats: &mut SeparationStats,
) -> bool {
    stats.located += 1;
    (0..2).all(|i| locate(polytopes[i], faces[i], &feet[i], &mut stats.location) != Location::Outside)
}
