//! First contact of two convex bodies by certified conservative advancement.
//!
//! At a time at which a direction separates the bodies, each vertex has a height over a plane across that direction, and a
//! velocity along it; its acceleration is at most the square of the angular velocity times its distance from the axis. So a
//! parabola below its height tells how long it stays above the plane for sure, and the plane separates the bodies until the
//! first vertex may reach it. Another direction is taken there, and so on: no contact is passed. Near the contact the steps
//! shrink as those of Newton's method do. That the bodies have met is proved by an overlap deeper than what rounding does.

use super::motion::{At, Mover};
use super::outcome::{ScrewImpact, ScrewOutcome};
use crate::math::Pose;
use crate::pair::{
    Convex, ConvexError, ConvexRelation, Distance, DistanceConfig, Feature, GilbertCache, Relation,
    distance_with, relate,
};
use crate::support::SupportMap;
use glam::DVec3;

/// Unit roundoff.
const U: f64 = 0.5 * f64::EPSILON;

/// Steps before the case is left undecided; bodies that do not graze need about ten.
const ROUNDS: usize = 500;

/// Width of the bracket of a first contact, a little less than promised.
const WIDTH: f64 = 0.9e-9;

/// Distances only propose directions.
const COARSE: DistanceConfig = DistanceConfig { relative_width: 1e-3 };

/// A body with a polytope as its core.
struct Body<'a> {
    map: &'a SupportMap,
    convex: &'a Convex,
    radius: f64,
    mover: Mover<'a>,
}

/// Two bodies that are disjoint at the start.
pub(super) struct Advance<'a> {
    a: Body<'a>,
    b: Body<'a>,
}

/// How long a direction separates.
struct Step {
    direction: DVec3,
    time: f64,
}

impl<'a> Advance<'a> {
    /// `None` if a core is no polytope.
    pub fn new(a: (&'a Convex, Mover<'a>), b: (&'a Convex, Mover<'a>)) -> Option<Advance<'a>> {
        let body = |(convex, mover): (&'a Convex, Mover<'a>)| {
            Some(Body { map: convex.core()?, convex, radius: convex.radius(), mover })
        };
        Some(Advance { a: body(a)?, b: body(b)? })
    }

    /// From a start at which they are disjoint.
    pub fn run(&self) -> Result<ScrewOutcome, ConvexError> {
        let mut cache = GilbertCache::default();
        // No contact up to here.
        let mut t = 0.0_f64;
        let mut last: Option<DVec3> = None;
        for round in 0..ROUNDS {
            let (Some(at_a), Some(at_b)) = (self.a.mover.at(t), self.b.mover.at(t)) else { break };
            let found = distance_with(self.a.map, &at_a.pose, self.b.map, &at_b.pose, &COARSE, &mut cache);
            let mut best = self.best_step(&found, [&at_a, &at_b], last);
            if best.time < WIDTH {
                // So close the direction between the closest points is rounded too much for faces that are nearly flush.
                best = self.best_around(&found, [&at_a, &at_b], best);
            }
            let reached = (t + best.time).next_down().max(t);
            if reached >= 1.0 {
                return Ok(ScrewOutcome::None);
            }
            let is_close = best.time < 0.3 * WIDTH;
            // Not at every step: a proof of overlap costs more than one.
            if is_close && (round % 8 == 0 || best.time < 0.01 * WIDTH) {
                let upper = (reached + WIDTH).min(1.0);
                if self.meets_at(upper)? {
                    let impact = ScrewImpact {
                        lower: reached,
                        upper,
                        point: 0.5 * (found.point_a + found.point_b),
                        normal: best.direction,
                    };
                    return Ok(ScrewOutcome::Hit(impact));
                }
            }
            last = Some(best.direction);
            if reached <= t {
                break;
            }
            t = reached;
        }
        Ok(ScrewOutcome::Undecided { lower: t, upper: None })
    }

    /// The direction that separates longest, of those that the closest features and the last step propose.
    fn best_step(&self, found: &Distance, at: [&At; 2], last: Option<DVec3>) -> Step {
        let between = (found.point_b - found.point_a).try_normalize();
        let faces = [
            self.a.face_normal(&found.feature_a, at[0]),
            self.b.face_normal(&found.feature_b, at[1]).map(|n| -n),
            self.edges_normal(found, at),
            last,
        ];
        let toward = between.or(last).unwrap_or(DVec3::X);
        let mut best = Step {
            direction: toward,
            time: if between.is_some() { self.safe_time(toward, at) } else { 0.0 },
        };
        for normal in faces.into_iter().flatten() {
            let time = self.safe_time(normal, at);
            if time > best.time {
                best = Step { direction: normal, time };
            }
        }
        best
    }

    /// The best of the normals of all faces around the closest features, and of all pairs of edges there.
    fn best_around(&self, found: &Distance, at: [&At; 2], known: Step) -> Step {
        let toward = known.direction;
        let faces_a = self.a.normals_around(&found.feature_a, at[0]);
        let faces_b = self.b.normals_around(&found.feature_b, at[1]).map(|n| -n);
        let (edges_a, edges_b) =
            (self.a.edges_around(&found.feature_a, at[0]), self.b.edges_around(&found.feature_b, at[1]));
        let crossings =
            edges_a.iter().flat_map(|u| edges_b.iter().filter_map(|w| u.cross(*w).try_normalize()));
        let along = crossings.map(|n| if n.dot(toward) < 0.0 { -n } else { n });
        let mut best = known;
        for direction in faces_a.chain(faces_b).chain(along) {
            let time = self.safe_time(direction, at);
            if time > best.time {
                best = Step { direction, time };
            }
        }
        best
    }

    /// At a right angle to two edges, from A to B.
    fn edges_normal(&self, found: &Distance, at: [&At; 2]) -> Option<DVec3> {
        let (Feature::Edge(edge_a), Feature::Edge(edge_b)) = (found.feature_a, found.feature_b) else {
            return None;
        };
        let along = |body: &Body<'_>, [v, w]: [u32; 2], at: &At| {
            at.pose.apply_vector(body.map.vertex(w) - body.map.vertex(v))
        };
        let normal = along(&self.a, edge_a, at[0]).cross(along(&self.b, edge_b, at[1])).try_normalize()?;
        Some(if normal.dot(found.point_b - found.point_a) < 0.0 { -normal } else { normal })
    }

    /// How long a plane across a direction, or one that moves along with A, separates the bodies for sure; zero if that is not
    /// proved at the start.
    ///
    /// Along `n` a point of B rises by at least `v s - a s^2 / 2` in `s`, one of A by at most `v s + a s^2 / 2`.
    fn safe_time(&self, n: DVec3, [at_a, at_b]: [&At; 2]) -> f64 {
        let (slope_a, slope_b) = (self.a.slope(n, at_a), self.b.slope(n, at_b));
        let (mut top, mut top_speed) = (f64::NEG_INFINITY, 0.0);
        for &v in self.a.map.polytope().vertices() {
            let height = slope_a.height(v);
            if height > top {
                (top, top_speed) = (height, slope_a.speed(v));
            }
        }
        let top = top + slope_a.height_error;
        let bottom =
            self.b.map.polytope().vertices().iter().map(|&v| slope_b.height(v)).fold(f64::INFINITY, f64::min)
                - slope_b.height_error;
        let gap = bottom - top;
        if gap.is_nan() || gap <= 0.0 {
            return 0.0;
        }
        let (level, speed) = if self.a.mover.is_at_rest { (top, 0.0) } else { (top + 0.05 * gap, top_speed) };
        let mut time = f64::INFINITY;
        for &v in self.b.map.polytope().vertices() {
            let height = slope_b.height(v) - slope_b.height_error - level;
            let rises = slope_b.speed(v) - speed - slope_b.speed_error - 4.0 * U * speed.abs();
            time = time.min(reaching_zero(height, rises, slope_b.acceleration));
        }
        if !self.a.mover.is_at_rest {
            for &v in self.a.map.polytope().vertices() {
                let height = level - slope_a.height(v) - slope_a.height_error;
                let rises = speed - slope_a.speed(v) - slope_a.speed_error - 4.0 * U * speed.abs();
                time = time.min(reaching_zero(height, rises, slope_a.acceleration));
            }
        }
        time * (1.0 - 1e-12)
    }

    /// Whether they overlap by more than rounding of their places may do.
    fn meets_at(&self, t: f64) -> Result<bool, ConvexError> {
        let (Some(at_a), Some(at_b)) = (self.a.mover.at(t), self.b.mover.at(t)) else { return Ok(false) };
        let off = at_a.off.within(self.a.map.reach()) + at_b.off.within(self.b.map.reach());
        overlap_by(self.a.convex, &at_a.pose, self.b.convex, &at_b.pose, 1.01 * off)
    }
}

/// Whether two bodies overlap by more than a length.
pub(super) fn overlap_by(
    a: &Convex,
    pose_a: &Pose,
    b: &Convex,
    pose_b: &Pose,
    length: f64,
) -> Result<bool, ConvexError> {
    let answer = relate(a, pose_a, b, pose_b)?;
    let is_overlap = answer.relation == ConvexRelation::Exact(Relation::Overlapping);
    Ok(is_overlap && answer.depth.is_some_and(|depth| depth.lower > length))
}

/// Heights and speeds of the points of a body along a direction, as linear functions of the point in the body's frame.
struct Slope {
    height: DVec3,
    base: f64,
    speed: DVec3,
    base_speed: f64,
    /// Of a height: rounding, the deviation of the pose, and the radius around the core.
    height_error: f64,
    speed_error: f64,
    acceleration: f64,
}

impl Slope {
    #[inline]
    fn height(&self, v: DVec3) -> f64 {
        self.height.dot(v) + self.base
    }

    #[inline]
    fn speed(&self, v: DVec3) -> f64 {
        self.speed.dot(v) + self.base_speed
    }
}

impl Body<'_> {
    /// Heights take 12 roundings of products of sizes up to `s = |t| + reach`; speeds as many of `rate` times the distance from
    /// the axis, and the angular velocity itself is rounded: `32u` and `64u` of these cover them. A place that is off by `d` has
    /// a speed that is off by `rate d`.
    fn slope(&self, n: DVec3, at: &At) -> Slope {
        let (rotation, translation) = (at.pose.rotation().transpose(), at.pose.translation());
        let reach = self.map.reach();
        let off = at.off.within(reach);
        let across = n.cross(self.mover.omega);
        let radius = self.mover.radius(reach);
        let fastest = self.mover.speed(reach);
        let size = translation.abs().element_sum() + reach + self.radius;
        Slope {
            height: rotation * n,
            base: n.dot(translation),
            speed: rotation * across,
            base_speed: n.dot(self.mover.drift) + across.dot(translation - at.center),
            height_error: (self.radius + off + 32.0 * U * size) * (1.0 + 8.0 * U),
            speed_error: (64.0 * U * (fastest + self.mover.rate * size) + self.mover.rate * off) * 1.01,
            acceleration: self.mover.rate * self.mover.rate * radius * (1.0 + 1e-12),
        }
    }

    /// The outward normals of all faces at the vertices of a feature, in the world.
    fn normals_around(&self, feature: &Feature, at: &At) -> impl Iterator<Item = DVec3> {
        let polytope = self.map.polytope();
        let faces = polytope.faces().filter(|face| feature.vertices().iter().any(|v| face.contains(v)));
        let normals =
            faces.filter_map(|face| self.face_normal(&Feature::Face([face[0], face[1], face[2]]), at));
        normals.collect::<Vec<_>>().into_iter()
    }

    /// The directions of all edges at the vertices of a feature, in the world.
    fn edges_around(&self, feature: &Feature, at: &At) -> Vec<DVec3> {
        let polytope = self.map.polytope();
        let from = |v: u32| polytope.neighbours(v as usize).iter().map(move |&w| (v, w));
        let edges = feature.vertices().iter().flat_map(|&v| from(v));
        edges.map(|(v, w)| at.pose.apply_vector(self.map.vertex(w) - self.map.vertex(v))).collect()
    }

    /// The outward normal of a face, in the world.
    fn face_normal(&self, feature: &Feature, at: &At) -> Option<DVec3> {
        let Feature::Face(name) = feature else { return None };
        let polytope = self.map.polytope();
        let [p, q, r] = name.map(|v| polytope.vertices()[v as usize]);
        let normal = (q - p).cross(r - p).try_normalize()?;
        // Three of its vertices in any order: the body is on the other side.
        let outward = if normal.dot(polytope.centroid() - p) > 0.0 { -normal } else { normal };
        at.pose.apply_vector(outward).try_normalize()
    }
}

/// The first `s >= 0` at which `height + speed s - acceleration s^2 / 2` is zero, a little early; infinite if there is none.
fn reaching_zero(height: f64, speed: f64, acceleration: f64) -> f64 {
    if height <= 0.0 {
        return 0.0;
    }
    let root = (speed * speed + 2.0 * acceleration * height).sqrt();
    let time = if speed < 0.0 {
        2.0 * height / (root - speed)
    } else if acceleration > 0.0 {
        (speed + root) / acceleration
    } else {
        f64::INFINITY
    };
    // Five roundings.
    time * (1.0 - 8.0 * U)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn parabolas_are_not_negative_before_they_reach_zero() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let size = 10f64.powf(random.range(-12.0, 6.0));
            let (height, speed) = (random.unit() * size, random.range(-1.0, 1.0));
            let acceleration = if random.below(3) == 0 { 0.0 } else { random.unit() * 10.0 };
            let time = reaching_zero(height, speed, acceleration);
            if time.is_finite() {
                let at = |s: f64| height + speed * s - 0.5 * acceleration * s * s;
                let scale = height + (speed * time).abs() + acceleration * time * time;
                assert!(at(time) >= -1e-14 * scale && at(0.5 * time) >= 0.0);
                assert!(at(time * 1.001) < 1e-14 * scale, "{height} {speed} {acceleration} {time}");
            } else {
                assert!(speed >= 0.0 && acceleration == 0.0);
            }
        }
    }
}
