//! How long a plane that is carried along by one of two convex bodies separates them, for sure.
//!
//! Seen from the carrier its own vertices rest, and those of the other body have a height over the plane, of which two derivatives
//! and a bound of the third are known. A parabola below the height tells how long the vertex stays above the plane.

use super::fall::{Bounds, Fall};
use super::motion::{At, Mover};
use crate::pair::Convex;
use crate::support::SupportMap;
use glam::DVec3;

/// Unit roundoff.
pub(super) const U: f64 = 0.5 * f64::EPSILON;

/// Width of the bracket of a first contact, a little less than promised.
pub(super) const WIDTH: f64 = 0.9e-9;

/// A body with a polytope as its core.
pub(super) struct MovingBody<'a> {
    pub map: &'a SupportMap,
    pub convex: &'a Convex,
    pub radius: f64,
    pub mover: &'a Mover<'a>,
    /// Not below the distance of any vertex from the origin of the body.
    pub far: f64,
    /// Not below the acceleration of any vertex, and its speed.
    pub acceleration: f64,
    pub speed: f64,
}

/// How long something separates two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// For so long at least; zero if it is not proved to do so now.
    pub time: f64,
    /// About so long, if what comes nearest first goes on as it does now; no longer than it is asked about.
    pub estimate: f64,
}

impl Hold {
    pub const NONE: Hold = Hold { time: 0.0, estimate: f64::INFINITY };

    /// Whether the proof holds for most of the time that is to be expected.
    pub fn is_efficient(&self) -> bool {
        self.time > 0.0 && self.time >= 0.3 * self.estimate
    }

    /// Whether it holds for so little of the time that is left that it is worth a search for a better one.
    pub fn is_creeping(&self, horizon: f64) -> bool {
        !self.is_efficient() && self.time < 0.02 * horizon
    }

    /// Whether it is expected to end as soon as the proof does.
    pub fn is_about_to_end(&self) -> bool {
        self.estimate - self.time < 0.4 * WIDTH
    }
}

impl<'a> MovingBody<'a> {
    /// `None` if the core is no polytope.
    pub fn new((convex, mover): (&'a Convex, &'a Mover<'a>)) -> Option<MovingBody<'a>> {
        let map = convex.core()?;
        let center = map.polytope().centroid();
        let far = map.reach().min((center.length() + map.radius()) * (1.0 + 1e-12));
        let radius = convex.radius();
        let acceleration = if mover.is_at_rest {
            0.0
        } else {
            mover.rate * mover.rate * mover.radius(far + radius) * (1.0 + 1e-12)
        };
        let speed = mover.speed(far + radius);
        Some(MovingBody { map, convex, radius, mover, far, acceleration, speed })
    }

    pub fn vertices(&self) -> &'a [DVec3] {
        self.map.polytope().vertices()
    }

    /// Where its middle is at the start, rounded.
    pub fn middle(&self) -> DVec3 {
        self.mover.from.apply(self.map.polytope().centroid())
    }

    /// Where a vertex is, rounded.
    pub fn place(&self, vertex: u32, at: &At) -> DVec3 {
        at.pose.apply(self.map.vertex(vertex))
    }

    /// How far the places of its vertices may be off, beside rounding.
    pub fn off(&self, at: &At) -> f64 {
        (at.off.rotation * self.far + at.off.translation) * (1.0 + 1e-12)
    }

    /// The velocity of what moves with the body at a place, rounded.
    pub fn velocity(&self, place: DVec3, at: &At) -> DVec3 {
        self.mover.drift + self.mover.omega.cross(place - at.center)
    }

    /// The acceleration of what moves with the body at a place, rounded.
    pub fn pull(&self, place: DVec3, at: &At) -> DVec3 {
        self.mover.omega.cross(self.mover.omega.cross(place - at.center))
    }

    /// How far speeds of places near another body are off: 64 roundings of the numbers they are computed from, and what the
    /// place is off.
    pub fn speed_error(&self, place: DVec3, at: &At, reach: f64, off: f64) -> f64 {
        if self.mover.is_at_rest {
            return 0.0;
        }
        let size = place.abs().element_sum() + at.center.abs().element_sum() + self.mover.drift_speed + reach;
        (64.0 * U * (self.mover.drift_speed + self.mover.rate * size) + self.mover.rate * off) * 1.01
    }
}

/// Heights of the vertices of a body over a plane that another carries, and how they change, as linear functions of the vertex in
/// the frame of its body.
struct Slope {
    height: DVec3,
    base: f64,
    speed: DVec3,
    base_speed: f64,
    bend: DVec3,
    base_bend: f64,
    /// Of a difference of heights: rounding, the deviation of the poses, and the radii around the cores.
    height_error: f64,
    bounds: Bounds,
}

impl Slope {
    /// Of a vertex over a plane at a height, all from below.
    #[inline(always)]
    fn of(&self, vertex: DVec3, top: f64) -> Fall {
        Fall {
            value: self.height.dot(vertex) + (self.base - top),
            speed: self.speed.dot(vertex) + self.base_speed,
            bend: self.bend.dot(vertex) + self.base_bend,
        }
    }
}

/// A plane across a direction, from the carrier to the other body.
pub(super) struct Carried<'a, 'b> {
    pub carrier: &'b MovingBody<'a>,
    pub other: &'b MovingBody<'a>,
    pub at_carrier: &'b At,
    pub at_other: &'b At,
    pub normal: DVec3,
}

impl Carried<'_, '_> {
    /// How long the plane through the farthest vertex of the carrier separates the bodies, up to a horizon; and the vertex that
    /// comes nearest first, of which a guess helps.
    pub fn hold(&self, horizon: f64, guess: u32) -> (Hold, u32) {
        let slope = self.slope(horizon);
        let top = self.top() + slope.height_error;
        let vertices = self.other.vertices();
        let (mut time, mut nearest) = (horizon, None);
        for v in std::iter::once(guess).chain(0..vertices.len() as u32) {
            let fall = slope.of(vertices[v as usize], top);
            let is_above = fall.value > 0.0;
            if !is_above {
                return (Hold::NONE, guess);
            }
            if !fall.lasts_until(time, &slope.bounds) {
                time = fall.sure_end(fall.outlook(time), &slope.bounds);
                nearest = Some((fall, v));
            }
        }
        let (estimate, vertex) = nearest.map_or((horizon, guess), |(fall, v)| (fall.expected_end(), v));
        // Well-conditioned, see `reaching_zero`: far more than the roundings.
        (Hold { time: time * (1.0 - 1e-12), estimate: estimate.min(horizon) }, vertex)
    }

    /// Of the carrier, seen from its own origin.
    fn top(&self) -> f64 {
        let local = self.at_carrier.pose.turn_back(self.normal);
        self.carrier.vertices().iter().map(|&v| local.dot(v)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Vertices of the other body that are below the plane for sure.
    pub fn below(&self) -> impl Iterator<Item = u32> {
        let slope = self.slope(1.0);
        let bottom = self.top() - slope.height_error;
        let is_below = move |v: DVec3| slope.height.dot(v) + slope.base < bottom;
        let count = self.other.vertices().len() as u32;
        (0..count).filter(move |&v| is_below(self.other.map.vertex(v)))
    }

    /// With `w` the angular velocity of the carrier, `y` a place seen from a point of its axis and `n` the normal, which turns with
    /// the carrier, `h = n . y`, and derivatives of `n` are `n' = w x n` and so on. Heights take 16 roundings of products of sizes
    /// up to the distance of the origins and both reaches; a second derivative is a sum of speeds times rates, of which one is twice.
    #[inline]
    fn slope(&self, horizon: f64) -> Slope {
        let Carried { carrier, other, at_carrier, at_other, normal: n } = *self;
        let (place, between) =
            (at_other.pose.translation(), at_other.pose.translation() - at_carrier.pose.translation());
        let (off_c, off_o) = (carrier.off(at_carrier), other.off(at_other));
        let (c, o) = (&carrier.mover, &other.mover);
        let [turn_c, turn_o] = [n.cross(c.omega), n.cross(o.omega)];
        let [arm_c, arm_o] = [place - at_carrier.center, place - at_other.center];
        let drift = o.drift - c.drift;
        let reach = other.map.reach() + other.radius;
        let size = between.abs().element_sum() + reach + carrier.map.reach() + carrier.radius;
        let radii = carrier.radius + other.radius;
        let speed_error = carrier.speed_error(place, at_carrier, reach, off_o)
            + other.speed_error(place, at_other, reach, off_o);
        let (bend_c, bend_o) = (turn_c.cross(c.omega), (turn_o - 2.0 * turn_c).cross(o.omega));
        let base_bend = bend_c.dot(arm_c) + bend_o.dot(arm_o) - 2.0 * turn_c.dot(drift);
        Slope {
            height: at_other.pose.turn_back(n),
            base: n.dot(between),
            speed: at_other.pose.turn_back(turn_o - turn_c),
            base_speed: n.dot(drift) + turn_o.dot(arm_o) - turn_c.dot(arm_c) - speed_error,
            bend: at_other.pose.turn_back(bend_c + bend_o),
            base_bend: base_bend - 4.0 * (c.rate + o.rate) * speed_error,
            height_error: (radii + off_c + off_o + 32.0 * U * size) * (1.0 + 8.0 * U),
            bounds: self.bounds(arm_c, horizon),
        }
    }

    /// Of the heights of vertices of the other body over the plane.
    ///
    /// `h'' = n'' . y + 2 n' . y' + n . y''` and `h''' = n''' . y + 3 n'' . y' + 3 n' . y'' + n . y'''`. Derivatives of `n` are at
    /// a right angle to the axis of the carrier, so only the part of `n` across that axis counts, whose length `s` does not
    /// change, and the parts of `y` across it: they are `s w`, `s w^2` and `s w^3` long. A point of the other body is pulled toward
    /// its own axis, at a right angle to it: only the part of `n` across that one counts, which is what it is now and what `n`
    /// turns by until the horizon, at most `s w` times as much. Its third derivative is its rate times as long.
    #[inline]
    fn bounds(&self, arm: DVec3, horizon: f64) -> Bounds {
        let (carrier, other) = (self.carrier, self.other);
        let rate = carrier.mover.rate;
        let part_of = |body: &MovingBody<'_>| {
            (self.normal.cross(body.mover.axis).length() + body.mover.axis_error + 8.0 * U).min(1.0 + 8.0 * U)
        };
        let pull = |part: f64| part * other.acceleration * (1.0 + 1e-9);
        let pulled = if other.acceleration > 0.0 { part_of(other) } else { 0.0 };
        if rate == 0.0 {
            return Bounds { bend: pull(pulled), jerk: pull(pulled) * other.mover.rate };
        }
        let turned = part_of(carrier);
        let across = other.speed + carrier.mover.drift_across;
        let distance = arm.cross(carrier.mover.axis).length() + other.far + other.radius + across * horizon;
        let distance = distance * (1.0 + 1e-9) + 1e-12 * arm.length();
        let pull = pull((pulled + turned * rate * horizon).min(1.0 + 8.0 * U));
        let turns = turned * rate * (1.0 + 1e-9);
        Bounds {
            bend: turns * (rate * distance + 2.0 * across) + pull,
            jerk: turns * (rate * (rate * distance + 3.0 * across) + 3.0 * other.acceleration)
                + pull * other.mover.rate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose, Random, Screw, SteadyMotion};
    use crate::screw::Motion;
    use crate::shape::Polytope;

    /// Planes of every direction, also across and along the axes, carried by bodies that rest, turn, or turn and drift.
    #[test]
    fn planes_separate_for_as_long_as_they_are_told_to() {
        let mut random = Random::new(2);
        let corners = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
        let cube = Convex::from_polytope(Polytope::hull(&corners.collect::<Vec<_>>()).unwrap());
        let (mut held, mut ended) = (0, 0);
        for case in 0..20_000 {
            let mut vector =
                || DVec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0));
            let normal = vector().normalize();
            let axes = [vector(), vector()].map(|v| match case % 5 {
                0 => normal,
                1 => normal + 1e-3 * v,
                2 => normal.cross(v),
                _ => v,
            });
            let [size_a, size_b] = [case / 5 % 3, case / 15 % 3].map(|k| [0.0, 1.0, 10.0][k]);
            let motion = |axis: DVec3, size: f64, center: DVec3, drift: DVec3| match case / 45 % 2 {
                0 => Screw::new(axis, center, size, 0.3 * drift.x).map(Motion::Screw).unwrap(),
                _ => Motion::Steady(SteadyMotion::from_velocities(drift, axis * size, center).unwrap()),
            };
            let motion_a = motion(axes[0], size_a, vector(), vector());
            let motion_b = motion(axes[1], size_b, vector() + 3.0 * normal, vector());
            let from_a = Pose::from_axis_angle(vector(), 2.0, 0.1 * vector()).unwrap();
            let from_b = Pose::from_axis_angle(vector(), 2.0, normal * 2.5).unwrap();
            let movers = [Mover::new(&from_a, &motion_a), Mover::new(&from_b, &motion_b)];
            let [a, b] = movers.each_ref().map(|mover| MovingBody::new((&cube, mover)).unwrap());
            let start = 0.5 * random.unit();
            let heights = |local: DVec3, t: f64| {
                let [at_a, at_b] = movers.each_ref().map(|mover| mover.at(t).unwrap());
                let n = at_a.pose.apply_vector(local);
                let along = |body: &MovingBody<'_>, at: &At, sign: f64| {
                    let all = (0..8).map(|v| sign * n.dot(body.place(v, at)));
                    all.fold(f64::INFINITY, f64::min)
                };
                along(&b, &at_b, 1.0) + along(&a, &at_a, -1.0)
            };
            let [at_a, at_b] = movers.each_ref().map(|mover| mover.at(start).unwrap());
            let carried = Carried { carrier: &a, other: &b, at_carrier: &at_a, at_other: &at_b, normal };
            let (local, hold) = (at_a.pose.turn_back(normal), carried.hold(1.0 - start, 0).0);
            for k in 0..=16 {
                let height = heights(local, start + hold.time * f64::from(k) / 16.0);
                assert!(hold.time == 0.0 || height > -1e-12, "{case}: {height} {hold:?}");
            }
            held += usize::from(hold.time > 0.0);
            ended += usize::from(hold.time > 0.0 && hold.time < 0.9 * (1.0 - start));
        }
        assert!(held > 5_000 && ended > 2_000, "{held} {ended}");
    }
}
