//! The support function of a prepared polytope under a pose, with a ball around it if wanted.

use super::exact::{climb, plateau};
use super::normal::unit;
use crate::exact::{Sign, Vector, dot_sign};
use crate::math::Pose;
use crate::support::SupportMap;
use glam::DVec3;

/// A prepared polytope under a pose, grown by a ball of some radius: directions and points are in the world.
///
/// ```
/// use clearance::{Pose, glam::DVec3, pair::PosedSupport, shape::Polytope, support::SupportMap};
/// let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
/// let cube = SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>())?);
/// let there = Pose::from_translation(DVec3::X * 5.0)?;
/// let rounded = PosedSupport::new(&cube, &there).grown(0.5);
/// let found = rounded.extreme(DVec3::new(2.0, 1.0, 1.0), None).expect("a direction");
/// assert!((found.point - DVec3::new(6.0, 1.0, 1.0)).length() > 0.49);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PosedSupport<'a> {
    map: &'a SupportMap,
    pose: &'a Pose,
    radius: f64,
}

/// An extreme point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedExtreme {
    /// Exactly extreme among the exact images of the vertices; where several are, the one with the least number.
    pub vertex: u32,
    /// Its image, moved along the direction by the radius; rounded.
    pub point: DVec3,
}

impl<'a> PosedSupport<'a> {
    /// The polytope itself.
    pub fn new(map: &'a SupportMap, pose: &'a Pose) -> PosedSupport<'a> {
        PosedSupport { map, pose, radius: 0.0 }
    }

    /// With a ball around it; a negative radius, or NaN, counts as zero.
    pub fn grown(self, radius: f64) -> PosedSupport<'a> {
        PosedSupport { radius: radius.max(0.0), ..self }
    }

    /// The extreme point along a direction, walking from a hint if there is one; `None` for a direction that is zero or
    /// not finite.
    ///
    /// The same for every hint. Costs a look-up and a short walk; exact signs only where vertices tie up to rounding.
    pub fn extreme(&self, direction: DVec3, hint: Option<u32>) -> Option<PosedExtreme> {
        let is_direction = direction.is_finite() && direction != DVec3::ZERO;
        is_direction.then(|| {
            let vertex = self.vertex(direction, hint);
            let out = if self.radius > 0.0 { unit(direction) } else { None };
            let ball = out.map_or(DVec3::ZERO, |out| out * self.radius);
            PosedExtreme { vertex, point: self.pose.apply(self.map.vertex(vertex)) + ball }
        })
    }

    fn vertex(&self, direction: DVec3, hint: Option<u32>) -> u32 {
        let along = self.pose.rotation().transpose() * direction;
        let known = hint.filter(|&vertex| (vertex as usize) < self.map.polytope().vertices().len());
        let found = self.map.climb(along, known.unwrap_or_else(|| self.map.start(along)));
        if found.proved { found.vertex } else { self.vertex_exactly(direction, found.vertex) }
    }

    #[cold]
    fn vertex_exactly(&self, direction: DVec3, from: u32) -> u32 {
        let polytope = self.map.polytope();
        let at = |vertex: u32| self.pose.at(polytope.vertices()[vertex as usize]);
        let rises = |from: u32, to: u32| dot_sign(direction, Vector::Between(at(from), at(to)));
        let top = climb(polytope, from, rises);
        let level = plateau(polytope, top, |other| rises(top, other) == Sign::Zero);
        level.into_iter().min().unwrap_or(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::shape::Polytope;
    use crate::shape::sample::{PolytopeKind, random_polytope};
    use glam::DQuat;

    fn cube() -> SupportMap {
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
        SupportMap::new(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap())
    }

    /// Every vertex against every other, by exact signs.
    fn slow(map: &SupportMap, pose: &Pose, direction: DVec3) -> u32 {
        let at = |vertex: u32| pose.at(map.vertex(vertex));
        let count = map.polytope().vertices().len() as u32;
        (1..count).fold(0, |best, other| {
            let rise = dot_sign(direction, Vector::Between(at(best), at(other)));
            if rise.is_positive() { other } else { best }
        })
    }

    #[test]
    fn the_vertex_is_that_of_trying_all_whatever_the_hint() {
        let mut random = Random::new(3);
        let bodies = [4, 20, 200].map(|n| random_polytope(PolytopeKind::Plate, n, 9).unwrap());
        let bodies = bodies.map(SupportMap::new).into_iter().chain([cube()]).collect::<Vec<_>>();
        for _ in 0..2000 {
            let map = &bodies[random.below(4) as usize];
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.range(-1.0, 1.0)));
            let turn = DQuat::from_scaled_axis(vector().round());
            let pose = Pose::from_quaternion(turn, vector() * 1e6).unwrap();
            let random_direction = vector();
            // Axes of turned cubes tie, up to rounding or exactly.
            for direction in [random_direction, random_direction.round(), pose.rotation().x_axis, DVec3::Z] {
                let support = PosedSupport::new(map, &pose);
                let hint = random.below(500) as u32;
                let found = [support.extreme(direction, None), support.extreme(direction, Some(hint))];
                let want = (direction != DVec3::ZERO).then(|| slow(map, &pose, direction));
                assert_eq!(found.map(|f| f.map(|f| f.vertex)), [want; 2], "{direction}");
            }
        }
    }

    #[test]
    fn a_ball_moves_the_point_along_the_direction_at_any_scale() {
        let (cube, pose) = (cube(), Pose::IDENTITY);
        // The reciprocal of subnormal numbers is beyond all floats, that of the largest ones is subnormal itself.
        for scale in [5e-324, 2f64.powi(-1070), 1e-300, 1.0, 1e300, 2f64.powi(1021)] {
            let direction = DVec3::new(3.0, 0.0, 4.0) * scale;
            let found = PosedSupport::new(&cube, &pose).grown(2.0).extreme(direction, None).unwrap();
            assert_eq!(found.vertex, slow(&cube, &pose, direction));
            let moved = found.point - cube.vertex(found.vertex);
            assert!((moved - DVec3::new(1.2, 0.0, 1.6)).length() < 1e-15, "{direction}");
        }
        for scale in [5e-324, 1e-310] {
            let found = PosedSupport::new(&cube, &pose).grown(0.5).extreme(DVec3::X * scale, None).unwrap();
            assert_eq!(found.point, cube.vertex(found.vertex) + DVec3::X * 0.5);
        }
        let support = PosedSupport::new(&cube, &pose).grown(f64::NAN);
        assert_eq!(support.extreme(DVec3::ONE, None).unwrap().point, DVec3::ONE);
        for direction in [DVec3::ZERO, DVec3::NAN, DVec3::new(f64::INFINITY, 0.0, 0.0)] {
            assert_eq!(support.extreme(direction, None), None);
        }
    }
}
