//! Algorithm 1: whether two convex polyhedra under translation collide [Joseph87 §2].

use super::hierarchy::PrismHierarchy;
use super::linear::{Rational, Vector, along, dot, minus};
use super::nearest::Mean;
use crate::support::HierarchyStats;

/// Whether two moving bodies collide, with the proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// They do: this point of space-time, time last, lies in both prisms. It need not be the first.
    Collide {
        /// The point.
        point: Vector,
    },
    /// They do not: these are the nearest points of the two prisms. The hyperplanes through them, perpendicular to
    /// their difference, separate the prisms.
    Free {
        /// A point of each prism.
        points: [Vector; 2],
        /// The square of their distance in space-time.
        distance_squared: Rational,
    },
}

/// What Algorithm 1 did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlgorithmOneStats {
    /// Pairs of levels for which the nearest points were found.
    pub levels: u64,
    /// Pairs of levels at which they moved.
    pub moved: u64,
    /// Pairs of vertices that were taken in, in all levels.
    pub steps: u64,
    /// The most of them in one level.
    pub most_steps: u64,
    /// Systems of at most four equations that were solved.
    pub solved: u64,
    /// What searches for extreme vertices looked at.
    pub search: HierarchyStats,
}

/// Decides whether two convex bodies collide, from the hierarchies of their prisms: the paper's Algorithm 1.
///
/// From coarse to fine, the nearest points of two levels are found from those of the levels before. If they coincide,
/// the bodies collide, because levels lie inside the prisms. If the hyperplanes perpendicular to their difference bound
/// the next levels, too, they are nearest there as well. Else they move; and of each prism only one vertex that the
/// coarser level lacks lies beyond its hyperplane: what lies beyond is convex, so connected, and is covered by the
/// pockets of such vertices, which are disjoint because no two of these vertices are neighbours.
///
/// All numbers are exact, so the answer is. Both motions must have the same interval of time; bodies that touch collide.
/// Once the hierarchies are built, `O(log^2 n)` operations if the steps in a level are few. That they are is measured
/// (`lab joseph87`) and not proved.
///
/// Differs from the paper: 1. Each hierarchy starts at its own coarsest level: at level `min(r, s)` one of them may be
/// far from a simplex. A hierarchy that is exhausted waits for the other. 2. The paper refers to Dobkin and Kirkpatrick
/// for the nearest points of a level. Their argument, above, says where the vertex beyond is; the nearest point of
/// the *other* prism may be anywhere then. So both are found by Wolfe's algorithm, from where they were, with
/// extreme vertices from the hierarchies. 3. It decides, and says nothing about the time of the first contact: that is
/// [`first_collision`](super::first_collision).
///
/// ```
/// use clearance::{Pose, glam::DVec3, shape::{Polytope, sample::cube}};
/// use clearance::spacetime::lattice::{Decision, Motion, PrismHierarchy, algorithm_one};
/// let cube = Polytope::hull(&cube(1.0).positions)?;
/// let far = Pose::from_translation(DVec3::new(5.0, 0.5, 0.0))?;
/// let moving = |pose: &Pose, velocity| {
///     PrismHierarchy::build(&cube, pose, &Motion::new(velocity, 0.0..2.0)?)
/// };
/// let resting = moving(&far, DVec3::ZERO).ok_or("a motion")?;
/// let (fast, slow) = (moving(&Pose::IDENTITY, DVec3::X * 2.0), moving(&Pose::IDENTITY, DVec3::X));
/// let decide = |hierarchy: Option<PrismHierarchy<'_>>| {
///     hierarchy.map(|h| algorithm_one(&h, &resting, &mut Default::default()))
/// };
/// assert!(matches!(decide(fast), Some(Decision::Collide { .. })));
/// assert!(matches!(decide(slow), Some(Decision::Free { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn algorithm_one(
    a: &PrismHierarchy<'_>,
    b: &PrismHierarchy<'_>,
    stats: &mut AlgorithmOneStats,
) -> Decision {
    let mean = descend([a, b], stats, |_, _| {});
    let point = |side: usize, prism: &PrismHierarchy<'_>| {
        let zero = vec![Rational::ZERO; mean.point.len()];
        mean.weighted(side).fold(zero, |sum, (vertex, weight)| along(&sum, weight, &prism.point(vertex)))
    };
    let points = [point(0, a), point(1, b)];
    if mean.is_zero() {
        let [point, _] = points;
        return Decision::Collide { point };
    }
    Decision::Free { points, distance_squared: dot(&mean.point, &mean.point) }
}

/// The nearest points of the finest levels, or of the first levels that share a point; `visit` sees those of all.
fn descend(
    prisms: [&PrismHierarchy<'_>; 2],
    stats: &mut AlgorithmOneStats,
    mut visit: impl FnMut([usize; 2], &Mean),
) -> Mean {
    let counts = prisms.map(PrismHierarchy::level_count);
    let mut levels = counts.map(|count| count - 1);
    let anywhere = vec![Rational::ZERO; 4];
    let first = [0, 1].map(|i| prisms[i].extreme(levels[i], &anywhere, &mut stats.search));
    let mut mean = Mean::new(first, minus(&prisms[0].point(first[0]), &prisms[1].point(first[1])));
    loop {
        nearest(prisms, levels, &mut mean, stats);
        visit(levels, &mean);
        if mean.is_zero() || levels == [0, 0] {
            return mean;
        }
        levels = levels.map(|level| level.saturating_sub(1));
    }
}

/// Moves to the nearest points of two levels.
fn nearest(
    prisms: [&PrismHierarchy<'_>; 2],
    levels: [usize; 2],
    mean: &mut Mean,
    stats: &mut AlgorithmOneStats,
) {
    stats.levels += 1;
    let mut steps = 0;
    while !mean.is_zero() {
        let forth: Vector = mean.point.clone();
        let back: Vector = forth.iter().map(|x| -x).collect();
        let vertices = [
            prisms[0].extreme(levels[0], &back, &mut stats.search),
            prisms[1].extreme(levels[1], &forth, &mut stats.search),
        ];
        let difference = minus(&prisms[0].point(vertices[0]), &prisms[1].point(vertices[1]));
        if dot(&difference, &forth) >= dot(&forth, &forth) {
            break;
        }
        stats.solved += mean.add(vertices, difference);
        steps += 1;
    }
    stats.steps += steps;
    stats.moved += u64::from(steps > 0);
    stats.most_steps = stats.most_steps.max(steps);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use crate::math::Random;
    use crate::shape::sample::{PolytopeKind, random_direction, random_polytope};
    use crate::spacetime::lattice::{Motion, PrismVertex, TimeEnd};
    use glam::DVec3;

    /// The argument of Dobkin and Kirkpatrick, in four dimensions: beyond the hyperplane at the nearest point of a level
    /// there is at most one vertex of the next finer level.
    #[test]
    fn at_most_one_vertex_of_the_next_level_lies_beyond() {
        let mut random = Random::new(1);
        let mut beyond = [0; 2];
        for seed in 0..12 {
            let bodies = [0, 1].map(|i| random_polytope(PolytopeKind::Ellipsoid, 40, 2 * seed + i).unwrap());
            let poses = [DVec3::ZERO, 2.2 * random_direction(&mut random)];
            let prisms = [0, 1].map(|i| {
                let motion = Motion::new(0.4 * random_direction(&mut random), 0.0..1.0).unwrap();
                let pose = Pose::from_translation(poses[i]).unwrap();
                PrismHierarchy::build(&bodies[i], &pose, &motion).unwrap()
            });
            descend([&prisms[0], &prisms[1]], &mut AlgorithmOneStats::default(), |levels, mean| {
                for side in (0..2).filter(|&side| levels[side] > 0 && !mean.is_zero()) {
                    let count = vertices_beyond(&prisms[side], levels[side], side, mean);
                    assert!(count <= 1, "{count} vertices");
                    beyond[count] += 1;
                }
            });
        }
        assert!(beyond.iter().all(|&count| count > 20), "{beyond:?}");
    }

    fn vertices_beyond(prism: &PrismHierarchy<'_>, level: usize, side: usize, mean: &Mean) -> usize {
        let height = |vertex: PrismVertex| {
            let height = dot(&mean.point, &prism.point(vertex));
            if side == 0 { -height } else { height }
        };
        let plane = mean.weighted(side).fold(Rational::ZERO, |sum, (v, weight)| sum + weight * height(v));
        let is_new = |v: &PrismVertex| prism.has(level - 1, *v) && !prism.has(level, *v);
        let copies = |vertex| [TimeEnd::Start, TimeEnd::End].map(|end| PrismVertex { vertex, end });
        (0..40).flat_map(copies).filter(is_new).filter(|&v| height(v) > plane).count()
    }
}
