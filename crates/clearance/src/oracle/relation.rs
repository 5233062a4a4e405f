//! The relation of two polytopes by trying every direction that could matter, in exact numbers.

use super::cases::{Body, Family, two_bodies, two_tiny_bodies};
use super::compare::same;
use super::distance::Placed;
use super::dyadic::Dyadic;
use super::signs::{Exact3, cross, dot, exact, minus, posed};
use crate::exact::Sign;
use crate::math::{Pose, Random};
use crate::pair::{self, Relation, Tracker, TrackerFrame, TrackerMode, relation_with_witness};
use crate::shape::Polytope;
use crate::support::SupportMap;
use crate::witness::PosedPair;
use glam::{DQuat, DVec3};

/// Separating axis theorem, spelled out: a facet of `B - A` is spanned by a face of one body or by an edge of each;
/// where `B - A` is flat, edges times coordinate axes and the edges themselves take the place of facets.
///
/// A positive gap along any direction proves disjoint, a gap of zero that the bodies do not overlap; one of these
/// directions shows it if it is so. Cheap directions and those of few come first, because the search ends at a
/// positive gap. `O(n^3)` exact numbers.
pub fn relation(pair: &PosedPair<'_>) -> Relation {
    let (points_a, points_b) = both_points(pair);
    let (edges_a, edges_b) = (edges(pair.a, &points_a), edges(pair.b, &points_b));
    let axes = DVec3::AXES.map(exact);
    let few = axes.iter().cloned().chain([minus(&points_b[0], &points_a[0])]);
    let faces = normals(pair.a, &points_a).chain(normals(pair.b, &points_b));
    let across = edges_a.iter().flat_map(|e| edges_b.iter().map(move |f| cross(e, f)));
    let both = || edges_a.iter().chain(&edges_b);
    let sideways = both().flat_map(|e| axes.iter().map(move |axis| cross(e, axis)));
    let lower = sideways.chain(both().cloned());
    // With a solid on one side `B - A` is not flat.
    let is_solid = pair.a.dimension() == 3 || pair.b.dimension() == 3;
    let lower = lower.filter(|_| !is_solid);
    let mut best = Sign::Negative;
    for direction in few.chain(faces).chain(across).chain(lower) {
        if direction.iter().all(|c| c.sign().is_zero()) {
            continue;
        }
        best = best.max(gap_sign(&direction, &points_a, &points_b));
        if best.is_positive() {
            break;
        }
    }
    match best {
        Sign::Positive => Relation::Disjoint,
        Sign::Zero => Relation::Touching,
        Sign::Negative => Relation::Overlapping,
    }
}

/// The exact positions of all vertices of a body.
pub(super) fn points(polytope: &Polytope, pose: &Pose) -> Vec<Exact3> {
    polytope.vertices().iter().map(|&v| posed(pose, v)).collect()
}

/// The exact positions of all vertices of both bodies, over one power of two.
pub(super) fn both_points(pair: &PosedPair<'_>) -> (Vec<Exact3>, Vec<Exact3>) {
    let (mut points_a, mut points_b) = (points(pair.a, pair.pose_a), points(pair.b, pair.pose_b));
    Dyadic::share_exponent(points_a.iter_mut().chain(&mut points_b).flatten());
    (points_a, points_b)
}

pub(super) fn edges(polytope: &Polytope, points: &[Exact3]) -> Vec<Exact3> {
    polytope.edges().map(|[from, to]| minus(&points[to as usize], &points[from as usize])).collect()
}

pub(super) fn normals<'a>(polytope: &'a Polytope, points: &'a [Exact3]) -> impl Iterator<Item = Exact3> + 'a {
    polytope.faces().map(|face| {
        let [v0, v1, v2] = [0, 1, 2].map(|i| &points[face[i] as usize]);
        cross(&minus(v1, v0), &minus(v2, v0))
    })
}

/// The larger sign of `min d.b - max d.a` and `min d.a - max d.b`: the gap along the direction or its opposite.
fn gap_sign(direction: &Exact3, points_a: &[Exact3], points_b: &[Exact3]) -> Sign {
    let (low_a, high_a) = span(direction, points_a);
    let (low_b, high_b) = span(direction, points_b);
    (&low_b - &high_a).sign().max((&low_a - &high_b).sign())
}

/// The least and the greatest `d.p`.
pub(super) fn span(direction: &Exact3, points: &[Exact3]) -> (Dyadic, Dyadic) {
    let heights: Vec<Dyadic> = points.iter().map(|p| dot(direction, p)).collect();
    let (mut low, mut high) = (&heights[0], &heights[0]);
    for height in &heights[1..] {
        if height.is_less(low) {
            low = height;
        }
        if high.is_less(height) {
            high = height;
        }
    }
    (low.clone(), high.clone())
}

/// Relations and their witnesses for small polytopes of every family, often in contact, however they are asked for.
pub fn compare(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let (a, b) = two_bodies(family, 7, random);
    compare_bodies(a, b, random).map_err(|what| format!("{what}, {family:?}"))
}

/// The same for polytopes in contact whose rounding errors underflow.
pub fn compare_tiny(random: &mut Random) -> Result<(), String> {
    let (a, b) = two_tiny_bodies(random);
    compare_bodies(a, b, random)
}

fn compare_bodies((a, pose_a): Body, (b, pose_b): Body, random: &mut Random) -> Result<(), String> {
    let pair = PosedPair { a: &a, pose_a: &pose_a, b: &b, pose_b: &pose_b };
    let want = relation(&pair);
    let (map_a, map_b) = (SupportMap::new(a.clone()), SupportMap::new(b.clone()));
    let (placed_a, placed_b) = ((&map_a, &pose_a), (&map_b, &pose_b));
    check_fresh(want, placed_a, placed_b)
        .and_then(|()| match random.below(TRACKED) {
            0 => check_tracked(want, placed_a, placed_b, random),
            _ => Ok(()),
        })
        .map_err(|what| format!("{what} for {:?} {pose_a:?} {:?} {pose_b:?}", a.vertices(), b.vertices()))
}

/// One case of so many is followed by trackers, which takes longer than all the rest of it.
const TRACKED: u64 = 16;

/// The relation of a pair, however it is asked for, against the oracle.
pub fn check(a: Placed<'_>, b: Placed<'_>, random: &mut Random) -> Result<(), String> {
    let pair = PosedPair { a: a.0.polytope(), pose_a: a.1, b: b.0.polytope(), pose_b: b.1 };
    check_as(relation(&pair), a, b, random)
}

/// The same against an answer that is known.
pub(super) fn check_as(
    want: Relation,
    a: Placed<'_>,
    b: Placed<'_>,
    random: &mut Random,
) -> Result<(), String> {
    check_fresh(want, a, b)?;
    check_tracked(want, a, b, random)
}

/// Small polytopes of every family that move a little from frame to frame: what trackers of every kind say of each frame.
pub fn compare_motions(random: &mut Random) -> Result<(), String> {
    let family = Family::any(random);
    let ((a, mut pose_a), (b, mut pose_b)) = two_bodies(family, 7, random);
    let (map_a, map_b) = (SupportMap::new(a), SupportMap::new(b));
    let mut trackers = MODES.map(Tracker::new);
    let size = [1.0, map_a.reach() + map_b.reach()][random.below(2) as usize];
    let way = size * 10f64.powi(-(random.below(17) as i32));
    let spin = 10f64.powi(-(random.below(9) as i32));
    for number in 0..FRAMES {
        let (placed_a, placed_b) = ((&map_a, &pose_a), (&map_b, &pose_b));
        let pair = PosedPair { a: map_a.polytope(), pose_a: &pose_a, b: map_b.polytope(), pose_b: &pose_b };
        let want = relation(&pair);
        for tracker in &mut trackers {
            let told = check_told(want, tracker, placed_a, placed_b, random);
            told.map_err(|what| format!("frame {number}, {what} for {family:?} {placed_a:?} {placed_b:?}"))?;
        }
        // Bodies that rest and that move, each for itself.
        pose_a = stepped(&pose_a, way * random.below(2) as f64, spin * random.below(2) as f64, random);
        pose_b = stepped(&pose_b, way, spin, random);
    }
    Ok(())
}

/// Frames of a motion: balls are put up after some, and looked at in the next ones.
const FRAMES: usize = 8;

/// All kinds of trackers.
const MODES: [TrackerMode; 3] = [TrackerMode::SeparatingVector, TrackerMode::Gilbert, TrackerMode::Combined];

/// One frame of a tracker, with contact data or without.
fn check_told(
    want: Relation,
    tracker: &mut Tracker,
    a: Placed<'_>,
    b: Placed<'_>,
    random: &mut Random,
) -> Result<(), String> {
    if random.below(2) == 0 {
        return same(tracker.relation(a.0, a.1, b.0, b.1), want, || format!("{tracker:?}, relation alone"));
    }
    let frame = tracker.update(a.0, a.1, b.0, b.1);
    check_frame(want, &frame, a, b).map_err(|what| format!("{tracker:?}: {what}"))
}

/// A pose a little farther on, or where it was if that is out of range.
fn stepped(pose: &Pose, way: f64, spin: f64, random: &mut Random) -> Pose {
    let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
    let (turn, by) = (DQuat::from_scaled_axis(vector() * spin), vector() * way);
    let turned = Pose::from_quaternion(turn, DVec3::ZERO)
        .map(|turn| turn * Pose::new(pose.rotation(), DVec3::ZERO).unwrap_or(*pose));
    turned.and_then(|turned| Pose::new(turned.rotation(), pose.translation() + by)).unwrap_or(*pose)
}

/// The relation with and without its witness, and that of B and A.
pub(super) fn check_fresh(want: Relation, a: Placed<'_>, b: Placed<'_>) -> Result<(), String> {
    for (name, (a, pose_a), (b, pose_b)) in [("as it is", a, b), ("swapped", b, a)] {
        let witness = relation_with_witness(a, pose_a, b, pose_b);
        same(pair::relation(a, pose_a, b, pose_b), want, || format!("{name}, without a witness"))?;
        same(witness.relation(), want, || format!("{name}, with a witness"))?;
        let pair = PosedPair { a: a.polytope(), pose_a, b: b.polytope(), pose_b };
        witness.check(&pair).map_err(|defect| format!("{name}: {defect}: {witness:?}"))?;
    }
    Ok(())
}

/// What trackers say that have seen nothing, nearly the same, the bodies swapped, or other bodies.
pub(super) fn check_tracked(
    want: Relation,
    a: Placed<'_>,
    b: Placed<'_>,
    random: &mut Random,
) -> Result<(), String> {
    let size = a.0.reach() + b.0.reach();
    let step = DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0) * size));
    let near = moved(b.1, step * 10f64.powi(-(random.below(17) as i32)));
    let ((other_a, other_pose_a), (other_b, other_pose_b)) = two_bodies(Family::any(random), 7, random);
    let others = [other_a, other_b].map(SupportMap::new);
    let memories: [(&str, Option<[Placed<'_>; 2]>); 4] = [
        ("fresh", None),
        ("warm", Some([a, (b.0, &near)])),
        ("swapped before", Some([b, a])),
        ("poisoned", Some([(&others[0], &other_pose_a), (&others[1], &other_pose_b)])),
    ];
    for mode in MODES {
        for (name, before) in memories {
            let mut tracker = Tracker::new(mode);
            if let Some([a, b]) = before {
                tracker.update(a.0, a.1, b.0, b.1);
            }
            // What was found is remembered in turn.
            for again in ["at first", "again"] {
                let frame = tracker.update(a.0, a.1, b.0, b.1);
                check_frame(want, &frame, a, b)
                    .map_err(|what| format!("{mode:?}, {name}, {again}: {what}"))?;
            }
            same(tracker.relation(a.0, a.1, b.0, b.1), want, || format!("{mode:?}, {name}, relation alone"))?;
        }
    }
    Ok(())
}

fn check_frame(want: Relation, frame: &TrackerFrame, a: Placed<'_>, b: Placed<'_>) -> Result<(), String> {
    same(frame.relation(), want, || "a frame".into())?;
    let pair = PosedPair { a: a.0.polytope(), pose_a: a.1, b: b.0.polytope(), pose_b: b.1 };
    match frame {
        TrackerFrame::Apart(Some(found)) if found.upper <= 0.0 => Err(format!("apart by nothing: {found:?}")),
        TrackerFrame::Began(contact) => {
            same(contact.penetration.is_some(), want == Relation::Overlapping, || "a depth".into())?;
            contact.witness.check(&pair).map_err(|defect| format!("{defect}: {:?}", contact.witness))
        }
        _ => Ok(()),
    }
}

/// A pose moved by some vector, or where it was if that is out of range.
fn moved(pose: &Pose, by: DVec3) -> Pose {
    Pose::new(pose.rotation(), pose.translation() + by).unwrap_or(*pose)
}
