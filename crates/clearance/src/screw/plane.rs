//! How long a plane that is carried along by one of two convex bodies separates them, for sure.
//!
//! Seen from the carrier its own vertices rest, and those of the other body have a height over the plane, a speed and an
//! acceleration of which a bound is known. A parabola below the height tells how long the vertex stays above the plane.

use super::motion::{At, Mover};
use crate::pair::Convex;
use crate::support::SupportMap;
use glam::DVec3;

/// Unit roundoff.
pub(super) const U: f64 = 0.5 * f64::EPSILON;

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
    /// About so long, if what comes nearest first goes on as it does now.
    pub estimate: f64,
}

impl Hold {
    pub const NONE: Hold = Hold { time: 0.0, estimate: f64::INFINITY };

    /// Whether the proof holds for most of the time that is to be expected.
    pub fn is_efficient(&self) -> bool {
        self.time > 0.0 && self.time >= 0.3 * self.estimate
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

/// Heights and speeds of the vertices of a body over a plane that another carries, as linear functions of the vertex in the
/// frame of its body.
struct Slope {
    height: DVec3,
    base: f64,
    speed: DVec3,
    base_speed: f64,
    /// Of a difference of heights: rounding, the deviation of the poses, and the radii around the cores.
    height_error: f64,
    speed_error: f64,
    acceleration: f64,
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
    /// How long the plane through the farthest vertex of the carrier separates the bodies, up to a horizon.
    pub fn hold(&self, horizon: f64) -> Hold {
        let slope = self.slope(horizon);
        let top = self.top() + slope.height_error;
        let mut hold = Hold { time: horizon, estimate: f64::INFINITY };
        let mut nearest = (f64::INFINITY, 0.0);
        for &v in self.other.vertices() {
            let height = slope.height.dot(v) + slope.base - top;
            let rises = slope.speed.dot(v) + slope.base_speed - slope.speed_error;
            if height <= 0.0 || height.is_nan() {
                return Hold::NONE;
            }
            // A parabola that is open below and positive at both ends is so in between.
            if height + (rises - 0.5 * slope.acceleration * hold.time) * hold.time < 0.0 {
                hold.time = hold.time.min(reaching_zero(height, rises, slope.acceleration));
                nearest = (height, rises);
            }
        }
        if nearest.1 < 0.0 {
            hold.estimate = nearest.0 / -nearest.1;
        }
        if nearest.0 == f64::INFINITY {
            hold.estimate = hold.time;
        }
        // Well-conditioned, see `reaching_zero`: far more than the roundings.
        hold.time *= 1.0 - 1e-12;
        hold
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

    /// Heights take 16 roundings of products of sizes up to the distance of the origins and both reaches.
    fn slope(&self, horizon: f64) -> Slope {
        let Carried { carrier, other, at_carrier, at_other, normal: n } = *self;
        let (place, between) =
            (at_other.pose.translation(), at_other.pose.translation() - at_carrier.pose.translation());
        let (off_c, off_o) = (carrier.off(at_carrier), other.off(at_other));
        let (c, o) = (&carrier.mover, &other.mover);
        let [turn_c, turn_o] = [n.cross(c.omega), n.cross(o.omega)];
        let reach = other.map.reach() + other.radius;
        let size = between.abs().element_sum() + reach + carrier.map.reach() + carrier.radius;
        let radii = carrier.radius + other.radius;
        let base_speed = n.dot(o.drift - c.drift) + turn_o.dot(place - at_other.center)
            - turn_c.dot(place - at_carrier.center);
        Slope {
            height: at_other.pose.turn_back(n),
            base: n.dot(between),
            speed: at_other.pose.turn_back(turn_o - turn_c),
            base_speed,
            height_error: (radii + off_c + off_o + 32.0 * U * size) * (1.0 + 8.0 * U),
            speed_error: carrier.speed_error(place, at_carrier, reach, off_o)
                + other.speed_error(place, at_other, reach, off_o),
            acceleration: self.acceleration(place, horizon),
        }
    }

    /// Of the heights of vertices of the other body over the plane.
    ///
    /// With `w` the angular velocity of the carrier, `y` a place seen from a point of its axis and `n` the normal, which turns with
    /// the carrier, `h'' = n . (x'' - 2 w x y' + w x (w x y))`. The last two vectors are at a right angle to the axis of the
    /// carrier, so only the part of `n` across that axis counts, whose length `s` does not change: they are at most
    /// `s (w^2 |y| + 2 w |y'|)`, with `y` and `y'` across the axis too, because `n . (w x y') = (n x w) . y'`. A point of the
    /// other body is pulled toward its own axis, at a right angle to it: only the part of `n` across that one counts, which is what
    /// it is now and what `n` turns by until the horizon, at most `s w` times as much.
    fn acceleration(&self, place: DVec3, horizon: f64) -> f64 {
        let (carrier, other) = (self.carrier, self.other);
        let rate = carrier.mover.rate;
        let part_of = |body: &MovingBody<'_>| {
            (self.normal.cross(body.mover.axis).length() + body.mover.axis_error + 8.0 * U).min(1.0 + 8.0 * U)
        };
        let pulled = part_of(other);
        if rate == 0.0 {
            return other.acceleration * pulled * (1.0 + 1e-9);
        }
        let turned = part_of(carrier);
        let arm = place - self.at_carrier.center;
        let across = other.speed + carrier.mover.drift_across;
        let distance = arm.cross(carrier.mover.axis).length() + other.far + other.radius + across * horizon;
        let distance = distance * (1.0 + 1e-9) + 1e-12 * arm.length();
        let pulled = (pulled + turned * rate * horizon).min(1.0 + 8.0 * U);
        (turned * rate * (rate * distance + 2.0 * across) + pulled * other.acceleration) * (1.0 + 1e-9)
    }
}

/// The first `s >= 0` at which `height + speed s - acceleration s^2 / 2` is zero, a little early; infinite if there is none.
///
/// There `|slope| s` is at least a quarter of the sum of the sizes of the three terms: roundings of these move `s` by no more than
/// four times as much, relative to it.
pub(super) fn reaching_zero(height: f64, speed: f64, acceleration: f64) -> f64 {
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
    use crate::math::{Pose, Random, Screw, SteadyMotion};
    use crate::screw::Motion;
    use crate::shape::Polytope;

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
            let (local, hold) = (at_a.pose.turn_back(normal), carried.hold(1.0 - start));
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
