//! A search for a separating direction in single precision: one step of separating vectors, then simplices.
//!
//! Most disjoint pairs are separated by the first direction or its mirror image [Chung96 §6.2.1]; the corner found
//! first is where simplices start. (More mirror images before simplices cost more than they save, on fresh scenes of every
//! shape and size.) A direction that separates is proved at once, in the world; corners that seem to surround zero, or are too
//! close to it, are handed on to [`super::search`].

use super::separating_vector::Candidate;
use super::single::{Corners, Single, square_of, sum_of};
use super::subdistance::{Simplex, VertexPairs};
use super::triple::{Step, Triple};
use super::view::View;
use glam::DVec3;
use wide::f32x4;

/// Corners looked for before the case is handed on; common pairs need four to seven.
const ROUNDS: usize = 40;

/// How far a direction is turned off ties: more than `f32` needs to see it.
const TILT: f32 = 1.0 / (1 << 16) as f32;

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
    let mut simplex = Simplex::EMPTY;
    for &vertices in remembered.as_slice() {
        let [x, y, z, _] = pair.corner_of(vertices).0.to_array().map(f64::from);
        simplex.push(DVec3::new(x, y, z), vertices);
    }
    let nearest = simplex.nearest();
    simplex.keep(&nearest);
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
    let corner = corners.lowest(start);
    let tried =
        if sum_of(start * corner.0) > 0.0 { prove(view, pair, start, corner) } else { Tried::Passed(corner) };
    match tried {
        Tried::Proved(found) => Glimpse::Separated(found, VertexPairs::default()),
        Tried::Passed(corner) => {
            close_in(view, pair, corners, mirrored(start, corner.0), Triple::new(corner.0, corner.1), count)
        }
    }
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
        let corner = corners.lowest(direction);
        let gap = sum_of(direction * corner.0);
        let tried =
            match tilted(direction, corner.0, gap, &triple).map(|along| prove(view, pair, along, corner)) {
                Some(Tried::Proved(found)) => Tried::Proved(found),
                Some(Tried::Passed(other)) if !triple.has(other.1) => Tried::Passed(other),
                _ if gap > 0.0 => prove(view, pair, direction, corner),
                _ => Tried::Passed(corner),
            };
        let (point, vertices) = match tried {
            Tried::Proved(found) => return Glimpse::Separated(found, triple.vertices()),
            Tried::Passed(corner) => corner,
        };
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

/// A direction that separates, turned a little so that the lowest corner is lowest alone.
///
/// The direction of a simplex is the normal of a face, or of two edges: vertices are tied along it, in this frame and, where
/// it moves with a body, in the next ones. To prove that no vertex lies beyond tied ones takes a walk around all of them
/// where one look at a block would do: without ties bodies of 20 vertices near each other take a third less. `None` if that would take more than half of the gap, or there is none.
#[inline(always)]
fn tilted(direction: f32x4, point: f32x4, gap: f32, triple: &Triple) -> Option<f32x4> {
    if triple.pairs().len() < 2 || gap <= 0.0 {
        return None;
    }
    let away = point - triple.middle();
    let part = TILT * (square_of(direction) / square_of(away)).sqrt();
    let tilted = direction - away * f32x4::splat(part);
    (sum_of(tilted * point) > 0.5 * gap).then_some(tilted)
}

/// Asks the world about a direction that seems to separate.
#[inline(always)]
fn prove(view: &View<'_>, pair: &Single<'_>, direction: f32x4, corner: Corner) -> Tried {
    let [x, y, z, _] = direction.to_array().map(f64::from);
    let direction = view.pose_a.rotation() * DVec3::new(x, y, z);
    let support = view.support(direction, corner.1);
    let vertices = (support.vertex_a, support.vertex_b);
    if support.proves_disjoint {
        return Tried::Proved(Candidate { direction, vertex_a: vertices.0, vertex_b: vertices.1 });
    }
    // Lower vertices than the proposed ones, which are lowest only up to the rounding of `f32`.
    Tried::Passed(if vertices == corner.1 { corner } else { pair.corner_of(vertices) })
}

#[cfg(test)]
mod tests {
    use super::super::relation::surrounds_zero;
    use super::*;
    use crate::math::{Pose, Random};
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use crate::support::SupportMap;
    use glam::{DMat3, DQuat};

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.range(-size, size)))
    }

    /// A rotation as skew as poses may be.
    fn skew_pose(random: &mut Random, translation: DVec3) -> Pose {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(vector(random, 3.0)));
        let skew = DMat3::from_cols_array(&std::array::from_fn(|_| random.range(-2.4e-10, 2.4e-10)));
        Pose::new(turn * (DMat3::IDENTITY + skew), translation).expect("skew by less than the limit")
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
            let pose_a = skew_pose(&mut random, place);
            let weights: [f64; 4] = std::array::from_fn(|_| random.range(-0.01, 1.0));
            let sum: f64 = weights.iter().sum();
            let point: DVec3 = corners.iter().zip(weights).map(|(c, w)| *c * (w / sum)).sum();
            let pose_b = skew_pose(&mut random, pose_a.apply(point));
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
