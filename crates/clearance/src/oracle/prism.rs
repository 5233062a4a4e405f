//! Algorithm 1 beside a body that is swept: the convex hull of where it starts and where it ends.

use super::compare::same;
use super::point_sets::lattice;
use crate::Pose;
use crate::math::Random;
use crate::pair::{Relation, relation};
use crate::shape::Polytope;
use crate::spacetime::lattice::{AlgorithmOneStats, Decision, Motion, PrismHierarchy, algorithm_one};
use crate::support::SupportMap;
use glam::{DVec3, dvec3};

/// Two convex bodies under straight translation, from time 0 to 1. All coordinates are small whole numbers times a power
/// of two, so that sums are exact.
#[derive(Clone, Debug)]
pub struct TranslatingPair {
    /// The bodies at the start.
    pub bodies: [Polytope; 2],
    /// Their displacements.
    pub velocities: [DVec3; 2],
}

impl TranslatingPair {
    /// Points, segments, polygons and solids; some of them at rest, alike, huge, tiny or far from the origin.
    pub fn random(random: &mut Random) -> TranslatingPair {
        let scale = f64::powi(2.0, [0, 20, -20][random.below(3) as usize]);
        let far = if random.below(4) == 0 { f64::powi(2.0, 30) * DVec3::ONE } else { DVec3::ZERO };
        let flat = if random.below(7) == 0 { dvec3(1.0, 1.0, 0.0) } else { DVec3::ONE };
        let size = 2 + random.below(5);
        let offset = lattice(random, size);
        let mut points = || -> Vec<DVec3> {
            let count = 1 + random.below(12);
            (0..count).map(|_| flat * lattice(random, 3)).collect()
        };
        let (a, b) = (points(), points());
        let b = if random.below(11) == 0 { a.clone() } else { b };
        let hull = |points: &[DVec3], offset: DVec3| {
            let placed: Vec<DVec3> = points.iter().map(|&p| scale * (p + offset + far)).collect();
            Polytope::hull(&placed).expect("points in range")
        };
        let is_resting = random.below(5) == 0;
        let mut velocity = || if is_resting { DVec3::ZERO } else { scale * lattice(random, 5) };
        TranslatingPair {
            bodies: [hull(&a, DVec3::ZERO), hull(&b, offset)],
            velocities: [velocity(), velocity()],
        }
    }

    /// The relation of the first body, swept by its motion relative to the second, to the second. Disjoint if and only if
    /// the bodies do not collide: a common velocity changes nothing.
    pub fn swept_relation(&self) -> Relation {
        let [a, b] = &self.bodies;
        let way = self.velocities[0] - self.velocities[1];
        let swept: Vec<DVec3> = a.vertices().iter().flat_map(|&v| [v, v + way]).collect();
        let swept = SupportMap::new(Polytope::hull(&swept).expect("points in range"));
        relation(&swept, &Pose::IDENTITY, &SupportMap::new(b.clone()), &Pose::IDENTITY)
    }

    /// What Algorithm 1 says.
    pub fn collides(&self) -> bool {
        let hierarchy = |i: usize| {
            let motion = Motion::new(self.velocities[i], 0.0..1.0)?;
            PrismHierarchy::build(&self.bodies[i], &Pose::IDENTITY, &motion)
        };
        let decision = hierarchy(0)
            .zip(hierarchy(1))
            .map(|(a, b)| algorithm_one(&a, &b, &mut AlgorithmOneStats::default()));
        matches!(decision, Some(Decision::Collide { .. }))
    }
}

/// One random pair.
pub(super) fn compare(random: &mut Random) -> Result<(), String> {
    let pair = TranslatingPair::random(random);
    same(pair.collides(), pair.swept_relation() != Relation::Disjoint, || format!("{pair:?}"))
}
