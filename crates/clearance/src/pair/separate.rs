//! A search for a separating direction in single precision: one step of separating vectors, then simplices.
//!
//! Most disjoint pairs are separated by the first direction or its mirror image [Chung96 §6.2.1]; the corner found
//! first is where simplices start. (More mirror images before simplices cost more than they save, on fresh scenes of every
//! shape and size.) A direction that separates by more than all rounding of single precision is proof at once; of one that
//! separates by less the world is asked. Corners that seem to surround zero, or are too close to it, are handed on to
//! [`super::search`].

use super::separating_vector::Candidate;
use super::single::{Corners, Single, square_of, sum_of};
use super::subdistance::VertexPairs;
use super::triple::{Step, Triple};
use super::view::View;
use glam::DVec3;
use wide::f32x4;

/// Corners looked for before the case is handed on; common pairs need four to seven.
const ROUNDS: usize = 40;

/// How far a direction is turned off ties: more than `f32` needs to see it.
const TILT: f32 = 1.0 / (1 << 16) as f32;

/// Gaps above which single precision is proof, by the length of the direction `d`, in the units of [`Single::new`].
///
/// Proof. With the reaches of the bodies `r` and the largest coordinate of the offset `o`, `r + o <= 2`, corners are at most
/// `r + 1.74 o` long, heights from the middles of the bodies at most `1.74 r |d|` in sum. Corners err by `120e |d|`, products of
/// them by `20e |d|`. Heights of vertices are compared by their first 17 bits: one may be lower by `2^-16` of them than the one found. Where
/// blocks prove that none is, they do so along a direction in the frame of B that errs by `25e |d|`: `180e |d|` for vertices that are
/// `3.5 r` apart. A direction turned by [`TILT`] moves heights by `2^-16 |d|` of the length of corners. The direction in
/// the world is rounded in `f64`. In all below `(2^-16 (2 + 1.74 * 2) + 330e) |d|`, less than `2^-13 |d|`.
const WIDE: f32 = 1.0 / (1 << 13) as f32;

/// Squares above have lost nothing to underflow.
const LEAST_SQUARE: f32 = 1e-25;

/// What the search ends with.
pub(super) enum Glimpse {
    /// Proved disjoint, with the corners that the direction comes from, if any.
    Separated(Candidate, VertexPairs),
    /// Proved overlapping: four corners surround zero.
    Surrounded(VertexPairs),
    /// Corners that seem to surround zero, or are too close to it for single precision.
    Close(VertexPairs),
}

/// A vertex of `B - A` and where it comes from.
type Corner = (f32x4, (u32, u32));

/// What became of a direction.
enum Tried {
    /// It separates, which is proved.
    Proved(Candidate),
    /// It does not, or not by more than rounding; this is the lowest corner.
    Passed(Corner),
}

/// Searches from nothing; `count` is raised by the directions tried.
#[inline(never)]
pub(super) fn separate(view: &View<'_>, count: &mut usize) -> Glimpse {
    let pair = Single::of(view);
    let start = pair.first_direction();
    match pair.scans() {
        Some(scans) => search(view, &pair, &pair.small(scans), start, count),
        None => search(view, &pair, &pair, start, count),
    }
}

/// Searches from corners that settled a similar frame.
#[inline(never)]
pub(super) fn separate_again(view: &View<'_>, remembered: &VertexPairs, count: &mut usize) -> Glimpse {
    let pair = Single::of(view);
    let (simplex, nearest) = pair.nearest_of(remembered.as_slice());
    let square = nearest.point().length_squared();
    // Where zero is no closer to the part than to its corners, the bodies have moved too far for them to be of use.
    let is_close = |corner: &DVec3| corner.length_squared() > 4.0 * square;
    if simplex.len < 3 && !simplex.points[..simplex.len].iter().all(is_close) {
        return match pair.scans() {
            Some(scans) => search(view, &pair, &pair.small(scans), pair.first_direction(), count),
            None => search(view, &pair, &pair, pair.first_direction(), count),
        };
    }
    if simplex.len == 4 || square == 0.0 {
        return Glimpse::Close(simplex.vertices());
    }
    let triple = Triple::of(&simplex, &nearest);
    let direction = triple.direction();
    match pair.scans() {
        Some(scans) => close_in(view, &pair, &pair.small(scans), direction, triple, count),
        None => close_in(view, &pair, &pair, direction, triple, count),
    }
}

#[inline(always)]
fn search(
    view: &View<'_>,
    pair: &Single<'_>,
    corners: &impl Corners,
    start: f32x4,
    count: &mut usize,
) -> Glimpse {
    *count += 1;
    let mut corner = corners.lowest(start);
    if sum_of(start * corner.0) > 0.0 {
        if is_proved(corners, [start; 2], corner) {
            return Glimpse::Separated(candidate(view, start, corner.1), VertexPairs::default());
        }
        corner = match prove_in_world(view, pair, start, corner) {
            Tried::Proved(found) => return Glimpse::Separated(found, VertexPairs::default()),
            Tried::Passed(corner) => corner,
        };
    }
    close_in(view, pair, corners, mirrored(start, corner.0), Triple::new(corner.0, corner.1), count)
}

/// Simplices from a direction and the corners that it comes from.
#[inline(always)]
fn close_in(
    view: &View<'_>,
    pair: &Single<'_>,
    corners: &impl Corners,
    start: f32x4,
    mut triple: Triple,
    count: &mut usize,
) -> Glimpse {
    let mut direction = start;
    for _ in 0..ROUNDS {
        *count += 1;
        let mut corner = corners.lowest(direction);
        if sum_of(direction * corner.0) > 0.0 {
            let along = match triple.pairs().len() {
                0 | 1 => direction,
                _ => tilted(direction, corner.0 - triple.middle()),
            };
            if is_proved(corners, [along, direction], corner) {
                return Glimpse::Separated(candidate(view, along, corner.1), triple.vertices());
            }
            corner = match prove_either(view, pair, [along, direction], corner, triple.vertices()) {
                Tried::Proved(found) => return Glimpse::Separated(found, triple.vertices()),
                Tried::Passed(corner) => corner,
            };
        }
        let (point, vertices) = corner;
        if triple.has(vertices) {
            break;
        }
        match triple.advance(point, vertices) {
            Step::Nearer => direction = triple.direction(),
            Step::Surrounded => return Glimpse::Surrounded(triple.vertices().with(vertices)),
            Step::Close | Step::Stuck => return Glimpse::Close(triple.vertices().with(vertices)),
        }
    }
    Glimpse::Close(triple.vertices())
}

/// The mirror image of a direction that a corner shows not to separate, of any length; the direction itself where there is none.
#[inline(always)]
pub(super) fn mirrored(direction: f32x4, point: f32x4) -> f32x4 {
    let along = 2.0 * sum_of(direction * point);
    let mirrored = direction * f32x4::splat(square_of(point)) - point * f32x4::splat(along);
    // Also false for NaN.
    if square_of(mirrored) > 0.0 { mirrored } else { direction }
}

/// A direction that separates, turned a little so that the lowest corner is lowest alone: against `away`, from the others to it.
///
/// The direction of a simplex is the normal of a face, or of two edges: vertices are tied along it, in this frame and, where
/// it moves with a body, in the next ones. To prove that no vertex lies beyond tied ones takes a walk around all of them
/// where one look at a block would do: without ties bodies of 20 vertices near each other take a third less.
#[inline(always)]
fn tilted(direction: f32x4, away: f32x4) -> f32x4 {
    let part = TILT * (square_of(direction) / square_of(away)).sqrt();
    // Not so for a corner in the very middle of the others, nor for NaN.
    if part < f32::MAX { direction - away * f32x4::splat(part) } else { direction }
}

/// Whether single precision proves that a direction separates, given beside the one that it comes from and the lowest corner
/// along that.
#[inline(always)]
fn is_proved(corners: &impl Corners, [along, direction]: [f32x4; 2], (point, vertices): Corner) -> bool {
    let (gap, square) = (sum_of(direction * point), square_of(direction));
    gap * gap > WIDE * WIDE * square && square > LEAST_SQUARE && corners.is_lowest(along, vertices)
}

#[inline(always)]
fn candidate(view: &View<'_>, direction: f32x4, (vertex_a, vertex_b): (u32, u32)) -> Candidate {
    let [x, y, z, _] = direction.to_array().map(f64::from);
    Candidate { direction: view.pose_a.rotation() * DVec3::new(x, y, z), vertex_a, vertex_b }
}

/// Asks the world about a direction that was turned, unless that takes more than half of its gap, and about the one it comes from.
#[inline(never)]
fn prove_either(
    view: &View<'_>,
    pair: &Single<'_>,
    [along, direction]: [f32x4; 2],
    corner: Corner,
    known: VertexPairs,
) -> Tried {
    if sum_of(along * corner.0) > 0.5 * sum_of(direction * corner.0) {
        match prove_in_world(view, pair, along, corner) {
            Tried::Passed(found) if known.as_slice().contains(&found.1) => {}
            tried => return tried,
        }
    }
    prove_in_world(view, pair, direction, corner)
}

/// Asks the world about a direction that seems to separate.
#[inline(never)]
fn prove_in_world(view: &View<'_>, pair: &Single<'_>, direction: f32x4, corner: Corner) -> Tried {
    let found = candidate(view, direction, corner.1);
    let support = view.support(found.direction, corner.1);
    let vertices = (support.vertex_a, support.vertex_b);
    if support.proves_disjoint {
        return Tried::Proved(Candidate { vertex_a: vertices.0, vertex_b: vertices.1, ..found });
    }
    // Lower vertices than the proposed ones, which are lowest only up to the rounding of `f32`.
    Tried::Passed(if vertices == corner.1 { corner } else { pair.corner_of(vertices) })
}

#[cfg(test)]
mod tests {
    use super::super::distance::distance;
    use super::super::relation::{relation_with_witness, surrounds_zero};
    use super::*;
    use crate::exact::Sign;
    use crate::math::{Pose, Random};
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use crate::support::SupportMap;
    use glam::DQuat;

    /// The lowest corner is the middle of the two that the direction comes from, so it cannot be turned away from them.
    #[test]
    fn a_corner_in_the_middle_of_the_others_is_proved_all_the_same() {
        let hull = |points: &[[f64; 3]]| {
            let points: Vec<DVec3> = points.iter().copied().map(DVec3::from_array).collect();
            SupportMap::new(Polytope::hull(&points).expect("a tetrahedron or more"))
        };
        let a =
            hull(&[[-3.0, -3.0, 2.0], [-2.0, 0.0, 3.0], [2.0, 3.0, -3.0], [1.0, -2.0, 0.0], [1.0, 3.0, 3.0]]);
        let b = hull(&[[-3.0, -3.0, -3.0], [-3.0, 3.0, -2.0], [0.0, -1.0, -1.0], [-2.0, -2.0, -1.0]]);
        let view = View::new(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY);
        let witness = relation_with_witness(&a, &Pose::IDENTITY, &b, &Pose::IDENTITY);
        assert_eq!(witness.check(&view.pair()), Ok(()));
    }

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.range(-size, size)))
    }

    #[test]
    fn what_is_told_is_true_of_thin_tetrahedra_and_points_in_or_near_them() {
        let mut random = Random::new(6);
        let (mut inside, mut apart, mut close, mut by_floats) = (0, 0, 0, 0);
        for round in 0..20_000 {
            let height = [0.3, 1e-2, 1e-3, 1e-5][round % 4];
            let flat = [[1., 1., 0.], [-1., 1., height], [0., -1., 0.], [0., 0.2, -height]];
            let corners = flat.map(|c| DVec3::from_array(c) + vector(&mut random, height));
            let a = SupportMap::new(Polytope::hull(&corners).expect("four points"));
            let b = SupportMap::new(Polytope::hull(&[DVec3::ZERO]).expect("a point"));
            let place = vector(&mut random, 1.0);
            let pose_a = Pose::skew(&mut random, place);
            let weights: [f64; 4] = std::array::from_fn(|_| random.range(-0.01, 1.0));
            let sum: f64 = weights.iter().sum();
            let point: DVec3 = corners.iter().zip(weights).map(|(c, w)| *c * (w / sum)).sum();
            let pose_b = Pose::skew(&mut random, pose_a.apply(point));
            let view = View::new(&a, &pose_a, &b, &pose_b);
            let all = (0..a.polytope().vertices().len() as u32).map(|vertex| (vertex, 0));
            let all = all.fold(VertexPairs::default(), VertexPairs::with);
            let is_around = surrounds_zero(&view.pair(), all.as_slice());
            by_floats += usize::from(view.is_surrounded_by(&all));
            assert!(is_around || !view.is_surrounded_by(&all), "round {round}");
            match separate(&view, &mut 0) {
                Glimpse::Surrounded(found) => {
                    inside += 1;
                    assert!(surrounds_zero(&view.pair(), found.as_slice()), "round {round}");
                }
                Glimpse::Separated(..) => {
                    apart += 1;
                    assert!(!is_around, "round {round}");
                }
                Glimpse::Close(_) => close += 1,
            }
        }
        println!("{inside} surrounded, {apart} apart, {close} left; {by_floats} surrounded by floats");
        assert!(inside > 2000 && apart > 500 && close > 2000 && by_floats > 10_000);
    }

    #[test]
    fn directions_that_single_precision_proves_separate_whatever_the_size_and_offset() {
        let mut random = Random::new(8);
        let (mut proved, mut apart) = (0, 0);
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::ThinRod, PolytopeKind::Plate] {
            for (count, scale, offset) in [(4, 1.0, 0.0), (20, 1e-6, 1.0), (50, 1e6, 0.0), (200, 1.0, 4.0)] {
                let body = |random: &mut Random| {
                    let sample = random_polytope(kind, count, random.below(100)).expect("a sample");
                    let points = sample.vertices().iter().map(|v| *v * scale + DVec3::splat(offset));
                    SupportMap::new(Polytope::hull(&points.collect::<Vec<_>>()).expect("a hull"))
                };
                for _ in 0..300 {
                    let (a, b) = (body(&mut random), body(&mut random));
                    let place = vector(&mut random, offset);
                    let pose_a = Pose::skew(&mut random, place);
                    let far = place + random_direction(&mut random) * (4.0 * (scale + offset));
                    let turn_b = Pose::skew(&mut random, far);
                    let start = distance(&a, &pose_a, &b, &turn_b);
                    // Gaps about as large as what rounding takes, some of them negative.
                    let size = scale + offset;
                    let gap = size * random.range(-1.0, 3.0) * f64::from(WIDE);
                    let closer = (start.point_a - start.point_b) * (1.0 - gap / start.upper);
                    let pose_b = Pose::new(turn_b.rotation(), far + closer).expect("a pose");
                    let view = View::new(&a, &pose_a, &b, &pose_b);
                    if let Glimpse::Separated(found, _) = separate(&view, &mut 0) {
                        apart += 1;
                        let separation = super::super::exact::supported(&view.pair(), found);
                        assert_eq!(separation.check(&view.pair()), Ok(Sign::Positive));
                        let support = view.support(found.direction, (found.vertex_a, found.vertex_b));
                        let unit = view.unit() / found.direction.length();
                        proved += usize::from(support.gap * unit > f64::from(WIDE));
                    }
                }
            }
        }
        println!("{apart} apart, {proved} of them by more than single precision needs");
        assert!(apart > 1500 && proved > 100 && proved < apart, "{apart} {proved}");
    }

    #[test]
    fn few_of_random_pairs_are_left_to_double_precision() {
        let mut random = Random::new(7);
        let bodies: Vec<SupportMap> = [8, 20, 100, 500]
            .into_iter()
            .map(|n| SupportMap::new(random_polytope(PolytopeKind::Ellipsoid, n, 1).expect("a sample")))
            .collect();
        let (mut left, mut count) = (0, 0);
        for _ in 0..4000 {
            let [a, b] = [(); 2].map(|()| &bodies[random.below(4) as usize]);
            let pose = |random: &mut Random, far: f64| {
                let turn = DQuat::from_scaled_axis(vector(random, 2.0));
                Pose::from_quaternion(turn, random_direction(random) * far).expect("a pose")
            };
            let far = random.range(0.0, 2.5);
            let (pose_a, pose_b) = (pose(&mut random, 0.0), pose(&mut random, far));
            let view = View::new(a, &pose_a, b, &pose_b);
            left += usize::from(matches!(separate(&view, &mut 0), Glimpse::Close(_)));
            count += 1;
        }
        println!("{left} of {count} are left");
        assert!(left * 10 < count, "{left} of {count} are left");
    }
}
