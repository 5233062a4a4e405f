//! Penetration depth by a surface in `f32`, proved in `f64` where it ends.
//!
//! What expands is the surface alone, in the frame of A. It begins with corners in six directions, which do not wait for each
//! other; whether zero is inside shows as it grows. Where its nearest triangle cannot be expanded, that triangle gives the upper
//! bound: how far `M` reaches along its normal, in the world. Then every triangle that `f32` does not prove to be as far from
//! zero is looked at in `f64`. What is not settled so is for the relation and exact signs: bodies that do not overlap, overlaps
//! too small for `f32`, bodies of very many vertices.

use super::axes::Axes;
use super::minkowski::{Corner, Minkowski, weights_along};
use super::penetration::{Penetration, RELATIVE_WIDTH};
use super::relative::{self, Relative};
use super::surface::{OutOfReach, Surface};
use glam::DVec3;

/// Attempts to prove; one is enough but where several facets are equally near.
const ATTEMPTS: usize = 8;

/// The bracket of the depth of a pair, if `f32` can find it; `None` also if the bodies do not overlap. From axes and the lowest
/// corner along the first of them.
#[inline(always)]
pub(super) fn search<'a>(
    minkowski: &Minkowski<'a>,
    pair: Relative<'a>,
    axes: &Axes,
    near: relative::Corner,
    surface: &mut Surface,
) -> Option<Penetration> {
    let (x, [y, z]) = (axes.first, axes.across());
    let far = pair.lowest(-x);
    let mut ring = [x - y, x + y, x - z, x + z].map(|direction| pair.lowest(direction));
    if has_twins(&near, &ring) {
        ring = upright(&pair, [-y, y, -z, z]);
    }
    let [a, b, c, d] = ring;
    surface.start_anywhere([far, near, a, b, c, d]);
    Search { minkowski, pair, surface, steps: 0 }.run().ok()
}

/// The lowest corners along directions that are farther from each other.
#[cold]
fn upright(pair: &Relative<'_>, directions: [DVec3; 4]) -> [relative::Corner; 4] {
    directions.map(|direction| pair.lowest(direction))
}

/// [`search`] from four corners, `None` also if they do not surround zero.
pub(super) fn search_from(
    minkowski: &Minkowski<'_>,
    pairs: &[(u32, u32)],
    surface: &mut Surface,
) -> Option<Penetration> {
    let &[a, b, c, d] = pairs else { return None };
    if !minkowski.trusted {
        return None;
    }
    let pair = minkowski.relative();
    let is_inside = surface.start([pair.corner(a), pair.corner(b), pair.corner(c), pair.corner(d)]);
    if !is_inside {
        return None;
    }
    Search { minkowski, pair, surface, steps: 0 }.run().ok()
}

/// Whether corners that are to be neighbours are the same: bodies of few vertices have one for many directions.
#[inline(always)]
fn has_twins(near: &relative::Corner, [a, b, c, d]: &[relative::Corner; 4]) -> bool {
    let same = |p: &relative::Corner, q: &relative::Corner| p.vertices == q.vertices;
    let of_near = same(a, near) | same(b, near) | same(c, near) | same(d, near);
    of_near | same(a, c) | same(c, b) | same(b, d) | same(d, a)
}

struct Search<'a, 'm, 's> {
    minkowski: &'m Minkowski<'a>,
    pair: Relative<'a>,
    surface: &'s mut Surface,
    steps: usize,
}

/// What became of an attempt to prove the depth.
enum Attempt {
    Proved(Penetration),
    /// This triangle is nearer to zero than the upper bound.
    Nearer(u8),
}

impl Search<'_, '_, '_> {
    fn run(mut self) -> Result<Penetration, OutOfReach> {
        let mut place = self.expand()?;
        for _ in 0..ATTEMPTS {
            match self.prove(place)? {
                Attempt::Proved(depth) => return Ok(depth),
                Attempt::Nearer(nearer) => place = self.next(place, nearer)?,
            }
        }
        Err(OutOfReach)
    }

    /// Where to attempt a proof after a triangle was found to be nearer to zero than the upper bound.
    #[cold]
    fn next(&mut self, last: u8, nearer: u8) -> Result<u8, OutOfReach> {
        if self.expand_over(nearer)? {
            self.expand()
        } else if nearer != last {
            // Two triangles are as near but for the rounding of `f32`.
            Ok(nearer)
        } else {
            Err(OutOfReach)
        }
    }

    /// Adds the corner that is highest over a triangle, if that is beyond it.
    ///
    /// Where `f32` does not see the corner there, `f64` does: the corners of the triangle and it are on one side of zero, by more
    /// than rounding, so the surface may be expanded to it all the same.
    fn expand_over(&mut self, place: u8) -> Result<bool, OutOfReach> {
        let corners = self.corners(&self.surface.vertices(place));
        let direction = normal(&corners)?;
        let vertices = self.minkowski.highest(direction).vertices;
        let corner = self.pair.corner(vertices);
        if self.surface.sees(place, corner.point) {
            self.surface.expand(corner)?;
            return Ok(true);
        }
        let lower = self.minkowski.distance_lower_bound(direction, &corners);
        let height = direction.dot(self.minkowski.corner(vertices).point) * self.minkowski.size;
        let is_aside = lower > RELATIVE_WIDTH * self.minkowski.size;
        let is_beyond = is_aside && height * (1.0 - 0.5 * RELATIVE_WIDTH) > lower;
        if is_beyond && !self.surface.has(vertices) {
            self.surface.expand_over(place, corner)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether the surface winds around zero, by `f64`: as [`Surface::is_around`], but for overlaps that are small beside the
    /// error of `f32`.
    ///
    /// Corners are not longer than 1 and err by `11u`, a volume by `33u` from these and `12u` from products and sums.
    #[cold]
    fn winds(&self) -> bool {
        self.surface.live().all(|place| {
            let [a, b, c] = self.corners(&self.surface.vertices(place)).map(|corner| corner.point);
            a.cross(b).dot(c) > 32.0 * f64::EPSILON
        })
    }

    /// Expands the surface until `f32` sees nothing beyond its nearest triangle; which that is, if zero is inside.
    #[inline(always)]
    fn expand(&mut self) -> Result<u8, OutOfReach> {
        loop {
            self.steps += 1;
            let nearest = self.surface.nearest();
            let corner = self.pair.lowest(-self.surface.normal(nearest));
            if !self.surface.sees(nearest, corner.point) {
                let is_around = self.surface.is_around() || self.winds();
                return if is_around { Ok(nearest) } else { Err(OutOfReach) };
            }
            self.surface.expand(corner)?;
        }
    }

    /// Takes the upper bound from a triangle, and proves that no other is nearer.
    fn prove(&self, nearest: u8) -> Result<Attempt, OutOfReach> {
        let vertices = self.surface.vertices(nearest);
        let corners = self.corners(&vertices);
        let direction = normal(&corners)?;
        let upper = self.minkowski.plateau_upper_bound(direction, &vertices);
        let enough = upper * (1.0 - RELATIVE_WIDTH);
        let mut lower = self.minkowski.distance_lower_bound(direction, &corners).min(upper);
        // Also where the upper bound is infinite.
        if lower < enough {
            return Ok(Attempt::Nearer(nearest));
        }
        let mut meets = (corners, least_weight(direction, &corners));
        for place in self.surface.nearer_than(upper / self.minkowski.size).filter(|&place| place != nearest) {
            let corners = self.corners(&self.surface.vertices(place));
            let below = self.distance_lower_bound(&corners, direction, enough)?;
            if below < enough {
                return Ok(Attempt::Nearer(place));
            }
            lower = lower.min(below);
            // The direction may meet another triangle of the same facet.
            if meets.1 < 0.0 {
                let least = least_weight(direction, &corners);
                if least > meets.1 {
                    meets = (corners, least);
                }
            }
        }
        let (point_a, point_b) = self.minkowski.points(direction, &meets.0);
        let steps = self.steps;
        Ok(Attempt::Proved(Penetration { lower, upper, normal: -direction, point_a, point_b, steps }))
    }

    /// How far a triangle is from zero at least: along a direction that it may have in common with another, if that is
    /// enough, else along its normal.
    fn distance_lower_bound(
        &self,
        corners: &[Corner; 3],
        direction: DVec3,
        enough: f64,
    ) -> Result<f64, OutOfReach> {
        let along = self.minkowski.distance_lower_bound(direction, corners);
        if along >= enough {
            Ok(along)
        } else {
            Ok(self.minkowski.distance_lower_bound(normal(corners)?, corners))
        }
    }

    /// Corners in the world.
    #[inline]
    fn corners(&self, vertices: &[(u32, u32); 3]) -> [Corner; 3] {
        let corner = |i: usize| self.minkowski.corner(vertices[i]);
        [corner(0), corner(1), corner(2)]
    }
}

/// The outward normal of a triangle, of unit length but for rounding.
#[inline]
fn normal(corners: &[Corner; 3]) -> Result<DVec3, OutOfReach> {
    let [a, b, c] = corners;
    (b.point - a.point).cross(c.point - a.point).try_normalize().ok_or(OutOfReach)
}

/// Negative if a direction from zero passes beside a triangle.
#[inline]
fn least_weight(direction: DVec3, corners: &[Corner; 3]) -> f64 {
    weights_along(direction, corners).min_element()
}

#[cfg(test)]
mod tests {
    use super::super::penetration::tests::shallow;
    use super::super::penetration::{PenetrationCache, expand_exactly};
    use super::super::relation::{Settled, settle};
    use super::super::view::View;
    use super::*;
    use crate::math::{Pose, Random};
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use crate::support::SupportMap;
    use glam::{DMat3, DQuat};

    /// How often `f32` settled the depth, and how often exact signs had to.
    #[derive(Debug, Default)]
    struct Counts {
        settled: usize,
        left: usize,
    }

    struct Check {
        surface: Surface,
        exact: PenetrationCache,
    }

    impl Check {
        fn new() -> Check {
            Check { surface: Surface::default(), exact: PenetrationCache::default() }
        }

        /// Compares the engines on a pair.
        fn compare(&mut self, [a, b]: [&SupportMap; 2], [pose_a, pose_b]: [&Pose; 2], counts: &mut Counts) {
            let Settled::Overlapping(corners) = settle(&View::new(a, pose_a, b, pose_b), &mut 0) else {
                return;
            };
            let minkowski = Minkowski::new(a, pose_a, b, pose_b);
            let pair = minkowski.relative();
            let axes = pair.axes();
            let near = pair.lowest(axes.first);
            let found = search(&minkowski, pair, &axes, near, &mut self.surface);
            let Some(found) =
                found.or_else(|| search_from(&minkowski, corners.as_slice(), &mut self.surface))
            else {
                counts.left += 1;
                return;
            };
            counts.settled += 1;
            let exact = expand_exactly(minkowski, corners.as_slice(), &mut self.exact);
            let is_narrow = found.upper - found.lower <= RELATIVE_WIDTH * found.upper;
            assert!(0.0 < found.lower && found.lower <= found.upper && is_narrow, "{found:?}");
            assert!(found.lower <= exact.upper && exact.lower <= found.upper, "{found:?} {exact:?}");
            // Of several equal depths either may be found; its points are apart by the depth.
            let apart = found.point_a - found.point_b - found.normal * found.upper;
            let size = a.reach() + b.reach() + (pose_b.translation() - pose_a.translation()).length();
            let far = pose_a.translation().abs().max_element() * f64::EPSILON;
            assert!(apart.length() <= 1e-8 * size + 8.0 * far, "{found:?} {exact:?}");
        }
    }

    fn turned(random: &mut Random) -> DMat3 {
        DMat3::from_quat(DQuat::from_axis_angle(random_direction(random), random.range(0.0, 3.1)))
    }

    /// One of the 24 rotations of a cube, up to rounding of the given size.
    fn quarter_turned(random: &mut Random, noise: f64) -> DMat3 {
        let axis = [DVec3::X, DVec3::Y, DVec3::Z][random.below(3) as usize];
        let (u, v) = axis.any_orthonormal_pair();
        let about = DMat3::from_cols(u, v, u.cross(v));
        let spin = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
        let turns = (0..random.below(4)).fold(about, |turns, _| turns * spin);
        DMat3::from_quat(DQuat::from_axis_angle(random_direction(random), noise)) * turns
    }

    fn scaled(random: &mut Random) -> f64 {
        2f64.powi(random.below(41) as i32 - 20)
    }

    #[test]
    fn bodies_of_all_kinds_agree_with_exact_signs() {
        let (mut random, mut check, mut counts) = (Random::new(11), Check::new(), Counts::default());
        for case in 0..6000 {
            let scale = scaled(&mut random);
            let mut body = || {
                let kind = PolytopeKind::ALL[random.below(4) as usize];
                let count = [4, 8, 20, 60, 300][random.below(5) as usize];
                let sample = random_polytope(kind, count, random.below(1 << 40)).expect("a sample");
                let points: Vec<DVec3> = sample.vertices().iter().map(|v| *v * scale).collect();
                SupportMap::new(Polytope::hull(&points).expect("a hull"))
            };
            let [a, b] = [body(), body()];
            let far = random_direction(&mut random) * [0.0, 1.0, 1e6][case % 3] * scale;
            let along = random_direction(&mut random) * random.range(0.0, 1.2) * scale;
            let pose_a = Pose::new(turned(&mut random), far).expect("in range");
            let pose_b = Pose::new(turned(&mut random), far + along).expect("in range");
            check.compare([&a, &b], [&pose_a, &pose_b], &mut counts);
        }
        println!("{counts:?}");
        assert!(counts.settled > 2000 && counts.left * 50 < counts.settled, "{counts:?}");
    }

    #[test]
    fn depths_above_a_thousandth_are_hardly_ever_left_to_exact_signs() {
        let (mut random, mut check) = (Random::new(12), Check::new());
        let mut counts = [(); 6].map(|()| Counts::default());
        for case in 0..3000 {
            let scale = [1.0, 2f64.powi(-20), 2f64.powi(20)][case % 3];
            let part = 10f64.powi(-((case % 6) as i32));
            let (bodies, poses) = shallow(&mut random, scale, part);
            check.compare([&bodies[0], &bodies[1]], [&poses[0], &poses[1]], &mut counts[case % 6]);
        }
        println!("{counts:?}");
        assert!(counts[..4].iter().all(|c| c.settled > 300 && c.left * 50 <= c.settled), "{counts:?}");
    }

    /// Coplanar facets, parallel edges, equal bodies: what is tied is tied up to rounding, or exactly.
    #[test]
    fn boxes_that_are_aligned_or_almost_agree_with_exact_signs() {
        let (mut random, mut check, mut counts) = (Random::new(13), Check::new(), Counts::default());
        for case in 0..6000 {
            let scale = scaled(&mut random);
            let mut cuboid = || {
                let sides = [1.0, 2.0, 0.25, 1e-3, 1e-6, 30.0];
                let half =
                    DVec3::from_array(std::array::from_fn(|_| sides[random.below(6) as usize])) * scale;
                let corner = |i: u32| {
                    half * DVec3::from_array(std::array::from_fn(
                        |k| if i >> k & 1 == 0 { -1.0 } else { 1.0 },
                    ))
                };
                SupportMap::new(Polytope::hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box"))
            };
            let a = cuboid();
            let b = if case % 5 == 0 { a.clone() } else { cuboid() };
            let noise = [0.0, 1e-16, 1e-12, 1e-8, 1e-6, 1e-4][random.below(6) as usize];
            let shift: DVec3 =
                DVec3::from_array(std::array::from_fn(|_| [0.0, 0.25, 0.5, 1e-7][random.below(4) as usize]));
            let far = random_direction(&mut random) * [0.0, 1e5][case % 2] * scale;
            let pose_a = Pose::new(quarter_turned(&mut random, noise), far).expect("in range");
            let pose_b =
                Pose::new(quarter_turned(&mut random, noise), far + shift * scale).expect("in range");
            check.compare([&a, &b], [&pose_a, &pose_b], &mut counts);
        }
        println!("{counts:?}");
        assert!(counts.settled > 1000, "{counts:?}");
    }

    /// Poses as skew as they may be: the frame of A is then off by `1e-9`, as much as the bracket is wide.
    #[test]
    fn skew_poses_agree_with_exact_signs() {
        let (mut random, mut check, mut counts) = (Random::new(14), Check::new(), Counts::default());
        for case in 0..3000u64 {
            let kind = PolytopeKind::ALL[case as usize % 4];
            let [a, b] =
                [0, 1].map(|i| SupportMap::new(random_polytope(kind, 30, 2 * case + i).expect("a sample")));
            let mut pose = |at: DVec3| {
                let skew = DMat3::from_cols_array(&std::array::from_fn(|_| random.range(-2.4e-10, 2.4e-10)));
                Pose::new(turned(&mut random) * (DMat3::IDENTITY + skew), at)
                    .expect("skew by less than the limit")
            };
            let [pose_a, pose_b] = [pose(DVec3::ZERO), pose(DVec3::new(0.1, 0.2, 0.05))];
            check.compare([&a, &b], [&pose_a, &pose_b], &mut counts);
        }
        println!("{counts:?}");
        assert!(counts.settled > 2000, "{counts:?}");
    }
}
